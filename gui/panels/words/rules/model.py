"""The rules of a tree as an item model: a heading for each class, below it the leaves that say it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor

import engine
from gui import theme
from gui.widgets import verbatim
from gui.widgets.tables import aligned, bold
from gui.wording import words

if TYPE_CHECKING:
    from engine.tree.rules import ClassRule, Path

MOST = 2000  # leaves that are listed; making and unfolding that many takes less than a tenth of a second
RULE, TRAINING_ROWS, TRAINING, VALIDATION_ROWS, VALIDATION = range(5)
ROW_HEIGHT = 24
HEADING = 0  # the internal id of a top row; a leaf has 1 + the row of its heading
HEADING_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
LEAF_FLAGS = HEADING_FLAGS | Qt.ItemFlag.ItemNeverHasChildren

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class RulesModel(QAbstractItemModel):
    """A top row for each class with its leaves below; for a numeric target a top row for each leaf.

    The words of a leaf are made when they are first shown.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree: engine.Tree | None = None
        self._focus = 0
        self._all: list[ClassRule] = []
        self._rules: list[ClassRule] = []  # with those of their paths that the filter lets through
        self._kept: list[int] = []  # where each stands among all
        self._filter = ""
        self._above: dict[int, str] = {}  # by leaf, what the splits above it ask
        self._sums: list[tuple[int, int, int]] = []
        self._places: dict[int, tuple[int, int]] = {}

    def show(self, tree: engine.Tree | None, focus: int, rules: list[ClassRule] | None = None) -> None:
        """Shows another tree; `focus` is the class that the colours single out, `rules` are its rules if at hand."""
        self.beginResetModel()
        self._tree, self._focus, self._above = tree, focus, {}
        self._all = [] if tree is None else engine.rules(tree, most=MOST) if rules is None else rules
        self._sums = _sums(tree) if tree is not None and tree.task == "classes" else []
        self._narrow()
        self.endResetModel()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, VALIDATION)

    def narrow(self, text: str) -> None:
        """Shows only the ways whose words, or the conditions on the canvas that lead there, hold this text, in any
        case; and all of a class whose heading does."""
        self.beginResetModel()
        self._filter = words.typed(text.strip())
        self._narrow()
        self.endResetModel()

    def _narrow(self) -> None:
        self._rules, self._kept = [], []
        for k, rule in enumerate(self._all):
            whole = self._filter in words.typed(self._name(rule) if self._by_class else rule.text)
            paths = rule.paths if whole else tuple(filter(self._lets_through, rule.paths))
            if whole or paths:
                self._rules.append(replace(rule, paths=paths))
                self._kept.append(k)
        self._places = {
            path.node: (k, row) for k, rule in enumerate(self._rules) for row, path in enumerate(rule.paths)
        }

    def _lets_through(self, path: Path) -> bool:
        """Whether the filter stands in the words of a leaf, or in the sentences of the splits above it."""
        assert self._tree is not None
        if self._filter in words.typed(_words(path)):
            return True
        if path.node not in self._above:
            self._above[path.node] = words.typed("\n".join(self._tree.rule(path.node)))
        return self._filter in self._above[path.node]

    def _name(self, rule: ClassRule) -> str:
        return f"{self._tree.target} = {rule.label}" if self._tree is not None else ""

    @property
    def tree(self) -> engine.Tree | None:
        """The tree that is shown."""
        return self._tree

    def line_of(self, index: Index) -> int:
        """Which line of the list a row is when all headings are unfolded."""
        if not self._by_class:
            return index.row()
        k = _top_row(index)
        above = k + sum(len(rule.paths) for rule in self._rules[:k])
        return above if index.internalId() == HEADING else above + 1 + index.row()

    @property
    def left_out(self) -> int:
        """How many leaves are not listed."""
        return max(0, self._tree.n_leaves - MOST) if self._tree is not None else 0

    @property
    def text(self) -> str:
        """All rules, a line for each."""
        return "\n".join(map(self._line, self._all))

    def text_of(self, index: Index) -> str:
        """The rule of a leaf's row, of a heading that of its class, whatever the filter hides; empty for no row."""
        if not index.isValid():
            return ""
        rule, path = self._all[self._kept[_top_row(index)]], self._path(index)
        return self._line(rule if path is None or not self._by_class else replace(rule, paths=(path,), more=0))

    def index_of(self, node: int) -> QModelIndex:
        """The first cell of a leaf's row; an invalid index for a node that is not listed."""
        if node not in self._places:
            return QModelIndex()
        k, row = self._places[node]
        return self.createIndex(row, 0, k + 1) if self._by_class else self.createIndex(k, 0, HEADING)

    def node_at(self, index: Index) -> int | None:
        """The id of the leaf that a row stands for; None for a heading."""
        path = self._path(index) if index.isValid() else None
        return path.node if path is not None else None

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        # Not by `hasIndex`: the view asks for every row, and that one asks back for the rows and for the columns.
        if not (0 <= row < self.rowCount(parent) and 0 <= column <= VALIDATION):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else HEADING)

    def parent(self, index: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == HEADING:
            return QModelIndex()
        return self.createIndex(int(index.internalId()) - 1, 0, HEADING)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._rules)
        below = self._by_class and parent.internalId() == HEADING and parent.column() == 0
        return len(self._rules[parent.row()].paths) if below else 0

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return VALIDATION + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section <= VALIDATION:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headers()[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return verbatim.tip(self._explained()[section])
        return aligned(section == RULE) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return HEADING_FLAGS if self._by_class and index.internalId() == HEADING else LEAF_FLAGS

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid() or self._tree is None:
            return None
        section, heading = index.column(), self._path(index) is None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(section == RULE)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._text(index) if section == RULE else f"{self._spoken(section)}: {self._text(index)}"
        if role == Qt.ItemDataRole.SizeHintRole and section != RULE:
            return QSize(0, ROW_HEIGHT)
        if role == Qt.ItemDataRole.ToolTipRole and section == RULE:
            return verbatim.tip(self._tip(index))
        if role == Qt.ItemDataRole.DecorationRole and section == RULE and heading:
            return QColor(theme.current().class_colour(self._kept[index.row()], len(self._all), self._focus))
        if role == Qt.ItemDataRole.FontRole and heading:
            return bold()
        return None

    @property
    def _by_class(self) -> bool:
        return self._tree is not None and self._tree.task == "classes"

    def _path(self, index: Index) -> Path | None:
        """The way that a row shows; None for the heading of a class."""
        if not self._by_class:
            return self._rules[index.row()].paths[0]
        return None if index.internalId() == HEADING else self._rules[_top_row(index)].paths[index.row()]

    def _line(self, rule: ClassRule) -> str:
        return rule.text if rule.value is not None else f"{self._name(rule)}: {rule.text}"

    def _headers(self) -> tuple[str, ...]:
        figure = "Right" if self._by_class else "Error"
        return "Rule", "Training", figure, "Validation", figure

    def _spoken(self, section: int) -> str:
        """The name of a column for a screen reader, which does not see what it stands beside."""
        figure = "right" if self._by_class else "error"
        return ("rule", "training rows", f"{figure} in training", "validation rows", f"{figure} in validation")[section]

    def _explained(self) -> tuple[str, ...]:
        what = "Share of the {} rows whose class is the one that the leaf says"
        if not self._by_class:
            what = "Mean error of the leaf’s number on the {} rows: squared for a mean"
        return (
            "What leads to the class: one way for each leaf, those of most training rows first",
            "Training rows that go this way",
            what.format("training"),
            "Validation rows that go this way",
            what.format("validation"),
        )

    def _text(self, index: Index) -> str:
        path, section = self._path(index), index.column()
        if path is None:
            return self._heading(index.row(), section)
        if section == RULE:
            return _words(path) if self._by_class else self._rules[index.row()].text
        if section in (TRAINING_ROWS, VALIDATION_ROWS):
            return words.count(path.rows_train if section == TRAINING_ROWS else path.rows_validation)
        return self._figure(path.error_train if section == TRAINING else path.error_validation)

    def _figure(self, error: float) -> str:
        return words.percent(1.0 - error) if self._by_class else words.value(error)

    def _heading(self, k: int, section: int) -> str:
        n_leaves, train, validation = self._sums[self._kept[k]]
        if section == RULE:
            said = f"{n_leaves:,} {'leaf' if n_leaves == 1 else 'leaves'}" if n_leaves else "never"
            return f"{self._name(self._rules[k])} · {said}"
        return {TRAINING_ROWS: words.count(train), VALIDATION_ROWS: words.count(validation)}.get(section, "")

    def _tip(self, index: Index) -> str:
        path = self._path(index)
        if path is None:
            return f"All ways to “{self._rules[index.row()].label}”, joined by OR"
        return "\n".join(path.conditions) or "All rows"


def _sums(tree: engine.Tree) -> list[tuple[int, int, int]]:
    """(leaves, training rows, validation rows) of every class."""
    said, n = tree.labels[tree.leaves], len(tree.classes)
    leaves = np.bincount(said, minlength=n)
    rows = [np.bincount(said, of[tree.leaves], n) for of in (tree.rows_train, tree.rows_validation)]
    return [(int(a), int(b), int(c)) for a, b, c in zip(leaves, *rows, strict=True)]


def _top_row(index: Index) -> int:
    return index.row() if index.internalId() == HEADING else int(index.internalId()) - 1


def _words(path: Path) -> str:
    if len(path.conditions) > 1:
        return path.text
    return "".join(path.conditions) or "always"
