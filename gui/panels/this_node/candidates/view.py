"""How candidates look and feel: in the list with its bars, reasons, widths and keys, and in the small plot above it."""

from __future__ import annotations

import math
import textwrap
from itertools import accumulate

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip, QTreeView, QWidget

from engine.runtime.sentences import tr
from gui import theme
from gui.panels.this_node import words as say
from gui.panels.this_node.candidates import figures, model
from gui.panels.this_node.candidates.figures import SECTIONS, figure_of
from gui.widgets import verbatim
from gui.widgets.building import Reaction, named
from gui.widgets.fields import ENTER
from gui.widgets.labels import grown, telling, whole_parts
from gui.widgets.tables import Index, aligned
from gui.wording import words
from gui.wording.phrases import is_cut, rounded

ROW_HEIGHT, LINE_HEIGHT = 28, 18  # pixels, at least: of a row, and of a second line below it
NARROWEST_BAR = 12  # pixels; in a narrower room no bar is drawn
TEXT_MARGIN = 3  # pixels that Qt keeps beside the text of a cell
INDENTATION = 16  # pixels: of the triangle, and of what unfolds below a row
BELOW_POINTER, BESIDE = 28, 16  # pixels that a tooltip keeps from its point, with its own margins
NAME_PADDING, LEAST_NAME = 14, 56  # beside a column's name, and what of it stays where numbers need the room
PUSHED_PADDING = 8  # beside a long name that pushes its split
ROOMY = 392  # from this width of the list on, numbers stand at their ease
FIGURE_PADDING, LEAST_PADDING = 16, 10  # beside a number
MEASURED = 60  # rows whose texts are measured for the width of their column
BAR, BAR_ROOMY = 52, 84  # pixels that a bar of the gain may take beside its number while names want more
LEAST_BAR = 20
# Pixels of name and split. They go before longer bars; below the second figures stand closer; with less than the first,
# figures stand below.
FEWEST_WORDS, LEAST_WORDS, MOST_WORDS = 120, 144, 224
HEIGHT, LOWEST = 56, 36  # pixels of the plot; with less nothing can be told from it
MARGIN, CAPTION = 8, 16  # beside the dots, and above them for the words
WIDEST_STEP = 40.0  # pixels from one rank to the next
DOT = 3.0  # the radius of a dot
MOST_DOTS = 60  # of more candidates only the line is drawn, and the dots that are pointed at or chosen
REACH = 14.0  # pixels around a dot in which the mouse points at it


class Cells(QStyledItemDelegate):
    """The cells of the first line of a row. Below it there may be a second one, which the row draws."""

    @property
    def _view(self) -> CandidateView:
        view = self.parent()
        assert isinstance(view, CandidateView)
        return view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = self._view
        return QSize(super().sizeHint(option, index).width(), view.row_height + view.line_height * bool(view.below))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, self._first_line(option, index), index)

    def _first_line(self, option: QStyleOptionViewItem, index: Index) -> QStyleOptionViewItem:
        first, parted = QStyleOptionViewItem(option), self._view.parted(index)
        if index.column() == figures.COLUMN:
            first.rect.setRight(parted)
        elif index.column() == figures.SPLIT:
            first.rect.setLeft(parted + 1)
        first.rect.setHeight(min(option.rect.height(), self._view.row_height))
        return first

    def _room(self, option: QStyleOptionViewItem) -> int:
        style, view = self._view.style(), self._view
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, view).width()
        return room - 2 * (style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, view) + 1)


class GainBars(Cells):
    """Draws what ranks as a bar with its number, and the validation gain, if it ranks, as a thin bar below it."""

    beside = 72  # the pixels of the number

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        option = self._first_line(option, index)
        candidate, source = index.data(model.CANDIDATE), self._view.source
        room = option.rect.adjusted(8, 0, -self.beside, 0)
        ranks = candidate.split is not None and index.column() == source.ranking
        if not ranks or not source.largest_gain > 0 or room.width() < NARROWEST_BAR:
            return
        colours, middle = theme.current(), room.center().y()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        inks = (colours.accent_text,) * 2 if selected else (colours.training, colours.validation)
        places = (middle - 5, 7), (middle + 4, 3)
        for gain, ink, (top, high) in zip(source.bars(candidate), inks, places, strict=True):
            if math.isfinite(gain) and gain != 0:  # below 0 where the split misleads on validation rows
                fill = QColor(colours.warning if gain < 0 and not selected else ink)
                fill.setAlphaF(1.0 if source.passes(candidate) and not source.stale else 0.35)
                wide = max(2, round(room.width() * min(abs(gain) / source.largest_gain, 1.0)))
                pattern = Qt.BrushStyle.Dense4Pattern if gain < 0 and selected else Qt.BrushStyle.SolidPattern
                painter.fillRect(QRect(room.left(), top, wide, high), QBrush(fill, pattern))


