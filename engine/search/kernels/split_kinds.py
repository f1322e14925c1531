"""All ways in which one column may be split, behind one call: from the runs at a node to the branch of each run.

`search_runs` takes runs together where the way asks for it, searches what is left, and
`write_branches` says which branch each of the original runs takes.

Neighbouring values, or rare levels, that a search takes together become one larger run:

    runs        1  2  5  7  8  9       the values present at a node
    segment     0  0  1  1  1  2       of each run
    merged      1+2   5+7+8    9       a search of these never separates the runs of one segment

Runs, `stat` and `rows` are those of `engine.search.kernels.branches`; `segment` is int64[m].
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from engine.criteria.criterion import BY_RATIO, OF_SUMS
from engine.criteria.kernels import ROUNDING, split_information, weight
from engine.runtime.compiler import jit_apart, jit_inside, jit_part, jit_within
from engine.search.kernels.branches import best_cut, is_enough, multiway
from engine.search.kernels.level_groups import best_groups, one_vs_rest

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


@jit_inside
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
    n_rows, n_left, current = miss_rows + rows.sum(), 0, 0
    label = only_class(stat, 0)
    segment[0] = 0
    for r in range(m - 1):
        before, n_left = n_left, n_left + rows[r]
        following = only_class(stat, r + 1)
        keep = label < 0 or label != following
        for turn in range(2 if miss_rows > 0 else 1):
            moved = turn * miss_rows
            left, right = n_left + moved, n_rows - n_left - moved
            first = is_enough(left, min_leaf) and (r == 0 or not is_enough(before + moved, min_leaf))
            last = is_enough(right, min_leaf) and (r == m - 2 or not is_enough(right - rows[r + 1], min_leaf))
            keep = keep or first or last
        if keep:
            current += 1
        segment[r + 1] = current
        label = following
    return current + 1


@jit_part
def merge_runs(segment: Integers, n_segments: int, stat: Floats, rows: Integers) -> None:
    """Adds the runs of each segment together, in place: the first `n_segments` lines are the segments afterwards."""
    width = stat.shape[1]
    merged, n_rows = np.zeros((n_segments, width)), np.zeros(n_segments, np.int64)
    for r in range(segment.shape[0]):
        n_rows[segment[r]] += rows[r]
        for c in range(width):
            merged[segment[r], c] += stat[r, c]
    for s in range(n_segments):
        rows[s] = n_rows[s]
        for c in range(width):
            stat[s, c] = merged[s, c]


Bytes = NDArray[np.uint8]

CUT = 0  # in two, between any two values
GROUPS = 1  # two groups of levels
MULTIWAY = 2  # one branch for every declared level
BUCKET_CUT = 3  # in two, between two buckets
BOUNDARY = 4  # in two, at a label boundary
ONE_VS_REST = 5  # one level, branch 0, against all others
BUCKETS = 6  # one branch for every bucket
POOLED = 7  # one branch for every level of enough rows, and one for all others

MOST_BRANCHES = 65_535  # branches are numbered by uint16


@jit_within
def is_cut(way: int) -> bool:
    """Whether the column is cut in two along its order, so that a place on it says which branch a value takes."""
    return way in (CUT, BUCKET_CUT, BOUNDARY)


@jit_within
def has_many_branches(way: int) -> bool:
    """Whether there is one branch for each segment."""
    return way in (MULTIWAY, BUCKETS, POOLED)


def search_runs(
    way: int,
    amount: int,
    stat: Floats,
    rows: Integers,
    miss_stat: Floats,
    miss_rows: int,
    code: int,
    min_leaf: int,
    segment: Integers,
    side: Bytes,
) -> tuple[float, float, int, float, int, int, int]:
    """The best split of a column in one way; for Python, which compiles a way when it is asked for, see `SEARCH`.

    Returns (gain, tie, missing, information, cut, segments, alone).

    `missing` is the branch of missing rows, -1 if there is no split. `information` is the split information, reckoned
    for the gain ratio only. `cut` is the last segment that goes left, -1 when the way is no cut. `alone`: how many
    levels are segments of their own; the others are the last segment.

    Args:
        amount: of buckets; or the rows under which levels are pooled.
        stat, rows: of the runs, at least one; left as those of the segments, unless the way is CUT.
        segment: int64[m], written unless the way is CUT; side: uint8[m], written: the sides of two groups.
    """
    n, alone = stat.shape[0], stat.shape[0]
    if way != CUT:
        if way in (BUCKET_CUT, BUCKETS):
            n = divide_into_buckets(stat, code, amount, segment)
        elif way == BOUNDARY and not code & OF_SUMS:
            n = divide_at_boundaries(stat, rows, miss_rows, min_leaf, segment)
        elif amount > 1 and not is_cut(way):
            n, alone = pool_levels(rows, amount, segment)
        else:
            for r in range(n):
                segment[r] = r
        if n < stat.shape[0] or alone < stat.shape[0]:  # a single rare level becomes the last
            merge_runs(segment, n, stat, rows)
        stat, rows = stat[:n], rows[:n]
    cut, gain, tie, missing, information = -1, 0.0, 0.0, -1, 0.0
    if is_cut(way):
        gain, tie, cut, missing = best_cut(stat, rows, miss_stat, miss_rows, code, min_leaf)
    elif way == GROUPS:
        gain, tie, missing = best_groups(stat, rows, miss_stat, miss_rows, code, min_leaf, side[:n])
    elif way == ONE_VS_REST:
        gain, tie, missing = one_vs_rest(stat, rows, miss_stat, miss_rows, code, min_leaf, side[:n])
    elif has_many_branches(way) and n <= MOST_BRANCHES:
        gain, tie, missing, information = multiway(stat, rows, miss_stat, miss_rows, code, min_leaf)
    if code & BY_RATIO and missing >= 0 and not has_many_branches(way):
        sizes = np.zeros(3)  # of two branches, and of the missing rows
        for r in range(n):
            sizes[side[r] if cut < 0 else np.int64(r > cut)] += weight(code, stat[r])
        sizes[2] = weight(code, miss_stat)
        information = split_information(sizes)
    return gain, tie, missing, information, cut, n, alone


_LINES, _NUMBERS = types.float64[:, ::1], types.int64[::1]
SEARCH = jit_apart(
    types.Tuple((types.float64, types.float64, types.int64, types.float64, types.int64, types.int64, types.int64))(
        types.int64, types.int64, _LINES, _NUMBERS, types.float64[::1], types.int64, types.int64, types.int64, _NUMBERS,
        types.uint8[::1],
    )
)(search_runs)  # fmt: skip


@jit_inside
def write_branches(way: int, segment: Integers, side: Bytes, cut: int, n_runs: int, branch: NDArray[np.uint16]) -> None:
    """Writes the branch of every run, uint16[≥ n_runs], after `search_runs`."""
    for r in range(n_runs):
        if is_cut(way):
            branch[r] = np.int64((r if way == CUT else segment[r]) > cut)
        else:
            branch[r] = segment[r] if has_many_branches(way) else side[segment[r]]
