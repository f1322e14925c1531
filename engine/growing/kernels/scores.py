"""Scores: the gain of every cut of presorted lists, up to rounding, in one pass and about a nanosecond a cell.

    cells[j]     a | b   c | d | e    of one node; a cut is where the code changes
    floats[2]    .1 -1  .3  .2        of the cut behind cell i; no cut: -1 (or NaN, where `min_leaf` forbids it)

A score is a filter in front of the exact gain: it is good to 1e-9 (`slack`), and `growing.kernels.scan`
turns it into the answer of `search.kernels.branches.best_cut`. What makes the usual criteria fast: no division and no
logarithm for a cell, no jump that depends on the data, and a cost that does not depend on the number of classes,
because when one row moves, only the terms of its own class change. Where it pays, the running sums come first, one by
one, and then the scores, several at once:

    Gini, 2 classes, variance   d² / (w_L · w_R), d from one running sum
    Gini, more classes          Σ L_c² grows by 2 L_c + 1, and Σ L_c · N_c by N_c; whole numbers, so nothing drifts
    entropy                     Σ L_c log L_c + R_c log R_c grows by a step that a table holds
    any other                   the gain itself, from the counts on both sides; of a flat criterion the Gini gain, by
                                which it breaks ties, stands behind the point: gain + Gini gain / rows

All functions score several lists of a node, because a call for every list would cost more than a small list. They take

    cells uint32[C, ·]; lists int64[·, 3] and n_lists: what is to be scored; stop: the end of the node's cells;
    labels uint16[n], weights float64[n]: of the target, by row; node: a `Node`;
    by_class, wholes, floats, bits, tops: see `Tables`; floats[SCORES] and tops are written;
    flag uint8[1]: 1 to stop, which leaves the rest undone.

A list that begins with the missing rows scores the cuts that send them left, one that begins behind them the others.

Scores are looked up in tables, some made once, some of the node at hand:

    by_rows[w]   1   2   3   4       what of a score depends only on how many rows go left, reckoned once for the node
                                     and used in every column; NaN where `min_leaf` forbids the cut
    steps        a a a a | b b | c   for each class and each number of its rows on the left: what one more adds to
                                     Σ L_c log L_c + R_c log R_c

Logarithms are in fixed point, so that a sum of thousands of steps does not drift.
"""

from typing import NamedTuple

import numpy as np

from engine.criteria.criterion import BREAKS_TIES, OF_SUMS
from engine.criteria.kernels import impurity, mixed_of, tolerance, weight
from engine.growing.kernels.cells import ONE, ROW
from engine.runtime.compiler import bare, jit, jit_inside, jit_part

NO_SCORE = -1  # the kinds of scores
VALUES, WEIGHTED, GINI_MANY, STEPS, ANY = 0, 1, 2, 3, 4
COUNTED = (VALUES, GINI_MANY)  # of these weights say how many rows a cell stands for
ROWS_ABOVE = 2.0**26  # in a sum of counts, see `Tables.floats`: both stay below, and no sum needs more than 53 bits

FIXED = 2.0**42  # the fixed point of n·log2(n): sums stay below 2²⁰ for 65,535 rows, so 2⁶² holds them
SLACK = 1e-9  # relative; scores are better than that

# lines of Tables.floats: by row number or by count; the scores of a list, missing rows right or left
GIVEN, BY_ROWS, SCORES = 0, 1, 2
# lines of Tables.wholes and of Tables.by_class
LOGS, FALLING = 0, 1
FIRST, SIZE, LEFT = 0, 1, 2
TWO = np.uintp(2)


