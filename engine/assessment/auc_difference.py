"""Whether one tree ranks the rows of a class better than another: the difference of two areas under ROC curves that
come from the same rows (DeLong, DeLong and Clarke-Pearson 1988).

The test is one of two given trees on rows that neither of them has seen. On rows that chose one of the trees it is too
sure, as every test is. With few rows of a class DeLong's normal distribution is too sure, too. So t is used, with the
degrees of freedom by which Brunner and Munzel (2000) compare two samples by ranks; and of fewer than twenty rows of
either kind nothing is tested: with ten it finds a difference in 10 % of the tables where 5 would be right, with twenty
in 2 to 6 % (tests/honesty/auc_difference.py).
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

from engine.assessment.calibration import DIGITS
from engine.assessment.intervals import NAN, Floats

FEWEST = 20  # rows of the class, and of the others, that are tested


class AucDifference(NamedTuple):
    """Two areas under the ROC curve of one class against the rest; nan where the class or the others have no rows.

    Attributes:
        label: the class.
        first, second: the areas of both trees.
        difference: the first less the second.
        interval: 95 % of the difference.
        p_value: that areas which are the same would differ as much; nan, as the interval, where what there is of the
            class or of the others is worth fewer than twenty rows, or a standard error is 0.
    """

    label: str
    first: float
    second: float
    difference: float
    interval: tuple[float, float]
    p_value: float


def auc_difference(
    label: str, scores: tuple[Floats, Floats], is_class: NDArray[np.bool_], weights: Floats, are_counts: bool
) -> AucDifference:
    """Compares two scores of the same rows.

    Args:
        label: the class.
        scores: float64[n] of each tree: the probability that it gives the class.
        is_class: bool[n].
        weights: float64[n], what the rows count. The means are weighted, and so many rows of each kind are counted as
            these are worth: (Σw)² ÷ Σw² (Kish 1965), or Σw of frequencies.
        are_counts: whether the weights are frequencies.
    """
    areas, errors, freedom = [NAN, NAN], [], []
    components = [_components(one, is_class, weights) for one in scores]
    for kind in (is_class, ~is_class):
        w = weights[kind]
        total = float(w.sum())
        if not total > 0:
            return AucDifference(label, NAN, NAN, NAN, (NAN, NAN), NAN)
        areas = [float(w @ each[kind]) / total for each in components]
        apart = components[0][kind] - components[1][kind]
        rows = total if are_counts else total**2 / float(w @ w)
        spread = float(w @ (apart - (areas[0] - areas[1])) ** 2) / total
        errors.append(spread / (rows - 1) if rows >= FEWEST else NAN)
        freedom.append(rows - 1)
    difference, se = areas[0] - areas[1], sqrt(sum(errors))
    if not se > 0:
        alike = se == 0 and abs(difference) < 10.0**-DIGITS
        said = ((difference, difference), 1.0) if alike else ((NAN, NAN), NAN)
        return AucDifference(label, areas[0], areas[1], difference, *said)
    n = se**4 / sum(one**2 / rows for one, rows in zip(errors, freedom, strict=True))  # Satterthwaite (1946)
    reach, p = float(t.ppf(0.975, n)) * se, float(2 * t.sf(abs(difference) / se, n))
    return AucDifference(label, areas[0], areas[1], difference, (difference - reach, difference + reach), p)


def _components(score: Floats, is_class: NDArray[np.bool_], weights: Floats) -> Floats:
    """float64[n]: for a row of the class the share of other rows with a lower score, for another row the share of the
    class with a higher one, ties counted by half. Either averages to the area."""
    values, group = np.unique(score.round(DIGITS), return_inverse=True)
    found = np.empty(score.size)
    for kind, sign in ((is_class, 1), (~is_class, -1)):
        among = np.bincount(group[~kind], weights[~kind], values.size)[::sign]
        total = among.sum()
        below = ((np.cumsum(among) - among / 2) / total if total > 0 else np.full(values.size, NAN))[::sign]
        found[kind] = below[group[kind]]
    return found
