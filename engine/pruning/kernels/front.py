"""The best pruning of every size: dynamic programming over the number of leaves (Bohanec and Bratko 1994).

Let e(v, s) be the least cost of a pruning with s leaves of the branch at v. e(v, 1) is the cost of v as a leaf, and
otherwise the s leaves are dealt out to the children. Children are merged one after the other, so that any number of
branches takes one merge fewer than there are: merging a and b leaves costs a · b steps, a tree of L leaves O(L²) of
them, and O(L · C) if no more than C leaves are looked at (Almuallim 1996).

Every child but the first owns the merge that adds it. What is kept of a merge are the leaves that this child is given,
for every number of leaves of the whole; from these any tree is found again. The costs themselves stand on a stack, for
the nodes come bottom up and from right to left: a branch that waits takes as much of it as it has leaves.
"""

import numpy as np

from engine.runtime.compiler import jit


@jit
def room_of_front(n_branches, end, cap, width, start):
    """Where the choices of every merge stand.

    Args:
        n_branches: int32[n], preorder. end: int32[n], one past each node's subtree.
        cap: the most leaves that are looked at.
        width: int64[n], filled with the most leaves of each node's branch, at most `cap`.
        start: int64[n], filled with the place of the choices of the merge that a node owns; −1 for nodes that own none
            and where there is no choice, because one of the two is a leaf.

    Returns:
        How many choices there are.
    """
    total = np.int64(0)
    for i in range(n_branches.size):
        v = n_branches.size - 1 - i
        start[v] = -1
        if n_branches[v] == 0:
            width[v] = 1
            continue
        so_far, child = width[v + 1], end[v + 1]
        while child < end[v]:
            merged = min(np.int64(cap), so_far + width[child])
            if so_far > 1 and width[child] > 1:
                start[child] = total
                total += merged
            so_far, child = merged, end[child]
        width[v] = so_far
    return total


@jit
def merge_sizes(few, many, most_first, best, chosen):
    """Fills best[s − 1] with the least few[a − 1] + many[b − 1] of a + b = s, and chosen[s − 1] with that a: the least
    one where several do, or with `most_first` the greatest."""
    for i in range(best.size):
        best[i] = np.inf
        chosen[i] = 1
    steps = min(few.size, best.size - 1)
    for i in range(steps):
        a = steps - 1 - i if most_first else i
        n = min(many.size, best.size - 1 - a)
        sums, places, cost = best[a + 1 : a + 1 + n], chosen[a + 1 : a + 1 + n], few[a]
        for b in range(n):
            together = cost + many[b]
            better = together < sums[b]
            sums[b] = together if better else sums[b]
            places[b] = a + 1 if better else places[b]


@jit
def front_of_tree(cost, beside, n_branches, end, kept, width, start, given, best, best_beside):
    """The least cost for every number of leaves.

    Args:
        cost: float64[n], what each node costs as a leaf. beside: float64[n], another cost that is added up along.
        n_branches, end, width, start: as in `room_of_front`.
        kept: bool[n], splits that never go; those above them have to be kept, too.
        given: uint16[n_choices], filled with the leaves that the owner of each merge is given.
        best: float64[width[0]], filled with the least cost by leaves − 1; +inf where no pruning has so many leaves.
        best_beside: float64[width[0]], filled with what these trees cost by `beside`.
    """
    n_leaves, cap = 0, width[0]
    for v in range(n_branches.size):
        n_leaves += n_branches[v] == 0
        cap = max(cap, width[v])
    stack, stack_beside = np.empty(n_leaves), np.empty(n_leaves)
    fresh, fresh_beside, chosen = np.empty(cap), np.empty(cap), np.empty(cap, np.int64)
    top = 0
    for i in range(n_branches.size):
        v = n_branches.size - 1 - i
        if n_branches[v] == 0:
            stack[top], stack_beside[top] = cost[v], beside[v]
            top += 1
            continue
        so_far, child = width[v + 1], end[v + 1]
        while child < end[v]:
            below = width[child]
            merged = min(cap, so_far + below)
            left, right = top - so_far, top - so_far - below
            first, second = stack[left:top], stack[right:left]
            out, turned = fresh[:merged], so_far > below
            if turned:
                merge_sizes(second, first, False, out, chosen)
            else:  # ties: the child that is added has the fewest leaves, whichever of the two is longer
                merge_sizes(first, second, True, out, chosen)
            for s in range(2, merged + 1):
                mine = chosen[s - 1] if turned else s - chosen[s - 1]
                if out[s - 1] < np.inf:
                    fresh_beside[s - 1] = stack_beside[right + mine - 1] + stack_beside[left + s - mine - 1]
                else:
                    fresh_beside[s - 1], mine = np.inf, 0
                if start[child] >= 0:
                    given[start[child] + s - 1] = mine
            for s in range(merged):
                stack[right + s], stack_beside[right + s] = fresh[s], fresh_beside[s]
            top = right + merged
            so_far, child = merged, end[child]
        stack[top - so_far] = np.inf if kept[v] else cost[v]
        stack_beside[top - so_far] = np.inf if kept[v] else beside[v]
    for s in range(width[0]):
        best[s], best_beside[s] = stack[s], stack_beside[s]


@jit
def tree_of_front(size, n_branches, end, width, start, given, leaf):
    """Finds the tree of a size again.

    Args:
        size: its number of leaves; some pruning has so many.
        n_branches, end, width, start, given: as from `front_of_tree`.
        leaf: bool[n], all False; filled with the nodes that become its leaves, real leaves among them.
    """
    n, most = n_branches.size, 1
    for v in range(n):
        most = max(most, n_branches[v])
    children, wanted = np.empty(most, np.int64), np.zeros(n, np.int64)
    wanted[0] = size
    v = 0
    while v < n:
        if wanted[v] == 1:
            leaf[v] = True
            v = end[v]
            continue
        k, child = 0, v + 1
        while child < end[v]:
            children[k] = child
            child = end[child]
            k += 1
        rest = wanted[v]
        for j in range(k - 1):
            child = children[k - 1 - j]
            mine = 1 if width[child] == 1 else rest - 1
            if start[child] >= 0:
                mine = given[start[child] + rest - 1]
            wanted[child] = mine
            rest -= mine
        wanted[v + 1] = rest
        v += 1
