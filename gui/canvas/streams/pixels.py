"""What streams have below their words, filled straight into the pixels of a screen: as Qt draws it on paper, in a
quarter of the time, and however many streams there are all of them as high as their rows."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QTransform

from engine import pixels
from gui.canvas.streams.frame import StreamFrame
from gui.canvas.streams.ribbons import LEAST_SHARE, STROKES, colours_of, in_view

_kept = [np.zeros((0, 0), np.uint32)]  # of the picture before: new pixels cost more than all that fills them


class Pixels:
    """The pixels of one picture; all of them are canvas at first."""

    def __init__(self, frame: StreamFrame, scale: float) -> None:
        """scale: pixels for each of the canvas."""
        self.frame, self.scale = frame, scale
        sides = frame.size * scale
        shape = int(np.ceil(sides.height())), int(np.ceil(sides.width()))
        if _kept[0].shape != shape:  # only the thread of the window paints on screens
            _kept[0] = np.empty(shape, np.uint32)
        self._values = _kept[0]
        self._values.fill(frame.scene.theme.canvas.rgb())

    @classmethod
    def of(cls, painter: QPainter, frame: StreamFrame) -> "Pixels | None":
        """Those that a painter can show; None on paper, or as long as nothing is compiled that fills them."""
        engine, transform = painter.paintEngine(), painter.transform()
        scale = transform.m11()
        plain = scale > 0 and transform == QTransform.fromScale(scale, scale)
        raster = engine is not None and engine.type() == QPaintEngine.Type.Raster
        if frame.scene.paper or not (plain and raster and pixels.is_ready()):
            return None
        return cls(frame, scale * painter.device().devicePixelRatio())

    def streams(self, nodes: NDArray, faded: NDArray[np.bool_]) -> None:
        """The streams into some nodes, thin ones first.

        Args:
            faded: bool[k], which of them are drawn faded.
        """
        lines, heights, near = in_view(self.frame, nodes)
        nodes, faded = nodes[near], faded[near]
        order = np.argsort(heights, kind="stable")
        colours = colours_of(self.frame, nodes[order], faded[order])
        self._bands(lines[order], heights[order], colours)

    def strand(self, nodes: NDArray, shares: NDArray[np.float64], ink: QColor) -> None:
        """So much of the streams into some nodes, in their middle."""
        nodes = nodes[shares[nodes] > 0]
        lines, heights, near = in_view(self.frame, nodes)
        heights = np.maximum(heights * np.minimum(shares[nodes[near]], 1.0), LEAST_SHARE)
        self._bands(lines, heights, np.full(heights.size, ink.rgb(), np.uint32))

    def _bands(self, lines: NDArray[np.float64], heights: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        least = float(STROKES[0]) * self.scale
        pixels.bands(self._values, lines * self.scale, heights * self.scale, colours, least)

    def boxes(self, sides: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        """Rectangles as float64[n, 4]: left, upper, right, lower; uint32[n], 0xffRRGGBB."""
        pixels.boxes(self._values, sides * self.scale, colours)

    def show(self, painter: QPainter) -> None:
        """Paints them."""
        high, wide = self._values.shape
        image = QImage(self._values.data, wide, high, 4 * wide, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self.scale)
        painter.drawImage(QPointF(0, 0), image)
