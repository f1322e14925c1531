"""From the leaves up: what every branch costs at the least once it is cut back, and which splits pay for themselves."""

import numpy as np

from engine.runtime.compiler import jit

TIE = 1e-12  # differences below this share of what is compared are rounding


@jit
def cheapest_branches(cost, price, parent, n_branches, locked):
    """The least charge of every split that stays, the nodes below it being cut back to the cheapest.

    A leaf is charged its cost, a split its price and what its branches are charged. The rule at every node, branches
    first: leaf if that costs no more, so that of the cheapest prunings the smallest is found.

    Args:
        cost: float64[n], what each node costs as a leaf; nodes in preorder.
        price: float64[n], what each split costs.
        parent: int32[n], position of the parent, −1 for the root.
        n_branches: int32[n], 0 for a leaf.
        locked: bool[n], splits that never go; the ancestors of a locked node have to be locked too.

    Returns:
        (float64[n], bool[n]): the charge of each split if it stays, NaN for a leaf; which nodes are better leaves.
    """
    n = len(cost)
    branch, leaf = np.empty(n), np.empty(n, np.bool_)
    for v in range(n):
        branch[v], leaf[v] = price[v] if n_branches[v] > 0 else np.nan, n_branches[v] == 0
    for i in range(n):
        v = n - 1 - i
        if n_branches[v] > 0 and not locked[v]:
            leaf[v] = cost[v] <= branch[v] + TIE * max(abs(cost[v]), abs(branch[v]))
        if parent[v] >= 0:
            branch[parent[v]] += cost[v] if leaf[v] else branch[v]
    return branch, leaf
