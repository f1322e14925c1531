"""The gain curve: every cut of one column at one node, for the split editor, and what any split of it is worth.

The further splits of a column beside its best are the local optima of its curve. A curve of a million cuts has many
thousands of little peaks, and those next to the best cut are the best cut over again. So a cut counts as a local
optimum only if no cut that moves at most a twentieth of the node's training rows to the other side gains more. There
are at most some twenty of them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.criterion import OF_COUNTS
from engine.criteria.kernels import larger_side
from engine.criteria.losses import gains_on
from engine.ranking.weighing import ByValue, Candidate, sums_before
from engine.search import absolute
from engine.search.column_search import best_of_runs, divided_split, leaves_missing, scales_of, search_column, way
from engine.search.kernels.branches import cut_gains
from engine.search.kernels.split_kinds import BUCKET_CUT, BUCKETS, CUT, GROUPS, divide_into_buckets
from engine.search.quinlan import limited, observed
from engine.search.tally import NodeRows, as_in_tree, positions, weights_of
from engine.splits import Split
from engine.splits.binding import branch_of_codes
from engine.table.column import Column
from engine.table.partition import VALIDATION

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NEAR = 0.05  # of the node's training rows


def local_optima(gains: Floats, before: Integers, near: float, slack: float = 0.0) -> Integers:
    """The cuts that no cut near them beats and no neighbour, in their order; of equal ones near each other the first.

    Args:
        gains: float64[c], NaN where there can be no cut; those of 0 are no optima.
        before: int64[c], rows before each cut, ascending. near: cuts up to so many rows away are near.
        slack: gains that differ by no more are equal.
    """
    height = np.where(np.isnan(gains), -np.inf, gains)
    if not height.size:
        return np.empty(0, dtype=np.int64)
    block = (before - before[0]) // (int(near) + 1)  # two cuts of a block are near each other
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    found = []
    for start, stop in zip(starts, np.append(starts[1:], height.size), strict=True):
        at = int(start + np.argmax(height[start:stop] >= height[start:stop].max() - slack))
        low = min(int(np.searchsorted(before, before[at] - near)), max(at - 1, 0))
        high = max(int(np.searchsorted(before, before[at] + near, side="right")), at + 2)
        first = at == low or height[low:at].max() < height[at] - slack
        if height[at] > slack and first and height[at : min(high, height.size)].max() <= height[at] + slack:
            found.append(at)
    return np.array(found, dtype=np.int64)


Beside = tuple[Floats, Integers, float, int, Callable[[int], Split]]


def _along_order(curve: "Curve", by_value: ByValue) -> Beside:
    """The cuts of a column with an order, as `_along_levels` tells them; of buckets those between them alone."""
    rows, gains = by_value.present.rows, curve.gains
    segment = np.arange(rows.size)
    if way(by_value.column, by_value.search) == BUCKET_CUT:
        divide_into_buckets(by_value.runs.sizes[:, None], OF_COUNTS, by_value.search.buckets, segment)
    kept = np.flatnonzero(np.diff(segment))
    best = int(np.argmax(kept == curve.best)) if curve.best in kept else -1
    n = float(rows.sum() + by_value.searched.missing_rows_train)
    return gains[kept], np.cumsum(rows)[kept], n, best, lambda at: _cut(by_value, curve, int(kept[at]))


def _cut(by_value: ByValue, curve: "Curve", at: int) -> Split:
    column, codes, missing = by_value.column, by_value.present.codes, curve.missing
    if column.is_numeric:
        split = Split(column.name, "threshold", (float(curve.cuts[at]),), missing=missing)
        waits = by_value.waits(split) and not split.divides
        return replace(split, missing=int(larger_side(*by_value.sizes(split)))) if waits else split
    low, high = int(codes[at]), int(codes[at + 1]) - 1
    groups = (tuple(column.levels[:low]), tuple(column.levels[high:]))
    return Split(column.name, "groups", groups=groups, missing=missing, unseen=_heavier(by_value, groups, missing))


def _heavier(by_value: ByValue, groups: tuple[tuple[str, ...], ...], missing: int) -> int:
    """The branch with more weight, missing rows included: where levels go that no row of the node has."""
    sizes = by_value.sizes(Split(by_value.column.name, "groups", groups=groups, missing=missing, unseen=0))
    return int(larger_side(float(sizes[0]), float(sizes[1])))


def _along_levels(by_value: ByValue) -> Beside | None:
    """Cuts along the levels, sorted from the one best group to the other; missing rows are one more level.

    Of many levels and classes the search has no more than a very good division, which a cut here may beat.

    Returns:
        (gains float64[c], rows before each cut int64[c], all rows, the place of the best cut or -1, the split at a
        place); None where the search makes no such groups.
    """
    column, search, runs = by_value.column, by_value.search, by_value.runs
    if way(column, search) != GROUPS or search.by_rows or search.pool > 1:
        return None
    divided = search_column(column, runs, search)
    if divided.split is None:
        return None
    lacking = runs.miss_rows > 0
    stat = np.concatenate((runs.stat, runs.miss_stat[None])) if lacking else runs.stat
    rows = np.append(runs.rows, runs.miss_rows) if lacking else runs.rows
    codes = np.append(runs.codes, 0).astype(np.int64) if lacking else runs.codes.astype(np.int64)
    side = branch_of_codes(divided.split, column)[codes].astype(np.int64)
    weights = np.maximum(weights_of(stat, by_value.by_class), 1e-300)[:, None]
    shares = stat / weights if runs.by_class else stat[:, 1:2] / weights
    apart = np.average(shares[side == 1], axis=0, weights=weights[side == 1, 0]) - np.average(
        shares[side == 0], axis=0, weights=weights[side == 0, 0]
    )
    order = np.argsort(shares @ apart, kind="stable")
    gains = np.empty(order.size - 1)
    cut_gains(
        np.ascontiguousarray(stat[order]), np.ascontiguousarray(rows[order]), np.zeros(stat.shape[1]), 0,
        kernel_code(search.criterion), search.min_leaf * runs.unit, 0, gains,
    )  # fmt: skip
    before = np.cumsum(rows[order])[:-1]
    best = int(np.flatnonzero(np.diff(side[order]))[0]) if np.count_nonzero(np.diff(side[order])) == 1 else -1
    return gains, before, float(rows.sum()), best, lambda at: _division(by_value, codes[order[: at + 1]], codes)


def _division(by_value: ByValue, first: Integers, codes: Integers) -> Split:
    """Two groups of the levels of the node, the first level in the first of them; code 0 is missing."""
    column, levels = by_value.column, np.sort(codes[codes > 0])
    chosen = np.isin(levels, first)
    chosen = chosen if chosen[0] else ~chosen
    groups = tuple(tuple(column.levels[code - 1] for code in levels[side]) for side in (chosen, ~chosen))
    lacking = codes.size > levels.size
    missing = int(lacking and (0 in first) != (levels[0] in first))
    unseen = _heavier(by_value, groups, missing) if all(groups) else 0  # else missing rows against all levels
    split = Split(column.name, "groups", groups=groups, missing=missing if lacking else unseen, unseen=unseen)
    return divided_split(split) if by_value.search.missing == "fractional" else split


@dataclass(frozen=True, eq=False)
class Curve:
    """The gain of every cut of one column at one node, and the distribution behind it.

    Attributes:
        column, kind: its name and kind.
        values: float64[m], the values present among training or validation rows; empty for a column with levels.
        levels: all declared levels, m of them; empty for a numeric column.
        train, validation: float64[m, S], the statistics by value or level, as in `Tree.train`.
        missing_train, missing_validation: float64[S].
        cuts: float64[c], the thresholds between neighbouring training values. For an ordered column a cut after
            level i is i + ½. Empty for booleans and nominal columns, which have no order.
        gains: float64[c]; NaN where `min_leaf` forbids the cut.
        validation_gains: float64[c]; NaN if the node has no validation rows. With missing "surrogate" of those that
            have the value.
        boundary: bool[c], the cuts at label boundaries: the values on both sides are not all of one class. All of
            them for a numeric target.
        best: the place of the best cut, -1 if the best split is none of these cuts ("present | missing", several
            branches) or there is none.
        missing: the branch of missing rows in all of these cuts, the one that the best cut chose.
        by_value: the counts behind it, from which any split of the column is weighed; None in a curve that was made
            by hand.
        best_split, best_gain: what the search finds for the column, whatever its kind, by what the split itself gains;
            None and NaN where it finds nothing.
    """

    column: str
    kind: str
    values: NDArray[np.float64]
    levels: tuple[str, ...]
    train: NDArray[np.float64]
    validation: NDArray[np.float64]
    missing_train: NDArray[np.float64]
    missing_validation: NDArray[np.float64]
    cuts: NDArray[np.float64]
    gains: NDArray[np.float64]
    validation_gains: NDArray[np.float64]
    boundary: NDArray[np.bool_]
    best: int
    missing: int
    by_value: ByValue | None = field(default=None, repr=False)
    best_split: Split | None = None
    best_gain: float = math.nan

    @property
    def kind_in_words(self) -> str:
        """The kind as `engine.table.words.value_words` takes it."""
        return self.by_value.column.kind_in_words if self.by_value is not None else self.kind

    @cached_property
    def train_before(self) -> NDArray[np.float64]:
        """float64[m + 1, S]: the sums of `train` before each place, so that any range of values costs one difference.

        Made at the first call, in time proportional to m; often they are there already, as splits are weighed by them.
        """
        shared = self.by_value is not None and self.train is self.by_value.counted.train
        return self.by_value.sums[0] if shared and self.by_value is not None else sums_before(self.train)

    def squares_between(self, starts: NDArray[np.intp], stops: NDArray[np.intp]) -> NDArray[np.float64]:
        """Σw(y − mean)² of the training rows in each range of places of a numeric target, float64[b].

        Squares about a mean of their own do not add as `train_before` does.
        """
        weight, total = (self.train_before[stops] - self.train_before[starts])[:, :2].T
        squares = self._squares_before[stops] - self._squares_before[starts]
        centre = self._centre
        mean = np.divide(total, weight, out=np.full(weight.shape, centre), where=weight > 0)
        return np.maximum(squares - weight * (mean - centre) ** 2, 0.0)

    @property
    def _centre(self) -> float:
        """The mean of all training rows that have a value; 0 without any."""
        weight, total = self.train_before[-1, :2]
        return float(total / weight) if weight > 0 else 0.0

    @cached_property
    def _squares_before(self) -> NDArray[np.float64]:
        """float64[m + 1]: the sums before each place of Σw(y − `_centre`)², good to rounding of the node's spread."""
        weight, total, squares = self.train.T
        mean = np.divide(total, weight, out=np.full(weight.shape, self._centre), where=weight > 0)
        return sums_before(squares + weight * (mean - self._centre) ** 2)

    def weigh(self, split: Split) -> Candidate | None:
        """What a split of this column is worth, without a pass over the rows.

        A cut costs two look-ups in sums that are made once; several cuts, and levels, cost as much as there are values.
        It is what `engine.weigh` says. A p-value is adjusted as if the search had found the split.

        Returns:
            None where the counts by value do not tell: a split of another column, m-of-n, surrogates, anything but one
            cut of a column with an order by the absolute error.
        """
        return None if self.by_value is None else self.by_value.weigh(split)

    def alternatives(self, most: int) -> tuple[Candidate, ...]:
        """Further splits that are the best of their neighbourhood, the best first, at most so many.

        Of a column with an order these are cuts: no cut that moves up to a twentieth of the node's training rows gains
        more, and neither does the next cut on either side. Of levels without an order they are cuts along the levels
        sorted from the one best group to the other. Cuts that gain nothing are left out, and so is the best one.
        """
        by_value = self.by_value
        if by_value is None or most < 1 or way(by_value.column, by_value.search) == BUCKETS:
            return ()
        has_order = by_value.column.is_numeric or by_value.column.kind == "ordered"
        beside = _along_order(self, by_value) if has_order else _along_levels(by_value)
        if beside is None:
            return ()
        gains, before, n, best, split_at = beside
        counted = by_value.searched
        slack = scales_of(counted.train.sum(axis=0) + counted.missing_train, by_value.search)[1]  # as in a search
        splits: list[Split] = []
        left = [at for at in local_optima(gains, before, NEAR * n, slack).tolist() if at != best]
        while left and len(splits) < most:  # of equal ones the first comes first
            top = max(gains[at] for at in left)
            first = next(at for at in left if gains[at] >= top - slack)
            splits.append(split_at(first))
            left.remove(first)
        return tuple(one for one in map(by_value.weigh, splits) if one is not None)

    def best_groups(self, nominal: str = "groups") -> Split | None:
        """The best split of a column with levels, whatever way of splitting them the search was asked for.

        Args:
            nominal: the way, as the option of that name: "groups", "one_vs_rest" or "multiway".

        Returns:
            None where there is none, and by the absolute error, which looks at rows.
        """
        counts = self.by_value
        if counts is None or not self.levels or counts.search.by_rows:
            return None
        split = search_column(counts.column, counts.runs, replace(counts.search, nominal=nominal)).split
        divides = split is not None and counts.search.missing == "fractional"
        return divided_split(split) if split is not None and divides else split


