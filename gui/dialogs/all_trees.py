"""All trees of a depth against the grown one: what the greedy search misses, and how the best of all overfits."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QHeaderView, QProgressBar, QPushButton, QSpinBox, QWidget

from engine.learning_theory.all_trees import AllTrees
from engine.learning_theory.extent import MOST_DEPTH, MOST_SECONDS, Extent
from engine.runtime.sentences import marked, tr
from engine.tree.tree import Tree
from gui.model import tree_tasks
from gui.model.document import Document
from gui.model.jobs import Job, words_for
from gui.widgets import verbatim
from gui.widgets.building import fill, named
from gui.widgets.labels import Notice, on_screen, quiet, stack
from gui.widgets.tables import Column, TableModel, TableView
from gui.wording import phrases, words

ABOUT = marked(
    "Growing takes the best split at each node and never comes back. In a small table all trees of a depth can be "
    "searched for the one of least training error."
)
EXTENT, SEARCH = "all-trees-extent", "all-trees"  # keys of jobs
Row = tuple[str, Tree | None]


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
        named(self, "all_trees_dialog").setWindowTitle(tr("All trees"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        line, top = self.fontMetrics().height(), Qt.AlignmentFlag.AlignTop
        depth = QSpinBox(minimum=1, maximum=MOST_DEPTH, value=2)
        self._depth = named(depth, "all_trees_depth", tr("Depth of the trees"))
        self._size = quiet("", "all_trees_size")
        self._size.setMinimumHeight(2 * line)
        self._size.setAlignment(top)
        bar = QProgressBar(maximum=1000, textVisible=False)
        self._bar = named(bar, "all_trees_progress", tr("How much of the search is done"))
        self._bar.setFixedHeight(8)
        kept = self._bar.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(kept)
        self._verdict = verbatim.label(objectName="all_trees_verdict", wordWrap=True, alignment=top)
        self._verdict.setMinimumHeight(3 * line)
        self._error = Notice("all_trees_error")
        # the default one for Enter in the depth; on a button Enter presses that one
        self._search = named(QPushButton(tr("&Search"), default=True), "all_trees_search", clicked=self._on_search)
        self._stop = named(QPushButton(tr("S&top")), "all_trees_stop", clicked=document.jobs.stop)
        self._take = named(QPushButton(tr("&Take this tree")), "all_trees_take", clicked=self._on_take)
        close = named(QPushButton(tr("&Close")), "all_trees_close", clicked=self.reject)
        label = verbatim.label(tr("&Depth"))
        label.setBuddy(self._depth)
        asked = fill(QHBoxLayout(), label, self._depth, (QWidget(), 1), self._search, self._stop, spacing=12)
        buttons = fill(QHBoxLayout(), (QWidget(), 1), self._take, close, spacing=8)
        figures = {"": tr("Leaves"), "train": tr("Training error"), "validation": tr("Validation error")}
        columns = [Column[Row](tr("Tree"), lambda row: row[0], words=True)]
        columns += [Column[Row](title, partial(figure, part)) for part, title in figures.items()]
        self._results = TableModel[Row](self, columns)
        table = TableView("all_trees_results", tr("The grown tree and the best of all trees"), self._results,
                          sortingEnabled=False, selectionMode=TableView.SelectionMode.NoSelection)  # fmt: skip
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        rows = 2 * table.verticalHeader().defaultSectionSize()
        table.setFixedHeight(rows + table.horizontalHeader().sizeHint().height() + 4)
        above = quiet(tr(ABOUT)), 8, asked, self._size, self._error, self._bar, 8
        stack(self, *above, table, self._verdict, 0, buttons)
        self.setMinimumWidth(on_screen(self, 560, 0).width())
        self._depth.valueChanged.connect(self._on_depth_changed)
        for key in (EXTENT, SEARCH):
            self.finished.connect(lambda _, key=key: document.jobs.drop(key))
        document.jobs.started.connect(self._on_started)
        document.jobs.progressed.connect(self._on_progressed)
        self._on_depth_changed()

    def _on_depth_changed(self) -> None:
        """Counts tests and trees; what was found belongs to another depth. (Enter tells of the same one again.)"""
        if self._depth.value() == self._counted:
            return
        self._counted = self._depth.value()
        self._extent = None
        self._size.setText(tr("Counting the trees…"))
        self._run(tr("Counting the trees"), tree_tasks.extent, self._on_counted, EXTENT, quiet=True)

    def _run(self, text: str, task: Callable[..., Any], done: Callable[[Any], None], key: str, *, quiet: bool) -> Job:
        """Begins a task about the trees of the depth; what was found before is out of date."""
        self._found = None
        self._error.say("")
        self._bar.setValue(0)
        asked = self._table, self._depth.value(), self._options
        job = self._document.jobs.run(text, task, *asked, done=done, failed=self._on_failed, key=key, quiet=quiet)
        self._show_found()
        return job

    def _on_counted(self, extent: Extent) -> None:
        self._extent = extent
        self._size.setText(size_words(extent))
        if extent.seconds > MOST_SECONDS:
            text = tr("That is too long: choose a smaller depth, or exclude columns of many different values.")
            self._error.say(text, "warning")
        self._refresh()

    def _on_search(self) -> None:
        self._job = self._run(tr("Searching all trees"), tree_tasks.all_trees, self._on_found, SEARCH, quiet=False)
        self._refresh()
        self._stop.setFocus()

    def _on_started(self, text: str) -> None:
        """What ran before the search, and what waits behind it, moves no bar here."""
        self._searching = self._job is not None and text == self._job.text

    def _on_progressed(self, share: float, text: str) -> None:
        if self._searching and self._job is not None:
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
        self._error.say(words_for(error) or tr("The search went wrong; the log has the details."), "error")
        self._show_found()

    def _on_take(self) -> None:
        if self._found is not None:
            step = tr("Best of all trees, depth {depth}", depth=self._depth.value())
            self._document.tree_edits.take_tree(self._found.tree, step)
            self.accept()

    def _show_found(self) -> None:
        grown, best = (self._found.greedy, self._found.tree) if self._found is not None else (None, None)
        self._results.fill([(tr("Grown"), grown), (tr("Best of all"), best)])
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


def figure(part: str, row: Row) -> str:
    """The error of a tree in a part of the rows, or, of none, its leaves; nothing without a tree."""
    if (tree := row[1]) is None:
        return words.NOTHING
    return error_words(tree, part) if part else words.count(tree.n_leaves)


def error_words(tree: Tree, part: str) -> str:
    error = tree.error(part)
    return words.percent(error) if tree.task == "classes" else words.value(error)


def size_words(extent: Extent) -> str:
    tests = tr("1 test") if extent.n_tests == 1 else tr("{n} different tests", n=words.count(extent.n_tests))
    return tr(
        "{tests} at a node: {trees} trees of depth {depth} or less. Searching them takes {time}.", tests=tests,
        trees=words.large_count(extent.n_trees), depth=extent.depth, time=duration_words(extent.seconds),
    )  # fmt: skip


UNITS = (
    (2 * 31_557_600, 31_557_600, marked("about {n} years")), (172_800, 86_400, marked("about {n} days")),
    (7_200, 3_600, marked("about {n} hours")), (120, 60, marked("about {n} minutes")),
)  # fmt: skip


def duration_words(seconds: float) -> str:
    if seconds < 1:
        return tr("less than a second")
    for least, size, text in UNITS:
        if seconds >= least:
            return tr(text, n=words.large_count(round(seconds / size)))
    return tr("up to {n} seconds", n=words.count(max(2, round(seconds))))


def verdict(found: AllTrees) -> str:
    grown, best = found.greedy, found.tree
    said = [] if found.complete else [tr("Stopped: this is the best tree so far.")]
    close = 1e-9 * max(grown.error(), best.error())
    if not best.error() < grown.error() - close:
        more = grown.n_leaves - best.n_leaves
        text = tr(
            "Growing misses nothing at this depth: it errs as little on the training rows, but needs {leaves} more.",
            leaves=phrases.leaves(more),
        )
        same = tr("Growing misses nothing at this depth: it errs as little on the training rows.")
        return " ".join([*said, text if more > 0 else same])
    said += [tr(
        "Growing misses a tree that errs less on the training rows: {best} instead of {grown}.",
        best=error_words(best, "train"), grown=error_words(grown, "train"),
    )]  # fmt: skip
    ours, theirs = best.error("validation"), grown.error("validation")
    if ours > theirs + close:
        said.append(tr("On the validation rows it errs more: it has learned what is chance in the training rows."))
    elif ours < theirs - close:
        said.append(tr("On the validation rows it errs less, too."))
    elif found.tree.weight("validation")[0] > 0:
        said.append(tr("On the validation rows both err alike."))
    return " ".join(said)
