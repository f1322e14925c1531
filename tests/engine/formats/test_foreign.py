"""Trees of other programs: every row goes where their own program sends it, also at thresholds and beside them."""

import itertools
import json
import math
import re
import shutil
import sys
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

import engine
from engine.formats.files import content_of
from engine.formats.foreign import SeveralTrees, below_float32, fitted, reach_of_float32
from engine.formats.pmml import ASKING
from engine.formats.printouts import printed
from engine.formats.programs import output_of
from engine.formats.questions import columns_used
from engine.formats.rows_to_check import rows_to_check
from engine.runtime.errors import InputError
from engine.runtime.version import VERSION
from engine.tree.assignment import leaves_of_rows
from tests import effort
from tests.conftest import ROOT
from tests.data.foreign.values import beside
from tests.exports import mixed_table, mixed_tree
from tests.hostile.json_mutation import mutated_json
from tests.hostile.mutation import mutated

FOLDER = ROOT / "tests" / "data" / "foreign"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
ROWS = json.loads((FOLDER / "rows.json").read_text(encoding="utf-8"))
FEATURES = ("body mass", "count", "town", "wet")
doubles = st.floats(allow_nan=False, allow_infinity=False)


def rows_of(name):
    frame = pd.DataFrame(ROWS[name])
    for column in ("body mass", "count"):
        frame[column] = frame[column].astype(float)
    if "town" in frame:
        frame["town"] = frame["town"].astype(object).where(frame["town"].notna(), None)
    if name.startswith("lightgbm"):
        frame["wet"] = frame["wet"].astype(float)  # the file does not say that it was boolean
    return frame


@pytest.mark.parametrize(("name", "k"), [(name, k) for name, found in EXPECTED.items() for k in range(len(found))])
def test_every_row_gets_what_the_program_predicted(name, k):
    rows = rows_of(name)
    tree = engine.read_tree(FOLDER / name, tree=k, features=FEATURES[: len(rows.columns)])
    found = tree.predict_proba(rows)[:, 1] if tree.task == "classes" else tree.predict(rows)
    np.testing.assert_allclose(found, EXPECTED[name][k], rtol=1e-6, atol=1e-7)
    assert tree.n_leaves > 2
    assert f"Tree {k} of {len(EXPECTED[name])}" in tree.mark(0).note or len(EXPECTED[name]) == 1


def test_counts_of_the_file_are_those_of_the_tree():
    tree = engine.read_tree(FOLDER / "lightgbm_plain.txt", tree=0)
    assert tree.rows_train[0] == 600 and tree.weight()[0] == 600
    assert engine.read_tree(FOLDER / "xgboost.json", tree=0).rows_train.sum() == 0


@pytest.mark.parametrize(("name", "said"), [
    ("lightgbm_binary.txt", "The only tree of a LightGBM model (binary sigmoid:1). It predicts the probability of"),
    ("xgboost_binary.json", "The only tree of an XGBoost model (binary:logistic, base_score "),
])  # fmt: skip
def test_the_only_tree_of_a_binary_model_predicts_probabilities(name, said):
    tree = engine.read_tree(FOLDER / name, target="late", features=FEATURES, classes=["no", "yes"])
    assert tree.classes == ("no", "yes") and tree.mark(0).note.startswith(said)
    shares = tree.predict_proba(rows_of(name))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert [said == "yes" for said in tree.predict(rows_of(name))] == (shares[:, 1] > 0.5).tolist()
    assert tree.rows_train[0] == (600 if name.startswith("lightgbm") else 0)


def test_one_of_several_trees_says_what_makes_a_probability_of_the_sum(tmp_path):
    text = (FOLDER / "lightgbm_plain.txt").read_text("utf-8").replace("=regression\n", "=binary sigmoid:2\n")
    (tmp_path / "model.txt").write_text(text, "utf-8")
    tree = engine.read_tree(tmp_path / "model.txt", tree=1)
    assert tree.task == "number" and "the probability of class 1 is 1 ÷ (1 + e^(−2 s))" in tree.mark(0).note
    model = json.loads((FOLDER / "xgboost.json").read_text("utf-8"))
    model["learner"]["objective"]["name"], model["learner"]["learner_model_param"]["base_score"] = (
        "binary:logistic",
        "0.2",
    )
    (tmp_path / "model.json").write_text(json.dumps(model), "utf-8")
    tree = engine.read_tree(tmp_path / "model.json", tree=1)
    assert tree.task == "number" and "1 ÷ (1 + e^(−s + 1.38629))" in tree.mark(0).note


