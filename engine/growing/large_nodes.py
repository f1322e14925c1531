"""Growing large nodes: opening, searching and splitting them, with threads that share nodes and columns."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.criterion import BY_RATIO
from engine.criteria.kernels import impurity, tolerance, weight
from engine.growing.frontier import Pending, even_drop
from engine.growing.kernels.draw import CLOSED, key_below, open_columns
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import TICK, Shelf, Workers
from engine.search.column_search import crowded, way
from engine.search.kernels.count import Target, sum_classes, sum_numbers
from engine.search.kernels.rules import (
    ALONE,
    AT,
    BRANCHES,
    COLUMN,
    GAIN,
    HIGH,
    LOW,
    MISSING,
    N_BRANCHES,
    N_FIELDS,
    N_PAIRS,
    N_ROWS,
    RATIO,
    TIE,
    WAY,
    Rules,
    choose_column,
)
from engine.search.kernels.split_kinds import CUT, MULTIWAY, POOLED, is_cut
from engine.search.large_nodes import (
    NO_FLOOR,
    BinMatrix,
    LargeNode,
    LargeNodeSearch,
    Siblings,
    look_at_siblings,
    make_matrix,
)
from engine.search.options import Search
from engine.table.column import Column
from engine.table.table import Table
from engine.tree.kernels.descend import find_sides, move

TOP = 0.3  # of the time is for large nodes, about; LARGE rows and more make one
LARGE = 2**14
SHARED = 2**15  # rows times columns that make a task of a thread
LEAST_ROWS = 2**15  # of a node that is worth a matrix of bins; FEW_COLUMNS are not
FEW_COLUMNS = 2


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The rows to grow on.

    Attributes:
        features: int64[C], the places of the columns in the table.
        columns: these columns.
        ways: int64[C], how each is split, see `engine.search.kernels.split_kinds`.
        rules: when a split is made.
        target: of all rows of the table, by row number.
        rows: uint32[n], grouped by node, ascending in each; reordered while nodes are split.
        bounds: int64[m + 1], the slices of the nodes to grow.
        n_stats: the length of a statistic.
        n_table_rows: how many rows the table has.
        columns_per_node: how many columns are drawn for each node, 0 for all, see `engine.growing.kernels.draw`.
        repeats: bool by row number, whether a row is like the one before it in target and columns; empty where few are
            or lists cannot use it, see `engine.growing.by_kernels.find_repeats`.
    """

    features: NDArray[np.int64]
    columns: list[Column]
    ways: NDArray[np.int64]
    rules: Rules
    target: Target
    rows: NDArray[np.uint32]
    bounds: NDArray[np.int64]
    n_stats: int
    n_table_rows: int
    columns_per_node: int = 0
    repeats: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))

    @property
    def n_values(self) -> NDArray[np.int64]:
        """int64[C], the distinct values of every column."""
        return np.array([column.n_values for column in self.columns], dtype=np.int64)

    def gathered(self, rows: NDArray[np.uint32]) -> Target:
        """The target of some rows, in their order."""
        labels, numbers, weights = (array[rows] if array.size else array for array in self.target[:3])
        return Target(labels, numbers, weights)


def make_training_set(table: Table, search: Search, rows: NDArray[np.uint32], bounds: NDArray[np.int64]) -> TrainingSet:
    """Rows that are grouped by node: node s holds rows[bounds[s]:bounds[s + 1]]."""
    features = [i for i in search.features_of(table) if way(table.columns[i], search) is not None]
    rules = Rules(
        kernel_code(search.criterion), search.rows_to_split, search.min_leaf, float(search.min_gain), search.pool,
        search.buckets, crowded(table, features, search),
    )  # fmt: skip
    columns = [table.columns[i] for i in features]
    ways = np.array([way(column, search) for column in columns], dtype=np.int64)
    nothing: NDArray[Any] = np.zeros(0)
    weights = nothing if table.weights is None else table.weights
    labels, numbers = (nothing.astype(np.uint16), table.y) if table.task == "number" else (table.y, nothing)
    return TrainingSet(
        np.array(features, dtype=np.int64), columns, ways, rules, Target(labels, numbers, weights), rows, bounds,
        table.n_stats, table.n_rows, search.columns_per_node if search.columns_per_node < len(columns) else 0,
    )  # fmt: skip


