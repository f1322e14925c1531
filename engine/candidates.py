"""The candidates: for every column the best split of one node, ranked, with what it is worth on unseen rows.

Limits that stop a growing tree (min_rows, min_gain, max_depth, max_leaves, significance) do not apply here: a person
may split any node. `min_leaf` does, because it is part of what a split may look like.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.assignment import Assignment, assign
from engine.best_split import BY_ROWS, leaves_missing, training_rows
from engine.column_search import Found
from engine.criteria import BINNED, CRITERIA
from engine.curve import Curve, make_curve
from engine.kernels.gain import branches_gain
from engine.node_search import (
    M_OF_N,
    Look,
    completed,
    count_branches,
    evidence_of,
    ranked,
    search_node,
    searched_table,
)
from engine.options import Search
from engine.progress import Progress
from engine.splits import branch_of_rows
from engine.table import VALIDATION, Table
from engine.tally import NodeRows
from engine.weighing import Candidate, Counts, made
from engine.workers import Workers

if TYPE_CHECKING:
    from engine.tree import Tree

__all__ = ["Candidate", "Curve", "candidates", "gain_curve"]

LOCKED = "locked"  # the reason of a column that the search may not use
WORTH_A_POOL = 50_000  # rows times columns from which threads pay
LOOKAHEAD_WORTH_A_POOL = 2_000


def candidates(
    table: Table,
    tree: "Tree",
    node: int = 0,
    *,
    assignment: Assignment | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> list[Candidate]:
    """The best split of every feature at one node, best first; columns without a split come last.

    With `m_of_n` one more stands among them, with lookahead 2 they are ranked by `ahead`.

    Args:
        node: the id of a leaf or of an inner node.
        assignment: the rows of the tree's nodes, if at hand.
        progress: when it is stopped, the candidates found so far are returned.
        options: those of `engine.Search`.

    Raises:
        InputError: an option cannot be used, or the tree has no such node.
    """
    search, progress = Search.make(table.task, **options), progress or Progress()
    inside = _rows_of(table, tree, node, assignment)
    view = searched_table(table, search)
    searched = inside if view is table else NodeRows(view, inside.rows, inside.n_parts)
    bar = WORTH_A_POOL if search.lookahead == 1 else LOOKAHEAD_WORTH_A_POOL
    many = inside.rows.size * len(table.features) >= bar
    with Workers(search.threads if many else 1) as workers:
        looks = search_node(searched, search, workers, progress)
        usable = list(ranked(looks, searched, search))
        shown = workers.map(lambda look: _candidate(inside, searched, look, search), usable)
    return shown + [_nothing(inside, look) for look in looks if look.found.split is None] + _locked(inside, search)


def gain_curve(
    table: Table, tree: "Tree", node: int, column: str, *, assignment: Assignment | None = None, **options: Any
) -> Curve:
    """The gain of every cut of one column at one node.

    Raises:
        InputError: an option cannot be used, or there is no such node or column.
    """
    search = Search.make(table.task, **options)
    place = table.index(column)
    inside = _rows_of(table, tree, node, assignment)
    if search.criterion == BY_ROWS:
        return _curve_by_rows(inside, place, search)
    if search.criterion in BINNED:
        return _curve_of_bins(inside, place, search)
    return make_curve(table.columns[place], inside.count(place), table.task == "classes", search, inside.centre)


def _curve_of_bins(inside: NodeRows, place: int, search: Search) -> Curve:
    """The gains are those of the bins, the distribution is that of the target itself."""
    shown = _squared_curve(inside, place, search)
    view = searched_table(inside.table, search)
    curve = make_curve(view.columns[place], NodeRows(view, inside.rows, inside.n_parts).count(place), True, search)
    return replace(
        curve, train=shown.train, validation=shown.validation, missing_train=shown.missing_train,
        missing_validation=shown.missing_validation,
    )  # fmt: skip


def _curve_by_rows(inside: NodeRows, place: int, search: Search) -> Curve:
    """The gains by the absolute error, around the distribution that the squared error shows, too."""
    from engine.absolute import cut_gains
    from engine.absolute import search_column as search_by_rows

    column, shown, share = inside.table.columns[place], _squared_curve(inside, place, search), 1.0
    if leaves_missing(column, search):  # rows that lack the value have no say
        whole, inside = inside, replace(inside, rows=inside.rows[column.codes[inside.rows] > 0])
        share = float(inside.by_target.weights.sum() / max(whole.by_target.weights.sum(), 1e-300))
    found = search_by_rows(inside, place, search)
    missing = found.split.missing if found.split and len(found.split.thresholds) < 2 else 0
    gains = share * cut_gains(column, inside.by_target, shown.cuts, missing, search.min_leaf)
    unseen = np.full(shown.cuts.size, np.nan)
    if inside.n_parts > 1:
        unseen = cut_gains(column, inside.by_target_of(VALIDATION), shown.cuts, missing, 0)
    best = found.cut if found.cut < shown.cuts.size else -1
    return replace(shown, gains=gains, validation_gains=unseen, best=best, missing=missing)


def _squared_curve(inside: NodeRows, place: int, search: Search) -> Curve:
    squared = replace(search, criterion="squared_error")
    return make_curve(inside.table.columns[place], inside.count(place), False, squared, inside.centre)


def _rows_of(table: Table, tree: "Tree", node: int, assignment: Assignment | None) -> NodeRows:
    at, position = assignment, tree.position(node)
    if at is None and tree.n_nodes > 1:
        at = assign(table, tree)
    if at is None or position == 0:
        return NodeRows.root(table).centred()
    return NodeRows.of(table, np.sort(at.rows_of(position))).centred()


def _nothing(inside: NodeRows, look: Look) -> Candidate:
    """A column without a split."""
    column, reason = inside.table.columns[look.place], look.found.reason
    return Candidate(column.name, None, np.nan, {}, 0.0, np.nan, (), (), (), _lacking(inside, look), reason)


def _locked(inside: NodeRows, search: Search) -> list[Candidate]:
    """The features that no search may use."""
    open_to_search = search.features_of(inside.table)
    closed = (place for place in inside.table.features if place not in open_to_search)
    return [_nothing(inside, Look(place, Found(None, reason=LOCKED))) for place in closed]


def _lacking(inside: NodeRows, look: Look) -> int:
    """Training rows in which the column is missing."""
    if look.counted is not None:
        return look.counted.missing_rows_train
    if look.cut is not None:
        return look.cut.n_missing
    if look.place == M_OF_N:
        return 0
    return int(np.count_nonzero(inside.table.columns[look.place].codes[training_rows(inside).rows] == 0))


def _candidate(inside: NodeRows, searched: NodeRows, look: Look, search: Search) -> Candidate:
    """One split as it is shown; `searched` has the target that was searched, `inside` the one of the table."""
    look = completed(searched, look, search)
    table, found = inside.table, look.found
    by = count_branches(searched, look)
    counts = by if inside is searched else count_branches(inside, replace(look, counted=None, cut=None))
    information = found.information
    seen = _validation_gain(searched, look, by, search)
    proof = evidence_of(searched, look, by, search)
    return made(
        found.split, table.task, inside.centre, search, counts, found.gain, information, seen, proof,
        _lacking(inside, look), look.ahead,
    )  # fmt: skip


def _validation_gain(searched: NodeRows, look: Look, by: Counts, search: Search) -> float:
    """What the split gains on validation rows by the criterion; NaN if there are none."""
    if searched.n_parts == 1:
        return np.nan
    if search.criterion != BY_ROWS:
        return float(branches_gain(CRITERIA[search.criterion].code, by.validation)[0])
    from engine.absolute import branches_gain as gain_by_rows

    split = look.found.split
    assert split is not None
    unseen = searched.table.part[searched.rows] == VALIDATION
    branch = branch_of_rows(split, searched.table, searched.rows[unseen])
    _, _, numbers, weights = searched.gathered
    weights = weights[unseen] if weights.size else weights
    return float(gain_by_rows(numbers[unseen], weights, branch, split.n_branches))
