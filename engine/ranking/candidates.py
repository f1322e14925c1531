"""The candidates: for every column the best split of one node, ranked, with what it is worth on unseen rows.

Limits that stop a growing tree (min_rows, min_gain, max_depth, max_leaves, significance) do not apply here: a person
may split any node. `min_leaf` does, because it is part of what a split may look like.

`second_level` tells what a split gains together with the best split below each of its branches. Lookahead looks for the
split that is best in this sense (`search.lookahead`); this is the same sum for one that is there already, searched
below as usual, every cut of every column:

    ahead = gain + Σ over branches of share · gain of the best split of the branch

By the gain ratio the best split of a branch is the one that ranks first, and the sum is of information gains.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from engine.criteria.losses import gain_on
from engine.ranking.curve import Curve, make_curve
from engine.ranking.node_search import (
    at_node,
    count_found,
    evidence_of,
    ranked,
    search_node,
    searched_rows,
    searched_table,
    unmarked,
)
from engine.ranking.weighing import ByValue, Candidate, GainsByRows, made, values_of, weighed
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.search import absolute
from engine.search.column_search import M_OF_N, Found, leaves_missing, search_at
from engine.search.m_of_n import Climb, climb, log_climbs
from engine.search.options import Search
from engine.search.surrogates import with_surrogates
from engine.search.tally import Counts, NodeRows
from engine.significance.adjusted import Comparison, Evidence
from engine.significance.association import association
from engine.significance.permutation import Target
from engine.splits import Split, bind, branch_of_rows
from engine.table.table import Table
from engine.tree.assignment import Assignment, divide
from engine.tree.marks import excluded_at
from engine.tree.tree import Tree

__all__ = ["Candidate", "Climb", "Curve", "candidates", "gain_curve", "m_of_n", "weigh"]

LOCKED = "locked"  # the reason of a column that the search may not use
WORTH_A_POOL = 50_000  # rows times columns from which threads pay
LOOKAHEAD_WORTH_A_POOL = 2_000


def candidates(
    table: Table,
    tree: Tree,
    node: int = 0,
    *,
    assignment: Assignment | None = None,
    progress: Progress | None = None,
    alternatives: int = 0,
    found: Callable[[Candidate], object] | None = None,
    **options: Any,
) -> list[Candidate]:
    """The best split of every feature at one node, best first; columns without a split come last.

    Marks are honoured: columns that are left out at the node stand at the very end with the reason, and a criterion of
    the node's own is taken instead of the search's. With `m_of_n` one more stands among them, with lookahead 2 they are
    ranked by `ahead`.

    Args:
        node: the id of a leaf or of an inner node.
        assignment: the rows of the tree's nodes, if at hand.
        progress: when it is stopped, the candidates found so far are returned.
        alternatives: how many further splits of each column are added to its candidate, see `Curve.alternatives`.
        found: called with the candidate of each column, the very one that is returned, as soon as it is found: in no
            order, from any thread. With lookahead 2, and for m of n, nothing is known before the end.
        options: those of `engine.Search`.

    Raises:
        InputError: an option cannot be used, or the tree has no such node.
    """
    progress, excluded = progress or Progress(), excluded_at(tree, node)
    inside, search = at_node(table, tree, node, assignment, options)
    names = [table.columns[i].name for i in table.features if table.columns[i].name in excluded]
    unused = [without_split(name, tr("left out below node {node}", node=excluded[name])) for name in names]
    inside = unmarked(inside, tree, node)
    table = inside.table
    if not table.features:
        return unused
    searched = searched_rows(inside, search)
    bar = WORTH_A_POOL if search.lookahead == 1 else LOOKAHEAD_WORTH_A_POOL
    many = inside.rows.size * len(table.features) >= bar
    with Workers(search.threads if many else 1) as workers:
        early: dict[int, Candidate] = {}
        target = Target.of(searched)

        def made_of(one: Found) -> Candidate:
            if one.place in early:
                return early[one.place]
            if one.split is None:
                return without_split(table.columns[one.place].name, one.reason, inside.lacking(one.place))
            return _candidate(inside, searched, one, search, target, alternatives)

        def proof(one: Found) -> Evidence:
            test = early[one.place].evidence
            assert test is not None
            return test

        def tell(one: Found) -> None:
            early[one.place] = made_of(one)
            if found is not None:
                found(early[one.place])

        every = search_node(searched, search, workers, progress, tell if found is not None else None)
        if search.by_evidence:  # the tests that are shown tell the order
            early |= {one.place: shown for one, shown in zip(every, workers.map(made_of, every), strict=True)}
        shown = workers.map(made_of, list(ranked(every, searched, search, proof)))
    closed = sorted(set(table.features) - set(search.features_of(table)))
    every = [one for one in every if one.split is None] + [Found(None, reason=LOCKED, place=one) for one in closed]
    return shown + [made_of(one) for one in every] + unused


def without_split(name: str, reason: str, lacking: int = 0) -> Candidate:
    """A column that has no split, or that marks leave out, which is not even counted."""
    return Candidate(name, None, np.nan, {}, 0.0, np.nan, (), (), (), lacking, reason)


def m_of_n(
    table: Table,
    tree: Tree,
    node: int = 0,
    *,
    assignment: Assignment | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Climb | None:
    """The m-of-n split of one node to which the climb leads; marks are honoured as by `candidates`.

    Args:
        node: the id of a leaf or of an inner node.
        assignment: the rows of the tree's nodes, if at hand.
        progress: when it is stopped, the climb ends where it stands; it is told that it goes on, not how far it is.
        options: those of `engine.Search`; the criterion, min_leaf and pool are looked at.

    Returns:
        None when no literal parts the rows, or their weights or targets add up to no number.

    Raises:
        InputError: an option cannot be used, or the tree has no such node.
    """
    inside, search = at_node(table, tree, node, assignment, {**options, "m_of_n": True})
    inside = unmarked(inside, tree, node)
    return climb(searched_rows(inside, search), search, progress)


def gain_curve(
    table: Table, tree: Tree, node: int, column: str, *, assignment: Assignment | None = None, **options: Any
) -> Curve:
    """The gain of every cut of one column at one node.

    Raises:
        InputError: an option cannot be used, or there is no such node or column.
    """
    inside, search = at_node(table, tree, node, assignment, options)
    return make_curve(_by_value(inside, table.index(column), search), inside)


def weigh(
    table: Table, tree: Tree, node: int, split: Split, assignment: Assignment | None = None, **options: Any
) -> Candidate:
    """What a split is worth at one node, whether a search would make it or not: one made by hand, or with m of n.

    Rows go as the split says. With missing "surrogate" it gains what it gains among the rows that have its value, times
    their share, as in a search. The p-value is adjusted as if the search had found the split; by association it is that
    of the column.

    Raises:
        InputError: an option cannot be used, the tree has no such node, or the split does not fit the table.
    """
    bind(split, table)
    inside, search = at_node(table, tree, node, assignment, options)
    by_value = None if split.kind == "m_of_n" else _by_value(inside, table.index(split.column), search)
    found = None if by_value is None else by_value.weigh(split)
    if found is not None:
        return found
    searched = searched_rows(inside, search)  # else the branch of every row tells
    branch, n = branch_of_rows(split, table, inside.rows), split.n_branches
    by = searched.count_branches(branch, n)
    own = by if searched is inside else inside.count_branches(branch, n)
    heard, said, present, apart, lacking = searched, branch, by, False, 0  # who has a say
    if by_value is None:
        compared = Comparison(Target.of(searched), log_climbs(searched.training, search, len(split.literals)))
    else:
        lacking, apart = by_value.counted.missing_rows_train, by_value.apart(split)
        compared, has = by_value.compared(split), by_value.column.codes[inside.rows] > 0
        present = searched.having(by_value.column).count_branches(branch[has], n)
        if apart:
            heard, said = searched.having(by_value.column), branch[has]
    tested = present if apart else by
    if heard.as_counted is not heard:
        tested = heard.as_counted.count_branches(said, n)
    associated = by_value.associated if by_value is not None else None
    gains = None
    if search.by_rows:
        gains = absolute.gain_in(heard, said, n), _validation_gain(searched, split, by, search)
    return weighed(
        split, table.task, inside.centre, search, own, by, present, apart, gains,
        associated or compared.evidence(tested.train), lacking,
    )  # fmt: skip


def _by_value(inside: NodeRows, place: int, search: Search) -> ByValue:
    """The counts of a node by the values of a column, in the table's target and in the one that is searched."""
    search = search_at(inside.table, place, search)
    searched, column = searched_rows(inside, search), inside.table.columns[place]
    counted, target = inside.count(place), Target.of(searched)
    by = counted if searched is inside else searched.count(place)
    has_order = column.is_numeric or column.kind == "ordered"
    return ByValue(
        column, search, inside.table.task, inside.centre, counted, by, target,
        Target.of(searched.having(column)) if leaves_missing(column, search) else target,
        values_of(searched.as_counted, target, by if searched.as_counted is searched else counted), inside.n_parts > 1,
        inside.size_of_parts if inside.table.share is not None else float(target.n),
        inside.units_of(column) if inside.table.share is not None else np.zeros(0, np.int64),
        GainsByRows.of(inside, column, counted) if search.by_rows and has_order else None,
        association(searched, place) if search.by_association else None,
    )  # fmt: skip


