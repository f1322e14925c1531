"""Sources in DuckDB: Parquet files, folders and globs, CSV files and tables of a database file, counted as they come.

A scan reads the columns that are asked for, hands them over in batches, and kernels count these: nothing is copied to
the disk, and memory holds the counts and a few batches. Queries are built of expressions, never of text: a column of
any name is a column, and a value is a constant.
"""

import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as FilePath
from typing import Any, TypeVar

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import TICK, Workers
from engine.search.tally import Tally
from engine.sources.counting import Counting, Extents, Summing, ahead
from engine.sources.source import Path, Step, Stopped, head_of, steps_of
from engine.sources.values import Values
from engine.splits import bind
from engine.table.encode import code_type
from engine.table.table import Table

AT = "path_number"  # what queries call the number of a path
ROWS = 1 << 17  # of a batch
MEMORY = "512MB"  # that DuckDB may take; what needs more goes to the disk

Answer = TypeVar("Answer")


def opened(address: str | FilePath, threads: int | None = None) -> tuple[Any, Any]:
    """(the connection, the relation of rows) behind an address: a Parquet file, a folder of them or a glob, a CSV file,
    or a DuckDB file with the name of a table behind "::".

    Raises:
        InputError: it cannot be read.
    """
    where, _, table = str(address).partition("::")
    try:
        if table:  # all connections to one file have to be opened alike, so limits are set afterwards
            FilePath(where).stat()
            connection = _limited(duckdb.connect(where, read_only=True), threads)
            return connection, connection.table(table)
        spill = str(FilePath(tempfile.gettempdir()) / "espalier-duckdb")
        connection = _limited(duckdb.connect(config={"temp_directory": spill}), threads)
        if FilePath(where).is_dir():
            where = str(FilePath(where) / "**" / "*.parquet")
        if where.lower().endswith((".csv", ".tsv", ".txt", ".csv.gz")):
            return connection, connection.read_csv(where)
        return connection, connection.read_parquet(where)
    except (duckdb.Error, OSError) as error:
        raise InputError(tr("{address} cannot be read: {why}", address=str(address), why=str(error))) from error


def _limited(connection: Any, threads: int | None) -> Any:
    """The connection, which takes no more memory and threads than it may."""
    connection.execute(f"SET memory_limit = '{MEMORY}'")
    if threads is not None:
        connection.execute(f"SET threads = {int(threads)}")
    return connection


def asked(connection: Any, query: Callable[[], Answer], progress: Progress, text: str) -> Answer:
    """What a query answers, run in a thread of its own: how far it is is reported, and it ends when somebody stops it.

    Raises:
        Stopped: it was.
    """
    _heed(connection, progress, 0.0, text)
    with ThreadPoolExecutor(1, thread_name_prefix="query") as pool:
        running = pool.submit(query)
        try:
            while not wait([running], timeout=TICK).done:
                _heed(connection, progress, max(connection.query_progress(), 0.0) / 100.0, text)
            return running.result()
        except BaseException as error:
            connection.interrupt()
            if progress.stopped and isinstance(error, duckdb.Error):
                raise Stopped from error
            raise


def _heed(connection: Any, progress: Progress, fraction: float, text: str) -> None:
    """Reports; or ends the query that runs, and raises Stopped, if somebody asked for that."""
    if progress.stopped:
        connection.interrupt()
        raise Stopped
    progress.report(fraction, text)


def described(
    connection: Any, relation: Any, kinds: dict[str, str] | None = None, progress: Progress | None = None
) -> tuple[list[Values], int]:
    """(the values of every column, how many rows there are); kinds: by name, as `engine.Table.from_frame` takes them.

    One scan of each column alone reads no more than one of all would, and groups by the dictionaries of Parquet.
    """
    values, progress = list[Values](), progress or Progress()
    for k, name in enumerate(relation.columns):
        part = progress.part(k / len(relation.columns), (k + 1) / len(relation.columns))
        distinct = relation.select(duckdb.ColumnExpression(name)).distinct()
        text = tr("Describing: {column}", column=name)
        found = asked(connection, distinct.to_arrow_table, part, text)[0].combine_chunks()
        values.append(Values.of(name, found, (kinds or {}).get(name)))
    return values, count_of(connection, relation, progress)


