"""How good the tree on the screen is, or the branch that is selected: its fits on the parts of the rows. They are made
in the worker while somebody looks, and kept until the tree is another one."""

from __future__ import annotations

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

    def __init__(self, document: Host, judging: Judging, edits: Edits) -> None:
        super().__init__(document)
        self._document, self._judging, self._edits = document, judging, edits
        self.branch = False  # whether the branch of the selected node is judged, not the whole tree
        self.fits: Fits = {}  # by part, of those that have rows; empty until they are known
        self.node = 0  # whose branch they are of
        self.error = ""  # why there are none
        self._asked: tuple[object, ...] = ()
        document.tableChanged.connect(self._forget)

    def _forget(self) -> None:
        self._document.jobs.drop(KEY)
        self.fits, self.error, self._asked = {}, "", ()
        self.changed.emit()

    def judge_branch(self, on: bool) -> None:
        """Whether the branch of the selected node is judged, or the whole tree."""
        if on != self.branch:
            self.branch = on
            self.changed.emit()

    @property
    def folds(self) -> Found | None:
        """The latest folds that judge how this tree is made; None without any, and while a branch is judged."""
        kinds = (FOLDS, BY_GROUP, IN_TIME, EACH_ROW)
        known = (one for one in reversed(self._judging.found)
                 if one.way.kind in kinds and one.recipe.split is None and self._judging.is_present(one))  # fmt: skip
        return None if self.branch else next(known, None)

    @property
    def sure(self) -> tuple[str, ...]:
        """The parts whose figures have an interval that holds: not of rows that made the tree, nor of validation rows
        that chose among several trees."""
        return ("test",) if self._edits.validation_trees > 1 else ("validation", "test")

    def ask(self) -> None:
        """Asks for the fits of what is on the screen, unless they are known or on their way."""
        document, state = self._document, self._document.state
        if state is None:
            return
        node, opened = document.selected if self.branch else 0, document.test_opened
        if self._asked == (state, node, opened):
            return
        self._asked = state, node, opened

        def done(found: Fits) -> None:
            self.fits, self.node, self.error = found, node, ""
            self.changed.emit()

        def failed(error: Exception) -> None:
            self.fits, self.error = {}, str(error)
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
            _ = fit.auc, fit.murphy, fit.kappa
        else:
            _ = fit.mae, fit.r2, fit.residuals, fit.residual_quantiles
    return {part: fit for part, fit in found.items() if fit.n}
