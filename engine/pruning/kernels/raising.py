"""Raising: a node gives way to one of its branches, and the rows of its other branches go down that one.

    v ── a   v's rows are those of a, b and c. In the place of v stands b; the rows of a and of c
      ├─ b   start at b and end up in leaves below it. What the nodes on their ways hold grows,
      └─ c   every other node stays as it is.

A node keeps its position in the full tree as its name, wherever it stands later. The rows of a leaf are a linked list,
so that lists join at no cost when leaves do. Rows of a branch that is raised are not touched; with the largest branch
a row moves only when its branch holds at most half of a node's rows.
"""

from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit_bare, jit_part
from engine.tree.kernels.row_by_row import four_leaves, leaf_below, make_packed_leaf

TIE = 1e-12  # as in `engine.tree.leaves`


class Answers(NamedTuple):
    """What leaves say.

    factors: float64[K], by what each class counts. costs: float64[K, K] of mistakes, or float64[0, 0] where all cost
    the same. hand: int64[n], the class that a person wrote, else -1. marked: bool[n], whether anything is written on
    a node, so that it keeps what it has when a branch takes its place.
    """

    factors: np.ndarray
    costs: np.ndarray
    hand: np.ndarray
    marked: np.ndarray


class Sums(NamedTuple):
    """The target in every node. counts: float64[n, S]. more: float64[n, S], what a trial would add, 0 elsewhere."""

    counts: np.ndarray
    more: np.ndarray


class Standing(NamedTuple):
    """The tree as it stands, by positions in the full one; everything here is written into.

    pack: uint32[4 n], what most rows need to know of a node, see `engine.tree.kernels.row_by_row`.
    n_branches: int64[n], 0 for leaves. first_kid: int64[n], the branches of node i stand at first_kid[i] … of kids,
    int64[n]; the root at n - 1. slot: int64[n], where in kids a node stands. up: int64[n], the node above it. holder,
    bearer: int64[n], the nodes whose place and whose mark a node has.
    x: uint32[rows, C], 0 missing, else 1 more than a number of the splits. cell: int32[rows], the entry of the counts
    that a row belongs to. weights: float64[rows]. head, tail: int64[n], the rows of a leaf, -1 for none; following:
    int32[rows].
    sums: the target in the nodes. touched: int64[n], the nodes of a
    trial; seen: bool[n], whether a node is among them. walk: int64[n], for walks.

    What happens below one node touches nothing outside; so subtrees are pruned side by side, each with slices of its
    own of `touched` and `walk`.
    """

    pack: np.ndarray
    n_branches: np.ndarray
    first_kid: np.ndarray
    kids: np.ndarray
    slot: np.ndarray
    up: np.ndarray
    holder: np.ndarray
    bearer: np.ndarray
    x: np.ndarray
    cell: np.ndarray
    weights: np.ndarray
    head: np.ndarray
    tail: np.ndarray
    following: np.ndarray
    sums: Sums
    touched: np.ndarray
    seen: np.ndarray
    walk: np.ndarray


@jit_bare
def list_rows(now, begin, stop):
    """Links the rows begin[i]..stop[i] - 1 of every leaf i; what once stood below a leaf is passed first."""
    for i in range(begin.size - 1, -1, -1):
        now.head[i], now.tail[i] = -1, -1
        if now.n_branches[i] == 0 and stop[i] > begin[i]:
            now.head[i], now.tail[i] = begin[i], stop[i] - 1
            for row in range(begin[i], stop[i]):
                now.following[row] = row + 1
            now.following[stop[i] - 1] = -1


@jit_bare
def next_leaf(now, top):
    """Walks to the next leaf from the `top` nodes that wait on `walk`; returns (the leaf, how many wait then)."""
    while True:
        top -= 1
        i = now.walk[top]
        if now.n_branches[i] == 0:
            return i, top
        for b in range(now.n_branches[i]):
            now.walk[top] = now.kids[now.first_kid[i] + b]
            top += 1


@jit_bare
def start_walk(now, v, but):
    """Puts the branches of v, without that numbered `but`, onto `walk`; returns how many."""
    top = 0
    for b in range(now.n_branches[v]):
        if b != but:
            now.walk[top] = now.kids[now.first_kid[v] + b]
            top += 1
    return top


