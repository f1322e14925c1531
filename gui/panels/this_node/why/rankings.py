"""The rankings of a node by every criterion side by side; a line joins the places of each column of the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.widgets import verbatim
from gui.widgets.building import named
from gui.widgets.labels import grown
from gui.widgets.tables import aligned
from gui.wording import words

ROW, HEAD, DOT = 22, 26, 4  # pixels: a rank, the names of the criteria, the half of a dot
RANK_WIDTH, MOST_NAME, GAP = 28, 170, 36
APART = 72  # pixels between two criteria, below which the names at the right give way
LEFT, RIGHT = aligned(words=True), aligned(words=False)
NEAR = 9  # pixels, from which on the mouse is over a line


@dataclass(frozen=True)
class Place:
    """A column of the table in one ranking: its rank from 0, and what its best split gains."""

    rank: int
    gain: float


class RankingsChart(QAbstractScrollArea):
    """A bump chart."""

    picked = Signal(str)  # the column that was chosen

    def __init__(self) -> None:
        super().__init__()
        named(self, "why_rankings", tr("Rankings of the columns by every criterion"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.criteria: list[str] = []
        self.places: dict[str, dict[str, Place]] = {}  # by criterion, by column
        self.columns: list[str] = []  # in the order of the first ranking
        self.n_unusable = 0
        self.chosen = self.hovered = ""

    @property
    def row(self) -> int:  # pixels
        return grown(ROW, self.fontMetrics())

    @property
    def head(self) -> int:
        return grown(HEAD, self.fontMetrics())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.head + 3 * self.row)

    def show_rankings(self, criteria: list[str], found: dict[str, list[engine.Candidate]]) -> None:
        """Every criterion has its place; a ranking that is not found yet is empty."""
        self.criteria = criteria
        self.places = {
            name: {
                one.column: Place(rank, one.scores.get(name, one.gain) if engine.CRITERIA[name].by_score else one.gain)
                for rank, one in enumerate(one for one in ranking if one.split is not None)
            }
            for name, ranking in found.items()
        }
        self.columns = list(self.places.get(self._first, ()))
        self.n_unusable = len(found.get(self._first, ())) - len(self.columns)
        if self.hovered not in self.columns:
            self.hovered = ""
        self._follow_height()
        self.viewport().update()

    def choose(self, column: str) -> None:
        self.chosen = column
        if column in self.columns:
            y = self.columns.index(column) * self.row
            bar, room = self.verticalScrollBar(), self.viewport().height() - self.head - self.row
            bar.setValue(max(min(bar.value(), y), y - room))
        self.viewport().update()

    def described(self, column: str) -> str:
        """A line for each criterion: "Gini: rank 1, 0.2931"."""
        said = [column]
        for name in self.criteria:
            place = self.places.get(name, {}).get(column)
            if place is not None:
                told = {"criterion": tr(engine.CRITERIA[name].label), "rank": place.rank + 1}
                said.append(tr("{criterion}: rank {rank}, {gain}", **told, gain=words.gain(place.gain)))
        return "\n".join(said)

    def _font(self, bold: bool) -> QFont:
        font = self.font()
        font.setBold(bold)
        return font

    def _name_width(self) -> int:
        longest = max(map(QFontMetrics(self._font(True)).horizontalAdvance, self.columns), default=0) + 8
        return min(longest, MOST_NAME, round(0.24 * self.viewport().width()))

    def xs(self) -> list[float]:
        n, names, width = len(self.criteria), self._name_width(), self.viewport().width()
        left, right = RANK_WIDTH + names + GAP, width - GAP - (8 + names if self._named_twice() else 0)
        return [left + (right - left) * j / max(1, n - 1) for j in range(n)]

    def _named_twice(self) -> bool:
        room = self.viewport().width() - RANK_WIDTH - 2 * (self._name_width() + GAP) - 8
        return room >= APART * (len(self.criteria) - 1)

    def row_y(self, rank: float) -> float:
        return self.head + self.row * (rank + 0.5) - self.verticalScrollBar().value()

    def path(self, column: str) -> list[QPointF]:
        return [
            QPointF(x, self.row_y(self.places[name][column].rank))
            for x, name in zip(self.xs(), self.criteria, strict=True)
            if column in self.places.get(name, ())
        ]

    def at(self, where: QPointF) -> str:
        xs = self.xs()
        if not xs or where.y() < self.head:
            return ""
        left, right = where.x() < xs[0] - GAP / 2, where.x() > xs[-1] + GAP / 2
        if criterion := self._first if left else self._last if right else "":
            rank = int((where.y() - self.head + self.verticalScrollBar().value()) // self.row)
            return next((one for one, place in self.places[criterion].items() if place.rank == rank), "")
        away, nearest = min(((_distance(self.path(one), where), one) for one in self.columns), default=(math.inf, ""))
        return nearest if away <= NEAR else ""

    @property
    def _first(self) -> str:
        return next((name for name in self.criteria if name in self.places), "")

    @property
    def _last(self) -> str:
        return self.criteria[-1] if self.criteria and self.criteria[-1] in self.places else ""

    def _follow_height(self) -> None:
        bar, room = self.verticalScrollBar(), self.viewport().height() - self.head
        bar.setSingleStep(self.row)
        bar.setPageStep(max(room, self.row))
        bar.setRange(0, max(0, (len(self.columns) + (self.n_unusable > 0)) * self.row + 4 - room))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self.viewport()), theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.viewport().rect(), colours.card)
        highlighted = [name for name in (self.chosen, self.hovered) if name in self.columns]
        for column in self.columns:
            if column not in highlighted:
                self._paint_line(painter, column, theme.mix(colours.secondary, colours.card, 0.5), 1.5)
        for column in highlighted:
            self._paint_line(painter, column, colours.accent if column == self.chosen else colours.text, 3.0)
        self._paint_names(painter)
        for column in highlighted[-1:]:
            self._paint_gains(painter, column)
        self._paint_head(painter)

    def _paint_line(self, painter: QPainter, column: str, ink: QColor, width: float) -> None:
        points = self.path(column)
        painter.setPen(QPen(ink, width))
        if len(points) > 1:
            painter.drawPolyline(points)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        for point in points:
            painter.drawEllipse(point, DOT, DOT)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_names(self, painter: QPainter) -> None:
        colours, xs, wide = theme.current(), self.xs(), self._name_width()
        if not xs:
            return
        sides = [(self._first, RANK_WIDTH, RIGHT), (self._last, xs[-1] + GAP, LEFT)]
        for criterion, x, side in sides if self._named_twice() else sides[:1]:
            for column, place in self.places.get(criterion, {}).items():
                font = self._font(column in (self.chosen, self.hovered))
                painter.setFont(font)
                painter.setPen(colours.accent if column == self.chosen else colours.text)
                text = QFontMetrics(font).elidedText(column, Qt.TextElideMode.ElideMiddle, wide)
                painter.drawText(self._room(x, place.rank, wide), side, text)
        painter.setFont(self.font())
        painter.setPen(colours.secondary)
        for rank in range(len(self.columns)):
            painter.drawText(self._room(0, rank, RANK_WIDTH - 8), RIGHT, str(rank + 1))
        if self.n_unusable:
            text = tr("and {n} columns that cannot split here", n=self.n_unusable)
            text = tr("and 1 column that cannot split here") if self.n_unusable == 1 else text
            painter.drawText(self._room(RANK_WIDTH, len(self.columns), self.viewport().width()), LEFT, text)

    def _room(self, x: float, rank: int, wide: float) -> QRectF:
        return QRectF(x, self.row_y(rank) - self.row / 2, wide, self.row)

    def _paint_gains(self, painter: QPainter, column: str) -> None:
        colours, metrics, xs = theme.current(), QFontMetrics(self.font()), self.xs()
        room = xs[1] - xs[0] if len(xs) > 1 else math.inf
        for x, name in zip(xs, self.criteria, strict=True):
            place = self.places.get(name, {}).get(column)
            text = words.gain(place.gain) if place is not None else ""
            wide = metrics.horizontalAdvance(text) + 8
            if place is None or wide > room:
                continue
            spot = self._room(x - wide / 2, place.rank, wide).adjusted(0, 2, 0, -2)
            painter.fillRect(spot, colours.card)
            painter.setPen(colours.text)
            painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_head(self, painter: QPainter) -> None:
        colours = theme.current()
        painter.fillRect(QRectF(0, 0, self.viewport().width(), self.head), colours.card)
        xs = self.xs()
        room = (xs[1] - xs[0] if len(xs) > 1 else self.viewport().width()) - 6
        for j, (x, name) in enumerate(zip(xs, self.criteria, strict=True)):
            font = self._font(j == 0)
            painter.setFont(font)
            painter.setPen(colours.text if name in self.places else colours.secondary)
            text = tr(engine.CRITERIA[name].short) + ("" if name in self.places else " …")
            text = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, round(room))
            painter.drawText(QRectF(x - room / 2, 0, room, self.head), Qt.AlignmentFlag.AlignCenter, text)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.at(event.position()))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._follow_height()
        if event.type() == QEvent.Type.Leave:
            self._hover("")
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            column = self.at(QPointF(event.pos()))
            said = verbatim.tip(self.described(column)) if column else ""  # which hides it
            QToolTip.showText(event.globalPos() + QPoint(12, 8), said, self.viewport())
            return True
        return bool(super().viewportEvent(event))

    def _hover(self, column: str) -> None:
        if column != self.hovered:
            self.hovered = column
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if column else Qt.CursorShape.ArrowCursor)
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (column := self.at(event.position())) and event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(column)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if not step or not self.columns:
            super().keyPressEvent(event)
            return
        now = self.columns.index(self.chosen) if self.chosen in self.columns else -step
        self.picked.emit(self.columns[min(max(now + step, 0), len(self.columns) - 1)])


def _distance(path: list[QPointF], where: QPointF) -> float:
    """How far a place is above or below a line of dots."""
    for left, right in pairwise(path):
        if left.x() <= where.x() <= right.x():
            part = (where.x() - left.x()) / max(right.x() - left.x(), 1e-9)
            return abs(left.y() + part * (right.y() - left.y()) - where.y())
    return min((abs(p.y() - where.y()) + abs(p.x() - where.x()) for p in path), default=math.inf)
