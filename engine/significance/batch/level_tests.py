"""Which divisions of levels into two groups are significant: many at once.

The definition is `engine.significance.groupings.chance_of_groups` or `chance_of_one`; the deals are made in
`group_tests`, for two classes or a numeric target, and in `class_tests`. Whatever else
there is, or is too near the level, stays open.
"""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.runtime.threads import Workers
from engine.search.options import Search
from engine.search.permutation_null import BRANCHES, TILTS, Deal
from engine.significance.adjusted import ROWS_PER_VALUE
from engine.significance.batch.class_tests import class_tests
from engine.significance.batch.cut_tests import AT_ONCE
from engine.significance.batch.missing_tests import TERMS, WEIGHTS, chance_of_missing, has_own_branch, rest_tests
from engine.significance.batch.number_tests import Flags, Floats, Integers, number_tests
from engine.significance.groupings import DECISIVE, MOST_CELLS, class_ends, dealt, is_sparse
from engine.significance.kernels.class_permutations import Classes
from engine.significance.kernels.class_tests import judge_class_groups
from engine.significance.kernels.cut_tests import NO, OPEN, YES, Tests, read_nodes
from engine.significance.kernels.group_tests import (
    GroupTests,
    alone_of_classes,
    alone_of_numbers,
    count_levels,
    judge_groups,
    read_in_order,
)
from engine.significance.kernels.number_tests import NumberTests
from engine.significance.single import ROUNDING, TINY
from engine.table.partition import TRAIN
from engine.tree.nodes import GROUPS

if TYPE_CHECKING:
    from engine.runtime.progress import Progress
    from engine.table.table import Table
    from engine.tree import Tree
    from engine.tree.assignment import Assignment

MOST_LEVELS = 1000  # of a column; nodes of others are too few to be judged together
FAINTEST = 1e-5  # levels below which what is drawn does not decide, see `engine.significance.groupings.DECISIVE`
NEAR = 1e-7  # of ln p, and of p, from what decides


class Levels(NamedTuple):
    """The levels of some nodes, those of rows that lack the value among them unless these have a branch of their own.

    nodes: int64[m]. rows: int64[m], of the levels. first: int64[m], where the numbers of each begin. numbers:
    float64[·], of the rows, with mean 0 and variance 1, in the order of the table; empty for classes. begin, end:
    int64[m], where the sizes of each begin and end; sizes: int64[·], rows of each level. flatness: float64[m], of a
    numeric target. above: float64[m, T], the chance of what one level explains, of each term.
    """

    nodes: Integers
    rows: Integers
    first: Integers
    numbers: Floats
    begin: Integers
    end: Integers
    sizes: Integers
    flatness: Floats
    above: Floats


