"""Growing on counts alone: the greedy search level by level, with one scan for all nodes of a level.

The splits, their order, ties and limits are those of `engine.growing`, and so is the tree.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from operator import sub
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, kernel_code
from engine.criteria.kernels import centre_of, impurity, weight
from engine.growing.frontier import Frontier, Pending, even_drop, grow_in_order, splits_in_order
from engine.growing.to_nodes import join
from engine.ranking.node_search import count_found, first_significant, gains_enough
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.search.column_search import Found, best_split
from engine.search.kernels.large_nodes import floor_of
from engine.search.options import Search
from engine.search.tally import Tally, as_in_tree
from engine.sources.grid import NO_GRIDS, Grid, Grids
from engine.sources.node import CountedNode, paths_of
from engine.sources.source import Path
from engine.sources.zooming import Reach, by_code, may_zoom
from engine.splits import Split
from engine.table.table import Table
from engine.tree.nodes import Nodes, SplitWriter, unfilled
from engine.tree.tree import Tree

FEW_LEVELS = 12  # of which all are grown before the first splits are chosen: a scan for each
MOST_COUNTS = 1 << 25  # numbers that one scan may count: 256 MB
MOST_CODES = 65_535  # values up to which a column is always counted by its codes; and the most bins of others
IN_CACHE = 1 << 20  # numbers in the bins of one column: with more, counting waits for the memory
LEAST_BINS = 1024
SCANS = 2  # that zooming takes
TALLY_BYTES = 36  # of a tally, for each value and class
BYTES_KEPT = 1 << 27  # of the tallies of a level, from which those of the next one follow
NONE = np.zeros(0, np.int64)


class Counts(Protocol):
    """What counts, see `engine.sources.source.Source`."""

    def tally(
        self, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress,
        grids: Grids = NO_GRIDS,
    ) -> list[list[Tally]]: ...  # fmt: skip
    def extents(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]: ...


@dataclass(eq=False)
class PendingNode(Pending):
    """A node on the way.

    Attributes:
        path: how it is reached. stat, unseen: float64[S], of training and validation rows, as a tree holds them.
        rows, unseen_rows: how many train and validate.
        found: what the search found, with the counts of its branches. centre: from where its target was counted.
        split: once it is made. urgency: of the split, for the order best_first.
        above: its parent.
    """

    path: Path
    stat: NDArray[np.float64]
    unseen: NDArray[np.float64]
    rows: int
    unseen_rows: int
    found: Found | None = None
    centre: float = 0.0
    split: Split | None = None
    urgency: float = 0.0
    above: "PendingNode | None" = None


class ByCounts:
    """Opens, searches and splits nodes; see `engine.growing.frontier.Growing`.

    Attributes:
        view: the table, without the columns that are left out.
    """

    def __init__(self, source: Counts, view: Table, search: Search, progress: Progress) -> None:
        self.source, self.view, self.options, self.progress = source, view, search, progress
        self.by_class = view.task == "classes"
        self.scale = 1.0
        self._needs_tests = search.significance is not None or search.by_evidence
        self._waiting: list[PendingNode] = []
        self._kept: OrderedDict[int, dict[int, Tally]] = OrderedDict()  # of searched nodes, by id, by column

    def scale_of(self, stat: NDArray[np.float64]) -> float:
        """How mixed the rows of a node are, times their weight."""
        code = kernel_code(self.options.criterion)
        return float(stat.sum() * impurity(code, stat)) if self.by_class else float(stat[2])

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
        waiting, self._waiting = self._waiting, []
        if not self.by_class:
            extents = self.source.extents([node.path for node in waiting], self.progress)
            for node, extent in zip(waiting, extents.tolist(), strict=True):
                node.centre = float(centre_of(*extent))
            waiting = [waiting[i] for i in np.flatnonzero(extents[:, 2] < extents[:, 3]).tolist()]
        looks: list[list[Found]] = [[] for _ in waiting]
        tested: list[dict[int, Tally]] = [{} for _ in waiting]  # of the target, where tests ask for it
        target, widths = self.view.index(str(self.view.target)), self._widths
        if self._needs_tests and not self.by_class:
            widths = {target: self.view.target_column.n_values + 1, **widths}
        zoomed, number = self._to_zoom(len(waiting), widths), {id(node): i for i, node in enumerate(waiting)}

        def look(node: PendingNode, tallies: Mapping[int, Tally]) -> None:
            if (i := number.get(id(node))) is not None:
                inside = self._inside(node, tallies)
                looks[i] += [self._best(inside, place, rest is not None) for place in tallies if place != target]
                tested[i].update({place: one for place, one in tallies.items() if place == target})

        widths = {place: width for place, width in widths.items() if place not in zoomed}
        counted, rest = self._shared_out(waiting, widths)
        told: dict[int, dict[int, Tally]] = {id(node): {} for node in (*counted, *(rest or ()))}
        for some, columns in self._portions(len(counted), widths):
            nodes = [counted[i] for i in some]
            for node, tallies in zip(nodes, self._count(nodes, columns), strict=True):
                look(node, tallies)
                if rest is not None:
                    told[id(node)].update(tallies)
        for node in rest or ():
            assert node.above is not None
            above, others = self._kept[id(node.above)], [one for one in node.above.children if one is not node]
            for place in widths:
                told[id(node)][place] = left_of(above[place], [told[id(one)][place] for one in others], node.rows)
            look(node, told[id(node)])
        self._zoom(waiting, zoomed, looks)
        for node, every, known in zip(waiting, looks, tested, strict=True):
            inside = self._inside(node, known)
            every.sort(key=lambda one: one.place)
            found = first_significant(inside, every, self.options)
            if found is not None and gains_enough(inside, found, self.options):
                node.found = replace(found, counted=None, counts=count_found(inside, found))
        if rest is not None:
            self._keep(waiting, told)

    def _keep(self, nodes: Sequence[PendingNode], told: Mapping[int, dict[int, Tally]]) -> None:
        """Keeps the tallies of nodes whose branches will be searched, as far as there is room, the last ones first."""
        for node in nodes:
            self._kept.pop(id(node.above), None)
            if node.found is not None and node.levels > 1:
                self._kept[id(node)] = told[id(node)]
        room = BYTES_KEPT
        for key in reversed(list(self._kept)):
            room -= sum(one.nbytes for one in self._kept[key].values())
            if room < 0:
                del self._kept[key]

    def _shared_out(
        self, waiting: Sequence[PendingNode], widths: Mapping[int, int]
    ) -> tuple[Sequence[PendingNode], list[PendingNode] | None]:
        """(the nodes that are counted; those whose counts are what their siblings leave of their parent's: of every
        split the branch with most rows). None where tallies take too much room to be kept."""
        sums_are_exact = self.by_class and self.view.weighing is None
        rows = [node.rows + node.unseen_rows for node in waiting]
        cells = sum(min(width, n) for width in widths.values() for n in rows)
        if not sums_are_exact or cells * TALLY_BYTES * self.view.n_stats > BYTES_KEPT:
            return waiting, None
        open_ones, counted, rest = {id(node) for node in waiting}, list[PendingNode](), list[PendingNode]()
        families = {id(node.above): node.above for node in waiting if node.above is not None}
        for above in families.values():
            largest = max(above.children, key=lambda node: node.rows)
            if id(largest) in open_ones and widths.keys() <= self._kept.get(id(above), {}).keys():
                rest.append(largest)
                counted += [node for node in above.children if node is not largest]
            else:
                counted += [node for node in above.children if id(node) in open_ones]
        return counted + [node for node in waiting if node.above is None], rest

    def _inside(self, node: PendingNode, tallies: Mapping[int, Tally]) -> CountedNode:
        return CountedNode.at(self.view, node.stat, node.rows, 1, node.centre, lambda places, progress: tallies)

    def _count(
        self, nodes: Sequence[PendingNode], columns: Sequence[int], grids: Grids = NO_GRIDS
    ) -> Iterator[dict[int, Tally]]:
        """The tallies of columns by their places, of one node after the other, from one scan."""
        centres = np.array([node.centre for node in nodes])
        counted = self.source.tally([node.path for node in nodes], columns, centres, self.progress, grids)
        for k in range(len(nodes)):
            if any(of_column[k].n_train != nodes[k].rows for of_column in counted):
                raise changed()
            yield {place: of_column[k] for place, of_column in zip(columns, counted, strict=True)}

    @property
    def _widths(self) -> dict[int, int]:
        """How many cells each column that is searched has by its codes, by its place."""
        return {place: self.view.columns[place].n_values + 1 for place in self.options.features_of(self.view)}

    @property
    def _per_cell(self) -> int:
        """How many numbers are counted for one cell."""
        weighed = self.by_class and self.view.weighing is not None
        return (2 if self.view.n_validation else 1) * (2 * self.view.n_stats if weighed else self.view.n_stats + 1)

    def _to_zoom(self, n: int, widths: Mapping[int, int]) -> list[int]:
        """The columns that are not counted by their codes at n nodes: those of very many values, where that takes more
        scans than zooming."""
        if sum(1 for _ in islice(self._portions(n, widths), SCANS + 1)) <= SCANS:
            return []
        return [
            place for place, width in widths.items()
            if width > MOST_CODES and place in self._widths and may_zoom(self.view, place, self.options)
        ]  # fmt: skip

    def _zoom(self, nodes: Sequence[PendingNode], columns: list[int], looks: list[list[Found]]) -> None:
        """Adds the best split of these columns where it can be the best of all; see `engine.sources.zooming`."""
        if not columns or not nodes:
            return
        values, search = {place: self.view.columns[place].n_values for place in columns}, self.options
        most = min(MOST_CODES, IN_CACHE // (len(nodes) * self._per_cell))
        grids = {place: Grid.of_bins(values[place], max(most, LEAST_BINS)) for place in columns}
        reach: list[dict[int, Reach]] = [{} for _ in nodes]
        for some, counted in self._portions(len(nodes), {place: grid.width for place, grid in grids.items()}):
            for i, tallies in zip(some, self._count([nodes[i] for i in some], counted, grids), strict=True):
                reach[i].update({p: Reach.of(one, search, self.view) for p, one in tallies.items()})
        opened = [self._to_open(node, reach[i], looks[i]) for i, node in enumerate(nodes)]
        chosen = [i for i, bins in enumerate(opened) if bins]
        most_bins = {place: max((opened[i].get(place, NONE).size for i in chosen), default=0) for place in columns}
        widths = {p: 2 + n * ((1 << grids[p].shift) + 1) for p, n in most_bins.items() if n}
        for some, counted in self._portions(len(chosen), widths):
            at = [chosen[i] for i in some]
            finer = {p: grids[p].opened([opened[i].get(p, NONE) for i in at], values[p]) for p in counted}
            for k, tallies in enumerate(self._count([nodes[i] for i in at], counted, finer)):
                own = {p: by_code(one, finer[p], k, values[p]) for p, one in tallies.items() if p in opened[at[k]]}
                inside = self._inside(nodes[at[k]], own)
                looks[at[k]] += [self._best(inside, place, False) for place in own]

    def _to_open(
        self, node: PendingNode, reach: Mapping[int, Reach], found: Sequence[Found]
    ) -> dict[int, NDArray[np.int64]]:
        """The bins of each column that may hold the best cut of a node, or of each column where ratios are compared."""
        if CRITERIA[self.options.criterion].by_ratio:
            return {place: one.bins for place, one in reach.items() if one.bins.size}
        code, stat = kernel_code(self.options.criterion), self._inside(node, {}).trained
        known = [one.gain * float(weight(code, stat)) for one in found if one.split is not None]
        floor = float(floor_of(max([-1.0, *known, *(one.best for one in reach.values())]), code, stat))
        bins = {place: one.above(floor) for place, one in reach.items()}
        return {place: some for place, some in bins.items() if some.size}

    def _portions(self, n: int, widths: Mapping[int, int]) -> Iterator[tuple[list[int], list[int]]]:
        """(which of n nodes, which columns) are counted together: as many as there is room for, by the cells that each
        column has."""
        cells = {place: width * self._per_cell for place, width in widths.items()}
        nodes = max(min(n, MOST_COUNTS // max(cells.values(), default=1)), 1)
        for begin in range(0, n if cells else 0, nodes):
            some, columns, room = list(range(begin, min(begin + nodes, n))), list[int](), MOST_COUNTS
            for place in cells:
                if columns and cells[place] * len(some) > room:
                    yield some, columns
                    columns, room = [], MOST_COUNTS
                columns.append(place)
                room -= cells[place] * len(some)
            yield some, columns

    def _best(self, inside: CountedNode, place: int, is_kept: bool) -> Found:
        """The best split of one column; its tally, which takes much room, only where tests ask for it afterwards or
        where it is kept anyway."""
        found = best_split(inside, place, self.options)
        if found.split is None or self._needs_tests or is_kept:
            return found
        return replace(found, counts=count_found(inside, found), counted=None)

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
            assert counts.unseen_rows is not None
            stats = counts.train, counts.validation
            train, unseen = stats if self.by_class else (as_in_tree(stat, node.centre) for stat in stats)
            node.children = [
                PendingNode(
                    0, int(rows), node.levels - 1, node.depth + 1, (*node.path, (node.split, branch)), stat, other,
                    int(rows), int(n_unseen), above=node,
                )
                for branch, (stat, other, rows, n_unseen) in enumerate(
                    zip(train, unseen, counts.rows, counts.unseen_rows, strict=True)
                )
            ]  # fmt: skip
            node.urgency, node.found = self.urgency(node), None
        return [child for node in nodes for child in node.children]

    def settle(self, node: PendingNode) -> None:
        """Leaves a leaf as it is."""


def left_of(above: Tally, others: Sequence[Tally], n: int) -> Tally:
    """What the other branches leave of the tally of their parent: n training rows.

    Raises:
        InputError: it is not so, for the data were changed between two scans.
    """
    try:
        left = reduce(sub, others, above)
    except IndexError as error:  # a value that no row of the parent had
        raise changed() from error
    if left.n_train != n or min(left.train.min(initial=0), left.missing_train.min(initial=0)) < 0:
        raise changed()
    return left


def changed() -> InputError:
    """Scans that do not fit together."""
    return InputError(tr("The data were changed while they were read. Open them again."))


def _keep_first(grown: ByCounts, roots: Sequence[PendingNode], frontier: Frontier[int]) -> None:
    """Takes back the splits that are not made within the leaves that are wanted."""
    every = [node for root in roots for node in root.preorder()]
    sizes = {id(node): sum(1 for _ in node.preorder()) for node in every}
    end = np.array([i + sizes[id(node)] for i, node in enumerate(every)])
    begin = np.cumsum([0, *(sizes[id(root)] for root in roots)])[:-1]
    urgency = np.array([node.urgency if frontier.order == "best_first" else float(node.depth) for node in every])
    n_branches = np.array([len(node.children) for node in every])
    made = set(splits_in_order(frontier, begin.tolist(), n_branches, end, urgency))
    for i, node in enumerate(every):
        if i not in made:
            node.split, node.children = None, []


def grow_counted(
    source: Counts, table: Table, tree: Tree, starts: NDArray[np.int64], levels: NDArray[np.int64], search: Search,
    progress: Progress, excluded: frozenset[str],
) -> Tree:  # fmt: skip
    """The tree with the leaves at positions `starts` grown, each by at most so many levels.

    Each level takes one scan. With `max_leaves` and many levels each split takes one, unless it goes by level; of few
    levels all are grown, and the first splits kept: they do not depend on their order.

    Args:
        table: the one that the source counts, on which the tree is counted.
        excluded: the features that no split may look at.
        progress: when it is stopped, the tree as far as it was grown is returned.
    """
    grown, paths = ByCounts(source, table.without(excluded), search, progress), paths_of(tree)
    roots = [
        PendingNode(
            0, int(tree.rows_train[i]), int(below), int(tree.level[i]), paths[i], tree.train[i], tree.validation[i],
            int(tree.rows_train[i]), int(tree.rows_validation[i]),
        )
        for i, below in zip(starts.tolist(), levels.tolist(), strict=True)
    ]  # fmt: skip
    grown.scale = sum(grown.scale_of(root.stat) for root in roots)
    most, all_first = search.max_leaves, int(levels.max(initial=0)) <= FEW_LEVELS
    order, limit = ("level", None) if most is None or all_first else (search.order, most)
    with suppress(Stopped):  # the tree as far as it was grown
        grow_in_order(grown, roots, Frontier(order, tree.n_leaves, limit))
    if most is not None and limit is None:
        _keep_first(grown, roots, Frontier(search.order, tree.n_leaves, most))
    every = [node for root in roots for node in root.preorder()]
    sizes = np.array([sum(1 for _ in root.preorder()) for root in roots])
    train, unseen = (np.array([getattr(node, name) for node in every]) for name in ("stat", "unseen"))
    rows, n_unseen = (np.array([getattr(node, name) for node in every], np.int64) for name in ("rows", "unseen_rows"))
    counts: tuple[NDArray[Any], ...] = train, unseen, rows, n_unseen
    nodes = Nodes.leaves(np.zeros(len(every), dtype=np.int64), counts).take(np.arange(len(every)))
    nodes = nodes._replace(histogram=unfilled(len(every), tree.nodes.histogram.shape[1])[2])
    writer = SplitWriter(tree.columns)
    for i, node in enumerate(every):
        if node.split is not None:
            writer.write(nodes, i, node.split, by_hand=False)
    return join(tree, starts, nodes, writer.payload, sizes)
