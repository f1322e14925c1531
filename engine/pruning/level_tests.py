"""Which divisions of levels into two groups are significant: many at once, for two classes or a numeric target.

The definition is `engine.groupings.chance_of_groups`; the deals are made in `engine.kernels.group_chance`. Whatever
else there is, or is too near the level, stays open.
"""

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.chance import ROWS_PER_VALUE
from engine.deal import BRANCHES, TILTS
from engine.groupings import (
    BLOCKS,
    CELLS,
    DEALT,
    DECISIVE,
    DRAWS_OF_FEW,
    FEW_ROWS,
    LEAST_DRAWS,
    MOST_CELLS,
    MOST_DRAWS,
    MOST_ROWS,
    SINGLE,
    SPARSE,
)
from engine.kernels.cut_chance import NO, OPEN, YES, Tests, read_nodes
from engine.kernels.group_chance import (
    GroupTests,
    alone_of_classes,
    alone_of_numbers,
    count_levels,
    judge_groups,
    read_in_order,
)
from engine.kernels.group_deals import LANES, Deals
from engine.kernels.number_chance import NumberTests
from engine.nodes import GROUPS
from engine.options import Search
from engine.partition import TRAIN
from engine.pruning.cut_tests import AT_ONCE, class_tests
from engine.pruning.number_tests import Flags, Floats, Integers, number_tests
from engine.significance import ROUNDING, TINY
from engine.workers import Workers

if TYPE_CHECKING:
    from engine.assignment import Assignment
    from engine.progress import Progress
    from engine.table import Table
    from engine.tree import Tree

MOST_LEVELS = 1000  # of a column; nodes of others are too few to be judged together
FAINTEST = 1e-5  # levels below which what is drawn does not decide, see `engine.groupings.DECISIVE`
NEAR = 1e-7  # of ln p, and of p, from what decides
KEPT = 512  # deals, of 64 to 150 kB


class Levels(NamedTuple):
    """The levels of some nodes.

    nodes: int64[m]. first, last: int64[m], where the rows of each begin and end. numbers: float64[·], of the rows, with
    mean 0 and variance 1, in the order of the table; empty for classes. begin, end: int64[m], where the sizes of each
    begin and end; sizes: int64[·], rows of each level. flatness: float64[m], of a numeric target. above: float64[m],
    the chance of what one level explains.
    """

    nodes: Integers
    first: Integers
    last: Integers
    numbers: Floats
    begin: Integers
    end: Integers
    sizes: Integers
    flatness: Floats
    above: Floats


