"""Folding by support: from how many rows on branches are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from gui.dialogs.labels import answers, quiet
from gui.model.view_state.folding import summary
from gui.picture.folds import Folds, folded_of
from gui.widgets import verbatim

if TYPE_CHECKING:
    from engine.tree.tree import Tree

USUAL = 0.01  # of the rows: where the dialog begins


class FoldDialog(QDialog):
    """Asks for the least number of training rows of a node whose branches are shown.

    Attributes:
        least_rows: that number.
    """

    def __init__(self, tree: Tree, least_rows: int, parent: QWidget | None = None) -> None:
        """`least_rows`: what was chosen last; 0 for nothing."""
        super().__init__(parent)
        self.setObjectName("fold_dialog")
        self.setWindowTitle("Fold branches")
        self._tree = tree
        rows = int(tree.rows_train[0])
        self.field = QSpinBox(objectName="fold_rows", minimum=1, maximum=max(rows, 1), accelerated=True)
        self.field.setGroupSeparatorShown(True)
        self.field.setAccessibleName("Fold the branches of nodes with fewer training rows than")
        self.field.setValue(least_rows or max(round(USUAL * rows), 2))
        self.field.selectAll()
        label = verbatim.label("&Fold the branches of nodes with fewer training rows than")
        label.setBuddy(self.field)
        line = QHBoxLayout()
        line.addWidget(label)
        line.addWidget(self.field)
        self._outcome = quiet()
        self._outcome.setObjectName("fold_outcome")
        buttons, _ = answers(self, "&Fold them", "fold_accept")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(12)
        layout.addLayout(line)
        layout.addWidget(self._outcome)
        layout.addWidget(quiet("The tree stays as it is: only the picture hides what is below them."))
        layout.addWidget(buttons)
        self.field.valueChanged.connect(self._refresh)
        self._refresh()

    @property
    def least_rows(self) -> int:
        return self.field.value()

    def _refresh(self) -> None:
        now = folded_of(self._tree, Folds(least_rows=self.least_rows))
        said = summary(self._tree, now) if now is not None else "all leaves shown: nothing would be folded"
        self._outcome.setText(f"{said[0].upper()}{said[1:]}")
