"""The one owner of state: table, tree, selection, search options, history. What of it is read: `document_state`.

Panels listen to the document and call it, and the edits that it owns: `hand` of single nodes, `tree_edits`,
`table_edits`, and `cutback`, which prunes. Panels never know each other. Edits are computed in the worker, by functions
of `gui/model/tasks`, and arrive as one undo step each. An edit that was computed for a tree that is no longer on the
screen is dropped.

How validation rows wear out: `validation_uses` counts the decisions that a person made with validation figures in
sight, or that a method made by validation rows: a candidate accepted by hand, a pruning picked in the chart or
recommended by a method that looks at them (`engine.pruning.chosen_by_validation`), Go, a node made a leaf, leaves
merged, what a leaf says. Methods and growth that look at training rows only do not count. `Edits.push` counts. Undo
does not bring a use back.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from engine.runtime.errors import InputError
from gui import messages
from gui.files.storage import Storage
from gui.model.document_state import Standing
from gui.model.editing.click_cut import ClickCut
from gui.model.editing.cutback import Cutback
from gui.model.editing.edits import Edits, is_leaf, next_leaf, survivor
from gui.model.editing.hand_edits import HandEdits
from gui.model.editing.table_edits import TableEdits
from gui.model.editing.tree_edits import TreeEdits
from gui.model.history import History, State
from gui.model.jobs import Job, Jobs
from gui.model.search import searching
from gui.model.search.guessing import Guess
from gui.model.search.ranking import Ranking
from gui.model.search.rankings import Rankings
from gui.model.tasks import file_tasks, tree_tasks
from gui.model.view_state.box_plots import BoxPlots
from gui.model.view_state.comparing import Comparing
from gui.model.view_state.finding import Finding
from gui.model.view_state.following import Following
from gui.model.view_state.last_test import LastTest
from gui.model.view_state.several import Several
from gui.model.view_state.view_options import Look
from gui.wording import hand_phrases, phrases

if TYPE_CHECKING:
    from engine.ranking.candidates import Candidate
    from engine.splits import Split
    from engine.table.table import Table
    from engine.tree.tree import Tree

UNDO_LIMIT = 200


class Document(Standing):
    """What is on the screen, and the verbs that change it."""

    def __init__(self, jobs: Jobs | None = None, parent: QObject | None = None, undo_limit: int = UNDO_LIMIT) -> None:
        super().__init__(parent)
        self.jobs = jobs if jobs is not None else Jobs(self)
        self.beginning = object()  # another one whenever the document starts anew
        self._told_modified = False
        self.history = History(self._show, undo_limit, self)
        self.edits = Edits(self)
        self.hand = HandEdits(self)
        self.tree_edits = TreeEdits(self)
        self.table_edits = TableEdits(self)
        self.cutback = Cutback(self)
        self._storage = Storage(self)
        self._ranking = Ranking(self.jobs, self)
        self.guess = Guess(self, self._ranking)
        self.rankings = Rankings(self)
        self.comparing = Comparing(self)
        self.click_cut = ClickCut(self)
        self.look = Look(self)
        self.look.changed.connect(self._look_at_state)
        self.finding = Finding(self)
        self.several = Several(self)
        self.following = Following(self)
        self.last_test = LastTest(self)
        self.box_plots = BoxPlots(self)
        self._ranking.changed.connect(self.candidatesChanged)
        self._ranking.someFound.connect(self.someFound)
        self._ranking.candidateChanged.connect(self.candidateChanged)
        self._ranking.curveChanged.connect(self.curveChanged)
        self.guess.changed.connect(self.guessingChanged)
        self.history.stack.cleanChanged.connect(self._tell_modified)
        self.searchChanged.connect(self._tell_modified)

    # -- tables and files

    def set_table(self, table: Table, tree: Tree | None = None, *, name: str = "") -> None:
        """Starts anew with a table that was read. Counts the root at once when no tree comes with it."""
        self.start(tree_tasks.first_state(table, tree), name=name)

    def start(
        self,
        state: State | None,
        *,
        name: str = "",
        path: Path | None = None,
        settings: dict[str, Any] | None = None,
        unsaved: bool = False,
    ) -> None:
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
        self._ranking.clear()
        self.look.begin()
        self._path, self._name = path, name or (state.table.name if state else "")
        self._searching.start(settings)
        self._focus.chosen = dict(settings.get("focus", {}))
        self._validation_uses = int(settings.get("validation_uses", 0))
        self._selected = 0
        self.history.restart(state, f"Open “{self._name}”")
        self._show(state)
        self._searching.keep()  # without what did not fit
        self._focus.chosen = dict(settings.get("focus", {}))  # another table may have had a target of this name
        for signal in (self.pathChanged, self.searchChanged, self.focusChanged, self.pruningChanged):
            signal.emit()
        self.selectionChanged.emit(self._selected)
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

    def open_file(self, path: str | Path, **options: Any) -> None:
        """Opens a project, a tree (onto the present table), or a table, read with these options and no questions."""
        path = Path(path)
        if path.suffix.lower() == ".espalier":
            self.load(path)
        elif path.suffix.lower() == ".json":
            self.table_edits.open_tree(path)
        else:
            self.read(f"Opening {path.name}", file_tasks.opened, path, options)

    def read(self, text: str, function: Callable[..., file_tasks.Opened], *args: Any) -> Job:
        """Starts with what a function of `model.tasks.file_tasks` reads; `text` says what is going on."""
        return self._storage.read(text, function, *args)

    def load(self, path: str | Path, **how: Any) -> Job:
        """Opens a project; for `data`, `copy_of` and `failed` see `gui.files.storage`."""
        return self._storage.load(Path(path), **how)

    def save(self, path: str | Path | None = None, then: Callable[[], None] | None = None) -> None:
        """Writes the project, to its own file if no other is named; `then` is called once it is written."""
        path = Path(path) if path is not None else self._path
        if path is not None:
            self._storage.save(path, then)

    def set_path(self, path: Path, settings: dict[str, Any]) -> None:
        """The project is in this file now, with these settings."""
        self._path = path
        self._searching.keep(settings)
        self.pathChanged.emit()
        self._tell_modified()

    def settings(self) -> dict[str, Any]:
        """What a project file keeps beside table and tree."""
        return {
            **self._searching.settings(),
            "focus": dict(self._focus.chosen),
            "validation_uses": self._validation_uses,
            "test_looks": self.last_test.looks,
        }

    # -- looking

    def select(self, node: int) -> None:
        """Selects a node; its candidates are looked for in the background, once more if that was stopped or failed."""
        if self._state is None or node not in self._state.tree:
            return
        if node == self._selected:
            if self.candidates_error:
                self._ranking.ask(self._state, self._selected, self.search)
            return
        self._selected = int(node)
        self.set_preview(None)
        self.selectionChanged.emit(self._selected)
        self._ranking.ask(self._state, self._selected, self.search)

    def select_candidate(self, candidate: Candidate | None) -> None:
        """Shows a candidate in the split editor; its curve is computed in the background."""
        self._ranking.choose(candidate)

    def set_draft(self, candidate: Candidate | None) -> None:
        """Tells of the split that is being made by hand, at every move of the hand."""
        if candidate is not self._draft:
            self._draft = candidate
            self.draftChanged.emit(candidate)

    def sweep(self, candidate: Candidate | None) -> None:
        """Tells where the threshold is that is swept; None when it is over."""
        self.sweptChanged.emit(candidate)

    def set_preview(self, candidate: Candidate | None) -> None:
        """Shows a candidate as ghost branches, or no longer."""
        if candidate is not self._preview:
            self._preview = candidate
            self.previewChanged.emit(candidate)

    def set_focus(self, index: int) -> None:
        """Puts a class into focus. It changes how the tree looks, not the tree: no undo step."""
        if self._state is not None and self._focus.choose(self._state.tree, index):
            self.focusChanged.emit()

    def set_criterion(self, name: str) -> None:
        """Ranks by another criterion."""
        self.set_search(criterion=name)

    def set_search(self, **options: Any) -> None:
        """Changes search options; None brings a default back.

        The splits of the tree stay as they are. Options that say what leaves say change the tree on the screen, as
        one undo step; undo brings them back.
        """
        if self._state is None:
            return
        chosen = {name: value for name, value in {**self._searching.options, **options}.items() if value is not None}
        refusal = searching.refusal_of(chosen, self._state.table)
        if refusal:
            messages.error(phrases.plain(refusal))
        else:
            self.take_search(searching.own_options(chosen, self._state.table.task))

    def reset_search(self) -> None:
        """Brings all defaults of the search back."""
        self.take_search(searching.chosen_columns(self.search))

    def set_preset(self, name: str) -> None:
        """Takes all search options from a preset."""
        if self._state is not None:
            chosen = searching.preset_options(name, self._state.table.task) | searching.chosen_columns(self.search)
            self.take_search(chosen, name)

    def take_search(self, chosen: dict[str, Any], preset: str = "") -> None:
        """Takes these search options in the place of those that are set; `preset` names where they come from."""
        if self._state is None:
            return
        before, after = (searching.rule_of(options, self._state.table.task) for options in (self.search, chosen))
        if self._searching.take(chosen, preset):
            self.searchChanged.emit()
            self._ranking.ask(self._state, self._selected, self.search)
            if after != before:  # or else a rule that is still on its way would be taken back
                self.tree_edits.say_by(after)

    def follow_leaves(self) -> None:
        """Sets the options of the leaves to what the tree says, after a change of them was stopped or failed."""
        if self._state is not None and self._searching.follow_leaves(self._state):
            self.searchChanged.emit()

    # -- splits of the selected node

    def accept(self, candidate: Candidate) -> None:
        """Splits the selected node by a candidate; an inner node's split is replaced by it."""
        if candidate.split is None:
            messages.warning(f"“{candidate.column}” cannot split this node: {candidate.reason}")
        else:
            self.make_split(candidate.split)

    def why_no_split(self) -> str:
        """Why `make_split` can do nothing at the selected node, and what to do; empty where it can."""
        if self._state is None:
            return ""
        from engine.tree.marks import check_unlocked  # here, so that an empty window needs no compiler

        try:
            check_unlocked(self._state.tree, self._selected, below=True)
        except InputError as error:
            return hand_phrases.in_places(str(error), self._state.tree)
        return ""

    def make_split(self, split: Split) -> None:
        """Splits the selected node exactly so, as one undo step; an inner node's split is replaced by it."""
        if self._state is not None and is_leaf(self._state.tree, self._selected):
            self.hand.split_by(self._selected, split)
        else:
            self.hand.replace_split(self._selected, split)

    # -- undo

    def undo(self) -> None:
        if self.history.can_undo:
            self.history.stack.undo()

    def redo(self) -> None:
        self.history.stack.redo()

    def go_to_step(self, index: int) -> None:
        """Undoes or redoes until `steps[index]` is on the screen."""
        self.history.go_to(index)

    def count_validation_use(self) -> None:
        """One more decision was made with validation figures in sight."""
        self._validation_uses += 1

    def tell_step(self, before: State, after: State, text: str) -> None:
        """Tells what a step was that was just made, and what it did to the errors."""
        change = hand_phrases.change(before.step(""), after.step(""))
        self.told.emit(f"{text}: {change}" if change else text)

    def _tell_modified(self) -> None:
        if self.modified != self._told_modified:
            self._told_modified = self.modified
            self.modifiedChanged.emit(self._told_modified)

    # -- what is shown

    def _look_at_state(self) -> None:
        """The state on the screen knows how it is shown: a worker prepares what follows from it likewise."""
        if self._state is not None:
            self._state.picture = self.look.picture_options()

    def _show(self, state: State | None) -> None:
        """Puts a state onto the screen. Undo and redo call it: it must not fail."""
        if not self.edits.pushing:
            self.edits.interrupt()
        if self._state is not None and (state is None or state.table is not self._state.table):
            self._ranking.leave()  # first: panels draw at the first signal, and candidates are of one table
        focus = self.focus_class
        shown, self._state = self._state, state
        before = shown.tree if shown is not None else None
        self.set_preview(None)
        if state is None:
            self._selected = 0
            self.tableChanged.emit()
            self.treeChanged.emit(before, None)
            return
        self.history.touch(state)
        self._look_at_state()
        self._focus.keep(before, focus, state.tree)
        searched = self._searching.fit(shown, state)
        selected, self._selected = self._selected, survivor(self._selected, before, state.tree)
        if shown is None or shown.table is not state.table:
            self.tableChanged.emit()
        if searched:
            self.searchChanged.emit()
        self.treeChanged.emit(before, state.tree)
        if self._selected != selected:
            self.selectionChanged.emit(self._selected)
        self.cutback.follow(state)
        self._ranking.ask(state, self._selected, self.search)
        if state.assignment is None:
            self.jobs.run("Sorting the rows", tree_tasks.assignment, state, key="assignment", quiet=True)

    def go_into(self, before: Tree, after: Tree) -> None:
        """After a split of the selected leaf: goes on with the leaf that costs most, a new one if any is impure. Who
        has selected another node meanwhile stays there."""
        node = next_leaf(before, after)
        if node is not None and is_leaf(before, self._selected) and not is_leaf(after, self._selected):
            self.select(node)
