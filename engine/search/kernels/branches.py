"""Which branches may be made, where rows without a value may go, and the best of many splits of a node in two.

Here and nowhere else row counts are compared with `min_leaf`: rows of positive weight, not weighted. What a column
lacks is tried on both sides of a split in two, on the one with more weight first, so that it wins ties; without such
rows at the node they are sent there, too. Two branches of equal weight: the left one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import BY_CONTRAST, BY_DIVERGENCE
from engine.criteria.kernels import (
    entropy_ceiling,
    improves,
    larger_side,
    pair_gain,
    scales,
    take_away,
    total_of,
    weight,
)
from engine.runtime.compiler import jit, jit_inside, jit_within

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@jit_within
def is_enough(n: Any, min_leaf: int) -> Any:
    """Whether so many rows make a branch; n: a number, or from Python an array of them."""
    return n >= max(min_leaf, 1)


@jit_within
def may_part(n: Any, n_rows: int, min_leaf: int) -> Any:
    """Whether n of the rows make a branch, and the others another one."""
    return is_enough(n, min_leaf) & is_enough(n_rows - n, min_leaf)


@jit_within
def sides_of_missing(toward: int, n_left: int, n_right: int, n_missing: int, min_leaf: int) -> tuple[int, int]:
    """The sides, 0 or 1, that rows without a value may take, in the order in which they are tried; -1 for none.

    Args:
        toward: the side of more weight. n_left, n_right: rows that have the value.
    """
    n_rows = n_left + n_right + n_missing
    left = may_part(n_left + n_missing, n_rows, min_leaf)
    right = may_part(n_left, n_rows, min_leaf)
    first = toward if (left if toward == 0 else right) else -1
    other = 1 - toward if n_missing > 0 and (right if toward == 0 else left) else -1
    return first, other


@jit_within
def open_branches(rows: Integers, n_missing: int, min_leaf: int) -> tuple[int, int]:
    """The branches first .. stop - 1 that rows without a value may join; none where the branches may not be made.

    Every branch, rows int64[B] > 0, needs `min_leaf` rows; a single short one may be filled up.
    """
    short, n_short = 0, 0
    for b in range(rows.shape[0]):
        if not is_enough(rows[b], min_leaf):
            short, n_short = b, n_short + 1
    if rows.shape[0] < 2 or n_short > 1 or (n_short == 1 and not is_enough(rows[short] + n_missing, min_leaf)):
        return 0, 0
    return (short, short + 1) if n_short == 1 else (0, rows.shape[0])


GAIN, TIE, PLACE, SIDE = 0, 1, 2, 3


class Pairs(NamedTuple):
    """A node that is split in two in many ways, and the best of them so far.

    node, missing: float64[S], all of its rows, and those without a value; present: the weight of the others.
    left, right: float64[S], room. value, eps, tie_eps: see `engine.criteria.kernels.scales`.
    best: float64[4], GAIN, TIE, PLACE (-1: none yet) and SIDE, that of the missing rows.
    """

    node: Any
    missing: Any
    present: float
    n_rows: int
    n_missing: int
    code: int
    min_leaf: int
    left: Any
    right: Any
    value: float
    eps: float
    tie_eps: float
    best: Any


@jit
def begin(stat, rows, miss_stat, miss_rows, code, min_leaf):  # type: ignore[no-untyped-def]
    """The node of these runs, see `engine.search.kernels.cuts`, before any split was tried."""
    node, best = total_of(stat, miss_stat), np.zeros(4)
    value, eps, tie_eps = scales(code, node)
    best[PLACE], best[SIDE] = -1.0, -1.0
    return Pairs(
        node, miss_stat, weight(code, node) - weight(code, miss_stat), miss_rows + rows.sum(), miss_rows, code,
        min_leaf, np.empty(node.shape[0]), np.empty(node.shape[0]), value, eps, tie_eps, best,
    )  # fmt: skip


@jit_inside
def try_pair(pairs, place, part, n_part):  # type: ignore[no-untyped-def]
    """Compares the split of part float64[S], of n_part rows that have the value, from the others with the best so far.

    A later split replaces the best only if it is better by more than the tolerance, so that mathematically equal gains
    resolve to the first. Where χ² bounds the gain, splits that cannot win need no logarithms.
    """
    code, best, left, right = pairs.code, pairs.best, pairs.left, pairs.right
    size = weight(code, part)
    toward = larger_side(size, pairs.present - size)
    others = pairs.n_rows - n_part - pairs.n_missing
    for side in sides_of_missing(toward, n_part, others, pairs.n_missing, pairs.min_leaf):
        if side < 0:
            continue
        joins = side == 0 and pairs.n_missing > 0
        for c in range(part.shape[0]):
            left[c] = part[c] + pairs.missing[c] if joins else part[c]
        bounded = code & BY_DIVERGENCE and best[PLACE] >= 0.0
        if bounded and entropy_ceiling(left, pairs.node) <= best[GAIN] * (1.0 - 1e-9):
            continue
        if not code & BY_CONTRAST:
            take_away(pairs.node, left, right)
        gain, tie = pair_gain(code, left, right, pairs.node, pairs.value)
        if best[PLACE] < 0.0 or improves(gain, tie, best[GAIN], best[TIE], pairs.eps, pairs.tie_eps):
            best[GAIN], best[TIE], best[PLACE], best[SIDE] = gain, tie, place, side


@jit
def best_of_gains(gains, toward, n_left, n_missing, n_rows, min_leaf, eps):  # type: ignore[no-untyped-def]
    """(cut, side of the missing rows) of the largest gain of criteria that look at rows; -1 where no cut may be made.

    gains: float64[2, m], by the side of the missing rows and by cut; toward, n_left: int64[m], the side of more weight
    and the rows on the left that have the value; gains within `eps` of each other are equal.
    """
    best, cut, missing = 0.0, -1, 0
    for c in range(toward.size):
        for side in sides_of_missing(toward[c], n_left[c], n_rows - n_left[c] - n_missing, n_missing, min_leaf):
            if side >= 0 and (cut < 0 or improves(gains[side, c], 0.0, best, 0.0, eps, 0.0)):
                best, cut, missing = gains[side, c], c, side
    return cut, missing
