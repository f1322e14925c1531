"""What the kernels of growing are told and what they tell: rules, the answer of a search, the record of a node.

Nodes come out in preorder, one row of int32 for each (the constants below name its entries). Branches are
numbered by what the training rows at the node show; turning them into splits is left to the caller.

The best splits of a node's columns stand in float64[·, C], one row for each of GAIN (NaN: none), TIE, RATIO, AT (a cut:
see the kernel that writes it; else ALONE), WAY (the branch of the missing rows) and BRANCHES (those with rows).
"""

from functools import cache
from typing import Any, NamedTuple, Self

import numba
import numpy as np
from numba.extending import typeof_impl

from engine.search.kernels.split_kinds import SEARCH

N_ROWS = 0
N_BRANCHES = 1  # those with rows; 0 for a leaf
COLUMN = 2  # -1 for a leaf
LOW, HIGH = 3, 4  # a cut: codes up to LOW left, from HIGH on right; HIGH 0 is "present | missing"
ALONE = 3  # no cut: how many branches hold one level each, the others being pooled
MISSING = 5  # the branch of missing values
PAYLOAD = 6  # no cut: where the pairs (code, branch) of the values present begin
N_PAIRS = 7  # and how many there are
N_FIELDS = 8


class _Rules(NamedTuple):
    criterion: int
    rows_to_split: int
    min_leaf: int
    min_gain: float
    pool: int = 0
    buckets: int = 2
    crowded: np.ndarray = np.zeros(0, np.bool_)
    search: Any = None


class Rules(_Rules):
    """When a split is made: the criterion's code, the limits and amounts, as in `engine.search.options.Search`.

    crowded: bool[C], the columns of too many levels for the guard of the gain ratio, see `choose_column`; or empty.
    search: `search_runs` as a value, found by itself.
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **kws: Any) -> Self:
        return super().__new__(cls, *args, **kws)._replace(search=SEARCH())


@cache
def _type() -> Any:
    """The type of all rules: numba would find it anew for every call, which took a twentieth of growing."""
    whole, fraction = numba.int64, numba.float64
    types = [
        whole,
        whole,
        whole,
        fraction,
        whole,
        whole,
        numba.types.Array(numba.bool_, 1, "C"),
        numba.typeof(SEARCH()),
    ]
    return numba.types.NamedTuple(types, Rules)


typeof_impl.register(Rules)(lambda rules, context: _type())

GAIN, TIE, RATIO, AT, WAY, BRANCHES = 0, 1, 2, 3, 4, 5
