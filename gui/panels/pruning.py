"""The pruning panel: how large a tree should be, on one chart; a click puts that tree on the canvas."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

import engine
from engine.pruning import why_not
from gui import theme, words
from gui.document import Document
from gui.panels.pruning_chart import PruningChart, leaves_words
from gui.panels.pruning_model import CROSS, LEAVES, VALIDATION, PruningModel, error_words, price_words
from gui.panels.search_settings_controls import LIST_WIDTH, SENTENCE, Sentences
from gui.parts_label import PartsLabel

if TYPE_CHECKING:
    from engine.pruning import Step

ROW_HEIGHT = 24
WITH_COPY = 560  # pixels; in a narrower panel figures need the room of that button, and Ctrl+C copies too
DOUBT = "hand-made splits were not cross-validated"
DOUBTS = {"growth": "no validation rows to choose by"}  # the remarks of a method in a few words


class PruningPanel(QWidget):
    """Chooses a method, draws its sequence of prunings, and puts any of them on the document's canvas."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pruning_panel")
        self._document = document
        self._cutback = document.cutback
        self._drawn: object = None
        self._followed: int | None = None  # the step that the table has scrolled to
        self._build()
        self._connect()
        self._on_table_changed()

    def _build(self) -> None:
        self.method = QComboBox(objectName="pruning_method")
        self.method.setAccessibleName("Pruning method")
        self.method.view().setItemDelegate(Sentences(self.method))
        self.method.view().setMinimumWidth(LIST_WIDTH)
        self.compute = QPushButton("Compute", objectName="pruning_compute")
        self.compute.setToolTip("Computes every tree that this method can cut the present one back to")
        self.log = QCheckBox("Log axis", objectName="pruning_log")
        self.copy = QPushButton("Copy table", objectName="pruning_copy")
        self.legend = QLabel(objectName="pruning_legend", wordWrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.readout = PartsLabel(" · ", objectName="pruning_readout")
        self.chart = PruningChart()
        self.model = PruningModel(self)
        self.table = QTableView(objectName="pruning_table")
        self.table.setAccessibleName("Trees by size; Enter puts one on the canvas")
        self.table.setModel(self.model)
        self._set_up_table()
        self.empty = QLabel(objectName="pruning_empty", wordWrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setTextFormat(Qt.TextFormat.PlainText)
        self._lay_out()

    def _lay_out(self) -> None:
        controls = QHBoxLayout()
        controls.setSpacing(8)
        for widget in (self.method, self.compute):
            controls.addWidget(widget)
        controls.addSpacing(8)
        controls.addWidget(self.readout, 1)
        controls.addWidget(self.log)
        controls.addWidget(self.copy)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.chart)
        split.addWidget(self.table)
        split.setStretchFactor(0, 1)
        split.setSizes([720, 360])
        split.setChildrenCollapsible(False)
        full = QWidget()
        inner = QVBoxLayout(full)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(8)
        inner.addWidget(self.legend)
        inner.addWidget(split, 1)
        self.pages = QStackedWidget()
        self.pages.addWidget(full)
        self.pages.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 0)
        layout.setSpacing(8)
        layout.addLayout(controls)
        layout.addWidget(self.pages, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()

    def _set_up_table(self) -> None:
        view = self.table
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setFrameShape(QTableView.Shape.NoFrame)
        view.setShowGrid(False)
        view.setTabKeyNavigation(False)
        view.setWordWrap(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        view.horizontalHeader().setHighlightSections(False)
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        view.setMinimumWidth(180)

    def _connect(self) -> None:
        document = self._document
        document.tableChanged.connect(self._on_table_changed)
        document.treeChanged.connect(self._refresh)
        document.pruningChanged.connect(self._on_pruning_changed)
        theme.watcher().changed.connect(self._redraw)
        self.method.currentIndexChanged.connect(self._explain_method)
        self.compute.clicked.connect(self._on_compute)
        self.log.toggled.connect(self._redraw)
        self.copy.clicked.connect(self._on_copy)
        self.chart.hovered.connect(self._on_hovered)
        self.chart.picked.connect(self._cutback.show)
        self.table.clicked.connect(lambda index: self._on_hovered(index.row()))
        self.table.activated.connect(self._on_row_activated)
        copying = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table)
        copying.setContext(Qt.ShortcutContext.WidgetShortcut)
        copying.activated.connect(self._on_copy)

    def _on_table_changed(self) -> None:
        """Fills the list of methods; those that cannot work on this table are greyed and say why."""
        table = self._document.table
        chosen = self.method.currentData() or self._cutback.usual_method
        self.method.clear()
        if table is not None:
            for name, method in engine.METHODS.items():
                self.method.addItem(method.label, name)
                row = self.method.count() - 1
                lacking = why_not(name, table)
                for role in (SENTENCE, Qt.ItemDataRole.ToolTipRole):
                    self.method.setItemData(row, lacking or method.explanation, role)
                items = self.method.model()
                assert isinstance(items, QStandardItemModel)
                items.item(row).setEnabled(not lacking)
            self._choose_method(chosen)
        self._refresh()

    def _choose_method(self, wanted: str | None) -> None:
        items = self.method.model()
        usable = [row for row in range(self.method.count()) if items.item(row).isEnabled()]
        row = self.method.findData(wanted) if wanted is not None else -1
        self.method.setCurrentIndex(row if row in usable else usable[0] if usable else -1)

    def _explain_method(self) -> None:
        """Says of the closed list what the chosen method does."""
        self.method.setToolTip(str(self.method.currentData(SENTENCE) or ""))

    def _on_compute(self) -> None:
        self._cutback.open(self.method.currentData())

    def _on_pruning_changed(self) -> None:
        if self._cutback.method:
            self._choose_method(self._cutback.method)
        self._refresh()

    def _refresh(self) -> None:
        """Shows the chart, or in words why there is none."""
        document = self._document
        reason = why_empty(document)
        self.empty.setText(reason)
        self.pages.setCurrentIndex(1 if reason else 0)
        self.method.setEnabled(document.tree is not None)
        self.compute.setEnabled(document.tree is not None and document.tree.n_leaves > 1)
        for widget in (self.log, self.readout):
            widget.setVisible(not reason)
        self.copy.setVisible(not reason and self.width() >= WITH_COPY)
        if self._cutback.sequence is not self._drawn:
            self._redraw()
        elif not reason:
            self._mark_canvas()

    def _redraw(self) -> None:
        pruning, by_share = self._cutback.sequence, self._by_share
        self._drawn, self._followed = pruning, None
        self.model.show(pruning, by_share)
        self.chart.draw(pruning, by_share, self.log.isChecked())
        if pruning is None:
            return
        figures = pruning.steps[0]
        self.table.setColumnHidden(VALIDATION, math.isnan(figures.validation_error))
        self.table.setColumnHidden(CROSS, all(math.isnan(step.cv_error) for step in pruning.steps))
        self._mark_canvas()

    def _mark_canvas(self) -> None:
        self.legend.setText(self._legend())  # with the number of uses, which rises with the edits of the tree
        # While steps are still being computed, the keys are ahead of the canvas: leave them where they are.
        step = None if self._document.editing else self._cutback.step
        self.chart.mark_canvas(self._document.tree.n_leaves, step)
        self.model.mark_canvas(self._cutback.step)
        self._follow(self._cutback.step)
        self._on_hovered(-1)

    def _follow(self, step: int | None) -> None:
        """Brings the row of another step into view and selects it."""
        if step is not None and step != self._followed:
            index = self.model.index(step, LEAVES)
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index)
        self._followed = step

    @property
    def _by_share(self) -> bool:
        return self._document.tree is None or self._document.tree.task == "classes"

    def _legend(self) -> str:
        """Which line is which, and from which rows."""
        document, colours, first = self._document, theme.current(), self._cutback.sequence.steps[0]
        parts = [_key(colours.training.name(), f"training, {words.count(document.table.n_train)} rows", "╌")]
        if not math.isnan(first.validation_error):
            uses = document.validation_uses
            worn = f", used {words.count(uses)} {'time' if uses == 1 else 'times'} to choose" if uses else ""
            rows = words.count(document.table.n_validation)
            parts.append(_key(colours.validation.name(), f"validation, {rows} rows{worn}", "━"))
        if any(not math.isnan(step.cv_error) for step in self._cutback.sequence.steps):
            text = "cross-validation on the training rows ± standard error"
            parts.append(_key(colours.positive.name(), text, "━"))
        return "&nbsp;&nbsp;&nbsp; ".join(parts)

    def _on_hovered(self, step: int) -> None:
        pruning = self._cutback.sequence
        if pruning is None:
            return
        self.chart.highlight(step)
        price = price_words(pruning.method)[0].lower()
        if step >= 0:
            self.readout.setText(step_words(pruning.steps[step], self._by_share, price))
        else:
            chosen = step_words(pruning.steps[pruning.chosen], self._by_share, price)
            doubt = f" · {DOUBTS.get(pruning.method, DOUBT)}" if pruning.remark else ""
            self.readout.setText(f"Chosen: {chosen}{doubt}")
            self.readout.setToolTip(pruning.remark)

    def _on_row_activated(self, index: QModelIndex) -> None:
        self._cutback.show(index.row())

    def _on_copy(self) -> None:
        rows = sorted({index.row() for index in self.table.selectionModel().selectedRows()})
        whole = len(rows) < 2 or self.sender() is self.copy
        QGuiApplication.clipboard().setText(self.model.text(list(range(self.model.rowCount())) if whole else rows))


