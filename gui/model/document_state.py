"""How things stand: what of the document can be read, and what it tells when that changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from gui.model.search import searching
from gui.model.search.searching import Searching
from gui.model.view_state.focus import Focus
from gui.wording import hand_phrases, phrases

if TYPE_CHECKING:
    from engine.ranking.candidates import Candidate, Curve
    from engine.splits import Split
    from engine.table.table import Table
    from engine.tree.assignment import Assignment
    from engine.tree.tree import Tree
    from gui.model.editing.edits import Edits
    from gui.model.history import History, HistoryStep, State
    from gui.model.search.further import Further
    from gui.model.search.guessing import Guess
    from gui.model.search.ranking import Ranking


class Standing(QObject):
    """What the document is read by. Only `gui.model.document.Document`, which is one, changes it.

    Signals:
        began: Another document is about to be shown, or none.
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

    began = Signal()
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

    # What the document owns, and reads here.
    history: History
    edits: Edits
    guess: Guess
    _ranking: Ranking

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state: State | None = None
        self._selected = 0
        self._searching = Searching()
        self._focus = Focus()
        self._preview: Candidate | None = None
        self._draft: Candidate | None = None
        self._path: Path | None = None
        self._name = ""
        self._validation_uses = 0

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
        return self._focus.of(self._state.tree)

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
