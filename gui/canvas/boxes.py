"""Many small rectangles and lines at once: one call of the painter for each colour, no Qt object for each node."""

from itertools import pairwise

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gui.canvas.cards.frame import Frame
from gui.canvas.cards.seen import Seen
from gui.canvas.cards.strips import paint_strips
from gui.canvas.standouts.emphasis import NOTHING

REACH = 3_000.0  # lines end so far outside of the view: Qt knows no very large coordinates
THINNEST = 0.25  # edges keep this share of their natural width, so that an overview still shows where rows go
STROKES = (1.0, 2.0, 4.0, 8.0, 16.0)
DOT = 4.0  # pixels of the mark of a box where validation rows disagree
MOST_SMOOTH, MOST_SMOOTH_RINGS = 1_500, 400  # so many lines, or frames, may be smooth
RINGED = 2.0  # the width of rings
LEAST_RING = 9.0  # pixels; no ring is smaller


def paint_lines(painter: QPainter, frame: Frame, shown: Seen, size: tuple[float, float], top: int = 0) -> None:
    """The edges into boxes and blocks as straight lines, their width by the rows they carry."""
    scene = frame.scene
    nodes = np.concatenate((shown.boxed, shown.blocks))
    nodes = nodes[nodes > top]
    lines = frame.straight_edges(nodes)
    np.clip(lines[:, ::2], -REACH, size[0] + REACH, out=lines[:, ::2])
    np.clip(lines[:, 1::2], -REACH, size[1] + REACH, out=lines[:, 1::2])
    stroke = np.searchsorted(STROKES[1:], scene.ribbons[nodes] * max(frame.camera.zoom, THINNEST), side="right")
    keys = _keys(frame, shown, nodes) * len(STROKES) + stroke
    order = np.argsort(keys, kind="stable")
    lines, nodes, keys = np.ascontiguousarray(lines[order]), nodes[order], keys[order]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, scene.paper or len(nodes) < MOST_SMOOTH)
    for start, stop in runs(keys):
        fading = int(keys[start]) // len(STROKES) % 2
        colours = scene.faded_colours if fading else scene.colours
        painter.setPen(QPen(colours.ribbon(int(nodes[start])), STROKES[int(keys[start]) % len(STROKES)]))
        painter.drawLines(shiboken6.wrapInstance(lines.ctypes.data + 32 * start, QLineF), stop - start)
    for shares, ink in (scene.emphasis or NOTHING).strands(scene.theme):
        _paint_shares(painter, frame, nodes, lines, shares, ink)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def paint_boxes(painter: QPainter, frame: Frame, shown: Seen, size: tuple[float, float]) -> None:
    """Nodes as filled rectangles, whole subtrees as blocks."""
    scene = frame.scene
    nodes = np.concatenate((shown.blocks, shown.boxed))
    rectangles = np.vstack((_blocks(frame, shown.blocks, size), frame.boxes(shown.boxed)))
    keys = _keys(frame, shown, nodes)
    order = np.argsort(keys, kind="stable")
    rectangles, nodes, keys = np.ascontiguousarray(rectangles[order]), nodes[order], keys[order]
    # The colours of ribbons: an average tile would vanish on the canvas, and boxes have no border.
    fills = [
        (start, stop, (scene.faded_colours if keys[start] % 2 else scene.colours).ribbon(int(nodes[start])))
        for start, stop in runs(keys)
    ]
    colours = np.array([colour.rgb() for _, _, colour in fills], np.uint32)
    colours = np.repeat(colours, [stop - start for start, stop, _ in fills])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    if scene.paper or not paint_strips(painter, rectangles, colours, size[0]):
        painter.setPen(Qt.PenStyle.NoPen)
        for start, stop, colour in fills:
            painter.setBrush(colour)
            painter.drawRects(shiboken6.wrapInstance(rectangles.ctypes.data + 32 * start, QRectF), stop - start)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def paint_rings(painter: QPainter, frame: Frame, shown: Seen) -> None:
    """Frames around boxes, and around blocks with a node in them, that are to have a ring."""
    emphasis = frame.scene.emphasis or NOTHING
    if not emphasis.ringed.size:
        return
    boxes = shown.boxed[emphasis.are_ringed(shown.boxed)]
    blocks = shown.blocks[emphasis.are_ringed_below(shown.blocks, frame.scene.tree.end)]
    x, y, width, height = np.vstack((frame.boxes(boxes), frame.boxes(blocks))).T
    grow_x, grow_y = (np.maximum(LEAST_RING - side, 4.0) / 2 for side in (width, height))
    rings = np.ascontiguousarray(np.column_stack((x - grow_x, y - grow_y, width + 2 * grow_x, height + 2 * grow_y)))
    draw_rings(painter, frame.scene.theme.accent, rings)


