"""What is counted of the target in the nodes of a tree: a node's rows are a slice of row numbers."""

import numpy as np

from engine.criteria.kernels import HALF, centre_of, centred_squares
from engine.runtime.compiler import jit, jit_inside, jit_part


@jit
def count_classes(rows, start, stop, y, part, weights, train, validation, n_train, n_validation):
    """Weighted class counts of training (part 0) and validation (part 1) rows in slices of `rows`.

    rows: uint32[n]; start, stop: int64[m]; y: uint16[n_rows]; part: uint8[n_rows]; weights: float64[n_rows] or
    empty for 1; train, validation: float64[m, K] and n_train, n_validation: int64[m], zeroed, written.
    """
    for i in range(start.size):
        for k in range(start[i], stop[i]):
            row = rows[k]
            weight = weights[row] if weights.size else 1.0
            if part[row] == 0:
                train[i, y[row]] += weight
                n_train[i] += 1
            elif part[row] == 1:
                validation[i, y[row]] += weight
                n_validation[i] += 1


@jit
def count_numbers(rows, start, stop, y, part, weights, train, validation, n_train, n_validation):
    """Like `count_classes` for a numeric target: (Σw, Σwy, Σw(y - mean)²) in float64[m, 3], around each own mean."""
    for i in range(start.size):
        inside = rows[start[i] : stop[i]]
        n_train[i] = count_part(inside, y, part, 0, weights, train, i)
        n_validation[i] = count_part(inside, y, part, 1, weights, validation, i)


@jit_inside
def count_part(rows, y, part, wanted, weights, stats, i):
    """Counts the rows of one part into stats[i] of `count_numbers`; returns how many there are.

    Two passes: squares around a number far from the mean would lose the digits of the spread.
    """
    n, weight, total, squares, low, high = 0, 0.0, 0.0, 0.0, np.inf, -np.inf
    for k in range(rows.size):
        row = rows[k]
        if part[row] == wanted:
            share = weights[row] if weights.size else 1.0
            n += 1
            weight += share
            total += share * y[row]
            low, high = min(low, y[row]), max(high, y[row])
    if n == 0:
        return n
    centre, total = centre_of(total, weight, low, high), 0.0
    for k in range(rows.size):
        row = rows[k]
        if part[row] == wanted:
            share = weights[row] if weights.size else 1.0
            value = y[row] - centre
            total += share * value
            squares += share * value * value
    stats[i, 0], stats[i, 1] = weight, total + weight * centre
    stats[i, 2] = centred_squares(weight, total, squares)
    return n


@jit
def medians(rows, start, stop, which, end, codes, y, part, weights, median, deviation):
    """Fills median float64[N] and the first column of deviation float64[N, 2] at the nodes `which`.

    rows: uint32[n], start, stop: int64[N]: an assignment; which: int64[m] ascending, only leaves or all nodes; end:
    int32[N], one past each subtree; codes: [n_rows], the ranks of the targets y float64[n_rows]; part: uint8[n_rows];
    weights: float64[n_rows], or empty for 1. Leaves are sorted, inner nodes merge what their branches have sorted: O(n)
    for each level. Of a node without training rows both are 0.
    """
    keys, spare = np.empty(rows.size, np.int64), np.empty(rows.size, np.int64)
    held = np.zeros(start.size, np.int64)  # training rows; those of node i stand from start[i] on in `keys`
    for w in range(which.size - 1, -1, -1):
        i = which[w]
        first = last = start[i]
        if end[i] == i + 1:
            for k in range(start[i], stop[i]):
                row = np.int64(rows[k])
                if part[row] == 0:
                    keys[last] = (np.int64(codes[row]) << 32) | row
                    last += 1
            _sort(keys, first, last, spare)
        else:
            child = i + 1
            while child < end[i]:
                last = _merge(keys, first, last, start[child], start[child] + held[child], spare)
                child = end[child]
        held[i] = last - first
        median[i], deviation[i, 0] = _middle(keys[first:last], y, weights)


@jit_inside
def _merge(keys, first, last, begin, stop, spare):
    """Merges the ascending keys[first:last] and keys[begin:stop], begin >= last, into keys from `first` on."""
    n, a, b = 0, first, begin
    while a < last or b < stop:
        if b >= stop or (a < last and keys[a] < keys[b]):
            spare[n] = keys[a]
            a += 1
        else:
            spare[n] = keys[b]
            b += 1
        n += 1
    for k in range(n):
        keys[first + k] = spare[k]
    return first + n


@jit_part
def _sort(keys, first, last, spare):
    """Sorts keys[first:last] by merging runs of 1, 2, 4, …: numpy's sort takes a second and a half to compile."""
    step = 1
    while step < last - first:
        for low in range(first, last - step, 2 * step):
            _merge(keys, low, low + step, low + step, min(low + 2 * step, last), spare)
        step *= 2


@jit_part
def _middle(keys, y, weights):
    """(the median, Σ w|y - median|) of the rows in the lower half of ascending keys; (0, 0) without any."""
    total, passed = 0.0, 0.0
    for k in range(keys.size):
        row = keys[k] & 0xFFFFFFFF
        total += weights[row] if weights.size else 1.0
    middle = 0.0
    for k in range(keys.size):
        row = keys[k] & 0xFFFFFFFF
        passed += weights[row] if weights.size else 1.0
        if passed >= total * HALF:
            middle = y[row]
            if passed <= total * (1.0 - HALF) and k + 1 < keys.size:
                upper = y[keys[k + 1] & 0xFFFFFFFF]
                middle = middle / 2.0 + upper / 2.0 if upper > middle else middle
            break
    spread = 0.0
    for k in range(keys.size):
        row = keys[k] & 0xFFFFFFFF
        spread += (weights[row] if weights.size else 1.0) * abs(y[row] - middle)
    return middle, spread


@jit
def absolute_deviations(rows, start, stop, which, y, part, wanted, weights, answer, column, deviation):
    """Σ w|y - answer| of the rows of a part in the nodes `which`, into that column of deviation float64[N, ·].

    answer: float64[N], in units of y; the others as in `medians`.
    """
    for w in range(which.size):
        i = which[w]
        spread = 0.0
        for k in range(start[i], stop[i]):
            row = rows[k]
            if part[row] == wanted:
                spread += (weights[row] if weights.size else 1.0) * abs(y[row] - answer[i])
        deviation[i, column] = spread
