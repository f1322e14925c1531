"""What a tree predicts on average where one column, or two, had other values: partial dependence (Friedman 2001), and
the curve of each single row (individual conditional expectation, Goldstein et al. 2015).

Between two neighbouring cuts of a column the tree treats all of its values alike. So nothing is sampled on a grid: the
column has one piece between each two cuts, one for each level, and one for the missing value, and the rows go down the
tree for all pieces at once. Where a split asks another column the rows part, where it asks this one the pieces do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from engine.assessment.intervals import NAN, Floats
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.splits import Split, branch_of_rows
from engine.table.column import Column, level_column
from engine.table.partition import TRAIN, row_hash
from engine.table.table import Table
from engine.tree.assignment import route
from engine.tree.counting import check_target
from engine.tree.tree import Tree

Ints = NDArray[np.int64]
MOST_CELLS = 250_000  # of two columns; more could neither be drawn nor read
CURVES = 0x494345  # the seed by which rows with a curve are chosen


@dataclass(frozen=True, eq=False)
class Pieces:
    """The values of a column that a tree tells apart; the last piece is the missing value.

    Attributes:
        column: its name.
        cuts: float64[k], ascending; piece i holds the values above cuts[i - 1] up to cuts[i], piece k those above all.
            None of a column with levels.
        levels: one piece for each; none of a numeric column.
    """

    column: str
    cuts: Floats
    levels: tuple[str, ...] = ()

    def __len__(self) -> int:
        return (len(self.levels) or self.cuts.size + 1) + 1

    def find(self, value: float | str | None) -> int:
        """The piece of a value, None for the missing one; −1 for a level that there is not."""
        if value is None:
            return len(self) - 1
        if isinstance(value, str):
            return self.levels.index(value) if value in self.levels else -1
        return int(np.searchsorted(self.cuts, value))


@dataclass(frozen=True, eq=False)
class Dependence:
    """What a tree predicts by the pieces of one column or two. Probabilities of its K classes; of numbers K is 1.

    Attributes:
        axes: the pieces of each column.
        mean: float64[pieces, K], of two columns float64[pieces, pieces, K]: the average over the training rows by
            their weights, all of which are given the values of the piece; nan without rows.
        n: how many training rows there are.
        rows: uint32[m], those that have a curve, ascending.
        curves: float64[m, pieces, K], or float64[m, pieces, pieces, K]: the predictions of each of these.
    """

    axes: tuple[Pieces, ...]
    mean: Floats
    n: int
    rows: NDArray[np.uint32]
    curves: Floats


def partial_dependence(
    table: Table, tree: Tree, column: str, column2: str = "", *, curves: int = 0, progress: Progress | None = None
) -> Dependence:
    """The partial dependence of a tree on one column or two, exactly, over the training rows.

    Rows are given values that may never occur together with their others; where columns depend on each other the
    average is also one over rows that there cannot be.

    Args:
        table: the table whose training rows are averaged.
        tree: the tree.
        column, column2: features; one that no split asks has one piece.
        curves: how many rows get a curve of their own; they are drawn by a hash of their numbers.
        progress: a stop leaves nan for all averages.

    Raises:
        InputError: the tree does not fit the table, there is no such column, both are the same, or they have more than
            250,000 pieces together.
    """
    check_target(tree, table)
    names = (column, column2) if column2 else (column,)
    if column == column2:
        raise InputError(tr("Partial dependence needs two different columns, not “{name}” twice.", name=column))
    axes = tuple(pieces(table, tree, name) for name in names)
    shape = tuple(map(len, axes))
    if np.prod(shape) > MOST_CELLS:
        n = int(np.prod(shape))
        raise InputError(
            tr("The tree divides these columns into {n:,} pieces, more than {most:,}: take one.", n=n, most=MOST_CELLS)
        )
    progress = progress or Progress()
    grid, rows = _Grid(table, axes, progress), table.rows(TRAIN)
    said = tree.predictions[:, None] if tree.task == "number" else tree.probabilities
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    total, mean = float(weights[rows].sum()), np.zeros((int(np.prod(shape)), said.shape[1]))
    for leaf, here, cells in grid.arrivals(tree, rows):
        mean[cells] += (here.size if table.weights is None else weights[here].sum()) * said[leaf]
    chosen = rows[np.argsort(row_hash(table.n_rows, CURVES)[rows], kind="stable")[:curves]]
    chosen.sort()
    reached = np.zeros((chosen.size, mean.shape[0]), np.int64)
    for leaf, here, cells in grid.arrivals(tree, chosen):
        reached[np.searchsorted(chosen, here)[:, None], cells] = leaf
    mean = mean / total if total > 0 and not progress.stopped else np.full(mean.shape, NAN)
    k = said.shape[1]
    return Dependence(axes, mean.reshape(*shape, k), rows.size, chosen, said[reached].reshape(-1, *shape, k))


def pieces(table: Table, tree: Tree, name: str) -> Pieces:
    """The pieces into which the splits of a tree, with their literals and surrogates, divide a column; a level that
    only test rows have is none."""
    column = table.column(name)
    if not column.is_numeric:
        known = next((one.levels for one in tree.columns if one.name == name), ())
        of_all, of_open = (np.bincount(codes, minlength=len(column.levels) + 1)[1:] for codes in
                           (column.codes, column.codes[~table.sealed]))  # fmt: skip
        hidden = {level for level, n, m in zip(column.levels, of_all, of_open, strict=True) if n and not m}
        every = dict.fromkeys((*column.levels, *known))
        return Pieces(name, np.zeros(0), tuple(level for level in every if level not in hidden))
    cuts = set[float]()
    for split in filter(None, map(tree.split_at, np.flatnonzero(tree.n_branches).tolist())):
        for one in (split, *(surrogate.split for surrogate in split.surrogates)):
            cuts.update(one.thresholds if one.column == name else ())
        cuts.update(float(literal.value) for literal in split.literals if literal.column == name)
    return Pieces(name, np.array(sorted(cuts - {inf})))


class _Grid:
    """All combinations of the pieces of some columns, its cells, the last column fastest."""

    def __init__(self, table: Table, axes: Sequence[Pieces], progress: Progress) -> None:
        self._table, self._progress = table, progress
        self._names = {axis.column for axis in axes}
        at = np.indices(tuple(map(len, axes))).reshape(len(axes), -1)
        values = [_representatives(table.column(axis.column), axis) for axis in axes]
        codes = [np.append(np.arange(1, len(axis)), 0)[where] for axis, where in zip(axes, at, strict=True)]
        self._columns = [replace(one, codes=of_cells) for one, of_cells in zip(values, codes, strict=True)]
        self.cells = Table(tuple(self._columns), at.shape[1])  # a row for each, with these columns alone

    def arrivals(self, tree: Tree, rows: NDArray[np.uint32]) -> Iterator[tuple[int, NDArray[np.uint32], Ints]]:
        """(the position of a leaf, rows, cells): all of these rows reach it with the values of all of these cells."""
        waiting = [(0, rows, np.arange(self.cells.n_rows))] if rows.size else []
        while waiting and not self._progress.stopped:
            i, here, cells = waiting.pop()
            split = tree.split_at(i)
            if split is None:
                yield i, here, cells
                continue
            children, asked = tree.children(i), set(split.columns)
            if asked <= self._names:
                branch = branch_of_rows(split, self.cells, cells)
                waiting += [
                    (child, here, cells[branch == b]) for b, child in enumerate(children) if (branch == b).any()
                ]
            elif not asked & self._names:
                waiting += [(child, some, cells) for child, some in _parted(self._table, split, children, here)]
            else:
                waiting += [
                    (child, some, cells[k : k + 1]) for k in range(cells.size)
                    for child, some in _parted(self._given(int(cells[k])), split, children, here)
                ]  # fmt: skip

    def _given(self, cell: int) -> Table:
        """The table with the values of one cell in all rows."""
        n, columns = self._table.n_rows, list(self._table.columns)
        for one in self._columns:
            columns[self._table.index(one.name)] = replace(one, codes=np.broadcast_to(one.codes[cell], n))
        return Table(tuple(columns), n)


def _representatives(column: Column, axis: Pieces) -> Column:
    """A column with one value for each piece; every piece reaches up to its cut."""
    if axis.levels:
        return level_column(column.name, column.kind, np.zeros(0, np.int64), list(axis.levels), True)
    return Column(column.name, column.kind, np.append(axis.cuts, inf), np.zeros(0, np.int64))


def _parted(
    table: Table, split: Split, children: list[int], rows: NDArray[np.uint32]
) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """The children that some of the rows reach, with these."""
    ordered = rows.copy()
    ends = route(table, split, ordered)
    for child, begin, end in zip(children, ends[:-1], ends[1:], strict=True):
        if end > begin:
            yield child, ordered[begin:end]
