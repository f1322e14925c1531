"""Cross-validation against doing it by hand: frames without the fold, new tables, and predictions of the fold."""

import numpy as np
import pytest
from scipy.stats import binom, t
from sklearn import metrics
from sklearn.model_selection import KFold

import engine
from engine import InputError, Progress, Recipe, cross_validate
from engine.table.folds import by_class
from engine.table.partition import TRAIN, UNUSED
from tests.effort import crossed
from tests.engine.resampling.making import noisy_frame, table_of


def by_hand(frame, fold, make, roles=None):
    """(what is predicted of each row, the leaves of each tree): `make` makes a tree of the table without a fold, and of
    what frame rows these are."""
    predicted, leaves = np.empty(len(frame), object), []
    for k in range(fold.max() + 1):
        tree = make(table_of(frame[fold != k], **(roles or {})), np.flatnonzero(fold != k))
        predicted[fold == k] = tree.predict(frame[fold == k])
        leaves.append(tree.n_leaves)
    return predicted, leaves


@pytest.mark.parametrize("task", ["classes", "number"])
def test_errors_and_predictions_are_those_of_trees_without_the_fold(task):
    frame = noisy_frame(task=task)
    table = table_of(frame)
    found = cross_validate(table, {"min_leaf": 4}, folds=6, seed=2)
    fold = by_class(table, 6, 2)
    assert np.array_equal(found.fold, [fold])
    predicted, leaves = by_hand(frame, fold, lambda rest, _: engine.grow(rest, min_leaf=4))
    assert found.leaves.tolist() == [leaves]
    if task == "number":
        np.testing.assert_allclose(found.predicted[0], predicted.astype(float))
        loss = (predicted - frame.y.to_numpy()).astype(float) ** 2
    else:
        assert np.array_equal(np.array(table.classes)[found.predicted[0]], predicted)
        loss = (predicted != frame.y.to_numpy()).astype(float)
        np.testing.assert_allclose(found.probabilities.sum(axis=1), 1.0)
    np.testing.assert_allclose(found.errors[0], [loss[fold == k].mean() for k in range(6)])
    assert found.mean == pytest.approx(loss.mean())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("task", ["classes", "number"])
def test_all_figures_of_the_folds_together_are_scikit_learns(task, weighted):
    """Over the rows of all folds and of both repeats, each by the tree that was made without it."""
    frame = noisy_frame(task=task)
    roles = {"w": "weight"} if weighted else {}
    table = table_of(frame, **roles)
    found = cross_validate(table, {"max_depth": 4}, folds=5, repeats=2, seed=3)
    y, w = np.tile(frame.y, 2), np.tile(frame.w, 2) / 2 if weighted else np.full(240, 0.5)
    told, fit = [], found.fit
    for fold in found.fold:
        part = np.empty((len(frame), 2)) if task == "classes" else np.empty(len(frame))
        for k in range(5):
            tree = engine.grow(table_of(frame[fold != k], **roles), max_depth=4)
            rows = frame[fold == k]
            part[fold == k] = tree.predict_proba(rows) if task == "classes" else tree.predict(rows)
        told.append(part)
    said = np.concatenate(told)
    assert (fit.part, fit.n) == ("folds", 120) and fit.weight == pytest.approx(w.sum())
    assert fit.error == pytest.approx(found.mean)
    if task == "number":
        assert fit.r2 == pytest.approx(metrics.r2_score(y, said, sample_weight=w))
        assert fit.mae == pytest.approx(metrics.mean_absolute_error(y, said, sample_weight=w))
        assert fit.residuals is None and np.isfinite(fit.residual_quantiles).all()
        return
    guess = np.array(table.classes)[found.predicted.ravel()]
    labels = list(table.classes)
    np.testing.assert_allclose(fit.confusion, metrics.confusion_matrix(y, guess, labels=labels, sample_weight=w))
    score = np.concatenate(
        [within_folds(part[:, 1], fold, w[:120]) for part, fold in zip(told, found.fold, strict=True)]
    )
    assert fit.ranking("yes").auc == pytest.approx(metrics.roc_auc_score(y == "yes", score, sample_weight=w))
    intervals = [*fit.interval, *fit.kappa[1:], *fit.recall[:, 1:].ravel(), fit.auc_error, fit.ranking("yes").auc_error]
    assert np.isnan(intervals).all()
    kappa = metrics.cohen_kappa_score(y, guess, labels=labels, sample_weight=w)
    assert fit.kappa.value == pytest.approx(kappa)
    brier = 2 * metrics.brier_score_loss(y == "yes", said[:, 1], sample_weight=w)
    assert fit.brier == pytest.approx(brier)
    of_true = said[np.arange(len(y)), (y == "yes").astype(int)].clip(1e-15)
    assert fit.log_loss == pytest.approx(np.average(-np.log(of_true), weights=w))
    assert fit.calibration("yes").node.size == 0 and np.isnan([*fit.murphy]).all()
    assert fit.said_by(engine.grow(table, max_depth=4)) is fit


