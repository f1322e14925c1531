"""Presorted lists: for every column the rows of the nodes to grow, by ascending code.

    local rows 0 to 7, two nodes
    rows[j]    2 5 0 7 | 3 1 6 4       each node is a slice, inside it the rows by the code of column j
    codes[j]   0 1 1 4 | 1 2 2 3       the codes of those rows, side by side; code 0 (missing) stands first

A split moves the slice of every column apart stably, so each branch is again a slice sorted by code: a
column is sorted once for the whole tree (SPRINT; Shafer, Agrawal and Mehta 1996).
"""

from typing import Any, NamedTuple

import numpy as np

from engine.kernels import jit


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


@jit
def fill_list(order, codes, place, segment, starts, list_rows, list_codes):
    """Deals the rows of a column out to the segments, by ascending code inside each.

    Args:
        order: uint32[n_rows], row numbers by ascending code; codes: unsigned integer[n_rows];
        place: int32[n_rows], the local number of each row, -1 for a row that is not wanted;
        segment: int32[n], of every local row; starts: int64[n_segments], where the segments begin;
        list_rows, list_codes: uint32[n], written.
    """
    cursor = starts.copy()
    for k in range(order.size):
        row = order[k]
        local = place[row]
        if local >= 0:
            at = cursor[segment[local]]
            cursor[segment[local]] = at + 1
            list_rows[at] = local
            list_codes[at] = codes[row]


@jit
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
def count_missing(rows, codes, j, start, stop, target, miss):
    """How many rows of a node are missing in column j (they come first); writes their statistic, float64[1, S]."""
    for c in range(miss.shape[1]):
        miss[0, c] = 0.0
    k = start
    while k < stop and codes[j, k] == 0:
        add_row(miss, 0, rows[j, k], target)
        k += 1
    return k - start


@jit
def make_runs(rows, codes, j, start, stop, target, stat, count):
    """Counts the target by value in the present rows start..stop - 1 of list j; returns the number of runs.

    stat: float64[at least the number of runs, S] and count: int64[the same], written.
    """
    run = -1
    last = 0
    for k in range(start, stop):
        if codes[j, k] != last:
            last = codes[j, k]
            run += 1
            count[run] = 0
            for c in range(stat.shape[1]):
                stat[run, c] = 0.0
        count[run] += 1
        add_row(stat, run, rows[j, k], target)
    return run + 1


@jit
def is_pure(rows, start, stop, target):
    """Whether the rows start..stop - 1 of the first list all have the same target."""
    first = rows[0, start]
    if target.labels.size:
        for k in range(start + 1, stop):
            if target.labels[rows[0, k]] != target.labels[first]:
                return False
    else:
        for k in range(start + 1, stop):
            if target.numbers[rows[0, k]] != target.numbers[first]:
                return False
    return True


@jit
def partition_lists(lists, first, last, start, stop, side, starts, spare_rows, spare_codes):
    """Moves the node start..stop - 1 apart in the lists first..last - 1, stably.

    Args:
        lists: (rows, codes), unsigned integer[C, ·], reordered in place; side: uint16 by local row number;
        starts: int64[n_branches + 1], relative to `start`: branch b gets [starts[b], starts[b + 1]);
        spare_rows, spare_codes: room of the same types for all rows of the node.
    """
    if starts.size > 3:
        partition_many(lists, first, last, start, stop, side, starts, spare_rows, spare_codes)
    else:
        partition_pair(lists[0], lists[1], first, last, start, stop, side, spare_rows, spare_codes)


@jit
def partition_pair(rows, codes, first, last, start, stop, side, spare_rows, spare_codes):
    """`partition_lists` for two branches."""
    for j in range(first, last):
        left, right = start, 0
        for k in range(start, stop):  # no jump to mispredict: both places are written, one of them advances
            row, code = rows[j, k], codes[j, k]
            goes_right = np.int64(side[row])
            rows[j, left] = row
            codes[j, left] = code
            spare_rows[right] = row
            spare_codes[right] = code
            right += goes_right
            left += 1 - goes_right
        for k in range(right):
            rows[j, left + k] = spare_rows[k]
            codes[j, left + k] = spare_codes[k]


@jit
def partition_many(lists, first, last, start, stop, side, starts, spare_rows, spare_codes):
    """`partition_lists` for more than two branches."""
    rows, codes = lists
    for j in range(first, last):
        cursor = starts[:-1].copy()
        for k in range(start, stop):
            branch = side[rows[j, k]]
            spare_rows[cursor[branch]] = rows[j, k]
            spare_codes[cursor[branch]] = codes[j, k]
            cursor[branch] += 1
        for k in range(stop - start):
            rows[j, start + k] = spare_rows[k]
            codes[j, start + k] = spare_codes[k]
