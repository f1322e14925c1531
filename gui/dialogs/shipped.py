"""The examples that come with the program, as the start page shows them: read without pandas, in a millisecond."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "examples"


@dataclass(frozen=True)
class Shipped:
    """One example: what `engine.read_example` calls it, and what its card says."""

    id: str
    title: str
    sentence: str
    rows: int
    columns: int


def shipped_examples(folder: Path = FOLDER) -> list[Shipped]:
    """All examples, the first one to try first."""
    listed = json.loads((folder / "examples.json").read_text(encoding="utf-8"))
    return [_shipped(entry, folder) for entry in listed]


def _shipped(entry: dict[str, str], folder: Path) -> Shipped:
    with (folder / entry["file"]).open(encoding="utf-8", newline="") as file:
        records = csv.reader(file)
        columns = len(next(records))
        rows = sum(1 for record in records if record)
    return Shipped(entry["id"], entry["title"], entry["description"], rows, columns)
