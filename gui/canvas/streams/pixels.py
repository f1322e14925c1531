"""What streams have below their words in the pixels of a screen: as Qt draws it on paper, and however many streams
there are, all of them are as high as their rows."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QPainter

from gui.canvas.ground import pixels
from gui.canvas.ground.pixels import scale_of
from gui.canvas.streams.frame import StreamFrame
from gui.canvas.streams.ribbons import LEAST_SHARE, STROKES, colours_of, in_view


class Pixels(pixels.Pixels):
    """Streams, bars and blocks in pixels."""

    def __init__(self, frame: StreamFrame, scale: float) -> None:
        """scale: pixels for each of the canvas."""
        super().__init__(frame.size, scale, frame.scene.theme.canvas)
        self.frame = frame

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
        self.bands(lines[order], heights[order], colours, float(STROKES[0]))

    def strand(self, nodes: NDArray, shares: NDArray[np.float64], ink: QColor) -> None:
        """So much of the streams into some nodes, in their middle."""
        nodes = nodes[shares[nodes] > 0]
        lines, heights, near = in_view(self.frame, nodes)
        heights = np.maximum(heights * np.minimum(shares[nodes[near]], 1.0), LEAST_SHARE)
        self.bands(lines, heights, np.full(heights.size, ink.rgb(), np.uint32), float(STROKES[0]))
