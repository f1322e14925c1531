"""The gains of the candidates from rank to rank, small: a cliff after the first, or a plateau."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui import theme
from gui.panels.this_node import words as say
from gui.widgets import verbatim
from gui.wording import words

HEIGHT, LOWEST = 56, 36  # pixels; with less nothing can be told from it
MARGIN, CAPTION = 8.0, 16.0  # beside the dots, and above them for the words
WIDEST_STEP = 40.0  # pixels from one rank to the next
DOT = 3.0  # the radius of a dot
MOST_DOTS = 60  # of more candidates only the line is drawn, and the dots that are pointed at or chosen
REACH = 14.0  # pixels around a dot in which the mouse points at it


class RankPlot(QWidget):
    """One dot for each candidate that may be chosen, at its rank and gain.

    Signals:
        pointed: the mouse points at another rank. arg: it, or -1
        chosen: a rank was clicked. arg: it
    """

    pointed = Signal(int)
    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("candidates_plot")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setMaximumHeight(HEIGHT)
        self.setMouseTracking(True)
        self.setAccessibleName("Gain by rank")
        self.columns: list[str] = []
        self.gains: list[float] = []
        self.lost: list[bool] = []
        self._telling: list[int] = []  # the ranks that the words are about
        self.current, self.hovered = -1, -1

    def sizeHint(self) -> QSize:
        return QSize(120, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)  # in a low window the list needs the room

    def show_gains(
        self, columns: list[str], gains: list[float], lost: list[bool], repeated: list[bool] | None = None
    ) -> None:
        """Takes the candidates, the best first; `lost` says whose gain does not survive, `repeated` which are another
        one's split once more: they have a dot, but no say in how the gains fall."""
        self.columns, self.gains, self.lost = columns, gains, lost
        self._telling = [i for i in range(len(gains)) if repeated is None or not repeated[i]]
        self.current = self.hovered = -1
        self.setAccessibleDescription(self.words())
        self.update()

    def set_current(self, rank: int) -> None:
        """Marks the candidate that is looked at."""
        if rank != self.current:
            self.current = rank
            self.update()

    def words(self) -> str:
        """What the fall of the gains means for the choice."""
        return say.landscape([self.columns[i] for i in self._telling], [self.gains[i] for i in self._telling])

    def caption(self) -> str:
        """What stands above the dots: the name that is pointed at, or how the gains fall."""
        if 0 <= self.hovered < len(self.columns):
            return f"{self.hovered + 1}. {self.columns[self.hovered]}  {words.gain(self.gains[self.hovered])}"
        return say.brief_landscape([self.gains[i] for i in self._telling])

    def place(self, rank: int) -> QPointF:
        """Where the dot of a rank stands."""
        inner = QRectF(self.rect()).adjusted(MARGIN, CAPTION + DOT, -MARGIN, -MARGIN)
        step = min(inner.width() / max(len(self.gains) - 1, 1), WIDEST_STEP)
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
        painter.drawLine(
            QPointF(MARGIN, self.height() - MARGIN), QPointF(self.width() - MARGIN, self.height() - MARGIN)
        )
        painter.setPen(QPen(colours.border, 1.2))
        painter.drawPolyline(QPolygonF(places))
        for rank, place in enumerate(places):
            marked = rank in (self.current, self.hovered)
            if len(places) > MOST_DOTS and not marked:
                continue
            ink = colours.accent if marked else colours.warning if self.lost[rank] else colours.training
            painter.setPen(QPen(ink, 1.5))
            painter.setBrush(colours.card if self.lost[rank] else ink)
            radius = DOT + 1.5 if marked else DOT
            painter.drawEllipse(place, radius, radius)
        painter.setPen(colours.text if self.hovered >= 0 else colours.secondary)
        room = QRectF(MARGIN, 0, self.width() - 2 * MARGIN, CAPTION)
        text = QFontMetricsF(self.font()).elidedText(self.caption(), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def rank_at(self, place: QPointF) -> int:
        """The rank whose dot is nearest to a place, or -1 if none is near."""
        if not self.gains:
            return -1
        step = self.place(1).x() - self.place(0).x() if len(self.gains) > 1 else 1.0
        rank = min(max(round((place.x() - self.place(0).x()) / max(step, 1e-9)), 0), len(self.gains) - 1)
        return rank if abs(self.place(rank).x() - place.x()) <= max(REACH, step / 2) else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.rank_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        rank = self.rank_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and rank >= 0:
            self.chosen.emit(rank)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), verbatim.markup(self.words()), self)
            return True
        return super().event(event)

    def _point(self, rank: int) -> None:
        if rank != self.hovered:
            self.hovered = rank
            self.update()
            self.pointed.emit(rank)
