"""A stable radix sort of items: a key of 32 bits and the row that it came from, in one word.

    item    key (high 32 bits) | row (low 32 bits)
    pass 0  deals the items out by the lowest digit of the key, in the order of the rows
    pass 1  by the next digit, in the order that pass 0 left; equal digits keep that order
    …       after the pass of the highest digit the items ascend by key, and by row where keys are equal

A pass reads one array and writes the other, one word for each item; nothing is compared, so no branch is guessed
wrongly. All digits are counted in one reading beforehand. Keys that need few bits need few passes. Up to 13 bits a
digit's counters (32 KB) stay in the first cache; a short array takes narrower digits, for clearing the counters costs
as well. What ascends already, as times and numbers of rows often do, is only read once.
Many items are better dealt out into groups first, which are sorted in the cache one after the other: see `groups`.
"""

import numpy as np

from engine.runtime.compiler import jit

ROW = np.uint64(0xFFFFFFFF)  # the part of an item that is the row
KEY = np.uint64(32)  # how far the key lies above it
WIDEST = 13  # bits of a digit
FEW = 32  # items that are quicker to insert one by one than to deal out


@jit
def digits_of(n, n_bits):
    """(how many digits, bits of each) for n keys of so many bits."""
    widest = 4
    while widest < WIDEST and (1 << widest) < n:
        widest += 1
    n_digits = max(1, (n_bits + widest - 1) // widest)
    return n_digits, (n_bits + n_digits - 1) // n_digits


@jit
def count_digits(items, n, width, counts):
    """Adds the digits of the first n items to `counts`, uint32[n_digits, 2**width]."""
    one = np.uint32(1)
    mask = np.uint64(counts.shape[1] - 1)
    step = np.uint64(width)
    if counts.shape[0] == 1:
        first = counts[0]
        for i in range(n):
            first[(items[i] >> KEY) & mask] += one
    elif counts.shape[0] == 2:  # written out, for these are the ways of most columns
        first, second = counts[0], counts[1]
        for i in range(n):
            key = items[i] >> KEY
            first[key & mask] += one
            second[(key >> step) & mask] += one
    elif counts.shape[0] == 3:
        first, second, third = counts[0], counts[1], counts[2]
        for i in range(n):
            key = items[i] >> KEY
            first[key & mask] += one
            second[(key >> step) & mask] += one
            third[(key >> (step + step)) & mask] += one
    else:
        for i in range(n):
            key = items[i] >> KEY
            for digit in range(counts.shape[0]):
                counts[digit, key & mask] += one
                key >>= step


@jit
def sort_by_digits(items, spare, n, n_bits):
    """Sorts the first n items by the lowest bits of the key, stable, to and fro; returns the array that holds them."""
    n_digits, width = digits_of(n, n_bits)
    counts = np.zeros((n_digits, 1 << width), dtype=np.uint32)
    count_digits(items, n, width, counts)
    mask = np.uint64((1 << width) - 1)
    one = np.uint32(1)
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
def insert_each(items, n):
    """Sorts the first n items by key and row, moving each to its place among those before."""
    for i in range(1, n):
        item = items[i]
        at = i
        while at > 0 and items[at - 1] > item:
            items[at] = items[at - 1]
            at -= 1
        items[at] = item


@jit
def are_sorted(items, n):
    """Whether the keys of the first n items ascend; looks no further than where they first do not."""
    i = 1
    while i < n and items[i - 1] >> KEY <= items[i] >> KEY:
        i += 1
    return i >= n


@jit
def radix_sort(items, spare, n, n_bits):
    """Sorts the first n items by key, stable where the rows ascend.

    Args:
        items, spare: uint64[at least n]; both are written. n: below 2**32. n_bits: no key has a bit beyond these.

    Returns:
        The one of the two that holds the sorted items.
    """
    if are_sorted(items, n):
        return items
    return sort_by_digits(items, spare, n, n_bits)


@jit
def items_of_codes(codes, items):
    """Writes an item for each row: its code (unsigned integer[n]) as the key."""
    for row in range(codes.size):
        items[row] = (np.uint64(codes[row]) << KEY) | np.uint64(row)


@jit
def rows_of_items(items, rows):
    """Writes the row of each item, uint32[n]."""
    for i in range(rows.size):
        rows[i] = np.uint32(items[i] & ROW)


@jit
def order_by_code(codes, n_codes, order):
    """Counting sort: writes the rows by ascending code into `order` (uint32[n]), stable.

    `codes` is uint8, uint16 or uint32 and below `n_codes`. With more codes than a cache holds counters for,
    `radix_sort` is quicker.
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
