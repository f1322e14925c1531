"""What is known of the tests of splits of classes before any row is looked at."""

import math
from typing import TYPE_CHECKING

import numpy as np

from engine.significance.adjusted import LOWEST
from engine.significance.batch.number_tests import APART, Flags, Floats, Integers
from engine.significance.kernels.cut_tests import Tests
from engine.significance.single import TINY, log_p_chi_square
from engine.tree.leaves import row_sums

if TYPE_CHECKING:
    from engine.tree import Tree


def class_tests(tree: "Tree", at: Integers, log_level: float, n_branches: int = 2) -> tuple[Tests, Flags]:
    """(the tests of the splits into so many branches at some positions as if each were the only one; bool[m], which of
    them can be judged: not what is too near the level). Height and hazard are those of splits into two."""
    children = [at + 1]
    for _ in range(n_branches - 1):
        children.append(tree.end[children[-1]].astype(np.int64))
    branches = np.stack([tree.train[child] for child in children], axis=1)
    total = branches.sum(axis=(1, 2))
    shares = branches / np.where(total > 0, total, 1.0)[:, None, None]
    expected = shares.sum(axis=2)[:, :, None] * shares.sum(axis=1)[:, None, :]
    squares = np.divide((shares - expected) ** 2, expected, out=np.zeros_like(shares), where=expected > 0)
    rows, counts = tree.rows_train[at], tree.train[at]
    statistic = rows * squares.sum(axis=(1, 2))
    k = np.count_nonzero(counts > 0, axis=1)
    usual = (branches.sum(axis=2) > 0).all(axis=1) & (k >= 2) & (statistic > 0)
    usual &= np.count_nonzero(branches.sum(axis=1) > 0, axis=1) == k
    between = np.where(usual, k - 1, 1)
    log_p, p, height, hazard = as_if_alone(np.where(usual, statistic, 1.0), (n_branches - 1) * between)
    usual &= log_p <= log_level - APART
    present, weight = counts > 0, row_sums(counts)
    own = counts / np.where(weight > 0, weight, 1.0)[:, None]
    first = own[np.arange(at.size), np.argmax(present, axis=1)] * rows
    first = np.rint(np.round(np.clip(first, 1, rows - 1), 9))  # as `engine.search.permutation_null` rounds
    least = np.where(present, own, np.inf).min(axis=1, initial=np.inf)
    rare = np.divide(1.0, own, out=np.zeros_like(own), where=present).sum(axis=1)
    found = (rows, statistic, p, height, hazard, k, first, least, rare)
    return Tests(*(line.astype(np.float64) for line in found)), usual


def as_if_alone(statistic: Floats, freedom: Integers) -> tuple[Floats, Floats, Floats, Floats]:
    """(ln p, p, height, hazard) of X², see `Tests`."""
    from scipy.special import chdtri, gammaincc, gammaln

    a = freedom / 2.0
    p = gammaincc(a, statistic / 2.0)
    log_p = np.log(np.maximum(p, TINY))
    for i in np.flatnonzero(p <= TINY).tolist():
        log_p[i] = log_p_chi_square(float(statistic[i]), int(freedom[i]))
    height = np.where(log_p > LOWEST, chdtri(freedom, math.exp(LOWEST)), statistic)
    log_density = (a - 1) * np.log(height / 2) - height / 2 - gammaln(a) - math.log(2.0)
    return log_p, p, height, np.exp(log_density - np.minimum(log_p, LOWEST))