class ColumnNames(Cells):
    """Shortens a long name where that still tells it from the others."""

    names: tuple[str, ...] = ()

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if option.text in self.names:
            option.text = telling(option.text, self.names, self._room(option), option.fontMetrics)


class Splits(Cells):
    """Rounds a cut where there is no room for all of it, as a part of a number would be another one. Why there is none
    the row draws, over the room of the figures, too."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        split = index.data(model.CANDIDATE).split
        if split is None:
            option.text = ""
        elif option.fontMetrics.horizontalAdvance(option.text) > self._room(option):
            option.text = rounded(split, option.text)


class CandidateView(QTreeView):
    """A list that says when a row is accepted, hovered or withdrawn."""

    accepted = Signal(QModelIndex)  # a row was double-clicked, or Enter was pressed on it
    typed = Signal(QKeyEvent)  # a letter: the list has a field of its own to find columns
    withdrawn = Signal()  # Esc was pressed, or the mouse is no longer over the rows

    def __init__(self, source: model.CandidateModel, order: model.CandidateOrder) -> None:
        super().__init__(uniformRowHeights=True, expandsOnDoubleClick=False, indentation=INDENTATION)
        self.setAllColumnsShowFocus(True)
        self.source = source  # the model below the order in which it is shown
        self.below: tuple[int, ...] = ()  # the sections whose figures stand in a second line, without room in the first
        self.setModel(order)
        self.setItemDelegate(Cells(self))
        self.bars, self.names = GainBars(self), ColumnNames(self)
        for section in (figures.GAIN, figures.AHEAD):
            self.setItemDelegateForColumn(section, self.bars)
        self.setItemDelegateForColumn(figures.COLUMN, self.names)
        self.setItemDelegateForColumn(figures.SPLIT, Splits(self))
        self.setSelectionBehavior(QTreeView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTreeView.SelectionMode.SingleSelection)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.setHorizontalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        self.doubleClicked.connect(self.accepted)
        self._hovered = False
        self.entered.connect(self._on_entered)
        Reaction(self, self._gone, QEvent.Type.Leave)
        Reaction(self, self._look_for_mouse, QEvent.Type.FocusIn, QEvent.Type.ActivationChange)
        header = self.header()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(40)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    @property
    def row_height(self) -> int:
        return max(ROW_HEIGHT, self.fontMetrics().height() + 10)

    @property
    def line_height(self) -> int:
        return max(LINE_HEIGHT, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        """Two rows, whatever the letters: the editor below scrolls before they are squeezed."""
        rows = 2 * self.row_height + self.line_height * bool(self.below)
        return QSize(super().minimumSizeHint().width(), self.header().sizeHint().height() + rows)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.currentIndex().isValid():
            self.accepted.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.withdrawn.emit()
        elif event.text().isalpha():
            self.typed.emit(event)
        else:
            super().keyPressEvent(event)

    def line_below(self, index: Index, room: int | None = None) -> str:
        """The second line of a row: "LogWorth 12.31 · Branches 2"; as many whole figures as `room` pixels have."""
        cells = [(tr(figures.HEADERS[at]), index.sibling(index.row(), at).data()) for at in self.below]
        parts = [f"{header} {text}" for header, text in cells if text]
        return " · ".join(parts) if room is None else whole_parts(parts, " · ", room, self.fontMetrics())

    def parted(self, index: Index) -> int:
        """Where the name of a row ends and its split begins, in pixels: a long name pushes its split to the right as
        far as that is still read."""
        name, split = (index.sibling(index.row(), section) for section in (figures.COLUMN, figures.SPLIT))
        place, end, advance = (
            self.visualRect(name),
            self.visualRect(split).right(),
            self.fontMetrics().horizontalAdvance,
        )
        candidate, least = index.data(model.CANDIDATE), grown(LEAST_NAME, self.fontMetrics())
        if candidate is not None and is_cut(candidate.split):
            least = advance(rounded(candidate.split, split.data())) + PUSHED_PADDING
        return max(place.right(), min(place.left() + advance(name.data()) + PUSHED_PADDING, end - least))

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        super().drawBranches(painter, QRect(rect.topLeft(), QSize(rect.width(), self.row_height)), index)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().drawRow(painter, option, index)
        candidate = index.data(model.CANDIDATE)
        if candidate is None:
            return
        selected = self.selectionModel().isSelected(index)
        ink = self.palette().highlightedText().color() if selected else QColor(theme.current().secondary)
        if self.below:
            room = self.visualRect(index.sibling(index.row(), figures.COLUMN))
            room.setTop(room.top() + self.row_height)
            room.setRight(self.viewport().width())
            if selected:
                painter.fillRect(room, self.palette().highlight())
            painter.setPen(ink)
            room.adjust(TEXT_MARGIN, 0, -TEXT_MARGIN, 0)
            text = self.line_below(index, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, text)
        if candidate.split is None:
            room = self._reason_room(index)
            painter.setPen(ink)
            text = self.fontMetrics().elidedText(candidate.reason, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, aligned(words=True), text)

    def _reason_room(self, index: Index) -> QRect:
        room = self.visualRect(index.sibling(index.row(), figures.SPLIT))
        room.setLeft(self.parted(index) + 1)
        room.setRight(self.viewport().width())
        room.setHeight(self.row_height)
        return room.adjusted(TEXT_MARGIN, 0, -TEXT_MARGIN, 0)

    def share_width(self, shown: list[int], room: int) -> None:
        """Name, split and all figures that are shown (sections) are in view in `room` pixels: figures without room
        stand below the names, which get what they need; what is left makes longer bars."""
        header, source, metrics = self.header(), self.source, self.fontMetrics()
        advance = metrics.horizontalAdvance
        longest = max([*map(advance, self.names.names), advance(tr(say.ORDINALS[0])) + INDENTATION]) + NAME_PADDING
        splits, texts = source.usable[:MEASURED], source.texts(figures.SPLIT, MEASURED)
        split = max(map(advance, texts), default=0) + NAME_PADDING
        # The gain in percent of the best one shows itself where all words have their room.
        ranks, of_best = source.ranking, figures.OF_BEST
        if ranks in shown and of_best not in shown and len(splits) > 1 and source.holds(of_best):
            wide = sum(self._figure_width(section) for section in (*shown, of_best))
            if room - INDENTATION - grown(BAR, metrics) - wide >= min(longest + split, grown(MOST_WORDS, metrics)):
                shown = sorted([*shown, of_best])
        widths = self._figure_widths(shown, room)
        for section in SECTIONS.values():
            if self.isColumnHidden(section) == (section in widths):
                self.setColumnHidden(section, section not in widths)
        below = tuple(section for section in shown if section not in widths)
        if below != self.below:
            self.below = below
            self.updateGeometry()
            self.scheduleDelayedItemsLayout()
        left = room - sum(widths.values()) - INDENTATION
        if ranks in widths:
            free = left - min(longest + split, grown(MOST_WORDS, metrics))
            bar = min(max(free, LEAST_BAR), grown(BAR_ROOMY if room >= ROOMY else BAR, metrics))
            bar = max(bar, left - longest - split)
            self.bars.beside = widths[ranks]
            widths[ranks] += bar
            left -= bar
        both = max(left, grown(FEWEST_WORDS, metrics))
        column = min(max(longest, round(0.35 * both)), max(both - split, round(0.62 * both)))
        cuts = [(text, rounded(one.split, text)) for one, text in zip(splits, texts, strict=True) if is_cut(one.split)]
        whole, brief = (max((advance(pair[i]) for pair in cuts), default=0) + NAME_PADDING for i in (0, 1))
        least = grown(LEAST_NAME, metrics)
        column = min(column, max(both - (whole if both - whole >= least else brief), least))
        header.resizeSection(figures.COLUMN, column + INDENTATION)
        header.resizeSection(figures.SPLIT, both - column)
        for section, width in widths.items():
            header.resizeSection(section, width)

    def _figure_widths(self, shown: list[int], room: int) -> dict[int, int]:
        least = {section: self._figure_width(section, LEAST_PADDING) for section in shown}
        # What ranks and what it is compared with always stand beside name, split and bar.
        always = [section for section in least if section in (self.source.ranking, self.source.beside)]
        order = [*always, *(section for section in least if section not in always)]
        for words_room in (FEWEST_WORDS, LEAST_WORDS):  # where some stand below anyway, words have their room
            left = room - INDENTATION - LEAST_BAR - grown(words_room, self.fontMetrics())
            wide = list(accumulate(least[section] for section in order))
            kept = order[: max(len(always), sum(width <= left for width in wide))]
            if len(kept) == len(order):
                break
        spare = room - INDENTATION - grown(LEAST_WORDS, self.fontMetrics()) - LEAST_BAR
        spare = max(spare - sum(least[section] for section in kept), 0)
        more = min(spare // max(len(kept), 1), FIGURE_PADDING - LEAST_PADDING)
        return {section: least[section] + more for section in sorted(kept)}

    def _figure_width(self, section: int, padding: int = FIGURE_PADDING) -> int:
        figure = figure_of(section)
        assert figure is not None
        texts = [figure.sample, tr(figure.header), *self.source.texts(section, MEASURED)]
        return max(max(map(self.fontMetrics().horizontalAdvance, texts)) + padding, self.header().minimumSectionSize())

    def _look_for_mouse(self) -> None:
        """A menu or another window may have taken the event that the mouse left the rows."""
        if self._hovered and not self.viewport().rect().contains(self.viewport().mapFromGlobal(QtGui.QCursor.pos())):
            self._gone()

    def _on_entered(self) -> None:
        self._hovered = True

    def _gone(self) -> None:
        self._hovered = False
        self.withdrawn.emit()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            self._explain(index, event.pos().y() - self.visualRect(index).top() >= self.row_height)
            return True
        return super().viewportEvent(event)

    def _explain(self, index: QModelIndex, second: bool) -> None:
        """The tooltip of a name, of words that are cut, or of the second line: beside the list, or where the screen
        ends there above the row, so that the next rows stay in view."""
        place, metrics = self.visualRect(index), QFontMetrics(QToolTip.font())
        whole = self.fontMetrics().horizontalAdvance(str(index.data() or ""))
        candidate = index.data(model.CANDIDATE)
        room = place.width() if candidate is None or candidate.split else self._reason_room(index).width()
        if index.column() == figures.SPLIT and candidate is not None and candidate.split:
            room = place.right() - self.parted(index)
        cut = index.column() >= figures.SPLIT and whole + 2 * TEXT_MARGIN > room
        text = self.source.explanation(candidate) if candidate is not None else ""
        if text and second:
            text = f"{self.line_below(index)}\n{text}"
        if not text or not (index.column() == figures.COLUMN or cut or second):
            QToolTip.hideText()
            return
        letters = max(20, self.viewport().width() // metrics.averageCharWidth() - 4)
        text = "\n".join(textwrap.fill(line, letters) for line in text.splitlines())  # no wider than the list
        at, size = self.viewport().mapToGlobal(QPoint(0, place.top())), metrics.size(0, text)
        beside = at - QPoint(size.width() + BESIDE, BELOW_POINTER // 2)
        if beside.x() < self.screen().availableGeometry().left():
            beside = at - QPoint(0, size.height() + BELOW_POINTER)
        QToolTip.showText(beside, verbatim.tip(text), self.viewport(), place)


class RankPlot(QWidget):
    """The gains from rank to rank, small: a cliff after the first, or a plateau; a dot for each that may be chosen."""

    pointed = Signal(int)  # the mouse points at another rank, or -1
    chosen = Signal(int)  # a rank was clicked

    def __init__(self) -> None:
        super().__init__()
        named(self, "candidates_plot", tr("Gain by rank"))
        policy = self.sizePolicy()
        policy.setVerticalPolicy(policy.Policy.Maximum)
        self.setSizePolicy(policy)
        self.setMouseTracking(True)
        self.columns: list[str] = []
        self.gains: list[float] = []
        self.lost: list[bool] = []
        self._telling: list[int] = []  # the ranks that the words are about
        self.current, self.hovered = -1, -1
        Reaction(self, lambda: self._point(-1), QEvent.Type.Leave)

    def sizeHint(self) -> QSize:
        return QSize(120, HEIGHT - CAPTION + self._caption_height)

    @property
    def _caption_height(self) -> int:
        return max(CAPTION, self.fontMetrics().height() + 2)

    def show_gains(self, columns: list[str], gains: list[float], lost: list[bool], repeated: list[bool]) -> None:
        """Takes the candidates, the best first; `lost`: whose gain does not survive, `repeated`: which are another
        one's split once more, and have no say in how the gains fall."""
        self.columns, self.gains, self.lost = columns, gains, lost
        self._telling = [i for i, again in enumerate(repeated) if not again]
        self.current = self.hovered = -1
        self.setAccessibleDescription(self.words())
        self.setToolTip(verbatim.markup(self.words()))
        self.update()

    def set_current(self, rank: int) -> None:
        if rank != self.current:
            self.current = rank
            self.update()

    def words(self) -> str:
        return say.landscape([self.columns[i] for i in self._telling], [self.gains[i] for i in self._telling])

    def caption(self, room: float = math.inf) -> str:
        """What stands above the dots: the name that is pointed at, shortened to `room` pixels, or how gains fall."""
        if not 0 <= self.hovered < len(self.columns):
            return say.brief_landscape([self.gains[i] for i in self._telling])
        head, gain = f"{self.hovered + 1}. ", words.gain(self.gains[self.hovered])
        if self.hovered and self.gains[0] > 0:
            share = say.percent(self.gains[self.hovered] / self.gains[0])
            gain = tr("{gain}, {share} of the best", gain=gain, share=share)
        metrics, name = self.fontMetrics(), self.columns[self.hovered]
        if math.isfinite(room):
            room -= metrics.horizontalAdvance(f"{head}  {gain}")
            name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, max(int(room), 0))
        return f"{head}{name}  {gain}"

    def place(self, rank: int) -> QPointF:
        inner = QRectF(self.rect()).adjusted(MARGIN, self._caption_height + DOT, -MARGIN, -MARGIN)
        step = min(inner.width() / max(len(self.gains) - 1, 1), grown(WIDEST_STEP, self.fontMetrics()))
        top = max((gain for gain in self.gains if math.isfinite(gain)), default=0.0)
        share = self.gains[rank] / top if top > 0 and math.isfinite(self.gains[rank]) else 0.0
        return QPointF(inner.left() + rank * step, inner.bottom() - share * inner.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.gains or self.height() < LOWEST:
            return
        colours, painter = theme.current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = [self.place(rank) for rank in range(len(self.gains))]
        painter.setPen(QPen(colours.grid, 1))
        painter.drawLine(MARGIN, self.height() - MARGIN, self.width() - MARGIN, self.height() - MARGIN)
        painter.setPen(QPen(colours.border, 1.2))
        painter.drawPolyline(places)
        for rank, place in enumerate(places):
            is_marked = rank in (self.current, self.hovered)
            if len(places) > MOST_DOTS and not is_marked:
                continue
            ink = colours.accent if is_marked else colours.warning if self.lost[rank] else colours.training
            painter.setPen(QPen(ink, 1.5))
            painter.setBrush(colours.card if self.lost[rank] else ink)
            radius = DOT + 1.5 if is_marked else DOT
            painter.drawEllipse(place, radius, radius)
        painter.setPen(colours.text if self.hovered >= 0 else colours.secondary)
        room = QRect(MARGIN, 0, self.width() - 2 * MARGIN, self._caption_height)
        painter.drawText(room, aligned(words=False), self.caption(room.width()))

    def rank_at(self, place: QPointF) -> int:
        if not self.gains:
            return -1
        step = self.place(1).x() - self.place(0).x() if len(self.gains) > 1 else 1.0
        rank = min(max(round((place.x() - self.place(0).x()) / max(step, 1e-9)), 0), len(self.gains) - 1)
        return rank if abs(self.place(rank).x() - place.x()) <= max(REACH, step / 2) else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.rank_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (rank := self.rank_at(event.position())) >= 0:
            self.chosen.emit(rank)

    def _point(self, rank: int) -> None:
        if rank != self.hovered:
            self.hovered = rank
            self.update()
            self.pointed.emit(rank)
