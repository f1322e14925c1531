"""The first splits of grown subtrees: what growing one node after the other makes before it meets a limit of leaves.

Where many leaves are wanted it is quicker to grow everything, and to leave out what a limited growth would not have
made: the splits do not depend on their order.
"""

import heapq
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import OF_SUMS
from engine.criteria.kernels.impurity import impurity, weight
from engine.growing.kernels.drops import weighted_drops
from engine.growing.orders import even_drop
from engine.growing.to_nodes import Grown
from engine.growing.training_set import Ground
from engine.search.kernels.rules import ALONE, COLUMN, N_BRANCHES, N_FIELDS, N_ROWS
from engine.search.kernels.split_kinds import MULTIWAY, POOLED
from engine.tree.kernels.structure import structure


def first_splits(
    grown: Grown, ground: Ground, order: str, depths: NDArray[np.int64], n_leaves: int, most_leaves: int,
    rooms: NDArray[np.int64] | None = None,
) -> Grown:  # fmt: skip
    """The same subtrees with no more splits than `engine.growing.orders.grow_limited` makes.

    Args:
        depths: int64[m], of the roots in the whole tree; n_leaves: leaves of the whole tree before.
        rooms: int64[m], how many levels might grow below the roots, if growing was stopped. The first leaf whose
            turn comes that might have been split ends it: so a later growth goes on to the same tree.
    """
    n = len(grown.nodes)
    parent, end, level = _shape(grown)
    roots = np.cumsum(grown.sizes) - grown.sizes
    depth = level.astype(np.int64) + np.repeat(depths, grown.sizes)
    code = ground.rules.criterion
    drops = np.empty(n)
    weighted_drops(code, grown.stats, parent, drops)
    urgency = _urgency(order, drops, depth, sum(_mixed(code, grown.stats[root]) for root in roots))
    branches = _n_branches(grown.nodes, ground).tolist()
    waits = np.zeros(n, dtype=bool) if rooms is None else _may_wait(grown, ground, level, np.repeat(rooms, grown.sizes))
    made = np.zeros(n, dtype=bool)
    queue: list[tuple[float, int, int]] = []
    fresh, found = roots.tolist(), 0
    while True:
        for i in fresh if order != "depth_first" else reversed(fresh):
            found += 1
            if branches[i] or waits[i]:
                unknown = waits[i] and order == "best_first"
                heapq.heappush(queue, (-math.inf if unknown else urgency(i, found), found, i))
        if not queue or n_leaves >= most_leaves:
            break
        i, fresh = heapq.heappop(queue)[2], []
        if waits[i]:
            break
        if n_leaves + branches[i] - 1 <= most_leaves:
            n_leaves += branches[i] - 1
            made[i] = True
            child = i + 1
            while child < end[i]:
                fresh.append(child)
                child = int(end[child])
    return _only(grown, made, parent)


def _may_wait(grown: Grown, ground: Ground, level: NDArray[np.int32], rooms: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool[n]: the leaves that may be none for want of time only; rooms: int64[n], of the root of each."""
    rules, stats = ground.rules, grown.stats
    mixed = stats[:, 2] > 0.0 if rules.criterion & OF_SUMS else np.count_nonzero(stats, axis=1) > 1
    enough = grown.nodes[:, N_ROWS] >= max(rules.min_rows, 2 * rules.min_leaf)
    return (grown.nodes[:, COLUMN] < 0) & mixed & enough & (level < rooms)


def _urgency(
    order: str, drops: NDArray[np.float64], depth: NDArray[np.int64], scale: float
) -> Callable[[int, int], float]:
    """(node, when it was found) → the smaller the sooner, as in `grow_limited`."""
    if order == "depth_first":
        return lambda i, found: float(-found)
    keys = (depth.astype(np.float64) if order == "level" else -even_drop(drops, scale)).tolist()
    return lambda i, found: keys[i]


def _mixed(code: int, stat: NDArray[np.float64]) -> float:
    return float(stat[2] if code & OF_SUMS else impurity(code, stat) * weight(code, stat))


def _shape(grown: Grown) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """(parent, end, level) of subtrees standing one after the other."""
    joined = np.append(grown.sizes.size, grown.nodes[:, N_BRANCHES]).astype(np.int32)  # below one root for all
    parent, end, level, branch = (np.empty(joined.size, dtype=np.int32) for _ in range(4))
    structure(joined, parent, end, level, branch)
    return parent[1:] - 1, end[1:] - 1, level[1:] - 1


def _n_branches(nodes: NDArray[np.int32], ground: Ground) -> NDArray[np.int64]:
    """int64[n]: the branches of every split, those without rows included; 0 for a leaf."""
    column = nodes[:, COLUMN]
    ways, n_values = np.append(ground.ways, -1)[column], np.append(ground.n_values, 0)[column]
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
