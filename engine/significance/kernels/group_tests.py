"""Whether the best two groups of levels are significant, for many nodes at once: two classes or a numeric target.

The slow twin is `groupings`. It deals the target out anew some hundred times with one seed, so the deals of all
nodes with as many rows are the same permutations of places, and are made once (`group_permutations`):

    deal       2 0 1 3        places 0..n - 1; of two classes the first `cut` places are of the first
    sizes      1 3            rows of each level, one after the other

Deals end as soon as enough of them are better than what was found, or bound the fitted chance from below. What comes
too near the level stays open.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit
from engine.significance.kernels.beta import beyond_beta
from engine.significance.kernels.cut_tests import EXPECTED, NO, OPEN, YES, put_in_order, tail
from engine.significance.kernels.group_permutations import (
    LANES,
    best_groups,
    deal_classes,
    deal_normal,
    deal_numbers,
    make_drawn,
    two_groups,
)
from engine.significance.kernels.number_tests import make_room, standardise, sum_of_sides

NEAR = 1e-7  # a share: chances that are as near to the level are left open
FEW_ROWS, STEPS, STEADY = 40, 1.15, 1e-9  # as in `engine.significance.groupings`
EQUAL = 1e-9  # as in `engine.significance.groupings`
ON_LEVEL = 1e-14  # a share: a counted chance that is as near to the level is the short decimal that the level is
GRID = 32  # of the explained share, at whose places the chance is tabled for the bound
WORTH_BOUNDING = 100  # draws
HOPE = 0.7  # of the hits that it takes, with fewer so far it is left to the best groups themselves


class GroupTests(NamedTuple):
    """What is known of the test of each node's split.

    cut: int64[n], rows of the first of two classes; root: float64[n], the deviation of their indicator. flatness:
    float64[n], Σd⁴ of the target with Σd² = 1. begin, end: int64[n], the places of the node's levels among all sizes;
    start: int64[n], of its first number.

    What is compared is Σ weight · P(the best two groups explain at least this share) + known, of the terms
    terms[i]..terms[i + 1] - 1 of node i. terms: int64[n + 1]; known: float64[n]; share, weight: float64[·]; least,
    most: float64[·], between which such a chance is for other reasons.
    """

    cut: np.ndarray
    root: np.ndarray
    flatness: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    start: np.ndarray
    known: np.ndarray
    terms: np.ndarray
    share: np.ndarray
    weight: np.ndarray
    least: np.ndarray
    most: np.ndarray


@jit
def count_levels(codes, first, counts, pool, with_missing, sizes, begin, missing):
    """Counts the levels of some nodes: the rows of each that is there in the order of the codes, then those of all that
    have fewer than `pool`, and last, where they are counted, those that lack the value.

    Args:
        codes, first: as from `significance.kernels.cut_tests.read_nodes`. counts: int64[codes of the column], zeroed.
        sizes: int64[≥ rows], begin: int64[m + 1], written: sizes[begin[k]]..sizes[begin[k + 1] - 1] are of node k.
        missing: int64[m], written: how many of them lack the value; 0 where those are not counted.
    """
    n = 0
    for k in range(begin.size - 1):
        begin[k] = n
        for r in range(first[k], first[k + 1]):
            counts[codes[r]] += 1
        lacking, pooled = counts[0] if with_missing else 0, 0
        counts[0], missing[k] = 0, lacking
        for code in range(counts.size):
            if counts[code] >= max(pool, 1):
                sizes[n] = counts[code]
                n += 1
            else:
                pooled += counts[code]
            counts[code] = 0
        if pooled > 0:
            sizes[n] = pooled
            n += 1
        if lacking > 0:
            sizes[n] = lacking
            n += 1
    begin[begin.size - 1] = n


@jit
def alone_of_classes(tests, sizes, begin, missing, each, above):
    """Writes the chance that some one level against all others explains as much, above float64[m]: `groupings`
    adds up those of all levels where one is rare, and where `each` stands against the rest, also together with the
    missing rows. Of two levels it is that of the smaller.

    tests: `engine.significance.kernels.cut_tests.Tests` of the m nodes. missing: as from `count_levels`.
    """
    for i in range(above.size):
        n, few = 0, False
        for j in range(begin[i], begin[i + 1]):
            n += sizes[j]
        smallest = n
        for j in range(begin[i], begin[i + 1]):
            smallest = min(smallest, sizes[j], n - sizes[j])
        few = smallest * tests.least[i] <= EXPECTED
        above[i] = 0.0
        if begin[i + 1] - begin[i] < 3:
            above[i] = tail(tests, i, float(smallest)) if few else tests.p[i]
        elif few or each:
            for j in range(begin[i], begin[i + 1]):
                rows = min(sizes[j], n - sizes[j])
                many = each and rows * tests.least[i] > EXPECTED
                above[i] += tests.p[i] if many else tail(tests, i, float(rows))
            for j in range(begin[i], begin[i] + n_joined(begin, missing, i) if each else begin[i]):
                rows = min(sizes[j] + missing[i], n - sizes[j] - missing[i])
                above[i] += tests.p[i] if rows * tests.least[i] > EXPECTED else tail(tests, i, float(rows))


@jit
def n_joined(begin, missing, i):
    """How many levels of a node stand against the rest together with the missing rows, too, and are no other's rest."""
    n_levels = begin[i + 1] - begin[i] - 1
    return n_levels if missing[i] > 0 and n_levels > 2 else 0


