"""The best split of a column at a large node, by counting twice: in bins of values, then in the few that may hold it.

Growing and the candidates of large nodes use it; what it finds is what `engine.column_search` finds from a tally. The
kernels and the picture are in `engine.kernels.wide` and `engine.kernels.narrow`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.column import Column
from engine.kernels.growth import GAIN, Rules
from engine.kernels.histogram import mark_open, mark_open_in_order, read_codes
from engine.kernels.impurity import GINI, SQUARED_ERROR
from engine.kernels.judge import Cells, make_cells
from engine.kernels.lists import Target
from engine.kernels.narrow import open_bins
from engine.kernels.ways import CUT
from engine.kernels.wide import FURTHER, count_column, find_split, floor_of, judge_column

LEAST_BINS = 256
MOST_ENTRIES = 2**17  # statistics times bins: as float64 they fit the second cache
ROWS_PER_BIN = 32  # judging a bin costs about as much as counting so many rows
WORTH_OPENING = 8  # with more than an eighth of the rows in open bins, narrower bins come first
NO_FLOOR = -2.0
NOTHING: NDArray[Any] = np.zeros(0, np.uint32)


@dataclass(frozen=True, eq=False)
class WideNode:
    """The rows of a node, ready to be searched.

    Attributes:
        rows: uint32[n], ascending.
        target: of these rows, in their order.
        stat: float64[S], their sum.
        whole: whether they are all rows of the table.
    """

    rows: NDArray[np.uint32]
    target: Target
    stat: NDArray[np.float64]
    whole: bool


def n_bins(n_values: int, shift: int) -> int:
    """The number of bins, with the one of missing values, see `engine.kernels.histogram.bin_of`."""
    return ((n_values - 1) >> shift) + 2 if n_values else 1


def narrow_shift(column: Column, n_rows: int, n_stats: int, criterion: int) -> int:
    """How many bits of the code the narrowest bins that pay leave out; 0 where every value has a bin of its own."""
    dear = 1 if criterion == SQUARED_ERROR or (criterion == GINI and n_stats == 2) else n_stats
    wanted = min(max(n_rows // (ROWS_PER_BIN * dear), LEAST_BINS), max(MOST_ENTRIES // n_stats, LEAST_BINS))
    shift = 0
    while n_bins(column.n_values, shift) > wanted:
        shift += 1
    return shift


def room_for(columns: list[Column], ways: NDArray[np.int64], n_rows: int, n_stats: int, criterion: int) -> Cells:
    """Room for the bins of any of the columns at nodes of up to `n_rows` rows."""
    most = LEAST_BINS
    for column, how in zip(columns, ways.tolist(), strict=True):
        shift = narrow_shift(column, n_rows, n_stats, criterion) if how == CUT else 0
        most = max(most, n_bins(column.n_values, shift))
    return Cells(*make_cells(most, n_stats))


class WideSearch:
    """Searches columns of one node; `answers` float64[·, C] is written, see `engine.kernels.wide`."""

    def __init__(self, node: WideNode, columns: list[Column], ways: NDArray[np.int64], rules: Rules) -> None:
        self.node, self.columns, self.ways, self.rules = node, columns, ways, rules
        self.answers = np.full((FURTHER + 2 * (node.stat.size + 1), len(columns)), np.nan)
        self.reach = np.full((2, len(columns)), -1.0)  # of each column that is cut: the best score known, a ceiling
        self.branches: dict[int, tuple[NDArray[np.int64], NDArray[np.uint16]]] = {}

    def look(self, j: int, room: Cells) -> None:
        """The first look at column j: what it may reach. One that is not cut in two is searched at once."""
        if self.ways[j] == CUT:
            self.reach[:, j] = self._judge(j, self.columns[j].coarse[1], room)
        else:
            self._judge(j, 0, room)
            self._find(j, 0, NO_FLOOR, np.zeros(n_bins(self.columns[j].n_values, 0), np.uint8), 0, room)

    def search(self, j: int, floor: float, room: Cells) -> None:
        """Finds the best split of column j, if any scores at least `floor`."""
        if self.ways[j] != CUT:
            return self.look(j, room)
        column, n = self.columns[j], self.node.rows.size
        shift = column.coarse[1]
        narrow = narrow_shift(column, n, self.node.stat.size, self.rules.criterion)
        while True:
            best, _ = self._judge(j, shift, room)
            floor = max(floor, float(floor_of(best, self.rules.criterion, self.node.stat)))
            is_open = np.zeros(n_bins(column.n_values, shift), np.uint8)
            n_opened = int(open_bins(room, is_open.size, floor, is_open))
            if n_opened * WORTH_OPENING <= n or shift <= narrow:
                return self._find(j, shift, floor, is_open, n_opened, room)
            shift = narrow

    def _judge(self, j: int, shift: int, room: Cells) -> tuple[float, float]:
        """Counts column j in bins of 2**shift codes."""
        node, column = self.node, self.columns[j]
        codes, done = column.coarse if shift == column.coarse[1] else (column.codes, 0)
        bins = n_bins(column.n_values, shift)
        count_column(codes, node.rows, node.target, shift - done, bins, room)
        return judge_column(bins, shift, self.ways[j], self.rules, node.target, room)  # type: ignore[no-any-return]

    def _find(self, j: int, shift: int, floor: float, is_open: NDArray[np.uint8], n_opened: int, room: Cells) -> None:
        node, column, bins = self.node, self.columns[j], is_open.size
        opened = np.empty((4, n_opened), np.int64)
        if n_opened and node.whole:
            mark_open_in_order(column.codes, column.order, shift, is_open, bins, opened[1])
        elif n_opened:
            codes, done = column.coarse if shift == column.coarse[1] else (column.codes, 0)
            mark_open(codes, node.rows, shift - done, is_open, opened[1])
        read_codes(column.codes, node.rows, opened[1], opened[0])
        found = find_split(
            bins, shift, floor, is_open, opened, int(self.ways[j]), self.rules, node.target, room, self.answers, j
        )
        if found[1].size:
            self.branches[j] = found

    def sides(self, j: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """(statistics of the present rows left and right of the cut of column j float64[2, S], of the missing rows
        float64[S], how many rows those are int64[3])."""
        width, n = self.node.stat.size, self.node.rows.size
        left, missing = self.answers[FURTHER:, j].reshape(2, width + 1)
        right = self.node.stat - left[:width] - missing[:width]
        n_left, n_missing = int(left[width]), int(missing[width])
        return (
            np.stack((left[:width], right)), missing[:width], np.array([n_left, n - n_left - n_missing, n_missing])
        )  # fmt: skip

    @property
    def floor(self) -> float:
        """What a column has to reach to be worth a search, after all were looked at."""
        scores = self.answers[GAIN] * self._weight()
        top = max(np.nanmax(scores, initial=-1.0), self.reach[0].max(initial=-1.0))
        return float(floor_of(top, self.rules.criterion, self.node.stat))

    def _weight(self) -> float:
        stat = self.node.stat
        return float(stat[0] if self.rules.criterion == SQUARED_ERROR else stat.sum())
