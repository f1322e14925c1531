"""Sources in databases, by Ibis: each column is counted by one GROUP BY, and the way of a row to its node is a CASE.

Ibis writes the queries in the words of the database from expressions: a column of any name is a column, and a value is
a constant. Addresses hold passwords; what is shown of a source is the name of its table, and errors without them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any
from urllib.parse import unquote
from weakref import finalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from engine.readers.options import ReadOptions
from engine.readers.values import Values
from engine.runtime.errors import InputError
from engine.runtime.libraries import library
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import marked, tr
from engine.runtime.threads import TICK
from engine.search.tally import Tally
from engine.sources.source import Path, Step, head_of, steps_of, tally_of
from engine.splits import bind
from engine.table.table import Table

AT, VALUE, TARGET, ROWS = "path_number", "column_value", "target_value", "number_of_rows"
LEVELS = 8  # of nested cases in one query: at twice as many the parser of SQLite gives up


@dataclass(frozen=True, eq=False)
class Database:
    """A table of a database.

    Attributes:
        rows: the table in Ibis. name: of the table. secrets: what no text may hold.
    """

    rows: Any = field(repr=False)
    name: str
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, address: Any) -> "Database":
        """The table at an address: a URL with "::" and the name of a table (or schema.table) behind it; a table of
        Ibis; or a frame of Polars.

        Raises:
            InputError: it cannot be reached, or has no such table; without the words of the address.
        """
        ibis = library("ibis", "sources")
        if not isinstance(address, str):
            if type(address).__module__.startswith("polars"):
                address = ibis.polars.connect({"table": address}).table("table")
            return cls(address, address.get_name() if hasattr(address.op(), "name") else "table")
        url, _, table = address.rpartition("::")
        secrets = _secrets(address)
        if not url:
            raise InputError(tr("The address of a database ends with “::” and the name of a table."))
        with _in_words(marked("The database cannot be reached: {why}"), secrets):
            *schema, name = table.split(".")
            is_file = re.match("duckdb://(?!md:|motherduck:)", url, re.IGNORECASE)  # which others read meanwhile
            backend = ibis.connect(url, read_only=True) if is_file else ibis.connect(url)
            found = cls(backend.table(name, database=tuple(schema) or None), name, secrets)
        finalize(found, _close, backend)
        return found

    def ask(self, query: Any, progress: Progress) -> Any:
        """The answer of a query in Arrow; the query is cancelled when somebody asks to stop.

        Raises:
            Stopped: somebody did. InputError: the database does not answer; the next query reaches for it again.
        """
        if progress.stopped:
            raise Stopped
        backend = self.rows.get_backend()
        connection, over = getattr(backend, "con", None), Event()
        cancel: Callable[[], object] = getattr(connection, "interrupt", getattr(connection, "cancel", lambda: None))

        def watch() -> None:
            while not over.wait(TICK):
                if progress.stopped:
                    with suppress(Exception):  # it is over already
                        cancel()

        watcher = Thread(target=watch, name="cancel", daemon=True)
        watcher.start()
        try:
            with _in_words(marked("The data can no longer be read: {why}"), self.secrets):
                if getattr(connection, "closed", False):
                    backend.reconnect()
                return query.to_pyarrow()
        except InputError:
            with suppress(Exception):  # a transaction that failed; or there is none
                connection.rollback()  # type: ignore[union-attr]
            if progress.stopped:
                raise Stopped from None
            raise
        finally:
            over.set()
            watcher.join()

    def one(self, name: str) -> Any:
        """A column, NaN being NULL where the database knows it."""
        column = self.rows[name]
        is_nan = self._is_nan(column)
        return column if is_nan is None else is_nan.ifelse(library("ibis", "sources").null(column.type()), column)

    def lacks(self, name: str) -> Any:
        """Whether a row has no value in a column, as an expression."""
        column = self.rows[name]
        is_nan = self._is_nan(column)
        return column.isnull() if is_nan is None else column.isnull() | is_nan

    def _is_nan(self, column: Any) -> Any:
        backend, operation = self.rows.get_backend(), library("ibis", "sources").expr.operations.IsNan
        if not column.type().is_floating() or not backend.has_operation(operation):
            return None
        # DuckDB takes the bounds that stand in Parquet for those of all values, which NaN is not, and asks no row
        return column.cast("string") == "nan" if backend.name == "duckdb" else column.isnan()


@dataclass(frozen=True, eq=False)
class Counted:
    """Rows that a database counts, see `engine.sources.source.Source`.

    Attributes:
        values: of every column of the head.
    """

    head: Table
    database: Database
    values: tuple[Values, ...]
    n_rows: int
    origin: float
    lacking: frozenset[str]

    @classmethod
    def open(
        cls, address: Any, target: str, kinds: dict[str, str] | None = None, roles: dict[str, str] | None = None,
        progress: Progress | None = None,
    ) -> "Counted":  # fmt: skip
        """Describes the columns: one query for each, and one for the target.

        Raises:
            InputError: it cannot be reached or read, or has no such target. Stopped: the progress was stopped.
        """
        progress, database = progress or Progress(), Database.of(address)
        names, values = list(database.rows.columns), list[Values]()
        how = ReadOptions(kinds=kinds or {})
        if target not in names:
            raise InputError(tr("There is no column “{name}” in {table}.", name=target, table=database.name))
        for name in names:
            progress.report(len(values) / len(names), tr("Describing: {column}", column=name))
            query = database.rows.select(**{VALUE: database.rows[name]}).distinct()
            found = database.ask(query, progress)[VALUE].combine_chunks()
            values.append(Values.of(name, found, how))
        head = head_of([found.column for found in values], target, database.name, roles or {})
        lacking = {found.column.name for found in values if found.lacks}
        features = {head.columns[place].name for place in head.features}
        source = cls(head, database, tuple(values), 0, 0.0, frozenset(lacking & features))
        _, _, of_target, n = source._groups([()], None, progress)
        total = float(n @ head.target_column.values[of_target].astype(float)) if head.task == "number" else 0.0
        return cls(head, database, tuple(values), int(n.sum()), total / max(int(n.sum()), 1), source.lacking)

    def tally(
        self, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress
    ) -> list[list[Tally]]:
        """See `Source.tally`."""
        made = []
        for k, place in enumerate(columns):
            progress.report(k / len(columns), tr("Counting: {column}", column=self.head.columns[place].name))
            made.append(self._count(paths, place, centres, progress))
        return made

    def _count(
        self, paths: Sequence[Path], place: int, centres: NDArray[np.float64], progress: Progress
    ) -> list[Tally]:
        """The tallies of one column."""
        width = self.head.columns[place].n_values + 1
        at, codes, of_target, n = self._groups(paths, place, progress)
        stats, rows = np.zeros((len(paths) * width, self.head.n_stats)), np.zeros(len(paths) * width, np.int64)
        cells = at * width + codes
        if self.head.task == "classes":
            np.add.at(stats, (cells, of_target), n)
        else:
            y = self._numbers[of_target] - centres[at]
            for c, part in enumerate((n, n * y, n * y * y)):
                stats[:, c] = np.bincount(cells, part, stats.shape[0])
        np.add.at(rows, cells, n)
        made = []
        for begin in range(0, rows.size, width):
            present = np.flatnonzero(rows[begin : begin + width])
            made.append(tally_of(present, stats[begin + present], rows[begin + present]))
        return made

    def extents(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """See `Source.extents`."""
        progress.report(0.0, tr("Counting"))
        at, _, of_target, n = self._groups(paths, None, progress)
        found, y = np.tile((0.0, 0.0, np.inf, -np.inf), (len(paths), 1)), self._numbers[of_target]
        found[:, 0], found[:, 1] = np.bincount(at, n * y, len(paths)), np.bincount(at, n, len(paths))
        np.minimum.at(found[:, 2], at, y)
        np.maximum.at(found[:, 3], at, y)
        return found

    @property
    def _numbers(self) -> NDArray[np.float64]:
        """The values of a numeric target, measured from the origin."""
        return self.head.target_column.values.astype(np.float64) - self.origin

    def rows(self, path: Path, n: int, seed: int) -> dict[str, NDArray[Any]]:
        """See `Source.rows`: those with the lowest numbers of a generator that the seed starts; all rows of the node
        are read for that, one after the other."""
        drawn, names = np.random.default_rng(seed), list(self.head.names)
        placed = self._placed([path], **{f"c{i}": self.database.one(name) for i, name in enumerate(names)})
        found = self.database.ask(placed.drop(AT, TARGET), Progress())
        chosen = found.take(np.sort(drawn.permutation(found.num_rows)[:n]))
        return {name: chosen[f"c{i}"].to_numpy() for i, name in enumerate(names)}

    def _groups(self, paths: Sequence[Path], place: int | None, progress: Progress) -> tuple[NDArray[np.int64], ...]:
        """(path, code in the column at this place, 0 if None, place of the target's value, rows) of every group."""
        shown = {} if place is None else {VALUE: self.database.one(self.head.columns[place].name)}
        placed = self._placed(paths, **shown)
        query = placed.group_by([AT, TARGET, *shown]).aggregate(**{ROWS: placed.count()})
        found = self.database.ask(query, progress)
        target = self.values[self.head.index(str(self.head.target))].codes(found[TARGET].combine_chunks())
        own = np.zeros(target.size, np.int64)
        if place is not None:
            own = self.values[place].codes(found[VALUE].combine_chunks()).astype(np.int64)
        at, n = (found[name].to_numpy().astype(np.int64) for name in (AT, ROWS))
        return at, own, target.astype(np.int64) - 1, n

    def _placed(self, paths: Sequence[Path], **shown: Any) -> Any:
        """The rows that have a target and stand in some node, with the number of its path, and what is shown."""
        steps, ends = steps_of(self.head, paths)
        target, rows = str(self.head.target), self.database.rows
        placed, of_node, name = rows.filter(~self._lacks(self.head.index(target))), {one.node: one for one in steps}, AT
        while name in rows.columns:
            name += "_"
        below = list[int]()
        at = self._descend(0, of_node, ends, LEVELS, below)
        while below:  # a query within the next one takes rows so many levels on
            placed, nodes, below = placed.mutate(**{name: at}), below, []
            ways = [(placed[name] == -2 - node, self._descend(node, of_node, ends, LEVELS, below)) for node in nodes]
            at = library("ibis", "sources").cases(*ways, else_=placed[name])
        placed = placed.select(**{AT: at, TARGET: self.database.one(target), **shown})
        return placed.filter(placed[AT] >= 0)

    def _descend(
        self, node: int, steps: dict[int, Step], ends: NDArray[np.int64], levels: int, below: list[int]
    ) -> Any:
        """The number of the path that a row below a node takes, as nested cases; after so many levels −2 less the
        number of the node, which is put into `below`."""
        ibis = library("ibis", "sources")
        if node not in steps:
            return ibis.literal(int(ends[node]), "int64")
        if not levels:
            below.append(node)
            return ibis.literal(-2 - node, "int64")
        step = steps[node]
        column, values = self.database.rows[step.split.column], self.values[step.column]
        bound = bind(step.split, self.head)
        branches = [
            ibis.literal(-1, "int64") if child < 0 else self._descend(child, steps, ends, levels - 1, below)
            for child in step.child.tolist()
        ]
        missing = int(bound.branches(np.zeros(1, np.int64))[0])
        lacks, unread, cases = self._lacks(step.column), (values.column.codes == 0).any(), list[Any]()
        of_raw = bound.branches(values.column.codes.astype(np.int64))
        for branch in range(len(branches) - 1):
            inside = np.flatnonzero((of_raw == branch) & (values.column.codes > 0))
            if not inside.size:
                if branch == missing:
                    cases.append((lacks, branches[branch]))
                continue
            if step.split.kind == "threshold" and values.ends is not None:
                top = int(inside[pc.sort_indices(values.raw.take(pa.array(inside)))[-1].as_py()])
                takes = column <= self._literal(values, top, column)
            else:
                takes = column.isin([self._literal(values, int(i), column) for i in inside])
            if branch == missing:
                takes = lacks | takes
            elif unread:  # below the least value may be −∞, which is missing
                takes = ~lacks & takes
            cases.append((takes, branches[branch]))
        return ibis.cases(*cases, else_=branches[-1]) if cases else branches[-1]

    def _lacks(self, place: int) -> Any:
        """Whether a row has no value in a column, or one that is missing when it is read, as an expression."""
        name, values = self.head.columns[place].name, self.values[place]
        column, missing = self.database.rows[name], self.database.lacks(name)
        unread = np.flatnonzero(values.column.codes == 0)
        if not unread.size:
            return missing
        if values.ends is None:
            return missing | column.isin([self._literal(values, int(i), column) for i in unread])
        low, high = (self._literal(values, end, column) for end in values.ends)
        return missing | (column < low) | (column > high)

    @staticmethod
    def _literal(values: Values, place: int, column: Any) -> Any:
        """A raw value as a constant; Ibis takes nanoseconds for microseconds, so they go as a text."""
        literal, value, kind = library("ibis", "sources").literal, values.raw[place], column.type()
        if pa.types.is_timestamp(value.type) and value.type.unit == "ns" and value.value % 1000:
            return literal(value.cast(pa.string()).as_py()).cast(kind)
        return literal(value.as_py(), kind)


def _close(backend: Any) -> None:
    """Closes a connection of our own, unless it is closed already."""
    with suppress(Exception):
        backend.disconnect()


def _secrets(address: str) -> tuple[str, ...]:
    """What an address holds that is nobody's business, the longest first: all before the last "@", as a password may
    have any sign in it, what is behind "?", and what a driver may take for a part of these."""
    before, _, place = address.partition("://")[2].rpartition("@")
    query = place.partition("?")[2].rpartition("::")[0] or place.partition("?")[2]
    parts = (*re.split("[:/?#@]", before), *re.split("[&;=]", query))
    found = {address, address.rpartition("::")[0], before, query, *(part for part in parts if len(part) > 1)}
    return tuple(sorted((found | {unquote(text) for text in found}) - {""}, key=len, reverse=True))


@contextmanager
def _in_words(text: str, secrets: tuple[str, ...]) -> Iterator[None]:
    """Whatever a driver raises becomes an InputError in its words, without secrets; and without its cause, which has
    them."""
    try:
        yield
    except (InputError, Stopped):
        raise
    except Exception as error:  # each database has errors of its own
        why = " ".join(str(error).split())
        for secret in secrets:
            why = re.sub(re.escape(secret), "…", why, flags=re.IGNORECASE)  # hosts are told in small letters
        raise InputError(tr(text, why=why)) from None
