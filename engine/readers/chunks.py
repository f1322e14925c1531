"""The rows of a file in chunks. Of text, Parquet (a folder of files, too), Feather and the table of a database the
memory does not grow with the rows; a workbook and an ARFF file are read whole.

The chunks of a text hold whole records, and each goes through what reads a text table (`text`): short rows are filled,
and errors name the line of the file.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pa_parquet

from engine.readers.files import as_utf8, checked_path, file_bytes, known_format, size_of
from engine.readers.options import ReadOptions
from engine.readers.parquet import broken, column_names, open_file, plain_column, read_parquet
from engine.readers.preview import READERS
from engine.readers.raw import chosen_names, without_empty_rows
from engine.readers.sniff import records, single_spaces
from engine.readers.text import (
    SAMPLE_BYTES,
    check_quotes,
    filled_in,
    guess_layout,
    mended,
    text_columns,
    whole_lines,
)
from engine.runtime.libraries import library
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr

BLOCK = 2**24  # bytes of text read at once
ROWS = 2**17  # rows of other files at once
LONGEST_RECORD = 2**28  # bytes: where no record ends in so many, a quotation mark is probably never closed
GENEROUS = {"utf-8": ("utf-8", "cp1252", "latin-1"), "cp1252": ("cp1252", "latin-1")}  # tried in turn


@dataclass(eq=False)
class Rows:
    """A file whose rows are read while `chunks` is gone through, once.

    Attributes:
        label: how sentences call the file.
        names: of the columns, unique.
        typed: the file declares the types of its columns; else every cell is text.
        options: what it is read with, every guess filled in.
        chunks: (the columns of some rows as they stand in the file, the share of the file that is read then).
        notes: announcements in words, complete when all chunks are read.
    """

    label: str
    names: tuple[str, ...]
    typed: bool
    options: ReadOptions
    chunks: Iterator[tuple[list[Any], float]]
    notes: list[str]


def open_rows(path: str | Path, options: ReadOptions, progress: Progress | None = None) -> Rows:
    """A file of any format that tables are read from, which is read while its chunks are taken.

    Args:
        progress: stops the reading of what is read whole.

    Raises:
        InputError: the file cannot be read; taking a chunk raises it where rows do not fit the header.
    """
    found = checked_path(path, many=True)
    kind = known_format(found)
    if kind == "csv":
        return _text(found, options)
    if kind in ("folder", "duckdb"):
        return _related(found, options)
    return _typed_file(found, options, progress) if kind == "parquet" else _whole(kind, found, options, progress)


def readable_column(cells: Any, name: str) -> Any | None:
    """A column of a typed file as `plain_column` gives it; None where no column of a tree holds such values."""
    return plain_column(cells if isinstance(cells, pa.ChunkedArray) else pa.chunked_array([cells]), name)[0]


# -- text


def _text(path: Path, options: ReadOptions) -> Rows:
    sample = file_bytes(path, SAMPLE_BYTES + 1)
    is_cut = len(sample) > SAMPLE_BYTES
    text, encoding, notes = as_utf8(sample, options.encoding, path.name, cut=is_cut)
    sure = _encoding_of(path, encoding) if is_cut else encoding
    if sure != encoding:
        text, encoding, more = as_utf8(sample, sure, path.name, cut=is_cut)
        notes += [*more, tr("The text is not valid UTF-8: it was read as Windows-1252 (cp1252).")]
    found, beginning = guess_layout(whole_lines(text.decode("utf-8", "ignore"), is_cut), options, path.name, limit=0)
    names, renamed = chosen_names(path.name, found.header, options)
    rows = Rows(path.name, names, False, filled_in(options, found, encoding), iter(()), [*notes, *renamed])

    def chunks() -> Iterator[tuple[list[Any], float]]:
        lines, n_empty, start = 0, 0, len(beginning[: found.start].encode())
        for block, share in _blocks(path, encoding, found.delimiter):
            if found.delimiter == " ":
                block = single_spaces(block.decode()).encode()
            columns, odd = text_columns(block, start, found, path.name)
            if odd:
                whole, remarks = mended(block, start, found, path.name, lines)
                columns, _ = text_columns(whole, 0, found, path.name)
                rows.notes.extend(remarks)
            lines, start = lines + _count_lines(block), 0
            columns, n = without_empty_rows(columns)
            n_empty += n
            yield columns, share
        if n_empty:
            one = tr("1 empty row was left out.")
            rows.notes.append(one if n_empty == 1 else tr("{n:,} empty rows were left out.", n=n_empty))

    rows.chunks = chunks()
    return rows


def _encoding_of(path: Path, encoding: str) -> str:
    """The first encoding in which the whole file can be read, of those that its beginning may be in; that of the
    beginning where none fits."""
    usual = codecs.lookup(encoding).name.removesuffix("-sig")
    for attempt in GENEROUS.get(usual, ()):
        decoder = codecs.getincrementaldecoder(attempt)("strict")
        try:
            with path.open("rb") as file:
                while data := file.read(BLOCK):
                    decoder.decode(data)
                decoder.decode(b"", True)
        except UnicodeDecodeError:
            continue
        return encoding if attempt == usual else attempt
    return encoding


def _blocks(path: Path, encoding: str, delimiter: str) -> Iterator[tuple[bytes, float]]:
    """Whole records as UTF-8, and the share of the file that is read then."""
    is_utf8 = codecs.lookup(encoding).name.removesuffix("-sig") == "utf-8"
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    size, lines, kept, is_first = size_of(path), 0, b"", True
    with path.open("rb") as file:
        while True:
            data = file.read(BLOCK)
            text = data if is_utf8 else decoder.decode(data, final=not data).encode("utf-8", "replace")
            if is_first:
                text, is_first = text.removeprefix(codecs.BOM_UTF8), False
            kept += text
            end = last_record(kept, delimiter) if data else len(kept)
            if not data or (end == 0 and len(kept) > LONGEST_RECORD):
                check_quotes(kept, delimiter, path.name, lines)
            if end:
                yield kept[:end], min(1.0, file.tell() / max(size, 1))
                lines, kept = lines + _count_lines(kept[:end]), kept[end:]
            if not data:
                return


def last_record(text: bytes, delimiter: str) -> int:
    """Where the last record that is surely whole ends; 0 where none is.

    Where every line holds an even number of quotation marks, no cell goes on in the next line. Else the records are
    walked through, which takes ten times as long.
    """
    ending = b"\n" if b"\n" in text else b"\r"
    last = text.rfind(ending) + 1
    if b'"' not in text:
        return last
    data = np.frombuffer(text, np.uint8)[:last]
    before = np.searchsorted(np.flatnonzero(data == ord('"')), np.flatnonzero(data == ending[0]))
    if not np.any(before % 2):
        return last
    ends = [0, 0]
    written = text[:last].decode()
    for _, end in records(written, delimiter):
        ends = [ends[1], end]
    return len(written[: ends[0]].encode())


def _count_lines(text: bytes) -> int:
    return text.count(b"\n") or text.count(b"\r")


# -- workbooks, and files that declare their types


def _whole(kind: str, path: Path, options: ReadOptions, progress: Progress | None) -> Rows:
    raw = READERS[kind](path, options, progress=progress)
    return Rows(path.name, raw.names, raw.typed, raw.options, _slices(raw.columns, raw.height), list(raw.notes))


def _slices(columns: list[Any], n_rows: int) -> Iterator[tuple[list[Any], float]]:
    for begin in range(0, n_rows, ROWS):
        yield [cells[begin : begin + ROWS] for cells in columns], min(1.0, (begin + ROWS) / n_rows)


def _typed_file(path: Path, options: ReadOptions, progress: Progress | None) -> Rows:
    start = file_bytes(path, 4)
    if start == b"FEA1":  # the old Feather, which is read whole
        return _whole("parquet", path, options, progress)
    read_parquet(path, replace(options, names=None), limit=1)  # what cannot be opened says so here
    is_parquet = start == b"PAR1"
    with broken(path), open_file(path) as source:
        schema = pa_parquet.read_schema(source) if is_parquet else pa.ipc.open_file(source).schema
    names, renamed = chosen_names(path.name, column_names(schema.names), options)
    batches = _parquet_batches(path) if is_parquet else _feather_batches(path)
    return Rows(path.name, names, True, options, batches, renamed)


def _related(path: Path, options: ReadOptions) -> Rows:
    """The rows of a folder, a glob or the table of a database."""
    library("duckdb", "sources")
    from engine.readers.relations import open_relation, reading  # late: they bring DuckDB

    found = open_relation(path, options)

    def chunks() -> Iterator[tuple[list[Any], float]]:
        with reading():
            n_rows, done = max(found.count(), 1), 0
            for batch in found.shown.to_arrow_reader(ROWS):
                done += batch.num_rows
                yield list(batch.columns), done / n_rows

    return Rows(found.label, found.names, True, found.options, chunks(), list(found.notes))


def _parquet_batches(path: Path) -> Iterator[tuple[list[Any], float]]:
    with broken(path), open_file(path) as source, pa_parquet.ParquetFile(source, pre_buffer=False) as file:
        n_rows, done = file.metadata.num_rows, 0
        for batch in file.iter_batches(batch_size=ROWS):
            done += batch.num_rows
            yield _sound(batch), done / max(n_rows, 1)


def _feather_batches(path: Path) -> Iterator[tuple[list[Any], float]]:
    with broken(path), open_file(path) as source, pa.ipc.open_file(source) as reader:
        n = reader.num_record_batches
        for i in range(n):
            batch = pa.record_batch(_sound(reader.get_batch(i)), reader.schema)
            for begin in range(0, batch.num_rows, ROWS):
                yield batch.slice(begin, ROWS).columns, (i + 1) / n


def _sound(batch: Any) -> list[Any]:
    """The columns of a batch, of which nothing later reads beyond its end; raises where the file is damaged."""
    for cells in batch.columns:
        cells.validate(full=not pa.types.is_date64(cells.type))  # many writers leave the time of day in such dates
    return list(batch.columns)
