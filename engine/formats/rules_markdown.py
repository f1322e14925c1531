"""The rules of a tree as a table in Markdown."""

import re
from collections.abc import Iterator

from engine.formats.rules_table import about, records
from engine.runtime.errors import printable
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.rules import bracketed
from engine.tree.tree import Tree

MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+!|~&-]")


def write(tree: Tree, table: Table | None = None) -> Iterator[str]:
    """The file in pieces: what the rules are of, and a leaf in each line of the table."""
    known = about(tree, table)
    heading = tr("Rules for {target}", target=tree.target)
    yield f"# {_escaped(heading)}\n\n"
    said = tr("Leaves: {leaves:,}. Training rows: {rows:,}. Validation rows: {validation:,}. {program}, {date}.",
              leaves=known["leaves"], rows=known["rows"], validation=known["validation_rows"],
              program=known["written_by"], date=known["date"])  # fmt: skip
    yield f"{said}\n\n"
    if "table" in known:
        made_of = tr("Made of the table {table}.", table=known["table"])
        yield f"{_escaped(made_of)}\n\n"
    for true, predicted, cost in known.get("costs", []):
        mistake = tr("A row of {true} that is predicted as {predicted} costs {cost}.", true=true, predicted=predicted,
                     cost=number_words(cost))  # fmt: skip
        yield f"{_escaped(mistake)}\n\n"
    heads = (tr("Leaf"), tr("Rule"), tr("Predicts"), tr("Rows"), tr("Error"), tr("Validation rows"),
             tr("Validation error"))  # fmt: skip
    yield f"| {' | '.join(heads)} |\n| ---: | --- | --- | ---: | ---: | ---: | ---: |\n"
    for record in records(tree):
        rule = " AND ".join(map(bracketed, record["conditions"])) or tr("always")
        value = record["prediction"]
        label = value if isinstance(value, str) else number_words(value)
        errors = [_error(tree, record[name]) for name in ("error", "validation_error")]
        cells = (str(record["leaf"]), _escaped(rule), _escaped(label), f"{record['rows']:,}", errors[0],
                 f"{record['validation_rows']:,}", errors[1])  # fmt: skip
        yield f"| {' | '.join(cells)} |\n"


def _error(tree: Tree, error: float | None) -> str:
    if error is None:
        return ""
    return f"{100 * error:.1f} %" if tree.task == "classes" else number_words(error)


def _escaped(text: str) -> str:
    """A text in one line, in which nothing is markup."""
    return MARKUP.sub(r"\\\g<0>", printable(text))
