"""What the worker does to compare two trees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.runtime.progress import Progress
from gui.model.history import State
from gui.model.tasks.tree_tasks import following

if TYPE_CHECKING:
    from engine.assessment.comparison import Comparison


def compared(state: State, other: State, progress: Progress) -> dict[str, Comparison]:
    """The comparison of two trees over the same table, on every part of it that trains or validates."""
    import engine

    parts = ["train"] + (["validation"] if state.table.n_validation else [])
    both = state.assigned(), other.assigned()
    return {part: engine.compare(state.table, state.tree, other.tree, part, both) for part in parts}


def read(state: State, path: Path, progress: Progress) -> State:
    """A tree from a file over the table of a state.

    Raises:
        InputError: it cannot be read, or does not fit the table.
    """
    import engine

    tree = engine.read_tree(path)
    return following(state, tree.with_counts(state.table))
