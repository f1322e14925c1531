"""The classes of a table's rows in the order of a column, counted in blocks; made once for each column and kept.

Kept on the table: a table with another target, partition or column is another one, so that what is kept cannot be of
another target. Only the table that was asked last keeps it, for undo may hold many versions of one. It is one byte for
each cell and the counts of the blocks, for two classes a quarter of one, for ten 0.8, twice as much with validation
rows. The kernels and the picture are in `engine.search.kernels.ordered`.
"""

import weakref
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.search.kernels.histogram import count_distinct
from engine.search.kernels.ordered import Blocks, count_blocks, end_blocks, first_beyond
from engine.table.column import Column
from engine.table.partition import TRAIN, VALIDATION
from engine.table.table import Table

ROWS_PER_BLOCK = 128  # judging a block of two classes takes less than a third of the time of counting it
MOST_BYTES = 64  # different ones, beside that of rows which do neither; the counts are then 4 bytes for a cell
MOST_CELLS = 1 << 30  # a gigabyte

_last: list[weakref.ref[Table]] = []  # the one table that keeps ordered targets


@dataclass(frozen=True, eq=False)
class OrderedTarget:
    """The target in the order of one column.

    Attributes:
        blocks: see `engine.search.kernels.ordered`.
        n_values: distinct values of the column among the training rows.
    """

    blocks: Blocks
    n_values: int


def can_be_ordered(table: Table) -> bool:
    """Whether the target is of few classes, without weights, and not too large to be kept for all columns."""
    if table.task != "classes" or table.weights is not None:
        return False
    return table.n_stats * _n_parts(table) <= MOST_BYTES and table.n_rows * len(table.features) <= MOST_CELLS


def ordered_target(table: Table, place: int) -> OrderedTarget:
    """The target in the order of the column at this place of the table."""
    key = "ordered target", place
    found: OrderedTarget | None = table.kept.get(key)
    if found is None:
        _let_others_go(table)
        found = table.kept[key] = _make(table, table.columns[place])
    return found


def class_sums(table: Table) -> NDArray[np.float64]:
    """float64[K]: the training rows of each class."""
    found: NDArray[np.float64] | None = table.kept.get("class sums")
    if found is None:
        packed = _packed(table)
        found = np.array([float(np.count_nonzero(packed == c)) for c in range(table.n_stats)])
        table.kept["class sums"] = found
    return found


def _let_others_go(table: Table) -> None:
    """Drops what another table keeps; a search that still reads it holds its own."""
    last = _last[0]() if _last else None
    if last is not table:
        if last is not None:
            last.kept.clear()
        _last[:] = [weakref.ref(table)]


def _n_parts(table: Table) -> int:
    return 2 if table.n_validation else 1


def _packed(table: Table) -> NDArray[np.uint8]:
    """uint8[n_rows]: what each row adds to, see `engine.search.kernels.ordered`."""
    packed: NDArray[np.uint8] | None = table.kept.get("packed target")
    if packed is None:
        packed = table.y.astype(np.uint8)
        if table.n_train < table.n_rows:
            packed[table.part == VALIDATION] += np.uint8(table.n_stats)
            packed[table.part > VALIDATION] = table.n_stats * _n_parts(table)
        table.kept["packed target"] = packed
    return packed


def _make(table: Table, column: Column) -> OrderedTarget:
    n, width = table.n_rows, table.n_stats
    ends, single = _ends(column)
    stat, sizes = np.empty((ends.size, width)), np.empty(ends.size, np.int64)
    unseen = np.empty((ends.size if table.n_validation else 0, width))
    blocks = Blocks(np.empty(n, np.uint8), ends, single, stat, sizes, unseen)
    count_blocks(column.order, _packed(table), blocks)
    return OrderedTarget(blocks, _n_values(table, column, blocks))


def _ends(column: Column) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(where the blocks of a column end, whether they hold a single value)."""
    n = column.codes.size
    n_missing = int(first_beyond(column.codes, column.order, 0, 0, n))
    if n - n_missing == column.n_present:  # every value stands once: no need to look where it changes
        ends = np.append(np.arange(n_missing, n, ROWS_PER_BLOCK), n)
        single = np.diff(ends, prepend=n_missing) <= 1
        return ends, single
    most = 2 * n // ROWS_PER_BLOCK + 3
    ends, single = np.empty(most, np.int64), np.empty(most, np.bool_)
    n_blocks = int(end_blocks(column.codes, column.order, n_missing, ROWS_PER_BLOCK, ends, single))
    return ends[:n_blocks].copy(), single[:n_blocks].copy()


def _n_values(table: Table, column: Column, blocks: Blocks) -> int:
    if table.n_rows - blocks.ends[0] == column.n_present:  # every value stands once
        return int(blocks.sizes[1:].sum())
    if table.n_train == table.n_rows:
        return column.n_present
    return int(count_distinct(column.codes, table.rows(TRAIN), np.zeros(column.n_values + 1, np.uint8)))
