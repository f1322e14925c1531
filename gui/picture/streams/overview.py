"""Words in streams whose columns are too narrow for them: the largest bars come first, and their words lie over what
follows to the right, but over no other words, and over no more than a part of any bar. What is left between them has
the words of branches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

if TYPE_CHECKING:
    from gui.picture.streams.frame import StreamFrame

LEAST_BAR, TWO_LINES = 3.0, 90.0  # pixels in view of a bar with words, and of one that may have two lines of them
WIDEST = 108.0  # pixels; longer names are shortened
LEAST_PITCH = 12.0  # of columns still nearer to each other there are no words
HIDDEN = 0.4  # the most of another bar that words may lie over
ANSWER = 64.0  # pixels of leaves that have no room for more than their answer
LEAST_NAME = 7  # letters of a shortened name
MOST = 80  # bars, the largest, that may have words
APART = 2.0
EDGE_HALF, EDGE_GAP = 9.0, 3.0  # half of the height of the words on a stream, and pixels before them
SHARES = (0.5, 0.25, 0.75, 0.12, 0.88, 0.38, 0.62)  # how far down in its bar words may stand


@dataclass(frozen=True)
class Spot:
    """Where the words of a node stand.

    Attributes:
        lines: how many they are at most.
        middle: how far down.
        room: pixels to the right of the bar.
        box: around them.
        before: pixels to the left of the bar that no words take.
    """

    lines: int
    middle: float
    room: float
    box: QRectF
    before: float = 0.0


class Bar(NamedTuple):
    """A node that may have words.

    Attributes:
        i, level: its position, its column.
        x: where words beside it begin.
        low, high: its ends.
        one, two: where the middles of one line and of two lines stand best.
    """

    i: int
    level: int
    x: float
    low: float
    high: float
    one: float
    two: float


def spots(frame: StreamFrame) -> dict[int, Spot]:
    """The words that are shown, by the positions of their nodes."""
    found: dict[int, Spot] = {}
    if frame.pitch < LEAST_PITCH * frame.words:
        return found
    nodes = _largest(frame)
    low, high = frame.spans(nodes)
    level = frame.scene.levels.level[nodes]
    one, two = (frame.middles(nodes, np.full(nodes.size, lines)) for lines in (1, 2))
    columns = nodes, level, frame.left(level) + frame.bar + frame.after, low, high, one, two
    taken: list[QRectF] = []
    for bar in map(Bar._make, zip(*(column.tolist() for column in columns), strict=True)):
        spot = _spot(frame, bar, taken)
        if spot is not None:
            found[bar.i] = spot
            taken.append(spot.box.adjusted(-APART, -APART, APART, APART))
    return _with_edges(frame, found)


def _with_edges(frame: StreamFrame, found: dict[int, Spot]) -> dict[int, Spot]:
    """The same with the room for words on the streams into these nodes."""
    if not found:
        return found
    boxes = np.array([spot.box.getCoords() for spot in found.values()])
    middles = np.array([spot.middle for spot in found.values()])
    bars = frame.left(frame.scene.levels.level[list(found)])
    half = EDGE_HALF * frame.words
    beside = (boxes[:, 1] < middles[:, None] + half) & (boxes[:, 3] > middles[:, None] - half)
    beside &= boxes[:, 0] < bars[:, None]
    ends = np.where(beside, boxes[:, 2], -np.inf).max(axis=1)
    ends = np.maximum(ends, bars - frame.pitch + frame.bar)
    rooms = (bars - ends - 2 * frame.after - EDGE_GAP * frame.words).tolist()
    return {i: replace(spot, before=room) for (i, spot), room in zip(found.items(), rooms, strict=True)}


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


def _spot(frame: StreamFrame, bar: Bar, taken: list[QRectF]) -> Spot | None:
    """The first place for a node's words that is free; None where there is none."""
    end = frame.camera.x + frame.scene.levels.depth * frame.pitch + frame.bar + (frame.scene.last - 2) * frame.words
    room = min(WIDEST * frame.words, end - bar.x)
    tries = [(2, bar.two, room)] if bar.high - bar.low >= TWO_LINES * frame.words else []
    tries.append((1, bar.one, room))
    if not frame.scene.cards.is_inner(bar.i):
        tries.append((1, bar.one, min(ANSWER * frame.words, room)))
    return next((spot for each in tries if (spot := _placed(frame, bar, taken, *each)) is not None), None)


def _placed(frame: StreamFrame, bar: Bar, taken: list[QRectF], lines: int, centre: float, room: float) -> Spot | None:
    """The first place for so many lines in so much room."""
    from gui.picture.streams.words import placed_box, shape_of  # which need a frame

    shape = shape_of(frame, bar.i, lines, room)
    if shape is None or ("…" in shape.lines[0].text and len(shape.lines[0].text) <= LEAST_NAME):
        return None
    low, high = bar.low, bar.high
    if high - low >= shape.box.height() * frame.words:
        middles = (centre, *(low + share * (high - low) for share in SHARES))
        least, most = max(low, 0.0), min(high, frame.size.height())
    else:
        middles, least, most = ((low + high) / 2,), 0.0, frame.size.height()
    for middle in middles:
        box = placed_box(shape.box, bar.x, middle, frame.words)
        if box.top() < least or box.bottom() > most or any(box.intersects(other) for other in taken):
            continue
        if not _hides(frame, bar, box):
            return Spot(lines, middle, room, box)
    return None


def _hides(frame: StreamFrame, bar: Bar, box: QRectF) -> bool:
    """Whether a box of words lies over too much of a bar in the columns beyond a node's, or beside another one of its
    column."""
    levels, places, camera_y, sy = frame.scene.levels, frame.places, frame.camera.y, frame.sy
    top, bottom = box.top(), box.bottom()
    last = min(int((box.right() - frame.camera.x) // frame.pitch), levels.depth)
    for level in range(bar.level, last + 1):
        start, stop = int(levels.start[level]), int(levels.start[level + 1])
        column = places.rows_y[start:stop]
        first, after = (int(column.searchsorted((side - camera_y) / sy)) for side in (top, bottom))
        if after - first > 2:
            return True  # bars so near to each other are lower than the box
        for i in levels.order[start + max(first - 1, 0) : min(start + after + 1, stop)].tolist():
            half = max(float(places.heights[i]) * sy, 2.0) / 2
            middle = camera_y + float(places.y[i]) * sy
            if i != bar.i and min(middle + half, bottom) - max(middle - half, top) > HIDDEN * 2 * half:
                return True
    return False
