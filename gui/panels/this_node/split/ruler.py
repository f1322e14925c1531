"""Cuts of one column at one node: where they may stand (between its values, at round numbers, at quantiles) and how a
person writes them, and conditions: "5, 10, 20", "2013-07-01; 2014", "age <= 30", "colour = red". No Qt."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.words import exact_date, exact_words, value_words
from gui.widgets import grids
from gui.widgets.grids import Grid, Places, Spans, Steps

MIDPOINT, ROUND, QUANTILE, FREE = SNAPS = ("midpoint", "round", "quantile", "free")
QUANTILES = 20  # the node's rows are cut at every twentieth of them
ROUND_PIXELS = 7  # round numbers are at least so far apart on the screen
FREE_PIXELS = 0.5  # and free ones as far, so that what is written is what is cut at
FINEST = 1e-12  # of the range: below it numbers have no more digits
FINER = 30  # times a grid is made finer where it has no place
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_YEAR, _MONTH = re.compile(r"\d{4}"), re.compile(r"(\d{4})-(\d{1,2})")
SIGNS = {
    "<=": "<=", "=<": "<=", "≤": "<=", ">=": ">=", "=>": ">=", "≥": ">=", "<": "<", ">": ">",
    "==": "==", "=": "==", "!=": "!=", "<>": "!=", "≠": "!=",
}  # fmt: skip
_SIGN = re.compile(r"\s*(<=|=<|>=|=>|<>|==|!=|[<>=≤≥≠])\s*(.*)", re.DOTALL)


def training_weights(curve: engine.Curve, by_class: bool) -> NDArray[np.float64]:
    """float64[m]: the weight of the training rows at each of a curve's values or levels."""
    train = np.asarray(curve.train)
    return train.sum(axis=1) if by_class else train[:, 0]


def has_missing(curve: engine.Curve, by_class: bool) -> bool:
    """Whether training rows of the node lack the value."""
    missing = np.asarray(curve.missing_train)
    return bool(missing.size and missing[: None if by_class else 1].sum() > 0)


