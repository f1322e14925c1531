"""Where keys lead to from node to node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from gui.canvas.geometry.levels import Levels


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
