"""The target in one node as a table: training and validation rows side by side."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

import engine
from gui import theme
from gui.panels.words.node.bins import LENGTH, bin_lengths, bin_rows, bin_tips
from gui.panels.words.outline.model import deviation
from gui.widgets import verbatim
from gui.widgets.tables import aligned, bold
from gui.wording import words

HEADERS = ("Training", "Share", "Validation", "Share")
PROBABILITY, COST = "Probability", "Cost"  # columns of trees whose leaves say more than they counted
EXPLAINED = {
    PROBABILITY: "What a leaf here says of each class: its training shares, with the priors and the smoothing",
    COST: "The expected cost, over the training rows here, of calling all of them this class; the label costs least",
}

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
        return aligned(section == 0) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid():
            return None
        row, section = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[row][section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(section == 0)
        if role == Qt.ItemDataRole.DecorationRole and section == 0 and self._colours:
            return self._colours[row]
        if role == Qt.ItemDataRole.FontRole and row == self._bold:
            return bold()
        return self._of_bin(row, section, role)

    def _of_bin(self, row: int, section: int, role: int) -> Any:
        """What the row of a bin has beyond its words: a bar behind its share, and a tip."""
        first, lengths, tips = self._bins
        if not 0 <= row - first < len(lengths):
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return verbatim.tip(tips[row - first])
        return lengths[row - first] if role == LENGTH and section == 1 else None


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
    return [("Median", words.value(float(tree.medians[position])), words.NOTHING)] if tree.predicts_median else []


def _number_rows(train: NDArray[np.float64], validation: NDArray[np.float64], origin: float) -> list[tuple[str, ...]]:
    both = (train, validation)
    means = [float(s[1] / s[0]) + origin if s[0] > 0 else math.nan for s in both]
    return [
        ("Mean", *(words.value(mean) for mean in means)),
        ("Standard deviation", *(words.value(deviation(s)) for s in both)),
        ("Rows (weight)", *(words.count(float(s[0])) for s in both)),
    ]
