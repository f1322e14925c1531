"""The quick way through a large table of text: numbers are read in the pass that finds the cells.

A sample tells which columns hold plain numbers, and `readers.kernels.cells` reads those; the cells of the others become
levels. Each thread takes a block of rows, which stays in its cache. A column that turns out to be anything but plain
numbers is read again as text, so that this ends in the very table that the careful way (`careful`) reads.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.readers.body import Block, Blocks, Body
from engine.readers.careful import text_columns
from engine.readers.kernels.cells import (
    FRACTION,
    MISSING,
    NUMBER,
    ODD,
    PRESENT,
    REACH,
    SKIPPED,
    TEXT,
    copy_cells,
    read_rows,
)
from engine.readers.options import ReadOptions
from engine.readers.raw import empty_rows, level_array, unique_names
from engine.readers.sniff import Layout
from engine.readers.types import are_plain_numbers, null_texts
from engine.runtime.errors import InputError
from engine.runtime.threads import Workers

LOOKED_AT = 2**18  # bytes that tell what a column probably holds
MOST = 2**31 - 1  # bytes of a block that int32 can number
SPARE = 1.05  # room for so many times the rows that the sample lets expect; what is not used is never touched
LEVELS = pa.dictionary(pa.int32(), pa.string())


class NotQuick(Exception):
    """The quick way cannot tell what the careful way would read."""


def quick_columns(body: Body, found: Layout, options: ReadOptions) -> tuple[list[Any], bool]:
    """What `text_columns` gives, with plain numbers as float64 or int64 and other cells as dictionaries.

    Returns:
        The columns (see `Raw`), and whether the number of quotation marks is odd.

    Raises:
        NotQuick: only the careful way can read this table.
    """
    delimiter = found.delimiter
    if not delimiter.isascii() or delimiter.isalnum() or delimiter in ('"', "+", "-", ".", found.decimal):
        raise NotQuick
    sample = _whole_lines(body.read(LOOKED_AT))
    plain = _are_plain(sample, found, options)
    room = int(SPARE * body.size() * sample.count(b"\n") / max(1, len(sample))) + 1
    with Workers() as workers:
        first = _Reading(found, options, [NUMBER if is_plain else TEXT for is_plain in plain], room)
        columns = first.columns(body, workers)
        again = [column is None for column in columns]
        if any(again):
            second = _Reading(found, options, [TEXT if wanted else SKIPPED for wanted in again], room)
            texts = second.columns(body, workers)
            if second.n_rows != first.n_rows:
                raise NotQuick  # the file has changed meanwhile
            columns = [new if wanted else old for old, new, wanted in zip(columns, texts, again, strict=True)]
    # a row of missing numbers may hold tokens, or nothing at all: then it is to be left out
    if empty_rows(columns) is not None:
        raise NotQuick
    return columns, first.is_unpaired


class _Reading:
    """One pass over a text.

    Attributes:
        n_rows, is_unpaired: rows, and whether the number of quotation marks is odd; known at the end.
    """

    def __init__(self, found: Layout, options: ReadOptions, kinds: list[int], room: int) -> None:
        """`kinds`: of every column, see `read_rows`; `room`: so many rows are expected at most."""
        self._kinds = np.array(kinds, np.uint8)
        self._numbers, self._texts = (np.flatnonzero(self._kinds == kind).tolist() for kind in (NUMBER, TEXT))
        self._places = np.zeros(len(kinds), np.int64)
        for columns in (self._numbers, self._texts):
            self._places[columns] = np.arange(len(columns))
        blank = "\0" if found.delimiter == " " else " "  # no text that is read here holds a NUL
        self._marks = np.array([ord(found.delimiter), ord(found.decimal), ord(blank)], np.uint8)
        tokens = null_texts(options.missing)
        self._tokens = *packed(tokens), any(character.isdigit() for token in tokens for character in token)
        self._values = [np.empty(room) for _ in self._numbers]
        self._late = dict[int, NDArray[np.float64]]()  # rows that found no place there, by block
        self._levels = dict[int, list[Any]]()  # of every column of text, by block
        self._parts = dict[int, tuple[int, int]]()  # by block: where its rows stand, and how many
        self._facts = np.zeros(len(kinds), np.uint8)
        self.n_rows, self.is_unpaired = 0, False

    def columns(self, body: Body, workers: Workers) -> list[Any | None]:
        """One array for each column; None for one that was skipped, or that holds anything but plain numbers."""
        with body.blocks() as blocks:
            looks = workers.map(lambda _: self._read(blocks), range(workers.threads))
        self.is_unpaired = sum(odd for odd, _ in looks) % 2 == 1
        for _, facts in looks:
            self._facts |= facts
        self.n_rows = sum(n for _, n in self._parts.values())
        return workers.map(self._column, range(self._kinds.size))

    def _read(self, blocks: Blocks) -> tuple[int, NDArray[np.uint8]]:
        """What one thread does; how many quotation marks it saw, odd or even, and the facts about its rows."""
        room, facts, odd = blocks.room(), np.zeros_like(self._facts), 0
        most = -1
        while (block := blocks.take(room)) is not None:
            if block.n_lines > most:
                most = block.n_lines
                numbers = np.empty((len(self._numbers), most))
                begins, ends = np.empty((2, len(self._texts), most), np.int32)
            is_plain, is_odd = block.look()
            n = read_rows(
                block.text, block.size, self._marks, self._kinds, self._places, *self._tokens, powers_of_ten(),
                numbers, begins, ends, facts,
            )  # fmt: skip
            if n < 0 or not is_plain or block.size > MOST:
                blocks.stop()
                raise NotQuick
            odd ^= is_odd
            self._keep(block, numbers[:, :n], begins[:, :n], ends[:, :n])
        return odd, facts

    def _keep(self, block: Block, numbers: NDArray[np.float64], begins: Any, ends: Any) -> None:
        n = numbers.shape[1]
        self._parts[block.number] = block.first, n
        if self._values and block.first + n > self._values[0].size:
            self._late[block.number] = numbers.copy()
        else:
            for values, read in zip(self._values, numbers, strict=True):
                values[block.first : block.first + n] = read
        self._levels[block.number] = [_levels_of(block, *cells) for cells in zip(begins, ends, strict=True)]

    def _column(self, i: int) -> Any | None:

        place, kind, facts = int(self._places[i]), int(self._kinds[i]), int(self._facts[i])
        if kind == TEXT:
            return level_array(
                pa.chunked_array([self._levels[number][place] for number in sorted(self._parts)], LEVELS)
            )
        if kind == SKIPPED or facts & ODD or not facts & PRESENT:
            return None
        values = self._joined(place)
        return pa.array(values if facts & (FRACTION | MISSING) else values.astype(np.int64))

    def _joined(self, place: int) -> NDArray[np.float64]:
        """All rows of a column of numbers, which stand one behind the other unless there are blank lines."""
        blocks = sorted(self._parts.items())
        parts = [
            self._late[number][place] if number in self._late else self._values[place][first : first + n]
            for number, (first, n) in blocks
        ]
        is_gapless = all(first + n == later for (_, (first, n)), (_, (later, _)) in pairwise(blocks))
        return self._values[place][: self.n_rows] if is_gapless and not self._late else np.concatenate(parts)


def _levels_of(block: Block, begins: NDArray[np.int32], ends: NDArray[np.int32]) -> Any:
    """Cells of text as a dictionary."""
    offsets, copied = np.empty(begins.size + 1, np.int32), np.empty(block.size, np.uint8)
    copy_cells(block.text, begins, ends, offsets, copied)
    cells = pa.StringArray.from_buffers(begins.size, pa.py_buffer(offsets), pa.py_buffer(copied))
    return cells.dictionary_encode()


def packed(tokens: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Texts as uint8[texts, longest] and the length of each, in bytes; without the empty one."""
    texts = [token.encode() for token in tokens if token]
    packed = np.zeros((len(texts), max(map(len, texts), default=0)), np.uint8)
    for row, text in zip(packed, texts, strict=True):
        row[: len(text)] = np.frombuffer(text, np.uint8)
    return packed, np.array([len(text) for text in texts], np.int64)


