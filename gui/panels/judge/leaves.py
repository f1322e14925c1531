"""The panel Leaves: one table of all leaves, or of those of a branch: what a committee, or a mailing, is decided by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QObject, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.model import file_tasks
from gui.model.document import Document
from gui.model.history import State
from gui.widgets import verbatim
from gui.widgets.building import Reaction, below, empty_page, fill, named, put_pages, stack_where_narrow
from gui.widgets.buttons import Button
from gui.widgets.fields import refill, short_list
from gui.widgets.labels import PartsLabel, grown
from gui.widgets.tables import Column, TableModel, TableView
from gui.wording import hand_phrases, phrases, words

LEVEL = 0.01  # adjusted p-values up to this are called a difference
MOST_SELECTED = 500  # leaves; where more are selected here, these are copied and the canvas stays as it is
RULE, RULE_WIDTH, MOST_WIDE, LOOKED_AT = 1, 280, 220, 30  # the column, pixels, and rows that say how wide columns are
NARROW = 26  # lines; in a narrower panel the words stand above the buttons
JOINT = " · "
Spec = tuple[str, str, str, Callable[[float], str]]  # name in the report, title, what it is, the words of a figure

COUNTS: tuple[Spec, ...] = (
    ("rows", marked("Rows"), marked("Training rows in the leaf"), words.count),
    ("weight", marked("Weight"), marked("The weight of the training rows in the leaf"), words.count),
    ("share", marked("Share"), marked("Share of all training rows that are in the leaf"), words.percent),
)
TEST: Spec = ("p_adjusted", marked("p"), marked("How probable so great a difference of training and validation rows "
    "is by chance, adjusted for all leaves listed: where it is small, the leaf does not hold on other rows"),
    words.gain)  # fmt: skip
OF_CLASSES: tuple[Spec, ...] = (
    ("gain", marked("Gain"), marked("Share of all rows of “{focus}” that are in the leaf"), words.percent),
    ("index", marked("Index"), marked("Share of “{focus}” in the leaf ÷ its share in all rows: 2 is twice as many as "
     "on average"), words.value),
    ("cumulative_share", marked("Cumulative share"), marked("Share of all rows that are in this leaf and in all that "
     "give “{focus}” a higher probability"), words.percent),
    ("cumulative_gain", marked("Cumulative gain"), marked("Share of all rows of “{focus}” that are in these leaves"),
     words.percent),
    ("cumulative_response", marked("Cumulative response"), marked("Share of “{focus}” in these leaves"), words.percent),
    ("cumulative_index", marked("Cumulative index"), marked("Share of “{focus}” in these leaves ÷ its share in all "
     "rows"), words.value),
    ("cost", marked("Cost"), marked("Mean cost of a row in the leaf"), words.value),
)  # fmt: skip
OF_NUMBERS: tuple[Spec, ...] = (
    ("mean", marked("Mean"), marked("Mean of the training rows in the leaf"), words.value),
    ("sd", marked("SD"), marked("Standard deviation of the training rows in the leaf"), words.value),
    ("cumulative_share", marked("Cumulative share"), marked("Share of all rows that are in this leaf and in all that "
     "predict more"), words.percent),
    ("cumulative_mean", marked("Cumulative mean"), marked("Mean of the rows in these leaves"), words.value),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Listed:
    """The leaves of a branch, as `engine.leaf_report` orders them."""

    state: State
    top: int  # the id of the branch's node
    focus: int
    figures: dict[str, NDArray[Any]]  # by the names of the report, [n_leaves] each

    @property
    def nodes(self) -> NDArray[np.int64]:
        return self.figures["node"]

    @cached_property
    def positions(self) -> NDArray[np.int64]:
        """int64[n_leaves]: where each leaf stands in the tree."""
        ids = self.state.tree.ids
        order = np.argsort(ids)
        return order[np.searchsorted(ids, self.nodes, sorter=order)]


def listed(state: State, top: int, focus: int, progress: Progress) -> Listed:
    """The report without rules; called in the worker."""
    name = state.tree.classes[focus] if state.tree.classes else None
    found = engine.leaf_report(state.table, state.tree, top, name, rules=False, assignment=state.assignment)
    return Listed(state, top, focus, {column: found[column].to_numpy() for column in found})


def specs(found: Listed) -> list[Spec]:
    """The figures in their order: what is asked first with the validation rows beside it, all else, then all else of
    the validation rows."""
    tree, focus = found.state.tree, ""
    own = OF_NUMBERS
    if tree.classes:
        focus = tree.classes[found.focus]
        said = tr("Share of this class in the leaf, by which it stands beside the others")
        shares = [(f"share: {name}", name, said, words.percent) for name in dict.fromkeys((focus, *tree.classes))]
        own = (*shares, *OF_CLASSES)
    of_first = f"validation_{own[0][0]}"
    train = [_told(spec, focus) for spec in (*COUNTS, *own)]
    same = tr("The same of the validation rows")
    validation = [
        (f"validation_{name}", tr("Validation {what}", what=title if ": " in name else words.inside(title)), same, form)
        for name, title, _, form in train
    ]
    says = ("prediction", tr("Prediction"), tr("What the leaf predicts"), words.value)
    tip = tr("The probability of “{focus}” in the leaf, by which the leaves are in order", focus=focus)
    sure = ("probability", tr("Probability"), tip, words.percent)
    n = len(COUNTS) + 1
    beside = [spec for spec in validation if spec[0] == of_first]
    rest = [spec for spec in validation if spec[0] != of_first]
    made = [*train[:n], *beside, _told(TEST, focus), says, sure, *train[n:], *rest]
    return [spec for spec in made if spec[0] in found.figures]


def _told(spec: Spec, focus: str) -> Spec:
    name, title, tip, form = spec
    return (name, title, tip, form) if ": " in name else (name, tr(title), tr(tip, focus=focus), form)


def sentences(found: Listed) -> list[str]:
    """What is listed and in which order, and where validation rows differ."""
    tree, n = found.state.tree, found.nodes.size
    said = [phrases.leaves(n)]
    if found.top != tree.ids[0]:
        place = hand_phrases.place(tree, found.top)
        said = [tr("{leaves} below {place}", leaves=said[0], place=place)]
    if "p_adjusted" in found.figures:
        differ = int(np.count_nonzero(found.figures["p_adjusted"] <= LEVEL))
        said.append(tr("{n} differ on validation rows", n=words.count(differ)) if differ != 1
                    else tr("1 differs on validation rows"))  # fmt: skip
    first = tree.classes[found.focus] if tree.classes else ""
    said.append(tr("highest share of “{name}” first", name=first) if first else tr("highest prediction first"))
    return said


class LeavesModel(TableModel[int]):
    """A record is the place of a leaf in the report. Rules are put in words when they are looked at."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.listed: Listed | None = None
        self._rules: dict[int, str] = {}  # by record

    def show(self, found: Listed) -> None:
        self.listed, self._rules = found, {}
        tree, nodes, figures = found.state.tree, found.nodes, found.figures
        labels = tree.labels[found.positions] if tree.classes else nodes

        def rule(record: int) -> str:
            if record not in self._rules:
                self._word([record])
            return self._rules[record] or tr("All rows")

        columns = [
            Column[int](tr("Leaf"), lambda k: f"#{nodes[k]}", False, tr("The number of the leaf"), ranks=_ranks(nodes)),
            Column[int](tr("Rule"), rule, True, tr("Which rows are in the leaf; sorted as in the tree"),
                        ranks=_ranks(found.positions), explained=rule),
        ]  # fmt: skip
        for name, title, tip, form in specs(found):
            if name == "prediction" and tree.classes:
                columns.append(Column(title, lambda k: tree.classes[labels[k]], True, tip, ranks=_ranks(labels)))
            else:
                columns.append(_figure(name, title, tip, form, figures, found.state.table.is_sampled))
        self.fill(range(nodes.size), columns)

    def text(self, rows: Sequence[int]) -> str:
        self._word([record for row in rows if (record := self.record(row)) not in self._rules])
        return super().text(rows)

    def _word(self, records: list[int]) -> None:
        """Puts rules in words; many together take a fraction of what they take one by one."""
        from engine.tree.rules import leaf_texts  # late: it brings the compiler

        assert self.listed is not None
        chosen = np.array(records, np.int64)
        chosen = chosen[np.argsort(self.listed.positions[chosen])]
        texts = leaf_texts(self.listed.state.tree, self.listed.positions[chosen])
        self._rules.update(zip(chosen.tolist(), texts, strict=True))


