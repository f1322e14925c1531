"""Assessment: the figures of each part against scikit-learn's and scipy's."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from sklearn import metrics

from engine.assessment import assess
from engine.assessment.intervals import wilson
from engine.growing import grow
from engine.runtime.errors import InputError
from engine.splits import Split
from engine.table.table import Table
from engine.tree.assignment import assign
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree

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


@pytest.mark.parametrize("seed", range(8))
def test_rows_that_are_all_alike_have_no_r2(seed):
    """Their mean is a rounding away from them where they are weighed."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": range(20), "y": random.normal(10, 3, 20).round(2), "w": random.integers(1, 5, 20)})
    frame["part"] = ["train"] * 10 + ["validation"] * 10
    frame.loc[10:, "y"] = frame.y[10]
    table = Table.from_frame(frame, target="y", weights="w").with_partition(column="part")
    assert np.isnan(assess(table, Tree.root(table)).r2)


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


# -- by the leaf rule: losses and probabilities


def ruled(weights):
    """Like `planted`, with smoothed leaves and dear mistakes; every class stands in every part."""
    table, frame, tree = planted(weights=weights)
    rule = LeafRule(smoothing="laplace", priors=(("h", 3.0), ("l", 1.0)), costs=(("h", "l", 9.0), ("m", "l", 0.5)))
    return table, frame, replace(tree, leaf_rule=rule)


@pytest.mark.parametrize("smoothing", ["none", "laplace"])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("weights", [None, "w"])
def test_probabilities_are_judged_like_scikit_learn_does(part, weights, smoothing):
    table, frame, tree = ruled(weights)
    tree = replace(tree, leaf_rule=replace(tree.leaf_rule, smoothing=smoothing))
    rows = table.rows(PARTS[part])
    truth, said = frame.t[rows], tree.predict_proba(frame.iloc[rows])
    w = frame.w[rows] if weights else None
    fit = assess(table, tree, part)
    expected = metrics.log_loss(truth, np.clip(said, 1e-15, 1), sample_weight=w, labels=list(tree.classes))
    assert fit.log_loss == pytest.approx(expected, rel=1e-9)
    hit = (truth.to_numpy()[:, None] == np.array(tree.classes)).astype(float)
    assert fit.brier == pytest.approx(np.average(((said - hit) ** 2).sum(axis=1), weights=w), rel=1e-12)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("weights", [None, "w"])
def test_the_loss_is_the_mean_of_what_mistakes_cost(part, weights):
    table, frame, tree = ruled(weights)
    rows = table.rows(PARTS[part])
    truth, guess = frame.t[rows], tree.predict(frame.iloc[rows])
    root = dict(zip(tree.classes, tree.train[0] / tree.train[0].sum(), strict=True))
    prior = {"h": 3.0, "l": 1.0, "m": root["m"]}
    prices = {("h", "l"): 9.0, ("m", "l"): 0.5}
    cost = [0.0 if t == g else prices.get((t, g), 1.0) for t, g in zip(truth, guess, strict=True)]
    counts = np.array([prior[t] / root[t] for t in truth]) * (frame.w[rows] if weights else 1.0)
    fit = assess(table, tree, part)
    assert fit.loss == pytest.approx(np.average(cost, weights=counts), rel=1e-12)
    if part != "test":
        assert fit.loss == pytest.approx(tree.loss(part), rel=1e-12)
    assert assess(table, replace(tree, leaf_rule=LeafRule()), part).loss == pytest.approx(
        1
        - metrics.accuracy_score(
            truth,
            replace(tree, leaf_rule=LeafRule()).predict(frame.iloc[rows]),
            sample_weight=frame.w[rows] if weights else None,
        )
    )


@pytest.mark.parametrize("part", PARTS)
def test_labels_that_are_drawn_err_as_often_as_the_shares_say(part):
    table, frame, tree = planted(weights="w")
    rows = table.rows(PARTS[part])
    shares = tree.predict_proba(frame.iloc[rows])  # no smoothing: the shares among the training rows
    true = np.array([tree.classes.index(t) for t in frame.t[rows]])
    expected = np.average(1 - shares[np.arange(len(rows)), true], weights=frame.w[rows])
    fit = assess(table, tree, part)
    assert fit.stochastic_error == pytest.approx(expected, rel=1e-12)
    if part == "train":
        gini = tree.stochastic_error("train")[tree.leaves] @ tree.weight()[tree.leaves] / tree.weight()[0]
        assert fit.stochastic_error == pytest.approx(gini)
    smooth = replace(tree, leaf_rule=LeafRule(smoothing="laplace"))
    assert assess(table, smooth, part).stochastic_error == fit.stochastic_error