@dataclass(frozen=True, eq=False)
class Ruler:
    """The grids of one column."""

    curve: engine.Curve  # of a number, an integer or a date
    by_class: bool  # it counts classes; otherwise (Σw, Σwy, Σw(y - mean)²) of a numeric target

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """float64[m]: the training rows at each of the curve's values, by weight."""
        return training_weights(self.curve, self.by_class)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The finite training values from the first of which on, and below the last, a cut separates rows."""
        values = np.asarray(self.curve.values)[self.weights > 0]
        values = values[np.isfinite(values)]
        return (float(values[0]), float(values[-1])) if values.size else (math.nan, math.nan)

    @cached_property
    def _midpoints(self) -> Places:
        cuts = np.asarray(self.curve.cuts)
        return Places(cuts[np.isfinite(cuts)])

    @cached_property
    def _quantiles(self) -> Places:
        """Of all cuts those that come nearest to a twentieth, two twentieths … of the rows that have the value."""
        cuts = self._midpoints.at
        if not cuts.size:
            return self._midpoints
        below = np.concatenate([[0.0], np.cumsum(self.weights)])
        share = below[np.searchsorted(np.asarray(self.curve.values), cuts, side="right")] / below[-1]
        wanted = np.arange(1, QUANTILES) / QUANTILES
        right = np.clip(np.searchsorted(share, wanted), 0, cuts.size - 1)
        left = np.maximum(right - 1, 0)
        nearer = np.where(wanted - share[left] <= share[right] - wanted, left, right)
        return Places(cuts[np.unique(nearer)])

    def grid(self, snap: str, grain: float) -> Grid:
        """The grid of one of `SNAPS`; `grain`: the width of a pixel on the axis."""
        if snap == MIDPOINT:
            return self._midpoints
        if snap == QUANTILE:
            return self._quantiles
        low, high = self.ends
        wide = high - low if high > low else abs(low) or 1.0
        grain = max(grain, FINEST * max(wide, abs(low), abs(high)))
        apart = grain * (ROUND_PIXELS if snap == ROUND else FREE_PIXELS)
        if self.curve.kind == "date":
            return grids.dates_at_least(max(apart, 1.0))
        if self.curve.kind == "integer":
            apart = max(apart, 1.0)
        return Steps.at_least(apart, (1, 2, 5) if snap == ROUND else (1,))

    def nearest(self, x: float, snap: str, grain: float, low: float, high: float) -> float | None:
        """The place nearest to `x` between two others that separates rows, on a finer grid where this has none in the
        gap; None if there is no room."""
        low, high = self._inside(low, high)
        for _ in range(FINER):
            grid = self.grid(snap, grain)
            found = grids.nearest(grid, x, low, high)
            if found is not None or isinstance(grid, Places) or grid == Spans(1.0):
                return found
            grain /= 2
        return None

    def step(self, x: float, steps: int, snap: str, grain: float, low: float, high: float) -> float | None:
        """The place some steps from `x`, or as far as there is room; None where there is no other."""
        return grids.stepped(self.grid(snap, grain), x, steps, *self._inside(low, high))

    def _inside(self, low: float, high: float) -> tuple[float, float]:
        first, last = self.ends
        return max(low, math.nextafter(first, -math.inf)), min(high, last)


def cuts_text(cuts: Iterable[float], kind: str) -> str:
    """Cuts in a form that `read_cuts` reads back, every digit of them; of kind "day" the days, which divide alike."""
    if kind == "day":
        return ", ".join(value_words(cut, kind) for cut in cuts)
    return ", ".join(exact_date(cut) if kind == "date" else exact_words(cut) for cut in cuts)


def without_noise(cut: float, values: NDArray[np.float64]) -> float:
    """A cut of twelve digits, 4.985 for 4.984999999999999, where it divides the values (ascending) alike."""
    plain = float(f"{cut:.12g}")
    below, same = np.searchsorted(values, (cut, plain), side="right")
    return plain if below == same else cut


def read_cuts(text: str, kind: str) -> tuple[float, ...]:
    """The cuts of a text, ascending, each once; parted by commas, semicolons, or (numbers) blanks. Raises InputError
    for a part that is no number, or no date; or where there is none."""
    dates = kind == "date"
    for part in re.split(r"[;\s]+", "" if dates else text):  # “10,000” is ten thousand to one, two cuts to another
        if _GROUPED.fullmatch(part.rstrip(",").replace("−", "-")):
            said = {"part": part.rstrip(","), "plain": part.replace(",", "")}
            text = tr("“{part}” can be one number or several: write {plain}, or a blank after each comma.", **said)
            raise InputError(text)
    parts = [part.strip() for part in re.split(r"[;,]" if dates else r"[;,\s]+", text) if part.strip()]
    if not parts:
        example = "2013-07-01, 2014-01-01" if dates else "5, 10, 20"
        raise InputError(tr("Write one cut or several, such as {example}.", example=example))
    return tuple(sorted({_date(part) if dates else _number(part) for part in parts}))


def _number(part: str) -> float:
    try:
        number = float(part.replace("−", "-").replace("_", "x"))
    except ValueError:
        raise InputError(tr("“{part}” is not a number: write cuts such as 5, 10, 20 or 0.5.", part=part)) from None
    if not math.isfinite(number):
        raise InputError(tr("“{part}” is not a finite number: write numbers such as 5, 10, 20.", part=part))
    return number + 0.0  # −0 is 0


def _date(part: str) -> float:
    """Seconds since 1970, UTC; a year or a month stands for its first day."""
    import pyarrow as pa  # large, and dates are seldom typed

    from engine.readers.notations import parse_dates

    if _YEAR.fullmatch(part):
        part = f"{part}-01-01"
    elif month := _MONTH.fullmatch(part):
        part = f"{month[1]}-{int(month[2]):02}-01"
    read, is_ambiguous = parse_dates(pa.array([part], pa.large_string()))
    if is_ambiguous:
        raise InputError(tr("“{part}” could be day/month or month/day: write it as 2013-07-01.", part=part))
    moment: datetime | None = read[0].as_py()
    if moment is None:
        raise InputError(tr("“{part}” is not a date: write it as 2013-07-01 or 2013-07-01 14:30.", part=part))
    return moment.replace(tzinfo=UTC).timestamp()


def read_literal(text: str, table: engine.Table) -> engine.Literal:
    """The condition of a text: a feature's name, a sign, and a number, a date or a level; upper case or lower. Raises
    InputError where no feature is named so, the sign does not suit it, or there is no such value."""
    columns = [table.columns[place] for place in table.features]
    text = text.strip()
    named = [one for one in columns if text.casefold().startswith(one.name.casefold())]
    for column in sorted(named, key=lambda one: len(one.name), reverse=True):
        found = _SIGN.fullmatch(text[len(column.name) :])
        if found is not None and found[2].strip():
            return _literal(column, SIGNS[found[1]], found[2].strip())
    told = {"text": text, "name": _SIGN.split(text, maxsplit=1)[0].strip(), "example": "“age <= 30” or “colour = red”"}
    if named:
        told["example"] = _example(named[-1])
        raise InputError(tr("“{text}” is not a complete condition: write a condition such as {example}.", **told))
    if not told["name"]:
        raise InputError(tr("Write a condition such as {example}.", **told))
    raise InputError(tr("No feature is called “{name}”: write a condition such as {example}.", **told))


def _literal(column: engine.Column, sign: str, value: str) -> engine.Literal:
    name, said = column.name, {"column": column.name, "value": value, "example": _example(column)}
    if not column.is_numeric:
        if sign not in ("==", "!="):
            text = tr("“{column}” is categorical, so use = or !=: write a condition such as {example}.", **said)
            raise InputError(text)
        return engine.Literal(name, sign, _level(column, value))
    found = read_cuts(value, column.kind)
    if len(found) > 1:
        raise InputError(tr("“{value}” is more than one value: write a condition such as {example}.", **said))
    if sign in ("<", ">=") and column.kind == "integer" and found[0].is_integer():
        return engine.Literal(name, "<=" if sign == "<" else ">", found[0] - 1.0)
    if sign not in ("<=", ">"):
        raise InputError(tr("A condition on “{column}” uses <= or >: write a condition such as {example}.", **said))
    return engine.Literal(name, sign, found[0])


def _level(column: engine.Column, value: str) -> str:
    """The level of a name; quoted or not, and in any case of letters where that names one only."""
    bare = value[1:-1] if len(value) > 1 and value[0] + value[-1] in ('""', "''", "“”") else value
    for wanted in (value, bare):
        if wanted in column.levels:
            return wanted
    alike = [level for level in column.levels if level.casefold() == bare.casefold()]
    if len(alike) == 1:
        return alike[0]
    said = {"column": column.name, "level": bare, "example": _example(column)}
    raise InputError(tr("“{column}” has no level “{level}”: write a condition such as {example}.", **said))


def _example(column: engine.Column) -> str:
    if column.is_numeric:
        return f"“{column.name} <= {'2013-07-01' if column.kind == 'date' else 30}”"
    return f"“{column.name} = {column.levels[0] if column.levels else 'red'}”"
