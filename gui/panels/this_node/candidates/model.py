"""Candidates of one node as a tree model: a row per column, best first, unusable ones last; further optima below."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.model.search import further
from gui.panels.this_node import words as say
from gui.panels.this_node.candidates import figures
from gui.panels.this_node.candidates.figures import AHEAD, COLUMN, GAIN, HEADERS, LOGWORTH, SPLIT, VALIDATION, figure_of
from gui.widgets import verbatim
from gui.widgets.building import later
from gui.widgets.tables import Index, aligned
from gui.wording import words

if TYPE_CHECKING:  # it brings the compiler
    from engine.resampling.stability import Wins

CANDIDATE = Qt.ItemDataRole.UserRole
SORT = Qt.ItemDataRole.UserRole + 1
STAR = "★ "
BLINK = 100  # milliseconds; most searches answer within, and painting rows takes time from the others

_NOWHERE = QModelIndex()


class CandidateModel(QAbstractItemModel):
    """Shows candidates in the order given."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.candidates: list[engine.Candidate] = []  # in the order of the model
        self._further: dict[str, tuple[engine.Candidate, ...]] = {}
        self._ahead: dict[str, float] = {}
        self._agreement: dict[str, float] = {}
        self.wins: dict[str, Wins] = {}  # by column, while they are shown
        self._kinds: dict[str, str] = {}
        self._classes: Sequence[str] = ()
        self._is_sampled = False
        self.stale = False  # they are those of another question, and grey
        self.complete = True  # the search has ended, so that the order is that of merit
        self._greyed = later(self, self._redraw, BLINK)
        self.ranking = GAIN  # the section that ranks and whose bars are drawn, this or AHEAD
        self.largest_gain = 0.0  # of that section, on training or validation rows: the length of a full bar
        self.bound: float | None = None  # the LogWorth that a split needs to be significant, where that is asked
        self.criterion = ""  # by which the gains are measured
        self.beside: int | None = None  # the section that is compared with the criterion
        self.winners = (-1, -1)  # the row of the best by the criterion and by `beside`; -1 for none
        self.merits: list[float] = []  # what ranks those that may be chosen

    def show(
        self, found: list[engine.Candidate], kinds: dict[str, str], bound: float | None = None, criterion: str = "",
        complete: bool = True, classes: Sequence[str] = (), is_sampled: bool = False,
    ) -> None:  # fmt: skip
        """Replaces all rows, whose gains are 0 where they are rounding; `kinds` maps a column's name to its kind,
        `classes` are those of the target, `is_sampled` says whether rows have sampling weights."""
        self._greyed.stop()
        self.beginResetModel()
        self.candidates, self._kinds, self.stale, self.bound = list(found), kinds, False, bound
        self._further, self._ahead, self._agreement, self.wins = {}, {}, {}, {}
        self.criterion, self.complete, self._classes, self._is_sampled = criterion, complete, classes, is_sampled
        self._measure()
        self.endResetModel()

    def append(self, found: Iterable[engine.Candidate]) -> None:
        if new := list(found):
            n = len(self.candidates)
            self.beginInsertRows(_NOWHERE, n, n + len(new) - 1)
            self.candidates += new
            self._measure()
            self.endInsertRows()
            self._redraw()

    def learn(self, what: str, answers: dict[str, Any]) -> None:
        """What is found out beside the candidates, by column, see `further`; optima unfold below them."""
        if what == further.WINS:
            self.wins = answers
        elif what != further.OPTIMA:
            (self._agreement if what == further.AGREEMENT else self._ahead).update(answers)
        if what != further.OPTIMA:
            self._redraw()
            return
        for row, candidate in enumerate(self.candidates):
            new = answers.get(candidate.column, ())
            if new and candidate.column not in self._further and candidate.split is not None:
                self.beginInsertRows(self.index(row, 0), 0, len(new) - 1)
                self._further[candidate.column] = new
                self.endInsertRows()

    def compare(self, section: int | None) -> None:
        self.beside = section
        self._measure()
        self._redraw()

    def set_stale(self, stale: bool) -> None:
        """They are painted grey only if that lasts longer than a blink."""
        if stale != self.stale:
            self.stale = stale
            self._greyed.start()

    def _measure(self) -> None:
        usable = self.usable
        self.ranking = AHEAD if any(math.isfinite(c.ahead) for c in usable) else GAIN
        self.largest_gain = max((g for c in usable for g in self.bars(c) if math.isfinite(g)), default=0.0)
        self.merits = [self.merit(candidate) for candidate in usable]
        self.winners = (-1, -1)
        if self.beside is not None and usable and self.complete:
            values = [self.value(row, self.beside) for row in range(len(usable))]
            known = [row for row, value in enumerate(values) if math.isfinite(value)]
            self.winners = (0, max(known, key=lambda row: values[row], default=-1))

    def _redraw(self) -> None:
        if self.candidates:
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(HEADERS) - 1))

    @property
    def usable(self) -> list[engine.Candidate]:
        return [candidate for candidate in self.candidates if candidate.split is not None]

    def merit(self, candidate: engine.Candidate) -> float:
        """What ranks a candidate: its gain, the gain ratio, LogWorth, or two levels."""
        if self.ranking == AHEAD:
            return candidate.ahead
        one = engine.CRITERIA.get(self.criterion)  # none while nothing is searched
        by_score = one is not None and one.by_score
        return float(candidate.scores.get(self.criterion, math.nan)) if by_score else candidate.gain

    def bars(self, candidate: engine.Candidate) -> tuple[float, float]:
        """What the two bars of a candidate show: what ranks it, and that on validation rows (NaN: no bar)."""
        return (candidate.ahead, math.nan) if self.ranking == AHEAD else (candidate.gain, candidate.validation_gain)

    def passes(self, candidate: engine.Candidate) -> bool:
        return self.bound is None or candidate.logworth >= self.bound

    def compared(self) -> str:
        """Where the criterion and the measure beside it disagree, in one sentence; empty without a comparison."""
        first, other = self.winners
        if self.beside is None or other < 0:
            return ""
        label, figure = tr(engine.CRITERIA[self.criterion].label), figure_of(self.beside)
        assert figure is not None
        second = tr(engine.CRITERIA[figure.name].label) if figure.name in engine.CRITERIA else figure.say_title()
        return say.compared(label, self.candidates[first].column, second, self.candidates[other].column)

    def texts(self, section: int, most: int) -> list[str]:
        rows = range(min(most, len(self.usable)))
        return [self._text(self.candidates[row], self.index(row, section)) for row in rows]

    def value(self, row: int, section: int) -> float:
        figure = figure_of(section)
        return figure.value(self._row(self.candidates[row], row)) if figure is not None else math.nan

    def holds(self, section: int) -> bool:
        """Whether a section of figures tells anything: one of which nothing is known gives its room to names."""
        values = [self.value(row, section) for row in range(len(self.usable))]
        return figure_of(section) is None or not self.complete or not values or any(map(math.isfinite, values))

    def _row(self, candidate: engine.Candidate, row: int | None) -> figures.Row:
        """A candidate with what is known beside it; `row` None for a further optimum."""
        best = self.merits[0] if self.merits and self.complete else math.nan
        of_best = self.merit(candidate) / best if best > 0 and candidate.split is not None else math.nan
        if row is None:
            return figures.Row(candidate, of_best=of_best)
        ranked = self.complete and candidate.split is not None
        next_best = say.times_next(self.merits[row : row + 2], 0) if ranked else math.nan
        ahead = self._ahead.get(candidate.column, candidate.ahead)
        wins = self.wins[candidate.column].share if candidate.column in self.wins else math.nan
        return figures.Row(candidate, ahead, self._agreement.get(candidate.column, math.nan), wins, of_best, next_best)

    def candidate(self, index: Index) -> engine.Candidate:
        above = index.internalId()
        return (self._further[self.candidates[above - 1].column] if above else self.candidates)[index.row()]

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if not (0 <= row < self.rowCount(parent) and 0 <= column < len(HEADERS)):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        above = index.internalId() if index.isValid() else 0
        return self.createIndex(above - 1, 0, 0) if above else QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self.candidates)
        below = not parent.internalId() and parent.column() <= 0
        return len(self._further.get(self.candidates[parent.row()].column, ())) if below else 0

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return len(HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        figure = figure_of(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(HEADERS[section])
        if role == Qt.ItemDataRole.ToolTipRole:  # in little room a header is shortened
            return f"{figure.say_title()}: {figure.explain()}" if figure else tr(figures.EXPLAINED[section])
        return aligned(figure is None) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = 0) -> Any:
        candidate = self.candidate(index) if index.isValid() else None
        if candidate is None or role == CANDIDATE:
            return candidate
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(candidate, index)
        if role == SORT:
            return self._sort_value(candidate, index)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(index.column() in (COLUMN, SPLIT))
        if role == Qt.ItemDataRole.ToolTipRole:
            return verbatim.tip(self.explanation(candidate))
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._ink(candidate, index)
        return self._spoken(candidate, index) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def explanation(self, candidate: engine.Candidate) -> str:
        if candidate.split is None:
            return f"{candidate.column}: {candidate.reason}"
        lines = [f"{candidate.column}: {say.split_words(candidate.split, self._kinds, most=40)}"]
        lines.append(tr("Rows: {rows}", rows=", ".join(words.count(n) for n in candidate.rows)))
        if candidate.missing and candidate.split.kind != "m_of_n":  # whose literals are false there
            where = say.where_missing(candidate.split)
            lines.append(tr("Missing: {rows}, {where}", rows=words.count(candidate.missing), where=where))
        of_best = self._row(candidate, None).of_best
        if math.isfinite(of_best) and of_best < 1:
            lines.append(tr("Gain: {share} of the best", share=say.percent(of_best)))
        scores = [f"{tr(engine.CRITERIA[name].label)} {words.gain(score)}" for name, score in candidate.scores.items()]
        if len(scores) > 1:
            lines.append(tr("Gains: {gains}", gains=", ".join(scores)))
        best = any(candidate is one for one in self.candidates)
        ahead = self._ahead.get(candidate.column, candidate.ahead) if best else candidate.ahead
        if math.isfinite(ahead):
            lines.append(tr("With the best splits one level below: {gain}", gain=words.gain(ahead)))
        lines += [say.verdict(candidate, self.criterion, self._classes, self._is_sampled), self._likeness(candidate)]
        if best and candidate.column in self.wins:
            lines.append(say.wins_of(self.wins[candidate.column], leads=candidate is self.candidates[0]))
        if not self.passes(candidate):
            logworth = say.number(candidate.logworth, places=2)
            lines.append(tr("Not significant: its LogWorth is {logworth}.", logworth=logworth))
        return "\n".join(line for line in lines if line)

    def remark(self, candidate: engine.Candidate) -> str:
        """What a person ought to know before choosing a candidate, in sentences; empty where there is nothing."""
        if candidate.split is None:
            return ""
        parts = [say.verdict(candidate, self.criterion, self._classes, self._is_sampled)]
        agreement = self._agreement.get(candidate.column, math.nan)
        if math.isfinite(agreement) and say.is_mimic(agreement, self.candidates[0]):
            parts.append(self._likeness(candidate))
        return " ".join(part for part in parts if part)

    def _likeness(self, candidate: engine.Candidate) -> str:
        agreement, leading = self._agreement.get(candidate.column, math.nan), self.candidates[0]
        best = candidate is not leading and any(candidate is one for one in self.candidates)
        return say.mimic_words(agreement, leading) if best and math.isfinite(agreement) else ""

    def _text(self, candidate: engine.Candidate, index: Index) -> str:
        section, further = index.column(), index.internalId() > 0
        if section == COLUMN:
            return tr(say.ORDINALS[index.row()]) if further else candidate.column
        if candidate.split is None:
            return candidate.reason if section == SPLIT else ""
        if section == SPLIT:
            return say.split_words(candidate.split, self._kinds)
        if section == GAIN and candidate.gain == 0:
            return tr("no gain yet")
        if section == figures.AGREEMENT and not further and index.row() == 0:
            return tr("leads") if self.complete else words.NOTHING
        figure = figure_of(section)
        assert figure is not None
        value = figure.value(self._row(candidate, None if further else index.row()))
        text = figure.text(value) if not math.isnan(value) else words.NOTHING
        if section == figures.AGREEMENT and math.isfinite(value) and say.is_mimic(value, self.candidates[0]):
            text = f"≈ {text}"
        winners = ((self.winners[0], self.ranking), (self.winners[1], self.beside))
        return STAR + text if not further and (index.row(), section) in winners else text

    def _ink(self, candidate: engine.Candidate, index: Index) -> QColor | None:
        section, colours = index.column(), theme.current()
        if self.stale or candidate.split is None or (section >= GAIN and not self.passes(candidate)):
            return QColor(colours.secondary)
        if section == VALIDATION and say.is_lost(candidate, self.criterion):
            return QColor(colours.warning)
        return QColor(colours.secondary) if section == COLUMN and index.internalId() else None

    def _spoken(self, candidate: engine.Candidate, index: Index) -> str | None:
        section, text = index.column(), self._text(candidate, index)
        if candidate.split is None or section not in (LOGWORTH, VALIDATION):
            return None
        if section == LOGWORTH:
            return text if self.passes(candidate) else tr("{logworth}, not significant", logworth=text)
        return tr("{gain}, does not survive", gain=text) if say.is_lost(candidate, self.criterion) else text

    def _sort_value(self, candidate: engine.Candidate, index: Index) -> float | str:
        section, further = index.column(), index.internalId() > 0
        if section == COLUMN:
            return say.ORDINALS[index.row()] if further else candidate.column.casefold()
        if section == SPLIT:
            return candidate.reason if candidate.split is None else candidate.split.kind
        figure = figure_of(section)
        if figure is None or candidate.split is None:
            return -math.inf
        value = figure.value(self._row(candidate, None if further else index.row()))
        return -math.inf if math.isnan(value) else float(value)


class CandidateOrder(QSortFilterProxyModel):
    """Filters by the column's name and sorts by value; unusable candidates stay last either way."""

    def __init__(self, parent: QObject | None = None) -> None:
        alike = Qt.CaseSensitivity.CaseInsensitive
        super().__init__(parent, sortRole=SORT, filterKeyColumn=COLUMN, filterCaseSensitivity=alike)

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        return parent.isValid() or super().filterAcceptsRow(row, parent)

    def lessThan(self, left: Index, right: Index) -> bool:
        usable = [index.data(CANDIDATE).split is not None for index in (left, right)]
        if usable[0] != usable[1]:
            return usable[0] == (self.sortOrder() == Qt.SortOrder.AscendingOrder)
        return left.data(SORT) < right.data(SORT)
