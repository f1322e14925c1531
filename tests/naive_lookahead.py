"""The slow and obvious twin of the lookahead: every root split, and below it the best split of every column.

A column is (values, kind): its values row by row, None where missing; kind "cut" for numbers, "groups", "multiway" or
"single" for levels. Small tables only: no cells are joined, every cut is looked at.
"""

from fractions import Fraction
from itertools import combinations

from tests import naive, naive_splits


def stat_of(rows, y, w, n_classes):
    """The statistic of some rows: a weight for each class, or (Σw, Σwy, Σwy²)."""
    stat = [Fraction(0)] * (n_classes or 3)
    for i in rows:
        weight = Fraction(w[i])
        if n_classes:
            stat[y[i]] += weight
        else:
            target = Fraction(y[i])
            stat = [a + b for a, b in zip(stat, (weight, weight * target, weight * target**2), strict=True)]
    return stat


class Twin:
    """Columns, target (class numbers, or numbers when n_classes is None) and weights of one node."""

    def __init__(self, columns, y, w, n_classes, criterion, min_leaf, own=False):
        self.columns, self.y, self.w, self.n_classes = columns, y, w, n_classes
        self.criterion, self.min_leaf, self.own = criterion, max(min_leaf, 1), own

    def stat(self, rows):
        return stat_of(rows, self.y, self.w, self.n_classes)

    def weight(self, rows):
        return sum(Fraction(self.w[i]) for i in rows)

    def gain(self, branches):
        return naive.gain(self.criterion, [self.stat(rows) for rows in branches])

    def below(self, rows):
        """What the best split of these rows gains; 0 if nothing separates them."""
        if naive.impurity(self.criterion, self.stat(rows)) == 0:
            return 0
        return max((self.best_of(column, rows) for column in self.columns), default=0)

    def best_of(self, column, rows):
        values, kind = column
        runs = sorted({values[i] for i in rows} - {None})
        by_run = [[i for i in rows if values[i] == run] for run in runs]
        lacking = [i for i in rows if values[i] is None]
        if self.own and len(lacking) >= self.min_leaf and lacking and runs:
            present = [i for i in rows if values[i] is not None]
            inner = self.search(kind, by_run, [])
            if inner is not None:
                share = self.weight(present) / self.weight(rows)
                return self.gain([present, lacking]) + share * inner
        return self.search(kind, by_run, lacking) or 0

    def search(self, kind, by_run, lacking):
        """The gain of the best split by the usual search, None without one."""
        if not by_run:
            return None
        arguments = (
            self.criterion, [self.stat(r) for r in by_run], [len(r) for r in by_run], self.stat(lacking), len(lacking),
            self.min_leaf,
        )  # fmt: skip
        if kind == "cut":
            found = naive.best_cut(*arguments)
            return None if found is None else found[0][0]
        if kind == "groups":
            found = naive.best_groups(*arguments) if len(by_run) + bool(lacking) > 1 else None
            return None if found is None else found[0]
        if kind == "multiway":
            found = naive.multiway(*arguments)
            return None if found is None else found[0][0]
        found = naive_splits.one_vs_rest(*arguments)
        return None if found is None else found[0][0]

    def judged(self, branches):
        """(ahead, gain) of a root split given by the rows of its branches."""
        branches = [rows for rows in branches if rows]
        gain, whole = self.gain(branches), self.weight([i for rows in branches for i in rows])
        return gain + sum(self.weight(rows) / whole * self.below(rows) for rows in branches), gain

    def root_splits(self, column):
        """The branches of every root split of a column that is cut in two."""
        values, kind = column
        rows = range(len(values))
        runs = sorted({value for value in values if value is not None})
        lacking = [i for i in rows if values[i] is None]
        if kind == "cut":
            lefts = [runs[:k] for k in range(1, len(runs))]
        elif kind == "single":
            lefts = [[run] for run in runs] if len(runs) > 1 else []
        else:  # up to 6 levels: all divisions
            lefts = [[runs[0], *some] for k in range(len(runs) - 1) for some in combinations(runs[1:], k)]
        for own in (True, False):
            found = []
            if own and not (self.own and len(lacking) >= self.min_leaf):
                continue
            for left in lefts + ([runs] if lacking and runs else []):
                parts = [[i for i in rows if values[i] in left], []]
                parts[1] = [i for i in rows if values[i] is not None and values[i] not in left]
                ways = [[*parts, lacking]] if own else [[parts[0] + lacking, parts[1]], [parts[0], parts[1] + lacking]]
                found += [way for way in ways if min(map(len, way[:2])) >= self.min_leaf]
            if found:
                return found
        return []

    def best_ahead(self, column):
        """(ahead, gain) of the best root split into two; None without one."""
        return max((self.judged(branches) for branches in self.root_splits(column)), default=None)
