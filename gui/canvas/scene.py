"""A drawn tree in numbers: who stands where, how wide the edges are. Everything the painter reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gui.canvas.camera import MARGIN, Camera, fitted
from gui.canvas.cards import Cards
from gui.canvas.colouring import Colouring, spreads
from gui.canvas.layout import extents, layout
from gui.canvas.letters import Letters
from gui.theme import Theme

if TYPE_CHECKING:
    from engine.tree import Tree

GAP = 14.0
WIDEST_EDGE = 44.0  # of an edge that carries all rows


class Scene:
    """One tree, laid out.

    Attributes:
        x: float64[n_nodes], centres; the drawing begins at 0 and ends at `width`.
        top: float64[n_nodes], the upper side of each card.
        ribbons: float64[n_nodes], the width of the edge into each node.
        leaves_at: float64[n_nodes], where on the parent's lower side that edge begins, from its centre.
        node_room: float64[n_nodes], how many times wider than needed the place of each node is.
        level_room: float64[levels], how many times wider than needed the tightest place on a level is, and
            on every level above it.
        left, right, deepest: the box around each subtree, the way to its parent included.
        first_child: int64[n_nodes + 1] into `children`, the children of all nodes by position.
    """

    def __init__(self, tree: Tree, focus: int, theme: Theme, letters: Letters) -> None:
        self.tree = tree
        self.focus = focus
        self.theme = theme
        self.cards = Cards(tree, focus, letters)
        self.colours = Colouring(tree, focus, theme)
        self.x = layout(tree.parent, tree.end, tree.n_branches, self.cards.room, GAP)
        self.top = tree.level * self.cards.pitch
        self.heights = np.where(tree.n_branches > 0, self.cards.card_height, self.cards.tile_height)
        self._line_up()
        self._place_edges()
        self._enclose()
        self._bars()

    @property
    def width(self) -> float:
        return float((self.x + self.cards.room / 2).max())

    def fitted(self, width: float, height: float, margin: float = MARGIN) -> Camera:
        """A camera that shows the whole tree on a screen of this size."""
        levels = self.tree.depth * self.cards.pitch
        tightest = float(self.level_room[-1])
        return fitted(self.width, levels, self.bottom - levels, width, height, margin, tightest)

    @property
    def bottom(self) -> float:
        return float((self.top + self.heights).max())

    def _line_up(self) -> None:
        """Sorts the nodes by level and finds out how tight each level is."""
        tree, room = self.tree, self.cards.room
        self._by_level = np.argsort(tree.level, kind="stable")
        self._levels = np.searchsorted(tree.level[self._by_level], np.arange(int(tree.depth) + 2))
        row = self._by_level
        # The border of the drawing counts as a neighbour, so that grown cards stay inside of it.
        spare = np.minimum(self.x, self.width - self.x)[row] / (room[row] / 2)
        apart = np.diff(self.x[row]) / ((room[row][1:] + room[row][:-1]) / 2 + GAP)
        apart[np.diff(tree.level[row]) != 0] = np.inf
        sides = np.minimum(np.append(apart, np.inf), np.insert(apart, 0, np.inf))
        self.node_room = np.empty(tree.n_nodes)
        self.node_room[row] = np.minimum(spare, sides)
        tightest = np.minimum.reduceat(self.node_room[row], self._levels[:-1])
        self.level_room = np.minimum.accumulate(tightest)

    def _place_edges(self) -> None:
        tree = self.tree
        self.children = np.argsort(tree.parent[1:], kind="stable") + 1
        self.first_child = np.concatenate(([0], np.cumsum(tree.n_branches, dtype=np.int64)))
        share = tree.rows_train / max(int(tree.rows_train[0]), 1)
        self.ribbons = np.maximum(1.5, WIDEST_EDGE * share)
        # Side by side: where an edge begins is the running sum of its siblings' widths.
        widths = self.ribbons[self.children]
        ends = np.cumsum(widths)
        parents = tree.parent[self.children]
        starts = np.concatenate(([0.0], ends))
        begin, finish = starts[self.first_child[parents]], starts[self.first_child[parents + 1]]
        self.leaves_at = np.zeros(tree.n_nodes)
        self.leaves_at[self.children] = ends - widths / 2 - (begin + finish) / 2

    def _enclose(self) -> None:
        tree = self.tree
        self.inner_left, self.inner_right, self.deepest = extents(tree.parent, tree.level, self.x, self.cards.room)
        above = self.x[np.maximum(tree.parent, 0)]
        self.left = np.minimum(self.inner_left, above)
        self.right = np.maximum(self.inner_right, above)

    def _bars(self) -> None:
        tree = self.tree
        if tree.task == "number":
            self.spread = spreads(tree)
            return
        order = list(range(len(tree.classes)))
        if len(order) == 2:  # the focus class stands on the right, against the tick of the root's rate
            order = [1 - self.focus, self.focus] if self.focus in (0, 1) else order
        self.bar_order = order
        self.bar_ends = np.cumsum(tree.probabilities[:, order], axis=1)

    def children_of(self, nodes: np.ndarray) -> np.ndarray:
        """Positions of all children of these nodes, in order."""
        start = self.first_child[nodes]
        count = self.first_child[nodes + 1] - start
        if not count.sum():
            return np.zeros(0, dtype=np.int64)
        offset = np.repeat(start - np.concatenate(([0], np.cumsum(count)[:-1])), count)
        return self.children[offset + np.arange(count.sum())]

    def on_level(self, level: int) -> np.ndarray:
        """Positions of the nodes of a level, from left to right."""
        return self._by_level[self._levels[level] : self._levels[level + 1]]

    def path(self, i: int) -> list[int]:
        """Positions from node i up to the root."""
        found = [i]
        while i > 0:
            i = int(self.tree.parent[i])
            found.append(i)
        return found
