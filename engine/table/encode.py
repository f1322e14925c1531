"""From raw values to codes, distinct values and the order of the rows, with one sort; from codes to the order."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.table.kernels import (
    deal_out,
    fetch_ranks,
    keys_of_values,
    number_keys,
    order_by_code,
    place_rows,
    rank_groups,
    survey,
)

FEW = 5_000  # rows for which numpy's sort takes less than a millisecond; the first start need not compile any other
COUNTED_KEYS = 2**16  # keys up to which a table of all of them is quicker than sorting
KEY_BITS = 32
GROUPS = 11  # bits of the key by which many rows are dealt out
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
    line = Line.of(bits)
    return _counted(bits, line) if line.last + 2 <= min(COUNTED_KEYS, values.size) else _sorted(bits, line)


def few(values: NDArray[Any]) -> Encoded:
    """With numpy only, no kernels."""
    with np.errstate(invalid="ignore"):  # signalling NaN
        values = values.astype(np.float64)
    distinct = np.unique(values[~np.isnan(values)]) + 0.0  # makes 0.0 of -0.0
    codes = np.where(np.isnan(values), 0, np.searchsorted(distinct, values) + 1).astype(code_type(distinct.size))
    order = order_of(codes, distinct.size + 1)
    order.flags.writeable = False
    return Encoded(distinct, codes, order)


def _counted(bits: NDArray[np.int64], line: "Line") -> Encoded:
    """With a table of all keys."""
    n, n_keys = bits.size, line.last + 2
    keys = np.empty(n, np.uint32)
    keys_of_values(bits, line.dropped, line.ends, line.n_low, keys)
    starts, ranks = np.zeros(n_keys, dtype=np.uint32), np.empty(n_keys, dtype=np.uint16)
    distinct = np.empty(n_keys, dtype=np.float64)
    n_values = number_keys(keys, line.dropped, line.ends, starts, ranks, distinct)
    order, codes = np.empty(n, np.uint32), np.empty(n, code_type(n_values))
    place_rows(keys, starts, ranks, codes, order)
    return _fitted(distinct, n_values, codes, order)


def _sorted(bits: NDArray[np.int64], line: "Line") -> Encoded:
    """With a sort, group by group."""
    n, place = bits.size, (line.dropped, line.ends, line.n_low)
    n_bits = ((line.last >> line.n_low) + 1).bit_length()
    n_rest = n_bits - min(n_bits, GROUPS, max(0, n.bit_length() - GROUP_BITS))
    order, codes = np.empty(n, np.uint32), np.empty(n, np.uint32)
    keys_of_values(bits, *place, codes)
    items, ends = np.empty(n, np.uint64), np.zeros(1 << (n_bits - n_rest), dtype=np.uint32)
    low = np.empty(n if line.n_low else 0, np.uint32)
    largest = deal_out(codes, n_rest, bits, *place, items, low, ends)
    distinct = np.empty(n)
    n_values = rank_groups(items, low, ends, n_rest, np.empty((2, largest), np.uint64), *place, order, distinct)
    fetch_ranks(codes, n_rest, items, ends)
    return _fitted(distinct, n_values, codes.astype(code_type(n_values), copy=False), order)


def _fitted(distinct: NDArray[np.float64], n_values: int, codes: NDArray[Any], order: NDArray[np.uint32]) -> Encoded:
    """What is written, the values in no more room than they need."""
    order.flags.writeable = False
    return Encoded(distinct[:n_values] if 2 * n_values >= distinct.size else distinct[:n_values].copy(), codes, order)


def order_of(codes: NDArray[Any], n_codes: int) -> NDArray[np.uint32]:
    """uint32[n]: the rows by ascending code, stable; codes are uint8, uint16 or uint32 [n] below n_codes."""
    if codes.size <= FEW:
        return np.argsort(codes, kind="stable").astype(np.uint32)
    order = np.empty(codes.size, dtype=np.uint32)
    order_by_code(codes, n_codes, order)
    return order


class Line(NamedTuple):
    """The line of whole numbers on which the values of a column stand; see `engine.table.kernels`.

    Attributes:
        dropped: how many low bits of a value's size are left out, for they are 0 in all.
        ends: what to add to a size: see `keys_of_values`.
        last: the highest place.
        n_low: how many low bits of a place have no room in its key.
    """

    dropped: int
    ends: tuple[int, int, int]
    last: int
    n_low: int

    @classmethod
    def of(cls, bits: NDArray[np.int64]) -> "Line":
        """The line of some values, given by their bits."""
        facts = np.zeros(5, dtype=np.int64)
        survey(bits, facts)
        every, *sizes = map(int, facts)
        dropped = (every & -every).bit_length() - 1 if every else 0
        negative_most, negative_least, positive_most, positive_least = (size >> dropped for size in sizes)
        n_negative = negative_most - negative_least + 1 if negative_most else 0
        n_positive = positive_most - positive_least + 1 if positive_most else 0
        up = n_negative + 1 - positive_least if n_positive else 0
        last = n_negative + n_positive
        n_low = max(0, (last + 1).bit_length() - KEY_BITS)
        n_low += (last >> n_low) + 1 >= 2**KEY_BITS
        return cls(dropped, (negative_most, n_negative, up), last, n_low)
