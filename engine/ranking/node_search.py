"""The search of one node: the best split of every column, in the order of their merit.

`engine.candidates` shows all of them; growing takes the first that is good enough. Both see the same here.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.kernels import split_information
from engine.ranking.weighing import (
    Counts,
    Values,
    comparison,
    counts_of_present,
    values_of,
    values_of_rows,
    with_missing,
)
from engine.runtime.progress import Progress
from engine.runtime.threads import Workers
from engine.search.best_split import best_split, leaves_missing, training_rows
from engine.search.column_search import Found, crowded, scales_of
from engine.search.kernels.count import count_dense
from engine.search.kernels.rules import rank_columns
from engine.search.large_cuts import Cut, LargeNodeCuts, worth_counting_twice
from engine.search.lookahead import search_ahead
from engine.search.options import Search
from engine.search.surrogates import with_surrogates
from engine.search.tally import NodeRows, Tally
from engine.significance.adjusted import MANY, Comparison
from engine.significance.kernels import CUTS
from engine.significance.permutation import ROWS, Target, seed_of_rows
from engine.significance.single import Evidence
from engine.splits import bind, branch_of_rows
from engine.table.column import Column
from engine.table.table import Table

M_OF_N = -1  # the place of a split that is of no single column


@dataclass(frozen=True, eq=False)
class Look:
    """What the search of one column found at a node.

    Attributes:
        place: of the column in the table, or M_OF_N.
        found: the split, if there is one.
        ahead, ahead_tie: what it gains with two levels; NaN where only one was looked at.
        counted: the column's tally, if the search made one.
        cut: the cut and the counts of its branches, if it was found without a tally.
    """

    place: int
    found: Found
    ahead: float = math.nan
    ahead_tie: float = 0.0
    counted: Tally | None = None
    cut: Cut | None = None

    @property
    def merit(self) -> float:
        """What `min_gain` is compared with."""
        return self.found.gain if math.isnan(self.ahead) else self.ahead


def searched_table(table: Table, search: Search) -> Table:
    """The table whose target is searched: with the binned criteria the bins are its classes."""
    return table.binned(search.bins) if search.by_bins else table


def search_node(
    inside: NodeRows,
    search: Search,
    workers: Workers,
    progress: Progress,
    tell: Callable[[Look], object] | None = None,
) -> list[Look]:
    """What every feature that is not locked offers, in the table's order, then m-of-n; a stop leaves some out.

    `tell` is called with each column as soon as it is searched, from any thread; not with two levels or m-of-n, which
    have to be compared first.
    """
    if search.lookahead > 1:
        found = search_ahead(inside, search, workers, progress)
        return [Look(place, ahead.found, ahead.gain, ahead.tie) for place, ahead in found]
    features, done = search.features_of(inside.table), [""]
    _ = inside.gathered  # made once, before the threads ask for it
    cuts = LargeNodeCuts(inside, search) if worth_counting_twice(inside, search) else None

    def look(place: int) -> Look | None:
        if progress.stopped:
            return None
        cut = cuts.find(place) if cuts is not None else None
        if cut is not None:
            one = Look(place, cut.found, cut=cut)
        else:
            best = best_split(inside, place, search)
            one = Look(place, best.found, counted=best.counted)
        done.append(inside.table.columns[place].name)
        if tell is not None:
            tell(one)
        return one

    def report() -> None:
        progress.report((len(done) - 1) / len(features), done[-1])

    looks = [one for one in workers.map(look, features, report) if one is not None]
    return looks + _m_of_n(inside, search, progress) if search.m_of_n else looks


def _m_of_n(inside: NodeRows, search: Search, progress: Progress) -> list[Look]:
    from engine.search.m_of_n import climb

    training = training_rows(inside)
    climbed = None if progress.stopped else climb(training, search, progress)
    if climbed is None:
        return []
    found = Found(climbed.split, climbed.gain, climbed.tie, log_tries=log_climbs(training, search, len(climbed.steps)))
    train = count_branches(training, Look(M_OF_N, found)).train
    sizes = train.sum(axis=1) if inside.table.task == "classes" else train[:, 0].copy()
    return [Look(M_OF_N, replace(found, information=float(split_information(sizes))))]


def log_climbs(training: NodeRows, search: Search, n_steps: int) -> float:
    """Of how many climbs of this length the best could have been taken: each step has two operators."""
    columns = (training.table.columns[place] for place in search.features_of(training.table))
    literals = max(2 * sum(n_present(column, training.rows) for column in columns), 1)  # a node may have no rows
    return math.log(literals) + (n_steps - 1) * math.log(2 * literals)


def n_present(column: Column, rows: NDArray[Any]) -> int:
    """How many values of a column some rows have, missing as one. (`np.unique` keeps all other threads waiting.)"""
    has = np.zeros(column.n_values + 1, dtype=np.bool_)
    has[column.codes[rows]] = True
    return int(np.count_nonzero(has))


def count_branches(inside: NodeRows, look: Look) -> Counts:
    """The branches of the split that was found, counted in the target of `inside`, which may be another one."""
    split = look.found.split
    assert split is not None
    n_branches = split.n_branches
    if look.cut is not None:
        return Counts(look.cut.train, look.cut.validation, look.cut.rows)
    if look.place == M_OF_N or split.surrogates:
        return count_rows(inside, branch_of_rows(split, inside.table, inside.rows), n_branches)
    counted = look.counted or inside.count(look.place)
    return with_missing(_present(inside, look, counted), split, counted)


def _present(inside: NodeRows, look: Look, counted: Tally) -> Counts:
    """The same of the rows that have the value of the column."""
    split = look.found.split
    assert split is not None
    return counts_of_present(bind(split, inside.table).branches(counted.codes), split.n_branches, counted)


def completed(inside: NodeRows, look: Look, search: Search) -> Look:
    """The same with the surrogates of its split, where missing "surrogate" wants them."""
    split = look.found.split
    if split is None or look.place == M_OF_N or not leaves_missing(inside.table.columns[look.place], search):
        return look
    return replace(look, found=replace(look.found, split=with_surrogates(inside, look.place, split, search)))


def count_rows(inside: NodeRows, branch: NDArray[np.uint16], n_branches: int) -> Counts:
    """Counts from the branch of every row."""
    n_stats = inside.table.n_stats
    codes = branch.astype(np.uint32) + np.uint32(1)  # 0 would be missing
    found, stats, rows = count_dense(codes, *inside.gathered, n_branches + 1, n_stats, inside.n_parts)
    counted, n_rows = np.zeros((2, n_branches, n_stats)), np.zeros(n_branches, dtype=np.int64)
    counted[: inside.n_parts, found.astype(np.int64) - 1] = stats[:, 1:]
    n_rows[found.astype(np.int64) - 1] = rows[0, 1:]
    return Counts(counted[0], counted[1], n_rows)


# -- which is the best


def ranked(looks: list[Look], inside: NodeRows, search: Search) -> Iterator[Look]:
    """Those with a split, the best first; by two levels where two were looked at."""
    usable = [look for look in looks if look.found.split is not None]
    if not usable:
        return
    value, eps, tie_eps = scales_of(inside.trained, search)
    if search.lookahead > 1:
        yield from _by_ahead(usable, eps, tie_eps)
        return
    founds = [look.found for look in usable]
    gains, ties = np.array([found.gain for found in founds]), np.array([found.tie for found in founds])
    ratios = np.array([ratio(found) for found in founds])
    code = kernel_code(search.criterion)
    left_out = _crowded(usable, inside.table, search)
    yield usable[rank_columns(gains, ties, ratios, left_out, code, value, 1)[0]]  # growing wants no more than this
    yield from (usable[i] for i in rank_columns(gains, ties, ratios, left_out, code, value, gains.size)[1:])


def _crowded(usable: list[Look], table: Table, search: Search) -> NDArray[np.bool_]:
    """bool[len(usable)]: what the guard of the gain ratio leaves out of its average; empty for none."""
    left_out = crowded(table, [max(look.place, 0) for look in usable], search)
    return left_out & np.array([look.place != M_OF_N for look in usable]) if left_out.size else left_out


def ratio(found: Found) -> float:
    """The gain ratio of a split that was found by information gain; 0 where all weight is in one branch."""
    return found.gain / found.information if found.information > 0 else 0.0


def gains_enough(inside: NodeRows, look: Look, search: Search) -> bool:
    """Whether a split gains `min_gain`, but for rounding."""
    return look.merit >= search.min_gain - scales_of(inside.trained, search)[1]


def _by_ahead(usable: list[Look], eps: float, tie_eps: float) -> Iterator[Look]:
    """By what two levels gain, its tie, then by what the split gains itself; equal ones in the table's order."""
    merits: list[tuple[Callable[[Look], float], float]] = [
        (lambda look: look.ahead, eps), (lambda look: look.ahead_tie, tie_eps), (lambda look: look.found.gain, eps),
    ]  # fmt: skip
    left = list(usable)
    while left:
        best = left
        for merit, slack in merits:
            top = max(map(merit, best))
            best = [look for look in best if merit(look) >= top - slack]
        yield best[0]
        left.remove(best[0])


