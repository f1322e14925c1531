"""The search at one node and one column: arrays of statistics in, the best split out. No row is touched.

A *run* is one distinct value (or level) present at the node among training rows of positive weight, in
ascending order of its code. `stat` float64[m, S] holds each run's sufficient statistic (see `impurity`),
`rows` int64[m] its number of rows; `miss_stat` float64[S] and `miss_rows` the same for the rows whose value
is missing. All arrays are C-contiguous. The node is all runs and the missing rows together.

`min_leaf` forbids branches with fewer rows (of positive weight, not weighted).

Equal gains: a later cut replaces the best so far only if it is better by more than `tolerance`, so that
mathematically equal gains resolve to the lowest cut. At one cut both directions of the missing rows are
tried, the branch with more weight first, so it wins ties; without missing rows at the node they are sent
there too. Two branches of equal weight: the left one. The criterion "error" is flat, so its equal gains are
ordered by the Gini gain, which is the second number, `tie`; it is 0 for the other criteria.
"""

import numpy as np
from numpy.typing import NDArray

from engine.kernels import jit, jit_part, shared
from engine.kernels.gain import (
    BITS,
    ROUNDING,
    branch_gain,
    contrast,
    entropy_ceiling,
    larger_side,
    mixed_pair,
    pair_gain,
    rest,
    split_information,
    take_away,
    total_of,
    total_rows,
)
from engine.kernels.impurity import (
    ENTROPY,
    ERROR,
    GAIN_RATIO,
    GINI,
    SQUARED_ERROR,
    improves,
    impurity,
    tolerance,
    weight,
)
from engine.kernels.ordering import first_component, frequent_classes, sort_stable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]

EXACT_LEVELS = 12  # up to here all 2^(levels - 1) - 1 partitions into two groups are tried
CLASS_ORDERS = 32  # so many classes order the levels: each costs a search, and rare ones move no cut that matters


@jit_part
def _best_cut_pair(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, code: int, min_leaf: int
) -> tuple[float, float, int, int]:
    """`best_cut` for two classes and for the squared error: two running sums, no arrays.

    A cut whose entropy gain cannot win is passed over without logarithms: the gain in bits is at most
    Pearson's χ² / (w · ln 2), because a Kullback-Leibler divergence is at most the χ² divergence.
    """
    m = stat.shape[0]
    number = code == SQUARED_ERROR
    node = total_of(stat, miss_stat)
    total, value = weight(code, node), impurity(code, node)
    miss_weight, present = weight(code, miss_stat), total - weight(code, miss_stat)
    eps, tie_eps = tolerance(code, value), tolerance(GINI, impurity(GINI, node))
    bounded = code in (ENTROPY, GAIN_RATIO) and node[0] * node[1] > 0.0
    ceiling = BITS * total * total / (node[0] * node[1]) if bounded else np.inf
    least, n_rows = max(min_leaf, 1), miss_rows + total_rows(rows)
    best_gain, best_tie, best_cut, best_missing = 0.0, 0.0, -1, 0
    first, second, n_left = 0.0, 0.0, 0
    for cut in range(m if miss_rows > 0 else m - 1):
        first += stat[cut, 0]
        second += stat[cut, 1]
        n_left += rows[cut]
        left_weight = first if number else first + second
        toward = larger_side(left_weight, present - left_weight)
        for turn in range(2 if miss_rows > 0 else 1):
            missing = toward if turn == 0 else 1 - toward
            n, w, a, b = n_left, left_weight, first, second
            if missing == 0:
                n, a, b = n_left + miss_rows, first + miss_stat[0], second + miss_stat[1]
                w = left_weight + miss_weight if number else a + b
            if n < least or n_rows - n < least:
                continue
            explained = contrast(b, w, node[1], total)
            gain, tie = explained, 0.0
            if code == GINI:
                gain = 2.0 * explained
            elif not number:
                if bounded and best_cut >= 0 and explained * ceiling <= best_gain * (1.0 - 1e-9):
                    continue
                mixed = mixed_pair(code, a, b) + mixed_pair(code, rest(node[0], a), rest(node[1], b))
                gain = max(value - mixed / total, 0.0)
                tie = 2.0 * explained if code == ERROR else 0.0
            if best_cut < 0 or improves(gain, tie, best_gain, best_tie, eps, tie_eps):
                best_gain, best_tie, best_cut, best_missing = gain, tie, cut, missing
    return best_gain, best_tie, best_cut, best_missing


