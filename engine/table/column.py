"""One typed column: its distinct values and, for every row, a code.

Values are the truth, codes are derived: a code is the dense rank of the row's value, 0 when it is missing.
All searching compares codes (integers, exact for every type); all that people see and save are values.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from engine.runtime.errors import InputError, readable
from engine.runtime.sentences import tr
from engine.table.encode import all_whole, code_type, encoded, order_of
from engine.table.words import DAY, exact_date, exact_words, quoted_words, range_names

NUMERIC = ("number", "integer", "date")
KINDS = (*NUMERIC, "boolean", "nominal", "ordered")
TRUTH = {"true": True, "false": False}
YES_OR_NO = {**TRUTH, "yes": True, "no": False, "y": True, "n": False, "t": True, "f": False, "1": True, "0": False}
BOOLEAN_LEVELS = ("False", "True")
EXACT_INTEGER = 2.0**53
FIRST_YEAR, AFTER_LAST_YEAR = "0001", "10000"  # of the dates that Python can show; others count as missing


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a table.

    Attributes:
        name: unique in its table.
        kind: "number", "integer", "date" (numeric) or "boolean", "nominal", "ordered" (levels).
        values: the distinct values without the missing one: float64 ascending for numeric kinds (dates in
            seconds since 1970, UTC); otherwise an object array of level names, declared or sorted.
        codes: uint8, uint16 or uint32 [n_rows]; 0 is missing, i + 1 stands for values[i].
        declared: whether the levels were declared by the source (a level may then have no row).
    """

    name: str
    kind: str
    values: NDArray[Any]
    codes: NDArray[Any]
    declared: bool = False

    @property
    def is_numeric(self) -> bool:
        """Whether thresholds can cut it: a number, an integer or a date."""
        return self.kind in NUMERIC

    @property
    def n_values(self) -> int:
        """How many distinct values it has, or how many levels are declared."""
        return len(self.values)

    @cached_property
    def n_missing(self) -> int:
        """In how many rows it is missing."""
        return self.codes.size - int(np.count_nonzero(self.codes))

    @cached_property
    def n_present(self) -> int:
        """How many distinct values occur in the rows; less than n_values when a declared level does not."""
        seen = np.zeros(self.n_values + 1, dtype=bool)
        seen[self.codes] = True
        return int(np.count_nonzero(seen[1:]))

    @cached_property
    def kind_in_words(self) -> str:
        """The kind as `engine.table.words.value_words` takes it: "day" of dates that are all whole days."""
        days = self.kind == "date" and not np.any(self.values.astype(np.float64) % DAY)
        return "day" if days else self.kind

    @cached_property
    def order(self) -> NDArray[np.uint32]:
        """uint32[n_rows]: the rows by ascending code, missing first, stable. Made once and kept.

        A numeric column has it from the sort that made its codes.
        """
        order = order_of(self.codes, self.n_values + 1)
        order.flags.writeable = False
        return order

    @cached_property
    def mark(self) -> str:
        """A name that no other column has, so that two tables can tell whether they share it without reading it."""
        return uuid.uuid4().hex

    @cached_property
    def code_of(self) -> dict[str, int]:
        """The code of every level; made once and kept, for a split names few of perhaps very many levels."""
        return {level: i + 1 for i, level in enumerate(self.values)}

    @property
    def levels(self) -> tuple[str, ...]:
        """The level names; empty for a numeric column."""
        return () if self.is_numeric else tuple(self.values)

    @property
    def numbers(self) -> NDArray[np.float64]:
        """float64[n_rows] of a numeric column, NaN where it is missing."""
        return np.concatenate(([np.nan], self.values.astype(np.float64)))[self.codes]

    def text(self, i: int) -> str:
        """The i-th distinct value in words that no other value has: a date, a number with all of its digits."""
        value = self.values[i]
        if self.kind == "date":
            return exact_date(float(value))
        return exact_words(float(value)) if self.is_numeric else str(value)

    def take(self, rows: NDArray[Any]) -> "Column":
        """The same column with only these rows, its values unchanged."""
        return Column(self.name, self.kind, self.values, self.codes[rows], self.declared)

    def among(self, rows: NDArray[Any]) -> "Column":
        """The same column with only these rows, of a numeric one only the values that they have."""
        taken = self.take(rows)
        if not self.is_numeric:
            return taken
        occurs = np.zeros(self.n_values + 1, dtype=bool)
        occurs[taken.codes] = occurs[0] = True
        rank = (np.cumsum(occurs) - 1).astype(self.codes.dtype)
        return Column(self.name, self.kind, self.values[occurs[1:]], rank[taken.codes])


