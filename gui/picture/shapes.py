"""What pictures of all kinds draw: many rectangles and lines in one call of Qt's painter, rounded rectangles, rings."""

from itertools import pairwise
from typing import cast

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gui.theme import Theme, mix

REACH = 3_000.0  # shapes end so far outside of the view: Qt's raster engine knows no larger coordinates
MOST_SMOOTH_RINGS = 400  # so many rings may be smooth
RINGED = 2.0  # the width of rings
LEAST_RING = 9.0  # pixels; no ring is smaller
OVERLAY_RADIUS = 8.0


def draw_rectangles(painter: QPainter, boxes: NDArray[np.float64]) -> None:
    """Draws float64[n, 4]: x, y, width, height, as the pen and the brush say."""
    if len(boxes):
        boxes = np.ascontiguousarray(boxes, np.float64)
        painter.drawRects(cast("QRectF", shiboken6.wrapInstance(boxes.ctypes.data, QRectF)), len(boxes))


def draw_lines(painter: QPainter, lines: NDArray[np.float64]) -> None:
    """Draws float64[n, 4]: x, y, x, y, as the pen says."""
    if len(lines):
        lines = np.ascontiguousarray(lines, np.float64)
        painter.drawLines(cast("QLineF", shiboken6.wrapInstance(lines.ctypes.data, QLineF)), len(lines))


def fill_rectangles(painter: QPainter, boxes: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
    """Fills float64[n, 4]: x, y, width, height; uint32[n], 0xffRRGGBB. One call of the painter for each colour."""
    order = np.argsort(colours, kind="stable")
    boxes, colours = boxes[order], colours[order]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    at, size = boxes.ctypes.data, boxes.strides[0]
    for start, stop in runs(colours):
        painter.setBrush(QColor(int(colours[start])))
        painter.drawRects(cast("QRectF", shiboken6.wrapInstance(at + start * size, QRectF)), stop - start)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def runs(*keys: NDArray) -> list[tuple[int, int]]:
    """Start and stop of each run of equal keys, all of the same length: one call of the painter is enough for it."""
    if not keys[0].size:
        return []
    changes = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    bounds = np.concatenate(([0], np.flatnonzero(changes) + 1, [keys[0].size])).tolist()
    return list(pairwise(bounds))


def draw_rings(painter: QPainter, colour: QColor, rings: NDArray[np.float64]) -> None:
    """Frames as float64[n, 4]: x, y, width, height; very many of them thinner, for wide strokes take long."""
    many = len(rings) >= MOST_SMOOTH_RINGS
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not many)
    painter.setPen(QPen(colour, 1.0 if many else RINGED))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    draw_rectangles(painter, rings)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def fill_rounded(
    painter: QPainter, box: QRectF, radius: float, fill: QColor, border: QColor | None = None, thick: float = 0.0
) -> None:
    """A rounded rectangle; its border lies inside of the box."""
    half = thick / 2 if border is not None else 0.0
    painter.setPen(QPen(border, thick) if border is not None else Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    radius = max(radius - half, 0.0)
    painter.drawRoundedRect(box.adjusted(half, half, -half, -half), radius, radius)


def fill_pixels(painter: QPainter, box: QRectF, colour: QColor) -> None:
    """A rectangle of whole pixels, which are filled ten times as quickly."""
    painter.fillRect(box.toRect(), colour)


def paint_overlay_plate(painter: QPainter, box: QRectF, look: Theme, *, edged: bool = True) -> None:
    """The plate of what lies on the canvas without a card of its own; a thin edge tells it from cards below."""
    inside = box.adjusted(0.5, 0.5, -0.5, -0.5) if edged else box
    painter.setPen(QPen(mix(look.canvas, look.border, 0.7), 1.0) if edged else Qt.PenStyle.NoPen)
    painter.setBrush(mix(look.canvas, look.card, 0.5))
    painter.drawRoundedRect(inside, OVERLAY_RADIUS, OVERLAY_RADIUS)