@pytest.mark.parametrize("name", ["lightgbm_plain.txt", "xgboost.json"])
def test_scoring_finds_nothing_odd_in_columns_that_no_split_asks(tmp_path, name):
    """The files say which columns hold levels, and which levels."""
    tree = engine.read_tree(FOLDER / name, tree=0, features=FEATURES)
    tree = tree.collapse(0)
    frame = rows_of(name)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    frame.to_parquet(tmp_path / "rows.parquet")
    for suffix in ("csv", "parquet"):
        scored = engine.score(tree, tmp_path / f"rows.{suffix}")
        assert not any(column.unreadable or column.unknown or column.is_asked for column in scored.columns)
        assert {column.name: column.kind for column in tree.columns}["town"] == "nominal"


def test_of_several_trees_one_is_chosen():
    with pytest.raises(SeveralTrees, match="it holds 3 trees: choose one of them, 0 to 2") as raised:
        engine.read_tree(FOLDER / "xgboost.json")
    assert raised.value.n_trees == 3
    with pytest.raises(InputError, match="it has no tree 3: choose one from 0 to 2"):
        engine.read_tree(FOLDER / "lightgbm_plain.txt", tree=3)


def test_names_that_are_given_have_to_fit():
    with pytest.raises(InputError, match="it has 4 features, and 1 names are given"):
        engine.read_tree(FOLDER / "xgboost.json", tree=0, features=["a"])
    tree = engine.read_tree(FOLDER / "treelite.json", tree=0, features=["a", "b"], target="y", classes=["n", "m", "p"])
    assert (tree.target, tree.classes, [c.name for c in tree.columns]) == ("y", ("n", "m", "p"), ["a", "b"])


@pytest.mark.parametrize("head", [b"\x80\x04\x95", b"PK\x03\x04", b"\x78\x9c"])
def test_what_can_carry_code_is_not_opened(tmp_path, head):
    path = tmp_path / "model.pkl"
    path.write_bytes(head + b"c__builtin__\neval\n")
    with pytest.raises(InputError, match="can carry code, so it is not opened"):
        engine.read_tree(path)


def test_what_is_no_tree_is_refused_for_what_it_is(tmp_path):
    engine.export(engine.grow(mixed_table(2), max_depth=2), tmp_path / "tree.xlsx")
    with pytest.raises(InputError, match="is no tree file that can be read: give Espalier’s"):
        engine.read_tree(tmp_path / "tree.xlsx")
    (tmp_path / "dump.json").write_text('{"name": "tree", "version": "v4", "tree_info": []}')
    with pytest.raises(InputError, match="is JSON, but no Espalier tree"):
        engine.read_tree(tmp_path / "dump.json", tree=0)


@pytest.mark.parametrize(("name", "k"), [("xgboost", 0), ("xgboost", 2), ("xgboost_binary", 0)])
def test_a_binary_model_is_the_tree_of_its_json(name, k):
    binary, plain = (engine.read_tree(FOLDER / f"{name}.{suffix}", tree=k) for suffix in ("ubj", "json"))
    assert engine.tree_to_text(binary) == engine.tree_to_text(plain)


