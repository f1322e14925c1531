"""The best split of one column by absolute error: the criterion whose leaves predict medians.

The impurity of a node is Σ w|y − median| ÷ Σ w, and the gain of a split that of the node less the share-weighted one of
its branches (least absolute deviations: Breiman et al. 1984, 8.11). Medians do not add up, so there is no tally: the
training rows of the node are looked at one by one. The median is the weighted one; where the lower half of the weight
ends exactly between two values any number between them has the same impurity, and the one halfway is predicted.

Thresholds, ties, missing and unseen values: as in `search.column_search`. Buckets end after the run whose cumulative
weight is nearest to j/k of the weight present; of two equally near the lower, and limits that coincide are one.
Two groups of levels: all divisions of up to 6 levels (missing values count as one), beyond that the best cut along the
levels ordered by their medians (equal ones by their means), or by their means: the best of all divisions in 99 of 100
random cases of 7 levels, by two-humped, skewed and whole-numbered targets; no ordering is known to hold it always.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.criteria.absolute_error import ABSOLUTE_ERROR
from engine.criteria.criterion import OF_COUNTS
from engine.criteria.kernels import (
    branch_deviations,
    changed_deviations,
    first_best,
    larger_side,
    running_deviations,
    split_information,
    tolerance,
)
from engine.runtime.errors import InputError
from engine.search.column_search import Found, heaviest, log_tries
from engine.search.kernels.split_kinds import GROUPS, MOST_BRANCHES, ONE_VS_REST, divide_into_buckets
from engine.search.options import Search
from engine.search.tally import ByTarget
from engine.splits import Split, threshold_between
from engine.table.column import Column

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Runs:
    """The training rows of a node by the value of one column; rows are numbered as in the target.

    Attributes:
        codes: int64[c], the values present, ascending.
        run_of: int64[c], the run of each; levels that are pooled share one.
        order: int64[k], the rows that have a value, by run; bounds: int64[m + 1], where each run begins.
        missing: int64[f], the rows that have none.
    """

    target: ByTarget
    codes: Integers
    run_of: Integers
    order: Integers
    bounds: Integers
    missing: Integers
    min_leaf: int

    @classmethod
    def of(cls, column: Column, target: ByTarget, min_leaf: int) -> "Runs":
        codes = column.codes[target.rows]
        order = np.argsort(codes, kind="stable")
        n_missing = int(np.count_nonzero(codes == 0))
        missing, order = order[:n_missing], order[n_missing:]
        present, begins = np.unique(codes[order], return_index=True)
        bounds = np.append(begins, order.size).astype(np.int64)
        return cls(target, present.astype(np.int64), np.arange(present.size), order, bounds, missing, min_leaf)

    def pooled(self, pool: int) -> "Runs":
        """The levels of fewer rows than `pool` as one run, in the place of the first of them."""
        rare = self.rows < pool
        if np.count_nonzero(rare) < 2:
            return self
        merged = np.where(rare, int(np.argmax(rare)), np.arange(rare.size))
        _, run_of = np.unique(merged, return_inverse=True)
        of_row = np.repeat(run_of, self.rows)
        bounds = np.append(0, np.cumsum(np.bincount(of_row)))
        order = self.order[np.argsort(of_row, kind="stable")]
        return replace(self, run_of=run_of.astype(np.int64), order=order, bounds=bounds)

    def along(self, order: Integers) -> "Runs":
        """The runs in another order, for a search of cuts; their codes are those of before."""
        rows = np.concatenate([self.order[self.bounds[run] : self.bounds[run + 1]] for run in order.tolist()])
        return replace(self, order=rows, bounds=np.append(0, np.cumsum(self.rows[order])))

    @cached_property
    def rows(self) -> Integers:
        """Rows of each run."""
        return np.diff(self.bounds)

    @cached_property
    def weights(self) -> Floats:
        """The weight of each run."""
        return np.add.reduceat(self.target.weights[self.order], self.bounds[:-1])

    @cached_property
    def missing_weight(self) -> float:
        """The weight of the rows without a value."""
        return float(self.target.weights[self.missing].sum())

    @property
    def miss_rows(self) -> int:
        """How many rows have no value."""
        return self.missing.size

    def present(self) -> "Runs":
        """The same without those rows."""
        places = np.sort(self.order)
        target = self.target
        values, ranks = np.unique(target.values[target.ranks[places]], return_inverse=True)
        order, weights = np.argsort(ranks, kind="stable"), target.weights[places]
        new = np.searchsorted(places, self.order)
        here = ByTarget(target.rows[places], values, ranks.astype(np.int64), order, weights)
        return replace(self, target=here, order=new, missing=self.missing[:0])

    def division(self, branch: Integers, n_branches: int, _: int) -> tuple[float, float, Floats]:
        """(gain, 0, weights float64[B]) of branches by run, int64[m], the last of them for the missing rows alone."""
        of_rows = self.branch_of_rows(branch, n_branches - 1)
        sizes = np.bincount(of_rows, weights=self.target.weights, minlength=n_branches).astype(np.float64)
        return self.gain(float(self.divided(of_rows, n_branches)[0].sum())), 0.0, sizes

    @cached_property
    def total(self) -> float:
        """The weight of the node."""
        return float(self.target.weights.sum())

    @cached_property
    def node(self) -> float:
        """Σ w|y − median| of the node."""
        return float(self.divided(np.zeros(self.target.ranks.size, dtype=np.int64), 1)[0][0])

    @cached_property
    def tolerance(self) -> float:
        """Gains that differ by less are equal."""
        return float(tolerance(ABSOLUTE_ERROR.code, self.node / self.total))

    def gain(self, deviation: float) -> float:
        """The gain of a division whose branches deviate by so much together."""
        return max((self.node - deviation) / self.total, 0.0)

    def divided(self, branch: Integers, n_branches: int) -> tuple[Floats, Floats]:
        """(deviation, median) of every branch, float64[B] each, when int64[n] is the branch of every row."""
        target = self.target
        found = np.empty(n_branches), np.empty(n_branches)
        branch_deviations(target.order, target.values[target.ranks], target.weights, branch, *found)
        return found

    def branch_of_rows(self, of_run: Integers, of_missing: int) -> Integers:
        """int64[n]: the branch of every row, from those of the runs and of the missing rows."""
        branch = np.empty(self.target.ranks.size, dtype=np.int64)
        branch[self.order] = np.repeat(of_run, self.rows)
        branch[self.missing] = of_missing
        return branch

    def running(self, with_missing: bool, backwards: bool) -> Floats:
        """float64[m]: the deviation of the runs up to each one, or from each one on, with the missing rows or not."""
        order, bounds, out = self.order, self.bounds, np.empty(self.rows.size)
        if backwards:
            order, bounds = order[::-1].copy(), (order.size - bounds)[::-1].copy()
        first = self.missing if with_missing else self.missing[:0]
        running_deviations(self.target.ranks, self.target.weights, self.target.values, order, bounds, first, out)
        return out[::-1] if backwards else out

    def changed(self, order: Integers, bounds: Integers, base: Integers, sign: float) -> Floats:
        """float64[b]: the deviation of the rows `base` with (sign 1) or without (−1) those of each part of `order`."""
        target, out = self.target, np.empty(bounds.size - 1)
        of_row, size = target.ranks[base], target.values.size
        weights = np.bincount(of_row, target.weights[base], size)
        passed = np.append(0.0, np.cumsum(weights)), np.append(0.0, np.cumsum(weights * target.values))
        part = np.repeat(np.arange(out.size), np.diff(bounds))
        by_value = order[np.lexsort((target.ranks[order], part))]
        changed_deviations(target.ranks, target.weights, target.values, by_value, bounds, *passed, sign, out)
        return out


def in_branches(runs: Runs, of_run: Integers, n_branches: int) -> tuple[float, int, Floats] | str:
    """(gain, branch of the missing rows, weights of the branches without them), or why `min_leaf` forbids it.

    The missing rows join the branch with which they gain most; ties: the one with more weight, then the lower one.
    A single branch with too few rows may be filled up by them.
    """
    rows = np.bincount(of_run, weights=runs.rows, minlength=n_branches).astype(np.int64)
    sizes = sums(of_run, runs.weights, n_branches)
    short = np.flatnonzero((rows < runs.min_leaf) & (rows > 0))
    if short.size > 1 or (short.size and rows[short[0]] + runs.missing.size < runs.min_leaf):
        return f"a branch would have fewer than {runs.min_leaf} rows"
    usable = short if short.size else np.flatnonzero(rows)
    if runs.missing.size == 0:
        deviation = runs.divided(runs.branch_of_rows(of_run, 0), n_branches)[0]
        return runs.gain(float(deviation.sum())), heaviest(sizes), sizes
    apart = runs.divided(runs.branch_of_rows(of_run, n_branches), n_branches + 1)[0]
    joined = _with_missing(runs, of_run, n_branches)
    gains = np.array([runs.gain(float(apart[:-1].sum() - apart[b] + joined[b])) for b in usable])
    equal = usable[gains >= gains.max() - runs.tolerance]
    missing = int(equal[heaviest(sizes[equal])])
    return float(gains[usable == missing][0]), missing, sizes


def _with_missing(runs: Runs, of_run: Integers, n_branches: int) -> Floats:
    """float64[B]: Σ w|y − median| of each branch and the missing rows."""
    of_row = np.repeat(of_run, runs.rows)
    bounds = np.append(0, np.cumsum(np.bincount(of_row, minlength=n_branches)))
    return runs.changed(runs.order[np.argsort(of_row, kind="stable")], bounds, runs.missing, 1.0)


def by_level(
    column: Column, side: NDArray[np.int64], n_branches: int, missing: int, unseen: int
) -> tuple[Split, Integers]:
    """(the split, the branch of every code) from the branch of every level, -1 for a level that is not named."""
    groups = tuple(tuple(column.values[side == branch]) for branch in range(n_branches))
    branches = np.concatenate(([missing], np.where(side < 0, unseen, side)))
    return Split(column.name, "groups", groups=groups, missing=missing, unseen=unseen), branches


def sums(side: Integers, weights: Floats, n_branches: int) -> Floats:
    """float64[B]: the weight of the runs in every branch."""
    return np.bincount(side, weights=weights, minlength=n_branches).astype(np.float64)


def heavier(runs: Runs, side: Integers) -> int:
    """The side with more weight; of equal ones the first."""
    sizes = sums(side, runs.weights, 2)
    return int(larger_side(sizes[0], sizes[1]))


def larger(sizes: Floats, runs: Runs, missing: int) -> int:
    """The branch with more weight, the missing rows included; of equal ones the first."""
    sizes = sizes.copy()
    sizes[missing] += runs.missing_weight
    return heaviest(sizes)


def information(sizes: Floats, runs: Runs) -> float:
    return float(split_information(np.append(sizes, runs.missing_weight)))


@dataclass(frozen=True)
class Cut:
    """A cut after a run, or none (-1), and where the missing rows go."""

    cut: int
    missing: int
    gain: float


def best_cut(runs: Runs, limits: Integers | None = None) -> Cut:
    """The best of all cuts, or of those after the runs `limits`, with the missing rows on either side.

    The side with more weight is tried first; the cut after the last run parts what is present from what is missing.
    """
    m, n_missing = runs.rows.size, runs.missing.size
    sides = (0, 1) if n_missing else (0,)
    apart, left = np.empty((2, m)), np.cumsum(runs.rows) + np.array([[n_missing], [0]])
    for side in sides:
        before, after = runs.running(bool(n_missing) and side == 0, False), runs.running(side == 1, True)
        rest = runs.divided(runs.branch_of_rows(np.zeros(m, dtype=np.int64), 1), 2)[0][1] if side == 1 else 0.0
        apart[side] = before + np.append(after[1:], rest)
    if not n_missing:
        apart[1] = apart[0]
    allowed = np.minimum(left, runs.target.ranks.size - left) >= max(runs.min_leaf, 1)
    if limits is not None:
        kept = np.zeros(m, dtype=bool)
        kept[limits] = kept[-1] = True
        allowed &= kept
    weight = np.cumsum(runs.weights)
    toward = np.array([larger_side(left, weight[-1] - left) for left in weight.tolist()], dtype=np.int64)
    gains = np.maximum((runs.node - apart) / runs.total, 0.0)
    cut, missing = first_best(gains, allowed, toward, runs.tolerance)
    return Cut(int(cut), int(missing), float(gains[missing, cut]))


def along_cut(column: Column, runs: Runs, limits: Integers | None) -> Found:
    best, m = best_cut(runs, limits), runs.rows.size
    cut, missing = best.cut, best.missing
    if cut < 0:
        return Found(None, reason=f"every cut leaves fewer than {runs.min_leaf} rows on one side")
    n_cuts = m - 1 if limits is None else limits.size
    tries = math.log(2 * n_cuts + 1 if runs.missing.size else n_cuts)
    side = (np.arange(m) > cut).astype(np.int64)
    sizes = sums(side, runs.weights, 2)
    split, branches = _along_values(column, runs, np.array([cut]), missing, sizes)
    return Found(split, best.gain, 0.0, information(sizes, runs), tries, cut=cut, branches=branches)


def _along_values(column: Column, runs: Runs, cuts: Integers, missing: int, sizes: Floats) -> tuple[Split, Integers]:
    """(the split after the runs `cuts` of a column with an order, the branch of every code if it has levels)."""
    codes = np.append(runs.codes, column.n_values + 1)
    if column.is_numeric:
        values = np.append(column.values, np.inf)
        pairs = zip(values[codes[cuts] - 1].tolist(), values[codes[cuts + 1] - 1].tolist(), strict=True)
        last = runs.codes.size - 1
        thresholds = (
            math.inf if cut == last else threshold_between(*pair)
            for cut, pair in zip(cuts.tolist(), pairs, strict=True)
        )
        return Split(column.name, "threshold", tuple(thresholds), missing=missing), np.empty(0, dtype=np.int64)
    level = np.arange(1, column.n_values + 1)
    side = np.searchsorted(codes[cuts], level)  # the cuts below each level
    for cut in cuts.tolist():  # a level between two branches, which no row has, belongs to neither
        side[codes[cut] : codes[cut + 1] - 1] = -1
    return by_level(column, side, cuts.size + 1, missing, larger(sizes, runs, missing))


def bucket_ends(runs: Runs, buckets: int) -> Integers:
    """int64[l]: the runs after which a bucket ends."""
    segment = np.zeros(runs.rows.size, dtype=np.int64)
    divide_into_buckets(runs.weights[:, None], OF_COUNTS, buckets, segment)
    return np.flatnonzero(np.diff(segment))


def in_buckets(column: Column, runs: Runs, limits: Integers) -> Found:
    """One branch for each bucket."""
    bucket = np.searchsorted(limits, np.arange(runs.rows.size)).astype(np.int64)
    found = in_branches(runs, bucket, limits.size + 1)
    if isinstance(found, str):
        return Found(None, reason=found)
    gain, missing, sizes = found
    split, branches = _along_values(column, runs, limits, missing, sizes)
    tries = math.log(limits.size + 1) if runs.missing.size else 0.0
    return Found(split, gain, 0.0, information(sizes, runs), tries, branches=branches)


EXACT_LEVELS = 6  # up to these all divisions into two groups are tried


def two_groups_of(column: Column, runs: Runs) -> Found:
    """The best two groups of levels; the missing rows, if there are any, are one level more."""
    t = runs.rows.size + (runs.missing.size > 0)
    best = _by_enumeration(runs, t) if t <= EXACT_LEVELS else _by_ordering(runs)
    if best is None:
        return Found(None, reason=f"every grouping leaves fewer than {runs.min_leaf} rows on one side")
    gain, side, missing = best
    if side[0] == 1:  # side 0 holds the first run
        side, missing = 1 - side, 1 - missing
    return _two_groups(column, runs, side, missing, gain, log_tries(GROUPS, runs.rows.size, runs.missing.size > 0))


def _by_enumeration(runs: Runs, t: int) -> tuple[float, Integers, int] | None:
    """(gain, side of every run, side of the missing rows) of the best of all divisions into two."""
    sizes = np.append(runs.rows, runs.missing.size)[:t]
    best: tuple[float, Integers, int] | None = None
    for mask in range(1, 1 << (t - 1)):
        side = np.array([(mask << 1 >> i) & 1 for i in range(t)], dtype=np.int64)
        if min(sizes[side == 0].sum(), sizes[side == 1].sum()) < max(runs.min_leaf, 1):
            continue
        of_run = side[: runs.rows.size]
        missing = int(side[-1]) if t > of_run.size else heavier(runs, of_run)
        gain = runs.gain(float(runs.divided(runs.branch_of_rows(of_run, missing), 2)[0].sum()))
        if best is None or gain > best[0] + runs.tolerance:
            best = gain, of_run, missing
    return best


def _by_ordering(runs: Runs) -> tuple[float, Integers, int] | None:
    """The same for many levels: the better of the best cuts along the order of medians and of means.

    The missing rows are tried on both sides of every cut.
    """
    m = runs.rows.size
    medians = runs.divided(runs.branch_of_rows(np.arange(m), m), m + 1)[1][:m]
    target = runs.target
    sums = np.add.reduceat((target.weights * target.values[target.ranks])[runs.order], runs.bounds[:-1])
    best: tuple[float, Integers, int] | None = None
    means = sums / runs.weights
    for order in (np.lexsort((means, medians)), np.argsort(means, kind="stable")):
        found = best_cut(runs.along(order))
        if found.cut >= 0 and (best is None or found.gain > best[0] + runs.tolerance):
            side = np.zeros(m, dtype=np.int64)
            side[order[found.cut + 1 :]] = 1
            best = found.gain, side, found.missing
    return best


def one_vs_rest(column: Column, runs: Runs) -> Found:
    """The best split of one level from all others; the missing rows go with it or with them, or stand alone."""
    m, n_missing = runs.rows.size, runs.missing.size
    n_rows, present = int(runs.rows.sum()) + n_missing, float(runs.weights.sum())
    apart = _one_apart(runs)
    best: tuple[float, int, int] | None = None
    for run in range(m):
        toward = int(larger_side(runs.weights[run], present - runs.weights[run]))
        for missing in (toward, 1 - toward) if n_missing else (toward,):
            alone = int(runs.rows[run]) + (n_missing if missing == 0 else 0)
            if min(alone, n_rows - alone) < max(runs.min_leaf, 1):
                continue
            gain = runs.gain(float(apart[missing, run]))
            if best is None or gain > best[0] + runs.tolerance:
                best = gain, run, missing
    if n_missing and min(n_missing, n_rows - n_missing) >= runs.min_leaf:
        of_rows = runs.branch_of_rows(np.zeros(m, dtype=np.int64), 1)
        gain = runs.gain(float(runs.divided(of_rows, 2)[0].sum()))
        if best is None or gain > best[0] + runs.tolerance:
            best = gain, -1, 0
    if best is None:
        return Found(None, reason=f"every grouping leaves fewer than {runs.min_leaf} rows on one side")
    gain, run, missing = best
    side = (np.arange(m) != run).astype(np.int64)
    return _two_groups(column, runs, side, missing, gain, log_tries(ONE_VS_REST, m, n_missing > 0), unseen=1)


def _one_apart(runs: Runs) -> Floats:
    """float64[2, m]: the deviation of each run and of all others together, by the side of the missing rows."""
    parts, every = (runs.order, runs.bounds), np.arange(runs.target.ranks.size)
    alone = runs.changed(*parts, runs.missing, 1.0) + runs.changed(*parts, runs.order, -1.0)
    if not runs.missing.size:
        return np.stack([alone, alone])
    return np.stack([alone, runs.changed(*parts, runs.missing[:0], 1.0) + runs.changed(*parts, every, -1.0)])


def multiway(column: Column, runs: Runs) -> Found:
    """One branch per declared level; pooled ones share theirs."""
    if column.n_values > MOST_BRANCHES:
        return Found(None, reason=f"{column.n_values:,} levels are too many for one branch each")
    first = np.full(column.n_values, -1)  # the level whose branch each one takes
    first[runs.codes - 1] = runs.codes[np.unique(runs.run_of, return_index=True)[1]][runs.run_of] - 1
    first = np.where(first < 0, np.arange(column.n_values), first)
    branch = np.unique(first, return_inverse=True)[1].astype(np.int64)
    n_branches = int(branch.max()) + 1
    of_run = branch[runs.codes[np.unique(runs.run_of, return_index=True)[1]] - 1]
    found = in_branches(runs, of_run, n_branches)
    if isinstance(found, str):
        return Found(None, reason=found)
    gain, missing, sizes = found
    split, branches = by_level(column, branch, n_branches, missing, larger(sizes, runs, missing))
    tries = math.log(runs.rows.size) if runs.missing.size else 0.0
    return Found(split, gain, 0.0, information(sizes[sizes > 0], runs), tries, branches=branches)


def pooled_multiway(column: Column, runs: Runs, rare: Integers) -> Found:
    """One branch for each level of enough rows, and a last one for the codes `rare` and all that no row has."""
    pooled = np.zeros(runs.rows.size, dtype=bool)
    pooled[runs.run_of[np.isin(runs.codes, rare)]] = True
    alone, n_branches = int(np.count_nonzero(~pooled)), int(np.count_nonzero(~pooled) + pooled.any())
    of_run = np.where(pooled, alone, np.cumsum(~pooled) - 1).astype(np.int64)
    found = in_branches(runs, of_run, n_branches)
    if isinstance(found, str):
        return Found(None, reason=found)
    gain, missing, sizes = found
    side = np.full(column.n_values, alone)
    side[runs.codes - 1] = of_run[runs.run_of]
    unseen = alone if alone < column.n_values else larger(sizes, runs, missing)
    split, branches = by_level(column, side, max(n_branches, unseen + 1), missing, unseen)
    tries = math.log(n_branches) if runs.missing.size else 0.0
    return Found(split, gain, 0.0, information(sizes, runs), tries, branches=branches)


def _two_groups(
    column: Column, runs: Runs, side: Integers, missing: int, gain: float, tries: float, unseen: int | None = None
) -> Found:
    """unseen: the branch of levels that no row has; the larger one by default."""
    sizes = sums(side, runs.weights, 2)
    of_level = np.full(column.n_values, -1)
    of_level[runs.codes - 1] = side[runs.run_of]
    split, branches = by_level(column, of_level, 2, missing, larger(sizes, runs, missing) if unseen is None else unseen)
    return Found(split, gain, 0.0, information(sizes, runs), tries, branches=branches)


__all__ = ["EXACT_LEVELS", "Runs", "branches_gain", "cut_gains", "impurity", "search_column"]


def impurity(y: ArrayLike, weights: ArrayLike = ()) -> float:
    """Σ w|y − median| ÷ Σ w of numbers y, [n], with weights [n], or empty for 1; 0 without any weight.

    Raises:
        InputError: there are not as many weights as numbers.
    """
    numbers, shares = _weighed(y, weights)
    total = float(shares.sum())
    branch = np.zeros(numbers.size, dtype=np.int64)
    return float(_deviations(numbers, shares, branch, 1)[0]) / total if total > 0 else 0.0


def branches_gain(y: ArrayLike, weights: ArrayLike, branch: ArrayLike, n_branches: int) -> float:
    """What a division of rows gains: their impurity less the share-weighted impurity of the branches.

    Args:
        y: numbers, [n].
        weights: [n], or empty for 1; rows of weight 0 do not count.
        branch: of each row, [n], from 0 to n_branches − 1; a branch may be empty.

    Raises:
        InputError: there are not as many weights as numbers.
    """
    numbers, shares = _weighed(y, weights)
    total = float(shares.sum())
    if not total > 0:
        return 0.0
    of = np.asarray(branch, dtype=np.int64)
    whole = _deviations(numbers, shares, np.zeros_like(of), 1)[0]
    return max(float(whole - _deviations(numbers, shares, of, n_branches).sum()) / total, 0.0)


def cut_gains(column: Column, target: ByTarget, cuts: Floats, missing: int, min_leaf: int) -> Floats:
    """float64[c]: the gain of each cut of a column with an order among these rows; NaN where `min_leaf` forbids it.

    Args:
        cuts: float64[c], thresholds; of ordered levels numbers between the places of two.
        missing: the side of the rows that lack the value.
    """
    runs = Runs.of(column, target, min_leaf)
    if runs.rows.size == 0:
        return np.zeros(cuts.size)
    at = runs.codes - 1
    places = np.searchsorted(column.values[at] if column.is_numeric else at, cuts, side="right")
    alone = runs.divided(runs.branch_of_rows(np.zeros(runs.rows.size, dtype=np.int64), 1), 2)[0][1]
    left = np.append(alone if missing == 0 else 0.0, runs.running(missing == 0, False))[places]
    right = np.append(runs.running(missing == 1, True), alone if missing == 1 else 0.0)[places]
    gains = np.maximum((runs.node - left - right) / runs.total, 0.0)
    n_left = np.append(0, np.cumsum(runs.rows))[places] + runs.missing.size * (missing == 0)
    return np.where(np.minimum(n_left, runs.target.ranks.size - n_left) >= min_leaf, gains, np.nan)


def search_column(column: Column, runs: Runs, search: Search) -> Found:
    """The best split of a column by the rules of `search`."""
    if runs.codes.size == 0:
        return Found(None, reason="all values are missing here" if runs.missing.size else "no training rows here")
    by_level = not column.is_numeric and column.kind != "ordered"
    rare = runs.codes[runs.rows < search.pool] if by_level else runs.codes[:0]
    if by_level:
        runs = runs.pooled(search.pool)
    numeric = search.numeric if column.is_numeric else "cuts"  # ordered levels are cut between any two
    branches = search.nominal == "multiway" if by_level else numeric == "bucket_branches"
    if runs.rows.size == 1 and (branches or runs.missing.size == 0):
        return Found(None, reason="only one value here")
    if by_level:
        find = {"multiway": multiway, "one_vs_rest": one_vs_rest, "groups": two_groups_of}[search.nominal]
        found = pooled_multiway(column, runs, rare) if branches and search.pool else find(column, runs)
    else:
        limits = None if numeric == "cuts" else bucket_ends(runs, search.buckets)
        found = in_buckets(column, runs, limits) if branches and limits is not None else along_cut(column, runs, limits)
    if found.split is not None and not math.isfinite(found.gain):
        return Found(None, reason="the sums of the target or of the weights are too large for a number")
    return found


def _weighed(y: ArrayLike, weights: ArrayLike) -> tuple[Floats, Floats]:
    """(y, weights) as float64[n] each."""
    numbers, shares = np.asarray(y, dtype=np.float64).ravel(), np.asarray(weights, dtype=np.float64).ravel()
    if shares.size == 0:
        shares = np.ones(numbers.size)
    if shares.size != numbers.size:
        raise InputError(f"There are {shares.size} weights for {numbers.size} numbers; give one for each, or none.")
    return numbers, shares


def _deviations(y: Floats, weights: Floats, branch: Integers, n_branches: int) -> Floats:
    """float64[B]: Σ w|y − median| of every branch; rows of weight 0 do not count."""
    used = weights > 0
    y, weights, branch = y[used], weights[used], branch[used]
    found = np.empty(n_branches), np.empty(n_branches)
    branch_deviations(np.argsort(y, kind="stable"), y, weights, branch, *found)
    return found[0]
