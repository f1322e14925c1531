"""The search of columns at a large node, in steps: from the bins of its rows to the best split.

    counted          |3 1|2 2|0 4| ...          the target in narrow bins of one column
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

How the target is counted: in bins of neighbouring codes, then code by code in a few of them.

    codes        9  1  4  0  6  12  5        of the node's rows, looked up by row number; 0 is missing
    shift 2      bin 0: code 0 | bin 1: codes 1 to 4 | bin 2: 5 to 8 | bin 3: 9 to 12
    bins         2  2  2  1 ...              float64[n_bins, S], the target's statistic in each bin

    is_open      bin 2 only                  may hold the best cut, see `engine.search.kernels.cut_bounds`
    fine         code 5, code 6              the same for each code in the open bins, ascending

Nothing is sorted and no row is moved: a bin is a shift of the code, so one pass of about a nanosecond a row and column
finds nearly all that the search needs, and a table of bins fits the second cache.

`target` holds the targets of the node's rows in the order of `rows`, see `engine.search.kernels.count.Target`.

In trees four columns are counted at once, from words that hold the bins of a row side by side:

    words        line 0 |  7  3 12  5 |  1  9  0  4 | ...    uint64, one for each row: its bins of columns 0 to 3
                 line 1 |  2  2  8  1 |  6  0  3  3 | ...    those of columns 4 to 7; 0 is missing

    counted[j]   | 40 30 | 25 35 | ...       float64[bins, W], the target in wider bins of column j
    of a child   | 30 10 | 15 20 | ...
    its sibling  | 10 20 | 10 15 | ...       what the parent has more: it need not be counted

The rows of a node deep in the tree lie far apart in the table. To look its codes up would cost a line of the cache for
every row and column, and waiting for it takes longer than counting. So the words move with the rows when a node is
split: those of every node stand one after the other. One is read for four columns, whose bins together stay near.
"""

import numpy as np

from engine.criteria.criterion import BREAKS_TIES
from engine.criteria.kernels import impurity, tolerance, weight
from engine.runtime.compiler import jit, jit_inside
from engine.search.kernels.count import add_row
from engine.search.kernels.cut_bounds import SLACK, TIE_SLACK, judge, make_cells
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
def bin_of(code, shift):
    """The bin of a code, an int64: 0 for code 0, from 1 on bins of 2**shift codes each."""
    return (code + (1 << shift) - 1) >> shift


@jit
def add_rows(codes, rows, target, shift, bins):
    """Adds the rows of a node to the statistics of their bins.

    Args:
        codes: unsigned integer[n_rows], of all rows of the table; rows: uint32[n], those of the node;
        bins: float64[at least the number of bins, W], zeroed, see `engine.search.large_nodes.LargeNode.width`.
    """
    # unsigned, as an index that may be negative costs a comparison
    bits, most = np.uint64(shift), np.uint64((1 << shift) - 1)
    if target.labels.size and not target.weights.size:
        labels = target.labels
        for k in range(rows.size):
            bins[(np.uint64(codes[rows[k]]) + most) >> bits, np.uint64(labels[k])] += 1.0
        return
    for k in range(rows.size):
        b = (np.uint64(codes[rows[k]]) + most) >> bits
        add_row(bins, np.int64(b), k, target)
        if target.weights.size:
            bins[b, bins.shape[1] - 1] += 1.0


