"""Sources in DuckDB: Parquet files, folders and globs, CSV files and tables of a database file, counted as they come.

A scan reads the columns that are asked for, hands them over in batches, and kernels count these: nothing is copied to
the disk, and memory holds the counts and a few batches. Queries are built of expressions, never of text: a column of
any name is a column, and a value is a constant.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as FilePath
from typing import Any, ClassVar

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.readers import stored
from engine.readers.files import checked_path, fingerprint, stamp
from engine.readers.options import ReadOptions
from engine.readers.relations import Relation, open_relation, reading, too_many
from engine.readers.values import Values
from engine.runtime.addresses import place_and_table
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.sources import counting
from engine.sources.coded import Coded
from engine.sources.counting import ahead
from engine.sources.descent import Batch, Descent
from engine.sources.parts import PART, Division, Parts, Wanted, counted_by, leave_out
from engine.sources.source import Path, Weighing, head_of, table_of_rows
from engine.sources.summing import Summing
from engine.table.encode import code_type
from engine.table.table import Table

ROWS = 1 << 17  # of a batch
NAMED = 20  # tables, where none is named


@dataclass(frozen=True, eq=False)
class Pushed:
    """Rows that are counted as DuckDB reads them, see `engine.sources.source.Source`; one call at a time.

    Attributes:
        read: where the rows are. values: of every column of the head, by its place among the columns that are read.
        n_all: how many rows there are, those without a target among them. parts: which of them train and validate.
        threads: how many count; None for one for each processor.
        made_of: the stamp and the fingerprint of the files that were described.
    """

    head: Table
    read: Relation
    values: Mapping[int, Values]
    n_all: int
    lacking: frozenset[str]
    threads: int | None = None
    parts: Parts = Parts()  # noqa: RUF009  (immutable)
    made_of: tuple[Any, str] | None = None
    has_order: ClassVar[bool] = True  # whether rows have numbers

    @classmethod
    @reading()
    def open(
        cls, address: str | FilePath, target: str, options: ReadOptions | None = None,
        roles: dict[str, str] | None = None, progress: Progress | None = None, threads: int | None = None,
        division: Division = Division(),  # noqa: B008  (immutable)
    ) -> "Pushed":  # fmt: skip
        """Describes the columns, and divides the rows.

        Raises:
            InputError: it cannot be read, has no such target, or several tables of which none is named. Stopped: the
                progress was stopped.
        """
        path, progress, options = place_and_table(str(address))[0], progress or Progress(), options or ReadOptions()
        file = checked_path(path, many=True)
        made_of = stamp(file), fingerprint(file)
        read = open_relation(file, options)
        if options.sheet is None and len(read.sheets) > 1:
            names = ", ".join(read.sheets[:NAMED])
            raise InputError(tr("{file} has several tables: name one behind “::”, of {names}.",
                                file=file.name, names=names))  # fmt: skip
        if target not in read.names:
            raise InputError(tr("There is no column “{name}” in {table}.", name=target, table=read.label))
        read.check_texts(progress)
        n, found = len(read.names), dict[int, Values | None]()
        for place in range(n):
            found[place] = read.described(place, progress.part(0.9 * place / n, 0.9 * (place + 1) / n))
        values = {place: own for place, own in found.items() if own is not None}
        head = head_of([own.column for own in values.values()], target, read.label, roles or {})
        notes = [*read.notes, *(note for own in values.values() for note in own.notes)]
        notes += [too_many(read.names[place]) for place, own in found.items() if own is None]
        head = replace(head, remarks=tuple(notes))
        lacking = {own.column.name for own in values.values() if own.lacks}
        source = cls(head, read, values, read.count(progress.part(0.9, 0.92)), frozenset(lacking), threads)
        source = replace(source, made_of=made_of)
        rest = progress.part(0.92, 1.0)

        def scan(parts: Parts) -> Iterator[tuple[int, NDArray[np.uint32], NDArray[np.uint8]]]:
            first, places = 0, [PART, head.index(target)]
            own = replace(source, parts=parts)
            with Workers(threads) as workers, closing(own._batches(places, (), workers, rest)) as batches:
                for batch in batches:
                    yield first, batch[places[1]], batch[PART]
                    first += batch.n

        count = counted_by(scan, head.target_column.n_values)
        divided = division.of_source(head, lacking.__contains__, count, scan)
        return replace(source, head=divided.told, parts=divided.parts)

    tally, extents, moments, squares = counting.tally, counting.extents, counting.moments, counting.squares

    def descent(self, paths: Sequence[Path]) -> Descent:
        """See `engine.sources.counting.Scanned`."""
        return Descent.from_root(self.head, paths)

    def scan(self, summing: Summing, progress: Progress) -> None:
        """See `engine.sources.counting.Scanned`."""
        places, further = summing.places, summing.further
        with Workers(self.threads) as workers, closing(self._batches(places, further, workers, progress)) as batches:
            for batch in batches:
                summing.add(batch, workers.each)

    @property
    def bytes_of_codes(self) -> int:
        """What the codes of all rows take."""
        return self.n_all * sum(code_type(found.column.n_values)().itemsize for found in self.values.values())

    @reading()
    def in_memory(self, progress: Progress) -> Table:
        """The table of all rows, as codes, all training.

        Raises:
            Stopped, InputError: as in `tally`.
        """
        codes = [np.empty(self.n_all, code_type(found.column.n_values)) for found in self.values.values()]
        done, head = 0, self.head
        places = range(len(codes))
        with Workers(self.threads) as workers, closing(self._batches(places, (), workers, progress)) as batches:
            for batch in batches:
                rows = slice(done, done + batch.n)
                for place in places:
                    codes[place][rows] = batch[place]
                done = rows.stop
        columns = [replace(found.column, codes=own) for found, own in zip(self.values.values(), codes, strict=True)]
        return Table.from_columns(columns, str(head.target), head.roles, head.name, {}, ())

    def _batches(
        self, places: Sequence[int], further: Sequence[int], workers: Workers, progress: Progress
    ) -> Generator[Batch, None, None]:
        """Some rows after the other, in the order of the data, with the codes of columns; and, of the place PART, their
        parts. Codes of further columns are found as they are asked for."""
        done, text, target, decides = 0, tr("Counting"), self.head.index(str(self.head.target)), self.parts.place
        divided, weighing = PART in places, Weighing.of(self.head)
        by = [place for place in (target, decides, weighing and weighing.place) if place is not None]
        at_once = sorted({*places, *by} - {PART}) if divided else list(places)
        column = {place: k for k, place in enumerate(dict.fromkeys((*at_once, *further)))}

        def heed() -> None:
            self.read.heed(progress, done / max(self.n_all, 1), text)

        heed()
        with reading():
            shown = [self._shown(place).alias(f"c{k}") for place, k in column.items()]
            reader = iter(self.read.relation.select(*shown).to_arrow_reader(ROWS))
            with closing(ahead(reader, heed)) as coming:
                for arrived in coming:
                    done += arrived.num_rows
                    if done > self.n_all:
                        break
                    find = partial(self._codes, arrived, column)
                    known = dict(zip(at_once, workers.map(find, at_once), strict=True))
                    batch = Batch(arrived.num_rows, known, find)
                    if divided:
                        of_key = None if decides is None else batch[decides]
                        batch.known[PART] = self.parts.of(batch[target], of_key, done - batch.n)
                        if weighing is not None:
                            leave_out(batch[PART], batch[target], weighing.of_code[batch[weighing.place]] == 0)
                    yield batch
                    heed()
        if done != self.n_all or self._was_changed:
            raise InputError(tr("The data were changed while they were read. Open them again."))

    @property
    def _was_changed(self) -> bool:
        """Whether the files are others than those described, which their values and number of rows need not tell."""
        if self.made_of is None:
            return False
        with reading():
            return stamp(self.read.path) != self.made_of[0] and fingerprint(self.read.path) != self.made_of[1]

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

    def _codes(
        self, arrived: Any, column: Mapping[int, int], place: int, rows: NDArray[np.uint32] | None = None
    ) -> NDArray[np.uint32]:
        """Of a column of what arrived, or of some rows of it. column: where each place is in it."""
        handed, found = arrived.column(column[place]), self._own[place][1]
        handed = handed if rows is None else handed.take(pa.array(rows))
        return found.codes_of_places(handed) if found.are_few else found.codes(handed)

    @reading()
    def rows(self, path: Path, n: int, seed: int, progress: Progress | None = None) -> Table:
        """See `Source.rows`."""
        descent, random, places = self.descent([path]), np.random.default_rng(seed), range(len(self.values))
        asked, progress = [PART, *places], progress or Progress()
        drawn, keys, done = np.empty((len(self.values), 0), np.uint32), np.empty((2, 0)), 0
        with Workers(self.threads) as workers, closing(self._batches(asked, (), workers, progress)) as batches:
            for batch in batches:
                here = np.flatnonzero(descent.arrives(batch))
                keys = np.hstack((keys, np.stack((random.random(here.size), here + done))))
                drawn = np.hstack((drawn, np.stack([batch[place][here] for place in places])))
                kept = np.sort(np.argsort(keys[0], kind="stable")[:n])
                drawn, keys, done = drawn[:, kept], keys[:, kept], done + batch.n
        return table_of_rows(self.head, list(drawn))


def opened(address: str | FilePath, wanted: Wanted, progress: Progress | None) -> Pushed | Coded | Table:
    """Files, see `engine.open_source`."""
    target, options, _, roles, division, store, sample, threads, memory = wanted
    path, progress = place_and_table(str(address))[0], progress or Progress()
    if store is not None:
        return division.of_table(stored.read_codes(path, store, target, roles, options, progress))
    if sample is not None:
        return division.of_table(stored.read_sample(path, sample, division.seed, target, roles, options, progress))
    pushed = Pushed.open(path, target, options, roles, progress.part(0.0, 0.5), threads, division)
    if pushed.bytes_of_codes > memory:
        return pushed
    return Coded(division.of_table(pushed.in_memory(progress.part(0.5, 1.0))), threads)
