"""Two levels at one node: what the best split below every root split of a column gains.

A *cell* is a value of a column at the node, or some neighbouring ones that are searched as one; cell 0 is missing.
The root splits of a column are a *program*: step t moves cell[t] to the other side, and evaluate[t] says whether what
then stands on the two sides is a root split to look at. All cells begin on the right. Beside the rows themselves only
the histograms of both sides move, one for each column, and the search below a root split reads nothing else; so a
column costs its moves times the number of columns, and each root split the cells of all columns.

All rows train and have a positive weight.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.criteria.kernels import (
    ROUNDING,
    branches_gain,
    improves,
    impurity,
    larger_side,
    pair_gain,
    scales,
    total_of,
    weight,
)
from engine.runtime.compiler import jit, jit_inside, jit_long, jit_part
from engine.search.kernels.branches import is_enough, sides_of_missing

AHEAD, AHEAD_TIE, GAIN, TIE, STEP, MISSING = range(6)  # what `look_ahead` answers


class Node(NamedTuple):
    """The training rows of a node.

    Attributes:
        cells: uint8[n, C].
        first: int64[C + 1], where the cells of each column begin among those of all columns.
        ways: int64[C], how the cells of each column are split: CUT, GROUPS, MULTIWAY or ONE_VS_REST.
        labels: uint16[n], or numbers: float64[n], by task; the other one is empty.
        weights: float64[n].
        n_stats: the length of a statistic.
        code, min_leaf: of the search.
        own: whether missing rows get a branch of their own where `min_leaf` of them are there.
        search: `split_kinds.SEARCH`, made.
    """

    cells: NDArray[np.uint8]
    first: NDArray[np.int64]
    ways: NDArray[np.int64]
    labels: NDArray[np.uint16]
    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]
    n_stats: int
    code: int
    min_leaf: int
    own: bool
    search: int


class Sides(NamedTuple):
    """What stands on each side: stat float64[2, cells of all columns, S] and rows int64[2, ...]; of the whole side
    total float64[2, S] and n_rows int64[2]."""

    stat: NDArray[np.float64]
    rows: NDArray[np.int64]
    total: NDArray[np.float64]
    n_rows: NDArray[np.int64]


@jit_inside
def empty_sides(node):
    """Nothing on either side."""
    n_cells, width = node.first[-1], node.n_stats
    return Sides(
        np.zeros((2, n_cells, width)), np.zeros((2, n_cells), np.int64), np.zeros((2, width)), np.zeros(2, np.int64)
    )


@jit_part
def without_residue(here, there, w):
    """The weight `here` after w < 0 was added: nothing, where only the rounding of what left is left.

    A criterion may rise so steeply from 0, as a square root does, that it would take a residue of 1e-17 for a mixture
    of 1e-9.
    """
    return here if here > ROUNDING * (there - w) else 0.0


@jit
def put(node, sides, side, row, sign):
    """Puts a row on a side (sign 1) or takes it away (sign -1)."""
    w = sign * node.weights[row]
    sides.n_rows[side] += sign
    by_class = node.labels.size > 0
    label = node.labels[row] if by_class else 0
    number = 0.0 if by_class else node.numbers[row]
    if by_class:
        sides.total[side, label] += w
        if sign < 0:
            sides.total[side, label] = without_residue(sides.total[side, label], sides.total[1 - side, label], w)
    else:
        sides.total[side, 0] += w
        sides.total[side, 1] += w * number
        sides.total[side, 2] += w * number * number
    for b in range(node.ways.size):
        place = node.first[b] + node.cells[row, b]
        sides.rows[side, place] += sign
        if by_class:
            sides.stat[side, place, label] += w
            if sign < 0:
                here, there = sides.stat[side, place, label], sides.stat[1 - side, place, label]
                sides.stat[side, place, label] = without_residue(here, there, w)
        else:
            sides.stat[side, place, 0] += w
            sides.stat[side, place, 1] += w * number
            sides.stat[side, place, 2] += w * number * number


@jit_part
def beside_missing(stat, miss_stat, gain, tie, code):
    """(gain, tie) of a split of the runs when the missing rows have a branch of their own beside it."""
    node, present = total_of(stat, miss_stat), total_of(stat, np.zeros(stat.shape[1]))
    apart, apart_tie = pair_gain(code, present, miss_stat, node, impurity(code, node))
    share = weight(code, present) / weight(code, node)
    return apart + share * gain, apart_tie + share * tie


@jit_inside
def best_below(node, sides, side):
    """(gain, tie) of the best split of what stands on a side, per unit of its weight; 0 when nothing separates it."""
    code, width = node.code, node.n_stats
    best_gain, best_tie = 0.0, 0.0
    value, eps, tie_eps = scales(code, sides.total[side])
    if not value > 0.0 or not is_enough(sides.n_rows[side] // 2, node.min_leaf):
        return best_gain, best_tie
    longest = 0
    for b in range(node.ways.size):
        longest = max(longest, node.first[b + 1] - node.first[b])
    stat, rows = np.empty((longest, width)), np.empty(longest, np.int64)
    segment, sides_of_runs = np.empty(longest, np.int64), np.empty(longest, np.uint8)
    miss, nothing = np.zeros(width), np.zeros(width)
    for b in range(node.ways.size):
        m, first = 0, node.first[b]
        for place in range(first + 1, node.first[b + 1]):
            if sides.rows[side, place] > 0:
                rows[m] = sides.rows[side, place]
                for c in range(width):
                    stat[m, c] = sides.stat[side, place, c]
                m += 1
        miss_rows = sides.rows[side, first]
        for c in range(width):
            miss[c] = sides.stat[side, first, c] if miss_rows > 0 else 0.0
        gain, tie, found = 0.0, 0.0, False
        own = node.own and is_enough(miss_rows, node.min_leaf)
        for turn in range(0 if own else 1, 2 if m > 0 else 0):  # a branch of their own first
            if found:
                break
            joining, n_joining = miss if turn == 1 else nothing, miss_rows if turn == 1 else 0
            gain, tie, missing, _, _, _, _ = node.search(
                node.ways[b], 0, stat[:m], rows[:m], joining, n_joining, code, node.min_leaf, segment[:m],
                sides_of_runs[:m],
            )  # fmt: skip
            found = missing >= 0
            if found and turn == 0:
                gain, tie = beside_missing(stat[:m], miss, gain, tie, code)
        if found and improves(gain, tie, best_gain, best_tie, eps, tie_eps):
            best_gain, best_tie = gain, tie
    return best_gain, best_tie


@jit_inside
def is_better(new, old, eps, tie_eps):
    """Whether a root split is better: by what two levels gain, its tie, then by what it gains itself."""
    for i in (AHEAD, AHEAD_TIE, GAIN):
        slack = tie_eps if i == AHEAD_TIE else eps
        if new[i] > old[i] + slack:
            return True
        if new[i] < old[i] - slack:
            return False
    return False


@jit_part
def heavier_side(side_of, weights):
    """The side of more weight; of equal ones that of the first value. side_of, weights: [cells + 1], of each cell."""
    present, first = np.zeros(2), side_of[1]
    for i in range(1, side_of.size):
        present[side_of[i]] += weights[i]
    return first if larger_side(present[first], present[1 - first]) == 0 else 1 - first


@jit_part
def join(sides, alone, side, both):
    """Writes into `both` what stands on the sides once the missing rows, `alone` on side 0, have joined one of them."""
    for s in range(2):
        joins = s == side
        both.n_rows[s] = sides.n_rows[s] + (alone.n_rows[0] if joins else 0)
        for c in range(sides.total.shape[1]):
            both.total[s, c] = sides.total[s, c] + (alone.total[0, c] if joins else 0.0)
        for place in range(sides.rows.shape[1]):
            both.rows[s, place] = sides.rows[s, place] + (alone.rows[0, place] if joins else 0)
            for c in range(sides.total.shape[1]):
                both.stat[s, place, c] = sides.stat[s, place, c] + (alone.stat[0, place, c] if joins else 0.0)


@jit_part
def judge(node, sides, apart, new):
    """Writes what the split into these sides (and the missing rows `apart`, if any) gains into `new`, by AHEAD, …"""
    code = node.code
    branches, whole = np.empty((3, node.n_stats)), total_of(sides.total, apart)
    for c in range(node.n_stats):
        branches[0, c], branches[1, c], branches[2, c] = sides.total[0, c], sides.total[1, c], apart[c]
    new[GAIN], new[TIE] = branches_gain(code, branches)
    new[AHEAD], new[AHEAD_TIE] = new[GAIN], new[TIE]
    for side in range(2):
        gain, tie = best_below(node, sides, side)
        share = weight(code, sides.total[side]) / weight(code, whole)
        new[AHEAD] += share * gain
        new[AHEAD_TIE] += share * tie


@jit_long
def look_ahead(node, rows, starts, weights, cell, evaluate, own, stop):
    """The best root split of a column: float64[6] by AHEAD, …; STEP is the step of the program, -1 for none.

    MISSING is the side of the missing rows, 2 for a branch of their own.

    Args:
        rows: int64[n] by cell of the column; starts: int64[cells + 1], where each cell begins; weights: float64[cells].
        cell: int64[T], evaluate: bool[T], the program.
        own: whether the missing rows get a branch of their own; else they are tried on both sides.
        stop: uint8[1], 1 once the answer is no longer wanted: a column of many levels may take a minute.
    """
    code, n_missing = node.code, starts[1]
    n_joining = 0 if own else n_missing
    alone, sides, both = empty_sides(node), empty_sides(node), empty_sides(node)
    for k in range(rows.size):
        if k < n_missing:
            put(node, alone, 0, rows[k], 1)
        else:
            put(node, sides, 1, rows[k], 1)
    apart, whole, constant, constant_tie = np.zeros(node.n_stats), np.empty(node.n_stats), 0.0, 0.0
    for c in range(node.n_stats):
        whole[c] = sides.total[1, c] + alone.total[0, c]
        apart[c] = alone.total[0, c] if own else 0.0
    if own:
        constant, constant_tie = best_below(node, alone, 0)
    share = weight(code, apart) / weight(code, whole)
    _, eps, tie_eps = scales(code, whole)
    side_of = np.ones(starts.size - 1, np.int64)
    best, new = np.empty(6), np.zeros(6)
    for i in range(best.size):
        best[i] = -1.0
    for t in range(cell.size):
        if stop[0]:
            break
        i = cell[t]
        for k in range(starts[i], starts[i + 1]):
            put(node, sides, side_of[i], rows[k], -1)
            put(node, sides, 1 - side_of[i], rows[k], 1)
        side_of[i] = 1 - side_of[i]
        if not evaluate[t]:
            continue
        toward = heavier_side(side_of, weights)
        for missing in sides_of_missing(toward, sides.n_rows[0], sides.n_rows[1], n_joining, node.min_leaf):
            if missing < 0:
                continue
            if n_joining > 0:
                join(sides, alone, missing, both)
            judge(node, both if n_joining > 0 else sides, apart, new)
            new[AHEAD] += share * constant
            new[AHEAD_TIE] += share * constant_tie
            new[STEP], new[MISSING] = t, 2 if own else missing
            if best[STEP] < 0 or is_better(new, best, eps, tie_eps):
                for k in range(new.size):
                    best[k] = new[k]
    return best


@jit_long
def look_below(node, rows, bounds, stop):
    """(ahead, tie) of one given root split; its branch b holds rows[bounds[b]:bounds[b + 1]], never empty.

    stop: as in `look_ahead`.
    """
    code, n_branches = node.code, bounds.size - 1
    branches, below = np.zeros((n_branches, node.n_stats)), np.zeros((n_branches, 2))
    for b in range(n_branches):
        if stop[0]:
            break
        sides = empty_sides(node)
        for k in range(bounds[b], bounds[b + 1]):
            put(node, sides, 0, rows[k], 1)
        for c in range(node.n_stats):
            branches[b, c] = sides.total[0, c]
        below[b, 0], below[b, 1] = best_below(node, sides, 0)
    ahead, tie = branches_gain(code, branches)
    total = 0.0
    for b in range(n_branches):
        total += weight(code, branches[b])
    for b in range(n_branches):
        ahead += weight(code, branches[b]) / total * below[b, 0]
        tie += weight(code, branches[b]) / total * below[b, 1]
    return ahead, tie
