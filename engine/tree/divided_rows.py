"""What a tree says of rows of which several leaves have a part: the mean of these leaves (Quinlan 1993, chapter 3)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.splits import IN_ALL, branch_or_all, branch_shares
from engine.table.table import Table
from engine.tree.arrays import TreeArrays
from engine.tree.assignment import NO_SHARE, Assignment

Floats = NDArray[np.float64]


def means(tree: TreeArrays, at: Assignment, of_node: Floats, n_rows: int) -> Floats:
    """float64[n_rows, …]: of each row what its leaf says; of a divided one the mean of its leaves, by its parts there.

    of_node: float64[n_nodes, …].
    """
    leaf = np.repeat(tree.leaves, (at.stop - at.start)[tree.leaves])
    said, whole = np.zeros((n_rows, *of_node.shape[1:])), _whole(at)
    said[at.rows[whole]] = of_node[leaf[whole]]
    if at.share is not None:
        part = at.share[~whole].reshape(-1, *(1,) * (of_node.ndim - 1))
        np.add.at(said, at.rows[~whole], part * of_node[leaf[~whole]])
    return said


def labels(tree: TreeArrays, at: Assignment, n_rows: int) -> NDArray[np.int64]:
    """int64[n_rows]: the class that each row is given: that of its leaf, or of a divided one the class of the least
    expected cost, or the one that the threshold gives, by the mean of the probabilities of its leaves. Where a person
    wrote what a leaf says, that has all of its probability."""
    leaf = np.repeat(tree.leaves, (at.stop - at.start)[tree.leaves])
    found, whole = np.zeros(n_rows, np.int64), _whole(at)
    found[at.rows[whole]] = tree.labels[leaf[whole]]
    mixed = np.unique(at.rows[~whole])
    if mixed.size:
        votes: Any = tree.deciding.copy()
        for i, label in tree.labels_by_hand.items():
            votes[i] = np.arange(len(tree.classes)) == label
        found[mixed] = tree.leaf_rule.labels_by(tree.classes, means(tree, at, votes, n_rows)[mixed])
    return found


class Said(NamedTuple):
    """What a tree says of one row: the class as a number and the probabilities, or the number that is predicted."""

    label: int
    probabilities: Floats
    prediction: float


def row_parts(table: Table, tree: TreeArrays, row: int = 0) -> dict[int, float]:
    """Which part of a row of a table stands in each node, by its id, in preorder; nodes without any are left out.

    Raises:
        InputError: the tree does not fit the table.
    """
    one, weight, found = np.array([row], dtype=np.uint32), tree.weight("train"), {}
    waiting = [(0, 1.0)]
    while waiting:
        i, share = waiting.pop()
        found[int(tree.ids[i])] = share
        split = tree.split_at(i)
        if split is None:
            continue
        branch, below = int(branch_or_all(split, table, one)[0]), tree.children(i)
        if branch != IN_ALL:
            waiting.append((below[branch], share))
            continue
        parts = branch_shares(weight[below])
        waiting += [(child, share * float(p)) for child, p in zip(below, parts, strict=True) if p > NO_SHARE][::-1]
    return found


def said_of(tree: TreeArrays, parts: Mapping[int, float]) -> Said:
    """What is predicted of a row of which these parts stand in the nodes, see `row_parts`."""
    held = [(tree.position(node), share) for node, share in parts.items()]
    leaves = [(i, share) for i, share in held if not tree.n_branches[i]]
    rows, at = np.zeros(len(leaves), np.uint32), [i for i, _ in leaves]
    sizes = np.bincount(at, minlength=tree.n_nodes)
    before = np.append(0, np.cumsum(sizes))
    share = np.array([share for _, share in leaves])
    where = Assignment(rows, before[:-1], before[tree.end], None if len(leaves) == 1 else share)
    if tree.task == "number":
        return Said(-1, np.zeros(0), float(means(tree, where, tree.predictions, 1)[0]))
    return Said(int(labels(tree, where, 1)[0]), means(tree, where, tree.probabilities, 1)[0], np.nan)


def _whole(at: Assignment) -> NDArray[np.bool_]:
    """bool[n]: the entries of rows that stand in one leaf; these say just what their leaf says."""
    return np.ones(at.rows.size, bool) if at.share is None else at.share == 1.0
