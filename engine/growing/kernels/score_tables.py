"""What the scores of cuts are looked up in: tables made once, and tables of the node at hand.

    by_rows[w]   1   2   3   4       what of a score depends only on how many rows go left, reckoned once for the node
                                     and used in every column; NaN where `min_leaf` forbids the cut
    steps        a a a a | b b | c   for each class and each number of its rows on the left: what one more adds to
                                     Σ L_c log L_c + R_c log R_c

Logarithms are in fixed point, so that a sum of thousands of steps does not drift.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.criteria.criterion import BY_CONTRAST, BY_DIVERGENCE, OF_SUMS
from engine.criteria.kernels.impurity import tolerance
from engine.runtime.compiler import jit, jit_bare

NO_SCORE = -1  # the kinds of scores
PAIR, VALUES, WEIGHTED, GINI_MANY, STEPS, ANY = 0, 1, 2, 3, 4, 5

FIXED = 2.0**42  # the fixed point of n·log2(n): sums stay below 2²⁰ for 65,535 rows, so 2⁶² holds them
SLACK = 1e-9  # relative; scores are better than that


# lines of Tables.floats: by row number or by count; the scores of a list, missing rows right or left
GIVEN, BY_ROWS, SCORES = 0, 1, 2
# lines of Tables.wholes and of Tables.by_class
LOGS, FALLING = 0, 1
FIRST, SIZE, LEFT = 0, 1, 2


class Tables(NamedTuple):
    """What scores are looked up in and written to, for nodes of up to n rows and K classes; few arrays, as each costs.

    floats: float64[4, n + 1]. GIVEN is made once: by row number the numeric target, or 1 for the second class. BY_ROWS
        is made for each node. SCORES and the line behind it: the scores of a list.
    bits: int64[4, n + 1], the same memory: as whole numbers, scores of 0 and more have the same order.
    wholes: int64[2, n + 1]. LOGS is n·log2(n) in fixed point, made once; FALLING is made for each node: the steps.
    by_class: int64[3, K]. Of the node: FIRST, where the steps of the class begin; SIZE, its rows; LEFT, room.
    sides: float64[2, K], room for the classes on both sides of a cut.
    lists: int64[2C, 3], what is to be scored: the column, where the scan begins, 0 or 1 for the line of scores.
    tops: float64[2C], the largest score of each of these, -1 without a cut.
    """

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


@jit
def kind_of(code, n_stats, weighted):
    """How the cuts of a column are scored; `NO_SCORE`: not at all, which leaves them to the search by runs."""
    if code & BY_CONTRAST and (code & OF_SUMS or n_stats == 2):
        return WEIGHTED if weighted else VALUES if code & OF_SUMS else PAIR
    if weighted:
        return NO_SCORE
    return GINI_MANY if code & BY_CONTRAST else STEPS if code & BY_DIVERGENCE else ANY


@jit_bare
def slack(best, code, node_impurity):
    """How far below `best` a score may lie and still be equal to it for the exact search."""
    rounding = 0.0 if code & OF_SUMS else 4e-12  # a few times what the fixed point loses in the smallest nodes
    return SLACK * max(best, 0.0) + 8.0 * tolerance(code, node_impurity) + rounding


@jit
def make_tables(kind, n, n_stats, n_columns, target):
    """Tables for nodes of up to n rows."""
    floats, wholes = np.empty((4, n + 1)), np.empty((2, n + 1 if kind == STEPS else 1), np.int64)
    for i in range(wholes.shape[1]):
        wholes[LOGS, i] = np.int64(np.rint(i * math.log2(max(i, 1)) * FIXED)) if kind == STEPS else 0
        wholes[FALLING, i] = 0
    for i in range(n if kind in (WEIGHTED, VALUES) else 0):
        floats[GIVEN, i] = np.float64(target.labels[i]) if target.labels.size else target.numbers[i]
    lists, tops = np.empty((2 * n_columns, 3), np.int64), np.empty(2 * n_columns)
    by_class, sides = np.empty((3, n_stats), np.int64), np.empty((2, n_stats))
    return Tables(floats, floats.view(np.int64), wholes, by_class, sides, lists, tops)


@jit_bare
def prepare(kind, code, about, rows, centre, least, tables):
    """Fills the tables of a node; returns its `Node`.

    Args:
        about: float64[S], the node's statistic, for a number around `centre`; least: fewest rows of a branch.
    """
    floats, wholes, by_class = tables.floats, tables.wholes, tables.by_class
    weight, total, squares = about[0], about[1], 0.0
    if not code & OF_SUMS:
        weight = 0.0
        for c in range(about.size):
            size = np.int64(about[c])
            weight += about[c]
            by_class[SIZE, c] = size
            squares += np.float64(size) * np.float64(size)
    fill_by_rows(kind, rows, least, floats, wholes)
    if kind == STEPS:
        fill_steps(wholes, by_class)
    return Node(rows, weight, total / weight, centre, squares)


@jit_bare
def fill_by_rows(kind, rows, least, floats, wholes):
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
        scale = 1.0 if kind in (VALUES, GINI_MANY) else 2.0
        for w in range(1, rows):
            floats[BY_ROWS, w] = scale / (np.float64(w) * (n - np.float64(w)))
    for w in range(least):
        floats[BY_ROWS, w], floats[BY_ROWS, rows - w] = np.nan, np.nan


@jit_bare
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
