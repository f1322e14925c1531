"""Rows of a data frame down a tree: which columns it needs, and how their values are found."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.table.column import Column, column_from_series
from engine.table.table import Table
from engine.tree.arrays import TreeArrays
from engine.tree.assignment import leaves_of_rows
from engine.tree.descent import Numbers, is_plain, numbers_of_column, reached_by, routes_of
from engine.tree.nodes import TreeColumn
from engine.tree.packing import columns_asked, surrogates_of


def leaves_of_frame(tree: TreeArrays, frame: pd.DataFrame) -> NDArray[np.int64]:
    """int64[n]: the position of the leaf that each row of a data frame reaches.

    Raises:
        InputError: see `Tree.predict`.
    """
    if not isinstance(frame, pd.DataFrame):
        kind = type(frame).__name__
        raise InputError(f"A tree predicts the rows of a pandas DataFrame with named columns, not of a {kind}.")
    names = [str(name) for name in frame.columns]  # as `Table.from_frame` names them
    series: dict[int, pd.Series] = {}
    needed = set(columns_asked(tree.nodes, tree.payload)[1].tolist())
    for place in sorted(needed | set(surrogates_of(tree.nodes, tree.payload)[1].tolist())):
        name = tree.columns[place].name
        if name not in names and place not in needed:  # of surrogates only: without it the next one is asked
            series[place] = pd.Series([None] * len(frame), dtype=object)
            continue
        if names.count(name) != 1:
            fault = f"two columns are called “{name}”" if name in names else "these rows have no such column"
            raise InputError(f"The tree splits on “{name}”, but {fault}.")
        series[place] = frame.iloc[:, names.index(name)]
    if is_plain(tree):
        numbers = [_numbers_of(tree.columns[place], of_column) for place, of_column in series.items()]
        return reached_by(numbers, routes_of(tree), len(frame))
    columns = tuple(_column_of(tree.columns[place], of_column) for place, of_column in series.items())
    return leaves_of_rows(Table(columns, len(frame), "the rows to predict"), tree)


def _column_of(known: TreeColumn, series: pd.Series) -> Column:
    """A column of rows to predict; that the training values were whole says nothing about those of other rows."""
    return column_from_series(known.name, series, "number" if known.kind == "integer" else known.kind)


def _numbers_of(known: TreeColumn, series: pd.Series) -> Numbers:
    """How the numbers of a column of rows to predict are found: as they stand where they are numbers already, for a
    column would sort them."""
    plain = isinstance(series.dtype, np.dtype) and series.dtype.kind in "fiu"
    if not plain or known.kind not in ("number", "integer"):
        return numbers_of_column(_column_of(known, series), known)
    values = series.to_numpy()

    def write(rows: Any, numbers: NDArray[np.float64]) -> None:
        numbers[:] = values[rows]

    return write
