"""Which nodes a picture shows: what lies in view, and subtrees too small to be told apart, as one block each."""

from dataclasses import dataclass

import numpy as np

from gui.canvas.frame import Frame

SMALLEST_SUBTREE = 1.5  # pixels; a narrower subtree is drawn as one block
SMALLEST_PITCH = 1.0
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


def seen(frame: Frame, width: float, height: float) -> Seen:
    """Walks down from the root, one level at a time, and leaves out what the view does not reach.

    The work is bounded by the pixels of the view times the levels in it, not by the size of the tree.
    """
    scene, camera = frame.scene, frame.camera
    nothing = np.zeros(0, dtype=np.int64)
    found: tuple[list[np.ndarray], ...] = ([nothing], [nothing], [nothing])
    row, level = np.zeros(1, dtype=np.int64), 0
    while row.size and camera.y + (level - 1) * frame.pitch <= height:
        inside = camera.x + scene.left[row] * frame.sx - BESIDE <= width
        inside &= camera.x + scene.right[row] * frame.sx + BESIDE >= 0
        below = camera.y + scene.deepest[row] * frame.pitch + scene.cards.card_height * frame.scales[level]
        row = row[inside & (below >= 0)]
        tiny = (scene.inner_right[row] - scene.inner_left[row]) * frame.sx < SMALLEST_SUBTREE
        tiny |= frame.pitch < SMALLEST_PITCH
        found[2].append(row[tiny])
        row = row[~tiny]
        named = frame.are_named(row)
        found[0].append(row[named])
        found[1].append(row[~named])
        row, level = scene.levels.children_of(row), level + 1
    return Seen(*(np.concatenate(rows) for rows in found))
