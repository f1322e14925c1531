"""The bars of streams, and whole subtrees as blocks: where they stand and in which colours. What fills them is a
`Ground`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from gui.picture.ground.rounded_rectangles import Plates
from gui.picture.highlighting.emphasis import NOTHING
from gui.picture.streams.frame import StreamFrame
from gui.picture.streams.ribbons import LEAST_SHARE, colours_of

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter

DARKER = 0.45  # of the text's colour in bars that have no classes to show
DIVIDED = 4.0  # pixels; lower bars are not divided by class
STRIP = 0.3  # of a bar's width: where it shows how much of it stands out


class Ground(Plates, Protocol):
    """What streams and bars are drawn on, below all words: pixels (`gui.picture.streams.pixels`), or Qt's painter
    (`gui.picture.streams.ribbons`)."""

    def streams(self, nodes: NDArray, faded: NDArray[np.bool_]) -> None:
        """The streams into some nodes, thin ones first; bool[k], which of them are drawn faded."""

    def strand(self, nodes: NDArray, shares: NDArray[np.float64], ink: QColor) -> None:
        """A part of the streams into some nodes, in their middle; float64[n_nodes], how much of each."""

    def boxes(self, sides: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        """Rectangles as float64[k, 4]: left, upper, right, lower; uint32[k], 0xffRRGGBB."""

    def threads(self, nodes: NDArray) -> None:
        """The line that marks the ways into some nodes, the root not among them."""

    def show(self, painter: QPainter) -> None:
        """Paints what is not painted yet."""


def paint_blocks(ground: Ground, frame: StreamFrame, nodes: NDArray, faded: NDArray[np.bool_]) -> None:
    """Whole subtrees as rectangles from the bar of their root to their deepest column."""
    places = frame.places
    x, right = frame.left(frame.scene.levels.level[nodes]), frame.left(places.deepest[nodes]) + frame.bar
    low, high = (frame.camera.y + side[nodes] * frame.sy for side in (places.inner_low, places.inner_high))
    sides = np.column_stack((x, low, right, np.maximum(high, low + 1.0)))
    ground.boxes(sides, colours_of(frame, nodes, faded))


def paint_bars(ground: Ground, frame: StreamFrame, nodes: NDArray, faded: NDArray[np.bool_]) -> None:
    """The bar of every node, divided by class where there are classes."""
    scene, (low, high) = frame.scene, frame.spans(nodes)
    x = frame.left(scene.levels.level[nodes])
    sides = np.column_stack((x, low, x + frame.bar, high))
    split = (high - low >= DIVIDED) if scene.tree.task == "classes" else np.zeros(len(nodes), bool)
    darker = DARKER if scene.tree.task == "number" else 0.0
    ground.boxes(sides[~split], colours_of(frame, nodes[~split], faded[~split], darker))
    for part, colours in ((split & ~faded, scene.colours), (split & faded, scene.faded_colours)):
        if part.any():
            _paint_classes(ground, frame, nodes[part], sides[part], colours.class_colours())


def _paint_classes(
    ground: Ground, frame: StreamFrame, nodes: NDArray, sides: NDArray[np.float64], colours: list[QColor]
) -> None:
    """Bars with a piece for each class."""
    low, high, begin = sides[:, 1], sides[:, 3] - sides[:, 1], np.zeros(len(nodes))
    for place, k in enumerate(frame.scene.bar_order):
        end = frame.scene.bar_ends[nodes, place]
        there = end - begin > 1e-12
        pieces = np.column_stack((sides[:, 0], low + begin * high, sides[:, 2], low + end * high))[there]
        ground.boxes(pieces, np.full(len(pieces), colours[k].rgb(), np.uint32))
        begin = end


def paint_strips(ground: Ground, frame: StreamFrame, nodes: NDArray) -> None:
    """How much of each bar stands out, at its left side."""
    scene = frame.scene
    for shares, ink in (scene.emphasis or NOTHING).strands(scene.theme):
        some = nodes[shares[nodes] > 0]
        x, (low, high) = frame.left(scene.levels.level[some]), frame.spans(some)
        half = np.maximum(np.minimum(shares[some], 1.0) * (high - low), LEAST_SHARE) / 2
        middle, right = (low + high) / 2, x + max(STRIP * frame.bar, 1.0)
        sides = np.column_stack((x - 1, middle - half, right, middle + half))
        ground.boxes(sides, np.full(some.size, ink.rgb(), np.uint32))
