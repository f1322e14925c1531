"""Growing on a source: the greedy search from counts alone, level by level with one scan for all nodes of a level.

The splits, their order, ties and limits are those of `engine.grow`, and so is the tree.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, kernel_code
from engine.criteria.kernels import centre_of, impurity
from engine.growing import NO_LIMIT, worth_keeping
from engine.growing.frontier import Frontier, Pending, even_drop, grow_in_order
from engine.growing.to_nodes import join
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.search.choices import LEVELS
from engine.search.column_search import CROWD, Found, best_of_runs, less_penalty, scales_of
from engine.search.kernels.rules import rank_columns
from engine.search.options import Search
from engine.search.tally import Counts, Runs, Tally, as_in_tree, weights_of
from engine.sources.coded import Coded, parts_of
from engine.sources.source import Path, Source
from engine.splits import Split, bind
from engine.table.table import Table
from engine.tree.nodes import Nodes, SplitWriter, TreeColumn, unfilled
from engine.tree.tree import Tree

MOST_COUNTS = 1 << 25  # numbers that one scan may count: 256 MB


@dataclass(eq=False)
class PendingNode(Pending):
    """A node on the way.

    Attributes:
        path: how it is reached. stat, unseen: float64[S] of its training and of its validation rows, as a tree holds
            them. rows: how many train.
        found: what the search found. centre: from where its target was counted. counts: the branches of the split.
        split: once it is made.
    """

    path: Path
    stat: NDArray[np.float64]
    unseen: NDArray[np.float64]
    rows: int
    found: Found | None = None
    centre: float = 0.0
    split: Split | None = None


class BySource:
    """Opens, searches and splits nodes; see `engine.growing.frontier.Growing`."""

    def __init__(self, source: Source, search: Search, progress: Progress) -> None:
        self.source, self.options, self.progress = source, search, progress
        self.by_class = source.head.task == "classes"
        self.scale = 1.0
        self._waiting: list[PendingNode] = []
        self._code = kernel_code(search.criterion)

    def root(self, levels: int) -> PendingNode:
        """The node of all rows, a leaf so far."""
        if self.by_class:
            place = self.source.head.index(str(self.source.head.target))
            counted = self.source.tally([()], [place], np.zeros(1), self.progress)[0][0]
            stat, unseen = counted.train.sum(axis=0), counted.validation.sum(axis=0)
            self.scale = float(stat.sum() * impurity(self._code, stat))
        else:
            centre = float(centre_of(*self.source.extents([()], self.progress)[0]))
            feature = self.options.features_of(self.source.head)[0]
            counted = self.source.tally([()], [feature], np.array([centre]), self.progress)[0][0]
            stat = as_in_tree(counted.train.sum(axis=0) + counted.missing_train, centre)
            unseen = as_in_tree(counted.validation.sum(axis=0) + counted.missing_validation, centre)
            self.scale = float(stat[2])
        n_rows = self.source.head.n_train
        return PendingNode(0, n_rows, levels, 0, (), stat, unseen, n_rows)

    def is_open(self, node: PendingNode) -> bool:
        """Whether a node is worth a search: deep enough, large enough, and not pure; of a numeric target the scan
        tells whether it is."""
        several = not self.by_class or np.count_nonzero(node.stat) > 1
        is_open = bool(node.levels > 0 and node.rows >= self.options.rows_to_split and several)
        if is_open:
            self._waiting.append(node)
        return is_open

    def search(self, nodes: Sequence[PendingNode]) -> None:
        """Finds the best split of every node that waits, in as few scans as counts have room, if one of these does."""
        if not any(node in self._waiting for node in nodes):
            return
        waiting, self._waiting, centres = self._waiting, [], np.zeros(len(self._waiting))
        if not self.by_class:
            extents = self.source.extents([node.path for node in waiting], self.progress)
            mixed = np.flatnonzero(extents[:, 2] < extents[:, 3]).tolist()
            waiting, extents = [waiting[i] for i in mixed], extents[mixed]
            centres = np.array([centre_of(*extent) for extent in extents.tolist()])
        looks: list[list[Found]] = [[] for _ in waiting]
        stats: list[NDArray[np.float64]] = [np.zeros(0)] * len(waiting)
        for some, columns in self._portions(len(waiting)):
            tallies = self.source.tally([waiting[i].path for i in some], columns, centres[some], self.progress)
            for place, counted in zip(columns, tallies, strict=True):
                for i, one in zip(some, counted, strict=True):
                    stats[i] = one.train.sum(axis=0) + one.missing_train
                    looks[i].append(self._best(place, one))
        for node, every, stat, centre in zip(waiting, looks, stats, centres.tolist(), strict=True):
            node.found, node.centre = self._first(every, stat, node.rows), centre

    def _portions(self, n: int) -> Iterator[tuple[list[int], list[int]]]:
        """(which of n nodes, which columns) are counted together: as many as there is room for."""
        head = self.source.head
        features = self.options.features_of(head)
        cells = {place: parts_of(head) * (head.columns[place].n_values + 1) * (head.n_stats + 1) for place in features}
        nodes = max(min(n, MOST_COUNTS // max(cells.values(), default=1)), 1)
        for begin in range(0, n, nodes):
            some, columns, room = list(range(begin, min(begin + nodes, n))), list[int](), MOST_COUNTS
            for place in features:
                if columns and cells[place] * len(some) > room:
                    yield some, columns
                    columns, room = [], MOST_COUNTS
                columns.append(place)
                room -= cells[place] * len(some)
            yield some, columns

    def _best(self, place: int, counted: Tally) -> Found:
        """The best split of one column at one node, with the counts of its branches."""
        column, runs = self.source.head.columns[place], Runs.of(counted, self.by_class)
        found = best_of_runs(column, runs, self.options)
        found = replace(less_penalty(found, column, runs, float(runs.n_rows), self.options), place=place)
        if found.split is None:
            return found
        branch, n = bind(found.split, self.source.head).branches(counted.codes), found.split.n_branches
        counts = Counts.of_present(branch, n, counted).with_missing(found.split.missing, counted, self.by_class)
        return replace(found, counts=counts)

    def _first(self, every: list[Found], stat: NDArray[np.float64], n_rows: int) -> Found | None:
        """The best of all columns, if it gains enough; as `engine.ranking.node_search.ranked`."""
        usable = [found for found in every if found.split is not None]
        if not usable:
            return None
        value, eps, _ = scales_of(stat, self.options)
        gains, ties, ratios = (np.array([getattr(one, name) for one in usable]) for name in ("net", "tie", "ratio"))
        crowded = np.zeros(0, np.bool_)
        if CRITERIA[self.options.criterion].by_ratio and self.options.nominal == "multiway":
            columns = [self.source.head.columns[one.place] for one in usable]
            crowded = np.array([c.kind in LEVELS and c.n_values >= CROWD * self.source.head.n_train for c in columns])
        first = usable[rank_columns(gains, ties, ratios, crowded, self._code, value, 1)[0]]
        return first if first.merit >= self.options.min_gain - eps else None

    def n_branches(self, node: PendingNode) -> int:
        """How many branches the split that was found makes; 0 if none was."""
        return 0 if node.found is None or node.found.split is None else node.found.split.n_branches

    def urgency(self, node: PendingNode) -> float:
        """The smaller the sooner, for the order best_first."""
        assert node.found is not None
        weight = node.stat.sum() if self.by_class else node.stat[0]
        return -float(even_drop(node.found.merit * weight, self.scale))

    def split(self, nodes: Sequence[PendingNode]) -> list[PendingNode]:
        """Makes the splits that were found; returns their branches."""
        for node in nodes:
            assert node.found is not None and node.found.split is not None and node.found.counts is not None
            node.split, counts = node.found.split, node.found.counts
            stats, unseen = (
                part if self.by_class else as_in_tree(part, node.centre) for part in (counts.train, counts.validation)
            )
            levels, depth = node.levels - 1, node.depth + 1
            node.children = [
                PendingNode(0, rows, levels, depth, (*node.path, (node.split, b)), stats[b], unseen[b], rows)
                for b, rows in enumerate(counts.rows.tolist())
            ]
            node.found = None
        return [child for node in nodes for child in node.children]

    def settle(self, node: PendingNode) -> None:
        """Leaves a leaf as it is."""


def grow_source(
    source: Source | Table, *, preset: str | None = None, progress: Progress | None = None, **options: Any
) -> Tree:  # fmt: skip
    """The tree that `engine.grow` grows on the same rows.

    Args:
        source: or a table, whose training rows are counted.
        preset, options: see `engine.Search`. Without `max_leaves`, and by level, each level takes one scan; best first
            each split takes one.
        progress: when it is stopped, the tree as far as it was grown is returned.

    Raises:
        InputError: an option cannot be used, or needs rows, which a source does not hand out; or the data cannot be
            read.
    """
    source = Coded(source) if isinstance(source, Table) else source
    head, progress = source.head, progress or Progress()
    search = Search.make(head.task, preset, **options)
    search.leaf_rule.check(head.classes)
    _check(search)
    grown = BySource(source, search, progress)
    levels = NO_LIMIT if search.max_depth is None else search.max_depth
    if not search.features_of(head):
        raise InputError(tr("{table} has no column to split.", table=head.name))
    try:
        root = grown.root(levels)
    except Stopped:
        raise InputError(tr("It was stopped before the rows were counted.")) from None
    order = "level" if search.order == "depth_first" and search.max_leaves is None else search.order
    with suppress(Stopped):  # the tree as far as it was grown
        grow_in_order(grown, [root], Frontier(order, 1, search.max_leaves))
    tree = _tree_of(source, root)
    before = _tree_of(source, replace(root, split=None))
    tree = replace(tree, options=search.to_dict(), leaf_rule=search.leaf_rule)
    return worth_keeping(tree, before, search.cp, search.collapse)


def _check(search: Search) -> None:
    """InputError when an option needs the rows themselves."""
    refused = {
        "criterion": not CRITERIA[search.criterion].is_counted or search.by_bins or search.by_evidence,
        "missing": search.missing in ("surrogate", "fractional"), "lookahead": search.lookahead > 1,
        "m_of_n": search.m_of_n, "significance": search.significance is not None,
        "thresholds": search.thresholds == "observed", "altered_priors": search.altered_priors,
        "columns_per_node": search.columns_per_node > 0, "summary": search.summary == "median",
    }  # fmt: skip
    for name in (name for name, needs_rows in refused.items() if needs_rows):
        raise InputError(tr(
            "{name} “{value}” needs the rows themselves, which are not in memory: read a sample of them as a table.",
            name=name, value=getattr(search, name)))  # fmt: skip


def _tree_of(source: Source, root: PendingNode) -> Tree:
    """The tree of what was grown."""
    head, every = source.head, list(root.preorder()) if root.split is not None else [root]
    stats, unseen = np.array([node.stat for node in every]), np.array([node.unseen for node in every])
    of_unseen = weights_of(unseen, head.task == "classes").astype(np.int64)  # rows count once
    counts = stats, unseen, np.array([node.rows for node in every], dtype=np.int64), of_unseen
    columns = tuple(
        TreeColumn(c.name, c.kind, c.levels, c.name in source.lacking, c.kind_in_words == "day")
        for c in (head.columns[place] for place in head.features)
    )
    tree = Tree(
        head.task, str(head.target), head.classes, columns, Nodes.leaves([0], tuple(part[:1] for part in counts)),
        origin=head.origin, counted_on=head.counts_key,
    )  # fmt: skip
    nodes = Nodes.leaves(np.zeros(len(every), dtype=np.int64), counts).take(np.arange(len(every)))
    nodes = nodes._replace(histogram=unfilled(len(every), 0)[2])
    writer = SplitWriter(columns)
    for i, node in enumerate(every):
        if node.split is not None:
            writer.write(nodes, i, node.split, by_hand=False)
    return join(tree, np.zeros(1, np.int64), nodes, writer.payload, np.array([len(every)]))
