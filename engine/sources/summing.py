"""What is added up over the rows of a scan at the ends of paths, without regard to the values of columns."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.search.tally import power_sums
from engine.sources.descent import Batch, Descent, parts_of
from engine.sources.kernels import find_extents
from engine.sources.parts import N_PARTS, PART
from engine.sources.source import numbers_of
from engine.table.table import Table

Each = Callable[[Callable[[int], object], Iterable[int]], object]  # calls a function for every number


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


class Sums:
    """Sums in one array, added in the order of the rows, so that their last digits are always the same; see `Summing`.

    Attributes:
        found: the sums so far.
    """

    def __init__(self, places: list[int], found: NDArray[Any]) -> None:
        self.places, self.further, self.found = places, list[int](), found

    def packed(self) -> bytes:
        """See `Summing`."""
        return self.found.tobytes()

    def merge(self, packed: bytes) -> None:
        """See `Summing`."""
        self.found += np.frombuffer(packed, self.found.dtype).reshape(self.found.shape)

    def beside(self) -> None:
        """See `Summing`."""


class Targets(Sums):
    """The rows of each part by the code of the target, int64[N_PARTS, values + 1]; see `engine.sources.parts.Count`."""

    def __init__(self, head: Table) -> None:
        self._target = head.index(str(head.target))
        super().__init__([PART, self._target], np.zeros((N_PARTS, head.target_column.n_values + 1), np.int64))

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch."""
        cells = batch[PART] * np.int64(self.found.shape[1]) + batch[self._target]
        self.found += np.bincount(cells, minlength=self.found.size).reshape(self.found.shape)


class Extents(Sums):
    """Sums and ends of a numeric target at the end of each path, float64[paths + 1, 4]; see `Source.extents`."""

    def __init__(self, descent: Descent) -> None:
        super().__init__(descent.places, np.tile((0.0, 0.0, np.inf, -np.inf), (descent.n_paths + 1, 1)))
        self._descent, self._numbers = descent, numbers_of(descent.head)
        self._slot = np.minimum(descent.slot, descent.n_paths)

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch."""
        at, target = self._descent.end(batch), self._descent.target_of(batch)
        find_extents(at, self._slot, target, self._numbers, self._descent.weights(batch), self.found)

    def merge(self, packed: bytes) -> None:
        """See `Summing`."""
        other = np.frombuffer(packed).reshape(self.found.shape)
        self.found[:, :2] += other[:, :2]
        self.found[:, 2] = np.minimum(self.found[:, 2], other[:, 2])
        self.found[:, 3] = np.maximum(self.found[:, 3], other[:, 3])


class Moments(Sums):
    """Sums of powers of a numeric target at the end of each path, float64[power + 1, paths]; see `Source.moments`."""

    def __init__(self, descent: Descent, around: NDArray[np.float64], power: int) -> None:
        super().__init__(descent.places, np.zeros((power + 1, descent.n_paths)))
        self._descent, self._numbers, self._around = descent, numbers_of(descent.head), around

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch."""
        line, n = self._descent.slot[self._descent.end(batch)], self._around.size
        judging = np.flatnonzero((line >= n) & (line < self._descent.elsewhere))
        path = line[judging] - n
        beyond = self._numbers[batch[self._descent.target][judging]] - self._around[path]
        weights = self._descent.weights(batch)
        of_row = weights[judging] if self._descent.weighs else np.ones(path.size)
        self.found += power_sums(path, beyond, of_row, n, len(self.found) - 1)


class Squares(Sums):
    """Sums of squared weights at the end of each path, by part and class; see `Source.squares`."""

    def __init__(self, descent: Descent) -> None:
        super().__init__(descent.places, self.room(descent.head, descent.n_paths))
        self._descent, self._n_lines = descent, parts_of(descent.head) * descent.n_paths

    @staticmethod
    def room(head: Table, n_paths: int) -> NDArray[np.float64]:
        """Zeros for them, [part, paths, classes]."""
        return np.zeros((2, n_paths, head.n_stats if head.task == "classes" else 1))

    def add(self, batch: Batch, each: Each) -> None:
        """Adds the rows of a batch."""
        line, n_classes = self._descent.slot[self._descent.end(batch)], self.found.shape[2]
        here = np.flatnonzero(line < self._n_lines)
        target = batch[self._descent.target][here].astype(np.int64)
        cells = line[here] * n_classes + (np.maximum(target - 1, 0) if n_classes > 1 else 0)
        squares = np.square(self._descent.weights(batch)[here])
        self.found += np.bincount(cells, squares, self.found.size).reshape(self.found.shape)
