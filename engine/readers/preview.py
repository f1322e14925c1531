"""A first look at a file: what was guessed, and the first rows, so that a person can correct it."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from engine.readers.excel import read_excel
from engine.readers.files import checked_path, enough_memory, file_bytes, known_format, size_of
from engine.readers.frames import read_columns
from engine.readers.guesses import guess_roles, guess_target
from engine.readers.options import ReadOptions
from engine.readers.parquet import read_parquet
from engine.readers.raw import Raw
from engine.readers.text import SAMPLE_BYTES, sample_text_table
from engine.runtime.errors import readable

LOOKED_AT = 5000  # rows that the guesses look at
SHOWN = 100


@dataclass(frozen=True)
class Preview:
    """A first look at a table.

    Attributes:
        path: of the file, absolute; None for pasted text.
        format: "csv", "excel" or "parquet".
        options: what it was read with, every guess filled in. To preview again after a correction, change a
            field and pass them back; fields set to None are guessed anew.
        head: the first rows, as the texts that stand in the file.
        names: of the columns, unique.
        kinds: by column name, guessed from the first rows.
        roles: by column name, only where a column should not be a feature: identifiers are "ignore".
        target: the column that is probably to be predicted, or None.
        sheets: of a workbook.
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


def inspect(path: str | os.PathLike[str], options: ReadOptions | None = None) -> Preview:
    """A first look at a file, read as `options` say and guessed where they say nothing.

    Raises:
        InputError: the file cannot be read at all, or an option does not fit it (a sheet that is not there).
    """
    found = checked_path(path)
    with enough_memory(found.name):
        return _inspect(found, options or ReadOptions())


def _inspect(found: Path, options: ReadOptions) -> Preview:
    kind = known_format(found)
    if kind == "csv":
        data = file_bytes(found, SAMPLE_BYTES)
        cut = size_of(found) > len(data)
        raw = sample_text_table(data, options, found.name, cut=cut, limit=LOOKED_AT)
    elif kind == "excel":
        raw = read_excel(found, options, limit=LOOKED_AT)
    else:
        raw = read_parquet(found, options, limit=LOOKED_AT)
    return _preview(raw, found, kind)


def inspect_text(text: str, options: ReadOptions | None = None) -> Preview:
    """A first look at pasted or typed text."""
    with enough_memory("the text"):
        data = readable(text).encode()
        chosen = replace(options or ReadOptions(), encoding="utf-8")
        return _preview(sample_text_table(data, chosen, "The text", cut=False, limit=LOOKED_AT), None, "csv")


def _preview(raw: Raw, path: Path | None, kind: str) -> Preview:
    shown = [[_shown(value) for value in cells[:SHOWN].to_pylist()] for cells in raw.columns]
    columns, notes = read_columns(raw, lambda _, typed: typed)
    frame = pd.DataFrame({name: typed.series for name, typed in zip(raw.names, columns, strict=True)})
    kinds = {name: typed.kind for name, typed in zip(raw.names, columns, strict=True)}
    if raw.names and not len(frame):
        notes = (*notes, f"{raw.label} has a header but no rows.")
    if len(raw.names) == 1:
        notes = (*notes, f"{raw.label} has one column only; a tree needs a target and at least one feature.")
    roles = guess_roles(frame, kinds)
    target = guess_target(frame, kinds, roles)
    head = tuple(zip(*shown, strict=True))
    notes = tuple(map(readable, notes))
    return Preview(
        path, kind, raw.options, head, raw.names, kinds, roles, target, raw.sheets, raw.n_rows, notes
    )  # fmt: skip


def _shown(value: object) -> str:
    return "" if value is None else str(value)
