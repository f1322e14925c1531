"""Validation rows of grown nodes: they go down the new branches once, all in one call."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.assignment import Assignment, count_slices, descended, routes_of
from engine.kernels.structure import merge_upwards, sum_upwards
from engine.table import VALIDATION, Table
from engine.tree import Tree


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
    columns, routes = routes_of(table, tree)
    begin = np.repeat(tops, np.diff(bounds)).astype(np.int64)
    reached = descended([column.codes[rows] for column in columns], begin, routes)
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
