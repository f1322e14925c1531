"""What can be done with a candidate: the actions of its context menu, in the words of the Tree menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gui import icons
from gui.wording import hand_phrases

if TYPE_CHECKING:
    import engine
    from gui.model.document import Document

WHY = "Shows the arithmetic of this split, with its own counts"
EXCLUDE = "The search leaves the column out at this node and below it"
LOCK = "No search uses a locked column, at any node"


class CandidateVerbs(QObject):
    """The actions for one candidate; they apply to what `show_for` was told last.

    Signals:
        split_here: The candidate is to split the node, or to replace its split.
        whyAsked: Its arithmetic is wanted.
    """

    whyAsked = Signal()

    def __init__(self, document: Document, view: QWidget) -> None:
        super().__init__(view)
        self._document = document
        self._column = ""
        self.split_here = self._make("split_here", "split")
        self.why = self._make("why", "", WHY)
        self.exclude = self._make("exclude", "ignore", EXCLUDE)
        self.lock = self._make("lock", "lock", LOCK)
        line = QAction(self)
        line.setSeparator(True)
        view.addActions([self.split_here, self.why, line, self.exclude, self.lock])
        self.why.setText("Why this split?")
        self.why.triggered.connect(self.whyAsked)
        self.exclude.triggered.connect(self._on_exclude)
        self.lock.triggered.connect(self._on_lock)
        self.show_for(None)

    def _make(self, name: str, picture: str, tip: str = "") -> QAction:
        action = QAction(self, objectName=f"candidates_{name}", toolTip=tip)
        if picture:
            icons.put(action, picture)
        return action

    def show_for(self, found: engine.Candidate | None) -> None:
        """Says what can be done with a candidate, which perhaps may not be used; None while there is none."""
        document, tree = self._document, self._document.tree
        usable = found is not None and found.split is not None
        refusal = document.why_no_split()
        self.split_here.setText("Split here" if document.split_here is None else "Replace the split")
        self.split_here.setEnabled(usable and not refusal)
        self.why.setEnabled(usable)
        table = document.table
        known = table is not None and found is not None and found.column in table.names
        self._column = found.column if found is not None and known else ""
        above = self._left_out_by()
        where = f" below {hand_phrases.place(tree, above)}" if tree is not None and above is not None else ""
        self.exclude.setText(f"Let the column in again{where}" if where else "Leave the column out below")
        locked = self._column in document.hand.locked_columns
        self.lock.setText("Unlock the column" if locked else "Lock the column")
        for action in (self.exclude, self.lock):
            action.setEnabled(bool(self._column))

    def _left_out_by(self) -> int | None:
        """The node at or above the selected one that leaves the column out."""
        tree, node = self._document.tree, self._document.selected
        return tree.excluded_at(node).get(self._column) if tree is not None and node in tree else None

    def _on_exclude(self) -> None:
        tree, node, above = self._document.tree, self._document.selected, self._left_out_by()
        if tree is None:
            return
        if above is None:
            names = (*tree.mark(node).excluded, self._column)
        else:
            node, names = above, tuple(name for name in tree.mark(above).excluded if name != self._column)
        self._document.hand.mark(node, excluded=names)

    def _on_lock(self) -> None:
        locked = self._document.hand.locked_columns
        others = tuple(name for name in locked if name != self._column)
        self._document.hand.lock_columns(others if self._column in locked else (*locked, self._column))
