"""Words in streams whose columns are too narrow for them: the largest bars come first, and their words lie over what
follows to the right, but over no other words, and over no more than a part of any bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

if TYPE_CHECKING:
    from gui.canvas.streams.frame import StreamFrame

LEAST_BAR, TWO_LINES = 26.0, 90.0  # pixels in view of a bar with words, and of one that may have two lines of them
WIDEST = 108.0  # pixels; longer names are shortened
LEAST_PITCH = 12.0  # of columns still nearer to each other there are no words
HIDDEN = 0.4  # the most of another bar that words may lie over
MOST = 80  # bars, the largest, that may have words
APART = 2.0
SHARES = (0.5, 0.25, 0.75, 0.12, 0.88, 0.38, 0.62)  # how far down in its bar words may stand


@dataclass(frozen=True)
class Spot:
    """Where the words of a node stand.

    Attributes:
        lines: how many they are at most.
        middle: how far down.
        room: pixels to the right of the bar.
        box: around them.
    """

    lines: int
    middle: float
    room: float
    box: QRectF


def spots(frame: StreamFrame) -> dict[int, Spot]:
    """The words that are shown, by the positions of their nodes."""
    found: dict[int, Spot] = {}
    if frame.pitch < LEAST_PITCH * frame.words:
        return found
    taken: list[QRectF] = []
    for i in _largest(frame).tolist():
        spot = _spot(frame, i, taken)
        if spot is not None:
            found[i] = spot
            taken.append(spot.box.adjusted(-APART, -APART, APART, APART))
    return found


def _largest(frame: StreamFrame) -> NDArray[np.int64]:
    """The nodes with the highest bars in view, the highest first."""
    scene = frame.scene
    nodes = np.arange(scene.tree.n_nodes) if scene.folded is None else scene.folded.shown
    nodes = frame.below_top(nodes[frame.places.heights[nodes] * frame.sy >= LEAST_BAR * frame.words])
    low, high = frame.spans(nodes)
    seen = np.minimum(high, frame.size.height()) - np.maximum(low, 0.0) >= LEAST_BAR * frame.words
    x = frame.left(scene.levels.level[nodes])
    nodes = nodes[seen & (x >= -WIDEST * frame.words) & (x <= frame.size.width())]
    return nodes[np.argsort(-frame.places.heights[nodes], kind="stable")[:MOST]]


def _spot(frame: StreamFrame, i: int, taken: list[QRectF]) -> Spot | None:
    """The first place for node i's words that is free; None where there is none."""
    from gui.canvas.streams.words import beside_bars, placed_box, shape_of  # which need a frame

    scene, node = frame.scene, np.array([i])
    x = float(beside_bars(frame, int(scene.levels.level[i])))
    end = float(frame.left(scene.levels.depth)) + frame.bar + (scene.last - 2) * frame.words
    room = min(WIDEST * frame.words, end - x)
    low, high = (float(side[0]) for side in frame.spans(node))
    for lines in (2, 1) if high - low >= TWO_LINES * frame.words else (1,):
        shape = shape_of(frame, i, lines, room)
        if shape is None:
            continue
        centre = float(frame.middles(node, np.array([lines]))[0])
        for middle in (centre, *(low + share * (high - low) for share in SHARES)):
            box = placed_box(shape.box, x, middle, frame.words)
            inside = box.top() >= max(low, 0.0) and box.bottom() <= min(high, frame.size.height())
            if inside and not any(box.intersects(other) for other in taken) and not _hides(frame, i, box):
                return Spot(lines, middle, room, box)
    return None


def _hides(frame: StreamFrame, i: int, box: QRectF) -> bool:
    """Whether a box of words lies over too much of a bar in the columns beyond node i's."""
    levels, places = frame.scene.levels, frame.places
    first = int(levels.level[i]) + 1
    last = min(int((box.right() - frame.camera.x) // frame.pitch), levels.depth)
    for level in range(first, last + 1):
        start, stop = (int(place) for place in levels.start[level : level + 2])
        ends = (np.array((box.top(), box.bottom())) - frame.camera.y) / frame.sy
        top, bottom = (start + places.rows_y[start:stop].searchsorted(ends)).tolist()
        low, high = frame.spans(levels.order[max(top - 1, start) : min(bottom + 1, stop)])
        over = np.minimum(high, box.bottom()) - np.maximum(low, box.top())
        if (over > HIDDEN * (high - low)).any():
            return True
    return False
