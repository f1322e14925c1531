"""The rows of a large text, handed to Arrow block by block; each is looked at while it is in the cache.

A file is never in memory as a whole, and never mapped: one that somebody shortens meanwhile just ends earlier.
"""

import io
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.readers.encoding import is_utf8, whole_characters
from engine.readers.padded import may_hold

PIECE = 2**17  # bytes read and looked at together: they stay in the near cache
KEPT = 3  # bytes of what came before, which tell whether a cell begins


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

    def read(self, limit: int = -1) -> bytes:
        """The first `limit` bytes of the rows, or all."""
        with self._at_start() as file:
            return file.read(limit)

    def stream(self, delimiter: str, on_zeros: Callable[[], object] | None = None) -> "Stream":
        """The rows for Arrow; see `Stream`."""
        return Stream(self._at_start(), delimiter, on_zeros)

    def _at_start(self) -> BinaryIO:
        file = self._opened()
        file.seek(self._start)
        return file


class Stream:
    """A file as Arrow reads one, which keeps in mind what it saw; the facts hold once it was read to its end.

    Attributes:
        is_plain: all is UTF-8 without NUL.
        is_quoted: there is a quotation mark.
        is_unpaired: the number of quotation marks is odd.
        n_lines: lines; -1 when some end in another way than most.
    """

    def __init__(self, file: BinaryIO, delimiter: str, on_zeros: Callable[[], object] | None) -> None:
        """`on_zeros`: called once, as soon as a number may be written as a code ("007")."""
        from engine.kernels.glance import count_lines, glance  # loads numba, which a preview does not need

        self._glance, self._count_lines = glance, count_lines
        self._file, self._delimiter, self._on_zeros = file, np.uint8(ord(delimiter)), on_zeros
        self._tail = np.full(KEPT, ord("\n"), np.uint8)
        self._facts = np.zeros(6, np.int64)
        self._broken = b""  # the first bytes of a character that the next piece ends
        self._lock = Lock()  # Arrow may still be reading when it has failed elsewhere
        self._has_lone_return = self._is_over = False
        self._n_feeds = -1  # the first of those kept is looked at as well
        self.closed = False
        self.is_plain, self.is_quoted, self.is_unpaired = True, False, False

    @property
    def n_lines(self) -> int:
        """See the class."""
        return -1 if self._has_lone_return else self._n_feeds + int(self._tail[-1] != ord("\n"))

    def read_buffer(self, size: int) -> Any:
        """The next bytes; none at the end."""
        with self._lock:
            block = np.empty(KEPT + size, np.uint8)
            block[:KEPT] = self._tail
            view, filled = block.data, KEPT
            while filled < block.size and not self.closed:
                n = self._file.readinto(view[filled : filled + PIECE])  # type: ignore[attr-defined]
                if not n:
                    break
                self._look(block[filled - KEPT : filled + n])
                filled += n
            if filled < block.size and not self._is_over:
                self._is_over = True
                self._look(np.append(block[filled - KEPT : filled], np.uint8(ord("\n"))))
                self.is_plain &= not self._broken
            self._tail = block[filled - KEPT : filled].copy()
            return pa.py_buffer(view[KEPT:filled])

    read = read_buffer

    def readable(self) -> bool:
        """As files say it."""
        return True

    def close(self) -> None:
        """Ends the reading."""
        with self._lock:
            self.closed = True
            self._file.close()

    def _look(self, piece: NDArray[np.uint8]) -> None:
        """Keeps in mind what the piece shows; its first bytes were in the one before."""
        self._glance(piece, self._delimiter, self._facts)
        every, nul, returns, quotes, odd, zeros = self._facts.tolist()
        here = piece[2:-1]
        self._n_feeds += self._count_lines(here)
        self.is_unpaired ^= bool(odd)
        self.is_quoted = self.is_quoted or bool(quotes)
        self.is_plain = self.is_plain and not nul
        if returns and not self._has_lone_return:
            self._has_lone_return = bool((piece[3:][here == ord("\r")] != ord("\n")).any())
        if self.is_plain and (every >= 0x80 or self._broken):
            text = self._broken + piece[KEPT:].tobytes()
            whole = whole_characters(text)
            self._broken = text[len(whole) :]
            self.is_plain = is_utf8(whole)
        if zeros and self._on_zeros is not None and may_hold(piece, int(self._delimiter)):
            self._on_zeros()
            self._on_zeros = None
