"""In which order nodes are grown: as fast as possible, or one by one up to a number of leaves."""

import heapq
import math

import numpy as np
from numpy.typing import NDArray

from engine.criteria.kernels.impurity import impurity, weight
from engine.growing.blocks import Soil, grouped, make_bed, make_soil
from engine.growing.frontier import Knot, Walk
from engine.growing.kernels.subtrees import grow_subtrees
from engine.runtime.threads import Shelf

SMALL = 16_384  # rows of several nodes that are grown together, and of one where tables are small
MOST_SMALL = 65_535  # rows of a node that is grown on lists, where each level is quicker: as a cell counts them
LARGE_PARTS = 16  # a larger node than SMALL is no more than this part of all rows: there is work for several threads
LISTED = 2**23  # nor are these more cells: 32 MB
FEW_LEVELS, VERY_SMALL = 2, 4_096  # with few levels to grow, only smaller nodes than this are worth lists


def grow_all(walk: Walk, roots: list[Knot]) -> None:
    """Grows everything below the roots: large nodes level by level, the small ones as whole subtrees."""
    level, small = roots, []
    while level:
        large = []
        for knot in level:
            if not walk.is_open(knot):
                walk.settle(knot)
            elif knot.n_rows <= _most_small(walk, knot.levels):
                small.append(knot)
                knot.node = None  # and with it its target
            else:
                large.append(knot)
        walk.search(large)
        found = [knot for knot in large if knot.column >= 0]
        for knot in large:
            if knot.column < 0:
                walk.settle(knot)
        walk.split(found)
        walk.report()
        level = [child for knot in found for child in knot.children]
    if small and not walk.progress.stopped:
        small.sort(key=lambda knot: knot.start)
        groups = grouped(walk.ground, small, SMALL)
        most = sum(knot.n_rows for knot in groups[0])
        shelf = Shelf([make_soil(walk.ground, most) for _ in range(min(walk.workers.threads, len(groups)))])
        walk.workers.each(lambda knots: shelf.lend(lambda soil: _finish(walk, knots, soil)), groups, walk.report)


def _most_small(walk: Walk, levels: int) -> int:
    """Up to how many rows a node with so many levels to grow is worth lists. The same for any number of threads, so
    that sums of numbers are made in the same order."""
    if levels <= FEW_LEVELS:
        return VERY_SMALL
    ground = walk.ground
    return max(SMALL, min(MOST_SMALL, ground.rows.size // LARGE_PARTS, LISTED // max(len(ground.columns), 1)))


def _finish(walk: Walk, knots: list[Knot], soil: Soil) -> None:
    """Grows the subtrees of the nodes of a bed by one kernel."""
    if walk.progress.stopped:
        return
    ground, bed = walk.ground, make_bed(walk.ground, knots, soil)
    levels = np.array([knot.levels for knot in knots])
    nodes, stats, pairs, firsts = grow_subtrees(
        bed.cells, bed.original, ground.ways, bed.target, ground.rules, bed.bounds, levels, ground.n_stats,
        walk.progress.flag, walk.settled,
    )  # fmt: skip
    for knot, first, last in zip(knots, firsts, firsts[1:], strict=False):
        knot.grown = nodes[first:last], stats[first:last], pairs


def grow_limited(walk: Walk, roots: list[Knot], order: str, n_leaves: int, most_leaves: int) -> None:
    """Splits one node after the other until the tree has `most_leaves` leaves.

    best_first takes the node whose split gains most, weighted by the node; level the one nearest to the root;
    depth_first the leftmost. Equal ones: the one found first.

    Args:
        n_leaves: leaves of the whole tree before.
    """
    queue: list[tuple[float, int, Knot]] = []
    found = 0
    code = walk.ground.rules.criterion
    stats = [knot.node.stat for knot in roots if knot.node]
    scale = sum(float(impurity(code, stat) * weight(code, stat)) for stat in stats)
    fresh = list(roots)
    while True:
        if order == "best_first":
            walk.search([knot for knot in fresh if walk.is_open(knot)])
        for knot in fresh if order != "depth_first" else reversed(fresh):
            found += 1
            if not walk.is_open(knot) or (order == "best_first" and knot.column < 0):
                walk.settle(knot)
                continue
            heapq.heappush(queue, (_urgency(walk, knot, order, found, scale), found, knot))
        if not queue or walk.progress.stopped or n_leaves >= most_leaves:
            break
        knot = heapq.heappop(queue)[2]
        fresh = []
        if order != "best_first":
            walk.search([knot])
        if knot.column < 0:
            walk.settle(knot)
        elif n_leaves + walk.n_branches(knot) - 1 <= most_leaves:
            n_leaves += walk.n_branches(knot) - 1
            walk.split([knot])
            fresh = knot.children
        walk.report()


def even_drop(drop: float | NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Drops of an impurity of this scale, rounded to 2⁻⁴⁰ of it: those that are equal but for rounding are equal."""
    step = math.ldexp(1.0, math.frexp(scale)[1] - 40)
    return np.asarray(np.rint(np.asarray(drop) / step) * step)


def _urgency(walk: Walk, knot: Knot, order: str, found: int, scale: float) -> float:
    """The smaller the sooner."""
    if order == "best_first":
        drop = walk.gain(knot) * float(weight(walk.ground.rules.criterion, knot.stat[0]))
        return -float(even_drop(drop, scale))
    return float(knot.depth if order == "level" else -found)
