"""Putting the rows of some small nodes in order of a column, as the cells on which their subtrees grow.

    rows     4 9 12 | 3 7           of two nodes
    codes    8 0 6  | 6 9           of these rows, in the table
    items    node and code | place in the bed, sorted by digits inside the cache: nothing is compared
    cells    rank | place: 0|1  1|2  2|0 | 3|3  4|4         see `engine.growing.kernels.cells`
    original 0  6  8  6  9          the codes behind the ranks

The table's columns are sorted once, when it is made; the rows of a node come in order by two or three passes over some
thousand codes, which is quicker than dealing out the order of all rows of the table: that would jump about in memory.
"""

import numpy as np

from engine.growing.kernels.cells import CODE
from engine.runtime.compiler import jit
from engine.table.kernels import KEY, ROW, radix_sort


@jit
def order_codes(codes, rows, node, shift, items):
    """Writes an item for each row of a bed: its node and code above its place.

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
    rank, last = 0, np.int64(-1)
    original[j, 0] = 0
    for k in range(n):
        key = np.int64(ordered[k] >> KEY)
        code = key & mask
        if code > 0 and key != last:
            rank += 1
            original[j, rank] = code
        last = key
        upper = np.uint32(rank if code > 0 else 0) << CODE
        cells[j, k] = upper | np.uint32(ordered[k] & ROW)
