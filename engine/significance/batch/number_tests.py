"""What is known of the tests of splits of a numeric target into two before any row is looked at."""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.search.permutation_null import SAMPLE, at_level
from engine.significance.adjusted import LOWEST
from engine.significance.kernels.number_tests import NumberTests
from engine.significance.single import ROUNDING, TINY, log_p_explained

if TYPE_CHECKING:
    from engine.tree import Tree

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

APART = 1e-6  # of ln p from the level
FAINTEST = 1e-8  # levels below which sums of chances are not known as well as `significance.kernels.number_tests` asks
SMALLEST = -600.0  # ln p under which `engine.search.permutation_null.at_level` goes another way


def number_tests(tree: "Tree", at: Integers, log_level: float) -> tuple[NumberTests, Flags]:
    """(the tests of the splits into two at some positions as if each were the only one; bool[m], which of them can be
    judged: not what is too near the level, nor large nodes, of whose rows the twin looks at some)."""
    share, rows = _explained(tree, at)
    usual = (rows >= 3) & (share > 0.0) & (tree.train[at + 1, 0] > 0) & (tree.train[tree.end[at + 1], 0] > 0)
    usual &= (rows <= SAMPLE) & (rows + tree.rows_validation[at] < 2 * SAMPLE) & (log_level >= math.log(FAINTEST))
    log_p = np.where(usual, _log_p(np.where(usual, share, 0.5), np.maximum(rows, 3)), 0.0)
    usual &= log_p <= log_level - APART
    level = _at_level(log_p)
    height = np.where(log_p > LOWEST, at_level(LOWEST), level)
    log_density = -0.5 * np.log(height / 2) - height / 2 - math.lgamma(0.5) - math.log(2.0)
    hazard = np.exp(log_density - np.minimum(log_p, LOWEST))
    return NumberTests(share * (rows - 1), log_p, level, height, hazard), usual


def _explained(tree: "Tree", at: Integers) -> tuple[Floats, Integers]:
    """(share of the variance that each split explains, training rows)."""
    squares, left = tree.train[:, 2], at + 1
    within = squares[left] + squares[tree.end[left]]
    left_over = np.divide(within, squares[at], out=np.ones(at.size), where=squares[at] > 0)
    return np.minimum(1.0 - left_over, 1.0), tree.rows_train[at].astype(np.int64)


def _log_p(share: Floats, rows: Integers) -> Floats:
    """`engine.significance.single.log_p_explained` of splits into two."""
    from scipy.special import betainc

    p = betainc((rows - 2) / 2.0, 0.5, np.maximum(1.0 - share, ROUNDING))
    log_p = np.log(np.maximum(p, TINY))
    for i in np.flatnonzero(p <= TINY).tolist():
        log_p[i] = log_p_explained(float(share[i]), 1, int(rows[i]) - 2)
    return np.asarray(log_p)


def _at_level(log_p: Floats) -> Floats:
    """`engine.search.permutation_null.at_level` of one degree of freedom: the square of a normal variable."""
    from scipy.special import ndtri

    x = ndtri(0.5 * np.exp(np.maximum(log_p, SMALLEST))) ** 2
    for i in np.flatnonzero(log_p <= SMALLEST).tolist():
        x[i] = at_level(float(log_p[i]))
    return np.asarray(x)
