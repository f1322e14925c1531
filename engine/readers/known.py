"""Cells read as the kind that a column is known to have: nothing is guessed, and what cannot be read so is counted.

A file that is read in chunks has to mean the same in each of them. What a column's other cells decide when it is read
whole (whether "?" is missing, how numbers and dates are written) is decided here by the known levels and by the cells
of the first chunk, which every later one is read together with.
"""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from engine.readers.notations import parse_dates, parse_numbers
from engine.readers.raw import level_array
from engine.readers.types import (
    as_text,
    declared_column,
    level_series,
    mapped,
    plain_column_of_numbers,
    token_forms,
    typed_values,
)
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.column import YES_OR_NO

WITNESSES = 1000  # texts of the first chunk that later ones are read together with
NUMBERS, LEVELS = ("number", "integer"), ("nominal", "ordered")


@dataclass
class KnownColumn:
    """Reads the chunks of one column.

    Attributes:
        name, kind, levels: as a tree knows them; no levels of a numeric column.
        decimal, missing: as those of `ReadOptions`.
        unreadable: how many cells could not be read as the kind so far; they count as missing for a tree.
        first: the first of them.
    """

    name: str
    kind: str
    levels: tuple[str, ...]
    decimal: str
    missing: tuple[str, ...]
    unreadable: int = 0
    first: str = ""
    _witnesses: Any = field(default_factory=lambda: pa.array([], pa.large_string()))
    _remark: str = ""

    def read(self, cells: Any, typed: bool) -> pd.Series:
        """The next chunk: texts without nulls, or of a typed file an array that `plain_column` gave.

        Raises:
            InputError: the dates or numbers of the column can be read in two ways.
        """
        if not typed:
            return self._of_texts(cells, self.decimal, self._is_missing)
        natural = declared_column(cells, coded=True)
        if self.kind in (*LEVELS, natural.kind) or (self.kind in NUMBERS and natural.kind in (*NUMBERS, "boolean")):
            return natural.series
        if natural.kind in LEVELS or (self.kind == "boolean" and natural.kind in NUMBERS):
            return self._of_texts(as_text(cells), ".", lambda texts: pc.equal(texts, ""))
        present = natural.series.notna()
        self._count(int(present.sum()), str(natural.series[present].iloc[0]) if present.any() else "")
        return pd.Series([None] * len(present), dtype=object)

    def _is_missing(self, texts: Any) -> Any:
        """Which texts stand for a missing value: the tokens, in small or capital letters."""
        if self.kind in LEVELS:
            exact = [token for token in self.missing if token not in self.levels]  # what the tree knows is a level
            forms = [form for form in token_forms(tuple(exact)) if form not in self.levels]
            return pc.is_in(texts, value_set=pa.array([*forms, *exact], pa.large_string()))
        tokens = [token.lower() for token in self.missing]
        return pc.is_in(pc.utf8_lower(texts), value_set=pa.array(["", *tokens], pa.large_string()))

    def _of_texts(self, cells: Any, decimal: str, is_missing: Any) -> pd.Series:
        if self.kind in NUMBERS and not self._remark:
            written = plain_column_of_numbers(cells, decimal, self.missing)
            if written is not None:  # nearly all columns of numbers
                self._keep(written[1].drop_null()[:WITNESSES])
                return pd.Series(pc.cast(written[0], pa.float64()).to_numpy(zero_copy_only=False))
        coded = cells if pa.types.is_dictionary(cells.type) else level_array(cells.dictionary_encode())
        texts = coded.dictionary
        texts = pc.if_else(is_missing(texts), pa.scalar(None, pa.large_string()), texts)
        if self.kind in LEVELS:
            return level_series(texts, coded.indices)
        read = self._parsed(pa.concat_arrays([texts, self._witnesses]), decimal)[: len(texts)]
        self._keep(texts.filter(pc.is_valid(read))[:WITNESSES])
        lost = pc.and_(pc.is_null(read), pc.is_valid(texts))
        n_lost = pc.sum(pc.take(lost, coded.indices)).as_py() or 0
        self._count(n_lost, texts.filter(lost)[0].as_py() if n_lost else "")
        return typed_values(pc.take(read, coded.indices)).series

    def _parsed(self, texts: Any, decimal: str) -> Any:
        """The distinct texts of a chunk and the witnesses as values, null where they are none."""
        if self.kind == "boolean":
            return mapped(texts, YES_OR_NO)
        if self.kind == "date":
            dates, is_ambiguous = parse_dates(texts)
            if is_ambiguous:
                raise InputError(tr(
                    "The dates in “{name}” could be day/month or month/day: write them as 2024-12-31.", name=self.name,
                ))  # fmt: skip
            return dates
        numbers, remark = parse_numbers(texts, decimal)
        if self._remark and remark != self._remark:
            raise InputError(tr(
                "The numbers in “{name}” are written in two ways, with and without % signs or marks between thousands: "
                "write them in one.", name=self.name))  # fmt: skip
        self._remark = remark
        return numbers

    def _keep(self, texts: Any) -> None:
        if not len(self._witnesses):
            texts = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
            self._witnesses = pc.cast(texts, pa.large_string())

    def _count(self, n: int, first: str) -> None:
        self.unreadable += n
        self.first = self.first or first
