"""The best split of a column at a large node, by counting twice: in bins of values, then in the few that may hold it.

Growing and the candidates of large nodes use it; what it finds is what `engine.column_search` finds from a tally. The
kernels and the picture are in `engine.kernels.wide` and `engine.kernels.narrow`.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.bin_matrix import IN_A_WORD, BinMatrix, Lines
from engine.column import Column
from engine.kernels.gain import ROUNDING
from engine.kernels.growth import GAIN, Rules
from engine.kernels.histogram import add_rows, mark_open, mark_open_in_order, read_codes
from engine.kernels.impurity import SQUARED_ERROR
from engine.kernels.judge import Cells
from engine.kernels.target import Target
from engine.kernels.ways import CUT
from engine.kernels.wide import FURTHER, find_split, floor_of, judge_columns, mark_bins, open_column

COARSE = 256  # bins that are judged first; the least that are counted
MOST_ENTRIES = 2**18  # statistics times bins of the columns counted together: 2 MB, about a second cache
ROWS_PER_BIN = 32  # fewer would save little: few rows stand in open bins already
AT_ONCE = 8 * IN_A_WORD  # columns counted together: reading a line of the cache is paid for once
NO_FLOOR = -2.0


@dataclass(frozen=True, eq=False)
class WideNode:
    """The rows of a node, ready to be searched.

    Attributes:
        rows: uint32[n], ascending.
        target: of these rows, in their order.
        stat: float64[S], their sum.
        whole: whether they are all rows of the table.
        above: the lines of its parent, part by part, if that was counted from a matrix.
        lines: its own, once it was.
    """

    rows: NDArray[np.uint32]
    target: Target
    stat: NDArray[np.float64]
    whole: bool
    above: list[Lines] = field(default_factory=list)
    lines: list[Lines] = field(default_factory=list)

    @property
    def width(self) -> int:
        """W: the statistic of a bin, and its rows where weights do not tell."""
        return self.stat.size + int(self.target.weights.size > 0)


def n_bins(n_values: int, shift: int) -> int:
    """The number of bins, with the one of missing values, see `engine.kernels.histogram.bin_of`."""
    return ((n_values - 1) >> shift) + 2 if n_values else 1


@dataclass(frozen=True, eq=False)
class Counted:
    """The target of a node by bins of one column.

    Attributes:
        bins: float64[≥ n_bins, W], n_bins bins of 2**shift codes.
    """

    bins: NDArray[np.float64]
    n_bins: int
    shift: int


@dataclass(frozen=True, eq=False)
class Opened:
    """Bins of one column, narrow where the best cut may be, see `engine.kernels.wide.open_column`.

    Attributes:
        n_bins, shift: of the narrow bins.
        reach: the best score of a cut between the cells, a ceiling for those inside.
    """

    cells: Cells
    n_cells: int
    n_bins: int
    shift: int
    reach: tuple[float, float]


class WideSearch:
    """Searches columns of one node; `answers` float64[·, C] is written, see `engine.kernels.wide`."""

    def __init__(
        self, node: WideNode, columns: list[Column], ways: NDArray[np.int64], rules: Rules,
        matrix: BinMatrix | None = None,
    ) -> None:  # fmt: skip
        """`matrix`: of the columns that are cut; without it each is counted from its own codes."""
        self.node, self.columns, self.ways, self.rules, self.matrix = node, columns, ways, rules, matrix
        self.answers = np.full((FURTHER + 2 * (node.stat.size + 1), len(columns)), np.nan)
        self.reach = np.full((len(columns), 2), -1.0)  # of each column that is cut: the best score known, a ceiling
        self.branches: dict[int, tuple[NDArray[np.int64], NDArray[np.uint16]]] = {}
        self._cuts = np.flatnonzero(ways == CUT)
        self._counted: dict[int, Counted] = {}
        self._opened: dict[int, Opened] = {}

    @property
    def parts(self) -> list[NDArray[np.int64]]:
        """The columns in groups that are looked at together."""
        if self.matrix is None:
            return [np.array([j]) for j in range(len(self.columns))]
        n_parts = -(-self._cuts.size // AT_ONCE)
        step = -(-self._cuts.size // n_parts // IN_A_WORD) * IN_A_WORD  # the same at every node
        parts = [self._cuts[i : i + step] for i in range(0, self._cuts.size, step)]
        return parts + [np.array([j]) for j in np.flatnonzero(self.ways != CUT)]

    @property
    def _wanted_bins(self) -> int:
        return max(self.node.rows.size // ROWS_PER_BIN, COARSE)

    def look(self, part: NDArray[np.int64]) -> None:
        """The first look at columns: what they may reach. One that is not cut in two is searched at once."""
        j = int(part[0])
        if self.ways[j] != CUT:
            return self.search(j, NO_FLOOR)
        node = self.node
        most = min(self._wanted_bins, max(MOST_ENTRIES // (node.width * part.size), COARSE))
        shifts = np.array([self._shift(int(j), most) for j in part])
        sizes = np.array([n_bins(self.columns[j].n_values, shift) for j, shift in zip(part, shifts, strict=True)])
        counted = np.zeros((part.size, sizes.max(), node.width))
        if self.matrix is None:
            add_rows(self.columns[j].codes, node.rows, node.target, shifts[0], counted[0])
        else:
            start = int(np.searchsorted(self._cuts, j))
            source = next((lines for lines in node.above if lines.first * IN_A_WORD == start), self.matrix.whole())
            wider = shifts - self.matrix.shifts[start : start + part.size]
            node.lines.append(source.count(start, node.rows, node.target, wider, counted))
        reach = np.empty((part.size, 2))
        judge_columns(counted, sizes, shifts, COARSE, self.rules, node.target, node.stat.size, reach)
        self.reach[part] = reach
        for i, j in enumerate(part.tolist()):
            self._counted[j] = Counted(counted[i], int(sizes[i]), int(shifts[i]))

    def _shift(self, j: int, most: int) -> int:
        """The narrowest bins of column j, up to `most` of them."""
        shift = 0 if self.matrix is None else int(self.matrix.shifts[np.searchsorted(self._cuts, j)])
        while n_bins(self.columns[j].n_values, shift) > most:
            shift += 1
        return shift

    def close(self, floor: float) -> NDArray[np.int64]:
        """The columns that are cut and may reach the floor."""
        return self._cuts[self.reach[self._cuts].max(axis=1, initial=-1.0) >= floor]

    def open(self, j: int, floor: float) -> None:
        """The second look at column j, which is cut: narrow bins where a cut may score at least `floor`."""
        if j not in self._counted:
            self.look(np.array([j]))
        self._opened[j] = self._open(self._counted.pop(j), j, floor)
        self.reach[j] = self._opened[j].reach

    def _open(self, counted: Counted, j: int, floor: float) -> Opened:
        node, shift = self.node, counted.shift
        cells, n, *reach = open_column(
            counted.bins, counted.n_bins, shift, COARSE, int(self.ways[j]), floor, self.rules, node.target,
            node.stat.size,
        )  # fmt: skip
        return Opened(cells, n, counted.n_bins, shift, (reach[0], reach[1]))

    def search(self, j: int, floor: float) -> None:
        """Finds the best split of column j, if any scores at least `floor`."""
        node, column, way = self.node, self.columns[j], int(self.ways[j])
        opened = np.empty((4, 1), np.int64)
        if way != CUT:
            bins = np.zeros((n_bins(column.n_values, 0), node.width))
            add_rows(column.codes, node.rows, node.target, 0, bins)
            seen = self._open(Counted(bins, bins.shape[0], 0), j, floor)
        else:
            if j not in self._opened:
                self.open(j, floor)
            seen = self._opened.pop(j)
            floor = max(floor, float(floor_of(seen.reach[0], self.rules.criterion, node.stat)))
            is_open, n_opened = mark_bins(seen.cells, seen.n_cells, seen.n_bins, seen.shift, floor)
            opened = np.empty((4, n_opened + 1), np.int64)
            if n_opened and node.whole:
                mark_open_in_order(column.codes, column.order, seen.shift, is_open, seen.n_bins, opened[0], opened[1])
            elif n_opened and node.lines:
                self._mark(j, seen.shift, is_open, opened[1])
                read_codes(column.codes, node.rows, opened[1], n_opened, opened[0])
            elif n_opened:
                mark_open(column.codes, node.rows, seen.shift, is_open, opened[0], opened[1])
        found = find_split(seen.cells, seen.n_cells, floor, opened, way, self.rules, node.target, self.answers, j)
        if found[1].size:
            self.branches[j] = found

    def _mark(self, j: int, shift: int, is_open: NDArray[np.uint8], places: NDArray[np.int64]) -> None:
        assert self.matrix is not None
        place = int(np.searchsorted(self._cuts, j))
        lines = max(
            (lines for lines in self.node.lines if lines.first * IN_A_WORD <= place), key=lambda some: some.first
        )
        lines.mark(place, shift - int(self.matrix.shifts[place]), is_open, places)

    def sides(self, j: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """(statistics of the present rows left and right of the cut of column j float64[2, S], of the missing rows
        float64[S], how many rows those are int64[3]). Of classes what only rounding leaves over is 0."""
        width, n = self.node.stat.size, self.node.rows.size
        left, missing = self.answers[FURTHER:, j].reshape(2, width + 1)
        right = self.node.stat - left[:width] - missing[:width]
        if self.rules.criterion != SQUARED_ERROR:
            right[right <= ROUNDING * self.node.stat] = 0.0
        n_left, n_missing = int(left[width]), int(missing[width])
        return (
            np.stack((left[:width], right)), missing[:width], np.array([n_left, n - n_left - n_missing, n_missing])
        )  # fmt: skip

    @property
    def floor(self) -> float:
        """What a column has to reach to be worth another look, from what all have shown so far."""
        scores = self.answers[GAIN] * self._weight()
        top = max(np.nanmax(scores, initial=-1.0), self.reach[:, 0].max(initial=-1.0))
        return float(floor_of(top, self.rules.criterion, self.node.stat))

    def _weight(self) -> float:
        stat = self.node.stat
        return float(stat[0] if self.rules.criterion == SQUARED_ERROR else stat.sum())
