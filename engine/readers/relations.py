"""Rows that DuckDB reads: Parquet files, folders and globs of them, CSV files and tables of a database file.

Queries are built of expressions, never of text: a column of any name is a column, and a value is a constant.
"""

import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pa_parquet

from engine.readers.files import A_DATABASE, file_bytes, files_of, is_many, known_format, size_of
from engine.readers.options import ReadOptions
from engine.readers.parquet import broken, column_names, declared_raw, is_text, left_out, open_file
from engine.readers.raw import Raw, among, chosen_names, text_array
from engine.readers.text import SAMPLE_BYTES, sample_text_table
from engine.readers.types import read_columns
from engine.readers.values import Values
from engine.runtime.addresses import names_of, table_of
from engine.runtime.errors import InputError, one_line
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import marked, tr
from engine.runtime.threads import TICK
from engine.table.column import NUMERIC

VALUE = "column_value"
MOST_LEVELS = 1 << 20  # texts of a column: those of more are names of rows, and Python's memory has no room for them
LOOKED_AT = 5000  # rows of a file of text whose layout is looked at
BLOCK, MOST_BLANKS = 1 << 22, 64  # bytes of texts that are looked at at once; blanks before quotation marks
MEMORY = "512MB"  # that DuckDB may take; what needs more goes to the disk
ENCODINGS = ("utf-8", "utf-8-sig")  # of texts that DuckDB reads without an extension
MOST_WORDS = 200  # letters of an error of DuckDB that are shown
OF_FILE = re.compile('file "([^"]+)"')  # of an error, where it names one
OTHER_VERSION = re.compile("^Serialization Error|newer version of DuckDB|version number")
DAMAGED = re.compile("[Cc]orrupt|checksum|Could not read enough|Failed to read file|don't know what type|TProtocol")
Answer = TypeVar("Answer")
NARROW = ("BOOLEAN", "TINYINT", "UTINYINT", "SMALLINT", "USMALLINT")  # that FLOAT holds exactly
WHOLE = (*NARROW, "INTEGER", "UINTEGER", "BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT")
TIMES = ("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
ZONED = "TIMESTAMP WITH TIME ZONE"
TYPES_DIFFER = {
    "texts": marked(
        "“{name}” has the type {one} in “{file}” and {other} in “{further}”: its values are read as texts. Write all "
        "files with one type, or choose the type of the column."),
    "numbers": marked(
        "“{name}” has the type {one} in “{file}” and {other} in “{further}”: its values are read as numbers."),
    "rounded": marked(
        "“{name}” has the type {one} in “{file}” and {other} in “{further}”: numbers of more than seven digits "
        "are rounded. Write all files with one type to keep them."),
    "times": marked(
        "“{name}” has the type {one} in “{file}” and {other} in “{further}”: its values are read as times in UTC."),
    "": marked(
        "“{name}” has the type {one} in “{file}” and {other} in “{further}”, which cannot be one column: write all "
        "files with one type, or open them one by one."),
}  # by what becomes of the values  # fmt: skip
NESTED = ("STRUCT", "MAP", "UNION", "BLOB", "BIT", "INTERVAL", "GEOMETRY", "VARIANT")


@dataclass(frozen=True, eq=False)
class Relation:
    """The rows of a table where they are.

    Attributes:
        path: of the file, the folder or the glob. label: how sentences call it. relation: the rows, in
            their order. connection: the one that reads them.
        columns: the columns that can be used, as the relation calls them. names: as the table does.
        options: how it is read, every guess filled in. notes: announcements in words. sheets: the tables of a database.
        typed: whether columns have types; else all are texts. kinds: of texts, what they are by the first rows.
        levels: of columns of which Parquet declares them, an Arrow dictionary without rows, by name.
    """

    path: Path
    label: str
    relation: Any
    connection: Any
    columns: tuple[str, ...]
    names: tuple[str, ...]
    options: ReadOptions
    notes: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    typed: bool = True
    kinds: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, Any] = field(default_factory=dict)

    def count(self, progress: Progress | None = None) -> int:
        """How many rows there are: of Parquet it stands in the files."""
        n = duckdb.FunctionExpression("count", duckdb.ConstantExpression(1)).alias("n")
        return int(self.asked(self.relation.aggregate([n]).fetchall, progress or Progress(), tr("Counting"))[0][0])

    def raw(self, table: Any, n_rows: int | None) -> Raw:
        """Some of the rows, as Arrow has them."""
        if self.typed:
            table = table.rename_columns(list(self.names))
            for name, levels in self.levels.items():
                cells = pa.chunked_array([among(table.column(name), levels)])
                table = table.set_column(self.names.index(name), name, cells)
            found = declared_raw(self.label, table, table.schema, self.options, n_rows)
        else:
            cells = [text_array(table.column(i)) for i in range(table.num_columns)]
            found = Raw(self.label, self.names, cells, self.options, n_rows=n_rows)
        return replace(found, notes=(*self.notes, *found.notes), sheets=self.sheets)

    @property
    def shown(self) -> Any:
        """The usable columns, called by number, so that no name can be mistaken for another."""
        cells = [self.cell(column).alias(f"c{i}") for i, column in enumerate(self.columns)]
        return self.relation.select(*cells)

    def cell(self, column: str) -> Any:
        """A column as an expression."""
        return one(self.relation, column)

    def described(self, place: int, progress: Progress) -> Values | None:
        """The values of a column; None of texts that are more than can be levels.

        One scan of each column alone reads no more than one of all would, and groups by the dictionaries of Parquet.

        Raises:
            Stopped: somebody asked for that.
        """
        column, name = self.columns[place], self.names[place]
        distinct = self.relation.select(self.cell(column).alias(VALUE)).distinct()
        is_text = str(self.relation.types[self.relation.columns.index(column)]) == "VARCHAR"
        limited = is_text and self.kinds.get(name) not in NUMERIC  # numbers that are written as texts may be more
        query = (distinct.limit(MOST_LEVELS + 1) if limited else distinct).to_arrow_table
        found = self.asked(query, progress, tr("Describing: {column}", column=name))[VALUE]
        if limited and len(found) > MOST_LEVELS:
            return None
        found = found.take(pc.sort_indices(found))
        return Values.of(name, found, self.options, typed=self.typed, levels=self.levels.get(name))

    def check_texts(self, progress: Progress) -> None:
        """Refuses a file of texts that DuckDB reads otherwise than the reader of texts: with blanks before a cell's
        quotation marks, which belong to the cell and make the marks a part of it.

        Raises:
            InputError: it is such a file. Stopped: somebody asked for that.
        """
        if self.typed:
            return
        before = re.compile(b"[\n\r" + re.escape(str(self.options.delimiter)).encode() + b']+[ ]+"(?!")')
        done, n_bytes, end = 0, size_of(self.path), b"\n"  # the first line follows none
        with self.path.open("rb") as file:
            while block := file.read(BLOCK):
                self.heed(progress, done / n_bytes, tr("Reading {file}", file=self.label))
                if before.search(end + block):
                    raise InputError(tr(
                        "{file} can only be read into memory: it has blanks before quotation marks.",
                        file=self.label))  # fmt: skip
                done, end = done + len(block), block[-MOST_BLANKS:]

    def asked(self, query: Callable[[], Answer], progress: Progress, text: str) -> Answer:
        """What a query answers, run in a thread of its own: how far it is is reported, and it ends when somebody stops
        it.

        Raises:
            Stopped: it was.
        """
        self.heed(progress, 0.0, text)
        with ThreadPoolExecutor(1, thread_name_prefix="query") as pool:
            running = pool.submit(query)
            try:
                while not wait([running], timeout=TICK).done:
                    self.heed(progress, max(self.connection.query_progress(), 0.0) / 100.0, text)
                return running.result()
            except BaseException as error:
                self.connection.interrupt()
                if progress.stopped and isinstance(error, duckdb.Error):
                    raise Stopped from error
                raise

    def heed(self, progress: Progress, fraction: float, text: str) -> None:
        """Reports; or ends the query that runs, and raises Stopped, if somebody asked for that."""
        if progress.stopped:
            self.connection.interrupt()
            raise Stopped
        progress.report(fraction, text)


