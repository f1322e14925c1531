"""Single nodes on the way: opening, searching and splitting them, with threads that share the columns."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.induction.ground import Ground
from engine.kernels.growth import (
    AT,
    BRANCHES,
    COLUMN,
    GAIN,
    N_FIELDS,
    N_PAIRS,
    N_ROWS,
    Room,
    bound_columns,
    choose,
    close_columns,
    describe,
    is_bounded,
    keep_pairs,
    make_room,
    may_split,
    search_column,
    search_columns,
    sum_node,
)
from engine.kernels.lists import Target, partition_lists
from engine.kernels.ways import CUT, MULTIWAY, POOLED, is_cut
from engine.progress import Progress
from engine.workers import TICK, Shelf, Workers

ALONE = 8_192  # rows of a node up to which sharing the columns out costs more than it saves


@dataclass(eq=False)
class Knot:
    """A node on the way: open, a leaf, split into children, or grown as a whole.

    Attributes:
        start, stop: its slice of the lists.
        levels: how many levels may grow below it.
        depth: edges from the root of the whole tree.
        stat: float64[1, S] and record: int64[1, N_FIELDS], as the kernels describe a node.
        target, about: what a search of it adds up, and float64[1, S], its sum over the node; see `sum_node`.
        pairs: uint32[p, 2], (code, branch) of the values present, for splits by level.
        children: by branch, those with training rows.
        grown: nodes, stats and pairs of the subtree that a kernel grew.
        column, answer: what a search found: the column (-1 for nothing) and its part of `Room.columns`.
    """

    start: int
    stop: int
    levels: int
    depth: int
    stat: NDArray[np.float64]
    record: NDArray[np.int64]
    target: Target
    about: NDArray[np.float64]
    pairs: NDArray[np.uint32] = field(default_factory=lambda: np.zeros((0, 2), np.uint32))
    children: "list[Knot]" = field(default_factory=list)
    grown: tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None = None
    column: int = -1
    answer: NDArray[np.float64] | None = None

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
        self.lists = (ground.rows, ground.codes)
        n_columns, n = ground.rows.shape
        self.side = np.empty(n, np.uint16)
        self.settled = np.zeros(1, np.int64)
        self._next_report = 0.0
        self.room = make_room(n, ground.most_runs, ground.n_stats, n_columns)
        more = workers.threads - 1 if n > ALONE else 0
        rooms = [make_room(n, ground.most_runs, ground.n_stats, n_columns) for _ in range(more)]
        self.rooms = Shelf([self.room, *(room._replace(columns=self.room.columns) for room in rooms)])
        self.spares = Shelf([(np.empty(n, np.uint32), np.empty(n, np.uint32)) for _ in range(more + 1)])

    def report(self) -> None:
        """Tells how many rows stand in a finished leaf, a few times a second."""
        if time.monotonic() < self._next_report:
            return
        self._next_report = time.monotonic() + TICK
        self.progress.report(self.settled[0] / max(self.ground.rows.shape[1], 1), "growing")

    def open(self, start: int, stop: int, levels: int, depth: int) -> Knot:
        """A node that is a leaf so far."""
        ground = self.ground
        stat, about, record = *np.zeros((2, 1, ground.n_stats)), np.zeros((1, N_FIELDS), np.int64)
        record[0, N_ROWS], record[0, COLUMN] = stop - start, -1
        target = Target(*sum_node(ground.rows, start, stop, ground.target, stat, 0, about))
        return Knot(start, stop, levels, depth, stat, record, target, about)

    def is_open(self, knot: Knot) -> bool:
        """Whether a node is worth a search."""
        ground = self.ground
        return knot.levels > 0 and bool(may_split(ground.rows, knot.start, knot.stop, ground.target, ground.rules))

    def settle(self, knot: Knot) -> None:
        """Leaves a node as a leaf."""
        self.settled[0] += knot.n_rows

    def search(self, knot: Knot) -> bool:
        """Finds the best split of a node; False if there is none or if a stop was asked for."""
        ways, rules, columns = self.ground.ways, self.ground.rules, self.room.columns
        place, about = (knot.start, knot.stop), (knot.target, knot.about, 0, rules)
        if knot.n_rows <= ALONE:
            knot.column = int(search_columns(self.lists, *place, ways, *about, self.room))
        else:
            self._each(range(ways.size), lambda j, room: self._look(knot, j, room))
            close = close_columns(columns, ways, rules, knot.about, 0)
            self._each(close, lambda j, room: search_column(self.lists, j, *place, CUT, *about, room))
            knot.column = int(choose(columns, rules, knot.about, 0))
        if self.progress.stopped or knot.column < 0:
            return False
        knot.answer = columns[:, knot.column].copy()
        return True

    def _look(self, knot: Knot, j: int, room: Room) -> None:
        """The first look at a column: a bound where that is quicker, else the search."""
        ground = self.ground
        place, about = (knot.start, knot.stop), (knot.target, knot.about, 0, ground.rules, room)
        if is_bounded(ground.ways[j], ground.rules.criterion, ground.n_stats):
            bound_columns(self.lists, j, j + 1, *place, ground.ways, *about)
        else:
            search_column(self.lists, j, *place, ground.ways[j], *about)

    def _each(self, columns: Iterable[int], look: Callable[[int, Room], None]) -> None:
        """Looks at columns on all threads, each with a room of its own; a stop leaves the rest out."""

        def one(j: int) -> None:
            if not self.progress.stopped:
                self.rooms.lend(lambda room: look(int(j), room))

        self.workers.each(one, columns)

    def gain(self, knot: Knot) -> float:
        """What the split that was found gains."""
        assert knot.answer is not None
        return float(knot.answer[GAIN])

    def n_branches(self, knot: Knot) -> int:
        """How many branches the split that was found makes, those without rows included."""
        assert knot.answer is not None
        how, n_values = self.ground.ways[knot.column], int(self.ground.n_values[knot.column])
        if how == MULTIWAY:
            return n_values
        if how == POOLED:
            return int(knot.answer[AT]) + (knot.answer[AT] < n_values)
        return int(knot.answer[BRANCHES])

    def split(self, knot: Knot) -> list[Knot]:
        """Makes the split that `search` found; returns the branches that have training rows."""
        j, start, stop = knot.column, knot.start, knot.stop
        way = int(self.ground.ways[j])
        if not is_cut(way):
            self._look(knot, j, self.room)  # for the branches, which were overwritten since
        self.room.columns[:, j] = knot.answer
        starts = describe(self.lists, j, start, stop, way, self.room, self.side, knot.record[0])
        if not is_cut(way):
            pairs, used = keep_pairs(knot.pairs, 0, self.ground.codes, j, start, stop, self.room.branch)
            knot.pairs, knot.record[0, N_PAIRS] = pairs[:used], used
        self._move_apart(start, stop, starts, 0, 1)
        bounds = start + starts
        below = knot.levels - 1, knot.depth + 1
        knot.children = [self.open(int(a), int(b), *below) for a, b in pairwise(bounds)]
        if any(map(self.is_open, knot.children)):
            self._move_apart(start, stop, starts, 1, self.ground.ways.size)
        return knot.children

    def _move_apart(self, start: int, stop: int, starts: NDArray[np.int64], first: int, last: int) -> None:
        """Partitions the lists first..last - 1 of a node; this is never left half done."""

        def move(columns: tuple[int, int]) -> None:
            self.spares.lend(
                lambda spare: partition_lists(self.lists, *columns, start, stop, self.side, starts, *spare)
            )

        alone = stop - start <= ALONE
        self.workers.each(move, [(first, last)] if alone else [(j, j + 1) for j in range(first, last)])
