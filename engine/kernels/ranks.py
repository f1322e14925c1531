"""From floating-point values to dense ranks, distinct values and an order, with one sort.

    values    7.5  nan  2.0  7.5     (a column, row by row)
    keys      3    0    1    3       (32 bits that order the values; 0 = missing)
    items     0|1  1|2  3|0  3|3     (key | row, sorted: see `radix`)
    order     1    2    0    3       (rows by ascending value, the missing ones first)
    distinct  2.0  7.5
    codes     2    0    1    2       (rank of each row's value, 0 = missing)

The bits of a float without its sign, its size, order like its absolute value. So the values lie on a line of whole
numbers, of which only the stretches in use are numbered: negative values by falling size, zero, positive ones by
rising size; bits at the low end that are 0 in all sizes are dropped. Whole numbers, values that were float32 and
values of like size take few bits in this way, hence few passes. `survey` finds the stretches without a branch.

    place   0 … n_negative - 1 | n_negative | n_negative + 1 …
    value   negative           | zero       | positive

Where a place takes more than 32 bits, the key is its high part, and `settle` sorts the runs of equal keys by the low
part, which is seldom more than a look: among random values hardly two share their first 32 bits.
"""

import numpy as np

from engine.kernels import jit
from engine.kernels.radix import FEW, KEY, ROW, insert_each, radix_sort


@jit
def survey(bits, magnitude, infinity, facts):
    """What stretches of the line the values of a column take.

    Args:
        bits: int32 or int64 [n], the values' bits. magnitude: the mask of all bits but the sign.
        infinity: the bits of infinity; sizes beyond are those of NaN.
        facts: int64[5], written: all sizes or-ed; the largest and the smallest size of the negative values; the same
            of the positive ones. A largest size of 0: there are none.
    """
    every = np.int64(0)
    least = np.int64(0)
    most = np.int64(0)
    negative = np.uint64(0xFFFFFFFFFFFFFFFF)  # smallest size less 1; less 1 so that zero is beyond all others
    positive = np.uint64(0xFFFFFFFFFFFFFFFF)
    for row in range(bits.size):
        word = np.int64(bits[row])
        word = np.int64(0) if (word & magnitude) > infinity else word
        size = word & magnitude
        every |= size
        signed = size ^ (word >> np.int64(63))  # the size, or of a negative value -1 - size
        least = signed if signed < least else least
        most = signed if signed > most else most
        below = np.uint64(signed - np.int64(1))
        positive = below if below < positive else positive
        below = np.uint64(np.int64(-2) - signed)
        negative = below if below < negative else negative
    facts[0] = every
    facts[1] = np.int64(-1) - least if least < 0 else np.int64(0)
    facts[2] = np.int64(negative + np.uint64(1))
    facts[3] = most
    facts[4] = np.int64(positive + np.uint64(1))


@jit
def place_of(word, magnitude, dropped, line):
    """A value's place on the line, as an uint64; see `items_of_values`."""
    size = word & magnitude
    short = size >> dropped
    place = line[0] - short if word < 0 else line[2] + short
    return np.uint64(line[1] if size == 0 else place)


@jit
def items_of_values(bits, magnitude, infinity, dropped, line, n_low, items, low):
    """Writes an item for each row: 1 + the high part of the value's place, or 0 where it is missing; and the row.

    Args:
        bits, magnitude, infinity: as for `survey`. dropped: how many low bits of the sizes are 0.
        line: (int64, int64, int64): a negative value of size s is at line[0] - s, zero at line[1], a positive value
            at line[2] + s; modulo 2**64.
        n_low: how many bits of the place are its low part, at most 32.
        items: uint64[n], written. low: uint32[n], the low parts; not looked at when there are none.
    """
    cut = np.uint64(n_low)
    for row in range(bits.size):
        word = np.int64(bits[row])
        key = (place_of(word, magnitude, dropped, line) >> cut) + np.uint64(1)
        key = np.uint64(0) if (word & magnitude) > infinity else key
        items[row] = (key << KEY) | np.uint64(row)
    if n_low > 0:
        mask = (np.uint64(1) << cut) - np.uint64(1)
        for row in range(bits.size):
            low[row] = np.uint32(place_of(np.int64(bits[row]), magnitude, dropped, line) & mask)


