"""Cuts and conditions as a person types them: "5, 10, 20", "2013-07-01; 2014", "age <= 30", "colour = red"."""

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.splits.split import Literal
from engine.table.column import Column
from engine.table.table import Table
from engine.table.words import exact_date, exact_words, value_words

_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_YEAR, _MONTH = re.compile(r"\d{4}"), re.compile(r"(\d{4})-(\d{1,2})")
SIGNS = {
    "<=": "<=", "=<": "<=", "≤": "<=", ">=": ">=", "=>": ">=", "≥": ">=", "<": "<", ">": ">",
    "==": "==", "=": "==", "!=": "!=", "<>": "!=", "≠": "!=",
}  # fmt: skip
_SIGN = re.compile(r"\s*(<=|=<|>=|=>|<>|==|!=|[<>=≤≥≠])\s*(.*)", re.DOTALL)


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

    from engine.readers.notations import parse_dates  # large, too

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


def read_literal(text: str, table: Table) -> Literal:
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


def _literal(column: Column, sign: str, value: str) -> Literal:
    name, said = column.name, {"column": column.name, "value": value, "example": _example(column)}
    if not column.is_numeric:
        if sign not in ("==", "!="):
            text = tr("“{column}” is categorical, so use = or !=: write a condition such as {example}.", **said)
            raise InputError(text)
        return Literal(name, sign, _level(column, value))
    found = read_cuts(value, column.kind)
    if len(found) > 1:
        raise InputError(tr("“{value}” is more than one value: write a condition such as {example}.", **said))
    if sign in ("<", ">=") and column.kind == "integer" and found[0].is_integer():
        return Literal(name, "<=" if sign == "<" else ">", found[0] - 1.0)
    if sign not in ("<=", ">"):
        raise InputError(tr("A condition on “{column}” uses <= or >: write a condition such as {example}.", **said))
    return Literal(name, sign, found[0])


def _level(column: Column, value: str) -> str:
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


def _example(column: Column) -> str:
    if column.is_numeric:
        return f"“{column.name} <= {'2013-07-01' if column.kind == 'date' else 30}”"
    return f"“{column.name} = {column.levels[0] if column.levels else 'red'}”"
