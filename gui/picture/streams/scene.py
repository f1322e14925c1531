"""A tree of streams as its painter reads it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gui.picture.camera import CLOSEST, Camera, Spacing
from gui.picture.nodes.letters import Letters
from gui.picture.picture_model import Drawn
from gui.picture.picture_options import PictureOptions
from gui.picture.streams.places import COLUMN, places_of
from gui.theme import Theme

if TYPE_CHECKING:
    from engine.tree.tree import Tree

BAR = 10.0  # the width of a bar
LAST, LAST_FOLDED = 120.0, 200.0  # what the words of the last column need: those of leaves, those of folded splits
MARGIN = 24.0
WIDEST_COLUMN = 400.0
TIGHT = (0.1, 0.0)  # words give way: columns may come near to each other, streams may get as thin as one likes
TALLEST = 1.3  # a low tree is not stretched further


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


class Streams(Drawn):
    """A tree from left to right whose streams are as wide as their rows (see `StreamPlaces`).

    Attributes:
        last: what the words of the last column need.
        words_made: what `gui.picture.streams.words` made for the pictures before.
        edges_made: words on streams in less room than they want, by node and room.
        spots_made: from where the tree was looked at the last time that its columns were narrow, and what
            `gui.picture.streams.overview.spots` found there: the mouse has the same picture painted again and again.
        colours_made: what `gui.picture.streams.ribbons.colours_of` made: uint32, 0xffRRGGBB, by how much darker it is,
            then by twice the shade and one more where it is faded; 0 where it is not made.
    """

    note = "height: rows"
    sideways = True

    def __init__(
        self, tree: Tree, focus: int, theme: Theme, letters: Letters, shown: PictureOptions | None = None
    ) -> None:
        super().__init__(tree, focus, theme, letters, shown)
        self.places = places_of(tree, self.shown.part_of(tree), self.folded)
        self.levels = self.places.levels
        deep = self.folded is not None and bool((tree.level[self.folded.tops] == self.levels.depth).any())
        self.last = LAST_FOLDED if deep else LAST
        self.width = self.levels.depth * COLUMN + BAR + self.last
        self.bottom = self.places.bottom
        self.words_made: dict[tuple[int, int, int], Any] = {}
        self.edges_made: dict[tuple[int, int], str] = {}
        self.spots_made: tuple[Any, dict[int, Any]] | None = None
        self.colours_made: dict[float, NDArray[np.uint32]] = {}

    @cached_property
    def beside_tiles(self) -> list[tuple[int, bool]]:
        """Which of a leaf's lines stand beside its tile, the rows first, and whether only in their longest form: a
        figure without its name might be any figure."""
        cards, rows = self.cards, list(enumerate(self.cards.leaf_rows))[1:]
        # A rate above one half says its class already, unless costs or a person made it say another one.
        rows.sort(key=lambda row: (row[1].forms != cards.details, row[1].forms == cards.says and not cards.weighed))
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
