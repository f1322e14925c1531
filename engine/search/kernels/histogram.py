"""Counting the target of a large node by code: in bins of neighbouring codes, then code by code in a few of them.

    codes        9  1  4  0  6  12  5        of the node's rows, looked up by row number; 0 is missing
    shift 2      bin 0: code 0 | bin 1: codes 1 to 4 | bin 2: 5 to 8 | bin 3: 9 to 12
    bins         2  2  2  1 ...              float64[n_bins, S], the target's statistic in each bin

    is_open      bin 2 only                  may hold the best cut, see `engine.search.kernels.cut_bounds`
    fine         code 5, code 6              the same for each code in the open bins, ascending

Nothing is sorted and no row is moved: a bin is a shift of the code, so one pass of about a nanosecond a row and column
finds nearly all that the search needs, and a table of bins fits the second cache.

`target` holds the targets of the node's rows in the order of `rows`, see `engine.search.kernels.count.Target`.

In trees four columns are counted at once, from words that hold the bins of a row side by side:

    words        line 0 |  7  3 12  5 |  1  9  0  4 | ...    uint64, one for each row: its bins of columns 0 to 3
                 line 1 |  2  2  8  1 |  6  0  3  3 | ...    those of columns 4 to 7; 0 is missing

    counted[j]   | 40 30 | 25 35 | ...       float64[bins, W], the target in wider bins of column j
    of a child   | 30 10 | 15 20 | ...
    its sibling  | 10 20 | 10 15 | ...       what the parent has more: it need not be counted

The rows of a node deep in the tree lie far apart in the table. To look its codes up would cost a line of the cache for
every row and column, and waiting for it takes longer than counting. So the words move with the rows when a node is
split: those of every node stand one after the other. One is read for four columns, whose bins together stay near.
"""

import numpy as np

from engine.runtime.compiler import jit, jit_inside
from engine.search.kernels.count import add_row


@jit_inside
def bin_of(code, shift):
    """The bin of a code, an int64: 0 for code 0, from 1 on bins of 2**shift codes each."""
    return (code + (1 << shift) - 1) >> shift


@jit
def add_rows(codes, rows, target, shift, bins):
    """Adds the rows of a node to the statistics of their bins.

    Args:
        codes: unsigned integer[n_rows], of all rows of the table; rows: uint32[n], those of the node;
        bins: float64[at least the number of bins, W], zeroed, see `engine.search.large_nodes.LargeNode.width`.
    """
    # unsigned, as an index that may be negative costs a comparison
    bits, most = np.uint64(shift), np.uint64((1 << shift) - 1)
    if target.labels.size and not target.weights.size:
        labels = target.labels
        for k in range(rows.size):
            bins[(np.uint64(codes[rows[k]]) + most) >> bits, np.uint64(labels[k])] += 1.0
        return
    for k in range(rows.size):
        b = (np.uint64(codes[rows[k]]) + most) >> bits
        add_row(bins, np.int64(b), k, target)
        if target.weights.size:
            bins[b, bins.shape[1] - 1] += 1.0


@jit
def mark_open(codes, rows, shift, is_open, found, places):
    """Collects the codes of rows in open bins, and their places in `rows`; returns how many.

    No jump to mispredict, which would wait for a code from far away: each row is written, and stays if it is open.

    is_open: uint8[n_bins]; found, places: int64[one more than that many], written.
    """
    n = 0
    for k in range(rows.size):
        code = np.int64(codes[rows[k]])
        found[n], places[n] = code, k
        n += np.int64(is_open[bin_of(code, shift)])
    return n


@jit
def read_codes(codes, rows, places, n, found):
    """Writes the codes of the rows at the first n places into int64 `found`."""
    for i in range(n):
        found[i] = codes[rows[places[i]]]


