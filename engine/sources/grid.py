"""Grids on which columns of very many values are counted: bins of neighbouring codes, single codes where they matter.

codes   1 2 3 4 | 5 6 7 8 | 9 10 11 12 | 13 14
bins       1         2          3           4       of 2² codes
cells      1         1      2  3  4  5      6       where bin 3 is open, at one path
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of neighbouring codes, for each path of a scan.

    Attributes:
        shift: a bin holds 2**shift codes; bin 0 is missing, and cell 0.
        first: uint32[lines, bins], the first cell of each bin by path; one line where every bin is a cell.
        inside: uint32[lines, bins], 2**shift - 1 where each code is a cell of its own, else 0; without lines where
            every bin is a cell.
        width: the most cells of any path, missing being one.
    """

    shift: int
    first: NDArray[np.uint32]
    inside: NDArray[np.uint32]
    width: int

    @classmethod
    def of_bins(cls, n_values: int, most: int) -> "Grid":
        """At most so many bins, each a cell, of an equal number of values."""
        shift = 0
        while n_values > most << shift:
            shift += 1
        n_bins = ((n_values - 1) >> shift) + 2
        cells = np.arange(n_bins, dtype=np.uint32)[None]
        return cls(shift, cells, cells[:0], n_bins)

    def opened(self, bins: list[NDArray[np.int64]], n_values: int) -> "Grid":
        """The same with these bins of each path open; all that lies between two of them is one cell."""
        n_bins, single = self.first.shape[1], np.uint32((1 << self.shift) - 1)
        inside, first = np.zeros((len(bins), n_bins), np.uint32), np.zeros((len(bins), n_bins), np.uint32)
        width, n_codes = 1, np.full(n_bins, 1 << self.shift)
        n_codes[-1] = n_values - ((n_bins - 2) << self.shift)
        for path, some in enumerate(bins):
            is_open = np.zeros(n_bins, np.bool_)
            is_open[some] = True
            begins = ~is_open
            begins[2:] &= is_open[1:-1]
            n_cells = np.where(is_open, n_codes, begins)[1:]
            passed = np.cumsum(n_cells)
            first[path, 1:] = np.where(is_open[1:], passed - n_cells + 1, passed)
            inside[path, is_open] = single
            width = max(width, int(passed[-1]) + 1)
        return Grid(self.shift, first, inside, width)

    def cells(self, path: NDArray[np.integer], codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """uint32[n]: the cells of rows, or of groups of them, from their paths and codes; paths beyond the lines begin
        again with the first one."""
        bins = bin_of(codes, self.shift)
        if not self.inside.size:
            return bins
        at = (path % self.first.shape[0]) * self.first.shape[1] + bins
        return self.first.ravel()[at] + ((codes - np.uint32(1)) & self.inside.ravel()[at])

    def ends(self, path: int, n_values: int) -> NDArray[np.int64]:
        """int64[cells]: the largest code of each cell at a path; 0 for missing."""
        codes = np.arange(self.first.shape[1], dtype=np.int64) << self.shift  # the last of each bin
        codes[-1] = n_values
        first, is_open = self.first[path].astype(np.int64), self.inside[path] > 0
        found = np.zeros(self.width, np.int64)
        np.maximum.at(found, first, codes)  # of several bins in one cell the last one's
        for b in np.flatnonzero(is_open).tolist():
            own = np.arange(codes[b - 1] + 1, codes[b] + 1)
            found[first[b] : first[b] + own.size] = own
        return found


Grids = Mapping[int, Grid]  # by the place of a column; one without a grid is counted by its codes
NO_GRIDS: Grids = {}


def bin_of(codes: NDArray[np.uint32], shift: int) -> NDArray[np.uint32]:
    """The bins of 2**shift codes; 0, missing, has its own."""
    return (codes + np.uint32((1 << shift) - 1)) >> np.uint32(shift)
