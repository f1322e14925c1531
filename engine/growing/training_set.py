"""The training set of the nodes to grow: their rows, the columns, and the target."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.search.column_search import crowded, way
from engine.search.kernels.count import Target, sum_classes, sum_numbers
from engine.search.kernels.rules import Rules
from engine.search.options import Search
from engine.table.column import Column
from engine.table.table import Table


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The rows to grow on.

    Attributes:
        features: int64[C], the places of the columns in the table.
        columns: these columns.
        ways: int64[C], how each is split, see `engine.search.kernels.split_kinds`.
        rules: when a split is made.
        target: of all rows of the table, by row number.
        rows: uint32[n], grouped by node, ascending in each; reordered while nodes are split.
        bounds: int64[m + 1], the slices of the nodes to grow.
        n_stats: the length of a statistic.
        n_table_rows: how many rows the table has.
    """

    features: NDArray[np.int64]
    columns: list[Column]
    ways: NDArray[np.int64]
    rules: Rules
    target: Target
    rows: NDArray[np.uint32]
    bounds: NDArray[np.int64]
    n_stats: int
    n_table_rows: int

    @property
    def n_values(self) -> NDArray[np.int64]:
        """int64[C], the distinct values of every column."""
        return np.array([column.n_values for column in self.columns], dtype=np.int64)

    def gathered(self, rows: NDArray[np.uint32]) -> Target:
        """The target of some rows, in their order."""
        labels, numbers, weights = (array[rows] if array.size else array for array in self.target[:3])
        return Target(labels, numbers, weights)

    def summed(self, target: Target, stat: NDArray[np.float64], about: NDArray[np.float64]) -> bool:
        """Adds up the target of a node's rows, whose numbers are moved to around their centre.

        Args:
            stat: float64[1, S], zeroed, written, as in `engine.tree.Tree`; about: the same around the node's centre.

        Returns:
            Whether it is the same in all of them.
        """
        if target.numbers.size:
            return bool(sum_numbers(target.numbers, target.weights, stat, about))
        pure = bool(sum_classes(target.labels, target.weights, stat))
        about[:] = stat
        return pure


def make_training_set(table: Table, search: Search, rows: NDArray[np.uint32], bounds: NDArray[np.int64]) -> TrainingSet:
    """Rows that are grouped by node: node s holds rows[bounds[s]:bounds[s + 1]]."""
    features = [i for i in search.features_of(table) if way(table.columns[i], search) is not None]
    rules = Rules(
        kernel_code(search.criterion), search.rows_to_split, search.min_leaf, float(search.min_gain), search.pool,
        search.buckets, crowded(table, features, search),
    )  # fmt: skip
    columns = [table.columns[i] for i in features]
    ways = np.array([way(column, search) for column in columns], dtype=np.int64)
    return TrainingSet(
        np.array(features, dtype=np.int64), columns, ways, rules, _target(table), rows, bounds, table.n_stats,
        table.n_rows,
    )  # fmt: skip


def _target(table: Table) -> Target:
    nothing: NDArray[Any] = np.zeros(0)
    weights = nothing if table.weights is None else table.weights
    if table.task == "number":
        return Target(nothing.astype(np.uint16), table.y, weights)
    return Target(table.y, nothing, weights)
