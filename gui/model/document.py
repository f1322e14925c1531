"""The one owner of state: table, tree, selection, search options, history; and the list of the parts that change it.

Panels listen to the document and call it and its parts: `hand` edits single nodes, `tree_edits` and `table_edits` the
whole tree and the table, `cutback` prunes. Panels never know each other. Parts know the document as a `Host` only.
Edits are computed in the worker, by plain functions (tasks) that stand beside the parts, and arrive as one undo step
each. An edit that was computed for a tree that is no longer on the screen is dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

import engine
from engine.runtime.sentences import tr
from gui import messages
from gui.model import tree_tasks
from gui.model.assessing import Assessing
from gui.model.choosing import Choosing
from gui.model.editing.cutback import ClickCut, Cutback
from gui.model.editing.edits import Edits, is_leaf, next_leaf, survivor
from gui.model.editing.hand_edits import HandEdits
from gui.model.editing.tree_edits import TableEdits, TreeEdits
from gui.model.file_tasks import Storage
from gui.model.history import History, State
from gui.model.host import Host
from gui.model.jobs import Jobs
from gui.model.judging import Judging
from gui.model.replaying import Replaying
from gui.model.search import searching
from gui.model.search.guessing import Guess
from gui.model.search.ranking import Ranking, Rankings
from gui.model.view_state.comparing import Comparing
from gui.model.view_state.finding import BoxPlots, Finding
from gui.model.view_state.following import Following
from gui.model.view_state.look import BEGINNINGS
from gui.model.view_state.several import Several
from gui.picture.picture_options import Focus
from gui.wording import hand_phrases, phrases


class Document(Host):
    """What is on the screen and the parts that change it."""

    def __init__(self, jobs: Jobs | None = None, parent: QObject | None = None, undo_limit: int = 200) -> None:
        super().__init__(jobs, parent)
        self._told_modified = False
        self._focus = Focus()
        self.look.changed.connect(self._look_at_state)
        self.history = History(self._show, undo_limit, self)
        self.edits = Edits(self, self.history)
        self.hand = HandEdits(self, self.edits)
        self.table_edits = TableEdits(self, self.edits)
        self.cutback = Cutback(self, self.edits)
        self.choosing = Choosing(self, self.edits, self.cutback)
        self.tree_edits = TreeEdits(self, self.edits, self.cutback)
        self.ranking = Ranking(self.jobs, self)
        self.storage = Storage(self, self.edits, self.ranking)
        self.guess = Guess(self, self.ranking)
        self.rankings = Rankings(self, self.ranking)
        self.comparing = Comparing(self, self.cutback)
        self.judging = Judging(self, self.cutback, self.ranking)
        self.assessing = Assessing(self, self.judging, self.edits)
        self.replaying = Replaying(self, self.judging, self.cutback)
        self.click_cut = ClickCut(self, self.edits, self.cutback)
        self.finding = Finding(self)
        self.several = Several(self)
        self.following = Following(self, self.several)
        self.box_plots = BoxPlots(self)
        self.history.stack.cleanChanged.connect(self._tell_modified)
        self.searchChanged.connect(self._tell_modified)

    @property
    def preset(self) -> str:
        """The preset that the options came from; empty while they are others: changed one by one, or by the target."""
        return self._searching.preset(self.state.table.task) if self.state is not None else ""

    @property
    def candidates(self) -> list[engine.Candidate] | None:
        """The best split of every column at the selected node, best first; None while they are looked for."""
        return self.ranking.candidates

    @property
    def candidates_error(self) -> str:
        """Why there are none, in words; empty where there are, or while they are looked for."""
        error = phrases.plain(self.ranking.error)
        return hand_phrases.in_places(error, self.state.tree) if self.state is not None else error

    @property
    def candidate(self) -> engine.Candidate | None:
        """The candidate that the split editor shows."""
        return self.ranking.candidate

    @property
    def curve(self) -> engine.Curve | None:
        """The gains of all cuts of the candidate that is looked at; None while they are computed."""
        return self.ranking.curve

    @property
    def focus_class(self) -> int:
        """The class whose rate colours the tree; 0 for a numeric target."""
        return self._focus.of(self.state.tree) if self.state is not None else 0

    @property
    def trees_behind(self) -> list[tuple[str, State]]:
        """The other trees of the history over the present table, in words, the latest first."""
        pairs = [*enumerate(zip(self.history.steps, self.history.states, strict=False))]
        return [
            (f"{i}: {step.text} · {phrases.leaves(step.leaves)}", state) for i, (step, state) in reversed(pairs)
            if state is not None and state.table is self.table and state is not self.state
        ]  # fmt: skip

    def set_table(self, table: engine.Table, tree: engine.Tree | None = None, *, name: str = "") -> None:
        """Starts anew with a table that was read. Counts the root at once when no tree comes with it."""
        self.start(tree_tasks.first_state(table, tree), name=name)

    def start(
        self, state: State | None, *, name: str = "", path: Path | None = None,
        settings: dict[str, Any] | None = None, unsaved: bool = False,
    ) -> None:  # fmt: skip
        """Starts anew with a state, or with nothing; the history begins here. `name`: what it is called while it has no
        path. `settings`: as `settings` gave them. `unsaved`: what is opened is not in its file yet."""
        settings = settings or {}
        self.beginning = object()
        self.began.emit()
        self.jobs.drop("test")
        self.test_looks = int(settings.get("test_looks", 0))
        self.introduction = str(settings.get("introduction", ""))
        self.edits.cancel()
        self.cutback.clear()
        self.ranking.clear()
        self.look.set(**BEGINNINGS)
        self.path, self._name = path, name or (state.table.name if state else "")
        self._searching.start(settings)
        self._focus.chosen = dict(settings.get("focus", {}))
        self.edits.validation_trees, self.selected = int(settings.get("validation_trees", 0)), 0
        self.history.restart(state, tr("Open “{name}”", name=self._name))
        self._show(state)
        self.test_seen = bool(settings.get("test_seen", False))  # whatever was shown before has no say in it
        self.choosing.restore(settings.get("choice", {}))
        self._searching.keep()  # without what did not fit
        self._focus.chosen = dict(settings.get("focus", {}))  # another table may have had a target of this name
        for signal in (self.pathChanged, self.searchChanged, self.focusChanged, self.pruningChanged):
            signal.emit()
        self.selectionChanged.emit(self.selected)
        if unsaved:
            self.history.stack.resetClean()

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

    def introduce(self, text: str) -> None:
        """Begins reports with these words from now on; other ones than before are something to save."""
        if text != self.introduction:
            self.introduction = text
            self.history.stack.resetClean()

    def settings(self) -> dict[str, Any]:
        """What a project file keeps beside table and tree."""
        looks: dict[str, Any] = {"validation_trees": self.edits.validation_trees, "test_looks": self.test_looks}
        looks |= {"introduction": self.introduction} if self.introduction else {}
        looks |= {"test_seen": True} if self.test_seen else {}
        return {**self._searching.settings(), "focus": dict(self._focus.chosen), **looks, **self.choosing.settings()}

    def select(self, node: int) -> None:
        """Selects a node; its candidates are looked for in the background, once more if that was stopped or failed."""
        if self.state is None or node not in self.state.tree:
            return
        other = node != self.selected
        if other:
            self.selected = int(node)
            self.set_preview(None)
            self.selectionChanged.emit(self.selected)
        if other or self.ranking.error:
            self.ranking.ask(self.state, self.selected, self.search)

    def set_draft(self, candidate: engine.Candidate | None) -> None:
        """Tells of the split that is being made by hand, at every move of the hand."""
        if candidate is not self.draft:
            self.draft = candidate
            self.draftChanged.emit(candidate)

    def set_preview(self, candidate: engine.Candidate | None) -> None:
        """Shows a candidate as ghost branches, or no longer."""
        if candidate is not self.preview:
            self.preview = candidate
            self.previewChanged.emit(candidate)

    def set_focus(self, index: int) -> None:
        """Puts a class into focus. It changes how the tree looks, not the tree: no undo step."""
        if self.state is not None and self._focus.choose(self.state.tree, index):
            self.focusChanged.emit()

    def set_search(self, **options: Any) -> None:
        """Changes search options; None brings a default back. The splits of the tree stay as they are. Options that say
        what leaves say change the tree on the screen, as one undo step; undo brings them back."""
        if self.state is None:
            return
        chosen = {name: value for name, value in {**self._searching.options, **options}.items() if value is not None}
        if refusal := searching.refusal_of(chosen, self.state.table):
            messages.error(phrases.plain(refusal))
        else:
            self.take_search(searching.own_options(chosen, self.state.table.task))

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

    def look_at_test(self) -> None:
        """Tells the error on the test rows, and how often it was told. The count is in the project at once: a look
        cannot be taken back."""
        if (state := self.state) is None or state.table.n_test == 0:
            return

        def done(fit: engine.Fit) -> None:
            self.test_looks += 1
            grouped = phrases.grouped(state.table, engine.TEST)
            messages.tell(phrases.tested(fit, state.tree, self.test_looks, self.test_seen, grouped))
            self.storage.keep_looks()
            self.testOpened.emit()

        self.jobs.run(tr("Looking at the test rows"), tree_tasks.tested, state, done=done, key="test")

    def accept(self, candidate: engine.Candidate) -> None:
        """Splits the selected node by a candidate; an inner node's split is replaced by it."""
        if candidate.split is None:
            column, reason = candidate.column, candidate.reason
            messages.warning(tr("“{column}” cannot split this node: {reason}", column=column, reason=reason))
        else:
            self.make_split(candidate.split)

    def make_split(self, split: engine.Split) -> None:
        """Splits the selected node exactly so, as one undo step; an inner node's split is replaced by it."""
        if self.state is not None and is_leaf(self.state.tree, self.selected):
            self.hand.split_by(self.selected, split)
        else:
            self.hand.replace_split(self.selected, split)

    def undo(self) -> None:
        if self.history.can_undo:
            self.history.stack.undo()

    def _tell_modified(self) -> None:
        if self.modified != self._told_modified:
            self._told_modified = self.modified
            self.modifiedChanged.emit(self._told_modified)

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
        focus, before, shown = self.focus_class, self.tree, self.state
        self.state = state
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
            same_rows = shown is not None and shown.table.n_rows == state.table.n_rows
            if shown is not None and same_rows and (shown.table.sealed != state.table.sealed).any():
                self.test_seen = True
            self.tableChanged.emit()
        if searched:
            self.searchChanged.emit()
        self.treeChanged.emit(before, state.tree)
        if self.selected != selected:
            self.selectionChanged.emit(self.selected)
        self.cutback.follow(state)
        self.ranking.ask(state, self.selected, self.search)
        if state.assignment is None:
            self.jobs.run(tr("Sorting the rows"), state.assigned, key="assignment", quiet=True)

    def go_into(self, before: engine.Tree, after: engine.Tree) -> None:
        """After a split of the selected leaf: goes on with the leaf that costs most, a new one if any is impure. Who
        has selected another node meanwhile stays there."""
        node = next_leaf(before, after)
        if node is not None and is_leaf(before, self.selected) and not is_leaf(after, self.selected):
            self.select(node)
