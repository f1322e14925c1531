"""How far the numbers of each leaf lie from what it predicts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.assessment.intervals import NAN, Floats
from engine.assessment.leaf_counts import LeafCounts
from engine.assessment.pooled import PooledCounts
from engine.table.encode import order_of
from engine.tree.counting import BOX, quantiles_of_slices


class Residuals(NamedTuple):
    """Actual less predicted numbers, by leaf from left to right, in units of the target; nan without rows.

    Attributes:
        node: int64[n_leaves], the ids.
        predicted: float64[n_leaves], what the leaf predicts.
        mean: float64[n_leaves], of the actual numbers of the part.
        quantiles: float64[n_leaves, 5], the residual below which 5, 25, 50, 75 and 95 % of the weight lie, as in `BOX`:
            the least that, with all below it, holds this share.
        weight: float64[n_leaves].
        rows: int64[n_leaves], unweighted.
    """

    node: NDArray[np.int64]
    predicted: Floats
    mean: Floats
    quantiles: Floats
    weight: Floats
    rows: NDArray[np.int64]


def residuals(of: LeafCounts) -> Residuals:
    """The residuals of a tree of numbers."""
    tree, n_leaves = of.tree, of.leaves.size
    y, predicted = of.table.y[of.rows], tree.predictions[of.leaves] - of.table.origin
    weight = np.bincount(of.leaf, of.weights, n_leaves).astype(np.float64)
    sizes = np.bincount(of.leaf, minlength=n_leaves)
    sums = np.bincount(of.leaf, of.weights * y, n_leaves)
    mean = np.divide(sums, weight, out=np.full(n_leaves, NAN), where=weight > 0)
    found = np.full((n_leaves, len(BOX)), NAN)
    there = sizes > 0
    if there.any():
        by_leaf = order_of(of.leaf.astype(np.uint32), n_leaves)
        y, stop = y[by_leaf], np.cumsum(sizes)
        slices = (stop - sizes)[there], stop[there]
        found[there] = quantiles_of_slices(y, of.weights[by_leaf], np.argsort(y, kind="stable"), *slices)
    origin = of.table.origin
    return Residuals(
        tree.ids[of.leaves], predicted + origin, mean + origin, found - predicted[:, None], weight, sizes
    )  # fmt: skip


def quantiles_of_all(of: LeafCounts | PooledCounts) -> Floats:
    """float64[5]: those of all rows, of which there is one."""
    y, ends = of.residual, (np.zeros(1, np.int64), np.array([of.weights.size]))
    return quantiles_of_slices(y, of.weights, np.argsort(y, kind="stable"), *ends)[0]
