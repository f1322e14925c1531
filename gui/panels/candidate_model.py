"""The candidate splits of one node as a table: one row per column, best first, unusable ones last."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor

import engine
from gui import theme, words
from gui.panels.plotting import short

COLUMN, SPLIT, GAIN, AHEAD, VALIDATION, LOGWORTH, BRANCHES = range(7)
HEADERS = ("Column", "Split", "Gain", "Two levels", "Validation", "LogWorth", "Branches")
EXPLAINED = (
    "The column that the rows would be split by",
    "The best split of this column",
    "How much the impurity falls on the training rows that chose the split (by the gain ratio: of the entropy)",
    "What the split and the best one below each of its branches gain together: lookahead ranks by it",
    "The gain of the split on the validation rows, which did not choose it",
    "−log₁₀ of the p-value, adjusted for the search: 2 means p = 0.01",
    "How many branches the split makes",
)
CANDIDATE = Qt.ItemDataRole.UserRole
SORT = Qt.ItemDataRole.UserRole + 1
LEVELS_SHOWN = 4
ROUNDING = 1e-12  # smaller gains are nothing

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class CandidateModel(QAbstractTableModel):
    """Shows candidates in the order given; `stale` greys them while the next ones are searched for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._candidates: list[engine.Candidate] = []
        self._kinds: dict[str, str] = {}
        self.stale = False
        self.largest_gain = 0.0  # on training or validation rows: the length of a full bar

    def show(self, found: list[engine.Candidate], kinds: dict[str, str]) -> None:
        """Replaces all rows; `kinds` maps a column's name to its kind."""
        self.beginResetModel()
        self._candidates, self._kinds, self.stale = list(found), kinds, False
        gains = [g for c in found if c.split for g in (c.gain, c.validation_gain) if math.isfinite(g)]
        self.largest_gain = max(gains, default=0.0)
        self.endResetModel()

    def set_stale(self, stale: bool) -> None:
        """Greys the rows, or makes them plain again."""
        if stale != self.stale:
            self.stale = stale
            if self._candidates:
                self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(HEADERS) - 1))

    @property
    def candidates(self) -> list[engine.Candidate]:
        """The rows, in the order of the model."""
        return self._candidates

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._candidates)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADERS[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return EXPLAINED[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid():
            return None
        candidate, section = self._candidates[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(candidate, section)
        if role == CANDIDATE:
            return candidate
        if role == SORT:
            return _sort_value(candidate, section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.explanation(candidate)
        if role == Qt.ItemDataRole.ForegroundRole and (self.stale or candidate.split is None):
            return QColor(theme.current().secondary)
        return None

    def explanation(self, candidate: engine.Candidate) -> str:
        """The candidate in sentences, for tooltips."""
        if candidate.split is None:
            return f"{candidate.column}: {candidate.reason}"
        lines = [f"{candidate.column}: {split_words(candidate.split, self._kinds, most=40)}"]
        lines.append("Rows: " + ", ".join(words.count(n) for n in candidate.rows))
        if candidate.missing and candidate.split.kind != "m_of_n":  # whose literals are false there
            lines.append(f"Missing: {words.count(candidate.missing)}, {where_missing(candidate.split)}")
        scores = [f"{engine.CRITERIA[name].label} {words.gain(score)}" for name, score in candidate.scores.items()]
        lines.append("Gains: " + ", ".join(scores) if len(scores) > 1 else "")
        if math.isfinite(candidate.ahead):
            lines.append(f"With the best splits one level below: {words.gain(candidate.ahead)}")
        lines.append(verdict(candidate))
        return "\n".join(line for line in lines if line)

    def _text(self, candidate: engine.Candidate, section: int) -> str:
        if section == COLUMN:
            return candidate.column
        if candidate.split is None:
            return candidate.reason if section == SPLIT else ""
        if section == SPLIT:
            return split_words(candidate.split, self._kinds)
        if section == GAIN:
            return "no gain yet" if _is_nothing(candidate.gain) else words.gain(candidate.gain)
        if section in (AHEAD, VALIDATION):
            return _number(candidate.ahead if section == AHEAD else candidate.validation_gain)
        if section == LOGWORTH:
            return _number(candidate.logworth, places=2)
        return str(candidate.split.n_branches)


class CandidateOrder(QSortFilterProxyModel):
    """Filters by the column's name and sorts by value; unusable candidates stay last either way."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setSortRole(SORT)
        self.setFilterKeyColumn(COLUMN)
        self.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def lessThan(self, left: Index, right: Index) -> bool:
        usable = [index.data(CANDIDATE).split is not None for index in (left, right)]
        if usable[0] != usable[1]:
            return usable[0] == (self.sortOrder() == Qt.SortOrder.AscendingOrder)
        return left.data(SORT) < right.data(SORT)


def split_words(split: engine.Split, kind: str | dict[str, str], most: int = LEVELS_SHOWN) -> str:
    """A split in words: the condition of the first of two branches, otherwise every branch, parted by bars."""
    if split.kind == "m_of_n":
        return engine.splits.branch_words(split, 0, kind)
    if split.kind == "threshold" and split.n_branches == 2 and math.isfinite(split.thresholds[0]):
        return engine.splits.branch_words(split, 0, kind)
    if split.kind == "threshold":
        return " | ".join(engine.splits.branch_words(split, b, kind) for b in range(split.n_branches))
    if all(len(group) == 1 for group in split.groups) and len(split.groups) > 2:
        names = [group[0] for group in split.groups]
        return "each of " + _some(names, most)
    return " | ".join(_group_words(split, branch, most) for branch in range(split.n_branches))


def where_missing(split: engine.Split) -> str:
    """Where rows without the value go: "into branch 2", "by income, rent, else into branch 2"."""
    by = ", ".join(surrogate.split.column for surrogate in split.surrogates)
    return f"by {by}, else into branch {split.missing + 1}" if by else f"into branch {split.missing + 1}"


def verdict(candidate: engine.Candidate) -> str:
    """What the two gains together mean, in one sentence; empty where there is nothing to say."""
    if _is_nothing(candidate.gain) and candidate.ahead > ROUNDING:
        return "No gain by itself, but the splits below its branches gain."
    if _is_nothing(candidate.gain):
        return "No gain yet: this split may be chosen, and may pay off one level further down."
    seen, unseen = candidate.gain, candidate.validation_gain
    if not math.isfinite(unseen):
        return ""
    if unseen <= 0:
        return "The gain does not survive on the validation rows: there the split gains nothing."
    if unseen < 0.5 * seen:
        return f"Only {words.percent(unseen / seen)} of the gain survives on the validation rows."
    return ""


def _group_words(split: engine.Split, branch: int, most: int) -> str:
    group = split.groups[branch]
    return "{" + _some(group, most) + "}" if group else engine.splits.branch_words(split, branch, "")


def _some(names: tuple[str, ...] | list[str], most: int) -> str:
    """The names, or the first ones and how many there are."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(short(name) for name in names[: most - 1])}, … ({len(names)} levels)"


def _is_nothing(gain: float) -> bool:
    return abs(gain) < ROUNDING


def _number(value: float, places: int | None = None) -> str:
    if not math.isfinite(value):
        return words.NOTHING if math.isnan(value) else "∞"
    if places is None:
        return words.gain(value)
    return f"{value:.{places}f}".replace("-", words.MINUS)


def _sort_value(candidate: engine.Candidate, section: int) -> float | str:
    if section == COLUMN:
        return candidate.column.casefold()
    if section == SPLIT:
        return candidate.reason if candidate.split is None else candidate.split.kind
    branches = float(candidate.split.n_branches) if candidate.split else 0.0
    numbers = (candidate.gain, candidate.ahead, candidate.validation_gain, candidate.logworth, branches)
    number = numbers[section - GAIN]
    return -math.inf if math.isnan(number) else float(number)


def _alignment(section: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if section in (COLUMN, SPLIT) else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
