"""The panel Curves: charts of how well the tree ranks the rows, keeps its promises, or predicts numbers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QWidget

from engine.runtime.sentences import tr
from gui import theme
from gui.model.document import Document
from gui.panels.judge import curve_chart
from gui.panels.judge.charts import offered
from gui.panels.judge.curve_chart import CurveChart
from gui.widgets import verbatim
from gui.widgets.building import Reaction, below, empty_page, fill, named, put_pages, yielding
from gui.widgets.fields import ElidedCombo, refill, short_list
from gui.widgets.labels import quiet

LOW, WIDE = 18, 50  # lines; in less height a chart has no sentence, from this width on there are two
SECOND = {"classes": "calibration", "number": "residuals"}  # what the second chart begins with


class CurvesPanel(QWidget):
    """Shows what `document.assessing` found while it is seen."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("curves_panel")
        self._document, self._assessing = document, document.assessing
        self._build()
        for signal in (document.treeChanged, document.tableChanged, document.selectionChanged, document.testOpened,
                       document.focusChanged, document.assessing.changed, theme.watcher().changed):  # fmt: skip
            signal.connect(self._refresh)
        Reaction(self, self._refresh, QEvent.Type.Show, QEvent.Type.Resize, QEvent.Type.FontChange)
        self._refresh()

    def _build(self) -> None:
        self.branch = short_list("curves_branch", tr("What is judged"), letters=8, activated=self._on_branch)
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
        boxes = ((box, 2) for box in (self.branch, self.focus, *self.kinds))
        controls = fill(QHBoxLayout(), *boxes, spacing=8)
        both = fill(QHBoxLayout(), *((column, 1) for column in self.columns), spacing=12)
        self.empty = empty_page(tr("Open a table: here the rows judge its tree."), "curves_empty")
        self.pages = put_pages(self, below(controls, self.keys, (both, 1), spacing=4), self.empty)
        if (layout := self.layout()) is not None:  # what has no room is shortened, or scrolls
            layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)

    def _kind(self, k: int) -> ElidedCombo:
        return named(ElidedCombo(8), f"curves_kind_{k}", tr("Chart"), activated=self._refresh)

    def _on_branch(self) -> None:
        self._assessing.judge_branch(bool(self.branch.currentData()))

    def _on_class(self) -> None:
        self._document.set_focus(self.focus.currentIndex())

    def _refresh(self, *_: object) -> None:
        document, assessing = self._document, self._assessing
        tree = document.tree
        if tree is not None and self.isVisible():
            assessing.ask()
        fits = assessing.fits
        self.pages.setCurrentIndex(0 if tree is not None and fits else 1)
        if assessing.error:
            self.empty.setText(assessing.error)
        if tree is None or not fits or not self.isVisible():
            return
        branch = tr("The branch of node {node}", node=document.selected)
        refill(self.branch, {False: tr("The whole tree"), True: branch}, assessing.branch)
        focus = document.focus_class
        refill(self.focus, dict(enumerate(tree.classes)), focus)
        self.focus.setVisible(len(tree.classes) > 1)
        label = tree.classes[focus] if tree.task == "classes" else ""
        self.keys.setText(curve_chart.keys(fits, label, assessing.sure))
        low = self.height() < LOW * self.fontMetrics().height()
        for widget in (self.columns[1], self.kinds[1]):
            widget.setVisible(self.width() > WIDE * self.fontMetrics().height())
        kinds = offered(tree.task)
        for k, (box, chart, said) in enumerate(zip(self.kinds, self.charts, self.said, strict=True)):
            usual = SECOND[tree.task] if k else next(iter(kinds))
            kind = box.currentData() if box.currentData() in kinds else usual
            refill(box, kinds, kind)
            if self.columns[k].isVisibleTo(self):
                chart.show_fits(fits, kind, label)
                text = curve_chart.sentence(kind, label, chart.curves)
                chart.setAccessibleDescription(text)
                said.setText(text)
                box.setToolTip(verbatim.tip(text))
            said.setVisible(not low)
