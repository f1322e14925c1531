"""Tables as the panels and dialogs show them."""

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
