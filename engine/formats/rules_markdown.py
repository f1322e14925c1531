"""The rules of a tree as a table in Markdown."""

import re
from collections.abc import Iterator

from engine.formats.rules_table import error_in_words, records, sentences
from engine.runtime.errors import printable
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.rules import bracketed
from engine.tree.tree import Tree

MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+!|~&-]")


def write(tree: Tree, table: Table | None = None) -> Iterator[str]:
    """The file in pieces: what the rules are of, and a leaf in each line of the table."""
    heading = tr("Rules for {target}", target=tree.target)
    yield f"# {_escaped(heading)}\n\n"
    figures, *further = sentences(tree, table)
    yield f"{figures}\n\n"
    yield from (f"{_escaped(sentence)}\n\n" for sentence in further)
    heads = (tr("Leaf"), tr("Rule"), tr("Predicts"), tr("Rows"), tr("Error"), tr("Validation rows"),
             tr("Validation error"))  # fmt: skip
    yield f"| {' | '.join(heads)} |\n| ---: | --- | --- | ---: | ---: | ---: | ---: |\n"
    for record in records(tree):
        rule = " AND ".join(map(bracketed, record["conditions"])) or tr("always")
        value = record["prediction"]
        label = value if isinstance(value, str) else number_words(value)
        errors = ["" if record[name] is None else error_in_words(tree, record[name])
                  for name in ("error", "validation_error")]  # fmt: skip
        cells = (str(record["leaf"]), _escaped(rule), _escaped(label), f"{record['rows']:,}", errors[0],
                 f"{record['validation_rows']:,}", errors[1])  # fmt: skip
        yield f"| {' | '.join(cells)} |\n"


def _escaped(text: str) -> str:
    """A text in one line, in which nothing is markup."""
    return MARKUP.sub(r"\\\g<0>", printable(text))
