"""The best split of a node from its cells: all columns are scored, those that may be the best are decided exactly.

    column       0     1     2     3
    best score   .21   .30   .30   nominal: searched by runs
                       ^     ^           within rounding of the best: of these the cuts within rounding of their best
                                         are decided in order, by the gains and the rules of `kernels.branches`

so that the answer is the one that `candidates` gives, ties included.
"""

from typing import NamedTuple

import numpy as np

from engine.criteria.criterion import BREAKS_TIES, BY_RATIO, OF_COUNTS, OF_SUMS
from engine.criteria.kernels import (
    improves,
    larger_side,
    pair_gain,
    scales,
    split_information,
    take_away,
    tolerance,
    weight,
)
from engine.growing.kernels.cells import add_rows, count_runs, first_present, is_constant, rows_of, sum_rows
from engine.growing.kernels.draw import CLOSED
from engine.growing.kernels.scores import NO_SCORE, SCORES, is_copied, prepare, score_lists, slack
from engine.runtime.compiler import bare, jit_inside, jit_part
from engine.search.kernels.rules import AT, BRANCHES, GAIN, RATIO, TIE, WAY, choose_column
from engine.search.kernels.split_kinds import (
    BUCKET_CUT,
    BUCKETS,
    CUT,
    has_many_branches,
    is_cut,
    write_branches,
)


class Desk(NamedTuple):
    """Arrays that a search writes in, made once for many nodes.

    Of the runs of a column that is no scored cut: stat float64[n, S], sizes and segments int64[n], branch uint16[n],
    groups uint8[n]. Of each column's best split: columns float64[6, C], with the rows GAIN (NaN: none), TIE, RATIO, AT,
    WAY, BRANCHES as in `search.kernels.rules`. sums: float64[4, S], statistics: of the missing rows, of those up
    to a cut, of the left and of the right side. parts: float64[3], the weights for the split information.
    """

    stat: np.ndarray
    sizes: np.ndarray
    segments: np.ndarray
    branch: np.ndarray
    groups: np.ndarray
    columns: np.ndarray
    sums: np.ndarray
    parts: np.ndarray


MISSING_ROWS, BEFORE, LEFT_SIDE, RIGHT_SIDE = 0, 1, 2, 3  # lines of Desk.sums


@jit_part
def bare_desk(desk):
    """The same arrays, see `bare`."""
    return Desk(
        bare(desk.stat), bare(desk.sizes), bare(desk.segments), bare(desk.branch), bare(desk.groups),
        bare(desk.columns), bare(desk.sums), bare(desk.parts),
    )  # fmt: skip


@jit_part
def lowest_worth_deciding(best, code, node_impurity):
    """Scores below this are worse than `best` for certain; cuts that are none have -1."""
    floor = best - slack(best, code, node_impurity)
    return floor if floor > -0.5 else -0.5


@jit_inside
def list_columns(cells, ways, first, last, start, stop, lists):
    """Lists what is to be scored of the columns first..last - 1 of a node, see `scores.Tables`; returns how much.

    A column of one value is passed over. Missing rows stand first in a list, so they go left when the scan begins with
    them.
    """
    n_lists = 0
    for j in range(first, last):
        if ways[j] == CUT and not is_constant(cells, j, start, stop):
            begin = first_present(cells, j, start, stop)
            lists[n_lists, 0], lists[n_lists, 1], lists[n_lists, 2] = j, begin, 0
            n_lists += 1
            if begin > start:
                lists[n_lists, 0], lists[n_lists, 1], lists[n_lists, 2] = j, start, 1
                n_lists += 1
    return n_lists


@jit_inside
def take_tops(lists, tops, n_lists, columns):
    """Writes the largest score of each column that was scored as its gain (NaN: no cut); returns the largest."""
    top = -1.0
    for m in range(n_lists):
        j = lists[m, 0]
        if tops[m] > -0.5 and not columns[GAIN, j] >= tops[m]:
            columns[GAIN, j] = tops[m]
        top = max(top, tops[m])
    return top


@jit_inside
def next_worth_deciding(columns, ways, j, floor):
    """The first column from j on whose score is at least `floor`; what is passed over is never chosen."""
    while j < ways.size:
        if ways[j] == CUT:
            if columns[GAIN, j] >= floor:
                return j
            columns[GAIN, j] = np.nan  # only a score stands there
        j += 1
    return j


