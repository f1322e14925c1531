"""The whole front: against every pruning of small trees, and against the weakest links, whose corners it has."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.pruning.sequence as room
from engine.growing import grow
from engine.pruning.sequence import front, locked
from engine.runtime.errors import InputError
from engine.table.table import Table
from engine.tree.kernels.structure import structure, weakest_links
from tests import naive_pruning as naive
from tests.effort import examples
from tests.frames import frames
from tests.marked import table_and_tree, with_random_marks
from tests.naive_pruning import costed_shapes as costed


def tree_of(children):
    """What the front asks of a tree."""
    n_branches = np.array([len(below) for below in children], np.int32)
    parent, end, level, branch = (np.empty(len(children), np.int32) for _ in range(4))
    assert structure(n_branches, parent, end, level, branch)
    return SimpleNamespace(n_nodes=len(children), n_branches=n_branches, parent=parent, end=end)


def best_by_size(children, cost, kept):
    """The least cost among all prunings of every size."""
    least = {}
    for leaves in naive.prunings(children, 0, kept):
        total = sum(cost[v] for v in leaves)
        least[len(leaves)] = min(total, least.get(len(leaves), total))
    return least


@examples(1000)
@given(costed(), st.data())
def test_the_front_is_the_best_of_all_prunings(shaped, data):
    children, cost = shaped
    splits = [v for v, below in enumerate(children) if below]
    chosen = data.draw(st.sets(st.sampled_from(splits)) if splits else st.just(set()))
    kept = naive.with_ancestors(children, chosen)
    other = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(cost), max_size=len(cost))), float)
    cap = data.draw(st.integers(1, 12))
    tree = tree_of(children)
    found = front(tree, np.array(cost, float), other, np.isin(np.arange(tree.n_nodes), list(kept)), cap)
    least = {size: total for size, total in best_by_size(children, cost, kept).items() if size <= cap}
    assert dict(zip(found.leaves.tolist(), found.costs.tolist(), strict=True)) == least
    every = naive.prunings(children, 0, kept)
    for size, total, beside in zip(found.leaves.tolist(), found.costs, found.beside, strict=True):
        leaves = frozenset(found.tops(size).tolist())
        assert leaves in every
        assert len(leaves) == size
        assert sum(cost[v] for v in leaves) == total
        assert other[list(leaves)].sum() == beside


def hull(leaves, costs):
    """The corners of the lower convex hull that fall, from many leaves to few, in exact arithmetic."""
    points = [(int(s), Fraction(c)) for s, c in zip(leaves, costs, strict=True)]
    corners = []
    for point in points:
        while len(corners) > 1:
            (s, c), (t, d) = corners[-2:]
            if (d - c) * (point[0] - s) < (point[1] - c) * (t - s):
                break
            corners.pop()
        corners.append(point)
    return corners


@examples(1000)
@given(costed())
def test_its_lower_hull_is_the_weakest_link_sequence(shaped):
    """Breiman's trees are the corners of the hull, for the whole line of prices."""
    children, cost = shaped
    tree = tree_of(children)
    nothing = np.zeros(tree.n_nodes, bool)
    found = front(tree, np.array(cost, float), np.array(cost, float), nothing, 50)
    alpha = weakest_links(np.array(cost, float), tree.parent, tree.n_branches, nothing)
    sequence = set()
    for price in [-np.inf, *alpha[np.isfinite(alpha)]]:
        gone = alpha <= price + 1e-9
        shown = [v for v in range(tree.n_nodes) if gone[v] and (v == 0 or not gone[tree.parent[v]])]
        sequence.add((len(shown), sum(cost[v] for v in shown)))
    assert set(hull(found.leaves, found.costs)) == {(s, Fraction(c)) for s, c in sequence}


@given(frames(), st.integers(0, 10**6), st.booleans())
def test_real_trees_have_the_costs_that_the_front_says(frame, seed, by_hand):
    _, tree = table_and_tree(frame, seed, 6)
    tree = with_random_marks(tree, seed, ("pinned", "locked", "label"), 0.1)
    kept = locked(tree, by_hand)
    cost, judged = tree.costs("train"), tree.costs("validation")
    found = front(tree, cost, judged, kept)
    children = [tree.children(i) for i in range(tree.n_nodes)]
    least = best_by_size(children, cost.tolist(), frozenset(np.flatnonzero(kept).tolist()))
    assert found.leaves.tolist() == sorted(least)
    assert found.costs == pytest.approx([least[size] for size in sorted(least)], abs=1e-9)
    for size, total, beside in zip(found.leaves.tolist(), found.costs, found.beside, strict=True):
        small = found.tree(tree, size)
        assert small.n_leaves == size
        assert small.costs("train")[small.leaves].sum() == pytest.approx(total, abs=1e-9)
        assert small.costs("validation")[small.leaves].sum() == pytest.approx(beside, abs=1e-9)
        assert {int(tree.ids[i]) for i in np.flatnonzero(kept)} <= set(small.ids[small.n_branches > 0].tolist())
    assert found.tree(tree, tree.n_leaves) is tree


def grown(n=3000, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n), "c": random.choice(list("xyz"), n)})
    frame["y"] = np.where(frame.a + random.normal(size=n) > 0, "p", "q")
    return grow(Table.from_frame(frame, target="y"))


def whole(tree, most_leaves=room.MOST_LEAVES):
    return front(tree, tree.costs(), tree.costs(), locked(tree, False), most_leaves)


def test_a_cap_ends_the_front_and_changes_nothing_below_it():
    tree = grown()
    every, some = whole(tree), whole(tree, 17)
    assert every.leaves.tolist() == list(range(1, tree.n_leaves + 1))
    assert some.leaves.tolist() == list(range(1, 18))
    assert np.array_equal(some.costs, every.costs[:17])
    assert some.tree(tree, 11).ids.tolist() == every.tree(tree, 11).ids.tolist()


def test_choices_that_would_fill_the_memory_end_it_earlier(monkeypatch):
    tree = grown()
    every = whole(tree)
    monkeypatch.setattr(room, "MOST_CHOICES", every.merges.given.size - 1)
    some = whole(tree)
    assert some.merges.given.size < every.merges.given.size
    assert some.cap == some.leaves[-1] == room.MOST_LEAVES // 4
    assert np.array_equal(some.costs, every.costs[: some.cap])


def test_a_path_of_ten_thousand_splits_has_a_front():
    depth = 10_000
    n_branches = np.zeros(2 * depth + 1, np.int32)
    n_branches[0:-1:2] = 2
    cost = np.zeros(2 * depth + 1)
    cost[0::2] = np.arange(depth, -1, -1.0) ** 2
    parent, end, level, branch = (np.empty(n_branches.size, np.int32) for _ in range(4))
    assert structure(n_branches, parent, end, level, branch)
    tree = SimpleNamespace(n_nodes=n_branches.size, n_branches=n_branches, parent=parent, end=end)
    found = front(tree, cost, cost, np.zeros(n_branches.size, bool), 300)
    assert np.array_equal(found.costs, np.arange(depth, depth - 300, -1.0) ** 2)
    assert found.merges.given.size == 0  # one branch of every split is a leaf: there is nothing to choose
    assert found.tops(300).size == 300


def test_sizes_that_are_not_there_are_named():
    tree = grown(200)
    found = whole(tree, 5)
    with pytest.raises(InputError, match="up to 5 leaves has 6 of them"):
        found.tree(tree, 6)
    with pytest.raises(InputError, match="cannot end at 0 leaves"):
        whole(tree, 0)
