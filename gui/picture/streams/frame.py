"""Where the bars, streams and words of a tree from left to right stand on the screen. Streams and bars scale with the
camera; words keep their size, or grow when looked at closely. A bar that is high enough has room for its words at its
own side, and what is left between two bars is shared by both, so that no two words overlap. Words stand in the part of
a bar that is in view. Columns too narrow for words show those of the largest bars (see `spots`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF

from gui.picture.camera import Camera
from gui.picture.legend import HEIGHT
from gui.picture.levels import walk
from gui.picture.shapes import REACH
from gui.picture.streams.scene import BAR, COLUMN, EDGE_AROUND, LAST, MARGIN, Streams, Words, placed_box, shape_of

# Half of the height that so many lines beside a bar need: none, one, two …
HALVES = np.array([0.0, 10.5, 17.5, 24.5, 31.5, 38.5, 45.5, 52.5])
EDGE_DUE = 78.0  # pixels that a node's words leave to those on streams beside them
WORDS_DUE, WORDS_MOST = 78.0, 104.0  # unless they get less than that; then they take so many
LEAST_WORDS = 90.0  # pixels; in less there are a few letters of a name
SMALLEST_SUBTREE = 1.5  # pixels; a lower subtree is drawn as one block
SMALLEST_PITCH = 1.0
AFTER_BAR = 4.0
NO_ROW = np.zeros(0, np.int64)
NARROW = 0.16  # bars take no more of a column than that
INSET = 4.0
APART = 8 * HALVES[-1]  # more than words reach out of the view, above and below
LEAST_SPOT_BAR, TWO_LINES = 3.0, 90.0  # pixels in view of a bar with words, and of one that may have two lines of them
WIDEST_SPOT, WIDEST_CUT = 108.0, 180.0  # pixels; longer names are shortened
LEAST_PITCH = 12.0  # of columns still nearer to each other there are no words
HIDDEN = 0.4  # the most of another bar that words may lie over
FEW = 60  # nodes of a small tree, in which words lie over no other bar if they may stand elsewhere
ANSWER = 64.0  # pixels of leaves that have no room for more than their answer
LEAST_NAME = 7  # letters of a shortened name
MOST_SPOTS = 80  # bars, the largest, that may have words
SPOTS_APART = 2.0
EDGE_HALF, EDGE_GAP = 9.0, 3.0  # half of the height of the words on a stream, and pixels before them
SHARES = (0.5, 0.25, 0.75, 0.12, 0.88, 0.38, 0.62)  # how far down in its bar words may stand


@dataclass(frozen=True)
class Written:
    """The nodes that have words in view, of one column or of several, column by column and from top to bottom."""

    nodes: NDArray[np.int64]  # int[k], their positions in the tree
    tiers: NDArray[np.int64]  # int64[k], how many lines have room
    middles: NDArray[np.float64]  # float64[k], how far down it stands
    levels: NDArray[np.int64]  # int64[k], the columns

    def where(self, there: NDArray[np.bool_]) -> Written:
        return Written(self.nodes[there], self.tiers[there], self.middles[there], self.levels[there])


class StreamFrame:
    """One picture of streams."""

    def __init__(self, scene: Streams, camera: Camera, size: QSizeF, top: int = 0) -> None:
        """top: the position of the node whose branch alone is shown; 0 for the whole tree."""
        self.scene, self.camera, self.size, self.top, self.small = scene, camera, size, top, scene.levels.n <= FEW
        self.places, self.sy = scene.places, camera.sy
        self.pitch = COLUMN * camera.sx  # pixels from one column to the next
        self.words = max(camera.zoom, 1.0)  # the size of letters; 1 is natural
        self.bar = min(BAR * self.words, max(NARROW * self.pitch, 2.0))  # the width of a bar
        self.after = AFTER_BAR * self.words  # pixels between a bar and its words
        self.whole = self.pitch - self.bar - 2 * self.after  # pixels between two bars that words may take
        shared, least = self.whole - EDGE_DUE * self.words, WORDS_DUE * self.words
        # what a node's words may take of them where words on a stream stand beside them
        self.room = shared if shared >= least else min(self.whole, WORDS_MOST * self.words)
        self.readable = self.whole >= LEAST_WORDS * self.words  # whether columns have room for words
        self._written: dict[int, Written] = {}
        self._between: tuple[range, Written | None] = range(0), None  # columns whose words were found together

    def cut_x(self, x: NDArray) -> NDArray[np.float64]:
        """Places across, cut off far outside of the view, however large that is."""
        return np.asarray(np.clip(x, -REACH, self.size.width() + REACH))

    def cut_y(self, y: NDArray) -> NDArray[np.float64]:
        """Places down, cut off far outside of the view."""
        return np.asarray(np.clip(y, -REACH, self.size.height() + REACH))

    def left(self, level: NDArray | int) -> NDArray[np.float64]:
        """The left side of the bars of a level."""
        return np.asarray(self.camera.x + np.asarray(level) * self.pitch)

    def beside(self, level: NDArray | int) -> NDArray[np.float64]:
        """Where the words of a level begin."""
        return np.asarray(self.left(level) + (self.bar + self.after))

    def spans(self, nodes: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """float64[n] twice: the upper and the lower ends of bars; never nearer than can be seen."""
        half = np.maximum(self.places.heights[nodes] * self.sy, 2.0) / 2
        middle = self.camera.y + self.places.y[nodes] * self.sy
        return middle - half, middle + half

    def tiers(self, nodes: NDArray) -> NDArray[np.int64]:
        """int64[n]: how many lines have room beside bars."""
        if not self.readable:
            found = self.overview
            return np.array([found[i].lines if i in found else 0 for i in nodes.tolist()] if found else nodes * 0, int)
        places, halves = self.places, HALVES * self.words
        # What a bar is high enough for, nobody can take from it; beyond that neighbours share what is between them.
        room = np.full(len(nodes), np.inf)
        for apart, other in ((places.before[nodes], places.above[nodes]), (places.after[nodes], places.below[nodes])):
            own = halves[np.searchsorted(halves, places.heights[other] * self.sy / 2, side="right") - 1]
            np.minimum(room, np.minimum(apart * self.sy - own, apart * self.sy / 2), out=room)
        room = np.maximum(room, places.heights[nodes] * self.sy / 2)
        tiers = np.searchsorted(halves, room * (1 + 1e-9), side="right") - 1
        return np.where(self.are_tiny(nodes), 0, tiers)

    def are_tiny(self, nodes: NDArray) -> NDArray[np.bool_]:
        """bool[n]: whether the subtrees of these nodes are too small to be told apart."""
        extent: NDArray[np.float64] = (self.places.inner_high[nodes] - self.places.inner_low[nodes]) * self.sy
        return (extent < SMALLEST_SUBTREE) | (self.pitch < SMALLEST_PITCH)

    @cached_property
    def overview(self) -> dict[int, Spot]:
        """The words where columns have no room for them, by the positions of their nodes."""
        if self.readable:
            return {}
        looked = self.camera, self.size.width(), self.size.height(), self.top
        if self.scene.spots_made is None or self.scene.spots_made[0] != looked:
            self.scene.spots_made = looked, spots(self)
        return self.scene.spots_made[1]

    @cached_property
    def _leading(self) -> frozenset[int]:
        return frozenset(() if self.readable else self.scene.leading(self.top))

    def leads(self, i: int) -> bool:
        """Whether a split says where it cuts, where there is no room for words on the streams; on paper all do."""
        every = self.scene.paper and not self.readable
        return bool(self.scene.tree.n_branches[i] > 0) if every else i in self._leading

    def shape(self, i: int, lines: int, room: float) -> Words | None:
        return shape_of(self.scene, i, lines, room / self.words, cut=self.says_cut(i, room))

    def says_cut(self, i: int, room: float) -> bool:
        """Whether the words of node i in so many pixels say where it splits."""
        return room > WIDEST_SPOT * self.words and self.leads(i)

    def written(self, level: int) -> Written:
        """The words in a column; nothing beyond the last one."""
        if level not in self._written:
            columns, found = self._between
            found = found if found is not None and level in columns else self._find_written(level, level)
            self._written[level] = found.where(found.levels == level)
        return self._written[level]

    def rooms(self, level: int) -> NDArray[np.float64]:
        """float64[k]: the pixels for the words of each node that is `written` in a column."""
        return self._rooms(self.written(level), self.written(level + 1))

    def written_between(self, first: int, last: int) -> tuple[Written, NDArray[np.float64]]:
        """(The words from one column to another, float64[k] the pixels for each of them), all columns at once."""
        found = self._find_written(first, last + 1)
        self._between = range(first, last + 2), found
        here = found.where(found.levels <= last)
        return here, self._rooms(here, found.where(found.levels > first))

    def edge_rooms(self, nodes: NDArray) -> list[float]:
        """The pixels at scale 1 for words on the stream into each of some nodes; 0 where there are none."""
        if not self.readable:
            return [0.0] * len(nodes)
        before = self.scene.widest[self.scene.levels.level[nodes] - 1]
        rooms = self.pitch / self.words - before - EDGE_AROUND
        return np.where(self.tiers(nodes) > 0, rooms, 0.0).tolist()

    def along(self, levels: NDArray, y: NDArray) -> NDArray[np.float64]:
        """float64[k]: places down the columns as if each column stood below the one before, far from each other."""
        return np.asarray(levels * (self.size.height() + APART * self.words) + y)

    def _find_written(self, first: int, last: int) -> Written:
        if not self.readable:
            level = {i: int(self.scene.levels.level[i]) for i in self.overview}
            here = [i for i in self.overview if first <= level[i] <= last]
            here.sort(key=lambda i: (level[i], self.overview[i].middle))
            said = [(self.overview[i].lines, self.overview[i].middle, level[i]) for i in here]
            lines, middles, levels = np.array(said, float).reshape(-1, 3).T
            return Written(np.array(here, np.int64), lines.astype(np.int64), middles, levels.astype(np.int64))
        row = self.scene.inside(self._with_room(first, last), self.top)
        tiers = self.tiers(row)
        low, high = self.spans(row)
        there = (tiers > 0) & (high >= -HALVES[-1] * self.words) & (low <= self.size.height() + HALVES[-1])
        row, tiers = row[there], tiers[there]
        return Written(row, tiers, self.middles(row, tiers), self.scene.levels.level[row])

    def _with_room(self, first: int, last: int) -> NDArray[np.int64]:
        """The nodes of some columns, in view or next to it, beside which there may be room for words."""
        levels, places = self.scene.levels, self.places
        ends = (np.array((0.0, self.size.height())) - self.camera.y) / self.sy
        found = [NO_ROW]
        for start, stop in pairwise(levels.start[max(first, 0) : max(last + 2, 0)].tolist()):
            top, bottom = places.rows_y[start:stop].searchsorted(ends).tolist()
            found.append(np.arange(max(start + top - 1, start), min(start + bottom + 1, stop)))
        near = np.concatenate(found)
        roomy = places.rows_reach[near] * self.sy * (1 + 1e-9) >= HALVES[1] * self.words
        return levels.order[near[roomy]]

    def _rooms(self, here: Written, following: Written) -> NDArray[np.float64]:
        """float64[k]: the pixels for words, beside those that follow in the columns after theirs."""
        if not self.readable:
            return np.array([self.overview[i].room for i in here.nodes.tolist()])
        words, halves = self.along(here.levels, here.middles), HALVES[here.tiers] * self.words
        meets = _meet(words, halves, self.along(following.levels - 1, following.middles), EDGE_HALF * self.words)
        last = here.levels == self.places.deepest[self.top]
        return np.where(last, self._last_room, np.where(meets, self.room, self.whole))

    @cached_property
    def _last_room(self) -> float:
        """The pixels for words beside the last column: to the border of the picture when all that is shown is in it."""
        scene, least = self.scene, (self.scene.last - 2) * self.words
        if scene.last > LAST:
            return least
        region = scene.region(self.top)
        fitted = region.fitted(self.size.width(), self.size.height(), MARGIN)
        beyond = self.size.width() - fitted.x - region.across * fitted.sx
        return max(least, min(self.whole, (beyond - BAR - AFTER_BAR - 2) * self.words))

    def middles(self, nodes: NDArray, tiers: NDArray) -> NDArray[np.float64]:
        """float64[n]: how far down words stand: beside the middle of the bar, or of that part of it that is in view."""
        top, bottom = self.spans(nodes)
        centre, half = (top + bottom) / 2, HALVES[tiers] * self.words
        seen = np.clip(centre, half + INSET, np.maximum(self.size.height() - HEIGHT - half - INSET, half + INSET))
        inside = np.clip(seen, top + half, np.maximum(bottom - half, top + half))
        return np.where(bottom - top > 2 * half, inside, centre)

    def boxes(self, nodes: NDArray) -> NDArray[np.float64]:
        """float64[n, 4]: x, y, width, height of bars."""
        x, (low, high) = self.left(self.scene.levels.level[nodes]), self.spans(nodes)
        return np.column_stack((x, low, np.full(len(nodes), self.bar), high - low))

    def bar_box(self, i: int) -> QRectF:
        return QRectF(*self.boxes(np.array([i]))[0].tolist())

    def words_box(self, i: int) -> QRectF:
        """Around node i's words; empty where there are none in view."""
        level = int(self.scene.levels.level[i])
        at = np.flatnonzero(self.written(level).nodes == i)
        words = self.words_at(level, int(at[0])) if at.size else None
        return words.box if words is not None else QRectF()

    def words_at(self, level: int, k: int) -> Words | None:
        """The k-th of the words in a column where they stand; None where not even some letters have room."""
        here = self.written(level)
        found = self.shape(int(here.nodes[k]), int(here.tiers[k]), float(self.rooms(level)[k]))
        at = float(self.beside(level)), float(here.middles[k])
        return found.placed(*at, self.words) if found is not None else None

    def box(self, i: int) -> QRectF:
        """The words and the bar beside them; the bar alone, as far as it is in view, where there are none."""
        bar, words = self.bar_box(i), self.words_box(i)
        if words.isEmpty():
            seen = bar.intersected(QRectF(0, 0, max(bar.right(), self.size.width()), self.size.height()))
            return bar if seen.isEmpty() else seen
        return QRectF(bar.left(), words.top(), words.right() - bar.left(), words.height())

    def anchor(self, i: int) -> QPointF:
        """The middle of the left side of node i's bar, in view or not."""
        x = float(self.left(int(self.scene.levels.level[i])))
        return QPointF(x, self.camera.y + float(self.places.y[i]) * self.sy)

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """float64[n_nodes] twice: the middles of all bars, or of as much of them as is in view."""
        top, bottom = self.spans(np.arange(self.scene.tree.n_nodes))
        y = np.clip(self.size.height() / 2, top, bottom)
        return self.left(self.scene.levels.level) + self.bar / 2, y

    def node_at(self, x: float, y: float, reach: float = 3.0) -> int:
        """The position of the node whose bar or words are drawn at a point, −1 where there are none."""
        covering = next((i for i, spot in self.overview.items() if spot.box.contains(x, y)), -1)
        if covering >= 0:
            return covering
        column = int(np.floor((x - self.camera.x + reach) / self.pitch))
        if not 0 <= column <= self.scene.levels.depth:
            return -1
        row = self.scene.levels.row(column)
        at = int(np.searchsorted(self.places.y[row], (y - self.camera.y) / self.sy))
        row = row[max(at - 2, 0) : at + 2]
        left = float(self.left(column))
        if left - reach <= x <= left + self.bar + reach:
            tops, bottoms = self.spans(row)
            distance = np.maximum(np.maximum(tops - y, y - bottoms), 0.0)
            nearest = int(np.argmin(distance))
            if distance[nearest] <= reach:
                return int(row[nearest])
        return next((int(i) for i in row if self.words_box(int(i)).contains(x, y)), -1)


