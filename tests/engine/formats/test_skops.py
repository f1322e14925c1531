"""The format "sklearn": a fitted pipeline, saved by skops, which answers as the tree does."""

import numpy as np
import pandas as pd
import pytest
import skops.io
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import engine
from engine.formats.rows_to_check import rows_to_check
from engine.formats.skops import TRUSTED
from engine.tree.assignment import leaves_of_rows
from tests import effort
from tests.exports import chain, mixed_table, mixed_tree


@effort.examples(300, 10)
@given(seed=st.integers(0, 2**32 - 1), task=st.sampled_from(["classes", "number"]), n_splits=st.integers(0, 12))
def test_every_row_gets_what_the_tree_predicts(seed, task, n_splits):
    table = mixed_table(seed, task)
    tree = mixed_tree(table, seed, n_splits)
    leaves = tree.leaves
    if task == "classes" and (tree.labels[leaves] != tree.probabilities[leaves].argmax(axis=1)).any():
        with pytest.raises(engine.InputError, match="scikit-learn predicts the class with the largest probability"):
            engine.to_sklearn(tree)
        return
    checked = engine.check_export(tree, table, "sklearn", hard=1000, seed=seed)
    assert checked.differing.size == 0 and "scikit-learn" in checked.ran_by


def test_the_file_holds_no_more_than_is_said_to_be_trusted(tmp_path):
    table = mixed_table(3)
    tree = engine.grow(table, max_depth=4, missing="surrogate")
    engine.export(tree, tmp_path / "tree.skops")
    assert set(skops.io.get_untrusted_types(file=tmp_path / "tree.skops")) <= set(TRUSTED)
    with pytest.raises(engine.InputError, match="can carry code"):
        engine.read_tree(tmp_path / "tree.skops")


def test_a_frame_may_say_missing_as_pandas_does():
    frame = pd.DataFrame({"size": [1.0, 2.0, np.nan, 4.0] * 5, "town": ["Ulm", "Bonn", None, "Kiel"] * 5})
    frame["y"] = ["a", "b", "a", "b"] * 5
    tree = engine.grow(engine.Table.from_frame(frame, target="y"))
    made = engine.to_sklearn(tree)
    for missing in (None, np.nan):
        rows = frame.astype({"town": object})
        rows["town"] = rows["town"].where(rows["town"].notna(), missing)
        assert list(made.predict(rows)) == list(frame["y"])
    assert list(made.predict(frame)) == list(frame["y"])
    assert made[-1].get_depth() >= tree.depth and made[-1].tree_.n_node_samples[0] == 20


def test_a_deep_tree_is_one_as_well():
    tree, table = chain(300)
    assert engine.check_export(tree, table, "sklearn", hard=500).differing.size == 0


def test_what_is_too_large_is_refused():
    tree, _ = chain(4000)
    with pytest.raises(engine.InputError, match="4,000 conditions over"):
        engine.to_sklearn(tree)


# -- and in again


@effort.examples(300, 10)
@given(seed=st.integers(0, 2**32 - 1), task=st.sampled_from(["classes", "number"]), n_splits=st.integers(0, 12))
def test_a_pipeline_of_our_own_is_the_same_tree_again(seed, task, n_splits):
    table = mixed_table(seed, task).with_partition(validation=0.3)
    tree = mixed_tree(table, seed, n_splits)
    try:
        made = engine.to_sklearn(tree)
    except engine.InputError:
        return
    again = engine.from_sklearn(skops.io.loads(skops.io.dumps(made), trusted=list(TRUSTED)))
    assert engine.tree_to_text(again) == engine.tree_to_text(tree)
    rows = rows_to_check(tree, table, 500, seed)
    np.testing.assert_array_equal(leaves_of_rows(rows, again), leaves_of_rows(rows, tree))


