"""The columns panel: every column with its kind, role, gaps and shape, and a word of warning where one is due."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize, QSortFilterProxyModel, Qt
from PySide6.QtGui import QAction, QDrag, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QMenu,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gui import icons, theme
from gui.dialogs.order_dialog import OrderDialog
from gui.panels.data.columns.delegate import BESIDE_NAME, ROW_HEIGHT, SHARE_ONLY, ColumnDelegate
from gui.panels.data.columns.menu import kind_menu, role_menu
from gui.panels.data.columns.model import DISTINCT, HEADERS, MISSING, NAME, ROLE, SORT_ROLE, VALUES, ColumnModel
from gui.panels.data.columns.words import distinct_text, missing_text, share_text
from gui.widgets import pages, verbatim
from gui.widgets.dragged import column_picture, dragged_column
from gui.widgets.find_field import FindField
from gui.wording import words

if TYPE_CHECKING:
    from engine.table.table import Table
    from gui.model.document import Document
    from gui.panels.data.columns.facts import Facts

TIGHT = {VALUES: 42, ROLE: 34, MISSING: 48, DISTINCT: 48}  # where names need the room
USUAL = {VALUES: 58, ROLE: 36, MISSING: 76, DISTINCT: 56}
WIDE = {**USUAL, ROLE: 88}  # where roles are written out
# From the widest way on: the widths of the cells beside the names, and which of them are hidden.
WAYS: tuple[tuple[dict[int, int], set[int]], ...] = (
    (WIDE, set()), (USUAL, set()), (TIGHT, set()), (TIGHT, {DISTINCT}), (TIGHT, {DISTINCT, MISSING}),
)  # fmt: skip
SHORTEST_NAME, EASY_NAME = 72, 104
BESIDE_FIGURE = 10  # the margins of a cell
MARGINS, SCROLL_BAR = 18, 16  # around the list
ABOVE_ROWS = 130  # search, header and summary
POINTER = 12  # pixels from the mouse to the picture of what is dragged
AT_ONCE = 16  # columns that one job counts; between two of them other work gets its turn


class ColumnsView(QTableView):
    """Drags a column by a picture of its name, which leaves the nodes below the mouse in sight."""

    def startDrag(self, actions: Qt.DropAction) -> None:
        index = self.currentIndex()
        if index.flags() & Qt.ItemFlag.ItemIsDragEnabled:
            drag = QDrag(self)
            drag.setMimeData(self.model().mimeData([index]))
            drag.setPixmap(column_picture(dragged_column(drag.mimeData()), self.font(), self.devicePixelRatioF()))
            drag.setHotSpot(QPoint(-POINTER, -POINTER))
            drag.exec(Qt.DropAction.CopyAction)


class ColumnsPanel(QWidget):
    """Lists the columns of the document's table and changes their roles, kinds and the target."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("columns_panel")
        self._document = document
        self._known: dict[str, tuple[Any, Facts]] = {}
        self._figures: dict[str, int] = {}  # the widest of each sort, in pixels
        self._build()
        document.tableChanged.connect(self._on_table_changed)
        document.focusChanged.connect(self._on_focus_changed)
        document.searchChanged.connect(self._on_search_changed)
        theme.watcher().changed.connect(self.view.viewport().update)
        self._on_table_changed()

    # -- the table

    def _on_table_changed(self) -> None:
        table = self._document.table
        self._on_search_changed()
        self.pages.setCurrentWidget(self.empty if table is None else self.filled)
        self._document.jobs.drop("columns")
        if table is None:
            self._known = {}
            self.model.show(None, [])
            return
        keys = {column.name: fact_key(table, column) for column in table.columns}
        self._known = {name: each for name, each in self._known.items() if same(each[0], keys.get(name))}
        known = [self._known[name][1] if name in self._known else None for name in keys]
        self._delegate.names = tuple(keys)
        self.model.show(table, known)
        self._figures = {}
        self._measure([each for each in known if each is not None])
        self._share_width()
        self._summarise(table)
        self._on_focus_changed()
        self._count(table, [place for place, each in enumerate(known) if each is None])

    def _count(self, table: Table, places: list[int]) -> None:
        """Has the next few columns counted in the background, then the others."""
        if not places:
            return
        now, later = places[:AT_ONCE], places[AT_ONCE:]

        def done(found: list[Facts]) -> None:
            for place, facts in zip(now, found, strict=True):
                column = table.columns[place]
                self._known[column.name] = (fact_key(table, column), facts)
                self.model.set_facts(place, facts)
            self._measure(found)
            self._share_width()
            self._count(table, later)

        self._document.jobs.run("Looking at the columns", counted, table, now, done=done, key="columns", quiet=True)

    def _summarise(self, table: Table) -> None:
        columns = len(table.columns)
        features = len(table.features)
        self.summary.setText(
            f"{words.count(columns)} {'column' if columns == 1 else 'columns'}, "
            f"{words.count(features)} {'feature' if features == 1 else 'features'}"
        )

    def _on_search_changed(self) -> None:
        self.model.set_locked(frozenset(self._document.hand.locked_columns))

    def _on_focus_changed(self) -> None:
        self._delegate.focus = self._document.focus_class if self._document.table is not None else 1
        self.view.viewport().update()

    # -- what a person does

    def _place(self, index: Any) -> int:
        return self.proxy.mapToSource(index).row() if index.isValid() else -1

    def kind_menu(self, place: int, parent: QWidget | None = None) -> QMenu:
        """The kinds to choose from for the column at a place of the table."""
        return kind_menu(self.model.kind(place), lambda kind: self._choose_kind(place, kind), parent or self)

    def _choose_kind(self, place: int, kind: str) -> None:
        """Texts know no order but the alphabet's, which is hardly meant: who makes them ordered is asked for it."""
        column = self.model.column(place)
        if (kind, column.kind, column.declared) == ("ordered", "nominal", False):
            self.order_levels(place)
        else:
            self._document.table_edits.set_kind(column.name, kind)

    def order_levels(self, place: int) -> None:
        """Asks for the order of a column's levels."""
        column = self.model.column(place)
        dialog = OrderDialog(column, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._document.table_edits.set_order(column.name, dialog.levels))
        dialog.open()

    def role_menu(self, place: int, parent: QWidget | None = None) -> QMenu:
        """The roles to choose from, the target among them."""
        menu = role_menu(self.model.role_of(place), lambda role: self._choose_role(place, role), parent or self)
        if self.model.role_of(place) == "target":
            for action in menu.actions():
                action.setEnabled(action.isChecked())
                action.setToolTip("First make another column the target.")
        return menu

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
        """Everything that can be done with a column."""
        menu = QMenu(self)
        target = QAction(icons.icon("target"), "Make it the &target", menu)
        target.setEnabled(self.model.role_of(place) != "target")
        target.triggered.connect(lambda: self._choose_role(place, "target"))
        menu.addAction(target)
        used = self.model.role_of(place) == "feature"
        verb = "&Ignore it" if used else "&Use it as a feature"
        use = QAction(icons.icon("ignore" if used else "feature"), verb, menu)
        use.setEnabled(target.isEnabled())
        use.triggered.connect(lambda: self._choose_role(place, "ignore" if used else "feature"))
        menu.addAction(use)
        if used:
            locked = self.model.is_locked(place)
            lock = QAction(icons.icon("lock"), "Un&lock it" if locked else "&Lock it", menu)
            lock.setToolTip("No search uses a locked column")
            lock.triggered.connect(lambda: self._set_locked(place, not locked))
            menu.addAction(lock)
        menu.addSeparator()
        menu.addMenu(self.role_menu(place, menu))
        menu.addMenu(self.kind_menu(place, menu))
        if self.model.kind(place) == "ordered":
            order = QAction(icons.icon("ordered"), "Order of &levels…", menu)
            order.triggered.connect(lambda: self.order_levels(place))
            menu.addAction(order)
        return menu

    def _open(self, menu: QMenu, where: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def _on_context_menu(self, point: QPoint) -> None:
        place = self._place(self.view.indexAt(point))
        if place >= 0:
            self._open(self.context_menu(place), self.view.viewport().mapToGlobal(point))

    def _on_clicked(self, index: Any) -> None:
        """A press on a role opens the roles."""
        if index.column() == ROLE:
            self._open_at(self.role_menu(self._place(index)), index)

    def _open_at(self, menu: QMenu, index: Any) -> None:
        self._open(menu, self.view.viewport().mapToGlobal(self.view.visualRect(index).bottomLeft()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.view.currentIndex()
        place = self._place(index)
        if place >= 0 and event.key() == Qt.Key.Key_F2:
            self._open_at(self.kind_menu(place), index.siblingAtColumn(NAME))
        elif place >= 0 and event.key() == Qt.Key.Key_F3:
            self._open_at(self.role_menu(place), index.siblingAtColumn(ROLE))
        else:
            super().keyPressEvent(event)

    # -- the window

    def sizeHint(self) -> QSize:
        return QSize(368, 480)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def _measure(self, found: list[Facts]) -> None:
        """Notes how wide the figures of some columns are."""
        metrics = QFontMetrics(self.view.font())
        for facts in found:
            texts = {"distinct": distinct_text(facts), "missing": missing_text(facts), "share": share_text(facts)}
            for sort, text in texts.items():
                self._figures[sort] = max(self._figures.get(sort, 0), metrics.horizontalAdvance(text))

    def _fitting(self, widths: dict[int, int]) -> dict[int, int]:
        """These widths, or larger ones where a figure or its heading needs them."""
        metrics, share = QFontMetrics(self.view.font()), widths is TIGHT
        figures = {MISSING: self._figures.get("share" if share else "missing", 0)}
        figures[DISTINCT] = self._figures.get("distinct", 0)
        need = {k: max(wide, metrics.horizontalAdvance(HEADERS[k])) + BESIDE_FIGURE for k, wide in figures.items()}
        fitting = {k: max(width, need.get(k, 0)) for k, width in widths.items()}
        return {**fitting, MISSING: min(fitting[MISSING], SHARE_ONLY - 1)} if share else fitting

    def _share_width(self) -> None:
        """Names take the room that the other cells leave. Where a name needs more the others leave more, and figures
        that tell least are hidden; the number of missing rows is where none is missing."""
        scrolls = self.model.rowCount() * ROW_HEIGHT > self.height() - ABOVE_ROWS
        room = self.width() - MARGINS - SCROLL_BAR * scrolls
        metrics = QFontMetrics(self.view.font())
        longest = max((metrics.horizontalAdvance(name) for name in self._delegate.names), default=0) + BESIDE_NAME
        gaps = {MISSING} if self.model.nothing_missing else set()
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
        self.proxy = QSortFilterProxyModel(self)
        self.proxy.setSourceModel(self.model)
        self.proxy.setSortRole(SORT_ROLE)
        self.proxy.setFilterKeyColumn(NAME)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.search = FindField("columns_search", "Find a column…", "Find a column")
        self.search.textChanged.connect(self.proxy.setFilterFixedString)
        self.summary = verbatim.label(objectName="columns_summary")
        self.summary.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self._build_view()
        self.filled = QWidget()
        column = QVBoxLayout(self.filled)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addWidget(self.view, 1)
        column.addWidget(self.summary)
        self.empty = pages.empty("Open a table: its columns will stand here, with their kinds, gaps and values.")
        self.empty.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.setFocusProxy(self.search)
        self.pages = pages.put(self, self.filled, self.empty, (8, 8, 8, 8))

    def _build_view(self) -> None:
        self.view = ColumnsView(objectName="columns_table")
        self.view.setAccessibleName("Columns of the table")
        self.view.setAccessibleDescription("F2 changes the kind of the current column, F3 its role.")
        self.view.setModel(self.proxy)
        self._delegate = ColumnDelegate(self.view)
        self.view.setItemDelegate(self._delegate)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.setTabKeyNavigation(False)
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setIconSize(QSize(16, 16))
        self.view.setDragEnabled(True)
        self.view.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._on_context_menu)
        self.view.clicked.connect(self._on_clicked)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.view.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        header = self.view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        self.view.setSortingEnabled(True)


def counted(table: Table, places: list[int], progress: Any) -> list[Facts]:
    """The facts about some columns. For the worker."""
    from gui.panels.data.columns.facts import facts

    return [facts(table, place) for place in places]


def fact_key(table: Table, column: Any) -> tuple[Any, ...]:
    """What the facts about a column depend on: the column, the target, and which rows train."""
    target = table.column(table.target) if table.target is not None else None
    weight = next((name for name, role in table.roles.items() if role in ("weight", "frequency")), None)
    return column, target, weight, table.partition


def same(key: tuple[Any, ...], other: tuple[Any, ...] | None) -> bool:
    """Whether two keys stand for the same facts; columns are the same when they are the same object."""
    if other is None:
        return False
    return key[0] is other[0] and key[1] is other[1] and key[2:] == other[2:]