@jit_inside
def decide_column(cells, j, start, stop, target, about, code, value, floor, floats, desk):
    """Finds column j's best cut among those whose score, in `floats`, is at least `floor`.

    Writes it into column j of `desk.columns`, as `branches.best_cut` would answer.

    Args:
        about: float64[S], the node's statistic, of numbers around the target's centre; value: its impurity.
    """
    labels, numbers, weights, centre = target.labels, target.numbers, target.weights, target.centre
    columns, sums, parts = desk.columns, desk.sums, desk.parts
    begin = first_present(cells, j, start, stop)
    n_missing, width = begin - start, about.size
    sum_rows(cells, j, start, begin, labels, numbers, weights, centre, sums, MISSING_ROWS)
    sum_rows(cells, j, start, start, labels, numbers, weights, centre, sums, BEFORE)
    missing_weight = weight(code, sums[MISSING_ROWS])
    present = weight(code, about) - missing_weight
    _, eps, tie_eps = scales(code, about)
    gain_so_far, tie_so_far, at, way, weight_left, added = 0.0, 0.0, -1, 0, 0.0, begin
    for k in range(begin, stop if n_missing > 0 else stop - 1):
        if k == stop - 1:  # "present | missing" was scored as the cut behind the missing rows, when these go left
            staying, moving = floats[SCORES + 1, n_missing - 1] >= floor, False
        else:
            staying = floats[SCORES, k - begin] >= floor
            moving = n_missing > 0 and floats[SCORES + 1, k - start] >= floor
        if not (staying or moving):
            continue
        add_rows(cells, j, added, k + 1, labels, numbers, weights, centre, sums, BEFORE)
        added = k + 1
        part = weight(code, sums[BEFORE])
        toward = larger_side(part, present - part)
        for turn in range(2 if n_missing > 0 else 1):
            missing = toward if turn == 0 else 1 - toward
            moved = missing == 0 and n_missing > 0
            if not (moving if moved else staying):
                continue
            for c in range(width):
                sums[LEFT_SIDE, c] = sums[BEFORE, c] + sums[MISSING_ROWS, c] if moved else sums[BEFORE, c]
            if not code & OF_SUMS:
                take_away(about, sums[LEFT_SIDE], sums[RIGHT_SIDE])
            gain, tie = pair_gain(code, sums[LEFT_SIDE], sums[RIGHT_SIDE], about, value)
            if at < 0 or improves(gain, tie, gain_so_far, tie_so_far, eps, tie_eps):
                gain_so_far, tie_so_far, at, way, weight_left = gain, tie, k + 1 - start, missing, part
    columns[GAIN, j] = np.nan
    if at >= 0:
        columns[GAIN, j], columns[TIE, j], columns[AT, j] = gain_so_far, tie_so_far, at
        columns[WAY, j], columns[BRANCHES, j], columns[RATIO, j] = way, 2, 0.0
        if code & BY_RATIO:
            parts[0], parts[1], parts[2] = weight_left, present - weight_left, missing_weight
            information = split_information(parts)
            columns[RATIO, j] = gain_so_far / information if information > 0.0 else 0.0


@jit_part
def search_by_runs(cells, j, start, stop, way, target, rules, desk, copied):
    """Finds column j's best split in any way and writes it into column j of desk.columns; returns (gain, tie).

    If it is no cut, the branch of every value present stands in desk.branch.
    """
    columns, sums = desk.columns, desk.sums
    labels, numbers, weights, centre = target.labels, target.numbers, target.weights, target.centre
    columns[GAIN, j], columns[TIE, j] = np.nan, 0.0
    begin = first_present(cells, j, start, stop)
    if begin == stop or is_constant(cells, j, start, stop):
        return np.nan, 0.0
    sum_rows(cells, j, start, begin, labels, numbers, weights, centre, sums, MISSING_ROWS)
    runs = count_runs(cells, j, begin, stop, labels, numbers, weights, centre, copied, desk.stat, desk.sizes)
    gain, tie, missing, information, cut, segments, alone = rules.search(
        way,
        rules.buckets if way in (BUCKET_CUT, BUCKETS) else rules.pool,
        desk.stat[:runs],
        desk.sizes[:runs],
        sums[MISSING_ROWS],
        rows_of(cells, j, start, begin, weights, copied),
        rules.criterion,
        rules.min_leaf,
        desk.segments[:runs],
        desk.groups[:runs],
    )
    if missing < 0:
        return np.nan, 0.0
    columns[GAIN, j], columns[TIE, j], columns[WAY, j] = gain, tie, missing
    columns[RATIO, j] = gain / information if information > 0.0 else 0.0
    columns[BRANCHES, j] = segments if has_many_branches(way) else 2
    columns[AT, j] = alone
    if is_cut(way):
        columns[AT, j] = begin - start
        for run in range(cut + 1):
            columns[AT, j] += desk.sizes[run]
    else:
        write_branches(way, desk.segments, desk.groups, cut, runs, desk.branch)
    return gain, tie


