"""Slow and obvious twins of weighing one split, and of the local optima of a curve: row by row, cut by cut."""

import numpy as np

import engine
from engine.search.absolute import branches_gain as gain_by_rows
from tests import naive


def branch_of(table, split, row):
    """The branch that one row takes; values are looked up by themselves."""
    column = table.column(split.column)
    code = int(column.codes[row])
    if code == 0:
        return split.missing
    if split.kind == "threshold":
        return sum(column.values[code - 1] > threshold for threshold in split.thresholds)
    named = [b for b, group in enumerate(split.groups) if column.levels[code - 1] in group]
    return named[0] if named else split.unseen


def branches(table, split, rows):
    """(one statistic, rows) of each branch, of these rows."""
    stats = [[0.0] * table.n_stats for _ in range(split.n_branches)]
    counts = [0] * split.n_branches
    for row in rows:
        b = branch_of(table, split, row)
        w = 1.0 if table.weights is None else float(table.weights[row])
        y = table.y[row]
        entries = [w, w * float(y), w * float(y) ** 2] if table.task == "number" else None
        for c in range(table.n_stats):
            stats[b][c] += entries[c] if entries else w * (c == y)
        counts[b] += 1
    return stats, counts


def gain(table, split, rows, criterion, bins):
    """What the split gains among these rows."""
    if criterion == "absolute_error":
        weights = np.ones(len(rows)) if table.weights is None else table.weights[rows]
        of = np.array([branch_of(table, split, row) for row in rows], dtype=np.int64)
        return gain_by_rows(table.y[rows], weights, of, split.n_branches)
    if criterion.startswith("binned"):
        stats, _ = branches(table.binned(bins), split, rows)
        return float(naive.gain(criterion.removeprefix("binned_"), stats)) if np.sum(stats) else 0.0
    stats, _ = branches(table, split, rows)
    total = sum(stat[0] if table.task == "number" else sum(stat) for stat in stats)
    return float(naive.gain("entropy" if criterion == "gain_ratio" else criterion, stats)) if total else 0.0


def local_optima(gains, before, near):
    """The cuts that neither a neighbour nor a cut up to `near` rows away beats; of equal ones the first."""
    found = []
    for i, here in enumerate(gains):
        others = [j for j in range(len(gains)) if j != i and (abs(j - i) == 1 or abs(before[j] - before[i]) <= near)]
        known = [j for j in others if not np.isnan(gains[j])]
        if here > 0 and all(gains[j] < here if j < i else gains[j] <= here for j in known):
            found.append(i)
    return found


def agreement(table, rows, split, other):
    """The share of rows sent the same way, by trying every matching of the branches."""
    from itertools import permutations

    one = engine.branch_of_rows(split, table, rows)
    two = engine.branch_of_rows(other, table, rows)
    most = max(split.n_branches, other.n_branches)
    return max(np.mean(np.array(matching)[one] == two) for matching in permutations(range(most)))
