"""The best cut of a numeric column at a large node as candidates show it, found by counting twice, without a tally."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.kernels import split_information
from engine.search.column_search import Found, log_tries, way
from engine.search.kernels.count import Target, count_dense
from engine.search.kernels.histogram import mark_codes
from engine.search.kernels.rules import AT, GAIN, TIE, WAY, Rules
from engine.search.kernels.split_kinds import CUT
from engine.search.large_nodes import LargeNode, LargeNodeSearch
from engine.search.options import Search
from engine.search.tally import Counts, NodeRows
from engine.splits import Split, threshold_between
from engine.table.column import Column
from engine.table.partition import VALIDATION

LARGE = 16_384  # training rows from which counting twice is quicker than a tally


class LargeNodeCuts:
    """Finds the best cuts of one node; threads may ask for several columns at once."""

    def __init__(self, inside: NodeRows, search: Search) -> None:
        table = inside.table
        self.inside, self.search = inside, search
        self.places = [place for place in search.features_of(table) if is_cut_in_two(table.columns[place], search)]
        self.columns = [table.columns[place] for place in self.places]
        training = inside.training
        _, labels, numbers, weights = training.gathered
        self._rows = training.rows.astype(np.uint32)
        target = Target(labels, numbers, weights)
        node = LargeNode(self._rows, target, _summed(target, table.n_stats), self._rows.size == table.n_rows)
        rules = Rules(kernel_code(search.criterion), search.rows_to_split, search.min_leaf, float(search.min_gain))
        ways = np.full(len(self.columns), CUT)
        self._search = LargeNodeSearch(node, self.columns, ways, rules.compiled())

    def find(self, place: int) -> Found | None:
        """The best cut of the column at this place of the table; None if there is none, or it is not cut."""
        if place not in self.places:
            return None
        j = self.places.index(place)
        self._search.search(j, -1.0)
        answer = self._search.answers[:, j]
        return self._cut(j, place) if np.isfinite(answer[GAIN]) else None

    def _cut(self, j: int, place: int) -> Found:
        node, column, answer = self._search.node, self.columns[j], self._search.answers[:, j]
        missing, limit = int(answer[WAY]), int(answer[AT])
        seen = np.ones(column.n_values + 1, np.uint8)
        if not (node.whole and column.n_present == column.n_values):
            seen[:] = 0
            mark_codes(column.codes, node.rows, seen)
        stats, lacking, rows = self._search.sides(j)
        n_values, n_missing = int(np.count_nonzero(seen[1:])), int(rows[2])
        threshold = np.inf  # present from missing, where no value present is beyond the limit
        if seen[limit + 1 :].any():
            below, above = limit - int(seen[limit:0:-1].argmax()), limit + 1 + int(seen[limit + 1 :].argmax())
            threshold = threshold_between(float(column.values[below - 1]), float(column.values[above - 1]))
        by_class = self.inside.table.task == "classes"
        sizes = np.array([float(stat.sum() if by_class else stat[0]) for stat in (*stats, lacking)])
        tries, information = log_tries(CUT, n_values, n_missing > 0), float(split_information(sizes))
        split = Split(column.name, "threshold", (float(threshold),), missing=missing)
        stats[missing] += lacking
        rows[missing] += n_missing
        return Found(
            split, float(answer[GAIN]), float(answer[TIE]), information, tries, n_values + (n_missing > 0),
            place=place, counts=Counts(stats, self._validation(column, split), rows[:2]),
        )  # fmt: skip

    def _validation(self, column: Column, split: Split) -> NDArray[np.float64]:
        """float64[2, S]: the validation rows of the branches; they may have values that no training row has."""
        codes, unseen = column.codes[self._unseen[0]], self._unseen[1]
        limit = int(np.searchsorted(column.values, split.thresholds[0], side="right"))
        side = np.where(codes == 0, split.missing, codes > limit).astype(np.uint32) + np.uint32(1)  # 0 would be missing
        found, stats, _ = count_dense(side, np.zeros(side.size, np.uint8), *unseen, 3, self.inside.table.n_stats, 1)
        counted = np.zeros((2, self.inside.table.n_stats))
        counted[found.astype(np.int64) - 1] = stats[0, 1:]
        return counted

    @cached_property
    def _unseen(self) -> tuple[NDArray[np.int64], list[NDArray[Any]]]:
        """The validation rows, and (labels, numbers, weights) of them."""
        part, *target = self.inside.gathered
        of = part == VALIDATION
        return self.inside.rows[of], [array[of] if array.size else array for array in target]


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
