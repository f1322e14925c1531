"""From raw columns to a data frame with a kind for each column."""

from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from engine.errors import InputError
from engine.progress import Progress
from engine.readers.raw import Raw, text_array
from engine.readers.types import Typed, force_column, guess_column, numeric, truth_series


def to_frame(raw: Raw, progress: Progress | None = None) -> tuple[pd.DataFrame, dict[str, str], tuple[str, ...]]:
    """The data frame, the kind of each column, and all notes.

    Raises:
        InputError: a stop was asked for; there is no half a table.
    """
    kinds, notes = dict[str, str](), list(raw.notes)
    series = dict[str, pd.Series]()
    for i, name in enumerate(raw.names):
        if progress is not None:
            progress.report(0.3 + 0.5 * i / len(raw.names), f"Reading column {name}")
            if progress.stopped:
                raise InputError(f"Reading {raw.label} was stopped.")
        typed = _typed(raw, name, raw.columns[i])
        series[name], kinds[name] = typed.series, typed.kind
        notes += typed.notes
    unknown = [name for name in raw.options.kinds if name not in raw.names]
    notes += [f"There is no column “{name}”: the kind chosen for it was left aside." for name in unknown]
    return pd.DataFrame(series), kinds, tuple(notes)


def _typed(raw: Raw, name: str, cells: Any) -> Typed:
    options = raw.options
    kind, decimal = options.kind_of(name), options.decimal or "."
    if not raw.typed:
        if kind is not None:
            return force_column(cells, name, kind, decimal, options.missing)
        return guess_column(cells, name, decimal, options.missing)
    natural = declared_column(cells)
    if kind in (None, natural.kind):
        return natural
    if kind == "ordered" and isinstance(natural.series.dtype, pd.CategoricalDtype):
        return Typed(natural.series.cat.as_ordered(), kind)
    if kind == "number" and natural.kind == "integer":
        return Typed(natural.series, kind)
    return force_column(text_array(_as_text(cells)), name, kind, ".", ("",))


def declared_column(cells: Any) -> Typed:
    """A column whose type the file declares."""
    kind = cells.type
    if pa.types.is_dictionary(kind):
        return _levels(cells)
    if pa.types.is_boolean(kind):
        return Typed(truth_series(cells), "boolean")
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return Typed(_moments(cells), "date")
    if pa.types.is_duration(kind):
        seconds = pc.divide(pc.cast(pc.cast(cells, pa.duration("us")), pa.int64()).cast(pa.float64()), 1e6)
        return numeric(seconds)
    if pa.types.is_decimal(kind):
        return numeric(pc.cast(cells, pa.float64()))
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        numbers = pc.cast(cells, pa.float64(), safe=False)
        return numeric(numbers, cells if pa.types.is_integer(kind) else None)
    return Typed(pd.Series(_as_text(cells).to_pandas(), dtype="str"), "nominal")


def _levels(cells: Any) -> Typed:
    """Declared levels in their order; levels that are not text (numbers, dates) become text."""
    ordered = bool(cells.type.ordered)
    levels = [str(level) for level in cells.dictionary.to_pylist()]
    kind = "ordered" if ordered else "nominal"
    if len(set(levels)) < len(levels):
        return Typed(pd.Series(_as_text(cells.dictionary_decode()).to_pandas(), dtype="str"), "nominal")
    codes = pc.fill_null(pc.cast(cells.indices, pa.int64()), -1).to_numpy(zero_copy_only=False)
    return Typed(pd.Series(pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(levels, ordered=ordered))), kind)


def _moments(cells: Any) -> pd.Series:
    moments = pc.cast(cells, pa.timestamp("us", getattr(cells.type, "tz", None)), safe=False)
    return pd.Series(pc.cast(moments, pa.timestamp("us")).to_numpy(zero_copy_only=False))


def _as_text(cells: Any) -> Any:
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    try:
        return pc.cast(cells, pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return pa.array([None if value is None else str(value) for value in cells.to_pylist()], pa.large_string())
