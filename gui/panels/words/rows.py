"""The rows panel: the rows of the table and what the tree says of each; one, or those of a condition, are followed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.model.document import Document
from gui.model.history import State
from gui.model.jobs import words_for
from gui.model.view_state.following import leaf_of_rows, predicted_of_rows, value_text
from gui.widgets import tables, verbatim
from gui.widgets.building import Reaction, empty_page, fill, named, put_pages, refuse, stack_where_narrow
from gui.widgets.buttons import Button
from gui.widgets.fields import FindField, refill, short_list
from gui.wording import phrases, words

ROW_HEIGHT = 22
NUMBER_WIDTH = 130
MOST_WIDE, LOOKED_AT = 200, 30  # pixels of a column, and the rows that say how wide it has to be
EXAMPLE = 'age > 40 and city == "Berlin"'
PARTS = (marked("training"), marked("validation"), marked("test"), marked("not used"))  # by `Table.part`
TEST, UNUSED = 2, 3
ALL, WRONG = -1, -2  # of the list of errors; otherwise one kind
NARROW, LOW = 24, 12  # lines; in a narrower panel buttons stand below, in a lower one what is said is one line
MOST_DRAWN = 200  # rows of a node, where rows are only counted
COUNTED = marked("The rows are counted where they are: some of the selected node are drawn here, none has a number.")
NOT_WRONG = -1  # the kind of a row without an error


@dataclass(frozen=True, eq=False)
class Fates:
    """What a tree says of the rows of a table; arrays are [n_rows]. The `kind` of error that each row is: of classes
    predicted · K + actual; of a number 0 where the prediction is too low, 1 where it is too high; `NOT_WRONG` of the
    others."""

    state: State
    test_too: bool  # whether errors of test rows are told; before the last look they are not
    leaf: NDArray[np.int64]  # the position of the leaf of each
    predicted: NDArray[Any]  # the class, by its number, or the number
    probability: NDArray[np.float64]  # of the class that is predicted
    kind: NDArray[np.int64]
    apart: NDArray[Any]  # what errors are sorted by: of a number how far the prediction is above the one of the row
    mixed: NDArray[np.float64] | None = None  # [n_rows, K], the probabilities, where the tree divides rows

    def shares(self, k: int, rows: Any = slice(None)) -> Any:
        """How probable a class is, of all rows or of some."""
        return self.state.tree.probabilities[self.leaf[rows], k] if self.mixed is None else self.mixed[rows, k]

    def kind_words(self, kind: int) -> str:
        tree = self.state.tree
        if tree.task == "number":
            return tr("predicted too high") if kind else tr("predicted too low")
        said, is_so = divmod(kind, len(tree.classes))
        return tr("predicted {predicted}, is {actual}", predicted=tree.classes[said], actual=tree.classes[is_so])


def fates(state: State, test_too: bool, progress: Progress) -> Fates:
    """What the tree says of each row; called in the worker."""
    table, tree, leaf, predicted = state.table, state.tree, leaf_of_rows(state), predicted_of_rows(state)
    told = (table.part != UNUSED) & ((table.part != TEST) | test_too)
    if tree.task == "classes":
        said, is_so, mixed = predicted.astype(np.int64), table.y.astype(np.int64), None
        probable = tree.probabilities[leaf, said]
        if tree.divides_rows:
            from engine.tree import divided_rows  # late: it brings the compiler

            mixed = divided_rows.means(tree, state.assigned(), tree.probabilities, table.n_rows)
            probable = mixed[np.arange(said.size), said]
        kind = np.where(told & (said != is_so), said * len(tree.classes) + is_so, NOT_WRONG)
        return Fates(state, test_too, leaf, said, probable, kind, kind, mixed)
    apart = predicted - table.y - table.origin
    kind = np.where(told & (apart != 0), apart > 0, NOT_WRONG).astype(np.int64)
    return Fates(state, test_too, leaf, predicted, np.ones(leaf.size), kind, np.where(kind == NOT_WRONG, 0.0, apart))


def drawn(state: State, node: int, progress: Progress) -> Fates:
    """The same of some rows of a node, of a table whose rows are only counted."""
    table = state.table.counter.drawn(state.table, MOST_DRAWN, state.tree, state.tree.position(node))
    return fates(State(table, replace(state.tree, counted_on=table.counts_key)), True, progress)


class RowsModel(tables.TableModel[int]):
    """Looks values up when they are painted, so that it costs nothing however many rows there are."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.number = lambda row: words.count(row + 1)
        self.shown: tuple[object, ...] = (None, None, None, ALL)  # table, rows, fates, kind of errors
        self._rows: NDArray[np.int64] | None = None

    def show(self, table: engine.Table | None, rows: NDArray[Any] | None, found: Fates | None, kind: int) -> None:
        """Shows some rows of a table, ascending, None for all; of these those of one kind of error."""
        self.shown = table, rows, found, kind
        n_rows = table.n_rows if table is not None else 0
        chosen = rows if rows is None else rows.astype(np.int64)
        if found is not None and kind != ALL:
            chosen = np.arange(n_rows) if chosen is None else chosen
            of_rows = found.kind[chosen]
            chosen = chosen[of_rows == kind] if kind != WRONG else chosen[of_rows != NOT_WRONG]
        self._rows = chosen
        columns: list[tables.Column[int]] = []
        if table is not None:  # the target first
            listed_first = sorted(table.columns, key=lambda column: column.name != table.target)
            columns = [_column(column, chosen) for column in listed_first]
            answers, more = _of_tree(table, found, chosen)
            columns = [columns[0], *answers, *columns[1:], *more]
        listed: Any = chosen if chosen is not None else range(n_rows)
        self.fill(listed, columns)

    def listed(self) -> NDArray[np.int64]:
        """The rows of the table in the order in which they are listed."""
        return np.asarray(self.records, dtype=np.int64)[slice(None) if self._order is None else self._order]

    def line_of(self, row: int) -> int:
        """Where a row of the table stands in the list; −1 where it is not in it."""
        if self._rows is None:
            return self.row_of(row) if 0 <= row < self.rowCount() else -1
        place = int(np.searchsorted(self._rows, row))
        return self.row_of(place) if place < self._rows.size and int(self._rows[place]) == row else -1


