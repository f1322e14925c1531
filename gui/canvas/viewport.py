"""Which part of a tree a widget shows: fitting, zooming, panning, holding still. Numbers only, no widget."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF

from gui.canvas.camera import Camera
from gui.canvas.kinds import CARDS, Placed
from gui.canvas.legend import HEIGHT
from gui.canvas.scene import Drawn

KEPT = 60.0  # a small drawing may be pushed so near to the upper left corner
AROUND = 16.0, 30.0  # what is to be seen beside and above a card that is brought into view


class Viewport:
    """A camera on a scene, for a screen of some size.

    Attributes:
        kind: how trees are drawn.
        scene: what is looked at; None before there is a tree.
        camera: from where.
        fitted: the whole tree is shown, whatever becomes of it; only a person's own zooming or panning ends that.
    """

    def __init__(self) -> None:
        self.kind = CARDS
        self.scene: Drawn | None = None
        self.camera = Camera()
        self.fitted = True
        self.size = QSizeF(200, 160)

    def resize(self, size: QSizeF) -> None:
        """Takes another size; a fitted tree stays fitted."""
        self.size = size
        if self.fitted:
            self.fit()

    def fit(self) -> None:
        """Shows the whole tree."""
        self.fitted = True
        if self.scene is not None:
            self.camera = self.scene.fitted(self.size.width(), self.size.height() - HEIGHT)

    def zoom(self, factor: float, at: QPointF) -> None:
        """Zooms; what stands at a point stays there."""
        self.fitted = False
        self._take(self.camera.zoomed(factor, at.x(), at.y()))

    def pan(self, dx: float, dy: float) -> None:
        """Moves the drawing by so many pixels."""
        self.fitted = False
        self._take(self.camera.moved(dx, dy))

    def reveal(self, i: int) -> None:
        """Pans no further than needed to bring the node at position i into view; a fitted tree is in view."""
        if self.fitted:
            return
        box = self.box(i).adjusted(-AROUND[0], -AROUND[1], AROUND[0], AROUND[0])
        right, bottom = self.size.width(), self.size.height() - HEIGHT
        dx = max(0.0, -box.left()) - max(0.0, box.right() - right)
        dy = max(0.0, -box.top()) - max(0.0, box.bottom() - bottom)
        self._take(self.camera.moved(dx, dy))

    def hold(self, i: int, before: QRectF) -> None:
        """Moves the drawing so that the node at position i stands where it stood `before`; a fitted one is fitted."""
        if self.fitted:
            self.fit()
            return
        after = self.box(i)
        move = before.center().x() - after.center().x(), before.top() - after.top()
        self.camera = self.camera.moved(*move)

    def box(self, i: int) -> QRectF:
        """Where the card at position i stands; empty without a scene."""
        placed = self.placed()
        return placed.box(i) if placed is not None else QRectF()

    def node_at(self, point: QPointF) -> int:
        """The position of the node drawn at a point, −1 where there is none."""
        placed = self.placed()
        return placed.node_at(point.x(), point.y()) if placed is not None else -1

    def in_view(self) -> NDArray[np.intp]:
        """The positions of all nodes that are in view."""
        placed = self.placed()
        if placed is None:
            return np.zeros(0, np.intp)
        x, y = placed.points()
        inside = (x >= 0) & (x <= self.size.width()) & (y >= 0) & (y <= self.size.height())
        folded = self.scene.folded if self.scene is not None else None
        return np.flatnonzero(inside) if folded is None else folded.shown[inside[folded.shown]]

    def placed(self) -> Placed | None:
        """Where everything stands on the screen now; None without a scene."""
        return self.kind.frame(self.scene, self.camera, self.size) if self.scene is not None else None

    def _take(self, camera: Camera) -> None:
        """Takes a camera; a drawing that covers the middle of the view is not moved off it."""
        if self.scene is None:
            return
        x = _held(camera.x, self.camera.x, self.scene.width * camera.sx, self.size.width())
        y = _held(camera.y, self.camera.y, self.scene.bottom * camera.sy, self.size.height())
        self.camera = camera.moved(x - camera.x, y - camera.y)


def _held(place: float, before: float, length: float, view: float) -> float:
    """Where a drawing of some length may begin, so that it is not lost; never further out than it was."""
    low, high = min(view / 2 - length, KEPT), view / 2
    return min(max(place, min(low, before)), max(high, before))
