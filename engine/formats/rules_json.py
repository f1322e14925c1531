"""The rules of a tree as JSON: one record for each leaf."""

from collections.abc import Iterator

from engine.formats.rules_table import about, records
from engine.runtime.files import to_json
from engine.table.table import Table
from engine.tree.tree import Tree


def write(tree: Tree, table: Table | None = None) -> Iterator[str]:
    """The file in pieces, a rule in each line."""
    yield f'{{"about": {to_json(about(tree, table))},\n"rules": [\n'
    for k, record in enumerate(records(tree)):
        yield (",\n" if k else "") + to_json(record)
    yield "\n]}\n"
