"""The small button in the corner of the canvas that turns the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from engine.runtime.sentences import tr
from gui import icons, theme
from gui.picture.shapes import paint_overlay_plate
from gui.verbs.look_menus import KIND_WORDS, other_kind, turn
from gui.widgets import verbatim

if TYPE_CHECKING:
    from gui.model.view_state.view_options import Look

SIZE, INSET = 30, 8


class KindButton(QToolButton):
    """Shows the picture of the kind that a click changes to."""

    def __init__(self, look: Look, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._look = look
        self.setObjectName("kind_button")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys stay those of the tree
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAutoRaise(True)
        self.setIconSize(QSize(18, 18))
        self.setGeometry(INSET, INSET, SIZE, SIZE)
        self.clicked.connect(self._turn)
        look.changed.connect(self._show)
        theme.watcher().changed.connect(self._show)
        self._show()

    @Slot()
    def _turn(self) -> None:
        turn(self._look)

    @Slot()
    def _show(self) -> None:
        words = KIND_WORDS[other_kind(self._look)]
        self.setIcon(icons.icon(words.icon))
        self.setToolTip(verbatim.tip(f"{tr(words.tip)} (T)"))
        self.setAccessibleName(verbatim.without_mark(tr(words.text)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """On a plate, for cards may lie below it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_overlay_plate(painter, QRectF(self.rect()), theme.current())
        painter.end()
        super().paintEvent(event)
