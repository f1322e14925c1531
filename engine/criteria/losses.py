"""What the answers of training rows cost on other rows: the gain of a split there, and how far a gain scatters.

The impurity times the weight, F(m) of the class counts m, is homogeneous and concave. So its derivative by the count of
class k at the training counts is the loss of a row of class k under the answer that these counts give, by the proper
scoring rule that belongs to the impurity (Savage 1971): of Gini the squared (Brier) score, of the entropy the logarithm
of the share, of the training error whether the label is wrong, of a numeric target the squared distance from the mean.
Rows that did not choose a split gain by it what its branches' answers save them,

    gain = Σ over branches b and classes k of q(b, k) · d(b, k),     d(b, k) = loss(node, k) − loss(branch b, k)

with q(b, k) their share of class k in branch b and d of the training rows. On the training rows themselves that is the
gain; elsewhere it is negative where the answers mislead. To first order d is also what one more row adds to the gain
whatever the sample: the standard error of a gain on n rows is the standard deviation of d over √n (the delta method;
von Mises 1947).
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.criteria import BINNED, CRITERIA, impurities
from engine.criteria.criterion import COUNTS, SUMS, Criterion

Floats = NDArray[np.float64]

STEP = 1e-6  # of the rows, by which a derivative is taken where none is given
CELLS = 1 << 16  # that are computed at once: they stay in the cache


def gain_on(criterion: str, train: Floats, other: Floats, row: float) -> float:
    """What a split gains on rows that did not make it: by how much the answers of its branches lower their loss.

    Args:
        criterion: of COUNTS or SUMS, or a binned one, of whose bins the statistics are.
        train, other: float64[B, S], the statistics of the branches: of the rows that give the answers, and of those
            that are judged. Sums of a numeric target are measured from the same number.
        row: the weight of a row. Half of one is added to every class where a class without rows has no finite loss.

    Returns:
        NaN without rows that are judged.
    """
    return float(gains_on(criterion, train[:, :, None], other[:, :, None], row)[0])


def gains_on(criterion: str, train: Floats, other: Floats, row: float) -> Floats:
    """`gain_on` of n splits, float64[n]; train, other: float64[B, S, n]."""
    one, (_, size, n) = CRITERIA[BINNED.get(criterion, criterion)], train.shape
    found, block = np.empty(n), max(CELLS // size, 1)
    for at in range(0, n, block):
        some = slice(at, at + block)
        found[some] = _saved(one, train[:, :, some], other[:, :, some], row)
    return found


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


def _saved(one: Criterion, train: Floats, other: Floats, row: float) -> Floats:
    node = train.sum(axis=0)
    if one.statistic == SUMS:
        usual = _mean(node, np.zeros(node.shape[1]))
        means = np.stack([_mean(branch, usual) for branch in train])
        saved, weight = (means - usual) * (2 * other[:, 1] - (means + usual) * other[:, 0]), other[:, 0].sum(axis=0)
    else:
        less = row / 2 if one.unbounded else 0.0
        usual = losses(one, node + less)
        saved = np.stack([
            (judged * np.where(branch.sum(axis=0) > 0, usual - losses(one, branch + less), 0.0)).sum(axis=0)
            for branch, judged in zip(train, other, strict=True)
        ])  # fmt: skip
        weight = other.sum(axis=(0, 1))
    return np.divide(saved.sum(axis=0), weight, out=np.full(weight.shape, np.nan), where=weight > 0)


def _mean(stats: Floats, empty: Floats) -> Floats:
    """The mean of (Σw, Σwy, …), float64[S, n]; what is told of it where there are no rows."""
    return np.divide(stats[1], stats[0], out=empty.copy(), where=stats[0] > 0)


def _of_classes(stats: Floats, one: Criterion) -> tuple[float, float, float]:
    """(Σw, Σwd, Σwd²) over branches and classes."""
    d = losses(one, stats.sum(axis=0)[:, None]) - losses(one, stats.T)
    return float(stats.sum()), float((stats.T * d).sum()), float((stats.T * d * d).sum())


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


def losses(one: Criterion, counts: Floats) -> Floats:
    """The loss of a row of each class under the answer that class counts give, float64[K, n] for float64[K, n].

    0 where there are no counts; of a class without rows the loss from the side of more rows.
    """
    total = counts.sum(axis=0)
    counts = np.where(total > 0, counts, 1.0)
    if one.slope is not None:
        return np.where(total > 0, one.slope(counts), 0.0)
    found, step = np.empty_like(counts), STEP * counts.sum(axis=0)
    for k in range(counts.shape[0]):
        more, less = counts.copy(), counts.copy()
        more[k] += step
        less[k] = np.maximum(less[k] - step, 0.0)
        high, low = (impurities(one.name, each.T) * each.sum(axis=0) for each in (more, less))
        found[k] = (high - low) / (more[k] - less[k])
    return np.where(total > 0, found, 0.0)
