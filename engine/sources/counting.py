"""Counting rows that arrive in batches, of which nothing is kept: down the paths to their nodes, then by value."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.runtime.threads import TICK
from engine.search.tally import Tally
from engine.sources.coded import Steps, of_classes, of_numbers
from engine.sources.kernels import count_values, find_extents, place_classes, place_numbers, step_down, sum_values
from engine.sources.source import Path, numbers_of, steps_of
from engine.table.table import Table

Codes = Mapping[int, NDArray[np.uint32]]  # of the rows of a batch, by the place of the column
Each = Callable[[Callable[[int], object], Iterable[int]], object]  # calls a function for every number
Item = TypeVar("Item")


class Descent:
    """The way of rows to the nodes at the ends of paths.

    Attributes:
        places: of the columns that are asked for on it, and of the target.
        slot: int64[nodes], the number of the path that ends at a node; for all others the number of paths.
    """

    def __init__(self, head: Table, paths: Sequence[Path]) -> None:
        steps, ends = steps_of(head, paths)
        self.target, self._nowhere = head.index(str(head.target)), ends.size - 1
        depth, rounds = {0: 0}, list[dict[int, tuple[int, NDArray[np.uint32]]]]()
        for step in steps:
            of_code = step.lookup(head)
            of_code[of_code < 0] = self._nowhere
            if depth[step.node] == len(rounds):
                rounds.append({})
            rounds[depth[step.node]][step.node] = step.column, of_code.astype(np.uint32)
            depth.update((int(child), depth[step.node] + 1) for child in step.child)
        self._rounds = [Steps.of(own, ends.size) for own in rounds]
        self.places = sorted({self.target, *(step.column for step in steps)})
        self.slot = np.where(ends < 0, len(paths), ends)

    def end(self, codes: Codes) -> NDArray[np.uint32]:
        """uint32[n]: the node at which each row ends; rows without a target end at none of them."""
        at = np.where(codes[self.target] > 0, 0, self._nowhere).astype(np.uint32)
        for steps in self._rounds:
            for place in steps.places:
                step_down(at, codes[place], steps.column, place, steps.begin, steps.lookup)
        return at


class Summing(Protocol):
    """What is added up over the rows of a scan.

    Attributes:
        places: of the columns whose codes it needs.
    """

    places: list[int]

    def add(self, codes: Codes, each: Each) -> None: ...
    def packed(self) -> bytes:
        """What was added, to be merged elsewhere."""

    def merge(self, packed: bytes) -> None:
        """Adds what another of its kind has added."""


class Counting:
    """Counts of the target over the values of columns, at the end of each path; see `Source.tally`.

    Attributes:
        places: of the columns whose codes it needs.
        counts: by column, of classes uint32[paths + 1, classes, values + 1], else float64[paths + 1, values + 1, 3] of
            (rows, Σy, Σy²); the last line is for rows that end elsewhere.
    """

    def __init__(
        self, head: Table, origin: float, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64]
    ) -> None:
        self._descent, self._columns = Descent(head, paths), columns
        self._by_class, self._n_classes = head.task == "classes", head.n_stats
        self._numbers, self._centres = numbers_of(head, origin), np.append(centres, 0.0)
        lines, self._widths = len(paths) + 1, [head.columns[place].n_values + 1 for place in columns]
        self.places = sorted({*columns, *self._descent.places})
        self.counts: list[NDArray[Any]] = [
            np.zeros((lines, self._n_classes, width), np.uint32) if self._by_class else np.zeros((lines, width, 3))
            for width in self._widths
        ]

    def add(self, codes: Codes, each: Each) -> None:
        """Adds the rows of a batch, its columns side by side."""
        at, target, slot = self._descent.end(codes), codes[self._descent.target], self._descent.slot
        line, y = np.empty(at.size, np.uint32), np.empty(0 if self._by_class else at.size)
        if self._by_class:
            place_classes(at, slot, target, self._n_classes, line)
        else:
            place_numbers(at, slot, target, self._numbers, self._centres, line, y)

        def count(j: int) -> None:
            own = codes[self._columns[j]]
            if self._by_class:
                own.flags.writeable = False  # kernels are compiled for one of these
                count_values(line, own, self._widths[j], self.counts[j].reshape(-1))
            else:
                sum_values(line, y, own, self.counts[j])

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
        made = of_classes if self._by_class else of_numbers
        return [[made(found) for found in of_column[:-1]] for of_column in self.counts]


class Extents:
    """Sums and ends of a numeric target at the end of each path, float64[paths + 1, 4]; see `Source.extents`."""

    def __init__(self, head: Table, origin: float, paths: Sequence[Path]) -> None:
        self._descent, self._numbers = Descent(head, paths), numbers_of(head, origin)
        self.places = self._descent.places
        self.found = np.tile((0.0, 0.0, np.inf, -np.inf), (len(paths) + 1, 1))

    def add(self, codes: Codes, each: Each) -> None:
        """Adds the rows of a batch."""
        at, target = self._descent.end(codes), codes[self._descent.target]
        find_extents(at, self._descent.slot, target, self._numbers, self.found)

    def ends(self, codes: Codes) -> NDArray[np.int64]:
        """int64[n]: the number of the path at whose end each row is; of others the number of paths."""
        return self._descent.slot[self._descent.end(codes)]

    def packed(self) -> bytes:
        """See `Summing`."""
        return self.found.tobytes()

    def merge(self, packed: bytes) -> None:
        """See `Summing`."""
        other = np.frombuffer(packed).reshape(self.found.shape)
        self.found[:, :2] += other[:, :2]
        self.found[:, 2] = np.minimum(self.found[:, 2], other[:, 2])
        self.found[:, 3] = np.maximum(self.found[:, 3], other[:, 3])


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
