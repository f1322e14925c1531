"""The search of one node: the best split of every column, in the order of their merit.

`engine.candidates` shows all of them; growing takes the first that is good enough. Both see the same here.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from engine.criteria import kernel_code
from engine.ranking.weighing import comparison, values_of
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.search.column_search import M_OF_N, Found, best_split, crowded, scales_of
from engine.search.kernels.rules import rank_columns
from engine.search.large_nodes import LargeNodeCuts, worth_counting_twice
from engine.search.lookahead import prepare
from engine.search.m_of_n import search_m_of_n
from engine.search.options import Search
from engine.search.quinlan import observed
from engine.search.tally import Counts, NodeRows
from engine.significance.adjusted import MANY, Comparison, Evidence, Single
from engine.significance.association import association
from engine.significance.kernels import CUTS
from engine.significance.permutation import ROWS, Target
from engine.splits import bind, branch_of_rows
from engine.table.table import Table
from engine.tree.assignment import Assignment, assign
from engine.tree.counting import counted
from engine.tree.marks import SearchWay, criterion_at, excluded_at
from engine.tree.tree import Tree

SAME = 9  # decimals of LogWorth: those that differ by less do so by rounding

# -- which rows, columns and target are searched


def search_as(tree: Tree, search: Search, way: SearchWay) -> Search:
    """The search by the criterion that marks say, if they do.

    Raises:
        InputError: the criterion does not go with the other options.
    """
    if not way.criterion:
        return search
    try:
        return Search.make(tree.task, **{**search.to_dict(), "criterion": way.criterion})
    except InputError as error:
        node = next(node for node, mark in tree.marks.items() if mark.criterion == way.criterion)
        raise InputError(
            tr("Node {node} is searched by {criterion}, but {why}", node=node, criterion=way.criterion, why=error)
        ) from error


def at_node(
    table: Table, tree: Tree, node: int, assignment: Assignment | None, options: dict[str, Any]
) -> tuple[NodeRows, Search]:
    """The rows of one node, and how it is searched by the options and the marks at and above it.

    Raises:
        InputError: an option cannot be used, there is no such node, or as `search_as`.
    """
    search = search_as(tree, Search.make(table.task, **options), SearchWay(criterion=criterion_at(tree, node)))
    position, at = tree.position(node), assignment
    if table.counter is not None:
        return table.counter.node(table, counted(tree, table), position, search), search
    if position == 0:
        return NodeRows.root(table).centred(), search
    at = assign(table, tree) if at is None else at
    rows, share = at.held(position)
    return NodeRows.of(table, np.sort(rows), share).centred(), search  # divided rows ascend already


def unmarked(inside: NodeRows, tree: Tree, node: int) -> NodeRows:
    """The same rows without the columns that marks leave out at the node."""
    return replace(inside, table=inside.table.without(frozenset(excluded_at(tree, node))))


def searched_table(table: Table, search: Search) -> Table:
    """The table that is searched: with the binned criteria the bins are its classes; with altered priors these weigh as
    much as priors and costs say, see `LeafRule.altered_factors`."""
    if search.by_bins:
        return table.binned(search.bins)
    if search.is_steered and table.task == "classes":
        return table.reweighed(search.leaf_rule.altered_factors(table.classes, table.class_weights))
    return table


def searched_rows(inside: NodeRows, search: Search) -> NodeRows:
    """The same rows with the target that is searched."""
    table = searched_table(inside.table, search)
    return inside if table is inside.table else NodeRows(table, inside.rows, inside.n_parts)


# -- the split of every column


def search_node(
    inside: NodeRows,
    search: Search,
    workers: Workers,
    progress: Progress,
    tell: Callable[[Found], object] | None = None,
) -> list[Found]:
    """What every feature that is not locked offers, in the table's order, then m-of-n; a stop leaves some out.

    `tell` is called with each column as soon as it is searched, from any thread; not with two levels or m-of-n, which
    have to be compared first.
    """
    features, done, two = search.features_of(inside.table), [""], search.lookahead > 1
    if not features:
        return []
    with suppress(Stopped):
        inside.prepare(features, progress)
    ahead = prepare(inside, search, progress) if two else None
    cuts = LargeNodeCuts(inside, search) if not two and worth_counting_twice(inside, search) else None

    def look(place: int) -> Found | None:
        if progress.stopped:
            return None
        if ahead is not None:
            found = ahead(place)
        else:
            found = (cuts.find(place) if cuts is not None else None) or best_split(inside, place, search)
        done.append(inside.table.columns[place].name)
        if search.thresholds == "observed" and found.split is not None and found.split.kind == "threshold":
            found = replace(found, split=observed(found.split, inside.table.columns[place], inside.table))
        if tell is not None and not two:
            tell(found)
        return found

    def report() -> None:
        progress.report((len(done) - 1) / len(features), done[-1])

    every = [found for found in workers.map(look, features, report) if found is not None]
    if progress.stopped:
        return [] if two else every  # two levels of one column may be left half searched
    climbed = search_m_of_n(inside.training, search, progress) if search.m_of_n else None
    return every if climbed is None else [*every, climbed]


def count_found(inside: NodeRows, found: Found) -> Counts:
    """The branches of a split that was found, counted in the target of `inside`, which may be another one."""
    split = found.split
    assert split is not None
    if found.counts is not None:
        return found.counts
    if found.place == M_OF_N or split.surrogates:
        return inside.count_branches(branch_of_rows(split, inside.table, inside.rows), split.n_branches)
    counted = found.counted or inside.count(found.place)
    branch = bind(split, inside.table).branches(counted.codes)
    return Counts.of_present(branch, split.n_branches, counted).with_missing(
        split.missing, counted, inside.table.task == "classes"
    )


# -- which is the best


def ranked(
    every: list[Found], inside: NodeRows, search: Search, proof: Callable[[Found], Evidence] | None = None
) -> Iterator[Found]:
    """Those with a split, the best first; by two levels where two were looked at.

    proof: by evidence, the test of each, where it is known already.
    """
    usable = [found for found in every if found.split is not None]
    if not usable:
        return
    value, eps, tie_eps = scales_of(inside.trained, search)
    if search.lookahead > 1:  # what two levels gain, its tie, then what the split gains itself
        while usable:
            best = usable
            for merit, slack in (("ahead", eps), ("ahead_tie", tie_eps), ("gain", eps)):
                top = max(getattr(found, merit) for found in best)
                best = [found for found in best if getattr(found, merit) >= top - slack]
            yield best[0]
            usable.remove(best[0])
        return
    gains, ties, ratios = (np.array([getattr(one, name) for one in usable]) for name in ("net", "tie", "ratio"))
    if search.by_evidence:  # equal p-values are told apart by the gain
        test = proof or proofs(inside, search)
        gains, ties = np.array([round(test(one).logworth, SAME) for one in usable]), gains
    merits = gains, ties, ratios, crowded(inside.table, [one.place for one in usable], search)
    code = kernel_code(search.criterion)
    yield usable[rank_columns(*merits, code, value, 1)[0]]  # growing wants no more than this
    yield from (usable[i] for i in rank_columns(*merits, code, value, gains.size)[1:])


def gains_enough(inside: NodeRows, found: Found, search: Search) -> bool:
    """Whether a split gains `min_gain`, but for rounding."""
    return found.merit >= search.min_gain - scales_of(inside.trained, search)[1]


def first_significant(inside: NodeRows, every: list[Found], search: Search) -> Found | None:
    """The best split that `significance` lets pass: its adjusted p-value times the number of columns that have one."""
    proof = proofs(inside, search)
    in_order = ranked(every, inside, search, proof)
    if search.significance is None:
        return next(in_order, None)
    if search.significance <= 0:
        return None
    if search.significance_test == "single":
        least = math.log(search.significance)
        return next((found for found in in_order if log_p_single(inside, found) <= least), None)
    n_columns = sum(found.split is not None for found in every)
    needed, target = math.log(search.significance / max(n_columns, 1)), Target.of(inside)
    if search.by_evidence:
        best = next(in_order, None)
        return best if best is not None and proof(best).log_adjusted <= needed else None
    for found in in_order:
        if evidence_of(inside, found, count_found(inside, found), search, target, needed).log_adjusted <= needed:
            return found
    return None


def log_p_single(inside: NodeRows, found: Found) -> float:
    """ln p of a split as if nothing else had been looked at: ID3's χ² test of one column (Quinlan 1986)."""
    if inside.as_counted is not inside:
        inside, found = inside.as_counted, replace(found, counted=None, counts=None)
    return Single.of(count_found(inside, found).train, Target.of(inside)).log_p


