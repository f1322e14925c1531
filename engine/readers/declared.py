"""Columns whose type their file declares: each of Arrow's types becomes one of a few, or is left out."""

import datetime
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from engine.readers.raw import level_array, text_array
from engine.readers.types import Typed, level_series, numeric, truth_series
from engine.table.words import lost_dates

PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
DAY = 86_400
EPOCH = datetime.datetime(1970, 1, 1)
FIRST_DAY = (datetime.datetime.min - EPOCH).days
LAST_DAY = (datetime.datetime.max - EPOCH).days


def plain_column(cells: Any, name: str) -> tuple[Any | None, list[str]]:
    """The chunks of a column as one array of truths, numbers, text, dates, or a dictionary of texts; and notes.

    Dates lose their time zone (what is left is UTC), durations become seconds. None for nested and binary values, of
    which no split can be made.

    Raises:
        pa.ArrowInvalid: the values do not fit their type: the file is damaged.
    """
    cells.validate()
    if pa.types.is_date64(cells.type):  # many writers leave the time of day in it, which Arrow calls invalid
        cells = pa.chunked_array([chunk.view(pa.timestamp("ms")) for chunk in cells.chunks], pa.timestamp("ms"))
    cells.validate(full=True)
    if pa.types.is_dictionary(cells.type) and not _is_plain(cells.type.value_type):
        return None, []
    if pa.types.is_dictionary(cells.type):
        cells = cells.unify_dictionaries()
    whole = cells.combine_chunks()
    return _plain(whole.combine_chunks() if isinstance(whole, pa.ChunkedArray) else whole, name)


def _is_plain(kind: Any) -> bool:
    """Whether the values are of a type that is no dictionary and holds no others."""
    return not (pa.types.is_nested(kind) or pa.types.is_dictionary(kind) or isinstance(kind, pa.BaseExtensionType))


def _plain(cells: Any, name: str) -> tuple[Any | None, list[str]]:
    kind = cells.type
    if isinstance(kind, pa.BaseExtensionType):
        return _plain(cells.storage, name)
    if pa.types.is_run_end_encoded(kind):
        try:
            return _plain(pc.run_end_decode(cells), name)
        except pa.ArrowNotImplementedError:  # of nested values
            return None, []
    if pa.types.is_dictionary(kind):
        values, notes = _plain(cells.dictionary, name)
        if values is None:
            return None, []
        return pa.DictionaryArray.from_arrays(cells.indices, _level_names(values), ordered=kind.ordered), notes
    if pa.types.is_timestamp(kind) or pa.types.is_date32(kind):
        return _within_the_calendar(cells, name)
    if pa.types.is_duration(kind):
        return pc.divide(pc.cast(cells.view(pa.int64()), pa.float64(), safe=False), float(PER_SECOND[kind.unit])), []
    if pa.types.is_time(kind) or pa.types.is_string_view(kind):
        return pc.cast(cells, pa.large_string()), []
    is_usable = (
        pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind)
        or pa.types.is_decimal(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)
    )  # fmt: skip
    return (cells if is_usable else None), []


def _within_the_calendar(cells: Any, name: str) -> tuple[Any, list[str]]:
    """Dates as timestamp[us] or date32; what no calendar of Python shows is missing."""
    if pa.types.is_timestamp(cells.type):
        per_day = DAY * PER_SECOND[cells.type.unit]
        cells, ticks = cells.view(pa.timestamp(cells.type.unit)), cells.view(pa.int64())
    else:
        per_day, ticks = 1, cells.view(pa.int32())
    first, end = FIRST_DAY * per_day, (LAST_DAY + 1) * per_day
    outside = pc.or_(pc.less(pc.cast(ticks, pa.int64()), max(first, -(2**63))),
                     pc.greater(pc.cast(ticks, pa.int64()), min(end - 1, 2**63 - 1)))  # fmt: skip
    n_outside = pc.sum(outside).as_py() or 0
    notes = []
    if n_outside:
        cells = pc.if_else(outside, None, cells)
        notes.append(lost_dates(name, n_outside))
    return (pc.cast(cells, pa.timestamp("us"), safe=False) if pa.types.is_timestamp(cells.type) else cells), notes


def _level_names(values: Any) -> Any:
    """Values of a dictionary, numbers and dates among them, as texts."""
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        return pc.cast(values, pa.large_string())
    return pa.array([None if value is None else str(value) for value in values.to_pylist()], pa.large_string())


def declared_column(cells: Any, *, coded: bool = False) -> Typed:
    """The column of an array that `plain_column` gave.

    Args:
        coded: a dictionary is only how the texts are held, and says nothing of levels without a row.
    """
    kind = cells.type
    if pa.types.is_dictionary(kind):
        return _texts(cells) if coded else _levels(cells)
    if pa.types.is_boolean(kind):
        return Typed(truth_series(cells), "boolean")
    if pa.types.is_timestamp(kind) or pa.types.is_date32(kind):
        return Typed(pd.Series(pc.cast(cells, pa.timestamp("us")).to_numpy(zero_copy_only=False)), "date")
    if pa.types.is_decimal(kind):
        return numeric(pc.cast(cells, pa.float64()))
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        numbers = pc.cast(cells, pa.float64(), safe=False)
        return numeric(numbers, cells if pa.types.is_integer(kind) else None)
    return _texts(pc.cast(cells, pa.large_string()))


def as_text(cells: Any) -> Any:
    """The values of an array that `plain_column` gave, as they are written: texts, or a dictionary of their levels."""
    if pa.types.is_dictionary(cells.type):
        return level_array(pa.chunked_array([cells]))
    return text_array(cells)


def _texts(cells: Any) -> Typed:
    """Texts, or a dictionary of them: its levels may be null, stand twice, or have no row."""
    if not pa.types.is_dictionary(cells.type):
        coded = cells.dictionary_encode()
        return Typed(level_series(coded.dictionary, coded.indices), "nominal")
    distinct = cells.dictionary.dictionary_encode()
    used = pc.take(distinct.indices, cells.indices).dictionary_encode()
    return Typed(level_series(pc.take(distinct.dictionary, used.dictionary), used.indices), "nominal")


def _levels(cells: Any) -> Typed:
    """Declared levels in their order. Where a name stands twice or is null, the order means nothing."""
    levels = cells.dictionary.to_pylist()
    if None in levels or len(set(levels)) < len(levels):
        return _texts(cells)
    ordered = bool(cells.type.ordered)
    codes = pc.fill_null(pc.cast(cells.indices, pa.int64()), -1).to_numpy(zero_copy_only=False)
    series = pd.Series(pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(levels, ordered=ordered)))
    return Typed(series, "ordered" if ordered else "nominal", declared=True)
