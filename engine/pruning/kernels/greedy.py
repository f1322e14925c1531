"""Cutting the node that helps most, again and again: the order of the cuts."""

import numpy as np

from engine.runtime.compiler import jit, jit_part


@jit_part
def goes_first(a, b, gain, leaves):
    """Whether node a is cut before node b: more gain, then more leaves, then the one further left; −1 is no node."""
    if a < 0 or b < 0:
        return b < 0
    if gain[a] != gain[b]:
        return gain[a] > gain[b]
    if leaves[a] != leaves[b]:
        return leaves[a] > leaves[b]
    return a < b


@jit_part
def play(best, match, gain, leaves):
    """Plays a match and all that follow from it again."""
    while match > 0:
        a, b = best[2 * match], best[2 * match + 1]
        best[match] = a if goes_first(a, b, gain, leaves) else b
        match //= 2


@jit_part
def sum_leaves(cost, unit, parent, end, below, leaves, gain):
    """Writes what the leaves below each node cost together, how many they are, and what it would gain as a leaf."""
    n = len(cost)
    for i in range(n):
        v = n - 1 - i
        if end[v] == v + 1:
            below[v], leaves[v] = cost[v], 1
        gain[v] = np.int64(np.rint((below[v] - cost[v]) / unit))
        if parent[v] >= 0:
            below[parent[v]] += below[v]
            leaves[parent[v]] += leaves[v]


@jit
def greedy_cuts(cost, unit, parent, end, locked):
    """Makes the split a leaf whose going lowers the cost of the tree most, again and again, to the root.

    The nodes are the players of a tournament. A cut changes what its ancestors would gain, which play again:
    O(n · depth · log n).

    Args:
        cost: float64[n], what each node costs as a leaf; nodes in preorder.
        unit: gains are compared as multiples of this, so that equal ones are equal but for rounding.
        parent: int32[n], position of the parent, −1 for the root. end: int32[n], one past each node's branch.
        locked: bool[n], splits that never go; the ancestors of a locked node have to be locked too.

    Returns:
        (int32[n], int64[m], float64[n]): the cut, counted from 1, with which each split goes, 0 for leaves and m + 1
        for locked splits; the gain of each cut in units; what the leaves below each node cost together when it went or,
        of a node that stays until then, before the first cut that does harm.
    """
    n = len(cost)
    below, leaves, gain = np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
    sum_leaves(cost, unit, parent, end, below, leaves, gain)
    size = 1
    while size < n:
        size *= 2
    best = np.full(2 * size, -1, np.int64)  # the winner of each match; the nodes stand at size, size + 1, …
    gone, gains = np.zeros(n, np.int32), np.empty(n, np.int64)
    for v in range(n):
        if end[v] > v + 1 and not locked[v]:
            best[size + v] = v
    for i in range(1, size):
        match = size - i
        a, b = best[2 * match], best[2 * match + 1]
        best[match] = a if goes_first(a, b, gain, leaves) else b
    cuts, harmless, compared = 0, True, below.copy()
    while best[1] >= 0:
        v = best[1]
        if harmless and gain[v] < 0:
            harmless, compared = False, below.copy()
        gains[cuts] = gain[v]
        cuts += 1
        for u in range(v, end[v]):
            if best[size + u] >= 0:
                best[size + u], gone[u] = -1, cuts
                play(best, (size + u) // 2, gain, leaves)
        change, fewer = cost[v] - below[v], leaves[v] - 1
        above = parent[v]
        while above >= 0:
            below[above] += change
            leaves[above] -= fewer
            gain[above] = np.int64(np.rint((below[above] - cost[above]) / unit))
            if best[size + above] >= 0:
                play(best, (size + above) // 2, gain, leaves)
            above = parent[above]
    for v in range(n):
        if locked[v]:
            gone[v] = cuts + 1
    return gone, gains[:cuts], below if harmless else compared
