"""Where everything stands on the screen: a scene seen through a camera. Cards are larger where there is room: of one
height for each level, from the camera's zoom to the natural one, and never more than the level above; where its words
need more, each card is as wide as its neighbours let it be, and of the others those with the most rows take what room
is left (see `Spare`)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF

from gui.picture.camera import Camera
from gui.picture.cards.scene import Scene
from gui.picture.nodes.cards import LABEL_ROOM
from gui.picture.nodes.letters import NAME

FULL = 0.7  # least size of whole cards
NAMED_HEIGHT, NAMED, AROUND_NAME = 13.0, 26.0, 8.0  # least pixels of cards that show words, and around these
NAME_WIDTH = 0.75  # the share at which the smallest letters show whole names
NO_NODES = np.zeros(0, np.intp)
LEAST_HEIGHT = 2.0  # pixels; no box is drawn lower
EDGE_HIGH, EDGE_BESIDE = 16.0, 5.0  # pixels at scale 1: of the plate behind the words on an edge, and beside them
LABEL = 40.0  # what an edge and its words need below a card
WORDS_APART, SMALLEST_WORDS = 17.0, 0.75  # the least between cards for words on an edge, and the size they stop at
LOW_CARD = 27.0  # pixels of a card with a name and a bar; lower ones leave nothing to the words on edges
MOST_SPARE = 80  # nodes that may get words so, of those with the most rows
SPARE_HIGH, SPARE_LEAST = 15.0, 11.5  # pixels of such a card, and where levels are near to each other
SPARE_APART, SPARE_BELOW = 4.0, 2.0  # pixels between it and its neighbours, and the next level
SPARE_FOLD = 12.0  # pixels below a folded one for what it says of what it hides
LEAST_WON = 6.0  # pixels; for less no card is made wider
NAMES = 58.0  # the least for names, at scale 1
SPARE_AROUND, AROUND_FIGURE = 12.0, 9.0  # pixels around its words, and the least around figures
SMALL_LETTERS = 0.75  # their size there
WITH_BAR = 21.0  # pixels of cards with more than their name
WIDEST, WIDEST_CUT = 110.0, 170.0  # pixels; longer names are shortened
OUTSIDE = 18.0  # pixels that it may stand out of the drawing: less than the margin around a fitted one
SMALLEST_SUBTREE = 1.5  # pixels; narrower ones are drawn as blocks


class Frame:
    """One picture of a scene."""

    def __init__(self, scene: Scene, camera: Camera) -> None:
        self.scene, self.camera, self.sx, self.sy = scene, camera, camera.sx, camera.sy
        self.pitch = scene.cards.pitch * self.sy  # pixels from one level to the next
        self.spare_high = min(SPARE_HIGH, self.pitch - SPARE_BELOW)  # of a card in spare room on a low level
        high = scene.cards.card_height
        upright = self.pitch / (high + LABEL)
        # float64[levels], the size of the cards on each level; 1 is natural
        self.scales = np.minimum(scene.level_room * self.sx, upright).clip(camera.zoom, max(1.0, camera.zoom))
        leaves = self.pitch / (high + WORDS_APART)  # the size at which cards leave room for the words on edges
        if leaves < SMALLEST_WORDS:
            leaves = (self.pitch - WORDS_APART * SMALLEST_WORDS) / high
        np.minimum(self.scales, max(leaves, LOW_CARD / high), out=self.scales)

    def wides(self, nodes: np.ndarray) -> np.ndarray:
        """float64[n]: the width of cards as a share of the natural one."""
        scale, cards = self.scales[self.scene.levels.level[nodes]], self.scene.cards
        # In a tight tree a card may have the room of the words on its edge, which are left out there.
        room = self.scene.node_room[nodes] * self.sx * (cards.room[nodes] / cards.widths[nodes])
        spread = room.clip(scale, np.maximum(scale, NAME_WIDTH))
        # Letters stop shrinking before cards do: what shows words is wider than it is high, as far as there is room.
        return np.where(scale * self.scene.cards.card_height >= NAMED_HEIGHT, spread, scale)

    def are_named(self, nodes: np.ndarray) -> np.ndarray:
        """bool[n]: which nodes show words."""
        found = self.have_room(nodes)
        found[self._spare(nodes)[0]] = True
        return found

    def have_room(self, nodes: np.ndarray) -> np.ndarray:
        """bool[n]: which nodes show words at the place that is theirs."""
        scene = self.scene
        width = scene.cards.widths[nodes] * self.wides(nodes)
        high = self.scales[scene.levels.level[nodes]] * scene.cards.card_height >= NAMED_HEIGHT
        return high & (width >= self.least_widths(nodes))

    def least_widths(self, nodes: np.ndarray) -> np.ndarray:
        """float64[n]: the least pixels in which nodes say something."""
        return np.maximum(self.scene.cards.name_room[nodes] * NAME_WIDTH + AROUND_NAME, NAMED)

    def _spare(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(int[k], int[k]): which of some nodes take spare room, and where they are in `Spare`."""
        spare = spare_of(self)
        if not spare.nodes.size:
            return NO_NODES, NO_NODES
        at = np.minimum(spare.nodes.searchsorted(nodes), spare.nodes.size - 1)
        which = np.flatnonzero(spare.nodes[at] == nodes)
        return which, at[which]

    def slots(self, nodes: np.ndarray) -> np.ndarray:
        """float64[n]: how many pixels are a node's own, for what is written above it."""
        scales = self.scales[self.scene.levels.level[nodes]]
        room: np.ndarray = self.scene.cards.room[nodes] * np.maximum(self.scene.node_room[nodes] * self.sx, scales)
        if self.pitch < SPARE_HIGH + WORDS_APART:  # above words in spare room there may be other such cards
            room[scales * self.scene.cards.card_height < NAMED_HEIGHT] = 0.0
        return room

    def edge_rooms(self, nodes: np.ndarray) -> list[float]:
        """The pixels at scale 1 for words on the edge into each of some nodes; 0 where there are none."""
        scales = np.maximum(self.sizes(nodes), SMALL_LETTERS)
        rooms = (self.slots(nodes) + 8) / scales - 2 * EDGE_BESIDE
        usual = np.where(self.scene.node_room[nodes] * self.sx >= 1.0, np.maximum(rooms, LABEL_ROOM), rooms)
        edges = self.edges(nodes)
        there = self.are_named(nodes) & (edges[:, 3] - edges[:, 1] >= EDGE_HIGH * scales)
        return np.where(there, usual, 0.0).tolist()

    def scale(self, i: int) -> float:
        return float(self.sizes(np.array([i]))[0])

    def sizes(self, nodes: np.ndarray) -> np.ndarray:
        """float64[n]: the size of some cards: that of their level, or what words in spare room need."""
        found: np.ndarray = self.scales[self.scene.levels.level[nodes]]
        which, _ = self._spare(nodes)
        high = found[which] * self.scene.cards.card_height
        # Where others have words, tiles are as high as cards.
        least = np.where(high < NAMED_HEIGHT, self.spare_high, NAMED_HEIGHT)
        found[which] = np.maximum(found[which], least / self.scene.heights[nodes[which]])
        return found

    def box(self, i: int) -> QRectF:
        return QRectF(*self.cards(np.array([i]))[0].tolist())

    def cards(self, nodes: np.ndarray) -> np.ndarray:
        """float64[n, 4]: x, y, width, height of the cards of some nodes on the screen."""
        x, width = self.across(nodes)
        which, at = self._spare(nodes)
        x[which], width[which] = spare_of(self).x[at], spare_of(self).width[at]
        top, height = self.camera.y + self.scene.top[nodes] * self.sy, self.scene.heights[nodes] * self.sizes(nodes)
        return np.column_stack((self.camera.x + x, top, width, height))

    def across(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """float64[n] twice: the left sides, from the camera's place, and the widths of cards in their own places."""
        width = self.scene.cards.widths[nodes] * self.wides(nodes)
        return self.scene.x[nodes] * self.sx - width / 2, width

    def tops(self, nodes: np.ndarray | np.intp | slice) -> tuple[np.ndarray, np.ndarray]:
        """float64[n] twice: the middles of the upper sides of cards."""
        return self.camera.x + self.scene.x[nodes] * self.sx, self.camera.y + self.scene.top[nodes] * self.sy

    def edges(self, nodes: np.ndarray) -> np.ndarray:
        """float64[n, 4]: where the edges into some nodes begin and end: x, y, x, y. The root has none."""
        scene, parent = self.scene, self.scene.tree.parent[nodes]
        scale, (x, y) = self.scales[scene.levels.level[parent]], self.tops(parent)
        begins = x + scene.leaves_at[nodes] * scale, y + scene.heights[parent] * scale
        return np.column_stack((*begins, *self.tops(nodes)))

    def straight_edges(self, nodes: np.ndarray) -> np.ndarray:
        """float64[n, 4]: the same from the middle of the parent's lower side, however low the parent is."""
        scene, parent = self.scene, self.scene.tree.parent[nodes]
        height = np.maximum(scene.heights[parent] * self.scales[scene.levels.level[parent]], LEAST_HEIGHT)
        (x0, y0), (x1, y1) = self.tops(parent), self.tops(nodes)
        return np.column_stack((x0, y0 + height, x1, y1))

    def anchor(self, i: int) -> QPointF:
        """The middle of the upper side of node i's card."""
        return QPointF(*map(float, self.tops(np.intp(i))))

    def boxes(self, nodes: np.ndarray) -> np.ndarray:
        """float64[n, 4]: x, y, width, height of many cards; never thinner than can be seen."""
        found = self.cards(nodes)
        thin = found[:, 2] < 1.0
        found[thin, 0] += (found[thin, 2] - 1.0) / 2
        found[:, 2:] = np.maximum(found[:, 2:], (1.0, LEAST_HEIGHT))
        return found

    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """float64[n_nodes] twice: the middles of all cards."""
        x, y = self.tops(slice(None))
        return x, y + self.scene.heights * self.scales[self.scene.levels.level] / 2

    def node_at(self, x: float, y: float, reach: float = 3.0) -> int:
        """The position of the node drawn at a point or within reach of it, so that small boxes can be hit; −1: none."""
        level = int(np.floor((y - self.camera.y + reach) / self.pitch))
        if not 0 <= level < len(self.scales):
            return -1
        row = self.scene.levels.row(level)
        nearest = int(np.argmin(np.abs(self.scene.x[row] * self.sx + self.camera.x - x)))
        # Neighbours differ in width: the one whose card holds the point need not have the nearest centre.
        row = row[max(nearest - 1, 0) : nearest + 2]
        left, top, width, height = self.boxes(row).T
        hit = (left - reach <= x) & (x <= left + width + reach) & (top - reach <= y) & (y <= top + height + reach)
        return int(row[np.argmax(hit)]) if hit.any() else -1


class Spare(NamedTuple):
    """The cards that take spare room."""

    nodes: NDArray[np.intp]  # intp[k], their positions in the tree, in order
    x: NDArray[np.float64]  # x, width: float64[k], pixels; x from the camera's
    width: NDArray[np.float64]


NO_SPARE = Spare(np.zeros(0, np.intp), np.zeros(0), np.zeros(0))


def spare_of(frame: Frame) -> Spare:
    """The cards that take spare room at a camera's scale, wherever it stands; kept with the scene."""
    key, made = (frame.camera.zoom, frame.sx, frame.sy), frame.scene.spare_made
    if key not in made:
        made.clear()
        made[key] = _found(frame)
    return made[key]


def _found(frame: Frame) -> Spare:
    if frame.spare_high < SPARE_LEAST or not frame.scene.cards.inner_rows:
        return NO_SPARE
    scene, nodes = frame.scene, frame.scene.most_rows
    may = (scene.inner_right[nodes] - scene.inner_left[nodes]) * frame.sx >= SMALLEST_SUBTREE  # drawn by themselves
    if scene.folded is not None and frame.pitch < SPARE_HIGH + SPARE_BELOW + SPARE_FOLD:
        may &= ~scene.folded.closed[nodes]  # which need room for what they say of that
    nodes = nodes[may]
    left, right, own, before, after = _rooms(frame, nodes)
    widths, levels, fits = own[:, 1] - own[:, 0], scene.levels, frame.have_room(nodes)
    names = np.minimum(scene.cards.name_widths[nodes], NAMES) * SMALL_LETTERS + SPARE_AROUND
    # A few letters of a name tell too little.
    least = np.where(fits, widths, np.maximum.reduce((names, frame.least_widths(nodes), widths)))
    won = np.where(fits, widths + LEAST_WON, 0.0)
    some = right - left >= np.maximum(least, won)
    taken: dict[int, tuple[int, float, float]] = {}
    columns = nodes, levels.place[nodes], left, right, own, least, before, after
    for i, place, low, high, (x0, x1), fewest, has_before, has_after in zip(
        *(column[some].tolist() for column in columns), strict=True
    ):
        if has_before and place - 1 in taken:
            low = min(max(low, taken[place - 1][2] + SPARE_APART), x0)
        if has_after and place + 1 in taken:
            high = max(min(high, taken[place + 1][1] - SPARE_APART), x1)
        if high - low < max(fewest, _figure(frame, i)):
            continue
        wide = min(max(_wanted(frame, i), fewest, _figure(frame, i)), high - low)
        if wide > x1 - x0 or fewest > x1 - x0:
            start = min(max((x0 + x1 - wide) / 2, low), high - wide)
            taken[place] = i, start, start + wide
        if len(taken) >= MOST_SPARE:
            break
    nodes, left, right = np.array(sorted(taken.values())).reshape(-1, 3).T
    return Spare(nodes.astype(np.intp), left, right - left)


def _rooms(frame: Frame, nodes: NDArray[np.intp]) -> tuple[NDArray, NDArray, NDArray, NDArray, NDArray]:
    """float64[n] twice, the sides of the free room around nodes; float64[n, 2] their own, all from the camera's place;
    bool[n] twice, whether there are neighbours before and after them."""
    levels = frame.scene.levels
    place, level = levels.place[nodes], levels.level[nodes]
    before, after = place > levels.start[level], place + 1 < levels.start[level + 1]

    def sides(places: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        x, width = frame.across(levels.order[places])
        return x, x + width

    own, scene = np.column_stack(sides(place)), frame.scene
    begin, end = np.full(nodes.size, -OUTSIDE), np.full(nodes.size, scene.width * frame.sx + OUTSIDE)
    if scene.paper:  # inside of the parent's branch
        parent = np.maximum(scene.tree.parent[nodes], 0)
        begin, end = scene.inner_left[parent] * frame.sx, scene.inner_right[parent] * frame.sx
    left = np.where(before, np.maximum(sides(np.maximum(place - 1, 0))[1] + SPARE_APART, begin), begin)
    right = np.where(after, np.minimum(sides(np.minimum(place + 1, levels.n - 1))[0] - SPARE_APART, end), end)
    return np.minimum(left, own[:, 0]), np.maximum(right, own[:, 1]), own, before, after


def _figure(frame: Frame, i: int) -> float:
    """The least pixels for the figure of a leaf, which is never cut; 0 of nodes that say a name."""
    cards = frame.scene.cards
    if not cards.says_figure(i):
        return 0.0
    return cards.letters.width(cards.briefs(i)[-1], NAME) * SMALL_LETTERS + AROUND_FIGURE


def _wanted(frame: Frame, i: int) -> float:
    """The pixels in which node i says all that its card is high enough for: on a low level its name or its figure."""
    cards, scale = frame.scene.cards, float(frame.scales[frame.scene.levels.level[i]])
    if scale * cards.card_height >= WITH_BAR:
        return min(float(cards.widths[i]) * max(SMALL_LETTERS, scale), WIDEST)
    if i in frame.scene.leading():
        text, widest = cards.cut(i), WIDEST_CUT
    else:
        text, widest = cards.briefs(i)[0] if cards.says_figure(i) else cards.title(i), WIDEST
    return min(cards.letters.width(text, NAME) * SMALL_LETTERS + SPARE_AROUND, widest)
