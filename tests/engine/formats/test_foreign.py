"""Trees of other programs: every row goes where their own program sends it, also at thresholds and beside them."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

import engine
from engine.formats.foreign import SeveralTrees, below_float32, fitted, reach_of_float32
from engine.formats.printouts import printed
from engine.runtime.errors import InputError
from tests import effort
from tests.conftest import ROOT
from tests.data.foreign.values import beside
from tests.exports import mixed_table, mixed_tree
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


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_damaged_file_is_refused_in_a_sentence_or_read(tmp_path, name):
    data, path = (FOLDER / name).read_bytes(), tmp_path / name
    for seed in range(effort.count(1000)):
        path.write_bytes(mutated(data, seed))
        try:
            engine.read_tree(path, tree=len(EXPECTED[name]) - 1)
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


@pytest.mark.parametrize(("before", "after", "fault"), [
    ('<?xml version="1.0"?>', '<!DOCTYPE a [<!ENTITY b "c">]>', "it defines entities of its own"),
    ('field="count" operator="greaterThan" value="-1"', 'field="town" operator="equal" value="Ulm"', "do not ask one"),
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
