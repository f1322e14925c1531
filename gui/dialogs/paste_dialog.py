"""A small table pasted as text or typed into a grid, with what will be read of it shown below."""

import csv
import io

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QTableWidget, QTableWidgetItem, QTabWidget, QWidget

import engine
from engine.runtime.sentences import tr
from gui.dialogs.table_preview import PaddedDelegate, PreviewModel, cells_of, sentence, subtitle_of
from gui.model.jobs import Jobs
from gui.widgets.building import fill, later, named, split
from gui.widgets.labels import Notice, answers, on_screen, quiet, stack, title
from gui.widgets.tables import TableView, bold

START_ROWS, START_COLUMNS = 8, 5
MOST_ROWS, MOST_COLUMNS = 500, 50


class TypingGrid(QTableWidget):
    """Cells to type or paste into."""

    edited = Signal()  # a cell holds something else

    def __init__(self) -> None:
        super().__init__(START_ROWS, START_COLUMNS)
        named(self, "typing_grid", tr("Grid to type a table into; the first row holds the names"))
        self.setFrameShape(self.Shape.NoFrame)
        self.horizontalHeader().hide()
        self.horizontalHeader().setDefaultSectionSize(120)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        self._label_rows()
        self.itemChanged.connect(self._on_item_changed)

    def text(self) -> str:
        """The filled part of the grid as lines with tabs between the cells."""
        items = [[self.item(row, column) for column in range(self.columnCount())] for row in range(self.rowCount())]
        rows = [[item.text().strip() if item is not None else "" for item in row] for row in items]
        while rows and not any(rows[-1]):
            rows.pop()
        width = max((column + 1 for row in rows for column, cell in enumerate(row) if cell), default=0)
        out = io.StringIO()
        csv.writer(out, delimiter="\t", lineterminator="\n").writerows(row[:width] for row in rows)
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

    def closeEditor(self, editor: QWidget, hint: PaddedDelegate.EndEditHint) -> None:
        """Enter ends a cell and goes to the one below, as in a spreadsheet."""
        super().closeEditor(editor, hint)
        if hint == PaddedDelegate.EndEditHint.SubmitModelCache:
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
        self.setVerticalHeaderLabels([tr("Names"), *(str(row) for row in range(1, self.rowCount()))])
        self.verticalHeaderItem(0).setFont(bold())


PAUSE = 200  # milliseconds without a key before the text is looked at again
EXAMPLE = "weather,wind,play\nsunny,weak,yes\nrainy,strong,no\nsunny,strong,yes"
MOST_CHARACTERS = 2_000_000


class PasteDialog(QDialog):
    """Takes a text that is a table; `text` and `preview` then go on to the import dialog."""

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.preview: engine.Preview | None = None  # the first look at the text; None while there is nothing to look at
        named(self, "paste_dialog").setWindowTitle(tr("Paste or type a table"))
        self._pause = later(self, self._look, PAUSE)
        editor = QPlainTextEdit(placeholderText=EXAMPLE, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        self.editor = named(editor, "paste_text", tr("The table as text"), textChanged=self._on_edited)
        letters = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        letters.setPointSizeF(self.font().pointSizeF())
        self.editor.setFont(letters)
        self.grid = TypingGrid()
        self.grid.edited.connect(self._on_edited)
        self.tabs = named(QTabWidget(documentMode=True), "paste_tabs")
        self.tabs.addTab(self.editor, tr("&Paste text"))
        self.tabs.addTab(self.grid, tr("&Type into a grid"))
        self.tabs.currentChanged.connect(self._on_edited)
        self._error, self._model, below = Notice("paste_error"), PreviewModel(self), QWidget()
        height = self.fontMetrics().height() + 10
        table = TableView("paste_preview", tr("What will be read"), self._model, height, sortingEnabled=False,
                          alternatingRowColors=True, selectionMode=TableView.SelectionMode.NoSelection)  # fmt: skip
        table.setItemDelegate(PaddedDelegate(table))
        table.horizontalHeader().setDefaultSectionSize(112)
        stack(below, title(tr("What will be read")), self._error, (table, 1), margins=(0, 8, 0, 0))
        splitter = split(Qt.Orientation.Vertical, self.tabs, below)
        splitter.setSizes([300, 240])
        self._reason = quiet("", "paste_reason")
        buttons, self._go_on = answers(self, tr("&Go on"), "go_on_button")
        said = quiet(tr("Copy cells from a spreadsheet or lines of a CSV file, or type a few rows yourself."))
        bottom = fill(QHBoxLayout(), (self._reason, 1), buttons, spacing=16)
        stack(self, said, (splitter, 1), bottom, spacing=12)
        self.finished.connect(self._pause.stop)
        self.finished.connect(lambda: jobs.drop("paste-preview"))
        text = QGuiApplication.clipboard().text()
        lines = [line for line in text.strip().splitlines() if line.strip()]
        apart = all(any(c in line for c in ",;\t|") for line in lines[:5])
        if len(lines) > 1 and len(text) <= MOST_CHARACTERS and apart:  # the clipboard may hold a table
            self.editor.setPlainText(text)
            self.editor.selectAll()
        self._look()

    @property
    def text(self) -> str:
        return self.grid.text() if self.tabs.currentWidget() is self.grid else self.editor.toPlainText()

    @property
    def hindrance(self) -> str:
        """Why one cannot go on yet, in words; empty when one can."""
        if not self.text.strip():
            return tr("Paste or type a table: names in the first row, one row for each case below.")
        if self.preview is None:
            return tr("Looking at the text…") if not self._error.text else tr("Correct the text first.")
        if len(self.preview.names) < 2:
            return tr("One column only: a tree needs a target and at least one feature.")
        return "" if self.preview.head else tr("There are names but no rows yet.")

    def sizeHint(self) -> QSize:
        return on_screen(self, 760, 600)

    def _on_edited(self) -> None:
        self.preview = None
        self._error.say("")
        self._refresh()
        self._pause.start()

    def _look(self) -> None:
        text = self.text
        self._pause.stop()
        too_long = tr("This text is too long to be pasted: save it to a file and open the file.")
        if not text.strip() or len(text) > MOST_CHARACTERS:
            return self._show(None, too_long if text.strip() else "")
        self._jobs.run(
            tr("Looking at the text"), lambda progress: engine.inspect_text(text), done=self._show,
            failed=lambda error: self._show(None, sentence(error)), key="paste-preview", quiet=True,
        )  # fmt: skip

    def _show(self, preview: "engine.Preview | None", fault: str = "") -> None:
        self.preview = preview
        self._error.say(fault, "error")
        self._model.show(*(preview.names, preview.kinds, cells_of(preview)) if preview is not None else ((), {}, ()))
        self._refresh()

    def _refresh(self) -> None:
        self._go_on.setEnabled(not self.hindrance)
        self._reason.setText(self.hindrance or (subtitle_of(self.preview) if self.preview else ""))

    def accept(self) -> None:
        if not self.hindrance:
            super().accept()
