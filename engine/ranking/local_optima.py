"""Further splits of a column beside its best: the local optima of its gain curve.

A curve of a million cuts has many thousands of little peaks, and those next to the best cut are the best cut over
again. So a cut counts as a local optimum only if no cut that moves at most a twentieth of the node's training rows to
the other side gains more. There are at most some twenty of them.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.criterion import OF_COUNTS
from engine.criteria.kernels import larger_side
from engine.ranking.weighing import ByValue, Candidate, weights_of
from engine.search.best_split import leaves_missing
from engine.search.column_search import Runs, scales_of, search_column, way
from engine.search.kernels.cuts import cut_gains
from engine.search.kernels.segments import divide_into_buckets
from engine.search.kernels.split_kinds import BUCKET_CUT, BUCKETS, GROUPS
from engine.splits import Split

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NEAR = 0.05  # of the node's training rows


def local_optima(gains: Floats, before: Integers, near: float, slack: float = 0.0) -> Integers:
    """The cuts that no cut near them beats and no neighbour, in their order; of equal ones near each other the first.

    Args:
        gains: float64[c], NaN where there can be no cut; those of 0 are no optima.
        before: int64[c], rows before each cut, ascending. near: cuts up to so many rows away are near.
        slack: gains that differ by no more are equal.
    """
    height = np.where(np.isnan(gains), -np.inf, gains)
    if not height.size:
        return np.empty(0, dtype=np.int64)
    block = (before - before[0]) // (int(near) + 1)  # two cuts of a block are near each other
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    found = []
    for start, stop in zip(starts, np.append(starts[1:], height.size), strict=True):
        at = int(start + np.argmax(height[start:stop] >= height[start:stop].max() - slack))
        low = min(int(np.searchsorted(before, before[at] - near)), max(at - 1, 0))
        high = max(int(np.searchsorted(before, before[at] + near, side="right")), at + 2)
        first = at == low or height[low:at].max() < height[at] - slack
        if height[at] > slack and first and height[at : min(high, height.size)].max() <= height[at] + slack:
            found.append(at)
    return np.array(found, dtype=np.int64)


def cuts_beside(by_value: ByValue, cuts: Floats, gains: Floats, best: int, missing: int, most: int) -> list[Candidate]:
    """The local optima of a curve beside its best cut, weighed, the best first; cuts into buckets among themselves."""
    how = way(by_value.column, by_value.search)
    if how == BUCKETS or most < 1:
        return []
    if not (by_value.column.is_numeric or by_value.column.kind == "ordered"):
        return _groups_beside(by_value, most) if how == GROUPS and not by_value.search.by_rows else []
    rows = by_value.present.rows
    before, n = np.cumsum(rows)[: gains.size], int(rows.sum()) + by_value.searched.missing_rows_train
    kept, slack = _bucket_ends(by_value) if how == BUCKET_CUT else np.arange(gains.size), _slack(by_value)
    found = kept[local_optima(gains[kept], before[kept], NEAR * n, slack)]
    places = _best_first([at for at in found.tolist() if at != best], gains, slack)
    splits = (_cut(by_value, cuts, at, missing) for at in places[:most])
    return [one for one in map(by_value.weigh, splits) if one is not None]


def _slack(by_value: ByValue) -> float:
    """Gains that differ by no more count as equal, as in a search."""
    counted = by_value.searched
    return scales_of(counted.train.sum(axis=0) + counted.missing_train, by_value.search)[1]


def _best_first(places: list[int], gains: Floats, slack: float) -> list[int]:
    """By descending gain; of equal ones the first comes first."""
    left, ordered = list(places), []
    while left:
        top = max(gains[at] for at in left)
        ordered.append(next(at for at in left if gains[at] >= top - slack))
        left.remove(ordered[-1])
    return ordered


def _bucket_ends(by_value: ByValue) -> Integers:
    """The cuts that are limits of a bucket."""
    has_rows = by_value.searched.rows_train > 0
    weights = weights_of(by_value.searched_task, by_value.searched.train[has_rows])
    segment = np.zeros(weights.size, dtype=np.int64)
    divide_into_buckets(weights[:, None], OF_COUNTS, by_value.search.buckets, segment)
    return np.flatnonzero(np.diff(segment))


def _cut(by_value: ByValue, cuts: Floats, at: int, missing: int) -> Split:
    column, codes = by_value.column, by_value.present.codes
    if column.is_numeric:
        split = Split(column.name, "threshold", (float(cuts[at]),), missing=missing)
        return replace(split, missing=int(larger_side(*by_value.sizes(split)))) if by_value.waits(split) else split
    low, high = int(codes[at]), int(codes[at + 1]) - 1
    groups = (tuple(column.levels[:low]), tuple(column.levels[high:]))
    return Split(column.name, "groups", groups=groups, missing=missing, unseen=_heavier(by_value, groups, missing))


def _heavier(by_value: ByValue, groups: tuple[tuple[str, ...], ...], missing: int) -> int:
    """The branch with more weight, missing rows included: where levels go that no row of the node has."""
    sizes = by_value.sizes(Split(by_value.column.name, "groups", groups=groups, missing=missing, unseen=0))
    return int(larger_side(float(sizes[0]), float(sizes[1])))


def _groups_beside(by_value: ByValue, most: int) -> list[Candidate]:
    """Cuts along the levels, sorted from the one best group to the other; missing rows are one more level.

    Of many levels and classes the search has no more than a very good division, which a cut here may beat.
    """
    column, search, counted = by_value.column, by_value.search, by_value.searched
    runs, waits = Runs.of(counted, by_value.searched_task == "classes"), leaves_missing(column, search)
    if waits:  # rows that lack the value have no say
        runs = replace(runs, miss_stat=np.zeros_like(runs.miss_stat), miss_rows=0)
    divided = search_column(column, runs, search)
    if divided.split is None or search.pool > 1:
        return []
    lacking = counted.missing_rows_train > 0 and not waits
    stat = np.concatenate((runs.stat, runs.miss_stat[None])) if lacking else runs.stat
    rows = np.append(runs.rows, runs.miss_rows) if lacking else runs.rows
    codes = np.append(runs.codes, 0).astype(np.int64) if lacking else runs.codes.astype(np.int64)
    side = divided.branches[codes]
    weights = np.maximum(weights_of(by_value.searched_task, stat), 1e-300)[:, None]
    shares = stat / weights if runs.by_class else stat[:, 1:2] / weights
    apart = np.average(shares[side == 1], axis=0, weights=weights[side == 1, 0]) - np.average(
        shares[side == 0], axis=0, weights=weights[side == 0, 0]
    )
    order = np.argsort(shares @ apart, kind="stable")
    gains = np.empty(order.size - 1)
    cut_gains(
        np.ascontiguousarray(stat[order]), np.ascontiguousarray(rows[order]), np.zeros(stat.shape[1]), 0,
        kernel_code(search.criterion), search.min_leaf, 0, gains,
    )  # fmt: skip
    before = np.cumsum(rows[order])[:-1]
    best = int(np.flatnonzero(np.diff(side[order]))[0]) if np.count_nonzero(np.diff(side[order])) == 1 else -1
    slack = _slack(by_value)
    found = local_optima(gains, before, NEAR * float(rows.sum()), slack)
    places = _best_first([at for at in found.tolist() if at != best], gains, slack)
    splits = (_division(by_value, codes[order[: at + 1]], codes) for at in places[:most])
    return [one for one in map(by_value.weigh, splits) if one is not None]


def _division(by_value: ByValue, first: Integers, codes: Integers) -> Split:
    """Two groups of the levels of the node, the first level in the first of them; code 0 is missing."""
    column, levels = by_value.column, np.sort(codes[codes > 0])
    chosen = np.isin(levels, first)
    chosen = chosen if chosen[0] else ~chosen
    groups = tuple(tuple(column.levels[code - 1] for code in levels[side]) for side in (chosen, ~chosen))
    alone = not all(groups)  # missing rows against all levels
    if codes.size > levels.size:
        with_first = (0 in first) == (levels[0] in first)
        missing = 0 if with_first else 1
    else:
        missing = -1
    if alone:
        return Split(column.name, "groups", groups=groups, missing=max(missing, 0), unseen=0)
    unseen = _heavier(by_value, groups, max(missing, 0))
    return Split(column.name, "groups", groups=groups, missing=unseen if missing < 0 else missing, unseen=unseen)
