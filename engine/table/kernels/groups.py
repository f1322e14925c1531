"""From keys to dense ranks, distinct values and the order of the rows, group by group in the cache.

    keys      3    0    1    3         (row by row; see `ranks`)
    items     0|1       1|2 | 3|0 3|3  (key | row, dealt out by the highest bits of the key; here two groups)
    sorted    0|0 1|1   | 3|0 3|1      (each group by the rest of the key: key | place in the group)
    order     1    2    0    3         (rows by ascending value, the missing ones first)
    distinct  2.0  7.5
    items     0         1   | 2   2    (the group's items give way to the ranks)
    codes     2    0    1    2         (rank of each row's value: the rows fetch them, group by group, as they brought
                                        the keys)

A million items fit in no near cache, so nothing is thrown about among all of them: they are dealt out once, into some
thousand places that are each written one item after the other, and fetched the same way. All between these, sorting,
numbering and looking rows up, is done for one group of some thousand while it is in the cache. Rows of a group ascend
and their sort is stable, so the order is stable too. `codes` holds the keys to begin with, so that no other room is
needed.
"""

import numpy as np

from engine.runtime.compiler import jit
from engine.table.kernels.radix import FEW, KEY, ROW, are_sorted, insert_each, sort_by_digits
from engine.table.kernels.ranks import place_of, settle, value_at


@jit
def deal_out(keys, n_rest, bits, facts, line, items, low, ends):
    """Writes an item for each row, key | row, in groups by the bits of the key above the n_rest lowest, stable.

    Args:
        keys: uint32[n]. bits: int64[n], the values' bits; not looked at where n_low is 0.
        facts: (magnitude, dropped, n_low) and line, as for `keys_of_values`.
        items: uint64[n], written. low: uint32[n], written: the low part of the place of each item's value, if n_low is
            above 0.
        ends: uint32[values of these bits], zeros; becomes where the group of each value ends.

    Returns:
        The rows of the largest group.
    """
    magnitude, dropped, n_low = facts
    mask = (np.uint64(1) << np.uint64(n_low)) - np.uint64(1)
    shift, one = np.uint32(n_rest), np.uint32(1)
    for row in range(keys.size):
        ends[keys[row] >> shift] += one
    before, largest = np.uint32(0), np.int64(0)
    for group in range(ends.size):
        count = ends[group]
        largest = max(largest, np.int64(count))
        ends[group] = before
        before = np.uint32(before + count)
    for row in range(keys.size):
        key = keys[row]
        at = ends[key >> shift]
        ends[key >> shift] = np.uint32(at + one)
        items[at] = (np.uint64(key) << KEY) | np.uint64(row)
        if n_low > 0:
            low[at] = np.uint32(place_of(bits[row], magnitude, dropped, line) & mask)
    return largest


@jit
def sort_group(group, n_bits, items, spare):
    """Writes key | place in the group for its items, sorts these by the lowest bits of the key, and returns them.

    They are in one of `items` and `spare`, uint64[at least as many as the group has].
    """
    n = group.size
    for i in range(n):
        items[i] = (group[i] & ~ROW) | np.uint64(i)
    if are_sorted(items, n):
        return items
    if n <= FEW:
        insert_each(items, n)
        return items
    return sort_by_digits(items, spare, n, n_bits)


@jit
def rank_groups(items, low, ends, n_rest, rooms, meaning, facts, line, step, order, distinct):
    """Writes the order of the rows and the distinct values, and puts the ranks in place of the items.

    Args:
        items: uint64[n], dealt out; becomes the rank of each. low, ends, n_rest, facts, line: as for `deal_out`.
        rooms: uint64[2, rows of the largest group], overwritten. meaning, step: as for `value_at`.
        order: uint32[n], written. distinct: float64[n], written as far as there are values.

    Returns:
        The number of distinct values.
    """
    magnitude, dropped, n_low = facts
    cut = np.uint64(n_low)
    first, second = rooms[0], rooms[1]
    rank, start = np.int64(0), 0
    for which in range(ends.size):
        end = np.int64(ends[which])
        n = end - start
        group = items[start:end]
        found = sort_group(group, n_rest, first, second)
        if n_low > 0:
            settle(found, n, low[start:end], n_low, second if found is first else first)
        last, part, last_part = np.uint64(0), np.uint64(0), np.uint64(0)
        for i in range(n):
            key = found[i] >> KEY
            here = np.int64(found[i] & ROW)
            row = group[here] & ROW
            order[start + i] = np.uint32(row)
            if key == np.uint64(0):
                group[here] = np.uint64(0)
                continue
            place = key - np.uint64(1)
            if n_low > 0:
                part = np.uint64(low[start + here])
                place = (place << cut) | part
            rank += np.int64((key != last) | (part != last_part))
            last, last_part = key, part
            group[here] = np.uint64(rank)
            distinct[rank - 1] = value_at(place, meaning, magnitude, dropped, line, step)
        start = end
    return rank


@jit
def fetch_ranks(codes, n_rest, items, ends):
    """Puts the rank of each row, from `rank_groups`, in place of its key: uint32[n]. `ends` is overwritten."""
    shift, one = np.uint32(n_rest), np.uint32(1)
    before = np.uint32(0)
    for group in range(ends.size):
        end = ends[group]
        ends[group] = before
        before = end
    for row in range(codes.size):
        group = codes[row] >> shift
        at = ends[group]
        ends[group] = np.uint32(at + one)
        codes[row] = np.uint32(items[at])
