"""How candidates look and feel in the list: gain bars, names, reasons, widths, and keys that accept and withdraw."""

from __future__ import annotations

import textwrap
from itertools import accumulate

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QCursor, QFocusEvent, QFontMetrics, QHelpEvent, QKeyEvent, QPainter
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
from gui.panels.this_node.candidates import figures, model
from gui.panels.this_node.candidates.figures import SECTIONS, figure_of
from gui.panels.this_node.candidates.model import Index
from gui.panels.this_node.words import ORDINALS
from gui.widgets import verbatim
from gui.widgets.short_names import telling

ROW_HEIGHT, LINE_HEIGHT = 28, 18  # pixels: of a row, and of a second line below it
NARROWEST_BAR = 12  # pixels; in a narrower room no bar is drawn
TEXT_MARGIN = 3  # pixels that Qt keeps beside the text of a cell
INDENTATION = 16  # pixels: of the triangle, and of what unfolds below a row
BELOW_POINTER = 28  # pixels that a tooltip keeps below its point, with its own margins
ACCEPT_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
NAME_PADDING = 14  # beside a column's name
ROOMY = 392  # from this width of the list on, numbers stand at their ease
FIGURE_PADDING, LEAST_PADDING = 16, 10  # beside a number
MEASURED = 60  # rows whose texts are measured for the width of their column
BAR, BAR_ROOMY = 52, 84  # pixels that a bar of the gain may take beside its number
LEAST_BAR = 24
# Pixels of name and split. They go before longer bars; below the second, headers are shortened and figures stand
# closer; with less than the first, figures stand below.
FEWEST_WORDS, LEAST_WORDS, MOST_WORDS = 104, 144, 224


class Cells(QStyledItemDelegate):
    """The cells of the first line of a row. Below it there may be a second one, which the row draws."""

    @property
    def _view(self) -> CandidateView:
        view = self.parent()
        assert isinstance(view, CandidateView)
        return view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), ROW_HEIGHT + LINE_HEIGHT * bool(self._view.below))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, first_line(option), index)


class GainBars(Cells):
    """Draws what ranks as a bar with its number, and the validation gain, if it ranks, as a thin bar below it.

    Attributes:
        beside: the pixels of the number.
    """

    beside = 72

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        option = first_line(option)
        super().paint(painter, option, index)
        candidate, source = index.data(model.CANDIDATE), self._view.source
        full = source.largest_gain
        if candidate.split is None or not full > 0 or index.column() != source.ranking:
            return
        colours = theme.current()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        seen, unseen = (colours.accent_text,) * 2 if selected else (colours.training, colours.validation)
        room = option.rect.adjusted(8, 0, -self.beside, 0)
        if room.width() < NARROWEST_BAR:
            return
        middle = room.center().y()
        strength = 1.0 if source.passes(candidate) and not source.stale else 0.35
        gain, validation = source.bars(candidate)
        _bar(painter, QRect(room.left(), middle - 5, room.width(), 7), gain / full, seen, strength)
        _bar(painter, QRect(room.left(), middle + 4, room.width(), 3), validation / full, unseen, strength)


class ColumnNames(Cells):
    """Shortens a long name where that still tells it from the others."""

    names: tuple[str, ...] = ()

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if option.text not in self.names:
            return
        style = option.widget.style() if option.widget is not None else QApplication.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, option.widget).width()
        margin = 2 * (style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, option.widget) + 1)
        option.text = telling(option.text, self.names, room - margin, option.fontMetrics)


