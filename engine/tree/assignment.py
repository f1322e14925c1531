"""Which rows stand in which node: the rows of a table, or of a data frame to predict, sent down a tree.

Few splits divide the rows node by node, whatever the splits are. A tree of many thresholds and groups sends them down
in one call, and makes and binds no split: what it asks of a row are numbers, a value or the place of a level among
those of the tree, so that nothing has to be sorted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.splits import IN_ALL, Split, branch_of_rows, branch_or_all, branch_shares, place_for
from engine.table.column import Column, column_from_series
from engine.table.encode import order_of
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.arrays import TreeArrays
from engine.tree.kernels.descend import Routes, descend
from engine.tree.nodes import GROUPS, THRESHOLD, TreeColumn, columns_asked, span, surrogates_of

ROWS_AT_ONCE = 2**15  # whose numbers are gathered: they nearly fit the cache, those of all rows not even the memory
NOWHERE = 2.0**40  # beyond every place of a level: the tree does not know it
MOST_ROUTED = 300  # inner nodes; up to these it is quicker to divide the rows node by node than to send each one down
MOST_NAMED = 20_000  # numbers in the payload; with more, making the splits and their lookups is what takes the time

NO_SHARE = 1e-6  # a branch with no more of the weight gets nothing of a divided row, as in Weka's J48

Shares = NDArray[np.float64] | None  # which part of each row stands there; None for all of all
Held = tuple[NDArray[np.uint32], Shares]
Numbers = tuple[NDArray[Any], NDArray[np.float64] | None, bool]  # see `descended`


@dataclass(frozen=True, eq=False)
class Assignment:
    """The rows of every node of one tree, grouped by leaf in preorder, so that every node is a slice.

    All rows of the table are in it, whatever their part; row numbers ascend within a leaf. Below splits that divide
    rows without a value a row stands in several leaves, and several times in the slice of a node above these.

    Attributes:
        rows: uint32[n], n the number of rows of the table where none is divided.
        start, stop: int64[n_nodes], by position: node i holds rows[start[i]:stop[i]].
        share: float64[n], which part of the row stands there; None where each stands in one leaf.
    """

    rows: NDArray[np.uint32]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    share: Shares = None

    @classmethod
    def root(cls, table: Table) -> "Assignment":
        """All rows in one node."""
        if table.counter is not None:
            return cls.of_none(1)
        rows = np.arange(table.n_rows, dtype=np.uint32)
        return cls(rows, np.zeros(1, dtype=np.int64), np.full(1, table.n_rows, dtype=np.int64))

    @classmethod
    def of_none(cls, n_nodes: int) -> "Assignment":
        """No rows in any node: those of a table that are counted where they are."""
        none = np.zeros(n_nodes, dtype=np.int64)
        return cls(np.zeros(0, np.uint32), none, none)

    def rows_of(self, position: int) -> NDArray[np.uint32]:
        """The row numbers of a node, each once; ascending when it is a leaf, or rows are divided."""
        return self.held(position)[0]

    def held(self, position: int) -> Held:
        """(the row numbers of a node, each once; which part of them stands there, None for all of all)."""
        inside = slice(self.start[position], self.stop[position])
        return joined(self.rows[inside], None if self.share is None else self.share[inside])

    def split(self, table: Table, position: int, split: Split) -> "Assignment":
        """The assignment after the leaf at `position` was split: its children follow it."""
        rows, share, bounds = divide(table, split, *self.held(position))
        at, after = self._with(position, rows, share), position + 1
        bounds += self.start[position]
        return replace(
            at,
            start=np.concatenate((at.start[:after], bounds[:-1], at.start[after:])),
            stop=np.concatenate((at.stop[:after], bounds[1:], at.stop[after:])),
        )

    def collapse(self, position: int, end: int) -> "Assignment":
        """The assignment after the subtree position:end became a leaf."""
        rows, share = self.held(position)
        at, keep = self._with(position, np.sort(rows), share), np.r_[0 : position + 1, end : self.start.size]
        return replace(at, start=at.start[keep], stop=at.stop[keep])

    def of_rows(self, rows: NDArray[Any], leaves: NDArray[np.int64]) -> "Assignment":
        """The same of these rows alone, which are numbered from 0 in their order; inner nodes are empty."""
        number = np.full(int(self.rows.max(initial=0)) + 1, -1)
        number[rows] = np.arange(rows.size)
        kept = number[self.rows] >= 0
        before = np.append(0, np.cumsum(kept))
        start, stop = np.zeros((2, self.start.size), np.int64)
        start[leaves], stop[leaves] = before[self.start[leaves]], before[self.stop[leaves]]
        share = None if self.share is None else self.share[kept]
        return Assignment(number[self.rows][kept].astype(np.uint32), start, stop, share)

    def _with(self, position: int, rows: NDArray[np.uint32], share: Shares) -> "Assignment":
        """The same with other rows in the place of those of a node; nodes below it have the old bounds."""
        begin, end = int(self.start[position]), int(self.stop[position])
        start, stop = (np.where(at >= end, at + (rows.size - (end - begin)), at) for at in (self.start, self.stop))
        if share is not None or self.share is not None:
            before = np.ones(self.rows.size) if self.share is None else self.share
            share = np.concatenate((before[:begin], np.ones(rows.size) if share is None else share, before[end:]))
        return Assignment(np.concatenate((self.rows[:begin], rows, self.rows[end:])), start, stop, share)


def joined(rows: NDArray[np.uint32], share: Shares) -> Held:
    """Rows, each once, and which part of each is there: what copies of it have together."""
    if share is None:
        return rows, None
    once, place = np.unique(rows, return_inverse=True)
    return once, np.bincount(place, share, once.size).astype(np.float64)


def route(table: Table, split: Split, rows: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Reorders `rows` by the branch that they take, stably; returns int64[n_branches + 1] bounds within it. Each takes
    one branch, also where the split divides rows."""
    branch = branch_of_rows(split, table, rows)
    rows[:] = rows[np.argsort(branch, kind="stable")]  # by its digits: 10 ms for a million rows
    return np.append(0, np.cumsum(np.bincount(branch, minlength=split.n_branches)))


