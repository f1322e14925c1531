"""The search of columns at a large node, in steps: from the bins of its rows to the best split.

    counted          |3 1|2 2|0 4| ...          the target in narrow bins of one column, see `histogram`
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

From bins to the few runs among which the best cut of a column is sought:

    cells      | 40 30 | 25 35 | 10 50 | ...     the target in bins of neighbouring values
    is_open                1                     where the ceiling of the cuts inside comes near the best score
    finer      | 40 30 | 9 9: 16 26 | 10 50      in an open bin part by part: narrower bins first, then single values
    runs       |    49 39    :  26 76  | ...     between the cuts that may be the best one

Only cuts whose score comes near the best one are kept; what lies between two of them melts into one run.
`split_kinds.search_runs` then decides among these by the same comparisons as among all runs, so the answer
is the same. The statistics of whole-number weights are exact.
"""

import numpy as np

from engine.criteria.kernels import impurity, weight
from engine.runtime.compiler import jit, jit_inside
from engine.search.kernels.count import add_row
from engine.search.kernels.cut_bounds import judge, lowest_score, make_cells
from engine.search.kernels.histogram import bin_of
from engine.search.kernels.rules import AT, BRANCHES, GAIN, RATIO, TIE, WAY
from engine.search.kernels.split_kinds import (
    BUCKET_CUT,
    BUCKETS,
    CUT,
    has_many_branches,
    is_cut,
    write_branches,
)

DIGIT = 11  # bits sorted in one pass


@jit_inside
def sort_by_code(found, places, n, spare_found, spare_places):
    """Sorts the first n codes and their places by code, stably, one digit after the other from the lowest."""
    least, most = found[0], found[0]
    in_order = True
    for k in range(1, n):
        in_order = in_order and found[k] >= found[k - 1]
        least, most = min(least, found[k]), max(most, found[k])
    start = np.empty((1 << DIGIT) + 1, np.int64)
    shift = 0
    while not in_order and (most - least) >> shift > 0:
        for digit in range(start.size):
            start[digit] = 0
        for k in range(n):
            start[(((found[k] - least) >> shift) & ((1 << DIGIT) - 1)) + 1] += 1
        for digit in range(1, start.size):
            start[digit] += start[digit - 1]
        for k in range(n):
            digit = ((found[k] - least) >> shift) & ((1 << DIGIT) - 1)
            at = start[digit]
            start[digit] = at + 1
            spare_found[at], spare_places[at] = found[k], places[k]
        for k in range(n):
            found[k], places[k] = spare_found[k], spare_places[k]
        shift += DIGIT


@jit_inside
def count_found(found, places, n, target, n_stats):
    """(codes int64[f], stat float64[f, S], sizes int64[f]) of n sorted rows; `target` by their places."""
    n_codes = 0
    for k in range(n):
        n_codes += np.int64(k == 0 or found[k] != found[k - 1])
    codes, stat, sizes = np.empty(n_codes, np.int64), np.zeros((n_codes, n_stats)), np.zeros(n_codes, np.int64)
    add_found(found, places, n, target, codes, stat, sizes)
    return codes, stat, sizes


@jit_inside
def add_found(found, places, n, target, codes, stat, sizes):
    """`count_found` into arrays of the right size, stat and sizes zeroed."""
    at = -1
    for k in range(n):
        if k == 0 or found[k] != found[k - 1]:
            at += 1
            codes[at] = found[k]
        sizes[at] += 1
        add_row(stat, np.int64(at), np.int64(places[k]), target)


@jit_inside
def open_cells(cells, n_cells, floor):
    """Of the cells marked as open, keeps those whose inside may hold a cut of at least this score; returns how many
    rows stand in them."""
    n = 0
    for b in range(1, n_cells):
        cells.is_open[b] = np.uint8(cells.is_open[b] > 0 and cells.ceiling[b] >= floor)
        n += cells.sizes[b] * np.int64(cells.is_open[b])
    return n


@jit_inside
def look_inside(cells, n_cells, fine, finer):
    """Copies cells, open ones part by part, into `finer`, where the parts are open; returns how many there are.

    Args:
        fine: (ends int64[f], stat float64[f, S], sizes int64[f]) of the parts of open cells, ascending: narrower bins,
            or single values;
        finer: room for n_cells + f.
    """
    ends, stat, sizes = fine
    from_stat, to_stat, to_sizes, to_ends, to_open = cells.stat, finer.stat, finer.sizes, finer.ends, finer.is_open
    width = stat.shape[1]
    for c in range(width):
        to_stat[0, c] = from_stat[0, c]
    to_sizes[0], to_ends[0], to_open[0] = cells.sizes[0], 0, 0
    n, at = 1, 0
    for b in range(1, n_cells):
        if cells.is_open[b]:
            last = cells.ends[b]
            while at < ends.size and ends[at] <= last:
                for c in range(width):  # a call for each line would take longer than to copy it
                    to_stat[n, c] = stat[at, c]
                to_sizes[n], to_ends[n], to_open[n] = sizes[at], ends[at], 1
                n, at = n + 1, at + 1
        elif cells.sizes[b] > 0:
            for c in range(width):
                to_stat[n, c] = from_stat[b, c]
            to_sizes[n], to_ends[n], to_open[n] = cells.sizes[b], cells.ends[b], 0
            n += 1
    return n


@jit_inside
def melt(cells, n_cells, floor):
    """Takes cells together, in place, up to every cut of at least the score `floor`; returns the number of runs.

    The runs stand in lines 1 and on; the last one ends with the last cell.
    """
    n = 0
    fresh = True
    for i in range(1, n_cells):
        if fresh:
            n += 1
            cells.sizes[n] = cells.sizes[i]
            for c in range(cells.stat.shape[1]):
                cells.stat[n, c] = cells.stat[i, c]
        else:
            cells.sizes[n] += cells.sizes[i]
            for c in range(cells.stat.shape[1]):
                cells.stat[n, c] += cells.stat[i, c]
        cells.ends[n] = cells.ends[i]
        fresh = cells.score[i] >= floor
    return n


FURTHER = 6


@jit
def floor_of(best, criterion, stat):
    """The lowest score that may still win beside `best` at a node with the statistic float64[S]."""
    return lowest_score(criterion, best, impurity(criterion, stat), weight(criterion, stat))


@jit_inside
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
        reach[j, 0], reach[j, 1] = judge(cells, n, rules.min_leaf, rules.criterion, inside, whole)


@jit_inside
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
    whole, by_class = target.weights.size == 0, target.labels.size > 0
    bits = bins_together(n_bins, coarse) if way == CUT else 0
    cells = make_cells(bin_of(n_bins - 1, bits) + 1, n_stats)
    n = fold(counted, n_bins, shift, bits, not whole, by_class, cells)
    if way != CUT:  # there is nothing inside of them to look for, and they have no ceilings
        for i in range(n):
            cells.is_open[i] = 0
        return cells, n, -1.0, -1.0
    best, top = judge(cells, n, rules.min_leaf, rules.criterion, shift + bits > 0, whole)
    floor = max(floor, floor_of(best, rules.criterion, cells.node))
    if bits > 0 and open_cells(cells, n, floor) > 0:
        inside = bins_inside(counted, n_bins, shift, bits, not whole, by_class, cells)
        finer = make_cells(n + inside[0].size, n_stats)
        n = look_inside(cells, n, inside, finer)
        cells = finer
        best, top = judge(cells, n, rules.min_leaf, rules.criterion, shift > 0, whole)
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


@jit_inside
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
        judge(cells, m, rules.min_leaf, rules.criterion, False, target.weights.size == 0)
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
