"""What the selected node is, above its candidates, and the way to a node in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.runtime.sentences import tr
from gui.model.document import Document
from gui.model.view_state.several import together_words
from gui.picture.nodes.figures import rates
from gui.picture.nodes.tips import had_words
from gui.widgets import verbatim
from gui.widgets.building import fill, named
from gui.widgets.short_names import PartsLabel
from gui.wording import phrases, words
from gui.wording.phrases import AND, bracketed

if TYPE_CHECKING:
    from engine.tree.tree import Tree

LEFT_OUT = "…"
MOST_NAMED = 40  # conditions; no line and no tooltip holds more
LEAST_LETTERS = 24  # of a condition that is shortened: then its column and its threshold can be read


class PathLabel(PartsLabel):
    """Where there is no room, long conditions are shortened, then those in the middle are left out: the first ones say
    most, the last one is the node's own. "…" stands for whatever is missing."""

    def __init__(self, document: Document, pointed: bool = True) -> None:
        """`pointed`: whether it is about the node that the mouse is over, where there is one."""
        super().__init__(AND)
        named(self, "status_rule", tr("Way to the node"))
        self._document = document
        self._parts: list[str] = []
        self._follows_mouse = pointed
        for changed in (document.treeChanged, document.selectionChanged, document.focusChanged):
            changed.connect(self.refresh)
        document.look.changed.connect(self._on_look_changed)

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & {"pointed", "also", "way"}:
            self.refresh()

    def refresh(self) -> None:
        tree, several, pointed = self._document.tree, self._document.several, self._document.look.pointed
        pointed = pointed if self._follows_mouse else -1
        node = pointed if tree is not None and pointed in tree else self._document.selected
        self._parts = conditions(tree, tree.position(node)) if tree is not None and node in tree else []
        had = had_words(self._document.look.way, node) if self._parts else ""
        self.setToolTip(verbatim.tip("\n".join([*self._parts, *filter(None, [had])])))
        self._parts = bracketed(self._parts)
        if tree is not None and several.on and node != pointed:
            self._parts = [together_words(tree, several.nodes, self._document.focus_class)]
        elif had and self._document.look.way is not None:
            value = self._document.look.way.words[node]
            self._parts[-1] = tr("{condition} (row: {value})", condition=self._parts[-1], value=value)
        self.setText(AND.join(self._parts))

    def shown(self) -> str:
        """What fits: conditions of the middle give way, those of the upper half last. Before that long ones are
        shortened."""
        room, width = self.contentsRect().width(), self.fontMetrics().horizontalAdvance
        parts = [part for part in self._parts if part != LEFT_OUT]
        if len(parts) == len(self._parts) and width(self.text()) <= room:
            return self.text()
        wide = {text: width(text) for text in (LEFT_OUT, *parts)}
        if len(parts) == len(self._parts) and (whole := self._joined(parts, wide, room)):
            return whole
        first, last = (len(parts) + 1) // 2, len(parts) // 2
        while first + last > 1:
            if found := self._joined([*parts[:first], LEFT_OUT, *parts[len(parts) - last :]], wide, room):
                return found
            first, last = (first, last - 1) if last > 1 and last >= first else (first - 1, last)
        text = AND.join([*[LEFT_OUT] * (len(self._parts) > 1), *parts[-1:]])
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room)

    def _joined(self, texts: list[str], wide: dict[str, int], room: int) -> str:
        """Conditions in one line, the longest ones shortened to one width; empty where that would be too little.

        Args:
            wide: how many pixels each of them takes.
        """
        metrics = self.fontMetrics()
        room -= (metrics.horizontalAdvance(AND) + 1) * (len(texts) - 1)  # widths are whole pixels, and their sum more
        longest = 0
        for k, needed in enumerate(sorted(wide[text] for text in texts)):  # the shorter ones leave the others room
            longest = room // (len(texts) - k)
            if needed > longest:
                break
            room -= needed
        else:
            return AND.join(texts)
        if longest < metrics.horizontalAdvance("n" * LEAST_LETTERS):
            return ""
        return AND.join(metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, longest) for text in texts)


def conditions(tree: Tree, i: int) -> list[str]:
    """The conditions from the root to position i; of very many the first and the last ones, with `LEFT_OUT` between."""
    way, half = np.flatnonzero(tree.end[: i + 1] > i)[1:], MOST_NAMED // 2  # all that i stands below, and itself
    if len(way) <= MOST_NAMED:
        return [tree.rule(node, 1)[0] for node in tree.ids[way].tolist()]
    first = [tree.rule(node, 1)[0] for node in tree.ids[way[:half]].tolist()]
    return [*first, LEFT_OUT, *tree.rule(int(tree.ids[i]), half)]


class NodeHead(QWidget):
    """Two lines: "This node #7 age ≤ 30 and city = Berlin", "229 rows, 43 % bad · validation 41 % (76 rows)"."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("node_head")
        self._document = document
        self.title = verbatim.label(tr("This node"), objectName="node_head_title")
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.number = verbatim.label(objectName="node_head_number")
        self.way = PathLabel(document, pointed=False)
        self.way.setObjectName("node_head_way")
        self.rows = verbatim.label(objectName="node_head_rows", wordWrap=True)
        for quiet in (self.number, self.way):
            quiet.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        line = QHBoxLayout()
        for part, stretch in ((self.title, 0), (self.number, 0), (self.way, 1)):
            line.addWidget(part, stretch)
        fill(QVBoxLayout(self), line, self.rows, spacing=2, margins=(8, 2, 8, 0))
        for changed in (document.treeChanged, document.selectionChanged, document.focusChanged):
            changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        tree, node = self._document.tree, self._document.selected
        number, rows = "", ""
        if tree is not None and node in tree:
            number, rows = f"#{node}", rows_words(tree, tree.position(node), self._document.focus_class)
        self.number.setText(number)
        self.rows.setText(rows)


def rows_words(tree: Tree, position: int, focus: int) -> str:
    """How many rows reach the node and what they are: "229 rows, 43 % bad · validation 41 % (76 rows)".

    Args:
        focus: the class that is told for two classes; for more it is the one that is predicted.
    """
    told = focus if len(tree.classes) == 2 or tree.task == "number" else int(tree.labels[position])
    figures = []
    for stats in (tree.train, tree.validation):
        found = float(rates(tree, told, stats[position : position + 1])[0])
        known = words.value(found) if tree.task == "number" else words.percent(found)
        figures.append("" if math.isnan(found) else known)
    said = phrases.counted_rows(int(tree.rows_train[position]))
    if figures[0] and tree.task == "number":
        said = tr("{rows}, mean {mean}", rows=said, mean=figures[0])
    elif figures[0]:
        said = tr("{rows}, {share} {label}", rows=said, share=figures[0], label=tree.classes[told])
    if n := int(tree.rows_validation[position]):
        rows = phrases.counted_rows(n)
        said = tr("{node} · validation {figure} ({rows})", node=said, figure=figures[1], rows=rows)
    return said
