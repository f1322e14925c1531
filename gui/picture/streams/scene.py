"""A tree that grows from left to right as its painter reads it: where its bars stand, streams as wide as their rows.

    root          level 1        level 2          Every column is a level. A bar is as high as its node has rows, so
    ┃▔▔▔▔▔▔▔▔▔▔▔▔▔▔┃▔▔▔▔▔▔▔▔▔▔▔▔▔▔┃                the bars of the children are together as high as that of their
    ┃ ╲____________┃____________                  parent, and the streams between them keep their width all along.
    ┃  ▔▔▔▔▔▔▔▔▔▔▔▔┃▔▔▔▔▔▔▔▔▔▔▔▔▔▔┃                Around each bar is a slot with room for its words. The slots are laid
    ┃ ╲____________┃              ┃                out as tidily as cards are (`levels.layout`), turned by 90°.

How high the root's bar is decides what a tree shows: too low, and a large tree fitted into a window is all hair lines
between words that have no room. So it grows with the number of leaves, and takes about a third of the whole height.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gui.picture.camera import CLOSEST, Camera, Spacing
from gui.picture.folds import Folded, FoldedLevels
from gui.picture.levels import Levels, layout, levels_of
from gui.picture.nodes.letters import Letters
from gui.picture.picture_model import PictureModel
from gui.picture.picture_options import PictureOptions
from gui.picture.tidy import join_bars
from gui.picture.tree_cache import book
from gui.theme import Theme

if TYPE_CHECKING:
    from engine.tree.tree import Tree

COLUMN = 240.0  # from one level to the next
LEAF, INNER, GAP = 22.0, 36.0, 7.0  # the least height of a slot, and what lies between two
ROOT_LEAST = 340.0  # the least height of the root's bar
ROOT_SHARE = 0.45  # its height in a large tree, as a share of the slots of all leaves
_BY_NODE = (
    "y", "heights", "begins", "before", "after", "above", "below", "inner_low", "inner_high", "deepest", "low", "high",
)  # fmt: skip
BAR = 10.0  # the width of a bar
LAST, LAST_FOLDED = 120.0, 200.0  # what the words of the last column need: those of leaves, those of folded splits
MARGIN = 24.0
WIDEST_COLUMN = 400.0
TIGHT = (0.1, 0.0)  # words give way: columns may come near to each other, streams may get as thin as one likes
TALLEST = 1.3  # a low tree is not stretched further


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


@dataclass(frozen=True)
class StreamsRegion:
    """A branch in the drawing: where it begins, how far it is from its first column to its last, how high it is."""

    left: float
    upper: float
    across: float
    height: float
    words: float = BAR + LAST  # what the bar and the words of the last column need beyond it
    closest: float = 1.0  # how many times larger than natural it may be shown

    spread = 1.0  # columns stand on paper as they do on the screen

    @property
    def width(self) -> float:
        return self.across + self.words

    def fitted(self, width: float, height: float, margin: float) -> Camera:
        """A camera that shows it on a screen of this size, as if it began at 0."""
        room_x, room_y = max(width - 2 * margin - self.words, 40.0), max(height - 2 * margin, 40.0)
        sx = min(room_x / self.across, self.closest * WIDEST_COLUMN / COLUMN) if self.across else 1.0
        sy = min(room_y / self.height, self.closest * TALLEST)
        spacing = Spacing(min(1.0, sx, sy), sx, sy, max(1.0, sx), max(1.0, sy), *TIGHT)
        x, y = (width - self.across * sx - self.words) / 2, (height - self.height * sy) / 2
        return Camera(x=x, y=y, zoom=spacing.fit_zoom, spacing=spacing)


class Streams(PictureModel):
    """A tree from left to right whose streams are as wide as their rows (see `StreamPlaces`).

    Attributes:
        last: what the words of the last column need.
        words_made: what `gui.picture.streams.words` made for the pictures before.
        edges_made: words on streams in less room than they want, by node and room.
        spots_made: from where the tree was looked at the last time that its columns were narrow, and what
            `gui.picture.streams.frame.spots` found there: the mouse has the same picture painted again and again.
    """

    note = "height: rows"
    sideways = True

    def __init__(
        self, tree: Tree, focus: int, theme: Theme, letters: Letters, options: PictureOptions | None = None
    ) -> None:
        super().__init__(tree, focus, theme, letters, options)
        self.places = places_of(tree, self.options.part_of(tree), self.folded)
        self.levels = self.places.levels
        deep = self.folded is not None and bool((tree.level[self.folded.tops] == self.levels.depth).any())
        self.last = LAST_FOLDED if deep else LAST
        self.width = self.levels.depth * COLUMN + BAR + self.last
        self.bottom = self.places.bottom
        self.words_made: dict[tuple[int, int, int, bool], Any] = {}
        self.edges_made: dict[tuple[int, int], str] = {}
        self.spots_made: tuple[Any, dict[int, Any]] | None = None

    @cached_property
    def beside_tiles(self) -> list[tuple[int, bool]]:
        """Which of a leaf's lines stand beside its tile, the rows first, and whether only in their longest form: a
        figure without its name might be any figure."""
        cards, rows = self.cards, list(enumerate(self.cards.leaf_rows))[1:]
        rows.sort(key=lambda row: row[1].forms != cards.details)
        return [(k, row.forms == cards.impurity) for k, row in rows]

    def region(self, top: int = 0) -> StreamsRegion:
        """The branch below the node at position `top`."""
        first, deepest = int(self.levels.level[top]), int(self.places.deepest[top])
        low, high = float(self.places.inner_low[top]), float(self.places.inner_high[top])
        return StreamsRegion(first * COLUMN, low, (deepest - first) * COLUMN, high - low, BAR + self.last)

    def part(self, left: float, upper: float, width: float, height: float) -> StreamsRegion:
        """A rectangle of the drawing."""
        return StreamsRegion(left, upper, width, height, words=0.0, closest=CLOSEST)

    def fitted(self, width: float, height: float) -> Camera:
        """A camera that shows the whole tree on a screen of this size; columns and rows are scaled apart."""
        return self.region().fitted(width, height, MARGIN)
