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

from engine.runtime.compiler import jit_inside, jit_long, jit_part
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
        begin: int64[C + 1], where its flips begin: moves int64[·], the code that each one moves, and asked bool[·],
            whether a question is asked then. Of BRANCHES there is one for each of its questions.
    """

    codes: NDArray[np.uint32]
    stats: NDArray[np.float64]
    ways: NDArray[np.int64]
    sizes: NDArray[np.int64]
    missing: NDArray[np.int64]
    declared: NDArray[np.int64]
    first: NDArray[np.int64]
    begin: NDArray[np.int64]
    moves: NDArray[np.int64]
    asked: NDArray[np.bool_]


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
    begin, one_way = rows.begin[c], rows.ways[c] == CUT and not rows.missing[c]
    for k in range(last + 1):
        room[0, k], room[1, k] = 0.0, total[k]
    side = np.zeros(0 if one_way else rows.sizes[c] + 1, np.uint8)
    for i in range(rows.begin[c + 1] - begin):
        code, asked, to = rows.moves[begin + i], rows.asked[begin + i], 0
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
    for join in range(rows.begin[c + 1] - rows.begin[c] if lacking else 1):
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
    bounded = is_enough(1, rules.min_leaf) and not rules.number
    for i in range(flips[0], flips[1]):
        if flag[0]:
            return
        code, asked = rows.moves[rows.begin[c] + i], rows.asked[rows.begin[c] + i]
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
