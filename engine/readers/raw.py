"""What a format's reader hands on: columns as they stand in the file, before anybody guesses their kind."""

from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from engine.errors import InputError
from engine.readers.names import unique_names
from engine.readers.options import ReadOptions


@dataclass(frozen=True, eq=False)
class Raw:
    """Columns of a file, all of them or the first rows.

    Attributes:
        label: how sentences call the file.
        names: one per column, unique.
        columns: Arrow arrays of one length. large_string holds cells of text whose kind is to be guessed.
        options: what it was read with, every guess filled in.
        notes: announcements in words.
        sheets: the sheets of a workbook.
        n_rows: rows of the whole file, None when only a sample was read.
        typed: the file declares the types of its columns, so text stays text.
    """

    label: str
    names: tuple[str, ...]
    columns: tuple[Any, ...]
    options: ReadOptions
    notes: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    n_rows: int | None = None
    typed: bool = False

    @property
    def height(self) -> int:
        """How many rows the columns hold."""
        return len(self.columns[0]) if self.columns else 0

    def noting(self, *notes: str) -> "Raw":
        """The same with further announcements."""
        return replace(self, notes=(*self.notes, *notes))


def text_array(cells: Any) -> Any:
    """Cells as one large_string array, white space around them removed; null becomes empty."""
    texts = pa.array(cells, pa.large_string()) if isinstance(cells, list) else pc.cast(cells, pa.large_string())
    trimmed = pc.fill_null(pc.utf8_trim_whitespace(texts), "")
    return trimmed.combine_chunks() if isinstance(trimmed, pa.ChunkedArray) else trimmed


def from_cells(
    label: str,
    header: list[str],
    columns: list[Any],
    options: ReadOptions,
    notes: tuple[str, ...] = (),
) -> Raw:
    """Columns of text under a header: names made unique, empty rows and nameless empty columns left out.

    Args:
        header: one cell per column, possibly empty or double.
        columns: large_string arrays, trimmed, without nulls.
    """
    said = list(notes)
    kept = _named_or_filled(header, columns)
    if len(kept) < len(columns):
        said.append(_left_out(len(columns) - len(kept), "column", "without name and values"))
    header, columns = [header[i] for i in kept], [columns[i] for i in kept]
    columns, n_empty = _without_empty_rows(columns)
    if n_empty:
        said.append(_left_out(n_empty, "empty row"))
    names, renamed = _names(label, header, options)
    raw = Raw(label, names, tuple(columns), options, (*said, *renamed))
    return replace(raw, n_rows=raw.height)


def _names(label: str, header: list[str], options: ReadOptions) -> tuple[tuple[str, ...], list[str]]:
    if options.names is None:
        return unique_names(header)
    if len(options.names) != len(header):
        raise InputError(
            f"{label} has {len(header)} columns but {len(options.names)} names are given: give one for each."
        )
    return unique_names(list(options.names))


def _named_or_filled(header: list[str], columns: list[Any]) -> list[int]:
    filled = [i for i, cells in enumerate(columns) if header[i].strip() or pc.any(pc.not_equal(cells, "")).as_py()]
    return filled or list(range(len(columns)))[:1]


def _without_empty_rows(columns: list[Any]) -> tuple[list[Any], int]:
    empty = pc.equal(columns[0], "") if columns else pa.array([], pa.bool_())
    for cells in columns[1:]:
        if not pc.any(empty).as_py():
            return columns, 0
        empty = pc.and_(empty, pc.equal(cells, ""))
    n_empty = pc.sum(empty).as_py() or 0
    if not n_empty:
        return columns, 0
    keep = pc.invert(empty)
    return [cells.filter(keep) for cells in columns], n_empty


def _left_out(count: int, what: str, how: str = "") -> str:
    how = f" {how}" if how else ""
    return f"1 {what}{how} was left out." if count == 1 else f"{count:,} {what}s{how} were left out."
