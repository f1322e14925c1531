"""The panel Importance: which columns the tree rests on, by its splits, by permuted values, and by growing without."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QStyledItemDelegate, QWidget

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.model.document import Document
from gui.model.history import State
from gui.widgets import tables
from gui.widgets.building import Reaction, below, empty_page, fill, named, put_pages, refuse, stack_where_narrow
from gui.widgets.buttons import Button
from gui.widgets.labels import PartsLabel, grown
from gui.widgets.tables import Column, TableModel, TableView
from gui.wording import words

BY_SPLITS, BY_PERMUTING, BY_DROPPING = "splits", "permutation", "dropped"  # the ways
PERMUTATIONS = 20
SURE = 1.96  # standard errors to each side of an interval of 95 %
BAR = Qt.ItemDataRole.UserRole + 1  # of a cell: its figure ÷ the largest of its column
BAR_WIDTH, MOST_WIDE, MOST_SELECTED = 150, 240, 500  # pixels; nodes that a click selects
NARROW = 30  # lines; in a narrower panel the words stand above the buttons
BIAS = marked("Impurity favours columns with many values")
WHY = marked("They offer more splits to choose from, and the training rows chose them. Permuting, and growing without "
             "a column, are judged by rows that had no part in it.")  # fmt: skip
TIPS = {
    "impurity": marked("By how much the splits on the column lower the impurity (Gini, or the squared error) of the "
                       "training rows; they chose the splits, and columns with many values offer more of them: these "
                       "seem more important than they are"),
    "with_surrogates": marked("The same, with the credit of surrogate splits: columns that tell the same as another "
                              "one are not hidden behind it"),
    "permutation": marked("By how much the mean loss of the validation rows grows where the values of the column are "
                          "permuted among them; ± is the standard deviation of the permutations"),
    "dropped": marked("By how much the mean loss grows where the tree is grown again without the column, by the search "
                      "options; ± is half of the 95 % interval. Where another column tells the same, nothing is lost"),
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One column of the table; NaN stands for what is not known."""

    name: str
    splits: int = 0
    impurity: float = math.nan
    impurity_share: float = math.nan
    with_surrogates: float = math.nan
    permutation: float = math.nan
    permutation_sd: float = math.nan
    dropped: float = math.nan
    dropped_se: float = math.nan


def by_splits(state: State, permutations: int, progress: Progress) -> Any:
    """The frame of `engine.importance`; called in the worker."""
    at = state.assigned()
    return engine.importance(state.table, state.tree, permutations=permutations, assignment=at, progress=progress)


def by_dropping(state: State, search: dict[str, Any], progress: Progress) -> Any:
    """The frame of `engine.importance_by_dropping`; called in the worker."""
    return engine.importance_by_dropping(state.table, progress=progress, **search)


def joined(frames: dict[str, Any], progress: Progress | None = None) -> Any:
    """All figures that are known in one frame, those first that matter most by the surest way."""
    if BY_SPLITS not in frames:
        return None
    found = frames.get(BY_PERMUTING, frames[BY_SPLITS])
    if BY_DROPPING in frames:
        dropped = frames[BY_DROPPING].reindex(columns=["dropped", "dropped_se"])
        found = found.join(dropped, how="outer").reindex([*found.index, *dropped.index.difference(found.index)])
        found["splits"] = found["splits"].fillna(0).astype(int)
    return found.rename_axis("column").reset_index()


def lines_of(frame: Any) -> list[Line]:
    names = [name for name in Line.__dataclass_fields__ if name in frame and name != "name"]
    return [Line(row["column"], **{name: row[name] for name in names}) for row in frame.to_dict("records")]


class BarDelegate(QStyledItemDelegate):
    """Paints a bar below the figure of a cell, from its right end."""

    def paint(self, painter: QPainter, option: Any, index: tables.Index) -> None:
        super().paint(painter, option, index)
        share = index.data(BAR)
        if isinstance(share, float) and math.isfinite(share) and share:
            room = QRectF(option.rect).adjusted(6, 0, -6, -3)
            width, ink = max(min(abs(share), 1.0) * room.width(), 1.0), theme.current().training
            ink = ink if share > 0 else theme.current().warning
            painter.fillRect(QRectF(room.right() - width, room.bottom() - 3, width, 3), ink)


