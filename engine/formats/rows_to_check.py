"""Rows on which an exported tree is compared with the tree itself: cells as plain values, and rows that are made to
find mistakes.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.formats.questions import FIRST_SECOND, LAST_SECOND, columns_used
from engine.splits import Split
from engine.table.column import NUMERIC, Column, level_column, numeric_column
from engine.table.partition import TEST
from engine.table.table import Table
from engine.tree.assignment import Assignment, assign
from engine.tree.nodes import TreeColumn
from engine.tree.query import last_microsecond
from engine.tree.tree import Tree

EPOCH = datetime(1970, 1, 1)
TINY, LARGEST = 5e-324, 1.7976931348623157e308
NUMBERS = (0.0, -0.0, TINY, -TINY, LARGEST, -LARGEST, math.inf, -math.inf, 1e16, 0.1, 1.0, -1.0)
DATES = (FIRST_SECOND, float(math.floor(LAST_SECOND)), 0.0, -1e-6, 1e-6, -86400.0, 951_782_400.0, 4_102_444_800.0)
TEXTS = (
    *("'); DROP TABLE rows; --", "'", '"', "\\", "\\'", '\\"', "''", "`", "%s", "{0}", "${x}", "a\nb", "a\tb", "\r"),
    *("", " ", "NULL", "NaN", "None", "NA", "TRUE", "true", "0", "1e5", "-", "--", "/*", "*/", "//", "#", "??/", "<b>"),
    *("é", "e\u0301", "ß", "İ", "漢字", "\U0001f333", "\U0001f468\u200d\U0001f467", "\u2028", "\u202e", "\ufeff"),
)  # fmt: skip
MOST_SEEN = 10_000  # rows of a table that is only counted
ROUNDS = 50  # of rows through each node, where there are few nodes
LAST_MICROSECOND = 253_402_300_799_999_999  # of the calendar


@dataclass(frozen=True, eq=False)
class Answers:
    """What an exported tree answered.

    Attributes:
        ran_by: the program that ran it, with its version.
        leaf: int64[n]: the id of the leaf of each row.
        prediction: object[n] of class names, or float64[n].
        probabilities: float64[n, K] of classes, K = 0 of a number; None where the format says none.
    """

    ran_by: str
    leaf: NDArray[np.int64]
    prediction: NDArray[Any]
    probabilities: NDArray[np.float64] | None

    @classmethod
    def of(cls, tree: Tree, ran_by: str, found: Sequence[Sequence[Any]]) -> "Answers":
        """From (leaf, prediction, probabilities) of each row; without these for a number."""
        n, n_classes = len(found), len(tree.classes)
        shares = np.array([row[2] for row in found] if n_classes else [], dtype=np.float64).reshape(n, n_classes)
        kind: Any = object if tree.task == "classes" else np.float64
        return cls(ran_by, np.array([row[0] for row in found], dtype=np.int64),
                   np.array([row[1] for row in found], dtype=kind), shares)  # fmt: skip


def plain_cells(
    tree: Tree, table: Table, date: Callable[[float], Any] | None = None, truth: Callable[[str], Any] = "True".__eq__
) -> list[list[Any]]:
    """The cells of each column that the tree asks, as Python's values; None is missing.

    Args:
        date: of a date in seconds; `datetime` without a zone by default. truth: of "True" and "False"; a bool.
    """
    found = []
    for place in columns_used(tree):
        column = table.column(tree.columns[place].name)
        kept: list[Any] = list(column.values.tolist())
        if column.kind == "date":
            kept = [(date or moment)(value) for value in kept]
        elif column.kind == "boolean":
            kept = [truth(value) for value in kept]
        elif column.is_numeric:
            kept = [float(value) for value in kept]
        cells = [None, *kept]
        found.append([cells[code] for code in column.codes.tolist()])
    return found


def moment(seconds: float) -> datetime:
    """A date of a column as a `datetime` without a zone; the column's number comes back from it."""
    k = min(last_microsecond(seconds), LAST_MICROSECOND)
    return EPOCH + timedelta(microseconds=k)


def rows_to_check(tree: Tree, table: Table | None, hard: int = 10_000, seed: int = 0, most: int | None = None) -> Table:
    """The rows of a table, but for those kept for the test, and the hard ones behind them; of the columns that the
    tree asks. `most`: of the table no more rows than this.

    Raises:
        InputError: the table lacks a column of the tree.
    """
    names = [tree.columns[place].name for place in columns_used(tree)]
    table = None if table is None else table.seen(MOST_SEEN)
    made = hard_rows(tree, table, hard, seed)
    if table is None:
        return made
    kept = np.flatnonzero(table.part != TEST)
    if most is not None and kept.size > most:
        kept = kept[np.linspace(0, kept.size - 1, most).astype(np.int64)]
    columns = []
    for name in names:
        column, more = table.column(name), made.column(name)
        if more.is_numeric:
            values = np.concatenate((column.numbers[kept], more.numbers))
            columns.append(numeric_column(name, more.kind, values))
        else:
            texts = [*_texts(column, column.codes[kept]), *_texts(more, more.codes)]
            columns.append(_levels(tree.columns[tree_place(tree, name)], texts))
    return Table(tuple(columns), kept.size + made.n_rows)


def tree_place(tree: Tree, name: str) -> int:
    """The place of a column in the tree."""
    return next(place for place, column in enumerate(tree.columns) if column.name == name)


