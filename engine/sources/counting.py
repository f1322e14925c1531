"""Counting rows that arrive in batches, of which nothing is kept: down the paths to their nodes, then by value."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress
from engine.runtime.threads import TICK
from engine.search.tally import Tally, power_sums
from engine.sources.coded import (
    Step,
    Steps,
    add_squares,
    as_lines,
    parts_of,
    room_for,
    room_for_squares,
    tallies_of,
    width_of,
)
from engine.sources.grid import NO_GRIDS, Grids
from engine.sources.kernels import (
    count_values,
    find_extents,
    place_classes,
    place_numbers,
    sum_values,
    weigh_values,
)
from engine.sources.parts import N_PARTS, PART
from engine.sources.source import Path, Weighing, numbers_of, steps_of
from engine.table.partition import VALIDATION
from engine.table.table import Table

Each = Callable[[Callable[[int], object], Iterable[int]], object]  # calls a function for every number
Item = TypeVar("Item")


class Batch:
    """Rows that arrived, whose codes are found as they are asked for: uint32 of a column by its place, uint8 of PART.

    Attributes:
        n: how many rows. known: codes of all of them, by place.
    """

    def __init__(self, n: int, known: dict[int, NDArray[Any]], find: Callable[[int, Any], NDArray[np.uint32]]) -> None:
        """`find`: from a place and the numbers of rows, or None for all."""
        self.n, self.known, self._find = n, known, find

    def __getitem__(self, place: int) -> NDArray[Any]:
        """Of all rows."""
        if place not in self.known:
            self.known[place] = self._find(place, None)
        return self.known[place]

    def of(self, place: int, rows: NDArray[np.uint32]) -> NDArray[Any]:
        """Of these rows."""
        if rows.size == self.n:
            return self[place]
        return self.known[place][rows] if place in self.known else self._find(place, rows)


class Descent:
    """The way of rows to the nodes at the ends of paths; those of training rows have even numbers, those of validation
    rows the next ones.

    Attributes:
        places: of the columns that are asked for on it, of the target, of the weights and of the parts.
        slot: int64[nodes], the number of the path that ends at a node; if rows validate, these are counted on for
            them; of all others the number behind.
        weighs: whether rows have weights.
    """

    def __init__(self, head: Table, paths: Sequence[Path]) -> None:
        steps, ends = steps_of(head, paths)
        self.target, nowhere = head.index(str(head.target)), ends.size - 1
        self._first = np.array([0, 1, 2 * nowhere, 2 * nowhere], np.uint32)  # by part
        depth, rounds = {0: 0}, list[dict[int, Step]]()
        for step in steps:
            children = 2 * np.where(step.child < 0, nowhere, step.child)
            if depth[step.node] == len(rounds):
                rounds.append({})
            rounds[depth[step.node]] |= {2 * step.node + part: (step.split, children + part) for part in (0, 1)}
            depth.update((int(child), depth[step.node] + 1) for child in step.child)
        self._rounds = [Steps.of(head, own, 2 * ends.size) for own in rounds]
        self._weighing = Weighing.of(head)
        self.weighs = self._weighing is not None
        weighing = {self._weighing.place} if self._weighing is not None else set()
        self.places = sorted({PART, self.target, *(step.column for step in steps), *weighing})
        n_parts, n = parts_of(head), len(paths)
        self._elsewhere = n_parts * n
        self.slot = np.full(2 * ends.size, self._elsewhere)
        for part in range(n_parts):
            self.slot[part::2][ends >= 0] = ends[ends >= 0] + part * n

    def end(self, batch: Batch) -> NDArray[np.uint32]:
        """uint32[n]: the number at which each row ends; rows that neither train nor validate end at none of them."""
        at = self._first[batch[PART]]
        for steps in self._rounds:
            for place in steps.places:
                steps.take(at, batch[place], place)
        return at

    def weights(self, batch: Batch) -> NDArray[np.float64]:
        """float64[n]: what each row weighs; empty where every row counts once."""
        return np.empty(0) if self._weighing is None else self._weighing.of_code[batch[self._weighing.place]]

    def arrives(self, batch: Batch) -> NDArray[np.bool_]:
        """bool[n]: whether each row ends at one of the paths."""
        return np.asarray(self.slot[self.end(batch)] < self._elsewhere)


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
        self, head: Table, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64],
        grids: Grids = NO_GRIDS,
    ) -> None:  # fmt: skip
        self._descent, self._columns, self._n_parts = Descent(head, paths), columns, parts_of(head)
        self._by_class, self._n_classes = head.task == "classes", head.n_stats
        self._numbers, self._centres = numbers_of(head), np.tile(centres, self._n_parts)
        self._lines, self._widths = self._centres.size, [width_of(head, place, grids) for place in columns]
        self._grids, self._n_paths = grids, len(paths)
        self.places, self.further = self._descent.places, [*columns]
        self.counts = [room_for(head, self._lines, width) for width in self._widths]

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch, its columns side by side."""
        at, target, slot = self._descent.end(batch), batch[self._descent.target], self._descent.slot
        line, rows, y = np.empty(at.size, np.uint32), np.empty(at.size, np.uint32), np.empty(at.size)
        if self._by_class:
            n = place_classes(at, slot, target, self._n_classes, self._lines, line, rows)
        else:
            n = place_numbers(at, slot, target, self._numbers, self._centres, line, rows, y)
        here, in_order = rows[:n], np.arange(n, dtype=np.uint32)
        path = slot[at[here]] % self._n_paths if self._grids else slot[:0]
        weighs = self._descent.weighs
        weights = self._descent.weights(batch)[here] if weighs else y[:0]
        y = y[:0] if self._by_class else y

        def count(j: int) -> None:
            own, grid = batch.of(self._columns[j], here), self._grids.get(self._columns[j])
            own = own if grid is None else grid.cells(path, own)
            if weighs:
                weigh_values(line, weights, y, in_order, own, as_lines(self.counts[j]))
            elif self._by_class:
                own.flags.writeable = False  # kernels are compiled for one of these
                count_values(line, in_order, own, self._widths[j], self.counts[j].reshape(-1))
            else:
                sum_values(line, y, in_order, own, self.counts[j])

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

    def tallies(self) -> list[list[Tally]]:
        """By column and path."""
        return [tallies_of(found, self._n_parts, self._by_class) for found in self.counts]


