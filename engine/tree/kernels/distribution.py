"""The median of the target in every node and what lies around it, from the rows of the nodes as slices."""

import numpy as np

from engine.criteria.kernels import HALF
from engine.runtime.compiler import jit, jit_part


@jit
def medians(rows, start, stop, which, parent, end, n_branches, codes, y, part, weights, median, deviation):
    """Fills median float64[N] and the first column of deviation float64[N, 2] at the nodes `which`.

    rows: uint32[n], start, stop: int64[N]: an assignment; which: int64[m] ascending, leaves alone or all nodes;
    codes: [n_rows], the ranks of the targets y float64[n_rows]; part: uint8[n_rows]; weights: float64[n_rows], or
    empty for 1. Leaves are sorted, inner nodes merge what their branches have sorted: O(n) for each level. A node
    without training rows says what its parent says.
    """
    keys, spare = np.empty(rows.size, np.int64), np.empty(rows.size, np.int64)
    held = np.zeros(start.size, np.int64)  # training rows; those of node i stand from start[i] on in `keys`
    for w in range(which.size - 1, -1, -1):
        i = which[w]
        first = start[i]
        if n_branches[i] == 0:
            last = first
            for k in range(start[i], stop[i]):
                row = np.int64(rows[k])
                if part[row] == 0:
                    keys[last] = (np.int64(codes[row]) << 32) | row
                    last += 1
            _sort(keys, first, last, spare)
        else:
            last = first
            child = i + 1
            while child < end[i]:
                last = _merge(keys, first, last, start[child], start[child] + held[child], spare)
                child = end[child]
        held[i] = last - first
        median[i], deviation[i, 0] = _middle(keys[first:last], y, weights)
    for w in range(which.size):
        i = which[w]
        if held[i] == 0:
            median[i] = median[parent[i]] if parent[i] >= 0 else 0.0


@jit
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
def deviations_of_part(rows, start, stop, which, y, part, wanted, weights, median, column, deviation):
    """Σ w|y - median| of the rows of a part in the nodes `which`, into that column of deviation float64[N, 2]."""
    for w in range(which.size):
        i = which[w]
        spread = 0.0
        for k in range(start[i], stop[i]):
            row = rows[k]
            if part[row] == wanted:
                spread += (weights[row] if weights.size else 1.0) * abs(y[row] - median[i])
        deviation[i, column] = spread


@jit
def histograms(rows, start, stop, which, codes, bin_of_code, part, weights, histogram):
    """The training weight by bin of the nodes `which`, into histogram float64[N, B].

    codes: [n_rows], the codes of the target; bin_of_code: int64[n_values + 1].
    """
    for w in range(which.size):
        i = which[w]
        histogram[i, :] = 0.0
        for k in range(start[i], stop[i]):
            row = rows[k]
            if part[row] == 0:
                histogram[i, bin_of_code[codes[row]]] += weights[row] if weights.size else 1.0
