"""What every method makes of one tree, found out one after the other by idle jobs, which give way to whatever a person
asks for. Quick ones come first, the optimal front and cross-validation last; what is known is shown at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import engine
from engine.pruning import METHODS, chosen_by_validation, why_not
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui.model.history import State
from gui.model.jobs import Job, Jobs, words_for
from gui.wording import words

FAULT = marked("Pruning went wrong; the log has the details.")
SEQUENCE = "cost_complexity"  # the method whose trees the curves of the chart are of
FRONT = "srm"  # the method that has the fewest errors for every number of leaves
JUDGING = "judging:"  # before the method in the key of the job that judges its choice
LINE, FOLDS = "line", "folds"  # found beside the methods: the sequence without a judge, and judged by the folds
RULES = "by_rule"  # the method that is told what to cut, or cuts nothing
MOST_OFFERED = 40  # trees of a curve that are offered by name; more would be a list that nobody reads
MOST_JUDGED = 200_000_000  # nodes · steps of trees that are not cut out of each other, which are judged one by one
NO_RULE = marked("No rule is chosen yet: choose one in Options.")
ON_CANVAS = marked("Nothing to prune: the pruned tree is the one on the canvas already.")
STOPPED = marked("It was stopped; choose it in the list to compute it.")
Figures = dict[str, NDArray[np.float64]]


class Point(NamedTuple):
    """One tree of the chart: a step of what a method made."""

    method: str
    step: int


def lacks_rule(method: str, options: dict[str, dict[str, Any]]) -> bool:
    """Whether a method waits to be told what to cut; what it "chooses" before is nobody's choice."""
    return method == RULES and not options.get(RULES)


