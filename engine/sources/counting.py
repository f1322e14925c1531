"""Counting rows that arrive in batches, of which nothing is kept: down the paths to their nodes, then by value."""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from copy import copy
from math import prod
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress
from engine.runtime.threads import TICK
from engine.search.tally import Tally
from engine.sources.descent import Batch, Descent, frozen, parts_of
from engine.sources.grid import NO_GRIDS, Grids
from engine.sources.kernels import count_values, join_codes, place_classes, place_numbers, sum_values, weigh_values
from engine.sources.source import Path, numbers_of, tally_of
from engine.sources.summing import Each, Extents, Moments, Squares, Summing
from engine.table.table import Table

Item = TypeVar("Item")
JOINT_BYTES = 1 << 17  # of the counts of columns that are counted together, which stay in the cache
FEW = 8  # one row of so many is looked up by its number
ROOM_FOR_EACH = 1 << 23  # numbers counted, up to which every thread has counts of its own


class Counting:
    """Counts of the target over the values of columns, at the end of each path; see `Source.tally`.

    Attributes:
        places, further: see `Summing`; values are looked up of the rows alone that are counted.
        together: the columns of each table of counts, by their places among all. Columns of few values share one, which
            has a cell for every combination of them: fewer counts, of which those of each column are sums.
        counts: by table, of classes uint32[lines, classes, values + 1], else float64[lines, values + 1, 3] of
            (rows, Σy, Σy²); where rows weigh, float64[lines, classes, values + 1, 2] of (rows, Σw) and
            float64[lines, values + 1, 4] of (rows, Σw, Σwy, Σwy²). Lines are the slots of `Descent`, without the last
            one.
    """

    def __init__(
        self, descent: Descent, columns: Sequence[int], centres: NDArray[np.float64], grids: Grids = NO_GRIDS
    ) -> None:
        head = descent.head
        self._descent, self._columns, self._n_parts = descent, columns, parts_of(head)
        self._by_class, self._n_classes = head.task == "classes", head.n_stats
        self._numbers, self._centres = numbers_of(head), np.tile(centres, self._n_parts)
        self._lines, self._widths = self._centres.size, [width_of(head, place, grids) for place in columns]
        self.together = [[j] for j in range(len(columns))]
        if self._by_class and not descent.weighs and not grids:  # otherwise sums would not be exact
            self.together = together(self._widths, self._lines * self._n_classes)
        self._grids, self._n_paths = grids, centres.size
        self._room = np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0)  # of a batch, for the next one, too
        self._joint: dict[int, NDArray[np.uint16]] = {}  # the same
        self.places, self.further = self._descent.places, [*columns]
        cells = [prod(self._widths[j] for j in some) for some in self.together]
        self.counts = [room_for(head, self._lines, n) for n in cells]

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch, its columns side by side."""
        at, target, slot = self._descent.end(batch), self._descent.target_of(batch), self._descent.slot
        if at.size > self._room[0].size:
            self._room = np.empty(at.size, np.uint32), np.empty(at.size, np.uint32), np.empty(at.size)
        line, rows, y = self._room
        if self._by_class:
            n = place_classes(at, slot, target, self._n_classes, self._lines, line, rows)
        else:
            n = place_numbers(at, slot, target, self._numbers, self._centres, line, rows, y)
        here = rows[:n]
        path = slot[at[here]] % self._n_paths if self._grids else slot[:0]
        weighs = self._descent.weighs
        weights = self._descent.weights(batch)[here] if weighs else y[:0]
        y = y[:0] if self._by_class else y

        def count(k: int) -> None:
            codes, own = self._cells(k, batch, here)
            grid = self._grids.get(self._columns[self.together[k][0]])
            if grid is not None:
                codes, own = grid.cells(path, codes[own].astype(np.uint32)), np.arange(n, dtype=np.uint32)
            if weighs:
                weigh_values(line, weights, y, own, codes.astype(np.uint32), as_lines(self.counts[k]))
            elif self._by_class:
                count_values(line, own, frozen(codes), self.counts[k].shape[-1], self.counts[k].reshape(-1))
            else:
                sum_values(line, y, own, codes.astype(np.uint32), self.counts[k])

        each(count, range(len(self.together)))

    def _cells(self, k: int, batch: Batch, here: NDArray[np.uint32]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
        """See `Batch.among`; of columns that are counted together the cells in their table."""
        (codes, own), *others = (batch.among(self._columns[j], here) for j in self.together[k])
        if not others:
            return codes, own
        of_column = [codes, *(more for more, _ in others)]
        if own.size * FEW < codes.size:
            of_column, own = [codes[own] for codes in of_column], np.arange(own.size, dtype=np.uint32)
        if k not in self._joint or self._joint[k].size < of_column[0].size:
            self._joint[k] = np.empty(of_column[0].size, np.uint16)
        joint = self._joint[k][: of_column[0].size]
        joint[:] = of_column[0]
        for j, more in zip(self.together[k][1:], of_column[1:], strict=True):
            join_codes(joint, self._widths[j], frozen(more.astype(np.uint8, copy=False)))
        return joint, own

    def packed(self) -> bytes:
        """See `Summing`."""
        return b"".join(counted.tobytes() for counted in self.counts)

    def merge(self, packed: bytes) -> None:
        """See `Summing`."""
        begin = 0
        for counted in self.counts:
            counted += np.frombuffer(packed, counted.dtype, counted.size, begin).reshape(counted.shape)
            begin += counted.nbytes

    def beside(self) -> "Counting | None":
        """See `Summing`."""
        if (self.counts and self.counts[0].dtype != np.uint32) or sum(one.size for one in self.counts) > ROOM_FOR_EACH:
            return None
        other = copy(self)
        other._room, other._joint = (np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0)), {}
        other.counts = [np.zeros_like(counted) for counted in self.counts]
        return other

    def tallies(self) -> list[list[Tally]]:
        """By column and path."""
        found: dict[int, list[Tally]] = {}
        for some, counts in zip(self.together, self.counts, strict=True):
            for own, j in enumerate(some):
                of_column = alone(counts, [self._widths[i] for i in some], own)
                found[j] = tallies_of(of_column, self._n_parts, self._by_class)
        return [found[j] for j in range(len(found))]


class Scanned(Protocol):
    """A source whose `scan` adds all rows to what is summed; the functions below answer for it, see `Source`."""

    def descent(self, paths: Sequence[Path]) -> Descent: ...
    def scan(self, summing: Summing, progress: Progress) -> None: ...


def tally(
    source: Scanned, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress,
    grids: Grids = NO_GRIDS,
) -> list[list[Tally]]:  # fmt: skip
    """See `Source.tally`."""
    counting = Counting(source.descent(paths), columns, centres, grids)
    source.scan(counting, progress)
    return counting.tallies()


def extents(source: Scanned, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
    """See `Source.extents`."""
    summing = Extents(source.descent(paths))
    source.scan(summing, progress)
    return summing.found[:-1]


def moments(
    source: Scanned, paths: Sequence[Path], around: NDArray[np.float64], power: int, progress: Progress
) -> NDArray[np.float64]:
    """See `Source.moments`."""
    summing = Moments(source.descent(paths), around, power)
    source.scan(summing, progress)
    return summing.found


def squares(source: Scanned, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
    """See `Source.squares`."""
    summing = Squares(source.descent(paths))
    source.scan(summing, progress)
    return summing.found


def ahead(items: Iterator[Item], tick: Callable[[], None]) -> Generator[Item, None, None]:
    """The same items; while one is used, the next is fetched in another thread. `tick` is called a few times a second
    while that is waited for."""
    with ThreadPoolExecutor(1, thread_name_prefix="fetch") as pool:
        coming = pool.submit(next, items, None)
        while True:
            while not wait([coming], timeout=TICK).done:
                tick()
            item = coming.result()
            if item is None:
                return
            coming = pool.submit(next, items, None)
            yield item


def width_of(head: Table, place: int, grids: Grids) -> int:
    """In how many cells a column is counted, missing being one."""
    return grids[place].width if place in grids else head.columns[place].n_values + 1


def together(widths: Sequence[int], n_lines: int) -> list[list[int]]:
    """Which columns are counted by one number, the larger ones first: as many as the cache has room for.

    Args:
        widths: in how many cells each is counted. n_lines: the tables of so many cells.
    """
    most, groups = JOINT_BYTES // (4 * n_lines), list[list[int]]()
    for j in sorted(range(len(widths)), key=lambda j: -widths[j]):
        for some in groups:
            if widths[j] > 1 and prod(widths[i] for i in some) * widths[j] <= most:
                some.append(j)
                break
        else:
            groups.append([j])
    return groups


def alone(counts: NDArray[Any], widths: Sequence[int], own: int) -> NDArray[Any]:
    """The counts of one of several columns that were counted together, by its place among them."""
    if len(widths) == 1:
        return counts
    others = tuple(2 + i for i in range(len(widths)) if i != own)
    found: NDArray[Any] = counts.reshape(*counts.shape[:2], *widths).sum(axis=others, dtype=counts.dtype)
    return found


def room_for(head: Table, lines: int, width: int) -> NDArray[Any]:
    """Zeros for the counts of a column of so many cells, see `engine.sources.counting.Counting`."""
    if head.weighing is not None:
        return np.zeros((lines, head.n_stats, width, 2) if head.task == "classes" else (lines, width, 4))
    return np.zeros((lines, head.n_stats, width), np.uint32) if head.task == "classes" else np.zeros((lines, width, 3))


def as_lines(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same weighed counts as float64[lines, values + 1, 2 or 4], of classes a line for each, to be written."""
    return counts.reshape(-1, *counts.shape[-2:])


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
