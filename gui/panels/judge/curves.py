"""The panel Curves: charts of how well the tree ranks the rows, keeps its promises, or predicts numbers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QWidget

from engine.runtime.sentences import tr
from gui import theme
from gui.model.document import Document
from gui.panels.judge import curve_chart
from gui.panels.judge.charts import offered
from gui.panels.judge.curve_chart import CurveChart
from gui.panels.judge.judged import JudgedPanel
from gui.widgets import plotting, verbatim
from gui.widgets.building import Reaction, below, fill, later, named, tool_button, yielding
from gui.widgets.fields import PAUSE, ElidedCombo, refill, short_list
from gui.widgets.labels import quiet

LOW, WIDE = 18, 50  # lines; in less height a chart has no sentence, from this width on there are two
SECOND = {"classes": "calibration", "number": "residuals"}  # what the second chart begins with


class CurvesPanel(JudgedPanel):
    """Shows what `document.assessing` found while it is seen."""

    def __init__(self, document: Document) -> None:
        super().__init__(document, "curves")
        self._build()
        for signal in (document.treeChanged, document.tableChanged, document.selectionChanged, document.testOpened,
                       document.focusChanged, document.assessing.changed, document.judging.changed,
                       theme.watcher().changed):  # fmt: skip
            signal.connect(self._refresh)
        document.assessing.tried.connect(self._show_threshold)
        Reaction(self, self._refresh, QEvent.Type.Show, QEvent.Type.Resize, QEvent.Type.FontChange)
        self._refresh()

    def _build(self) -> None:
        self.focus = short_list("curves_class", tr("Class against the rest"), letters=5, activated=self._on_class)
        self.keys = yielding(verbatim.label(objectName="curves_keys"))
        self.keys.setTextFormat(Qt.TextFormat.RichText)
        self.kinds = [self._kind(k) for k in range(2)]
        self.charts = [CurveChart(f"curves_chart_{k}") for k in range(2)]
        self.said = [quiet(name=f"curves_sentence_{k}") for k in range(2)]
        pairs = zip(self.charts, self.said, strict=True)
        self.columns = [below((chart, 1), said, spacing=4) for chart, said in pairs]
        for said in self.said:
            said.setMinimumWidth(1)
        self.least = named(QDoubleSpinBox(maximum=100.0, decimals=2, suffix=" %"), "curves_threshold",
                           tr("Threshold"), keyboardTracking=False, valueChanged=self._on_typed)  # fmt: skip
        self.from_ = verbatim.label()
        self.reset = tool_button("curves_reset", tr("Reset"), tip=tr("The majority, or the costs, decide again"),
                                 clicked=self._assessing.reset_threshold)  # fmt: skip
        self.threshold = QWidget()
        fill(QHBoxLayout(self.threshold), self.from_, self.least, self.reset, spacing=4)
        self._rest = later(self, self._assessing.take_threshold, PAUSE)
        for chart in self.charts:
            chart.moved.connect(self._on_moved)
            chart.let_go.connect(self._assessing.take_threshold)
        boxes = ((box, 2) for box in (self.branch, self.focus, *self.kinds))
        controls = fill(QHBoxLayout(), *boxes, spacing=8)
        both = fill(QHBoxLayout(), *((column, 1) for column in self.columns), spacing=12)
        keys = fill(QHBoxLayout(), (self.keys, 1), self.threshold, spacing=8)
        self._put(below(controls, keys, (both, 1), spacing=4))

    def _kind(self, k: int) -> ElidedCombo:
        return named(ElidedCombo(8), f"curves_kind_{k}", tr("Chart"), activated=self._refresh)

    def _on_class(self) -> None:
        self._document.set_focus(self.focus.currentIndex())

    def _on_moved(self, value: float) -> None:
        """Moves the threshold; it holds after a moment of rest, or when the mouse lets it go."""
        self._assessing.try_threshold(value)
        if any(chart.marker is not None and chart.marker.moving for chart in self.charts):
            self._rest.stop()
        else:
            self._rest.start()

    def _on_typed(self, percent: float) -> None:
        self._assessing.try_threshold(percent / 100)
        self._assessing.take_threshold()

    def _show_threshold(self) -> None:
        value, tree = self._assessing.threshold, self._document.tree
        self.threshold.setVisible(value is not None)
        if value is None or tree is None:
            return
        self.from_.setText(tr("{name} from", name=plotting.short(tree.classes[self._document.focus_class])))
        with QSignalBlocker(self.least):
            self.least.setValue(100 * value)
        self.reset.setEnabled(tree.leaf_rule.threshold is not None or self._assessing.trial is not None)
        for chart in self.charts:
            chart.show_threshold(value)

    def _refresh(self, *_: object) -> None:
        document, assessing = self._document, self._assessing
        self._ask()
        fits = assessing.with_folds(assessing.fits)
        if (tree := self._judged(fits)) is None:
            return
        focus = document.focus_class
        refill(self.focus, dict(enumerate(tree.classes)), focus)
        self.focus.setVisible(len(tree.classes) > 1)
        label = tree.classes[focus] if tree.task == "classes" else ""
        self.keys.setText(curve_chart.keys(fits, label, assessing.sure))
        low = self.height() < LOW * self.fontMetrics().height()
        for widget in (self.columns[1], self.kinds[1]):
            widget.setVisible(self.width() > WIDE * self.fontMetrics().height())
        kinds = offered(tree)
        for k, (box, chart, said) in enumerate(zip(self.kinds, self.charts, self.said, strict=True)):
            usual = SECOND[tree.task] if k else "profit" if "profit" in kinds else next(iter(kinds))
            kind = box.currentData() if box.currentData() in kinds else usual
            refill(box, kinds, kind)
            if self.columns[k].isVisibleTo(self):
                chart.show_fits(fits, kind, label, assessing.threshold)
                text = curve_chart.sentence(kind, label, chart.curves)
                chart.setAccessibleDescription(text)
                said.setText(text)
                box.setToolTip(verbatim.tip(text))
            said.setVisible(not low)
        self._show_threshold()
