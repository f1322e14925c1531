"""Whether the best of all cuts of a column is significant, for many nodes at once: the sums of `significance.adjusted`.

The slow twin is `adjusted.chance_of_cuts` with the tails of `permutation_null`. What is looked for is no p-value but on
which side of the level it lies; so a sum ends as soon as it is beyond, and what comes too near the level is left open.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit

OPEN, NO, YES = 0, 1, 2
NEAR = 1e-9  # a share: sums that are as near to the level are left open, for they are not the twin's to the last digit
SPARE = 1.15  # as in `engine.significance.adjusted`
EXPECTED = 10.0  # as in `engine.search.permutation_null`


class Tests(NamedTuple):
    """What is known of the test of each node's split.

    rows: int64[n], training rows, whether or not they have the value. statistic: float64[n], X². p: float64[n], as if
    it were the only one. height, hazard: float64[n], the X² up to which cuts are as far apart as they are, and
    f(X²) ÷ P(χ² ≥ X²) there. classes: float64[n], how many classes there are; first, least, rare: float64[n], rows of
    the first of them (a whole number, not all), the smallest share, and Σ 1 ÷ share.
    """

    rows: np.ndarray
    statistic: np.ndarray
    p: np.ndarray
    height: np.ndarray
    hazard: np.ndarray
    classes: np.ndarray
    first: np.ndarray
    least: np.ndarray
    rare: np.ndarray


@jit
def read_nodes(codes, part, train, rows, start, stop, nodes, first, found):
    """The codes of the training rows of some nodes, one node after the other, into `found`; first: int64[m + 1],
    written: where each begins."""
    n = 0
    for k in range(nodes.size):
        first[k] = n
        for r in range(start[nodes[k]], stop[nodes[k]]):
            row = rows[r]
            if part[row] == train:
                found[n] = codes[row]
                n += 1
    first[nodes.size] = n


@jit
def put_in_order(values, begin, end):
    """Sorts values[begin:end] (Shell)."""
    gap = 1
    while 3 * gap + 1 < end - begin:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(begin + gap, end):
            value, j = values[i], i
            while j >= begin + gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
        gap //= 3


@jit
def worth(x, hazard, step):
    """How many independent cuts a step is worth, see `engine.significance.adjusted`."""
    d = min(max(step, 1e-18), 1e6)
    u = math.sqrt(2.0 * x * d)
    below = 0.5 * math.erfc(-u / (2.0 * math.sqrt(2.0)))
    nu = (2.0 / u) * (below - 0.5) / (u / 2.0 * below + math.exp(-u * u / 8.0) / math.sqrt(2.0 * math.pi))
    return min(SPARE * 2.0 * x * hazard * d * nu, 1.0)


@jit
def at_most(hits, of, n, rows):
    """P(at most so many hits among `rows` of n rows, `of` of which are hits), by the nearest binomial law."""
    hits = math.floor(hits)
    if hits < 0.0 or hits < rows + of - n:
        return 0.0
    p = min(max((2.0 * of - hits) / (2.0 * n - rows + 1.0), 0.0), 1.0)
    hits = min(hits, rows - 1.0)
    if p <= 0.0 or p >= 1.0:
        return 1.0 - p
    term = math.exp(
        math.lgamma(rows + 1.0) - math.lgamma(hits + 1.0) - math.lgamma(rows - hits + 1.0)
        + hits * math.log(p) + (rows - hits) * math.log1p(-p)
    )  # fmt: skip
    total = 0.0
    while hits >= 0.0:
        total += term
        fewer = term * hits / (rows - hits + 1.0) * (1.0 - p) / p
        if fewer < term and fewer < 1e-17 * total:
            break
        term = fewer
        hits -= 1.0
    return min(total, 1.0)


@jit
def beyond_gamma(a, z):
    """P(a gamma variable of shape a exceeds z): by the series below its middle, by Lentz's continued fraction above."""
    if z <= 0.0:
        return 1.0
    scale = math.exp(a * math.log(z) - z - math.lgamma(a))
    if z < a + 1.0:
        term, total, k = 1.0 / a, 1.0 / a, a
        while term > 1e-17 * total:
            k += 1.0
            term *= z / k
            total += term
        return max(1.0 - scale * total, 0.0)
    c, d = 1e300, 1.0 / (z + 1.0 - a)
    value = d
    for i in range(1, 10_000):
        step, part = z + 2.0 * i + 1.0 - a, -i * (i - a)
        d = 1.0 / (part * d + step)
        c = step + part / c
        value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return scale * value