def _candidate(
    inside: NodeRows, searched: NodeRows, found: Found, search: Search, target: Target, alternatives: int
) -> Candidate:
    """One split as it is shown; `searched` has the target that was searched, `inside` the one of the table."""
    found = with_surrogates(searched, found, search)
    assert found.split is not None
    by = count_found(searched, found)
    counts = by if inside is searched else count_found(inside, replace(found, counted=None, counts=None))
    seen = _validation_gain(searched, found.split, by, search)
    proof = evidence_of(searched, found, by, search, target)
    shown = made(
        found.split, inside.table.task, inside.centre, search, counts, found.gain, found.information, seen, proof,
        inside.lacking(found.place), found.ahead, searched=None if inside is searched else by.train,
        penalty=found.penalty,
    )  # fmt: skip
    if alternatives < 1 or found.place == M_OF_N:
        return shown
    curve = make_curve(_by_value(inside, found.place, search), inside)
    return replace(shown, alternatives=curve.alternatives(alternatives))


def _validation_gain(searched: NodeRows, split: Split, by: Counts, search: Search) -> float:
    """What the split gains on validation rows, see `engine.criteria.losses`; NaN if there are none."""
    if searched.n_parts == 1:
        return np.nan
    if not search.by_rows:
        return gain_on(search.criterion, by.train, by.validation, by.row_weight(searched.table.task == "classes"))
    branch = branch_of_rows(split, searched.table, searched.rows)
    return absolute.gain_on(searched, branch, split.n_branches)


