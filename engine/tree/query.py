"""The way to a node as an expression for `pandas.DataFrame.query`, which selects exactly the rows that go there.

The rows are those of the frame that the table was made of, or of another one with its columns: dates as datetime64
without a zone (UTC), durations as seconds, levels as text, numbers or truth values. What a path asks of one column is
merged, as in `engine.tree.rules`; unlike there it always includes where missing values and unknown levels go, for the
next frame may have them. `engine.splits.conditions` reads the same language.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from math import floor, inf, isclose, isinf, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import marked, tr
from engine.splits import Literal, Split, Surrogate
from engine.splits.conditions import look_for_twins, quoted, spelled
from engine.table.table import Table
from engine.table.words import exact_words
from engine.tree.arrays import TreeArrays
from engine.tree.nodes import TreeColumn
from engine.tree.rules import Interval, Levels, narrowed

EXACT_INTEGER = 2.0**53
NEGATED = {"<=": ">", ">": "<=", "==": "!=", "!=": "=="}
ANY = "{0}.isna() or {0}.notna()"  # all rows, in any frame: “index” may be the name of a column with gaps
ALL_ROWS = marked("No condition leads to the root: it holds all rows.")
NEAR = 1e-14  # of a threshold: what the middle of two short decimals may be off by
MOST_DIGITS = 17  # that a float64 needs
DATE = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d(\.\d{6})?)?)?")  # a level that was a date, see `words.exact_date`


def query(tree: TreeArrays, *nodes: int, table: Table | None = None) -> str:
    """The condition of the rows that stand in any of these nodes.

    Column dtypes are those that a table takes; a column of float32 is compared in float32 by pandas, which may put a
    value that lies next to a threshold on its other side.

    Args:
        table: where one is given, thresholds are written without the rounding error of their last bits (3.195 instead
            of 3.1950000000000003), as far as that sends every row of the table the same way; and columns that the tree
            does not know are kept apart, too.

    Raises:
        InputError: the tree has no such node, it is the root, or pandas has no safe way to write a column's name, to
            distinguish it from another one, or to write a date.
    """
    asked: dict[str, None] = {}

    @cache  # paths share the upper part of their way
    def split_at(i: int) -> Split:
        split = tree.split_at(i)
        assert split is not None
        asked.update(dict.fromkeys(split.columns))
        return split if table is None else _shortened(split, table)

    found = [_path(tree, tree.position(node), split_at) for node in nodes]
    known = (*(column.name for column in tree.columns), tree.target, *(table.names if table is not None else ()))
    look_for_twins(asked, known)
    if not all(found):
        raise InputError(tr(ALL_ROWS))
    if len(found) == 1:
        return _joined(found[0])
    return " or ".join(f"({_joined(conditions)})" for conditions in found)


def _path(tree: TreeArrays, i: int, split_at: Callable[[int], Split]) -> list[str]:
    """The conditions that lead to position i, in the order of the way down; what is asked of one column is merged."""
    way = []
    while i > 0:
        way.append((split_at(int(tree.parent[i])), int(tree.branch[i])))
        i = int(tree.parent[i])
    columns = {column.name: column for column in tree.columns}
    limits: dict[tuple[str, ...], Interval | Levels] = {}
    written: dict[tuple[str, ...], str] = {}
    for split, branch in reversed(way):
        if split.kind == "m_of_n" or split.surrogates:
            text = (_m_of_n if split.kind == "m_of_n" else _with_surrogates)(split, branch, columns)
            written[("", text)] = text
        else:
            key = (split.column, split.kind)
            limits[key] = narrowed(limits.get(key), split, branch, columns[split.column])
            written[key] = _condition(limits[key])
    return [text for text in written.values() if text] or [ANY.format(spelled(split.column)) for split, _ in way[-1:]]


def _shortened(split: Split, table: Table) -> Split:
    """The same split, its thresholds with as few digits as `short_threshold` finds."""
    if split.kind == "m_of_n":
        literals = (
            each._replace(value=_short_in(each.value, table, each.column)) if each.by_order else each
            for each in split.literals
        )
        return replace(split, literals=tuple(literals))
    surrogates = tuple(Surrogate(_shortened(each.split, table), each.flipped) for each in split.surrogates)
    cuts = tuple(_short_in(cut, table, split.column) for cut in split.thresholds)
    distinct = len(set(cuts)) == len(cuts)  # else two cuts lie nearer to each other than `NEAR`
    return replace(split, thresholds=cuts if distinct else split.thresholds, surrogates=surrogates)


def _short_in(cut: Any, table: Table, name: str) -> float:
    """A threshold in the words of a table; as it is where the table has no such numbers."""
    column = next((column for column in table.columns if column.name == name), None)
    if column is None or column.kind == "date" or not column.is_numeric:
        return float(cut)
    return short_threshold(float(cut), column.values)


def short_threshold(cut: float, values: NDArray[Any]) -> float:
    """The number of the fewest digits that is as good as equal to a threshold and has the same values below it.

    Args:
        values: float64[n] ascending.
    """
    for digits in range(1, MOST_DIGITS):
        short = float(f"{cut:.{digits}g}")
        if isclose(short, cut, rel_tol=NEAR, abs_tol=0.0):
            below, above = np.searchsorted(values, (short, cut), side="right")
            if below == above:
                return short
    return cut


def _joined(conditions: list[str]) -> str:
    if len(conditions) == 1:
        return conditions[0]
    return " and ".join(f"({text})" if " or " in text else text for text in conditions)


def _condition(limit: Interval | Levels) -> str:
    """A limit with what it asks of missing values; empty where every row meets it."""
    name = spelled(limit.column.name)
    if isinstance(limit, Levels):
        return _levels(limit, name)
    if limit.low is None and limit.high == inf:
        return "" if limit.missing else f"{name}.notna()"
    if not limit.has_values:
        return f"{name}.isna()" if limit.missing else f"{name} in []"
    if limit.low is None:
        text = _compared(limit.column, "<=", limit.high)
    elif limit.high == inf:
        text = _compared(limit.column, ">", limit.low)
    else:
        text = f"{_value(limit.low, limit.column)} < {name} <= {_value(limit.high, limit.column)}"
    return f"{text} or {name}.isna()" if limit.missing else text


def _compared(column: TreeColumn, test: str, value: float) -> str:
    """A value beside a threshold; dates know none that is infinite."""
    name = spelled(column.name)
    if column.kind == "date" and isinf(value):
        return f"{name}.notna()" if (test == "<=") == (value > 0) else f"{name} in []"
    return f"{name} {test} {_value(value, column)}"


def _levels(limit: Levels, name: str) -> str:
    boolean = limit.column.kind == "boolean"
    known = ("False", "True") if boolean else limit.column.levels
    allowed = [level for level in known if level in limit.allowed]
    refused = [level for level in known if level not in limit.allowed]
    if not refused and (limit.others or boolean):
        return "" if limit.missing else f"{name}.notna()"
    if limit.others and not boolean:
        text = f"{name} not in [{', '.join(_forms(refused, limit.column))}]"  # of a missing value, too
        return text if limit.missing else f"{text} and {name}.notna()"
    if not allowed and limit.missing:
        return f"{name}.isna()"
    text = _one_of(name, _forms(allowed, limit.column))
    return f"{text} or {name}.isna()" if limit.missing else text


def _one_of(name: str, forms: list[str]) -> str:
    return f"{name} == {forms[0]}" if len(forms) == 1 else f"{name} in [{', '.join(forms)}]"


def _forms(levels: Sequence[str], column: TreeColumn) -> list[str]:
    """How levels may stand in a frame: as text, and as the number or the truth value that reads so.

    Raises:
        InputError: one was a date, or reads like one. In a frame it is a date or text, and there is no condition that
            is right for both: for pandas no date equals any text.
    """
    forms = []
    for level in levels:
        if DATE.fullmatch(level):
            raise InputError(tr(
                "A pandas query cannot select the level {level} of “{column}”, for a frame may hold it as a date or as "
                "text: make the column a date, or copy the path as text.", level=level, column=one_line(column.name),
            ))  # fmt: skip
        if level not in ("True", "False") or column.kind != "boolean":
            forms.append(quoted(level))
        if level in ("True", "False"):
            forms.append(level)
            continue
        try:
            number = float(level)
        except ValueError:
            continue
        if not isnan(number) and exact_words(number) == level:
            forms.append(_number(number))
    return forms


def _m_of_n(split: Split, branch: int, columns: dict[str, TreeColumn]) -> str:
    """How many literals hold; all, none or any of them in and and or, else as a sum of ones."""
    n, literals = len(split.literals), split.literals
    if split.m == n or split.m == 1:
        held = [_literal(literal, columns, branch == 0) for literal in literals]
        joint = " and " if (split.m == n) == (branch == 0) else " or "
        return joint.join(f"({text})" if (" or " in text or " and " in text) and n > 1 else text for text in held)
    ones = (f"({_literal(literal, columns, True, strict=True)}).astype('int')" for literal in literals)
    return f"{' + '.join(ones)} {'>=' if branch == 0 else '<'} {split.m}"


def _literal(literal: Literal, columns: dict[str, TreeColumn], holds: bool, strict: bool = False) -> str:
    """That a literal holds, or that it does not, as of a missing value; `strict`: never neither of the two."""
    column, name = columns[literal.column], spelled(literal.column)
    test = literal.test if holds else NEGATED[literal.test]
    if isinstance(literal.value, str):
        forms = _forms([literal.value], column)
        if test == "!=":
            text = f"{name} not in [{', '.join(forms)}]"
            return f"{text} and {name}.notna()" if holds else text
        text = f"{name} in [{', '.join(forms)}]" if strict else _one_of(name, forms)
        return text if holds else f"{text} or {name}.isna()"
    text = _compared(column, test, float(literal.value))
    if not holds:
        return f"{text} or {name}.isna()"
    return f"{text} and {name}.notna()" if strict else text  # where missing is a value of its own


def _with_surrogates(split: Split, branch: int, columns: dict[str, TreeColumn]) -> str:
    """A branch of the split itself, or where its column is missing that of the first surrogate that has its own."""
    asked = [(split, branch), *((one.split, branch ^ one.flipped) for one in split.surrogates)]
    text = ""
    for k, (each, side) in reversed(list(enumerate(asked))):
        column = columns[each.column]
        missing = f"{spelled(each.column)}.isna()"
        limit = narrowed(None, each, side, column)
        limit = limit._replace(missing=False)
        own = _condition(limit)
        if k == len(asked) - 1:
            text = f"{own} or {missing}" if split.missing == branch else own
        else:
            text = f"{own} or ({missing} and ({text}))"
    return text


def _value(value: float, column: TreeColumn) -> str:
    return _moment(value, column.name) if column.kind == "date" else _number(value)


def _number(value: float) -> str:
    if isinf(value):
        return "1e999" if value > 0 else "-1e999"
    return f"{value:.0f}" if value == floor(value) and abs(value) < EXACT_INTEGER else repr(float(value))


def last_microsecond(seconds: float) -> int:
    """The last microsecond since 1970 that a finite threshold in seconds lets pass; nothing that a table holds lies
    between."""
    k = floor(seconds * 1e6) + 16  # beyond the year 2255 several microseconds are one number
    while k / 1e6 > seconds:
        k -= 1
    return k


def _moment(seconds: float, column: str) -> str:
    """The last microsecond that a threshold lets pass, as text: nothing that a table holds lies between."""
    k = last_microsecond(seconds)
    try:
        moment = datetime(1970, 1, 1) + timedelta(microseconds=k)
    except OverflowError as error:
        raise InputError(tr(
            "A pandas query cannot express the threshold {threshold} of “{column}”: it lies beyond the calendar.",
            threshold=exact_words(seconds), column=one_line(column))) from error  # fmt: skip
    whole = (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0)
    return repr(moment.date().isoformat() if whole else moment.isoformat(" "))
