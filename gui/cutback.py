"""Pruning as the document sees it: a sequence over one tree, of which one step at a time is on the canvas."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gui import messages, phrases, tree_tasks
from gui.history import State
from gui.jobs import words_for

if TYPE_CHECKING:
    from engine.pruning import Pruning
    from gui.document import Document

FAULT = "Pruning went wrong; the log has the details."


class Cutback:
    """The prunings of one tree. They stay as long as that tree, or one of its prunings, is on the canvas.

    Attributes:
        sequence: the prunings, or None.
        method: how they were made.
        error: why there are none; empty when nothing went wrong.
        step: which of them is on the canvas; None when none is.
        ask_keep_by_hand: asked when a pruning would take hand-made splits away. Gets their number; answers True to
            keep them, False to prune them too, None to leave the tree as it is. The window puts its dialog here.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self.ask_keep_by_hand: Callable[[int], bool | None] = lambda n_splits: True
        self.clear()

    def clear(self) -> None:
        """Forgets everything, the answer about hand-made splits too, as for a new table."""
        self._keep: bool | None = None
        self._forget()

    def _forget(self) -> None:
        self.sequence: Pruning | None = None
        self.method = ""
        self.error = ""
        self.step: int | None = None
        self._base: State | None = None
        self._shown: dict[int, State] = {}
        self._came_from: State | None = None  # a pruning by the method before, still on the canvas
        self._keeps = False  # the sequence leaves hand-made splits alone
        self._document.jobs.drop("pruning")

    @property
    def usual_method(self) -> str:
        """The method that the Prune button takes; empty without a table."""
        state = self._document.state
        return usual_method(state) if state is not None else ""

    def prune(self, method: str | None = None) -> None:
        """Computes the prunings and puts the one that the method recommends onto the canvas."""
        self.open(method, show=True)

    def open(
        self, method: str | None = None, show: bool = False, like: int | None = None, clicked: bool = False
    ) -> None:
        """Computes the prunings, of the tree that the present ones belong to if one of them is on the canvas.

        Args:
            show: put the recommended one onto the canvas.
            like: put the one onto the canvas whose leaves are nearest to this number.
            clicked: that pruning was clicked in the chart, see `show`.
        """
        self._document.edits.enqueue(lambda state: self._begin(state, method, show, like, clicked))

    def _begin(self, state: State, method: str | None, show: bool, like: int | None, clicked: bool) -> None:
        base = self._base if self._base is not None and self._belongs(state) else state
        method = method or usual_method(base)
        self._forget()
        self._base, self._came_from, self.method = base, state, method
        self._keeps = bool(self._keep)
        self.step = 0 if state is base else None
        self._document.pruningChanged.emit()

        def done(sequence: Pruning) -> None:
            self.sequence = sequence
            self._document.pruningChanged.emit()
            if like is not None:
                self.show(nearest(sequence, like), clicked)
            elif show:
                self._show_chosen(sequence, clicked)

        def failed(error: Exception) -> None:
            self.error = words_for(error) or FAULT
            self._document.pruningChanged.emit()
            if show:
                messages.error(self.error)

        self._document.jobs.run(
            "Pruning", tree_tasks.pruning, base, method, self._keeps, done=done, failed=failed, key="pruning"
        )

    def take(self, sequence: Pruning, base: State, shown: State) -> None:
        """Takes prunings that came about otherwise; the recommended one is about to be shown.

        Args:
            base: the state of the full tree.
            shown: that of the recommended one.
        """
        self._forget()
        self._base, self.sequence, self.method = base, sequence, sequence.method
        self._shown[sequence.chosen] = shown
        self.step = sequence.chosen
        self._document.pruningChanged.emit()

    def show(self, index: int, clicked: bool = True) -> None:
        """Puts one of the prunings onto the canvas.

        Args:
            clicked: in the chart, where clicks in a row are one undo step; what the Prune button does is a step
                of its own, which no click continues.
        """
        self._document.edits.enqueue(lambda state: self._begin_showing(index, clicked))

    def follow(self, state: State) -> None:
        """Another state is on the screen: is it one of these?"""
        if self._base is None:
            return
        if not self._belongs(state):
            self._forget()
        else:
            steps = [index for index, shown in self._shown.items() if shown is state]
            self.step = 0 if state is self._base else steps[0] if steps else None
        self._document.pruningChanged.emit()

    def _belongs(self, state: State) -> bool:
        return state is self._base or state is self._came_from or any(x is state for x in self._shown.values())

    def _show_chosen(self, sequence: Pruning, clicked: bool) -> None:
        if sequence.chosen == 0:
            messages.info("Nothing to prune: by this method the whole tree is the best of its prunings.")
        self.show(sequence.chosen, clicked)

    def _begin_showing(self, index: int, clicked: bool) -> None:
        sequence, base = self.sequence, self._base
        if sequence is None or base is None or index == self.step or not 0 <= index < len(sequence.steps):
            return
        text = phrases.pruned(sequence.steps[index].leaves, self.method)
        how: dict[str, Any] = {"merge": base if clicked else None, "by_validation": True}
        if index == 0 or index in self._shown:
            self._document.edits.push(base if index == 0 else self._shown[index], text, **how)
            return
        self._document.edits.run(
            text,
            tree_tasks.pruned,
            sequence,
            index,
            unpack=lambda after: self._agreed(base, after, index, clicked),
            **how,
        )

    def _agreed(self, base: State, after: State, index: int, clicked: bool) -> State | None:
        """The pruned state, unless hand-made splits would go that a person wants to keep."""
        if self.sequence is None or self._base is not base:
            return None
        lost = tree_tasks.lost_by_hand(base.tree, after.tree)
        if lost and self._keep is None:
            sequence = self.sequence
            answer = self.ask_keep_by_hand(lost)
            if answer is None or self.sequence is not sequence:
                return None
            self._keep = answer
        if lost and self._keep and not self._keeps:
            chosen = index == self.sequence.chosen
            self.open(self.method, show=chosen, like=None if chosen else after.tree.n_leaves, clicked=clicked)
            return None
        self._shown[index] = after
        return after


def usual_method(state: State) -> str:
    """Reduced error where validation rows can judge, else cost complexity."""
    return "reduced_error" if state.table.n_validation > 0 else "cost_complexity"


def nearest(sequence: Pruning, leaves: int) -> int:
    """The step whose number of leaves is nearest; of two, the smaller tree."""
    return min(range(len(sequence.steps)), key=lambda i: (abs(sequence.steps[i].leaves - leaves), -i))
