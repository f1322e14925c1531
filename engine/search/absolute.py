"""Absolute error, the criterion whose leaves predict medians: what divisions of a node's rows gain.

The impurity of a node is Σ w|y − median| ÷ Σ w, and the gain of a split that of the node less the share-weighted one of
its branches (least absolute deviations: Breiman et al. 1984, 8.11). Medians do not add up, so there is no tally: the
training rows of the node are looked at one by one. The median is the weighted one; where the lower half of the weight
ends exactly between two values any number between them has the same impurity, and the one halfway is predicted.

Ways of splitting, thresholds, ties, missing and unseen values: as in `search.column_search`, which asks `Runs` here.
Two groups of levels: all divisions of up to 6 levels (missing values count as one), beyond that the best cut along the
levels ordered by their medians (equal ones by their means), or by their means: the best of all divisions in 99 of 100
random cases of 7 levels, by two-humped, skewed and whole-numbered targets; no ordering is known to hold it always.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.criteria import kernel_code
from engine.criteria.criterion import OF_COUNTS
from engine.criteria.kernels import (
    ROUNDING,
    branch_deviations,
    changed_deviations,
    larger_side,
    running_deviations,
    running_losses,
    running_medians,
    tolerance,
)
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.search.kernels.branches import may_part, open_branches
from engine.search.kernels.split_kinds import (
    BOUNDARY,
    BUCKET_CUT,
    BUCKETS,
    CUT,
    GROUPS,
    MULTIWAY,
    ONE_VS_REST,
    POOLED,
    divide_into_buckets,
    has_many_branches,
    is_cut,
    pool_levels,
)
from engine.search.options import Search
from engine.search.tally import Answer, ByTarget, NodeRows, heaviest, positions
from engine.table.column import Column
from engine.table.partition import TRAIN, VALIDATION

EXACT_LEVELS = 6  # up to these all divisions into two groups are tried

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Best = tuple[float, Integers, int] | None  # (gain, the branch of every run, that of the missing rows)


@dataclass(frozen=True, eq=False)
class Runs:
    """The training rows of a node by the value of one column; rows are numbered as in the target.

    Attributes:
        codes: int64[m], the values present, ascending.
        order: int64[k], the rows that have a value, by run; bounds: int64[m + 1], where each run begins.
        missing: int64[f], the rows that have none.
    """

    target: ByTarget
    codes: Integers
    order: Integers
    bounds: Integers
    missing: Integers

    @classmethod
    def of(cls, column: Column, target: ByTarget) -> "Runs":
        codes = column.codes[target.rows]
        order = np.argsort(codes, kind="stable")
        n_missing = int(np.count_nonzero(codes == 0))
        missing, order = order[:n_missing], order[n_missing:]
        present, begins = np.unique(codes[order], return_index=True)
        bounds = np.append(begins, order.size).astype(np.int64)
        return cls(target, present.astype(np.int64), order, bounds, missing)

    n_classes = 0  # a numeric target has none
    unit = 1  # it is of whole rows

    @cached_property
    def rows(self) -> Integers:
        """Rows of each run."""
        return np.diff(self.bounds)

    @cached_property
    def sizes(self) -> Floats:
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

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.target.ranks.size

    def present(self) -> "Runs":
        """The same without those rows."""
        places, target = np.sort(self.order), self.target
        here = ByTarget.of(target.rows[places], target.values[target.ranks[places]], target.weights[places])
        return replace(self, target=here, order=np.searchsorted(places, self.order), missing=self.missing[:0])

    def division(self, branch: Integers, n_branches: int, _: int) -> tuple[float, float, Floats]:
        """(gain, 0, weights float64[B]) of branches by run, int64[m], the last of them for the missing rows alone."""
        of_rows = self._branch_of_rows(branch, n_branches - 1)
        sizes = np.bincount(of_rows, weights=self.target.weights, minlength=n_branches).astype(np.float64)
        return self._gain(float(self._divided(of_rows, n_branches)[0].sum())), 0.0, sizes

    # -- the best split

    def ask(self, how: int, search: Search) -> Answer:
        """The best split in one way, as `search.tally.Runs.ask`."""
        segment, alone = self._segments(how, search)
        n, least = int(segment.max()) + 1, search.min_leaf
        parts = self if np.array_equal(segment, np.arange(segment.size)) else self._together(segment)
        eps = float(tolerance(kernel_code(search.criterion), self._node / self._total))
        if is_cut(how):
            best = parts._best_cut(eps, least)
        elif has_many_branches(how):
            best = parts._each_apart(eps, least)
        elif how == ONE_VS_REST:
            best = parts._one_vs_rest(eps, least)
        elif n + (self.miss_rows > 0) <= EXACT_LEVELS:
            best = parts._groups_by_enumeration(eps, least)
        else:
            best = parts._groups_by_ordering(eps, least)
        if best is None:
            return Answer(0.0, 0.0, -1, -1, n, alone, segment)
        gain, side, missing = best
        if how == GROUPS and side[0] == 1:  # side 0 holds the first run
            side, missing = 1 - side, 1 - missing
        branch = side[segment]
        return Answer(
            gain, 0.0, missing, int(np.count_nonzero(branch == 0)) - 1 if is_cut(how) else -1, n, alone, branch
        )

    def _segments(self, how: int, search: Search) -> tuple[Integers, int]:
        """(which runs are taken together, int64[m]; how many levels stand alone)."""
        m = self.codes.size
        segment, alone = np.arange(m), m
        if how in (BUCKET_CUT, BUCKETS):
            divide_into_buckets(self.sizes[:, None], OF_COUNTS, search.buckets, segment)
        elif how == POOLED:
            alone = int(pool_levels(self.rows, search.pool, segment)[1])
        elif how in (GROUPS, ONE_VS_REST):  # rare levels in the place of the first of them
            rare = self.rows < search.pool
            segment = np.unique(np.where(rare, int(np.argmax(rare)), segment), return_inverse=True)[1].astype(np.int64)
        elif how not in (CUT, BOUNDARY, MULTIWAY):
            raise ValueError(f"There is no way {how} to split a column by absolute errors.")
        return segment, alone

    def _together(self, segment: Integers) -> "Runs":
        """The runs of each segment as one."""
        of_row = np.repeat(segment, self.rows)
        bounds = np.append(0, np.cumsum(np.bincount(of_row))).astype(np.int64)
        return replace(self, order=self.order[np.argsort(of_row, kind="stable")], bounds=bounds)

    def _best_cut(self, eps: float, min_leaf: int) -> Best:
        """The best of all cuts, with the missing rows on either side; after the last run: present from missing."""
        m, n_missing = self.rows.size, self.missing.size
        apart = np.empty((2, m))
        for side in (0, 1) if n_missing else (0,):
            before, after = self._running(bool(n_missing) and side == 0, False), self._running(side == 1, True)
            apart[side] = before + np.append(after[1:], self._missing_alone if side == 1 else 0.0)
        if not n_missing:
            apart[1] = apart[0]
        best = self._best_in_two(apart, np.cumsum(self.sizes), np.cumsum(self.rows), eps, min_leaf)
        return None if best is None else (best[0], (np.arange(m) > best[1]).astype(np.int64), best[2])

    def _best_in_two(
        self, apart: Floats, left: Floats, n_left: Integers, eps: float, min_leaf: int
    ) -> tuple[float, int, int] | None:
        """(gain, place, side of the missing rows) of the best division in two, the first of equal ones; None for none.

        Args:
            apart: float64[2, c], the deviation of both branches by the side of the missing rows.
            left, n_left: float64[c], int64[c], weight and number of the rows on side 0 that have a value.
        """
        n_missing, n_rows = self.missing.size, self.target.ranks.size
        toward = (left < (self.sizes.sum() - left) * (1.0 - ROUNDING)).astype(np.int64)  # as `larger_side`
        allowed = may_part(np.stack((n_left + n_missing, n_left)), n_rows, min_leaf)
        gains = np.where(allowed, np.maximum((self._node - apart) / self._total, 0.0), -np.inf)
        sides = np.stack((toward, 1 - toward) if n_missing else (toward,))
        tried = np.take_along_axis(gains, sides, axis=0).T
        if (tried == -np.inf).all():
            return None
        place, turn = divmod(int(np.argmax(tried >= tried.max() - eps)), len(sides))
        return float(tried[place, turn]), place, int(sides[turn, place])

    def _groups_by_enumeration(self, eps: float, min_leaf: int) -> Best:
        """The best of all divisions into two groups; the missing rows, if there are any, are one level more."""
        sizes = np.append(self.rows, self.missing.size)[: self.rows.size + (self.missing.size > 0)]
        best: Best = None
        for mask in range(1, 1 << (sizes.size - 1)):
            side = np.array([(mask << 1 >> i) & 1 for i in range(sizes.size)], dtype=np.int64)
            if not may_part(int(sizes[side == 0].sum()), int(sizes.sum()), min_leaf):
                continue
            of_run = side[: self.rows.size]
            by_side = np.bincount(of_run, weights=self.sizes, minlength=2).tolist()
            missing = int(side[-1] if sizes.size > of_run.size else larger_side(*by_side))
            gain = self._gain(float(self._divided(self._branch_of_rows(of_run, missing), 2)[0].sum()))
            if best is None or gain > best[0] + eps:
                best = gain, of_run, missing
        return best

    def _groups_by_ordering(self, eps: float, min_leaf: int) -> Best:
        """The same for many levels: the better of the best cuts along the order of medians and of means, the missing
        rows tried on both sides of every cut."""
        m, target = self.rows.size, self.target
        medians = self._divided(self._branch_of_rows(np.arange(m), m), m + 1)[1][:m]
        sums = np.add.reduceat((target.weights * target.values[target.ranks])[self.order], self.bounds[:-1])
        best: Best = None
        means = sums / self.sizes
        for order in (np.lexsort((means, medians)), np.argsort(means, kind="stable")):
            found = self._together(np.argsort(order))._best_cut(eps, min_leaf)
            if found is not None and (best is None or found[0] > best[0] + eps):
                best = found[0], found[1][np.argsort(order)], found[2]
        return best

    def _one_vs_rest(self, eps: float, min_leaf: int) -> Best:
        """One run from all others; the missing rows go with it or with them, or stand alone, which is tried last."""
        m, n_missing = self.rows.size, self.missing.size
        parts, every = (self.order, self.bounds), np.arange(self.target.ranks.size)
        apart = np.empty((2, m))  # by the side of the missing rows
        apart[:] = self._changed(*parts, self.missing, 1.0) + self._changed(*parts, self.order, -1.0)
        if n_missing:
            apart[1] = self._changed(*parts, self.missing[:0], 1.0) + self._changed(*parts, every, -1.0)
        found = self._best_in_two(apart, self.sizes, self.rows, eps, min_leaf)
        best = None if found is None else (found[0], (np.arange(m) != found[1]).astype(np.int64), found[2])
        if n_missing and may_part(n_missing, self.target.ranks.size, min_leaf):
            of_run = np.ones(m, dtype=np.int64)
            gain = self._gain(float(self._divided(self._branch_of_rows(of_run, 0), 2)[0].sum()))
            if best is None or gain > best[0] + eps:
                best = gain, of_run, 0
        return best

    def _each_apart(self, eps: float, min_leaf: int) -> Best:
        """One branch for each run. The missing rows join the one with which they gain most; ties: the one with more
        weight, then the lower one."""
        n = self.rows.size
        first, stop = open_branches(self.rows, self.missing.size, min_leaf)
        if first == stop:
            return None
        apart = self._divided(self._branch_of_rows(np.arange(n), n), n + 1)[0][:n]
        if not self.missing.size:
            return self._gain(float(apart.sum())), np.arange(n), heaviest(self.sizes)
        joined = self._changed(self.order, self.bounds, self.missing, 1.0)
        gains = np.maximum((self._node - (apart.sum() - apart + joined)[first:stop]) / self._total, 0.0)
        equal = first + np.flatnonzero(gains >= gains.max() - eps)
        missing = int(equal[heaviest(self.sizes[equal])])
        return float(gains[missing - first]), np.arange(n), missing

    # -- deviations from the medians

    @cached_property
    def _total(self) -> float:
        """The weight of the node."""
        return float(self.target.weights.sum())

    @cached_property
    def _node(self) -> float:
        """Σ w|y − median| of the node."""
        return float(self._divided(np.zeros(self.target.ranks.size, dtype=np.int64), 1)[0][0])

    @cached_property
    def _missing_alone(self) -> float:
        """The same of the rows without a value."""
        return float(self._divided(self._branch_of_rows(np.zeros(self.rows.size, dtype=np.int64), 1), 2)[0][1])

    def _gain(self, deviation: float) -> float:
        """The gain of a division whose branches deviate by so much together."""
        return max((self._node - deviation) / self._total, 0.0)

    def _divided(self, branch: Integers, n_branches: int) -> tuple[Floats, Floats]:
        """(deviation, median) of every branch, float64[B] each, when int64[n] is the branch of every row."""
        target = self.target
        found = np.empty(n_branches), np.empty(n_branches)
        branch_deviations(target.order, target.values[target.ranks], target.weights, branch, *found)
        return found

    def _branch_of_rows(self, of_run: Integers, of_missing: int) -> Integers:
        """int64[n]: the branch of every row, from those of the runs and of the missing rows."""
        branch = np.empty(self.target.ranks.size, dtype=np.int64)
        branch[self.order] = np.repeat(of_run, self.rows)
        branch[self.missing] = of_missing
        return branch

    def _running(self, with_missing: bool, backwards: bool) -> Floats:
        """float64[m]: the deviation of the runs up to each one, or from each one on, with the missing rows or not."""
        first, order, bounds = self.missing if with_missing else self.missing[:0], self.order, self.bounds
        if backwards:
            order, bounds = order[::-1], (order.size - bounds)[::-1]
        order, bounds, out = np.append(first, order), np.append(0, bounds + first.size), np.empty(bounds.size)
        running_deviations(self.target.ranks, self.target.weights, self.target.values, order, bounds, out)
        return out[:0:-1] if backwards else out[1:]

    def _changed(self, order: Integers, bounds: Integers, base: Integers, sign: float) -> Floats:
        """float64[b]: the deviation of the rows `base` with (sign 1) or without (−1) those of each part of `order`."""
        target, out = self.target, np.empty(bounds.size - 1)
        of_row, size = target.ranks[base], target.values.size
        weights = np.bincount(of_row, target.weights[base], size)
        passed = np.append(0.0, np.cumsum(weights)), np.append(0.0, np.cumsum(weights * target.values))
        part = np.repeat(np.arange(out.size), np.diff(bounds))
        by_value = order[np.lexsort((target.ranks[order], part))]
        changed_deviations(target.ranks, target.weights, target.values, by_value, bounds, *passed, sign, out)
        return out

    def cut_gains(self, column: Column, cuts: Floats, missing: int, _: int = 0, min_leaf: int = 0) -> Floats:
        """As `search.tally.Runs.cut_gains`."""
        if self.rows.size == 0:
            return np.zeros(cuts.size)
        alone, places = self._missing_alone, np.searchsorted(positions(column, self.codes), cuts, side="right")
        left = np.append(alone if missing == 0 else 0.0, self._running(missing == 0, False))[places]
        right = np.append(self._running(missing == 1, True), alone if missing == 1 else 0.0)[places]
        gains = np.maximum((self._node - left - right) / self._total, 0.0)
        n_left = np.append(0, np.cumsum(self.rows))[places] + self.missing.size * (missing == 0)
        return np.where(may_part(n_left, self.target.ranks.size, min_leaf), gains, np.nan) if min_leaf else gains


def gain_in(inside: NodeRows, branch: NDArray[np.uint16], n_branches: int) -> float:
    """What a split gains on the training rows of a node, from the branch of every row of it."""
    numbers, weights, of = _of_part(inside, branch, TRAIN)
    return branches_gain(numbers, weights, of, n_branches)


def gain_on(inside: NodeRows, branch: NDArray[np.uint16], n_branches: int) -> float:
    """What a split gains on the validation rows of a node: by how much the medians of the training rows of its
    branches are nearer to them than that of the node, on average. A branch without training rows has the node's."""
    numbers, weights, of = _of_part(inside, branch, TRAIN)
    judged, shares, away = _of_part(inside, branch, VALIDATION)
    total = float(shares.sum())
    if not total > 0:
        return np.nan
    usual = _deviations(numbers, weights, np.zeros_like(of), 1)[1][0]
    medians = _deviations(numbers, weights, of, n_branches)[1]
    medians = np.where(np.isnan(medians), usual, medians)
    return float((shares * (np.abs(judged - usual) - np.abs(judged - medians[away]))).sum()) / total


