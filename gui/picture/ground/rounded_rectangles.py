"""Rounded rectangles, those behind words and the bars on them: painted by Qt, or kept until all are filled at once."""

from typing import Protocol

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gui.picture.ground.pixels import Pixels

PARTS = 6  # numbers of a plate, see `gui.picture.pixels.plates`


class Plates(Protocol):
    """What plates are painted on, later ones over earlier ones."""

    def plate(self, box: QRectF, radius: float, fill: QColor, ink: QColor | None = None, border: float = 0.0) -> None:
        """A rounded rectangle; its border lies inside of the box."""

    def fill(self, box: QRect, colour: QColor) -> None:
        """A rectangle of whole pixels."""


class PaintedPlates:
    """Plates that are painted at once."""

    def __init__(self, painter: QPainter) -> None:
        self._painter = painter

    def plate(self, box: QRectF, radius: float, fill: QColor, ink: QColor | None = None, border: float = 0.0) -> None:
        half = border / 2 if ink is not None else 0.0
        if ink is None:
            self._painter.setPen(Qt.PenStyle.NoPen)
        else:
            self._painter.setPen(QPen(ink, border))
        self._painter.setBrush(fill)
        radius = max(radius - half, 0.0)
        self._painter.drawRoundedRect(box.adjusted(half, half, -half, -half), radius, radius)

    def fill(self, box: QRect, colour: QColor) -> None:
        self._painter.fillRect(box, colour)


class KeptPlates:
    """Plates that are filled when all are known."""

    def __init__(self) -> None:
        self._plates: list[float] = []
        self._fills: list[int] = []
        self._inks: list[int] = []

    def plate(self, box: QRectF, radius: float, fill: QColor, ink: QColor | None = None, border: float = 0.0) -> None:
        self._plates += *box.getRect(), radius, border if ink is not None else 0.0
        self._fills.append(fill.rgb())
        self._inks.append((ink or fill).rgb())

    def fill(self, box: QRect, colour: QColor) -> None:
        self.plate(QRectF(box), 0.0, colour)

    def into(self, pixels: Pixels) -> None:
        """Fills them."""
        fills, inks = np.array(self._fills, np.uint32), np.array(self._inks, np.uint32)
        plates = np.array(self._plates).reshape(-1, PARTS)
        plates[:, 2:4] += plates[:, :2]  # the right and the lower side instead of how wide and high
        pixels.plates(plates, fills, inks)
