"""The tally: how the target is distributed over the values of one column at one node.

Gains, thresholds, p-values, validation figures and the counts of the branches are functions of it; nothing
else looks at rows. A numeric target is counted as (Σw, Σwy, Σwy²), sums that add, with y measured from `Table.origin`
or, for the search of a node, from a centre near the mean of its training rows: as in growing, sums around it keep
their digits where the node's spread is small. `as_in_tree` turns those into what a `Tree` holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.kernels import ROUNDING, branches_gain, centre_of
from engine.runtime.progress import Progress
from engine.search.kernels.branches import cut_gains
from engine.search.kernels.count import count_dense
from engine.search.kernels.split_kinds import BUCKET_CUT, BUCKETS, CUT, has_many_branches, is_cut, search_runs
from engine.search.options import Search
from engine.splits import DIVIDED, branch_shares
from engine.table.column import Column
from engine.table.partition import TRAIN, VALIDATION
from engine.table.table import Table

IN_CACHE = 1 << 16  # entries of a counting table that still fit the second-level cache
UNIT = 1_000_000  # parts of a row that are equal in this many parts are equal, as in Weka's J48
WORTH_CLEARING = 16  # entries per row up to which clearing the table costs less than numbering the codes present


@dataclass(frozen=True, eq=False)
class Tally:
    """Training and validation rows of one node by the value of one column.

    Tallies of the same table, target and column add: `a + b` is the tally of both nodes together, and of counts
    `a + b - b` is `a`.

    Attributes:
        codes: uint32[m] ascending, those present among training or validation rows, without 0 (missing).
        train, validation: [m, S] sufficient statistics; int64 for classes without weights, else float64.
        rows_train, rows_validation: int64[m], unweighted.
        missing_train, missing_validation: [S], the rows in which the column is missing.
        missing_rows_train, missing_rows_validation: how many those are.
    """

    codes: NDArray[np.uint32]
    train: NDArray[Any]
    validation: NDArray[Any]
    rows_train: NDArray[np.int64]
    rows_validation: NDArray[np.int64]
    missing_train: NDArray[Any]
    missing_validation: NDArray[Any]
    missing_rows_train: int
    missing_rows_validation: int

    @property
    def n_train(self) -> int:
        """How many training rows were counted."""
        return int(self.rows_train.sum()) + self.missing_rows_train

    @property
    def n_validation(self) -> int:
        """How many validation rows were counted."""
        return int(self.rows_validation.sum()) + self.missing_rows_validation

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return self.codes.nbytes + 2 * (self.train.nbytes + self.rows_train.nbytes)

    def __add__(self, other: "Tally") -> "Tally":
        codes = np.union1d(self.codes, other.codes)
        mine, theirs = np.searchsorted(codes, self.codes), np.searchsorted(codes, other.codes)

        def added(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
            total = np.zeros((codes.size, *a.shape[1:]), dtype=np.result_type(a, b))
            total[mine] += a
            total[theirs] += b
            return total

        return Tally(
            codes, added(self.train, other.train), added(self.validation, other.validation),
            added(self.rows_train, other.rows_train), added(self.rows_validation, other.rows_validation),
            self.missing_train + other.missing_train, self.missing_validation + other.missing_validation,
            self.missing_rows_train + other.missing_rows_train,
            self.missing_rows_validation + other.missing_rows_validation,
        )  # fmt: skip

    def __sub__(self, other: "Tally") -> "Tally":
        theirs = np.searchsorted(self.codes, other.codes)

        def rest(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
            left = a.copy()
            left[theirs] -= b
            return left

        rows = rest(self.rows_train, other.rows_train), rest(self.rows_validation, other.rows_validation)
        here = (rows[0] > 0) | (rows[1] > 0)
        return Tally(
            self.codes[here], rest(self.train, other.train)[here], rest(self.validation, other.validation)[here],
            rows[0][here], rows[1][here],
            self.missing_train - other.missing_train, self.missing_validation - other.missing_validation,
            self.missing_rows_train - other.missing_rows_train,
            self.missing_rows_validation - other.missing_rows_validation,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Counts:
    """The branches of a split: train and validation float64[B, S] around the node's centre, rows int64[B] (train);
    unseen_rows int64[B], validation rows, where values were counted."""

    train: NDArray[np.float64]
    validation: NDArray[np.float64]
    rows: NDArray[np.int64]
    unseen_rows: NDArray[np.int64] | None = None

    def row_weight(self, by_class: bool) -> float:
        """The mean weight of a training row."""
        return float(weights_of(self.train, by_class).sum()) / max(int(self.rows.sum()), 1)

    @classmethod
    def of_present(cls, branch: NDArray[Any], n_branches: int, counted: Tally) -> "Counts":
        """Of the rows that have a value, from the branch of each value counted, [m]."""
        branch = branch.astype(np.int64)
        train, validation = (sum_branches(branch, stats, n_branches) for stats in (counted.train, counted.validation))
        rows, unseen = (
            np.bincount(branch, weights=n_rows, minlength=n_branches).astype(np.int64)
            for n_rows in (counted.rows_train, counted.rows_validation)
        )
        return cls(train, validation, rows, unseen)

    def with_missing(self, missing: int, counted: Tally, by_class: bool) -> "Counts":
        """The same with the rows that have none, which are added to their branch in place; to all of them where they
        are divided, by what the training rows weigh there."""
        if missing == DIVIDED:
            shares = branch_shares(weights_of(self.train, by_class))
            self.train[:] += np.outer(shares, counted.missing_train)
            self.validation[:] += np.outer(shares, counted.missing_validation)
            self.rows[:] += counted.missing_rows_train
            if self.unseen_rows is not None:
                self.unseen_rows[:] += counted.missing_rows_validation
            return self
        self.train[missing] += counted.missing_train
        self.validation[missing] += counted.missing_validation
        self.rows[missing] += counted.missing_rows_train
        if self.unseen_rows is not None:
            self.unseen_rows[missing] += counted.missing_rows_validation
        return self


class ByTarget(NamedTuple):
    """The rows of one part of one node by a numeric target, for criteria that look at rows.

    Attributes:
        rows: int64[n], the row numbers, ascending.
        values: float64[d], the distinct targets, ascending, measured as in `NodeRows.gathered`.
        ranks: int64[n], which of them each row has.
        order: int64[n], the places in `rows` by ascending target.
        weights: float64[n].
    """

    rows: NDArray[np.int64]
    values: NDArray[np.float64]
    ranks: NDArray[np.int64]
    order: NDArray[np.int64]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, rows: NDArray[np.int64], numbers: NDArray[np.float64], weights: NDArray[np.float64]) -> "ByTarget":
        """From the targets of the rows, float64[n]."""
        values, ranks = np.unique(numbers, return_inverse=True)
        return cls(rows, values, ranks.astype(np.int64), np.argsort(ranks, kind="stable"), weights)


@dataclass(frozen=True, eq=False)
class NodeRows:
    """One node's training and validation rows, looked up once for all of its columns.

    Attributes:
        rows: int64[n], the row numbers, ascending.
        n_parts: 2 if validation rows are among them, else 1.
        centre: what is taken off a numeric target, beside `Table.origin`, before it is counted.
    """

    table: Table
    rows: NDArray[np.int64]
    n_parts: int
    centre: float = 0.0

    @classmethod
    def of(cls, table: Table, rows: NDArray[Any], share: NDArray[np.float64] | None = None) -> "NodeRows":
        """From row numbers in ascending order, whatever their part; share: which part of each row stands there."""
        table = table if share is None else table.divided_rows(rows, share)
        part = table.part[rows]
        used = (part == TRAIN) | (part == VALIDATION)
        return cls(table, rows[used].astype(np.int64), 2 if (part == VALIDATION).any() else 1)

    @classmethod
    def root(cls, table: Table) -> "NodeRows":
        """All that are used."""
        return cls(table, table.used, 2 if table.n_validation else 1)

    def centred(self) -> "NodeRows":
        """The same rows with a numeric target measured from near the mean of the training rows."""
        if self.table.task == "classes":
            return self
        numbers, weights = self.training.gathered[2:]
        if not numbers.size:
            return self
        with np.errstate(over="ignore", invalid="ignore"):
            total, weight = (
                ((weights * numbers).sum(), weights.sum()) if weights.size else (numbers.sum(), numbers.size)
            )
            ends = float(numbers.min()), float(numbers.max())
            return replace(self, centre=float(centre_of(float(total), float(weight), *ends)))

    def units_of(self, column: Column) -> NDArray[np.int64]:
        """int64[n_values + 1]: what the training rows of each code are together where parts of rows are searched, in
        `UNIT`s of a row."""
        assert self.table.share is not None
        rows = self.training.rows
        of_code = np.bincount(column.codes[rows], UNIT * self.table.share[rows], column.n_values + 1)
        return np.rint(of_code).astype(np.int64)

    @property
    def size_of_parts(self) -> float:
        """How many rows the training rows are together where parts of rows are searched; Σ of frequencies."""
        of = self.table.weights if self.table.weights_are_counts else self.table.share
        assert of is not None
        return float(of[self.training.rows].sum())

    @property
    def as_counted(self) -> "NodeRows":
        """The same rows as tests count them: without the factors of reweighed classes."""
        return self if self.table.as_counted is self.table else replace(self, table=self.table.as_counted)

    @cached_property
    def training(self) -> "NodeRows":
        """The same node without its validation rows."""
        if self.n_parts == 1:
            return self
        return replace(self, rows=self.rows[self.table.part[self.rows] == TRAIN], n_parts=1)

    def having(self, column: Column) -> "NodeRows":
        """The rows that have the value of a column."""
        return replace(self, rows=self.rows[column.codes[self.rows] > 0])

    def lacking(self, place: int) -> int:
        """The training rows that lack the value of the column at this place."""
        if place not in self.table.lacking:
            return 0
        return int(np.count_nonzero(self.table.columns[place].codes[self.training.rows] == 0))

    def prepare(self, places: Sequence[int], progress: Progress) -> None:
        """Looks up, once and before threads ask for it, what the tallies of these columns need."""
        _ = self.gathered

    @property
    def n_train(self) -> int:
        """How many training rows there are."""
        return self.training.rows.size

    @property
    def by_count(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Of training rows that are only counted: a numeric target's values, and how many rows have each, both empty
        for classes; None where the rows themselves are at hand."""
        return None

    @cached_property
    def gathered(self) -> tuple[NDArray[Any], ...]:
        """(part, labels, numbers, weights) of these rows, as the kernels want them; what does not apply is empty."""
        table, classes, nothing = self.table, self.table.task == "classes", np.empty(0)
        labels, numbers = (table.y, nothing) if classes else (np.empty(0, dtype=np.uint16), table.y)
        weights = nothing if table.weights is None else table.weights
        every: tuple[NDArray[Any], ...] = (table.part, labels, numbers, weights)
        if self.rows.size < table.n_rows:
            every = tuple(array[self.rows] if array.size else array for array in every)
        part, labels, numbers, weights = every
        return part, labels, numbers if classes else numbers - self.centre, weights

    @cached_property
    def trained(self) -> NDArray[np.float64]:
        """float64[S]: the statistic of the training rows."""
        nowhere = np.zeros(self.rows.size, dtype=np.uint32)
        _, stats, _ = count_dense(nowhere, *self.gathered, 1, self.table.n_stats, 1)
        return np.asarray(stats[0, 0])

    @cached_property
    def by_target(self) -> "ByTarget":
        """The training rows by their numeric target."""
        return self.by_target_of(TRAIN)

    def by_target_of(self, wanted: int) -> "ByTarget":
        """The rows of a part by their numeric target."""
        part, _, numbers, weights = self.gathered
        places = np.flatnonzero(part == wanted)
        share = weights[places] if weights.size else np.ones(places.size)
        return ByTarget.of(self.rows[places], numbers[places], share)

    def count(self, column_index: int) -> Tally:
        """The tally of one column, all statistics float64."""
        column = self.table.columns[column_index]
        codes, n_codes, n_stats = column.codes[self.rows], column.n_values + 1, self.table.n_stats
        present = None
        if n_codes * n_stats > min(IN_CACHE, WORTH_CLEARING * codes.size):
            present, codes = numbered(codes, n_codes)
            n_codes = present.size
        found, stats, rows = count_dense(codes.astype(np.uint32), *self.gathered, n_codes, n_stats, self.n_parts)
        if self.n_parts == 1:
            stats, rows = (np.concatenate((part, np.zeros_like(part))) for part in (stats, rows))
        return Tally(
            found if present is None else present[found], stats[0, 1:], stats[1, 1:], rows[0, 1:], rows[1, 1:],
            stats[0, 0], stats[1, 0], int(rows[0, 0]), int(rows[1, 0]),
        )  # fmt: skip

    def count_branches(self, branch: NDArray[np.uint16], n_branches: int) -> Counts:
        """The branches of a split, from that of every row."""
        n_stats = self.table.n_stats
        codes = branch.astype(np.uint32) + np.uint32(1)  # 0 would be missing
        found, stats, rows = count_dense(codes, *self.gathered, n_branches + 1, n_stats, self.n_parts)
        counted, n_rows = np.zeros((2, n_branches, n_stats)), np.zeros(n_branches, dtype=np.int64)
        counted[: self.n_parts, found.astype(np.int64) - 1] = stats[:, 1:]
        n_rows[found.astype(np.int64) - 1] = rows[0, 1:]
        return Counts(counted[0], counted[1], n_rows)


