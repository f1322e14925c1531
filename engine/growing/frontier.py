"""Single nodes on the way: opening, searching and splitting them, with threads that share nodes and columns."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import BY_RATIO
from engine.criteria.kernels.impurity import impurity, tolerance
from engine.growing.training_set import Ground
from engine.runtime.progress import Progress
from engine.runtime.threads import TICK, Shelf, Workers
from engine.search.bin_matrix import BinMatrix, make_matrix
from engine.search.kernels.ranking import choose_column
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
)
from engine.search.kernels.split_kinds import CUT, MULTIWAY, POOLED, is_cut
from engine.search.kernels.target import Target
from engine.search.large_nodes import NO_FLOOR, Kin, WideNode, WideSearch, look_at_kin
from engine.tree.kernels.route import find_sides, move

TOP = 0.3  # of the time is for large nodes, about; LARGE rows and more make one
LARGE = 2**14
SHARED = 2**15  # rows times columns that make a task of a thread
LEAST_ROWS = 2**15  # of a node that is worth a matrix of bins; FEW_COLUMNS are not
FEW_COLUMNS = 2


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
        bounds: int64[branches + 1], where the rows of each will stand, while the node is split.
        order: int64[n], in which order they will, if the branches are more than two.
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
    bounds: NDArray[np.int64] | None = None
    order: NDArray[np.int64] | None = None

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
        self.spares = Shelf([np.empty(n, np.uint64) for _ in range(workers.threads)])
        self._sides = np.empty(n, np.uint8)  # of all rows, while their nodes are split
        self._matrix = self._make_matrix()
        self._target = ground.gathered(ground.rows)

    def _make_matrix(self) -> BinMatrix | None:
        """What the columns that are cut are counted from; None where each is better counted by itself."""
        ground = self.ground
        cuts = [column for column, how in zip(ground.columns, ground.ways, strict=True) if how == CUT]
        if len(cuts) < FEW_COLUMNS or np.diff(ground.bounds).max(initial=0) < LEAST_ROWS:
            return None
        return make_matrix(cuts, ground.rows, self.workers)

    def report(self) -> None:
        """Tells how many rows stand in a finished leaf, a few times a second; the search of large nodes counts, too."""
        if time.monotonic() < self._next_report:
            return
        self._next_report = time.monotonic() + TICK
        settled = self.settled[0] / max(self.ground.rows.size, 1)
        looked = TOP * min(self._cells / max(self._cells_expected, 1.0), 1.0)
        self.progress.report(settled + (1.0 - settled) * looked, "growing")

    def open(self, start: int, stop: int, levels: int, depth: int, kin: Kin | None = None) -> Knot:
        """A node that is a leaf so far; `kin`: the branches of its parent, of which it becomes one."""
        ground = self.ground
        stat, about, record = *np.zeros((2, 1, ground.n_stats)), np.zeros((1, N_FIELDS), np.int32)
        record[0, N_ROWS], record[0, COLUMN] = stop - start, -1
        rows = ground.rows[start:stop]
        labels, numbers, weights = (array[start:stop] for array in self._target[:3])
        target = Target(labels, numbers.copy(), weights)  # the node moves the numbers to around their centre
        pure = ground.summed(target, stat, about)
        words = self._matrix.words[:, start:stop] if self._matrix else None
        node = WideNode(rows, target, about[0], rows.size == ground.n_table_rows, words, kin)
        if kin is not None:
            kin.nodes.append(node)
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
        searches = [WideSearch(node, ground.columns, ground.ways, ground.rules, self._matrix) for node in nodes]
        families: dict[int, list[WideSearch]] = {}
        for search in searches:
            families.setdefault(id(search.node.kin or search), []).append(search)
        self._share([(family, part) for family in families.values() for part in family[0].parts], look_at_kin)
        for look in (WideSearch.open, WideSearch.search):
            floors = {search: search.floor for search in searches}
            if ground.rules.criterion & BY_RATIO:  # its average needs the exact gain of every column
                floors = dict.fromkeys(searches, NO_FLOOR)
            close = [([search], np.array([j])) for search, floor in floors.items() for j in search.close(floor)]
            self._share(close, lambda some, part: look(some[0], int(part[0]), floors[some[0]]))  # noqa: B023, of now
        if not self.progress.stopped:
            for knot, search in zip(knots, searches, strict=True):
                self._choose(knot, search)

    def _choose(self, knot: Knot, search: WideSearch) -> None:
        rules, answers = self.ground.rules, search.answers
        value = float(impurity(rules.criterion, search.node.stat))
        j = int(choose_column(answers[GAIN], answers[TIE], answers[RATIO], rules.crowded, rules.criterion, value))
        if j >= 0 and answers[GAIN, j] >= rules.min_gain - tolerance(rules.criterion, value):
            knot.column, knot.answer, knot.branches = j, answers[:, j].copy(), search.branches.get(j)

    def _share(
        self, each: Sequence[tuple[list[WideSearch], NDArray[np.int64]]],
        look: Callable[[list[WideSearch], NDArray[np.int64]], None],
    ) -> None:  # fmt: skip
        """Looks at columns of nodes on all threads; a stop leaves the rest out."""
        tasks: list[list[tuple[list[WideSearch], NDArray[np.int64], int]]] = [[]]
        size = 0
        for some, part in each:
            cells = part.size * sum(search.node.rows.size for search in some)
            tasks[-1].append((some, part, cells))
            size += cells
            if size >= SHARED:
                tasks.append([])
                size = 0

        def work(task: list[tuple[list[WideSearch], NDArray[np.int64], int]]) -> None:
            for some, part, cells in task:
                if not self.progress.stopped:
                    look(some, part)
                    self._cells += cells

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
        self.workers.each(self._divide, knots, self.report)
        moves = [(knot, array) for knot in knots for array in self._standing(knot)]
        self.workers.each(lambda one: self.spares.lend(lambda spare: self._move(*one, spare)), moves, self.report)
        self.workers.each(self._open_children, knots, self.report)

    def _divide(self, knot: Knot) -> None:
        """Finds the branch of every row."""
        assert knot.node is not None and knot.answer is not None
        column, answer, rows, record = self.ground.columns[knot.column], knot.answer, knot.node.rows, knot.record[0]
        missing, n_branches = int(answer[WAY]), int(answer[BRANCHES])
        record[COLUMN], record[N_BRANCHES], record[MISSING] = knot.column, n_branches, missing
        knot.bounds, sides = np.zeros(n_branches + 1, np.int64), self._sides[knot.start : knot.stop]
        if is_cut(self.ground.ways[knot.column]):
            n_left, record[LOW], record[HIGH] = find_sides(column.codes, rows, int(answer[AT]), missing, sides)
            knot.bounds[1:] = n_left, rows.size
            return
        assert knot.branches is not None
        codes, branch = knot.branches
        record[ALONE], record[N_PAIRS] = int(answer[AT]), codes.size
        knot.pairs = np.stack((codes, branch), axis=1).astype(np.uint32)
        lookup = np.full(column.n_values + 1, missing, np.uint16)
        lookup[codes] = branch
        of_rows = lookup[column.codes[rows]]
        knot.bounds[1:] = np.cumsum(np.bincount(of_rows, minlength=n_branches))
        if n_branches <= 2:
            sides[:] = of_rows
        else:
            knot.order = np.argsort(of_rows, kind="stable")

    def _standing(self, knot: Knot) -> list[NDArray[Any]]:
        """What stands in the order of its rows and has to move with them."""
        labels, numbers, weights = self._target[:3]
        arrays: list[NDArray[Any]] = [self.ground.rows, labels, numbers.view(np.uint64), weights.view(np.uint64)]
        if self._matrix is not None and knot.levels > 1:  # else no child is searched
            arrays.extend(self._matrix.words)
        return [array[knot.start : knot.stop] for array in arrays if array.size]

    def _move(self, knot: Knot, array: NDArray[Any], spare: NDArray[np.uint64]) -> None:
        """Groups what belongs to the rows of a node by branch, stably."""
        if knot.order is None:
            move(array, self._sides[knot.start : knot.stop], spare.view(array.dtype))
        else:
            array[:] = array[knot.order]

    def _open_children(self, knot: Knot) -> None:
        assert knot.node is not None and knot.bounds is not None
        if knot.node.kin is not None:
            knot.node.kin.nodes.clear()  # its labels move on, its words may stay: a later sibling must not count it
        kin = Kin(knot.node.counts) if knot.node.counts else None
        bounds = (knot.bounds + knot.start).tolist()
        knot.node, knot.branches, knot.bounds, knot.order = None, None, None, None
        knot.children = [self.open(a, b, knot.levels - 1, knot.depth + 1, kin) for a, b in pairwise(bounds)]
