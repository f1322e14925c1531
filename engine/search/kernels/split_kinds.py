"""All ways in which one column may be split, behind one call: from the runs at a node to the branch of each run.

`search_runs` takes runs together where the way asks for it (see `segments`), searches what is left, and
`write_branches` says which branch each of the original runs takes.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from engine.criteria.criterion import BY_RATIO, OF_SUMS
from engine.criteria.kernels import split_information, weight
from engine.runtime.compiler import jit, jit_apart, jit_within
from engine.search.kernels.cuts import best_cut, multiway
from engine.search.kernels.level_groups import best_groups
from engine.search.kernels.one_level import one_vs_rest
from engine.search.kernels.segments import divide_at_boundaries, divide_into_buckets, merge_runs, pool_levels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
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


@jit
def information_of_two(stat: Floats, code: int, side: Bytes, cut: int, miss_stat: Floats) -> float:
    """Split information of two branches of runs, by `side` (groups) or by a cut, and of the missing rows."""
    sizes = np.zeros(3)
    for r in range(stat.shape[0]):
        right = side[r] if cut < 0 else np.int64(r > cut)
        sizes[right] += weight(code, stat[r])
    sizes[2] = weight(code, miss_stat)
    return split_information(sizes)


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
        missing = missing if cut >= 0 else -1
    elif way == GROUPS:
        gain, tie, missing = best_groups(stat, rows, miss_stat, miss_rows, code, min_leaf, side[:n])
    elif way == ONE_VS_REST:
        gain, tie, missing = one_vs_rest(stat, rows, miss_stat, miss_rows, code, min_leaf, side[:n])
    elif n <= MOST_BRANCHES:
        gain, tie, missing, information = multiway(stat, rows, miss_stat, miss_rows, code, min_leaf)
    if code & BY_RATIO and missing >= 0 and not has_many_branches(way):
        information = information_of_two(stat, code, side, cut, miss_stat)
    return gain, tie, missing, information, cut, n, alone


_LINES, _NUMBERS = types.float64[:, ::1], types.int64[::1]
SEARCH = jit_apart(
    types.Tuple((types.float64, types.float64, types.int64, types.float64, types.int64, types.int64, types.int64))(
        types.int64, types.int64, _LINES, _NUMBERS, types.float64[::1], types.int64, types.int64, types.int64, _NUMBERS,
        types.uint8[::1],
    )
)(search_runs)  # fmt: skip


@jit
def write_branches(way: int, segment: Integers, side: Bytes, cut: int, n_runs: int, branch: NDArray[np.uint16]) -> None:
    """Writes the branch of every run, uint16[≥ n_runs], after `search_runs`."""
    for r in range(n_runs):
        if is_cut(way):
            branch[r] = np.int64((r if way == CUT else segment[r]) > cut)
        else:
            branch[r] = segment[r] if has_many_branches(way) else side[segment[r]]
