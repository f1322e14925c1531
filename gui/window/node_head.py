"""What the selected node is, above its candidates: its number, the way to it, its rows and what they are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.widgets import verbatim
from gui.window.path_label import PathLabel
from gui.wording import words

if TYPE_CHECKING:
    from engine.tree.tree import Tree
    from gui.model.document import Document


class NodeHead(QWidget):
    """Two lines: "This node #7 age ≤ 30 and city = Berlin", "229 rows, 43 % bad · validation 41 % (76 rows)"."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="node_head")
        self._document = document
        self.title = verbatim.label("This node", objectName="node_head_title")
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.number = verbatim.label(objectName="node_head_number")
        self.way = PathLabel(document, pointed=False)
        self.way.setObjectName("node_head_way")
        self.rows = verbatim.label(objectName="node_head_rows", wordWrap=True)
        for quiet in (self.number, self.way):
            quiet.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        line = QHBoxLayout()
        line.addWidget(self.title)
        line.addWidget(self.number)
        line.addWidget(self.way, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 2, 8, 0)
        layout.setSpacing(2)
        layout.addLayout(line)
        layout.addWidget(self.rows)
        for changed in (document.treeChanged, document.selectionChanged, document.focusChanged):
            changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Tells of the node that is selected now."""
        tree, node = self._document.tree, self._document.selected
        known = tree is not None and node in tree
        self.number.setText(f"#{node}" if known else "")
        self.rows.setText(rows_words(tree, tree.position(node), self._document.focus_class) if known else "")


def rows_words(tree: Tree, position: int, focus: int) -> str:
    """How many rows reach the node and what they are: "229 rows, 43 % bad · validation 41 % (76 rows)".

    Args:
        focus: the class that is told for two classes; for more it is the one that is predicted.
    """
    train, validation = int(tree.rows_train[position]), int(tree.rows_validation[position])
    label = "" if tree.task == "number" else tree.classes[_told(tree, position, focus)]
    figures = [_figure(tree, stats[position], position, focus) for stats in (tree.train, tree.validation)]
    said = _rows(train)
    if figures[0]:
        said += f", {figures[0]} {label}" if label else f", mean {figures[0]}"
    if validation:
        said += f" · validation {figures[1]} ({_rows(validation)})"
    return said


def _rows(n: int) -> str:
    return f"{words.count(n)} {'row' if n == 1 else 'rows'}"


def _told(tree: Tree, position: int, focus: int) -> int:
    return focus if len(tree.classes) == 2 else int(tree.labels[position])


def _figure(tree: Tree, stats: object, position: int, focus: int) -> str:
    """The share of the class that is told, or the mean; empty where no row counts."""
    if tree.task == "number":
        n, total = float(stats[0]), float(stats[1])  # type: ignore[index]
        return words.value(total / n) if n > 0 else ""
    total = float(stats.sum())  # type: ignore[attr-defined]
    share = float(stats[_told(tree, position, focus)]) / total if total > 0 else math.nan  # type: ignore[index]
    return "" if math.isnan(share) else words.percent(share)
