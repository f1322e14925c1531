"""From sorted values to codes, and from codes to a stable order.

    values   7.5  nan  2.0  7.5        (a column, row by row)
    order    2    0    3    1          (rows by ascending value, nan last)
    distinct 2.0  7.5
    codes    2    0    1    2          (rank of each row's value, 0 = missing)

The sort itself is numpy's (vectorized); what follows is one pass in sorted order.
"""

import numpy as np

from engine.kernels import jit


@jit
def codes_from_order(values, order, n_present, codes, distinct):
    """Writes each row's dense rank into `codes` and the distinct values into `distinct`.

    Args:
        values: float64[n]; order: int64[n], rows by ascending value with the missing ones last;
        n_present: how many are not missing; codes: uint32[n], zeroed; distinct: float64[n_present].

    Returns:
        The number of distinct values.
    """
    n_distinct = 0
    last = 0.0
    for k in range(n_present):
        row = order[k]
        value = values[row]
        if n_distinct == 0 or value != last:
            distinct[n_distinct] = value
            n_distinct += 1
            last = value
        codes[row] = n_distinct
    return n_distinct


@jit
def order_by_code(codes, n_codes, order):
    """Counting sort: writes the rows by ascending code into `order` (uint32[n]), stable.

    `codes` is uint8, uint16 or uint32 and below `n_codes`.
    """
    start = np.zeros(n_codes + 1, dtype=np.int64)
    for row in range(codes.size):
        start[np.int64(codes[row]) + 1] += 1
    for code in range(n_codes):
        start[code + 1] += start[code]
    for row in range(codes.size):
        code = np.int64(codes[row])
        order[start[code]] = row
        start[code] += 1
