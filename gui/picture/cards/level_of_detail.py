"""Which nodes a picture shows: what lies in view, and subtrees too small to be told apart, as one block each."""

from dataclasses import dataclass

import numpy as np

from gui.picture.cards.frame import Frame

SMALLEST_SUBTREE = 1.5  # pixels; a narrower subtree is drawn as one block
SMALLEST_PITCH = 1.0
ABOVE = 12.0  # pixels; nothing of a card reaches further down than that
TOGETHER = 6_000  # nodes of so many levels are looked at together
BESIDE = 120.0  # cards may be so much wider than their place in the drawing


@dataclass(frozen=True)
class Seen:
    """Positions in the tree, level by level.

    Attributes:
        named: drawn as cards with words.
        boxed: drawn as plain boxes.
        blocks: roots of subtrees that are drawn as one rectangle.
    """

    named: np.ndarray
    boxed: np.ndarray
    blocks: np.ndarray


def seen(frame: Frame, width: float, height: float, top: int = 0) -> Seen:
    """Walks down from the first level in view, or from the node of a branch at the position `top`; leaves out what the
    view does not reach. Levels with few nodes are taken together: what is below a subtree that is out of view, or too
    small, is so itself.

    The work is bounded by the pixels of the view times the levels in it, and by one row of the tree.
    """
    scene, levels = frame.scene, frame.scene.levels
    nothing = np.zeros(0, dtype=np.int64)
    nodes, blocks = [nothing], [nothing]
    level = int(scene.levels.level[top]) if top else _first_level(frame)
    last = min(int((height - frame.camera.y) // frame.pitch) + 1, levels.depth)
    if top or level > last:
        row, after = np.array([top]), level + 1
    else:
        row, after = levels.rows(level, last, TOGETHER)
    while level <= last and row.size:
        row = row[_in_view(frame, row, width)]
        tiny = _are_tiny(frame, row)
        small = row[tiny]
        if len(nodes) > 1 or top:
            blocks.append(small)
        else:
            first = scene.levels.level[small] == level
            lower = small[~first]
            highest = _highest_tiny(frame, small[first])
            blocks += [highest, lower[~_are_tiny(frame, scene.tree.parent[lower])]]
        row = row[~tiny]
        nodes.append(row)
        row = levels.children_of(row[scene.levels.level[row] == after - 1])
        level, after = after, after + 1
    shown = np.concatenate(nodes)
    named = frame.are_named(shown)
    return Seen(shown[named], shown[~named], np.concatenate(blocks))


def _in_view(frame: Frame, nodes: np.ndarray, width: float) -> np.ndarray:
    """bool[n]: whether the view may reach the subtrees of some nodes, or the edges that lead to them."""
    scene, camera = frame.scene, frame.camera
    inside: np.ndarray = camera.x + scene.left[nodes] * frame.sx - BESIDE <= width
    inside &= camera.x + scene.right[nodes] * frame.sx + BESIDE >= 0
    scales = frame.scales[scene.levels.level[nodes]]
    inside &= camera.y + scene.deepest[nodes] * frame.pitch + scene.cards.card_height * scales >= 0
    return inside


def _first_level(frame: Frame) -> int:
    """The uppermost level whose cards reach into view; what leads to them from above is drawn with them."""
    bottoms = frame.camera.y + np.arange(len(frame.scales)) * frame.pitch
    bottoms += frame.scene.cards.card_height * frame.scales + ABOVE
    return int(np.argmax(bottoms >= 0)) if bottoms[-1] >= 0 else len(bottoms) - 1


def _are_tiny(frame: Frame, nodes: np.ndarray) -> np.ndarray:
    """bool[n]: whether the subtrees of these nodes are too small to be told apart."""
    scene = frame.scene
    tiny: np.ndarray = (scene.inner_right[nodes] - scene.inner_left[nodes]) * frame.sx < SMALLEST_SUBTREE
    return tiny | (frame.pitch < SMALLEST_PITCH)


def _highest_tiny(frame: Frame, nodes: np.ndarray) -> np.ndarray:
    """The uppermost nodes on the ways up from tiny ones that are tiny, too: one block stands for all below them."""
    if frame.pitch < SMALLEST_PITCH:
        return nodes[:1] * 0  # the root
    parent, highest = frame.scene.tree.parent, [nodes[:0]]
    while nodes.size:
        above = np.maximum(parent[nodes], 0)
        up = (nodes > 0) & _are_tiny(frame, above)
        highest.append(nodes[~up])
        nodes = np.unique(above[up])
    return np.unique(np.concatenate(highest))
