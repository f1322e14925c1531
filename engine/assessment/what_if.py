"""One row, given as values: its way down a tree, and the nearest change that alters what the tree predicts of it.

A leaf is a box: what its path asks of each column, intersected. The nearest box that predicts something else is found
by going down all paths at once, that of the fewest and least changes first (Dijkstra 1959): what a path asks only
grows, so the first leaf that is reached with another prediction is the nearest of all.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from engine.assessment.intervals import Floats
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.splits import IN_ALL, Literal, Split, branch_or_all
from engine.table.column import Column, level_column
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.nodes import TreeColumn
from engine.tree.rules import Interval, Levels, narrowed
from engine.tree.tree import Tree

Value = float | str | None  # dates in seconds since 1970, UTC; None for missing
Box = dict[str, Interval | Levels]  # by column what a path asks of it so far


@dataclass(frozen=True)
class Change:
    """Values that a row would need to be predicted otherwise.

    Attributes:
        values: by column the new value, one that some training row has.
        limits: by column what the leaf asks of it; any value in there would do.
        leaf: the id of the leaf that the row then reaches.
        distance: how far all values together are from those of the row: numbers in median absolute deviations from the
            median of the training rows, a level or a value instead of a missing one 1.
    """

    values: dict[str, float | str]
    limits: Box
    leaf: int
    distance: float


def values_of_row(table: Table, row: int) -> dict[str, Value]:
    """The values of a row in the features of a table."""
    table.need_rows()
    return {column.name: _value(column, row) for column in (table.columns[i] for i in table.features)}


def _value(column: Column, row: int) -> Value:
    if not (code := int(column.codes[row])):
        return None
    return float(column.values[code - 1]) if column.is_numeric else str(column.values[code - 1])


def table_of_values(tree: Tree, values: Mapping[str, Value]) -> Table:
    """A table of one row with the columns of a tree; of columns that are not named the row lacks a value. A level may
    be one that the tree does not know.

    Raises:
        InputError: a number for a column of levels, or a level for a numeric one.
    """
    return Table(tuple(_single(column, values.get(column.name)) for column in tree.columns), 1, tr("the row"))


def _single(column: TreeColumn, value: Value) -> Column:
    there = np.array([0 if value is None else 1])
    if column.levels or column.kind in ("nominal", "ordered", "boolean"):
        if not isinstance(value, str | None):
            raise InputError(tr("“{name}” has levels: {value} is a number.", name=column.name, value=value))
        return level_column(column.name, column.kind, there - 1, [] if value is None else [value], True)
    if isinstance(value, str):
        raise InputError(tr("“{name}” is numeric: “{value}” is a level.", name=column.name, value=value))
    return Column(column.name, column.kind, np.array([] if value is None else [value], np.float64), there)


def way_down(table: Table, tree: Tree, row: int = 0) -> tuple[int, ...]:
    """The ids of the nodes on the way of a row of a table, the root first, the leaf last; where a split divides it, the
    way of its largest part.

    Raises:
        InputError: the tree does not fit the table.
    """
    i, one, nodes = 0, np.array([row], dtype=np.uint32), [int(tree.ids[0])]
    while (split := tree.split_at(i)) is not None:
        branch, below = int(branch_or_all(split, table, one)[0]), tree.children(i)
        i = below[int(np.argmax(tree.weight()[below])) if branch == IN_ALL else branch]
        nodes.append(int(tree.ids[i]))
    return tuple(nodes)


def nearest_change(
    table: Table, tree: Tree, values: Mapping[str, Value], *, wanted: str = "", locked: Collection[str] = (),
    progress: Progress | None = None,
) -> Change | None:  # fmt: skip
    """The change of the fewest columns, and among these of the least distance, after which the tree predicts something
    else of a row. It is exact over all leaves, for every kind of split. Whether values can be changed so, and whether
    the world would follow, the tree does not know.

    Args:
        table: says by its training rows which values there are, and how widely they are spread.
        tree: the tree.
        values: those of the row; columns that are not named are missing.
        wanted: the class that is to be predicted, any other one by default; of numbers "higher", "lower" or, by
            default, either.
        locked: columns that have to stay.
        progress: a stop ends the search.

    Returns:
        None where no change of values that training rows have leads there, or none was found before a stop.

    Raises:
        InputError: no such class or direction, or a value does not fit its column.
    """
    leaf = tree.position(way_down(table_of_values(tree, values), tree)[-1])
    allowed = _wanted(tree, leaf, wanted)
    known = {column.name: _Column(table, column, values.get(column.name), locked) for column in tree.columns}
    leaves = np.append(0, np.cumsum(allowed & (tree.n_branches == 0)))
    leads_there = leaves[tree.end] > leaves[:-1]
    order = count()  # of equal costs the path that was found first
    waiting = [(0, 0.0, next(order), _Part(0, {}))] if leads_there[0] else []
    while waiting and not (progress is not None and progress.stopped):
        _, distance, _, part = heappop(waiting)
        if tree.n_branches[part.node] == 0:
            new = {name: found[1] for name, found in _changes(part.box, known).items() if found is not None}
            limits = {name: part.box[name]._replace(missing=False) for name in new}
            return Change(new, limits, int(tree.ids[part.node]), distance)
        for smaller in _smaller(tree, part, known):
            changes = _changes(smaller.box, known).values()
            if leads_there[smaller.node] and None not in changes:
                apart = sum(found[0] for found in changes if found is not None)
                heappush(waiting, (len(changes), apart, next(order), smaller))
    return None


def _wanted(tree: Tree, leaf: int, wanted: str) -> NDArray[np.bool_]:
    """bool[n_nodes]: which predictions are wanted instead of that of a leaf."""
    if tree.task == "number":
        said = tree.predictions
        if wanted not in ("", "higher", "lower"):
            raise InputError(tr("“{wanted}” is neither “higher” nor “lower”.", wanted=wanted))
        above, below = said > said[leaf], said < said[leaf]
        return np.asarray(above if wanted == "higher" else below if wanted == "lower" else above | below)
    if wanted and wanted not in tree.classes:
        said_all = ", ".join(tree.classes)
        raise InputError(tr("There is no class “{name}”; the classes are {classes}.", name=wanted, classes=said_all))
    others = tree.labels != tree.labels[leaf]
    return np.asarray(others & (tree.labels == tree.classes.index(wanted)) if wanted else others)


# The numbers that training rows have in a column, ascending, and their spread; or their levels, most frequent first.
Seen = tuple[Floats, float, list[str]]
_SEEN: WeakKeyDictionary[Table, dict[str, Seen]] = WeakKeyDictionary()


def _look_at(table: Table, name: str) -> Seen:
    column = table.column(name)
    rows = np.bincount(column.codes[table.rows(TRAIN)], minlength=column.n_values + 1)[1:]
    if not column.is_numeric:
        frequent = np.argsort(-rows, kind="stable")[: np.count_nonzero(rows)]
        return np.zeros(0), 1.0, [str(column.values[k]) for k in frequent]
    there = rows > 0
    values = column.values[there].astype(np.float64)
    return values, _spread(values, rows[there]), []


class _Column:
    """What a row has in a column, and what training rows have there."""

    def __init__(self, table: Table, column: TreeColumn, value: Value, locked: Collection[str]) -> None:
        self.column, self._value, self._locked = column, value, column.name in locked
        self._table = table

    @property
    def _seen(self) -> Seen:
        """What training rows have here; looked at once for each table."""
        of_table = _SEEN.setdefault(self._table, {})
        name = self.column.name
        if name not in of_table:
            of_table[name] = _look_at(self._table, name)
        return of_table[name]

    def is_in(self, limit: Interval | Levels) -> bool:
        """Whether the row's own value meets what is asked."""
        if self._value is None:
            return limit.missing
        if isinstance(limit, Levels):
            return _has_level(limit, str(self._value))
        return (limit.low is None or limit.low < float(self._value)) and float(self._value) <= limit.high

    def nearest(self, limit: Interval | Levels) -> tuple[float, float | str] | None:
        """(the distance, the value) of the nearest value that training rows have and that meets what is asked."""
        if self._locked:
            return None
        numbers, spread, levels = self._seen
        if isinstance(limit, Levels):
            found = next((level for level in levels if _has_level(limit, level)), None)
            return None if found is None else (1.0, found)
        first = 0 if limit.low is None else int(np.searchsorted(numbers, limit.low, side="right"))
        inside = numbers[first : int(np.searchsorted(numbers, limit.high, side="right"))]
        if not inside.size:
            return None
        if self._value is None:
            return 1.0, float(inside[inside.size // 2])
        nearest = float(inside[0] if inside[0] > float(self._value) else inside[-1])
        return abs(nearest - float(self._value)) / spread, nearest


def _spread(values: Floats, rows: NDArray[Any]) -> float:
    """The median absolute deviation from the median; where that is 0 the range, and 1 of a constant."""
    if not values.size:
        return 1.0
    middle = _median(values, rows)
    apart = np.abs(values - middle)
    order = np.argsort(apart, kind="stable")
    return _median(apart[order], rows[order]) or float(values[-1] - values[0]) or 1.0


def _median(values: Floats, rows: NDArray[Any]) -> float:
    """The lower median of ascending values, so many rows of each."""
    return float(values[np.searchsorted(np.cumsum(rows), rows.sum() / 2)])


def _has_level(limit: Levels, level: str) -> bool:
    return level in limit.allowed or (limit.others and level not in limit.column.levels)


class _Part(NamedTuple):
    """The rows of a box at a node, by its position; of m of n literals the first `asked` are decided, and `held` of
    these hold."""

    node: int
    box: Box
    asked: int = 0
    held: int = 0


def _changes(box: Box, known: Mapping[str, _Column]) -> dict[str, tuple[float, float | str] | None]:
    """Of every column whose value is outside of a box the nearest change, see `_Column.nearest`."""
    return {name: known[name].nearest(limit) for name, limit in box.items() if not known[name].is_in(limit)}


def _smaller(tree: Tree, part: _Part, known: Mapping[str, _Column]) -> Iterator[_Part]:
    """What the split of a node makes of its rows: those of the children; of m of n literals, until that is decided,
    those that fulfil the next one and those that do not."""
    split, children, box = tree.split_at(part.node), tree.children(part.node), part.box
    assert split is not None
    if split.kind != "m_of_n":
        yield from (_Part(children[branch], smaller) for branch, smaller in _branches(split, box, known))
    elif part.held >= split.m:
        yield _Part(children[0], box)
    elif split.m - part.held > len(split.literals) - part.asked:
        yield _Part(children[1], box)
    else:
        one, yes = _question(split.literals[part.asked])
        for branch in (0, 1):
            for smaller in _within(one, branch, box, known):
                yield _Part(part.node, smaller, part.asked + 1, part.held + (branch == yes))


def _question(literal: Literal) -> tuple[Split, int]:
    """(a literal as a split of its column, its branch for yes): a missing value never fulfils it."""
    column, value = literal.column, literal.value
    yes = 0 if literal.test in ("<=", "==") else 1
    if literal.by_order:
        return Split(column, "threshold", (float(value),), missing=1 - yes), yes
    return Split(column, "groups", groups=((str(value),), ()), missing=1 - yes, unseen=1), yes


def _branches(split: Split, box: Box, known: Mapping[str, _Column]) -> Iterator[tuple[int, Box]]:
    """The parts of a box that a split of one column, with its surrogates, sends into its branches."""
    plain = replace(split, surrogates=())
    for branch in range(split.n_branches):
        yield from (
            (branch, part)
            for part in _within(plain, branch, box, known, missing=not (split.surrogates or split.divides))
        )
    if not split.surrogates:
        return
    lacking = [part for b in range(split.n_branches) for part in _within(plain, b, box, known, values=False)]
    for surrogate in split.surrogates:  # a row goes by the first whose column it has
        one = replace(surrogate.split, missing=0)
        for part in lacking:
            for branch in (0, 1):
                for found in _within(one, branch, part, known, missing=False):
                    yield branch ^ surrogate.flipped, found
        lacking = [found for part in lacking for found in _within(one, 0, part, known, values=False)]
    yield from ((split.missing, part) for part in lacking)


def _within(
    split: Split, branch: int, box: Box, known: Mapping[str, _Column], values: bool = True, missing: bool = True
) -> Iterator[Box]:
    """The part of a box in a branch of a split of one column, where there is one; without its `values`, or without the
    `missing` one."""
    name = split.column
    limit = narrowed(box.get(name), split, branch, known[name].column)
    if not values and isinstance(limit, Interval):
        limit = Interval(limit.column, inf, inf, limit.missing)
    elif not values:
        limit = Levels(limit.column, frozenset(), False, limit.missing)
    if not missing:
        limit = limit._replace(missing=False)
    if limit.possible:
        yield {**box, name: limit}
