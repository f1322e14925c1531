"""The cards about leaves: the filter as a form and as a chip, and the list of the best ones for a class or by means."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import NamedTuple
from weakref import ref

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QValidator
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QGridLayout, QHBoxLayout, QPushButton, QTableView

import engine
from engine.runtime.sentences import marked, tr
from gui.canvas.canvas import Canvas
from gui.canvas.overlays.overlay import Overlay
from gui.canvas.scene_controller import part_of
from gui.model.document import Document
from gui.picture import leaves
from gui.picture.nodes.figures import part_spreads, rows_of
from gui.widgets import verbatim
from gui.widgets.building import fill, named, stacked, tool_button
from gui.widgets.fields import ENTER, ElidedCombo, refill
from gui.widgets.labels import quiet, stack, telling
from gui.widgets.tables import Column, TableModel, calm, stretch
from gui.wording import words

GROUPED = re.compile(r"\d{1,3}(,\d{3})+")
ALLOWED = re.compile(r"[\d., ]*")


class LimitBox(QDoubleSpinBox):
    """Empty it stands for 0, which asks nothing; the arrows go on from there."""

    def __init__(self, name: str, spoken: str, most: float, decimals: int) -> None:
        super().__init__(maximum=most, decimals=decimals)
        named(self, name, spoken, tr("{limit}; leave empty for no limit", limit=spoken), minimumWidth=90)
        self.lineEdit().setPlaceholderText(tr("any"))

    def textFromValue(self, value: float) -> str:
        text = f"{value:,.{self.decimals()}f}" if value else ""
        return text.rstrip("0").rstrip(".") if "." in text else text

    def valueFromText(self, text: str) -> float:
        text = text.replace(" ", "")
        text = text.replace(",", "" if GROUPED.fullmatch(text) or "." in text else ".")
        try:
            return float(text)
        except ValueError:  # empty, or a lone point
            return 0.0

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        fits = ALLOWED.fullmatch(text) and self.valueFromText(text) <= self.maximum()
        return QValidator.State.Acceptable if fits else QValidator.State.Invalid, text, place


MOST_ROWS, MOST_SPREAD = 2e9, 1e15
NOTHING = leaves.LeafFilter()
LEAST_SHARE = 1e-4  # that the form can ask for: 0.01 %


def counted(document: Document, tree: engine.Tree, wanted: leaves.LeafFilter) -> tuple[int, float]:
    """(how many leaves pass, the share of the rows in them)."""
    part = part_of(document, tree)
    found, rows = leaves.passing(tree, wanted, part), rows_of(tree, part)
    return int(np.count_nonzero(found)), float(rows[found].sum() / max(int(rows[0]), 1))


class FilterForm(Overlay):
    """Rows or share at least, and how sure; what passes is told while one types."""

    def __init__(self, canvas: Canvas) -> None:
        closing = tr("Closes the form; the filter stays (Esc)")
        super().__init__(canvas, "filter_form", tr("Filter of the leaves"), "filtering", closing)
        self.rows = LimitBox("filter_rows", tr("Rows at least"), MOST_ROWS, 0)
        self.share = LimitBox("filter_share", tr("Share of all rows at least, in percent"), 100.0, 2)
        sure = tr("How sure at least, in percent: the share of the class that the leaf predicts")
        self.confidence = LimitBox("filter_confidence", sure, 100.0, 1)
        spread = tr("Spread at most: how far the values lie from what the leaf predicts")
        self.spread = LimitBox("filter_spread", spread, MOST_SPREAD, 3)
        for field in (self.rows, self.share, self.confidence, self.spread):
            field.valueChanged.connect(self._on_edited)
            if field is not self.confidence:
                field.setStepType(LimitBox.StepType.AdaptiveDecimalStepType)
        self.confidence.setSingleStep(5.0)
        self.support, self.surety = stacked(self.rows, self.share), stacked(self.confidence, self.spread)
        self.unit = named(QComboBox(), "filter_unit", tr("Rows or their share"), activated=self._on_unit)
        self.unit.addItems([tr("rows"), tr("% of all rows")])
        self.bound, self.measure = verbatim.label(), verbatim.label()
        self.told = quiet(name="filter_told")
        self.none = named(QPushButton(tr("No filter"), autoDefault=False), "filter_none",
                          tip=tr("Ends the filter: all leaves stand out again"), clicked=self._end)  # fmt: skip
        head = fill(QHBoxLayout(), (verbatim.label(tr("Show leaves that have")), 1), self.cross, spacing=6)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        lines = (verbatim.label(tr("at least")), self.support, self.unit), (self.bound, self.surety, self.measure)
        for line, widgets in enumerate(lines):
            for column, widget in enumerate(widgets):
                grid.addWidget(widget, line, column)
        grid.setColumnStretch(2, 1)
        foot = fill(QHBoxLayout(), (self.told, 1), self.none, spacing=6)
        stack(self, head, grid, foot, spacing=6, margins=(12, 6, 6, 8))

    def take_focus(self) -> None:
        field = self.share if self.support.currentIndex() else self.rows
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def refresh(self) -> None:
        tree, wanted = self.document.tree, self.document.look.filter or NOTHING
        assert tree is not None
        numbers = tree.task == "number"
        self.surety.setCurrentIndex(int(numbers))
        self.bound.setText(tr("at most") if numbers else tr("at least"))
        self.measure.setText(tr("% sure"))
        if numbers:
            self.measure.setText(tr("mean absolute error") if tree.predicts_median else tr("standard deviation"))
            root = float(part_spreads(tree, "train")[0])
            digits = min(max(2 - math.floor(math.log10(root)), 0), 9) if math.isfinite(root) and root > 0 else 3
            if self.spread.decimals() != digits:  # it would round what is being typed
                self.spread.setDecimals(digits)
        if wanted.share is not None or wanted.rows is not None:
            self.unit.setCurrentIndex(int(wanted.share is not None))
        self.support.setCurrentIndex(self.unit.currentIndex())
        shown = {self.rows: wanted.rows, self.spread: wanted.spread, self.share: 100 * (wanted.share or 0),
                 self.confidence: 100 * (wanted.confidence or 0)}  # fmt: skip
        for field, value in shown.items():
            with QSignalBlocker(field):
                if not math.isclose(field.value(), value or 0, abs_tol=1e-9):
                    field.setValue(value or 0)
        self.none.setEnabled(wanted != NOTHING)
        self.told.setText(self._passed(tree, wanted))

    def _passed(self, tree: engine.Tree, wanted: leaves.LeafFilter) -> str:
        if not wanted.asks(tree.task):
            return tr("All leaves stand out.")
        n, share = counted(self.document, tree, wanted)
        if not n:
            return tr("No leaf passes: ask for less.")
        by_all = part_of(self.document, tree) != "validation"
        form = marked("{leaves}, {share} of the rows") if by_all else marked("{leaves}, {share} of the validation rows")
        return tr(form, leaves=leaves.passed_words(n, tree.n_leaves), share=words.rate(share))

    def _on_unit(self, index: int) -> None:
        """The limit is asked in the other unit: that of the same support."""
        tree, wanted = self.document.tree, self.document.look.filter or NOTHING
        self.support.setCurrentIndex(index)
        rows = int(rows_of(tree, part_of(self.document, tree))[0]) if tree is not None else 0
        if index and wanted.rows is not None:
            wanted = replace(wanted, rows=None, share=max(round(wanted.rows / max(rows, 1), 4), LEAST_SHARE))
        elif not index and wanted.share is not None:
            wanted = replace(wanted, rows=round(wanted.share * rows) or None, share=None)
        self._set(wanted)
        self.take_focus()

    def _on_edited(self) -> None:
        by_share = self.unit.currentIndex() == 1
        rows = None if by_share else int(self.rows.value()) or None
        share = self.share.value() / 100 or None if by_share else None
        sure, spread = self.confidence.value() / 100 or None, self.spread.value() or None
        self._set(leaves.LeafFilter(rows=rows, share=share, confidence=sure, spread=spread))

    def _set(self, wanted: leaves.LeafFilter) -> None:
        self.document.look.set(filter=wanted if wanted != NOTHING else None)

    def _end(self) -> None:
        self._set(NOTHING)
        self.take_focus()


class FilterChip(Overlay):
    """What is filtered and how many leaves pass; a click on it opens the form, the cross ends the filter."""

    def __init__(self, canvas: Canvas) -> None:
        closing = tr("Ends the filter: all leaves stand out again")
        super().__init__(canvas, "filter_chip", tr("Filter of the leaves"), "filter", closing)
        self.text = tool_button("filter_chip_text", tip=tr("Opens the form of the filter"),
                                clicked=lambda: self.opening.emit("filtering"))  # fmt: skip
        for button in (self.text, self.cross):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        fill(QHBoxLayout(self), self.text, self.cross, spacing=2, margins=(6, 2, 4, 2))

    @property
    def is_wanted(self) -> bool:
        tree, wanted, form = self.document.tree, self.document.look.filter, self.document.look.filtering
        return tree is not None and wanted is not None and wanted.asks(tree.task) and not form  # which says the same

    def refresh(self) -> None:
        tree, wanted = self.document.tree, self.document.look.filter
        assert tree is not None and wanted is not None
        n, _ = counted(self.document, tree, wanted)
        asked = leaves.asked_words(wanted, tree.task, part_of(self.document, tree))
        self.text.setText(tr("{asked}  ·  {leaves}", asked=asked, leaves=leaves.passed_words(n, tree.n_leaves)))
        self.setAccessibleDescription(self.text.text())


ROW_HEIGHT = 22
RULE, VALIDATION = 1, 3  # columns
WIDTH = 440
MOST_CONDITIONS = 4  # of a rule, the last ones
MOST_IN_TIP = 30
NAME_ROOM = 90  # pixels of a column’s name
WALKING = (*ENTER, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
NUMBERS = {leaves.HIGHEST: marked("highest means"), leaves.LOWEST: marked("lowest means")}
JUDGED = marked("Ranked by lower bounds from validation rows, 95 % for all leaves at once")
JUDGED_MEANS = marked("Ranked by bounds of the mean from validation rows, for all leaves at once")
FLATTERED = marked("Ranked by training rows, which chose these leaves: the rates are flattering")
FLATTERED_MEANS = marked("Ranked by training rows, which chose these leaves: the means are flattering")
BY_RATE = marked(
    "Each leaf is ranked by the lower bound of its rate (Clopper and Pearson 1934). All bounds of the tree hold "
    "together with 95 % (Bonferroni), unless validation rows chose or pruned the tree, too. Leaves at or below the "
    "rate of all rows are not listed."
)
BY_MEAN = marked(
    "Each leaf is ranked by the bound of its mean (Student), from the deviation in the leaf and a little of that of "
    "all rows. All bounds of the tree hold together with 95 % (Bonferroni) where the numbers are nearly normal and "
    "validation rows did not choose or prune the tree; where they are very skew, more rarely. Leaves of one or two "
    "rows come last; those no better than the mean of all rows are not listed."
)
BY_OWN_ROWS = marked(
    "Each leaf is ranked by a bound for all leaves at once, which keeps leaves of few rows from leading. It promises "
    "nothing of other rows, because the training rows chose the leaves: for that, validation rows are needed. Leaves "
    "no better than all rows together are not listed."
)
NONE_BETTER = marked("No leaf has a higher rate of this class than all rows together.")
NO_BETTER_MEAN = marked("No leaf is better than the mean of all rows.")


def last_conditions(tree: engine.Tree, i: int, most: int, short: Callable[[str], str] = str) -> list[str]:
    """The rule of the node at position i, of a long one the end; last condition first, names of columns `short`."""
    found: list[str] = []
    while i > 0 and len(found) < most:
        text, parent = tree.sentence(i), int(tree.parent[i])
        name = tree.columns[int(tree.nodes.column[parent])].name
        found.append(text.replace(name, short(name), 1) if text.startswith(f"{name} ") else text)
        i = parent
    return [*found, *["…"] * (i > 0)] or [tr("all rows")]


class Listed(NamedTuple):
    """A leaf in words."""

    node: int
    rule: str
    training: str
    validation: str
    tip: str


class LeafTable(QTableView):
    """A row for each leaf."""

    chosen = Signal(int)  # a row was clicked, walked to, or confirmed by Enter. arg: it

    def __init__(self) -> None:
        super().__init__()
        off, tip = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, attrgetter("tip")
        named(self, "best_leaves", tr("Best leaves"), selectionMode=QTableView.SelectionMode.SingleSelection,
              horizontalScrollBarPolicy=off, verticalScrollBarPolicy=off)  # fmt: skip
        self.setTextElideMode(Qt.TextElideMode.ElideRight)  # the last conditions, which tell leaves apart, stand first
        self.listed = TableModel[Listed](self, [
            Column(tr("Leaf"), lambda leaf: f"#{leaf.node}", True, explained=tip),
            Column(tr("Rule"), lambda leaf: leaf.rule, True, explained=tip),
            Column(tr("Training"), lambda leaf: leaf.training, explained=tip),
            Column(tr("Validation"), lambda leaf: leaf.validation, explained=tip)])  # fmt: skip
        self.setModel(self.listed)
        calm(self, ROW_HEIGHT)
        self.clicked.connect(lambda index: self.chosen.emit(index.row()))
        self.horizontalHeader().setSectionsClickable(False)
        stretch(self.horizontalHeader(), RULE)

    def sizeHint(self) -> QSize:
        rows = self.verticalHeader().defaultSectionSize() * max(len(self.listed.records), 1)
        return QSize(WIDTH, self.horizontalHeader().sizeHint().height() + rows + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the row once more; the first arrow goes to the first row."""
        walking = bool(self.listed.records) and event.key() in WALKING
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
        elif walking and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self.listed.index(0, 0))
        elif not walking or event.key() not in ENTER:
            super().keyPressEvent(event)
        if walking:
            self.chosen.emit(self.currentIndex().row())