@dataclass(frozen=True, eq=False)
class Runs:
    """The training rows of a tally, as the kernels want them: only values that some of these rows have.

    Attributes:
        codes: uint32[m]; stat: float64[m, S]; rows: int64[m]; miss_stat: float64[S]; miss_rows: how many.
        by_class: whether the statistics are class weights.
        unit: what a row is in `rows` and `miss_rows`: 1, or `UNIT` where parts of rows are searched.
    """

    codes: NDArray[np.uint32]
    stat: NDArray[np.float64]
    rows: NDArray[np.int64]
    miss_stat: NDArray[np.float64]
    miss_rows: int
    by_class: bool
    unit: int = 1

    @classmethod
    def of(cls, counted: Tally, by_class: bool, unseen: bool = False) -> "Runs":
        """From a tally whose statistics are float64; unseen: of its validation rows."""
        codes, stat, rows = counted.codes, counted.train, counted.rows_train
        lacking = counted.missing_train, counted.missing_rows_train
        if unseen:
            stat, rows = counted.validation, counted.rows_validation
            lacking = counted.missing_validation, counted.missing_rows_validation
        if not rows.all():
            codes, stat, rows = codes[rows > 0], stat[rows > 0], rows[rows > 0]
        return cls(codes, stat, rows, *lacking, by_class)

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """float64[m]: the weight of each run."""
        return weights_of(self.stat, self.by_class)

    @property
    def missing_weight(self) -> float:
        """The weight of the rows without a value."""
        return float(weights_of(self.miss_stat, self.by_class))

    @property
    def n_classes(self) -> int:
        """How many classes, or bins of a numeric target, are searched; else 0."""
        return self.stat.shape[1] if self.by_class else 0

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self.rows.sum()) + self.miss_rows

    def in_units(self, of_code: NDArray[np.int64]) -> "Runs":
        """The same with what the rows of each code are together, see `NodeRows.units_of`."""
        return replace(self, rows=of_code[self.codes], miss_rows=int(of_code[0]), unit=UNIT)

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
        return float(gain), float(tie), weights_of(branches, self.by_class)

    def cut_gains(
        self, column: Column, cuts: NDArray[np.float64], missing: int, code: int, min_leaf: int = 0
    ) -> NDArray[np.float64]:
        """float64[c]: the gain of each cut of a column with an order; NaN where `min_leaf` forbids it, 0 forbids none.

        Args:
            cuts: float64[c], thresholds, ascending; of ordered levels numbers between the places of two.
            missing: the side of the rows that lack the value. code: the criterion.
        """
        at, stat, rows, gains = positions(column, self.codes), self.stat, self.rows, np.empty(cuts.size)
        if at.size != cuts.size + 1 or not ((at[:-1] <= cuts) & (cuts < at[1:])).all():  # else all are apart already
            segment = np.searchsorted(cuts, at, side="left")
            rows = np.bincount(segment, rows, cuts.size + 1).astype(np.int64)
            stat = sum_branches(segment, stat, cuts.size + 1)
        cut_gains(stat, rows, self.miss_stat, self.miss_rows, code, min_leaf, missing, gains)
        return gains if min_leaf else np.nan_to_num(gains, nan=0.0)

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


