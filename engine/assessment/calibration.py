"""Whether probabilities are what they say: leaf by leaf, and all together by Murphy's parts of the Brier score."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.assessment.intervals import NAN, Floats, wilson_of

DIGITS = 12  # probabilities that are equal in these are one forecast: priors and smoothing round them


class Calibration(NamedTuple):
    """What leaves say of one class and what came true; by leaf, from left to right.

    Attributes:
        node: int64[n_leaves], the ids.
        said: float64[n_leaves], the probability that the leaf gives to the class.
        seen: float64[n_leaves], the share of the class among the rows of the part; nan without rows.
        interval: float64[n_leaves, 2], Wilson's of that share.
        weight: float64[n_leaves], of the rows of the part.
        rows: float64[n_leaves], what they are worth in a test.
    """

    node: NDArray[np.int64]
    said: Floats
    seen: Floats
    interval: Floats
    weight: Floats
    rows: Floats


class Murphy(NamedTuple):
    """The parts of the Brier score (Murphy 1973): it is reliability − resolution + uncertainty, all summed over the
    classes as the score is; nan without rows.

    Attributes:
        reliability: how far the probabilities are from the shares of the rows that got them; 0 is best.
        resolution: how far these shares are from those of all rows; more is better.
        uncertainty: what is to be explained: Σ share × (1 − share), the Gini impurity of all rows.
    """

    reliability: float
    resolution: float
    uncertainty: float


def calibration(node: NDArray[np.int64], said: Floats, hits: Floats, weight: Floats, rows: Floats) -> Calibration:
    """By leaf, all [n_leaves]: its id, what it says of a class, the weight of the class and of all rows, and what
    these are worth."""
    seen = np.divide(hits, weight, out=np.full(weight.size, NAN), where=weight > 0)
    return Calibration(node, said, seen, wilson_of(seen, rows), weight, rows)


def murphy(said: Floats, counts: Floats) -> Murphy:
    """The parts by groups of leaves that say the same of every class.

    Args:
        said: float64[n_leaves, K], the probabilities.
        counts: float64[n_leaves, K], the weight of each class.
    """
    total = counts.sum()
    if not total > 0:
        return Murphy(NAN, NAN, NAN)
    group = _equal_rows(np.rint(said * 10.0**DIGITS).astype(np.int64))
    of_group = np.zeros((int(group.max()) + 1, counts.shape[1]))
    np.add.at(of_group, group, counts)
    forecast = np.zeros(of_group.shape)
    forecast[group] = said
    weight = of_group.sum(axis=1)
    there = weight > 0
    weight, shares, all_rows = weight[there], of_group[there] / weight[there, None], counts.sum(axis=0) / total
    reliability = weight @ ((forecast[there] - shares) ** 2).sum(axis=1) / total
    resolution = weight @ ((shares - all_rows) ** 2).sum(axis=1) / total
    return Murphy(float(reliability), float(resolution), float((all_rows * (1 - all_rows)).sum()))


def _equal_rows(array: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[n]: the same number for equal rows of int64[n, K], from 0 on."""
    order = np.lexsort(array.T)
    ordered = array[order]
    group = np.empty(order.size, np.int64)
    group[order] = np.append(0, np.cumsum((ordered[1:] != ordered[:-1]).any(axis=1)))
    return group
