"""The slow and obvious twins of the search: pure Python, exact fractions where the formula allows them.

A statistic is a list of numbers, as in the kernels: one weight per class, or (Σw, Σwy, Σwy²). Gains of Gini,
error and the squared error come out as exact fractions; entropy and sqrt are floats, compared up to 10⁻¹².
"""

import math
from collections import defaultdict
from fractions import Fraction
from itertools import product

from engine.criteria import CRITERIA

CLASS_CRITERIA = ["gini", "entropy", "gain_ratio", "error", "sqrt"]
CODES = {name: CRITERIA[name].code for name in (*CLASS_CRITERIA, "squared_error")}


def weight(name, stat):
    return Fraction(stat[0]) if name == "squared_error" else sum(map(Fraction, stat))


def impurity(name, stat):
    total = weight(name, stat)
    if total == 0:
        return Fraction(0)
    if name == "squared_error":
        return Fraction(stat[2]) / total - (Fraction(stat[1]) / total) ** 2
    shares = [Fraction(count) / total for count in stat]
    if name in ("gini", "logworth", "association"):
        return 1 - sum(p * p for p in shares)
    if name == "error":
        return 1 - max(shares)
    if name == "cubic":
        return (1 - sum(p**3 for p in shares)) / 2
    if name == "sqrt":
        return sum(math.sqrt(p * (1 - p)) for p in shares) / 2
    if name in ("entropy", "gain_ratio"):
        return -sum(float(p) * math.log2(p) for p in shares if p > 0)
    raise ValueError(f"{name} has no slow twin")


def add(*stats):
    return [sum(entries) for entries in zip(*stats, strict=True)]


def gain(name, branches):
    node = add(*branches)
    total = weight(name, node)
    return impurity(name, node) - sum(weight(name, b) / total * impurity(name, b) for b in branches)


def merit(name, branches):
    """(gain, tie): what candidates are compared by."""
    return gain(name, branches), gain("gini", branches) if name == "error" else Fraction(0)


def is_better(new, old, slack=1e-12):
    if abs(new[0] - old[0]) > slack:
        return new[0] > old[0]
    return new[1] - old[1] > slack


def empty(stat):
    return [0] * len(stat)


def allowed(branch_rows, min_leaf):
    return all(n >= max(min_leaf, 1) for n in branch_rows)


def two_branches(stats, rows, side):
    """([left, right] statistics, [left, right] rows) of runs on sides 0 and 1."""
    parts = []
    for s in (0, 1):
        chosen = [i for i in range(len(stats)) if side[i] == s]
        parts.append((add(empty(stats[0]), *(stats[i] for i in chosen)), sum(rows[i] for i in chosen)))
    return [p[0] for p in parts], [p[1] for p in parts]


def best_cut(name, stats, rows, miss_stat, miss_rows, min_leaf):
    """Every cut and both directions. Ties: the lowest cut, then the heavier branch gets the missing rows."""
    best = None
    m = len(stats)
    for cut in range(m if miss_rows else m - 1):
        left, right = add(empty(miss_stat), *stats[: cut + 1]), add(empty(miss_stat), *stats[cut + 1 :])
        heavier = 0 if weight(name, left) >= weight(name, right) else 1
        for missing in (heavier, 1 - heavier) if miss_rows else (heavier,):
            branches, counts = [left, right], [sum(rows[: cut + 1]), sum(rows[cut + 1 :])]
            branches[missing] = add(branches[missing], miss_stat)
            counts[missing] += miss_rows
            if allowed(counts, min_leaf):
                found = (merit(name, branches), cut, missing)
                if best is None or is_better(found[0], best[0]):
                    best = found
    return best


def best_groups(name, stats, rows, miss_stat, miss_rows, min_leaf):
    """The best merit over all partitions into two groups, missing as one more level; None if there is none."""
    levels, sizes = ([*stats, miss_stat], [*rows, miss_rows]) if miss_rows else (stats, rows)
    best = None
    for rest in product((0, 1), repeat=len(levels) - 1):
        branches, counts = two_branches(levels, sizes, (0, *rest))
        if allowed(counts, min_leaf):
            found = merit(name, branches)
            if best is None or is_better(found, best):
                best = found
    return best


def multiway(name, stats, rows, miss_stat, miss_rows, min_leaf):
    """Every run that the missing rows could join: (merit, run). Ties: the heaviest, then the lowest run."""
    best = None
    for run in range(len(stats) if len(stats) > 1 else 0):
        branches, counts = list(stats), list(rows)
        branches[run] = add(stats[run], miss_stat)
        counts[run] += miss_rows
        if allowed(counts, min_leaf):
            found = (merit(name, branches), run)
            tied = best is not None and not is_better(best[0], found[0])
            heavier = best is not None and weight(name, stats[run]) > weight(name, stats[best[1]])
            if best is None or is_better(found[0], best[0]) or (tied and heavier):
                best = found
    return best


def split_information(sizes):
    return float(impurity("entropy", sizes))


def tally(codes, y, part, weights, n_classes):
    """{(part, code): (statistic, rows)} for classes 0..n_classes - 1, or for a numeric y if n_classes is None."""
    counted = defaultdict(lambda: ([0.0] * (n_classes or 3), 0))
    for code, target, p, w in zip(codes, y, part, weights, strict=True):
        stat, rows = counted[p, code]
        entries = [w, w * target, w * target * target] if n_classes is None else None
        for c in range(len(stat)):
            stat[c] += entries[c] if entries else w * (c == target)
        counted[p, code] = (stat, rows + 1)
    return dict(counted)
