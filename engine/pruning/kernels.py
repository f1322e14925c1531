"""Passes over the nodes of a tree from which sequences of prunings are made, and over their steps."""

from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit, jit_inside, jit_long, jit_part
from engine.tree.kernels.row_by_row import LANES, OTHER, find_leaves, pack_leaf

TIE = 1e-12  # differences below this share of what is compared are rounding, as in `engine.tree.leaves`


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


@jit_long
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


@jit_inside
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


@jit_long
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
    cap, n = width[0], n_branches.size  # no node's branch is wider than the root's
    stack, stack_beside = np.empty(n), np.empty(n)
    fresh, fresh_beside, chosen = np.empty(cap), np.empty(cap), np.empty(cap, np.int64)
    top = 0
    for i in range(n):
        v = n - 1 - i
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


@jit
def auc_of_steps(events, until, rank, inside, outside, found):
    """The weight of the pairs of rows that are ordered rightly, ties by half, among all pairs, at every step.

    No leaves are sorted again at any step: Fenwick trees (1994) hold the weight of either class by the rank of its
    score, so that a leaf that comes or goes changes the area in O(log n).

    Args:
        events: int64[m], v + 1 where node v becomes a leaf and −v − 1 where it is one no longer; until: int64[n_steps],
            how many of them have happened by each step.
        rank: int64[n_nodes], of its score, 0 for the lowest; equal scores share one.
        inside, outside: float64[n_nodes], the weight of rows of the class and of all others; whole weights make exact
            sums.
        found: float64[n_steps], written; NaN where a class has no weight.
    """
    n_ranks = rank.max() + 1
    sums, here = np.zeros((n_ranks + 1, 2)), np.zeros((n_ranks, 2))  # of the class, of the others
    all_inside, all_outside, ordered, begin = 0.0, 0.0, 0.0, 0
    for step in range(found.size):
        for event in events[begin : until[step]]:
            v, sign = abs(event) - 1, 1.0 if event > 0 else -1.0
            p, q, at = inside[v], outside[v], rank[v]
            low_inside, low_outside, i = 0.0, 0.0, at
            while i > 0:
                low_inside += sums[i, 0]
                low_outside += sums[i, 1]
                i -= i & -i
            own_p, own_q = (p, q) if sign < 0 else (0.0, 0.0)  # it is compared with all others
            same_inside, same_outside = here[at, 0] - own_p, here[at, 1] - own_q
            rightly = p * (low_outside + 0.5 * same_outside)
            rightly += q * (all_inside - own_p - low_inside - 0.5 * same_inside)
            ordered += sign * (rightly + 0.5 * p * q)  # half of those that have the same score
            here[at, 0] += sign * p
            here[at, 1] += sign * q
            all_inside += sign * p
            all_outside += sign * q
            i = at + 1
            while i <= n_ranks:
                sums[i, 0] += sign * p
                sums[i, 1] += sign * q
                i += i & -i
        begin = until[step]
        pairs = all_inside * all_outside
        found[step] = ordered / pairs if pairs > 0 else np.nan


# -- pruning that may raise branches


BY_VALIDATION, BOUND, PESSIMISTIC = 0, 1, 2  # estimates
KEPT, COLLAPSED = 1, 2  # splits that stay, with all above them; splits that become leaves whatever is expected
AS_LEAF = -1  # instead of the number of a branch
SLACK = 0.1  # C4.5: so much more may be expected of what is smaller
ROUNDING = 1e-6  # below it J48 sees no difference

# columns of State.nodes, of its values and of its rows; lines of its lists
BRANCHES, FIRST, SLOT, UP, PLACE, BEARER, HAND, MARKED, LABEL, SIZE, LEAVES, HEAD, TAIL, SEEN, CHANGED = range(15)
N_FIELDS = 15
VALUE, TRIED = 0, 1
CELL, NEXT = 0, 1
ORDER, TOUCHED, DUE = 0, 1, 2