def why_empty(document: Document) -> str:
    """Why there is no chart, and what to do; empty when there is one."""
    cutback = document.cutback
    if document.tree is None:
        return "Open a table and grow a tree: how large it should be will be shown here."
    if cutback.error:
        return cutback.error
    if cutback.sequence is None and cutback.method:
        return "Computing every tree on the way back to the root…"
    if cutback.sequence is None and document.tree.n_leaves == 1:
        return "The tree is a single leaf: split it or press Go first, then prune."
    if cutback.sequence is None:
        return "Press Compute: the error of every tree between this one and the root will be drawn by its size."
    return ""


def step_words(step: Step, by_share: bool, price: str = "alpha") -> str:
    """A step in words: its size and its errors, each with the rows it comes from; `price` is what its alpha is."""
    parts = [leaves_words(step.leaves), f"training {error_words(step.train_error, by_share)}"]
    if not math.isnan(step.validation_error):
        parts.append(f"validation {error_words(step.validation_error, by_share)}")
    if not math.isnan(step.cv_error):
        spread = f" ± {error_words(step.cv_se, by_share)}" if not math.isnan(step.cv_se) else ""
        parts.append(f"cross-validated {error_words(step.cv_error, by_share)}{spread}")
    if math.isfinite(step.alpha):
        parts.append(f"{price} {words.gain(step.alpha)}")
    return " · ".join(parts)


def _key(colour: str, text: str, line: str) -> str:
    return f'<span style="color:{colour}">{line}{line}</span> {escape(text)}'
