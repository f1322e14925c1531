"""From raw columns to a data frame with a kind for each column."""

from collections.abc import Callable
from typing import Any, TypeVar

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from engine.errors import InputError
from engine.progress import Progress
from engine.readers.raw import Raw, text_array
from engine.readers.types import Typed, force_column, guess_column, level_series, numeric, truth_series
from engine.workers import Workers

Finished = TypeVar("Finished")
MANY_ROWS = 20_000


def to_frame(raw: Raw, progress: Progress | None = None) -> tuple[pd.DataFrame, dict[str, str], tuple[str, ...]]:
    """The data frame, the kind of each column, and all notes; takes the columns out of `raw`.

    Raises:
        InputError: a stop was asked for; there is no half a table.
    """
    columns, notes = read_columns(raw, lambda _, typed: (_usual(typed), typed.kind), progress)
    series = {name: cells for name, (cells, _) in zip(raw.names, columns, strict=True)}
    return pd.DataFrame(series), {name: kind for name, (_, kind) in zip(raw.names, columns, strict=True)}, notes


def read_columns(
    raw: Raw, finish: Callable[[int, Typed], Finished], progress: Progress | None = None
) -> tuple[list[Finished], tuple[str, ...]]:
    """What `finish` makes of every column, by its place and what it holds, and all notes.

    The columns are taken out of `raw` one by one, on all processors; the memory of each is free when it is finished.

    Raises:
        InputError: a stop was asked for; there is no half a table.
    """
    n_columns = len(raw.names)
    threads = None if raw.height >= MANY_ROWS else 1  # starting threads takes longer than reading a small table
    done = 0

    def one(i: int) -> tuple[Finished, tuple[str, ...]]:
        nonlocal done
        if progress is not None and progress.stopped:
            raise InputError(f"Reading {raw.label} was stopped.")
        typed = _typed(raw, raw.names[i], raw.take(i))
        finished = finish(i, typed), typed.notes
        done += 1
        return finished

    def tick() -> None:
        if progress is not None:
            progress.report(0.3 + 0.7 * done / n_columns, f"Read {done} of {n_columns} columns")

    with Workers(threads) as workers:
        columns = workers.map(one, range(n_columns), tick)
    unknown = [name for name in raw.options.kinds if name not in raw.names]
    notes = [*raw.notes, *(note for _, said in columns for note in said)]
    notes += [f"There is no column “{name}”: the kind chosen for it was left aside." for name in unknown]
    return [column for column, _ in columns], tuple(notes)


def _usual(typed: Typed) -> pd.Series:
    """The values in the dtype that pandas gives them: texts are no Categorical unless their levels are declared."""
    is_text = isinstance(typed.series.dtype, pd.CategoricalDtype) and not typed.declared
    return typed.series.astype("str") if is_text else typed.series


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
    if kind == "ordered" and natural.declared:
        return Typed(natural.series.cat.as_ordered(), kind, declared=True)
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
    return _texts(_as_text(cells))


def _texts(cells: Any) -> Typed:
    coded = cells.dictionary_encode()
    return Typed(level_series(coded.dictionary, coded.indices), "nominal")


def _levels(cells: Any) -> Typed:
    """Declared levels in their order; levels that are not text (numbers, dates) become text."""
    ordered = bool(cells.type.ordered)
    levels = [str(level) for level in cells.dictionary.to_pylist()]
    kind = "ordered" if ordered else "nominal"
    if len(set(levels)) < len(levels):
        return _texts(_as_text(cells.dictionary_decode()))
    codes = pc.fill_null(pc.cast(cells.indices, pa.int64()), -1).to_numpy(zero_copy_only=False)
    series = pd.Series(pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(levels, ordered=ordered)))
    return Typed(series, kind, declared=True)


def _moments(cells: Any) -> pd.Series:
    moments = pc.cast(cells, pa.timestamp("us", getattr(cells.type, "tz", None)), safe=False)
    return pd.Series(pc.cast(moments, pa.timestamp("us")).to_numpy(zero_copy_only=False))


def _as_text(cells: Any) -> Any:
    if pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type):
        return cells
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    try:
        return pc.cast(cells, pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return pa.array([None if value is None else str(value) for value in cells.to_pylist()], pa.large_string())
