"""From the values of a column to dense ranks, distinct values and the order of the rows; a stable radix sort.

    values    7.5  nan  2.0  7.5       (a column, row by row)
    places    4    0    1    4         (whole numbers in the order of the values; 0 = missing)
    groups    0|1 1|2   | 4|0 4|3      (place | row, dealt out by the highest bits of the place; here two groups)
    sorted    0|1 1|2   | 4|0 4|3      (each group by the rest of the place)
    order     1    2    0    3         (rows by ascending value, the missing ones first)
    distinct  2.0  7.5
    codes     2    0    1    2         (rank of each row's value)

For 10 million random numbers this takes 0.4 s where `numpy.argsort` takes 2.9 s and `pandas.factorize` 5 s (one core of
a desktop computer).

**Places.** The bits of a float without its sign, its size, order like its absolute value; so size, or minus size,
orders like the value. `survey` finds the lowest, the highest, and the bits at the low end that are 0 in all sizes; a
place is counted from the lowest without these bits. Whole numbers, values that were float32 and values of like size
take few bits in this way, hence few passes.

**Groups.** A million places fit in no near cache, so they are dealt out once, into some thousand groups that are each
written one item after the other, and ranks are fetched the same way. Rows of a group ascend and its sort is stable, so
the order is stable too. Where there are few places, each is a group of its own, and nothing is left to sort.

**The radix sort** deals items out by the lowest digit of the key, then by the next: a pass reads one array and writes
the other, nothing is compared, so no branch is guessed wrongly. Up to 13 bits a digit's counters (32 KB) stay in the
first cache; a short array takes narrower digits, for clearing the counters costs as well. What ascends already, as
times and numbers of rows often do, is only read once.
"""

import numpy as np

from engine.runtime.compiler import jit, jit_inside

ROW = np.uint64(0xFFFFFFFF)  # the part of an item that is the row
KEY = np.uint64(32)  # how far the key lies above it
KEY_BITS = 32
WIDEST = 13  # bits of a digit
FEW = 32  # items that are quicker to insert one by one than to deal out
MAGNITUDE = np.int64(2**63 - 1)  # the mask of all bits of a float64 but its sign
INFINITY = np.uint64(0x7FF0000000000000)  # the bits of infinity; sizes beyond are those of NaN