def _meet(middles: NDArray, halves: NDArray, others: NDArray, other_halves: NDArray | float) -> NDArray[np.bool_]:
    """bool[k]: which words reach over one of some others; both are sorted downwards and do not overlap each other."""
    if not others.size:
        return np.zeros(len(middles), bool)
    other_halves = np.broadcast_to(other_halves, others.shape)
    tops, bottoms = others - other_halves, others + other_halves
    first = np.searchsorted(bottoms, middles - halves, side="right")  # the first that ends below the upper side
    return (first < others.size) & (tops[np.minimum(first, others.size - 1)] < middles + halves)


@dataclass(frozen=True)
class Spot:
    """Where the words of a node stand."""

    lines: int  # how many they are at most
    middle: float  # how far down
    room: float  # pixels to the right of the bar
    box: QRectF  # around them
    before: float = 0.0  # pixels to the left of the bar that no words take


class Bar(NamedTuple):
    """A node that may have words."""

    i: int  # i, level: its position, its column
    level: int
    x: float  # where words beside it begin
    low: float  # low, high: its ends
    high: float
    one: float  # one, two: where the middles of one line and of two lines stand best
    two: float


def spots(frame: StreamFrame) -> dict[int, Spot]:
    """The words that are shown, by the positions of their nodes."""
    found: dict[int, Spot] = {}
    if frame.pitch < LEAST_PITCH * frame.words:
        return found
    nodes = largest(frame)
    low, high = frame.spans(nodes)
    level = frame.scene.levels.level[nodes]
    one, two = (frame.middles(nodes, np.full(nodes.size, lines)) for lines in (1, 2))
    columns = nodes, level, frame.beside(level), low, high, one, two
    taken: list[QRectF] = []
    for bar in map(Bar._make, zip(*(column.tolist() for column in columns), strict=True)):
        spot = _spot(frame, bar, taken)
        if spot is not None:
            found[bar.i] = spot
            taken.append(spot.box.adjusted(-SPOTS_APART, -SPOTS_APART, SPOTS_APART, SPOTS_APART))
    if not found:
        return found
    # the room for words on the streams into these nodes
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


