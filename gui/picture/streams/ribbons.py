"""Streams, which a kernel fills on a screen and Qt draws elsewhere; bars; whole subtrees as blocks."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPainterPath, QPen

from gui.picture.emphasis import NOTHING
from gui.picture.levels import kernels
from gui.picture.shapes import REACH, draw_lines, fill_rectangles
from gui.picture.streams.frame import StreamFrame

BAND, THINNEST = 2.5, 1.0  # pixels; what Qt draws of lower streams is a line; none is thinner
UNDER = 1.0  # pixels of a stream below the bars at its ends
MOST_SMOOTH = 2_000  # so many pieces may be smooth
THREAD, THREAD_STEP, MOST_STEPS = 1.5, 4.0, 32  # the line through streams: its width; the pieces of each curve
LEAST_SHARE = 1.5  # pixels; a part that stands out is never thinner
DARKER = 0.45  # of the text's colour in bars that have no classes to show
DIVIDED = 4.0  # pixels; lower bars are not divided by class
STRIP = 0.3  # of a bar's width: where it shows how much of it stands out


def ends(frame: StreamFrame, nodes: NDArray) -> NDArray[np.float64]:
    """float64[n, 4]: the middle of the streams into some nodes where they begin and where they end: x, y, x, y."""
    places, level = frame.places, frame.scene.levels.level[nodes]
    x1 = frame.left(level)
    y0, y1 = (frame.camera.y + at[nodes] * frame.sy for at in (places.begins, places.y))
    # They reach below the bars, so that no gap shows between.
    return np.column_stack((x1 - frame.pitch + frame.bar - UNDER, y0, x1 + UNDER, y1))


def paint_ribbons(painter: QPainter, frame: StreamFrame, nodes: NDArray, faded: NDArray[np.bool_]) -> None:
    """The streams into some nodes, the root not among them, bool[k] of them faded: thin ones first."""
    lines, heights, near = in_view(frame, nodes)
    _paint_bands(painter, frame, lines, heights, frame.scene.ribbon_colours(nodes[near], faded[near]))


def _paint_bands(painter: QPainter, frame: StreamFrame, lines: NDArray, heights: NDArray, colours: NDArray) -> None:
    """Bands between `ends`, float64[k] as high, uint32[k], 0xffRRGGBB: by the kernel once it is compiled."""
    order = np.argsort(heights, kind="stable")
    lines, heights, colours = lines[order], heights[order], colours[order]
    transform, engine = painter.deviceTransform(), painter.paintEngine()
    plain = not transform.isRotating() and transform.m11() == transform.m22() > 0
    raster = plain and engine is not None and engine.type() == QPaintEngine.Type.Raster
    if raster and not frame.scene.paper and getattr(kernels().fill_bands, "signatures", None):
        _fill_bands(painter, frame, lines, heights, colours)
        return
    for (x0, y0, x1, y1), height, colour in zip(lines.tolist(), heights.tolist(), colours.tolist(), strict=True):
        if height >= BAND or _reaches_far(frame, y0, y1, height):
            painter.fillPath(band(frame, x0, y0, x1, y1, max(height, THINNEST)), QColor(colour))
        else:
            path, middle = QPainterPath(QPointF(x0, y0)), (x0 + x1) / 2
            path.cubicTo(middle, y0, middle, y1, x1, y1)
            pen = QPen(QColor(colour), max(height, THINNEST))
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.strokePath(path, pen)


@lru_cache(maxsize=2)
def _pixels(high: int, wide: int) -> NDArray[np.uint32]:
    """Of the picture before: new memory costs more than filling it. Only the window's thread paints on screens."""
    return np.empty((high, wide), np.uint32)


