"""Passes over the nodes of a tree from which sequences of prunings are made, and over their steps."""

from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit, jit_part

TIE = 1e-12  # differences below this share of what is compared are rounding


# -- from the leaves up


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


@jit
def kearns_mansour_pass(errors, weight, rows, parent, n_branches, level, kept, ln_paths, ln_trees, certain, factor):
    """The bottom-up pass of Kearns and Mansour (1998): a node becomes a leaf if its branches, as they are by then, are
    not better by more than α(m_v, n_v, ℓ_v, δ).

    Args:
        errors: float64[n], the weight of the errors of each node as a leaf. weight: float64[n], that of its rows.
        rows: int64[n], the training rows of each node, m_v.
        level: int32[n], its depth ℓ_v.
        kept: bool[n], splits that never go; those above them have to be kept, too.
        ln_paths, ln_trees: float64, see `engine.theory.bounds.log_capacities`.
        certain: ln(m/δ). factor: c.

    Returns:
        (float64[n], the errors of what was left of each branch when its node was asked; float64[n], α; bool[n], the
        nodes that became leaves).
    """
    n = errors.size
    below, alpha, cut = np.zeros(n), np.zeros(n), np.zeros(n, np.bool_)
    size = np.ones(n, np.int64)  # n_v, leaves and splits of what is left
    for i in range(n):
        v = n - 1 - i
        if n_branches[v] == 0:
            below[v] = errors[v]
        else:
            rich = ln_paths[level[v]] + ln_trees[size[v]] + certain
            alpha[v] = factor * np.sqrt(rich / rows[v]) if rows[v] > 0 else np.inf
            if not kept[v]:
                better = (errors[v] - below[v]) / weight[v] if weight[v] > 0.0 else 0.0
                cut[v] = better <= alpha[v] + TIE
        if v > 0:
            below[parent[v]] += errors[v] if cut[v] else below[v]
            size[parent[v]] += 1 if cut[v] else size[v]
    return below, alpha, cut


# -- the cut that helps most, again and again


@jit_part
def renew(v, cost, unit, end, locked, below, leaves, gain, best):
    """Sums over the leaves below split v, and finds which node at or below it is cut first: the one with more gain,
    then with more leaves, then the one further left; −1 where none may be cut."""
    total, n_leaves, first = 0.0, 0, -1
    child = v + 1
    while child < end[v]:
        total += cost[child] if leaves[child] == 1 else below[child]
        n_leaves += leaves[child]
        b = best[child]
        if b >= 0 and (first < 0 or gain[b] > gain[first] or (gain[b] == gain[first] and leaves[b] > leaves[first])):
            first = b
        child = end[child]
    below[v], leaves[v], gain[v] = total, n_leaves, np.int64(np.rint((total - cost[v]) / unit))
    if not locked[v] and (first < 0 or gain[v] >= gain[first]):  # v has more leaves than what stands below it
        first = v
    best[v] = first


