"""The tables that come with the program."""

import json
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

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
