"""A tree of cards as its painter reads it: who stands where, how wide the edges are."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gui.picture.camera import MARGIN, Camera, fitted
from gui.picture.cards.label_packing import MOST_LOOKED_AT
from gui.picture.cards.places import places_of, ribbons_of
from gui.picture.levels import levels_of
from gui.picture.nodes.figures import rows_of
from gui.picture.nodes.letters import Letters
from gui.picture.picture_model import Drawn
from gui.picture.picture_options import PictureOptions
from gui.picture.region import CardsRegion
from gui.picture.tree_cache import kept
from gui.theme import Theme

if TYPE_CHECKING:
    from engine.tree.tree import Tree
    from gui.picture.cards.size import Size


@kept
def most_rows(tree: Tree, part: str) -> NDArray[np.intp]:
    """intp[k]: the positions of the nodes with the most rows, those first; in preorder where they have equally many."""
    rows = rows_of(tree, part)
    some = np.arange(rows.size)
    if rows.size > MOST_LOOKED_AT:
        some = np.sort(np.argpartition(-rows, MOST_LOOKED_AT)[:MOST_LOOKED_AT])
    return some[np.argsort(-rows[some], kind="stable")]


class Scene(Drawn):
    """A tree of cards from top to bottom, and where they stand (see `Places`).

    Attributes:
        sizes: of the pictures before, see `gui.picture.cards.size`.
        spare_made: what `gui.picture.cards.label_packing` found for the last picture.
    """

    def __init__(
        self, tree: Tree, focus: int, theme: Theme, letters: Letters, shown: PictureOptions | None = None
    ) -> None:
        super().__init__(tree, focus, theme, letters, shown)
        places = places_of(tree, self.cards.sizes, self.folded)
        self.levels, self.width, self.bottom = places.levels, places.width, places.bottom
        self.x, self.top, self.heights = places.x, places.top, places.heights
        self.node_room, self.level_room = places.node_room, places.level_room
        self.ribbons, self.leaves_at = ribbons_of(tree, levels_of(tree), self.cards.part)
        self.left, self.right, self.deepest = places.left, places.right, places.deepest
        self.inner_left, self.inner_right = places.inner_left, places.inner_right
        self.sizes: dict[tuple[float, ...], Size] = {}
        self.spare_made: dict[tuple[float, ...], Any] = {}

    @cached_property
    def most_rows(self) -> NDArray[np.intp]:
        """intp[k]: the positions of the shown nodes with the most rows, those first."""
        if self.folded is None:
            return most_rows(self.tree, self.cards.part)
        rows, shown = rows_of(self.tree, self.cards.part), self.folded.shown
        return shown[np.argsort(-rows[shown], kind="stable")[:MOST_LOOKED_AT]]

    def fitted(self, width: float, height: float, margin: float = MARGIN) -> Camera:
        """A camera that shows the whole tree on a screen of this size."""
        levels = self.levels.depth * self.cards.pitch
        tightest = float(self.level_room[-1])
        return fitted(self.width, levels, self.bottom - levels, width, height, margin, tightest)

    def region(self, top: int = 0) -> CardsRegion:
        """The branch below the node at position `top`."""
        rows = slice(top, int(self.tree.end[top]))
        first, deepest = int(self.levels.level[top]), int(np.max(self.levels.level[rows]))
        levels = (deepest - first) * self.cards.pitch
        left, right = (0.0, self.width) if top == 0 else (float(self.inner_left[top]), float(self.inner_right[top]))
        upper = float(self.top[top])
        last = float((self.top[rows] + self.heights[rows]).max()) - upper - levels
        return CardsRegion(left, upper, right - left, levels, last, float(self.level_room[deepest]))

    def part(self, left: float, upper: float, width: float, height: float) -> CardsRegion:
        """A rectangle of the drawing."""
        return CardsRegion(left, upper, width, height, grows=True)
