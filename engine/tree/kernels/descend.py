"""Sending rows down the nodes of a tree: node after node, its rows are divided among its branches.

    position    0              1        2              3      4         of a tree whose root splits by x[0] ≤ 2.5
    rows      [ 0 1 2 3 4 ]  [ 1 4 ]  [ 0 2 3 ]      [ 2 ]  [ 0 3 ]     and its second branch by x[1] ≤ 7
                             start..stop of each node are slices of one array; a leaf writes where its rows are

One row after the other would wait at each node for the node itself: a large tree fits no cache. Here a node is read
once for all of its rows, which come in ascending order, and nodes that no row reaches are passed over with all below.
"""

from typing import NamedTuple

import numpy as np

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


THRESHOLD = 1  # kinds of nodes, as in `engine.tree`
TABLED = 64  # levels, and rows of a node from which it pays to table their branches


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
def look_up(values, codes, numbers):
    """Writes values[code - 1] of each code into `numbers`, NaN for code 0. float64[n_values]; [n]; float64[n]."""
    for k in range(codes.size):
        code = np.int64(codes[k])
        numbers[k] = values[code - 1] if code > 0 else np.nan


@jit
def branch_of_level(level, payload, start, size, unseen):
    """The branch of a level by binary search in its node's payload; `unseen` if it is not named there."""
    low, high = 0, size // 2
    while low < high:
        middle = (low + high) // 2
        if payload[start + 2 * middle] < level:
            low = middle + 1
        else:
            high = middle
    if low < size // 2 and payload[start + 2 * low] == level:
        return np.int64(payload[start + 2 * low + 1])
    return unseen


@jit
def branch_of_cuts(number, threshold, payload, start, size):
    """The branch of a number: how many of the ascending thresholds, the first and those in the payload, it exceeds."""
    if number <= threshold:
        return np.int64(0)
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if payload[start + middle] < number:
            low = middle + 1
        else:
            high = middle
    return np.int64(1 + low)


@jit
def branch_at(number, i, routes):
    """The branch of node i that a row with this number takes."""
    if np.isnan(number):
        return np.int64(routes.missing[i])
    start, size = routes.start[i], routes.size[i]
    if routes.kind[i] == THRESHOLD:
        return branch_of_cuts(number, routes.threshold[i], routes.payload, start, size)
    return branch_of_level(number, routes.payload, start, size, np.int64(routes.unseen[i]))


@jit
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
def side_of_levels(i, routes, sides):
    """Writes the branch, at most 1, of the first levels at node i into `sides`, as most columns have few."""
    for level in range(sides.size):
        sides[level] = min(np.int64(routes.unseen[i]), np.int64(1))
    for pair in range(routes.start[i], routes.start[i] + routes.size[i], 2):
        level = routes.payload[pair]
        if level < sides.size:
            sides[np.int64(level)] = min(np.int64(routes.payload[pair + 1]), np.int64(1))


@jit
def halve_by_level(numbers, i, routes, rows, first, last, spare, sides):
    """The same by the branches of levels at node i, which has two. sides: int64[·], room."""
    into, n_right, many = first, 0, last - first >= sides.size
    if many:
        side_of_levels(i, routes, sides)
    for k in range(first, last):
        row = rows[k]
        number = numbers[row]
        if many and number < sides.size:  # not NaN
            right = sides[np.int64(number)]
        else:
            right = min(branch_at(number, i, routes), np.int64(1))
        rows[into] = row
        spare[n_right] = row
        into += 1 - right
        n_right += right
    for k in range(n_right):
        rows[into + k] = spare[k]
    return into


@jit
def deal(numbers, i, routes, rows, first, last, spare, ends):
    """Groups the rows first..last - 1 of node i by branch, in order; writes where each branch ends into `ends`."""
    n_branches = np.int64(routes.n_branches[i])
    for b in range(n_branches + 1):
        ends[b] = 0
    for k in range(first, last):
        spare[k - first] = rows[k]
        ends[branch_at(numbers[rows[k]], i, routes) + 1] += 1
    ends[0] = first
    for b in range(n_branches):
        ends[b + 1] += ends[b]
    for k in range(last - first):
        branch = branch_at(numbers[spare[k]], i, routes)
        rows[ends[branch]] = spare[k]
        ends[branch] += 1  # so in the end the place of a branch is where it ends


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
    rows, spare = np.empty(n, np.uint32), np.empty(n, np.uint32)
    first, last = np.zeros(routes.end.size, np.int64), np.zeros(routes.end.size, np.int64)
    widest = np.int64(0)
    for i in range(routes.n_branches.size):
        widest = max(widest, np.int64(routes.n_branches[i]))
    ends, sides = np.empty(widest + 1, np.int64), np.empty(TABLED, np.int64)
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
                numbers, plain = x[routes.column[i]], routes.kind[i] == THRESHOLD and routes.size[i] == 0
                if plain and routes.n_branches[i] == 2:
                    ends[0] = halve(numbers, routes.threshold[i], routes.missing[i], rows, begin, stop, spare)
                    ends[1] = stop
                elif routes.n_branches[i] == 2:
                    ends[0] = halve_by_level(numbers, i, routes, rows, begin, stop, spare, sides)
                    ends[1] = stop
                else:
                    deal(numbers, i, routes, rows, begin, stop, spare, ends)
                child = i + 1
                for b in range(np.int64(routes.n_branches[i])):
                    first[child], last[child] = begin, ends[b]
                    begin, child = ends[b], np.int64(routes.end[child])
            i += 1
