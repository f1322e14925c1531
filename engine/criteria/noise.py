"""How far a gain scatters from one sample to the next: whether what was seen on training rows is missing elsewhere.

A gain is a mean over rows. The impurity times the weight, F(m) of the class counts m, is homogeneous, so

    gain = Σ over branches b and classes k of q(b, k) · d(b, k),     d(b, k) = ∂F(node)/∂k − ∂F(branch b)/∂k

with q the share of rows of class k in branch b, and to first order a row of class k in branch b adds d(b, k) to the
mean whatever the sample. Its standard error on n rows is the standard deviation of d over √n (the delta method; von
Mises 1947). Of a numeric target the rows of branch b add (y − mean)² − (y − mean of b)².
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import BINNED

Floats = NDArray[np.float64]


def noise_of_gain(criterion: str, branches: Sequence[Floats], rows: float) -> float:
    """The standard error of a gain on `rows` rows that are drawn like those of the branches.

    Args:
        criterion: by which the gain is measured; "gain_ratio" means its information gain.
        branches: the statistic float64[S] of each, as in `Candidate.train`; weights count as rows.
        rows: how many rows are drawn.

    Returns:
        NaN where the statistics do not tell it (the absolute error, the binned criteria), and without rows.
    """
    stats = np.stack(branches)
    if criterion == "squared_error":
        shares, mean, second = _of_numbers(stats)
    elif criterion in (*BINNED, "absolute_error"):
        return math.nan
    else:
        shares, mean, second = _of_classes(stats, criterion)
    if not (rows > 0 and shares > 0):
        return math.nan
    return math.sqrt(max(second / shares - (mean / shares) ** 2, 0.0) / rows)


def _of_classes(stats: Floats, criterion: str) -> tuple[float, float, float]:
    """(Σw, Σwd, Σwd²) over branches and classes."""
    slope = _SLOPES[criterion]  # a KeyError for a criterion that nobody has derived
    d = slope(stats.sum(axis=0)) - np.stack([slope(stat) for stat in stats])
    return float(stats.sum()), float((stats * d).sum()), float((stats * d * d).sum())


def _of_numbers(stats: Floats) -> tuple[float, float, float]:
    """The same of (Σw, Σwy, Σw(y − mean)²): a row of branch b adds δ² + 2δ(y − mean of b), δ from mean to mean."""
    weights, sums, squares = stats.T
    used = weights > 0
    weights, sums, squares = weights[used], sums[used], squares[used]
    away = sums / weights - sums.sum() / weights.sum() if weights.size else weights
    return (
        float(weights.sum()),
        float((weights * away**2).sum()),
        float((weights * away**4 + 4 * away**2 * squares).sum()),
    )


def _gini(stat: Floats) -> Floats:
    p = _shares(stat)
    return 1 - 2 * p + (p * p).sum()


def _entropy(stat: Floats) -> Floats:
    p = _shares(stat)
    return -np.log2(p, out=np.zeros_like(p), where=p > 0)


def _error(stat: Floats) -> Floats:
    slope = np.ones_like(stat)
    slope[int(np.argmax(stat))] = 0.0
    return slope


def _sqrt(stat: Floats) -> Floats:
    p = _shares(stat)
    height = np.sqrt(p * (1 - p))
    inverse = np.divide(1.0, height, out=np.zeros_like(p), where=height > 0)
    others = (p * inverse).sum() - p * inverse
    return 0.25 * ((1 - p) * inverse + others)


def _shares(stat: Floats) -> Floats:
    total = float(stat.sum())
    return stat / total if total > 0 else np.zeros_like(stat)


_SLOPES = {"gini": _gini, "entropy": _entropy, "gain_ratio": _entropy, "error": _error, "sqrt": _sqrt}