def too_many(name: str) -> str:
    """That a column has more texts than can be levels."""
    return tr("“{name}” has too many different texts to split on and was left out.", name=name)


def connection(database: Path | None = None) -> Any:
    """DuckDB, for reading only, with a bounded memory; what does not fit goes to the folder for temporary files."""
    made = duckdb.connect(str(database), read_only=True) if database is not None else duckdb.connect()
    made.execute(f"SET memory_limit = '{MEMORY}'")
    made.execute("SET temp_directory = ?", [tempfile.gettempdir()])
    return made


def tables_of(connected: Any) -> dict[str, str]:
    """The tables and views of a database by the name that a person reads, each as DuckDB wants it written."""
    asked = (
        "SELECT schema_name, table_name FROM duckdb_tables() "
        "UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal"
    )
    found = sorted(connected.execute(asked).fetchall())
    quoted = {pair: ".".join('"' + part.replace('"', '""') + '"' for part in pair) for pair in found}
    return {table_of(*(pair[1:] if pair[0] == "main" else pair)): text for pair, text in quoted.items()}


def _table_of(connected: Any, name: str) -> Any:
    known = tables_of(connected)
    name = next((one for one in (name, table_of(name), table_of(*names_of(name))) if one in known), name)
    if name not in known:
        raise InputError(tr(
            "There is no table “{name}” in the database; it has {names}.", name=name, names=", ".join(known) or "–",
        ))  # fmt: skip
    return connected.table(known[name])


