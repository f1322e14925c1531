"""Assessment: the figures of each part against scikit-learn's and scipy's."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from sklearn import metrics

from engine.assessment import assess, wilson
from engine.assignment import assign
from engine.errors import InputError
from engine.splits import Split
from engine.table import Table
from engine.tree import Tree

PARTS = {"train": 0, "validation": 1, "test": 2}


def planted(task="classes", weights=None, n=300):
    """A table with all three parts, some targets missing, and a tree of five leaves."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "w": rng.integers(0, 4, n)})
    signal = 1e6 + frame.a + (frame.b > 0) + rng.normal(size=n)
    frame["t"] = signal if task == "number" else np.array(list("lmh"))[np.digitize(signal - 1e6, [0.0, 1.0])]
    frame.loc[::29, "t"] = None
    table = Table.from_frame(frame, target="t", weights=weights).with_partition(validation=0.3, test=0.2)
    tree = Tree.root(table)
    for node, column, cut in ((0, "a", 0.1), (1, "b", -0.2), (2, "b", 0.3), (6, "a", 0.9)):
        tree = tree.split(table, node, Split(column, "threshold", (cut,)))
    return table, frame, tree


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("weights", [None, "w"])
def test_classes(part, weights):
    table, frame, tree = planted(weights=weights)
    rows = table.rows(PARTS[part])
    truth, guess = frame.t[rows], tree.predict(frame.iloc[rows])
    w = frame.w[rows] if weights else None
    fit = assess(table, tree, part)
    assert (fit.part, fit.n) == (part, len(rows))
    assert fit.weight == (len(rows) if w is None else w.sum())
    assert fit.accuracy == pytest.approx(metrics.accuracy_score(truth, guess, sample_weight=w))
    assert fit.error == pytest.approx(1 - fit.accuracy)
    expected = metrics.confusion_matrix(truth, guess, labels=list(table.classes), sample_weight=w)
    assert np.allclose(fit.confusion, expected)
    assert fit.interval[0] < fit.accuracy < fit.interval[1]
    assert np.isnan([fit.mse, fit.rmse, fit.mae, fit.r2]).all()


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("weights", [None, "w"])
def test_numbers_far_from_zero(part, weights):
    table, frame, tree = planted("number", weights)
    rows = table.rows(PARTS[part])
    truth, guess = frame.t[rows].astype(float), tree.predict(frame.iloc[rows])
    w = frame.w[rows] if weights else None
    fit = assess(table, tree, part)
    assert fit.n == len(rows)
    assert fit.mse == pytest.approx(metrics.mean_squared_error(truth, guess, sample_weight=w), rel=1e-7)
    assert fit.rmse == pytest.approx(np.sqrt(fit.mse))
    assert fit.mae == pytest.approx(metrics.mean_absolute_error(truth, guess, sample_weight=w), rel=1e-7)
    assert fit.r2 == pytest.approx(metrics.r2_score(truth, guess, sample_weight=w), rel=1e-6)
    assert fit.error == fit.mse
    assert np.isnan(fit.accuracy) and np.isnan(fit.interval).all()
    if part != "test":
        assert fit.error == pytest.approx(tree.error(part), rel=1e-9)


@pytest.mark.parametrize("task", ["classes", "number"])
def test_an_assignment_at_hand_changes_nothing(task):
    table, _, tree = planted(task)
    at = assign(table, tree)
    for part in PARTS:
        alone, given = assess(table, tree, part), assess(table, tree, part, assignment=at)
        assert alone.error == given.error
        assert np.array_equal(alone.confusion, given.confusion)


@pytest.mark.parametrize("task", ["classes", "number"])
def test_without_rows_the_figures_are_nan(task):
    table, _, tree = planted(task)
    fit = assess(table.with_partition(), tree.with_counts(table.with_partition()), "validation")
    assert (fit.n, fit.weight) == (0, 0.0)
    assert np.isnan([fit.error, fit.accuracy, *fit.interval, fit.mse, fit.rmse, fit.mae, fit.r2]).all()


@pytest.mark.parametrize(("right", "n"), [(0, 7), (3, 7), (7, 7), (412, 1000)])
def test_wilsons_interval_is_scipys(right, n):
    expected = binomtest(right, n).proportion_ci(method="wilson")
    assert wilson(right / n, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_weights_widen_the_interval():
    table, _, tree = planted(weights="w")
    fit = assess(table, tree)
    low, high = wilson(fit.accuracy, fit.weight)
    assert fit.interval[0] < low and high < fit.interval[1]


def test_an_unknown_part_names_the_parts():
    table, _, tree = planted()
    with pytest.raises(InputError, match="“holdout”; choose one of train, validation, test"):
        assess(table, tree, "holdout")
