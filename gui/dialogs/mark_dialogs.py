"""What is written on a node: a note, or the number that a leaf says instead of what was counted."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from gui.dialogs.labels import Notice, answers, quiet
from gui.widgets import verbatim
from gui.wording import words


class NoteDialog(QDialog):
    """Asks for the note of a node; an empty one erases it.

    Attributes:
        text: what is written.
    """

    def __init__(self, where: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("note_dialog")
        self.setWindowTitle(verbatim.window_title(f"Note on {where}"))
        self.field = QPlainTextEdit(text, objectName="note_field")
        self.field.setAccessibleName("Note")
        self.field.setTabChangesFocus(True)
        self.field.selectAll()
        buttons, _ = answers(self, "&Write it", "note_accept")
        layout = QVBoxLayout(self)
        for widget in (self.field, quiet("Ctrl+Enter writes it; an empty note is erased."), buttons):
            layout.addWidget(widget)
        self.field.setFocus()

    def sizeHint(self) -> QSize:
        return QSize(440, 240)

    @property
    def text(self) -> str:
        return self.field.toPlainText().strip()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.accept()
        else:
            super().keyPressEvent(event)


class NumberDialog(QDialog):
    """Asks what number a leaf is to say.

    Attributes:
        value: the number; None for what was counted.
    """

    def __init__(self, where: str, target: str, counted: float, value: float | None, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setObjectName("number_dialog")
        self.setWindowTitle(verbatim.window_title(f"What {where} says"))
        said = quiet(f"Counted was {words.value(counted)} for “{target}”. Leave the field empty to say that again.")
        self.field = QLineEdit("" if value is None else f"{value:.12g}", objectName="number_field")
        self.field.setPlaceholderText(f"{counted:.6g}")
        self.field.setAccessibleName(f"What the leaf says of {target}")
        self.field.selectAll()
        self.notice = Notice()
        buttons, self.go_on = answers(self, "&Say it", "number_accept")
        layout = QVBoxLayout(self)
        for widget in (said, self.field, self.notice, buttons):
            layout.addWidget(widget)
        self.field.textChanged.connect(self._refresh)
        self.field.setFocus()
        self._refresh()

    @property
    def value(self) -> float | None:
        text = self.field.text().strip()
        return float(text.replace(words.MINUS, "-").replace(",", "")) if text else None

    def _refresh(self) -> None:
        try:
            value = self.value
            fault = "" if value is None or math.isfinite(value) else "It has to be a finite number."
        except ValueError:
            fault = f"“{self.field.text().strip()}” is no number: write one like 12.5."
        self.notice.say(fault, "error")
        self.go_on.setEnabled(not fault)