def draw_rings(painter: QPainter, colour: QColor, rings: np.ndarray) -> None:
    """Frames as float64[n, 4]: x, y, width, height; very many of them thinner, for wide strokes take long."""
    many = len(rings) >= MOST_SMOOTH_RINGS
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not many)
    painter.setPen(QPen(colour, 1.0 if many else RINGED))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if len(rings):
        painter.drawRects(shiboken6.wrapInstance(rings.ctypes.data, QRectF), len(rings))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def paint_dots(painter: QPainter, frame: Frame, nodes: np.ndarray) -> None:
    """A dot on the upper edge of each box, in the colour of warnings, as the badge on a larger card."""
    if not nodes.size:
        return
    x, y, width, _ = frame.boxes(nodes).T
    side = np.full(len(nodes), DOT)
    dots = np.ascontiguousarray(np.column_stack((x + width / 2 - DOT / 2, y - DOT / 2, side, side)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.scene.theme.warning)
    painter.drawRects(shiboken6.wrapInstance(dots.ctypes.data, QRectF), len(nodes))


def _keys(frame: Frame, shown: Seen, nodes: np.ndarray) -> np.ndarray:
    """int64[n]: equal for nodes of the same colours: twice the shade, and one more for those that are drawn faded."""
    scene = frame.scene
    keys: np.ndarray = 2 * scene.colours.shade[nodes]
    if scene.emphasis is None:
        return keys
    blocks = np.isin(nodes, shown.blocks)
    faded = np.where(blocks, scene.emphasis.are_faded_below(nodes, scene.tree.end), scene.emphasis.are_faded(nodes))
    return keys + faded


def _paint_shares(
    painter: QPainter, frame: Frame, nodes: np.ndarray, lines: np.ndarray, shares: np.ndarray, ink: QColor
) -> None:
    """The part of edges that stands out, in their middle."""
    some = np.flatnonzero(shares[nodes] > 0)
    nodes = nodes[some]
    widths = shares[nodes] * frame.scene.ribbons[nodes] * max(frame.camera.zoom, THINNEST)
    stroke = np.searchsorted(STROKES[1:], widths, side="right")
    order = np.argsort(stroke, kind="stable")
    lines = np.ascontiguousarray(lines[some[order]])
    for start, stop in runs(stroke[order]):
        painter.setPen(QPen(ink, STROKES[int(stroke[order[start]])]))
        painter.drawLines(shiboken6.wrapInstance(lines.ctypes.data + 32 * start, QLineF), stop - start)


def runs(keys: np.ndarray) -> list[tuple[int, int]]:
    """Start and stop of each run of equal keys."""
    if not keys.size:
        return []
    bounds = np.concatenate(([0], np.flatnonzero(np.diff(keys)) + 1, [keys.size])).tolist()
    return list(pairwise(bounds))


def _blocks(frame: Frame, nodes: np.ndarray, size: tuple[float, float]) -> np.ndarray:
    """float64[n, 4] around whole subtrees, cut off at the view."""
    scene, camera = frame.scene, frame.camera
    x = camera.x + scene.inner_left[nodes] * frame.sx
    width = np.maximum((scene.inner_right[nodes] - scene.inner_left[nodes]) * frame.sx, 1.0)
    top = np.maximum(camera.y + scene.top[nodes] * frame.sy, -REACH)
    bottom = camera.y + scene.deepest[nodes] * frame.pitch
    bottom = np.minimum(bottom + max(scene.cards.tile_height * camera.zoom, 2.0), size[1] + REACH)
    return np.column_stack((x, top, width, np.maximum(bottom - top, 1.0)))