@jit_bare
def next_row(now, row, top, low, high):
    """(the row after `row`, -1 for the first, of the leaves below the `top` nodes that wait on `walk` whose cell is
    one of low..high - 1, or -1; how many wait then)."""
    if row >= 0:
        row = np.int64(now.following[np.uint64(row)])
    while True:
        while row < 0 and top > 0:
            leaf, top = next_leaf(now, top)
            row = now.head[leaf]
        if row < 0 or low <= now.cell[np.uint64(row)] < high:
            return row, top
        row = np.int64(now.following[np.uint64(row)])


@jit_bare
def add_row(now, row, i, n_touched):
    """Adds a row to leaf i in a trial; returns how many leaves are touched."""
    if not now.seen[np.uint64(i)]:
        now.seen[np.uint64(i)] = True
        now.touched[n_touched] = i
        n_touched += 1
    now.sums.more[np.uint64(i), np.uint64(now.cell[np.uint64(row)])] += now.weights[np.uint64(row)]
    return n_touched


@jit_part
def send_four(now, ways, a, begin, top, low, high, n_touched):
    """Sends a row and the next three down `begin`; see `next_row` and `add_row`.

    Returns:
        (how many leaves are touched, the row after these, how many nodes wait).
    """
    b, top = next_row(now, a, top, low, high)
    c, top = next_row(now, b, top, low, high)
    d, top = next_row(now, c, top, low, high)
    i, j, k, m = four_leaves(now, ways, a, b if b >= 0 else a, c if c >= 0 else a, d if d >= 0 else a, begin)
    n_touched = add_row(now, a, i, n_touched)
    if b >= 0:
        n_touched = add_row(now, b, j, n_touched)
    if c >= 0:
        n_touched = add_row(now, c, k, n_touched)
    if d >= 0:
        n_touched = add_row(now, d, m, n_touched)
    after, top = next_row(now, d, top, low, high)
    return n_touched, after, top


@jit_bare
def send_others(now, ways, v, chosen, low, high, n_touched):
    """Tries branch `chosen` in the place of v: sends the rows of the others down it. Fills `more`, `touched`, `seen`
    of the leaves that they reach; for the nodes on the way see `add_upwards`.

    low, high: only rows of the cells low..high - 1. n_touched: how many leaves other rows have touched.

    Returns:
        How many leaves were touched.
    """
    begin = now.kids[now.first_kid[v] + chosen]
    a, top = next_row(now, -1, start_walk(now, v, chosen), low, high)
    while a >= 0:
        n_touched, a, top = send_four(now, ways, a, begin, top, low, high, n_touched)
    return n_touched


@jit_bare
def add_upwards(now, begin, n_touched):
    """Adds to the nodes between `begin` and the leaves that `send_others` touched what came to these leaves.

    Returns:
        How many nodes are touched now; of two on one way the upper comes first.
    """
    for t in range(n_touched):
        leaf = i = now.touched[t]
        while i != begin:
            i = now.up[i]
            now.seen[i] = True
            for k in range(now.sums.more.shape[1]):
                now.sums.more[i, k] += now.sums.more[leaf, k]
    now.walk[0], top, n = begin, min(n_touched, 1), 0
    while top > 0:
        top -= 1
        i = now.walk[top]
        now.touched[n] = i
        n += 1
        for b in range(now.n_branches[i]):
            kid = now.kids[now.first_kid[i] + b]
            if now.seen[kid]:
                now.walk[top] = kid
                top += 1
    return n


@jit_bare
def is_plain_leaf(now, answers, v, chosen):
    """Whether branch `chosen` is a leaf that in the place of v would say what v says as a leaf."""
    kid = now.kids[now.first_kid[v] + chosen]
    return now.n_branches[kid] == 0 and (answers.marked[v] or answers.hand[kid] < 0)


@jit_bare
def forget(now, n_touched):
    """Takes a trial back."""
    for t in range(n_touched):
        i = now.touched[t]
        now.seen[i] = False
        for k in range(now.sums.more.shape[1]):
            now.sums.more[i, k] = 0.0


