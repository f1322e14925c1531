"""How mixed the target is at a node: the criteria as integer codes, one branch for each.

A sufficient statistic `stat` is float64[S]. For classes it holds the weight of every class (S = K);
for a numeric target it holds (Σw, Σwy, Σwy²). All impurities are per unit of weight and concave, so no
split can have a negative gain. Probabilities are p_c = stat[c] / Σ stat.

    0  gini           Σ p(1 - p) = 1 - Σ p²                       Breiman et al. 1984
    1  entropy        -Σ p log₂ p, in bits                        Quinlan 1986
    2  gain_ratio     the impurity is the entropy; columns are ranked by the ratio (`ranking.choose_column`)
    3  error          1 - max p; not strictly concave, so equal gains are told apart by their Gini gain
    4  sqrt           ½ Σ √(p(1 - p))                             Kearns and Mansour 1996; K = 2: √(p(1 - p))
    5  squared_error  the variance Σwy² / Σw - (Σwy / Σw)²        Breiman et al. 1984

    6  absolute_error Σ w|y - median| / Σw is no function of sums; see `engine.criteria.kernels.absolute`

Everything that branches on the code of a criterion of classes either comes back to `impurity` for one that it does not
know, or answers NaN.
"""

import math

import numpy as np
from numpy.typing import NDArray

from engine.runtime.compiler import jit, jit_bare, shared

Floats = NDArray[np.float64]

GINI = 0
ENTROPY = 1
GAIN_RATIO = 2
ERROR = 3
SQRT = 4
SQUARED_ERROR = 5
ABSOLUTE_ERROR = 6


@jit
def centre_of(total: float, weight: float, low: float, high: float) -> float:
    """A number near the mean of a node, from which its targets are measured: sums around it lose no digits.

    It is the mean rounded to a power of two about a thousandth of the range: whole numbers stay whole (times a power
    of two), so their sums stay exact, and summing in another order leads to the same centre.

    Args:
        total, weight: Σwy and Σw; low, high: the least and the largest y.
    """
    spread = high - low
    if not (weight > 0.0 and 0.0 < spread < np.inf):
        return low if spread == 0.0 else 0.0
    mean = total / weight
    step = math.ldexp(1.0, math.frexp(spread)[1] - 10)
    near = np.rint(mean / step) * step if step > 0.0 else mean
    return near if np.isfinite(near) else 0.0


@jit
def centred_squares(weight: float, total: float, squares: float) -> float:
    """Σw(y - mean)² from (Σw, Σwd, Σwd²), where d is measured from a number near the mean."""
    if not squares < np.inf:
        return squares
    return max(squares - total * (total / weight), 0.0) if weight > 0.0 else 0.0


@shared
@jit_bare
def weight(code: int, stat: Floats) -> float:
    """The weight that the statistic float64[S] describes."""
    if code == SQUARED_ERROR:
        return stat[0]
    total = 0.0
    for c in range(stat.shape[0]):
        total += stat[c]
    return total


@shared
@jit_bare
def impurity(code: int, stat: Floats) -> float:
    """The impurity of a node with the statistic float64[S], per unit of weight; 0 for an empty node.

    The variance loses digits where |mean| is large beside the spread; callers hand in sums of y measured
    from a number near the node's mean, see `centre_of`.
    """
    total = weight(code, stat)
    if not total > 0.0:
        return 0.0
    if code == SQUARED_ERROR:
        mean = stat[1] / total
        return max(stat[2] / total - mean * mean, 0.0)
    mixed = 0.0
    if code == ERROR:
        largest = 0.0
        for c in range(stat.shape[0]):
            largest = max(largest, stat[c])
        return max((total - largest) / total, 0.0)
    for c in range(stat.shape[0]):
        p = stat[c] / total
        if p > 0.0:
            if code == GINI:
                mixed += p * ((total - stat[c]) / total)
            elif code == SQRT:
                mixed += 0.5 * math.sqrt(max(p * ((total - stat[c]) / total), 0.0))
            elif code in (ENTROPY, GAIN_RATIO):
                mixed -= p * math.log2(p)
            else:
                mixed = math.nan  # no such code: `engine.criteria.criterion.kernel_code` raises
    return max(mixed, 0.0)


@shared
@jit
def tolerance(code: int, node_impurity: float) -> float:
    """Gains that differ by no more than this count as equal.

    It is 10⁻¹² of the node's impurity, which is far above rounding (a few 10⁻¹⁶) and far below any gain
    that means something. Probabilities have a scale of their own: for classes the impurity counts as at
    least 10⁻³, because log₂ of a share near 1 is only good to 10⁻¹⁶. A numeric target has no scale.
    """
    floor = 0.0 if code in (SQUARED_ERROR, ABSOLUTE_ERROR) else 1e-3
    return 1e-12 * max(node_impurity, floor)


@shared
@jit
def improves(gain: float, tie: float, best_gain: float, best_tie: float, eps: float, tie_eps: float) -> bool:
    """Whether (gain, tie) is really better than the best so far: lexicographic, up to the tolerances."""
    if gain > best_gain + eps:
        return True
    return gain >= best_gain - eps and tie > best_tie + tie_eps