@jit
def settle(items, low, n_low, spare, first):
    """Sorts every run of equal keys by the low parts, and writes dense ranks in place of the keys (0 stays 0).

    Args:
        items: uint64[n], sorted by key. low: uint32[n] by row. n_low: how many bits they have.
        spare: uint64[n], overwritten. first: uint32[n], written: a row of rank i + 1 at i.

    Returns:
        The number of ranks.
    """
    rank = np.uint64(0)
    other = spare[:0]
    start = 0
    while start < items.size and items[start] >> KEY == 0:
        start += 1
    while start < items.size:
        item = items[start]
        key = item >> KEY
        end = start + 1
        while end < items.size and items[end] >> KEY == key:
            end += 1
        n = end - start
        if n == 1:
            first[rank] = np.uint32(item & ROW)
            rank += np.uint64(1)
            items[start] = (rank << KEY) | (item & ROW)
        else:
            falls = False
            last = np.uint64(0)
            for i in range(n):
                row = items[start + i] & ROW
                part = np.uint64(low[row])
                falls |= part < last
                last = part
                spare[i] = (part << KEY) | row
            run = spare
            if falls and n <= FEW:
                insert_each(spare, n)
            elif falls:
                if n > other.size:
                    other = np.empty(2 * n, dtype=np.uint64)
                run = radix_sort(spare, other, n, n_low)
            last = ROW + np.uint64(1)  # no part is
            for i in range(n):
                part = run[i] >> KEY
                if part != last:
                    first[rank] = np.uint32(run[i] & ROW)
                    rank += np.uint64(1)
                last = part
                items[start + i] = (rank << KEY) | (run[i] & ROW)
        start = end
    return np.int64(rank)


@jit
def places_of_items(items, places):
    """Writes the place of every different key of sorted items but 0, ascending, and returns how many.

    Both arrays are uint64[n]. No place has a low part.
    """
    rank = np.int64(0)
    last = np.uint64(0)
    for i in range(items.size):
        key = items[i] >> KEY
        places[rank] = key - np.uint64(key > np.uint64(0))  # kept when the key is new, else overwritten: no branch
        rank += np.int64(key != last)
        last = key
    return rank


@jit
def ranks_of_items(items, codes, order):
    """Writes the rank of each row's key into codes, unsigned integer[n], and the order of the rows, uint32[n].

    The items, uint64[n], are sorted; the key 0 has rank 0.
    """
    rank = np.int64(0)
    last = np.uint64(0)
    for i in range(items.size):
        item = items[i]
        row = np.uint32(item & ROW)
        rank += np.int64(item >> KEY != last)
        last = item >> KEY
        order[i] = row
        codes[row] = rank


@jit
def bits_of_places(places, magnitude, dropped, line, bits):
    """Writes the bits of the values that stand at places, uint64[n]: int32 or int64 [n]. See `items_of_values`."""
    zero = np.uint64(line[1])
    for i in range(bits.size):
        place = np.int64(places[i])
        is_negative = places[i] < zero
        size = (line[0] - place if is_negative else place - line[2]) << dropped
        word = size | ~magnitude if is_negative else size
        bits[i] = np.int64(0) if places[i] == zero else word


@jit
def values_of_rows(values, rows, out):
    """Writes values[rows[i]] into out[i], float64; -0.0 becomes 0.0."""
    for i in range(out.size):
        out[i] = np.float64(values[rows[i]]) + 0.0


@jit
def any_fraction(values):
    """Whether one of the values, float64[n], is finite and not whole; looks no further than the first such."""
    found, i = False, 0
    while i < values.size and not found:
        found = values[i] != np.floor(values[i]) and np.isfinite(values[i])
        i += 1
    return found
