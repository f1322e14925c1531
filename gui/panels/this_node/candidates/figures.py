"""The columns of the candidates list: what each shows and is called, and the menu that chooses them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

import engine
from engine.criteria import BINNED, CRITERIA
from engine.runtime.sentences import marked, tr
from gui.panels.this_node.words import number, percent, times
from gui.widgets import verbatim
from gui.widgets.building import entry, refuse
from gui.wording import words
from gui.wording.phrases import COUNTED


@dataclass(frozen=True)
class Row:
    """A candidate and what is known about it beside itself; NaN where it is not known (yet)."""

    candidate: engine.Candidate
    ahead: float = math.nan  # its gain with the best splits below its branches
    agreement: float = math.nan  # with the leading split, 0 to 1
    wins: float = math.nan  # the share of bootstrap samples in which its column gives the best split
    of_best: float = math.nan  # its gain as a share of the best one
    times_next: float = math.nan  # its gain by that of the next best


@dataclass(frozen=True)
class Figure:
    """One column of numbers; its texts are in English."""

    name: str  # in the settings
    header: str  # above the column
    title: str  # in the menu
    explained: str  # for the tooltip of the header
    value: Callable[[Row], float]  # of a row with a split, to sort by; NaN where there is none
    text: Callable[[float], str] = number  # of the value
    sample: str = "0.0000"  # of a text, for its width

    def say_title(self) -> str:
        if self.name in SCORES:
            return tr("Same split by {criterion}", criterion=tr(CRITERIA[self.name].label))
        return tr(self.title)

    def explain(self) -> str:
        if self.name in SCORES:
            return tr("What the same split gains by this criterion: {formula}", formula=CRITERIA[self.name].formula)
        return tr(self.explained)


def _score(name: str) -> Callable[[Row], float]:
    return lambda row: row.candidate.scores.get(name, math.nan)


SCORES = {name: one for name, one in CRITERIA.items() if not one.by_evidence}  # LogWorth has a figure of its own
COLUMN, SPLIT, GAIN, OF_BEST, AHEAD, VALIDATION, LOGWORTH = range(7)
FIGURES = (
    Figure("gain", marked("Gain"), marked("Gain"), marked(
        "How much the impurity falls on the training rows that chose the split (by the gain ratio: of the entropy)"),
        lambda row: row.candidate.gain),
    Figure("of_best", marked("Of best"), marked("Percent of the best gain"),
        marked("The gain in percent of the best candidate’s; it is shown by itself where there is room"),
        lambda row: row.of_best, percent, "000.0 %"),
    Figure("ahead", marked("Two levels"), marked("Gain with a second level"), marked(
        "What the split and the best one below each of its branches gain together; it fills in while nothing else "
        "is to be done"),
        lambda row: row.ahead),
    Figure("validation", marked("Validation"), marked("Validation gain"), marked(
        "What the predictions of the branches, made from training rows, improve on the validation rows; below 0 where "
        "they mislead. It is coloured where less than a quarter of the training gain is left, and two standard errors "
        "do not explain that"),
        lambda row: row.candidate.validation_gain),
    Figure("logworth", marked("LogWorth"), marked("LogWorth"),
        marked("−log₁₀ of the p-value, adjusted for the search: 2 means p = 0.01"),
        lambda row: row.candidate.logworth, lambda value: number(value, 2), "000.00"),
    Figure("branches", marked("Branches"), marked("Branches"), marked("How many branches the split makes"),
        lambda row: float(row.candidate.split.n_branches) if row.candidate.split else math.nan,
        lambda value: f"{value:.0f}", "00"),
    Figure("balance", marked("Smallest"), marked("Share of the smallest branch"),
        marked("The share of the node’s training rows in the smallest branch: near 0 the split cuts off a few rows"),
        lambda row: min(row.candidate.rows, default=0) / (sum(row.candidate.rows) or math.nan),
        words.percent, "00.0 %"),
    Figure("missing", marked("Missing"), marked("Missing"),
        marked("Training rows of the node in which the column is missing"),
        lambda row: float(row.candidate.missing), words.count, "000,000"),
    Figure("agreement", marked("Agrees"), marked("Agreement with the leading split"), marked(
        "The share of training rows that go the same way as with the leading split; ≈ marks a mimic, which would "
        "tell the same once more"),
        lambda row: row.agreement, words.percent, "≈ 00.0 %"),
    Figure("wins", marked("Wins"), marked("Wins in bootstrap samples"), marked(
        "The share of 200 bootstrap samples of the node’s training rows in which the column has the best split; it "
        "fills in while nothing else is to be done, and the plot shows where samples cut a column of numbers. Columns "
        "of many values win more easily by Gini and its like: the validation gain tells whether the split holds"),
        lambda row: row.wins, words.percent, "00.0 %"),
    Figure("next", marked("To next"), marked("Ratio to the next best"),
        marked("How many times the gain of the next best split it has: 2.99 × is a cliff, 1.02 × a plateau"),
        lambda row: row.times_next, times, "00.00 ×"),
    *(Figure(name, criterion.short, "", "", _score(name)) for name, criterion in SCORES.items()),
)  # fmt: skip
FIRST = 2  # the section of the first figure
HEADERS = (marked("Column"), marked("Split"), *(figure.header for figure in FIGURES))
EXPLAINED = (
    marked("The column that the rows would be split by; right arrow unfolds its further local optima"),
    marked("The best split of this column"),
)
SECTIONS = {figure.name: FIRST + i for i, figure in enumerate(FIGURES)}
AGREEMENT, WINS, TO_NEXT = (SECTIONS[name] for name in ("agreement", "wins", "next"))
BALANCE, MISSING = SECTIONS["balance"], SECTIONS["missing"]
OF_ROWS = ("ahead", "agreement", "wins")  # for which single rows are looked at
USUAL = ("gain", "validation")  # shown when nobody has chosen
COMPARABLE = ("logworth", "validation", *SCORES)  # what may stand beside the criterion


def figure_of(section: int) -> Figure | None:
    """The figure of a section; None of the column's name and the split."""
    return FIGURES[section - FIRST] if section >= FIRST else None


