"""Rows that DuckDB reads: Parquet files, folders and globs of them, CSV files and tables of a database file.

Queries are built of expressions, never of text: a column of any name is a column, and a value is a constant.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.column import Column, column_from_series

VALUE = "column_value"


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct values of a column as DuckDB has them.

    Attributes:
        raw: those values, without NULL and NaN.
        column: what becomes of them: its codes are those of `raw`.
    """

    raw: Any
    column: Column

    def codes(self, values: Any) -> NDArray[np.int64]:
        """int64[n]: the codes of values of an Arrow array; 0 is missing.

        Raises:
            InputError: a value is not among those described.
        """
        places = pc.index_in(values, value_set=self.raw)
        found = np.append(self.column.codes.astype(np.int64), 0)[pc.fill_null(places, -1).to_numpy()]
        unknown = pc.and_(pc.is_null(places), pc.is_valid(values))
        if pc.any(unknown).as_py():
            raise InputError(tr(
                "Column “{name}” has values that it did not have when it was described: the data were changed "
                "meanwhile. Open them again.", name=self.column.name))  # fmt: skip
        return found


def relation_of(address: str | Path, connection: Any) -> Any:
    """The relation of rows behind an address: a Parquet file, a folder of them or a glob, a CSV file, or a DuckDB file
    with the name of a table behind "::".

    Raises:
        InputError: it cannot be read.
    """

    where, _, table = str(address).partition("::")
    try:
        if table:
            Path(where).stat()
            return duckdb.connect(where, read_only=True).table(table)
        if Path(where).is_dir():
            where = str(Path(where) / "**" / "*.parquet")
        if where.lower().endswith((".csv", ".tsv", ".txt", ".csv.gz")):
            return connection.read_csv(where)
        return connection.read_parquet(where)
    except (duckdb.Error, OSError) as error:
        raise InputError(tr("{address} cannot be read: {why}", address=str(address), why=str(error))) from error


def one(relation: Any, name: str) -> Any:
    """A column as an expression, NaN being NULL and -0 being 0; numbers that are not floats stay as they are."""

    column = duckdb.ColumnExpression(name)
    if str(relation.types[relation.columns.index(name)]) not in ("FLOAT", "DOUBLE"):
        return column
    null = duckdb.ConstantExpression(None)
    nan = duckdb.FunctionExpression("isnan", column)
    return duckdb.CaseExpression(nan, null).otherwise(column + duckdb.ConstantExpression(0))


def described(relation: Any, name: str, kind: str | None = None) -> Values:
    """The values of a column; kind: as `engine.Table.from_frame` takes it."""
    found = relation.select(one(relation, name).alias(VALUE)).distinct().order(VALUE).to_arrow_table()[VALUE]
    raw = found.combine_chunks().drop_null()
    return Values(raw, column_from_series(name, raw.to_pandas(date_as_object=False), kind))


@contextmanager
def reading() -> Iterator[None]:
    """What DuckDB cannot do becomes an InputError in its words."""
    try:
        yield
    except (duckdb.Error, OSError) as error:
        raise InputError(tr("The data can no longer be read: {why}", why=str(error))) from error