@jit_part
def _best_cut_many(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, code: int, min_leaf: int
) -> tuple[float, float, int, int]:
    """`best_cut` for any number of classes."""
    m, width = stat.shape
    node = total_of(stat, miss_stat)
    value = impurity(code, node)
    present = weight(code, node) - weight(code, miss_stat)
    eps, tie_eps = tolerance(code, value), tolerance(GINI, impurity(GINI, node))
    bounded = code in (ENTROPY, GAIN_RATIO)
    least, n_rows = max(min_leaf, 1), miss_rows + total_rows(rows)
    best_gain, best_tie, best_cut, best_missing = 0.0, 0.0, -1, 0
    before, left, right = np.zeros(width), np.empty(width), np.empty(width)
    n_before = 0
    for cut in range(m if miss_rows > 0 else m - 1):
        for c in range(width):
            before[c] += stat[cut, c]
        n_before += rows[cut]
        toward = larger_side(weight(code, before), present - weight(code, before)) if miss_rows > 0 else 1
        for turn in range(2 if miss_rows > 0 else 1):
            missing = toward if turn == 0 else 1 - toward
            n = n_before + miss_rows if missing == 0 else n_before
            if n < least or n_rows - n < least:
                continue
            for c in range(width):
                left[c] = before[c] + miss_stat[c] if missing == 0 else before[c]
            if bounded and best_cut >= 0 and entropy_ceiling(left, node) <= best_gain * (1.0 - 1e-9):
                continue
            take_away(node, left, right)
            gain, tie = pair_gain(code, left, right, node, value)
            if best_cut < 0 or improves(gain, tie, best_gain, best_tie, eps, tie_eps):
                best_gain, best_tie, best_cut, best_missing = gain, tie, cut, missing
    if miss_rows == 0 and best_cut >= 0:
        left_weight = 0.0
        for r in range(best_cut + 1):
            for c in range(width):
                left_weight += stat[r, c]
        best_missing = larger_side(left_weight, present - left_weight)
    return best_gain, best_tie, best_cut, best_missing


@shared
@jit
def best_cut(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, code: int, min_leaf: int
) -> tuple[float, float, int, int]:
    """The best cut between two neighbouring runs: (gain, tie, cut, missing).

    Runs 0..cut go left. `missing` is 0 where missing rows go left, 1 right. cut = m - 1 with missing = 1 is
    the split "present | missing". cut = -1: nothing separates the rows, or `min_leaf` forbids every cut.
    """
    if code == SQUARED_ERROR or stat.shape[1] == 2:
        return _best_cut_pair(stat, rows, miss_stat, miss_rows, code, min_leaf)
    return _best_cut_many(stat, rows, miss_stat, miss_rows, code, min_leaf)


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
    value = impurity(code, node)
    least = max(min_leaf, 1)
    n_rows = miss_rows + total_rows(rows)
    before, left, right = np.zeros(width), np.empty(width), np.empty(width)
    n = miss_rows if missing == 0 else 0
    for cut in range(stat.shape[0] - 1):
        n += rows[cut]
        for c in range(width):
            before[c] += stat[cut, c]
            left[c] = before[c] + miss_stat[c] if missing == 0 else before[c]
        out[cut] = np.nan
        if least <= n <= n_rows - least:
            take_away(node, left, right)
            out[cut] = pair_gain(code, left, right, node, value)[0]


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


@jit_part
def _groups_by_ordering(
    stat: Floats, rows: Integers, code: int, min_leaf: int, side: Bytes
) -> tuple[float, float, bool]:
    """Two groups by cuts along orderings: by mean or share of the second class (exact: Fisher 1958, Breiman
    et al. 1984), with more classes by the share of each class and by the first principal component.

    Of more than 32 classes only the most frequent 32 at the node order the levels; the component knows all.
    """
    t, width = stat.shape
    single = code == SQUARED_ERROR or width == 2
    node = total_of(stat, np.zeros(width))
    eps, tie_eps = tolerance(code, impurity(code, node)), tolerance(GINI, impurity(GINI, node))
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


@jit_part
def _groups_by_enumeration(
    stat: Floats, rows: Integers, code: int, min_leaf: int, side: Bytes
) -> tuple[float, float, bool]:
    """Two groups by trying all partitions; level 0 stays on side 0, bit i - 1 of the mask moves level i."""
    t, width = stat.shape
    node = total_of(stat, np.zeros(width))
    value = impurity(code, node)
    eps, tie_eps = tolerance(code, value), tolerance(GINI, impurity(GINI, node))
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
    for i in range(m):
        side[i] = 0
    if m == 0 or t < 2:
        return 0.0, 0.0, -1
    levels, sizes = np.empty((t, width)), np.empty(t, np.int64)
    least_rows = miss_rows if miss_rows > 0 else rows[0]
    for i in range(t):
        sizes[i] = rows[i] if i < m else miss_rows
        least_rows = min(least_rows, sizes[i])
        for c in range(width):
            levels[i, c] = stat[i, c] if i < m else miss_stat[c]
    chosen = np.zeros(t, np.uint8)
    many_classes = code != SQUARED_ERROR and width > 2
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


