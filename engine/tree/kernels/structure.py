"""The shape of a tree from its preorder list of branch counts, and what is summed, or decided, from the leaves upwards.

    position     0  1  2  3  4          0
    n_branches   2  0  2  0  0         / \
    parent      -1  0  0  2  2        1   2
    end          5  2  5  4  5           / \
    level        0  1  1  2  2          3   4

A subtree is the slice position:end; the first child stands at position + 1, the next one at the end of the first.
"""

import numpy as np

from engine.runtime.compiler import jit, jit_inside


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


TIE = 1e-12  # differences below this share of what was subtracted are rounding


@jit_inside
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
