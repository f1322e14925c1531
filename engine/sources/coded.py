"""Sources of codes: a table, in memory or of mapped files, scanned column by column.

Beside the codes there is one number for each row: the node at which it stands. It is kept from scan to scan, so that
rows go down one step for each level, and no list of the rows of every node is needed. Every node has two numbers, an
even one for its training rows and the next one for its validation rows.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.sources import counting
from engine.sources.descent import Batch, Descent, Step
from engine.sources.parts import Parts, Wanted, counted_by
from engine.sources.source import Path, head_of, table_of_rows, with_counts
from engine.sources.summing import Each, Summing, one_by_one
from engine.table.folds import by_class
from engine.table.table import Table

P = ParamSpec("P")
R = TypeVar("R")
CHUNK = 1 << 19  # rows that are scanned at once: what is known of each stays in the cache for all columns


class Chunk(Batch):
    """Some rows of a table, whose codes are not copied where kernels look up single ones."""

    def __init__(self, table: Table, rows: slice, at: NDArray[np.uint32]) -> None:
        """`at`: of these rows."""
        super().__init__(at.size, {}, self._look, at)
        self._table, self._rows = table, rows

    def _look(self, place: int, rows: NDArray[np.uint32] | None) -> NDArray[Any]:
        codes = self._table.columns[place].codes[self._rows].view(np.ndarray)
        return codes if rows is None else codes[rows]

    def among(self, place: int, rows: NDArray[np.uint32]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
        """See `Batch.among`."""
        return self[place], rows


def _in_turn(count: "Callable[Concatenate[Any, P], R]") -> "Callable[Concatenate[Coded, P], R]":
    """One call after the other: between finding the way of the rows and their scan nothing else may move them."""

    @wraps(count)
    def alone(source: "Coded", /, *args: P.args, **how: P.kwargs) -> R:
        with source._turn:
            return count(source, *args, **how)

    return alone


@dataclass(eq=False)
class Coded:
    """The rows of a table, see `engine.sources.source.Source`.

    Attributes:
        table: whose codes are scanned. threads: how many scan; None for one for each processor.
    """

    table: Table
    threads: int | None = None

    def __post_init__(self) -> None:
        table = self.table
        target, chunks = table.target_column, list(self._chunks())
        head = head_of(table.columns, target.name, table.name, table.roles)
        count = counted_by(lambda _: ((c.start, target.codes[c], table.part[c]) for c in chunks), target.n_values)
        self.head = with_counts(replace(head, partition=table.partition), count(Parts()), table.origin)
        self.lacking = frozenset(column.name for column in table.columns if column.n_missing)
        self._turn = threading.Lock()
        self._dealt: tuple[tuple[int, int], NDArray[np.signedinteger[Any]]] | None = None
        self._at = np.empty(table.n_rows, np.uint32)
        self._start()

    @_in_turn
    def dealt(self, n: int, seed: int) -> NDArray[np.signedinteger[Any]]:
        """int[rows]: the fold of each row, see `engine.table.folds.by_class`; kept until others are asked for."""
        if self._dealt is None or self._dealt[0] != (n, seed):
            self._dealt = (n, seed), by_class(self.table, n, seed).astype(np.min_scalar_type(-n))
        return self._dealt[1]

    def _start(self) -> None:
        """All rows stand at the root."""
        self._number: dict[Path, int] = {(): 2}  # of the leaves of the tree so far; together they have all rows
        self._n_numbers = 4
        self._anew = True  # rows are put there as a scan comes to them
        self._on_their_way = False  # some may have moved on, and others not

    tally, extents = _in_turn(counting.tally), _in_turn(counting.extents)
    moments, squares = _in_turn(counting.moments), _in_turn(counting.squares)

    def descent(self, paths: Sequence[Path]) -> Descent:
        """See `engine.sources.counting.Scanned`: from where rows stand, if all paths lead on from there and the
        last scan was finished."""
        if self._on_their_way or not all(any(path[:k] in self._number for k in range(len(path) + 1)) for path in paths):
            self._start()
        self._on_their_way = True
        rounds: list[dict[int, Step]] = []
        born: dict[int, int] = {}  # in which round rows come to a node
        for path in paths:
            first = next(k for k in range(len(path), -1, -1) if path[:k] in self._number)
            for k in range(first, len(path)):
                split, node = path[k][0], self._number.pop(path[:k])
                which, children = born.get(node, 0), self._n_numbers + 2 * np.arange(split.n_branches)
                if which == len(rounds):
                    rounds.append({})
                rounds[which] |= {node + part: (split, children + part) for part in (0, 1)}
                for b in range(split.n_branches):
                    self._number[(*path[:k], (split, b))] = self._n_numbers
                    born[self._n_numbers] = which + 1
                    self._n_numbers += 2
        return Descent(self.head, rounds, [self._number[path] for path in paths], self._n_numbers)

    def scan(self, summing: Summing, progress: Progress) -> None:
        """See `engine.sources.counting.Scanned`; every thread takes the next rows where their order does not matter."""
        n, rows, apart = self.table.n_rows, iter(list(self._chunks())), list[Summing]()

        def add(own: Summing, each: Each) -> None:
            for some in rows:
                if progress.stopped:
                    return
                own.add(self._chunk(some), each)
                if own is summing:
                    progress.report(some.stop / n, tr("Counting"))

        with Workers(self.threads) as workers:
            while len(apart) < workers.threads - 1 and (other := summing.beside()) is not None:
                apart.append(other)
            if apart:
                workers.each(lambda own: add(own, one_by_one), [summing, *apart])
            else:
                add(summing, workers.each)
        if progress.stopped:
            raise Stopped
        self._on_their_way = self._anew = False
        for other in apart:
            summing.merge(other.packed())

    @_in_turn
    def rows(self, path: Path, n: int, seed: int, progress: Progress | None = None) -> Table:
        """See `Source.rows`."""
        descent, progress, here = self.descent([path]), progress or Progress(), []
        for some in self._chunks():
            if progress.stopped:
                raise Stopped
            here.append(np.flatnonzero(descent.arrives(self._chunk(some))) + some.start)
        self._on_their_way = self._anew = False
        drawn = np.sort(np.random.default_rng(seed).permutation(np.concatenate(here))[:n])
        return table_of_rows(self.head, [column.codes[drawn] for column in self.table.columns])

    def _chunk(self, rows: slice) -> Chunk:
        if self._anew:
            self._at[rows] = np.array([2, 3, 0, 0], np.uint32)[self.table.part[rows]]  # nobody asks for 0
        return Chunk(self.table, rows, self._at[rows])

    def _chunks(self) -> Iterator[slice]:
        for start in range(0, self.table.n_rows, CHUNK):
            yield slice(start, min(start + CHUNK, self.table.n_rows))


def opened(table: Table, wanted: Wanted, progress: Progress | None) -> Coded:
    """A table in memory, see `engine.open_source`."""
    own = table.with_target(wanted.target) if wanted.target != table.target else table
    return Coded(wanted.division.of_table(own), wanted.threads)