class Tables(NamedTuple):
    """What scores are looked up in and written to, for nodes of up to n rows and K classes; few arrays, as each costs.

    kind: how the cuts of a column are scored; `NO_SCORE`: not at all, which leaves them to the search by runs.
    floats: float64[4, n + 1]. GIVEN is made once: by row number the numeric target, or 1 for the second class; where a
        cell stands for several rows, how many of them are of the second class and, `ROWS_ABOVE` times, how many they
        are: one sum counts both. BY_ROWS is made for each node. SCORES and the line behind it: the scores of a list.
    bits: int64[4, n + 1], the same memory: as whole numbers, scores of 0 and more have the same order.
    wholes: int64[2, n + 1]. LOGS is n·log2(n) in fixed point, made once; FALLING is made for each node: the steps.
    by_class: int64[3, K]. Of the node: FIRST, where the steps of the class begin; SIZE, its rows; LEFT, room.
    sides: float64[2, K], room for the classes on both sides of a cut.
    lists: int64[2C, 3], what is to be scored: the column, where the scan begins, 0 or 1 for the line of scores.
    tops: float64[2C], the largest score of each of these, -1 without a cut.
    """

    kind: int
    floats: np.ndarray
    bits: np.ndarray
    wholes: np.ndarray
    by_class: np.ndarray
    sides: np.ndarray
    lists: np.ndarray
    tops: np.ndarray


class Node(NamedTuple):
    """The numbers of a node that scores need.

    rows; weight and mean of the target, or share of the second class; centre: what is taken off a numeric target;
    squares: Σ N_c².
    """

    rows: int
    weight: float
    mean: float
    centre: float
    squares: float


@jit_part
def is_copied(kind, weights):
    """Whether the weights say how many rows a cell stands for."""
    return weights.size > 0 and kind in COUNTED


@jit_part
def slack(best, code, node_impurity):
    """How far below `best` a score may lie and still be equal to it for the exact search."""
    rounding = 0.0 if code & OF_SUMS else 4e-12  # a few times what the fixed point loses in the smallest nodes
    return SLACK * max(best, 0.0) + 8.0 * tolerance(code, node_impurity) + rounding


@jit_part
def bare_tables(tables):
    """The same tables, see `bare`."""
    return Tables(
        tables.kind, bare(tables.floats), bare(tables.bits), bare(tables.wholes), bare(tables.by_class),
        bare(tables.sides), bare(tables.lists), bare(tables.tops),
    )  # fmt: skip


@jit
def prepare(code, about, rows, centre, least, tables):
    """Fills the tables of a node; returns its `Node`.

    Args:
        about: float64[S], the node's statistic, for a number around `centre`; least: fewest rows of a branch.
    """
    kind, floats, wholes, by_class = tables.kind, tables.floats, tables.wholes, tables.by_class
    weight, total, squares = about[0], about[1], 0.0
    if not code & OF_SUMS:
        weight = 0.0
        for c in range(about.size):
            size = np.int64(about[c])
            weight += about[c]
            by_class[SIZE, c] = size
            squares += np.float64(size) * np.float64(size)
    fill_by_rows(kind, 1.0 if code & OF_SUMS or kind == GINI_MANY else 2.0, rows, least, floats, wholes)
    if kind == STEPS:
        fill_steps(wholes, by_class)
    return Node(rows, weight, total / weight, centre, squares)


@jit_part
def fill_by_rows(kind, scale, rows, least, floats, wholes):
    """What depends on the rows of the left side only: floats[BY_ROWS]."""
    n = np.float64(rows)
    if kind == STEPS:
        for w in range(rows + 1):
            logs = wholes[LOGS, rows] - wholes[LOGS, w] - wholes[LOGS, rows - w]
            floats[BY_ROWS, w] = np.float64(logs) / (FIXED * n)
    elif kind in (ANY, WEIGHTED):
        for w in range(rows + 1):
            floats[BY_ROWS, w] = 1.0
    else:
        for w in range(1, rows):
            floats[BY_ROWS, w] = scale / (np.float64(w) * (n - np.float64(w)))
    for w in range(least):
        floats[BY_ROWS, w], floats[BY_ROWS, rows - w] = np.nan, np.nan


