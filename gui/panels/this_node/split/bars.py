"""The bars of the split editor: a node's rows by value or by level, the means over them, and their colours."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QColor

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.panels.this_node.split.ruler import has_missing, training_weights
from gui.widgets import plotting
from gui.widgets.scales import NARROWEST, Scale, around

BINS = 40
SLIVER = 1e-6  # of a bar
RATE, NAME, ROWS, BRANCH, DECLARED = ORDERS = ("rate", "name", "rows", "branch", "declared")  # of levels
PLAIN = Scale()
PALEST = 0.75  # how much of the background the last branch has
MANY = 60  # dots: more are smaller
LOW, ROOM = 0.05, 0.9  # of the height of the plot: where the scale begins, and how much of it there is
FAINT = 0.45  # of a colour: what is around a mean


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars over a numeric axis, or over 0, 1, 2, … for levels.

    Attributes:
        left, right: float64[b], where each bar begins and ends on the axis.
        heights: float64[b, K], training rows (by weight) per class, stacked; K = 1 for a numeric target.
        means, spreads: float64[b], mean and standard deviation of a numeric target (NaN without rows); empty for
            classes.
        labels: what each bar is called; empty for bars over values.
        branches: int64[b], the branch that each level takes; empty for bars over values.
        has_missing: whether the last bar holds the rows where the column is missing.
        omitted: how many levels have no training row in the node and therefore no bar.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    heights: NDArray[np.float64]
    means: NDArray[np.float64]
    spreads: NDArray[np.float64]
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


def value_bars(
    curve: engine.Curve,
    by_class: bool,
    origin: float = 0.0,
    bins: int = BINS,
    scale: Scale = PLAIN,
    seen: tuple[float, float] | None = None,
) -> Bars:
    """The histogram of a numeric column at one node, in O(bars · log distinct values) once the curve has its sums;
    missing stands apart on the right.

    Args:
        bins: how many bars the whole range has at most.
        scale: of the axis.
        seen: the part of the axis that is looked at: only its bars are made, and narrower ones where it is small.
    """
    values, before = np.asarray(curve.values), curve.train_before
    full = _edges(values, bins, scale, curve.kind == "integer")
    edges = full if seen is None else _finer(full, seen, whole=curve.kind == "integer" and not scale.log)
    at = np.array([scale.value(float(edge)) for edge in edges])
    bounds = np.searchsorted(values, at, side="left")
    bounds[0] = 0 if edges[0] <= full[0] else bounds[0]
    bounds[-1] = len(values) if edges[-1] >= full[-1] else bounds[-1]
    starts, stops = bounds[:-1], bounds[1:]
    sums = before[stops] - before[starts]
    if not by_class:
        sums[:, 2] = curve.squares_between(starts, stops)
    left, right = edges[:-1], edges[1:]
    missing = has_missing(curve, by_class)
    if missing:
        width, end = full[1] - full[0], full[-1]
        left, right = np.append(left, end + 0.5 * width), np.append(right, end + 1.5 * width)
        sums = np.vstack([sums, curve.missing_train])
    none = np.empty(0, dtype=np.int64)
    return Bars(left, right, *_heights(sums, by_class, origin), (), none, missing)


def level_bars(
    curve: engine.Curve, by_class: bool, focus: int, split: engine.Split | None, origin: float = 0.0, by: str = ""
) -> Bars:
    """One bar per level with rows; missing comes last.

    Args:
        by: one of `ORDERS`: by rising share of the focus class (or mean), by name, the most rows first, by branch and
            then as the first, or as declared. If it is not given, as declared for an ordered column, otherwise by rate.
            As declared, all levels of an ordered column have a bar, so that cuts stand between them at i + ½.
    """
    by = by or (DECLARED if curve.kind == "ordered" else RATE)
    split = split if split is not None and split.kind == "groups" else None  # literals give a level no branch
    train = np.asarray(curve.train)
    weight = training_weights(curve, by_class)
    present = np.flatnonzero(weight > 0)
    branch_of = {level: b for b, group in enumerate(split.groups) for level in group} if split else {}
    taken = np.array([branch_of.get(level, split.unseen if split else -1) for level in curve.levels], dtype=np.int64)
    if by == DECLARED:
        present = order = np.arange(len(train)) if curve.kind == "ordered" else present
    else:
        rate = train[present, focus if by_class else 1] / weight[present]
        keys = {RATE: (rate,), ROWS: (rate, -weight[present]), BRANCH: (rate, taken[present])}
        if by == NAME:
            order = np.array(sorted(present.tolist(), key=lambda i: natural(curve.levels[i])), dtype=np.int64)
        else:
            order = present[np.lexsort((present, *keys[by]))]
    sums, labels = train[order], [curve.levels[i] for i in order]
    branches = taken[order].tolist()
    missing = has_missing(curve, by_class)
    if missing:
        sums, labels = np.vstack([sums, curve.missing_train]), [*labels, tr("missing")]
        branches.append(split.missing if split else -1)
    at = np.arange(len(labels), dtype=np.float64)
    return Bars(
        at - 0.4, at + 0.4, *_heights(sums, by_class, origin), tuple(labels), np.array(branches, dtype=np.int64),
        missing, len(train) - len(present),
    )  # fmt: skip


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key by which "item 9" stands before "item 10", whatever the case of the letters."""
    parts = re.split(r"(\d+)", name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def _edges(values: NDArray[np.float64], bins: int, scale: Scale = PLAIN, whole: bool = False) -> NDArray[np.float64]:
    """The edges of the bars over all finite values, on the axis: one bar per whole number where there are few,
    otherwise equal widths, of whole numbers where the values are."""
    finite = values[plotting.inside(values)]
    if len(finite) == 0:
        return np.array([-0.5, 0.5])
    low, high = scale.place(float(finite[0])), scale.place(float(finite[-1]))
    if not scale.log:
        few = len(finite) <= bins and high - low < bins
        if few and np.array_equal(finite, np.round(finite)):
            return np.arange(low - 0.5, high + 1.0)
        if whole:
            step = math.ceil((high - low + 1) / bins)
            return low - 0.5 + step * np.arange(math.ceil((high - low + 1) / step) + 1.0)
    if not high - low > NARROWEST:
        return np.array(around(low, high))
    return np.linspace(low, high, bins + 1)


def _finer(edges: NDArray[np.float64], seen: tuple[float, float], whole: bool) -> NDArray[np.float64]:
    """The edges of the bars in a part of the axis: each bar is halved as often as the part fits into the whole.

    The same part has the same edges wherever it is scrolled to. Whole numbers are not halved.
    """
    low, high = max(seen[0], edges[0]), min(seen[1], edges[-1])
    if not high > low:
        return edges
    width = float(edges[1] - edges[0])
    halved = max(0, math.floor(math.log2(float(edges[-1] - edges[0]) / (high - low))))
    fine = max(1.0, math.ceil(width / 2.0**halved)) if whole else width / 2.0**halved
    if whole and width % fine:  # or else the edges would move with the zoom
        fine = max(step for step in range(1, int(fine) + 1) if width % step == 0)
    first = math.floor((low - edges[0]) / fine)
    last = max(first + 1, math.ceil((high - edges[0]) / fine))
    made = edges[0] + fine * np.arange(first, last + 1.0)
    inside = made < edges[-1] - SLIVER * fine  # rounding makes no bar of its own
    return made if inside.all() else np.append(made[inside], edges[-1])


def _heights(
    sums: NDArray[np.float64], by_class: bool, origin: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """(heights[b, K], means[b], spreads[b]) from class counts, or from a numeric target's statistics, as in
    `Tree.train`, with y less `origin`."""
    if by_class:
        return sums, np.empty(0), np.empty(0)
    each = np.full((len(sums), 2), np.nan)
    np.divide(sums[:, 1:], sums[:, :1], out=each, where=sums[:, :1] > 0)
    return sums[:, :1], each[:, 0] + origin, np.sqrt(each[:, 1])


def branch_tone(branch: int, n_branches: int) -> QColor:
    """From the accent for the first branch to a pale one for the last."""
    colours = theme.current()
    return theme.mix(colours.accent, colours.card, PALEST * branch / max(1, n_branches - 1))


def bar_colour(tree: engine.Tree, k: int, focus: int) -> QColor:
    """The colour of class `k`, or of the plain bars of a numeric target."""
    colours = theme.current()
    return colours.class_colour(k, len(tree.classes), focus) if tree.classes else colours.ribbon


def mean_places(bars: Bars, top: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the mean of each bar stands, float64[b], and the ends of its spread, float64[b, 2], between 0 and `top`.

    All spreads have room: the scale goes from the least to the largest of their ends. NaN for bars without rows.
    """
    ends = bars.means[:, None] + bars.spreads[:, None] * np.array([-1.0, 1.0])
    known = ends[np.isfinite(ends)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    step = top * ROOM / (high - low if high > low else 1.0)
    return top * LOW + step * (bars.means - low), top * LOW + step * (ends - low)


def mean_items(bars: Bars, top: float) -> list[pg.GraphicsObject]:
    """What is drawn: a faint line as long as the spread, the line that joins the means of values, and their dots."""
    heights, ends = mean_places(bars, top)
    known, colour = np.isfinite(heights), theme.current().positive
    thin = plotting.pen(colour, 1)
    spreads = pg.PlotCurveItem(np.repeat(bars.centres[known], 2), ends[known].ravel(), pen=thin, connect="pairs")
    spreads.setOpacity(FAINT)
    joined = 0 if bars.labels else len(heights) - bars.has_missing
    means = pg.PlotCurveItem(bars.centres[:joined], heights[:joined], pen=thin, connect="finite")
    look = {"size": 6 if known.sum() <= MANY else 3, "pen": None, "brush": plotting.brush(colour)}
    return [spreads, means, pg.ScatterPlotItem(bars.centres[known], heights[known], **look)]
