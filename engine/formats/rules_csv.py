"""The rules of a tree as comma-separated values, for a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

from engine.formats.rows import FORMULA
from engine.formats.rules_table import records
from engine.runtime.errors import printable
from engine.tree.rules import bracketed
from engine.tree.tree import Tree

FORMULA_SIGNS = re.compile(FORMULA)


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces, a leaf in each line; what a spreadsheet would calculate gets an apostrophe before it."""
    head = ["leaf", "rule", "prediction", "rows", "error", "validation_rows", "validation_error"]
    yield _line([*head, *(f"probability of {name}" for name in tree.classes)])
    for record in records(tree):
        record["rule"] = " AND ".join(map(bracketed, record["conditions"]))
        yield _line([*(record[name] for name in head), *record.get("probabilities", {}).values()])


def _line(cells: list[Any]) -> str:
    line = io.StringIO(newline="")
    said = [_safe(printable(cell)) if isinstance(cell, str) else cell for cell in cells]
    csv.writer(line, lineterminator="\n").writerow(said)
    return line.getvalue()


def _safe(text: str) -> str:
    return f"'{text}" if FORMULA_SIGNS.match(text) else text