def sum_branches(branch: NDArray[np.int64], stats: NDArray[np.float64], n_branches: int) -> NDArray[np.float64]:
    """Adds up stats float64[m, S] by branch int64[m]: float64[n_branches, S]."""
    n_stats = stats.shape[1]
    cells = branch[:, None] * n_stats + np.arange(n_stats)
    sums = np.bincount(cells.ravel(), stats.ravel(), n_branches * n_stats)
    return sums.reshape(n_branches, n_stats).astype(np.float64, copy=False)


def positions(column: Column, codes: NDArray[Any]) -> NDArray[np.float64]:
    """Where codes from 1 on stand on the axis: their values, or the number of the level."""
    places = codes.astype(np.int64) - 1
    return column.values[places] if column.is_numeric else places.astype(np.float64)


def weights_of(stats: NDArray[np.float64], by_class: bool) -> NDArray[np.float64]:
    """The weight of statistics float64[..., S], of classes or of a numeric target, C-contiguous."""
    return np.asarray(stats.sum(axis=-1) if by_class else stats[..., 0], order="C")


def power_sums(
    slot: NDArray[np.integer[Any]], beyond: NDArray[np.float64], weight: NDArray[Any], n: int, power: int
) -> NDArray[np.float64]:
    """float64[power + 1, n]: Σ weight · beyond^k by slot, k = 0 … power."""
    sums = []
    for _ in range(power + 1):
        sums.append(np.bincount(slot, weight, n))
        weight = weight * beyond
    return np.array(sums, np.float64)


