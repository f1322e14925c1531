"""What a choice costs: against the same made again for every fold, and what a stop, weights and costs change."""

import numpy as np
import pandas as pd
import pytest

import engine
from engine.assessment.selection import losses_of
from engine.pruning.cost_complexity import Judged, optimism_of
from tests import naive_selection


def noisy(task="classes", n=160):
    random = np.random.default_rng(4)
    frame = pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n), "w": random.integers(1, 4, n)})
    signal = frame.a + random.normal(size=n)
    frame["y"] = signal if task == "number" else np.where(signal > 0, "p", "q")
    frame["part"] = random.choice(["train", "validation"], n)
    return frame


@pytest.mark.parametrize(
    ("task", "method", "options"),
    [
        ("classes", "reduced_error", {}), ("number", "reduced_error", {}), ("classes", "greedy_validation", {}),
        ("classes", "cost_complexity", {"judge": "validation", "standard_errors": 1.0}), ("number", "growth", {}),
        ("classes", "by_rule", {"min_validation_gain": 0.0}), ("classes", "generic", {"estimate": "validation"}),
    ],
)  # fmt: skip
def test_a_choice_made_again_for_every_fold(task, method, options):
    frame = noisy(task)
    table = engine.Table.from_frame(frame, target="y").with_partition(column="part")
    whole = engine.grow(table)
    pruning = engine.prune(table, whole, method, **options)
    choice = engine.cross_fitted(table, pruning, assignment=engine.assign(table, whole), seed=3, **options)
    assert choice.misses == pytest.approx(naive_selection.misses(frame, method, 3, **options))
    assert choice.error == pytest.approx(choice.misses.mean())
    assert choice.trees == len(pruning.steps) and choice.shown == pruning.steps[pruning.chosen].validation_error
    assert choice.interval[0] < choice.error < choice.interval[1]
    assert choice.optimism == choice.error - choice.shown


def test_the_lowest_of_some_columns():
    losses = np.random.default_rng(2).integers(0, 2, (37, 6)).astype(float)
    choice = engine.best_of([*losses.T], shares=True, seed=5)
    assert choice.misses == pytest.approx(naive_selection.lowest(losses, 5))
    assert choice.shown == losses.mean(axis=0).min() < choice.error and choice.trees == 6
    heavy = np.arange(37.0)
    weighed = engine.best_of([*losses.T], heavy, shares=True)
    assert weighed.error == pytest.approx((heavy * weighed.misses).sum() / heavy.sum())


def test_the_lowest_of_prunings_that_the_same_rows_chose():
    frame = noisy("classes")
    table = engine.Table.from_frame(frame, target="y").with_partition(column="part")
    methods = ("reduced_error", "greedy_validation", "generic")
    options = [{"estimate": "validation"} if method == "generic" else {} for method in methods]
    prunings = [engine.prune(table, engine.grow(table), m, **told) for m, told in zip(methods, options, strict=True)]
    choices = [engine.cross_fitted(table, p, seed=3, **told) for p, told in zip(prunings, options, strict=True)]
    root = losses_of(table, engine.Tree.root(table), table.rows(engine.VALIDATION))[1]
    choice = engine.best_of([*choices, root], shares=True, seed=3)
    assert choice.misses == pytest.approx(naive_selection.best_method(frame, methods, options, 3))
    assert choice.shown == min(*(one.shown for one in choices), root.mean())
    assert choice.trees == sum(len(one.steps) for one in prunings) + 1


def test_losses_are_those_of_the_tree():
    frame = noisy()
    rule = {"costs": {("p", "q"): 3.0}, "priors": {"p": 0.2, "q": 0.8}}
    for weights, options in ((None, {}), ("w", {}), ("w", rule)):
        table = engine.Table.from_frame(frame, target="y", weights=weights).with_partition(column="part")
        tree = engine.grow(table, max_depth=3, **options)
        misses, losses, weight = losses_of(table, tree, table.rows(engine.VALIDATION))
        assert (weight @ losses) / weight.sum() == pytest.approx(tree.loss("validation"))
        counts = np.ones(misses.size) if weights is None else table.weights[table.rows(engine.VALIDATION)]
        assert (counts @ misses) / counts.sum() == pytest.approx(engine.assess(table, tree).error)


def test_a_stop_before_the_first_deal_leaves_nothing():
    table = engine.Table.from_frame(noisy(), target="y").with_partition(column="part")
    progress = engine.Progress()
    progress.stop()
    choice = engine.cross_fitted(table, engine.prune(table, engine.grow(table), "reduced_error"), progress=progress)
    assert np.isnan(choice.error) and np.isnan(choice.misses).all() and np.isnan(choice.interval).all()


def test_a_tree_is_compared_by_rows_that_did_not_choose_it():
    table = engine.Table.from_frame(noisy(), target="y").with_partition(column="part")
    whole = engine.grow(table)
    pruning = engine.prune(table, whole, "reduced_error")
    chosen, choice = pruning.tree(pruning.chosen), engine.cross_fitted(table, pruning)
    shown, fresh = (engine.compare(table, whole, chosen, choices=(None, one)) for one in (None, choice))
    assert not shown.fresh and fresh.fresh and fresh.fits[1].error == shown.fits[1].error
    assert (fresh.only_first, fresh.only_second) == (shown.only_first, shown.only_second)
    assert fresh.difference == pytest.approx(whole.error("validation") - choice.error)
    assert fresh.difference < shown.difference and fresh.p_value > shown.p_value
    assert not engine.compare(table, whole, chosen, "train", choices=(None, choice)).fresh


def test_by_how_much_the_lowest_cross_validated_error_is_too_good():
    errors = np.random.default_rng(3).integers(0, 9, (10, 7)) / 10
    folds = [Judged(one * 10, one * 10, 10.0, 10.0, 10) for one in errors]
    chosen = np.flatnonzero(errors.mean(axis=0) == errors.mean(axis=0).min())[-1]
    assert optimism_of(folds, int(chosen)) == pytest.approx(naive_selection.too_good(errors))
    assert np.isnan(optimism_of([], 0))
    shuffled = noisy().assign(y=np.random.default_rng(1).permutation(list("pq" * 80)))
    table = engine.Table.from_frame(shuffled, target="y")
    tree = engine.grow(table)
    for method in ("cost_complexity", "srm"):
        assert engine.prune(table, tree, method, judge="folds").optimism > 0
    assert np.isnan(engine.prune(table.with_partition(validation=0.4), tree, "cost_complexity").optimism)
