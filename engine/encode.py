"""From raw values to codes, distinct values and the order of the rows, with one sort; from codes to the order."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.radix import WIDEST, items_of_codes, order_by_code, radix_sort, rows_of_items
from engine.kernels.ranks import (
    bits_of_places,
    items_of_values,
    places_of_items,
    ranks_of_items,
    settle,
    survey,
    values_of_rows,
)
from engine.kernels.steps import come_back, items_of_steps

COUNTED = 2**15  # codes up to which a counting sort is quicker than passes of digits
KEY_BITS = 32
SCALES = (1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6)  # steps in 1 that are tried: numbers of up to six decimals
SAMPLE = 256  # values that are looked at before all are


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


def encoded(values: NDArray[Any]) -> Encoded:
    """The dense ranks of real [n] values, NaN for missing; -0.0 is 0.0. They are compared as float64, exactly."""
    values = _plain(values)
    line = Line.of(values)
    steps = Steps.of(values) if values.dtype == np.float64 and line.last >= 2**WIDEST else None
    items, distinct = (steps or line).ranked(values)
    codes, order = _kept(values.size, code_type(distinct.size))
    ranks_of_items(items, codes, order)
    order.flags.writeable = False
    return Encoded(distinct, codes, order)


def _kept(n: int, width: type[np.unsignedinteger[Any]]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """Room for n codes of some width and for the order, in one piece.

    They live and die together, and from 4 MB numpy asks for large pages, where scattering a million codes is quicker.
    """
    piece = np.empty(n * (4 + np.dtype(width).itemsize), dtype=np.uint8)
    return piece[4 * n :].view(width), piece[: 4 * n].view(np.uint32)


def order_of(codes: NDArray[Any], n_codes: int) -> NDArray[np.uint32]:
    """uint32[n]: the rows by ascending code, stable; codes are uint8, uint16 or uint32 [n] below n_codes."""
    order = np.empty(codes.size, dtype=np.uint32)
    if n_codes <= COUNTED:
        order_by_code(codes, n_codes, order)
        return order
    items, spare = np.empty(codes.size, dtype=np.uint64), np.empty(codes.size, dtype=np.uint64)
    items_of_codes(codes, items)
    rows_of_items(radix_sort(items, spare, codes.size, (n_codes - 1).bit_length()), order)
    return order


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """The values as float32 if these hold them all, else float64; in one piece, and marked as not writeable.

    A frame lends some of its columns for reading only, and the kernels would be compiled for both sorts of arrays.
    """
    narrow = np.can_cast(values.dtype, np.float32, "safe")
    plain = np.ascontiguousarray(values, dtype=np.float32 if narrow else np.float64).view()
    plain.flags.writeable = False
    return plain


class Line(NamedTuple):
    """The line of whole numbers on which the values of a column stand; see `engine.kernels.ranks`.

    Attributes:
        dtype: of the values, float32 or float64.
        dropped: how many low bits of a value's size are left out, for they are 0 in all.
        ends: what to add to a size: see `items_of_values`.
        last: the highest place.
    """

    dtype: np.dtype[Any]
    dropped: int
    ends: tuple[np.int64, np.int64, np.int64]
    last: int

    @classmethod
    def of(cls, values: NDArray[Any]) -> "Line":
        """The line of some values."""
        facts = np.zeros(5, dtype=np.int64)
        survey(values.view(_whole(values.dtype)), *_limits(values.dtype), facts)
        every, *sizes = map(int, facts)
        dropped = (every & -every).bit_length() - 1 if every else 0
        negative_most, negative_least, positive_most, positive_least = (size >> dropped for size in sizes)
        n_negative = negative_most - negative_least + 1 if negative_most else 0
        n_positive = positive_most - positive_least + 1 if positive_most else 0
        up = n_negative + 1 - positive_least if n_positive else 0
        ends = np.int64(negative_most), np.int64(n_negative), np.int64(up)
        return cls(values.dtype, dropped, ends, n_negative + n_positive)

    def ranked(self, values: NDArray[Any]) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """The rows as items that ascend by value, equal keys for equal values only, and the distinct values."""
        n, bits, limits = values.size, values.view(_whole(values.dtype)), _limits(values.dtype)
        n_low = max(0, (self.last + 1).bit_length() - KEY_BITS)
        n_low += (self.last >> n_low) + 1 >= 2**KEY_BITS
        items, spare, low = np.empty(n, np.uint64), np.empty(n, np.uint64), np.empty(n if n_low else 0, np.uint32)
        items_of_values(bits, *limits, self.dropped, self.ends, n_low, items, low)
        ascending = radix_sort(items, spare, n, ((self.last >> n_low) + 1).bit_length())
        spare = spare if ascending is items else items
        if not n_low:
            return ascending, self.values_at(spare[: places_of_items(ascending, spare)])
        first = np.empty(n, dtype=np.uint32)
        distinct = np.empty(settle(ascending, low, n_low, spare, first), dtype=np.float64)
        values_of_rows(values, first, distinct)
        return ascending, distinct

    def values_at(self, places: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The values, float64[n], that stand at places, uint64[n]."""
        bits = np.empty(places.size, dtype=_whole(self.dtype))
        bits_of_places(places, _limits(self.dtype)[0], self.dropped, self.ends, bits)
        return bits.view(self.dtype).astype(np.float64, copy=False)


class Steps(NamedTuple):
    """The decimal steps of which all values of a column are whole numbers; see `engine.kernels.steps`.

    Attributes:
        scale: steps in 1.
        least: the fewest steps of a value.
        last: how many more steps another one has.
    """

    scale: float
    least: float
    last: int

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Steps | None":
        """The largest step of which float64[n] values are whole numbers, if so few of them that they make keys."""
        for scale in SCALES:
            if come_back(values[:SAMPLE], scale) and come_back(values, scale):
                least, most = (float(np.rint(end * scale)) for end in (np.fmin.reduce(values), np.fmax.reduce(values)))
                return cls(scale, least, int(most - least)) if most - least < 2**KEY_BITS - 2 else None
        return None

    def ranked(self, values: NDArray[np.float64]) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """As for `Line`."""
        items, spare = np.empty(values.size, dtype=np.uint64), np.empty(values.size, dtype=np.uint64)
        items_of_steps(values, self.scale, self.least, items)
        ascending = radix_sort(items, spare, values.size, (self.last + 1).bit_length())
        spare = spare if ascending is items else items
        places = spare[: places_of_items(ascending, spare)]
        return ascending, (places.astype(np.float64) + self.least) / self.scale


def _whole(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The integers of the same width as floating-point numbers."""
    return np.dtype(f"i{dtype.itemsize}")


def _limits(dtype: np.dtype[Any]) -> tuple[np.int64, np.int64]:
    """The mask of all bits of a number but its sign, and the bits of infinity."""
    whole = _whole(dtype)
    return np.int64(np.iinfo(whole).max), np.int64(np.array(np.inf, dtype=dtype).view(whole))
