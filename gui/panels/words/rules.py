"""The rules panel: the tree in words, class by class, in step with the canvas."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import (
    QAbstractItemModel,
    QMargins,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QPalette, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

import engine
from engine.runtime.progress import Progress
from gui import theme
from gui.model.document import Document
from gui.widgets import pages, verbatim
from gui.widgets.building import fill, named
from gui.widgets.fields import FindField
from gui.widgets.tables import aligned, bold
from gui.wording import words

if TYPE_CHECKING:
    from engine.tree.rules import ClassRule, Path

MOST = 2000  # leaves that are listed; making and unfolding that many takes less than a tenth of a second
RULE, TRAINING_ROWS, TRAINING, VALIDATION_ROWS, VALIDATION = range(5)
ROW_HEIGHT = 24
HEADING = 0  # the internal id of a top row; a leaf has 1 + the row of its heading
HEADING_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
LEAF_FLAGS = HEADING_FLAGS | Qt.ItemFlag.ItemNeverHasChildren

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
AIR = 8  # pixels above and below the words together
AT_ONCE = 200  # leaves; the rules of more are made in the worker
FAR = 100  # rows; nearer ones are scrolled to, further ones are jumped to


class RulesModel(QAbstractItemModel):
    """A top row for each class with its leaves below; for a numeric target a top row for each leaf.

    The words of a leaf are made when they are first shown.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree: engine.Tree | None = None
        self._focus = 0
        self._all: list[ClassRule] = []
        self._rules: list[ClassRule] = []  # with those of their paths that the filter lets through
        self._kept: list[int] = []  # where each stands among all
        self._filter = ""
        self._above: dict[int, str] = {}  # by leaf, what the splits above it ask
        self._sums: list[tuple[int, int, int]] = []
        self._places: dict[int, tuple[int, int]] = {}

    def show(self, tree: engine.Tree | None, focus: int, rules: list[ClassRule] | None = None) -> None:
        """Shows another tree; `focus` is the class that the colours single out, `rules` are its rules if at hand."""
        self.beginResetModel()
        self._tree, self._focus, self._above = tree, focus, {}
        self._all = [] if tree is None else engine.rules(tree, most=MOST) if rules is None else rules
        self._sums = _sums(tree) if tree is not None and tree.task == "classes" else []
        self._narrow()
        self.endResetModel()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, VALIDATION)

    def narrow(self, text: str) -> None:
        """Shows only the ways whose words, or the conditions on the canvas that lead there, hold this text, in any
        case; and all of a class whose heading does."""
        self.beginResetModel()
        self._filter = words.typed(text.strip())
        self._narrow()
        self.endResetModel()

    def _narrow(self) -> None:
        self._rules, self._kept = [], []
        for k, rule in enumerate(self._all):
            whole = self._filter in words.typed(self._name(rule) if self._by_class else rule.text)
            paths = rule.paths if whole else tuple(filter(self._lets_through, rule.paths))
            if whole or paths:
                self._rules.append(replace(rule, paths=paths))
                self._kept.append(k)
        self._places = {
            path.node: (k, row) for k, rule in enumerate(self._rules) for row, path in enumerate(rule.paths)
        }

    def _lets_through(self, path: Path) -> bool:
        """Whether the filter stands in the words of a leaf, or in the sentences of the splits above it."""
        assert self._tree is not None
        if self._filter in words.typed(_words(path)):
            return True
        if path.node not in self._above:
            self._above[path.node] = words.typed("\n".join(self._tree.rule(path.node)))
        return self._filter in self._above[path.node]

    def _name(self, rule: ClassRule) -> str:
        return f"{self._tree.target} = {rule.label}" if self._tree is not None else ""

    @property
    def tree(self) -> engine.Tree | None:
        """The tree that is shown."""
        return self._tree

    def line_of(self, index: Index) -> int:
        """Which line of the list a row is when all headings are unfolded."""
        if not self._by_class:
            return index.row()
        k = _top_row(index)
        above = k + sum(len(rule.paths) for rule in self._rules[:k])
        return above if index.internalId() == HEADING else above + 1 + index.row()

    @property
    def left_out(self) -> int:
        """How many leaves are not listed."""
        return max(0, self._tree.n_leaves - MOST) if self._tree is not None else 0

    @property
    def text(self) -> str:
        """All rules, a line for each."""
        return "\n".join(map(self._line, self._all))

    def text_of(self, index: Index) -> str:
        """The rule of a leaf's row, of a heading that of its class, whatever the filter hides; empty for no row."""
        if not index.isValid():
            return ""
        rule, path = self._all[self._kept[_top_row(index)]], self._path(index)
        return self._line(rule if path is None or not self._by_class else replace(rule, paths=(path,), more=0))

    def index_of(self, node: int) -> QModelIndex:
        """The first cell of a leaf's row; an invalid index for a node that is not listed."""
        if node not in self._places:
            return QModelIndex()
        k, row = self._places[node]
        return self.createIndex(row, 0, k + 1) if self._by_class else self.createIndex(k, 0, HEADING)

    def node_at(self, index: Index) -> int | None:
        """The id of the leaf that a row stands for; None for a heading."""
        path = self._path(index) if index.isValid() else None
        return path.node if path is not None else None

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        # Not by `hasIndex`: the view asks for every row, and that one asks back for the rows and for the columns.
        if not (0 <= row < self.rowCount(parent) and 0 <= column <= VALIDATION):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else HEADING)

    def parent(self, index: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == HEADING:
            return QModelIndex()
        return self.createIndex(int(index.internalId()) - 1, 0, HEADING)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._rules)
        below = self._by_class and parent.internalId() == HEADING and parent.column() == 0
        return len(self._rules[parent.row()].paths) if below else 0

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return VALIDATION + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section <= VALIDATION:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headers()[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return verbatim.tip(self._explained()[section])
        return aligned(section == RULE) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return HEADING_FLAGS if self._by_class and index.internalId() == HEADING else LEAF_FLAGS

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid() or self._tree is None:
            return None
        section, heading = index.column(), self._path(index) is None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(section == RULE)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._text(index) if section == RULE else f"{self._spoken(section)}: {self._text(index)}"
        if role == Qt.ItemDataRole.SizeHintRole and section != RULE:
            return QSize(0, ROW_HEIGHT)
        if role == Qt.ItemDataRole.ToolTipRole and section == RULE:
            return verbatim.tip(self._tip(index))
        if role == Qt.ItemDataRole.DecorationRole and section == RULE and heading:
            return QColor(theme.current().class_colour(self._kept[index.row()], len(self._all), self._focus))
        if role == Qt.ItemDataRole.FontRole and heading:
            return bold()
        return None

    @property
    def _by_class(self) -> bool:
        return self._tree is not None and self._tree.task == "classes"

    def _path(self, index: Index) -> Path | None:
        """The way that a row shows; None for the heading of a class."""
        if not self._by_class:
            return self._rules[index.row()].paths[0]
        return None if index.internalId() == HEADING else self._rules[_top_row(index)].paths[index.row()]

    def _line(self, rule: ClassRule) -> str:
        return rule.text if rule.value is not None else f"{self._name(rule)}: {rule.text}"

    def _headers(self) -> tuple[str, ...]:
        figure = "Right" if self._by_class else "Error"
        return "Rule", "Training", figure, "Validation", figure

    def _spoken(self, section: int) -> str:
        """The name of a column for a screen reader, which does not see what it stands beside."""
        figure = "right" if self._by_class else "error"
        return ("rule", "training rows", f"{figure} in training", "validation rows", f"{figure} in validation")[section]

    def _explained(self) -> tuple[str, ...]:
        what = "Share of the {} rows whose class is the one that the leaf predicts"
        if not self._by_class:
            what = "Mean error of the leaf’s prediction on the {} rows: squared for a mean"
        return (
            "What leads to the class: one way for each leaf, those of most training rows first",
            "Training rows that go this way",
            what.format("training"),
            "Validation rows that go this way",
            what.format("validation"),
        )

    def _text(self, index: Index) -> str:
        path, section = self._path(index), index.column()
        if path is None:
            return self._heading(index.row(), section)
        if section == RULE:
            return _words(path) if self._by_class else self._rules[index.row()].text
        if section in (TRAINING_ROWS, VALIDATION_ROWS):
            return words.count(path.rows_train if section == TRAINING_ROWS else path.rows_validation)
        return self._figure(path.error_train if section == TRAINING else path.error_validation)

    def _figure(self, error: float) -> str:
        return words.percent(1.0 - error) if self._by_class else words.value(error)

    def _heading(self, k: int, section: int) -> str:
        n_leaves, train, validation = self._sums[self._kept[k]]
        if section == RULE:
            said = f"{n_leaves:,} {'leaf' if n_leaves == 1 else 'leaves'}" if n_leaves else "never"
            return f"{self._name(self._rules[k])} · {said}"
        return {TRAINING_ROWS: words.count(train), VALIDATION_ROWS: words.count(validation)}.get(section, "")

    def _tip(self, index: Index) -> str:
        path = self._path(index)
        if path is None:
            return f"All ways to “{self._rules[index.row()].label}”, joined by OR"
        return "\n".join(path.conditions) or "All rows"


def _sums(tree: engine.Tree) -> list[tuple[int, int, int]]:
    """(leaves, training rows, validation rows) of every class."""
    said, n = tree.labels[tree.leaves], len(tree.classes)
    leaves = np.bincount(said, minlength=n)
    rows = [np.bincount(said, of[tree.leaves], n) for of in (tree.rows_train, tree.rows_validation)]
    return [(int(a), int(b), int(c)) for a, b, c in zip(leaves, *rows, strict=True)]


def _top_row(index: Index) -> int:
    return index.row() if index.internalId() == HEADING else int(index.internalId()) - 1


def _words(path: Path) -> str:
    if len(path.conditions) > 1:
        return path.text
    return "".join(path.conditions) or "always"


class _Wrapped(QStyledItemDelegate):
    """Measures words as high as they are when wrapped to the column's width, which a tree view does not."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        view = self.parent()
        assert isinstance(view, QTreeView)
        asked = QStyleOptionViewItem(option)
        depth = 2 if index.parent().isValid() else 1
        asked.rect = QRect(0, 0, view.columnWidth(RULE) - depth * view.indentation(), 1)
        return super().sizeHint(asked, index).grownBy(QMargins(0, 0, 0, AIR))


class RulesPanel(QWidget):
    """Shows the document's tree as rules; the chosen leaf is the document's, in both directions.

    The rules are made when the panel is in sight, not before.
    """

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rules_panel")
        self._document = document
        self._focus = 0
        self._made: tuple[engine.Tree | None, list[engine.ClassRule]] = (None, [])
        self._quiet = False
        self._build()
        self._lay_out()
        for changed in (document.treeChanged, document.tableChanged, document.focusChanged):
            changed.connect(self._refresh)
        document.selectionChanged.connect(self._follow)
        theme.watcher().changed.connect(self._repaint)
        self.view.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.filter.textChanged.connect(self._on_filter_changed)
        self.copy.clicked.connect(self._on_copy)
        self.copy_all.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.model.text))
        copying = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.view)
        copying.setContext(Qt.ShortcutContext.WidgetShortcut)
        copying.activated.connect(self._on_copy)
        self._refresh()

    def _build(self) -> None:
        self.model = RulesModel(self)
        self.view = named(QTreeView(), "rules_tree", "Rules of the tree, by class")
        self.view.setModel(self.model)
        self.view.setFrameShape(QTreeView.Shape.NoFrame)
        self.view.setWordWrap(True)
        self.view.setItemDelegateForColumn(RULE, _Wrapped(self.view))
        self.view.setAllColumnsShowFocus(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setIndentation(16)
        self.view.setIconSize(QSize(10, 10))
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(RULE, QHeaderView.ResizeMode.Stretch)
        header.sectionResized.connect(self._measure)
        for section in range(RULE + 1, VALIDATION + 1):
            header.resizeSection(section, 80)
        self.filter = FindField("rules_filter", "Filter rules", "Filter rules", lens=False)
        self.filter.setMaximumWidth(240)
        self.filter.setToolTip(
            "Finds rules by their words as they stand here or, split by split, on the canvas; signs may be typed as "
            "<=, >=, !=. The name of a class finds all of its rules"
        )
        self.nothing = verbatim.label(objectName="rules_nothing", wordWrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.nothing.hide()
        self.copy = named(
            QPushButton("Copy rule"),
            "rules_copy",
            tip="Copies the rule of the chosen leaf, or of the class whose heading is chosen",
        )
        self.copy_all = named(QPushButton("Copy all"), "rules_copy_all", tip="Copies the rules of all classes")
        self.more = verbatim.label(objectName="rules_more", wordWrap=True)
        self.empty = pages.empty("Open a table: its tree will stand here as rules in words.")

    def _lay_out(self) -> None:
        controls = fill(QHBoxLayout(), self.filter, (self.more, 1), spacing=8)
        controls.addStretch(0)
        controls.addWidget(self.copy)
        controls.addWidget(self.copy_all)
        page = QWidget()
        fill(QVBoxLayout(page), controls, (self.view, 1), (self.nothing, 1), spacing=8)
        self.pages = pages.put(self, page, self.empty)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _repaint(self) -> None:
        """The colours of the classes are others."""
        self.view.viewport().update()

    def _measure(self) -> None:
        """Wrapped rows are of another height in a column of another width."""
        self.view.scheduleDelayedItemsLayout()

    def _refresh(self) -> None:
        """Makes the rules anew if the panel is in sight and they are others."""
        tree, focus = self._document.tree, self._document.focus_class if self._document.tree is not None else 0
        self.pages.setCurrentIndex(0 if tree is not None else 1)
        wanted = tree if self.isVisible() else None  # a tree out of sight is not kept
        if (wanted, focus) == (self.model.tree, self._focus):
            self._follow()
            return
        rules = self._rules_of(wanted)
        if rules is None:
            return
        self._focus = focus
        self._quiet = True
        self.model.show(wanted, focus, rules)
        self.view.expandAll()
        self._say_nothing()
        self._quiet = False
        validated = tree is None or bool(tree.rows_validation[0] > 0)
        for section in (VALIDATION_ROWS, VALIDATION):
            if self.view.isColumnHidden(section) is validated:  # or all rows would be laid out once more
                self.view.setColumnHidden(section, not validated)
        self.view.scrollToTop()
        left_out = self.model.left_out
        unlisted = f"{words.count(left_out)} leaves with the fewest training rows are not listed."
        self.more.setText(unlisted if left_out else "")
        self._follow()

    def _rules_of(self, tree: engine.Tree | None) -> list[engine.ClassRule] | None:
        """The rules of a tree; None while a worker makes those of a large one. Until then the former ones stay."""
        if tree is None or self._made[0] is tree:
            made = self._made if tree is not None else (None, [])
        elif min(tree.n_leaves, MOST) <= AT_ONCE:
            made = tree, engine.rules(tree, most=MOST)
        else:

            def done(rules: list[engine.ClassRule]) -> None:
                self._made = tree, rules
                self._refresh()

            self._document.jobs.run("Writing the rules", written, tree, done=done, key="rules", quiet=True)
            return None
        self._made = made
        self._document.jobs.drop("rules")
        return made[1]

    def _follow(self) -> None:
        """Marks the document's selected leaf; an inner node has no row. Out of sight it waits: rows have to be measured
        on the way to it."""
        if self.model.tree is None or not self.isVisible():
            self.copy.setEnabled(False)
            return
        index = self.model.index_of(self._document.selected)
        self._quiet = True
        if index.isValid():
            self._approach(index)
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)
        elif self._current_node() is not None:
            self.view.setCurrentIndex(QModelIndex())
        self._quiet = False
        self.copy.setEnabled(self.view.currentIndex().isValid())

    def _approach(self, index: QModelIndex) -> None:
        """Scrolls near a row that is far away: on the way to it the view would measure all rows in between."""
        top, bar = self.view.indexAt(QPoint(0, 0)), self.view.verticalScrollBar()
        here, there = self.model.line_of(top) if top.isValid() else 0, self.model.line_of(index)
        if abs(there - here) > FAR:
            bar.setValue(there)

    def _current_node(self) -> int | None:
        return self.model.node_at(self.view.currentIndex())

    def _on_current_changed(self) -> None:
        self.copy.setEnabled(self.view.currentIndex().isValid())
        node = self._current_node()
        if node is not None and not self._quiet:
            self._document.select(node)

    def _on_filter_changed(self, text: str) -> None:
        self._quiet = True
        self.model.narrow(text)
        self.view.expandAll()
        self._say_nothing()
        self._quiet = False
        self._follow()

    def _say_nothing(self) -> None:
        """A sentence in the place of the rules where the filter lets none through."""
        none = self.model.tree is not None and self.model.rowCount() == 0
        self.nothing.setText(f"No rule contains “{self.filter.text().strip()}”." if none else "")
        self.nothing.setVisible(none)
        self.view.setVisible(not none)

    def _on_copy(self) -> None:
        text = self.model.text_of(self.view.currentIndex())
        if text:
            QGuiApplication.clipboard().setText(text)


def written(tree: engine.Tree, progress: Progress) -> list[engine.ClassRule]:
    """The rules of the leaves that are listed; called in the worker."""
    return engine.rules(tree, most=MOST)