@jit_part
def fill_steps(wholes, by_class):
    """What Σ L_c log L_c + R_c log R_c grows by when class c has i rows on the left and one more comes."""
    at = 0
    for c in range(by_class.shape[1]):
        size = by_class[SIZE, c]
        by_class[FIRST, c] = at
        for i in range(size):
            left, right = wholes[LOGS, i + 1] - wholes[LOGS, i], wholes[LOGS, size - i - 1] - wholes[LOGS, size - i]
            wholes[FALLING, at + i] = left + right
        at += size


@jit_part
def largest(floats, bits, line, n):
    """The largest of the first n scores of a line, -1 without a cut; as whole numbers, which are compared abreast."""
    best = np.int64(-1)
    for count in range(n):
        best = max(best, bits[line, np.uintp(count)])
    bits[line, np.uintp(n)] = best
    return floats[line, np.uintp(n)] if best >= 0 else -1.0


@jit_part
def finish_values(cells, j, first, n, mean, floats, bits, line):
    """Turns the running sums of a line into its scores; returns the largest."""
    for count in range(n):
        i = np.uintp(count)
        d, by_rows = floats[line, i] - np.float64(count + 1) * mean, floats[BY_ROWS, i + ONE]
        is_cut = ((cells[j, first + i] ^ cells[j, first + i + ONE]) > ROW) & (by_rows > 0.0)
        floats[line, i] = d * d * by_rows if is_cut else -1.0
    return largest(floats, bits, line, n)


@jit_part
def finish_copies(cells, j, first, n, mean, floats, bits, line):
    """The same where cells stand for several rows; see `Tables.floats` for what a sum is made of."""
    for count in range(n):
        i = np.uintp(count)
        rows = np.floor(floats[line, i] * (1.0 / ROWS_ABOVE))
        d, by_rows = floats[line, i] - rows * ROWS_ABOVE - rows * mean, floats[BY_ROWS, np.uintp(rows)]
        is_cut = ((cells[j, first + i] ^ cells[j, first + i + ONE]) > ROW) & (by_rows > 0.0)
        floats[line, i] = d * d * by_rows if is_cut else -1.0
    return largest(floats, bits, line, n)


@jit_inside
def score_values(cells, lists, n_lists, stop, copied, node, floats, bits, tops, flag):
    """The variance that a cut explains, or the Gini gain of two classes. Four values meet before the sum so far, which
    is waited for each time."""
    for m in range(n_lists):
        if flag[0] != 0:
            return
        j, first, line = np.uintp(lists[m, 0]), np.uintp(lists[m, 1]), np.uintp(SCORES + lists[m, 2])
        n, total = stop - lists[m, 1] - 1, 0.0
        fours = np.uintp(n) >> TWO
        for four in range(fours):
            i = np.uintp(four) << TWO
            k = first + i
            a = floats[GIVEN, cells[j, k] & ROW] - node.centre
            b = a + (floats[GIVEN, cells[j, k + ONE] & ROW] - node.centre)
            c = floats[GIVEN, cells[j, k + TWO] & ROW] - node.centre
            d = b + (c + (floats[GIVEN, cells[j, k + TWO + ONE] & ROW] - node.centre))
            floats[line, i], floats[line, i + ONE] = total + a, total + b
            floats[line, i + TWO], floats[line, i + TWO + ONE] = total + (b + c), total + d
            total += d
        for count in range(np.int64(fours << TWO), n):
            i = np.uintp(count)
            total += floats[GIVEN, cells[j, first + i] & ROW] - node.centre
            floats[line, i] = total
        if copied:
            tops[m] = finish_copies(cells, j, first, n, node.mean, floats, bits, line)
        else:
            tops[m] = finish_values(cells, j, first, n, node.mean, floats, bits, line)