def numeric_column(name: str, kind: str | None, values: NDArray[Any]) -> Column:
    """A numeric column from real [n] values, NaN for missing; they are compared as float64.

    Without a kind it is "integer" when every finite value is whole, else "number".
    """
    distinct, codes, order = encoded(values)
    if kind is None:
        kind = "integer" if all_whole(distinct) else "number"
    column = Column(name, kind, distinct, codes)
    column.__dict__.update(order=order, n_present=distinct.size)  # known already: all values come from the rows
    return column


def level_column(name: str, kind: str, codes: NDArray[Any], levels: list[str], declared: bool) -> Column:
    """A column with levels from integer codes[n]: -1 missing, i for levels[i].

    Levels of one name become one, where it stood first: a split or a class of two equal names would mean either.
    """
    if len(set(levels)) < len(levels):
        place = {level: i for i, level in enumerate(dict.fromkeys(levels))}
        codes, levels = np.array([*(place[level] for level in levels), -1], dtype=np.int64)[codes], list(place)
    values = np.empty(len(levels), dtype=object)
    values[:] = levels
    return Column(name, kind, values, (codes + 1).astype(code_type(len(levels))), declared)


def column_from_series(name: str, series: pd.Series, kind: str | Sequence[str] | None = None) -> Column:
    """A column from a pandas Series, its kind taken from the dtype unless one is asked for; levels: ordered so.

    Raises:
        InputError: the values cannot be read as `kind`, or are of a type that no column holds.
    """
    column = _natural_column(name, series)
    if kind is None:
        return column
    return with_kind(column, kind) if isinstance(kind, str) else with_order(with_kind(column, "ordered"), kind)


def _natural_column(name: str, series: pd.Series) -> Column:
    if isinstance(series.dtype, pd.ArrowDtype):
        series = _from_arrow(name, series)
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        levels = [_level_name(level) for level in dtype.categories]
        if len(set(levels)) == len(levels):
            kind = "ordered" if dtype.ordered else "nominal"
            return level_column(name, kind, series.cat.codes.to_numpy().astype(np.int64), levels, True)
        return _text_column(name, series.astype(object))
    if pd.api.types.is_bool_dtype(dtype):
        return _boolean_column(name, series)
    if pd.api.types.is_datetime64_any_dtype(dtype):
        return _date_column(name, series)
    if pd.api.types.is_timedelta64_dtype(dtype):
        return numeric_column(name, "number", series.dt.total_seconds().to_numpy(dtype=np.float64))
    if pd.api.types.is_complex_dtype(dtype):
        raise InputError(
            tr("Column “{name}” holds complex numbers, which no split can order: leave it out.", name=name)
        )
    if pd.api.types.is_numeric_dtype(dtype):
        if isinstance(dtype, np.dtype):
            return numeric_column(name, None, series.to_numpy())
        return numeric_column(name, None, series.to_numpy(dtype=np.float64, na_value=np.nan))
    return _object_column(name, series)


def _from_arrow(name: str, series: pd.Series) -> pd.Series:
    """The same values in a dtype of pandas, which knows no date and no dictionary of Arrow."""
    try:
        return pd.Series(pa.array(series).to_pandas(date_as_object=False))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:  # a time zone that there is not, …
        raise InputError(tr(
            "Column “{name}” is of Arrow's type {type}, which pandas cannot read: leave it out.", name=name,
            type=series.dtype.pyarrow_dtype)) from error  # fmt: skip


