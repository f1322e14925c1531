"""The node panel: the selected node in words and figures, training and validation side by side."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFont, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

import engine
from gui import figures, theme
from gui.document import Document
from gui.looking.several import together_words
from gui.panels.node.bins import LENGTH, Bars, bin_lengths, bin_rows, bin_tips
from gui.panels.node.note import NoteField
from gui.panels.outline.model import deviation
from gui.wording import mark_words, words

ROW_HEIGHT = 24
HEADERS = ("Training", "Share", "Validation", "Share")
PROBABILITY, COST = "Probability", "Cost"  # columns of trees whose leaves say more than they counted
EXPLAINED = {
    PROBABILITY: "What a leaf here says of each class: its training shares, with the priors and the smoothing",
    COST: "The expected cost, over the training rows here, of calling all of them this class; the label costs least",
}
DRAWN = (
    "How often a label would be wrong that is drawn with the class shares of the training rows here, Gini’s stochastic "
    "rule; on the training rows that is the Gini impurity."
)

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class NodeModel(QAbstractTableModel):
    """The target in one node: a row per class with counts and shares; for a numeric target what it says, the
    deviation and, of a tree with bins, their shares."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[str, ...]] = []
        self._header: tuple[str, ...] = ("", *HEADERS)
        self._bold = -1
        self._colours: list[QColor] = []
        self._bins: tuple[int, list[float], list[str]] = (0, [], [])  # their first row, their bars, their tips

    def show(self, tree: engine.Tree, position: int, focus: int) -> None:
        """Shows the node at `position`; `focus` is the class that the colours single out."""
        self.beginResetModel()
        train, validation = tree.train[position], tree.validation[position]
        self._bins = 0, [], []
        if tree.task == "classes":
            self._header = (tree.target, *HEADERS, *_further_headers(tree))
            self._rows = _class_rows(tree.classes, train, validation, _further_cells(tree, position))
            self._bold = int(tree.labels[position])
            n = len(tree.classes)
            self._colours = [QColor(theme.current().class_colour(k, n, focus)) for k in range(n)]
        else:
            self._header = (tree.target, "Training", "Validation")
            figures = (
                _said_rows(tree, position) + _median_rows(tree, position) + _number_rows(train, validation, tree.origin)
            )
            self._rows = [*figures, *bin_rows(tree, position)]
            self._bins = len(figures), bin_lengths(tree, position), bin_tips(tree, position)
            self._bold, self._colours = 0, []
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._header)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._header):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._header[section]
        if role == Qt.ItemDataRole.ToolTipRole and section:
            return EXPLAINED.get(self._header[section])
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid():
            return None
        row, section = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[row][section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        if role == Qt.ItemDataRole.DecorationRole and section == 0 and self._colours:
            return self._colours[row]
        if role == Qt.ItemDataRole.FontRole and row == self._bold:
            bold = QFont()
            bold.setBold(True)
            return bold
        return self._of_bin(row, section, role)

    def _of_bin(self, row: int, section: int, role: int) -> Any:
        """What the row of a bin has beyond its words: a bar behind its share, and a tip."""
        first, lengths, tips = self._bins
        if not 0 <= row - first < len(lengths):
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return tips[row - first]
        return lengths[row - first] if role == LENGTH and section == 1 else None


class NodePanel(QWidget):
    """Tells what the document's selected node is: its rule, its rows, its target, its label and its errors."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("node_panel")
        self._document = document
        self._beginning = document.beginning
        self._build()
        for changed in (document.selectionChanged, document.treeChanged, document.tableChanged, document.focusChanged):
            changed.connect(self._refresh)
        document.pruningChanged.connect(self._show_verdict)
        document.look.changed.connect(self._on_look_changed)
        theme.watcher().changed.connect(self._refresh)
        self._refresh()

    def _build(self) -> None:
        self.title = _text("node_title", bold=True)
        self.together = _text("node_together", bold=True)
        self.rule = _text("node_rule")
        self.rule.setAccessibleName("Rule of the node")
        self.rows = _text("node_rows")
        self.outcome = _text("node_outcome")
        self.drawn = _text("node_drawn")
        self.drawn.setToolTip(DRAWN)
        self.verdict = _text("node_verdict")
        self.marks = _text("node_marks")
        self.note = NoteField()
        self.note.written.connect(lambda node, text: self._document.hand.mark(node, note=text))
        self.copy = QPushButton("Copy rule", objectName="node_copy")
        self.copy.setToolTip("Copies the conditions that lead to this node")
        self.copy.clicked.connect(self._on_copy)
        self.model = NodeModel(self)
        self.view = QTableView(objectName="node_table")
        self.view.setAccessibleName("The target in this node")
        self.view.setModel(self.model)
        self.view.setItemDelegateForColumn(1, Bars(self.view))
        _set_up_view(self.view)
        self.empty = QLabel("Open a table: the selected node will be described here.", wordWrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        words_side = QWidget()
        left = QVBoxLayout(words_side)
        left.setContentsMargins(0, 0, 8, 0)
        left.setSpacing(8)
        left.addLayout(head)
        for widget in (
            self.together,
            self.rows,
            self.outcome,
            self.verdict,
            self.drawn,
            self.marks,
            self.note,
            self.rule,
        ):
            left.addWidget(widget)
        left.addStretch(1)
        # A deep node has a long rule: it scrolls instead of making the panel as tall as itself.
        scroll = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        scroll.setWidget(words_side)
        scroll.setMinimumHeight(64)
        page = QWidget()
        inner = QHBoxLayout(page)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(16)
        inner.addWidget(scroll, 1)
        inner.addWidget(self.view, 1)
        self._halves = inner
        self.pages = QStackedWidget()
        self.pages.addWidget(page)
        self.pages.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 0)
        layout.addWidget(self.pages)

    def _refresh(self) -> None:
        tree = self._document.tree
        self.pages.setCurrentIndex(0 if tree is not None else 1)
        if self._document.beginning is not self._beginning:  # what is typed belongs to another tree
            self._beginning = self._document.beginning
            self.note.forget()
        if tree is None:
            return
        position = int(tree.position(self._document.selected))
        self.title.setText(title(tree, position))
        conditions = tree.rule(self._document.selected)
        self.rule.setText("\n".join(conditions) or "All rows: no condition leads to the root.")
        self.copy.setEnabled(bool(conditions))
        self._show_together()
        self.rows.setText(rows_words(tree, position))
        self.outcome.setText(outcome_words(tree, position))
        self.drawn.setText(drawn_words(tree, position))
        self.drawn.setVisible(bool(self.drawn.text()))
        self.marks.setText("\n".join(mark_words.sentences(tree, position, note=False)))
        self.marks.setVisible(bool(self.marks.text()))
        self._show_verdict()
        self.note.show_note(self._document.selected, tree.mark(self._document.selected).note)
        self.model.show(tree, position, self._document.focus_class)
        self._halves.setStretch(1, 2 if self.model.columnCount() > len(HEADERS) + 1 else 1)
        header = self.view.horizontalHeader()
        for section in range(self.model.columnCount()):
            mode = QHeaderView.ResizeMode.Stretch if section == 0 else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(section, mode)

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if "also" in names:
            self._show_together()

    def _show_together(self) -> None:
        """What the selected nodes are together, where there are several."""
        tree, several = self._document.tree, self._document.several
        said = ""
        if tree is not None and several.on:
            said = together_words(tree, several.nodes, self._document.focus_class)
        self.together.setText(said[:1].upper() + said[1:])
        self.together.setVisible(bool(said))

    def _show_verdict(self) -> None:
        """Why pruning made a leaf of the node, or kept its split: the numbers that were compared."""
        tree, node = self._document.tree, self._document.selected
        said = self._document.cutback.why_cut(node) if tree is not None and node in tree else ""
        if said:
            kept = tree.n_branches[tree.position(node)] > 0
            said = f"{'Kept' if kept else 'Cut'} by pruning. {said}"
        self.verdict.setText(said)
        self.verdict.setVisible(bool(said))

    def settle(self) -> None:
        """Writes the note that is typed and not written yet."""
        self.note.settle()

    def _on_copy(self) -> None:
        conditions = self._document.tree.rule(self._document.selected)
        QGuiApplication.clipboard().setText(" and ".join(conditions))


def title(tree: engine.Tree, position: int) -> str:
    """What the node is: "Root, split by island", "Leaf 7 at depth 2, says Gentoo"."""
    node = int(tree.ids[position])
    name = "Root" if position == 0 else f"Node {node} at depth {int(tree.level[position])}"
    split = tree.split_at(position)
    if split is None:
        return name if position == 0 else name.replace("Node", "Leaf", 1)
    return f"{name}, split by {tree.title(position)}" + (" (by hand)" if tree.by_hand[position] else "")


def rows_words(tree: engine.Tree, position: int) -> str:
    """How many rows reach the node, and what share of all that is."""
    parts = []
    for name, rows in (("training", tree.rows_train), ("validation", tree.rows_validation)):
        if rows[0] > 0:
            share = f" ({words.percent(float(rows[position]) / float(rows[0]))} of all)" if position else ""
            parts.append(f"{words.count(int(rows[position]))} {name} rows{share}")
    return " · ".join(parts) or "No rows."


def outcome_words(tree: engine.Tree, position: int) -> str:
    """What the node predicts and how wrong that is, with its branches and, for an inner node, without them."""
    said = tree.classes[int(tree.labels[position])] if tree.task == "classes" else words.value(tree.answers[position])
    line = f"Predicts {said}. {error_name(tree)} as a leaf: {_errors(tree, position, branches=False)}."
    if tree.n_branches[position]:
        line += f" With its branches: {_errors(tree, position, branches=True)}."
    if tree.leaf_rule.priors or tree.leaf_rule.costs:
        losses = _by_part(lambda part: float(figures.leaf_losses(tree, part)[position]), words.value)
        line += f" Expected cost as a leaf: {losses}."
    return line


def error_name(tree: engine.Tree) -> str:
    """What the error of a node is: its kind gives the unit of the figures."""
    if tree.task == "classes":
        return "Error"
    return "Mean absolute error" if tree.says_median else "Mean squared error"


def drawn_words(tree: engine.Tree, position: int) -> str:
    """The expected error of Gini's stochastic rule at the node; empty for a numeric target and without rows."""
    if tree.task != "classes" or not tree.train[position].sum() > 0:
        return ""
    errors = _by_part(lambda part: float(figures.drawn_errors(tree, part)[position]), words.percent)
    return f"Error of a label drawn by the shares: {errors}."


def _errors(tree: engine.Tree, position: int, branches: bool) -> str:
    errors = figures.branch_errors if branches else figures.leaf_errors
    return _by_part(
        lambda part: float(errors(tree, part)[position]), words.percent if tree.task == "classes" else words.value
    )


def _by_part(figure: Callable[[str], float], wording: Callable[[float], str]) -> str:
    """A figure of the training rows, and of the validation rows where there are any."""
    figures = [(figure(part), name) for part, name in (("train", "training"), ("validation", "validation"))]
    return ", ".join(f"{wording(x)} {name}" for x, name in figures if not math.isnan(x)) or "unknown (no rows)"


def _further_headers(tree: engine.Tree) -> list[str]:
    rule = tree.leaf_rule
    asked = {PROBABILITY: rule.smoothing != "none" or bool(rule.priors), COST: bool(rule.costs)}
    return [header for header, wanted in asked.items() if wanted]


def _further_cells(tree: engine.Tree, position: int) -> list[list[str]]:
    """For each class what stands below the headers of `_further_headers`."""
    rule = tree.leaf_rule
    weights = tree.train[position] * rule.class_factors(tree.classes, tree.train[0])
    costs = weights @ rule.cost_matrix(tree.classes)
    total = float(weights.sum())
    cells = {
        PROBABILITY: [words.percent(float(share)) for share in tree.probabilities[position]],
        COST: [words.value(float(cost) / total) if total > 0 else words.NOTHING for cost in costs],
    }
    return [[cells[header][k] for header in _further_headers(tree)] for k in range(len(tree.classes))]


def _class_rows(
    classes: tuple[str, ...], train: NDArray[np.float64], validation: NDArray[np.float64], further: list[list[str]]
) -> list[tuple[str, ...]]:
    sums = float(train.sum()), float(validation.sum())
    rows = []
    for k, name in enumerate(classes):
        cells = [name]
        for counts, total in zip((train, validation), sums, strict=True):
            cells += [words.count(float(counts[k])), words.percent(float(counts[k]) / total)] if total > 0 else ["", ""]
        rows.append((*cells, *further[k]))
    return rows


def _said_rows(tree: engine.Tree, position: int) -> list[tuple[str, ...]]:
    """What a person wrote that it says."""
    label = tree.mark(int(tree.ids[position])).label
    return [("Says, by hand", words.value(float(label)), words.NOTHING)] if label is not None else []


def _median_rows(tree: engine.Tree, position: int) -> list[tuple[str, ...]]:
    """What a leaf says that says medians; those of validation rows are not counted."""
    return [("Median", words.value(float(tree.medians[position])), words.NOTHING)] if tree.says_median else []


def _number_rows(train: NDArray[np.float64], validation: NDArray[np.float64], origin: float) -> list[tuple[str, ...]]:
    both = (train, validation)
    means = [float(s[1] / s[0]) + origin if s[0] > 0 else math.nan for s in both]
    return [
        ("Mean", *(words.value(mean) for mean in means)),
        ("Standard deviation", *(words.value(deviation(s)) for s in both)),
        ("Rows (weight)", *(words.count(float(s[0])) for s in both)),
    ]


def _text(name: str, bold: bool = False) -> QLabel:
    """A paragraph that can be selected and copied."""
    label = QLabel(objectName=name, wordWrap=True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    if bold:
        font = label.font()
        font.setBold(True)
        label.setFont(font)
    return label


def _set_up_view(view: QTableView) -> None:
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setFrameShape(QTableView.Shape.NoFrame)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.setWordWrap(False)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
    view.setIconSize(QSize(10, 10))
    view.horizontalHeader().setHighlightSections(False)
    view.horizontalHeader().setMinimumSectionSize(56)


def _alignment(section: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if section == 0 else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
