"""Growing: the best split of a node from its presorted lists, and whole subtrees in one call.

Nodes come out in preorder, one row of int64 for each (the constants below name its entries). Branches are
numbered by what the training rows at the node show; turning them into splits is left to the caller.
"""

from typing import NamedTuple

import numpy as np

from engine.kernels import jit
from engine.kernels.impurity import SQUARED_ERROR, centre_of, centred_squares, impurity
from engine.kernels.lists import Target, add_row, count_missing, is_pure, make_runs
from engine.kernels.search import choose_column
from engine.kernels.shortlist import BLOCK, can_filter, largest_contrast, lowest_worth_keeping, melt, shortlist
from engine.kernels.ways import BUCKET_CUT, BUCKETS, CUT, has_many_branches, is_cut, search_runs, write_branches

N_ROWS = 0
N_BRANCHES = 1  # those with rows; 0 for a leaf
COLUMN = 2  # -1 for a leaf
LOW, HIGH = 3, 4  # a cut: codes up to LOW left, from HIGH on right; HIGH 0 is "present | missing"
ALONE = 3  # no cut: how many branches hold one level each, the others being pooled
MISSING = 5  # the branch of missing values
PAYLOAD = 6  # no cut: where the pairs (code, branch) of the values present begin
N_PAIRS = 7  # and how many there are
N_FIELDS = 8


class Rules(NamedTuple):
    """When a split is made: the criterion's code, the limits and amounts, as in `engine.options.Search`.

    crowded: bool[C], the columns of too many levels for the guard of the gain ratio, see `choose_column`; or empty.
    """

    criterion: int
    min_rows: int
    min_leaf: int
    min_gain: float
    pool: int = 0
    buckets: int = 2
    crowded: np.ndarray = np.zeros(0, np.bool_)


class Room(NamedTuple):
    """Arrays that a search writes in.

    Of the runs of one column: stat float64[r, S], sizes and cuts int64[r], branch uint16[r], groups uint8[r].
    Of the missing rows: miss float64[1, S]. Of each column's best split: columns float64[6, C], with the rows
    GAIN (NaN: none), TIE, RATIO, AT (a cut: how many rows of the list stand up to it; else ALONE), WAY (of the
    missing rows), BRANCHES (those with rows). For the filter: work, bits and before, see `shortlist`. `cuts` are
    those of the filter, or the segments of the runs, see `segments`.
    """

    stat: np.ndarray
    sizes: np.ndarray
    cuts: np.ndarray
    branch: np.ndarray
    groups: np.ndarray
    miss: np.ndarray
    columns: np.ndarray
    work: np.ndarray
    bits: np.ndarray
    before: np.ndarray


GAIN, TIE, RATIO, AT, WAY, BRANCHES = 0, 1, 2, 3, 4, 5


