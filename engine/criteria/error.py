"""The training error: 1 − max p. It is concave, but not strictly, so equal gains are told apart by their Gini gain."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.criteria.criterion import Criterion, Floats
from engine.runtime.sentences import marked

TIE = 1e-12  # of the weight: classes that differ by less are equal; sums of fractions turn ties into near ones


def impurity(stat: Any, total: Any) -> Any:
    """See `Criterion.impurity`."""
    largest = stat[0]
    for c in range(1, stat.shape[0]):
        largest = np.maximum(largest, stat[c])
    return (total - largest) / total


def weighted(stat: Any, total: Any) -> Any:
    """See `Criterion.weighted`."""
    if stat.shape[0] == 2:
        return min(stat[0], stat[1])
    largest = stat[0]
    for c in range(1, stat.shape[0]):
        largest = max(largest, stat[c])
    return total - largest


def _terms(_: Sequence[str], largest: str) -> str:
    return f"1 − {largest}"


def _slope(counts: Floats) -> Floats:
    """The answer is the first of the classes that are largest but for rounding, as in `engine.tree.leaves`."""
    found, largest = np.ones_like(counts), counts.max(axis=0) - TIE * counts.sum(axis=0)
    np.put_along_axis(found, np.argmax(counts >= largest, axis=0)[None], 0.0, axis=0)
    return found


ERROR = Criterion(
    "error", marked("Training error"), "classes", marked("1 − max pₖ"),
    marked("The share of rows that the majority label gets wrong; blind to splits that do not change a label."),
    marked("0.8 → 0.6 / 1.0: 0.2 − ½·0.4 − ½·0 = 0: it sees no progress."),
    marked("Error"), impurity, weighted, _terms, _slope, curve_name=(0.12, (0.0, 0.0), False), breaks_ties=True,
)  # fmt: skip