def divide(
    table: Table, split: Split, rows: NDArray[np.uint32], share: Shares = None, shares: Shares = None
) -> tuple[NDArray[np.uint32], Shares, NDArray[np.int64]]:
    """(rows by the branch that they take, stably, divided ones once for each branch; which part of each is there;
    int64[n_branches + 1] bounds within both).

    Args:
        rows, share: those of the node, each once. It is not changed.
        shares: float64[n_branches], of a divided row; None: as the training rows with a value weigh, and the same for
            all branches where there are none.
    """
    branch = branch_or_all(split, table, rows)
    shared = np.flatnonzero(branch == IN_ALL)
    if shared.size:
        rows, share, branch = _copied(table, split.n_branches, rows, share, branch, shared, shares)
    order = np.argsort(branch, kind="stable")
    bounds = np.append(0, np.cumsum(np.bincount(branch, minlength=split.n_branches)))
    return rows[order], None if share is None else share[order], bounds


def _copied(
    table: Table, n: int, rows: NDArray[np.uint32], share: Shares, branch: NDArray[np.uint16],
    shared: NDArray[np.int64], shares: Shares,
) -> tuple[NDArray[np.uint32], Shares, NDArray[np.uint16]]:  # fmt: skip
    """Rows, parts and branches with a copy of each of the rows at the places `shared` for every branch."""
    share = np.ones(rows.size) if share is None else share
    if shares is None:
        known = np.flatnonzero((branch != IN_ALL) & (table.part[rows] == TRAIN))
        weights = share[known] if table.weights is None else share[known] * table.weights[rows[known]]
        shares = np.bincount(branch[known], weights, n).astype(np.float64)
    shares = branch_shares(shares)
    into = np.flatnonzero(shares > NO_SHARE)
    whole = branch != IN_ALL
    return (
        np.concatenate((rows[whole], np.tile(rows[shared], into.size))),
        np.concatenate((share[whole], np.outer(shares[into], share[shared]).ravel())),
        np.concatenate((branch[whole], np.repeat(into, shared.size).astype(np.uint16))),
    )


def assign(table: Table, tree: TreeArrays, anew: bool = False) -> Assignment:
    """Sends every row of the table down the tree; none where rows are only counted.

    Args:
        anew: whether the training rows of the table say how rows are divided, and not the counts of the tree.

    Raises:
        InputError: a split of the tree does not bind to this table.
    """
    if table.counter is not None:
        return Assignment.of_none(tree.n_nodes)
    if tree.n_nodes == 1:
        return Assignment.root(table)
    if tree.divides_rows:
        return _divided(table, tree, anew)
    large = np.count_nonzero(tree.n_branches) > MOST_ROUTED or tree.payload.size > MOST_NAMED
    if large and is_plain(tree):
        return _by_leaf(reached_leaves(table, tree), tree.end)
    return _node_by_node(table, tree)


