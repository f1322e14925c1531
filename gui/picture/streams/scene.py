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

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF

import engine
from engine.runtime.sentences import marked
from gui.picture.camera import CLOSEST, Camera, Region, Spacing
from gui.picture.folds import HIGH, Folded, FoldedLevels, fold_words, least_room
from gui.picture.levels import Levels, layout, levels_of, run
from gui.picture.nodes.cards import MOST_MEASURED
from gui.picture.nodes.figures import rows_of
from gui.picture.nodes.letters import NAME, SMALL, Letters, ShortLabels
from gui.picture.picture_model import PictureModel
from gui.picture.tree_cache import book

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
WIDEST_SPREAD = 2.0  # how much further apart columns stand on paper, at most
EDGE_AROUND = 30.0  # pixels of a column that neither words nor the words on a stream take: the bar, and around both

PADDING = 7.0
LINE = 14.0  # from one line to the next
ALONE, FIRST, SECOND = 9.5, 10.5, 24.5  # the middles of lines below the upper side of a card
CARD_LEAST, CARD_TOP = 19.0, 20.0
TILE_HEIGHT, TILE_LEAST, BESIDE = 20.0, 46.0, 6.0
APART = " · "
MOST_MADE = 20_000  # words that are kept for the next picture
LEAST_NAME = 40.0  # what is left of the name on a folded card
FOLD_APART = 9.0  # from a folded card to what it says of what it hides: a stack stands out between them


def places_of(tree: engine.Tree, part: str, folded: Folded | None) -> StreamPlaces:
    """The places for the rows of a part that are kept with the tree, or new ones; those of the whole tree stay."""
    notes, key = book(tree), (StreamPlaces, part, folded is not None)
    known: tuple[Folded | None, StreamPlaces] | None = notes.get(key)
    if known is not None and known[0] is folded:
        return known[1]
    rows, inner = rows_of(tree, part), tree.n_branches > 0
    if folded is None:
        found = StreamPlaces(levels_of(tree), rows, inner)
    else:
        found = StreamPlaces(folded.levels, rows[folded.shown], inner[folded.shown])
        found.above, found.below = folded.shown[found.above], folded.shown[found.below]
        for name in _BY_NODE:
            setattr(found, name, getattr(found, name)[folded.at])
        found.levels = FoldedLevels(tree, folded)
    notes[key] = folded, found
    return found


class StreamPlaces:
    """One tree, laid out, float64[n] in preorder. What is hidden in a folded branch stands where its top stands."""

    def __init__(self, levels: Levels, rows: NDArray, inner: NDArray[np.bool_]) -> None:
        """Of rows int or float[n] in preorder; `inner`: bool[n], the nodes with branches, folded ones among them."""
        self.levels = levels
        root = max(ROOT_LEAST, ROOT_SHARE * (LEAF + GAP) * int(levels.n - np.count_nonzero(inner)))
        self.heights = root * (rows / max(float(rows[0]), 1.0))  # of the bars
        drawn = layout(levels, np.maximum(self.heights, np.where(inner, INNER, LEAF)), GAP)
        # the middles of the bars, in a drawing from 0 to `bottom`, and the box around each subtree
        self.y, self.inner_low, self.inner_high = drawn.centres, drawn.left, drawn.right
        self.deepest, self.bottom = levels.level + drawn.height, float(self.inner_high[0])
        # where the streams into nodes leave their parents' bars, and the bars above and below in the same column
        found = run("join_bars", levels.parent, levels.level, self.y, self.heights, levels.depth)
        self.begins, self.before, self.after, self.above, self.below = found
        # the sides of each subtree, the stream that leads to it included
        self.low = np.minimum(self.inner_low, self.begins - self.heights / 2)
        self.high = np.maximum(self.inner_high, self.begins + self.heights / 2)
        # by level: the middles, and half of the most that words beside each bar may have
        self.rows_y = self.y[levels.order]
        self.rows_reach = np.maximum(self.heights, np.minimum(self.before, self.after))[levels.order] / 2


