"""All cuts of a column at one node, near ones taken together, as `engine.significance.adjusted` has them in `Cuts`.

    rows       3 | 1 | 5 | 2 ...     training rows of each value in order
    ends       3   4   9   11        rows up to each cut
    some       1   1   1   1         how many cuts each stands for: more than one only where there are many values

The slow twin is `engine.significance.adjusted.chance_of_cuts`.
"""

import math

import numpy as np

from engine.runtime.compiler import jit
from engine.significance.kernels.cut_tests import EXPECTED, NEAR, NO, OPEN, YES, put_in_order, tail, worth

ALONE, BLOCKS = 32, 160  # as in `engine.significance.adjusted`
MOST_ENDS = 1000  # `engine.significance.adjusted.MANY`: so many values are taken one by one
LOW = math.exp(
    -30.0
)  # below it `engine.significance.adjusted` adds probabilities instead of logarithms of what is left


@jit
def count_missing(codes, begin, end):
    """How many codes are 0."""
    lacking = 0
    for r in range(begin, end):
        lacking += codes[r] == 0
    return lacking


@jit
def ends_of_values(codes, begin, end, ends, some):
    """Fills ends, some float64[≥ MOST_ENDS] from the ordered codes of the rows that have the value; returns how many
    values there are, one more than MOST_ENDS where there are more."""
    n = 0
    for r in range(begin, end):
        if r + 1 < end and codes[r + 1] == codes[r]:
            continue
        if n == MOST_ENDS:
            return n + 1
        ends[n], some[n] = r + 1.0 - begin, 1.0
        n += 1
    return n


@jit
def ends_of_many(present, ends, some):
    """The same for so many values that every cut between two of the `present` rows may be one of them."""
    n = 0
    for k in range(1, min(ALONE, present) + 1):
        ends[n], ends[n + 1] = k, present - k
        n += 2
    for k in range(BLOCKS):
        ends[n] = np.rint(present / (1.0 + math.exp((1.0 - 2.0 * k / (BLOCKS - 1.0)) * math.log(present))))
        n += 1
    ends[n] = present
    n += 1
    for i in range(1, n):
        end, j = ends[i], i
        while j > 0 and ends[j - 1] > end:
            ends[j] = ends[j - 1]
            j -= 1
        ends[j] = end
    kept, before = 0, 0.0
    for i in range(n):
        if before < ends[i] <= present:
            some[kept] = ends[i] - before
            before = ends[kept] = ends[i]
            kept += 1
    return kept


@jit
def weigh_cuts(ends, some, m, lacking, least, height, hazard, rows, weights):
    """Writes of each cut the rows of its smaller branch and what it is worth; returns how many cuts there are.

    lacking: rows without the value, which go to either side. least: rows that every branch keeps. rows, weights:
    float64[2 · MOST_ENDS], written.
    """
    n, found = ends[m - 1] + lacking, 0
    for side in range(2 if lacking > 0 else 1):
        start, before = float(lacking) if side == 0 else 0.0, -np.inf
        for c in range(m):
            if c == m - 1 and (lacking == 0 or side == 0):
                break
            at = ends[c] + start
            if at < least or n - at < least:
                continue
            time = 0.5 * math.log(at / (n - at))
            weight = some[c] * worth(height, hazard, (time - before) / some[c])
            before = time
            if lacking > 0:
                beside = np.inf if start == 0.0 else time - 0.5 * math.log((at - start) / (n - at + start))
                weight *= worth(height, hazard, beside)
            rows[found], weights[found] = min(at, n - at), weight
            found += 1
    return found


@jit
def ends_by_counting(codes, begin, end, counts, values, ends, some):
    """(rows that lack the value, how many values there are, as from `ends_of_values`) of codes in any order.

    counts: int32[codes of the column], zeroed. values: int64[MOST_ENDS + 1], room.
    """
    m = 0
    for r in range(begin, end):
        code = codes[r]
        if code > 0 and counts[code] == 0 and m <= MOST_ENDS:
            values[m] = code
            m += 1
        counts[code] += 1
    lacking = np.int64(counts[0])
    if m <= MOST_ENDS:
        put_in_order(values, 0, m)
        before = 0.0
        for k in range(m):
            before += counts[values[k]]
            ends[k], some[k] = before, 1.0
    for r in range(begin, end):
        counts[codes[r]] = 0
    return lacking, m


