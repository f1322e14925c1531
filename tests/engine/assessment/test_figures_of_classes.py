"""What a fit says of classes when it is asked: against scikit-learn's metrics by rows, and against the papers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import engine
from engine.assessment.confusion import Confusion
from engine.assessment.intervals import Z_95, wilson, wilson_of
from engine.assessment.roc import mean_auc_error, ranking
from engine.splits import Split
from engine.tree.leaves import LeafRule
from tests import naive_assessment as naive
from tests.effort import crossed, examples

PARTS = {"train": 0, "validation": 1, "test": 2}
WEIGHTS = [None, "weight", "frequency"]


def planted(weights=None, classes="lmh", n=400, seed=5):
    """A table with all three parts, some targets missing, and a tree of six leaves."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "w": rng.integers(0, 4, n)})
    ends = np.linspace(-0.6, 0.9, len(classes) - 1)
    frame["t"] = np.array(list(classes))[np.digitize(frame.a + (frame.b > 0) + rng.normal(size=n) - 0.5, ends)]
    frame.loc[::29, "t"] = None
    roles = {"w": weights or "ignore"}
    table = engine.Table.from_frame(frame, target="t", roles=roles).with_partition(validation=0.3, test=0.2)
    tree = engine.Tree.root(table)
    for node, column, cut in ((0, "a", 0.1), (1, "b", -0.2), (2, "b", 0.3), (6, "a", 0.9), (4, "a", -0.5)):
        tree = tree.split(table, node, Split(column, "threshold", (cut,)))
    return table, frame, tree


def by_rows(table, frame, tree, part, weights, node=0):
    """(truth, prediction, float[n, K] probabilities rounded as ties are, weights) of the rows below a node."""
    rows = table.rows(PARTS[part])
    top = tree.position(node)
    below = tree.apply(table)[rows]
    rows = rows[(below >= top) & (below < tree.end[top])]
    some = frame.iloc[rows]
    w = some.w.to_numpy(float) if weights else np.ones(len(rows))
    return some.t.to_numpy(), tree.predict(some), tree.predict_proba(some).round(12), w


@pytest.mark.parametrize("node", [0, 2])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_figures_of_the_confusion_are_scikit_learns(part, weights, node):
    table, frame, tree = planted(weights)
    truth, guess, _, w = by_rows(table, frame, tree, part, weights, node)
    fit = engine.assess(table, tree, part, node)
    assert fit.n == len(truth) and fit.weight == w.sum()
    expected = metrics.confusion_matrix(truth, guess, labels=list(table.classes), sample_weight=w)
    assert np.allclose(fit.confusion, expected)
    assert fit.balanced_accuracy.value == pytest.approx(
        metrics.balanced_accuracy_score(truth, guess, sample_weight=w), rel=1e-12
    )
    assert fit.kappa.value == pytest.approx(metrics.cohen_kappa_score(truth, guess, sample_weight=w), rel=1e-9)
    correlated = metrics.matthews_corrcoef(truth, guess, sample_weight=w) if len(set(guess)) > 1 else np.nan
    assert fit.matthews.value == pytest.approx(correlated, rel=1e-9, nan_ok=True)
    found = metrics.precision_recall_fscore_support(
        truth, guess, labels=list(table.classes), sample_weight=w, zero_division=np.nan
    )
    for name, figures in zip(("precision", "recall", "f1"), found, strict=False):
        assert np.allclose(getattr(fit, name)[:, 0], figures, equal_nan=True), name
    assert fit.classes == table.classes


@pytest.mark.parametrize("weights", WEIGHTS)
def test_shares_have_wilsons_interval_of_as_many_rows_as_stand_behind_them(weights):
    table, frame, tree = planted(weights)
    truth, guess, _, w = by_rows(table, frame, tree, "validation", weights)
    fit = engine.assess(table, tree)

    def rows(which):
        return (w[which].sum() ** 2 / (w[which] @ w[which])) if weights == "weight" else w[which].sum()

    assert fit.interval == pytest.approx(wilson(fit.accuracy, rows(w > 0)), rel=1e-12)
    for k, label in enumerate(table.classes):
        for figure, among in ((fit.recall, truth == label), (fit.precision, guess == label)):
            value, *interval = figure[k]
            assert interval == pytest.approx(wilson(value, rows(among)), rel=1e-12)
        either = (truth == label) | (guess == label)
        share = np.average((truth == guess)[either], weights=w[either])
        low, high = wilson(share, rows(either))
        expected = [2 * share / (1 + share), 2 * low / (1 + low), 2 * high / (1 + high)]
        assert list(fit.f1[k]) == pytest.approx(expected, rel=1e-12)


