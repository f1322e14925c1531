"""The streams of a screen, filled straight into its pixels: as `gui.canvas.streams.ribbons` draws them, in a fifth of
the time, and however many there are all of them as high as their rows."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QTransform

from engine import bands
from gui.canvas.standouts.emphasis import NOTHING
from gui.canvas.streams.frame import StreamFrame
from gui.canvas.streams.ribbons import LEAST_SHARE, STROKES, in_view


def pixels_of(painter: QPainter) -> float:
    """How many pixels of what is painted on make one of the canvas; 0 where streams cannot be filled into them."""
    transform, engine = painter.transform(), painter.paintEngine()
    scale = transform.m11()
    plain = scale > 0 and transform == QTransform.fromScale(scale, scale)
    if not plain or engine is None or engine.type() != QPaintEngine.Type.Raster:
        return 0.0
    return scale * painter.device().devicePixelRatio()


def paint_pixels(painter: QPainter, frame: StreamFrame, nodes: NDArray, faded: NDArray[np.bool_], scale: float) -> None:
    """The streams into some nodes, thin ones first, and the part of them that stands out; all else is canvas.

    Args:
        faded: bool[k], which of them are drawn faded.
        scale: pixels for each of the canvas.
    """
    scene, size = frame.scene, frame.size * scale
    shape = int(np.ceil(size.height())), int(np.ceil(size.width()))
    pixels = _blank(shape, scene.theme.canvas)
    lines, heights, near = in_view(frame, nodes)
    nodes, faded = nodes[near], faded[near]
    order = np.argsort(heights, kind="stable")
    colours = _colours(frame, nodes[order], faded[order])
    bands.fill(pixels, lines[order] * scale, heights[order] * scale, colours, float(STROKES[0]) * scale)
    for shares, ink in (scene.emphasis or NOTHING).strands(scene.theme):
        _fill_strand(pixels, nodes, lines, heights, shares, ink, scale)
    image = QImage(pixels.data, shape[1], shape[0], 4 * shape[1], QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    painter.drawImage(QPointF(0, 0), image)


_kept = [np.zeros((0, 0), np.uint32)]  # the pixels of the picture before: new ones cost more than all that fills them


def _blank(shape: tuple[int, int], canvas: QColor) -> NDArray[np.uint32]:
    """uint32[high, wide], all of one colour; those of the picture before where they are as many. Only the thread of
    the window paints on screens."""
    if _kept[0].shape != shape:
        _kept[0] = np.empty(shape, np.uint32)
    _kept[0].fill(canvas.rgb())
    return _kept[0]


def _colours(frame: StreamFrame, nodes: NDArray, faded: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """uint32[k]: the colours of the streams into some nodes."""
    scene = frame.scene
    _, first, which = np.unique(2 * scene.colours.shade[nodes] + faded, return_index=True, return_inverse=True)
    some = zip(nodes[first].tolist(), faded[first].tolist(), strict=True)
    rgb = [(scene.faded_colours if pale else scene.colours).ribbon(i).rgb() for i, pale in some]
    return np.array(rgb, np.uint32)[which]


def _fill_strand(
    pixels: NDArray[np.uint32],
    nodes: NDArray,
    lines: NDArray[np.float64],
    heights: NDArray[np.float64],
    shares: NDArray[np.float64],
    ink: QColor,
    scale: float,
) -> None:
    """So much of each stream, in its middle."""
    some = np.flatnonzero(shares[nodes] > 0)
    heights = np.maximum(heights[some] * np.minimum(shares[nodes[some]], 1.0), LEAST_SHARE)
    colours = np.full(some.size, ink.rgb(), np.uint32)
    bands.fill(pixels, lines[some] * scale, heights * scale, colours, float(STROKES[0]) * scale)
