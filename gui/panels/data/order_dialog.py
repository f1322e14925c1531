"""The levels of a column put into an order by hand, the lowest first."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPalette, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QPushButton, QStyle, QStyledItemDelegate, QWidget

import engine
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.widgets import verbatim
from gui.widgets.building import below, fill, named
from gui.widgets.buttons import Button
from gui.widgets.labels import answers, on_screen, quiet, stack
from gui.widgets.tables import Index
from gui.wording import phrases, words

ROWS_ROLE = Qt.ItemDataRole.UserRole
ROW_HEIGHT = 28
MARGIN = 8  # at both sides of a row
FEWEST_SHOWN, MOST_SHOWN = 5, 14  # rows that the dialog has room for


class OrderDialog(QDialog):
    """Asks for the order of a column's levels; they are dragged, or moved by buttons and keys."""

    def __init__(self, levels: "engine.Column", parent: QWidget | None = None) -> None:
        """`levels`: the column whose levels they are; of one without rows none are counted."""
        super().__init__(parent)
        named(self, "order_dialog").setWindowTitle(verbatim.window_title(tr("Order of “{column}”", column=levels.name)))
        rows = np.bincount(levels.codes, minlength=levels.n_values + 1)[1:]
        self._counted = bool(levels.codes.size)
        self._rows = dict(zip(levels.levels, rows.tolist(), strict=True))
        self._build()
        self._put(levels.levels)
        self.list.setCurrentRow(0)

    @property
    def levels(self) -> tuple[str, ...]:  # in the order that was chosen
        return tuple(self.list.item(i).text() for i in range(self.list.count()))

    def _move(self, by: int) -> None:
        at = self.list.currentRow()
        if at >= 0 and 0 <= at + by < self.list.count():
            item = self.list.takeItem(at)
            self.list.insertItem(at + by, item)
            self.list.setCurrentItem(item)

    def _rearrange(self, levels: Sequence[str]) -> None:
        level = self.levels[max(self.list.currentRow(), 0)]
        self._put(levels)
        self.list.setCurrentRow(levels.index(level))

    def _put(self, levels: Sequence[str]) -> None:
        self.list.clear()
        for level in levels:
            self.list.addItem(level)
            item = self.list.item(self.list.count() - 1)
            item.setData(ROWS_ROLE, words.count(self._rows[level]) if self._counted else "")
            rows = phrases.counted_rows(self._rows[level])
            said = tr("{level}: {rows}", level=level, rows=rows) if self._counted else level
            item.setToolTip(verbatim.tip(said))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, item.toolTip())
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsDropEnabled)  # between two levels, not onto one

    def _refresh(self) -> None:
        at = self.list.currentRow()
        self.up.setEnabled(at > 0)
        self.down.setEnabled(0 <= at < self.list.count() - 1)

    def _build(self) -> None:
        off, moving = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, QListWidget.DragDropMode.InternalMove
        self.list = named(QListWidget(), "order_levels", tr("Levels, lowest first"), dragDropMode=moving,
                          horizontalScrollBarPolicy=off, uniformItemSizes=True)  # fmt: skip
        self.list.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.currentRowChanged.connect(self._refresh)
        self.list.model().rowsMoved.connect(self._refresh)
        self.up = self._button(tr("&Up"), "order_up", lambda: self._move(-1), "Alt+Up", marked("Up ({keys})"))
        self.down = self._button(tr("&Down"), "order_down", lambda: self._move(1), "Alt+Down", marked("Down ({keys})"))
        turned = self._button(tr("&Reverse"), "order_reverse", lambda: self._rearrange(self.levels[::-1]))
        sort = self._button(tr("&Sort"), "order_sort", lambda: self._rearrange(sorted(self.levels, key=words.natural)))
        middle = fill(QHBoxLayout(), (self.list, 1), below(self.up, self.down, turned, sort, 0, spacing=8), spacing=12)
        buttons, _ = answers(self, tr("OK"), "order_ok")
        said = quiet(tr("The lowest level stands first. A split cuts this list between two levels."))
        stack(self, said, (middle, 1), buttons, spacing=12, margins=(16, 16, 16, 16))

    def _button(self, text: str, name: str, do: Callable[[], None], key: str = "", tip: str = "") -> QPushButton:
        button = named(Button(text, autoDefault=False), name)
        if key:
            keys = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
            button.setToolTip(verbatim.tip(tr(tip, keys=keys)))
            QShortcut(QKeySequence(key), self, button.click)  # beside the marked letter of the button
        button.clicked.connect(do)
        return button

    def sizeHint(self) -> QSize:
        shown = min(max(len(self._rows), FEWEST_SHOWN), MOST_SHOWN)
        return on_screen(self, 420, ROW_HEIGHT * shown + 170)


class _Delegate(QStyledItemDelegate):
    """Paints a level, and its rows at the right; names give way to numbers."""

    def sizeHint(self, option: Any, index: Index) -> QSize:
        usual = super().sizeHint(option, index)
        return QSize(usual.width(), max(ROW_HEIGHT, usual.height() + 6))

    def paint(self, painter: QPainter, option: Any, index: Index) -> None:
        current, chosen = theme.current(), bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(option.rect, theme.mix(current.card, current.accent, 0.14))
        rows, room = index.data(ROWS_ROLE), option.rect.adjusted(MARGIN, 0, -MARGIN, 0)
        wide = option.fontMetrics.horizontalAdvance(rows) + 2 * MARGIN
        name = option.fontMetrics.elidedText(index.data(), Qt.TextElideMode.ElideRight, room.width() - wide)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        painter.drawText(room, middle | Qt.AlignmentFlag.AlignLeft, name)
        painter.setPen(current.secondary)
        painter.drawText(room, middle | Qt.AlignmentFlag.AlignRight, rows)