def test_many_wilson_intervals_are_those_of_each():
    share, n = np.array([0.0, 0.3, 1.0, np.nan, 0.412]), np.array([7.0, 10.0, 7.0, 0.0, 1000.5])
    for found, one, rows in zip(wilson_of(share, n), share, n, strict=True):
        assert tuple(found) == pytest.approx(wilson(one, rows), nan_ok=True)


def agreement(shares):
    expected = shares.sum(axis=1) @ shares.sum(axis=0)
    return (np.trace(shares) - expected) / (1 - expected)


def correlation(shares):
    """Of the indicators of the true and of the predicted class (Gorodkin 2004)."""
    k = len(shares)
    true, predicted = np.divmod(np.arange(k * k), k)
    x, y, w = np.eye(k)[true], np.eye(k)[predicted], shares.ravel()
    x, y = x - w @ x, y - w @ y
    return (w @ (x * y).sum(axis=1)) / np.sqrt((w @ (x**2).sum(axis=1)) * (w @ (y**2).sum(axis=1)))


FIGURES = {
    "kappa": agreement,
    "matthews": correlation,
    "balanced_accuracy": lambda shares: (np.diag(shares) / shares.sum(axis=1)).mean(),
}


@examples(25)
@given(st.integers(2, 4).flatmap(lambda k: st.lists(st.integers(1, 60), min_size=k * k, max_size=k * k)))
def test_the_errors_are_those_of_the_delta_method(cells):
    counts = np.array(cells, float).reshape(round(len(cells) ** 0.5), -1)
    for name, figure in FIGURES.items():
        value, low, high = getattr(Confusion(counts, counts), name)
        assert value == pytest.approx(figure(counts / counts.sum()), abs=1e-12)
        reach = Z_95 * naive.multinomial_error(figure, counts)
        lowest = 0.0 if name == "balanced_accuracy" else -1.0
        assert (low, high) == pytest.approx((max(lowest, value - reach), min(1.0, value + reach)), abs=1e-6)


def test_the_balanced_accuracy_is_of_the_classes_that_have_rows():
    counts = np.array([[30.0, 10, 5], [0, 0, 0], [4, 8, 21]])

    def figure(shares):
        return (np.diag(shares)[[0, 2]] / shares.sum(axis=1)[[0, 2]]).mean()

    value, low, high = Confusion(counts, counts).balanced_accuracy
    reach = Z_95 * naive.multinomial_error(figure, counts)
    assert (value, low, high) == pytest.approx((figure(counts), value - reach, value + reach), abs=1e-6)


def test_kappa_of_two_raters_has_the_error_of_the_textbook():
    """Fleiss, Levin and Paik, "Statistical methods for rates and proportions", 3rd edition, table 18.1: 100 subjects,
    κ = 0.676, standard error 0.088."""
    counts = np.array([[75.0, 1, 4], [5, 4, 1], [0, 0, 10]])
    value, low, high = Confusion(counts, counts).kappa
    assert value == pytest.approx(0.676, abs=5e-4)
    assert (high - low) / 2 / Z_95 == pytest.approx(0.088, abs=5e-4)


def test_sampling_weights_that_are_equal_change_no_interval_and_unequal_ones_widen():
    counts = np.array([[30.0, 10], [5, 40]])
    plain, twice = Confusion(counts, counts), Confusion(2 * counts, 4 * counts)
    wide = Confusion(2 * counts, 8 * counts)  # as of half of the rows
    for name in FIGURES:
        one = getattr(plain, name)
        assert getattr(twice, name) == pytest.approx(one)
        assert getattr(wide, name).high - one.value == pytest.approx((one.high - one.value) * 2**0.5)


