"""What the panels of an assessment have in common: they ask for it while they are seen, and say why there is none."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QLayout, QWidget

import engine
from engine.runtime.sentences import tr
from gui.model.document import Document
from gui.widgets.building import empty_page, put_pages
from gui.widgets.fields import refill, short_list


class JudgedPanel(QWidget):
    """A panel with a list of what is judged: the whole tree, or the branch of the selected node."""

    def __init__(self, document: Document, name: str) -> None:
        super().__init__()
        self.setObjectName(f"{name}_panel")
        self._document, self._assessing = document, document.assessing
        self.branch = short_list(f"{name}_branch", tr("What is judged"), letters=8, activated=self._on_branch)
        self.empty = empty_page("", f"{name}_empty")

    def _put(self, page: QWidget) -> None:
        self.pages = put_pages(self, page, self.empty)
        if (layout := self.layout()) is not None:  # what has no room is shortened, or scrolls
            layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)

    def _on_branch(self) -> None:
        self._assessing.judge_branch(bool(self.branch.currentData()))

    def _judged(self, fits: Mapping[str, engine.Fit]) -> engine.Tree | None:
        """The tree of these fits, where they are to be shown; the list of what is judged is up to date then."""
        tree = self._document.tree
        self.pages.setCurrentIndex(0 if tree is not None and fits else 1)
        self.empty.setText(self._assessing.reason)
        if tree is None or not fits or not self.isVisible():
            return None
        branch = tr("The branch of node {node}", node=self._document.selected)
        refill(self.branch, {False: tr("The whole tree"), True: branch}, self._assessing.branch)
        return tree

    def _ask(self) -> None:
        if self._document.tree is not None and self.isVisible():
            self._assessing.ask()
