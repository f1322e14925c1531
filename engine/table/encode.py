"""From raw values to codes, distinct values and the order of the rows, with one sort; from codes to the order."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.table.kernels.ascending import ascend, rank_ascending
from engine.table.kernels.counted import number_keys, place_rows
from engine.table.kernels.groups import deal_out, fetch_ranks, rank_groups
from engine.table.kernels.radix import items_of_codes, order_by_code, radix_sort, rows_of_items
from engine.table.kernels.ranks import DOUBLES, SINGLES, STEPS, keys_of_values, survey, values_at
from engine.table.kernels.steps import come_back, keys_of_steps

FEW = 5_000  # rows for which numpy's sort takes less than a millisecond; the first start need not compile any other
COUNTED = 2**15  # codes up to which a counting sort is quicker than passes of digits
COUNTED_KEYS = 2**16  # keys up to which a table of all of them is quicker than sorting
KEY_BITS = 32
GROUPS = 11  # bits of the key by which many rows are dealt out
GROUP_BITS = 9  # bits of the number of rows in a group that is worth the while
PAGE = 2**21  # bytes of a large page
SCALES = (1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6)  # steps in 1 that are tried: numbers of up to six decimals
SAMPLE = 256  # values that are looked at before all are

NO_BITS = np.empty(0, dtype=np.int64)
NO_BITS.flags.writeable = False


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
    if values.size <= FEW:
        return few(values)
    values = _plain(values)
    if ascend(values):
        return _ascending(values)
    line = Line.of(values)
    if values.dtype == np.float32 and line.n_low:
        values = _plain(values.astype(np.float64))
        line = Line.of(values)
    with_steps = values.dtype == np.float64 and line.last + 2 > COUNTED_KEYS
    scale = (Steps.of(values) if with_steps else None) or line
    return _counted(values, scale) if scale.last + 2 <= min(COUNTED_KEYS, values.size) else _sorted(values, scale)


def few(values: NDArray[Any]) -> Encoded:
    """By numpy alone."""
    with np.errstate(invalid="ignore"):  # said of NaN that are to signal something
        values = values.astype(np.float64)
    distinct = np.unique(values[~np.isnan(values)]) + 0.0  # makes 0.0 of -0.0
    codes = np.where(np.isnan(values), 0, np.searchsorted(distinct, values) + 1).astype(code_type(distinct.size))
    order = order_of(codes, distinct.size + 1)
    order.flags.writeable = False
    return Encoded(distinct, codes, order)


def _ascending(values: NDArray[Any]) -> Encoded:
    """Without a look at the bits of values that ascend."""
    n = values.size
    order, codes = _kept(n, np.uint32)
    distinct = _room(8 * n).view(np.float64)
    return _fitted(distinct, rank_ascending(values, codes, order, distinct), codes, order)


def _counted(values: NDArray[Any], scale: "Line | Steps") -> Encoded:
    """With a table of all keys."""
    n, n_keys = values.size, scale.last + 2
    keys = _room(4 * n).view(np.uint32)
    scale.write_keys(values, keys)
    starts, ranks = np.zeros(n_keys, dtype=np.uint32), np.empty(n_keys, dtype=np.uint16)
    places = np.empty(n_keys, dtype=np.uint64)
    n_values = number_keys(keys, starts, ranks, places)
    distinct = np.empty(n_values, dtype=np.float64)
    meaning = scale.meaning
    values_at(places[:n_values], meaning.code, *meaning.facts[:2], meaning.line, meaning.step, distinct)
    order, codes = _kept(n, code_type(n_values))
    place_rows(keys, starts, ranks, codes, order)
    order.flags.writeable = False
    return Encoded(distinct, codes, order)


def _sorted(values: NDArray[Any], scale: "Line | Steps") -> Encoded:
    """With a sort, group by group."""
    n, meaning = values.size, scale.meaning
    n_low = meaning.facts[2]
    n_bits = ((scale.last >> n_low) + 1).bit_length()
    n_rest = n_bits - min(n_bits, GROUPS, max(0, n.bit_length() - GROUP_BITS))
    order, codes = _kept(n, np.uint32)
    scale.write_keys(values, codes)
    items, ends = _room(8 * n).view(np.uint64), np.zeros(1 << (n_bits - n_rest), dtype=np.uint32)
    low, bits = (_room(4 * n).view(np.uint32), values.view(np.int64)) if n_low else (np.empty(0, np.uint32), NO_BITS)
    largest = deal_out(codes, n_rest, bits, meaning.facts, meaning.line, items, low, ends)
    rooms = np.empty((2, largest), dtype=np.uint64)
    distinct = _room(8 * n).view(np.float64)
    n_values = rank_groups(items, low, ends, n_rest, rooms, *meaning, order, distinct)
    fetch_ranks(codes, n_rest, items, ends)
    return _fitted(distinct, n_values, codes, order)


def _fitted(
    distinct: NDArray[np.float64], n_values: int, codes: NDArray[np.uint32], order: NDArray[np.uint32]
) -> Encoded:
    """What is written into room for n values and for codes of the greatest width, in no more than it needs."""
    width = code_type(n_values)
    if width is not np.uint32:
        wide = order, codes
        order, codes = _kept(codes.size, width)
        order[:], codes[:] = wide
    order.flags.writeable = False
    return Encoded(distinct[:n_values] if 2 * n_values >= order.size else distinct[:n_values].copy(), codes, order)


def _kept(n: int, width: type[np.unsignedinteger[Any]]) -> tuple[NDArray[np.uint32], NDArray[Any]]:
    """Room for the order and for n codes of some width, in one piece, for they live and die together."""
    piece = _room(n * (4 + np.dtype(width).itemsize))
    return piece[: 4 * n].view(np.uint32), piece[4 * n :].view(width)


def _room(n_bytes: int) -> NDArray[np.uint8]:
    """Uninitialised bytes; many of them start where a large page does.

    From 4 MB numpy asks for large pages, which are quicker to get and to write in all directions; but those that lie
    within the memory only in part are hundreds of small ones. What is left before the start is never touched.
    """
    if n_bytes < PAGE:
        return np.empty(n_bytes, dtype=np.uint8)
    piece = np.empty(n_bytes + PAGE, dtype=np.uint8)
    start = -piece.ctypes.data % PAGE
    return piece[start : start + n_bytes]


def order_of(codes: NDArray[Any], n_codes: int) -> NDArray[np.uint32]:
    """uint32[n]: the rows by ascending code, stable; codes are uint8, uint16 or uint32 [n] below n_codes."""
    if codes.size <= FEW:
        return np.argsort(codes, kind="stable").astype(np.uint32)
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


class Meaning(NamedTuple):
    """What the keys of a column stand for, as the kernels take it; see `rank_groups`.

    Attributes:
        code: SINGLES, DOUBLES or STEPS.
        facts: magnitude, dropped and n_low.
        line: see `keys_of_values`.
        step: the least number of steps, and how many make 1.
    """

    code: int
    facts: tuple[int, int, int]
    line: tuple[int, int, int]
    step: tuple[float, float]


class Line(NamedTuple):
    """The line of whole numbers on which the values of a column stand; see `engine.table.kernels.ranks`.

    Attributes:
        dtype: of the values, float32 or float64.
        dropped: how many low bits of a value's size are left out, for they are 0 in all.
        ends: what to add to a size: see `keys_of_values`.
        last: the highest place.
        n_low: how many low bits of a place have no room in its key.
    """

    dtype: np.dtype[Any]
    dropped: int
    ends: tuple[int, int, int]
    last: int
    n_low: int

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
        last = n_negative + n_positive
        n_low = max(0, (last + 1).bit_length() - KEY_BITS)
        n_low += (last >> n_low) + 1 >= 2**KEY_BITS
        return cls(values.dtype, dropped, (negative_most, n_negative, up), last, n_low)

    @property
    def meaning(self) -> Meaning:
        """What the keys stand for."""
        whole = SINGLES if self.dtype == np.float32 else DOUBLES
        facts = int(_limits(self.dtype)[0]), self.dropped, self.n_low
        return Meaning(whole, facts, self.ends, (0.0, 1.0))

    def write_keys(self, values: NDArray[Any], keys: NDArray[np.uint32]) -> None:
        """Writes the key of each value: equal ones for equal values, and for different ones where n_low is 0."""
        magnitude, infinity = map(int, _limits(self.dtype))
        keys_of_values(values.view(_whole(self.dtype)), magnitude, infinity, self.dropped, self.ends, self.n_low, keys)


class Steps(NamedTuple):
    """The decimal steps of which all values of a column are whole numbers; see `engine.table.kernels.steps`.

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

    @property
    def meaning(self) -> Meaning:
        """As for `Line`."""
        return Meaning(STEPS, (0, 0, 0), (0, 0, 0), (self.least, self.scale))

    def write_keys(self, values: NDArray[np.float64], keys: NDArray[np.uint32]) -> None:
        """As for `Line`."""
        keys_of_steps(values, self.scale, self.least, keys)


def _whole(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The integers of the same width as floating-point numbers."""
    return np.dtype(f"i{dtype.itemsize}")


@cache
def _limits(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """The mask of all bits of a number but its sign, and the bits of infinity, in integers of the same width."""
    whole = _whole(dtype)
    return whole.type(np.iinfo(whole).max), np.array(np.inf, dtype=dtype).view(whole)[()]
