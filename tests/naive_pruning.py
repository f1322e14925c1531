"""The slow, obvious twin of the pruning methods: every pruning of a small tree, in exact arithmetic.

A tree is a list of child lists: children[v] are the positions of v's branches, [] for a leaf, the root is 0.
A pruning is the frozenset of its leaves. Costs are integers or Fractions.
"""

from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

Children = list[list[int]]
Pruned = frozenset[int]


def prunings(children: Children, v: int = 0, locked: frozenset[int] = frozenset()) -> list[Pruned]:
    """Every way to cut the branch at v back; nodes in `locked` stay splits."""
    found = [] if v in locked else [frozenset([v])]
    if children[v]:
        for parts in product(*(prunings(children, child, locked) for child in children[v])):
            found.append(frozenset().union(*parts))
    return found


def charge(leaves: Pruned, cost: list[int], alpha: Fraction) -> Fraction:
    return sum((Fraction(cost[v]) for v in leaves), Fraction(0)) + alpha * len(leaves)


def cheapest(children: Children, cost: list[int], alpha: Fraction, locked: frozenset[int] = frozenset()) -> Pruned:
    """The smallest of the cheapest prunings; fails when it is not the only one of its size."""
    every = prunings(children, 0, locked)
    least = min((charge(leaves, cost, alpha), len(leaves)) for leaves in every)
    best = [leaves for leaves in every if (charge(leaves, cost, alpha), len(leaves)) == least]
    assert len(best) == 1
    return best[0]


def leaves_of(children: Children, v: int = 0) -> Pruned:
    below = [leaves_of(children, child) for child in children[v]]
    return frozenset().union(*below) if below else frozenset([v])


def breiman(
    children: Children, cost: list[int], locked: frozenset[int] = frozenset()
) -> list[tuple[Fraction | None, Pruned]]:
    """The book's procedure: look at every split, collapse all of the least g, and again."""
    children = [list(branches) for branches in children]
    path: list[tuple[Fraction | None, Pruned]] = [(None, leaves_of(children))]
    while True:
        g = {}
        for v, branches in enumerate(children):
            if branches and v not in locked:
                leaves = leaves_of(children, v)
                g[v] = (cost[v] - charge(leaves, cost, Fraction(0))) / (len(leaves) - 1)
        if not g:
            return path
        least = min(g.values())
        for v in sorted(g, reverse=True):
            if g[v] == least:
                _clear(children, v)
        path.append((least, leaves_of(children)))


def _clear(children: Children, v: int) -> None:
    for child in children[v]:
        _clear(children, child)
    children[v] = []


def reduced_error(children: Children, cost: list[int], v: int = 0) -> tuple[int, Pruned]:
    """Quinlan's bottom-up rule, ties pruned: the cost of the branch at v and its leaves."""
    if not children[v]:
        return cost[v], frozenset([v])
    below = [reduced_error(children, cost, child) for child in children[v]]
    kept = sum(errors for errors, _ in below)
    if cost[v] <= kept:
        return cost[v], frozenset([v])
    return kept, frozenset().union(*(leaves for _, leaves in below))


def with_ancestors(children: Children, chosen: set[int]) -> frozenset[int]:
    """These nodes and all above them."""
    parent = {child: v for v, below in enumerate(children) for child in below}
    kept: set[int] = set()
    for v in chosen:
        above: int | None = v
        while above is not None:
            kept.add(above)
            above = parent.get(above)
    return frozenset(kept)


@st.composite
def costed_shapes(draw: st.DrawFn, most_splits: int = 5, most_cost: int = 6) -> tuple[Children, list[int]]:
    """Any small tree of splits into two or three branches, and any costs of its nodes."""
    below: Children = [[]]
    for _ in range(draw(st.integers(0, most_splits))):
        v = draw(st.sampled_from([v for v, branches in enumerate(below) if not branches]))
        for _ in range(draw(st.integers(2, 3))):
            below.append([])
            below[v].append(len(below) - 1)
    order, waiting = [], [0]
    while waiting:
        order.append(waiting.pop())
        waiting += below[order[-1]][::-1]
    place = {v: i for i, v in enumerate(order)}
    children = [[place[child] for child in below[v]] for v in order]
    return children, draw(st.lists(st.integers(0, most_cost), min_size=len(children), max_size=len(children)))


def greedy(
    children: Children, cost: list[int], locked: frozenset[int] = frozenset()
) -> list[tuple[int | None, Pruned]]:
    """The cut that lowers the cost most, again and again: of equal ones that of most leaves, then the first node."""
    children = [list(branches) for branches in children]
    path: list[tuple[int | None, Pruned]] = [(None, leaves_of(children))]
    while True:
        offers = []
        for v, branches in enumerate(children):
            if branches and v not in locked and _stands(children, v):
                leaves = leaves_of(children, v)
                offers.append((sum(cost[leaf] for leaf in leaves) - cost[v], len(leaves), -v))
        if not offers:
            return path
        gain, _, place = max(offers)
        _clear(children, -place)
        path.append((gain, leaves_of(children)))


def _stands(children: Children, v: int) -> bool:
    return v == 0 or any(v in branches and _stands(children, above) for above, branches in enumerate(children))
