"""Tables as the panels and dialogs show them: records with declared columns, which can be sorted and copied."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6 import QtCore
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QKeySequence, QPalette, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from engine.runtime.sentences import tr
from gui import theme
from gui.widgets import verbatim
from gui.widgets.building import Reaction, named
from gui.wording import words

ROW_HEIGHT = 24  # pixels
AROUND_TEXT = 6  # pixels of a row beside its letters, however large these are
MOST_COPIED = 20_000  # rows; more would keep the window waiting
SORT_KEY = Qt.ItemDataRole.UserRole + 100  # the role by which a proxy sorts
Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")


def calm(view: QTableView, row_height: int = ROW_HEIGHT) -> None:
    """Whole rows that are selected, no lines, no numbers of rows; Tab leaves the table. `row_height` is in pixels, at
    least: rows follow their letters."""
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setFrameShape(QTableView.Shape.NoFrame)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.setWordWrap(False)
    view.verticalHeader().hide()
    view.horizontalHeader().setHighlightSections(False)

    def fit_rows() -> None:
        view.verticalHeader().setDefaultSectionSize(max(row_height, view.fontMetrics().height() + AROUND_TEXT))

    fit_rows()
    Reaction(view, fit_rows, QtCore.QEvent.Type.FontChange)


def stretch(head: QHeaderView, section: int) -> None:
    """One column takes the room that the others leave, which are as wide as what they say."""
    head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    head.setSectionResizeMode(section, QHeaderView.ResizeMode.Stretch)


def aligned(words: bool) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignVCenter | (Qt.AlignmentFlag.AlignLeft if words else Qt.AlignmentFlag.AlignRight)


def bold() -> QFont:
    letters = QFont()
    letters.setBold(True)
    return letters


class TickCells(QStyledItemDelegate):
    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.palette.setColor(QPalette.ColorRole.Base, theme.current().box)  # of nothing but the box


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column of a table of records."""

    title: str
    text: Callable[[Row], str]  # what a cell says
    words: bool = False  # they stand at the left; numbers stand at the right
    tip: str = ""  # of the title
    key: Callable[[Row], Any] | None = None  # by what rows are sorted, NaN last; by the text where it is not given
    ranks: Callable[[bool], NDArray[Any]] | None = None  # of all records at once, for very many; arg: whether they fall
    explained: Callable[[Row], str] | None = None  # the tooltip of a cell
    ink: Callable[[Row], QColor | None] | None = None  # of a cell's letters, None for the usual one
    more: Mapping[Any, Callable[[Row], Any]] = field(default_factory=dict)  # in further roles of Qt

    def sort_key(self, row: Row) -> Any:
        return self.key(row) if self.key is not None else self.text(row).casefold()


