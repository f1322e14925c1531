"""The best two groups of levels at one node, by cuts along orderings of the levels or by trying all partitions, and one
level against all others: arrays of statistics in, as in `engine.search.kernels.branches`."""

import math

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import OF_COUNTS, OF_SUMS
from engine.criteria.kernels import improves, larger_side, scales, total_of, weight
from engine.runtime.compiler import jit, jit_inside, jit_part, jit_within
from engine.search.kernels.branches import best_cut, best_part, is_enough

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@jit_inside
def sort_stable(key: Floats, order: Integers, spare: Integers) -> None:
    """Fills order int64[t] with the places of the keys in ascending order, stable: a merge sort.

    numpy's argsort would do the same, but takes a second to compile.
    """
    t = key.shape[0]
    for i in range(t):
        order[i] = i
    step = 1
    while step < t:
        for low in range(0, t, 2 * step):
            a, middle, high = low, min(low + step, t), min(low + 2 * step, t)
            b = middle
            for i in range(low, high):
                if a < middle and (b >= high or key[order[a]] <= key[order[b]]):
                    spare[i] = order[a]
                    a += 1
                else:
                    spare[i] = order[b]
                    b += 1
        for i in range(t):
            order[i] = spare[i]
        step *= 2


@jit_part
def is_frequent(node: Floats, c: int, most: int) -> bool:
    """Whether fewer than `most` classes weigh more in node float64[K] than class c; of equal ones the first count."""
    before = 0
    for d in range(node.shape[0]):
        before += node[d] > node[c] or (node[d] == node[c] and d < c)
    return before < most


@jit_part
def first_component(stat: Floats, score: Floats) -> None:
    """Fills score[t]: each level on the first principal component of the class shares, by power iteration.

    Coppersmith, Hong and Hosking 1999: with more than two classes a good partition is mostly a cut here.
    """
    t, width = stat.shape
    total = total_of(stat, np.zeros(width))
    centred, sizes = np.empty((t, width)), np.empty(t)
    covariance = np.zeros((width, width))
    for i in range(t):
        sizes[i] = weight(OF_COUNTS, stat[i])
        for c in range(width):
            centred[i, c] = stat[i, c] / sizes[i] - total[c] / weight(OF_COUNTS, total)
        for a in range(width):
            for b in range(width):
                covariance[a, b] += sizes[i] * centred[i, a] * centred[i, b]
    axis, image = np.zeros(width), np.zeros(width)
    widest = 0
    for c in range(width):
        widest = c if covariance[c, c] > covariance[widest, widest] else widest
    axis[widest] = 1.0
    for _ in range(64):
        norm = 0.0
        for a in range(width):
            image[a] = 0.0
            for b in range(width):
                image[a] += covariance[a, b] * axis[b]
            norm += image[a] * image[a]
        if norm == 0.0:
            break
        for a in range(width):
            axis[a] = image[a] / math.sqrt(norm)
    for i in range(t):
        score[i] = 0.0
        for c in range(width):
            score[i] += centred[i, c] * axis[c]


Bytes = NDArray[np.uint8]

EXACT_LEVELS = 12  # up to here all 2^(levels - 1) - 1 partitions into two groups are tried
CLASS_ORDERS = 32  # so many classes order the levels: each costs a search, and rare ones move no cut that matters


@jit
def _groups_by_ordering(
    stat: Floats, rows: Integers, code: int, min_leaf: int, side: Bytes
) -> tuple[float, float, bool]:
    """Two groups by cuts along orderings: by mean or share of the second class (exact: Fisher 1958, Breiman
    et al. 1984), with more classes by the share of each class and by the first principal component.

    Of more than 32 classes only the most frequent 32 at the node order the levels; the component knows all.
    """
    t, width = stat.shape
    single = code & OF_SUMS != 0 or width == 2
    nothing = np.zeros(width)
    node = total_of(stat, nothing)
    _, eps, tie_eps = scales(code, node)
    best_gain, best_tie, found = 0.0, 0.0, False
    key, order, spare = np.empty(t), np.empty(t, np.int64), np.empty(t, np.int64)
    ordered, sizes = np.empty((t, width)), np.empty(t, np.int64)
    for c in range(1, 2) if single else range(width + 1):
        if c == width:
            first_component(stat, key)
        elif single or is_frequent(node, c, CLASS_ORDERS):
            for i in range(t):
                key[i] = stat[i, c] / weight(code, stat[i])
        else:
            continue
        sort_stable(key, order, spare)
        for i in range(t):
            sizes[i] = rows[order[i]]
            for c in range(width):
                ordered[i, c] = stat[order[i], c]
        gain, tie, cut, _ = best_cut(ordered, sizes, nothing, 0, code, min_leaf)
        if cut >= 0 and (not found or improves(gain, tie, best_gain, best_tie, eps, tie_eps)):
            best_gain, best_tie, found = gain, tie, True
            for i in range(t):
                side[order[i]] = i > cut
    return best_gain, best_tie, found


