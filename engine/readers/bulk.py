"""All cells of a text table as text, by Arrow's reader on all processors: the careful way."""

from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv

from engine.readers.raw import text_array
from engine.readers.sniff import Layout
from engine.runtime.errors import InputError

BLOCK = 2**23
LARGEST_BLOCK = 2**31 - 1


def text_columns(text: bytes, start: int, found: Layout, label: str) -> tuple[list[Any], int]:
    """Columns of text from byte `start`, and how many rows did not have as many cells and were skipped.

    Raises:
        InputError: this is no table with that delimiter.
    """
    names = [str(i) for i in range(len(found.header))]
    if start == len(text):
        return [text_array([]) for _ in names], 0
    as_text = pa_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False)
    for block in (BLOCK, LARGEST_BLOCK):
        try:
            body = pa.py_buffer(text).slice(start)
            block = min(block, max(body.size + 1, 64))
            table, odd = _read(pa.BufferReader(body), found, as_text, block, newlines=b'"' in text)
        except pa.ArrowInvalid as error:
            if block == BLOCK and len(text) - start > BLOCK and "straddling" in str(error):
                continue  # one row is longer than a block
            raise InputError(
                f"{label} cannot be read as a table with “{found.delimiter}” between cells: choose another delimiter."
            ) from error
        return [text_array(table.column(name)) for name in names], odd
    raise AssertionError("unreachable")


def _read(rows: Any, found: Layout, convert: Any, block: int, *, newlines: bool) -> tuple[Any, int]:
    """The table and how many rows have not as many cells as there are columns; those are skipped."""
    odd = 0

    def skip(row: Any) -> str:
        nonlocal odd
        odd += bool(row.text.strip())
        return "skip"

    names = [str(i) for i in range(len(found.header))]
    table = pa_csv.read_csv(
        rows,
        read_options=pa_csv.ReadOptions(column_names=names, block_size=max(block, 64)),
        parse_options=pa_csv.ParseOptions(
            delimiter=found.delimiter, newlines_in_values=newlines, invalid_row_handler=skip
        ),
        convert_options=convert,
    )
    return table, odd