@effort.examples(100, 10)
@given(
    seed=st.integers(0, 2**32 - 1), booster=st.sampled_from(["gbtree", "dart"]), levels=st.sampled_from(["abc", "abé"]),
    objective=st.sampled_from(["reg:squarederror", "binary:logistic", "multi:softprob"]),
)  # fmt: skip
def test_a_binary_model_of_any_kind_is_read_as_its_json(tmp_path_factory, seed, booster, levels, objective):
    """Also where it is refused: XGBoost cuts off names of levels that are not ASCII."""
    xgboost = pytest.importorskip("xgboost")
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "größe": np.where(rng.random(80) < 0.2, np.nan, rng.normal(size=80)), "n": rng.integers(0, 5, 80),
        "level": pd.Categorical(rng.choice(list(levels), 80)), "wet": rng.random(80) < 0.5,
    })  # fmt: skip
    classes = {"num_class": 3} if objective.startswith("multi") else {}
    settings = {"objective": objective, "booster": booster, "max_depth": 3, "nthread": 1, **classes}
    data = xgboost.DMatrix(frame, label=rng.integers(0, 3 if classes else 2, 80), enable_categorical=True)
    model, path, found = xgboost.train(settings, data, num_boost_round=3), tmp_path_factory.getbasetemp() / "model", []
    for suffix in (".ubj", ".json"):
        model.save_model(path.with_suffix(suffix))
        try:
            found.append(engine.tree_to_text(engine.read_tree(path.with_suffix(suffix), tree=2)))
        except InputError as error:
            found.append(str(error).replace(suffix, ""))
    assert found[0] == found[1]


@pytest.mark.parametrize("damage", [
    b"L\x7f\xff\xff\xff\xff\xff\xff\xff", b"L\xff\xff\xff\xff\xff\xff\xff\xff", b"i\x01", b"L\0\0\0\0\x3f\0\0\0",
])  # fmt: skip
@pytest.mark.parametrize(
    "before", [b"[$d#", b"[#", b"trees[$L#", b"S", b"{", b"[$T#", b"[" * 90, b"{L\0\0\0\0\0\0\0\0" * 90]
)
def test_no_length_of_a_binary_model_is_believed(tmp_path, damage, before):
    path = tmp_path / "model.ubj"
    path.write_bytes(b"{L\0\0\0\0\0\0\0\x07learner" + before + damage + bytes(1000))
    with pytest.raises(InputError, match=r"model\.ubj” is a model of XGBoost, .* damaged near byte \d+: use"):
        engine.read_tree(path)


@given(st.one_of(doubles, st.floats(width=32, allow_nan=False, allow_infinity=False)))
def test_the_largest_double_that_rounds_to_a_float32(limit):
    with np.errstate(over="ignore"):
        for found, goes in ((reach_of_float32(limit), np.less_equal), (below_float32(limit), np.less)):
            for value, side in ((found, True), (math.nextafter(found, math.inf), False)):
                assert bool(goes(np.float64(np.float32(value)), limit)) == side or math.isinf(value)


