"""The slow and obvious twin of growing: every split of every column is tried at every node, in exact fractions.

A table is a list of columns, a target for every row and a weight for every row; nothing is missing. A column is
(kind, values) with kind "number", where values are numbers, or "nominal", where they are 0, 1, … for its declared
levels. What the engine leaves to chance (which of several equally good groupings of levels) is left to `settle`.
"""

from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple

from tests import naive


class Columns(NamedTuple):
    """The features, (kind, values) each, and the number of declared levels of each (0 for numbers)."""

    values: list
    levels: list


class Node(NamedTuple):
    """rows: in ascending order; column and branches (the rows of each): None and () for a leaf."""

    rows: tuple
    column: int | None = None
    branches: tuple = ()


def statistic(pairs, n_classes):
    """What `naive` wants of (target, weight) pairs."""
    if n_classes is None:
        return [sum(Fraction(w) * Fraction(y) ** power for y, w in pairs) for power in (0, 1, 2)]
    return [sum(Fraction(w) for y, w in pairs if y == k) for k in range(n_classes)]


def distance(pairs):
    """Σ w·|y − median|, the median the lowest target below or at which half of the weight lies."""
    below, half = Fraction(0), sum(Fraction(w) for _, w in pairs) / 2
    for median, w in sorted(pairs):
        below += Fraction(w)
        if below >= half:
            return sum(Fraction(w) * abs(Fraction(y) - Fraction(median)) for y, w in pairs)
    return Fraction(0)


def merit(criterion, branches, n_classes):
    """(gain, tie) of branches given as (target, weight) pairs; branches may be empty."""
    if criterion == "absolute_error":
        whole = [pair for branch in branches for pair in branch]
        return (distance(whole) - sum(map(distance, branches))) / sum(Fraction(w) for _, w in whole), Fraction(0)
    return naive.merit(criterion, [statistic(pairs, n_classes) for pairs in branches])


def information(branches):
    """The entropy of the branch sizes, in bits."""
    return naive.split_information([sum(Fraction(w) for _, w in pairs) for pairs in branches])


def partitions(kind, values, n_levels, rows, nominal):
    """Every way to split rows by one column, a list of branches each; cuts from the lowest on."""
    present = sorted({values[r] for r in rows})
    if kind == "number":
        for low, _ in pairwise(present):
            yield [[r for r in rows if values[r] <= low], [r for r in rows if values[r] > low]]
    elif nominal == "multiway":
        if len(present) > 1:
            yield [[r for r in rows if values[r] == level] for level in range(n_levels)]
    elif nominal == "one_vs_rest":
        for level in present if len(present) > 2 else present[:-1]:
            yield [[r for r in rows if values[r] == level], [r for r in rows if values[r] != level]]
    else:
        for rest in product((0, 1), repeat=len(present) - 1):
            side = dict(zip(present, (0, *rest), strict=True))
            if any(rest):
                yield [[r for r in rows if side[values[r]] == s] for s in (0, 1)]


def best_of_column(branches_of, target, criterion, min_leaf, n_classes):
    """(merit, all partitions that have it) among those that leave every branch with rows enough of them."""
    best, found = None, []
    for branches in branches_of:
        if any(0 < len(rows) < min_leaf for rows in branches):
            continue
        one = merit(criterion, [[target[r] for r in rows] for rows in branches], n_classes)
        if best is None or naive.is_better(one, best):
            best, found = one, []
        if not naive.is_better(best, one):
            found.append(tuple(map(tuple, branches)))
    return best, found


def best_splits(columns, target, rows, criterion, nominal, min_leaf, n_classes):
    """(gain, column, partitions): the first of the best columns and all its best partitions; None if none splits."""
    found = []
    for column, (kind, values) in enumerate(columns.values):
        ways = partitions(kind, values, columns.levels[column], rows, nominal)
        best, splits = best_of_column(ways, target, criterion, min_leaf, n_classes)
        if best is not None:
            found.append((best, column, splits))
    if criterion == "gain_ratio" and found:
        crowd = Fraction(3, 10) * len(target)  # C4.5: so many levels have no part in the average
        few = [entry for entry in found if nominal != "multiway" or columns.levels[entry[1]] < crowd] or found
        bar = sum(best[0] for best, _, _ in few) / len(few) - Fraction(1, 1000)
        passing = [entry for entry in found if entry[0][0] >= bar]
        ratios = [best[0] / information([[target[r] for r in b] for b in splits[0]]) for best, _, splits in passing]
        first = next(i for i, ratio in enumerate(ratios) if ratio > max(ratios) - 1e-12)
        return passing[first][0][0], *passing[first][1:]
    first = None
    for entry in found:
        if first is None or naive.is_better(entry[0], first[0]):
            first = entry
    return first and (first[0][0], *first[1:])


def grow(
    columns, y, weights, n_classes, settle, *, criterion, nominal="groups", min_rows=2, min_leaf=1, min_gain=0.0,
    max_depth=10**6,
):  # fmt: skip
    """The nodes in preorder. `settle(position, partitions)` says which of the equally good partitions is taken."""
    target = list(zip(y, weights, strict=True))
    nodes, todo = [], [(tuple(range(len(y))), 0)]
    while todo:
        rows, depth = todo.pop()
        found = None
        if depth < max_depth and len(rows) >= max(min_rows, 2 * min_leaf) and len({y[r] for r in rows}) > 1:
            found = best_splits(columns, target, rows, criterion, nominal, min_leaf, n_classes)
        if found is None or found[0] < min_gain - 1e-12:
            nodes.append(Node(rows))
            continue
        _, column, splits = found
        branches = settle(len(nodes), splits) if len(splits) > 1 else splits[0]
        assert branches in splits
        nodes.append(Node(rows, column, branches))
        todo += [(branch, depth + 1) for branch in reversed(branches)]
    return nodes


def naive_branch(split, frame, row):
    """The branch of one row, from the values alone."""
    if split.kind == "m_of_n":
        return int(sum(naive_literal(literal, frame[literal.column].iloc[row]) for literal in split.literals) < split.m)
    value = frame[split.column].iloc[row]
    if value is None or value != value:
        for surrogate in split.surrogates:
            other = frame[surrogate.split.column].iloc[row]
            if other is not None and other == other:
                return naive_branch(surrogate.split, frame, row) ^ surrogate.flipped
        return split.missing
    if split.kind == "threshold":
        return sum(value > threshold for threshold in split.thresholds)
    for branch, group in enumerate(split.groups):
        if str(value) in group:
            return branch
    return split.unseen


def naive_literal(literal, value):
    if value is None or value != value:
        return False
    if literal.test in ("<=", ">"):
        return (value <= literal.value) == (literal.test == "<=")
    return (str(value) == literal.value) == (literal.test == "==")


def naive_leaf(tree, frame, row):
    i = 0
    while tree.split_at(i) is not None:
        i = tree.children(i)[naive_branch(tree.split_at(i), frame, row)]
    return i
