"""Reads a workbook or an old Feather file in a process of its own; `engine.readers.apart` starts it.

Run as a script, so that it imports only the reader and starts in some hundredths of a second. The answer goes to the
standard output: of a workbook `marshal` of a dictionary, of a Feather file an Arrow stream.
"""

import datetime
import io
import marshal
import sys
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

OLE = b"\xd0\xcf\x11\xe0"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
SMALL = 2**22  # cells of a sheet's rectangle that are always held …
SPARSEST = 20  # … as are so many for each cell with a value
DENSEST = 10  # cells with a value for each byte of the file: no table packs better
MOST_BYTES = 2**30  # of all cells together
PREVIEW_BYTES = 2**26  # of the rows of a preview: fewer are shown where they are long
MARSHAL = 2  # the version that looks for no repeated objects: twice as quick


def bound(n_bytes: int, seconds: int) -> None:
    """Limits the memory and the processor time of this process.

    Linux keeps to both and macOS to the time. Windows has neither: there the parent's clock ends this process, and
    a request that fails ends only this process.
    """
    if resource is None:
        return
    for what, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, n_bytes), (resource.RLIMIT_CPU, seconds)):
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(what, (most, hard))
        except (OSError, ValueError):  # macOS accepts no bound of the memory below what is mapped already
            continue


def workbook(path: str, sheet: str | None, limit: int | None) -> dict[str, Any]:
    """The first sheet with a value in it, or the one that is named.

    Returns:
        "sheets", and of the sheet "name", "rows" (the first `limit`; dates as bytes of text, all else as it is),
        "height" and "merged"; or "fault", a word for what is wrong.
    """
    import python_calamine  # a large library, which the parent and a Feather file do not need

    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(OLE) and ENCRYPTED in data:
        return {"fault": "password"}
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        answer: dict[str, Any] = {"sheets": book.sheet_names}
        for name in book.sheet_names if sheet is None else [sheet] * (sheet in book.sheet_names):
            found = book.get_sheet_by_name(name)
            n_filled = _filled(found)
            if found.height * found.width > max(SMALL, SPARSEST * n_filled):
                return {"fault": "sparse", "extent": (n_filled, found.height, found.width)}
            if n_filled > max(SMALL, DENSEST * len(data)):
                return {"fault": "packed", "extent": (n_filled, len(data))}
            rows = found.to_python(nrows=limit)
            if any(cell != "" for row in rows for cell in row):
                return {**answer, "name": name, "height": found.height, "merged": _merged_header(found),
                        **_packed(rows, limit)}  # fmt: skip
        return answer
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # a panic of the Rust library is no Exception
        panic = f"{type(error).__name__} {error}".lower()
        if "capacity overflow" in panic:  # more bytes than a number can hold
            raise MemoryError from error
        return {"fault": "password" if "password" in panic else "broken"}


def _filled(sheet: Any) -> int:
    """Cells with a value; they need no counting in a small sheet."""
    if sheet.height * sheet.width <= SMALL:
        return 0
    return sum(len(row) - row.count("") for row in sheet.iter_rows())


def _merged_header(sheet: Any) -> list[tuple[int, int]]:
    """First and last column of the cells merged in the first row, counted from the first column in use."""
    top, left = sheet.start
    ranges = sheet.merged_cell_ranges or []
    return [(a[1] - left, b[1] - left) for a, b in ranges if a[0] <= top <= b[0] and a[1] >= left]


def _packed(rows: list[list[Any]], limit: int | None) -> dict[str, Any]:
    for row in rows:
        for i, cell in enumerate(row):
            if type(cell) not in (str, float, int, bool):
                row[i] = _written(cell)
    packed = marshal.dumps(rows, MARSHAL)
    while limit is not None and len(packed) > PREVIEW_BYTES and len(rows) > 2:
        rows = rows[: len(rows) // 2]
        packed = marshal.dumps(rows, MARSHAL)
    return {"rows": packed} if len(packed) <= MOST_BYTES else {"fault": "long"}


def _written(cell: Any) -> bytes:
    """A date, a time or a duration as text."""
    if isinstance(cell, datetime.datetime):
        at_midnight = cell.time() == datetime.time()
        return (cell.date().isoformat() if at_midnight else cell.isoformat(" ")).encode()
    return b"" if cell is None else str(cell).encode()


def old_feather(path: str) -> None:
    """The first version of Feather: Arrow believes every length in it."""
    from pyarrow import BufferReader, feather, ipc  # a large library, which a workbook does not need

    with open(path, "rb") as file:
        table = feather.read_table(BufferReader(file.read()))
    with ipc.new_stream(sys.stdout.buffer, table.schema) as stream:
        stream.write_table(table)


if __name__ == "__main__":
    how, path, memory, seconds, *rest = sys.argv[1:]
    bound(int(memory), int(seconds))
    if how == "feather":
        old_feather(path)
    else:
        sheet, limit = marshal.loads(bytes.fromhex(rest[0]))
        sys.stdout.buffer.write(marshal.dumps(workbook(path, sheet, limit), MARSHAL))