def declared(lines: list[Line], percent: bool) -> list[Column[Line]]:
    """The columns for what is known; `percent`: losses are shares of rows."""
    loss = words.percent if percent else words.value

    def figure(title: str, name: str, form: Callable[[float], str], spread: str = "", times: float = 1) -> Column[Line]:
        values = [getattr(line, name) for line in lines]
        largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)

        def text(line: Line) -> str:
            value, more = getattr(line, name), getattr(line, spread) * times if spread else math.nan
            if not math.isfinite(value) or not math.isfinite(more):
                return form(value)
            return f"{form(value)} ± {form(more)}"

        def ink(line: Line) -> QColor | None:
            """Quiet where the interval of what is lost holds nothing."""
            value = getattr(line, name)
            more = getattr(line, spread) * times if spread else 0.0
            return theme.current().secondary if spread and not value - more > 0 else None

        return Column(title, text, False, tr(TIPS[name]), key=lambda line: getattr(line, name), ink=ink,
                      more={BAR: lambda line: getattr(line, name) / largest if largest else math.nan})  # fmt: skip

    def known(name: str) -> bool:
        return any(math.isfinite(getattr(line, name)) for line in lines)

    made = [
        Column[Line](tr("Column"), lambda line: line.name, True, explained=lambda line: line.name),
        Column[Line](tr("Splits"), lambda line: words.count(line.splits), False, tr("Splits on the column"),
                     key=lambda line: line.splits),
        figure(tr("Impurity"), "impurity", words.gain),
    ]  # fmt: skip
    if any(line.with_surrogates != line.impurity for line in lines if math.isfinite(line.impurity)):
        made.append(figure(tr("With surrogates"), "with_surrogates", words.gain))
    if known("permutation"):
        made.append(figure(tr("Permutation"), "permutation", loss, "permutation_sd"))
    if known("dropped"):
        made.append(figure(tr("Grown without"), "dropped", loss, "dropped_se", SURE))
    return made


