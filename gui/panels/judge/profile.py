"""The panel Profile: who stands in the selected nodes, column by column, beside others; and where their validation rows
are others than their training rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QStyle, QStyledItemDelegate, QWidget

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from engine.table.words import value_words
from gui import theme
from gui.model.document import Document
from gui.model.history import State
from gui.model.jobs import tell, words_for
from gui.widgets import building, plotting, tables, verbatim
from gui.widgets.bars import bar_of_code
from gui.widgets.building import Reaction, below, empty_page, fill, named, put_pages, stacked
from gui.widgets.buttons import Button
from gui.widgets.fields import refill, short_list
from gui.widgets.labels import PartsLabel, grown
from gui.widgets.tables import Column, TableModel, TableView
from gui.wording import hand_phrases, phrases, words

REST, SIBLING, PARENT, VALIDATION = "rest", "sibling", "parent", "validation"
AGAINST = {  # the choice; what the others are called
    REST: (marked("Against all other rows"), marked("other rows")),
    SIBLING: (marked("Against the sibling"), marked("sibling")),
    PARENT: (marked("Against the parent"), marked("parent")),
    VALIDATION: (marked("Validation against training"), marked("training rows")),
}  # fmt: skip
NAME, PICTURE, CONDITION = 0, 1, 4  # columns
PICTURE_WIDTH, MOST_WIDE, SIDE_WIDTH = 84, 220, 240  # pixels
NARROW, HIGH = 30, 14  # lines; in a narrower panel the larger picture stands below the table, from this height on
BARS, MOST_LEVELS = 16, 8
GAP, MARGIN, MOST_NAME = 1.0, 6, 0.4  # pixels between bars, around words; of the width
LINE = Qt.ItemDataRole.UserRole + 1
JOINT = " · "


@dataclass(frozen=True, eq=False)
class Line:
    """One column of the table."""

    column: engine.Column
    figures: dict[str, Any]  # of `engine.profile`
    bars: NDArray[np.float64]  # float64[n_bars, 2]: the shares of the nodes' rows, and of the others
    names: tuple[str, ...]  # of the levels that the bars stand for; of numbers the least and the greatest
    more: int  # levels that have no bar


@dataclass(frozen=True, eq=False)
class Profiled:
    """The columns in order of how much they differ."""

    wanted: tuple[Any, ...]
    lines: list[Line]
    n_rows: tuple[int, int]  # of the nodes, and those that they are compared with


def profiled(state: State, nodes: tuple[int, ...], against: str | int, progress: Progress) -> Profiled:
    """Compares every column; called in the worker. InputError: there is nothing to compare with."""
    from engine.assessment.profile import code_shares, profiled_rows  # late: it brings pandas

    table, at = state.table, state.assigned()
    groups = profiled_rows(table, state.tree, nodes, against, at)
    found = engine.profile(table, state.tree, nodes, against, assignment=at, progress=progress)
    lines = []
    for name, figures in zip(found.index, found.to_dict("records"), strict=True):
        column = table.column(name)
        shares = np.stack([code_shares(table, column, rows) for rows in groups[:2]])
        present = np.flatnonzero(shares[:, 1:].sum(axis=0) > 0)  # others may be known from test rows alone
        shares = shares[:, np.append(0, 1 + present)]
        column = engine.Column(name, column.kind, column.values[present], column.codes[:0])
        bar, n_bars, order = bar_of_code(column, shares.sum(axis=0), BARS if column.is_numeric else MOST_LEVELS)
        shown = np.flatnonzero((bar < n_bars) & (np.arange(bar.size) > 0))
        bars = np.stack([np.bincount(bar[shown], each[shown], n_bars) for each in shares], axis=1).astype(np.float64)
        n = column.n_values
        if column.is_numeric:
            names = tuple(value_words(float(column.values[k]), column.kind_in_words) for k in (0, n - 1)) if n else ()
        else:
            names = tuple(column.text(int(k)) for k in order[:n_bars])
        lines.append(Line(column, figures, bars, names, 0 if column.is_numeric else n - len(names)))
    return Profiled((state, nodes, against), lines, (groups.rows.size, groups.others.size))


def profile_frame(state: State, nodes: tuple[int, ...], against: str | int, progress: Progress) -> Any:
    """The figures for a spreadsheet."""
    return engine.profile(
        state.table, state.tree, nodes, against, assignment=state.assigned(), progress=progress
    ).reset_index()


def inks() -> tuple[QColor, QColor]:
    """Of the nodes' rows, and of the others."""
    return theme.current().training, theme.current().ribbon


