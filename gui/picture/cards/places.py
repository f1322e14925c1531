"""Where everything of a tree stands: numbers that neither colours nor the class in focus change.

They are found once for a tree and its cards' sizes, and kept with the tree: in the worker for a large one, before it is
shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.picture import tree_cache
from gui.picture.folds.folded import Folded, FoldedLevels
from gui.picture.layout import layout
from gui.picture.levels import Levels, levels_of

if TYPE_CHECKING:
    from engine.tree.tree import Tree

GAP = 14.0
WIDEST_EDGE = 44.0  # of an edge that carries all rows
MANY = 8  # branches; more than so many stand at equal distances


@dataclass(frozen=True)
class Sizes:
    """How much room the cards of a tree take.

    Attributes:
        room: float64[n_nodes], the width that each node needs on its level.
        card_height, tile_height: of inner nodes and of leaves.
        pitch: from the top of one level to the top of the next.
    """

    room: NDArray[np.float64]
    card_height: float
    tile_height: float
    pitch: float

    def same(self, other: Sizes) -> bool:
        """Whether a tree with these sizes is laid out as one with those."""
        mine, others = ((sizes.card_height, sizes.tile_height, sizes.pitch) for sizes in (self, other))
        return mine == others and (self.room is other.room or np.array_equal(self.room, other.room))


def places_of(tree: Tree, sizes: Sizes, folded: Folded | None = None) -> Places:
    """The places that are kept with the tree, or new ones; those of the whole tree stay, whatever is folded."""
    notes, key = tree_cache.book(tree), (Places, folded is not None)
    found = notes.get(key)
    if found is None or found.folded is not folded or not found.sizes.same(sizes):
        found = notes[key] = Places(tree, sizes, folded)
    return found


_BY_NODE = ("x", "top", "heights", "node_room", "inner_left", "inner_right", "deepest", "left", "right")


class Places:
    """One tree, laid out. What is hidden in a folded branch stands where the folded node stands.

    Attributes:
        levels: the tree by level.
        x: float64[n_nodes], centres; the drawing begins at 0 and ends at `width`.
        top: float64[n_nodes], the upper side of each card.
        heights: float64[n_nodes], of each card.
        node_room: float64[n_nodes], how many times wider than needed the place of each node is.
        level_room: float64[levels], how many times wider than needed the tightest place on a level is, and
            on every level above it.
        inner_left, inner_right, deepest: the box around each subtree.
        left, right: its sides, the way to its parent included.
    """

    def __init__(self, tree: Tree, sizes: Sizes, folded: Folded | None = None) -> None:
        from gui.picture.tidy import find_room

        self.sizes, self.folded = sizes, folded
        shown = slice(None) if folded is None else folded.shown
        levels = self.levels = levels_of(tree) if folded is None else folded.levels
        room = sizes.room[shown]
        drawn = layout(levels, room, GAP)
        self.x, self.inner_left, self.inner_right = drawn.centres, drawn.left, drawn.right
        self.deepest = levels.level + drawn.height
        self.width = float(drawn.right[0])
        self.top = levels.level * sizes.pitch
        self.heights = np.where(tree.n_branches[shown] > 0, sizes.card_height, sizes.tile_height)
        self.bottom = float((self.top + self.heights).max())
        self.node_room, self.level_room = find_room(levels.level, self.x, room, self.width, GAP, levels.depth)
        above = self.x[np.maximum(levels.parent, 0)]
        self.left = np.minimum(self.inner_left, above)
        self.right = np.maximum(self.inner_right, above)
        if folded is not None:
            self._spread(tree, folded)

    def _spread(self, tree: Tree, folded: Folded) -> None:
        """From the nodes that are shown to all of the tree."""
        for name in _BY_NODE:
            setattr(self, name, getattr(self, name)[folded.at])
        self.levels = FoldedLevels(tree, folded)


def ribbons_of(tree: Tree, levels: Levels, part: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(float64[n_nodes] the width of the edge into each node by the rows of a part, float64[n_nodes] where on the
    parent's lower side it begins, from its centre), kept with the tree."""
    notes, key = tree_cache.book(tree), (ribbons_of, part)
    if key not in notes:
        notes[key] = _side_by_side(levels, tree.rows_validation if part == "validation" else tree.rows_train)
    return notes[key]


def _side_by_side(levels: Levels, rows: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where an edge begins is the running sum of its siblings' widths."""
    ribbons = np.maximum(1.5, WIDEST_EDGE * (rows / max(int(rows[0]), 1)))
    widths = ribbons[levels.order]
    ends = np.cumsum(widths)
    starts = np.concatenate(([0.0], ends))
    # Seen from the middle of all edges of the parent.
    middle = (starts[levels.child[:-1]] + starts[levels.child[1:]]) / 2 if levels.n > 1 else np.zeros(1)
    begin = ends - widths / 2 - middle[levels.above]
    begin[0] = 0.0
    return ribbons, begin[levels.place]


def evened(tree: Tree, room: NDArray[np.float64]) -> NDArray[np.float64]:
    """The room of each node, that of many siblings alike: in a smaller drawing all of them have words, or none."""
    parent = np.maximum(tree.parent, 0)
    siblings = np.flatnonzero((tree.n_branches > MANY)[parent] & (tree.parent >= 0))
    if not siblings.size:
        return room
    widest = np.zeros(tree.n_nodes)
    np.maximum.at(widest, parent[siblings], room[siblings])
    room = room.copy()
    room[siblings] = widest[parent[siblings]]
    return room