def within_folds(score, fold, weights):
    """The weight of the rows of the same fold with a lower score, and half of those with the same: row by row."""
    found = np.empty(len(score))
    for i in range(len(score)):
        there = fold == fold[i]
        below, same = there & (score < score[i] - 1e-12), there & (abs(score - score[i]) <= 1e-12)
        found[i] = (weights[below].sum() + weights[same].sum() / 2) / weights[there].sum()
    return found


def test_trees_without_any_skill_rank_no_better_and_no_worse_than_chance():
    """Ordered by their probabilities alone, trees of one leaf rank rows against what they are: an area of 0.47 of ten
    folds, and of 0 of folds of one row each."""
    random, areas = np.random.default_rng(0), []
    for seed in range(30):
        frame = noisy_frame(100, seed=seed)
        frame["y"] = random.permutation(frame.y)
        table = table_of(frame)
        for k in (3, 10):
            assert cross_validate(table, {"max_leaves": 1}, folds=k, seed=seed).fit.auc == pytest.approx(0.5)
        areas.append(cross_validate(table, {"max_depth": 2}, folds=10, seed=seed).fit.auc)
    assert abs(np.mean(areas) - 0.5) < 3 * np.std(areas) / np.sqrt(30)
    each = cross_validate(table, {"max_depth": 2}, folds="each").fit
    assert np.isnan(each.auc) and each.ranking("yes").threshold.size == 1 and each.n == 100


@pytest.mark.parametrize(("stop_after", "rows"), [(4, 48), (14, 120)])
def test_figures_of_a_stop_are_of_whole_repeats_or_of_the_first_folds(stop_after, rows):
    def stop(done, words):
        if done >= stop_after / 50:
            told.stop()

    told = Progress(stop)
    found = cross_validate(table_of(noisy_frame()), {"max_depth": 3}, folds=10, repeats=5, threads=1, progress=told)
    finished = int(np.count_nonzero(found.leaves))
    assert stop_after <= finished < 20
    judged = found.fold[0] >= 0 if finished >= 10 else np.isin(found.fold[0], np.flatnonzero(found.leaves[0]))
    assert found.fit.n == judged.sum() >= rows
    assert found.fit.weight == pytest.approx(judged.sum())


