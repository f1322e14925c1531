"""From the drawing to the screen: `zoom`, the size of the cards (1 is their natural size), and two spacings, which
scale apart: a fitted small tree is spread out generously, a fitted wide one keeps its levels apart although its width
shrinks. Between the fit and 100 % the spacing runs smoothly (in logarithms), so zooming in and out again comes back to
the same picture."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np

CLOSEST = 3.0
FURTHEST = 0.35  # of the fitted zoom
MARGIN = 28.0
SPREAD_X = (1.0, 1.6)  # how far apart cards may stand at 100 %
SPREAD_Y = (0.8, 1.15)
STEEPER = 1.8  # levels of a wide tree may stand so many times further apart: its edges would be flat else
CARD_GROWS = 1.5  # cards are at most so many times larger than levels are apart, both as shares of the natural
LOOSEST = 8.0  # a person may move nodes so many times further apart than usual


@dataclass(frozen=True)
class Spacing:
    """How the two scales follow the zoom: knots at the fit and at 100 %."""

    fit_zoom: float = 1.0
    fit_x: float = 1.0
    fit_y: float = 1.0
    full_x: float = 1.0
    full_y: float = 1.0
    tight_x: float = SPREAD_X[0]  # how much smaller than the cards the spacing may become by a person's hand
    tight_y: float = SPREAD_Y[0]

    def at(self, zoom: float) -> tuple[float, float]:
        """The horizontal and the vertical scale at a zoom."""
        if zoom >= 1.0 or self.fit_zoom >= 1.0:
            return self.full_x * zoom, self.full_y * zoom
        if zoom <= self.fit_zoom:
            share = zoom / self.fit_zoom
            return self.fit_x * share, self.fit_y * share
        way = np.log(zoom / self.fit_zoom) / -np.log(self.fit_zoom)
        return float(self.fit_x ** (1 - way) * self.full_x**way), float(self.fit_y ** (1 - way) * self.full_y**way)


@dataclass(frozen=True)
class Camera:
    """Where the drawing's origin stands on the screen, how large everything is, how far apart by a person's hand."""

    x: float = 0.0
    y: float = 0.0
    zoom: float = 1.0
    spacing: Spacing = Spacing()
    stretch_x: float = 1.0
    stretch_y: float = 1.0

    @property
    def sx(self) -> float:
        return max(self.spacing.at(self.zoom)[0] * self.stretch_x, self._tightest[0])

    @property
    def sy(self) -> float:
        return max(self.spacing.at(self.zoom)[1] * self.stretch_y, self._tightest[1])

    @property
    def _tightest(self) -> tuple[float, float]:
        """What the scales may be made by hand; a drawing that is fitted more tightly by itself may stay so."""
        sx, sy = self.spacing.at(self.zoom)
        return min(self.spacing.tight_x * self.zoom, sx), min(self.spacing.tight_y * self.zoom, sy)

    def moved(self, dx: float, dy: float) -> "Camera":
        return replace(self, x=self.x + dx, y=self.y + dy)

    def zoomed(self, factor: float, x: float, y: float) -> "Camera":
        """Zooms; what stands at the screen point (x, y) stays there."""
        least = min(FURTHEST * self.spacing.fit_zoom, self.zoom)
        return self._about(replace(self, zoom=min(max(self.zoom * factor, least), CLOSEST)), x, y)

    def stretched(self, factor_x: float, factor_y: float, x: float, y: float) -> "Camera":
        """Moves nodes apart or together, cards keep their size; what stands at the screen point (x, y) stays there."""
        wanted = self.sx * factor_x, self.sy * factor_y
        sx, sy = (
            min(max(scale, min(usual / LOOSEST, now)), max(usual * LOOSEST, now))
            for scale, usual, now in zip(wanted, self.spacing.at(self.zoom), (self.sx, self.sy), strict=True)
        )
        return self.scaled(sx, sy, x, y)

    def scaled(self, sx: float, sy: float, x: float, y: float) -> "Camera":
        """With these scales, but none that lets cards overlap; what stands at the screen point (x, y) stays there."""
        usual, tightest = self.spacing.at(self.zoom), self._tightest
        stretch_x, stretch_y = max(sx, tightest[0]) / usual[0], max(sy, tightest[1]) / usual[1]
        return self._about(replace(self, stretch_x=stretch_x, stretch_y=stretch_y), x, y)

    def seen(self, x: float, y: float) -> tuple[float, float]:
        """The place in the drawing that stands at the screen point (x, y)."""
        return (x - self.x) / self.sx, (y - self.y) / self.sy

    def _about(self, other: "Camera", x: float, y: float) -> "Camera":
        """The other camera, moved so that it sees at the screen point (x, y) what this one sees there."""
        at_x, at_y = self.seen(x, y)
        return replace(other, x=x - at_x * other.sx, y=y - at_y * other.sy)


def fitted(
    width: float, levels: float, card: float, across: float, down: float, margin: float = MARGIN, tightest: float = 1.0
) -> Camera:
    """A camera that shows a drawing, see `CardsRegion`; cards grow where its tightest place is wider than needed."""
    room_x, room_y = max(across - 2 * margin, 40.0), max(down - 2 * margin, 40.0)
    # Cards shrink with the distance between levels: where that is little, more of it is left to them.
    least = max(room_y - card * min(1.0, tightest * room_x / width), 0.3 * room_y)
    upright = max(least, room_y * levels / (levels + CARD_GROWS * card))
    card = min(card, room_y - upright)
    zoom = min(1.0, room_x / width, upright / (SPREAD_Y[0] * levels) if levels else room_y / card)
    sx = min(room_x / width, SPREAD_X[1])
    sy = min(upright / levels, SPREAD_Y[1] * min(zoom**-0.5, STEEPER)) if levels else 1.0
    # At 100 % as at the fit where that is allowed, and never smaller than there.
    full_x, full_y = (max(min(max(s / zoom, least), most), s) for s, (least, most) in ((sx, SPREAD_X), (sy, SPREAD_Y)))
    spacing = Spacing(zoom, sx, sy, full_x, full_y)
    spare = down - levels * sy - card
    return Camera((across - width * sx) / 2, min(max(spare / 3, margin), margin + 60), zoom, spacing)


@dataclass(frozen=True)
class Region(ABC):
    """A part of a drawing: where it begins, how large it is at scale 1."""

    left: float
    upper: float
    width: float
    height: float
    words = 0.0  # what of its width stays as it is where nodes stand further apart

    @abstractmethod
    def fitted(self, width: float, height: float, margin: float) -> Camera:
        """A camera that shows it on a screen of this size, as if it began at 0."""


@dataclass(frozen=True)
class CardsRegion(Region):
    """A part of a drawing of cards."""

    last: float = 0.0  # the height of the last level's cards
    tightest: float = 1.0  # how many times wider than needed its tightest place is
    grows: bool = False  # whether cards may get larger than natural, until it fills the screen

    def fitted(self, width: float, height: float, margin: float) -> Camera:
        found = fitted(self.width, self.height - self.last, self.last, width, height, margin, self.tightest)
        if not self.grows or found.zoom < 1.0:
            return found
        fills = ((width - 2 * margin) / (self.width * found.sx), (height - 2 * margin) / (self.height * found.sy))
        zoom = min(max(min(fills), 1.0), CLOSEST)
        x, y = (width - self.width * found.sx * zoom) / 2, (height - self.height * found.sy * zoom) / 2
        return Camera(x, y, zoom, Spacing(full_x=found.sx, full_y=found.sy))


def showing(region: Region, before: Camera, size: tuple[float, float], margin: float) -> Camera:
    """A camera that shows a region on a screen of some width and height, with the spacing of the one before."""
    found = region.fitted(*size, margin)
    aimed = Camera(0.0, 0.0, found.zoom, before.spacing).scaled(found.sx, found.sy, 0.0, 0.0)
    return aimed.moved(found.x - region.left * aimed.sx, found.y - region.upper * aimed.sy)
