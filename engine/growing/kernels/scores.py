"""Scores: the gain of every cut of presorted lists, up to rounding, in one pass and about a nanosecond a cell.

    cells[j]     a | b   c | d | e    of one node; a cut is where the code changes
    floats[2]    .1 -1  .3  .2        of the cut behind cell i; no cut: -1 (or NaN, where `min_leaf` forbids it)

A score is a filter in front of the exact gain: it is good to 1e-9 (`score_tables.slack`), and `growing.kernels.scan`
turns it into the answer of `search.kernels.cuts.best_cut`. What makes the usual criteria fast: no division and no
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
    labels uint16[n], weights float64[n]: of the target, by row; node: a `score_tables.Node`;
    by_class, wholes, floats, bits, tops: see `score_tables.Tables`; floats[SCORES] and tops are written;
    flag uint8[1]: 1 to stop, which leaves the rest undone.

A list that begins with the missing rows scores the cuts that send them left, one that begins behind them the others.
"""

import numpy as np

from engine.criteria.criterion import BREAKS_TIES
from engine.criteria.kernels.impurity import impurity, mixed_of, weight
from engine.growing.kernels.cells import ONE, ROW
from engine.growing.kernels.score_tables import (
    BY_ROWS,
    FALLING,
    FIRST,
    FIXED,
    GINI_MANY,
    GIVEN,
    LEFT,
    PAIR,
    SCORES,
    SIZE,
    STEPS,
    VALUES,
    WEIGHTED,
)
from engine.runtime.compiler import jit_bare

TWO = np.uintp(2)


@jit_bare
def largest(floats, bits, line, n):
    """The largest of the first n scores of a line, -1 without a cut; as whole numbers, which are compared abreast."""
    best = np.int64(-1)
    for count in range(n):
        best = max(best, bits[line, np.uintp(count)])
    bits[line, np.uintp(n)] = best
    return floats[line, np.uintp(n)] if best >= 0 else -1.0


@jit_bare
def finish_values(cells, j, first, n, mean, floats, bits, line):
    """Turns the running sums of a line into its scores; returns the largest."""
    for count in range(n):
        i = np.uintp(count)
        d, by_rows = floats[line, i] - np.float64(count + 1) * mean, floats[BY_ROWS, i + ONE]
        is_cut = ((cells[j, first + i] ^ cells[j, first + i + ONE]) > ROW) & (by_rows > 0.0)
        floats[line, i] = d * d * by_rows if is_cut else -1.0
    return largest(floats, bits, line, n)


@jit_bare
def score_pair(cells, lists, n_lists, stop, labels, node, floats, bits, tops, flag):
    """Gini of two classes."""
    for m in range(n_lists):
        if flag[0] != 0:
            return
        j, first, line = np.uintp(lists[m, 0]), np.uintp(lists[m, 1]), np.uintp(SCORES + lists[m, 2])
        n, total = stop - lists[m, 1] - 1, np.int64(0)
        for count in range(n):
            i = np.uintp(count)
            total += np.int64(labels[cells[j, first + i] & ROW])
            floats[line, i] = np.float64(total)
        tops[m] = finish_values(cells, j, first, n, node.mean, floats, bits, line)


@jit_bare
def score_values(cells, lists, n_lists, stop, node, floats, bits, tops, flag):
    """The variance that a cut explains. Four values meet before the sum so far, which is waited for each time."""
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
        tops[m] = finish_values(cells, j, first, n, node.mean, floats, bits, line)


@jit_bare
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


@jit_bare
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


@jit_bare
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


@jit_bare
def score_any(cells, lists, n_lists, stop, labels, code, about, floats, sides, tops, flag):
    """Any criterion of classes, by its formula. about: float64[K], of the node; sides: see `score_tables.Tables`."""
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


@jit_bare
def score_lists(kind, cells, n_lists, stop, target, code, about, node, tables, flag):
    """Scores the cuts of the first lists in the way `kind`, see `score_tables.kind_of`."""
    labels, weights, lists, floats, bits = target.labels, target.weights, tables.lists, tables.floats, tables.bits
    by_class, tops = tables.by_class, tables.tops
    if kind == PAIR:
        score_pair(cells, lists, n_lists, stop, labels, node, floats, bits, tops, flag)
    elif kind == VALUES:
        score_values(cells, lists, n_lists, stop, node, floats, bits, tops, flag)
    elif kind == WEIGHTED:
        scale = 2.0 if labels.size else 1.0
        score_weighted(cells, lists, n_lists, stop, weights, scale, node, floats, tops, flag)
    elif kind == GINI_MANY:
        score_gini(cells, lists, n_lists, stop, labels, node, by_class, floats, bits, tops, flag)
    elif kind == STEPS:
        score_entropy(cells, lists, n_lists, stop, labels, node, by_class, tables.wholes, floats, tops, flag)
    else:
        score_any(cells, lists, n_lists, stop, labels, code, about, floats, tables.sides, tops, flag)
