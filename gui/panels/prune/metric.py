"""By which figure the chart measures trees: the error that pruning goes by, or another one, computed in the worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.pruning.options import METRICS, metrics_for
from gui.model.editing import pruning_choices
from gui.model.history import State
from gui.wording import words

if TYPE_CHECKING:
    from engine.pruning.result import Pruning, Step
    from engine.tree.tree import Tree
    from gui.model.document import Document

Figures = dict[str, NDArray[np.float64]]


def usual(tree: Tree) -> str:
    """The metric that the steps of prunings of this tree are measured by."""
    if tree.task == "number":
        return "absolute_error" if tree.predicts_median else "squared_error"
    return "cost" if tree.leaf_rule.costs or tree.leaf_rule.priors else "error"


def offered(tree: Tree) -> list[str]:
    """The metrics for this tree, the usual one first; costs only where mistakes have some."""
    first = usual(tree)
    names = [name for name in metrics_for(tree.task) if name != first and (name != "cost")]
    return [first, *names]


class Yardstick:
    """Measures the steps of prunings by one metric; what is not known yet is asked for."""

    def __init__(self, document: Document, changed: Callable[[], None]) -> None:
        self._document, self._changed = document, changed
        self.metric = ""
        self._known: dict[tuple[str, str], tuple[Pruning, Figures]] = {}
        self._of_steps: dict[str, tuple[list[Step], Figures]] = {}  # by the usual metric

    @property
    def label(self) -> str:
        """The metric in words."""
        return METRICS[self.metric].label if self.metric else ""

    @property
    def noun(self) -> str:
        """The metric within a sentence: "squared error", "AUC"."""
        return words.inside(self.label)

    @property
    def by_share(self) -> bool:
        """Whether its figures are shares of rows."""
        return self.metric == "error"

    def measures_as_pruned(self, tree: Tree) -> bool:
        """Whether it is the error that prunings of this tree go by."""
        return self.metric in ("", usual(tree))

    def text(self, figure: float) -> str:
        """A figure in words."""
        return words.percent(figure) if self.by_share else words.value(figure)

    def forget(self) -> None:
        """Other trees are measured from now on."""
        self._known.clear()
        self._of_steps.clear()
        self._document.jobs.drop("pruning metric")

    def of(self, name: str, pruning: Pruning) -> Figures | None:
        """The "train" and "validation" figures of the steps, float64[n_steps] each; None while they are computed."""
        if self.measures_as_pruned(pruning.full):
            steps, figures = self._of_steps.get(name, (None, None))
            if steps is not pruning.steps:
                errors = np.array([step[1:3] for step in pruning.steps], np.float64).reshape(-1, 2)
                figures = {"train": errors[:, 0], "validation": errors[:, 1]}
                self._of_steps[name] = pruning.steps, figures
            return figures
        made, figures = self._known.get((self.metric, name), (None, None))
        return figures if made is not None and made.trees is pruning.trees else None

    def ask(self, base: State, prunings: dict[str, Pruning]) -> None:
        """Finds out what is not known of some prunings of one tree."""
        metric = self.metric
        unknown = {name: one for name, one in prunings.items() if self.of(name, one) is None}
        if not unknown:
            return

        def done(found: dict[str, Figures]) -> None:
            for name, one in unknown.items():  # after a stop some stay unknown, until they are asked for anew
                nothing = np.full(len(one.steps), np.nan)
                self._known[metric, name] = one, found.get(name, {"train": nothing, "validation": nothing})
            self._changed()

        self._document.jobs.run(
            "Measuring the trees", pruning_choices.measured, base, metric, unknown,
            done=done, failed=lambda error: None, key="pruning metric", quiet=True,
        )  # fmt: skip
