"""What the pruning panel is made of, and where it stands."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gui.panels.data.search_settings.controls import LIST_WIDTH, SENTENCE, Sentences
from gui.panels.prune.chart import PruningChart
from gui.panels.prune.model import PruningModel
from gui.panels.prune.options import OptionsForm
from gui.widgets import pages, verbatim
from gui.widgets.elided_combo import ElidedCombo
from gui.widgets.parts_label import PartsLabel
from gui.widgets.tables import calm

KEEP = "No pruning takes away splits that were made by hand, or the splits above them"
UNDECIDED = "Undecided: before a pruning takes hand-made splits away, you are asked once whether to keep them"
STATES = {
    None: Qt.CheckState.PartiallyChecked, True: Qt.CheckState.Checked, False: Qt.CheckState.Unchecked
}  # fmt: skip
MEASURED = 40  # rows that say how wide the columns are


class PruningLayout(QWidget):
    """The controls above, the chart at the left, the table or the options at its right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pruning_panel")
        self.method = _list("pruning_method", "Pruning method")
        self.measure = _list("pruning_metric", "What the chart measures trees by")
        self.compute = QPushButton("Compute", objectName="pruning_compute")
        self.compute.setToolTip("Computes what every method can cut the present tree back to")
        self.log = QCheckBox("Log axis", objectName="pruning_log")
        self.keep = QCheckBox("Keep hand-made splits", objectName="pruning_keep_by_hand")
        self.options = QPushButton("Options", objectName="pruning_options_button", checkable=True)
        self.options.setToolTip("Shows what the chosen method may be told, in the place of the table")
        self.copy = QPushButton("Copy table", objectName="pruning_copy")
        self.legend = verbatim.label(objectName="pruning_legend", wordWrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.readout = PartsLabel(" · ", objectName="pruning_readout")
        self.chart = PruningChart()
        self.model = PruningModel(self)
        self.table = QTableView(objectName="pruning_table")
        self.table.setAccessibleName("Trees by method and by size; Enter puts one on the canvas")
        self.table.setModel(self.model)
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
        said = QHBoxLayout()
        said.addWidget(self.readout, 1)
        said.addWidget(self.keep)
        inner.addLayout(said)
        inner.addWidget(self.legend)
        inner.addWidget(split, 1)
        self.pages = QStackedWidget()
        self.pages.addWidget(full)
        self.pages.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 0)
        layout.setSpacing(4)
        layout.addLayout(controls)
        layout.addWidget(self.pages, 1)

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
    made = ElidedCombo(objectName=name)
    made.setAccessibleName(spoken)
    made.setSizeAdjustPolicy(ElidedCombo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(10)
    made.setMaxVisibleItems(14)
    made.view().setItemDelegate(Sentences(made))
    made.view().setMinimumWidth(LIST_WIDTH)
    return made


def _set_up_table(view: QTableView) -> None:
    calm(view)
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    view.horizontalHeader().setResizeContentsPrecision(MEASURED)
    view.horizontalHeader().setStretchLastSection(True)
    view.setMinimumWidth(180)
