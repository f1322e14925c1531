"""The outline: the tree on the canvas as an indented list, for the keyboard and for screen readers."""

from __future__ import annotations

import math
import textwrap
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QTreeView, QWidget

import engine
from engine.runtime.sentences import tr
from gui.model.document import Document
from gui.model.tree_figures import branch_errors
from gui.widgets import verbatim
from gui.widgets.building import empty_page, named, put_pages
from gui.widgets.tables import Index, aligned
from gui.wording import words

NODE, LABEL, ROWS, RATE, TRAINING, VALIDATION = range(6)
ROW_HEIGHT = 24
TIP_LETTERS = 100  # in a line of a tooltip: plain text is not wrapped by itself
NODE_ID = Qt.ItemDataRole.UserRole
INNER_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
LEAF_FLAGS = INNER_FLAGS | Qt.ItemFlag.ItemNeverHasChildren

_NOWHERE = QModelIndex()
OPEN_LEVELS = 3  # how deep a tree that was never looked at is unfolded
WIDEST = 480  # pixels that the conditions may take by themselves
MOST_OPEN = 1500  # unfolding takes 25 µs each, so of more than these the deepest fold up when the tree changes
OPENED_AT_ONCE = 200  # new splits unfold by themselves, unless a whole tree was grown


class OutlineModel(QAbstractItemModel):
    """One item per node; the internal id of an index is the node's stable id. Nothing is made per node ahead of time
    except two arrays, so a large tree costs no more than its rows in sight."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tree: engine.Tree | None = None
        self._focus = 0
        self._titles: list[tuple[str, str]] = []  # of the columns, and what they are
        self._errors = {"train": np.empty(0), "validation": np.empty(0)}

    def show(self, tree: engine.Tree | None, focus: int) -> None:
        """Shows another tree; `focus` is the class whose rate is shown."""
        self.beginResetModel()
        self.tree, self._focus, self._titles = tree, focus, _titles(tree, focus)
        self._errors = {part: branch_errors(tree, part) if tree else np.empty(0) for part in self._errors}
        self.endResetModel()

    def index_of(self, node: int) -> QModelIndex:
        """The first cell of a node's row; an invalid index for a node that is not in the tree."""
        known = self.tree is not None and node in self.tree
        return self._first_cell(self.tree.position(node)) if known and self.tree is not None else QModelIndex()

    def _first_cell(self, position: int) -> QModelIndex:
        assert self.tree is not None
        return self.createIndex(int(self.tree.branch[position]) if position else 0, 0, int(self.tree.ids[position]))

    def node_at(self, index: Index) -> int | None:
        return int(index.internalId()) if index.isValid() else None

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        # Not by `hasIndex`: the view asks for every unfolded row, and that one asks back for rows and columns.
        tree = self.tree
        if tree is None or row < 0 or not 0 <= column <= VALIDATION or parent.column() > 0:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, int(tree.ids[0])) if row == 0 else QModelIndex()
        above = self._position(parent)
        if row >= tree.n_branches[above]:
            return QModelIndex()
        child = above + 1
        for _ in range(row):
            child = int(tree.end[child])
        return self.createIndex(row, column, int(tree.ids[child]))

    def parent(self, index: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or self.tree is None:
            return QModelIndex()
        above = int(self.tree.parent[self._position(index)])
        return self._first_cell(above) if above >= 0 else QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if self.tree is None or parent.column() > 0:
            return 0
        return int(self.tree.n_branches[self._position(parent)]) if parent.isValid() else 1

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return VALIDATION + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section <= VALIDATION:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            title, explained = self._titles[section]
            return title if role == Qt.ItemDataRole.DisplayRole else verbatim.tip(explained)
        return aligned(section in (NODE, LABEL)) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self.tree is None:
            return Qt.ItemFlag.NoItemFlags
        return INNER_FLAGS if self.tree.n_branches[self._position(index)] else LEAF_FLAGS

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid() or self.tree is None:
            return None
        position, section = self._position(index), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(position, section)
        if role == NODE_ID:
            return int(self.tree.ids[position])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(section in (NODE, LABEL))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(position, section)
        if role == Qt.ItemDataRole.SizeHintRole and section == LABEL:
            return QSize(0, ROW_HEIGHT)
        if role == Qt.ItemDataRole.ToolTipRole and section == NODE:
            rule = self.tree.rule(int(self.tree.ids[position]))
            return verbatim.tip("\n".join(textwrap.fill(line, TIP_LETTERS) for line in rule)) or tr("All rows")
        return None

    def _position(self, index: Index) -> int:
        assert self.tree is not None
        return self.tree.position(int(index.internalId()))

    def _text(self, position: int, section: int) -> str:
        tree = self.tree
        assert tree is not None
        if section == NODE:
            return tree.sentence(position) if position else tr("All rows")
        if section == ROWS:
            return words.count(float(tree.rows_train[position]))
        if section in (TRAINING, VALIDATION):
            error = float(self._errors["train" if section == TRAINING else "validation"][position])
            return words.percent(error) if tree.task == "classes" else words.value(error)
        if tree.task == "number":
            stats = tree.train[position]
            return words.value(float(tree.predictions[position]) if section == LABEL else deviation(stats))
        if section == LABEL:
            return tree.classes[int(tree.labels[position])]
        weight = float(tree.train[position].sum())
        return words.percent(float(tree.train[position, self._focus]) / weight) if weight else words.NOTHING

    def _spoken(self, position: int, section: int) -> str:
        """The cell for a screen reader: the first cell says the whole row, the others say what they are."""
        if section != NODE:
            return f"{self._titles[section][0]}: {self._text(position, section)}"
        assert self.tree is not None
        node, label, rows, error = (self._text(position, of) for of in (NODE, LABEL, ROWS, TRAINING))
        n = int(self.tree.n_branches[position])
        said, branches = tr("training error {figure}", figure=error), tr("{n} branches", n=n) if n else tr("leaf")
        return ", ".join((node, tr("{n} rows", n=rows), label, said, branches))


def _titles(tree: engine.Tree | None, focus: int) -> list[tuple[str, str]]:
    if tree is None or tree.task == "number":
        by_median = tree is not None and tree.predicts_median
        figures = [
            (tr("Median"), tr("Median of the target over the training rows"))
            if by_median else (tr("Mean"), tr("Mean of the target over the training rows")),
            (tr("Rows"), tr("Training rows in the node")),
            (tr("Deviation"), tr("Standard deviation of the target over the training rows")),
        ]  # fmt: skip
        error = tr("Mean absolute error") if by_median else tr("Mean squared error")
    else:
        name, error, weighs = tree.classes[focus], tr("Error"), tree.leaf_rule.weighs_mistakes
        figures = [
            (tr("Label"), tr("The class of least expected cost, by the costs and priors of the leaves"))
            if weighs else (tr("Majority"), tr("The class most frequent in the training rows")),
            (tr("Rows"), tr("Training rows in the node")),
            (name, tr("Share of “{name}” among the training rows", name=name)),
        ]  # fmt: skip
    train = tr("{error} on the training rows of this node, with the branches that it has now", error=error)
    validation = tr("{error} on the validation rows of this node, with the branches that it has now", error=error)
    node = tr("Node"), tr("How the node is reached from the node above it")
    return [node, *figures, (tr("Training"), train), (tr("Validation"), validation)]


def deviation(stats: NDArray[np.float64]) -> float:
    """Standard deviation from (Σw, Σwy, Σw(y − mean)²); NaN without rows."""
    weight = float(stats[0])
    return math.sqrt(float(stats[2]) / weight) if weight > 0 else math.nan


class OutlinePanel(QWidget):
    """Shows the document's tree; the selected node is the document's, in both directions."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("outline_panel")
        self._document = document
        self._open: set[int] = set()
        self._known = np.zeros(0, dtype=np.int64)  # the ids that were split when the tree was shown last
        self._quiet = False
        self._build()
        for changed in (document.treeChanged, document.tableChanged, document.focusChanged):
            changed.connect(self._on_tree_changed)
        document.selectionChanged.connect(self._on_selection_changed)
        self.view.expanded.connect(self._on_expanded)
        self.view.collapsed.connect(lambda index: self._open.discard(int(index.internalId())))
        self.view.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self._on_tree_changed()

    def _build(self) -> None:
        self.model = OutlineModel(self)
        self.view = QTreeView(uniformRowHeights=True, allColumnsShowFocus=True, indentation=12)
        named(self.view, "outline_tree", tr("Outline of the tree"), frameShape=QTreeView.Shape.NoFrame,
              horizontalScrollMode=QTreeView.ScrollMode.ScrollPerPixel)  # fmt: skip
        self.view.setModel(self.model)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # conditions differ at their ends
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setResizeContentsPrecision(0)  # what is in sight; else a thousand rows are measured
        for section, width in enumerate((208, 96, 64, 72, 80, 80)):
            header.resizeSection(section, width)
        self.empty = empty_page(tr("Open a table: its tree will stand here as a list."))
        self.pages = put_pages(self, self.view, self.empty)

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
        new = np.setdiff1d(tree.ids[inner], self._known, assume_unique=True)
        if new.size > OPENED_AT_ONCE:
            new = np.intersect1d(new, tree.ids[inner & (tree.level < OPEN_LEVELS)], assume_unique=True)
        self._known = tree.ids[inner]
        self._open = self._open & set(self._known.tolist()) | set(new.tolist())
        if len(self._open) > MOST_OPEN:
            self._open = set(sorted(self._open, key=lambda node: tree.level[tree.position(node)])[:MOST_OPEN])
        with QSignalBlocker(self.view):  # what is told here is known
            for node in self._open:
                self.view.setExpanded(self.model.index_of(node), True)

    def _widen(self) -> None:
        """Makes room for the deepest condition in sight; a column that was made wide stays so."""
        wanted = min(self.view.sizeHintForColumn(NODE) + 8, WIDEST)
        self.view.setColumnWidth(NODE, max(wanted, self.view.columnWidth(NODE)))

    def _on_selection_changed(self) -> None:
        index = self.model.index_of(self._document.selected) if self._document.tree is not None else QModelIndex()
        if index.isValid() and self.model.node_at(self.view.currentIndex()) != self._document.selected:
            self._quiet = True
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)
            self._quiet = False
            self._widen()

    def _on_current_changed(self, current: QModelIndex) -> None:
        if (node := self.model.node_at(current)) is not None and not self._quiet:
            self._document.select(node)

    def _on_expanded(self, index: QModelIndex) -> None:
        self._open.add(int(index.internalId()))
        if not self._quiet:
            self._widen()