@jit_bare
def raise_branch(now, ways, answers, v, chosen, n_touched):
    """Puts branch `chosen` in the place of v, after `add_upwards`, whose `touched` stays as it is."""
    begin = now.kids[now.first_kid[v] + chosen]
    for t in range(n_touched):
        i = now.touched[t]
        now.seen[i] = False
        for k in range(now.sums.more.shape[1]):
            now.sums.counts[i, k] += now.sums.more[i, k]
            now.sums.more[i, k] = 0.0
    top = start_walk(now, v, chosen)
    while top > 0:
        leaf, top = next_leaf(now, top)
        row = now.head[leaf]
        while row >= 0:
            after, i = np.int64(now.following[row]), leaf_below(now, ways, row, begin)
            now.following[row] = now.head[i]
            now.head[i] = row
            if now.tail[i] < 0:
                now.tail[i] = row
            row = after
    above = now.up[v]
    if above >= 0 and now.slot[v] - now.first_kid[above] < 2:
        now.pack[4 * above + 2 + now.slot[v] - now.first_kid[above]] = begin
    now.kids[now.slot[v]] = begin
    now.slot[begin], now.up[begin], now.holder[begin] = now.slot[v], now.up[v], now.holder[v]
    if answers.marked[v]:
        now.bearer[begin], answers.hand[begin], answers.marked[begin] = now.bearer[v], answers.hand[v], True


@jit_bare
def make_leaf(now, v):
    """Makes v a leaf; the lists of the leaves below it become one."""
    head, tail = -1, -1
    top = start_walk(now, v, -1)
    while top > 0:
        leaf, top = next_leaf(now, top)
        if now.head[leaf] >= 0:
            if tail < 0:
                head = now.head[leaf]
            else:
                now.following[tail] = now.head[leaf]
            tail = now.tail[leaf]
    now.head[v], now.tail[v], now.n_branches[v] = head, tail, 0
    make_packed_leaf(now.pack, v)


@jit_bare
def weight_at(sums, answers, i):
    """The training weight of node i, with what a trial adds, reweighed."""
    total = 0.0
    for k in range(answers.factors.size):
        total += (sums.counts[i, k] + sums.more[i, k]) * answers.factors[k]
    return total


@jit_bare
def label_at(sums, answers, i, total, above):
    """The class that node i says, as `Tree.labels` has it, with what a trial adds.

    total: as from `weight_at`; without weight the node says `above`.
    """
    if answers.hand[i] >= 0:
        return answers.hand[i]
    if not total > 0.0:
        return above
    n_classes, costly = answers.factors.size, answers.costs.size > 0
    least, largest = np.inf, 1.0
    if costly:
        largest = 0.0
        for k in range(n_classes):
            for c in range(n_classes):
                largest = max(largest, answers.costs[k, c])
    for c in range(n_classes):
        least = min(least, expected_cost(sums, answers, i, total, c))
    for c in range(n_classes):
        if expected_cost(sums, answers, i, total, c) <= least + TIE * total * largest:
            return np.int64(c)
    return above


@jit_bare
def expected_cost(sums, answers, i, total, c):
    """What the training rows of node i cost when it says class c."""
    if answers.costs.size == 0:
        return total - (sums.counts[i, c] + sums.more[i, c]) * answers.factors[c]
    cost = 0.0
    for k in range(answers.factors.size):
        cost += (sums.counts[i, k] + sums.more[i, k]) * answers.factors[k] * answers.costs[k, c]
    return cost


@jit_bare
def wrong_at(sums, answers, i, total, label):
    """The training weight of node i that a label is wrong for."""
    return max(total - (sums.counts[i, label] + sums.more[i, label]) * answers.factors[label], 0.0)


@jit_bare
def survivors(now, order):
    """The nodes as they stand, in preorder, into `order`, int64[n]; returns how many."""
    n, top = 0, 1
    now.walk[0] = now.kids[now.kids.size - 1]
    while top > 0:
        top -= 1
        i = now.walk[top]
        order[n] = i
        n += 1
        for b in range(now.n_branches[i] - 1, -1, -1):
            now.walk[top] = now.kids[now.first_kid[i] + b]
            top += 1
    return n
