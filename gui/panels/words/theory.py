"""The panel Theory: what the theorems of the lecture notes promise of the tree on the canvas, with its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pyqtgraph as pg  # type: ignore[import-untyped]
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

import engine
from engine.runtime.sentences import marked, tr
from engine.search.choices import Choice, Option
from gui import theme
from gui.model.document import Document
from gui.model.jobs import words_for
from gui.panels.words import theory_words
from gui.panels.words.theory_words import PARTS, Chart, Said, View
from gui.widgets import plotting, verbatim
from gui.widgets.building import Reaction, below, empty_page, fill, named, put_pages, scrolling
from gui.widgets.fields import NumberBox, refill, short_list
from gui.widgets.labels import PartsLabel, folding_heading, grown, quiet, say
from gui.widgets.tables import Column, TableModel, TableView
from gui.wording.words import unbroken

if TYPE_CHECKING:  # loads pandas
    from engine.guarantees import Theory

KEY = "theory"
NARROW = 46  # lines; in a narrower panel the chart stands below the sentences
CHART, SHOWN = 150, 8  # pixels of a chart at usual letters; rows of a table, of more a part
WORDS, BESIDE = 9, 6  # lines of width that words have at least; pixels beside a cell
Line = tuple[tuple[str, ...], int | None]
FIELDS = {
    "delta": (0.05, Option("delta", "δ", "", "number", marked("How likely it may be that a promise does not hold."),
                           least=1e-12, most=0.999)),
    "epsilon": (0.1, Option("epsilon", "ε", "", "number", marked("The error that is asked for."),
                            least=1e-6, most=0.999)),
}  # fmt: skip
NUMERIC = marked("These promises are about errors, shares of the rows: they need a target of classes.")


class Asked(NamedTuple):
    """What the panel tells of."""

    tree: engine.Tree
    table: engine.Table
    delta: float
    epsilon: float
    focus: int


@dataclass
class Held:
    """What the two numbers are now; see `gui.widgets.fields.Holding`."""

    numbers: dict[str, float]

    def value(self, name: str) -> Any:
        return self.numbers[name]

    def choices(self, option: Option) -> list[Choice]:
        return []

    def refused(self, name: str, value: Any) -> str:
        return ""


class TheoryChart(plotting.UnhurriedPlot):
    """Curves by size or by split, with their names above them; the wheel scrolls what is around."""

    def __init__(self, name: str) -> None:
        self._left, across = plotting.ErrorAxis("left"), plotting.NumberAxis("bottom")
        across.whole = True
        super().__init__(axisItems={"left": self._left, "bottom": across})
        plotting.set_up(self, name, tr("Curves"))
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.setMinimumWidth(1)
        self.key = verbatim.label(objectName=f"{name}_key", wordWrap=True)
        self.key.setTextFormat(Qt.TextFormat.RichText)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def draw(self, chart: Chart) -> None:
        now, line = theme.current(), Qt.PenStyle
        looks = {
            theory_words.TRAINING: (now.training, 1.5, line.DashLine, "╌╌"),
            theory_words.VALIDATION: (now.validation, 2.0, line.SolidLine, "━━"),
            theory_words.PROMISED: (now.positive, 2.0, line.SolidLine, "━━"),
            theory_words.PART: (now.secondary, 1.5, line.DotLine, "┈┈"),
        }
        plotting.restyle(self)
        self.clear()
        self._left.by_share = chart.by_share
        plotting.name_axis(self.getAxis("bottom"), chart.across)
        order = chart.x.argsort(kind="stable")
        for curve in chart.curves:
            colour, width, style, _ = looks[curve.kind]
            x, y = plotting.decimate(chart.x[order], curve.y[order])
            pen = plotting.pen(colour, width, style)
            self.addItem(pg.PlotCurveItem(x, y, pen=pen, antialias=True, connect="finite"))
            if x.size < 40:
                self.addItem(pg.ScatterPlotItem(x, y, size=5, pen=None, brush=plotting.brush(colour)))
        if chart.mark is not None:
            self.addItem(pg.InfiniteLine(chart.mark, 90, plotting.pen(now.text, 1, line.DotLine)), ignoreBounds=True)
        self.getViewBox().autoRange(padding=0.06)
        pieces = [(one.name, *looks[one.kind]) for one in chart.curves]
        keys = [plotting.key(ink.name(), name, piece, whole=True) for name, ink, _, _, piece in pieces]
        if chart.mark is not None:
            keys.append(plotting.key(now.text.name(), tr("least"), "┊", whole=True))
        self.key.setText(" &nbsp; ".join(keys))
        self.setAccessibleDescription(", ".join(one.name for one in chart.curves))
        self.setFixedHeight(grown(CHART, self.fontMetrics()))
        self.paint_later()


class TheoryTable(TableView):
    """The first column takes the room that the others leave, but never less than a few letters: then it scrolls."""

    def fit(self) -> None:
        head, rows = self.horizontalHeader(), min(self.model().rowCount(), SHOWN)
        widths = [
            max(self.sizeHintForColumn(k), head.sectionSizeHint(k)) + BESIDE for k in range(self.model().columnCount())
        ]
        least = min(widths[0], WORDS * self.fontMetrics().height())
        widths[0] = max(least, self.viewport().width() - sum(widths[1:]))
        for k, width in enumerate(widths):
            head.resizeSection(k, width)
        scrolls = sum(widths) > self.viewport().width()
        bar = self.horizontalScrollBar().sizeHint().height() if scrolls else 0
        self.setFixedHeight(rows * self.verticalHeader().defaultSectionSize() + head.sizeHint().height() + bar + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.model().rowCount():
            self.fit()


class Fold(QWidget):
    """One part below a heading that folds it."""

    def __init__(self, part: str, title: str, document: Document) -> None:
        super().__init__()
        self.setObjectName(f"theory_{part}")
        self._document, self._title = document, title
        self.shown: Said | None = None
        self.heading = folding_heading(f"theory_heading_{part}", title)
        self.summary = PartsLabel(" · ", cuts=True, objectName=f"theory_summary_{part}")
        self.summary.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.said, self.notes = _text(f"theory_said_{part}"), quiet(name=f"theory_notes_{part}")
        self.views = short_list(f"theory_views_{part}", tr("Cost"), tr("By which cost the tree is measured"))
        self.views.activated.connect(self._show_view)
        self.chart = TheoryChart(f"theory_chart_{part}")
        self.model = TableModel[Line](self)
        self.table = TheoryTable(f"theory_table_{part}", title, self.model, sortingEnabled=False)
        self.table.clicked.connect(self._on_clicked)
        self.table.activated.connect(self._on_clicked)
        self._drawn = below(self.views, self.chart.key, self.chart, 0, spacing=2)
        words = below(self.said, self.notes, 0, spacing=8)
        self._halves = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (words, 1), (self._drawn, 1), spacing=16)
        self.body = below(self._halves, self.table, spacing=8, margins=(10, 4, 0, 12))
        fill(QVBoxLayout(self), fill(QHBoxLayout(), self.heading, (self.summary, 1), spacing=8), self.body, spacing=0)
        self.unfold(False)

    def unfold(self, on: bool) -> None:
        self.opened = on
        self.heading.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        said = {"part": self._title}
        self.heading.setToolTip(verbatim.tip(tr("Closes “{part}”", **said) if on else tr("Opens “{part}”", **said)))
        self.body.setVisible(on and self.shown is not None)

    def arrange(self, narrow: bool) -> None:
        way = QBoxLayout.Direction
        self._halves.setDirection(way.TopToBottom if narrow else way.LeftToRight)

    def show_said(self, said: Said | None) -> None:
        self.shown = said
        self.body.setVisible(self.opened and said is not None)
        self.summary.setText(said.summary if said is not None else "")
        if said is None:
            return
        self.said.setText(unbroken("\n\n".join(said.sentences)))
        say(self.notes, unbroken("\n\n".join(said.notes)))
        names, chosen = list(said.views), self.views.currentData()
        refill(self.views, {name: name for name in names}, chosen if chosen in names else names[0] if names else "")
        self.views.setVisible(len(said.views) > 1)
        self._show_view()

    def _show_view(self) -> None:
        assert self.shown is not None
        view = self.shown.views.get(self.views.currentData(), View(None, (), ()))
        self._drawn.setVisible(view.chart is not None)
        self.table.setVisible(bool(view.lines))
        if view.chart is not None:
            self.chart.draw(view.chart)
        if not view.lines:
            return
        columns = [
            Column[Line](title, partial(_cell, k), words=not k, tip=tip, explained=None if k else partial(_cell, 0))
            for k, (title, tip) in enumerate(view.titles)
        ]
        self.model.fill(view.lines, columns)
        self.table.fit()

    def _on_clicked(self, index: QModelIndex) -> None:
        node, tree = self.model.record(index.row())[1], self._document.tree
        if node is not None and tree is not None and node in tree:
            self._document.select(node)


def _cell(k: int, line: Line) -> str:
    return line[0][k]


class TheoryPanel(QWidget):
    """Two numbers to choose, and the parts; those that are unfolded are computed while the panel is in sight."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("theory_panel")
        self._document = document
        self._held = Held({name: usual for name, (usual, _) in FIELDS.items()})
        self._theory: Theory | None = None
        self._asked: Asked | None = None  # what the theory is, or will be, about
        self._stale = set[str]()  # the parts that do not say it yet
        self._build()
        for signal in (document.treeChanged, document.tableChanged, document.focusChanged):
            signal.connect(self._ask)
        theme.watcher().changed.connect(self._redraw)
        Reaction(self, self._ask, QEvent.Type.Show)
        Reaction(self, self._arrange, QEvent.Type.Resize, QEvent.Type.FontChange)
        self.folds["description"].unfold(True)
        self._ask()

    def _build(self) -> None:
        self.fields = {name: NumberBox(option) for name, (_, option) in FIELDS.items()}
        parts: list[Any] = []
        for name, box in self.fields.items():
            option = FIELDS[name][1]
            named(box, f"theory_{name}", f"{option.label}: {tr(option.sentence)}", tr(option.sentence))
            box.show_setting(self._held)
            box.chosen.connect(lambda number, name=name: self._on_number(name, number))
            parts += [verbatim.label(option.label), box]
        self.waiting = quiet(name="theory_waiting", wrap=False)
        head = fill(QHBoxLayout(), *parts, (self.waiting, 1), spacing=8)
        self.folds = {part: Fold(part, tr(title), self._document) for part, (title, _) in PARTS.items()}
        for fold in self.folds.values():
            fold.heading.clicked.connect(lambda _=False, fold=fold: self._on_fold(fold))
        page = below(*self.folds.values(), 0, spacing=2, margins=(0, 0, 8, 0))
        self.empty = empty_page(name="theory_empty")
        self.pages = put_pages(self, below(head, (scrolling(page), 1), spacing=6), self.empty)

    def _on_number(self, name: str, number: float) -> None:
        self._held.numbers[name] = number
        self._ask()

    def _on_fold(self, fold: Fold) -> None:
        fold.unfold(not fold.opened)
        self._ask()

    def _arrange(self) -> None:
        narrow = self.width() < NARROW * self.fontMetrics().height()
        for fold in self.folds.values():
            fold.arrange(narrow)

    def _redraw(self) -> None:
        for fold in self.folds.values():
            if fold.shown is not None:
                fold.show_said(fold.shown)

    def _ask(self) -> None:
        """Asks for what is unfolded and not there yet, while somebody can see it."""
        state = self._document.state
        numeric = state is not None and state.tree.task != "classes"
        first = tr("Open a table: what theory promises of its tree stands here.")
        self.empty.setText(tr(NUMERIC) if numeric else first)
        self.pages.setCurrentIndex(1 if state is None or numeric else 0)
        if state is None or numeric or not self.isVisible():
            return
        numbers = self._held.numbers
        asked = Asked(state.tree, state.table, numbers["delta"], numbers["epsilon"], self._document.focus_class)
        if asked != self._asked:
            self._asked, self._theory, self._stale = asked, None, set(self.folds)
        wanted = [part for part, fold in self.folds.items() if part in self._stale and fold.opened]
        for part in self._stale.difference(wanted):
            self.folds[part].show_said(None)
        if not wanted:
            return
        self.waiting.setText(tr("Computing…"))
        self._document.jobs.run(
            tr("Computing what theory promises"), theory_words.told, state.table, state.tree, asked.delta,
            asked.epsilon, state.tree.classes[asked.focus], wanted, self._theory,
            done=lambda found: self._on_told(asked, found), failed=self._on_failed, key=KEY, quiet=True,
        )  # fmt: skip

    def _on_told(self, asked: Asked, found: tuple[Theory, dict[str, Said]]) -> None:
        if asked != self._asked:
            return
        self.waiting.clear()
        self._theory = found[0]
        self._stale -= found[1].keys()
        for part, said in found[1].items():
            self.folds[part].show_said(said)

    def _on_failed(self, error: Exception) -> None:
        self.empty.setText(words_for(error))
        self.pages.setCurrentIndex(1)
        self.waiting.clear()


def _text(name: str) -> QLabel:
    selectable = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    return verbatim.label(objectName=name, wordWrap=True, textInteractionFlags=selectable)