def proofs(inside: NodeRows, search: Search) -> Callable[[Found], Evidence]:
    """The tests of what a search of the node found, each made once."""
    target = cache(lambda: Target.of(inside))
    return cache(lambda found: evidence_of(inside, found, count_found(inside, found), search, target()))


def evidence_of(
    inside: NodeRows, found: Found, counts: Counts, search: Search, target: Target, needed: float = 0.0
) -> Evidence:
    """The test of a split that a search found, from the counts of its branches; of those rows that had a say. Rows of
    reweighed classes count as they are.

    Args:
        target: of the training rows of `inside`. needed: see `Comparison.evidence`.
    """
    split = found.split
    assert split is not None
    if search.by_association and found.place != M_OF_N:
        return association(inside, found.place)
    many = found.counts is not None and found.n_values > MANY + 1 and not inside.table.weights_are_counts
    if inside.as_counted is not inside:
        inside, found = inside.as_counted, replace(found, counted=None, counts=None)
        counts = count_found(inside, found)
    if found.place == M_OF_N:  # the values of many columns: no bound from them
        return Comparison(target, found.log_tries).evidence(counts.train, needed)
    if many and len(counts.rows) == 2 and target.n > ROWS:
        lacking = inside.lacking(found.place)  # a formula tells, and needs no rows of each value
        sizes = np.array([target.n - lacking])
        compared = Comparison(target, found.log_tries, CUTS, sizes, lacking, min_leaf=search.min_leaf)
        return compared.evidence(counts.train, needed)
    column, counted = inside.table.columns[found.place], found.counted or inside.count(found.place)
    values = values_of(inside, target, counted)
    if found.apart:
        counts = Counts.of_present(bind(split, inside.table).branches(counted.codes), split.n_branches, counted)
        target, values = Target.of(inside.having(column)), values._replace(lacking=0)
    return comparison(column, search, target, split, values).evidence(counts.train, needed)
