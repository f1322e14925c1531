"""From a typed column to the column of a table: values and codes."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from engine.readers.types import Typed

if TYPE_CHECKING:
    from engine.table.column import Column


def to_column(name: str, typed: Typed) -> "Column":
    """A column of the kind that was found or chosen for it."""
    from engine.table.column import column_from_series, level_column, numeric_column  # loads numba, as `Table` does

    series = typed.series
    if typed.kind in ("number", "integer"):
        return numeric_column(name, typed.kind, series.to_numpy(dtype=np.float64, na_value=np.nan))
    if isinstance(series.dtype, pd.CategoricalDtype):
        codes = series.cat.codes.to_numpy().astype(np.int64)
        return level_column(name, typed.kind, codes, list(series.cat.categories), typed.declared)
    return column_from_series(name, series, typed.kind)
