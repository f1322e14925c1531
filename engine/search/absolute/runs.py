"""The rows of a node by the value of one column, and what divisions of them are made of."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.criteria.absolute_error import ABSOLUTE_ERROR
from engine.criteria.kernels import (
    branch_deviations,
    changed_deviations,
    larger_side,
    running_deviations,
    split_information,
    tolerance,
)
from engine.search.column_search import heaviest
from engine.search.tally import ByTarget
from engine.splits import Split
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
