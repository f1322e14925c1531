"""The bins of all columns that are cut, side by side in words, in the order of the rows that are grown on.

The kernels and the picture are in `engine.search.kernels.histogram_by_row`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.runtime.threads import Workers
from engine.search.kernels.histogram_by_row import fill_bins
from engine.table.column import Column

MOST_BINS = 2**16 - 1  # they fit 16 bits
IN_A_WORD = 4
ROWS_AT_ONCE = 2**14  # their words fit the second cache while one column after the other is written


@dataclass(frozen=True, eq=False)
class BinMatrix:
    """The bins of some columns.

    Attributes:
        words: uint64[·, n], four bins in each: column j stands in lane j % 4 of line j // 4.
        shifts: int64[c], of each column: a bin holds 2**shift neighbouring codes.
    """

    words: NDArray[np.uint64]
    shifts: NDArray[np.int64]


def make_matrix(columns: Sequence[Column], rows: NDArray[np.uint32], workers: Workers) -> BinMatrix:
    """The matrix of some rows, in their order; made on all threads."""
    words = np.empty((-(-len(columns) // IN_A_WORD), rows.size), np.uint64)
    shifts = [base_shift(column) for column in columns]

    def fill(start: int) -> None:
        some = rows[start : start + ROWS_AT_ONCE]
        for j in range(words.shape[0] * IN_A_WORD):
            lanes = words[j // IN_A_WORD, start : start + some.size].view(np.uint16)[j % IN_A_WORD :]
            if j < len(columns):
                fill_bins(columns[j].codes, some, shifts[j], lanes)
            else:
                lanes[::IN_A_WORD] = 0

    workers.each(fill, range(0, rows.size, ROWS_AT_ONCE))
    return BinMatrix(words, np.array(shifts, np.int64))


def base_shift(column: Column) -> int:
    """By how many bits the codes of a column are shifted to fit the matrix."""
    shift = 0
    while column.n_values > MOST_BINS << shift:
        shift += 1
    return shift