@jit
def mark_open_in_order(codes, order, shift, is_open, n_bins, found, places):
    """`mark_open` for a node of all rows of the table, where open bins are slices of `order`, uint32[n_rows], the rows
    by ascending code; the places then come in that order."""
    n = 0
    b = 1
    while b < n_bins:
        if not is_open[b]:
            b += 1
            continue
        last = b
        while last + 1 < n_bins and is_open[last + 1]:
            last += 1
        least, most = ((b - 1) << shift) + 1, last << shift
        low, high = 0, order.size
        while low < high:
            middle = (low + high) // 2
            if np.int64(codes[order[middle]]) < least:
                low = middle + 1
            else:
                high = middle
        while low < order.size and np.int64(codes[order[low]]) <= most:
            found[n], places[n] = np.int64(codes[order[low]]), np.int64(order[low])
            n += 1
            low += 1
        b = last + 1
    return n


@jit
def mark_codes(codes, rows, seen):
    """Marks the codes that the rows have in uint8[n_codes], zeroed."""
    for k in range(rows.size):
        seen[codes[rows[k]]] = 1


@jit
def fill_bins(codes, rows, shift, lanes):
    """Writes the bins of the rows into every fourth place of uint16 `lanes`."""
    for k in range(rows.size):
        lanes[4 * k] = bin_of(np.int64(codes[rows[k]]), shift)


@jit
def count_words(words, target, shifts, counted):
    """Counts the rows of a node by bin in four neighbouring columns.

    Args:
        words: uint64[n], a line of the node; target: of its rows, in the same order;
        shifts: int64[4], by how many bits the bins are wider than those of the words, column by column;
        counted: float64[4, bins, W], zeroed, see `engine.search.large_nodes.LargeNode.width`.
    """
    # unsigned, as an index that may be negative costs a comparison
    mask, last = np.uint64(0xFFFF), np.uint64(counted.shape[2] - 1)
    bits, most = np.empty(4, np.uint64), np.empty(4, np.uint64)
    for j in range(4):
        bits[j], most[j] = shifts[j], (1 << shifts[j]) - 1
    labels, numbers, weights = target.labels, target.numbers, target.weights
    if labels.size and not weights.size:
        for k in range(words.size):
            word, label = words[k], np.uint64(labels[k])
            for lane in range(4):
                j = np.uint64(lane)
                b = (((word >> (j << np.uint64(4))) & mask) + most[j]) >> bits[j]
                counted[j, b, label] += 1.0
        return
    for k in range(words.size):
        word, weight = words[k], weights[k] if weights.size else 1.0
        label = np.uint64(labels[k] if labels.size else 0)
        value = 0.0 if labels.size else numbers[k] - target.centre
        for lane in range(4):
            j = np.uint64(lane)
            b = (((word >> (j << np.uint64(4))) & mask) + most[j]) >> bits[j]
            counted[j, b, label] += weight
            if not labels.size:
                counted[j, b, np.uint64(1)] += weight * value
                counted[j, b, np.uint64(2)] += weight * value * value
            if weights.size:
                counted[j, b, last] += 1.0


@jit
def count_sibling(above, n_bins, wider, others, counted):
    """Counts a node by what its parent has more than the other branches.

    Args:
        above: float64[4, ·, W], of the parent; n_bins: int64[c], how many bins it has of each column;
        wider: int64[4], by how many bits the bins of the branches are wider;
        others: float64[4, bins, W], of the other branches together; counted: the same of the node, zeroed, written.
    """
    for j in range(n_bins.size):
        for b in range(n_bins[j]):
            at = bin_of(b, wider[j])
            for c in range(above.shape[2]):
                counted[j, at, c] += above[j, b, c]
        for b in range(counted.shape[1]):
            for c in range(above.shape[2]):
                counted[j, b, c] -= others[j, b, c]


@jit
def mark_words(lanes, lane, shift, is_open, places):
    """Collects the places of the rows whose bin is open in one column; see `engine.search.kernels.histogram.mark_open`.

    lanes: uint16[4n], the words of a line; lane: the place of the column in each word.
    """
    n, bits, most = 0, np.uint64(shift), np.uint64((1 << shift) - 1)  # unsigned, see `count_words`
    some = lanes[lane:]
    for k in range(lanes.size // 4):
        places[n] = k
        n += np.int64(is_open[(np.uint64(some[4 * k]) + most) >> bits])
    return n
