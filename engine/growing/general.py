"""Growing node by node, for every search option: the readable way, taken where the kernels cannot.

What a node needs is here in the open: which rows stand in it, whether it is worth a search, the best split, and the
rows of each branch. Only at the end are the nodes written into the arrays of a tree. Orders, limits and ties are those
of the kernels, and so are the trees.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import kernel_code
from engine.criteria.kernels.impurity import impurity
from engine.growing.orders import even_drop
from engine.growing.to_nodes import join
from engine.ranking.node_search import Look, completed, first_significant, gains_enough, search_node, searched_table
from engine.runtime.progress import Progress
from engine.runtime.threads import Workers
from engine.search.best_split import BY_ROWS
from engine.search.options import Search
from engine.search.tally import NodeRows
from engine.splits import Split
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree import Nodes, Tree
from engine.tree.assignment import Assignment, count_slices, route
from engine.tree.nodes import unfilled
from engine.tree.packing import SplitWriter

ALONE = 50_000  # rows of a node times columns up to which threads cost more than they save
ALONE_AHEAD = 2_000  # the same with lookahead, which does more for a row


@dataclass(eq=False)
class Knot:
    """A node on the way.

    Attributes:
        start, stop: its slice of the rows, of all parts.
        levels: how many may grow below it.
        depth: edges from the root of the whole tree.
        train: int64[n], its training rows, ascending; let go when the node is done.
        weight: theirs.
        look: what the search found.
        split, children: once it is split, by branch.
    """

    start: int
    stop: int
    levels: int
    depth: int
    train: NDArray[np.int64]
    weight: float
    look: Look | None = None
    split: Split | None = None
    children: "list[Knot]" = field(default_factory=list)

    def preorder(self) -> "Iterator[Knot]":
        """The nodes of its subtree."""
        stack = [self]
        while stack:
            knot = stack.pop()
            yield knot
            stack.extend(reversed(knot.children))


class Growing:
    """Opens, searches and splits nodes.

    Attributes:
        view: the table whose target is searched; its rows and columns are those of `table`.
        rows: uint32[n], the rows of the nodes to grow, of all parts; a node is a slice.
    """

    def __init__(
        self, table: Table, rows: NDArray[np.uint32], search: Search, workers: Workers, progress: Progress,
        left_out: frozenset[str] = frozenset(),
    ):  # fmt: skip
        view = searched_table(table.without(left_out), search)
        self.table, self.view, self.rows, self.search = table, view, rows, search
        self.workers, self.progress = workers, progress
        self._alone = Workers(1)
        self._quiet = Progress()
        self._heard = Progress(lambda _, column: self._report(f"growing: {column}" if column else "growing"))
        self._quiet.flag = self._heard.flag = progress.flag  # a search hears the stop; only a large node's is heard of
        self._settled, self._n_train = 0, int(np.count_nonzero(table.part[rows] == TRAIN))

    def open(self, start: int, stop: int, levels: int, depth: int) -> Knot:
        """A node that is a leaf so far."""
        rows = self.rows[start:stop]
        train = rows[self.table.part[rows] == TRAIN].astype(np.int64)
        weights = self.table.weights
        return Knot(start, stop, levels, depth, train, float(train.size if weights is None else weights[train].sum()))

    def find(self, knot: Knot) -> bool:
        """Searches the best split of a node; False if there is none that is good enough or a stop was asked for.

        Where only one more level may grow, a split is judged by that one, whatever the lookahead.
        """
        search, inside = self.search, NodeRows(self.view, knot.train, 1).centred()
        if knot.levels == 1 and search.lookahead > 1:
            search = replace(search, lookahead=1)
        bar = ALONE if search.lookahead == 1 else ALONE_AHEAD
        many = knot.train.size * len(self.view.features) > bar
        how = (self.workers, self._heard) if many else (self._alone, self._quiet)
        looks = search_node(inside, search, *how)
        if self.progress.stopped:
            return False
        look = first_significant(inside, looks, search)
        good = look is not None and gains_enough(inside, look, search)
        knot.look = completed(inside, look, search) if look is not None and good else None
        return knot.look is not None

    def is_open(self, knot: Knot) -> bool:
        """Whether a node is worth a search: deep enough, large enough, and not pure."""
        n, search = knot.train.size, self.search
        if knot.levels <= 0 or n < max(search.min_rows, 2 * search.min_leaf):
            return False
        y = self.view.y[knot.train]
        return bool((y != y[0]).any())

    def scale(self, roots: list[Knot]) -> float:
        """How mixed the nodes are together; by it their drops are told apart, see `even_drop`."""
        total = 0.0
        for knot in roots:
            y, weights = self.view.y[knot.train], None if self.view.weights is None else self.view.weights[knot.train]
            if self.view.task == "classes":
                stat = np.bincount(y, weights, len(self.view.classes)).astype(np.float64)
                total += knot.weight * float(impurity(kernel_code(self.search.criterion), stat))
            else:  # as large as the criterion's drops: squares, or distances
                spread = np.std if self.search.criterion == BY_ROWS else np.var
                total += knot.weight * float(spread(y))
        return total

    def settle(self, knot: Knot) -> None:
        """Leaves a node as a leaf."""
        self._settled += knot.train.size
        knot.train = knot.train[:0]
        self._report("growing")

    def _report(self, words: str) -> None:
        """Tells which share of the rows stands in a finished leaf."""
        self.progress.report(self._settled / max(self._n_train, 1), words)

    def split(self, knot: Knot) -> list[Knot]:
        """Makes the split that was found; returns the branches that have training rows."""
        assert knot.look is not None
        knot.split = knot.look.found.split
        assert knot.split is not None
        bounds = knot.start + route(self.table, knot.split, self.rows[knot.start : knot.stop])
        below = knot.levels - 1, knot.depth + 1
        knot.children = [self.open(int(a), int(b), *below) for a, b in pairwise(bounds)]
        knot.train, knot.look = knot.train[:0], None
        return [child for child in knot.children if child.train.size]


def grow_general(
    table: Table, tree: Tree, starts: NDArray[np.int64], levels: NDArray[np.int64], search: Search, at: Assignment,
    progress: Progress, left_out: frozenset[str] = frozenset(),
) -> Tree:  # fmt: skip
    """The tree with the leaves at positions `starts` grown, each by at most so many levels.

    Args:
        left_out: the features that no split may look at.
        at: the rows of the tree's nodes.
        progress: when it is stopped, the tree as far as it was grown is returned.
    """
    slices = [at.rows_of(int(i)) for i in starts]
    bounds = np.append(0, np.cumsum([rows.size for rows in slices]))
    with Workers(search.threads) as workers:
        growing = Growing(table, np.concatenate(slices), search, workers, progress, left_out)
        roots = [
            growing.open(int(a), int(b), int(below), int(depth))
            for (a, b), below, depth in zip(pairwise(bounds), levels, tree.level[starts], strict=True)
        ]
        _grow(growing, roots, tree.n_leaves)
    return _joined(table, tree, starts, growing.rows, roots)


def _grow(growing: Growing, roots: list[Knot], n_leaves: int) -> None:
    """Splits one node after the other until the tree has `max_leaves` leaves or nothing is left to split.

    best_first takes the node whose split gains most, weighted by the node; level the one nearest to the root;
    depth_first the leftmost. Equal ones: the one found first.

    Args:
        n_leaves: leaves of the whole tree before.
    """
    order, most = growing.search.order, growing.search.max_leaves
    queue: list[tuple[float, int, Knot]] = []
    found, fresh, scale = 0, list(roots), growing.scale(roots)
    while True:
        for knot in fresh if order != "depth_first" else reversed(fresh):
            found += 1
            if not growing.is_open(knot) or (order == "best_first" and not growing.find(knot)):
                growing.settle(knot)
                continue
            heapq.heappush(queue, (_urgency(knot, order, found, scale), found, knot))
        if not queue or growing.progress.stopped or (most is not None and n_leaves >= most):
            break
        knot, fresh = heapq.heappop(queue)[2], []
        if order != "best_first" and not growing.find(knot):
            growing.settle(knot)
            continue
        assert knot.look is not None and knot.look.found.split is not None
        more = knot.look.found.split.n_branches - 1
        if most is None or n_leaves + more <= most:
            n_leaves += more
            fresh = growing.split(knot)


def _urgency(knot: Knot, order: str, found: int, scale: float) -> float:
    """The smaller the sooner."""
    if order == "best_first":
        assert knot.look is not None
        return -float(even_drop(knot.look.merit * knot.weight, scale))
    return float(knot.depth if order == "level" else -found)


def _joined(table: Table, tree: Tree, starts: NDArray[np.int64], rows: NDArray[np.uint32], roots: list[Knot]) -> Tree:
    """The tree with what was grown in the place of its leaves."""
    knots = [knot for root in roots for knot in root.preorder()]
    sizes = np.array([sum(1 for _ in root.preorder()) for root in roots], dtype=np.int64)
    slices = (np.array([getattr(knot, name) for knot in knots], dtype=np.int64) for name in ("start", "stop"))
    nodes = Nodes.leaves(np.zeros(len(knots), dtype=np.int64), count_slices(table, rows, *slices))
    nodes = nodes.take(np.arange(len(knots)))  # arrays of their own, to write into
    nodes = nodes._replace(histogram=unfilled(len(knots), tree.nodes.histogram.shape[1])[2])
    writer = SplitWriter(tree.columns)
    for i, knot in enumerate(knots):
        if knot.split is not None:
            writer.write(nodes, i, knot.split, by_hand=False)
    return join(tree, starts, nodes, writer.payload, sizes)
