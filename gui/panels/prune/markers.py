"""The trees that methods recommend, marked on the chart with their names: drawn in pixels, above everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QPainter, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from gui import theme
from gui.panels.prune.drawing import CHOICE, CHOSEN, Marker
from gui.panels.prune.labels import Box, place
from gui.widgets import plotting

if TYPE_CHECKING:
    from collections.abc import Sequence

RADIUS, CHOSEN_RADIUS = 5.0, 7.0  # pixels
REACH = 9.0  # how near the mouse has to come
NEAR = 16.0  # pixels; words farther away are tied to their point by a line
ROOM = 3.0  # around the words
SMALLER = 0.92  # than other words of the window
ABOVE = 50  # all that the plot draws


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
