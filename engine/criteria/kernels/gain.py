"""The gain of a partition: how much less mixed the branches are than the node.

    gain = impurity(node) - Σ over branches of weight(branch) / weight(node) · impurity(branch)

The gains of Gini and of the variance are computed from the contrast between the branches instead of a
difference of impurities, see `contrast`: never negative, 0 where nothing is gained, good to a few units in
the last place, and without Σwy². The other gains are differences, cut off at 0. Equal gains of a flat criterion
(`BREAKS_TIES`) are told apart by the Gini gain; that second number is `tie`, 0 for the others.
"""

import math

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA
from engine.criteria.criterion import BREAKS_TIES, BY_CONTRAST, OF_COUNTS, OF_SUMS
from engine.criteria.kernels.impurity import impurity, mixed, weight
from engine.runtime.compiler import jit, jit_bare, jit_part

Floats = NDArray[np.float64]

ENTROPY = CRITERIA["entropy"].code
ROUNDING = 1e-12  # a share below this left over by a subtraction is rounding
BITS = 1.0 / math.log(2.0)


@jit
def contrast(part: float, part_weight: float, whole: float, whole_weight: float) -> float:
    """Variance explained by splitting off a part: d² / (w_L · w_R), d = s_L - w_L · s / w.

    s are sums of y (of a 0/1 indicator for a class). With whole numbers s_L · w - w_L · s is exact.
    """
    apart = part_weight * (whole_weight - part_weight)
    if not apart > 0.0:
        return 0.0
    d = (part * whole_weight - part_weight * whole) * (1.0 / whole_weight)
    return d * d / apart


@jit
def rest(whole: float, part: float) -> float:
    """whole - part; what only rounding leaves over is 0 (the slope of sqrt at 0 is infinite)."""
    left_over = whole - part
    return left_over if left_over > ROUNDING * whole else 0.0


@jit_bare
def gini_gain(left: Floats, node: Floats) -> float:
    """Gini gain of splitting `left` off from `node`: the contrasts of all classes added up."""
    part, total = weight(OF_COUNTS, left), weight(OF_COUNTS, node)
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


@jit_bare
def pair_gain(code: int, left: Floats, right: Floats, node: Floats, node_impurity: float) -> tuple[float, float]:
    """(gain, tie) of two non-empty branches; `node` is their sum, all float64[S]. Numbers read only `left`."""
    if code & BY_CONTRAST:
        return contrast(left[1], left[0], node[1], node[0]) if code & OF_SUMS else gini_gain(left, node), 0.0
    gain = max(node_impurity - (mixed(code, left) + mixed(code, right)) / weight(code, node), 0.0)
    return gain, gini_gain(left, node) if code & BREAKS_TIES else 0.0


@jit_bare
def _contrast_of(branch, node, first, last, part, total):
    """What a branch of weight `part` adds to a gain by contrast, over the entries first..last - 1 of the statistics."""
    gain = 0.0
    for c in range(first, last):
        d = (branch[c] * total - part * node[c]) * (1.0 / total)
        gain += d * d / (part * total)
    return gain


@jit_bare
def branch_gain(code: int, branch: Floats, node: Floats, node_impurity: float) -> tuple[float, float]:
    """What one branch adds to (gain, tie); summed over all branches it is those."""
    part, total, last = weight(code, branch), weight(code, node), branch.shape[0]
    if not part > 0.0:
        return 0.0, 0.0
    if code & BY_CONTRAST:
        sums = code & OF_SUMS != 0
        return _contrast_of(branch, node, 1 if sums else 0, 2 if sums else last, part, total), 0.0
    tie = _contrast_of(branch, node, 0, last, part, total) if code & BREAKS_TIES else 0.0
    return part / total * (node_impurity - impurity(code, branch)), tie


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


@jit
def total_of(stat: Floats, miss_stat: Floats) -> Floats:
    """The node's statistic: the runs in their order, then the missing rows."""
    node = np.zeros(stat.shape[1])
    for r in range(stat.shape[0]):
        for c in range(stat.shape[1]):
            node[c] += stat[r, c]
    for c in range(stat.shape[1]):
        node[c] += miss_stat[c]
    return node


@jit_bare
def total_rows(rows: NDArray[np.int64]) -> int:
    """The rows of all runs."""
    total = 0
    for r in range(rows.shape[0]):
        total += rows[r]
    return total


@jit_bare
def take_away(node: Floats, part: Floats, out: Floats) -> None:
    """out = node - part, for class weights; the gain of a numeric target needs only one of two branches."""
    for c in range(node.shape[0]):
        out[c] = rest(node[c], part[c])


@jit
def larger_side(left_weight: float, right_weight: float) -> int:
    """0 (left) or 1 (right): where missing rows go if the gain does not tell. Equal weights: left."""
    return 0 if left_weight >= right_weight * (1.0 - ROUNDING) else 1


@jit_bare
def split_information(sizes: Floats) -> float:
    """Entropy in bits of the branch weights float64[B].

    The rows whose value is missing are an entry of their own, wherever the split sends them (Quinlan 1993).
    """
    return impurity(ENTROPY, sizes)
