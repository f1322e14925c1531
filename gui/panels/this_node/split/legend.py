"""Which colour is which in the plot of the split editor, in one line, however many classes there are."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

import engine
from gui import theme
from gui.panels.this_node.split.tones import bar_colour
from gui.picture.colours.focus import naming_order
from gui.widgets import verbatim
from gui.widgets.plotting import short

BETWEEN = "&nbsp;&nbsp; "
APART = 16  # pixels from one key to the next, and of the mark before its words
LONGEST = 20  # letters of a name


class Key(NamedTuple):
    """A mark in a colour and what it stands for; without a mark plain words."""

    mark: str
    colour: QColor
    text: str


class SplitLegend(QLabel):
    """The classes, as many as there is room for, and what else is drawn."""

    def __init__(self) -> None:
        super().__init__(objectName="split_editor_legend")
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._classes: list[Key] = []
        self._others: list[Key] = []

    def show_keys(self, tree: engine.Tree, focus: int, *, several: bool = False, note: str = "") -> None:
        """The curves are named by the figures, unless they are of other splits.

        Args:
            several: the split has more than one cut, while the curve is of one.
            note: what else is to be said.
        """
        colours = theme.current()
        self._classes = [
            Key("■", bar_colour(tree, k, focus), short(tree.classes[k], LONGEST)) for k in naming_order(tree)
        ]
        self._others = []
        if tree.task == "number":
            self._others.append(Key("■", colours.ribbon, "rows"))
            self._others.append(Key("●", colours.positive, f"mean ± SD of {short(tree.target, LONGEST)}, own scale"))
        if several:
            self._others.append(Key("━", colours.text, "gain of one cut in two"))
        if note:
            self._others.append(Key("", colours.text, note))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - sum(map(self._width, self._others))
        n, most = 0, len(self._classes)
        while n < most:
            left = most - n - 1
            more = self.fontMetrics().horizontalAdvance(f"… and {left} more") if left else 0
            room -= self._width(self._classes[n])
            if room < more and n:
                break
            n += 1
        keys = self._classes[:n]
        if n < most:
            keys = [*keys, Key("", theme.current().text, f"… and {most - n} more")]
        text = BETWEEN.join(map(_html, [*keys, *self._others]))
        if text != self.text():
            self.setText(text)
        names = ", ".join(key.text for key in self._classes)
        self.setToolTip(verbatim.tip(names if n < most else ""))

    def _width(self, key: Key) -> int:
        return self.fontMetrics().horizontalAdvance(key.text) + (2 * APART if key.mark else APART)


def _html(key: Key) -> str:
    mark = f'<span style="color:{key.colour.name()}">{key.mark}</span> ' if key.mark else ""
    return mark + escape(key.text).replace(" ", "&nbsp;")
