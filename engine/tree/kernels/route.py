"""Sending the rows of a node into its branches, and counting the target in nodes.

rows     [ 2 5 6 | 0 1 3 4 7 ]     row numbers grouped by leaf; a node's rows are one slice
split the second slice: codes of rows 0 1 3 4 7 -> branches 1 0 0 1 0
rows     [ 2 5 6 | 1 3 7 | 0 4 ]   stable: row numbers stay ascending within a leaf
"""

import numpy as np

from engine.criteria.kernels import centre_of, centred_squares
from engine.runtime.compiler import jit


@jit
def find_sides(codes, rows, limit, missing, sides):
    """Writes the side of every row of a node: 0 for codes 1..limit, 1 for larger ones, `missing` for code 0.

    codes: unsigned integer[n_rows]; rows: uint32[n]; sides: uint8[n].

    Returns:
        (how many rows go left, the largest code up to `limit`, the smallest code beyond it or 0 for none).
    """
    n_left, low, high = 0, 0, 1 << 40
    for k in range(rows.size):
        code = np.int64(codes[rows[k]])
        side = np.int64(code > limit) if code > 0 else missing
        sides[k] = side
        n_left += 1 - side
        low = max(low, code if code <= limit else 0)
        high = min(high, code if code > limit else 1 << 40)
    return n_left, low, (high if high < 1 << 40 else 0)


@jit
def move(array, sides, spare):
    """Moves what belongs to rows of side 0 to the front and that of side 1 to the back, stably.

    No jump to mispredict: both places are written, one of them advances. array: [n]; sides: uint8[n]; spare: [n].
    """
    left, right = 0, 0
    for k in range(array.size):
        one, side = array[k], np.int64(sides[k])
        array[left] = one
        spare[right] = one
        right += side
        left += 1 - side
    for k in range(right):
        array[left + k] = spare[k]


@jit
def partition_by_lookup(codes, rows, scratch, lookup, starts):
    """Sends each row into branch lookup[code]; reorders `rows` in place.

    codes: unsigned integer[n_rows]; rows: uint32[m]; scratch: uint32[at least m]; lookup: uint16[n_codes];
    starts: int64[n_branches + 1], written: branch b holds rows[starts[b]:starts[b + 1]].
    """
    for branch in range(starts.size):
        starts[branch] = 0
    for k in range(rows.size):
        starts[np.int64(lookup[codes[rows[k]]]) + 1] += 1
    for branch in range(starts.size - 1):
        starts[branch + 1] += starts[branch]
    place = np.empty(starts.size - 1, np.int64)
    for branch in range(place.size):
        place[branch] = starts[branch]
    for k in range(rows.size):
        branch = np.int64(lookup[codes[rows[k]]])
        scratch[place[branch]] = rows[k]
        place[branch] += 1
    for k in range(rows.size):
        rows[k] = scratch[k]


@jit
def rows_in_slices(rows, start, stop, part, wanted, found, bounds):
    """Writes the rows of one part in slices of `rows`, one slice after the other, into `found`.

    rows: uint32[n]; start, stop: int64[m]; part: uint8[n_rows]; found: uint32[all that stand in the slices];
    bounds: int64[m + 1], written: those of slice s are found[bounds[s]:bounds[s + 1]].
    """
    n = 0
    bounds[0] = 0
    for s in range(start.size):
        for k in range(start[s], stop[s]):
            found[n] = rows[k]
            n += np.int64(part[rows[k]] == wanted)
        bounds[s + 1] = n


@jit
def count_reached(rows, reached, y, weights, stats, n_rows):
    """Adds the class weights of `rows` (uint32[n]) to the leaves that they reached (int64[n]), and how many there are.

    y: uint16[n_rows]; weights: float64[n_rows] or empty for 1; stats: float64[N, K] and n_rows: int64[N, 1], added to.
    """
    for k in range(rows.size):
        row = rows[k]
        stats[reached[k], y[row]] += weights[row] if weights.size else 1.0
        n_rows[reached[k], 0] += 1


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


@jit
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
