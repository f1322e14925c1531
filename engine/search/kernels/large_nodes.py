"""The search of columns at a large node, in steps: from the bins of its rows to the best split.

    counted          |3 1|2 2|0 4| ...          the target in narrow bins of one column, see `histogram` and `by_row`
    judge_columns    |  5 3  |  4 8  | ...      some narrow bins taken together: the best score of a cut between them, a
                                                ceiling for all others
    open_column      |  5 3  |4|2 2|0 4| ...    where the ceiling comes near the best, bin by bin, judged again
    find_split       |  5 3  |4|1 1:0 1:1| ...  and then value by value, from the codes of those rows: the split

A column whose ceiling stays below what another one scores needs the first step only, and judging costs as much as
counting many rows: so narrow bins are judged only where wide ones leave a doubt. Steps that read codes are compiled for
each width of them, so they are kept small. The answers for all columns stand in float64[·, C]: GAIN (NaN: none), TIE,
RATIO, AT (a cut: codes up to it go left; else how many levels stand alone), WAY (the branch of missing rows), BRANCHES
(those with rows); from FURTHER on, for a cut, statistic and number of the present rows on the left and of the missing
rows.
"""

import numpy as np

from engine.criteria.kernels import impurity, weight
from engine.runtime.compiler import jit
from engine.search.kernels.cut_bounds import judge, lowest_score, make_cells
from engine.search.kernels.histogram import bin_of
from engine.search.kernels.open_bins import count_found, sort_by_code
from engine.search.kernels.refine import look_inside, melt, open_cells
from engine.search.kernels.rules import AT, BRANCHES, GAIN, RATIO, TIE, WAY
from engine.search.kernels.split_kinds import (
    BUCKET_CUT,
    BUCKETS,
    CUT,
    has_many_branches,
    is_cut,
    write_branches,
)

FURTHER = 6


@jit
def floor_of(best, criterion, stat):
    """The lowest score that may still win beside `best` at a node with the statistic float64[S]."""
    return lowest_score(criterion, best, impurity(criterion, stat), weight(criterion, stat))


@jit
def bins_together(n_bins, coarse):
    """By how many bits narrow bins are shifted to make about `coarse` ones that are judged first."""
    bits = 0
    while bin_of(n_bins - 1, bits) > coarse:
        bits += 1
    return bits


@jit
def fold(counted, n_bins, shift, bits, weighted, by_class, cells):
    """Adds 2**bits neighbouring bins together; returns how many cells that makes, all of them open.

    Args:
        counted: float64[≥ n_bins, W], in bins of 2**shift codes.
    """
    n, n_stats, stat = bin_of(n_bins - 1, bits) + 1, cells.stat.shape[1], cells.stat
    for i in range(n):
        first, stop = ((i - 1) << bits) + 1 if i > 0 else 0, min((i << bits) + 1, n_bins)
        n_rows = 0.0
        for c in range(counted.shape[1]):
            total = 0.0
            for b in range(first, stop):
                total += counted[b, c]
            if c < n_stats:
                stat[i, c] = total
            if c == n_stats or (not weighted and (by_class or c == 0)):
                n_rows += total
        cells.sizes[i], cells.ends[i], cells.is_open[i] = np.int64(n_rows), i << (shift + bits), np.uint8(i > 0)
    return n


@jit
def judge_columns(counted, n_bins, shifts, coarse, rules, target, n_stats, reach):
    """Writes (the best score of a cut between wide bins, the highest ceiling of those inside), -1 for none.

    Args:
        counted: float64[c, ·, W]; n_bins, shifts: int64[c], of the columns; coarse: see `bins_together`;
        reach: float64[c, 2].
    """
    cells = make_cells(coarse + 1, n_stats)
    for j in range(shifts.size):
        bits = bins_together(n_bins[j], coarse)
        whole = target.weights.size == 0
        n = fold(counted[j], n_bins[j], shifts[j], bits, not whole, target.labels.size > 0, cells)
        inside = shifts[j] + bits > 0
        reach[j, 0], reach[j, 1] = judge(cells, n, max(rules.min_leaf, 1), rules.criterion, inside, whole)


