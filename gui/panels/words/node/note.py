"""The note of a node, where it is read and written."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

LEAST_LINES, MOST_LINES = 1, 6


class NoteField(QPlainTextEdit):
    """Shows the note of a node. What is typed is written when the field is left, by Ctrl+Enter, or before another node
    is shown; Esc brings the old note back.

    Signals:
        written: args: the node that the note was typed for, the note
    """

    written = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("node_note")
        self.setAccessibleName("Note on this node")
        self.setPlaceholderText("Write a note on this node…")
        self.setToolTip("A note goes with the tree into projects and exports. Ctrl+Enter writes it, Esc withdraws.")
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._node, self._before = -1, ""
        self.textChanged.connect(self._fit)
        self._fit()

    @property
    def text(self) -> str:
        return self.toPlainText().strip()

    def show_note(self, node: int, note: str) -> None:
        """Shows the note of a node. What is being typed for this node stays; for another one it is written first."""
        typing = self.text != self._before
        if node == self._node and (typing or note == self._before):
            return
        if node != self._node:
            self.settle()
        self._node, self._before = node, note
        if self.text != note:
            self.setPlainText(note)

    def settle(self) -> None:
        """Writes what is typed."""
        text = self.text
        if self._node >= 0 and text != self._before:
            self._before = text
            self.written.emit(self._node, text)

    def forget(self) -> None:
        """The node is gone, and what is typed with it."""
        self._node, self._before = -1, ""
        self.clear()

    def _fit(self) -> None:
        """As high as its lines, within reason."""
        lines = min(max(self.document().blockCount(), LEAST_LINES), MOST_LINES)
        frame = 2 * (self.frameWidth() + int(self.document().documentMargin()))
        self.setFixedHeight(lines * QFontMetrics(self.font()).lineSpacing() + frame + 2)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # its own menu
            self.settle()

    def event(self, event: QEvent) -> bool:
        """While something is typed, Esc is not the window's."""
        asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if asked and event.key() == Qt.Key.Key_Escape and self.text != self._before:
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.settle()
        elif event.key() == Qt.Key.Key_Escape and self.text != self._before:
            self.setPlainText(self._before)
        else:
            super().keyPressEvent(event)
