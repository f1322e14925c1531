"""A part of a drawing, a branch or a rectangle, and the camera that shows it."""

from dataclasses import dataclass
from typing import Protocol

from gui.picture.camera import CLOSEST, Camera, Spacing, fitted


class Region(Protocol):
    """Where a part of a drawing begins, and how it is fitted into a screen."""

    @property
    def left(self) -> float:
        """Its left side in the drawing."""

    @property
    def upper(self) -> float:
        """Its upper side in the drawing."""

    @property
    def width(self) -> float:
        """How wide it is at scale 1."""

    @property
    def height(self) -> float:
        """How high it is at scale 1."""

    @property
    def spread(self) -> float:
        """How far apart nodes stand on paper with room for it."""

    def fitted(self, width: float, height: float, margin: float) -> Camera:
        """A camera that shows it on a screen of this size, as if it began at 0."""


@dataclass(frozen=True)
class CardsRegion:
    """A part of a drawing of cards.

    Attributes:
        left, upper: where it begins.
        width: of it at scale 1.
        levels: from the top of its first level to the top of its last.
        last: the height of the last level's cards.
        tightest: how many times wider than needed its tightest place is.
        grows: whether cards may get larger than natural, until it fills the screen.
    """

    left: float
    upper: float
    width: float
    levels: float
    last: float = 0.0
    tightest: float = 1.0
    grows: bool = False

    spread = 1.1

    @property
    def height(self) -> float:
        return self.levels + self.last

    def fitted(self, width: float, height: float, margin: float) -> Camera:
        """A camera that shows it on a screen of this size, as if it began at 0."""
        found = fitted(self.width, self.levels, self.last, width, height, margin, self.tightest)
        if not self.grows or found.zoom < 1.0:
            return found
        fills = ((width - 2 * margin) / (self.width * found.sx), (height - 2 * margin) / (self.height * found.sy))
        zoom = min(max(min(fills), 1.0), CLOSEST)
        x, y = (width - self.width * found.sx * zoom) / 2, (height - self.height * found.sy * zoom) / 2
        return Camera(x, y, zoom, Spacing(full_x=found.sx, full_y=found.sy))


def showing(region: Region, before: Camera, size: tuple[float, float], margin: float) -> Camera:
    """A camera that shows a region on a screen of some width and height.

    Args:
        before: the camera so far; what it knows about the whole tree stays known.
    """
    found = region.fitted(*size, margin)
    aimed = Camera(0.0, 0.0, found.zoom, before.spacing).scaled(found.sx, found.sy, 0.0, 0.0)
    return aimed.moved(found.x - region.left * aimed.sx, found.y - region.upper * aimed.sy)
