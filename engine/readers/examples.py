"""The tables that come with the program."""

import json
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from engine.readers.options import ReadOptions
from engine.readers.tables import read_table
from engine.runtime.errors import InputError

if TYPE_CHECKING:
    from engine.table import Table

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "examples"


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
    """

    id: str
    file: str
    title: str
    description: str
    target: str
    focus: str | None
    licence: str
    origin: str

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return FOLDER / self.file


@cache
def list_examples() -> tuple[Example, ...]:
    """All examples, the first one to try first."""
    listed = json.loads((FOLDER / "examples.json").read_text(encoding="utf-8"))
    names = [field.name for field in fields(Example)]
    return tuple(Example(**{name: entry[name] for name in names}) for entry in listed)


def read_example(id: str) -> "Table":
    """An example as a table, its target chosen; InputError when there is none of that id."""
    found = next((example for example in list_examples() if example.id == id), None)
    if found is None:
        known = ", ".join(example.id for example in list_examples())
        raise InputError(f"There is no example “{id}”: choose one of {known}.")
    options = ReadOptions(delimiter=",", decimal=".", encoding="utf-8", header=True)
    table = read_table(found.path, target=found.target, options=options)
    return replace(table, name=found.title, source={"kind": "example", "id": found.id})
