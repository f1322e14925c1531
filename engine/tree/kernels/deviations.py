"""How far the rows of every node are from what the node says."""

import numpy as np

from engine.runtime.compiler import jit


@jit
def absolute_deviations(rows, start, stop, y, weight, part, wanted, answer, found):
    """Writes Σ w·|y − answer| over the rows of one part in every node.

    Every row is looked at once in each node that holds it: O(rows · depth).

    Args:
        rows: uint32[n], grouped so that node i holds rows[start[i]:stop[i]].
        y: float64[n]. weight: float64[n], or float64[0] where every row weighs 1. part: uint8[n].
        wanted: the part that counts.
        answer: float64[n_nodes], in units of y.
        found: float64[n_nodes].
    """
    for v in range(start.size):
        total = 0.0
        for k in range(start[v], stop[v]):
            row = rows[k]
            if part[row] == wanted:
                far = abs(y[row] - answer[v])
                total += far * weight[row] if weight.size else far
        found[v] = total
    return np.int64(start.size)
