"""Where keys lead to from node to node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from engine.tree import Tree


def step(tree: Tree, i: int, key: int) -> int | None:
    """The position that a key leads to from position i (perhaps i itself); None when the key leads nowhere.

    Up is the parent, Down the first child, Left and Right the neighbours on the same level, Home the root.
    """
    if key == Qt.Key.Key_Home:
        return 0
    if key == Qt.Key.Key_Up:
        return max(int(tree.parent[i]), 0)
    if key == Qt.Key.Key_Down:
        return i + 1 if tree.n_branches[i] else i
    if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        row = [int(k) for k in (tree.level == tree.level[i]).nonzero()[0]]
        place = row.index(i) + (1 if key == Qt.Key.Key_Right else -1)
        return row[min(max(place, 0), len(row) - 1)]
    return None
