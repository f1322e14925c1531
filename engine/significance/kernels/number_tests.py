"""Whether the best of all cuts of a column is significant for a numeric target, for many nodes at once.

The slow twins are `adjusted.chance_of_cuts` and `permutation_null.Deal`, whose words are used here. A branch of up to
FEW rows has a tail of its own, from the sum of so many rows drawn from the node:

    branch of    1          2          3, 4, 6, 8 … 64 rows              in between
    tail         counted    counted    saddlepoints at some of TILTS     interpolated

What takes long is left until it is needed: on which side of the level a test lies is often certain after large
branches, whose tilts are small; a saddlepoint is looked for only as far as the sum has to go. What comes too near the
level, or hangs on which of two equal numbers comes first, stays open.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit
from engine.significance.kernels.cut_tests import NO, OPEN, YES, put_in_order
from engine.significance.kernels.many_cuts import MOST_ENDS, count_missing, ends_of_many, ends_of_values, weigh_cuts

NEAR = 1e-7  # a share: sums that are as near to the level are left open
FEW, FARTHEST, BETWEEN = 64, 128, 512  # as in `engine.search.permutation_null`
NOTHING, LEAST = 1e-290, 1e-300  # as there
LOW = -30.0  # ln p under which `engine.significance.adjusted` adds probabilities instead of logarithms of what is left
INSIDE = 20.0  # standard deviations up to which the normal tail comes from erfc
AMBIGUOUS = 1e-9  # distances that differ by less may change places by rounding


class NumberTests(NamedTuple):
    """What is known of the test of each node's split.

    x: float64[n], (n - 1) times the explained share. log_p: float64[n], as if it were the only one. level: float64[n],
    the x with that p-value by the normal law. height, hazard: float64[n], as in `significance.kernels.cut_tests.Tests`.
    """

    x: np.ndarray
    log_p: np.ndarray
    level: np.ndarray
    height: np.ndarray
    hazard: np.ndarray


class Room(NamedTuple):
    """What the test of one node writes into, and the tables of `engine.search.permutation_null`.

    branches: float64[R], rows of the branches that saddlepoints are for, 2, 3, … FEW. tilts: float64[T], ascending.
    ends, some, rows, worth: as in `many_cuts`. by_side: float64[FEW + 1], what the cuts are worth whose
    smaller branch has so many rows; entry 0 is of all others. d, weights: float64[FARTHEST + BETWEEN], the points, with
    mean 0 and variance 1. mean, gap, spread: float64[2, T], of the tilts to the right and to the left; known: int64[2],
    how many are made. log_sums: float64[R], logarithms of the chances of sums.
    """

    branches: np.ndarray
    tilts: np.ndarray
    ends: np.ndarray
    some: np.ndarray
    rows: np.ndarray
    worth: np.ndarray
    by_side: np.ndarray
    d: np.ndarray
    weights: np.ndarray
    mean: np.ndarray
    gap: np.ndarray
    spread: np.ndarray
    known: np.ndarray
    log_sums: np.ndarray


@jit
def read_targets(part, train, y, rows, start, stop, nodes, numbers):
    """The numbers of the training rows of some nodes, one node after the other, as `read_nodes` reads the codes."""
    n = 0
    for k in range(nodes.size):
        for r in range(start[nodes[k]], stop[nodes[k]]):
            if part[rows[r]] == train:
                numbers[n] = y[rows[r]]
                n += 1


@jit
def add_by_side(tests, i, m, lacking, min_leaf, room):
    """Adds up what cuts with so many rows on the smaller side are worth."""
    cuts = weigh_cuts(
        room.ends, room.some, m, lacking, min_leaf, tests.height[i], tests.hazard[i], room.rows, room.worth
    )
    for rows in range(FEW + 1):
        room.by_side[rows] = 0.0
    for c in range(cuts):
        rows = np.int64(room.rows[c])
        room.by_side[rows if rows <= FEW else 0] += room.worth[c]


@jit
def standardise(numbers, begin, end):
    """Gives numbers[begin:end] mean 0 and variance 1. They may be close together and far from 0, so they are measured
    from one of them first: their mean itself would be rounded."""
    n, start, total, squares = end - begin, numbers[begin], 0.0, 0.0
    for r in range(begin, end):
        numbers[r] -= start
        total += numbers[r]
    mean = total / n
    for r in range(begin, end):
        numbers[r] -= mean
        squares += numbers[r] * numbers[r]
    scale = max(math.sqrt(squares / n), LEAST)
    for r in range(begin, end):
        numbers[r] /= scale


@jit
def choose_points(d, begin, end, room):
    """Writes the points of the ordered distances d[begin:end]: many but the farthest are taken in blocks.

    Returns:
        How many there are; 0 where it is not certain which are the farthest.
    """
    n = end - begin
    if n <= FARTHEST + BETWEEN:
        for k in range(n):
            room.d[k], room.weights[k] = d[begin + k], 1.0 / n
        return n
    low, high = begin, end - 1
    for _ in range(FARTHEST):
        if -d[low] > d[high]:
            low += 1
        else:
            high -= 1
    if low > begin and -d[low - 1] - d[high] <= AMBIGUOUS:
        return 0
    if high < end - 1 and d[high + 1] + d[low] <= AMBIGUOUS:
        return 0
    step, n_points = (n - FARTHEST + BETWEEN - 1) // BETWEEN, 0
    rest = (n - FARTHEST + step - 1) // step
    for r in range(begin, end):
        if low <= r <= high and (r - low) % step > 0:
            continue
        room.d[n_points] = d[r]
        room.weights[n_points] = (n - FARTHEST) / (rest * float(n)) if low <= r <= high else 1.0 / n
        n_points += 1
    return n_points


@jit
def single_tail(d, begin, end, x):
    """P(one row goes as far)."""
    far, hits = math.sqrt(x) * (1.0 - 1e-9), 0
    for r in range(begin, end):
        hits += abs(d[r]) >= far
    return hits / float(end - begin)


@jit
def pair_tail(d, weights, m, n, x):
    """P(two rows go as far), of ordered points; n: rows of the node."""
    far = math.sqrt(2.0 * x * max(n - 2.0, 0.0) / (n - 1.0)) * (1.0 - 1e-9)
    total, twice, above, k = 0.0, 0.0, 0.0, m
    for i in range(m):  # the larger d, the more others are far enough
        while k > 0 and d[k - 1] >= far - d[i]:
            k -= 1
            above += weights[k]
        total += weights[i] * above
    below, k = 0.0, 0
    for i in range(m - 1, -1, -1):
        while k < m and d[k] <= -far - d[i]:
            below += weights[k]
            k += 1
        total += weights[i] * below
        if 2.0 * abs(d[i]) >= far:
            twice += weights[i]
    single = 1.0 / n
    return max(total - twice / n, 0.0) / max(1.0 - single, single)


@jit
def log_normal_tail(w):
    """ln P(a standard normal variable exceeds w), w ≥ 0."""
    if w < INSIDE:
        return math.log(0.5 * math.erfc(w / math.sqrt(2.0)))
    v = 1.0 / (w * w)
    series = 1.0 - v * (1.0 - 3.0 * v * (1.0 - 5.0 * v * (1.0 - 7.0 * v * (1.0 - 9.0 * v))))
    return -0.5 * w * w - math.log(w) - 0.5 * math.log(2.0 * math.pi) + math.log(series)


@jit
def tilt(room, m, sign, t, amount):
    """Makes tilt t of one side: mean and spread of the tilted points, and how far they stand out."""
    d, weights = room.d, room.weights
    toward = 1.0 - 2.0 * sign
    top = d[m - 1] if sign == 0 else -d[0]
    total, first, second = 0.0, 0.0, 0.0
    for k in range(m):
        below = toward * d[k] - top  # measured from the farthest, near which a large tilt leaves them
        share = math.exp(amount * below) * weights[k]
        total += share
        first += share * below
        second += share * below * below
    below = first / total
    room.mean[sign, t] = max(below + top, room.mean[sign, t - 1] if t > 0 else 0.0)
    room.gap[sign, t] = max(amount * below - math.log(total), 1e-12)
    room.spread[sign, t] = max(second / total - below * below, 1e-12)


@jit
def log_tail_of_tilt(room, sign, t, rows):
    """ln P(a sum of so many rows goes as far as the tilt leads)."""
    w, u = math.sqrt(2.0 * rows * room.gap[sign, t]), room.tilts[t] * math.sqrt(rows * room.spread[sign, t])
    normal = log_normal_tail(w)
    p = math.exp(normal) + math.exp(-0.5 * w * w) / math.sqrt(2.0 * math.pi) * (1.0 / u - 1.0 / w)
    return min(max(math.log(max(p, LEAST)), normal - 1.0), -0.5 * w * w)


@jit
def least_up_to(room, sign, t, rows):
    """The least of `log_tail_of_tilt` of the tilts 0..t, and ln ½; a smaller tilt can say less by a little only."""
    least = math.log(0.5)
    for s in range(t, -1, -1):
        w2 = 2.0 * rows * room.gap[sign, s]
        if s < t and -0.5 * w2 - 1.92 - math.log1p(math.sqrt(w2)) > least:
            break
        least = min(least, log_tail_of_tilt(room, sign, s, rows))
    return least


@jit
def saddle_tail(room, m, sign, rows, far):
    """P(a sum of so many rows goes as far as `far` standard deviations of it), to one side."""
    goal = far / math.sqrt(rows)
    farthest = (room.d[m - 1] if sign == 0 else -room.d[0]) * (1.0 + 1e-9)
    if far > math.sqrt(rows) * farthest:
        return 0.0
    t = 0
    while t < room.tilts.size:
        if t == room.known[sign]:
            tilt(room, m, sign, t, room.tilts[t])
            room.known[sign] = t + 1
        if room.mean[sign, t] > goal:
            break
        t += 1
    if t == room.tilts.size:
        return math.exp(least_up_to(room, sign, t - 1, rows))
    before = room.mean[sign, t - 1] if t > 0 else 0.0
    low = least_up_to(room, sign, t - 1, rows) if t > 0 else math.log(0.5)
    high = min(low, log_tail_of_tilt(room, sign, t, rows))
    return math.exp(low + (high - low) / (room.mean[sign, t] - before) * (goal - before))


@jit
def log_sum(room, m, n, tests, i, b):
    """ln P(the sum of branches[b] rows goes as far as it has to)."""
    rows = room.branches[b]
    far = math.sqrt(tests.x[i] + (tests.level[i] - tests.x[i]) * min(2.0 * rows / n, 1.0))
    both = saddle_tail(room, m, 0, rows, far) + saddle_tail(room, m, 1, rows, far)
    return math.log(max(both, LEAST))


@jit
def added(weight, tail, low):
    """What cuts of this worth add to the sum; low: whether probabilities are added."""
    return weight * tail if low else -weight * math.log1p(-min(tail, 1.0 - 1e-12))


@jit
def sum_of_sides(tests, i, numbers, begin, end, room, enough, low):
    """-ln P(no cut is as good), or the sum of the probabilities, of node i from `by_side`; more than `enough` once it
    is more; NaN where it is not certain which points are the farthest. Puts the numbers in order."""
    by_side, n = room.by_side, float(end - begin)
    inner = max(by_side[0], 1e-9) if low else by_side[0]
    total = added(inner, math.exp(tests.log_p[i]), low)
    largest = FEW
    while largest > 0 and by_side[largest] == 0.0:
        largest -= 1
    if total > enough or largest == 0:
        return total
    standardise(numbers, begin, end)
    if by_side[1] > 0.0:
        total += added(by_side[1], single_tail(numbers, begin, end, tests.x[i]), low)
    if total > enough or largest == 1:
        return total
    put_in_order(numbers, begin, end)
    m = choose_points(numbers, begin, end, room)
    if m == 0:
        return np.nan
    pairs = pair_tail(room.d, room.weights, m, n, tests.x[i])
    total += added(by_side[2], min(pairs, 1.0), low)
    room.log_sums[0], room.known[0], room.known[1] = math.log(max(pairs, LEAST)), 0, 0
    if total > enough or largest == 2:
        return total
    b = 1
    while b < room.branches.size - 1 and room.branches[b] < largest:
        b += 1
    room.log_sums[b] = log_sum(room, m, n, tests, i, b)
    while b > 0 and total <= enough:
        if b > 1:
            room.log_sums[b - 1] = log_sum(room, m, n, tests, i, b - 1)
        total += sum_between(room, b, low)
        b -= 1
    return total


@jit
def sum_between(room, b, low):
    """What branches add that are larger than branches[b - 1], up to branches[b]."""
    below, above = np.int64(room.branches[b - 1]), np.int64(room.branches[b])
    step, total = (room.log_sums[b] - room.log_sums[b - 1]) / math.log(above / below), 0.0
    for rows in range(below + 1, above + 1):
        if room.by_side[rows] > 0.0:
            tail = math.exp(room.log_sums[b - 1] + step * math.log(rows / below))
            total += added(room.by_side[rows], 0.0 if tail < NOTHING else min(tail, 1.0), low)
    return total


@jit
def make_room(branches, tilts):
    """Room for the tests of one thread."""
    lines = np.empty((3, 2, tilts.size))
    points = np.empty((2, FARTHEST + BETWEEN))
    ends, cuts = np.empty((2, MOST_ENDS)), np.empty((2, 2 * MOST_ENDS))
    return Room(
        branches,
        tilts,
        ends[0],
        ends[1],
        cuts[0],
        cuts[1],
        np.zeros(FEW + 1),
        points[0],
        points[1],
        lines[0],
        lines[1],
        lines[2],
        np.zeros(2, np.int64),
        np.empty(branches.size),
    )


@jit
def judge_numbers(tests, branches, tilts, codes, numbers, first, min_leaf, level, found):
    """Fills found uint8[m] with YES where P(some cut is as good) is at most `level`, NO where it is not; see
    `engine.significance.kernels.cut_tests.judge_cuts`.

    Args:
        tests: of the m nodes. branches, tilts: see `Room`. codes, first, numbers: as from `read_nodes` and
            `read_targets`; they are put in order.
    """
    room = make_room(branches, tilts)
    for i in range(found.size):
        begin, end = first[i], first[i + 1]
        if level >= 1.0:
            found[i] = YES
            continue
        lacking = count_missing(codes, begin, end)
        put_in_order(codes, begin, end)
        m = ends_of_values(codes, begin + lacking, end, room.ends, room.some)
        if m > MOST_ENDS:
            m = ends_of_many(end - begin - lacking, room.ends, room.some)
        add_by_side(tests, i, m, lacking, min_leaf, room)
        low = tests.log_p[i] < LOW
        most = level if low else -math.log1p(-level)
        total = sum_of_sides(tests, i, numbers, begin, end, room, most * (1.0 + NEAR), low)
        found[i] = NO if total > most * (1.0 + NEAR) else YES if total < most * (1.0 - NEAR) else OPEN