def leaves_of_rows(table: Table, tree: TreeArrays, at: Assignment | None = None) -> NDArray[np.int64]:
    """See `Tree.apply`; quicker with the assignment of the table's rows."""
    table.need_rows()
    if at is None and is_plain(tree):
        return reached_leaves(table, tree).astype(np.int64)
    return main_leaves(tree, at or assign(table, tree), table.n_rows)


def main_leaves(tree: TreeArrays, at: Assignment, n_rows: int) -> NDArray[np.int64]:
    """int64[n_rows]: the position of the leaf of each row; of a divided one of the leaf with most of it."""
    reached = np.empty(n_rows, dtype=np.int64)
    leaf = np.repeat(tree.leaves, (at.stop - at.start)[tree.leaves])
    if at.share is None:
        reached[at.rows] = leaf
        return reached
    order = np.lexsort((leaf, -at.share, at.rows))  # of each row the first is the leaf with most of it
    rows, first = np.unique(at.rows[order], return_index=True)
    reached[rows] = leaf[order][first]
    return reached


def _by_leaf(leaf_of: NDArray[np.uint32], end: NDArray[np.int32]) -> Assignment:
    """The assignment from the position of each row's leaf: in preorder, a node's rows stand before those of `end`."""
    rows, before = by_number(leaf_of, end.size)
    return Assignment(rows, before[:-1], before[end])


def _node_by_node(table: Table, tree: TreeArrays) -> Assignment:
    """Divides the rows of one node after the other; for every kind of split."""
    rows = np.arange(table.n_rows, dtype=np.uint32)
    start = np.zeros(tree.n_nodes, dtype=np.int64)
    stop = np.zeros(tree.n_nodes, dtype=np.int64)
    stop[0] = table.n_rows
    end = tree.end
    for i in np.flatnonzero(tree.n_branches):
        split = tree.split_at(int(i))
        assert split is not None
        bounds = start[i] + route(table, split, rows[start[i] : stop[i]])
        child = i + 1
        for branch in range(split.n_branches):
            start[child], stop[child] = bounds[branch], bounds[branch + 1]
            child = end[child]
    return Assignment(rows, start, stop)


def _divided(table: Table, tree: TreeArrays, anew: bool) -> Assignment:
    """The same where splits divide rows."""
    rows, weight = np.arange(table.n_rows, dtype=np.uint32), tree.weight("train")
    held: dict[int, Held] = {0: (rows, None)}
    pieces, sizes = list[Held](), np.zeros(tree.n_nodes, dtype=np.int64)
    for i in range(tree.n_nodes):
        rows, share = held.pop(i)
        split = tree.split_at(i)
        if split is None:
            pieces.append((rows, share))
            sizes[i] = rows.size
            continue
        below = tree.children(i)
        rows, share, bounds = divide(table, split, rows, share, None if anew else weight[below])
        for child, a, b in zip(below, bounds[:-1], bounds[1:], strict=True):
            held[child] = rows[a:b], None if share is None else share[a:b]
    before = np.append(0, np.cumsum(sizes))
    share = None
    if any(one is not None for _, one in pieces):
        share = np.concatenate([np.ones(some.size) if one is None else one for some, one in pieces])
    return Assignment(np.concatenate([some for some, _ in pieces]), before[:-1], before[tree.end], share)


def is_plain(tree: TreeArrays) -> bool:
    """Whether all splits are by thresholds or groups, without surrogates and divided rows: then rows go down in one
    call."""
    return bool(np.array_equal(plain_nodes(tree), tree.n_branches > 0)) and not tree.divides_rows


def plain_nodes(tree: TreeArrays) -> NDArray[np.bool_]:
    """bool[n_nodes]: the nodes with such splits."""
    return np.asarray((tree.nodes.kind == THRESHOLD) | (tree.nodes.kind == GROUPS))


def reached_leaves(table: Table, tree: TreeArrays) -> NDArray[np.uint32]:
    """uint32[n_rows]: the position of the leaf of each row of a table.

    Raises:
        InputError: a split of the tree does not fit this table.
    """
    return reached_by(*way_down(table, tree), table.n_rows).astype(np.uint32)


def reached_by(numbers: list[Numbers], routes: Routes, n_rows: int) -> NDArray[np.int64]:
    """int64[n_rows]: the position of the leaf of each row, from the numbers of the columns that the tree asks."""
    return descended(numbers, routes, slice(None), np.zeros(1, dtype=np.int64), np.array([0, n_rows], dtype=np.int64))


