"""The best split of one column at one node: from its tally to a split that names values.

A threshold is the midpoint of the two adjacent values present among the node's training rows. Levels that none
of these rows has, and levels unknown to the table, take the larger branch; an ordered column keeps those beyond
its cut on their side.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.column import Column
from engine.criteria import CRITERIA
from engine.kernels.count import sum_around
from engine.kernels.gain import larger_side, split_information
from engine.kernels.search import best_cut, best_groups, multiway
from engine.options import Search
from engine.splits import Split, threshold_between
from engine.tally import Tally

MOST_BRANCHES = 65_535  # branches are numbered by uint16


@dataclass(frozen=True, eq=False)
class Runs:
    """The training rows of a tally, as the kernels want them: only values that some of these rows have.

    Attributes:
        codes: uint32[m]; stat: float64[m, S]; rows: int64[m]; miss_stat: float64[S]; miss_rows: how many.
        by_class: whether the statistics are class weights.
    """

    codes: NDArray[np.uint32]
    stat: NDArray[np.float64]
    rows: NDArray[np.int64]
    miss_stat: NDArray[np.float64]
    miss_rows: int
    by_class: bool

    @classmethod
    def of(cls, counted: Tally, by_class: bool) -> "Runs":
        """From a tally whose statistics are float64."""
        codes, stat, rows = counted.codes, counted.train, counted.rows_train
        if not rows.all():
            codes, stat, rows = codes[rows > 0], stat[rows > 0], rows[rows > 0]
        return cls(codes, stat, rows, counted.missing_train, counted.missing_rows_train, by_class)

    def weights(self, stat: NDArray[np.float64]) -> NDArray[np.float64]:
        """The weight of statistics of this kind, float64[..., S]."""
        return np.asarray(stat.sum(axis=-1) if self.by_class else stat[..., 0])


@dataclass(frozen=True, eq=False)
class Found:
    """What the search of one column found.

    Attributes:
        split: None if there is none, and `reason` says why.
        gain, tie: as in `engine.kernels.search`.
        information: the split information in bits.
        log_tries: natural logarithm of the number of partitions compared.
        cut: of a cut, the run after which it falls; -1 otherwise.
        branches: int64[n_values + 1], the branch of every code of a column with levels; empty for thresholds.
    """

    split: Split | None
    gain: float = math.nan
    tie: float = 0.0
    information: float = 0.0
    log_tries: float = 0.0
    cut: int = -1
    branches: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    reason: str = ""


def search_column(column: Column, runs: Runs, search: Search) -> Found:
    """The best split of a column by the rules of `search`."""
    if runs.codes.size == 0:
        return Found(None, reason="all values are missing here" if runs.miss_rows else "no training rows here")
    by_level = not column.is_numeric and column.kind != "ordered"
    multi = by_level and search.nominal == "multiway"
    if runs.codes.size == 1 and (multi or runs.miss_rows == 0):
        return Found(None, reason="only one value here")
    find = _multiway if multi else _groups if by_level else _cut
    found = find(column, runs, search)
    if found.split is not None and not math.isfinite(found.gain):
        return Found(None, reason="the sums of the target or of the weights are too large for a number")
    return found


def _arguments(runs: Runs, search: Search) -> tuple[Any, ...]:
    code = CRITERIA[search.criterion].code
    return runs.stat, runs.rows, runs.miss_stat, runs.miss_rows, code, search.min_leaf


def _larger(sizes: NDArray[np.float64], runs: Runs, missing: int) -> int:
    """The branch with more weight, the missing rows included; of equal ones the first."""
    sizes = sizes.copy()
    sizes[missing] += runs.weights(runs.miss_stat)
    return int(larger_side(sizes[0], sizes[1])) if len(sizes) == 2 else int(np.argmax(sizes))


def _information(sizes: NDArray[np.float64], runs: Runs) -> float:
    return float(split_information(np.append(sizes, runs.weights(runs.miss_stat))))


def _cut(column: Column, runs: Runs, search: Search) -> Found:
    gain, tie, cut, missing = best_cut(*_arguments(runs, search))
    if cut < 0:
        return Found(None, reason=f"every cut leaves fewer than {search.min_leaf} rows on one side")
    m = runs.codes.size
    sizes = runs.weights(sum_around(runs.stat, cut + 1))
    n_tries = 2 * (m - 1) + 1 if runs.miss_rows else m - 1
    if column.is_numeric:
        split = Split(column.name, "threshold", (_threshold(column, runs.codes, cut),), missing=missing)
        branches = np.empty(0, dtype=np.int64)
    else:
        above = int(runs.codes[cut + 1]) if cut < m - 1 else column.n_values + 1
        side = np.full(column.n_values, -1)
        side[: runs.codes[cut]], side[above - 1 :] = 0, 1
        split, branches = _by_level(column, side, 2, missing, _larger(sizes, runs, missing))
    return Found(split, gain, tie, _information(sizes, runs), math.log(n_tries), cut, branches)


def _threshold(column: Column, codes: NDArray[np.uint32], cut: int) -> float:
    """Between the values of two adjacent runs; after the last one +∞, which parts what is present from missing."""
    if cut == codes.size - 1:
        return math.inf
    return threshold_between(float(column.values[codes[cut] - 1]), float(column.values[codes[cut + 1] - 1]))


def _by_level(
    column: Column, side: NDArray[Any], n_branches: int, missing: int, unseen: int
) -> tuple[Split, NDArray[np.int64]]:
    """(the split, the branch of every code) from the branch of every level, -1 for a level that is not named."""
    groups = tuple(tuple(column.values[side == branch]) for branch in range(n_branches))
    branches = np.concatenate(([missing], np.where(side < 0, unseen, side)))
    return Split(column.name, "groups", groups=groups, missing=missing, unseen=unseen), branches


def _groups(column: Column, runs: Runs, search: Search) -> Found:
    sides = np.zeros(runs.codes.size, dtype=np.uint8)
    gain, tie, missing = best_groups(*_arguments(runs, search), sides)
    if missing < 0:
        return Found(None, reason=f"every grouping leaves fewer than {search.min_leaf} rows on one side")
    weights = runs.weights(runs.stat)
    sizes = np.array([weights[sides == 0].sum(), weights[sides == 1].sum()])
    side = np.full(column.n_values, -1)
    side[runs.codes.astype(np.int64) - 1] = sides
    split, branches = _by_level(column, side, 2, missing, _larger(sizes, runs, missing))
    free = runs.codes.size - 1 + (runs.miss_rows > 0)
    log_tries = math.log(2.0**free - 1.0) if free < 50 else free * math.log(2.0)
    return Found(split, gain, tie, _information(sizes, runs), log_tries, branches=branches)


def _multiway(column: Column, runs: Runs, search: Search) -> Found:
    if column.n_values > MOST_BRANCHES:
        return Found(None, reason=f"{column.n_values:,} levels are too many for one branch each")
    gain, tie, run, information = multiway(*_arguments(runs, search))
    if run < 0:
        return Found(None, reason=f"a branch would have fewer than {search.min_leaf} rows")
    places = runs.codes.astype(np.int64) - 1
    sizes = np.zeros(column.n_values)
    sizes[places] = runs.weights(runs.stat)
    missing = int(places[run])
    unseen = _larger(sizes, runs, missing)
    groups = tuple((level,) for level in column.values)
    split = Split(column.name, "groups", groups=groups, missing=missing, unseen=unseen)
    branches = np.concatenate(([missing], np.arange(column.n_values)))
    log_tries = math.log(runs.codes.size) if runs.miss_rows else 0.0
    return Found(split, gain, tie, information, log_tries, branches=branches)
