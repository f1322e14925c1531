"""The shape of an edge between two cards: it leaves and arrives upright, and narrows where cards are smaller below."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

STEEP, FLAT = 5.0, 0.4  # edges so many times wider than high are strokes of that share of their width
THINNEST, THIN = 1.5, 2.0  # pixels; no edge is thinner, and thin ones are strokes

Edge = tuple[float, float, float, float]  # its middle, from x, y to x, y


def stroke_width(edge: Edge, above: float, below: float) -> float | None:
    """How wide the stroke is that an edge is drawn with: a thin one, and a nearly level one, for the sides of a filled
    shape would run together there; None of others.

    Args:
        above, below: pixels that it is wide at its ends.
    """
    x0, y0, x1, y1 = edge
    thin = above <= THIN
    if not thin and abs(x1 - x0) <= STEEP * abs(y1 - y0):
        return None
    return max(THINNEST, (max(THINNEST, above) + max(THINNEST, below)) * (0.5 if thin else 0.5 * FLAT))


def paint_band(painter: QPainter, edge: Edge, above: float, below: float, colour: QColor) -> None:
    """An edge in one colour; args as of `stroke_width`."""
    x0, y0, x1, y1 = edge
    stroke, middle = stroke_width(edge, above, below), (y0 + y1) / 2
    if stroke is not None:
        path = QPainterPath(QPointF(x0, y0))
        path.cubicTo(x0, middle, x1, middle, x1, y1)
        painter.strokePath(path, QPen(colour, stroke))
        return
    above, below = above / 2, max(THINNEST, below) / 2
    path = QPainterPath(QPointF(x0 - above, y0))
    path.cubicTo(x0 - above, middle, x1 - below, middle, x1 - below, y1)
    path.lineTo(x1 + below, y1)
    path.cubicTo(x1 + below, middle, x0 + above, middle, x0 + above, y0)
    painter.fillPath(path, colour)