class Method(NamedTuple):
    """How trees are compared.

    c45: by C4.5's rule, which tries the largest branch alone and prunes it again once it is raised; else by the generic
    procedure. raising: whether branches are tried. estimate: one of the three above. weight: what the sum over the
    leaves is divided by. penalty: float64[n + 1], what the number of nodes adds to that. confidence, deviate: as for
    `upper_limit`. keep_labels: whether leaves keep what they say, which `HAND` has for all of them, when a branch takes
    another place; else they say what their training rows say. handed_down: whether some leaf may have to say what the
    node above it says, so that what a trial changes is not told by the leaves that rows come to. first_cell: rows of
    smaller cells do not matter in a trial. n_classes: K. dearest: the largest cost of a mistake. says: the class that
    is said from a threshold on, -1 for none; least: that probability, (its weight + added) ÷ (total weight + beyond).
    """

    c45: bool
    raising: bool
    estimate: int
    weight: float
    penalty: np.ndarray
    confidence: float
    deviate: float
    keep_labels: bool
    handed_down: bool
    first_cell: int
    n_classes: int
    dearest: float
    says: int
    least: float
    added: float
    beyond: float


class State(NamedTuple):
    """The tree as it is by now, by positions in the full one; everything but what is said to stay is written into.

    nodes: int64[n, N_FIELDS]. BRANCHES: how many, 0 for leaves; branch b of node i stands at FIRST + b of `children`,
    int64[n], the root at n - 1; SLOT: where in children a node stands; UP: the node above it; PLACE, BEARER: the nodes
    whose place and whose mark it has; HAND: the class that a person wrote, else -1; MARKED: whether anything is written
    on it, so that it keeps what it has when a branch takes its place; LABEL: what it says; SIZE, LEAVES: how many nodes
    and leaves are at and below it; HEAD, TAIL: the rows of a leaf, -1 for none; SEEN: whether a trial has touched it;
    CHANGED: whether other rows have come to it.
    values: float64[n, 2]. VALUE: the sum over the leaves at and below a node; TRIED: the same in a trial.
    lists: int64[3, n]. ORDER: see `list_nodes`; TOUCHED: the nodes of a trial; DUE: the splits that are to be asked.
    counts: float64[n, S], the target in every node. more: float64[n, S], what a trial would add, 0 elsewhere.
    factors: float64[S], by what each cell counts; stays. costs: float64[K, K] of mistakes, or float64[0, 0] where all
    cost the same; stays. now: float64[S], the node at hand, see `weigh`.
    x: uint32[rows, C], 0 missing, else 1 more than a number of the splits; stays. rows: int32[rows, 2]. CELL: the entry
    of the counts that a row belongs to; NEXT: the row behind it in its leaf. weights: float64[rows]; stays.
    batch: int64[2, LANES], rows on their way, and where they are.
    """

    nodes: np.ndarray
    children: np.ndarray
    values: np.ndarray
    lists: np.ndarray
    counts: np.ndarray
    more: np.ndarray
    factors: np.ndarray
    costs: np.ndarray
    now: np.ndarray
    x: np.ndarray
    rows: np.ndarray
    weights: np.ndarray
    batch: np.ndarray


# -- nodes and rows


@jit
def list_nodes(nodes, children, lists, top):
    """Writes the nodes at and below `top`, in preorder, into the line ORDER of `lists`; returns how many."""
    n, waiting = 0, lists.shape[1] - 1  # those that wait stand at the end of the line
    lists[ORDER, waiting] = top
    while waiting < lists.shape[1]:
        i = lists[ORDER, waiting]
        waiting += 1
        lists[ORDER, n] = i
        n += 1
        for b in range(nodes[i, BRANCHES] - 1, -1, -1):
            waiting -= 1
            lists[ORDER, waiting] = children[nodes[i, FIRST] + b]
    return n


@jit_inside
def send_others(state, ways, v, chosen, first_cell, moving, to_top):
    """Sends the rows of the other branches of v down branch `chosen`, for good if `moving`; returns how many nodes they
    have touched.

    first_cell: rows of smaller cells stay. to_top: whether they count in all nodes on their way.
    """
    begin, n, n_touched = state.children[state.nodes[v, FIRST] + chosen], 0, 0
    for b in range(state.nodes[v, BRANCHES]):
        top = state.children[state.nodes[v, FIRST] + b]
        for t in range(list_nodes(state.nodes, state.children, state.lists, top) if b != chosen else 0):
            row = state.nodes[state.lists[ORDER, t], HEAD]
            while row >= 0:
                if state.rows[row, CELL] >= first_cell:
                    state.batch[0, n], state.batch[1, n] = row, begin
                    n += 1
                row = np.int64(state.rows[row, NEXT])
                if n == LANES:
                    n_touched = arrive(state, ways, begin, n, moving, to_top, n_touched)
                    n = 0
    return arrive(state, ways, begin, n, moving, to_top, n_touched)


