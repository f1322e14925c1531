"""The bars of the split editor: a node's rows by value or by level, as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.panels import plotting

if TYPE_CHECKING:
    import engine

BINS = 40


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars over a numeric axis, or over 0, 1, 2, … for levels.

    Attributes:
        left, right: float64[b], where each bar begins and ends.
        heights: float64[b, K], training rows (by weight) per class, stacked; K = 1 for a numeric target.
        means: float64[b], mean of a numeric target (NaN without rows); empty for classes.
        labels: what each bar is called; empty for bars over values.
        branches: int64[b], the branch that each level takes; empty for bars over values.
        has_missing: whether the last bar holds the rows where the column is missing.
        omitted: how many levels have no training row in the node and therefore no bar.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    heights: NDArray[np.float64]
    means: NDArray[np.float64]
    labels: tuple[str, ...]
    branches: NDArray[np.int64]
    has_missing: bool
    omitted: int = 0

    @property
    def totals(self) -> NDArray[np.float64]:
        """Rows per bar, float64[b]."""
        return self.heights.sum(axis=1)

    @property
    def centres(self) -> NDArray[np.float64]:
        """The middle of each bar, float64[b]."""
        return (self.left + self.right) / 2


def value_bars(curve: engine.Curve, by_class: bool, origin: float = 0.0, bins: int = BINS) -> Bars:
    """The histogram of a numeric column at one node, in O(distinct values); missing stands apart on the right."""
    values, train = np.asarray(curve.values), np.asarray(curve.train)
    edges = _edges(values, bins)
    starts = np.searchsorted(values, edges[:-1], side="left")
    starts[0] = 0
    stops = np.append(starts[1:], len(values))
    sums = np.zeros((len(starts), train.shape[1]))
    filled = np.flatnonzero(starts < stops)
    if len(filled):
        sums[filled] = np.add.reduceat(train, starts[filled], axis=0)
    left, right = edges[:-1], edges[1:]
    missing = np.asarray(curve.missing_train)
    has_missing = bool(missing.size and missing[: None if by_class else 1].sum() > 0)
    if has_missing:
        width = right[-1] - left[-1]
        left, right = np.append(left, right[-1] + 1.5 * width), np.append(right, right[-1] + 2.5 * width)
        sums = np.vstack([sums, missing])
    none = np.empty(0, dtype=np.int64)
    return Bars(left, right, *_heights(sums, by_class, origin), (), none, has_missing)


def level_bars(
    curve: engine.Curve, by_class: bool, focus: int, split: engine.Split | None, origin: float = 0.0
) -> Bars:
    """One bar per level with rows, by rising share of the focus class (or mean); missing comes last.

    The levels of an ordered column all have a bar, in their order, so that cuts stand between them at i + ½.
    """
    split = split if split is not None and split.kind == "groups" else None  # literals give a level no branch
    train = np.asarray(curve.train)
    weight = train.sum(axis=1) if by_class else train[:, 0]
    present = np.flatnonzero(weight > 0)
    if curve.kind == "ordered":
        present = order = np.arange(len(train))
    else:
        rate = train[present, focus if by_class else 1] / weight[present]
        order = present[np.lexsort((present, rate))]
    sums, labels = train[order], [curve.levels[i] for i in order]
    branch_of = {level: b for b, group in enumerate(split.groups) for level in group} if split else {}
    branches = [branch_of.get(label, split.unseen if split else -1) for label in labels]
    missing = np.asarray(curve.missing_train)
    has_missing = bool(missing.size and missing[: None if by_class else 1].sum() > 0)
    if has_missing:
        sums, labels = np.vstack([sums, missing]), [*labels, "missing"]
        branches.append(split.missing if split else -1)
    at = np.arange(len(labels), dtype=np.float64)
    return Bars(
        at - 0.4, at + 0.4, *_heights(sums, by_class, origin), tuple(labels), np.array(branches, dtype=np.int64),
        has_missing, len(train) - len(present),
    )  # fmt: skip


def _edges(values: NDArray[np.float64], bins: int) -> NDArray[np.float64]:
    """Bin edges over the finite values: one bin per whole number where there are few, otherwise equal widths."""
    finite = values[plotting.inside(values)]
    if len(finite) == 0:
        return np.array([-0.5, 0.5])
    low, high = float(finite[0]), float(finite[-1])
    if len(finite) <= bins and high - low < bins and np.array_equal(finite, np.round(finite)):
        return np.arange(low - 0.5, high + 1.0)
    if not high > low:
        half = max(abs(low) * 0.05, 0.5)
        return np.array([low - half, low + half])
    return np.linspace(low, high, bins + 1)


def _heights(
    sums: NDArray[np.float64], by_class: bool, origin: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(heights[b, K], means[b]) from class counts, or from (Σw, Σwy, Σwy²) of the target minus `origin`."""
    if by_class:
        return sums, np.empty(0)
    means = np.full(len(sums), np.nan)
    np.divide(sums[:, 1], sums[:, 0], out=means, where=sums[:, 0] > 0)
    return sums[:, :1], means + origin
