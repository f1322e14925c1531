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

from engine.criteria import CRITERIA, impurities
from engine.criteria.criterion import COUNTS, SUMS, Criterion

Floats = NDArray[np.float64]

STEP = 1e-6  # of the rows, by which a derivative is taken where none is given


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
    one = CRITERIA[criterion]
    if one.statistic == SUMS:
        shares, mean, second = _of_numbers(stats)
    elif one.statistic == COUNTS:
        shares, mean, second = _of_classes(stats, one)
    else:
        return math.nan
    if not (rows > 0 and shares > 0):
        return math.nan
    return math.sqrt(max(second / shares - (mean / shares) ** 2, 0.0) / rows)


def _of_classes(stats: Floats, one: Criterion) -> tuple[float, float, float]:
    """(Σw, Σwd, Σwd²) over branches and classes."""
    d = _slope(one, stats.sum(axis=0)) - np.stack([_slope(one, stat) for stat in stats])
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


def _slope(one: Criterion, counts: Floats) -> Floats:
    """∂F/∂k at the class counts; of a class without rows from the side of more rows, and 0 of an empty branch."""
    total = float(counts.sum())
    if not total > 0:
        return np.zeros_like(counts)
    if one.slope is not None:
        return one.slope(counts)
    step = STEP * total
    moved = counts + step * np.eye(counts.size), np.maximum(counts - step * np.eye(counts.size), 0.0)
    more, less = (impurities(one.name, each) * each.sum(axis=1) for each in moved)
    return (more - less) / (moved[0] - moved[1]).sum(axis=1)