@jit_part
def choose(columns, code, min_gain, crowded, value):
    """The column to split, -1 if none gains at least `min_gain`; as `rules.choose_column`, which makes arrays."""
    best, eps = -1, tolerance(code, value)
    if code & BY_RATIO:
        best = choose_column(columns[GAIN], columns[TIE], columns[RATIO], crowded, code, value)
    else:
        top, top_tie = -np.inf, -np.inf
        for j in range(columns.shape[1]):
            top = columns[GAIN, j] if columns[GAIN, j] > top else top
        for j in range(columns.shape[1]):
            if columns[GAIN, j] >= top - eps and columns[TIE, j] > top_tie:
                top_tie = columns[TIE, j]
        for j in range(columns.shape[1] - 1, -1, -1):
            if columns[GAIN, j] >= top - eps and columns[TIE, j] >= top_tie - tolerance(OF_COUNTS, top_tie):
                best = j
    return best if best >= 0 and columns[GAIN, best] >= min_gain - eps else -1


@jit_inside
def search_runs_of(first, last, cells, start, stop, ways, target, rules, desk, kind, flag):
    """Searches the columns first..last - 1 that are no scored cuts by their runs; returns the largest merit.

    kind: of `scores.Tables`; cuts that are scored are left out. The merit is what scores are compared with: where Gini
    breaks ties its gain counts too.
    """
    top, copied = -1.0, is_copied(kind, target.weights)
    for j in range(first, last):
        if flag[0] == 0 and ways[j] != CLOSED and not (kind != NO_SCORE and ways[j] == CUT):
            gain, tie = search_by_runs(cells, j, start, stop, ways[j], target, rules, desk, copied)
            merit = gain + tie / (stop - start) if rules.criterion & BREAKS_TIES else gain
            top = merit if merit > top else top
    return top


@jit_part
def search_node(cells, start, stop, rows, ways, target, about, value, rules, by_runs, desk, tables, flag):
    """Searches the columns of a node that are cut, into `desk.columns`.

    Args:
        cells: uint32[C, ·], the node is start..stop - 1; rows: how many these stand for; ways: int64[C];
        about: float64[S], its statistic, of numbers around the target's centre; value: its impurity;
        by_runs: the largest merit of the columns that were searched by runs, -1 for none; they stand there already;
        flag: uint8[1], 1 to stop, which leaves the search unfinished.
    """
    code, columns = rules.criterion, desk.columns
    if tables.kind == NO_SCORE:
        return
    node = prepare(code, about, rows, target.centre, max(rules.min_leaf, 1), tables)
    for j in range(ways.size):
        if ways[j] == CUT:
            columns[GAIN, j], columns[TIE, j] = np.nan, 0.0
    n_lists = list_columns(cells, ways, 0, ways.size, start, stop, tables.lists)
    j, floor = -1, -0.5
    while j < ways.size:  # first all columns, then those that may be the best, one by one
        score_lists(cells, n_lists, stop, target, code, about, node, tables, flag)
        if flag[0] != 0:
            break
        if j < 0:
            top = max(by_runs, take_tops(tables.lists, tables.tops, n_lists, columns))
            floor = -0.5 if code & BY_RATIO else lowest_worth_deciding(top, code, value)
        else:
            own = lowest_worth_deciding(columns[GAIN, j], code, value)
            decide_column(cells, j, start, stop, target, about, code, value, own, tables.floats, desk)
        j = next_worth_deciding(columns, ways, j + 1, floor)
        n_lists = list_columns(cells, ways, j, min(j + 1, ways.size), start, stop, tables.lists)
