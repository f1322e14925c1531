"""All cells of a text table at once, by Arrow's reader on all processors.

The careful way keeps every cell as text. The quick way, for large tables, lets Arrow read numbers as it goes: where a
sample of a column holds nothing but plain numbers, Arrow finds its type, and text becomes a dictionary of its levels.
A column that turns out to be anything but plain numbers is read again as text, so both ways end in the same table.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
from numpy.typing import NDArray

from engine.errors import InputError
from engine.readers.body import Body, Stream
from engine.readers.names import unique_names
from engine.readers.options import ReadOptions
from engine.readers.padded import padded_columns
from engine.readers.raw import empty_rows, level_array, text_array
from engine.readers.sniff import Layout
from engine.readers.types import are_plain_numbers, null_texts
from engine.workers import Workers

BLOCK = 2**23
LARGEST_BLOCK = 2**31 - 1
QUICK_BLOCK = 2**20
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


def quick_columns(body: Body, found: Layout, options: ReadOptions) -> tuple[list[Any], Stream]:
    """What `text_columns` gives, with plain numbers as float64 or int64 and other cells as dictionaries.

    Returns:
        The columns (see `Raw`), and what was seen of the text. No columns: some rows have not as many cells.

    Raises:
        NotQuick: only the careful way can read this table.
    """
    if not found.delimiter.isascii():
        raise NotQuick
    plan = _plan(body, found, options)
    width = len(plan)
    with ThreadPoolExecutor(1) as beside:
        walks = list[Future[set[int]]]()

        def walk() -> None:
            if not walks:  # there may be a second reading
                walks.append(beside.submit(lambda: padded_columns(body.read(), found.delimiter, width)))

        table, odd, seen = _quickly(body, found, options, plan, list(range(width)), walk)
        if not seen.is_plain:
            raise NotQuick
        if odd:
            return [], seen
        codes = set[int]().union(*(walk.result() for walk in walks))
    columns = [table.column(str(i)) for i in range(width)]
    n_rows = table.num_rows
    del table

    def finish(i: int) -> None:
        columns[i] = _finished(columns[i], as_texts=plan[i] is LEVELS or i in codes)

    with Workers() as workers:
        workers.each(finish, range(width))
        again = [i for i in range(width) if columns[i] is None]
        if again:
            table, _, _ = _quickly(body, found, options, dict.fromkeys(again, LEVELS), again)
            if table.num_rows != n_rows:
                raise NotQuick  # the file has changed meanwhile
            columns = [table.column(str(i)) if i in again else cells for i, cells in enumerate(columns)]
            workers.each(finish, again)
    # a row of missing numbers may hold tokens, or nothing at all: then it is to be left out
    if empty_rows(columns) is not None:
        raise NotQuick
    return columns, seen


def _finished(cells: Any, *, as_texts: bool) -> Any | None:
    """One array of the chunks of a column; None where its texts are needed, and gone."""
    numbers = None if as_texts else _numbers(cells)
    if numbers is not None:
        return numbers
    if pa.types.is_dictionary(cells.type):
        return level_array(cells)
    return text_array(cells) if pa.types.is_string(cells.type) else None


def _plan(body: Body, found: Layout, options: ReadOptions) -> dict[int, Any]:
    """The Arrow type for every column; None where the sample holds plain numbers, or nothing."""
    width = len(found.header)
    forced = _forced(found, options)
    text = body.read(LOOKED_AT)
    end = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
    try:
        sample, _ = text_columns(text[:end], 0, found, "")
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
    body: Body,
    found: Layout,
    options: ReadOptions,
    plan: dict[int, Any],
    wanted: list[int],
    on_zeros: Callable[[], object] | None = None,
) -> tuple[Any, int, Stream]:
    """The wanted columns as planned, how many rows were skipped, and what was seen of the text."""
    convert = pa_csv.ConvertOptions(
        check_utf8=False,  # the text is checked as it is read
        column_types={str(i): kind for i, kind in plan.items() if kind is not None},
        include_columns=[str(i) for i in wanted],
        null_values=null_texts(options.missing),
        strings_can_be_null=False,
        true_values=[],
        false_values=[],
        decimal_point=found.decimal,
    )
    seen = body.stream(found.delimiter, on_zeros)
    try:
        table, odd = _read(seen, found, convert, QUICK_BLOCK, newlines=False)
        # A record never ends at a line end inside of a cell, wherever Arrow cuts the text into blocks. So when there
        # are as many records as lines, no cell holds a line end and no block was cut inside of one.
        if not seen.is_quoted or (odd == 0 and table.num_rows == seen.n_lines):
            return table, odd, seen
    except pa.ArrowException as error:
        if not seen.is_quoted:
            raise NotQuick from error
    finally:
        seen.close()
    seen = body.stream(found.delimiter, on_zeros)
    try:  # there may be line ends inside of cells, which take longer to tell from others
        return *_read(seen, found, convert, BLOCK, newlines=True), seen
    except pa.ArrowException as error:
        raise NotQuick from error
    finally:
        seen.close()


def _numbers(cells: Any) -> Any | None:
    """Numbers in chunks as one array, NaN for missing; None where the careful way might read something else."""
    if not (pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type)):
        return None  # dates and times of day: their texts are gone
    values = cells.to_numpy()
    n_lost, largest = _reach(values)
    if n_lost > cells.null_count:
        return None  # "nan" is a number or a text, as the other cells are
    return pa.array(values) if cells.null_count < len(cells) and largest < LONGEST else None


def _reach(values: NDArray[Any]) -> tuple[int, float]:
    """How many of some numbers, float64[n] or int64[n], are NaN, and the largest size of the others."""
    if values.dtype != np.float64:
        return 0, max(-float(values.min(initial=0)), float(values.max(initial=0)))
    from engine.kernels.glance import largest_size

    bits, infinity = values.view(np.int64), np.array([np.inf]).view(np.int64)[0]
    bits.flags.writeable = False
    facts = np.zeros(2, np.int64)
    largest_size(bits, np.int64(np.iinfo(np.int64).max), infinity, facts)
    return int(facts[1]), float(facts[:1].view(np.float64)[0])


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
