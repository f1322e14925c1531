"""The tree of least training error with one or two levels, by counting.

The rows of a node are described by `Rows`. All questions of a column are asked one after the other: a *flip* moves
the rows of one code from the second branch to the first, or back, and the question is whether a row stands in the
first branch. Codes are dense at the node: 0 is missing, 1 … sizes[c] are the values present.

    CUT       the values up to one of them; with missing rows every cut is asked with these on either side, and at
              last whether the value is present
    GROUPS    all divisions of the levels into two groups (missing is a level, too), in the order of a Gray code
    ONE       each level against the rest, missing rows on either side, and whether the level is present
    BRANCHES  not a yes-or-no question: a branch for each level, missing rows in any one of them

A row's statistic is float64[S]: its weight at its class and then 1, or (w, wy, wy², 1); so the last entry of a sum
is the number of rows, which is exact.

Two levels: while the first question moves on, the tallies of both branches by column and code are kept up to date, so
that a row is counted once for each column and not once for each pair of questions (as in MurTree, Demirović et al.
2022, whose pair counts do the same for yes-or-no columns).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.runtime.compiler import jit, jit_inside, jit_long, jit_part, jit_within
from engine.search.kernels.branches import is_enough, may_part

CUT, GROUPS, ONE, BRANCHES = 0, 1, 2, 3
ERROR, LEAVES, COLUMN, FLIP = 0, 1, 2, 3  # the entries of an answer


class Rows(NamedTuple):
    """The rows of a node.

    Attributes:
        codes: uint32[n, C]; stats: float64[n, S].
        ways: int64[C]; sizes: int64[C], values present; missing: int64[C], whether some row lacks it.
        declared: int64[C], branches of a split into all levels.
        first: int64[C + 1], where the codes of a column begin in a tally.
    """

    codes: NDArray[np.uint32]
    stats: NDArray[np.float64]
    ways: NDArray[np.int64]
    sizes: NDArray[np.int64]
    missing: NDArray[np.int64]
    declared: NDArray[np.int64]
    first: NDArray[np.int64]


class Rules(NamedTuple):
    """number: whether the target is one; min_leaf: rows of a branch; eps: errors that differ by no more are equal."""

    number: bool
    min_leaf: int
    eps: float


class Pair(NamedTuple):
    """What is kept while the first question of two levels moves on.

    Attributes:
        tally: float64[2, first[C], S], of both branches; total: float64[2, S].
        side: uint8[sizes + 1], 1 for the codes whose rows stand in the first branch.
        bound: float64[1], an error that the next question cannot undercut.
        below: float64[2, 4], answers; room: float64[2, S].
    """

    tally: NDArray[np.float64]
    total: NDArray[np.float64]
    side: NDArray[np.uint8]
    bound: NDArray[np.float64]
    below: NDArray[np.float64]
    room: NDArray[np.float64]


@jit
def rerank(codes: NDArray[np.uint32], widest: int, sizes: NDArray[np.int64], missing: NDArray[np.int64]) -> None:
    """Makes the codes uint32[n, C] of a node's rows dense, in their place; fills `sizes` and `missing`."""
    n, n_columns = codes.shape
    new = np.empty(widest + 1, np.uint32)
    for c in range(n_columns):
        new[:] = 0
        missing[c] = 0
        for i in range(n):
            new[codes[i, c]] = 1
        if new[0]:
            missing[c] = 1
        new[0] = 0
        size = 0
        for code in range(1, widest + 1):
            if new[code]:
                size += 1
                new[code] = size
        sizes[c] = size
        for i in range(n):
            codes[i, c] = new[codes[i, c]]


@jit_within
def n_flips(way: int, size: int, missing: int) -> int:
    """How many flips ask all questions of a column; for BRANCHES the number of questions."""
    if way == CUT:
        return 2 * size if missing else size - 1
    if way == GROUPS:
        return (1 << (size + missing - 1)) - 1 if size + missing > 0 else 0
    if way == ONE:
        levels = 1 if size == 2 else size
        return levels * (4 if missing else 2)
    return size if missing else 1