@jit_inside
def arrive(state, ways, begin, n, moving, to_top, n_touched):
    """The same for the n rows of `batch`."""
    nodes, rows, at, into = state.nodes, state.batch[0], state.batch[1], state.counts if moving else state.more
    find_leaves(ways, state.x, rows, at, n)
    for t in range(n):
        i, cell, weight = at[t], state.rows[rows[t], CELL], state.weights[rows[t]]
        last = begin if to_top else i
        if moving:
            state.rows[rows[t], NEXT] = nodes[i, HEAD]
            nodes[i, HEAD] = rows[t]
            if nodes[i, TAIL] < 0:
                nodes[i, TAIL] = rows[t]
        while True:
            if nodes[i, SEEN] == 0:
                nodes[i, SEEN], state.lists[TOUCHED, n_touched] = 1, i
                n_touched += 1
            into[i, cell] += weight
            if i == last:
                break
            i = nodes[i, UP]
    return n_touched


@jit_inside
def forget(nodes, lists, more, n_touched):
    """Takes a trial back."""
    for t in range(n_touched):
        i = lists[TOUCHED, t]
        nodes[i, SEEN] = 0
        for k in range(more.shape[1]):
            more[i, k] = 0.0


# -- what leaves say, and what that is estimated to cost


@jit_inside
def upper_limit(n, e, confidence, deviate):
    """The errors to be expected among n rows of which e are wrong: the upper limit of their number, by the normal
    approximation with a correction for continuity; for less than one error between it and the exact limit for none
    (`Stats.addErrs` of Weka, with the e errors themselves).

    deviate: the deviate of the standard normal distribution that is exceeded with probability `confidence`.
    """
    if not n > 0.0:
        return 0.0
    none = 0.0 if e >= 1.0 else n * (1.0 - confidence ** (1.0 / n))
    if e <= 0.0:
        return none
    seen = max(e, 1.0)
    if seen + 0.5 >= n:
        more = max(n - seen, 0.0)
    else:
        f, z2 = (seen + 0.5) / n, deviate * deviate
        middle = f + z2 / (2.0 * n) + deviate * np.sqrt(f / n - f * f / n + z2 / (4.0 * n * n))
        more = middle / (1.0 + z2 / n) * n - seen
    return e + more if e >= 1.0 else e + none + e * (more - none)


@jit_inside
def weigh(counts, more, factors, n_classes, i, now):
    """Writes the target of node i, with what a trial adds, reweighed, into `now`; returns its training weight."""
    total = 0.0
    for k in range(now.size):
        now[k] = (counts[i, k] + more[i, k]) * factors[k]
        if k < n_classes:
            total += now[k]
    return total


@jit_inside
def label_of(now, costs, method, total, hand, above):
    """The class that the node at hand says, as `Tree.labels` has it.

    total: as from `weigh`; without weight the node says `above`. hand: what a person wrote, else -1.
    """
    if hand >= 0:
        return hand
    if not total > 0.0:
        return above
    if method.says >= 0:
        reached = now[method.says] + method.added >= (method.least - TIE) * (total + method.beyond)
        return np.int64(method.says) if reached else np.int64(1 - method.says)
    least = np.inf
    for c in range(method.n_classes):
        least = min(least, expected_cost(now, costs, method.n_classes, total, c))
    for c in range(method.n_classes):
        if expected_cost(now, costs, method.n_classes, total, c) <= least + TIE * total * method.dearest:
            return np.int64(c)
    return above


@jit_part
def expected_cost(now, costs, n_classes, total, c):
    """What the training rows of the node at hand cost when it says class c."""
    if costs.size == 0:
        return total - now[c]
    cost = 0.0
    for k in range(n_classes):
        cost += now[k] * costs[k, c]
    return cost


@jit_inside
def value_of_leaf(now, costs, method, total, label):
    """What the node at hand, of this training weight, adds to the sum as a leaf that says `label`."""
    if method.estimate != BY_VALIDATION:
        wrong = max(total - now[label], 0.0)
        return wrong if method.estimate == BOUND else upper_limit(total, wrong, method.confidence, method.deviate)
    cost = 0.0
    for k in range(method.n_classes):
        if costs.size > 0:
            cost += now[method.n_classes + k] * costs[k, label]
        elif k != label:
            cost += now[method.n_classes + k]
    return cost


