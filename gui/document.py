"""The one owner of state: table, tree, selection, search options, history.

Panels listen to the document and call it; they never know each other. Edits are computed in the worker, by functions
of `gui.tasks`, and arrive as one undo step each. An edit that was computed for a tree that is no longer on the screen
is dropped.

How validation rows wear out: `validation_uses` counts the decisions that a person or a method made with validation
figures in sight: a candidate accepted by hand, a pruning put on the canvas, a node made a leaf, leaves merged, what a
leaf says. Growing by the engine looks at training rows only and does not count. Undo does not bring a use back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from engine.errors import InputError
from gui import hand_phrases, messages, phrases, searching, tasks
from gui.cutback import Cutback, usual_method
from gui.edits import Edits, is_leaf, next_leaf, survivor
from gui.further import Further
from gui.guessing import Guess
from gui.hand_edits import HandEdits
from gui.history import History, HistoryStep, State
from gui.jobs import Job, Jobs
from gui.ranking import Ranking
from gui.rankings import Rankings
from gui.searching import Searching
from gui.storage import Storage

if TYPE_CHECKING:
    from engine.assessment import Fit
    from engine.assignment import Assignment
    from engine.candidates import Candidate, Curve
    from engine.leaves import LeafRule
    from engine.pruning import Pruning
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
        self._storage = Storage(self)
        self._ranking = Ranking(self.jobs, self)
        self._cutback = Cutback(self)
        self.guess = Guess(self, self._ranking)
        self.rankings = Rankings(self)
        #: Asked when a pruning would take hand-made splits away. Gets their number; answers True to keep them,
        #: False to prune them too, None to leave the tree as it is. The window puts its dialog here.
        self.ask_keep_by_hand: Callable[[int], bool | None] = lambda n_splits: True
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
        return self._ranking.error

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
    def pruning(self) -> Pruning | None:
        return self._cutback.sequence

    @property
    def usual_pruning(self) -> str:
        """The method that the Prune button takes; empty without a table."""
        return usual_method(self._state) if self._state else ""

    @property
    def pruning_method(self) -> str:
        return self._cutback.method

    @property
    def pruning_error(self) -> str:
        return self._cutback.error

    @property
    def pruning_step(self) -> int | None:
        """Which step of the pruning is on the canvas; None when the tree is none of them."""
        return self._cutback.step

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
        classes = self._state.tree.classes if self._state else ()
        usual = 1 if len(classes) == 2 else 0
        chosen = self._focus.get(self._state.tree.target, usual) if self._state else 0
        return chosen if chosen < len(classes) else 0

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
        self.start(tasks.first_state(table, tree), name=name)

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
        self._cutback.clear()
        self._ranking.clear()
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
            self.open_tree(path)
        else:
            self.read(f"Opening {path.name}", tasks.opened, path, options)

    def read(self, text: str, function: Callable[..., tasks.Opened], *args: Any) -> Job:
        """Starts anew with what a function of `gui.tasks` reads; `text` says meanwhile what is going on."""
        return self._storage.read(text, function, *args)

    def load(self, path: str | Path, **how: Any) -> Job:
        """Opens a project; for `data`, `copy_of` and `failed` see `gui.storage`."""
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
        """Selects a node; its candidates are looked for in the background."""
        if self._state is None or node == self._selected or node not in self._state.tree:
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
            self._take_search(searching.own_options(chosen, self._state.table.task), "")

    def reset_search(self) -> None:
        """Brings all defaults of the search back."""
        self._take_search(searching.chosen_columns(self.search), "")

    def set_preset(self, name: str) -> None:
        """Takes all search options from a preset."""
        if self._state is not None:
            chosen = searching.preset_options(name, self._state.table.task) | searching.chosen_columns(self.search)
            self._take_search(chosen, name)

    def _take_search(self, chosen: dict[str, Any], preset: str) -> None:
        if self._state is None:
            return
        before, after = (searching.rule_of(options, self._state.table.task) for options in (self.search, chosen))
        if self._searching.take(chosen, preset):
            self.searchChanged.emit()
            self._ranking.ask(self._state, self._selected, self.search)
            if after != before:  # or else a rule that is still on its way would be taken back
                self._say_by(after)

    def _say_by(self, rule: LeafRule) -> None:
        """Makes the leaves of the tree say what a rule says: a step of its own, if that is new."""

        def begin(state: State) -> None:
            task = state.table.task
            before = searching.rule_of(searching.with_rule({}, state.tree.leaf_rule, task), task)
            if rule != before:
                self.edits.run(phrases.leaves_say(before, rule), tasks.said_by, rule)

        self.edits.enqueue(begin)

    def follow_leaves(self) -> None:
        """Sets the options of the leaves to what the tree says, after a change of them was stopped or failed."""
        if self._state is not None and self._searching.follow_leaves(self._state):
            self.searchChanged.emit()

    def look_at_test_rows(self) -> None:
        """Tells the error on the rows that were kept for the last test, and how often it was told."""
        state = self._state
        if state is None or state.table.n_test == 0:
            return

        def done(fit: Fit) -> None:
            self._test_looks += 1
            messages.tell(phrases.tested(fit, state.tree, self._test_looks))

        self.jobs.run("Looking at the test rows", tasks.tested, state, done=done, key="test")

    # -- edits of the tree

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
            return str(error)
        return ""

    def make_split(self, split: Split) -> None:
        """Splits the selected node exactly so, as one undo step; an inner node's split is replaced by it."""
        if self._state is not None and is_leaf(self._state.tree, self._selected):
            self.split_by(self._selected, split)
        else:
            self.hand.replace_split(self._selected, split)

    def replace_split(self, split: Candidate | Split, below: str | None = None) -> None:
        """Puts a candidate or a split in the place of the selected inner node's; see `HandEdits.replace_split`."""
        from engine.splits import Split

        made = split if isinstance(split, Split) else split.split
        if made is not None:
            self.hand.replace_split(self._selected, made, below)

    def split_read_as(self, kind: str, split: Split) -> None:
        """Reads the column of a split as another kind and splits the selected leaf by it, as one undo step."""
        node, lost = self._selected, []
        target = self._state.tree.target if self._state is not None else ""

        def unpack(answer: tuple[State, tuple[str, ...]]) -> State:
            state, lost[:] = answer
            return state

        def then(before: Tree, after: Tree) -> None:
            self.go_into(before, after)
            if lost:
                messages.of_step(phrases.taken_back(lost))

        def begin(state: State) -> None:
            if is_leaf(state.tree, node) and self.hand.still_about(state, target):
                text = f"{phrases.by_hand(split, state.table)}, read as {kind}"
                self.edits.run(
                    text, tasks.split_read_as, node, kind, split, unpack=unpack, then=then, by_validation=True
                )

        self.edits.enqueue(begin)

    def split_by(self, node: int, split: Split) -> None:
        """Splits a leaf by hand."""
        target = self._state.tree.target if self._state is not None else ""

        def begin(state: State) -> None:
            if is_leaf(state.tree, node) and self.hand.still_about(state, target):
                text = phrases.by_hand(split, state.table)
                self.edits.run(text, tasks.split, node, split, by_validation=True, then=self.go_into)

        self.edits.enqueue(begin)

    def split_best_anywhere(self) -> None:
        """Splits the leaf whose best split gains most over the whole tree."""
        text, then = "Splitting the best leaf", self.go_into
        self._grow(text, phrases.split_anywhere, then=then, function=tasks.split_once)

    def split_best_here(self) -> None:
        """Splits the selected leaf by the best of all splits."""
        node = self._selected
        if self._state is not None and is_leaf(self._state.tree, node):
            if self._keeps_pinned(node):
                return
            if self.why_no_split():
                messages.error(self.why_no_split())
                return
            self._grow("Splitting", phrases.split_here, then=self.go_into, node=node, levels=1)

    def grow_level(self) -> None:
        """Splits every leaf once."""
        self._grow("Growing a level", phrases.level, levels=1)

    def grow_branch(self, node: int) -> None:
        """Grows everything below a node."""
        locked = self._state.tree.locked_by(node) if self._state is not None and node in self._state.tree else None
        if locked is not None:
            messages.error(phrases.nothing_grows_below(locked))
        elif not self._keeps_pinned(node):
            self._grow("Growing a branch", phrases.branch(node), node=node)

    def _keeps_pinned(self, node: int) -> bool:
        """Whether a node is a pinned leaf, which nothing grows from; then that is said, with the remedy."""
        tree = self.tree
        pinned = tree is not None and is_leaf(tree, node) and tree.mark(node).pinned
        if pinned:
            messages.info(phrases.PINNED_LEAF)
        return pinned

    def grow_with(self, search: dict[str, Any], node: int = 0, *, anew: bool = False, keep: bool = False) -> None:
        """Grows everything below a node by other search options than those that are set.

        Args:
            anew: what has grown there goes first.
            keep: sets the options, too.
        """
        refusal = searching.refusal_of(
            search, self.table
        )  # the target may be another one than it was when it was asked
        if refusal:
            messages.error(phrases.plain(refusal))
            return
        if keep:
            self._take_search(search, "")
        if not anew and self._keeps_pinned(node):
            return
        function = tasks.grown_anew if anew else tasks.grown
        self._grow("Growing", phrases.branch(node), function=function, search=search, node=node)

    def grow_all(self) -> None:
        """Grows the whole tree as far as the search options allow."""
        self._grow("Growing", phrases.grown)

    def _grow(
        self, text: str, naming: Any, then: Any = None, function: Any = None, search: Any = None, **how: Any
    ) -> None:
        def begin(state: State) -> None:
            if how.get("node", 0) not in state.tree:
                return
            options = self.search if search is None else search
            self.edits.run(text, function or tasks.grown, options, naming=naming, then=then, **how)

        self.edits.enqueue(begin)

    def collapse(self, node: int) -> None:
        """Makes a leaf of an inner node."""

        def begin(state: State) -> None:
            if node in state.tree and not is_leaf(state.tree, node):
                self.edits.run(phrases.collapse(state.tree, node), tasks.collapsed, node, by_validation=True)

        self.edits.enqueue(begin)

    def take_tree(self, tree: Tree, text: str) -> None:
        """Puts another tree over the present table onto the canvas, chosen with its validation error in sight."""

        def begin(state: State) -> None:
            if tree.counted_on == state.table.counts_key:
                self.edits.run(text, tasks.taken, tree, by_validation=True)
            else:
                messages.warning("The table has changed meanwhile: that tree was counted on other rows or columns.")

        self.edits.enqueue(begin)

    # -- pruning

    def prune(self, method: str | None = None) -> None:
        """Computes the prunings and puts the one that the method recommends onto the canvas."""
        self._cutback.open(method, show=True)

    def open_pruning(self, method: str | None = None) -> None:
        """Computes the prunings of the tree by a method; the tree stays as it is."""
        self._cutback.open(method)

    def show_pruning_step(self, index: int) -> None:
        """Puts a step of the pruning onto the canvas; clicks in a row are one undo step."""
        self._cutback.show(index)

    # -- edits of the table: the tree is counted again, splits that no longer fit become leaves

    def set_role(self, column: str, role: str) -> None:
        """Makes a column a feature, ignores it, or takes it as weights, partition or groups."""
        if self._state is not None and self._state.table.roles.get(column) != role:
            text = f"Set role of “{column}” to {role}"
            self._change(text, tasks.recounted, lambda table: table.with_roles({column: role}))

    def set_kind(self, column: str, kind: str) -> None:
        """Reads a column as another kind. Another kind of target is another task: the tree begins anew."""
        if self._state is not None and self._state.table.column(column).kind != kind:
            target = self._state.table.target == column
            text = f"Set type of “{column}” to {kind}"
            function = tasks.retargeted if target else tasks.recounted
            self._change(text, function, lambda table: table.with_kind(column, kind))

    def set_order(self, column: str, levels: Sequence[str]) -> None:
        """Puts the levels of a column into an order, and makes it an ordered one if it is not yet."""
        if self._state is not None and column in self._state.table.names:
            before = self._state.table.column(column)
            if (before.kind, before.levels) != ("ordered", tuple(levels)):
                text = f"Set order of “{column}”"
                self._change(
                    text,
                    tasks.recounted,
                    lambda table: table.with_kind(column, "ordered").with_order(column, levels),
                )

    def set_partition(self, **how: Any) -> None:
        """Divides the rows anew: `validation`, `test` and `seed`, or `column`."""
        grown = self._state is not None and self._state.tree.n_leaves > 1
        remark = phrases.CHOSEN_ON_OTHER_ROWS if grown else ""
        self._change(phrases.partition(how), tasks.recounted, lambda table: table.with_partition(**how), remark=remark)

    def set_target(self, column: str) -> None:
        """Predicts another column; the tree begins anew."""
        if self._state is not None and self._state.table.target != column:
            self._change(f"Set target to “{column}”", tasks.retargeted, lambda table: table.with_target(column))

    def open_tree(self, path: str | Path) -> None:
        """Puts a tree from a JSON file onto the present table, as an undo step."""
        path = Path(path)
        if self._state is None:
            messages.error(f"“{path.name}” is a tree: open the table first that it is to be counted on.")
        else:
            self._change(f"Open tree “{path.name}”", tasks.read_tree, path)

    def _change(self, text: str, function: Any, *args: Any, remark: str = "") -> None:
        """An edit that answers a state and what did not fit any more; `remark` is said after the step."""
        lost: list[str] = []

        def unpack(answer: tuple[State, tuple[str, ...]]) -> State:
            state, lost[:] = answer
            return state

        def then(before: Tree, after: Tree) -> None:
            for sentence in (phrases.taken_back(lost), remark):
                if sentence:
                    messages.of_step(sentence)

        self.edits.enqueue(lambda state: self.edits.run(text, function, *args, unpack=unpack, then=then))

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
        self._cutback.follow(state)
        self._ranking.ask(state, self._selected, self.search)
        if state.assignment is None:
            self.jobs.run("Sorting the rows", tasks.assignment, state, key="assignment", quiet=True)

    def _keep_focus(self, before: Tree | None, focus: int, now: Tree) -> None:
        """Where the classes stand in another order, the one in focus stays in focus."""
        if before is None or before.target != now.target or before.classes == now.classes:
            return
        if focus < len(before.classes) and before.classes[focus] in now.classes:
            self._focus[now.target] = now.classes.index(before.classes[focus])

    def go_into(self, before: Tree, after: Tree) -> None:
        """After a split of the selected leaf: goes on with the leaf that costs most, a new one if any is impure. Who
        has selected another node meanwhile stays there."""
        node = next_leaf(before, after)
        if node is not None and is_leaf(before, self._selected) and not is_leaf(after, self._selected):
            self.select(node)
