"""The slow, obvious twin of the search of all trees: every test of every column, plain recursion, exact fractions.

A row is (codes, y, weight): codes is a tuple, None for missing. A column is ("cut", values) with its values in order,
("groups", levels), ("one", levels) or
("branches", levels, declared levels). A test is a tuple of branches, each a frozenset of values.
"""

from fractions import Fraction
from itertools import product


def tests_of(column, lacking):
    """The different tests of a column on rows that have all these values, and lack some if `lacking`."""
    kind, values = column[:2]
    values = list(values)
    whole = frozenset([*values, *([None] if lacking else [])])
    if kind == "branches":
        branches = [frozenset([value]) for value in column[2]]
        if len(values) + lacking < 2 or len(branches) < 2 or not values:
            return []
        joins = range(len(branches)) if lacking else [None]
        return [tuple(b | {None} if i == join else b for i, b in enumerate(branches)) for join in joins]
    if kind == "cut":
        firsts = [frozenset(values[: i + 1]) for i in range(len(values))]
    elif kind == "groups":
        firsts = [frozenset(v for v, inside in zip(values, mask, strict=True) if inside)
                  for mask in product((0, 1), repeat=len(values))]  # fmt: skip
    else:
        firsts = [frozenset([value]) for value in values] + ([frozenset(values)] if lacking else [])
    if lacking:
        firsts += [first | {None} for first in firsts]
    found = {frozenset([first, whole - first]) for first in firsts if first and whole - first}
    return [tuple(test) for test in found]


def trees(tests, labels, depth):
    """Every tree of at most this depth, written down: a label, or (test, trees of its branches)."""
    found = list(labels)
    if depth:
        below = trees(tests, labels, depth - 1)
        for c, test in tests:
            found += [((c, test), parts) for parts in product(below, repeat=len(test))]
    return found


def leaf_error(rows, number):
    """The weight in error, or Σw(y − mean)²."""
    if not rows:
        return Fraction(0)
    total = sum(w for _, _, w in rows)
    if number:
        mean = sum(w * y for _, y, w in rows) / total
        return sum(w * (y - mean) ** 2 for _, y, w in rows)
    return total - max(sum(w for _, y, w in rows if y == label) for label in {y for _, y, _ in rows})


def least(rows, tests, depth, min_leaf, number):
    """(the least error of a tree of at most this depth, the fewest leaves that reach it)."""
    best = (leaf_error(rows, number), 1)
    for c, test in tests if depth else ():
        parts = [[row for row in rows if row[0][c] in branch] for branch in test]
        filled = [part for part in parts if part]
        if len(filled) > 1 and min(map(len, filled)) >= min_leaf:
            found = [least(part, tests, depth - 1, min_leaf, number) for part in filled]
            leaves = sum(n for _, n in found) + len(parts) - len(filled)
            best = min(best, (sum(error for error, _ in found), leaves))
    return best
