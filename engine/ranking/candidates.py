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
from numpy.typing import NDArray

from engine.criteria import DEFAULT, kernel_code
from engine.criteria.kernels import branches_gain, split_information
from engine.ranking.curve import Curve, make_curve
from engine.ranking.node_search import (
    M_OF_N,
    Look,
    completed,
    count_branches,
    count_rows,
    evidence_of,
    log_climbs,
    present_rows,
    ranked,
    search_node,
    searched_table,
)
from engine.ranking.weighing import (
    ByValue,
    Candidate,
    Counts,
    GainsByRows,
    comparison,
    made,
    objection,
    values_of_rows,
    weights_of,
)
from engine.runtime.progress import Progress
from engine.runtime.threads import Workers
from engine.search import absolute
from engine.search.best_split import best_split, leaves_missing, training_rows
from engine.search.column_search import Found, search_column
from engine.search.marked import at_node, left_out
from engine.search.options import Search
from engine.search.tally import ByTarget, NodeRows, Tally
from engine.significance.adjusted import Comparison
from engine.significance.permutation import Target, seed_of_rows
from engine.splits import Split, bind, branch_of_rows
from engine.table.column import Column
from engine.table.partition import TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment, assign
from engine.tree.tree import Tree

__all__ = ["Candidate", "Curve", "candidates", "gain_curve", "weigh"]

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
    search, progress = Search.make(table.task, **options), progress or Progress()
    unused = [_unused(*column) for column in left_out(table, tree, node)]
    table, search = at_node(table, tree, node, search)
    if not table.features:
        return unused
    inside = rows_of(table, tree, node, assignment)
    view = searched_table(table, search)
    searched = inside if view is table else NodeRows(view, inside.rows, inside.n_parts)
    bar = WORTH_A_POOL if search.lookahead == 1 else LOOKAHEAD_WORTH_A_POOL
    many = inside.rows.size * len(table.features) >= bar
    with Workers(search.threads if many else 1) as workers:
        early: dict[int, Candidate] = {}
        target = Target.of(searched)

        def made_of(look: Look) -> Candidate:
            if look.place in early:
                return early[look.place]
            if look.found.split is None:
                return _nothing(inside, look)
            return _candidate(inside, searched, look, search, target, alternatives)

        def tell(look: Look) -> None:
            early[look.place] = made_of(look)
            if found is not None:
                found(early[look.place])

        looks = search_node(searched, search, workers, progress, tell if found is not None else None)
        shown = workers.map(made_of, list(ranked(looks, searched, search)))
    idle = _locked(inside, search)
    return shown + [made_of(look) for look in looks if look.found.split is None] + idle + unused


def gain_curve(
    table: Table, tree: Tree, node: int, column: str, *, assignment: Assignment | None = None, **options: Any
) -> Curve:
    """The gain of every cut of one column at one node.

    Raises:
        InputError: an option cannot be used, or there is no such node or column.
    """
    search = at_node(table, tree, node, Search.make(table.task, **options))[1]
    return _curve(rows_of(table, tree, node, assignment), table.index(column), search)


def weigh(
    table: Table, tree: Tree, node: int, split: Split, assignment: Assignment | None = None, **options: Any
) -> Candidate:
    """What a split is worth at one node, whether a search would make it or not: one made by hand, or with m of n.

    Rows go as the split says. With missing "surrogate" it gains what it gains among the rows that have its value, times
    their share, as in a search. The p-value is adjusted as if the search had found the split.

    Raises:
        InputError: an option cannot be used, the tree has no such node, or the split does not fit the table.
    """
    search = at_node(table, tree, node, Search.make(table.task, **options))[1]
    bind(split, table)
    inside = rows_of(table, tree, node, assignment)
    if split.kind != "m_of_n":
        by_value = _by_value(inside, table.index(split.column), search)
        found = by_value.weigh(split)
        if found is not None:
            return found
    return _weigh_rows(inside, split, search)