def make_curve(by_value: ByValue, inside: NodeRows) -> Curve:
    """The curve of a column: the distribution is that of the target itself, the gains are those of the criterion.

    Args:
        inside: the rows of the node, for the absolute error, which counts do not tell.
    """
    column, search, counted, runs = by_value.column, by_value.search, by_value.counted, by_value.runs
    by_class, share = by_value.by_class, 1.0
    every: Any = by_value.every
    if search.by_rows:
        every = absolute.Runs.of(column, inside.by_target)
    heard = every
    if leaves_missing(column, search):  # rows that lack the value have no say
        present = float(every.sizes.sum())
        share = present / (present + every.missing_weight) if present + every.missing_weight > 0 else 1.0
        heard = every.present()
    best = found = best_of_runs(column, every, search)
    if search.thresholds == "observed" and best.split is not None and best.split.kind == "threshold":
        best = replace(best, split=observed(best.split, column, inside.table))
    several = column.is_numeric and search.numeric == "bucket_branches"
    if several or search.missing == "branch":  # the curve is that of single cuts, with missing rows on either side
        found = search_column(column, heard, replace(search, numeric="cuts") if several else search)
    cuts, missing = cuts_between(column, runs.codes), found.split.missing if found.split else 0
    cut, code = -1 if several else found.cut, kernel_code(search.criterion)
    boundary, has = np.ones(cuts.size, dtype=np.bool_), runs.stat > 0
    gains, gains_unseen = cuts.copy(), np.full(cuts.size, np.nan)
    if cuts.size and by_class:  # the two values beside a boundary have rows of more than one class
        boundary = (has[:-1] | has[1:]).sum(axis=1) > 1
    if cuts.size:
        least = limited(CUT, int(runs.rows.sum()), runs.n_classes, search, runs.unit).min_leaf
        gains = share * heard.cut_gains(column, cuts, missing, code, least)
    if cuts.size and by_value.has_validation and search.by_rows:
        unseen = absolute.Runs.of(column, inside.by_target_of(VALIDATION))
        unseen = unseen.present() if heard is not every else unseen
        gains_unseen = absolute.cut_gains_on(heard, unseen, column, cuts, missing)
    elif cuts.size and by_value.has_validation:
        gains_unseen = _validation_gains(by_value, cuts, missing if heard is every else None)

    def shown(stats: Floats) -> Floats:
        return stats if by_value.task == "classes" else as_in_tree(stats, by_value.centre)

    def by_place(stats: Floats) -> Floats:
        if column.is_numeric:
            return shown(stats)
        whole = np.zeros((column.n_values, stats.shape[1]))
        whole[counted.codes.astype(np.int64) - 1] = shown(stats)
        return whole

    return Curve(
        column.name, column.kind, positions(column, counted.codes) if column.is_numeric else np.empty(0), column.levels,
        by_place(counted.train), by_place(counted.validation), shown(counted.missing_train),
        shown(counted.missing_validation), cuts, gains, gains_unseen, boundary, cut if cut < cuts.size else -1, missing,
        by_value, best.split, best.gain,
    )  # fmt: skip