@st.composite
def fitted_trees(draw):
    """A tree of scikit-learn and rows around its thresholds."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, missing = draw(st.integers(20, 120)), draw(st.booleans())
    scale = draw(st.sampled_from([1e-30, 0.01, 1.0, 1e6, 1e30]))
    frame = pd.DataFrame({"a": rng.normal(size=n) * scale, "b c": rng.integers(0, 5, n) / 3, "d": rng.normal(size=n)})
    if missing:
        frame.loc[rng.random(n) < 0.2, "a"] = np.nan
    kind = draw(st.sampled_from(["gini", "entropy", "squared_error", "absolute_error", "poisson", "extra"]))
    options = {"max_depth": draw(st.integers(1, 6)), "random_state": 0}
    weights = rng.integers(1, 4, n) if draw(st.booleans()) else None
    if kind in ("gini", "entropy", "extra"):
        y = rng.choice(["no", "yes", "“maybe”"], n)
        cls = ExtraTreeClassifier if kind == "extra" else DecisionTreeClassifier
        model = cls(criterion="gini" if kind == "extra" else kind, **options)
    else:
        y, model = rng.random(n) + frame["b c"], DecisionTreeRegressor(criterion=kind, **options)
    if missing and kind == "absolute_error":
        frame = frame.fillna(0)
    model.fit(frame, y, sample_weight=weights)
    columns = {}
    for place, name in enumerate(frame):
        cuts = model.tree_.threshold[model.tree_.feature == place].tolist()
        near = [value for cut in cuts if math.isfinite(cut) for value in beside(cut)] or [0.0]
        columns[name] = rng.choice([*near, *([np.nan] if frame[name].isna().any() else [])], 200)
    return model, frame, pd.DataFrame(columns)


@effort.examples(300)
@given(fitted_trees())
def test_a_tree_of_scikit_learn_predicts_the_same(drawn):
    model, frame, nasty = drawn
    tree = engine.from_sklearn(model, target="y")
    for rows in (frame, nasty):
        if hasattr(model, "classes_"):
            np.testing.assert_allclose(tree.predict_proba(rows), model.predict_proba(rows), atol=1e-12)
            np.testing.assert_array_equal(
                np.array(tree.classes)[model.predict_proba(rows).argmax(1)], model.predict(rows)
            )
        else:
            np.testing.assert_allclose(tree.predict(rows), model.predict(rows), rtol=1e-12)
    np.testing.assert_array_equal(tree.rows_train, model.tree_.n_node_samples)  # both stand in preorder
    np.testing.assert_allclose(tree.weight(), model.tree_.weighted_n_node_samples)
    assert [column.name for column in tree.columns] == ["a", "b c", "d"]
    if getattr(model, "criterion", "") == "squared_error":
        np.testing.assert_allclose(tree.costs() / tree.weight(), model.tree_.impurity, atol=1e-9)


def test_what_is_no_fitted_tree_is_refused():
    with pytest.raises(InputError, match="A DecisionTreeClassifier is no fitted tree"):
        engine.from_sklearn(DecisionTreeClassifier())
    two = DecisionTreeRegressor().fit([[0], [1]], [[0, 1], [1, 2]])
    with pytest.raises(InputError, match="predicts 2 targets"):
        engine.from_sklearn(two)


def test_on_a_table_names_and_truth_values_are_its_own():
    rows = rows_of("xgboost.json").assign(y="a")
    rows.loc[::3, "y"] = "b"
    rows["wet"] = rows["wet"].astype(bool)
    table = engine.Table.from_frame(rows, target="y")
    tree, said = fitted(engine.read_tree(FOLDER / "lightgbm_plain.txt", tree=0), table)
    counted = tree.with_counts(table)
    assert not said and counted.classes == ("a", "b") and counted.rows_train[0] == len(rows)
    assert [column.name for column in counted.columns] == list(FEATURES)
    other, said = fitted(
        engine.read_tree(FOLDER / "treelite.json", tree=0), table.with_roles({"town": "ignore", "wet": "ignore"})
    )
    assert [column.name for column in other.columns] == ["body mass", "count"] and "in order" in said[0]


@pytest.mark.parametrize("name", sorted([*EXPECTED, "xgboost.ubj"]))
def test_a_damaged_file_is_refused_in_a_sentence_or_read(tmp_path, name):
    """Of JSON every second one is still JSON."""
    data, path = (FOLDER / name).read_bytes(), tmp_path / name
    last = len(EXPECTED[name.replace(".ubj", ".json")]) - 1
    for seed in range(effort.count(1000)):
        still_json = name.endswith(".json") and seed % 2
        path.write_bytes(mutated_json(json.loads(data), seed) if still_json else mutated(data, seed))
        try:
            engine.read_tree(path, tree=last)
        except InputError as error:
            assert len(str(error)) > 20


@effort.examples(300, 10)
@given(seed=st.integers(0, 2**32 - 1), task=st.sampled_from(["classes", "number"]), n_splits=st.integers(0, 12))
@pytest.mark.parametrize("suffix", [".onnx", ".pmml"])
def test_a_model_is_read_as_the_tree_that_it_was(tmp_path_factory, suffix, seed, task, n_splits):
    table = mixed_table(seed, task)
    tree = mixed_tree(table, seed, n_splits)
    path = tmp_path_factory.getbasetemp() / f"tree{suffix}"
    engine.export(tree, path)
    assert engine.tree_to_text(engine.read_tree(path)) == engine.tree_to_text(tree)


def without_the_tree_in_it(content):
    """A PMML document without the extension that holds the tree as JSON."""
    return re.sub(r" *<Extension .*?/>\n", "", content, count=1, flags=re.DOTALL)


@effort.examples(300, 10)
@given(seed=st.integers(0, 2**32 - 1), task=st.sampled_from(["classes", "number"]), n_splits=st.integers(0, 12))
def test_the_predicates_of_pmml_are_read_as_the_splits_that_they_were(tmp_path_factory, seed, task, n_splits):
    table = mixed_table(seed, task)
    tree = mixed_tree(table, seed, n_splits)
    path = tmp_path_factory.getbasetemp() / "predicates.pmml"
    path.write_text(without_the_tree_in_it(content_of(tree, "pmml")), encoding="utf-8")
    found = engine.read_tree(path)
    assert (found.target, found.classes, found.n_leaves) == (tree.target, tree.classes, tree.n_leaves)
    used = [tree.columns[place].name for place in columns_used(tree)]
    assert [column.name for column in found.columns] == used and "guess" not in found.mark(0).note
    rows = rows_to_check(tree, table, hard=1000, seed=seed)
    one, other = leaves_of_rows(rows, tree), leaves_of_rows(seconds_and_levels(rows), found)
    assert len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))
    if task == "classes":
        np.testing.assert_array_equal(found.labels[other], tree.labels[one])
        np.testing.assert_allclose(found.probabilities[other], tree.probabilities[one], atol=1e-12)
    else:
        np.testing.assert_allclose(found.predictions[other], tree.predictions[one], rtol=1e-12)


def seconds_and_levels(rows):
    """A table with dates as seconds, and everything but numbers as levels: as PMML knows them."""
    kinds = {"date": "number", "integer": "number", "boolean": "nominal", "ordered": "nominal"}
    return replace(rows, columns=tuple(replace(one, kind=kinds.get(one.kind, one.kind)) for one in rows.columns))


def test_a_pmml_document_of_another_version_is_still_the_same_tree(tmp_path):
    tree, path = mixed_tree(mixed_table(3), 3), tmp_path / "tree.pmml"
    engine.export(tree, path)
    text = path.read_text("utf-8")
    root = ElementTree.fromstring(text)
    ElementTree.indent(root, "\t")
    again = ElementTree.tostring(root, encoding="unicode")
    for other in (text.replace(f"Espalier {VERSION}", "Espalier 0.0.1"), again):
        assert other != text
        path.write_text(other, "utf-8")
        assert engine.tree_to_text(engine.read_tree(path)) == engine.tree_to_text(tree)
    path.write_text(text.replace('probability="', 'probability="0', 1), "utf-8")
    with pytest.raises(InputError, match="it was changed after Espalier wrote it"):
        engine.read_tree(path)


def test_an_onnx_model_that_was_changed_is_no_tree_of_espalier(tmp_path):
    import onnx

    table = mixed_table(1)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("size", "threshold", (0.5,)))
    engine.export(tree, tmp_path / "tree.onnx")
    model = onnx.load(tmp_path / "tree.onnx")
    del model.graph.node[-1]
    (tmp_path / "tree.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(InputError, match="it was changed after Espalier wrote it"):
        engine.read_tree(tmp_path / "tree.onnx")


@pytest.mark.parametrize("mode", ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GT", "BRANCH_GTE", "BRANCH_EQ", "BRANCH_NEQ"])
@pytest.mark.parametrize("missing", [0, 1])
def test_each_test_of_an_onnx_node_is_what_onnxruntime_makes_of_it(tmp_path, mode, missing):
    from onnx import TensorProto, helper
    from onnxruntime import InferenceSession

    node = helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", n_targets=1, nodes_treeids=[0] * 3,
        nodes_nodeids=[0, 1, 2], nodes_featureids=[0] * 3, nodes_values=[0.1, 0, 0], nodes_modes=[mode, "LEAF", "LEAF"],
        nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0], nodes_missing_value_tracks_true=[missing, 0, 0],
        target_treeids=[0, 0], target_nodeids=[1, 2], target_ids=[0, 0], target_weights=[1.0, 2.0],
    )  # fmt: skip
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, 1]) for name in "xy"]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    model = helper.make_model(helper.make_graph([node], "g", ends[:1], ends[1:]), opset_imports=opsets, ir_version=8)
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())
    values = np.array([*beside(0.1), *beside(float(np.float32(0.1))), np.nan])
    if mode == "BRANCH_EQ" and missing:
        with pytest.raises(InputError, match="takes missing values for equal"):
            engine.read_tree(path)
        return
    session = InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    wanted = session.run(None, {"x": values.astype(np.float32)[:, None]})[0][:, 0]
    np.testing.assert_array_equal(engine.read_tree(path).predict(pd.DataFrame({"x": values})), wanted)


def test_what_a_pmml_document_says_of_its_leaves():
    tree = engine.read_tree(FOLDER / "pmml_classes.pmml")
    assert (tree.target, tree.classes, tree.rows_train[0]) == ("y", ("no", "yes"), 100)
    rows = pd.DataFrame({"body mass": [1.0], "count": [0.0], "town": ["Ulm"]})
    assert tree.predict(rows) == ["yes"] and tree.predict_proba(rows)[0].tolist() == [0.6, 0.4]  # costs decided
    assert "predicts nothing" not in tree.mark(0).note


def pmml(strategy, predicates, fields="ab"):
    """A document of one split: the root's attributes, and the predicates of its branches."""
    continuous = "".join(f'<DataField name="{name}" optype="continuous" dataType="double"/>' for name in fields)
    nodes = "".join(
        f'<Node id="{k}" score="{"no" if k % 2 else "yes"}" recordCount="{10 * k}">{predicate}'
        f'<ScoreDistribution value="no" recordCount="{9 * k - 4}"/><ScoreDistribution value="yes" '
        f'recordCount="{k + 4}"/></Node>' for k, predicate in enumerate(predicates, start=1)
    )  # fmt: skip
    return (
        '<PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4"><Header/><DataDictionary>'
        '<DataField name="y" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/></DataField>'
        f'{continuous}</DataDictionary><TreeModel functionName="classification" splitCharacteristic="multiSplit" '
        f'{strategy}><MiningSchema><MiningField name="y" usageType="target"/>'
        f'{"".join(f"""<MiningField name="{name}"/>""" for name in fields)}</MiningSchema><Output>'
        '<OutputField name="p" optype="continuous" dataType="double" feature="probability" value="yes"/></Output>'
        f'<Node id="0" recordCount="30" defaultChild="1"><True/>{nodes}</Node></TreeModel></PMML>'
    )