@jit
def make_room(n_rows, n_runs, n_stats, n_columns):
    """Room for searches in nodes of up to `n_rows` rows and `n_runs` values in a column."""
    work = np.empty((4, BLOCK + 1))
    return Room(
        np.empty((n_runs + 1, n_stats)),
        np.empty(n_runs + 1, np.int64),
        np.empty(n_runs + 1, np.int64),
        np.empty(n_runs + 1, np.uint16),
        np.empty(n_runs + 1, np.uint8),
        np.empty((1, n_stats)),
        np.empty((6, n_columns)),
        work,
        work.view(np.int64),
        np.empty((3, n_rows // BLOCK + 1)),
    )


@jit
def weight_and_sum(stats, i, is_number):
    """(weight, sum of the target or of the second class) of the statistic stats[i]."""
    return (stats[i, 0] if is_number else stats[i, 0] + stats[i, 1]), stats[i, 1]


@jit
def runs_of_cuts(lists, j, begin, stop, n_missing, target, stats, i, rules, room):
    """Writes the runs that `best_cut` has to look at into the room; returns how many."""
    rows, codes = lists
    code, least, last = rules.criterion, max(rules.min_leaf, 1), stats.shape[1] - 1
    if not can_filter(code, stats.shape[1]):
        return make_runs(rows, codes, j, begin, stop, target, room.stat, room.sizes)
    number = code == SQUARED_ERROR
    work, bits, before = room.work, room.bits, room.before
    node, miss = weight_and_sum(stats, i, number), weight_and_sum(room.miss, 0, number)
    best = largest_contrast(rows, codes, j, begin, stop, target, node, miss, n_missing, least, work, bits, before)
    floor = lowest_worth_keeping(best, code, impurity(code, stats[i]))
    found = shortlist(
        rows,
        codes,
        j,
        begin,
        stop,
        target,
        node,
        miss,
        n_missing,
        least,
        floor,
        work,
        bits,
        before,
        room.cuts,
        room.stat,
    )
    present = node[0] - miss[0], node[1] - miss[1]
    square = stats[i, last] - room.miss[0, last]
    return melt(found, stop - begin, room.cuts, square, present, number, room.stat, room.sizes)


@jit
def bound_columns(lists, first, last, start, stop, ways, target, stats, i, rules, room):
    """Writes the largest contrast of each column from first to last - 1 that is cut, as its gain (NaN: no cut)."""
    rows, codes = lists
    columns, missing, work, bits, before = room.columns, room.miss, room.work, room.bits, room.before
    number, least = rules.criterion == SQUARED_ERROR, max(rules.min_leaf, 1)
    node = weight_and_sum(stats, i, number)
    for j in range(first, last):
        if ways[j] == CUT:
            n_missing = count_missing(rows, codes, j, start, stop, target, missing)
            miss, begin = weight_and_sum(missing, 0, number), start + n_missing
            best = largest_contrast(
                rows, codes, j, begin, stop, target, node, miss, n_missing, least, work, bits, before
            )
            columns[GAIN, j] = np.nan if best < 0.0 else best if number else 2.0 * best
            columns[TIE, j] = 0.0


@jit
def search_column(lists, j, start, stop, way, target, stats, i, rules, room):
    """Finds column j's best split of a node and writes it into column j of the room's columns.

    If it is no cut, the branch of every value present stands in `room.branch`.

    Args:
        lists: (rows, codes), uint32[C, ·] each; the node is start..stop - 1;
        way: see `ways`; stats: float64[·, S], stats[i] is the node's statistic, for a number around
            the target's centre as `sum_node` gives it in `about`.
    """
    rows, codes = lists
    n_missing = count_missing(rows, codes, j, start, stop, target, room.miss)
    begin = start + n_missing
    columns = room.columns
    columns[GAIN, j] = np.nan
    if way == CUT:
        runs = runs_of_cuts(lists, j, begin, stop, n_missing, target, stats, i, rules, room)
    else:
        runs = make_runs(rows, codes, j, begin, stop, target, room.stat, room.sizes)
    if runs == 0:
        return
    gain, tie, missing, information, cut, segments, alone = search_runs(
        way,
        rules.buckets if way in (BUCKET_CUT, BUCKETS) else rules.pool,
        room.stat[:runs],
        room.sizes[:runs],
        room.miss[0],
        n_missing,
        rules.criterion,
        rules.min_leaf,
        room.cuts[:runs],
        room.groups[:runs],
    )
    if missing < 0:
        return
    columns[GAIN, j], columns[TIE, j], columns[WAY, j] = gain, tie, missing
    columns[RATIO, j] = gain / information if information > 0.0 else 0.0
    columns[BRANCHES, j] = segments if has_many_branches(way) else 2
    columns[AT, j] = n_missing + room.sizes[: cut + 1].sum() if is_cut(way) else alone
    if not is_cut(way):
        write_branches(way, room.cuts, room.groups, cut, runs, room.branch)


@jit
def is_bounded(way, code, n_stats):
    """Whether a column is only bounded at first, and searched exactly when its bound comes close to the best."""
    return way == CUT and can_filter(code, n_stats)


@jit
def close_columns(columns, ways, rules, stats, i):
    """The bounded columns that cannot be told from the best one; they need the exact search."""
    close, n_close, top = np.empty(ways.size, np.int64), 0, -1.0
    for j in range(ways.size):
        if columns[GAIN, j] > top:
            top = columns[GAIN, j]
    floor = lowest_worth_keeping(top, rules.criterion, impurity(rules.criterion, stats[i]))
    for j in range(ways.size):
        if is_bounded(ways[j], rules.criterion, stats.shape[1]):
            if columns[GAIN, j] >= floor:
                close[n_close] = j
                n_close += 1
            else:  # only a bound stands there, and no cut: it must never be chosen
                columns[GAIN, j] = np.nan
    return close[:n_close]


@jit
def choose(columns, rules, stats, i):
    """The column to split, -1 if none gains at least `min_gain`."""
    value = impurity(rules.criterion, stats[i])
    j = choose_column(columns[GAIN], columns[TIE], columns[RATIO], rules.crowded, rules.criterion, value)
    return j if j >= 0 and columns[GAIN, j] >= rules.min_gain else -1


@jit
def search_columns(lists, start, stop, ways, target, stats, i, rules, room):
    """Searches all columns at a node; returns the one to split, -1 if none gains at least `min_gain`.

    If that is no cut, the branch of every value present stands in `room.branch`.
    """
    code, n_stats = rules.criterion, stats.shape[1]
    todo = np.arange(ways.size)
    best = -1
    if can_filter(code, n_stats):
        bound_columns(lists, np.int64(0), ways.size, start, stop, ways, target, stats, i, rules, room)
    for turn in range(3):  # one loop and one call: every further place that calls it doubles the time to compile
        for j in todo:
            if turn > 0 or not is_bounded(ways[j], code, n_stats):
                search_column(lists, j, start, stop, ways[j], target, stats, i, rules, room)
        if turn == 0:
            todo = close_columns(room.columns, ways, rules, stats, i)
        elif turn == 1:
            best = choose(room.columns, rules, stats, i)
            todo = np.array([best])[: np.int64(best >= 0 and not is_cut(ways[best]))]
    return best


@jit
def number_sides(codes, j, start, stop, at, branch):
    """Writes the side of a cut of every value present at a node into `branch`.

    at: how many rows of the list stand up to the cut.
    """
    run = -1
    last = 0
    for k in range(start, stop):
        if codes[j, k] != last:
            last = codes[j, k]
            run += 1
            branch[run] = np.int64(k - start >= at)


@jit
def mark_sides(lists, j, start, stop, branch, missing, n_branches, side):
    """Writes the branch of every row of a node into uint16 `side`, by local row number.

    branch: uint16, of every value present at the node; missing: the branch of code 0.

    Returns:
        int64[n_branches + 1]: the sizes of the branches, added up.
    """
    rows, codes = lists
    starts = np.zeros(n_branches + 1, np.int64)
    run = -1
    last = 0
    for k in range(start, stop):
        if codes[j, k] != last:
            last = codes[j, k]
            run += 1
        into = np.int64(branch[run]) if run >= 0 else np.int64(missing)
        side[rows[j, k]] = into
        starts[into + 1] += 1
    for b in range(n_branches):
        starts[b + 1] += starts[b]
    return starts


@jit
def describe(lists, j, start, stop, way, room, side, record):
    """Turns the search's answer for column j into the branch of every row of the node.

    Args:
        room: with the answer in its columns and, if that is no cut, the branches of the values present in `branch`;
        side: uint16 by local row number, written; record: int64[N_FIELDS], the split is written into it.

    Returns:
        int64[n_branches + 1], the sizes of the branches added up.
    """
    codes = lists[1]
    at, missing = np.int64(room.columns[AT, j]), np.int64(room.columns[WAY, j])
    n_branches = np.int64(room.columns[BRANCHES, j])
    record[COLUMN], record[N_BRANCHES], record[MISSING] = j, n_branches, missing
    if is_cut(way):
        number_sides(codes, j, start, stop, at, room.branch)
        record[LOW] = codes[j, start + at - 1]
        record[HIGH] = codes[j, start + at] if start + at < stop else 0
    else:
        record[ALONE] = at
    return mark_sides(lists, j, start, stop, room.branch, missing, n_branches, side)


@jit
def find_centre(rows, start, stop, target):
    """The number from which the targets of a node are measured; see `centre_of`."""
    weight, total = 0.0, 0.0
    low, high = np.inf, -np.inf
    for k in range(start, stop):
        row = rows[0, k]
        value = target.numbers[row]
        share = target.weights[row] if target.weights.size else 1.0
        weight += share
        total += share * value
        low, high = min(low, value), max(high, value)
    return centre_of(total, weight, low, high)


@jit
def sum_node(rows, start, stop, target, stats, i, about):
    """Counts the rows start..stop - 1 of the first list into stats[i] and about[0]; returns the target for a search.

    Args:
        stats: float64[·, S], as in `engine.tree.Tree`; about: float64[1, S], for a number the sums around the centre
            of the target that is returned; both written.
    """
    around = target
    if target.labels.size == 0:
        around = Target(target.labels, target.numbers, target.weights, find_centre(rows, start, stop, target))
    for c in range(stats.shape[1]):
        about[0, c] = 0.0
    for k in range(start, stop):
        add_row(about, 0, rows[0, k], around)
    for c in range(stats.shape[1]):
        stats[i, c] = about[0, c]
    if target.labels.size == 0:
        weight, total = about[0, 0], about[0, 1]
        stats[i, 1] = total + weight * around.centre
        stats[i, 2] = centred_squares(weight, total, about[0, 2])
    return around


@jit
def may_split(rows, start, stop, target, rules):
    """Whether a node with these rows is worth a search: large enough, and not pure."""
    return stop - start >= max(rules.min_rows, 2 * rules.min_leaf) and not is_pure(rows, start, stop, target)


@jit
def keep_pairs(pairs, used, codes, j, start, stop, branch):
    """Appends (code, branch) of the values present at a node to uint32[·, 2]; returns (it, larger if need be, its
    end).

    codes: unsigned integer[C, ·], the node is j, start..stop - 1; branch: uint16, of each value.
    """
    runs = np.int64(codes[j, start] != 0)
    for k in range(start + 1, stop):
        runs += np.int64(codes[j, k] != codes[j, k - 1])
    if used + runs > pairs.shape[0]:
        larger = np.empty((2 * pairs.shape[0] + runs, 2), np.uint32)
        for k in range(used):  # not as slices: their assignment brings seconds of other code to compile
            larger[k, 0], larger[k, 1] = pairs[k, 0], pairs[k, 1]
        pairs = larger
    first, last = used, 0
    for k in range(start, stop):
        if codes[j, k] != last:
            last = codes[j, k]
            pairs[used, 0], pairs[used, 1] = last, branch[used - first]
            used += 1
    return pairs, used
