"""The trees that methods recommend, marked on the chart with their names: these hide neither each other nor a
point, and as little of the curves as can be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QPainter, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from gui import theme
from gui.panels.prune.drawing import CHOICE, CHOSEN, Marker
from gui.widgets import plotting

GAP = 4.0  # pixels between two labels
FAR = 6  # rows of letters between a point and its words, at most
RADIUS, CHOSEN_RADIUS = 5.0, 7.0  # pixels
REACH = 9.0  # how near the mouse has to come
NEAR = 16.0  # pixels; words farther away are tied to their point by a line
ROOM = 3.0  # around the words
SMALLER = 0.92  # than other words of the window
ABOVE = 50  # all that the plot draws


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        """Whether the two overlap or come nearer than the gap."""
        return (
            self.left < other.right + gap and other.left < self.right + gap
            and self.top < other.bottom + gap and other.top < self.bottom + gap
        )  # fmt: skip

    def holds(self, other: Box) -> bool:
        """Whether the other lies inside."""
        return (
            self.left <= other.left and self.top <= other.top
            and other.right <= self.right and other.bottom <= self.bottom
        )  # fmt: skip


def place(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    area: Box,
    radius: float = 7.0,
    taken: Sequence[Box] = (),
    curves: NDArray[np.float64] | None = None,
) -> list[Box | None]:
    """A place for the words of each point; None where there is no room. Earlier points have the first choice.

    Args:
        points: the middle of each point.
        sizes: width and height of its words.
        area: all words stay inside.
        radius: of the points; no words stand on one.
        taken: where other things stand.
        curves: float64[·, 2], points along the curves; of the places that are free the nearest that hides none of them
            is taken, or else the one that hides fewest.
    """
    spots = [*taken, *(Box(x - radius, y - radius, x + radius, y + radius) for x, y in points)]
    placed: list[Box | None] = []
    for (x, y), (width, height) in zip(points, sizes, strict=True):
        free = (
            box
            for box in _places(x, y, width, height, radius)
            if area.holds(box)
            and not any(box.meets(spot) for spot in spots)
            and not any(box.meets(other, GAP) for other in placed if other is not None)
        )
        placed.append(next(free, None) if curves is None else _least_hiding(free, curves))
    return placed


def _least_hiding(free: Iterable[Box], curves: NDArray[np.float64]) -> Box | None:
    """The first place that hides fewest points."""
    best, least, (x, y) = None, math.inf, curves.T
    for box in free:
        hidden = int(((box.left <= x) & (x <= box.right) & (box.top <= y) & (y <= box.bottom)).sum())
        if hidden < least:
            best, least = box, hidden
        if not hidden:
            break
    return best


def _places(x: float, y: float, width: float, height: float, radius: float) -> Iterator[Box]:
    """Where words may stand, the nearest first: right of the point and left of it, above and below."""
    aside, row = radius + 3, height + GAP
    for far in range(FAR + 1):
        for up in (True, False):
            top = y - radius - height - far * row if up else y + radius + far * row
            if far == 0:
                middle = y - height / 2
                yield Box(x + aside, middle, x + aside + width, middle + height)
                yield Box(x - aside - width, middle, x - aside, middle + height)
            for left in (x + aside / 2, x - aside / 2 - width, x - width / 2, x + 5 * aside, x - 5 * aside - width):
                yield Box(left, top, left + width, top + height)


class Markers(QGraphicsItem):
    """All markers of one chart."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(ABOVE)
        self._area = QRectF()
        self._markers: tuple[Marker, ...] = ()
        self._spots: list[QPointF] = []
        self.labels: list[Box | None] = []

    def arrange(
        self, markers: tuple[Marker, ...], spots: Sequence[QPointF], area: QRectF, taken: Sequence[QRectF] = (),
        curves: NDArray[np.float64] | None = None,
    ) -> None:  # fmt: skip
        """Places the markers at these points of the scene, and their words beside them, inside of an area; `taken` is
        where other words stand, `curves` what they had better not hide, as in `place`."""
        self.prepareGeometryChange()
        inside = [area.contains(spot) for spot in spots]
        self._markers = tuple(marker for marker, seen in zip(markers, inside, strict=True) if seen)
        self._spots = [spot for spot, seen in zip(spots, inside, strict=True) if seen]
        self._area = area
        sizes = [self._size(marker) for marker in self._markers]
        points = [(spot.x(), spot.y()) for spot in self._spots]
        self.labels = place(points, sizes, _box(area), CHOSEN_RADIUS + 1, [_box(one) for one in taken], curves)
        self.update()

    def at(self, where: QPointF) -> Marker | None:
        """The marker at a point of the scene, or the one whose words stand there."""
        for marker, spot, label in zip(self._markers, self._spots, self.labels, strict=True):
            if label is not None and Box(where.x(), where.y(), where.x(), where.y()).meets(label):
                return marker
            if (where - spot).manhattanLength() <= REACH:
                return marker
        return None

    def spot(self, marker: Marker) -> QPointF | None:
        """Where a marker stands in the scene; None outside of the axes."""
        return next((spot for one, spot in zip(self._markers, self._spots, strict=True) if one is marker), None)

    def boundingRect(self) -> QRectF:
        return self._area

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        drawn = list(zip(self._markers, self._spots, self.labels, strict=True))
        for _, spot, label in drawn:
            if label is not None:
                self._tie(painter, spot, label)
        for marker, spot, _ in reversed(drawn):  # the chosen one, which is the first, on top
            self._mark(painter, marker, spot)
        for marker, _, label in drawn:
            if label is not None:
                self._write(painter, marker, label)

    def _font(self, marker: Marker) -> QFont:
        font = QFont(QGuiApplication.font())
        font.setPointSizeF(font.pointSizeF() * SMALLER)
        font.setBold(marker.kind == CHOSEN)
        return font

    def _size(self, marker: Marker) -> tuple[float, float]:
        metrics = QFontMetricsF(self._font(marker))
        return metrics.horizontalAdvance(marker.label) + 2 * ROOM, metrics.height()

    def _tie(self, painter: QPainter, spot: QPointF, label: Box) -> None:
        near = QPointF(min(max(spot.x(), label.left), label.right), min(max(spot.y(), label.top), label.bottom))
        if (near - spot).manhattanLength() > NEAR:
            painter.setPen(plotting.pen(theme.current().secondary, 1))
            painter.drawLine(spot, near)

    def _mark(self, painter: QPainter, marker: Marker, spot: QPointF) -> None:
        colours = theme.current()
        size = CHOSEN_RADIUS if marker.kind == CHOSEN else RADIUS
        painter.setPen(plotting.pen(colours.card if marker.kind == CHOSEN else colours.text, 1.5))
        painter.setBrush(plotting.brush(colours.accent if marker.kind == CHOSEN else colours.card))
        if marker.kind in (CHOSEN, CHOICE):
            corners = ((0, -size), (size, 0), (0, size), (-size, 0))
            painter.drawPolygon(QPolygonF([spot + QPointF(x, y) for x, y in corners]))
        else:
            painter.setPen(plotting.pen(colours.positive, 1.5))
            painter.drawPolygon(QPolygonF([spot + QPointF(x, y) for x, y in ((-size, -4), (size, -4), (0, 5))]))

    def _write(self, painter: QPainter, marker: Marker, label: Box) -> None:
        colours = theme.current()
        box = QRectF(QPointF(label.left, label.top), QPointF(label.right, label.bottom))
        veil = QColor(colours.card)
        veil.setAlpha(215)  # what runs behind the words is still there
        painter.fillRect(box, veil)
        painter.setFont(self._font(marker))
        painter.setPen(QColor(colours.text))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), marker.label)


def _box(area: QRectF) -> Box:
    return Box(area.left(), area.top(), area.right(), area.bottom())
