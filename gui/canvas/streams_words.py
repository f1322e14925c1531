"""What is written beside a bar of the streams, and where: the card of a split, the tile of a leaf and its rows."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from gui.canvas.edge_words import edge_words
from gui.canvas.fold_words import HIGH, fold_words, least_room
from gui.canvas.letters import NAME
from gui.canvas.streams_frame import AFTER_BAR, StreamFrame

PADDING = 7.0
LINE = 14.0  # from one line to the next
ALONE, FIRST, SECOND = 9.5, 10.5, 24.5  # the middles of lines below the upper side of a card
CARD_LEAST, CARD_TOP = 19.0, 20.0
TILE_HEIGHT, TILE_LEAST, BESIDE = 20.0, 46.0, 6.0
APART = " · "
EDGE_HEIGHT, EDGE_PADDING, EDGE_GAP = 16.0, 5.0, 3.0
LEAST_NAME = 40.0  # what is left of the name on a folded card
FOLD_APART = 9.0  # from a folded card to what it says of what it hides: a stack stands out between them


@dataclass(frozen=True)
class Line:
    """A text, its kind of letters, and its left end at half of its height."""

    text: str
    kind: str
    at: QPointF
    strong: bool = False  # in the colour of what it stands on, else in that of secondary text


@dataclass
class Words:
    """What is written beside one bar.

    Attributes:
        plate: the card or the tile behind the first line.
        box: around everything.
        lines: the texts.
        fold, fold_plate: what a folded node says of what it hides, and the plate behind that; else empty.
    """

    plate: QRectF
    box: QRectF
    lines: list[Line] = field(default_factory=list)
    fold: str = ""
    fold_plate: QRectF = field(default_factory=QRectF)


def words_of(frame: StreamFrame, i: int, lines: int, middle: float, room: float) -> Words | None:
    """The words of node i: the first lines of what a card of it would say; None where not even some letters have room.

    Args:
        lines: how many have room.
        middle: how far down.
        room: the pixels to the right of the bar.
    """
    make = _card if frame.scene.cards.is_inner(i) else _tile
    return make(frame, i, lines, middle, room / frame.words)


def _card(frame: StreamFrame, i: int, lines: int, middle: float, room: float) -> Words | None:
    """Of a split its column, then rows and rate, then what else was chosen."""
    cards, scale, letters = frame.scene.cards, frame.words, frame.scene.cards.letters
    whole, closed = room, frame.scene.folded is not None and bool(frame.scene.folded.closed[i])
    room -= 2 * PADDING
    named = max(room - FOLD_APART - least_room(frame.scene, i), min(room, LEAST_NAME)) if closed else room
    said = []
    for row in cards.rows(i)[:lines]:
        text = (
            letters.elided(row.forms(i)[0], named, row.kind)
            if row.titles
            else letters.whole(figures_first(row.forms(i)), room, row.kind)
        )
        said += [(text, row.kind)] if text else []
    if not said:
        return None
    width = (max(letters.width(text, kind) for text, kind in said) + 2 * PADDING) * scale
    height = (CARD_TOP + LINE * (len(said) - 1) if len(said) > 1 else CARD_LEAST) * scale
    plate = QRectF(_beside_bar(frame, i), middle - height / 2, width, height)
    found = Words(plate, plate)
    for k, (text, kind) in enumerate(said):
        at = (FIRST if len(said) > 1 else ALONE) if k == 0 else SECOND + LINE * (k - 1)
        place = QPointF(plate.x() + PADDING * scale, plate.y() + at * scale)
        found.lines.append(Line(text, kind, place, strong=kind == NAME))
    if closed:
        found.fold, wide = fold_words(frame.scene, i, whole - plate.width() / scale - FOLD_APART)
        x, y = plate.right() + FOLD_APART * scale, plate.center().y() - HIGH * scale / 2
        found.fold_plate = QRectF(x, y, wide * scale, HIGH * scale)
        found.box = plate.united(found.fold_plate)
    return found


def _tile(frame: StreamFrame, i: int, lines: int, middle: float, room: float) -> Words | None:
    """Of a leaf what it says on a tile of its colour, and beside it its rows and what else was chosen."""
    cards, scale, letters = frame.scene.cards, frame.words, frame.scene.cards.letters
    rows, room = cards.rows(i), room - 1
    if not rows:
        return None
    if rows[0].titles and not cards.says_figure(i):
        title = letters.elided(cards.texts(i)[0][0], room - 2 * PADDING, NAME)
    else:
        title = letters.whole((*cards.texts(i)[0], cards.brief(i)), room - 2 * PADDING, NAME)
    if not title:
        return None
    wide = max(TILE_LEAST, letters.width(title, NAME) + 2 * PADDING)
    x = _beside_bar(frame, i) + scale
    plate = QRectF(x, middle - TILE_HEIGHT / 2 * scale, wide * scale, TILE_HEIGHT * scale)
    at = QPointF(x + (wide - letters.width(title, NAME)) / 2 * scale, middle)
    found = Words(plate, QRectF(plate), [Line(title, NAME, at, strong=True)])
    # A rate above one half says its class already, unless costs or a person made it say another one.
    others = sorted(rows[1:], key=lambda row: row.forms == cards.says and not cards.weighed)
    room -= wide + BESIDE
    forms = [(letters.whole(figures_first(row.forms(i)), room, row.kind), row.kind) for row in others[:lines]]
    beside = [(text, kind) for text, kind in forms if text]
    for k, (text, kind) in enumerate(beside):
        place = QPointF(plate.right() + BESIDE * scale, middle + LINE * (k - (len(beside) - 1) / 2) * scale)
        found.lines.append(Line(text, kind, place))
        right = place.x() + letters.width(text, kind) * scale
        high = max(TILE_HEIGHT, LINE * len(beside)) * scale
        found.box = QRectF(x, middle - high / 2, max(right - x, found.box.width()), high)
    return found


def figures_first(forms: tuple[str, ...]) -> tuple[str, ...]:
    """The forms of a line in the order in which streams want them: of rows and what they say, "364 · mean 28,254",
    rather what they say alone than the rows alone, which the height of the bar shows."""
    rows, apart, says = forms[0].partition(APART)
    return (forms[0], says, *forms[1:]) if apart and forms[1:] == (rows,) else forms


class EdgeRooms:
    """What is left for the words on streams beside the words of the column before."""

    def __init__(self, frame: StreamFrame, before: list[Words]) -> None:
        """before: the words of that column, from top to bottom."""
        self.frame = frame
        self.tops = np.array([words.box.top() for words in before])
        self.bottoms = np.array([words.box.bottom() for words in before])
        self.rights = [words.box.right() for words in before]

    def room(self, i: int, middle: float) -> float:
        """The pixels for the words on the stream into node i."""
        half = EDGE_HEIGHT / 2 * self.frame.words
        first, last = np.searchsorted(self.bottoms, middle - half), np.searchsorted(self.tops, middle + half)
        bar = float(self.frame.left(int(self.frame.scene.levels.level[i])))
        start = max(self.rights[first:last], default=bar - self.frame.pitch + self.frame.bar)
        return bar - (AFTER_BAR + EDGE_GAP) * self.frame.words - start


def edge_plate(frame: StreamFrame, i: int, middle: float, room: float) -> tuple[str, QRectF] | None:
    """The words on the stream into node i, and the plate behind them; None where they have no room."""
    scene = frame.scene
    letters, room = scene.cards.letters, room / frame.words - 2 * EDGE_PADDING
    split = scene.tree.split_at(int(scene.tree.parent[i]))
    text = scene.cards.label(i)
    if split is not None and letters.width(text) > room:
        text = edge_words(scene.tree.branch_words(i), split, letters, room)
    if not text or letters.width(text) > room:
        return None
    return plate_before_bar(frame, i, middle, text)


def plate_before_bar(frame: StreamFrame, i: int, middle: float, text: str) -> tuple[str, QRectF]:
    """A text on the stream into node i, and the plate behind it."""
    scene, scale = frame.scene, frame.words
    width, height = (scene.cards.letters.width(text) + 2 * EDGE_PADDING) * scale, EDGE_HEIGHT * scale
    right = float(frame.left(int(scene.levels.level[i]))) - AFTER_BAR * scale
    return text, QRectF(right - width, middle - height / 2, width, height)


def _beside_bar(frame: StreamFrame, i: int) -> float:
    return float(frame.left(int(frame.scene.levels.level[i]))) + frame.bar + AFTER_BAR * frame.words
