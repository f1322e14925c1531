"""What a tree says of rows of which several leaves have a part: the mean of these leaves (Quinlan 1993, chapter 3)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.tree.arrays import TreeArrays
from engine.tree.assignment import Assignment

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


def _whole(at: Assignment) -> NDArray[np.bool_]:
    """bool[n]: the entries of rows that stand in one leaf; these say just what their leaf says."""
    return np.ones(at.rows.size, bool) if at.share is None else at.share == 1.0
