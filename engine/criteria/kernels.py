"""How mixed the target is at a node, by any criterion, and the gain of a partition: how much less its branches are.

This is the one place that knows which formula a code stands for.

A sufficient statistic `stat` is float64[S]. For classes it holds the weight of every class (S = K);
for a numeric target it holds (Σw, Σwy, Σwy²). All impurities are per unit of weight and concave, so no
split can have a negative gain. The formulas stand in the files of the criteria.

A code is the place of a formula in `engine.criteria.FORMULAS` above the traits of its criterion (`OF_SUMS` and so on,
see `engine.criteria.criterion`), which are all that other kernels branch on. The formulas are put together to one
kernel, `if place == 0: … if place == 1: …`, that ends in NaN: a code that nobody registered is taken for no other.

    gain = impurity(node) - Σ over branches of weight(branch) / weight(node) · impurity(branch)

The gains of Gini and of the variance are computed from the contrast between the branches instead of a difference of
impurities, see `contrast`: never negative, 0 where nothing is gained, good to a few units in the last place, and
without Σwy². The other gains are differences, cut off at 0. Equal gains of a flat criterion (`BREAKS_TIES`) are told
apart by the Gini gain; that second number is `tie`, 0 for the others.

Absolute deviations, Σ w|y - median|, are at the end: medians do not add up, so rows are looked at one by one. A Fenwick
tree (1994) over the ranks of the target holds the weight and the weighted sum below every rank, so that a row is added
and the median is read in O(log n).
"""

import math

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, FORMULAS
from engine.criteria.criterion import BREAKS_TIES, BY_CONTRAST, OF_COUNTS, OF_SUMS, PLACE
from engine.runtime.compiler import jit, jit_inside, jit_part, jit_within

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


@jit_within
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


@jit_inside
def centred_squares(weight: float, total: float, squares: float) -> float:
    """Σw(y - mean)² from (Σw, Σwd, Σwd²), where d is measured from a number near the mean."""
    if not squares < np.inf:
        return squares
    return max(squares - total * (total / weight), 0.0) if weight > 0.0 else 0.0


@jit
def weight(code: int, stat: Floats) -> float:
    """The weight that the statistic float64[S] describes."""
    if code & OF_SUMS:
        return stat[0]
    total = 0.0
    for c in range(stat.shape[0]):
        total += stat[c]
    return total


@jit
def impurity(code: int, stat: Floats) -> float:
    """The impurity of a node with the statistic float64[S], per unit of weight; 0 for an empty node.

    The variance loses digits where |mean| is large beside the spread; callers hand in sums of y measured
    from a number near the node's mean, see `centre_of`.
    """
    total = weight(code, stat)
    return max(_impurity(code >> PLACE, stat, total), 0.0) if total > 0.0 else 0.0


@jit_inside
def mixed_of(code: int, stat: Floats, total: float) -> float:
    """Weight times impurity of a branch of the weight `total`."""
    if code >> PLACE in _OWN:
        return _weighted(code >> PLACE, stat, total)
    return total * max(_impurity(code >> PLACE, stat, total), 0.0) if total > 0.0 else 0.0


@jit_inside
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


@jit
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


ENTROPY = CRITERIA["entropy"].code
ROUNDING = 1e-12  # a share below this left over by a subtraction is rounding
BITS = 1.0 / math.log(2.0)


@jit_inside
def contrast(part: float, part_weight: float, whole: float, whole_weight: float) -> float:
    """Variance explained by splitting off a part: d² / (w_L · w_R), d = s_L - w_L · s / w.

    s are sums of y (of a 0/1 indicator for a class). With whole numbers s_L · w - w_L · s is exact.
    """
    apart = part_weight * (whole_weight - part_weight)
    if not apart > 0.0:
        return 0.0
    d = (part * whole_weight - part_weight * whole) * (1.0 / whole_weight)
    return d * d / apart


