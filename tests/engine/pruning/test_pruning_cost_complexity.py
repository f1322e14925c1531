"""What a split pays in, who judges, the k·SE rule; scikit-learn's path by impurity. rpart: see test_pruning_rpart."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from engine.growing import grow
from engine.pruning.cost_complexity import judged, prices_of, squared_losses
from engine.pruning.result import prune
from engine.pruning.sequence import smallest_within
from engine.runtime.errors import InputError
from engine.table.table import Table
from engine.tree.arrays import impurities
from engine.tree.assignment import assign
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree
from tests.engine.pruning.small_trees import halved, noisy


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(3))
def test_path_of_scikit_learn_is_reproduced(criterion, seed):
    """It takes one split at a time; those of equal price stand together here."""
    rng = np.random.default_rng(seed)
    rows, y = rng.normal(size=(240, 3)).astype(np.float32), rng.integers(0, 3, 240)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0, max_depth=6).fit(rows, y)
    path = model.cost_complexity_pruning_path(rows, y)
    last = np.append(np.diff(path.ccp_alphas) > 1e-12, True)
    last[0] = True
    table = Table.from_frame(pd.DataFrame(rows, columns=list("abc")).assign(t=y.astype(str)), target="t")
    tree = grow(table, max_depth=6, criterion=criterion)
    assert tree.n_leaves == model.get_n_leaves()
    pruning = prune(table, tree, measure="impurity", folds=2)
    assert np.allclose([step.alpha for step in pruning.steps], path.ccp_alphas[last], rtol=1e-9, atol=1e-15)
    mixed = []
    for i in range(len(pruning.steps)):
        pruned = pruning.tree(i)
        mixed.append((impurities(pruned, criterion) * pruned.weight())[pruned.leaves].sum() / table.n_rows)
    assert np.allclose(mixed, path.impurities[last], rtol=1e-9)


def test_impurity_and_errors_are_two_sequences_of_classes_and_one_of_numbers():
    table = noisy().with_partition(validation=0.4)
    tree = halved(table, ["a", "b"], 5)
    by_risk, by_impurity = prune(table, tree), prune(table, tree, measure="impurity")
    assert [step.leaves for step in by_risk.steps] != [step.leaves for step in by_impurity.steps]
    numbers = noisy(task="number").with_partition(validation=0.4)
    tree = halved(numbers, ["a", "b"], 5)
    assert np.allclose(prune(numbers, tree).steps, prune(numbers, tree, measure="impurity").steps, equal_nan=True)


def test_impurity_is_measured_by_the_criterion_of_growth():
    table = noisy(task="number")
    for criterion in ("absolute_error", "binned_gini"):
        tree = grow(table, criterion=criterion, max_depth=4)
        mixed = impurities(tree, criterion) * tree.weight()
        steps = prune(table, tree, measure="impurity", folds=3).steps
        root = mixed[0] - mixed[tree.leaves].sum()
        drops = -np.diff([step.leaves for step in steps]) * [step.alpha for step in steps[1:]]
        assert drops.sum() == pytest.approx(root / table.n_rows)  # each step gives back its price for each leaf


# -- who judges


def test_folds_may_judge_though_there_are_validation_rows():
    table = noisy(n=600).with_partition(validation=0.4)
    tree = grow(table, min_leaf=3)
    by_rows, by_folds = prune(table, tree), prune(table, tree, judge="folds", folds=4)
    assert prune(table, tree, judge="validation").steps == by_rows.steps
    assert all(np.isnan(step.cv_error) for step in by_rows.steps)
    assert [step.validation_error for step in by_folds.steps] == [step.validation_error for step in by_rows.steps]
    train_alone = table.divided(np.where(table.part == 1, np.uint8(3), table.part))
    alone = prune(train_alone, tree.with_counts(train_alone), folds=4)
    assert [step.cv_error for step in alone.steps] == [step.cv_error for step in by_folds.steps]


def test_validation_rows_cannot_judge_where_there_are_none():
    table = noisy()
    with pytest.raises(InputError, match=r"(?i)needs validation rows"):
        prune(table, halved(table, ["a"], 2), judge="validation")


# -- the k·SE rule


@pytest.mark.parametrize("validation", [0.0, 0.4])
@pytest.mark.parametrize("task", ["classes", "number"])
def test_the_smallest_tree_within_so_many_standard_errors_is_chosen(task, validation):
    table = noisy(n=300, seed=4, task=task).with_partition(validation=validation)
    tree = grow(table, min_leaf=3)
    plain = prune(table, tree, folds=5)
    assert plain.least == plain.chosen
    chosen = [plain.chosen]
    for k in (0.5, 1.0, 10.0):
        pruning = prune(table, tree, folds=5, standard_errors=k)
        assert pruning.least == plain.least
        assert pruning.steps == plain.steps
        errors = np.array([step.validation_error if validation else step.cv_error for step in pruning.steps])
        se = spread(table, pruning.tree(pruning.least)) if validation else pruning.steps[pruning.least].cv_se
        assert pruning.chosen == np.flatnonzero(errors <= errors[pruning.least] + k * se)[-1]
        chosen.append(pruning.chosen)
    assert chosen == sorted(chosen)
    assert chosen[-1] > chosen[0]


def spread(table, tree):
    """The standard error of the mean loss, from every validation row by itself."""
    frame = table.to_frame()[table.part == 1]
    said = tree.predict(frame)
    if table.task == "classes":
        losses = (said != frame["t"].to_numpy()).astype(float)
    else:
        losses = (said - frame["t"].to_numpy()) ** 2
    return losses.std() / np.sqrt(losses.size)


def test_a_tree_that_cannot_be_cut_needs_no_standard_error():
    table = noisy()
    pruning = prune(table, Tree.root(table), standard_errors=1)
    assert (len(pruning.steps), pruning.chosen) == (1, 0)


def test_without_a_standard_error_the_least_is_chosen():
    nan = np.nan
    assert smallest_within(np.array([0.3, 0.1, 0.2]), np.array([nan, nan, nan]), 1, 2.0) == 1
    assert smallest_within(np.array([0.3, 0.1, 0.2]), np.array([0.0, 0.1, 0.0]), 1, 1.0) == 2
    assert smallest_within(np.array([0.3, 0.1, 0.2]), np.array([0.0, 0.1, 0.0]), 1, 0.5) == 1


@given(st.integers(0, 10**6), st.sampled_from(["mean", "median", "classes", "costs", "label"]))
def test_squared_losses_are_those_of_every_row(seed, kind):
    rng = np.random.default_rng(seed)
    n = 40
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "w": rng.integers(0, 4, n)})
    number = kind in ("mean", "median", "label")
    frame["t"] = 1000.0 + rng.normal(size=n) if number else rng.choice(list("uvw"), n)
    frame.loc[:2, "t"] = [999.0, 1000.0, 1001.0] if number else list("uvw")
    table = Table.from_frame(frame, target="t", weights="w").with_partition(validation=0.5, seed=seed)
    tree = halved(table, ["a", "b"], 3)
    if kind == "median":
        tree = tree.with_leaf_rule(table, LeafRule("median"))
    if kind == "costs":
        rule = LeafRule(costs=(("u", "v", 3.0),), priors=(("u", 0.5), ("v", 0.3), ("w", 0.2)))
        tree = tree.with_leaf_rule(table, rule)
    if kind == "label":
        tree = tree.with_mark(1, label=998.5)
    factors, costs = tree.leaf_rule.class_factors(tree.classes, tree.train[0]), tree.leaf_rule.cost_matrix(tree.classes)
    found = squared_losses(table, tree)
    at, weights = assign(table, tree), table.weights
    for i in range(tree.n_nodes):
        total = 0.0
        for row in at.rows_of(i):
            if table.part[row] != 1:
                continue
            if number:
                beyond = abs(table.y[row] + table.origin - tree.predictions[i])
                loss = beyond if kind == "median" else beyond**2
            else:
                loss = factors[table.y[row]] * costs[table.y[row], tree.labels[i]]
            total += weights[row] * loss**2
        assert found[i] == pytest.approx(total, rel=1e-9, abs=1e-9)


# -- verdicts


def test_every_split_can_tell_what_was_compared():
    table = noisy(n=300).with_partition(validation=0.4)
    tree = grow(table, min_leaf=5)
    pruning = prune(table, tree)
    verdicts, chosen = pruning.verdicts, pruning.tree(pruning.chosen)
    alpha = pruning.steps[pruning.chosen].alpha
    splits = np.flatnonzero(tree.n_branches > 0)
    stayed = np.isin(tree.ids[splits], chosen.ids[chosen.n_branches > 0])
    shown = np.isin(tree.ids[splits], chosen.ids)
    worse = verdicts.leaf[splits] > verdicts.branch[splits] + 1e-12
    assert np.array_equal(worse[shown], stayed[shown])
    assert np.isnan(verdicts.leaf[tree.n_branches == 0]).all()
    charge = chosen.loss("train") + alpha * chosen.n_leaves
    assert verdicts.branch[0] == pytest.approx(charge)
    assert "per leaf: " in verdicts.words(0) and verdicts.words(0).startswith("Training error + ")


def test_nothing_was_compared_at_splits_that_stay_anyway():
    table = noisy().with_partition(validation=0.4)
    tree = halved(table, ["b", "a"], 4)
    by_hand = np.arange(tree.n_nodes) == tree.position(5)
    tree = replace(tree, nodes=tree.nodes._replace(by_hand=by_hand))
    for method in ("cost_complexity", "reduced_error"):
        pruning = prune(table, tree, method, keep_by_hand=True)
        if pruning.verdicts is not None:
            assert pruning.verdicts.words(0) == ""


def test_a_fold_prunes_what_pays_exactly_the_price_whatever_the_rounding():
    table = noisy(seed=1).with_partition(validation=0.3)
    tree = grow(table)
    link = prices_of(table, tree, "risk")
    prices = np.unique(link[np.isfinite(link) & (link > 0)])
    assert prices.size > 3
    exact = judged(table, tree, link, prices).losses
    for off in (-2e-16, 2e-16):
        assert judged(table, tree, link, prices * (1 + off)).losses.tolist() == exact.tolist()
