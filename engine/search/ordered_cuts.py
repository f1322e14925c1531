"""The best cut of a numeric column at the root as candidates show it, from the target in the column's order.

What is found is what `engine.search.column_search` finds from a tally.
"""

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import BINNED, kernel_code
from engine.search.kernels.cut_bounds import Cells, judge
from engine.search.kernels.cuts import best_cut
from engine.search.kernels.large_nodes import floor_of
from engine.search.kernels.ordered import (
    Blocks,
    Runs,
    beside,
    coarse_runs,
    count_unseen,
    fine_runs,
    first_beyond,
    open_blocks,
    read_open,
)
from engine.search.large_cuts import Cut, found_cut, is_cut_in_two, worth_counting_twice
from engine.search.options import Search
from engine.search.ordered_target import can_be_ordered, ordered_target
from engine.search.tally import NodeRows
from engine.table.column import Column


class OrderedCuts:
    """Finds the best cuts of the root; threads may ask for several columns at once."""

    def __init__(self, inside: NodeRows, search: Search) -> None:
        self.inside, self.search = inside, search
        _ = inside.trained  # made once, before the threads ask for it

    def find(self, place: int) -> Cut | None:
        """The best cut of the column at this place of the table; None if there is none, or it is not cut."""
        table = self.inside.table
        column = table.columns[place]
        if not is_cut_in_two(column, self.search):
            return None
        target = ordered_target(table, place)
        blocks = target.blocks
        code, least = kernel_code(self.search.criterion), max(self.search.min_leaf, 1)
        runs = self._runs(column, blocks)
        if runs.sizes.size == 1:
            return None
        lacking, n_lacking = blocks.stat[0], int(blocks.sizes[0])
        gain, tie, cut, missing = best_cut(runs.stat[1:], runs.sizes[1:], lacking, n_lacking, code, least)
        if cut < 0:
            return None
        left, n_left = runs.stat[1 : cut + 2].sum(axis=0), int(runs.sizes[1 : cut + 2].sum())
        low, high = beside(blocks.labels, int(runs.ends[cut + 1]), table.n_stats)
        stats = np.stack((left, self.inside.trained - left - lacking, lacking))
        rows = np.array([n_left, table.n_train - n_left - n_lacking, n_lacking])
        low_code, high_code = (int(column.codes[column.order[at]]) if at >= 0 else 0 for at in (low, high))
        found, threshold = found_cut(
            column, (low_code, high_code), missing, gain, tie, stats.sum(axis=1), target.n_values, n_lacking
        )
        stats[missing] += lacking
        rows[missing] += n_lacking
        unseen = np.zeros((2, table.n_stats))
        if table.n_validation:
            unseen = _unseen(column, blocks, threshold, missing, (low, high))
        return Cut(found, stats[:2], unseen, rows[:2], n_lacking)

    def _runs(self, column: Column, blocks: Blocks) -> Runs:
        """The runs of a column between which the best cut falls: from blocks by a few rows to single values."""
        n_blocks = blocks.ends.size
        cells, floor = self._judged(blocks.stat, blocks.sizes, 0.0)
        is_open = np.empty(n_blocks, np.bool_)
        opened = np.empty(open_blocks(blocks, cells.ceiling, floor, is_open), np.int64)
        read_open(column.codes, column.order, blocks.ends, is_open, opened)
        coarse, n_runs = coarse_runs(blocks, cells.score, floor, is_open, opened)
        cells, floor = self._judged(coarse.stat[:n_runs], coarse.sizes[:n_runs], floor)
        fine, n_runs = fine_runs(blocks.labels, coarse, n_runs, cells.score, cells.ceiling, floor, opened)
        return Runs(*(array[:n_runs] for array in fine))

    def _judged(self, stat: NDArray[np.float64], sizes: NDArray[np.int64], floor: float) -> tuple[Cells, float]:
        """(scores and ceilings of the cells, the score below which no cut has to be compared)."""
        code, least = kernel_code(self.search.criterion), max(self.search.min_leaf, 1)
        n, width = stat.shape
        ends, is_open = np.empty(n, np.int64), np.empty(n, np.uint8)
        cells = Cells(stat, sizes, ends, np.empty(n), np.empty(n), is_open, *np.empty((4, width)))
        best, _ = judge(cells, n, least, code, True, True)
        return cells, max(floor, float(floor_of(best, code, self.inside.trained)))


def _unseen(
    column: Column, blocks: Blocks, threshold: float, missing: int, between: tuple[int, int]
) -> NDArray[np.float64]:
    """float64[2, K]: the validation rows of both branches.

    between: the positions of the training rows beside the cut, the second -1 for none.
    """
    limit = int(np.searchsorted(column.values, threshold, side="right"))  # values that no training row has stand here
    low, high = between
    high = high if high >= 0 else column.codes.size
    at = first_beyond(column.codes, column.order, limit, low, high)
    counted = np.empty((3, blocks.stat.shape[1]))
    count_unseen(blocks, at, counted)
    counted[missing] += counted[2]
    return counted[:2]


def worth_reading_in_order(inside: NodeRows, search: Search) -> bool:
    """Whether this is the way to search a node. The bins of a number change too often for it to pay."""
    plain = worth_counting_twice(inside, search) and search.criterion not in BINNED
    return plain and inside.is_root and can_be_ordered(inside.table)
