"""Validation rows of grown nodes: they go down the new branches once, all in one call."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.table.partition import VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment, by_number, descended, way_down
from engine.tree.counting import count_slices
from engine.tree.kernels.structure import merge_upwards, sum_upwards
from engine.tree.nodes import span
from engine.tree.tree import Tree


def rows_of_part(
    table: Table, at: Assignment, positions: NDArray[np.int64], part: int
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """(rows of a part in some nodes, one node after the other; int64[m + 1] where each begins and ends)."""
    sizes = at.stop[positions] - at.start[positions]
    rows = at.rows[span(at.start[positions], sizes)]
    inside = table.part[rows] == part
    return rows[inside], np.append(0, np.cumsum(inside))[np.append(0, np.cumsum(sizes))]


def count_validation(
    table: Table, tree: Tree, at: Assignment, starts: NDArray[np.int64], sizes: NDArray[np.int64], threads: int | None
) -> Tree:
    """The tree with the validation counts of grown nodes filled in.

    Args:
        at: the rows of the tree before, where the grown subtrees were the leaves at `starts`;
        sizes: int64[m], how many nodes each subtree has now;
        threads: how many share the work; None for one for each processor.
    """
    if table.n_validation == 0:
        return tree
    rows, bounds = rows_of_part(table, at, starts, VALIDATION)
    if rows.size == 0:
        return tree
    tops = starts + np.cumsum(sizes) - sizes - np.arange(starts.size)
    reached = descended(*way_down(table, tree), rows, tops, bounds, threads)
    counts = _count_classes if table.task == "classes" else _count_numbers
    counted, n_rows = counts(table, tree, rows, reached)
    sum_upwards(tree.parent, n_rows)
    change = np.zeros(tree.n_nodes + 1, dtype=np.int64)
    change[tops + 1] += 1
    change[tops + sizes] -= 1
    below = np.cumsum(change)[:-1] > 0
    validation = np.where(below[:, None], counted, tree.validation)
    rows_validation = np.where(below, n_rows[:, 0], tree.rows_validation)
    return replace(tree, nodes=tree.nodes._replace(validation=validation, rows_validation=rows_validation))


def _count_classes(
    table: Table, tree: Tree, rows: NDArray[np.uint32], reached: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """(float64[n_nodes, S], int64[n_nodes, 1] of the leaves): the statistics, and the rows by leaf."""
    weights = None if table.weights is None else table.weights[rows]
    size = tree.n_nodes * table.n_stats
    flat = np.bincount(reached * table.n_stats + table.y[rows], weights, minlength=size).astype(np.float64)
    counted = flat.reshape(tree.n_nodes, table.n_stats)
    sum_upwards(tree.parent, counted)
    return counted, np.bincount(reached, minlength=tree.n_nodes)[:, None]


def _count_numbers(
    table: Table, tree: Tree, rows: NDArray[np.uint32], reached: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The same, counted leaf by leaf as in `engine.tree.recount`."""
    counted = np.zeros((tree.n_nodes, table.n_stats))
    order, begin = by_number(reached, tree.n_nodes)
    leaves = tree.leaves
    counted[leaves] = count_slices(table, rows[order], begin[leaves], begin[leaves + 1])[1]
    merge_upwards(tree.parent, counted)
    return counted, np.diff(begin)[:, None].copy()