@dataclass(frozen=True)
class StreamsRegion(Region):
    """A part of a drawing of streams."""

    words: float = BAR + LAST  # what the bar and the words of the last column need of its width
    closest: float = 1.0  # how many times larger than natural it may be shown

    @property
    def across(self) -> float:
        """From its first column to its last."""
        return self.width - self.words

    def fitted(self, width: float, height: float, margin: float) -> Camera:
        room_x, room_y = max(width - 2 * margin - self.words, 40.0), max(height - 2 * margin, 40.0)
        sx = min(room_x / self.across, self.closest * WIDEST_COLUMN / COLUMN) if self.across else 1.0
        sy = min(room_y / self.height, self.closest * TALLEST)
        spacing = Spacing(min(1.0, sx, sy), sx, sy, max(1.0, sx), max(1.0, sy), *TIGHT)
        x, y = (width - self.across * sx - self.words) / 2, (height - self.height * sy) / 2
        return Camera(x=x, y=y, zoom=spacing.fit_zoom, spacing=spacing)


class Line(NamedTuple):
    """A text, its kind of letters, and its left end at half of its height."""

    text: str
    kind: str
    at: QPointF
    strong: bool = False  # in the colour of what it stands on, else in that of secondary text


@dataclass(slots=True)
class Words:
    """What is written beside one bar."""

    plate: QRectF  # the card or the tile behind the first line
    box: QRectF  # around everything
    lines: list[Line] = field(default_factory=list)  # the texts
    fold: str = ""  # fold, fold_plate: what a folded node says of what it hides, and the plate behind that; else empty
    fold_plate: QRectF = field(default_factory=QRectF)

    def placed(self, x: float, y: float, scale: float) -> Words:
        """The same words elsewhere, so many times larger: their origin stands at a point."""
        lines = [line._replace(at=QPointF(x, y) + line.at * scale) for line in self.lines]
        plate, box = placed_box(self.plate, x, y, scale), placed_box(self.box, x, y, scale)
        return Words(plate, box, lines, self.fold, placed_box(self.fold_plate, x, y, scale) if self.fold else QRectF())


class Streams(PictureModel):
    """A tree from left to right whose streams are as wide as their rows (see `StreamPlaces`)."""

    note = marked("height: rows")
    sideways = True
    margin = MARGIN

    def _lay_out(self) -> None:
        self.places = places_of(self.tree, self.cards.part, self.folded)
        self.levels, self.bottom = self.places.levels, self.places.bottom
        deep = self.folded is not None and bool((self.tree.level[self.folded.tops] == self.levels.depth).any())
        self._usual_last = LAST_FOLDED if deep else LAST
        self.width = self.levels.depth * COLUMN + BAR + self._usual_last
        self.words_made: dict[tuple[int, int, int, bool], Any] = {}  # for the pictures before
        self.short_labels = ShortLabels(self.tree, self.cards.letters, every=True)
        # from where narrow columns were looked at the last time, and the `spots` there, for many paints
        self.spots_made: tuple[Any, dict[int, Any]] | None = None

    @property
    def last(self) -> float:
        """The pixels for the words of the last column."""
        return max(self._usual_last, float(self.widest[-1]) + 2) if self.roomy else self._usual_last

    @cached_property
    def beside_tiles(self) -> list[tuple[int, bool]]:
        """Which of a leaf's lines stand beside its tile, the rows first, and whether only in their longest form."""
        cards, rows = self.cards, list(enumerate(self.cards.leaf_rows))[1:]
        rows.sort(key=lambda row: row[1].forms != cards.details)
        return [(k, row.forms == cards.impurity) for k, row in rows]

    @cached_property
    def widest(self) -> NDArray[np.float64]:
        """float64[levels]: the pixels that the words of each column take; of a large tree all of them."""
        if self.levels.n > MOST_MEASURED:
            return np.full(self.levels.depth + 1, COLUMN)
        found = np.zeros(self.levels.depth + 1)
        for i in self.levels.order.tolist():  # of fewer lines the last one may be longer
            made = (shape_of(self, i, k + 1, WIDEST_SPREAD * COLUMN) for k in range(len(self.cards.rows(i))))
            level = int(self.levels.level[i])
            found[level] = max([found[level], *(words.box.right() for words in made if words is not None)])
        return found

    @property
    def paper_spread(self) -> float:  # type: ignore[override]
        """How far apart columns stand on paper: there is room for the words of nodes and, behind them, of branches."""
        if self.levels.n > MOST_MEASURED:
            return 1.0
        nodes, edges = self.levels.order[1:], np.zeros(self.levels.depth + 1)
        wide = [self.cards.letters.width(self.cards.label(i)) for i in nodes.tolist()]
        np.maximum.at(edges, self.levels.level[nodes], wide)
        needed = float((self.widest[:-1] + edges[1:]).max(initial=0.0)) + EDGE_AROUND
        return min(max(needed / COLUMN, 1.0), WIDEST_SPREAD)

    def region(self, top: int = 0) -> StreamsRegion:
        first, deepest = int(self.levels.level[top]), int(self.places.deepest[top])
        low, high = float(self.places.inner_low[top]), float(self.places.inner_high[top])
        words = BAR + self.last
        return StreamsRegion(first * COLUMN, low, (deepest - first) * COLUMN + words, high - low, words)

    def part(self, left: float, upper: float, width: float, height: float) -> StreamsRegion:
        return StreamsRegion(left, upper, width, height, words=0.0, closest=CLOSEST)


