"""Cells: the presorted lists of a few nodes in half the space, for growing their subtrees inside the cache.

    rows[j]    2 5 0 7 | 3 1 6 4       of two nodes, in each by ascending code of column j; missing values (0) first
    codes[j]   0 1 1 4 | 1 2 2 3       ranks that rise inside each node, written by `order_codes` and `fill_cells`
    cells[j]   one uint32 for each: the code in the upper 16 bits, the row in the lower; so at most 65,535 rows

Neighbouring rows of the table that are alike, as the copies in a bootstrap sample are, may share one cell; then the
weights say how many rows each stands for.

A split moves the slice of every column apart stably, so each branch is again sorted by code: a column is sorted once
for the whole tree (SPRINT; Shafer, Agrawal and Mehta 1996). One word for both halves the loads and stores of a
partition, which is most of what growing costs. Two neighbours have different codes if their exclusive or exceeds `ROW`.
Places are uintp: numba asks of a signed index whether it is negative, every time.
"""

import numpy as np

from engine.runtime.compiler import jit, jit_inside, jit_part
from engine.table.kernels import KEY, radix_sort
from engine.table.kernels import ROW as ITEM

ROW = np.uint32(0xFFFF)  # the part of a cell that is the row number
CODE = np.uint32(16)  # how far the code is shifted
ONE = np.uintp(1)
LEFT, RIGHT = 1, 2  # branches, to be added up


@jit_part
def code_at(cells, j, k):
    """The rank in cell k of list j, as int64."""
    return np.int64(cells[j, k] >> CODE)


@jit_part
def is_constant(cells, j, start, stop):
    """Whether all rows of a node have one value in column j, or none has any."""
    return (cells[j, start] ^ cells[j, stop - 1]) <= ROW


@jit_part
def first_present(cells, j, start, stop):
    """Where the rows with a value begin in list j of a node."""
    k = start
    while k < stop and cells[j, k] <= ROW:
        k += 1
    return k


@jit_inside
def add_classes(cells, j, start, stop, labels, weights, stat, i):
    """Adds the classes of the rows of cells start..stop - 1 of list j to the statistic stat[i], float64[·, K]."""
    j, weighted = np.uintp(j), weights.size > 0
    if stat.shape[1] == 2:  # in registers: a sum in memory is waited for at every row
        if not weighted:
            second = 0
            for k in range(start, stop):
                second += np.int64(labels[cells[j, np.uintp(k)] & ROW])
            stat[i, 0] += np.float64(stop - start - second)
            stat[i, 1] += np.float64(second)
            return
        first_weight, second_weight = stat[i, 0], stat[i, 1]
        for k in range(start, stop):
            row = cells[j, np.uintp(k)] & ROW
            second_weight += weights[row] if labels[row] else 0.0
            first_weight += 0.0 if labels[row] else weights[row]
        stat[i, 0], stat[i, 1] = first_weight, second_weight
        return
    for k in range(start, stop):
        row = cells[j, np.uintp(k)] & ROW
        stat[i, np.uintp(labels[row])] += weights[row] if weighted else 1.0


@jit_inside
def add_numbers(cells, j, start, stop, numbers, weights, centre, stat, i):
    """The same of a numeric target, less `centre`; stat: float64[·, 3]."""
    j, weighted = np.uintp(j), weights.size > 0
    for k in range(start, stop):
        row = cells[j, np.uintp(k)] & ROW
        share = weights[row] if weighted else 1.0
        value = numbers[row] - centre
        stat[i, 0] += share
        stat[i, 1] += share * value
        stat[i, 2] += share * value * value


@jit_part
def add_rows(cells, j, start, stop, labels, numbers, weights, centre, stat, i):
    """Adds these rows; labels, numbers, weights: of `search.kernels.count.Target`.

    They do not travel as a tuple because numba counts references to all its arrays wherever one is taken out.
    """
    if labels.size:
        add_classes(cells, j, start, stop, labels, weights, stat, i)
    else:
        add_numbers(cells, j, start, stop, numbers, weights, centre, stat, i)


@jit_part
def sum_rows(cells, j, start, stop, labels, numbers, weights, centre, stat, i):
    """Writes the statistic of these rows into stat[i]."""
    for c in range(stat.shape[1]):
        stat[i, c] = 0.0
    add_rows(cells, j, start, stop, labels, numbers, weights, centre, stat, i)


@jit_inside
def rows_of(cells, j, start, stop, weights, copied):
    """How many rows cells start..stop - 1 of list j stand for; copied: whether the weights say so."""
    if not copied:
        return stop - start
    rows = 0.0
    for k in range(start, stop):
        rows += weights[cells[j, k] & ROW]
    return np.int64(rows)


@jit_inside
def count_runs(cells, j, start, stop, labels, numbers, weights, centre, copied, stat, count):
    """Counts the target by value in cells start..stop - 1 of list j, which are present; returns the number of runs.

    copied: see `rows_of`; stat: float64[at least the number of runs, S] and count: int64[the same], written.
    """
    run = 0
    first = start
    for k in range(start + 1, stop + 1):
        if k == stop or (cells[j, k] ^ cells[j, first]) > ROW:
            sum_rows(cells, j, first, k, labels, numbers, weights, centre, stat, run)
            count[run] = rows_of(cells, j, first, k, weights, copied)
            first = k
            run += 1
    return run if stop > start else 0


@jit_part
def is_pure(cells, start, stop, labels, numbers):
    """Whether the rows of a node all have the same target."""
    first = cells[0, start] & ROW
    if labels.size:
        for k in range(start + 1, stop):
            if labels[cells[0, k] & ROW] != labels[first]:
                return False
    else:
        for k in range(start + 1, stop):
            if numbers[cells[0, k] & ROW] != numbers[first]:
                return False
    return True


