"""Rows down packed nodes, against rows that are divided node by node."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.pruning.raising import numbers_of_rows, ways_of
from engine.tree.assignment import _node_by_node
from engine.tree.kernels.row_by_row import BY_LEVELS, LEAF, OTHER, find_leaves
from tests import marked
from tests.frames import frames

SEEDS = st.integers(0, 10**6)


def kinds_and_leaves(table, tree):
    """(the first number of each node's pack, the leaf that each row reaches down the packed nodes)."""
    rows = np.arange(table.n_rows, dtype=np.uint32)
    ways, columns = ways_of(table, tree)
    found = np.zeros(table.n_rows, np.int64)
    find_leaves(ways, numbers_of_rows(tree, columns, rows), np.arange(table.n_rows), found, table.n_rows)
    return ways.pack[::4], found


def leaves_by_division(table, tree):
    """The leaf of each row, from its node's rows divided by the split."""
    at, found = _node_by_node(table, tree), np.empty(table.n_rows, np.uint32)
    for leaf in tree.leaves:
        found[at.rows_of(leaf)] = leaf
    return found


@given(frames(task="classes"), SEEDS, st.integers(1, 7))
def test_every_row_reaches_its_leaf(frame, seed, n_splits):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    kinds, found = kinds_and_leaves(table, tree)
    assert found.tolist() == leaves_by_division(table, tree).tolist()
    assert ((kinds == LEAF) == (tree.n_branches == 0)).all()


@st.composite
def splits(draw, n_levels):
    """A split of column a, numbers with missing ones, or of column b, with so many levels."""
    if draw(st.booleans()):
        return engine.Split("a", "threshold", (draw(st.integers(-1, 8)) + 0.5,), missing=draw(st.integers(0, 1)))
    branches = draw(st.lists(st.sampled_from([0, 1, 2]), min_size=n_levels, max_size=n_levels))  # 2: not named
    groups = tuple(tuple(f"{i:02}" for i, branch in enumerate(branches) if branch == b) for b in (0, 1))
    return engine.Split("b", "groups", (), groups, missing=draw(st.integers(0, 1)), unseen=draw(st.integers(0, 1)))


@given(st.data(), st.sampled_from([2, 5, 28, 29, 30, 31, 32, 33, 40, 70]), SEEDS)
def test_levels_up_to_the_last_bit_and_beyond(data, n_levels, seed):
    random, n = np.random.default_rng(seed), 3 * n_levels
    levels = np.array([f"{i % n_levels:02}" for i in range(n)], object)
    levels[2 * n_levels :][random.random(n_levels) < 0.5] = None
    values = np.where(random.random(n) < 0.3, np.nan, random.integers(0, 8, n))
    frame = pd.DataFrame({"a": values, "b": levels, "y": random.choice(["u", "v"], n)})
    frame.loc[:1, "y"], frame.loc[:1, "a"] = ["u", "v"], [0.0, 7.0]
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table)
    for _ in range(data.draw(st.integers(1, 4))):
        leaf = int(tree.ids[data.draw(st.sampled_from(tree.leaves.tolist()))])
        tree = tree.split(table, leaf, data.draw(splits(n_levels)))
    kinds, found = kinds_and_leaves(table, tree)
    assert found.tolist() == leaves_by_division(table, tree).tolist()
    by_level = [i for i in np.flatnonzero(tree.n_branches) if tree.split_at(i).column == "b"]
    assert n_levels > 30 or all(kinds[i] & BY_LEVELS and not kinds[i] & OTHER for i in by_level)
