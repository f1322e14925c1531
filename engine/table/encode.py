"""From raw values to codes, distinct values and the order of the rows, with one sort; from codes to the order."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.table.kernels import deal_out, fetch_ranks, order_by_code, rank_groups, survey

FEW = 5_000  # rows for which numpy's sort takes less than a millisecond; the first start need not compile any other
COUNTED_BITS = 18  # of places, up to which each is a group of its own where there are as many rows
GROUPS = 11  # bits of a place by which many rows are dealt out
GROUP_BITS = 9  # bits of the number of rows in a group from which dealing out pays
SAMPLE = 1000  # values that tell most columns of fractions


class Encoded(NamedTuple):
    """A column in codes.

    Attributes:
        distinct: float64[number of distinct values], ascending, without the missing one.
        codes: uint8, uint16 or uint32 [n]; 0 is missing, i + 1 stands for distinct[i].
        order: uint32[n], the rows by ascending code, stable; not writeable.
    """

    distinct: NDArray[np.float64]
    codes: NDArray[Any]
    order: NDArray[np.uint32]


def code_type(n_values: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest unsigned integer that holds the codes of this many values."""
    if n_values < 2**8:
        return np.uint8
    return np.uint16 if n_values < 2**16 else np.uint32


def all_whole(values: NDArray[Any]) -> bool:
    """Whether there are finite numbers among float64[n] and all of them are whole."""
    for part in (values[:SAMPLE], values):  # the first few show that there are fractions
        finite = part[np.isfinite(part)]
        if not np.array_equal(finite, np.floor(finite)):
            return False
    return finite.size > 0


def encoded(values: NDArray[Any]) -> Encoded:
    """The dense ranks of real [n] values, NaN for missing; -0.0 is 0.0. They are compared as float64, exactly."""
    if values.size <= FEW:
        return few(values)
    # in one piece and lent for reading only, as some columns of a frame are: the kernels are compiled once
    with np.errstate(invalid="ignore"):  # signalling NaN
        bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    bits.flags.writeable = False
    facts = np.zeros(3, dtype=np.int64)
    survey(bits, facts)
    every, lowest, highest = map(int, facts)
    lowest = min(lowest, highest)  # without a value they are the wrong way round
    dropped = (every & -every).bit_length() - 1 if every else 0
    line = np.uint64(dropped), np.uint64(max(-lowest, 0)), np.uint64(max(lowest, 0))
    n, n_bits = bits.size, (((highest - lowest) >> dropped) + 1).bit_length()
    counted = n_bits <= min(COUNTED_BITS, n.bit_length())
    n_rest = 0 if counted else n_bits - min(n_bits, GROUPS, max(1, n.bit_length() - GROUP_BITS))
    order, ends = np.empty(n, np.uint32), np.zeros(1 << (n_bits - n_rest), np.uint32)
    places = np.empty(n if n_rest else 0, np.uint64)
    largest = deal_out(bits, line, n_rest, places, order, ends)
    if n_rest == 0:
        distinct, codes = _of_groups(bits, order, ends)
    else:
        distinct = np.empty(n)
        n_values = rank_groups(places, order, ends, n_rest, np.empty((2, largest), np.uint64), line, distinct)
        distinct = distinct[:n_values] if 2 * n_values >= n else distinct[:n_values].copy()
        codes = np.empty(n, np.uint32)
        fetch_ranks(bits, line, n_rest, places, ends, codes)
        codes = codes.astype(code_type(n_values), copy=False)
    order.flags.writeable = False
    return Encoded(distinct, codes, order)


def _of_groups(
    bits: NDArray[np.int64], order: NDArray[np.uint32], ends: NDArray[np.uint32]
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """(distinct values, codes) where the rows of each value are a group of their own, the first group those without."""
    sizes = np.diff(ends, prepend=np.uint32(0))
    present = np.flatnonzero(sizes[1:]) + 1
    ranks = np.zeros(ends.size, code_type(present.size))
    ranks[present] = np.arange(1, present.size + 1)
    codes = np.empty(bits.size, ranks.dtype)
    codes[order] = np.repeat(ranks, sizes)
    return bits[order[ends[present] - 1]].view(np.float64) + 0.0, codes  # + 0.0 makes 0.0 of -0.0


def few(values: NDArray[Any]) -> Encoded:
    """With numpy only, no kernels."""
    with np.errstate(invalid="ignore"):  # signalling NaN
        values = values.astype(np.float64)
    distinct = np.unique(values[~np.isnan(values)]) + 0.0  # makes 0.0 of -0.0
    codes = np.where(np.isnan(values), 0, np.searchsorted(distinct, values) + 1).astype(code_type(distinct.size))
    order = order_of(codes, distinct.size + 1)
    order.flags.writeable = False
    return Encoded(distinct, codes, order)


def order_of(codes: NDArray[Any], n_codes: int) -> NDArray[np.uint32]:
    """uint32[n]: the rows by ascending code, stable; codes are uint8, uint16 or uint32 [n] below n_codes."""
    if codes.size <= FEW:
        return np.argsort(codes, kind="stable").astype(np.uint32)
    order = np.empty(codes.size, dtype=np.uint32)
    order_by_code(codes, n_codes, order)
    return order
