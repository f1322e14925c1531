"""The figures of a split in the making: gain, validation gain, LogWorth, p, and what is given up; in fixed places."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

import engine
from gui import theme
from gui.widgets import verbatim
from gui.wording import words

if TYPE_CHECKING:
    from gui.panels.this_node.split.draft import Draft

GAIN, VALIDATION, LOGWORTH, P, GIVEN_UP = range(5)
NAMES = ("gain", "validation", "logworth", "p", "given_up")
CAPTIONS = ("gain", "validation", "LogWorth", "p", "below best")
BEYOND = "beyond best"  # instead of the last, where several cuts gain more than the best one
EXPLAINED = (
    "How much the impurity falls on the training rows, under the criterion in use: the thick curve",
    "The same on the validation rows, which did not choose the split: the thin curve",
    "−log₁₀ of the p-value, adjusted for the search: 2 means p = 0.01",
    "The p-value: how probable so large a gain would be if the column told nothing, adjusted for the search",
    "The share of the gain of the column's best split that this one does not have; or has beyond it, with more cuts",
)
ROOMY = 340  # pixels, from which on the p-value stands beside its logarithm


class SplitFigures(QWidget):
    """Five captions with a figure below each. The figures stay in their places while a cut is dragged."""

    def __init__(self) -> None:
        super().__init__(objectName="split_editor_figures")
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        self._beyond = False
        self._captions = [verbatim.label(CAPTIONS[i]) for i in range(len(NAMES))]
        self.labels = [verbatim.label(objectName=f"split_editor_{name}") for name in NAMES]
        for column, (caption, label) in enumerate(zip(self._captions, self.labels, strict=True)):
            for row, each in enumerate((caption, label)):
                each.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
                each.setToolTip(verbatim.tip(EXPLAINED[column]))
                grid.addWidget(each, row, column)
            grid.setColumnStretch(column, 1)
        for caption in self._captions:  # the program's own words, in two colours
            caption.setTextFormat(Qt.TextFormat.RichText)
        theme.watcher().changed.connect(self.recolour)
        self.recolour()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In little width LogWorth says it alone."""
        super().resizeEvent(event)
        roomy = self.width() >= ROOMY
        for each in (self._captions[P], self.labels[P]):
            each.setVisible(roomy)
        self._grid.setColumnStretch(P, int(roomy))
        self._grid.setHorizontalSpacing(8 if roomy else 4)

    def recolour(self) -> None:
        """Captions in the quieter colour; those of the two curves with their lines."""
        colours = theme.current()
        marks = {GAIN: ("━", colours.text), VALIDATION: ("─", colours.validation)}
        for i, caption in enumerate(self._captions):
            mark, ink = marks.get(i, ("", colours.text))
            line = f'<span style="color:{ink.name()}">{mark}</span> ' if mark else ""
            said = BEYOND if i == GIVEN_UP and self._beyond else CAPTIONS[i]
            caption.setText(f'{line}<span style="color:{colours.secondary.name()}">{said}</span>')

    def show_draft(self, draft: Draft) -> None:
        """The figures of a split as it stands now."""
        weighed = draft.weighed
        if (draft.given_up < 0) != self._beyond:
            self._beyond = not self._beyond
            self.recolour()
        if weighed is None or weighed.split is None:
            texts = [words.NOTHING] * len(NAMES)
        else:
            texts = [
                words.gain(weighed.gain),
                words.gain(weighed.validation_gain),
                f"{weighed.logworth:,.2f}" if math.isfinite(weighed.logworth) else words.NOTHING,
                p_words(weighed.logworth),
                given_up_words(draft.given_up),
            ]
        if weighed is not None and len(weighed.scores) > 1:
            by = [f"{engine.CRITERIA[name].label} {words.gain(score)}" for name, score in weighed.scores.items()]
            self.labels[GAIN].setToolTip(verbatim.tip("\n".join([EXPLAINED[GAIN], *by])))
        for label, text in zip(self.labels, texts, strict=True):
            if label.text() != text:
                label.setText(text)


def p_words(logworth: float) -> str:
    """The p-value of a LogWorth: "0.01234", "5.012·10⁻¹³"."""
    return words.power_of_ten(-logworth) if math.isfinite(logworth) else words.NOTHING


def given_up_words(share: float) -> str:
    """ "nothing", "6.5 %"; of a negative share, what is gained beyond the best split: "3.2 %"."""
    if not math.isfinite(share):
        return words.NOTHING
    if share == 0:
        return "nothing"
    return words.percent(abs(share)) if abs(share) >= 0.0005 else "< 0.1 %"