def descended(
    numbers: list[Numbers], routes: Routes, rows: Any, tops: NDArray[np.int64], bounds: NDArray[np.int64],
    threads: int | None = None,
) -> NDArray[np.int64]:  # fmt: skip
    """int64[n]: the leaf of each of some rows; those in bounds[s]:bounds[s + 1] begin at tops[s].

    Args:
        numbers: of each column that the tree asks, ascending: numbers of the rows; or their codes with the number of
            each code; or, where the routes ask for codes, these and True.
        rows: row numbers, or slice(None) for all.
        threads: how many share the work; None for one for each processor.
    """
    n = int(bounds[-1])
    reached = np.empty(n, dtype=np.int64)

    def send(begin: int) -> None:
        stop = min(begin + ROWS_AT_ONCE, n)
        some = slice(begin, stop) if isinstance(rows, slice) else rows[begin:stop]
        x = np.empty((len(numbers), stop - begin))
        for (array, number_of_code, is_code), row in zip(numbers, x, strict=True):
            row[:] = array[some] if number_of_code is None else number_of_code[array[some]]
            if is_code:
                row[row == 0] = np.nan
        descend(x, tops, bounds.clip(begin, stop) - begin, routes, reached[begin:stop])

    with Workers(threads) as workers:
        workers.each(send, range(0, n, ROWS_AT_ONCE))
    return reached


