"""What it costs that validation rows chose the tree on the canvas: among the trees of a pruning, and among those that
were grown or pruned by several settings.

Only of trees that were made anew each time, so that no validation row had a say in them but in their pruning. Who edits
a tree by hand, looks, keeps and goes on, chooses at every step: such trees are counted as compared, and nothing is said
of what that costs (simulated, correcting for the last choice alone removes half of it)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.tree.leaves import LeafRule
from gui.model import tree_figures
from gui.model.editing.cutback import Cutback
from gui.model.editing.edits import Edits
from gui.model.history import State
from gui.model.host import Host

KEY = "choosing"
MOST_LOSSES = 3_000_000  # that are kept, of prunings five times; so many rows hardly flatter a tree that they choose
MOST_TREES = 200


@dataclass(frozen=True, eq=False)
class Seen:
    """A tree that was on the canvas, as the validation rows see it."""

    own: engine.Choice | None  # how rows that did not choose it among its prunings see it; None where none did
    trees: int  # that were compared: its prunings, or itself alone
    shown: float  # its mean loss on the validation rows
    losses: NDArray[np.float64]  # float64[n_validation], its loss on each of them


Asked = tuple[State, "engine.Choice | None", int]  # a tree that is to be seen, its own choice, and `Seen.trees`


class Choosing(QObject):
    """Keeps how the validation rows see the trees that were shown over the present table, and judges their choice."""

    changed = Signal()  # another choice is known

    def __init__(self, document: Host, edits: Edits, cutback: Cutback) -> None:
        super().__init__(document)
        self._document, self._edits, self._cutback = document, edits, cutback
        self._forget()
        document.tableChanged.connect(self._forget)
        document.treeChanged.connect(self._follow)
        document.pruningChanged.connect(self._judge_pruned)

    def _forget(self) -> None:
        self._document.jobs.drop(KEY)
        self._seen: list[Seen] = []
        self._places: WeakKeyDictionary[engine.Tree, Seen] = WeakKeyDictionary()  # by tree, also those of marked copies
        self._new: list[Asked] = []
        self._rule: LeafRule | None = None  # of all of them: losses by different rules are not comparable
        self._grown: WeakSet[engine.Tree] = WeakSet()  # from a single leaf, by the search options alone
        self._pruned: WeakSet[engine.Tree] = WeakSet()  # out of those
        self._best: engine.Choice | None = None  # of the trees that were seen
        self._saved: tuple[engine.Tree, engine.Choice, int] | None = None  # as a project says, after so many trees
        self._knows_all = self._edits.validation_trees == 0  # whether all trees that were compared are of this kind

    @property
    def choice(self) -> engine.Choice | None:
        """How rows that did not choose the tree on the canvas see it. None of a tree that they did not choose, as there
        is a better one, until it is known, and where trees were compared of which nothing can be said."""
        tree, compared = self._document.tree, self._edits.validation_trees
        if self._saved is not None and self._saved[0] is tree and self._saved[2] == compared:
            return self._saved[1]
        n_seen = sum(one.trees for one in self._seen)
        if tree is None or self._new or not self._knows_all or not 1 < compared <= n_seen:
            return None
        best = min(reversed(self._seen), key=lambda one: one.shown)  # of those that are as good, the last one
        return self._best if self._places.get(tree) is best else None

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
            self._saved = state.tree, engine.Choice(**saved), self._edits.validation_trees
            self.changed.emit()

    def _follow(self, before: engine.Tree | None, after: engine.Tree | None) -> None:
        """Another tree is on the canvas: how was it made?"""
        state = self._document.state
        if state is None or after is None or before is None or after.n_leaves < 2 or after in self._places:
            return
        if any(after is one[0].tree for one in self._new) or after in self._pruned:
            return
        charted, base = self._cutback.has_tree(after), self._cutback.base
        if before in self._places and is_copy(after, before):
            self._places[after] = self._places[before]
        elif before.n_leaves == 1 and not after.by_hand.any():
            (self._pruned if charted else self._grown).add(after)
            if not charted:
                self._ask((state, None, 1))
        elif charted and base is not None and base.tree in self._grown:
            self._pruned.add(after)
        else:
            self._knows_all = False
        self._judge_pruned()

    def _judge_pruned(self) -> None:
        """Once it is known how rows that did not choose a pruning see it, they see it beside the trees before."""
        state, base = self._document.state, self._cutback.base
        if state is None or state.tree not in self._pruned or state.tree in self._places:
            return
        own = self._cutback.choice_of(state)
        if own is not None and all(state.tree is not one[0].tree for one in self._new):
            whole = self._places.get(base.tree) if base is not None else None
            if whole is not None and whole.own is None and whole in self._seen:  # the pruning compared it, too
                self._seen = [one for one in self._seen if one is not whole]
                self._ask((state, own, own.trees + whole.trees))
            else:
                self._ask((state, own, own.trees))

    def _ask(self, asked: Asked) -> None:
        """Looks at a tree quietly, and at those that are not looked at yet."""
        n, n_trees, tree = asked[0].table.n_validation, len(self._seen) + len(self._new) + 1, asked[0].tree
        rule = self._rule = self._rule or unpaid(tree.leaf_rule)
        is_counted = asked[0].table.counter is not None  # single rows would tell
        too_much = n * n_trees > MOST_LOSSES or n_trees > MOST_TREES
        if n < 2 or too_much or is_counted or unpaid(tree.leaf_rule) != rule:
            self._knows_all = False
            return
        self._new = [*self._new, asked]
        new = self._new

        def done(found: tuple[list[Seen], engine.Choice]) -> None:
            written = self._document.path is not None and not self._document.modified and self.choice is None
            (self._seen, self._best), self._new = found, []
            self._places.update(zip((one[0].tree for one in new), self._seen[-len(new) :], strict=True))
            if written and self.choice is not None:
                self._document.history.stack.resetClean()  # the project does not know it yet
            self.changed.emit()

        how: dict[str, Any] = {"done": done, "key": KEY, "idle": True}
        self._document.jobs.run(tr("Judging the choice"), judged, self._seen, new, **how)


def is_copy(one: engine.Tree, other: engine.Tree) -> bool:
    """Whether two trees differ in marks or in profits alone, as by a note: they err on the same rows."""
    same = one.n_nodes == other.n_nodes and unpaid(one.leaf_rule) == unpaid(other.leaf_rule)
    return same and np.array_equal(one.validation, other.validation) and np.array_equal(one.train, other.train)


def unpaid(rule: LeafRule) -> LeafRule:
    """A rule without profits, which change no label and no loss."""
    return replace(rule, profits=(), currency="")


# -- in the worker, without Qt


def judged(seen: list[Seen], new: list[Asked], progress: Progress) -> tuple[list[Seen], engine.Choice]:
    """How the validation rows see some trees beside those that they have seen, and what it costs to choose the best."""
    from engine.assessment.selection import losses_of  # late: it brings the compiler

    for state, own, n_trees in new:
        losses, weights = losses_of(state.table, state.tree, state.table.rows(engine.VALIDATION))[1:]
        shown = state.tree.loss("validation")
        seen = [*seen, Seen(own, n_trees, shown, losses)]
    if len(seen) == 1 and seen[0].own is not None:
        return seen, seen[0].own
    shares = state.tree.task == "classes" and not state.tree.leaf_rule.costs
    return seen, engine.best_of([one.own or one.losses for one in seen], weights, shares=shares)
