"""All trees of a depth against the grown one: what the greedy search misses, and how the best of all overfits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.theory.extent import MOST_DEPTH, MOST_SECONDS
from gui.model import tree_tasks
from gui.model.jobs import words_for
from gui.widgets import verbatim
from gui.widgets.labels import Notice, quiet
from gui.wording import words

if TYPE_CHECKING:
    from engine.theory.all_trees import AllTrees
    from engine.theory.extent import Extent
    from engine.tree.tree import Tree
    from gui.model.document import Document
    from gui.model.jobs import Job

ABOUT = (
    "Growing takes the best split at each node and never comes back. In a small table all trees of a depth can be "
    "searched for the one of least training error."
)
FAULT = "The search went wrong; the log has the details."
SEARCHING = "Searching all trees"
NAMES = ("Grown", "Best of all")
ROW_HEIGHT = 24
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
EXTENT, SEARCH = "all-trees-extent", "all-trees"  # keys of jobs


class AllTreesDialog(QDialog):
    """Searches all trees of a depth in the worker, compares the best with the grown one, and offers to take it."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._table, self._options = document.table, document.search
        self._counted = 0  # the depth whose trees are counted
        self._extent: Extent | None = None
        self._found: AllTrees | None = None
        self._job: Job | None = None
        self._searching = False  # whether the search is what runs
        self.setObjectName("all_trees_dialog")
        self.setWindowTitle("All trees")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._on_depth_changed()

    def _make_parts(self) -> None:
        self._depth = QSpinBox(objectName="all_trees_depth")
        self._depth.setRange(1, MOST_DEPTH)
        self._depth.setValue(2)
        self._depth.setAccessibleName("Depth of the trees")
        self._size = quiet()
        self._size.setObjectName("all_trees_size")
        self._size.setMinimumHeight(2 * self.fontMetrics().height())
        self._size.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._bar = QProgressBar(objectName="all_trees_progress")
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(8)
        kept = self._bar.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(kept)
        self._bar.setAccessibleName("How much of the search is done")
        self._results = _comparison()
        self._verdict = verbatim.label(objectName="all_trees_verdict", wordWrap=True)
        self._verdict.setMinimumHeight(3 * self.fontMetrics().height())
        self._verdict.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._error = Notice()
        self._error.setObjectName("all_trees_error")
        self._search = QPushButton("&Search", objectName="all_trees_search")
        self._stop = QPushButton("S&top", objectName="all_trees_stop")
        self._take = QPushButton("&Take this tree", objectName="all_trees_take")
        self._close = QPushButton("&Close", objectName="all_trees_close")
        self._search.setDefault(True)  # for Enter in the depth; on a button Enter presses that one

    def _lay_out(self) -> None:
        label = verbatim.label("&Depth")
        label.setBuddy(self._depth)
        asked = QGridLayout()
        asked.setHorizontalSpacing(12)
        asked.setVerticalSpacing(8)
        asked.addWidget(label, 0, 0)
        asked.addWidget(self._depth, 0, 1)
        asked.addWidget(self._search, 0, 3)
        asked.addWidget(self._stop, 0, 4)
        asked.setColumnStretch(2, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self._take)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(8)
        layout.addWidget(quiet(ABOUT))
        layout.addSpacing(8)
        layout.addLayout(asked)
        layout.addWidget(self._size)
        layout.addWidget(self._error)
        layout.addWidget(self._bar)
        layout.addSpacing(8)
        layout.addWidget(self._results)
        layout.addWidget(self._verdict)
        layout.addStretch(1)
        layout.addLayout(buttons)
        self.setMinimumWidth(480)

    def _connect(self) -> None:
        self._depth.valueChanged.connect(self._on_depth_changed)
        self._search.clicked.connect(self._on_search)
        self._stop.clicked.connect(self._document.jobs.stop)
        self._take.clicked.connect(self._on_take)
        self._close.clicked.connect(self.reject)
        self._document.jobs.started.connect(self._on_started)
        self._document.jobs.progressed.connect(self._on_progressed)

    def _on_depth_changed(self) -> None:
        """Counts tests and trees anew; what was found belongs to another depth. (Enter tells of the same one again.)"""
        if self._depth.value() == self._counted:
            return
        self._counted = self._depth.value()
        self._extent = self._found = None
        self._error.say("")
        self._bar.setValue(0)
        self._size.setText("Counting the trees…")
        self._show_found()
        self._document.jobs.run(
            "Counting the trees", tree_tasks.extent, self._table, self._depth.value(), self._options,
            done=self._on_counted, failed=self._on_failed, key=EXTENT, quiet=True,
        )  # fmt: skip

    def _on_counted(self, extent: Extent) -> None:
        self._extent = extent
        self._size.setText(size_words(extent))
        if extent.seconds > MOST_SECONDS:
            self._error.say(
                "That is too long: choose a smaller depth, or leave out columns of many different values.", "warning"
            )
        self._refresh()

    def _on_search(self) -> None:
        self._found = None
        self._error.say("")
        self._bar.setValue(0)
        self._job = self._document.jobs.run(
            SEARCHING, tree_tasks.all_trees, self._table, self._depth.value(), self._options,
            done=self._on_found, failed=self._on_failed, key=SEARCH,
        )  # fmt: skip
        self._show_found()
        self._stop.setFocus()

    def _on_started(self, text: str) -> None:
        """What ran before the search, and what waits behind it, moves no bar here."""
        self._searching = text == SEARCHING

    def _on_progressed(self, share: float, text: str) -> None:
        if self._job is not None and self._searching:
            self._bar.setValue(max(self._bar.value(), round(1000 * share)))

    def _on_found(self, found: AllTrees) -> None:
        self._job, self._found = None, found
        self._bar.setValue(1000 if found.complete else self._bar.value())
        self._show_found()
        self._take.setFocus()

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        if self._extent is None:
            self._size.clear()
        self._error.say(words_for(error) or FAULT, "error")
        self._show_found()

    def _on_take(self) -> None:
        if self._found is not None:
            self._document.tree_edits.take_tree(self._found.tree, f"Best of all trees, depth {self._depth.value()}")
            self.accept()

    def _show_found(self) -> None:
        """Puts what was found into the table and into words."""
        trees = [self._found.greedy, self._found.tree] if self._found is not None else [None, None]
        for row, tree in enumerate(trees):
            for column, text in enumerate(figures(tree)):
                self._results.item(row, column + 1).setText(text)
        self._verdict.setText(words.unbroken(verdict(self._found)) if self._found is not None else "")
        self._refresh()

    def _refresh(self) -> None:
        running = self._job is not None
        possible = self._extent is not None and self._extent.seconds <= MOST_SECONDS
        self._bar.setVisible(running)
        self._depth.setEnabled(not running)
        self._search.setEnabled(possible and not running)
        self._stop.setEnabled(running)
        self._take.setEnabled(self._found is not None)

    def done(self, result: int) -> None:
        for key in (EXTENT, SEARCH):
            self._document.jobs.drop(key)
        super().done(result)