def _fill_bands(painter: QPainter, frame: StreamFrame, lines: NDArray, heights: NDArray, colours: NDArray) -> None:
    """Streams in the pixels of a screen: a fifth of the time that Qt takes for them."""
    scale = painter.deviceTransform().m11()
    wide, high = (int(np.ceil(side * scale)) for side in frame.size.toTuple())
    pixels = _pixels(high, wide)
    pixels.fill(0)
    kernels().fill_bands(pixels, lines * scale, heights * scale, colours, DOWN, THINNEST * scale)
    image = QImage(pixels.data, wide, high, 4 * wide, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    painter.drawImage(QPointF(0, 0), image)


def in_view(frame: StreamFrame, nodes: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """(float64[k, 4] the `ends`, float64[k] the heights of the streams in view, bool[n] which of all they are)."""
    lines, heights = ends(frame, nodes), frame.places.heights[nodes] * frame.sy
    half = heights / 2 + THINNEST
    near = (lines[:, 2] >= 0) & (lines[:, 0] <= frame.size.width())
    near &= np.maximum(lines[:, 1], lines[:, 3]) + half >= 0
    near &= np.minimum(lines[:, 1], lines[:, 3]) - half <= frame.size.height()
    return lines[near], heights[near], near


def paint_strand(painter: QPainter, frame: StreamFrame, nodes: NDArray, shares: NDArray, ink: QColor) -> None:
    """A part of the streams into some nodes, in their middle; float64[n_nodes], how much of each."""
    nodes = nodes[shares[nodes] > 0]
    lines, heights, near = in_view(frame, nodes)
    heights = np.maximum(heights * np.minimum(shares[nodes[near]], 1.0), LEAST_SHARE)
    _paint_bands(painter, frame, lines, heights, np.full(heights.size, ink.rgb(), np.uint32))


def fill_sides(painter: QPainter, frame: StreamFrame, sides: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
    """Rectangles as float64[k, 4]: left, upper, right, lower; uint32[k], 0xffRRGGBB."""
    fill_rectangles(painter, corners(frame, *sides[:, [0, 2, 1, 3]].T), colours)


def corners(frame: StreamFrame, x: NDArray, right: NDArray, low: NDArray, high: NDArray) -> NDArray[np.float64]:
    """float64[n, 4]: rectangles as Qt keeps them, cut off far outside of the view."""
    x, right, low, high = frame.cut_x(x), frame.cut_x(right), frame.cut_y(low), frame.cut_y(high)
    return np.column_stack((x, low, right - x, high - low))


def curve(lines: NDArray, steps: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """float64[n, steps + 1] twice: points on the curves between two ends that leave and arrive level."""
    t = np.linspace(0.0, 1.0, steps + 1)
    across, down = 1.5 * t * (1 - t) + t**3, t * t * (3 - 2 * t)
    x0, y0, x1, y1 = lines.T[:, :, None]
    return x0 + (x1 - x0) * across, y0 + (y1 - y0) * down


# how far down curves are on their way across, for the kernel
DOWN = np.interp(np.linspace(0.0, 1.0, 1_025), *(way[0] for way in curve(np.array([[0.0, 0.0, 1.0, 1.0]]), 4_096)))


def _reaches_far(frame: StreamFrame, y0: float, y1: float, height: float) -> bool:
    """Whether a stream reaches far out of the view: Qt's raster engine knows no such coordinates."""
    return min(y0, y1) - height / 2 < -REACH or max(y0, y1) + height / 2 > frame.size.height() + REACH


def band(frame: StreamFrame, x0: float, y0: float, x1: float, y1: float, height: float) -> QPainterPath:
    """A stream of one height between two places."""
    half, middle = height / 2, (x0 + x1) / 2
    if _reaches_far(frame, y0, y1, height):
        return _broken(frame, np.array([[x0, y0 - half, x1, y1 - half], [x0, y0 + half, x1, y1 + half]]))
    path = QPainterPath(QPointF(x0, y0 - half))
    path.cubicTo(middle, y0 - half, middle, y1 - half, x1, y1 - half)
    path.lineTo(x1, y1 + half)
    path.cubicTo(middle, y1 + half, middle, y0 + half, x0, y0 + half)
    path.closeSubpath()
    return path


def _broken(frame: StreamFrame, sides: NDArray) -> QPainterPath:
    """A band that reaches far out of the view, in straight pieces, cut off."""
    x, y = curve(sides, 60)
    points = np.stack((frame.cut_x(x), frame.cut_y(y)), axis=2)
    path = QPainterPath()
    path.addPolygon([QPointF(*corner) for corner in (*points[0].tolist(), *points[1, ::-1].tolist())])
    path.closeSubpath()
    return path


def paint_threads(painter: QPainter, frame: StreamFrame, nodes: NDArray) -> None:
    """The line that marks the ways into some nodes, not the root: along the parents' bars and through the streams."""
    if not nodes.size:
        return
    x0, y0, x1, y1 = ends(frame, nodes).T
    x0, x1, y0, y1 = frame.cut_x(x0), frame.cut_x(x1), frame.cut_y(y0), frame.cut_y(y1)
    above = frame.cut_y(frame.camera.y + frame.places.y[frame.scene.tree.parent[nodes]] * frame.sy)
    middle = x0 - frame.bar / 2
    along = np.column_stack((middle, above, middle, y0))
    level = np.column_stack((middle, y0, x0, y0)), np.column_stack((x1, y1, x1 + frame.bar / 2, y1))
    steps = int(np.clip(np.ceil((frame.pitch - frame.bar) / THREAD_STEP), 1, MOST_STEPS))
    x, y = curve(np.column_stack((x0, y0, x1, y1)), steps)
    curved = np.stack((x[:, :-1], y[:, :-1], x[:, 1:], y[:, 1:]), axis=2).reshape(-1, 4)
    pieces = np.concatenate((along, *level, curved))
    painter.setPen(QPen(frame.scene.theme.text, THREAD))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(pieces) < MOST_SMOOTH)
    draw_lines(painter, pieces)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def paint_blocks(painter: QPainter, frame: StreamFrame, nodes: NDArray, faded: NDArray[np.bool_]) -> None:
    """Whole subtrees as rectangles from the bar of their root to their deepest column."""
    places = frame.places
    x, right = frame.left(frame.scene.levels.level[nodes]), frame.left(places.deepest[nodes]) + frame.bar
    low, high = (frame.camera.y + side[nodes] * frame.sy for side in (places.inner_low, places.inner_high))
    sides = np.column_stack((x, low, right, np.maximum(high, low + 1.0)))
    fill_sides(painter, frame, sides, frame.scene.ribbon_colours(nodes, faded))


def paint_bars(painter: QPainter, frame: StreamFrame, nodes: NDArray, faded: NDArray[np.bool_]) -> None:
    """The bar of every node, divided by class where there are classes."""
    scene, (low, high) = frame.scene, frame.spans(nodes)
    x = frame.left(scene.levels.level[nodes])
    sides = np.column_stack((x, low, x + frame.bar, high))
    split = (high - low >= DIVIDED) if scene.tree.task == "classes" else np.zeros(len(nodes), bool)
    darker = DARKER if scene.tree.task == "number" else 0.0
    fill_sides(painter, frame, sides[~split], scene.ribbon_colours(nodes[~split], faded[~split], darker))
    for part, colours in ((split & ~faded, scene.colours), (split & faded, scene.faded_colours)):
        if part.any():
            _paint_classes(painter, frame, nodes[part], sides[part], colours.class_colours())


def _paint_classes(
    painter: QPainter, frame: StreamFrame, nodes: NDArray, sides: NDArray, colours: list[QColor]
) -> None:
    low, high, begin = sides[:, 1], sides[:, 3] - sides[:, 1], np.zeros(len(nodes))
    for place, k in enumerate(frame.scene.bar_order):
        end = frame.scene.bar_ends[nodes, place]
        there = end - begin > 1e-12
        pieces = np.column_stack((sides[:, 0], low + begin * high, sides[:, 2], low + end * high))[there]
        fill_sides(painter, frame, pieces, np.full(len(pieces), colours[k].rgb(), np.uint32))
        begin = end


def paint_strips(painter: QPainter, frame: StreamFrame, nodes: NDArray) -> None:
    """How much of each bar stands out, at its left side."""
    scene = frame.scene
    for shares, ink in (scene.emphasis or NOTHING).strands(scene.theme):
        some = nodes[shares[nodes] > 0]
        x, (low, high) = frame.left(scene.levels.level[some]), frame.spans(some)
        half = np.maximum(np.minimum(shares[some], 1.0) * (high - low), LEAST_SHARE) / 2
        middle, right = (low + high) / 2, x + max(STRIP * frame.bar, 1.0)
        sides = np.column_stack((x - 1, middle - half, right, middle + half))
        fill_sides(painter, frame, sides, np.full(some.size, ink.rgb(), np.uint32))