@jit_inside
def best_label(now, costs, method, own, slack):
    """The class that the node at hand says as a leaf for the least cost: `own`, unless another one costs less by more
    than `slack`. The other estimates count mistakes among the training rows, of which `own` makes the fewest; with
    costs it is what these ask for, which the estimates do not know."""
    best = own
    if method.estimate == BY_VALIDATION:
        least = value_of_leaf(now, costs, method, 0.0, own)
        for label in range(method.n_classes):
            cost = value_of_leaf(now, costs, method, 0.0, label)
            if cost < least - slack:
                best, least = np.int64(label), cost
    return best


@jit_inside
def node_as_leaf(state, method, i, above, unit):
    """(the class that node i says as a leaf, what it adds to the sum then).

    above: what the node above says. unit: costs nearer than this are equal.
    """
    now, costs, hand = state.now, state.costs, state.nodes[i, HAND]
    total = weigh(state.counts, state.more, state.factors, method.n_classes, i, now)
    label = label_of(now, costs, method, total, hand, above)
    if method.keep_labels and hand < 0:
        label = best_label(now, costs, method, label, unit * method.weight)
    return label, value_of_leaf(now, costs, method, total, label)


@jit_inside
def label_above(nodes, i):
    """What the node above says in the full tree."""
    return nodes[nodes[i, UP], LABEL] if nodes[i, UP] >= 0 else np.int64(0)


@jit_inside
def value_nodes(state, method, top, above, column):
    """Writes the sums over the leaves at and below each node of the branch `top`, with what a trial adds, into a column
    of `values`, and how many nodes and leaves there are. above: what the node above `top` says."""
    nodes, n = state.nodes, list_nodes(state.nodes, state.children, state.lists, top)
    for t in range(n):
        i = state.lists[ORDER, t]
        label = nodes[nodes[i, UP], LABEL] if t > 0 else above
        if nodes[i, BRANCHES] == 0:
            state.values[i, column] = node_as_leaf(state, method, i, label, 0.0)[1]
            nodes[i, SIZE] = nodes[i, LEAVES] = 1
        elif method.handed_down:
            total = weigh(state.counts, state.more, state.factors, method.n_classes, i, state.now)
            nodes[i, LABEL] = label_of(state.now, state.costs, method, total, nodes[i, HAND], label)
    for t in range(n - 1, -1, -1):
        if nodes[state.lists[ORDER, t], BRANCHES] > 0:
            sum_branches(nodes, state.children, state.values, state.lists[ORDER, t], column)


@jit_inside
def sum_branches(nodes, children, values, i, column):
    """The sums of a split from those of its branches."""
    values[i, column], nodes[i, SIZE], nodes[i, LEAVES] = 0.0, 1, 0
    for b in range(nodes[i, BRANCHES]):
        child = children[nodes[i, FIRST] + b]
        values[i, column] += values[child, column]
        nodes[i, SIZE] += nodes[child, SIZE]
        nodes[i, LEAVES] += nodes[child, LEAVES]


@jit_part
def score(method, value, size):
    """The estimate of a tree of so many nodes whose leaves add up to `value`."""
    return value / method.weight + method.penalty[size]


# -- what may become of a node


@jit_inside
def label_of_raised_leaf(nodes, keep_labels, v, leaf):
    """What branch `leaf` of v, a leaf, says in the place of v; -1: what its rows say."""
    of_v = nodes[v, HAND] >= 0 if keep_labels else nodes[v, MARKED] > 0
    return nodes[v, HAND] if of_v else nodes[leaf, HAND]