@pytest.mark.parametrize("part", ["values", "nodes", "weights", "cuts", "levels"])
def test_one_that_was_changed_is_not_taken_for_the_tree_that_it_was(part):
    made = engine.to_sklearn(engine.grow(mixed_table(3), max_depth=3))
    steps = [step for _, step, _ in made[0].transformers_]
    if part == "values":
        made[-1].tree_.value[0, 0, 0] += 0.25
    elif part == "nodes":
        made[-1].tree_.threshold[0] += 1
    elif part == "weights":
        made[1].kw_args["b"][0, 0] += 1
    elif part == "cuts":
        next(step for step in steps if hasattr(step, "steps"))[0].kw_args["bins"][0] -= 1
    else:
        next(step for step in steps if not hasattr(step, "steps")).categories_[0][0] = "other"
    with pytest.raises(engine.InputError, match="was changed after Espalier made it"):
        engine.from_sklearn(made)


def test_a_tree_of_espalier_names_everything_itself():
    with pytest.raises(engine.InputError, match="names its target, features and classes itself"):
        engine.from_sklearn(engine.to_sklearn(engine.grow(mixed_table(3), max_depth=2)), target="y")


# -- pipelines of others

TOWNS = ["Ulm", "Bonn", "O'Hara", None]


def people(n=300, seed=0):
    """Numbers, levels and truth values; of numbers and levels some are missing."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "age": np.where(random.random(n) < 0.1, np.nan, random.normal(40, 9, n)),
        "town": pd.Series(random.choice(np.array(TOWNS, dtype=object), n, p=[0.4, 0.3, 0.1, 0.2]), dtype=object),
        "sort": pd.Series(random.choice(list("abcdefg"), n, p=[0.4, 0.3, 0.2, 0.04, 0.03, 0.02, 0.01]), dtype=object),
        "wet": random.random(n) < 0.5, "size": random.normal(size=n),
    })  # fmt: skip
    y = (frame["age"].fillna(45) > 41) ^ (frame["town"] == "Ulm") ^ frame["sort"].isin(["b", "d"]) ^ frame["wet"]
    return frame, np.where(y, "yes", "no")


def nasty_people(model):
    """What a pipeline may be asked: each threshold of numbers and the floats beside, levels it never saw."""
    random, n = np.random.default_rng(1), 3000
    cuts = model[-1].tree_.threshold.astype(float)
    near = [cuts, np.nextafter(cuts, 99), np.nextafter(cuts, -99), np.float32(cuts), [np.nan, 1e30, -1e30]]
    near = np.clip(np.concatenate(near), -1e30, 1e30)
    frame = people(n, 2)[0]
    for name in ("age", "size"):
        frame[name] = np.where(random.random(n) < 0.7, random.choice(near, n), frame[name])
    frame.loc[frame["size"].isna(), "size"] = 0.0
    for name, level in (("town", "'); --"), ("town", ""), ("sort", "z"), ("sort", "a ")):
        frame.loc[random.random(n) < 0.1, name] = level
    return frame


def encoder(handle_unknown="ignore", **options):
    return OneHotEncoder(handle_unknown=handle_unknown, **options)


ORDINAL = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
PIPELINES = {
    "ordinal": [ORDINAL, ["town", "sort"]],
    "ordinal, missing has a code": [clone(ORDINAL).set_params(encoded_missing_value=7), ["sort", "town"]],
    "ordinal, rare ones together": [clone(ORDINAL).set_params(min_frequency=15), ["sort", "town"]],
    "one-hot": [encoder(), ["town", "sort", "wet"]],
    "one-hot, by place": [encoder(sparse_output=False), [1, 2]],
    "one-hot, first dropped": [encoder(drop="first"), ["town", "wet", "sort"]],
    "one-hot, rare ones together": [encoder("infrequent_if_exist", min_frequency=15), ["sort", "town"]],
    "both": [encoder("infrequent_if_exist", max_categories=3, drop="first"), ["sort", "town"]],
    "by selector": [encoder(), make_column_selector("town|sort")],
    "by slice": [encoder(), slice("town", "sort")],
    "by mask": [encoder(), [False, True, True, False, False]],
    "imputed levels": [make_pipeline(SimpleImputer(strategy="most_frequent", missing_values=None), encoder()),
                       ["town", "sort"]],
    "missing is a level": [make_pipeline(
        SimpleImputer(strategy="constant", fill_value="?", missing_values=None), ORDINAL), ["town", "sort"]],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:Found unknown categories")
@pytest.mark.parametrize(
    ("name", "remainder", "task"),
    effort.pairs(PIPELINES, ["passthrough", "drop", SimpleImputer(strategy="median")], ["classes", "number"]),
    ids=str,
)
def test_a_pipeline_is_a_tree_of_the_columns_that_it_is_given(name, remainder, task):
    frame, y = people()
    tree = DecisionTreeClassifier(max_depth=9, random_state=0)
    if task == "number":
        tree, y = DecisionTreeRegressor(max_depth=9, random_state=0), np.where(y == "yes", 1.5, 0.0) + frame["wet"]
    first, columns = PIPELINES[name]
    steps = [("levels", clone(first), columns), ("none", "drop", [])]
    model = make_pipeline(ColumnTransformer(steps, remainder=remainder), "passthrough", tree).fit(frame, y)
    found = engine.from_sklearn(model, target="y")
    np.testing.assert_array_equal(found.rows_train[found.n_branches > 0], counts_in_preorder(tree.tree_, inner=True))
    np.testing.assert_array_equal(found.rows_train[found.n_branches == 0], counts_in_preorder(tree.tree_, inner=False))
    rows = nasty_people(model)
    if task == "classes":
        assert {column.name: column.kind for column in found.columns}["town"] == "nominal"
        np.testing.assert_allclose(found.predict_proba(rows), model.predict_proba(rows), atol=1e-12)
    else:
        np.testing.assert_allclose(found.predict(rows), model.predict(rows), atol=1e-12)


def counts_in_preorder(inner_tree, inner):
    """The rows of the nodes of a tree of scikit-learn, which stand in preorder there, too."""
    return inner_tree.n_node_samples[(inner_tree.children_left >= 0) == inner]


def test_a_tree_behind_encoders_can_be_counted_and_taken_away_again():
    frame, y = people()
    model = make_pipeline(ColumnTransformer([("l", ORDINAL, ["town", "sort"])], remainder="passthrough"),
                          DecisionTreeClassifier(max_depth=6, random_state=0)).fit(frame, y)  # fmt: skip
    table = engine.Table.from_frame(frame.assign(y=y), target="y")
    tree = engine.from_sklearn(model, target="y", features=list(frame))
    assert tree.classes == ("no", "yes") and tree.kinds["wet"] == "number"
    fitted, _ = engine.formats.foreign.fitted(tree, table)
    counted = fitted.with_counts(table)
    assert counted.rows_train.tolist() == tree.rows_train.tolist()
    assert not engine.check_export(counted, table, "python").differing.size


@pytest.mark.parametrize(("steps", "fault"), [
    ([StandardScaler()], "splits of the columns cannot say what its StandardScaler does: take over trees behind"),
    ([FunctionTransformer(np.log1p)], "cannot say what its FunctionTransformer does"),
    ([SimpleImputer(add_indicator=True)], "its SimpleImputer adds columns"),
    ([SimpleImputer(), SimpleImputer(missing_values=1.0)], "its SimpleImputer fills in what is no missing value"),
    ([OrdinalEncoder()], "its OrdinalEncoder encodes what is neither texts nor truth values"),
    ([ColumnTransformer([("a", "passthrough", ["a", "b"])], transformer_weights={"a": 2.0})], "has weights"),
])  # fmt: skip
def test_a_step_that_splits_of_the_columns_cannot_say_is_refused(steps, fault):
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4] * 5, "b": [0.0, 1.0, 2.0, np.nan] * 5})
    model = make_pipeline(*steps, DecisionTreeClassifier()).fit(frame, [0, 1] * 10)
    with pytest.raises(engine.InputError, match=fault):
        engine.from_sklearn(model)


def test_a_column_is_asked_for_numbers_or_for_categories():
    frame = pd.DataFrame({"wet": [True, False, True, False] * 5, "b": np.arange(20.0)})
    steps = [("o", OneHotEncoder(), ["wet"]), ("p", "passthrough", ["wet", "b"])]
    model = make_pipeline(ColumnTransformer(steps), DecisionTreeClassifier())
    model.fit(frame, frame["wet"] ^ (frame["b"] > 9))
    model[-1].tree_.feature[model[-1].tree_.feature >= 0] = 2
    with pytest.raises(engine.InputError, match="asks “wet” for numbers and for categories"):
        engine.from_sklearn(model)
