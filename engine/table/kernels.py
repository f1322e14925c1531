"""From the values of a column to dense ranks, distinct values and the order of the rows; a stable radix sort.

    values    7.5  nan  2.0  7.5       (a column, row by row)
    keys      3    0    1    3         (of 32 bits, in the order of the values; 0 = missing)
    items     0|1       1|2 | 3|0 3|3  (key | row, grouped by the highest bits of the key; here two groups)
    sorted    0|0 1|1   | 3|0 3|1      (each group by the rest of the key: key | place in the group)
    order     1    2    0    3         (rows by ascending value, the missing ones first)
    distinct  2.0  7.5
    items     0         1   | 2   2    (the group's items give way to the ranks)
    codes     2    0    1    2         (rank of each row's value: the rows fetch them, group by group, as they brought
                                        the keys)

For 10 million random numbers this takes 0.2 s where `numpy.argsort` takes 2.9 s and `pandas.factorize` 5 s (one core of
a desktop computer).

**Keys.** The bits of a float without its sign, its size, order like its absolute value. So the values lie on a line of
whole numbers, of which only the stretches in use are numbered: negative values by falling size, zero, positive ones by
rising size; bits at the low end that are 0 in all sizes are dropped. Whole numbers, values that were float32 and values
of like size take few bits in this way, hence few passes. `survey` finds the stretches without a branch.

    place   0 … n_negative - 1 | n_negative | n_negative + 1 …
    value   negative           | zero       | positive

Where a place takes more than 32 bits, the key is its high part, and `settle` sorts the runs of equal keys by the low
part, which is seldom more than a look: among random values hardly two share their first 32 bits.

**Groups.** A million items fit in no near cache, so they are dealt out once, into some thousand places that are each
written one item after the other, and fetched the same way. All between these, sorting, numbering and looking rows up,
is done for one group of some thousand while it is in the cache. Rows of a group ascend and their sort is stable, so the
order is stable too. `codes` holds the keys to begin with, so that no other room is needed.

**Few keys** need no sort (`number_keys`, `place_rows`): two readings, one to count the rows of each key and one to hand
out ranks and places; the tables stay in the cache (whole numbers from 0 to 99, 10 million rows: 0.06 instead of 0.2 s).

**The radix sort** deals items out by the lowest digit of the key, then by the next: a pass reads one array and writes
the other, nothing is compared, so no branch is guessed wrongly. Up to 13 bits a digit's counters (32 KB) stay in the
first cache; a short array takes narrower digits, for clearing the counters costs as well. What ascends already, as
times and numbers of rows often do, is only read once.
"""

import numpy as np

from engine.runtime.compiler import jit, jit_inside

ROW = np.uint64(0xFFFFFFFF)  # the part of an item that is the row
KEY = np.uint64(32)  # how far the key lies above it
WIDEST = 13  # bits of a digit
FEW = 32  # items that are quicker to insert one by one than to deal out
MAGNITUDE = np.int64(2**63 - 1)  # the mask of all bits of a float64 but its sign
INFINITY = np.int64(0x7FF0000000000000)  # the bits of infinity; sizes beyond are those of NaN


