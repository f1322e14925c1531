"""What growing stands on: the training rows of the nodes to grow, presorted by every column."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.column_search import crowded, way
from engine.criteria import CRITERIA
from engine.kernels.growth import Rules
from engine.kernels.lists import Target, fill_list
from engine.options import Search
from engine.progress import Progress
from engine.table import Table
from engine.workers import Workers

WORTH_SCANNING = 16  # with fewer than a sixteenth of the table's rows, sorting them is quicker than passing over all


@dataclass(frozen=True, eq=False)
class Ground:
    """The rows to grow on.

    Attributes:
        features: int64[C], the places of the columns in the table.
        ways: int64[C], how each is split, see `engine.kernels.ways`.
        rules: when a split is made.
        target: by local row number; each node is searched around a centre of its own.
        rows, codes: uint32[C, n], the presorted lists, see `engine.kernels.lists`.
        bounds: int64[m + 1], the slices of the nodes to grow.
        n_stats: the length of a statistic.
        n_values: int64[C], the distinct values of every column.
    """

    features: NDArray[np.int64]
    ways: NDArray[np.int64]
    rules: Rules
    target: Target
    rows: NDArray[np.uint32]
    codes: NDArray[np.uint32]
    bounds: NDArray[np.int64]
    n_stats: int
    n_values: NDArray[np.int64]

    @property
    def most_runs(self) -> int:
        """No column shows more distinct values than this."""
        return int(min(self.rows.shape[1], self.n_values.max(initial=0)))


def make_ground(
    table: Table,
    search: Search,
    rows: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    workers: Workers,
    progress: Progress,
) -> Ground:
    """Presorts rows that are grouped by node: node s holds rows[bounds[s]:bounds[s + 1]].

    A stop leaves the lists unfinished; the caller asks `progress.stopped` before using them.
    """
    features = [i for i in table.features if way(table.columns[i], search) is not None]
    n = rows.size
    place = np.full(table.n_rows, -1, dtype=np.int32)
    place[rows] = np.arange(n, dtype=np.int32)
    segment = np.repeat(np.arange(bounds.size - 1, dtype=np.int32), np.diff(bounds))
    list_rows, list_codes = np.empty((len(features), n), np.uint32), np.empty((len(features), n), np.uint32)

    def fill(j: int) -> None:
        column = table.columns[features[j]]
        if progress.stopped:
            return
        if n * WORTH_SCANNING < table.n_rows:
            codes = column.codes[rows].astype(np.int64)
            order = np.argsort(segment * np.int64(column.n_values + 1) + codes, kind="stable")
            list_rows[j], list_codes[j] = order, codes[order]
        else:
            fill_list(column.order, column.codes, place, segment, bounds[:-1], list_rows[j], list_codes[j])

    workers.each(fill, range(len(features)))
    rules = Rules(
        CRITERIA[search.criterion].code, search.min_rows, search.min_leaf, float(search.min_gain), search.pool,
        search.buckets, crowded(table, features, search),
    )  # fmt: skip
    n_values = np.array([table.columns[i].n_values for i in features], dtype=np.int64)
    ways = np.array([way(table.columns[i], search) for i in features], dtype=np.int64)
    return Ground(
        np.array(features, dtype=np.int64), ways, rules, _target(table, rows), list_rows, list_codes, bounds,
        table.n_stats, n_values,
    )  # fmt: skip


def _target(table: Table, rows: NDArray[np.uint32]) -> Target:
    nothing: NDArray[Any] = np.zeros(0)
    weights = nothing if table.weights is None else table.weights[rows]
    y = table.y[rows]
    if table.task == "number":
        return Target(nothing.astype(np.uint16), y, weights)
    return Target(y, nothing, weights)
