"""Which splits into one branch for each level, or each group of levels, are significant: many at once.

The definition is `adjusted.log_bound`: as many tries as there are such divisions of the levels, or one branch for
each of them. Splits into two are tested elsewhere; what is too near the level stays open.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.runtime.threads import Workers
from engine.search.options import Search
from engine.significance.adjusted import ROWS_PER_VALUE
from engine.significance.batch.cut_tests import AT_ONCE
from engine.significance.batch.number_tests import APART, Flags, Floats, Integers
from engine.significance.batch.single_tests import explained, log_p_single
from engine.significance.kernels.cut_tests import NO, OPEN, YES, read_nodes
from engine.significance.kernels.group_tests import count_levels
from engine.significance.single import ROUNDING, TINY
from engine.table.partition import TRAIN
from engine.tree.nodes import GROUPS
from engine.tree.packing import level_pairs

if TYPE_CHECKING:
    from engine.runtime.progress import Progress
    from engine.table.column import Column
    from engine.table.table import Table
    from engine.tree import Tree
    from engine.tree.assignment import Assignment


class WayTests:
    """The tests of the splits of levels into more than two branches of one tree at one level of significance.

    Attributes:
        possible: bool[n_nodes], the splits that can be judged here; of fewer once they were.
    """

    def __init__(self, table: "Table", tree: "Tree", search: Search, log_level: float) -> None:
        self._table, self._tree, self._pool, self._log_level = table, tree, search.pool, log_level
        self._columns: list[Column] = [table.columns[table.index(column.name)] for column in tree.columns]
        fair = np.array([not one.is_numeric and one.kind != "ordered" for one in self._columns], dtype=bool)
        self._own = _own_branch(tree)
        self.possible = (tree.nodes.kind == GROUPS) & (tree.n_branches.astype(np.int64) - self._own > 2)
        self._amount, self._log_p = explained(tree)[0], log_p_single(tree)
        places = np.flatnonzero(self.possible)
        self.possible[places] = fair[tree.nodes.column[places]]

    def judge(self, asked: Integers, at: "Assignment", found: NDArray[np.uint8], progress: "Progress") -> None:
        """Fills `found`, uint8[n_nodes], at the possible splits `asked`: YES, NO, or OPEN. A stop leaves some OPEN."""
        self.possible[asked] = False
        done: list[int] = []

        def work(nodes: Integers) -> None:
            if not progress.stopped:
                found[nodes] = self._judged(nodes, at)
                done.append(nodes.size)

        def tell() -> None:
            progress.report(sum(done) / asked.size, "Testing splits")

        with Workers() as workers:
            workers.each(work, self._groups(asked), tell)

    def _groups(self, asked: Integers) -> list[Integers]:
        """The splits of one column, not too many rows at once."""
        column = self._tree.nodes.column[asked]
        order = np.argsort(column, kind="stable")
        part = np.cumsum(self._tree.rows_train[asked[order]]) // AT_ONCE
        ends = np.flatnonzero((np.diff(column[order]) != 0) | (np.diff(part) != 0)) + 1
        return [group for group in np.split(asked[order], ends) if group.size]

    def _judged(self, nodes: Integers, at: "Assignment") -> NDArray[np.uint8]:
        """Of splits of one column."""
        log_p, (levels, lacking) = np.maximum(self._log_p[nodes], math.log(TINY)), self._levels(nodes, at)
        branches = self._tree.n_branches[nodes].astype(np.int64) - self._own[nodes]
        tries = np.where(branches >= levels, 0.0, levels * np.log(branches) - _log_factorial(branches))
        tries += np.where(lacking > 0, np.log(branches), 0.0)
        values = levels + (lacking > 0)
        bound, roomy = log_p + tries, self._tree.rows_train[nodes] >= ROWS_PER_VALUE * values
        spread = (tries > 0) & roomy
        bound[spread] = np.minimum(bound[spread], self._log_spread(nodes[spread], values[spread]))
        bound = np.minimum(np.maximum(bound, log_p), 0.0)
        found = np.full(nodes.size, OPEN, dtype=np.uint8)
        found[bound < self._log_level - APART] = YES
        found[(bound > self._log_level + APART) & (log_p > math.log(TINY))] = NO
        return found

    def _levels(self, nodes: Integers, at: "Assignment") -> tuple[Integers, Integers]:
        """(how many levels there are, pooled ones as one; how many rows lack the value and have no own branch)."""
        column, m = self._columns[self._tree.nodes.column[nodes[0]]], nodes.size
        first, codes = np.empty(m + 1, np.int64), np.empty(int((at.stop[nodes] - at.start[nodes]).sum()), np.uint32)
        read_nodes(column.codes, self._table.part, TRAIN, at.rows, at.start, at.stop, nodes, first, codes)
        begin, sizes = np.empty(m + 1, np.int64), np.empty(codes.size, np.int64)
        counts, none = np.zeros(column.n_values + 1, np.int64), np.empty(m, np.int64)
        count_levels(codes, first, counts, self._pool, False, sizes, begin, none)
        present = np.diff(np.append(0, np.cumsum(sizes[: begin[-1]]))[begin])
        return np.diff(begin), np.where(self._own[nodes], 0, np.diff(first) - present)

    def _log_spread(self, nodes: Integers, values: Integers) -> Floats:
        """float64[m]: ln P(one branch for each value explains as much)."""
        from scipy.special import betainc, gammaincc

        between = values - 1
        if self._tree.task == "classes":
            free = between * (np.count_nonzero(self._tree.train[nodes] > 0, axis=1) - 1)
            p = gammaincc(free / 2.0, self._amount[nodes] / 2.0)
        else:
            within, left = self._tree.rows_train[nodes] - values, np.maximum(self._amount[nodes], ROUNDING)
            p = betainc(within / 2.0, between / 2.0, left)
        return np.asarray(np.log(np.maximum(p, TINY)))


def _own_branch(tree: "Tree") -> Flags:
    """bool[n_nodes]: the splits whose missing rows have a branch that no level takes."""
    nodes = tree.nodes
    own = np.asarray((nodes.kind == GROUPS) & (nodes.n_branches > 2) & (nodes.unseen != nodes.missing))
    node, place = level_pairs(nodes, np.flatnonzero(own))
    own[node[tree.payload[place + 1] == nodes.missing[node]]] = False
    return own


def _log_factorial(n: Integers) -> Floats:
    from scipy.special import gammaln

    return np.asarray(gammaln(n + 1.0))
