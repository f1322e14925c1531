"""Zooming: the best cut of a column of very many values, in two scans, and certainly the best.

The first scan counts the column in bins of neighbouring codes. What a cut between two bins scores is then known, and no
cut inside a bin scores more than its ceiling (`engine.search.kernels.cut_bounds`, which large nodes in memory are
searched by, too). The second scan counts the values of those bins alone that may hold the best cut of a node or lie
beside it; the others stay together. The usual search of these counts finds the cut that it finds in the counts of all
values: what was left together can neither win nor tie, and a threshold stands between two single values.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.search.column_search import way
from engine.search.kernels.cut_bounds import Cells, judge
from engine.search.kernels.large_nodes import floor_of
from engine.search.kernels.split_kinds import CUT
from engine.search.options import Search
from engine.search.quinlan import needs_counts
from engine.search.tally import Tally
from engine.sources.grid import Grid
from engine.table.table import Table


def may_zoom(table: Table, place: int, search: Search) -> bool:
    """Whether the best cut of a column can be found so: ceilings hold for cuts of numbers, rows without a value being
    sent to one side, and nothing but the best cut is asked for."""
    column = table.columns[place]
    plain = not needs_counts(search) and search.significance is None and not search.by_evidence
    directed = search.missing == "direction" or place not in table.lacking
    return plain and directed and column.is_numeric and way(column, search) == CUT


class Reach(NamedTuple):
    """What cuts of one column at one node may score: weight times gain.

    Attributes:
        best: of the cuts between bins; -1 where there is none.
        bins: int64[k], those in or beside which a cut may be as good as that.
        top: float64[k], the most that one there scores.
    """

    best: float
    bins: NDArray[np.int64]
    top: NDArray[np.float64]

    @classmethod
    def of(cls, counted: Tally, search: Search, table: Table) -> "Reach":
        """From the counts of bins; table: whose rows these are."""
        n, code = counted.codes.size + 1, kernel_code(search.criterion)
        stat = np.concatenate((counted.missing_train[None], counted.train))
        sizes = np.append(counted.missing_rows_train, counted.rows_train)
        score, ceiling, room = np.empty(n), np.empty(n), [np.empty(stat.shape[1]) for _ in range(4)]
        cells = Cells(stat, sizes, np.zeros(n, np.int64), score, ceiling, np.zeros(n, np.uint8), *room)
        best, most = judge(cells, n, search.min_leaf, code, True, table.task == "classes" and table.weighing is None)
        if max(best, most) < 0:
            return cls(-1.0, np.zeros(0, np.int64), np.zeros(0))
        filled = np.maximum.accumulate(np.where(sizes > 0, np.arange(n), 0))  # the last cell with training rows
        before = np.append(-1.0, score[filled[:-1]])
        top = np.maximum(np.maximum(score, ceiling), before)[1:]
        near = top >= floor_of(best, code, cells.node)
        return cls(best, counted.codes[near].astype(np.int64), top[near])

    def above(self, floor: float) -> NDArray[np.int64]:
        """The bins in or beside which a cut may score this."""
        return self.bins[self.top >= floor]


def by_code(counted: Tally, grid: Grid, path: int, n_values: int) -> Tally:
    """A tally with codes in the place of cells: of values that stay together the largest one."""
    return replace(counted, codes=grid.ends(path, n_values)[counted.codes].astype(np.uint32))
