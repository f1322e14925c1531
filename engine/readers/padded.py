"""Numbers written as codes ("007"), found in the bytes of a large text before its cells become numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

CHUNK = 2**18  # bytes looked at together: they and their masks stay in the cache
MARGIN = 2  # bytes before a zero that tell whether it begins a cell
STARTERS = np.frombuffer(b" \t+-", np.uint8)  # may stand between the beginning of a cell and its first digit

SECOND = np.frombuffer(b"0123456789xX", np.uint8)


def padded_columns(text: bytes, start: int, delimiter: str, width: int) -> set[int]:
    """The columns in which a cell begins with 0 and another digit or an x, perhaps behind spaces and a sign.

    A quick look at all bytes decides for most files that there is no such cell; only if there may be one are the cells
    walked through and counted by the columns they stand in.
    """
    data = np.frombuffer(text, np.uint8)[start:]
    separator = ord(delimiter)
    starts = range(0, data.size, CHUNK)
    if not any(_may_hold(data, at, separator) for at in starts):
        return set()
    from engine.kernels.padding import find_padded  # loads numba, which most files do not need

    flags = np.zeros(width, np.uint8)
    find_padded(data, separator, flags)
    return {int(i) for i in np.flatnonzero(flags)}


def _may_hold(whole: NDArray[np.uint8], at: int, separator: int) -> bool:
    """Whether in the chunk from byte `at` a zero followed by a digit or an x begins a cell, or seems to."""
    margin = min(at, MARGIN)
    data = whole[at - margin : at + CHUNK + 1]
    pairs = data[:-1] == ord("0")
    pairs &= data[1:] >= ord("0")  # no decimal mark, no comma, no line end: rarely anything but a digit
    if separator >= ord("0"):
        pairs &= data[1:] != separator
    pairs[1:] &= _may_begin(data[:-2], separator)
    zeros = np.flatnonzero(pairs[margin:]) + margin
    zeros = zeros[np.isin(data[zeros + 1], SECOND)]
    # behind a space or a sign the byte before decides: "-05" is a code, "1e-05" and "2020-01-31 05:30" are none
    behind = zeros[(zeros >= MARGIN) & np.isin(data[zeros - 1], STARTERS) & (data[zeros - 1] != separator)]
    return bool(zeros.size > behind.size or _may_begin(data[behind - 2], separator).any())


def _may_begin(before: NDArray[np.uint8], separator: int) -> Any:
    """Whether a cell may begin behind these bytes: separators, white space, quotation marks and signs.

    One comparison catches them, the comma among them, and some marks that do no harm ("#", "(", "*").
    """
    near = before <= ord("-")
    return near if separator <= ord("-") else near | (before == separator)
