"""Tables of text: .csv, .tsv, .txt, and what people paste."""

import re
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv

from engine.errors import InputError
from engine.readers.encoding import as_utf8
from engine.readers.options import ReadOptions
from engine.readers.ragged import check_quotes, mended
from engine.readers.raw import Raw, from_cells, text_array
from engine.readers.sniff import Layout, layout, single_spaces

SAMPLE_BYTES = 2**20
BLOCK = 2**23
LARGEST_BLOCK = 2**31 - 1
SOMETHING = re.compile(rb"[^ \t\r\n\f\v\x1a]")


def read_text_table(data: bytes, options: ReadOptions, label: str) -> Raw:
    """All rows of a text table; every cell stays text.

    Raises:
        InputError: no text, nothing in it, or rows that do not fit the header.
    """
    text, encoding, notes = as_utf8(data, options.encoding, label)
    _refuse_empty(text, label)
    beginning = _whole_lines(text[:SAMPLE_BYTES].decode("utf-8", errors="ignore"), len(text) > SAMPLE_BYTES)
    found = _layout(beginning, options, limit=0)
    if found.delimiter == " ":
        text = single_spaces(text.decode()).encode()
        beginning = single_spaces(beginning)
        found = _layout(beginning, replace(options, delimiter=" "), limit=0)
    check_quotes(text, found.delimiter, label)
    start = len(beginning[: found.start].encode())
    columns, odd = _bulk(text, start, found.delimiter, len(found.header), label)
    if odd:
        text, said = mended(text, start, found, label)
        columns, _ = _bulk(text, 0, found.delimiter, len(found.header), label)
        notes += said
    return from_cells(label, found.header, columns, _filled_in(options, found, encoding), tuple(notes))


def sample_text_table(data: bytes, options: ReadOptions, label: str, *, cut: bool, limit: int) -> Raw:
    """The first rows of a text table, from its first bytes; rows that do not fit are made to fit and noted.

    Args:
        cut: the data are only the beginning of the file.
        limit: how many rows at most.
    """
    text, encoding, notes = as_utf8(data, options.encoding, label, cut=cut)
    _refuse_empty(text, label)
    beginning = _whole_lines(text.decode(), cut)
    found = _layout(beginning, options, limit=limit + 1)
    if found.delimiter == " ":
        found = _layout(single_spaces(beginning), replace(options, delimiter=" "), limit=limit + 1)
    whole = not cut and len(found.rows) <= limit
    rows, width = found.rows[:limit], len(found.header)
    notes += _odd_row(rows, width)
    if not cut:
        try:
            check_quotes(text, found.delimiter, label)
        except InputError as error:
            notes.append(str(error))
    columns = [text_array([row[i] if i < len(row) else "" for row in rows]) for i in range(width)]
    raw = from_cells(label, found.header, columns, _filled_in(options, found, encoding), tuple(notes))
    return raw if whole else replace(raw, n_rows=None)


def _odd_row(rows: list[list[str]], width: int) -> list[str]:
    for number, row in enumerate(rows, 1):
        if len(row) < width or any(cell.strip() for cell in row[width:]):
            cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
            return [f"Row {number} has {cells} where {width} are expected; it begins with “{row[0][:40]}”."]
    return []


def _layout(beginning: str, options: ReadOptions, limit: int) -> Layout:
    return layout(beginning, options.delimiter, options.decimal, options.header, limit=limit)


def _filled_in(options: ReadOptions, found: Layout, encoding: str) -> ReadOptions:
    return replace(
        options, delimiter=found.delimiter, decimal=found.decimal, encoding=encoding, header=found.has_header
    )


def _refuse_empty(text: bytes, label: str) -> None:
    if not SOMETHING.search(text):
        raise InputError(f"{label} is empty: choose a table with a header and rows.")


def _whole_lines(text: str, cut: bool) -> str:
    """Without the last line when the text was cut, as it may end in the middle of a cell."""
    if not cut:
        return text
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text[: end + 1] if end >= 0 else text


def _bulk(text: bytes, start: int, delimiter: str, width: int, label: str) -> tuple[list[Any], int]:
    """Columns of text from byte `start`, and how many rows did not have `width` cells and were skipped."""
    names = [str(i) for i in range(width)]
    body = pa.py_buffer(text).slice(start)
    if not SOMETHING.search(text, start):
        return [text_array([]) for _ in names], 0
    odd = 0

    def skip(row: Any) -> str:
        nonlocal odd
        odd += bool(row.text.strip())
        return "skip"

    for block in (BLOCK, LARGEST_BLOCK):
        odd = 0
        try:
            table = pa_csv.read_csv(
                pa.BufferReader(body),
                read_options=pa_csv.ReadOptions(column_names=names, block_size=min(block, max(body.size + 1, 64))),
                parse_options=pa_csv.ParseOptions(
                    delimiter=delimiter, newlines_in_values=b'"' in text, invalid_row_handler=skip
                ),
                convert_options=pa_csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
                ),
            )
        except pa.ArrowInvalid as error:
            if block == BLOCK and body.size > BLOCK and "straddling" in str(error):
                continue  # one row is longer than a block
            raise InputError(
                f"{label} cannot be read as a table with “{delimiter}” between cells: choose another delimiter."
            ) from error
        return [text_array(table.column(i)) for i in range(width)], odd
    raise AssertionError("unreachable")
