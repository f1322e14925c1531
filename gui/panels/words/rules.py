"""The rules panel: the tree in words, class by class, in step with the canvas."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QObject, QRect, QSize, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui import theme
from gui.model.document import Document
from gui.widgets import verbatim
from gui.widgets.building import Reaction, below, empty_page, fill, named, put_pages
from gui.widgets.buttons import Button
from gui.widgets.fields import FindField
from gui.widgets.labels import say
from gui.widgets.tables import Index, aligned, bold
from gui.wording import phrases, words

if TYPE_CHECKING:  # loads pandas
    from engine.tree.rules import ClassRule, Limit, Path

Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()
MOST = 2000  # leaves that are listed; making and unfolding that many takes less than a tenth of a second
RULE, TRAINING_ROWS, TRAINING, VALIDATION_ROWS, VALIDATION = range(5)
ROW_HEIGHT = 24
NODE = Qt.ItemDataRole.UserRole  # of a leaf's row, its id; of a heading none
LINES = Qt.ItemDataRole.UserRole + 1  # what is copied
MOST_LISTED = 12  # levels that are listed although the others, refused, would be fewer
AIR = 8  # pixels above and below the words together
NARROW, FIGURE = 26, 4.8  # lines: in a narrower panel rules need the room of figures; the width of a figure
AT_ONCE = 200  # leaves; the rules of more are made in the worker
FAR = 100  # rows; nearer ones are scrolled to, further ones are jumped to


def condition(limit: Limit) -> str:
    """What a way asks of a column, as the canvas says it, but with levels in quotes: "town in {“Bonn”, “Ulm”}"."""
    allowed = getattr(limit, "allowed", None)
    if allowed is None or not limit.words or not allowed or not limit.possible:
        return limit.words
    column = limit.column  # type: ignore[union-attr]
    if column.kind == "boolean" or len(allowed) == len(column.levels):
        return limit.words
    listed, others = ([f"“{name}”" for name in column.levels if (name in allowed) == said] for said in (True, False))
    if len(listed) > max(MOST_LISTED, len(others)):
        text = f"{column.name} not in {{{', '.join(others)}}}"
    else:
        text = f"{column.name} = {listed[0]}" if len(listed) == 1 else f"{column.name} in {{{', '.join(listed)}}}"
    return f"{text} or missing" if limit.missing and column.missing else text  # type: ignore[union-attr]


def conditions(path: Path) -> list[str]:
    """All that a way asks; none for the root."""
    return [text for text in map(condition, path.limits if path.possible else ()) if text] or list(path.conditions)


def way(path: Path) -> str:
    asked = conditions(path)
    return " AND ".join(asked if len(asked) < 2 else map(_bracketed, asked)) or "always"


def _bracketed(text: str) -> str:
    """In brackets where it is an alternative itself, whatever stands in the quotes of levels."""
    return f"({text})" if {"or", "OR", "AND"} & {*re.sub("“.*?”", "", text).split()} else text


class Listed(NamedTuple):
    """A row of the list."""

    cells: tuple[str, ...]  # the rule, and its figures
    tip: str
    line: str  # what is copied
    node: int | None = None  # the leaf; None of a heading
    ink: QColor | None = None  # of a heading: that of its class
    below: tuple[Listed, ...] = ()


class RuleRows(QAbstractItemModel):
    """Rows and what stands below them; the internal id of an index is the number of the row above it, from 1, or 0."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Listed] = []
        self._titles: list[tuple[str, str, str]] = []
        self.places: dict[int, tuple[int, int]] = {}  # by leaf, its row and the internal id

    def show(self, rows: list[Listed], titles: list[tuple[str, str, str]]) -> None:
        """Shows other rows; `titles`: what stands above a column, what it is called where it is read out, a tip."""
        self.beginResetModel()
        self.rows, self._titles = rows, titles
        flat = [(row, i, 0) for i, row in enumerate(rows)]
        flat += [(row, k, i + 1) for i, above in enumerate(rows) for k, row in enumerate(above.below)]
        self.places = {row.node: (i, above) for row, i, above in flat if row.node is not None}
        self.endResetModel()

    def index_of(self, node: int) -> QModelIndex:
        """The first cell of a leaf's row; an invalid index for a node that is not listed."""
        row, above = self.places.get(node, (-1, 0))
        return self.createIndex(row, RULE, above) if row >= 0 else QModelIndex()

    def _row(self, index: Index) -> Listed:
        above = index.internalId()
        return self.rows[above - 1].below[index.row()] if above else self.rows[index.row()]

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        above = index.internalId() if index.isValid() else 0
        return self.createIndex(above - 1, RULE, 0) if above else QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self.rows)
        return len(self._row(parent).below) if parent.column() == RULE and not parent.internalId() else 0

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return VALIDATION + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self._titles):
            return None
        title, _, tip = self._titles[section]
        return {Role.DisplayRole: title, Role.ToolTipRole: verbatim.tip(tip),
                Role.TextAlignmentRole: aligned(section == RULE)}.get(Role(role))  # fmt: skip

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid():
            return None
        row, column = self._row(index), index.column()
        match role:
            case Role.DisplayRole:
                return row.cells[column]
            case Role.FontRole:
                return bold() if row.ink is not None else None
        if column == RULE:
            match role:
                case Role.ToolTipRole:
                    return verbatim.tip(row.tip)
                case Role.DecorationRole:
                    return row.ink
                case _:
                    return {NODE: row.node, LINES: row.line}.get(role)
        match role:
            case Role.AccessibleTextRole:
                return f"{self._titles[column][1]}: {row.cells[column]}"
            case Role.TextAlignmentRole:
                return aligned(False)
            case Role.SizeHintRole:
                return QSize(0, ROW_HEIGHT)
        return None


