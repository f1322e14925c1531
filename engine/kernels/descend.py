"""Sending rows down the nodes of a tree by their codes, all rows and nodes in one call."""

from typing import NamedTuple

import numpy as np

from engine.kernels import jit

THRESHOLD = 1  # kinds of nodes, as in `engine.tree`


class Routes(NamedTuple):
    """Where the nodes of a tree send codes; one entry for each node, most of them as in `engine.tree.Nodes`.

    column: int64[n], numbered as the codes are. cut: int64[n], codes up to it go into branch 0. start, size: int64[n],
    the part of float64 `payload` with further cuts, or with pairs (level, branch), levels ascending. Child b stands at
    children[first + b].
    """

    n_branches: np.ndarray
    kind: np.ndarray
    column: np.ndarray
    cut: np.ndarray
    missing: np.ndarray
    unseen: np.ndarray
    start: np.ndarray
    size: np.ndarray
    first: np.ndarray
    children: np.ndarray
    payload: np.ndarray


@jit
def child_table(parent, branch, n_branches):
    """(first int64[n], children int64[n - 1]) of a tree, see `Routes`."""
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
    """The branch of a level by binary search in its node's payload; `unseen` if it is not named there."""
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
def branch_of_cuts(code, cut, payload, start, size):
    """The branch of a code: how many of the ascending cuts, `cut` and those in the payload, it exceeds."""
    if code <= cut:
        return np.int64(0)
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if payload[start + middle] < code:
            low = middle + 1
        else:
            high = middle
    return np.int64(1 + low)


@jit
def descend(codes, begin, routes, reached):
    """Sends rows from the nodes where they stand to the leaves below.

    Args:
        codes: uint32[n, C], row by row; begin: int64[n], the node where each starts;
        reached: int64[n], written: the leaf.
    """
    for r in range(begin.size):
        node = begin[r]
        while routes.n_branches[node] > 0:
            code = np.int64(codes[r, routes.column[node]])
            if code == 0:
                branch = np.int64(routes.missing[node])
            elif routes.kind[node] == THRESHOLD:
                cut, start, size = routes.cut[node], routes.start[node], routes.size[node]
                branch = branch_of_cuts(code, cut, routes.payload, start, size)
            else:
                unseen = np.int64(routes.unseen[node])
                branch = branch_of_level(code - 1, routes.payload, routes.start[node], routes.size[node], unseen)
            node = routes.children[routes.first[node] + branch]
        reached[r] = node