def shape_of(scene: Streams, i: int, lines: int, room: float, *, cut: bool = False) -> Words | None:
    """The words of node i, kept from one picture to the next: the first lines of what its card would say, in so many
    pixels at scale 1 around the left middle, where it cuts, too; None where not even some letters have room."""
    made, key = scene.words_made, (i, lines, int(room), cut)
    if key not in made:
        if len(made) > MOST_MADE:
            made.clear()
        inner = scene.cards.is_inner(i)
        made[key] = _card(scene, i, lines, int(room), cut) if inner else _tile(scene, i, lines, int(room))
    return made[key]


def placed_box(box: QRectF, x: float, y: float, scale: float) -> QRectF:
    return QRectF(x + box.x() * scale, y + box.y() * scale, box.width() * scale, box.height() * scale)


def _card(scene: Streams, i: int, lines: int, room: float, cut: bool) -> Words | None:
    """Of a split its column, then rows and rate, then what else was chosen; natural size, from the left middle."""
    cards, letters = scene.cards, scene.cards.letters
    whole, closed = room, scene.folded is not None and bool(scene.folded.closed[i])
    room -= 2 * PADDING
    named = max(room - FOLD_APART - least_room(letters, scene.tree, i), min(room, LEAST_NAME)) if closed else room
    said = []
    for row, forms in zip(cards.rows(i)[:lines], cards.texts(i), strict=False):
        if row.titles:
            text = (cut and cards.cut(i, named, row.kind)) or letters.elided(forms[0], named, row.kind)
        else:
            if cards.paired and i and row.forms == cards.details:
                forms = forms[1::2]  # the root says whose rate it is
            text = letters.whole(forms, room, row.kind)
        said += [(text, row.kind)] if text else []
    if not said:
        return None
    height = CARD_TOP + LINE * (len(said) - 1) if len(said) > 1 else CARD_LEAST
    width = max(letters.width(text, kind) for text, kind in said) + 2 * PADDING
    if closed and whole - width - FOLD_APART < least_room(letters, scene.tree, i) and len(said) > 2:
        said.pop()  # in its place stands what is hidden
        width = max(width, least_room(letters, scene.tree, i) + PADDING)
    plate = QRectF(0, -height / 2, width, height)
    found = Words(plate, plate)
    for k, (text, kind) in enumerate(said):
        at = (FIRST if len(said) > 1 else ALONE) if k == 0 else SECOND + LINE * (k - 1)
        found.lines.append(Line(text, kind, QPointF(PADDING, at - height / 2), strong=kind == NAME))
    if closed:
        inside = height > CARD_TOP + LINE * (len(said) - 1) and len(said) > 1
        found.fold, wide = fold_words(letters, scene.tree, i, width - PADDING if inside else whole - width - FOLD_APART)
        x, y = (PADDING / 2, height / 2 - LINE / 2 - 2) if inside else (plate.right() + FOLD_APART, 0.0)
        found.fold_plate = QRectF(x, y - HIGH / 2, wide, HIGH)
        found.box = plate.united(found.fold_plate)
    return found


