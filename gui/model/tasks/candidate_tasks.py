"""What the worker finds out about candidates that stand in the list already, one column after the other. No Qt in here.

Each function calls `found` with (column, answer) as soon as it has one, and returns all of them; stopped, those it has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.runtime.progress import Progress
from gui.model.history import State
from gui.model.tasks import gains, split_tasks

if TYPE_CHECKING:
    from engine.ranking.candidates import Candidate, Curve

Found = Callable[[tuple[str, Any]], object]

OPTIMA = 4  # further local optima of a column that are shown


def optima(
    state: State, node: int, options: dict[str, Any], candidates: list[Candidate], progress: Progress, found: Found
) -> dict[str, tuple[Candidate, ...]]:
    """Further splits of each column that are the best of their neighbourhood, the best first."""
    import engine

    known, unit = state.assigned(), gains.impurity_of(state, node, options)
    answers: dict[str, tuple[Candidate, ...]] = {}

    def learn(candidate: Candidate) -> None:
        if not progress.stopped:
            further = (gains.without_rounding(one, unit, state.tree.task) for one in candidate.alternatives)
            answers[candidate.column] = tuple(further)
            found((candidate.column, answers[candidate.column]))

    # The search once more, which costs less than it saves: what all columns share is worked out once.
    one_level = {**options, "lookahead": 1, "m_of_n": False}
    where = (state.table, state.tree, node)
    engine.candidates(*where, assignment=known, progress=progress, alternatives=OPTIMA, found=learn, **one_level)
    return answers


def optima_of(
    state: State, node: int, options: dict[str, Any], curve: Curve, progress: Progress
) -> tuple[Candidate, ...]:
    """The same of the one column whose curve is at hand."""
    unit = gains.impurity_of(state, node, options)
    return tuple(gains.without_rounding(one, unit, state.tree.task) for one in curve.alternatives(OPTIMA))


def curve_without_limit(state: State, node: int, column: str, options: dict[str, Any], progress: Progress) -> Curve:
    """The curve of a column for which the search has no split: with the gains of the cuts that `min_leaf` forbids it.

    What a split of it is worth still says that it is forbidden.
    """
    limited = split_tasks.curve(state, node, column, options, progress)
    if int(options.get("min_leaf", 1)) <= 1:
        return limited
    free = split_tasks.curve(state, node, column, {**options, "min_leaf": 1}, progress)
    made = replace(free, by_value=limited.by_value)
    split_tasks.sum_up(made, state.table.task)
    return made


def agreements(
    state: State, node: int, options: dict[str, Any], candidates: list[Candidate], progress: Progress, found: Found
) -> dict[str, float]:
    """The share of the node's training rows that each candidate sends the same way as the first."""
    import engine
    from engine.table.partition import TRAIN

    first = next(candidate.split for candidate in candidates if candidate.split is not None)
    rows = state.assigned().rows_of(state.tree.position(node))
    rows = rows[state.table.part[rows] == TRAIN]

    def of(candidate: Candidate) -> float:
        return engine.agreement(state.table, rows, candidate.split, first)

    return _each(candidates, of, progress, found)


def second_levels(
    state: State, node: int, options: dict[str, Any], candidates: list[Candidate], progress: Progress, found: Found
) -> dict[str, float]:
    """What each candidate gains together with the best split below each of its branches."""
    import engine

    known = state.assigned()

    def of(candidate: Candidate) -> float:
        where = (state.table, state.tree, node, candidate)
        return engine.second_level(*where, assignment=known, progress=progress, **options)

    return _each(candidates, of, progress, found)


def _each(
    candidates: list[Candidate], of: Callable[[Candidate], Any], progress: Progress, found: Found
) -> dict[str, Any]:
    usable = [candidate for candidate in candidates if candidate.split is not None]
    answers: dict[str, Any] = {}
    for i, candidate in enumerate(usable):
        progress.report(i / len(usable))
        answer = of(candidate) if not progress.stopped else None
        if progress.stopped:
            break
        answers[candidate.column] = answer
        found((candidate.column, answer))
    return answers
