"""The comparison panel: the tree on the canvas beside another one, on the same rows, and whether chance explains it."""

from __future__ import annotations

import math
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.model.document import Document
from gui.model.editing.pruning_choices import Point
from gui.widgets import pages, verbatim
from gui.widgets.building import fill, named
from gui.widgets.fields import ElidedCombo
from gui.widgets.tables import Column, TableModel, TableView
from gui.wording import words

if TYPE_CHECKING:
    from engine.assessment import Fit
    from engine.assessment.comparison import Comparison
    from engine.tree.tree import Tree
    from gui.model.history import State

PARTS = {"train": "training", "validation": "validation"}
Line = tuple[str, ...]
LIKELY = 0.05  # p-values below this are called unlikely
EMPTY = "Choose a tree above: it stands beside the one on the canvas then, judged by the same rows."
FILE = "A tree from a file…"
NOTHING = "Nothing"


def figures(results: dict[str, Comparison], tree: Tree, other: Tree) -> list[Line]:
    """The figures of both trees: (what, of the tree on the canvas, of the other)."""
    found: list[Line] = [
        ("Leaves", words.count(tree.n_leaves), words.count(other.n_leaves)),
        ("Depth", words.count(tree.depth), words.count(other.depth)),
    ]
    for part, one in results.items():
        measure = "error" if tree.task == "classes" else "absolute error" if tree.predicts_median else "squared error"
        found.append((f"{PARTS[part].capitalize()} {measure}", *(_error(fit, part) for fit in one.fits)))
        if tree.leaf_rule.costs or tree.leaf_rule.priors:
            found.append((f"{PARTS[part].capitalize()} cost", *(words.value(fit.loss) for fit in one.fits)))
        if tree.task == "number":
            found.append((f"{PARTS[part].capitalize()} R²", *(words.value(fit.r2) for fit in one.fits)))
    return found


def _error(fit: Fit, part: str) -> str:
    if not math.isnan(fit.accuracy):
        low, high = 1 - fit.interval[1], 1 - fit.interval[0]
        around = f" ({words.percent(low).removesuffix(' %')} to {words.percent(high)})" if part != "train" else ""
        return words.percent(fit.error) + around
    return words.value(fit.error)


def sentences(found: Comparison, uses: int = 0) -> list[str]:
    """Where the trees differ, and whether chance explains it; one for each thought.

    Args:
        uses: how often the validation rows were used to choose.
    """
    part = PARTS[found.part]
    if not found.n:
        return [f"There are no {part} rows to compare the trees by."]
    of = f"Of {words.count(found.n)} {part} rows"
    if not found.differ:
        return [f"{of} the trees predict none differently."]
    share = words.percent(found.differ / found.n)
    said = [f"{of} the trees predict {words.count(found.differ)} ({share}) differently."]
    if found.fits[0].confusion.size:
        said.append(
            f"Only the tree on the canvas is right on {words.count(found.only_first)} of them, only the other on "
            f"{words.count(found.only_second)}; McNemar's test: {_chance(found.p_value)}."
        )
    else:
        said.append(f"Paired test of the errors: {_chance(found.p_value)}.")
    said.append(_difference(found))
    if found.part == "train":
        said.append("Both trees were grown on the training rows, so the larger one looks better on them than it is.")
    elif uses:
        often = "once" if uses == 1 else f"{words.count(uses)} times"
        said.append(
            f"The validation rows were used {often} to choose: a tree that was chosen by them looks better on them "
            "than it is, and the test and the interval do not know that."
        )
    return said


def _chance(p: float) -> str:
    if math.isnan(p):
        return "too few rows to tell"
    often = "chance alone seldom makes as much" if p < LIKELY else "chance alone often makes as much"
    return f"p = {words.gain(p)}, {often}"


def _difference(found: Comparison) -> str:
    """The difference of the errors with its interval."""
    points = bool(found.fits[0].confusion.size)
    around = f"(95 %: {_interval(*found.interval, points)})"
    if found.difference == 0:
        return f"Their errors are the same {around}."
    return f"The tree on the canvas errs {_size(found.difference, points)} {_side(found.difference)} {around}."


def _interval(low: float, high: float, points: bool) -> str:
    """ "0.7 to 6.3 pp less", "1.2 pp less to 3.0 pp more": in the words of the difference, the smaller one first."""
    if low < 0 < high:
        return f"{_size(low, points)} less to {_size(high, points)} more"
    near, far = sorted((low, high), key=abs)
    return f"{_size(near, points).removesuffix(' pp')} to {_size(far, points)} {_side(far)}"


def _side(difference: float) -> str:
    return "less" if difference < 0 else "more"


def _size(difference: float, points: bool) -> str:
    """How large it is, in percentage points where it is one of shares."""
    size = abs(difference)
    return words.percent(size).removesuffix(" %") + " pp" if points else words.value(size)


