"""Parquet and Feather files: typed by their writer, so nothing is guessed. Each of Arrow's types becomes one of a few,
or is left out."""

import datetime
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc
import pyarrow.parquet as pa_parquet

from engine.readers.apart import read_apart
from engine.readers.files import check_size, file_bytes
from engine.readers.options import ReadOptions
from engine.readers.raw import Raw, chosen_names
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.words import lost_dates

PREVIEW_BYTES = 2**26  # of the texts of a preview: fewer rows are shown where they are long
AT_ONCE = 500  # rows of a preview
INDEX = "__index_level_0__"  # how pandas calls an index without a name
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
DAY = 86_400
EPOCH = datetime.datetime(1970, 1, 1)
FIRST_DAY = (datetime.datetime.min - EPOCH).days
LAST_DAY = (datetime.datetime.max - EPOCH).days


def read_parquet(
    path: Path, options: ReadOptions, *, limit: int | None = None, progress: Progress | None = None
) -> Raw:
    """All rows, or the first `limit`, of a .parquet, .pq, .feather or .arrow file.

    Raises:
        InputError: the file is broken, is another kind of file, or holds no column that can be used; or a stop was
            asked for.
    """
    start = file_bytes(path, 8)
    if not start:
        raise InputError(tr("{file} is empty: choose a table with a header and rows.", file=path.name))
    with broken(path):
        if start.startswith(b"PAR1"):
            table, n_rows, declared = _parquet(path, limit)
        elif start.startswith(b"FEA1"):
            table, n_rows, declared = _old_feather(path, limit, progress)
        else:
            table, n_rows, declared = _feather(path, limit)
        return declared_raw(path.name, table, declared, options, n_rows)


def declared_raw(label: str, table: Any, declared: Any, options: ReadOptions, n_rows: int | None) -> Raw:
    """A table of Arrow as it was declared; columns of which no split can be made are left out.

    Args:
        declared: the schema; a column of texts that it declares may be held as a dictionary.
        n_rows: of the whole table, of which these may be the first.

    Raises:
        InputError: no column can be used.
    """
    coded = {i for i, field in enumerate(declared) if _is_coded(table.column(i), field)}
    names = column_names(table.column_names)
    found = [plain_column(cells, name) for cells, name in zip(table.itercolumns(), names, strict=True)]
    columns = {i: cells for i, (cells, _) in enumerate(found) if cells is not None}
    if not columns:
        raise InputError(tr("{file} holds no column of numbers, texts or dates: choose another table.", file=label))
    notes = [note for _, remarks in found for note in remarks]
    notes += [left_out(name) for i, name in enumerate(names) if i not in columns]
    kept, renamed = chosen_names(label, [names[i] for i in columns], options)
    raw = Raw(label, kept, list(columns.values()), options, (*notes, *renamed), typed=True)
    return replace(
        raw, n_rows=n_rows, coded=frozenset(name for name, i in zip(kept, columns, strict=True) if i in coded)
    )


def left_out(name: str) -> str:
    """That no split can be made of a column."""
    return tr("“{name}” holds nested or binary values and was left out.", name=name)