class ImportancePanel(QWidget):
    """Ranks the columns in several ways side by side; what takes long is computed on request."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("importance_panel")
        self._document = document
        self._wanted: State | None = None  # what the splits are told of, or will be
        self._frames: dict[str, Any] = {}  # by way
        self._regrown: tuple[Any, ...] | None = None  # what growing without columns was about
        self._build()
        for signal in (document.treeChanged, document.tableChanged, document.searchChanged):
            signal.connect(self._refresh)
        document.jobs.finished.connect(self._show_ways)
        Reaction(self, self._refresh, QEvent.Type.Show)
        Reaction(self, self._fit_columns, QEvent.Type.FontChange)
        self._refresh()

    def _build(self) -> None:
        self.said = PartsLabel("\n", cuts=True, objectName="importance_said")
        self.said.setText(tr(BIAS))
        self.said.setToolTip(tr(WHY))
        self.model = TableModel[Line](self)
        self.view = TableView("importance_table", tr("Columns, the most important first"), self.model)
        self.view.setItemDelegate(BarDelegate(self.view))
        self.view.clicked.connect(self._on_clicked)
        self.view.activated.connect(self._on_clicked)
        self.permute = named(Button(tr("&Permute")), "importance_permute", clicked=self._on_permute)
        self.drop = named(Button(tr("&Grow without")), "importance_drop", clicked=self._on_drop)
        tip = tr("Writes all figures as CSV, Excel workbook or Parquet")
        self.export = named(Button(tr("E&xport…")), "importance_export", tip=tip, clicked=self._on_export)
        buttons = fill(QHBoxLayout(), 0, self.permute, self.drop, self.export, spacing=8)
        head = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (self.said, 1), buttons, spacing=8)
        stack_where_narrow(self, head, NARROW)
        empty = empty_page(tr("Open a table: here the columns stand by how much the tree rests on them."))
        self.pages = put_pages(self, below(head, (self.view, 1), spacing=6), empty)

    def _refresh(self, *_: object) -> None:
        document, state = self._document, self._document.state
        self.pages.setCurrentIndex(0 if state is not None else 1)
        if state is None or not self.isVisible():
            return
        if self._regrown is not None and self._regrown != self._about_growing():
            self._regrown = None
            self._frames.pop(BY_DROPPING, None)
            self._show()
        self._show_ways()
        if state is self._wanted:
            return
        self._wanted = state
        document.jobs.drop("importance_permuted")

        def done(found: Any) -> None:
            if self._wanted is state:
                kept = {way: frame for way, frame in self._frames.items() if way == BY_DROPPING}
                self._frames = {BY_SPLITS: found, **kept}
                self._show()

        document.jobs.run(tr("Summing up the splits"), by_splits, state, 0, done=done, key="importance", quiet=True)

    def _about_growing(self) -> tuple[Any, ...]:
        return self._document.table, self._document.search

    def _show_ways(self) -> None:
        state = self._document.state
        if state is None or not self.isVisible():
            return
        alone = tr("The tree has no split yet") if state.tree.n_leaves == 1 else ""
        counted = "" if state.table.counter is None else tr("Needs single rows, which are only counted here")
        rows = counted or ("" if state.table.n_validation else tr("Needs validation rows: Data ▸ Partition…"))
        n = words.count(PERMUTATIONS)
        refuse(self.permute, alone or rows, tr("Permutes each column among the validation rows, {n} times", n=n))
        n = words.count(len(state.table.features) + 1)
        tip = tr("Grows the tree again without each column, by the search options: up to {n} trees, or five times as "
                 "many where there are no validation rows", n=n)  # fmt: skip
        refuse(self.drop, counted, tip)

    def _on_permute(self) -> None:
        state = self._wanted
        if state is None:
            return

        def done(found: Any) -> None:
            if self._wanted is state and found["permutation"].notna().any():
                self._frames[BY_PERMUTING] = found
                self._show()

        asked = state, PERMUTATIONS
        self._document.jobs.run(tr("Permuting columns"), by_splits, *asked, done=done, key="importance_permuted")

    def _on_drop(self) -> None:
        state, about = self._document.state, self._about_growing()
        if state is None:
            return

        def done(found: Any) -> None:
            if about == self._about_growing() and len(found):
                self._frames[BY_DROPPING], self._regrown = found, about
                self._show()

        search = {"preset": "cart", **self._document.search}
        text = tr("Growing without each column")
        self._document.jobs.run(text, by_dropping, state, search, done=done, key="importance_dropped")

    def _show(self) -> None:
        frame, tree = joined(self._frames), self._document.tree
        if frame is None or tree is None:
            return
        lines, before = lines_of(frame), [column.title for column in self.model.columns]
        self.model.fill(lines, declared(lines, tree.task == "classes" and not tree.leaf_rule.weighs_mistakes))
        if before != [column.title for column in self.model.columns]:
            self.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
            self._fit_columns()

    def _fit_columns(self) -> None:
        head, metrics = self.view.horizontalHeader(), self.fontMetrics()
        self.view.resizeColumnsToContents()
        for k in range(head.count()):
            least = BAR_WIDTH if k > 1 else 0
            head.resizeSection(k, min(max(head.sectionSize(k), grown(least, metrics)), grown(MOST_WIDE, metrics)))

    def _on_clicked(self, index: QModelIndex) -> None:
        """Selects the splits on the column, the highest one as the main one."""
        from engine.tree.nodes import columns_asked  # late: it brings the compiler

        tree, name = self._document.tree, self.model.record(index.row()).name
        if tree is not None:
            places = {k for k, column in enumerate(tree.columns) if column.name == name}
            at = {node for node, (place, _) in columns_asked(tree.nodes, tree.payload) if place in places}
            nodes = sorted(at, key=lambda node: (int(tree.level[node]), node))[:MOST_SELECTED]
            self._document.several.choose(tree.ids[np.array(nodes, np.int64)].tolist())

    def _on_export(self) -> None:
        if self._frames:
            self._document.exportAsked.emit(partial(joined, dict(self._frames)))
