"""One step of the climb to an m-of-n split: the best literal to add, and whether to raise m.

Every row has `hits`, the number of chosen literals that hold for it. Adding literal j moves only rows at the border:

    m-of-(n+1)      branch 0 = hits ≥ m      and of hits = m - 1 those where j holds
    (m+1)-of-(n+1)  branch 0 = hits ≥ m + 1  and of hits = m     those where j holds

So one pass over the border rows per column, counting the target by bucket of the column, gives the gains of all of
its literals. Bucket 0 holds the missing values, each other one a value; the literals on a column's order sum them up.
"""

from typing import NamedTuple

import numpy as np

from engine.criteria.criterion import OF_SUMS
from engine.criteria.kernels import improves, pair_gain, rest, scales, take_away
from engine.runtime.compiler import jit, jit_inside, jit_long, jit_part
from engine.search.kernels.branches import may_part
from engine.search.kernels.count import add_row


class Literals(NamedTuple):
    """The literals that a step may add, by ascending column.

    buckets: uint32[C, n], of every training row by column, 0 where it is missing; n_buckets: int64[C], that one among
        them.
    first: int64[C + 1], where each column's literals stand.
    by_order: bool[C]; of such columns literal 2k is "up to bucket k + 1", literal 2k + 1 "above" it.
    negated: bool[L], at: int64[L], of the others: "not in" or "in" bucket `at`; own: int64[C], where these begin.
    """

    buckets: np.ndarray
    n_buckets: np.ndarray
    first: np.ndarray
    by_order: np.ndarray
    negated: np.ndarray
    at: np.ndarray
    own: np.ndarray


@jit_part
def count_by_bucket(bucket, n_buckets, target, hits, low, stat, rows):
    """The border rows, of `low` or low + 1 hits, by bucket: stat float64[2, B, S] and rows int64[2, B], zeroed here."""
    for side in range(2):
        for b in range(n_buckets):
            rows[side, b] = 0
            for s in range(stat.shape[2]):
                stat[side, b, s] = 0.0
    for r in range(hits.size):
        side = np.int64(hits[r]) - low
        if side == 0 or side == 1:
            add_row(stat[side], np.int64(bucket[r]), r, target)
            rows[side, bucket[r]] += 1


@jit_inside
def literal_at(literals, column, j):
    """(the bucket that literal j of a column is about, whether it holds in the others)."""
    place = j - literals.first[column]
    if literals.by_order[column]:
        return place // 2 + 1, place % 2 == 1
    place += literals.own[column]
    return literals.at[place], literals.negated[place]


@jit_long
def best_literal(literals, target, hits, m, n_hits, usable, code, min_leaf, n_stats, stop):
    """The best literal to add to an m-of-n split: (literal, 1 if m rises, gain, tie); the literal is -1 if none fits.

    Args:
        literals, target: see there. hits: uint8[n], by row; none is above n_hits. m: 0 before the first literal.
        usable: bool[J]. code: the criterion. n_stats: S. Numbers are measured from near their mean.
        stop: uint8[1], 1 once the answer is no longer wanted: then there is none.
    """
    by_hits, rows_by_hits = np.zeros((n_hits + 1, n_stats)), np.zeros(n_hits + 1, np.int64)
    for r in range(hits.size):
        add_row(by_hits, np.int64(hits[r]), r, target)
        rows_by_hits[hits[r]] += 1
    node, n_rows = np.zeros(n_stats), rows_by_hits.sum()
    base, n_base = np.zeros((2, n_stats)), np.zeros(2, np.int64)  # branch 0 but for the border, by whether m rises
    for h in range(n_hits + 1):
        for s in range(n_stats):
            node[s] += by_hits[h, s]
        for raises in range(2 if h > m else 1 if h == m else 0):
            n_base[raises] += rows_by_hits[h]
            for s in range(n_stats):
                base[raises, s] += by_hits[h, s]
    value, eps, tie_eps = scales(code, node)
    left, right, widest = np.empty(n_stats), np.zeros(n_stats), 0
    for column in range(literals.n_buckets.size):
        widest = max(widest, literals.n_buckets[column])
    stat, rows = np.empty((2, widest, n_stats)), np.empty((2, widest), np.int64)
    whole, n_whole = np.empty((2, n_stats)), np.empty(2, np.int64)  # of all values of a column
    part, n_part = np.empty((2, n_stats)), np.empty(2, np.int64)  # of the buckets that a literal is about
    best, raised, best_gain, best_tie = -1, 0, 0.0, 0.0
    for column in range(literals.n_buckets.size):
        if stop[0]:
            return -1, 0, 0.0, 0.0
        begin, end = literals.first[column], literals.first[column + 1]
        n_usable = 0
        for j in range(begin, end):
            n_usable += usable[j]
        if n_usable == 0:
            continue
        n_buckets, by_order = literals.n_buckets[column], literals.by_order[column]
        count_by_bucket(literals.buckets[column], n_buckets, target, hits, m - 1, stat, rows)
        for side in range(2):
            n_whole[side], n_part[side] = 0, 0
            for s in range(n_stats):
                whole[side, s], part[side, s] = 0.0, 0.0
            for b in range(1, n_buckets):
                n_whole[side] += rows[side, b]
                for s in range(n_stats):
                    whole[side, s] += stat[side, b, s]
        for j in range(begin, end):
            bucket, negated = literal_at(literals, column, j)
            for side in range(2 if not (by_order and negated) else 0):
                n_part[side] = rows[side, bucket] + (n_part[side] if by_order else 0)
                for s in range(n_stats):
                    part[side, s] = stat[side, bucket, s] + (part[side, s] if by_order else 0.0)
            for raises in range(2 if usable[j] else 0):
                if by_order and bucket > 1 and rows[raises, bucket] == 0 and usable[j - 2]:
                    continue  # it divides the border as the literal before it does
                n_left = n_base[raises] + (n_whole[raises] - n_part[raises] if negated else n_part[raises])
                if m + raises == 0 or not may_part(n_left, n_rows, min_leaf):
                    continue
                for s in range(n_stats):
                    some = part[raises, s]
                    if negated:
                        total = whole[raises, s]
                        some = total - some if code & OF_SUMS else rest(total, some)
                    left[s] = base[raises, s] + some
                if not code & OF_SUMS:
                    take_away(node, left, right)
                gain, tie = pair_gain(code, left, right, node, value)
                if best < 0 or improves(gain, tie, best_gain, best_tie, eps, tie_eps):
                    best, raised, best_gain, best_tie = j, raises, gain, tie
    return best, raised, best_gain, best_tie


@jit
def add_hits(literals, column, j, hits):
    """Adds 1 to hits uint8[n] in the rows where literal j, of this column, holds."""
    at, negated = literal_at(literals, column, j)
    for r in range(hits.size):
        b = np.int64(literals.buckets[column, r])
        inside = b <= at if literals.by_order[column] else b == at
        if b > 0 and inside != negated:
            hits[r] += 1