class Splits(Cells):
    """Leaves out the reason why there is no split: the row draws it, over the room of the figures, too."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if index.data(model.CANDIDATE).split is None:
            option.text = ""


class CandidateView(QTreeView):
    """A list that says when a row is accepted, hovered or withdrawn.

    Attributes:
        source: the model below the order in which it is shown.
        bars, names: draw the gains and the names of columns.
        below: the sections whose figures have no room and stand in a second line of each row.

    Signals:
        accepted: a row was double-clicked or Enter was pressed on it. arg: QModelIndex
        withdrawn: Esc was pressed.
        left: the mouse is no longer over the rows.
    """

    accepted = Signal(QModelIndex)
    withdrawn = Signal()
    left = Signal()

    def __init__(self, source: model.CandidateModel, order: model.CandidateOrder) -> None:
        super().__init__()
        self.source = source
        self.below: tuple[int, ...] = ()
        self.setModel(order)
        self.setItemDelegate(Cells(self))
        self.bars, self.names = GainBars(self), ColumnNames(self)
        for section in (figures.GAIN, figures.AHEAD):
            self.setItemDelegateForColumn(section, self.bars)
        self.setItemDelegateForColumn(figures.COLUMN, self.names)
        self.setItemDelegateForColumn(figures.SPLIT, Splits(self))
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
        self._hovered = False
        self.entered.connect(self._on_entered)
        header = self.header()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setStretchLastSection(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(40)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

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

    def line_below(self, index: Index) -> str:
        """The second line of a row: "LogWorth 12.31 · Branches 2"."""
        cells = [(figures.HEADERS[section], index.sibling(index.row(), section).data()) for section in self.below]
        return " · ".join(f"{header} {text}" for header, text in cells if text)

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        super().drawBranches(painter, QRect(rect.topLeft(), QSize(rect.width(), ROW_HEIGHT)), index)

    def _draw_below(self, painter: QPainter, index: Index) -> None:
        room = self.visualRect(index.sibling(index.row(), figures.COLUMN))
        room.setTop(room.top() + ROW_HEIGHT)
        room.setRight(self.viewport().width())
        selected = self.selectionModel().isSelected(index)
        if selected:
            painter.fillRect(room, self.palette().highlight())
        painter.setPen(self.palette().highlightedText().color() if selected else QColor(theme.current().secondary))
        room.adjust(TEXT_MARGIN, 0, -TEXT_MARGIN, 0)
        text = self.fontMetrics().elidedText(self.line_below(index), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, text)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
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

    def _reason_room(self, index: Index) -> QRect:
        """The room of a reason: from the split to the right edge."""
        room = self.visualRect(index.sibling(index.row(), figures.SPLIT))
        room.setRight(self.viewport().width())
        room.setHeight(ROW_HEIGHT)
        return room.adjusted(TEXT_MARGIN, 0, -TEXT_MARGIN, 0)

    # -- widths

    def share_width(self, shown: list[int], room: int) -> None:
        """Name, split and all figures that are shown are in view: figures without room stand below the names, which get
        what they need.

        Args:
            shown: the sections of figures that are wanted.
            room: the pixels that there are.
        """
        header, source, metrics = self.header(), self.source, self.fontMetrics()
        widths = self._figure_widths(shown, room)
        for section in SECTIONS.values():
            if self.isColumnHidden(section) == (section in widths):
                self.setColumnHidden(section, section not in widths)
        self.put_below(tuple(section for section in shown if section not in widths))
        left = room - sum(widths.values()) - INDENTATION
        advances = [metrics.horizontalAdvance(name) for name in self.names.names]
        longest = max([*advances, metrics.horizontalAdvance(ORDINALS[0]) + INDENTATION]) + NAME_PADDING
        splits = [metrics.horizontalAdvance(text) for text in source.texts(figures.SPLIT, MEASURED)]
        split = max(splits, default=0) + NAME_PADDING
        if source.ranking in widths:
            free = left - min(longest + split, MOST_WORDS)
            bar = min(max(free, LEAST_BAR), BAR_ROOMY if room >= ROOMY else BAR)
            self.bars.beside = widths[source.ranking]
            widths[source.ranking] += bar
            left -= bar
        words = min(max(left, FEWEST_WORDS), 280)
        column = min(max(longest, round(0.35 * words)), max(words - split, round(0.62 * words)))
        header.resizeSection(figures.COLUMN, column + INDENTATION)
        header.resizeSection(figures.SPLIT, words - column)
        for section, width in widths.items():
            header.resizeSection(section, width)

    def _figure_widths(self, shown: list[int], room: int) -> dict[int, int]:
        """The pixels of the figures that have room; the more there is, the more they are at their ease."""
        least = {section: self._figure_width(section, least=True) for section in shown}
        fitting = self._fitting(least, room)
        least = {section: least[section] for section in fitting}
        widths = {section: self._figure_width(section) for section in fitting}
        spare = room - INDENTATION - LEAST_WORDS - LEAST_BAR - sum(least.values())
        part = min(max(spare, 0) / max(sum(widths.values()) - sum(least.values()), 1), 1.0)
        return {section: least[section] + int(part * (width - least[section])) for section, width in widths.items()}

    def _fitting(self, least: dict[int, int], room: int) -> list[int]:
        """The sections that have room beside name, split and bar; what ranks and what it is compared with always do.

        Args:
            least: the sections that are shown, with the pixels that each needs.
        """
        always = [section for section in least if section in (self.source.ranking, self.source.beside)]
        order = [*always, *(section for section in least if section not in always)]
        for words in (FEWEST_WORDS, LEAST_WORDS):  # where some stand below anyway, names and splits have their room
            left = room - INDENTATION - LEAST_BAR - words
            wide = list(accumulate(least[section] for section in order))
            kept = order[: max(len(always), sum(width <= left for width in wide))]
            if len(kept) == len(order):
                break
        return sorted(kept)

    def _figure_width(self, section: int, least: bool = False) -> int:
        """What a figure needs; at least, with a header that is shortened."""
        figure, metrics = figure_of(section), self.fontMetrics()
        assert figure is not None
        texts = [figure.sample, *self.source.texts(section, MEASURED)] + [figure.header] * (not least)
        wide = max(map(metrics.horizontalAdvance, texts)) + (LEAST_PADDING if least else FIGURE_PADDING)
        return max(wide, self.header().minimumSectionSize())

    # -- the mouse

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._gone()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._look()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self._look()

    def _look(self) -> None:
        """Whether the mouse is still over the rows: a menu or another window may have taken the event that it left."""
        if self._hovered and not self.viewport().rect().contains(self.viewport().mapFromGlobal(QCursor.pos())):
            self._gone()

    def _on_entered(self) -> None:
        self._hovered = True

    def _gone(self) -> None:
        self._hovered = False
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
        cut = index.column() >= figures.SPLIT and whole + 2 * TEXT_MARGIN > room
        text = self.source.explanation(candidate) if candidate is not None else ""
        if text and second:
            text = f"{self.line_below(index)}\n{text}"
        if not text or not (index.column() == figures.COLUMN or cut or second):
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
