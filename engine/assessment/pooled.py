"""What rows find in the leaves of several trees, each of which was made without them: what figures are made of whose
rows had no part in any tree, as in cross-validation."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.assessment.calibration import DIGITS
from engine.assessment.intervals import NAN, Floats
from engine.assessment.leaf_counts import LeafCounts
from engine.tree.leaves import LeafRule


@dataclass(frozen=True, eq=False)
class PooledCounts:
    """The leaves of all trees, one after the other, and the rows behind each other in the same order; see `LeafCounts`
    for what each says. The trees themselves are not kept: there may be one for each row.

    Probabilities of different trees are not put in one order: where a fold has more rows of a class, its tree has seen
    fewer, so trees without any skill would rank rows against what they are (Parker, Günter and Bedo 2007: areas far
    below ½). What ranks a row is its place among the rows of its own fold.

    Attributes:
        ranked: float64[n_leaves, K], the share of the weight of the fold that has a lower probability of the class,
            ties counted by half: ½ for a tree of one leaf. NaN in a fold of a single row, which has no order.
    """

    part: str
    task: str
    classes: tuple[str, ...]
    rule: LeafRule
    predicts_median: bool
    n: int
    counts: Floats
    squares: Floats
    labels: NDArray[np.int64]
    said: Floats
    ranked: Floats
    drawn: Floats
    paid: Floats
    weight: Floats
    reweighed: Floats
    profits: Floats
    profit: Floats
    weights: Floats
    y: Floats
    residual: Floats


def reached(of: LeafCounts) -> PooledCounts:
    """What rows find in one tree: the leaves that they reach."""
    there = of.rows_of_leaf > 0
    told: dict[str, Any] = {
        "part": of.part, "task": of.tree.task, "classes": of.classes if of.tree.task == "classes" else (),
        "rule": of.tree.leaf_rule, "predicts_median": of.tree.predicts_median, "n": of.n, "weights": of.weights,
    }  # fmt: skip
    none = np.zeros(0)
    if of.tree.task == "number":
        told |= {"y": of.y, "residual": of.residual}
        return PooledCounts(**{name: none for name in _ARRAYS} | told)
    told["ranked"] = _ranked(of.said if of.said is not None else of.drawn, of.weight, of.n)[there]
    names = ("counts", "squares", "labels", "said", "drawn", "paid", "weight", "reweighed", "profits", "profit")
    return PooledCounts(**told, **{name: getattr(of, name)[there] for name in names}, y=none, residual=none)


def _ranked(said: Floats, weight: Floats, n: int) -> Floats:
    found = np.full(said.shape, NAN)
    if n > 1 and weight.sum() > 0:
        for k, column in enumerate(said.T):
            _, place = np.unique(column.round(DIGITS), return_inverse=True)
            each = np.bincount(place, weight)
            found[:, k] = ((np.cumsum(each) - each / 2) / weight.sum())[place]
    return found


def pooled(trees: Sequence[PooledCounts], share: float = 1.0) -> PooledCounts:
    """All of them as one, every row counting by a share of its weight: where there are repeats, 1 ÷ their number."""
    found: dict[str, Any] = {name: np.concatenate([getattr(one, name) for one in trees]) for name in _ARRAYS}
    found |= {name: found[name] * share for name in _WEIGHED}
    return replace(trees[0], n=round(sum(one.n for one in trees) * share), **found)


_PLAIN = ("part", "task", "classes", "rule", "predicts_median", "n")
_ARRAYS = tuple(one.name for one in fields(PooledCounts) if one.name not in _PLAIN)
_WEIGHED = ("counts", "squares", "paid", "weight", "reweighed", "profits", "profit", "weights")