def offered(task: str, criterion: str) -> list[str]:
    """The names of the figures that make sense for a target: the criterion itself stands in “Gain”."""
    others = engine.criteria_for(task) if task else []
    searched = [one for one in others if one.is_counted or {one.name, criterion} <= set(BINNED)]  # no others
    scores = [one.name for one in searched if one.name in SCORES and (one.name != criterion or one.by_ratio)]
    return [figure.name for figure in FIGURES if figure.name not in SCORES] + scores


class StayingMenu(QMenu):
    """Stays open while check marks are set, by a click or the space bar: several are chosen at once."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._tick(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Space or not self._tick(self.activeAction()):
            super().keyPressEvent(event)

    def _tick(self, action: QAction | None) -> bool:
        if action is None or not action.isCheckable() or not action.isEnabled():
            return False
        action.toggle()
        return True


class FigureMenu(QObject):
    """What is chosen, as the names of figures; what does not fit the target stays chosen and is not shown."""

    changed = Signal()  # other figures are to be shown

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.chosen: list[str] = list(USUAL)
        self.beside_chosen = ""
        self._offered: list[str] = [figure.name for figure in FIGURES if figure.name not in SCORES]
        self._criterion, self._validates, self._has_rows = "", False, True
        self.menu = StayingMenu(tr("Figures"), parent)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill)

    @property
    def shown(self) -> list[str]:
        return [name for name in self.chosen if name in self._offered and (self._has_rows or name not in OF_ROWS)]

    @property
    def beside(self) -> str:
        return self.beside_chosen if self.beside_chosen in self._comparable() else ""

    def choose(self, figures: list[str], beside: str) -> None:
        self.chosen = [name for name in figures if name in SECTIONS]
        self.beside_chosen = beside if beside in SECTIONS else ""

    def offer(self, task: str, criterion: str, validates: bool, has_rows: bool) -> None:
        """What fits the target and the criterion; of validation gains if there are rows that `validates`, and what
        looks at single rows if the table `has_rows`."""
        before = self.shown, self.beside
        self._offered, self._criterion = offered(task, criterion), criterion
        self._validates, self._has_rows = validates, has_rows
        if (self.shown, self.beside) != before:
            self.changed.emit()

    def _comparable(self) -> list[str]:
        usable = [name for name in COMPARABLE if name in self._offered and name != self._criterion]
        return [name for name in usable if name != "validation" or self._validates]

    def _fill(self) -> None:
        self.menu.clear()
        for figure in FIGURES:
            if figure.name in self._offered:
                action = self._action(self.menu, figure, figure.say_title(), figure.name in self.chosen)
                action.toggled.connect(lambda on, name=figure.name: self._toggle(name, on))
                if figure.name in OF_ROWS and not self._has_rows:
                    refuse(action, tr(COUNTED))
        self.menu.addSeparator()
        compare = self.menu.addMenu(tr("Compare with"))
        group = QActionGroup(compare)
        group.addAction(entry(compare, tr("Nothing"), lambda: self._compare(""), ticked=not self.beside))
        for figure in FIGURES:
            if figure.name in self._comparable():
                title = tr(CRITERIA[figure.name].label) if figure.name in CRITERIA else figure.say_title()
                action = self._action(compare, figure, title, figure.name == self.beside)
                action.triggered.connect(lambda _=False, name=figure.name: self._compare(name))
                group.addAction(action)

    def _action(self, menu: QMenu, figure: Figure, title: str, on: bool) -> QAction:
        action = QAction(title, menu, checkable=True, checked=on, toolTip=verbatim.tip(figure.explain()))
        action.setObjectName(f"figure_{figure.name}")
        menu.addAction(action)
        return action

    def _toggle(self, name: str, on: bool) -> None:
        self.chosen = [one.name for one in FIGURES if (on if one.name == name else one.name in self.chosen)]
        self.changed.emit()

    def _compare(self, name: str) -> None:
        self.beside_chosen = name
        self.changed.emit()