@jit
def mark_open(codes, step, shift, is_open, places):
    """Collects the places of the codes that lie in open bins; returns how many.

    No jump to mispredict, which would wait for a code from far away: each place is written, and stays if it is open.

    Args:
        codes: unsigned integer[n · step], of which every `step`-th is one: the codes of a node, or a lane of its words.
        is_open: uint8[n_bins]; places: int64[one more than that many], written.
    """
    n, bits, most = 0, np.uint64(shift), np.uint64((1 << shift) - 1)  # unsigned, see `add_rows`
    for k in range((codes.size + step - 1) // step):
        places[n] = k
        n += np.int64(is_open[(np.uint64(codes[step * k]) + most) >> bits])
    return n


@jit
def fill_bins(codes, rows, shift, lanes):
    """Writes the bins of the rows into every fourth place of uint16 `lanes`; numpy takes twice as long."""
    for k in range(rows.size):
        lanes[4 * k] = bin_of(np.int64(codes[rows[k]]), shift)


@jit
def count_words(words, target, shifts, counted):
    """Counts the rows of a node by bin in four neighbouring columns.

    Args:
        words: uint64[n], a line of the node; target: of its rows, in the same order;
        shifts: int64[4], by how many bits the bins are wider than those of the words, column by column;
        counted: float64[4, bins, W], zeroed, see `engine.search.large_nodes.LargeNode.width`.
    """
    # unsigned, as an index that may be negative costs a comparison
    mask, last = np.uint64(0xFFFF), np.uint64(counted.shape[2] - 1)
    bits, most = np.empty(4, np.uint64), np.empty(4, np.uint64)
    for j in range(4):
        bits[j], most[j] = shifts[j], (1 << shifts[j]) - 1
    labels, numbers, weights = target.labels, target.numbers, target.weights
    if labels.size and not weights.size:
        for k in range(words.size):
            word, label = words[k], np.uint64(labels[k])
            for lane in range(4):
                j = np.uint64(lane)
                b = (((word >> (j << np.uint64(4))) & mask) + most[j]) >> bits[j]
                counted[j, b, label] += 1.0
        return
    for k in range(words.size):
        word, weight = words[k], weights[k] if weights.size else 1.0
        label = np.uint64(labels[k] if labels.size else 0)
        value = 0.0 if labels.size else numbers[k] - target.centre
        for lane in range(4):
            j = np.uint64(lane)
            b = (((word >> (j << np.uint64(4))) & mask) + most[j]) >> bits[j]
            counted[j, b, label] += weight
            if not labels.size:
                counted[j, b, np.uint64(1)] += weight * value
                counted[j, b, np.uint64(2)] += weight * value * value
            if weights.size:
                counted[j, b, last] += 1.0


@jit
def count_sibling(above, n_bins, wider, others, counted):
    """Counts a node by what its parent has more than the other branches.

    Args:
        above: float64[4, ·, W], of the parent; n_bins: int64[c], how many bins it has of each column;
        wider: int64[4], by how many bits the bins of the branches are wider;
        others: float64[4, bins, W], of the other branches together; counted: the same of the node, zeroed, written.
    """
    for j in range(n_bins.size):
        for b in range(n_bins[j]):
            at = bin_of(b, wider[j])
            for c in range(above.shape[2]):
                counted[j, at, c] += above[j, b, c]
        for b in range(counted.shape[1]):
            for c in range(above.shape[2]):
                counted[j, b, c] -= others[j, b, c]


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
    at = -1
    for k in range(n):
        if k == 0 or found[k] != found[k - 1]:
            at += 1
            codes[at] = found[k]
        sizes[at] += 1
        add_row(stat, np.int64(at), np.int64(places[k]), target)
    return codes, stat, sizes


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
def look_inside(cells, n_cells, ends, stat, sizes, finer):
    """Copies cells, open ones part by part, into `finer`, where the parts are open; returns how many there are.

    Args:
        ends, stat, sizes: int64[f], float64[f, S], int64[f], of the parts of the open cells at least, ascending:
            narrower bins, or single values; those without rows are left out;
        finer: room for n_cells + f.
    """
    from_stat, to_stat, to_sizes, to_ends, to_open = cells.stat, finer.stat, finer.sizes, finer.ends, finer.is_open
    width = stat.shape[1]
    for c in range(width):
        to_stat[0, c] = from_stat[0, c]
    to_sizes[0], to_ends[0], to_open[0] = cells.sizes[0], 0, 0
    n, at = 1, 0
    for b in range(1, n_cells):
        last = cells.ends[b]
        while at < ends.size and ends[at] <= last:
            if cells.is_open[b] and sizes[at] > 0:
                for c in range(width):  # a call for each line would take longer than to copy it
                    to_stat[n, c] = stat[at, c]
                to_sizes[n], to_ends[n], to_open[n] = sizes[at], ends[at], 1
                n += 1
            at += 1
        if not cells.is_open[b] and cells.sizes[b] > 0:
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
    """Scores below this cannot be taken for equal to `best` by the exact search, at a node with this float64[S]."""
    total, slack = weight(criterion, stat), TIE_SLACK if criterion & BREAKS_TIES else 0.0
    return max(best * (1.0 - SLACK) - 8.0 * tolerance(criterion, impurity(criterion, stat)) * total - slack, 0.0)


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
        inside, finer = make_cells(n_bins, n_stats), make_cells(n + n_bins, n_stats)
        fold(counted, n_bins, shift, 0, not whole, by_class, inside)
        n = look_inside(cells, n, inside.ends[1:], inside.stat[1:], inside.sizes[1:], finer)
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
    values, in_each, sizes = count_found(found, places, n_opened, target, bins.stat.shape[1])
    cells = make_cells(n_bins + values.size, bins.stat.shape[1])
    m = look_inside(bins, n_bins, values, in_each, sizes, cells)
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
