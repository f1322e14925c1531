"""Dealing a column's rows out to many small nodes, in ascending order of their codes.

    order    5 0 3 | 1 6 | 4 2        rows of the table by code, made once
    place    node 0: rows 0 1 3       a node and a row number inside its bed for every row; -1 for a row of no node
             node 1: rows 2 6
    cells    0 2 1 | 1 0              of each node, still by code: nothing is compared, a row goes to the end of a list;
             1 2 2 | 4 5              beside the row a rank that rises inside the node, see `engine.kernels.packed`
    original has the table's codes behind the ranks

A bed is some neighbouring nodes whose lists fit the cache together, see `engine.induction.beds`.
"""

import numpy as np

from engine.kernels import jit


@jit
def deal_column(order, codes, place, cursor, rank, base, cells, original):
    """Deals one column out.

    Args:
        order: uint32[m], row numbers by ascending code, at least inside each node; codes: unsigned integer[n];
        place: int64[n]: node << 32 | row number inside its bed, or -1;
        cursor: int64[n_nodes], where the list of each begins in `cells`, uint32[·]; used up;
        rank: int64[n_nodes], the rank below the node's first; used up; base: int64[n_nodes], where the
            ranks of its bed begin in `original`, uint32[·].
    """
    last = np.zeros(cursor.size, np.int64)
    for k in range(order.size):
        row = order[k]
        where = place[row]
        if where < 0:
            continue
        node = where >> 32
        code = np.int64(codes[row])
        at = cursor[node]
        cursor[node] = at + 1
        if code != last[node]:
            last[node] = code
            rank[node] += 1
            original[base[node] + rank[node]] = code
        cells[at] = (rank[node] << 16 if code > 0 else 0) | (where & 0xFFFF)