def open_relation(path: Path, options: ReadOptions) -> Relation:
    """The rows of a Parquet file, a folder or a glob of them, a CSV file, or of the table of a DuckDB file that
    `options.sheet` names (the first, if it names none).

    Raises:
        InputError: it cannot be read, or not in this way.
    """
    kind = known_format(path)
    if kind == "csv":
        return _texts(path, options)
    sheets: tuple[str, ...] = ()
    levels = dict[str, Any]()
    if kind == "duckdb":
        check_database(path)
        with readable_address(path):
            connected = connection(path)
        sheets = tuple(tables_of(connected))
        if not sheets:
            raise InputError(tr("{file} holds no table: choose another database.", file=path.name))
        options = replace(options, sheet=options.sheet or sheets[0])
        relation = _table_of(connected, str(options.sheet))
        called = relation.columns
    elif kind in ("parquet", "folder"):
        with readable_address(path):
            files, connected = [str(file) for file in files_of(path)], connection()
            relation = connected.read_parquet(files or str(path), union_by_name=is_many(path))
            called, levels = declared(files, relation.columns)
    else:
        raise InputError(tr("{file} can only be read into memory: save it as Parquet or CSV first.", file=path.name))
    label = f"{path.name}: {options.sheet}" if kind == "duckdb" else path.name
    types = [str(one) for one in relation.types]
    usable = [not (one.startswith(NESTED) or one.endswith("]")) for one in types]
    columns = [column for column, fits in zip(relation.columns, usable, strict=True) if fits]
    notes = [left_out(column) for column, fits in zip(relation.columns, usable, strict=True) if not fits]
    if not columns:
        raise InputError(tr("{file} holds no column of numbers, texts or dates: choose another table.", file=label))
    own = dict(zip(relation.columns, called, strict=True))
    names, renamed = chosen_names(label, [own[column] for column in columns], options)
    notes += [*renamed, *(differing(path, options.kinds) if kind == "folder" else ())]
    levels = {name: levels[column] for name, column in zip(names, columns, strict=True) if column in levels}
    return Relation(
        path, label, relation, connected, tuple(columns), names, options, tuple(notes), sheets, levels=levels
    )


def declared(files: list[str], columns: list[str]) -> tuple[list[str], dict[str, Any]]:
    """What Parquet files say of the columns that DuckDB finds in them: their names, which DuckDB changes where two
    differ by case alone; and by DuckDB's name, as a dictionary without rows, the levels of those that pandas or R
    declare.

    Raises:
        InputError: names differ by case alone in a table of several files, where DuckDB mixes the columns up.
    """
    called, levels = list(columns), dict[str, Any]()
    for file in map(Path, files):
        with broken(file), open_file(file) as source, pa_parquet.ParquetFile(source) as parquet:
            own = parquet.schema_arrow
            if file == Path(files[0]):
                called[: len(own)] = column_names(own.names)
            if len(files) > 1 and len({name.lower() for name in own.names}) < len(own):
                raise InputError(tr(
                    "{file} has columns whose names differ by case alone: rename them, or open this file alone.",
                    file=file.name))  # fmt: skip
            coded = [one.name for one in own if pa.types.is_dictionary(one.type) and is_text(one.type.value_type)]
            if not coded:
                break
            column_of = dict(zip(own.names if len(files) == 1 else columns, columns, strict=False))
            for group in range(parquet.num_row_groups):
                for first in islice(parquet.iter_batches(1, row_groups=[group], columns=coded), 1):
                    for name in column_of.keys() & set(coded):
                        cells, column = first.column(name), column_of[name]
                        levels[column] = among(cells.dictionary, levels.get(column, cells))[:0]
    return called, levels


