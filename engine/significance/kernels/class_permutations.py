"""Dealing a target of three classes or more out to the levels of a column, LANES deals at a time.

As in `group_permutations`, but the sums of a level are those of every class, and the best two groups are looked
for along several directions: levels are put in the order of their place, cut where two groups explain most, and placed
anew along what lies left of the cut. Levels at the same place stay together.

The slow twin stands beside its test, `tests/engine/test_class_deals.py`.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit
from engine.significance.kernels.group_permutations import LANES

STARTS = 4  # classes along whose shares levels are ordered first, those that vary most
ROUNDS = 3  # of the search for the direction that explains most
MANY = 64  # levels from which putting each lane in an order of its own is quicker than comparing all with all


class Classes(NamedTuple):
    """The classes of some nodes; those of node i are first[i]..first[i + 1] - 1, three or more.

    first: int64[n + 1]. shares: float64[·], of all rows. ends: int64[·], of rows in their order, where each ends.
    """

    first: np.ndarray
    shares: np.ndarray
    ends: np.ndarray


class ClassRoom(NamedTuple):
    """Room for what is drawn for one node of k levels and K classes.

    sums: float64[batches, k · K, LANES], of each level by class, in units of one standard deviation. whole, best,
    factors: float64[batches · LANES], see `group_permutations.Drawn`. energy: float64[K, LANES], Σ sums² by
    class; starts: int64[STARTS], the classes with most. place: float64[k, LANES], of levels. left, goal:
    float64[K, LANES], the sums left of a cut, and of the best one. before, gain, found: float64[LANES], rows left of a
    cut, what it explains, and the best one; while a cut is added up `gain` is 1 where a level lies left of it. hits,
    fewer: uint16[LANES]. roots: float64[K], of the shares of the classes. order: int64[k].
    """

    sums: np.ndarray
    whole: np.ndarray
    best: np.ndarray
    factors: np.ndarray
    energy: np.ndarray
    starts: np.ndarray
    place: np.ndarray
    left: np.ndarray
    goal: np.ndarray
    before: np.ndarray
    gain: np.ndarray
    found: np.ndarray
    hits: np.ndarray
    fewer: np.ndarray
    roots: np.ndarray
    order: np.ndarray


@jit
def make_class_room(draws, levels, classes, cells):
    """Room for nodes of up to so many levels, classes, and levels times classes."""
    batches = (draws + LANES - 1) // LANES
    lines, lanes = np.empty((3, batches * LANES)), np.empty((3, LANES))
    sides, hits = np.empty((3, classes, LANES)), np.empty((2, LANES), np.uint16)
    sums, place, starts = np.empty((batches, cells, LANES)), np.empty((levels, LANES)), np.empty(STARTS, np.int64)
    return ClassRoom(
        sums, lines[0], lines[1], lines[2], sides[2], starts, place, sides[0], sides[1], lanes[0], lanes[1], lanes[2],
        hits[0], hits[1], np.empty(classes), np.empty(levels, np.int64),
    )  # fmt: skip


@jit
def deal_rows(places, batch, sizes, ends, room):
    """Writes the sums of the levels where the rows themselves are dealt."""
    sums, hits, fewer, last, n_classes = room.sums, room.hits, room.fewer, 0, ends.size
    for j in range(sizes.size):
        first, last = last, last + sizes[j]
        for lane in range(hits.size):
            fewer[lane] = 0
        for c in range(n_classes):
            scale, end = 1.0 / room.roots[c], np.uint16(ends[c])
            for lane in range(hits.size):
                hits[lane] = 0
            for r in range(first, last):
                for lane in range(hits.size):
                    hits[lane] += np.uint16(places[batch, r, lane] < end)
            for lane in range(hits.size):
                sums[batch, j * n_classes + c, lane] = (np.int64(hits[lane]) - np.int64(fewer[lane])) * scale
                fewer[lane] = hits[lane]


@jit
def deal_sums(normal, batch, sizes, n_classes, room):
    """Writes the sums of levels of many rows; the classes of a level add up to its rows."""
    sums, total = room.sums, room.before
    for j in range(sizes.size):
        scale = math.sqrt(sizes[j])
        for lane in range(total.size):
            total[lane] = 0.0
        for c in range(n_classes):
            root = room.roots[c]
            for lane in range(total.size):
                total[lane] += normal[batch, j * n_classes + c, lane] * root
        for c in range(n_classes):
            root = room.roots[c]
            for lane in range(total.size):
                at = j * n_classes + c
                sums[batch, at, lane] = (normal[batch, at, lane] - root * total[lane]) * scale


@jit
def measure(batch, sizes, n_classes, n, room):
    """Measures the sums from the mean of all n rows, and writes the share that all levels explain."""
    sums, total, whole, energy = room.sums, room.before, room.whole, room.energy
    at = batch * total.size
    for lane in range(total.size):
        whole[at + lane] = 0.0
    for c in range(n_classes):
        for lane in range(total.size):
            total[lane] = 0.0
        for j in range(sizes.size):
            for lane in range(total.size):
                total[lane] += sums[batch, j * n_classes + c, lane]
        for j in range(sizes.size):
            share, each = sizes[j] / n, 1.0 / sizes[j]
            for lane in range(total.size):
                one = sums[batch, j * n_classes + c, lane] - share * total[lane]
                sums[batch, j * n_classes + c, lane] = one
                whole[at + lane] += one * one * each
                energy[c, lane] += one * one
    for lane in range(total.size):
        whole[at + lane] /= n * (n_classes - 1.0)


@jit
def deal_classes_out(deals, sizes, shares, ends, room):
    """Deals the classes out, all batches; returns how many rows there are."""
    n = 0
    for j in range(sizes.size):
        n += sizes[j]
    for c in range(shares.size):
        room.roots[c] = math.sqrt(shares[c])
        for lane in range(room.found.size):
            room.energy[c, lane] = 0.0
    for batch in range(room.sums.shape[0]):
        if deals.normal.size:
            deal_sums(deals.normal, batch, sizes, shares.size, room)
        else:
            deal_rows(deals.places, batch, sizes, ends, room)
        measure(batch, sizes, shares.size, n, room)
    for t in range(room.whole.size):
        room.best[t] = 0.0
    choose_starts(shares.size, room)
    return n


@jit
def choose_starts(n_classes, room):
    """Writes which classes vary most."""
    energy, starts = room.energy, room.starts
    for c in range(n_classes):
        for lane in range(1, room.found.size):
            energy[c, 0] += energy[c, lane]
    for s in range(min(STARTS, n_classes)):
        starts[s] = 0
        for c in range(n_classes):
            starts[s] = c if energy[c, 0] > energy[starts[s], 0] else starts[s]
        energy[starts[s], 0] = -1.0


@jit
def start_along(batch, sizes, n_classes, c, room):
    """Places the levels by their share of one class."""
    for j in range(sizes.size):
        each = 1.0 / sizes[j]
        for lane in range(room.found.size):
            room.place[j, lane] = room.sums[batch, j * n_classes + c, lane] * each


@jit
def turn(batch, sizes, n_classes, room):
    """Places the levels along what lies left of the best cut."""
    sums, place, goal = room.sums, room.place, room.goal
    for j in range(sizes.size):
        each = 1.0 / sizes[j]
        for lane in range(room.found.size):
            place[j, lane] = 0.0
        for c in range(n_classes):
            for lane in range(room.found.size):
                place[j, lane] += sums[batch, j * n_classes + c, lane] * goal[c, lane]
        for lane in range(room.found.size):
            place[j, lane] *= each


@jit
def add_left(batch, j, sizes, n_classes, room):
    """Adds up the rows and the sums of the levels that lie no farther than level j."""
    sums, place, left, before, below = room.sums, room.place, room.left, room.before, room.gain
    k, lanes = sizes.size, below.size
    for lane in range(lanes):
        before[lane] = 0.0
    for c in range(n_classes):
        for lane in range(lanes):
            left[c, lane] = 0.0
    for other in range(k):
        rows = float(sizes[other])
        for lane in range(lanes):
            below[lane] = 1.0 if place[other, lane] <= place[j, lane] else 0.0
            before[lane] += rows * below[lane]
        for c in range(n_classes - 1):
            at = other * n_classes + c
            for lane in range(lanes):
                left[c, lane] += sums[batch, at, lane] * below[lane]
    for c in range(n_classes - 1):  # rows are of some class, so the others tell how many are of the last one
        part = room.roots[c] / room.roots[n_classes - 1]
        for lane in range(lanes):
            left[n_classes - 1, lane] -= left[c, lane] * part


@jit
def cut_along(batch, sizes, n_classes, n, room):
    """Cuts the levels in the order of their places where two groups explain most. Comparing all with all is quicker
    than putting each lane in an order of its own."""
    left, goal, before, gain, found = room.left, room.goal, room.before, room.gain, room.found
    k, lanes, at = sizes.size, found.size, batch * found.size
    for lane in range(lanes):
        found[lane] = -1.0
    for j in range(k):
        add_left(batch, j, sizes, n_classes, room)
        for lane in range(lanes):
            gain[lane] = 0.0
        for c in range(n_classes):
            for lane in range(lanes):
                gain[lane] += left[c, lane] * left[c, lane]
        for lane in range(lanes):
            both = before[lane] * (n - before[lane])
            gain[lane] /= (both if both > 0.5 else 1.0) * (n_classes - 1.0)  # where all lie left the sums are 0
        for c in range(n_classes):
            for lane in range(lanes):
                goal[c, lane] = left[c, lane] if gain[lane] > found[lane] else goal[c, lane]
        for lane in range(lanes):
            found[lane] = gain[lane] if gain[lane] > found[lane] else found[lane]
    for lane in range(lanes):
        room.best[at + lane] = found[lane] if found[lane] > room.best[at + lane] else room.best[at + lane]


@jit
def put_levels_in_order(place, lane, k, order):
    """Writes the levels in the order of their places (Shell)."""
    gap = 1
    for j in range(k):
        order[j] = j
    while 3 * gap + 1 < k:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, k):
            level, j = order[i], i
            while j >= gap and place[order[j - gap], lane] > place[level, lane]:
                order[j] = order[j - gap]
                j -= gap
            order[j] = level
        gap //= 3


@jit
def cut_many_along(batch, sizes, n_classes, n, room):
    """The same of many levels."""
    sums, place, left, goal, order, found = room.sums, room.place, room.left, room.goal, room.order, room.found
    k, at = sizes.size, batch * found.size
    for lane in range(found.size):
        put_levels_in_order(place, lane, k, order)
        before, found[lane] = 0.0, -1.0
        for c in range(n_classes):
            left[c, lane] = goal[c, lane] = 0.0
        for i in range(k - 1):
            level, gain = order[i], 0.0
            before += sizes[level]
            for c in range(n_classes):
                left[c, lane] += sums[batch, level * n_classes + c, lane]
                gain += left[c, lane] * left[c, lane]
            gain /= before * (n - before) * (n_classes - 1.0)
            if gain > found[lane] and place[order[i + 1], lane] > place[level, lane]:
                found[lane] = gain
                for c in range(n_classes):
                    goal[c, lane] = left[c, lane]
        room.best[at + lane] = max(found[lane], room.best[at + lane])


@jit
def best_of_classes(batch, sizes, n_classes, n, room):
    """Writes the share that the best two groups explain, along all directions."""
    for s in range(min(STARTS, n_classes)):
        start_along(batch, sizes, n_classes, room.starts[s], room)
        for again in range(ROUNDS):
            if again > 0:
                turn(batch, sizes, n_classes, room)
            if sizes.size < MANY:
                cut_along(batch, sizes, n_classes, n, room)
            else:
                cut_many_along(batch, sizes, n_classes, n, room)


@jit
def draw_classes(deals, sizes, shares, ends, whole, best):
    """Writes the shares that all levels, and the best two groups of them, explain in each deal, float64[draws].

    deals: `group_permutations.Deals`, of normal ones [batches, k · K, LANES]. sizes: int64[k]. shares, ends: of
    the classes, as in `Classes`.
    """
    room = make_class_room(whole.size, sizes.size, shares.size, sizes.size * shares.size)
    n = deal_classes_out(deals, sizes, shares, ends, room)
    for batch in range(room.sums.shape[0]):
        best_of_classes(batch, sizes, shares.size, n, room)
    for t in range(whole.size):
        whole[t], best[t] = room.whole[t], room.best[t]