def simple(test, joint=None, *others):
    """`a < 1` as a predicate; several joined."""
    if joint:
        return (
            f'<CompoundPredicate booleanOperator="{joint}">{"".join(map(simple, (test, *others)))}</CompoundPredicate>'
        )
    names = {"<": "lessThan", "<=": "lessOrEqual", ">": "greaterThan", ">=": "greaterOrEqual", "=": "equal"}
    name, how, value = [*test.split(), "", ""][:3]
    if not how:
        return f"<{name}/>"
    if how == "is":
        return f'<SimplePredicate field="{name}" operator="isMissing"/>'
    return f'<SimplePredicate field="{name}" operator="{names[how]}" value="{value}"/>'


@pytest.mark.parametrize("document", [
    pmml('missingValueStrategy="defaultChild"', [
        simple("a < 1", "surrogate", "b >= 2"), simple("a >= 1", "surrogate", "b < 2")]),
    pmml('missingValueStrategy="none"', [
        simple("a < 1", "surrogate", "b >= 2", "False"), simple("a >= 1", "surrogate", "b < 2", "True")]),
    pmml('missingValueStrategy="none"', [simple("a > 1", "and", "a <= 2"), "<True/>"]),
    pmml('missingValueStrategy="none"', ["<False/>", "<True/>"]),
    pmml('missingValueStrategy="none"', [simple("a > 1"), simple("a is missing"), "<True/>"]),
    pmml('missingValueStrategy="none"', [simple("a > 1", "and", "b <= 2"), "<True/>"]),
    pmml('missingValueStrategy="defaultChild"', [simple("a = 1"), simple("a < 1", "or", "a > 1")]),
])  # fmt: skip
def test_predicates_of_others_are_what_an_evaluator_makes_of_them(tmp_path, document):
    pytest.importorskip("pypmml")
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    (tmp_path / "model.pmml").write_text(document, encoding="utf-8")
    cells = [None, -1.0, *(math.nextafter(one, to) for one in (1.0, 2.0) for to in (0.0, one, 9.0)), 1.5]
    columns = list(zip(*itertools.product(cells, cells), strict=True))
    given = json.dumps({"names": "ab", "columns": columns, "n": len(columns[0]), "said": ["p"]})
    said = output_of({"ask.py": ASKING, "given.json": given, "tree.pmml": document}, [sys.executable, "ask.py"])
    wanted = [json.loads(line)[0] for line in said.splitlines()]
    rows = pd.DataFrame(dict(zip("ab", columns, strict=True)), dtype=float)
    found = engine.read_tree(tmp_path / "model.pmml").predict_proba(rows)[:, 1]
    np.testing.assert_allclose(found, np.array(wanted, dtype=float), atol=1e-12)