@jit_inside
def value_with_branch(state, ways, method, v, chosen):
    """The sum over the leaves of branch `chosen` in the place of v, with the rows of the other branches."""
    nodes, begin = state.nodes, state.children[state.nodes[v, FIRST] + chosen]
    if nodes[begin, BRANCHES] == 0:
        total = weigh(state.counts, state.more, state.factors, method.n_classes, v, state.now)
        hand = label_of_raised_leaf(nodes, method.keep_labels, v, begin)
        label = label_of(state.now, state.costs, method, total, hand, label_above(nodes, v))
        return value_of_leaf(state.now, state.costs, method, total, label)
    n_touched = send_others(state, ways, v, chosen, method.first_cell, False, method.handed_down)
    value = state.values[begin, VALUE]
    if method.handed_down:
        own = nodes[begin, HAND]
        if nodes[v, MARKED] > 0:
            nodes[begin, HAND] = nodes[v, HAND]
        value_nodes(state, method, begin, label_above(nodes, v), TRIED)
        nodes[begin, HAND], value = own, state.values[begin, TRIED]
    else:
        for t in range(n_touched):
            i = state.lists[TOUCHED, t]
            value += node_as_leaf(state, method, i, 0, 0.0)[1] - state.values[i, VALUE]
    forget(nodes, state.lists, state.more, n_touched)
    return value


@jit_inside
def raise_branch(state, ways, method, v, chosen):
    """Puts branch `chosen` in the place of v."""
    nodes, begin = state.nodes, state.children[state.nodes[v, FIRST] + chosen]
    own = label_of_raised_leaf(nodes, method.keep_labels, v, begin)
    n_touched = send_others(state, ways, v, chosen, 0, True, True)
    for t in range(n_touched):
        nodes[state.lists[TOUCHED, t], CHANGED] = 1
    forget(nodes, state.lists, state.more, n_touched)
    above, number = nodes[v, UP], nodes[v, SLOT]
    if above >= 0 and np.int64(ways.pack[4 * above]) != OTHER:
        ways.pack[4 * above + 2 + number - nodes[above, FIRST]] = begin
    state.children[number] = begin
    nodes[begin, SLOT], nodes[begin, UP], nodes[begin, PLACE] = number, above, nodes[v, PLACE]
    if nodes[v, MARKED] > 0:
        nodes[begin, BEARER], nodes[begin, HAND], nodes[begin, MARKED] = nodes[v, BEARER], nodes[v, HAND], 1
    if method.keep_labels and nodes[begin, BRANCHES] == 0:
        nodes[begin, HAND] = own
    nodes[begin, CHANGED] = 1
    value_nodes(state, method, begin, label_above(nodes, begin), VALUE)


@jit_inside
def make_leaf(state, pack, method, v, unit):
    """Makes v a leaf; the lists of the leaves below it become one."""
    nodes = state.nodes
    label, value = node_as_leaf(state, method, v, label_above(nodes, v), unit)
    head, tail = np.int64(-1), np.int64(-1)
    for t in range(list_nodes(nodes, state.children, state.lists, v)):
        i = state.lists[ORDER, t]
        if nodes[i, HEAD] >= 0:
            if tail < 0:
                head = nodes[i, HEAD]
            else:
                state.rows[tail, NEXT] = nodes[i, HEAD]
            tail = nodes[i, TAIL]
    nodes[v, HEAD], nodes[v, TAIL], nodes[v, BRANCHES], nodes[v, SIZE], nodes[v, LEAVES] = head, tail, 0, 1, 1
    state.values[v, VALUE] = value
    if method.keep_labels:
        nodes[v, HAND] = label
    pack_leaf(pack, v)


@jit_inside
def largest_branch(state, method, v):
    """The number of the branch of v with the most training weight; of several the last, as in J48."""
    largest, most = 0, -1.0
    for b in range(state.nodes[v, BRANCHES]):
        child = state.children[state.nodes[v, FIRST] + b]
        weight = weigh(state.counts, state.more, state.factors, method.n_classes, child, state.now)
        if weight >= most:
            largest, most = b, weight
    return largest


