"""What C4.5 asks of the split of one column beside its gain (Quinlan 1993, chapter 2; 1996, "Improved use of continuous
attributes in C4.5"), each an option of the search of its own:

    min_cut "tenth"      both sides of a cut keep at least 0.1 · n ÷ K of the n rows that have the value, K the classes;
                         at most 25, and never fewer than `min_leaf`
    min_leaf_in "two"    of many branches two have `min_leaf` rows, the others as few as they like, or none
    cut_penalty          what it costs to say which of the cuts was taken: log₂(cuts that were allowed) ÷ rows of the
                         node is taken off the gain of a cut in bits, and a column whose gain that uses up is not split
    thresholds "observed"    a threshold is the largest value of any training row up to the midpoint

The cut itself is chosen by the gain, as all allowed cuts of a column pay the same.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA
from engine.search.kernels.branches import is_enough, may_part
from engine.search.kernels.split_kinds import BOUNDARY, CUT, has_many_branches, is_cut
from engine.search.options import Search
from engine.splits import Split
from engine.table.column import Column
from engine.table.table import Table

SHARE, MOST = 0.1, 25  # of the rows for each class, and how many are enough whatever that says
ROUNDING = 1e-9
UNITS = 4  # in the last place by which a midpoint may be wrong


def limited(how: int, n: int, n_classes: int, search: Search, unit: int = 1) -> Search:
    """The search with the least rows that it needs in every branch of one column, in units.

    Args:
        how: the way in which the column is split, see `engine.search.kernels.split_kinds`.
        n: the training rows that have its value. n_classes: 0 for a numeric target.
        unit: what a row is in `n`.
    """
    if has_many_branches(how) and search.min_leaf_in == "two":
        return replace(search, min_leaf=1)
    search = replace(search, min_leaf=search.min_leaf * unit) if unit > 1 else search
    if is_cut(how) and search.min_cut == "tenth" and n_classes:
        least = math.ceil(min(SHARE * n / n_classes, MOST * unit) - ROUNDING * unit)
        return replace(search, min_leaf=max(search.min_leaf, least))
    return search


def too_few(branch: NDArray[np.int64], rows: NDArray[np.int64], missing: tuple[int, int], least: int) -> bool:
    """Whether fewer than two of many branches have the least rows.

    Args:
        branch, rows: int64[m], of each value present. missing: the branch and the number of the rows without one.
    """
    sizes = np.bincount(branch, rows)
    sizes[missing[0]] += missing[1]
    return int(np.count_nonzero(is_enough(sizes, least))) < 2


def penalty(how: int, rows: NDArray[np.int64], weight: float, n_classes: int, search: Search, unit: int = 1) -> float:
    """What is taken off the gain of the best cut, in bits; 0 where the option is off, or the gain is not in bits.

    Args:
        rows: int64[m], the training rows of each value present, in order. weight: of all of the node.
        unit: what a row is in `rows`.
    """
    if not pays(how, search) or not weight > 0:
        return 0.0
    n, least = int(rows.sum()), limited(how, int(rows.sum()), n_classes, search, unit).min_leaf
    allowed = int(np.count_nonzero(may_part(np.cumsum(rows)[:-1], n, least)))
    return math.log2(max(allowed, 1)) / weight


def pays(how: int | None, search: Search) -> bool:
    """Whether cuts in this way pay the penalty."""
    in_bits = "entropy" in (search.criterion, CRITERIA[search.criterion].measures)
    return search.cut_penalty and in_bits and how in (CUT, BOUNDARY)


def needs_counts(search: Search) -> bool:
    """Whether cuts are searched in a way that only the counts of all values tell."""
    return search.cut_penalty or search.min_cut != "min_leaf"


def observed(split: Split, column: Column, table: Table) -> Split:
    """The split of a numeric column with its thresholds moved down to values that training rows of the table have.

    A midpoint of 6.1 and 6.3 is 6.2 but for rounding: a value a few units in the last place above it counts as equal,
    unless there is one as close below, which might be one of the two.
    """
    values = column.values[table.trained_codes(column) - 1]
    return replace(split, thresholds=tuple(_value_up_to(cut, values) for cut in split.thresholds))


def _value_up_to(cut: float, values: NDArray[Any]) -> float:
    """The largest of some ascending values up to a threshold, but for rounding."""
    if math.isinf(cut):
        return cut
    unit, place = float(np.spacing(abs(cut))), int(np.searchsorted(values, cut, side="right"))
    close = place < values.size and values[place] <= cut + UNITS * unit
    if close and (place == 0 or values[place - 1] < cut - 2 * UNITS * unit):
        return float(values[place])
    return float(values[place - 1]) if place else cut
