"""The keys on the canvas: those that walk from node to node, that zoom and act; moving is `gui.canvas.steering`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

if TYPE_CHECKING:
    from gui.canvas.view import TreeView
    from gui.model.document import Document
    from gui.picture.levels import Levels

Key, Modifier = Qt.Key, Qt.KeyboardModifier


class Keys:
    """Answers a canvas's keys. Both methods tell whether the key was one of these."""

    def __init__(self, view: TreeView, document: Document) -> None:
        self._view, self._document = view, document

    def press(self, event: QKeyEvent) -> bool:
        """Walks, zooms, acts, or takes hold."""
        key, modifiers = event.key(), event.modifiers() & ~Modifier.KeypadModifier
        control = bool(modifiers & Modifier.ControlModifier)
        if key == Key.Key_Space and control:
            self._document.several.hold()
        elif key == Key.Key_Space and not event.isAutoRepeat():
            self._view.pointer.hold(True)
        elif self._view.port.scene is None:
            return False
        elif not self._zoom(key, control):
            if modifiers & Modifier.AltModifier:
                return False
            if key not in (Key.Key_Return, Key.Key_Enter) or control:
                return self._walk(key, modifiers)
            self._view.activated.emit(self._document.selected)
        return True

    def release(self, event: QKeyEvent) -> bool:
        """Lets go."""
        if event.key() != Key.Key_Space or event.isAutoRepeat():
            return False
        self._view.pointer.hold(False)
        return True

    def _zoom(self, key: int, control: bool) -> bool:
        view = self._view
        match key:
            case Key.Key_0 if control:
                view.fit()
            case Key.Key_1 if control:
                view.actual_size()
            case Key.Key_Plus | Key.Key_Equal:
                view.zoom_in()
            case Key.Key_Minus:
                view.zoom_out()
            case _:
                return False
        return True

    def _walk(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        view, scene = self._view, self._view.port.scene
        i = view.position_of(self._document.selected)
        if scene is None or i < 0:
            return False
        target = step(scene.levels, i, view.port.kind.keys.get(key, key))
        if target is None:
            return False
        node = int(scene.tree.ids[target])
        self._document.several.go(node, modifiers)
        view.reveal(node)
        return True


def step(levels: Levels, i: int, key: int) -> int | None:
    """The position that a key leads to from position i (perhaps i itself); None when the key leads nowhere.

    Up is the parent, Down the first child, Left and Right the neighbours on the same level, Home the root. What is
    folded is walked past.
    """
    if key == Qt.Key.Key_Home:
        return 0
    if key == Qt.Key.Key_Up:
        return max(int(levels.parent[i]), 0)
    if key == Qt.Key.Key_Down:
        return i + 1 if levels.n_branches[i] else i
    if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        row = levels.row(int(levels.level[i]))
        place = int(row.searchsorted(i)) + (1 if key == Qt.Key.Key_Right else -1)
        return int(row[min(max(place, 0), len(row) - 1)])
    return None
