"""Sources of codes: a table, in memory or of mapped files, scanned column by column.

Beside the codes there is one number for each row: the node at which it stands. It is kept from scan to scan, so that
rows go down one step for each level, and no list of the rows of every node is needed. Every node has two numbers, an
even one for its training rows and the next one for its validation rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.search.tally import Tally, power_sums
from engine.sources.grid import NO_GRIDS, Grids
from engine.sources.kernels import (
    count_values,
    find_extents,
    place_classes,
    place_numbers,
    step_down,
    sum_values,
    weigh_values,
)
from engine.sources.parts import Parts, Wanted, counted_by
from engine.sources.source import Path, Weighing, head_of, numbers_of, table_of_rows, tally_of, with_counts
from engine.splits import Split, bind
from engine.table.folds import by_class
from engine.table.table import Table

CHUNK = 1 << 17  # rows that are scanned at once: what is known of each stays in the cache for all columns

WIDE = 1 << 16  # values from which on a column is not looked up by code

Step = tuple[Split, NDArray[np.int64]]  # the split of a node, and the numbers of its children by branch


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
        target, chunks = table.target_column, list(self._chunks(Progress()))
        head = head_of(table.columns, target.name, table.name, table.roles)
        count = counted_by(lambda _: ((c.start, target.codes[c], table.part[c]) for c in chunks), target.n_values)
        self.head = with_counts(replace(head, partition=table.partition), count(Parts()), table.origin)
        self.lacking = frozenset(column.name for column in table.columns if column.n_missing)
        self._target, self._weighing = table.index(table.target_column.name), Weighing.of(self.head)
        self._dealt: tuple[tuple[int, int], NDArray[np.signedinteger[Any]]] | None = None
        self._start()

    def dealt(self, n: int, seed: int) -> NDArray[np.signedinteger[Any]]:
        """int[rows]: the fold of each row, see `engine.table.folds.by_class`; kept until others are asked for."""
        if self._dealt is None or self._dealt[0] != (n, seed):
            self._dealt = (n, seed), by_class(self.table, n, seed).astype(np.min_scalar_type(-n))
        return self._dealt[1]

    def _start(self) -> None:
        """All rows stand at the root."""
        self._number: dict[Path, int] = {(): 2}  # of the leaves of the tree so far; together they have all rows
        self._n_numbers = 4
        self._at = np.array([2, 3, 0, 0], np.uint32)[self.table.part]  # nobody asks for 0

    def _narrow(self, place: int, chunk: slice) -> NDArray[Any]:
        """The codes of a column, for reading only, as those in files are: kernels are compiled for one of these."""
        codes = self.table.columns[place].codes[chunk].view(np.ndarray)
        codes.flags.writeable = False
        return codes

    def _codes(self, place: int, chunk: slice) -> NDArray[np.uint32]:
        """The same of one width."""
        return self.table.columns[place].codes[chunk].astype(np.uint32)

    def _weights(self, chunk: slice) -> NDArray[np.float64]:
        """float64[n]: what each row weighs; empty where every row counts once."""
        if self._weighing is None:
            return np.empty(0)
        return self._weighing.of_code[self._codes(self._weighing.place, chunk)]

    def tally(
        self, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress,
        grids: Grids = NO_GRIDS,
    ) -> list[list[Tally]]:  # fmt: skip
        """See `Source.tally`."""
        slot, head, n_paths = self._slots(paths, progress), self.head, len(paths)
        by_class, n_parts, numbers = head.task == "classes", parts_of(head), numbers_of(head)
        lines, about = n_parts * n_paths, np.tile(centres, n_parts)
        widths = [width_of(head, place, grids) for place in columns]
        counts, weighs = [room_for(head, lines, width) for width in widths], self._weighing is not None
        in_order = np.arange(CHUNK, dtype=np.uint32)

        def count(some: list[int]) -> None:
            line, rows, y = np.empty(CHUNK, np.uint32), np.empty(CHUNK, np.uint32), np.empty(0 if by_class else CHUNK)
            for chunk in self._chunks(progress if some[0] == 0 else Progress()):
                if progress.stopped:
                    return
                at, target = self._at[chunk], self._codes(self._target, chunk)
                n = (
                    place_classes(at, slot, target, head.n_stats, lines, line, rows) if by_class else
                    place_numbers(at, slot, target, numbers, about, line, rows, y)
                )  # fmt: skip
                here = rows[:n]
                weights = self._weights(chunk)[here] if weighs else y[:0]
                path = slot[at[here]] % n_paths if grids else slot[:0]
                for j in some:
                    grid, own = grids.get(columns[j]), here
                    if by_class and grid is None and not weighs:
                        codes = self._narrow(columns[j], chunk)
                    elif grid is None:
                        codes = self._codes(columns[j], chunk)
                    else:
                        codes, own = grid.cells(path, self._codes(columns[j], chunk)[here]), in_order[:n]
                    if weighs:
                        weigh_values(line, weights, y, own, codes, as_lines(counts[j]))
                    elif by_class:
                        codes.flags.writeable = False  # kernels are compiled for one of these
                        count_values(line, own, codes, widths[j], counts[j].reshape(-1))
                    else:
                        sum_values(line, y, own, codes, counts[j])

        with Workers(self.threads) as workers:
            apart = min(workers.threads, len(columns))
            workers.each(count, [list(range(i, len(columns), apart)) for i in range(apart)])
        if progress.stopped:
            raise Stopped
        return [tallies_of(found, n_parts, by_class) for found in counts]

    def extents(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """See `Source.extents`."""
        slot, numbers = np.minimum(self._slots(paths, progress), len(paths)), numbers_of(self.head)
        found = np.tile((0.0, 0.0, np.inf, -np.inf), (len(paths) + 1, 1))
        for chunk in self._chunks(progress):
            find_extents(self._at[chunk], slot, self._codes(self._target, chunk), numbers, self._weights(chunk), found)
        return found[:-1]

    def moments(
        self, paths: Sequence[Path], around: NDArray[np.float64], power: int, progress: Progress
    ) -> NDArray[np.float64]:
        """See `Source.moments`."""
        slot, numbers, n = self._slots(paths, progress), numbers_of(self.head), len(paths)
        found = np.zeros((power + 1, n))
        for chunk in self._chunks(progress):
            at = self._at[chunk]
            judging = np.flatnonzero((at % 2 > 0) & (slot[at] < 2 * n))
            path = slot[at[judging]] - n
            beyond = numbers[self._codes(self._target, chunk)[judging]] - around[path]
            weights = np.ones(path.size) if self._weighing is None else self._weights(chunk)[judging]
            found += power_sums(path, beyond, weights, n, power)
        return found

    def squares(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """See `Source.squares`."""
        slot, found = self._slots(paths, progress), room_for_squares(self.head, len(paths))
        for chunk in self._chunks(progress):
            target, weights = self._codes(self._target, chunk), self._weights(chunk)
            add_squares(found, parts_of(self.head), slot[self._at[chunk]], target, weights)
        return found

    def rows(self, path: Path, n: int, seed: int, progress: Progress | None = None) -> Table:
        """See `Source.rows`."""
        slot = self._slots([path], progress or Progress())
        here = np.flatnonzero(slot[self._at] < parts_of(self.head))
        rows = np.sort(np.random.default_rng(seed).permutation(here)[:n])
        return table_of_rows(self.head, [column.codes[rows] for column in self.table.columns])

    def _chunks(self, progress: Progress) -> Iterator[slice]:
        n = self.table.n_rows
        for start in range(0, n, CHUNK):
            progress.report(start / n, tr("Counting"))
            yield slice(start, min(start + CHUNK, n))

    def _slots(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.int64]:
        """Where the rows of each numbered node are counted: training rows at the place of its path, validation rows
        behind all of these, in the same order, and others behind them. Rows are sent down to these paths first, from
        where they stand if all paths lead on from there."""
        if not all(any(path[:k] in self._number for k in range(len(path) + 1)) for path in paths):
            self._start()
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
        self._send([Steps.of(self.head, steps, self._n_numbers) for steps in rounds], progress)
        slot, ends = np.full(self._n_numbers, parts_of(self.head) * len(paths)), [self._number[path] for path in paths]
        for part in range(parts_of(self.head)):
            slot[np.add(ends, part)] = np.arange(len(paths)) + part * len(paths)
        return slot

    def _send(self, rounds: list["Steps"], progress: Progress) -> None:
        """Sends all rows on, in place."""

        def send(chunk: slice) -> None:
            at = self._at[chunk]
            for steps in rounds:
                for place in steps.places if not progress.stopped else ():
                    steps.take(at, self._codes(place, chunk), place)

        if rounds:
            with Workers(self.threads) as workers:
                workers.each(send, self._chunks(Progress()))
            if progress.stopped:
                self._start()
                raise Stopped


def opened(table: Table, wanted: Wanted, progress: Progress | None) -> Coded:
    """A table in memory, see `engine.open_source`."""
    own = table.with_target(wanted.target) if wanted.target != table.target else table
    return Coded(wanted.division.of_table(own), wanted.threads)


class Steps(NamedTuple):
    """Steps that rows take at once, see `engine.sources.kernels.step_down`.

    Attributes:
        places: of the columns that are asked.
        limits: uint32[·] of columns of very many numbers, by place: 0 and the codes behind which some node cuts. What
            lies between two of them is looked up in the place of a code.
    """

    places: list[int]
    column: NDArray[np.int64]
    begin: NDArray[np.int64]
    lookup: NDArray[np.uint32]
    limits: dict[int, NDArray[np.uint32]]

    @classmethod
    def of(cls, head: Table, steps: dict[int, Step], n_numbers: int) -> "Steps":
        """Of the step at each node."""
        column, begin, lookups, end = np.full(n_numbers, -1), np.zeros(n_numbers, np.int64), [], 0
        bound = {node: bind(split, head) for node, (split, _) in steps.items()}
        cuts: dict[int, list[NDArray[np.int64]]] = {}
        for one in bound.values():
            if one.lookup is None and head.columns[one.column].n_values >= WIDE:
                cuts.setdefault(one.column, [np.zeros(1, np.int64)]).append(one.cuts)
        limits = {place: np.unique(np.concatenate(some)) for place, some in cuts.items()}
        for node, one in bound.items():
            column[node], begin[node], n_values = one.column, end, head.columns[one.column].n_values
            codes = np.append(limits[one.column], n_values) if one.column in limits else np.arange(n_values + 1)
            lookups.append(steps[node][1][one.branches(codes)].astype(np.uint32))
            end += codes.size
        narrow = {place: some.astype(np.uint32) for place, some in limits.items()}
        return cls(sorted({one.column for one in bound.values()}), column, begin, np.concatenate(lookups), narrow)

    def take(self, at: NDArray[np.uint32], codes: NDArray[np.uint32], place: int) -> None:
        """Sends rows on, in place, by their codes in the column at this place."""
        if place in self.limits:
            codes = np.searchsorted(self.limits[place], codes).astype(np.uint32)
        step_down(at, codes, self.column, place, self.begin, self.lookup)


def parts_of(head: Table) -> int:
    """How many parts are counted: 2 if rows validate."""
    return 2 if head.n_validation else 1


def width_of(head: Table, place: int, grids: Grids) -> int:
    """In how many cells a column is counted, missing being one."""
    return grids[place].width if place in grids else head.columns[place].n_values + 1


def room_for(head: Table, lines: int, width: int) -> NDArray[Any]:
    """Zeros for the counts of a column of so many cells, see `engine.sources.counting.Counting`."""
    if head.weighing is not None:
        return np.zeros((lines, head.n_stats, width, 2) if head.task == "classes" else (lines, width, 4))
    return np.zeros((lines, head.n_stats, width), np.uint32) if head.task == "classes" else np.zeros((lines, width, 3))


def as_lines(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same weighed counts as float64[lines, values + 1, 2 or 4], of classes a line for each, to be written."""
    return counts.reshape(-1, *counts.shape[-2:])


