"""Nodes too small for words, in view, and subtrees as one block each: many rectangles and lines at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QPainter, QPen

from gui.picture.cards.frame import SMALLEST_SUBTREE, Frame
from gui.picture.emphasis import NOTHING
from gui.picture.levels import walk
from gui.picture.shapes import LEAST_RING, REACH, draw_lines, draw_rings, fill_rectangles, runs

SMALLEST_PITCH = 1.0
ABOVE = 12.0  # pixels; nothing of a card reaches further down than that
BESIDE = 120.0  # cards may be so much wider than their place in the drawing
THINNEST = 0.25  # edges keep this share of their natural width, so that an overview still shows where rows go
STROKES = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
DOT = 4.0  # pixels of the mark of a box where validation rows disagree
MOST_SMOOTH = 1_500  # so many lines may be smooth on a screen


@dataclass(frozen=True)
class Seen:
    """Positions in the tree, level by level."""

    named: np.ndarray  # drawn as cards with words
    boxed: np.ndarray  # drawn as plain boxes
    blocks: np.ndarray  # roots of subtrees that are drawn as one rectangle


def seen(frame: Frame, width: float, height: float, top: int = 0) -> Seen:
    """What a view shows of a branch; the cost is bounded by its pixels times its levels, and by one row of the tree."""
    scene, camera, levels = frame.scene, frame.camera, frame.scene.levels
    # The uppermost level whose cards reach into view; what leads to them from above is drawn with them.
    bottoms = camera.y + np.arange(len(frame.scales)) * frame.pitch + scene.cards.card_height * frame.scales + ABOVE
    first = int(np.argmax(bottoms >= 0)) if bottoms[-1] >= 0 else len(bottoms) - 1
    last = min(int((height - camera.y) // frame.pitch) + 1, levels.depth)

    def in_view(nodes: np.ndarray) -> np.ndarray:
        inside: np.ndarray = camera.x + scene.left[nodes] * frame.sx - BESIDE <= width
        inside &= camera.x + scene.right[nodes] * frame.sx + BESIDE >= 0
        high = scene.cards.card_height * frame.scales[levels.level[nodes]]
        return inside & (camera.y + scene.deepest[nodes] * frame.pitch + high >= 0)

    flat = frame.pitch < SMALLEST_PITCH

    def are_tiny(nodes: np.ndarray) -> np.ndarray:
        return ((scene.inner_right[nodes] - scene.inner_left[nodes]) * frame.sx < SMALLEST_SUBTREE) | flat

    shown, blocks = walk(levels, first, last, in_view, are_tiny, top, flat=flat)
    named = frame.are_named(shown)
    return Seen(shown[named], shown[~named], blocks)


def paint_lines(painter: QPainter, frame: Frame, shown: Seen, size: tuple[float, float], top: int = 0) -> None:
    """The edges into boxes and blocks as straight lines, their width by the rows they carry."""
    scene, nodes = frame.scene, np.concatenate((shown.boxed, shown.blocks))
    nodes = nodes[nodes > top]
    lines = frame.straight_edges(nodes)
    np.clip(lines[:, ::2], -REACH, size[0] + REACH, out=lines[:, ::2])
    np.clip(lines[:, 1::2], -REACH, size[1] + REACH, out=lines[:, 1::2])
    stroke = _strokes(frame, scene.ribbons[nodes])
    _draw(painter, frame, lines, STROKES[stroke], _colours(frame, shown, nodes))
    for shares, ink in (scene.emphasis or NOTHING).strands(scene.theme):
        some = np.flatnonzero(shares[nodes] > 0)
        stroke = _strokes(frame, shares[nodes[some]] * scene.ribbons[nodes[some]])
        _draw(painter, frame, lines[some], STROKES[stroke], np.full(some.size, ink.rgb(), np.uint32))


def paint_boxes(painter: QPainter, frame: Frame, shown: Seen, size: tuple[float, float]) -> None:
    """Nodes as filled rectangles, whole subtrees as blocks."""
    rectangles = np.vstack((_blocks(frame, shown.blocks, size), frame.boxes(shown.boxed)))
    fill_rectangles(painter, rectangles, _colours(frame, shown, np.concatenate((shown.blocks, shown.boxed))))


def paint_dots(painter: QPainter, frame: Frame, nodes: np.ndarray) -> None:
    """A dot on the upper edge of each box, in the colour of warnings, as the badge on a larger card."""
    x, y, width, _ = frame.boxes(nodes).T
    side = np.full(nodes.size, DOT)
    dots = np.column_stack((x + width / 2 - DOT / 2, y - DOT / 2, side, side))
    fill_rectangles(painter, dots, np.full(nodes.size, frame.scene.theme.warning.rgb(), np.uint32))


def paint_rings(painter: QPainter, frame: Frame, shown: Seen) -> None:
    """Frames around boxes, and around blocks with a node in them, that are to have a ring."""
    emphasis = frame.scene.emphasis or NOTHING
    if not emphasis.ringed.size:
        return
    boxes = shown.boxed[emphasis.are_ringed(shown.boxed)]
    blocks = shown.blocks[emphasis.are_ringed_below(shown.blocks, frame.scene.tree.end)]
    x, y, width, height = np.vstack((frame.boxes(boxes), frame.boxes(blocks))).T
    grow_x, grow_y = (np.maximum(LEAST_RING - side, 4.0) / 2 for side in (width, height))
    rings = np.column_stack((x - grow_x, y - grow_y, width + 2 * grow_x, height + 2 * grow_y))
    draw_rings(painter, frame.scene.theme.accent, rings)


def _draw(painter: QPainter, frame: Frame, lines: NDArray, widths: NDArray, colours: NDArray) -> None:
    """Straight lines, those that are alike in colour and width in one call of the painter, wide ones above others."""
    order = np.lexsort((colours, widths))
    lines, widths, colours = lines[order], widths[order], colours[order]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, frame.scene.paper or len(lines) < MOST_SMOOTH)
    for start, stop in runs(colours, widths):
        painter.setPen(QPen(QColor(int(colours[start])), float(widths[start])))
        draw_lines(painter, lines[start:stop])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def _strokes(frame: Frame, ribbons: np.ndarray) -> np.ndarray:
    """int64[n]: which of `STROKES` edges are drawn with that are so wide at scale 1."""
    return np.searchsorted(STROKES[1:], ribbons * max(frame.camera.zoom, THINNEST), side="right")


def _colours(frame: Frame, shown: Seen, nodes: NDArray[np.intp]) -> NDArray[np.uint32]:
    """uint32[n], 0xffRRGGBB, as ribbons have: an average tile would vanish, for boxes have no border."""
    scene, emphasis, faded = frame.scene, frame.scene.emphasis, np.zeros(nodes.size, bool)
    if emphasis is not None:
        below = emphasis.are_faded_below(nodes, scene.tree.end)
        faded = np.where(np.isin(nodes, shown.blocks), below, emphasis.are_faded(nodes))
    return scene.ribbon_colours(nodes, faded)


def _blocks(frame: Frame, nodes: np.ndarray, size: tuple[float, float]) -> np.ndarray:
    """float64[n, 4] around whole subtrees, cut off at the view."""
    scene, camera = frame.scene, frame.camera
    x = camera.x + scene.inner_left[nodes] * frame.sx
    width = np.maximum((scene.inner_right[nodes] - scene.inner_left[nodes]) * frame.sx, 1.0)
    top = np.maximum(camera.y + scene.top[nodes] * frame.sy, -REACH)
    bottom = camera.y + scene.deepest[nodes] * frame.pitch
    bottom = np.minimum(bottom + max(scene.cards.tile_height * camera.zoom, 2.0), size[1] + REACH)
    return np.column_stack((x, top, width, np.maximum(bottom - top, 1.0)))