@jit_inside
def best_change(state, ways, method, v, totals, verdict):
    """AS_LEAF, the number of the branch that is to take the place of v, or how many branches it has: it stays.

    By the generic procedure that of the least estimate; of equal ones that with fewer leaves, then the leaf, then the
    first branch. By C4.5's rule the leaf or else the largest branch, where no more is expected than of the others.

    totals, verdict: see `prune_splits`.
    """
    nodes, value, unit = state.nodes, state.values[v, VALUE], totals[2]
    others, rest, first, last = totals[0] - value, np.int64(totals[1]) - nodes[v, SIZE], 0, nodes[v, BRANCHES]
    if method.c45:
        others, rest, first = 0.0, 0, largest_branch(state, method, v)
        last = first + 1
    as_leaf = score(method, others + node_as_leaf(state, method, v, label_above(nodes, v), unit)[1], rest + 1)
    as_it_is = score(method, others + value, rest + nodes[v, SIZE])
    chosen, fewest, best, raised = AS_LEAF, np.int64(1), as_leaf, np.inf
    for b in range(first, last if method.raising else first):
        child = state.children[nodes[v, FIRST] + b]
        found = score(method, others + value_with_branch(state, ways, method, v, b), rest + nodes[child, SIZE])
        raised = min(raised, found)
        if found < best - unit or (found <= best + unit and nodes[child, LEAVES] < fewest):
            chosen, fewest, best = b, nodes[child, LEAVES], found
    verdict[0, v], verdict[1, v], verdict[2, v] = as_leaf, as_it_is, raised if raised < np.inf else np.nan
    if method.c45:
        slack = SLACK + ROUNDING
        if as_leaf <= as_it_is + slack and as_leaf <= raised + slack:
            return AS_LEAF
        return first if raised <= as_it_is + slack else nodes[v, BRANCHES]
    if as_it_is < best - unit or (as_it_is <= best + unit and nodes[v, LEAVES] < fewest):
        return nodes[v, BRANCHES]
    return chosen


@jit_part
def value_tree(state, method, free, totals):
    """Values all nodes, and fills `totals`, see `prune_splits`.

    Leaves that keep what they say come to say what is best by the estimate: what one of them says makes no difference
    to what is best elsewhere, so that it does not matter when they are asked.
    """
    for i in range(free.size):
        if free[i]:
            weigh(state.counts, state.more, state.factors, method.n_classes, i, state.now)
            state.nodes[i, HAND] = best_label(state.now, state.costs, method, state.nodes[i, HAND], TIE * method.weight)
    root = state.children[state.children.size - 1]
    value_nodes(state, method, root, np.int64(0), VALUE)
    totals[0], totals[1] = state.values[root, VALUE], state.nodes[root, SIZE]
    totals[2] = TIE * max(1.0, abs(score(method, totals[0], state.nodes[root, SIZE])))


@jit_long
def prune_splits(state, ways, method, fate, free, splits, totals, verdict, flag):
    """Decides what becomes of some splits, one after the other.

    After C4.5's rule has raised a branch those of its splits are asked again to which other rows have come.

    Args:
        ways: see `engine.tree.kernels.row_by_row`.
        fate: int64[n], KEPT, COLLAPSED or 0. free: bool[n], the leaves that may say anything.
        splits: int64[·], each after those below it.
        totals: float64[3], what the leaves of the whole tree add up to, how many nodes it has, and how near estimates
            are equal; 0 before the first call.
        verdict: float64[3, n], written: the estimate with the node as a leaf, with its branches, with the best of those
            that were tried in its place; NaN where it was not asked. That of the whole tree, or by C4.5's rule that of
            the node.
        flag: uint8[1], not 0 once it is to stop.
    """
    nodes, children, values, lists = state.nodes, state.children, state.values, state.lists
    if totals[1] == 0:
        value_tree(state, method, free, totals)
    for split in splits:
        if flag[0] != 0:
            return
        lists[DUE, 0], n_due = split, 1
        while n_due > 0:
            n_due -= 1
            v = lists[DUE, n_due]
            sum_branches(nodes, children, values, v, VALUE)
            nodes[v, CHANGED] = 0
            value, size, place = values[v, VALUE], nodes[v, SIZE], nodes[v, SLOT]
            chosen = AS_LEAF if fate[v] == COLLAPSED else nodes[v, BRANCHES]
            if fate[v] == 0:
                chosen = best_change(state, ways, method, v, totals, verdict)
            if chosen == AS_LEAF:
                make_leaf(state, ways.pack, method, v, totals[2])
                if fate[v] == COLLAPSED:
                    verdict[0, v], verdict[1, v] = values[v, VALUE], value
            elif chosen < nodes[v, BRANCHES]:
                raise_branch(state, ways, method, v, chosen)
                for t in range(list_nodes(nodes, children, lists, children[place]) if method.c45 else 0):
                    i = lists[ORDER, t]
                    if nodes[i, BRANCHES] > 0 and nodes[i, CHANGED] > 0:
                        lists[DUE, n_due] = i
                        n_due += 1
            totals[0] += values[children[place], VALUE] - value
            totals[1] += nodes[children[place], SIZE] - size