def _column(column: engine.Column, rows: NDArray[np.int64] | None) -> tables.Column[int]:
    """A column of the table; sorted by its codes, which stand in the order of its values, missing ones last."""

    def ranks(falling: bool) -> NDArray[Any]:
        codes = column.codes if rows is None else column.codes[rows]
        return np.where(codes > 0, column.n_values - codes, column.n_values) if falling else codes - codes.dtype.type(1)

    def said(row: int) -> str:
        return value_text(column, int(row)) or tr("missing")

    return tables.Column(column.name, said, not column.is_numeric, ranks=ranks)


def _of_tree(
    table: engine.Table, found: Fates | None, rows: NDArray[np.int64] | None
) -> tuple[list[tables.Column[int]], list[tables.Column[int]]]:
    """What the tree says of each row, and in which part it is; and the rule and the probability of each class, for
    which there is room behind all others only, with the expected profit. Dashes until that is known."""
    by_class = table.task == "classes"

    def column(
        title: str, tip: str, text: Callable[[Fates, int], str], key: Callable[[Fates], NDArray[Any]],
        numbers: bool = True,
    ) -> tables.Column[int]:  # fmt: skip
        def ranks(falling: bool) -> NDArray[Any]:
            of_all = key(found) if found is not None else np.zeros(table.n_rows)
            of = of_all.astype(np.float64)[slice(None) if rows is None else rows]
            return -of if falling else of

        def said(row: int) -> str:
            return text(found, int(row)) if found is not None else words.NOTHING

        return tables.Column(title, said, not numbers, tip, ranks=ranks)

    def prediction(of: Fates, row: int) -> str:
        return of.state.tree.classes[of.predicted[row]] if by_class else words.value(float(of.predicted[row]))

    def error(of: Fates, row: int) -> str:
        if by_class or of.kind[row] == NOT_WRONG:
            return of.kind_words(int(of.kind[row])) if of.kind[row] != NOT_WRONG else ""
        return f"{'+' if of.kind[row] else ''}{words.value(float(of.apart[row]))}"

    def rule(of: Fates, row: int) -> str:
        tree = of.state.tree
        return phrases.AND.join(phrases.bracketed(tree.rule(int(tree.ids[of.leaf[row]]))))

    def class_column(name: str, k: int) -> tables.Column[int]:
        return column(
            tr("P({name})", name=name), tr("How probable the class “{name}” is in the leaf", name=name),
            lambda of, row: words.percent(float(of.shares(k, row))), lambda of: of.shares(k),
        )  # fmt: skip

    instead = tr("Which class the tree predicts instead of the row’s own")
    above = tr("How far the prediction is above the value of the row, or below")
    made = [
        column(tr("Prediction"), tr("What the tree predicts for the row"), prediction,
               lambda of: of.predicted, not by_class),
        column(tr("Probability"), tr("How probable the predicted class is in the leaf"),
               lambda of, row: words.percent(float(of.probability[row])), lambda of: of.probability),
        column(tr("Error"), instead if by_class else above, error, lambda of: of.apart, not by_class),
        column(tr("Leaf"), tr("The number of the leaf that the row reaches"),
               lambda of, row: f"#{int(of.state.tree.ids[of.leaf[row]])}", lambda of: of.state.tree.ids[of.leaf]),
        column(tr("Part"), tr("Whether the row trains, validates or is kept for the last test"),
               lambda of, row: tr(PARTS[int(table.part[row])]), lambda of: table.part, numbers=False),
    ]  # fmt: skip
    more = [column(tr("Rule"), tr("The conditions on the way to the leaf"), rule, lambda of: of.leaf, numbers=False)]
    more += [class_column(name, k) for k, name in enumerate(table.classes)]
    if found is not None and found.state.tree.leaf_rule.profits:
        more += [
            column(tr("Expected profit"), tr("What a row of the leaf earns on average by its probabilities"),
                   lambda of, row: phrases.money(float(of.state.tree.expected_profit[of.leaf[row]]), of.state.tree),
                   lambda of: of.state.tree.expected_profit[of.leaf]),
            column(tr("Act"), tr("Whether acting on a row of the leaf earns more than not acting"),
                   lambda of, row: tr("yes") if of.state.tree.acts[of.leaf[row]] else tr("no"),
                   lambda of: of.state.tree.acts[of.leaf], numbers=False),
        ]  # fmt: skip
    if table.source.get("kind") == "drawn":  # of all parts alike
        made.pop()
    return made if by_class else [made[0], *made[2:]], more


