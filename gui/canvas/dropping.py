"""A column that is dragged from the panel of columns onto a node of the canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QDragMoveEvent, QDropEvent

from gui.widgets.columns import dragged_column

if TYPE_CHECKING:
    from gui.canvas.view import TreeView


class ColumnDrops(QObject):
    """Takes the drag and drop of columns for a canvas; files are left to the window.

    Attributes:
        target: the position of the node below the column that is dragged, −1 for none.

    Signals:
        dropped: args: the node, the column's name
    """

    dropped = Signal(int, str)

    def __init__(self, view: TreeView) -> None:
        super().__init__(view)
        self._view = view
        self.target = -1
        view.setAcceptDrops(True)
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DragEnter:
            event.setAccepted(bool(dragged_column(event.mimeData())) and self._view.port.scene is not None)
        elif event.type() == QEvent.Type.DragMove:
            self._move(event)
        elif event.type() == QEvent.Type.DragLeave:
            self.aim(-1)
        elif event.type() == QEvent.Type.Drop:
            self._drop(event)
        else:
            return False
        return True

    def aim(self, i: int) -> None:
        """Marks the node at a position as the one that the column would be dropped onto."""
        if i != self.target:
            self.target = i
            self._view.update()

    def _move(self, event: QDragMoveEvent) -> None:
        self.aim(self._view.port.node_at(event.position()))
        event.setAccepted(self.target >= 0)

    def _drop(self, event: QDropEvent) -> None:
        node, column = self._view.node_under(event.position()), dragged_column(event.mimeData())
        self.aim(-1)
        if node >= 0 and column:
            event.acceptProposedAction()
            self._view.select(node)
            # When the drag is over: a question that opens inside of it would hold the mouse.
            QTimer.singleShot(0, self, lambda: self.dropped.emit(node, column))
