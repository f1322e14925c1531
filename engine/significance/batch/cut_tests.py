"""Which cuts of a tree are significant: many at once, by sums that end as soon as they decide.

The definition is `ranking.weighing.chance_of`; here is what it comes to for one cut of a column of numbers into two
branches (`cut_tests`, of many rows or values `many_cuts`, for a numeric target
`engine.significance.kernels.number_tests`). Whatever else there is, or is too near the level, stays open.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.runtime.threads import Workers
from engine.search.column_search import NUMERIC_WAYS
from engine.search.kernels.split_kinds import BOUNDARY, CUT
from engine.search.options import Search
from engine.search.permutation_null import BRANCHES, TILTS
from engine.significance.adjusted import MANY
from engine.significance.batch.class_tests import class_tests
from engine.significance.batch.missing_tests import WEIGHTS, chance_of_missing, has_own_branch, rest_tests
from engine.significance.batch.number_tests import FAINTEST, Flags, Integers, number_tests
from engine.significance.kernels.cut_tests import OPEN, YES, Tests, judge_cuts, read_nodes
from engine.significance.kernels.many_cuts import LOW, judge_beside_missing, judge_large
from engine.significance.kernels.number_tests import NumberTests, judge_numbers, read_targets
from engine.table.partition import TRAIN
from engine.tree.nodes import THRESHOLD

if TYPE_CHECKING:
    from engine.runtime.progress import Progress
    from engine.table.column import Column
    from engine.table.table import Table
    from engine.tree import Tree
    from engine.tree.assignment import Assignment

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
        self._own = has_own_branch(tree) & (nodes.kind == THRESHOLD) & (tree.task == "classes")
        self.possible |= self._own & (log_level >= math.log(FAINTEST))
        if NUMERIC_WAYS[search.numeric] not in (CUT, BOUNDARY):
            self.possible[:] = False
        places = np.flatnonzero(self.possible)
        self.possible[places] = numeric[nodes.column[places]]

    def judge(self, asked: Integers, at: "Assignment", found: NDArray[np.uint8], progress: "Progress") -> None:
        """Fills `found`, uint8[n_nodes], at the possible splits `asked`: YES, NO, or OPEN. A stop leaves some OPEN."""
        for own in (False, True):
            some = asked[self._own[asked] == own]
            if some.size and not progress.stopped:
                self._judge(some, own, at, found, progress)

    def _judge(
        self, asked: Integers, own: bool, at: "Assignment", found: NDArray[np.uint8], progress: "Progress"
    ) -> None:
        """Of cuts that all have, or all lack, a branch of their own for missing rows."""
        tests: Tests | NumberTests
        if self._table.task == "number":
            tests, usual = number_tests(self._tree, asked, self._log_level)
        else:
            tests, usual = class_tests(self._tree, asked, self._log_level, 2 + own)
        self.possible[asked[~usual]] = False
        done: list[int] = []

        def work(places: Integers) -> None:
            if not progress.stopped:
                some = type(tests)(*(line[places] for line in tests))
                found[asked[places]] = self._judged(some, own, asked[places], at)
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

    def _judged(self, tests: Tests | NumberTests, own: bool, nodes: Integers, at: "Assignment") -> NDArray[np.uint8]:
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
        if own and level >= 1.0:  # the sum may be more than 1
            found[:] = YES
        elif own:
            lacking = np.diff(np.append(0, np.cumsum(codes[: first[-1]] == 0))[first])
            known, each = chance_of_missing(tests, lacking), rest_tests(tests)
            judge_beside_missing(each, WEIGHTS, known, codes, first, column.n_values + 1, least, level, found)
        elif _is_large(tests)[0]:
            judge_large(tests, codes, first, column.n_values + 1, least, level, found)
        else:
            judge_cuts(tests, places, codes, first, least, MANY, level, found)
        return found


def _is_large(tests: Tests) -> Flags:
    """Whether a test is one for `judge_large`."""
    return np.asarray((tests.rows > MANY) | (tests.p < LOW))