def largest(frame: StreamFrame) -> NDArray[np.int64]:
    """The nodes with the highest bars in view, the highest first."""
    scene = frame.scene
    nodes = np.arange(scene.tree.n_nodes) if scene.folded is None else scene.folded.shown
    nodes = scene.inside(nodes[frame.places.heights[nodes] * frame.sy >= LEAST_SPOT_BAR * frame.words], frame.top)
    low, high = frame.spans(nodes)
    seen = np.minimum(high, frame.size.height()) - np.maximum(low, 0.0) >= LEAST_SPOT_BAR * frame.words
    x = frame.left(scene.levels.level[nodes])
    nodes = nodes[seen & (x >= -WIDEST_SPOT * frame.words) & (x <= frame.size.width())]
    return nodes[np.argsort(-frame.places.heights[nodes], kind="stable")[:MOST_SPOTS]]


def _spot(frame: StreamFrame, bar: Bar, taken: list[QRectF]) -> Spot | None:
    end = frame.camera.x + frame.scene.levels.depth * frame.pitch + frame.bar + (frame.scene.last - 2) * frame.words
    tries: list[tuple[int, float, float]] = []
    for widest in (WIDEST_CUT, WIDEST_SPOT) if frame.leads(bar.i) else (WIDEST_SPOT,):
        room = min(widest * frame.words, end - bar.x)
        tries += [(2, bar.two, room)] * (bar.high - bar.low >= TWO_LINES * frame.words) + [(1, bar.one, room)]
    if not frame.scene.cards.is_inner(bar.i):
        tries.append((1, bar.one, min(ANSWER * frame.words, room)))
    ways = [(*each, HIDDEN) for each in tries]
    if frame.small:
        ways = [(*each, 0.0) for each in (*tries, (1, bar.one, min(frame.whole, room)))] + ways
    return next((spot for way in ways if (spot := _placed(frame, bar, taken, *way)) is not None), None)


