"""Sending rows down the nodes of a tree by their codes, all rows and nodes in one call."""

import numpy as np

from engine.kernels import jit

THRESHOLD = 1  # kinds of nodes, as in `engine.tree`


@jit
def child_table(parent, branch, n_branches):
    """(first int64[n], children int64[n - 1]): child b of node i stands at children[first[i] + b]."""
    first = np.zeros(parent.size, np.int64)
    total = 0
    for i in range(parent.size):
        first[i] = total
        total += n_branches[i]
    children = np.empty(total, np.int64)
    for i in range(parent.size):
        if parent[i] >= 0:
            children[first[parent[i]] + branch[i]] = i
    return first, children


@jit
def branch_of_level(level, payload, start, size, unseen):
    """The branch of a level by pairs (level, branch) in ascending order of the level; `unseen` if it is not there."""
    low, high = 0, size // 2
    while low < high:
        middle = (low + high) // 2
        if payload[start + 2 * middle] < level:
            low = middle + 1
        else:
            high = middle
    if low < size // 2 and payload[start + 2 * low] == level:
        return np.int64(payload[start + 2 * low + 1])
    return unseen


@jit
def descend(codes, begin, n_branches, kind, column, cut, missing, unseen, payload, pay_start, pay_size, first, children, reached):
    """Sends rows from nodes where they stand to the leaves below.

    Args:
        codes: uint32[n, C], row by row; begin: int64[n], the node where each starts;
        n_branches, kind, column, missing, unseen, pay_start, pay_size: of every node, as in `engine.tree.Nodes`,
        columns numbered as in `codes`; cut: int64 of every node, codes up to it go left; payload: float64;
        first, children: from `child_table`; reached: int64[n], written: the leaf.
    """
    for r in range(begin.size):
        node = begin[r]
        while n_branches[node] > 0:
            code = np.int64(codes[r, column[node]])
            if code == 0:
                branch = np.int64(missing[node])
            elif kind[node] == THRESHOLD:
                branch = np.int64(code > cut[node])
            else:
                branch = branch_of_level(code - 1, payload, pay_start[node], pay_size[node], np.int64(unseen[node]))
            node = children[first[node] + branch]
        reached[r] = node