def add_squares(
    found: NDArray[np.float64], n_parts: int, line: NDArray[np.int64], target: NDArray[np.uint32],
    weights: NDArray[np.float64],
) -> None:  # fmt: skip
    """Adds the squared weights of rows to those of their paths and classes, see `Source.squares`.

    Args:
        n_parts: how many are counted. line: of each row the place of its path, behind all of these of a validation row,
            and behind all parts of one that is passed over. target: its code.
    """
    here, n_classes = np.flatnonzero(line < n_parts * found.shape[1]), found.shape[2]
    of_class = np.maximum(target[here].astype(np.int64) - 1, 0) if n_classes > 1 else 0
    cells = line[here] * n_classes + of_class
    found += np.bincount(cells, np.square(weights[here]), found.size).reshape(found.shape)


def room_for_squares(head: Table, n_paths: int) -> NDArray[np.float64]:
    """Zeros for `add_squares`."""
    return np.zeros((2, n_paths, head.n_stats if head.task == "classes" else 1))


def tallies_of(counts: NDArray[Any], n_parts: int, by_class: bool) -> list[Tally]:
    """By path, from the counts of a column, see `engine.sources.counting.Counting`."""
    parts = counts.reshape(n_parts, -1, *counts.shape[1:])
    made = of_classes if by_class else of_numbers
    return [made(parts[:, i]) for i in range(parts.shape[1])]


def of_classes(counts: NDArray[Any]) -> Tally:
    """From the rows of each part, class and value, [parts, K, values + 1]; or also what they weigh, [·, 2]."""
    n_rows, weights = (counts, counts) if counts.ndim == 3 else (counts[..., 0], counts[..., 1])
    rows = n_rows.sum(axis=1).astype(np.int64)
    codes = np.flatnonzero(rows.any(axis=0))
    stats = weights[:, :, codes].transpose(0, 2, 1).astype(np.float64, order="C")
    return tally_of(codes, stats, rows[:, codes])


def of_numbers(stats: NDArray[np.float64]) -> Tally:
    """From (rows, Σy, Σy²) of each part and value, [parts, values + 1, 3], or from (rows, Σw, Σwy, Σwy²)."""
    codes = np.flatnonzero(stats[:, :, 0].any(axis=0))
    return tally_of(codes, np.ascontiguousarray(stats[:, codes, -3:]), stats[:, codes, 0].astype(np.int64))
