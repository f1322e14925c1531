"""A first look at a file: what was guessed, and the first rows, so that a person can correct it.

Guessed is, too, which column is probably the target, and which ones only number or name the rows."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from engine.readers.arff import read_arff
from engine.readers.excel import read_excel
from engine.readers.files import TYPED, checked_path, enough_memory, file_bytes, known_format, size_of
from engine.readers.options import ReadOptions
from engine.readers.parquet import read_parquet
from engine.readers.raw import Raw
from engine.readers.text import SAMPLE_BYTES, sample_text_table
from engine.readers.types import read_columns
from engine.runtime.errors import readable
from engine.runtime.libraries import library
from engine.runtime.sentences import tr

READERS: dict[str, Callable[..., Raw]] = {
    "excel": read_excel,
    "parquet": read_parquet,
    "arff": read_arff,
}  # of what is no plain text
LOOKED_AT = 5000  # rows that the guesses look at
SHOWN = 100
TARGETS = (
    "target", "class", "label", "y", "outcome", "churn", "default", "survived", "diagnosis", "species", "response",
    "status", "result", "success", "approved", "fraud", "attrition", "subscribed", "play",
)  # fmt: skip
IDENTIFIER = re.compile(
    r"(?i:ids?|.*[ _.\-]ids?|id[ _.\-].*|row ?names?|row ?(?:id|number|index)|index|unnamed.*|uuid|guid)|.*[a-z]I[dD]"
)
COUNTER = re.compile(r"(?i:x|no\.?|nr\.?|#|key|row|obs|observation|case|\.\.\.1|column 1)")
MOST_CLASSES = 20
OWN_FROM = 20  # fewer texts may all differ by chance, and a small table is looked at by eye
COUNTED_FROM = 500  # rows in which whole numbers that rise by one are no measurement
OWN_SHARE = 0.95  # of the texts present are distinct: a customer number, a name, a remark


@dataclass(frozen=True)
class Preview:
    """A first look at a table.

    Attributes:
        path: of the file, the folder or the glob, absolute; None for pasted text.
        format: "csv", "excel", "parquet", "arff", "folder" (of Parquet files, or a glob), "duckdb" or "database".
        options: what it was read with, every guess filled in. To preview again after a correction, change a
            field and pass them back; fields set to None are guessed again.
        head: the first rows, as the texts that stand in the file.
        names: of the columns, unique.
        kinds: by column name, guessed from the first rows.
        roles: by column name, only where a column should not be a feature: identifiers are "ignore".
        target: the column that is probably to be predicted, or None.
        sheets: of a workbook, or the tables of a database.
        n_rows: None when not known without reading the whole file; a sheet's blank rows may be counted in.
        notes: announcements in words.
    """

    path: Path | None
    format: str
    options: ReadOptions
    head: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    kinds: dict[str, str]
    roles: dict[str, str]
    target: str | None
    sheets: tuple[str, ...] = ()
    n_rows: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_typed(self) -> bool:
        """Whether the file declares what its columns are."""
        return self.format in TYPED


def reader_of(kind: str) -> Callable[..., Raw]:
    """The reader of a format that is no plain text; InputError when it needs a library that is not installed."""
    if kind in READERS:
        return READERS[kind]
    library("duckdb", "sources")
    from engine.readers.relations import read_relation  # late: it brings DuckDB

    return read_relation


def inspect(path: str | os.PathLike[str], options: ReadOptions | None = None) -> Preview:
    """A first look at a file, read as `options` say and guessed where they say nothing.

    Raises:
        InputError: the file cannot be read at all, or an option does not fit it (a sheet that is not there).
    """
    found = checked_path(path, many=True)
    options = options or ReadOptions()
    with enough_memory(found.name):
        kind = known_format(found)
        if kind == "csv":
            data = file_bytes(found, SAMPLE_BYTES)
            cut = size_of(found) > len(data)
            raw = sample_text_table(data, options, found.name, cut=cut, limit=LOOKED_AT)
        else:
            raw = reader_of(kind)(found, options, limit=LOOKED_AT)
        return preview_of(raw, found, kind)


def inspect_text(text: str, options: ReadOptions | None = None) -> Preview:
    """A first look at pasted or typed text."""
    with enough_memory(tr("the text")):
        data = readable(text).encode()
        chosen = replace(options or ReadOptions(), encoding="utf-8")
        return preview_of(sample_text_table(data, chosen, tr("The text"), cut=False, limit=LOOKED_AT), None, "csv")


def preview_of(raw: Raw, path: Path | None, kind: str) -> Preview:
    """What the first rows of a table look like; they are taken out of `raw`."""
    shown = [["" if value is None else str(value) for value in cells[:SHOWN].to_pylist()] for cells in raw.columns]
    columns, notes = read_columns(raw, lambda _, typed: typed)
    frame = pd.DataFrame({name: typed.series for name, typed in zip(raw.names, columns, strict=True)})
    kinds = {name: typed.kind for name, typed in zip(raw.names, columns, strict=True)}
    if raw.typed:  # whole numbers with gaps are often kept as floats
        of_column = zip(shown, kinds.values(), strict=True)
        shown = [[text.removesuffix(".0") for text in cells] if kind == "integer" else cells
                 for cells, kind in of_column]  # fmt: skip
    if raw.names and not len(frame):
        notes = (*notes, tr("{label} has a header but no rows.", label=raw.label))
    if len(raw.names) == 1:
        lonely = tr("{label} has one column only; a tree needs a target and at least one feature.", label=raw.label)
        notes = (*notes, lonely)
    roles = guess_roles(frame, kinds)
    target = guess_target(frame, kinds, roles)
    head, notes = tuple(zip(*shown, strict=True)), tuple(map(readable, notes))
    return Preview(path, kind, raw.options, head, raw.names, kinds, roles, target, raw.sheets, raw.n_rows, notes)


# -- guesses of roles and target


def guess_roles(frame: pd.DataFrame, kinds: dict[str, str]) -> dict[str, str]:
    """ "ignore" for columns that number the rows (all values distinct, and named like an identifier) or name them.

    A name that could be a measurement ("x", "no") counts only for a first column that runs 0, 1, 2, … or
    1, 2, 3, …. Whole numbers that rise by one from row to row number them whatever the column is called, if there are
    more rows than years that somebody tells. Texts that are nearly all distinct name the rows, too: a split on them
    learns the rows by heart.
    """
    names = list(frame.columns)
    reasons = {name: why_not(name, frame[name], kinds[name], first=name == names[0]) for name in names}
    return {name: "ignore" for name, reason in reasons.items() if reason}


def why_not(name: str, cells: pd.Series, kind: str, *, first: bool) -> str:
    """Why a column is no feature, as a sentence; empty when it may be one.

    Args:
        first: it is the first column of its table.
    """
    if _numbers_rows(name, cells, kind, first):
        return tr("“{name}” only numbers the rows and is ignored; change its role to use it.", name=name)
    if not _names_rows(cells, kind):
        return ""
    if cells.notna().all() and cells.is_unique:
        return tr(
            "“{name}” has a value of its own in every row and is ignored; make it a feature if it tells something.",
            name=name,
        )
    return tr(
        "“{name}” has a value of its own in nearly every row and is ignored; make it a feature if it tells something.",
        name=name,
    )


def _numbers_rows(name: str, cells: pd.Series, kind: str, first: bool) -> bool:
    if len(cells) < 2 or kind not in ("integer", "nominal"):
        return False
    counts = (first and COUNTER.fullmatch(name) is not None) or (kind == "integer" and len(cells) >= COUNTED_FROM)
    counts = counts and _runs(cells)
    return counts or bool(IDENTIFIER.fullmatch(name) and cells.notna().all() and cells.is_unique)


def _names_rows(cells: pd.Series, kind: str) -> bool:
    if kind != "nominal":
        return False
    n_present = int(cells.notna().sum())
    enough = OWN_SHARE * n_present
    if n_present < OWN_FROM or (isinstance(cells.dtype, pd.CategoricalDtype) and len(cells.cat.categories) < enough):
        return False  # so few levels that they need no counting
    return bool(cells.nunique() >= enough)


def _runs(cells: pd.Series) -> bool:
    if isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype("str")
    numbers = pd.to_numeric(cells, errors="coerce")
    from_start = numbers.iloc[0] in (0, 1) or len(cells) >= COUNTED_FROM
    return from_start and bool((numbers.diff().iloc[1:] == 1).all())


def guess_target(frame: pd.DataFrame, kinds: dict[str, str], roles: dict[str, str]) -> str | None:
    """A column named like an outcome; else the last one with 2 to 20 levels; else the last one. Never a date."""
    usable = [name for name in frame.columns if roles.get(name, "feature") == "feature" and kinds[name] != "date"]
    if not usable:
        return None
    place = {"x", "y", "z"} <= {name.casefold() for name in frame.columns}  # then "y" is a place, not an outcome
    for wanted in TARGETS:
        for name in usable:
            if wanted == "y" and place:
                continue
            if re.sub(r"[\W_]+", "", name.casefold()) == wanted and frame[name].nunique() != 1:
                return name
    for name in reversed(usable):
        if kinds[name] in ("nominal", "boolean", "ordered") and 2 <= frame[name].nunique() <= MOST_CLASSES:
            return name
    return usable[-1]
