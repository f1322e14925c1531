"""A tree sorted by level: every level is a slice, and so are the children of every node.

    preorder           level order
        0                  0          order   0 1 4 2 3     (preorder positions, row by row)
       / \\                / \\         start   0 1 3 5       (where the rows begin)
      1   4              1   2        above   0 0 0 1 1     (the parent's place in this order)
     / \\                / \\           child   1 3 5 5 5 5   (where the children begin; one more at the end)
    2   3              3   4

What goes up or down a tree by whole levels is done for all nodes of a row at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.picture.tidy import Drawing, sort_by_level, tidy
from gui.picture.tree_cache import kept

if TYPE_CHECKING:
    from engine.tree.tree import Tree


class Levels:
    """The shape of a tree, in preorder and by level.

    Attributes:
        parent, end, n_branches, level: int[n], in preorder; the root's parent is −1.
        order: intp[n], the preorder position of each node, by level and from left to right.
        place: intp[n], where each preorder position stands in `order`.
        start: int64[levels + 1], where each level begins in `order`.
        above: intp[n], by level: the place of each node's parent (the root's own is 0).
        child: intp[n + 1], by level: the place of each node's first child.
        branches: int[n], by level: `n_branches`.
    """

    def __init__(self, parent: NDArray, end: NDArray, n_branches: NDArray, level: NDArray) -> None:
        self.parent, self.end, self.n_branches, self.level = parent, end, n_branches, level
        found = sort_by_level(level, n_branches)
        self.start, self.order, self.place, self.above, self.child, self.branches = found

    @property
    def n(self) -> int:
        """How many nodes there are."""
        return int(self.order.size)

    @property
    def depth(self) -> int:
        """Edges from the root to the lowest level."""
        return int(self.start.size) - 2

    def row(self, level: int) -> NDArray[np.intp]:
        """The preorder positions of the nodes of a level, from left to right."""
        return self.order[self.start[level] : self.start[level + 1]]

    def rows(self, level: int, last: int, most: int) -> tuple[NDArray[np.intp], int]:
        """(the preorder positions of the nodes of a level and of those below it down to `last`, as many levels as
        together have no more than `most` nodes but at least one, the level after these)."""
        begin = int(self.start[level])
        after = int(np.searchsorted(self.start, begin + most, side="right")) - 1
        after = min(max(after, level + 1), last + 1)
        return self.order[begin : int(self.start[after])], after

    def children_of(self, nodes: NDArray) -> NDArray[np.intp]:
        """The preorder positions of all children of some nodes, in order."""
        places = self.place[nodes]
        begin = self.child[places]
        count = self.child[places + 1] - begin
        total = int(count.sum())
        shift = np.repeat(begin - np.concatenate(([0], np.cumsum(count)[:-1])), count) if total else begin[:0]
        return self.order[shift + np.arange(total)]


@kept
def levels_of(tree: Tree) -> Levels:
    """A tree by level."""
    return Levels(tree.parent, tree.end, tree.n_branches, tree.level)


def layout(levels: Levels, widths: NDArray, gap: float = 12.0) -> Drawing:
    """A tidy drawing of a tree.

    Args:
        widths: float[n], in preorder: the room each node needs on its level.
        gap: least distance between neighbours on a level.
    """
    return tidy(levels.parent, levels.end, widths, gap)


def highest_tiny(
    parent: NDArray, nodes: NDArray[np.intp], are_tiny: Callable[[NDArray[np.intp]], NDArray[np.bool_]]
) -> NDArray[np.intp]:
    """The uppermost nodes on the ways up from tiny ones that are tiny, too: one block stands for all below them."""
    highest = [nodes[:0]]
    while nodes.size:
        above = np.maximum(parent[nodes], 0)
        up = (nodes > 0) & are_tiny(above)
        highest.append(nodes[~up])
        nodes = np.unique(above[up])
    return np.unique(np.concatenate(highest))