@jit_inside
def radix_sort(items, spare, n, n_bits):
    """Sorts the first n items by key, stable.

    Args:
        items, spare: uint64[at least n]; both are written. n: below 2**32. n_bits: no key has a bit beyond these.

    Returns:
        The one of the two that holds the sorted items.
    """
    i = 1
    while i < n and items[i - 1] >> KEY <= items[i] >> KEY:
        i += 1
    if i >= n:
        return items
    if n <= FEW:
        for i in range(1, n):
            item = items[i]
            at = i
            while at > 0 and items[at - 1] >> KEY > item >> KEY:
                items[at] = items[at - 1]
                at -= 1
            items[at] = item
        return items
    widest = 4
    while widest < WIDEST and (1 << widest) < n:
        widest += 1
    n_digits = max(1, (n_bits + widest - 1) // widest)
    width = (n_bits + n_digits - 1) // n_digits
    counts = np.zeros((n_digits, 1 << width), dtype=np.uint32)
    mask, step, one = np.uint64((1 << width) - 1), np.uint64(width), np.uint32(1)
    for i in range(n):
        key = items[i] >> KEY
        for digit in range(n_digits):
            counts[digit, key & mask] += one
            key >>= step
    source, target = items, spare
    for digit in range(n_digits):
        start = counts[digit]
        before = np.uint32(0)
        for value in range(start.size):
            count = start[value]
            start[value] = before
            before = np.uint32(before + count)
        shift = np.uint64(32 + digit * width)
        for i in range(n):
            item = source[i]
            value = (item >> shift) & mask
            at = start[value]
            start[value] = np.uint32(at + one)
            target[at] = item
        source, target = target, source
    return source


@jit
def order_by_code(codes, n_codes, order):
    """Counting sort: writes the rows by ascending code into `order` (uint32[n]), stable.

    `codes` is uint8, uint16 or uint32 and below `n_codes`.
    """
    start = np.zeros(n_codes + 1, dtype=np.uint32)
    one = np.uint32(1)
    for row in range(codes.size):
        start[np.int64(codes[row]) + 1] += one
    for code in range(n_codes):
        start[code + 1] = np.uint32(start[code + 1] + start[code])
    for row in range(codes.size):
        code = np.int64(codes[row])
        at = start[code]
        order[at] = row
        start[code] = np.uint32(at + one)


# -- ranks


@jit_inside
def place_of(word, line):
    """Where the value with these bits stands, from 1 on, as an uint64; 0 if it is missing.

    line: uint64 each. How many low bits of all sizes are 0, which are left out; where zero stands, or the smallest size
        if all are positive; and that smallest size, else 0.
    """
    size = np.uint64(word & MAGNITUDE)
    if size > INFINITY:
        return np.uint64(0)
    place = line[1] - size if word < 0 else line[1] + (size - line[2])
    return (place >> line[0]) + np.uint64(1)


@jit_inside
def value_at(place, line):
    """The value that stands at a place; the other way round as `place_of`."""
    at = (place - np.uint64(1)) << line[0]
    size = line[1] - at if at < line[1] else at - line[1] + line[2]
    word = np.int64(size) | ~MAGNITUDE if at < line[1] else np.int64(size)
    return np.int64(word).view(np.float64)


@jit
def survey(bits, facts):
    """How the values of a column lie.

    Args:
        bits: int64[n], the values' bits.
        facts: int64[3], written: all sizes or-ed; the smallest and the largest of the sizes, minus size of a negative
            value.
    """
    every, lowest, highest = np.int64(0), MAGNITUDE, -MAGNITUDE
    for row in range(bits.size):
        word = bits[row]
        size = word & MAGNITUDE
        signed = -size if word < 0 else size
        is_missing = np.uint64(size) > INFINITY
        every |= np.int64(0) if is_missing else size
        lowest = min(lowest, MAGNITUDE if is_missing else signed)
        highest = max(highest, -MAGNITUDE if is_missing else signed)
    facts[0], facts[1], facts[2] = every, lowest, highest


@jit
def deal_out(bits, line, n_rest, places, rows, ends):
    """Writes the place and the number of each row, in groups by the bits of the place above the n_rest lowest, stable.

    Args:
        bits: int64[n], the values' bits.
        line: see `place_of`.
        places: uint64[n], written where n_rest is above 0; rows: uint32[n], written.
        ends: uint32[values of these bits], zeros; becomes where the group of each value ends.

    Returns:
        The rows of the largest group.
    """
    shift, one = np.uint64(n_rest), np.uint32(1)
    for row in range(bits.size):
        ends[place_of(bits[row], line) >> shift] += one
    before, largest = np.uint32(0), np.int64(0)
    for group in range(ends.size):
        count = ends[group]
        largest = max(largest, np.int64(count))
        ends[group] = before
        before = np.uint32(before + count)
    for row in range(bits.size):
        place = place_of(bits[row], line)
        at = ends[place >> shift]
        ends[place >> shift] = np.uint32(at + one)
        rows[at] = np.uint32(row)
        if n_rest > 0:
            places[at] = place
    return largest


@jit
def rank_groups(places, rows, ends, n_rest, rooms, line, distinct):
    """Puts the rows in order, and ranks in place of the places; writes the distinct values.

    Args:
        places, rows, ends, n_rest, line: as for `deal_out`.
        rooms: uint64[2, rows of the largest group], overwritten.
        distinct: float64[n], written as far as there are values.

    Returns:
        The number of distinct values.
    """
    first, second = rooms[0], rooms[1]
    rest = (np.uint64(1) << np.uint64(n_rest)) - np.uint64(1)
    rank, start, last = np.int64(0), 0, np.uint64(0)
    for which in range(ends.size):
        end = np.int64(ends[which])
        n, group = end - start, places[start:end]
        for i in range(n):
            first[i] = ((group[i] & rest) << KEY) | np.uint64(i)
        found = radix_sort(first, second, n, min(n_rest, KEY_BITS))
        if n_rest > KEY_BITS:  # then by the digits that did not fit into a key
            other = second if found is first else first
            for i in range(n):
                here = found[i] & ROW
                found[i] = ((group[here] & rest) >> KEY) << KEY | here
            found = radix_sort(found, other, n, n_rest - KEY_BITS)
        for i in range(n):
            here = found[i] & ROW
            place = group[here]
            if place != last:
                rank += 1
                last = place
                distinct[rank - 1] = value_at(place, line)
            group[here] = np.uint64(rank)
            found[i] = np.uint64(rows[start + np.int64(here)])
        for i in range(n):
            rows[start + i] = np.uint32(found[i])
        start = end
    return rank


@jit
def fetch_ranks(bits, line, n_rest, ranks, ends, codes):
    """Writes the code of each row, unsigned integer[n], by looking the ranks up group by group as the rows were dealt.

    bits … n_rest, ends: as for `deal_out`; ends is overwritten. ranks: uint64[n], from `rank_groups`.
    """
    shift, one, before = np.uint64(n_rest), np.uint32(1), np.uint32(0)
    for group in range(ends.size):
        end = ends[group]
        ends[group] = before
        before = end
    for row in range(bits.size):
        group = place_of(bits[row], line) >> shift
        at = ends[group]
        ends[group] = np.uint32(at + one)
        codes[row] = ranks[at]
