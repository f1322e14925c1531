"""A branch in the place of its node, against a slow twin that sends each row down one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.tree.leaves import LeafRule
from tests import marked
from tests.frames import frames
from tests.naive_tree import naive_branch
from tests.same_trees import check_counts

SEEDS = st.integers(0, 10**6)


def rows_below(tree, frame, i, rows):
    """The rows of every node of the subtree at position i, in preorder, when these rows stand in it."""
    split = tree.split_at(i)
    found = [rows]
    for b, child in enumerate(tree.children(i)):
        found += rows_below(tree, frame, child, [row for row in rows if naive_branch(split, frame, row) == b])
    return found


@given(frames(), SEEDS, st.integers(1, 6), st.sampled_from(["mean", "median", "bins"]))
def test_a_branch_takes_the_place_of_its_node_with_all_rows(frame, seed, n_splits, more):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = marked.with_random_marks(tree, seed, ("note", "pinned", "label"))
    if tree.task == "number" and more != "mean":
        tree = tree.with_leaf_rule(table, LeafRule("median")) if more == "median" else tree.with_bins(table, 3)
    random = np.random.default_rng(seed)
    i = int(random.choice(np.flatnonzero(tree.n_branches)))
    branch = int(random.integers(tree.n_branches[i]))
    node, child = int(tree.ids[i]), tree.children(i)[branch]
    at = engine.assign(table, tree)
    after = tree.replace_with_branch(table, node, branch, assignment=at if seed % 2 else None)
    n_below = int(tree.end[child]) - child
    assert after.n_nodes == tree.n_nodes - (int(tree.end[i]) - i) + n_below
    assert after.ids[i : i + n_below].tolist() == [node, *tree.ids[child + 1 : tree.end[child]].tolist()]
    assert after.ids[i + n_below :].tolist() == tree.ids[tree.end[i] :].tolist()
    expected, now = rows_below(tree, frame, child, sorted(at.rows_of(i).tolist())), engine.assign(table, after)
    for k, rows in enumerate(expected):
        assert after.split_at(i + k) == tree.split_at(child + k)
        assert after.by_hand[i + k] == tree.by_hand[child + k]
        assert sorted(now.rows_of(i + k).tolist()) == rows
    check_counts(table, after)
    of_branch = int(tree.ids[child])
    assert after.mark(node) == (tree.mark(node) if node in tree.marks else tree.mark(of_branch))
    for kept in set(after.ids.tolist()) - {node}:
        assert after.mark(kept) == tree.mark(kept)


def test_what_cannot_take_its_place_is_said():
    table = engine.read_example("penguins")
    tree = engine.grow(table, max_depth=2)
    leaf, inner = int(tree.ids[tree.leaves[0]]), int(tree.ids[1])
    with pytest.raises(engine.InputError, match=f"Node {leaf} is a leaf"):
        tree.replace_with_branch(table, leaf, 0)
    with pytest.raises(engine.InputError, match="has no branch 2; it has the branches 0 to 1"):
        tree.replace_with_branch(table, 0, 2)
    with pytest.raises(engine.InputError, match=f"Node {inner} below node 0 is locked"):
        tree.with_mark(inner, locked=True).replace_with_branch(table, 0, 0)
