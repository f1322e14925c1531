"""Presentation: the window fills the screen and shows nothing but the canvas with its legend, in larger letters.

Everything comes back exactly as it was: panels, bars, the size of the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QDockWidget

from gui.widgets import verbatim

if TYPE_CHECKING:
    from gui.window import Window

HINT_SHOWN = 4_000  # milliseconds
COMES_BACK = 1_000  # milliseconds within which a window system has given the window its size back


class Presentation(QObject):
    """Begins and ends with `document.look.presenting`.

    Attributes:
        settling: whether the window is on its way back to its size; panels are left alone meanwhile.
    """

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window, self._look = window, window.document.look
        self._layout, self._place = QByteArray(), QRect()
        self._state = Qt.WindowState.WindowNoState
        self._afloat: dict[QDockWidget, QRect] = {}  # panels in windows of their own
        self._lent: list[QAction] = []
        self.settling = False
        self._hint = verbatim.label("Esc ends the presentation", window.canvas, objectName="presentation_hint")
        self._hint.setAutoFillBackground(True)
        self._hint.setMargin(8)
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.hide()
        self._look.changed.connect(self._on_look_changed)
        window.document.tableChanged.connect(self._on_table_changed)
        window.installEventFilter(self)

    def toggle(self) -> None:
        """Begins, or ends."""
        self._look.set(presenting=not self._look.presenting)

    def layout(self) -> tuple[QByteArray, QSize]:
        """Where bars and panels are in a window of which size; or will be, when the window is back."""
        if self._look.presenting or self.settling:
            return self._layout, self._place.size()
        return self._window.saveState(), self._window.size()

    def stay(self) -> None:
        """Leaves the panels where they are now, whatever was to come back."""
        self.settling = False

    def end(self) -> None:
        """Ends it, if it is on."""
        self._look.set(presenting=False)

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if "presenting" in names:
            self._begin() if self._look.presenting else self._leave()

    @Slot()
    def _on_table_changed(self) -> None:
        if self._window.document.table is None:
            self.end()

    def _begin(self) -> None:
        window = self._window
        self._layout, self._place, self._state = window.saveState(), window.geometry(), window.windowState()
        self._afloat = {dock: dock.geometry() for dock in window.docks.values() if dock.isFloating()}
        # The keys of a hidden menu bar are dead: the window itself takes all that are not elsewhere already.
        self._lent = [action for action in window.actions_made.made.values() if action not in window.canvas.actions()]
        window.addActions(self._lent)
        for bar in (window.menuBar(), window.statusBar(), window.toolbar, *window.docks.values()):
            bar.hide()
        window.showFullScreen()
        window.canvas.setFocus()
        self._hint.adjustSize()
        self._hint.move(24, 24)
        self._hint.show()
        self._hint.raise_()
        QTimer.singleShot(HINT_SHOWN, self._hint, self._hint.hide)

    def _leave(self) -> None:
        window = self._window
        self._hint.hide()
        for action in self._lent:
            window.removeAction(action)
        self._lent = []
        window.menuBar().show()
        window.statusBar().show()
        self.settling = True
        window.setWindowState(self._state)
        if not self._state & (Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen):
            window.setGeometry(self._place)  # panels that need more width than the screen has would widen it
        self._restore()
        QTimer.singleShot(0, self, self._look_at_size)
        QTimer.singleShot(COMES_BACK, self, self._settle)

    @Slot()
    def _look_at_size(self) -> None:
        if self._window.size() == self._place.size():
            self._settle()

    @Slot()
    def _settle(self) -> None:
        """Panels that were put back into a window of another size come out with other sizes: so once more."""
        if self.settling and not self._look.presenting:
            self._restore()
            self.settling = False

    def _restore(self) -> None:
        self._window.restoreState(self._layout)
        for dock, box in self._afloat.items():
            dock.setGeometry(box)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.settling and event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._look_at_size)
        if event.type() == QEvent.Type.KeyPress and self._look.presenting:
            key: QKeyEvent = event
            if key.key() == Qt.Key.Key_Escape:
                self.end()
                return True
        return False
