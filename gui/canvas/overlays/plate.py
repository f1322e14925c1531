"""What lies on the canvas without a card of its own stands on a plate: nothing of the tree shows through."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gui.theme import Theme, mix

RADIUS = 8.0


def paint_plate(painter: QPainter, box: QRectF, look: Theme, *, edged: bool = True) -> None:
    """Paints a plate.

    Args:
        edged: with a thin edge, which tells it from the cards that it lies on.
    """
    inside = box.adjusted(0.5, 0.5, -0.5, -0.5) if edged else box
    painter.setPen(QPen(mix(look.canvas, look.border, 0.7), 1.0) if edged else Qt.PenStyle.NoPen)
    painter.setBrush(mix(look.canvas, look.card, 0.5))
    painter.drawRoundedRect(inside, RADIUS, RADIUS)
