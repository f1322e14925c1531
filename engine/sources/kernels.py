"""Scans over the codes of all rows, without a list of the rows of each node.

at      uint32[n]: the number of the node at which each row stands
codes   uint8, uint16 or uint32 [n], of one column; 0 is missing
target  the same of the target
slot    int64[numbers]: where the rows of each node are added; its largest value is for nodes that nobody asks for
"""

import numpy as np

from engine.runtime.compiler import jit


@jit
def step_down(at, codes, column, place, begin, lookup):
    """Sends rows one step on, in place, where their node asks for the column at this place.

    column: int64[numbers], the place of the column that each node asks for, -1 for none.
    begin: int64[numbers], where the node's line of `lookup` begins. lookup: uint32[·], the number of a node by code.
    """
    for row in range(at.size):  # without a branch, for which way a row goes cannot be foreseen
        node = at[row]
        asks = column[node] == place
        to = lookup[np.uint64(begin[node]) + codes[row] * np.uint64(asks)]
        at[row] = to if asks else node


@jit
def place_classes(at, slot, target, n_classes, n_slots, line, rows):
    """Finds the rows whose slot is among the first `n_slots`; returns how many these are.

    line, rows: uint32[n], written: of each of them its line of a table of counts, which has one for each slot and
    class, and its number.
    """
    n = 0
    for row in range(at.size):
        own = slot[at[row]]
        line[n] = own * n_classes + max(np.int64(target[row]) - 1, 0)
        rows[n] = row
        n += own < n_slots
    return n


@jit
def count_values(line, rows, codes, width, counts):
    """Adds rows to uint32[lines * width], width being the number of values and 1; line: of each of them.

    Four rows at once, for a row waits for the count before it; places without a sign are not looked at for one.
    """
    width = np.uint64(width)
    for k in range(0, rows.size - 3, 4):
        a = line[k] * width + codes[rows[k]]
        b = line[k + 1] * width + codes[rows[k + 1]]
        c = line[k + 2] * width + codes[rows[k + 2]]
        d = line[k + 3] * width + codes[rows[k + 3]]
        counts[a] += np.uint32(1)
        counts[b] += np.uint32(1)
        counts[c] += np.uint32(1)
        counts[d] += np.uint32(1)
    for k in range(rows.size // 4 * 4, rows.size):
        counts[line[k] * width + codes[rows[k]]] += np.uint32(1)


@jit
def join_codes(joint, width, codes):
    """Makes one number of two, in place; joint: uint16[n], codes: uint8[n], less than `width`."""
    for row in range(joint.size):
        joint[row] = joint[row] * np.uint16(width) + codes[row]


@jit
def place_numbers(at, slot, target, numbers, centres, line, rows, y):
    """The same with one line for each slot; y: float64[n], written, the target of each of the rows.

    numbers: float64[·], y by code of the target. centres: float64[slots that are counted], what is taken off it.
    """
    n = 0
    for row in range(at.size):
        own = slot[at[row]]
        if own < centres.size:
            line[n], rows[n], y[n] = own, row, numbers[target[row]] - centres[own]
            n += 1
    return n


@jit
def sum_values(line, y, rows, codes, stats):
    """Adds (1, y, y²) of rows to float64[lines, values + 1, 3]."""
    for k in range(rows.size):
        found = stats[line[k], codes[rows[k]]]
        found[0] += 1.0
        found[1] += y[k]
        found[2] += y[k] * y[k]


@jit
def weigh_values(line, w, y, rows, codes, stats):
    """Adds (1, w) of rows to float64[lines, values + 1, 2], or, of a numeric target, (1, w, wy, wy²) to
    float64[lines, values + 1, 4].

    w, y: float64[n], of each of the rows; y is empty for classes.
    """
    for k in range(rows.size):
        found = stats[line[k], codes[rows[k]]]
        found[0] += 1.0
        found[1] += w[k]
        if y.size:
            found[2] += w[k] * y[k]
            found[3] += w[k] * y[k] * y[k]


@jit
def find_extents(at, slot, target, numbers, weights, found):
    """Adds to float64[slots, 4]: Σwy, Σw, least y, largest y.

    weights: float64[n], or empty where every row counts once.
    """
    for row in range(at.size):
        line, number = found[slot[at[row]]], numbers[target[row]]
        weight = weights[row] if weights.size else 1.0
        line[0] += weight * number
        line[1] += weight
        line[2] = min(line[2], number)
        line[3] = max(line[3], number)
