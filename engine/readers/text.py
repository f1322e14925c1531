"""Tables of text: .csv, .tsv, .txt, and what people paste.

Arrow reads the cells on all processors, each as text; rows with too many or too few cells, and quotation marks that
nobody closes, are looked at one by one. A million rows of ten columns become a table in 0.9 s of processor time, of
which these cells take 0.25 s; what they are is decided by `types`.
"""

import csv
import io
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from engine.readers.files import SOMETHING, as_utf8, check_columns
from engine.readers.options import ReadOptions
from engine.readers.raw import Raw, from_cells, text_array
from engine.readers.sniff import Layout, is_blank, layout, single_spaces
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr

BLOCK = 2**23
LARGEST_BLOCK = 2**31 - 1
FEW_ROWS = 10  # so many short rows are filled …
FEW_SHARE = 0.1  # … or this share of all rows
LONGEST_CELL = 2**31 - 1
CHUNK = 2**18  # bytes counted together: they stay in the cache
SAMPLE_BYTES = 2**20


def text_columns(text: bytes, start: int, found: Layout, label: str) -> tuple[list[Any], int]:
    """Columns of text from byte `start`, and how many rows did not have as many cells and were skipped.

    Raises:
        InputError: this is no table with that delimiter.
    """
    names = [str(i) for i in range(len(found.header))]
    if start == len(text):
        return [text_array([]) for _ in names], 0
    body = pa.py_buffer(text).slice(start)
    odd = 0

    def skip(row: Any) -> str:
        nonlocal odd
        odd += bool(row.text.strip())
        return "skip"

    def read(block: int) -> Any:
        return pa_csv.read_csv(
            pa.BufferReader(body),
            pa_csv.ReadOptions(column_names=names, block_size=max(64, min(block, body.size + 1))),
            pa_csv.ParseOptions(
                delimiter=found.delimiter, newlines_in_values=b'"' in text, invalid_row_handler=skip
            ),
            pa_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
        )  # fmt: skip

    try:
        try:
            table = read(BLOCK)
        except pa.ArrowInvalid as error:
            if body.size <= BLOCK or "straddling" not in str(error):
                raise
            odd = 0
            table = read(LARGEST_BLOCK)  # one row is longer than a block
    except pa.ArrowInvalid as error:
        raise InputError(tr(
            "{label} cannot be read as a table with “{delimiter}” between cells: choose another delimiter.",
            label=label, delimiter=found.delimiter)) from error  # fmt: skip
    return table.columns, odd


def mended(text: bytes, start: int, found: Layout, label: str, lines_before: int = 0) -> tuple[bytes, list[str]]:
    """The rows of values rewritten, each with as many cells as there are columns, and notes.

    Short rows are filled with missing values, when they are few; empty cells too many are cut off.

    Raises:
        InputError: a row has too many cells, or too many rows are short; the text names the first line.
    """
    csv.field_size_limit(LONGEST_CELL)  # the default of 131,072 characters refuses cells that Arrow has read
    body = text[start:].decode()
    before = text[:start].decode()
    first_line = 1 + lines_before + before.count("\n") + before.count("\r") - before.count("\r\n")
    try:
        return _refitted(body, first_line, found, label, skip_spaces=False)
    except InputError:
        if found.delimiter != " " and '"' in body:
            with suppress(InputError):  # `1, "a, b"`: the quotation mark counts only when the space before is skipped
                return _refitted(body, first_line, found, label, skip_spaces=True)
        raise


def _refitted(body: str, first_line: int, found: Layout, label: str, *, skip_spaces: bool) -> tuple[bytes, list[str]]:
    width = len(found.header)
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=found.delimiter, skipinitialspace=skip_spaces)
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=found.delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
    short, n_rows, line = list[tuple[int, int]](), 0, first_line
    for row in reader:
        if not is_blank(row):
            n_rows += 1
            if any(cell.strip() for cell in row[width:]):
                said = {"label": label, "n": len(row), "line": line, "width": width}
                fault = tr(
                    "{label} has {n} cells in line {line} where {width} are expected: correct that line, or choose "
                    "another delimiter.",
                    **said,
                )
                if found.has_header:
                    fault = tr(
                        "{label} has {n} cells in line {line} where the header has {width}: correct that line, or "
                        "choose another delimiter.",
                        **said,
                    )
                raise InputError(fault)
            if len(row) < width:
                short.append((line, len(row)))
            writer.writerow((row + [""] * (width - len(row)))[:width])
        line = first_line + reader.line_num
    if not short:
        return written.getvalue().encode(), []
    line, n_cells = short[0]
    if len(short) > max(FEW_ROWS, FEW_SHARE * n_rows):
        raise InputError(tr(
            "{label} has too few cells in {short:,} of {rows:,} rows, first in line {line} ({cells} instead of "
            "{width}): correct them, or choose another delimiter.", label=label, short=len(short), rows=n_rows,
            line=line, cells=n_cells, width=width))  # fmt: skip
    if len(short) == 1:
        note = tr(
            "Line {line} has {n} of {width} cells: the others count as missing.", line=line, n=n_cells, width=width
        )
    else:
        said = {"rows": len(short), "width": width, "line": line}
        note = tr(
            "{rows:,} rows have fewer than {width} cells, first line {line}: the others count as missing.", **said
        )
    return written.getvalue().encode(), [note]