class BestList(Overlay):
    """Which class, and its best leaves with rows and rate; a click, an arrow or Enter goes to one."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, "best_list", tr("Best leaves"), "best", tr("Closes the list (Esc)"))
        self._shown: tuple[object, ...] = ()
        self.title = verbatim.label()
        self.choice = named(ElidedCombo(), "best_choice", tr("Best leaves for"))
        self.table = LeafTable()
        self.said = quiet(name="best_said")
        head = fill(QHBoxLayout(), self.title, self.choice, 0, self.cross, spacing=6)
        stack(self, head, self.table, self.said, spacing=6, margins=(12, 6, 6, 8))
        self.setFocusProxy(self.table)
        self.choice.activated.connect(lambda index: self.document.look.set(best=str(self.choice.itemData(index))))
        self.table.chosen.connect(self._go)

    def refresh(self) -> None:
        tree, best = self.document.tree, self.document.look.best
        assert tree is not None and best is not None
        wanted = leaves.wanted_of(tree, best, self.document.focus_class)
        among = self.document.look.filter, part_of(self.document, tree)
        shown = (ref(tree), wanted, *among)  # a closed list keeps no tree alive
        if self._shown != shown:
            self._shown = shown
            self._fill(tree, wanted, leaves.best_leaves(tree, wanted, *among))
            self.grown.emit()
        nodes = [leaf.node for leaf in self.table.listed.records]
        if self.document.selected in nodes:
            self.table.setCurrentIndex(self.table.listed.index(nodes.index(self.document.selected), 0))
        else:
            self.table.clearSelection()

    def _fill(self, tree: engine.Tree, wanted: int | str, found: list[leaves.BestLeaf]) -> None:
        numbers, names = tree.task == "number", tuple(column.name for column in tree.columns)
        means = {name: tr(text) for name, text in NUMBERS.items()}
        offered = means if numbers else {name: name for name in tree.classes}
        refill(self.choice, offered, wanted if isinstance(wanted, str) else tree.classes[wanted])
        for_class = tr("Best leaves for “{target}” =", target=tree.target)
        self.title.setText(tr("Leaves with the") if numbers else for_class)
        figure, listed = words.value if numbers else words.percent, []
        short = partial(telling, names=names, room=NAME_ROOM, metrics=self.table.fontMetrics())
        for leaf in found:
            rule = " and ".join(last_conditions(tree, leaf.position, MOST_CONDITIONS, short))
            training = f"{words.count(leaf.rows)} · {figure(leaf.rate)}"
            validation = f"{words.count(leaf.validation_rows)} · {figure(leaf.validation_rate)}"
            listed.append(Listed(int(tree.ids[leaf.position]), rule, training, validation, _tip(tree, leaf)))
        self.table.listed.fill(listed)
        self.table.setColumnHidden(VALIDATION, not tree.rows_validation[0])
        self.table.updateGeometry()
        self.table.setVisible(bool(found))
        how, why = (JUDGED_MEANS, BY_MEAN) if numbers else (JUDGED, BY_RATE)
        if leaves.judging_part(tree) == "train":
            how, why = FLATTERED_MEANS if numbers else FLATTERED, BY_OWN_ROWS
        none = NO_BETTER_MEAN if numbers else NONE_BETTER
        self.said.setText(tr(how) if found else tr(none))
        self.said.setToolTip(tr(why) if found else "")

    def _go(self, row: int) -> None:
        self.document.select(self.table.listed.record(row).node)
        self.canvas.reveal(self.document.selected)


def _tip(tree: engine.Tree, leaf: leaves.BestLeaf) -> str:
    rule = "\nand ".join(last_conditions(tree, leaf.position, MOST_IN_TIP)[::-1])
    validated, classes = leaves.judging_part(tree) == "validation", tree.task == "classes"
    rate, n = (leaf.validation_rate, leaf.validation_rows) if validated else (leaf.rate, leaf.rows)
    figure = words.percent if classes else words.value
    said = {"rate": figure(rate), "n": words.count(n), "bound": figure(leaf.bound)}
    if not math.isfinite(leaf.bound):
        form = marked("{rate}; last, for it has too few rows: {n}")
    elif not validated:
        form = marked("{rate} of {n} training rows, which chose this leaf; ranked by {bound}")
        if not classes:
            form = marked("Mean {rate} of {n} training rows, which chose this leaf; ranked by {bound}")
    elif classes:
        form = marked("{rate} of {n} validation rows; at least {bound}, 95 % for all leaves at once")
    else:
        form = marked("Mean {rate} of {n} validation rows; bound {bound}, for all leaves at once")
    return f"{rule}\n{tr(form, **said)}"