def _tile(scene: Streams, i: int, lines: int, room: float) -> Words | None:
    """Of a leaf what it says on a tile, beside it or below its rows and the rest; at scale 1, from the left middle."""
    cards, letters, rows, room = scene.cards, scene.cards.letters, scene.cards.rows(i), room - 1
    if not rows:
        return None
    texts = cards.texts(i)
    if rows[0].titles and not cards.says_figure(i):
        title = letters.elided(texts[0][0], room - 2 * PADDING, NAME)
    else:
        wanted = [[letters.width(form, row.kind) + BESIDE for form in forms]
                  for row, forms in zip(rows[1:], texts[1:], strict=True)]  # fmt: skip
        # The longer form only where that takes nothing from the other lines; before the figure alone the prediction.
        due, least = (max((pick(each) for each in wanted), default=0.0) for pick in (max, min))
        k = int(cards.paired)
        tries = (texts[0][: 2 * k or None], due), (texts[0][1:2] * k, least), (texts[0][k:], 0.0)
        title = next(filter(None, (letters.whole(forms, room - 2 * PADDING - due, NAME) for forms, due in tries)), "")
    if not title:
        return None
    wide = max(TILE_LEAST, letters.width(title, NAME) + 2 * PADDING)
    plate = QRectF(1, -TILE_HEIGHT / 2, wide, TILE_HEIGHT)
    at = QPointF(1 + (wide - letters.width(title, NAME)) / 2, 0)
    found = Words(plate, QRectF(plate), [Line(title, NAME, at, strong=True)])
    others = [texts[k][:1] if alone else texts[k] for k, alone in scene.beside_tiles]  # what else is chosen
    beside = _packed(letters, others, lines, room - wide - BESIDE)
    below = _packed(letters, others, lines - 1, room)
    if len(APART.join(below)) > len(APART.join(beside)):  # more is said where all of the width is theirs
        high = TILE_HEIGHT + LINE * len(below)
        found.plate.moveTop(-high / 2)
        found.lines[0] = Line(title, NAME, QPointF(at.x(), found.plate.center().y()), strong=True)
        left, top, shown = 1 + PADDING, found.plate.bottom() + LINE / 2 - 1, below
    else:
        high = max(TILE_HEIGHT, LINE * len(beside))
        left, top, shown = plate.right() + BESIDE, -LINE * (len(beside) - 1) / 2, beside
    found.box = QRectF(found.plate)
    for k, text in enumerate(shown):
        found.lines.append(Line(text, SMALL, QPointF(left, top + LINE * k)))
        found.box = QRectF(1, -high / 2, max(left + letters.width(text, SMALL) - 1, found.box.width()), high)
    return found


def _packed(letters: Letters, others: list[tuple[str, ...]], lines: int, room: float) -> list[str]:
    """What else is chosen of a leaf in so many lines; several in the last one if they have room."""
    found: list[str] = []
    for forms in others:
        text = letters.whole(forms, room, SMALL)
        if forms is others[0] and not text:
            return []  # without the rows the others would be taken for them
        if text and len(found) < lines:
            found.append(text)
        elif text and found and letters.width(found[-1] + APART + text, SMALL) <= room:
            found[-1] += APART + text
    return found
