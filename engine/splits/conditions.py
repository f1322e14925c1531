"""Conditions as a person writes them and as `pandas.DataFrame.query` reads them.

`rows_where` finds the rows of `30 < age <= 40 and city in ["Berlin", "Ulm"] or income.isna()`. The language is that of
pandas' queries, as far as `engine.query` writes it and people type it. It is read here instead of being run: nothing
that is typed or pasted can call anything, and values are compared once for each distinct value, not for each row.

`spelled` and `quoted` write the names of columns and levels for a query: what pandas takes for them, and for nothing
else. Nothing is tried out, for a query is a program: names and levels are a stranger's. The rules follow the source of
pandas 2.2 to 3.1 (`pandas/core/computation`: `parsing.py`, `ops.py`, `scope.py`). A name that one of them may read as
something else is refused; what one of them cannot read at all (2.2 no “x#y”) it refuses itself. They hold as well where
a person puts the query between double quotes, raw or not, in a program: nothing here ends such a text, but for one
quotation mark in a name, behind which the backtick is no Python.
"""

import ast
import re
import token
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from keyword import iskeyword
from sys import maxunicode
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr
from engine.table.column import Column
from engine.table.table import Table
from engine.table.words import exact_words

EXAMPLE = 'age > 40 and city == "Berlin"'
QUOTED = r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|`([^`]*)`"""
SIGN = r"(<=|>=|!=|==|[=≤≥≠−&|~]|\b(?:AND|OR|NOT|IN)\b)"
JOINING = re.compile(r"\b(?:and|or|not)\b", re.IGNORECASE)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SIGNS = {"=": "==", "≤": "<=", "≥": ">=", "≠": "!=", "−": "-", "&": " and ", "|": " or ", "~": " not "}
TESTS = {
    ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}  # fmt: skip
TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}
SUMS = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide}
MISSING = {"isna": True, "isnull": True, "notna": False, "notnull": False}
INDEX = "index == index"  # how people write all rows

Numbers = NDArray[Any]
JOINING_WORDS = {"and", "or", "not", "in"}  # a person may write them in capitals, so such a name stands in backticks
INFINITE = {"inf", "Inf"}  # which are numbers in a query
PREFIX = "BACKTICK_QUOTED_STRING_"  # of what pandas makes of a name in backticks
LOCAL = "__pd_eval_local_"  # what pandas makes of @, and takes out of any name
SIGN_NAMES = {sign: f"_{token.tok_name[kind]}_" for sign, kind in token.EXACT_TOKEN_TYPES.items()} | {
    " ": "_", "?": "_QUESTIONMARK_", "!": "_EXCLAMATIONMARK_", "$": "_DOLLARSIGN_", "€": "_EUROSIGN_",
    "°": "_DEGREESIGN_", "'": "_SINGLEQUOTE_", '"': "_DOUBLEQUOTE_", "#": "_HASH_",
}  # fmt: skip
ONE_QUOTE = re.compile(r"""[^'"]*|[\w ]*['"][\w ]*""")
BEYOND_TEXT = "'\"\\`"  # what ends a text, and what pandas 3 mistakes beside its end


def rows_where(table: Table, condition: str) -> NDArray[np.bool_]:
    """bool[n_rows]: for which rows of a table a condition holds.

    As in pandas a missing value fulfils `!=` and `not in`, and no other comparison. Other than there, names of columns
    with spaces need no backticks, unless "and", "or" or "not" is one of their words.

    Raises:
        InputError: it is no condition, names no column of the table, or compares what cannot be compared.
    """
    table.need_rows()
    if " ".join(condition.split()) == INDEX and "index" not in table.names:
        return np.ones(table.n_rows, dtype=bool)
    names: dict[str, str] = {}
    mark = "_column"
    while mark in normalize("NFKC", condition):  # a column may have the name that stands for another one
        mark += "_"
    text = _pieces(table).sub(lambda found: _plain(found, names, mark), condition).strip()
    try:
        return _Reader(table, names).truth(ast.parse(text, mode="eval").body)
    except InputError:
        raise
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise InputError(tr(
            "“{condition}” is no condition that can be read: write one like {example}.",
            condition=one_line(condition), example=EXAMPLE)) from error  # fmt: skip


def _pieces(table: Table) -> re.Pattern[str]:
    """What is written otherwise than in Python: text, names in backticks, names with spaces or with letters that Python
    reads as other ones, signs."""
    spaced = [name for name in table.names if re.search(r"\w +\w", name) and not JOINING.search(name)]
    spaced += [name for name in table.names if name.isidentifier() and normalize("NFKC", name) != name]
    bare = "|".join(re.escape(name) for name in sorted(spaced, key=len, reverse=True)) or "(?!)"
    return re.compile(rf"{QUOTED}|(?<!\w)({bare})(?!\w)|{SIGN}")