# -- curves


@pytest.mark.parametrize("smoothing", ["none", "laplace"])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_curves_are_scikit_learns(part, weights, smoothing):
    table, frame, tree = planted(weights)
    tree = replace(tree, leaf_rule=LeafRule(smoothing=smoothing))
    truth, _, said, w = by_rows(table, frame, tree, part, weights)
    fit = engine.assess(table, tree, part)
    for k, label in enumerate(table.classes):
        is_class, found = truth == label, fit.ranking(label)
        expected = metrics.roc_curve(is_class, said[:, k], sample_weight=w, drop_intermediate=False)
        for array, other in zip((found.false_positive_rate, found.recall, found.threshold), expected, strict=True):
            assert np.allclose(array, other)
        precision, recall, threshold = metrics.precision_recall_curve(is_class, said[:, k], sample_weight=w)
        assert np.allclose(found.precision, precision[::-1]) and np.allclose(found.recall, recall[::-1])
        assert np.allclose(found.threshold[1:], threshold[::-1])
        assert found.auc == pytest.approx(metrics.roc_auc_score(is_class, said[:, k], sample_weight=w), rel=1e-12)
        expected = metrics.average_precision_score(is_class, said[:, k], sample_weight=w)
        assert found.average_precision == pytest.approx(expected, rel=1e-12)
        lift = found.precision[1:] / np.average(is_class, weights=w)
        assert np.allclose(found.lift[1:], lift) and np.isnan(found.lift[0])
        called = [w[said[:, k] >= cut - 1e-9].sum() / w.sum() for cut in found.threshold]
        assert np.allclose(found.depth, called)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_standard_error_of_the_area_is_delongs(weights):
    table, frame, tree = planted(weights)
    truth, _, said, w = by_rows(table, frame, tree, "validation", weights)
    fit = engine.assess(table, tree)
    for k, label in enumerate(table.classes):
        found, is_class = fit.ranking(label), truth == label
        if weights == "weight":
            expected = naive.weighted_delong(said[:, k], is_class, w)
        else:  # a frequency stands for so many rows
            times = w.astype(int)
            expected = naive.delong(said[:, k].repeat(times), is_class.repeat(times))
        assert (found.auc, found.auc_error) == pytest.approx(expected, rel=1e-9)
        reach = Z_95 * found.auc_error
        assert found.auc_interval == pytest.approx((found.auc - reach, min(1.0, found.auc + reach)))


