"""Which nodes a picture of streams shows, and subtrees too small to be told apart, as one block each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gui.picture.streams.frame import SMALLEST_PITCH, StreamFrame

TOGETHER = 6_000  # nodes of so many columns are looked at together


@dataclass(frozen=True)
class Seen:
    """Positions in the tree, level by level.

    Attributes:
        nodes: drawn with a bar each.
        blocks: roots of subtrees that are drawn as one rectangle.
    """

    nodes: NDArray[np.int64]
    blocks: NDArray[np.int64]


def seen(frame: StreamFrame) -> Seen:
    """Walks down from the first column in view, and leaves out what the view does not reach. Columns with few nodes are
    taken together: what is below a subtree that is out of view, or too small, is so itself.

    The work is bounded by the pixels of the view times the columns in it, and by one column of the tree.
    """
    places, levels = frame.places, frame.scene.levels
    first = level = first_column(frame)
    last = min(last_column(frame) + 1, levels.depth)
    row, after = levels.rows(level, last, TOGETHER)
    nodes, blocks = [row[:0]], [row[:0]]
    while level <= last and row.size:
        inside = frame.camera.y + places.low[row] * frame.sy - 1 <= frame.size.height()
        inside &= frame.camera.y + places.high[row] * frame.sy + 1 >= 0
        row = row[inside]
        tiny = frame.are_tiny(row)
        small = row[tiny]
        lower = small[levels.level[small] > level] if level == first else small[:0]
        uppermost = small[levels.level[small] == level]
        blocks.append(_highest_tiny(frame, uppermost) if level == first else uppermost)
        blocks.append(lower[~frame.are_tiny(frame.scene.tree.parent[lower])])
        row = row[~tiny]
        nodes.append(row)
        row = levels.children_of(row[levels.level[row] == after - 1])
        level, after = after, after + 1
    return Seen(frame.below_top(np.concatenate(nodes)), frame.below_top(np.concatenate(blocks)))


def first_column(frame: StreamFrame) -> int:
    """The first column whose words reach into view; what leads to them from the left is drawn with them."""
    depth = frame.scene.levels.depth
    before = (-frame.camera.x - max(frame.pitch, frame.scene.last * frame.words)) / frame.pitch
    return int(min(max(np.ceil(before), 0), depth))


def last_column(frame: StreamFrame) -> int:
    """The last column in view."""
    return int(min(max((frame.size.width() - frame.camera.x) // frame.pitch, 0), frame.scene.levels.depth))


def _highest_tiny(frame: StreamFrame, nodes: NDArray) -> NDArray[np.int64]:
    """The first nodes on the ways from the root to tiny ones that are tiny, too: one block stands for all below."""
    if frame.pitch < SMALLEST_PITCH:
        return nodes[:1] * 0  # the root
    parent, highest = frame.scene.tree.parent, [nodes[:0]]
    while nodes.size:
        up_to = np.maximum(parent[nodes], 0)
        up = (nodes > 0) & frame.are_tiny(up_to)
        highest.append(nodes[~up])
        nodes = np.unique(up_to[up])
    return np.unique(np.concatenate(highest))
