"""Cutting back by clicks: a click on a node makes it a leaf, another one brings back what stood below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui import messages
from gui.history import State
from gui.tasks import hand_tasks
from gui.verbs.refusals import not_working
from gui.wording import hand_phrases, phrases

if TYPE_CHECKING:
    from gui.document import Document

HOW = "Click a node to make it a leaf, and again to bring back what stood below it. {keys} ends this."
NOTHING = "Nothing stands below this node, so there is nothing to cut."


class ClickCut(QObject):
    """Whether clicks cut, and the tree that they bring back.

    That tree is the one on the canvas when the first click came, or the one that a pruning on the canvas was cut
    out of: so what a pruning took can be brought back, too. Clicks in a row are one undo step.

    Attributes:
        on: whether a click on a node cuts.

    Signals:
        changed: `on` is another.
    """

    changed = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self.on = False
        self._base: State | None = None
        document.tableChanged.connect(self._on_table_changed)

    def toggle(self, keys: str) -> None:
        """Begins or ends it; `keys`: what ends it again."""
        self.on = not self.on and self._document.tree is not None
        self._base = None
        if self.on:
            messages.info(HOW.format(keys=keys))
        self.changed.emit()

    def stop(self) -> None:
        """Stops what runs; while nothing does, it ends the cutting."""
        if self.on and not_working(self._document):
            self.toggle("")
        else:
            self._document.cutback.stop()

    def _on_table_changed(self) -> None:
        self._base = None
        if self.on and self._document.tree is None:
            self.on = False
            self.changed.emit()

    def click(self, node: int) -> None:
        """Makes a leaf of a node, or brings back what stood below it."""
        self._document.edits.enqueue(lambda state: self._begin(state, node))

    def _begin(self, state: State, node: int) -> None:
        if node not in state.tree:
            return
        base = self._base_of(state)
        self._base = base
        place = base.tree.position(node)
        if base.tree.n_branches[place] == 0:
            messages.info(NOTHING)
            return
        cut = hand_tasks.cuts_between(base.tree, state.tree)
        back, where = node in cut, hand_phrases.place(base.tree, node)
        cut = cut - {node} if back else cut | {node}
        text = (phrases.brought_back if back else phrases.collapse)(base.tree, node, where)
        self._document.edits.run(
            text, hand_tasks.cut_out, base, frozenset(cut), node, unpack=self._known, merge=base, by_validation=True
        )

    def _known(self, after: State) -> State:
        """The chart goes on showing the prunings of the same tree."""
        self._document.cutback.know(after)
        return after

    def _base_of(self, state: State) -> State:
        """The tree that this one was cut out of, by clicks or by a pruning; else the tree itself."""
        for base in (self._base, self._document.cutback.base):
            if base is not None and base.table is state.table and hand_tasks.is_cut_out(state.tree, base.tree):
                return base
        return state
