"""Lookahead: a split is judged by the best that can follow in each of its branches.

    ahead = i(node) − Σ over branches of share · i(branch after its own best split)

A branch that no split separates counts with its own impurity, a pure one with 0 (Murthy and Salzberg 1995 warn that
such trees can be larger and less accurate; XOR needs them). Root splits of equal `ahead` are told apart by what they
gain themselves: without that any column would do as well as the one that separates the rows at once.

Which root splits are looked at: of numbers and ordered levels every cut, where the node shows at most 255 values,
else the cuts at 254 quantiles; of levels each one against the rest and the cuts along the orderings by the
mean, or by the share of each class (with up to 6 levels all divisions into two groups; of more than 255 levels the
rarest count as one); with `multiway` and `bucket_branches` the one split that there is, whose column is then constant
below. The splits below use the same cells of values, and are otherwise those of the usual search. Missing rows without
a branch of their own are tried on both sides.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.criterion import BY_RATIO, OF_COUNTS
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.search.column_search import Found, best_split, make_found, way, with_own_branch
from engine.search.kernels.branches import is_enough
from engine.search.kernels.lookahead import AHEAD, AHEAD_TIE, GAIN, MISSING, STEP, TIE, Node, look_ahead, look_below
from engine.search.kernels.split_kinds import (
    BOUNDARY,
    BUCKET_CUT,
    BUCKETS,
    CUT,
    GROUPS,
    MULTIWAY,
    ONE_VS_REST,
    POOLED,
    SEARCH,
    divide_into_buckets,
    pool_levels,
)
from engine.search.options import Search
from engine.search.tally import Answer, NodeRows, Runs, numbered
from engine.splits import branch_of_rows
from engine.table.column import Column

MOST_CELLS = 255  # they are numbered by uint8, 0 is missing
ALL_DIVISIONS = 6  # levels up to which every division into two groups is looked at
CLASS_ORDERS = 32  # so many classes order the levels
OF_CELLS: dict[int | None, int] = {  # how the cells of a column are split that is split in a way of `split_kinds`
    CUT: CUT, BOUNDARY: CUT, BUCKET_CUT: CUT, GROUPS: GROUPS, ONE_VS_REST: ONE_VS_REST,
    MULTIWAY: MULTIWAY, BUCKETS: MULTIWAY, POOLED: MULTIWAY, None: MULTIWAY,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Grid:
    """The cells of one column at a node.

    Attributes:
        cells: uint8[n], 0 where it is missing.
        runs: the values present, by weight; cell: int64[m] from 1 on, that of each.
    """

    cells: NDArray[np.uint8]
    runs: Runs
    cell: NDArray[np.int64]

    @property
    def n_cells(self) -> int:
        """How many there are, that of the missing rows not counted."""
        return int(self.cell.max(initial=0))


def prepare(inside: NodeRows, search: Search, progress: Progress) -> Callable[[int], Found]:
    """What finds the best root split of the feature at a place, by the training rows of `inside`.

    A stop is heard within a column, whose split is none then, or not the best.
    """
    training, features = inside.training, search.features_of(inside.table)
    node, grids = _node(training, features, search)

    def look(place: int) -> Found:
        j = features.index(place)
        if node.ways[j] == MULTIWAY:
            return _one_split(training, place, node, search, progress)
        return replace(_best_root(inside.table.columns[place], grids[j], j, node, search, progress), place=place)

    return look


def _node(training: NodeRows, features: Sequence[int], search: Search) -> tuple[Node, list[Grid]]:
    """The node as the kernels read it, and the cells of each feature."""
    columns = [training.table.columns[place] for place in features]
    grids = [_grid(column, training, search) for column in columns]
    ways = [OF_CELLS[way(column, search)] for column in columns]
    _, labels, numbers, weights = training.gathered
    node = Node(
        np.stack([grid.cells for grid in grids], axis=1),
        np.cumsum([0, *(grid.n_cells + 1 for grid in grids)]), np.array(ways, dtype=np.int64), labels, numbers,
        weights if weights.size else np.ones(training.rows.size), training.table.n_stats,
        kernel_code(search.criterion) & ~BY_RATIO, search.min_leaf, search.missing == "branch", SEARCH(),
    )  # fmt: skip
    return node, grids


# -- cells


def _grid(column: Column, training: NodeRows, search: Search) -> Grid:
    """Values are in cells by the weight of their rows, neighbours in one; levels under `pool` rows share one."""
    present, place = numbered(column.codes[training.rows], column.n_values + 1)  # place 0: missing
    counts = np.bincount(place, minlength=present.size)
    weights = training.gathered[3]
    weight_of = np.bincount(place, weights if weights.size else None, counts.size).astype(np.float64)[:, None]
    runs = Runs(present[1:], weight_of[1:], counts[1:], weight_of[0], int(counts[0]), False)
    cell, most = np.zeros(runs.codes.size, dtype=np.int64), MOST_CELLS
    if not (column.is_numeric or column.kind == "ordered"):
        pool, ascending = search.pool, np.sort(runs.rows)
        if cell.size - np.searchsorted(ascending, pool) > MOST_CELLS - 1:  # the rarest share one, too
            pool = int(ascending[-MOST_CELLS + 1]) + 1
        pool_levels(runs.rows, pool, cell)
    else:
        if column.is_numeric and search.numeric in ("bucket_cuts", "bucket_branches"):
            most = min(search.buckets, MOST_CELLS)
        if cell.size <= most == MOST_CELLS:
            cell = np.arange(cell.size)
        elif cell.size:
            divide_into_buckets(runs.sizes[:, None], OF_COUNTS, most, cell)
    return Grid(np.append(0, cell + 1).astype(np.uint8)[place], runs, cell + 1)


# -- root splits


def _best_root(column: Column, grid: Grid, j: int, node: Node, search: Search, progress: Progress) -> Found:
    """The best root split into two of a column, with a third branch for missing rows where they get one."""
    m, how = grid.n_cells, int(node.ways[j])
    if m == 0:
        reason = tr("all values are missing here") if grid.cells.size else tr("no training rows here")
        return Found(None, reason=reason)
    counts = np.bincount(grid.cells, minlength=m + 1)
    if m == 1 and not counts[0]:
        return Found(None, reason=tr("only one value here"))
    cell, evaluate = _program(j, node, m, lacking=counts[0] > 0)
    weights = np.bincount(grid.cells, node.weights, m + 1)
    by_cell = np.argsort(grid.cells, kind="stable"), np.append(0, np.cumsum(counts)), weights
    own = node.own and is_enough(counts[0], search.min_leaf)
    answer = look_ahead(node, *by_cell, cell, evaluate, bool(own), progress.flag)
    if own and answer[STEP] < 0:
        answer = look_ahead(node, *by_cell, cell, evaluate, False, progress.flag)
    if answer[STEP] < 0:
        return Found(None, reason=tr("every split leaves fewer than {n} rows on one side", n=search.min_leaf))
    if not math.isfinite(answer[AHEAD]):
        return Found(None, reason=tr("the sums of the target or of the weights are too large for a number"))
    side = 1 - np.bincount(cell[: int(answer[STEP]) + 1], minlength=m + 1)[1:] % 2  # of each cell
    missing = int(answer[MISSING])
    # as everywhere, side 0 holds the first value present; or the one level, which the missing rows may be
    if not side.any() if how == ONE_VS_REST else side[0] == 1:
        side, missing = 1 - side, missing if missing == 2 else 1 - missing
    looks = int(np.count_nonzero(evaluate))
    looks = looks if own or not counts[0] else 2 * looks - 1  # present | missing is one
    branch, apart = side[grid.cell - 1], missing == 2
    last = int(np.count_nonzero(branch == 0)) - 1
    chosen = Answer(float(answer[GAIN]), float(answer[TIE]), 0 if apart else missing, last, m, m, branch)
    found = make_found(column, how, chosen, grid.runs.present() if apart else grid.runs)
    if apart:
        sizes = np.append(np.bincount(branch, weights=grid.runs.sizes, minlength=2), grid.runs.missing_weight)
        found = with_own_branch(found, sizes)
    return replace(found, log_tries=math.log(looks), ahead=float(answer[AHEAD]), ahead_tie=float(answer[AHEAD_TIE]))


def _program(j: int, node: Node, m: int, lacking: bool) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The moves that run through the root splits of column j, see `engine.search.kernels.lookahead`."""
    cells: list[int] = []
    looks: list[bool] = []

    def walk(order: list[int], back: bool) -> None:
        """Moves the cells one by one, looks each time, and moves them back."""
        cells.extend(order)
        looks.extend([True] * len(order))
        if back:
            cells.extend(order)
            looks.extend([False] * len(order))

    if node.ways[j] == CUT:
        walk(list(range(1, m)), back=True)
    elif node.ways[j] == GROUPS and m <= ALL_DIVISIONS:
        gray = [(k & -k).bit_length() + 1 for k in range(1, 2 ** (m - 1))]  # the first cell never moves
        cells, looks = [*gray], [True] * len(gray)
        cells += [m] * (m > 1)  # a Gray code ends with only its last one moved
        looks += [False] * (m > 1)
    else:
        for i in range(1, m + 1) if m > 1 else ():
            walk([i], back=True)
        if node.ways[j] == GROUPS:
            for order in _orders(j, node, m):
                walk(order[:-1], back=True)
    if lacking:  # present | missing
        cells += list(range(1, m + 1))
        looks += [False] * (m - 1) + [True]
    return np.array(cells, dtype=np.int64), np.array(looks, dtype=bool)