def first_significant(inside: NodeRows, looks: list[Look], search: Search) -> Look | None:
    """The best split that `significance` lets pass: its adjusted p-value times the number of columns that have one."""
    in_order = ranked(looks, inside, search)
    if search.significance is None:
        return next(in_order, None)
    n_columns = sum(look.found.split is not None for look in looks)
    if search.significance <= 0:
        return None
    needed, target = math.log(search.significance / max(n_columns, 1)), Target.of(inside)
    for look in in_order:
        proof = evidence_of(inside, look, count_branches(inside, look), search, target, needed)
        if proof.log_adjusted <= needed:
            return look
    return None


def evidence_of(
    inside: NodeRows, look: Look, counts: Counts, search: Search, target: Target, needed: float = 0.0
) -> Evidence:
    """The test of a split that a search found, from the counts of its branches; of those rows that had a say.

    Args:
        target: of the training rows of `inside`. needed: see `Comparison.evidence`.
    """
    split = look.found.split
    assert split is not None
    if look.place == M_OF_N:  # the values of many columns: no bound from them
        return Comparison(target, look.found.log_tries).evidence(counts.train, needed)
    many = look.cut is not None and look.found.n_values > MANY + 1 and not inside.table.weights_are_counts
    if look.cut is not None and many and len(counts.rows) == 2 and target.n > ROWS:
        lacking = look.cut.n_missing  # a formula tells, and needs no rows of each value
        sizes = np.array([target.n - lacking])
        compared = Comparison(target, look.found.log_tries, CUTS, sizes, lacking, min_leaf=search.min_leaf)
        return compared.evidence(counts.train, needed)
    column, values = inside.table.columns[look.place], _values(inside, look, target)
    if look.found.apart:
        counts = _present(inside, look, look.counted or inside.count(look.place))
        target, values = Target.of(present_rows(inside, column)), values._replace(lacking=0)
    return comparison(column, search, target, split, values).evidence(counts.train, needed)


def present_rows(inside: NodeRows, column: Column) -> NodeRows:
    """The rows of a node that have the value of a column."""
    return replace(inside, rows=inside.rows[column.codes[inside.rows] > 0])


def _values(inside: NodeRows, look: Look, target: Target) -> Values:
    """The values of the training rows."""
    training, column = training_rows(inside), inside.table.columns[look.place]
    if look.counted is not None:
        return values_of(look.counted, inside.table.task, target, seed_of_rows(column.codes, training.rows))
    return values_of_rows(column, training)