@cache
def powers_of_ten() -> NDArray[np.float64]:
    """float64[powers, 2]: the powers of ten that `read_rows` looks up, and what float64 leaves of them."""
    powers = np.empty((2 * REACH + 1, 2))
    for i, power in enumerate(Fraction(10) ** exponent for exponent in range(-REACH, REACH + 1)):
        powers[i] = float(power), float(power - Fraction(float(power)))
    return powers


def _whole_lines(text: bytes) -> bytes:
    return text[: max(text.rfind(b"\n"), text.rfind(b"\r")) + 1]


def _are_plain(sample: bytes, found: Layout, options: ReadOptions) -> list[bool]:
    """Whether a column is to be read as plain numbers: of those, or of nothing, the sample shows it."""
    forced = _forced(found, options)
    try:
        columns, _ = text_columns(sample, 0, found, "")
    except InputError as error:
        raise NotQuick from error
    return [
        forced.get(i) in (None, "number", "integer") and are_plain_numbers(cells, found.decimal, options.missing)
        for i, cells in enumerate(columns)
    ]


def _forced(found: Layout, options: ReadOptions) -> dict[int, str | None]:
    """The kinds that are chosen, by the place of the column."""
    if not options.kinds:
        return {}
    header = found.header if options.names is None else list(options.names)
    if len(header) != len(found.header) or not all(cell.strip() for cell in found.header):
        raise NotQuick  # a nameless column may be left out, and then the others are called by other names
    return {i: options.kind_of(name) for i, name in enumerate(unique_names(header)[0])}
