"""Where the bars of a tree stand that grows from left to right, its streams as wide as their rows. Numbers only, no Qt.

    root          level 1        level 2          Every column is a level. A bar is as high as its node has rows, so
    ┃▔▔▔▔▔▔▔▔▔▔▔▔▔▔┃▔▔▔▔▔▔▔▔▔▔▔▔▔▔┃                the bars of the children are together as high as that of their
    ┃ ╲____________┃____________                  parent, and the streams between them keep their width all along.
    ┃  ▔▔▔▔▔▔▔▔▔▔▔▔┃▔▔▔▔▔▔▔▔▔▔▔▔▔▔┃                Around each bar is a slot with room for its words. The slots are laid
    ┃ ╲____________┃              ┃                out as tidily as cards are (`geometry.layout`), turned by 90°.

How high the root's bar is decides what a tree shows: too low, and a large tree fitted into a window is all hair lines
between words that have no room. So it grows with the number of leaves, and takes about a third of the whole height.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.picture.folds.folded import Folded, FoldedLevels
from gui.picture.layout import layout
from gui.picture.levels import Levels, levels_of
from gui.picture.tree_cache import book

if TYPE_CHECKING:
    from engine.tree.tree import Tree

COLUMN = 240.0  # from one level to the next
LEAF, INNER, GAP = 22.0, 36.0, 7.0  # the least height of a slot, and what lies between two
ROOT_LEAST = 340.0  # the least height of the root's bar
ROOT_SHARE = 0.45  # its height in a large tree, as a share of the slots of all leaves


def places_of(tree: Tree, part: str, folded: Folded | None = None) -> StreamPlaces:
    """The places for the rows of a part, "train" or "validation", that are kept with the tree, or new ones; those of
    the whole tree stay, whatever is folded."""
    notes, key = book(tree), (StreamPlaces, part, folded is not None)
    found: tuple[Folded | None, StreamPlaces] | None = notes.get(key)
    if found is None or found[0] is not folded:
        found = notes[key] = folded, _places(tree, part, folded)
    return found[1]


def _places(tree: Tree, part: str, folded: Folded | None) -> StreamPlaces:
    rows, inner = tree.rows_validation if part == "validation" else tree.rows_train, tree.n_branches > 0
    if folded is None:
        return StreamPlaces(levels_of(tree), rows, inner)
    found = StreamPlaces(folded.levels, rows[folded.shown], inner[folded.shown])
    found.above, found.below = folded.shown[found.above], folded.shown[found.below]
    for name in _BY_NODE:
        setattr(found, name, getattr(found, name)[folded.at])
    found.levels = FoldedLevels(tree, folded)
    return found


_BY_NODE = (
    "y", "heights", "begins", "before", "after", "above", "below", "inner_low", "inner_high", "deepest", "low", "high",
)  # fmt: skip


class StreamPlaces:
    """One tree, laid out; all arrays are in preorder. What is hidden in a folded branch stands where the folded node
    stands.

    Attributes:
        levels: the tree by level.
        y: float64[n], the middle of each bar; the drawing begins at 0 and ends at `bottom`.
        heights: float64[n], of each bar.
        begins: float64[n], where the stream into a node leaves its parent's bar: its middle.
        before, after: float64[n], how far the bars above and below in the same column are, from middle to middle.
        above, below: intp[n], the nodes of these bars; where there is none, the node itself and an endless distance.
        rows_y, rows_reach: float64[n] by level: the middles, and half of the most that words beside each bar may have.
        inner_low, inner_high, deepest: the box around each subtree.
        low, high: its sides, the stream that leads to it included.
    """

    def __init__(self, levels: Levels, rows: NDArray, inner: NDArray[np.bool_] | None = None) -> None:
        """
        Args:
            rows: int or float[n], in preorder; a node has as many as its children together.
            inner: bool[n], the nodes that are no leaves, folded ones among them; those with branches if not given.
        """
        from gui.picture.tidy import join_bars

        self.levels = levels
        inner = levels.n_branches > 0 if inner is None else inner
        n_leaves = int(levels.n - np.count_nonzero(inner))
        root = max(ROOT_LEAST, ROOT_SHARE * (LEAF + GAP) * n_leaves)
        self.heights = root * (rows / max(float(rows[0]), 1.0))
        slots = np.maximum(self.heights, np.where(inner, INNER, LEAF))
        drawn = layout(levels, slots, GAP)
        self.y, self.inner_low, self.inner_high = drawn.centres, drawn.left, drawn.right
        self.deepest = levels.level + drawn.height
        self.bottom = float(self.inner_high[0])
        found = join_bars(levels.parent, levels.level, self.y, self.heights, levels.depth)
        self.begins, self.before, self.after, self.above, self.below = found
        self.low = np.minimum(self.inner_low, self.begins - self.heights / 2)
        self.high = np.maximum(self.inner_high, self.begins + self.heights / 2)
        apart = np.minimum(self.before, self.after)
        self.rows_y = self.y[levels.order]
        self.rows_reach = np.maximum(self.heights, apart)[levels.order] / 2
