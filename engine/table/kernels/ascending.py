"""Dense ranks, distinct values and order of values that ascend already, as times and numbers of rows often do.

    values    1.5  1.5  2.0  7.5
    order     0    1    2    3
    distinct  1.5  2.0  7.5
    codes     1    1    2    3

One look whether they do, which ends where they first do not, and one reading.
"""

import numpy as np

from engine.runtime.compiler import jit


@jit
def ascend(values):
    """Whether no value, float32 or float64 [n], is below the one before, and none is NaN."""
    i = 1
    while i < values.size and values[i - 1] <= values[i]:
        i += 1
    return i >= values.size and (values.size == 0 or values[0] == values[0])


@jit
def rank_ascending(values, codes, order, distinct):
    """Writes codes and order, uint32[n], and the distinct values, float64[n]; returns how many these are."""
    rank = np.int64(0)
    for row in range(values.size):
        value = np.float64(values[row]) + 0.0  # -0.0 becomes 0.0
        if row == 0 or values[row - 1] != values[row]:
            distinct[rank] = value
            rank += 1
        codes[row] = np.uint32(rank)
        order[row] = np.uint32(row)
    return rank
