"""The ways to a verb, as a person takes them: the menu, the key and the context menu of the tree."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QMenu,
    QPushButton,
    QTreeWidget,
    QWidget,
)

import engine
from gui.window.window import Window
from tests import effort
from tests.gui.acting import rest

LEFT = Qt.MouseButton.LeftButton


NONE, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


def pick(*texts: str) -> Callable[[QWidget], None]:
    """Goes to a line of the list with the keyboard and takes it; of several, ticks or unticks each."""

    def act(dialog: QWidget) -> None:
        shown = dialog.findChild(QTreeWidget, "pick_list")
        for text in texts:
            (item,) = shown.findItems(text, Qt.MatchFlag.MatchExactly, 0)
            shown.setCurrentItem(item)
            if item.data(0, Qt.ItemDataRole.CheckStateRole) is not None:
                QTest.keyClick(shown, Qt.Key.Key_Space)
        QTest.mouseClick(dialog.findChild(QPushButton, "pick_accept"), LEFT)

    return act


def by_menu(window: Window, name: str) -> None:
    """Triggers a verb in the Tree menu, in its submenu if it has one."""
    tree_menu = next(action.menu() for action in window.menuBar().actions() if action.text() == "&Tree")
    found = [action for action in all_actions(tree_menu) if action.objectName() == f"action_{name}"]
    assert len(found) == 1 and found[0].isEnabled()
    found[0].trigger()


def all_actions(menu: QMenu) -> list[Any]:
    found = []
    for action in menu.actions():
        found += all_actions(action.menu()) if action.menu() else [action]
    return found


def by_context_menu(qtbot, window: Window, name: str) -> None:
    """Opens the context menu of the selected node and triggers a verb."""
    place = window.canvas.node_rect(window.document.selected).center().toPoint()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, window.canvas.mapToGlobal(place))
    QApplication.sendEvent(window.canvas, event)
    menu = window.findChildren(QMenu, "node_menu")[-1]
    qtbot.waitUntil(menu.isVisible)
    (action,) = [action for action in all_actions(menu) if action.objectName() == f"action_{name}"]
    menu.close()
    action.trigger()


def by_key(window: Window, name: str) -> None:
    """Presses the key of a verb on the canvas."""
    window.activateWindow()  # after a dialog nobody else does it here
    QTest.qWaitForWindowActive(window)
    window.canvas.setFocus()
    keys = window.actions_made.made[name].shortcut()[0]
    QTest.keyClick(window.canvas, keys.key(), keys.keyboardModifiers())


def ways(qtbot, window: Window) -> list[Callable[[str], None]]:
    return [
        lambda name: by_menu(window, name),
        lambda name: by_context_menu(qtbot, window, name),
        lambda name: by_key(window, name),
    ]


def WAYS(test: Callable[..., None]) -> Callable[..., None]:
    """Each of them with `--full`; else one, by the test's name, so that they are taken in turn: a verb is the same
    action in the menu, in the context menu and under its key (`tests/gui/verbs`)."""
    some = range(3) if effort.full else [len(test.__name__) % 3]
    return pytest.mark.parametrize("way", some, ids=["menu", "context", "key"].__getitem__)(test)


def step(window: Window) -> str:
    return window.document.history.steps[window.document.history.stack.index()].text


def undone(qtbot, window: Window, before: engine.Tree) -> None:
    """Undo brings the very tree back, in one step."""
    window.actions_made.made["undo"].trigger()
    rest(qtbot, window)
    assert window.document.tree is before


def told(window: Window) -> str:
    return window.statusBar().currentMessage()