@dataclass(eq=False)
class PendingNode(Pending):
    """A node on the way: open, a leaf, split into children (those with training rows), or grown as a whole.

    Attributes:
        stat: float64[1, S] and record: int32[1, N_FIELDS], as the kernels describe a node.
        large: its rows while it is open.
        pure: whether all of its rows have the same target.
        pairs: uint32[p, 2], (code, branch) of the values present, for splits by level.
        grown: nodes, stats and pairs of the subtree that a kernel grew.
        column, answer: what a search found: the column (-1 for nothing) and its part of the answers.
        branches: codes and branches of the values present, for splits by level.
        bounds: int64[branches + 1], where the rows of each will stand, while the node is split.
        order: int64[n], in which order they will, if the branches are more than two.
        key: by which its columns are drawn.
    """

    stat: NDArray[np.float64]
    record: NDArray[np.int32]
    large: LargeNode | None
    pure: bool
    pairs: NDArray[np.uint32] = field(default_factory=lambda: np.zeros((0, 2), np.uint32))
    grown: tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None = None
    column: int = -1
    answer: NDArray[np.float64] | None = None
    branches: tuple[NDArray[np.int64], NDArray[np.uint16]] | None = None
    bounds: NDArray[np.int64] | None = None
    order: NDArray[np.int64] | None = None
    key: int = 0

    @property
    def n_rows(self) -> int:
        """Training rows in it."""
        return self.stop - self.start


