"""Which splits of a tree are significant: from the bottom up, so that only those are tested whose test decides."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import BINNED
from engine.search.options import Search
from engine.significance.batch.single_tests import log_p_single

if TYPE_CHECKING:
    from engine.runtime.progress import Progress
    from engine.splits import Split
    from engine.table.column import Column
    from engine.table.table import Table
    from engine.tree import Tree
    from engine.tree.assignment import Assignment

Floats = NDArray[np.float64]
ROUNDING = 1e-6  # of logarithms: what is as near to the level is tested
WAVES = (*(2**k for k in range(3, 13)), 2**62)  # rows of the nodes that are tested together


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
        self._search = Search.make(table.task, **tree.options)
        self._known: dict[tuple[Any, ...], float] = {}  # of cuts, by all that they are a function of
        self._promising, self._by_counts = np.ones(tree.n_nodes, dtype=bool), _counts_tell(tree)
        if self._by_counts:
            self._promising = log_p_single(tree) <= self._level + ROUNDING
        self._exact = np.full(tree.n_nodes, np.nan)
        self._verdict: NDArray[np.uint8] | None = None
        self.tested = np.zeros(tree.n_nodes, dtype=bool)
        self.unfinished = False

    def keeps(self, stands: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[n_nodes]: of the splits that stand those that are significant, or above one that is.

        The lowest are tested first; what stands above a significant one is not tested. A stop keeps all that are left.
        """
        from engine.significance.kernels.cut_tests import NO, OPEN, YES  # brings the compiler along

        end, asked = self._tree.end, stands & self._promising
        if self._verdict is None:
            self._verdict = np.full(self._tree.n_nodes, OPEN, dtype=np.uint8)
            self._judge_cuts(asked)
        significant = asked & (self._verdict == YES)
        left = np.flatnonzero(asked & (self._verdict == OPEN) & ~self._has_below(significant))[::-1]
        lowest = self._tree.n_nodes  # the significant split that was found last
        for done, i in enumerate(left.tolist()):
            if lowest < end[i]:
                continue
            if self._progress.stopped:
                self.unfinished = significant[i] = True
                lowest = i
                continue
            self._progress.report(done / left.size, "Testing splits")
            significant[i] = self.log_p(i) <= self._level
            self._verdict[i] = YES if significant[i] else NO
            lowest = i if significant[i] else lowest
        below = self._has_below(significant)
        self.tested |= asked & (self._verdict != OPEN) & ~below
        return np.asarray(stands & (below | significant))

    def _has_below(self, some: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[n_nodes]: the nodes with one of these below them."""
        counted = np.concatenate(([0], np.cumsum(some)))
        return np.asarray(counted[self._tree.end] > counted[1:])

    def _judge_cuts(self, asked: NDArray[np.bool_]) -> None:
        """Many tests at once: of small nodes first, since those above a significant one need none."""
        from engine.significance.batch.branch_tests import WayTests
        from engine.significance.batch.cut_tests import CutTests
        from engine.significance.batch.level_tests import LevelTests
        from engine.significance.kernels.cut_tests import OPEN, YES

        tree, verdict = self._tree, self._verdict
        if verdict is None or not self._by_counts or not asked.any():
            return
        self._progress.report(0.0, "Testing splits")
        about = self._table, tree, self._search, self._level
        kinds = CutTests(*about), LevelTests(*about), WayTests(*about)
        for most in WAVES:
            due = asked & (verdict == OPEN) & (tree.rows_train <= most)
            due &= ~self._has_below(asked & (verdict == YES))
            for tests in kinds:
                places = np.flatnonzero(due & tests.possible)
                if places.size and not self._progress.stopped:
                    tests.judge(places, self._rows(), verdict, self._progress)

    def _rows(self) -> "Assignment":
        from engine.tree.assignment import assign  # brings the compiler along, which the names of methods need not

        if self._assignment is None:
            self._assignment = assign(self._table, self._tree)
        return self._assignment

    def log_p(self, i: int) -> float:
        """ln of the adjusted p-value of the split at position i."""
        if np.isnan(self._exact[i]):
            self._exact[i] = self._log_p(i)
        return float(self._exact[i])

    def _log_p(self, i: int) -> float:
        from engine.ranking.candidates import weigh

        split = self._tree.split_at(i)
        assert split is not None
        if self._by_counts and split.kind == "threshold" and self._tree.task == "classes":
            column = self._table.column(split.column)
            if column.is_numeric:
                return self._log_p_of_cut(i, split, column)
        options = self._tree.options
        proof = weigh(self._table, self._tree, int(self._tree.ids[i]), split, self._rows(), **options).evidence
        return 0.0 if proof is None else proof.log_adjusted

    def _log_p_of_cut(self, i: int, split: "Split", column: "Column") -> float:
        """The same from the counts of the branches and how many rows have which value, once for equal ones: most splits
        of large trees are of a few rows."""
        from engine.ranking.weighing import chance_of
        from engine.search.permutation_null import Deal
        from engine.significance.adjusted import evidence
        from engine.table.partition import TRAIN

        tree, n_rows = self._tree, int(self._tree.rows_train[i])
        rows = self._rows().rows_of(i)
        codes = column.codes[rows[self._table.part[rows] == TRAIN]]
        present, counts = np.unique(codes, return_counts=True)
        lacking = int(counts[0]) if present.size and present[0] == 0 else 0
        present, counts = present[present > 0], counts[present > 0].astype(np.int64)
        branches = np.ascontiguousarray(tree.train[tree.children(i)])
        key = (split.has_missing_branch, lacking, counts.tobytes(), branches.tobytes())
        if key not in self._known:
            deal = Deal.of_classes(tree.train[i], n_rows)
            chance = chance_of(column, self._search, deal, split, present.astype(np.uint32), counts, lacking)
            self._known[key] = evidence(branches, n_rows, chance).log_adjusted
        return self._known[key]


def _counts_tell(tree: "Tree") -> bool:
    """Whether a split is tested on the counts of its branches: not on bins, nor on the rows with a value alone."""
    criteria = {tree.options.get("criterion"), *(mark.criterion for mark in tree.marks.values())}
    return not criteria & set(BINNED) and tree.options.get("missing") != "surrogate"
