"""The area under the ROC curve of every step of a sequence of prunings, without sorting leaves again at any step.

Leaves with the same score stand on one rung of a ladder; two Fenwick trees (1994) hold the weight of either class on
the rungs below, so that a leaf that comes or goes changes the area in O(log rungs).
"""

import numpy as np

from engine.runtime.compiler import jit


@jit
def _add(sums, rung, weight):
    i = rung + 1
    while i < sums.size:
        sums[i] += weight
        i += i & -i


@jit
def _below(sums, rung):
    """The weight on the rungs before this one."""
    total, i = 0.0, rung
    while i > 0:
        total += sums[i]
        i -= i & -i
    return total


@jit
def auc_of_steps(start, stop, rung, n_rungs, inside, outside):
    """float64[n_steps], the weight of the pairs that are ordered rightly, ties by half, among all pairs.

    Args:
        start, stop: int64[n_nodes], a node is a leaf of the steps start ≤ step < stop; start ≥ stop: of none.
        rung: int64[n_nodes], the rank of its score, 0 for the lowest; equal scores share one.
        n_rungs: how many there are.
        inside, outside: float64[n_nodes], the weight of rows of the class and of all others; whole weights make exact
            sums.

    Returns:
        (float64[n_steps] with n_steps = the largest stop; NaN where a class has no weight).
    """
    n_steps = 0
    for v in range(start.size):
        n_steps = max(n_steps, stop[v])
    events = np.zeros(n_steps + 2, np.int64)
    for v in range(start.size):
        if start[v] < stop[v]:
            events[start[v] + 1] += 1
            events[min(stop[v], n_steps) + 1] += 1
    for step in range(n_steps + 1):
        events[step + 1] += events[step]
    nodes = np.empty(events[n_steps + 1], np.int64)
    place = events[:-1].copy()
    for v in range(start.size):
        if start[v] < stop[v]:
            nodes[place[start[v]]] = v + 1
            place[start[v]] += 1
            nodes[place[min(stop[v], n_steps)]] = -v - 1
            place[min(stop[v], n_steps)] += 1
    for_class, for_others = np.zeros(n_rungs + 1), np.zeros(n_rungs + 1)
    all_inside, all_outside, ordered = 0.0, 0.0, 0.0
    found = np.empty(n_steps)
    for step in range(n_steps):
        for e in range(events[step], events[step + 1]):
            v, sign = abs(nodes[e]) - 1, 1.0 if nodes[e] > 0 else -1.0
            p, q, here = inside[v], outside[v], rung[v]
            if sign < 0:  # without it, what is left is compared with it
                _add(for_class, here, -p)
                _add(for_others, here, -q)
                all_inside -= p
                all_outside -= q
            others_below, others_to = _below(for_others, here), _below(for_others, here + 1)
            class_below, class_to = _below(for_class, here), _below(for_class, here + 1)
            rightly = p * 0.5 * (others_below + others_to)  # half of those that stand on the same rung
            rightly += q * (all_inside - 0.5 * (class_below + class_to))
            ordered += sign * (rightly + 0.5 * p * q)
            if sign > 0:
                _add(for_class, here, p)
                _add(for_others, here, q)
                all_inside += p
                all_outside += q
        pairs = all_inside * all_outside
        found[step] = ordered / pairs if pairs > 0 else np.nan
    return found