def _plain(found: re.Match[str], names: dict[str, str], mark: str) -> str:
    """A piece of a condition as Python writes it; names in backticks, and those with spaces, are numbered."""
    text, quoted, spaced, sign = found.groups()
    name = quoted if quoted is not None else spaced
    if text is not None:
        return str(text)
    if name is not None:
        number = f"{mark}{len(names)}"
        names[number] = name
        return number
    return SIGNS.get(sign, sign.lower())


@dataclass(frozen=True)
class _Word:
    """A name that is no column: a level that was written without quotes."""

    text: str


class _Reader:
    """Evaluates the parts of one condition over one table; ValueError where a part does not belong to the language."""

    def __init__(self, table: Table, names: dict[str, str]) -> None:
        self._table, self._names = table, names

    def truth(self, part: ast.expr) -> NDArray[np.bool_]:
        """bool[n_rows] of a part that holds or does not."""
        if isinstance(part, ast.BoolOp):
            join = np.logical_and if isinstance(part.op, ast.And) else np.logical_or
            found = self.truth(part.values[0]).copy()
            for each in part.values[1:]:
                join(found, self.truth(each), out=found)
            return found
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
            return ~self.truth(part.operand)
        if isinstance(part, ast.Compare):
            return self._compared(part)
        if isinstance(part, ast.Call):
            return self._missing(part)
        if isinstance(part, ast.Name):
            return self._true(part)
        raise ValueError("not in this language")

    def _compared(self, part: ast.Compare) -> NDArray[np.bool_]:
        sides = [part.left, *part.comparators]
        found = np.ones(self._table.n_rows, dtype=bool)
        for left, test, right in zip(sides, part.ops, sides[1:], strict=False):
            if isinstance(test, ast.In | ast.NotIn):
                found &= self._among(left, right) ^ isinstance(test, ast.NotIn)
            elif type(test) in TESTS:
                found &= self._held(self._side(left), type(test), self._side(right))
            else:
                raise ValueError("not in this language")
        return found

    def _side(self, part: ast.expr) -> Any:
        """A column, a word, a value, or numbers for each row."""
        if isinstance(part, ast.Name):
            name = self._name(part)
            return self._table.column(name) if name in self._table.names else _Word(name)
        if isinstance(part, ast.Constant):
            if not isinstance(part.value, int | float | str):
                raise ValueError("not in this language")
            return part.value
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub | ast.UAdd):
            value = self._number(part.operand)
            return -value if isinstance(part.op, ast.USub) else value
        if isinstance(part, ast.BinOp) or _in_ones(part) is not None:
            return self._number(part)
        level = _level(part)
        return level if level is not None else self.truth(part)

    def _column(self, part: ast.expr) -> Column:
        found = self._side(part)
        if isinstance(found, _Word):
            self._table.index(found.text)  # raises: there is no such column
        if not isinstance(found, Column):
            raise ValueError("not in this language")
        return found

    def _name(self, part: ast.Name) -> str:
        if part.id in self._names:
            return self._names[part.id]
        if part.id in self._table.names:
            return part.id
        # Python reads names in one of several spellings of Unicode: “µg” with a Greek letter.
        same = (name for name in self._table.names if normalize("NFKC", name) == part.id)
        return next(same, part.id)

    def _number(self, part: ast.expr) -> Any:
        """A number, or one for each row: of a column, or 1 where something holds."""
        if isinstance(part, ast.BinOp) and type(part.op) in SUMS:
            with np.errstate(all="ignore"):
                return SUMS[type(part.op)](self._number(part.left), self._number(part.right))
        side = self._side(_in_ones(part) or part)
        if isinstance(side, Column):
            if not side.is_numeric:
                raise InputError(tr(
                    "“{column}” has no numbers, so nothing can be added to it or multiplied by it.", column=side.name,
                ))  # fmt: skip
            return side.numbers
        if isinstance(side, _Word):
            return self._table.column(side.text).numbers  # raises: there is no such column
        if isinstance(side, np.ndarray):
            return side.astype(np.float64)
        if isinstance(side, int | float):
            return float(side)
        raise ValueError("not in this language")

    def _held(self, left: Any, test: type[ast.cmpop], right: Any) -> NDArray[np.bool_]:
        if isinstance(right, Column) and not isinstance(left, Column | np.ndarray):
            return self._held(right, TURNED[test], left)
        if isinstance(left, Column) and not isinstance(right, Column | np.ndarray):
            return _by_values(left, test, right)
        pair = []
        for side in (left, right):
            if isinstance(side, _Word):
                self._table.index(side.text)  # raises: there is no such column
            if isinstance(side, Column) and not side.is_numeric:
                raise InputError(
                    tr("“{column}” has no numbers: compare it with a level, not with another column.", column=side.name)
                )
            if isinstance(side, str):
                raise ValueError("not in this language")
            pair.append(side.numbers if isinstance(side, Column) else side)
        return np.broadcast_to(TESTS[test](*pair), self._table.n_rows)

    def _among(self, left: ast.expr, right: ast.expr) -> NDArray[np.bool_]:
        column = self._column(left)
        if not isinstance(right, ast.List | ast.Tuple | ast.Set):
            raise ValueError("not in this language")
        held = np.zeros(column.n_values + 1, dtype=bool)
        for each in right.elts:
            value = self._side(each)
            if column.is_numeric and isinstance(value, str) and column.kind != "date":
                continue  # a number that may stand in a frame as text
            held[1:] |= _mask(column, ast.Eq, value)
        return held[column.codes]

    def _missing(self, part: ast.Call) -> NDArray[np.bool_]:
        call = part.func
        if part.args or part.keywords or not isinstance(call, ast.Attribute) or call.attr not in MISSING:
            raise ValueError("not in this language")
        return np.asarray((self._column(call.value).codes == 0) == MISSING[call.attr])

    def _true(self, part: ast.Name) -> NDArray[np.bool_]:
        """A truth value without a comparison is a condition."""
        column = self._table.column(self._name(part))
        if column.kind != "boolean":
            raise InputError(tr(
                "“{column}” alone is no condition: compare it with a value, as in {example}.", column=column.name,
                example=EXAMPLE))  # fmt: skip
        return _by_values(column, ast.Eq, True)


