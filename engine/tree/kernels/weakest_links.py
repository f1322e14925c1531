"""The weakest links of a tree: at which price per leaf each split stops paying for itself."""

import numpy as np

from engine.runtime.compiler import jit

TIE = 1e-12  # differences below this share of what was subtracted are rounding


@jit
def meld(a, b, alpha, left, right):
    """Joins two max-heaps by `alpha` (skew heaps: Sleator and Tarjan 1986); −1 is the empty heap."""
    if a < 0:
        return b
    if b < 0:
        return a
    if alpha[a] < alpha[b]:
        a, b = b, a
    top = a
    while True:
        rest = right[a]
        right[a] = left[a]
        if rest < 0:
            left[a] = b
            return top
        if alpha[rest] < alpha[b]:
            rest, b = b, rest
        left[a] = rest
        a = rest


@jit
def weakest_links(cost, parent, n_branches, locked):
    """The price per leaf at which each split goes, by itself or with an ancestor.

    A pruning is charged Σ cost + α × leaves. Let f(v, α) be the least charge of any pruning of the branch at
    v. Then f(v, α) = min(cost[v] + α, Σ f(child, α)). The sum is piecewise linear with slopes ≥ 2, the leaf has
    slope 1, so they cross exactly once, whatever the costs: that α is v's link. Below it the split pays,
    from it on v is a leaf. So the smallest cheapest prunings are nested over the whole real line of α.

    From α = +∞ downwards the branch unfolds at its links, largest first. A heap of the links below v hands
    them out until the crossing is reached. A link above the crossing never shows (v is a leaf there) and is
    dropped for good, so each node is pushed once and popped at most once: O(n log n) for any shape.

    Args:
        cost: float64[n], what each node costs as a leaf; nodes in preorder.
        parent: int32[n], position of the parent, −1 for the root.
        n_branches: int32[n], 0 for a leaf.
        locked: bool[n], splits that never go; the ancestors of a locked node have to be locked too.

    Returns:
        float64[n]: for a split its link or the least one above it; −inf for leaves, +inf for locked splits.
    """
    n = len(cost)
    alpha = np.empty(n)
    left, right = np.empty(n, np.int32), np.empty(n, np.int32)
    top = np.empty(n, np.int32)  # the heap of links below each node
    for v in range(n):
        alpha[v], left[v], right[v], top[v] = -np.inf, -1, -1, -1
    below = np.zeros(n)  # Σ cost of the branches, each of them as a leaf
    more_cost = np.zeros(n)  # what unfolding a node adds to the cost just below its link
    more_leaves = np.zeros(n, np.int64)
    for i in range(n):
        v = n - 1 - i
        if n_branches[v] > 0:
            heap = top[v]
            unfolded, leaves = below[v], np.int64(n_branches[v])
            link = np.inf
            while not locked[v]:
                drop = cost[v] - unfolded
                if abs(drop) <= TIE * max(abs(cost[v]), abs(unfolded)):
                    drop = 0.0
                link = drop / (leaves - 1)
                if heap < 0 or alpha[heap] <= link:
                    break
                unfolded += more_cost[heap]
                leaves += more_leaves[heap]
                heap = meld(left[heap], right[heap], alpha, left, right)
            alpha[v] = link
            more_cost[v] = unfolded - cost[v]
            more_leaves[v] = leaves - 1
            left[v] = right[v] = -1
            top[v] = meld(np.int32(v), np.int32(heap), alpha, left, right)
        p = parent[v]
        if p >= 0:
            below[p] += cost[v]
            top[p] = meld(top[p], top[v], alpha, left, right)
    for v in range(1, n):
        if n_branches[v] > 0 and alpha[parent[v]] < alpha[v]:
            alpha[v] = alpha[parent[v]]
    return alpha