class RulesModel(QSortFilterProxyModel):
    """A top row for each class with its leaves below; for a numeric target a top row for each leaf."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tree: engine.Tree | None = None
        self._rules: list[ClassRule] = []
        self._items = RuleRows(self)
        self._asked: dict[int, str] = {}  # by leaf, its words and what the splits above it ask, as they are typed
        self._filter = ""
        self.setSourceModel(self._items)
        self.setRecursiveFilteringEnabled(True)
        self.setAutoAcceptChildRows(True)

    def show(self, tree: engine.Tree | None, focus: int, rules: list[ClassRule] | None = None) -> None:
        """Shows another tree; `focus` is the class that the colours single out, `rules` are its rules if at hand."""
        self.tree, self._asked = tree, {}
        self._rules = [] if tree is None else engine.rules(tree, most=MOST) if rules is None else rules
        ways = [tuple(map(partial(self._way, rule), rule.paths)) for rule in self._rules]
        if self._by_class:
            rows = [self._heading(k, focus, below) for k, below in enumerate(ways)]
        else:
            rows = [row for each in ways for row in each]
        self._items.show(rows, self._titles())

    def _heading(self, k: int, focus: int, below: tuple[Listed, ...]) -> Listed:
        tree, rule = self.tree, self._rules[k]
        assert tree is not None
        own = tree.leaves[tree.labels[tree.leaves] == k]
        train, validation = (int(of[own].sum()) for of in (tree.rows_train, tree.rows_validation))
        said = phrases.leaves(own.size) if own.size else tr("never")
        cells = f"{self._name(rule)} · {said}", words.count(train), "", words.count(validation), ""
        tip = tr("All ways to “{label}”, joined by OR", label=rule.label)
        ink = QColor(theme.current().class_colour(k, len(self._rules), focus))
        return Listed(cells, tip, self._line(rule), ink=ink, below=below)

    def _way(self, rule: ClassRule, path: Path) -> Listed:
        text = way(path) if self._by_class else self._line(rule)
        errors = path.error_train, path.error_validation
        train, validation = (words.percent(1 - e) if self._by_class else words.value(e) for e in errors)
        cells = text, words.count(path.rows_train), train, words.count(path.rows_validation), validation
        line = f"{self._name(rule)}: {text}" if self._by_class else text
        return Listed(cells, "\n".join(conditions(path)) or tr("All rows"), line, path.node)

    def _titles(self) -> list[tuple[str, str, str]]:
        train, validation = (
            (tr("Error"), tr("error in training"),
             tr("Mean error of the leaf’s prediction on the training rows: squared for a mean")),
            (tr("Error"), tr("error in validation"),
             tr("Mean error of the leaf’s prediction on the validation rows: squared for a mean")),
        ) if not self._by_class else (
            (tr("Right"), tr("right in training"),
             tr("Share of the training rows whose class is the one that the leaf predicts")),
            (tr("Right"), tr("right in validation"),
             tr("Share of the validation rows whose class is the one that the leaf predicts")),
        )  # fmt: skip
        way = tr("What leads to the class: one way for each leaf, those of most training rows first")
        return [
            (tr("Rule"), tr("rule"), way),
            (tr("Training"), tr("training rows"), tr("Training rows that go this way")), train,
            (tr("Validation"), tr("validation rows"), tr("Validation rows that go this way")), validation,
        ]  # fmt: skip

    @property
    def _by_class(self) -> bool:
        return self.tree is not None and self.tree.task == "classes"

    def _name(self, rule: ClassRule) -> str:
        return f"{self.tree.target} = “{rule.label}”" if self.tree is not None else ""

    def _line(self, rule: ClassRule) -> str:
        ways = [way(path) for path in rule.paths if path.possible]
        if rule.value is not None:
            return tr("Predict {value} when {rule}", value=rule.label, rule=ways[0] if ways else "never")
        parts = ways if len(ways) + bool(rule.more) == 1 else [*map(_bracketed, ways)]
        if rule.more:
            parts.append(tr("… ({leaves} more)", leaves=phrases.leaves(rule.more)))
        return f"{self._name(rule)}: {'always' if 'always' in parts else ' OR '.join(parts) or 'never'}"

    def narrow(self, text: str) -> None:
        """Shows only the ways whose words, or the conditions on the canvas that lead there, hold this text, in any
        case; and all of a class whose heading does."""
        self._filter = _typed(text.strip())
        self.setFilterFixedString(self._filter)  # which asks `filterAcceptsRow` about every row

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        index = self._items.index(row, RULE, parent)
        node = index.data(NODE)
        if node is None or self.tree is None:
            return self._filter in _typed(str(index.data()).partition(" · ")[0])
        if node not in self._asked:
            self._asked[node] = _typed("\n".join([str(index.data()), *self.tree.rule(node)]))
        return self._filter in self._asked[node]

    def line_of(self, index: Index) -> int:
        """Which line of the list a row is when all headings are unfolded."""
        top = index.parent() if index.parent().isValid() else index
        above = top.row() + sum(self.rowCount(self.index(k, 0)) for k in range(top.row()))
        return above + 1 + index.row() if index.parent().isValid() else above

    @property
    def text(self) -> str:
        return "\n".join(map(self._line, self._rules))

    def index_of(self, node: int) -> QModelIndex:
        """The first cell of a leaf's row; an invalid index for a node that is not listed."""
        return self.mapFromSource(self._items.index_of(node))

    def node_at(self, index: Index) -> int | None:
        """The id of the leaf that a row stands for; None for a heading."""
        node = self.data(self.index(index.row(), RULE, index.parent()), NODE) if index.isValid() else None
        return int(node) if node is not None else None