@pytest.mark.parametrize("strategy", ["aggregateNodes", "weightedConfidence"])
def test_a_row_without_a_value_is_divided_where_the_document_says_so(tmp_path, strategy):
    # PMML 4.4, TreeModel: the record counts of all branches that may hold are added; PMML4S has neither strategy
    document = pmml(f'missingValueStrategy="{strategy}"', [simple("a < 1"), simple("a >= 1")])
    (tmp_path / "model.pmml").write_text(document, encoding="utf-8")
    tree = engine.read_tree(tmp_path / "model.pmml")
    shares = tree.predict_proba(pd.DataFrame({"a": [0.0, 1.0, np.nan], "b": 0.0}))[:, 1]
    np.testing.assert_allclose(shares, [5 / 10, 6 / 20, 11 / 30])
    assert not tree.mark(0).note


@pytest.mark.parametrize("predicates", [
    [simple("a > 1", "and", "b <= 2"), simple("a <= 1", "or", "b > 2")],
    [simple("a > 1", "or", "a <= -1", "b > 2", "a = 0"), "<True/>"],
    [simple("a > 1"), simple("b > 1"), "<True/>"],
])  # fmt: skip
def test_predicates_of_several_fields_that_no_split_says(tmp_path, predicates):
    (tmp_path / "model.pmml").write_text(pmml('missingValueStrategy="none"', predicates), encoding="utf-8")
    with pytest.raises(
        InputError, match="neither pieces of one field each, nor surrogates for it, nor at least m of n"
    ):
        engine.read_tree(tmp_path / "model.pmml")


