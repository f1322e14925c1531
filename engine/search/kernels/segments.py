"""Which neighbouring values, or rare levels, a search takes together: runs become fewer, larger runs.

    runs        1  2  5  7  8  9       the values present at a node
    segment     0  0  1  1  1  2       of each run
    merged      1+2   5+7+8    9       a search of these never separates the runs of one segment

Runs, `stat` and `rows` are those of `engine.search.kernels.cuts`; `segment` is int64[m].
"""

import numpy as np
from numpy.typing import NDArray

from engine.criteria.kernels import ROUNDING, total_rows, weight
from engine.runtime.compiler import jit, jit_part

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@jit_part
def pool_levels(rows: Integers, pool: int, segment: Integers) -> tuple[int, int]:
    """Levels of fewer than `pool` rows are one segment, the last; returns (segments, levels that stand alone)."""
    alone = 0
    for r in range(rows.shape[0]):
        if rows[r] >= pool:
            segment[r] = alone
            alone += 1
    for r in range(rows.shape[0]):
        if rows[r] < pool:
            segment[r] = alone
    return (alone + 1 if alone < rows.shape[0] else alone), alone


@jit_part
def divide_into_buckets(stat: Floats, code: int, buckets: int, segment: Integers) -> int:
    """Segments of about equal weight: the limit of bucket j is the end of a run nearest to j / buckets of the weight.

    Of two equally near ends the lower one. Limits that fall together, as ties make them, are one. Returns how many
    segments there are.
    """
    total = 0.0
    for r in range(stat.shape[0]):
        total += weight(code, stat[r])
    scale = buckets / total * (1.0 + ROUNDING)
    most = np.float64(buckets - 1)
    before, limits_before = 0.0, 0.0  # the weight before a run, and how many limits are aimed at up to there
    current, ends_here = 0, False
    for r in range(stat.shape[0]):
        after = before + weight(code, stat[r])
        nearer_before = min(np.floor((before + after) * 0.5 * scale), most)
        limits_after = min(np.floor(after * scale), most)
        if r > 0 and (ends_here or nearer_before > limits_before):
            current += 1
        segment[r] = current
        ends_here = limits_after > nearer_before
        before, limits_before = after, limits_after
    return current + 1


@jit
def only_class(stat: Floats, r: int) -> int:
    """The class of all rows of run r; -1 if they have more than one."""
    found = -1
    for c in range(stat.shape[1]):
        if stat[r, c] > 0.0:
            if found >= 0:
                return -1
            found = c
    return found


@jit_part
def divide_at_boundaries(stat: Floats, rows: Integers, miss_rows: int, min_leaf: int, segment: Integers) -> int:
    """Segments between the cuts at which the best one must lie, for class weights; returns how many.

    Between two cuts that separate rows of one class only, the impurity of the branches is concave, so its minimum
    lies at an end (Fayyad and Irani 1992): at a label boundary, where the values on both sides are not all of one
    class, or at the first or last cut that `min_leaf` allows. Missing rows that join a side shift what is allowed,
    so there is a first and a last cut for each direction; "present | missing" is no cut between runs.
    """
    m = stat.shape[0]
    n_rows, n_left, current = miss_rows + total_rows(rows), 0, 0
    label = only_class(stat, 0)
    segment[0] = 0
    for r in range(m - 1):
        before, n_left = n_left, n_left + rows[r]
        following = only_class(stat, r + 1)
        keep = label < 0 or label != following
        for turn in range(2 if miss_rows > 0 else 1):
            moved = turn * miss_rows
            left, right = n_left + moved, n_rows - n_left - moved
            first = left >= min_leaf and (r == 0 or before + moved < min_leaf)
            last = right >= min_leaf and (r == m - 2 or right - rows[r + 1] < min_leaf)
            keep = keep or first or last
        if keep:
            current += 1
        segment[r + 1] = current
        label = following
    return current + 1


@jit_part
def merge_runs(segment: Integers, n_segments: int, stat: Floats, rows: Integers) -> None:
    """Adds the runs of each segment together, in place: the first `n_segments` lines are the segments afterwards.

    Segments are numbered by their first runs, except that the last one may begin anywhere.
    """
    last, n_last, begun = np.zeros(stat.shape[1]), 0, 0
    for r in range(segment.shape[0]):
        s = segment[r]
        if s == n_segments - 1:
            n_last += rows[r]
            for c in range(stat.shape[1]):
                last[c] += stat[r, c]
        elif s == begun:
            begun += 1
            rows[s] = rows[r]
            for c in range(stat.shape[1]):
                stat[s, c] = stat[r, c]
        else:
            rows[s] += rows[r]
            for c in range(stat.shape[1]):
                stat[s, c] += stat[r, c]
    rows[n_segments - 1] = n_last
    for c in range(stat.shape[1]):
        stat[n_segments - 1, c] = last[c]
