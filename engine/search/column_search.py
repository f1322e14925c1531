"""The best split of one column at one node: from its tally to a split that names values.

A threshold is the midpoint of the two adjacent values present among the node's training rows. Levels that none
of these rows has, and levels unknown to the table, take the larger branch; an ordered column keeps those beyond
its cut on their side. Where a branch stands for the rest, of one level or of pooled ones, they take that.

With missing "branch" the rows that lack the value get a branch of their own wherever training rows of the node do. The
node is then (missing | present), and what is left to choose is the best split of the present rows:

    gain = gain of (missing | present) + share of the present rows · gain of their split

Which side missing rows take otherwise, and what `min_leaf` forbids, is decided in `engine.search.kernels.branches`.
`min_leaf` holds for that branch, too; where it has fewer rows, or nothing separates the present ones, missing rows
go into the branch that gains most, as ever.

With missing "surrogate" a column is split into two branches by the rows that have its value, and the gain is theirs
times their share of the node; where the missing rows go is found later, see `search.surrogates`. Splits into many
branches learn where missing rows go, as ever. With missing "fractional" that is so for every split (C4.5): each branch
has a part of these rows, and the split information counts them as a branch of their own.
"""

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, DEFAULT, kernel_code
from engine.criteria.kernels import larger_side, scales, split_information, tolerance
from engine.runtime.sentences import tr
from engine.search import absolute
from engine.search.choices import LEVELS
from engine.search.kernels.branches import is_enough
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
)
from engine.search.options import Search
from engine.search.quinlan import limited, pays, penalty, too_few
from engine.search.tally import Answer, Counts, NodeRows, Runs, Tally, heaviest
from engine.splits import DIVIDED, Split, threshold_between
from engine.table.column import Column
from engine.table.table import Table

NUMERIC_WAYS = {"cuts": CUT, "boundary_cuts": BOUNDARY, "bucket_cuts": BUCKET_CUT, "bucket_branches": BUCKETS}
NOMINAL_WAYS = {"groups": GROUPS, "one_vs_rest": ONE_VS_REST}
M_OF_N = -1  # the place of a split that is of no single column
TOO_LITTLE = 1e-6  # bits that a cut has to gain beyond its penalty
CROWD = 0.3  # a column of as many levels as this share of the training rows does not count for the average gain


