"""The best cut of a numeric column at a large node as candidates show it, found by counting twice, without a tally."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.kernels import split_information
from engine.search.best_split import training_rows
from engine.search.column_search import Found, log_tries, way
from engine.search.kernels.count import Target
from engine.search.kernels.histogram import count_distinct, count_sides, neighbours
from engine.search.kernels.rules import AT, GAIN, TIE, WAY, Rules
from engine.search.kernels.split_kinds import CUT
from engine.search.large_nodes import LargeNode, LargeNodeSearch
from engine.search.options import Search
from engine.search.tally import NodeRows
from engine.splits import Split, threshold_between
from engine.table.column import Column
from engine.table.partition import VALIDATION

LARGE = 16_384  # training rows from which counting twice is quicker than a tally


@dataclass(frozen=True, eq=False)
class Cut:
    """What was found for a column.

    Attributes:
        train, validation: float64[2, S], the statistic of both branches around the node's centre.
        rows: int64[2], their training rows.
        n_missing: training rows in which the column is missing.
    """

    found: Found
    train: NDArray[np.float64]
    validation: NDArray[np.float64]
    rows: NDArray[np.int64]
    n_missing: int


class LargeNodeCuts:
    """Finds the best cuts of one node; threads may ask for several columns at once."""

    def __init__(self, inside: NodeRows, search: Search) -> None:
        table = inside.table
        self.inside, self.search = inside, search
        self.places = [place for place in search.features_of(table) if is_cut_in_two(table.columns[place], search)]
        self.columns = [table.columns[place] for place in self.places]
        training = training_rows(inside)
        _, labels, numbers, weights = training.gathered
        self._rows = training.rows.astype(np.uint32)
        target = Target(labels, numbers, weights)
        node = LargeNode(self._rows, target, _summed(target, table.n_stats), self._rows.size == table.n_rows)
        rules = Rules(kernel_code(search.criterion), search.rows_to_split, search.min_leaf, float(search.min_gain))
        ways = np.full(len(self.columns), CUT)
        self._search = LargeNodeSearch(node, self.columns, ways, rules)

    def find(self, place: int) -> Cut | None:
        """The best cut of the column at this place of the table; None if there is none, or it is not cut."""
        if place not in self.places:
            return None
        j = self.places.index(place)
        self._search.search(j, -1.0)
        answer = self._search.answers[:, j]
        return self._cut(j) if np.isfinite(answer[GAIN]) else None

    def _cut(self, j: int) -> Cut:
        node, column, answer = self._search.node, self.columns[j], self._search.answers[:, j]
        missing, limit = int(answer[WAY]), int(answer[AT])
        if node.whole and column.n_present == column.n_values:
            n_values = column.n_values
            low, high = limit, limit + 1 if limit < n_values else 0
        else:
            low, high = neighbours(column.codes, node.rows, limit)
            n_values = int(count_distinct(column.codes, node.rows, np.zeros(column.n_values + 1, np.uint8)))
        stats, lacking, rows = self._search.sides(j)
        by_class, n_missing = self.inside.table.task == "classes", int(rows[2])
        sizes = np.array([float(stat.sum() if by_class else stat[0]) for stat in (*stats, lacking)])
        gain, tie = float(answer[GAIN]), float(answer[TIE])
        found, threshold = found_cut(column, (low, high), missing, gain, tie, sizes, n_values, n_missing)
        stats[missing] += lacking
        rows[missing] += n_missing
        return Cut(found, stats, self._validation(column, threshold, missing), rows[:2], n_missing)

    def _validation(self, column: Column, threshold: float, missing: int) -> NDArray[np.float64]:
        unseen, target = self._unseen
        counted = np.zeros((2, self.inside.table.n_stats))
        limit = int(
            np.searchsorted(column.values, threshold, side="right")
        )  # values that no training row has stand here
        if unseen.size:
            count_sides(column.codes, unseen, target, limit, missing, counted)
        return counted

    @cached_property
    def _unseen(self) -> tuple[NDArray[np.uint32], Target]:
        """The validation rows and their target."""
        part, labels, numbers, weights = self.inside.gathered
        of = part == VALIDATION
        labels, numbers, weights = (array[of] if array.size else array for array in (labels, numbers, weights))
        return self.inside.rows[of].astype(np.uint32), Target(labels, numbers, weights)


def found_cut(
    column: Column, codes: tuple[int, int], missing: int, gain: float, tie: float, sizes: NDArray[np.float64],
    n_values: int, n_missing: int,
) -> tuple[Found, float]:  # fmt: skip
    """(what was found, its threshold).

    Args:
        codes: those beside the cut, the second 0 for "present | missing"; sizes: float64[3], the weight of the present
            rows left and right and of the missing rows; n_values: distinct ones among the training rows.
    """
    threshold, (low, high) = np.inf, codes
    if high:
        threshold = float(threshold_between(float(column.values[low - 1]), float(column.values[high - 1])))
    lacking = n_missing > 0
    split = Split(column.name, "threshold", (threshold,), missing=missing)
    tries = log_tries(CUT, n_values, lacking)
    return Found(split, gain, tie, float(split_information(sizes)), tries, n_values + lacking), threshold


def worth_counting_twice(inside: NodeRows, search: Search) -> bool:
    """Whether this is the way to search a node."""
    plain = not search.by_rows and search.missing == "direction"
    return plain and inside.rows.size >= LARGE


def is_cut_in_two(column: Column, search: Search) -> bool:
    """Whether this is a column of numbers that the search cuts in two."""
    return column.is_numeric and way(column, search) == CUT and column.n_values > 1


def _summed(target: Target, n_stats: int) -> NDArray[np.float64]:
    weights = target.weights if target.weights.size else None
    if target.numbers.size:
        share = np.ones(target.numbers.size) if weights is None else weights
        return np.array([share.sum(), share @ target.numbers, (share * target.numbers) @ target.numbers])
    return np.bincount(target.labels, weights, n_stats).astype(np.float64)
