"""The slow twins of `engine.m_of_n`: the same climb row by row, and all m-of-n splits there are."""

from itertools import combinations, pairwise
from typing import NamedTuple

from tests.naive import allowed, empty, is_better, merit

NEGATION = {"<=": ">", ">": "<=", "==": "!=", "!=": "=="}


class Rows(NamedTuple):
    """The training rows of a table: their values by column (None for missing), and the statistic of each."""

    columns: dict  # name -> (whether numeric, [value])
    stats: list
    name: str
    min_leaf: int
    pooled: dict  # name -> levels that are not asked for


def rows_of(table, name, min_leaf=1, pool=0):
    train = [row for row in range(table.n_rows) if table.part[row] == 0]
    columns = {}
    for place in table.features:
        column = table.columns[place]
        values = [column.values[column.codes[row] - 1] if column.codes[row] else None for row in train]
        columns[column.name] = column.is_numeric, values
    stats = []
    for row in train:
        w = 1.0 if table.weights is None else float(table.weights[row])
        if table.task == "classes":
            stats.append([w * (table.y[row] == k) for k in range(len(table.classes))])
        else:
            y = float(table.y[row])
            stats.append([w, w * y, w * y * y])
    pooled = {
        column.name: {level for level in columns[column.name][1] if columns[column.name][1].count(level) < pool}
        for column in (table.columns[place] for place in table.features)
        if column.kind in ("nominal", "boolean")
    }
    return Rows(columns, stats, name, min_leaf, pooled)


def literals_of(rows):
    """All (column, test, value), by column, value, test, of two levels the later first; without missing values their
    "=" is enough."""
    found = []
    for name, (numeric, values) in rows.columns.items():
        present = sorted({value for value in values if value is not None})
        if numeric:
            cuts = [low / 2 + high / 2 for low, high in pairwise(present)]
            found += [(name, test, cut) for cut in cuts for test in ("<=", ">")]
        else:
            ordered = present[::-1] if len(present) == 2 else present
            asked = [level for level in ordered if level not in rows.pooled.get(name, ())]
            tests = ("==",) if len(asked) == len(present) == 2 and None not in values else ("==", "!=")
            found += [(name, test, level) for level in asked for test in tests]
    return found


def holds(literal, value):
    _, test, asked = literal
    if value is None:
        return False
    if test in ("<=", ">"):
        return (value <= asked) == (test == "<=")
    return (value == asked) == (test == "==")


def mask(rows, literal):
    """The rows where a literal holds, as the bits of one integer."""
    values = rows.columns[literal[0]][1]
    return sum(1 << i for i, value in enumerate(values) if holds(literal, value))


def merit_of(rows, masks, m, known):
    """(gain, tie) of the split, None where a branch has too few rows; known: what was computed before."""
    n = len(rows.stats)
    inside = sum(1 << i for i in range(n) if sum(one >> i & 1 for one in masks) >= m)
    if inside not in known:
        sides = [[rows.stats[i] for i in range(n) if (inside >> i & 1) == side] for side in (1, 0)]
        sums = [[sum(entries) for entries in zip(*side, strict=True)] or empty(rows.stats[0]) for side in sides]
        fits = allowed([len(side) for side in sides], rows.min_leaf)
        known[inside] = merit(rows.name, sums) if fits else None
    return known[inside]


def opposed(one, other, literals):
    """Whether one literal is the negation of the other."""
    same = one[0] == other[0]
    if same and one[1] == other[1] == "==" and (one[0], "!=", one[2]) not in literals:
        return one[2] != other[2]  # the two levels of a column
    return same and one[2] == other[2] and other[1] == NEGATION[one[1]]


def climb(rows, most=16):
    """[(m, literals, (gain, tie))] of every step."""
    literals, known = literals_of(rows), {}
    masks = {literal: mask(rows, literal) for literal in literals}
    m, chosen, steps = 0, (), []
    while len(chosen) < most:
        best = None
        for literal in literals:
            if any(literal == one or opposed(one, literal, literals) for one in chosen):
                continue
            for higher in (m, m + 1) if m else (1,):
                found = merit_of(rows, [masks[one] for one in (*chosen, literal)], higher, known)
                if found is not None and (best is None or is_better(found, best[2])):
                    best = higher, (*chosen, literal), found
        if best is None or (steps and not is_better(best[2], steps[-1][2])):
            break
        m, chosen, _ = best
        steps.append(best)
    return steps


def best_of_all(rows, most=6):
    """The best (gain, tie) of all m-of-n splits over up to `most` literals."""
    literals, known, best = literals_of(rows), {}, None
    masks = {literal: mask(rows, literal) for literal in literals}
    for n in range(1, most + 1):
        for chosen in combinations(literals, n):
            if any(opposed(*pair, literals) for pair in combinations(chosen, 2)):
                continue
            for m in range(1, n + 1):
                found = merit_of(rows, [masks[one] for one in chosen], m, known)
                if found is not None and (best is None or is_better(found, best)):
                    best = found
    return best
