"""The rules panel: the tree in words, class by class, in step with the canvas."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QPalette, QShortcut, QShowEvent
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
from gui.panels.words.rules import model as rules_model
from gui.panels.words.rules.model import RULE, VALIDATION, VALIDATION_ROWS, RulesModel
from gui.widgets import pages, verbatim
from gui.widgets.find_field import FindField
from gui.wording import words

AIR = 8  # pixels above and below the words together
AT_ONCE = 200  # leaves; the rules of more are made in the worker
FAR = 100  # rows; nearer ones are scrolled to, further ones are jumped to


class _Wrapped(QStyledItemDelegate):
    """Measures words as high as they are when wrapped to the column's width, which a tree view does not."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        view = self.parent()
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
        self.view = QTreeView(objectName="rules_tree")
        self.view.setAccessibleName("Rules of the tree, by class")
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
        self.copy = QPushButton("Copy rule", objectName="rules_copy")
        self.copy.setToolTip("Copies the rule of the chosen leaf, or of the class whose heading is chosen")
        self.copy_all = QPushButton("Copy all", objectName="rules_copy_all")
        self.copy_all.setToolTip("Copies the rules of all classes")
        self.more = verbatim.label(objectName="rules_more", wordWrap=True)
        self.empty = pages.empty("Open a table: its tree will stand here as rules in words.")

    def _lay_out(self) -> None:
        controls = QHBoxLayout()
        controls.setSpacing(8)
        controls.addWidget(self.filter)
        controls.addWidget(self.more, 1)
        controls.addStretch(0)
        controls.addWidget(self.copy)
        controls.addWidget(self.copy_all)
        page = QWidget()
        inner = QVBoxLayout(page)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(8)
        inner.addLayout(controls)
        inner.addWidget(self.view, 1)
        inner.addWidget(self.nothing, 1)
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
        self.more.setText(f"{words.count(left_out)} leaves of fewer training rows are not listed." if left_out else "")
        self._follow()

    def _rules_of(self, tree: engine.Tree | None) -> list[engine.ClassRule] | None:
        """The rules of a tree; None while a worker makes those of a large one. Until then the former ones stay."""
        if tree is None or self._made[0] is tree:
            made = self._made if tree is not None else (None, [])
        elif min(tree.n_leaves, rules_model.MOST) <= AT_ONCE:
            made = tree, engine.rules(tree, most=rules_model.MOST)
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
    return engine.rules(tree, most=rules_model.MOST)
