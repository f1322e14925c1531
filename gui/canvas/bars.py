"""What lies below the bars of classes, and the box plots of numbers."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from gui import theme

WHISKER = 1.5  # pixels, the line to where the whiskers end
RIM = 2.0  # pixels around the bar; with one alone, a bar of the tile's own colour looks like an empty frame


def trough(painter: QPainter, bar: QRectF, look: theme.Theme) -> None:
    """A light, thinly outlined trough below a bar, so that it is seen on a tile of its own colour."""
    box = bar.adjusted(-RIM, -RIM, RIM, RIM)
    painter.setPen(QPen(look.border, 1.0))
    painter.setBrush(look.card)
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)


def box_plot(painter: QPainter, bar: QRectF, at: Sequence[float], fill: QColor, look: theme.Theme) -> None:
    """A small box plot on a bar: a line between the whiskers' ends, the middle half of the values, the median.

    Args:
        at: where in the bar, in pixels from its left, 5 %, 25 %, 50 %, 75 % and 95 % of the values end.
    """
    held = [bar.x() + min(max(place, 0.0), bar.width()) for place in at]
    low, left, middle, right, high = held
    line = QRectF(low, bar.center().y() - WHISKER / 2, max(high - low, 1.0), WHISKER)
    painter.fillRect(line, theme.mix(look.secondary, look.card, 0.25))
    box = QRectF(left, bar.y(), max(right - left, 2.0), bar.height())
    painter.setPen(QPen(look.secondary, 0.75))
    painter.setBrush(fill)
    painter.drawRect(box)
    painter.fillRect(QRectF(middle - 1.0, bar.y() - 0.5, 2.0, bar.height() + 1.0), look.text)