class ComparisonPanel(QWidget):
    """Chooses the other tree; shows sizes and errors of both, the test of their difference, and where it lies."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("comparison_panel")
        self._document = document
        self._choices: list[State | Point | None] = []
        self._build()
        self._lay_out()
        document.treeChanged.connect(self._refresh)
        document.tableChanged.connect(self._refresh)
        document.undo_stack.indexChanged.connect(self._refresh)
        document.pruningChanged.connect(self._refresh)
        document.comparing.changed.connect(self._refresh)
        self._refresh()

    def _build(self) -> None:
        self.other = named(ElidedCombo(), "comparison_other", "Compare with")
        self.other.setMinimumContentsLength(24)
        self.other.activated.connect(self._on_chosen)
        self.colour = named(QCheckBox("Colour the canvas where they differ"), "comparison_colour")
        self.colour.toggled.connect(self._document.comparing.colour)
        self.copy = named(QPushButton("Copy"), "comparison_copy", tip="Copies the table and the sentences as text")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text()))
        titles = ("", "On the canvas", "The other tree")
        columns = [Column[Line](title, itemgetter(k), words=not k) for k, title in enumerate(titles)]
        self.model = TableModel[Line](self, columns)
        self.table = TableView("comparison_table", "Figures of both trees", self.model)
        self.table.setSortingEnabled(False)  # their kinds differ from row to row
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.sentences = verbatim.label(objectName="comparison_sentences", wordWrap=True)
        self.sentences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sentences.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.empty = pages.empty(EMPTY, "comparison_empty")

    def _lay_out(self) -> None:
        controls = fill(QHBoxLayout(), verbatim.label("Compare with"), (self.other, 1), self.colour, spacing=8)
        controls.addStretch(1)
        controls.addWidget(self.copy)
        found = fill(QHBoxLayout(), (self.table, 3), (self.sentences, 2), spacing=16)
        fill(QVBoxLayout(self), controls, (found, 1), (self.empty, 1), spacing=8, margins=(8, 8, 8, 8))

    def _refresh(self) -> None:
        """Fills the list of trees, and shows what is known of the chosen one."""
        comparing, tree = self._document.comparing, self._document.tree
        self._fill_choices()
        self.other.setEnabled(tree is not None)
        known = bool(comparing.results) and comparing.other is not None and tree is not None
        for widget in (self.table, self.sentences, self.copy, self.colour):
            widget.setVisible(known)
        self.empty.setVisible(not known)
        waiting = "Comparing…" if comparing.other is not None else EMPTY
        self.empty.setText(comparing.error or (waiting if tree is not None else "Open a table and grow a tree first."))
        self.colour.setChecked(comparing.coloured)
        if known:
            self._show_figures()

    def _fill_choices(self) -> None:
        """The trees of the history, the latest first, then those of the pruning chart; not the one on the canvas."""
        comparing, cutback = self._document.comparing, self._document.cutback
        charted = [(name, cutback.known(point) or point) for name, point in cutback.offered if point != cutback.point]
        choices: list[tuple[str, State | Point | None]] = [(NOTHING, None), *self._document.trees_behind]
        choices += [each for each in charted if each[1] is not self._document.state]
        if comparing.other is not None and all(state is not comparing.other for _, state in choices):
            choices.append((comparing.name, comparing.other))
        texts = [text for text, _ in choices] + [FILE]
        if texts != [self.other.itemText(i) for i in range(self.other.count())]:
            self.other.clear()
            self.other.addItems(texts)
        self._choices = [state for _, state in choices]
        self.other.setCurrentIndex(
            next((i for i, state in enumerate(self._choices) if state is comparing.other), 0)
        )  # fmt: skip

    def _on_chosen(self, row: int) -> None:
        if row == len(self._choices):
            self._on_file()
        else:
            chosen, name = self._choices[row], self.other.itemText(row)
            if chosen is None:
                self._document.comparing.clear()
            elif isinstance(chosen, Point):
                self._document.comparing.with_point(chosen, name)
            else:
                self._document.comparing.with_state(chosen, name)
        self._refresh()

    def _on_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Compare with a tree", "", "Trees (*.json)")
        if path:
            self._document.comparing.with_file(Path(path))

    def _show_figures(self) -> None:
        comparing, document = self._document.comparing, self._document
        assert document.tree is not None and comparing.other is not None
        self.model.fill(figures(comparing.results, document.tree, comparing.other.tree))
        self.table.setToolTip(verbatim.tip(f"The other tree: {comparing.name}"))
        found = sentences(comparing.results[comparing.part], document.validation_uses)
        self.sentences.setText("\n\n".join(found))

    def _text(self) -> str:
        """The table with tabs between its cells, then the sentences."""
        return f"{self.model.text(range(self.model.rowCount()))}\n{self.sentences.text()}"
