"""Searching nodes of a few rows, for which no lists are kept: their columns are put in order anew, in registers.

    rows      7 2 9           of the node, in the order of list 0
    by_row    4 1 1 6 ...     the ranks of one row in all columns, one line of the cache or two
    key       4|0  2|1  8|2   of a column: rank and place in the node; eight of them are sorted by 19 exchanges, without
                              a jump

Most nodes of a tree that is grown out have two or three rows. Moving all lists apart for them, and deciding each of
the many columns that separate the rows in the same way, would take longer than all that is above. So the lists end
where nodes become tiny; and of so few rows scores are good to 1e-14, so that among equals the first column is known
to win by its score, and only its cuts are decided.
"""

from typing import NamedTuple

import numpy as np

from engine.criteria.kernels import tolerance
from engine.growing.kernels.cells import CODE, ROW
from engine.growing.kernels.scan import decide_column, list_columns, lowest_worth_deciding
from engine.growing.kernels.scores import BY_ROWS, GINI_MANY, GIVEN, prepare, score_lists
from engine.runtime.compiler import bare, jit_inside, jit_part
from engine.search.kernels.rules import GAIN
from engine.search.kernels.split_kinds import CUT

MOST = 8  # rows of a tiny node
PLACE = 7  # the part of a key that is the place
RANK = 3  # how far the rank is shifted
NO_ROW = 1 << 40  # a key behind all others


class TinyDesk(NamedTuple):
    """Arrays that a search of tiny nodes writes in.

    by_row: uint16[n, C], the ranks of each row. places: int64[5, 8], by place: the row, what a key begins with (the
    place or NO_ROW), a bit for each row of its class, how many these are; and the sorted keys. given: float64[8], the
    target by place.
    """

    by_row: np.ndarray
    places: np.ndarray
    given: np.ndarray


ROWS, STEMS, SAME, SIZES, KEYS = 0, 1, 2, 3, 4  # lines of TinyDesk.places


@jit_part
def bare_tiny_desk(few, cells):
    """The same arrays, see `bare`, with the ranks of each row filled in."""
    by_row = bare(few.by_row)
    if by_row.size:
        for j in range(cells.shape[0]):
            for k in range(cells.shape[1]):
                by_row[np.uintp(cells[j, k] & ROW), j] = cells[j, k] >> CODE
    return TinyDesk(by_row, bare(few.places), bare(few.given))


@jit_inside
def exchange(a, b):
    """The smaller and the larger of two keys."""
    return min(a, b), max(a, b)


@jit_inside
def sort_keys(by_row, places, j):
    """Writes the sorted keys of column j."""
    a = (np.int64(by_row[np.uintp(places[ROWS, 0]), j]) << RANK) | places[STEMS, 0]
    b = (np.int64(by_row[np.uintp(places[ROWS, 1]), j]) << RANK) | places[STEMS, 1]
    c = (np.int64(by_row[np.uintp(places[ROWS, 2]), j]) << RANK) | places[STEMS, 2]
    d = (np.int64(by_row[np.uintp(places[ROWS, 3]), j]) << RANK) | places[STEMS, 3]
    if places[STEMS, 4] < NO_ROW:
        e = (np.int64(by_row[np.uintp(places[ROWS, 4]), j]) << RANK) | places[STEMS, 4]
        f = (np.int64(by_row[np.uintp(places[ROWS, 5]), j]) << RANK) | places[STEMS, 5]
        g = (np.int64(by_row[np.uintp(places[ROWS, 6]), j]) << RANK) | places[STEMS, 6]
        h = (np.int64(by_row[np.uintp(places[ROWS, 7]), j]) << RANK) | places[STEMS, 7]
        (a, c), (b, d), (e, g), (f, h) = exchange(a, c), exchange(b, d), exchange(e, g), exchange(f, h)
        (a, e), (b, f), (c, g), (d, h) = exchange(a, e), exchange(b, f), exchange(c, g), exchange(d, h)
        (a, b), (c, d), (e, f), (g, h) = exchange(a, b), exchange(c, d), exchange(e, f), exchange(g, h)
        (c, e), (d, f) = exchange(c, e), exchange(d, f)
        (b, e), (d, g) = exchange(b, e), exchange(d, g)
        (b, c), (d, e), (f, g) = exchange(b, c), exchange(d, e), exchange(f, g)
        places[KEYS, 4], places[KEYS, 5], places[KEYS, 6], places[KEYS, 7] = e, f, g, h
    else:
        (a, c), (b, d) = exchange(a, c), exchange(b, d)
        (a, b), (c, d) = exchange(a, b), exchange(c, d)
        b, c = exchange(b, c)
    places[KEYS, 0], places[KEYS, 1], places[KEYS, 2], places[KEYS, 3] = a, b, c, d


