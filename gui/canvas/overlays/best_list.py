"""The list of the best leaves for a class, or of the highest or lowest means."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING
from weakref import ref

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTableWidget, QTableWidgetItem

from engine.runtime.sentences import marked, tr
from gui.canvas.canvas import Canvas
from gui.canvas.highlighting import part_of
from gui.canvas.overlays.overlay import ENTER, Overlay
from gui.picture.leaves import HIGHEST, LOWEST, BestLeaf, best_leaves, wanted_of
from gui.widgets import verbatim
from gui.widgets.building import fill, named
from gui.widgets.fields import ElidedCombo
from gui.widgets.labels import quiet, stack
from gui.widgets.short_names import telling
from gui.widgets.tables import aligned, calm
from gui.wording import words

if TYPE_CHECKING:
    from engine.tree.tree import Tree

ROW_HEIGHT = 22
NUMBER, RULE, TRAINING, VALIDATION = range(4)
WIDTH = 440
MOST_CONDITIONS = 4  # of a rule, the last ones
MOST_IN_TIP = 30
NAME_ROOM = 90  # pixels of a column’s name
WALKING = (*ENTER, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
NUMBERS = {HIGHEST: marked("highest means"), LOWEST: marked("lowest means")}
BY_RATE = marked(
    "Ranked by the lower end of the 95 % interval of the training rate (Wilson 1927): a few rows that happen to be of "
    "one class do not lead."
)
BY_MEAN = marked(
    "Ranked by the nearer end of Student’s 95 % interval of the training mean, from the deviation in the leaf and a "
    "little of that of all rows: a few rows that happen to be extreme do not lead. Leaves of one or two rows come last."
)
RANKED = marked("Ranked by the lower end of Wilson’s 95 % interval")
RANKED_MEANS = marked("Ranked by the end of the mean’s 95 % interval; leaves of one or two rows last")
NO_ROW = marked("No leaf holds a training row of this class: choose another one.")
NO_ROWS = marked("No leaf holds training rows.")


def last_conditions(tree: Tree, i: int, most: int) -> list[str]:
    """The rule of the node at position i, the last condition first; of a long one the end."""
    found: list[str] = []
    while i > 0 and len(found) < most:
        found.append(tree.sentence(i))
        i = int(tree.parent[i])
    return [*found, *["…"] * (i > 0)] or [tr("all rows")]


class LeafTable(QTableWidget):
    """A row for each leaf.

    Signals:
        chosen: A row was clicked, walked to, or confirmed by Enter. arg: it
    """

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(0, 4)
        named(self, "best_leaves", tr("Best leaves"))
        calm(self, ROW_HEIGHT)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)  # the last conditions, which tell leaves apart, stand first
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.cellClicked.connect(lambda row, _: self.chosen.emit(row))
        head = self.horizontalHeader()
        head.setSectionsClickable(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(RULE, QHeaderView.ResizeMode.Stretch)

    def sizeHint(self) -> QSize:
        rows = self.verticalHeader().defaultSectionSize() * max(self.rowCount(), 1)
        return QSize(WIDTH, self.horizontalHeader().sizeHint().height() + rows + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the row once more; the first arrow goes to the first row."""
        chosen, key = self.selectionModel().hasSelection(), event.key()
        if key == Qt.Key.Key_Escape:
            event.ignore()
        elif not self.rowCount() or key not in WALKING:
            super().keyPressEvent(event)
        else:
            if not chosen:
                self.setCurrentCell(0, 0)
            elif key not in ENTER:
                super().keyPressEvent(event)
            self.chosen.emit(self.currentRow())


