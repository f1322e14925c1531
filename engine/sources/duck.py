"""Sources in DuckDB: Parquet files, folders and globs, CSV files and tables of a database file, counted as they come.

A scan reads the columns that are asked for, hands them over in batches, and kernels count these: nothing is copied to
the disk, and memory holds the counts and a few batches. Queries are built of expressions, never of text: a column of
any name is a column, and a value is a constant.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as FilePath
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from engine.readers.files import checked_path
from engine.readers.options import ReadOptions
from engine.readers.relations import Relation, open_relation, reading
from engine.readers.values import Values
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.search.tally import Tally
from engine.sources.counting import Counting, Descent, Extents, Summing, ahead
from engine.sources.source import Path, head_of
from engine.table.encode import code_type
from engine.table.table import Table

ROWS = 1 << 17  # of a batch


@dataclass(frozen=True, eq=False)
class Pushed:
    """Rows that are counted as DuckDB reads them, see `engine.sources.source.Source`; one call at a time.

    Attributes:
        read: where the rows are. values: of every column of the head, by its place among the columns that are read.
        n_all: how many rows there are, those without a target among them.
        threads: how many count; None for one for each processor.
    """

    head: Table
    read: Relation
    values: Mapping[int, Values]
    n_all: int
    n_rows: int
    origin: float
    lacking: frozenset[str]
    threads: int | None = None

    @classmethod
    @reading()
    def open(
        cls, address: str | FilePath, target: str, kinds: dict[str, str] | None = None,
        roles: dict[str, str] | None = None, progress: Progress | None = None, threads: int | None = None,
    ) -> "Pushed":  # fmt: skip
        """Describes the columns.

        Raises:
            InputError: it cannot be read, or has no such target. Stopped: the progress was stopped.
        """
        path, _, table = str(address).partition("::")
        progress, options = progress or Progress(), ReadOptions(kinds=kinds or {}, sheet=table or None)
        read = open_relation(checked_path(path, many=True), options)
        if target not in read.names:
            raise InputError(tr("There is no column “{name}” in {table}.", name=target, table=read.label))
        read.check_texts(progress)
        n, found = len(read.names), dict[int, Values | None]()
        for place in range(n):
            found[place] = read.described(place, progress.part(0.9 * place / n, 0.9 * (place + 1) / n))
        values = {place: own for place, own in found.items() if own is not None}
        head = head_of([own.column for own in values.values()], target, read.label, roles or {})
        source = cls(head, read, values, read.count(progress.part(0.9, 0.92)), 0, 0.0, frozenset(), threads)
        lacking = {own.column.name for own in values.values() if own.lacks}
        lacking &= {head.columns[place].name for place in head.features}
        counted = source.of_target(progress.part(0.92, 1.0))
        numbers = head.target_column.values.astype(np.float64) if head.task == "number" else np.zeros(counted.size - 1)
        origin = float(counted[1:] @ numbers) / max(int(counted[1:].sum()), 1)
        return replace(source, n_rows=int(counted[1:].sum()), origin=origin, lacking=frozenset(lacking))

    def of_target(self, progress: Progress) -> NDArray[np.int64]:
        """int64[values + 1]: how many rows have each value of the target."""
        place, counts = self.head.index(str(self.head.target)), np.zeros(self.head.target_column.n_values + 1, np.int64)
        with Workers(self.threads) as workers, closing(self._batches([place], workers, progress)) as batches:
            for codes in batches:
                counts += np.bincount(codes[place], minlength=counts.size)
        return counts

    def tally(
        self, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress
    ) -> list[list[Tally]]:
        """See `Source.tally`."""
        counting = Counting(self.head, self.origin, paths, columns, centres)
        self._scan(counting, progress)
        return counting.tallies()

    def extents(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """See `Source.extents`."""
        extents = Extents(self.head, self.origin, paths)
        self._scan(extents, progress)
        return extents.found[:-1]

    def _scan(self, counting: Summing, progress: Progress) -> None:
        """Adds all rows."""
        with Workers(self.threads) as workers, closing(self._batches(counting.places, workers, progress)) as batches:
            for codes in batches:
                counting.add(codes, workers.each)

    @property
    def bytes_of_codes(self) -> int:
        """What the codes of all rows take."""
        return self.n_all * sum(code_type(found.column.n_values)().itemsize for found in self.values.values())

    @reading()
    def in_memory(self, progress: Progress) -> Table:
        """The table of all rows, as codes.

        Raises:
            Stopped, InputError: as in `tally`.
        """
        codes = [np.empty(self.n_all, code_type(found.column.n_values)) for found in self.values.values()]
        done, head = 0, self.head
        places = range(len(codes))
        with Workers(self.threads) as workers, closing(self._batches(places, workers, progress)) as batches:
            for batch in batches:
                rows = slice(done, done + batch[0].size)
                for place in places:
                    codes[place][rows] = batch[place]
                done = rows.stop
        columns = [replace(found.column, codes=own) for found, own in zip(self.values.values(), codes, strict=True)]
        return Table.from_columns(columns, str(head.target), head.roles, head.name, {}, ())

    def _batches(
        self, places: Sequence[int], workers: Workers, progress: Progress
    ) -> Generator[dict[int, NDArray[np.uint32]], None, None]:
        """The codes of columns, of some rows after the other, in the order of the data."""
        done, text = 0, tr("Counting")

        def heed() -> None:
            self.read.heed(progress, done / max(self.n_all, 1), text)

        heed()
        with reading():
            shown = [self._shown(place).alias(f"c{k}") for k, place in enumerate(places)]
            reader = iter(self.read.relation.select(*shown).to_arrow_reader(ROWS))
            with closing(ahead(reader, heed)) as coming:
                for batch in coming:
                    done += batch.num_rows
                    if done > self.n_all:
                        break
                    codes = workers.map(partial(self._codes, batch, places), range(len(places)))
                    yield dict(zip(places, codes, strict=True))
                    heed()
        if done != self.n_all:
            raise InputError(tr("The data were changed while they were read. Open them again."))

    @property
    def _own(self) -> list[tuple[int, Values]]:
        """The place among the columns that are read, and the values, of each column of the head."""
        return list(self.values.items())

    def _shown(self, place: int) -> Any:
        """A column as a scan hands it out: its values, or the places of its few values."""
        among, found = self._own[place]
        cell = self.read.cell(self.read.columns[among])
        if not found.are_few:
            return cell
        levels = duckdb.ConstantExpression([*found.raw.to_pylist(), None])
        return duckdb.FunctionExpression("list_position", levels, cell).cast("UTINYINT")

    def _codes(self, batch: Any, places: Sequence[int], k: int) -> NDArray[np.uint32]:
        """Of the k-th column of a batch, which is that at places[k]."""
        handed, found = batch.column(k), self._own[places[k]][1]
        return found.codes_of_places(handed) if found.are_few else found.codes(handed)

    @reading()
    def rows(self, path: Path, n: int, seed: int) -> dict[str, NDArray[Any]]:
        """See `Source.rows`."""
        descent, random, places = Descent(self.head, [path]), np.random.default_rng(seed), range(len(self.values))
        drawn, keys, done = np.empty((len(self.values), 0), np.uint32), np.empty((2, 0)), 0
        with Workers(self.threads) as workers, closing(self._batches(places, workers, Progress())) as batches:
            for codes in batches:
                here = np.flatnonzero(descent.slot[descent.end(codes)] == 0)
                keys = np.hstack((keys, np.stack((random.random(here.size), here + done))))
                drawn = np.hstack((drawn, np.stack([codes[place][here] for place in places])))
                kept = np.sort(np.argsort(keys[0], kind="stable")[:n])
                drawn, keys, done = drawn[:, kept], keys[:, kept], done + codes[0].size
        return {
            column.name: np.append(np.array([None], dtype=object), column.values.astype(object))[own]
            for column, own in zip(self.head.columns, drawn, strict=True)
        }
