"""The pruning panel: how large a tree should be, on one chart; a click puts that tree on the canvas."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QHideEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

import engine
from engine.pruning import why_not
from engine.pruning.options import METRICS
from engine.runtime.sentences import tr
from gui import theme
from gui.model.document import Document
from gui.model.editing.pruning_choices import Point, lacks_rule
from gui.panels.prune import table as in_words
from gui.panels.prune.chart import PruningChart
from gui.panels.prune.drawing import Drawing, Yardstick, drawing, first_shown, offered, usual
from gui.panels.prune.hover import Hover
from gui.panels.prune.options import OptionsForm
from gui.panels.prune.table import ALPHA, CROSS, LEAVES, TRAINING, TREE, VALIDATION, PruningModel, entries
from gui.widgets import labels, verbatim
from gui.widgets.building import Reaction, below, empty_page, fill, named, side_by_side, stacked
from gui.widgets.buttons import Button
from gui.widgets.fields import SENTENCE, ExplainedList
from gui.widgets.labels import PartsLabel
from gui.widgets.tables import TableView, stretch
from gui.wording import phrases

MEASURED = 40  # rows that say how wide the columns are
MANY_LEAVES = 60  # from which on the small trees need the room that a log axis gives them
WITH_LEGEND = 19  # lines; in a lower panel the chart needs the room of all but one line of it
WITH_COPY = 41  # lines; in a narrower panel figures need the room of that button, and Ctrl+C copies too
WITH_TABLE = 29  # lines; in a narrower panel the chart needs the room of the table
NAMES = 6  # lines; the room of the methods' names in the table


class StepsTable(TableView):
    """Shows as many columns as have room beside the names: a hidden one is copied all the same."""

    def fit(self) -> None:
        model, line = self.model(), self.fontMetrics().height()
        assert isinstance(model, PruningModel)
        of = {VALIDATION: "validation", CROSS: "cv_error", ALPHA: "alpha"}
        room = self.viewport().width() - NAMES * line
        for section in (LEAVES, VALIDATION, TRAINING, CROSS, ALPHA):
            width = max(self.sizeHintForColumn(section), self.horizontalHeader().sectionSizeHint(section))
            known = section not in of or any(not math.isnan(getattr(one, of[section])) for one in model.records)
            fits = section == LEAVES or (width <= room and (section != CROSS or model.judged_alike))
            room -= width if known and fits else 0
            self.setColumnHidden(section, not (known and fits))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


class PruningPanel(QWidget):
    """Chooses a method, draws what all of them make of the tree, and puts any of these trees on the canvas."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("pruning_panel")
        self._document, self._cutback = document, document.cutback
        self._yardstick = Yardstick(document, self._redraw)
        self._first = ""  # the metric that the chart begins with
        self._drawing: Drawing | None = None
        self._followed: Point | None = None  # the tree that the table has scrolled to
        self._axis_chosen = False  # by a person; before, large trees bring the log axis
        self._lacked = False  # whether the chosen method was waiting for a rule
        self._pointed: Point | None = None  # the tree that the mouse or the keys point at in the chart
        self._build()
        self.hover = Hover(document, self.chart, self)
        document.tableChanged.connect(self._on_table_changed)
        document.treeChanged.connect(self._refresh)
        document.ranking.changed.connect(self._refresh)
        document.pruningChanged.connect(self._on_pruning_changed)
        document.judging.changed.connect(self._redraw)
        theme.watcher().changed.connect(self._redraw)
        self.method.currentIndexChanged.connect(self._show_options)
        self.method.activated.connect(self._on_method_chosen)
        self.measure.activated.connect(self._on_metric_chosen)
        self.log.toggled.connect(self._on_axis_chosen)
        self.options.toggled.connect(self._show_side)
        self.form.told.connect(self._cutback.tell)
        self.chart.hovered.connect(self._on_hovered)
        self.chart.picked.connect(self.hover.pick)
        self.chart.picked.connect(self._cutback.show_point)
        self.table.clicked.connect(self._on_row_chosen)
        self.table.activated.connect(self._on_row_chosen)
        Reaction(self, self._refresh, QEvent.Type.Resize)
        Reaction(self, self._redraw, QEvent.Type.FontChange)
        Reaction(self, lambda: self._cutback.compare(True), QEvent.Type.Show)
        self._on_table_changed()

    def _build(self) -> None:
        self.method = named(ExplainedList(), "pruning_method", tr("Pruning method"))
        self.measure = named(ExplainedList(), "pruning_metric", tr("What the chart measures trees by"))
        tip = tr("Computes what every method can cut the present tree back to")
        self.compute = named(Button(tr("Compute")), "pruning_compute", tip=tip, clicked=self._on_compute)
        self.log = named(QCheckBox(tr("Log axis")), "pruning_log")
        self.keep = named(QCheckBox(tr("Keep hand-made splits")), "pruning_keep_by_hand",
                          clicked=self._cutback.keep_by_hand)  # fmt: skip
        tip = tr("Shows the options of the chosen method in place of the table")
        self.options = named(Button(tr("Options")), "pruning_options_button", tip=tip, checkable=True)
        self.copy = named(Button(tr("Copy table")), "pruning_copy", clicked=self._on_copy)
        self.legend = verbatim.label(objectName="pruning_legend", wordWrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.readout = PartsLabel(" · ", objectName="pruning_readout")
        self.formula = PartsLabel(" = ", objectName="pruning_formula")
        self.chart, self.model = PruningChart(), PruningModel(self)
        spoken = tr("Trees by method and by size; a click or Enter puts one on the canvas")
        self.table = StepsTable("pruning_table", spoken, self.model)
        stretch(self.table.horizontalHeader(), TREE)
        self.table.horizontalHeader().setResizeContentsPrecision(MEASURED)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setMinimumWidth(205)  # names, leaves and validation
        self.form = OptionsForm()
        self.empty = empty_page(name="pruning_empty")
        chosen = (self.method, self.compute, self.measure, self.log)
        controls = fill(QHBoxLayout(), *chosen, 0, self.options, self.copy, spacing=8)
        self.side = stacked(self.table, self.form)
        drawn = below((self.chart, 1), self.formula, spacing=0)
        said = fill(QHBoxLayout(), (self.readout, 1), self.keep, spacing=-1)
        both = side_by_side((drawn, 560, 56), (self.side, 440, 44))
        self.pages = stacked(below(said, self.legend, (both, 1), spacing=3), self.empty)
        fill(QVBoxLayout(self), controls, (self.pages, 1), margins=(8, 8, 8, 0))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._cutback.compare(False)
        self.hover.leave()

    def _on_table_changed(self) -> None:
        document, table = self._document, self._document.table
        chosen = self.method.currentData() or self._cutback.usual_method
        self.method.clear()
        if table is not None:
            for name, method in engine.METHODS.items():
                lacking = why_not(name, table)
                self.method.offer(method.label, name, lacking or method.explanation, usable=not lacking)
            self._choose_method(chosen)
        self._fill_metrics()
        self._yardstick.forget()
        self._refresh()
        self.measure.setEnabled(document.tree is not None)

    def _fill_metrics(self) -> None:
        """The metrics of this tree; one that was chosen instead of the usual one stays where it can."""
        tree = self._document.tree
        names = offered(tree) if tree is not None else []
        if [self.measure.itemData(i) for i in range(self.measure.count())] == names:
            return
        was, first = self.measure.currentData(), first_shown(tree) if tree is not None else ""
        wanted = first if was in (None, self._first) else was  # another tree may be pruned by another
        self._first = first
        self.measure.clear()
        for name in names:
            self.measure.offer(METRICS[name].label, name, METRICS[name].explanation)
        self.measure.setCurrentIndex(max(0, self.measure.findData(wanted)) if names else -1)
        self._yardstick.metric = self.measure.currentData() or ""

    def _choose_method(self, wanted: str | None) -> None:
        row = self.method.findData(wanted) if wanted is not None else -1
        usable = filter(self.method.is_usable, (row, *range(self.method.count())))
        self.method.setCurrentIndex(next(usable, -1))

    def _show_options(self) -> None:
        self.method.setToolTip(verbatim.tip(str(self.method.currentData(SENTENCE) or "")))
        method = self.method.currentData() or ""
        self.form.show_method(method, self._cutback.options.get(method, {}))
        self.options.setEnabled(bool(method) and bool(engine.METHODS[method].options))
        self._show_side()

    def _show_side(self) -> None:
        on = self.options.isChecked() and self.options.isEnabled()
        self.side.setCurrentWidget(self.form if on else self.table)
        self.side.setVisible(on or self.width() >= WITH_TABLE * self._line)

    @property
    def _line(self) -> int:
        """Pixels of a line of words, which grow with the text size."""
        return QFontMetrics(QGuiApplication.font()).height()

    def _on_compute(self) -> None:
        self._cutback.open(self.method.currentData())

    def _on_method_chosen(self) -> None:
        """With a chart in sight the chosen method is computed at once; before, Compute begins."""
        if self._cutback.compared:
            self._on_compute()

    def _on_copy(self) -> None:
        self.table.copy_rows(range(self.model.rowCount()))

    def _on_metric_chosen(self) -> None:
        self._yardstick.metric = self.measure.currentData() or ""
        self._redraw()

    def _on_axis_chosen(self) -> None:
        self._axis_chosen = True
        self._redraw()

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
        tree, cutback, reason = self._document.tree, self._cutback, in_words.why_empty(self._document)
        self.empty.setText(reason)
        self.pages.setCurrentIndex(1 if reason else 0)
        self.method.setEnabled(tree is not None)
        self.compute.setEnabled(tree is not None and tree.n_leaves > 1)
        self.compute.setVisible(not cutback.compared)
        self.compute.setText(tr("Compute") if reason else tr("All methods"))  # after Go there is a chart of its trees
        for widget in (self.log, self.readout, self.measure, self.options):
            widget.setVisible(not reason)
        self.copy.setVisible(not reason and self.width() >= WITH_COPY * self._line)
        self._show_side()
        self.keep.setVisible(cutback.n_by_hand > 0)
        answer, box = cutback.answer, Qt.CheckState  # None: undecided, the box is neither ticked nor empty
        self.keep.setCheckState({None: box.PartiallyChecked, True: box.Checked, False: box.Unchecked}[answer])
        self.keep.setTristate(answer is None)  # no click brings that state back: whoever clicks has decided
        undecided = tr("Undecided: before pruning removes hand-made splits, you are asked once whether to keep them")
        kept = tr("Pruning keeps splits that were made by hand, and the splits above them")
        self.keep.setToolTip(verbatim.tip(undecided if answer is None else kept))
        if reason:
            self.hover.leave()
        elif self._drawing is not None:
            self._mark_canvas()

    def _redraw(self) -> None:
        """Draws what is known now; what the metric wants is asked for."""
        cutback, yardstick = self._cutback, self._yardstick
        self._fill_metrics()
        if cutback.base is not None:
            yardstick.ask(cutback)
        else:
            yardstick.forget()
            self.hover.forget()
        self._drawing = drawing(cutback, yardstick, self._document.judging.forest)
        if self._drawing is not None and not self._axis_chosen:
            with QSignalBlocker(self.log):
                self.log.setChecked(float(self._drawing.sizes()[1]) >= MANY_LEAVES)
        self._followed = None
        method = cutback.line[0] if cutback.line is not None else cutback.method
        pruned_by = usual(cutback.base.tree) if cutback.base is not None else "error"
        self.model.show(entries(cutback, yardstick), yardstick.metric or pruned_by, pruned_by, method)
        self.table.fit()
        self.chart.draw(self._drawing, self.log.isChecked())
        self._pointed = self._pointed if self.model.entry_of(self._pointed) is not None else None
        self.chart.highlight(self._pointed)
        self.hover.enter(self._pointed, self._lines(self._pointed))
        self._refresh()

    def _mark_canvas(self) -> None:
        assert self._drawing is not None and self._document.tree is not None
        low = self.height() < WITH_LEGEND * self._line or self.width() < WITH_TABLE * self._line
        full, short = (in_words.legend(self._document, self._drawing, short) for short in (False, True))
        self.legend.setText(short if low else full)  # here because the number of uses rises with edits
        self.legend.setToolTip(full if low else "")
        point, line = self._cutback.point, self._cutback.line
        if point is not None and line is not None and point.step == 0:  # the whole tree is one of the curves, too
            point = Point(line[0], 0)
        # While steps are still being computed, the keys are ahead of the canvas: leave them where they are.
        self.chart.mark_canvas(self._document.tree.n_leaves, None if self._document.edits.running else point)
        self.model.mark_canvas(point)
        rows = self.model.rows_of(point)
        if rows and point != self._followed:  # the row of another tree comes into view, selected
            index = self.model.index(rows[0], LEAVES)
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index)
        self._followed = point
        self._say(self._pointed)

    def _on_hovered(self, point: Point | None) -> None:
        self._pointed = point
        self._mark(point)
        self.hover.enter(point, self._lines(point))

    def _mark(self, point: Point | None) -> None:
        self.chart.highlight(point)
        self._say(point)

    def _lines(self, point: Point | None) -> list[str]:
        entry, yardstick = self.model.entry_of(point), self._yardstick
        if entry is None or entry.step is None or self._drawing is None:
            return []
        marker = next((one for one in self._drawing.markers if point in one.points), None)
        lines = [", ".join(marker.names)] if marker is not None else []
        lines.append(phrases.leaves(entry.step.leaves))
        said = {"error": yardstick.noun}
        if not math.isnan(entry.train):
            lines.append(tr("{error}, training rows: {figure}", **said, figure=yardstick.text(entry.train)))
        if not math.isnan(entry.validation):
            lines.append(tr("{error}, validation rows: {figure}", **said, figure=yardstick.text(entry.validation)))
        return lines

    def _say(self, point: Point | None) -> None:
        cutback, sequence, entry = self._cutback, self._cutback.sequence, self.model.entry_of(point)
        if point is not None and entry is not None:
            self.readout.setText(self._figures_of(point))
        elif sequence is not None:
            choice = cutback.choices.judged.get(cutback.method) if cutback.choices is not None else None
            alike = self._yardstick.measures_as_pruned(sequence.full)
            more = in_words.cost_of_choice(sequence, choice, self._yardstick.text) if alike else ""
            said = tr("Chosen: {figures}", figures=self._figures_of(Point(cutback.method, sequence.chosen), more))
            self.readout.setText(said + (f" · {in_words.doubt(sequence.remark)}" if sequence.remark else ""))
            worth = phrases.judged(choice, sequence.full) if choice is not None else ""
            self.readout.setToolTip(verbatim.tip("\n".join(filter(None, (sequence.remark, worth)))))
        else:
            self.readout.setText(cutback.error or "")
        formula = ""
        if sequence is not None and cutback.base is not None:
            trees = cutback.line[1] if cutback.line is not None and cutback.line[0] == cutback.method else sequence
            of_it = point is not None and point.method == cutback.method and point.step < len(trees.steps)
            step = point.step if point is not None and of_it else sequence.chosen
            formula = in_words.formula(trees, step, cutback.options.get(cutback.method, {}), cutback.base.table)
        labels.say(self.formula, formula)
        self.formula.setToolTip(verbatim.tip(formula))

    def _figures_of(self, point: Point, more: str = "") -> str:
        entry, yardstick, base = self.model.entry_of(point), self._yardstick, self._cutback.base
        label = "" if base is None or yardstick.measures_as_pruned(base.tree) else yardstick.label
        return in_words.tree_words(entry, yardstick.text, point.method, label, more) if entry is not None else ""

    def _on_row_chosen(self, index: QModelIndex) -> None:
        if (point := self.model.record(index.row()).point) is not None:
            self._mark(point)
            self._cutback.show_point(point)
