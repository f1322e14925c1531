"""The best cut, and the buckets, of a column with an order."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import OF_COUNTS
from engine.criteria.kernels import first_best, larger_side
from engine.search.absolute.runs import Runs, by_level, in_branches, information, larger, sums
from engine.search.column_search import Found
from engine.search.kernels.segments import divide_into_buckets
from engine.splits import Split, threshold_between
from engine.table.column import Column

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Cut:
    """A cut after a run, or none (-1), and where the missing rows go."""

    cut: int
    missing: int
    gain: float


def best_cut(runs: Runs, limits: Integers | None = None) -> Cut:
    """The best of all cuts, or of those after the runs `limits`, with the missing rows on either side.

    The side with more weight is tried first; the cut after the last run parts what is present from what is missing.
    """
    m, n_missing = runs.rows.size, runs.missing.size
    sides = (0, 1) if n_missing else (0,)
    apart, left = np.empty((2, m)), np.cumsum(runs.rows) + np.array([[n_missing], [0]])
    for side in sides:
        before, after = runs.running(bool(n_missing) and side == 0, False), runs.running(side == 1, True)
        rest = runs.divided(runs.branch_of_rows(np.zeros(m, dtype=np.int64), 1), 2)[0][1] if side == 1 else 0.0
        apart[side] = before + np.append(after[1:], rest)
    if not n_missing:
        apart[1] = apart[0]
    allowed = np.minimum(left, runs.target.ranks.size - left) >= max(runs.min_leaf, 1)
    if limits is not None:
        kept = np.zeros(m, dtype=bool)
        kept[limits] = kept[-1] = True
        allowed &= kept
    weight = np.cumsum(runs.weights)
    toward = np.array([larger_side(left, weight[-1] - left) for left in weight.tolist()], dtype=np.int64)
    gains = np.maximum((runs.node - apart) / runs.total, 0.0)
    cut, missing = first_best(gains, allowed, toward, runs.tolerance)
    return Cut(int(cut), int(missing), float(gains[missing, cut]))


def along_cut(column: Column, runs: Runs, limits: Integers | None) -> Found:
    best, m = best_cut(runs, limits), runs.rows.size
    cut, missing = best.cut, best.missing
    if cut < 0:
        return Found(None, reason=f"every cut leaves fewer than {runs.min_leaf} rows on one side")
    n_cuts = m - 1 if limits is None else limits.size
    tries = math.log(2 * n_cuts + 1 if runs.missing.size else n_cuts)
    side = (np.arange(m) > cut).astype(np.int64)
    sizes = sums(side, runs.weights, 2)
    split, branches = _along_values(column, runs, np.array([cut]), missing, sizes)
    return Found(split, best.gain, 0.0, information(sizes, runs), tries, cut=cut, branches=branches)


def _along_values(column: Column, runs: Runs, cuts: Integers, missing: int, sizes: Floats) -> tuple[Split, Integers]:
    """(the split after the runs `cuts` of a column with an order, the branch of every code if it has levels)."""
    codes = np.append(runs.codes, column.n_values + 1)
    if column.is_numeric:
        values = np.append(column.values, np.inf)
        pairs = zip(values[codes[cuts] - 1].tolist(), values[codes[cuts + 1] - 1].tolist(), strict=True)
        last = runs.codes.size - 1
        thresholds = (
            math.inf if cut == last else threshold_between(*pair)
            for cut, pair in zip(cuts.tolist(), pairs, strict=True)
        )
        return Split(column.name, "threshold", tuple(thresholds), missing=missing), np.empty(0, dtype=np.int64)
    level = np.arange(1, column.n_values + 1)
    side = np.searchsorted(codes[cuts], level)  # the cuts below each level
    for cut in cuts.tolist():  # a level between two branches, which no row has, belongs to neither
        side[codes[cut] : codes[cut + 1] - 1] = -1
    return by_level(column, side, cuts.size + 1, missing, larger(sizes, runs, missing))


def bucket_ends(runs: Runs, buckets: int) -> Integers:
    """int64[l]: the runs after which a bucket ends."""
    segment = np.zeros(runs.rows.size, dtype=np.int64)
    divide_into_buckets(runs.weights[:, None], OF_COUNTS, buckets, segment)
    return np.flatnonzero(np.diff(segment))


def in_buckets(column: Column, runs: Runs, limits: Integers) -> Found:
    """One branch for each bucket."""
    bucket = np.searchsorted(limits, np.arange(runs.rows.size)).astype(np.int64)
    found = in_branches(runs, bucket, limits.size + 1)
    if isinstance(found, str):
        return Found(None, reason=found)
    gain, missing, sizes = found
    split, branches = _along_values(column, runs, limits, missing, sizes)
    tries = math.log(limits.size + 1) if runs.missing.size else 0.0
    return Found(split, gain, 0.0, information(sizes, runs), tries, branches=branches)