@jit
def alone_of_numbers(tests, branches, tilts, numbers, first, sizes, begin, missing, each, level, above):
    """The same of a numeric target, NaN where it is not known; more than `level` where it is more.

    tests: `significance.kernels.number_tests.NumberTests`. numbers, first: the targets of each node, put in order.
    """
    room = make_room(branches, tilts)
    for i in range(above.size):
        n, few = first[i + 1] - first[i], room.by_side.size - 1
        smallest, two = n, begin[i + 1] - begin[i] < 3
        room.by_side[:] = 0.0
        for j in range(begin[i], begin[i + 1]):
            rows = min(sizes[j], n - sizes[j])
            smallest = min(smallest, rows)
            many = 0 if each else few  # they have the normal law, or the tail of the largest of the small ones
            room.by_side[rows if rows <= few else many] += 0.0 if two else 1.0
        for j in range(begin[i], begin[i] + n_joined(begin, missing, i) if each else begin[i]):
            rows = min(sizes[j] + missing[i], n - sizes[j] - missing[i])
            room.by_side[rows if rows <= few else 0] += 1.0
        if smallest > few and (two or not each):
            above[i] = math.exp(tests.log_p[i]) if two else 0.0
            continue
        if two:
            room.by_side[smallest] = 1.0
        above[i] = sum_of_sides(tests, i, numbers, first[i], first[i + 1], room, level, True)


@jit
def read_in_order(part, train, y, rows, start, stop, nodes, first, numbers, flatness):
    """Writes the numbers of the training rows of some nodes, each in the order of the table, with mean 0 and variance
    1; flatness float64[m]: their Σd⁴ with Σd² = 1. first: as from `engine.significance.kernels.cut_tests.read_nodes`.
    """
    room = np.empty(max_size(first), np.int64)
    for k in range(nodes.size):
        n = 0
        for r in range(start[nodes[k]], stop[nodes[k]]):
            if part[rows[r]] == train:
                room[n] = rows[r]
                n += 1
        put_in_order(room, 0, n)
        for r in range(n):
            numbers[first[k] + r] = y[room[r]]
        standardise(numbers, first[k], first[k] + n)
        fourth = 0.0
        for r in range(first[k], first[k] + n):
            fourth += numbers[r] ** 4
        flatness[k] = fourth / (float(n) * n)


@jit
def max_size(first):
    """The most rows of a node."""
    most = 0
    for k in range(first.size - 1):
        most = max(most, first[k + 1] - first[k])
    return most


@jit
def variance_of_share(sizes, n, flatness):
    """`engine.significance.groupings._variance_of_share`."""
    if n < 4:
        return 1.0 / 12.0
    s4, s22 = flatness, 1.0 - flatness
    s31, s211 = -s4, s4 - s22
    pairs, triples = n * (n - 1.0), n * (n - 1.0) * (n - 2.0)
    e4, e31, e22, e211, e1111 = s4 / n, s31 / pairs, s22 / pairs, s211 / triples, -3.0 * s211 / (triples * (n - 3.0))
    own, total, squares, k = 0.0, 0.0, 0.0, sizes.size
    for j in range(k):
        w = float(sizes[j])
        v = w * (w - 1.0)
        fourth = w * e4 + 4 * v * e31 + 3 * v * e22 + 6 * v * (w - 2) * e211 + v * (w - 2) * (w - 3) * e1111
        own += fourth / (w * w)
        total += w - 1.0
        squares += (w - 1.0) * (w - 1.0)
    across = k * (k - 1.0) * e22 + 2.0 * (k - 1.0) * total * e211 + (total * total - squares) * e1111
    mean = (k - 1.0) / (n - 1.0)
    return max(own + across - mean * mean, 1e-12)


