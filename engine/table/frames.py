"""Columns from a data frame, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.runtime.errors import InputError, readable
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.table.column import Column, column_from_series
from engine.table.words import lost_dates

WORTH_A_POOL = 50_000  # cells from which threads pay


def columns_of_frame(frame: pd.DataFrame, kinds: Mapping[str, str | Sequence[str]], name: str) -> list[Column]:
    """The columns of a data frame; kinds as for `Table.from_frame`, name: what people call it.

    Raises:
        InputError: there are no rows or columns, two of one name, or a value does not fit its kind.
    """
    names = [readable(str(column)) for column in frame.columns]
    if len(set(names)) < len(names):
        twice = next(column for column in names if names.count(column) > 1)
        raise InputError(tr("Two columns are called “{twice}”: rename one of them.", twice=twice))
    if not names or len(frame) == 0:
        raise InputError(tr("“{name}” has no rows.", name=name) if names else tr("“{name}” has no columns.", name=name))
    with Workers(None if frame.size >= WORTH_A_POOL else 1) as workers:
        return workers.map(
            lambda place: column_from_series(names[place], frame.iloc[:, place], kinds.get(names[place])),
            range(len(names)),
        )


def frame_notes(frame: pd.DataFrame, columns: Sequence[Column]) -> list[str]:
    """A sentence for each column of durations, for no column of a table is of that kind, and for each column of dates
    some of which no calendar shows; `columns` were made from the data frame."""
    durations = [name for name, dtype in frame.dtypes.items() if getattr(dtype, "kind", "") == "m"]
    notes = [
        tr("“{name}” holds durations: they are read as seconds, in conditions, too.", name=name) for name in durations
    ]
    dates = [(column, frame.iloc[:, place]) for place, column in enumerate(columns) if column.kind == "date"]
    lost = [(column.name, column.n_missing - int(cells.isna().sum())) for column, cells in dates]
    return [*notes, *(lost_dates(name, n_lost) for name, n_lost in lost if n_lost)]


def as_frame(columns: Sequence[Column], rows: NDArray[Any] | None) -> pd.DataFrame:
    """The values as a data frame, all rows or some."""
    return pd.DataFrame(
        {c.name: _series(c if rows is None else c.take(rows)) for c in columns}, index=None if rows is None else rows
    )


def _series(column: Column) -> Any:
    if column.kind == "date":
        micro = np.nan_to_num(column.numbers * 1e6, nan=0.0).round().astype(np.int64).astype("datetime64[us]")
        return np.where(column.codes == 0, np.datetime64("NaT"), micro)
    if column.is_numeric:
        numbers, can_be_whole = column.numbers, column.kind == "integer" and not column.n_missing
        return numbers.astype(np.int64) if can_be_whole and np.all(np.abs(numbers) < 2.0**63) else numbers
    if column.kind == "boolean" and not column.n_missing:
        return column.codes == 2
    dtype = pd.CategoricalDtype(list(column.values), ordered=column.kind == "ordered")
    return pd.Categorical.from_codes(column.codes.astype(np.int64) - 1, dtype=dtype)
