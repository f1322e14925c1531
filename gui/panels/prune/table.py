"""The trees of the chart as a table that can be copied."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from engine.pruning import METHODS, why_not
from engine.pruning.options import METRICS
from gui import theme
from gui.model.editing.cutback import Cutback
from gui.model.editing.pruning_choices import FRONT, NO_RULE, Point, lacks_rule
from gui.panels.prune.drawing import Figures, Yardstick, line_name, usual
from gui.panels.prune.words import error_words, price_words
from gui.widgets.tables import Column, TableModel
from gui.wording import words

if TYPE_CHECKING:
    from engine.pruning.result import Pruning, Step

NAN = float("nan")
NOT_YET = "not computed yet"
OPTIMAL = "optimal front"  # what the trees of the front are called
TREE, LEAVES, TRAINING, VALIDATION, CROSS, ALPHA = range(6)


class Entry(NamedTuple):
    """One row.

    Attributes:
        point: the tree; None where a method has made none.
        name: the method of a choice; empty of the trees of the curves.
        step: the tree's size and errors; None without a tree.
        train, validation: by the metric of the chart.
        bold: it is the chosen method's choice.
        reason: why there is no tree.
        priced: its alpha belongs to the curve.
    """

    point: Point | None
    name: str
    step: Step | None
    train: float = NAN
    validation: float = NAN
    bold: bool = False
    reason: str = ""
    priced: bool = False

    @property
    def alpha(self) -> float:
        """The alpha of the step, NaN where it belongs to another curve."""
        return self.step.alpha if self.step is not None and self.priced else NAN


class Rows:
    """Makes the rows; those of long sequences once for each."""

    def __init__(self, cutback: Cutback, yardstick: Yardstick) -> None:
        self._cutback, self._yardstick = cutback, yardstick
        self._made: dict[str, tuple[list[Step], Figures | None, list[Entry]]] = {}

    def entries(self) -> list[Entry]:
        """All rows; none without a chart."""
        cutback = self._cutback
        choices, line, base = cutback.choices, cutback.line, cutback.base
        if choices is None or base is None:
            self._made.clear()
            return []
        rows = [self._choice(name) for name in METHODS]
        if line is not None:
            rows += self._all(line_name(line[0]), line[0], line[1], "")
        front = choices.found.get(FRONT)
        if front is not None and (line is None or line[0] != FRONT) and self._yardstick.metric == usual(base.tree):
            rows += self._all(FRONT, FRONT, front, OPTIMAL)
        return rows

    def _choice(self, name: str) -> Entry:
        """What a method chooses, or why it does not."""
        cutback = self._cutback
        choices, base, chosen = cutback.choices, cutback.base, name == cutback.method
        assert choices is not None and base is not None
        found, label = choices.found.get(name), METHODS[name].label
        if found is None:
            lacking = NO_RULE if lacks_rule(name, choices.options) else ""
            waiting = "being computed…" if name in choices.pending or chosen else NOT_YET
            reason = why_not(name, base.table) or lacking or choices.faults.get(name) or waiting
            return Entry(None, label, None, reason=reason)
        figures, i = self._yardstick.of(name, found), found.chosen
        train, validation = (
            float(figures[part][i]) if figures is not None else NAN for part in ("train", "validation")
        )
        return Entry(Point(name, i), label, found.steps[i], train, validation, bold=chosen, priced=chosen)

    def _all(self, name: str, method: str, pruning: Pruning, label: str) -> list[Entry]:
        """A row for every step."""
        figures, known = self._yardstick.of(name, pruning), self._made.get(label)
        if known is None or known[0] is not pruning.steps or known[1] is not figures:
            nothing = [NAN] * len(pruning.steps)
            train, validation = (
                figures[part].tolist() if figures is not None else nothing for part in ("train", "validation")
            )
            steps = enumerate(zip(pruning.steps, train, validation, strict=True))
            rows = [Entry(Point(method, i), label, step, a, b, priced=not label) for i, (step, a, b) in steps]
            known = self._made[label] = pruning.steps, figures, rows
        return known[2]


class PruningModel(TableModel[Entry]):
    """One row per tree; the chosen one is bold, the one on the canvas is marked; methods without a tree say why."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bold = lambda entry: entry.bold
        self._places: dict[Point, list[int]] = {}
        self._on_canvas: Point | None = None
        self._pruned_by, self._metric = "error", "Error"
        self.show([], "Error", True, "error", "")

    def show(self, entries: list[Entry], metric: str, by_share: bool, pruned_by: str, method: str) -> None:
        """Replaces all rows.

        Args:
            metric: what "Training" and "Validation" are, in words.
            by_share: whether its figures are shares of rows.
            pruned_by: the name of the metric that the trees are pruned and cross-validated by.
            method: whose trees the curves are of.
        """
        self._places, self._on_canvas = {}, None
        for place, entry in sorted(enumerate(entries), key=lambda item: bool(item[1].name)):
            if entry.point is not None:
                self._places.setdefault(_whole(entry.point), []).append(place)
        self._pruned_by, self._metric = pruned_by, metric
        self.fill(entries, self._declared(by_share, method))

    def rows_of(self, point: Point | None) -> list[int]:
        """The rows of a tree: of the curves first. The whole tree is the first of every method."""
        return [self.row_of(place) for place in self._places.get(_whole(point), [])] if point is not None else []

    def mark_canvas(self, point: Point | None) -> None:
        """Marks the rows whose tree is on the canvas."""
        before, self._on_canvas = self._on_canvas, _whole(point) if point is not None else None
        for row in (*self.rows_of(before), *self.rows_of(point)):
            self.dataChanged.emit(self.index(row, 0), self.index(row, ALPHA))

    def text(self, rows: Sequence[int]) -> str:
        """These rows, with the header, as tab-separated text with every digit."""
        unit = self._metric.lower().replace(" ", "_")
        lines = [f"tree\tleaves\ttraining_{unit}\tvalidation_{unit}\tcv_{self._pruned_by}\tcv_se\talpha"]
        for entry in map(self.record, rows):
            step = entry.step
            if step is None:
                lines.append("\t".join((entry.name, "", "", "", "", "", "")))
                continue
            figures = (entry.train, entry.validation, step.cv_error, step.cv_se, entry.alpha)
            cells = ("" if math.isnan(figure) else repr(float(figure)) for figure in figures)
            lines.append("\t".join((entry.name, str(step.leaves), *cells)))
        return "\n".join(lines) + "\n"

    def _marked(self, entry: Entry) -> bool:
        return entry.point is not None and _whole(entry.point) == self._on_canvas

    def _explained(self, entry: Entry) -> str:
        notes = [entry.reason] if entry.reason else []
        notes += ["chosen by the method"] * entry.bold + ["on the canvas"] * self._marked(entry)
        return ", ".join(notes)

    def _declared(self, by_share: bool, method: str) -> list[Column[Entry]]:
        price, explained = price_words(method, self._pruned_by)
        pruned_by = words.inside(METRICS[self._pruned_by].label)
        costs = " cost" if self._pruned_by == "cost" else ""

        def leaves(entry: Entry) -> str:
            count = words.count(entry.step.leaves) if entry.step is not None else ""
            return f"▸ {count}" if self._marked(entry) else count

        def figure(of: Callable[[Entry], float]) -> Callable[[Entry], str]:
            return lambda entry: error_words(of(entry), by_share) if entry.step is not None else ""

        def crossed(entry: Entry) -> str:
            step, as_share = entry.step, self._pruned_by == "error"
            if step is None or not math.isfinite(step.cv_error):
                return words.NOTHING if step is not None else ""
            spread = f" ± {error_words(step.cv_se, as_share)}" if math.isfinite(step.cv_se) else ""
            return error_words(step.cv_error, as_share) + spread

        def column(
            title: str, text: Callable[[Entry], str], tip: str, key: Callable[[Entry], Any] | None = None
        ) -> Column[Entry]:
            return Column(title, text, key is None, tip, key=key, explained=self._explained, ink=_ink)

        return [
            column("Tree", lambda entry: entry.name,
                   "The method that chooses this tree; below, the trees of the curves by size"),
            column("Leaves", leaves, "Leaves of the tree",
                   lambda entry: entry.step.leaves if entry.step is not None else NAN),
            column("Training", figure(lambda entry: entry.train), f"{self._metric} on the training rows",
                   lambda entry: entry.train),
            column("Validation", figure(lambda entry: entry.validation), f"{self._metric} on the validation rows",
                   lambda entry: entry.validation),
            column(f"Cross-validated{costs}", crossed,
                   f"Cross-validated {pruned_by} on the training rows, ± its standard error",
                   lambda entry: entry.step.cv_error if entry.step is not None else NAN),
            column(price, lambda entry: words.gain(entry.alpha) if entry.priced and entry.step is not None else "",
                   explained, lambda entry: entry.alpha),
        ]  # fmt: skip


def _ink(entry: Entry) -> QColor | None:
    return theme.current().secondary if entry.point is None else None


def _whole(point: Point) -> Point:
    """The same for the whole tree, whoever it is the first step of."""
    return point if point.step else Point("", 0)