@jit
def deal_out(deals, batch, sizes, tests, i, numbers, drawn):
    """Writes the sums of the levels in some deals, in units of one standard deviation of the target."""
    if deals.normal.size:
        deal_normal(deals, batch, sizes, drawn)
    elif numbers.size:
        deal_numbers(deals, batch, sizes, numbers, tests.start[i], drawn)
    else:
        deal_classes(deals, batch, sizes, tests.cut[i], tests.root[i], drawn)


@jit
def fill_table(a, b, table):
    """Tables P(a beta variable exceeds x) at x = 0, 1 ÷ GRID … 1."""
    for g in range(GRID + 1):
        table[g] = beyond_beta(a, b, g / GRID)


@jit
def at_least(share, whole, best, table):
    """What a draw adds to the fitted chance at the least, whatever power is fitted: from ⅔ to 1."""
    whole = max(whole, 1e-12)
    raised = share * (1.0 + EQUAL) / min(max(best / whole, 1e-6), 1.0)
    raised = max(raised, np.cbrt(raised * raised * whole))
    place = math.ceil(raised * GRID * (1.0 + 1e-9))
    return table[np.int64(place)] if place <= GRID else 0.0


@jit
def between(chance, tests, term):
    """What a chance of one term is for all reasons."""
    return max(min(chance, tests.most[term]), tests.least[term])


@jit
def fit(n_draws, whole, part, factors):
    """Writes the ordered factors of `groupings._BestGroups._fitted` and returns the power; part: the best two
    groups of each deal. Both are written over."""
    along, across, squares, product = 0.0, 0.0, 0.0, 0.0
    for t in range(n_draws):
        explained = max(whole[t], 1e-12)
        whole[t], part[t] = math.log(explained), math.log(min(max(part[t] / explained, 1e-6), 1.0))
        along += whole[t]
        across += part[t]
    along /= n_draws
    across /= n_draws
    for t in range(n_draws):
        squares += (whole[t] - along) ** 2
        product += (whole[t] - along) * part[t]
    slope = product / squares if squares / n_draws > STEADY else 0.0
    power = 1.0 / (1.0 + min(max(slope, 0.0), 0.5))
    for t in range(n_draws):
        factors[t] = math.exp(power * (whole[t] * (1.0 / power - 1.0) - part[t]))
    put_in_order(factors, 0, n_draws)
    return power


@jit
def fitted(share, power, law, n_draws, blocks, factors):
    """P(the best two groups explain at least this share), see `engine.significance.groupings._BestGroups._fitted`."""
    scale, p = (share * (1.0 + EQUAL)) ** power, 0.0
    for block in range(blocks.size - 1):
        factor, count = 0.0, blocks[block + 1] - blocks[block]
        for t in range(blocks[block], blocks[block + 1]):
            factor += factors[t]
        p += beyond_beta(law[0], law[1], min(scale * factor / count, 1.0)) * count / n_draws
    return -math.expm1(STEPS * math.log1p(-min(p, 1.0 - 1e-12)))


@jit
def clear(sums, tests, i):
    """Sets the sums of the terms of node i to 0."""
    for term in range(tests.terms[i + 1] - tests.terms[i]):
        sums[term] = 0.0


@jit
def add_sure(tests, i, batch, blocks, bounded, whole, best, table, sums):
    """Adds what the deals of a batch say, and returns what is compared of node i at the least.

    best: float64[draws], of each deal the share that some two groups explain, not always the best. bounded: whether
    the fitted chance is bounded; else the deals that are as good are counted.
    """
    n_draws, first, sure = blocks[-1], tests.terms[i], tests.known[i]
    small = (n_draws - blocks[6]) // (blocks.size - 7)
    for term in range(first, tests.terms[i + 1]):
        share, found = tests.share[term], 0.0
        for t in range(batch * LANES, min(batch * LANES + LANES, n_draws)):
            if bounded:
                found += at_least(share, whole[t], best[t], table)
            else:
                found += best[t] >= share * (1.0 - EQUAL)
        sums[term - first] += found
        # of a block the mean factor counts, which is at most any in the next block: so the first large one is left
        # out, and no block is more than one larger than another
        chance = sums[term - first] / n_draws
        if bounded:
            chance = (sums[term - first] - small - 1.0) / n_draws * small / (small + 1.0)
        sure += tests.weight[term] * between(chance, tests, term)
    return sure


