"""The dialog that exports a picture, as a person uses it."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QLabel, QPushButton, QRadioButton

from gui.dialogs.picture_dialog import PictureDialog
from tests.gui.acting import key, rest, type_path
from tests.gui.asked import when_asked

LEFT = Qt.MouseButton.LeftButton


def ask(qtbot, window, pressed=Qt.Key.Key_E, modifiers=Qt.KeyboardModifier.ControlModifier):
    """Presses the key of a verb, which counts in the active window alone."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    key(window, pressed, modifiers)
    rest(qtbot, window)


def click(dialog, kind, name):
    widget = dialog.findChild(kind, name)
    assert widget.isVisible() and widget.isEnabled()
    where = widget.rect().center()
    if kind in (QRadioButton, QCheckBox):
        where.setX(10)
    QTest.mouseClick(widget, LEFT, pos=where)


def pick(dialog, name, text):
    """Chooses from a list with the keyboard, as typing its first letters does."""
    box = dialog.findChild(QComboBox, name)
    assert box.isVisible()
    box.setFocus()
    QTest.keyClicks(box, text)
    assert box.currentText().startswith(text)


def said(dialog):
    label = dialog.findChild(QLabel, "picture_outcome")
    return label.text() if label.isVisible() else ""


def export(qtbot, window, path, act=lambda dialog: None):
    """Exports by Ctrl+E: does something in the dialog, presses Export, types the path."""

    def choose(dialog):
        act(dialog)
        QTest.mouseClick(dialog.findChild(QPushButton, "export_button"), LEFT)

    asked = when_asked(choose, PictureDialog)
    chosen = when_asked(type_path(path), QFileDialog)
    ask(qtbot, window)
    assert asked and chosen
    return path
