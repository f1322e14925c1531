"""The search for the best two groups of levels at one node: arrays of statistics in, as in `search.kernels.cuts`."""

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import OF_SUMS
from engine.criteria.kernels import improves, larger_side, pair_gain, scales, take_away, total_of, total_rows, weight
from engine.runtime.compiler import jit, jit_part, jit_within
from engine.search.kernels.cuts import best_cut
from engine.search.kernels.ordering import first_component, frequent_classes, sort_stable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]

EXACT_LEVELS = 12  # up to here all 2^(levels - 1) - 1 partitions into two groups are tried
CLASS_ORDERS = 32  # so many classes order the levels: each costs a search, and rare ones move no cut that matters


@jit_part
def _two_groups_along(
    order: Integers, stat: Floats, rows: Integers, code: int, min_leaf: int, side: Bytes
) -> tuple[float, float, int]:
    """Best cut along one ordering of the levels: (gain, tie, cut); fills `side` if there is one."""
    ordered, sizes = np.empty(stat.shape), np.empty(rows.shape[0], np.int64)
    for i in range(order.shape[0]):
        sizes[i] = rows[order[i]]
        for c in range(stat.shape[1]):
            ordered[i, c] = stat[order[i], c]
    gain, tie, cut, _ = best_cut(ordered, sizes, np.zeros(stat.shape[1]), 0, code, min_leaf)
    for i in range(order.shape[0]):
        side[order[i]] = 0 if i <= cut else 1
    return gain, tie, cut


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
    node = total_of(stat, np.zeros(width))
    _, eps, tie_eps = scales(code, node)
    best_gain, best_tie, found = 0.0, 0.0, False
    key, trial = np.empty(t), np.empty(t, np.uint8)
    order, spare = np.empty(t, np.int64), np.empty(t, np.int64)
    classes = np.empty(0, np.int64) if single else frequent_classes(node, CLASS_ORDERS)
    for turn in range(1 if single else classes.shape[0] + 1):
        if turn == classes.shape[0] and not single:
            first_component(stat, key)
        else:
            key_class = 1 if single else classes[turn]
            for i in range(t):
                key[i] = stat[i, key_class] / weight(code, stat[i])
        sort_stable(key, order, spare)
        gain, tie, cut = _two_groups_along(order, stat, rows, code, min_leaf, trial)
        if cut >= 0 and (not found or improves(gain, tie, best_gain, best_tie, eps, tie_eps)):
            best_gain, best_tie, found = gain, tie, True
            for i in range(t):
                side[i] = trial[i]
    return best_gain, best_tie, found


@jit
def _groups_by_enumeration(
    stat: Floats, rows: Integers, code: int, min_leaf: int, side: Bytes
) -> tuple[float, float, bool]:
    """Two groups by trying all partitions; level 0 stays on side 0, bit i - 1 of the mask moves level i."""
    t, width = stat.shape
    node = total_of(stat, np.zeros(width))
    value, eps, tie_eps = scales(code, node)
    least, n_rows = max(min_leaf, 1), total_rows(rows)
    right = np.zeros((1 << (t - 1), width))
    n_right = np.zeros(1 << (t - 1), np.int64)
    left = np.empty(width)
    best_gain, best_tie, best_mask = 0.0, 0.0, 0
    for mask in range(1, 1 << (t - 1)):
        top = 0
        while mask >> (top + 1):
            top += 1
        rest = mask - (1 << top)  # smaller than mask: its sums are there already
        n_right[mask] = n_right[rest] + rows[top + 1]
        for c in range(width):
            right[mask, c] = right[rest, c] + stat[top + 1, c]
        if n_right[mask] < least or n_rows - n_right[mask] < least:
            continue
        take_away(node, right[mask], left)
        gain, tie = pair_gain(code, right[mask], left, node, value)
        if best_mask == 0 or improves(gain, tie, best_gain, best_tie, eps, tie_eps):
            best_gain, best_tie, best_mask = gain, tie, mask
    for i in range(t):
        side[i] = (best_mask << 1 >> i) & 1
    return best_gain, best_tie, best_mask > 0


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
    if t <= EXACT_LEVELS and (many_classes or least_rows < min_leaf):
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
