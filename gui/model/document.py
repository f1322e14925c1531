"""The one owner of state: table, tree, selection, search options, history; and the list of the parts that change it.

Panels listen to the document and call it and its parts: `hand` edits single nodes, `tree_edits` and `table_edits` the
whole tree and the table, `cutback` prunes. Panels never know each other. Parts know the document as a `Host` only.
Edits are computed in the worker, by plain functions (tasks) that stand beside the parts, and arrive as one undo step
each. An edit that was computed for a tree that is no longer on the screen is dropped.

How validation rows wear out: `validation_uses` counts the decisions that validation rows made: Go, a pruning that was
recommended by a method that looks at them (`engine.pruning.chosen_by_validation`), or picked in the chart of their
errors. Edits by hand, and methods and growth that look at training rows only, do not count. `Edits.push` counts. Undo
does not bring a use back.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from engine.criteria import DEFAULT
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from gui import messages
from gui.model import tree_tasks
from gui.model.editing.click_cut import ClickCut
from gui.model.editing.cutback import Cutback
from gui.model.editing.edits import Edits, is_leaf, next_leaf, survivor
from gui.model.editing.hand_edits import HandEdits
from gui.model.editing.tree_edits import TableEdits, TreeEdits
from gui.model.file_tasks import Storage
from gui.model.history import History, State
from gui.model.jobs import Jobs
from gui.model.search import searching
from gui.model.search.guessing import Guess
from gui.model.search.ranking import Ranking, Rankings
from gui.model.search.searching import Searching
from gui.model.view_state.comparing import Comparing
from gui.model.view_state.following import Following
from gui.model.view_state.last_test import LastTest
from gui.model.view_state.several import Several
from gui.model.view_state.view_options import BoxPlots, Finding, Look
from gui.picture.picture_options import Focus
from gui.wording import hand_phrases, phrases

if TYPE_CHECKING:
    from engine.ranking.candidates import Candidate, Curve
    from engine.splits import Split
    from engine.table.table import Table
    from engine.tree.tree import Tree

UNDO_LIMIT = 200


class Document(QObject):
    """What is on the screen, the parts that change it, and what is told when it changes.

    Attributes: (only the document itself sets them)
        jobs: what runs in the worker.
        beginning: another object whenever the document starts anew.
        state: the table and the tree on the screen, as one thing; None without a table.
        selected: the id of the selected node; the root when there is nothing else.
        preview: the candidate that is shown as ghost branches; None for none.
        draft: the split that is being made by hand of the candidate that is looked at; None while it is as found.
        path: the project file; None before the first save.

    Signals:
        began: Another document is about to be shown, or none.
        tableChanged: Another table, or the same with other roles, kinds, target or partition.
        treeChanged: args: the tree before (or None) and the tree now (or None)
        selectionChanged: arg: the selected node
        searchChanged: The search options are others.
        previewChanged: A candidate is to be shown as ghost branches. arg: it, or None
        draftChanged: The split that is being made by hand is another. arg: it, weighed; or None
        sweptChanged: The threshold is swept from left to right. arg: the split where it is, weighed; None at the end
        pruningChanged: The sequence of prunings, its step on the canvas, or its error is another.
        pathChanged: The file or the name is another.
        modifiedChanged: arg: whether there is something to save
        focusChanged: Another class is in focus.
        told: Something was done, not undone or redone. arg: what it was and what it did to the errors, in words
    """

    began = Signal()
    tableChanged = Signal()
    treeChanged = Signal(object, object)
    selectionChanged = Signal(int)
    searchChanged = Signal()
    previewChanged = Signal(object)
    draftChanged = Signal(object)
    sweptChanged = Signal(object)
    pruningChanged = Signal()
    pathChanged = Signal()
    modifiedChanged = Signal(bool)
    focusChanged = Signal()
    told = Signal(str)

    def __init__(self, jobs: Jobs | None = None, parent: QObject | None = None, undo_limit: int = UNDO_LIMIT) -> None:
        super().__init__(parent)
        self.jobs = jobs if jobs is not None else Jobs(self)
        self.beginning = object()
        self.state: State | None = None
        self.selected = 0
        self.preview: Candidate | None = None
        self.draft: Candidate | None = None
        self.path: Path | None = None
        self._name = ""
        self._told_modified = False
        self._searching = Searching()
        self._focus = Focus()
        self.look = Look(self)
        self.look.changed.connect(self._look_at_state)
        self.history = History(self._show, undo_limit, self)
        self.edits = Edits(self, self.history)
        self.hand = HandEdits(self, self.edits)
        self.table_edits = TableEdits(self, self.edits)
        self.cutback = Cutback(self, self.edits)
        self.tree_edits = TreeEdits(self, self.edits, self.cutback)
        self.storage = Storage(self, self.edits)
        self.ranking = Ranking(self.jobs, self)
        self.guess = Guess(self, self.ranking)
        self.rankings = Rankings(self, self.ranking)
        self.comparing = Comparing(self, self.cutback)
        self.click_cut = ClickCut(self, self.edits, self.cutback)
        self.finding = Finding(self, self.look)
        self.several = Several(self, self.look)
        self.last_test = LastTest(self)
        self.following = Following(self, self.look, self.several, self.last_test)
        self.box_plots = BoxPlots(self, self.look)
        for part in (
            self.guess, self.rankings, self.comparing, self.click_cut, self.finding, self.several, self.following,
            self.box_plots,
        ):  # fmt: skip
            part.setParent(self)
        self.history.stack.cleanChanged.connect(self._tell_modified)
        self.searchChanged.connect(self._tell_modified)

    # -- what there is

    @property
    def table(self) -> Table | None:
        return self.state.table if self.state else None

    @property
    def tree(self) -> Tree | None:
        return self.state.tree if self.state else None

    @property
    def split_here(self) -> Split | None:
        """The split of the selected node; None of a leaf."""
        tree = self.tree
        return tree.split_at(tree.position(self.selected)) if tree is not None and self.selected in tree else None

    @property
    def search(self) -> dict[str, Any]:
        """The search options that differ from the defaults, as `engine.candidates` and `engine.grow` take them."""
        return dict(self._searching.options)

    @property
    def criterion(self) -> str:
        """The criterion in use; empty without a table."""
        usual = DEFAULT[self.table.task] if self.table is not None else ""
        return str(self._searching.options.get("criterion") or usual)

    @property
    def criterion_here(self) -> str:
        """The criterion by which the selected node is searched: the one written there or above, else the one in use."""
        return (self.state.tree.criterion_at(self.selected) if self.state else "") or self.criterion

    @property
    def preset(self) -> str:
        """The preset that the options came from; empty while they are others: changed one by one, or by the target."""
        return self._searching.preset(self.state.table.task) if self.state is not None else ""

    @property
    def candidates(self) -> list[Candidate] | None:
        """The best split of every column at the selected node, best first; None while they are looked for."""
        return self.ranking.candidates

    @property
    def candidates_error(self) -> str:
        """Why there are none, in words; empty where there are, or while they are looked for."""
        error = phrases.plain(self.ranking.error)
        return hand_phrases.in_places(error, self.state.tree) if self.state is not None else error

    @property
    def candidate(self) -> Candidate | None:
        """The candidate that the split editor shows."""
        return self.ranking.candidate

    @property
    def curve(self) -> Curve | None:
        """The gains of all cuts of the candidate that is looked at; None while they are computed."""
        return self.ranking.curve

    @property
    def guessing(self) -> bool:
        """Whether ranking, gains and optimum are hidden until a person has guessed."""
        return self.guess.on

    @property
    def name(self) -> str:
        """What the document is called in the title."""
        return self.path.stem if self.path else self._name

    @property
    def modified(self) -> bool:
        """Whether there is something to save: an edit, or search options that the project file does not have."""
        searched = self.path is not None and self._searching.unsaved
        return searched or not self.history.stack.isClean()

    @property
    def focus_class(self) -> int:
        """The class whose rate colours the tree; 0 for a numeric target."""
        return self._focus.of(self.state.tree) if self.state is not None else 0

    @property
    def trees_behind(self) -> list[tuple[str, State]]:
        """The other trees of the history over the present table, in words, the latest first."""
        if self.state is None:
            return []
        both = [*enumerate(zip(self.history.steps, self.history.states, strict=False))]
        return [
            (f"{i}: {step.text} · {phrases.leaves(step.leaves)}", state)
            for i, (step, state) in reversed(both)
            if state is not None and state.table is self.state.table and state is not self.state
        ]

    # -- tables and files

    def set_table(self, table: Table, tree: Tree | None = None, *, name: str = "") -> None:
        """Starts anew with a table that was read. Counts the root at once when no tree comes with it."""
        self.start(tree_tasks.first_state(table, tree), name=name)

    def start(
        self, state: State | None, *, name: str = "", path: Path | None = None,
        settings: dict[str, Any] | None = None, unsaved: bool = False,
    ) -> None:  # fmt: skip
        """Starts anew with a state, or with nothing; the history begins here.

        Args:
            name: what it is called while it has no path.
            settings: as `settings` gave them.
            unsaved: what is opened is not in its file yet.
        """
        settings = settings or {}
        self.beginning = object()
        self.began.emit()
        self.last_test.begin(int(settings.get("test_looks", 0)))
        self.edits.cancel()
        self.cutback.clear()
        self.ranking.clear()
        self.look.begin()
        self.path, self._name = path, name or (state.table.name if state else "")
        self._searching.start(settings)
        self._focus.chosen = dict(settings.get("focus", {}))
        self.edits.validation_uses = int(settings.get("validation_uses", 0))
        self.selected = 0
        self.history.restart(state, tr("Open “{name}”", name=self._name))
        self._show(state)
        self._searching.keep()  # without what did not fit
        self._focus.chosen = dict(settings.get("focus", {}))  # another table may have had a target of this name
        for signal in (self.pathChanged, self.searchChanged, self.focusChanged, self.pruningChanged):
            signal.emit()
        self.selectionChanged.emit(self.selected)
        if unsaved:
            self.history.stack.resetClean()

    def close(self) -> None:
        """Puts the table and the tree away."""
        self.start(None)

    def shutdown(self) -> None:
        """Ends the worker; nothing arrives afterwards."""
        self.jobs.shutdown()
        # A dying stack clears itself and tells so; those who listen may be half gone by then.
        self.history.stack.blockSignals(True)

    def set_path(self, path: Path, settings: dict[str, Any]) -> None:
        """The project is in this file now, with these settings."""
        self.path = path
        self._searching.keep(settings)
        self.pathChanged.emit()
        self._tell_modified()

    def settings(self) -> dict[str, Any]:
        """What a project file keeps beside table and tree."""
        return {
            **self._searching.settings(),
            "focus": dict(self._focus.chosen),
            "validation_uses": self.edits.validation_uses,
            "test_looks": self.last_test.looks,
        }

    # -- looking

    def select(self, node: int) -> None:
        """Selects a node; its candidates are looked for in the background, once more if that was stopped or failed."""
        if self.state is None or node not in self.state.tree:
            return
        if node == self.selected:
            if self.candidates_error:
                self.ranking.ask(self.state, self.selected, self.search)
            return
        self.selected = int(node)
        self.set_preview(None)
        self.selectionChanged.emit(self.selected)
        self.ranking.ask(self.state, self.selected, self.search)

    def set_draft(self, candidate: Candidate | None) -> None:
        """Tells of the split that is being made by hand, at every move of the hand."""
        if candidate is not self.draft:
            self.draft = candidate
            self.draftChanged.emit(candidate)

    def set_preview(self, candidate: Candidate | None) -> None:
        """Shows a candidate as ghost branches, or no longer."""
        if candidate is not self.preview:
            self.preview = candidate
            self.previewChanged.emit(candidate)

    def set_focus(self, index: int) -> None:
        """Puts a class into focus. It changes how the tree looks, not the tree: no undo step."""
        if self.state is not None and self._focus.choose(self.state.tree, index):
            self.focusChanged.emit()

    def set_search(self, **options: Any) -> None:
        """Changes search options; None brings a default back.

        The splits of the tree stay as they are. Options that say what leaves say change the tree on the screen, as
        one undo step; undo brings them back.
        """
        if self.state is None:
            return
        chosen = {name: value for name, value in {**self._searching.options, **options}.items() if value is not None}
        refusal = searching.refusal_of(chosen, self.state.table)
        if refusal:
            messages.error(phrases.plain(refusal))
        else:
            self.take_search(searching.own_options(chosen, self.state.table.task))

    def reset_search(self) -> None:
        """Brings all defaults of the search back."""
        self.take_search(searching.chosen_columns(self.search))

    def set_preset(self, name: str) -> None:
        """Takes all search options from a preset."""
        if self.state is not None:
            chosen = searching.preset_options(name, self.state.table.task) | searching.chosen_columns(self.search)
            self.take_search(chosen, name)

    def take_search(self, chosen: dict[str, Any], preset: str = "") -> None:
        """Takes these search options in the place of those that are set; `preset` names where they come from."""
        if self.state is None:
            return
        before, after = (searching.rule_of(options, self.state.table.task) for options in (self.search, chosen))
        if self._searching.take(chosen, preset):
            self.searchChanged.emit()
            self.ranking.ask(self.state, self.selected, self.search)
            if after != before:  # or else a rule that is still on its way would be taken back
                self.tree_edits.say_by(after)

    def follow_leaves(self) -> None:
        """Sets the options of the leaves to what the tree says, after a change of them was stopped or failed."""
        if self.state is not None and self._searching.follow_leaves(self.state):
            self.searchChanged.emit()

    # -- splits of the selected node

    def accept(self, candidate: Candidate) -> None:
        """Splits the selected node by a candidate; an inner node's split is replaced by it."""
        if candidate.split is None:
            column, reason = candidate.column, candidate.reason
            messages.warning(tr("“{column}” cannot split this node: {reason}", column=column, reason=reason))
        else:
            self.make_split(candidate.split)

    def why_no_split(self) -> str:
        """Why `make_split` can do nothing at the selected node, and what to do; empty where it can."""
        if self.state is None:
            return ""
        from engine.tree.marks import check_unlocked  # here, so that an empty window needs no compiler

        try:
            check_unlocked(self.state.tree, self.selected, below=True)
        except InputError as error:
            return hand_phrases.in_places(str(error), self.state.tree)
        return ""

    def make_split(self, split: Split) -> None:
        """Splits the selected node exactly so, as one undo step; an inner node's split is replaced by it."""
        if self.state is not None and is_leaf(self.state.tree, self.selected):
            self.hand.split_by(self.selected, split)
        else:
            self.hand.replace_split(self.selected, split)

    # -- undo

    def undo(self) -> None:
        if self.history.can_undo:
            self.history.stack.undo()

    def _tell_modified(self) -> None:
        if self.modified != self._told_modified:
            self._told_modified = self.modified
            self.modifiedChanged.emit(self._told_modified)

    # -- what is shown

    def _look_at_state(self) -> None:
        """The state on the screen knows how it is shown: a worker prepares what follows from it likewise."""
        if self.state is not None:
            self.state.picture = self.look.picture_options()

    def _show(self, state: State | None) -> None:
        """Puts a state onto the screen. Undo and redo call it: it must not fail."""
        if not self.edits.pushing:
            self.edits.interrupt()
        if self.state is not None and (state is None or state.table is not self.state.table):
            self.ranking.leave()  # first: panels draw at the first signal, and candidates are of one table
        focus = self.focus_class
        shown, self.state = self.state, state
        before = shown.tree if shown is not None else None
        self.set_preview(None)
        if state is None:
            self.selected = 0
            self.tableChanged.emit()
            self.treeChanged.emit(before, None)
            return
        self.history.touch(state)
        self._look_at_state()
        self._focus.keep(before, focus, state.tree)
        searched = self._searching.fit(shown, state)
        selected, self.selected = self.selected, survivor(self.selected, before, state.tree)
        if shown is None or shown.table is not state.table:
            self.tableChanged.emit()
        if searched:
            self.searchChanged.emit()
        self.treeChanged.emit(before, state.tree)
        if self.selected != selected:
            self.selectionChanged.emit(self.selected)
        self.cutback.follow(state)
        self.ranking.ask(state, self.selected, self.search)
        if state.assignment is None:
            self.jobs.run(tr("Sorting the rows"), tree_tasks.assignment, state, key="assignment", quiet=True)

    def go_into(self, before: Tree, after: Tree) -> None:
        """After a split of the selected leaf: goes on with the leaf that costs most, a new one if any is impure. Who
        has selected another node meanwhile stays there."""
        node = next_leaf(before, after)
        if node is not None and is_leaf(before, self.selected) and not is_leaf(after, self.selected):
            self.select(node)