def _in_ones(part: ast.expr) -> ast.expr | None:
    """The condition inside of `(…).astype('int')`; None of anything else."""
    if not (isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "astype"):
        return None
    asked = [each.value for each in part.args if isinstance(each, ast.Constant)]
    return part.func.value if asked == ["int"] and len(part.args) == 1 and not part.keywords else None


def _level(part: ast.expr) -> str | None:
    """The level that `'L{:c}Aquila'.format(39)` stands for, as queries write it; None of anything else."""
    if not (isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "format"):
        return None
    text = part.func.value
    codes = [each.value for each in part.args if isinstance(each, ast.Constant) and type(each.value) is int]
    fits = not part.keywords and len(codes) == len(part.args)
    if not (fits and isinstance(text, ast.Constant) and isinstance(text.value, str)):
        return None
    return unquoted(text.value, codes)


def _by_values(column: Column, test: type[ast.cmpop], value: Any) -> NDArray[np.bool_]:
    """bool[n_rows]: each distinct value compared once; a missing one is only unequal."""
    held = np.concatenate(([test is ast.NotEq], _mask(column, test, value)))
    return held[column.codes]


def _mask(column: Column, test: type[ast.cmpop], value: Any) -> NDArray[np.bool_]:
    """bool[n_values]: for which distinct values of a column the comparison holds."""
    if column.is_numeric:
        return np.asarray(TESTS[test](column.values.astype(np.float64), _as_number(column, value)))
    number = isinstance(value, int | float) and not isinstance(value, bool)
    level = value.text if isinstance(value, _Word) else exact_words(float(value)) if number else str(value)
    if test in (ast.Eq, ast.NotEq):
        # By their codes: beside a text NumPy takes “a\0” for “a”.
        return (np.arange(1, column.n_values + 1) == column.code_of.get(level, 0)) ^ (test is ast.NotEq)
    if column.kind != "ordered" or level not in column.code_of:
        said = {"column": column.name, "level": one_line(level)}
        fault = tr("“{column}” has no order of levels, so nothing of it is smaller or larger: use == or in.", **said)
        if column.kind == "ordered":
            fault = tr(
                "“{column}” has no level “{level}”, so nothing of it is smaller or larger: use == or in.", **said
            )
        raise InputError(fault)
    return np.asarray(TESTS[test](np.arange(column.n_values), column.code_of[level] - 1))


def _as_number(column: Column, value: Any) -> float:
    if isinstance(value, int | float):
        return float(value)
    if column.kind == "date" and isinstance(value, str):
        return _seconds(column, value)
    word = value.text if isinstance(value, _Word) else value
    said = {"column": column.name, "word": one_line(word)}
    if column.kind == "date":
        fault = tr('“{column}” is compared with a date in quotes, as in "2024-12-31", not with “{word}”.', **said)
    else:
        fault = tr("“{column}” is compared with a number, not with “{word}”.", **said)
    raise InputError(fault)


