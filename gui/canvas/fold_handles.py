"""The handles that fold and unfold, as the mouse finds them on the canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPainter

from gui.model.view_state import folding
from gui.picture import fold_marks
from gui.picture.camera import Camera

if TYPE_CHECKING:
    from gui.canvas.viewport import Viewport
    from gui.model.document import Document


class FoldHandles:
    """Where they stand is where they were painted last.

    Attributes:
        marks: what is on the screen.
        held: the id of the node that is just folded or unfolded: it stays in its place; −1 for none.
    """

    def __init__(self, document: Document, port: Viewport) -> None:
        self._document, self._port = document, port
        self.marks: list[fold_marks.FoldMark] = []
        self.held = -1

    def paint(self, painter: QPainter, camera: Camera, over: tuple[int, ...], dpi: float) -> None:
        """Paints what says that branches are folded, and the handles of the open nodes at the positions `over`."""
        port = self._port
        placed, size = port.kind.frame(port.scene, camera, port.size), (port.size.width(), port.size.height())
        self.marks = fold_marks.marks_of(placed, size, over)
        fold_marks.paint(painter, placed, self.marks, size, dpi)

    def at(self, point: QPointF) -> int:
        """The position of the node whose handle is at a point of the widget, −1 where there is none."""
        point = point / self._port.magnified
        return next((mark.i for mark in self.marks if mark.box.contains(point)), -1)

    def press(self, event: QMouseEvent) -> bool:
        """Folds or unfolds where a handle is pressed; whether one was."""
        i, scene = self.at(event.position()), self._port.scene
        if i < 0 or scene is None or event.button() != Qt.MouseButton.LeftButton or event.modifiers():
            return False
        self.toggle(int(scene.tree.ids[i]))
        return True

    def toggle(self, node: int) -> None:
        """Folds the branch below a node, or opens it; the node stays where it is on the screen."""
        self.held = node
        folding.toggle(self._document, node)
        self.held = -1

    def tip(self, point: QPointF) -> str:
        """What the handle at a point does; empty where there is none."""
        i, scene = self.at(point), self._port.scene
        return folding.handle_tip(scene, i) if i >= 0 and scene is not None else ""
