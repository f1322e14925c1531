"""Answering the questions of a window as a person would: dialogs that come while something else waits for them."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget


def when_asked(act: Callable[[Any], object], kind: type | str = QWidget) -> list[QWidget]:
    """Does something with the next modal dialog of a class or a name; the list says whether it came."""
    seen: list[QWidget] = []
    timer = QTimer(QApplication.instance())

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is None or not dialog.isActiveWindow():  # it gets no keys yet
            return
        if dialog.objectName() == kind if isinstance(kind, str) else isinstance(dialog, kind):
            timer.stop()
            timer.deleteLater()
            seen.append(dialog)
            try:
                act(dialog)
            except BaseException:
                dialog.reject()
                raise

    timer.timeout.connect(look)
    timer.start(10)
    return seen


def give_up(window: Any) -> None:
    """Before a test closes its window: nothing is left to ask about."""
    window.settle()
    window.document.edits.cancel()
    window.document.history.stack.setClean()


def press(text: str) -> Callable[[QWidget], None]:
    """Clicks the button of a dialog that says this."""

    def act(dialog: QWidget) -> None:
        buttons = {button.text().replace("&", ""): button for button in dialog.findChildren(QPushButton)}
        QTest.mouseClick(buttons[text], Qt.MouseButton.LeftButton)

    return act
