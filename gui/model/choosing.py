"""What it costs that validation rows chose the tree on the canvas: among the trees of a pruning, and among those that a
person looked at one after the other, made by hand or by other options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui.model import tree_figures
from gui.model.editing.cutback import Cutback
from gui.model.editing.edits import Edits
from gui.model.history import State
from gui.model.host import Host

KEY = "choosing"
MOST_LOSSES = 3_000_000  # that are kept, of prunings five times; so many rows hardly flatter a tree that they choose


@dataclass(frozen=True, eq=False)
class Seen:
    """A tree that was on the canvas, as the validation rows see it."""

    tree: engine.Tree
    own: engine.Choice | None  # how rows that did not choose it among its prunings see it; None where none did
    losses: NDArray[np.float64]  # float64[n_validation], its loss on each of them

    @property
    def shown(self) -> float:
        return tree_figures.loss(self.tree, "validation")


class Choosing(QObject):
    """Keeps how the validation rows see the trees that were shown over the present table, and judges their choice."""

    changed = Signal()  # another choice is known

    def __init__(self, document: Host, edits: Edits, cutback: Cutback) -> None:
        super().__init__(document)
        self._document, self._edits, self._cutback = document, edits, cutback
        self._forget()
        document.tableChanged.connect(self._forget)
        document.treeChanged.connect(self._follow)
        document.pruningChanged.connect(self._follow)

    def _forget(self) -> None:
        self._document.jobs.drop(KEY)
        self._seen: list[Seen] = []
        self._new: list[tuple[State, engine.Choice | None]] = []  # what the validation rows are still to see
        self._best: engine.Choice | None = None  # of the trees that were seen
        self._saved: tuple[engine.Tree, engine.Choice] | None = None  # as a project says

    @property
    def choice(self) -> engine.Choice | None:
        """How rows that did not choose the tree on the canvas see it. None of a tree that they did not choose, as there
        is a better one, until it is known, and where trees were compared of which nothing else is known."""
        state = self._document.state
        if state is None:
            return None
        own = self._own(state)
        others = [one for one in self._seen if one.tree is not state.tree]
        if own is not None and all(self._cutback.has_tree(one.tree) for one in others):
            return own
        if others and not self._new and _count(self._seen) >= self._edits.validation_trees:
            best = min(reversed(self._seen), key=lambda one: one.shown)  # of those that are as good, the last one
            if best.tree is state.tree:
                return self._best
        return own or (self._saved[1] if self._saved is not None and self._saved[0] is state.tree else None)

    def _own(self, state: State) -> engine.Choice | None:
        """What it cost to choose a tree among its prunings, also where their chart is gone."""
        before = next((one.own for one in self._seen if one.tree is state.tree), None)
        return self._cutback.choice_of(state) or before

    def settings(self) -> dict[str, Any]:
        """What a project keeps of it."""
        one = self.choice
        if one is None or not np.isfinite([one.shown, one.error, *one.interval]).all():
            return {}
        return {"choice": {"trees": one.trees, "shown": one.shown, "error": one.error, "interval": [*one.interval]}}

    def restore(self, saved: dict[str, Any]) -> None:
        """Takes what a project says of its tree, if that tree errs as it did."""
        state = self._document.state
        if saved and state is not None and np.isclose(saved["shown"], tree_figures.loss(state.tree, "validation")):
            self._saved = state.tree, engine.Choice(**saved)
            self.changed.emit()

    def _follow(self) -> None:
        """The validation rows see the tree on the canvas, if they have not yet, or its pruning is judged by now."""
        state = self._document.state
        n_seen = len(self._seen) + len(self._new) + 1
        if state is None or state.tree.n_leaves < 2 or state.table.n_validation < 2:
            return
        if state.table.n_validation * n_seen > MOST_LOSSES:
            return
        own = self._own(state)
        known = [(one.tree, one.own) for one in self._seen] + [(one.tree, choice) for one, choice in self._new]
        if any(tree is state.tree and choice is own for tree, choice in known):
            return
        self._new = [one for one in self._new if one[0].tree is not state.tree] + [(state, own)]
        gone = {id(one.tree) for one, _ in self._new}
        before = [one for one in self._seen if id(one.tree) not in gone and one.tree.leaf_rule == state.tree.leaf_rule]

        def done(found: tuple[list[Seen], engine.Choice]) -> None:
            (self._seen, self._best), self._new = found, []
            self.changed.emit()

        how: dict[str, Any] = {"done": done, "key": KEY, "idle": True}
        self._document.jobs.run(tr("Judging the choice"), judged, before, self._new, **how)


def _count(seen: list[Seen]) -> int:
    return sum(one.own.trees if one.own is not None else 1 for one in seen)


# -- in the worker, without Qt


def judged(
    seen: list[Seen], new: list[tuple[State, engine.Choice | None]], progress: Progress
) -> tuple[list[Seen], engine.Choice]:
    """How the validation rows see some trees beside those that they have seen, and what it costs to choose the best."""
    from engine.assessment.selection import losses_of  # late: it brings the compiler

    for state, own in new:
        losses, weights = losses_of(state.table, state.tree, state.table.rows(engine.VALIDATION))[1:]
        seen = [*seen, Seen(state.tree, own, losses)]
    shares = seen[0].tree.task == "classes" and not seen[0].tree.leaf_rule.costs
    return seen, engine.best_of([one.own or one.losses for one in seen], weights, shares=shares)