class LevelTests:
    """The tests of the groups of levels of one tree at one level of significance.

    Attributes:
        possible: bool[n_nodes], the splits that can be judged here; of fewer once they were.
    """

    def __init__(self, table: "Table", tree: "Tree", search: Search, log_level: float) -> None:
        self._table, self._tree, self._log_level, self._level = table, tree, log_level, math.exp(log_level)
        self._columns = [table.columns[table.index(column.name)] for column in tree.columns]
        fair = [not one.is_numeric and one.kind != "ordered" and one.n_values <= MOST_LEVELS for one in self._columns]
        self.possible = (tree.nodes.kind == GROUPS) & (tree.nodes.n_branches == 2)
        if search.nominal != "groups" or search.pool > 1 or not math.log(FAINTEST) <= log_level < 0.0:
            self.possible[:] = False
        places = np.flatnonzero(self.possible)
        self.possible[places] = np.array(fair, dtype=bool)[tree.nodes.column[places]]

    def judge(self, asked: Integers, at: "Assignment", found: NDArray[np.uint8], progress: "Progress") -> None:
        """Fills `found`, uint8[n_nodes], at the possible splits `asked`: YES, NO, or OPEN. A stop leaves some OPEN."""
        self.possible[asked] = False
        prepare = number_tests if self._table.task == "number" else class_tests
        tests, usual = prepare(self._tree, asked, self._log_level)
        if isinstance(tests, Tests):
            usual &= tests.classes == 2.0
        groups = self._groups(asked, np.flatnonzero(usual))
        if not groups:
            return
        with Workers() as workers:
            looked = workers.map(lambda some: self._levels(asked[some], _taken(tests, some), at), groups)
            levels, tests = _joined(looked), _taken(tests, np.concatenate(groups))
            judged, dealt = self._by_bounds(levels, tests)
            own = self._group_tests(levels, tests)
            done: list[int] = []

            def work(some: Integers) -> None:
                if not progress.stopped:
                    answers, deals = np.full(some.size, OPEN, dtype=np.uint8), _deals(*_sizes(levels, some[0]))
                    judge_groups(_group_tests_at(own, some), levels.sizes, levels.numbers, deals, self._level, answers)
                    judged[some] = answers
                    done.append(some.size)

            def tell() -> None:
                progress.report(sum(done) / levels.nodes.size, "Testing splits")

            workers.each(work, _alike(levels, np.flatnonzero(dealt)), tell)
        found[levels.nodes] = judged

    def _groups(self, asked: Integers, places: Integers) -> list[Integers]:
        """Places in `asked` of splits of one column, not too many rows at once."""
        column = self._tree.nodes.column[asked]
        places = places[np.argsort(column[places], kind="stable")]
        part = np.cumsum(self._tree.rows_train[asked[places]]) // AT_ONCE
        ends = np.flatnonzero((np.diff(column[places]) != 0) | (np.diff(part) != 0)) + 1
        return [group for group in np.split(places, ends) if group.size]

    def _levels(self, nodes: Integers, tests: Tests | NumberTests, at: "Assignment") -> Levels:
        """Of splits of one column."""
        column, m = self._columns[self._tree.nodes.column[nodes[0]]], nodes.size
        first, codes = np.empty(m + 1, np.int64), np.empty(int((at.stop[nodes] - at.start[nodes]).sum()), np.uint32)
        read_nodes(column.codes, self._table.part, TRAIN, at.rows, at.start, at.stop, nodes, first, codes)
        begin, sizes = np.empty(m + 1, np.int64), np.empty(codes.size, np.int64)
        count_levels(codes, first, np.zeros(column.n_values + 1, np.int64), sizes, begin)
        flatness, above, numbers = np.zeros(m), np.empty(m), np.empty(0)
        if isinstance(tests, Tests):
            alone_of_classes(tests, sizes, begin, above)
        else:
            numbers = np.empty(int(first[-1]))
            read_in_order(
                self._table.part, TRAIN, self._table.y, at.rows, at.start, at.stop, nodes, first, numbers, flatness
            )
            most = self._level * (1.0 + 2.0 * NEAR)
            alone_of_numbers(tests, BRANCHES, TILTS, numbers.copy(), first, sizes, begin, most, above)
        return Levels(nodes, first[:-1], first[1:], numbers, begin[:-1], begin[1:], sizes[: begin[-1]], flatness, above)

    def _by_bounds(self, levels: Levels, tests: Tests | NumberTests) -> tuple[NDArray[np.uint8], Flags]:
        """(what is certain without deals, OPEN for others; bool[m], for which of these deals tell)."""
        k, n, level = levels.end - levels.begin, levels.last - levels.first, self._log_level
        upper = _upper_bound(levels, tests)
        roomy = n >= ROWS_PER_VALUE * k
        few_classes = 2 if isinstance(tests, Tests) else 1
        bounded = (upper < DECISIVE - NEAR) | (k * few_classes > MOST_CELLS)  # then nothing is dealt
        near = (np.abs(upper - level) <= NEAR) | (np.abs(upper - DECISIVE) <= NEAR)
        small = (bounded | roomy) & (upper < level)
        judged = np.full(k.size, OPEN, dtype=np.uint8)
        judged[small & ~near] = YES
        judged[bounded & (upper > level) & ~near] = NO
        dealt = ~near & ~small & ~bounded
        two, names = k < 3, (k == n) & (k >= 3)
        judged[two] = YES
        dealt &= ~two & ~names
        sure = np.abs(levels.above / self._level - 1.0) > NEAR
        judged[~sure], judged[sure & (levels.above > self._level)] = OPEN, NO
        judged[names] = NO  # a name for every row
        return judged, dealt & sure & (levels.above < self._level)

    def _group_tests(self, levels: Levels, tests: Tests | NumberTests) -> GroupTests:
        """What the deals are compared with."""
        m = levels.nodes.size
        nothing, certain = np.zeros(m), np.ones(m)
        ways = levels.begin, levels.end, levels.first, nothing, np.arange(m + 1)
        bounds = certain, nothing, certain
        if isinstance(tests, NumberTests):
            share = tests.x / (levels.last - levels.first - 1)
            return GroupTests(nothing.astype(np.int64), nothing, levels.flatness, *ways, share, *bounds)
        weights = self._tree.train[levels.nodes]
        lines, present = np.arange(weights.shape[0]), weights > 0
        share = weights[lines, np.argmax(present, axis=1)] / weights.sum(axis=1)
        cut = np.rint(np.round(share * tests.rows, 9)).astype(np.int64)  # as `engine.groupings` rounds
        spread = np.maximum(share * (1.0 - share), TINY)
        flatness = (1.0 - 3.0 * spread) / spread / tests.rows
        return GroupTests(cut, np.sqrt(spread), flatness, *ways, tests.statistic / tests.rows, *bounds)


