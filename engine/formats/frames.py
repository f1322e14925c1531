"""Data frames as files: a leaf report, importance or a profile for a spreadsheet."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from engine.formats.rows import ROW_WRITERS, checked_suffix, writable
from engine.runtime.files import write_whole


def write_frame(frame: Any, path: str | Path) -> None:
    """Writes the columns of a pandas.DataFrame, whole or not at all, in the format that the suffix names: .csv, .xlsx
    or .parquet. In CSV, what a spreadsheet would calculate gets an apostrophe before it.

    Raises:
        InputError: no such format, the file cannot be written, or a workbook holds no such table.
    """
    suffix = checked_suffix(path)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    table, _ = writable(table.column_names, table.columns, suffix, {})
    write_whole(path, ROW_WRITERS[suffix](iter((table,)), ",", "."))
