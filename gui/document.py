"""The one owner of state: table, tree, selection, search options, history.

Panels listen to the document and call it, and the edits that it owns: `hand` of single nodes, `tree_edits`,
`table_edits`, and `cutback`, which prunes. Panels never know each other. Edits are computed in the worker, by functions
of `gui/tasks`, and arrive as one undo step each. An edit that was computed for a tree that is no longer on the
screen is dropped.

How validation rows wear out: `validation_uses` counts the decisions that a person or a method made with validation
figures in sight: a candidate accepted by hand, a pruning put on the canvas, a node made a leaf, leaves merged, what a
leaf says. Growing by the engine looks at training rows only and does not count. Undo does not bring a use back.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from engine.errors import InputError
from gui import messages
from gui.editing.click_cut import ClickCut
from gui.editing.cutback import Cutback
from gui.editing.edits import Edits, is_leaf, next_leaf, survivor
from gui.editing.hand_edits import HandEdits
from gui.editing.table_edits import TableEdits
from gui.editing.tree_edits import TreeEdits
from gui.files.storage import Storage
from gui.history import History, HistoryStep, State
from gui.jobs import Job, Jobs
from gui.looking.box_plots import BoxPlots
from gui.looking.comparing import Comparing
from gui.looking.finding import Finding
from gui.looking.focus import usual_focus
from gui.looking.following import Following
from gui.looking.look import Look
from gui.looking.several import Several
from gui.search import searching
from gui.search.further import Further
from gui.search.guessing import Guess
from gui.search.ranking import Ranking
from gui.search.rankings import Rankings
from gui.search.searching import Searching
from gui.tasks import file_tasks, tree_tasks
from gui.wording import hand_phrases, phrases

if TYPE_CHECKING:
    from engine.assessment import Fit
    from engine.assignment import Assignment
    from engine.candidates import Candidate, Curve
    from engine.splits import Split
    from engine.table import Table
    from engine.tree import Tree

UNDO_LIMIT = 200


class Document(QObject):
    """What is on the screen, and the verbs that change it.

    Signals:
        tableChanged: Another table, or the same with other roles, kinds, target or partition.
        treeChanged: args: the tree before (or None) and the tree now (or None)
        selectionChanged: arg: the selected node
        searchChanged: The search options are others.
        candidatesChanged: The candidates of the selected node were found, or are being looked for (None).
        someFound: Some candidates were found while the search goes on.
        candidateChanged: Another candidate is looked at. arg: it, or None
        previewChanged: A candidate is to be shown as ghost branches. arg: it, or None
        curveChanged: The curve of the candidate that is looked at was found, or is being computed (None).
        draftChanged: The split that is being made by hand is another. arg: it, weighed; or None
        sweptChanged: The threshold is swept from left to right. arg: the split where it is, weighed; or None
        guessingChanged: Whether ranking and gains are hidden is another, or the guess is.
        pruningChanged: The sequence of prunings, its step on the canvas, or its error is another.
        pathChanged: The file or the name is another.
        modifiedChanged: arg: whether there is something to save
        focusChanged: Another class is in focus.
        told: Something was done, not undone or redone. arg: what it was and what it did to the errors, in words
    """

    tableChanged = Signal()
    treeChanged = Signal(object, object)
    selectionChanged = Signal(int)
    searchChanged = Signal()
    candidatesChanged = Signal()
    someFound = Signal()
    candidateChanged = Signal(object)
    previewChanged = Signal(object)
    curveChanged = Signal()
    draftChanged = Signal(object)
    sweptChanged = Signal(object)
    guessingChanged = Signal()
    pruningChanged = Signal()
    pathChanged = Signal()
    modifiedChanged = Signal(bool)
    focusChanged = Signal()
    told = Signal(str)

    def __init__(self, jobs: Jobs | None = None, parent: QObject | None = None, undo_limit: int = UNDO_LIMIT) -> None:
        super().__init__(parent)
        self.jobs = jobs if jobs is not None else Jobs(self)
        self._state: State | None = None
        self.beginning = object()  # another one whenever the document starts anew
        self._selected = 0
        self._searching = Searching()
        self._told_modified = False
        self._focus: dict[str, int] = {}
        self._preview: Candidate | None = None
        self._draft: Candidate | None = None
        self._path: Path | None = None
        self._name = ""
        self._validation_uses = 0
        self._test_looks = 0
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
        self.finding = Finding(self)
        self.several = Several(self)
        self.following = Following(self)
        self.box_plots = BoxPlots(self)
        self._ranking.changed.connect(self.candidatesChanged)
        self._ranking.someFound.connect(self.someFound)
        self._ranking.candidateChanged.connect(self.candidateChanged)
        self._ranking.curveChanged.connect(self.curveChanged)
        self.guess.changed.connect(self.guessingChanged)
        self.history.stack.cleanChanged.connect(self._tell_modified)
        self.searchChanged.connect(self._tell_modified)

    # -- what there is

    @property
    def state(self) -> State | None:
        """The table and the tree on the screen, as one thing."""
        return self._state

    @property
    def table(self) -> Table | None:
        return self._state.table if self._state else None

    @property
    def tree(self) -> Tree | None:
        return self._state.tree if self._state else None

    @property
    def assignment(self) -> Assignment | None:
        """Which rows stand in which node of the tree; None while a worker finds it out."""
        return self._state.assignment if self._state else None

    @property
    def selected(self) -> int:
        """The id of the selected node; the root when there is nothing else."""
        return self._selected

    @property
    def split_here(self) -> Split | None:
        """The split of the selected node; None of a leaf."""
        tree = self.tree
        return tree.split_at(tree.position(self._selected)) if tree is not None and self._selected in tree else None

    @property
    def search(self) -> dict[str, Any]:
        """The search options that differ from the defaults, as `engine.candidates` and `engine.grow` take them."""
        return dict(self._searching.options)

    @property
    def criterion(self) -> str:
        """The criterion in use; empty without a table."""
        return str(self._searching.options.get("criterion") or searching.default_criterion(self.table))

    @property
    def criterion_here(self) -> str:
        """The criterion by which the selected node is searched: the one written there or above, else the one in use."""
        return (self._state.tree.criterion_at(self._selected) if self._state else "") or self.criterion

    @property
    def preset(self) -> str:
        """The preset that the options came from; empty while they are others: changed one by one, or by the target."""
        return self._searching.preset(self._state.table.task) if self._state is not None else ""

    @property
    def candidates(self) -> list[Candidate] | None:
        """The best split of every column at the selected node, best first; None while they are looked for."""
        return self._ranking.candidates

    @property
    def found_so_far(self) -> list[Candidate]:
        """The candidates that a search which still goes on has found, in the order in which it found them."""
        return self._ranking.found_so_far

    @property
    def further(self) -> Further:
        """What is found out about the candidates once their list stands."""
        return self._ranking.further

    @property
    def candidates_error(self) -> str:
        """Why there are none, in words; empty where there are, or while they are looked for."""
        error = phrases.plain(self._ranking.error)
        return hand_phrases.in_places(error, self._state.tree) if self._state is not None else error

    @property
    def candidate(self) -> Candidate | None:
        """The candidate that the split editor shows."""
        return self._ranking.candidate

    @property
    def candidate_is_current(self) -> bool:
        """Whether what is looked at belongs to the selected node as it is now, not to the tree before an edit."""
        return self._ranking.split == self.split_here

    @property
    def curve(self) -> Curve | None:
        """The gains of all cuts of the candidate that is looked at; None while they are computed."""
        return self._ranking.curve

    @property
    def curve_error(self) -> str:
        return self._ranking.curve_error

    @property
    def preview(self) -> Candidate | None:
        return self._preview

    @property
    def draft(self) -> Candidate | None:
        """The split that is being made by hand of the candidate that is looked at; None while it is as it was found."""
        return self._draft

    @property
    def guessing(self) -> bool:
        """Whether ranking, gains and optimum are hidden until a person has guessed."""
        return self.guess.on

    @property
    def path(self) -> Path | None:
        """The project file; None before the first save."""
        return self._path

    @property
    def name(self) -> str:
        """What the document is called in the title."""
        return self._path.stem if self._path else self._name

    @property
    def modified(self) -> bool:
        """Whether there is something to save: an edit, or search options that the project file does not have."""
        searched = self._path is not None and self._searching.unsaved
        return searched or not self.history.stack.isClean()

    @property
    def focus_class(self) -> int:
        """The class whose rate colours the tree; 0 for a numeric target."""
        if self._state is None:
            return 0
        tree = self._state.tree
        chosen = self._focus.get(tree.target, -1)
        return chosen if 0 <= chosen < len(tree.classes) else usual_focus(tree)

    @property
    def undo_stack(self) -> QUndoStack:
        return self.history.stack

    @property
    def can_undo(self) -> bool:
        return self.history.can_undo

    @property
    def steps(self) -> list[HistoryStep]:
        """The beginning and every step, undone ones included."""
        return self.history.steps

    @property
    def step_index(self) -> int:
        """Which of `steps` is on the screen."""
        return self.history.stack.index()

    @property
    def trees_behind(self) -> list[tuple[str, State]]:
        """The other trees of the history over the present table, in words, the latest first."""
        if self._state is None:
            return []
        both = enumerate(zip(self.steps, self.history.states, strict=False))
        found = [
            (f"{i}: {step.text} · {phrases.leaves(step.leaves)}", state)
            for i, (step, state) in both
            if state is not None and state.table is self._state.table and state is not self._state
        ]
        return found[::-1]

    @property
    def validation_uses(self) -> int:
        """How many decisions were made with validation figures in sight."""
        return self._validation_uses

    @property
    def editing(self) -> bool:
        """Whether an edit is being computed."""
        return self.edits.running

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
        self.jobs.drop("test")
        self.edits.cancel()
        self.cutback.clear()
        self._ranking.clear()
        self.look.begin()
        self._path, self._name = path, name or (state.table.name if state else "")
        self._searching.start(settings)
        self._focus = dict(settings.get("focus", {}))
        self._validation_uses = int(settings.get("validation_uses", 0))
        self._test_looks = int(settings.get("test_looks", 0))
        self._selected = 0
        self.history.restart(state, f"Open “{self._name}”")
        self._show(state)
        self._searching.keep()  # without what did not fit
        self._focus = dict(settings.get("focus", {}))  # another table may have had a target of this name
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
        """Starts anew with what a function of `gui.tasks.file_tasks` reads; `text` says meanwhile what is going on."""
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
            "focus": dict(self._focus),
            "validation_uses": self._validation_uses,
            "test_looks": self._test_looks,
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
        if self._state is not None and index != self.focus_class and 0 <= index < len(self._state.tree.classes):
            self._focus[self._state.tree.target] = int(index)
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

    @property
    def test_seen(self) -> bool:
        """Whether somebody was told the error on the test rows."""
        return self._test_looks > 0

    def look_at_test_rows(self) -> None:
        """Tells the error on the rows that were kept for the last test, and how often it was told."""
        state = self._state
        if state is None or state.table.n_test == 0:
            return

        def done(fit: Fit) -> None:
            self._test_looks += 1
            messages.tell(phrases.tested(fit, state.tree, self._test_looks))

        self.jobs.run("Looking at the test rows", tree_tasks.tested, state, done=done, key="test")

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
        from engine.marks import check_unlocked  # here, so that an empty window needs no compiler

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

    def _show(self, state: State | None) -> None:
        """Puts a state onto the screen. Undo and redo call it: it must not fail."""
        if not self.edits.pushing:
            self.edits.interrupt()
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
        self._keep_focus(before, focus, state.tree)
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

    def _keep_focus(self, before: Tree | None, focus: int, now: Tree) -> None:
        """Where the classes stand in another order, or another one leads, the one in focus stays in focus."""
        if before is None or before.target != now.target:
            return
        if (before.classes, usual_focus(before)) == (now.classes, usual_focus(now)):
            return
        if focus < len(before.classes) and before.classes[focus] in now.classes:
            self._focus[now.target] = now.classes.index(before.classes[focus])

    def go_into(self, before: Tree, after: Tree) -> None:
        """After a split of the selected leaf: goes on with the leaf that costs most, a new one if any is impure. Who
        has selected another node meanwhile stays there."""
        node = next_leaf(before, after)
        if node is not None and is_leaf(before, self._selected) and not is_leaf(after, self._selected):
            self.select(node)
