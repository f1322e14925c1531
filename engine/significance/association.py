"""The test of independence of a column and the target, before any split is looked for (Strasser and Weber 1999;
Hothorn, Hornik and Zeileis 2006, section 3): the quadratic form of the linear statistic Σ g(x) h(y) under permutations.

    g    the value of a number or a date, the rank of an ordered level, an indicator of each other level
    h    the number, or an indicator of each class

With these g and h it is (n − 1) times a share of explained variance, of χ² distribution for large n:

    x \\ y      number                               classes
    number     r², 1 degree of freedom              η² of x by class, K − 1
    levels     η² of y by level, L − 1              Pearson's X² ÷ n, (L − 1) · (K − 1)

Rows without a value take no part. A trend is found more often than by the best of all cuts, whose p-value pays for the
search; a step at the edge less often.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.search.tally import NodeRows
from engine.significance.adjusted import Evidence, log_p_chi_square
from engine.table.column import Column
from engine.table.partition import TRAIN

Floats = NDArray[np.float64]


def association(inside: NodeRows, place: int) -> Evidence:
    """The test of one column on the training rows of a node.

    Sampling weights make weighted moments, and rows are worth Kish's (Σw)² ÷ Σw²; frequencies are so many rows.
    Classes are not reweighed.
    """
    inside = inside.as_counted
    part, labels, numbers, weights = inside.gathered
    column, codes = inside.table.columns[place], inside.table.columns[place].codes[inside.rows]
    some = (codes > 0) if inside.n_parts == 1 else (codes > 0) & (part == TRAIN)
    codes, w = codes[some], weights[some] if weights.size else np.ones(int(some.sum()))
    total = float(w.sum())
    n = total if inside.table.weights_are_counts or not weights.size else total**2 / max(float(w @ w), 1e-300)
    share, freedom = 0.0, 0
    if codes.size > 1:
        by_class, ordered = inside.table.task == "classes", column.is_numeric or column.kind == "ordered"
        y = labels[some] if by_class else numbers[some]
        if not by_class and ordered:
            share, freedom = _explained(_scores(column, codes), y, w, line=True)
        elif by_class and not ordered:
            share, freedom = _of_table(codes, y, w)
        else:
            share, freedom = _explained(_scores(column, codes), y, w) if by_class else _explained(y, codes, w)
    statistic = max(n - 1.0, 0.0) * share
    log_p = log_p_chi_square(statistic, freedom)
    return Evidence("χ²", statistic, (freedom,), codes.size, log_p, 0.0, log_p)


def _scores(column: Column, codes: NDArray[np.integer]) -> Floats:
    """float64[n]: the values of numbers; the ranks of ordered levels, and of numbers that are infinite."""
    if not column.is_numeric or not np.isfinite(column.values[[0, -1]]).all():
        return codes.astype(np.float64)
    return column.values.astype(np.float64)[codes.astype(np.int64) - 1]


def _explained(y: Floats, x: NDArray[Any], w: Floats, line: bool = False) -> tuple[float, int]:
    """(the share of the variance of y that x explains, degrees of freedom): by groups of equal x, or by a line."""
    y = _shifted(y, w)
    whole = float(w @ (y * y))
    if not whole > 0:
        return 0.0, 0
    if line:
        x = _shifted(x, w)
        spread = float(w @ (x * x))
        return (float(w @ (x * y)) ** 2 / (spread * whole), 1) if spread > 0 else (0.0, 0)
    groups, place = np.unique(x, return_inverse=True)
    sums, sizes = np.bincount(place, w * y), np.bincount(place, w)
    return float((sums**2 / sizes).sum()) / whole, groups.size - 1


def _shifted(numbers: Floats, w: Floats) -> Floats:
    """float64[n]: with mean 0, the largest about 1, so that no square is infinite or 0."""
    scaled = numbers / max(float(np.abs(numbers).max()), 1e-300)
    scaled = scaled - np.average(scaled, weights=w)
    return np.asarray(scaled / max(float(np.abs(scaled).max()), 1e-300))


def _of_table(x: NDArray[np.integer], y: NDArray[np.integer], w: Floats) -> tuple[float, int]:
    """(Pearson's X² ÷ n, degrees of freedom) of two kinds of groups."""
    (levels, row), (classes, cell) = (np.unique(each, return_inverse=True) for each in (x, y))
    seen = np.bincount(row * classes.size + cell, w, levels.size * classes.size).reshape(levels.size, classes.size)
    shares = seen / seen.sum()
    expected = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    return float(((shares - expected) ** 2 / expected).sum()), (levels.size - 1) * (classes.size - 1)