def hard_rows(tree: Tree, table: Table | None = None, most: int = 10_000, seed: int = 0) -> Table:
    """Rows that are made to find mistakes of an exported tree: its thresholds exactly and one float beside on both
    sides, missing values, levels that it has never seen, quotes and emoji, extreme dates.

    Half of them differ in one cell from a row that reaches a node with such a threshold or level (a row of the table,
    if there is any in the node); in the others each cell is drawn by itself.

    Args:
        most: how many rows.

    Returns:
        A table of the columns that the tree asks.
    """
    random = np.random.default_rng(seed)
    places = columns_used(tree)
    pools = {place: _pool(tree, place) for place in places}
    rows: list[list[Any]] = []
    if table is not None and places:
        at = assign(table, tree)
        known = {place: _cells(tree, table, place) for place in places}
        rows += itertools.islice(_beside(tree, table, at, known, places, random), most // 2)
    while len(rows) < most:
        rows.append([pools[place][int(random.integers(len(pools[place])))] for place in places])
    columns = [_column(tree.columns[place], [row[k] for row in rows]) for k, place in enumerate(places)]
    return Table(tuple(columns), len(rows))


def _beside(tree: Tree, table: Table, at: Assignment, known: dict[int, list[Any]], places: list[int],
            random: np.random.Generator) -> Iterator[list[Any]]:  # fmt: skip
    """Rows of the table that reach a node, with one cell changed to what its split asks; nodes in any order, again and
    again."""
    usable, inner = table.part != TEST, np.flatnonzero(tree.n_branches)
    for i in itertools.chain.from_iterable(random.permutation(inner).tolist() for _ in range(ROUNDS)):
        rows = at.rows_of(i)
        rows = rows[usable[rows]]
        split = tree.split_at(i)
        if not rows.size or split is None:
            continue
        row = int(random.choice(rows))
        usual = [known[place][row] for place in places]
        for place, values in _asked(tree, split).items():
            for value in values:
                yield [value if place == each else cell for each, cell in zip(places, usual, strict=True)]


def _asked(tree: Tree, split: Split) -> dict[int, list[Any]]:
    """What is hard about each column of one split: values beside thresholds, levels named and unnamed, nothing."""
    found: dict[int, list[Any]] = {}
    place = {column.name: k for k, column in enumerate(tree.columns)}
    for one in (split, *(surrogate.split for surrogate in split.surrogates)):
        if one.kind == "threshold":
            found.setdefault(place[one.column], [None]).extend(_around(tree.columns[place[one.column]], one.thresholds))
        elif one.kind == "groups":
            named = [level for group in one.groups for level in group[:3]]
            found.setdefault(place[one.column], [None, "?", ""]).extend(named)
    for literal in split.literals:
        values = found.setdefault(place[literal.column], [None])
        column = tree.columns[place[literal.column]]
        values += _around(column, (float(literal.value),)) if literal.by_order else [str(literal.value), "?"]
    return {k: [v for v in values if _fits(tree.columns[k], v)] for k, values in found.items()}


def _around(column: TreeColumn, thresholds: Sequence[float]) -> list[float]:
    """Each threshold, and its neighbours; of dates the microseconds beside."""
    if column.kind != "date":
        return [value for cut in thresholds for value in (cut, math.nextafter(cut, math.inf),
                                                          math.nextafter(cut, -math.inf))]  # fmt: skip
    found = []
    for cut in thresholds:
        if FIRST_SECOND < cut < LAST_SECOND - 1:
            k = last_microsecond(cut)
            found += [each / 1e6 for each in (k, k - 1, k + 1, k - 64, k + 64)]
    return found


def _fits(column: TreeColumn, value: Any) -> bool:
    return column.kind != "boolean" or value in (None, "True", "False")


def _pool(tree: Tree, place: int) -> list[Any]:
    """What a cell of a column may hold: what its splits ask, and what is hard anyway."""
    column, found = tree.columns[place], [None, None, None]
    for i in np.flatnonzero(tree.n_branches)[:2000].tolist():
        split = tree.split_at(i)
        assert split is not None
        if column.name in split.columns:
            found += _asked(tree, split)[place]
    if column.kind == "boolean":
        return [*found, "True", "False"]
    if column.kind in NUMERIC:
        return [*found, *(DATES if column.kind == "date" else NUMBERS)]
    spaced = [f"{level} " for level in column.levels[:3]] + [level.swapcase() for level in column.levels[:3]]
    return [*found, *column.levels[:50], *spaced, *TEXTS]


def _cells(tree: Tree, table: Table, place: int) -> list[Any]:
    column = table.column(tree.columns[place].name)
    values = [None, *column.values.tolist()]
    return [values[code] for code in column.codes.tolist()]


def _column(known: TreeColumn, cells: list[Any]) -> Column:
    """A column of cells: numbers, or the names of levels; None is missing."""
    if known.kind in NUMERIC:
        numbers = np.array([math.nan if cell is None else cell for cell in cells], dtype=np.float64)
        return numeric_column(known.name, "date" if known.kind == "date" else "number", numbers)
    return _levels(known, cells)


def _levels(known: TreeColumn, cells: Sequence[str | None]) -> Column:
    """A column of levels, those of the tree first."""
    levels = list(dict.fromkeys((*known.levels, *(cell for cell in cells if cell is not None))))
    if known.kind == "boolean":
        levels = ["False", "True"]
    place = {level: k for k, level in enumerate(levels)}
    codes = np.array([-1 if cell is None else place[cell] for cell in cells], dtype=np.int64)
    return level_column(known.name, known.kind, codes, levels, True)


def _texts(column: Column, codes: NDArray[Any]) -> list[str | None]:
    values = [None, *column.values.tolist()]
    return [values[code] for code in codes.tolist()]