class Bounds(NamedTuple):
    """What is known of the terms of some nodes before anything is dealt, see `engine.significance.batch.missing_tests`.

    judged: uint8[m], what is certain, else OPEN. dealt: bool[m], for which nodes deals tell. known: float64[m], the
    part of the sum that needs none. left: bool[m, T], the terms that do; least, most: float64[m, T], of these.
    """

    judged: NDArray[np.uint8]
    dealt: Flags
    known: Floats
    left: Flags
    least: Floats
    most: Floats


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
        self._own = has_own_branch(tree) & (tree.nodes.kind == GROUPS) & (tree.task == "classes")
        self.possible |= self._own
        self._each, self._pool = search.nominal == "one_vs_rest", search.pool
        if not math.log(FAINTEST) <= log_level < 0.0:
            self.possible[:] = False
        places = np.flatnonzero(self.possible)
        self.possible[places] = np.array(fair, dtype=bool)[tree.nodes.column[places]]

    def judge(self, asked: Integers, at: "Assignment", found: NDArray[np.uint8], progress: "Progress") -> None:
        """Fills `found`, uint8[n_nodes], at the possible splits `asked`: YES, NO, or OPEN. A stop leaves some OPEN."""
        self.possible[asked] = False
        for own in (False, True):
            some = asked[self._own[asked] == own]
            if some.size and not progress.stopped:
                self._judge(some, own, at, found, progress)

    def _judge(
        self, asked: Integers, own: bool, at: "Assignment", found: NDArray[np.uint8], progress: "Progress"
    ) -> None:
        """Of splits that all have, or all lack, a branch of their own for missing rows."""
        tests: Tests | NumberTests
        if self._table.task == "number":
            tests, usual = number_tests(self._tree, asked, self._log_level)
        else:
            tests, usual = class_tests(self._tree, asked, self._log_level, 2 + own)
        groups = self._groups(asked, np.flatnonzero(usual))
        if not groups:
            return
        with Workers() as workers:
            looked = workers.map(lambda some: self._levels(asked[some], own, _taken(tests, some), at), groups)
            levels, tests = _joined(looked), _taken(tests, np.concatenate(groups))
            bounds, dealt_with = self._by_bounds(levels, own, tests)
            judged, done = bounds.judged, list[int]()

            def work(some: Integers) -> None:
                if not progress.stopped:
                    judged[some] = self._judged(levels, _group_tests_at(dealt_with, some), some)
                    done.append(some.size)

            def tell() -> None:
                progress.report(sum(done) / levels.nodes.size, "Testing splits")

            workers.each(work, _alike(levels, np.flatnonzero(bounds.dealt), self._n_classes(levels.nodes)), tell)
        found[levels.nodes] = judged

    def _n_classes(self, nodes: Integers) -> Integers:
        """int64[m]: how many classes there are; 2 at the least, also for a numeric target."""
        if self._tree.task == "number":
            return np.full(nodes.size, 2)
        return np.maximum(np.count_nonzero(self._tree.train[nodes] > 0, axis=1), 2)

    def _judged(self, levels: Levels, tests: GroupTests, some: Integers) -> NDArray[np.uint8]:
        """Of nodes at some places that have the same deals.

        tests: of these.
        """
        answers = np.full(some.size, OPEN, dtype=np.uint8)
        one, n_classes = some[0], int(self._n_classes(levels.nodes[some[:1]])[0])
        deals = dealt(int(levels.rows[one]), int(levels.end[one] - levels.begin[one]), n_classes)
        if n_classes > 2:
            classes = self._classes(levels, some)
            judge_class_groups(tests, classes, levels.sizes, deals, self._level, answers)
        else:
            judge_groups(tests, levels.sizes, levels.numbers, deals, self._level, answers)
        return answers

    def _classes(self, levels: Levels, some: Integers) -> Classes:
        """Of nodes at some places: what `groupings` deals out, to the last digit, for levels may be even."""
        nodes, rows = levels.nodes[some], levels.rows[some].tolist()
        whole = zip(self._tree.train[nodes], self._tree.rows_train[nodes].tolist(), strict=True)
        shares = [Deal.of_classes(counts, n).shares for counts, n in whole]
        ends = [class_ends(line, n) for line, n in zip(shares, rows, strict=True)]
        first = np.cumsum([0, *(line.size for line in shares)])
        return Classes(first, np.concatenate(shares), np.concatenate(ends))

    def _groups(self, asked: Integers, places: Integers) -> list[Integers]:
        """Places in `asked` of splits of one column, not too many rows at once."""
        column = self._tree.nodes.column[asked]
        places = places[np.argsort(column[places], kind="stable")]
        part = np.cumsum(self._tree.rows_train[asked[places]]) // AT_ONCE
        ends = np.flatnonzero((np.diff(column[places]) != 0) | (np.diff(part) != 0)) + 1
        return [group for group in np.split(places, ends) if group.size]

    def _levels(self, nodes: Integers, own: bool, tests: Tests | NumberTests, at: "Assignment") -> Levels:
        """Of splits of one column."""
        column, m = self._columns[self._tree.nodes.column[nodes[0]]], nodes.size
        first, codes = np.empty(m + 1, np.int64), np.empty(int((at.stop[nodes] - at.start[nodes]).sum()), np.uint32)
        read_nodes(column.codes, self._table.part, TRAIN, at.rows, at.start, at.stop, nodes, first, codes)
        begin, sizes = np.empty(m + 1, np.int64), np.empty(codes.size, np.int64)
        counts, missing = np.zeros(column.n_values + 1, np.int64), np.empty(m, np.int64)
        count_levels(codes, first, counts, self._pool, not own, sizes, begin, missing)
        rows = np.diff(np.append(0, np.cumsum(sizes[: begin[-1]]))[begin])
        flatness, above, numbers = np.zeros(m), np.empty((m, TERMS if own else 1)), np.empty(0)
        if isinstance(tests, Tests):
            each = rest_tests(tests) if own else tests
            for term, line in enumerate(above.T):
                chances = np.empty(m)
                own_tests = _taken(each, np.arange(term, each.p.size, above.shape[1]))
                alone_of_classes(own_tests, sizes, begin, missing, self._each, chances)
                line[:] = chances
        else:
            numbers = np.empty(int(first[-1]))
            read_in_order(
                self._table.part, TRAIN, self._table.y, at.rows, at.start, at.stop, nodes, first, numbers, flatness
            )
            most = self._level * (1.0 + 2.0 * NEAR)
            chances = np.empty(m)
            alone_of_numbers(
                tests, BRANCHES, TILTS, numbers.copy(), first, sizes, begin, missing, self._each, most, chances
            )
            above[:, 0] = chances
        return Levels(nodes, rows, first[:-1], numbers, begin[:-1], begin[1:], sizes[: begin[-1]], flatness, above)

    def _by_bounds(self, levels: Levels, own: bool, tests: Tests | NumberTests) -> tuple[Bounds, GroupTests]:
        """(what is certain without deals; what deals are compared with)."""
        known, weights = np.zeros(levels.nodes.size), np.ones(1)
        each = tests
        if own and isinstance(tests, Tests):
            known, weights = chance_of_missing(tests, tests.rows.astype(np.int64) - levels.rows), WEIGHTS
            each = rest_tests(tests)
        bounds = _bounds(levels, each, weights, known, self._level, self._each)
        return bounds, self._group_tests(levels, each, weights, bounds)

    def _group_tests(self, levels: Levels, each: Tests | NumberTests, weights: Floats, bounds: Bounds) -> GroupTests:
        """What the deals are compared with.

        each: of the terms.
        """
        left, n = bounds.left, levels.rows
        terms = np.append(0, np.cumsum(np.count_nonzero(left, axis=1)))
        weight = np.broadcast_to(weights, left.shape)[left]
        places = levels.begin, levels.end, levels.first, bounds.known, terms
        if isinstance(each, NumberTests):
            nothing, share = np.zeros(n.size), each.x.reshape(left.shape) / (n - 1)[:, None]
            ways = nothing.astype(np.int64), nothing, levels.flatness
        else:
            counts, free = self._tree.train[levels.nodes], each.classes.reshape(left.shape) - 1
            share = each.statistic.reshape(left.shape) / n[:, None] / free
            lines, present = np.arange(n.size), counts > 0
            first = counts[lines, np.argmax(present, axis=1)] / counts.sum(axis=1)
            cut = np.rint(np.round(first * n, 9)).astype(np.int64)  # as `engine.significance.groupings` rounds
            spread = np.maximum(first * (1.0 - first), TINY)
            ways = cut, np.sqrt(spread), (1.0 - 3.0 * spread) / spread / n
        return GroupTests(*ways, *places, share[left], weight, bounds.least[left], bounds.most[left])