def check_quotes(text: bytes, delimiter: str, label: str, lines_before: int = 0) -> None:
    """Refuses a text whose last quotation mark is never closed: all rows after it would become one cell."""
    data = np.frombuffer(text, np.uint8)  # `bytes.count` stops at each mark
    n_quotes = sum(int(np.count_nonzero(data[at : at + CHUNK] == ord('"'))) for at in range(0, data.size, CHUNK))
    if n_quotes % 2 == 0:
        return
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(io.StringIO(text.decode(), newline=""), delimiter=delimiter, strict=True)
    line = 1 + lines_before
    try:
        for _ in reader:
            line = reader.line_num + 1 + lines_before
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise InputError(tr(
                '{label} opens a quotation mark (") in line {line} and never closes it: add or delete one there.',
                label=label, line=line)) from error  # fmt: skip


# -- text in any layout


def read_text_table(data: bytes, options: ReadOptions, label: str) -> Raw:
    """All rows of a text table.

    Raises:
        InputError: no text, nothing in it, or rows that do not fit the header.
    """
    text, encoding, notes = as_utf8(data, options.encoding, label)
    beginning = whole_lines(text[:SAMPLE_BYTES].decode("utf-8", errors="ignore"), len(text) > SAMPLE_BYTES)
    found, beginning = guess_layout(beginning, options, label, limit=0)
    if found.delimiter == " ":
        text = single_spaces(text.decode()).encode()
    check_quotes(text, found.delimiter, label)
    start = len(beginning[: found.start].encode())
    start = start if SOMETHING.search(text, start) else len(text)
    columns, odd = text_columns(text, start, found, label)
    if odd:
        text, remarks = mended(text, start, found, label)
        columns, _ = text_columns(text, 0, found, label)
        notes += remarks
    return from_cells(label, found.header, columns, filled_in(options, found, encoding), tuple(notes))


def sample_text_table(data: bytes, options: ReadOptions, label: str, *, cut: bool, limit: int) -> Raw:
    """The first rows of a text table, from its first bytes; rows that do not fit are made to fit and noted.

    Args:
        cut: the data are only the beginning of the file.
        limit: how many rows at most.
    """
    text, encoding, notes = as_utf8(data, options.encoding, label, cut=cut)
    found, _ = guess_layout(whole_lines(text.decode(), cut), options, label, limit=limit + 1)
    whole = not cut and len(found.rows) <= limit
    rows, width = found.rows[:limit], len(found.header)
    notes += _odd_row(rows, width)
    if not cut:
        try:
            check_quotes(text, found.delimiter, label)
        except InputError as error:
            notes.append(str(error))
    columns = [text_array([row[i] if i < len(row) else "" for row in rows]) for i in range(width)]
    raw = from_cells(label, found.header, columns, filled_in(options, found, encoding), tuple(notes))
    return raw if whole else replace(raw, n_rows=None)


def _odd_row(rows: list[list[str]], width: int) -> list[str]:
    for number, row in enumerate(rows, 1):
        if len(row) < width or any(cell.strip() for cell in row[width:]):
            said = {"row": number, "width": width, "start": row[0][:40]}
            if len(row) == 1:
                return [tr("Row {row} has 1 cell where {width} are expected; it begins with “{start}”.", **said)]
            text = tr(
                "Row {row} has {n} cells where {width} are expected; it begins with “{start}”.", n=len(row), **said
            )
            return [text]
    return []


def guess_layout(beginning: str, options: ReadOptions, label: str, limit: int) -> tuple[Layout, str]:
    """How the text is laid out, and its beginning, in which runs of spaces are one where they separate the cells."""
    found = layout(beginning, options.delimiter, options.decimal, options.header, limit=limit)
    check_columns(label, len(found.header))
    if found.delimiter == " ":
        beginning = single_spaces(beginning)
        found = layout(beginning, " ", options.decimal, options.header, limit=limit)
    return found, beginning


def filled_in(options: ReadOptions, found: Layout, encoding: str) -> ReadOptions:
    """The options with what was guessed."""
    return replace(
        options, delimiter=found.delimiter, decimal=found.decimal, encoding=encoding, header=found.has_header
    )


def whole_lines(text: str, cut: bool) -> str:
    """Without the last line when the text was cut, as it may end in the middle of a cell."""
    if not cut:
        return text
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text[: end + 1] if end >= 0 else text
