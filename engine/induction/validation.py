"""Validation rows of grown nodes: they go down the new branches once, all in one call."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.assignment import Assignment
from engine.kernels.descend import Routes, child_table, descend
from engine.kernels.structure import sum_upwards
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
    width = table.n_stats
    counted = np.zeros((tree.n_nodes, width + 1))  # the last column: rows
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    y = table.y[rows]
    if table.task == "classes":
        np.add.at(counted, (reached, y), weights)
    else:
        for k, values in enumerate((weights, weights * y, weights * y * y)):
            counted[:, k] = np.bincount(reached, values, minlength=tree.n_nodes)
    counted[:, width] = np.bincount(reached, minlength=tree.n_nodes)
    sum_upwards(tree.parent, counted)
    change = np.zeros(tree.n_nodes + 1, dtype=np.int64)
    np.add.at(change, tops + 1, 1)
    np.add.at(change, tops + sizes, -1)
    below = np.flatnonzero(np.cumsum(change)[:-1])
    validation, rows_validation = tree.validation.copy(), tree.rows_validation.copy()
    validation[below], rows_validation[below] = counted[below, :width], counted[below, width].astype(np.int64)
    return replace(tree, nodes=tree.nodes._replace(validation=validation, rows_validation=rows_validation))


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
