"""In which order nodes are grown: as fast as possible, or one by one up to a number of leaves."""

import heapq
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.induction.walk import Knot, Walk
from engine.kernels.cells import pack_lists
from engine.kernels.impurity import impurity, weight
from engine.kernels.lists import Target
from engine.kernels.subtrees import grow_subtrees

SMALL = 32_768  # rows that a kernel grows alone: local row numbers then fit 16 bits, and the lists the cache
LEAST_SMALL = 4_096


def grow_all(walk: Walk, roots: list[Knot]) -> None:
    """Grows everything below the roots: large nodes one by one, the small ones as whole subtrees."""
    n = walk.ground.rows.shape[1]
    small_at = min(SMALL, max(n // (4 * walk.workers.threads), LEAST_SMALL))
    waiting, small = [knot for knot in reversed(roots)], []
    while waiting:
        knot = waiting.pop()
        if knot.n_rows <= small_at:
            small.append(knot)
        elif walk.is_open(knot) and walk.search(knot):
            waiting.extend(reversed(walk.split(knot)))
        else:
            walk.settle(knot)
        walk.report()
    batches = sorted(_batches(small, small_at), key=lambda batch: batch[0].start - batch[-1].stop)
    walk.workers.each(lambda batch: _finish(walk, batch), batches, walk.report)


def _batches(knots: Iterable[Knot], most: int) -> list[list[Knot]]:
    """Neighbouring nodes together, up to `most` rows; so that thousands of small nodes are a few calls."""
    batches: list[list[Knot]] = []
    for knot in knots:
        if batches and batches[-1][-1].stop == knot.start and knot.stop - batches[-1][0].start <= most:
            batches[-1].append(knot)
        else:
            batches.append([knot])
    return batches


def _finish(walk: Walk, batch: list[Knot]) -> None:
    """Grows the subtrees of neighbouring nodes by one kernel, on lists of their own."""
    if walk.progress.stopped:
        return
    ground, start, stop = walk.ground, batch[0].start, batch[-1].stop
    n_columns, n = ground.rows.shape[0], stop - start
    cells, original = np.empty((n_columns, n), np.uint32), np.empty((n_columns, n + 1), np.uint32)
    old = ground.rows[0, start:stop].copy()
    pack_lists(ground.rows, ground.codes, start, stop, walk.side, cells, original)
    target = Target(*(array[old] if array.size else array for array in ground.target[:3]))
    bounds = np.array([knot.start - start for knot in batch] + [n])
    levels = np.array([knot.levels for knot in batch])
    nodes, stats, pairs, firsts = grow_subtrees(
        cells, original, ground.ways, target, ground.rules, bounds, levels, ground.n_stats,
        walk.progress.flag, walk.settled,
    )  # fmt: skip
    for knot, first, last in zip(batch, firsts, firsts[1:], strict=False):
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
    scale = sum(float(impurity(code, knot.about[0]) * weight(code, knot.about[0])) for knot in roots)
    fresh = list(roots)
    while True:
        for knot in fresh if order != "depth_first" else reversed(fresh):
            found += 1
            if not walk.is_open(knot) or (order == "best_first" and not walk.search(knot)):
                walk.settle(knot)
                continue
            heapq.heappush(queue, (_urgency(walk, knot, order, found, scale), found, knot))
        if not queue or walk.progress.stopped or n_leaves >= most_leaves:
            break
        knot = heapq.heappop(queue)[2]
        fresh = []
        if order != "best_first" and not walk.search(knot):
            walk.settle(knot)
        elif n_leaves + walk.n_branches(knot) - 1 <= most_leaves:
            n_leaves += walk.n_branches(knot) - 1
            fresh = walk.split(knot)
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
