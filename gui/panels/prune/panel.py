"""The pruning panel: how large a tree should be, on one chart; a click puts that tree on the canvas."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import (
    QHideEvent,
    QResizeEvent,
    QShowEvent,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

import engine
from engine.pruning import why_not
from engine.pruning.options import METRICS
from gui import theme
from gui.model.document import Document
from gui.model.editing.pruning_choices import Point, lacks_rule
from gui.panels.prune import drawing as pruning_metric
from gui.panels.prune import words as pruning_words
from gui.panels.prune.chart import PruningChart
from gui.panels.prune.drawing import Drawing, Yardstick, drawing, to_measure
from gui.panels.prune.hover import Hover
from gui.panels.prune.options import OptionsForm
from gui.panels.prune.table import CROSS, LEAVES, VALIDATION, PruningModel, Rows
from gui.panels.prune.words import price_words, step_words, why_empty
from gui.widgets import pages, verbatim
from gui.widgets.building import fill, named
from gui.widgets.fields import ElidedCombo
from gui.widgets.option_controls import LIST_WIDTH, SENTENCE, Sentences
from gui.widgets.short_names import PartsLabel
from gui.widgets.tables import TableView

if TYPE_CHECKING:
    from engine.pruning.result import Step

KEEP = "Pruning keeps splits that were made by hand, and the splits above them"
UNDECIDED = "Undecided: before pruning removes hand-made splits, you are asked once whether to keep them"
STATES = {
    None: Qt.CheckState.PartiallyChecked, True: Qt.CheckState.Checked, False: Qt.CheckState.Unchecked
}  # fmt: skip
MEASURED = 40  # rows that say how wide the columns are
MANY_LEAVES = 60  # from which on the small trees need the room that a log axis gives them
WITH_LEGEND = 260  # pixels; in a lower panel the chart needs the room of all but one line of it
WITH_COPY = 620  # pixels; in a narrower panel figures need the room of that button, and Ctrl+C copies too


class PruningLayout(QWidget):
    """The controls above, the chart at the left, the table or the options at its right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pruning_panel")
        self.method = _list("pruning_method", "Pruning method")
        self.measure = _list("pruning_metric", "What the chart measures trees by")
        self.compute = named(
            QPushButton("Compute"), "pruning_compute", tip="Computes what every method can cut the present tree back to"
        )
        self.log = named(QCheckBox("Log axis"), "pruning_log")
        self.keep = named(QCheckBox("Keep hand-made splits"), "pruning_keep_by_hand")
        self.options = named(QPushButton("Options"), "pruning_options_button")
        self.options.setCheckable(True)
        self.options.setToolTip("Shows the options of the chosen method in place of the table")
        self.copy = named(QPushButton("Copy table"), "pruning_copy")
        self.legend = verbatim.label(objectName="pruning_legend", wordWrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.readout = PartsLabel(" · ", objectName="pruning_readout")
        self.chart = PruningChart()
        self.model = PruningModel(self)
        self.table = TableView("pruning_table", "Trees by method and by size; Enter puts one on the canvas", self.model)
        _set_up_table(self.table)
        self.form = OptionsForm()
        self.empty = pages.empty(name="pruning_empty")
        self._lay_out()

    def _lay_out(self) -> None:
        controls = QHBoxLayout()
        controls.setSpacing(8)
        for widget in (self.method, self.compute, self.measure, self.log):
            controls.addWidget(widget)
        controls.addStretch(1)
        controls.addWidget(self.options)
        controls.addWidget(self.copy)
        self.side = QStackedWidget()
        self.side.addWidget(self.table)
        self.side.addWidget(self.form)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.chart)
        split.addWidget(self.side)
        split.setStretchFactor(0, 1)
        split.setSizes([640, 320])
        split.setChildrenCollapsible(False)
        full = QWidget()
        inner = QVBoxLayout(full)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(3)
        said = fill(QHBoxLayout(), (self.readout, 1), self.keep, spacing=-1)
        inner.addLayout(said)
        inner.addWidget(self.legend)
        inner.addWidget(split, 1)
        self.pages = QStackedWidget()
        self.pages.addWidget(full)
        self.pages.addWidget(self.empty)
        fill(QVBoxLayout(self), controls, (self.pages, 1), margins=(8, 8, 8, 0))

    def show_answer(self, keep: bool | None) -> None:
        """Shows whether hand-made splits are kept; undecided (None) the box is neither ticked nor empty."""
        self.keep.setCheckState(STATES[keep])
        self.keep.setTristate(keep is None)  # no click brings that state back: whoever clicks has decided
        self.keep.setToolTip(verbatim.tip(UNDECIDED if keep is None else KEEP))

    def add_method(self, name: str, label: str, sentence: str, usable: bool) -> None:
        """Lists a method, greyed if it is not usable; the sentence says what it does or why it cannot."""
        self.method.addItem(label, name)
        row = self.method.count() - 1
        self.method.setItemData(row, sentence, SENTENCE)
        self.method.setItemData(row, verbatim.tip(sentence), Qt.ItemDataRole.ToolTipRole)
        items = self.method.model()
        assert isinstance(items, QStandardItemModel)
        items.item(row).setEnabled(usable)