def test_costs_and_profits_of_the_folds_are_of_what_each_tree_decides():
    frame = noisy_frame()
    table = table_of(frame)
    rule = {"costs": (("yes", "no", 4.0),), "profits": (("yes", 9.0, 0.0), ("no", -3.0, 0.0))}
    found = cross_validate(table, {"max_depth": 3, **rule}, folds=4, seed=1)
    is_yes, earned, paid = (frame.y == "yes").to_numpy(), 0.0, 0.0
    for k in range(4):
        held = found.fold[0] == k
        tree = engine.grow(table_of(frame[~held]), max_depth=3, **rule)
        leaf = tree.apply(table_of(frame[held]))
        earned += np.where(tree.acts[leaf], np.where(is_yes[held], 9.0, -3.0), 0.0).sum()
        guess = np.array(tree.classes)[tree.labels[leaf]]
        paid += np.where(guess == frame.y[held], 0.0, np.where(is_yes[held], 4.0, 1.0)).sum()
    assert found.fit.mean_profit == pytest.approx(earned / 120)
    assert found.fit.loss == pytest.approx(paid / 120) == pytest.approx(found.mean)


def test_weights_weigh_what_is_judged_and_what_trains():
    frame = noisy_frame()
    table = table_of(frame, w="weight")
    found = cross_validate(table, {"max_depth": 3}, folds=5)
    predicted, _ = by_hand(frame, found.fold[0], lambda rest, _: engine.grow(rest, max_depth=3), {"w": "weight"})
    wrong = predicted != frame.y.to_numpy()
    assert found.mean == pytest.approx(np.average(wrong, weights=frame.w))
    assert found.errors[0, 1] == pytest.approx(
        np.average(wrong[found.fold[0] == 1], weights=frame.w[found.fold[0] == 1])
    )


def test_a_recipe_is_pruned_anew_without_each_fold():
    frame = noisy_frame(200)
    recipe = Recipe(search={}, prune="cost_complexity", pruning={"folds": 4, "standard_errors": 1.0})
    found = cross_validate(table_of(frame), recipe, folds=4)

    def make(rest, rows):  # which keep the numbers, and so the folds, that they have in the whole table
        part = np.full(len(frame), UNUSED, np.uint8)
        part[rows] = TRAIN
        folds = by_class(table_of(frame).divided(part), 4, 0)[rows]
        cut = engine.prune(rest, engine.grow(rest), folds=folds, standard_errors=1.0)
        return cut.tree(cut.chosen)

    predicted, leaves = by_hand(frame, found.fold[0], make)
    assert found.leaves.tolist() == [leaves]
    assert found.mean == pytest.approx(np.mean(predicted != frame.y.to_numpy()))


def test_methods_that_need_validation_rows_set_some_aside():
    table = table_of(noisy_frame(200))
    with pytest.raises(InputError, match="needs validation rows"):
        cross_validate(table, Recipe(search={}, prune="reduced_error"))
    grown = cross_validate(table, {}).leaves.mean()
    assert cross_validate(table, Recipe(search={}, prune="reduced_error", validation=0.3)).leaves.mean() < grown / 2


def test_a_structure_keeps_its_splits_and_counts_its_leaves_anew():
    frame = noisy_frame()
    table = table_of(frame)
    tree = engine.grow(table, max_depth=2)
    found = cross_validate(table, tree, folds=4)
    leaf = tree.apply(table)
    wrong = np.zeros(len(frame), bool)
    for k in range(4):
        held = found.fold[0] == k
        for one in np.unique(leaf):
            most = np.bincount(table.y[(leaf == one) & ~held], minlength=2).argmax()
            wrong[held & (leaf == one)] = table.y[held & (leaf == one)] != most
    assert (found.leaves == tree.n_leaves).all()
    assert found.mean == pytest.approx(wrong.mean())


def test_a_candidate_at_a_node_is_judged_by_the_rows_of_the_node():
    frame = noisy_frame()
    table = table_of(frame)
    tree = engine.grow(table, max_depth=1)
    node = int(tree.ids[1])
    best = engine.candidates(table, tree, node)[0]
    found = cross_validate(table, Recipe(split=best.split, at=(tree, node)), folds=3)
    inside = tree.apply(table) == 1
    assert np.array_equal(found.fold[0] >= 0, inside)
    assert np.array_equal(found.predicted[0] >= 0, inside)
    assert (found.leaves == 2).all()
    alone = cross_validate(table_of(frame[inside]), best, folds=found.fold[0][inside])
    np.testing.assert_allclose(found.errors, alone.errors)


