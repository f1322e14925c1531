"""The toolbar of the window."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QToolBar


class ToolBar(QToolBar):
    """A press that misses its buttons takes the keys off the canvas, as one on a panel does. A button does
    not: who has pressed Undo goes on with the tree. Hence no focus policy, which would hold for both."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # Not to the toolbar itself: the letters of the actions on it would act there.
        self.window().setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)