def _weigh_rows(inside: NodeRows, split: Split, search: Search) -> Candidate:
    """The same from the branch of every row."""
    table, view = inside.table, searched_table(inside.table, search)
    searched = inside if view is table else NodeRows(view, inside.rows, inside.n_parts)
    branch = branch_of_rows(split, table, inside.rows)
    by = count_rows(searched, branch, split.n_branches)
    counts = by if searched is inside else count_rows(inside, branch, split.n_branches)
    task, training = searched.table.task, training_rows(searched)
    whole = weights_of(task, by.train)
    heard, said, tested, lacking, sizes = searched, branch, by, 0, whole
    if split.kind == "m_of_n":
        compared = Comparison(Target.of(searched), log_climbs(training, search, len(split.literals)))
    else:
        column = table.column(split.column)
        lacking, present = int(np.count_nonzero(column.codes[training.rows] == 0)), present_rows(searched, column)
        of_present = branch[column.codes[inside.rows] > 0]
        parts, values = count_rows(present, of_present, split.n_branches), values_of_rows(column, training)
        sizes, waits = weights_of(task, parts.train), leaves_missing(column, search) and split.n_branches == 2
        others = 0.0 if waits else max(float(whole.sum()) - float(sizes.sum()), 0.0)
        if waits:
            heard, said, tested, values = present, of_present, parts, values._replace(lacking=0)
        compared, sizes = comparison(column, search, Target.of(heard), split, values), np.append(sizes, others)
    share = float(weights_of(task, tested.train).sum()) / max(float(whole.sum()), 1e-300)
    if search.by_rows:
        gain = _gain_by_rows(heard, said, split.n_branches, TRAIN)
    else:
        gain = float(branches_gain(kernel_code(search.criterion), tested.train)[0])
    seen = _validation_gain(searched, split, by, search)
    return made(
        split, table.task, inside.centre, search, counts, gain * share, float(split_information(sizes)), seen,
        compared.evidence(tested.train), lacking,
        reason=objection(split, counts.rows, search), bins=None if by is counts else by.train,
    )  # fmt: skip


def _curve(inside: NodeRows, place: int, search: Search) -> Curve:
    by_value = _by_value(inside, place, search)
    if search.by_rows:
        return _curve_by_rows(inside, place, search, by_value)
    column, classes = inside.table.columns[place], inside.table.task == "classes"
    if search.by_bins:
        return _curve_of_bins(inside, place, search, by_value)
    curve = make_curve(column, by_value.counted, classes, search, inside.centre)
    return replace(curve, by_value=by_value)


def _by_value(inside: NodeRows, place: int, search: Search) -> ByValue:
    """The counts of a node by the values of a column, in the table's target and in the one that is searched."""
    table, counted = inside.table, inside.count(place)
    searched, view = inside, searched_table(table, search)
    if view is not table:
        searched = NodeRows(view, inside.rows, inside.n_parts)
    column, by_rows = table.columns[place], None
    apart = leaves_missing(column, search)
    if search.by_rows and (column.is_numeric or column.kind == "ordered"):
        by_rows = _gains_by_rows(inside, column, counted)
    return ByValue(
        column, search, table.task, inside.centre, counted, counted if searched is inside else searched.count(place),
        Target.of(searched), Target.of(present_rows(searched, column) if apart else searched),
        seed_of_rows(column.codes, training_rows(inside).rows), inside.n_parts > 1, by_rows,
    )  # fmt: skip


def _gains_by_rows(inside: NodeRows, column: Column, counted: Tally) -> GainsByRows:
    """What each cut between the values or ordered levels gains by the absolute error."""
    places = counted.codes.astype(np.int64) - 1
    ends = np.append(-np.inf, column.values[places] if column.is_numeric else places)

    def gains(target: ByTarget) -> NDArray[np.float64]:
        return np.stack([absolute.cut_gains(column, target, ends, missing) for missing in (0, 1)])

    train, unseen = gains(inside.by_target), np.full((2, ends.size), np.nan)
    present = train[0]
    if counted.missing_rows_train:
        having = present_rows(inside, column).by_target
        share = float(having.weights.sum() / max(inside.by_target.weights.sum(), 1e-300))
        present = share * absolute.cut_gains(column, having, ends, 0)
    return GainsByRows(train, gains(inside.by_target_of(VALIDATION)) if inside.n_parts > 1 else unseen, present)


def _curve_of_bins(inside: NodeRows, place: int, search: Search, by_value: ByValue) -> Curve:
    """The gains are those of the bins, the distribution is that of the target itself."""
    column, shown = inside.table.columns[place], _squared_curve(inside, place, search, by_value)
    curve = make_curve(column, by_value.searched, True, search)
    return replace(
        curve, train=shown.train, validation=shown.validation, missing_train=shown.missing_train,
        missing_validation=shown.missing_validation, by_value=by_value,
    )  # fmt: skip


def _curve_by_rows(inside: NodeRows, place: int, search: Search, by_value: ByValue) -> Curve:
    """The gains by the absolute error, around the distribution that the squared error shows, too."""
    column, shown, share = inside.table.columns[place], _squared_curve(inside, place, search, by_value), 1.0
    chosen = best_split(inside, place, search).found
    if leaves_missing(column, search):  # rows that lack the value have no say
        whole, inside = inside, replace(inside, rows=inside.rows[column.codes[inside.rows] > 0])
        share = float(inside.by_target.weights.sum() / max(whole.by_target.weights.sum(), 1e-300))
    found = search_column(column, absolute.Runs.of(column, inside.by_target), search)
    missing = found.split.missing if found.split and len(found.split.thresholds) < 2 else 0
    gains = share * absolute.cut_gains(column, inside.by_target, shown.cuts, missing, search.min_leaf)
    unseen = np.full(shown.cuts.size, np.nan)
    if (inside.table.part[inside.rows] == VALIDATION).any():
        unseen = absolute.cut_gains(column, inside.by_target_of(VALIDATION), shown.cuts, missing)
    best = found.cut if found.cut < shown.cuts.size else -1
    return replace(
        shown, gains=gains, validation_gains=unseen, best=best, missing=missing, by_value=by_value,
        best_split=chosen.split, best_gain=chosen.gain,
    )  # fmt: skip


