"""The rows of the table beside the chart: what every method chooses, the trees of the curves, the optimal front."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.pruning import METHODS, why_not
from gui.cutback import Cutback
from gui.panels.pruning_drawing import line_name
from gui.panels.pruning_metric import Yardstick, usual
from gui.pruning_choices import FRONT, Point

if TYPE_CHECKING:
    from engine.pruning import Pruning, Step

NAN = float("nan")
NOT_YET = "not computed yet"


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


def entries(cutback: Cutback, yardstick: Yardstick) -> list[Entry]:
    """All rows; none without a chart."""
    choices, line, base = cutback.choices, cutback.line, cutback.base
    if choices is None or base is None:
        return []
    rows = []
    for name, method in METHODS.items():
        found = choices.found.get(name)
        chosen = name == cutback.method
        if found is None:
            waiting = "being computed…" if name in choices.pending or chosen else NOT_YET
            reason = why_not(name, base.table) or choices.faults.get(name) or waiting
            rows.append(Entry(None, method.label, None, reason=reason))
            continue
        of_method = _of(yardstick, name, name, found, chosen)
        rows.append(of_method[found.chosen]._replace(name=method.label, bold=chosen))
    if line is not None:
        rows += _of(yardstick, line_name(line[0]), line[0], line[1], True)
    front = choices.found.get(FRONT)
    if front is not None and (line is None or line[0] != FRONT) and yardstick.metric == usual(base.tree):
        rows += [entry._replace(name="optimal front") for entry in _of(yardstick, FRONT, FRONT, front, False)]
    return rows


def _of(yardstick: Yardstick, name: str, method: str, pruning: Pruning, priced: bool) -> list[Entry]:
    """A row for every step."""
    figures = yardstick.of(name, pruning)
    n = len(pruning.steps)
    train, validation = (figures["train"], figures["validation"]) if figures is not None else ([NAN] * n, [NAN] * n)
    return [
        Entry(Point(method, i), "", step, float(train[i]), float(validation[i]), priced=priced)
        for i, step in enumerate(pruning.steps)
    ]  # fmt: skip
