"""Which nodes a picture shows: what lies in view, and subtrees too small to be told apart, as one block each."""

from dataclasses import dataclass

import numpy as np

from gui.canvas.frame import Frame

SMALLEST_SUBTREE = 1.5  # pixels; a narrower subtree is drawn as one block
SMALLEST_PITCH = 1.0
ABOVE = 12.0  # pixels; nothing of a card reaches further down than that
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
    """Walks down from the first level in view, or from the node of a branch at the position `top`, one level at a time;
    leaves out what the view does not reach.

    The work is bounded by the pixels of the view times the levels in it, and by one row of the tree.
    """
    scene, camera = frame.scene, frame.camera
    nothing = np.zeros(0, dtype=np.int64)
    found: tuple[list[np.ndarray], ...] = ([nothing], [nothing], [nothing])
    level = int(scene.levels.level[top]) if top else _first_level(frame)
    row = np.array([top]) if top else scene.levels.row(level)
    while row.size and camera.y + (level - 1) * frame.pitch <= height:
        inside = camera.x + scene.left[row] * frame.sx - BESIDE <= width
        inside &= camera.x + scene.right[row] * frame.sx + BESIDE >= 0
        below = camera.y + scene.deepest[row] * frame.pitch + scene.cards.card_height * frame.scales[level]
        row = row[inside & (below >= 0)]
        tiny = _are_tiny(frame, row)
        found[2].append(_highest_tiny(frame, row[tiny]) if len(found[2]) == 1 and not top else row[tiny])
        row = row[~tiny]
        named = frame.are_named(row)
        found[0].append(row[named])
        found[1].append(row[~named])
        row, level = scene.levels.children_of(row), level + 1
    return Seen(*(np.concatenate(rows) for rows in found))


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
