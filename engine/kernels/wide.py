"""The search of one column at a large node, in steps: from the codes of its rows to the best split.

    count_column     codes of the rows            -> the target in bins
    judge_column     bins                         -> the best score of a cut between bins, a ceiling for all others
    find_split       bins, and the codes of the rows in those worth looking into -> the split

A column whose ceiling stays below what another one scores needs the first two steps only. Steps that read codes are
compiled for each width of them, so they are kept small. The answers for all columns stand in float64[·, C]: GAIN (NaN:
none), TIE, RATIO, AT (a cut: codes up to it go left; else how many levels stand alone), WAY (the branch of missing
rows), BRANCHES (those with rows); from FURTHER on, for a cut, statistic and number of the present rows on the left and
of the missing rows.
"""

import numpy as np

from engine.kernels import jit
from engine.kernels.fine import count_found, sort_by_code
from engine.kernels.growth import AT, BRANCHES, GAIN, RATIO, TIE, WAY
from engine.kernels.histogram import add_rows, count_rows
from engine.kernels.impurity import impurity, weight
from engine.kernels.judge import judge, lowest_score, make_cells
from engine.kernels.narrow import look_inside, melt
from engine.kernels.ways import BUCKET_CUT, BUCKETS, CUT, has_many_branches, is_cut, search_runs, write_branches

FURTHER = 6


@jit
def count_column(codes, rows, target, shift, n_bins, bins):
    """Counts the rows of a node by bin into the `engine.kernels.judge.Cells` `bins`.

    Args:
        codes: unsigned integer[n_rows] of the table; rows: uint32[n], of the node; target: by place in `rows`.
    """
    stat, sizes = bins.stat, bins.sizes
    for b in range(n_bins):
        sizes[b] = 0
        for c in range(stat.shape[1]):
            stat[b, c] = 0.0
    add_rows(codes, rows, target, shift, stat)
    if target.weights.size:
        count_rows(codes, rows, shift, sizes)


@jit
def count_unweighted(n_bins, by_class, bins):
    """The rows of each bin where every row counts once."""
    for b in range(n_bins):
        n = bins.stat[b, 0]
        if by_class:
            for c in range(1, bins.stat.shape[1]):
                n += bins.stat[b, c]
        bins.sizes[b] = np.int64(n)


@jit
def judge_column(n_bins, shift, way, rules, target, bins):
    """(the best score of a cut between bins, the highest ceiling of those inside), -1 for none; see `judge`."""
    whole = target.weights.size == 0
    if whole:
        count_unweighted(n_bins, target.labels.size > 0, bins)
    if way != CUT:
        return -1.0, -1.0
    return judge(bins, n_bins, max(rules.min_leaf, 1), rules.criterion, shift > 0, whole)


@jit
def floor_of(best, criterion, stat):
    """The lowest score that may still win beside `best` at a node with the statistic float64[S]."""
    return lowest_score(criterion, best, impurity(criterion, stat), weight(criterion, stat))


@jit
def write_sides(cells, n_left, columns, j):
    """Writes statistic and size of the first runs together, and of the missing rows, into the answer for column j."""
    width = cells.stat.shape[1]
    for c in range(2 * width + 2):
        columns[FURTHER + c, j] = 0.0
    for r in range(n_left + 1):
        at = FURTHER + (width + 1 if r == 0 else 0)
        columns[at + width, j] += cells.sizes[r]
        for c in range(width):
            columns[at + c, j] += cells.stat[r, c]


@jit
def find_split(n_bins, shift, floor, is_open, opened, way, rules, target, bins, columns, j):
    """Writes the best split of column j into `columns`.

    Args:
        floor: what no other cut needs to be compared with, see `floor_of`; is_open: uint8[n_bins];
        opened: int64[4, n_opened], codes and places of the rows in open bins, and room for as many.

    Returns:
        (codes int64[m], branch uint16[m]) of the values present, if the way is no cut, else empty.
    """
    columns[GAIN, j] = np.nan
    found, places, n_opened = opened[0], opened[1], opened.shape[1]
    if n_opened > 0:
        sort_by_code(found, places, n_opened, opened[2], opened[3])
    fine = count_found(found, places, n_opened, target, bins.stat.shape[1])
    most = n_bins + fine[0].size
    cells, ends = make_cells(most, bins.stat.shape[1]), np.empty(most, np.int64)
    m = look_inside(bins, n_bins, shift, is_open, fine, cells, ends)
    if way == CUT:
        judge(cells, m, max(rules.min_leaf, 1), rules.criterion, False, target.weights.size == 0)
        m = melt(cells, m, ends, floor)
    else:
        m -= 1
    stat, sizes, ends = cells.stat[1 : m + 1], cells.sizes[1 : m + 1], ends[1 : m + 1]
    segment, side = np.empty(m, np.int64), np.empty(m, np.uint8)
    branch = np.empty(0 if is_cut(way) else m, np.uint16)
    if m == 0:
        return ends, branch
    amount = rules.buckets if way in (BUCKET_CUT, BUCKETS) else rules.pool
    gain, tie, missing, information, cut, segments, alone = search_runs(
        way, amount, stat, sizes, cells.stat[0], cells.sizes[0], rules.criterion, rules.min_leaf, segment, side
    )
    if missing < 0:
        return ends[:0], branch[:0]
    columns[GAIN, j], columns[TIE, j], columns[WAY, j] = gain, tie, missing
    columns[RATIO, j] = gain / information if information > 0.0 else 0.0
    columns[BRANCHES, j] = segments if has_many_branches(way) else 2
    columns[AT, j] = alone
    if is_cut(way):
        last = cut
        if way != CUT:
            last = 0
            while last + 1 < m and segment[last + 1] <= cut:
                last += 1
        columns[AT, j] = ends[last]
        write_sides(cells, cut + 1, columns, j)
    else:
        write_branches(way, segment, side, cut, m, branch)
    return ends[: branch.size], branch