class LargeNodes:
    """Searches and splits nodes of one training set.

    Attributes:
        scale: of the drops that are compared where nodes are split one by one, see `even_drop`.
        settled: int64[1], the rows in finished leaves.
    """

    def __init__(self, training: TrainingSet, workers: Workers, progress: Progress) -> None:
        self.training, self.workers, self.progress = training, workers, progress
        self.scale = 1.0
        self.settled = np.zeros(1, np.int64)
        self._next_report = 0.0
        n = training.rows.size
        self._cells = 0  # rows times columns that were looked at
        self._cells_expected = n * len(training.columns) * (1.0 + math.log2(1.0 + n / LARGE))
        self.spares = Shelf([np.empty(n, np.uint64) for _ in range(workers.threads)])
        self._sides = np.empty(n, np.uint8)  # of all rows, while their nodes are split
        cuts = [column for column, how in zip(training.columns, training.ways, strict=True) if how == CUT]
        self._matrix: BinMatrix | None = None  # such columns are counted from it where all are searched
        large = np.diff(training.bounds).max(initial=0) >= LEAST_ROWS
        if large and len(cuts) >= FEW_COLUMNS and not training.columns_per_node:
            self._matrix = make_matrix(cuts, training.rows, workers)
        self._target = training.gathered(training.rows)

    def report(self) -> None:
        """Tells how many rows stand in a finished leaf, a few times a second; the search of large nodes counts, too."""
        if time.monotonic() < self._next_report:
            return
        self._next_report = time.monotonic() + TICK
        settled = self.settled[0] / max(self.training.rows.size, 1)
        looked = TOP * min(self._cells / max(self._cells_expected, 1.0), 1.0)
        self.progress.report(settled + (1.0 - settled) * looked, tr("Growing"))

    def open(
        self, start: int, stop: int, levels: int, depth: int, siblings: Siblings | None = None, key: int = 0
    ) -> PendingNode:
        """A node that is a leaf so far; `siblings`: the branches of its parent, of which it becomes one."""
        training = self.training
        stat, about, record = *np.zeros((2, 1, training.n_stats)), np.zeros((1, N_FIELDS), np.int32)
        record[0, N_ROWS], record[0, COLUMN] = stop - start, -1
        rows = training.rows[start:stop]
        labels, numbers, weights = (array[start:stop] for array in self._target[:3])
        target = Target(labels, numbers.copy(), weights)
        if numbers.size:  # which are moved to around their centre
            pure = bool(sum_numbers(target.numbers, weights, stat, about))
        else:
            pure = bool(sum_classes(labels, weights, stat))
            about[:] = stat
        words = self._matrix.words[:, start:stop] if self._matrix else None
        large = LargeNode(rows, target, about[0], rows.size == training.n_table_rows, words, siblings)
        if siblings is not None:
            siblings.nodes.append(large)
        return PendingNode(start, stop, levels, depth, stat, record, large, pure, key=key)

    def is_open(self, node: PendingNode) -> bool:
        """Whether a node is worth a search."""
        rules = self.training.rules
        return node.levels > 0 and not node.pure and node.n_rows >= rules.rows_to_split

    def settle(self, node: PendingNode) -> None:
        """Leaves a node as a leaf."""
        self.settled[0] += node.n_rows
        node.large = None

    def search(self, pending: Sequence[PendingNode]) -> None:
        """Finds the best split of every node; `column` stays -1 where there is none or a stop was asked for."""
        training, n_columns = self.training, len(self.training.columns)
        if not training.columns_per_node:
            self._search(pending, [np.ones(n_columns, bool)] * len(pending))
            return
        shuffles = {id(node): np.empty((2, n_columns), np.int64) for node in pending}
        waiting, drawn = list(pending), 0
        while waiting and drawn < n_columns and not self.progress.stopped:
            for node in waiting:
                n_drawn = open_columns(node.key, drawn, training.columns_per_node, training.ways, *shuffles[id(node)])
            waiting = self._search(waiting, [shuffles[id(node)][1] != CLOSED for node in waiting])
            drawn = n_drawn

    def _search(self, pending: Sequence[PendingNode], drawn: Sequence[NDArray[np.bool_]]) -> list[PendingNode]:
        """Searches the drawn columns, bool[C], of each node; returns the nodes where none of these has a split."""
        training, large = self.training, [node.large for node in pending if node.large]
        if not large:
            return []
        compiled = training.rules.compiled()
        searches = [
            LargeNodeSearch(one, training.columns, training.ways, compiled, self._matrix, some)
            for one, some in zip(large, drawn, strict=True)
        ]
        families: dict[int, list[LargeNodeSearch]] = {}
        for search in searches:
            together = search.node.siblings if not training.columns_per_node else None
            families.setdefault(id(together or search), []).append(search)
        self._share([(family, part) for family in families.values() for part in family[0].parts], look_at_siblings)
        for look in (LargeNodeSearch.open, LargeNodeSearch.search):
            floors = {search: search.floor for search in searches}
            if training.rules.criterion & BY_RATIO:  # its average needs the exact gain of every column
                floors = dict.fromkeys(searches, NO_FLOOR)
            close = [([search], np.array([j])) for search, floor in floors.items() for j in search.close(floor)]
            self._share(close, lambda some, part: look(some[0], int(part[0]), floors[some[0]]))  # noqa: B023, of now
        if self.progress.stopped:
            return []
        rules = training.rules
        for node, search in zip(pending, searches, strict=True):
            answers, value = search.answers, float(impurity(rules.criterion, search.node.stat))
            j = int(choose_column(answers[GAIN], answers[TIE], answers[RATIO], rules.crowded, rules.criterion, value))
            if j >= 0 and answers[GAIN, j] >= rules.min_gain - tolerance(rules.criterion, value):
                node.column, node.answer, node.branches = j, answers[:, j].copy(), search.branches.get(j)
        return [
            node for node, search in zip(pending, searches, strict=True) if bool(np.isnan(search.answers[GAIN]).all())
        ]

    def _share(
        self, each: Sequence[tuple[list[LargeNodeSearch], NDArray[np.int64]]],
        look: Callable[[list[LargeNodeSearch], NDArray[np.int64]], None],
    ) -> None:  # fmt: skip
        """Looks at columns of nodes on all threads; a stop leaves the rest out."""
        tasks: list[list[tuple[list[LargeNodeSearch], NDArray[np.int64], int]]] = [[]]
        size = 0
        for some, part in each:
            cells = part.size * sum(search.node.rows.size for search in some)
            tasks[-1].append((some, part, cells))
            size += cells
            if size >= SHARED:
                tasks.append([])
                size = 0

        def work(task: list[tuple[list[LargeNodeSearch], NDArray[np.int64], int]]) -> None:
            for some, part, cells in task:
                if not self.progress.stopped:
                    look(some, part)
                    self._cells += cells

        self.workers.each(work, [task for task in tasks if task], self.report)

    def n_branches(self, node: PendingNode) -> int:
        """How many branches the split that was found makes, those without rows included; 0 if none was."""
        if node.answer is None:
            return 0
        how, n_values = self.training.ways[node.column], self.training.columns[node.column].n_values
        if how == MULTIWAY:
            return n_values
        if how == POOLED:
            return int(node.answer[AT]) + (node.answer[AT] < n_values)
        return int(node.answer[BRANCHES])

    def urgency(self, node: PendingNode) -> float:
        """The smaller the sooner, for the order best_first."""
        assert node.answer is not None
        drop = float(node.answer[GAIN]) * float(weight(self.training.rules.criterion, node.stat[0]))
        return -float(even_drop(drop, self.scale))

    def split(self, pending: Sequence[PendingNode]) -> list[PendingNode]:
        """Makes the splits that `search` found; returns their branches, those that have training rows."""
        self.workers.each(self._divide, pending, self.report)
        moves = [(node, array) for node in pending for array in self._standing(node)]
        self.workers.each(lambda one: self.spares.lend(lambda spare: self._move(*one, spare)), moves, self.report)
        self.workers.each(self._open_children, pending, self.report)
        self.report()
        return [child for node in pending for child in node.children]

    def _divide(self, node: PendingNode) -> None:
        """Finds the branch of every row."""
        assert node.large is not None and node.answer is not None
        column, answer, rows, record = self.training.columns[node.column], node.answer, node.large.rows, node.record[0]
        missing, n_branches = int(answer[WAY]), int(answer[BRANCHES])
        record[COLUMN], record[N_BRANCHES], record[MISSING] = node.column, n_branches, missing
        node.bounds, sides = np.zeros(n_branches + 1, np.int64), self._sides[node.start : node.stop]
        if is_cut(self.training.ways[node.column]):
            n_left, record[LOW], record[HIGH] = find_sides(column.codes, rows, int(answer[AT]), missing, sides)
            node.bounds[1:] = n_left, rows.size
            return
        assert node.branches is not None
        codes, branch = node.branches
        record[ALONE], record[N_PAIRS] = int(answer[AT]), codes.size
        node.pairs = np.stack((codes, branch), axis=1).astype(np.uint32)
        lookup = np.full(column.n_values + 1, missing, np.uint16)
        lookup[codes] = branch
        of_rows = lookup[column.codes[rows]]
        node.bounds[1:] = np.cumsum(np.bincount(of_rows, minlength=n_branches))
        if n_branches <= 2:
            sides[:] = of_rows
        else:
            node.order = np.argsort(of_rows, kind="stable")

    def _standing(self, node: PendingNode) -> list[NDArray[Any]]:
        """What stands in the order of its rows and has to move with them."""
        labels, numbers, weights = self._target[:3]
        arrays: list[NDArray[Any]] = [self.training.rows, labels, numbers.view(np.uint64), weights.view(np.uint64)]
        if self._matrix is not None and node.levels > 1:  # else no child is searched
            arrays.extend(self._matrix.words)
        return [array[node.start : node.stop] for array in arrays if array.size]

    def _move(self, node: PendingNode, array: NDArray[Any], spare: NDArray[np.uint64]) -> None:
        """Groups what belongs to the rows of a node by branch, stably."""
        if node.order is None:
            move(array, self._sides[node.start : node.stop], spare.view(array.dtype))
        else:
            array[:] = array[node.order]

    def _open_children(self, node: PendingNode) -> None:
        assert node.large is not None and node.bounds is not None
        if node.large.siblings is not None:
            node.large.siblings.nodes.clear()  # its labels move on, its words may stay: no later sibling counts it
        siblings = Siblings(node.large.counts) if node.large.counts else None
        bounds = (node.bounds + node.start).tolist()
        node.large, node.branches, node.bounds, node.order = None, None, None, None
        node.children = [
            self.open(a, b, node.levels - 1, node.depth + 1, siblings, key_below(node.key, branch))
            for branch, (a, b) in enumerate(pairwise(bounds))
        ]
