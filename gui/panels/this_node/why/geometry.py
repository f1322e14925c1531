"""The impurity figure as numbers: curves, the node and its branches on one of them, and the chord between. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

import engine
from engine.criteria import DEFAULT, curve_scale
from engine.criteria.criterion import SUMS

MEANS = DEFAULT["number"]  # the criterion whose curve is over means instead of shares
MOST_NAME = 20  # letters of a class beside the drop
SPREAD, BEYOND = (
    1.5,
    1.2,
)  # how far the parabola is drawn: standard deviations of the node, and times the farthest branch


@dataclass(frozen=True)
class Point:
    """A node on the curve: where (a share or a mean), how high, its share of the rows, and its name."""

    x: float
    y: float
    share: float
    name: str


@dataclass(frozen=True)
class Geometry:
    """What the figure shows.

    Attributes:
        chosen: the criterion whose curve is strong.
        curves: by name, (x, y).
        node, branches: on that curve. mean: the height of the chord at the node.
        drop: what the segment between node and chord is worth in the criterion's own unit; that of the arithmetic
            unless the figure asks another question.
        question: that question, "“Gentoo” alone"; empty where the figure is of the whole split.
        axis: what runs along the horizontal axis. height: and what along the other one.
        remark: what has to be said so that nobody reads too much into it; empty where there is nothing.
    """

    chosen: str
    curves: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]
    node: Point
    branches: tuple[Point, ...]
    mean: float
    drop: float
    axis: str
    height: str
    remark: str
    question: str = ""


@cache
def _curves() -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    found = engine.curves_over_q()
    return {name: (found["q"], found[name]) for name in found if name != "q"}


def geometry(found: engine.Candidate, criterion: str, tree: engine.Tree, focus: int) -> Geometry | str:
    """The figure of a candidate, or why there is none."""
    stats = np.stack(found.train)
    if tree.task == "number":
        if engine.CRITERIA[criterion].statistic != SUMS:
            label, usual = (engine.CRITERIA[name].label for name in (criterion, DEFAULT[tree.task]))
            return f"{label} is no function of a node's mean, so there is no curve to draw; choose {usual} for one."
        drawn = _parabola(stats, tree)
    else:
        drawn = _of_classes(stats, criterion, tree, focus)
    if isinstance(drawn, str) or drawn.question:
        return drawn
    return replace(drawn, drop=max(engine.arithmetic(found, criterion).drop, 0.0))


def _of_classes(stats: NDArray[np.float64], criterion: str, tree: engine.Tree, focus: int) -> Geometry:
    """The focus class against the rest; where it has no row in the node, the class that has most."""
    here = stats.sum(axis=0)
    focus = focus if here[focus] > 0 or len(tree.classes) == 2 else int(here.argmax())
    chosen = engine.CRITERIA[criterion].measures or criterion
    one, scale = engine.CRITERIA[chosen], curve_scale(chosen)
    two = np.column_stack([stats[:, focus], stats.sum(axis=1) - stats[:, focus]])
    points = [_point(chosen, row, two.sum(), f"{b + 1}") for b, row in enumerate(two) if row.sum() > 0]
    if len(points) == 2:
        points = [Point(one.x, one.y, one.share, name) for one, name in zip(points, "pr", strict=True)]
    node = _point(chosen, two.sum(axis=0), two.sum(), "q")
    mean = math.fsum(one.share * one.y for one in points)
    drop = (node.y - mean) * (1.0 / scale)
    remarks, question = [], ""
    if len(tree.classes) > 2:
        name = tree.classes[focus]
        question = f"“{name if len(name) <= MOST_NAME else name[: MOST_NAME - 1] + '…'}” alone"
        remarks.append(
            f"The figure asks only for “{tree.classes[focus]}” against the rest: no single q tells a node of "
            f"{len(tree.classes)} classes. Its drop is that of this question, the sum has all classes."
        )
    if scale != 1.0:
        times = "half" if scale == 0.5 else f"{scale:.3g} times"
        remarks.append(f"{one.label} is drawn at {times} its {one.unit or 'value'}, so that all curves meet at ½.")
    axis = f"share of “{tree.classes[focus]}”"
    said = " ".join(remarks)
    return Geometry(chosen, _curves(), node, tuple(points), mean, max(drop, 0.0), axis, "impurity", said, question)


def _point(criterion: str, counts: NDArray[np.float64], total: float, name: str) -> Point:
    weight = float(counts.sum())
    x = float(counts[0]) / weight
    return Point(x, engine.scaled_impurity(criterion, counts), weight / float(total), name)


def _parabola(stats: NDArray[np.float64], tree: engine.Tree) -> Geometry | str:
    """The variance of a numeric target: V − (m − mean)², on which the branches stand by their means. The chord at the
    node's mean is V − Σ share · (mᵦ − mean)², exactly the mean variance of the branches."""
    stats = stats[stats[:, 0] > 0]
    shares = stats[:, 0] / stats[:, 0].sum()
    means = stats[:, 1] / stats[:, 0]
    mean = float(shares @ means)
    drop = float(shares @ (means - mean) ** 2)
    variance = float(stats[:, 2].sum() / stats[:, 0].sum()) + drop
    farthest = float(np.abs(means - mean).max())
    reach = max(SPREAD * math.sqrt(variance), BEYOND * farthest)  # the axes stand still while most cuts are dragged
    if not farthest > 0:
        return "All branches have the mean of the node: the chord is a point, and the drop is 0."
    x = np.linspace(mean - reach, mean + reach, 121)
    y = variance - (x - mean) ** 2
    names = "pr" if len(means) == 2 else [str(b + 1) for b in range(len(means))]
    points = tuple(
        Point(float(m) + tree.origin, variance - float(m - mean) ** 2, float(share), name)
        for m, share, name in zip(means, shares, names, strict=True)
    )
    return Geometry(
        MEANS, {MEANS: (x + tree.origin, y)}, Point(mean + tree.origin, variance, 1.0, "q"), points,
        variance - drop, drop, f"mean of {tree.target}", "variance", "",
    )  # fmt: skip
