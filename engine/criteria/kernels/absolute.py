"""Absolute deviation from the weighted median: of growing runs of rows, of branches, and the best of many cuts.

The deviation of a set of rows is Σ w|y - median|. Medians do not add up, so rows are looked at one by one: a Fenwick
tree (1994) over the ranks of the target holds the weight and the weighted sum below every rank, so that a row is added
and the median is read in O(log n).
"""

import numpy as np

from engine.runtime.compiler import jit, jit_part

HALF = 0.5 - 1e-12  # of the weight; that close to a half it is one, in whatever order the weights were added up


@jit
def running_deviations(ranks, weights, values, order, bounds, first, out):
    """The deviation of the rows `first` and runs 0..r together, for every run r, into out float64[m].

    ranks: int64[n], the place of each row's target among `values`, float64[d] ascending; weights: float64[n], above 0;
    order: int64[k], rows by run; bounds: int64[m + 1], where each run begins in it; first: int64[f], rows.
    """
    size = values.size
    below = np.zeros((size + 1, 2))
    top = 1
    while 2 * top <= size:
        top *= 2
    weight, total = 0.0, 0.0
    for k in range(first.size):
        row = first[k]
        _add(below, ranks[row], weights[row], values[ranks[row]])
        weight += weights[row]
        total += weights[row] * values[ranks[row]]
    for r in range(bounds.size - 1):
        for k in range(bounds[r], bounds[r + 1]):
            row = order[k]
            _add(below, ranks[row], weights[row], values[ranks[row]])
            weight += weights[row]
            total += weights[row] * values[ranks[row]]
        out[r] = _deviation(below, top, values, weight, total)


@jit
def _add(below, rank, weight, value):
    """Enters one row into the Fenwick tree float64[d + 1, 2] of (Σw, Σwy)."""
    i = rank + 1
    while i < below.shape[0]:
        below[i, 0] += weight
        below[i, 1] += weight * value
        i += i & -i


@jit_part
def _deviation(below, top, values, weight, total):
    """Σ w|y - median| of what the Fenwick tree holds: `weight` and `total` are its Σw and Σwy."""
    place, under, sum_under, step = 0, 0.0, 0.0, top
    while step > 0:
        if place + step < below.shape[0] and under + below[place + step, 0] < weight * HALF:
            place += step
            under += below[place, 0]
            sum_under += below[place, 1]
        step //= 2
    median = values[min(place, values.size - 1)]
    return max((total - sum_under) - sum_under - median * ((weight - under) - under), 0.0)


@jit
def branch_deviations(by_value, y, weights, branch, deviation, median):
    """The deviation and the median of every branch, into float64[B] each; 0 and NaN for an empty one.

    by_value: int64[n], rows by ascending y; y, weights: float64[n], weights above 0; branch: int64[n].
    Where the lower half of the weight ends exactly between two values, the median is halfway between them.
    """
    total, passed = np.zeros(median.size), np.zeros(median.size)
    state = np.zeros(median.size, np.uint8)  # 0 below the median, 1 waiting for the upper of two middles, 2 done
    deviation[:], median[:] = 0.0, np.nan
    for k in range(by_value.size):
        total[branch[by_value[k]]] += weights[by_value[k]]
    for k in range(by_value.size):
        row = by_value[k]
        b = branch[row]
        if state[b] == 1:
            median[b] = median[b] / 2.0 + y[row] / 2.0 if y[row] > median[b] else median[b]
            state[b] = 2
        elif state[b] == 0:
            passed[b] += weights[row]
            if passed[b] >= total[b] * HALF:
                median[b] = y[row]
                state[b] = 1 if passed[b] <= total[b] * (1.0 - HALF) else 2
    for k in range(by_value.size):
        row = by_value[k]
        deviation[branch[row]] += weights[row] * abs(y[row] - median[branch[row]])


@jit
def changed_deviations(ranks, weights, values, by_value, bounds, base_weight, base_sum, sign, out):
    """The deviation of many rows with (sign 1) or without (sign -1) those of each part, into out float64[b].

    Only the rows of a part are walked, so all parts together cost no more than one pass over their rows.

    Args:
        ranks, weights, values: as in `running_deviations`.
        by_value: int64[k], the rows by part, in each by ascending rank; bounds: int64[b + 1], where each part begins.
        base_weight, base_sum: float64[d + 1], Σw and Σwy of the many rows below each rank.
    """
    d = values.size
    for p in range(out.size):
        weight, total = base_weight[d], base_sum[d]
        for k in range(bounds[p], bounds[p + 1]):
            weight += sign * weights[by_value[k]]
            total += sign * weights[by_value[k]] * values[ranks[by_value[k]]]
        half, k, low, moved, moved_sum = weight * HALF, bounds[p], np.int64(0), 0.0, 0.0
        while k < bounds[p + 1]:  # up to the next rank that the part has, only the many rows add to the weight below
            rank = ranks[by_value[k]]
            if rank > low and base_weight[rank] + sign * moved >= half:
                break
            while k < bounds[p + 1] and ranks[by_value[k]] == rank:
                moved += weights[by_value[k]]
                moved_sum += weights[by_value[k]] * values[rank]
                k += 1
            low = rank
        high = ranks[by_value[k]] - 1 if k < bounds[p + 1] else d - 1
        while low < high:  # the median is the first of these up to which half of the weight stands
            middle = (low + high) // 2
            if base_weight[middle + 1] + sign * moved >= half:
                high = middle
            else:
                low = middle + 1
        under, sum_under = base_weight[low + 1] + sign * moved, base_sum[low + 1] + sign * moved_sum
        out[p] = max((total - sum_under) - sum_under - values[low] * ((weight - under) - under), 0.0)
