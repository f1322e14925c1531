"""The best split of a column whose levels stand in no order."""

import math

import numpy as np
from numpy.typing import NDArray

from engine.criteria.kernels import larger_side
from engine.search.absolute.cuts import best_cut
from engine.search.absolute.runs import Runs, by_level, heavier, in_branches, information, larger, sums
from engine.search.column_search import Found, log_tries
from engine.search.kernels.split_kinds import GROUPS, MOST_BRANCHES, ONE_VS_REST
from engine.table.column import Column

EXACT_LEVELS = 6  # up to these all divisions into two groups are tried

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def two_groups_of(column: Column, runs: Runs) -> Found:
    """The best two groups of levels; the missing rows, if there are any, are one level more."""
    t = runs.rows.size + (runs.missing.size > 0)
    best = _by_enumeration(runs, t) if t <= EXACT_LEVELS else _by_ordering(runs)
    if best is None:
        return Found(None, reason=f"every grouping leaves fewer than {runs.min_leaf} rows on one side")
    gain, side, missing = best
    if side[0] == 1:  # side 0 holds the first run
        side, missing = 1 - side, 1 - missing
    return _two_groups(column, runs, side, missing, gain, log_tries(GROUPS, runs.rows.size, runs.missing.size > 0))


def _by_enumeration(runs: Runs, t: int) -> tuple[float, Integers, int] | None:
    """(gain, side of every run, side of the missing rows) of the best of all divisions into two."""
    sizes = np.append(runs.rows, runs.missing.size)[:t]
    best: tuple[float, Integers, int] | None = None
    for mask in range(1, 1 << (t - 1)):
        side = np.array([(mask << 1 >> i) & 1 for i in range(t)], dtype=np.int64)
        if min(sizes[side == 0].sum(), sizes[side == 1].sum()) < max(runs.min_leaf, 1):
            continue
        of_run = side[: runs.rows.size]
        missing = int(side[-1]) if t > of_run.size else heavier(runs, of_run)
        gain = runs.gain(float(runs.divided(runs.branch_of_rows(of_run, missing), 2)[0].sum()))
        if best is None or gain > best[0] + runs.tolerance:
            best = gain, of_run, missing
    return best


def _by_ordering(runs: Runs) -> tuple[float, Integers, int] | None:
    """The same for many levels: the better of the best cuts along the order of medians and of means.

    The missing rows are tried on both sides of every cut.
    """
    m = runs.rows.size
    medians = runs.divided(runs.branch_of_rows(np.arange(m), m), m + 1)[1][:m]
    target = runs.target
    sums = np.add.reduceat((target.weights * target.values[target.ranks])[runs.order], runs.bounds[:-1])
    best: tuple[float, Integers, int] | None = None
    means = sums / runs.weights
    for order in (np.lexsort((means, medians)), np.argsort(means, kind="stable")):
        found = best_cut(runs.along(order))
        if found.cut >= 0 and (best is None or found.gain > best[0] + runs.tolerance):
            side = np.zeros(m, dtype=np.int64)
            side[order[found.cut + 1 :]] = 1
            best = found.gain, side, found.missing
    return best


def one_vs_rest(column: Column, runs: Runs) -> Found:
    """The best split of one level from all others; the missing rows go with it or with them, or stand alone."""
    m, n_missing = runs.rows.size, runs.missing.size
    n_rows, present = int(runs.rows.sum()) + n_missing, float(runs.weights.sum())
    apart = _one_apart(runs)
    best: tuple[float, int, int] | None = None
    for run in range(m):
        toward = int(larger_side(runs.weights[run], present - runs.weights[run]))
        for missing in (toward, 1 - toward) if n_missing else (toward,):
            alone = int(runs.rows[run]) + (n_missing if missing == 0 else 0)
            if min(alone, n_rows - alone) < max(runs.min_leaf, 1):
                continue
            gain = runs.gain(float(apart[missing, run]))
            if best is None or gain > best[0] + runs.tolerance:
                best = gain, run, missing
    if n_missing and min(n_missing, n_rows - n_missing) >= runs.min_leaf:
        of_rows = runs.branch_of_rows(np.zeros(m, dtype=np.int64), 1)
        gain = runs.gain(float(runs.divided(of_rows, 2)[0].sum()))
        if best is None or gain > best[0] + runs.tolerance:
            best = gain, -1, 0
    if best is None:
        return Found(None, reason=f"every grouping leaves fewer than {runs.min_leaf} rows on one side")
    gain, run, missing = best
    side = (np.arange(m) != run).astype(np.int64)
    return _two_groups(column, runs, side, missing, gain, log_tries(ONE_VS_REST, m, n_missing > 0), unseen=1)