def declared(others: str, validation: bool) -> list[Column[Line]]:
    """The columns of the panel; `others`: what the nodes are compared with, in words."""

    def name_of(line: Line) -> str:
        return line.column.name

    def ink(line: Line) -> QColor | None:
        return theme.current().secondary if line.figures["beyond_chance"] <= 0 else None

    def contradicted(line: Line) -> QColor | None:
        figures = line.figures
        fails = figures["beyond_chance"] > 0 and figures["validation_difference"] <= 0
        return theme.current().warning if fails else ink(line)

    def figure(
        name: str, title: str, tip: str, form: Callable[[float], str] = words.percent, ink: Any = ink
    ) -> Column[Line]:
        def key(line: Line) -> float:
            return float(line.figures[name])

        return Column(title, lambda line: form(key(line)), False, tip, key=key, ink=ink)

    def mean(name: str, title: str) -> Column[Line]:
        def text(line: Line) -> str:
            number = float(line.figures[name])
            dated = line.column.kind == "date" and number == number
            return value_words(number, line.column.kind_in_words) if dated else words.value(number)

        return Column(title, text, False, tr("Mean of the rows that have a value"), ink=ink,
                      key=lambda line: float(line.figures[name]))  # fmt: skip

    made = [
        Column[Line](tr("Column"), name_of, True, explained=name_of, ink=ink),
        Column[Line](tr("Values"), lambda line: "", True, tr("How the rows spread over the values: those of the nodes "
                     "in colour, the others grey"), key=lambda line: -line.figures["beyond_chance"],
                     more={LINE: lambda line: line}),
        figure("difference", tr("Difference"), tr("The largest difference of shares that one condition on the column "
               "shows. Columns are in the order of what exceeds chance; grey ones do not")),
        figure("validation_difference", tr("Validation"), tr("The difference that the same condition shows on "
               "validation rows, which had no part in finding it"), ink=contradicted),
        Column[Line](tr("Condition"), lambda line: line.figures["condition"], True,
                     tr("Which rows are more frequent in the nodes than among the others"), ink=ink,
                     explained=lambda line: line.figures["condition"]),
        figure("share", tr("Share"), tr("Share of the nodes’ rows that fulfil the condition")),
        figure("other_share", tr("Share: {others}", others=others), tr("Share of the others that fulfil it")),
        mean("mean", tr("Mean")),
        mean("other_mean", tr("Mean: {others}", others=others)),
        figure("d", tr("d"), tr("Difference of the means ÷ standard deviation (Cohen’s d)"), words.value),
        figure("missing", tr("Missing"), tr("Share of the nodes’ rows without a value")),
        figure("other_missing", tr("Missing: {others}", others=others), tr("Share of the others without a value")),
        figure("chance", tr("Chance"), tr("The difference of two random groups of these sizes"), ink=ink),
    ]  # fmt: skip
    return made if validation else [one for one in made if one.title != tr("Validation")]


