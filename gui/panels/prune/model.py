"""The trees of the chart as a table that can be copied."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from engine.pruning.options import METRICS
from gui import theme
from gui.model.editing.pruning_choices import Point
from gui.panels.prune.rows import Entry
from gui.panels.prune.words import error_words, price_words
from gui.widgets import verbatim
from gui.widgets.tables import aligned, bold
from gui.wording import words

HEADERS = ("Tree", "Leaves", "Training", "Validation", "Cross-validated", "Alpha")
EXPLAINED = (
    "The method that chooses this tree; below, the trees of the curves by size",
    "Leaves of the tree",
    "{metric} on the training rows",
    "{metric} on the validation rows",
    "Cross-validated {pruned_by} on the training rows, ± its standard error",
    "",
)
TREE, LEAVES, TRAINING, VALIDATION, CROSS, ALPHA = range(6)

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class PruningModel(QAbstractTableModel):
    """One row per tree; the chosen one is bold, the one on the canvas is marked; methods without a tree say why."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: list[Entry] = []
        self._rows_of: dict[Point, list[int]] = {}
        self._shown: set[int] = set()
        self._by_share, self._pruned_by = True, "error"
        self._metric = "Error"
        self._price = price_words("", self._pruned_by)

    def show(self, entries: list[Entry], metric: str, by_share: bool, pruned_by: str, method: str) -> None:
        """Replaces all rows.

        Args:
            metric: what "Training" and "Validation" are, in words.
            by_share: whether its figures are shares of rows.
            pruned_by: the name of the metric that the trees are pruned and cross-validated by.
            method: whose trees the curves are of.
        """
        self.beginResetModel()
        self.entries, self._shown, self._rows_of = entries, set(), {}
        for row, entry in sorted(enumerate(entries), key=lambda item: bool(item[1].name)):
            if entry.point is not None:
                self._rows_of.setdefault(_whole(entry.point), []).append(row)
        self._by_share, self._pruned_by, self._metric = by_share, pruned_by, metric
        self._price = price_words(method, pruned_by)
        self.endResetModel()

    def rows_of(self, point: Point | None) -> list[int]:
        """The rows of a tree: of the curves first. The whole tree is the first of every method."""
        if point is None:
            return []
        return self._rows_of.get(_whole(point), [])

    def mark_canvas(self, point: Point | None) -> None:
        """Marks the rows whose tree is on the canvas."""
        before, self._shown = self._shown, set(self.rows_of(point))
        for row in before | self._shown:
            self.dataChanged.emit(self.index(row, 0), self.index(row, ALPHA))

    def text(self, rows: list[int]) -> str:
        """These rows, with the header, as tab-separated text with every digit."""
        unit = self._metric.lower().replace(" ", "_")
        lines = [f"tree\tleaves\ttraining_{unit}\tvalidation_{unit}\tcv_{self._pruned_by}\tcv_se\talpha"]
        for row in rows:
            entry = self.entries[row]
            if entry.step is None:
                lines.append("\t".join((entry.name, "", "", "", "", "", "")))
                continue
            step = entry.step
            alpha = step.alpha if entry.priced else math.nan
            figures = (entry.train, entry.validation, step.cv_error, step.cv_se, alpha)
            cells = ("" if math.isnan(figure) else repr(float(figure)) for figure in figures)
            lines.append("\t".join((entry.name, str(step.leaves), *cells)))
        return "\n".join(lines) + "\n"

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            costs = " cost" if section == CROSS and self._pruned_by == "cost" else ""
            return self._price[0] if section == ALPHA else HEADERS[section] + costs
        if role == Qt.ItemDataRole.ToolTipRole:
            pruned_by = words.inside(METRICS[self._pruned_by].label)
            explained = EXPLAINED[section].format(metric=self._metric, pruned_by=pruned_by)
            return self._price[1] if section == ALPHA else explained
        return aligned(section == TREE) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid():
            return None
        row, section = index.row(), index.column()
        entry = self.entries[row]
        if role == Qt.ItemDataRole.DisplayRole:
            mark = "▸ " if section == LEAVES and row in self._shown else ""
            return mark + self._cell(entry, section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(section == TREE)
        if role == Qt.ItemDataRole.ForegroundRole and entry.point is None:
            return theme.current().secondary
        if role == Qt.ItemDataRole.FontRole and entry.bold:
            return bold()
        if role == Qt.ItemDataRole.ToolTipRole:
            notes = [entry.reason] if entry.reason else []
            notes += ["chosen by the method"] * bool(entry.bold) + ["on the canvas"] * (row in self._shown)
            return verbatim.tip(", ".join(notes)) or None
        return None

    def _cell(self, entry: Entry, section: int) -> str:
        """One figure in words."""
        if section == TREE:
            return entry.name
        step = entry.step
        if step is None:
            return ""
        if section == LEAVES:
            return words.count(step.leaves)
        if section == ALPHA:
            return words.gain(step.alpha) if entry.priced else ""
        if section == CROSS:
            if not math.isfinite(step.cv_error):
                return words.NOTHING
            by_share = self._pruned_by == "error"
            spread = f" ± {error_words(step.cv_se, by_share)}" if math.isfinite(step.cv_se) else ""
            return error_words(step.cv_error, by_share) + spread
        return error_words(entry.train if section == TRAINING else entry.validation, self._by_share)


def _whole(point: Point) -> Point:
    """The same for the whole tree, whoever it is the first step of."""
    return point if point.step else Point("", 0)