def _texts(path: Path, options: ReadOptions) -> Relation:
    """A CSV file whose cells are all texts, so that they are read as by the reader of texts."""
    data = file_bytes(path, SAMPLE_BYTES)
    raw = sample_text_table(data, options, path.name, cut=size_of(path) > len(data), limit=LOOKED_AT)
    found = raw.options
    if str(found.encoding).lower() not in ENCODINGS or found.delimiter in (None, " "):
        raise InputError(tr(
            "{file} can only be read into memory: save it as UTF-8 with commas, semicolons or tabs between cells.",
            file=path.name))  # fmt: skip
    columns = tuple(f"c{i}" for i in range(len(raw.names)))
    connected = connection()
    try:
        relation = connected.read_csv(
            str(path), names=list(columns), header=found.header, sep=found.delimiter, all_varchar=True, quotechar='"',
            escapechar='"', null_padding=True, parallel=False, encoding="utf-8",
        )  # fmt: skip
    except duckdb.Error as error:
        raise InputError(tr(
            "{file} can only be read into memory: its lines do not all end alike, or one is longer than 2 MB.",
            file=path.name)) from error  # fmt: skip
    typed, _ = read_columns(raw, lambda _, typed: typed)
    kinds = {name: one.kind for name, one in zip(raw.names, typed, strict=True)}
    return Relation(
        path, path.name, relation, connected, columns, raw.names, found, raw.notes, typed=False, kinds=kinds
    )


def check_database(path: Path) -> None:
    """InputError when a file is no database of DuckDB."""
    start = file_bytes(path, 12)
    if start == b"SQLite forma":  # whose files are called .db, too
        raise InputError(tr(A_DATABASE, file=path.name))
    if start[8:] != b"DUCK":
        raise InputError(tr("{file} is no database of DuckDB: choose a file that DuckDB has written.", file=path.name))


def differing(path: Path, chosen: Collection[str]) -> list[str]:
    """Notes of columns that the files of a folder or a glob do not all have, or not with one type; nothing of texts
    among other values in columns whose kind is chosen.

    Raises:
        InputError: the types of a column cannot be one.
    """
    files = [str(file) for file in files_of(path)]
    with readable_address(path):
        found = connection().table_function("parquet_schema", [files])
        asked = [
            duckdb.ColumnExpression(name)
            for name in ("file_name", "name", "duckdb_type", "logical_type", "num_children")
        ]
        leaves = [
            (file, name, None if logical == "NullType()" else kind)
            for file, name, kind, logical, children in found.select(*asked).fetchall() if not children
        ]  # fmt: skip
    types: dict[str, dict[str, str]] = {}  # by the name of a column and by type the first file that has it
    holders: dict[str, set[str]] = {}
    for file, name, kind in leaves:
        first = types.setdefault(name, {})
        if kind is not None:
            first.setdefault(kind, file)
        holders.setdefault(name, set()).add(file)
    notes = []
    for name, kinds in types.items():
        if lacking := [file for file in files if file not in holders[name]]:
            notes.append(tr(
                "“{name}” is missing in {n} of {all} files, the first of which is {file}, and so in their rows.",
                name=name, n=len(lacking), all=len(files), file=Path(lacking[0]).name))  # fmt: skip
        if (found := _merged(set(kinds))) is not None:
            what, one, other = found
            said = tr(TYPES_DIFFER[what], name=name, one=one, file=Path(kinds[one]).name, other=other,
                      further=Path(kinds[other]).name)  # fmt: skip
            if not what:
                raise InputError(said)
            if what != "texts" or name not in chosen:
                notes.insert(0, said)
    return notes


def _merged(kinds: set[str]) -> tuple[str, str, str] | None:
    """What becomes of values of several types in one column, see `TYPES_DIFFER`, and two of these types; None where
    nothing of them is lost."""
    whole = sorted(kinds & {*WHOLE}, key=WHOLE.index)
    real = sorted(kind for kind in kinds if kind in ("FLOAT", "DOUBLE") or kind.startswith("DECIMAL"))
    times = sorted(kinds & {*TIMES, ZONED})
    texts = sorted(kind for kind in kinds if kind == "VARCHAR" or kind.startswith("ENUM"))
    if (others := sorted(kinds - {*whole, *real, *times, *texts})) and len(kinds) > 1:
        return "", others[0], next(kind for kind in sorted(kinds) if kind != others[0])
    some = [group for group in (whole, real, times, texts) if group]
    if texts:
        return ("texts", some[0][0], texts[0]) if len(some) > 1 else None
    if len(some) > 1 and times:
        return "", some[0][0], times[0]
    if ZONED in times:
        return ("times", times[0], times[-1]) if len(times) > 1 else None
    wide = [kind for kind in (*whole[-1:], *real) if kind not in NARROW and kind not in ("FLOAT", "DOUBLE")]
    if wide and "FLOAT" in real and "DOUBLE" not in real:
        return "rounded", wide[0], "FLOAT"
    if whole and real:
        return "numbers", whole[-1], real[0]
    return ("numbers", whole[0], whole[-1]) if "BOOLEAN" in whole and len(whole) > 1 else None


