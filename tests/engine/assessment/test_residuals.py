"""Residuals of the leaves of a tree of numbers, by rows."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import engine
from engine.splits import Split
from engine.tree.leaves import LeafRule

PARTS = {"train": 0, "validation": 1, "test": 2}


def planted(weights=None, n=300):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "w": rng.integers(0, 4, n)})
    frame["t"] = 1e6 + (frame.a + rng.normal(size=n)).round(1)  # some are tied
    table = engine.Table.from_frame(frame, target="t", roles={"w": weights or "ignore"})
    table = table.with_partition(validation=0.3, test=0.2)
    tree = engine.Tree.root(table)
    for node, column, cut in ((0, "a", 0.1), (1, "b", -0.2), (2, "b", 0.3), (6, "a", 2.6), (8, "a", 99.0)):
        tree = tree.split(table, node, Split(column, "threshold", (cut,)))
    return table, frame, tree


@pytest.mark.parametrize("node", [0, 2])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("weights", [None, "weight", "frequency"])
def test_residuals_by_leaf(part, weights, node):
    table, frame, tree = planted(weights)
    found = engine.assess(table, tree, part, node).residuals
    top = tree.position(node)
    leaves = [i for i in tree.leaves if top <= i < tree.end[top]]
    assert list(found.node) == list(tree.ids[leaves])
    leaf = tree.apply(table)
    for j, i in enumerate(leaves):
        rows = table.rows(PARTS[part])
        rows = rows[leaf[rows] == i]
        assert (found.rows[j], found.predicted[j]) == (len(rows), tree.predictions[i])
        if len(rows) == 0:
            assert np.isnan(found.quantiles[j]).all() and np.isnan(found.mean[j]) and found.weight[j] == 0
            continue
        y, w = frame.t[rows].to_numpy(), frame.w[rows].to_numpy(float) if weights else np.ones(len(rows))
        assert found.weight[j] == w.sum() and found.mean[j] == pytest.approx(np.average(y, weights=w))
        order = np.argsort(y)
        for share, quantile in zip((0.05, 0.25, 0.5, 0.75, 0.95), found.quantiles[j], strict=True):
            reached = np.cumsum(w[order]) >= share * w.sum() - 1e-9
            assert quantile == pytest.approx(y[order][reached.argmax()] - tree.predictions[i])
    assert (found.rows == 0).any()  # beyond 99


@pytest.mark.parametrize("weights", [None, "weight"])
def test_the_errors_of_a_branch_are_those_of_its_rows(weights):
    table, frame, tree = planted(weights)
    rows, top = table.rows(1), tree.position(2)
    below = tree.apply(table)[rows]
    rows = rows[(below >= top) & (below < tree.end[top])]
    w = frame.w[rows] if weights else None
    fit, guess = engine.assess(table, tree, "validation", 2), tree.predict(frame.iloc[rows])
    assert fit.n == len(rows)
    assert fit.mae == pytest.approx(metrics.mean_absolute_error(frame.t[rows], guess, sample_weight=w))
    assert fit.r2 == pytest.approx(metrics.r2_score(frame.t[rows], guess, sample_weight=w), rel=1e-6)


def test_the_squared_error_looks_at_no_row(monkeypatch):
    table, _, tree = planted()
    by_median = tree.with_leaf_rule(table, LeafRule(summary="median"))
    expected = engine.assess(table, tree).mse, engine.assess(table, by_median).mae
    monkeypatch.setattr(engine.Table, "rows", lambda *_: pytest.fail("it looks at rows"))
    assert engine.assess(table, tree).error == expected[0]
    assert engine.assess(table, by_median).error == pytest.approx(expected[1], rel=1e-12)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("weights", [None, "weight"])
def test_a_tree_of_medians_errs_as_its_rows_say(part, weights):
    table, frame, tree = planted(weights)
    tree = tree.with_leaf_rule(table, LeafRule(summary="median"))
    for one in (tree, replace(tree, counted_on="")):
        fit, rows = engine.assess(table, one, part), table.rows(PARTS[part])
        truth, guess, w = frame.t[rows], one.predict(frame.iloc[rows]), frame.w[rows] if weights else None
        assert fit.error == pytest.approx(metrics.mean_absolute_error(truth, guess, sample_weight=w), rel=1e-9)
        assert fit.mse == pytest.approx(metrics.mean_squared_error(truth, guess, sample_weight=w), rel=1e-9)


def test_classes_have_none_and_no_rows_leave_nan():
    table, frame, tree = planted()
    found = engine.assess(table.take(np.arange(50)), tree, "validation").residuals
    assert np.isnan(found.quantiles).all() and not found.rows.any() and found.quantiles.shape == (tree.n_leaves, 5)
    classes = engine.Table.from_frame(frame.assign(t=np.where(frame.t > 1e6, "high", "low")), target="t")
    assert engine.assess(classes, engine.Tree.root(classes), "train").residuals is None


@pytest.mark.parametrize("weights", [None, "weight"])
def test_quantiles_of_all_residuals_are_the_least_that_hold_the_share(weights):
    table, frame, tree = planted(weights)
    rows = table.rows(1)
    residual = frame.t[rows].to_numpy() - tree.predictions[tree.apply(table)[rows]]
    w = frame.w[rows].to_numpy(float) if weights else np.ones(len(rows))
    for share, found in zip((0.05, 0.25, 0.5, 0.75, 0.95), engine.assess(table, tree).residual_quantiles, strict=True):
        least = min(value for value in residual if w[residual <= value].sum() >= share * w.sum() - 1e-9)
        assert found == pytest.approx(least)
