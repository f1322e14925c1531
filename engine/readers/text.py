"""Tables of text: .csv, .tsv, .txt, and what people paste."""

import codecs
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.readers.body import Body
from engine.readers.careful import check_quotes, mended, text_columns
from engine.readers.encoding import as_utf8
from engine.readers.files import check_columns, file_bytes
from engine.readers.options import ReadOptions
from engine.readers.quick import NotQuick, quick_columns
from engine.readers.raw import Raw, from_cells, text_array
from engine.readers.sniff import Layout, layout, single_spaces
from engine.runtime.errors import InputError

SAMPLE_BYTES = 2**20
SOMETHING = re.compile(rb"[^ \t\r\n\f\v\x1a]")
MARGIN = 8  # bytes beyond the sample, so that a byte order mark or half a character takes nothing off it
QUICK_FROM = SAMPLE_BYTES  # bytes; what is smaller is read in no time, and every cell stays text until it is typed


def read_text_table(data: bytes, options: ReadOptions, label: str) -> Raw:
    """All rows of a text table; the cells stay text but for columns of plain numbers in a large one.

    Raises:
        InputError: no text, nothing in it, or rows that do not fit the header.
    """
    text, encoding, notes = as_utf8(data, options.encoding, label)
    _refuse_empty(text, label)
    beginning = _whole_lines(text[:SAMPLE_BYTES].decode("utf-8", errors="ignore"), len(text) > SAMPLE_BYTES)
    found = _layout(beginning, options, label, limit=0)
    if found.delimiter == " ":
        text = single_spaces(text.decode()).encode()
        beginning = single_spaces(beginning)
        found = _layout(beginning, replace(options, delimiter=" "), label, limit=0)
    check_quotes(text, found.delimiter, label)
    start = len(beginning[: found.start].encode())
    columns, odd = _columns(text, start, found, options, label)
    if odd:
        text, said = mended(text, start, found, label)
        columns, _ = _columns(text, 0, found, options, label)
        notes += said
    return from_cells(label, found.header, columns, _filled_in(options, found, encoding), tuple(notes))


def read_text_file(path: Path, options: ReadOptions) -> Raw:
    """All rows of a file, as `read_text_table` reads its bytes; a large one is never in memory as a whole.

    Raises:
        InputError: the file cannot be read, or as for `read_text_table`.
    """
    try:
        return _streamed(path, options)
    except (NotQuick, OSError):
        return read_text_table(file_bytes(path), options, path.name)


def _streamed(path: Path, options: ReadOptions) -> Raw:
    """The rows of a large file of plain UTF-8; NotQuick when it is none, or odd in any other way."""
    data = file_bytes(path, SAMPLE_BYTES + MARGIN)
    if len(data) < SAMPLE_BYTES + MARGIN:
        raise NotQuick
    text, encoding, notes = _as_plain(data, options, path.name)
    beginning = _whole_lines(text[:SAMPLE_BYTES].decode("utf-8", errors="ignore"), cut=True)
    found = _layout(beginning, options, path.name, limit=0)
    start = len(beginning[: found.start].encode())
    if found.delimiter == " " or not SOMETHING.search(text, start):
        raise NotQuick
    mark = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    columns, is_unpaired = quick_columns(Body.of_file(path, mark + start), found, options)
    if is_unpaired != text.count(b'"', 0, start) % 2:
        raise NotQuick
    return from_cells(path.name, found.header, columns, _filled_in(options, found, encoding), tuple(notes))


def _as_plain(data: bytes, options: ReadOptions, label: str) -> tuple[bytes, str, list[str]]:
    """`as_utf8` of the beginning of a file, if that says the same of the whole; else NotQuick."""
    try:
        text, encoding, notes = as_utf8(data, options.encoding, label, cut=True)
    except InputError as error:
        raise NotQuick from error
    if notes or codecs.lookup(encoding).name not in ("utf-8", "utf-8-sig"):
        raise NotQuick
    return text, encoding, notes


def _columns(text: bytes, start: int, found: Layout, options: ReadOptions, label: str) -> tuple[list[Any], int]:
    """The columns of the rows from byte `start`, and how many rows have not as many cells as there are columns."""
    has_rows = SOMETHING.search(text, start) is not None
    if has_rows and len(text) - start > QUICK_FROM:
        try:
            return quick_columns(Body.of_bytes(text, start), found, options)[0], 0
        except NotQuick:
            pass
    return text_columns(text, start if has_rows else len(text), found, label)


def sample_text_table(data: bytes, options: ReadOptions, label: str, *, cut: bool, limit: int) -> Raw:
    """The first rows of a text table, from its first bytes; rows that do not fit are made to fit and noted.

    Args:
        cut: the data are only the beginning of the file.
        limit: how many rows at most.
    """
    text, encoding, notes = as_utf8(data, options.encoding, label, cut=cut)
    _refuse_empty(text, label)
    beginning = _whole_lines(text.decode(), cut)
    found = _layout(beginning, options, label, limit=limit + 1)
    if found.delimiter == " ":
        found = _layout(single_spaces(beginning), replace(options, delimiter=" "), label, limit=limit + 1)
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


def _layout(beginning: str, options: ReadOptions, label: str, limit: int) -> Layout:
    found = layout(beginning, options.delimiter, options.decimal, options.header, limit=limit)
    check_columns(label, len(found.header))
    return found


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
