"""Workbooks: .xlsx, .xlsm, .xlsb, .xls and .ods, read by calamine."""

import marshal
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.readers.apart import Crashed, most_memory, read_apart
from engine.readers.child import MOST_BYTES, OLE
from engine.readers.files import file_bytes
from engine.readers.options import ReadOptions
from engine.readers.raw import Raw, from_cells, text_array
from engine.readers.sniff import LOOKED_AT, guess_decimal
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr

FAULTS = {  # of `engine.readers.child.workbook`; places: the file's name, then what the child counted
    "password": marked("{file} is protected by a password: save a copy without one and open that."),
    "broken": marked("{file} is broken, or is no Excel workbook: save it again as .xlsx or .csv."),
    "long": marked("{file} has more than {most} bytes in its cells: save only the table as .csv."),
    "packed": marked("{file} has {n} cells in {size} bytes, which no table has: save only the table as .csv."),
    "sparse": marked(
        "{file} has {n} cells with a value on a sheet of {rows} rows and {columns} columns: "
        "clear the cells that are far away from the table, or save only the table as .csv."
    ),
}
EXTENT = {"packed": ("n", "size"), "sparse": ("n", "rows", "columns")}
ERRORS = frozenset(("#N/A", "#NA", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!"))


def read_excel(path: Path, options: ReadOptions, *, limit: int | None = None, progress: Progress | None = None) -> Raw:
    """One sheet, the first that is not empty unless the options name one; every cell as text.

    Raises:
        InputError: no workbook, protected by a password, no such sheet, nothing in it, or a stop was asked for.
    """
    start = file_bytes(path, len(OLE))
    if not start:
        raise InputError(tr("{file} is empty: choose a table with a header and rows.", file=path.name))
    if not start.startswith((b"PK", OLE)):
        raise _fault(path, "broken")
    found = _answer(path, options.sheet, limit, progress)
    sheets = tuple(found["sheets"])
    if not sheets:
        raise InputError(tr("{file} has no sheets: choose another workbook.", file=path.name))
    name = options.sheet
    if name is not None and name not in sheets:
        raise InputError(tr(
            "{file} has no sheet “{name}”: choose one of {sheets}.", file=path.name, name=name,
            sheets=", ".join(sheets)))  # fmt: skip
    if "rows" in found:
        rows, height = marshal.loads(found["rows"]), found["height"]
        texts = [[cell if isinstance(cell, str) else "" for cell in row] for row in rows[1:LOOKED_AT]]
        decimal = options.decimal or guess_decimal(texts, "\t")  # of numbers that are stored as text
        chosen = replace(options, sheet=found["name"], decimal=decimal)
        raw = _from_rows(rows, found["merged"], chosen, path.name)
        n_rows = raw.height if len(rows) == height else height - int(raw.options.header is not False)
        return replace(raw, sheets=sheets, n_rows=n_rows)
    if name is None:
        raise InputError(
            tr("{file} has nothing in its sheets: fill one in, or choose another workbook.", file=path.name)
        )
    emptiness = tr("The sheet “{name}” of {file} is empty: choose another sheet.", name=name, file=path.name)
    if limit is None:
        raise InputError(emptiness)
    return Raw(path.name, (), [], options, (emptiness,), sheets, 0)  # a preview lets people choose another


def _answer(path: Path, sheet: str | None, limit: int | None, progress: Progress | None) -> dict[str, Any]:
    """What `engine.readers.child.workbook` found; its faults become sentences."""
    wanted = marshal.dumps((sheet, None if limit is None else limit + 2)).hex()
    try:
        packed = read_apart("workbook", path, wanted, preview=limit is not None, progress=progress)
    except Crashed as error:
        raise _fault(path, "broken") from error
    except MemoryError as error:
        raise InputError(tr(
            "{file} asks for more than {size:,.1f} GB of memory: clear the cells that are far away from the table, "
            "or save only the table as .csv.", file=path.name, size=most_memory() / 2**30)) from error  # fmt: skip
    found: dict[str, Any] = marshal.loads(packed)
    if "fault" in found:
        raise _fault(path, found["fault"], *found.get("extent", ()))
    return found


def _fault(path: Path, fault: str, *extent: int) -> InputError:
    counted = {name: f"{n:,}" for name, n in zip(EXTENT.get(fault, ()), extent, strict=True)}
    return InputError(tr(FAULTS[fault], file=path.name, most=f"{MOST_BYTES:,}", **counted))


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
    """A cell as text that reads back as the same value; a date has been written already."""
    if isinstance(cell, str):
        return "" if cell.strip() in ERRORS else cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        text = f"{cell:.0f}" if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
        return text.replace(".", decimal)
    return cell.decode() if isinstance(cell, bytes) else str(cell)
