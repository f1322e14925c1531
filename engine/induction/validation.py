"""Validation rows of grown nodes: they go down the new branches once, all in one call."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.assignment import Assignment, count_slices
from engine.kernels.descend import Routes, child_table, descend
from engine.kernels.structure import merge_upwards, sum_upwards
from engine.table import VALIDATION, Table
from engine.tree import THRESHOLD, Tree


def rows_of_part(
    table: Table, at: Assignment, positions: NDArray[np.int64], part: int
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """(rows of a part in some nodes, one node after the other; int64[m + 1] where each begins and ends)."""
    lengths = at.stop[positions] - at.start[positions]
    segment = np.repeat(np.arange(positions.size), lengths)
    before = np.cumsum(lengths) - lengths
    rows = at.rows[np.arange(segment.size) + (at.start[positions] - before)[segment]]
    wanted = table.part[rows] == part
    sizes = np.bincount(segment[wanted], minlength=positions.size)
    return rows[wanted], np.append(0, np.cumsum(sizes))


def count_validation(
    table: Table, tree: Tree, at: Assignment, starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> Tree:
    """The tree with the validation counts of grown nodes filled in.

    Args:
        at: the rows of the tree before, where the grown subtrees were the leaves at `starts`;
        sizes: int64[m], how many nodes each subtree has now.
    """
    rows, bounds = rows_of_part(table, at, starts, VALIDATION)
    if rows.size == 0:
        return tree
    tops = starts + np.cumsum(sizes) - sizes - np.arange(starts.size)
    reached = _reach(table, tree, rows, np.repeat(tops, np.diff(bounds)))
    counts = _count_classes if table.task == "classes" else _count_numbers
    counted, n_rows = counts(table, tree, rows, reached)
    sum_upwards(tree.parent, n_rows)
    change = np.zeros(tree.n_nodes + 1, dtype=np.int64)
    np.add.at(change, tops + 1, 1)
    np.add.at(change, tops + sizes, -1)
    below = np.flatnonzero(np.cumsum(change)[:-1])
    validation, rows_validation = tree.validation.copy(), tree.rows_validation.copy()
    validation[below], rows_validation[below] = counted[below], n_rows[below, 0]
    return replace(tree, nodes=tree.nodes._replace(validation=validation, rows_validation=rows_validation))


def _count_classes(
    table: Table, tree: Tree, rows: NDArray[np.uint32], reached: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """(float64[n_nodes, S], int64[n_nodes, 1] of the leaves): the statistics, and the rows by leaf."""
    counted = np.zeros((tree.n_nodes, table.n_stats))
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    np.add.at(counted, (reached, table.y[rows]), weights)
    sum_upwards(tree.parent, counted)
    return counted, np.bincount(reached, minlength=tree.n_nodes)[:, None]


def _count_numbers(
    table: Table, tree: Tree, rows: NDArray[np.uint32], reached: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The same, counted leaf by leaf as in `engine.tree.recount`."""
    counted, n_rows = np.zeros((tree.n_nodes, table.n_stats)), np.bincount(reached, minlength=tree.n_nodes)
    stop = np.cumsum(n_rows)[tree.leaves]
    by_leaf = rows[np.argsort(reached, kind="stable")]
    counted[tree.leaves] = count_slices(table, by_leaf, stop - n_rows[tree.leaves], stop)[1]
    merge_upwards(tree.parent, counted)
    return counted, n_rows[:, None]


def _reach(table: Table, tree: Tree, rows: NDArray[np.uint32], begin: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[n]: the leaf that each row reaches from the node where it begins."""
    nodes = tree.nodes
    used = np.unique(nodes.column[nodes.n_branches > 0])
    codes = np.empty((rows.size, used.size), dtype=np.uint32)
    cut = np.zeros(tree.n_nodes, dtype=np.int64)
    for j, place in enumerate(used):
        column = table.column(tree.columns[place].name)
        codes[:, j] = column.codes[rows]
        here = (nodes.column == place) & (nodes.kind == THRESHOLD)
        if here.any():
            cut[here] = np.searchsorted(column.values, nodes.threshold[here], side="right")
    first, children = child_table(tree.parent, tree.branch, nodes.n_branches)
    routes = Routes(
        nodes.n_branches, nodes.kind, np.searchsorted(used, nodes.column), cut, nodes.missing, nodes.unseen,
        nodes.payload_start, nodes.payload_size, first, children, tree.payload,
    )  # fmt: skip
    reached = np.empty(rows.size, dtype=np.int64)
    descend(codes, begin, routes, reached)
    return reached