def _is_inner(tree: engine.Tree, node: int) -> bool:
    return node in tree and bool(tree.n_branches[tree.position(node)])


def _ranks(key: NDArray[Any]) -> Callable[[bool], NDArray[Any]]:
    """By what rows are sorted, NaN last."""
    numbers = key.astype(np.float64)
    return lambda falling: np.where(np.isnan(numbers), np.inf, -numbers if falling else numbers)


def _figure(
    name: str, title: str, tip: str, form: Callable[[float], str], figures: dict[str, NDArray[Any]], is_sampled: bool
) -> Column[int]:
    own, explained, ink = figures[name], None, None
    if name == TEST[0]:

        def explained(k: int) -> str:
            return tr("p = {p} for this leaf alone", p=words.gain(float(figures["p"][k])))

        def ink(k: int) -> QColor | None:
            return theme.current().warning if own[k] <= LEVEL else None

    elif (counts := figures.get(name.replace("share: ", "count: "))) is not own and counts is not None:
        part = "validation_" if name.startswith("validation_") else ""
        rows = figures.get(f"{part}weight", figures[f"{part}rows"])

        def explained(k: int) -> str:
            all_rows = phrases.weighed_rows(float(rows[k]), is_sampled)
            return tr("{n} of {rows}", n=words.count(float(counts[k])), rows=all_rows)

    return Column(title, lambda k: form(float(own[k])), False, tip, ranks=_ranks(own), explained=explained, ink=ink)


