"""Which leaves pass a filter, which are the best, and what is said of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.assessment.effective_rows import count_effective_rows
from engine.assessment.leaf_bounds import LEAST_ROWS, bound_means, bound_rates
from gui.model.history import State
from gui.picture.leaves import (
    HIGHEST,
    LOWEST,
    LeafFilter,
    asked_words,
    best_leaves,
    judging_part,
    lit,
    passed_words,
    passing,
    said_shares,
    wanted_of,
    with_ways,
)
from gui.picture.nodes.figures import disagreeing, keep_effective_rows
from tests.gui.canvas.trees import five_nodes, people, random_tree

LIMITS = st.builds(
    LeafFilter,
    rows=st.none() | st.integers(1, 2_000),
    share=st.none() | st.floats(0.001, 0.5),
    confidence=st.none() | st.floats(0.3, 1.0),
    spread=st.none() | st.floats(1.0, 60.0),
)


def slow_passing(tree, wanted, part):
    found = []
    for i in range(tree.n_nodes):
        rows = int((tree.rows_validation if part == "validation" else tree.rows_train)[i])
        every = int((tree.rows_validation if part == "validation" else tree.rows_train)[0])
        stats = (tree.validation if part == "validation" else tree.train)[i]
        passes = tree.n_branches[i] == 0
        passes &= wanted.rows is None or rows >= wanted.rows
        passes &= wanted.share is None or rows >= wanted.share * every
        if tree.task == "classes" and wanted.confidence is not None:
            passes &= stats.sum() > 0 and stats[tree.labels[i]] / stats.sum() >= wanted.confidence - 1e-12
        if tree.task == "number" and wanted.spread is not None:
            passes &= stats[0] > 0 and np.sqrt(stats[2] / stats[0]) <= wanted.spread
        found.append(bool(passes))
    return found


@given(st.integers(0, 200), LIMITS, st.sampled_from(["classes", "number"]), st.sampled_from(["train", "validation"]))
def test_leaves_pass_as_one_asks_them_one_by_one(seed, wanted, task, part):
    tree = random_tree(41, task=task, seed=seed, lean=0.3)
    assert passing(tree, wanted, part).tolist() == slow_passing(tree, wanted, part)


@given(st.integers(0, 200), LIMITS)
def test_the_ways_to_what_passes_are_lit(seed, wanted):
    tree = random_tree(41, seed=seed, lean=0.3)
    found = passing(tree, wanted)
    slow = np.zeros(tree.n_nodes, dtype=bool)
    for i in np.flatnonzero(found):
        while i >= 0:
            slow[i] = True
            i = int(tree.parent[i])
    assert with_ways(tree, found).tolist() == slow.tolist()
    assert lit(tree, wanted, "train").lit.tolist() == slow.tolist()


def test_what_cards_call_eighty_percent_passes_eighty_percent():
    table = people()
    tree = five_nodes(table)
    exact = float(said_shares(tree, "train")[tree.leaves[0]])
    assert passing(tree, LeafFilter(confidence=exact))[tree.leaves[0]]


def test_four_rows_of_five_are_eighty_percent_whatever_each_weighs():
    """Of weights that floating-point numbers do not hold exactly it is a little less."""
    frame = pd.DataFrame({"x": range(5), "y": ["yes"] * 4 + ["no"], "w": [0.3] * 5})
    tree = engine.Tree.root(engine.Table.from_frame(frame, target="y", weights="w"))
    assert said_shares(tree, "train")[0] < 0.8
    assert passing(tree, LeafFilter(confidence=0.8))[0]


def test_a_filter_asks_something_of_its_task_only():
    assert not LeafFilter(confidence=0.9).asks("number") and not LeafFilter(spread=2.0).asks("classes")
    assert LeafFilter(confidence=0.9).asks("classes") and LeafFilter(rows=1).asks("number")
    assert not LeafFilter().asks("classes")


@pytest.mark.parametrize(
    ("wanted", "task", "part", "said"),
    [
        (LeafFilter(rows=50, confidence=0.8), "classes", "train", "≥ 50 rows, ≥ 80 % sure"),
        (LeafFilter(rows=1), "classes", "train", "≥ 1 row"),
        (LeafFilter(share=0.025), "classes", "train", "≥ 2.5 % of the rows"),
        (LeafFilter(rows=1200, spread=3.5), "number", "train", "≥ 1,200 rows, spread ≤ 3.5"),
        (LeafFilter(rows=50), "classes", "validation", "≥ 50 validation rows"),
        (LeafFilter(confidence=0.825), "classes", "validation", "≥ 82.5 % sure on validation rows"),
    ],
)
def test_a_filter_in_words(wanted, task, part, said):
    assert asked_words(wanted, task, part) == said


def test_how_many_pass_in_words():
    assert passed_words(12, 140) == "12 of 140 leaves" and passed_words(0, 1) == "0 of 1 leaf"


def unweighted(tree):
    """The tree, whose fractions of rows stand for no weights."""
    keep_effective_rows(tree, np.column_stack((tree.rows_train, tree.rows_validation)).astype(float))
    return tree


def slow_best(tree, wanted, most=5):
    """By the rows that judge; leaves that are no better than all of them are left out."""
    part = "validation" if tree.rows_validation[0] else "train"
    rows = (tree.rows_validation if part == "validation" else tree.rows_train).astype(float)
    numbers, sign = tree.task == "number", -1 if wanted == LOWEST else 1
    bounds = bound_means(tree, sign < 0, part, rows) if numbers else bound_rates(tree, wanted, part, rows)
    found, stats = [], tree.stats(part)

    def rate(i):
        return stats[i, 1] / stats[i, 0] if numbers else stats[i, wanted] / stats[i].sum()

    for i, bound in zip(tree.leaves.tolist(), bounds.tolist(), strict=True):
        if rows[i] and sign * (rate(i) - rate(0)) > 1e-12:
            found.append((-sign * bound if np.isfinite(bound) else np.inf, -rows[i], -sign * rate(i), i))
    return [i for *_, i in sorted(found)[:most]]


@pytest.mark.parametrize("validation", [True, False])
@given(st.integers(0, 300), st.sampled_from([0, 1, 2]))
def test_the_best_leaves_for_a_class(validation, seed, wanted):
    tree = unweighted(random_tree(41, classes=("a", "b", "c"), seed=seed, lean=0.3, validation=validation))
    found = best_leaves(tree, wanted)
    assert [leaf.position for leaf in found] == slow_best(tree, wanted)
    part = judging_part(tree)
    for leaf in found:
        assert leaf.rows == tree.rows_train[leaf.position]
        assert leaf.rate == pytest.approx(tree.train[leaf.position, wanted] / tree.train[leaf.position].sum())
        assert leaf.validation_rows == tree.rows_validation[leaf.position]
        judged = leaf.validation_rate if part == "validation" else leaf.rate
        assert leaf.bound <= judged and judged > tree.stats(part)[0, wanted] / tree.stats(part)[0].sum()


@given(st.integers(0, 300), st.sampled_from([HIGHEST, LOWEST]))
def test_the_highest_and_the_lowest_means(seed, wanted):
    tree = unweighted(random_tree(41, task="number", seed=seed, lean=0.3))
    found = best_leaves(tree, wanted)
    assert [leaf.position for leaf in found] == slow_best(tree, wanted)
    for leaf in found:  # what it is ranked by is nearer to all others than its mean
        rows, mean = leaf.rows, leaf.rate
        if judging_part(tree) == "validation":
            rows, mean = leaf.validation_rows, leaf.validation_rate
        if rows < LEAST_ROWS:
            assert np.isnan(leaf.bound)
        else:
            assert leaf.bound <= mean if wanted == HIGHEST else leaf.bound >= mean


def leaves_of(counts):
    """A tree of one split whose leaves hold these counts of (no, yes)."""
    tree = five_nodes(people())
    train = np.array(counts, dtype=float)
    both = np.concatenate((train.sum(axis=0, keepdims=True), train[:2].sum(axis=0, keepdims=True), train))
    rows, none = both.sum(axis=1).astype(np.int64), np.zeros(len(both), np.int64)
    nodes = tree.nodes._replace(train=both, rows_train=rows, validation=0 * both, rows_validation=none)
    return replace(tree, nodes=nodes)


def test_a_pure_leaf_of_few_rows_does_not_lead():
    """Three bounds that hold at once: of 4 rows that are all of the class (0.05 ÷ 3) to the power of 1 ÷ 4, 36 %; of
    180 in 200 85 %. What is below the average is not listed."""
    found = best_leaves(leaves_of([[0, 4], [20, 180], [100, 0]]), 1)
    assert [(leaf.position, leaf.rows) for leaf in found] == [(3, 200), (2, 4)]
    assert found[0].bound == pytest.approx(0.8453, abs=1e-4)
    assert found[1].bound == pytest.approx((0.05 / 3) ** 0.25, abs=1e-6)


def test_validation_rows_judge_where_there_are_any():
    """The purest leaf of the training rows has none of the class among its validation rows."""
    tree = leaves_of([[0, 50], [20, 180], [100, 5]])
    validation = np.array([[60, 45], [15, 45], [5, 0], [10, 45], [45, 0]], dtype=float)
    rows = validation.sum(axis=1).astype(np.int64)
    found = best_leaves(replace(tree, nodes=tree.nodes._replace(validation=validation, rows_validation=rows)), 1)
    assert [(leaf.position, leaf.validation_rows) for leaf in found] == [(3, 55)]
    assert found[0].bound < found[0].validation_rate


def test_weighted_rows_count_as_many_as_they_are_worth():
    random = np.random.default_rng(4)
    frame = pd.DataFrame({"x": random.random(300), "w": np.exp(random.normal(size=300))})
    frame["y"] = np.where(frame.x + random.normal(0, 0.3, 300) > 0.5, "yes", "no")
    table = engine.Table.from_frame(frame, "y", weights="w").with_partition(validation=0.5, seed=1)
    tree = engine.grow(table, max_leaves=4)
    assert all(np.isnan(leaf.bound) for leaf in best_leaves(tree, 1))  # nobody has looked at the rows
    assert not disagreeing(tree).any()
    State(table, shown := tree.collapse(int(tree.ids[1]))).step("")
    effective = count_effective_rows(table, shown)
    bounds = dict(zip(shown.leaves, bound_rates(shown, 1, "validation", effective[:, 1]), strict=True))
    found = best_leaves(shown, 1)
    assert found and all(leaf.bound == pytest.approx(bounds[leaf.position]) for leaf in found)


def test_only_leaves_that_pass_the_filter_are_ranked():
    tree = leaves_of([[0, 4], [20, 180], [100, 1]])
    found = best_leaves(tree, 1, LeafFilter(confidence=0.95), "train")
    assert [leaf.position for leaf in found] == [2]


def test_a_class_that_no_row_has_has_no_best_leaves():
    assert best_leaves(leaves_of([[5, 0], [7, 0], [9, 0]]), 1) == []


def test_a_choice_that_the_tree_does_not_know_is_the_class_in_focus():
    table = people(target="city")
    tree = engine.Tree.root(table)
    assert wanted_of(tree, "Berlin", 3) == 1 and wanted_of(tree, "yes", 3) == 3
    number = engine.Tree.root(people(target="income"))
    assert wanted_of(number, LOWEST, 0) == LOWEST and wanted_of(number, "Berlin", 0) == HIGHEST


def test_extreme_means_of_a_few_rows_do_not_lead():
    """One row of 90 and two of 80 come after 40 rows of mean 50; three equal ones of 70 are no certain 70 either."""
    tree = five_nodes(people(target="income"))

    def ranked(*leaves):
        counts = np.array([(n, n * mean, n * variance) for n, mean, variance in leaves], dtype=float)
        train = np.zeros((tree.n_nodes, 3))
        train[0], train[tree.leaves] = (100, 1_000, 100 * 400.0), counts
        rows = np.zeros(tree.n_nodes, dtype=np.int64)
        rows[0], rows[tree.leaves] = 100, counts[:, 0]
        none = {"validation": 0 * train, "rows_validation": 0 * rows}
        now = replace(tree, nodes=tree.nodes._replace(train=train, rows_train=rows, **none))
        return [leaf.rows for leaf in best_leaves(now, HIGHEST)]

    assert ranked((1, 90, 0), (2, 80, 0), (40, 50, 25)) == [40, 2, 1]
    assert ranked((3, 70, 0), (1, 95, 0), (40, 60, 25)) == [40, 3, 1]