def heaviest(sizes: NDArray[np.float64]) -> int:
    """The place of the largest weight; of those that are equal but for rounding the first."""
    return int(np.argmax(sizes >= sizes.max() * (1.0 - ROUNDING)))


def tally(table: Table, rows: NDArray[Any], column_index: int, progress: Progress | None = None) -> Tally:
    """Counts one node's training and validation rows by the values of a column.

    Args:
        rows: row numbers, ascending, of any part; `Assignment.rows_of` gives them for a leaf.
        column_index: the column's place in the table.
        progress: reported to once, at the end; one column is too short to be stopped.
    """
    counted = NodeRows.of(table, rows).count(column_index)
    if progress is not None:
        progress.report(1.0)
    if table.task == "number" or table.weights is not None:
        return counted
    names = ("train", "validation", "missing_train", "missing_validation")  # exact, though counted in float64
    return replace(counted, **{name: getattr(counted, name).astype(np.int64) for name in names})


def as_in_tree(stats: NDArray[np.float64], centre: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """A numeric target's (Σw, Σwy, Σw(y - mean)²) with y from `Table.origin`, from sums of y - centre, [..., 3].

    The squares are good to rounding of the spread that the whole node has.
    """
    weight, total, squares = np.moveaxis(stats, -1, 0)
    mean = np.divide(total, weight, out=np.zeros(weight.shape), where=weight > 0)
    return np.stack((weight, total + weight * centre, np.maximum(squares - total * mean, 0.0)), axis=-1)


def numbered(codes: NDArray[Any], n_codes: int) -> tuple[NDArray[np.uint32], NDArray[Any]]:
    """(0 and the codes present, ascending; the place of each code among those)."""
    if n_codes > WORTH_CLEARING * codes.size:
        present, places = np.unique(np.append(codes, codes.dtype.type(0)), return_inverse=True)
        return present.astype(np.uint32), places[:-1]
    has = np.zeros(n_codes, dtype=np.bool_)
    has[0] = has[codes] = True
    return np.flatnonzero(has).astype(np.uint32), (np.cumsum(has, dtype=np.uint32) - np.uint32(1))[codes]
