"""Which rows stand in which node: row numbers grouped by leaf, in preorder, so that every node is a slice.

All rows of the table are in it, whatever their part; row numbers ascend within a leaf.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.splits import Split, bind, branch_of_rows
from engine.table.table import Table
from engine.tree.arrays import TreeArrays
from engine.tree.descent import by_number, is_plain, reached_leaves
from engine.tree.kernels.route import count_classes, count_numbers, find_sides, move, partition_by_lookup

MOST_ROUTED = 300  # inner nodes; up to these it is quicker to divide the rows node by node than to send each one down
MOST_NAMED = 20_000  # numbers in the payload; with more, making the splits and their lookups is what takes the time


@dataclass(frozen=True, eq=False)
class Assignment:
    """The rows of every node of one tree.

    Attributes:
        rows: uint32[n_rows].
        start, stop: int64[n_nodes], by position: node i holds rows[start[i]:stop[i]].
    """

    rows: NDArray[np.uint32]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]

    @classmethod
    def root(cls, table: Table) -> "Assignment":
        """All rows in one node."""
        rows = np.arange(table.n_rows, dtype=np.uint32)
        return cls(rows, np.zeros(1, dtype=np.int64), np.full(1, table.n_rows, dtype=np.int64))

    def rows_of(self, position: int) -> NDArray[np.uint32]:
        """The row numbers of a node; ascending when it is a leaf."""
        return self.rows[self.start[position] : self.stop[position]]

    def split(self, table: Table, position: int, split: Split) -> "Assignment":
        """The assignment after the leaf at `position` was split: its children follow it."""
        rows = self.rows.copy()
        bounds = self.start[position] + route(table, split, rows[self.start[position] : self.stop[position]])
        after = position + 1
        return Assignment(
            rows,
            np.concatenate((self.start[:after], bounds[:-1], self.start[after:])),
            np.concatenate((self.stop[:after], bounds[1:], self.stop[after:])),
        )

    def collapse(self, position: int, end: int) -> "Assignment":
        """The assignment after the subtree position:end became a leaf."""
        rows = self.rows.copy()
        rows[self.start[position] : self.stop[position]].sort()
        keep = np.r_[0 : position + 1, end : self.start.size]
        return Assignment(rows, self.start[keep], self.stop[keep])


def route(table: Table, split: Split, rows: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Reorders `rows` by the branch that they take, stably; returns int64[n_branches + 1] bounds within it."""
    if split.kind == "m_of_n" or split.surrogates:
        return _route_by_branch(rows, branch_of_rows(split, table, rows), split.n_branches)
    binding = bind(split, table)
    codes = table.columns[binding.column].codes
    scratch = np.empty_like(rows)
    if binding.lookup is None and split.n_branches == 2:
        sides = np.empty(rows.size, np.uint8)
        n_left = find_sides(codes, rows, int(binding.cuts[0]), binding.missing, sides)[0]
        move(rows, sides, scratch)
        return np.array([0, n_left, rows.size], dtype=np.int64)
    lookup = binding.lookup
    if lookup is None:
        lookup = binding.branches(np.arange(table.columns[binding.column].n_values + 1))
    bounds = np.zeros(split.n_branches + 1, dtype=np.int64)
    partition_by_lookup(codes, rows, scratch, lookup, bounds)
    return bounds


def _route_by_branch(rows: NDArray[np.uint32], branch: NDArray[np.uint16], n_branches: int) -> NDArray[np.int64]:
    """As `route`, from the branch of each row."""
    parts = [rows[branch == b] for b in range(n_branches)]
    rows[:] = np.concatenate(parts)
    return np.cumsum([0, *(part.size for part in parts)])


def assign(table: Table, tree: TreeArrays) -> Assignment:
    """Sends every row of the table down the tree.

    Raises:
        InputError: a split of the tree does not bind to this table.
    """
    if tree.n_nodes == 1:
        return Assignment.root(table)
    large = np.count_nonzero(tree.n_branches) > MOST_ROUTED or tree.payload.size > MOST_NAMED
    if large and is_plain(tree):
        return _by_leaf(reached_leaves(table, tree), tree.end)
    return _node_by_node(table, tree)


def leaves_of_rows(table: Table, tree: TreeArrays, at: Assignment | None = None) -> NDArray[np.int64]:
    """See `Tree.apply`; quicker with the assignment of the table's rows."""
    if at is None and is_plain(tree):
        return reached_leaves(table, tree).astype(np.int64)
    at = at or assign(table, tree)
    reached = np.empty(table.n_rows, dtype=np.int64)
    sizes = (at.stop - at.start)[tree.leaves]
    reached[at.rows] = np.repeat(tree.leaves, sizes)
    return reached


def _by_leaf(leaf_of: NDArray[np.uint32], end: NDArray[np.int32]) -> Assignment:
    """The assignment from the position of each row's leaf: in preorder, a node's rows stand before those of `end`."""
    rows, before = by_number(leaf_of, end.size)
    return Assignment(rows, before[:-1], before[end])


def _node_by_node(table: Table, tree: TreeArrays) -> Assignment:
    """Divides the rows of one node after the other; knows every kind of split."""
    rows = np.arange(table.n_rows, dtype=np.uint32)
    start = np.zeros(tree.n_nodes, dtype=np.int64)
    stop = np.zeros(tree.n_nodes, dtype=np.int64)
    stop[0] = table.n_rows
    end = tree.end
    for i in np.flatnonzero(tree.n_branches):
        split = tree.split_at(int(i))
        assert split is not None
        bounds = start[i] + route(table, split, rows[start[i] : stop[i]])
        child = i + 1
        for branch in range(split.n_branches):
            start[child], stop[child] = bounds[branch], bounds[branch + 1]
            child = end[child]
    return Assignment(rows, start, stop)


def count_slices(
    table: Table, rows: NDArray[np.uint32], start: NDArray[np.int64], stop: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The target in slices of `rows`: train and validation statistics float64[m, S], and their row counts int64[m]."""
    size = len(start)
    counted = (
        np.zeros((size, table.n_stats)), np.zeros((size, table.n_stats)),
        np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64),
    )  # fmt: skip
    kernel = count_classes if table.task == "classes" else count_numbers
    weights = np.zeros(0) if table.weights is None else table.weights
    kernel(rows, start, stop, table.y, table.part, weights, *counted)
    return counted
