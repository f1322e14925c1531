"""The best split of a column at a large node, by counting twice: in bins of values, then in the few that may hold it.

Growing and the candidates of large nodes use it; what it finds is what `search.column_search` finds from a tally. The
kernels and the pictures are in `engine.search.kernels.large_nodes`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.criterion import OF_SUMS
from engine.criteria.kernels import ROUNDING, split_information, weight
from engine.runtime.threads import Workers
from engine.search.column_search import Found, log_tries, way
from engine.search.kernels.count import Target
from engine.search.kernels.cut_bounds import Cells
from engine.search.kernels.large_nodes import (
    FURTHER,
    add_rows,
    count_sibling,
    count_words,
    fill_bins,
    find_split,
    floor_of,
    judge_columns,
    mark_bins,
    mark_open,
    open_column,
)
from engine.search.kernels.rules import AT, GAIN, TIE, WAY, Rules
from engine.search.kernels.split_kinds import CUT
from engine.search.options import Search
from engine.search.quinlan import needs_counts
from engine.search.tally import Counts, NodeRows, weights_of
from engine.splits import Split, branch_of_rows, threshold_between
from engine.table.column import Column
from engine.table.partition import VALIDATION

MOST_IN_16_BITS = 2**16 - 1  # they fit 16 bits
IN_A_WORD = 4
ROWS_AT_ONCE = 2**14  # their words fit the second cache while one column after the other is written


@dataclass(frozen=True, eq=False)
class BinMatrix:
    """The bins of some columns.

    Attributes:
        words: uint64[·, n], four bins in each: column j stands in lane j % 4 of line j // 4.
        shifts: int64[c], of each column: a bin holds 2**shift neighbouring codes.
    """

    words: NDArray[np.uint64]
    shifts: NDArray[np.int64]


def make_matrix(columns: Sequence[Column], rows: NDArray[np.uint32], workers: Workers) -> BinMatrix:
    """The matrix of some rows, in their order; made on all threads."""
    words = np.empty((-(-len(columns) // IN_A_WORD), rows.size), np.uint64)
    shifts = [base_shift(column) for column in columns]

    def fill(start: int) -> None:
        some = rows[start : start + ROWS_AT_ONCE]
        for j in range(words.shape[0] * IN_A_WORD):
            lanes = words[j // IN_A_WORD, start : start + some.size].view(np.uint16)[j % IN_A_WORD :]
            if j < len(columns):
                fill_bins(columns[j].codes, some, shifts[j], lanes)
            else:
                lanes[::IN_A_WORD] = 0

    workers.each(fill, range(0, rows.size, ROWS_AT_ONCE))
    return BinMatrix(words, np.array(shifts, np.int64))


def base_shift(column: Column) -> int:
    """By how many bits the codes of a column are shifted to fit the matrix."""
    shift = 0
    while column.n_values > MOST_IN_16_BITS << shift:
        shift += 1
    return shift


COARSE = 256  # bins that are judged first; the least that are counted
MOST_ENTRIES = 2**18  # statistics times bins of a column that is counted by itself: 2 MB, about a second cache
MOST_IN_WORDS = 2**15  # the same of each column in a word: those of four share the cache
MOST_BINS = 2**11  # of each column in a word: those of two classes then fit the first cache, or nearly
ROWS_PER_BIN = 32  # fewer would save little: few rows stand in open bins already
KEEPS = 2**15  # rows of a node whose counts are kept for its children; a smaller one has more bins than are worth it
MOST_SIBLINGS = 8  # branches; of a split into more the largest is hardly larger than a call is long
NO_FLOOR = -2.0


@dataclass(frozen=True, eq=False)
class BinCounts:
    """The target of a node by bins of up to four columns.

    Attributes:
        bins: float64[4, ·, W]; n_bins: int64[c], of each column; shifts: int64[c]: bins of 2**shift codes.
    """

    bins: NDArray[np.float64]
    n_bins: NDArray[np.int64]
    shifts: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Siblings:
    """The branches of a split, and what was counted of the node that was split.

    Attributes:
        above: by line of the matrix; nodes: those with rows.
    """

    above: dict[int, BinCounts]
    nodes: "list[LargeNode]" = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class LargeNode:
    """The rows of a node, ready to be searched.

    Attributes:
        rows: uint32[n], ascending.
        target: of these rows, in their order.
        stat: float64[S], their sum.
        whole: whether they are all rows of the table.
        words: uint64[·, n], their part of a matrix of bins, if there is one.
        siblings: the node and its siblings, if their parent's counts were kept.
        counts: its own, once it was counted and if they are kept.
    """

    rows: NDArray[np.uint32]
    target: Target
    stat: NDArray[np.float64]
    whole: bool
    words: NDArray[np.uint64] | None = None
    siblings: Siblings | None = None
    counts: dict[int, BinCounts] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """W: the statistic of a bin, and its rows where weights do not tell."""
        return self.stat.size + int(self.target.weights.size > 0)


def n_bins(n_values: int, shift: int) -> int:
    """The number of bins, with the one of missing values, see `engine.search.kernels.large_nodes.bin_of`."""
    return ((n_values - 1) >> shift) + 2 if n_values else 1


@dataclass(frozen=True, eq=False)
class Opened:
    """Bins of one column, narrow where the best cut may be, see `engine.search.kernels.large_nodes.open_column`.

    Attributes:
        n_bins, shift: of the narrow bins.
        reach: the best score of a cut between the cells, a ceiling for those inside.
    """

    cells: Cells
    n_cells: int
    n_bins: int
    shift: int
    reach: tuple[float, float]


class LargeNodeSearch:
    """Searches columns of one node; `answers` float64[·, C] is written, see `engine.search.kernels.large_nodes`."""

    def __init__(
        self, node: LargeNode, columns: list[Column], ways: NDArray[np.int64], rules: Rules,
        matrix: BinMatrix | None = None, searched: NDArray[np.bool_] | None = None,
    ) -> None:  # fmt: skip
        """`matrix`: of the columns that are cut, the node has its words; without it each is counted from its codes.
        `searched`: bool[C], the columns that may be split; None for all."""
        self.node, self.columns, self.ways, self.rules, self.matrix = node, columns, ways, rules, matrix
        self.answers = np.full((FURTHER + 2 * (node.stat.size + 1), len(columns)), np.nan)
        self.reach = np.full((len(columns), 2), -1.0)  # of each column that is cut: the best score known, a ceiling
        self.branches: dict[int, tuple[NDArray[np.int64], NDArray[np.uint16]]] = {}
        self._cuts = np.flatnonzero(ways == CUT)
        self._searched = np.ones(len(columns), bool) if searched is None else searched
        self._counted: dict[int, tuple[NDArray[np.float64], int, int]] = {}  # bins, how many, shift
        self._opened: dict[int, Opened] = {}

    @property
    def parts(self) -> list[NDArray[np.int64]]:
        """The columns in groups that are looked at together: those of a line of the matrix, or one."""
        if self.matrix is None:
            return [np.array([j]) for j in np.flatnonzero(self._searched)]
        parts = [self._cuts[i : i + IN_A_WORD] for i in range(0, self._cuts.size, IN_A_WORD)]
        parts += [np.array([j]) for j in np.flatnonzero(self.ways != CUT)]
        return [part for part in parts if self._searched[part].any()]

    def _place(self, j: int) -> int:
        """The place of column j in the matrix."""
        return int(np.searchsorted(self._cuts, j))

    def look(self, part: NDArray[np.int64]) -> None:
        """The first look at one of the `parts`: what its columns may reach. One that is not cut is searched at once."""
        j = int(part[0])
        if self.ways[j] != CUT:
            self.search(j, NO_FLOOR)
        elif self.matrix is None:
            self._judge(part, self._count_codes(j))
        else:
            line = self._place(j) // IN_A_WORD
            self._judge(part, self._count_line(line, self._shifts(line, self.node.rows.size)), line)

    def _judge(self, part: NDArray[np.int64], counts: BinCounts, line: int = 0) -> None:
        """What columns may reach, from their counts."""
        reach, node = np.empty((part.size, 2)), self.node
        # all in one call: to hand the cells of each column back to Python makes growing 8 % slower
        judge_columns(
            counts.bins, counts.n_bins, counts.shifts, COARSE, self.rules, node.target, node.stat.size, reach
        )  # fmt: skip
        self.reach[part] = np.where(self._searched[part, None], reach, -1.0)
        for i, j in enumerate(part.tolist()):
            self._counted[j] = counts.bins[i], int(counts.n_bins[i]), int(counts.shifts[i])
        exact = node.target.labels.size > 0 and node.target.weights.size == 0  # those of a part can be taken off
        if self.matrix is not None and exact and node.rows.size >= KEEPS:
            node.counts[line] = counts

    def _count_codes(self, j: int) -> BinCounts:
        """The target by narrow bins of column j, from its codes."""
        node, column = self.node, self.columns[j]
        most = min(max(node.rows.size // ROWS_PER_BIN, COARSE), max(MOST_ENTRIES // node.width, COARSE))
        shift = _shift_to(column.n_values, most)
        counts = _no_counts(1, node.width, np.array([n_bins(column.n_values, shift)]), np.array([shift]))
        add_rows(column.codes, node.rows, node.target, shift, counts.bins[0])
        return counts

    def _shifts(self, line: int, n_rows: int) -> NDArray[np.int64]:
        """int64[c]: of the columns in a line, such that their bins are as narrow as is worth it for so many rows."""
        assert self.matrix is not None
        most = min(max(n_rows // ROWS_PER_BIN, COARSE), max(MOST_IN_WORDS // self.node.width, COARSE), MOST_BINS)
        places = range(line * IN_A_WORD, min((line + 1) * IN_A_WORD, self._cuts.size))
        least = self.matrix.shifts
        return np.array([max(int(least[i]), _shift_to(self.columns[self._cuts[i]].n_values, most)) for i in places])

    def _empty(self, line: int, shifts: NDArray[np.int64]) -> BinCounts:
        """Counts of the columns in a line, still 0."""
        some = self._cuts[line * IN_A_WORD :][: shifts.size].tolist()
        sizes = [n_bins(self.columns[j].n_values, shift) for j, shift in zip(some, shifts.tolist(), strict=True)]
        return _no_counts(IN_A_WORD, self.node.width, np.array(sizes), shifts)

    def _count_line(self, line: int, shifts: NDArray[np.int64], node: LargeNode | None = None) -> BinCounts:
        """The target by bins of the columns in a line, of this node or a sibling of it."""
        node = node or self.node
        assert node.words is not None and self.matrix is not None
        counts, of_matrix = self._empty(line, shifts), self.matrix.shifts[line * IN_A_WORD :][: shifts.size]
        count_words(node.words[line], node.target, _in_a_word(shifts - of_matrix), counts.bins)
        return counts

    def close(self, floor: float) -> NDArray[np.int64]:
        """The columns that are cut and may reach the floor."""
        return self._cuts[self.reach[self._cuts].max(axis=1, initial=-1.0) >= floor]

    def open(self, j: int, floor: float) -> None:
        """The second look at column j, which is cut: narrow bins where a cut may score at least `floor`."""
        if j not in self._counted:
            self.look(next(part for part in self.parts if j in part))
        self._opened[j] = self._open(j, floor, *self._counted.pop(j))
        self.reach[j] = self._opened[j].reach

    def _open(self, j: int, floor: float, bins: NDArray[np.float64], n_bins: int, shift: int) -> Opened:
        node = self.node
        cells, n, *reach = open_column(
            bins, n_bins, shift, COARSE, int(self.ways[j]), floor, self.rules, node.target, node.stat.size
        )
        return Opened(cells, n, n_bins, shift, (reach[0], reach[1]))

    def search(self, j: int, floor: float) -> None:
        """Finds the best split of column j, if any scores at least `floor`."""
        node, column, way = self.node, self.columns[j], int(self.ways[j])
        opened = np.empty((4, 1), np.int64)
        if way != CUT:
            bins = np.zeros((n_bins(column.n_values, 0), node.width))
            add_rows(column.codes, node.rows, node.target, 0, bins)
            seen = self._open(j, floor, bins, bins.shape[0], 0)
        else:
            if j not in self._opened:
                self.open(j, floor)
            seen = self._opened.pop(j)
            floor = max(floor, float(floor_of(seen.reach[0], self.rules.criterion, node.stat)))
            is_open, n_opened = mark_bins(seen.cells, seen.n_cells, seen.n_bins, seen.shift, floor)
            opened = np.empty((4, n_opened + 1), np.int64)
            if n_opened:
                mark_open(*self._coded(j, seen.shift), is_open, opened[1])
                opened[0, :-1] = column.codes[node.rows[opened[1, :-1]]]
        found = find_split(seen.cells, seen.n_cells, floor, opened, way, self.rules, node.target, self.answers, j)
        if found[1].size:
            self.branches[j] = found

    def _coded(self, j: int, shift: int) -> tuple[NDArray[Any], int, int]:
        """(the codes of the node's rows in column j, or its lane of their words; how far they stand from each other;
        by how many bits to shift them to bins of 2**shift codes)."""
        node, codes = self.node, self.columns[j].codes
        if self.matrix is None or node.words is None:
            return codes if node.whole else codes[node.rows], 1, shift
        line, lane = divmod(self._place(j), IN_A_WORD)
        return node.words[line].view(np.uint16)[lane:], IN_A_WORD, shift - int(self.matrix.shifts[self._place(j)])

    def sides(self, j: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """(statistics of the present rows left and right of the cut of column j float64[2, S], of the missing rows
        float64[S], how many rows those are int64[3]). Of classes what only rounding leaves over is 0."""
        width, n = self.node.stat.size, self.node.rows.size
        left, missing = self.answers[FURTHER:, j].reshape(2, width + 1)
        right = self.node.stat - left[:width] - missing[:width]
        if not self.rules.criterion & OF_SUMS:
            right[right <= ROUNDING * self.node.stat] = 0.0
        n_left, n_missing = int(left[width]), int(missing[width])
        return (
            np.stack((left[:width], right)), missing[:width], np.array([n_left, n - n_left - n_missing, n_missing])
        )  # fmt: skip

    @property
    def floor(self) -> float:
        """What a column has to reach to be worth another look, from what all have shown so far."""
        scores = self.answers[GAIN] * weight(self.rules.criterion, self.node.stat)
        top = max(np.nanmax(scores, initial=-1.0), self.reach[:, 0].max(initial=-1.0))
        return float(floor_of(top, self.rules.criterion, self.node.stat))


def look_at_siblings(searches: Sequence[LargeNodeSearch], part: NDArray[np.int64]) -> None:
    """`LargeNodeSearch.look` at one of the `parts` for some branches of one split: the largest is not counted where the
    others tell what is left of the counts of their parent."""
    largest = max(searches, key=lambda search: search.node.rows.size)
    siblings, line = largest.node.siblings, largest._place(int(part[0])) // IN_A_WORD
    known = siblings is not None and largest.ways[part[0]] == CUT and line in siblings.above
    if siblings is None or not known or not _saves_rows(largest.node, siblings, searches):
        for search in searches:
            search.look(part)
        return
    above, shifts = siblings.above[line], largest._shifts(line, largest.node.rows.size)
    others: list[NDArray[np.float64]] = []
    for node in siblings.nodes:
        if node is not largest.node:
            counts = largest._count_line(line, shifts, node)
            others.append(counts.bins)
            for search in searches:
                if search.node is node:
                    search._judge(part, counts, line)
    counts = largest._empty(line, shifts)
    count_sibling(above.bins, above.n_bins, _in_a_word(shifts - above.shifts), sum(others[1:], others[0]), counts.bins)
    largest._judge(part, counts, line)


def _saves_rows(largest: LargeNode, siblings: Siblings, searches: Sequence[LargeNodeSearch]) -> bool:
    """Whether fewer rows are counted than if each node that is searched were."""
    searched = {id(search.node) for search in searches}
    more = sum(node.rows.size for node in siblings.nodes if id(node) not in searched)
    return 1 < len(siblings.nodes) <= MOST_SIBLINGS and more < largest.rows.size


def _in_a_word(wider: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[4]: by how many bits bins are wider, 0 where a word has no column."""
    return np.append(wider, np.zeros(IN_A_WORD - wider.size, np.int64))


