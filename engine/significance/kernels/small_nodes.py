"""Whether the splits of many small nodes are significant: the permutation tests of `permutation`, one after the other.

The nodes of a tree come in preorder and are tested from the last to the first: what stands above a significant split
is left out. The slow twin is `adjusted.Comparison`.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit
from engine.significance.kernels.permutation import (
    BY_COUNTS,
    BY_ROWS,
    EACH,
    EQUAL,
    Dealt,
    is_counted,
    most_deals,
    permute,
    seed_of,
    tail_of_hits,
)

LEFT_OUT, NO, YES = 0, 1, 2
AT_ONCE = 16  # deals


class Nodes(NamedTuple):
    """The nodes that are tested, in preorder, and their training rows, one node after the other.

    seeds: int64[m, 2], see `permutation.seed_of`. end: int64[m], how many of them come before the first that is not
    below. first: int64[m + 1], of rows.
    form: int64[m], own: bool[m], as in `permutation.permute`. share: float64[m], of the variance or Gini gain.
    codes: uint32[·], of rows; labels: int64[·], or numbers: float64[·]; sampling weights: float64[·], or empty.
    """

    seeds: np.ndarray
    end: np.ndarray
    first: np.ndarray
    form: np.ndarray
    own: np.ndarray
    share: np.ndarray
    codes: np.ndarray
    labels: np.ndarray
    numbers: np.ndarray
    weights: np.ndarray


@jit
def put_in_order(values):
    """Sorts (Shell)."""
    gap = 1
    while 3 * gap + 1 < values.size:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, values.size):
            value, j = values[i], i
            while j >= gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
        gap //= 3


@jit
def count_cells(codes, sizes):
    """Writes the rows of each value in order, then those that lack it; returns how many cells there are with these."""
    put_in_order(codes)
    lacking, cells = 0, 0
    for r in range(codes.size):
        if codes[r] == 0:
            lacking += 1
        elif r > 0 and codes[r - 1] == codes[r]:
            sizes[cells - 1] += 1
        else:
            sizes[cells] = 1
            cells += 1
    sizes[cells] = lacking
    return cells + 1


@jit
def renumber(labels):
    """Renumbers the classes that are there, in their order; returns the rows of each, int64[K]."""
    highest = 0
    for r in range(labels.size):
        highest = max(highest, labels[r])
    totals, place, k = np.zeros(highest + 1, np.int64), np.zeros(highest + 1, np.int64), 0
    for r in range(labels.size):
        totals[labels[r]] += 1
    for c in range(highest + 1):
        place[c] = k
        totals[k] = totals[c]
        k += totals[c] > 0
    for r in range(labels.size):
        labels[r] = place[labels[r]]
    return totals[:k].copy()


@jit
def centre_numbers(numbers, weights):
    """Measures the numbers from their mean; returns the sum of their squares, times the weights."""
    start, total, whole, squares = numbers[0], 0.0, 0.0, 0.0  # they may be close together and far from 0
    for r in range(numbers.size):
        w = weights[r] if weights.size else 1.0
        numbers[r] -= start
        total += w * numbers[r]
        whole += w
    for r in range(numbers.size):
        numbers[r] -= total / whole
        squares += (weights[r] if weights.size else 1.0) * numbers[r] * numbers[r]
    return squares


@jit
def chance_of_one(numbers, least):
    """P(a branch of one row explains as much); the numbers are measured from their mean."""
    found, n = 0, numbers.size
    for r in range(n):
        found += numbers[r] * numbers[r] * n / (n - 1.0) >= least * (1.0 - EQUAL)
    return found / n


@jit
def is_significant(form, own, min_leaf, share, hits, level, seeds, sizes, labels, numbers, weights):
    """Whether fewer than `hits` of hits ÷ level deals explain as much; the arguments are those of one node."""
    totals = renumber(labels) if labels.size else np.zeros(0, np.int64)
    k, n, lacking = sizes.size - 1, labels.size + numbers.size, sizes[sizes.size - 1]
    if k + (lacking > 0 and not own) <= 2 and not (own and lacking > 0):
        form = EACH
    smallest = min(sizes[0], n - sizes[0]) if form == EACH and k + (lacking > 0) == 2 and weights.size == 0 else 0
    if smallest > 0 and totals.size == 2:
        return tail_of_hits(smallest, totals[0], n, share) <= level
    if numbers.size:
        least = share * centre_numbers(numbers, weights)
        if smallest == 1:
            return chance_of_one(numbers, least) <= level
        if weights.size == 0:
            put_in_order(numbers)
    else:
        least = 0.0
        for r in range(n):
            least += share * (weights[r] if weights.size else 1.0)
        if weights.size == 0:
            put_in_order(labels)
    counted = labels.size > 0 and weights.size == 0 and is_counted(n, sizes.size, totals.size)
    how = BY_COUNTS if counted else BY_ROWS
    dealt, state = Dealt(labels, numbers, weights, totals), np.array([seed_of(seeds)])
    most, found, explained = most_deals(form, how, n, sizes.size, totals.size), 0, np.empty(AT_ONCE)
    left = min(most, math.ceil(hits / level) - 1)  # p is at most the level where the last hit comes later
    enough = left < most or (hits + 1) <= level * (most + 1)
    while left > 0 and found < hits:
        some = explained[: min(left, AT_ONCE)]
        permute(form, min_leaf, own, how, 0.0, sizes, dealt, state, some)
        for draw in range(some.size):
            found += some[draw] >= least * (1.0 - EQUAL)
        left -= some.size
    return found < hits and (enough or found + 1 <= level * (most + 1))


@jit
def judge_nodes(nodes, min_leaf, hits, level, found):
    """Fills found uint8[m] with YES where the p-value is at most `level`, NO where not; LEFT_OUT above a YES."""
    longest, lowest = 0, found.size
    for i in range(found.size):
        longest = max(longest, nodes.first[i + 1] - nodes.first[i])
    sizes = np.empty(longest + 1, np.int64)
    for i in range(found.size - 1, -1, -1):
        found[i] = LEFT_OUT
        if lowest < nodes.end[i]:
            continue
        a, b = nodes.first[i], nodes.first[i + 1]
        cells = count_cells(nodes.codes[a:b], sizes)
        labels = nodes.labels[a:b] if nodes.labels.size else nodes.labels
        numbers = nodes.numbers[a:b] if nodes.numbers.size else nodes.numbers
        weights = nodes.weights[a:b] if nodes.weights.size else nodes.weights
        own = nodes.own[i]
        significant = is_significant(
            nodes.form[i],
            own,
            min_leaf,
            nodes.share[i],
            hits,
            level,
            nodes.seeds[i],
            sizes[:cells],
            labels,
            numbers,
            weights,
        )
        found[i] = YES if significant else NO
        lowest = i if significant else lowest
