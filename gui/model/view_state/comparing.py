"""The tree on the canvas beside another one: a step of the history, a pruning, or a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui.model.editing.cutback import Cutback
from gui.model.editing.pruning_choices import Point
from gui.model.history import State
from gui.model.host import Host
from gui.model.jobs import tell, words_for

FAULT = marked("The comparison went wrong; the log has the details.")
FILE = "comparison_file"  # the key of reading or making one, which an edit that arrives meanwhile does not end


class Comparing(QObject):
    """What the tree on the canvas is compared with, and what came of it."""

    changed = Signal()  # any of what is below

    def __init__(self, document: Host, cutback: Cutback) -> None:
        super().__init__(document)
        self._document, self._cutback = document, cutback
        self._reset()
        document.treeChanged.connect(self._follow)
        document.tableChanged.connect(self.clear)
        document.pruningChanged.connect(self._learn)
        document.focusChanged.connect(lambda: self._compare() if self.other is not None else None)

    def _reset(self) -> None:
        self.other: State | None = None  # the state of the other tree; None while nothing is compared
        self.name = ""  # what the other one is, in words
        self.results: dict[str, engine.Comparison] = {}  # by every part that has rows; empty while they are computed
        self.error = ""  # why there is none; empty when nothing went wrong
        self.coloured = False  # whether the canvas shows where the trees differ
        # What `results` are of: two trees, the choices of both, and the class whose ROC curves are compared.
        self._compared: tuple[Any, ...] | None = None

    def clear(self) -> None:
        """Compares with nothing any more."""
        self._document.jobs.drop(FILE)
        if self.other is not None or self.error:
            self._reset()
            self._document.jobs.drop("comparison")
            self.changed.emit()

    def with_state(self, other: State, name: str) -> None:
        """Compares with the tree of a state over the same table."""
        self._document.jobs.drop(FILE)
        self.other, self.name = other, name
        self._compare()

    def with_point(self, point: Point, name: str) -> None:
        """Compares with a tree of the pruning chart."""
        self._document.jobs.drop(FILE)
        self._cutback.make(point, self._taker(name), tell, FILE)

    def with_file(self, path: Path) -> None:
        """Compares with a tree from a file, counted on the present table."""
        if (state := self._document.state) is not None:
            done = self._taker(path.name)
            self._document.jobs.run(tr("Reading the tree"), read, state, path, done=done, failed=tell, key=FILE)

    def _taker(self, name: str) -> Callable[[State], None]:
        """Compares with what it gets, unless the table is another one by then."""
        table = self._document.table
        return lambda other: self.with_state(other, name) if self._document.table is table else None

    def colour(self, coloured: bool) -> None:
        """Colours the canvas by where the trees differ, or as ever."""
        if coloured != self.coloured:
            self.coloured = coloured
            self.changed.emit()

    @property
    def part(self) -> str:
        """The part of the rows that tells most: validation rows where there are any."""
        return "validation" if "validation" in self.results else "train"

    @property
    def shares(self) -> NDArray[np.float64] | None:
        """float64[n_nodes]: the share of rows that the trees answer differently; None unless it is to be coloured."""
        tree = self._document.tree
        known = self.coloured and self.results and self._compared is not None and self._compared[0] is tree
        return self.results[self.part].share_first if known else None

    def _follow(self, before: engine.Tree | None, after: engine.Tree | None) -> None:
        if self.other is not None:
            (self._compare if self._document.table is self.other.table else self.clear)()

    def _learn(self) -> None:
        """Compares again once it is known how rows that did not choose see one of the trees."""
        if self.results and self.other is not None and self._document.state is not None:
            known = tuple(self._cutback.choice_of(one) for one in (self._document.state, self.other))
            if self._compared is not None and self._compared[0] is self._document.tree and known != self._compared[2:4]:
                self._compare()

    def _compare(self) -> None:
        state, other = self._document.state, self.other
        assert state is not None and other is not None
        choices = self._cutback.choice_of(state), self._cutback.choice_of(other)
        label = state.tree.classes[self._document.focus_class] if state.tree.classes else ""
        asked = (state.tree, other.tree, *choices, label)
        if self._compared == asked:
            self.changed.emit()
            return
        # Whoever comes back to the trees before, while these are compared, must not get the answer about these.
        self._compared, self.results, self.error = None, {}, ""
        self.changed.emit()

        def done(results: dict[str, engine.Comparison]) -> None:
            self._compared, self.results = asked, results
            self.changed.emit()

        def failed(error: Exception) -> None:
            self.error = words_for(error) or tr(FAULT)
            self.changed.emit()

        key = "comparison"
        run, about = self._document.jobs.run, (state, other, choices, label)
        run(tr("Comparing"), compared, *about, done=done, failed=failed, key=key)


# -- in the worker, without Qt


def compared(
    state: State, other: State, choices: tuple[engine.Choice | None, engine.Choice | None], label: str,
    progress: Progress,
) -> dict[str, engine.Comparison]:  # fmt: skip
    """The comparison of two trees over the same table, on every part of it that trains or validates."""
    parts = ["train"] + (["validation"] if state.table.n_validation else [])
    both = state.assigned(), other.assigned()
    return {part: engine.compare(state.table, state.tree, other.tree, part, both, choices, label) for part in parts}


def read(state: State, path: Path, progress: Progress) -> State:
    """A tree from a file over the table of a state. InputError: it cannot be read, or does not fit the table."""
    return state.following(engine.read_tree(path).with_counts(state.table))
