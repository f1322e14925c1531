"""Where the words beside points go, so that they hide neither each other nor a point, and of the curves as little as
can be: numbers in, numbers out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

GAP = 4.0  # pixels between two labels
FAR = 6  # rows of letters between a point and its words, at most


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        """Whether the two overlap or come nearer than the gap."""
        return (
            self.left < other.right + gap and other.left < self.right + gap
            and self.top < other.bottom + gap and other.top < self.bottom + gap
        )  # fmt: skip

    def holds(self, other: Box) -> bool:
        """Whether the other lies inside."""
        return (
            self.left <= other.left and self.top <= other.top
            and other.right <= self.right and other.bottom <= self.bottom
        )  # fmt: skip


def place(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    area: Box,
    radius: float = 7.0,
    taken: Sequence[Box] = (),
    curves: NDArray[np.float64] | None = None,
) -> list[Box | None]:
    """A place for the words of each point; None where there is no room. Earlier points have the first choice.

    Args:
        points: the middle of each point.
        sizes: width and height of its words.
        area: all words stay inside.
        radius: of the points; no words stand on one.
        taken: where other things stand.
        curves: float64[·, 2], points along the curves; of the places that are free the nearest that hides none of them
            is taken, or else the one that hides fewest.
    """
    spots = [*taken, *(Box(x - radius, y - radius, x + radius, y + radius) for x, y in points)]
    placed: list[Box | None] = []
    for (x, y), (width, height) in zip(points, sizes, strict=True):
        free = (
            box
            for box in _places(x, y, width, height, radius)
            if area.holds(box)
            and not any(box.meets(spot) for spot in spots)
            and not any(box.meets(other, GAP) for other in placed if other is not None)
        )
        placed.append(next(free, None) if curves is None else _least_hiding(free, curves))
    return placed


def _least_hiding(free: Iterable[Box], curves: NDArray[np.float64]) -> Box | None:
    """The first place that hides fewest points."""
    best, least, (x, y) = None, math.inf, curves.T
    for box in free:
        hidden = int(((box.left <= x) & (x <= box.right) & (box.top <= y) & (y <= box.bottom)).sum())
        if hidden < least:
            best, least = box, hidden
        if not hidden:
            break
    return best


def _places(x: float, y: float, width: float, height: float, radius: float) -> Iterator[Box]:
    """Where words may stand, the nearest first: right of the point and left of it, above and below."""
    aside, row = radius + 3, height + GAP
    for far in range(FAR + 1):
        for up in (True, False):
            top = y - radius - height - far * row if up else y + radius + far * row
            if far == 0:
                middle = y - height / 2
                yield Box(x + aside, middle, x + aside + width, middle + height)
                yield Box(x - aside - width, middle, x - aside, middle + height)
            for left in (x + aside / 2, x - aside / 2 - width, x - width / 2, x + 5 * aside, x - 5 * aside - width):
                yield Box(left, top, left + width, top + height)