def way_down(table: Table, tree: TreeArrays) -> tuple[list[Numbers], Routes]:
    """(the numbers of the columns that thresholds and groups ask, of a table's rows; where the nodes send these).

    Numeric columns are asked for codes: each value would have to be fetched from another place of the memory, which
    takes three times as long.

    Raises:
        InputError: a column is gone, or of a kind that cannot be cut as the tree cuts it.
    """
    nodes = tree.nodes
    plain, found = plain_nodes(tree), {}
    for asked in np.unique(2 * nodes.column[plain] + (nodes.kind[plain] == THRESHOLD)).tolist():
        found[asked // 2] = table.columns[place_for(tree.columns[asked // 2].name, asked % 2 == 1, table)]
    numbers: list[Numbers] = [
        (column.codes, None, True) if column.is_numeric else numbers_of(column, tree.columns[place])
        for place, column in found.items()
    ]
    return numbers, in_codes(routes_of(tree), found)


def numbers_of(column: Column, known: TreeColumn) -> Numbers:
    """A column's values, or the places of its levels among those known; NaN is missing."""
    values = column.values.astype(np.float64) if column.is_numeric else places_of(column, known.levels)
    return column.codes, np.append(np.nan, values), False


def in_codes(routes: Routes, columns: dict[int, Column]) -> Routes:
    """The routes with the codes of numeric columns that thresholds let pass, in the place of the thresholds."""
    threshold, payload = routes.threshold.copy(), routes.payload.copy()
    for row, column in enumerate(columns.values()):
        if column.is_numeric:
            which = np.flatnonzero(routes.column == row)
            which = which[np.argsort(threshold[which])]  # looked up from near to near
            threshold[which] = np.searchsorted(column.values, threshold[which], side="right")
            which = which[routes.size[which] > 0]
            further = span(routes.start[which], routes.size[which])
            payload[further] = np.searchsorted(column.values, payload[further], side="right")
    return routes._replace(threshold=threshold, payload=payload)


def routes_of(tree: TreeArrays) -> Routes:
    """Where thresholds and groups send rows; the columns that they ask are numbered, ascending."""
    nodes, plain = tree.nodes, plain_nodes(tree)
    used = np.unique(nodes.column[plain])
    return ascending(Routes(
        nodes.n_branches, nodes.kind, np.where(plain, np.searchsorted(used, nodes.column), -1),
        nodes.threshold, nodes.missing, nodes.unseen, nodes.payload_start, nodes.payload_size, tree.end, tree.payload,
    ))  # fmt: skip


def ascending(routes: Routes) -> Routes:
    """The routes with the levels of every node in ascending order; those that people wrote may stand in any."""
    payload = routes.payload
    if not payload.size:
        return routes
    which = np.flatnonzero(routes.kind == GROUPS)
    n_pairs = routes.size[which] // 2
    node, at = np.repeat(which, n_pairs), span(routes.start[which], n_pairs, 2)
    level = payload[at]
    if not np.any((node[1:] == node[:-1]) & (level[1:] < level[:-1])):
        return routes
    order = np.lexsort((level, node))  # by node, so each node's pairs stay in its part of the payload
    sorted_payload = payload.copy()
    sorted_payload[at], sorted_payload[at + 1] = level[order], payload[at + 1][order]
    return routes._replace(payload=sorted_payload)


def places_of(column: Column, known: tuple[str, ...]) -> NDArray[np.float64]:
    """float64[n_values]: the place of every level of a column among the known ones."""
    levels = column.levels
    if levels == known[: len(levels)]:
        return np.arange(len(levels), dtype=np.float64)
    place = {level: float(i) for i, level in enumerate(known)}
    return np.array([place.get(level, NOWHERE) for level in levels])


def by_number(numbers: NDArray[Any], n: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """(the places of numbers from 0 to n - 1 in ascending order, stable; int64[n + 1] where each number begins)."""
    order = order_of(numbers.astype(np.uint32, copy=False), n)
    return order, np.append(0, np.cumsum(np.bincount(numbers, minlength=n)))


def leaves_of_frame(tree: TreeArrays, frame: pd.DataFrame) -> NDArray[np.int64]:
    """int64[n]: the position of the leaf that each row of a data frame reaches.

    Raises:
        InputError: see `Tree.predict`.
    """
    return leaves_of_series(tree, _series_of(tree, frame), len(frame))


def parts_in_frame(tree: TreeArrays, frame: pd.DataFrame) -> Assignment:
    """Which rows of a data frame stand in which node, and which part of them where the tree divides rows; raises as
    `leaves_of_frame`."""
    return parts_of_series(tree, _series_of(tree, frame), len(frame))


def parts_of_series(tree: TreeArrays, series: Mapping[int, pd.Series], n_rows: int) -> Assignment:
    """The same from the columns by their place in the tree."""
    return assign(_table_of(tree, series, n_rows), tree)


def _series_of(tree: TreeArrays, frame: pd.DataFrame) -> dict[int, pd.Series]:
    """The columns that a tree asks, by their place in it."""
    if not isinstance(frame, pd.DataFrame):
        kind = type(frame).__name__
        raise InputError(
            tr("A tree predicts the rows of a pandas DataFrame with named columns, not of a {kind}.", kind=kind)
        )
    names = [str(name) for name in frame.columns]  # as `Table.from_frame` names them
    series: dict[int, pd.Series] = {}
    needed, helpful = places_asked(tree)
    for place in sorted(needed | helpful):
        name = tree.columns[place].name
        if name not in names and place not in needed:
            continue
        if names.count(name) != 1:
            fault = tr("The tree splits on “{name}”, but these rows have no such column.", name=name)
            if name in names:
                fault = tr("The tree splits on “{name}”, but two columns are called “{name}”.", name=name)
            raise InputError(fault)
        series[place] = frame.iloc[:, names.index(name)]
    return series


def places_asked(tree: TreeArrays) -> tuple[set[int], set[int]]:
    """The places of the columns that splits ask, and of those that surrogates ask."""
    needed = {place for _, (place, _) in columns_asked(tree.nodes, tree.payload)}
    return needed, {place for _, (place, _) in surrogates_of(tree.nodes, tree.payload)}


def leaves_of_series(tree: TreeArrays, series: Mapping[int, pd.Series], n_rows: int) -> NDArray[np.int64]:
    """int64[n_rows]: the position of the leaf that each row reaches, from the columns by their place in the tree.

    One that only surrogates ask may be absent: without it the next one is asked.
    """
    if is_plain(tree):
        asked = _asked_of(tree, series, n_rows)
        return reached_by([_numbers_of(known, cells) for known, cells in asked], routes_of(tree), n_rows)
    return leaves_of_rows(_table_of(tree, series, n_rows), tree)


def _asked_of(tree: TreeArrays, series: Mapping[int, pd.Series], n_rows: int) -> list[tuple[TreeColumn, Any]]:
    """The columns of a tree with their cells."""
    needed, helpful = places_asked(tree)
    nothing = pd.Series([None] * n_rows, dtype=object) if helpful - series.keys() else None
    return [(tree.columns[place], series.get(place, nothing)) for place in sorted(needed | helpful)]


def _table_of(tree: TreeArrays, series: Mapping[int, pd.Series], n_rows: int) -> Table:
    """The rows to predict as a table."""
    columns = tuple(_column_of(known, cells) for known, cells in _asked_of(tree, series, n_rows))
    return Table(columns, n_rows, tr("the rows to predict"))


def _column_of(known: TreeColumn, series: pd.Series) -> Column:
    """A column of rows to predict; whole training values do not make those of other rows whole."""
    return column_from_series(known.name, series, "number" if known.kind == "integer" else known.kind)


def _numbers_of(known: TreeColumn, series: pd.Series) -> Numbers:
    """The numbers of a column of rows to predict, as they stand where they are numbers: a column would sort them."""
    plain = isinstance(series.dtype, np.dtype) and series.dtype.kind in "fiu"
    if plain and known.kind in ("number", "integer"):
        return series.to_numpy(), None, False
    return numbers_of(_column_of(known, series), known)