class BestList(Overlay):
    """Which class, and its best leaves with rows and rate; a click, an arrow or Enter goes to one."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, "best_list", tr("Best leaves"), "best", tr("Closes the list (Esc)"))
        self._leaves: list[BestLeaf] = []
        self._shown: tuple[object, ...] = ()
        self.title = verbatim.label()
        self.choice = named(ElidedCombo(), "best_choice", tr("Best leaves for"))
        self.table = LeafTable()
        self.said = quiet(name="best_said")
        head = fill(QHBoxLayout(), self.title, self.choice, 0, self.cross, spacing=6)
        stack(self, head, self.table, self.said, spacing=6, margins=(12, 6, 6, 8))
        self.setFocusProxy(self.table)
        self.choice.activated.connect(lambda index: self.document.look.set(best=str(self.choice.itemData(index))))
        self.table.chosen.connect(self._go)
        self.refresh()

    def take_focus(self) -> None:
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def refresh(self) -> None:
        tree, best = self.document.tree, self.document.look.best
        if tree is None or best is None:
            return
        wanted = wanted_of(tree, best, self.document.focus_class)
        among = self.document.look.filter, part_of(self.document, tree)
        shown = (ref(tree), wanted, *among)  # a closed list keeps no tree alive
        if self._shown != shown:
            self._shown = shown
            self._offer(tree, wanted)
            self._fill(tree, best_leaves(tree, wanted, *among))
            self.grown.emit()
        places = [int(tree.ids[leaf.position]) for leaf in self._leaves]
        if self.document.selected in places:
            self.table.setCurrentCell(places.index(self.document.selected), 0)
        else:
            self.table.clearSelection()

    def _offer(self, tree: Tree, wanted: int | str) -> None:
        means = {name: tr(text) for name, text in NUMBERS.items()}
        offered = means if tree.task == "number" else {name: name for name in tree.classes}
        if [self.choice.itemData(k) for k in range(self.choice.count())] != list(offered):
            self.choice.clear()
            for name, text in offered.items():
                self.choice.addItem(text, name)
        self.choice.setCurrentIndex(list(offered).index(wanted) if isinstance(wanted, str) else wanted)
        for_class = tr("Best leaves for “{target}” =", target=tree.target)
        self.title.setText(tr("Leaves with the") if tree.task == "number" else for_class)

    def _fill(self, tree: Tree, found: list[BestLeaf]) -> None:
        self._leaves = found
        text = words.value if tree.task == "number" else words.percent
        self.table.setHorizontalHeaderLabels([tr("Leaf"), tr("Rule"), tr("Training"), tr("Validation")])
        self.table.setRowCount(len(found))
        for row, leaf in enumerate(found):
            cells = (
                f"#{int(tree.ids[leaf.position])}",
                self._short_rule(tree, leaf.position),
                f"{words.count(leaf.rows)} · {text(leaf.rate)}",
                f"{words.count(leaf.validation_rows)} · {text(leaf.validation_rate)}",
            )
            for column, said in enumerate(cells):
                item = QTableWidgetItem(said)
                item.setTextAlignment(aligned(words=column < TRAINING))
                item.setToolTip(verbatim.tip(_tip(tree, leaf)))
                self.table.setItem(row, column, item)
        self.table.setColumnHidden(VALIDATION, not tree.rows_validation[0])
        self.table.updateGeometry()
        self.table.setVisible(bool(found))
        numbers = tree.task == "number"
        how, why, none = (RANKED_MEANS, BY_MEAN, NO_ROWS) if numbers else (RANKED, BY_RATE, NO_ROW)
        self.said.setText(tr(how) if found else tr(none))
        self.said.setToolTip(tr(why) if found else "")

    def _short_rule(self, tree: Tree, i: int) -> str:
        """The last conditions, long names of columns shortened in them."""
        names, metrics = tuple(column.name for column in tree.columns), self.table.fontMetrics()
        found = []
        for text in last_conditions(tree, i, MOST_CONDITIONS):
            name = tree.columns[int(tree.nodes.column[tree.parent[i]])].name if i else ""
            short = telling(name, names, NAME_ROOM, metrics) if name else ""
            found.append(text.replace(name, short, 1) if name and text.startswith(f"{name} ") else text)
            i = int(tree.parent[i]) if i else 0
        return " and ".join(found)

    def _go(self, row: int) -> None:
        tree = self.document.tree
        if tree is not None and 0 <= row < len(self._leaves):
            self.document.select(int(tree.ids[self._leaves[row].position]))
            self.canvas.reveal(self.document.selected)


def _tip(tree: Tree, leaf: BestLeaf) -> str:
    rule = "\nand ".join(last_conditions(tree, leaf.position, MOST_IN_TIP)[::-1])
    if tree.task == "classes":
        rate, bound = words.percent(leaf.rate), words.percent(leaf.bound)
        figures = tr("Rate {rate}, 95 % lower bound: {bound}", rate=rate, bound=bound)
    elif isfinite(leaf.bound):
        mean, bound = words.value(leaf.rate), words.value(leaf.bound)
        figures = tr("Mean {mean}, ranked by {bound}", mean=mean, bound=bound)
    else:
        figures = tr("Mean {mean}, last, for it has too few rows", mean=words.value(leaf.rate))
    return f"{rule}\n{figures}"
