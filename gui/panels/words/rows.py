"""The rows panel: the rows of the table; one that is picked here, or those that a condition chooses, are followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QObject, Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui import theme
from gui.model.jobs import words_for
from gui.model.view_state.follow_tasks import value_text
from gui.widgets import pages, tables, verbatim
from gui.widgets.building import fill, named
from gui.widgets.fields import FindField
from gui.wording import words

if TYPE_CHECKING:
    from engine.table.column import Column
    from engine.table.table import Table
    from gui.model.document import Document

MISSING = "missing"
ROW_HEIGHT = 22
NUMBER_WIDTH = 130
MOST_WIDE, LOOKED_AT = 200, 30  # pixels of a column, and the rows that say how wide it has to be
EXAMPLE = 'age > 40 and city == "Berlin"'
HELP = (
    f"A condition in the language of pandas queries, for instance {EXAMPLE}. Names with and, or, not or signs in them "
    'stand in backticks, text in quotes; missing values by income.isna(), lists by city in ["Ulm", "Bonn"], '
    "ranges by 20 < age <= 40. Enter shows the flow of these rows; an empty field means all rows."
)


class RowsModel(tables.TableModel[int]):
    """Looks values up when they are painted, so that it costs nothing however many rows there are."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.number = lambda row: words.count(row + 1)
        self._table: Table | None = None
        self._rows: NDArray[np.uint32] | None = None

    def show(self, table: Table | None, rows: NDArray[np.uint32] | None = None) -> None:
        """Shows some rows of a table, ascending; None for all."""
        self._table, self._rows = table, rows
        columns = [] if table is None else sorted(table.columns, key=lambda column: column.name != table.target)
        chosen: Any = rows if rows is not None else range(table.n_rows if table is not None else 0)
        self.fill(chosen, [_column(column, rows) for column in columns])

    def shows(self, table: Table | None, rows: NDArray[np.uint32] | None) -> bool:
        """Whether it shows just that."""
        return self._table is table and self._rows is rows

    def is_of(self, table: Table | None) -> bool:
        """Whether its rows are those of a table."""
        return self._table is table

    def line_of(self, row: int) -> int:
        """Where a row of the table stands in the list; −1 where it is not in it."""
        if self._rows is None:
            return self.row_of(row) if 0 <= row < self.rowCount() else -1
        place = int(np.searchsorted(self._rows, row))
        return self.row_of(place) if place < self._rows.size and int(self._rows[place]) == row else -1


def _column(column: Column, rows: NDArray[np.uint32] | None) -> tables.Column[int]:
    """A column of the table; sorted by its codes, which stand in the order of its values, missing ones last."""

    def ranks(falling: bool) -> NDArray[Any]:
        codes = column.codes if rows is None else column.codes[rows]
        return np.where(codes > 0, column.n_values - codes, column.n_values) if falling else codes - codes.dtype.type(1)

    def said(row: int) -> str:
        return value_text(column, int(row)) or MISSING

    return tables.Column(column.name, said, not column.is_numeric, ranks=ranks)


