"""What a format's reader hands on: columns as they stand in the file, before anybody guesses their kind."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from engine.readers.options import ReadOptions
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr


@dataclass(frozen=True, eq=False)
class Raw:
    """Columns of a file, all of them or the first rows.

    Attributes:
        label: how sentences call the file.
        names: one per column, unique.
        columns: Arrow arrays or chunks of one length, None where one was taken. Unless `typed`: texts without
            nulls, perhaps with white space around, whose kind is to be guessed.
        options: what it was read with, every guess filled in.
        notes: announcements in words.
        sheets: the sheets of a workbook.
        n_rows: rows of the whole file, None when only a sample was read.
        typed: the file declares the types of its columns, so text stays text.
        coded: columns of a typed file that are held as dictionaries, although it declares plain text.
    """

    label: str
    names: tuple[str, ...]
    columns: list[Any]
    options: ReadOptions
    notes: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    n_rows: int | None = None
    typed: bool = False
    coded: frozenset[str] = frozenset()

    @property
    def height(self) -> int:
        """How many rows the columns hold, before the first is taken."""
        return len(self.columns[0]) if self.columns else 0

    def take(self, i: int) -> Any:
        """Hands a column over; its memory is free as soon as the caller lets go of it."""
        cells, self.columns[i] = self.columns[i], None
        return cells


def text_array(cells: Any) -> Any:
    """Cells as one large_string array, white space around them removed; null becomes empty."""
    texts = pa.array(cells, pa.large_string()) if isinstance(cells, list) else pc.cast(cells, pa.large_string())
    trimmed = pc.fill_null(pc.utf8_trim_whitespace(texts), "")
    return trimmed.combine_chunks() if isinstance(trimmed, pa.ChunkedArray) else trimmed


def level_array(cells: Any) -> Any:
    """A dictionary of texts, or its chunks, as one array whose levels are trimmed and distinct."""
    whole = cells.unify_dictionaries().combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells
    whole = whole.combine_chunks() if isinstance(whole, pa.ChunkedArray) else whole
    levels = text_array(whole.dictionary)
    if levels.equals(pc.cast(whole.dictionary, pa.large_string())):
        return pa.DictionaryArray.from_arrays(whole.indices, levels)
    distinct = levels.dictionary_encode()
    return pa.DictionaryArray.from_arrays(pc.take(distinct.indices, whole.indices), distinct.dictionary)


def among(values: Any, levels: Any) -> Any:
    """Texts, or their chunks, as a dictionary of levels, with those behind it that it has not."""
    values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    values, known = pc.cast(values, pa.large_string()), pc.cast(levels.dictionary, pa.large_string())
    others = pc.unique(values.drop_null().filter(pc.invert(pc.is_in(values.drop_null(), value_set=known))))
    known = pa.concat_arrays([known, others])
    return pa.DictionaryArray.from_arrays(pc.index_in(values, value_set=known), known, ordered=levels.type.ordered)


def _blank(cells: Any) -> Any:
    """Which cells hold nothing but white space, as truth values."""
    return pc.or_(pc.equal(cells, ""), pc.utf8_is_space(cells))


def from_cells(
    label: str, header: list[str], columns: list[Any], options: ReadOptions, notes: tuple[str, ...] = ()
) -> Raw:
    """Columns of text under a header: names made unique, empty rows and nameless empty columns left out.

    Args:
        header: one cell per column, possibly empty or double.
        columns: as those of `Raw`.
    """
    remarks = list(notes)
    named = (i for i, cells in enumerate(columns) if header[i].strip() or not pc.all(_blank(cells)).as_py())
    kept = list(named) or list(range(len(columns)))[:1]
    if len(kept) < len(columns):
        n = len(columns) - len(kept)
        one = tr("1 column without name and values was left out.")
        remarks.append(one if n == 1 else tr("{n:,} columns without name and values were left out.", n=n))
    header, columns = [header[i] for i in kept], [columns[i] for i in kept]
    columns, n_empty = without_empty_rows(columns)
    if n_empty:
        one = tr("1 empty row was left out.")
        remarks.append(one if n_empty == 1 else tr("{n:,} empty rows were left out.", n=n_empty))
    names, renamed = chosen_names(label, header, options)
    raw = Raw(label, names, columns, options, (*remarks, *renamed))
    return replace(raw, n_rows=raw.height)


def chosen_names(label: str, header: list[str], options: ReadOptions) -> tuple[tuple[str, ...], list[str]]:
    """The names that the options give, else those of a header; and notes as from `unique_names`.

    Raises:
        InputError: the options give more names or fewer.
    """
    if options.names is None:
        return unique_names(header)
    if len(options.names) != len(header):
        raise InputError(tr(
            "{label} has {columns} columns but {names} names are given: give one for each.", label=label,
            columns=len(header), names=len(options.names)))  # fmt: skip
    return unique_names(list(options.names))


def without_empty_rows(columns: list[Any]) -> tuple[list[Any], int]:
    """The columns without the rows in which all cells are blank, and how many these were."""
    empty = None
    for cells in columns:
        empty = _blank(cells) if empty is None else pc.and_(empty, _blank(cells))
        if not pc.any(empty).as_py():
            return columns, 0
    if empty is None:
        return columns, 0
    keep = pc.invert(empty)
    return [cells.filter(keep) for cells in columns], pc.sum(empty).as_py()


def unique_names(header: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """Names from the cells of a header, and what had to be changed, in words.

    White space is joined to single spaces. A nameless first column becomes "row names", any other "column 3".
    The second "a" becomes "a (2)".
    """
    wanted = [" ".join(cell.replace("\ufeff", "").split()) for cell in header]
    nameless = [i for i, name in enumerate(wanted) if not name]
    for i in nameless:
        wanted[i] = "row names" if i == 0 and len(nameless) == 1 and len(wanted) > 1 else f"column {i + 1}"
    taken, names = set(wanted), list[str]()
    seen: Counter[str] = Counter()
    for name in wanted:
        seen[name] += 1
        number = seen[name]
        while number > 1 and f"{name} ({number})" in taken:
            number += 1
        names.append(name if number == 1 else f"{name} ({number})")
        taken.add(names[-1])
    notes = []
    for name, count in seen.items():
        if count == 2:
            notes.append(tr("2 columns are called “{name}”: the second is now “{name} (2)”.", name=name))
        elif count > 2:
            notes.append(tr("{n} columns are called “{name}”: all but the first are now numbered.", n=count, name=name))
    return tuple(names), notes
