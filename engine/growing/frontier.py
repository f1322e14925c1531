"""The frontier: the open leaves of a tree that grows, and which of them is split next.

best_first takes the leaf whose split lowers the criterion most, weighted by the leaf; level the one nearest to the
root; depth_first the leftmost. Of equal ones the leaf that was found first.
"""

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress

Leaf = TypeVar("Leaf")


class Frontier(Generic[Leaf]):
    """Open leaves, the one to split next first.

    Attributes:
        order: "best_first", "level" or "depth_first".
        n_leaves: leaves of the whole tree so far.
    """

    def __init__(self, order: str, n_leaves: int, most_leaves: int | None) -> None:
        """most_leaves: of the whole tree; None for no limit."""
        self.order, self.n_leaves, self._most = order, n_leaves, most_leaves
        self._queue: list[tuple[float, int, Leaf]] = []
        self._found = 0

    def add(self, leaves: Sequence[Leaf], urgency: Callable[[Leaf], float]) -> None:
        """Adds the branches of a split, from left to right; urgency: the smaller the sooner."""
        for leaf in reversed(leaves) if self.order == "depth_first" else leaves:
            self._found += 1
            key = -float(self._found) if self.order == "depth_first" else urgency(leaf)
            heapq.heappush(self._queue, (key, self._found, leaf))

    def take(self) -> Leaf | None:
        """The next leaf, which leaves the frontier; None if there is none or the tree has all its leaves."""
        if not self._queue or (self._most is not None and self.n_leaves >= self._most):
            return None
        return heapq.heappop(self._queue)[2]

    def has_room(self, n_branches: int) -> bool:
        """Whether a leaf may be split into so many; if so, they are counted."""
        grown = self.n_leaves + n_branches - 1
        if self._most is not None and grown > self._most:
            return False
        self.n_leaves = grown
        return True


@dataclass(eq=False)
class Pending:
    """A node on the way.

    Attributes:
        start, stop: its slice of the rows.
        levels: how many may grow below it.
        depth: edges from the root of the whole tree.
        children: by branch, once it is split.
    """

    start: int
    stop: int
    levels: int
    depth: int
    children: list[Self] = field(default_factory=list, init=False)

    def preorder(self) -> Iterator[Self]:
        """The nodes of its subtree."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


Node = TypeVar("Node", bound=Pending)


class Growing(Protocol[Node]):
    """What opens, searches and splits leaves; `progress` tells whether somebody asked to stop."""

    progress: Progress

    def is_open(self, leaf: Node) -> bool:
        """Whether a leaf is worth a search: deep enough, large enough, and not pure."""

    def search(self, leaves: Sequence[Node]) -> None:
        """Finds the best split of every leaf, if there is one that is good enough."""

    def n_branches(self, leaf: Node) -> int:
        """How many branches the split that was found makes; 0 if none was."""

    def urgency(self, leaf: Node) -> float:
        """The smaller the sooner, for the order best_first."""

    def split(self, leaves: Sequence[Node]) -> list[Node]:
        """Makes the splits that were found; returns their branches."""

    def settle(self, leaf: Node) -> None:
        """Leaves a leaf as it is."""


def grow_in_order(growing: Growing[Node], roots: Sequence[Node], frontier: Frontier[Node]) -> None:
    """Splits one leaf after the other until nothing is left to split or the tree has all its leaves."""
    fresh = roots
    while True:
        waiting = [leaf for leaf in fresh if growing.is_open(leaf)]
        if frontier.order == "best_first":
            growing.search(waiting)
            waiting = [leaf for leaf in waiting if growing.n_branches(leaf)]
        kept = {id(leaf) for leaf in waiting}
        for leaf in fresh:
            if id(leaf) not in kept:
                growing.settle(leaf)
        frontier.add(waiting, growing.urgency if frontier.order == "best_first" else lambda node: float(node.depth))
        first = frontier.take()
        if first is None or growing.progress.stopped:
            return
        fresh = []
        if frontier.order != "best_first":
            growing.search([first])
        if not growing.n_branches(first):
            growing.settle(first)
        elif frontier.has_room(growing.n_branches(first)):
            fresh = growing.split([first])


def splits_in_order(
    frontier: Frontier[int], roots: Iterable[int], n_branches: NDArray[np.integer], end: NDArray[np.integer],
    urgency: NDArray[np.float64], unsearched: NDArray[np.bool_] | None = None,
) -> list[int]:  # fmt: skip
    """The splits of grown trees in the order in which growing makes them, as far as there is room for their leaves.

    Args:
        roots: positions; n_branches, end: int[n], in preorder, 0 branches of a leaf; one past each subtree.
        urgency: float64[n], the smaller the sooner.
        unsearched: bool[n], leaves that may be none: the first of them whose turn comes ends it.
    """
    splits, ends, urgencies = n_branches.tolist(), end.tolist(), urgency.tolist()
    waits = [False] * len(splits) if unsearched is None else unsearched.tolist()
    made: list[int] = []
    fresh = list(roots)
    while True:
        frontier.add([i for i in fresh if splits[i] or waits[i]], urgencies.__getitem__)
        i = frontier.take()
        if i is None or waits[i]:
            return made
        fresh = []
        if frontier.has_room(splits[i]):
            made.append(i)
            child = i + 1
            while child < ends[i]:
                fresh.append(child)
                child = ends[child]


def even_drop(drop: float | NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Drops of an impurity of this scale, rounded to 2⁻⁴⁰ of it: those that are equal but for rounding are equal."""
    step = math.ldexp(1.0, math.frexp(scale)[1] - 40)
    return np.asarray(np.rint(np.asarray(drop) / step) * step)
