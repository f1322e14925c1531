"""Which splits of a tree are significant: from the bottom up, so that only those are tested whose test decides."""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.criteria import BINNED
from engine.ranking.candidates import weigh
from engine.ranking.weighing import comparison, values_of_rows
from engine.search.best_split import training_rows
from engine.search.options import Search
from engine.search.tally import NodeRows
from engine.significance.batch import judge, log_p_single
from engine.significance.kernels.small_nodes import NO, YES
from engine.significance.permutation import Target
from engine.tree.assignment import assign

if TYPE_CHECKING:
    from engine.runtime.progress import Progress
    from engine.table.table import Table
    from engine.tree.assignment import Assignment
    from engine.tree.tree import Tree

Floats = NDArray[np.float64]

ROUNDING = 1e-6  # of logarithms: what is as near to the level is tested
TOLD = 64  # tests between two words on the progress


class SplitEvidence:
    """Which splits of a tree are significant, found when it is asked for and kept.

    A split's adjusted p-value is what `engine.weigh` tells by the options that the tree was grown with.

    Attributes:
        tested: bool[n_nodes], the splits that had to be tested.
        unfinished: whether a stop left some out.
    """

    def __init__(
        self, table: "Table", tree: "Tree", level: float, assignment: "Assignment | None", progress: "Progress"
    ) -> None:
        self._table, self._tree, self._progress = table, tree, progress
        self._level = math.log(level) if level > 0 else -math.inf
        self._assignment = assignment
        self._promising, self._by_counts = np.ones(tree.n_nodes, dtype=bool), _counts_tell(tree)
        if self._by_counts and not table.weights_are_counts:
            self._promising = (log_p_single(tree) <= self._level + ROUNDING) | (tree.n_branches > 2)
        self._search = Search.make(table.task, **tree.options)
        self._exact, self._verdict = np.full(tree.n_nodes, np.nan), np.full(tree.n_nodes, np.nan)
        self._small: NDArray[np.uint8] | None = None  # what `judge` found
        self.tested = np.zeros(tree.n_nodes, dtype=bool)
        self.unfinished = False

    def keeps(self, stands: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[n_nodes]: of the splits that stand those that are significant, or above one that is.

        The lowest are tested first; what stands above a significant one is not tested. A stop keeps all that are left.
        """
        end, significant = self._tree.end, np.zeros(self._tree.n_nodes, dtype=bool)
        if self._small is None and self._by_counts and self._level > -math.inf and not self._progress.stopped:
            self._small = judge(
                self._table, self._tree, self._search, math.exp(self._level), self._rows(), stands & self._promising,
                self._progress,
            )  # fmt: skip
            self._verdict[self._small == YES], self._verdict[self._small == NO] = -math.inf, 0.0
        asked = np.flatnonzero(stands & self._promising)[::-1]
        lowest = self._tree.n_nodes  # the significant split that was found last
        for done, i in enumerate(asked.tolist()):
            if lowest < end[i]:
                continue
            if self._progress.stopped:
                self.unfinished = significant[i] = True
                lowest = i
                continue
            if done % TOLD == 0:
                self._progress.report(done / asked.size, "Testing splits")
            if np.isnan(self._verdict[i]):
                self._verdict[i] = self._log_p(i, self._level)
            self.tested[i], significant[i] = True, self._verdict[i] <= self._level
            lowest = i if significant[i] else lowest
        counted = np.concatenate(([0], np.cumsum(significant)))
        below = counted[end] > counted[1:]
        return np.asarray(stands & (below | significant))

    def log_p(self, i: int) -> float:
        """ln of the adjusted p-value of the split at position i."""
        if np.isnan(self._exact[i]):
            self._exact[i] = self._log_p(i, 0.0)
        return float(self._exact[i])

    def _log_p(self, i: int, needed: float) -> float:
        """The same, or, where a level is needed, on which side of it that lies."""
        split, tree, at = self._tree.split_at(i), self._tree, self._rows()
        assert split is not None
        if split.kind == "m_of_n" or not self._by_counts:
            proof = weigh(self._table, tree, int(tree.ids[i]), split, at, **tree.options).evidence
            return 0.0 if proof is None else proof.log_adjusted
        column = self._table.column(split.column)
        inside = NodeRows.of(self._table, np.sort(at.rows_of(i)))
        values = values_of_rows(column, training_rows(inside))
        compared = comparison(column, self._search, Target.of(inside), split, values)
        return compared.evidence(self._branches(i), needed).log_adjusted

    def _branches(self, i: int) -> Floats:
        """float64[B, S]: the training statistic of each branch; of numbers sums measured from the node's mean."""
        children = np.ascontiguousarray(self._tree.train[self._tree.children(i)])
        if self._tree.task == "classes":
            return children
        weight, total, squares = children.T
        d = total - weight * (self._tree.train[i, 1] / self._tree.train[i, 0])
        return np.stack((weight, d, squares + np.divide(d * d, weight, out=np.zeros(d.size), where=weight > 0)), axis=1)

    def _rows(self) -> "Assignment":
        if self._assignment is None:
            self._assignment = assign(self._table, self._tree)
        return self._assignment


def _counts_tell(tree: "Tree") -> bool:
    """Whether a split is tested on the counts of its branches: not on bins, nor on the rows with a value alone."""
    criteria = {tree.options.get("criterion"), *(mark.criterion for mark in tree.marks.values())}
    return not criteria & set(BINNED) and tree.options.get("missing") != "surrogate"
