"""The filter of leaves: a small form, and the chip that says on the canvas what is filtered."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QDoubleSpinBox, QGridLayout, QHBoxLayout, QPushButton

from engine.runtime.sentences import tr
from gui.canvas.canvas import Canvas
from gui.canvas.highlighting import part_of
from gui.canvas.overlays.overlay import Overlay
from gui.model.document import Document
from gui.picture.leaves import LeafFilter, asked_words, passed_words, passing
from gui.picture.nodes.figures import part_spreads
from gui.widgets import verbatim
from gui.widgets.building import fill, named, stacked, tool_button
from gui.widgets.labels import quiet, stack
from gui.wording import words

if TYPE_CHECKING:
    from engine.tree.tree import Tree

GROUPED = re.compile(r"\d{1,3}(,\d{3})+")
ALLOWED = re.compile(r"[\d., ]*")


class LimitBox(QDoubleSpinBox):
    """Empty it stands for 0, which asks nothing; the arrows go on from there."""

    def __init__(self, name: str, spoken: str, most: float, decimals: int) -> None:
        super().__init__(maximum=most, decimals=decimals)
        named(self, name, spoken, tr("{limit}; leave empty for no limit", limit=spoken))
        self.lineEdit().setPlaceholderText(tr("any"))
        self.setMinimumWidth(90)

    def textFromValue(self, value: float) -> str:
        if value == 0:
            return ""
        text = f"{value:,.{self.decimals()}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text

    def valueFromText(self, text: str) -> float:
        text = text.replace(" ", "")
        text = text.replace(",", "" if GROUPED.fullmatch(text) or "." in text else ".")
        try:
            return float(text)
        except ValueError:  # empty, or a lone point
            return 0.0

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        if not ALLOWED.fullmatch(text):
            return QValidator.State.Invalid, text, place
        fits = self.valueFromText(text) <= self.maximum()
        return QValidator.State.Acceptable if fits else QValidator.State.Invalid, text, place


MOST_ROWS, MOST_SPREAD = 2e9, 1e15
NOTHING = LeafFilter()
LEAST_SHARE = 1e-4  # that the form can ask for: 0.01 %


def rows_of(document: Document, tree: Tree) -> int:
    return int((tree.rows_validation if part_of(document, tree) == "validation" else tree.rows_train)[0])


def counted(document: Document, tree: Tree, wanted: LeafFilter) -> tuple[int, float]:
    """(how many leaves pass, the share of the rows in them)."""
    part = part_of(document, tree)
    found = passing(tree, wanted, part)
    rows = tree.rows_validation if part == "validation" else tree.rows_train
    return int(np.count_nonzero(found)), float(rows[found].sum() / max(int(rows[0]), 1))


class FilterForm(Overlay):
    """Rows or share at least, and how sure; what passes is told while one types."""

    def __init__(self, canvas: Canvas) -> None:
        closing = tr("Closes the form; the filter stays (Esc)")
        super().__init__(canvas, "filter_form", tr("Filter of the leaves"), "filtering", closing)
        self._build_fields()
        self.told = quiet(name="filter_told")
        self.none = named(QPushButton(tr("No filter"), autoDefault=False), "filter_none",
                          tip=tr("Ends the filter: all leaves stand out again"))  # fmt: skip
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
        self.none.clicked.connect(self._end)
        self.refresh()

    def _build_fields(self) -> None:
        self.rows = LimitBox("filter_rows", tr("Rows at least"), MOST_ROWS, 0)
        self.share = LimitBox("filter_share", tr("Share of all rows at least, in percent"), 100.0, 2)
        sure = tr("How sure at least, in percent: the share of the class that the leaf predicts")
        self.confidence = LimitBox("filter_confidence", sure, 100.0, 1)
        self.confidence.setSingleStep(5.0)
        spread = tr("Spread at most: how far the values lie from what the leaf predicts")
        self.spread = LimitBox("filter_spread", spread, MOST_SPREAD, 3)
        for field in (self.rows, self.share, self.confidence, self.spread):
            field.valueChanged.connect(self._on_edited)
            if field is not self.confidence:
                field.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        self.support, self.surety = stacked(self.rows, self.share), stacked(self.confidence, self.spread)
        self.unit = named(QComboBox(), "filter_unit", tr("Rows or their share"))
        self.unit.addItems([tr("rows"), tr("% of all rows")])
        self.unit.activated.connect(self._on_unit)
        self.bound, self.measure = verbatim.label(), verbatim.label()

    def take_focus(self) -> None:
        field = self.share if self.support.currentIndex() else self.rows
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def refresh(self) -> None:
        tree, wanted = self.document.tree, self.document.look.filter or NOTHING
        if tree is None:
            return
        self._follow_task(tree)
        if wanted.share is not None or wanted.rows is not None:
            self.unit.setCurrentIndex(int(wanted.share is not None))
        self.support.setCurrentIndex(self.unit.currentIndex())
        fields = {self.rows: wanted.rows, self.share: wanted.share, self.confidence: wanted.confidence,
                  self.spread: wanted.spread}  # fmt: skip
        for field, value in fields.items():
            with QSignalBlocker(field):
                shown = (100 if field in (self.share, self.confidence) else 1) * (value or 0)
                if not math.isclose(field.value(), shown, abs_tol=1e-9):
                    field.setValue(shown)
        self.none.setEnabled(wanted != NOTHING)
        self.told.setText(self._passed(tree, wanted))

    def _follow_task(self, tree: Tree) -> None:
        numbers = tree.task == "number"
        self.surety.setCurrentIndex(int(numbers))
        self.bound.setText(tr("at most") if numbers else tr("at least"))
        self.measure.setText(tr("% sure"))
        if numbers:
            self.measure.setText(tr("mean absolute error") if tree.predicts_median else tr("standard deviation"))
            root = float(part_spreads(tree, "train")[0])
            digits = 2 - math.floor(math.log10(root)) if math.isfinite(root) and root > 0 else 3
            if self.spread.decimals() != min(max(digits, 0), 9):  # it would round what is being typed
                self.spread.setDecimals(min(max(digits, 0), 9))

    def _passed(self, tree: Tree, wanted: LeafFilter) -> str:
        if not wanted.asks(tree.task):
            return tr("All leaves stand out.")
        n, share = counted(self.document, tree, wanted)
        if not n:
            return tr("No leaf passes: ask for less.")
        passed = {"leaves": passed_words(n, tree.n_leaves), "share": words.rate(share)}
        if part_of(self.document, tree) == "validation":
            return tr("{leaves}, {share} of the validation rows", **passed)
        return tr("{leaves}, {share} of the rows", **passed)

    def _on_unit(self, index: int) -> None:
        """The limit is asked in the other unit: that of the same support."""
        tree, wanted = self.document.tree, self.document.look.filter or NOTHING
        self.support.setCurrentIndex(index)
        if tree is not None and index and wanted.rows is not None:
            share = round(wanted.rows / max(rows_of(self.document, tree), 1), 4)
            wanted = replace(wanted, rows=None, share=max(share, LEAST_SHARE))
        elif tree is not None and not index and wanted.share is not None:
            wanted = replace(wanted, rows=round(wanted.share * rows_of(self.document, tree)) or None, share=None)
        self._set(wanted)
        self.take_focus()

    def _on_edited(self) -> None:
        by_share = self.unit.currentIndex() == 1
        self._set(
            LeafFilter(
                rows=None if by_share else int(self.rows.value()) or None,
                share=self.share.value() / 100 or None if by_share else None,
                confidence=self.confidence.value() / 100 or None,
                spread=self.spread.value() or None,
            )
        )

    def _set(self, wanted: LeafFilter) -> None:
        self.document.look.set(filter=wanted if wanted != NOTHING else None)

    def _end(self) -> None:
        self.document.look.set(filter=None)
        self.take_focus()


class FilterChip(Overlay):
    """What is filtered and how many leaves pass; a click on it opens the form, the cross ends the filter."""

    def __init__(self, canvas: Canvas) -> None:
        closing = tr("Ends the filter: all leaves stand out again")
        super().__init__(canvas, "filter_chip", tr("Filter of the leaves"), "filter", closing)
        self.text = tool_button("filter_chip_text", tip=tr("Opens the form of the filter"))
        for button in (self.text, self.cross):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        fill(QHBoxLayout(self), self.text, self.cross, spacing=2, margins=(6, 2, 4, 2))
        self.text.clicked.connect(lambda: self.opening.emit("filtering"))
        self.refresh()

    @property
    def is_wanted(self) -> bool:
        tree, wanted, form = self.document.tree, self.document.look.filter, self.document.look.filtering
        return tree is not None and wanted is not None and wanted.asks(tree.task) and not form  # which says the same

    def refresh(self) -> None:
        tree, wanted = self.document.tree, self.document.look.filter
        if tree is None or wanted is None or not wanted.asks(tree.task):
            return
        n, _ = counted(self.document, tree, wanted)
        asked = asked_words(wanted, tree.task, part_of(self.document, tree))
        self.text.setText(tr("{asked}  ·  {leaves}", asked=asked, leaves=passed_words(n, tree.n_leaves)))
        self.setAccessibleDescription(self.text.text())
