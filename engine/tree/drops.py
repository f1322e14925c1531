"""How mixed the nodes of a tree are by a criterion, and by how much its splits lower that."""

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import BINNED, find_criterion
from engine.runtime.errors import InputError
from engine.tree.arrays import TreeArrays
from engine.tree.marks import splits_kept

TIE = 1e-12  # drops that differ by less than this share of the root's impurity are equal


def weakest(tree: TreeArrays, criterion: str) -> int | None:
    """The split that gives least when it is taken back: the inner node, with leaves only below it, whose split
    lowers the criterion least, times its share of the rows; of equal ones the last. Splits that pins or locks keep
    are left out; None where no other is.

    Raises:
        InputError: no such criterion, or it looks at rows and the tree holds no medians or histograms.
    """
    drops = weighted_drops(tree, criterion)
    inner = tree.n_branches > 0
    above_inner = np.bincount(tree.parent[1:], inner[1:], tree.n_nodes) > 0 if tree.n_nodes > 1 else ~inner
    last = np.flatnonzero(inner & ~above_inner & ~splits_kept(tree))
    if not last.size:
        return None
    least = drops[last].min() + TIE * impurities(tree, criterion)[0]
    return int(tree.ids[last[drops[last] <= least][-1]])


def weighted_drops(tree: TreeArrays, criterion: str) -> NDArray[np.float64]:
    """float64[n_nodes]: by how much each split lowers the criterion, times the node's share of the training weight.

    Raises:
        InputError: as `impurities`.
    """
    mixed = impurities(tree, criterion) * tree.weight("train")
    below = np.bincount(tree.parent[1:], mixed[1:], tree.n_nodes) if tree.n_nodes > 1 else np.zeros(1)
    total = tree.weight("train")[0]
    drops = np.where(tree.n_branches > 0, mixed - below, 0.0)
    return drops / total if total > 0 else drops


def impurities(tree: TreeArrays, criterion: str) -> NDArray[np.float64]:
    """float64[n_nodes]: the impurity of each node, per unit of training weight; 0 for one without rows.

    Raises:
        InputError: no such criterion of this task, or it looks at rows and the tree holds no medians or histograms.
    """
    name, weights = find_criterion(criterion, tree.task).name, tree.weight("train")
    if name in ("squared_error", "absolute_error"):
        sums = tree.train[:, 2] if name == "squared_error" else _deviations(tree)
        return np.divide(sums, weights, out=np.zeros_like(weights), where=weights > 0)
    if name in BINNED and not tree.bin_edges:
        raise InputError(f"The tree holds no histograms, so {name} cannot be told of its nodes; choose squared_error.")
    return _mixed(BINNED.get(name, name), tree.nodes.histogram if name in BINNED else tree.train)


def _deviations(tree: TreeArrays) -> NDArray[np.float64]:
    """Around what the nodes predict: their medians, or what a person wrote instead."""
    if not tree.predicts_median:
        raise InputError(
            "The tree holds no medians, so absolute_error cannot be told of its nodes; choose squared_error."
        )
    return tree.nodes.deviation[:, 0]


def _mixed(criterion: str, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n]: the impurity of class counts float64[n, K] by a criterion of classes; 0 where there are none."""
    weights = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, weights, out=np.zeros_like(counts), where=weights > 0)
    if criterion == "error":
        return np.where(weights[:, 0] > 0, 1.0 - shares.max(axis=1), 0.0)
    if criterion == "sqrt":
        return np.asarray(0.5 * np.sqrt(shares * (1.0 - shares)).sum(axis=1))
    if criterion == "gini":
        return np.asarray((shares * (1.0 - shares)).sum(axis=1))
    if criterion in ("entropy", "gain_ratio"):
        logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
        return np.asarray(-(shares * logs).sum(axis=1))
    raise NotImplementedError(f"The impurity of a tree's nodes is not known by the criterion “{criterion}”.")