@jit_inside
def count_bits(mask):
    """How many of the lowest eight bits are set."""
    mask = (mask & 0x55) + ((mask >> 1) & 0x55)
    mask = (mask & 0x33) + ((mask >> 2) & 0x33)
    return (mask & 0x0F) + (mask >> 4)


@jit_inside
def take_rows(cells, start, stop, n, labels, copies, kind, centre, floats, places, given):
    """Writes what is known of each place of a node of n rows; a cell that stands for several has as many places."""
    p = 0
    for k in range(start, stop):
        row = np.int64(cells[0, k] & ROW)
        for _ in range(np.int64(copies[row]) if copies.size else 1):
            places[ROWS, p], places[STEMS, p] = row, p
            given[p] = np.float64(labels[row]) if labels.size else floats[GIVEN, row] - centre
            p += 1
    for p in range(n, MOST):
        places[ROWS, p], places[STEMS, p] = places[ROWS, 0], NO_ROW
    if kind == GINI_MANY:
        for p in range(n):
            same = 0
            for q in range(n):
                same |= np.int64(given[p] == given[q]) << q
            places[SAME, p], places[SIZES, p] = same, count_bits(same)


@jit_inside
def score_values_from(begin, n, mean, floats, places, given, best):
    """The larger of `best` and the scores behind the keys from `begin` on; of two classes or of a numeric target."""
    total = 0.0
    for i in range(begin, n - 1):
        key = places[KEYS, i]
        total += given[key & PLACE]
        d = total - np.float64(i + 1 - begin) * mean
        score = d * d * floats[BY_ROWS, i + 1 - begin]
        better = (score > best) & ((key ^ places[KEYS, i + 1]) > PLACE)
        best = score if better else best
    return best


@jit_inside
def score_gini_from(begin, n, squares_of_node, floats, places, best):
    """The same of many classes."""
    squares, cross, mask = np.int64(0), np.int64(0), np.int64(0)
    rows = np.float64(n)
    unit, base = 1.0 / rows, squares_of_node / (rows * rows)
    for i in range(begin, n - 1):
        key = places[KEYS, i]
        p = key & PLACE
        squares += 2 * count_bits(mask & places[SAME, p]) + 1
        cross += places[SIZES, p]
        mask |= np.int64(1) << p
        w, part = np.float64(i + 1 - begin), np.float64(squares)
        score = (part * (rows - w) + (squares_of_node - 2.0 * np.float64(cross) + part) * w) * floats[
            BY_ROWS, i + 1 - begin
        ] * unit - base
        score = 0.0 if score <= 0.0 else score  # rounding; below 0 means no cut
        better = (score > best) & ((key ^ places[KEYS, i + 1]) > PLACE)
        best = score if better else best
    return best


