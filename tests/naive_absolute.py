"""Absolute error the slow way: medians by sorting, every cut and every division of levels tried one by one."""

from fractions import Fraction
from itertools import product


def median(y, w):
    """The weighted median of fractions; halfway between two where half the weight ends between them."""
    rows = sorted(zip(y, w, strict=True))
    total, passed = sum(w), 0
    for k, (value, weight) in enumerate(rows):
        passed += weight
        if 2 * passed == total and k + 1 < len(rows):
            return (value + rows[k + 1][0]) / 2
        if 2 * passed >= total:
            return value
    return None


def deviation(y, w):
    """Σ w|y − median|; 0 without rows."""
    middle = median(y, w)
    return sum((weight * abs(value - middle) for value, weight in zip(y, w, strict=True)), Fraction(0))


def gain(y, w, branch):
    """The exact gain of a division of rows; `branch` names one of each row."""
    apart = sum(
        deviation(
            [a for a, b in zip(y, branch, strict=True) if b == k], [a for a, b in zip(w, branch, strict=True) if b == k]
        )
        for k in set(branch)
    )
    return (deviation(y, w) - apart) / sum(w)


def large_enough(branch, min_leaf):
    """Whether there are two branches or more, each of min_leaf rows."""
    return len(set(branch)) > 1 and all(branch.count(k) >= min_leaf for k in set(branch))


def cuts(x, y, w, min_leaf=1, limits=None):
    """The largest gain of any cut of the numbers x, None for missing; None where there is none."""
    present = sorted({value for value in x if value is not None})
    gains = []
    for value, missing in product(present, (0, 1)):
        if limits is not None and value not in limits and value != present[-1]:
            continue
        branch = [missing if v is None else int(v > value) for v in x]
        if large_enough(branch, min_leaf):
            gains.append(gain(y, w, branch))
    return max(gains, default=None)


def limits(x, w, buckets):
    """The values after which a bucket ends: the nearest in weight to j/k of what is present, ties to the lower."""
    present = sorted({value for value in x if value is not None})
    passed = [sum(weight for v, weight in zip(x, w, strict=True) if v is not None and v <= value) for value in present]
    found = set()
    for j in range(1, buckets):
        apart = [abs(Fraction(p) - Fraction(j * passed[-1], buckets)) for p in passed[:-1]]
        if apart:
            found.add(present[apart.index(min(apart))])
    return sorted(found)


def groups(c, y, w, min_leaf=1):
    """The largest gain of any division of the levels c into two; a missing one, None, is a level."""
    levels = sorted(set(c), key=str)
    gains = []
    for sides in product((0, 1), repeat=len(levels)):
        branch = [sides[levels.index(level)] for level in c]
        if large_enough(branch, min_leaf):
            gains.append(gain(y, w, branch))
    return max(gains, default=None)
