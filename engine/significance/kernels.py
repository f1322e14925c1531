"""The best split of a column for a target that is dealt out to the rows at random.

Cells are the values or levels of the column in their order, with so many rows each; the last one is the rows that lack
the value. Compared is what the search of the column compares, by the squares that the branches explain, Σ w · (mean
- mean of all)², of a number or of the indicators of the classes: the order of the Gini gain and of the squared error.

    BY_ROWS      rows change places, each with its weight (Fisher and Yates): exact whatever the target
    BY_COUNTS    classes alone: a table of cells by classes with the same margins, class by class hypergeometric
    BY_SAMPLE    numbers of many rows: rows of small cells are drawn, of large ones their sum, which is normal but for
                 its skewness (Cornish and Fisher 1938)

The slow twin is `tests.naive_significance`.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from engine.runtime.compiler import jit, jit_apart, jit_inside, jit_long, jit_within
from engine.search.kernels.branches import may_part
from engine.search.kernels.level_groups import CLASS_ORDERS, EXACT_LEVELS, sort_stable

CUTS, GROUPS, ONE_VS_REST, EACH = 0, 1, 2, 3  # what is compared: EACH is one branch for each cell, and no other split
BY_ROWS, BY_COUNTS, BY_SAMPLE = 0, 1, 2
FEW_ROWS = 150  # of so few rows all p-values are those of permutations
LATTICE = 1000  # rows up to which the best cut of two classes has an exact p-value
FEW = 32  # rows that are drawn one by one where they are counted, not permuted
SMALL = 256  # rows of a cell up to which BY_SAMPLE draws them one by one
NORMAL = 12.0  # the variance from which a hypergeometric count is taken to be normal but for its skewness
BITS = 31
EQUAL = 1e-9  # a share: what is as near is as good
WORTH_COUNTING = 12  # rows for each cell and class from which a table of counts is drawn quicker
MOST, LEAST = 9_999, 999  # deals of one test
WORK = 2**22  # rows and cells that are touched in all
TURNS = 12  # of the power iteration


class Dealt(NamedTuple):
    """What is dealt out; what does not apply is empty.

    labels: int64[n], classes of rows, or numbers: float64[n], and weights: float64[n] are permuted in place, together.
    totals: int64[K], rows of each class.
    """

    labels: np.ndarray
    numbers: np.ndarray
    weights: np.ndarray
    totals: np.ndarray


@jit
def below(state, n):
    """A whole number from 0 to n - 1 (Marsaglia 2003); state: int64[1], not 0."""
    x = state[0]
    x ^= x << 13
    x ^= (x >> 7) & ((1 << 57) - 1)
    x ^= x << 17
    state[0] = x
    return (((x >> (63 - BITS)) & ((1 << BITS) - 1)) * n) >> BITS


@jit
def seed_of(number):
    """Where the random numbers begin, from one that says which rows of which target are tested."""
    state = np.array([88172645463325252 ^ (number + 1)])
    for _ in range(4):
        below(state, 2)
    return state[0]


@jit_within
def is_counted(n, cells, n_classes):
    """Whether classes are dealt BY_COUNTS, which is quicker then."""
    return n > WORTH_COUNTING * cells * (n_classes - 1)


@jit_within
def most_deals(form, how, n, cells, n_classes):
    """How many deals of n rows and so many cells are made at most; n_classes: 0 for numbers."""
    work = n * (how == BY_ROWS) + cells * max(n_classes, 1) * (n_classes if form == GROUPS and n_classes > 2 else 1)
    return min(max(WORK // max(work, 1), LEAST), MOST)


@jit_inside
def skewed(state, skewness):
    """A number of mean 0 and variance about 1 with a small skewness, from a normal one (Box and Muller 1958)."""
    u, v = (below(state, 1 << BITS) + 0.5) / (1 << BITS), below(state, 1 << BITS) / (1 << BITS)
    z = math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)
    return z + skewness / 6.0 * (z * z - 1.0)


@jit_inside
def hits_among(many_drawn, many_hits, n, state):
    """How many of `many_drawn` rows are hits, of n rows of which `many_hits` are.

    Drawn are the rows, or the others where those are fewer; counted are the hits, or the others.
    """
    drawn, hits, found = min(many_drawn, n - many_drawn), min(many_hits, n - many_hits), 0
    share = hits / max(n, 1)
    deviation = math.sqrt(drawn * share * (1.0 - share) * (n - drawn) / max(n - 1.0, 1.0))
    if drawn <= FEW:
        for r in range(drawn):
            found += below(state, n - r) < hits - found
    elif deviation * deviation > NORMAL:
        skewness = (1.0 - 2.0 * share) * (1.0 - 2.0 * drawn / n) / deviation
        found = np.int64(np.rint(drawn * share + deviation * skewed(state, skewness)))
        found = min(max(found, 0), min(drawn, hits))
    else:
        term = math.exp(
            math.lgamma(n - hits + 1.0) - math.lgamma(n - hits - drawn + 1.0)
            - math.lgamma(n + 1.0) + math.lgamma(n - drawn + 1.0)
        )  # fmt: skip
        left = (below(state, 1 << BITS) + 0.5) / (1 << BITS) - term
        while left > 0.0 and found < min(drawn, hits):
            term *= (drawn - found) * (hits - found) / ((found + 1.0) * (n - hits - drawn + found + 1.0))
            found += 1
            left -= term
    if drawn < many_drawn:
        found = hits - found
    return many_drawn - found if hits < many_hits else found


@jit_inside
def chance_of_hits(found, drawn, hits, n):
    """P(so many hits among `drawn` of n rows of which `hits` are hits)."""
    return math.exp(
        math.lgamma(hits + 1.0) - math.lgamma(found + 1.0) - math.lgamma(hits - found + 1.0)
        + math.lgamma(n - hits + 1.0) - math.lgamma(drawn - found + 1.0) - math.lgamma(n - hits - drawn + found + 1.0)
        - math.lgamma(n + 1.0) + math.lgamma(drawn + 1.0) + math.lgamma(n - drawn + 1.0)
    )  # fmt: skip


@jit
def tail_of_hits(drawn, hits, n, share):
    """P(a branch of `drawn` rows gains as much): hypergeometric; `hits` of the n rows are of the first of two classes.

    share: the Gini gain.
    """
    mean, low, high, p = drawn * (hits / n), max(0, drawn + hits - n), min(drawn, hits), 0.0
    apart = math.sqrt(0.5 * share * drawn * (n - drawn)) * (1.0 - EQUAL)
    for side in range(2):
        found = math.floor(mean - apart) if side == 0 else math.ceil(mean + apart)
        if not low <= found <= high or (side == 1 and apart == 0.0):
            continue
        term, step = chance_of_hits(found, drawn, hits, n), 2 * side - 1
        while term > 0.0 and low <= found <= high:
            p += term
            found += step
            if side == 0:
                term *= (found + 1.0) * (n - hits - drawn + found + 1.0) / ((drawn - found) * (hits - found))
            else:
                term *= (drawn - found + 1.0) * (hits - found + 1.0) / (found * (n - hits - drawn + found))
            if term < 1e-17 * p:
                break
    return min(p, 1.0)


@jit
def tail_of_cuts(sizes, hits, share, min_leaf):
    """P(the best cut gains as much) of two classes, exactly.

    Along the column the hits are a walk: after i rows, k of them hits, the next row is one with the chance (hits - k) ÷
    (n - i). What reaches the gain is taken out of the walk and added up, so the smallest p-values are exact, too.

    Args:
        sizes: int64[k], rows of each value in order. hits: rows of one of the classes. share: the Gini gain.
    """
    n, i, low, high, p = np.sum(sizes), 0, 0, 0, 0.0
    walk = np.zeros(hits + 2)  # P(k hits so far, no cut as good) at k + 1
    walk[1] = 1.0
    for cell in range(sizes.size - 1):
        for _ in range(sizes[cell]):
            high = min(high + 1, hits)
            for k in range(high, low - 1, -1):
                walk[k + 1] = (walk[k + 1] * (n - i - hits + k) + walk[k] * (hits - k + 1)) / (n - i)
            i += 1
        if not may_part(i, n, min_leaf):
            continue
        mean, apart = i * (hits / n), math.sqrt(0.5 * share * i * (n - i)) * (1.0 - EQUAL)
        while low <= high and low <= mean - apart:
            p += walk[low + 1]
            walk[low + 1] = 0.0
            low += 1
        while low <= high and high >= mean + apart:
            p += walk[high + 1]
            walk[high + 1] = 0.0
            high -= 1
        if low > high:
            break
    return min(p, 1.0)


class Room(NamedTuple):
    """What a deal is written into, of k + 1 cells and D classes, or one number.

    sums: float64[k + 1, D], of each cell, measured from the mean of all once `centre` was called. weights:
    float64[k + 1]. left, lacking: float64[D]; keys: float64[k + 1]; order, spare: int64[k + 1]; totals: int64[D].
    """

    sums: np.ndarray
    weights: np.ndarray
    left: np.ndarray
    lacking: np.ndarray
    keys: np.ndarray
    order: np.ndarray
    spare: np.ndarray
    totals: np.ndarray


@jit
def deal_rows(dealt, sizes, room, state):
    """Writes the sums of the cells by permuting the rows."""
    labels, numbers, weights = dealt.labels, dealt.numbers, dealt.weights
    n, place = max(labels.size, numbers.size), 0
    for cell in range(sizes.size):
        room.weights[cell] = 0.0
        for c in range(room.left.size):
            room.sums[cell, c] = 0.0
        for _ in range(sizes[cell]):
            other, w = place + below(state, n - place), 1.0
            if weights.size:
                w = weights[other]
                weights[other] = weights[place]
                weights[place] = w
            if labels.size:
                label = labels[other]
                labels[other] = labels[place]
                labels[place] = label
                room.sums[cell, label] += w
            else:
                number = numbers[other]
                numbers[other] = numbers[place]
                numbers[place] = number
                room.sums[cell, 0] += w * number
            room.weights[cell] += w
            place += 1


@jit
def deal_cuts(dealt, sizes, min_leaf, room, state):
    """The most that a cut explains where rows without weights and gaps change places: one step for each row.

    Of classes Σ (left_c - i · total_c ÷ n)² is made of Σ left_c², Σ left_c · total_c and Σ total_c².
    """
    labels, numbers, totals, left = dealt.labels, dealt.numbers, dealt.totals, room.totals
    n, place, best, total, own, cross, all_of_them = max(labels.size, numbers.size), 0, 0.0, 0.0, 0, 0, 0
    for c in range(totals.size if labels.size else 0):
        left[c] = 0
        all_of_them += totals[c] * totals[c]
    for cell in range(sizes.size - 1):
        for _ in range(sizes[cell]):
            other = place + below(state, n - place)
            if labels.size:
                label = labels[other]
                labels[other] = labels[place]
                labels[place] = label
                own += 2 * left[label] + 1
                cross += totals[label]
                left[label] += 1
            else:
                number = numbers[other]
                numbers[other] = numbers[place]
                numbers[place] = number
                total += number
            place += 1
        if place < n and may_part(place, n, min_leaf):
            share = place / n
            squared = own - 2.0 * share * cross + share * share * all_of_them if labels.size else total * total
            best = max(best, squared / (place * (n - place)))
    return best * n


@jit
def deal_counts(totals, sizes, room, state):
    """Writes the sums of the cells by drawing counts."""
    n, last = 0, totals.size - 1
    for c in range(totals.size):
        room.totals[c] = totals[c]
        n += totals[c]
    for cell in range(sizes.size):
        drawn, others = sizes[cell], n
        n -= drawn
        room.weights[cell] = drawn
        for c in range(last):
            hits = hits_among(drawn, room.totals[c], others, state)
            others -= room.totals[c]
            room.totals[c] -= hits
            drawn -= hits
            room.sums[cell, c] = hits
        room.totals[last] -= drawn
        room.sums[cell, last] = drawn


@jit
def deal_sample(numbers, skewness, sizes, room, state):
    """Writes the sums of the cells by drawing them; the numbers have mean 0 and variance 1."""
    for cell in range(sizes.size):
        rows, total = sizes[cell], 0.0
        if rows <= SMALL:
            for _ in range(rows):
                total += numbers[below(state, numbers.size)]
        else:
            root = math.sqrt(rows)
            total = root * skewed(state, skewness / root)
        room.sums[cell, 0], room.weights[cell] = total, rows


@jit
def centre(cells, room):
    """Measures the sums of the first so many cells from the mean of them all; returns their weight."""
    whole = 0.0
    for cell in range(cells):
        whole += room.weights[cell]
    for c in range(room.left.size):
        mean = 0.0
        for cell in range(cells):
            mean += room.sums[cell, c]
        mean /= whole
        for cell in range(cells):
            room.sums[cell, c] -= room.weights[cell] * mean
    return whole


@jit
def squares(sums):
    """Σ s²."""
    total = 0.0
    for c in range(sums.size):
        total += sums[c] * sums[c]
    return total


@jit
def best_cut(ordered, cells, lacking, min_leaf, sizes, whole, room):
    """The most that two groups of the cells explain, up to one of them and beyond.

    Args:
        ordered: whether `room.order` says their order. lacking: rows of the cell behind them, which may be on either
            side; 0 for none.
    """
    best, before, n, rows, left = 0.0, 0.0, 0, 0, room.left
    for cell in range(cells):
        rows += sizes[cell]
    rows += lacking
    for c in range(left.size):
        left[c] = 0.0
    for i in range(cells if lacking > 0 else cells - 1):
        cell = room.order[i] if ordered else i
        before += room.weights[cell]
        n += sizes[cell]
        for c in range(left.size):
            left[c] += room.sums[cell, c]
        if may_part(n, rows, min_leaf):
            best = max(best, squares(left) / max(before * (whole - before), 1e-300))
        if lacking > 0 and i < cells - 1 and may_part(n + lacking, rows, min_leaf):
            for c in range(left.size):
                room.lacking[c] = left[c] + room.sums[cells, c]
            both = before + room.weights[cells]
            best = max(best, squares(room.lacking) / max(both * (whole - both), 1e-300))
    return best * whole


@jit_inside
def best_partition(cells, whole, room):
    """The most that two groups of a few cells explain, all partitions tried: one cell changes sides at a time."""
    best, before, left, number = 0.0, 0.0, room.left, 0
    for c in range(left.size):
        left[c] = 0.0
    for step in range(1, 1 << (cells - 1)):
        cell = 0
        while not (step >> cell) & 1:
            cell += 1
        sign = -1.0 if (number >> cell) & 1 else 1.0
        number ^= 1 << cell
        before += sign * room.weights[cell]
        for c in range(left.size):
            left[c] += sign * room.sums[cell, c]
        best = max(best, squares(left) / max(before * (whole - before), 1e-300))
    return best * whole


@jit_inside
def first_component(cells, room):
    """Writes where each cell stands on the first principal component of the class shares (Coppersmith et al. 1999)."""
    axis, image = room.left, room.lacking
    for c in range(axis.size):
        axis[c] = 1.0 / (c + 1.0)  # of no symmetry
    for _ in range(TURNS):
        for c in range(axis.size):
            image[c] = 0.0
        for cell in range(cells):
            place = 0.0
            for c in range(axis.size):
                place += room.sums[cell, c] * axis[c]
            place /= max(room.weights[cell], 1e-300)
            room.keys[cell] = place
            for c in range(axis.size):
                image[c] += place * room.sums[cell, c]
        length = math.sqrt(squares(image))
        for c in range(axis.size):
            axis[c] = image[c] / max(length, 1e-300)


@jit
def best_groups(cells, min_leaf, sizes, whole, room):
    """The most that two groups of the cells explain, looked for as `engine.search.kernels.level_groups` does."""
    width = room.left.size
    if width > 2 and cells <= EXACT_LEVELS:
        return best_partition(cells, whole, room)
    best, n_classes = 0.0, 1 if width <= 2 else min(width, CLASS_ORDERS)
    for turn in range(n_classes if width <= 2 else n_classes + 1):  # by mean or share of a class, then by all classes
        if turn == n_classes:
            first_component(cells, room)
        else:
            for cell in range(cells):
                room.keys[cell] = room.sums[cell, turn] / max(room.weights[cell], 1e-300)
        sort_stable(room.keys[:cells], room.order[:cells], room.spare[:cells])
        best = max(best, best_cut(True, cells, 0, min_leaf, sizes, whole, room))
    return best


@jit_inside
def best_level(cells, with_missing, whole, room):
    """The most that one cell against all others explains; and beside the last one, where that is the missing rows."""
    best, last = 0.0, cells - 1
    for cell in range(cells):
        before = room.weights[cell]
        for c in range(room.left.size):
            room.left[c] = room.sums[cell, c]
        best = max(best, squares(room.left) / max(before * (whole - before), 1e-300))
        if with_missing and cell < last:
            before += room.weights[last]
            for c in range(room.left.size):
                room.left[c] += room.sums[last, c]
            best = max(best, squares(room.left) / max(before * (whole - before), 1e-300))
    return best * whole


@jit
def most_explained(form, min_leaf, own, sizes, room):
    """The most that one of the splits that are compared explains."""
    last, apart, lacking = sizes.size - 1, 0.0, sizes[sizes.size - 1]
    cells = last + (lacking > 0)
    whole = centre(cells, room)
    if form == EACH:
        for cell in range(cells):
            apart += squares(room.sums[cell]) / max(room.weights[cell], 1e-300)
        return apart
    if own and lacking > 0:
        weight = room.weights[last]
        apart = squares(room.sums[last]) * (1.0 / weight + 1.0 / (whole - weight))
        cells, lacking = last, 0
        whole = centre(cells, room)
    if form == CUTS:
        return apart + best_cut(False, last, lacking, min_leaf, sizes, whole, room)
    if form == GROUPS:
        return apart + best_groups(cells, min_leaf, sizes, whole, room)
    return apart + best_level(cells, lacking > 0, whole, room)


def make_deals(form, min_leaf, own, how, skewness, sizes, labels, numbers, weights, totals, state, most):
    """Writes what the best split of each deal explains, most float64[draws]; labels … totals are those of `Dealt`.

    Args:
        form, how: see the head of this file. min_leaf: rows that every branch keeps. own: whether rows that lack the
            value have a branch of their own beside those that part the others.
        skewness: of the numbers, for BY_SAMPLE. sizes: int64[k + 1], rows of each cell.
        state: int64[1], of the random numbers, written: the next call goes on from there.
    """
    dealt, cells, width = Dealt(labels, numbers, weights, totals), sizes.size, max(totals.size, 1)
    lines, places = np.empty((2, width)), np.empty((2, cells), np.int64)
    room = Room(
        np.empty((cells, width)), np.empty(cells), lines[0], lines[1], np.empty(cells), places[0], places[1],
        np.empty(width, np.int64),
    )  # fmt: skip
    plain = form == CUTS and how == BY_ROWS and weights.size == 0 and sizes[cells - 1] == 0
    for draw in range(most.size):
        if plain:
            most[draw] = deal_cuts(dealt, sizes, min_leaf, room, state)
            continue
        if how == BY_ROWS:
            deal_rows(dealt, sizes, room, state)
        elif how == BY_COUNTS:
            deal_counts(totals, sizes, room, state)
        else:
            deal_sample(numbers, skewness, sizes, room, state)
        most[draw] = most_explained(form, min_leaf, own, sizes, room)


_COUNTS, _NUMBERS = types.int64[::1], types.float64[::1]
DEALS = jit_apart(
    types.void(
        types.int64, types.int64, types.boolean, types.int64, types.float64, _COUNTS, _COUNTS, _NUMBERS, _NUMBERS,
        _COUNTS, _COUNTS, _NUMBERS,
    )
)(make_deals)  # fmt: skip


@jit_long
def permute(deals, form, min_leaf, own, how, skewness, sizes, dealt, state, most):
    """`make_deals` for Python; deals: `DEALS()`."""
    labels, numbers, weights, totals = dealt
    deals(form, min_leaf, own, how, skewness, sizes, labels, numbers, weights, totals, state, most)


# -- the splits of many small nodes


LEFT_OUT, NO, YES = 0, 1, 2
AT_ONCE = 8  # deals


class Nodes(NamedTuple):
    """The nodes that are tested, in preorder, and their training rows, one node after the other.

    seed: int64[m], see `seed_of`. end: int64[m], how many of them come before the first that is not
    below. first: int64[m + 1], of rows.
    form: int64[m], own: bool[m], as in `make_deals`. share: float64[m], of the variance or Gini gain.
    codes: uint32[·], of rows; labels: int64[·], or numbers: float64[·]; sampling weights: float64[·], or empty.
    """

    seed: np.ndarray
    end: np.ndarray
    first: np.ndarray
    form: np.ndarray
    own: np.ndarray
    share: np.ndarray
    codes: np.ndarray
    labels: np.ndarray
    numbers: np.ndarray
    weights: np.ndarray


@jit_inside
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


@jit_inside
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


@jit_inside
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


@jit_inside
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


@jit_inside
def is_significant(deals, form, own, min_leaf, share, hits, level, seed, sizes, labels, numbers, weights):
    """Whether fewer than `hits` of hits ÷ level deals explain as much; the arguments are those of one node."""
    totals = renumber(labels) if labels.size else np.zeros(0, np.int64)
    k, n, lacking = sizes.size - 1, labels.size + numbers.size, sizes[sizes.size - 1]
    if k + (lacking > 0 and not own) <= 2 and not (own and lacking > 0):
        form = EACH
    if form == CUTS and lacking == 0 and totals.size == 2 and weights.size == 0:
        return tail_of_cuts(sizes[:k], min(totals[0], totals[1]), share, min_leaf) <= level
    smallest = min(sizes[0], n - sizes[0]) if form == EACH and k + (lacking > 0) == 2 and weights.size == 0 else 0
    if smallest > 0 and totals.size == 2:
        return tail_of_hits(smallest, totals[0], n, share) <= level
    if numbers.size:
        least = share * centre_numbers(numbers, weights)
        if smallest == 1:
            as_far = 0
            for r in range(n):
                as_far += numbers[r] * numbers[r] * n / (n - 1.0) >= least * (1.0 - EQUAL)
            return as_far / n <= level
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
    state = np.array([seed_of(seed)])
    most, found, explained = most_deals(form, how, n, sizes.size, totals.size), 0, np.empty(AT_ONCE)
    left = min(most, math.ceil(hits / level) - 1)  # p is at most the level where the last hit comes later
    enough = left < most or (hits + 1) <= level * (most + 1)
    while left > 0 and found < hits:
        some = explained[: min(left, AT_ONCE)]
        deals(form, min_leaf, own, how, 0.0, sizes, labels, numbers, weights, totals, state, some)
        for draw in range(some.size):
            found += some[draw] >= least * (1.0 - EQUAL)
        left -= some.size
    return found < hits and (enough or found + 1 <= level * (most + 1))


@jit_long
def judge_nodes(deals, nodes, min_leaf, hits, level, found):
    """Fills found uint8[m] with YES where the p-value is at most `level`, NO where not; LEFT_OUT above a YES, and where
    it takes a formula."""
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
        if b - a > FEW_ROWS and nodes.weights.size == 0 and (cells < 4 or sizes[cells - 1] > 0 or nodes.own[i]):
            continue  # of so many rows only the best of several cuts of two classes has an exact p-value
        labels = nodes.labels[a:b] if nodes.labels.size else nodes.labels
        numbers = nodes.numbers[a:b] if nodes.numbers.size else nodes.numbers
        weights = nodes.weights[a:b] if nodes.weights.size else nodes.weights
        significant = is_significant(
            deals, nodes.form[i], nodes.own[i], min_leaf, nodes.share[i], hits, level, nodes.seed[i], sizes[:cells],
            labels, numbers, weights,
        )  # fmt: skip
        found[i] = YES if significant else NO
        lowest = i if significant else lowest
