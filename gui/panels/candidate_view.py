"""How candidates look and feel in a table: gain bars, names, and the keys that accept and withdraw."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from gui import theme
from gui.panels import candidate_model as model

ROW_HEIGHT = 28
ACCEPT_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class GainBars(QStyledItemDelegate):
    """Draws the training gain as a bar with its number, and the validation gain as a thin bar below it."""

    NUMBER_WIDTH = 72

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().paint(painter, option, index)
        candidate, source = index.data(model.CANDIDATE), index.model().sourceModel()
        full = source.largest_gain
        if candidate.split is None or not full > 0:
            return
        colours = theme.current()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        seen, unseen = (colours.accent_text,) * 2 if selected else (colours.training, colours.validation)
        room = option.rect.adjusted(8, 0, -self.NUMBER_WIDTH, 0)
        middle = room.center().y()
        strength = 0.35 if source.stale else 1.0
        _bar(painter, QRect(room.left(), middle - 5, room.width(), 7), candidate.gain / full, seen, strength)
        under = QRect(room.left(), middle + 4, room.width(), 3)
        _bar(painter, under, candidate.validation_gain / full, unseen, strength)


class ColumnNames(QStyledItemDelegate):
    """Leaves out the middle of a long name: columns often differ in their last letters."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle


class CandidateView(QTableView):
    """A table that says when a row is accepted, hovered or withdrawn.

    Signals:
        accepted: a row was double-clicked or Enter was pressed on it. arg: QModelIndex
        withdrawn: Esc was pressed.
        left: the mouse is no longer over the rows.
    """

    accepted = Signal(QModelIndex)
    withdrawn = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.doubleClicked.connect(self.accepted)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ACCEPT_KEYS and self.currentIndex().isValid():
            self.accepted.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.withdrawn.emit()
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()


def _bar(painter: QPainter, room: QRect, share: float, colour: str | QColor, strength: float) -> None:
    """A bar from the left of `room`, at least a hair wide; nothing where there is no gain."""
    if not share > 0:
        return
    ink = QColor(colour)
    ink.setAlphaF(strength)
    room.setWidth(max(2, round(room.width() * min(share, 1.0))))
    painter.fillRect(room, ink)
