"""How candidates look and feel in the list: gain bars, names, reasons, and the keys that accept and withdraw."""

from __future__ import annotations

import textwrap

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QCursor, QFontMetrics, QHelpEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QTreeView,
)

from gui import theme
from gui.panels.this_node.candidates import model
from gui.widgets import verbatim
from gui.widgets.short_names import telling

ROW_HEIGHT, LINE_HEIGHT = 28, 18  # pixels: of a row, and of a second line below it
LEAST_BAR = 12  # pixels; in a narrower room no bar is drawn
TEXT_MARGIN = 3  # pixels that Qt keeps beside the text of a cell
LOOK_AGAIN = 200  # milliseconds between two looks whether the mouse is still there
INDENTATION = 16  # pixels: of the triangle, and of what unfolds below a row
BELOW_POINTER = 28  # pixels that a tooltip keeps below its point, with its own margins
ACCEPT_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Cells(QStyledItemDelegate):
    """The cells of the first line of a row. Below it there may be a second one, which the row draws."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), ROW_HEIGHT + LINE_HEIGHT * bool(self.parent().below))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().paint(painter, first_line(option), index)


class GainBars(Cells):
    """Draws what ranks as a bar with its number, and the validation gain, if it ranks, as a thin bar below it.

    Attributes:
        beside: the pixels of the number.
    """

    beside = 72

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        option = first_line(option)
        super().paint(painter, option, index)
        candidate, source = index.data(model.CANDIDATE), index.model().sourceModel()
        full = source.largest_gain
        if candidate.split is None or not full > 0 or index.column() != source.ranking:
            return
        colours = theme.current()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        seen, unseen = (colours.accent_text,) * 2 if selected else (colours.training, colours.validation)
        room = option.rect.adjusted(8, 0, -self.beside, 0)
        if room.width() < LEAST_BAR:
            return
        middle = room.center().y()
        strength = 1.0 if source.passes(candidate) and not source.stale else 0.35
        gain, validation = source.bars(candidate)
        _bar(painter, QRect(room.left(), middle - 5, room.width(), 7), gain / full, seen, strength)
        _bar(painter, QRect(room.left(), middle + 4, room.width(), 3), validation / full, unseen, strength)


class ColumnNames(Cells):
    """Shortens a long name where that still tells it from the others."""

    names: tuple[str, ...] = ()

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().initStyleOption(option, index)
        if option.text not in self.names:
            return
        style = option.widget.style() if option.widget is not None else QApplication.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, option.widget).width()
        margin = 2 * (style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, option.widget) + 1)
        option.text = telling(option.text, self.names, room - margin, option.fontMetrics)


class Splits(Cells):
    """Leaves out the reason why there is no split: the row draws it, over the room of the figures, too."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().initStyleOption(option, index)
        if index.data(model.CANDIDATE).split is None:
            option.text = ""