@jit
def bins_inside(counted, n_bins, shift, bits, weighted, by_class, cells):
    """(largest codes int64[f], stat float64[f, S], sizes int64[f]) of the bins with rows in open cells, ascending."""
    n, n_stats = 0, cells.stat.shape[1]
    for i in range(1, bin_of(n_bins - 1, bits) + 1):
        n += np.int64(cells.is_open[i])
    most = n << bits
    ends, stat, sizes = np.empty(most, np.int64), np.empty((most, n_stats)), np.empty(most, np.int64)
    n = 0
    for b in range(1, n_bins):
        if cells.is_open[bin_of(b, bits)]:
            n_rows = 0.0
            for c in range(counted.shape[1]):
                if c < n_stats:
                    stat[n, c] = counted[b, c]
                if c == n_stats or (not weighted and (by_class or c == 0)):
                    n_rows += counted[b, c]
            ends[n], sizes[n] = b << shift, np.int64(n_rows)
            n += np.int64(sizes[n] > 0)
    return ends[:n], stat[:n], sizes[:n]


@jit
def open_column(counted, n_bins, shift, coarse, way, floor, rules, target, n_stats):
    """Bins of one column, narrow only where the best cut may be; of single values, none of them open, if it is not cut
    in two.

    Args:
        counted: float64[≥ n_bins, W]; floor: what no other cut needs to be compared with, see `floor_of`.

    Returns:
        (cells, how many, the best score of a cut between them, the highest ceiling of those inside).
    """
    whole, by_class, least = target.weights.size == 0, target.labels.size > 0, max(rules.min_leaf, 1)
    bits = bins_together(n_bins, coarse) if way == CUT else 0
    cells = make_cells(bin_of(n_bins - 1, bits) + 1, n_stats)
    n = fold(counted, n_bins, shift, bits, not whole, by_class, cells)
    if way != CUT:  # there is nothing inside of them to look for, and they have no ceilings
        for i in range(n):
            cells.is_open[i] = 0
        return cells, n, -1.0, -1.0
    best, top = judge(cells, n, least, rules.criterion, shift + bits > 0, whole)
    floor = max(floor, floor_of(best, rules.criterion, cells.node))
    if bits > 0 and open_cells(cells, n, floor) > 0:
        inside = bins_inside(counted, n_bins, shift, bits, not whole, by_class, cells)
        finer = make_cells(n + inside[0].size, n_stats)
        n = look_inside(cells, n, inside, finer)
        cells = finer
        best, top = judge(cells, n, least, rules.criterion, shift > 0, whole)
        top = -1.0
        for i in range(1, n):
            if cells.is_open[i]:
                top = max(top, cells.ceiling[i])
    elif bits > 0:
        top = -1.0
    return cells, n, best, top


@jit
def mark_bins(cells, n_cells, n_bins, shift, floor):
    """(is_open uint8[n_bins], of the bins that may hold a cut of at least the score `floor`, how many rows they hold);
    cells as `open_column` leaves them."""
    is_open = np.zeros(n_bins, np.uint8)
    n_opened = open_cells(cells, n_cells, floor)
    for i in range(1, n_cells):
        if cells.is_open[i]:
            is_open[bin_of(cells.ends[i], shift)] = 1
    return is_open, n_opened


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
def find_split(bins, n_bins, floor, opened, way, rules, target, columns, j):
    """Writes the best split of column j into `columns`.

    Args:
        bins: as `mark_bins` leaves them for this floor (no cut: `open_column`), n_bins of them;
        opened: int64[4, n_opened + 1], codes and places of the rows in open bins, and room for as many.

    Returns:
        (codes int64[m], branch uint16[m]) of the values present, if the way is no cut, else empty.
    """
    columns[GAIN, j] = np.nan
    found, places, n_opened = opened[0], opened[1], opened.shape[1] - 1
    if n_opened > 0:
        sort_by_code(found, places, n_opened, opened[2], opened[3])
    fine = count_found(found, places, n_opened, target, bins.stat.shape[1])
    cells = make_cells(n_bins + fine[0].size, bins.stat.shape[1])
    m = look_inside(bins, n_bins, fine, cells)
    if way == CUT:
        judge(cells, m, max(rules.min_leaf, 1), rules.criterion, False, target.weights.size == 0)
        m = melt(cells, m, floor)
    else:
        m -= 1
    stat, sizes, ends = cells.stat[1 : m + 1], cells.sizes[1 : m + 1], cells.ends[1 : m + 1]
    segment, side = np.empty(m, np.int64), np.empty(m, np.uint8)
    branch = np.empty(0 if is_cut(way) else m, np.uint16)
    if m == 0:
        return ends, branch
    amount = rules.buckets if way in (BUCKET_CUT, BUCKETS) else rules.pool
    gain, tie, missing, information, cut, segments, alone = rules.search(
        way,
        amount,
        stat,
        sizes,
        cells.stat[0],
        cells.sizes[0],
        rules.criterion,
        rules.min_leaf,
        segment,
        side,
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
