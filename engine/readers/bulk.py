"""All cells of a text table at once, by Arrow's reader on all processors.

The careful way keeps every cell as text. The quick way, for large tables, lets Arrow read numbers as it goes: where a
sample of a column holds nothing but plain numbers, Arrow finds its type, and text becomes a dictionary of its levels.
A column that turns out to be anything but plain numbers is read again as text, so both ways end in the same table.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from engine.errors import InputError
from engine.readers.names import unique_names
from engine.readers.options import ReadOptions
from engine.readers.padded import padded_columns
from engine.readers.raw import empty_rows, level_array, text_array
from engine.readers.sniff import Layout
from engine.readers.types import are_plain_numbers, null_texts

BLOCK = 2**23
LARGEST_BLOCK = 2**31 - 1
QUICK_BLOCK = 2**21
CHUNK = 2**18  # bytes looked at together: they stay in the cache
LOOKED_AT = 2**18  # bytes that tell what a column probably holds
LONGEST = 10**18  # from here on, up to the infinite, a number may have been written as a code of 19 digits or more
LEVELS = pa.dictionary(pa.int32(), pa.string())


class NotQuick(Exception):
    """The quick way cannot tell what the careful way would read."""


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
            table, odd = _read(text, start, found, as_text, block, newlines=b'"' in text)
        except pa.ArrowInvalid as error:
            if block == BLOCK and len(text) - start > BLOCK and "straddling" in str(error):
                continue  # one row is longer than a block
            raise InputError(
                f"{label} cannot be read as a table with “{found.delimiter}” between cells: choose another delimiter."
            ) from error
        return [text_array(table.column(name)) for name in names], odd
    raise AssertionError("unreachable")


def quick_columns(text: bytes, start: int, found: Layout, options: ReadOptions) -> tuple[list[Any], int]:
    """What `text_columns` gives, with plain numbers as float64 or int64 and other cells as dictionaries.

    Returns:
        The columns (see `Raw`), and how many rows were skipped; those make the columns worthless.

    Raises:
        NotQuick: only the careful way can read this table.
    """
    plan = _plan(text, start, found, options)
    width = len(plan)
    with ThreadPoolExecutor(1) as beside:
        padded = beside.submit(padded_columns, text, start, found.delimiter, width)
        table, odd = _quickly(text, start, found, options, plan, list(range(width)))
        if odd:
            return [], odd
        codes = padded.result()
    columns = [table.column(str(i)) for i in range(width)]
    del table
    again = list[int]()
    for i, cells in enumerate(columns):
        numbers = None if plan[i] is LEVELS or i in codes else _numbers(cells)
        if numbers is not None:
            columns[i] = numbers
        elif pa.types.is_dictionary(cells.type):
            columns[i] = level_array(cells)
        elif pa.types.is_string(cells.type):
            columns[i] = text_array(cells)
        else:
            again.append(i)
    if again:
        del cells
        table, _ = _quickly(text, start, found, options, dict.fromkeys(again, LEVELS), again)
        for i in again:
            columns[i] = level_array(table.column(str(i)))
    # a row of missing numbers may hold tokens, or nothing at all: then it is to be left out
    if empty_rows(columns) is not None:
        raise NotQuick
    return columns, 0


def _plan(text: bytes, start: int, found: Layout, options: ReadOptions) -> dict[int, Any]:
    """The Arrow type for every column; None where the sample holds plain numbers, or nothing."""
    width = len(found.header)
    forced = _forced(found, options)
    end = max(text.rfind(b"\n", start, start + LOOKED_AT), text.rfind(b"\r", start, start + LOOKED_AT)) + 1
    try:
        sample, _ = text_columns(text[start:end], 0, found, "")
    except InputError as error:
        raise NotQuick from error
    plain = [are_plain_numbers(cells, found.decimal, options.missing) for cells in sample]
    return {i: None if plain[i] and forced.get(i) in (None, "number", "integer") else LEVELS for i in range(width)}


def _forced(found: Layout, options: ReadOptions) -> dict[int, str | None]:
    """The kinds that are chosen, by the place of the column."""
    if not options.kinds:
        return {}
    header = found.header if options.names is None else list(options.names)
    if len(header) != len(found.header) or not all(cell.strip() for cell in found.header):
        raise NotQuick  # a nameless column may be left out, and then the others are called by other names
    return {i: options.kind_of(name) for i, name in enumerate(unique_names(header)[0])}


def _quickly(
    text: bytes, start: int, found: Layout, options: ReadOptions, plan: dict[int, Any], wanted: list[int]
) -> tuple[Any, int]:
    """The wanted columns as planned, and how many rows were skipped."""
    convert = pa_csv.ConvertOptions(
        check_utf8=False,  # the text was checked as a whole
        column_types={str(i): kind for i, kind in plan.items() if kind is not None},
        include_columns=[str(i) for i in wanted],
        null_values=null_texts(options.missing),
        strings_can_be_null=False,
        true_values=[],
        false_values=[],
        decimal_point=found.decimal,
    )
    quoted = b'"' in text
    try:
        table, odd = _read(text, start, found, convert, QUICK_BLOCK, newlines=False)
        if not quoted or (odd == 0 and table.num_rows == _n_lines(text, start)):
            return table, odd
    except pa.ArrowException as error:
        if not quoted:
            raise NotQuick from error
    try:  # there may be line ends inside of cells, which take longer to tell from others
        return _read(text, start, found, convert, BLOCK, newlines=True)
    except pa.ArrowException as error:
        raise NotQuick from error


def _n_lines(text: bytes, start: int) -> int:
    """Lines from byte `start`; -1 when some end in another way than most.

    A record never ends at a line end inside of a cell, wherever Arrow cuts the text into blocks. So when there are as
    many records as lines, no cell holds a line end and no block was cut inside of one.
    """
    data = np.frombuffer(text, np.uint8)[start:]
    count = 0
    for at in range(0, data.size, CHUNK):
        chunk = data[at : at + CHUNK]
        count += int(np.count_nonzero(chunk == ord("\n")))
        returns = np.flatnonzero(chunk == ord("\r")) + at + 1
        if returns.size and (returns[-1] == data.size or (data[returns] != ord("\n")).any()):
            return -1
    return count + (not text.endswith(b"\n"))


def _numbers(cells: Any) -> Any | None:
    """Numbers in chunks as one array, NaN for missing; None where the careful way might read something else."""
    if not (pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type)):
        return None  # dates and times of day: their texts are gone
    values = cells.to_numpy()
    if np.isnan(values).sum() > cells.null_count:
        return None  # "nan" is a number or a text, as the other cells are
    if cells.null_count == len(cells) or not -LONGEST < np.fmin.reduce(values) <= np.fmax.reduce(values) < LONGEST:
        return None
    return pa.array(values)


def _read(text: bytes, start: int, found: Layout, convert: Any, block: int, *, newlines: bool) -> tuple[Any, int]:
    """The table and how many rows have not as many cells as there are columns; those are skipped."""
    body = pa.py_buffer(text).slice(start)
    odd = 0

    def skip(row: Any) -> str:
        nonlocal odd
        odd += bool(row.text.strip())
        return "skip"

    names = [str(i) for i in range(len(found.header))]
    table = pa_csv.read_csv(
        pa.BufferReader(body),
        read_options=pa_csv.ReadOptions(column_names=names, block_size=min(block, max(body.size + 1, 64))),
        parse_options=pa_csv.ParseOptions(
            delimiter=found.delimiter, newlines_in_values=newlines, invalid_row_handler=skip
        ),
        convert_options=convert,
    )
    return table, odd
