"""Single nodes on the way: opening, searching and splitting them, with threads that share nodes and columns."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.bin_matrix import BinMatrix, Lines, kept_matrix, make_matrix
from engine.induction.ground import Ground
from engine.kernels.growth import (
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
)
from engine.kernels.histogram import divide_by_cut, neighbours
from engine.kernels.impurity import GAIN_RATIO, impurity
from engine.kernels.route import partition_by_lookup
from engine.kernels.search import choose_column
from engine.kernels.ways import CUT, MULTIWAY, POOLED, is_cut
from engine.progress import Progress
from engine.wide_search import NO_FLOOR, WideNode, WideSearch
from engine.workers import TICK, Shelf, Workers

TOP = 0.3  # of the time is for large nodes, about; LARGE rows and more make one
LARGE = 2**14
SHARED = 2**15  # rows times columns that make a task of a thread
LEAST_TABLE = 2**18  # rows of a table from which it has many nodes that are large and yet hold a small part of it
SPARSE = 4  # with less than a quarter of the table's rows, the rows of a node are spread over the lines of the cache
FEW_COLUMNS = 4  # fewer are not worth a matrix


@dataclass(eq=False)
class Knot:
    """A node on the way: open, a leaf, split into children, or grown as a whole.

    Attributes:
        start, stop: its slice of the rows.
        levels: how many levels may grow below it.
        depth: edges from the root of the whole tree.
        stat: float64[1, S] and record: int32[1, N_FIELDS], as the kernels describe a node.
        node: its rows while it is open.
        pure: whether all of its rows have the same target.
        pairs: uint32[p, 2], (code, branch) of the values present, for splits by level.
        children: by branch, those with training rows.
        grown: nodes, stats and pairs of the subtree that a kernel grew.
        column, answer: what a search found: the column (-1 for nothing) and its part of the answers.
        branches: codes and branches of the values present, for splits by level.
    """

    start: int
    stop: int
    levels: int
    depth: int
    stat: NDArray[np.float64]
    record: NDArray[np.int32]
    node: WideNode | None
    pure: bool
    pairs: NDArray[np.uint32] = field(default_factory=lambda: np.zeros((0, 2), np.uint32))
    children: "list[Knot]" = field(default_factory=list)
    grown: tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None = None
    column: int = -1
    answer: NDArray[np.float64] | None = None
    branches: tuple[NDArray[np.int64], NDArray[np.uint16]] | None = None

    @property
    def n_rows(self) -> int:
        """Training rows in it."""
        return self.stop - self.start

    def pieces(self) -> Iterator[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
        """Nodes, stats and pairs of its subtree in preorder, piece by piece."""
        stack = [self]
        while stack:
            knot = stack.pop()
            yield knot.grown or (knot.record, knot.stat, knot.pairs)
            stack.extend(reversed(knot.children))


class Walk:
    """Searches and splits nodes on one ground."""

    def __init__(self, ground: Ground, workers: Workers, progress: Progress) -> None:
        self.ground, self.workers, self.progress = ground, workers, progress
        self.settled = np.zeros(1, np.int64)
        self._next_report = 0.0
        n = ground.rows.size
        self._cells = 0  # rows times columns that were looked at
        self._cells_expected = n * len(ground.columns) * (1.0 + math.log2(1.0 + n / LARGE))
        self.spares = Shelf([np.empty(n, np.uint32) for _ in range(workers.threads)])
        self._cuts = [column for column, how in zip(ground.columns, ground.ways, strict=True) if how == CUT]

    def report(self) -> None:
        """Tells how many rows stand in a finished leaf, a few times a second; the search of large nodes counts, too."""
        if time.monotonic() < self._next_report:
            return
        self._next_report = time.monotonic() + TICK
        settled = self.settled[0] / max(self.ground.rows.size, 1)
        looked = TOP * min(self._cells / max(self._cells_expected, 1.0), 1.0)
        self.progress.report(settled + (1.0 - settled) * looked, "growing")

    def open(self, start: int, stop: int, levels: int, depth: int, above: Sequence[Lines] = ()) -> Knot:
        """A node that is a leaf so far; `above`: the lines of its parent."""
        ground = self.ground
        stat, about, record = *np.zeros((2, 1, ground.n_stats)), np.zeros((1, N_FIELDS), np.int32)
        record[0, N_ROWS], record[0, COLUMN] = stop - start, -1
        rows = ground.rows[start:stop]
        target, pure = ground.target_of(rows, stat, about)
        node = WideNode(rows, target, about[0], rows.size == ground.n_table_rows, list(above))
        return Knot(start, stop, levels, depth, stat, record, node, pure)

    def is_open(self, knot: Knot) -> bool:
        """Whether a node is worth a search."""
        rules = self.ground.rules
        return knot.levels > 0 and not knot.pure and knot.n_rows >= max(rules.min_rows, 2 * rules.min_leaf)

    def settle(self, knot: Knot) -> None:
        """Leaves a node as a leaf."""
        self.settled[0] += knot.n_rows
        knot.node = None

    def search(self, knots: Sequence[Knot]) -> None:
        """Finds the best split of every node; `column` stays -1 where there is none or a stop was asked for."""
        ground, nodes = self.ground, [knot.node for knot in knots if knot.node]
        searches = [
            WideSearch(node, ground.columns, ground.ways, ground.rules, self._matrix_for(node)) for node in nodes
        ]
        self._share([(search, part) for search in searches for part in search.parts], WideSearch.look)
        for look in (WideSearch.open, WideSearch.search):
            floors = {search: search.floor for search in searches}
            if ground.rules.criterion == GAIN_RATIO:  # its average needs the exact gain of every column
                floors = dict.fromkeys(searches, NO_FLOOR)
            close = [(search, np.array([j])) for search, floor in floors.items() for j in search.close(floor)]
            self._share(close, lambda search, part: look(search, int(part[0]), floors[search]))  # noqa: B023, of now
        if not self.progress.stopped:
            for knot, search in zip(knots, searches, strict=True):
                self._choose(knot, search)

    def _choose(self, knot: Knot, search: WideSearch) -> None:
        rules, answers = self.ground.rules, search.answers
        value = float(impurity(rules.criterion, search.node.stat))
        j = int(choose_column(answers[GAIN], answers[TIE], answers[RATIO], rules.crowded, rules.criterion, value))
        if j >= 0 and answers[GAIN, j] >= rules.min_gain:
            knot.column, knot.answer, knot.branches = j, answers[:, j].copy(), search.branches.get(j)

    def _matrix_for(self, node: WideNode) -> BinMatrix | None:
        """What the columns of a node are counted from together; None where each is better counted by itself."""
        n_table = self.ground.n_table_rows
        if n_table < LEAST_TABLE or node.rows.size * SPARSE > n_table or len(self._cuts) < FEW_COLUMNS:
            return None
        matrix = kept_matrix(self._cuts)
        if matrix is None and self.ground.rows.size * SPARSE > n_table:  # worth making
            matrix = make_matrix(self._cuts, self.workers)
        return matrix

    def _share(
        self, each: Sequence[tuple[WideSearch, NDArray[np.int64]]],
        look: Callable[[WideSearch, NDArray[np.int64]], None],
    ) -> None:  # fmt: skip
        """Looks at columns of nodes on all threads; a stop leaves the rest out."""
        tasks: list[list[tuple[WideSearch, NDArray[np.int64]]]] = [[]]
        size = 0
        for search, part in each:
            tasks[-1].append((search, part))
            size += search.node.rows.size * part.size
            if size >= SHARED:
                tasks.append([])
                size = 0

        def work(task: list[tuple[WideSearch, NDArray[np.int64]]]) -> None:
            for search, part in task:
                if not self.progress.stopped:
                    look(search, part)
                    self._cells += search.node.rows.size * part.size

        self.workers.each(work, [task for task in tasks if task], self.report)

    def gain(self, knot: Knot) -> float:
        """What the split that was found gains."""
        assert knot.answer is not None
        return float(knot.answer[GAIN])

    def n_branches(self, knot: Knot) -> int:
        """How many branches the split that was found makes, those without rows included."""
        assert knot.answer is not None
        how, n_values = self.ground.ways[knot.column], self.ground.columns[knot.column].n_values
        if how == MULTIWAY:
            return n_values
        if how == POOLED:
            return int(knot.answer[AT]) + (knot.answer[AT] < n_values)
        return int(knot.answer[BRANCHES])

    def split(self, knots: Sequence[Knot]) -> None:
        """Makes the splits that `search` found; their branches become children, those that have training rows."""
        self.workers.each(lambda knot: self.spares.lend(lambda spare: self._split(knot, spare)), knots, self.report)

    def _split(self, knot: Knot, spare: NDArray[np.uint32]) -> None:
        assert knot.node is not None and knot.answer is not None
        column, answer, rows, record = self.ground.columns[knot.column], knot.answer, knot.node.rows, knot.record[0]
        missing, n_branches = int(answer[WAY]), int(answer[BRANCHES])
        record[COLUMN], record[N_BRANCHES], record[MISSING] = knot.column, n_branches, missing
        above = []
        if knot.node.lines:
            before = rows.copy()  # they are about to be moved
            above = [replace(lines, rows=before) for lines in knot.node.lines]
        bounds = np.zeros(n_branches + 1, np.int64)
        if is_cut(self.ground.ways[knot.column]):
            limit = int(answer[AT])
            record[LOW], record[HIGH] = neighbours(column.codes, rows, limit)
            bounds[1:] = divide_by_cut(column.codes, rows, limit, missing, spare), rows.size
        else:
            assert knot.branches is not None
            codes, branch = knot.branches
            record[ALONE], record[N_PAIRS] = int(answer[AT]), codes.size
            knot.pairs = np.stack((codes, branch), axis=1).astype(np.uint32)
            lookup = np.full(column.n_values + 1, missing, np.uint16)
            lookup[codes] = branch
            partition_by_lookup(column.codes, rows, spare, lookup, bounds)
        knot.node, knot.branches = None, None
        below = knot.levels - 1, knot.depth + 1, above
        bounds += knot.start
        knot.children = [self.open(int(a), int(b), *below) for a, b in pairwise(bounds)]