def _one_apart(runs: Runs) -> Floats:
    """float64[2, m]: the deviation of each run and of all others together, by the side of the missing rows."""
    parts, every = (runs.order, runs.bounds), np.arange(runs.target.ranks.size)
    alone = runs.changed(*parts, runs.missing, 1.0) + runs.changed(*parts, runs.order, -1.0)
    if not runs.missing.size:
        return np.stack([alone, alone])
    return np.stack([alone, runs.changed(*parts, runs.missing[:0], 1.0) + runs.changed(*parts, every, -1.0)])


def multiway(column: Column, runs: Runs) -> Found:
    """One branch per declared level; pooled ones share theirs."""
    if column.n_values > MOST_BRANCHES:
        return Found(None, reason=f"{column.n_values:,} levels are too many for one branch each")
    first = np.full(column.n_values, -1)  # the level whose branch each one takes
    first[runs.codes - 1] = runs.codes[np.unique(runs.run_of, return_index=True)[1]][runs.run_of] - 1
    first = np.where(first < 0, np.arange(column.n_values), first)
    branch = np.unique(first, return_inverse=True)[1].astype(np.int64)
    n_branches = int(branch.max()) + 1
    of_run = branch[runs.codes[np.unique(runs.run_of, return_index=True)[1]] - 1]
    found = in_branches(runs, of_run, n_branches)
    if isinstance(found, str):
        return Found(None, reason=found)
    gain, missing, sizes = found
    split, branches = by_level(column, branch, n_branches, missing, larger(sizes, runs, missing))
    tries = math.log(runs.rows.size) if runs.missing.size else 0.0
    return Found(split, gain, 0.0, information(sizes[sizes > 0], runs), tries, branches=branches)


def pooled_multiway(column: Column, runs: Runs, rare: Integers) -> Found:
    """One branch for each level of enough rows, and a last one for the codes `rare` and all that no row has."""
    pooled = np.zeros(runs.rows.size, dtype=bool)
    pooled[runs.run_of[np.isin(runs.codes, rare)]] = True
    alone, n_branches = int(np.count_nonzero(~pooled)), int(np.count_nonzero(~pooled) + pooled.any())
    of_run = np.where(pooled, alone, np.cumsum(~pooled) - 1).astype(np.int64)
    found = in_branches(runs, of_run, n_branches)
    if isinstance(found, str):
        return Found(None, reason=found)
    gain, missing, sizes = found
    side = np.full(column.n_values, alone)
    side[runs.codes - 1] = of_run[runs.run_of]
    unseen = alone if alone < column.n_values else larger(sizes, runs, missing)
    split, branches = by_level(column, side, max(n_branches, unseen + 1), missing, unseen)
    tries = math.log(n_branches) if runs.missing.size else 0.0
    return Found(split, gain, 0.0, information(sizes, runs), tries, branches=branches)


def _two_groups(
    column: Column, runs: Runs, side: Integers, missing: int, gain: float, tries: float, unseen: int | None = None
) -> Found:
    """unseen: the branch of levels that no row has; the larger one by default."""
    sizes = sums(side, runs.weights, 2)
    of_level = np.full(column.n_values, -1)
    of_level[runs.codes - 1] = side[runs.run_of]
    split, branches = by_level(column, of_level, 2, missing, larger(sizes, runs, missing) if unseen is None else unseen)
    return Found(split, gain, 0.0, information(sizes, runs), tries, branches=branches)
