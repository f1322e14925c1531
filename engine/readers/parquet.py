"""Parquet and Feather files: typed by their writer, so nothing is guessed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as pa_feather
import pyarrow.ipc
import pyarrow.parquet as pa_parquet

from engine.errors import InputError
from engine.readers.files import file_bytes
from engine.readers.names import unique_names
from engine.readers.options import ReadOptions
from engine.readers.raw import Raw

INDEX = "__index_level_0__"  # how pandas calls an index without a name


def read_parquet(path: Path, options: ReadOptions, *, limit: int | None = None) -> Raw:
    """All rows, or the first `limit`, of a .parquet, .pq, .feather or .arrow file.

    Raises:
        InputError: the file is broken, is another kind of file, or holds no column that can be used.
    """
    start = file_bytes(path, 8)
    if not start:
        raise InputError(f"{path.name} is empty: choose a table with a header and rows.")
    try:
        table, n_rows = _parquet(path, limit) if start.startswith(b"PAR1") else _feather(path, limit)
        columns = {i: _one_array(table.column(i)) for i in range(table.num_columns) if _usable(table.schema.types[i])}
    except InputError:
        raise
    except Exception as error:  # broken files raise nearly everything: OSError, ArrowException, KeyError, …
        raise InputError(f"{path.name} is broken, or is no Parquet or Feather file: export it anew.") from error
    names = ["row names" if name == INDEX else name for name in table.column_names]
    if not columns:
        raise InputError(f"{path.name} holds no column of numbers, texts or dates: choose another table.")
    notes = [
        f"“{name}” holds nested or binary values and was left out." for i, name in enumerate(names) if i not in columns
    ]
    kept, renamed = unique_names(_given_names(path, [names[i] for i in columns], options))
    raw = Raw(path.name, kept, list(columns.values()), options, (*notes, *renamed), typed=True)
    return replace(raw, n_rows=n_rows)


def _parquet(path: Path, limit: int | None) -> tuple[Any, int]:
    with pa_parquet.ParquetFile(pa.BufferReader(file_bytes(path)) if limit is None else path) as file:
        if limit is None:
            return file.read(use_threads=True), file.metadata.num_rows
        first = next(iter(file.iter_batches(batch_size=limit)), None)
        batches = [] if first is None else [first]
        return pa.Table.from_batches(batches, schema=file.schema_arrow), file.metadata.num_rows


def _feather(path: Path, limit: int | None) -> tuple[Any, int]:
    if limit is not None:
        try:
            return _first_batches(path, limit)
        except (pa.ArrowInvalid, AttributeError):
            pass  # the format's first version has no batches, an old Arrow counts no rows; below, broken files are told
    table = pa_feather.read_table(pa.BufferReader(file_bytes(path)))
    return (table if limit is None else table.slice(0, limit)), table.num_rows


def _first_batches(path: Path, limit: int) -> tuple[Any, int]:
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        batches = list[Any]()
        while len(batches) < reader.num_record_batches and sum(batch.num_rows for batch in batches) < limit:
            batches.append(reader.get_batch(len(batches)))
        return pa.Table.from_batches(batches, schema=reader.schema).slice(0, limit), reader.count_rows()


def _one_array(column: Any) -> Any:
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    whole = column.combine_chunks()
    return whole.combine_chunks() if isinstance(whole, pa.ChunkedArray) else whole


def _usable(kind: Any) -> bool:
    return not (
        pa.types.is_nested(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
    )


def _given_names(path: Path, names: list[str], options: ReadOptions) -> list[str]:
    if options.names is None:
        return names
    if len(options.names) != len(names):
        raise InputError(
            f"{path.name} has {len(names)} columns but {len(options.names)} names are given: give one for each."
        )
    return list(options.names)