@jit
def total_chance(tests, i, law, blocks, whole, best, factors, sums):
    """What is compared of node i. sums: float64[terms], in how many deals the best two groups are as good."""
    n_draws, first, total = blocks[-1], tests.terms[i], tests.known[i]
    power = fit(n_draws, whole, best, factors)
    for term in range(first, tests.terms[i + 1]):
        p = fitted(tests.share[term], power, law, n_draws, blocks, factors)
        total += tests.weight[term] * between(max(p, sums[term - first] / n_draws), tests, term)
    return total


@jit
def is_beyond(tests, i, sizes, n, numbers, deals, drawn, table, law, sums, enough):
    """Whether what is compared is more than `enough` for certain, by two groups of each deal that are not always the
    best.

    law: (a, b) of the beta variable that all levels explain. sums: float64[terms], room.
    """
    n_draws, bounded = deals.blocks[-1], n > FEW_ROWS
    if bounded and n_draws < WORTH_BOUNDING:
        return False
    if bounded:
        fill_table(law[0], law[1], table)
    clear(sums, tests, i)
    for batch in range(n_draws // LANES):
        deal_out(deals, batch, sizes, tests, i, numbers, drawn)
        two_groups(batch, sizes, n, drawn)
        sure = add_sure(tests, i, batch, deals.blocks, bounded, drawn.whole, drawn.best, table, sums)
        if sure > enough:
            return True
        if not bounded and sure < HOPE * enough * (batch + 1) * LANES / n_draws:
            return False
    return False


@jit
def chance_of_best(tests, i, sizes, numbers, deals, drawn, table, sums, enough):
    """What is compared of node i, or more than `enough` once it is certain to be."""
    n = 0
    for j in range(sizes.size):
        n += sizes[j]
    mean = (sizes.size - 1.0) / (n - 1.0)
    ratio = max(mean * (1.0 - mean) / max(variance_of_share(sizes, n, tests.flatness[i]), 1e-300) - 1.0, 1e-6)
    law = mean * ratio, (1.0 - mean) * ratio
    if is_beyond(tests, i, sizes, n, numbers, deals, drawn, table, law, sums, enough):
        return 2.0 * enough
    clear(sums, tests, i)
    for batch in range(drawn.whole.size // LANES):
        deal_out(deals, batch, sizes, tests, i, numbers, drawn)
        two_groups(batch, sizes, n, drawn)
        best_groups(batch, sizes, n, drawn)
        if n > FEW_ROWS:
            continue
        if add_sure(tests, i, batch, deals.blocks, False, drawn.whole, drawn.best, table, sums) > enough:
            return 2.0 * enough
    return total_chance(tests, i, law, deals.blocks, drawn.whole, drawn.best, drawn.factors, sums)


@jit
def verdict(tests, i, p, n_draws, sums, level):
    """YES, NO or OPEN for node i by what is compared; where one chance was counted it may lie on the level itself.

    sums: as `total_chance` left them."""
    if p > level * (1.0 + NEAR):
        return NO
    one = tests.terms[i + 1] - tests.terms[i] == 1 and tests.weight[tests.terms[i]] == 1.0
    counted = one and sums[0] / n_draws == p and abs(p - level) <= ON_LEVEL * level
    return YES if counted or p < level * (1.0 - NEAR) else OPEN


@jit
def judge_groups(tests, sizes, numbers, deals, level, found):
    """Fills found uint8[m] with YES where what is compared is at most `level`, NO where not.

    Args:
        tests: of m nodes with as many rows, or, for normal deals, levels. sizes: int64[·], rows of levels. numbers:
            float64[·], the targets of their rows with mean 0 and variance 1; empty for classes.
    """
    levels, terms = 1, 1
    for i in range(found.size):
        levels, terms = max(levels, tests.end[i] - tests.begin[i]), max(terms, tests.terms[i + 1] - tests.terms[i])
    drawn, table, sums = make_drawn(deals.blocks[-1], levels), np.empty(GRID + 1), np.empty(terms)
    for i in range(found.size):
        own = sizes[tests.begin[i] : tests.end[i]]
        p = chance_of_best(tests, i, own, numbers, deals, drawn, table, sums, level * (1.0 + NEAR))
        found[i] = verdict(tests, i, p, deals.blocks[-1], sums, level)