@jit_inside
def rest(whole: float, part: float) -> float:
    """whole - part; what only rounding leaves over is 0 (the slope of sqrt at 0 is infinite)."""
    left_over = whole - part
    return left_over if left_over > ROUNDING * whole else 0.0


@jit_inside
def gini_gain(left: Floats, node: Floats) -> float:
    """Gini gain of splitting `left` off from `node`: the contrasts of all classes added up."""
    part, total = 0.0, 0.0
    for c in range(left.shape[0]):  # not as calls, see `bare`
        part += left[c]
        total += node[c]
    if left.shape[0] == 2:
        return 2.0 * contrast(left[1], part, node[1], total)
    apart = part * (total - part)
    if not apart > 0.0:
        return 0.0
    squares = 0.0
    for c in range(left.shape[0]):
        d = (left[c] * total - part * node[c]) * (1.0 / total)
        squares += d * d
    return squares / apart


@jit_inside
def pair_gain(code: int, left: Floats, right: Floats, node: Floats, node_impurity: float) -> tuple[float, float]:
    """(gain, tie) of two non-empty branches; `node` is their sum, all float64[S]. Numbers read only `left`."""
    if code & BY_CONTRAST:
        return contrast(left[1], left[0], node[1], node[0]) if code & OF_SUMS else gini_gain(left, node), 0.0
    gain = max(node_impurity - (mixed(code, left) + mixed(code, right)) / weight(code, node), 0.0)
    return gain, gini_gain(left, node) if code & BREAKS_TIES else 0.0


@jit_inside
def branch_gain(code: int, branch: Floats, node: Floats, node_impurity: float) -> tuple[float, float]:
    """What one branch adds to (gain, tie); summed over all branches it is those."""
    part, total, last = weight(code, branch), weight(code, node), branch.shape[0]
    if not part > 0.0:
        return 0.0, 0.0
    sums, apart = code & OF_SUMS != 0, 0.0
    if code & (BY_CONTRAST | BREAKS_TIES):
        for c in range(1 if sums else 0, 2 if sums else last):
            d = (branch[c] * total - part * node[c]) * (1.0 / total)
            apart += d * d / (part * total)
    if code & BY_CONTRAST:
        return apart, 0.0
    return part / total * (node_impurity - impurity(code, branch)), apart


@jit
def branches_gain(code: int, branches: Floats) -> tuple[float, float]:
    """(gain, tie) of a partition into branches float64[B, S], any of which may be empty."""
    node = total_of(branches, np.zeros(branches.shape[1]))
    value = impurity(code, node)
    gain, tie = 0.0, 0.0
    for b in range(branches.shape[0]):
        one, other = branch_gain(code, branches[b], node, value)
        gain += one
        tie += other
    return max(gain, 0.0), tie


@jit_part
def entropy_ceiling(left: Floats, node: Floats) -> float:
    """Upper bound of the information gain in bits: Pearson's χ² / (w · ln 2), for a Kullback-Leibler divergence is at
    most the χ² divergence."""
    part, total = weight(OF_COUNTS, left), weight(OF_COUNTS, node)
    apart = part * (total - part)
    if apart == 0.0:
        return np.inf
    chi = 0.0
    for c in range(left.shape[0]):
        if node[c] > 0.0:
            d = left[c] - part * (node[c] / total)
            chi += d * d / node[c]
    return BITS * chi * total / apart


@jit_inside
def total_of(stat: Floats, miss_stat: Floats) -> Floats:
    """The node's statistic: the runs in their order, then the missing rows."""
    node = np.zeros(stat.shape[1])
    for r in range(stat.shape[0]):
        for c in range(stat.shape[1]):
            node[c] += stat[r, c]
    for c in range(stat.shape[1]):
        node[c] += miss_stat[c]
    return node