def _comparison() -> QTableWidget:
    """A table of two trees, without figures so far."""
    table = QTableWidget(len(NAMES), 4, objectName="all_trees_results")
    table.setAccessibleName("The grown tree and the best of all trees")
    table.setHorizontalHeaderLabels(["Tree", "Leaves", "Training error", "Validation error"])
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    table.setFrameShape(QTableWidget.Shape.NoFrame)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    table.horizontalHeader().setSectionsClickable(False)
    for row, name in enumerate(NAMES):
        for column in range(4):
            item = QTableWidgetItem("" if column else name)
            item.setTextAlignment(_RIGHT if column else _LEFT)
            table.setItem(row, column, item)
    for column in range(4):
        table.horizontalHeaderItem(column).setTextAlignment(_RIGHT if column else _LEFT)
    table.setFixedHeight(len(NAMES) * ROW_HEIGHT + table.horizontalHeader().sizeHint().height() + 4)
    return table


def figures(tree: Tree | None) -> tuple[str, str, str]:
    """Leaves, training and validation error of a tree in words; nothing without one."""
    if tree is None:
        return (words.NOTHING,) * 3
    return words.count(tree.n_leaves), error_words(tree, "train"), error_words(tree, "validation")


def error_words(tree: Tree, part: str) -> str:
    """An error as a share of rows, or as a mean squared error."""
    error = tree.error(part)
    return words.percent(error) if tree.task == "classes" else words.value(error)


def size_words(extent: Extent) -> str:
    """How many tests and trees there are, and how long they take."""
    tests = "1 test" if extent.n_tests == 1 else f"{words.count(extent.n_tests)} different tests"
    return (
        f"{tests} at a node: {words.large_count(extent.n_trees)} trees of depth {extent.depth} or less. "
        f"Searching them takes {duration_words(extent.seconds)}."
    )


def duration_words(seconds: float) -> str:
    """About how long something takes."""
    if seconds < 1:
        return "less than a second"
    for unit, least, size in (("years", 2 * 31_557_600, 31_557_600), ("days", 172_800, 86_400),
                              ("hours", 7_200, 3_600), ("minutes", 120, 60)):  # fmt: skip
        if seconds >= least:
            return f"about {words.large_count(round(seconds / size))} {unit}"
    return f"up to {words.count(max(2, round(seconds)))} seconds"


def verdict(found: AllTrees) -> str:
    """What is seen when both trees are compared."""
    grown, best = found.greedy, found.tree
    prefix = "" if found.complete else "Stopped: this is the best tree so far. "
    close = 1e-9 * max(grown.error(), best.error())
    if not best.error() < grown.error() - close:
        fewer = f", but needs {words.count(grown.n_leaves - best.n_leaves)} leaves more"
        said = "Growing misses nothing at this depth: it errs as little on the training rows" + (
            fewer if grown.n_leaves > best.n_leaves else ""
        )
        return f"{prefix}{said}."
    said = f"Growing misses a tree that errs less on the training rows: {error_words(best, 'train')} instead of " \
           f"{error_words(grown, 'train')}."  # fmt: skip
    ours, theirs = best.error("validation"), grown.error("validation")
    if ours > theirs + close:
        said += " On the validation rows it errs more: it has learned what is chance in the training rows."
    elif ours < theirs - close:
        said += " On the validation rows it errs less, too."
    elif found.tree.weight("validation")[0] > 0:
        said += " On the validation rows both err alike."
    return prefix + said
