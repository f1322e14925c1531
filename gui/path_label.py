"""The way to a node in words, in the status bar: of the one that is pointed at, else of those that are selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Slot

from gui.parts_label import PartsLabel
from gui.several import together_words

if TYPE_CHECKING:
    from engine.tree import Tree
    from gui.document import Document

AND, LEFT_OUT = " and ", "…"
MOST_NAMED = 40  # conditions; no line and no tooltip holds more


class PathLabel(PartsLabel):
    """Conditions are left out in its middle where there is no room: the first ones say most, the last ones are the
    node's own."""

    def __init__(self, document: Document) -> None:
        super().__init__(AND, objectName="status_rule")
        self.setAccessibleName("Way to the node")
        self._document = document
        self._parts: list[str] = []
        for changed in (document.treeChanged, document.selectionChanged, document.focusChanged):
            changed.connect(self.refresh)
        document.look.changed.connect(self._on_look_changed)

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & {"pointed", "also"}:
            self.refresh()

    def refresh(self) -> None:
        """Shows what is pointed at or selected now."""
        tree, several, pointed = self._document.tree, self._document.several, self._document.look.pointed
        node = pointed if tree is not None and pointed in tree else self._document.selected
        self._parts = conditions(tree, tree.position(node)) if tree is not None and node in tree else []
        self.setToolTip("\n".join(self._parts))
        if tree is not None and several.on and node != pointed:
            self._parts = [together_words(tree, several.nodes, self._document.focus_class)]
        self.setText(AND.join(self._parts))

    def shown(self) -> str:
        """What fits: conditions of the middle give way, those of the upper half last."""
        room, width = self.contentsRect().width(), self.fontMetrics().horizontalAdvance
        parts = [part for part in self._parts if part != LEFT_OUT]
        joint, widths = width(AND), [width(part) for part in parts]
        if len(parts) == len(self._parts) and sum(widths) + joint * (len(parts) - 1) <= room:
            return self.text()
        first, last = (len(parts) + 1) // 2, len(parts) // 2
        taken = sum(widths) + joint * len(parts) + width(LEFT_OUT)
        while first + last > 1:
            if taken <= room:
                return AND.join([*parts[:first], LEFT_OUT, *parts[len(parts) - last :]])
            if last >= first:
                last -= 1
                taken -= widths[-1 - last] + joint
            else:
                first -= 1
                taken -= widths[first] + joint
        return self.fontMetrics().elidedText(parts[-1] if parts else "", Qt.TextElideMode.ElideMiddle, room)


def conditions(tree: Tree, i: int) -> list[str]:
    """The conditions from the root to position i; of very many the first and the last ones, with `LEFT_OUT` between."""
    way, half = np.flatnonzero(tree.end[: i + 1] > i)[1:], MOST_NAMED // 2  # all that i stands below, and itself
    if len(way) <= MOST_NAMED:
        return [_last(tree, node) for node in tree.ids[way].tolist()]
    first = [_last(tree, node) for node in tree.ids[way[:half]].tolist()]
    return [*first, LEFT_OUT, *tree.rule(int(tree.ids[i]), half)]


def _last(tree: Tree, node: int) -> str:
    """The condition that leads to a node from its parent."""
    return tree.rule(node, 1)[0]
