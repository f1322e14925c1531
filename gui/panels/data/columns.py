"""The columns panel: every column with its kind, role, gaps and shape, and a word of warning where one is due."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QRectF, QSize, QSortFilterProxyModel, Qt
from PySide6.QtGui import QAction, QColor, QDrag, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QMenu, QStyle, QStyledItemDelegate, QWidget

import engine
from engine.runtime.sentences import marked, tr
from gui import icons, theme
from gui.model.document import Document
from gui.panels.data import column_facts
from gui.panels.data.column_facts import Facts, missing_text, share_text
from gui.panels.data.order_dialog import OrderDialog
from gui.panels.data.profile import ColumnProfile, class_inks, missing_words, paint_bars
from gui.widgets import tables, verbatim
from gui.widgets.building import Reaction, below, empty_page, entry, open_menu, put_pages, refuse
from gui.widgets.columns import KINDS, LOCKED, Word, column_data, column_picture, kind_menu, role_menu, role_word
from gui.widgets.fields import FindField
from gui.widgets.labels import telling
from gui.wording import phrases, words

HEADERS = (marked("Column"), marked("Values"), marked("Role"), marked("Missing"), marked("Distinct"))
NAME, VALUES, ROLE, MISSING, DISTINCT = range(5)
FACTS_ROLE = Qt.ItemDataRole.UserRole + 1
EXPLAINED = {
    VALUES: marked("How the rows spread over the values; coloured by class."),
    ROLE: marked("Click to change it."),
    MISSING: marked("Rows without a value."),
    DISTINCT: marked("Different values that occur."),
}

ROW_HEIGHT = 28
FLAG = 16
BESIDE_NAME = 28  # the icon of the kind and the margins of a cell

TIGHT = {VALUES: 42, ROLE: 34, MISSING: 48, DISTINCT: 48}  # where names need the room
USUAL = {VALUES: 58, ROLE: 36, MISSING: 76, DISTINCT: 56}
WIDE = {**USUAL, ROLE: 88}  # where roles are written out
# From the widest way on: the widths of the cells beside the names, and which of them are hidden.
WAYS: tuple[tuple[dict[int, int], set[int]], ...] = (
    (WIDE, set()), (USUAL, set()), (TIGHT, set()), (TIGHT, {DISTINCT}), (TIGHT, {DISTINCT, MISSING}),
)  # fmt: skip
SHORTEST_NAME, EASY_NAME = 72, 104
BESIDE_FIGURE = 10  # the margins of a cell
POINTER = 12  # pixels from the mouse to the picture of what is dragged
AT_ONCE = 16  # columns that one job counts; between two of them other work gets its turn


class ColumnModel(tables.TableModel[int]):
    """One row for each column of the table, the record its place; facts arrive later than names."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: engine.Table | None = None
        self._known: dict[str, tuple[Any, Facts]] = {}  # by name what the facts depend on, and they
        self._locked: tuple[str, ...] = ()
        self.columns = self._declared()

    def show(self, table: engine.Table | None) -> None:
        """Puts a table up, with those of the known facts that hold for it, too."""
        before = [column.name for column in self._table.columns] if self._table is not None else []
        keys = {column.name: fact_key(table, column) for column in table.columns} if table is not None else {}
        self._table = table
        self._known = {name: each for name, each in self._known.items() if each[0] == keys.get(name)}
        if before == list(keys) and keys:
            self.dataChanged.emit(self.index(0, 0), self.index(len(keys) - 1, len(HEADERS) - 1))
        else:
            self.fill(range(len(keys)))

    def set_facts(self, place: int, facts: Facts) -> None:
        assert self._table is not None
        column = self.column(place)
        self._known[column.name] = fact_key(self._table, column), facts
        self.dataChanged.emit(self.index(place, 0), self.index(place, len(HEADERS) - 1))

    def set_locked(self, names: tuple[str, ...]) -> None:
        self._locked = names
        self.dataChanged.emit(self.index(0, ROLE), self.index(self.rowCount() - 1, ROLE))

    def facts(self, place: int) -> Facts | None:
        """The facts about a column, None while they are being counted; a name of rows that is used as such is fine."""
        name = self.name(place)
        facts = self._known.get(name, (None, None))[1]
        fine = facts is not None and self._table is not None and self._table.roles.get(name) in ("key", "group")
        return replace(facts, warning="") if fine and facts is not None else facts

    def known(self) -> list[Facts]:
        return [facts for _, facts in self._known.values()]

    def column(self, place: int) -> engine.Column:
        assert self._table is not None
        return self._table.columns[place]

    def name(self, place: int) -> str:
        return self.column(place).name

    def role_of(self, place: int) -> str:
        """The role of the column in a row, "target" for the one to predict."""
        assert self._table is not None
        name = self.name(place)
        return "target" if name == self._table.target else self._table.roles.get(name, "feature")

    def is_locked(self, place: int) -> bool:
        """Whether the column in a row is a feature that no search may use."""
        return self.name(place) in self._locked and self.role_of(place) == "feature"

    def why_fixed(self, place: int, role: str | None = None) -> str:
        """Why the column in a row cannot get a role or, where none is named, another kind; empty where it can."""
        assert self._table is not None
        own = tr("First make another column the target.") if role and self.role_of(place) == "target" else ""
        return self._table.why_fixed(self.name(place), role) or own

    def _role_word(self, place: int) -> Word:
        return LOCKED if self.is_locked(place) else role_word(self.role_of(place))

    def flags(self, index: tables.Index) -> Qt.ItemFlag:
        """Features can be dragged onto a node of the tree."""
        usual = super().flags(index)
        feature = index.isValid() and self.role_of(index.row()) == "feature"
        return usual | Qt.ItemFlag.ItemIsDragEnabled if feature else usual

    def mimeData(self, indexes: Any) -> QMimeData:
        return column_data(self.name(indexes[0].row()))

    def _declared(self) -> list[tables.Column[int]]:
        spoken = {Qt.ItemDataRole.AccessibleTextRole: self._spoken}
        decoration = Qt.ItemDataRole.DecorationRole

        def column(
            section: int, words: bool, text: Callable[[int], str], key: Callable[[int], Any],
            explained: Callable[[int], str], more: Mapping[Any, Callable[[int], Any]] | None = None,
        ) -> tables.Column[int]:  # fmt: skip
            return tables.Column(
                tr(HEADERS[section]), text, words, tr(EXPLAINED[section]) if section else "", key=key,
                explained=explained, ink=lambda place: self._ink(place, section),
                more={FACTS_ROLE: self.facts, **(more or {})},
            )  # fmt: skip

        def figure(of: Callable[[Facts], Any], waiting: Any) -> Callable[[int], Any]:
            return lambda place: waiting if (facts := self.facts(place)) is None else of(facts)

        return [
            column(NAME, True, self.name, lambda place: self.name(place).casefold(), self._about,
                   {decoration: lambda place: icons.icon(KINDS[self.column(place).kind].icon,
                                                         self._ink(place, NAME) or theme.current().text), **spoken}),
            column(VALUES, True, lambda place: "", lambda place: place if self.facts(place) is not None else -1,
                   self._about, spoken),
            column(ROLE, True, lambda place: self._role_word(place).word, lambda place: self._role_word(place).word,
                   lambda place: _meaning(self._role_word(place)),
                   {decoration: lambda place: icons.icon(self._role_word(place).icon, self._ink(place, ROLE))}),
            column(MISSING, False, figure(missing_text, "…"), figure(lambda facts: facts.n_missing, -1), self._missing),
            column(DISTINCT, False, figure(distinct_text, "…"), figure(lambda facts: facts.n_distinct, -1),
                   self._distinct),
        ]  # fmt: skip

    def _spoken(self, place: int) -> str:
        return ". ".join([self.name(place), KINDS[self.column(place).kind].word, *self._warnings(place)])

    def _ink(self, place: int, section: int) -> QColor | None:
        role, current = self.role_of(place), theme.current()
        if role == "target" and section in (NAME, ROLE):
            return current.accent
        return current.secondary if role == "ignore" or section != NAME else None

    def _about(self, place: int) -> str:
        facts = self.facts(place)
        shown = [facts.shown] if facts is not None and facts.shown else []
        return "\n".join([self.name(place), _meaning(KINDS[self.column(place).kind]), *shown, *self._warnings(place)])

    def _warnings(self, place: int) -> list[str]:
        facts = self.facts(place)
        return [facts.warning] if facts is not None and facts.warning else []

    def _missing(self, place: int) -> str:
        facts = self.facts(place)
        return missing_words(facts.n_missing, facts.n_rows) if facts is not None else self._about(place)

    def _distinct(self, place: int) -> str:
        if (facts := self.facts(place)) is None:
            return self._about(place)
        n = facts.n_distinct
        return tr("1 different value") if n == 1 else tr("{n} different values", n=words.count(n))