@jit_within
def flip_at(way: int, size: int, missing: int, i: int) -> tuple[int, bool]:
    """(the code that flip i moves, whether a question is asked then) for a column of yes-or-no questions."""
    if way == CUT:
        if missing:
            return (0 if i % 2 else i // 2 + 1), True
        return i + 1, True
    if way == GROUPS:
        bit = 0
        while not (i + 1) >> bit & 1:
            bit += 1
        return bit + 1 - missing, True
    if missing:
        return (i // 4 + 1 if i % 2 == 0 else 0), i % 4 < 2 or i == 2
    return i // 2 + 1, i % 2 == 0


@jit_inside
def leaf_error(stat: NDArray[np.float64], number: bool) -> float:
    """The weight of the errors of a leaf, or Σw(y − mean)²; 0 for an empty one."""
    last = stat.shape[0] - 1
    if stat[last] < 0.5:
        return 0.0
    if number:
        return max(stat[2] - stat[1] * (stat[1] / stat[0]), 0.0)
    total = largest = 0.0
    for k in range(last):
        total += stat[k]
        largest = max(largest, stat[k])
    return max(total - largest, 0.0)


@jit_inside
def is_better(error: float, leaves: float, best: NDArray[np.float64], eps: float) -> bool:
    """Whether this is less error than the best answer, or as little with fewer leaves."""
    return error < best[ERROR] - eps or (error <= best[ERROR] + eps and leaves < best[LEAVES])


@jit_long
def best_of_one(
    rows: Rows, rules: Rules, tally: NDArray[np.float64], total: NDArray[np.float64], room: NDArray[np.float64],
    answer: NDArray[np.float64],
) -> None:  # fmt: skip
    """The best tree of at most one question for rows of this tally and total, into answer float64[4]."""
    answer[ERROR], answer[LEAVES], answer[COLUMN], answer[FLIP] = leaf_error(total, rules.number), 1.0, -1.0, -1.0
    if answer[ERROR] <= rules.eps:
        return
    for c in range(rows.ways.size):
        here = tally[rows.first[c] : rows.first[c + 1]]
        if rows.ways[c] == BRANCHES:
            _best_branches(rows, rules, here, c, room, answer)
        else:
            _best_question(rows, rules, here, total, c, room, answer)


@jit_part
def _best_question(
    rows: Rows, rules: Rules, here: NDArray[np.float64], total: NDArray[np.float64], c: int, room: NDArray[np.float64],
    answer: NDArray[np.float64],
) -> None:  # fmt: skip
    last = total.shape[0] - 1
    way, size, missing = rows.ways[c], rows.sizes[c], rows.missing[c]
    for k in range(last + 1):
        room[0, k], room[1, k] = 0.0, total[k]
    side = np.zeros(size + 1, np.uint8) if way != CUT or missing else np.zeros(0, np.uint8)
    for i in range(n_flips(way, size, missing)):
        code, asked = flip_at(way, size, missing, i)
        to = 0
        if side.size:
            to = int(side[code])
            side[code] = 1 - to
        if here[code, last] < 0.5:
            continue  # nothing moves, so the question is the one before
        for k in range(last + 1):
            room[to, k] += here[code, k]
            room[1 - to, k] -= here[code, k]
        if asked and may_part(room[0, last], room[0, last] + room[1, last], rules.min_leaf):
            error = leaf_error(room[0], rules.number) + leaf_error(room[1], rules.number)
            if is_better(error, 2.0, answer, rules.eps):
                answer[ERROR], answer[LEAVES], answer[COLUMN], answer[FLIP] = error, 2.0, c, i


@jit_part
def _best_branches(
    rows: Rows, rules: Rules, here: NDArray[np.float64], c: int, room: NDArray[np.float64], answer: NDArray[np.float64]
) -> None:
    """A leaf for each level; the missing rows join each of the levels present, and one that is not if there is any."""
    last = here.shape[1] - 1
    size, lacking = rows.sizes[c], here[0, last] > 0.5
    joins = size + (1 if size < rows.declared[c] else 0) if lacking else 1
    for join in range(joins):
        error, branches, allowed = 0.0, 0, True
        for code in range(1, size + 2):
            for k in range(last + 1):
                room[0, k] = here[code, k] if code <= size else 0.0
                if lacking and code == join + 1:
                    room[0, k] += here[0, k]
            if room[0, last] > 0.5:
                branches += 1
                allowed = allowed and is_enough(room[0, last], rules.min_leaf)
                error += leaf_error(room[0], rules.number)
        leaves = float(rows.declared[c])
        if branches > 1 and allowed and is_better(error, leaves, answer, rules.eps):
            answer[ERROR], answer[LEAVES], answer[COLUMN], answer[FLIP] = error, leaves, c, join


@jit
def count_rows(rows: Rows, tally: NDArray[np.float64], total: NDArray[np.float64]) -> None:
    """Adds the statistics of all rows by column and code to tally float64[first[C], S], and to total float64[S]."""
    for i in range(rows.codes.shape[0]):
        for k in range(total.size):
            total[k] += rows.stats[i, k]
            for c in range(rows.codes.shape[1]):
                tally[rows.first[c] + rows.codes[i, c], k] += rows.stats[i, k]


@jit_part
def _move(rows: Rows, i: int, pair: Pair, to: int) -> None:
    """Moves row i into branch `to`."""
    n_columns, width = rows.codes.shape[1], rows.stats.shape[1]
    for k in range(width):
        moved = rows.stats[i, k]
        if moved != 0.0:
            pair.total[to, k] += moved
            pair.total[1 - to, k] -= moved
            for c in range(n_columns):
                place = rows.first[c] + rows.codes[i, c]
                pair.tally[to, place, k] += moved
                pair.tally[1 - to, place, k] -= moved


@jit_long
def best_of_two(
    rows: Rows, rules: Rules, c: int, flips: tuple[int, int], order: NDArray[np.int64], starts: NDArray[np.int64],
    pair: Pair, best: NDArray[np.float64], flag: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Asks questions flips[0] … flips[1] − 1 of column c first, and the best one in each branch then.

    Args:
        order, starts: the rows by their code in that column, code v at order[starts[v]:starts[v + 1]].
        pair: as the flips before left it; at the first one all rows stand in branch 1.
        best: float64[4], the best answer so far; improved.
        flag: ends this early when it is set.
    """
    last = rows.stats.shape[1] - 1
    way, size, missing = rows.ways[c], rows.sizes[c], rows.missing[c]
    bounded = is_enough(1, rules.min_leaf) and not rules.number
    for i in range(flips[0], flips[1]):
        if flag[0]:
            return
        code, asked = flip_at(way, size, missing, i)
        to = int(pair.side[code])
        pair.side[code] = 1 - to
        for place in range(starts[code], starts[code + 1]):
            row = order[place]
            _move(rows, row, pair, to)
            for k in range(last):  # a row that moves takes at most its weight off the error
                pair.bound[0] -= rows.stats[row, k]
        if not asked or not may_part(pair.total[0, last], pair.total[0, last] + pair.total[1, last], rules.min_leaf):
            continue
        if bounded and pair.bound[0] > best[ERROR] + rules.eps:
            continue
        below = pair.below
        best_of_one(rows, rules, pair.tally[0], pair.total[0], pair.room, below[0])
        pair.bound[0] = max(pair.bound[0], below[0, ERROR])
        if below[0, ERROR] > best[ERROR] + rules.eps:
            continue
        best_of_one(rows, rules, pair.tally[1], pair.total[1], pair.room, below[1])
        pair.bound[0] = below[0, ERROR] + below[1, ERROR]
        leaves = below[0, LEAVES] + below[1, LEAVES]
        if is_better(pair.bound[0], leaves, best, rules.eps):
            best[ERROR], best[LEAVES], best[COLUMN], best[FLIP] = pair.bound[0], leaves, c, i