class LeavesPanel(QWidget):
    """Lists the leaves, selects them on the canvas, and takes them to a spreadsheet."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("leaves_panel")
        self._document = document
        self._quiet = False
        self._branch = 0  # the inner node that was selected last
        self._wanted: tuple[State, int, int] | None = None  # what is shown, or will be
        self._build()
        for signal in (document.treeChanged, document.tableChanged, document.focusChanged):
            signal.connect(self._refresh)
        document.selectionChanged.connect(self._on_node_selected)
        document.look.changed.connect(lambda names: self._follow() if "also" in names else None)
        Reaction(self, self._refresh, QEvent.Type.Show)
        Reaction(self, self._fit_columns, QEvent.Type.FontChange)
        self._refresh()

    def _build(self) -> None:
        self.said = PartsLabel(JOINT, cuts=True, objectName="leaves_said")
        tip = tr("All leaves of the tree, or those below the inner node that was selected last")
        self.scope = short_list("leaves_scope", tr("Which leaves are listed"), tip, activated=lambda _: self._refresh())
        refill(self.scope, {False: tr("Whole tree"), True: tr("Selected branch")}, False)
        tip = tr("Copies the leaves that are selected, or all, for a spreadsheet")
        self.model = LeavesModel(self)
        self.view = TableView("leaves_table", tr("Leaves of the tree"), self.model)
        self.view.horizontalHeader().setResizeContentsPrecision(LOOKED_AT)
        self.view.setHorizontalScrollMode(TableView.ScrollMode.ScrollPerPixel)
        self.view.selectionModel().selectionChanged.connect(self._on_selected)
        self.copy = named(Button(tr("&Copy")), "leaves_copy", tip=tip, clicked=self.view.copy)
        tip = tr("Writes all leaves listed, with all their figures, as CSV, Excel workbook or Parquet")
        self.export = named(Button(tr("E&xport…")), "leaves_export", tip=tip, clicked=self._on_export)
        buttons = fill(QHBoxLayout(), self.scope, 0, self.copy, self.export, spacing=8)
        head = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (self.said, 1), buttons, spacing=8)
        stack_where_narrow(self, head, NARROW)
        empty = empty_page(tr("Open a table: here all leaves of the tree stand in one table."), "leaves_empty")
        self.pages = put_pages(self, below(head, (self.view, 1), spacing=6), empty)

    def _refresh(self, *_: object) -> None:
        document = self._document
        state = document.state
        self.pages.setCurrentIndex(0 if state is not None else 1)
        if state is None:
            self._wanted = None
            return
        if not _is_inner(state.tree, self._branch):
            self._branch = int(state.tree.ids[0])
        wanted = state, self._branch if self.scope.currentData() else int(state.tree.ids[0]), document.focus_class
        if not self.isVisible() or wanted == self._wanted:
            return
        self._wanted = wanted

        def done(found: Listed) -> None:
            if self._wanted == wanted:
                self._show(found)

        document.jobs.run(tr("Listing the leaves"), listed, *wanted, done=done, key="leaves", quiet=True)

    def _show(self, found: Listed) -> None:
        before = [column.title for column in self.model.columns]
        self._quiet = True
        self.model.show(found)
        self._quiet = False
        if before != [column.title for column in self.model.columns]:
            self.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
            self._fit_columns()
        said = sentences(found)
        self.said.setText(JOINT.join(said))
        self.said.setToolTip(verbatim.tip("\n".join(said)))
        self._follow()

    def _fit_columns(self) -> None:
        head = self.view.horizontalHeader()
        self.view.resizeColumnsToContents()
        for k in range(head.count()):
            most = grown(RULE_WIDTH if k == RULE else MOST_WIDE, self.fontMetrics())
            most = min(most, self.view.width() // 2) if k == RULE else most
            head.resizeSection(k, min(head.sectionSize(k), most))

    def _on_node_selected(self, node: int) -> None:
        tree = self._document.tree
        if tree is not None and _is_inner(tree, node):
            self._branch = node
            self._refresh()
        self._follow()

    def _follow(self) -> None:
        """Selects the rows of the leaves that are selected on the canvas."""
        found = self.model.listed
        if self._quiet or found is None or not self.isVisible():
            return
        records = np.flatnonzero(np.isin(found.nodes, self._document.several.nodes))
        chosen = QItemSelection()
        for record in records[:MOST_SELECTED].tolist():
            row = self.model.row_of(record)
            chosen.select(self.model.index(row, 0), self.model.index(row, len(self.model.columns) - 1))
        self._quiet = True
        self.view.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        main = np.flatnonzero(found.nodes == self._document.selected)
        if main.size:
            index = self.model.index(self.model.row_of(int(main[0])), 0)
            self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.view.scrollTo(index)
        self._quiet = False

    def _on_selected(self) -> None:
        """Selects the leaves of the rows that a person selects, the row that the keys are on as the main one."""
        found, parts = self.model.listed, self.view.selectionModel().selection().toList()
        if self._quiet or found is None or not 0 < sum(part.height() for part in parts) <= MOST_SELECTED:
            return
        current = self.view.currentIndex().row()
        rows = sorted(
            {row for part in parts for row in range(part.top(), part.bottom() + 1)}, key=lambda r: r != current
        )
        tree = self._document.tree
        nodes = [int(found.nodes[self.model.place(row)]) for row in rows]
        self._quiet = True
        self._document.several.choose([node for node in nodes if tree is not None and node in tree])
        self._quiet = False

    def _on_export(self) -> None:
        if (found := self.model.listed) is not None:
            self._document.exportAsked.emit(partial(file_tasks.leaf_frame, found.state, found.top, found.focus))
