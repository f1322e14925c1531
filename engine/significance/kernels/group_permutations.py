"""Dealing a target out to the levels of a column, LANES deals at a time, each step for all of them together.

What lies side by side in memory is the same of all lanes, so that the compiler does several of them at once. How many
they are it reads from the arrays: a loop of a known length it would write out, one lane after the other.

    batch 0    place of row 0:  2 1 0 ... (LANES)    place of row 1:  0 2 2 ...    batch 1 ...

The slow twin is `engine.significance.groupings._draw`.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit

LANES = 32  # deals


class Deals(NamedTuple):
    """How targets are dealt out: places uint16[batches, n, LANES] of rows, or normal float64[batches, k, LANES] where
    levels have many rows; the other one is empty. The last lanes are not used where `draws` is no multiple of LANES.
    blocks: int64[·], where the blocks of ordered draws end that are taken together; the last entry is `draws`."""

    places: np.ndarray
    normal: np.ndarray
    blocks: np.ndarray


class Drawn(NamedTuple):
    """Room for what is drawn for one node.

    whole, best: float64[draws, rounded up to LANES], the shares that all levels, and two groups of them, explain.
    factors: float64 of the same size. sums, place: float64[k, LANES], of levels: sums of the target, their means.
    hits: uint16[LANES]. total, left, before: float64[LANES].
    """

    whole: np.ndarray
    best: np.ndarray
    factors: np.ndarray
    sums: np.ndarray
    place: np.ndarray
    hits: np.ndarray
    total: np.ndarray
    left: np.ndarray
    before: np.ndarray


@jit
def make_drawn(draws, levels):
    """Room for nodes of up to so many levels."""
    lines, sums = np.empty((3, (draws + LANES - 1) // LANES * LANES)), np.empty((2, levels, LANES))
    lanes = np.empty((3, LANES))
    hits = np.empty(LANES, np.uint16)
    return Drawn(lines[0], lines[1], lines[2], sums[0], sums[1], hits, lanes[0], lanes[1], lanes[2])


@jit
def deal_classes(deals, batch, sizes, cut, root, drawn):
    """Writes the sums of the levels, in units of one standard deviation, where the first `cut` rows are of one class.

    root: the deviation of a row."""
    places, sums, hits = deals.places, drawn.sums, drawn.hits
    threshold, last, lanes = np.uint16(cut), 0, drawn.hits.size
    for j in range(sizes.size):
        first, last = last, last + sizes[j]
        for lane in range(lanes):
            hits[lane] = 0
        for r in range(first, last):
            for lane in range(lanes):
                hits[lane] += np.uint16(places[batch, r, lane] >= threshold)
        for lane in range(lanes):
            sums[j, lane] = hits[lane] / root


@jit
def deal_numbers(deals, batch, sizes, numbers, start, drawn):
    """Writes the sums of the levels of a node whose numbers begin at `start`."""
    places, sums, last, lanes = deals.places, drawn.sums, 0, drawn.sums.shape[1]
    for j in range(sizes.size):
        first, last = last, last + sizes[j]
        for lane in range(lanes):
            sums[j, lane] = 0.0
        for r in range(first, last):
            for lane in range(lanes):
                sums[j, lane] += numbers[start + np.int64(places[batch, r, lane])]


@jit
def deal_normal(deals, batch, sizes, drawn):
    """Writes the sums of levels of many rows."""
    for j in range(sizes.size):
        scale = math.sqrt(sizes[j])
        for lane in range(drawn.hits.size):
            drawn.sums[j, lane] = deals.normal[batch, j, lane] * scale


@jit
def two_groups(batch, sizes, n, drawn):
    """Measures the sums by level from the mean of all n rows, and writes the share that all levels explain, and the one
    that those above and those below the mean do."""
    sums, total, left, before = drawn.sums, drawn.total, drawn.left, drawn.before
    at, whole, lanes = batch * LANES, drawn.whole, total.size
    for lane in range(lanes):
        total[lane] = left[lane] = before[lane] = whole[at + lane] = 0.0
    for j in range(sizes.size):
        for lane in range(lanes):
            total[lane] += sums[j, lane]
    for lane in range(lanes):
        total[lane] /= n
    for j in range(sizes.size):
        rows = float(sizes[j])
        for lane in range(lanes):
            one = sums[j, lane] - rows * total[lane]
            sums[j, lane] = one
            whole[at + lane] += one * one / rows
            left[lane] += one if one > 0.0 else 0.0
            before[lane] += rows if one > 0.0 else 0.0
    for lane in range(lanes):
        whole[at + lane] /= n
        drawn.best[at + lane] = explained(left[lane], before[lane], n)


@jit
def explained(left, before, n):
    """The share that two groups explain, `before` rows with the sum `left` and all others."""
    both = before * (n - before)
    return left * left / (both if both > 1.0 else 1.0)  # where all are on one side the sum is 0


@jit
def best_groups(batch, sizes, n, drawn):
    """Writes the share that the best two groups explain, after `two_groups`: levels up to each one in the order of
    their means. Comparing all with all is quicker than putting each lane in an order of its own."""
    sums, place, left, before = drawn.sums, drawn.place, drawn.left, drawn.before
    at, best, k, lanes = batch * LANES, drawn.best, sizes.size, left.size
    for j in range(k):
        rows = float(sizes[j])
        for lane in range(lanes):
            place[j, lane] = sums[j, lane] / rows
    for j in range(k):
        for lane in range(lanes):
            left[lane] = before[lane] = 0.0
        for other in range(k):
            rows = float(sizes[other])
            for lane in range(lanes):
                below = place[other, lane] <= place[j, lane]
                left[lane] += sums[other, lane] if below else 0.0
                before[lane] += rows if below else 0.0
        for lane in range(lanes):
            share = explained(left[lane], before[lane], n)
            best[at + lane] = share if share > best[at + lane] else best[at + lane]