def _bounds(
    levels: Levels, each: Tests | NumberTests, weights: Floats, known: Floats, level: float, one: bool
) -> Bounds:
    """What is known of sums of chances before anything is dealt.

    each: of the terms. known: float64[m], what is added to them. one: whether each level stands against the rest.
    """
    shape = levels.above.shape
    k, n = (levels.end - levels.begin)[:, None], levels.rows[:, None]
    p = (each.p if isinstance(each, Tests) else np.exp(each.log_p)).reshape(shape)
    upper = _upper_bound(k, n, each, shape)
    n_classes = each.classes.reshape(shape) if isinstance(each, Tests) else np.ones(shape)
    roomy, cells = n >= ROWS_PER_VALUE * k, k * n_classes
    two, names = np.broadcast_to(k < 3, shape), np.broadcast_to((k == n) & (k >= 3), shape)
    certain = (p >= 1.0) | names | ((n < 3) & (weights.size > 1))  # names: one for every row
    fixed = certain | two | (upper < DECISIVE) | (cells > MOST_CELLS)  # then nothing is dealt
    value = np.where(two, np.where(levels.above > 0, levels.above, p), np.maximum(np.exp(upper), levels.above))
    if one:
        fixed, certain = np.ones(shape, dtype=bool), certain & ~names
        value = np.minimum(levels.above, 1.0)  # 0, too: no deal of one level explains as much
    value[certain] = 1.0
    least = np.maximum(math.exp(DECISIVE), levels.above)
    most = np.maximum(np.where(roomy, np.exp(upper), 1.0), least)
    known = known + (weights * np.where(fixed, value, 0.0)).sum(axis=1)
    low = known + (weights * np.where(fixed, 0.0, least)).sum(axis=1)
    high = known + (weights * np.where(fixed, 0.0, most)).sum(axis=1)
    judged = np.full(len(k), OPEN, dtype=np.uint8)
    judged[high < level * (1.0 - NEAR)] = YES
    judged[low > level * (1.0 + NEAR)] = NO
    unsure = (~(certain | two | one) & (np.abs(upper - DECISIVE) <= NEAR)).any(axis=1) | (k[:, 0] < 2) | np.isnan(low)
    judged[unsure] = OPEN
    return Bounds(judged, ~unsure & (judged == OPEN) & ~fixed.all(axis=1), known, ~fixed, least, most)


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
    before = np.cumsum([0, *(part.numbers.size for part in parts)])
    sizes = np.cumsum([0, *(part.sizes.size for part in parts)])
    moved = [
        part._replace(first=part.first + before[i], begin=part.begin + sizes[i], end=part.end + sizes[i])
        for i, part in enumerate(parts)
    ]
    return Levels(*(np.concatenate(lines) for lines in zip(*moved, strict=True)))