@pytest.mark.parametrize(("before", "after", "fault"), [
    ('<?xml version="1.0"?>', '<!DOCTYPE a [<!ENTITY b "c">]>', "it defines entities of its own"),
    ('field="count" operator="greaterThan" value="-1"', 'field="town" operator="equal" value="Ulm"', "neither pieces"),
    ('operator="lessThan" value="0.1"', 'operator="lessThan" value="many"', "“many” is no number"),
    ('operator="lessThan"', 'operator="like"', "a test “like” of a number cannot be read"),
    ('value="0.1"/>\n    <Node id="4"', 'value="0"/>\n    <Node id="4"', "node 1 has no branch for the value"),
])  # fmt: skip
def test_what_no_split_says_is_refused(tmp_path, before, after, fault):
    text = (FOLDER / "pmml_classes.pmml").read_text(encoding="utf-8")
    assert before in text
    (tmp_path / "model.pmml").write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(InputError, match=fault):
        engine.read_tree(tmp_path / "model.pmml")


@pytest.mark.parametrize("name", ["birds", "cancer", "cats", "close", "declared"])
def test_a_tree_that_weka_printed_is_printed_the_same_again(tmp_path, name):
    texts = (ROOT / "tests" / "data" / "j48" / f"{name}.txt").read_text(encoding="utf-8").split("# J48 ")[1:]
    for text in texts:
        lines = text.strip().split("\n")[1:]
        path = tmp_path / "tree.j48"
        path.write_text("J48 pruned tree\n------------------\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
        tree = engine.read_tree(path, target="what it is")
        again = [line.text for line in printed(tree, "j48") if ":" in line.text or "=" in line.text or ">" in line.text]
        assert [line for line in again if not line.startswith(("Number", "Size"))] == lines
        engine.export(tree, path)
        assert engine.tree_to_text(engine.read_tree(path, target="what it is")) == engine.tree_to_text(tree)