def read_relation(
    path: Path, options: ReadOptions, *, limit: int | None = None, progress: Progress | None = None
) -> Raw:
    """All rows, or the first `limit`, of a folder, a glob or the table of a database."""
    found = open_relation(path, options)
    with reading():
        n_rows = found.count()
        shown = found.relation.select(*(found.cell(column) for column in found.columns))
        return found.raw((shown if limit is None else shown.limit(limit)).to_arrow_table().rename_columns(
            list(found.columns)), n_rows)  # fmt: skip


def drawn_rows(found: Relation, n: int, seed: int, progress: Progress) -> Raw:
    """n rows drawn at random, in their order: the same for one seed as long as the data are the same.

    Raises:
        InputError: they cannot be read; or a stop was asked for.
    """
    with reading():
        try:
            found.check_texts(progress)
        except Stopped as stopped:
            raise InputError(tr("Reading {label} was stopped.", label=found.label)) from stopped
        n_rows, done, taken = found.count(), 0, list[Any]()
        rows = np.sort(np.random.default_rng(seed).choice(n_rows, min(n, n_rows), replace=False))
        for batch in found.shown.to_arrow_reader(1 << 16):
            if progress.stopped:
                raise InputError(tr("Reading {label} was stopped.", label=found.label))
            progress.report(done / n_rows, tr("Drawing a sample"))
            here = rows[slice(*np.searchsorted(rows, (done, done + batch.num_rows)))] - done
            taken.append(batch.take(pa.array(here)))
            done += batch.num_rows
    return found.raw(pa.Table.from_batches(taken).rename_columns(list(found.columns)), rows.size)


def one(relation: Any, name: str) -> Any:
    """A column as an expression: wide and decimal numbers are floats, and levels that a database declares are texts;
    other values stay as they are, NaN among them: DuckDB takes no `isnan` for true where the statistics of Parquet tell
    of numbers only."""
    column, kind = duckdb.ColumnExpression(name), str(relation.types[relation.columns.index(name)])
    if kind.startswith(("DECIMAL", "HUGEINT", "UHUGEINT", "BIGNUM")):
        return column.cast("DOUBLE")
    if kind.startswith(("ENUM", "UUID")):
        return column.cast("VARCHAR")
    return column


@contextmanager
def reading() -> Iterator[None]:
    """What DuckDB cannot do becomes an InputError: that a file is damaged, or in DuckDB's words."""
    try:
        yield
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        why = str(error)
        if not DAMAGED.search(why):
            fault = tr("The data can no longer be read: {why}", why=one_line(why, MOST_WORDS))
        elif found := OF_FILE.search(why):
            fault = tr(
                "“{path}” is damaged, so some of its rows cannot be read: export it again, or use another copy.",
                path=found[1])  # fmt: skip
        else:
            fault = tr("The data are damaged, so some rows cannot be read: export them again, or use another copy.")
        raise InputError(fault) from error


@contextmanager
def readable_address(path: Path) -> Iterator[None]:
    """What cannot be opened becomes an InputError that says why and what helps; in DuckDB's words where nothing is
    known of it."""
    try:
        yield
    except (duckdb.Error, OSError) as error:
        if known_format(path) in ("parquet", "folder"):
            _check_parquet(path)
        why, name = str(error), path.name
        if "lock on file" in why:
            fault = tr("{file} is open in another program: close it there, or open a copy of the file.", file=name)
        elif OTHER_VERSION.search(why):
            fault = tr(
                "{file} was written by a newer DuckDB than the installed one, {version}: update DuckDB, or export the "
                "table as Parquet.", file=name, version=duckdb.__version__)  # fmt: skip
        elif DAMAGED.search(why):
            fault = tr("{file} is damaged: use another copy of it, or export the table again.", file=name)
        else:
            fault = tr("{address} cannot be read: {why}", address=str(path), why=one_line(why, MOST_WORDS))
        raise InputError(fault) from error


def _check_parquet(path: Path) -> None:
    """Raises InputError for the first file of a table whose description of its columns cannot be read."""
    for file in files_of(path):
        start = file_bytes(file, 1)  # one that may not be read says so
        if not start and not is_many(path):
            raise InputError(tr("{file} is empty: choose a table with a header and rows.", file=file.name))
        try:
            with broken(file), open_file(file) as source:
                pa_parquet.read_metadata(source)
        except InputError as error:
            if not is_many(path):
                raise
            raise InputError(tr(
                "“{path}” is empty, damaged or no Parquet file: export it again, or move it out of the folder.",
                path=file)) from error  # fmt: skip
