"""The shape of a tree from its preorder list of branch counts.

    position     0  1  2  3  4          0
    n_branches   2  0  2  0  0         / \\
    parent      -1  0  0  2  2        1   2
    end          5  2  5  4  5           / \\
    level        0  1  1  2  2          3   4

A subtree is the slice position:end; the first child stands at position + 1, the next one at the end of the first.
"""

import numpy as np

from engine.runtime.compiler import jit


@jit
def structure(n_branches, parent, end, level, branch):
    """Fills parent, end, level and branch (all int32[n]) from n_branches (int32[n], preorder).

    Returns:
        Whether n_branches describes exactly one tree.
    """
    n = n_branches.size
    waiting = np.zeros(n + 1, dtype=np.int32)  # the open ancestors, by depth
    depth = 0
    for i in range(n):
        if i > 0 and depth == 0:
            return False
        parent[i] = waiting[depth - 1] if depth > 0 else -1
        level[i] = depth
        branch[i] = 0
        if depth > 0:
            owner = parent[i]
            branch[i] = end[owner]  # until the subtree is closed, `end` counts the children seen
            end[owner] += 1
        end[i] = 0
        if n_branches[i] > 0:
            waiting[depth] = i
            depth += 1
            continue
        end[i] = i + 1
        while depth > 0 and end[waiting[depth - 1]] == n_branches[waiting[depth - 1]]:
            depth -= 1
            end[waiting[depth]] = i + 1
    return depth == 0 and n > 0


@jit
def sum_upwards(parent, values):
    """Adds every node's row of `values` ([n, S], leaves filled) to its parent's, bottom up."""
    for i in range(parent.size - 1, 0, -1):
        for k in range(values.shape[1]):
            values[parent[i], k] += values[i, k]


@jit
def merge_upwards(parent, values):
    """`sum_upwards` for a numeric target: merges (Σw, Σwy, Σw(y - mean)²), float64[n, 3], leaves filled, others 0.

    Two groups: their squares, and those of the means around the common one (Chan, Golub, LeVeque 1979).
    """
    for i in range(parent.size - 1, 0, -1):
        p, weight, other = parent[i], values[i, 0], values[parent[i], 0]
        if weight > 0.0:
            if other > 0.0:
                apart = values[i, 1] / weight - values[p, 1] / other
                values[p, 2] += apart * apart * (weight * (other / (weight + other)))
            values[p, 0] += weight
            values[p, 1] += values[i, 1]
            values[p, 2] += values[i, 2]