def _orders(j: int, node: Node, m: int) -> list[list[int]]:
    """The cells of column j by the mean of a numeric target, or by the share of each class."""
    cells = node.cells[:, j]
    total = np.bincount(cells, weights=node.weights, minlength=m + 1)[1:]
    if node.numbers.size:
        sums = [np.bincount(cells, weights=node.weights * node.numbers, minlength=m + 1)[1:]]
    else:
        weight_of = np.bincount(node.labels, weights=node.weights, minlength=node.n_stats)
        classes = np.argsort(-weight_of, kind="stable")[: 1 if node.n_stats == 2 else CLASS_ORDERS]
        sums = [np.bincount(cells, weights=node.weights * (node.labels == c), minlength=m + 1)[1:] for c in classes]
    return [(np.argsort(part / total, kind="stable") + 1).tolist() for part in sums]


def _one_split(training: NodeRows, place: int, node: Node, search: Search, progress: Progress) -> Found:
    """The one split of a column into many branches."""
    found = best_split(training, place, search)
    if found.split is None:
        return found
    _, branch = np.unique(branch_of_rows(found.split, training.table, training.rows), return_inverse=True)
    bounds = np.append(0, np.cumsum(np.bincount(branch)))
    gain, tie = look_below(node, np.argsort(branch, kind="stable"), bounds, progress.flag)
    return replace(found, counted=None, ahead=float(gain), ahead_tie=float(tie))
