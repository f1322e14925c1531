"""What other samples of the same rows say: how trees that are made the same way err on rows that they have not seen,
and how much of the tree returns. What was found stays as long as the table does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

import engine
from engine.pruning import chosen_by_validation
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui import messages
from gui.model.editing.cutback import Cutback
from gui.model.editing.pruning_choices import lacks_rule, usual_method
from gui.model.history import State
from gui.model.host import Host
from gui.model.jobs import tell
from gui.model.search.ranking import Ranking

GROWN, PRUNED, STRUCTURE, SPLIT = "grown", "pruned", "structure", "split"  # what is judged
FOLDS, BY_GROUP, IN_TIME, EACH_ROW = "folds", "by_group", "in_time", "each_row"  # and how
BOOTSTRAP, SUBSAMPLE, BAGGED, FOREST = "bootstrap", "subsample", "bagged", "forest"
SAMPLES, FORESTS = (BOOTSTRAP, SUBSAMPLE), (BAGGED, FOREST)
USUAL_NUMBER = {FOLDS: 10, BY_GROUP: 10, IN_TIME: 10, BOOTSTRAP: 200, SUBSAMPLE: 200, BAGGED: 100, FOREST: 100}
KEY = "judging"


@dataclass(frozen=True)
class Way:
    """How something is judged."""

    kind: str
    n: int = 0  # folds, samples or trees
    repeats: int = 1  # of folds
    column: str = ""  # whose values keep rows together, or put them in order


@dataclass(frozen=True, eq=False)
class Found:
    """What was found, or as much as there was when it was stopped."""

    state: State  # the table, and the tree that was on the canvas
    recipe: engine.Recipe
    way: Way
    n: int  # trees that were made
    measure: str  # what the errors are: "error", a share of the rows, "cost", "MSE" or "MAE"
    error: float  # the mean, on rows that took no part in making the tree
    standard_error: float  # of folds; else NaN
    errors: NDArray[np.float64]  # float64[·], of samples one by one
    leaves: tuple[int, int]  # the fewest and the most of a tree
    stability: engine.Stability | None = None  # how much of the tree returned
    fit: engine.Fit | None = None  # of folds: all figures of the rows, each judged by a tree that was made without it


class Judging(QObject):
    """Asks for one judgement at a time, and keeps what came of it."""

    changed = Signal()  # any of what is below

    def __init__(self, document: Host, cutback: Cutback, ranking: Ranking) -> None:
        super().__init__(document)
        self._document, self._cutback, self._ranking = document, cutback, ranking
        self.found: list[Found] = []  # about the present table, the oldest first
        self.running = False
        document.tableChanged.connect(self._forget)

    def _forget(self) -> None:
        self._document.jobs.drop(KEY)
        self.found, self.running = [], False
        self.changed.emit()

    @property
    def method(self) -> str:
        """The pruning method of the chart, else the usual one; empty without a table."""
        method, state = self._cutback.method, self._document.state
        fits = method and not lacks_rule(method, self._cutback.options)
        return method if fits else usual_method(state) if state is not None else ""

    @property
    def usual(self) -> str:
        """What is judged unless somebody says otherwise: the splits, where a person made some; else growing, with
        pruning where the tree is one of those on the pruning chart."""
        tree = self._document.tree
        if tree is not None and tree.by_hand.any():
            return STRUCTURE
        return PRUNED if self._cutback.point is not None else GROWN

    @property
    def forest(self) -> Found | None:
        """The forest that was grown last."""
        return next((one for one in reversed(self.found) if one.way.kind in FORESTS), None)

    def stability_of(self, tree: engine.Tree | None) -> Found | None:
        """The latest samples that were compared with a tree."""
        known = (one for one in reversed(self.found) if one.stability is not None and one.state.tree is tree)
        return next(known, None)

    def returned(self, tree: engine.Tree) -> NDArray[np.float64] | None:
        """float64[n_nodes], in which share of the samples each split returned; None while that is not known."""
        found = self.stability_of(tree)
        return found.stability.returned if found is not None and found.stability is not None else None

    def split(self) -> tuple[Any, int] | None:
        """The split that is looked at, as it is drawn by hand or as it was found, and its node; None without one."""
        document = self._document
        candidate = document.draft or self._ranking.candidate
        split = candidate.split if candidate is not None and candidate.split is not None else document.split_here
        return (split, document.selected) if split is not None else None

    def recipe(self, what: str) -> engine.Recipe | None:
        """How a tree is made, as things are set now; None where there is nothing of the kind."""
        from engine.tree.marks import criterion_at, excluded_at  # late: they bring the compiler

        state = self._document.state
        if state is None:
            return None
        table, tree = state.table, state.tree
        if what == SPLIT:
            looked_at = self.split()
            return engine.Recipe(split=looked_at[0], at=(tree, looked_at[1])) if looked_at is not None else None
        if what == STRUCTURE:
            return engine.Recipe(tree=tree) if tree.n_leaves > 1 else None
        search = {"preset": "cart", **self._document.search}
        search["locked"] = tuple(dict.fromkeys((*search.get("locked", ()), *excluded_at(tree, 0))))
        search |= {"criterion": criterion_at(tree, 0) or self._document.criterion}
        if what == GROWN:
            return engine.Recipe(search=search)
        method, options = self.method, self._cutback.options.get(self.method, {})
        aside = table.n_validation if chosen_by_validation(method, options) else 0
        share = aside / max(table.n_train + table.n_validation, 1)
        return engine.Recipe(search=search, prune=method, pruning=options, validation=share)

    def is_present(self, found: Found) -> bool:
        """Whether the same would be judged now: the tree, the split or the options are no others."""
        was = found.recipe
        what = SPLIT if was.split else STRUCTURE if was.tree is not None else PRUNED if was.prune else GROWN
        now = self.recipe(what)
        return now is not None and all(
            getattr(now, name) == getattr(was, name) for name in ("search", "tree", "split", "prune", "pruning")
        ) and (was.at is None or now.at == was.at)  # fmt: skip

    def ask(self, what: str, way: Way) -> None:
        """Judges something; a forest is grown by the search options, whatever else is judged."""
        recipe, state = self.recipe(GROWN if way.kind in FORESTS else what), self._document.state
        if recipe is None or state is None or self.running:
            return

        def done(found: Found) -> None:
            self.running = False
            if found.n:
                self.found.append(found)
            else:
                messages.info(tr("It was stopped before anything was found."))
            self.changed.emit()

        def failed(error: Exception) -> None:
            self.running = False
            self.changed.emit()
            tell(error)

        self.running = True
        self.changed.emit()
        self._document.jobs.run(tr("Judging"), judged, state, recipe, way, done=done, failed=failed, key=KEY)


# -- in the worker, without Qt


def judged(state: State, recipe: engine.Recipe, way: Way, progress: Progress) -> Found:
    """Follows a recipe on folds or samples of the training rows. InputError: it cannot be followed there."""
    table, tree, nothing = state.table, state.tree, np.zeros(0)
    plain = recipe.split is not None or way.kind in FORESTS  # their leaves heed neither costs nor medians
    measure = "error" if tree.task == "classes" else "MSE"
    if not plain:
        measure = "MAE" if tree.predicts_median else "cost" if tree.leaf_rule.weighs_mistakes else measure
    if way.kind in FORESTS:
        columns = "sqrt" if way.kind == FOREST else None
        forest = engine.forest(table, trees=way.n, columns=columns, progress=progress, **recipe.search or {})
        leaves = _range(np.array([one.n_leaves for one in forest.trees]))
        n, error = len(forest.trees), forest.out_of_bag_error
        return Found(state, recipe, way, n, measure, error, np.nan, nothing, leaves)
    if way.kind in SAMPLES:
        how: dict[str, Any] = {"samples": way.n, "rows": way.kind, "progress": progress}
        stability = None
        if recipe.search is None:
            made: Any = engine.bootstrap(table, recipe, **how)
        else:
            how |= {"prune": recipe.prune, "pruning": recipe.pruning, "validation": recipe.validation}
            made = stability = engine.stability(table, tree, **how, **recipe.search)
        known = made.errors[np.isfinite(made.errors)]
        error = float(known.mean()) if known.size else np.nan
        leaves = _range(made.leaves)
        return Found(state, recipe, way, len(made.leaves), measure, error, np.nan, known, leaves, stability)
    rows: dict[str, Any] = (
        {"group": way.column} if way.kind == BY_GROUP else {"time": way.column} if way.kind == IN_TIME else {}
    )
    folds = "each" if way.kind == EACH_ROW else way.n
    judged = engine.cross_validate(table, recipe, folds=folds, repeats=way.repeats, progress=progress, **rows)
    n, leaves = int(np.count_nonzero(judged.leaves)), _range(judged.leaves[judged.leaves > 0])
    return Found(
        state, recipe, way, n, measure, judged.mean, judged.standard_error, nothing, leaves, fit=_counted(judged.fit)
    )


def _counted(fit: engine.Fit) -> engine.Fit:
    """With what takes long in it; the panels ask for it at once."""
    _ = (fit.auc, fit.kappa) if fit.classes else (fit.mae, fit.r2, fit.residual_quantiles)
    return fit


def _range(leaves: NDArray[np.int64]) -> tuple[int, int]:
    return (int(leaves.min()), int(leaves.max())) if leaves.size else (0, 0)