@examples(30)
@given(st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers(0, 3)), min_size=1, max_size=40))
def test_any_leaves_rank_as_their_rows_do(rows):
    """A leaf of its own for every (score, leaf): several leaves have the same score, others have no rows."""
    frame = pd.DataFrame(rows, columns=["score", "hit", "leaf"])
    leaf = frame.score * 4 + frame.leaf
    hits, weight = np.bincount(leaf, frame.hit, 24), np.bincount(leaf, minlength=24).astype(float)
    n_of, n_other = frame.hit.sum(), (~frame.hit).sum()
    found = ranking("x", np.arange(24) // 4 / 5 * 0.3, hits, weight, (n_of, n_other))
    assert found.threshold.size == frame.score.nunique() + 1
    assert (found.rows_of, found.rows_other) == (n_of, n_other)
    if n_of > 1 and n_other > 1:
        expected = naive.delong(frame.score.to_numpy() * 0.3, frame.hit.to_numpy())
        assert (found.auc, found.auc_error) == pytest.approx(expected, abs=1e-12)
    else:
        assert np.isnan(found.auc_error) and np.isnan(found.auc_interval).all()
        assert np.isnan(found.auc) == (n_of == 0 or n_other == 0)
    shares = found.by_percentile(7)
    assert shares.gains[-1] == pytest.approx(1.0) if n_of else np.isnan(shares.gains).all()
    assert shares.response.mean() == pytest.approx(n_of / len(frame))


def test_percentiles_take_of_tied_rows_what_these_have_on_average():
    """Twenty rows in three leaves: 4 of 5, 3 of 5 and 1 of 10; quarters end within no leaf, fifths do."""
    weight, hits = np.array([10.0, 5, 5]), np.array([1.0, 4, 3])
    found = ranking("x", np.array([0.1, 0.8, 0.6]), hits, weight, (8.0, 12.0))
    quarters = found.by_percentile(4)
    assert list(quarters.depth) == [0.25, 0.5, 0.75, 1]
    assert np.allclose(quarters.response, [0.8, 0.6, 0.1, 0.1])
    assert np.allclose(quarters.threshold, [0.8, 0.6, 0.1, 0.1])
    assert np.allclose(quarters.gains, [4 / 8, 7 / 8, 7.5 / 8, 1])
    assert np.allclose(quarters.lift, [2, 1.5, 0.25, 0.25])
    assert np.allclose(quarters.cumulative_lift, [2, 1.75, 1.25, 1])
    fifths = found.by_percentile(5)
    assert np.allclose(fifths.response, [0.8, (0.8 + 3 * 0.6) / 4, (2 * 0.6 + 2 * 0.1) / 4, 0.1, 0.1])


def test_the_area_of_several_classes_is_the_mean_of_each_against_the_rest():
    table, frame, tree = planted()
    truth, _, said, _ = by_rows(table, frame, tree, "test", None)
    expected = metrics.roc_auc_score(truth, said, multi_class="ovr", average="macro", labels=list(table.classes))
    assert engine.assess(table, tree, "test").auc == pytest.approx(expected, rel=1e-12)
    table, _, tree = planted(classes="lh")
    fit = engine.assess(table, tree)
    assert fit.auc == pytest.approx(fit.ranking("l").auc) == pytest.approx(fit.ranking("h").auc)


@pytest.mark.parametrize(("weights", "classes"), crossed(WEIGHTS, ["lh", "lmh"]))
def test_the_error_of_the_mean_area_is_that_of_the_jackknife(classes, weights):
    """Of two classes it is DeLong's; of several the infinitesimal jackknife over rows is another way to the same."""
    table, frame, tree = planted(weights, classes)
    fit = engine.assess(table, tree, "test")
    if len(classes) == 2:
        assert fit.auc_error == pytest.approx(fit.ranking("l").auc_error, rel=1e-9)
    truth, _, said, w = by_rows(table, frame, tree, "test", weights)

    def area(w):
        one = [
            metrics.roc_auc_score(truth == name, said[:, k], sample_weight=w) for k, name in enumerate(table.classes)
        ]
        return np.mean(one)

    h, slopes = 1e-4, []
    for i in range(len(truth)):
        up, down = w.copy(), w.copy()
        up[i], down[i] = up[i] + h, max(down[i] - h, 0.0)
        slopes.append((area(up) - area(down)) / (up[i] - down[i]))
    counted = w if weights == "frequency" else w**2
    assert fit.auc_error == pytest.approx(np.sqrt((counted * np.square(slopes)).sum()), rel=0.06)
    low, high = fit.auc_interval
    assert low < fit.auc < high <= 1


def test_intervals_of_the_mean_area_hold_it():
    """A fixed tree of five leaves on 2,000 tables of 120 rows, three classes, the rarest a fifth."""
    rng, n, held = np.random.default_rng(3), 120, 0
    given = np.array([[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.3, 0.5, 0.2], [0.2, 0.7, 0.1], [0.3, 0.4, 0.3]])
    said = np.array([[0.8, 0.1, 0.1], [0.5, 0.4, 0.1], [0.2, 0.6, 0.2], [0.1, 0.8, 0.1], [0.2, 0.4, 0.4]])

    def mean_area(counts):
        ranked = [
            ranking(
                str(k),
                said[:, k],
                counts[:, k],
                counts.sum(axis=1),
                (counts[:, k].sum(), np.delete(counts, k, 1).sum()),
            )
            for k in range(3)
        ]
        return np.mean([one.auc for one in ranked]), mean_auc_error(ranked, said, counts, counts)

    truth, _ = mean_area(given)
    for _ in range(2000):
        counts = rng.multinomial(n, given.ravel() / given.sum()).reshape(given.shape).astype(float)
        area, error = mean_area(counts)
        held += abs(area - truth) < Z_95 * error
    assert 0.93 <= held / 2000 <= 0.965


# -- calibration


@pytest.mark.parametrize("smoothing", ["none", "m_estimate"])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_brier_score_has_murphys_parts(part, weights, smoothing):
    table, frame, tree = planted(weights)
    tree = replace(tree, leaf_rule=LeafRule(smoothing=smoothing))
    truth, _, said, w = by_rows(table, frame, tree, part, weights)
    fit = engine.assess(table, tree, part)
    expected = naive.murphy(said, np.array([table.classes.index(one) for one in truth]), w)
    assert tuple(fit.murphy) == pytest.approx(expected, abs=1e-12)
    assert fit.murphy.reliability - fit.murphy.resolution + fit.murphy.uncertainty == pytest.approx(fit.brier)
    if part == "train" and smoothing == "none":
        assert fit.murphy.reliability == pytest.approx(0, abs=1e-15)


def test_leaves_that_say_the_same_are_one_forecast():
    frame = pd.DataFrame(
        {"x": list("aaaabbbbccccdddd"), "t": list("yynnyynnyyynynyn"), "part": ["train"] * 8 + ["test"] * 8}
    )
    table = engine.Table.from_frame(frame, target="t").with_partition(column="part")
    tree = engine.Tree.root(table).split(table, 0, Split("x", "groups", groups=(("a", "c"), ("b", "d"))))
    fit = engine.assess(table, tree, "test")  # both leaves say ½; of 8 rows 5 are y, 3 in one leaf and 2 in the other
    assert fit.murphy.resolution == pytest.approx(0)
    assert fit.murphy.reliability == pytest.approx(2 * (5 / 8 - 1 / 2) ** 2)
    assert fit.ranking("y").threshold.size == 2


@pytest.mark.parametrize("weights", WEIGHTS)
def test_calibration_of_every_leaf(weights):
    table, frame, tree = planted(weights)
    truth, _, said, w = by_rows(table, frame, tree, "validation", weights)
    leaf = tree.ids[tree.apply(table)[table.rows(1)]]
    found = engine.assess(table, tree).calibration("h")
    assert list(found.node) == list(tree.ids[tree.leaves])
    for i, node in enumerate(found.node):
        rows = leaf == node
        assert found.said[i] == pytest.approx(said[rows, table.classes.index("h")][0])
        assert found.seen[i] == pytest.approx(np.average(truth[rows] == "h", weights=w[rows]))
        n = w[rows].sum() ** 2 / (w[rows] ** 2).sum() if weights == "weight" else w[rows].sum()
        assert (found.weight[i], found.rows[i]) == pytest.approx((w[rows].sum(), n))
        assert tuple(found.interval[i]) == pytest.approx(wilson(found.seen[i], n))


# -- what is not there


def test_a_class_without_rows_in_the_part():
    table, frame, tree = planted()
    frame = frame.assign(part=np.where(table.part == 0, "train", "validation"))
    frame = frame[(frame.part == "train") | (frame.t != "m")].reset_index(drop=True)
    table = engine.Table.from_frame(frame.drop(columns="w"), target="t").with_partition(column="part")
    fit = engine.assess(table, tree)
    found = fit.ranking("m")
    assert np.isnan([found.auc, found.auc_error, found.average_precision, *fit.recall[fit.classes.index("m")]]).all()
    assert np.isnan(found.recall).all() and np.isfinite(found.false_positive_rate).all()
    assert np.isnan(found.by_percentile().gains).all() and (found.by_percentile().response == 0).all()
    assert fit.auc == pytest.approx(np.mean([fit.ranking("l").auc, fit.ranking("h").auc]))
    assert fit.balanced_accuracy.value == pytest.approx(np.nanmean(fit.recall[:, 0]))
    assert np.isfinite([*fit.kappa, *fit.matthews]).all()


def test_a_class_that_only_the_table_has_gets_no_probability():
    _, frame, tree = planted()
    other = engine.Table.from_frame(frame.assign(t=frame.t.replace("m", "new")).drop(columns="w"), target="t")
    fit = engine.assess(other, tree, "train")
    assert fit.ranking("new").auc == 0.5 and list(fit.ranking("new").threshold) == [np.inf, 0]
    assert fit.murphy.reliability - fit.murphy.resolution + fit.murphy.uncertainty == pytest.approx(fit.brier)
    with pytest.raises(engine.InputError, match="There is no class “old”; the classes are h, l, m, new"):
        fit.ranking("old")


def test_one_leaf_ranks_nothing():
    table, _, _ = planted()
    fit = engine.assess(table, engine.Tree.root(table))
    assert fit.auc == 0.5 and fit.ranking("h").auc_error == 0
    assert np.isnan(fit.matthews).all() and fit.kappa.value == pytest.approx(0)
    assert fit.balanced_accuracy.value == pytest.approx(1 / 3)
    assert fit.murphy.resolution == pytest.approx(0)
    assert np.isnan(fit.precision).sum() == 6 and np.isfinite(fit.recall).all()


def test_one_class_alone():
    frame = pd.DataFrame({"x": range(8), "t": list("yyyn") + ["y"] * 4, "part": ["train"] * 4 + ["validation"] * 4})
    table = engine.Table.from_frame(frame, target="t").with_partition(column="part")
    fit = engine.assess(table, engine.Tree.root(table))
    assert fit.balanced_accuracy.value == 1
    assert np.isnan([*fit.kappa, *fit.matthews, fit.auc, fit.ranking("y").auc]).all()
    assert tuple(fit.murphy) == (2 / 16, 0, 0) and fit.ranking("y").average_precision == 1


@pytest.mark.parametrize("part", ["validation", "test"])
def test_without_rows_every_figure_is_nan(part):
    table, _, tree = planted()
    table = table.take(np.arange(100))
    fit = engine.assess(table, tree, part)
    assert fit.n == 0
    assert np.isnan([*fit.kappa, *fit.matthews, *fit.balanced_accuracy, fit.auc, *fit.murphy]).all()
    assert np.isnan([fit.precision, fit.recall, fit.f1]).all() and len(fit.calibration("h").node) == 0
    found = fit.ranking("h")
    assert list(found.threshold) == [np.inf] and np.isnan([found.auc, found.auc_error, found.average_precision]).all()
    for curve in (found.recall, found.precision, found.lift, found.depth, found.false_positive_rate):
        assert np.isnan(curve).all()
    assert np.isnan(found.by_percentile()[1:]).all()


def test_a_branch_without_rows_has_none():
    table, _, tree = planted()
    leaf = int(tree.ids[tree.leaves[-1]])
    tree = tree.split(table, leaf, Split("b", "threshold", (99.0,)))
    lonely = int(tree.ids[tree.children(tree.position(leaf))[1]])
    fit = engine.assess(table, tree, "validation", lonely)
    assert fit.n == 0 and np.isnan([fit.error, fit.auc, *fit.kappa]).all()
    with pytest.raises(engine.InputError, match="The tree has no node 99"):
        engine.assess(table, tree, "validation", 99)


def test_validation_rows_that_honest_probabilities_come_from_judge_none():
    table, _, tree = planted()
    honest = tree.with_leaf_rule(table, LeafRule(smoothing="honest"))
    fit = engine.assess(table, honest, "validation")
    assert np.isnan([fit.auc, *fit.murphy]).all() and len(fit.calibration("h").node) == 0
    assert fit.ranking("h").threshold.size == 1
    assert fit.kappa == engine.assess(table, tree, "validation").kappa
    assert np.isfinite(engine.assess(table, honest, "test").auc)


def test_what_is_not_asked_for_looks_at_no_row(monkeypatch):
    """The tree's own counts answer, for a fit is made for every drag of a cut."""
    table, _, tree = planted()
    engine.assess(table, tree)
    monkeypatch.setattr(engine.Table, "rows", lambda *_: pytest.fail("it looks at rows"))
    for node in (0, 2):
        fit = engine.assess(table, tree, "validation", node)
        assert not {"_rankings", "murphy", "_confusion", "auc"} & set(vars(fit))
        assert np.isfinite([fit.auc, *fit.kappa, fit.ranking("h").auc_error, *fit.murphy]).all()
        assert fit.ranking("h") is fit.ranking("h")
