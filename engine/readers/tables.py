"""Files, pasted text, saved sources and the examples that come with the program as tables."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from engine.readers.files import checked_path, enough_memory, file_bytes, fingerprint, known_format, size_of
from engine.readers.from_raw import table_of
from engine.readers.options import ReadOptions
from engine.readers.preview import reader_of
from engine.readers.raw import Raw
from engine.readers.text import read_text_table
from engine.runtime.errors import InputError, readable
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.table import Table

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "examples"


def read_table(
    path: str | os.PathLike[str],
    target: str | None = None,
    weights: str | None = None,
    roles: Mapping[str, str] | None = None,
    options: ReadOptions | None = None,
    sheet: str | None = None,
    kinds: Mapping[str, str | Sequence[str]] | None = None,
    progress: Progress | None = None,
    frequencies: str | None = None,
) -> Table:
    """A file as a table; all rows train.

    Args:
        target: the column to predict.
        weights: the column of sampling weights.
        frequencies: the column that says for how many rows each stands.
        roles: by column name. A column that only numbers or names the rows and is not named here is ignored,
            and a note says so; name it as a "feature" to use it.
        options: how to read it; what is None is guessed.
        sheet: of a workbook; the same as `options.sheet`.
        kinds: by column name, beside those of `options`; or levels in their order, which make a column ordered.

    Raises:
        InputError: the file cannot be used, or a stop was asked for; one sentence gives the reason and the remedy.
    """
    options = options or ReadOptions()
    options = options if sheet is None else replace(options, sheet=sheet)
    options = replace(options, kinds={**options.kinds, **kinds}) if kinds else options
    uses = [*(roles or {}).items(), (frequencies, "frequency"), (weights, "weight")]
    named = {column: role for column, role in uses if column is not None}
    return _from_file(path, options, progress, target=target, roles=named)


def read_text(
    text: str,
    options: ReadOptions | None = None,
    name: str = "pasted table",
    target: str | None = None,
    weights: str | None = None,
    roles: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Table:
    """Pasted or typed text as a table; the arguments are those of `read_table`."""
    named = {**(roles or {}), **({} if weights is None else {weights: "weight"})}
    return _from_text(text, options or ReadOptions(), name, progress, target=target, roles=named)


def read_example(id: str) -> Table:
    """An example as a table, its target chosen; InputError when there is none of that id."""
    found = next((example for example in list_examples() if example.id == id), None)
    if found is None:
        known = ", ".join(example.id for example in list_examples())
        raise InputError(tr("There is no example “{id}”: choose one of {known}.", id=id, known=known))
    options = ReadOptions(delimiter=",", decimal=".", encoding="utf-8", header=True)
    table = read_table(found.path, target=found.target, options=options)
    table = table.with_partition(column=found.partition) if found.partition is not None else table
    return replace(table, name=found.title, source={"kind": "example", "id": found.id})


def read_source(source: Mapping[str, Any], progress: Progress | None = None) -> Table:
    """The table of a `Table.source`, read again as it was: every column a feature, no target.

    A file whose content changed is read all the same and the change announced in the notes.

    Raises:
        InputError: the file is gone or cannot be used any more, or the source names nothing that can be read.
    """
    kind = source.get("kind")
    if kind == "example" and isinstance(source.get("id"), str):
        return read_example(source["id"])
    options = ReadOptions.from_dict(source.get("options") or {})
    if kind == "text" and isinstance(source.get("text"), str):
        return _from_text(source["text"], options, str(source.get("name", "pasted table")), progress)
    if kind == "file" and isinstance(source.get("path"), str):
        return _from_file(source["path"], options, progress, before=source)
    if kind in ("codes", "sample") and isinstance(source.get("path"), str):
        return _beyond_memory(source, options, progress)
    raise InputError(tr("It is not known where the table is (“{kind}”): open the table itself.", kind=kind))


def _from_file(
    path: str | os.PathLike[str],
    options: ReadOptions,
    progress: Progress | None,
    *,
    before: Mapping[str, Any] | None = None,
    **uses: Any,
) -> Table:
    """A file as a table; `uses` as for `table_of`, before: the source that it was when it was last read."""
    found = checked_path(path, many=True)
    with enough_memory(found.name):
        printed = fingerprint(found)
        raw = _read(found, options, progress)
        if before is not None and before.get("fingerprint", printed) != printed:
            changed = tr("{label} has changed since it was last read: its present rows are used.", label=raw.label)
            raw = replace(raw, notes=(*raw.notes, changed))
        source = {"kind": "file", "path": str(found), "size": size_of(found), "fingerprint": printed}
        return table_of(raw, readable(found.stem), source, progress, **uses)


def _beyond_memory(source: Mapping[str, Any], options: ReadOptions, progress: Progress | None) -> Table:
    """A table of codes or a sample, again; codes that are gone are made anew."""
    from engine.readers.stored import read_codes, read_sample  # late: they bring DuckDB

    if source["kind"] == "codes":
        table = read_codes(source["path"], source.get("store"), None, None, options, progress, guess=False)
    else:
        n, seed = source.get("rows"), source.get("seed")
        if not isinstance(n, int) or not isinstance(seed, int):
            raise InputError(tr("It is not known which rows the sample has: open the table itself."))
        table = read_sample(source["path"], n, seed, None, None, options, progress, guess=False)
    if source.get("fingerprint", table.source["fingerprint"]) == table.source["fingerprint"]:
        return table
    changed = tr("{label} has changed since it was last read: its present rows are used.", label=table.name)
    return replace(table, remarks=(*table.remarks, changed))


def _from_text(text: str, options: ReadOptions, name: str, progress: Progress | None, **uses: Any) -> Table:
    """A text as a table; `uses` as for `table_of`."""
    with enough_memory(tr("the text")):
        text = readable(text)
        raw = read_text_table(text.encode(), replace(options, encoding="utf-8"), tr("The text"))
        return table_of(raw, name, {"kind": "text", "text": text, "name": name}, progress, **uses)


def _read(path: Path, options: ReadOptions, progress: Progress | None) -> Raw:
    if progress is not None:
        progress.report(0.0, tr("Reading {file}", file=path.name))
    kind = known_format(path)
    if kind == "csv":
        return read_text_table(file_bytes(path), options, path.name)
    return reader_of(kind)(path, options, progress=progress)


# -- examples


@dataclass(frozen=True)
class Example:
    """A table that comes with the program.

    Attributes:
        id: what `read_example` takes.
        file: its name in the examples' folder.
        title: for the start page.
        description: one sentence.
        target: the column to predict.
        focus: the class that is looked at first; None for a numeric target.
        licence: under which it may be passed on.
        origin: who collected it and where it was published.
        partition: the column that says which rows train and which validate; None where all train.
    """

    id: str
    file: str
    title: str
    description: str
    target: str
    focus: str | None
    licence: str
    origin: str
    partition: str | None = None

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return FOLDER / self.file


@cache
def list_examples() -> tuple[Example, ...]:
    """All examples, the first one to try first."""
    listed = json.loads((FOLDER / "examples.json").read_text(encoding="utf-8"))
    names = {field.name for field in fields(Example)}
    return tuple(Example(**{name: value for name, value in entry.items() if name in names}) for entry in listed)
