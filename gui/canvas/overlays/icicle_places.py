"""An icicle: every node a cell as wide as its rows, below its parent. Numbers only, no Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.picture.levels import levels_of
from gui.picture.tree_cache import kept

if TYPE_CHECKING:
    from engine.tree.tree import Tree


@kept
def icicle_of(tree: Tree, part: str) -> Icicle:
    """The cells for the rows of a part, "train" or "validation"."""
    return Icicle(tree, tree.rows_validation if part == "validation" else tree.rows_train)


class Icicle:
    """The cells of a tree; the root's reaches from 0 to 1.

    Attributes:
        levels: the tree by level.
        starts, stops: float64[n], the sides of each cell, in preorder.
    """

    def __init__(self, tree: Tree, rows: NDArray) -> None:
        self.levels = levels_of(tree)
        # In preorder, the leaves before a node are those to its left, and those before its end are its own besides.
        leaf_rows = np.where(tree.n_branches > 0, 0, rows)
        before = np.concatenate(([0], np.cumsum(leaf_rows))) / max(int(leaf_rows.sum()), 1)
        self.starts, self.stops = before[:-1], before[tree.end]

    def cells(self, least: float, every: int = 1) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The nodes whose cells are at least so wide, and the uppermost ones of those that are not, on every so many
        levels."""
        wide, narrow = [], []
        for level in range(0, self.levels.depth + 1, every):
            row = self.levels.row(level)
            enough = self._are_wide(row, least)
            wide.append(row[enough])
            row, above = row[~enough], self.levels.parent[row[~enough]]
            narrow.append(row[(above < 0) | self._are_wide(above, least)])
            if not enough.any():
                break
        return np.concatenate(wide), np.concatenate(narrow)

    def _are_wide(self, nodes: NDArray, least: float) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.stops[nodes] - self.starts[nodes] >= least
        return found

    def node_at(self, place: float, level: int) -> int:
        """The position of the node whose cell holds a place from 0 to 1 on a level, −1 where there is none."""
        if not 0 <= level <= self.levels.depth:
            return -1
        row = self.levels.row(level)
        k = int(np.searchsorted(self.starts[row], place, side="right")) - 1
        return int(row[k]) if k >= 0 and place <= self.stops[row[k]] else -1

    def covered(
        self, nodes: NDArray, every: int = 1
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """The levels of some nodes in ascending order, of every so many levels the first one, and from where to where
        the cells on these levels reach."""
        at = self.levels.level[nodes] // every
        left, right = (np.full(self.levels.depth // every + 1, edge) for edge in (np.inf, -np.inf))
        np.minimum.at(left, at, self.starts[nodes])
        np.maximum.at(right, at, self.stops[nodes])
        found = np.flatnonzero(left < np.inf)
        return found * every, left[found], right[found]
