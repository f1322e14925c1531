"""Taking back what a tree has grown to little use: the option `cp` (rpart: Therneau and Atkinson 1997)."""

import numpy as np

from engine.tree.arrays import collapse
from engine.tree.kernels.structure import weakest_links
from engine.tree.tree import Tree

TIE = 1e-12  # shares of the root's error that differ by less are equal


def worth_keeping(tree: Tree, before: Tree, cp: float) -> Tree:
    """The tree without the new splits that, with all below them, lower the training error by too little.

    Such are those of cost-complexity pruning at a price of cp · R(root) for a leaf:

        (R(t) − R(branch)) ÷ (leaves − 1) ≤ cp · R(root)

    One that pays exactly the price goes, as in rpart (`complexity <= alpha` in its partition.c) and as in the smallest
    of the cheapest prunings (Breiman et al. 1984, 3.3).

    Args:
        tree: as it was grown; what its leaves say decides what an error costs, see `Tree.costs`.
        before: the tree that it was grown from; its splits stay.
        cp: the share of the root's error; 0 takes nothing back.
    """
    if cp <= 0:
        return tree
    cost = np.ascontiguousarray(tree.costs("train"), dtype=np.float64)
    if not cost[0] > 0:
        return tree
    stays = np.isin(tree.ids, before.ids[before.n_branches > 0])
    link = weakest_links(cost, tree.parent, tree.n_branches, stays)
    poor = (tree.n_branches > 0) & (link <= (cp + TIE) * cost[0])
    return collapse(tree, np.flatnonzero(poor)) if poor.any() else tree