class Extents:
    """Sums and ends of a numeric target at the end of each path, float64[paths + 1, 4]; see `Source.extents`."""

    def __init__(self, head: Table, paths: Sequence[Path]) -> None:
        self._descent, self._numbers, self.further = Descent(head, paths), numbers_of(head), list[int]()
        self.places, self._slot = self._descent.places, np.minimum(self._descent.slot, len(paths))
        self.found = np.tile((0.0, 0.0, np.inf, -np.inf), (len(paths) + 1, 1))

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


class Moments:
    """Sums of powers of a numeric target at the end of each path, float64[power + 1, paths]; see `Source.moments`."""

    def __init__(self, head: Table, paths: Sequence[Path], around: NDArray[np.float64], power: int) -> None:
        self._descent, self._numbers, self.further = Descent(head, paths), numbers_of(head), list[int]()
        self.places, self._around = self._descent.places, around
        self.found = np.zeros((power + 1, len(paths)))

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch."""
        line, n = self._descent.slot[self._descent.end(batch)], self._around.size
        judging = np.flatnonzero((batch[PART] == VALIDATION) & (line < 2 * n))
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


class Squares:
    """Sums of squared weights at the end of each path; see `Source.squares`."""

    def __init__(self, head: Table, paths: Sequence[Path]) -> None:
        self._descent, self._n_parts, self.further = Descent(head, paths), parts_of(head), list[int]()
        self.places, self.found = self._descent.places, room_for_squares(head, len(paths))

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


class Scanned(Protocol):
    """A source whose `scan` adds all rows to what is summed; the functions below answer for it, see `Source`."""

    @property
    def head(self) -> Table: ...
    def scan(self, summing: Summing, progress: Progress) -> None: ...


def tally(
    source: Scanned, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress,
    grids: Grids = NO_GRIDS,
) -> list[list[Tally]]:  # fmt: skip
    """See `Source.tally`."""
    counting = Counting(source.head, paths, columns, centres, grids)
    source.scan(counting, progress)
    return counting.tallies()


def extents(source: Scanned, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
    """See `Source.extents`."""
    summing = Extents(source.head, paths)
    source.scan(summing, progress)
    return summing.found[:-1]


def moments(
    source: Scanned, paths: Sequence[Path], around: NDArray[np.float64], power: int, progress: Progress
) -> NDArray[np.float64]:
    """See `Source.moments`."""
    summing = Moments(source.head, paths, around, power)
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
    summing = Squares(source.head, paths)
    source.scan(summing, progress)
    return summing.found
