"""The streams of a tree that grows from left to right: filled bands where they are wide, bundles of lines where not."""

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter, QPainterPath, QPen

from gui.canvas.boxes import REACH, runs
from gui.canvas.emphasis import NOTHING
from gui.canvas.streams_frame import StreamFrame

BAND = 2.5  # pixels; wider streams are filled bands
MOST_BANDS = 700  # of so many streams the widest are bands
STROKES = np.array([1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 9.0, 14.0])
STEP = 10.0  # pixels of a curve for each straight piece of a thin stream
MOST_STEPS, LEAST_STEPS = 32, 2
MOST_PIECES = 9_000
UNDER = 1.0  # pixels of a stream below the bars at its ends
MOST_SMOOTH = 6_000  # so many pieces may be smooth
LEAST_SHARE = 1.5  # pixels; a part that stands out is never thinner


def ends(frame: StreamFrame, nodes: NDArray) -> NDArray[np.float64]:
    """float64[n, 4]: the middle of the streams into some nodes where they begin and where they end: x, y, x, y."""
    places, level = frame.places, frame.scene.levels.level[nodes]
    x1 = frame.left(level)
    y0, y1 = (frame.camera.y + at[nodes] * frame.sy for at in (places.begins, places.y))
    # They reach below the bars, so that no gap shows between.
    return np.column_stack((x1 - frame.pitch + frame.bar - UNDER, y0, x1 + UNDER, y1))


def paint_ribbons(painter: QPainter, frame: StreamFrame, nodes: NDArray, faded: NDArray[np.bool_]) -> None:
    """The streams into some nodes, the root not among them: thin ones first.

    Args:
        faded: bool[k], which of them are drawn faded.
    """
    if not nodes.size:
        return
    lines = ends(frame, nodes)
    heights = frame.places.heights[nodes] * frame.sy
    wide = np.flatnonzero(heights >= BAND)
    if wide.size > MOST_BANDS:
        wide = wide[np.argpartition(-heights[wide], MOST_BANDS)[:MOST_BANDS]]
    thin = np.ones(nodes.size, bool)
    thin[wide] = False
    _paint_lines(painter, frame, nodes[thin], lines[thin], heights[thin], faded[thin])
    for k in wide[np.argsort(heights[wide], kind="stable")].tolist():
        x0, y0, x1, y1 = lines[k].tolist()
        colours = frame.scene.faded_colours if faded[k] else frame.scene.colours
        painter.fillPath(band(x0, y0, x1, y1, float(heights[k])), colours.ribbon(int(nodes[k])))


def paint_shares(painter: QPainter, frame: StreamFrame, nodes: NDArray) -> None:
    """The part of streams that stands out, in their middle, in the accent colour."""
    shares = (frame.scene.emphasis or NOTHING).shares
    nodes = nodes[shares[nodes] > 0] if shares is not None else nodes[:0]
    if shares is None or not nodes.size:
        return
    lines = ends(frame, nodes)
    heights = np.minimum(shares[nodes], 1.0) * frame.places.heights[nodes] * frame.sy
    order = np.argsort(-heights, kind="stable")[:MOST_BANDS]
    for k in order.tolist():
        x0, y0, x1, y1 = lines[k].tolist()
        path = band(x0, y0, x1, y1, max(float(heights[k]), LEAST_SHARE))
        painter.fillPath(path, frame.scene.theme.accent)


def _paint_lines(
    painter: QPainter, frame: StreamFrame, nodes: NDArray, lines: NDArray, heights: NDArray, faded: NDArray[np.bool_]
) -> None:
    """Curves in straight pieces; those of one colour and one width are drawn at once."""
    if not nodes.size:
        return
    stroke = np.searchsorted(STROKES[1:], heights, side="right")
    keys = (2 * frame.scene.colours.shade[nodes] + faded) * len(STROKES) + stroke
    order = np.argsort(keys, kind="stable")
    nodes, lines, keys = nodes[order], lines[order], keys[order]
    most = min(max(MOST_PIECES // nodes.size, LEAST_STEPS), MOST_STEPS)
    steps = int(np.clip(np.ceil((frame.pitch - frame.bar) / STEP), 1, most))
    x, y = curve(lines, steps)
    pieces = np.ascontiguousarray(np.stack((x[:, :-1], y[:, :-1], x[:, 1:], y[:, 1:]), axis=2))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, nodes.size * steps < MOST_SMOOTH)
    for start, stop in runs(keys):
        width = float(STROKES[int(keys[start]) % len(STROKES)])
        fading = int(keys[start]) // len(STROKES) % 2
        colours = frame.scene.faded_colours if fading else frame.scene.colours
        painter.setPen(QPen(colours.ribbon(int(nodes[start])), width))
        begin = pieces.ctypes.data + 32 * steps * start
        painter.drawLines(shiboken6.wrapInstance(begin, QLineF), steps * (stop - start))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def curve(lines: NDArray, steps: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """float64[n, steps + 1] twice: points on the curves between two ends that leave and arrive level."""
    t = np.linspace(0.0, 1.0, steps + 1)
    across, down = 1.5 * t * (1 - t) + t**3, t * t * (3 - 2 * t)
    x0, y0, x1, y1 = lines.T[:, :, None]
    return (x0 + (x1 - x0) * across).clip(-REACH, 2 * REACH), (y0 + (y1 - y0) * down).clip(-REACH, 2 * REACH)


def band(x0: float, y0: float, x1: float, y1: float, height: float) -> QPainterPath:
    """A stream of one height between two places."""
    half, middle = height / 2, (x0 + x1) / 2
    if max(abs(y0), abs(y1)) + half > REACH:
        return _broken(np.array([[x0, y0 - half, x1, y1 - half], [x0, y0 + half, x1, y1 + half]]))
    path = QPainterPath(QPointF(x0, y0 - half))
    path.cubicTo(middle, y0 - half, middle, y1 - half, x1, y1 - half)
    path.lineTo(x1, y1 + half)
    path.cubicTo(middle, y1 + half, middle, y0 + half, x0, y0 + half)
    path.closeSubpath()
    return path


def _broken(sides: NDArray) -> QPainterPath:
    """A band that reaches far out of the view, in straight pieces: Qt's raster engine knows no such coordinates."""
    x, y = curve(sides, 60)
    corners = [
        *zip(x[0].tolist(), y[0].tolist(), strict=True),
        *zip(x[1, ::-1].tolist(), y[1, ::-1].tolist(), strict=True),
    ]
    path = QPainterPath(QPointF(*corners[0]))
    for corner in corners[1:]:
        path.lineTo(*corner)
    path.closeSubpath()
    return path


def thread(frame: StreamFrame, i: int) -> QPainterPath:
    """The line that marks the way into a node: along its parent's bar, then through the stream."""
    parent = int(frame.scene.tree.parent[i])
    start = frame.camera.y + float(frame.places.y[parent]) * frame.sy
    line = ends(frame, np.array([i]))[0]
    x0, y0, x1, y1 = line.clip(-REACH, 2 * REACH).tolist()
    begin = min(max(start, -REACH), 2 * REACH)
    path = QPainterPath(QPointF(x0 - frame.bar / 2, begin))
    path.lineTo(x0 - frame.bar / 2, y0)
    path.lineTo(x0, y0)
    path.cubicTo((x0 + x1) / 2, y0, (x0 + x1) / 2, y1, x1, y1)
    path.lineTo(x1 + frame.bar / 2, y1)
    return path