@jit_inside
def score_weighted(cells, lists, n_lists, stop, weights, scale, node, floats, tops, flag):
    """The same with weights, for two classes (scale 2) and numbers (scale 1)."""
    for m in range(n_lists):
        if flag[0] != 0:
            return
        j, first, line, best = np.uintp(lists[m, 0]), np.uintp(lists[m, 1]), np.uintp(SCORES + lists[m, 2]), -1.0
        weight, total = 0.0, 0.0
        for count in range(stop - lists[m, 1] - 1):
            i = np.uintp(count)
            cell = cells[j, first + i]
            share = weights[cell & ROW]
            weight += share
            total += share * (floats[GIVEN, cell & ROW] - node.centre)
            d = total - weight * node.mean
            both = weight * (node.weight - weight)
            score = (scale * d * d / both if both > 0.0 else 0.0) * floats[BY_ROWS, i + ONE]
            score = score if (cell ^ cells[j, first + i + ONE]) > ROW else -1.0
            floats[line, i] = score
            best = score if score > best else best
        tops[m] = best


@jit_inside
def score_gini(cells, lists, n_lists, stop, labels, node, by_class, floats, bits, tops, flag):
    """Gini of any number of classes; n Σ L_c² - 2 w Σ L_c N_c is a whole number."""
    rows, whole = np.int64(node.rows), node.squares
    unit, base = 1.0 / np.float64(rows), whole / (np.float64(rows) * np.float64(rows))
    for m in range(n_lists):
        if flag[0] != 0:
            return
        j, first, line = np.uintp(lists[m, 0]), np.uintp(lists[m, 1]), np.uintp(SCORES + lists[m, 2])
        n, squares, cross = stop - lists[m, 1] - 1, np.int64(0), np.int64(0)
        for c in range(by_class.shape[1]):
            by_class[LEFT, c] = 0
        for count in range(n):
            i = np.uintp(count)
            c = np.uintp(labels[cells[j, first + i] & ROW])
            before = by_class[LEFT, c]
            by_class[LEFT, c] = before + 1
            squares += 2 * before + 1
            cross += by_class[SIZE, c]
            floats[line, i] = np.float64(squares * rows - 2 * cross * (count + 1))
        for count in range(n):
            i = np.uintp(count)
            by_rows = floats[BY_ROWS, i + ONE]
            score = (floats[line, i] + whole * np.float64(count + 1)) * by_rows * unit - base
            is_cut = ((cells[j, first + i] ^ cells[j, first + i + ONE]) > ROW) & (by_rows > 0.0)
            score = 0.0 if score <= 0.0 else score  # rounding; below 0 means no cut
            floats[line, i] = score if is_cut else -1.0
        tops[m] = largest(floats, bits, line, n)


@jit_inside
def score_gini_of_copies(cells, lists, n_lists, stop, labels, copies, node, by_class, floats, bits, tops, flag):
    """The same where a cell stands for several rows."""
    n_rows, whole = np.int64(node.rows), node.squares
    unit, base = 1.0 / np.float64(n_rows), whole / (np.float64(n_rows) * np.float64(n_rows))
    for m in range(n_lists):
        if flag[0] != 0:
            return
        j, first, line = np.uintp(lists[m, 0]), np.uintp(lists[m, 1]), np.uintp(SCORES + lists[m, 2])
        n, rows, squares, cross = stop - lists[m, 1] - 1, np.int64(0), np.int64(0), np.int64(0)
        for c in range(by_class.shape[1]):
            by_class[LEFT, c] = 0
        for count in range(n):
            i = np.uintp(count)
            cell = cells[j, first + i]
            c, alike = np.uintp(labels[cell & ROW]), np.int64(copies[cell & ROW])
            before = by_class[LEFT, c]
            by_class[LEFT, c] = before + alike
            rows += alike
            squares += alike * (2 * before + alike)
            cross += alike * by_class[SIZE, c]
            by_rows = floats[BY_ROWS, np.uintp(rows)]
            apart = np.float64(squares * n_rows - 2 * cross * rows) + whole * np.float64(rows)
            score = apart * by_rows * unit - base
            is_cut = ((cell ^ cells[j, first + i + ONE]) > ROW) & (by_rows > 0.0)
            score = 0.0 if score <= 0.0 else score  # rounding; below 0 means no cut
            floats[line, i] = score if is_cut else -1.0
        tops[m] = largest(floats, bits, line, n)