@contextmanager
def broken(path: Path) -> Iterator[None]:
    """Whatever is raised while a file is read becomes the sentence that it is broken."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:  # broken files raise nearly everything: OSError, ArrowException, KeyError, …
        raise InputError(
            tr("{file} is broken, or is no Parquet or Feather file: export it again.", file=path.name)
        ) from error


def column_names(declared: list[str]) -> list[str]:
    """What a file calls its columns, and a word for an index of pandas."""
    return ["row names" if name == INDEX else name for name in declared]


def _parquet(path: Path, limit: int | None) -> tuple[Any, int, Any]:
    """The table, how many rows the file has, and the schema that it declares: texts are read as dictionaries, so that
    one which a million rows have is held once."""
    with _opened(path, limit) as source, pa_parquet.ParquetFile(source) as file:
        n_rows, declared = file.metadata.num_rows, file.schema_arrow
        check_size(path.name, n_rows, file.metadata.num_columns)
        levels = {field.name for field in declared if pa.types.is_dictionary(field.type)}
        leaves = [file.schema.column(i) for i in range(file.metadata.num_columns)]
        texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY" and leaf.path not in levels]
        coded = pa_parquet.ParquetFile(source, metadata=file.metadata, read_dictionary=texts)
        if limit is None:
            return coded.read(use_threads=True), n_rows, declared
        batches = coded.iter_batches(batch_size=AT_ONCE)
        return _decoded(_first_rows(batches, coded.schema_arrow, limit), declared), n_rows, declared


def _feather(path: Path, limit: int | None) -> tuple[Any, int, Any]:
    with _opened(path, limit) as source, pa.ipc.open_file(source) as reader:
        n_rows = _n_rows(reader)
        check_size(path.name, n_rows, len(reader.schema))
        batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
        table = reader.read_all() if limit is None else _first_rows(batches, reader.schema, limit)
        return table, n_rows, reader.schema


def _n_rows(reader: Any) -> int:
    try:
        return int(reader.count_rows())
    except AttributeError:  # an old Arrow
        return sum(reader.get_batch(i).num_rows for i in range(reader.num_record_batches))


def _old_feather(path: Path, limit: int | None, progress: Progress | None) -> tuple[Any, int, Any]:
    """The first version of Feather. Arrow believes every length in it, so it is read where a crash does no harm."""
    stream = read_apart("feather", path, preview=limit is not None, progress=progress)
    table = pa.ipc.open_stream(stream).read_all()
    return (table if limit is None else table.slice(0, limit)), table.num_rows, table.schema


def _first_rows(batches: Iterable[Any], schema: Any, limit: int) -> Any:
    """The first `limit` rows, fewer where their texts are long."""
    taken, n_rows, n_bytes = list[Any](), 0, 0
    for batch in batches:
        taken.append(batch)
        n_rows, n_bytes = n_rows + batch.num_rows, n_bytes + batch.nbytes
        if n_rows >= limit or n_bytes > PREVIEW_BYTES:
            break
    table = pa.Table.from_batches(taken, schema=schema).slice(0, limit)
    n_letters = sum((_letters(cells) for cells in table.itercolumns()), np.zeros(table.num_rows, np.int64))
    return table.slice(0, max(1, int(np.searchsorted(np.cumsum(n_letters), PREVIEW_BYTES))))


def _letters(cells: Any) -> Any:
    """Bytes of each row's text, int64[n]; 0 unless they are a dictionary's."""
    if not pa.types.is_dictionary(cells.type) or not is_text(cells.type.value_type):
        return np.zeros(len(cells), np.int64)
    parts = [pc.take(pc.binary_length(chunk.dictionary), chunk.indices) for chunk in cells.chunks]
    return np.concatenate([pc.fill_null(part, 0).to_numpy(zero_copy_only=False) for part in parts] or [[]])


def is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _decoded(table: Any, declared: Any) -> Any:
    """The table with its texts as the file declares them, no longer as dictionaries."""
    for i, field in enumerate(declared):
        cells = table.column(i)
        if _is_coded(cells, field):
            chunks = [pc.cast(pc.take(chunk.dictionary, chunk.indices), field.type) for chunk in cells.chunks]
            table = table.set_column(i, field, pa.chunked_array(chunks, field.type))
    return table


def _is_coded(cells: Any, field: Any) -> bool:
    """Whether a column of texts was read as a dictionary that its file does not declare."""
    return bool(pa.types.is_dictionary(cells.type) and is_text(field.type))


def _opened(path: Path, limit: int | None) -> Any:
    """The bytes, or the file where only its beginning is wanted."""
    return pa.BufferReader(file_bytes(path)) if limit is None else open_file(path)


def open_file(path: Path) -> Any:
    """The file for Arrow; Python opens it, whatever letters its name has."""
    return pa.PythonFile(path.open("rb"), "r")


# -- columns whose type their file declares


def plain_column(cells: Any, name: str) -> tuple[Any | None, list[str]]:
    """The chunks of a column as one array of truths, numbers, text, dates, or a dictionary of texts; and notes.

    Dates lose their time zone (what is left is UTC), durations become seconds. None for nested and binary values, of
    which no split can be made.

    Raises:
        pa.ArrowInvalid: the values do not fit their type: the file is damaged.
    """
    cells.validate()
    if pa.types.is_date64(cells.type):  # many writers leave the time of day in it, which Arrow calls invalid
        cells = pa.chunked_array([chunk.view(pa.timestamp("ms")) for chunk in cells.chunks], pa.timestamp("ms"))
    cells.validate(full=True)
    if pa.types.is_dictionary(cells.type) and not _is_plain(cells.type.value_type):
        return None, []
    if pa.types.is_dictionary(cells.type):
        cells = cells.unify_dictionaries()
    whole = cells.combine_chunks()
    return _plain(whole.combine_chunks() if isinstance(whole, pa.ChunkedArray) else whole, name)


def _is_plain(kind: Any) -> bool:
    """Whether the values are of a type that is no dictionary and holds no others."""
    return not (pa.types.is_nested(kind) or pa.types.is_dictionary(kind) or isinstance(kind, pa.BaseExtensionType))


def _plain(cells: Any, name: str) -> tuple[Any | None, list[str]]:
    kind = cells.type
    if isinstance(kind, pa.BaseExtensionType):
        return _plain(cells.storage, name)
    if pa.types.is_run_end_encoded(kind):
        try:
            return _plain(pc.run_end_decode(cells), name)
        except pa.ArrowNotImplementedError:  # of nested values
            return None, []
    if pa.types.is_dictionary(kind):
        values, notes = _plain(cells.dictionary, name)
        if values is None:
            return None, []
        return pa.DictionaryArray.from_arrays(cells.indices, _level_names(values), ordered=kind.ordered), notes
    if pa.types.is_timestamp(kind) or pa.types.is_date32(kind):
        return _within_the_calendar(cells, name)
    if pa.types.is_duration(kind):
        return pc.divide(pc.cast(cells.view(pa.int64()), pa.float64(), safe=False), float(PER_SECOND[kind.unit])), []
    if pa.types.is_time(kind) or pa.types.is_string_view(kind):
        return pc.cast(cells, pa.large_string()), []
    is_usable = (
        pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind)
        or pa.types.is_decimal(kind) or is_text(kind)
    )  # fmt: skip
    return (cells if is_usable else None), []


def _within_the_calendar(cells: Any, name: str) -> tuple[Any, list[str]]:
    """Dates as timestamp[us] or date32; what no calendar of Python shows is missing."""
    if pa.types.is_timestamp(cells.type):
        per_day = DAY * PER_SECOND[cells.type.unit]
        cells, ticks = cells.view(pa.timestamp(cells.type.unit)), cells.view(pa.int64())
    else:
        per_day, ticks = 1, cells.view(pa.int32())
    first, end = FIRST_DAY * per_day, (LAST_DAY + 1) * per_day
    outside = pc.or_(pc.less(pc.cast(ticks, pa.int64()), max(first, -(2**63))),
                     pc.greater(pc.cast(ticks, pa.int64()), min(end - 1, 2**63 - 1)))  # fmt: skip
    n_outside = pc.sum(outside).as_py() or 0
    notes = []
    if n_outside:
        cells = pc.if_else(outside, None, cells)
        notes.append(lost_dates(name, n_outside))
    return (pc.cast(cells, pa.timestamp("us"), safe=False) if pa.types.is_timestamp(cells.type) else cells), notes


def _level_names(values: Any) -> Any:
    """Values of a dictionary, numbers and dates among them, as texts."""
    if is_text(values.type):
        return pc.cast(values, pa.large_string())
    return pa.array([None if value is None else str(value) for value in values.to_pylist()], pa.large_string())
