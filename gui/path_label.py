"""The way to a node in words, in the status bar: of the one that is pointed at, else of those that are selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot

from gui.parts_label import PartsLabel
from gui.several import together_words

if TYPE_CHECKING:
    from gui.document import Document

AND, LEFT_OUT = " and ", "…"
MOST_RULES = 40  # conditions in the tooltip; a screen holds no more


class PathLabel(PartsLabel):
    """Conditions are left out in its middle where there is no room: the first ones say most, the last ones are the
    node's own."""

    def __init__(self, document: Document) -> None:
        super().__init__(AND, objectName="status_rule")
        self.setAccessibleName("Way to the node")
        self._document = document
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
        rule = tree.rule(node) if tree is not None and node in tree else []
        if tree is not None and several.on and node != pointed:
            self.setText(together_words(tree, several.nodes, self._document.focus_class))
        else:
            self.setText(AND.join(rule))
        shown = rule if len(rule) <= MOST_RULES else [*rule[: MOST_RULES // 2], LEFT_OUT, *rule[-MOST_RULES // 2 :]]
        self.setToolTip("\n".join(shown))

    def shown(self) -> str:
        """What fits: conditions of the middle give way, those of the deeper half first."""
        room, text, fits = self.contentsRect().width(), self.text(), self.fontMetrics().horizontalAdvance
        if fits(text) <= room:
            return text
        parts = text.split(AND)
        first, last = max(len(parts) // 2, 1), max(len(parts) - len(parts) // 2 - 1, 0)
        while first + last > 1:
            text = AND.join([*parts[:first], LEFT_OUT, *parts[len(parts) - last :]])
            if fits(text) <= room:
                return text
            if first > last:
                first -= 1
            else:
                last -= 1
        return (
            super().shown()
            if len(parts) > 1
            else self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room)
        )