@dataclass(frozen=True, eq=False)
class Found:
    """What the search of one column found.

    Attributes:
        split: None if there is none, and `reason` says why.
        gain, tie: as in `engine.search.kernels.branches`.
        information: the split information in bits.
        log_tries: natural logarithm of the number of partitions compared.
        n_values: of how many values (missing counts as one) the partition was made; fewer than those present where
            buckets or pooled levels were. 0: of all that are present.
        cut: of a cut, the run after which it falls; -1 otherwise.
        branch: int64[m], of each value present among the rows that were searched; empty for splits of many columns.
        apart: whether rows that lack the value had no say, as with missing "surrogate".
        place: of the column in the table, or M_OF_N.
        ahead, ahead_tie: what it gains with two levels; NaN where only one was looked at.
        counted: the column's tally, if the search made one. counts: the branches, if it was found without.
        penalty: what is taken off the gain of a cut before columns are compared, see `engine.search.quinlan`.
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
    place: int = M_OF_N
    ahead: float = math.nan
    ahead_tie: float = 0.0
    counted: Tally | None = None
    counts: Counts | None = None
    penalty: float = 0.0

    @property
    def net(self) -> float:
        """The gain less the penalty: by it columns are compared."""
        return self.gain - self.penalty

    @property
    def merit(self) -> float:
        """What `min_gain` is compared with."""
        return self.net if math.isnan(self.ahead) else self.ahead

    @property
    def ratio(self) -> float:
        """The gain ratio of a split that was found by information gain; 0 where all weight is in one branch."""
        return self.net / self.information if self.information > 0 else 0.0


def way(column: Column, search: Search) -> int | None:
    """How a column is split, see `search.kernels.split_kinds`; None if that would make more branches than can be."""
    if column.is_numeric or column.kind == "ordered":
        return NUMERIC_WAYS[search.numeric] if column.is_numeric else CUT
    each = POOLED if search.pool else MULTIWAY if column.n_values <= MOST_BRANCHES else None
    return NOMINAL_WAYS.get(search.nominal, each)


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
    least = CROWD * table.n_train
    columns = [None if place == M_OF_N else table.columns[place] for place in places]
    return np.array([c is not None and c.kind in LEVELS and c.n_values >= least for c in columns])


def search_column(column: Column, runs: Any, search: Search) -> Found:
    """The best split of a column by the rules of `search`; runs: `Runs`, or `engine.search.absolute.Runs` of rows."""
    how, m, least = way(column, search), runs.codes.size, search.min_leaf
    asked = search if how is None else limited(how, int(runs.rows.sum()), runs.n_classes, search, runs.unit)
    if m == 0:
        reason = tr("all values are missing here") if runs.miss_rows else tr("no training rows here")
    elif how is None:
        reason = tr("{n:,} levels are too many for one branch each", n=column.n_values)
    elif m == 1 and (has_many_branches(how) or runs.miss_rows == 0):
        reason = tr("only one value here")
    else:
        answer = runs.ask(how, asked)
        short = answer.missing >= 0 and asked.min_leaf < least * runs.unit
        short = short and too_few(answer.branch, runs.rows, (answer.missing, runs.miss_rows), least * runs.unit)
        if answer.missing >= 0 and math.isfinite(answer.gain) and not short:
            return make_found(column, how, answer, runs)
        if short:
            reason = tr("fewer than two branches would have {n} rows", n=least)
        elif answer.missing >= 0:
            reason = tr("the sums of the target or of the weights are too large for a number")
        elif answer.segments == 1 and (has_many_branches(how) or runs.miss_rows == 0):
            reason = tr("all levels have fewer than {n} rows here", n=search.pool)
            if how in (BUCKETS, BUCKET_CUT):
                reason = tr("fewer than two buckets here")
        elif has_many_branches(how) and answer.segments > MOST_BRANCHES:
            reason = tr(
                "{n:,} branches are too many: at most {most:,} can be made", n=answer.segments, most=MOST_BRANCHES
            )
        elif has_many_branches(how):
            reason = tr("a branch would have fewer than {n} rows", n=least)
        elif is_cut(how):
            reason = tr("every cut leaves fewer than {n} rows on one side", n=math.ceil(asked.min_leaf / runs.unit))
        elif how == ONE_VS_REST:
            reason = tr("every level against the rest leaves fewer than {n} rows on one side", n=least)
        else:
            reason = tr("every grouping leaves fewer than {n} rows on one side", n=least)
    return Found(None, reason=reason)


def make_found(column: Column, how: int, answer: Answer, runs: Any) -> Found:
    """The split that the kernels found, in values."""
    n_branches = answer.segments if has_many_branches(how) else 2
    sizes = np.bincount(answer.branch, weights=runs.sizes, minlength=n_branches).astype(np.float64)
    information = float(split_information(np.append(sizes, runs.missing_weight)))
    if column.is_numeric:
        values, ends = column.values[runs.codes.astype(np.int64) - 1], np.flatnonzero(np.diff(answer.branch))
        cuts = tuple(threshold_between(float(values[end]), float(values[end + 1])) for end in ends)
        cuts = cuts or (math.inf,)  # after the last value: present from missing
        split = Split(column.name, "threshold", cuts, missing=answer.missing)
    else:
        split = _by_level(column, how, answer, runs, sizes)
    # beside the cuts at label boundaries all others count, too: the labels chose them, so all were compared
    n, lacking = runs.codes.size if how == BOUNDARY else answer.segments, runs.miss_rows > 0
    tried = log_tries(how, n, lacking)
    return Found(split, answer.gain, answer.tie, information, tried, n + lacking, answer.cut, answer.branch)


def log_tries(how: int, n: int, lacking: bool) -> float:
    """The logarithm of how many partitions of `n` values are compared, rows that lack the value being one more."""
    free = n - 1 + lacking  # each of them on the side of the first value, or on the other one
    if how == GROUPS and free >= 50:
        return free * math.log(2.0)
    if is_cut(how):
        tries = 2 * (n - 1) + 1 if lacking else n - 1
    elif has_many_branches(how):
        tries = n if lacking else 1
    elif how == ONE_VS_REST:  # of two levels each is the other's rest, alone or with the missing rows
        tries = 2 * n + 1 if lacking and n > 2 else free + 1 if free > 1 else 1
    elif how == GROUPS:
        tries = 2**free - 1
    else:
        raise ValueError(f"It is not known what the way {how} to split a column compares.")
    return math.log(tries)


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


# -- with missing rows where `search.missing` wants them


def search_at(table: Table, place: int, search: Search) -> Search:
    """The search of one column: where no training row lacks it, none is divided."""
    if search.missing == "fractional" and place not in table.lacking:
        return replace(search, missing="direction")
    return search


def best_split(inside: NodeRows, place: int, search: Search) -> Found:
    """The best split of the column at this place of the table."""
    column, counted, search = inside.table.columns[place], None, search_at(inside.table, place, search)
    if search.by_rows:
        runs: Any = absolute.Runs.of(column, inside.training.by_target)
    else:
        counted = inside.count(place)
        runs = Runs.of(counted, inside.table.task == "classes")
        if inside.table.share is not None:
            runs = runs.in_units(inside.units_of(column))
    weight = runs.n_rows / runs.unit
    if inside.table.weights_are_counts:
        weight = float(runs.sizes.sum()) + runs.missing_weight
    found = less_penalty(best_of_runs(column, runs, search), column, runs, weight, search)
    return replace(found, place=place, counted=counted)


def less_penalty(found: Found, column: Column, runs: Any, weight: float, search: Search) -> Found:
    """The same with its penalty; none is left where that uses up the gain. weight: of all rows, see `penalty`."""
    how = way(column, search)
    if found.split is None or how is None or not pays(how, search):
        return found
    price = penalty(how, runs.rows, weight, runs.n_classes, search, runs.unit)
    if found.gain - price > TOO_LITTLE:
        return replace(found, penalty=price)
    said = {"gain": f"{found.gain:.3g}", "price": f"{price:.3g}"}
    return Found(None, reason=tr("the best cut gains {gain}, no more than the penalty for its choice, {price}", **said))


def best_of_runs(column: Column, runs: Any, search: Search) -> Found:
    """The best split of a column from the counts of its values, or from their rows."""
    lacking = runs.miss_rows if runs.codes.size else 0
    own = search.missing == "branch" and is_enough(lacking, search.min_leaf * runs.unit)
    divided = search.missing == "fractional"
    apart = lacking > 0 and leaves_missing(column, search)
    found = search_column(column, runs.present() if own or apart else runs, search)
    if own and found.split is None:
        return search_column(column, runs, search)
    if found.split is None or not (own or apart):
        return found if found.split is None or not divided else replace(found, split=divided_split(found.split))
    n = int(found.branch.max()) + 1
    gain, tie, sizes = runs.division(found.branch, n + 1, kernel_code(search.criterion))
    if own:
        return replace(with_own_branch(found, sizes), gain=gain, tie=tie)
    present, beside = float(sizes[:-1].sum()), runs.missing_weight  # the present rows alone had a say
    share = present / (present + beside) if present + beside > 0 else 1.0
    if divided:
        split, information = divided_split(found.split), float(split_information(sizes))
    else:
        split, information = replace(found.split, missing=int(larger_side(*sizes[:2].tolist()))), found.information
    gain, tie = found.gain * share, found.tie * share
    return replace(found, split=split, gain=gain, tie=tie, information=information, apart=True)


def leaves_missing(column: Column, search: Search) -> bool:
    """Whether rows that lack the value of a column have no say in its split: they wait for surrogates, or all branches
    share them."""
    how = way(column, search)
    if search.missing == "fractional":
        return how is not None
    return search.missing == "surrogate" and how is not None and not has_many_branches(how)


def divided_split(split: Split) -> Split:
    """The same split, which divides the rows without a value."""
    return replace(split, missing=DIVIDED)


def with_own_branch(found: Found, sizes: NDArray[np.float64]) -> Found:
    """The same split with one more branch, for missing rows only; sizes: float64[B], the weight of each branch."""
    split = found.split
    assert split is not None
    groups = (*split.groups, ()) if split.kind == "groups" else ()
    split = replace(split, groups=groups, missing=split.n_branches)
    return replace(found, split=split, information=float(split_information(sizes)), n_values=found.n_values + 1)
