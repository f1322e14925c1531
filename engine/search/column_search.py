"""The best split of one column at one node: from its tally to a split that names values.

A threshold is the midpoint of the two adjacent values present among the node's training rows. Levels that none
of these rows has, and levels unknown to the table, take the larger branch; an ordered column keeps those beyond
its cut on their side. Where a branch stands for the rest, of one level or of pooled ones, they take that.
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, DEFAULT, kernel_code
from engine.criteria.kernels import ROUNDING, branches_gain, scales, split_information, tolerance
from engine.search.kernels.count import sum_branches
from engine.search.kernels.split_kinds import (
    BOUNDARY,
    BUCKET_CUT,
    BUCKETS,
    CUT,
    GROUPS,
    MOST_BRANCHES,
    MULTIWAY,
    ONE_VS_REST,
    POOLED,
    has_many_branches,
    is_cut,
    search_runs,
)
from engine.search.options import Search
from engine.search.tally import Tally
from engine.splits import Split, threshold_between
from engine.table.column import Column
from engine.table.partition import TRAIN
from engine.table.table import Table

NUMERIC_WAYS = {"cuts": CUT, "boundary_cuts": BOUNDARY, "bucket_cuts": BUCKET_CUT, "bucket_branches": BUCKETS}
NOMINAL_WAYS = {"groups": GROUPS, "one_vs_rest": ONE_VS_REST}
CROWD = 0.3  # a column of as many levels as this share of the training rows does not count for the average gain


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

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """float64[m]: the weight of each run."""
        return self.weights(self.stat)

    @property
    def missing_weight(self) -> float:
        """The weight of the rows without a value."""
        return float(self.weights(self.miss_stat))

    def present(self) -> "Runs":
        """The same without those rows."""
        return replace(self, miss_stat=np.zeros_like(self.miss_stat), miss_rows=0)

    def division(
        self, branch: NDArray[np.int64], n_branches: int, code: int
    ) -> tuple[float, float, NDArray[np.float64]]:
        """(gain, tie, weights float64[B]) of branches by run, int64[m], the last of them for the missing rows alone."""
        branches = sum_branches(branch, self.stat, n_branches)
        branches[-1] = self.miss_stat
        gain, tie = branches_gain(code, branches)
        return float(gain), float(tie), np.ascontiguousarray(self.weights(branches))  # the only kind that is compiled

    def weights(self, stat: NDArray[np.float64]) -> NDArray[np.float64]:
        """The weight of statistics of this kind, float64[..., S]."""
        return np.asarray(stat.sum(axis=-1) if self.by_class else stat[..., 0])

    def ask(self, how: int, search: Search) -> "Answer":
        """The best split in one way, see `engine.search.kernels.split_kinds`."""
        m = self.codes.size
        stat, rows = (self.stat, self.rows) if how == CUT else (self.stat.copy(), self.rows.copy())
        segment, side = np.arange(m), np.zeros(m, dtype=np.uint8)
        gain, tie, missing, _, cut, segments, alone = search_runs(
            how, search.buckets if how in (BUCKET_CUT, BUCKETS) else search.pool, stat, rows,
            self.miss_stat, self.miss_rows, kernel_code(search.criterion), search.min_leaf, segment, side,
        )  # fmt: skip
        last = int(np.searchsorted(segment, cut, side="right")) - 1 if is_cut(how) else -1
        branch = segment > cut if is_cut(how) else segment if has_many_branches(how) else side[segment]
        return Answer(gain, tie, int(missing), last, segments, alone, branch.astype(np.int64))


@dataclass(frozen=True, eq=False)
class Found:
    """What the search of one column found.

    Attributes:
        split: None if there is none, and `reason` says why.
        gain, tie: as in `engine.search.kernels.cuts`.
        information: the split information in bits.
        log_tries: natural logarithm of the number of partitions compared.
        n_values: of how many values (missing counts as one) the partition was made; fewer than those present where
            buckets or pooled levels were. 0: of all that are present.
        cut: of a cut, the run after which it falls; -1 otherwise.
        branch: int64[m], of each value present among the rows that were searched; empty for splits of many columns.
        apart: whether rows that lack the value had no say, as with missing "surrogate".
    """

    split: Split | None
    gain: float = math.nan
    tie: float = 0.0
    information: float = 0.0
    log_tries: float = 0.0
    n_values: int = 0
    cut: int = -1
    branch: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    reason: str = ""
    apart: bool = False


@dataclass(frozen=True, eq=False)
class Answer:
    """What the kernels found for the runs of a column, see `engine.search.kernels.split_kinds.search_runs`.

    Attributes:
        missing: the branch of missing rows, -1 if there is no split.
        cut: of a cut, the run after which it falls.
        segments: how many the runs were taken together to; alone: those of them that are single levels.
        branch: int64[m], of every run.
    """

    gain: float
    tie: float
    missing: int
    cut: int
    segments: int
    alone: int
    branch: NDArray[np.int64]


def way(column: Column, search: Search) -> int | None:
    """How a column is split, see `search.kernels.split_kinds`; None if that would make more branches than can be."""
    if column.is_numeric:
        return NUMERIC_WAYS[search.numeric]
    if column.kind == "ordered":
        return CUT
    if search.nominal in NOMINAL_WAYS:
        return NOMINAL_WAYS[search.nominal]
    if search.pool:
        return POOLED
    return MULTIWAY if column.n_values <= MOST_BRANCHES else None


def scales_of(stat: NDArray[np.float64], search: Search) -> tuple[float, float, float]:
    """(impurity of a node, what gains may differ by and be equal, the same of what breaks ties).

    stat: float64[S], around the node's centre. By rows the standard deviation stands in, which is no less.
    """
    if search.by_rows:
        deviation = math.sqrt(float(scales(kernel_code(DEFAULT["number"]), stat)[0]))
        return deviation, float(tolerance(kernel_code(search.criterion), deviation)), 0.0
    value, eps, tie_eps = scales(kernel_code(search.criterion), stat)
    return float(value), float(eps), float(tie_eps)


def crowded(table: Table, places: list[int], search: Search) -> NDArray[np.bool_]:
    """bool[len(places)]: the columns that the guard of the gain ratio leaves out of its average; empty for none.

    C4.5: those split into all levels that have at least 30 % as many levels as the table has training rows.
    """
    if not CRITERIA[search.criterion].by_ratio or search.nominal != "multiway":
        return np.zeros(0, dtype=np.bool_)
    least = CROWD * np.count_nonzero(table.part == TRAIN)
    columns = [table.columns[place] for place in places]
    return np.array([not (c.is_numeric or c.kind == "ordered") and c.n_values >= least for c in columns])


def search_column(column: Column, runs: Any, search: Search) -> Found:
    """The best split of a column by the rules of `search`; runs: `Runs`, or `engine.search.absolute.Runs` of rows."""
    if runs.codes.size == 0:
        return Found(None, reason="all values are missing here" if runs.miss_rows else "no training rows here")
    how = way(column, search)
    if how is None:
        return Found(None, reason=f"{column.n_values:,} levels are too many for one branch each")
    if runs.codes.size == 1 and (has_many_branches(how) or runs.miss_rows == 0):
        return Found(None, reason="only one value here")
    answer = runs.ask(how, search)
    if answer.missing < 0:
        return Found(None, reason=_reason(how, answer, runs, search))
    if not math.isfinite(answer.gain):
        return Found(None, reason="the sums of the target or of the weights are too large for a number")
    return make_found(column, how, answer, runs)


def _reason(how: int, answer: Answer, runs: Any, search: Search) -> str:
    """Why there is no split."""
    least = search.min_leaf
    if answer.segments == 1 and (has_many_branches(how) or runs.miss_rows == 0):
        return (
            "fewer than two buckets here"
            if how in (BUCKETS, BUCKET_CUT)
            else f"all levels have fewer than {search.pool} rows here"
        )
    if has_many_branches(how):
        if answer.segments > MOST_BRANCHES:
            return f"{answer.segments:,} branches are too many: at most {MOST_BRANCHES:,} can be made"
        return f"a branch would have fewer than {least} rows"
    which = "every cut" if is_cut(how) else "every level against the rest" if how == ONE_VS_REST else "every grouping"
    return f"{which} leaves fewer than {least} rows on one side"


def make_found(column: Column, how: int, answer: Answer, runs: Any) -> Found:
    """The split that the kernels found, in values."""
    n_branches = answer.segments if has_many_branches(how) else 2
    sizes = np.bincount(answer.branch, weights=runs.sizes, minlength=n_branches).astype(np.float64)
    information = float(split_information(np.append(sizes, runs.missing_weight)))
    if column.is_numeric:
        split = Split(column.name, "threshold", _thresholds(column, runs.codes, answer), missing=answer.missing)
    else:
        split = _by_level(column, how, answer, runs, sizes)
    # beside the cuts at label boundaries all others count, too: the labels chose them, so all were compared
    n, lacking = runs.codes.size if how == BOUNDARY else answer.segments, runs.miss_rows > 0
    tried = log_tries(how, n, lacking)
    return Found(split, answer.gain, answer.tie, information, tried, n + lacking, answer.cut, answer.branch)


def log_tries(how: int, n: int, lacking: bool) -> float:
    """The logarithm of how many partitions of `n` values are compared, rows that lack the value being one more."""
    if is_cut(how):
        return math.log(2 * (n - 1) + 1 if lacking else n - 1)
    if has_many_branches(how):
        return math.log(n) if lacking else 0.0
    if how == ONE_VS_REST:  # of two levels each is the other's rest, alone or with the missing rows
        return math.log(2 * n + 1 if lacking and n > 2 else n + lacking if n + lacking > 2 else 1)
    free = n - 1 + lacking
    return math.log(2.0**free - 1.0) if free < 50 else free * math.log(2.0)


def _thresholds(column: Column, codes: NDArray[Any], answer: Answer) -> tuple[float, ...]:
    """Between the values of two adjacent runs that part; after the last one +∞, which parts present from missing."""
    if answer.cut == codes.size - 1:
        return (math.inf,)
    values = column.values[codes.astype(np.int64) - 1]
    ends = np.flatnonzero(np.diff(answer.branch))
    return tuple(threshold_between(float(values[end]), float(values[end + 1])) for end in ends)


def _by_level(column: Column, how: int, answer: Answer, runs: Any, by_run: NDArray[np.float64]) -> Split:
    """The split by levels; by_run: float64[B], the weight of each branch without missing rows."""
    missing, places = answer.missing, runs.codes.astype(np.int64) - 1
    side = np.full(column.n_values, -1)  # the branch of every level, -1 for one that is not named
    side[places] = answer.branch
    sizes, unseen = by_run, -1
    if how == CUT:
        cut, m = answer.cut, places.size
        side[: places[cut]] = 0
        side[places[cut + 1] if cut < m - 1 else column.n_values :] = 1
    elif how == ONE_VS_REST:
        unseen = 1
    elif how == POOLED and answer.alone < column.n_values:
        unseen = answer.alone
        side[side < 0] = unseen
    elif how == MULTIWAY:
        missing, side = int(places[missing]), np.arange(column.n_values)
        sizes = np.zeros(column.n_values)
        sizes[places] = by_run
    if unseen < 0:
        unseen = heaviest(sizes + runs.missing_weight * (np.arange(sizes.size) == missing))
    order = np.argsort(side, kind="stable")
    bounds = np.searchsorted(side[order], np.arange(max(sizes.size, unseen + 1) + 1))
    levels = column.values[order]
    groups = tuple(tuple(levels[a:b]) for a, b in pairwise(bounds))
    return Split(column.name, "groups", groups=groups, missing=missing, unseen=unseen)


def heaviest(sizes: NDArray[np.float64]) -> int:
    """The place of the largest weight; of those that are equal but for rounding the first."""
    return int(np.argmax(sizes >= sizes.max() * (1.0 - ROUNDING)))
