"""What a split gains, and the impurities of its nodes; what is nothing but rounding is 0. No Qt in here."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.criteria import impurity
from gui.model.history import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.ranking.candidates import Candidate

ROUNDING = 1e-12  # the share of an impurity below which a gain is nothing but rounding


def gain_of(state: State, i: int, options: dict[str, Any], part: str) -> float:
    """By how much the split of a node lowers the impurity on a part of the rows; NaN without rows there."""
    weights, branches = state.tree.weight(part), state.tree.children(i)
    if not weights[i] > 0:
        return math.nan
    impurity_at = impurities(state, [i, *branches], searched_as(state, int(state.tree.ids[i]), options), part)
    whole = impurity_at[i]
    gain = whole - sum(float(weights[k] / weights[i]) * impurity_at[k] for k in branches if weights[k] > 0)
    return gain if gain > ROUNDING * whole else 0.0


def searched_as(state: State, node: int, options: dict[str, Any]) -> dict[str, Any]:
    """The search options with the criterion that a person wrote on a node or above it, if there is one.

    Raises:
        InputError: that criterion does not go with the other options; it names the node that says it.
    """
    from engine.ranking.node_search import search_as
    from engine.search.options import Search
    from engine.tree.marks import SearchWay

    own = state.tree.criterion_at(node)
    if not own:
        return options
    search_as(state.tree, Search.make(state.table.task, **options), SearchWay(criterion=own))
    return {**options, "criterion": own}


def impurities(state: State, places: list[int], options: dict[str, Any], part: str) -> dict[int, float]:
    """The impurity of some nodes by the criterion of a search, from the rows where the tree's counts do not tell it."""
    from engine.search.options import Search
    from engine.table.partition import TRAIN, VALIDATION

    search, tree = Search.make(state.table.task, **options), state.tree
    stats = tree.train if part == "train" else tree.validation
    if not (search.by_bins or search.by_rows):
        filled = [k for k in places if tree.weight(part)[k] > 0]
        number = tree.task == "number"
        return {k: float(stats[k, 2] / stats[k, 0]) if number else impurity(search.criterion, stats[k]) for k in filled}
    table = state.table.binned(search.bins) if search.by_bins else state.table
    code, at, found = TRAIN if part == "train" else VALIDATION, state.assigned(), {}
    for k in places:
        rows = at.rows_of(k)
        rows = rows[table.part[rows] == code]
        weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
        if not weights.sum() > 0:
            continue
        if search.by_bins:
            counts = np.bincount(table.y[rows], weights, minlength=len(table.classes))
            found[k] = impurity(search.criterion, counts)
        else:
            found[k] = mean_deviation(table.y[rows], weights)
    return found


def mean_deviation(y: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The weighted mean distance from the weighted median."""
    order = np.argsort(y, kind="stable")
    y, weights = y[order], weights[order]
    reached = np.cumsum(weights)
    median = y[int(np.searchsorted(reached, reached[-1] / 2))]
    return float(weights @ np.abs(y - median) / reached[-1])


def impurity_of(state: State, node: int, options: dict[str, Any]) -> float:
    """What gains at a node are shares of: 1 of classes, the impurity of a numeric target."""
    if state.tree.task == "classes":
        return 1.0
    place = state.tree.position(node)
    return impurities(state, [place], searched_as(state, node, options), "train").get(place, 0.0)


def without_rounding(candidate: Candidate, unit: float, task: str) -> Candidate:
    """The candidate with 0 for the gains that are nothing but rounding; of numbers the scores keep theirs, which have
    several units."""

    def clean(gain: float) -> float:
        return 0.0 if abs(gain) < ROUNDING * unit else gain

    scores = candidate.scores
    if task == "classes":
        scores = {name: clean(score) for name, score in scores.items()}
    return replace(
        candidate,
        gain=clean(candidate.gain),
        validation_gain=clean(candidate.validation_gain),
        ahead=clean(candidate.ahead),
        scores=scores,
    )
