"""How mixed the nodes of a tree are by a criterion, and by how much its splits lower that."""

import numpy as np
from numpy.typing import NDArray

from engine.criteria import DEFAULT, find_criterion
from engine.criteria import impurities as class_impurities
from engine.criteria.criterion import BINS, COUNTS, ROWS, SUMS
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
    one, weights = find_criterion(criterion, tree.task), tree.weight("train")
    if one.statistic in (COUNTS, BINS):
        if one.statistic == BINS and not tree.bin_edges:
            raise InputError(f"The tree holds no histograms, so {_untold(criterion)}")
        return class_impurities(criterion, tree.train if one.statistic == COUNTS else tree.nodes.histogram, 0.0)
    if one.statistic == ROWS and not tree.predicts_median:
        raise InputError(f"The tree holds no medians, so {_untold(criterion)}")
    # of rows the deviations around what the nodes say: their medians, or what a person wrote instead
    sums = tree.train[:, 2] if one.statistic == SUMS else tree.nodes.deviation[:, 0]
    return np.divide(sums, weights, out=np.zeros_like(weights), where=weights > 0)


def _untold(criterion: str) -> str:
    return f"{criterion} cannot be told of its nodes; choose {DEFAULT['number']}."
