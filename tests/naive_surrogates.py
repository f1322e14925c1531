"""The slow and obvious twin of `search.surrogates`: every cut of every other column, row by row, in exact fractions."""

from fractions import Fraction
from itertools import pairwise


def is_there(value):
    return value is not None and value == value


def surrogates(frame, names, own, branch_of, numeric, everyone=False):
    """(adjusted agreement, column, what it sends to branch 0, or the low side's branch) of each column, best first.

    Args:
        frame: the training rows of the node; weights in "w", if it has that column.
        names: the features, in order.
        own: the column of the split.
        branch_of: row -> the branch of a row that has its value.
        numeric: column -> whether it is cut; else its levels are divided.
        everyone: whether rows that lack the other value disagree.

    Returns:
        For a cut (adjusted, column, (low value, high value), branch of the low side), for levels (adjusted, column,
        ({levels of branch 0}, {of branch 1}), None).
    """
    weights = [Fraction(w) for w in frame["w"]] if "w" in frame else [Fraction(1)] * len(frame)
    found = []
    for place, name in enumerate(names):
        if name == own:
            continue
        values = frame[name].tolist()
        rows = [r for r in range(len(frame)) if is_there(values[r]) and is_there(frame[own].iloc[r])]
        by_side = [sum((weights[r] for r in rows if branch_of(r) == b), Fraction(0)) for b in (0, 1)]
        if numeric(name):
            best = _cut(values, rows, weights, branch_of)
        else:
            best = _levels(values, rows, weights, branch_of, by_side, 1 if everyone else 2)
        if everyone:
            known = [r for r in range(len(frame)) if is_there(frame[own].iloc[r])]
            by_side = [sum((weights[r] for r in known if branch_of(r) == b), Fraction(0)) for b in (0, 1)]
        total, majority = sum(by_side), max(by_side)
        if majority == total:
            continue
        if best is not None and best[0] > majority:
            adjusted = (best[0] - majority) / (total - majority)
            found.append((adjusted, place, name, *best[1:]))
    found.sort(key=lambda one: (-one[0], one[1]))
    return [(one[0], *one[2:]) for one in found[:5]]


def _cut(values, rows, weights, branch_of):
    best = None
    present = sorted({value for value in values if is_there(value)})
    for low, high in pairwise(present):
        below = [r for r in rows if values[r] <= low]
        if min(len(below), len(rows) - len(below)) < 2:
            continue
        for first in (0, 1):
            agreed = sum(weights[r] for r in rows if (branch_of(r) == first) == (values[r] <= low))
            if best is None or agreed > best[0]:
                best = agreed, (low, high), first
    return best


def _levels(values, rows, weights, branch_of, by_side, least):
    usual = 0 if by_side[0] >= by_side[1] else 1
    groups, agreed, sizes = (set(), set()), Fraction(0), [0, 0]
    for level in sorted({values[r] for r in rows}):
        inside = [r for r in rows if values[r] == level]
        ways = [sum((weights[r] for r in inside if branch_of(r) == b), Fraction(0)) for b in (0, 1)]
        way = usual if ways[0] == ways[1] else int(ways[1] > ways[0])
        groups[way].add(str(level))
        agreed += ways[way]
        sizes[way] += len(inside)
    return (agreed, groups, None) if min(sizes) >= least else None
