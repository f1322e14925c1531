"""Which cuts of a tree are significant: many at once, by sums that end as soon as they decide.

The definition is `engine.weighing.chance_of`; here is what it comes to for one cut of a column of numbers into two
branches (`engine.kernels.cut_chance`, of many rows or values `engine.kernels.many_cuts`, for a numeric target
`engine.kernels.number_chance`). Whatever else there is, or is too near the level, stays open.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.chance import LOWEST, MANY
from engine.column_search import NUMERIC_WAYS
from engine.deal import BRANCHES, TILTS
from engine.kernels.cut_chance import OPEN, Tests, judge_cuts, read_nodes
from engine.kernels.many_cuts import LOW, judge_large
from engine.kernels.number_chance import NumberTests, judge_numbers, read_targets
from engine.kernels.ways import BOUNDARY, CUT
from engine.leaves import row_sums
from engine.nodes import THRESHOLD
from engine.options import Search
from engine.partition import TRAIN
from engine.pruning.number_tests import APART, Flags, Floats, Integers, number_tests
from engine.significance import TINY, log_p_chi_square
from engine.workers import Workers

if TYPE_CHECKING:
    from engine.assignment import Assignment
    from engine.column import Column
    from engine.progress import Progress
    from engine.table import Table
    from engine.tree import Tree

AT_ONCE = 2**16  # rows


class CutTests:
    """The tests of the cuts of one tree at one level.

    Attributes:
        possible: bool[n_nodes], the splits that can be judged here; of fewer once they were.
    """

    def __init__(self, table: "Table", tree: "Tree", search: Search, log_level: float) -> None:
        self._table, self._tree, self._search, self._log_level = table, tree, search, log_level
        columns = [table.columns[table.index(column.name)] for column in tree.columns]
        self._columns: list[Column] = columns
        numeric = np.array([column.is_numeric for column in columns], dtype=bool)
        nodes = tree.nodes
        self.possible = (nodes.kind == THRESHOLD) & (nodes.payload_size == 0) & (nodes.n_branches == 2)
        self.possible &= nodes.missing < 2
        if NUMERIC_WAYS[search.numeric] not in (CUT, BOUNDARY):
            self.possible[:] = False
        places = np.flatnonzero(self.possible)
        self.possible[places] = numeric[nodes.column[places]]

    def judge(self, asked: Integers, at: "Assignment", found: NDArray[np.uint8], progress: "Progress") -> None:
        """Fills `found`, uint8[n_nodes], at the possible splits `asked`: YES, NO, or OPEN. A stop leaves some OPEN."""
        prepare = number_tests if self._table.task == "number" else class_tests
        tests, usual = prepare(self._tree, asked, self._log_level)
        self.possible[asked[~usual]] = False
        done: list[int] = []

        def work(places: Integers) -> None:
            if not progress.stopped:
                own = type(tests)(*(line[places] for line in tests))
                found[asked[places]] = self._judged(own, asked[places], at)
                done.append(places.size)

        def tell() -> None:
            progress.report(sum(done) / max(asked.size, 1), "Testing splits")

        with Workers() as workers:
            workers.each(work, self._groups(asked, np.flatnonzero(usual), tests), tell)

    def _groups(self, asked: Integers, places: Integers, tests: Tests | NumberTests) -> list[Integers]:
        """Places in `asked` of splits of one column that one kernel judges, not too many rows at once."""
        rows, kind = self._tree.rows_train[asked], 2 * self._tree.nodes.column[asked].astype(np.int64)
        if isinstance(tests, Tests):
            kind += _is_large(tests)
        places = places[np.argsort(kind[places], kind="stable")]
        part = np.cumsum(rows[places]) // AT_ONCE
        ends = np.flatnonzero((np.diff(kind[places]) != 0) | (np.diff(part) != 0)) + 1
        return [group for group in np.split(places, ends) if group.size]

    def _judged(self, tests: Tests | NumberTests, nodes: Integers, at: "Assignment") -> NDArray[np.uint8]:
        """Of splits of one column."""
        first = np.empty(nodes.size + 1, dtype=np.int64)
        codes = np.empty(int((at.stop[nodes] - at.start[nodes]).sum()), dtype=np.uint32)
        column, part = self._columns[self._tree.nodes.column[nodes[0]]], self._table.part
        found, places = np.full(nodes.size, OPEN, dtype=np.uint8), np.arange(nodes.size)
        least, level = self._search.min_leaf, math.exp(self._log_level)
        read_nodes(column.codes, part, TRAIN, at.rows, at.start, at.stop, nodes, first, codes)
        if isinstance(tests, NumberTests):
            numbers = np.empty(codes.size)
            read_targets(part, TRAIN, self._table.y, at.rows, at.start, at.stop, nodes, numbers)
            judge_numbers(tests, BRANCHES, TILTS, codes, numbers, first, least, level, found)
            return found
        if _is_large(tests)[0]:
            judge_large(tests, codes, first, column.n_values + 1, least, level, found)
        else:
            judge_cuts(tests, places, codes, first, least, MANY, level, found)
        return found


def _is_large(tests: Tests) -> Flags:
    """Whether a test is one for `judge_large`."""
    return np.asarray((tests.rows > MANY) | (tests.p < LOW))


def class_tests(tree: "Tree", at: Integers, log_level: float, n_branches: int = 2) -> tuple[Tests, Flags]:
    """(the tests of the splits into so many branches at some positions as if each were the only one; bool[m], which of
    them can be judged: not what is too near the level). Height and hazard are those of splits into two."""
    children = [at + 1]
    for _ in range(n_branches - 1):
        children.append(tree.end[children[-1]].astype(np.int64))
    branches = np.stack([tree.train[child] for child in children], axis=1)
    total = branches.sum(axis=(1, 2))
    shares = branches / np.where(total > 0, total, 1.0)[:, None, None]
    expected = shares.sum(axis=2)[:, :, None] * shares.sum(axis=1)[:, None, :]
    squares = np.divide((shares - expected) ** 2, expected, out=np.zeros_like(shares), where=expected > 0)
    rows, counts = tree.rows_train[at], tree.train[at]
    statistic = rows * squares.sum(axis=(1, 2))
    k = np.count_nonzero(counts > 0, axis=1)
    usual = (branches.sum(axis=2) > 0).all(axis=1) & (k >= 2) & (statistic > 0)
    usual &= np.count_nonzero(branches.sum(axis=1) > 0, axis=1) == k
    between = np.where(usual, k - 1, 1)
    log_p, p, height, hazard = as_if_alone(np.where(usual, statistic, 1.0), (n_branches - 1) * between)
    usual &= log_p <= log_level - APART
    present, weight = counts > 0, row_sums(counts)
    own = counts / np.where(weight > 0, weight, 1.0)[:, None]
    first = own[np.arange(at.size), np.argmax(present, axis=1)] * rows
    first = np.rint(np.round(np.clip(first, 1, rows - 1), 9))  # as `engine.deal` rounds
    least = np.where(present, own, np.inf).min(axis=1, initial=np.inf)
    rare = np.divide(1.0, own, out=np.zeros_like(own), where=present).sum(axis=1)
    found = (rows, statistic, p, height, hazard, k, first, least, rare)
    return Tests(*(line.astype(np.float64) for line in found)), usual


def as_if_alone(statistic: Floats, freedom: Integers) -> tuple[Floats, Floats, Floats, Floats]:
    """(ln p, p, height, hazard) of X², see `Tests`."""
    from scipy.special import chdtri, gammaincc, gammaln

    a = freedom / 2.0
    p = gammaincc(a, statistic / 2.0)
    log_p = np.log(np.maximum(p, TINY))
    for i in np.flatnonzero(p <= TINY).tolist():
        log_p[i] = log_p_chi_square(float(statistic[i]), int(freedom[i]))
    height = np.where(log_p > LOWEST, chdtri(freedom, math.exp(LOWEST)), statistic)
    log_density = (a - 1) * np.log(height / 2) - height / 2 - gammaln(a) - math.log(2.0)
    return log_p, p, height, np.exp(log_density - np.minimum(log_p, LOWEST))
