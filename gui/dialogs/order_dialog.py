"""The levels of a column put into an order by hand, from the least to the greatest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPalette, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from gui import theme
from gui.dialogs.labels import answers, quiet
from gui.widgets import verbatim
from gui.wording import words

if TYPE_CHECKING:
    from engine.table.column import Column

NATIVE = QKeySequence.SequenceFormat.NativeText
ROWS_ROLE = Qt.ItemDataRole.UserRole
ROW_HEIGHT = 28
MARGIN = 8  # at both sides of a row
FEWEST_SHOWN, MOST_SHOWN = 5, 14  # rows that the dialog has room for

Index = QModelIndex | QPersistentModelIndex


class OrderDialog(QDialog):
    """Asks for the order of a column's levels; they are dragged, or moved by buttons and keys.

    Attributes:
        levels: all levels in the order that was chosen.
    """

    def __init__(self, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("order_dialog")
        self.setWindowTitle(verbatim.window_title(f"Order of “{column.name}”"))
        rows = np.bincount(column.codes, minlength=column.n_values + 1)[1:]
        self._rows = dict(zip(column.levels, rows.tolist(), strict=True))
        self._build()
        self._put(list(column.levels))
        self.list.setCurrentRow(0)

    @property
    def levels(self) -> tuple[str, ...]:
        return tuple(self.list.item(i).text() for i in range(self.list.count()))

    # -- what a person does

    def _move(self, by: int) -> None:
        """Moves the current level up or down; it stays the current one."""
        at = self.list.currentRow()
        if at >= 0 and 0 <= at + by < self.list.count():
            item = self.list.takeItem(at)
            self.list.insertItem(at + by, item)
            self.list.setCurrentItem(item)

    def _rearrange(self, levels: list[str]) -> None:
        current = self.list.currentItem()
        kept = current.text() if current is not None else levels[0]
        self._put(levels)
        self.list.setCurrentRow(levels.index(kept))

    def _put(self, levels: list[str]) -> None:
        self.list.clear()
        for level in levels:
            item = QListWidgetItem(level)
            rows = words.count(self._rows[level])
            item.setData(ROWS_ROLE, rows)
            item.setToolTip(verbatim.tip(f"{level}: {rows} {'row' if rows == '1' else 'rows'}"))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, item.toolTip())
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsDropEnabled)  # between two levels, not onto one
            self.list.addItem(item)

    def _refresh(self) -> None:
        at = self.list.currentRow()
        self.up.setEnabled(at > 0)
        self.down.setEnabled(0 <= at < self.list.count() - 1)

    # -- the window

    def _build(self) -> None:
        self.list = QListWidget(objectName="order_levels")
        self.list.setAccessibleName("Levels, lowest first")
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.currentRowChanged.connect(self._refresh)
        self.list.model().rowsMoved.connect(self._refresh)
        self.up = self._button("&Up", "order_up", "Alt+Up", lambda: self._move(-1))
        self.down = self._button("&Down", "order_down", "Alt+Down", lambda: self._move(1))
        reverse = self._button("&Reverse", "order_reverse", "", lambda: self._rearrange([*reversed(self.levels)]))
        sort = self._button("&Sort", "order_sort", "", lambda: self._rearrange(sorted(self.levels, key=natural)))
        side = QVBoxLayout()
        for button in (self.up, self.down, reverse, sort):
            side.addWidget(button)
        side.addStretch(1)
        middle = QHBoxLayout()
        middle.setSpacing(12)
        middle.addWidget(self.list, 1)
        middle.addLayout(side)
        buttons, _ = answers(self, "OK", "order_ok")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(quiet("The least level stands first. A split cuts this list between two levels."))
        layout.addLayout(middle, 1)
        layout.addWidget(buttons)

    def _button(self, text: str, name: str, key: str, do: Any) -> QPushButton:
        button = QPushButton(text, objectName=name)
        button.setAutoDefault(False)
        if key:
            button.setToolTip(verbatim.tip(f"{text.replace('&', '')} ({QKeySequence(key).toString(NATIVE)})"))
            QShortcut(QKeySequence(key), self, button.click)  # beside the marked letter of the button
        button.clicked.connect(do)
        return button

    def sizeHint(self) -> QSize:
        shown = min(max(len(self._rows), FEWEST_SHOWN), MOST_SHOWN)
        return QSize(420, ROW_HEIGHT * shown + 150)


class _Delegate(QStyledItemDelegate):
    """Paints a level, and its rows at the right; names give way to numbers."""

    def sizeHint(self, option: Any, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), ROW_HEIGHT)

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


def natural(level: str) -> list[tuple[float, str]]:
    """A key that sorts texts as people do: the 2nd before the 10th, small and capital letters alike."""
    parts = re.split(r"(\d+(?:\.\d+)?)", level.casefold())
    return [(float(part), "") if i % 2 else (-1.0, part) for i, part in enumerate(parts)] + [(-1.0, level)]
