"""A small table pasted as text or typed into a grid, with what will be read of it shown below."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QSplitter,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gui.dialogs import table_preview
from gui.dialogs.labels import Notice, answers, quiet, title
from gui.dialogs.table_preview import PaddedDelegate, PreviewModel

if TYPE_CHECKING:
    from engine.readers import Preview
    from gui.model.jobs import Jobs


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


PAUSE = 200  # milliseconds without a key before the text is looked at again
EXAMPLE = "weather,wind,play\nsunny,weak,yes\nrainy,strong,no\nsunny,strong,yes"
MOST_CHARACTERS = 2_000_000


class PasteDialog(QDialog):
    """Takes a text that is a table; `text` and `preview` then go on to the import dialog."""

    def __init__(self, parent: QWidget | None = None, jobs: Jobs | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._preview: Preview | None = None
        self.setObjectName("paste_dialog")
        self.setWindowTitle("Paste or type a table")
        self._pause = QTimer(self, interval=PAUSE, singleShot=True)
        self._pause.timeout.connect(self._look)
        self._build()
        self._offer_clipboard()
        self._look()

    @property
    def text(self) -> str:
        """The table as text."""
        return self.grid.text() if self.tabs.currentWidget() is self.grid else self.editor.toPlainText()

    @property
    def preview(self) -> Preview | None:
        """The first look at the text; None while there is nothing to look at."""
        return self._preview

    @property
    def hindrance(self) -> str:
        """Why one cannot go on yet, in words; empty when one can."""
        if not self.text.strip():
            return "Paste or type a table: names in the first row, one row for each case below."
        if self._preview is None:
            return "Looking at the text…" if not self._error.text else "Correct the text first."
        if len(self._preview.names) < 2:
            return "One column only: a tree needs a target and at least one feature."
        return "" if self._preview.head else "There are names but no rows yet."

    def sizeHint(self) -> QSize:
        return QSize(760, 600)

    # -- looking at the text

    def _on_edited(self) -> None:
        self._preview = None
        self._error.say("")
        self._refresh()
        self._pause.start()

    def _look(self) -> None:
        text = self.text
        self._pause.stop()
        if not text.strip():
            self._show(None)
        elif len(text) > MOST_CHARACTERS:
            self._fail("This text is too long to be pasted: save it to a file and open the file.")
        elif self._jobs is not None:
            self._jobs.run(
                "Looking at the text",
                lambda progress: table_preview.inspect_pasted(text),
                done=self._show,
                failed=lambda error: self._fail(table_preview.sentence(error)),
                key="paste-preview",
                quiet=True,
            )
        else:
            try:
                self._show(table_preview.inspect_pasted(text))
            except ValueError as error:
                self._fail(table_preview.sentence(error))

    def _show(self, preview: Preview | None) -> None:
        self._preview = preview
        self._error.say("")
        if preview is None:
            self._model.show([], {}, [])
        else:
            self._model.show(preview.names, preview.kinds, table_preview.cells_of(preview))
        self._refresh()

    def _fail(self, sentence: str) -> None:
        self._preview = None
        self._model.show([], {}, [])
        self._error.say(sentence, "error")
        self._refresh()

    def _refresh(self) -> None:
        self._go_on.setEnabled(not self.hindrance)
        self._reason.setText(self.hindrance or table_preview.subtitle_of(self._preview))

    def _offer_clipboard(self) -> None:
        """Starts with what is in the clipboard when that looks like a table."""
        text = QGuiApplication.clipboard().text()
        lines = [line for line in text.strip().splitlines() if line.strip()]
        if (
            len(lines) > 1
            and len(text) <= MOST_CHARACTERS
            and all(any(c in line for c in ",;\t|") for line in lines[:5])
        ):
            self.editor.setPlainText(text)
            self.editor.selectAll()

    # -- the window

    def done(self, result: int) -> None:
        self._pause.stop()
        if self._jobs is not None:
            self._jobs.drop("paste-preview")
        super().done(result)

    def accept(self) -> None:
        if not self.hindrance:
            super().accept()

    def _build(self) -> None:
        self.editor = QPlainTextEdit(objectName="paste_text")
        self.editor.setAccessibleName("The table as text")
        self.editor.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.editor.setPlaceholderText(EXAMPLE)
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.editor.setTabChangesFocus(False)
        self.editor.textChanged.connect(self._on_edited)
        self.grid = TypingGrid()
        self.grid.edited.connect(self._on_edited)
        self.tabs = QTabWidget(objectName="paste_tabs")
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.editor, "&Paste text")
        self.tabs.addTab(self.grid, "&Type into a grid")
        self.tabs.currentChanged.connect(self._on_edited)
        self._error = Notice()
        self._error.setObjectName("paste_error")
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.tabs)
        splitter.addWidget(self._below())
        splitter.setSizes([300, 240])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(12)
        layout.addWidget(quiet("Copy cells from a spreadsheet or lines of a CSV file, or type a few rows yourself."))
        layout.addWidget(splitter, 1)
        layout.addLayout(self._bottom())

    def _below(self) -> QWidget:
        self._model = PreviewModel(self)
        table = QTableView(objectName="paste_preview")
        table.setAccessibleName("What will be read")
        table.setModel(self._model)
        table.setItemDelegate(PaddedDelegate(table))
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        table.horizontalHeader().setDefaultSectionSize(112)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addWidget(title("What will be read"))
        column.addWidget(self._error)
        column.addWidget(table, 1)
        return below

    def _bottom(self) -> QHBoxLayout:
        self._reason = quiet()
        self._reason.setObjectName("paste_reason")
        buttons, self._go_on = answers(self, "&Go on", "go_on_button")
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self._reason, 1)
        row.addWidget(buttons)
        return row
