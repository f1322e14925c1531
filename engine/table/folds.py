"""Folds: which training rows are set aside together, so that the others can be judged by them.

Rows are dealt out by the hash of row number and seed that also divides a table (`engine.table.partition`), in one of
four ways:

    by class    as many rows of each class in every fold, but for one
    by group    rows with one value of a column stand in one fold
    in time     rows are put in order and cut into equal blocks; each but the first is judged by those before it
    each        every row is a fold of its own (leave-one-out)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.column import Column
from engine.table.partition import TRAIN, UNUSED, VALIDATION, row_hash
from engine.table.table import Table


@dataclass(frozen=True, eq=False)
class Folds:
    """Folds of the training rows of a table.

    Attributes:
        fold: int64[n_rows], the fold of each row; −1 of rows that are never set aside.
        usable: bool[n_rows], the rows that may train.
        n: the number of folds.
        in_time: whether only the rows of earlier folds train.
    """

    fold: NDArray[np.int64]
    usable: NDArray[np.bool_]
    n: int
    in_time: bool = False

    def held(self, k: int) -> NDArray[np.bool_]:
        """bool[n_rows]: the rows of fold k."""
        return self.fold == k

    def training(self, k: int) -> NDArray[np.bool_]:
        """bool[n_rows]: the rows that train where fold k is set aside."""
        return self.usable & (self.fold < k if self.in_time else self.fold != k)


def held_out(table: Table, training: NDArray[np.bool_], held: NDArray[np.bool_]) -> Table:
    """The same rows divided again: some train, others validate, bool[n_rows] each; the rest takes no part."""
    part = np.full(table.n_rows, UNUSED, np.uint8)
    part[training], part[held] = TRAIN, VALIDATION
    return table.divided(part)


def by_class(table: Table, n: int, seed: int) -> NDArray[np.int64]:
    """int64[n_rows]: the fold of each training row, −1 elsewhere; stratified by class, sizes equal but for one."""
    rows = table.rows(TRAIN)
    order = np.argsort(row_hash(table.n_rows, seed)[rows])  # no two are equal
    if table.task == "classes":
        order = order[np.argsort(table.y[rows[order]], kind="stable")]
    fold = np.full(table.n_rows, -1, np.int64)
    fold[rows[order]] = np.arange(rows.size) % n
    return fold


def by_group(groups: NDArray[np.integer], n: int, seed: int) -> NDArray[np.int64]:
    """int64[m]: the fold of each row, equal for rows of one group; groups are dealt out in random order, each to the
    fold with the fewest rows so far.

    Args:
        groups: int[m], the group of each row, numbers of 0 and more.
    """
    found, of_row, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    fold_of, filled = np.empty(found.size, np.int64), [0] * n
    for group in np.argsort(row_hash(int(found[-1]) + 1 if found.size else 0, seed)[found]).tolist():
        k = filled.index(min(filled))
        fold_of[group] = k
        filled[k] += int(sizes[group])
    return fold_of[of_row]


def folds_by_group(table: Table, column: Column, n: int, seed: int) -> Folds:
    """Folds that keep the rows of each value of a column together; a row without a value is a group of its own.

    Raises:
        InputError: there are fewer groups than folds.
    """
    rows = table.rows(TRAIN)
    codes = column.codes[rows].astype(np.int64)
    groups = np.where(codes == 0, column.n_values + 1 + np.arange(rows.size), codes)
    n_groups = np.unique(groups).size
    if n_groups < n:
        raise InputError(tr(
            "“{column}” has {groups:,} groups among the training rows, too few for {folds:,} folds: use {groups:,} "
            "folds or fewer.", column=column.name, groups=n_groups, folds=n))  # fmt: skip
    fold = np.full(table.n_rows, -1, np.int64)
    fold[rows] = by_group(groups, n, seed)
    return Folds(fold, table.part == TRAIN, n)


def folds_in_time(table: Table, column: Column, n: int) -> Folds:
    """Folds in the order of a column: the rows are cut into n + 1 blocks, the first as large as is left over; block
    k + 1 is fold k, judged by the rows of all blocks before it. Rows of one time stay in one block, the earlier one.

    Raises:
        InputError: the column has no order or lacks values, or there are too few times.
    """
    if column.kind == "nominal" or column.kind == "boolean":
        raise InputError(tr(
            "“{column}” has categories without an order, so no row comes before another: choose a column of dates or "
            "numbers, or make it ordered.", column=column.name))  # fmt: skip
    rows = table.rows(TRAIN)
    codes = column.codes[rows]
    lacking = int(np.count_nonzero(codes == 0))
    if lacking:
        raise InputError(tr(
            "“{column}” has no value in {rows:,} training rows, so they have no place in time: fill it in, or leave "
            "these rows out.", column=column.name, rows=lacking))  # fmt: skip
    order = np.argsort(codes, kind="stable")
    size = rows.size // (n + 1)
    place = np.searchsorted(codes[order], codes[order])  # of the first row of the same time
    first = rows.size - n * size
    block = np.where(place < first, -1, (place - first) // max(size, 1))
    if size == 0 or np.unique(block).size < n + 1:
        raise InputError(tr(
            "“{column}” has too few different times among the training rows for {folds:,} folds: use fewer folds.",
            column=column.name, folds=n))  # fmt: skip
    fold = np.full(table.n_rows, -1, np.int64)
    fold[rows[order]] = block
    return Folds(fold, table.part == TRAIN, n, in_time=True)


def each_row(table: Table) -> Folds:
    """Every training row as a fold of its own."""
    fold = np.full(table.n_rows, -1, np.int64)
    fold[table.rows(TRAIN)] = np.arange(table.n_train)
    return Folds(fold, table.part == TRAIN, table.n_train)
