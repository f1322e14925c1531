"""Structural risk: against the notes' recursion and their table, with the corrections that both need."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.growing import grow
from engine.pruning.result import prune
from engine.pruning.sequence import locked, size_sequence
from engine.runtime.errors import InputError
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree
from tests import naive_pruning as naive
from tests.effort import examples
from tests.frames import frames
from tests.marked import table_and_tree, with_random_marks
from tests.naive_pruning import costed_shapes

INFINITE = math.inf


def notes_prune(k, children, errors, v=0):
    """prune(k, T) of the notes: (the size of the smallest pruning with at most k errors, its leaves).

    Corrected: i runs from 0, not from 1.
    """
    if not children[v]:
        return (1 if errors[v] <= k else INFINITE), frozenset([v])
    if errors[v] <= k:
        return 1, frozenset([v])
    left, right = children[v]
    best = (INFINITE, frozenset([v]))
    for i in range(k + 1):
        (size_0, leaves_0), (size_1, leaves_1) = (
            notes_prune(i, children, errors, left),
            notes_prune(k - i, children, errors, right),
        )
        if size_0 + size_1 + 1 < best[0]:
            best = (size_0 + size_1 + 1, leaves_0 | leaves_1)
    return best


def notes_table(most, children, errors):
    """The notes' dynamic programming: the size for every number of errors up to `most`.

    Corrected: a leaf with l errors has size 1 for all i ≥ l, so has a split for all i ≥ Errors(v), and it is s_i that
    is filled in from s_j and s_(i − j).
    """
    sizes = {}
    for v in reversed(range(len(children))):
        row = [1 if errors[v] <= i else INFINITE for i in range(most + 1)]
        if children[v]:
            left, right = (sizes[child] for child in children[v])
            for i in range(most + 1):
                row[i] = min(row[i], min(left[j] + right[i - j] for j in range(i + 1)) + 1)
        sizes[v] = row
    return sizes[0]


@examples(300)
@given(costed_shapes(4).filter(lambda tree: all(len(below) in (0, 2) for below in tree[0])), st.integers(0, 12))
def test_the_recursion_and_the_table_of_the_notes_agree_with_all_prunings(tree, k):
    children, errors = tree
    sizes = [2 * len(p) - 1 for p in naive.prunings(children) if naive.charge(p, errors, Fraction(0)) <= k]
    expected = min(sizes, default=INFINITE)
    assert notes_prune(k, children, errors)[0] == expected
    assert notes_table(k, children, errors)[k] == expected


def with_errors(tree, kind, by_hand):
    children = [tree.children(i) for i in range(tree.n_nodes)]
    return children, tree.costs(kind).tolist(), frozenset(np.flatnonzero(locked(tree, by_hand)).tolist())


@examples(300)
@given(frames(task="classes"), st.integers(0, 10**6), st.booleans(), st.data())
def test_it_is_the_best_of_all_prunings(frame, seed, by_hand, data):
    table, tree = table_and_tree(frame, seed, 6)
    tree = with_random_marks(tree, seed, ("pinned", "locked"), 0.1)
    children, errors, kept = with_errors(tree, "train", by_hand)
    every = naive.prunings(children, 0, kept)
    most = data.draw(st.sampled_from([3, 2000]))
    cut = prune(table, tree, "srm", keep_by_hand=by_hand, most_leaves=most)
    weight, m = tree.weight("train")[0], int(tree.rows_train[0])
    risk = min(sum(errors[v] for v in p) / weight + math.sqrt((2 * len(p) - 1) / m) for p in every)
    chosen = cut.tree(cut.chosen)
    assert chosen.error("train") + math.sqrt((2 * chosen.n_leaves - 1) / m) == pytest.approx(risk, rel=1e-9)
    for i, step in enumerate(cut.steps):
        small = cut.tree(i)
        assert (step.leaves, small.n_leaves) == (small.n_leaves, step.leaves)
        assert step.train_error == pytest.approx(small.error("train"), abs=1e-9)
        assert step.validation_error == pytest.approx(small.error("validation"), abs=1e-9, nan_ok=True)
    sizes = [step.leaves for step in cut.steps]
    assert sizes == sorted(set(sizes), reverse=True)
    assert set(sizes) <= {len(p) for p in every}
    if most == 2000:
        assert set(sizes) == {len(p) for p in every}


@examples(300)
@given(frames(task="classes"), st.integers(0, 10**6), st.integers(0, 20))
def test_the_fewest_leaves_with_at_most_so_many_errors(frame, seed, most):
    table, tree = table_and_tree(frame, seed, 6)
    children, errors, _ = with_errors(tree, "train", False)
    fit = [p for p in naive.prunings(children) if sum(errors[v] for v in p) <= most]
    if not fit:
        with pytest.raises(InputError, match="the fewest are"):
            prune(table, tree, "srm", max_errors=most)
        return
    cut = prune(table, tree, "srm", max_errors=most)
    chosen = cut.tree(cut.chosen)
    assert chosen.n_leaves == min(map(len, fit))
    assert chosen.costs("train")[chosen.leaves].sum() <= most + 1e-9
    if all(len(below) in (0, 2) for below in children) and table.weights is None:
        whole = [round(e) for e in errors]
        assert notes_table(most, children, whole)[most] == 2 * chosen.n_leaves - 1


@examples(200)
@given(frames(task="classes"), st.integers(0, 10**6), st.integers(0, 20), st.booleans())
def test_where_errors_are_allowed_each_split_tells_what_the_tree_errs_without_it(frame, seed, most, by_hand):
    table, tree = table_and_tree(frame, seed, 6)
    try:
        cut = prune(table, tree, "srm", max_errors=most, keep_by_hand=by_hand)
    except InputError:
        return
    chosen, kept = cut.tree(cut.chosen), locked(tree, by_hand)
    splits = set(chosen.ids[chosen.n_branches > 0].tolist())
    for i, node in enumerate(tree.ids.tolist()):
        if not tree.n_branches[i] or kept[i]:
            assert cut.verdicts.words(i) == ""
            continue
        without = chosen.collapse(node) if node in splits else chosen
        assert cut.verdicts.numbers[i] == pytest.approx(without.costs("train")[without.leaves].sum())
        assert (cut.verdicts.numbers[i] > most + 1e-9) == (node in splits)
        assert cut.verdicts.words(i).endswith(f" with this node as a leaf, {most} allowed.")


@examples(200)
@given(frames(task="classes", weighted=False), st.integers(0, 10**6), st.booleans())
def test_where_rows_choose_the_size_each_split_tells_of_the_size_that_would_turn_it_over(frame, seed, by_hand):
    table, tree = table_and_tree(frame, seed, 6)
    if not table.n_validation:
        return
    cut = prune(table, tree, "srm", judge="validation", keep_by_hand=by_hand)
    chosen, kept = cut.tree(cut.chosen), locked(tree, by_hand)
    splits = set(chosen.ids[chosen.n_branches > 0].tolist())
    errors = {step.leaves: step.validation_error for step in cut.steps}
    for i, node in enumerate(tree.ids.tolist()):
        said = cut.verdicts.words(i)
        if not tree.n_branches[i] or kept[i]:
            assert said == ""
            continue
        if node in splits:
            other = chosen.collapse(node).n_leaves
        else:  # with it and all above it, nothing else: what is chosen already stays
            above = [k for k in range(i + 1) if tree.end[k] > i and int(tree.ids[k]) not in splits]
            other = chosen.n_leaves + sum(int(tree.n_branches[k]) - 1 for k in above)
        assert cut.verdicts.numbers[i] == other
        assert (other < chosen.n_leaves) == (node in splits)
        if other in errors:
            assert errors[chosen.n_leaves] < errors[other] + (1e-9 if other > chosen.n_leaves else 0)
            assert number_words(errors[other]) in said
            assert f" with {other}, " in said
        else:
            assert said == ""


@examples(200)
@given(frames(task="classes"), st.integers(0, 10**6), st.booleans())
def test_the_verdicts_say_which_splits_stay(frame, seed, by_hand):
    """At the slope of the penalty the chosen tree is the cheapest, so the comparison at each node decides it."""
    table, tree = table_and_tree(frame, seed, 6)
    cut = prune(table, tree, "srm", keep_by_hand=by_hand)
    said, kept = cut.verdicts, locked(tree, by_hand)
    small = cut.tree(cut.chosen)
    splits = set(small.ids[small.n_branches > 0].tolist())
    for i in np.flatnonzero(tree.n_branches > 0).tolist():
        if kept[i]:
            assert int(tree.ids[i]) in splits
            continue
        if i and int(tree.ids[tree.parent[i]]) not in splits:
            continue  # gone with what stands above
        apart = said.branch[i] - said.leaf[i]
        assert (apart < 1e-9) if int(tree.ids[i]) in splits else (apart > -1e-9)


def noisy(n=400, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n), "c": random.choice(list("xyz"), n)})
    signal = (frame.a > 0) * 2.0 + (frame.c == "x") + random.normal(size=n)
    frame["y"] = np.where(signal > 1.2, "yes", "no")
    return Table.from_frame(frame, target="y")


def test_a_front_that_ends_early_changes_no_choice_of_the_penalty():
    table = noisy(3000)
    tree = grow(table)
    cuts = [prune(table, tree, "srm", most_leaves=most) for most in (1, 5, 2000)]
    assert len({cut.steps[cut.chosen].leaves for cut in cuts}) == 1
    assert 2 <= cuts[0].steps[cuts[0].chosen].leaves < 10
    sizes = {step.leaves: step.train_error for step in cuts[2].steps}
    for step in cuts[0].steps:
        assert step.train_error == pytest.approx(sizes[step.leaves])
        assert step.leaves in (1, tree.n_leaves) or not np.isnan(step.alpha)


def test_beyond_the_front_few_leaves_for_errors_say_where_was_looked():
    table = noisy(1000)
    tree = grow(table)
    near = prune(table, tree, "srm", max_errors=60)
    assert near.remark == ""
    far = prune(table, tree, "srm", max_errors=60, most_leaves=3)
    assert "up to 3 leaves" in far.remark
    assert far.steps[far.chosen].leaves >= near.steps[near.chosen].leaves


def test_validation_rows_choose_on_request():
    table = noisy(1000).with_partition(validation=0.4)
    tree = grow(table)
    cut = prune(table, tree, "srm", judge="validation")
    errors = [step.validation_error for step in cut.steps]
    assert errors[cut.chosen] == min(errors)
    assert cut.chosen == max(i for i, error in enumerate(errors) if error == min(errors))
    with pytest.raises(InputError, match=r"(?i)needs validation rows"):
        prune(noisy(), grow(noisy()), "srm", judge="validation")


def test_folds_choose_on_request_as_their_definition_says():
    """Each fold by hand: a tree grown without it, cut back to the best with at most so many leaves, judged."""
    table = noisy(200)
    tree, frame = grow(table, max_depth=4), table.to_frame()
    given = np.arange(200) % 4
    cut = prune(table, tree, "srm", judge="folds", folds=given)
    wrong = np.zeros(len(cut.steps))
    for k in range(4):
        rest = Table.from_frame(frame[given != k], target="y")
        grown = grow(rest, max_depth=4)
        smaller = prune(rest, grown, "srm")
        for i, step in enumerate(cut.steps):
            fits = next(j for j, other in enumerate(smaller.steps) if other.leaves <= step.leaves)
            wrong[i] += np.sum(smaller.tree(fits).predict(frame[given == k]) != frame.y[given == k])
    assert np.allclose([step.cv_error for step in cut.steps], wrong / 200)
    assert cut.steps[cut.chosen].cv_error == min(step.cv_error for step in cut.steps)
    assert all(step.cv_se > 0 for step in cut.steps)


def test_dearer_mistakes_of_one_price_change_no_choice():
    table = noisy(1000)
    tree = grow(table, max_depth=6)
    dear = tree.with_leaf_rule(table, LeafRule(costs=(("yes", "no", 7.0), ("no", "yes", 7.0))))
    plain, priced = prune(table, tree, "srm"), prune(table, dear, "srm")
    assert plain.chosen == priced.chosen
    assert priced.steps[0].train_error == pytest.approx(7 * plain.steps[0].train_error)


def test_a_numeric_target_is_refused():
    table = Table.from_frame(noisy(100).to_frame().assign(y=range(100)), target="y")
    with pytest.raises(InputError, match="shares between 0 and 1"):
        prune(table, Tree.root(table), "srm")


def test_a_single_leaf_is_all_there_is():
    table = noisy()
    for options in ({}, {"judge": "folds"}, {"max_errors": 400}):
        cut = prune(table, Tree.root(table), "srm", **options)
        assert [step.leaves for step in cut.steps] == [1]
        assert cut.tree(0).n_nodes == 1


def test_the_sizes_have_the_weakest_links_beyond_its_front():
    table = noisy(2000)
    tree = grow(table)
    cost = tree.costs()
    short, long = (size_sequence(tree, cost, 2000.0, False, most) for most in (10, 2000))
    assert long.leaves.tolist() == list(range(tree.n_leaves, 0, -1))
    assert short.leaves[-10:].tolist() == list(range(10, 0, -1))
    for size, total in zip(short.leaves, short.sums[0], strict=True):
        assert total == pytest.approx(long.sums[0][tree.n_leaves - size])