@jit_inside
def take_away(node: Floats, part: Floats, out: Floats) -> None:
    """out = node - part, for class weights; the gain of a numeric target needs only one of two branches."""
    for c in range(node.shape[0]):
        out[c] = rest(node[c], part[c])


@jit
def larger_side(left_weight: float, right_weight: float) -> int:
    """0 (left) or 1 (right): where missing rows go if the gain does not tell. Equal weights: left."""
    return 0 if left_weight >= right_weight * (1.0 - ROUNDING) else 1


@jit
def split_information(sizes: Floats) -> float:
    """Entropy in bits of the branch weights float64[B].

    The rows whose value is missing are an entry of their own, wherever the split sends them (Quinlan 1993).
    """
    return impurity(ENTROPY, sizes)


HALF = 0.5 - 1e-12  # of the weight; that close to a half it is one, in whatever order the weights were added up


@jit
def running_deviations(ranks, weights, values, order, bounds, out):
    """The deviation of runs 0..r together, for every run r, into out float64[m].

    ranks: int64[n], the place of each row's target among `values`, float64[d] ascending; weights: float64[n], above 0;
    order: int64[k], rows by run; bounds: int64[m + 1], where each run begins in it.
    """
    size = values.size
    below = np.zeros((size + 1, 2))  # the Fenwick tree of (Σw, Σwy)
    top = 1
    while 2 * top <= size:
        top *= 2
    weight, total = 0.0, 0.0
    for r in range(bounds.size - 1):
        for k in range(bounds[r], bounds[r + 1]):
            row = order[k]
            i, share, value = ranks[row] + 1, weights[row], values[ranks[row]]
            while i <= size:
                below[i, 0] += share
                below[i, 1] += share * value
                i += i & -i
            weight += share
            total += share * value
        out[r] = _deviation(below, top, values, weight, total)


@jit_part
def _deviation(below, top, values, weight, total):
    """Σ w|y - median| of what the Fenwick tree holds: `weight` and `total` are its Σw and Σwy."""
    place, under, sum_under, step = 0, 0.0, 0.0, top
    while step > 0:
        if place + step < below.shape[0] and under + below[place + step, 0] < weight * HALF:
            place += step
            under += below[place, 0]
            sum_under += below[place, 1]
        step //= 2
    median = values[min(place, values.size - 1)]
    return max((total - sum_under) - sum_under - median * ((weight - under) - under), 0.0)


@jit
def running_medians(ranks, weights, values, order, bounds, out):
    """The median of runs 0..r together, for every run r, into out float64[m]; NaN where there are no rows yet.

    Args as in `running_deviations`. Where half of the weight ends between two values, it is halfway between them.
    """
    size, total, top = values.size, 0.0, 1
    below = np.zeros(size + 1)  # the Fenwick tree of Σw
    while 2 * top <= size:
        top *= 2
    for r in range(bounds.size - 1):
        for k in range(bounds[r], bounds[r + 1]):
            i = ranks[order[k]] + 1
            total += weights[order[k]]
            while i <= size:
                below[i] += weights[order[k]]
                i += i & -i
        lower, upper = _reaches(below, top, total * HALF), _reaches(below, top, total * (1.0 - HALF))
        out[r] = values[lower] / 2.0 + values[min(upper, size - 1)] / 2.0 if total > 0.0 else np.nan


@jit_part
def _reaches(below, top, weight):
    """The first place of a Fenwick tree up to which at least this weight stands."""
    place, under, step = 0, 0.0, top
    while step > 0:
        if place + step < below.size and under + below[place + step] < weight:
            place += step
            under += below[place]
        step //= 2
    return place


