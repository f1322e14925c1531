"""What cards have below their words, in the order in which it lies there: straight edges into boxes, boxes, edges into
cards, then plates. In the pixels of a screen, or by Qt's painter: on paper, and until pixels can be filled."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gui.picture.cards.edges import Edge, paint_band, stroke_width
from gui.picture.ground.pixels import Pixels, scale_of
from gui.picture.ground.rounded_rectangles import KeptPlates, PaintedPlates, Plates
from gui.picture.ground.runs import runs

MOST_SMOOTH = 1_500  # so many straight lines may be smooth where Qt draws them


class Ground(Plates, Protocol):
    """What the parts of a picture are drawn on; plates after all others."""

    def lines(self, lines: NDArray[np.float64], widths: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        """Straight edges as float64[n, 4]: x, y, x, y; float64[n], how wide; uint32[n], 0xffRRGGBB."""

    def boxes(self, boxes: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        """Rectangles as float64[n, 4]: x, y, width, height; uint32[n], 0xffRRGGBB."""

    def band(self, edge: Edge, above: float, below: float, colour: QColor) -> None:
        """A curved edge, so many pixels wide at its ends."""

    def show(self, painter: QPainter) -> None:
        """Paints what is not painted yet."""


def ground_of(painter: QPainter, size: tuple[float, float], canvas: QColor, *, paper: bool) -> CardPixels | CardShapes:
    """What a painter can show of a picture of this size on a canvas of one colour."""
    scale = scale_of(painter, paper=paper)
    return CardShapes(painter, paper=paper) if scale is None else CardPixels(QSizeF(*size), scale, canvas)


class CardPixels(KeptPlates):
    """In pixels: the curved edges and the plates when all of them are known."""

    def __init__(self, size: QSizeF, scale: float, canvas: QColor) -> None:
        super().__init__()
        self.pixels = Pixels(size, scale, canvas)
        self._edges: list[Edge] = []
        self._widths: list[tuple[float, float, float]] = []
        self._colours: list[int] = []

    def lines(self, lines: NDArray[np.float64], widths: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        order = np.argsort(widths, kind="stable")  # the wide ones are above the others
        self.pixels.lines(lines[order], widths[order], colours[order])

    def boxes(self, boxes: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        self.pixels.boxes(np.column_stack((boxes[:, :2], boxes[:, :2] + boxes[:, 2:])), colours)

    def band(self, edge: Edge, above: float, below: float, colour: QColor) -> None:
        stroke = stroke_width(edge, above, below)
        self._edges.append(edge)
        self._widths.append((above, below, 0.0) if stroke is None else (stroke, stroke, stroke))
        self._colours.append(colour.rgb())

    def show(self, painter: QPainter) -> None:
        if self._edges:
            self.pixels.edges(np.array(self._edges), np.array(self._widths), np.array(self._colours, np.uint32))
        self.into(self.pixels)
        self.pixels.show(painter)


class CardShapes(PaintedPlates):
    """By Qt's painter, at once."""

    def __init__(self, painter: QPainter, *, paper: bool) -> None:
        super().__init__(painter)
        self._paper = paper

    def lines(self, lines: NDArray[np.float64], widths: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        """One call of the painter for all that are alike in colour and width."""
        order, painter = np.lexsort((colours, widths)), self._painter
        lines, widths, colours = np.ascontiguousarray(lines[order]), widths[order], colours[order]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, self._paper or len(lines) < MOST_SMOOTH)
        for start, stop in runs(colours, widths):
            painter.setPen(QPen(QColor(int(colours[start])), float(widths[start])))
            painter.drawLines(shiboken6.wrapInstance(lines.ctypes.data + 32 * start, QLineF), stop - start)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def boxes(self, boxes: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        """One call of the painter for each colour."""
        order, painter = np.argsort(colours, kind="stable"), self._painter
        boxes, colours = np.ascontiguousarray(boxes[order]), colours[order]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        for start, stop in runs(colours):
            painter.setBrush(QColor(int(colours[start])))
            painter.drawRects(shiboken6.wrapInstance(boxes.ctypes.data + 32 * start, QRectF), stop - start)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def band(self, edge: Edge, above: float, below: float, colour: QColor) -> None:
        paint_band(self._painter, edge, above, below, colour)

    def show(self, painter: QPainter) -> None:
        """Nothing is left to be painted."""
