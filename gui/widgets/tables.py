"""Tables as the panels and dialogs show them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractItemView, QTableView

ROW_HEIGHT = 24  # pixels


def calm(view: QTableView, row_height: int = ROW_HEIGHT) -> None:
    """Whole rows that are selected, no lines, no numbers of rows; Tab leaves the table. `row_height` is in pixels."""
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setFrameShape(QTableView.Shape.NoFrame)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.setWordWrap(False)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(row_height)
    view.horizontalHeader().setHighlightSections(False)


def aligned(words: bool) -> Qt.AlignmentFlag:
    """Where what a cell says stands: words at its left, numbers at its right."""
    side = Qt.AlignmentFlag.AlignLeft if words else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter


def bold() -> QFont:
    """The letters of a row that is told from the others."""
    letters = QFont()
    letters.setBold(True)
    return letters