def _object_column(name: str, series: pd.Series) -> Column:
    """A column of Python objects or strings: what all of its values are, else text."""
    inferred = pd.api.types.infer_dtype(series, skipna=True)
    if inferred == "boolean":
        return _boolean_column(name, series)
    if inferred in ("integer", "floating", "mixed-integer-float", "decimal"):
        return numeric_column(name, None, _floats(name, series))
    if inferred in ("date", "datetime", "datetime64"):
        return _date_column(name, pd.to_datetime(series, utc=True))
    if inferred in ("timedelta", "timedelta64"):
        return _natural_column(name, _durations(name, series))
    return _text_column(name, series)


def _durations(name: str, series: pd.Series) -> pd.Series:
    try:
        return pd.to_timedelta(series)
    except (OverflowError, ValueError) as error:  # Python's durations reach further than those of pandas
        raise InputError(
            tr("Column “{name}” holds durations of more than 200,000 years: leave it out.", name=name)
        ) from error


def _floats(name: str, series: pd.Series) -> NDArray[np.float64]:
    try:
        return pd.to_numeric(series).to_numpy(dtype=np.float64, na_value=np.nan)
    except OverflowError as error:  # Python's integers know no bound
        raise InputError(
            tr("Column “{name}” holds numbers beyond 1e308: divide it by a power of ten.", name=name)
        ) from error


def _level_name(value: Any) -> str:
    """A level as text that can be saved."""
    return exact_words(value) if isinstance(value, float) else readable(str(value))


