"""Slow and obvious twins of what is taken together before a search: buckets, label boundaries, rare levels.

Runs are lists as in `tests.naive`: `stats` one statistic per value, `rows` how many rows each has.
"""

from fractions import Fraction

from tests import naive


def bucket_limits(name, stats, buckets):
    """The runs after which a bucket ends: for j / buckets of the weight the nearest end of a run, ties lower."""
    ends = [Fraction(0)]
    for stat in stats:
        ends.append(ends[-1] + naive.weight(name, stat))
    limits = set()
    for j in range(1, buckets):
        aim = ends[-1] * j / buckets
        reached = next(k for k, end in enumerate(ends) if end >= aim)
        nearest = min((reached - 1, reached), key=lambda k: (abs(ends[k] - aim), k))
        limits.add(nearest - 1)
    return sorted(limits & set(range(len(stats) - 1)))


def segments(limits, n_runs):
    """The segment of every run, from the runs after which one ends."""
    return [sum(limit < run for limit in limits) for run in range(n_runs)]


def merged(segment, stats, rows):
    """The statistics and rows of the segments."""
    groups = [[run for run in range(len(stats)) if segment[run] == s] for s in range(max(segment) + 1)]
    return [naive.add(*(stats[run] for run in group)) for group in groups], [sum(rows[r] for r in g) for g in groups]


def pooled(rows, pool):
    """The segment of every level: those of at least `pool` rows in their order, then all others as one."""
    large = [level for level in range(len(rows)) if rows[level] >= pool]
    return [large.index(level) if level in large else len(large) for level in range(len(rows))]


def boundaries(stats):
    """The cuts whose two neighbouring values have, together, rows of more than one class."""
    return [
        cut
        for cut in range(len(stats) - 1)
        if sum(a + b > 0 for a, b in zip(stats[cut], stats[cut + 1], strict=True)) > 1
    ]


def one_vs_rest(name, stats, rows, miss_stat, miss_rows, min_leaf):
    """(merit, the one level, the side of missing rows) of the best; missing as the last level. Ties: the first."""
    levels, sizes = ([*stats, miss_stat], [*rows, miss_rows]) if miss_rows else (stats, rows)
    best = None
    for one in range(len(levels)):
        branches, counts = naive.two_branches(levels, sizes, [int(i != one) for i in range(len(levels))])
        if naive.allowed(counts, min_leaf):
            found = naive.merit(name, branches)
            if best is None or naive.is_better(found, best[0]):
                heavier = int(naive.weight(name, branches[0]) < naive.weight(name, branches[1]))
                best = found, one, int(one != len(stats)) if miss_rows else heavier
    return best
