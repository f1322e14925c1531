"""From keys of a small range to dense ranks, distinct values and the order of the rows, without a sort.

    keys      3  0  1  3 | 0 0          (row by row; see `ranks`)
    counts    3  1  0  2                (rows of each key)
    ranks     0  1  1  2                (of each key; a key without rows has none of its own)
    starts    0  3  4  4                (where the rows of each key stand in the order)

Two readings of the keys, one to count and one to hand out ranks and places; the tables stay in the cache.
"""

import numpy as np

from engine.runtime.compiler import jit


@jit
def number_keys(keys, starts, ranks, places):
    """Counts the keys and writes what belongs to each; returns how many different ones but 0 there are.

    Args:
        keys: uint32[n], below `ranks.size`.
        starts: uint32[number of keys], zeros; becomes where the rows of each key start in the order.
        ranks: uint16[number of keys], written. places: uint64[number of keys], written at i: key of rank i + 1, less 1.
    """
    one = np.uint32(1)
    for row in range(keys.size):
        starts[keys[row]] += one
    rank, before = np.int64(0), np.uint32(0)
    for key in range(starts.size):
        count = starts[key]
        starts[key] = before
        before = np.uint32(before + count)
        if key > 0 and count > 0:
            places[rank] = np.uint64(key - 1)
            rank += 1
        ranks[key] = np.uint16(rank)
    return rank


@jit
def place_rows(keys, starts, ranks, codes, order):
    """Writes codes, uint8 or uint16 [n], and the order of the rows, uint32[n]; overwrites `starts`."""
    one = np.uint32(1)
    for row in range(keys.size):
        key = keys[row]
        codes[row] = ranks[key]
        at = starts[key]
        order[at] = np.uint32(row)
        starts[key] = np.uint32(at + one)
