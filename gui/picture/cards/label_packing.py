"""Words in room that nobody needs: cards too small for their words, those with the most rows first, become wide and
high enough for them where their neighbours on the same level leave them room; they need not be in the middle of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gui.picture.nodes.letters import NAME

if TYPE_CHECKING:
    from gui.picture.cards.frame import Frame

MOST_LOOKED_AT, MOST = 500, 80  # nodes with the most rows, and how many of them may get words so
HIGH, LEAST_HIGH = 15.0, 11.5  # pixels of such a card, and where levels are near to each other
APART, BELOW = 4.0, 2.0  # pixels between it and its neighbours, and the next level
FOLD = 12.0  # pixels below a folded one for what it says of what it hides
LEAST_WON = 6.0  # pixels; for less no card is made wider
NAMES = 58.0  # the least for names, at scale 1
AROUND, AROUND_FIGURE = 12.0, 9.0  # pixels around its words, and the least around figures
SMALL_LETTERS = 0.75  # their size there
WITH_BAR = 21.0  # pixels of cards with more than their name
WIDEST = 110.0  # pixels; longer names are shortened
OUTSIDE = 18.0  # pixels that it may stand out of the drawing: less than the margin around a fitted one
SMALLEST_SUBTREE = 1.5  # pixels; narrower ones are drawn as blocks


class Spare(NamedTuple):
    """The cards that take spare room.

    Attributes:
        nodes: intp[k], their positions in the tree, in order.
        x, width: float64[k], pixels; x from the camera's.
    """

    nodes: NDArray[np.intp]
    x: NDArray[np.float64]
    width: NDArray[np.float64]


NONE = Spare(np.zeros(0, np.intp), np.zeros(0), np.zeros(0))


def spare_of(frame: Frame) -> Spare:
    """The cards that take spare room at a camera's scale, wherever it stands; kept with the scene."""
    key, made = (frame.camera.zoom, frame.sx, frame.sy), frame.scene.spare_made
    if key not in made:
        made.clear()
        made[key] = _found(frame)
    found: Spare = made[key]
    return found


def high_of(frame: Frame) -> float:
    """How high such a card is on a low level."""
    return min(HIGH, frame.pitch - BELOW)


def _found(frame: Frame) -> Spare:
    if high_of(frame) < LEAST_HIGH or not frame.scene.cards.inner_rows:
        return NONE
    nodes = frame.scene.most_rows
    nodes = nodes[_may(frame, nodes)]
    left, right, own, before, after = _rooms(frame, nodes)
    least, levels = _least(frame, nodes, own[:, 1] - own[:, 0]), frame.scene.levels
    some = right - left >= np.maximum(least, own[:, 1] - own[:, 0] + LEAST_WON)
    taken: dict[int, tuple[int, float, float]] = {}
    columns = nodes, levels.place[nodes], left, right, own, least, before, after
    for i, place, low, high, (x0, x1), fewest, has_before, has_after in zip(
        *(column[some].tolist() for column in columns), strict=True
    ):
        if has_before and place - 1 in taken:
            low = min(max(low, taken[place - 1][2] + APART), x0)
        if has_after and place + 1 in taken:
            high = max(min(high, taken[place + 1][1] - APART), x1)
        if high - low < max(fewest, _figure(frame, i)):
            continue
        wide = min(max(_wanted(frame, i), fewest, _figure(frame, i)), high - low)
        if wide > x1 - x0 or fewest > x1 - x0:
            start = min(max((x0 + x1 - wide) / 2, low), high - wide)
            taken[place] = i, start, start + wide
        if len(taken) >= MOST:
            break
    return _sorted(taken.values())


def _sorted(found: Iterable[tuple[int, float, float]]) -> Spare:
    """By position."""
    nodes, left, right = np.array(sorted(found)).reshape(-1, 3).T
    return Spare(nodes.astype(np.intp), left, right - left)


def _least(frame: Frame, nodes: NDArray[np.intp], widths: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n]: the least pixels for words of some nodes: a few letters of a name tell too little. Those that have
    words at their places may become wider, never narrower than they are there."""
    names = np.minimum(frame.scene.cards.name_widths[nodes], NAMES) * SMALL_LETTERS + AROUND
    wanted = np.maximum(np.maximum(names, frame.least_widths(nodes)), widths)
    return np.where(frame.have_room(nodes), widths, wanted)


def _may(frame: Frame, nodes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """bool[n]: which nodes are drawn by themselves, and if folded leave room for what they say of that."""
    scene = frame.scene
    found: NDArray[np.bool_] = (scene.inner_right[nodes] - scene.inner_left[nodes]) * frame.sx >= SMALLEST_SUBTREE
    if scene.folded is not None and frame.pitch < HIGH + BELOW + FOLD:
        found &= ~scene.folded.closed[nodes]
    return found


def _rooms(frame: Frame, nodes: NDArray[np.intp]) -> tuple[NDArray, NDArray, NDArray, NDArray, NDArray]:
    """(left, right, box, before, after): the free room around each node, float64[n] each; float64[n, 2] its own sides,
    from the camera's place; bool[n] twice, whether there is a neighbour before and after it."""
    levels = frame.scene.levels
    place, level = levels.place[nodes], levels.level[nodes]
    before, after = place > levels.start[level], place + 1 < levels.start[level + 1]

    def sides(places: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        x, width = frame.across(levels.order[places])
        return x, x + width

    own = np.column_stack(sides(place))
    begin, end = _ends(frame, nodes)
    left = np.where(before, np.maximum(sides(np.maximum(place - 1, 0))[1] + APART, begin), begin)
    right = np.where(after, np.minimum(sides(np.minimum(place + 1, levels.n - 1))[0] - APART, end), end)
    return np.minimum(left, own[:, 0]), np.maximum(right, own[:, 1]), own, before, after


def _ends(frame: Frame, nodes: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """float64[n] twice: how far to the left and to the right cards may reach. On paper, which may hold a branch alone,
    not out of what is below their parent."""
    scene = frame.scene
    if not scene.paper:
        return np.full(nodes.size, -OUTSIDE), np.full(nodes.size, scene.width * frame.sx + OUTSIDE)
    parent = np.maximum(scene.tree.parent[nodes], 0)
    return scene.inner_left[parent] * frame.sx, scene.inner_right[parent] * frame.sx


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
    text = cards.briefs(i)[0] if cards.says_figure(i) else cards.title(i)
    return min(cards.letters.width(text, NAME) * SMALL_LETTERS + AROUND, WIDEST)
