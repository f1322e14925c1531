"""Growing node by node, for every search option: the readable way, taken where the kernels cannot.

What a node needs is here in the open: which rows stand in it, whether it is worth a search, the best split, and the
rows of each branch. Only at the end are the nodes written into the arrays of a tree. Orders, limits and ties are those
of the kernels, and so are the trees.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.kernels import impurity
from engine.growing.frontier import Frontier, Pending, even_drop, grow_in_order
from engine.growing.to_nodes import join
from engine.ranking.node_search import first_significant, gains_enough, search_node, searched_table
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.search.column_search import Found
from engine.search.options import Search
from engine.search.surrogates import with_surrogates
from engine.search.tally import NodeRows
from engine.splits import Split
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.assignment import Assignment, Shares, divide
from engine.tree.counting import count_slices
from engine.tree.nodes import Nodes, SplitWriter, unfilled
from engine.tree.tree import Tree

ALONE = 50_000  # rows of a node times columns up to which threads cost more than they save
ROUNDING = 1e-6  # of rows that are added up from parts
ALONE_AHEAD = 2_000  # the same with lookahead, which does more for a row


@dataclass(eq=False)
class PendingNode(Pending):
    """A node on the way.

    Attributes:
        rows, share: its rows of all parts, and which part of each stands there, see `Assignment.held`; let go when the
            node is done.
        counts: what `count_slices` says of them.
        train: int64[n], its training rows, ascending; let go when the node is done.
        part: float64[n], which part of each training row stands there; None for all of all.
        size, weight: how many rows these are together, and what they weigh.
        look: what the search found.
        split: once it is made.
    """

    rows: NDArray[np.uint32]
    share: Shares
    counts: tuple[NDArray[Any], ...]
    train: NDArray[np.int64]
    part: Shares
    size: float
    weight: float
    look: Found | None = None
    split: Split | None = None


class NodeByNode:
    """Opens, searches and splits nodes.

    Attributes:
        view: the table whose target is searched; its rows and columns are those of `table`.
    """

    def __init__(
        self, table: Table, n_train: int, search: Search, workers: Workers, progress: Progress,
        excluded: frozenset[str],
    ):  # fmt: skip
        view = searched_table(table.without(excluded), search)
        self.table, self.view, self.options = table, view, search
        self.scale = 1.0
        self.workers, self.progress = workers, progress
        self._alone = Workers(1)
        self._quiet = Progress()
        self._heard = Progress(
            lambda _, column: self._report(tr("Growing: {column}", column=column) if column else tr("Growing"))
        )
        self._quiet.flag = self._heard.flag = progress.flag  # a search hears the stop; only a large node's is heard of
        self._settled, self._n_train = 0.0, n_train

    def open(self, rows: NDArray[np.uint32], share: Shares, levels: int, depth: int) -> PendingNode:
        """A node that is a leaf so far."""
        here = self.table.part[rows] == TRAIN
        train, part = rows[here].astype(np.int64), None if share is None else share[here]
        weights = np.ones(train.size) if self.view.weights is None else self.view.weights[train]
        size, weight = (float(train.size), weights) if part is None else (float(part.sum()), weights * part)
        counts = count_slices(self.table, rows, np.zeros(1, np.int64), np.array([rows.size]), share)
        return PendingNode(0, rows.size, levels, depth, rows, share, counts, train, part, size, float(weight.sum()))

    def search(self, nodes: Sequence[PendingNode]) -> None:
        """Finds the best split of every node, if there is one that is good enough and no stop was asked for.

        Where only one more level may grow, a split is judged by that one, whatever the lookahead.
        """
        for node in nodes:
            view = self.view if node.part is None else self.view.divided_rows(node.train, node.part)
            search, inside = self.options, NodeRows(view, node.train, 1).centred()
            if node.levels == 1 and search.lookahead > 1:
                search = replace(search, lookahead=1)
            bar = ALONE if search.lookahead == 1 else ALONE_AHEAD
            many = node.train.size * len(self.view.features) > bar
            how = (self.workers, self._heard) if many else (self._alone, self._quiet)
            looks = search_node(inside, search, *how)
            if self.progress.stopped:
                return
            look = first_significant(inside, looks, search)
            if look is not None and gains_enough(inside, look, search):
                node.look = with_surrogates(inside, look, search)

    def n_branches(self, node: PendingNode) -> int:
        """How many branches the split that was found makes; 0 if none was."""
        return 0 if node.look is None or node.look.split is None else node.look.split.n_branches

    def urgency(self, node: PendingNode) -> float:
        """The smaller the sooner, for the order best_first."""
        assert node.look is not None
        return -float(even_drop(node.look.merit * node.weight, self.scale))

    def is_open(self, node: PendingNode) -> bool:
        """Whether a node is worth a search: deep enough, large enough, and not pure."""
        search = self.options
        if node.levels <= 0 or node.size < search.rows_to_split - ROUNDING:
            return False
        y = self.view.y[node.train]
        return bool((y != y[0]).any())

    def scale_of(self, roots: list[PendingNode]) -> float:
        """How mixed the nodes are together; by it their drops are told apart, see `even_drop`."""
        total = 0.0
        for node in roots:
            y, weights = self.view.y[node.train], None if self.view.weights is None else self.view.weights[node.train]
            if node.part is not None:
                weights = node.part if weights is None else weights * node.part
            if self.view.task == "classes":
                stat = np.bincount(y, weights, len(self.view.classes)).astype(np.float64)
                total += node.weight * float(impurity(kernel_code(self.options.criterion), stat))
            else:  # as large as the criterion's drops: squares, or distances
                spread = np.std if self.options.by_rows else np.var
                total += node.weight * float(spread(y))
        return total

    def settle(self, node: PendingNode) -> None:
        """Leaves a node as a leaf."""
        self._settled += node.size
        node.train, node.rows, node.part, node.share = node.train[:0], node.rows[:0], None, None
        self._report(tr("Growing"))

    def _report(self, words: str) -> None:
        """Tells which share of the rows stands in a finished leaf."""
        self.progress.report(self._settled / max(self._n_train, 1), words)

    def split(self, nodes: Sequence[PendingNode]) -> list[PendingNode]:
        """Makes the splits that were found; returns their branches."""
        for node in nodes:
            assert node.look is not None
            node.split = node.look.split
            assert node.split is not None
            rows, share, bounds = divide(self.table, node.split, node.rows, node.share)
            node.children = [
                self.open(rows[a:b], None if share is None else share[a:b], node.levels - 1, node.depth + 1)
                for a, b in pairwise(bounds.tolist())
            ]
            node.train, node.rows, node.part, node.share, node.look = node.train[:0], rows[:0], None, None, None
        return [child for node in nodes for child in node.children]


def grow_general(
    table: Table, tree: Tree, starts: NDArray[np.int64], levels: NDArray[np.int64], search: Search, at: Assignment,
    progress: Progress, excluded: frozenset[str] = frozenset(),
) -> Tree:  # fmt: skip
    """The tree with the leaves at positions `starts` grown, each by at most so many levels.

    Args:
        excluded: the features that no split may look at.
        at: the rows of the tree's nodes.
        progress: when it is stopped, the tree as far as it was grown is returned.
    """
    n_train = int(tree.rows_train[starts].sum())
    with Workers(search.threads) as workers:
        growing = NodeByNode(table, n_train, search, workers, progress, excluded)
        roots = [
            growing.open(*at.held(int(i)), int(below), int(depth))
            for i, below, depth in zip(starts, levels, tree.level[starts], strict=True)
        ]
        growing.scale = growing.scale_of(roots)
        grow_in_order(growing, roots, Frontier(search.order, tree.n_leaves, search.max_leaves))
    grown = [node for root in roots for node in root.preorder()]
    sizes = np.array([sum(1 for _ in root.preorder()) for root in roots], dtype=np.int64)
    counts = tuple(np.concatenate(arrays) for arrays in zip(*(node.counts for node in grown), strict=True))
    nodes = Nodes.leaves(np.zeros(len(grown), dtype=np.int64), counts)
    nodes = nodes.take(np.arange(len(grown)))  # arrays of their own, to write into
    nodes = nodes._replace(histogram=unfilled(len(grown), tree.nodes.histogram.shape[1])[2])
    writer = SplitWriter(tree.columns)
    for i, node in enumerate(grown):
        if node.split is not None:
            writer.write(nodes, i, node.split, by_hand=False)
    return join(tree, starts, nodes, writer.payload, sizes)
