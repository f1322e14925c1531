"""missing="branch": rows without the value get a branch of their own, wherever training rows of the node lack it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from tests import naive, naive_losses
from tests.effort import examples
from tests.frames import frames, table_of


def apart(stats, rows, miss_stat, criterion, side, min_leaf):
    """The gain of the branches (left, right, missing) of runs on sides 0 and 1; None if `min_leaf` forbids them."""
    parts, counts = naive.two_branches(stats, rows, side)
    return naive.gain(criterion, [*parts, miss_stat]) if naive.allowed(counts, min_leaf) else None


@examples(80)
@given(frames(rows=(5, 30)), st.sampled_from(["gini", "entropy", "error"]), st.integers(1, 3))
def test_the_best_split_has_the_missing_rows_in_its_denominator(frame, criterion, min_leaf):
    table = table_of(frame)
    criterion = criterion if table.task == "classes" else "squared_error"
    rows = table.rows(engine.TRAIN)
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    found = engine.candidates(
        table, engine.Tree.root(table), missing="branch", min_leaf=min_leaf, criterion=criterion
    )  # fmt: skip
    for candidate in found:
        column = table.column(candidate.column)
        codes = column.codes[rows].astype(int)
        lacking = int((codes == 0).sum())
        n_classes = len(table.classes) or None
        counted = naive.tally(codes, table.y[rows].tolist(), [0] * rows.size, weights.tolist(), n_classes)
        runs = sorted(code for _, code in counted if code)
        stats, counts = [counted[0, run][0] for run in runs], [counted[0, run][1] for run in runs]
        sides = [[0] * k + [1] * (len(runs) - k) for k in range(1, len(runs))]
        if not column.is_numeric:
            sides = [[mask >> i & 1 for i in range(len(runs))] for mask in range(1, 2 ** len(runs) - 1)]
        gains = []
        if lacking >= min_leaf and lacking:
            gains = [apart(stats, counts, counted[0, 0][0], criterion, side, min_leaf) for side in sides]
            gains = [gain for gain in gains if gain is not None]
        if gains:
            split = candidate.split
            assert candidate.gain == pytest.approx(float(max(gains)), abs=1e-9)
            assert (split.n_branches, split.missing) == (3, 2)
            assert candidate.rows[2] == lacking
            assert engine.splits.branch_words(split, 2, column.kind) == "missing"
        elif candidate.split is not None:
            assert candidate.split.n_branches == 2  # as with missing="direction"


def table_with_gaps(n=400):
    random = np.random.default_rng(2)
    frame = pd.DataFrame({"x": random.random(n), "c": random.choice(list("pqr"), n), "z": random.random(n)})
    lacking = random.random(n) < 0.3
    frame["y"] = np.where(lacking, "none", np.where(frame.x > 0.5, "high", "low"))
    frame.loc[lacking, "x"] = np.nan
    frame.loc[random.random(n) < 0.2, "c"] = None
    return engine.Table.from_frame(frame, target="y").with_partition(validation=0.3)


def test_three_branches_where_two_levels_were_needed():
    table = table_with_gaps()
    tree = engine.grow(table, missing="branch")
    assert (tree.n_leaves, tree.depth, tree.error("validation")) == (3, 1, 0)
    assert [tree.branch_words(i)[:3] for i in tree.children(0)] == ["≤ 0", "> 0", "mis"]
    assert engine.grow(table).depth == 2
    candidate = engine.candidates(table, engine.Tree.root(table), missing="branch")[0]
    np.testing.assert_array_equal(candidate.train, tree.train[1:])
    np.testing.assert_array_equal(candidate.validation, tree.validation[1:])
    parts = table.rows(engine.TRAIN), table.rows(engine.VALIDATION)
    unseen = naive_losses.of_table(table, candidate.split, *parts, "gini")
    assert candidate.validation_gain == pytest.approx(unseen)


@pytest.mark.parametrize("nominal", ["groups", "multiway", "one_vs_rest"])
def test_levels_get_an_empty_group_for_the_missing(nominal):
    table = table_with_gaps()
    found = engine.candidates(table, engine.Tree.root(table), missing="branch", nominal=nominal)
    split = next(candidate.split for candidate in found if candidate.column == "c")
    assert split.groups[-1] == ()
    assert split.missing == len(split.groups) - 1
    assert split.n_branches == (4 if nominal == "multiway" else 3)


def test_where_no_training_row_lacks_the_value_there_is_no_such_branch():
    table = engine.Table.from_frame(pd.DataFrame({"x": range(6), "y": list("aaabbb")}), target="y")
    tree = engine.grow(table, missing="branch")
    assert tree.split_at(0) == engine.Split("x", "threshold", (2.5,), missing=0)


def test_few_missing_rows_go_with_the_others():
    frame = pd.DataFrame({"x": [1, 2, 3, 4, 5, 6, None], "y": list("aaabbbb")})
    table = engine.Table.from_frame(frame, target="y")
    assert engine.grow(table, missing="branch", min_leaf=2).split_at(0).n_branches == 2
    assert engine.grow(table, missing="branch").split_at(0).n_branches == 3


def test_present_or_missing_is_left_when_only_one_value_is_present():
    frame = pd.DataFrame({"x": [1, 1, 1, None, None], "y": list("aaabb")})
    table = engine.Table.from_frame(frame, target="y")
    for lookahead in (1, 2):
        split = engine.grow(table, missing="branch", lookahead=lookahead).split_at(0)
        assert split == engine.Split("x", "threshold", (np.inf,), missing=1)


def test_the_absolute_error_knows_it_too():
    frame = pd.DataFrame({"x": [1, 2, 3, 4, None, None], "y": [1.0, 1.0, 5.0, 5.0, 30.0, 31.0]})
    table = engine.Table.from_frame(frame, target="y", kinds={"y": "number"})
    candidate = engine.candidates(table, engine.Tree.root(table), criterion="absolute_error", missing="branch")[0]
    assert candidate.split == engine.Split("x", "threshold", (2.5,), missing=2)
    assert candidate.rows == (2, 2, 2)
    assert candidate.gain == pytest.approx((4 + 4 + 0 + 0 + 25 + 26) / 6 - 1 / 6)
