"""What any kind of picture reads of one tree: its words, its colours, its bars, what stands out of it."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import engine
from gui.picture.camera import MARGIN, Camera, Region
from gui.picture.colours import FADED, Colouring, faded_theme
from gui.picture.emphasis import Emphasis
from gui.picture.folds import folded_of
from gui.picture.levels import Levels
from gui.picture.nodes.cards import Cards
from gui.picture.nodes.figures import disagreeing, known_boxes, part_spreads, rows_of, shares
from gui.picture.nodes.letters import Letters
from gui.picture.picture_options import USUAL, PictureOptions
from gui.picture.tree_cache import kept
from gui.theme import Theme, mix
from gui.wording import hand_phrases

MOST_LOOKED_AT = 500  # nodes with the most rows, which may get words in room that nobody needs
MOST_LEADING = 8  # splits that are named with their cut at any size


@kept
def bar_ends(tree: "engine.Tree", part: str, *order: int) -> NDArray[np.float64]:
    """float64[n_nodes, K]: where in a bar from 0 to 1 the classes end, in this order of the classes; 0 without rows."""
    found = tree.probabilities if part == "train" else np.nan_to_num(shares(tree.validation))
    return np.cumsum(found[:, order], axis=1)


@kept
def most_rows(tree: "engine.Tree", part: str) -> NDArray[np.intp]:
    """intp[k]: the positions of the nodes with the most rows, those first; in preorder where they have equally many."""
    rows = rows_of(tree, part)
    few = rows.size <= MOST_LOOKED_AT
    some = np.arange(rows.size) if few else np.sort(np.argpartition(-rows, MOST_LOOKED_AT)[:MOST_LOOKED_AT])
    return some[np.argsort(-rows[some], kind="stable")]


class PictureModel(ABC):
    """One tree as any kind of picture reads it: its words, its colours, its bars. Where things stand is the kind's."""

    levels: Levels  # the nodes that are shown, by level; see `FoldedLevels`
    width: float  # width, bottom: the size of the drawing at scale 1
    bottom: float
    note = ""  # what the legend adds to the colours
    sideways = False  # whether the tree grows to the right instead of downwards
    margin = MARGIN  # pixels around the whole tree on a screen
    paper = False  # whether it is drawn for a picture, which nobody waits for as for the screen: all of it is smooth
    roomy = False  # whether that picture is as large as its words need
    paper_spread = 1.0  # how far apart nodes stand on paper with room for it
    emphasis: Emphasis | None = None  # what stands out; changing it lays nothing out anew

    def __init__(
        self, tree: "engine.Tree", focus: int, theme: Theme, letters: Letters, options: PictureOptions = USUAL
    ) -> None:
        self.tree, self.focus, self.theme, self.options = tree, focus, theme, options
        self.folded = folded_of(tree, options.folds)  # what is folded of it; None where nothing is
        self.spoken = tree  # whose words and colours these are
        self._say(letters)
        self.differs = options.differing is not None
        self.warned = disagreeing(tree) if self.cards.part == "validation" else None
        self.legend: tuple[float, Any] = (-1.0, ())  # the room that the legend had the last time, and what it showed
        if tree.task == "number":
            self.spread = part_spreads(tree, self.cards.part)
        else:
            self.bar_order = list(range(len(tree.classes)))
            if len(tree.classes) == 2 and focus == 0:  # it stands on the right, against the tick of the root's rate
                self.bar_order = [1, 0]
            self.bar_ends = bar_ends(tree, self.cards.part, *self.bar_order)
        self._lay_out()

    def _say(self, letters: Letters) -> None:
        self.colours = Colouring(self.spoken, self.focus, self.theme, self.options)
        self.cards = Cards(self.spoken, self.focus, letters, self.options, self.colours)
        self.faded_colours = self.colours.faded(FADED)

    def predict_as(self, tree: "engine.Tree") -> None:
        """Says what the leaves of the same tree predict by another leaf rule."""
        if tree is not self.spoken:
            self.spoken = tree
            self._say(self.cards.letters)
            self.legend = (-1.0, ())
            self._lay_out()  # words may need other room

    @abstractmethod
    def _lay_out(self) -> None:
        """Finds where everything stands."""

    def fitted(self, width: float, height: float) -> Camera:
        """A camera that shows the whole tree on a screen of this size."""
        return self.region().fitted(width, height, self.margin)

    @abstractmethod
    def region(self, top: int = 0) -> Region:
        """The branch below the node at position `top`."""

    @abstractmethod
    def part(self, left: float, upper: float, width: float, height: float) -> Region:
        """A rectangle of the drawing."""

    def ribbon_colours(self, nodes: NDArray, faded: NDArray[np.bool_], darker: float = 0.0) -> NDArray[np.uint32]:
        """uint32[k], 0xffRRGGBB, of ribbons into nodes, bool[k] of them faded; by a share nearer to the text's."""
        keys = 2 * self.colours.shade[nodes] + faded
        last = int(keys.max(initial=-1)) + 1
        one_of, found = np.full(last, -1), np.zeros(last, np.uint32)
        one_of[keys] = nodes
        for key in np.flatnonzero(one_of >= 0).tolist():
            look, colours = (faded_theme(self.theme), self.faded_colours) if key % 2 else (self.theme, self.colours)
            colour = colours.ribbon(int(one_of[key]))
            found[key] = (mix(colour, look.text, darker) if darker else colour).rgb()
        return found[keys]

    def standing(self, i: int) -> int:
        """The position of the node that stands for the one at position i: the folded one above it, if it is hidden."""
        return i if self.folded is None else self.folded.standing(i)

    def badges(self, i: int) -> tuple[str, ...]:
        """What is marked on node i, the most important first: where validation rows flow, that they disagree."""
        if "badges" not in self.options.lines:
            return ()
        warned = self.warned is not None and bool(self.warned[i])
        return (hand_phrases.DISAGREES,) * warned + hand_phrases.badges(self.tree, i)

    def box_plot(self, i: int) -> NDArray[np.float64] | None:
        """float64[5] of node i, see `quantiles.BOX`; None while it is not known, or where there are no rows."""
        found = known_boxes(self.tree, self.cards.part)
        return found[i] if found is not None and np.isfinite(found[i]).all() else None

    def on_path(self, nodes: NDArray[np.intp], i: int) -> NDArray[np.bool_]:
        """bool[k]: which of some nodes are node i or lie above it; none for i = −1."""
        return (nodes <= i) & (i < self.tree.end[nodes])

    @cached_property
    def most_rows(self) -> NDArray[np.intp]:
        """intp[k]: the positions of the shown nodes with the most rows, those first."""
        if self.folded is None:
            return most_rows(self.tree, self.cards.part)
        rows, shown = rows_of(self.tree, self.cards.part), self.folded.shown
        return shown[np.argsort(-rows[shown], kind="stable")[:MOST_LOOKED_AT]]

    def inside(self, nodes: NDArray, top: int) -> NDArray:
        """Those of some nodes that stand in a branch."""
        return nodes[(nodes >= top) & (nodes < self.tree.end[top])] if top else nodes

    def leading(self, top: int = 0) -> list[int]:
        """The splits with the most rows, in a branch: they are named with their cut in a picture of any size."""
        return self.inside(self.most_rows[self.tree.n_branches[self.most_rows] > 0], top)[:MOST_LEADING].tolist()

    def branches(self, i: int) -> list[int]:
        """The positions of the children of node i; of a folded one none."""
        if self.folded is not None and self.folded.closed[i]:
            return []
        found = [i + 1][: int(self.tree.n_branches[i])]
        while len(found) < self.tree.n_branches[i]:
            found.append(int(self.tree.end[found[-1]]))
        return found

    def other_branch(self, i: int) -> list[int]:
        """The position of the other one of two branches; empty for branches of more."""
        parent = int(self.tree.parent[i])
        if i == 0 or self.tree.n_branches[parent] != 2:
            return []
        return [int(self.tree.end[i]) if i == parent + 1 else parent + 1]

    def cutting(self, top: int, said: set[int]) -> list[int]:
        """The leading splits not all of whose branches are among the nodes with words on their edges."""
        both = ((i, self.branches(i)) for i in self.leading(top))
        return [i for i, branches in both if not branches or not said.issuperset(branches)]