def _squared_curve(inside: NodeRows, place: int, search: Search, by_value: ByValue) -> Curve:
    squared = replace(search, criterion=DEFAULT["number"])
    return make_curve(inside.table.columns[place], by_value.counted, False, squared, inside.centre)


def rows_of(table: Table, tree: Tree, node: int, assignment: Assignment | None) -> NodeRows:
    at, position = assignment, tree.position(node)
    if at is None and tree.n_nodes > 1:
        at = assign(table, tree)
    if at is None or position == 0:
        return NodeRows.root(table).centred()
    return NodeRows.of(table, np.sort(at.rows_of(position))).centred()


def _nothing(inside: NodeRows, look: Look) -> Candidate:
    """A column without a split."""
    return _unused(inside.table.columns[look.place].name, look.found.reason, _lacking(inside, look))


def _locked(inside: NodeRows, search: Search) -> list[Candidate]:
    """The features that no search may use."""
    open_to_search = search.features_of(inside.table)
    closed = (place for place in inside.table.features if place not in open_to_search)
    return [_nothing(inside, Look(place, Found(None, reason=LOCKED))) for place in closed]


def _unused(name: str, reason: str, lacking: int = 0) -> Candidate:
    """A column that has no split, or that marks leave out, which is not even counted."""
    return Candidate(name, None, np.nan, {}, 0.0, np.nan, (), (), (), lacking, reason)


def _lacking(inside: NodeRows, look: Look) -> int:
    """Training rows in which the column is missing."""
    if look.counted is not None:
        return look.counted.missing_rows_train
    if look.cut is not None:
        return look.cut.n_missing
    if look.place == M_OF_N:
        return 0
    return int(np.count_nonzero(inside.table.columns[look.place].codes[training_rows(inside).rows] == 0))


def _candidate(
    inside: NodeRows, searched: NodeRows, look: Look, search: Search, target: Target, alternatives: int
) -> Candidate:
    """One split as it is shown; `searched` has the target that was searched, `inside` the one of the table."""
    look = completed(searched, look, search)
    table, found = inside.table, look.found
    by = count_branches(searched, look)
    counts = by if inside is searched else count_branches(inside, replace(look, counted=None, cut=None))
    assert found.split is not None
    seen = _validation_gain(searched, found.split, by, search)
    proof = evidence_of(searched, look, by, search, target)
    shown = made(
        found.split, table.task, inside.centre, search, counts, found.gain, found.information, seen, proof,
        _lacking(inside, look), look.ahead, bins=None if inside is searched else by.train,
    )  # fmt: skip
    if alternatives < 1 or look.place == M_OF_N:
        return shown
    return replace(shown, alternatives=_curve(inside, look.place, search).alternatives(alternatives))


def _validation_gain(searched: NodeRows, split: Split, by: Counts, search: Search) -> float:
    """What the split gains on validation rows by the criterion; NaN if there are none."""
    if searched.n_parts == 1:
        return np.nan
    if not search.by_rows:
        return float(branches_gain(kernel_code(search.criterion), by.validation)[0])
    branch = branch_of_rows(split, searched.table, searched.rows)
    return _gain_by_rows(searched, branch, split.n_branches, VALIDATION)


def _gain_by_rows(inside: NodeRows, branch: NDArray[np.uint16], n_branches: int, part: int) -> float:
    """What the branches of the rows of one part gain by the absolute error."""
    of_part, _, numbers, weights = inside.gathered
    inside_part = of_part == part
    weights = weights[inside_part] if weights.size else weights
    return float(absolute.branches_gain(numbers[inside_part], weights, branch[inside_part], n_branches))


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
    progress = progress or Progress()
    table, search = at_node(table, tree, node, Search.make(table.task, **{**options, "lookahead": 1, "m_of_n": False}))
    inside = rows_of(table, tree, node, assignment)
    view, split = searched_table(table, search), candidate.split
    assert split is not None
    rows = inside.rows[table.part[inside.rows] == TRAIN]
    branch = branch_of_rows(split, table, rows)
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    sizes = np.bincount(branch, weights=weights, minlength=split.n_branches)
    total, gain = float(sizes.sum()), candidate.gain
    many = rows.size * len(table.features) >= WORTH_A_POOL
    with Workers(search.threads if many else 1) as workers:
        for b in range(split.n_branches):
            if not sizes[b] > 0:
                continue
            below = NodeRows.of(view, rows[branch == b]).centred()
            looks = search_node(below, search, workers, progress)
            if progress.stopped:
                return float("nan")
            best = next(ranked(looks, below, search), None)
            gain += 0.0 if best is None else float(sizes[b]) / total * max(best.found.gain, 0.0)
    return gain
