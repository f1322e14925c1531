"""The candidates: for every column the best split of one node, ranked, with what it is worth on unseen rows.

Everything is computed from the tally of a column. Limits that stop a growing tree (min_rows, min_gain,
max_depth, max_leaves) do not apply here: a person may split any node. `min_leaf` does, because it is part of
what a split may look like.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.assignment import Assignment, assign
from engine.column import Column
from engine.column_search import Found, Runs, search_column
from engine.criteria import CRITERIA, criteria_for
from engine.curve import Curve, make_curve
from engine.kernels.count import sum_around, sum_branches
from engine.kernels.gain import branches_gain
from engine.kernels.impurity import impurity
from engine.kernels.search import rank_columns
from engine.options import Search
from engine.progress import Progress
from engine.significance import logworth
from engine.splits import Split
from engine.table import Table
from engine.tally import NodeRows, Tally, as_in_tree
from engine.workers import Workers

if TYPE_CHECKING:
    from engine.tree import Tree

__all__ = ["Candidate", "Curve", "candidates", "gain_curve"]

WORTH_A_POOL = 50_000  # rows times columns from which threads pay


@dataclass(frozen=True, eq=False)
class Candidate:
    """The best split of one node by one column.

    Statistics are float64[S], as in `Tree.train`: of a numeric target (Σw, Σwy, Σw(y - mean)²) from `Table.origin`.

    Attributes:
        column: its name.
        split: None if there is none.
        gain: impurity of the node less the mean impurity of the branches, on training rows; NaN without a split.
            For the gain ratio that is the information gain; the ratio stands in `scores`.
        scores: by criterion, what this split gains; for "gain_ratio" gain ÷ split information.
        logworth: -log₁₀ of the p-value adjusted for the search, see `engine.significance`.
        validation_gain: the same gain on validation rows; NaN if there are none in the node.
        train, validation: the statistic of every branch.
        rows: training rows of every branch, unweighted.
        missing: training rows of the node in which the column is missing.
        reason: why there is no split, in words; empty otherwise.
    """

    column: str
    split: Split | None
    gain: float
    scores: dict[str, float]
    logworth: float
    validation_gain: float
    train: tuple[NDArray[np.float64], ...]
    validation: tuple[NDArray[np.float64], ...]
    rows: tuple[int, ...]
    missing: int
    reason: str = ""


Look = tuple[Candidate, Found, NDArray[np.float64]]


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

    Args:
        node: the id of a leaf or of an inner node.
        assignment: the rows of the tree's nodes, if at hand.
        progress: when it is stopped, the candidates found so far are returned.
        options: those of `engine.Search`.

    Raises:
        InputError: an option cannot be used, or the tree has no such node.
    """
    search = Search.make(table.task, **options)
    inside = _rows_of(table, tree, node, assignment)
    return _ranked(_search_columns(inside, search, progress or Progress()), search)


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
    return make_curve(table.columns[place], inside.count(place), table.task == "classes", search, inside.centre)


def _rows_of(table: Table, tree: "Tree", node: int, assignment: Assignment | None) -> NodeRows:
    at = assign(table, tree) if assignment is None else assignment
    return NodeRows.of(table, np.sort(at.rows_of(tree.position(node)))).centred()


def _search_columns(inside: NodeRows, search: Search, progress: Progress) -> list[Look]:
    """The candidate of every feature, in the table's order; those that were looked at, when stopped."""
    features = inside.table.features
    looked: list[str] = []

    def look(place: int) -> Look | None:
        if progress.stopped:
            return None
        one = _candidate(inside, place, search)
        looked.append(one[0].column)
        return one

    def report() -> None:
        if looked:
            progress.report(len(looked) / len(features), looked[-1])

    _ = inside.gathered  # made once, before the threads ask for it
    with Workers(search.threads if inside.rows.size * len(features) >= WORTH_A_POOL else 1) as workers:
        return [one for one in workers.map(look, features, report) if one is not None]


def _candidate(inside: NodeRows, place: int, search: Search) -> Look:
    """One column's candidate, and what the ranking needs beside it: what was found, and the node's statistic."""
    table, column = inside.table, inside.table.columns[place]
    counted = inside.count(place)
    runs = Runs.of(counted, table.task == "classes")
    found = search_column(column, runs, search)
    missing = counted.missing_rows_train
    if found.split is None:
        nothing = Candidate(column.name, None, np.nan, {}, 0.0, np.nan, (), (), (), missing, found.reason)
        return nothing, found, np.zeros(table.n_stats)
    train, validation, rows = _branches(column, found, counted)
    n_values = runs.codes.size + (missing > 0)
    shown = [stats if runs.by_class else as_in_tree(stats, inside.centre) for stats in (train, validation)]
    candidate = Candidate(
        column.name,
        found.split,
        found.gain,
        _scores(table.task, train, found, search.criterion),
        logworth(table.task, train, counted.n_train, found.log_tries, n_values, nominal=found.cut < 0),
        float(branches_gain(CRITERIA[search.criterion].code, validation)[0]) if counted.n_validation else np.nan,
        tuple(shown[0]),
        tuple(shown[1]),
        tuple(map(int, rows)),
        missing,
    )
    return candidate, found, train.sum(axis=0)


def _branches(column: Column, found: Found, counted: Tally) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """(train float64[B, S], validation float64[B, S], training rows int64[B]) of the branches of a split."""
    split = found.split
    assert split is not None
    validation = np.zeros((split.n_branches, counted.train.shape[1]))
    if split.kind == "threshold":
        last = np.searchsorted(column.values, split.thresholds[0], side="right")  # the last code that goes left
        place = int(np.searchsorted(counted.codes, last, side="right"))
        train = sum_around(counted.train, place)
        if counted.n_validation:
            validation = sum_around(counted.validation, place)
        rows = np.array([counted.rows_train[:place].sum(), counted.rows_train[place:].sum()])
    else:
        branch = found.branches[counted.codes]
        train = sum_branches(branch, counted.train, split.n_branches)
        validation = sum_branches(branch, counted.validation, split.n_branches)
        rows = np.bincount(branch, weights=counted.rows_train, minlength=split.n_branches).astype(np.int64)
    train[split.missing] += counted.missing_train
    validation[split.missing] += counted.missing_validation
    rows[split.missing] += counted.missing_rows_train
    return train, validation, rows


def _scores(task: str, train: NDArray[np.float64], found: Found, chosen: str) -> dict[str, float]:
    """What a split gains by every criterion of the task."""
    scores = {criterion.name: float(branches_gain(criterion.code, train)[0]) for criterion in criteria_for(task)}
    scores["entropy" if chosen == "gain_ratio" else chosen] = found.gain
    if "gain_ratio" in scores:
        scores["gain_ratio"] = scores["entropy"] / found.information if found.information > 0 else 0.0
    return scores


def _ranked(searched: list[Look], search: Search) -> list[Candidate]:
    """Best first; those without a split last, in the table's order."""
    usable = [look for look in searched if look[0].split is not None]
    unusable = [candidate for candidate, _, _ in searched if candidate.split is None]
    if not usable:
        return unusable
    code = CRITERIA[search.criterion].code
    gains = np.array([found.gain for _, found, _ in usable])
    ties = np.array([found.tie for _, found, _ in usable])
    ratios = np.array([found.gain / found.information if found.information > 0 else 0.0 for _, found, _ in usable])
    node_impurity = float(impurity(code, usable[0][2]))
    order = rank_columns(gains, ties, ratios, code, node_impurity, gains.size)
    return [usable[i][0] for i in order] + unusable
