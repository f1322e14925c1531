"""The figure with what belongs to it: the sentence about the training error, and the sweep in its place."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

import engine
from gui.panels.this_node.why import words as why_words
from gui.panels.this_node.why.figure import Figure
from gui.panels.this_node.why.geometry import geometry
from gui.panels.this_node.why.sweep import Sweep
from gui.widgets import verbatim

FIGURE_DUE = 124  # pixels of height: the sentence takes none of them


class Drawing(QWidget):
    """Draws a candidate, or says why there is no figure."""

    def __init__(self) -> None:
        super().__init__(objectName="why_drawing")
        self.figure, self.sweep = Figure(), Sweep()
        self.no_figure = verbatim.label(objectName="why_no_figure", wordWrap=True)
        self.no_figure.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence = verbatim.label(objectName="why_sentence", wordWrap=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for each, stretch in ((self.figure, 1), (self.no_figure, 1), (self.sweep, 0), (self.sentence, 0)):
            layout.addWidget(each, stretch)
        self.no_figure.hide()

    def show_split(self, found: engine.Candidate, criterion: str, tree: engine.Tree, focus: int) -> None:
        """A candidate by a criterion; `focus` is the class along the horizontal axis."""
        shown = geometry(found, criterion, tree, focus)
        drawn = not isinstance(shown, str)
        self.figure.setVisible(drawn)
        self.no_figure.setVisible(not drawn)
        if isinstance(shown, str):
            self.no_figure.setText(shown)
            self.sentence.setText("")
        else:
            self.figure.show_geometry(shown)
            said = why_words.sentence(found, criterion, tree, focus)
            self.sentence.setText(f"{said} {shown.remark}".strip())
        self.place_sentence()

    def place_sentence(self) -> None:
        """Below the figure, unless a sweep needs the room; in little height it is the figure's tooltip."""
        text = self.sentence.text()
        needed = self.sentence.heightForWidth(max(self.width(), 100))
        room = self.height() - needed >= FIGURE_DUE
        self.sentence.setVisible(bool(text) and room and self.sweep.isHidden())
        self.figure.setToolTip(verbatim.tip("" if self.sentence.isVisibleTo(self) else text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place_sentence()
