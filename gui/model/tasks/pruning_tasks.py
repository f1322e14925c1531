"""What the worker does for pruning: the trees of a method, what they are worth, and their shapes. No Qt in here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress
from gui.model.history import State
from gui.model.tasks.tree_tasks import following

if TYPE_CHECKING:
    from engine.pruning.result import Pruning
    from engine.tree.tree import Tree

Figures = dict[str, NDArray[np.float64]]
MOST_JUDGED = 200_000_000  # nodes · steps of trees that are not cut out of each other, which are judged one by one


def pruning(state: State, method: str, keep_by_hand: bool, options: dict[str, Any], progress: Progress) -> Pruning:
    """The trees of one method; `options` are those of `engine.pruning.OPTIONS` that are not as usual."""
    import engine

    known = state.assigned()
    return engine.prune(
        state.table, state.tree, method, keep_by_hand=keep_by_hand, assignment=known, progress=progress, **options
    )


def bare_sequence(state: State, keep_by_hand: bool, options: dict[str, Any], progress: Progress) -> Pruning:
    """The sequence of cost complexity without the folds: there at once, even where nothing else can judge it."""
    unjudged = Progress()
    unjudged.stop()  # before the first fold
    return pruning(state, "cost_complexity", keep_by_hand, options, unjudged)


def pruned(state: State, sequence: Pruning, step: int, progress: Progress) -> State:
    """The state in which the tree is a step of a pruning."""
    return following(state, sequence.tree(step))


def lost_by_hand(before: Tree, after: Tree) -> int:
    """How many hand-made splits of `before` are leaves or gone in `after`."""
    made = before.ids[before.by_hand & (before.n_branches > 0)]
    return int(np.setdiff1d(made, after.ids[after.n_branches > 0]).size)


def measured(state: State, metric: str, prunings: dict[str, Pruning], progress: Progress) -> dict[str, Figures]:
    """A metric of every step of some prunings.

    Returns:
        by the names of the prunings: "train" and "validation", float64[n_steps]; NaN where there are no rows, where
        too many trees would have to be made one by one (but for the recommended one), and after a stop.
    """
    found = {}
    for name, one in prunings.items():
        if progress.stopped:
            break
        found[name] = {part: _judged(state, one, metric, part, progress) for part in ("train", "validation")}
    return found


def _judged(state: State, one: Pruning, metric: str, part: str, progress: Progress) -> NDArray[np.float64]:
    from engine.pruning.metrics import curve, figure
    from engine.pruning.result import Nested

    if isinstance(one.trees, Nested):
        return curve(one, metric, part, state.table, state.assigned())
    figures = np.full(len(one.steps), np.nan)
    few = one.full.n_nodes * len(one.steps) <= MOST_JUDGED and metric != "absolute_error"  # which looks at rows
    for step in range(len(one.steps)) if few or len(one.steps) <= 2 else (one.chosen,):
        if progress.stopped:
            break
        figures[step] = figure(one.tree(step), metric, part, state.table)
    return figures
