"""A drawn tree in numbers: who stands where, how wide the edges are. Everything the painter reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QGuiApplication

from gui import mark_words
from gui.canvas import streams_places
from gui.canvas.camera import MARGIN, Camera, fitted
from gui.canvas.cards import MOST_MEASURED, Cards
from gui.canvas.colouring import Colouring
from gui.canvas.emphasis import Emphasis
from gui.canvas.fading import FADED
from gui.canvas.folding import folded_of
from gui.canvas.letters import Letters
from gui.canvas.levels import Levels, levels_of
from gui.canvas.node_figures import disagreeing, known_boxes, part_spreads, shares
from gui.canvas.places import places_of, ribbons_of
from gui.canvas.region import CardsRegion, Region
from gui.canvas.shown import Shown, noted
from gui.kept import kept
from gui.theme import LIGHT, Theme

if TYPE_CHECKING:
    from engine.tree import Tree


def prepare(tree: Tree) -> None:
    """Computes ahead what is kept with a large tree, as a worker does before it is shown: its layout, its colours."""
    if tree.n_nodes > MOST_MEASURED and QGuiApplication.instance() is not None:  # which fonts need
        Scene(tree, 1 if len(tree.classes) == 2 else 0, LIGHT, Letters(), noted())
        streams_places.places_of(
            tree, noted().part_of(tree), folded_of(tree, noted().folds)
        )  # the tree may be turned at any time


@kept
def bar_ends(tree: Tree, part: str, *order: int) -> NDArray[np.float64]:
    """float64[n_nodes, K]: where in a bar from 0 to 1 the classes end, in this order of the classes; 0 without rows."""
    found = tree.probabilities if part == "train" else np.nan_to_num(shares(tree.validation))
    return np.cumsum(found[:, order], axis=1)


class Drawn:
    """One tree as any kind of picture reads it: its words, its colours, its bars. Where things stand is the kind's.

    Attributes:
        folded: what is folded of it; None where nothing is.
        levels: the nodes that are shown, by level; see `FoldedLevels`.
        width, bottom: the size of the drawing at scale 1.
    """

    levels: Levels

    width: float
    bottom: float
    note = ""  # what the legend adds to the colours
    sideways = False  # whether the tree grows to the right instead of downwards
    paper = False  # whether it is drawn for a picture, which nobody waits for as for the screen: all of it is smooth
    emphasis: Emphasis | None = None  # what stands out; changing it lays nothing out anew

    def __init__(self, tree: Tree, focus: int, theme: Theme, letters: Letters, shown: Shown | None = None) -> None:
        """shown: colours, lines on cards, and whose rows flow; as at first where it is not given."""
        self.tree = tree
        self.focus = focus
        self.theme = theme
        self.shown = shown or Shown()
        self.folded = folded_of(tree, self.shown.folds)
        self.colours = Colouring(tree, focus, theme, self.shown)
        self.cards = Cards(tree, focus, letters, self.shown, self.colours)
        self.faded_colours = self.colours.faded(FADED)
        self.differs = self.shown.differing is not None
        self.warned = disagreeing(tree) if self.cards.part == "validation" else None
        self._bars()

    def fitted(self, width: float, height: float) -> Camera:
        """A camera that shows the whole tree on a screen of this size."""
        raise NotImplementedError

    def region(self, top: int = 0) -> Region:
        """The branch below the node at position `top`."""
        raise NotImplementedError

    def part(self, left: float, upper: float, width: float, height: float) -> Region:
        """A rectangle of the drawing."""
        raise NotImplementedError

    def _bars(self) -> None:
        tree = self.tree
        if tree.task == "number":
            self.spread = part_spreads(tree, self.cards.part)
            return
        order = list(range(len(tree.classes)))
        if len(order) == 2:  # the focus class stands on the right, against the tick of the root's rate
            order = [1 - self.focus, self.focus] if self.focus in (0, 1) else order
        self.bar_order = order
        self.bar_ends = bar_ends(tree, self.cards.part, *order)

    def standing(self, i: int) -> int:
        """The position of the node that stands for the one at position i: the folded one above it, if it is hidden."""
        return i if self.folded is None else self.folded.standing(i)

    def badges(self, i: int) -> tuple[str, ...]:
        """What is marked on node i, the most important first: where validation rows flow, that they disagree."""
        if "badges" not in self.shown.lines:
            return ()
        warned = self.warned is not None and bool(self.warned[i])
        return (mark_words.DISAGREES,) * warned + mark_words.badges(self.tree, i)

    def box_plot(self, i: int) -> NDArray[np.float64] | None:
        """float64[5] of node i, see `engine.quantiles.BOX`; None while it is not known, or where there are no rows."""
        found = known_boxes(self.tree, self.cards.part)
        return found[i] if found is not None and np.isfinite(found[i]).all() else None

    def on_path(self, nodes: NDArray[np.intp], i: int) -> NDArray[np.bool_]:
        """bool[k]: which of some nodes are node i or lie above it; none for i = −1."""
        found: NDArray[np.bool_] = (nodes <= i) & (i < self.tree.end[nodes])
        return found

    def path(self, i: int) -> list[int]:
        """Positions from node i up to the root."""
        found = [i]
        while i > 0:
            i = int(self.tree.parent[i])
            found.append(i)
        return found


class Scene(Drawn):
    """A tree of cards from top to bottom, and where they stand (see `Places`)."""

    def __init__(self, tree: Tree, focus: int, theme: Theme, letters: Letters, shown: Shown | None = None) -> None:
        super().__init__(tree, focus, theme, letters, shown)
        places = places_of(tree, self.cards.sizes, self.folded)
        self.levels, self.width, self.bottom = places.levels, places.width, places.bottom
        self.x, self.top, self.heights = places.x, places.top, places.heights
        self.node_room, self.level_room = places.node_room, places.level_room
        self.ribbons, self.leaves_at = ribbons_of(tree, levels_of(tree), self.cards.part)
        self.left, self.right, self.deepest = places.left, places.right, places.deepest
        self.inner_left, self.inner_right = places.inner_left, places.inner_right

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
