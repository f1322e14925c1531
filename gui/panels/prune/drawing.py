"""What the size-versus-error chart shows, as numbers, and by which figure it measures trees. No pixels, no Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import engine
from engine.pruning import METHODS
from engine.pruning.options import METRICS, metrics_for
from engine.runtime.sentences import tr
from gui.model.document import Document
from gui.model.editing import pruning_choices
from gui.model.editing.cutback import Cutback
from gui.model.editing.pruning_choices import FRONT, LINE, SEQUENCE, Point
from gui.model.judging import BAGGED, Found
from gui.wording import phrases, words

Figures = dict[str, NDArray[np.float64]]
Numbers = NDArray[np.float64]
CHOSEN, CHOICE, LEAST, WITHIN = "chosen", "choice", "least", "within"


def usual(tree: engine.Tree) -> str:
    """The metric that the steps of prunings of this tree are measured by."""
    if tree.task == "number":
        return "absolute_error" if tree.predicts_median else "squared_error"
    return "cost" if tree.leaf_rule.weighs_mistakes else "error"


def offered(tree: engine.Tree) -> list[str]:
    """The metrics for this tree, the usual one first; costs only where mistakes have some, profit where it is known."""
    first = usual(tree)
    left_out = (first, "cost") if tree.leaf_rule.profits else (first, "cost", "profit")
    return [first, *(name for name in metrics_for(tree.task) if name not in left_out)]


def first_shown(tree: engine.Tree) -> str:
    """The metric that the chart begins with: profit where the tree has profits."""
    return "profit" if tree.leaf_rule.profits else usual(tree)


def error_words(error: float, by_share: bool) -> str:
    return words.percent(error) if by_share else words.value(error)


class Yardstick:
    """Measures the steps of prunings by one metric; what is not known yet is asked for."""

    def __init__(self, document: Document, changed: Callable[[], None]) -> None:
        self._document, self._changed = document, changed
        self.metric = ""
        self._known: dict[tuple[str, str], tuple[engine.Pruning, Figures]] = {}
        self._of_steps: dict[str, tuple[object, Figures]] = {}  # by the usual metric, with the steps that they are of

    @property
    def label(self) -> str:
        return METRICS[self.metric].label if self.metric else ""

    @property
    def noun(self) -> str:
        """The metric within a sentence: "squared error", "AUC"."""
        return words.inside(self.label)

    def measures_as_pruned(self, tree: engine.Tree) -> bool:
        """Whether it is the error that prunings of this tree go by."""
        return self.metric in ("", usual(tree))

    def text(self, figure: float) -> str:
        tree = self._document.tree
        if self.metric == "profit" and tree is not None:
            return phrases.money(figure, tree)
        return error_words(figure, self.metric == "error")

    def forget(self) -> None:
        self._known.clear()
        self._of_steps.clear()
        self._document.jobs.drop("pruning metric")

    def of(self, name: str, pruning: engine.Pruning) -> Figures | None:
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

    def ask(self, cutback: Cutback) -> None:
        """Finds out what is not known of the prunings that the chart and the table show figures of."""
        choices, line, base, metric = cutback.choices, cutback.line, cutback.base, self.metric
        shown = {line_name(line[0]): line[1]} if line is not None and choices is not None else {}
        shown |= {name: one for name, one in choices.found.items() if name in METHODS} if choices is not None else {}
        unknown = {name: one for name, one in shown.items() if self.of(name, one) is None}
        if not unknown or base is None:
            return

        def done(found: dict[str, Figures]) -> None:
            for name, one in unknown.items():  # after a stop some stay unknown, until they are asked for anew
                nothing = np.full(len(one.steps), np.nan)
                self._known[metric, name] = one, found.get(name, {"train": nothing, "validation": nothing})
            self._changed()

        self._document.jobs.run(
            tr("Measuring the trees"), pruning_choices.measured, base, metric, unknown,
            done=done, failed=lambda error: None, key="pruning metric", quiet=True,
        )  # fmt: skip


@dataclass(frozen=True)
class Marker:
    """A tree that somebody recommends."""

    points: tuple[Point, ...]  # that tree, once for each who recommends it; the chosen method's first
    names: tuple[str, ...]  # who that is
    leaves: int
    height: float
    kind: str  # `CHOSEN` of the method in the list, `CHOICE` of another, `LEAST` or `WITHIN` of the sequence's error

    @property
    def label(self) -> str:
        """Its name: of both, or of the first one and how many more there are."""
        first, *others = self.names
        return f"{first} + {len(others)}" if len(others) > 1 else ", ".join([first, *map(words.inside, others)])


@dataclass(frozen=True)
class Drawing:
    """The curves and markers of one base tree."""

    method: str  # whose trees the curves are of
    steps: NDArray[np.int64]  # [n], those trees by rising number of leaves
    leaves: Numbers  # [n], as the following five; NaN where unknown
    train: Numbers
    validation: Numbers
    cv: Numbers
    se: Numbers
    validation_se: Numbers
    hull: tuple[Numbers, Numbers]  # leaves (rising) and training errors of the cost-complexity sequence, [k] each
    front: tuple[Numbers, Numbers]  # the same of the trees with the fewest errors of their size
    front_steps: NDArray[np.int64]  # which trees these are
    markers: tuple[Marker, ...]  # the recommended trees
    axis: str  # what the figures are
    by_share: bool  # whether they are shares of rows
    forest: tuple[str, float] | None = None  # the name and the out-of-bag error of a forest
    n_failed: int = 0  # the largest trees of the curves that were grown in vain

    def sizes(self) -> Numbers:
        every = np.concatenate((self.leaves, self.front[0], [marker.leaves for marker in self.markers]))
        return np.array([every.min(), every.max()]) if every.size else np.array([1.0, 2.0])

    def height(self, i: int) -> float:
        """Where the i-th tree of the curves stands: on the error that it can be chosen by."""
        return next((float(y[i]) for y in (self.validation, self.cv, self.train) if np.isfinite(y[i])), 0.0)


def drawing(cutback: Cutback, yardstick: Yardstick, forest: Found | None = None) -> Drawing | None:
    """What is known of the prunings; None while there is nothing to be drawn. `forest`: what to compare them with."""
    choices, line, base = cutback.choices, cutback.line, cutback.base
    if choices is None or base is None or (line is None and cutback.sequence is None):
        return None
    is_usual = yardstick.metric == usual(base.tree)
    method, pruning = line if line is not None else ("", None)
    steps, leaves, _ = _by_size(pruning)
    train, validation = figures(yardstick, line_name(method), pruning)
    spread = np.full((len(steps), 3), np.nan)
    if pruning is not None and is_usual:
        spread = np.array([(step.cv_error, step.cv_se, step.validation_se) for step in pruning.steps])
    mean, se, validation_se = spread[steps].T
    _, *hull = _by_size(choices.line() if is_usual else None)
    front_steps, *front = _by_size(choices.found.get(FRONT) if is_usual else None)
    markers = _of_methods(cutback, yardstick, is_usual)
    if method == SEQUENCE and pruning is not None:
        markers += _of_folds(pruning, steps, leaves, mean, se, markers, cutback)
    return Drawing(
        method, steps, leaves, train[steps], validation[steps], mean, se, validation_se, (hull[0], hull[1]),
        (front[0], front[1]), front_steps, tuple(markers), yardstick.noun, yardstick.metric == "error",
        _of_forest(yardstick, forest),
        cutback.n_failed if method == cutback.method else 0,
    )  # fmt: skip


def _of_forest(yardstick: Yardstick, found: Found | None) -> tuple[str, float] | None:
    if found is None or {"error": "error", "squared_error": "MSE"}.get(yardstick.metric) != found.measure:
        return None
    return phrases.forest(found.n, found.way.kind == BAGGED), found.error


def line_name(method: str) -> str:
    return LINE if method == SEQUENCE else method


def _by_size(pruning: engine.Pruning | None) -> tuple[NDArray[np.int64], Numbers, Numbers]:
    """The steps by rising number of leaves, these numbers and the training errors."""
    if pruning is None:
        return np.zeros(0, np.int64), np.zeros(0), np.zeros(0)
    known = np.array([step[:2] for step in pruning.steps], np.float64)
    steps = np.argsort(known[:, 0], kind="stable")
    return steps, known[steps, 0], known[steps, 1]


def figures(yardstick: Yardstick, name: str, pruning: engine.Pruning | None) -> tuple[Numbers, Numbers]:
    """(of the training rows, of the validation rows) of each step; NaN where unknown."""
    if pruning is None:
        return np.zeros(0), np.zeros(0)
    found, nothing = yardstick.of(name, pruning), np.full(len(pruning.steps), np.nan)
    return (found["train"], found["validation"]) if found is not None else (nothing, nothing)


def _of_methods(cutback: Cutback, yardstick: Yardstick, is_usual: bool) -> list[Marker]:
    """What each method chooses; where several choose trees of one size and error, one marker for all of them."""
    assert cutback.choices is not None
    everything, together = cutback.choices.found, dict[tuple[int, float], list[str]]()
    for name in sorted((name for name in METHODS if name in everything), key=lambda name: name != cutback.method):
        found = everything[name]
        train, validation = (float(each[found.chosen]) for each in figures(yardstick, name, found))
        step = found.steps[found.chosen]
        known = [validation, *([step.cv_error] if is_usual else []), train]
        height = next((figure for figure in known if np.isfinite(figure)), None)
        if height is not None:
            together.setdefault((step.leaves, height), []).append(name)
    return [
        Marker(
            tuple(Point(name, everything[name].chosen) for name in every),
            tuple(METHODS[name].label for name in every), leaves, height,
            CHOSEN if every[0] == cutback.method else CHOICE,
        )
        for (leaves, height), every in together.items()
    ]  # fmt: skip


def _of_folds(
    pruning: engine.Pruning, steps: NDArray[np.int64], leaves: Numbers, mean: Numbers, se: Numbers,
    markers: list[Marker], cutback: Cutback,
) -> list[Marker]:  # fmt: skip
    """The tree of the least cross-validated error, and the smallest within some standard errors of it."""
    if not np.isfinite(mean).any():
        return []
    k = float(cutback.options.get(SEQUENCE, {}).get("standard_errors", 0.0)) or 1.0
    least = int(np.nanargmin(mean))
    spread = se[least] if np.isfinite(se[least]) else 0.0
    within = int(np.flatnonzero(mean <= mean[least] + k * spread)[0])
    taken = {(marker.leaves, marker.height) for marker in markers}
    found = []
    name_of_least = tr("least cost") if usual(pruning.full) == "cost" else tr("least error")
    for i, name, kind in ((least, name_of_least, LEAST), (within, tr("{k} SE", k=f"{k:g}"), WITHIN)):
        place = int(leaves[i]), float(mean[i])
        if place not in taken:
            found.append(Marker((Point(SEQUENCE, int(steps[i])),), (name,), *place, kind))
            taken.add(place)
    return found
