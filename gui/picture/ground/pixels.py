"""What a picture has below its words, filled straight into the pixels of a screen: in a quarter of the time that Qt's
painter takes."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSizeF
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QTransform

from gui.picture import pixels

_kept = [np.zeros((0, 0), np.uint32)]  # of the picture before: new pixels cost more than all that fills them


def scale_of(painter: QPainter, *, paper: bool) -> float | None:
    """How many pixels a painter has for each of the canvas; None where it cannot show such pixels: on paper, where it
    turns what it paints, and as long as nothing is compiled that fills them."""
    engine, transform = painter.paintEngine(), painter.transform()
    scale = transform.m11()
    plain = scale > 0 and transform == QTransform.fromScale(scale, scale)
    raster = engine is not None and engine.type() == QPaintEngine.Type.Raster
    if paper or not (plain and raster and pixels.is_ready()):
        return None
    return scale * float(painter.device().devicePixelRatio())


class Pixels:
    """The pixels of one picture, all of one colour at first. Places and lengths are told in pixels of the canvas."""

    def __init__(self, size: QSizeF, scale: float, canvas: QColor) -> None:
        """scale: pixels for each of the canvas."""
        self.scale = scale
        sides = size * scale
        shape = int(np.ceil(sides.height())), int(np.ceil(sides.width()))
        if _kept[0].shape != shape:  # only the thread of the window paints on screens
            _kept[0] = np.empty(shape, np.uint32)
        self._values = _kept[0]
        self._values.fill(canvas.rgb())

    def boxes(self, sides: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        """Rectangles as float64[n, 4]: left, upper, right, lower; uint32[n], 0xffRRGGBB."""
        pixels.boxes(self._values, sides * self.scale, colours)

    def bands(
        self, lines: NDArray[np.float64], heights: NDArray[np.float64], colours: NDArray[np.uint32], least: float
    ) -> None:
        """See `gui.picture.pixels.bands`."""
        pixels.bands(self._values, lines * self.scale, heights * self.scale, colours, least * self.scale)

    def edges(self, lines: NDArray[np.float64], widths: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        """See `gui.picture.pixels.edges`."""
        pixels.edges(self._values, lines * self.scale, widths * self.scale, colours)

    def lines(self, lines: NDArray[np.float64], widths: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        """See `gui.picture.pixels.lines`."""
        pixels.lines(self._values, lines * self.scale, widths * self.scale, colours)

    def plates(self, plates: NDArray[np.float64], fills: NDArray[np.uint32], inks: NDArray[np.uint32]) -> None:
        """See `gui.picture.pixels.plates`."""
        pixels.plates(self._values, plates * self.scale, fills, inks)

    def show(self, painter: QPainter) -> None:
        """Paints them."""
        high, wide = self._values.shape
        image = QImage(self._values.data, wide, high, 4 * wide, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self.scale)
        painter.drawImage(QPointF(0, 0), image)
