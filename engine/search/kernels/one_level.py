"""One level against all others: arrays of statistics in, the best split out, as in `engine.search.kernels.cuts`."""

import numpy as np
from numpy.typing import NDArray

from engine.criteria.kernels import improves, larger_side, pair_gain, scales, take_away, total_of, total_rows, weight
from engine.runtime.compiler import jit

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]


@jit
def one_vs_rest(
    stat: Floats, rows: Integers, miss_stat: Floats, miss_rows: int, code: int, min_leaf: int, side: Bytes
) -> tuple[float, float, int]:
    """The best single level against all others: (gain, tie, missing); fills side uint8[m], 0 for the one, 1 for others.

    Missing rows go with the one or with the others, the heavier side first, as in `search.best_cut`; or they are the
    one, which is tried last. `missing` is their side; without any the heavier one; -1 if nothing separates the rows or
    `min_leaf` forbids it. Ties: the first level.
    """
    m, width = stat.shape
    node = total_of(stat, miss_stat)
    value, eps, tie_eps = scales(code, node)
    present = weight(code, node) - weight(code, miss_stat)
    least, n_rows = max(min_leaf, 1), miss_rows + total_rows(rows)
    best_gain, best_tie, best, best_missing = 0.0, 0.0, -1, -1
    one, others = np.empty(width), np.empty(width)
    for i in range(m + 1 if miss_rows > 0 else m):
        part = weight(code, stat[i]) if i < m else 0.0
        toward = larger_side(part, present - part)
        for turn in range(2 if miss_rows > 0 and i < m else 1):
            missing = 0 if i == m else toward if turn == 0 else 1 - toward
            n = (rows[i] if i < m else 0) + (miss_rows if missing == 0 else 0)
            if n < least or n_rows - n < least:
                continue
            for c in range(width):
                one[c] = (stat[i, c] if i < m else 0.0) + (miss_stat[c] if missing == 0 else 0.0)
            take_away(node, one, others)
            gain, tie = pair_gain(code, one, others, node, value)
            if best < 0 or improves(gain, tie, best_gain, best_tie, eps, tie_eps):
                best_gain, best_tie, best, best_missing = gain, tie, i, missing
    for i in range(m):
        side[i] = i != best
    return best_gain, best_tie, best_missing
