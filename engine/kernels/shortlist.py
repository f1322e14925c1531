"""Which cuts of a presorted column can be the best one: a filter in front of the exact search.

For two classes under Gini and for the squared error the gain of a cut is, up to a factor, the contrast
(s_L - w_L · s / w)² / (w_L · w_R), where s sums the target (the second class as 0/1) and w the weights. This file
evaluates it for blocks of neighbouring cuts at once, without jumps, so that the compiler can use vector
instructions. A column whose largest contrast is clearly below another column's is done. Of the others the cuts within
rounding of the largest are kept, all runs between them melt together, and `best_cut` decides among the few
that are left; for whole-number weights its sums, and so its answer, are the same as without the filter.
"""

import numpy as np

from engine.kernels import jit
from engine.kernels.impurity import GINI, SQUARED_ERROR, tolerance

BLOCK = 1024  # cuts evaluated together; the rows of `work` fit the first cache
SLACK = 1e-9  # relative; contrasts are good to 1e-12 and better

# rows of `work`, float64[4, BLOCK + 1]: one block of cuts
LEFT_WEIGHT, LEFT_SUM, CONTRAST, KEEP = 0, 1, 2, 3
# rows of `before`, float64[3, blocks]: what stands before each block, and its largest contrast
WEIGHT_BEFORE, SUM_BEFORE, LARGEST = 0, 1, 2


@jit
def can_filter(code, n_stats):
    """Whether the gain is a contrast: two classes under Gini, or the squared error."""
    return code == SQUARED_ERROR or (code == GINI and n_stats == 2)


@jit
def lowest_worth_keeping(contrast, code, node_impurity):
    """Contrasts below this cannot be taken for equal to `contrast` by the exact search."""
    return max(contrast * (1.0 - SLACK) - 8.0 * tolerance(code, node_impurity), 0.0)


@jit
def count_up(rows, j, start, stop, labels, total, work):
    """Counts the second class in the rows start..stop - 1 of list j from `total` on, every partial sum into `work`."""
    count = np.int64(total)
    for k in range(start, stop):
        count += np.int64(labels[rows[j, k]])
        work[LEFT_SUM, k - start] = count
    return np.float64(count)


@jit
def add_up(rows, j, start, stop, target, weight, total, work):
    """The same for a numeric target or with weights; returns (weight, sum)."""
    for k in range(start, stop):
        row = rows[j, k]
        value = np.float64(target.labels[row]) if target.labels.size else target.numbers[row] - target.centre
        share = target.weights[row] if target.weights.size else 1.0
        weight += share
        total += share * value
        work[LEFT_WEIGHT, k - start] = weight
        work[LEFT_SUM, k - start] = total
    return weight, total


@jit
def running_sums(rows, j, start, stop, target, weight, total, work):
    """Adds up the rows start..stop - 1 of list j from (weight, total) on; writes the partial sums, returns the last."""
    if target.labels.size == 0 or target.weights.size:
        weight, total = add_up(rows, j, start, stop, target, weight, total, work)
    else:
        total = count_up(rows, j, start, stop, target.labels, total, work)
        for i in range(stop - start):
            work[LEFT_WEIGHT, i] = weight + (i + 1)
        weight += stop - start
    return weight, total


@jit
def contrasts(codes, j, start, first, last, more_weight, more_sum, weight, mean, work, bits):
    """The contrasts of the cuts first..last - 1 of a block that begins at `start`; returns the largest.

    A cut between equal codes is no cut: -1. more_weight, more_sum: what goes left besides the block's partial
    sums; weight, mean: of the whole node; bits: `work` seen as int64.
    """
    for i in range(first, last):
        w = work[LEFT_WEIGHT, i] + more_weight
        d = work[LEFT_SUM, i] + more_sum - w * mean
        both = w * (weight - w)
        value = d * d / both
        work[CONTRAST, i] = value if codes[j, start + i] != codes[j, start + i + 1] and both > 0.0 else -1.0
    work[CONTRAST, BLOCK] = -1.0
    largest = bits[CONTRAST, BLOCK]  # positive floats compare like integers, and those the compiler vectorizes
    for i in range(first, last):
        largest = max(largest, bits[CONTRAST, i])
    bits[CONTRAST, BLOCK] = largest
    return work[CONTRAST, BLOCK]


@jit
def feasible(start, size, begin, stop, moved, n_missing, least):
    """The cuts of a block that leave `least` rows on both sides, relative to its `start`: [first, last).

    Cut k puts the present rows begin..k of a list left, and `moved` of the missing rows with them.
    """
    first = max(start, begin + least - moved - 1)
    last = min(start + size, stop - 1, stop + n_missing - least - moved)
    return first - start, last - start


