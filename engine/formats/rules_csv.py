"""The rules of a tree as comma-separated values, for a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

from engine.formats.rows import FORMULA
from engine.formats.rules_table import about, mistakes, records
from engine.runtime.errors import printable
from engine.table.table import Table
from engine.tree.rules import bracketed
from engine.tree.tree import Tree

FORMULA_SIGNS = re.compile(FORMULA)


def write(tree: Tree, table: Table | None = None) -> Iterator[str]:
    """The file in pieces, a leaf in each line; what a spreadsheet would calculate gets an apostrophe before it;
    the last columns say who wrote it, when, and, if that is known, of which table and what mistakes cost."""
    head = ["leaf", "rule", "prediction", "rows", "error", "validation_rows", "validation_error"]
    known = about(tree, table)
    made: dict[str, Any] = {name: known[name] for name in ("written_by", "date", "table") if name in known}
    if costs := mistakes(known):
        made["costs"] = " ".join(costs)
    yield _line([*head, *(f"probability of {name}" for name in tree.classes), *made])
    for record in records(tree):
        record["rule"] = " AND ".join(map(bracketed, record["conditions"]))
        yield _line([*(record[name] for name in head), *record.get("probabilities", {}).values(), *made.values()])


def _line(cells: list[Any]) -> str:
    line = io.StringIO(newline="")
    said = [_safe(printable(cell)) if isinstance(cell, str) else cell for cell in cells]
    csv.writer(line, lineterminator="\n").writerow(said)
    return line.getvalue()


def _safe(text: str) -> str:
    return f"'{text}" if FORMULA_SIGNS.match(text) else text
