"""What a person does and waits for, in the tests of the window."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytest import MonkeyPatch
from pytestqt.qtbot import QtBot

import engine
from gui import theme
from gui.model import file_tasks
from gui.model.document import Document
from gui.settings import SETTINGS, Settings
from gui.window.window import Window
from tests.gui.asked import give_up

SIZE = (1400, 900)  # of a window


def open_file(document: Document, path: Path, **options: Any) -> None:
    """Opens a project, a tree (onto the present table), or a table, read with these options and no questions."""
    if path.suffix == ".espalier":
        document.storage.load(path)
    elif path.suffix == ".json":
        document.table_edits.open_tree(path)
    else:
        document.storage.read(f"Opening {path.name}", file_tasks.opened, path, options)


def rest(qtbot: QtBot, whose: Document | Window) -> None:
    """Waits until nothing runs and everything has arrived."""
    document = whose.document if isinstance(whose, Window) else whose
    end = time.monotonic() + 60.0
    while document.jobs.busy or document.edits.running:
        assert time.monotonic() < end, "something still runs"
        qtbot.wait(1)  # `qtbot.waitUntil` looks every 10 ms: that was a tenth of all time of the window's tests


def put_up(qtbot: QtBot, widget: QWidget, width: int, height: int) -> None:
    """Puts a widget onto the screen, in a size and ready for the keys."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    qtbot.waitExposed(widget)
    widget.activateWindow()


def make_window(qtbot: QtBot, table: engine.Table) -> Window:
    """A window with a table in it, at rest; at the end it closes without questions."""
    window = Window(Document(), Settings())
    qtbot.addWidget(window, before_close_func=give_up)
    return fill(qtbot, window, table)


def fill(
    qtbot: QtBot,
    window: Window,
    table: engine.Table,
    tree: engine.Tree | None = None,
    size: tuple[int, int] = SIZE,
) -> Window:
    """Shows a window, with a table in it, at rest."""
    window.resize(*size)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.document.set_table(table, tree)
    rest(qtbot, window)
    return window


def put_back(qtbot: QtBot, window: Window) -> None:
    """Makes a window what a start of the program makes it: no table, nothing remembered, nothing else open."""
    document = window.document
    for other in QApplication.topLevelWidgets():
        if other is not window and other.isVisible():
            other.close()
    document.jobs.stop()
    rest(qtbot, window)
    document.look.set(presenting=False)
    give_up(window)
    rest(qtbot, window)
    window.showNormal()
    window.resize(*SIZE)
    window.places.arrange()
    document.start(None)
    for name, setting in SETTINGS.items():
        window.settings.set(name, setting.default)
    document.look.remember(window.settings)
    for row in list(window.bar.rows):
        window.bar.dismiss(row)
    window.statusBar().clearMessage()
    theme.set_mode("system")
    QGuiApplication.clipboard().clear()
    rest(qtbot, window)


def do(window: Window, name: str) -> None:
    """Does what a verb does."""
    window.actions_made.made[name].trigger()


def key(window: Window, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Presses a key on the canvas."""
    QTest.keyClick(window.canvas, key, modifier)


def type_path(path: Path) -> Callable[[QWidget], None]:
    """Types a path into a file dialog and accepts it."""

    def act(dialog: QWidget) -> None:
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        field.setText(str(path))  # typing would open the completer, whose popup grabs a keyboard that is not there
        dialog.accept()

    return act


def by_column(document: Document, column: str) -> engine.Candidate:
    """The candidate of a column."""
    return next(candidate for candidate in document.candidates if candidate.column == column)


def accept(qtbot: QtBot, document: Document, column: str) -> None:
    """Splits the selected node by the candidate of a column."""
    document.accept(by_column(document, column))
    rest(qtbot, document)


def texts(document: Document) -> list[str]:
    """The steps of the history."""
    return [step.text for step in document.history.steps]


class Gate:
    """Holds a function of a file of tasks until it is let through.

    Attributes:
        reached: whether somebody called it. open: whether calls go through.
    """

    def __init__(self, monkeypatch: MonkeyPatch, tasks: ModuleType, name: str) -> None:
        self.reached, self.open = threading.Event(), threading.Event()
        real = getattr(tasks, name)

        def held(*args: Any, **kwargs: Any) -> Any:
            self.reached.set()
            assert self.open.wait(30)
            return real(*args, **kwargs)

        monkeypatch.setattr(tasks, name, held)


LEFT = Qt.MouseButton.LeftButton


def press_menu(qtbot: QtBot, key: str) -> None:
    """Chooses an entry of the menu that is open."""
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(action for action in menu.actions() if key in (action.objectName(), action.text()))
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None)