def count_of(connection: Any, relation: Any, progress: Progress) -> int:
    """How many rows a relation has."""
    count = relation.aggregate([duckdb.FunctionExpression("count_star").alias("n")])
    return int(asked(connection, count.fetchall, progress, tr("Counting"))[0][0])


def one(relation: Any, name: str) -> Any:
    """A column as an expression, NaN being NULL and -0 being 0; numbers that are not floats stay as they are."""

    column = duckdb.ColumnExpression(name)
    if str(relation.types[relation.columns.index(name)]) not in ("FLOAT", "DOUBLE"):
        return column
    null = duckdb.ConstantExpression(None)
    nan = duckdb.FunctionExpression("isnan", column)
    return duckdb.CaseExpression(nan, null).otherwise(column + duckdb.ConstantExpression(0))


@contextmanager
def reading() -> Iterator[None]:
    """What DuckDB cannot do becomes an InputError in its words."""
    try:
        yield
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        raise InputError(tr("The data can no longer be read: {why}", why=str(error))) from error


@dataclass(frozen=True, eq=False)
class Pushed:
    """Rows that are counted as DuckDB reads them, see `engine.sources.source.Source`; one call at a time.

    Attributes:
        relation: the rows, and their connection. values: of every column of the head.
        n_all: how many rows there are, those without a target among them.
        threads: how many count; None for one for each processor.
    """

    head: Table
    connection: Any
    relation: Any
    values: tuple[Values, ...]
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
        progress, name = progress or Progress(), FilePath(str(address)).stem
        connection, relation = opened(address, threads)
        if target not in relation.columns:
            raise InputError(tr("There is no column “{name}” in {table}.", name=target, table=name))
        values, n_all = described(connection, relation, kinds, progress.part(0.0, 0.9))
        head = head_of([found.column for found in values], target, name, roles or {})
        lacking = frozenset(found.column.name for found in values if found.lacks)
        own, call, by_class = one(relation, target), duckdb.FunctionExpression, head.task == "classes"
        zero = duckdb.ConstantExpression(0.0)
        figures = [call("count", own).alias("n"), (zero if by_class else call("avg", own.cast("DOUBLE"))).alias("mean")]
        query = relation.aggregate(figures).fetchall
        n_rows, mean = asked(connection, query, progress.part(0.9, 1.0), tr("Counting"))[0]
        lacking &= {head.columns[place].name for place in head.features}
        return cls(head, connection, relation, tuple(values), n_all, n_rows, float(mean or 0.0), lacking, threads)

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
        return self.n_all * sum(code_type(found.column.n_values)().itemsize for found in self.values)

    @reading()
    def in_memory(self, progress: Progress) -> Table:
        """The table of all rows, as codes.

        Raises:
            Stopped, InputError: as in `tally`.
        """
        codes = [np.empty(self.n_all, code_type(found.column.n_values)) for found in self.values]
        done, head = 0, self.head
        places = range(len(codes))
        with Workers(self.threads) as workers, closing(self._batches(places, workers, progress)) as batches:
            for batch in batches:
                rows = slice(done, done + batch[0].size)
                for place in places:
                    codes[place][rows] = batch[place]
                done = rows.stop
        columns = [replace(found.column, codes=own) for found, own in zip(self.values, codes, strict=True)]
        return Table.from_columns(columns, str(head.target), head.roles, head.name, {}, ())

    def _batches(
        self, places: Sequence[int], workers: Workers, progress: Progress
    ) -> Generator[dict[int, NDArray[np.uint32]], None, None]:
        """The codes of columns, of some rows after the other, in the order of the data."""
        done, text = 0, tr("Counting")

        def heed() -> None:
            _heed(self.connection, progress, done / max(self.n_all, 1), text)

        heed()
        with reading():
            shown = [self._shown(place).alias(f"c{k}") for k, place in enumerate(places)]
            reader = iter(self.relation.select(*shown).to_arrow_reader(ROWS))
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

    def _shown(self, place: int) -> Any:
        """A column as a scan hands it out: as it is, or the places of its few values."""
        column, found = duckdb.ColumnExpression(self.head.columns[place].name), self.values[place]
        if not found.are_few:
            return column
        levels = duckdb.ConstantExpression([*found.raw.to_pylist(), None])
        return duckdb.FunctionExpression("list_position", levels, column).cast("UTINYINT")

    def _codes(self, batch: Any, places: Sequence[int], k: int) -> NDArray[np.uint32]:
        """Of the k-th column of a batch, which is that at places[k]."""
        handed, found = batch.column(k), self.values[places[k]]
        return found.codes_of_places(handed) if found.are_few else found.codes(handed)

    @reading()
    def rows(self, path: Path, n: int, seed: int) -> dict[str, NDArray[Any]]:
        """See `Source.rows`; drawn by a hash of the row and the seed, in the order of that hash."""

        own = {f"c{i}": one(self.relation, name) for i, name in enumerate(self.relation.columns)}
        placed, every = self._placed([path], **own), [duckdb.ColumnExpression(name) for name in own]
        drawn = duckdb.FunctionExpression("hash", *every, duckdb.ConstantExpression(seed)).alias("drawn")
        found = placed.select(*every, drawn).order("drawn").limit(n).to_arrow_table()
        return {name: found[c].to_numpy() for c, name in zip(own, self.relation.columns, strict=True)}

    def _placed(self, paths: Sequence[Path], **shown: Any) -> Any:
        """The rows that have a target and stand in some node, with the number of its path, and what is shown."""

        steps, ends = steps_of(self.head, paths)
        at = self._descend(0, {step.node: step for step in steps}, ends).alias(AT)
        has_target = one(self.relation, str(self.head.target)).isnotnull()
        columns = [expression.alias(name) for name, expression in shown.items()]
        placed = self.relation.filter(has_target).select(at, *columns)
        return placed.filter(duckdb.ColumnExpression(AT) >= duckdb.ConstantExpression(0))

    def _descend(self, node: int, steps: dict[int, Step], ends: NDArray[np.int64]) -> Any:
        """The number of the path that a row below a node takes, as nested cases."""

        if node not in steps:
            return duckdb.ConstantExpression(int(ends[node]))
        step = steps[node]
        column, values = one(self.relation, step.split.column), self.values[step.column]
        bound = bind(step.split, self.head)
        branches = [
            duckdb.ConstantExpression(-1) if child < 0 else self._descend(child, steps, ends)
            for child in step.child.tolist()
        ]
        cases = duckdb.CaseExpression(column.isnull(), branches[int(bound.branches(np.zeros(1, np.int64))[0])])
        of_raw = bound.branches(values.column.codes.astype(np.int64))
        if step.split.kind == "threshold":
            last = int(of_raw.max(initial=0))
            for branch in range(last):
                inside = np.flatnonzero(of_raw <= branch)
                if inside.size:
                    top = inside[np.argmax(values.column.codes[inside])]
                    limit = duckdb.ConstantExpression(values.raw[int(top)].as_py())
                    cases = cases.when(column <= limit, branches[branch])
            return cases.otherwise(branches[last])
        last = len(branches) - 1
        for branch in range(last):
            inside = np.flatnonzero(of_raw == branch)
            if inside.size:
                levels = [duckdb.ConstantExpression(values.raw[int(i)].as_py()) for i in inside]
                cases = cases.when(column.isin(*levels), branches[branch])
        return cases.otherwise(branches[last])
