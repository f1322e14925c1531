"""What all cards of one size have in common: their letters, and which lines have room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtGui import QFont, QFontMetricsF, QPaintDevice

from gui.picture.cards.frame import FULL
from gui.picture.nodes.card_rows import Row, fitting
from gui.picture.nodes.letters import NAME, PIXELS, Typeset, fonts, stepped

if TYPE_CHECKING:
    from gui.picture.cards.scene import Scene
    from gui.picture.nodes.cards import Cards

MOST_SIZES = 24  # that are kept
LEAST_PIXELS = 9.0  # letters never get smaller than that: they are left out instead
WITH_BAR = 21.0  # pixels; a lower card shows its name on its colour
BAR, BAR_HIGH, BAR_BESIDE, BAR_APART = (
    14.0,
    6.0,
    10.0,
    3.0,
)  # from its top to the card's foot; its tick stands out of it
ABOVE, BESIDE = 2.0, 4.0  # pixels between the border of a card and its words, at least
LEAST_NAMED = 10.0  # pixels; lower tiles have no words
CAPITALS = 0.72  # capitals and digits are so much of the size of letters high


class Letter(NamedTuple):
    """Letters of one kind.

    Attributes:
        font: for the painter's device.
        half: pixels that half of a text is wide, for each pixel that it measures at scale 1.
        drop: pixels from the middle of a line down to its base line.
        ascent: pixels from there up to the upper side of a text that is set.
        typeset: texts that are kept ready.
    """

    font: QFont
    half: float
    drop: float
    ascent: float
    typeset: Typeset


class Line(NamedTuple):
    """A line of a card: its kind of letters, its middle below the card's upper side, whether it is the first."""

    kind: str
    middle: float
    titles: bool


@dataclass(frozen=True)
class Size:
    """Cards at one scale.

    Attributes:
        zoom: the scale; 1 is natural.
        full: whether cards show all that they can.
        letter_zoom: the scale of their letters.
        letters: by kind.
        high, tile_high: pixels of inner nodes and of leaves.
        low: whether inner nodes show their name alone.
        lines, tile_lines: what has room; none of tiles that say one thing alone.
    """

    zoom: float
    full: bool
    letter_zoom: float
    letters: dict[str, Letter]
    high: float
    tile_high: float
    low: bool
    lines: list[Line]
    tile_lines: list[Line]


def size_of(scene: Scene, zoom: float, dpi: float, device: QPaintDevice) -> Size:
    """`made_size`, kept: most pictures have cards as large as those of the picture before."""
    key = zoom, dpi, device.logicalDpiY(), device.devicePixelRatio()
    found = scene.sizes.get(key)
    if found is None:
        if len(scene.sizes) >= MOST_SIZES:
            scene.sizes.clear()
        found = scene.sizes[key] = made_size(scene.cards, zoom, dpi, device)
    return found


def made_size(cards: Cards, zoom: float, dpi: float, device: QPaintDevice) -> Size:
    """Cards at a scale, on a device with so many dots per inch."""
    full = zoom >= FULL
    # Names stay readable between "whole card" and "box": their letters stop shrinking.
    letter_zoom = max(stepped(zoom), LEAST_PIXELS / PIXELS[NAME])
    made = fonts(letter_zoom, dpi)
    drawn = cards.letters.drawn(made, letter_zoom, device)
    letters = {
        kind: Letter(
            font=made[kind],
            half=letter_zoom * drawn[kind] / 2,
            drop=CAPITALS / 2 * PIXELS[kind] * letter_zoom,
            ascent=QFontMetricsF(made[kind], device).ascent(),
            typeset=cards.letters.typeset(kind, letter_zoom, dpi),
        )
        for kind in made
    }
    high, tile_high = cards.card_height * zoom, cards.tile_height * zoom
    room = high - ABOVE - ((BAR + BAR_APART) * zoom if cards.barred else ABOVE)

    def lines(rows: list[Row], room: float) -> list[Line]:
        if full:
            return [Line(row.kind, row.middle * zoom, row.titles) for row in rows]
        return [Line(row.kind, ABOVE + at, row.titles) for row, at in fitting(rows, room, letter_zoom)]

    several = full or len(fitting(cards.leaf_rows, tile_high - 2 * ABOVE, letter_zoom)) > 1
    return Size(
        zoom=zoom, full=full, letter_zoom=letter_zoom, letters=letters, high=high, tile_high=tile_high,
        low=high < WITH_BAR, lines=lines(cards.inner_rows, room),
        tile_lines=lines(cards.leaf_rows, tile_high - 2 * ABOVE) if several else [],
    )  # fmt: skip
