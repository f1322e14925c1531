"""The columns of the table as rows of a list: name, shape, role, gaps and distinct values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt

from gui import icons, theme
from gui.panels.data.columns.words import KINDS, LOCKED, Word, distinct_text, missing_text, role_word
from gui.widgets import verbatim
from gui.widgets.dragged import COLUMN, column_data
from gui.widgets.tables import aligned
from gui.wording import words

if TYPE_CHECKING:
    from engine.table.column import Column
    from engine.table.table import Table
    from gui.panels.data.columns.facts import Facts

HEADERS = ("Column", "Values", "Role", "Missing", "Distinct")
NAME, VALUES, ROLE, MISSING, DISTINCT = range(5)
FACTS_ROLE = Qt.ItemDataRole.UserRole + 1
SORT_ROLE = Qt.ItemDataRole.UserRole + 2
EXPLAINED = {
    VALUES: "How the rows spread over the values; coloured by class.",
    ROLE: "Press to change it.",
    MISSING: "Rows without a value.",
    DISTINCT: "Different values that occur.",
}

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class ColumnModel(QAbstractTableModel):
    """One row for each column of the table; facts arrive later than names."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: Table | None = None
        self._facts: list[Facts | None] = []
        self._locked: frozenset[str] = frozenset()

    def show(self, table: Table | None, known: list[Facts | None]) -> None:
        """Puts a table up, with the facts that are known already (one for each column)."""
        before = [column.name for column in self._table.columns] if self._table is not None else []
        now = [column.name for column in table.columns] if table is not None else []
        if before == now and now:
            self._table, self._facts = table, list(known)
            self.dataChanged.emit(self.index(0, 0), self.index(len(now) - 1, len(HEADERS) - 1))
            return
        self.beginResetModel()
        self._table, self._facts = table, list(known)
        self.endResetModel()

    def set_facts(self, place: int, facts: Facts) -> None:
        """Facts about one column have arrived."""
        self._facts[place] = facts
        self.dataChanged.emit(self.index(place, 0), self.index(place, len(HEADERS) - 1))

    def set_locked(self, names: frozenset[str]) -> None:
        """These columns are locked now, and no others."""
        if names != self._locked:
            self._locked = names
            if self.rowCount():
                self.dataChanged.emit(self.index(0, ROLE), self.index(self.rowCount() - 1, ROLE))

    def facts(self, place: int) -> Facts | None:
        """The facts about a column, None while they are being counted."""
        return self._facts[place]

    @property
    def nothing_missing(self) -> bool:
        """Whether all columns are counted, and every row has a value in each."""
        return all(facts is not None and not facts.n_missing for facts in self._facts)

    def column(self, place: int) -> Column:
        """The column in a row."""
        assert self._table is not None
        return self._table.columns[place]

    def name(self, place: int) -> str:
        """The name of the column in a row."""
        return self.column(place).name

    def kind(self, place: int) -> str:
        """The kind of the column in a row."""
        return self.column(place).kind

    def role_of(self, place: int) -> str:
        """The role of the column in a row, "target" for the one to predict."""
        assert self._table is not None
        name = self.name(place)
        return "target" if name == self._table.target else self._table.roles.get(name, "feature")

    def is_locked(self, place: int) -> bool:
        """Whether the column in a row is a feature that no search may use."""
        return self.name(place) in self._locked and self.role_of(place) == "feature"

    def _role_word(self, place: int) -> Word:
        return LOCKED if self.is_locked(place) else role_word(self.role_of(place))

    # -- what Qt asks

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() or self._table is None else len(self._table.columns)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADERS[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return EXPLAINED.get(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(section not in (MISSING, DISTINCT))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Features can be dragged onto a node of the tree."""
        usual = super().flags(index)
        feature = index.isValid() and self.role_of(index.row()) == "feature"
        return usual | Qt.ItemFlag.ItemIsDragEnabled if feature else usual

    def mimeTypes(self) -> list[str]:
        return [COLUMN]

    def mimeData(self, indexes: Any) -> QMimeData:
        return column_data(self.name(indexes[0].row()))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._table is None:
            return None
        place, section = index.row(), index.column()
        facts = self._facts[place]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(place, section, facts)
        if role == FACTS_ROLE:
            return facts
        if role == SORT_ROLE:
            return self._sort_key(place, section, facts)
        if role == Qt.ItemDataRole.DecorationRole:
            return self._picture(place, section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(section not in (MISSING, DISTINCT))
        if role == Qt.ItemDataRole.ToolTipRole:
            return verbatim.tip(self._explained(place, section, facts))
        if role == Qt.ItemDataRole.AccessibleTextRole and section in (NAME, VALUES):
            return ". ".join([self.name(place), KINDS[self.kind(place)].word, *_flag_texts(facts)])
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._ink(place, section)
        return None

    def _text(self, place: int, section: int, facts: Facts | None) -> str:
        if section == NAME:
            return self.name(place)
        if section == ROLE:
            return self._role_word(place).word
        if section == VALUES:
            return ""
        if facts is None:
            return "…"
        if section == DISTINCT:
            return distinct_text(facts)
        return missing_text(facts)

    def _sort_key(self, place: int, section: int, facts: Facts | None) -> Any:
        if section == NAME:
            return self.name(place).casefold()
        if section == ROLE:
            return self._role_word(place).word
        if facts is None:
            return -1
        return {VALUES: place, MISSING: facts.n_missing, DISTINCT: facts.n_distinct}[section]

    def _picture(self, place: int, section: int) -> Any:
        current = theme.current()
        if section == NAME:
            return icons.icon(KINDS[self.kind(place)].icon, self._ink(place, NAME) or current.text)
        if section == ROLE:
            return icons.icon(self._role_word(place).icon, self._ink(place, ROLE))
        return None

    def _ink(self, place: int, section: int) -> Any:
        role, current = self.role_of(place), theme.current()
        if role == "target" and section in (NAME, ROLE):
            return current.accent
        return current.secondary if role == "ignore" or section != NAME else None

    def _explained(self, place: int, section: int, facts: Facts | None) -> str:
        if section == ROLE:
            return _meaning(self._role_word(place))
        if section == MISSING and facts is not None:
            share = words.percent(facts.n_missing / facts.n_rows)
            return f"Missing in {words.count(facts.n_missing)} of {words.count(facts.n_rows)} rows ({share})"
        if section == DISTINCT and facts is not None:
            return f"{words.count(facts.n_distinct)} different values"
        shown = [facts.shown] if facts is not None and facts.shown else []
        return "\n".join([self.name(place), _meaning(KINDS[self.kind(place)]), *shown, *_flag_texts(facts)])


def _meaning(word: Word) -> str:
    return f"{word.word.capitalize()}: {word.meaning}"


def _flag_texts(facts: Facts | None) -> list[str]:
    return [flag.text for flag in facts.flags] if facts is not None else []