def cut_gains_on(heard: Runs, judged: Runs, column: Column, cuts: Floats, missing: int) -> Floats:
    """`gain_on` of each cut of a column with an order, float64[c], as `Runs.cut_gains`.

    Args:
        heard, judged: the training rows, whose medians are the answers, and the rows that are judged.
    """
    total, saved = float(judged.target.weights.sum()), np.zeros(cuts.size)
    if not total > 0:
        return np.full(cuts.size, np.nan)
    numbers, weights = heard.target.values[heard.target.ranks], heard.target.weights
    usual = float(_deviations(numbers, weights, np.zeros(numbers.size, dtype=np.int64), 1)[1][0])
    for backwards in (False, True):
        first = missing == int(backwards)  # whether missing rows are in this branch
        (order, bounds), (others, ends) = (_along(runs, column, cuts, first, backwards) for runs in (heard, judged))
        medians, lost = np.empty((2, bounds.size - 1))
        running_medians(heard.target.ranks, weights, heard.target.values, order, bounds, medians)
        medians[np.isnan(medians)] = usual
        by_target = judged.target
        running_losses(by_target.ranks, by_target.weights, by_target.values, others, ends, medians, lost)
        saved -= lost[:-1] if not backwards else lost[-2::-1]
    whole = float((judged.target.weights * np.abs(judged.target.values[judged.target.ranks] - usual)).sum())
    return (whole + saved) / total