def paint_pairs(painter: QPainter, room: QRectF, bars: NDArray[np.float64]) -> None:
    """Upright bars [bars, 2]: the others wide and grey, the nodes' narrow before them."""
    tallest, width = max(float(bars.max(initial=0.0)), 1e-12), min(room.width() / len(bars), room.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    ours, theirs = inks()
    for k, (share, other) in enumerate(bars.tolist()):
        left, wide = room.left() + k * width, max(width - GAP, 1.0)
        for size, ink, inset in ((other, theirs, 0.0), (share, ours, 0.25 * wide if wide >= 3 else 0.0)):
            height = size / tallest * room.height()
            painter.fillRect(QRectF(left + inset, room.bottom() - height, wide - 2 * inset, height), ink)


class PairsDelegate(QStyledItemDelegate):
    """Paints the small histograms."""

    def paint(self, painter: QPainter, option: Any, index: tables.Index) -> None:
        super().paint(painter, option, index)
        line = index.data(LINE)
        if isinstance(line, Line) and line.bars.size:
            if option.state & QStyle.StateFlag.State_Selected:
                painter.fillRect(option.rect, theme.current().card)
            paint_pairs(painter, QRectF(option.rect).adjusted(6, 4, -6, -4), line.bars)


class PairsPicture(QWidget):
    """One column, larger: a histogram between the least and the greatest number, or two bars for each level."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "profile_large", tr("The column, larger"))
        self._line: Line | None = None

    def show_line(self, line: Line | None) -> None:
        self._line = line
        self.setAccessibleDescription("\n".join(self._spoken()))
        self.update()

    def _spoken(self) -> list[str]:
        line = self._line
        if line is None or line.column.is_numeric:
            return []
        pairs = zip(line.names, line.bars.tolist(), strict=True)
        return [f"{name}: {words.percent(own)}, {words.percent(other)}" for name, (own, other) in pairs]

    def paintEvent(self, event: QPaintEvent) -> None:
        if (line := self._line) is not None and line.names:
            painter = QPainter(self)
            (self._paint_histogram if line.column.is_numeric else self._paint_levels)(painter, line)
            painter.end()

    def _paint_histogram(self, painter: QPainter, line: Line) -> None:
        height = self.fontMetrics().height()
        room = QRectF(self.rect()).adjusted(0, 2, 0, -height - 2)
        width = room.width() / len(line.bars)
        tallest = max(float(line.bars.max()), 1e-12)
        for k, pair in enumerate(line.bars.tolist()):
            for j, (share, ink) in enumerate(zip(pair, inks(), strict=True)):
                tall, half = share / tallest * room.height(), max((width - 2 * GAP) / 2, 1.0)
                painter.fillRect(QRectF(room.left() + k * width + j * half, room.bottom() - tall, half, tall), ink)
        painter.setPen(theme.current().secondary)
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        foot = self.rect().adjusted(0, self.height() - height, 0, 0)
        for name, side in zip(line.names, (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight), strict=True):
            text = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, self.width() // 2 - MARGIN)
            painter.drawText(foot, side, text)

    def _paint_levels(self, painter: QPainter, line: Line) -> None:
        metrics = self.fontMetrics()
        n = len(line.names) + bool(line.more)
        high = min(self.height() / n, 2.6 * metrics.height())
        figures = [words.short_rate(own) + JOINT + words.short_rate(other) for own, other in line.bars.tolist()]
        name_width = min(max(map(metrics.horizontalAdvance, line.names)) + 2, round(MOST_NAME * self.width()))
        left, right = name_width + MARGIN, self.width() - max(map(metrics.horizontalAdvance, figures)) - MARGIN
        times = max(right - left, 0) / max(float(line.bars.max()), 1e-12)
        ink, middle = self.palette().color(self.foregroundRole()), Qt.AlignmentFlag.AlignVCenter
        painter.setPen(ink)
        for k, (name, pair, figure) in enumerate(zip(line.names, line.bars.tolist(), figures, strict=True)):
            room = QRectF(0, k * high, self.width(), high)
            painter.drawText(room, middle, metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, name_width))
            painter.drawText(room, middle | Qt.AlignmentFlag.AlignRight, figure)
            for j, (share, colour) in enumerate(zip(pair, inks(), strict=True)):
                half = (high - 6) / 2
                painter.fillRect(QRectF(left, room.top() + 3 + j * half, share * times, max(half - GAP, 1.0)), colour)
        if line.more:
            more = words.count(line.more)
            text = tr("1 more level") if line.more == 1 else tr("{n} more levels", n=more)
            painter.drawText(QRectF(0, (n - 1) * high, self.width(), high), middle, text)


class ProfilePanel(QWidget):
    """Compares the rows of the selected nodes with others, and shows a column larger that is clicked."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("profile_panel")
        self._document = document
        self._wanted: tuple[Any, ...] | None = None  # what is shown, or will be
        self._found: Profiled | None = None
        self._column = ""  # that is shown larger
        self._build()
        for signal in (document.treeChanged, document.tableChanged, document.selectionChanged):
            signal.connect(self._refresh)
        document.look.changed.connect(lambda names: self._refresh() if "also" in names else None)
        Reaction(self, self._refresh, QEvent.Type.Show)
        Reaction(self, self._arrange, QEvent.Type.Resize, QEvent.Type.FontChange)
        self._refresh()

    def _build(self) -> None:
        tip = tr("With which rows those of the selected nodes are compared")
        self.against = short_list("profile_against", tr("Compare with"), tip, 16, activated=lambda _: self._refresh())
        refill(self.against, {key: tr(text) for key, (text, _) in AGAINST.items()}, REST)
        self.said = PartsLabel(JOINT, cuts=True, objectName="profile_said")
        self.model = TableModel[Line](self)
        self.view = TableView("profile_table", tr("Columns, that which differs most first"), self.model)
        self.view.setItemDelegateForColumn(PICTURE, PairsDelegate(self.view))
        self.view.setHorizontalScrollMode(TableView.ScrollMode.ScrollPerPixel)
        self.view.selectionModel().currentRowChanged.connect(self._on_current)
        tip = tr("Copies the columns that are selected, or all, for a spreadsheet")
        self.copy = named(Button(tr("&Copy")), "profile_copy", tip=tip, clicked=self.view.copy)
        tip = tr("Writes all figures as CSV, Excel workbook or Parquet")
        self.export = named(Button(tr("E&xport…")), "profile_export", tip=tip, clicked=self._on_export)
        self.legend = verbatim.label(objectName="profile_legend", wordWrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.picture = PairsPicture()
        self.side = below(self.legend, (self.picture, 1), margins=(8, 0, 4, 4))
        self.split = building.side_by_side((self.view, 3 * SIDE_WIDTH, 1), (self.side, SIDE_WIDTH, 0))
        buttons = fill(QHBoxLayout(), self.against, 0, self.copy, self.export, spacing=8)
        head = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (self.said, 1), buttons, spacing=8)
        building.stack_where_narrow(self, head, NARROW)
        self.nothing = empty_page(name="profile_nothing")
        self.columns = stacked(self.split, self.nothing)
        empty = empty_page(tr("Open a table: here the rows of a node are compared with others."), "profile_empty")
        self.pages = put_pages(self, below(head, (self.columns, 1), spacing=6), empty)

    def _arrange(self) -> None:
        """In a narrow panel the larger picture stands below the table, or nowhere."""
        line, ways = self.fontMetrics().height(), Qt.Orientation
        narrow = self.width() < NARROW * line
        self.split.setOrientation(ways.Vertical if narrow else ways.Horizontal)
        self.side.setVisible(not narrow or self.height() >= HIGH * line)
        self._fit_columns()

    def _refresh(self, *_: object) -> None:
        document, state = self._document, self._document.state
        self.pages.setCurrentIndex(0 if state is not None else 1)
        if state is None or not self.isVisible():
            return
        nodes, against = document.several.nodes, self.against.currentData()
        if against == PARENT:
            above = int(state.tree.parent[state.tree.position(nodes[-1])])
            if above < 0:
                self._wanted = None
                return self._say(tr("The root has no parent: select another node."))
            against = int(state.tree.ids[above])
        wanted = state, nodes, against
        if wanted == self._wanted:
            return
        self._wanted = wanted

        def done(found: Profiled) -> None:
            if self._wanted == wanted:
                self._show(found)

        def failed(error: Exception) -> None:
            if self._wanted == wanted:
                self._say(tr("There is nothing to compare with: select one or more nodes below the root.")
                          if against in (REST, SIBLING) else words_for(error))  # fmt: skip
            if not words_for(error):
                tell(error)

        document.jobs.run(
            tr("Comparing the columns"), profiled, *wanted, done=done, failed=failed, key="profile", quiet=True
        )

    def _say(self, text: str) -> None:
        """Shows a sentence in the place of the columns."""
        self._found = None
        self.said.setText("")
        self.said.setToolTip("")
        self.nothing.setText(text)
        self.columns.setCurrentWidget(self.nothing)
        self.model.fill([])

    def _show(self, found: Profiled) -> None:
        state, nodes, _ = found.wanted
        kind = self.against.currentData()
        others, before = tr(AGAINST[kind][1]), [column.title for column in self.model.columns]
        validated = bool(found.lines) and "validation_difference" in found.lines[0].figures
        self._found = found
        self.columns.setCurrentWidget(self.split)
        chosen = self._column
        self.model.fill(found.lines, declared(others, validated))
        if before != [column.title for column in self.model.columns]:
            self.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
            self._fit_columns()
        n, m = map(phrases.counted_rows, found.n_rows)
        here = hand_phrases.place(state.tree, nodes[-1]) if len(nodes) == 1 else tr("{n} nodes", n=len(nodes))
        if kind == VALIDATION:
            said = tr("{nodes}: {rows} for validation against {others} for training", nodes=here, rows=n, others=m)
        else:
            said = tr("{nodes}: {rows} against {others}", nodes=here, rows=n, others=m)
        self.said.setText(said)
        self.said.setToolTip(verbatim.tip(said))
        names = [line.column.name for line in found.lines]
        if names:
            row = self.model.row_of(names.index(chosen) if chosen in names else 0)
            self.view.setCurrentIndex(self.model.index(row, 0))

    def _fit_columns(self) -> None:
        head, metrics = self.view.horizontalHeader(), self.fontMetrics()
        self.view.resizeColumnsToContents()
        for k in range(head.count()):
            wide = head.sectionSize(k) if k != PICTURE else PICTURE_WIDTH
            head.resizeSection(k, min(wide, grown(MOST_WIDE, metrics)))

    def _on_current(self, current: QModelIndex) -> None:
        if not current.isValid():
            return
        line = self.model.record(current.row())
        self._column = line.column.name
        self.picture.show_line(line)
        others = tr(AGAINST[self.against.currentData()][1])
        ours = tr("validation rows") if self.against.currentData() == VALIDATION else tr("these nodes")
        named_inks = zip(inks(), (ours, others), strict=True)
        keys = (plotting.key(ink.name(), name, "■", whole=True) for ink, name in named_inks)
        self.legend.setText("&nbsp;&nbsp; ".join(keys))

    def _on_export(self) -> None:
        if self._found is not None:
            self._document.exportAsked.emit(partial(profile_frame, *self._found.wanted))
