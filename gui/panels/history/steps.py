"""The history panel: every step, what it did to the errors, as a table and as lines, and the way back to it."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QHeaderView, QToolTip, QWidget

from engine.runtime.sentences import marked, tr
from gui import theme
from gui.model.document import Document
from gui.model.history import HistoryStep
from gui.widgets import plotting, verbatim
from gui.widgets.building import Reaction, below, empty_page, put_pages, side_by_side
from gui.widgets.tables import Column, TableModel, TableView
from gui.wording import phrases, words

LOWEST = 80  # pixels
DOTS = 80  # steps up to which each of them is a dot
FADED = 0.35  # how much of the ink is left for steps that were taken back
ERRORS = (
    marked(
        "Error on the training rows after the step: the share of wrong labels, or the mean squared error (MSE; where "
        "leaves predict medians the mean absolute error, MAE); with costs or priors also the mean cost of a row, which "
        "the labels minimise"),
    marked(
        "Error on the validation rows after the step: the share of wrong labels, or the mean squared error (MSE; where "
        "leaves predict medians the mean absolute error, MAE); with costs or priors also the mean cost of a row, which "
        "the labels minimise"),
)  # fmt: skip
CHANGES = (
    marked(
        "Training error against the step before, shares in percentage points (pp), or with costs or priors the mean "
        "cost: + is worse, − is better"),
    marked(
        "Validation error against the step before, shares in percentage points (pp), or with costs or priors the mean "
        "cost: + is worse, − is better"),
)  # fmt: skip
TEXT, LEAVES, TRAINING, TRAINING_CHANGE, VALIDATION, VALIDATION_CHANGE = range(6)
ROW_HEIGHT = 28
STRIP_WIDTH = 220  # pixels, at first: the names of steps need more
STEP_WORDS = 24  # letters of a step's name for which there is room before figures are shown


class HistoryStrip(pg.PlotWidget):  # type: ignore[misc]
    """Draws the errors after every step, those that were taken back paler; steps whose errors are about something else
    than those of the present one, another target say, leave a gap."""

    picked = Signal(int)  # a step was clicked, or walked to by the keys. arg: its number, 0 for the beginning

    def __init__(self) -> None:
        axes = {"bottom": plotting.NumberAxis("bottom"), "left": plotting.ErrorAxis("left")}
        super().__init__(axisItems=axes, enableMenu=False)
        self.getAxis("bottom").whole = True
        plotting.set_up(self, "history_strip", tr("Errors after every step; arrow keys go to the step before or after"))
        self.setMinimumSize(140, LOWEST)
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self._steps: list[HistoryStep] = []
        self._current = 0
        self._errors = np.empty((2, 0))  # training and validation error after every step
        self.scene().sigMouseMoved.connect(self._on_moved)
        self.scene().sigMouseClicked.connect(self._on_clicked)

    def draw(self, steps: list[HistoryStep], current: int) -> None:
        self._steps, self._current = list(steps), current
        self.clear()
        plotting.restyle(self)
        if not steps:
            self._errors = np.empty((2, 0))
            return
        now = steps[current]
        self.getAxis("left").by_share = now.task == "classes"
        pairs = [(s.train_error, s.validation_error) if s.comparable(now) else (math.nan, math.nan) for s in steps]
        self._errors, colours = np.array(pairs).T, theme.current()
        self._draw_line(self._errors[0], QColor(colours.training), Qt.PenStyle.DashLine)
        self._draw_line(self._errors[1], QColor(colours.validation), Qt.PenStyle.SolidLine)
        line = pg.InfiniteLine(current, 90, plotting.pen(colours.accent, 1, Qt.PenStyle.DotLine))
        self.addItem(line, ignoreBounds=True)
        self.setXRange(-0.3, max(len(steps) - 1, 1) + 0.3, padding=0)
        known = self._errors[np.isfinite(self._errors)]
        self.setYRange(0.0, 1.1 * float(known.max(initial=0.0)) or 1.0, padding=0)

    def _draw_line(self, errors: NDArray[np.float64], ink: QColor, style: Qt.PenStyle) -> None:
        """The steps that stand, then, paler, those that were taken back."""
        at, pale = np.arange(len(errors)), QColor(ink)
        pale.setAlphaF(FADED)
        for part, colour in ((slice(self._current, None), pale), (slice(0, self._current + 1), ink)):
            x, y = at[part], errors[part]
            if np.isfinite(y).any():
                pen = plotting.pen(colour, 1.5, style)
                self.addItem(pg.PlotCurveItem(x, y, pen=pen, antialias=True, connect="finite"))
        if len(errors) <= DOTS:
            known = np.isfinite(errors)
            brushes = [plotting.brush(ink, 1.0 if i <= self._current else FADED) for i in at[known]]
            self.addItem(pg.ScatterPlotItem(at[known], errors[known], size=6, pen=None, brush=brushes))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go to the step before and after, Home and End to the first and the last one."""
        last = len(self._steps) - 1
        goals = {Qt.Key.Key_Left: max(self._current - 1, 0), Qt.Key.Key_Right: min(self._current + 1, last)}
        goal = {**goals, Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}.get(Qt.Key(event.key()))
        if goal is None or last < 0:
            event.ignore()
        elif goal != self._current:
            self.picked.emit(goal)

    def step_at(self, where: QPointF) -> int:
        """The step nearest to a point of the scene; −1 outside the axes."""
        box = self.getViewBox()
        if not self._steps or not box.sceneBoundingRect().contains(where):
            return -1
        return min(max(round(box.mapSceneToView(where).x()), 0), len(self._steps) - 1)

    def _on_moved(self, where: QPointF) -> None:
        step = self.step_at(where)
        self.setToolTip(verbatim.tip(self.words_of(step) if step >= 0 else ""))
        if step >= 0:
            QToolTip.showText(self.mapToGlobal(self.mapFromScene(where)), self.toolTip(), self)

    def words_of(self, step: int) -> str:
        """What a step did and what its errors are, in a line each."""
        shown = self._steps[step]
        text = words.percent if shown.task == "classes" else words.value
        parts = [phrases.leaves(shown.leaves)]
        parts += [tr("train {error}", error=text(shown.train_error))] * math.isfinite(shown.train_error)
        parts += [tr("valid {error}", error=text(shown.validation_error))] * math.isfinite(shown.validation_error)
        return f"{step}: {shown.text}\n{', '.join(parts)}"

    def _on_clicked(self, event: Any) -> None:
        step = self.step_at(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and step >= 0 and step != self._current:
            self.picked.emit(step)


class Shown(NamedTuple):
    """A row: a step, the one before it, and where both stand beside the present one."""

    number: int
    step: HistoryStep
    before: HistoryStep | None
    current: int
    alike: bool  # all errors are of one kind, which the titles say

    def words(self) -> str:
        return f"▸ {self.step.text}" if self.number == self.current else f"   {self.step.text}"

    def error(self, part: int) -> float:
        """The error on the training rows (0) or on the validation rows (1)."""
        return (self.step.train_error, self.step.validation_error)[part]

    def error_words(self, part: int) -> str:
        """The same in words, with the mean cost and profit where there are any."""
        step, error = self.step, self.error(part)
        if step.task == "classes" or math.isnan(error):
            loss = step.losses[part]
            said, cost = words.percent(error), words.value(loss)
            said = said if math.isnan(loss) else tr("{share} · cost {cost}", share=said, cost=cost)
            return " · ".join(filter(None, (said, step.profits[part])))
        return words.value(error) if self.alike else f"{step.measure} {words.value(error)}"

    def change(self, part: int) -> float:
        """How the error, or the mean cost where there is one, differs from the step before; NaN where none compares."""
        if self.before is None or not self.step.comparable(self.before):
            return math.nan
        now, before = (
            step.losses[part] if step.weighing else (step.train_error, step.validation_error)[part]
            for step in (self.step, self.before)
        )
        return now - before

    def change_words(self, part: int) -> str:
        return change_words(self.change(part), self.step.task == "classes" and not self.step.weighing)

    def ink(self) -> QColor | None:
        return QColor(theme.current().secondary) if self.number > self.current else None

    def change_ink(self, part: int) -> QColor | None:
        change, colours = self.change(part), theme.current()
        good_or_bad = colours.positive if change > 0 else colours.negative if change < 0 else None
        return self.ink() or (QColor(good_or_bad) if good_or_bad is not None else None)

    def spoken(self) -> str:
        """The whole row, for screen readers."""
        place = tr("step {n}", n=self.number)
        if self.number >= self.current:
            now, undone = tr("current step {n}", n=self.number), tr("undone step {n}", n=self.number)
            place = now if self.number == self.current else undone
        said = {"place": place, "step": self.step.text, "leaves": phrases.leaves(self.step.leaves)}
        return tr("{place}: {step}, {leaves}, training error {error}", **said, error=self.error_words(0))


class HistoryModel(TableModel[Shown]):
    """The document's steps, the first state included; later (undone) steps are greyed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bold = lambda row: row.number == row.current
        self.show([], 0)

    def show(self, steps: list[HistoryStep], current: int) -> None:
        kinds = {step.measure if step.task == "number" else "" for step in steps}
        measure = kinds.pop() if len(kinds) == 1 else ""
        before: list[HistoryStep | None] = [None, *steps]
        rows = [Shown(i, step, before[i], current, bool(measure)) for i, step in enumerate(steps)]
        self.fill(rows, _columns(measure or "error"))


TITLES = {  # by the measure of the errors: on the training and on the validation rows
    "error": (marked("Training error"), marked("Validation error")),
    "MSE": (marked("Training MSE"), marked("Validation MSE")),
    "MAE": (marked("Training MAE"), marked("Validation MAE")),
}


def _columns(measure: str) -> list[Column[Shown]]:
    spoken = {Qt.ItemDataRole.AccessibleTextRole: Shown.spoken}
    found: list[Column[Shown]] = [
        Column(tr("Step"), Shown.words, True, tr("What was done; a click goes back to the tree after it"),
               key=lambda row: row.number, explained=lambda row: row.step.text, ink=Shown.ink, more=spoken),
        Column(tr("Leaves"), lambda row: words.count(row.step.leaves), False, tr("Leaves of the tree after the step"),
               key=lambda row: row.step.leaves, ink=Shown.ink),
    ]  # fmt: skip
    for part, title in enumerate(TITLES[measure]):
        found += [
            Column(tr(title), partial(Shown.error_words, part=part), False, tr(ERRORS[part]),
                   key=partial(Shown.error, part=part), ink=Shown.ink),
            Column(tr("Change"), partial(Shown.change_words, part=part), False, tr(CHANGES[part]),
                   key=partial(Shown.change, part=part), ink=partial(Shown.change_ink, part=part)),
        ]  # fmt: skip
    return found


class HistoryPanel(QWidget):
    """Lists the document's steps; a click or Enter goes back, or forward again, to one."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("history_panel")
        self._document = document
        self.model = HistoryModel(self)
        self.view = TableView("history_table", tr("Steps made so far; Enter goes to one"), self.model, ROW_HEIGHT)
        self.view.setSelectionMode(self.view.SelectionMode.SingleSelection)
        self.view.horizontalHeader().setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        self.empty = empty_page(tr("Open a table: every step that you make will be listed here."))
        self.strip = HistoryStrip()
        self.key = verbatim.label(objectName="history_key")
        self.key.setTextFormat(Qt.TextFormat.RichText)
        chart = below(self.key, (self.strip, 1), spacing=2)
        self.both = side_by_side((self.view, 10 * STRIP_WIDTH, 1), (chart, STRIP_WIDTH, 0))
        self.both.setChildrenCollapsible(True)
        self.pages = put_pages(self, self.both, self.empty)
        for signal in (document.history.stack.indexChanged, document.treeChanged, document.tableChanged):
            signal.connect(self._refresh)
        theme.watcher().changed.connect(self._refresh)
        self._shown: tuple[object, ...] = ()  # all that the panel was made from
        self.strip.picked.connect(document.history.go_to)
        self.view.clicked.connect(self._on_activated)
        self.view.activated.connect(self._on_activated)
        Reaction(self.view.viewport(), self._share_width, QEvent.Type.Resize, QEvent.Type.FontChange)
        self._refresh()

    def _share_width(self) -> None:
        """Figures are as wide as they need; the words of the steps take the rest, for which changes give way first,
        then the errors, which the strip shows, and the leaves."""
        view, header = self.view, self.view.horizontalHeader()
        wanted = {
            section: max(view.sizeHintForColumn(section), header.sectionSizeFromContents(section).width()) + 8
            for section in range(LEAVES, VALIDATION_CHANGE + 1)
        }
        room = view.viewport().width() - view.fontMetrics().averageCharWidth() * STEP_WORDS
        hidden: set[int] = set()
        for sections in ((TRAINING_CHANGE, VALIDATION_CHANGE), (TRAINING,), (VALIDATION,), (LEAVES,)):
            if sum(width for k, width in wanted.items() if k not in hidden) > room:
                hidden.update(sections)
        for section, width in wanted.items():
            view.setColumnHidden(section, section in hidden)
            header.resizeSection(section, width)

    def _refresh(self) -> None:
        document = self._document
        if not shiboken6.isValid(document.history.stack):
            return  # a stack that dies empties itself first, and says so
        steps, current = document.history.steps, document.history.stack.index()
        validated = document.table is not None and document.table.n_validation > 0
        shown = (steps, current, validated, theme.current())
        if shown == self._shown:
            return  # several signals tell of the same step, and drawing takes some milliseconds
        self._shown = shown
        self.model.show(steps, current)
        self._share_width()
        self.strip.draw(steps, current)
        self.key.setText(key_words(validated))
        self.pages.setCurrentWidget(self.both if steps else self.empty)
        if steps:
            index = self.model.index(self.model.row_of(current), 0)
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)

    def _on_activated(self, index: QModelIndex) -> None:
        if (place := self.model.place(index.row())) != self._document.history.stack.index():
            self._document.history.go_to(place)


def key_words(validated: bool) -> str:
    """Which line of the strip is which, as rich text."""
    colours = theme.current()
    lines = [plotting.key(colours.training.name(), tr("training"), "╌╌")]
    lines += [plotting.key(colours.validation.name(), tr("validation"), "━━")] * validated
    return "&nbsp;&nbsp; ".join(lines)


def change_words(change: float, by_share: bool) -> str:
    """A difference of errors with its sign: "−1.2 pp" (percentage points), "+0.031", "±0"; empty when unknown."""
    if math.isnan(change):
        return ""
    size = words.percent(abs(change)).removesuffix(" %") if by_share else words.value(abs(change))
    if size.strip("0.") == "":
        return "±0"
    signed = ("+" if change > 0 else words.MINUS) + size
    return tr("{n} pp", n=signed) if by_share else signed
