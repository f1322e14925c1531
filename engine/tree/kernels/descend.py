"""Sending rows down the nodes of a tree: node after node, its rows are divided among its branches.

    position    0              1        2              3      4         of a tree whose root splits by x[0] ≤ 2.5
    rows      [ 0 1 2 3 4 ]  [ 1 4 ]  [ 0 2 3 ]      [ 2 ]  [ 0 3 ]     and its second branch by x[1] ≤ 7
                             start..stop of each node are slices of one array; a leaf writes where its rows are

One row after the other would wait at each node for the node itself: a large tree fits no cache. Here a node is read
once for all of its rows, which come in ascending order, and nodes that no row reaches are passed over with all below.
"""

from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit, jit_inside


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


THRESHOLD = 1  # kinds of nodes, as in `engine.tree`
TABLED = 64  # levels whose branches are looked up in a table


class Routes(NamedTuple):
    """Where the nodes of a tree send rows; one entry for each node, as in `engine.tree.Nodes` and `Tree.end`.

    column: int64[n], the row of the numbers that are asked; -1 for leaves. start, size: int64[n], the part of float64
    `payload` with further thresholds, or with pairs (level, branch), levels ascending.
    """

    n_branches: np.ndarray
    kind: np.ndarray
    column: np.ndarray
    threshold: np.ndarray
    missing: np.ndarray
    unseen: np.ndarray
    start: np.ndarray
    size: np.ndarray
    end: np.ndarray
    payload: np.ndarray


@jit
def branch_at(number, i, routes):
    """The branch of node i that a row with this number takes.

    Of thresholds it is how many of them the number exceeds, of levels what the payload names, else that of unseen ones.
    """
    if np.isnan(number):
        return np.int64(routes.missing[i])
    cuts = routes.kind[i] == THRESHOLD
    if cuts and number <= routes.threshold[i]:
        return np.int64(0)
    start, step = routes.start[i], 1 if cuts else 2
    n = routes.size[i] // step
    low, high = np.int64(0), n
    while low < high:
        middle = (low + high) // 2
        if routes.payload[start + step * middle] < number:
            low = middle + 1
        else:
            high = middle
    if cuts:
        return 1 + low
    if low < n and routes.payload[start + 2 * low] == number:
        return np.int64(routes.payload[start + 2 * low + 1])
    return np.int64(routes.unseen[i])


@jit
def divide(numbers, i, routes, rows, first, last, spare, taken, ends, table):
    """Groups the rows first..last - 1 of node i by branch, in order; writes where each branch ends into `ends`.

    spare: uint32[·] and taken: int32[·], room for as many rows; table: int64[·], room for the branches of levels, which
    are looked up there where there are more rows than that.
    """
    tabled = routes.kind[i] != THRESHOLD and last - first >= table.size
    if tabled:
        for level in range(table.size):
            table[level] = routes.unseen[i]
        for pair in range(routes.start[i], routes.start[i] + routes.size[i], 2):
            if routes.payload[pair] < table.size:
                table[np.int64(routes.payload[pair])] = np.int64(routes.payload[pair + 1])
    n_branches = np.int64(routes.n_branches[i])
    for b in range(n_branches + 1):
        ends[b] = 0
    for k in range(last - first):
        spare[k] = rows[first + k]
        number = numbers[spare[k]]
        taken[k] = table[np.int64(number)] if tabled and number < table.size else branch_at(number, i, routes)
        ends[taken[k] + 1] += 1
    ends[0] = first
    for b in range(n_branches):
        ends[b + 1] += ends[b]
    for k in range(last - first):
        rows[ends[taken[k]]] = spare[k]
        ends[taken[k]] += 1  # so in the end the place of a branch is where it ends


@jit_inside
def halve(numbers, threshold, missing, rows, first, last, spare):
    """Puts the rows first..last - 1 whose number is at most the threshold before the others; returns where these begin.

    Both sides stay in order. Either write is made for every row, as a jump that cannot be foreseen costs more.
    """
    into, n_right, missing_left = first, 0, missing == 0
    for k in range(first, last):
        row = rows[k]
        number = numbers[row]
        left = np.int64((number <= threshold) | (missing_left & (number != number)))
        rows[into] = row
        spare[n_right] = row
        into += left
        n_right += 1 - left
    for k in range(n_right):
        rows[into + k] = spare[k]
    return into


@jit
def descend(x, tops, bounds, routes, reached):
    """Sends rows from some nodes to the leaves below.

    Args:
        x: float64[C, n], the numbers of the rows: values, or places of levels; NaN is missing.
        tops: int64[m], nodes none of which is below another; rows bounds[s]..bounds[s + 1] - 1 begin at tops[s].
        bounds: int64[m + 1], from 0 to n.
        reached: int64[n], written: the leaf.
    """
    n = x.shape[1]
    rows, spare, taken = np.empty(n, np.uint32), np.empty(n, np.uint32), np.empty(n, np.int32)
    first, last = np.zeros(routes.end.size, np.int64), np.zeros(routes.end.size, np.int64)
    widest = np.int64(0)
    for i in range(routes.n_branches.size):
        widest = max(widest, np.int64(routes.n_branches[i]))
    ends, table = np.empty(widest + 1, np.int64), np.empty(TABLED, np.int64)
    for k in range(n):
        rows[k] = k
    for s in range(tops.size):
        i = tops[s]
        first[i], last[i], below = bounds[s], bounds[s + 1], routes.end[i]
        while i < below:
            begin, stop = first[i], last[i]
            if begin == stop:
                i = np.int64(routes.end[i])
                continue
            if routes.n_branches[i] == 0:
                for k in range(begin, stop):
                    reached[rows[k]] = i
            else:
                numbers, single = x[routes.column[i]], routes.kind[i] == THRESHOLD and routes.size[i] == 0
                if single and routes.n_branches[i] == 2:
                    ends[0] = halve(numbers, routes.threshold[i], routes.missing[i], rows, begin, stop, spare)
                    ends[1] = stop
                else:
                    divide(numbers, i, routes, rows, begin, stop, spare, taken, ends, table)
                child = i + 1
                for b in range(np.int64(routes.n_branches[i])):
                    first[child], last[child] = begin, ends[b]
                    begin, child = ends[b], np.int64(routes.end[child])
            i += 1