@jit_inside
def score_entropy(cells, lists, n_lists, stop, labels, node, by_class, wholes, floats, tops, flag):
    """Entropy of any number of classes."""
    unit = 1.0 / (FIXED * node.rows)
    for m in range(n_lists):
        if flag[0] != 0:
            return
        j, first, line, best = np.uintp(lists[m, 0]), np.uintp(lists[m, 1]), np.uintp(SCORES + lists[m, 2]), -1.0
        total = np.int64(0)
        for c in range(by_class.shape[1]):
            by_class[LEFT, c] = by_class[FIRST, c]
        for count in range(stop - lists[m, 1] - 1):
            i = np.uintp(count)
            cell = cells[j, first + i]
            c = np.uintp(labels[cell & ROW])
            place = by_class[LEFT, c]
            by_class[LEFT, c] = place + 1
            total += wholes[FALLING, np.uintp(place)]
            score = np.float64(total) * unit + floats[BY_ROWS, i + ONE]
            score = score if (cell ^ cells[j, first + i + ONE]) > ROW else -1.0
            floats[line, i] = score
            best = score if score > best else best
        tops[m] = best


@jit_inside
def score_any(cells, lists, n_lists, stop, labels, code, about, floats, sides, tops, flag):
    """Any criterion of classes, by its formula. about: float64[K], of the node; sides: see `Tables`."""
    left, right, total, whole = sides[0], sides[1], weight(code, about), 0.0
    value, breaks_ties = impurity(code, about), code & BREAKS_TIES != 0
    for c in range(about.size):
        whole += about[c] * about[c]
    for m in range(n_lists):
        if flag[0] != 0:
            return
        j, first, line, best = np.uintp(lists[m, 0]), np.uintp(lists[m, 1]), np.uintp(SCORES + lists[m, 2]), -1.0
        w, squares, cross = 0.0, 0.0, 0.0
        for c in range(about.size):
            left[c], right[c] = 0.0, about[c]
        for count in range(stop - lists[m, 1] - 1):
            i = np.uintp(count)
            cell = cells[j, first + i]
            c = np.uintp(labels[cell & ROW])
            w += 1.0
            squares += 2.0 * left[c] + 1.0
            cross += about[c]
            left[c] += 1.0
            right[c] -= 1.0
            score = -1.0
            if (cell ^ cells[j, first + i + ONE]) > ROW and floats[BY_ROWS, i + ONE] > 0.0:
                score = max(value - (mixed_of(code, left, w) + mixed_of(code, right, total - w)) / total, 0.0)
                if breaks_ties:
                    apart = squares * (total - w) + (whole - 2.0 * cross + squares) * w
                    score += (apart / (w * (total - w)) - whole / total) / (total * total)
            floats[line, i] = score
            best = score if score > best else best
        tops[m] = best


@jit_part
def score_lists(cells, n_lists, stop, target, code, about, node, tables, flag):
    """Scores the cuts of the first lists in the way `tables.kind`."""
    labels, weights, lists, floats, bits = target.labels, target.weights, tables.lists, tables.floats, tables.bits
    by_class, tops, kind = tables.by_class, tables.tops, tables.kind
    if kind == VALUES:
        score_values(cells, lists, n_lists, stop, weights.size > 0, node, floats, bits, tops, flag)
    elif kind == WEIGHTED:
        scale = 2.0 if labels.size else 1.0
        score_weighted(cells, lists, n_lists, stop, weights, scale, node, floats, tops, flag)
    elif kind == GINI_MANY and weights.size:
        score_gini_of_copies(cells, lists, n_lists, stop, labels, weights, node, by_class, floats, bits, tops, flag)
    elif kind == GINI_MANY:
        score_gini(cells, lists, n_lists, stop, labels, node, by_class, floats, bits, tops, flag)
    elif kind == STEPS:
        score_entropy(cells, lists, n_lists, stop, labels, node, by_class, tables.wholes, floats, tops, flag)
    else:
        score_any(cells, lists, n_lists, stop, labels, code, about, floats, tables.sides, tops, flag)
