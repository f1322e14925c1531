"""Workbooks: .xlsx, .xlsm, .xlsb, .xls and .ods, read by calamine."""

import datetime
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import python_calamine

from engine.errors import InputError
from engine.readers.files import file_bytes
from engine.readers.options import ReadOptions
from engine.readers.raw import Raw, from_cells, text_array
from engine.readers.sniff import LOOKED_AT, guess_decimal

OLE = b"\xd0\xcf\x11\xe0"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
ERRORS = frozenset(("#N/A", "#NA", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!"))


def read_excel(path: Path, options: ReadOptions, *, limit: int | None = None) -> Raw:
    """One sheet, the first that is not empty unless the options name one; every cell as text.

    Raises:
        InputError: no workbook, protected by a password, no such sheet, or nothing in it.
    """
    book = _workbook(path, file_bytes(path))
    sheets = tuple(book.sheet_names)
    if not sheets:
        raise InputError(f"{path.name} has no sheets: choose another workbook.")
    name = options.sheet
    if name is not None and name not in sheets:
        raise InputError(f"{path.name} has no sheet “{name}”: choose one of {', '.join(sheets)}.")
    for candidate in sheets if name is None else (name,):
        sheet = _guarded(path, book.get_sheet_by_name, candidate)
        rows = _guarded(path, sheet.to_python, nrows=None if limit is None else limit + 2)
        if any(cell != "" for row in rows for cell in row):
            chosen = replace(options, sheet=candidate, decimal=options.decimal or _text_decimal(rows))
            raw = _from_rows(rows, _merged_header(sheet), chosen, path.name)
            whole = limit is None or len(rows) <= limit + 1
            n_rows = raw.height if whole else sheet.height - int(raw.options.header is not False)
            return replace(raw, sheets=sheets, n_rows=n_rows)
    if name is None:
        raise InputError(f"{path.name} has nothing in its sheets: fill one in, or choose another workbook.")
    emptiness = f"The sheet “{name}” of {path.name} is empty: choose another sheet."
    if limit is None:
        raise InputError(emptiness)
    return Raw(path.name, (), [], options, (emptiness,), sheets, 0)  # a preview lets people choose another


def _workbook(path: Path, data: bytes) -> Any:
    if not data:
        raise InputError(f"{path.name} is empty: choose a table with a header and rows.")
    if data.startswith(OLE) and ENCRYPTED in data:
        raise InputError(_protected(path))
    return _guarded(path, python_calamine.CalamineWorkbook.from_filelike, io.BytesIO(data))


def _guarded(path: Path, call: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls into calamine; what goes wrong inside becomes a sentence."""
    try:
        return call(*args, **kwargs)
    except python_calamine.PasswordError as error:
        raise InputError(_protected(path)) from error
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the Rust library is no Exception
        if "password" in str(error).lower():
            raise InputError(_protected(path)) from error
        raise InputError(f"{path.name} is broken, or is no Excel workbook: save it anew as .xlsx or .csv.") from error


def _protected(path: Path) -> str:
    return f"{path.name} is protected by a password: save a copy without one and open that."


def _merged_header(sheet: Any) -> list[tuple[int, int]]:
    """First and last column of the cells merged in the first row, counted from the first column in use."""
    if sheet.start is None:
        return []
    top, left = sheet.start
    ranges = sheet.merged_cell_ranges or []
    return [(a[1] - left, b[1] - left) for a, b in ranges if a[0] <= top <= b[0] and a[1] >= left]


def _text_decimal(rows: list[list[Any]]) -> str:
    """The decimal mark of numbers that are stored as text."""
    texts = [[cell if isinstance(cell, str) else "" for cell in row] for row in rows[1:LOOKED_AT]]
    return guess_decimal(texts, "\t")


def _from_rows(rows: list[list[Any]], merged: list[tuple[int, int]], options: ReadOptions, label: str) -> Raw:
    has_header = options.header is not False
    decimal = options.decimal or "."
    width = max(len(row) for row in rows)
    texts = [[cell_text(cell, decimal) for cell in row] + [""] * (width - len(row)) for row in rows]
    header = texts[0] if has_header else [""] * width
    if has_header:
        for first, last in merged:  # a merged heading names every column below it
            for i in range(first + 1, min(last + 1, width)):
                header[i] = header[i] or header[first]
    body = texts[1:] if has_header else texts
    columns = [text_array([row[i] for row in body]) for i in range(width)]
    return from_cells(label, header, columns, replace(options, header=has_header))


def cell_text(cell: Any, decimal: str = ".") -> str:
    """A cell as text that reads back as the same value."""
    if isinstance(cell, str):
        return "" if cell.strip() in ERRORS else cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        text = f"{cell:.0f}" if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
        return text.replace(".", decimal)
    if isinstance(cell, datetime.datetime):
        at_midnight = cell.time() == datetime.time()
        return cell.date().isoformat() if at_midnight else cell.isoformat(" ")
    return "" if cell is None else str(cell)
