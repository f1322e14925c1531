"""A little grid to type a table into: the first row holds the names; it grows as it fills."""

import csv
import io

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemDelegate, QFrame, QTableWidget, QTableWidgetItem, QWidget

START_ROWS, START_COLUMNS = 8, 5
MOST_ROWS, MOST_COLUMNS = 500, 50


class TypingGrid(QTableWidget):
    """Cells to type or paste into.

    Signals:
        edited: a cell holds something else
    """

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(START_ROWS, START_COLUMNS, parent)
        self.setObjectName("typing_grid")
        self.setAccessibleName("Grid to type a table into; the first row holds the names")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabKeyNavigation(True)
        self.horizontalHeader().hide()
        self.horizontalHeader().setDefaultSectionSize(120)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        self._label_rows()
        self.itemChanged.connect(self._on_item_changed)

    def text(self) -> str:
        """The filled part of the grid as lines with tabs between the cells."""
        rows = [[self._cell(row, column) for column in range(self.columnCount())] for row in range(self.rowCount())]
        while rows and not any(rows[-1]):
            rows.pop()
        width = max((column + 1 for row in rows for column, cell in enumerate(row) if cell), default=0)
        out = io.StringIO()
        writer = csv.writer(out, delimiter="\t", lineterminator="\n")
        writer.writerows(row[:width] for row in rows)
        return out.getvalue()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste(QGuiApplication.clipboard().text())
        elif event.matches(QKeySequence.StandardKey.Delete):
            for item in self.selectedItems():
                item.setText("")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.state() != self.State.EditingState:
            self._go_down()
        else:
            super().keyPressEvent(event)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Enter ends a cell and goes to the one below, as in a spreadsheet."""
        super().closeEditor(editor, hint)
        if hint == QAbstractItemDelegate.EndEditHint.SubmitModelCache:
            self._go_down()

    def _go_down(self) -> None:
        self.setCurrentCell(min(self.currentRow() + 1, self.rowCount() - 1), max(0, self.currentColumn()))

    def paste(self, text: str) -> None:
        """Puts lines with tabs (or commas, where there is no tab) into the cells from the current one on."""
        delimiter = "\t" if "\t" in text else ","
        top, left = max(0, self.currentRow()), max(0, self.currentColumn())
        for row, cells in enumerate(csv.reader(io.StringIO(text), delimiter=delimiter), start=top):
            for column, cell in enumerate(cells, start=left):
                if row < MOST_ROWS and column < MOST_COLUMNS:
                    self._grow(row, column)
                    self.setItem(row, column, QTableWidgetItem(cell.strip()))

    def _cell(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return item.text().strip() if item is not None else ""

    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        self._grow(item.row(), item.column())
        self.edited.emit()

    def _grow(self, row: int, column: int) -> None:
        """Keeps one empty row and column beyond a filled cell."""
        if row + 2 > self.rowCount() and self.rowCount() < MOST_ROWS:
            self.setRowCount(min(row + 2, MOST_ROWS))
            self._label_rows()
        if column + 2 > self.columnCount() and self.columnCount() < MOST_COLUMNS:
            self.setColumnCount(min(column + 2, MOST_COLUMNS))

    def _label_rows(self) -> None:
        self.setVerticalHeaderLabels(["Names", *(str(row) for row in range(1, self.rowCount()))])
        bold = QFont(self.font())
        bold.setBold(True)
        self.verticalHeaderItem(0).setFont(bold)
