"""Counting rows that arrive in batches, of which nothing is kept: down the paths to their nodes, then by value."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from copy import copy
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress
from engine.runtime.threads import TICK
from engine.search.tally import Tally, power_sums
from engine.sources.descent import Batch, Descent, parts_of
from engine.sources.grid import NO_GRIDS, Grids
from engine.sources.kernels import count_values, find_extents, place_classes, place_numbers, sum_values, weigh_values
from engine.sources.parts import N_PARTS, PART
from engine.sources.source import Path, numbers_of, tally_of
from engine.table.table import Table

Each = Callable[[Callable[[int], object], Iterable[int]], object]  # calls a function for every number
Item = TypeVar("Item")
ROOM_FOR_EACH = 1 << 23  # numbers counted, up to which every thread has counts of its own


def one_by_one(function: Callable[[int], object], numbers: Iterable[int]) -> None:
    """See `Each`."""
    for number in numbers:
        function(number)


class Summing(Protocol):
    """What is added up over the rows of a scan.

    Attributes:
        places: of the columns whose codes it needs of all rows. further: of those of which it needs the codes of some.
    """

    places: list[int]
    further: list[int]

    def add(self, batch: Batch, each: Each) -> None: ...
    def packed(self) -> bytes:
        """What was added, to be merged elsewhere."""

    def merge(self, packed: bytes) -> None:
        """Adds what another of its kind has added."""

    def beside(self) -> "Summing | None":
        """Another that adds other rows meanwhile, to be merged; None where the order of sums matters, or the room."""


class Targets:
    """The rows of each part by the code of the target, int64[N_PARTS, values + 1]; see `engine.sources.parts.Count`."""

    def __init__(self, head: Table) -> None:
        self.target, self.further = head.index(str(head.target)), list[int]()
        self.places, self.found = [PART, self.target], np.zeros((N_PARTS, head.target_column.n_values + 1), np.int64)

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch."""
        cells = batch[PART] * np.int64(self.found.shape[1]) + batch[self.target]
        self.found += np.bincount(cells, minlength=self.found.size).reshape(self.found.shape)

    def packed(self) -> bytes:
        """See `Summing`."""
        return self.found.tobytes()

    def merge(self, packed: bytes) -> None:
        """See `Summing`."""
        self.found += np.frombuffer(packed, np.int64).reshape(self.found.shape)

    def beside(self) -> None:
        """See `Summing`."""


class Counting:
    """Counts of the target over the values of columns, at the end of each path; see `Source.tally`.

    Attributes:
        places, further: see `Summing`; values are looked up of the rows alone that are counted.
        counts: by column, of classes uint32[lines, classes, values + 1], else float64[lines, values + 1, 3] of
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
        self._grids, self._n_paths = grids, centres.size
        self._room = np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0)  # of a batch, for the next one, too
        self.places, self.further = self._descent.places, [*columns]
        self.counts = [room_for(head, self._lines, width) for width in self._widths]

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch, its columns side by side."""
        at, target, slot = self._descent.end(batch), batch[self._descent.target], self._descent.slot
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

        def count(j: int) -> None:
            (codes, own), grid = batch.among(self._columns[j], here), self._grids.get(self._columns[j])
            if grid is not None:
                codes, own = grid.cells(path, codes[own].astype(np.uint32)), np.arange(n, dtype=np.uint32)
            if weighs:
                weigh_values(line, weights, y, own, codes.astype(np.uint32), as_lines(self.counts[j]))
            elif self._by_class:
                codes.flags.writeable = False  # kernels are compiled for one of these
                count_values(line, own, codes, self._widths[j], self.counts[j].reshape(-1))
            else:
                sum_values(line, y, own, codes.astype(np.uint32), self.counts[j])

        each(count, range(len(self._columns)))

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
        other._room = np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0)
        other.counts = [np.zeros_like(counted) for counted in self.counts]
        return other

    def tallies(self) -> list[list[Tally]]:
        """By column and path."""
        return [tallies_of(found, self._n_parts, self._by_class) for found in self.counts]


class Extents:
    """Sums and ends of a numeric target at the end of each path, float64[paths + 1, 4]; see `Source.extents`."""

    def __init__(self, descent: Descent) -> None:
        self._descent, self._numbers, self.further = descent, numbers_of(descent.head), list[int]()
        self.places, self._slot = descent.places, np.minimum(descent.slot, descent.n_paths)
        self.found = np.tile((0.0, 0.0, np.inf, -np.inf), (descent.n_paths + 1, 1))

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch."""
        at, target = self._descent.end(batch), batch[self._descent.target]
        find_extents(at, self._slot, target, self._numbers, self._descent.weights(batch), self.found)

    def packed(self) -> bytes:
        """See `Summing`."""
        return self.found.tobytes()

    def merge(self, packed: bytes) -> None:
        """See `Summing`."""
        other = np.frombuffer(packed).reshape(self.found.shape)
        self.found[:, :2] += other[:, :2]
        self.found[:, 2] = np.minimum(self.found[:, 2], other[:, 2])
        self.found[:, 3] = np.maximum(self.found[:, 3], other[:, 3])

    def beside(self) -> None:
        """See `Summing`."""


class Moments:
    """Sums of powers of a numeric target at the end of each path, float64[power + 1, paths]; see `Source.moments`."""

    def __init__(self, descent: Descent, around: NDArray[np.float64], power: int) -> None:
        self._descent, self._numbers, self.further = descent, numbers_of(descent.head), list[int]()
        self.places, self._around = descent.places, around
        self.found = np.zeros((power + 1, descent.n_paths))

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch."""
        line, n = self._descent.slot[self._descent.end(batch)], self._around.size
        judging = np.flatnonzero((line >= n) & (line < self._descent.elsewhere))
        path = line[judging] - n
        beyond = self._numbers[batch[self._descent.target][judging]] - self._around[path]
        weights = self._descent.weights(batch)
        of_row = weights[judging] if self._descent.weighs else np.ones(path.size)
        self.found += power_sums(path, beyond, of_row, n, len(self.found) - 1)

    def packed(self) -> bytes:
        """See `Summing`."""
        return self.found.tobytes()

    def merge(self, packed: bytes) -> None:
        """See `Summing`."""
        self.found += np.frombuffer(packed).reshape(self.found.shape)

    def beside(self) -> None:
        """See `Summing`."""


class Squares:
    """Sums of squared weights at the end of each path; see `Source.squares`."""

    def __init__(self, descent: Descent) -> None:
        self._descent, self._n_parts, self.further = descent, parts_of(descent.head), list[int]()
        self.places, self.found = descent.places, room_for_squares(descent.head, descent.n_paths)

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch."""
        line, target = self._descent.slot[self._descent.end(batch)], batch[self._descent.target]
        add_squares(self.found, self._n_parts, line, target, self._descent.weights(batch))

    def packed(self) -> bytes:
        """See `Summing`."""
        return self.found.tobytes()

    def merge(self, packed: bytes) -> None:
        """See `Summing`."""
        self.found += np.frombuffer(packed).reshape(self.found.shape)

    def beside(self) -> None:
        """See `Summing`."""


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


def squares(source: Scanned, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
    """See `Source.squares`."""
    summing = Squares(source.descent(paths))
    source.scan(summing, progress)
    return summing.found


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
