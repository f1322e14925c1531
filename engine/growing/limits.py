"""Limits that a grown tree is cut back to: the number of leaves, and what a split has to be worth (`cp`).

Where many leaves are wanted it is quicker to grow everything, and to leave out what a limited growth would not have
made: the splits do not depend on their order.
"""

import math

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import OF_SUMS
from engine.criteria.kernels import impurity, weight
from engine.growing.frontier import Frontier, even_drop, splits_in_order
from engine.growing.kernels.to_nodes import weighted_drops
from engine.growing.to_nodes import Grown, shape
from engine.growing.training_set import TrainingSet
from engine.search.kernels.rules import ALONE, COLUMN, N_BRANCHES, N_FIELDS, N_ROWS
from engine.search.kernels.split_kinds import MULTIWAY, POOLED
from engine.tree.arrays import collapse
from engine.tree.kernels.structure import weakest_links
from engine.tree.tree import Tree


def first_splits(
    grown: Grown, training: TrainingSet, order: str, depths: NDArray[np.int64], n_leaves: int, most_leaves: int,
    rooms: NDArray[np.int64] | None = None,
) -> Grown:  # fmt: skip
    """The same subtrees with the first splits only, no more than `engine.growing.frontier.grow_in_order` makes.

    Args:
        depths: int64[m], of the roots in the whole tree; n_leaves: leaves of the whole tree before.
        rooms: int64[m], how many levels might grow below the roots, if growing was stopped. The first leaf whose
            turn comes that might have been split ends it: so a later growth goes on to the same tree.
    """
    n = len(grown.nodes)
    parent, end, level, _ = shape(grown.nodes[:, N_BRANCHES], grown.sizes.size)
    roots = np.cumsum(grown.sizes) - grown.sizes
    depth = level.astype(np.int64) + np.repeat(depths, grown.sizes)
    code = training.rules.criterion
    drops = np.empty(n)
    weighted_drops(code, grown.stats, parent, drops)
    scale = sum(_mixed(code, grown.stats[root]) for root in roots)
    urgency = depth.astype(np.float64) if order == "level" else -even_drop(drops, scale)
    n_branches = _n_branches(grown.nodes, training)
    unsearched = np.zeros(n, dtype=bool)
    if rooms is not None:
        unsearched = _may_split(grown, training, level, np.repeat(rooms, grown.sizes))
        if order == "best_first":
            urgency[unsearched] = -math.inf
    made = np.zeros(n, dtype=bool)
    frontier = Frontier[int](order, n_leaves, most_leaves)
    made[splits_in_order(frontier, roots.tolist(), n_branches, end, urgency, unsearched)] = True
    return _only(grown, made, parent)


def _may_split(
    grown: Grown, training: TrainingSet, level: NDArray[np.int32], rooms: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """bool[n]: the leaves that may be none for want of time only; rooms: int64[n], of the root of each."""
    rules, stats = training.rules, grown.stats
    mixed = stats[:, 2] > 0.0 if rules.criterion & OF_SUMS else np.count_nonzero(stats, axis=1) > 1
    enough = grown.nodes[:, N_ROWS] >= rules.rows_to_split
    return (grown.nodes[:, COLUMN] < 0) & mixed & enough & (level < rooms)


def _mixed(code: int, stat: NDArray[np.float64]) -> float:
    return float(stat[2] if code & OF_SUMS else impurity(code, stat) * weight(code, stat))


def _n_branches(nodes: NDArray[np.int32], training: TrainingSet) -> NDArray[np.int64]:
    """int64[n]: the branches of every split, those without rows included; 0 for a leaf."""
    column = nodes[:, COLUMN]
    ways, n_values = np.append(training.ways, -1)[column], np.append(training.n_values, 0)[column]
    alone = nodes[:, ALONE]
    pooled = alone + (alone < n_values)
    return np.select([column < 0, ways == MULTIWAY, ways == POOLED], [0, n_values, pooled], nodes[:, N_BRANCHES])


def _only(grown: Grown, made: NDArray[np.bool_], parent: NDArray[np.int32]) -> Grown:
    """The nodes that are reached by the splits that are made; the others become leaves."""
    kept = np.ones(made.size, dtype=bool)
    below = parent >= 0
    kept[below] = made[parent[below]]  # a split is made only after the one above it
    nodes = grown.nodes.copy()
    rows = nodes[:, N_ROWS].copy()
    leaf = np.zeros(N_FIELDS, dtype=np.int32)
    leaf[COLUMN] = -1
    nodes[~made] = leaf
    nodes[:, N_ROWS] = rows
    bounds = np.append(0, np.cumsum(grown.sizes))
    sizes = np.diff(np.append(0, np.cumsum(kept))[bounds])
    return Grown(nodes[kept], grown.stats[kept], grown.pairs, sizes)


TIE = 1e-12  # shares of the root's error that differ by less are equal


def worth_keeping(tree: Tree, before: Tree, cp: float) -> Tree:
    """The tree without the new splits that, with all below them, lower the training error by too little: the option
    `cp` (rpart: Therneau and Atkinson 1997).

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