@jit
def multiway(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, code: int, min_leaf: int
) -> tuple[float, float, int, float]:
    """One branch per run: (gain, tie, missing, split_information).

    `missing` is the run that the missing rows join: the one with the best gain, ties to the one with more
    weight, then the lower one; without missing rows the heaviest. -1: fewer than two runs, or `min_leaf`
    forbids it (every run needs that many rows; a single short one may be filled up by the missing rows).
    """
    m, width = stat.shape
    short, n_short = -1, 0
    for r in range(m):
        if rows[r] < min_leaf:
            short, n_short = r, n_short + 1
    if m < 2 or n_short > 1 or (n_short == 1 and rows[short] + miss_rows < min_leaf):
        return 0.0, 0.0, -1, 0.0
    node = total_of(stat, miss_stat)
    value = impurity(code, node)
    eps, tie_eps = tolerance(code, value), tolerance(GINI, impurity(GINI, node))
    parts, tie_parts, sizes = np.empty(m), np.zeros(m), np.empty(m + 1)
    sizes[m] = weight(code, miss_stat)
    for r in range(m):
        sizes[r] = weight(code, stat[r])
        parts[r] = branch_gain(code, stat[r], node, value)
        if code == ERROR:
            tie_parts[r] = branch_gain(GINI, stat[r], node, value)
    base, tie_base = 0.0, 0.0
    for r in range(m):
        base += parts[r]
        tie_base += tie_parts[r]
    joined = np.empty(width)
    best_gain, best_tie, best_run = 0.0, 0.0, -1
    for r in range(m):
        if n_short == 1 and r != short:
            continue
        gain, tie = base, tie_base
        if miss_rows > 0:
            for c in range(width):
                joined[c] = stat[r, c] + miss_stat[c]
            gain = max(base - parts[r] + branch_gain(code, joined, node, value), 0.0)
            if code == ERROR:
                tie = tie_base - tie_parts[r] + branch_gain(GINI, joined, node, value)
        heavier = best_run >= 0 and sizes[r] * (1.0 - ROUNDING) > sizes[best_run]
        worse = best_run >= 0 and improves(best_gain, best_tie, gain, tie, eps, tie_eps)
        if best_run < 0 or improves(gain, tie, best_gain, best_tie, eps, tie_eps) or (heavier and not worse):
            best_gain, best_tie, best_run = gain, tie, r
    return max(best_gain, 0.0), best_tie, best_run, split_information(sizes)


@jit_part
def _first_of_best(gains: Floats, ties: Floats, open_: NDArray[np.bool_], eps: float) -> int:
    """Lowest open index whose (gain, tie) is within the tolerances of the largest; -1 if none is open."""
    top, top_tie = -np.inf, -np.inf
    for i in range(gains.shape[0]):
        if open_[i]:
            top = max(top, gains[i])
    for i in range(gains.shape[0]):
        if open_[i] and gains[i] >= top - eps:
            top_tie = max(top_tie, ties[i])
    for i in range(gains.shape[0]):
        if open_[i] and gains[i] >= top - eps and ties[i] >= top_tie - tolerance(GINI, top_tie):
            return i
    return -1


@jit_part
def average_gain(gains: Floats, crowded: Flags) -> float:
    """The average gain of the usable columns that are not crowded; of all usable ones if all are, or none is known."""
    for everyone in (False, True):
        total, n = 0.0, 0
        for i in range(gains.shape[0]):
            if not np.isnan(gains[i]) and (everyone or crowded.shape[0] == 0 or not crowded[i]):
                total += gains[i]
                n += 1
        if n > 0:
            return total / n
    return 0.0


@shared
@jit
def rank_columns(
    gains: Floats, ties: Floats, ratios: Floats, crowded: Flags, code: int, node_impurity: float, limit: int
) -> Integers:
    """The columns in order of merit, at most `limit` of them: int64[≤ limit]; NaN gains are left out.

    Every next one is the lowest index whose (gain, tie) is within the tolerance of the best that is left.
    With the gain ratio, columns whose gain reaches the average of all usable ones less 10⁻³ come first
    (the guard of Quinlan 1993 with Weka's slack), and among them the ratio decides. The average leaves out
    the columns that are `crowded`, bool[d] or empty: a branch for nearly every row gains much and means little.
    """
    d = gains.shape[0]
    by_ratio = code == GAIN_RATIO
    merit = ratios if by_ratio else gains
    eps = 1e-12 if by_ratio else tolerance(code, node_impurity)
    bar = -np.inf
    if by_ratio:
        bar = average_gain(gains, crowded) - 1e-3
    order, open_ = np.empty(min(d, limit), np.int64), np.empty(d, np.bool_)
    n = 0
    for passing in (True, False):
        for i in range(d):
            open_[i] = not np.isnan(gains[i]) and (gains[i] >= bar) == passing
        while n < order.shape[0]:
            i = _first_of_best(merit, ties, open_, eps)
            if i < 0:
                break
            order[n] = i
            open_[i] = False
            n += 1
    return order[:n]


@shared
@jit
def choose_column(gains: Floats, ties: Floats, ratios: Floats, crowded: Flags, code: int, node_impurity: float) -> int:
    """The best column: index into gains, ties, ratios float64[d] (gains NaN: unusable), -1 if none is usable.

    `ratios` (gain / split information) and `crowded` are looked at for the gain ratio only, see `rank_columns`.
    """
    order = rank_columns(gains, ties, ratios, crowded, code, node_impurity, 1)
    return order[0] if order.shape[0] > 0 else -1