def _upper_bound(levels: Any, rows: Any, each: Tests | NumberTests, shape: tuple[int, ...]) -> Floats:
    """float64[m, T]: ln of the upper bound of `engine.significance.adjusted.log_bound`.

    levels, rows: [m, 1], how many.
    """
    from scipy.special import betainc, gammaincc

    k, n = levels.astype(np.float64), rows.astype(np.float64)
    free = k - 1
    tries = np.where(free < 50, np.log(np.maximum(2.0 ** np.minimum(free, 50) - 1.0, 1.0)), free * math.log(2.0))
    roomy = n >= ROWS_PER_VALUE * k
    if isinstance(each, Tests):
        log_p = np.log(np.maximum(each.p, TINY)).reshape(shape)
        degrees = np.maximum(free, 1.0) * (each.classes.reshape(shape) - 1.0)
        spread = gammaincc(degrees / 2.0, each.statistic.reshape(shape) / 2.0)
    else:
        log_p, left = each.log_p.reshape(shape), np.maximum(1.0 - each.x.reshape(shape) / (n - 1), ROUNDING)
        spread = betainc(np.where(roomy, n - k, 1.0) / 2.0, free / 2.0, left)
    most = np.where(roomy, np.minimum(log_p + tries, np.log(np.maximum(spread, TINY))), log_p + tries)
    return np.asarray(np.minimum(most, 0.0))


def _alike(levels: Levels, places: Integers, n_classes: Integers) -> list[Integers]:
    """The places of nodes with the same deals, those of two classes apart."""
    n, k, some = levels.rows[places], (levels.end - levels.begin)[places], n_classes[places]
    two = some == 2
    key = 2 * np.where(is_sparse(n, k), n, -k * np.where(two, 1, some)) + two
    order = np.argsort(key, kind="stable")
    return [group for group in np.split(places[order], np.flatnonzero(np.diff(key[order])) + 1) if group.size]
