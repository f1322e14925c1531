"""A field that finds while one types: in the lists of columns, options, rules and levels."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from gui import icons


class FindField(QLineEdit):
    """Esc empties it; empty it leaves Esc to others.

    Args:
        words: what stands in it while it is empty.
        name: for those who hear it.
        lens: whether a lens stands before what is typed.
    """

    def __init__(self, object_name: str, words: str, name: str, *, lens: bool = True) -> None:
        super().__init__(objectName=object_name, clearButtonEnabled=True)
        self.setPlaceholderText(words)
        self.setAccessibleName(name)
        if lens:
            picture = QAction(self)
            icons.put(picture, "search")
            self.addAction(picture, QLineEdit.ActionPosition.LeadingPosition)

    def event(self, event: QEvent) -> bool:
        """While something is typed, Esc is not the window's."""
        asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if asked and event.key() == Qt.Key.Key_Escape and self.text():
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
