"""Where the lines of a card stand: rows of words from the top, a bar at the bottom. Pixels at scale 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from gui.picture.nodes.letters import NAME, PLAIN, SMALL

LINE = 14.0  # what a line of small letters adds
HEIGHTS = {NAME: 16.0, PLAIN: 17.0, SMALL: LINE}
TIGHT = 0.92  # of these heights is enough where there is little room
CARD_TOP, TILE_TOP = 7.0, 5.0
CARD_BAR, TILE_BAR = 18.0, 12.0  # a bar and the space around it, the card's lower border included
CARD_LEAST, TILE_LEAST = 24.0, 24.0  # pixels; no card is lower

Forms = Callable[[int], tuple[str, ...]]


@dataclass(frozen=True)
class Row:
    """A line of words.

    Attributes:
        kind: its letters.
        middle: its middle below the card's upper side.
        forms: what it says of the node at a position, the longest form first.
        titles: whether it is the first line, which is shortened where it is a name.
    """

    kind: str
    middle: float
    forms: Forms
    titles: bool = False


def fitting(rows: list[Row], room: float, scale: float) -> list[tuple[Row, float]]:
    """As many lines as a smaller card has room for, the first ones, with their middles from the top of that room.

    Args:
        room: pixels.
        scale: of the letters, which stop shrinking before cards do.
    """
    found: list[tuple[Row, float]] = []
    at = 0.0
    for row in rows:
        high = TIGHT * HEIGHTS[row.kind] * scale
        if at + high > room and found:
            break
        found.append((row, at + high / 2))
        at += high
    spare = (room - at) / 2
    return [(row, middle + spare) for row, middle in found]


@dataclass
class Stack:
    """The lines of inner nodes, or of leaves, one below the other.

    Attributes:
        top: the space above the first.
        bar: what the bar takes at the bottom; 0 without any.
        least: no card is lower.
        rows: the lines so far.
    """

    top: float
    bar: float
    least: float
    rows: list[Row] = field(default_factory=list)

    def add(self, kind: str, forms: Forms, *, titles: bool = False) -> None:
        """Adds a line below the others."""
        high = HEIGHTS[kind]
        self.rows.append(Row(kind, self._bottom + high / 2, forms, titles))

    @property
    def _bottom(self) -> float:
        return self.top + sum(HEIGHTS[row.kind] for row in self.rows)

    @property
    def height(self) -> float:
        """Of the whole card."""
        return max(self._bottom + (self.bar or self.top), self.least)