def _taken(tests: Any, places: Integers) -> Any:
    """The tests at some places."""
    return type(tests)(*(line[places] for line in tests))


def _group_tests_at(tests: GroupTests, places: Integers) -> GroupTests:
    """The same of what has terms."""
    n_terms = np.diff(tests.terms)[places]
    terms = np.append(0, np.cumsum(n_terms))
    which = np.repeat(tests.terms[places] - terms[:-1], n_terms) + np.arange(terms[-1])
    lines: list[Any] = [*(line[places] for line in tests[:7]), terms, *(line[which] for line in tests[8:])]
    return GroupTests(*lines)


def _joined(parts: list[Levels]) -> Levels:
    """The same of all parts."""
    before = np.cumsum([0, *(part.numbers.size if part.numbers.size else int(part.last[-1]) for part in parts)])
    sizes = np.cumsum([0, *(part.sizes.size for part in parts)])
    moved = [
        part._replace(
            first=part.first + before[i], last=part.last + before[i], begin=part.begin + sizes[i],
            end=part.end + sizes[i],
        )
        for i, part in enumerate(parts)
    ]  # fmt: skip
    return Levels(*(np.concatenate(lines) for lines in zip(*moved, strict=True)))


def _upper_bound(levels: Levels, tests: Tests | NumberTests) -> Floats:
    """float64[m]: ln of the upper bound of `engine.chance.log_bound`."""
    from scipy.special import betainc, gammaincc

    k, n = (levels.end - levels.begin).astype(np.float64), (levels.last - levels.first).astype(np.float64)
    free = k - 1
    tries = np.where(free < 50, np.log(2.0 ** np.minimum(free, 50) - 1.0), free * math.log(2.0))
    roomy = n >= ROWS_PER_VALUE * k
    if isinstance(tests, Tests):
        log_p = np.log(np.maximum(tests.p, TINY))
        spread = gammaincc(free / 2.0, tests.statistic / 2.0)
    else:
        log_p, left = tests.log_p, np.maximum(1.0 - tests.x / (n - 1), ROUNDING)
        spread = betainc(np.where(roomy, n - k, 1.0) / 2.0, free / 2.0, left)
    most = np.where(roomy, np.minimum(log_p + tries, np.log(np.maximum(spread, TINY))), log_p + tries)
    return np.asarray(np.minimum(most, 0.0))


def _sizes(levels: Levels, place: int) -> tuple[int, int]:
    """(rows, levels) of a node."""
    return int(levels.last[place] - levels.first[place]), int(levels.end[place] - levels.begin[place])


def _is_sparse(n: Any, k: Any) -> Any:
    """Whether the rows themselves are dealt."""
    return n <= np.minimum(SPARSE * k, MOST_ROWS)


def _alike(levels: Levels, places: Integers) -> list[Integers]:
    """The places of nodes with the same deals."""
    n, k = (levels.last - levels.first)[places], (levels.end - levels.begin)[places]
    key = np.where(_is_sparse(n, k), n, -k)
    order = np.argsort(key, kind="stable")
    return [group for group in np.split(places[order], np.flatnonzero(np.diff(key[order])) + 1) if group.size]


def _deals(n: int, k: int) -> Deals:
    """The deals of `engine.groupings` for n rows of k levels."""
    return _made(n, 0) if _is_sparse(n, k) else _made(0, k)


@lru_cache(KEPT)
def _made(n: int, k: int) -> Deals:
    """The deals of so many rows, or levels: kept, for shuffling them takes as long as judging by them."""
    random = np.random.default_rng(0)
    places, normal = np.empty((0, 0, LANES), dtype=np.uint16), np.empty((0, 0, LANES))
    if n:
        draws = min(max(DEALT // n, LEAST_DRAWS), DRAWS_OF_FEW if n <= FEW_ROWS else MOST_DRAWS)
        dealt = random.permuted(np.broadcast_to(np.arange(n, dtype=np.uint16), (draws, n)), axis=1)
        places = _side_by_side(dealt)
    else:
        draws = min(max(CELLS // k, LEAST_DRAWS), MOST_DRAWS)
        normal = _side_by_side(random.standard_normal((draws, k)))
    ends = np.append(np.arange(SINGLE), np.linspace(SINGLE, draws, BLOCKS)).astype(int)
    return Deals(places, normal, np.unique(ends))


def _side_by_side(draws: NDArray[Any]) -> NDArray[Any]:
    """[batches, n, LANES] of [draws, n]; what is left over is 0."""
    filled = np.zeros((-(-len(draws) // LANES) * LANES, draws.shape[1]), draws.dtype)
    filled[: len(draws)] = draws
    return np.ascontiguousarray(filled.reshape(-1, LANES, draws.shape[1]).transpose(0, 2, 1))
