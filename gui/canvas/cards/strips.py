"""Very many narrow rectangles on a screen: a row of pixels is put together once for all rows that are alike.

Qt fills a rectangle row by row, and each row of a narrow one lies elsewhere in memory. Subtrees as blocks begin and end
at few heights; between two of these all rows of the picture are the same.
"""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect
from PySide6.QtGui import QBrush, QImage, QPainter

FEWEST = 8  # rectangles for each height where some begin or end; with fewer, Qt is quicker


def paint_strips(painter: QPainter, rectangles: NDArray[np.float64], colours: NDArray[np.uint32], width: float) -> bool:
    """Paints rectangles without smooth edges, pixel for pixel as `QPainter.drawRects` does, later ones on top.

    Args:
        rectangles: float64[n, 4]: x, y, width, height.
        colours: uint32[n], opaque, as `QColor.rgb` tells them.
        width: how far to the right anything is seen.

    Returns:
        False where that is not quicker, or the painter turns what it paints; then nothing is painted.
    """
    placed = painter.deviceTransform()
    if not rectangles.size or placed.isRotating() or not placed.isAffine():
        return False
    left, right = _pixels(rectangles[:, 0], rectangles[:, 2], placed.m11(), placed.dx())
    top, bottom = _pixels(rectangles[:, 1], rectangles[:, 3], placed.m22(), placed.dy())
    heights = np.unique(np.concatenate((top, bottom)).clip(0))
    if heights.size * FEWEST > top.size:
        return False
    end = int(np.ceil(width * placed.m11() + placed.dx()))
    left, right, top = left.clip(0, end), right.clip(0, end), top.clip(0)
    wide = right - left
    owner = np.repeat(np.arange(top.size), wide)
    column = np.arange(owner.size) + np.repeat(left - np.concatenate(([0], np.cumsum(wide)[:-1])), wide)
    top, bottom, colours = top[owner], bottom[owner], colours[owner]
    painter.save()
    painter.setWorldTransform(placed.inverted()[0] * painter.worldTransform())  # pixels of the device
    for y, after in zip(heights[:-1].tolist(), heights[1:].tolist(), strict=True):
        here = (top <= y) & (bottom > y)
        row = np.zeros(end, np.uint32)
        row[column[here]] = colours[here]
        image = QImage(row.data, end, 1, row.nbytes, QImage.Format.Format_ARGB32_Premultiplied)
        painter.fillRect(QRect(0, y, end, after - y), QBrush(image))
    painter.restore()
    return True


def _pixels(
    low: NDArray[np.float64], length: NDArray[np.float64], scale: float, offset: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """From which pixel of the device on, and before which, a stretch is filled."""
    first, last = (np.floor(at * scale + offset + 0.5).astype(np.int64) for at in (low, low + length))
    return first, np.maximum(last, first)
