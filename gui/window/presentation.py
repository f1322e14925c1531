"""Presentation: the window fills the screen and shows nothing but what stands in its middle, in larger letters: the
tree, or the place that was given the whole middle. Everything comes back as it was.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Slot
from PySide6.QtGui import QAction, QKeyEvent

from engine.runtime.sentences import tr
from gui import theme
from gui.widgets import verbatim

HINT_SHOWN = 4_000  # milliseconds
BACK_ROW = 200  # percent of the usual size that letters have on a screen of 1,080 pixels, so that a back row reads them


class Presentation(QObject):
    """Begins and ends with `document.look.presenting`; `window` is the one that makes it."""

    def __init__(self, window: Any) -> None:
        super().__init__(window)
        self._window, self._look = window, window.document.look
        self._place = QRect()
        self._state = Qt.WindowState.WindowNoState
        self._lent: list[QAction] = []
        self._hint = verbatim.label(tr("Esc ends the presentation"), window.pages, objectName="presentation_hint")
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
        self._place, self._state = window.geometry(), window.windowState()
        # The keys of a hidden menu bar are dead: the window itself takes all that are not elsewhere already.
        self._lent = [action for action in window.actions_made.made.values() if action not in window.canvas.actions()]
        window.addActions(self._lent)
        for bar in (window.menuBar(), window.statusBar(), window.toolbar):
            bar.hide()
        window.places.present(True)
        if window.pages.currentWidget() is not window.canvas:  # which enlarges its letters itself
            usual = window.settings.value("text_size")
            theme.set_text_size(max(usual, round(BACK_ROW * window.screen().size().height() / 1080)))
        window.showFullScreen()
        if middle := window.pages.currentWidget():
            middle.setFocus()
        self._hint.show()
        QTimer.singleShot(0, self, self._place_hint)
        QTimer.singleShot(HINT_SHOWN, self._hint, self._hint.hide)

    @Slot()
    def _place_hint(self) -> None:
        """In the letters that hold now, in the lower right corner of what fills the screen, above any message."""
        self._hint.adjustSize()
        room = self._window.screen().size() - self._hint.size()
        self._hint.move(
            room.width() - 24, room.height() - 24 - self._window.bar.height() * self._window.bar.isVisible()
        )
        self._hint.raise_()

    def _leave(self) -> None:
        window = self._window
        self._hint.hide()
        for action in self._lent:
            window.removeAction(action)
        self._lent = []
        for bar in (window.menuBar(), window.statusBar(), window.toolbar):
            bar.show()
        window.places.present(False)
        theme.set_text_size(window.settings.value("text_size"))
        window.setWindowState(self._state)
        if not self._state & (Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen):
            window.setGeometry(self._place)  # panels that need more width than the screen has would widen it

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress or not self._look.presenting:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.end()
            return True
        return False
