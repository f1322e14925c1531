"""The buttons above the views of the panel “Why”, and which of the views have room beside each other."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QSizePolicy, QToolButton, QWidget

import engine
from gui.widgets import verbatim

VIEWS = {"sum": "Sum", "figure": "Figure", "rankings": "Rankings"}
TWO, THREE = 640, 1440  # pixels of width from which on so many views stand side by side
ROOMY, WITH_COPY = 600, 500  # pixels: buttons have all their words; in a narrower panel Ctrl+C copies
GUESS = "Hides ranking and gains until you have guessed which column splits best, and where"
PLAY = "Moves the threshold from left to right and draws its gain; Esc stops it"


class WhyHead(QWidget):
    """Attributes:
        view: the one that was chosen last.

    Signals:
        viewChosen: Another view was chosen.
    """

    viewChosen = Signal()

    def __init__(self) -> None:
        super().__init__(objectName="why_head")
        self.view = "sum"
        self._own = ""  # the criterion of the search that the list was filled for
        self.tabs: dict[str, QToolButton] = {}
        group = QButtonGroup(self)
        for name, text in VIEWS.items():
            tab = QToolButton(text=text, objectName=f"why_{name}_tab", checkable=True, autoRaise=True)
            tab.clicked.connect(lambda _=False, name=name: self._choose(name))
            group.addButton(tab)
            self.tabs[name] = tab
        self.tabs["sum"].setChecked(True)
        self.criterion = QComboBox(objectName="why_criterion")
        self.criterion.setAccessibleName("Criterion of the arithmetic")
        self.criterion.setToolTip("By which criterion the split is worked out")
        self.criterion.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.criterion.setMinimumWidth(80)
        self.criterion.setMaximumWidth(190)
        self.play = QToolButton(objectName="why_play", autoRaise=True)
        self.copy = QToolButton(text="Copy", objectName="why_copy", autoRaise=True)
        self.copy.setToolTip("Copies the arithmetic as text (Ctrl+C)")
        self.guess = QToolButton(objectName="why_guess", autoRaise=True)
        self.say_guess("")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for tab in self.tabs.values():
            layout.addWidget(tab)
        layout.addSpacing(4)
        layout.addWidget(self.criterion, 1)
        layout.addStretch(1)
        for button in (self.play, self.copy, self.guess):
            layout.addWidget(button)

    def place(self, room: int, ready: bool) -> set[str]:
        """Shows the buttons that are needed in so many pixels; `ready`: whether there is a split to look at.

        Returns:
            The views that stand side by side there.
        """
        several = TWO <= room < THREE
        shown = {self.view}
        if room >= THREE:
            shown = set(VIEWS)
        elif several and self.view != "rankings":
            shown = {"sum", "figure"}
        for name, tab in self.tabs.items():
            tab.setVisible(ready and room < THREE and not (name == "figure" and several))
            tab.setChecked(name == self.view or (name == "sum" and several and self.view == "figure"))
        self.tabs["sum"].setText("Sum and figure" if several else VIEWS["sum"])
        own = shown != {"rankings"} and ready
        for each in (self.criterion, self.play):
            each.setVisible(own)
        self.copy.setVisible(own and room >= WITH_COPY)
        self.guess.setText("Guess the next split" if room >= ROOMY else "Guess")
        return shown

    def say_play(self, running: bool, why_not: str) -> None:
        """What the button of the sweep does now; `why_not`: why it does nothing."""
        roomy = self.width() >= ROOMY
        self.play.setText("■ Stop" if running else "▶ Sweep" if roomy else "▶")
        self.play.setEnabled(not why_not)
        self.play.setToolTip(verbatim.tip(why_not or PLAY))
        self.play.setAccessibleName("Stop the sweep" if running else "Sweep the threshold")

    def say_guess(self, why_not: str) -> None:
        """Whether there is something to guess; `why_not`: why there is not."""
        self.guess.setEnabled(not why_not)
        self.guess.setToolTip(verbatim.tip(why_not or GUESS))

    def fill_criteria(self, names: list[str], own: str) -> None:
        """Offers criteria; where they are others, or the search has another one, the search's own is chosen."""
        known = [self.criterion.itemData(i) for i in range(self.criterion.count())]
        if known == names and self._own == own:
            return
        self._own = own
        self.criterion.clear()
        for name in names:
            self.criterion.addItem(engine.CRITERIA[name].label, name)
        self.criterion.setCurrentIndex(max(0, self.criterion.findData(own)))

    def _choose(self, name: str) -> None:
        self.view = name
        self.viewChosen.emit()
