"""What could be done at the selected node: its candidates, the one that is looked at, and that one's curve. At a node
that is split already, its own split is what is looked at first, whatever the candidates say.

Answers are kept by table, search options, what is written on the way and the path to the node, not by tree: splitting
another leaf, undo and redo find them again at once. `Rankings` asks by every criterion, one after the other."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

import engine
from engine.criteria import criteria_for
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui.model import tree_tasks
from gui.model.history import State
from gui.model.host import Host
from gui.model.jobs import Jobs, words_for
from gui.model.search import searching
from gui.model.search.further import Further, Kept, bytes_of

Key = tuple[Hashable, ...]  # what stands for a question among the answers that are kept
FAULT = marked("Something went wrong while searching; the log has the details.")


class Ranking(QObject):
    """Asks the worker for candidates and curves, and keeps the answers."""

    changed = Signal()  # `candidates` or `error` are others
    someFound = Signal()  # the first candidates of a search that goes on are in `found_so_far`, or more of them
    candidateChanged = Signal(object)  # `candidate` is another. arg: it, or None
    curveChanged = Signal()  # `curve` is another, or None while it is computed

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._kept = Kept()
        self._question: tuple[State, int, dict[str, Any]] | None = None
        self._key: Key | None = None
        self.split: engine.Split | None = None  # the one by which the node that was asked about is split already
        self.candidates: list[engine.Candidate] | None = []
        self.found_so_far: list[engine.Candidate] = []  # in the order in which they were found
        self.further = Further(jobs, self._kept, self)
        self.error = ""
        self.candidate: engine.Candidate | None = None
        self.curve: engine.Curve | None = None
        self.curve_error = ""
        self._hidden = False

    def clear(self) -> None:
        """Forgets everything, as for a new table."""
        self._kept.clear()
        self.leave()

    def leave(self) -> None:
        """Looks at nothing, as the node that was asked about goes with its table; the answers are kept."""
        if self._question is not None:
            self._jobs.drop("candidates")
            self._question = self._key = self.split = None
            self._look_at(None)
            self._set([], "")

    def ask(self, state: State, node: int, options: dict[str, Any]) -> None:
        """Wants the candidates of a node; those at hand come at once, others when they are found."""
        said = tuple(state.tree.excluded_at(node).items()), state.tree.criterion_at(node)  # there and above
        key = (state.table, path_of(state, node), said, _key_of(options))
        split = state.tree.split_at(state.tree.position(node))
        self._question = (state, node, options)
        known = key == self._key and not self.error
        if known and split == self.split:
            return
        self._key, self.split = key, split
        self._look_at(None)
        if split is not None or known:
            self._look_at_first()  # before the search, which takes longer
        if not known:
            self._search(key)

    def _search(self, key: Key) -> None:
        def done(found: list[engine.Candidate], error: str = "") -> None:
            if key == self._key and (job.stopped or error):
                self._set([], error or tr("Stopped. Select the leaf again to search its splits."))
            elif key == self._key:
                self._kept.keep(key, found, sum(map(bytes_of, found)))
                self._set(found, "")

        def part(some: list[engine.Candidate]) -> None:
            if key == self._key and self.candidates is None:
                self.found_so_far += some
                self.someFound.emit()

        self._jobs.drop("candidates")
        known = self._kept.find(key)
        self._set(known, "")
        if known is None and self._question is not None:
            job = self._jobs.run(
                tr("Searching for splits"), tree_tasks.candidates, *self._question, key="candidates", quiet=True,
                done=done, failed=lambda error: done([], words_for(error) or tr(FAULT)), part=part,
            )  # fmt: skip

    def choose(self, candidate: engine.Candidate | None) -> None:
        """Looks at a candidate: its curve is computed in the background. None: of an inner node its own split."""
        if candidate is self.candidate or (self._hidden and candidate is not None):
            return
        if candidate is None and self.split is not None:
            self._look_at_split()
        else:
            self.look_at(candidate)

    def hide(self, hidden: bool, keep: bool = False) -> None:
        """While they are hidden, no candidate is chosen; afterwards the best one, or what is looked at is kept."""
        if hidden != self._hidden:
            self._hidden = hidden
            if self.split is None and not keep:
                self._look_at(None)
                self._look_at_first()

    def look_at(self, candidate: engine.Candidate | None, curve: engine.Curve | None = None) -> None:
        """Looks at a candidate, with its curve if that is known."""
        asked = self._question if curve is None else None
        if candidate is None or asked is None or self._key is None or not has_curve(candidate.split):
            self._look_at(candidate, curve)
            return
        state, node, options = asked
        key = (*self._key, candidate.column)

        def done(curve: engine.Curve) -> None:
            self._kept.keep(key, curve, _curve_bytes(curve))
            self.curve = curve
            self.curveChanged.emit()
            self._unfold()

        self._look_at(candidate, self._kept.find(key))
        self._unfold()
        if self.curve is None:
            function = tree_tasks.curve_without_limit if candidate.split is None else tree_tasks.curve
            self._jobs.run(
                tr("Drawing “{column}”", column=candidate.column), function, state, node, candidate.column, options,
                done=done, failed=self._on_curve_failed, key="curve", quiet=True,
            )  # fmt: skip

    def _set(self, found: list[engine.Candidate] | None, error: str) -> None:
        # What a person chose while the search went on stays chosen.
        stays = self.split is not None or any(self.candidate is one for one in found or ())
        self.candidates, self.error, self.found_so_far = found, error, []
        self.further.clear()
        if not stays:
            self.choose(None)
        self.changed.emit()
        if not stays:
            self._look_at_first()
        if found and self._question is not None and self._key is not None:
            self.further.begin(self._key, self._question, found)
            self._unfold()

    def _look_at(self, candidate: engine.Candidate | None, curve: engine.Curve | None = None) -> None:
        """Tells what is looked at; what was still being computed for another is not wanted any more."""
        self._jobs.drop("curve")
        self.candidate, self.curve, self.curve_error = candidate, curve, ""
        self.candidateChanged.emit(candidate)
        self.curveChanged.emit()

    def _look_at_first(self) -> None:
        """Looks at the split that the node has, or at the best candidate of a leaf."""
        if self.split is not None:
            self._look_at_split()
        else:
            self.choose(next((one for one in self.candidates or () if one.split is not None), self.candidate))

    def _look_at_split(self) -> None:
        assert self._question is not None and self._key is not None and self.split is not None
        key = (*self._key, self.split)

        def done(made: tuple[engine.Candidate, engine.Curve | None]) -> None:
            self._kept.keep(key, made, bytes_of(made[0]) + _curve_bytes(made[1]))
            self._look_at(*made)

        if (known := self._kept.find(key)) is not None:
            self._look_at(*known)
        else:
            text, failed = tr("Drawing “{column}”", column=self.split.column), self._on_curve_failed
            self._jobs.run(text, split_made, *self._question, done=done, failed=failed, key="curve", quiet=True)

    def _unfold(self) -> None:
        """The curve that is looked at tells the further optima of its column."""
        one = self.candidate
        if one is not None and one.split is not None and self.curve is not None and self.candidates is not None:
            self.further.look_at(one.column, self.curve)

    def _on_curve_failed(self, error: Exception) -> None:
        self.curve_error = words_for(error) or tr(FAULT)
        self.curveChanged.emit()


def _key_of(options: dict[str, Any]) -> Key:
    """What stands for search options among the answers that are kept; what leaves say changes no gain."""
    return tuple(sorted((name, value) for name, value in options.items() if name not in searching.LEAF_OPTIONS))


def path_of(state: State, node: int) -> Key:
    """The splits and branches from the root to a node: equal paths hold equal rows, whatever the tree."""
    tree, path, i = state.tree, list[Hashable](), state.tree.position(node)
    while (up := int(tree.parent[i])) >= 0:
        path.append((tree.split_at(up), int(tree.branch[i])))
        i = up
    return tuple(path)


def has_curve(split: engine.Split | None) -> bool:
    """Whether a split looks at one column, whose cuts have a curve."""
    return split is None or split.kind in ("threshold", "groups")


# -- in the worker, without Qt


def split_made(
    state: State, node: int, options: dict[str, Any], progress: Progress
) -> tuple[engine.Candidate, engine.Curve | None]:
    """The split of an inner node as if it were a candidate, with the curve of its column, if it looks at one only."""
    tree, i = state.tree, state.tree.position(node)
    split = tree.split_at(i)
    assert split is not None
    alone = has_curve(split)
    curve = tree_tasks.curve(state, node, split.column, options, progress) if alone else None
    branches = tree.children(i)
    train, validation = (tuple(stats[k] for k in branches) for stats in (tree.train, tree.validation))
    counted = tuple(int(tree.rows_train[k]) for k in branches)
    by_value = curve.weigh(split) if curve is not None else None
    surprise = by_value.logworth if by_value is not None else math.nan
    weighed = by_value or tree_tasks.weighed(state, node, split, options, progress)
    gain = weighed.gain if split.divides else tree_tasks.gain_of(state, i, options)  # divided rows have no say
    made = engine.Candidate(
        split.column, split, gain, {}, surprise, weighed.validation_gain, train,
        validation, counted, weighed.missing if alone else 0,
    )  # fmt: skip
    return tree_tasks.without_rounding(made, tree_tasks.impurity_of(state, node, options), state.table.task), curve


def _curve_bytes(curve: engine.Curve | None) -> int:
    return sum(int(getattr(part, "nbytes", 0)) for part in vars(curve).values()) + 500 if curve is not None else 0


class Rankings(QObject):
    """Asks the worker, while somebody looks, and keeps the answers."""

    changed = Signal()  # a ranking more, or those of another node

    def __init__(self, document: Host, ranking: Ranking) -> None:
        super().__init__(document)
        self._document, self._ranking = document, ranking
        self._kept = Kept(entries=200)
        self._wanted = False
        self._key: Key | None = None
        self._failed: set[str] = set()
        self.found: dict[str, list[engine.Candidate]] = {}  # by criterion, the search's own first; the best first
        of_document = document.selectionChanged, document.treeChanged, document.tableChanged, document.searchChanged
        for changed in (ranking.changed, *of_document):
            changed.connect(self._follow)

    @property
    def criteria(self) -> list[str]:
        """All criteria for the target, the search's own first."""
        table = self._document.table
        if table is None:
            return []
        own = self._document.criterion_here
        return sorted((one.name for one in criteria_for(table.task)), key=lambda name: name != own)

    def want(self, wanted: bool) -> None:
        """Somebody looks at the rankings, or no longer."""
        if wanted != self._wanted:
            self._wanted = wanted
            if not wanted:
                self._document.jobs.drop("rankings")
                self._key = None
            self._follow()

    def _follow(self) -> None:
        document, state = self._document, self._document.state
        if not self._wanted:
            return
        if state is None or document.selected not in state.tree:
            self._show(None, {})
            return
        key = (state.table, path_of(state, document.selected), _key_of(self._options()))
        known = {name: self._kept.find((*key, name)) for name in self.criteria}
        found = {name: answer for name, answer in known.items() if answer is not None}
        if self._ranking.candidates and not state.tree.n_branches[state.tree.position(document.selected)]:
            found[document.criterion_here] = self._ranking.candidates
        self._show(key, found)

    def _options(self) -> dict[str, Any]:
        """The search, but for the criterion and the second level, which would take as long as all else together."""
        searched, tree = self._document.search, self._document.tree
        options = {name: value for name, value in searched.items() if name not in ("criterion", "lookahead")}
        if tree is not None and (excluded := tree.excluded_at(self._document.selected)):
            options["locked"] = tuple(sorted({*options.get("locked", ()), *excluded}))
        return options

    def _show(self, key: Key | None, found: dict[str, list[engine.Candidate]]) -> None:
        """Tells what is known, and asks for the next that is not."""
        if key != self._key:
            self._document.jobs.drop("rankings")
            self._failed, self._key, self.found = set(), key, {}
        found = {name: found[name] for name in self.criteria if name in found}
        if key is not None and list(found.items()) == list(self.found.items()) and found:
            return  # several signals tell of the same change
        self.found = found
        self.changed.emit()
        if key is not None and self._ranking.candidates:
            self._ask_next(key)

    def _ask_next(self, key: Key) -> None:
        state = self._document.state
        missing = [name for name in self.criteria if name not in self.found and name not in self._failed]
        if not missing or state is None:
            return
        name, options = missing[0], {**self._options(), "criterion": missing[0]}

        def done(found: list[engine.Candidate], failed: bool = False) -> None:
            if key == self._key and (failed or job.stopped):
                self._failed.add(name)
                self._ask_next(key)
            elif key == self._key:
                self._kept.keep((*key, name), found, 2000 * len(found))
                self._follow()

        job = self._document.jobs.run(
            tr("Ranking by other criteria"), ranked, state, self._document.selected, options,
            done=done, failed=lambda _: done([], True), key="rankings", quiet=True,
        )  # fmt: skip


def ranked(state: State, node: int, options: dict[str, Any], progress: Progress) -> list[engine.Candidate]:
    """The candidates of a node by a criterion, whatever the tree says to use there; called in the worker."""
    plain = State(state.table, replace(state.tree, marks={}) if state.tree.marks else state.tree)
    plain.assignment = state.assigned()
    return tree_tasks.candidates(plain, node, options, progress)