def _along(runs: Runs, column: Column, cuts: Floats, with_missing: bool, backwards: bool) -> tuple[Integers, Integers]:
    """(rows in the order of the c + 1 ranges between the cuts, where each of them begins); missing rows first."""
    sizes = np.bincount(np.searchsorted(cuts, positions(column, runs.codes)), runs.rows, cuts.size + 1).astype(np.int64)
    order, first = runs.order, runs.missing if with_missing else runs.missing[:0]
    if backwards:
        order, sizes = order[::-1], sizes[::-1]
    bounds = np.append(0, np.cumsum(sizes) + first.size)
    return np.append(first, order), bounds.astype(np.int64)


def _of_part(inside: NodeRows, branch: NDArray[np.uint16], wanted: int) -> tuple[Floats, Floats, Integers]:
    """(y, weights, branch) of the rows of one part of a node that count."""
    part, _, numbers, weights = inside.gathered
    shares = weights if weights.size else np.ones(numbers.size)
    used = (part == wanted) & (shares > 0)
    return numbers[used], shares[used], branch[used].astype(np.int64)


def impurity(y: ArrayLike, weights: ArrayLike = ()) -> float:
    """Σ w|y − median| ÷ Σ w of numbers y, [n], with weights [n], or empty for 1; 0 without any weight.

    Raises:
        InputError: there are not as many weights as numbers.
    """
    numbers, shares = _weighed(y, weights)
    total = float(shares.sum())
    branch = np.zeros(numbers.size, dtype=np.int64)
    return float(_deviations(numbers, shares, branch, 1)[0][0]) / total if total > 0 else 0.0


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
    whole = _deviations(numbers, shares, np.zeros_like(of), 1)[0][0]
    return max(float(whole - _deviations(numbers, shares, of, n_branches)[0].sum()) / total, 0.0)


def _weighed(y: ArrayLike, weights: ArrayLike) -> tuple[Floats, Floats]:
    """(y, weights) as float64[n] each."""
    numbers, shares = np.asarray(y, dtype=np.float64).ravel(), np.asarray(weights, dtype=np.float64).ravel()
    if shares.size == 0:
        shares = np.ones(numbers.size)
    if shares.size != numbers.size:
        raise InputError(tr(
            "There are {weights} weights for {numbers} numbers; give one for each, or none.", weights=shares.size,
            numbers=numbers.size))  # fmt: skip
    return numbers, shares


def _deviations(y: Floats, weights: Floats, branch: Integers, n_branches: int) -> tuple[Floats, Floats]:
    """(Σ w|y − median|, median) of every branch, float64[B] each; rows of weight 0 do not count."""
    used = weights > 0
    y, weights, branch = y[used], weights[used], branch[used]
    found = np.empty(n_branches), np.empty(n_branches)
    branch_deviations(np.argsort(y, kind="stable"), y, weights, branch, *found)
    return found
