"""The gain curves of the criteria that no tally of a numeric target tells: absolute error and the binned ones."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.search.absolute import branches_gain
from engine.table.partition import TRAIN, VALIDATION
from tests import naive_losses
from tests.effort import examples


def table_of(seed: int, n: int, lacking: bool, weighted: bool) -> engine.Table:
    """A few rows with ties, some of them validating."""
    random = np.random.default_rng(seed)
    x = random.integers(0, 6, n).astype(float)
    frame = pd.DataFrame({"x": np.where(random.random(n) < 0.2 * lacking, np.nan, x), "y": random.integers(0, 9, n)})
    frame["w"] = random.integers(1, 4, n)
    frame["part"] = np.where(random.random(n) < 0.3, "validation", "train")
    frame.loc[0, "part"] = "train"
    frame["y"] = frame["y"] * 1.37 + 0.25
    table = engine.Table.from_frame(frame, target="y", weights="w" if weighted else None, roles={"part": "ignore"})
    return table.with_partition(column="part")


def gain_of_cut(table, curve, threshold, part, criterion):
    """The same from the rows, one cut at a time; None without rows."""
    rows = np.flatnonzero(table.part == part)
    x, y = table.column("x").numbers[rows], table.y[rows]
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    branch = np.where(np.isnan(x), curve.missing, x > threshold).astype(int)
    if not rows.size:
        return None
    if criterion == "absolute_error":
        return branches_gain(y, weights, branch, 2)
    labels = table.binned(3).y[rows]

    def gini(inside):
        shares = np.bincount(labels[inside], weights[inside]) / weights[inside].sum()
        return weights[inside].sum() / weights.sum() * (1 - float(shares @ shares))

    whole = gini(np.full(rows.size, True))
    return whole - sum(gini(branch == b) for b in (0, 1) if (branch == b).any())


@pytest.mark.parametrize("criterion", ["absolute_error", "binned_gini"])
@examples(60)
@given(
    seed=st.integers(0, 10_000), n=st.integers(4, 24), lacking=st.booleans(), weighted=st.booleans(),
    min_leaf=st.integers(1, 3),
)  # fmt: skip
def test_every_cut_gains_what_its_rows_say(criterion, seed, n, lacking, weighted, min_leaf):
    table = table_of(seed, n, lacking, weighted)
    if np.unique(table.y[table.part == TRAIN]).size < 2:
        return
    tree = engine.Tree.root(table)
    curve = engine.gain_curve(table, tree, 0, "x", criterion=criterion, bins=3, min_leaf=min_leaf)
    assert curve.gains.size == curve.validation_gains.size == curve.cuts.size
    for i, threshold in enumerate(curve.cuts):
        if np.isfinite(curve.gains[i]):
            assert curve.gains[i] == pytest.approx(gain_of_cut(table, curve, threshold, TRAIN, criterion), abs=1e-9)
        split = engine.Split("x", "threshold", (threshold,), missing=curve.missing)
        parts = np.flatnonzero(table.part == TRAIN), np.flatnonzero(table.part == VALIDATION)
        seen = naive_losses.of_table(table, split, *parts, criterion)
        if seen is None:
            assert np.isnan(curve.validation_gains[i])
        else:
            assert curve.validation_gains[i] == pytest.approx(seen, abs=1e-9)
    found = engine.candidates(table, tree, 0, criterion=criterion, bins=3, min_leaf=min_leaf)
    best = next(candidate for candidate in found if candidate.column == "x")
    if best.split is not None and np.isfinite(best.split.thresholds[0]):
        assert np.nanmax(curve.gains) == pytest.approx(best.gain, abs=1e-9)
        assert curve.gains[curve.best] == pytest.approx(best.gain, abs=1e-9)


@pytest.mark.parametrize("criterion", ["absolute_error", "squared_error"])
def test_missing_rows_take_the_side_of_the_best_single_cut_whatever_way_is_searched(criterion):
    """The curve is of single cuts, so buckets change nothing of it."""
    x = [1.0, 2, 3, 4, 5, 6, np.nan, np.nan]
    frame = pd.DataFrame({"x": x, "y": [0.25, 0.5, 0, 9, 9.5, 9, 9, 9]})
    table = engine.Table.from_frame(frame, target="y")
    found = [
        engine.gain_curve(table, engine.Tree.root(table), 0, "x", criterion=criterion, numeric=numeric, buckets=3)
        for numeric in ("cuts", "bucket_branches")
    ]
    assert found[0].missing == found[1].missing == 1
    np.testing.assert_array_equal(found[0].gains, found[1].gains)