def _seconds(column: Column, text: str) -> float:
    """Seconds since 1970, UTC, to the microsecond, as a column holds them."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(tr(
            "“{column}” holds dates, and “{text}” is none: write one like 2024-12-31, or 2024-12-31 18:30.",
            column=column.name, text=one_line(text))) from error  # fmt: skip
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return (moment - EPOCH) // timedelta(microseconds=1) / 1e6


# -- names and levels in a query of pandas


@lru_cache(maxsize=4096)
def spelled(name: str) -> str:
    """A column's name as a query writes it; InputError when pandas has no safe way to write it."""
    if not _is_sayable(name):
        raise InputError(tr(
            "A pandas query cannot name the column “{name}”: rename it, or copy the path as text.", name=one_line(name),
        ))  # fmt: skip
    return name if _is_identifier(name) and name.lower() not in JOINING_WORDS else f"`{name}`"


def quoted(level: str) -> str:
    """A level as text, without a quotation mark or a backslash inside: L'Aquila is 'L{:c}Aquila'.format(39)."""
    odd = [letter for letter in level if letter in BEYOND_TEXT or not letter.isprintable()]
    if not odd:
        return f"'{level}'"
    rare, doubled = set(odd), level.replace("{", "{{").replace("}", "}}")
    text = "".join("{:c}" if letter in rare else letter for letter in doubled)
    return f"'{text}'.format({', '.join(str(ord(letter)) for letter in odd)})"


def unquoted(text: str, codes: Sequence[int]) -> str | None:
    """What 'L{:c}Aquila'.format(39) stands for, as `quoted` writes it; None where codes and their places do not fit."""
    if text.replace("{{", "").count("{:c}") != len(codes) or not all(0 <= code <= maxunicode for code in codes):
        return None
    letters = map(chr, codes)
    return re.sub(r"\{\{|\}\}|\{:c\}", lambda found: next(letters) if found[0] == "{:c}" else found[0][0], text)


def look_for_twins(named: Iterable[str], names: Iterable[str]) -> None:
    """InputError where pandas would take another column of a frame for one that a query names: within backticks it
    knows “a b_c” and “a_b c” by one name.

    Args:
        named: the columns that the query names.
        names: all columns of the frame, as far as they are known.
    """
    names = dict.fromkeys(names)
    by_key: dict[str, set[str]] = {}
    for name in names:
        for key in _keys(name):
            by_key.setdefault(key, set()).add(name)
    cut_short = [name for name in names if not _is_whole(name)]
    for name in dict.fromkeys(named):
        same = {twin for key in _keys(name) for twin in by_key.get(key, ())}
        # Of a name with a backtick, a line break or a letter like “·” pandas may know the beginning only.
        same |= {twin for twin in cut_short if _written_out(twin).startswith(_written_out(name))}
        same.discard(name)
        if same:
            raise InputError(tr(
                "A pandas query does not tell the columns “{one}” and “{other}” apart: rename one of them, or copy the "
                "path as text.", one=one_line(name), other=one_line(min(same))))  # fmt: skip


@lru_cache(maxsize=4096)
def _is_sayable(name: str) -> bool:
    key = _keys(name)[0]
    return (
        _is_whole(name)
        and normalize("NFKC", key) == key  # in which Python reads a query, but pandas no column of a frame
        and LOCAL not in key
        and name not in INFINITE
        and not name.startswith(PREFIX)
        and ONE_QUOTE.fullmatch(name) is not None
    )


def _is_whole(name: str) -> bool:
    """Whether every version of pandas reads a name to its end, or not at all."""
    key = _keys(name)[0]
    return bool(name) and key.isidentifier() and re.fullmatch(r"\w+", key) is not None


def _is_identifier(name: str) -> bool:
    """Whether pandas leaves a name as it is."""
    return name.isidentifier() and not iskeyword(name)


def _keys(name: str) -> tuple[str, str]:
    """What pandas 2 and pandas 3 call a column inside; the latter has another word for letters beyond ASCII."""
    if _is_identifier(name):
        return name, name
    return PREFIX + _written_out(name), PREFIX + _written_out("".join(map(_in_ascii, name)))


def _written_out(name: str) -> str:
    return "".join(SIGN_NAMES.get(letter, letter) for letter in name)


def _in_ascii(letter: str) -> str:
    if letter in "\\`":
        return "_BACKSLASH_" if letter == "\\" else "_BACKTICK__BACKTICK_"
    return letter.encode("ascii", "backslashreplace").decode().replace("\\", "_UNICODE_")