def _can_be_level(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _text_column(name: str, series: pd.Series) -> Column:
    try:
        codes, found = pd.factorize(series, use_na_sentinel=True)
    except TypeError as error:  # lists, dicts, arrays: what can be changed cannot be looked up
        what = type(next(value for value in series if not _can_be_level(value))).__name__
        raise InputError(
            tr("Column “{name}” holds values of type {type}, which make no levels: leave it out.", name=name, type=what)
        ) from error
    texts = [_level_name(value) for value in found]
    levels = sorted(set(texts))
    place = {level: i for i, level in enumerate(levels)}
    sorted_code = np.array([place[text] for text in texts] + [-1], dtype=np.int64)
    return level_column(name, "nominal", sorted_code[codes], levels, False)


def _boolean_column(name: str, series: pd.Series) -> Column:
    missing = series.isna().to_numpy()
    truth = series.where(~series.isna(), False).astype(bool).to_numpy()
    return level_column(name, "boolean", np.where(missing, -1, truth), list(BOOLEAN_LEVELS), True)


def _date_column(name: str, series: pd.Series) -> Column:
    if series.dt.tz is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    moments = series.to_numpy()
    unit = np.datetime_data(moments.dtype)[0]
    if unit != "ns":  # whose years are all in the calendar
        first, end = np.array([FIRST_YEAR, AFTER_LAST_YEAR], dtype=moments.dtype)
        inside = (moments >= first) & (moments < end)
        moments = np.where(inside, moments, np.datetime64("NaT"))
    moments = moments.astype("datetime64[us]")
    seconds = moments.view(np.int64) / 1e6
    seconds[np.isnat(moments)] = np.nan
    return numeric_column(name, "date", seconds)


def with_kind(column: Column, kind: str) -> Column:
    """The same rows read as another kind.

    Raises:
        InputError: a value does not fit; the text names it.
    """
    if kind not in KINDS:
        raise InputError(tr("There is no column kind “{type}”; choose one of {all}.", type=kind, all=", ".join(KINDS)))
    if kind == column.kind:
        return column
    if kind in ("nominal", "ordered"):
        levels = [column.text(i) for i in range(column.n_values)]
        return level_column(column.name, kind, column.codes.astype(np.int64) - 1, levels, column.declared)
    if kind == "boolean":
        return _as_boolean(column)
    if column.kind == "date" or (kind == "date" and column.is_numeric):
        raise InputError(tr(
            "Column “{column}” cannot turn from {old} into {new}: read it as a category.", column=column.name,
            old=column.kind, new=kind))  # fmt: skip
    return _as_numeric(column, kind)


def with_bins(column: Column, edges: tuple[float, ...]) -> Column:
    """A numeric column with the bins between these edges as ordered levels."""
    bin_of_code = np.append(-1, np.searchsorted(np.array(edges), column.values.astype(np.float64)))
    return level_column(column.name, "ordered", bin_of_code[column.codes], range_names(edges), True)


def with_order(column: Column, levels: Sequence[str]) -> Column:
    """The same rows with the levels in another order; codes are ranks of it.

    Raises:
        InputError: the column has no levels to put in order, or they are not the same levels.
    """
    if column.kind not in ("nominal", "ordered"):
        raise InputError(tr("Column “{name}” has no levels to put in order: make it ordered first.", name=column.name))
    wanted = [str(level) for level in levels]
    if len(set(wanted)) < len(wanted):
        twice = next(level for level in wanted if wanted.count(level) > 1)
        raise InputError(
            tr("The order of “{column}” names “{twice}” twice: name each level once.", column=column.name, twice=twice)
        )
    known, named, present = set(column.levels), set(wanted), quoted_words(column.levels)
    unknown = next((level for level in wanted if level not in known), None)
    if unknown is not None:
        raise InputError(tr(
            "Column “{column}” has no level “{level}”; its levels are {levels}.", column=column.name, level=unknown,
            levels=present))  # fmt: skip
    left = next((level for level in column.levels if level not in named), None)
    if left is not None:
        raise InputError(tr(
            "The order of “{column}” leaves “{level}” out: name all of {levels}.", column=column.name, level=left,
            levels=present))  # fmt: skip
    place = {level: i for i, level in enumerate(wanted)}
    codes = np.array([-1, *(place[level] for level in column.levels)], dtype=np.int64)[column.codes]
    return level_column(column.name, column.kind, codes, wanted, True)


def arranged(levels: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The levels in a wanted order that may be of other rows: those that it does not name stand last."""
    known, named = set(levels), set(wanted)
    return [level for level in wanted if level in known] + [level for level in levels if level not in named]


def _as_boolean(column: Column) -> Column:
    truth = []
    for i in range(column.n_values):
        text = column.text(i)
        if text.lower() not in YES_OR_NO:
            raise InputError(tr(
                "Column “{column}” holds “{value}”, which is neither true nor false: keep its kind.",
                column=column.name, value=text))  # fmt: skip
        truth.append(int(YES_OR_NO[text.lower()]))
    codes = np.array([-1, *truth])[column.codes]
    return level_column(column.name, "boolean", codes, list(BOOLEAN_LEVELS), True)


def _as_numeric(column: Column, kind: str) -> Column:
    if kind == "date":
        parsed = pd.to_datetime(pd.Series(column.values, dtype=object), errors="coerce", format="mixed", utc=True)
        read = _date_column(column.name, parsed).numbers
    elif column.is_numeric:
        read = column.values
    elif column.kind == "boolean":
        read = np.array([0.0, 1.0])
    else:
        read = pd.to_numeric(pd.Series(column.values, dtype=object), errors="coerce").to_numpy(dtype=np.float64)
    if np.isnan(read).any():
        text = column.text(int(np.flatnonzero(np.isnan(read))[0]))
        said = {"column": column.name, "value": text}
        number = tr("Column “{column}” holds “{value}”, which is not a number: keep it a category.", **said)
        integer = tr("Column “{column}” holds “{value}”, which is not an integer: keep it a category.", **said)
        date = tr("Column “{column}” holds “{value}”, which is not a date: keep it a category.", **said)
        raise InputError({"integer": integer, "date": date}.get(kind, number))
    fractional = np.isfinite(read) & (read != np.floor(read))
    if kind == "integer" and fractional.any():
        text = column.text(int(np.flatnonzero(fractional)[0]))
        raise InputError(tr(
            "Column “{column}” holds {value}, which is not a whole number: keep it a number.", column=column.name,
            value=text))  # fmt: skip
    if column.is_numeric and column.n_present == column.n_values:
        changed = Column(column.name, kind, column.values, column.codes)
        changed.__dict__["order"] = column.order  # known already
        return changed
    return numeric_column(column.name, kind, np.concatenate(([np.nan], read))[column.codes])
