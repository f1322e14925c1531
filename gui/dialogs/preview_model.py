"""What the preview of a table holds: texts of the first rows, and the kind and role of every column."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QWidget

from gui import theme
from gui.widgets import verbatim
from gui.widgets.columns import KINDS, role_word

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
NUMERIC = ("number", "integer", "date")


class PreviewModel(QAbstractTableModel):
    """Texts of the first rows; kinds and roles of the columns.

    Signals:
        kindChosen: args: column name, kind
        rolesChanged: a role or the target is another one
    """

    kindChosen = Signal(str, str)
    rolesChanged = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names: list[str] = []
        self.kinds: dict[str, str] = {}
        self.roles: dict[str, str] = {}
        self.target: str | None = None
        self._cells: list[Sequence[str]] = []
        self._places: dict[str, int] = {}

    def show(self, names: Sequence[str], kinds: Mapping[str, str], cells: Sequence[Sequence[str]]) -> None:
        """Puts another preview up. Roles stay with the columns that are still there.

        Args:
            cells: for every column the texts of its first rows, "" where a value is missing.
        """
        self.beginResetModel()
        self.names = list(names)
        self.kinds = dict(kinds)
        self._cells = list(cells)
        self._places = {name: place for place, name in enumerate(self.names)}
        self.roles = {name: self.roles.get(name, "feature") for name in self.names}
        if self.target not in self.roles:
            self.target = None
        self.endResetModel()

    def role_of(self, name: str) -> str:
        """The role of a column, "target" for the one to predict."""
        return "target" if name == self.target else self.roles[name]

    def column_texts(self, name: str) -> Sequence[str]:
        """The texts of the first rows of a column."""
        return self._cells[self._places[name]]

    def set_kind(self, name: str, kind: str) -> None:
        """Asks for another kind; the preview is then read anew by whoever listens."""
        if kind != self.kinds[name]:
            self.kinds[name] = kind
            self._header_changed()
            self.kindChosen.emit(name, kind)

    def set_role(self, name: str, role: str) -> None:
        """Gives a column another role; "target" makes it the column to predict."""
        if role == "target":
            self.set_target(name)
            return
        for alone in (("weight", "frequency"), ("partition",)):  # one column at most has one of them
            if role in alone:
                self.roles = {each: "feature" if has in alone else has for each, has in self.roles.items()}
        self.roles[name] = role
        if name == self.target:
            self.target = None
        self._roles_changed()

    def set_target(self, name: str | None) -> None:
        """Makes a column the one to predict; the former one becomes a feature."""
        if name == self.target:
            return
        if name is not None:
            self.roles[name] = "feature"
        self.target = name
        self._roles_changed()

    def _roles_changed(self) -> None:
        self._header_changed()
        if self.names and self._cells and self._cells[0]:
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        self.rolesChanged.emit()

    def _header_changed(self) -> None:
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, max(0, len(self.names) - 1))

    # -- what Qt asks

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() or not self._cells else len(self._cells[0])

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        text = self._cells[index.column()][index.row()]
        name = self.names[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text or "–"
        if role == Qt.ItemDataRole.ToolTipRole:
            return verbatim.tip(text) or "missing"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if self.kinds[name] in NUMERIC else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.current().secondary if not text or self.role_of(name) == "ignore" else None
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None
        name = self.names[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == Qt.ItemDataRole.ToolTipRole:
            kind, use = KINDS[self.kinds[name]], role_word(self.role_of(name))
            return verbatim.tip(f"{name}\n{kind.word}: {kind.meaning}\n{use.word}: {use.meaning}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{name}, {KINDS[self.kinds[name]].word}, {role_word(self.role_of(name)).word}"
        return None