@jit
def _groups_by_enumeration(
    stat: Floats, rows: Integers, code: int, min_leaf: int, side: Bytes
) -> tuple[float, float, bool]:
    """Two groups by trying all partitions; level 0 stays on side 0, bit i - 1 of the mask moves level i."""
    t, width = stat.shape
    right, n_right = np.zeros((1 << (t - 1), width)), np.zeros(1 << (t - 1), np.int64)
    for mask in range(1, 1 << (t - 1)):
        top = 0
        while mask >> (top + 1):
            top += 1
        rest = mask - (1 << top)  # smaller than mask: its sums are there already
        n_right[mask] = n_right[rest] + rows[top + 1]
        for c in range(width):
            right[mask, c] = right[rest, c] + stat[top + 1, c]
    gain, tie, best, _ = best_part(right[1:], n_right[1:], stat, rows, np.zeros(width), 0, code, min_leaf)
    for i in range(t):
        side[i] = (best + 1 << 1 >> i) & 1
    return gain, tie, best >= 0


@jit
def _with_missing(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, side: Bytes
) -> tuple[Floats, Integers, int]:
    """The levels, missing rows among them, their rows, and those of the smallest; writes 0 on all sides."""
    m, width = stat.shape
    t = m + 1 if miss_rows > 0 else m
    levels, sizes = np.empty((t, width)), np.empty(t, np.int64)
    least_rows = miss_rows if miss_rows > 0 or m == 0 else rows[0]
    for i in range(t):
        sizes[i] = rows[i] if i < m else miss_rows
        least_rows = min(least_rows, sizes[i])
        for c in range(width):
            levels[i, c] = stat[i, c] if i < m else miss_stat[c]
    for i in range(m):
        side[i] = 0
    return levels, sizes, least_rows


@jit_within
def best_groups(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, code: int, min_leaf: int, side: Bytes
) -> tuple[float, float, int]:
    """The best partition of the levels into two groups: (gain, tie, missing); fills side uint8[m], 0 or 1.

    Missing rows count as one more level. Side 0 holds the first run. `missing` is the side of missing rows,
    -1 if nothing separates the rows or `min_leaf` forbids it. Exact for two classes and numbers, and
    for up to 12 levels otherwise; beyond that the best of at most 33 orderings. `min_leaf` breaks the proof
    that an ordering is enough: where it can matter and there are up to 12 levels, all partitions are tried.
    """
    m, width = stat.shape
    t = m + 1 if miss_rows > 0 else m
    levels, sizes, least_rows = _with_missing(stat, rows, miss_stat, miss_rows, side)
    if m == 0 or t < 2:
        return 0.0, 0.0, -1
    chosen = np.zeros(t, np.uint8)
    many_classes = code & OF_SUMS == 0 and width > 2
    if t <= EXACT_LEVELS and (many_classes or not is_enough(least_rows, min_leaf)):
        gain, tie, found = _groups_by_enumeration(levels, sizes, code, min_leaf, chosen)
    else:
        gain, tie, found = _groups_by_ordering(levels, sizes, code, min_leaf, chosen)
    if not found:
        return 0.0, 0.0, -1
    weights = np.zeros(2)
    for i in range(t):
        branch = 1 if chosen[i] != chosen[0] else 0
        weights[branch] += weight(code, levels[i])
        if i < m:
            side[i] = branch
        else:
            return gain, tie, branch
    return gain, tie, larger_side(weights[0], weights[1])


@jit
def one_vs_rest(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, code: int, min_leaf: int, side: Bytes
) -> tuple[float, float, int]:
    """The best single level against all others: (gain, tie, missing); fills side uint8[m], 0 for the one, 1 for others.

    Missing rows go with the one or with the others; or they are the one, which is tried last. `missing` is their side,
    -1 if nothing separates the rows or `min_leaf` forbids it. Ties: the first level.
    """
    m, width = stat.shape
    n = m + 1 if miss_rows > 0 else m
    ones, sizes = np.zeros((n, width)), np.zeros(n, np.int64)
    for i in range(m):
        sizes[i] = rows[i]
        for c in range(width):
            ones[i, c] = stat[i, c]
    gain, tie, best, missing = best_part(ones, sizes, stat, rows, miss_stat, miss_rows, code, min_leaf)
    for i in range(m):
        side[i] = i != best
    return gain, tie, missing
