"""What is written beside a bar of the streams, and where: the card of a split, the tile of a leaf and its rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF

from gui.picture.folds import HIGH, fold_words, least_room
from gui.picture.nodes.letters import NAME, SMALL, Letters
from gui.picture.streams.scene import Streams

PADDING = 7.0
LINE = 14.0  # from one line to the next
ALONE, FIRST, SECOND = 9.5, 10.5, 24.5  # the middles of lines below the upper side of a card
CARD_LEAST, CARD_TOP = 19.0, 20.0
TILE_HEIGHT, TILE_LEAST, BESIDE = 20.0, 46.0, 6.0
APART = " · "
MOST_MADE = 20_000  # words that are kept for the next picture
LEAST_NAME = 40.0  # what is left of the name on a folded card
FOLD_APART = 9.0  # from a folded card to what it says of what it hides: a stack stands out between them


class Line(NamedTuple):
    """A text, its kind of letters, and its left end at half of its height."""

    text: str
    kind: str
    at: QPointF
    strong: bool = False  # in the colour of what it stands on, else in that of secondary text


@dataclass(slots=True)
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

    def placed(self, x: float, y: float, scale: float) -> Words:
        """The same words elsewhere, so many times larger: their origin stands at a point."""
        lines = [
            Line(line.text, line.kind, QPointF(x + line.at.x() * scale, y + line.at.y() * scale), line.strong)
            for line in self.lines
        ]
        plate, box = placed_box(self.plate, x, y, scale), placed_box(self.box, x, y, scale)
        return Words(plate, box, lines, self.fold, placed_box(self.fold_plate, x, y, scale) if self.fold else QRectF())


def shape_of(scene: Streams, i: int, lines: int, room: float, *, cut: bool = False) -> Words | None:
    """The words of node i: the first lines of what a card of it would say, at scale 1 around the left middle, as they
    are kept from one picture to the next; None where not even some letters have room.

    Args:
        lines: how many have room.
        room: the pixels to the right of the bar, at scale 1.
        cut: whether a split says where it cuts.
    """
    made, key = scene.words_made, (i, lines, int(room), cut)
    if key not in made:
        if len(made) > MOST_MADE:
            made.clear()
        inner = scene.cards.is_inner(i)
        made[key] = _card(scene, i, lines, int(room), cut) if inner else _tile(scene, i, lines, int(room))
    found: Words | None = made[key]
    return found


def placed_box(box: QRectF, x: float, y: float, scale: float) -> QRectF:
    """A box of a shape where it is drawn."""
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
            text = cards.cut(i, named, row.kind) if cut else letters.elided(forms[0], named, row.kind)
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
    """Of a leaf what it says on a tile of its colour, and beside it or below its rows and what else was chosen;
    natural size, from the left middle."""
    cards, letters, rows, room = scene.cards, scene.cards.letters, scene.cards.rows(i), room - 1
    if not rows:
        return None
    texts = cards.texts(i)
    if rows[0].titles and not cards.says_figure(i):
        title = letters.elided(texts[0][0], room - 2 * PADDING, NAME)
    else:
        wanted = (letters.width(forms[0], row.kind) for row, forms in zip(rows[1:], texts[1:], strict=True))
        due = max(wanted, default=-BESIDE) + BESIDE
        # The longer form only where that takes nothing from the other lines.
        title = letters.whole(texts[0], room - 2 * PADDING - due, NAME)
        title = title or letters.whole(texts[0][int(cards.paired) :], room - 2 * PADDING, NAME)
    if not title:
        return None
    wide = max(TILE_LEAST, letters.width(title, NAME) + 2 * PADDING)
    plate = QRectF(1, -TILE_HEIGHT / 2, wide, TILE_HEIGHT)
    at = QPointF(1 + (wide - letters.width(title, NAME)) / 2, 0)
    found = Words(plate, QRectF(plate), [Line(title, NAME, at, strong=True)])
    others = _others(scene, i)
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


def _others(scene: Streams, i: int) -> list[tuple[str, ...]]:
    """The forms of what else is chosen of a leaf, the rows first."""
    texts = scene.cards.texts(i)
    return [texts[k][:1] if alone else texts[k] for k, alone in scene.beside_tiles]


def _packed(letters: Letters, others: list[tuple[str, ...]], lines: int, room: float) -> list[str]:
    """What else is chosen of a leaf in so many lines; several in the last one if they have room."""
    found: list[str] = []
    for forms in others:
        text = letters.whole(forms, room, SMALL)
        if text and len(found) < lines:
            found.append(text)
        elif text and found and letters.width(found[-1] + APART + text, SMALL) <= room:
            found[-1] += APART + text
    return found
