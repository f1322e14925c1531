"""Which part of a tree a widget shows: fitting, zooming, panning, holding still. Numbers only, no widget."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF

from gui.picture.camera import MARGIN, Camera, Region, showing
from gui.picture.fold_marks import Placed
from gui.picture.kinds import CARDS
from gui.picture.legend import HEIGHT
from gui.picture.picture_model import PictureModel

CORNER = 48.0, 48.0  # pixels around the button in the upper left corner
KEPT = 60.0  # a small drawing may be pushed so near to the upper left corner
AROUND = 16.0, 30.0  # what is to be seen beside and above a card that is brought into view
NEAR, LOOKED_AT = QPointF(160, 60), 64  # pixels from its middle within which a node stands; nodes looked at one by one
TRIED = 64  # nodes around the middle among which one is looked for that an edit leaves
BRANCH_MARGIN, BOX_MARGIN = 28.0, 0.0


class Viewport:
    """A camera on a scene, for a screen of some size.

    Points and boxes are told and asked for in pixels of the widget. Where everything is drawn larger than it is (see
    `magnify`), the camera, the size and `placed` count in the larger pixels of the drawing."""

    def __init__(self) -> None:
        self.kind = CARDS
        self.scene: PictureModel | None = None  # None before there is a tree
        self.camera = Camera()
        self.fitted = True  # the whole tree is shown, whatever becomes of it, until a person zooms or pans
        self.still = False  # until it is fitted anew, a fitted tree is held like any other: its nodes are clicked at
        self.size = QSizeF(200, 160)  # of the screen
        self.free = (0.0, 0.0)  # pixels at the right and at the top that a fitted tree leaves to what lies there
        self.corner = CORNER  # the width and height at the upper left below which it begins if a node were in there
        self.magnified = 1.0  # how many times larger than usual all of the picture is, letters and legend included

    @property
    def there(self) -> PictureModel:
        assert self.scene is not None
        return self.scene

    def id_of(self, i: int) -> int:
        """The id of the node at a position; −1 for the position −1, and before there is a tree."""
        return int(self.scene.tree.ids[i]) if self.scene is not None and i >= 0 else -1

    def position_of(self, node: int) -> int:
        """The position of a node by its id, of a hidden one that of the folded node above it; −1 without such one."""
        if self.scene is None or node not in self.scene.tree:
            return -1
        return self.scene.standing(self.scene.tree.position(node))

    def resize(self, size: QSizeF) -> None:
        """Takes another size; a fitted tree stays fitted, of another one what stands in the middle stays there."""
        before, self.size = self.size, size / self.magnified
        if self.follows:
            self.fit()
        else:
            grown = self.size - before
            self.camera = self.camera.moved(grown.width() / 2, grown.height() / 2)

    def magnify(self, times: float) -> None:
        """Shows all of the picture so many times larger than usual; what stands in the middle stays there."""
        size, self.magnified = self.size * self.magnified, times
        self.resize(size)

    @property
    def follows(self) -> bool:
        return self.fitted and not self.still

    def fit(self) -> None:
        self.fitted, self.still = True, False
        if self.scene is None:
            return
        self.camera = self.fitting(*self.free)
        (width, height), tree, folded = self.corner, self.scene.tree, self.scene.folded
        x, y, _, _ = self.placed().boxes(np.arange(tree.n_nodes) if folded is None else folded.shown).T
        if ((x < width) & (y < height)).any():  # as of a staircase
            self.camera = self.fitting(self.free[0], max(height, self.free[1]))

    def fitting(self, right: float = 0.0, top: float = 0.0) -> Camera:
        """A camera on the whole tree, which leaves so many pixels free."""
        (width, height), down = self._room, max(top - MARGIN, 0.0)
        return self.there.fitted(width - right, height - down).moved(0, down)

    def zoom(self, factor: float, at: QPointF) -> None:
        at = at / self.magnified
        self._take(self.camera.zoomed(factor, at.x(), at.y()))

    def stretch(self, factor_x: float, factor_y: float, at: QPointF) -> None:
        """Moves nodes apart or together, across and down; cards keep their size, what is at a point stays there."""
        at = at / self.magnified
        self._take(self.camera.stretched(factor_x, factor_y, at.x(), at.y()))

    def pan(self, dx: float, dy: float) -> None:
        self._take(self.camera.moved(dx / self.magnified, dy / self.magnified))

    def centre(self, x: float, y: float) -> None:
        camera, (width, height) = self.camera, self._room
        self._take(camera.moved(width / 2 - camera.x - x * camera.sx, height / 2 - camera.y - y * camera.sy))

    def show_branch(self, i: int) -> None:
        """Shows the node at position i with all below it as large as fits; the whole tree where it is the root."""
        self._show(self.there.region(i), BRANCH_MARGIN) if i else self.fit()

    def show_box(self, box: QRectF) -> None:
        box = self._unmagnified(box)
        left, upper = self.camera.seen(box.left(), box.top())
        right, lower = self.camera.seen(box.right(), box.bottom())
        self._show(self.there.part(left, upper, right - left, lower - upper), BOX_MARGIN)

    def reveal(self, i: int) -> None:
        """Pans no further than needed to bring the node at position i into view; a fitted tree is in view."""
        if self.follows:
            return
        box = self.placed().box(i).adjusted(-AROUND[0], -AROUND[1], AROUND[0], AROUND[0])
        right, bottom = self._room
        dx = max(0.0, -box.left()) - max(0.0, box.right() - right)
        dy = max(0.0, -box.top()) - max(0.0, box.bottom() - bottom)
        self._take(self.camera.moved(dx, dy), self.fitted)

    def steady(self, node: int, in_other: Callable[[int], bool]) -> int:
        """The id of the node that is to stay where it is when another tree is shown: this one or the nearest above it
        that is in both trees; where that is out of view, the one nearest to the middle."""
        tree, placed = self.there.tree, self.placed()
        i = tree.position(node) if node in tree else 0
        while i > 0 and not in_other(int(tree.ids[i])):
            i = int(tree.parent[i])
        if self.follows or placed.box(i).intersects(QRectF(0, 0, *self._room)):
            return int(tree.ids[i])
        x, y = placed.points()
        far = np.hypot(x - self.size.width() / 2, y - self.size.height() / 2)
        nearest = np.argpartition(far, min(TRIED, far.size) - 1)[:TRIED]
        nearest = nearest[np.argsort(far[nearest], kind="stable")]
        return next(filter(in_other, tree.ids[nearest].tolist()), int(tree.ids[i]))

    def held(self, camera: Camera, i: int, before: QPointF) -> Camera:
        """A camera, moved so that the node at position i stands where it stood `before` (see `anchor`)."""
        after = self.placed(camera).anchor(i)
        return camera.moved(before.x() - after.x(), before.y() - after.y())

    def anchor(self, i: int) -> QPointF:
        """The point of the node at position i that `held` keeps."""
        return self.placed().anchor(i)

    def box(self, i: int) -> QRectF:
        box = self.placed().box(i)
        return QRectF(box.topLeft() * self.magnified, box.size() * self.magnified)

    def node_at(self, point: QPointF) -> int:
        point = point / self.magnified
        return self.placed().node_at(point.x(), point.y()) if self.scene is not None else -1

    def n_below(self, box: QRectF, placed: Placed | None = None, among: NDArray[np.intp] | None = None) -> int:
        """How many nodes stand below something that lies on the picture: of those at the positions `among`, or of all
        that are shown; `placed` is where everything stands, as it does now without it."""
        placed, box = placed or self.placed(), self._unmagnified(box)
        wide = box.adjusted(-NEAR.x(), -NEAR.y(), NEAR.x(), NEAR.y())
        if among is None and self.there.folded is not None:
            among = self.there.folded.shown
        among = np.arange(self.there.tree.n_nodes) if among is None else among
        x, y = (each[among] for each in placed.points())
        near = among[(x > wide.left()) & (x < wide.right()) & (y > wide.top()) & (y < wide.bottom())]
        if near.size > LOOKED_AT:
            return int(near.size)
        return sum(placed.box(i).intersects(box) for i in near.tolist())

    def in_view(self) -> NDArray[np.intp]:
        (x, y), folded = self.placed().points(), self.there.folded
        inside = (x >= 0) & (x <= self.size.width()) & (y >= 0) & (y <= self.size.height())
        return np.flatnonzero(inside) if folded is None else folded.shown[inside[folded.shown]]

    def all_in_view(self) -> bool:
        if self.scene is None or self.follows:
            return True
        room, camera = QRectF(0, 0, *self._room), self.camera
        extent = QRectF(camera.x, camera.y, self.scene.width * camera.sx, self.scene.bottom * camera.sy)
        return room.adjusted(-1, -1, 1, 1).contains(extent)

    def placed(self, camera: Camera | None = None) -> Placed:
        """Where everything stands on the screen, now or through another camera; there has to be a scene."""
        return self.kind.frame(self.there, camera or self.camera, self.size)

    @property
    def _room(self) -> tuple[float, float]:
        return self.size.width(), self.size.height() - HEIGHT

    def _unmagnified(self, box: QRectF) -> QRectF:
        return QRectF(box.topLeft() / self.magnified, box.size() / self.magnified)

    def _show(self, region: Region, margin: float) -> None:
        self.fitted = False
        self.camera = showing(region, self.camera, self._room, margin)

    def _take(self, camera: Camera, fitted: bool = False) -> None:
        """Takes a camera; a drawing that covers the middle of the view is not moved off it."""
        self.fitted = fitted
        if self.scene is None:
            return
        x = _held(camera.x, self.camera.x, self.scene.width * camera.sx, self.size.width())
        y = _held(camera.y, self.camera.y, self.scene.bottom * camera.sy, self.size.height())
        self.camera = camera.moved(x - camera.x, y - camera.y)


def _held(place: float, before: float, length: float, view: float) -> float:
    """Where a drawing of some length may begin, so that it is not lost; never further out than it was."""
    low, high = min(view / 2 - length, KEPT), view / 2
    return min(max(place, min(low, before)), max(high, before))