@jit_inside
def digits_of(n, n_bits):
    """(how many digits, bits of each) for n keys of so many bits."""
    widest = 4
    while widest < WIDEST and (1 << widest) < n:
        widest += 1
    n_digits = max(1, (n_bits + widest - 1) // widest)
    return n_digits, (n_bits + n_digits - 1) // n_digits


@jit_inside
def radix_sort(items, spare, n, n_bits):
    """Sorts the first n items by key, stable where the rows ascend.

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
            while at > 0 and items[at - 1] > item:
                items[at] = items[at - 1]
                at -= 1
            items[at] = item
        return items
    n_digits, width = digits_of(n, n_bits)
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


@jit
def survey(bits, facts):
    """What stretches of the line the values of a column take.

    Args:
        bits: int64[n], the values' bits.
        facts: int64[5], written: all sizes or-ed; the largest and the smallest size of the negative values; the same
            of the positive ones. A largest size of 0: there are none.
    """
    zero, one = np.int64(0), np.int64(1)
    every, least, most = zero, zero, zero
    negative = MAGNITUDE  # smallest size less 1, its sign flipped; less 1 so that zero is beyond all others
    positive = MAGNITUDE
    for row in range(bits.size):
        word = bits[row]
        word = zero if word & MAGNITUDE > INFINITY else word
        size = word & MAGNITUDE
        every |= size
        signed = ~size if word < zero else size  # the size, or of a negative value -1 - size
        least = min(least, signed)
        most = max(most, signed)
        positive = min(positive, (signed - one) ^ ~MAGNITUDE)
        negative = min(negative, (~signed - one) ^ ~MAGNITUDE)
    facts[0] = every
    facts[1] = np.int64(-1) - least if least < zero else zero
    facts[2] = (negative ^ ~MAGNITUDE) + one
    facts[3] = most
    facts[4] = (positive ^ ~MAGNITUDE) + one


@jit
def place_of(word, dropped, line):
    """A value's place on the line, as an uint64; see `keys_of_values`."""
    size = word & MAGNITUDE
    short = size >> dropped
    place = line[0] - short if word < 0 else line[2] + short
    return np.uint64(line[1] if size == 0 else place)


@jit
def keys_of_values(bits, dropped, line, n_low, keys):
    """Writes a key for each row: 1 + the high part of the value's place, or 0 where it is missing.

    Args:
        bits: int64[n], the values' bits.
        dropped: how many low bits of the sizes are 0.
        line: (int64, int64, int64): a negative value of size s is at line[0] - s, zero at line[1], a positive value
            at line[2] + s; modulo 2**64.
        n_low: how many bits of the place are its low part, at most 32.
        keys: uint32[n], written.
    """
    cut = np.uint64(n_low)
    for row in range(bits.size):
        word = bits[row]
        key = (place_of(word, dropped, line) >> cut) + np.uint64(1)
        keys[row] = np.uint32(0) if (word & MAGNITUDE) > INFINITY else np.uint32(key)


@jit_inside
def value_at(place, dropped, line):
    """The value at a place, an uint64; the other way round as `place_of`. dropped, line: as for `keys_of_values`."""
    zero = np.uint64(line[1])
    is_negative = place < zero
    size = (line[0] - np.int64(place) if is_negative else np.int64(place) - line[2]) << dropped
    word = size | ~MAGNITUDE if is_negative else size
    return np.int64(0 if place == zero else word).view(np.float64)


@jit_inside
def run_from(items, start, n):
    """Where the first run of equal keys above 0 among sorted items, from `start` on, begins; n if there is none."""
    while start < n - 1 and (items[start] >> KEY != items[start + 1] >> KEY or items[start] <= ROW):
        start += 1
    return start if start < n - 1 else n


@jit
def settle(items, n, low, n_low, spare):
    """Sorts every run of equal keys above 0 by the low parts, stable.

    Args:
        items: uint64[at least n], sorted by key. low: uint32[n], the low parts, for each item where its row part says.
        n_low: how many bits they have. spare: uint64[at least n], overwritten.
    """
    other = spare[:0]
    start = run_from(items, 0, n)
    while start < n:
        key = items[start] >> KEY
        end = start
        falls = False
        last = np.uint64(0)
        while end < n and items[end] >> KEY == key:
            at = items[end] & ROW
            part = np.uint64(low[at])
            falls |= part < last
            last = part
            spare[end - start] = (part << KEY) | at
            end += 1
        length = end - start
        if falls:
            if length > max(FEW, other.size):
                other = np.empty(2 * length, dtype=np.uint64)
            run = radix_sort(spare, other, length, n_low)
            for i in range(length):
                items[start + i] = (key << KEY) | (run[i] & ROW)
        start = run_from(items, end, n)


# -- few keys: counted


@jit
def number_keys(keys, dropped, line, starts, ranks, distinct):
    """Counts the keys and writes what belongs to each; returns how many different ones but 0 there are.

    Args:
        keys: uint32[n], below `ranks.size`. dropped, line: as for `keys_of_values`.
        starts: uint32[number of keys], zeros; becomes where the rows of each key start in the order.
        ranks: uint16[number of keys], written. distinct: float64[number of keys], written as far as there are values.
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
            distinct[rank] = value_at(np.uint64(key - 1), dropped, line)
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


# -- many keys: dealt out into groups


@jit
def deal_out(keys, n_rest, bits, dropped, line, n_low, items, low, ends):
    """Writes an item for each row, key | row, in groups by the bits of the key above the n_rest lowest, stable.

    Args:
        keys: uint32[n]. bits: int64[n], the values' bits; not looked at where n_low is 0.
        dropped, line, n_low: as for `keys_of_values`.
        items: uint64[n], written. low: uint32[n], written: the low part of the place of each item's value, if n_low is
            above 0.
        ends: uint32[values of these bits], zeros; becomes where the group of each value ends.

    Returns:
        The rows of the largest group.
    """
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
            low[at] = np.uint32(place_of(bits[row], dropped, line) & mask)
    return largest


@jit
def rank_groups(items, low, ends, n_rest, rooms, dropped, line, n_low, order, distinct):
    """Writes the order of the rows and the distinct values, and puts the ranks in place of the items.

    Args:
        items: uint64[n], dealt out; becomes the rank of each. low, ends, n_rest, dropped, line, n_low: as for
            `deal_out`.
        rooms: uint64[2, rows of the largest group], overwritten.
        order: uint32[n], written. distinct: float64[n], written as far as there are values.

    Returns:
        The number of distinct values.
    """
    cut = np.uint64(n_low)
    first, second = rooms[0], rooms[1]
    rank, start = np.int64(0), 0
    for which in range(ends.size):
        end = np.int64(ends[which])
        n = end - start
        group = items[start:end]
        for i in range(n):
            first[i] = (group[i] & ~ROW) | np.uint64(i)
        found = radix_sort(first, second, n, n_rest)
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
            distinct[rank - 1] = value_at(place, dropped, line)
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
