"""A tree of cards as its painter reads it: where all stands is found once for a tree and its cards' sizes, and kept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import engine
from gui.picture.camera import CardsRegion
from gui.picture.folds import Folded, FoldedLevels
from gui.picture.levels import layout, levels_of, run
from gui.picture.nodes.cards import Sizes
from gui.picture.nodes.figures import rows_of
from gui.picture.picture_model import PictureModel
from gui.picture.tree_cache import book, kept

GAP = 14.0
WIDEST_EDGE = 44.0  # of an edge that carries all rows
_BY_NODE = ("x", "top", "heights", "node_room", "inner_left", "inner_right", "deepest", "left", "right")


def places_of(tree: engine.Tree, sizes: Sizes, folded: Folded | None = None) -> Places:
    """The places that are kept with the tree, or new ones; those of the whole tree stay, whatever is folded."""
    notes, key = book(tree), (Places, folded is not None)
    found = notes.get(key)
    if found is None or found.folded is not folded or not found.sizes.same(sizes):
        found = notes[key] = Places(tree, sizes, folded)
    return found


class Places:
    """One tree, laid out, float64[n_nodes]. What is hidden in a folded branch stands where the folded node stands."""

    def __init__(self, tree: engine.Tree, sizes: Sizes, folded: Folded | None = None) -> None:
        self.sizes, self.folded = sizes, folded
        shown = slice(None) if folded is None else folded.shown
        levels = self.levels = levels_of(tree) if folded is None else folded.levels
        room = sizes.room[shown]
        drawn = layout(levels, room, GAP)
        # centres, in a drawing from 0 to `width`, and the box around each subtree
        self.x, self.inner_left, self.inner_right = drawn.centres, drawn.left, drawn.right
        self.deepest, self.width = levels.level + drawn.height, float(drawn.right[0])
        self.top = levels.level * sizes.pitch  # the upper side of each card
        self.heights = np.where(tree.n_branches[shown] > 0, sizes.card_height, sizes.tile_height)
        self.bottom = float((self.top + self.heights).max())
        # how many times wider than needed: the place of each node; float64[levels], the tightest down to each level
        found = run("find_room", levels.level, self.x, room, self.width, GAP, levels.depth)
        self.node_room, self.level_room = found
        above = self.x[np.maximum(levels.parent, 0)]
        # the sides of each subtree, the way to its parent included
        self.left, self.right = np.minimum(self.inner_left, above), np.maximum(self.inner_right, above)
        if folded is not None:
            for name in _BY_NODE:  # from the nodes that are shown to all of the tree
                setattr(self, name, getattr(self, name)[folded.at])
            self.levels = FoldedLevels(tree, folded)


@kept
def ribbons_of(tree: engine.Tree, part: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(float64[n_nodes] the width of the edge into each node by the rows of a part, float64[n_nodes] where on the
    parent's lower side it begins, from its centre: the running sum of its siblings' widths)."""
    levels, rows = levels_of(tree), rows_of(tree, part)
    ribbons = np.maximum(1.5, WIDEST_EDGE * (rows / max(int(rows[0]), 1)))
    widths = ribbons[levels.order]
    ends = np.cumsum(widths)
    starts = np.concatenate(([0.0], ends))
    # Seen from the middle of all edges of the parent.
    middle = (starts[levels.child[:-1]] + starts[levels.child[1:]]) / 2 if levels.n > 1 else np.zeros(1)
    begin = ends - widths / 2 - middle[levels.above]
    begin[0] = 0.0
    return ribbons, begin[levels.place]


class Scene(PictureModel):
    """A tree of cards from top to bottom, and where they stand (see `Places`)."""

    paper_spread = 1.1

    def _lay_out(self) -> None:
        tree, places = self.tree, places_of(self.tree, self.cards.sizes, self.folded)
        self.levels, self.width, self.bottom = places.levels, places.width, places.bottom
        self.x, self.top, self.heights = places.x, places.top, places.heights
        self.node_room, self.level_room = places.node_room, places.level_room
        self.ribbons, self.leaves_at = ribbons_of(tree, self.cards.part)
        self.left, self.right, self.deepest = places.left, places.right, places.deepest
        self.inner_left, self.inner_right = places.inner_left, places.inner_right
        self.sizes: dict[tuple[float, ...], Any] = {}  # of the pictures before, see `visible_cards`
        self.spare_made: dict[tuple[float, ...], Any] = {}  # what `cards.frame` found for the last picture

    def region(self, top: int = 0) -> CardsRegion:
        rows = slice(top, int(self.tree.end[top]))
        deepest, upper = int(np.max(self.levels.level[rows])), float(self.top[top])
        left, right = (0.0, self.width) if top == 0 else (float(self.inner_left[top]), float(self.inner_right[top]))
        height = float((self.top[rows] + self.heights[rows]).max()) - upper
        last = height - (deepest - int(self.levels.level[top])) * self.cards.pitch
        return CardsRegion(left, upper, right - left, height, last, float(self.level_room[deepest]))

    def part(self, left: float, upper: float, width: float, height: float) -> CardsRegion:
        return CardsRegion(left, upper, width, height, grows=True)
