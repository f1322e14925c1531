"""The bars of cards: shares of classes and the trough below them, box plots of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from gui.picture.shapes import fill_pixels, fill_rounded
from gui.theme import Theme, mix

if TYPE_CHECKING:
    from gui.picture.cards.scene import Scene

WHISKER = 1.5  # pixels, the line to where the whiskers end
BORDER, THIN_BORDER = 1.0, 0.75  # pixels, of the trough and of the box of a box plot
RIM = 2.0  # pixels around the bar; with one alone, a bar of the tile's own colour looks like an empty frame


def trough(painter: QPainter, bar: QRectF, look: Theme) -> None:
    """A light, thinly outlined trough below a bar, so that it is seen on a tile of its own colour."""
    rim = RIM + BORDER / 2
    box = bar.adjusted(-rim, -rim, rim, rim)
    fill_rounded(painter, box, box.height() / 2, look.card, look.border, BORDER)


def box_plot(painter: QPainter, bar: QRectF, at: Sequence[float], fill: QColor, look: Theme) -> None:
    """A small box plot on a bar: a line between the whiskers' ends, the middle half of the values, the median.

    Args:
        at: where in the bar, in pixels from its left, 5 %, 25 %, 50 %, 75 % and 95 % of the values end.
    """
    held = [bar.x() + min(max(place, 0.0), bar.width()) for place in at]
    low, left, middle, right, high = held
    line = QRectF(low, bar.center().y() - WHISKER / 2, max(high - low, 1.0), WHISKER)
    fill_rounded(painter, line, 0.0, mix(look.secondary, look.card, 0.25))
    box, half = QRectF(left, bar.y(), max(right - left, 2.0), bar.height()), THIN_BORDER / 2
    fill_rounded(painter, box.adjusted(-half, -half, half, half), 0.0, fill, look.secondary, THIN_BORDER)
    fill_rounded(painter, QRectF(middle - 1.0, bar.y() - 0.5, 2.0, bar.height() + 1.0), 0.0, look.text)


def class_bar(painter: QPainter, box: QRectF, ends: list[float], colours: Sequence[QColor], look: Theme) -> None:
    """The shares of the classes, side by side, rounded at both ends.

    Args:
        ends: where each class ends, from 0 to 1.
        colours: of the classes, in the same order.
    """
    there = [k for k in range(len(ends)) if ends[k] - (ends[k - 1] if k else 0.0) > 1e-12]
    if not there:
        fill_rounded(painter, box, 0.0, look.neutral)  # no rows
        return
    box = QRectF(box.toRect())  # so that the parts between the ends are whole pixels, which are filled more quickly
    x, width, round_end = box.x(), box.width(), box.height() / 2
    fill_rounded(painter, box, round_end, colours[there[-1]])
    if len(there) == 1:
        return
    first = QRectF(box)
    first.setWidth(min(max(2 * round_end, ends[there[0]] * width + round_end), width))
    fill_rounded(painter, first, round_end, colours[there[0]])
    stop = box.right() - round_end
    for k in there[1:]:
        start, end = x + (ends[k - 1] * width if k else 0.0), min(x + ends[k] * width, stop)
        if end > start:
            fill_pixels(painter, QRectF(start, box.y(), end - start, box.height()), colours[k])


def mean_bar(painter: QPainter, box: QRectF, scene: Scene, i: int, fill: QColor, look: Theme) -> None:
    """A box plot on the scale of what the root says ± two deviations; until it is known one deviation around what
    node i says."""
    mean, spread = scene.cards.rate, scene.spread
    round_end = box.height() / 2
    fill_rounded(painter, box, round_end, look.neutral)
    unit = box.width() / (4 * float(spread[0])) if spread[0] > 0 else 0.0
    five = scene.box_plot(i)
    if five is not None:
        box_plot(painter, box, (box.width() / 2 + (five - float(mean[0])) * unit).tolist(), fill, look)
    elif mean[i] == mean[i]:
        centre = box.center().x() + (float(mean[i]) - float(mean[0])) * unit
        low = max(centre - float(spread[i]) * unit, box.x())
        high = min(centre + float(spread[i]) * unit, box.right())
        low, high = min(low, box.right() - box.height()), max(high, box.x() + box.height())
        fill_rounded(painter, QRectF(low, box.y(), high - low, box.height()), round_end, fill)
        at = min(max(centre, box.x() + 1), box.right() - 1)
        dot = QRectF(at - round_end, box.y(), box.height(), box.height())
        fill_rounded(painter, dot.adjusted(0.5, 0.5, -0.5, -0.5), round_end - 0.5, look.text)


def tick(painter: QPainter, box: QRectF, x: float, zoom: float, look: Theme) -> None:
    """The root's rate, as a line across a bar."""
    reach = 2 * zoom
    fill_pixels(painter, QRectF(x - 0.5, box.y() - reach, max(1.0, zoom), box.height() + 2 * reach), look.text)
