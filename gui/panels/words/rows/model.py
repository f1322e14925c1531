"""The rows of a table as a list: those that were chosen, or all; the target first, then the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from gui.model.view_state.follow_tasks import value_text
from gui.wording import words

if TYPE_CHECKING:
    from engine.table.table import Table

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
MISSING = "missing"


class RowsModel(QAbstractTableModel):
    """Looks values up when they are painted, so that it costs nothing however many rows there are."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: Table | None = None
        self._rows: NDArray[np.uint32] | None = None
        self._columns: list[int] = []

    def show(self, table: Table | None, rows: NDArray[np.uint32] | None = None) -> None:
        """Shows some rows of a table, ascending; None for all."""
        self.beginResetModel()
        self._table, self._rows = table, rows
        names = [] if table is None else table.names
        self._columns = sorted(range(len(names)), key=lambda i: names[i] != getattr(table, "target", None))
        self.endResetModel()

    def shows(self, table: Table | None, rows: NDArray[np.uint32] | None) -> bool:
        """Whether it shows just that."""
        return self._table is table and self._rows is rows

    def is_of(self, table: Table | None) -> bool:
        """Whether its rows are those of a table."""
        return self._table is table

    def row_at(self, place: int) -> int:
        """The number of the row at a place of the list, from 0."""
        return int(self._rows[place]) if self._rows is not None else place

    def place_of(self, row: int) -> int:
        """The place of a row in the list; −1 where it is not in it."""
        if self._rows is None:
            return row if 0 <= row < self.rowCount() else -1
        place = int(np.searchsorted(self._rows, row))
        return place if place < self._rows.size and int(self._rows[place]) == row else -1

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if parent.isValid() or self._table is None:
            return 0
        return self._table.n_rows if self._rows is None else int(self._rows.size)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and self._table is not None:
            if orientation == Qt.Orientation.Vertical:
                return words.count(self.row_at(section) + 1)
            if 0 <= section < len(self._columns):
                return self._table.columns[self._columns[section]].name
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid() or self._table is None:
            return None
        column = self._table.columns[self._columns[index.column()]]
        if role == Qt.ItemDataRole.DisplayRole:
            return value_text(column, self.row_at(index.row())) or MISSING
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.is_numeric else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None
