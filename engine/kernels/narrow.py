"""From bins to the few runs among which the best cut of a column is sought.

    bins       | 40 30 | 25 35 | 10 50 | ...     the target in bins of neighbouring values
    is_open                1                     where the ceiling of the cuts inside comes near the best score
    cells      | 40 30 | 9 9: 16 26 | 10 50      in an open bin value by value
    runs       |    49 39    :  26 76  | ...     between the cuts that may be the best one

Only cuts whose score comes near the best one are kept; what lies between two of them melts into one run.
`engine.kernels.ways.search_runs` then decides among these by the same comparisons as among all runs, so the answer
is the same. The statistics of whole-number weights are exact.
"""

import numpy as np

from engine.kernels import jit


@jit
def open_bins(cells, n_bins, floor, is_open):
    """Marks the bins whose inside may hold a cut of at least this score; returns how many rows stand in them.

    is_open: uint8[≥ n_bins], written.
    """
    n = 0
    for b in range(1, n_bins):
        is_open[b] = np.uint8(cells.ceiling[b] >= floor)
        n += cells.sizes[b] * np.int64(is_open[b])
    return n


@jit
def copy_line(stat, i, other, k):
    """stat[i] = other[k]."""
    for c in range(stat.shape[1]):
        stat[i, c] = other[k, c]


@jit
def look_inside(bins, n_bins, shift, is_open, fine, cells, ends):
    """Copies bins, open ones value by value, into `cells`; returns how many cells there are.

    Args:
        fine: (codes int64[f], stat float64[f, S], sizes int64[f]) of the values in open bins, ascending;
        cells: room for n_bins + f; ends: int64[the same], written: the largest code that may stand in each.
    """
    codes, stat, sizes = fine
    copy_line(cells.stat, 0, bins.stat, 0)
    cells.sizes[0] = bins.sizes[0]
    n, at = 1, 0
    for b in range(1, n_bins):
        if is_open[b]:
            while at < codes.size and codes[at] <= b << shift:
                copy_line(cells.stat, n, stat, at)
                cells.sizes[n], ends[n] = sizes[at], codes[at]
                n, at = n + 1, at + 1
        elif bins.sizes[b] > 0:
            copy_line(cells.stat, n, bins.stat, b)
            cells.sizes[n], ends[n] = bins.sizes[b], b << shift
            n += 1
    return n


@jit
def melt(cells, n_cells, ends, floor):
    """Takes cells together, in place, up to every cut of at least the score `floor`; returns the number of runs.

    The runs stand in lines 1 and on; the last one ends with the last cell.
    """
    n = 0
    fresh = True
    for i in range(1, n_cells):
        if fresh:
            n += 1
            if n < i:
                copy_line(cells.stat, n, cells.stat, i)
                cells.sizes[n] = cells.sizes[i]
        else:
            cells.sizes[n] += cells.sizes[i]
            for c in range(cells.stat.shape[1]):
                cells.stat[n, c] += cells.stat[i, c]
        ends[n] = ends[i]
        fresh = cells.score[i] >= floor
    return n
