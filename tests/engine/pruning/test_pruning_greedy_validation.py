"""Greedy pruning on validation rows against its definition: on shapes and costs that no table gives, and on tables."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.growing import grow
from engine.pruning.kernels import greedy_cuts
from engine.pruning.result import prune
from engine.table.table import Table
from engine.tree.tree import Tree
from tests import naive_pruning as naive
from tests.effort import examples
from tests.engine.pruning.small_trees import arrays, costed, halved, noisy, staircase, with_ancestors


def ends(children, v=0):
    """One past each node's branch, in preorder."""
    found = {}

    def walk(v):
        last = v + 1
        for child in children[v]:
            last = walk(child)
        found[v] = last
        return last

    walk(0)
    return np.array([found[v] for v in range(len(children))], np.int32)


def kernel(children, cost, locked=frozenset()):
    parent, _ = arrays(children)
    is_locked = np.isin(np.arange(len(children)), list(locked))
    return greedy_cuts(np.array(cost, float), 1e-9, parent, ends(children), is_locked)


def shown(children, gone, cuts):
    """The leaves after so many cuts."""
    parent, _ = arrays(children)
    return frozenset(v for v in range(len(children)) if gone[v] <= cuts and (v == 0 or gone[parent[v]] > cuts))


@examples(1000)
@given(costed(), st.data())
def test_cuts_are_those_of_the_definition(tree, data):
    children, cost = tree
    splits = [v for v, below in enumerate(children) if below]
    locked = with_ancestors(children, data.draw(st.sets(st.sampled_from(splits)) if splits else st.just(set())))
    path = naive.greedy(children, cost, locked)
    gone, gains, _ = kernel(children, cost, locked)
    assert np.rint(gains * 1e-9).tolist() == [gain for gain, _ in path[1:]]
    for cuts, (_, leaves) in enumerate(path):
        assert shown(children, gone, cuts) == leaves


@given(costed())
def test_it_is_never_better_than_reduced_error_pruning(tree):
    children, cost = tree
    gone, gains, _ = kernel(children, cost)
    harmless = next((i for i, gain in enumerate(gains) if gain < 0), len(gains))
    errors, _ = naive.reduced_error(children, cost)
    assert sum(cost[v] for v in shown(children, gone, harmless)) >= errors


def test_a_cut_high_up_may_forestall_two_better_ones():
    # cutting both branches would leave 3 + 2 errors of 10, cutting the root leaves 6: but that saves 4 at once, the
    # branches save 2 and 3
    children, cost = [[1, 4], [2, 3], [], [], [5, 6], [], []], [6, 3, 2, 3, 2, 2, 3]
    gone, _, _ = kernel(children, cost)
    assert shown(children, gone, 1) == {0}
    assert naive.reduced_error(children, cost)[0] == 5


def test_a_staircase_is_cut_from_its_foot():
    depth = 300
    parent, n_branches = staircase(depth)
    n = 2 * depth + 1
    end = np.where(n_branches > 0, n, np.arange(1, n + 1)).astype(np.int32)
    cost = np.zeros(n)
    cost[0::2] = np.arange(depth, -1, -1.0) ** 2  # the deeper the less does a cut do harm
    gone, _, _ = greedy_cuts(cost, 1e-9, parent, end, np.zeros(n, bool))
    assert gone[0:-1:2].tolist() == list(range(depth, 0, -1))


@given(st.integers(0, 10**6), st.sampled_from(["classes", "number"]))
@examples(30)
def test_of_tables_it_is_the_definition_too(seed, task):
    rng = np.random.default_rng(seed)
    n = 60
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "w": rng.integers(1, 4, n)})
    frame["t"] = rng.integers(0, 3, n)
    frame.loc[:2, "t"] = [0, 1, 2]
    kind = "number" if task == "number" else "nominal"
    table = Table.from_frame(frame, target="t", weights="w", kinds={"t": kind}).with_partition(validation=0.3)
    tree = halved(table, ["a", "b"], 3)
    cut = prune(table, tree, "greedy_validation")
    best = prune(table, tree, "reduced_error")
    assert cut.steps[cut.chosen].validation_error >= best.steps[best.chosen].validation_error - 1e-12
    cost = tree.costs("validation")
    for i, step in enumerate(cut.steps):
        pruned = cut.tree(i)
        assert step.validation_error == pytest.approx(pruned.loss("validation"), abs=1e-12)
        gain = -np.inf
        standing = set(pruned.ids[pruned.n_branches > 0].tolist())
        for v in range(tree.n_nodes):
            if int(tree.ids[v]) in standing:
                leaves = [u for u in range(v, tree.end[v]) if tree.ids[u] in set(pruned.ids[pruned.leaves].tolist())]
                gain = max(gain, float(cost[leaves].sum() - cost[v]))
        if i < cut.chosen:
            assert gain >= -1e-9
            assert cut.steps[i + 1].alpha * table.weights[table.part == 1].sum() == pytest.approx(gain, abs=1e-9)
        if i == cut.chosen:
            assert gain < 0


def test_kept_splits_stay_and_verdicts_tell_of_the_others():
    table = noisy(n=400).with_partition(validation=0.4)
    tree = grow(table, min_leaf=5)
    split = int(np.flatnonzero(tree.n_branches)[-1])
    pinned = tree.with_mark(int(tree.ids[split]), pinned=True)
    cut = prune(table, pinned, "greedy_validation")
    smallest = cut.tree(-1)
    assert smallest.n_branches[smallest.position(int(tree.ids[split]))] > 0
    above = [v for v in range(tree.n_nodes) if v <= split < tree.end[v]]
    assert all(cut.verdicts.words(v) == "" for v in above)
    chosen = set(cut.tree(cut.chosen).ids[cut.tree(cut.chosen).n_branches > 0].tolist())
    for v in np.flatnonzero(tree.n_branches):
        if v in above:
            continue
        stays = int(tree.ids[v]) in chosen
        if stays:
            assert cut.verdicts.leaf[v] > cut.verdicts.branch[v]
    assert cut.verdicts.words(int(np.flatnonzero((tree.n_branches > 0) & ~np.isin(range(tree.n_nodes), above))[0]))


def test_a_leaf_is_cut_no_further():
    table = noisy().with_partition(validation=0.4)
    assert len(prune(table, Tree.root(table), "greedy_validation").steps) == 1