def test_folds_may_be_given_as_scikit_learn_deals_them_out():
    frame = noisy_frame()
    fold = np.empty(len(frame), int)
    for k, (_, held) in enumerate(KFold(5, shuffle=True, random_state=1).split(frame)):
        fold[held] = k
    found = cross_validate(table_of(frame), {"max_depth": 2}, folds=fold)
    predicted, _ = by_hand(frame, fold, lambda rest, _: engine.grow(rest, max_depth=2))
    assert found.mean == pytest.approx(np.mean(predicted != frame.y.to_numpy()))


def test_repeats_deal_out_anew_and_each_row_may_be_a_fold():
    table = table_of(noisy_frame(60))
    found = cross_validate(table, {"max_depth": 1}, folds=3, repeats=4)
    assert found.errors.shape == (4, 3)
    assert np.unique(found.fold, axis=0).shape[0] == 4
    each = cross_validate(table, {"max_depth": 1}, folds="each")
    assert each.errors.shape == (1, 60)
    assert set(each.errors.ravel()) <= {0.0, 1.0}
    assert each.test_share == pytest.approx(1 / 59)


def test_folds_in_time_train_on_the_past_and_groups_stay_together():
    frame = noisy_frame()
    table = table_of(frame)
    found = cross_validate(table, {"max_depth": 2}, folds=4, time="t")
    assert np.array_equal(found.predicted[0] >= 0, frame["t"] >= len(frame) - 4 * (len(frame) // 5))
    by_group = cross_validate(table, {"max_depth": 2}, folds=4, group="g", repeats=2)
    for fold in by_group.fold:
        assert all(np.unique(fold[frame["g"] == group]).size == 1 for group in frame["g"].unique())


def test_the_number_of_threads_changes_nothing():
    table = table_of(noisy_frame())
    one, two = (cross_validate(table, {}, repeats=2, threads=threads) for threads in (1, 2))
    assert np.array_equal(one.errors, two.errors)
    assert np.array_equal(one.probabilities, two.probabilities)


def test_validation_and_test_rows_take_no_part():
    frame = noisy_frame()
    table = table_of(frame).with_partition(validation=0.3, test=0.2)
    found = cross_validate(table, {"max_depth": 2}, folds=3)
    alone = cross_validate(table_of(frame[table.part == 0]), {"max_depth": 2}, folds=found.fold[0][table.part == 0])
    np.testing.assert_allclose(found.errors, alone.errors)


def test_a_stop_keeps_what_is_finished():
    table, told = table_of(noisy_frame()), []

    def stop(done, words):
        told.append((done, words))
        if done >= 0.3:
            progress.stop()

    progress = Progress(stop)
    found = cross_validate(table, {}, threads=1, progress=progress)
    finished = np.count_nonzero(~np.isnan(found.errors))
    assert 3 <= finished < 10
    assert np.isfinite(found.mean)
    assert np.array_equal(~np.isnan(found.errors), found.leaves > 0)
    assert told[0] == (0.1, "Cross-validation: 1 of 10 folds")


@pytest.mark.parametrize(
    ("recipe", "how", "words"),
    [
        ({}, {"folds": 1}, "1 folds are too few"),
        ({}, {"folds": 500}, "too many for 120"),
        ({}, {"folds": "ten"}, "folds cannot be"),
        ({}, {"folds": 2.5}, "folds cannot be"),
        ({}, {"repeats": 0}, "repeats cannot be 0"),
        ({}, {"folds": "each", "repeats": 2}, "same in each of 2 repeats"),
        ({}, {"time": "t", "repeats": 2}, "same in each of 2 repeats"),
        ({}, {"time": "t", "group": "g"}, "not both"),
        ({}, {"folds": "each", "group": "g"}, "are counted"),
        ({}, {"folds": np.zeros(7, int)}, "folds of 7 rows"),
        ({"depth": 3}, {}, "no option"),
        (3, {}, "A recipe cannot be 3"),
        (Recipe(), {}, "0 of them were given"),
        (Recipe(search={}, prune="hope"), {}, "no pruning method"),
        (Recipe(search={}, validation=1.0), {}, "validation share"),
    ],
)
def test_what_cannot_be_is_said(recipe, how, words):
    with pytest.raises(InputError, match=words):
        cross_validate(table_of(noisy_frame()), recipe, **how)


def test_the_standard_error_is_the_corrected_one():
    table = table_of(noisy_frame(), w="weight")
    found = cross_validate(table, {"max_depth": 2}, folds=4, repeats=3)
    errors, weights = found.errors.ravel(), found.weights.ravel()
    mean = np.average(errors, weights=weights)
    spread = np.average((errors - mean) ** 2, weights=weights) * 12 / 11
    assert found.test_share == pytest.approx(1 / 3)
    assert found.standard_error == pytest.approx(np.sqrt((1 / 12 + 1 / 3) * spread))
    reach = t.ppf(0.975, 3) * found.standard_error
    assert found.interval == pytest.approx((mean - reach, mean + reach))
    wrong = found.predicted != table.y
    np.testing.assert_allclose(found.row_losses, wrong.mean(axis=0))
    np.testing.assert_allclose(found.row_weights, table.weights)


def test_the_standard_error_is_no_less_than_that_of_the_rows():
    """Folds by class do not differ at all where every tree predicts the same class."""
    frame = noisy_frame(100).assign(y=np.where(np.arange(100) < 40, "no", "yes"))
    found = cross_validate(table_of(frame), {"max_depth": 0}, folds=5)
    assert np.ptp(found.errors) == pytest.approx(0.0)
    assert found.standard_error == pytest.approx(np.sqrt(0.4 * 0.6 / 100))


COVERED = [  # search options, folds, repeats: the root alone, a small tree and rows dealt out often, a full tree
    ({"max_depth": 0}, 5, 1), ({"max_depth": 2}, 5, 4), ({}, 10, 1),
]  # fmt: skip


@pytest.mark.parametrize(("how", "weighted"), crossed(COVERED, [False, True]), ids=str)
def test_intervals_hold_the_error_of_noise(how, weighted, full):
    """Of a target that knows nothing of the columns every tree errs in half of all new rows: 95 % intervals hold 0.5 in
    no fewer than 95 of 100 tables, but for chance."""
    search, folds, repeats = how
    tables, holds = (400 if full else 24), 0
    for seed in range(tables):
        frame = noisy_frame(60, seed).assign(y=np.random.default_rng(seed + 1000).integers(0, 2, 60).astype(str))
        table = table_of(frame, **({"w": "weight"} if weighted else {}))
        low, high = cross_validate(table, search, folds=folds, repeats=repeats, threads=1).interval
        holds += low <= 0.5 <= high
    assert holds >= binom.ppf(1e-3, tables, 0.95), holds / tables


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("search", "folds", "repeats"), COVERED)
def test_intervals_hold_the_error_to_be_expected(search, folds, repeats, weighted):
    """With a signal: the error of trees of as many rows as train, on many new ones."""
    intervals, errors, new = [], [], noisy_frame(4000, 10_000)
    roles = {"w": "weight"} if weighted else {}
    for seed in range(300):
        frame = noisy_frame(100, seed)
        found = cross_validate(table_of(frame, **roles), search, folds=folds, repeats=repeats)
        intervals.append(found.interval)
        tree = engine.grow(table_of(frame[: 100 - 100 // folds], **roles), **search)
        errors.append(np.average(tree.predict(new) != new.y, weights=new.w if weighted else None))
    low, high = np.transpose(intervals)
    truth = np.mean(errors)
    assert np.count_nonzero((low <= truth) & (truth <= high)) >= binom.ppf(1e-3, 300, 0.95)