@jit
def greedy_cuts(cost, unit, parent, end, locked):
    """Makes the split a leaf whose going lowers the cost of the tree most, again and again, to the root.

    Every node knows what is cut next at or below it, so a cut changes that of the nodes above it alone.

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
    below, leaves, gain = cost.copy(), np.ones(n, np.int64), np.zeros(n, np.int64)
    best, gone, gains = np.full(n, -1, np.int64), np.zeros(n, np.int32), np.empty(n, np.int64)
    for i in range(n):
        v = n - 1 - i
        if end[v] > v + 1:
            renew(v, cost, unit, end, locked, below, leaves, gain, best)
    cuts, harmless, compared = 0, True, below
    while best[0] >= 0:
        v = best[0]
        if harmless and gain[v] < 0:
            harmless, compared = False, below.copy()
        gains[cuts] = gain[v]
        cuts += 1
        for u in range(v, end[v]):
            if end[u] > u + 1 and gone[u] == 0:
                gone[u] = cuts
        best[v], leaves[v] = -1, 1
        above = parent[v]
        while above >= 0:
            renew(above, cost, unit, end, locked, below, leaves, gain, best)
            above = parent[above]
    for v in range(n):
        if locked[v]:
            gone[v] = cuts + 1
    return gone, gains[:cuts], compared


# -- the best pruning of every size


class Merges(NamedTuple):
    """Where the choices of the best pruning of every size stand (Bohanec and Bratko 1994, Almuallim 1996).

    Let e(v, s) be the least cost of a pruning with s leaves of the branch at v. e(v, 1) is the cost of v as a leaf, and
    otherwise the s leaves are dealt out to the children. Children are merged one after the other, so that any number of
    branches takes one merge fewer than there are: merging a and b leaves costs a · b steps, a tree of L leaves O(L²) of
    them, and O(L · C) if no more than C leaves are looked at. Every child but the first owns the merge that adds it.

    n_branches: int32[n], preorder. end: int32[n], one past each node's subtree. width: int64[n], the most leaves of
    each node's branch that are looked at. start: int64[n], the place of the choices of the merge that a node owns; −1
    for nodes that own none and where there is no choice, because one of the two is a leaf. given: uint16[n_choices],
    filled with the leaves that the owner of each merge is given, for every number of leaves of the whole.
    """

    n_branches: np.ndarray
    end: np.ndarray
    width: np.ndarray
    start: np.ndarray
    given: np.ndarray


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
def best_of_sizes(cost, beside, kept, merges, best, best_beside):
    """The least cost for every number of leaves.

    The costs stand on a stack, for the nodes come bottom up and from right to left: a branch that waits takes as much
    of it as it has leaves.

    Args:
        cost: float64[n], what each node costs as a leaf. beside: float64[n], another cost that is added up along.
        kept: bool[n], splits that never go; those above them have to be kept, too.
        best: float64[width[0]], filled with the least cost by leaves − 1; +inf where no pruning has so many leaves.
        best_beside: float64[width[0]], filled with what these trees cost by `beside`.
    """
    n_branches, end, width, start = merges.n_branches, merges.end, merges.width, merges.start
    n_leaves, cap = np.sum(n_branches == 0), width.max()
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
                    merges.given[start[child] + s - 1] = mine
            for s in range(merged):
                stack[right + s], stack_beside[right + s] = fresh[s], fresh_beside[s]
            top = right + merged
            so_far, child = merged, end[child]
        stack[top - so_far] = np.inf if kept[v] else cost[v]
        stack_beside[top - so_far] = np.inf if kept[v] else beside[v]
    for s in range(width[0]):
        best[s], best_beside[s] = stack[s], stack_beside[s]


# -- the area under the ROC curve of every step


@jit_part
def add_weight(sums, place, weight):
    """Adds to a Fenwick tree (1994), float64[n + 1]."""
    i = place + 1
    while i < sums.size:
        sums[i] += weight
        i += i & -i


@jit_part
def weight_before(sums, place):
    """The weight at the places before this one."""
    total, i = 0.0, place
    while i > 0:
        total += sums[i]
        i -= i & -i
    return total


@jit
def auc_of_steps(events, until, rank, inside, outside, found):
    """The weight of the pairs of rows that are ordered rightly, ties by half, among all pairs, at every step.

    No leaves are sorted again at any step: two Fenwick trees hold the weight of either class by the rank of its score,
    so that a leaf that comes or goes changes the area in O(log n).

    Args:
        events: int64[m], v + 1 where node v becomes a leaf and −v − 1 where it is one no longer; until: int64[n_steps],
            how many of them have happened by each step.
        rank: int64[n_nodes], of its score, 0 for the lowest; equal scores share one.
        inside, outside: float64[n_nodes], the weight of rows of the class and of all others; whole weights make exact
            sums.
        found: float64[n_steps], written; NaN where a class has no weight.
    """
    n_ranks = rank.max() + 1
    of_class, of_others = np.zeros(n_ranks + 1), np.zeros(n_ranks + 1)
    all_inside, all_outside, ordered, begin = 0.0, 0.0, 0.0, 0
    for step in range(found.size):
        for event in events[begin : until[step]]:
            v, sign = abs(event) - 1, 1.0 if event > 0 else -1.0
            p, q, here = inside[v], outside[v], rank[v]
            if sign < 0:  # without it, what is left is compared with it
                add_weight(of_class, here, -p)
                add_weight(of_others, here, -q)
                all_inside -= p
                all_outside -= q
            rightly = p * 0.5 * (weight_before(of_others, here) + weight_before(of_others, here + 1))
            rightly += q * (all_inside - 0.5 * (weight_before(of_class, here) + weight_before(of_class, here + 1)))
            ordered += sign * (rightly + 0.5 * p * q)  # half of those that have the same score
            if sign > 0:
                add_weight(of_class, here, p)
                add_weight(of_others, here, q)
                all_inside += p
                all_outside += q
        begin = until[step]
        pairs = all_inside * all_outside
        found[step] = ordered / pairs if pairs > 0 else np.nan