class Choices:
    """What the methods made of one tree so far; `keeps` leaves hand-made splits alone; `options`: by method."""

    def __init__(
        self, jobs: Jobs, base: State, keeps: bool, options: dict[str, dict[str, Any]], changed: Callable[[], None]
    ) -> None:  # fmt: skip
        self._jobs, self._changed = jobs, changed
        self.base, self.keeps, self.options = base, keeps, options
        self.found: dict[str, engine.Pruning] = {}  # by method what it made; also `LINE` and `FOLDS`
        self.faults: dict[str, str] = {}  # by method why it made nothing
        self.unfinished: set[str] = set()  # what was stopped; whoever asks for it by name has it computed anew
        self.judged: dict[str, engine.Choice] = {}  # by method, what rows that did not choose say of the choice
        self.pending: dict[str, Job] = {}  # what is being found out, or will be
        self._line: tuple[engine.Pruning, ...] | None = None  # the sequence, the same by the folds, both as one

    def line(self) -> engine.Pruning | None:
        """The sequence of cost complexity, with what the folds say of it where that is known."""
        folded, own = self.found.get(FOLDS), self.found.get(SEQUENCE)
        bare = own or self.found.get(LINE) or folded
        if bare is None or folded is None or len(folded.steps) != len(bare.steps):
            return bare
        if self._line is None or self._line[0] is not bare or self._line[1] is not folded:
            pairs = zip(bare.steps, folded.steps, strict=True)
            steps = [a._replace(cv_error=b.cv_error, cv_se=b.cv_se) for a, b in pairs]
            self._line = bare, folded, replace(bare, steps=steps)
        return self._line[2]

    def learn(self, name: str, found: engine.Pruning, stopped: bool = False) -> None:
        """Keeps what a method made, or made before it was stopped."""
        self.found[name] = found
        self.faults.pop(name, None)
        (self.unfinished.add if stopped else self.unfinished.discard)(name)

    def forget(self, method: str) -> None:
        """The method is told something else: what it made before is gone."""
        for name in (method, LINE, FOLDS) if method == SEQUENCE else (method,):
            for known in (self.found, self.faults, self.judged):
                known.pop(name, None)
            self.unfinished.discard(name)
            self._drop(name)
            self._jobs.drop(f"{JUDGING}{name}")

    def look(self, but: str = "") -> None:
        """Begins to find out what is not known yet, except of one method, which is being computed."""
        table = self.base.table
        usable = [name for name in METHODS if not why_not(name, table) and not lacks_rule(name, self.options)]
        by_rows = table.n_validation > 0  # without validation rows cost complexity is the folds itself
        others = [name for name in usable if name not in (SEQUENCE, FRONT)]
        late = [name for name in (FRONT, FOLDS if by_rows else SEQUENCE) if name in usable or name == FOLDS]
        for name in (LINE, *([SEQUENCE] if by_rows else []), *others, *late):
            if name != but and not any(name in known for known in (self.found, self.faults, self.pending)):
                self._ask(name)

    def stop(self) -> None:
        """What is not known yet stays unknown until somebody asks for it; what just runs still tells what it has."""
        for name, job in list(self.pending.items()):
            if not job.stopped:
                self.faults[name] = tr(STOPPED)
                self._drop(name)

    def end(self) -> None:
        """Nobody wants to know any more."""
        for name in list(self.pending):
            self._drop(name)
        for name in self.found:
            self._jobs.drop(f"{JUDGING}{name}")

    def judge(self, point: Point) -> None:
        """Finds out quietly how rows that did not choose see a tree, if validation rows chose it."""
        name, told, table = point.method, self.options.get(point.method, {}), self.base.table
        found = self.found.get(name)
        if found is None or point.step != found.chosen or not chosen_by_validation(name, told) or name in self.judged:
            return
        if table.n_validation < 2 or table.counter is not None:  # single rows would tell
            return

        def done(choice: engine.Choice) -> None:
            if not job.stopped and self.found.get(name) is found:
                self.judged[name] = choice
                self._changed()

        text, asked = tr("Judging the choice"), (self.base, found, self.keeps, told)
        job = self._jobs.run(text, judged, *asked, done=done, key=f"{JUDGING}{name}", idle=True)

    def _ask(self, name: str) -> None:
        function: Callable[..., engine.Pruning] = pruning
        told = self.options.get(SEQUENCE if name in (LINE, FOLDS) else name, {})
        asked: tuple[Any, ...] = (self.base, name, self.keeps, told)
        if name == LINE:
            function, asked = bare_sequence, (self.base, self.keeps, told)
        elif name == FOLDS:
            asked = (self.base, SEQUENCE, self.keeps, {**told, "judge": "folds"})
        method = words.inside(METHODS[name].label) if name in METHODS else tr("cross-validation")
        text = tr("Pruning") if name == LINE else tr("Pruning, for comparison: {method}", method=method)

        def done(found: engine.Pruning) -> None:
            if not job.stopped or name in (FOLDS, SEQUENCE):  # the folds that were finished count
                self.learn(name, found, job.stopped)
            else:
                self.faults[name] = tr(STOPPED)
            del self.pending[name]
            if job.stopped:
                self.stop()
            self._changed()

        def failed(error: Exception) -> None:
            del self.pending[name]
            self.faults[name] = words_for(error) or tr(FAULT)
            self._changed()

        how: dict[str, Any] = {"done": done, "failed": failed, "key": f"pruning:{name}", "idle": True}
        job = self.pending[name] = self._jobs.run(text, function, *asked, **how)

    def _drop(self, name: str) -> None:
        if self.pending.pop(name, None) is not None:
            self._jobs.drop(f"pruning:{name}")


def usual_method(state: State) -> str:
    """Reduced error where validation rows can judge, else cost complexity."""
    return "reduced_error" if state.table.n_validation > 0 else "cost_complexity"


# -- in the worker, without Qt


def pruning(state: State, method: str, keep_by_hand: bool, told: dict[str, Any], progress: Progress) -> engine.Pruning:
    """The trees of one method; `told` are those of `engine.pruning.OPTIONS` that are not as usual."""
    from engine.pruning.cost_complexity import with_validation_se  # late: it brings the compiler

    how: dict[str, Any] = {"keep_by_hand": keep_by_hand, "assignment": state.assigned(), "progress": progress}
    found = engine.prune(state.table, state.tree, method, **how, **told)
    return with_validation_se(state.table, found, state.assigned() if found.full is state.tree else None)


