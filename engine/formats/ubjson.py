"""UBJSON as XGBoost writes its models in it (`UBJWriter` and `UBJReader` in its `src/common/json.cc`; ubjson.org).

Nothing is made for a size that the file only claims: of each kind of value it is known how many bytes an item has at
least, and more items than the remaining bytes hold are refused. Every length is a 64-bit integer, all numbers are
big-endian, objects have no declared size.
"""

import struct
from typing import Any

import numpy as np

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr

NUMBERS = {b"U": ">u1", b"i": ">i1", b"I": ">i2", b"l": ">i4", b"L": ">i8", b"d": ">f4", b"D": ">f8"}
CONSTANTS = {b"Z": None, b"T": True, b"F": False}
DEEPEST = 64  # objects and lists inside each other; models have ten


def parse_ubjson(data: bytes) -> dict[str, Any]:
    """The object that the bytes hold; InputError in lower case, to follow the file's name."""
    reader = _Reader(data)
    found = reader.value(reader.take(1), 0)
    if not isinstance(found, dict) or reader.place < len(data):
        raise _damaged(reader.place)
    return found


class _Reader:
    """`place`: how many bytes are read."""

    def __init__(self, data: bytes) -> None:
        self._data, self.place = data, 0

    def take(self, n: int) -> bytes:
        """The next n bytes."""
        if not 0 <= n <= len(self._data) - self.place:
            raise _damaged(self.place)
        self.place += n
        return self._data[self.place - n : self.place]

    def value(self, kind: bytes, depth: int) -> Any:
        """The value of this kind that comes next."""
        if kind in NUMBERS:
            return self._numbers(kind, 1)[0]
        if kind in CONSTANTS:
            return CONSTANTS[kind]
        if kind == b"S":
            return self._text()
        if kind in (b"{", b"[") and depth < DEEPEST:
            return self._object(depth + 1) if kind == b"{" else self._list(depth + 1)
        raise _damaged(self.place)

    def _length(self) -> int:
        """A length that the remaining bytes can hold, each item taking at least one."""
        if self.take(1) != b"L":
            raise _damaged(self.place)
        n = int(struct.unpack(">q", self.take(8))[0])
        if not 0 <= n <= len(self._data) - self.place:
            raise _damaged(self.place)
        return n

    def _text(self) -> str:
        try:
            return self.take(self._length()).decode()
        except UnicodeDecodeError as error:
            raise _damaged(self.place) from error

    def _numbers(self, kind: bytes, n: int) -> list[Any]:
        dtype = np.dtype(NUMBERS[kind])
        return np.frombuffer(self.take(n * dtype.itemsize), dtype).tolist()

    def _object(self, depth: int) -> dict[str, Any]:
        found = {}
        while self._data[self.place : self.place + 1] != b"}":
            key = self._text()
            found[key] = self.value(self.take(1), depth)
        self.place += 1
        return found

    def _list(self, depth: int) -> list[Any]:
        kind = self.take(1)
        if kind == b"$":  # of numbers of one kind
            kind = self.take(1)
            if kind not in NUMBERS or self.take(1) != b"#":
                raise _damaged(self.place)
            return self._numbers(kind, self._length())
        if kind == b"#":
            return [self.value(self.take(1), depth) for _ in range(self._length())]
        found = []
        while kind != b"]":
            found.append(self.value(kind, depth))
            kind = self.take(1)
        return found


def _damaged(place: int) -> InputError:
    return InputError(tr(
        "it is cut off or damaged near byte {place}: use another copy, or save the model again", place=place
    ))  # fmt: skip