class RowsPanel(QWidget):
    """Lists rows, and has them followed."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rows_panel")
        self._document = document
        self._quiet = self._fault = False
        self._build()
        document.tableChanged.connect(self.refresh)
        document.look.changed.connect(self._on_look_changed)
        theme.watcher().changed.connect(self._paint_said)
        self.refresh()

    def _build(self) -> None:
        self.number = FindField("row_number", "Row number", "Number of the row to follow", lens=False)
        self.number.setFixedWidth(NUMBER_WIDTH)
        self.number.setToolTip("Type the number of a row and press Enter to follow it through the tree")
        self.number.returnPressed.connect(self._on_number)
        self.condition = FindField("row_condition", f"Rows where … {EXAMPLE}", "Condition of the rows to follow")
        self.condition.setToolTip(HELP)
        self.condition.returnPressed.connect(self._on_condition)
        for field in (self.number, self.condition):
            field.textChanged.connect(self._on_typed)
        self.here = _button("row_here", "&Here", "Follows the rows of the selected nodes, in this tree and in the next")
        self.here.clicked.connect(lambda: self._document.following.follow_nodes(self._document.several.nodes))
        self.wrong = _button(
            "row_wrong",
            "&Errors",
            "Follows the rows that the tree labels wrongly, or is furthest from; "
            "test rows only after they were looked at",
        )
        self.wrong.clicked.connect(lambda: self._document.following.follow_wrong())
        self.end = _button("row_end", "E&nd", "Stops following (Esc)")
        self.end.clicked.connect(lambda: self._document.following.end())
        self.said = verbatim.label(objectName="rows_said", wordWrap=True)
        self.model = RowsModel(self)
        self.view = tables.TableView("rows_table", "Rows of the table", self.model, ROW_HEIGHT)
        self.view.setShowGrid(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.verticalHeader().show()
        self.view.verticalHeader().setSectionsClickable(True)
        head = self.view.horizontalHeader()
        head.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        head.setResizeContentsPrecision(LOOKED_AT)
        self.view.selectionModel().currentRowChanged.connect(self._on_current_changed)
        line = fill(QHBoxLayout(), self.number, (self.condition, 1), spacing=-1)
        for button in (self.here, self.wrong, self.end):
            line.addWidget(button)
        page = QWidget()
        fill(QVBoxLayout(page), line, self.said, (self.view, 1), spacing=-1)
        self.empty = pages.empty("Open a table: its rows will stand here, and each can be followed through the tree.")
        self.pages = pages.put(self, page, self.empty)

    # -- what the verbs ask for

    def ask_row(self) -> None:
        """Ready for the number of a row."""
        self.number.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.number.selectAll()

    def ask_condition(self) -> None:
        """Ready for a condition."""
        self.condition.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.condition.selectAll()

    # -- what is shown

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & {"way", "flow"}:
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Shows the rows that are followed, or all, and picks the one whose way is lit."""
        table, following = self._document.table, self._document.following
        self.pages.setCurrentIndex(0 if table is not None else 1)
        chosen = following.chosen
        rows = chosen.rows if chosen is not None else None
        self._quiet = True
        if not self.model.shows(table, rows):
            another = not self.model.is_of(table)
            if another:
                self.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
            self.model.show(table, rows)
            if another:
                self._fit_columns()
            self._say(self._count())
            if self.condition.hasFocus() and chosen is not None:
                self.view.setFocus()  # where arrows go from row to row, and Esc ends it
        place = self.model.line_of(following.row) if following.row >= 0 else -1
        if place < 0:
            self.view.setCurrentIndex(QModelIndex())
            self.view.clearSelection()
        elif self.view.currentIndex().row() != place:
            self.view.setCurrentIndex(self.model.index(place, 0))
        self.end.setEnabled(following.on)
        followed = (self.number, str(following.row + 1)), (self.condition, chosen.words if chosen is not None else "")
        for field, text in followed:
            if not field.hasFocus() and _typed(field).replace(",", "") != text.replace(",", ""):
                field.clear()  # what was typed is not followed any more
        self._quiet = False

    def _fit_columns(self) -> None:
        """Makes columns as wide as their names and values, within reason."""
        head = self.view.horizontalHeader()
        self.view.resizeColumnsToContents()
        for k in range(head.count()):
            head.resizeSection(k, min(head.sectionSize(k), MOST_WIDE))

    def _count(self) -> str:
        table, chosen = self._document.table, self._document.following.chosen
        if table is None:
            return ""
        if chosen is None:
            return f"All {words.count(table.n_rows)} rows: pick one to follow it through the tree."
        n, of = words.count(chosen.rows.size), words.count(table.n_rows)
        return f"{chosen.words}: {n} of {of} rows." if chosen.rows.size else f"{chosen.words}: no rows match."

    def _say(self, text: str, fault: bool = False) -> None:
        self._fault = fault
        self.said.setText(text)
        self._paint_said()

    @Slot()
    def _paint_said(self) -> None:
        now = theme.current()
        palette = self.said.palette()
        palette.setColor(self.said.foregroundRole(), now.error if self._fault else now.secondary)
        self.said.setPalette(palette)

    # -- what people do

    def _on_number(self) -> None:
        table, text = self._document.table, _typed(self.number).replace(",", "")
        if table is None:
            return
        if text.isdecimal() and 1 <= int(text) <= table.n_rows:
            self._say(self._count())
            self._document.following.follow_row(int(text) - 1)
            self.view.setFocus()  # where arrows go from row to row, and Esc ends it
        else:
            last = words.count(table.n_rows)
            self._say(f"There is no row “{self.number.text()}”: this table has the rows 1 to {last}.", fault=True)

    def _on_condition(self) -> None:
        self._say(self._count())
        self._document.following.follow_where(self.condition.text(), self._failed)

    def _on_typed(self) -> None:
        """What was refused is not there any more."""
        if self._fault:
            self._say(self._count())

    def _failed(self, error: Exception) -> None:
        self._say(words_for(error), fault=True)

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid() and not self._quiet:
            self._document.following.follow_row(int(self.model.record(current.row())))


def _typed(field: FindField) -> str:
    return field.text().strip()


def _button(name: str, text: str, tip: str) -> QPushButton:
    button = named(QPushButton(text), name, tip=tip)
    return button
