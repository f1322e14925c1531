"""What one split is worth at one node: its branches, gain, scores, evidence and validation gain.

The search and a split made by hand end here, and both from the same counts: a `ByValue` holds a node's target by the
value of one column, added up once, so that a cut that is dragged costs two look-ups and no pass over the rows.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.criteria import BINNED, CRITERIA, criteria_for, kernel_code
from engine.criteria.kernels import branches_gain, split_information
from engine.criteria.losses import gain_on
from engine.runtime.sentences import tr
from engine.search import absolute, quinlan
from engine.search.column_search import leaves_missing, log_tries, way
from engine.search.kernels.branches import is_enough
from engine.search.kernels.split_kinds import BUCKET_CUT, BUCKETS, CUT, ONE_VS_REST
from engine.search.kernels.split_kinds import GROUPS as TWO_GROUPS
from engine.search.options import Search
from engine.search.tally import Counts, NodeRows, Runs, Tally, as_in_tree, positions, weights_of
from engine.significance.adjusted import Comparison, Evidence
from engine.significance.kernels import CUTS, EACH, GROUPS
from engine.significance.kernels import ONE_VS_REST as ONE_LEVEL
from engine.significance.permutation import Target
from engine.splits import Split
from engine.splits.binding import branch_of_codes
from engine.table.column import Column
from engine.table.partition import VALIDATION

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Candidate:
    """A split of one node by one column.

    Statistics are float64[S], as in `Tree.train`: of a numeric target (Σw, Σwy, Σw(y - mean)²) from `Table.origin`.

    Attributes:
        column: its name; "m of n" for a split of that kind.
        split: None if there is none.
        gain: impurity of the node less the mean impurity of the branches, on training rows; NaN without a split.
            For the gain ratio that is the information gain, for LogWorth the Gini gain; these stand in `scores`.
        penalty: what was taken off it before columns were compared, see `engine.search.quinlan`.
        scores: by criterion, what this split gains; for "gain_ratio" gain ÷ split information, for the criteria that
            rank by evidence the same as `logworth`. Of a numeric target the squared error, the chosen one, and both
            that are binned where one of them is chosen.
        logworth: -log₁₀ of the p-value adjusted for the search, see `significance.adjusted`; by the binned criteria of
            the bins.
        validation_gain: by how much the training answers of the branches lower the loss of the validation rows, see
            `engine.criteria.losses`: negative where they mislead; NaN if there are no such rows in the node.
        train, validation: the statistic of every branch.
        rows: training rows of every branch, unweighted.
        missing: training rows of the node in which the column is missing.
        reason: why there is no split, in words; of a split made by hand, what forbids it to the search. Else empty.
        ahead: with lookahead 2 what the split and the best one below each of its branches gain together; else NaN.
        alternatives: further splits of the column that are the best of their neighbourhood, the best first; as many
            as were asked for.
        evidence: the test behind `logworth`; None without a split, and of sampling weights that are only counted.
        reweighed: `train` with the classes as they weigh in the search, where altered priors reweigh them; else empty.
    """

    column: str
    split: Split | None
    gain: float
    scores: dict[str, float]
    logworth: float
    validation_gain: float
    train: tuple[Floats, ...]
    validation: tuple[Floats, ...]
    rows: tuple[int, ...]
    missing: int
    reason: str = ""
    ahead: float = np.nan
    alternatives: tuple["Candidate", ...] = ()
    evidence: Evidence | None = None
    reweighed: tuple[Floats, ...] = ()
    penalty: float = 0.0


@dataclass(frozen=True, eq=False)
class GainsByRows:
    """The gain by the absolute error of cutting after each value of a column; medians do not add up.

    Attributes:
        train, validation: float64[2, m + 1], by the side of missing rows; place i is the cut after i values, m the
            one that parts present from missing rows.
        present: float64[m + 1], what the training rows that have the value gain among themselves.
    """

    train: Floats
    validation: Floats
    present: Floats

    @classmethod
    def of(cls, inside: NodeRows, column: Column, counted: Tally) -> "GainsByRows":
        """Of a column with an order; counted: its tally, whose values the cuts are between."""
        ends = np.append(-np.inf, positions(column, counted.codes))
        runs, unseen = (
            absolute.Runs.of(column, target) for target in (inside.by_target, inside.by_target_of(VALIDATION))
        )
        train = np.stack([runs.cut_gains(column, ends, side) for side in (0, 1)])
        validation = np.stack([absolute.cut_gains_on(runs, unseen, column, ends, side) for side in (0, 1)])
        return cls(
            train, validation, runs.present().cut_gains(column, ends, 0) if counted.missing_rows_train else train[0]
        )


@dataclass(frozen=True, eq=False)
class ByValue:
    """A node's target by the value of one column.

    Attributes:
        counted: in the table's target. searched: in the target that is searched, which may be its bins.
        task: "classes" or "number", of the target. centre: see `engine.search.tally.NodeRows`.
        target: the one that is searched, for tests. target_of_present: of the rows that have the value.
        present: the values that training rows have.
        has_validation: whether the node has validation rows.
        n: how many training rows these are together; Σ of frequencies.
        units: see `NodeRows.units_of`; empty where whole rows are searched.
        by_rows: for the absolute error, of a column with an order.
        associated: the test of the column itself, where columns are ranked by that.
    """

    column: Column
    search: Search
    task: str
    centre: float
    counted: Tally
    searched: Tally
    target: Target
    target_of_present: Target
    present: "Values"
    has_validation: bool
    n: float
    units: Integers
    by_rows: GainsByRows | None = None
    associated: Evidence | None = None

    @property
    def nbytes(self) -> int:
        """What is kept, in bytes; the sums take as much as the counts."""
        tallies = (self.counted,) if self.searched is self.counted else (self.counted, self.searched)
        return sum(2 * (one.train.nbytes + one.validation.nbytes + one.rows_train.nbytes) for one in tallies)

    def weigh(self, split: Split) -> Candidate | None:
        """What a split of the column is worth; None if the counts by value do not tell: with surrogates, or by the
        absolute error of anything but one cut of a column with an order."""
        if split.column != self.column.name or split.kind == "m_of_n" or split.surrogates:
            return None
        if (split.kind == "threshold") != self.column.is_numeric:
            return None
        gains = self._gains_by_rows(split)
        if gains is None and self.search.by_rows:
            return None
        own, present = self._counts(split, self.counted), self._counts(split, self.searched, with_missing=False)
        by, apart = own if self.searched is self.counted else self._counts(split, self.searched), self.apart(split)
        tested = present if apart else by
        if self.is_reweighed:
            tested = self._counts(split, self.counted, with_missing=not apart)
        proof = self.associated or self.compared(split).evidence(tested.train)
        return weighed(
            split, self.task, self.centre, self.search, own, by, present, apart, gains, proof,
            self.counted.missing_rows_train, self._penalty(split),
        )  # fmt: skip

    def _penalty(self, split: Split) -> float:
        """What is taken off the gain of the split."""
        how = way(self.column, self.search)
        if split.n_branches != 2 or how is None or not quinlan.pays(how, self.search):
            return 0.0
        runs = self.runs
        return quinlan.penalty(how, runs.rows, self.n, runs.n_classes, self.search, runs.unit)

    # -- counts

    def sizes(self, split: Split) -> Floats:
        """float64[B]: the training weight of each branch in the search; of the rows that have a say."""
        return weights_of(self._counts(split, self.searched, not self.waits(split)).train, self.by_class)

    @property
    def by_class(self) -> bool:
        """Whether classes are searched, or bins of the target."""
        return self.task == "classes" or self.searched is not self.counted

    @property
    def is_reweighed(self) -> bool:
        """Whether classes weigh more or less in the search than they count."""
        return self.task == "classes" and self.searched is not self.counted

    @cached_property
    def every(self) -> Runs:
        """The values of the training rows, as they are searched."""
        runs = Runs.of(self.searched, self.by_class)
        return runs.in_units(self.units) if self.units.size else runs

    @cached_property
    def runs(self) -> Runs:
        """The values of the training rows that have a say, as they are searched."""
        runs = self.every
        return runs.present() if leaves_missing(self.column, self.search) else runs

    @cached_property
    def sums(self) -> tuple[Floats, Floats, Integers]:
        """(train, validation float64[m + 1, S], rows int64[m + 1]) before each place, of `counted`."""
        return _running(self.counted)

    @cached_property
    def searched_sums(self) -> tuple[Floats, Floats, Integers]:
        """The same of `searched`."""
        return self.sums if self.searched is self.counted else _running(self.searched)

    def _counts(self, split: Split, counted: Tally, with_missing: bool = True) -> Counts:
        if split.kind == "threshold":
            ends = np.concatenate(([0], self._ends(split), [counted.codes.size])).astype(np.int64)
            sums = self.sums if counted is self.counted else self.searched_sums
            parts = [np.diff(array[ends], axis=0) for array in sums]
            if split.has_missing_branch:
                parts = [np.concatenate((part, np.zeros_like(part[:1]))) for part in parts]
            found = Counts(*map(np.ascontiguousarray, parts))
        else:
            branch = branch_of_codes(split, self.column)[counted.codes]
            found = Counts.of_present(branch, split.n_branches, counted)
        return found.with_missing(split.missing, counted, self.by_class) if with_missing else found

    def _ends(self, split: Split) -> Integers:
        """int64[t]: how many of the values that are present stand up to each threshold."""
        values = self.column.values
        codes = np.searchsorted(values, np.array(split.thresholds), side="right")  # the last code up to each
        present = self.counted.codes  # of their own type: else all of them would be converted
        return np.searchsorted(present, codes.astype(present.dtype), side="right").astype(np.int64)

    def waits(self, split: Split) -> bool:
        """Whether rows that lack the value have no say, as in a search with missing "surrogate"."""
        if split.divides:
            return True
        plain = split.n_branches == 2 and split.thresholds != (np.inf,)
        return self.search.missing == "surrogate" and leaves_missing(self.column, self.search) and plain

    def apart(self, split: Split) -> bool:
        """Whether there are training rows that lack the value and have no say."""
        return self.waits(split) and self.counted.missing_rows_train > 0

    def _gains_by_rows(self, split: Split) -> tuple[float, float] | None:
        """(gain, validation gain) by the absolute error; None if this is not one cut."""
        if self.by_rows is None or split.n_branches != 2 or split.has_missing_branch or split.divides:
            return None
        if split.kind == "threshold":
            end, first = int(self._ends(split)[0]), 0
        else:
            branch = branch_of_codes(split, self.column)[self.counted.codes]
            changes = np.flatnonzero(np.diff(branch)) + 1
            if changes.size > 1:
                return None
            end, first = int(np.append(changes, branch.size)[0]), int(branch[0]) if branch.size else 0
        missing = split.missing ^ first  # whether missing rows go with the values after the cut
        gain = self.by_rows.present[end] if self.apart(split) else self.by_rows.train[missing, end]
        return float(gain), float(self.by_rows.validation[missing, end]) if self.has_validation else math.nan

    # -- evidence

    def compared(self, split: Split) -> Comparison:
        """What the search of the column compares, kept by the form of the split: a cut that is dragged keeps it."""
        apart = self.apart(split)
        form = (split.n_branches, has_missing_branch(split), apart)
        order = self.column.kind == "ordered"
        key = (*form, follows_order(self.column, split, self.present.codes)) if order else form
        target = self.target_of_present if apart else self.target
        if key not in self._comparisons:
            values = self.present._replace(lacking=0) if apart else self.present
            self._comparisons[key] = comparison(self.column, self.search, target, split, values)
        return self._comparisons[key]

    @cached_property
    def _comparisons(self) -> dict[tuple[Any, ...], Comparison]:
        return {}


def weighed(
    split: Split, task: str, centre: float, search: Search, own: Counts, by: Counts, present: Counts, apart: bool,
    gains: tuple[float, float] | None, proof: Evidence, lacking: int, penalty: float = 0.0,
) -> Candidate:  # fmt: skip
    """A split that somebody made, as it is shown; see `made`.

    Args:
        own, by: its branches as the table counts them, and as they are searched. present: of this one, those of
            the rows that have a value; all, where m of n asks no single column. apart: whether only these have a say.
        gains: (gain, gain on validation rows) of the rows that have a say, where counts do not tell them.
        proof: its test. penalty: see `Candidate`.
    """
    heard, by_class = present if apart else by, search.by_bins or task == "classes"
    whole, sizes = float(weights_of(by.train, by_class).sum()), weights_of(present.train, by_class)
    lost = max(whole - float(sizes.sum()), 0.0)  # the weight of the rows without a value
    if gains is None:
        seen = gain_on(search.criterion, by.train, by.validation, by.row_weight(by_class))
        gains = float(branches_gain(kernel_code(search.criterion), heard.train)[0]), seen
    share = float(sizes.sum()) / max(whole, 1e-300) if apart else 1.0
    information = float(split_information(np.append(sizes, 0.0 if apart and not split.divides else lost)))
    least = search
    if split.kind == "threshold" and split.n_branches == 2 and task == "classes":
        least = quinlan.limited(CUT, int(present.rows.sum()), own.train.shape[1], search)
    return made(
        split, task, centre, search, own, gains[0] * share, information, gains[1], proof, lacking,
        reason=objection(split, own.rows, least), searched=None if by is own else by.train, penalty=penalty,
    )  # fmt: skip


def made(
    split: Split, task: str, centre: float, search: Search, counts: Counts, gain: float, information: float,
    seen: float, proof: Evidence, lacking: int, ahead: float = math.nan, reason: str = "",
    searched: Floats | None = None, penalty: float = 0.0,
) -> Candidate:  # fmt: skip
    """A split as it is shown.

    Args:
        counts: its branches in the table's target. gain, information, seen: of the target that is searched: the gain,
            the split information, the validation gain.
        lacking: training rows in which the column is missing.
        searched: the branches as they are searched, where that is not as the table counts them: in the bins of a
            numeric target, or with reweighed classes.
    """
    classes, chosen = task == "classes", CRITERIA[search.criterion]
    bins, seen_as = (None, counts.train if searched is None else searched) if classes else (searched, counts.train)
    known = [one for one in criteria_for(task) if one.is_counted or (one.name in BINNED and bins is not None)]
    known = [  # the test is one of the bins, or of another kind
        one for one in known
        if not one.by_evidence or (bins is None and one.by_association == chosen.by_association)
    ]  # fmt: skip
    stats = {one.name: seen_as if one.is_counted else bins for one in known}
    scores = {one.name: float(branches_gain(kernel_code(one.name), stats[one.name])[0]) for one in known}
    scores[chosen.measures if chosen.by_score else chosen.name] = gain
    for one in known:
        if one.by_ratio:
            scores[one.name] = (scores[one.measures] - penalty) / information if information > 0 else 0.0
        elif one.by_evidence:
            scores[one.name] = proof.logworth
    train, validation = (part if classes else as_in_tree(part, centre) for part in (counts.train, counts.validation))
    return Candidate(
        "m of n" if split.kind == "m_of_n" else split.column, split, gain,
        scores, proof.logworth, seen, tuple(train), tuple(validation), tuple(map(int, counts.rows)), lacking, reason,
        ahead, evidence=None if math.isnan(proof.logworth) else proof,
        reweighed=tuple(seen_as) if seen_as is not counts.train else (), penalty=penalty,
    )  # fmt: skip


def objection(split: Split, rows: Integers, search: Search) -> str:
    """Why a search would not make a split with so many rows in its branches; empty if it might.

    One branch for each level has branches without rows where a level has none.
    """
    filled, min_leaf = rows[rows > 0], search.min_leaf
    if filled.size < 2:
        return tr("all rows take one branch")
    least = int((filled if split.kind == "groups" and search.nominal == "multiway" else rows).min())
    if rows.size > 2 and search.min_leaf_in == "two":
        least = int(np.sort(rows)[-2])
    if is_enough(least, min_leaf):
        return ""
    if least == 1:
        return tr("a branch has 1 row, fewer than {most:,}", most=min_leaf)
    return tr("a branch has {rows:,} rows, fewer than {most:,}", rows=least, most=min_leaf)


class Values(NamedTuple):
    """The values of a column that the training rows of a node have, as tests count them.

    codes: [m]. rows: int64[m], of each value; sizes: int64[m], the same as the target counts them, see `Target.n`.
    lacking: those that lack the value and have a say.
    """

    codes: NDArray[Any]
    rows: Integers
    sizes: Integers
    lacking: int


def values_of(inside: NodeRows, target: Target, counted: Tally) -> Values:
    """Of a column; counted: its tally. target: of the rows of the node."""
    has, lacking = counted.rows_train > 0, counted.missing_rows_train
    rows = sizes = counted.rows_train[has]
    if target.n != int(rows.sum()) + lacking:
        by_class = inside.table.task == "classes"
        weights = np.append(weights_of(counted.train[has], by_class), weights_of(counted.missing_train, by_class))
        ends = np.rint(np.cumsum(weights)).astype(np.int64)  # of parts of rows, too, as many as change places
        sizes, lacking = np.diff(ends[:-1], prepend=0), int(np.diff(ends, prepend=0)[-1])
    return Values(counted.codes[has], rows, sizes, lacking)


def comparison(column: Column, search: Search, target: Target, split: Split, values: Values) -> Comparison:
    """What the search of a column compares when it makes splits of this form."""
    how, own = way(column, search), has_missing_branch(split)
    branches, sizes, lacking = split.n_branches - own, values.sizes, values.lacking
    beyond = target.n - int(sizes.sum()) - lacking  # by rounding: a permutation deals out just as many rows
    if beyond and sizes.size:
        sizes = sizes + beyond * (np.arange(sizes.size) == int(np.argmax(sizes)))
    cut = split.kind == "threshold" or (column.kind == "ordered" and follows_order(column, split, values.codes))
    if how in (BUCKET_CUT, BUCKETS):
        buckets = min(search.buckets if how == BUCKET_CUT else branches, sizes.size)  # of about equally many rows
        ends = np.linspace(0, int(sizes.sum()), buckets + 1).astype(np.int64)
        sizes = ends[1:] - ends[:-1]
    elif search.pool > 1 and not cut and (values.rows < search.pool).any():
        rare = values.rows < search.pool
        sizes = np.append(sizes[~rare], sizes[rare].sum())
    m, beside = sizes.size, lacking > 0 and not own
    if branches > 2:
        tries = math.log(branches) if beside else 0.0
        if branches < m and cut:  # of how many ways to divide m values into so many branches
            tries += math.lgamma(m) - math.lgamma(branches) - math.lgamma(m - branches + 1)
        elif branches < m:  # an upper bound
            tries += m * math.log(branches) - math.lgamma(branches + 1)
        if cut and branches < m:
            return Comparison(target, tries)
        return Comparison(target, tries, EACH, sizes, lacking)
    least = search.min_leaf if target.n == int(values.rows.sum()) + lacking else 1
    form = CUTS if cut else ONE_LEVEL if how == ONE_VS_REST else GROUPS
    counted = {CUTS: CUT, ONE_LEVEL: ONE_VS_REST, GROUPS: TWO_GROUPS}[form]
    tries = log_tries(counted, m, beside) if m + beside > 1 else 0.0
    if tries == 0.0 and not (own and lacking):
        form = EACH
    return Comparison(target, tries, form, sizes, lacking, own and lacking > 0, least)


def has_missing_branch(split: Split) -> bool:
    """Whether rows without the value have a branch of their own beside those that part the values.

    All levels against the missing rows is no such split: it is one of the ways to make two groups of both.
    """
    if split.divides:
        return False
    alone = split.kind == "groups" and not split.groups[split.missing] and split.unseen != split.missing
    return split.has_missing_branch or (alone and split.n_branches > 2)


def follows_order(column: Column, split: Split, codes: NDArray[np.uint32]) -> bool:
    """Whether the branches of levels follow their order."""
    branch = branch_of_codes(split, column)[codes]
    return bool(np.count_nonzero(np.diff(branch)) < split.n_branches)


def _running(counted: Tally) -> tuple[Floats, Floats, Integers]:
    train, rows = sums_before(counted.train), sums_before(counted.rows_train)
    if counted.n_validation == 0:
        return train, np.broadcast_to(np.zeros(1), train.shape), rows
    return train, sums_before(counted.validation), rows


def sums_before(array: NDArray[Any]) -> NDArray[Any]:
    """[m + 1, ...]: the sums of the first 0..m entries."""
    sums = np.empty((array.shape[0] + 1, *array.shape[1:]), array.dtype)
    sums[0] = 0
    for rest in np.ndindex(array.shape[1:]):  # one by one: along the first of two axes NumPy keeps Python's lock
        np.cumsum(array[:, *rest], out=sums[1:, *rest])
    return sums
