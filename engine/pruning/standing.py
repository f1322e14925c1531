"""A tree as `engine.kernels.raising` has it, and what is left of it as a tree again."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.pruning.ways import make_ways, numbers_of_rows

if TYPE_CHECKING:
    from engine.assignment import Assignment
    from engine.kernels.raising import Answers, Standing, Ways
    from engine.table import Table
    from engine.tree import Tree


class Stand(NamedTuple):
    """What the kernels work on; they write into `now` and `answers`."""

    now: "Standing"
    ways: "Ways"
    answers: "Answers"


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
    from engine.assignment import assign
    from engine.kernels.raising import Standing, list_rows
    from engine.table import TRAIN, VALIDATION

    n = tree.n_nodes
    counts = np.hstack((tree.train, tree.validation) if validation else (tree.train,))
    begin = stop = np.zeros(n, np.int64)
    rows, cell = np.zeros(0, np.uint32), np.zeros(0, np.int64)
    if raising:
        at = assignment or assign(table, tree)
        part = table.part[at.rows]
        wanted = (part == TRAIN) | (validation & (part == VALIDATION))
        before = np.append(0, np.cumsum(wanted))
        rows, begin, stop = at.rows[wanted], before[at.start], before[at.stop]
        cell = table.y[rows] + (part[wanted] == VALIDATION).astype(np.int64) * tree.train.shape[1]
    ways, columns = make_ways(table, tree)
    first_kid = np.cumsum(tree.n_branches, dtype=np.int64) - tree.n_branches
    kids = np.append(np.argsort(tree.parent[1:], kind="stable") + 1, 0)
    slot = np.empty(n, np.int64)
    slot[kids] = np.arange(n)
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    now = Standing(
        np.where(leaves, 0, tree.n_branches).astype(np.int64), first_kid, kids, slot,
        tree.parent.astype(np.int64), np.arange(n), np.arange(n),
        numbers_of_rows(tree, columns, rows), cell, weights,
        np.empty(n, np.int64), np.empty(n, np.int64), np.empty(rows.size, np.int64),
        counts, np.zeros_like(counts), np.empty(n, np.int64), np.zeros(n, bool), np.empty(n, np.int64),
    )  # fmt: skip
    list_rows(now, begin, stop)
    return Stand(now, ways, _answers(tree))


def part_of(now: "Standing", tree: "Tree", root: int) -> "Standing":
    """The same for the subtree of `root`, which may be worked on while others are."""
    end = int(tree.end[root])
    return now._replace(walk=now.walk[root:end], touched=now.touched[root:end])


def _answers(tree: "Tree") -> "Answers":
    from engine.answers import labels_by_hand
    from engine.kernels.raising import Answers

    rule, hand, marked = tree.leaf_rule, np.full(tree.n_nodes, -1), np.zeros(tree.n_nodes, bool)
    for i, label in labels_by_hand(tree).items():
        hand[i] = label
    marked[[tree.position(node) for node in tree.marks]] = True
    costs = rule.cost_matrix(tree.classes) if rule.costs else np.zeros((0, 0))
    return Answers(rule.class_factors(tree.classes, tree.train[0]), costs, hand, marked)


def what_is_left(table: "Table", tree: "Tree", now: "Standing") -> "Tree":
    """The tree as it stands after pruning, its rows counted anew where a branch was raised.

    What took the place of a node has its id, and its mark if it had one.
    """
    from engine.edits import collapse, packed_nodes, take_back
    from engine.kernels.raising import survivors
    from engine.tree import counted

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
    bearers = zip(ids.tolist(), tree.ids[now.bearer[order]].tolist(), strict=True)
    marks = {node: tree.marks[bearer] for node, bearer in bearers if bearer in tree.marks}
    return counted(replace(tree, nodes=nodes, payload=payload, counted_on="", marks=marks), table)
