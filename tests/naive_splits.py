"""Slow and obvious twins of what is taken together before a search: buckets, label boundaries, rare levels.

Runs are lists as in `tests.naive`: `stats` one statistic per value, `rows` how many rows each has.
"""

from fractions import Fraction
from itertools import product

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
    """(merit, the one level, the side of missing rows) of the best: every level with either direction, then the missing
    rows against all levels. Ties: the first level, then the heavier side gets the missing rows."""
    best = None
    for one in range(len(stats) + (miss_rows > 0)):
        alone, n_alone = naive.two_branches(stats, rows, [int(i != one) for i in range(len(stats))])
        heavier = int(naive.weight(name, alone[0]) < naive.weight(name, alone[1]))
        ways = (heavier, 1 - heavier) if miss_rows and one < len(stats) else (0 if miss_rows else heavier,)
        for missing in ways:
            branches, counts = list(alone), list(n_alone)
            branches[missing] = naive.add(branches[missing], miss_stat)
            counts[missing] += miss_rows
            if naive.allowed(counts, min_leaf):
                found = naive.merit(name, branches)
                if best is None or naive.is_better(found, best[0]):
                    best = found, one, missing
    return best


# -- every split of one kind, with every way that missing rows can go; rows are lists of row numbers


def two_parts(kind, values, rows):
    """Every way to part the rows that have a value: (cuts, groups or one level) the rows of both branches."""
    present = sorted({values[r] for r in rows})
    if kind == "cuts":
        lefts = [present[:k] for k in range(1, len(present))]
    elif kind == "groups":
        lefts = [[v for v, left in zip(present, (1, *rest), strict=True) if left]
                 for rest in product((0, 1), repeat=len(present) - 1)]  # fmt: skip
    else:
        lefts = [[v] for v in present]
    for left in lefts:
        if len(left) < len(present):
            yield [[r for r in rows if values[r] in left], [r for r in rows if values[r] not in left]]


def every_split(kind, values, rows, missing, min_leaf):
    """(branches, how many rows at the end have no say): all splits of a column that a search of this kind compares.

    kind: "cuts", "groups", "one_vs_rest" or "multiway". missing: as the option of that name.
    """
    lacking, having = [r for r in rows if values[r] is None], [r for r in rows if values[r] is not None]

    def fit(splits):
        return [some for some in splits if all(len(branch) >= max(min_leaf, 1) for branch in some)]

    levels = sorted({values[r] for r in having})
    if kind == "multiway":
        parts = [[[r for r in having if values[r] == level] for level in levels]] if len(levels) > 1 else []
    else:
        parts = list(two_parts(kind, values, having))
    if missing == "branch" and len(lacking) >= max(min_leaf, 1) and fit(parts):
        return [([*some, lacking], 0) for some in fit(parts)]
    if missing == "surrogate" and lacking and kind != "multiway":
        return [([*some, lacking], len(lacking)) for some in fit(parts)]
    if not lacking:
        return [(some, 0) for some in fit(parts)]
    found = [[*some[:i], some[i] + lacking, *some[i + 1 :]] for some in parts for i in range(len(some))]
    if kind != "multiway" and having:
        found.append([having, lacking])
    return [(some, 0) for some in fit(found)]
