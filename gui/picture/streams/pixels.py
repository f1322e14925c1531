"""What streams have below their words in the pixels of a screen: as Qt draws it on paper, and however many streams
there are, all of them are as high as their rows."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QPainter

from gui.picture.ground import pixels
from gui.picture.ground.pixels import scale_of
from gui.picture.ground.rounded_rectangles import KeptPlates
from gui.picture.streams.frame import StreamFrame
from gui.picture.streams.ribbons import LEAST_SHARE, STROKES, THREAD, colours_of, in_view, thread_lines


class Pixels(KeptPlates):
    """Streams, bars and blocks in pixels, and the plates over all of them."""

    def __init__(self, frame: StreamFrame, scale: float) -> None:
        """scale: pixels for each of the canvas."""
        super().__init__()
        self.frame = frame
        self._pixels = pixels.Pixels(frame.size, scale, frame.scene.theme.canvas)

    @classmethod
    def of(cls, painter: QPainter, frame: StreamFrame) -> "Pixels | None":
        """Those that a painter can show; None where there are none, see `scale_of`."""
        scale = scale_of(painter, paper=frame.scene.paper)
        return None if scale is None else cls(frame, scale)

    def streams(self, nodes: NDArray, faded: NDArray[np.bool_]) -> None:
        """The streams into some nodes, thin ones first.

        Args:
            faded: bool[k], which of them are drawn faded.
        """
        lines, heights, near = in_view(self.frame, nodes)
        nodes, faded = nodes[near], faded[near]
        order = np.argsort(heights, kind="stable")
        colours = colours_of(self.frame, nodes[order], faded[order])
        self._pixels.bands(lines[order], heights[order], colours, float(STROKES[0]))

    def strand(self, nodes: NDArray, shares: NDArray[np.float64], ink: QColor) -> None:
        """So much of the streams into some nodes, in their middle."""
        nodes = nodes[shares[nodes] > 0]
        lines, heights, near = in_view(self.frame, nodes)
        heights = np.maximum(heights * np.minimum(shares[nodes[near]], 1.0), LEAST_SHARE)
        self._pixels.bands(lines, heights, np.full(heights.size, ink.rgb(), np.uint32), float(STROKES[0]))

    def boxes(self, sides: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        self._pixels.boxes(sides, colours)

    def threads(self, nodes: NDArray) -> None:
        along, level, curved = thread_lines(self.frame, nodes)
        ink = self.frame.scene.theme.text.rgb()
        self._pixels.lines(along, np.full(len(along), THREAD), np.full(len(along), ink, np.uint32))
        lines = np.concatenate((level, curved))
        self._pixels.bands(lines, np.full(len(lines), THREAD), np.full(len(lines), ink, np.uint32), THREAD)

    def show(self, painter: QPainter) -> None:
        self.into(self._pixels)
        self._pixels.show(painter)
