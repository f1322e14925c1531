"""The format "sklearn": a fitted pipeline, saved by skops, which answers as the tree does."""

import numpy as np
import pandas as pd
import pytest
import skops.io
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.formats.skops import TRUSTED
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