def test_a_class_that_the_tree_never_saw_is_a_mistake_of_cost_one():
    _, frame, tree = ruled(None)
    frame = frame.assign(t=frame.t.where(frame.t != "m", "new"))
    other = Table.from_frame(frame[frame.t.notna()], target="t")
    fit = assess(other, tree, "train")
    assert "new" in fit.classes and fit.classes[:3] == tree.classes
    said = tree.predict_proba(frame[frame.t.notna()])
    hit = other.y[:, None] == np.array([other.classes.index(c) if c in other.classes else -9 for c in tree.classes])
    assert fit.brier == pytest.approx(np.mean(((said - hit) ** 2).sum(axis=1) + ~hit.any(axis=1)))
    assert np.isfinite(fit.log_loss) and fit.log_loss > 5  # a third of the rows pays −ln 10⁻¹⁵


def test_a_number_has_none_of_these():
    table, _, tree = planted("number")
    fit = assess(table, tree, "train")
    assert np.isnan([fit.loss, fit.log_loss, fit.brier, fit.stochastic_error]).all()


@pytest.mark.parametrize("weight", [1e300, 1e-300, 5e-324, 1.5e308, 1.1e100, 0.9e-100])
@pytest.mark.parametrize("others", [0.0, 1.0])
def test_weights_whose_squares_are_no_numbers_are_refused(weight, others):
    frame = pd.DataFrame({"x": range(8), "y": list("aabbabab"), "w": [weight] * 4 + [others] * 4})
    with pytest.raises(InputError, match=r"“w” holds the weight .*0 or from 1e-100 to 1e100: multiply or divide"):
        Table.from_frame(frame, target="y", weights="w")


@pytest.mark.parametrize("weight", [1e100, 1e-100])
@pytest.mark.parametrize("target", [list("aabbabab"), [3.0, 1, 4, 1, 5, 9, 2, 6]])
def test_by_the_most_extreme_weights_all_figures_are_as_by_equal_ones(weight, target):
    frame = pd.DataFrame({"x": [1, 2, 3, 4] * 2, "y": target, "w": [weight] * 8})
    plain, heavy = (
        Table.from_frame(frame, target="y", weights=w, roles={"w": "ignore"} if not w else {}) for w in (None, "w")
    )
    trees = [grow(table, max_depth=2) for table in (plain, heavy)]
    fits = [assess(table, tree, "train") for table, tree in zip((plain, heavy), trees, strict=True)]
    for name in ("error", "accuracy", "mse", "mae", "r2", "log_loss", "brier", "stochastic_error", "loss"):
        assert getattr(fits[1], name) == pytest.approx(getattr(fits[0], name), nan_ok=True, rel=1e-9)


def test_weights_and_a_target_whose_squares_add_up_to_infinity_are_refused():
    frame = pd.DataFrame({"x": range(6), "y": [1e100, 2e100, 0, 1, 0.5, 1], "w": [1e99] * 6})
    with pytest.raises(InputError, match=r"with weights up to 1e.99, add up to infinity: divide the weights"):
        Table.from_frame(frame, target="y", weights="w")


def test_validation_rows_do_not_judge_the_probabilities_that_come_from_them():
    frame = pd.DataFrame({"x": np.arange(90.0), "t": list("aab") * 30})
    table = Table.from_frame(frame, target="t").with_partition(validation=0.3, test=0.3)
    counted = grow(table, max_depth=2)
    honest = counted.with_leaf_rule(table, LeafRule(smoothing="honest"))
    fit = assess(table, honest, "validation")
    assert np.isnan(fit.log_loss) and np.isnan(fit.brier)
    assert fit.error == assess(table, counted, "validation").error
    assert np.isfinite(assess(table, honest, "test").log_loss)
