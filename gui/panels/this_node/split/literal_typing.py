"""A condition as a person writes it: "age <= 30", "colour = red". No Qt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import engine
from engine.runtime.errors import InputError
from gui.panels.this_node.split.typed import read_cuts

if TYPE_CHECKING:
    from engine.splits import Literal
    from engine.table.column import Column
    from engine.table.table import Table

SIGNS = {
    "<=": "<=", "=<": "<=", "≤": "<=", ">=": ">=", "=>": ">=", "≥": ">=", "<": "<", ">": ">",
    "==": "==", "=": "==", "!=": "!=", "<>": "!=", "≠": "!=",
}  # fmt: skip
_SIGN = re.compile(r"\s*(<=|=<|>=|=>|<>|==|!=|[<>=≤≥≠])\s*(.*)", re.DOTALL)
_FORM = "write a condition such as {}"


def read_literal(text: str, table: Table) -> Literal:
    """The condition of a text: a feature's name, a sign, and a number, a date or a level; upper case or lower.

    Raises:
        InputError: no feature is named so, the sign does not suit it, or there is no such value.
    """
    columns = [table.columns[place] for place in table.features]
    text = text.strip()
    named = [one for one in columns if text.casefold().startswith(one.name.casefold())]
    for column in sorted(named, key=lambda one: len(one.name), reverse=True):
        said = _SIGN.fullmatch(text[len(column.name) :])
        if said is not None and said[2].strip():
            return _literal(column, SIGNS[said[1]], said[2].strip())
    example = _FORM.format("“age <= 30” or “colour = red”" if not named else _example(named[-1]))
    name = _SIGN.split(text, maxsplit=1)[0].strip()
    if named:
        raise InputError(f"“{text}” is not all of a condition: {example}.")
    raise InputError(f"No feature is called “{name}”: {example}." if name else f"{example[:1].upper()}{example[1:]}.")


def _literal(column: Column, sign: str, value: str) -> Literal:
    if not column.is_numeric:
        return engine.Literal(column.name, _test_of_levels(column, sign), _level(column, value))
    found = read_cuts(value, column.kind)
    if len(found) > 1:
        raise InputError(f"“{value}” is more than one place: {_FORM.format(_example(column))}.")
    if sign in ("<", ">=") and column.kind == "integer" and found[0].is_integer():
        return engine.Literal(column.name, "<=" if sign == "<" else ">", found[0] - 1.0)
    if sign not in ("<=", ">"):
        raise InputError(f"A condition on “{column.name}” says <= or >: {_FORM.format(_example(column))}.")
    return engine.Literal(column.name, sign, found[0])


def _test_of_levels(column: Column, sign: str) -> str:
    if sign not in ("==", "!="):
        raise InputError(f"“{column.name}” has levels, so = or != is asked: {_FORM.format(_example(column))}.")
    return sign


def _level(column: Column, value: str) -> str:
    """The level of a name; quoted or not, and in any case of letters where that names one only."""
    bare = value[1:-1] if len(value) > 1 and value[0] + value[-1] in ('""', "''", "“”") else value
    for wanted in (value, bare):
        if wanted in column.levels:
            return wanted
    alike = [level for level in column.levels if level.casefold() == bare.casefold()]
    if len(alike) == 1:
        return alike[0]
    raise InputError(f"“{column.name}” has no level “{bare}”: {_FORM.format(_example(column))}.")


def _example(column: Column) -> str:
    """A condition on a column that can be read."""
    if column.is_numeric:
        return f"“{column.name} <= {'2013-07-01' if column.kind == 'date' else 30}”"
    return f"“{column.name} = {column.levels[0] if column.levels else 'red'}”"
