"""The rows of the table beside the chart: what every method chooses, the trees of the curves, the optimal front."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.pruning import METHODS, why_not
from gui.model.editing.cutback import Cutback
from gui.model.editing.pruning_choices import FRONT, NO_RULE, Point, lacks_rule
from gui.panels.prune.drawing import line_name
from gui.panels.prune.metric import Figures, Yardstick, usual

if TYPE_CHECKING:
    from engine.pruning.result import Pruning, Step

NAN = float("nan")
NOT_YET = "not computed yet"
OPTIMAL = "optimal front"  # what the trees of the front are called


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
