"""The bins of all columns that are cut, row by row: what the nodes deep in a large table are counted from.

Made once for a table and kept, as long as its first column lives. The kernels and the picture are in
`engine.kernels.by_row`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from engine.column import Column
from engine.kernels.by_row import count_columns, fill_bins, mark_lines
from engine.kernels.target import Target
from engine.workers import Workers

MOST_BINS = 2**16 - 1  # they fit 16 bits
IN_A_WORD = 4
ROWS_AT_ONCE = 2**14  # their lines fit the second cache while one column after the other is written


@dataclass(frozen=True, eq=False)
class BinMatrix:
    """The bins of some columns.

    Attributes:
        words: uint64[n_rows, ·], four bins in each, the columns side by side.
        shifts: int64[c], of each column: a bin holds 2**shift neighbouring codes.
    """

    words: NDArray[np.uint64]
    shifts: NDArray[np.int64]

    def whole(self) -> "Lines":
        """All of its lines."""
        return Lines(np.zeros(0, np.uint32), self.words, 0)


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines of a matrix, or the words from `first` on of them.

    Attributes:
        rows: uint32[n], ascending; empty if they are all rows of the table.
        words: uint64[n, m].
    """

    rows: NDArray[np.uint32]
    words: NDArray[np.uint64]
    first: int

    def count(
        self, start: int, rows: NDArray[np.uint32], target: Target, wider: NDArray[np.int64],
        counted: NDArray[np.float64],
    ) -> "Lines":  # fmt: skip
        """Counts some of its rows by bin in the columns from `start` on, a multiple of `IN_A_WORD`.

        Args:
            wider: int64[c], by how many bits bins are wider than in the matrix.
            counted: float64[c, bins, W], zeroed, written.

        Returns:
            The lines of these rows.
        """
        words, first = np.empty((rows.size, -(-wider.size // IN_A_WORD)), np.uint64), start // IN_A_WORD
        lines = words.view(np.uint16)
        count_columns(self.words, self.rows, first - self.first, words, lines, rows, target, wider, counted)
        return Lines(rows, words, first)

    def mark(self, column: int, wider: int, is_open: NDArray[np.uint8], places: NDArray[np.int64]) -> None:
        """Writes the places of the rows in open bins of a column."""
        mark_lines(self.words.view(np.uint16), column - self.first * IN_A_WORD, wider, is_open, places)


_kept: WeakKeyDictionary[Column, tuple[tuple[str, ...], BinMatrix]] = WeakKeyDictionary()


def kept_matrix(columns: Sequence[Column]) -> BinMatrix | None:
    """The matrix of these columns, if it was made before."""
    marks, matrix = _kept.get(columns[0], ((), None))
    return matrix if marks == tuple(column.mark for column in columns) else None


def make_matrix(columns: Sequence[Column], workers: Workers) -> BinMatrix:
    """The matrix of these columns, which are of one table; made on all threads and kept."""
    n_rows = columns[0].codes.size
    words = np.empty((n_rows, -(-len(columns) // IN_A_WORD)), np.uint64)
    bins = words.view(np.uint16)
    shifts = [base_shift(column) for column in columns]

    def fill(start: int) -> None:
        for j, column in enumerate(columns):
            fill_bins(column.codes, start, min(start + ROWS_AT_ONCE, n_rows), shifts[j], bins, j)

    workers.each(fill, range(0, n_rows, ROWS_AT_ONCE))
    matrix = BinMatrix(words, np.array(shifts, np.int64))
    _kept[columns[0]] = tuple(column.mark for column in columns), matrix
    return matrix


def base_shift(column: Column) -> int:
    """By how many bits the codes of a column are shifted to fit the matrix."""
    shift = 0
    while column.n_values > MOST_BINS << shift:
        shift += 1
    return shift