@jit_part
def score_columns(kind, n, ways, node, floats, by_row, places, given, columns):
    """Writes the largest score of every column as its gain, -1 without a cut; returns the largest."""
    top = -1.0
    for j in range(ways.size):
        if ways[j] != CUT:
            columns[GAIN, j] = -1.0
            continue
        sort_keys(by_row, places, j)
        best = -1.0
        if (places[KEYS, 0] ^ places[KEYS, n - 1]) > PLACE:
            missing, begin = 0, 0
            while places[KEYS, missing] <= PLACE:
                missing += 1
            while begin >= 0:  # the missing rows are on the left first, then on the right
                if kind == GINI_MANY:
                    best = score_gini_from(begin, n, node.squares, floats, places, best)
                else:
                    best = score_values_from(begin, n, node.mean, floats, places, given, best)
                begin = missing if begin < missing else -1
        columns[GAIN, j] = best
        top = max(top, best)
    return top


@jit_inside
def write_list(cells, j, start, n, by_row, places):
    """Puts list j of a node in order: by rank, then by row."""
    last = start
    for p in range(n):
        row = places[ROWS, p]
        if p > 0 and row == places[ROWS, p - 1]:
            continue
        cell, k = np.uint32((np.int64(by_row[row, j]) << np.int64(CODE)) | row), last
        last += 1
        while k > start and cells[j, k - 1] > cell:
            cells[j, k] = cells[j, k - 1]
            k -= 1
        cells[j, k] = cell


@jit_inside
def score_two(by_row, places, columns, ways):
    """The same for two rows, whose only cut gains the same in every column: 0 for the first that has it."""
    a, b, best = np.uintp(places[ROWS, 0]), np.uintp(places[ROWS, 1]), 0.0
    for j in range(ways.size):
        apart = ways[j] == CUT and by_row[a, j] != by_row[b, j]
        columns[GAIN, j] = best if apart else -1.0
        best = -1.0 if apart else best


@jit_inside
def keep_first(columns, n_columns, top, eps):
    """Takes the scores from all columns but the one that wins by them, or else from all that are certain to lose."""
    first = n_columns
    for j in range(n_columns - 1, -1, -1):
        first = j if columns[GAIN, j] >= top - 0.5 * eps else first
    for j in range(n_columns):
        doubtful = j < first and columns[GAIN, j] >= top - 2.0 * eps
        columns[GAIN, j] = columns[GAIN, j] if doubtful or j == first else -1.0


@jit_inside
def write_lists(cells, start, stop, by_row, places):
    """Puts all lists of a node in order, of which list 0 has its rows."""
    for p in range(stop - start):
        places[ROWS, p] = np.int64(cells[0, start + p] & ROW)
    for j in range(1, cells.shape[0]):
        write_list(cells, j, start, stop - start, by_row, places)


@jit_part
def search_tiny_node(cells, start, stop, n, ways, target, about, value, rules, few, desk, tables, flag):
    """The same as `scan.search_node`, of which list 0 only has to be there; writes the lists of what it decides.

    n: the rows of the node; few: a `TinyDesk`; the others: as there.
    """
    code, columns, floats, kind = rules.criterion, desk.columns, tables.floats, tables.kind
    by_row, places, given = few.by_row, few.places, few.given
    n_columns = ways.size
    take_rows(cells, start, stop, n, target.labels, target.weights, kind, target.centre, floats, places, given)
    node = prepare(code, about, n, target.centre, max(rules.min_leaf, 1), tables)
    if n == 2:
        score_two(by_row, places, columns, ways)
    else:
        best = score_columns(kind, n, ways, node, floats, by_row, places, given, columns)
        keep_first(columns, n_columns, best, tolerance(code, value))
    for j in range(n_columns):
        score, columns[GAIN, j] = columns[GAIN, j], np.nan
        if score < 0.0:
            continue
        write_list(cells, j, start, n, by_row, places)
        n_lists = list_columns(cells, ways, j, j + 1, start, stop, tables.lists)
        score_lists(cells, n_lists, stop, target, code, about, node, tables, flag)
        own = -0.5 if n == 2 else lowest_worth_deciding(score, code, value)
        decide_column(cells, j, start, stop, target, about, code, value, own, floats, desk)
