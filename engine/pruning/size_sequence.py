"""A rung for every number of leaves: the trees from which structural risk and cross-validation choose."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.pruning.front import Front, front
from engine.pruning.result import Nested
from engine.pruning.sequence import links, locked, over_leaves, sequence

if TYPE_CHECKING:
    from engine.tree import Tree

Floats = NDArray[np.float64]


class Ladder(NamedTuple):
    """The full tree, then the best pruning of every size, most leaves first.

    Beyond the sizes of the front it has the weakest-link sequence, whose trees are the best of their sizes, too.

    Attributes:
        leaves: int64[n], descending.
        alphas: float64[n], the least price per leaf at which a tree is the cheapest pruning; nan where it never is.
        sums: of the costs, and of each of the other values, float64[n], their sums over the leaves of every tree.
        gone: int32[n_nodes], as in `Nested`, of the sequence. larger: int64, the steps of it that are rungs.
        front: the front; its trees are the last rungs.
    """

    leaves: NDArray[np.int64]
    alphas: Floats
    sums: tuple[Floats, ...]
    gone: NDArray[np.int32]
    larger: NDArray[np.int64]
    front: Front

    def tree(self, full: "Tree", i: int) -> "Tree":
        """See `engine.pruning.result.Trees`."""
        if i == 0:
            return full
        if i <= self.larger.size:
            return Nested(self.gone).tree(full, int(self.larger[i - 1]))
        return self.front.tree(full, int(self.leaves[i]))


def ladder(tree: "Tree", cost: Floats, weight: float, keep_by_hand: bool, most_leaves: int, *others: Floats) -> Ladder:
    """The best trees of all sizes by `cost`, float64[n_nodes] of each node as a leaf.

    Args:
        weight: what costs are divided by to become errors, the unit of the alphas.
        keep_by_hand: whether hand-made splits stay, beside those that pins and locks keep.
        most_leaves: up to here the front goes.
        others: float64[n_nodes] each, further values that are added up for the same trees.
    """
    kept, link = locked(tree, keep_by_hand), links(tree, cost, keep_by_hand)
    link = np.where(np.isfinite(link), np.maximum(link, 0.0) / (weight or 1.0), link)
    steps, gone = sequence(tree, link, first_alpha=0.0)
    fronts = [front(tree, cost, values, kept, most_leaves) for values in others or (cost,)]
    alpha_of = {step.leaves: step.alpha for step in steps}
    below = fronts[0].leaves[::-1]
    below = below[below < tree.n_leaves]
    sizes = np.array([step.leaves for step in steps])
    larger = np.flatnonzero((sizes > min(fronts[0].cap, tree.n_leaves)) & (sizes < tree.n_leaves))
    leaves = np.concatenate(([tree.n_leaves], sizes[larger], below))
    sums = []
    for values, small in zip((cost, *others), (fronts[0].costs, *(found.beside for found in fronts)), strict=False):
        by_step = over_leaves(tree, gone, len(steps), values)
        sums.append(np.concatenate((by_step[:1], by_step[larger], small[: below.size][::-1])))
    alphas = np.array([alpha_of.get(size, np.nan) for size in leaves.tolist()])
    return Ladder(leaves, alphas, tuple(sums), gone, larger, fronts[0])
