"""A sequential permutation test: how often does the same search find as much in a target that is dealt out at random?

The null hypothesis: the target's values, each with its sampling weight, say nothing of the column, so they may change
places among the rows. Rows that stand for so many (a frequency) change places one by one. Deals end with the tenth in
which the best split explains at least as much, or where there are enough of them (Besag and Clifford 1991):

    p = 10 ÷ deals, or (as good + 1) ÷ (deals + 1)

The random numbers begin with a digest of the target's codes: the same node gives the same p. All columns meet the same
deals, and those with as many rows of each value share them: numbers that are all different are one test.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.compiler import as_python, may_wait
from engine.search.tally import NodeRows
from engine.significance.kernels import (
    BY_COUNTS,
    BY_ROWS,
    BY_SAMPLE,
    DEALS,
    EQUAL,
    Dealt,
    is_counted,
    make_deals,
    most_deals,
    permute,
    seed_of,
)
from engine.table.partition import TRAIN

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

HITS = 10  # deals that are as good: p is known to a third of itself, LogWorth to 0.14; half of that takes 40
FIRST, AT_ONCE = 16, 1024  # deals between two looks
STEPS = 8  # of dealing, which take as long as one number of another kernel
FARTHEST, BETWEEN = 128, 512  # numbers that tails are made of: the farthest one by one, and blocks of the others
TILTS = np.geomspace(0.02, 40.0, 40)
ROWS = 5_000  # up to so many change places; of more, sums of them are drawn


@dataclass(frozen=True, eq=False)
class Target:
    """The target of a node's training rows, as it is dealt out.

    Attributes:
        n: rows that change places; Σ of frequencies.
        tested: rows that they are worth in a test: n, or of sampling weights Kish's (Σw)² ÷ Σw².
        classes: float64[K], the weight of each class that is there; empty for a numeric target.
        numbers: float64[·], the numeric target with mean 0 and variance 1; empty for classes.
        labels, weights: int64[n], the class of each row, and float64[n], of sampling weights; else empty.
        seed: of the random numbers, see `seed_of_rows`.
        is_known: whether it can be dealt out: of rows with sampling weights that are only counted it cannot.
    """

    n: int
    tested: int
    classes: Floats
    numbers: Floats
    labels: Integers
    weights: Floats
    seed: int = 0
    is_known: bool = True

    @classmethod
    def of(cls, inside: NodeRows) -> "Target":
        """Of the target that `inside` has; see `Table.weights_are_counts`. Classes are not reweighed."""
        inside = inside.as_counted
        if inside.by_count is not None:
            if inside.table.is_sampled:
                none, no_labels = np.empty(0), np.empty(0, np.int64)
                return cls(inside.n_train, 0, none, none, no_labels, none, is_known=False)
            numbers, counts = inside.by_count
            drawn = counts if numbers.size else inside.trained
            return replace(
                cls.of_counts(inside.trained, numbers, counts), seed=int(drawn @ np.arange(1, drawn.size + 1))
            )
        part, labels, numbers, weights = inside.gathered
        some = np.arange(part.size) if inside.n_parts == 1 else np.flatnonzero(part == TRAIN)
        seed = seed_of_rows(inside.table.target_ranks, inside.rows[some])
        weights, numbers = weights[some] if weights.size else weights, numbers[some] if numbers.size else numbers
        if weights.size and inside.table.weights_are_counts:
            return replace(cls.of_counts(inside.trained, numbers, weights), seed=seed)
        if not weights.size:
            return replace(cls.of_rows(inside.trained, numbers), seed=seed)
        tested = round(float(weights.sum()) ** 2 / float(np.square(weights).sum()))
        none, total = np.empty(0), weights / weights.mean()
        if inside.table.task == "number":
            return cls(weights.size, tested, none, _standardised(numbers, total), np.empty(0, np.int64), total, seed)
        found, places = np.unique(labels[some], return_inverse=True)
        classes = np.bincount(places, total, found.size).astype(np.float64)
        return cls(weights.size, tested, classes, none, places.astype(np.int64), total, seed)

    @classmethod
    def of_rows(cls, classes: Floats, numbers: Floats) -> "Target":
        """Of rows that count once: how many are of each class, or the numbers themselves."""
        no_labels = np.empty(0, np.int64)
        if numbers.size:
            numbers = np.sort(numbers) if numbers.size <= ROWS else numbers  # rows in another order have the same p
            return cls(numbers.size, numbers.size, np.empty(0), _standardised(numbers), no_labels, np.empty(0))
        n = round(float(classes.sum()))
        return cls(n, n, classes[classes > 0].astype(np.float64), np.empty(0), no_labels, np.empty(0))

    @classmethod
    def of_counts(cls, classes: Floats, numbers: Floats, counts: Floats) -> "Target":
        """Of rows that stand for so many each."""
        n = round(float(counts.sum()))
        if not numbers.size:
            return cls.of_rows(classes, numbers)
        order, places = np.argsort(numbers), np.arange(n) if n <= ROWS else np.linspace(0, n - 1, 4 * ROWS)
        repeated = numbers[order][np.searchsorted(np.cumsum(counts[order]), places, side="right")]
        return cls(n, n, np.empty(0), _standardised(repeated), np.empty(0, np.int64), np.empty(0))

    @property
    def is_sample(self) -> bool:
        """Whether rows have sampling weights."""
        return self.weights.size > 0

    @cached_property
    def shares(self) -> Floats:
        """float64[K], of the classes."""
        return self.classes / max(float(self.classes.sum()), 1e-300)

    @cached_property
    def pulls(self) -> Floats:
        """float64[·]: what each row pulls a mean by, with mean 0 and variance 1: the number, times its weight."""
        return _standardised(self.numbers * self.weights) if self.is_sample else self.numbers

    @cached_property
    def kurtosis(self) -> float:
        """Of the pulls; 3 for a normal target."""
        return float(np.mean(np.square(np.square(self.pulls)))) if self.pulls.size else 3.0

    @cached_property
    def cumulants(self) -> tuple[tuple[float, Floats], ...]:
        """Of pulls upwards, and of pulls downwards: (the farthest, ln of the mean of exp(tilt · pull) by tilt)."""
        d = self.pulls
        weights = np.ones(d.size)
        if d.size > FARTHEST + BETWEEN:
            far = np.argpartition(-np.abs(d), FARTHEST)
            rest = np.sort(d[far[FARTHEST:]])[:: -(-(d.size - FARTHEST) // BETWEEN)]
            weights = np.concatenate((np.ones(FARTHEST), np.full(rest.size, (d.size - FARTHEST) / rest.size)))
            d = np.concatenate((d[far[:FARTHEST]], rest))
        found = []
        for side in (1.0, -1.0):
            tilted = np.outer(TILTS, side * d)
            most = tilted.max(axis=1)
            mean = np.exp(tilted - most[:, None]) @ (weights / weights.sum())
            found.append((float((side * d).max()), most + np.log(mean)))
        return tuple(found)

    def reach(self, rows: int) -> float:
        """The most that so many rows explain of X², or of the sum of squares of n numbers with variance 1."""
        if self.classes.size and not self.is_sample:
            rarest_first = np.sort(self.classes)
            taken = np.diff(np.minimum(np.cumsum(rarest_first), rows), prepend=0)
            return float(taken @ (self.n / rarest_first - 1.0))
        each = 1.0 / self.shares[self.labels] - 1.0 if self.classes.size else np.square(self.numbers)
        each = each * self.weights if self.is_sample else each
        rest = max(each.size - math.ceil(rows * each.size / self.tested), 0)
        return float(np.partition(each, rest)[rest:].sum()) * self.tested / each.size if rows else 0.0

    def permutations(self, form: int, sizes: Integers, min_leaf: int, own: bool) -> "Permutations":
        """Its deals to such cells, see `Permutations`; kept, for columns that have the same."""
        key = form, sizes.tobytes(), min_leaf, own
        if key not in self._permutations:
            self._permutations.setdefault(key, Permutations(self, form, sizes, min_leaf, own))
        return self._permutations[key]

    @cached_property
    def _permutations(self) -> dict[tuple[int, bytes, int, bool], "Permutations"]:
        return {}

    def rows_of(self, sizes: Integers) -> Integers:
        """The rows of cells, as many as they are worth in a test."""
        if self.tested == self.n:
            return sizes
        ends = np.rint(np.cumsum(sizes) * (self.tested / max(self.n, 1))).astype(np.int64)
        return np.diff(ends, prepend=0)


def seed_of_rows(codes: NDArray[Any], rows: Integers) -> int:
    """A digest of which rows have which codes, whatever their order."""
    return int(((codes[rows].astype(np.int64) + 1) * (rows + 1)).sum())


def _standardised(numbers: Floats, weights: Floats | None = None) -> Floats:
    d = numbers - numbers[:1]  # they may be close together and far from 0
    d = d - np.average(d, weights=weights)
    return np.asarray(d / max(math.sqrt(float(np.average(np.square(d), weights=weights))), 1e-300))


class Permutations:
    """Deals of a target to the cells of a column; what the best split of each explains is kept, for other splits."""

    def __init__(self, target: Target, form: int, sizes: Integers, min_leaf: int = 1, own: bool = False) -> None:
        """See `kernels.make_deals`; sizes: int64[k + 1], rows of each cell, the last of those that lack the value."""
        self._how, self._dealt, sizes = _deal(target, sizes)
        self._sizes = np.ascontiguousarray(sizes, dtype=np.int64)
        self._form, self._min_leaf, self._own = form, min_leaf, own
        self._skewness = float(np.mean(self._dealt.numbers**3)) if self._how == BY_SAMPLE else 0.0
        self._whole = float(self._dealt.weights.sum()) if self._dealt.weights.size else float(self._sizes.sum())
        n = int(self._sizes.sum())
        self.most = int(most_deals(form, self._how, n, self._sizes.size, target.classes.size))
        self._state, self._shares, self._drawing = np.array([seed_of(target.seed)]), np.empty(0), Lock()

    def log_p(self, share: float, needed: float = 0.0) -> tuple[float, int, int]:
        """(ln p, the deals it took, how many of these were as good): how often the best split explains this share.

        Args:
            share: of the variance of the numbers, or the Gini gain.
            needed: ln p that is asked for: no more deals are made than tell on which side of it p lies. 0: p itself.
        """
        sure = math.ceil(HITS * math.exp(-needed)) if needed > -20.0 else self.most
        most, least = self.most if needed == 0.0 else min(self.most, max(sure, FIRST)), share * (1.0 - EQUAL)
        with self._drawing:
            hits = np.flatnonzero(self._shares[:most] >= least)
            while hits.size < HITS and (made := self._shares.size) < most:
                ahead = made * (HITS - hits.size) // max(hits.size, 1)  # as many as the last hits should take
                self._draw(min(max(min(ahead, made), FIRST), AT_ONCE, most - made))
                hits = np.flatnonzero(self._shares >= least)
        if hits.size >= HITS:
            deals = int(hits[HITS - 1]) + 1
            return math.log(HITS / deals), deals, HITS
        return math.log((hits.size + 1) / (most + 1)), most, int(hits.size)

    def _draw(self, deals: int) -> None:
        found = np.empty(deals)
        how = self._form, self._min_leaf, self._own, self._how, self._skewness
        if may_wait(permute, deals * int(self._sizes.sum()) // STEPS, times=5.0):
            as_python(permute, make_deals, *how, self._sizes, self._dealt, self._state, found)
        else:
            permute(DEALS(), *how, self._sizes, self._dealt, self._state, found)
        self._shares = np.append(self._shares, found / self._whole)


def _deal(target: Target, sizes: Integers) -> tuple[int, Dealt, Integers]:
    """How the target is dealt out to cells of so many rows, what is dealt, and the rows of the cells then."""
    none, n, k = np.empty(0), int(sizes.sum()), max(target.classes.size, 1)
    no_labels = np.empty(0, np.int64)
    if n > ROWS and target.is_sample:
        sizes = target.rows_of(sizes)
        n = int(sizes.sum())
    # n rows by class; weights that differ by a factor give the same numbers, whatever their last digits
    totals = np.asarray(np.diff(np.rint(np.round(np.cumsum(target.shares) * n, 9)), prepend=0), np.int64)
    if target.is_sample and target.n <= ROWS:
        return BY_ROWS, Dealt(target.labels.copy(), target.numbers.copy(), target.weights.copy(), totals), sizes
    if not target.classes.size:
        how, numbers = (BY_ROWS, target.numbers.copy()) if n <= ROWS else (BY_SAMPLE, target.pulls)
        return how, Dealt(no_labels, numbers, none, totals), sizes
    if n > ROWS or is_counted(n, sizes.size, k):
        return BY_COUNTS, Dealt(no_labels, none, none, totals), sizes
    return BY_ROWS, Dealt(np.repeat(np.arange(k), totals), none, none, totals), sizes
