"""Numbers written as codes ("007"), found in the bytes of a large text before its cells become numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

STARTERS = np.frombuffer(b" \t+-", np.uint8)  # may stand between the beginning of a cell and its first digit
SECOND = np.frombuffer(b"0123456789xX", np.uint8)


def padded_columns(rows: bytes, delimiter: str, width: int) -> set[int]:
    """The columns in which a cell begins with 0 and another digit or an x, perhaps behind spaces and a sign.

    All cells are walked through and counted by the columns they stand in.
    """
    from engine.kernels.padding import find_padded  # loads numba, which most files do not need

    data = np.frombuffer(rows, np.uint8)
    flags = np.zeros(width, np.uint8)
    find_padded(data, ord(delimiter), flags)
    return {int(i) for i in np.flatnonzero(flags)}


def may_hold(data: NDArray[np.uint8], separator: int) -> bool:
    """Whether a zero followed by a digit or an x begins a cell, or seems to; for most texts there is none.

    Args:
        data: a piece of the rows. Its first two bytes and the last are only looked at as neighbours of the others.
    """
    pairs = data[2:-1] == ord("0")
    pairs &= data[3:] >= ord("0")  # no decimal mark, no comma, no line end: rarely anything but a digit
    if separator >= ord("0"):
        pairs &= data[3:] != separator
    pairs &= _may_begin(data[1:-2], separator)
    zeros = np.flatnonzero(pairs) + 2
    zeros = zeros[np.isin(data[zeros + 1], SECOND)]
    # behind a space or a sign the byte before decides: "-05" is a code, "1e-05" and "2020-01-31 05:30" are none
    behind = zeros[np.isin(data[zeros - 1], STARTERS) & (data[zeros - 1] != separator)]
    return bool(zeros.size > behind.size or _may_begin(data[behind - 2], separator).any())


def _may_begin(before: NDArray[np.uint8], separator: int) -> Any:
    """Whether a cell may begin behind these bytes: separators, white space, quotation marks and signs.

    One comparison catches them, the comma among them, and some marks that do no harm ("#", "(", "*").
    """
    near = before <= ord("-")
    return near if separator <= ord("-") else near | (before == separator)
