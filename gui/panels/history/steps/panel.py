"""The history panel: every step, what it did to the errors, and the way back to it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gui import theme
from gui.model.document import Document
from gui.panels.history.steps.strip import HistoryStrip
from gui.panels.prune.words import key
from gui.widgets import pages, verbatim
from gui.widgets.tables import aligned, bold, calm
from gui.wording import words

if TYPE_CHECKING:
    from gui.model.history import HistoryStep

SHARES = ("Step", "Leaves", "Training error", "Change", "Validation error", "Change")
CHANGES = ", shares in percentage points (pp), or with costs or priors the mean cost: + is worse, − is better"
COSTS = "; with costs or priors also the mean cost of a row, which the labels make small"
EXPLAINED = (
    "What was done; a click goes back to the tree after it",
    "Leaves of the tree after the step",
    "Error on the training rows after the step: the share of wrong labels, or the mean squared error "
    f"(MSE; where leaves say medians the mean absolute error, MAE){COSTS}",
    f"Training error against the step before{CHANGES}",
    "Error on the validation rows after the step: the share of wrong labels, or the mean squared error "
    f"(MSE; where leaves say medians the mean absolute error, MAE){COSTS}",
    f"Validation error against the step before{CHANGES}",
)
TEXT, LEAVES, TRAINING, TRAINING_CHANGE, VALIDATION, VALIDATION_CHANGE = range(6)
ROW_HEIGHT = 28
STRIP_WIDTH = 220  # pixels, at first: the names of steps need more
WITH_CHANGES = 900  # pixels; in a narrower panel the strip alone says how the errors change

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class HistoryModel(QAbstractTableModel):
    """The document's steps, the first state included; later (undone) steps are greyed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: list[HistoryStep] = []
        self._current = 0

    def show(self, steps: list[HistoryStep], current: int) -> None:
        """Replaces all rows."""
        self.beginResetModel()
        self._steps, self._current = list(steps), current
        self.endResetModel()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(SHARES) - 1)

    @property
    def _measure(self) -> str:
        """ "MSE" or "MAE" if all errors are of that kind; else, empty, each of them has to say so itself."""
        kinds = {step.measure if step.task == "number" else "" for step in self._steps}
        return kinds.pop() if len(kinds) == 1 else ""

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._steps)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(SHARES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return SHARES[section].replace("error", self._measure or "error")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(section == TEXT)
        if role == Qt.ItemDataRole.ToolTipRole:
            return EXPLAINED[section]
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid():
            return None
        row, section = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(section == TEXT)
        if role == Qt.ItemDataRole.ToolTipRole and section == TEXT:
            return verbatim.tip(self._steps[row].text)  # in little room its end is cut
        if role == Qt.ItemDataRole.FontRole and row == self._current:
            return bold()
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._ink(row, section)
        if role == Qt.ItemDataRole.AccessibleTextRole and section == TEXT:
            return self._spoken(row)
        return None

    def _text(self, row: int, section: int) -> str:
        step = self._steps[row]
        if section == TEXT:
            return f"▸ {step.text}" if row == self._current else f"   {step.text}"
        if section == LEAVES:
            return words.count(step.leaves)
        if section in (TRAINING, VALIDATION):
            error = step.train_error if section == TRAINING else step.validation_error
            return self._error_words(error, step, section)
        return change_words(self._change(row, section), step.task == "classes" and not step.weighing)

    def _error_words(self, error: float, step: HistoryStep, section: int) -> str:
        if step.task == "classes" or math.isnan(error):
            loss = step.losses[0 if section == TRAINING else 1]
            return words.percent(error) + ("" if math.isnan(loss) else f" · cost {words.value(loss)}")
        return words.value(error) if self._measure else f"{step.measure} {words.value(error)}"

    def _change(self, row: int, section: int) -> float:
        """How the error, or where there is one the mean cost, differs from the step before; NaN where that one does
        not compare, or there is none."""
        if row == 0 or not self._steps[row].comparable(self._steps[row - 1]):
            return math.nan
        part = 0 if section == TRAINING_CHANGE else 1
        now, before = (
            step.losses[part] if step.weighing else (step.train_error, step.validation_error)[part]
            for step in (self._steps[row], self._steps[row - 1])
        )
        return now - before

    def _ink(self, row: int, section: int) -> QColor | None:
        colours = theme.current()
        if row > self._current:
            return QColor(colours.secondary)
        if section in (TRAINING_CHANGE, VALIDATION_CHANGE):
            change = self._change(row, section)
            if change > 0:
                return QColor(colours.positive)
            if change < 0:
                return QColor(colours.negative)
        return None

    def _spoken(self, row: int) -> str:
        step = self._steps[row]
        state = "current step" if row == self._current else "undone step" if row > self._current else "step"
        error = self._text(row, TRAINING)
        return f"{state} {row}: {step.text}, {step.leaves} leaves, training error {error}"


class HistoryPanel(QWidget):
    """Lists the document's steps; a click or Enter goes back, or forward again, to one."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("history_panel")
        self._document = document
        self.model = HistoryModel(self)
        self.view = QTableView(objectName="history_table")
        self.view.setAccessibleName("Steps made so far; Enter goes to one")
        self.view.setModel(self.model)
        self._set_up_view()
        self.empty = pages.empty("Open a table: every step that you make will be listed here.")
        self.strip = HistoryStrip()
        self.both = QSplitter(Qt.Orientation.Horizontal)
        self.both.addWidget(self.view)
        self.key = verbatim.label(objectName="history_key")
        self.key.setTextFormat(Qt.TextFormat.RichText)
        chart = QWidget()
        inside = QVBoxLayout(chart)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(2)
        inside.addWidget(self.key)
        inside.addWidget(self.strip, 1)
        self.both.addWidget(chart)
        self.both.setStretchFactor(0, 1)
        self.both.setSizes([10 * STRIP_WIDTH, STRIP_WIDTH])
        self.both.setChildrenCollapsible(True)
        self.pages = pages.put(self, self.both, self.empty)
        document.undo_stack.indexChanged.connect(self._refresh)
        document.treeChanged.connect(self._refresh)
        document.tableChanged.connect(self._refresh)
        theme.watcher().changed.connect(self._refresh)
        self._shown: tuple[object, ...] = ()  # all that the panel was made from
        self.strip.picked.connect(document.go_to_step)
        self.view.clicked.connect(self._on_activated)
        self.view.activated.connect(self._on_activated)
        self._refresh()

    def _set_up_view(self) -> None:
        view = self.view
        calm(view, ROW_HEIGHT)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = view.horizontalHeader()
        header.setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        for section, width in ((LEAVES, 64), (TRAINING, 104), (TRAINING_CHANGE, 80), (VALIDATION, 116)):
            header.resizeSection(section, width)
        header.resizeSection(VALIDATION_CHANGE, 80)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for section in (TRAINING_CHANGE, VALIDATION_CHANGE):
            self.view.setColumnHidden(section, self.width() < WITH_CHANGES)

    def _refresh(self) -> None:
        document = self._document
        if not shiboken6.isValid(document.undo_stack):
            return  # a stack that dies empties itself first, and says so
        steps, current = document.steps, document.step_index
        validated = document.table is not None and document.table.n_validation > 0
        shown = (steps, current, validated, theme.current())
        if shown == self._shown:
            return  # several signals tell of the same step, and drawing takes some milliseconds
        self._shown = shown
        self.model.show(steps, current)
        header = self.view.horizontalHeader()
        for section in (TRAINING, VALIDATION):  # wider where a cost stands beside the error
            wanted = self.view.sizeHintForColumn(section) + 8
            header.resizeSection(section, max(header.sectionSize(section), wanted))
        self.strip.draw(steps, current)
        self.key.setText(key_words(validated))
        self.pages.setCurrentWidget(self.both if steps else self.empty)
        if steps:
            index = self.model.index(current, 0)
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)

    def _on_activated(self, index: QModelIndex) -> None:
        if index.row() != self._document.step_index:
            self._document.go_to_step(index.row())


def key_words(validated: bool) -> str:
    """Which line of the strip is which, as rich text."""
    colours = theme.current()
    lines = [key(colours.training.name(), "training", "╌╌")]
    lines += [key(colours.validation.name(), "validation", "━━")] * validated
    return "&nbsp;&nbsp; ".join(lines)


def change_words(change: float, by_share: bool) -> str:
    """A difference of errors with its sign: "−1.2 pp" (percentage points), "+0.031", "±0"; empty when unknown."""
    if math.isnan(change):
        return ""
    size = words.percent(abs(change)).removesuffix(" %") if by_share else words.value(abs(change))
    if size.strip("0.") == "":
        return "±0"
    return ("+" if change > 0 else words.MINUS) + size + (" pp" if by_share else "")