@jit
def running_losses(ranks, weights, values, order, bounds, medians, out):
    """Σ w|y − medians[r]| of runs 0..r together, for every run r, into out float64[m]; args as in `running_medians`."""
    size, weight, total = values.size, 0.0, 0.0
    below = np.zeros((size + 1, 2))  # the Fenwick tree of (Σw, Σwy)
    for r in range(bounds.size - 1):
        for k in range(bounds[r], bounds[r + 1]):
            i, share, value = ranks[order[k]] + 1, weights[order[k]], values[ranks[order[k]]]
            weight += share
            total += share * value
            while i <= size:
                below[i, 0] += share
                below[i, 1] += share * value
                i += i & -i
        i, under, sum_under = np.searchsorted(values, medians[r], side="right"), 0.0, 0.0
        while i > 0:
            under += below[i, 0]
            sum_under += below[i, 1]
            i -= i & -i
        out[r] = max((total - sum_under) - sum_under - medians[r] * ((weight - under) - under), 0.0)


@jit
def branch_deviations(by_value, y, weights, branch, deviation, median):
    """The deviation and the median of every branch, into float64[B] each; 0 and NaN for an empty one.

    by_value: int64[n], rows by ascending y; y, weights: float64[n], weights above 0; branch: int64[n].
    Where the lower half of the weight ends exactly between two values, the median is halfway between them.
    """
    total, passed = np.zeros(median.size), np.zeros(median.size)
    state = np.zeros(median.size, np.uint8)  # 0 below the median, 1 waiting for the upper of two middles, 2 done
    deviation[:], median[:] = 0.0, np.nan
    for k in range(by_value.size):
        total[branch[by_value[k]]] += weights[by_value[k]]
    for k in range(by_value.size):
        row = by_value[k]
        b = branch[row]
        if state[b] == 1:
            median[b] = median[b] / 2.0 + y[row] / 2.0 if y[row] > median[b] else median[b]
            state[b] = 2
        elif state[b] == 0:
            passed[b] += weights[row]
            if passed[b] >= total[b] * HALF:
                median[b] = y[row]
                state[b] = 1 if passed[b] <= total[b] * (1.0 - HALF) else 2
    for k in range(by_value.size):
        row = by_value[k]
        deviation[branch[row]] += weights[row] * abs(y[row] - median[branch[row]])


@jit
def changed_deviations(ranks, weights, values, by_value, bounds, base_weight, base_sum, sign, out):
    """The deviation of many rows with (sign 1) or without (sign -1) those of each part, into out float64[b].

    Only the rows of a part are walked, so all parts together cost no more than one pass over their rows.

    Args:
        ranks, weights, values: as in `running_deviations`.
        by_value: int64[k], the rows by part, in each by ascending rank; bounds: int64[b + 1], where each part begins.
        base_weight, base_sum: float64[d + 1], Σw and Σwy of the many rows below each rank.
    """
    d = values.size
    for p in range(out.size):
        weight, total = base_weight[d], base_sum[d]
        for k in range(bounds[p], bounds[p + 1]):
            weight += sign * weights[by_value[k]]
            total += sign * weights[by_value[k]] * values[ranks[by_value[k]]]
        half, k, low, moved, moved_sum = weight * HALF, bounds[p], np.int64(0), 0.0, 0.0
        while k < bounds[p + 1]:  # up to the next rank that the part has, only the many rows add to the weight below
            rank = ranks[by_value[k]]
            if rank > low and base_weight[rank] + sign * moved >= half:
                break
            while k < bounds[p + 1] and ranks[by_value[k]] == rank:
                moved += weights[by_value[k]]
                moved_sum += weights[by_value[k]] * values[rank]
                k += 1
            low = rank
        high = ranks[by_value[k]] - 1 if k < bounds[p + 1] else d - 1
        while low < high:  # the median is the first of these up to which half of the weight stands
            middle = (low + high) // 2
            if base_weight[middle + 1] + sign * moved >= half:
                high = middle
            else:
                low = middle + 1
        under, sum_under = base_weight[low + 1] + sign * moved, base_sum[low + 1] + sign * moved_sum
        out[p] = max((total - sum_under) - sum_under - values[low] * ((weight - under) - under), 0.0)