def _meaning(word: Word) -> str:
    return tr("{word}: {meaning}", word=tr(word.capital), meaning=word.meaning)


def distinct_text(facts: Facts) -> str:
    return words.compact_count(facts.n_distinct)


class ColumnDelegate(QStyledItemDelegate):
    """Paints histograms in the column `VALUES` and a warning sign behind the names of flagged columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.focus = 1
        self.names: tuple[str, ...] = ()

    def initStyleOption(self, option: Any, index: tables.Index) -> None:
        """Says less where there is less room: icons for roles, shares for counts, names that can be told apart."""
        super().initStyleOption(option, index)
        width, facts = option.rect.width(), index.data(FACTS_ROLE)
        if index.column() == NAME:
            option.text = telling(option.text, self.names, width - BESIDE_NAME, option.fontMetrics)
            return
        short = option.fontMetrics.horizontalAdvance(option.text) > width - BESIDE_FIGURE
        if index.column() == ROLE and option.fontMetrics.horizontalAdvance(option.text) > width - BESIDE_NAME:
            option.text = ""
        elif index.column() == MISSING and short and facts is not None and facts.n_missing:
            option.text = share_text(facts)

    def paint(self, painter: QPainter, option: Any, index: tables.Index) -> None:
        facts: Facts | None = index.data(FACTS_ROLE)
        current = theme.current()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, theme.mix(current.card, current.accent, 0.14))
            option.state &= ~QStyle.StateFlag.State_Selected
        flagged = index.column() == NAME and facts is not None and bool(facts.warning)
        whole = QRectF(option.rect)
        if flagged:
            option.rect.adjust(0, 0, -FLAG - 8, 0)
        super().paint(painter, option, index)
        if flagged:
            picture = icons.pixmap("warning", FLAG, painter.device().devicePixelRatioF(), current.warning)
            at = QPointF(whole.right() - FLAG - 4, whole.center().y() - FLAG / 2)
            painter.drawPixmap(at, picture, QRectF(picture.rect()))
        elif index.column() == VALUES and facts is not None:
            room = whole.adjusted(6, 5, -6, -5)
            paint_bars(painter, room, facts.bars, class_inks(facts.bars.shape[1], self.focus), room.height())


class ColumnsView(tables.TableView):
    """Drags a column by a picture of its name, which leaves the nodes below the mouse in sight."""

    def startDrag(self, actions: Qt.DropAction) -> None:
        index = self.currentIndex()
        if index.flags() & Qt.ItemFlag.ItemIsDragEnabled:
            drag = QDrag(self)
            drag.setMimeData(self.model().mimeData([index]))
            drag.setPixmap(column_picture(index.siblingAtColumn(NAME).data(), self.font(), self.devicePixelRatioF()))
            drag.setHotSpot(QPoint(-POINTER, -POINTER))
            drag.exec(Qt.DropAction.CopyAction)


class ColumnsPanel(QWidget):
    """Lists the columns of the document's table and changes their roles, kinds and the target."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("columns_panel")
        self._document = document
        self._figures: dict[str, int] = {}  # the widest of each sort, in pixels
        self._profiled = ""  # the name of the column whose profile is shown
        self._build()
        document.tableChanged.connect(self._on_table_changed)
        document.focusChanged.connect(self._on_focus_changed)
        document.searchChanged.connect(self._on_search_changed)
        theme.watcher().changed.connect(self._on_focus_changed)
        self._on_table_changed()

    def _on_table_changed(self) -> None:
        table = self._document.table
        self._on_search_changed()
        self.pages.setCurrentWidget(self.empty if table is None else self.filled)
        self._document.jobs.drop("columns")
        self.model.show(table)
        if table is None:
            self.profile.show_column(None)
            return
        self._delegate.names = names = tuple(column.name for column in table.columns)
        self._measure_anew()
        columns, features = len(names), len(table.features)
        listed = phrases.counted_columns(columns)
        used = tr("1 feature") if features == 1 else tr("{n} features", n=words.count(features))
        self.summary.setText(tr("{columns}, {features}", columns=listed, features=used))
        self._profiled = self._profiled if self._profiled in names else ""
        self._on_focus_changed()
        self._count(table, [place for place in range(columns) if self.model.facts(place) is None])

    def _count(self, table: engine.Table, places: list[int]) -> None:
        if not places:
            return
        now, later = places[:AT_ONCE], places[AT_ONCE:]

        def done(found: list[Facts]) -> None:
            if not found:  # it was stopped
                return
            for place, facts in zip(now, found, strict=True):
                self.model.set_facts(place, facts)
            self._measure(found)
            self._count(table, later)

        is_slow = table.counter is not None  # which reads all rows to draw some
        self._document.jobs.run(
            tr("Looking at the columns"), column_facts.facts_of, table, now,
            done=done, key="columns", quiet=True, idle=is_slow,
        )  # fmt: skip

    def _on_search_changed(self) -> None:
        self.model.set_locked(self._document.hand.locked_columns)

    def _on_focus_changed(self) -> None:
        table = self._document.table
        self._delegate.focus = self._document.focus_class if table is not None else 1
        self.view.viewport().update()
        self.profile.show_column(table.index(self._profiled) if table is not None and self._profiled else None)

    def _show_profile(self, place: int) -> None:
        self._profiled = self.model.name(place)
        self.profile.show_column(place)

    def _place(self, index: Any) -> int:
        return self.proxy.mapToSource(index).row() if index.isValid() else -1

    def _kind_menu(self, place: int, parent: QWidget) -> QMenu:
        menu = kind_menu(self.model.column(place).kind, partial(self._choose_kind, place), parent)
        return _greyed(menu, lambda kind: self.model.why_fixed(place))

    def _choose_kind(self, place: int, kind: str) -> None:
        """Texts know no order but the alphabet's, which is hardly meant: who makes them ordered is asked for it."""
        column = self.model.column(place)
        if (kind, column.kind, column.declared) == ("ordered", "nominal", False):
            self._order_levels(place)
        else:
            self._document.table_edits.set_kind(column.name, kind)

    def _order_levels(self, place: int) -> None:
        column = self.model.column(place)
        dialog = OrderDialog(column, self)
        dialog.finished.connect(dialog.deleteLater)
        dialog.accepted.connect(lambda: self._document.table_edits.set_order(column.name, dialog.levels))
        dialog.open()

    def role_menu(self, place: int, parent: QWidget) -> QMenu:
        menu = role_menu(self.model.role_of(place), partial(self._choose_role, place), parent)
        return _greyed(menu, partial(self.model.why_fixed, place))

    def _choose_role(self, place: int, role: str) -> None:
        name = self.model.name(place)
        if role == self.model.role_of(place):
            return
        if role == "target":
            self._document.table_edits.set_target(name)
        else:
            self._document.table_edits.set_role(name, role)

    def _set_locked(self, place: int, on: bool) -> None:
        name, hand = self.model.name(place), self._document.hand
        others = tuple(each for each in hand.locked_columns if each != name)
        hand.lock_columns((*others, name) if on else others)

    def context_menu(self, place: int) -> QMenu:
        menu = QMenu(self, toolTipsVisible=True)

        def add(icon: str, text: str, do: Callable[[], None], why: str = "") -> QAction:
            action = entry(menu, text, do)
            action.setIcon(icons.icon(icon))
            refuse(action, why)
            return action

        role = self.model.role_of(place)
        used = role == "feature"
        verb = tr("&Ignore it") if used else tr("&Use it as a feature")
        other = "ignore" if used else "feature"
        for each, text in {"target": tr("Make it the &target"), other: verb}.items():
            if each != role:
                add(each, text, partial(self._choose_role, place, each), self.model.why_fixed(place, each))
        if used:
            locked = self.model.is_locked(place)
            text = tr("Un&lock it") if locked else tr("&Lock it")
            lock = add("lock", text, lambda: self._set_locked(place, not locked))
            lock.setToolTip(tr("No search uses a locked column"))
        menu.addSeparator()
        menu.addMenu(self.role_menu(place, menu))
        menu.addMenu(self._kind_menu(place, menu))
        if self.model.column(place).kind == "ordered":
            add("ordered", tr("Order of &levels…"), lambda: self._order_levels(place), self.model.why_fixed(place))
        return menu

    def _on_context_menu(self, point: QPoint) -> None:
        if (place := self._place(self.view.indexAt(point))) >= 0:
            open_menu(self.context_menu(place), self.view.viewport().mapToGlobal(point))

    def _on_clicked(self, index: Any) -> None:
        """A press on a role opens the roles, one beside it shows the column's profile."""
        if index.column() == ROLE:
            self._open_at(self.role_menu(self._place(index), self), index)
        else:
            self._show_profile(self._place(index))

    def _on_current(self, index: Any) -> None:
        if self._profiled and index.isValid():
            self._show_profile(self._place(index))

    def _open_at(self, menu: QMenu, index: Any) -> None:
        open_menu(menu, self.view.viewport().mapToGlobal(self.view.visualRect(index).bottomLeft()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.view.currentIndex()
        place = self._place(index)
        if place >= 0 and event.key() == Qt.Key.Key_F2:
            self._open_at(self._kind_menu(place, self), index.siblingAtColumn(NAME))
        elif place >= 0 and event.key() == Qt.Key.Key_F3:
            self._open_at(self.role_menu(place, self), index.siblingAtColumn(ROLE))
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(368, 480)

    def _measure_anew(self) -> None:
        self._figures = {}
        self._measure(self.model.known())

    def _measure(self, found: list[Facts]) -> None:
        metrics = QFontMetrics(self.view.font())
        for facts in found:
            texts = {"distinct": distinct_text(facts), "missing": missing_text(facts), "share": share_text(facts)}
            for sort, text in texts.items():
                self._figures[sort] = max(self._figures.get(sort, 0), metrics.horizontalAdvance(text))
        self._share_width()

    def _fitting(self, widths: dict[int, int]) -> dict[int, int]:
        metrics, missing = QFontMetrics(self.view.font()), "share" if widths is TIGHT else "missing"
        figures = {MISSING: self._figures.get(missing, 0), DISTINCT: self._figures.get("distinct", 0)}
        head = {k: metrics.horizontalAdvance(tr(HEADERS[k])) for k in widths}
        return {k: max(width, max(head[k], figures.get(k, 0)) + BESIDE_FIGURE) for k, width in widths.items()}

    def _share_width(self) -> None:
        """Names take the room that the other cells leave. Where a name needs more the others leave more, and figures
        that tell least are hidden; the number of missing rows is where none is missing."""
        room, metrics = self.view.viewport().width(), QFontMetrics(self.view.font())
        longest = max((metrics.horizontalAdvance(name) for name in self._delegate.names), default=0) + BESIDE_NAME
        known = self.model.known()
        whole = len(known) == self.model.rowCount() and not any(facts.n_missing for facts in known)
        gaps = {MISSING} if whole else set()
        ways = [(widths, gaps | hidden) for widths, hidden in WAYS]
        fitting = [{k: width for k, width in self._fitting(widths).items() if k not in out} for widths, out in ways]
        easy = (others for others in fitting if room - sum(others.values()) >= max(longest, EASY_NAME))
        others = next(easy, fitting[-1])
        header = self.view.horizontalHeader()
        for section in (MISSING, DISTINCT):
            self.view.setColumnHidden(section, section not in others)
        for section, width in {**others, NAME: max(SHORTEST_NAME, room - sum(others.values()))}.items():
            header.resizeSection(section, width)

    def _build(self) -> None:
        self.model = ColumnModel(self)
        self.proxy = QSortFilterProxyModel(self, sortRole=tables.SORT_KEY, filterKeyColumn=NAME)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.proxy.setSourceModel(self.model)
        self.search = FindField("columns_search", tr("Find a column…"), tr("Find a column"),
                                textChanged=self.proxy.setFilterFixedString)  # fmt: skip
        self.summary = verbatim.label(objectName="columns_summary")
        self.summary.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self._build_view()
        self.profile = ColumnProfile(self._document)
        self.filled = below(self.search, (self.view, 1), self.profile, self.summary, spacing=8)
        self.empty = empty_page(tr("Open a table: its columns will stand here, with their kinds, gaps and values."))
        self.empty.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.setFocusProxy(self.search)
        self.pages = put_pages(self, self.filled, self.empty, margins=(8, 8, 8, 8))

    def _build_view(self) -> None:
        self.view = ColumnsView(
            "columns_table", tr("Columns of the table"), self.model, ROW_HEIGHT, self.proxy, iconSize=QSize(16, 16),
            accessibleDescription=tr("F2 changes the kind of the current column, F3 its role."), dragEnabled=True,
            selectionMode=ColumnsView.SelectionMode.SingleSelection, dragDropMode=ColumnsView.DragDropMode.DragOnly,
            horizontalScrollMode=ColumnsView.ScrollMode.ScrollPerPixel,
            contextMenuPolicy=Qt.ContextMenuPolicy.CustomContextMenu,
        )  # fmt: skip
        self._delegate = ColumnDelegate(self.view)
        self.view.setItemDelegate(self._delegate)
        self.view.customContextMenuRequested.connect(self._on_context_menu)
        Reaction(self.view.viewport(), self._measure_anew, QEvent.Type.FontChange)
        Reaction(self.view.viewport(), self._share_width, QEvent.Type.Resize)
        self.view.clicked.connect(self._on_clicked)
        self.view.activated.connect(lambda index: self._show_profile(self._place(index)))
        self.view.selectionModel().currentRowChanged.connect(self._on_current)
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)


def _greyed(menu: QMenu, why: Callable[[str], str]) -> QMenu:
    """Greys what cannot be chosen, as `why` says of the name of an entry; what is chosen already stays as it is."""
    for action in menu.actions():
        if not action.isChecked() and (reason := why(action.objectName())):
            refuse(action, reason)
    return menu


def fact_key(table: engine.Table, column: engine.Column) -> tuple[Any, ...]:
    """What the facts about a column depend on: the column, the target, and which rows train."""
    target = table.column(table.target).mark if table.target is not None else ""
    weight = next((name for name, role in table.roles.items() if role in ("weight", "frequency")), None)
    group = next((name for name, role in table.roles.items() if role == "group"), None)
    return column.mark, target, weight, group, table.partition