def _typed(text: str) -> str:
    """Words as a person types them; quotes may be typed or not."""
    return words.typed(text).translate({ord(sign): None for sign in '“”"'})


class _Wrapped(QStyledItemDelegate):
    """Measures words as high as they are when wrapped to the column's width, which a tree view does not."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view, asked = self.parent(), QStyleOptionViewItem(option)
        assert isinstance(view, QTreeView)
        depth = 2 if index.parent().isValid() else 1
        asked.rect = QRect(0, 0, view.columnWidth(RULE) - depth * view.indentation(), 1)
        return super().sizeHint(asked, index) + QSize(0, AIR)


class RulesPanel(QWidget):
    """Shows the document's tree as rules, made only in sight; the chosen leaf is the document's, in both directions."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("rules_panel")
        self._document, self._focus = document, 0
        self._made: tuple[engine.Tree | None, list[engine.ClassRule]] = (None, [])
        self._quiet = False
        self._build()
        for changed in (document.treeChanged, document.tableChanged, document.focusChanged):
            changed.connect(self._refresh)
        document.selectionChanged.connect(self._follow)
        theme.watcher().changed.connect(self._repaint)
        self.view.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.filter.textChanged.connect(self._on_filter_changed)
        QShortcut(QKeySequence.StandardKey.Copy, self.view, self._on_copy).setContext(Qt.ShortcutContext.WidgetShortcut)
        Reaction(self, self._refresh, QEvent.Type.Show)
        Reaction(self, self._repaint, QEvent.Type.FontChange)
        Reaction(self, self._share, QEvent.Type.Resize)
        self._refresh()

    def _build(self) -> None:
        self.model = RulesModel(self)
        self.view = QTreeView(wordWrap=True, allColumnsShowFocus=True, indentation=16)
        named(self.view, "rules_tree", tr("Rules of the tree, by class"), frameShape=QTreeView.Shape.NoFrame,
              selectionMode=QTreeView.SelectionMode.ExtendedSelection, iconSize=QSize(10, 10))  # fmt: skip
        self.view.setModel(self.model)
        self.view.setItemDelegateForColumn(RULE, _Wrapped(self.view))
        header = self.view.header()
        header.setStretchLastSection(False)
        header.sectionResized.connect(self.view.scheduleDelayedItemsLayout)  # wrapped rows are of another height then
        self.filter = FindField("rules_filter", tr("Filter rules"), tr("Filter rules"), lens=False)
        self.filter.setMaximumWidth(240)
        self.filter.setToolTip(verbatim.tip(tr(
            "Finds rules by their words as they stand here or, split by split, on the canvas; signs may be typed as "
            "<=, >=, !=. The name of a class finds all of its rules"
        )))  # fmt: skip
        self.nothing = empty_page(name="rules_nothing")
        self.nothing.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.nothing.hide()
        tip = tr(
            "Copies the rules that are selected, of a heading those of its class; all rules where none is selected"
        )
        self.copy = named(Button(tr("Copy")), "rules_copy", tip=tip, clicked=self._on_copy)
        self.more = verbatim.label(objectName="rules_more", wordWrap=True)
        self.empty = empty_page(tr("Open a table: its tree will stand here as rules in words."))
        controls = fill(QHBoxLayout(), self.filter, (self.more, 1), self.copy, spacing=8)
        self.pages = put_pages(self, below(controls, (self.view, 1), (self.nothing, 1), spacing=8), self.empty)

    def _repaint(self) -> None:
        self._focus = -1
        self._refresh()

    def _refresh(self) -> None:
        tree, focus = self._document.tree, self._document.focus_class if self._document.tree is not None else 0
        self.pages.setCurrentIndex(0 if tree is not None else 1)
        wanted = tree if self.isVisible() else None  # a tree out of sight is not kept
        if wanted is self.model.tree and focus == self._focus:
            self._follow()
            return
        rules = self._rules_of(wanted)
        if rules is None:
            return
        self._focus, self._quiet = focus, True
        self.model.show(wanted, focus, rules)
        self._share()
        self._unfold()
        self._quiet = False
        self.view.scrollToTop()
        left_out = max(0, wanted.n_leaves - MOST) if wanted is not None else 0
        unlisted = tr("{leaves} with the fewest training rows are not listed.", leaves=phrases.leaves(left_out))
        self.more.setText(unlisted if left_out else "")
        self._follow()

    def _share(self) -> None:
        """Gives the rules the room: in a narrow panel the figures of the training rows go, where others can judge."""
        tree, line, header = self._document.tree, self.fontMetrics().height(), self.view.header()
        hidden = set() if tree is None or tree.rows_validation[0] > 0 else {VALIDATION_ROWS, VALIDATION}
        if not hidden and self.width() < NARROW * line:
            hidden = {TRAINING_ROWS, TRAINING}
        header.setSectionResizeMode(RULE, header.ResizeMode.Stretch)
        for section in range(RULE + 1, VALIDATION + 1):
            header.resizeSection(section, round(FIGURE * line))
            if self.view.isColumnHidden(section) is not (section in hidden):  # or all rows would be laid out once more
                self.view.setColumnHidden(section, section in hidden)

    def _rules_of(self, tree: engine.Tree | None) -> list[engine.ClassRule] | None:
        """The rules of a tree; None while a worker makes those of a large one. Until then the former ones stay."""
        if tree is None or self._made[0] is tree:
            made = self._made if tree is not None else (None, [])
        elif min(tree.n_leaves, MOST) <= AT_ONCE:
            made = tree, engine.rules(tree, most=MOST)
        else:

            def done(rules: list[engine.ClassRule]) -> None:
                self._made = tree, rules
                self._refresh()

            self._document.jobs.run(tr("Writing the rules"), written, tree, done=done, key="rules", quiet=True)
            return None
        self._made = made
        self._document.jobs.drop("rules")
        return made[1]

    def _follow(self) -> None:
        """Marks the document's selected leaf; an inner node has no row. Out of sight it waits: rows have to be measured
        on the way to it."""
        self.copy.setEnabled(self.model.tree is not None)
        if self.model.tree is None or not self.isVisible():
            return
        index = self.model.index_of(self._document.selected)
        self._quiet = True
        if index.isValid() and index != self.view.currentIndex().siblingAtColumn(RULE):
            # On the way to a row that is far away the view would measure all rows in between: it is jumped to.
            top, there = self.view.indexAt(self.view.viewport().rect().topLeft()), self.model.line_of(index)
            if abs(there - (self.model.line_of(top) if top.isValid() else 0)) > FAR:
                self.view.verticalScrollBar().setValue(there)
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)
        elif not index.isValid() and self.model.node_at(self.view.currentIndex()) is not None:
            self.view.setCurrentIndex(QModelIndex())
            self.view.clearSelection()
        self._quiet = False

    def _on_current_changed(self) -> None:
        if (node := self.model.node_at(self.view.currentIndex())) is not None and not self._quiet:
            self._document.select(node)

    def _on_filter_changed(self, text: str) -> None:
        self._quiet = True
        self.model.narrow(text)
        self._unfold()
        self._quiet = False
        self._follow()

    def _unfold(self) -> None:
        """Unfolds all; a sentence stands in the place of the rules where the filter lets none through."""
        self.view.expandAll()
        none, typed = self.model.tree is not None and self.model.rowCount() == 0, self.filter.text().strip()
        say(self.nothing, tr("No rule contains “{text}”.", text=typed) if none else "")
        self.view.setVisible(not none)

    def _on_copy(self) -> None:
        """Copies what is selected, in the order of the list; a class whole, whatever the filter hides of it."""
        chosen = sorted(self.view.selectionModel().selectedRows(RULE), key=self.model.line_of)
        lines = [str(index.data(LINES)) for index in chosen]
        QGuiApplication.clipboard().setText("\n".join(lines) if lines else self.model.text)


def written(tree: engine.Tree, progress: Progress) -> list[engine.ClassRule]:
    """The rules of the leaves that are listed; called in the worker."""
    return engine.rules(tree, most=MOST)
