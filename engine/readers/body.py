"""The rows of a large text, taken block by block by several threads; each is looked at while it is in the cache.

A file is never in memory as a whole, and never mapped: one that somebody shortens meanwhile just ends earlier.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from engine.readers.encoding import is_utf8
from engine.readers.kernels.byte_scan import count_lines, glance, last_line_end

BLOCK = 2**20  # bytes of a block, unless a row is longer: the text and its numbers stay in the cache
BEHIND = 16  # line feeds behind the last byte of a block, so that nobody has to ask where it ends


class Body:
    """The bytes of a text from some byte on; they can be read again and again."""

    def __init__(self, opened: Callable[[], BinaryIO], start: int) -> None:
        """`opened`: opens the text at its first byte, with `readinto`; `start`: where the rows begin."""
        self._opened = opened
        self._start = start

    @classmethod
    def of_bytes(cls, text: bytes, start: int) -> "Body":
        """What stands in memory; it is not copied."""
        return cls(lambda: io.BytesIO(text), start)

    @classmethod
    def of_file(cls, path: Path, start: int) -> "Body":
        """What stands in a file, which is opened for each reading."""
        return cls(lambda: path.open("rb", buffering=0), start)  # type: ignore[arg-type, return-value]

    def read(self, limit: int) -> bytes:
        """The first `limit` bytes of the rows."""
        with self._at_start() as file:
            return file.read(limit)

    def size(self) -> int:
        """How many bytes of rows there are now."""
        with self._opened() as file:
            return max(0, file.seek(0, io.SEEK_END) - self._start)

    def blocks(self) -> "Blocks":
        """The rows; see `Blocks`."""
        return Blocks(self._at_start())

    def _at_start(self) -> BinaryIO:
        file = self._opened()
        file.seek(self._start)
        return file


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of a text.

    Attributes:
        number: how many blocks come before it.
        text: uint8[size + BEHIND], the last of them line feeds.
        size: bytes of the rows; the last of them is a line feed.
        first: line feeds before it.
        n_lines: line feeds in it: there are no more rows.
    """

    number: int
    text: NDArray[np.uint8]
    size: int
    first: int
    n_lines: int

    def look(self) -> tuple[bool, bool]:
        """Whether it is UTF-8 without NUL, and whether the number of its quotation marks is odd."""
        facts = np.zeros(3, np.int64)
        glance(self.text[: self.size], facts)
        every, has_nul, is_odd = facts.tolist()
        is_plain = not has_nul and (every < 0x80 or is_utf8(self.text[: self.size].tobytes()))
        return is_plain, bool(is_odd)


class Blocks:
    """The rows of a text, block by block, for whoever asks; used as a context, at whose end the text is closed.

    A block ends with a line, and outside of quotation marks as far as these come in pairs: where they do not, its
    reader may find that the last row has no end.
    """

    def __init__(self, file: BinaryIO) -> None:

        self._count_lines, self._last_line_end = count_lines, last_line_end
        self._file, self._lock = file, Lock()
        self._rest = np.empty(0, np.uint8)
        self._number = self._first = 0
        self._is_over = False

    def __enter__(self) -> "Blocks":
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._is_over = True
            self._file.close()

    def stop(self) -> None:
        """Hands out no further block; one that is being read still ends with a line."""
        with self._lock:
            self._is_over = True

    def room(self) -> NDArray[np.uint8]:
        """Where the blocks that one thread takes may stand, one after the other."""
        return np.empty(BLOCK + BEHIND, np.uint8)

    def take(self, room: NDArray[np.uint8]) -> Block | None:
        """The next rows, in uint8[·] `room` unless a row is too long for it; None at the end."""
        with self._lock:
            text, size = (room, 0) if self._is_over else self._filled(room)
            if not size:
                return None
            block = Block(self._number, text[: size + BEHIND], size, self._first, int(self._count_lines(text[:size])))
            self._number += 1
            self._first += block.n_lines
        text[size : size + BEHIND] = ord("\n")
        return block

    def _filled(self, room: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], int]:
        """Where the next rows stand, and how many bytes of them; what comes behind those is kept for the next call."""
        while True:
            n = self._rest.size
            text = room if 2 * n + BEHIND < room.size else np.empty(2 * n + BLOCK + BEHIND, np.uint8)
            text[:n] = self._rest
            n = self._read(text, n)
            size = n if self._is_over else int(self._last_line_end(text[:n]))
            if not size:  # a row of many lines, or a mark that stands alone, as in 5"
                size = text[:n].tobytes().rfind(b"\n") + 1
            self._rest = text[size:n].copy()
            if size or self._is_over:
                return text, size

    def _read(self, text: NDArray[np.uint8], n: int) -> int:
        """Fills the text from byte `n` on, but for the room behind; how many bytes it holds then."""
        view, most = text.data, text.size - BEHIND
        while n < most:
            more = self._file.readinto(view[n:most])  # type: ignore[attr-defined]
            if not more:
                self._is_over = True
                if n and text[n - 1] != ord("\n"):
                    text[n] = ord("\n")
                    n += 1
                break
            n += more
        return n
