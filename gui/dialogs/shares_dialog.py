"""The impurity figure with any shares: what a split of a node would gain by every criterion, without a table."""

from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QDialog, QDoubleSpinBox, QGridLayout, QHBoxLayout, QPushButton, QSlider, QWidget

import engine
from engine.criteria import DEFAULT, drawn_criteria
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.panels.this_node.why.figure import Figure, Geometry, of_shares, share_of_first
from gui.widgets import verbatim
from gui.widgets.building import below, fill, named, side_by_side
from gui.widgets.labels import on_screen, quiet, stack
from gui.widgets.tables import Column, TableModel, TableView, stretch
from gui.wording import words

BEGIN = {"p": 0.2, "q": 0.5, "r": 0.9}
MEANINGS = {
    "p": marked("share of the class in the first branch"),
    "q": marked("share of the class in the node"),
    "r": marked("share of the class in the second branch"),
}
STEPS = 1000  # of a slider
PLACES = 3  # decimals of a share
WIDTH, HEIGHT = 900, 460  # pixels
ABOUT = marked(
    "A node of two classes, of which one has the share q, and its two branches, where it has the shares p and r; "
    "q lies between them. The drop is how far the chord lies below the curve."
)


class Drop(NamedTuple):
    """What one criterion makes of the shares: the impurity of node and branches, their mean, and the drop."""

    criterion: str
    node: float
    first: float
    second: float
    mean: float
    drop: float


class SharesDialog(QDialog):
    """Three shares to choose, the figure by one criterion, and the drops by all."""

    figureAsked = Signal(object)  # the figure is to be written. arg: the plot

    def __init__(self, begin: Geometry | None = None, parent: QWidget | None = None) -> None:
        """`begin`: the figure of two branches whose shares are there first."""
        super().__init__(parent)
        named(self, "shares_dialog").setWindowTitle(tr("Impurity of any p, q and r"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.shares = dict(BEGIN)
        if begin is not None:
            self.shares = {point.name: point.x for point in (begin.branches[0], begin.node, begin.branches[1])}
        self._criterion = begin.chosen if begin is not None else DEFAULT["classes"]
        self.figure = Figure()
        self.sentence = verbatim.label(objectName="shares_sentence", wordWrap=True)
        self.model = TableModel[Drop](self, self._columns())
        self.table = TableView("shares_table", tr("The drop by each criterion"), self.model, sortingEnabled=False,
                               selectionMode=TableView.SelectionMode.SingleSelection)  # fmt: skip
        stretch(self.table.horizontalHeader(), 0)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        export = named(QPushButton(tr("&Export the figure…")), "shares_export",
                       clicked=lambda: self.figureAsked.emit(self.figure))  # fmt: skip
        close = named(QPushButton(tr("&Close")), "shares_close", clicked=self.reject)
        told = below(quiet(tr(ABOUT)), self._controls(), self.sentence, (self.table, 1), spacing=12)
        parts = side_by_side((self.figure, 480, 3), (told, 420, 2))
        stack(self, (parts, 1), fill(QHBoxLayout(), export, 0, close, spacing=8))
        theme.watcher().changed.connect(self._on_theme_changed)
        self._show()
        self.resize(on_screen(self, WIDTH, HEIGHT))

    def _controls(self) -> QWidget:
        """A slider and a field for each share."""
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        self.sliders, self.fields = {}, {}
        for row, (name, meaning) in enumerate(MEANINGS.items()):
            spoken = f"{name}: {tr(meaning)}"
            slider = named(QSlider(Qt.Orientation.Horizontal), f"shares_{name}_slider", spoken, spoken, maximum=STEPS)
            field = QDoubleSpinBox(decimals=PLACES, maximum=1.0, singleStep=0.01)
            field.setLocale(QLocale.c())
            named(field, f"shares_{name}", spoken, spoken, keyboardTracking=False)
            slider.valueChanged.connect(lambda value, name=name: self._on_share(name, value / STEPS))
            field.valueChanged.connect(partial(self._on_share, name))
            label = verbatim.label(name)
            label.setBuddy(field)
            for column, widget in enumerate((label, slider, field)):
                grid.addWidget(widget, row, column)
            self.sliders[name], self.fields[name] = slider, field
        return box

    def _columns(self) -> list[Column[Drop]]:
        def figure(title: str, name: str, tip: str) -> Column[Drop]:
            return Column(title, lambda drop: words.gain(getattr(drop, name)), tip=tip)

        return [
            Column(tr("Criterion"), lambda drop: tr(engine.CRITERIA[drop.criterion].short), words=True,
                   explained=lambda drop: tr(engine.CRITERIA[drop.criterion].formula)),
            figure("i(q)", "node", tr("Impurity of the node")),
            figure("i(p)", "first", tr("Impurity of the first branch")),
            figure("i(r)", "second", tr("Impurity of the second branch")),
            figure(tr("branches"), "mean", tr("Mean impurity of the branches, each by its share of the rows")),
            figure(tr("drop"), "drop", tr("Impurity of the node less that of the branches")),
        ]  # fmt: skip

    def _on_share(self, name: str, value: float) -> None:
        """Takes a share; q gives way to the others, and stays between them."""
        self.shares[name] = value
        low, high = sorted((self.shares["p"], self.shares["r"]))
        self.shares["q"] = min(max(self.shares["q"], low), high)
        self._show()

    def _on_row(self) -> None:
        place = self.table.currentIndex().row()
        if place >= 0:
            self._criterion = self.model.record(place).criterion
            self._show()

    def _on_theme_changed(self) -> None:
        self.figure.forget()
        self._show()

    def _show(self) -> None:
        for name, share in self.shares.items():
            slider, field = self.sliders[name], self.fields[name]
            with QSignalBlocker(slider), QSignalBlocker(field):
                slider.setValue(round(share * STEPS))
                field.setValue(share)
        p, q, r = (self.shares[name] for name in "pqr")
        self.figure.show_geometry(of_shares(self._criterion, p, q, r))
        share = share_of_first(p, q, r)
        said = {"first": words.percent(share), "second": words.percent(1 - share)}
        self.sentence.setText(words.unbroken(tr("{first} of the rows go into the branch p, {second} into r.", **said)))
        drops = [_drop(name, p, q, r) for name in drawn_criteria()]
        with QSignalBlocker(self.table.selectionModel()):
            self.model.fill(drops)
            self.table.selectRow([drop.criterion for drop in drops].index(self._criterion))


def _drop(criterion: str, p: float, q: float, r: float) -> Drop:
    share = share_of_first(p, q, r)
    node, first, second = (engine.impurity(criterion, [x, 1.0 - x]) for x in (q, p, r))
    mean = share * first + (1.0 - share) * second
    return Drop(criterion, node, first, second, mean, max(node - mean, 0.0))
