"""Sources of codes: a table in memory, or files of codes that are mapped; read in chunks by the kernel that counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.search.kernels.count import count_dense
from engine.search.tally import Tally
from engine.sources.source import Path, Stopped, head_of, steps_of, tally_of
from engine.table.partition import TRAIN
from engine.table.table import Table

CHUNK = 1 << 20  # rows that are counted at once


@dataclass(frozen=True, eq=False)
class Coded:
    """Codes by column, see `engine.sources.source.Source`.

    Attributes:
        codes: for every column of the head, of all rows.
        y: by code of the target, class numbers uint16, or float64 measured from the origin; of 0 anything.
        n_rows: how many rows have a target and are used.
        used: bool[n], which; None for all that have a target.
        threads: how many count; None for one for each processor.
    """

    head: Table
    codes: tuple[NDArray[Any], ...]
    y: NDArray[Any]
    n_rows: int
    origin: float
    lacking: frozenset[str]
    used: NDArray[np.bool_] | None = None
    threads: int | None = None

    @classmethod
    def of_table(cls, table: Table, threads: int | None = None) -> "Coded":
        """Of a table in memory, its training rows."""
        used = table.part == TRAIN
        lacking = frozenset(table.columns[place].name for place in table.features if table.columns[place].n_missing)
        head = head_of(table.columns, table.target_column.name, table.name, table.roles)
        codes, n = tuple(column.codes for column in table.columns), int(np.count_nonzero(used))
        return cls(head, codes, y_of_codes(head, table.origin), n, table.origin, lacking, used, threads)

    @property
    def target(self) -> NDArray[Any]:
        """The codes of the target."""
        return self.codes[self.head.index(str(self.head.target))]

    def tally(
        self, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress
    ) -> list[list[Tally]]:
        """See `Source.tally`."""
        by_class, n_stats = self.head.task == "classes", self.head.n_stats
        widths = [self.head.columns[place].n_values + 1 for place in columns]
        stats = [np.zeros((len(paths) * width, n_stats)) for width in widths]
        rows = [np.zeros(len(paths) * width, np.int64) for width in widths]
        nothing = np.empty(0)
        with Workers(self.threads) as workers:
            for chunk, at in self._placed(paths, progress):
                here = at[0]
                part, y = np.zeros(here.size, np.uint8), self.y[self.target[chunk][here]]
                labels = np.asarray(y, np.uint16) if by_class else np.empty(0, np.uint16)
                numbers = nothing if by_class else y - centres[at[1]]

                def count(j: int, chunk: slice = chunk, at: Any = at, how: Any = (part, labels, numbers)) -> None:
                    cells = at[1] * widths[j] + self.codes[columns[j]][chunk][at[0]] + 1  # 0 has a line of its own
                    n_cells = len(paths) * widths[j] + 1
                    found, counted, n = count_dense(cells.astype(np.uint32), *how, nothing, n_cells, n_stats, 1)
                    stats[j][found.astype(np.int64) - 1] += counted[0, 1:]
                    rows[j][found.astype(np.int64) - 1] += n[0, 1:]

                workers.each(count, range(len(columns)))
        return [self._tallies(stats[j], rows[j], widths[j]) for j in range(len(columns))]

    @staticmethod
    def _tallies(stats: NDArray[np.float64], rows: NDArray[np.int64], width: int) -> list[Tally]:
        made = []
        for begin in range(0, rows.size, width):
            codes = np.flatnonzero(rows[begin : begin + width])
            made.append(tally_of(codes, stats[begin + codes], rows[begin + codes]))
        return made

    def extents(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """See `Source.extents`."""
        found = np.tile((0.0, 0.0, np.inf, -np.inf), (len(paths), 1))
        for chunk, (here, path) in self._placed(paths, progress):
            y = self.y[self.target[chunk][here]]
            found[:, 0] += np.bincount(path, y, len(paths))
            found[:, 1] += np.bincount(path, minlength=len(paths))
            np.minimum.at(found[:, 2], path, y)
            np.maximum.at(found[:, 3], path, y)
        return found

    def rows(self, path: Path, n: int, seed: int) -> dict[str, NDArray[Any]]:
        """See `Source.rows`."""
        drawn, random = np.empty((2, 0)), np.random.default_rng(seed)
        for chunk, (here, _) in self._placed([path], Progress()):
            drawn = np.hstack((drawn, np.stack((random.random(here.size), here + chunk.start))))
            drawn = drawn[:, np.argsort(drawn[0], kind="stable")[:n]]
        rows = np.sort(drawn[1].astype(np.int64))
        shown: dict[str, NDArray[Any]] = {}
        for column, codes in zip(self.head.columns, self.codes, strict=True):
            shown[column.name] = np.append(np.array([None], dtype=object), column.values.astype(object))[codes[rows]]
        return shown

    def _placed(
        self, paths: Sequence[Path], progress: Progress
    ) -> Iterator[tuple[slice, tuple[NDArray[np.int64], NDArray[np.int64]]]]:
        """Chunk by chunk, (the places in it of the rows that a path takes, the number of the path of each)."""
        steps, ends = steps_of(self.head, paths)
        lookups, n = [step.lookup(self.head) for step in steps], self.target.size
        for start in range(0, n, CHUNK):
            if progress.stopped:
                raise Stopped
            progress.report(start / n, tr("Counting"))
            chunk = slice(start, min(start + CHUNK, n))
            used = self.target[chunk] > 0 if self.used is None else self.used[chunk]
            at = np.where(used, 0, -1).astype(np.int32)
            for step, lookup in zip(steps, lookups, strict=True):
                inside = np.flatnonzero(at == step.node)
                at[inside] = lookup[self.codes[step.column][chunk][inside]]
            path = ends[at]
            here = np.flatnonzero(path >= 0)
            yield chunk, (here, path[here])


def y_of_codes(head: Table, origin: float) -> NDArray[Any]:
    """What `Coded.y` is."""
    values = head.target_column.values
    if head.task == "number":
        return np.append(np.nan, values.astype(np.float64) - origin)
    return np.append(values.size, np.arange(values.size)).astype(np.uint16)
