"""How mixed the target is at a node, by any criterion: the one place that knows which formula a code stands for.

A sufficient statistic `stat` is float64[S]. For classes it holds the weight of every class (S = K);
for a numeric target it holds (Σw, Σwy, Σwy²). All impurities are per unit of weight and concave, so no
split can have a negative gain. The formulas stand in the files of the criteria.

A code is the place of a formula in `engine.criteria.FORMULAS` above the traits of its criterion (`OF_SUMS` and so on,
see `engine.criteria.criterion`), which are all that other kernels branch on. The formulas are put together to one
kernel, `if place == 0: … if place == 1: …`, that ends in NaN: a code that nobody registered is taken for no other.
"""

import math

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, FORMULAS
from engine.criteria.criterion import BREAKS_TIES, OF_SUMS, PLACE
from engine.runtime.compiler import jit, jit_bare, jit_part

Floats = NDArray[np.float64]

GINI, SQUARED_ERROR = CRITERIA["gini"].code, CRITERIA["squared_error"].code


@jit_part
def _unknown(place, stat, total):
    return math.nan


def _chosen(name, formulas, place=0):
    """The kernel that computes the formula at the place that it is told, of those from `place` on; None is passed over.

    It is enclosed in what it calls, which is no harm: kernels that Python calls are kept on disk with all that they
    call, and those are enclosed in nothing.
    """
    if place == len(formulas):
        return _unknown
    further = _chosen(name, formulas, place + 1)
    if formulas[place] is None:
        return further
    formula = jit_part(formulas[place])

    def choose(asked, stat, total):
        return formula(stat, total) if asked == place else further(asked, stat, total)

    choose.__name__ = name
    return jit_part(choose)


_impurity = _chosen("of_impurity", [one.impurity for one in FORMULAS])
_weighted = _chosen("of_weighted", [one.weighted for one in FORMULAS])
_OWN = tuple(place for place, one in enumerate(FORMULAS) if one.weighted is not None)


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


@jit_bare
def weight(code: int, stat: Floats) -> float:
    """The weight that the statistic float64[S] describes."""
    if code & OF_SUMS:
        return stat[0]
    total = 0.0
    for c in range(stat.shape[0]):
        total += stat[c]
    return total


@jit_bare
def impurity(code: int, stat: Floats) -> float:
    """The impurity of a node with the statistic float64[S], per unit of weight; 0 for an empty node.

    The variance loses digits where |mean| is large beside the spread; callers hand in sums of y measured
    from a number near the node's mean, see `centre_of`.
    """
    total = weight(code, stat)
    return max(_impurity(code >> PLACE, stat, total), 0.0) if total > 0.0 else 0.0


@jit_bare
def mixed_of(code: int, stat: Floats, total: float) -> float:
    """Weight times impurity of a branch of the weight `total`."""
    if code >> PLACE in _OWN:
        return _weighted(code >> PLACE, stat, total)
    return total * max(_impurity(code >> PLACE, stat, total), 0.0) if total > 0.0 else 0.0


@jit_bare
def mixed(code: int, stat: Floats) -> float:
    """Weight times impurity of a branch."""
    return mixed_of(code, stat, weight(code, stat))


@jit
def tolerance(code: int, node_impurity: float) -> float:
    """Gains that differ by no more than this count as equal.

    It is 10⁻¹² of the node's impurity, which is far above rounding (a few 10⁻¹⁶) and far below any gain
    that means something. Probabilities have a scale of their own: for classes the impurity counts as at
    least 10⁻³, because log₂ of a share near 1 is only good to 10⁻¹⁶. A numeric target has no scale.
    """
    return 1e-12 * max(node_impurity, 0.0 if code & OF_SUMS else 1e-3)


@jit_bare
def scales(code: int, node: Floats) -> tuple[float, float, float]:
    """(impurity of a node, tolerance of the gains of its splits, tolerance of the second numbers of these gains)."""
    value = impurity(code, node)
    return value, tolerance(code, value), tolerance(GINI, impurity(GINI, node)) if code & BREAKS_TIES else 0.0


@jit
def improves(gain: float, tie: float, best_gain: float, best_tie: float, eps: float, tie_eps: float) -> bool:
    """Whether (gain, tie) is really better than the best so far: lexicographic, up to the tolerances."""
    if gain > best_gain + eps:
        return True
    return gain >= best_gain - eps and tie > best_tie + tie_eps
