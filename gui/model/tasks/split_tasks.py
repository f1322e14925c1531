"""What the worker finds out about the splits of one node: of all columns, of one, made by hand. No Qt in here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.runtime.progress import Progress
from gui.model.history import State
from gui.model.tasks import gains, tree_tasks
from gui.wording import hand_phrases

if TYPE_CHECKING:
    from engine.ranking.candidates import Candidate, Curve
    from engine.search.m_of_n import Climb
    from engine.splits import Split


def candidates(
    state: State,
    node: int,
    options: dict[str, Any],
    progress: Progress,
    found: Callable[[Candidate], object] | None = None,
) -> list[Candidate]:
    """The best split of every column at a node, best first; `found` is called with each as soon as it is known."""
    import engine

    known, unit = state.assigned(), gains.impurity_of(state, node, options)
    cleaned: dict[int, Candidate] = {}

    def clean(candidate: Candidate) -> Candidate:
        if id(candidate) not in cleaned:
            reason = hand_phrases.in_places(candidate.reason, state.tree)
            candidate_here = replace(candidate, reason=reason) if reason != candidate.reason else candidate
            cleaned[id(candidate)] = gains.without_rounding(candidate_here, unit, state.tree.task)
        return cleaned[id(candidate)]

    def tell(candidate: Candidate) -> None:
        if found is not None:
            found(clean(candidate))

    told = tell if found is not None else None
    searched = engine.candidates(
        state.table, state.tree, node, assignment=known, progress=progress, found=told, **options
    )
    return [clean(candidate) for candidate in searched]


def curve(state: State, node: int, column: str, options: dict[str, Any], progress: Progress) -> Curve:
    """The gain of every cut of one column at a node."""
    import engine

    known = state.assigned()
    found = engine.gain_curve(state.table, state.tree, node, column, assignment=known, **options)
    least = gains.ROUNDING * gains.impurity_of(state, node, options)
    trained, unseen = (
        np.where(np.abs(g) < least, 0.0, g) if g.size else g for g in (found.gains, found.validation_gains)
    )
    # Makes the sums that every edit of the split looks up: here nobody waits for them.
    if found.levels:
        found.weigh(engine.Split(column, "groups", groups=(found.levels[:1], found.levels[1:])))
    elif found.values.size:
        found.weigh(engine.Split(column, "threshold", (float(found.values[0]),)))
    made = replace(found, gains=trained, validation_gains=unseen)
    sum_up(made, state.table.task)
    return made


def sum_up(made: Curve, task: str) -> None:
    """Makes the sums that the bars are drawn from: here nobody waits for them."""
    if task == "number":
        none = np.zeros(1, dtype=np.intp)
        made.squares_between(none, none)
    _ = made.train_before


@dataclass(frozen=True, eq=False)
class ReadAs:
    """What a leaf could be split by if its column were read as another kind; nothing is read so yet.

    Attributes:
        kind: of the column. was: its kind as it is.
        lost: the splits elsewhere in the tree that would not fit any more, in words.
    """

    kind: str
    was: str
    found: Candidate
    curve: Curve
    lost: tuple[str, ...]


def read_as(state: State, node: int, column: str, kind: str, options: dict[str, Any], progress: Progress) -> ReadAs:
    """The best split of one column at a leaf, if the column were read as another kind.

    Raises:
        InputError: a value does not fit, or the node is there only because of a split of this column as it is.
    """
    import engine

    was = state.table.column(column).kind
    other, lost = tree_tasks.recounted(state, lambda table: table.with_kind(column, kind), progress)
    if node not in other.tree:
        raise engine.InputError(
            f"“{column}” is {was} in a split above this node, which would be taken back: read it otherwise at the root."
        )
    locked = [name for name in other.table.names if name not in (column, other.table.target)]
    one = {**options, "locked": locked, "m_of_n": False, "lookahead": 1}
    found = next(found for found in candidates(other, node, one, progress) if found.column == column)
    return ReadAs(kind, was, found, curve(other, node, column, options, progress), lost)


def weighed(state: State, node: int, split: Split, options: dict[str, Any], progress: Progress) -> Candidate:
    """What a split made by hand is worth at a node, counted row by row where need be."""
    import engine

    found = engine.weigh(state.table, state.tree, node, split, state.assigned(), **options)
    return gains.without_rounding(found, gains.impurity_of(state, node, options), state.tree.task)


def climb(state: State, node: int, options: dict[str, Any], progress: Progress) -> Climb | None:
    """The way to the m-of-n split of a node."""
    import engine

    return engine.m_of_n(state.table, state.tree, node, assignment=state.assigned(), progress=progress, **options)


def best_groups(curve: Curve, nominal: str, progress: Progress) -> Split | None:
    """The best split of levels by one of the ways of `engine.search.choices`."""
    return curve.best_groups(nominal)