def _list(name: str, spoken: str) -> ElidedCombo:
    made = named(ElidedCombo(), name, spoken)
    made.setSizeAdjustPolicy(ElidedCombo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(10)
    made.setMaxVisibleItems(14)
    made.view().setItemDelegate(Sentences(made))
    made.view().setMinimumWidth(LIST_WIDTH)
    return made


def _set_up_table(view: TableView) -> None:
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    view.horizontalHeader().setResizeContentsPrecision(MEASURED)
    view.horizontalHeader().setStretchLastSection(True)
    view.setMinimumWidth(180)


class PruningPanel(PruningLayout):
    """Chooses a method, draws what all of them make of the tree, and puts any of these trees on the canvas."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._cutback = document.cutback
        self._yardstick = Yardstick(document, self._redraw)
        self._rows = Rows(self._cutback, self._yardstick)
        self._drawing: Drawing | None = None
        self._followed: Point | None = None  # the tree that the table has scrolled to
        self._axis_chosen = False  # by a person; before, large trees bring the log axis
        self._lacked = False  # whether the chosen method was waiting for a rule
        self._pointed: Point | None = None  # the tree that the mouse or the keys point at in the chart
        self.hover = Hover(document, self.chart, self)
        self._connect()
        self._on_table_changed()

    def _connect(self) -> None:
        document = self._document
        document.tableChanged.connect(self._on_table_changed)
        document.treeChanged.connect(self._refresh)
        document.pruningChanged.connect(self._on_pruning_changed)
        theme.watcher().changed.connect(self._redraw)
        self.method.currentIndexChanged.connect(self._explain_method)
        self.method.activated.connect(self._on_method_chosen)
        self.measure.activated.connect(self._on_metric_chosen)
        self.compute.clicked.connect(self._on_compute)
        self.log.toggled.connect(self._on_axis_chosen)
        self.options.toggled.connect(self._show_side)
        self.form.told.connect(self._cutback.tell)
        self.keep.clicked.connect(self._cutback.keep_by_hand)
        self.copy.clicked.connect(lambda: self.table.copy_rows(range(self.model.rowCount())))
        self.chart.hovered.connect(self._on_hovered)
        self.chart.picked.connect(self.hover.pick)
        self.chart.picked.connect(self._cutback.show_point)
        self.table.clicked.connect(lambda index: self._on_row_clicked(index))
        self.table.activated.connect(self._on_row_activated)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._cutback.compare(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._cutback.compare(False)
        self.hover.leave()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()

    # -- the lists

    def _on_table_changed(self) -> None:
        """Fills the lists; methods that cannot work on this table are greyed and say why."""
        document, table = self._document, self._document.table
        chosen = self.method.currentData() or self._cutback.usual_method
        self.method.clear()
        if table is not None:
            for name, method in engine.METHODS.items():
                lacking = why_not(name, table)
                self.add_method(name, method.label, lacking or method.explanation, usable=not lacking)
            self._choose_method(chosen)
        self._fill_metrics()
        self._yardstick.forget()
        self._refresh()
        self.measure.setEnabled(document.tree is not None)

    def _fill_metrics(self) -> None:
        """The metrics of this tree; one that was chosen instead of the usual one stays where it can."""
        tree = self._document.tree
        names = pruning_metric.offered(tree) if tree is not None else []
        if [self.measure.itemData(i) for i in range(self.measure.count())] == names:
            return
        was, usual = self.measure.currentData(), self.measure.itemData(0)
        wanted = names[0] if names and was == usual else was  # another tree may be pruned by another one
        self.measure.clear()
        for name in names:
            self.measure.addItem(METRICS[name].label, name)
            self.measure.setItemData(self.measure.count() - 1, METRICS[name].explanation, SENTENCE)
        self.measure.setCurrentIndex(max(0, self.measure.findData(wanted)) if names else -1)
        self._yardstick.metric = self.measure.currentData() or ""

    def _choose_method(self, wanted: str | None) -> None:
        items = self.method.model()
        assert isinstance(items, QStandardItemModel)
        usable = [row for row in range(self.method.count()) if items.item(row).isEnabled()]
        row = self.method.findData(wanted) if wanted is not None else -1
        self.method.setCurrentIndex(row if row in usable else usable[0] if usable else -1)

    def _explain_method(self) -> None:
        """Says of the closed list what the chosen method does."""
        self.method.setToolTip(verbatim.tip(str(self.method.currentData(SENTENCE) or "")))
        self._show_options()

    def _show_options(self) -> None:
        method = self.method.currentData() or ""
        self.form.show_method(method, self._cutback.options.get(method, {}))
        self.options.setEnabled(bool(method) and bool(engine.METHODS[method].options))
        self._show_side()

    def _show_side(self) -> None:
        on = self.options.isChecked() and self.options.isEnabled()
        self.side.setCurrentWidget(self.form if on else self.table)

    def _on_method_chosen(self) -> None:
        """With a chart in sight the chosen method is computed at once; before, Compute begins."""
        if self._cutback.compared:
            self._on_compute()

    def _on_metric_chosen(self) -> None:
        self._yardstick.metric = self.measure.currentData() or ""
        self._redraw()

    def _on_axis_chosen(self) -> None:
        self._axis_chosen = True
        self._redraw()

    def _on_compute(self) -> None:
        self._cutback.open(self.method.currentData())

    # -- the chart

    def _on_pruning_changed(self) -> None:
        if self._cutback.method:
            self._choose_method(self._cutback.method)
        lacks = lacks_rule(self._cutback.method, self._cutback.options)
        if lacks and not self._lacked:
            self.options.setChecked(True)
        self._lacked = lacks
        self._show_options()
        self._redraw()

    def _refresh(self) -> None:
        """Shows the chart, or in words why there is none."""
        document = self._document
        reason = why_empty(document)
        self.empty.setText(reason)
        self.pages.setCurrentIndex(1 if reason else 0)
        self.method.setEnabled(document.tree is not None)
        self.compute.setEnabled(document.tree is not None and document.tree.n_leaves > 1)
        self.compute.setVisible(not self._cutback.compared)
        self.compute.setText("Compute" if reason else "All methods")  # after Go there is a chart of its own trees
        for widget in (self.log, self.readout, self.measure, self.options):
            widget.setVisible(not reason)
        self.copy.setVisible(not reason and self.width() >= WITH_COPY)
        self.keep.setVisible(self._cutback.n_by_hand > 0)
        self.show_answer(self._cutback.answer)
        if not reason and self._drawing is not None:
            self._mark_canvas()
        elif reason:
            self.hover.leave()

    def _redraw(self) -> None:
        """Draws what is known now; what the metric wants is asked for."""
        cutback, yardstick = self._cutback, self._yardstick
        self._fill_metrics()
        if cutback.base is not None:
            yardstick.ask(cutback.base, to_measure(cutback))
        else:
            yardstick.forget()
            self.hover.forget()
        self._drawing = drawing(cutback, yardstick)
        if self._drawing is not None and not self._axis_chosen:
            with QSignalBlocker(self.log):
                self.log.setChecked(float(self._drawing.sizes()[1]) >= MANY_LEAVES)
        self._followed = None
        line = cutback.line
        method = line[0] if line is not None else cutback.method
        rows = self._rows.entries()
        self.model.show(rows, yardstick.label, yardstick.by_share, self._usual, method)
        known = [row.step for row in rows if row.step is not None]
        self.table.setColumnHidden(VALIDATION, all(math.isnan(step.validation_error) for step in known))
        unknown = all(math.isnan(step.cv_error) for step in known)
        self.table.setColumnHidden(CROSS, unknown or not self._as_pruned)  # it is of errors, whatever the others are
        self.chart.draw(self._drawing, self.log.isChecked())
        self._pointed = self._pointed if self._step(self._pointed) is not None else None
        self.chart.highlight(self._pointed)
        self.hover.enter(self._pointed, self._lines(self._pointed))
        self._refresh()

    def _mark_canvas(self) -> None:
        assert self._drawing is not None and self._document.tree is not None
        low = self.height() < WITH_LEGEND
        full, short = (pruning_words.legend(self._document, self._drawing, short) for short in (False, True))
        self.legend.setText(short if low else full)  # here because the number of uses rises with edits
        self.legend.setToolTip(full if low else "")
        # While steps are still being computed, the keys are ahead of the canvas: leave them where they are.
        point = None if self._document.editing else self._point
        self.chart.mark_canvas(self._document.tree.n_leaves, point)
        self.model.mark_canvas(self._point)
        self._follow(self._point)
        self._say(self._pointed)

    @property
    def _point(self) -> Point | None:
        """The tree on the canvas, as one of the curves where it is one."""
        point, line = self._cutback.point, self._cutback.line
        if point is not None and line is not None and point.step == 0:
            return Point(line[0], 0)
        return point

    def _follow(self, point: Point | None) -> None:
        """Brings the row of another tree into view and selects it."""
        rows = self.model.rows_of(point)
        if rows and point != self._followed:
            index = self.model.index(rows[0], LEAVES)
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index)
        self._followed = point

    @property
    def _usual(self) -> str:
        """The metric of the steps, the cross-validated figures too."""
        base = self._cutback.base
        return pruning_metric.usual(base.tree) if base is not None else "error"

    @property
    def _as_pruned(self) -> bool:
        base = self._cutback.base
        return base is None or self._yardstick.measures_as_pruned(base.tree)

    # -- what is pointed at

    def _on_hovered(self, point: Point | None) -> None:
        self._pointed = point
        self.chart.highlight(point)
        self._say(point)
        self.hover.enter(point, self._lines(point))

    def _step(self, point: Point | None) -> Step | None:
        rows = self.model.rows_of(point)
        return self.model.record(rows[0]).step if rows else None

    def _lines(self, point: Point | None) -> list[str]:
        """What stands below the outline of a tree: who chooses it, its size, its figures."""
        step, yardstick = self._step(point), self._yardstick
        if step is None or point is None or self._drawing is None:
            return []
        marker = next((one for one in self._drawing.markers if point in one.points), None)
        lines = [pruning_words.leaves_words(step.leaves)]
        if marker is not None:
            lines.insert(0, ", ".join(marker.names))
        entry = self.model.record(self.model.rows_of(point)[0])
        figures = (("training", entry.train), ("validation", entry.validation))
        lines += [f"{yardstick.noun}, {name} rows: {yardstick.text(x)}" for name, x in figures if x == x]
        return lines

    def _say(self, point: Point | None) -> None:
        cutback = self._cutback
        sequence = cutback.sequence
        if point is not None and self._step(point) is not None:
            self.readout.setText(self._figures_of(point))
        elif sequence is not None:
            doubt = f" · {pruning_words.doubt(sequence.remark)}" if sequence.remark else ""
            self.readout.setText(f"Chosen: {self._figures_of(Point(cutback.method, sequence.chosen))}{doubt}")
            self.readout.setToolTip(verbatim.tip(sequence.remark))
        else:
            self.readout.setText(cutback.error or "")

    def _figures_of(self, point: Point) -> str:
        """The size and the figures of a tree, by the metric of the chart."""
        rows = self.model.rows_of(point)
        if not rows:
            return ""
        entry, yardstick = self.model.record(rows[0]), self._yardstick
        price = price_words(point.method, self._usual)[0].lower()
        if self._as_pruned:
            assert entry.step is not None
            return step_words(entry.step, self._usual == "error", price)
        return pruning_words.metric_words(entry, yardstick.label, yardstick.text, price)

    def _on_row_clicked(self, index: QModelIndex) -> None:
        point = self.model.record(index.row()).point
        self.chart.highlight(point)
        self._say(point)

    def _on_row_activated(self, index: QModelIndex) -> None:
        point = self.model.record(index.row()).point
        if point is not None:
            self._cutback.show_point(point)
