"""The canvas as all of its parts know it: what is in view, where things stand in it, and how the view is moved."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

import engine
from gui.canvas.motion import Motion
from gui.canvas.viewport import Viewport
from gui.model.document import Document
from gui.model.view_state import folding
from gui.picture import fold_marks
from gui.picture.camera import Camera
from gui.picture.picture_model import PictureModel

STEP = 1.25  # one press of + or −


class FoldHandles:
    """The handles that fold and unfold, as the mouse finds them: where they stand is where they were painted last."""

    def __init__(self, document: Document, port: Viewport) -> None:
        self._document, self._port = document, port
        self.marks: list[fold_marks.FoldMark] = []  # what is on the screen
        self.held = -1  # the id of the node that is just folded or unfolded: it stays in its place; −1 for none

    def paint(self, painter: QPainter, camera: Camera, over: tuple[int, ...], dpi: float) -> None:
        """Paints what says that branches are folded, and the handles of the open nodes at the positions `over`."""
        placed, size = self._port.placed(camera), self._port.size.toTuple()
        self.marks = fold_marks.marks_of(placed, size, over)
        fold_marks.paint(painter, placed, self.marks, size, dpi)

    def at(self, point: QPointF) -> int:
        """The position of the node whose handle is at a point of the widget, −1 where there is none."""
        point = point / self._port.magnified
        return next((mark.i for mark in self.marks if mark.box.contains(point)), -1)

    def press(self, event: QMouseEvent) -> bool:
        node = self._port.id_of(self.at(event.position()))
        pressed = node >= 0 and event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        if pressed:
            self.toggle(node)
        return pressed

    def toggle(self, node: int) -> None:
        """Folds the branch below a node, or opens it; the node stays where it is on the screen."""
        self.held = node
        folding.toggle(self._document, node)
        self.held = -1


class Canvas(QWidget):
    """A widget that looks at a tree."""

    contextMenuRequested = Signal(int, QPoint)  # args: the node under the pointer, the place on the screen
    activated = Signal(int)  # double click or Enter. arg: the node
    looked = Signal()  # the picture is another, or another part of it is in view
    columnDropped = Signal(int, str)  # a column was dragged onto a node. args: the node, the column's name
    legendChanged = Signal()  # the legend became higher or lower

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.port = Viewport()  # which part of the tree is in view
        self.legend_height = 0  # the pixels at the lower edge that the legend takes, as it was painted last
        self.motion = Motion(document.look, self)  # the way there
        self.handles = FoldHandles(document, self.port)  # those that fold

    @property
    def tree(self) -> "engine.Tree | None":
        """The tree that is to be seen: the document's, or that of the replay."""
        return self.document.replaying.tree or self.document.tree

    @property
    def selected(self) -> int:
        """The id of the node that stands out: the selected one, or the one that the step of the replay is about."""
        return self.document.replaying.node if self.document.replaying.tree is not None else self.document.selected

    @property
    def scene(self) -> PictureModel | None:
        return self.port.scene

    def position_at(self, point: QPointF) -> int:
        """The position of the node that is drawn at a point, its handle included; −1 where there is none."""
        handle = self.handles.at(point)
        return handle if handle >= 0 else self.port.node_at(point)

    def node_under(self, point: QPointF) -> int:
        """The id of the node at a point of this widget, −1 where there is none."""
        return self.port.id_of(self.position_at(point))

    def node_rect(self, node: int) -> QRectF:
        """Where a node's card stands in this widget; empty when the tree has no such node."""
        i = self.port.position_of(node)
        return self.port.box(i) if i >= 0 else QRectF()

    def anchor(self) -> QPointF:
        """The selected node where it is in view, else the middle."""
        i, room = self.port.position_of(self.selected), QRectF(self.rect())
        place = self.port.anchor(i) * self.port.magnified if i >= 0 else QPointF(-1.0, -1.0)
        return place if room.contains(place) else room.center()

    def go(self, act: Callable[[], object]) -> None:
        start = self.motion.shown(self.port.camera)
        act()
        self.motion.go(start, self.port.camera)
        self.update()

    def fit(self) -> None:
        self.go(self.port.fit)

    def show_branch(self) -> None:
        i = self.port.position_of(self.selected)
        if i >= 0:
            self.go(lambda: self.port.show_branch(i))

    def actual_size(self) -> None:
        """Shows cards at their natural size, around the selected node."""
        self.go(lambda: self.port.zoom(1.0 / self.port.camera.zoom, self.anchor()))
        self.reveal(self.selected)

    def zoom_in(self) -> None:
        self.go(lambda: self.port.zoom(STEP, self.anchor()))

    def zoom_out(self) -> None:
        self.go(lambda: self.port.zoom(1 / STEP, self.anchor()))

    def reveal(self, node: int) -> None:
        """Pans no further than needed to bring a node into view."""
        i = self.port.position_of(node)
        if i >= 0:
            self.go(lambda: self.port.reveal(i))

    def zoom_by(self, factor: float, at: QPointF) -> None:
        self.port.zoom(factor, at)
        self.update()

    def pan(self, dx: float, dy: float) -> None:
        self.port.pan(dx, dy)
        self.update()
