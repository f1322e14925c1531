"""Data frames as files: a leaf report, importance or a profile for a spreadsheet."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from engine.formats.rows import ROW_WRITERS, without_formulas
from engine.runtime.errors import InputError
from engine.runtime.files import write_whole
from engine.runtime.sentences import tr


def write_frame(frame: Any, path: str | Path) -> None:
    """Writes the columns of a pandas.DataFrame, whole or not at all, in the format that the suffix names: .csv, .xlsx
    or .parquet. In CSV, what a spreadsheet would calculate gets an apostrophe before it.

    Raises:
        InputError: no such format, the file cannot be written, or a workbook holds no such table.
    """
    name, suffix = Path(path).name, Path(path).suffix.lower()
    if suffix not in ROW_WRITERS:
        known = ", ".join(ROW_WRITERS)
        raise InputError(tr("“{name}” cannot be written: “{suffix}” is none of {known}.", name=name, suffix=suffix,
                            known=known))  # fmt: skip
    table = pa.Table.from_pandas(frame, preserve_index=False)
    if suffix == ".csv":
        is_text = [pa.types.is_string(kind) or pa.types.is_large_string(kind) for kind in table.schema.types]
        columns = [without_formulas(own)[0] if text else own for own, text in zip(table.columns, is_text, strict=True)]
        table = pa.table(columns, without_formulas(pa.array(table.column_names))[0].to_pylist())
    write_whole(path, ROW_WRITERS[suffix](iter((table,)), ",", "."))
