"""The search at one node and one column: arrays of statistics in, the best split out. No row is touched.

A *run* is one distinct value (or level) present at the node among training rows of positive weight, in
ascending order of its code. `stat` float64[m, S] holds each run's sufficient statistic (see `impurity`),
`rows` int64[m] its number of rows; `miss_stat` float64[S] and `miss_rows` the same for the rows whose value
is missing. All arrays are C-contiguous. The node is all runs and the missing rows together.

Here and nowhere else row counts are compared with `min_leaf`: rows of positive weight, not weighted. What a column
lacks is tried on both sides of a split in two, on the one with more weight first, so that it wins ties; without such
rows at the node they are sent there, too. Two branches of equal weight: the left one. The equal gains of a flat
criterion are ordered by the Gini gain, which is the second number, `tie`; it is 0 for the other criteria.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import BY_CONTRAST, BY_DIVERGENCE, OF_SUMS
from engine.criteria.kernels import (
    ROUNDING,
    branch_gain,
    contrast,
    entropy_ceiling,
    improves,
    larger_side,
    pair_gain,
    scales,
    split_information,
    take_away,
    total_of,
    weight,
)
from engine.runtime.compiler import jit, jit_part, jit_within

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@jit_within
def is_enough(n: Any, min_leaf: int) -> Any:
    """Whether so many rows make a branch; n: a number, or from Python an array of them."""
    return n >= max(min_leaf, 1)


@jit_within
def may_part(n: Any, n_rows: int, min_leaf: int) -> Any:
    """Whether n of the rows make a branch, and the others another one."""
    return is_enough(n, min_leaf) & is_enough(n_rows - n, min_leaf)


@jit_within
def sides_of_missing(toward: int, n_left: int, n_right: int, n_missing: int, min_leaf: int) -> tuple[int, int]:
    """The sides, 0 or 1, that rows without a value may take, in the order in which they are tried; -1 for none.

    Args:
        toward: the side of more weight. n_left, n_right: rows that have the value.
    """
    n_rows = n_left + n_right + n_missing
    left = may_part(n_left + n_missing, n_rows, min_leaf)
    right = may_part(n_left, n_rows, min_leaf)
    first = toward if (left if toward == 0 else right) else -1
    other = 1 - toward if n_missing > 0 and (right if toward == 0 else left) else -1
    return first, other


@jit_within
def open_branches(rows: Integers, n_missing: int, min_leaf: int) -> tuple[int, int]:
    """The branches first .. stop - 1 that rows without a value may join; none where the branches may not be made.

    Every branch, rows int64[B] > 0, needs `min_leaf` rows; a single short one may be filled up.
    """
    short, n_short = 0, 0
    for b in range(rows.shape[0]):
        if not is_enough(rows[b], min_leaf):
            short, n_short = b, n_short + 1
    if rows.shape[0] < 2 or n_short > 1 or (n_short == 1 and not is_enough(rows[short] + n_missing, min_leaf)):
        return 0, 0
    return (short, short + 1) if n_short == 1 else (0, rows.shape[0])


@jit
def best_part(parts, n_parts, stat, rows, miss_stat, miss_rows, code, min_leaf):  # type: ignore[no-untyped-def]
    """The best of many ways to split a node in two: (gain, tie, place, side of the missing rows); -1 for none.

    A later one is better only by more than the tolerance, so that mathematically equal gains resolve to the first.
    Where χ² bounds the gain, splits that cannot win need no logarithms.

    Args:
        parts: float64[p, S], what has a value on side 0; n_parts: int64[p], rows.
    """
    node, width, n_rows = total_of(stat, miss_stat), stat.shape[1], miss_rows + rows.sum()
    present, (value, eps, tie_eps) = weight(code, node) - weight(code, miss_stat), scales(code, node)
    left, right = np.empty(width), np.empty(width)
    best_gain, best_tie, best, best_side = 0.0, 0.0, -1, -1
    for i in range(n_parts.size):
        size = weight(code, parts[i])
        toward, n_others = larger_side(size, present - size), n_rows - n_parts[i] - miss_rows
        for side in sides_of_missing(toward, n_parts[i], n_others, miss_rows, min_leaf):
            if side < 0:
                continue
            joins = side == 0 and miss_rows > 0
            for c in range(width):
                left[c] = parts[i, c] + miss_stat[c] if joins else parts[i, c]
            if code & BY_DIVERGENCE and best >= 0 and entropy_ceiling(left, node) <= best_gain * (1.0 - 1e-9):
                continue
            if not code & BY_CONTRAST:
                take_away(node, left, right)
            gain, tie = pair_gain(code, left, right, node, value)
            if best < 0 or improves(gain, tie, best_gain, best_tie, eps, tie_eps):
                best_gain, best_tie, best, best_side = gain, tie, i, side
    return best_gain, best_tie, best, best_side


@jit_part
def _best_cut_pair(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, code: int, min_leaf: int
) -> tuple[float, float, int, int]:
    """`best_cut` for Gini of two classes and for the variance: two running sums take a sixth of the time."""
    sums, factor = code & OF_SUMS != 0, 1.0 if code & OF_SUMS else 2.0
    node = total_of(stat, miss_stat)
    total, eps = weight(code, node), scales(code, node)[1]
    present, n_present = total - weight(code, miss_stat), rows.sum()
    best_gain, best_cut, best_side = 0.0, -1, -1
    first, second, n_left = 0.0, 0.0, 0
    for cut in range(stat.shape[0] if miss_rows > 0 else stat.shape[0] - 1):
        first += stat[cut, 0]
        second += stat[cut, 1]
        n_left += rows[cut]
        left = first if sums else first + second
        toward = larger_side(left, present - left)
        for side in sides_of_missing(toward, n_left, n_present - n_left, miss_rows, min_leaf):
            if side < 0:
                continue
            a, b = first, second
            if side == 0 and miss_rows > 0:
                a, b = first + miss_stat[0], second + miss_stat[1]
            gain = factor * contrast(b, a if sums else a + b, node[1], total)
            if best_cut < 0 or improves(gain, 0.0, best_gain, 0.0, eps, 0.0):
                best_gain, best_cut, best_side = gain, cut, side
    return best_gain, 0.0, best_cut, best_side


@jit
def best_cut(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, code: int, min_leaf: int
) -> tuple[float, float, int, int]:
    """The best cut between two neighbouring runs: (gain, tie, cut, missing).

    Runs 0..cut go left. `missing` is 0 where missing rows go left, 1 right. cut = m - 1 with missing = 1 is
    the split "present | missing". Both are -1 where nothing separates the rows, or `min_leaf` forbids every cut.
    """
    if code & BY_CONTRAST and (code & OF_SUMS or stat.shape[1] == 2):
        return _best_cut_pair(stat, rows, miss_stat, miss_rows, code, min_leaf)
    n_cuts = stat.shape[0] if miss_rows > 0 else stat.shape[0] - 1
    before, n_before = np.empty((n_cuts, stat.shape[1])), np.empty(n_cuts, np.int64)
    for cut in range(n_cuts):
        n_before[cut] = rows[cut] + (n_before[cut - 1] if cut > 0 else 0)
        for c in range(stat.shape[1]):
            before[cut, c] = stat[cut, c] + (before[cut - 1, c] if cut > 0 else 0.0)
    return best_part(before, n_before, stat, rows, miss_stat, miss_rows, code, min_leaf)


@jit
def cut_gains(
    stat: Floats,
    rows: Integers,
    miss_stat: Floats,
    miss_rows: int,
    code: int,
    min_leaf: int,
    missing: int,
    out: Floats,
) -> None:
    """The gain of every cut, into out float64[m - 1]; missing rows go to `missing` (0 left, 1 right).

    NaN where `min_leaf` forbids the cut. The same numbers as in `best_cut`, bit by bit.
    """
    width = stat.shape[1]
    node = total_of(stat, miss_stat)
    value, n_rows = scales(code, node)[0], miss_rows + rows.sum()
    before, left, right = np.zeros(width), np.empty(width), np.empty(width)
    n = miss_rows if missing == 0 else 0
    for cut in range(stat.shape[0] - 1):
        n += rows[cut]
        for c in range(width):
            before[c] += stat[cut, c]
            left[c] = before[c] + miss_stat[c] if missing == 0 else before[c]
        out[cut] = np.nan
        if may_part(n, n_rows, min_leaf):
            take_away(node, left, right)
            out[cut] = pair_gain(code, left, right, node, value)[0]


@jit
def multiway(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, code: int, min_leaf: int
) -> tuple[float, float, int, float]:
    """One branch per run: (gain, tie, missing, split_information).

    `missing` is the run that the missing rows join: the one with the best gain, ties to the one with more
    weight, then the lower one; without missing rows the heaviest. -1: fewer than two runs, or `min_leaf`
    forbids it.
    """
    m, width = stat.shape
    first, stop = open_branches(rows, miss_rows, min_leaf)
    if first == stop:
        return 0.0, 0.0, -1, 0.0
    node = total_of(stat, miss_stat)
    value, eps, tie_eps = scales(code, node)
    parts, tie_parts, sizes = np.empty(m), np.empty(m), np.empty(m + 1)
    sizes[m] = weight(code, miss_stat)
    base, tie_base = 0.0, 0.0
    for r in range(m):
        sizes[r] = weight(code, stat[r])
        parts[r], tie_parts[r] = branch_gain(code, stat[r], node, value)
        base += parts[r]
        tie_base += tie_parts[r]
    joined = np.empty(width)
    best_gain, best_tie, best_run = 0.0, 0.0, -1
    for r in range(first, stop):
        gain, tie = base, tie_base
        if miss_rows > 0:
            for c in range(width):
                joined[c] = stat[r, c] + miss_stat[c]
            more, more_tie = branch_gain(code, joined, node, value)
            gain, tie = max(base - parts[r] + more, 0.0), tie_base - tie_parts[r] + more_tie
        heavier = best_run >= 0 and sizes[r] * (1.0 - ROUNDING) > sizes[best_run]
        worse = best_run >= 0 and improves(best_gain, best_tie, gain, tie, eps, tie_eps)
        if best_run < 0 or improves(gain, tie, best_gain, best_tie, eps, tie_eps) or (heavier and not worse):
            best_gain, best_tie, best_run = gain, tie, r
    return max(best_gain, 0.0), best_tie, best_run, split_information(sizes)
