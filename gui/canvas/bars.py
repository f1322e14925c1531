"""What lies below the bars of classes."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from gui import theme

RIM = 2.0  # pixels around the bar; with one alone, a bar of the tile's own colour looks like an empty frame


def trough(painter: QPainter, bar: QRectF, look: theme.Theme) -> None:
    """A light, thinly outlined trough below a bar, so that it is seen on a tile of its own colour."""
    box = bar.adjusted(-RIM, -RIM, RIM, RIM)
    painter.setPen(QPen(look.border, 1.0))
    painter.setBrush(look.card)
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
