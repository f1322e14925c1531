"""The small controls below the plot: cuts as text, what they snap to, where missing rows go, log axis, see all."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

import engine
from gui import icons
from gui.panels.this_node.split.draft import CutDraft
from gui.panels.this_node.split.ruler import SNAPS
from gui.panels.this_node.split.typed import cuts_text, without_noise
from gui.widgets import verbatim
from gui.widgets.fields import ElidedCombo
from gui.wording import words

SNAP_WORDS = ("Midpoint", "Round", "Quantile", "Free")
SNAPS_EXPLAINED = (
    "What a cut snaps to while it is moved: the middle between two values, a round number or date, "
    "a twentieth of the rows, or nothing"
)
AS_LEVELS = "Treats values as categories, so that each may have a branch of its own or share one"
MOST_LEVELS = 60  # values that can be taken for levels
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Choice(ElidedCombo):
    """A list of few choices, shortened where there is no room.

    Signals:
        chosen: arg: the place of the choice
    """

    chosen = Signal(int)

    def __init__(self, name: str, spoken: str, explained: str) -> None:
        super().__init__(objectName=name)
        self.setAccessibleName(spoken)
        self.setToolTip(verbatim.tip(explained))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(4)
        self.activated.connect(self.chosen)

    def offer(self, texts: list[str], place: int) -> None:
        """Lists these choices, and shows one of them."""
        if self.count() != len(texts):
            self.clear()
            self.addItems(texts)
        else:
            for i, text in enumerate(texts):
                if self.itemText(i) != text:
                    self.setItemText(i, text)
        self.setCurrentIndex(place)

    def showPopup(self) -> None:
        widest = max(map(self.fontMetrics().horizontalAdvance, map(self.itemText, range(self.count()))), default=0)
        self.view().setMinimumWidth(widest + 24)
        super().showPopup()


class CutsEdit(QLineEdit):
    """The cuts as text. What is typed holds on Enter and on leaving; Esc puts it away.

    Signals:
        typed: arg: the text
    """

    typed = Signal(str)

    def __init__(self) -> None:
        super().__init__(objectName="split_editor_cuts")
        self.setAccessibleName("Cuts")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._shown = ""

    def show_text(self, text: str) -> None:
        """The cuts that hold, unless others are just being typed."""
        if not self.pending or not self.hasFocus():
            self.setText(text)
            self.setCursorPosition(0)
        self._shown = text

    @property
    def pending(self) -> bool:
        """Whether something else is typed than what holds."""
        return self.text() != self._shown

    def put_away(self) -> None:
        """Shows what holds."""
        self.setText(self._shown)
        self.setCursorPosition(0)

    def settle(self) -> None:
        """Takes what is typed."""
        if self.pending:
            self.typed.emit(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.pending:
            self.settle()  # a second Enter splits
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.settle()


class CutControls(QWidget):
    """One line of controls."""

    def __init__(self) -> None:
        super().__init__(objectName="split_editor_controls")
        self.cuts = CutsEdit()
        self.snap = Choice("split_editor_snap", "Snap to", SNAPS_EXPLAINED)
        self.missing = Choice("split_editor_missing", "Missing values", "")
        self.log = QToolButton(objectName="split_editor_log", text="log", checkable=True, autoRaise=True)
        self.log.setToolTip("A logarithmic axis")
        self.log.setAccessibleName("Logarithmic axis")
        self.levels = QToolButton(objectName="split_editor_as_levels", text="levels", autoRaise=True)
        self.levels.setAccessibleName("As levels")
        self.all = QToolButton(objectName="split_editor_see_all", autoRaise=True)
        icons.put(self.all, "fit")
        self.all.setToolTip("See all (double click on an axis)")
        self.all.setAccessibleName("See all")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for each, stretch in ((self.cuts, 11), (self.snap, 8), (self.missing, 12)):
            row.addWidget(each, stretch)
        for tool in (self.log, self.levels, self.all):
            row.addWidget(tool)

    def show_draft(self, draft: CutDraft) -> None:
        """What holds now."""
        kind, in_words, split = draft.curve.kind, draft.curve.kind_in_words, draft.split
        refusal = why_no_levels(kind, len(draft.curve.values))
        self.levels.setEnabled(not refusal)
        self.levels.setToolTip(verbatim.tip(refusal or AS_LEVELS))
        dates = kind == "date"
        example = "2013-07-01, 2014-01-01" if dates else "5, 10, 20"
        self.cuts.setPlaceholderText(example)
        self.cuts.setToolTip(verbatim.tip(f"The cuts, one or several: {example}"))
        values = draft.curve.values
        self.cuts.show_text(cuts_text([without_noise(cut, values) for cut in draft.cuts], in_words))
        self.snap.offer(list(SNAP_WORDS), SNAPS.index(draft.snap))
        self.missing.offer(missing_words(split, in_words), split.missing)
        self.missing.setToolTip(
            verbatim.tip(
                f"Where the rows go in which “{draft.curve.column}” is missing. "
                f"Training rows of this node: {words.count(draft.found.missing)}"
            )
        )


def why_no_levels(kind: str, n_values: int) -> str:
    """Why the values of a numeric column cannot be taken for levels; empty where they can."""
    if kind == "date":
        return "Dates cannot be taken for levels."
    if n_values < 2:
        return "There is only one value, which a split into levels could not divide."
    most = f"There are {words.count(n_values)} values: at most {MOST_LEVELS} can be taken for levels."
    return most if n_values > MOST_LEVELS else ""


def missing_words(split: engine.Split, kind: str) -> list[str]:
    """Where missing values can go: into each branch, and into one of their own."""
    finite = [cut for cut in split.thresholds if math.isfinite(cut)]
    if len(finite) < len(split.thresholds):
        return [f"Missing: {engine.splits.branch_words(split, b, kind)}" for b in range(split.n_branches)]
    texts = [f"Missing: {engine.splits.branch_words(split, b, kind)}" for b in range(len(finite) + 1)]
    if split.surrogates:
        texts[split.missing] = "Missing: by surrogates"
    return [*texts, "Missing: own branch"]