class CandidateView(QTreeView):
    """A list that says when a row is accepted, hovered or withdrawn.

    Attributes:
        below: the sections whose figures have no room and stand in a second line of each row.

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
        self.below: tuple[int, ...] = ()
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setExpandsOnDoubleClick(False)
        self.setIndentation(INDENTATION)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.doubleClicked.connect(self.accepted)
        # A menu or another window may take the event that says that the mouse has left: look from time to time.
        self._watch = QTimer(self)
        self._watch.setInterval(LOOK_AGAIN)
        self._watch.timeout.connect(self._look)
        self.entered.connect(lambda: self._watch.start())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ACCEPT_KEYS and self.currentIndex().isValid():
            self.accepted.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.withdrawn.emit()
        else:
            super().keyPressEvent(event)

    def put_below(self, sections: tuple[int, ...]) -> None:
        """Draws the figures of these sections in a second line."""
        if sections != self.below:
            self.below = sections
            self.scheduleDelayedItemsLayout()

    def line_below(self, index: QModelIndex) -> str:
        """The second line of a row: "LogWorth 12.31 · Branches 2"."""
        cells = [(model.HEADERS[section], index.siblingAtColumn(section).data()) for section in self.below]
        return " · ".join(f"{header} {text}" for header, text in cells if text)

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex) -> None:
        super().drawBranches(painter, QRect(rect.topLeft(), QSize(rect.width(), ROW_HEIGHT)), index)

    def _draw_below(self, painter: QPainter, index: QModelIndex) -> None:
        room = self.visualRect(index.siblingAtColumn(model.COLUMN))
        room.setTop(room.top() + ROW_HEIGHT)
        room.setRight(self.viewport().width())
        selected = self.selectionModel().isSelected(index)
        if selected:
            painter.fillRect(room, self.palette().highlight())
        painter.setPen(self.palette().highlightedText().color() if selected else QColor(theme.current().secondary))
        room.adjust(TEXT_MARGIN, 0, -TEXT_MARGIN, 0)
        text = self.fontMetrics().elidedText(self.line_below(index), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, text)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().drawRow(painter, option, index)
        candidate = index.data(model.CANDIDATE)
        if candidate is None:
            return
        if self.below:
            self._draw_below(painter, index)
        if candidate.split is not None:
            return
        room = self._reason_room(index)
        selected = self.selectionModel().isSelected(index)
        painter.setPen(self.palette().highlightedText().color() if selected else QColor(theme.current().secondary))
        text = self.fontMetrics().elidedText(candidate.reason, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _reason_room(self, index: QModelIndex) -> QRect:
        """The room of a reason: from the split to the right edge."""
        room = self.visualRect(index.siblingAtColumn(model.SPLIT))
        room.setRight(self.viewport().width())
        room.setHeight(ROW_HEIGHT)
        return room.adjusted(TEXT_MARGIN, 0, -TEXT_MARGIN, 0)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._gone()

    def _look(self) -> None:
        if QApplication.activePopupWidget() is None and not self._holds(QCursor.pos()):
            self._gone()

    def _holds(self, place: QPoint) -> bool:
        """Whether a place on the screen lies over the rows."""
        return self.isVisible() and self.viewport().rect().contains(self.viewport().mapFromGlobal(place))

    def _gone(self) -> None:
        self._watch.stop()
        self.left.emit()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            self._explain(index, event.pos().y() - self.visualRect(index).top() >= ROW_HEIGHT)
            return True
        return super().viewportEvent(event)

    def _explain(self, index: QModelIndex, second: bool) -> None:
        """The tooltip of a name, of words that are cut, or of the second line: above the row, so that the next rows
        stay in view."""
        place = self.visualRect(index)
        whole = self.fontMetrics().horizontalAdvance(str(index.data() or ""))
        candidate = index.data(model.CANDIDATE)
        room = place.width() if candidate is None or candidate.split else self._reason_room(index).width()
        cut = index.column() >= model.SPLIT and whole + 2 * TEXT_MARGIN > room
        text = index.model().sourceModel().explanation(candidate) if candidate is not None else ""
        if text and second:
            text = f"{self.line_below(index)}\n{text}"
        if not text or not (index.column() == model.COLUMN or cut or second):
            QToolTip.hideText()
            return
        letters = max(20, self.viewport().width() // QFontMetrics(QToolTip.font()).averageCharWidth() - 4)
        text = "\n".join(textwrap.fill(line, letters) for line in text.splitlines())  # no wider than the list
        top = self.viewport().mapToGlobal(QPoint(0, place.top()))
        above = top - QPoint(0, tip_height(text) + BELOW_POINTER)
        QToolTip.showText(above, verbatim.tip(text), self.viewport(), place)


def first_line(option: QStyleOptionViewItem) -> QStyleOptionViewItem:
    """A cell without the second line below it."""
    if option.rect.height() <= ROW_HEIGHT:
        return option
    first = QStyleOptionViewItem(option)
    first.rect = QRect(option.rect.topLeft(), QSize(option.rect.width(), min(option.rect.height(), ROW_HEIGHT)))
    return first


def tip_height(text: str) -> int:
    """How high the tooltip with a text is: it is to end above the row that it explains."""
    return QFontMetrics(QToolTip.font()).size(0, text).height()


def _bar(painter: QPainter, room: QRect, share: float, colour: str | QColor, strength: float) -> None:
    """A bar from the left of `room`, at least a hair wide; nothing where there is no gain."""
    if not share > 0:
        return
    ink = QColor(colour)
    ink.setAlphaF(strength)
    room.setWidth(max(2, round(room.width() * min(share, 1.0))))
    painter.fillRect(room, ink)
