"""From bins to the few runs among which the best cut of a column is sought.

    cells      | 40 30 | 25 35 | 10 50 | ...     the target in bins of neighbouring values
    is_open                1                     where the ceiling of the cuts inside comes near the best score
    finer      | 40 30 | 9 9: 16 26 | 10 50      in an open bin part by part: narrower bins first, then single values
    runs       |    49 39    :  26 76  | ...     between the cuts that may be the best one

Only cuts whose score comes near the best one are kept; what lies between two of them melts into one run.
`split_kinds.search_runs` then decides among these by the same comparisons as among all runs, so the answer
is the same. The statistics of whole-number weights are exact.
"""

import numpy as np

from engine.runtime.compiler import jit


@jit
def open_cells(cells, n_cells, floor):
    """Of the cells marked as open, keeps those whose inside may hold a cut of at least this score; returns how many
    rows stand in them."""
    n = 0
    for b in range(1, n_cells):
        cells.is_open[b] = np.uint8(cells.is_open[b] > 0 and cells.ceiling[b] >= floor)
        n += cells.sizes[b] * np.int64(cells.is_open[b])
    return n


@jit
def look_inside(cells, n_cells, fine, finer):
    """Copies cells, open ones part by part, into `finer`, where the parts are open; returns how many there are.

    Args:
        fine: (ends int64[f], stat float64[f, S], sizes int64[f]) of the parts of open cells, ascending: narrower bins,
            or single values;
        finer: room for n_cells + f.
    """
    ends, stat, sizes = fine
    from_stat, to_stat, to_sizes, to_ends, to_open = cells.stat, finer.stat, finer.sizes, finer.ends, finer.is_open
    width = stat.shape[1]
    for c in range(width):
        to_stat[0, c] = from_stat[0, c]
    to_sizes[0], to_ends[0], to_open[0] = cells.sizes[0], 0, 0
    n, at = 1, 0
    for b in range(1, n_cells):
        if cells.is_open[b]:
            last = cells.ends[b]
            while at < ends.size and ends[at] <= last:
                for c in range(width):  # a call for each line would take longer than to copy it
                    to_stat[n, c] = stat[at, c]
                to_sizes[n], to_ends[n], to_open[n] = sizes[at], ends[at], 1
                n, at = n + 1, at + 1
        elif cells.sizes[b] > 0:
            for c in range(width):
                to_stat[n, c] = from_stat[b, c]
            to_sizes[n], to_ends[n], to_open[n] = cells.sizes[b], cells.ends[b], 0
            n += 1
    return n


@jit
def melt(cells, n_cells, floor):
    """Takes cells together, in place, up to every cut of at least the score `floor`; returns the number of runs.

    The runs stand in lines 1 and on; the last one ends with the last cell.
    """
    n = 0
    fresh = True
    for i in range(1, n_cells):
        if fresh:
            n += 1
            cells.sizes[n] = cells.sizes[i]
            for c in range(cells.stat.shape[1]):
                cells.stat[n, c] = cells.stat[i, c]
        else:
            cells.sizes[n] += cells.sizes[i]
            for c in range(cells.stat.shape[1]):
                cells.stat[n, c] += cells.stat[i, c]
        cells.ends[n] = cells.ends[i]
        fresh = cells.score[i] >= floor
    return n
