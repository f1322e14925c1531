"""What the kernels of growing are told and what they tell: rules, the answer of a search, the record of a node.

Nodes come out in preorder, one row of int32 for each (the constants below name its entries). Branches are
numbered by what the training rows at the node show; turning them into splits is left to the caller.

The best splits of a node's columns stand in float64[·, C], one row for each of GAIN (NaN: none), TIE, RATIO, AT (a cut:
see the kernel that writes it; else ALONE), WAY (the branch of the missing rows) and BRANCHES (those with rows).
`rank_columns` and `choose_column` bring the columns into the order of their merit.
"""

from functools import cache
from typing import Any, NamedTuple, Self

import numba
import numpy as np
from numba.extending import typeof_impl
from numpy.typing import NDArray

from engine.criteria.criterion import BY_RATIO, OF_COUNTS
from engine.criteria.kernels import tolerance
from engine.runtime.compiler import jit, jit_part, jit_within
from engine.search.kernels.split_kinds import SEARCH, search_runs

N_ROWS = 0
N_BRANCHES = 1  # those with rows; 0 for a leaf
COLUMN = 2  # -1 for a leaf
LOW, HIGH = 3, 4  # a cut: codes up to LOW left, from HIGH on right; HIGH 0 is "present | missing"
ALONE = 3  # no cut: how many branches hold one level each, the others being pooled
MISSING = 5  # the branch of missing values
PAYLOAD = 6  # no cut: where the pairs (code, branch) of the values present begin
N_PAIRS = 7  # and how many there are
N_FIELDS = 8


class Rules(NamedTuple):
    """When a split is made: the criterion's code, the limits and amounts, as in `engine.search.options.Search`.

    crowded: bool[C], the columns of too many levels for the guard of the gain ratio, see `choose_column`; or empty.
    search: `search_runs`; compiled kernels take it as a value, see `compiled`.
    """

    criterion: int
    rows_to_split: int
    min_leaf: int
    min_gain: float
    pool: int = 0
    buckets: int = 2
    crowded: np.ndarray = np.zeros(0, np.bool_)
    search: Any = search_runs

    def compiled(self) -> Self:
        """The same for kernels that are compiled: waits for the compiler, once."""
        return self._replace(search=SEARCH())


@cache
def _type() -> Any:
    """The type of all rules: numba would find it anew for every call, which took a twentieth of growing."""
    whole, fraction = numba.int64, numba.float64
    types = [
        whole, whole, whole, fraction, whole, whole, numba.types.Array(numba.bool_, 1, "C"), numba.typeof(SEARCH()),
    ]  # fmt: skip
    return numba.types.NamedTuple(types, Rules)


typeof_impl.register(Rules)(lambda rules, context: _type())

GAIN, TIE, RATIO, AT, WAY, BRANCHES = 0, 1, 2, 3, 4, 5


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@jit_part
def _first_of_best(gains: Floats, ties: Floats, open_: NDArray[np.bool_], eps: float) -> int:
    """Lowest open index whose (gain, tie) is within the tolerances of the largest; -1 if none is open."""
    top, top_tie = -np.inf, -np.inf
    for i in range(gains.shape[0]):
        if open_[i]:
            top = max(top, gains[i])
    for i in range(gains.shape[0]):
        if open_[i] and gains[i] >= top - eps:
            top_tie = max(top_tie, ties[i])
    for i in range(gains.shape[0]):
        if open_[i] and gains[i] >= top - eps and ties[i] >= top_tie - tolerance(OF_COUNTS, top_tie):
            return i
    return -1


@jit_part
def average_gain(gains: Floats, crowded: Flags) -> float:
    """The average gain of the usable columns that are not crowded; of all usable ones if all are, or none is known."""
    for everyone in (False, True):
        total, n = 0.0, 0
        for i in range(gains.shape[0]):
            if not np.isnan(gains[i]) and (everyone or crowded.shape[0] == 0 or not crowded[i]):
                total += gains[i]
                n += 1
        if n > 0:
            return total / n
    return 0.0


@jit
def rank_columns(
    gains: Floats, ties: Floats, ratios: Floats, crowded: Flags, code: int, node_impurity: float, limit: int
) -> Integers:
    """The columns in order of merit, at most `limit` of them: int64[≤ limit]; NaN gains are left out.

    Every next one is the lowest index whose (gain, tie) is within the tolerance of the best that is left.
    With the gain ratio, columns whose gain reaches the average of all usable ones less 10⁻³ come first
    (the guard of Quinlan 1993 with Weka's slack), and among them the ratio decides. The average leaves out
    the columns that are `crowded`, bool[d] or empty: a branch for nearly every row gains much and means little.
    """
    d = gains.shape[0]
    by_ratio = code & BY_RATIO != 0
    merit = ratios if by_ratio else gains
    eps = 1e-12 if by_ratio else tolerance(code, node_impurity)
    bar = -np.inf
    if by_ratio:
        bar = average_gain(gains, crowded) - 1e-3
    order, open_ = np.empty(min(d, limit), np.int64), np.empty(d, np.bool_)
    n = 0
    for passing in (True, False):
        for i in range(d):
            open_[i] = not np.isnan(gains[i]) and (gains[i] >= bar) == passing
        while n < order.shape[0]:
            i = _first_of_best(merit, ties, open_, eps)
            if i < 0:
                break
            order[n] = i
            open_[i] = False
            n += 1
    return order[:n]


@jit_within
def choose_column(gains: Floats, ties: Floats, ratios: Floats, crowded: Flags, code: int, node_impurity: float) -> int:
    """The best column: index into gains, ties, ratios float64[d] (gains NaN: unusable), -1 if none is usable.

    `ratios` (gain / split information) and `crowded` are looked at for the gain ratio only, see `rank_columns`.
    """
    order = rank_columns(gains, ties, ratios, crowded, code, node_impurity, 1)
    return order[0] if order.shape[0] > 0 else -1
