"""Which cuts of a tree of classes are significant: many at once, by sums that end as soon as they decide.

The definition is `engine.weighing.chance_of`; here is what it comes to for one cut of a column of numbers into two
branches (`engine.kernels.cut_chance`). Whatever else there is, or is too near the level, stays open.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.chance import LOWEST, MANY
from engine.column_search import NUMERIC_WAYS
from engine.kernels.cut_chance import OPEN, Tests, judge_cuts, read_nodes
from engine.kernels.ways import BOUNDARY, CUT
from engine.leaves import row_sums
from engine.nodes import THRESHOLD
from engine.options import Search
from engine.partition import TRAIN
from engine.workers import Workers

if TYPE_CHECKING:
    from engine.assignment import Assignment
    from engine.column import Column
    from engine.progress import Progress
    from engine.table import Table
    from engine.tree import Tree

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_ROWS = 4096  # of a node; of more there are few, and putting them in order takes its time
AT_ONCE = 2**16  # rows
SMALLEST = -30.0  # ln p under which `engine.chance` adds up logarithms
APART = 1e-6  # of ln p from the level


class CutTests:
    """The tests of the cuts of one tree at one level.

    Attributes:
        possible: bool[n_nodes], the splits that can be judged here.
    """

    def __init__(self, table: "Table", tree: "Tree", search: Search, log_level: float) -> None:
        self._table, self._tree, self._search, self._level = table, tree, search, math.exp(log_level)
        columns = [table.columns[table.index(column.name)] for column in tree.columns]
        self._columns: list[Column] = columns
        numeric = np.array([column.is_numeric for column in columns], dtype=bool)
        nodes = tree.nodes
        self.possible = (nodes.kind == THRESHOLD) & (nodes.payload_size == 0) & (nodes.n_branches == 2)
        self.possible &= (nodes.missing < 2) & (tree.rows_train <= MOST_ROWS)
        if NUMERIC_WAYS[search.numeric] not in (CUT, BOUNDARY):
            self.possible[:] = False
        places = np.flatnonzero(self.possible)
        self.possible[places] = numeric[nodes.column[places]]
        self._tests = self._prepared(np.flatnonzero(self.possible), log_level)

    def _prepared(self, at: Integers, log_level: float) -> Tests:
        """The tests as if each split were the only one; what is too near the level, or far below it, is no more
        possible."""
        from scipy.special import chdtri, gammaincc, gammaln

        tree, left = self._tree, at + 1
        branches = np.stack((tree.train[left], tree.train[tree.end[left]]), axis=1)
        total = branches.sum(axis=(1, 2))
        shares = branches / np.where(total > 0, total, 1.0)[:, None, None]
        expected = shares.sum(axis=2)[:, :, None] * shares.sum(axis=1)[:, None, :]
        squares = np.divide((shares - expected) ** 2, expected, out=np.zeros_like(shares), where=expected > 0)
        rows, counts = tree.rows_train[at], tree.train[at]
        statistic = rows * squares.sum(axis=(1, 2))
        k = np.count_nonzero(counts > 0, axis=1)
        usual = (branches.sum(axis=2) > 0).all(axis=1) & (k >= 2) & (statistic > 0)
        usual &= np.count_nonzero(branches.sum(axis=1) > 0, axis=1) == k
        a, x = np.where(usual, k - 1, 1) / 2.0, np.where(usual, statistic, 1.0)
        p = gammaincc(a, x / 2.0)
        log_p = np.log(np.maximum(p, 1e-300))
        usual &= (log_p >= SMALLEST) & (log_p <= log_level - APART)
        self.possible[at[~usual]] = False
        height = np.where(log_p > LOWEST, chdtri(2.0 * a, math.exp(LOWEST)), x)
        log_density = (a - 1) * np.log(height / 2) - height / 2 - gammaln(a) - math.log(2.0)
        hazard = np.exp(log_density - np.minimum(log_p, LOWEST))
        present, weight = counts > 0, row_sums(counts)
        own = counts / np.where(weight > 0, weight, 1.0)[:, None]
        first = own[np.arange(at.size), np.argmax(present, axis=1)] * rows
        first = np.rint(np.round(np.clip(first, 1, rows - 1), 9))  # as `engine.deal` rounds
        least = np.where(present, own, np.inf).min(axis=1, initial=np.inf)
        rare = np.divide(1.0, own, out=np.zeros_like(own), where=present).sum(axis=1)
        found = (rows, statistic, p, height, hazard, k, first, least, rare)
        every = [np.zeros(tree.n_nodes) for _ in found]
        for target, values in zip(every, found, strict=True):
            target[at] = values
        return Tests(*every)

    def judge(self, asked: Integers, at: "Assignment", found: NDArray[np.uint8], progress: "Progress") -> None:
        """Fills `found`, uint8[n_nodes], at the possible splits `asked`: YES, NO, or OPEN. A stop leaves some OPEN."""
        groups = self._groups(asked)
        done: list[int] = []

        def work(nodes: Integers) -> None:
            if not progress.stopped:
                found[nodes] = self._judged(nodes, at)
                done.append(nodes.size)

        with Workers() as workers:
            workers.each(work, groups, lambda: progress.report(sum(done) / max(asked.size, 1), "Testing splits"))

    def _groups(self, asked: Integers) -> list[Integers]:
        """Splits of one column, not too many rows at once."""
        column = self._tree.nodes.column[asked]
        asked = asked[np.argsort(column, kind="stable")]
        column = self._tree.nodes.column[asked]
        part = np.cumsum(self._tree.rows_train[asked]) // AT_ONCE
        ends = np.flatnonzero((np.diff(column) != 0) | (np.diff(part) != 0)) + 1
        return [group for group in np.split(asked, ends) if group.size]

    def _judged(self, nodes: Integers, at: "Assignment") -> NDArray[np.uint8]:
        """Of splits of one column."""
        first = np.empty(nodes.size + 1, dtype=np.int64)
        codes = np.empty(int((at.stop[nodes] - at.start[nodes]).sum()), dtype=np.uint32)
        column = self._columns[self._tree.nodes.column[nodes[0]]]
        read_nodes(column.codes, self._table.part, TRAIN, at.rows, at.start, at.stop, nodes, first, codes)
        found = np.full(nodes.size, OPEN, dtype=np.uint8)
        judge_cuts(self._tests, nodes, codes, first, self._search.min_leaf, MANY, self._level, found)
        return found
