"""Sources in databases, by Ibis: each column is counted by one GROUP BY, and the way of a row to its node is a CASE.

Ibis writes the queries in the words of the database from expressions: a column of any name is a column, and a value is
a constant. Addresses hold passwords; what is shown of a source is the name of its table, and errors without them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path as FilePath
from threading import Event, Thread
from typing import Any, ClassVar
from urllib.parse import parse_qsl, unquote, urlsplit
from weakref import finalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from engine.readers.options import ReadOptions
from engine.readers.parquet import declared_raw, left_out
from engine.readers.preview import LOOKED_AT, Preview, preview_of
from engine.readers.raw import Raw
from engine.readers.types import with_dates
from engine.readers.values import Values
from engine.runtime.addresses import (
    BEFORE_HOST,
    file_of,
    is_file,
    names_of,
    place_and_table,
    table_of,
    url_of_file,
    with_password,
)
from engine.runtime.errors import InputError, PasswordRefused, one_line
from engine.runtime.libraries import NOT_INSTALLED, library
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import marked, tr
from engine.runtime.threads import TICK
from engine.search.tally import Tally, power_sums
from engine.sources.counting import width_of
from engine.sources.descent import parts_of
from engine.sources.grid import NO_GRIDS, Grids
from engine.sources.parts import N_PARTS, Division, Parts, Wanted
from engine.sources.source import Path, Step, head_of, steps_of, table_of_rows, tally_of
from engine.sources.summing import Squares
from engine.splits import bind
from engine.table.checks import NO_NUMBERS
from engine.table.column import Column
from engine.table.partition import TEST, TRAIN, UNUSED, VALIDATION
from engine.table.table import Table

AT, VALUE, TARGET, ROWS, OF = "path_number", "column_value", "target_value", "number_of_rows", "part_of_row"
WEIGHT, TOTAL = "weight_of_row", "sum_of_weights"
SHORT = 5  # signs, of a piece of a password
MOST_READ = 50_000  # rows of a node among which some are drawn
UNREACHED = marked("The database cannot be reached: {why}")
LOST = marked("The data can no longer be read: {why}")
REFUSED = marked(
    "The server refuses this user or this password: correct the user in the address and type the password again, or "
    "have the driver find it in its own file or in the environment. The driver says: {why}")  # fmt: skip
PASSWORD = re.compile("password|authentication failed|Access denied|Login failed|28P01")
NOT_SO = (
    (re.compile("[Pp]ort (could not be cast|out of range)"),  # its words may hold a part of a password
     marked("The port in the address is no whole number up to 65535: correct it, or leave it out. In a password write "
            "“/” as %2F, “?” as %3F and “#” as %23.")),
    (re.compile("host name|name resolution|getaddrinfo|Name or service|nodename nor|resolve host|such host|"
                "Unknown (MySQL )?server host"),
     marked("There is no server of this name: correct the host in the address. The driver says: {why}")),
    (re.compile(r"refused|10061|t connect to (MySQL )?server .*\((111|115)\)"),
     marked("The server does not answer at this port: check that the database runs, and the port in the address. The "
            "driver says: {why}")),
    (re.compile("[Tt]ime(d )?-?out|10060"),
     marked("The server did not answer in time: check the host, the port and the network. The driver says: {why}")),
    (re.compile("[Uu]nknown database|database .* does not exist|3D000|Cannot open database"),
     marked("The server has no such database: correct its name, behind the host in the address. The driver says: "
            "{why}")),
    (re.compile(f"{PASSWORD.pattern}|role .* does not exist|28000|pg_hba"), REFUSED),
)  # why a database cannot be reached, by the words of drivers  # fmt: skip
SYSTEM = re.compile("information_schema|performance_schema|pg_.*|mysql|sys|temp")  # schemas without anybody's tables
TABLES = "select table_schema, table_name from information_schema.tables order by all"  # for DuckDB
SQLITE = b"SQLite format 3"  # how its files begin
MOST_CONSTANTS = 500  # in one query; more values go to the database as a table
NAMED = 20  # tables, where one is not there
LEVELS = 8  # of nested cases in one query: at twice as many the parser of SQLite gives up


@dataclass(frozen=True, eq=False)
class Database:
    """A table of a database.

    Attributes:
        rows: the table in Ibis. name: of the table. secrets: what no text may hold. notes: announcements in words.
    """

    rows: Any = field(repr=False)
    name: str
    secrets: tuple[str, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, address: Any) -> "Database":
        """The table at an address: a URL with "::" and the name of a table (or schema.table) behind it; a table of
        Ibis; or a frame of Polars.

        Raises:
            InputError: it cannot be reached, or has no such table; without the words of the address.
        """
        if not isinstance(address, str):
            ibis = library("ibis", "sources")
            if type(address).__module__.startswith("polars"):
                address = ibis.polars.connect({"table": address}).table("table")
            name = address.get_name() if hasattr(address.op(), "name") else "table"
            return cls.of_rows(address, name)
        url, table = place_and_table(address)
        secrets = _secrets(address)
        if not table:
            raise InputError(tr("The address of a database ends with “::” and the name of a table."))
        *schema, name = names_of(table)
        with _in_words(UNREACHED, secrets):
            backend, rows = _connected(url), None
            with suppress(library("ibis", "sources").common.exceptions.TableNotFound):
                rows = backend.table(name, database=tuple(schema) or None)
        if rows is None:
            _close(backend)
            known = ", ".join(tables_of(url)[:NAMED]) or "–"
            raise InputError(tr("There is no table “{name}” in the database; it has {names}.", name=table, names=known))
        found = cls.of_rows(rows, name, secrets)
        finalize(found, _close, backend)
        return found

    @classmethod
    def of_rows(cls, rows: Any, name: str, secrets: tuple[str, ...] = ()) -> "Database":
        """A table of Ibis without the columns of which no split can be made. What SQLite has in columns of dates are
        texts, whatever they say.

        Raises:
            InputError: it has no other columns.
        """
        kinds = dict(rows.schema())
        lost = [column for column, kind in kinds.items() if kind.is_binary() or kind.is_nested()]
        if len(lost) == len(kinds):
            raise InputError(tr(
                "{file} holds no column of numbers, texts or dates: choose another table.",
                file=one_line(name)))  # fmt: skip
        dates = [column for column, kind in kinds.items() if kind.is_temporal()]
        if dates and rows.get_backend().name == "sqlite":
            rows = rows.mutate(**{column: rows[column].cast("string") for column in dates})
        return cls(rows.drop(*lost) if lost else rows, name, secrets, tuple(map(left_out, lost)))

    def first(self, n: int, options: ReadOptions, progress: Progress) -> Raw:
        """The first n rows that the database hands out, as they will be read.

        Raises:
            Stopped, InputError: as in `ask`.
        """
        rows = self.ask(self.rows.limit(n), progress)
        found = declared_raw(one_line(self.name), rows, rows.schema, with_dates(options, rows), None)
        return replace(found, notes=(*self.notes, *found.notes))

    def described(self, name: str, options: ReadOptions, progress: Progress) -> Values:
        """The values of a column.

        Raises:
            Stopped, InputError: as in `ask`.
        """
        found = self.ask(self.rows.select(**{name: self.rows[name]}).distinct(), progress)
        return Values.of(name, found[name], with_dates(options, found))

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
            with _in_words(LOST, self.secrets):
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
        values: of every column of the head. parts: which rows train and validate.
    """

    head: Table
    database: Database
    values: tuple[Values, ...]
    lacking: frozenset[str]
    parts: Parts = Parts()  # noqa: RUF009  (immutable)
    has_order: ClassVar[bool] = False  # whether rows have numbers

    @classmethod
    def open(
        cls, address: Any, target: str, kinds: dict[str, str] | None = None, roles: dict[str, str] | None = None,
        progress: Progress | None = None, division: Division = Division(),  # noqa: B008  (immutable)
    ) -> "Counted":  # fmt: skip
        """Describes the columns: one query for each, and divides the rows: one query, or two.

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
            values.append(database.described(name, how, progress))
        head = head_of([found.column for found in values], target, database.name, roles or {})
        _check_weights(head, values)
        head = replace(head, remarks=(*database.notes, *(note for found in values for note in found.notes)))
        lacking = {found.column.name for found in values if found.lacks}
        source = cls(head, database, tuple(values), frozenset(lacking))

        def count(parts: Parts) -> NDArray[np.int64]:
            return replace(source, parts=parts)._of_target(progress)

        divided = division.of_source(head, lacking.__contains__, count)
        return replace(source, head=divided.told, parts=divided.parts)

    def _of_target(self, progress: Progress) -> NDArray[np.int64]:
        """int64[N_PARTS, values + 1]: the rows of each part by the code of the target, without those that have none."""
        counts = np.zeros((N_PARTS, self.head.target_column.n_values + 1), np.int64)
        usable = self._usable()
        found = self.database.ask(usable.group_by([OF, TARGET]).aggregate(**{ROWS: usable.count()}), progress)
        target = self.values[self.head.index(str(self.head.target))].codes(found[TARGET].combine_chunks())
        np.add.at(counts, (found[OF].to_numpy(), target), found[ROWS].to_numpy())
        return counts

    @cached_property
    def _weight(self) -> Any:
        """What a row weighs, as an expression; None where every row counts once."""
        column = self.head.weighing
        return None if column is None else self.database.rows[column.name].cast("float64")

    def tally(
        self, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress,
        grids: Grids = NO_GRIDS,
    ) -> list[list[Tally]]:  # fmt: skip
        """See `Source.tally`."""
        made = []
        for k, place in enumerate(columns):
            progress.report(k / len(columns), tr("Counting: {column}", column=self.head.columns[place].name))
            made.append(self._count(paths, place, centres, progress, grids))
        return made

    def _count(
        self, paths: Sequence[Path], place: int, centres: NDArray[np.float64], progress: Progress, grids: Grids
    ) -> list[Tally]:
        """The tallies of one column."""
        width, n_parts, n_paths = width_of(self.head, place, grids), parts_of(self.head), len(paths)
        at, codes, of_target, n, weight = self._groups(paths, place, progress)
        if place in grids:
            codes = grids[place].cells(at % n_paths, codes.astype(np.uint32)).astype(np.int64)
        stats = np.zeros((n_parts * n_paths * width, self.head.n_stats))
        rows = np.zeros(stats.shape[0], np.int64)
        cells = at * width + codes
        if self.head.task == "classes":
            np.add.at(stats, (cells, of_target), weight)
        else:
            y = self._numbers[of_target] - centres[at % n_paths]
            for c, part in enumerate((weight, weight * y, weight * y * y)):
                stats[:, c] = np.bincount(cells, part, stats.shape[0])
        np.add.at(rows, cells, n)
        of_path, n_of_path = stats.reshape(n_parts, n_paths, width, -1), rows.reshape(n_parts, n_paths, width)
        made = []
        for i in range(n_paths):
            present = np.flatnonzero(n_of_path[:, i].any(axis=0))
            made.append(tally_of(present, of_path[:, i, present], n_of_path[:, i, present]))
        return made

    def extents(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """See `Source.extents`."""
        progress.report(0.0, tr("Counting"))
        at, _, of_target, _, weight = self._groups(paths, None, progress)
        train = at < len(paths)
        at, of_target, weight = at[train], of_target[train], weight[train]
        found, y = np.tile((0.0, 0.0, np.inf, -np.inf), (len(paths), 1)), self._numbers[of_target]
        found[:, 0], found[:, 1] = np.bincount(at, weight * y, len(paths)), np.bincount(at, weight, len(paths))
        np.minimum.at(found[:, 2], at, y)
        np.maximum.at(found[:, 3], at, y)
        return found

    def moments(
        self, paths: Sequence[Path], around: NDArray[np.float64], power: int, progress: Progress
    ) -> NDArray[np.float64]:
        """See `Source.moments`."""
        at, _, of_target, _, weight = self._groups(paths, None, progress)
        judging = at >= len(paths)
        path = at[judging] - len(paths)
        return power_sums(path, self._numbers[of_target[judging]] - around[path], weight[judging], len(paths), power)

    def squares(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """See `Source.squares`."""
        at, _, of_target, _, squares = self._groups(paths, None, progress, 2)
        found = Squares.room(self.head, len(paths))
        of_class = of_target if self.head.task == "classes" else np.zeros_like(of_target)
        np.add.at(found, (at // len(paths), at % len(paths), of_class), squares)
        return found

    @property
    def _numbers(self) -> NDArray[np.float64]:
        """The values of a numeric target, measured from the origin."""
        return self.head.target_column.values.astype(np.float64) - self.head.origin

    def rows(self, path: Path, n: int, seed: int, progress: Progress | None = None) -> Table:
        """See `Source.rows`: those with the lowest numbers of a generator that the seed starts, among the first
        `MOST_READ` rows of the node."""
        drawn, names = np.random.default_rng(seed), list(self.head.names)
        placed = self._placed([path], **{f"c{i}": self.database.one(name) for i, name in enumerate(names)})
        found = self.database.ask(placed.drop(AT, TARGET).limit(max(n, MOST_READ)), progress or Progress())
        chosen = found.take(np.sort(drawn.permutation(found.num_rows)[:n]))
        codes = [own.codes(chosen[f"c{i}"].combine_chunks()) for i, own in enumerate(self.values)]
        return table_of_rows(self.head, codes)

    def _groups(
        self, paths: Sequence[Path], place: int | None, progress: Progress, power: int = 1
    ) -> tuple[NDArray[Any], ...]:
        """(path, of validation rows counted on behind all paths, code in the column at this place, 0 if None, place of
        the target's value, rows, Σ of this power of their weights) of every group."""
        shown = {} if place is None else {VALUE: self.database.one(self.head.columns[place].name)}
        weight = self._weight
        placed = self._placed(paths, **shown, **({} if weight is None else {WEIGHT: weight}))
        sums = {ROWS: placed.count()}
        if weight is not None:
            sums[TOTAL] = (placed[WEIGHT] if power == 1 else placed[WEIGHT] * placed[WEIGHT]).sum()
        found = self.database.ask(placed.group_by([AT, TARGET, *shown]).aggregate(**sums), progress)
        target = self.values[self.head.index(str(self.head.target))].codes(found[TARGET].combine_chunks())
        own = np.zeros(target.size, np.int64)
        if place is not None:
            own = self.values[place].codes(found[VALUE].combine_chunks()).astype(np.int64)
        at, n = (found[name].to_numpy().astype(np.int64) for name in (AT, ROWS))
        total = n if weight is None else found[TOTAL].to_numpy().astype(np.float64)
        return at, own, target.astype(np.int64) - 1, n, total

    def _placed(self, paths: Sequence[Path], **shown: Any) -> Any:
        """The rows that train or validate and stand in some node, with the number of its path, counted on for those
        that validate, and what is shown."""
        steps, ends = steps_of(self.head, paths)
        target, (rows, part) = str(self.head.target), self._parted()
        placed, of_node = rows.filter(~self._lacks(self.head.index(target))), {one.node: one for one in steps}
        placed = placed if self._weight is None else placed.filter(self._weighs)
        name, below = _unused(AT, rows.columns), list[int]()
        at = self._descend(0, of_node, ends, LEVELS, below)
        while below:  # a query within the next one takes rows so many levels on
            placed, nodes, below = placed.mutate(**{name: at}), below, []
            ways = [(placed[name] == -2 - node, self._descend(node, of_node, ends, LEVELS, below)) for node in nodes]
            at = library("ibis", "sources").cases(*ways, else_=placed[name])
        placed = placed.select(**{AT: at, OF: part, TARGET: self.database.one(target), **shown})
        placed = placed.filter((placed[AT] >= 0) & placed[OF].isin([TRAIN, VALIDATION]))
        return placed.mutate(**{AT: placed[AT] + placed[OF] * len(paths)}).drop(OF)

    def _usable(self, **shown: Any) -> Any:
        """The rows that have a target, with their parts, and what is shown."""
        target, (rows, part) = str(self.head.target), self._parted()
        usable = rows.filter(~self._lacks(self.head.index(target)))
        if self._weight is not None:  # see `engine.sources.parts.leave_out`
            usable, part = usable.filter(self._weighs | (part != TEST)), self._weighs.ifelse(part, UNUSED)
        return usable.select(**{OF: part, TARGET: self.database.one(target), **shown})

    def _parted(self) -> tuple[Any, Any]:
        """The rows, and the part of a row. A key of very many values is joined: whether a value is among those of a
        query is asked of each row anew where they are too many for the memory of a server."""
        ibis, place, of_code = library("ibis", "sources"), self.parts.place, self.parts.of_code.astype(int).tolist()
        rows = self.database.rows
        if place is None:
            return rows, ibis.literal(of_code[0], "int64")
        column, (usual, others) = rows[self.head.columns[place].name], self._of_key
        cases = [(self._lacks(place), ibis.literal(of_code[0], "int64"))]
        if isinstance(others, dict):
            cases += [(column.isin(own), ibis.literal(part, "int64")) for part, own in others.items()]
            return rows, ibis.cases(*cases, else_=ibis.literal(usual, "int64"))
        value, part = others.columns
        joined = rows.left_join(others, column == others[value])
        return joined, ibis.cases(*cases, else_=joined[part].fill_null(usual))

    @property
    def _weighs(self) -> Any:
        """Whether a row weighs anything, as an expression."""
        column = self.head.weighing
        assert column is not None
        return ~self._lacks(self.head.index(column.name)) & (self._weight > 0)

    @cached_property
    def _of_key(self) -> tuple[int, Any]:
        """(the part that most values of the key have; the others by part as constants, or where they are many a table
        of values and parts, which goes to the database once)."""
        place = self.parts.place
        assert place is not None
        values, column = self.values[place], self.database.rows[self.head.columns[place].name]
        of_raw = self.parts.of_code[values.column.codes].astype(np.int64)
        is_read = values.column.codes > 0
        usual = int(np.argmax(np.bincount(of_raw[is_read], minlength=1)))
        others = np.flatnonzero(is_read & (of_raw != usual))
        if others.size <= MOST_CONSTANTS:
            found: dict[int, list[Any]] = {}
            for i in others.tolist():
                found.setdefault(int(of_raw[i]), []).append(self._literal(values, i, column))
            return usual, found
        names = [_unused(name, self.database.rows.columns) for name in (VALUE, OF)]
        known = pa.table([values.raw.take(pa.array(others)), of_raw[others]], names=names)
        return usual, library("ibis", "sources").memtable(known)

    def _is_among(self, values: Values, places: NDArray[np.int64], column: Any) -> Any:
        """Whether a row has one of the raw values at these places."""
        if places.size <= MOST_CONSTANTS:
            return column.isin([self._literal(values, int(i), column) for i in places])
        known = library("ibis", "sources").memtable(pa.table({VALUE: values.raw.take(pa.array(places))}))
        return column.isin(known[VALUE])

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
                takes = self._is_among(values, inside, column)
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


def _check_weights(head: Table, values: Sequence[Values]) -> None:
    """Raises InputError where the database has the weights as another type than numbers, which it cannot add up."""
    column = head.weighing
    if column is not None:
        kind = values[head.index(column.name)].raw.type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
            raise InputError(tr(NO_NUMBERS[head.roles[column.name]], column=column.name))


def _unused(name: str, names: Sequence[str]) -> str:
    """The name, or one that begins so, which is none of these."""
    while name in names:
        name += "_"
    return name


def opened(address: Any, wanted: Wanted, progress: Progress | None) -> Counted:
    """A table of a database or of Ibis, or a frame of Polars, see `engine.open_source`."""
    return Counted.open(address, wanted.target, wanted.kinds, wanted.roles, progress, wanted.division)


def url_of(place: str, password: str = "") -> str:
    """The URL of a database, with a password where one is given apart; a file of SQLite or DuckDB may be given by its
    path alone.

    Raises:
        InputError: it is neither. The text does not repeat it: it may hold a password.
    """
    if "://" in place:
        return with_password(place, password) if password else place
    path = FilePath(place).expanduser()
    if not path.is_file():
        raise InputError(tr("The address is no file, and no URL of a database, which has “://”. Give one of these."))
    with path.open("rb") as file:
        scheme = "sqlite" if file.read(len(SQLITE)) == SQLITE else "duckdb"
    return url_of_file(scheme, path.absolute().as_posix())


def tables_of(url: str, progress: Progress | None = None) -> tuple[str, ...]:
    """The tables of a database as they stand behind "::", in quotes where they have to; those outside the usual schema
    with the name of theirs.

    Raises:
        InputError: it cannot be reached; without the words of the address. Stopped: a stop was asked for.
    """
    progress = progress or Progress()
    with _in_words(UNREACHED, _secrets(url)):
        backend = _connected(url)
        try:
            usual = backend.current_database
            if backend.name == "duckdb":  # Ibis asks DuckDB 2 for what it does not have any more
                others = backend.con.execute(TABLES).fetchall()
                found = [name for schema, name in others if schema == usual]
            else:
                schemas, found = sorted(backend.list_databases()), sorted(backend.list_tables())
                others = []
                for schema in schemas:
                    if progress.stopped:
                        raise Stopped
                    if schema != usual and not SYSTEM.fullmatch(schema):
                        others += [(schema, name) for name in sorted(backend.list_tables(database=schema))]
        finally:
            _close(backend)
    return (*map(table_of, found), *(table_of(*pair) for pair in others if pair[0] != usual))


def look(address: str, options: ReadOptions, progress: Progress) -> Preview:
    """What the first rows of a table look like; `address` and errors are those of `Database.of` and `Database.ask`."""
    return preview_of(Database.of(address).first(LOOKED_AT, options, progress), None, "database")


def levels_of(address: str, name: str, options: ReadOptions, progress: Progress) -> Column:
    """A column with its levels, without its rows, to put them in order; see `look`."""
    found = Database.of(address).described(name, options, progress).column
    return replace(found, codes=found.codes[:0])


def _connected(url: str) -> Any:
    """The backend of Ibis; a file that is not there is not made."""
    ibis, parts = library("ibis", "sources"), urlsplit(url)
    if not is_file(url):
        return _by_driver(url)
    if not FilePath(path := file_of(url)).is_file():
        raise InputError(tr("There is no such file: correct the path of the database."))
    read_only = {"read_only": True} if parts.scheme == "duckdb" else {}  # which others read meanwhile
    return getattr(ibis, parts.scheme).connect(path, **{**dict(parse_qsl(parts.query)), **read_only})


def _by_driver(url: str) -> Any:
    """The backend of Ibis; InputError where the library is not installed by which it speaks to this database."""
    try:
        return library("ibis", "sources").connect(url)
    except ImportError:  # of each database in words of its own, some of them of many lines
        needed = f"ibis-framework[{'postgres' if url.startswith('postgres') else urlsplit(url).scheme}]"
        command = f"pip install '{needed}'"
        raise InputError(tr(NOT_INSTALLED, name=needed, command=command)) from None


def _close(backend: Any) -> None:
    """Closes a connection of our own, unless it is closed already."""
    with suppress(Exception):
        backend.disconnect()


def _secrets(address: str) -> tuple[str, ...]:
    """What an address holds that is nobody's business, the longest first: all before the last "@", as a password may
    have any sign in it, what is behind "?", and what a driver may take for a part of these."""
    url, table = place_and_table(address)
    before, _, place = (address if BEFORE_HOST.search(table) else url).partition("://")[2].rpartition("@")
    query = place.removesuffix(f"::{table}").partition("?")[2]
    parts = (*re.split("[:/?#@&;=]", before), *re.split("[&;=]", query))
    found = {address, url, before, query, *(part for part in parts if len(part) > 1)}
    return tuple(sorted((found | {unquote(text) for text in found}) - {""}, key=len, reverse=True))


@contextmanager
def _in_words(text: str, secrets: tuple[str, ...]) -> Iterator[None]:
    """Whatever a driver raises becomes an InputError: in a sentence of our own where its words tell what is wrong, and
    with these words, without secrets; and without its cause, which has them."""
    try:
        yield
    except (InputError, Stopped):
        raise
    except Exception as error:  # each database has errors of its own
        why = " ".join(str(error).split())
        kind: type[InputError] = InputError
        if text == UNREACHED:
            words = re.sub(r"""(["'“‘`])[^\s"'”’`]*["'”’`]""", "", why)  # without names
            text = next((own for known, own in NOT_SO if known.search(words)), text)
            kind = PasswordRefused if text == REFUSED and PASSWORD.search(words) else InputError
        for secret in secrets:  # a short one may stand in any word by chance
            words = rf"(?<!\w){re.escape(secret)}(?!\w)" if len(secret) < SHORT else re.escape(secret)
            why = re.sub(words, "…", why, flags=re.IGNORECASE)  # hosts are told in small letters
        raise kind(tr(text, why=why)) from None