def second_level(
    table: Table,
    tree: Tree,
    node: int,
    candidate: Candidate,
    *,
    assignment: Assignment | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> float:
    """What a candidate of a node gains with the best split below each of its branches, on training rows.

    Args:
        candidate: one of this node, with a split.
        progress: when it is stopped, NaN is returned.
        options: those of `engine.Search`; `lookahead` is of no account.

    Raises:
        InputError: an option cannot be used, the tree has no such node, or the split does not fit the table.
    """
    progress, split = progress or Progress(), candidate.split
    assert split is not None
    table.need_rows()
    inside, search = at_node(table, tree, node, assignment, {**options, "lookahead": 1, "m_of_n": False})
    table = unmarked(inside, tree, node).table
    whole = searched_table(table.whole, search)
    rows = inside.training.rows.astype(np.uint32)
    rows, share, bounds = divide(table.whole, split, rows, None if table.share is None else table.share[rows])
    weights = np.ones(rows.size) if whole.weights is None else whole.weights[rows]
    weights = weights if share is None else weights * share
    branch = np.repeat(np.arange(split.n_branches), np.diff(bounds))
    sizes = np.bincount(branch, weights=weights, minlength=split.n_branches)
    total, gain = float(sizes.sum()), candidate.gain
    many = rows.size * len(table.features) >= WORTH_A_POOL
    with Workers(search.threads if many else 1) as workers:
        for b in range(split.n_branches):
            if not sizes[b] > 0:
                continue
            part = slice(bounds[b], bounds[b + 1])
            below = NodeRows.of(whole, rows[part], None if share is None else share[part]).centred()
            every = search_node(below, search, workers, progress)
            if progress.stopped:
                return float("nan")
            best = next(ranked(every, below, search), None)
            gain += 0.0 if best is None else float(sizes[b]) / total * max(best.gain, 0.0)
    return gain
