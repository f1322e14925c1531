"""The document as its parts know it: what they read of it, listen to, and ask of it. They stand below it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

import engine
from engine.criteria import DEFAULT
from engine.runtime.errors import InputError
from gui.model.history import History, State
from gui.model.jobs import Jobs
from gui.model.search.searching import Searching
from gui.model.view_state.look import Look
from gui.wording import hand_phrases


class Host(QObject):
    """What is on the screen, and what is told when it changes."""

    began = Signal()  # another document is about to be shown, or none
    testOpened = Signal()  # the test rows were looked at
    tableChanged = Signal()  # another table, or the same with other roles, kinds, target or partition
    treeChanged = Signal(object, object)  # args: the tree before (or None) and the tree now (or None)
    selectionChanged = Signal(int)  # arg: the selected node
    searchChanged = Signal()  # the search options are others
    previewChanged = Signal(object)  # a candidate is to be shown as ghost branches. arg: it, or None
    draftChanged = Signal(object)  # the split that is being made by hand is another. arg: it, weighed; or None
    sweptChanged = Signal(object)  # a threshold is swept through. arg: the split where it is, weighed; None at the end
    pruningChanged = Signal()  # the sequence of prunings, its step on the canvas, or its error is another
    pathChanged = Signal()  # the file or the name is another
    modifiedChanged = Signal(bool)  # arg: whether there is something to save
    focusChanged = Signal()  # another class is in focus
    exportAsked = Signal(object)  # a table is to be written into a file. arg: what makes its data frame, in the worker
    told = Signal(str)  # something was done, not undone or redone. arg: it, and what it did to the errors, in words
    history: History

    def __init__(self, jobs: Jobs | None, parent: QObject | None) -> None:
        super().__init__(parent)
        self.jobs = jobs if jobs is not None else Jobs(self)  # what runs in the worker
        self.beginning = object()  # another object whenever the document starts anew
        self.state: State | None = None  # the table and the tree on the screen, as one thing; None without a table
        self.selected = 0  # the id of the selected node; the root when there is nothing else
        self.preview: engine.Candidate | None = None  # the candidate that is shown as ghost branches; None for none
        self.draft: engine.Candidate | None = None  # the one looked at with the split made by hand; None as found
        self.guessing = False  # whether ranking, gains and optimum are hidden until a person has guessed
        self.path: Path | None = None  # the project file; None before the first save
        self.test_looks = 0  # how often the error on the test rows was told; until then nothing tells of these rows
        self.test_seen = False  # whether they were rows as others are before they were kept, or after an undo
        self.introduction = ""  # what a person wrote at the beginning of a report
        self.look = Look(self)
        self._name = ""
        self._searching = Searching()

    @property
    def table(self) -> engine.Table | None:
        return self.state.table if self.state else None

    @property
    def tree(self) -> engine.Tree | None:
        return self.state.tree if self.state else None

    @property
    def test_opened(self) -> bool:
        """Whether a person has looked at the test rows: they hold nothing back any more."""
        return self.test_looks > 0

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
    def split_here(self) -> engine.Split | None:
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

    def why_no_split(self) -> str:
        """Why the selected node cannot be split, and what to do; empty where it can."""
        if self.state is None:
            return ""
        from engine.tree.marks import check_unlocked  # here, so that an empty window needs no compiler

        try:
            check_unlocked(self.state.tree, self.selected, below=True)
        except InputError as error:
            return hand_phrases.in_places(str(error), self.state.tree)
        return ""

    # -- what the document does, see there

    def start(
        self, state: State | None, *, name: str = "", path: Path | None = None,
        settings: dict[str, Any] | None = None, unsaved: bool = False,
    ) -> None: ...  # fmt: skip
    def settings(self) -> dict[str, Any]:
        raise NotImplementedError

    @property
    def focus_class(self) -> int:
        raise NotImplementedError

    @property
    def candidates(self) -> list[engine.Candidate] | None:
        raise NotImplementedError

    def set_path(self, path: Path, settings: dict[str, Any]) -> None: ...
    def select(self, node: int) -> None: ...
    def go_into(self, before: engine.Tree, after: engine.Tree) -> None: ...
    def set_search(self, **options: Any) -> None: ...
    def take_search(self, chosen: dict[str, Any], preset: str = "") -> None: ...
    def follow_leaves(self) -> None: ...