@jit
def tail(tests, i, rows):
    """P(at least what was found) of one branch of so many rows, see `engine.search.permutation_null.Deal.tails`."""
    n, k = float(tests.rows[i]), tests.classes[i]
    if k == 2.0:
        some = tests.first[i]
        q, x = some / n, tests.statistic[i] * (n - 1.0) / max(n, 1.0)
        apart = math.sqrt(x * rows * (n - rows) * q * (1.0 - q) / (n - 1.0)) * (1.0 - 1e-9)
        return at_most(rows * q - apart, some, n, rows) + at_most(rows * (1.0 - q) - apart, n - some, n, rows)
    variance = 2.0 * (k - 1.0) + max(tests.rare[i] - k * k - 2.0 * k + 2.0, 0.0) / rows
    return beyond_gamma((k - 1.0) ** 2 / variance, tests.statistic[i] * (k - 1.0) / variance)


@jit
def sum_of_cuts(tests, i, codes, begin, end, min_leaf, enough):
    """-ln P(no cut is as good) of node i with the ordered codes[begin:end], or more than `enough` once it is more."""
    present, total, normal = begin, 0.0, -math.log1p(-min(tests.p[i], 1.0 - 1e-12))
    while present < end and codes[present] == 0:
        present += 1
    lacking, n = float(present - begin), float(end - begin)
    for side in range(2 if lacking > 0.0 else 1):
        start, before = lacking if side == 0 else 0.0, -np.inf
        for r in range(present, end):
            last = r == end - 1
            if not last and codes[r + 1] == codes[r]:
                continue
            if last and (lacking == 0.0 or side == 0):
                break
            at = float(r + 1 - present) + start
            if at < min_leaf or n - at < min_leaf:
                continue
            time = 0.5 * math.log(at / (n - at))
            weight = worth(tests.height[i], tests.hazard[i], time - before)
            before = time
            if lacking > 0.0:
                beside = np.inf if start == 0.0 else time - 0.5 * math.log((at - start) / (n - at + start))
                weight *= worth(tests.height[i], tests.hazard[i], beside)
            rows = min(at, n - at)
            if rows * tests.least[i] <= EXPECTED:
                total -= weight * math.log1p(-min(tail(tests, i, rows), 1.0 - 1e-12))
            else:
                total += weight * normal
            if total > enough:
                return total
    return total


@jit
def judge_cuts(tests, nodes, codes, first, min_leaf, most_values, level, found):
    """Fills found uint8[m] with YES where P(some cut is as good) is at most `level`, NO where it is not.

    Args:
        nodes: int64[m]. codes, first: as from `read_nodes`; they are put in order.
        most_values: nodes with more values are left open.
    """
    most = -math.log1p(-level) if level < 1.0 else np.inf
    for k in range(nodes.size):
        begin, end = first[k], first[k + 1]
        put_in_order(codes, begin, end)
        values = 0
        for r in range(begin, end):
            values += codes[r] > 0 and (r == begin or codes[r - 1] != codes[r])
        found[k] = OPEN
        if values <= most_values:
            total = sum_of_cuts(tests, nodes[k], codes, begin, end, min_leaf, most * (1.0 + NEAR))
            if total > most * (1.0 + NEAR):
                found[k] = NO
            elif total < most * (1.0 - NEAR):
                found[k] = YES
