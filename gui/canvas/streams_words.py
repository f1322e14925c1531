"""What is written beside a bar of the streams, and where: the card of a split, the tile of a leaf and its rows."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF

from gui.canvas.cards import edge_words
from gui.canvas.letters import NAME, PLAIN, SMALL
from gui.canvas.streams_frame import AFTER_BAR, CARD, LINE, WHOLE, StreamFrame

PADDING = 7.0
CARD_HEIGHTS = {LINE: 19.0, CARD: 34.0, WHOLE: 48.0}
TITLE_AT = {LINE: 9.5, CARD: 10.5, WHOLE: 10.5}
LINES_AT = (24.5, 38.5)
TILE_HEIGHT, TILE_LEAST, BESIDE = 20.0, 46.0, 6.0
ROWS = 44.0  # what a long name leaves to the rows beside it
EDGE_HEIGHT, EDGE_PADDING = 16.0, 5.0


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
    """

    plate: QRectF
    box: QRectF
    lines: list[Line] = field(default_factory=list)


def words_of(frame: StreamFrame, i: int, tier: int, middle: float, room: float) -> Words | None:
    """The words of node i; None where not even a few letters have room.

    Args:
        tier: how much may be written, see `StreamFrame.tiers`.
        middle: how far down.
        room: the pixels to the right of the bar.
    """
    make = _card if frame.scene.cards.is_inner(i) else _tile
    return make(frame, i, tier, middle, room / frame.words)


def _card(frame: StreamFrame, i: int, tier: int, middle: float, room: float) -> Words | None:
    """Of a split its column, then rows and rate, then the validation figure."""
    cards, scale, letters = frame.scene.cards, frame.words, frame.scene.cards.letters
    room -= 2 * PADDING
    title = letters.elided(cards.title(i), room, NAME)
    if not title:
        return None
    below = [
        (letters.whole(cards.details(i), room), PLAIN),
        (letters.whole((cards.validation(i),), room, SMALL), SMALL),
    ]
    below = [(text, kind) for text, kind in below[: tier - LINE] if text]
    tier = LINE + len(below)
    widest = max(letters.width(text, kind) for text, kind in [(title, NAME), *below])
    width, height = (widest + 2 * PADDING) * scale, CARD_HEIGHTS[tier] * scale
    x = _beside_bar(frame, i)
    y = middle - height / 2
    plate = QRectF(x, y, width, height)
    inside = x + PADDING * scale
    lines = [Line(title, NAME, QPointF(inside, y + TITLE_AT[tier] * scale), strong=True)]
    for (text, kind), at in zip(below, LINES_AT, strict=False):
        lines.append(Line(text, kind, QPointF(inside, y + at * scale)))
    return Words(plate, plate, lines)


def _tile(frame: StreamFrame, i: int, tier: int, middle: float, room: float) -> Words | None:
    """Of a leaf what it says on a tile of its colour, and beside it its rows and the validation figure."""
    cards, scale, letters = frame.scene.cards, frame.words, frame.scene.cards.letters
    room -= 1
    if cards.says_figure(i):
        title = letters.whole((*cards.titles(i), cards.brief(i)), room - 2 * PADDING, NAME)
    else:
        title = letters.elided(cards.title(i), room - 2 * PADDING - (ROWS if room > 2 * ROWS else 0), NAME)
    if not title:
        return None
    wide = max(TILE_LEAST, letters.width(title, NAME) + 2 * PADDING)
    x, y = _beside_bar(frame, i) + scale, middle
    plate = QRectF(x, y - TILE_HEIGHT / 2 * scale, wide * scale, TILE_HEIGHT * scale)
    lines = [Line(title, NAME, QPointF(x + (wide - letters.width(title, NAME)) / 2 * scale, y), strong=True)]
    box = QRectF(plate)
    room -= wide + BESIDE
    rows = letters.whole(cards.details(i), room)
    more = letters.whole((cards.validation(i),), room, SMALL) if tier >= CARD else ""
    beside = [(text, kind) for text, kind in ((rows, PLAIN), (more, SMALL)) if text]
    for k, (text, kind) in enumerate(beside):
        at = y + (14 * k - 7 * (len(beside) - 1)) * scale
        lines.append(Line(text, kind, QPointF(plate.right() + BESIDE * scale, at)))
        width = (BESIDE + letters.width(text, kind)) * scale
        box.setRight(max(box.right(), plate.right() + width))
    if len(beside) > 1:
        box.adjust(0, -4 * scale, 0, 4 * scale)
    return Words(plate, box, lines)


def edge_plate(frame: StreamFrame, i: int, middle: float, room: float) -> tuple[str, QRectF] | None:
    """The words on the stream into node i, and the plate behind them; None where they have no room."""
    scene, scale = frame.scene, frame.words
    letters, room = scene.cards.letters, room / scale - 2 * EDGE_PADDING
    split = scene.tree.split_at(int(scene.tree.parent[i]))
    text = scene.cards.label(i)
    if split is not None and letters.width(text) > room:
        text = edge_words(scene.tree.branch_words(i), split, letters, room)
    if not text or letters.width(text) > room:
        return None
    width, height = (letters.width(text) + 2 * EDGE_PADDING) * scale, EDGE_HEIGHT * scale
    right = float(frame.left(int(scene.tree.level[i]))) - AFTER_BAR * scale
    return text, QRectF(right - width, middle - height / 2, width, height)


def _beside_bar(frame: StreamFrame, i: int) -> float:
    return float(frame.left(int(frame.scene.tree.level[i]))) + frame.bar + AFTER_BAR * frame.words
