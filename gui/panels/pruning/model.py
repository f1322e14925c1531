"""The trees of the chart as a table that can be copied."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from gui import theme
from gui.editing.pruning_choices import Point
from gui.panels.pruning.rows import Entry
from gui.panels.pruning.words import error_words, price_words
from gui.widgets.tables import aligned, bold
from gui.wording import words

HEADERS = ("Tree", "Leaves", "Training", "Validation", "Cross-validated", "Alpha")
EXPLAINED = (
    "The method that chooses this tree; below, the trees of the curves by size",
    "Leaves of the tree",
    "{metric} on the training rows",
    "{metric} on the validation rows",
    "Cross-validated error on the training rows, ± its standard error",
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
        self._by_share, self._errors_by_share = True, True
        self._metric = "Error"
        self._price = price_words("")

    def show(self, entries: list[Entry], metric: str, by_share: bool, errors_by_share: bool, method: str) -> None:
        """Replaces all rows.

        Args:
            metric: what "Training" and "Validation" are, in words.
            by_share, errors_by_share: whether the metric's figures, and the cross-validated ones, are shares of rows.
            method: whose trees the curves are of.
        """
        self.beginResetModel()
        self.entries, self._shown, self._rows_of = entries, set(), {}
        for row, entry in sorted(enumerate(entries), key=lambda item: bool(item[1].name)):
            if entry.point is not None:
                self._rows_of.setdefault(_whole(entry.point), []).append(row)
        self._by_share, self._errors_by_share, self._metric = by_share, errors_by_share, metric
        self._price = price_words(method)
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
        lines = [f"tree\tleaves\ttraining_{unit}\tvalidation_{unit}\tcv_error\tcv_se\talpha"]
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
            return self._price[0] if section == ALPHA else HEADERS[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._price[1] if section == ALPHA else EXPLAINED[section].format(metric=self._metric)
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
            return ", ".join(notes) or None
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
            spread = f" ± {error_words(step.cv_se, self._errors_by_share)}" if math.isfinite(step.cv_se) else ""
            return error_words(step.cv_error, self._errors_by_share) + spread
        return error_words(entry.train if section == TRAINING else entry.validation, self._by_share)


def _whole(point: Point) -> Point:
    """The same for the whole tree, whoever it is the first step of."""
    return point if point.step else Point("", 0)