class RowsPanel(QWidget):
    """Lists rows, and has them followed."""

    exportAsked = Signal(object, object)  # args: the rows that are listed, in their order, and the leaf of each of all

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("rows_panel")
        self._document = document
        self._quiet = self._fault = False
        self._fates: Fates | None = None
        self._told = ""  # what is said of the rows, in full
        self._of: State | None = None  # whose rows are drawn, where they are only counted
        self._node: int | None = None
        self._build()
        document.tableChanged.connect(self.refresh)
        document.treeChanged.connect(self.refresh)
        document.testOpened.connect(self.refresh)
        document.selectionChanged.connect(lambda *_: self.refresh() if self._is_counted else None)
        document.look.changed.connect(lambda names: self.refresh() if names & {"way", "flow"} else None)
        theme.watcher().changed.connect(self._paint_said)
        Reaction(self, self.refresh, QEvent.Type.Show)
        Reaction(self, self._fit_columns, QEvent.Type.FontChange)
        Reaction(self.said, self._share_room, QEvent.Type.Resize)
        self.refresh()

    def _build(self) -> None:
        following = self._document.following
        self.number = FindField("row_number", tr("Row number"), tr("Number of the row to follow"), lens=False,
                                returnPressed=self._on_number, textChanged=self._on_typed)  # fmt: skip
        self.number.setFixedWidth(NUMBER_WIDTH)
        self.number.setToolTip(tr("Type the number of a row and press Enter to follow it through the tree"))
        where = tr("Rows where … {example}", example=EXAMPLE)
        self.condition = FindField("row_condition", where, tr("Condition of the rows to follow"),
                                   returnPressed=self._on_condition, textChanged=self._on_typed)  # fmt: skip
        self.condition.setToolTip(verbatim.tip(tr(
            "A condition in the language of pandas queries, for instance {example}. Names with and, or, not or signs "
            "in them stand in backticks, text in quotes; missing values by {missing}, lists by {list}, ranges by "
            "{range}. Enter shows the flow of these rows; an empty field means all rows.",
            example=EXAMPLE, missing="income.isna()", list='city in ["Ulm", "Bonn"]', range="20 < age <= 40",
        )))  # fmt: skip
        tip = tr("Which rows are listed: all, those with an error, or those with one kind of error")
        self.kinds = short_list("row_kinds", tr("Rows by error"), tip, activated=lambda _: self.refresh())
        tip = tr("Follows the rows of the selected nodes, in this tree and in the next")
        self.here = named(Button(tr("He&re")), "row_here", tip=tip,
                          clicked=lambda: following.follow_nodes(self._document.several.nodes))  # fmt: skip
        tip = tr(
            "Follows the rows that the tree labels wrongly, or is furthest from; "
            "test rows only after they were looked at")  # fmt: skip
        self.wrong = named(Button(tr("Err&ors")), "row_wrong", tip=tip, clicked=lambda: following.follow_wrong())
        tip = tr("Stops following (Esc)")
        self.end = named(Button(tr("E&nd")), "row_end", tip=tip, clicked=lambda: following.end())
        self._of_numbers = [(part, part.toolTip()) for part in (self.number, self.condition, self.here, self.wrong)]
        self.said = verbatim.label(objectName="rows_said", wordWrap=True)
        self.model = RowsModel(self)
        self.view = tables.TableView("rows_table", tr("Rows of the table"), self.model, ROW_HEIGHT)
        self.view.setShowGrid(True)
        self.view.verticalHeader().show()
        self.view.verticalHeader().setSectionsClickable(True)
        head = self.view.horizontalHeader()
        head.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        head.setResizeContentsPrecision(LOOKED_AT)
        self.view.selectionModel().currentRowChanged.connect(self._on_current_changed)
        tip = tr("Copies the rows that are selected, or all that are listed")
        self.copy = named(Button(tr("&Copy")), "rows_copy", tip=tip, clicked=self.view.copy)
        tip = tr("Writes the rows that are listed, with leaf, rule, prediction and probabilities")
        self.export = named(Button(tr("E&xport…")), "rows_export", tip=tip, clicked=self._on_export)
        fields = fill(QHBoxLayout(), self.number, (self.condition, 1), spacing=-1)
        follow = fill(QHBoxLayout(), self.here, self.wrong, self.end, spacing=-1)
        does = fill(QHBoxLayout(), self.kinds, self.copy, self.export, spacing=-1)
        asked = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (fields, 1), follow, spacing=-1)
        listed = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (self.said, 1), does, spacing=-1)
        for row in (asked, listed):
            stack_where_narrow(self, row, NARROW)
        page = QWidget()
        fill(QVBoxLayout(page), asked, listed, (self.view, 1), spacing=-1)
        empty = tr("Open a table: its rows will stand here, and each can be followed through the tree.")
        self.pages = put_pages(self, page, empty_page(empty))

    def ask(self, field: FindField) -> None:
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def refresh(self, *_: object) -> None:
        """Shows the rows that are followed, or all, and picks the one whose way is lit."""
        table, following = self._document.table, self._document.following
        self.pages.setCurrentIndex(0 if table is not None else 1)
        for part, tip in self._of_numbers:
            refuse(part, tr(COUNTED) if self._is_counted else "", tip)
        chosen = following.chosen
        self._ask()
        if self._is_counted:
            table = self._fates.state.table if self._fates is not None else None
        rows = chosen.rows if chosen is not None else self._all_rows(table)
        kind = self.kinds.currentData() if self.kinds.currentData() is not None else ALL
        self._quiet = True
        before, wanted = self.model.shown, (table, rows, self._fates, kind)
        if any(one is not other for one, other in zip(before[:3], wanted[:3], strict=True)) or before[3] != kind:
            if before[0] is not table:
                self.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
            self.model.show(*wanted)
            if self.isVisible() and (before[0] is not table or before[2] is None):
                self._fit_columns()
            self._say(self._count())
            if self.condition.hasFocus() and chosen is not None:
                self.view.setFocus()  # where arrows go from row to row, and Esc ends it
        place = self.model.line_of(following.row) if following.row >= 0 else -1
        if place < 0:
            self.view.setCurrentIndex(QModelIndex())
            self.view.clearSelection()
        elif self.view.currentIndex().row() != place:
            self.view.setCurrentIndex(self.model.index(place, 0))
        self.end.setEnabled(following.on)
        followed = (self.number, str(following.row + 1)), (self.condition, chosen.words if chosen is not None else "")
        for field, text in followed:
            if not field.hasFocus() and field.text().strip().replace(",", "") != text.replace(",", ""):
                field.clear()  # what was typed is not followed any more
        self._quiet = False

    def _all_rows(self, table: engine.Table | None) -> NDArray[Any] | None:
        """The rows that may be shown, None for all: test rows not before they were looked at."""
        return None if table is None or self._document.test_opened or not table.sealed.any() else table.unsealed

    def _ask(self) -> None:
        state, test_too = self._document.state, self._document.test_opened
        if state is not None and self._is_counted:
            return self._draw(state, self._document.selected)
        known = self._fates
        if known is not None and (state is not known.state or test_too != known.test_too):
            self._fates = None if state is None or known.state.table is not state.table else known
            known = None
        if state is None:
            self._fill_kinds()
        elif known is None and self.isVisible():

            def done(found: Fates) -> None:
                if self._document.state is state:
                    self._fates = found
                    self._fill_kinds()
                    self.refresh()

            self._document.jobs.run(
                tr("Predicting the rows"), fates, state, test_too, done=done, key="fates of rows", quiet=True
            )

    @property
    def _is_counted(self) -> bool:
        table = self._document.table
        return table is not None and table.counter is not None

    def _draw(self, state: State, node: int) -> None:
        """Has rows of the selected node drawn."""
        if self._fates is not None and (self._of is not state or self._node != node):
            self._fates = None
        if self._fates is None and self.isVisible():

            def done(found: Fates) -> None:
                self._fates, self._of, self._node = found, state, node
                self._fill_kinds()
                self.refresh()

            self._document.jobs.run(tr("Drawing rows"), drawn, state, node, done=done, key="fates of rows", quiet=True)

    def _fill_kinds(self) -> None:
        found, chosen = self._fates, self.kinds.currentData()
        wrong = found.kind[found.kind != NOT_WRONG] if found is not None else np.empty(0, np.int64)
        offered = {ALL: tr("All rows of the node") if self._is_counted and self._node else tr("All rows")}
        if wrong.size and found is not None:
            offered[WRONG] = tr("Errors · {n}", n=words.count(wrong.size))
            kinds, counts = (each.tolist() for each in np.unique(wrong, return_counts=True))
            for k in sorted(range(len(kinds)), key=lambda k: -counts[k]):
                offered[kinds[k]] = f"{found.kind_words(kinds[k])} · {words.count(counts[k])}"
        refill(self.kinds, offered, chosen if chosen in offered else ALL)

    def _on_export(self) -> None:
        known = self._fates
        self.exportAsked.emit(self.model.listed(), known.leaf if known is not None else None)

    def _fit_columns(self) -> None:
        head = self.view.horizontalHeader()
        self.view.resizeColumnsToContents()
        for k in range(head.count()):
            head.resizeSection(k, min(head.sectionSize(k), MOST_WIDE))

    def _count(self) -> str:
        table, chosen = self._document.table, self._document.following.chosen
        if table is None:
            return ""
        if self._is_counted:
            return tr(COUNTED)
        all_rows = self._all_rows(table)
        n, of = words.count(self.model.rowCount()), words.count(table.n_rows if all_rows is None else all_rows.size)
        if self.model.shown[3] != ALL:
            kind = self.kinds.currentText().rpartition(" · ")[0]
            which = f"{chosen.words}, {kind}" if chosen is not None else kind
            return tr("{which}: {n} of {of} rows.", which=which, n=n, of=of)
        if chosen is None and all_rows is not None:
            return tr("{n} rows; test rows are not shown. Pick one to follow it through the tree.", n=of)
        if chosen is None:
            return tr("All {n} rows: pick one to follow it through the tree.", n=of)
        if not chosen.rows.size:
            return (
                tr("{which}: no rows match.", which=chosen.words) if all_rows is None
                else tr("{which}: no rows match; test rows are not searched.", which=chosen.words)
            )  # fmt: skip
        return tr("{which}: {n} of {of} rows.", which=chosen.words, n=n, of=of)

    def _say(self, text: str, fault: bool = False) -> None:
        self._fault, self._told = fault, text
        self._share_room()
        self._paint_said()

    def _share_room(self) -> None:
        metrics, room = self.said.fontMetrics(), max(self.said.width(), 1)
        low = self.height() < LOW * metrics.height()
        self.said.setWordWrap(not low)
        self.said.setText(metrics.elidedText(self._told, Qt.TextElideMode.ElideRight, room) if low else self._told)
        self.said.setToolTip(verbatim.tip(self._told) if low else "")

    def _paint_said(self) -> None:
        now, palette = theme.current(), self.said.palette()
        palette.setColor(self.said.foregroundRole(), now.error if self._fault else now.secondary)
        self.said.setPalette(palette)

    def _on_number(self) -> None:
        table, text = self._document.table, self.number.text().strip().replace(",", "")
        if table is None:
            return
        if text.isdecimal() and 1 <= int(text) <= table.n_rows:
            self._say(self._count())
            self._document.following.follow_row(int(text) - 1)
            self.view.setFocus()  # where arrows go from row to row, and Esc ends it
        else:
            last, typed = words.count(table.n_rows), self.number.text()
            fault = tr("There is no row “{typed}”: this table has the rows 1 to {last}.", typed=typed, last=last)
            self._say(fault, fault=True)

    def _on_condition(self) -> None:
        self._say(self._count())
        following = self._document.following
        following.follow_where(self.condition.text(), lambda error: self._say(words_for(error), fault=True))

    def _on_typed(self) -> None:
        if self._fault:
            self._say(self._count())

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid() and not self._quiet and not self._is_counted:
            self._document.following.follow_row(int(self.model.record(current.row())))