def _validation_gains(by_value: ByValue, cuts: Floats, missing: int | None) -> Floats:
    """What every cut gains on the validation rows; missing: the branch of missing rows, None if they have no say."""
    counted, by_class = by_value.searched, by_value.by_class
    at = np.searchsorted(positions(by_value.column, counted.codes), cuts, side="right")
    branches = []
    for sums, lacking in zip(by_value.searched_sums, (counted.missing_train, counted.missing_validation), strict=False):
        left, node = sums[at], sums[-1]
        if missing is not None:
            left, node = left + lacking * (missing == 0), node + lacking
        right = node - left
        branches.append(np.stack((left.T, np.maximum(right, 0.0).T if by_class else right.T)))
    train, validation = branches
    rows = int(counted.rows_train.sum()) + (0 if missing is None else counted.missing_rows_train)
    weight = float(weights_of(train[:, :, 0].sum(axis=0), by_class))
    return gains_on(by_value.search.criterion, train, validation, weight / max(rows, 1))


def cuts_between(column: Column, codes: NDArray[np.uint32]) -> NDArray[np.float64]:
    """The cut between each two adjacent codes, float64[m - 1]; thresholds as `splits.threshold_between` sets them.

    A column whose levels have no order has none.
    """
    if not (column.is_numeric or column.kind == "ordered"):
        return np.empty(0)
    at = positions(column, codes)
    if not column.is_numeric:
        return at[:-1] + 0.5
    low, high = at[:-1], at[1:]
    with np.errstate(invalid="ignore"):  # -∞ and ∞ have no midpoint
        middle = low / 2 + high / 2
    return np.where((low <= middle) & (middle < high), middle, low)