class TableModel(QAbstractTableModel, Generic[Row]):
    """A table of records with declared columns. A click on a title sorts it, a third one brings its own order back."""

    def __init__(self, parent: QObject | None = None, columns: Sequence[Column[Row]] = ()) -> None:
        super().__init__(parent)
        self.columns: Sequence[Column[Row]] = columns  # what is shown of each record
        self.records: Sequence[Row] = ()  # the records in their own order
        self.bold: Callable[[Row], bool] | None = None  # whether the row of a record is told from the others
        self.number: Callable[[Row], str] | None = None  # what stands at the left of a row, where the view shows that
        self._order: NDArray[np.intp] | None = None  # which record stands in each row; None for their own order
        self._sorted = -1, Qt.SortOrder.AscendingOrder

    def fill(self, records: Sequence[Row], columns: Sequence[Column[Row]] | None = None) -> None:
        self.beginResetModel()
        self.records, self.columns = records, self.columns if columns is None else columns
        self._order = self._ordered()
        self.endResetModel()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def place(self, row: int) -> int:
        return row if self._order is None else int(self._order[row])

    def row_of(self, place: int) -> int:
        return place if self._order is None else int(np.flatnonzero(self._order == place)[0])

    def record(self, row: int) -> Row:
        return self.records[self.place(row)]

    def text(self, rows: Sequence[int]) -> str:
        lines = ["\t".join(column.title for column in self.columns)]
        lines += ["\t".join(column.text(self.record(row)) for column in self.columns) for row in rows]
        return "\n".join(lines) + "\n"

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; −1 brings the records' own order back."""
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        places = [self.place(index.row()) for index in held]
        self._sorted = column, order
        self._order = self._ordered()
        rows = [self.row_of(place) for place in places]
        now = [self.index(row, index.column()) for row, index in zip(rows, held, strict=True)]
        self.changePersistentIndexList(held, now)
        self.layoutChanged.emit()

    def _ordered(self) -> NDArray[np.intp] | None:
        section, order = self._sorted
        if not 0 <= section < len(self.columns):
            return None
        column, falling = self.columns[section], order == Qt.SortOrder.DescendingOrder
        if column.ranks is not None:
            return np.argsort(column.ranks(falling), kind="stable")
        keys = [column.sort_key(record) for record in self.records]
        known = [place for place, key in enumerate(keys) if key == key]
        unknown = [place for place, key in enumerate(keys) if key != key]
        return np.array(sorted(known, key=keys.__getitem__, reverse=falling) + unknown, np.intp)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.records)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            shown = role == Qt.ItemDataRole.DisplayRole and section < len(self.records)
            return self.number(self.record(section)) if shown and self.number is not None else None
        if not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return verbatim.tip(column.tip) or None
        return aligned(column.words) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column, record = self.columns[index.column()], self.record(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(record)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(column.words)
        if role == Qt.ItemDataRole.ToolTipRole and column.explained is not None:
            return verbatim.tip(column.explained(record)) or None
        if role == Qt.ItemDataRole.ForegroundRole and column.ink is not None:
            return column.ink(record)
        if role == Qt.ItemDataRole.FontRole and self.bold is not None and self.bold(record):
            return bold()
        if role == SORT_KEY:
            return column.sort_key(record)
        return column.more[role](record) if role in column.more else None


class TableView(QTableView):
    """Shows a table of records: titles sort it, Ctrl+C copies the rows that are selected, or all."""

    def __init__(
        self, name: str, spoken: str, model: TableModel[Any], row_height: int = ROW_HEIGHT,
        proxy: QSortFilterProxyModel | None = None, **properties: Any,
    ) -> None:  # fmt: skip
        """`proxy`: stands before the model, and sorts by `SORT_KEY`; `row_height` is in pixels; `properties`: of Qt."""
        super().__init__()
        self._records, self._proxy = model, proxy
        self.setModel(proxy or model)
        calm(self, row_height)
        head = self.horizontalHeader()
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        head.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
        head.setSortIndicatorShown(False)  # its arrow takes room in every title
        head.sortIndicatorChanged.connect(lambda section: head.setSortIndicatorShown(section >= 0))
        named(self, name, spoken, **properties)
        QShortcut(QKeySequence.StandardKey.Copy, self, self.copy).setContext(Qt.ShortcutContext.WidgetShortcut)

    def copy(self) -> None:
        parts = self.selectionModel().selection()
        rows = sorted({row for part in parts.toList() for row in range(part.top(), part.bottom() + 1)})
        self.copy_rows(rows or range(self.model().rowCount()))

    def copy_rows(self, rows: Sequence[int]) -> None:
        """Copies some rows; of very many the first, and says so."""
        first, proxy = rows[:MOST_COPIED], self._proxy
        if proxy is not None:
            first = [proxy.mapToSource(proxy.index(row, 0)).row() for row in first]
        text = self._records.text(first)
        more = len(rows) - MOST_COPIED
        text += tr("… and {n} more rows", n=words.count(more)) + "\n" if more > 0 else ""
        QGuiApplication.clipboard().setText(text)
