"""The steps of a pruning as a table that can be copied."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from gui import words

if TYPE_CHECKING:
    from engine.pruning import Pruning, Step

HEADERS = ("Leaves", "Training", "Validation", "Cross-validated", "Alpha")
EXPLAINED = (
    "Leaves of the tree",
    "Error on the training rows",
    "Error on the validation rows",
    "Cross-validated error on the training rows, ± its standard error",
    "A tree is charged its training error + alpha × its leaves: from this alpha on, up to the one of the next row, "
    "this tree is the cheapest",
)
DROP = (
    "Drop",
    "By how much the split that this step takes back lowers the criterion, times its share of the training weight",
)
GAIN = ("Gain", "By how much the cut that makes this step lowers the validation error; below 0 it does harm")
LEAVES, TRAINING, VALIDATION, CROSS, ALPHA = range(5)

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class PruningModel(QAbstractTableModel):
    """One row per step, the full tree first; the chosen one is bold, the one on the canvas is marked."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: list[Step] = []
        self._chosen = -1
        self._shown: int | None = None
        self._by_share = True
        self._price = HEADERS[ALPHA], EXPLAINED[ALPHA]

    def show(self, pruning: Pruning | None, by_share: bool) -> None:
        """Replaces all rows; `by_share`: errors are shares of rows, otherwise mean squared errors."""
        self.beginResetModel()
        self._steps = list(pruning.steps) if pruning is not None else []
        self._chosen = pruning.chosen if pruning is not None else -1
        self._by_share, self._shown = by_share, None
        self._price = price_words(pruning.method if pruning is not None else "")
        self.endResetModel()

    def mark_canvas(self, step: int | None) -> None:
        """Marks the row whose tree is on the canvas."""
        rows = [row for row in (self._shown, step) if row is not None and row < len(self._steps)]
        self._shown = step
        for row in rows:
            self.dataChanged.emit(self.index(row, 0), self.index(row, ALPHA))

    def text(self, rows: list[int]) -> str:
        """These rows, with the header, as tab-separated text with every digit."""
        lines = ["leaves\ttraining_error\tvalidation_error\tcv_error\tcv_se\talpha"]
        for row in rows:
            step = self._steps[row]
            figures = (step.train_error, step.validation_error, step.cv_error, step.cv_se, step.alpha)
            cells = ("" if math.isnan(figure) else repr(float(figure)) for figure in figures)
            lines.append("\t".join((str(step.leaves), *cells)))
        return "\n".join(lines) + "\n"

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._steps)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._price[0] if section == ALPHA else HEADERS[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._price[1] if section == ALPHA else EXPLAINED[section]
        return _RIGHT if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid():
            return None
        row, section = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            mark = "▸ " if section == LEAVES and row == self._shown else ""
            return mark + cell_words(self._steps[row], section, self._by_share)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT
        if role == Qt.ItemDataRole.FontRole and row == self._chosen:
            bold = QFont()
            bold.setBold(True)
            return bold
        if role == Qt.ItemDataRole.ToolTipRole:
            notes = ["chosen by the method"] * (row == self._chosen) + ["on the canvas"] * (row == self._shown)
            return ", ".join(notes) or None
        return None


def price_words(method: str) -> tuple[str, str]:
    """What the alphas of a method are called, and a sentence that explains them."""
    return {"growth": DROP, "greedy_validation": GAIN}.get(method, (HEADERS[ALPHA], EXPLAINED[ALPHA]))


def cell_words(step: Step, section: int, by_share: bool) -> str:
    """One figure of a step in words."""
    if section == LEAVES:
        return words.count(step.leaves)
    if section == ALPHA:
        return words.gain(step.alpha)
    if section == CROSS:
        if not math.isfinite(step.cv_error):
            return words.NOTHING
        spread = f" ± {error_words(step.cv_se, by_share)}" if math.isfinite(step.cv_se) else ""
        return error_words(step.cv_error, by_share) + spread
    return error_words(step.train_error if section == TRAINING else step.validation_error, by_share)


def error_words(error: float, by_share: bool) -> str:
    """An error as a share of rows, or as a mean squared error."""
    return words.percent(error) if by_share else words.value(error)


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
