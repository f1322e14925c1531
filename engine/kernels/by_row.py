"""Counting the target of all columns at once, from a matrix that holds the bins of a row side by side.

    matrix       row 0 |  7  3 12  5        uint16[n_rows, C], the bins of every column; 0 is missing
                 row 1 |  1  9  0  4
    rows         0 4 9 ...                   of the node, scattered over the table
    lines        their lines one after the other

    counted[j]   | 40 30 | 25 35 | ...       float64[bins, W], the target in wider bins of column j

The rows of a node deep in the tree lie far apart. A column by itself then costs a line of the cache for every row, and
waiting for it takes longer than counting; here one or two lines bring all columns. A node keeps its lines, so its
children find theirs close together, and the rows in open bins are found without going back. They are copied in words of
four bins and counted some hundreds at a time: column after column, so that the bins stay near.
"""

import numpy as np

from engine.kernels import jit
from engine.kernels.histogram import bin_of
from engine.kernels.target import add_row

BLOCK = 512  # rows; their lines fit the first cache


@jit
def fill_bins(codes, start, stop, shift, matrix, j):
    """Writes the bins of rows start..stop - 1 into column j of the matrix."""
    for row in range(start, stop):
        matrix[row, j] = bin_of(np.int64(codes[row]), shift)


@jit
def count_block(lines, place, start, n, target, shift, bins):
    """Adds n rows from `start` on to the bins of the column at `place` in the lines, see `count_columns`."""
    # unsigned, as an index that may be negative costs a comparison
    bits, most = np.uint64(shift), np.uint64((1 << shift) - 1)
    if target.labels.size and not target.weights.size:
        labels = target.labels
        for k in range(start, start + n):
            bins[(np.uint64(lines[k, place]) + most) >> bits, np.uint64(labels[k])] += 1.0
        return
    for k in range(start, start + n):
        b = (np.uint64(lines[k, place]) + most) >> bits
        add_row(bins, b, k, target)
        if target.weights.size:
            bins[b, bins.shape[1] - 1] += 1.0


@jit
def count_columns(source, source_rows, first, words, lines, rows, target, shifts, counted):
    """Counts the rows of a node by bin in `shifts.size` neighbouring columns.

    Args:
        source: uint64[s, ·], lines from which those of the node are copied, four bins in each word;
        source_rows: uint32[s], their rows, ascending; empty if they are all rows of the table;
        first: the first word that is wanted;
        words: uint64[n, m], written: m words of each row; lines: the same memory as uint16[n, 4 * m];
        rows: uint32[n], of the node, ascending; target: by place in `rows`;
        shifts: int64[c], by how many bits the bins are wider than those of the matrix, column by column;
        counted: float64[c, bins, W], zeroed, see `engine.wide_search.WideNode.width`.
    """
    at, n_words = -1, words.shape[1]
    for start in range(0, rows.size, BLOCK):
        n = min(BLOCK, rows.size - start)
        for k in range(start, start + n):
            row = np.int64(rows[k])
            if source_rows.size:
                at += 1
                while np.int64(source_rows[at]) < row:
                    at += 1
            else:
                at = row
            for w in range(n_words):
                words[k, w] = source[at, first + w]
        for j in range(shifts.size):
            count_block(lines, j, start, n, target, shifts[j], counted[j])


@jit
def mark_lines(lines, place, shift, is_open, places):
    """Collects the places of the rows whose bin is open in one column; see `engine.kernels.histogram.mark_open`."""
    n = 0
    for k in range(lines.shape[0]):
        places[n] = k
        n += np.int64(is_open[bin_of(np.int64(lines[k, place]), shift)])
    return n
