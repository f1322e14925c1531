"""How good the tree on the screen is, or the branch that is selected: its fits on the parts of the rows. They are made
in the worker while somebody looks, and kept until the tree is another one."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui.model.editing.edits import Edits
from gui.model.history import State
from gui.model.host import Host
from gui.model.judging import BY_GROUP, EACH_ROW, FOLDS, IN_TIME, Found, Judging

KEY = "assessing"
Fits = dict[str, "engine.Fit"]  # by name, or else the compiler would come along


class Assessing(QObject):
    """Panels call `ask` while they are seen, and show `fits` when `changed` says so."""

    changed = Signal()  # any of what is below
    tried = Signal()  # the threshold is moved: `tried_fits` are others

    def __init__(self, document: Host, judging: Judging, edits: Edits) -> None:
        super().__init__(document)
        self._document, self._judging, self._edits = document, judging, edits
        self.branch = False  # whether the branch of the selected node is judged, not the whole tree
        self.fits: Fits = {}  # by part, of those that have rows; empty until they are known
        self.node = 0  # whose branch they are of
        self.error = ""  # why there are none
        self.trial: float | None = None  # from which probability of the class in focus on it would be predicted
        self.tried_fits: Fits = {}  # as `fits`, with that threshold while one is tried
        self._asked: tuple[object, ...] = ()
        self._tried: tuple[engine.Tree, engine.Tree] | None = None  # the tree, and the same one with that threshold
        document.tableChanged.connect(self._forget)

    def _forget(self) -> None:
        self._document.jobs.drop(KEY)
        self.fits, self.tried_fits, self.error, self._asked, self.trial = {}, {}, "", (), None
        self.changed.emit()

    def judge_branch(self, on: bool) -> None:
        """Whether the branch of the selected node is judged, or the whole tree."""
        if on != self.branch:
            self.branch = on
            self.changed.emit()

    @property
    def reason(self) -> str:
        """Why there are no fits."""
        if self._document.tree is None:
            return tr("Open a table: here the rows judge its tree.")
        return self.error or tr("The tree is being judged…")

    @property
    def folds(self) -> Found | None:
        """The latest folds that judge how this tree is made; None without any, and while a branch is judged."""
        kinds = (FOLDS, BY_GROUP, IN_TIME, EACH_ROW)
        known = (one for one in reversed(self._judging.found)
                 if one.way.kind in kinds and one.recipe.split is None and self._judging.is_present(one))  # fmt: skip
        return None if self.branch else next(known, None)

    def with_folds(self, fits: Fits) -> Fits:
        """The fits of the parts, and that of the latest folds behind that of the training rows."""
        found = self.folds
        if found is None or found.fit is None or not found.fit.n:
            return fits
        return {part: fit for part, fit in fits.items() if part == "train"} | {"folds": found.fit} | fits

    @property
    def sure(self) -> tuple[str, ...]:
        """The parts whose figures have an interval that holds: not of rows that made the tree, nor of validation rows
        that chose among several trees, or beside whose curve a threshold was chosen."""
        from engine.assessment.selection import unchosen_parts  # late: it brings the compiler

        tree = self._document.tree
        return unchosen_parts(tree, self._edits.validation_trees) if tree is not None else ()

    # -- the threshold of two classes

    @property
    def threshold(self) -> float | None:
        """From which probability on the class in focus is predicted, or would be while one is tried: by the threshold
        of the leaf rule, else by its costs; None unless there are two classes."""
        tree, focus = self._document.tree, self._focus
        if tree is None or focus is None:
            return None
        if self.trial is not None:
            return self.trial
        if (given := tree.leaf_rule.threshold) is not None:
            return given[1] if given[0] == tree.classes[focus] else 1 - given[1]
        costs = tree.leaf_rule.cost_matrix(tree.classes)
        missed, wrongly = float(costs[focus, 1 - focus]), float(costs[1 - focus, focus])
        return wrongly / (missed + wrongly) if missed + wrongly > 0 else 0.5

    @property
    def _focus(self) -> int | None:
        tree = self._document.tree
        return self._document.focus_class if tree is not None and len(tree.classes) == 2 else None

    @property
    def tried_tree(self) -> engine.Tree | None:
        """The tree on the screen with the threshold that is tried; None while none is."""
        if self.trial is None or self._tried is None or self._tried[0] is not self._document.tree:
            return None
        return self._tried[1]

    def try_threshold(self, value: float) -> None:
        """Shows what the figures would be with a threshold of the class in focus; the tree stays as it is."""
        state, focus = self._document.state, self._focus
        if state is None or focus is None or not self.fits or next(iter(self.fits.values())).leaves is None:
            return
        self.trial = min(max(value, 0.0), 1.0)
        tree = state.tree
        rule = replace(tree.leaf_rule, threshold=(tree.classes[focus], self.trial))
        tried = tree.with_leaf_rule(state.table, rule)
        self._tried = state.tree, tried
        self.tried_fits = {part: fit.said_by(tried) for part, fit in self.fits.items()}
        self.tried.emit()

    def take_threshold(self) -> None:
        """Makes a step of the threshold that is tried."""
        tree, focus = self._document.tree, self._focus
        if tree is not None and focus is not None and self.trial is not None:
            self._document.set_search(threshold=(tree.classes[focus], self.trial))

    def reset_threshold(self) -> None:
        """Lets costs, or the majority, decide again."""
        self.trial, self.tried_fits = None, self.fits
        self.tried.emit()
        self._document.set_search(threshold=None)

    def ask(self) -> None:
        """Asks for the fits of what is on the screen, unless they are known or on their way."""
        document, state = self._document, self._document.state
        if state is None:
            return
        node, opened = document.selected if self.branch else 0, document.test_opened
        if self._asked == (state, node, opened):
            return
        self._asked, self.error = (state, node, opened), ""

        def done(found: Fits) -> None:
            self.fits, self.tried_fits, self.node, self.trial = found, found, node, None
            self.error = "" if found else tr("No rows reach node {node}: select another one.", node=node)
            self.changed.emit()

        def failed(error: Exception) -> None:
            self.fits, self.tried_fits, self.error, self.trial = {}, {}, str(error), None
            self.changed.emit()

        text = tr("Judging the tree")
        document.jobs.run(text, assessed, state, node, opened, done=done, failed=failed, key=KEY, quiet=True)


# -- in the worker, without Qt


def assessed(state: State, node: int, test_too: bool, progress: Progress) -> Fits:
    """By part the fit of a branch, with what takes long in it. `test_too`: of the test rows, too, which were opened."""
    table, tree = state.table, state.tree
    parts = ["train", "validation"] + ["test"] * test_too
    by_rows = test_too or tree.task == "number" or (table.weights is not None and not table.weights_are_counts)
    at = state.assigned() if by_rows else state.assignment
    found = {part: engine.assess(table, tree, part, node, at) for part in parts}
    for fit in found.values():
        if tree.task == "classes":
            _ = fit.auc_error, fit.auc, fit.murphy, fit.kappa
        else:
            _ = fit.mae, fit.r2, fit.residuals, fit.residual_quantiles
    return {part: fit for part, fit in found.items() if fit.n}