@jit
def chance_of_worth(tests, i, rows, weights, n_cuts, enough):
    """(-ln P(no cut is as good), or the sum of the probabilities where these are LOW) of node i; more than `enough`
    once it is more."""
    low, p = tests.p[i] < LOW, tests.p[i]
    inner, total = 0.0, 0.0
    for c in range(n_cuts):
        if rows[c] * tests.least[i] > EXPECTED:
            inner += weights[c]
    total += max(inner, 1e-9) * p if low else -inner * math.log1p(-min(p, 1.0 - 1e-12))
    for c in range(n_cuts):
        if total > enough:
            return total
        if rows[c] * tests.least[i] <= EXPECTED:
            beyond = tail(tests, i, rows[c])
            total += weights[c] * (beyond if low else -math.log1p(-min(beyond, 1.0 - 1e-12)))
    return total


@jit
def judge_large(tests, codes, first, n_codes, min_leaf, level, found):
    """`engine.significance.kernels.cut_tests.judge_cuts` of nodes with many rows or values, or far below the level.

    n_codes: how many codes the column has, 0 for missing included; the order of `codes` stays as it is.
    """
    ends, some, rows, weights = (
        np.empty(MOST_ENDS),
        np.empty(MOST_ENDS),
        np.empty(2 * MOST_ENDS),
        np.empty(2 * MOST_ENDS),
    )
    counts, values = np.zeros(n_codes, np.int32), np.empty(MOST_ENDS + 1, np.int64)
    for i in range(found.size):
        begin, end = first[i], first[i + 1]
        found[i] = YES
        if level >= 1.0:
            continue
        lacking, m = ends_by_counting(codes, begin, end, counts, values, ends, some)
        if m > MOST_ENDS:
            m = ends_of_many(end - begin - lacking, ends, some)
        most = level if tests.p[i] < LOW else -math.log1p(-level)
        n_cuts = weigh_cuts(ends, some, m, lacking, min_leaf, tests.height[i], tests.hazard[i], rows, weights)
        total = chance_of_worth(tests, i, rows, weights, n_cuts, most * (1.0 + NEAR))
        found[i] = NO if total > most * (1.0 + NEAR) else YES if total < most * (1.0 - NEAR) else OPEN


@jit
def judge_beside_missing(tests, weights, known, codes, first, n_codes, min_leaf, level, found):
    """The same of cuts with a branch of their own for missing rows: Σ weight · P(some cut of the others is as good) and
    `known` are compared, see `engine.significance.adjusted.beside_missing`.

    tests: of weights.size terms for each node. known: float64[m]. codes, first, n_codes: as for `judge_large`.
    """
    ends, some = np.empty(MOST_ENDS), np.empty(MOST_ENDS)
    rows, worths = np.empty(2 * MOST_ENDS), np.empty(2 * MOST_ENDS)
    counts, values = np.zeros(n_codes, np.int32), np.empty(MOST_ENDS + 1, np.int64)
    for i in range(found.size):
        lacking, m = ends_by_counting(codes, first[i], first[i + 1], counts, values, ends, some)
        present, total = first[i + 1] - first[i] - lacking, known[i]
        if m > MOST_ENDS:
            m = ends_of_many(present, ends, some)
        for t in range(weights.size):
            term, p = i * weights.size + t, 1.0
            if total > level * (1.0 + NEAR):
                break
            if present >= 3 and tests.p[term] < 1.0:
                n_cuts = weigh_cuts(ends, some, m, 0, min_leaf, tests.height[term], tests.hazard[term], rows, worths)
                p = chance_of_worth(tests, term, rows, worths, n_cuts, np.inf)
                if tests.p[term] >= LOW:
                    p = -math.expm1(-p)
            total += weights[t] * p
        found[i] = NO if total > level * (1.0 + NEAR) else YES if total < level * (1.0 - NEAR) else OPEN
