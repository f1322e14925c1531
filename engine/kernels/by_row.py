"""Counting the target of all columns at once, from a matrix that holds the bins of a row side by side.

    matrix       row 0 |  7  3 12  5        uint16[n_rows, C], the bins of every column; 0 is missing
                 row 1 |  1  9  0  4
    rows         0 4 9 ...                   of the node, scattered over the table
    block        their lines one after the other, some hundreds at a time

    counted[j]   | 40 30 | 25 35 | ...       float64[bins, W], the target in wider bins of column j

The rows of a node deep in the tree lie far apart. A column by itself then costs a line of the cache for every row; here
one or two such lines bring all columns. Copying them into a small block first, in words of four bins, keeps many of
those slow reads in flight at once; from the block each column is counted by itself, so its bins stay near.
"""

import numpy as np

from engine.kernels import jit
from engine.kernels.histogram import bin_of
from engine.kernels.lists import add_row

BLOCK = 512  # rows; their lines fit the first cache


@jit
def fill_bins(codes, start, stop, shift, matrix, j):
    """Writes the bins of rows start..stop - 1 into column j of the matrix."""
    for row in range(start, stop):
        matrix[row, j] = bin_of(np.int64(codes[row]), shift)


@jit
def count_block(lines, place, n, target, start, shift, bins):
    """Adds the n rows of a block to the bins of one column; see `count_columns`.

    lines: uint16[BLOCK, ·]; place: the column in them; start: the place of the first row in the target.
    """
    # unsigned, as an index that may be negative costs a comparison
    bits, most = np.uint64(shift), np.uint64((1 << shift) - 1)
    if target.labels.size and not target.weights.size:
        labels = target.labels[start : start + n]
        for k in range(n):
            bins[(np.uint64(lines[k, place]) + most) >> bits, np.uint64(labels[k])] += 1.0
        return
    for k in range(n):
        b = (np.uint64(lines[k, place]) + most) >> bits
        add_row(bins, b, start + k, target)
        if target.weights.size:
            bins[b, bins.shape[1] - 1] += 1.0


@jit
def count_columns(words, first, block, lines, rows, target, shifts, counted):
    """Counts the rows of a node by bin in `shifts.size` neighbouring columns.

    Args:
        words: uint64[n_rows, ·], the matrix, four bins in each; first: the first word that is wanted;
        block: uint64[BLOCK, m], room for m words of each row; lines: the same memory as uint16[BLOCK, 4 * m];
        rows: uint32[n], of the node; target: by place in `rows`;
        shifts: int64[c], by how many bits the bins are wider than those of the matrix, column by column;
        counted: float64[c, bins, W], zeroed, see `engine.kernels.wide.width_of`.
    """
    n_words = block.shape[1]
    for start in range(0, rows.size, BLOCK):
        n = min(BLOCK, rows.size - start)
        for k in range(n):
            row = np.int64(rows[start + k])
            for w in range(n_words):
                block[k, w] = words[row, first + w]
        for j in range(shifts.size):
            count_block(lines, j, n, target, start, shifts[j], counted[j])