@jit
def largest_contrast(rows, codes, j, begin, stop, target, node, miss, n_missing, least, work, bits, before):
    """The largest contrast of any cut of a node by column j, -1 if there is none; fills `before`.

    Args:
        rows, codes: unsigned integer[C, ·], the lists; begin, stop: the node's present rows;
        node, miss: (weight, sum) of all its rows and of the missing ones, which go right or left;
        least: the fewest rows of a branch, at least 1.
    """
    weight, total, best = 0.0, 0.0, -1.0
    mean = node[1] / node[0]
    for start in range(begin, stop, BLOCK):
        block, size = (start - begin) // BLOCK, min(BLOCK, stop - start)
        before[WEIGHT_BEFORE, block], before[SUM_BEFORE, block] = weight, total
        weight, total = running_sums(rows, j, start, start + size, target, weight, total, work)
        largest = -1.0
        for turn in range(2 if n_missing > 0 else 1):
            first, last = feasible(start, size, begin, stop, turn * n_missing, n_missing, least)
            found = contrasts(codes, j, start, first, last, turn * miss[0], turn * miss[1], node[0], mean, work, bits)
            largest = max(largest, found)
        before[LARGEST, block] = largest
        best = max(best, largest)
    if n_missing >= least and stop - begin >= least:
        d = miss[1] - miss[0] * mean
        best = max(best, d * d / (miss[0] * (node[0] - miss[0])))
    return best


@jit
def shortlist(rows, codes, j, begin, stop, target, node, miss, n_missing, least, floor, work, bits, before, cuts, left):
    """Collects the cuts whose contrast is at least `floor`, after `largest_contrast`; returns how many.

    Cut k separates the first k + 1 present rows from the others. "Present | missing" is always among them when
    rows are missing.

    Args:
        cuts: int64[·], written, ascending; left: float64[·, ≥ 2], written: weight and sum of the rows up to each.
    """
    mean = node[1] / node[0]
    found = 0
    for start in range(begin, stop, BLOCK):
        block = (start - begin) // BLOCK
        if before[LARGEST, block] < floor:
            continue
        size = min(BLOCK, stop - start)
        running_sums(
            rows, j, start, start + size, target, before[WEIGHT_BEFORE, block], before[SUM_BEFORE, block], work
        )
        for i in range(size):
            work[KEEP, i] = 0.0
        for turn in range(2 if n_missing > 0 else 1):
            first, last = feasible(start, size, begin, stop, turn * n_missing, n_missing, least)
            contrasts(codes, j, start, first, last, turn * miss[0], turn * miss[1], node[0], mean, work, bits)
            for i in range(first, last):
                if work[CONTRAST, i] >= floor:
                    work[KEEP, i] = 1.0
        for i in range(size):
            if work[KEEP, i] > 0.0:
                cuts[found] = start + i - begin
                left[found, 0], left[found, 1] = work[LEFT_WEIGHT, i], work[LEFT_SUM, i]
                found += 1
    if n_missing > 0:
        cuts[found] = stop - begin - 1
        left[found, 0], left[found, 1] = node[0] - miss[0], node[1] - miss[1]
        found += 1
    return found


@jit
def melt(found, n, cuts, square, present, is_number, stat, count):
    """Turns the sums up to the cuts of a shortlist, which stand in `stat`, into the runs between them.

    Args:
        found, cuts: what `shortlist` gave; n: the number of present rows; present: their (weight, sum);
        square: their Σwy² for a numeric target; stat: float64[·, S] and count: int64[·], written.

    Returns:
        The number of runs.
    """
    runs = found
    if found == 0 or cuts[found - 1] < n - 1:
        cuts[found], stat[found, 0], stat[found, 1] = n - 1, present[0], present[1]
        runs = found + 1
    for r in range(runs - 1, -1, -1):
        count[r] = cuts[r] - cuts[r - 1] if r > 0 else cuts[r] + 1
        weight = stat[r, 0] - stat[r - 1, 0] if r > 0 else stat[r, 0]
        total = stat[r, 1] - stat[r - 1, 1] if r > 0 else stat[r, 1]
        stat[r, 1] = total
        if is_number:
            stat[r, 0], stat[r, 2] = weight, square if r == 0 else 0.0  # of Σwy² only the total matters
        else:
            stat[r, 0] = weight - total
    return runs
