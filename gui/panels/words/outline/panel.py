"""The outline: the tree on the canvas as an indented list, for the keyboard and for screen readers."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

import engine
from gui.model.document import Document
from gui.panels.words.outline.model import NODE, OutlineModel
from gui.widgets import pages

OPEN_LEVELS = 3  # how deep a tree that was never looked at is unfolded
WIDEST = 480  # pixels that the conditions may take by themselves
MOST_OPEN = 1500  # unfolding takes 25 µs each, so of more than these the deepest fold up when the tree changes
OPENED_AT_ONCE = 200  # new splits unfold by themselves, unless a whole tree was grown


class OutlinePanel(QWidget):
    """Shows the document's tree; the selected node is the document's, in both directions."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("outline_panel")
        self._document = document
        self._open: set[int] = set()
        self._known = np.zeros(0, dtype=np.int64)  # the ids that were split when the tree was shown last
        self._quiet = False
        self._build()
        document.treeChanged.connect(self._on_tree_changed)
        document.tableChanged.connect(self._on_tree_changed)
        document.focusChanged.connect(self._on_tree_changed)
        document.selectionChanged.connect(self._on_selection_changed)
        self.view.expanded.connect(self._on_expanded)
        self.view.collapsed.connect(self._on_collapsed)
        self.view.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self._on_tree_changed()

    def _build(self) -> None:
        self.model = OutlineModel(self)
        self.view = QTreeView(objectName="outline_tree")
        self.view.setAccessibleName("Outline of the tree")
        self.view.setModel(self.model)
        self.view.setFrameShape(QTreeView.Shape.NoFrame)
        self.view.setUniformRowHeights(True)
        self.view.setAllColumnsShowFocus(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setIndentation(12)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # conditions differ at their ends
        self.view.header().setStretchLastSection(False)
        self.view.header().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.header().setResizeContentsPrecision(0)  # what is in sight; else a thousand rows are measured
        for section, width in enumerate((208, 96, 64, 72, 80, 80)):
            self.view.header().resizeSection(section, width)
        self.empty = pages.empty("Open a table: its tree will stand here as a list.")
        self.pages = pages.put(self, self.view, self.empty)

    def _on_tree_changed(self) -> None:
        """Shows the tree anew: what was unfolded stays so, and so does the selection, by node id."""
        tree = self._document.tree
        self._quiet = True
        self.model.show(tree, self._document.focus_class)
        if tree is not None:
            self._unfold(tree)
        self._quiet = False
        self.pages.setCurrentWidget(self.view if tree is not None else self.empty)
        self._on_selection_changed()

    def _unfold(self, tree: engine.Tree) -> None:
        inner = tree.n_branches > 0
        split = tree.ids[inner]
        new = np.setdiff1d(split, self._known, assume_unique=True)
        if new.size > OPENED_AT_ONCE:
            new = np.intersect1d(new, tree.ids[inner & (tree.level < OPEN_LEVELS)], assume_unique=True)
        self._open = {node for node in self._open if node in tree and tree.n_branches[tree.position(node)]} | set(
            new.tolist()
        )
        self._known = split
        if len(self._open) > MOST_OPEN:
            self._open = set(sorted(self._open, key=lambda node: tree.level[tree.position(node)])[:MOST_OPEN])
        self.view.blockSignals(True)  # what is told here is known
        for node in self._open:
            self.view.setExpanded(self.model.index_of(node), True)
        self.view.blockSignals(False)

    def _widen(self) -> None:
        """Makes room for the deepest condition in sight; a column that was made wide stays so."""
        wanted = min(self.view.sizeHintForColumn(NODE) + 8, WIDEST)
        if wanted > self.view.columnWidth(NODE):
            self.view.setColumnWidth(NODE, wanted)

    def _on_selection_changed(self) -> None:
        index = self.model.index_of(self._document.selected) if self._document.tree is not None else QModelIndex()
        if index.isValid() and self.model.node_at(self.view.currentIndex()) != self._document.selected:
            self._quiet = True
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)
            self._quiet = False
            self._widen()

    def _on_current_changed(self, current: QModelIndex) -> None:
        node = self.model.node_at(current)
        if node is not None and not self._quiet:
            self._document.select(node)

    def _on_expanded(self, index: QModelIndex) -> None:
        self._open.add(int(index.internalId()))
        if not self._quiet:
            self._widen()

    def _on_collapsed(self, index: QModelIndex) -> None:
        self._open.discard(int(index.internalId()))