def bare_sequence(state: State, keep_by_hand: bool, options: dict[str, Any], progress: Progress) -> engine.Pruning:
    """The sequence of cost complexity without the folds: there at once, even where nothing else can judge it."""
    unjudged = Progress()
    unjudged.stop()  # before the first fold
    return pruning(state, "cost_complexity", keep_by_hand, options, unjudged)


def judged(
    state: State, found: engine.Pruning, keep_by_hand: bool, options: dict[str, Any], progress: Progress
) -> engine.Choice:  # fmt: skip
    """How the validation rows see a pruning that had no part in choosing it."""
    how: dict[str, Any] = {"keep_by_hand": keep_by_hand, "assignment": state.assigned(), "progress": progress}
    return engine.cross_fitted(state.table, found, **how, **options)


def pruned(state: State, sequence: engine.Pruning, step: int, progress: Progress) -> State:
    """The state in which the tree is a step of a pruning."""
    return state.following(sequence.tree(step))


def measured(state: State, metric: str, prunings: dict[str, engine.Pruning], progress: Progress) -> dict[str, Figures]:
    """A metric of every step of some prunings, by name and part: float64[n_steps]; NaN where there are no rows, after a
    stop, and where too many trees would have to be made one by one, but for the recommended one."""
    return {
        name: {part: _judged(state, one, metric, part, progress) for part in ("train", "validation")}
        for name, one in prunings.items() if not progress.stopped
    }  # fmt: skip


def _judged(state: State, one: engine.Pruning, metric: str, part: str, progress: Progress) -> NDArray[np.float64]:
    from engine.pruning.metrics import curve, figure  # late: it brings the compiler
    from engine.pruning.result import Nested  # late: it brings the compiler

    if isinstance(one.trees, Nested):
        return curve(one, metric, part, state.table, state.assigned())
    figures = np.full(len(one.steps), np.nan)
    few = one.full.n_nodes * len(one.steps) <= MOST_JUDGED and metric != "absolute_error"  # which looks at rows
    for step in range(len(one.steps)) if few or len(one.steps) <= 2 else (one.chosen,):
        if progress.stopped:
            break
        figures[step] = figure(one.tree(step), metric, part, state.table)
    return figures


class Outline(NamedTuple):
    """A tree as it is drawn: leaves side by side in equal room, every node over the middle of its own."""

    tree: engine.Tree  # the one that the positions are of
    nodes: NDArray[np.int64]  # int64[n], the positions of its nodes, in preorder
    x: NDArray[np.float64]  # float64[n], from 0 to 1
    y: NDArray[np.float64]  # float64[n], the depth from 0 to 1
    parent: NDArray[np.int64]  # int64[n], the number of each one's parent among them; −1 of the root
    leaf: NDArray[np.bool_]  # bool[n]


def is_quick(pruning: engine.Pruning) -> bool:
    """Whether its outlines take no more than a few milliseconds."""
    from engine.pruning.result import Nested  # late: it brings the compiler

    return isinstance(pruning.trees, Nested) and pruning.full.n_nodes <= 100_000


def outline(pruning: engine.Pruning, step: int, progress: Progress | None = None) -> Outline:
    from engine.pruning.result import Nested  # late: it brings the compiler

    if isinstance(pruning.trees, Nested):
        tree, gone = pruning.full, pruning.trees.gone
        shown = np.where(tree.parent < 0, np.iinfo(np.int32).max, gone[tree.parent]) > step
        leaf = shown & ((tree.n_branches == 0) | (gone <= step))
    else:
        tree = pruning.tree(step)
        shown, leaf = np.ones(tree.n_nodes, bool), tree.n_branches == 0
    before = np.concatenate(([0], np.cumsum(leaf)))
    nodes = np.flatnonzero(shown)
    middle = (before[nodes] + before[tree.end[nodes]]) / (2 * before[-1])
    level = tree.level[nodes].astype(np.float64)
    number = np.cumsum(shown) - 1
    parent = np.where(tree.parent[nodes] < 0, -1, number[tree.parent[nodes]])
    return Outline(tree, nodes, middle, level / max(float(level.max()), 1.0), parent, leaf[nodes])
