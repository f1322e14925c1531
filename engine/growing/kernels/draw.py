"""The columns that a node of a random tree may be split by, drawn from its place in the tree and a seed.

    key       of a root: from the seed; of a branch: from the key of its node and the number of the branch
    order     4 0 | 2 1 3      a shuffle, done only as far as it is needed (Durstenfeld 1964)
    chosen    0 . . . 0        the ways of the columns drawn last; the others are CLOSED

Random forests search a random part of the columns at every node (Breiman 2001). Where none of the drawn columns has a
split the next ones of the shuffle are drawn, as in scikit-learn. A key depends on nothing but the seed and the path
from the root, so the same tree grows with any number of threads.

Keys are whole numbers below 2³², and no product needs more than 63 bits: plain Python computes the same.
"""

from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit_part
from engine.search.kernels.rules import GAIN, TIE

CLOSED = -1  # the way of a column that is not searched at a node
MASK = 2**32 - 1


class Draw(NamedTuple):
    """keys: int64[n_roots]. n_columns: how many are drawn at a time, 0 for all. order, chosen: int64[C], room."""

    keys: np.ndarray
    n_columns: int
    order: np.ndarray
    chosen: np.ndarray


@jit_part
def times(a, b):
    """a · b modulo 2³²."""
    return (a * (b & 0xFFFF) + (((a * (b >> 16)) & 0xFFFF) << 16)) & MASK


@jit_part
def mixed(key):
    """Every bit of the result depends on every bit of the key (lowbias32, Wellons 2018)."""
    key = times(key ^ (key >> 16), 0x7FEB352D)
    key = times(key ^ (key >> 15), 0x846CA68B)
    return key ^ (key >> 16)


@jit_part
def key_below(key, branch):
    """The key of a branch of the node with this key."""
    return mixed((key + (branch + 1) * 0x9E3779B9) & MASK)


@jit_part
def open_columns(key, drawn, n, ways, order, chosen):
    """Draws the next n columns of a node, behind the `drawn` ones; returns how many are drawn by now.

    ways: int64[C], of all columns; order, chosen: int64[C], written.
    """
    for j in range(ways.size):
        chosen[j] = CLOSED
        if drawn == 0:
            order[j] = j
    stop = min(drawn + n, ways.size)
    for t in range(drawn, stop):
        other = t + ((mixed((key + (t + 1) * 0x85EBCA6B) & MASK) * (ways.size - t)) >> 32)
        order[t], order[other] = order[other], order[t]
        chosen[order[t]] = ways[order[t]]
    return stop


@jit_part
def forget_splits(columns):
    """Takes what an earlier search found from all columns, float64[6, C]."""
    for j in range(columns.shape[1]):
        columns[GAIN, j], columns[TIE, j] = np.nan, 0.0


@jit_part
def has_split(columns):
    """Whether any column has a split."""
    found = False
    for j in range(columns.shape[1]):
        found |= not np.isnan(columns[GAIN, j])
    return found
