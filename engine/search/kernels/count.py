"""The target of some rows, its sufficient statistic, and counting it by value at one node.

    labels    1 0 2 1           of classes; stat float64[·, K] has the weight of each
    numbers   0.5 -2.0 0.25     of a numeric target, around a centre near the mean of the node, so that no digits are
                                lost; stat float64[·, 3] has (Σw, Σwy, Σwy²)
    weights   empty: every row counts once

By value: from the codes of its rows to one line per value present.

    codes   3 0 3 7 1          of the node's training (part 0) and validation (part 1) rows, row by row
    y       1 0 0 1 1
    found   1    3    7        the codes present, ascending; code 0, missing, is counted apart
    train   0 1  1 1  0 1      weight of class 0 and class 1 for each of them

The rows of one value are added up in the order of their numbers.

Of `labels` (uint16[n], classes) and `numbers` (float64[n], a numeric target) one is empty; `weights` (float64[n])
is empty when every row counts once. Rows whose `part` (uint8[n]) is neither 0 nor 1 are passed over.
Counting returns (found uint32[m], stats float64[n_parts, m + 1, S], rows int64[n_parts, m + 1]); line 0 is the missing
rows, line i + 1 the code found[i]. With n_parts = 1 there are no validation rows to count.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.criteria.kernels import centre_of, centred_squares
from engine.runtime.compiler import jit, jit_part


class Target(NamedTuple):
    """What is predicted, by local row number; of `labels` and `numbers` one is empty.

    labels: uint16[n], classes. numbers: float64[n], measured from a number near their mean.
    weights: float64[n], or empty when every row counts once.
    centre: what is taken off the numbers in all sums, a number near the mean of the node that is searched; where
        a node's own spread is small beside its distance from the table's mean, sums without it lose their digits.
    """

    labels: Any
    numbers: Any
    weights: Any
    centre: float = 0.0


@jit_part
def add_row(stats, i, row, target):
    """Adds one row to the sufficient statistic stats[i] (a view of it would cost more than the addition)."""
    weight = target.weights[row] if target.weights.size else 1.0
    if target.labels.size:
        stats[i, target.labels[row]] += weight
    else:
        value = target.numbers[row] - target.centre
        stats[i, 0] += weight
        stats[i, 1] += weight * value
        stats[i, 2] += weight * value * value


@jit
def count_dense(codes, part, labels, numbers, weights, n_codes, n_stats, n_parts):  # type: ignore[no-untyped-def]
    """Counts by a table over all codes 0..n_codes - 1; codes uint32[n]."""
    table = np.zeros((n_parts * n_codes, n_stats))
    table_rows = np.zeros(n_parts * n_codes, np.int64)
    by_class, weighted = labels.size > 0, weights.size > 0
    for k in range(codes.size):
        if part[k] < n_parts:
            place = np.int64(part[k]) * n_codes + np.int64(codes[k])
            table_rows[place] += 1
            weight = weights[k] if weighted else 1.0
            if by_class:
                table[place, labels[k]] += weight
            else:
                table[place, 0] += weight
                table[place, 1] += weight * numbers[k]
                table[place, 2] += weight * numbers[k] * numbers[k]
    lines = np.empty(n_codes, np.int64)  # the codes that get a line
    lines[0], m = 0, 0
    for code in range(1, n_codes):
        if table_rows[code] > 0 or (n_parts > 1 and table_rows[n_codes + code] > 0):
            m += 1
            lines[m] = code
    stats, rows = np.empty((n_parts, m + 1, n_stats)), np.empty((n_parts, m + 1), np.int64)
    for p in range(n_parts):
        for line in range(m + 1):
            place = p * n_codes + lines[line]
            rows[p, line] = table_rows[place]
            for c in range(n_stats):
                stats[p, line, c] = table[place, c]
    return lines[1 : m + 1].astype(np.uint32), stats, rows


@jit
def sum_classes(labels, weights, stat):
    """Adds up class weights into stat float64[1, K]; returns whether all rows are of one class.

    labels: uint16[n]; weights: float64[n], or empty when every row counts once.
    """
    if weights.size:
        for k in range(labels.size):
            stat[0, labels[k]] += weights[k]
    else:
        counts = np.zeros((4, stat.shape[1]), np.int64)  # four of them, as adding to one number twice has to wait
        for k in range(labels.size):
            counts[k & 3, labels[k]] += 1
        for c in range(stat.shape[1]):
            stat[0, c] += counts[0, c] + counts[1, c] + counts[2, c] + counts[3, c]
    n_classes = 0
    for c in range(stat.shape[1]):
        n_classes += np.int64(stat[0, c] > 0.0)
    return n_classes <= 1


@jit
def sum_numbers(numbers, weights, stat, about):
    """Moves the numbers of a node to around their centre and adds them up; returns whether they are all the same.

    numbers: float64[n], changed; stat, about: float64[1, 3], zeroed, written.
    """
    weight, total, low, high = 0.0, 0.0, np.inf, -np.inf
    for k in range(numbers.size):
        share = weights[k] if weights.size else 1.0
        weight += share
        total += share * numbers[k]
        low, high = min(low, numbers[k]), max(high, numbers[k])
    centre = centre_of(total, weight, low, high)
    total_about, squares = 0.0, 0.0
    for k in range(numbers.size):
        share = weights[k] if weights.size else 1.0
        number = numbers[k] - centre
        numbers[k] = number
        total_about += share * number
        squares += share * number * number
    about[0, 0], about[0, 1], about[0, 2] = weight, total_about, squares
    stat[0, 0] = about[0, 0]
    stat[0, 1] = about[0, 1] + about[0, 0] * centre
    stat[0, 2] = centred_squares(about[0, 0], about[0, 1], about[0, 2])
    return low == high