def _shift_to(n_values: int, most: int) -> int:
    """By how many bits codes are shifted to make at most about `most` bins."""
    return max((max(n_values, 1) - 1).bit_length() - most.bit_length() + 1, 0)


def _no_counts(n: int, width: int, n_bins: NDArray[np.int64], shifts: NDArray[np.int64]) -> BinCounts:
    return BinCounts(np.zeros((n, n_bins.max(), width)), n_bins, shifts)


# -- the cuts of one node as candidates show them, without a tally

LARGE = 16_384  # training rows from which counting twice is quicker than a tally


class LargeNodeCuts:
    """Finds the best cuts of the numeric columns of one node; threads may ask for several columns at once."""

    def __init__(self, inside: NodeRows, search: Search) -> None:
        table, training = inside.table, inside.training
        _, labels, numbers, weights = training.gathered
        self.inside = inside
        features = [(place, table.columns[place]) for place in search.features_of(table)]
        self.places = [i for i, c in features if c.is_numeric and way(c, search) == CUT and c.n_values > 1]
        rows = training.rows.astype(np.uint32)
        node = LargeNode(rows, Target(labels, numbers, weights), inside.trained, rows.size == table.n_rows)
        rules = Rules(kernel_code(search.criterion), search.rows_to_split, search.min_leaf, float(search.min_gain))
        columns, ways = [table.columns[place] for place in self.places], np.full(len(self.places), CUT)
        self._search = LargeNodeSearch(node, columns, ways, rules.compiled())

    def find(self, place: int) -> Found | None:
        """The best cut of the column at this place of the table; None if there is none, or it is not cut."""
        if place not in self.places:
            return None
        j = self.places.index(place)
        self._search.search(j, -1.0)
        node, column, answer = self._search.node, self._search.columns[j], self._search.answers[:, j]
        if not np.isfinite(answer[GAIN]):
            return None
        missing, limit = int(answer[WAY]), int(answer[AT])
        seen = np.full(column.n_values + 1, node.whole and column.n_present == column.n_values)
        if not seen.any():
            seen[column.codes[node.rows]] = True
        stats, lacking, rows = self._search.sides(j)
        n_values, n_missing = int(np.count_nonzero(seen[1:])), int(rows[2])
        threshold = np.inf  # present from missing, where no value present is beyond the limit
        if seen[limit + 1 :].any():
            below, above = limit - int(seen[limit:0:-1].argmax()), limit + 1 + int(seen[limit + 1 :].argmax())
            threshold = threshold_between(float(column.values[below - 1]), float(column.values[above - 1]))
        sizes = weights_of(np.vstack((stats, lacking)), self.inside.table.task == "classes")
        tries, information = log_tries(CUT, n_values, n_missing > 0), float(split_information(sizes))
        split = Split(column.name, "threshold", (float(threshold),), missing=missing)
        stats[missing] += lacking
        rows[missing] += n_missing
        unseen = branch_of_rows(split, self.inside.table, self._unseen.rows)  # they may have values of their own
        validation = self._unseen.count_branches(unseen, 2).validation
        return Found(
            split, float(answer[GAIN]), float(answer[TIE]), information, tries, n_values + (n_missing > 0),
            place=place, counts=Counts(stats, validation, rows[:2]),
        )  # fmt: skip

    @cached_property
    def _unseen(self) -> NodeRows:
        """The validation rows."""
        rows = self.inside.rows
        return replace(self.inside, rows=rows[self.inside.table.part[rows] == VALIDATION], n_parts=2)


def worth_counting_twice(inside: NodeRows, search: Search) -> bool:
    """Whether this is the way to search a node."""
    return (
        not search.by_rows and not needs_counts(search) and search.missing == "direction" and inside.rows.size >= LARGE
    )
