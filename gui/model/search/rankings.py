"""The rankings of one node by every criterion, one after the other in the worker: which splits are best is a question
of what is asked."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from engine.criteria import criteria_for
from engine.runtime.progress import Progress
from gui.model.history import State
from gui.model.search import searching
from gui.model.search.ranking import Kept, path_of
from gui.model.tasks import split_tasks

if TYPE_CHECKING:
    from engine.ranking.candidates import Candidate
    from gui.model.document import Document

ENTRIES_KEPT = 200


class Rankings(QObject):
    """Asks the worker, while somebody looks, and keeps the answers.

    Attributes:
        found: by criterion, the candidates of the selected leaf, best first; the search's own criterion comes first.

    Signals:
        changed: a ranking more, or those of another node.
    """

    changed = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self._kept = Kept(ENTRIES_KEPT)
        self._wanted = False
        self._key: tuple[Hashable, ...] | None = None
        self._failed: set[str] = set()
        self.found: dict[str, list[Candidate]] = {}
        for changed in (
            document.candidatesChanged, document.selectionChanged, document.treeChanged, document.tableChanged,
            document.searchChanged,
        ):  # fmt: skip
            changed.connect(self._follow)

    @property
    def criteria(self) -> list[str]:
        """All criteria for the target, the search's own first."""
        table = self._document.table
        if table is None:
            return []
        return sorted((one.name for one in criteria_for(table.task)), key=lambda name: name != self.own)

    @property
    def own(self) -> str:
        """The criterion by which the selected leaf is searched."""
        tree, node = self._document.tree, self._document.selected
        said = tree.criterion_at(node) if tree is not None and node in tree else ""
        return said or self._document.criterion

    def want(self, wanted: bool) -> None:
        """Somebody looks at the rankings, or no longer."""
        if wanted != self._wanted:
            self._wanted = wanted
            if not wanted:
                self._document.jobs.drop("rankings")
                self._key = None
            self._follow()

    def _follow(self) -> None:
        document = self._document
        if not self._wanted:
            return
        state = document.state
        if state is None or document.selected not in state.tree:
            self._show(None, {})
            return
        options = self._options()
        said = tuple(sorted((name, value) for name, value in options.items() if name not in searching.leaf_options()))
        key = (state.table, path_of(state, document.selected), said)
        known = {name: self._kept.find((*key, name)) for name in self.criteria}
        found = {name: answer for name, answer in known.items() if answer is not None}
        if document.candidates and not state.tree.n_branches[state.tree.position(document.selected)]:
            found[self.own] = document.candidates
        self._show(key, found)

    def _options(self) -> dict[str, Any]:
        """The search, but for the criterion and the second level, which would take as long as all else together."""
        left_out = ("criterion", "lookahead")
        options = {name: value for name, value in self._document.search.items() if name not in left_out}
        state, node = self._document.state, self._document.selected
        assert state is not None
        excluded = state.tree.excluded_at(node)
        if excluded:
            options["locked"] = tuple(sorted({*options.get("locked", ()), *excluded}))
        return options

    def _show(self, key: tuple[Hashable, ...] | None, found: dict[str, list[Candidate]]) -> None:
        """Tells what is known, and asks for the next that is not."""
        if key != self._key:
            self._document.jobs.drop("rankings")
            self._failed = set()
            self._key, self.found = key, {}
        found = {name: found[name] for name in self.criteria if name in found}
        if key is not None and list(found.items()) == list(self.found.items()) and found:
            return  # several signals tell of the same change
        self.found = found
        self.changed.emit()
        if key is not None and self._document.candidates:
            self._ask_next(key)

    def _ask_next(self, key: tuple[Hashable, ...]) -> None:
        state = self._document.state
        missing = [name for name in self.criteria if name not in self.found and name not in self._failed]
        if not missing or state is None:
            return
        name = missing[0]
        job = self._document.jobs.run(
            "Ranking by other criteria", ranked, state, self._document.selected, {**self._options(), "criterion": name},
            done=lambda found: self._on_found(key, name, found, job.stopped),
            failed=lambda _: self._on_found(key, name, [], True), key="rankings", quiet=True,
        )  # fmt: skip

    def _on_found(self, key: tuple[Hashable, ...], name: str, found: list[Candidate], failed: bool) -> None:
        if key != self._key:
            return
        if failed:
            self._failed.add(name)
            self._ask_next(key)
            return
        self._kept.keep((*key, name), found, 2000 * len(found))
        self._follow()


def ranked(state: State, node: int, options: dict[str, Any], progress: Progress) -> list[Candidate]:
    """The candidates of a node by a criterion, whatever the tree says to use there; called in the worker."""
    if state.tree.marks:
        plain = State(state.table, replace(state.tree, marks={}))
        plain.assignment = state.assigned()
        return split_tasks.candidates(plain, node, options, progress)
    return split_tasks.candidates(state, node, options, progress)