def _placed(
    frame: StreamFrame, bar: Bar, taken: list[QRectF], lines: int, centre: float, room: float, hidden: float
) -> Spot | None:
    shape = frame.shape(bar.i, lines, room)
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
        if not _hides(frame, bar, box, hidden):
            return Spot(lines, middle, room, box)
    return None


def _hides(frame: StreamFrame, bar: Bar, box: QRectF, most: float) -> bool:
    """Whether a box of words lies over more than so much of a bar beyond, or of another one of its column."""
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
            if i != bar.i and min(middle + half, bottom) - max(middle - half, top) > most * 2 * half:
                return True
    return False


@dataclass(frozen=True)
class Seen:
    """Positions in the tree, level by level."""

    nodes: NDArray[np.int64]  # drawn with a bar each
    blocks: NDArray[np.int64]  # roots of subtrees that are drawn as one rectangle


def seen(frame: StreamFrame) -> Seen:
    """What a view shows; the work is bounded by its pixels times its columns, and by one column of the tree."""
    places, levels, camera = frame.places, frame.scene.levels, frame.camera

    def in_view(nodes: NDArray) -> NDArray[np.bool_]:
        inside: NDArray[np.bool_] = camera.y + places.low[nodes] * frame.sy - 1 <= frame.size.height()
        return inside & (camera.y + places.high[nodes] * frame.sy + 1 >= 0)

    last, flat = min(last_column(frame) + 1, levels.depth), frame.pitch < SMALLEST_PITCH
    nodes, blocks = walk(levels, first_column(frame), last, in_view, frame.are_tiny, flat=flat)
    return Seen(frame.scene.inside(nodes, frame.top), frame.scene.inside(blocks, frame.top))


def first_column(frame: StreamFrame) -> int:
    """The first column whose words reach into view; what leads to them from the left is drawn with them."""
    depth = frame.scene.levels.depth
    before = (-frame.camera.x - max(frame.pitch, frame.scene.last * frame.words)) / frame.pitch
    return int(min(max(np.ceil(before), 0), depth))


def last_column(frame: StreamFrame) -> int:
    return int(min(max((frame.size.width() - frame.camera.x) // frame.pitch, 0), frame.scene.levels.depth))
