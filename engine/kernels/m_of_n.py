"""One step of the climb to an m-of-n split: the best literal to add, and whether to raise m.

Every row has `hits`, the number of chosen literals that hold for it. Adding literal j moves only rows at the border:

    m-of-(n+1)      branch 0 = hits ≥ m      and of hits = m - 1 those where j holds
    (m+1)-of-(n+1)  branch 0 = hits ≥ m + 1  and of hits = m     those where j holds

So one pass over the border rows per column, counting the target by bucket of the column, gives the gains of all of
its literals. Bucket 0 holds the missing values; the literals on a column's order sum buckets from one side.
"""

from typing import NamedTuple

import numpy as np

from engine.kernels import jit, jit_part, shared
from engine.kernels.gain import pair_gain, take_away, total_rows
from engine.kernels.impurity import GINI, SQUARED_ERROR, improves, impurity, tolerance

UP_TO, ABOVE, EQUAL, DIFFERENT = 0, 1, 2, 3  # the tests, numbered as in `engine.splits.TESTS`


class Literals(NamedTuple):
    """The literals that a step may add, by ascending column.

    buckets: uint8[C, n], of every training row by column; n_buckets: int64[C].
    first: int64[C + 1], where each column's literals stand; test: int64[J]; at: int64[J], the bucket of the test.
    """

    buckets: np.ndarray
    n_buckets: np.ndarray
    first: np.ndarray
    test: np.ndarray
    at: np.ndarray


class Target(NamedTuple):
    """The target of the training rows: labels uint16[n] or numbers float64[n], the other empty; weights float64[n] or
    empty for 1."""

    labels: np.ndarray
    numbers: np.ndarray
    weights: np.ndarray


@jit
def count_row(target, r, stat):
    """Adds row r to the statistic float64[S]."""
    share = target.weights[r] if target.weights.size else 1.0
    if target.labels.size:
        stat[target.labels[r]] += share
    else:
        value = target.numbers[r]
        stat[0] += share
        stat[1] += share * value
        stat[2] += share * value * value


@shared
@jit
def count_by_hits(target, hits, n_hits, n_stats):
    """(float64[n_hits + 1, S], int64[n_hits + 1]): the target and the rows with 0, 1, … n_hits hits."""
    stat, rows = np.zeros((n_hits + 1, n_stats)), np.zeros(n_hits + 1, np.int64)
    for r in range(hits.size):
        count_row(target, r, stat[hits[r]])
        rows[hits[r]] += 1
    return stat, rows


@jit_part
def count_by_bucket(bucket, target, hits, low, stat, rows):
    """The border rows, of `low` or low + 1 hits, by bucket: stat float64[2, B, S] and rows int64[2, B], zeroed here."""
    for side in range(2):
        for b in range(rows.shape[1]):
            rows[side, b] = 0
            for s in range(stat.shape[2]):
                stat[side, b, s] = 0.0
    for r in range(hits.size):
        side = np.int64(hits[r]) - low
        if side == 0 or side == 1:
            count_row(target, r, stat[side, bucket[r]])
            rows[side, bucket[r]] += 1


@jit_part
def sum_of(test, at, n_buckets, stat, rows, out):
    """Adds to `out` float64[S] the buckets where a literal holds; returns their rows. stat, rows: of one side."""
    low, high = 1, n_buckets
    if test == UP_TO:
        high = at + 1
    elif test == ABOVE:
        low = at + 1
    elif test == EQUAL:
        low, high = at, at + 1
    n = 0
    for b in range(low, high):
        if test != DIFFERENT or b != at:
            n += rows[b]
            for s in range(out.size):
                out[s] += stat[b, s]
    return n


@jit
def best_literal(literals, target, hits, m, n_hits, usable, code, min_leaf, n_stats):
    """The best literal to add to an m-of-n split: (literal, 1 if m rises, gain, tie); the literal is -1 if none fits.

    Args:
        literals, target: see there. hits: uint8[n], by row; none is above n_hits. m: 0 before the first literal.
        usable: bool[J]. code: the criterion. n_stats: S. Numbers are measured from near their mean.
    """
    by_hits, rows_by_hits = count_by_hits(target, hits, n_hits, n_stats)
    node, n_rows = np.zeros(n_stats), total_rows(rows_by_hits)
    for h in range(n_hits + 1):
        for s in range(n_stats):
            node[s] += by_hits[h, s]
    value = impurity(code, node)
    eps, tie_eps = tolerance(code, value), tolerance(GINI, impurity(GINI, node))
    left, right = np.empty(n_stats), np.zeros(n_stats)
    widest = 0
    for column in range(literals.n_buckets.size):
        widest = max(widest, literals.n_buckets[column])
    stat, rows = np.empty((2, widest, n_stats)), np.empty((2, widest), np.int64)
    best, raised, best_gain, best_tie = -1, 0, 0.0, 0.0
    for column in range(literals.n_buckets.size):
        begin, end = literals.first[column], literals.first[column + 1]
        n_usable = 0
        for j in range(begin, end):
            n_usable += usable[j]
        if n_usable == 0:
            continue
        count_by_bucket(literals.buckets[column], target, hits, m - 1, stat, rows)
        for j in range(begin, end):
            for raises in range(2):
                if not usable[j] or m + raises == 0:
                    continue
                n_left = 0
                for s in range(n_stats):
                    left[s] = 0.0
                for h in range(m + raises, n_hits + 1):
                    n_left += rows_by_hits[h]
                    for s in range(n_stats):
                        left[s] += by_hits[h, s]
                n_buckets = literals.n_buckets[column]
                n_left += sum_of(literals.test[j], literals.at[j], n_buckets, stat[raises], rows[raises], left)
                if n_left < max(min_leaf, 1) or n_rows - n_left < max(min_leaf, 1):
                    continue
                if code != SQUARED_ERROR:
                    take_away(node, left, right)
                gain, tie = pair_gain(code, left, right, node, value)
                if best < 0 or improves(gain, tie, best_gain, best_tie, eps, tie_eps):
                    best, raised, best_gain, best_tie = j, raises, gain, tie
    return best, raised, best_gain, best_tie


@jit
def add_hits(bucket, test, at, hits):
    """Adds 1 to hits uint8[n] in the rows where a literal holds; bucket: uint8[n]."""
    for r in range(hits.size):
        b = np.int64(bucket[r])
        if test == UP_TO:
            holds = b <= at
        elif test == ABOVE:
            holds = b > at
        else:
            holds = (b == at) == (test == EQUAL)
        if holds and b > 0:
            hits[r] += 1
