"""A tree as `engine.pruning.kernels.raising` has it, and what is left of it as a tree again."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.pruning.plain_splits import make_ways, numbers_of_rows

if TYPE_CHECKING:
    from engine.pruning.kernels.raising import Answers, Standing
    from engine.table.column import Column
    from engine.table.table import Table
    from engine.tree import Tree
    from engine.tree.assignment import Assignment
    from engine.tree.kernels.row_by_row import Ways


ROWS_AT_ONCE = 2**14


class Stand(NamedTuple):
    """What the kernels work on; they write into `now` and `answers`.

    columns: those that `now.x` has the numbers of, by their places in `tree.columns`.
    """

    now: "Standing"
    ways: "Ways"
    answers: "Answers"
    columns: dict[int, "Column"]


def stand(
    table: "Table", tree: "Tree", assignment: "Assignment | None", leaves: NDArray[np.bool_], validation: bool,
    raising: bool,
) -> Stand:  # fmt: skip
    """The tree with its rows.

    Args:
        tree: one that predicts classes, counted on the table.
        leaves: bool[n_nodes], its leaves and the splits that are gone already.
        assignment: which rows stand in which node, if at hand.
        validation: whether the validation rows go along; their classes follow those of the training rows.
        raising: whether rows will be sent down; without it none are looked at.
    """
    from engine.pruning.kernels.raising import Standing, Sums, list_rows
    from engine.table.partition import TRAIN, VALIDATION
    from engine.tree.kernels.row_by_row import pack_nodes

    n = tree.n_nodes
    counts = np.hstack((tree.train, tree.validation) if validation else (tree.train,))
    wanted = (table.part == TRAIN) | (validation & (table.part == VALIDATION))
    rows = np.flatnonzero(wanted & raising).astype(np.uint32)
    begin = stop = np.zeros(n, np.int64)
    ways, columns = make_ways(table, tree)
    first_kid = np.cumsum(tree.n_branches, dtype=np.int64) - tree.n_branches
    kids = np.append(np.argsort(tree.parent[1:], kind="stable") + 1, 0)
    slot = np.empty(n, np.int64)
    slot[kids] = np.arange(n)
    n_branches, pack = np.where(leaves, 0, tree.n_branches).astype(np.int64), np.empty(4 * n, np.uint32)
    pack_nodes(ways, n_branches, first_kid, kids, pack)
    now = Standing(
        pack, n_branches, first_kid, kids, slot, tree.parent.astype(np.int64), np.arange(n), np.arange(n),
        np.empty((0, len(columns)), np.uint32), np.zeros(0, np.int32), np.zeros(0),
        np.empty(n, np.int64), np.empty(n, np.int64), np.empty(rows.size, np.int32),
        Sums(counts, np.zeros_like(counts)), np.empty(n, np.int64), np.zeros(n, bool), np.empty(n, np.int64),
    )  # fmt: skip
    if raising and assignment is not None:
        there = wanted[assignment.rows]
        before = np.append(0, np.cumsum(there))
        rows, begin, stop = assignment.rows[there], before[assignment.start], before[assignment.stop]
        now = now._replace(x=numbers_of_rows(tree, columns, rows))
    elif raising:
        now, rows, begin, stop = _by_leaf(now._replace(x=numbers_of_rows(tree, columns, rows)), ways, tree, rows)
    cell = table.y[rows].astype(np.int32)
    if validation:
        cell += (table.part[rows] == VALIDATION) * np.int32(tree.train.shape[1])
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    now = now._replace(cell=cell, weights=weights)
    list_rows(now, begin, stop)
    return Stand(now, ways, _answers(tree), columns)


def _by_leaf(
    now: "Standing", ways: "Ways", tree: "Tree", rows: NDArray[np.uint32]
) -> tuple["Standing", NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
    """(the same with the lines of x put in order by the leaves that they reach, the rows in that order, where the rows
    of each node begin and end)."""
    from engine.runtime.threads import Workers
    from engine.tree.descent import by_number

    order, before = by_number(_reached(now, ways), tree.n_nodes)
    x = np.empty_like(now.x)

    def move(at: int) -> None:
        np.take(now.x, order[at : at + ROWS_AT_ONCE], axis=0, out=x[at : at + ROWS_AT_ONCE], mode="clip")

    with Workers() as workers:
        workers.each(move, range(0, rows.size, ROWS_AT_ONCE))
    return now._replace(x=x), rows[order], before[:-1], before[tree.end]


def _reached(now: "Standing", ways: "Ways") -> NDArray[np.uint32]:
    """uint32[rows]: the leaf of the tree as it stands that each line of x reaches."""
    from engine.runtime.threads import Workers
    from engine.tree.kernels.row_by_row import reach_leaves

    n = now.x.shape[0]
    reached = np.empty(n, np.uint32)
    with Workers() as workers:
        workers.each(
            lambda at: reach_leaves(now, ways, at, min(at + ROWS_AT_ONCE, n), reached), range(0, n, ROWS_AT_ONCE)
        )
    return reached


def part_of(now: "Standing", tree: "Tree", root: int) -> "Standing":
    """The same for the subtree of `root`, which may be worked on while others are."""
    end = int(tree.end[root])
    return now._replace(walk=now.walk[root:end], touched=now.touched[root:end])


def _answers(tree: "Tree") -> "Answers":
    from engine.pruning.kernels.raising import Answers

    rule, hand, marked = tree.leaf_rule, np.full(tree.n_nodes, -1), np.zeros(tree.n_nodes, bool)
    for i, label in tree.labels_by_hand.items():
        hand[i] = label
    marked[[tree.position(node) for node in tree.marks]] = True
    costs = rule.cost_matrix(tree.classes) if rule.costs else np.zeros((0, 0))
    return Answers(rule.class_factors(tree.classes, tree.train[0]), costs, hand, marked)


def what_is_left(table: "Table", tree: "Tree", stood: Stand) -> "Tree":
    """The tree as it stands after pruning, its rows counted anew where a branch was raised.

    What took the place of a node has its id, and its mark if it had one. Where rows count once what was counted along
    is exact; sums of weights depend on their order, and are made anew in that of the rows.
    """
    from engine.pruning.kernels.raising import survivors
    from engine.tree import counted
    from engine.tree.edits import collapse, take_back
    from engine.tree.packing import packed_nodes

    now = stood.now
    order = np.empty(tree.n_nodes, np.int64)
    order = order[: survivors(now, order)]
    leaf = now.n_branches[order] == 0
    if np.array_equal(now.holder[order], order):
        cut = order[leaf & (tree.n_branches[order] > 0)]
        return collapse(tree, cut) if cut.size else tree
    ids = tree.ids[now.holder[order]]
    nodes = tree.nodes.take(order)._replace(ids=ids)
    take_back(nodes, leaf)
    nodes, payload = packed_nodes(nodes, tree.payload)
    bearer = tree.ids[now.bearer[order]]
    bears = np.isin(bearer, list(tree.marks))
    marks = {node: tree.marks[of] for node, of in zip(ids[bears].tolist(), bearer[bears].tolist(), strict=True)}
    left = replace(tree, nodes=nodes, payload=payload, counted_on="", marks=marks)
    return counted(left, table) if table.weights is not None else _with_counts(table, tree, stood, order, left)


def _with_counts(table: "Table", tree: "Tree", stood: Stand, order: NDArray[np.int64], left: "Tree") -> "Tree":
    """What is left, with the counts of the tree as it stands; validation rows that did not go along are sent down now.

    order: as from `survivors`.
    """
    from engine.table.partition import VALIDATION
    from engine.tree.kernels.structure import sum_upwards

    now, n_classes = stood.now, tree.train.shape[1]
    train, validation = (np.ascontiguousarray(part) for part in np.split(now.sums.counts[order], [n_classes], axis=1))
    if not validation.size:
        rows = np.flatnonzero(table.part == VALIDATION).astype(np.uint32)
        reached = _reached(now._replace(x=numbers_of_rows(tree, stood.columns, rows)), stood.ways)
        cells = np.bincount(reached * np.int64(n_classes) + table.y[rows], minlength=tree.n_nodes * n_classes)
        validation = cells.reshape(-1, n_classes)[order].astype(np.float64)
        sum_upwards(left.parent, validation)
    nodes = left.nodes._replace(
        train=train, validation=validation, rows_train=train.sum(axis=1).astype(np.int64),
        rows_validation=validation.sum(axis=1).astype(np.int64),
    )  # fmt: skip
    return replace(left, nodes=nodes, counted_on=table.counts_key)
