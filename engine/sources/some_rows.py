"""Some rows of what is opened, in about a second however many there are: for first answers while all of them are read.

No scan gives them. Of Parquet they are drawn from the beginnings of some row groups that lie all over the files, of a
table of DuckDB from stretches all over it; of text, and of tables of other databases, they are first rows. Rows of a
few places are no random sample of all rows, and who shows a figure of them says so.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pa_parquet
from numpy.typing import NDArray

from engine.readers import ReadOptions
from engine.readers.chunks import last_record
from engine.readers.files import as_utf8, checked_path, file_bytes, files_of, known_format, size_of
from engine.readers.from_raw import table_of
from engine.readers.parquet import broken, declared_raw, open_file
from engine.readers.raw import Raw
from engine.readers.text import SAMPLE_BYTES, read_text_table, sample_text_table
from engine.runtime.addresses import place_and_table
from engine.runtime.errors import InputError, one_line, readable
from engine.runtime.libraries import library
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.sources.opening import kind_of
from engine.sources.parts import Division
from engine.table.partition import TRAIN, UNUSED, by_column, chosen_by_key, further_seed
from engine.table.table import Table

SOME = 50_000  # rows
LOOKED_AT = 100  # rows of a text that tell its layout
PLACES, MOST_PLACES = 10, 50  # more than ten only where row groups are small
SEEN = 12_000_000  # cells of all places, of whose rows some are drawn: of a wide table these are fewer
STRETCH = 4  # times the rows that are drawn from it: a place in a table of DuckDB
HANDED = 10  # times as long as a cell of Parquet takes one that another database hands out
TEXT_BYTES = 1 << 23  # of a file of text
PAGE_BYTES = 1 << 18  # of a row group read at once: the rest of it stays on the disk


class Some(NamedTuple):
    """Some rows.

    Attributes:
        rows: as their reader hands them on. numbers: int64[n], of the rows in the order of the data; None where they
            have none. places: from how many they are; 1 for the first ones, 0 where a database has no others.
    """

    rows: Raw
    numbers: NDArray[np.int64] | None = None
    places: int = 1


def read_some(
    address: Any, *, target: str, n: int = SOME, seed: int = 0, roles: Mapping[str, str] | None = None,
    options: ReadOptions | None = None, validation: float = 0.0, test: float = 0.0, key: str | None = None,
    progress: Progress | None = None,
) -> Table:  # fmt: skip
    """About n training rows of what is opened, of a wide table fewer, in memory: the same ones for the same seed.
    `source` tells from how many "places" they are; 1 stands for the first rows, 0 says that a database has no others.

    The rows that the shares keep for the test are left out, all of them, and those that validate but for a few: which
    these are depends on how many rows each class has.

    Args:
        address: as for `open_source`, but no table in memory.
        roles, options: how they will be read. validation, test, key: how they will be divided, by this seed.

    Raises:
        InputError: it cannot be read, has no such target, or none of these rows trains. Stopped: a stop was asked for.
    """
    progress, options, roles = progress or Progress(), options or ReadOptions(), dict(roles or {})
    named = {role: name for name, role in roles.items()}
    division = Division(validation, test, seed, key or named.get("group"), named.get("partition"))
    wanted, random = round(n / (1 - validation - test)), np.random.default_rng(seed)
    if kind_of(address).file != "duck":
        found = _of_database(address, options, wanted, progress)
    else:
        path, sheet = place_and_table(str(address))
        options = replace(options, sheet=sheet or options.sheet)
        found = _of_files(checked_path(path, many=True), options, wanted, random, progress)
    if progress.stopped:
        raise Stopped
    source = {"kind": "some", "places": found.places, "seed": seed}
    table = table_of(found.rows, readable(found.rows.label), source, progress, target=target, roles=roles)
    table = table.divided(np.where(_trains(table, division, named.get("key"), found.numbers), table.part, UNUSED))
    if not table.n_train:
        raise InputError(tr("None of the first rows of {table} trains: open all of them.", table=table.name))
    return table


def _trains(
    table: Table, division: Division, key_of_test: str | None, numbers: NDArray[np.int64] | None
) -> NDArray[np.bool_]:
    """bool[n]: the rows that neither validate nor are kept for the test, see `engine.table.partition`."""
    if division.column is not None:
        return by_column(table.column(division.column), table.part != UNUSED) == TRAIN
    by = division.key or key_of_test
    if not division.by_shares or (numbers is None and by is None):
        return np.ones(table.n_rows, np.bool_)
    key, group = (None if name is None else table.column(name) for name in (by, division.key))
    seed = division.seed if group is None else further_seed(division.seed, 1)
    share = division.validation / (1 - division.test)  # of those that are not kept for the test
    if key is None:  # these come first in the order in which validation rows are chosen
        share = division.test + division.validation
    held = chosen_by_key(table.n_rows, division.test, division.seed, key, numbers)
    return ~(held | chosen_by_key(table.n_rows, share, seed, group, numbers))


def _drawn(random: np.random.Generator, seen: int, wanted: int) -> NDArray[np.int64]:
    return np.sort(random.choice(seen, min(seen, wanted), replace=False))


def _fewer(n: int, times: int, columns: int) -> int:
    """n rows, or as many as `SEEN` allows where each of their cells takes so many times as long."""
    return min(n, max(SEEN // (times * columns), 2))


def _of_files(path: Path, options: ReadOptions, n: int, random: np.random.Generator, progress: Progress) -> Some:
    kind = known_format(path)
    if kind == "csv":
        return _of_text(path, options, n, random)
    if kind in ("parquet", "folder"):
        return _of_parquet(path, options, n, random, progress)
    library("duckdb", "sources")
    return _of_duckdb(path, options, n, random, progress)


def _of_text(path: Path, options: ReadOptions, n: int, random: np.random.Generator) -> Some:
    """Of the first megabytes."""
    data = file_bytes(path, TEXT_BYTES)
    is_cut = size_of(path) > len(data)
    begun = size_of(path) > SAMPLE_BYTES
    found = sample_text_table(data[:SAMPLE_BYTES], options, path.name, cut=begun, limit=LOOKED_AT).options
    text, _, _ = as_utf8(data, found.encoding, path.name, cut=is_cut)
    text = text[: last_record(text, str(found.delimiter))] if is_cut else text
    whole = read_text_table(text, replace(found, encoding="utf-8"), path.name)
    chosen = _drawn(random, whole.height, n)
    return Some(replace(whole, columns=[cells.take(pa.array(chosen)) for cells in whole.columns]), chosen)


def _of_parquet(path: Path, options: ReadOptions, n: int, random: np.random.Generator, progress: Progress) -> Some:
    """Of the beginnings of row groups: a column of Parquet is read from its beginning on."""
    described = [_row_groups(file) for file in files_of(path)]
    groups, columns = [group for found, _ in described for group in found], max(n for _, n in described)
    sizes = np.array([size for _, _, size in groups], np.int64)
    before = np.cumsum(sizes) - sizes
    total = int(sizes.sum())
    if not total:
        raise InputError(tr("{label} has a header but no rows: add rows below it.", label=path.name))
    n, seen = _fewer(n, 1, columns), max(SEEN // columns, 2)
    n_places = min(max(PLACES, -(-n * len(groups) // total)), MOST_PLACES)
    at = ((np.arange(n_places) + random.random(n_places)) * (total / n_places)).astype(np.int64)  # rows all over
    chosen, hits = np.unique(np.searchsorted(before, at, side="right") - 1, return_counts=True)
    taken, numbers = list[Any](), list[NDArray[np.int64]]()
    for i, hit in zip(chosen.tolist(), hits.tolist(), strict=True):
        if progress.stopped:
            raise Stopped
        file, group, size = groups[i]
        here = pa.Table.from_batches(_first_rows(file, group, min(size, -(-hit * seen // n_places))))
        rows = _drawn(random, here.num_rows, -(-hit * n // n_places))
        taken.append(here.take(pa.array(rows)))
        numbers.append(before[i] + rows)
    try:
        together = pa.concat_tables(taken, promote_options="permissive")
    except pa.ArrowException as error:
        raise InputError(tr("The data can no longer be read: {why}", why=str(error))) from error
    return Some(declared_raw(path.name, together, together.schema, options, None), np.concatenate(numbers), len(chosen))


def _row_groups(file: Path) -> tuple[list[tuple[Path, int, int]], int]:
    """The row groups of a file that have rows: the file, their places in it, and how many rows they have; and how many
    columns there are."""
    with broken(file), open_file(file) as source, pa_parquet.ParquetFile(source) as parquet:
        sizes = [parquet.metadata.row_group(k).num_rows for k in range(parquet.num_row_groups)]
        columns = max(parquet.metadata.num_columns, 1)
    return [(file, k, size) for k, size in enumerate(sizes) if size], columns


def _first_rows(file: Path, group: int, n: int) -> Iterator[Any]:
    """The first n rows of a row group, which has so many."""
    how = {"buffer_size": PAGE_BYTES, "pre_buffer": False}
    with broken(file), open_file(file) as source, pa_parquet.ParquetFile(source, **how) as parquet:
        for batch in parquet.iter_batches(n, row_groups=[group]):
            yield batch.slice(0, n)
            n -= batch.num_rows
            if n <= 0:
                return


def _of_duckdb(path: Path, options: ReadOptions, n: int, random: np.random.Generator, progress: Progress) -> Some:
    """Of stretches of a table, by the numbers of its rows. Of a view, which has no numbers, the first rows; and of a
    table from which rows were deleted, so that the others keep theirs, or with a column that hides them."""
    import duckdb  # late: optional

    from engine.readers.relations import open_relation, reading  # late: it brings DuckDB

    found = open_relation(path, options)
    n = _fewer(n, STRETCH, len(found.columns))
    number, constant = duckdb.ColumnExpression("rowid"), duckdb.ConstantExpression
    with reading():
        try:
            last = found.relation.aggregate([duckdb.FunctionExpression("max", number)]).fetchall()[0][0]
        except duckdb.BinderException:
            last = None
        hidden = last is None or "rowid" in map(str.lower, found.relation.columns)
        n_rows = 0 if hidden else found.count(progress)
        if n_rows < PLACES or last + 1 != n_rows:
            some = found.shown.limit(n).to_arrow_table().rename_columns(list(found.columns))
            return Some(found.raw(some, None), np.arange(some.num_rows))
        room, each = n_rows // PLACES, -(-n // PLACES)  # a place lies somewhere in its tenth of the rows
        wide = min(STRETCH * each, room)
        taken, numbers = list[Any](), list[NDArray[np.int64]]()
        for k in range(PLACES):
            if progress.stopped:
                raise Stopped
            first = k * room + int(random.integers(room - wide + 1))
            inside = (number >= constant(first)) & (number < constant(first + wide))
            seen = replace(found, relation=found.relation.filter(inside)).shown.to_arrow_table()
            rows = _drawn(random, seen.num_rows, each)
            taken.append(seen.take(pa.array(rows)))
            numbers.append(first + rows)
        some = pa.concat_tables(taken).rename_columns(list(found.columns))
        return Some(found.raw(some, None), np.concatenate(numbers), len(taken))


def _of_database(address: Any, options: ReadOptions, n: int, progress: Progress) -> Some:
    """The first rows that a database or Spark hands out."""
    if kind_of(address).file == "spark":
        library("pyspark", "spark")
        from engine.sources.spark import first_rows, frame_of  # late: it brings Spark

        name, frame = frame_of(address)
        n = _fewer(n, HANDED, len(frame.columns))
        rows = first_rows(frame, n, progress)
    else:
        library("ibis", "sources")
        from engine.sources.databases import Database  # late: it brings Ibis

        database = Database.of(address)
        n = _fewer(n, HANDED, len(database.rows.columns))
        found = database.first(n, options, progress)
        return Some(found, places=int(found.height >= n))
    return Some(declared_raw(one_line(name), rows, rows.schema, options, None), places=int(rows.num_rows >= n))