@jit_inside
def part_in_two(cells, first, last, in_order, start, stop, side, spare, needed):
    """Moves a node apart in the lists first..last - 1 but `in_order`, stably, for two branches.

    There is no jump to mispredict: every cell is written to both places, and one of them advances. Of a branch whose
    lists nobody needs the cells are not kept.

    Args:
        side: uint16 by row, 0 or 1; spare: uint32[≥ stop - start], room; needed: LEFT, RIGHT, or both of them.
    """
    n = np.uintp(stop - start)
    for column in range(first, last):
        if column == in_order:
            continue
        j, to, right = np.uintp(column), np.uintp(start), np.uintp(0)
        if needed == LEFT:
            for i in range(n):
                k = to + np.uintp(i)
                cell = cells[j, k]
                cells[j, k - right] = cell
                right += np.uintp(side[cell & ROW])
            continue
        if needed == RIGHT:  # from the end, so that what has to be read yet is not written over
            left = np.uintp(0)
            for i in range(n):
                k = to + n - ONE - np.uintp(i)
                cell = cells[j, k]
                cells[j, k + left] = cell
                left += ONE - np.uintp(side[cell & ROW])
            continue
        for i in range(n):
            k = to + np.uintp(i)
            cell = cells[j, k]
            cells[j, k - right] = cell
            spare[right] = cell
            right += np.uintp(side[cell & ROW])
        to += n - right
        for i in range(right):
            cells[j, to + np.uintp(i)] = spare[np.uintp(i)]


@jit_inside
def part_in_many(cells, first, last, start, stop, n_branches, side, starts, cursor, spare):
    """The same for any number of branches; branch b gets [starts[b], starts[b + 1]) from `start` on.

    cursor: int64[≥ branches], room.
    """
    for j in range(first, last):
        for b in range(n_branches):
            cursor[b] = starts[b]
        for k in range(start, stop):
            cell = cells[j, k]
            branch = side[cell & ROW]
            spare[cursor[branch]] = cell
            cursor[branch] += 1
        for i in range(stop - start):
            cells[j, start + i] = spare[i]


@jit
def order_codes(codes, rows, node, shift, items):
    """Writes an item for each row of a block of nodes: its node and code above its place.

        rows     4 9 12 | 3 7           of two nodes
        codes    8 0 6  | 6 9           of these rows, in the table
        items    node and code | place in the block, sorted by digits inside the cache: nothing is compared
        cells    rank | place: 0|1  1|2  2|0 | 3|3  4|4
        original 0  6  8  6  9          the codes behind the ranks

    The table's columns are sorted once, when it is made; the rows of a node come in order by two or three passes over
    some thousand codes, which is quicker than dealing out the order of all rows of the table: that would jump about in
    memory.

    Args:
        codes: unsigned integer[n_rows] of the table; rows: uint32[n]; node: int64[n], numbers of nodes, ascending;
        shift: how many bits a code takes; items: uint64[≥ n], written.
    """
    for k in range(rows.size):
        key = np.int64(codes[rows[k]]) | (node[k] << shift)
        items[k] = (np.uint64(key) << KEY) | np.uint64(k)


@jit
def fill_cells(items, spare, n, n_bits, shift, j, cells, original):
    """Sorts the items of column j and writes its cells.

    Args:
        items, spare: uint64[≥ n]; n_bits: of node and code together; cells: uint32[C, n], row j is written;
        original: uint32[C, n + 1], row j is written up to the largest rank.
    """
    ordered = radix_sort(items, spare, n, n_bits)
    mask = (np.int64(1) << shift) - 1
    rank, last = np.int64(0), np.int64(-1)
    original[j, 0] = 0
    for k in range(n):  # without a jump: in a bootstrap sample every third value is the one before, as chance has it
        key = np.int64(ordered[k] >> KEY)
        code = key & mask
        rank += np.int64((code > 0) & (key != last))
        last = key
        present = rank if code > 0 else np.int64(0)
        original[j, present] = code
        cells[j, k] = (np.uint32(present) << CODE) | np.uint32(ordered[k] & ITEM)


@jit
def deal_cells(codes, rows, n_values, heads, further, j, cells, original):
    """Writes the cells of column j for a single node, dealt out by code.

        code     0 1 2 3 4          of rows with codes 4 1 4 2
        heads    4 1 3 4 0          the first row with each code, 4 where there is none
        further  2 4 4 4 4          the next row with the same code

    It takes as long as there are rows and values, so less than sorting where there are not many more values.

    Args:
        codes, rows: as for `order_codes`; n_values: of the column; cells, original: as for `fill_cells`;
        heads: uint16[> n_values] and further: uint16[> n], room.
    """
    n, none = rows.size, np.uint16(rows.size)
    for code in range(n_values + 1):
        heads[code] = none
    further[n] = none
    for i in range(n - 1, -1, -1):
        code = codes[rows[i]]
        further[i] = heads[code]
        heads[code] = i
    at, rank, code, row = np.uintp(0), np.uintp(0), np.uintp(0), heads[0]
    original[j, 0] = 0
    while row != none:
        cells[j, at] = row
        at += ONE
        row = further[row]
    while at < n:  # without a jump: every third value of a bootstrap sample is absent, the next writes over its cell
        code += ONE
        row = heads[code]
        present = np.uintp(row != none)
        original[j, rank + ONE] = code
        cells[j, at] = (np.uint32(rank + ONE) << CODE) | np.uint32(row)
        rank += present
        at += present
        row = further[row]
        while row != none:
            cells[j, at] = (np.uint32(rank) << CODE) | np.uint32(row)
            at += ONE
            row = further[row]
