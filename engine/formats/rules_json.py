"""The rules of a tree as JSON: one record for each leaf.

Beside its `conditions` in words, whose numbers are rounded, stand the exact `tests`, all of which a row has to pass:
`{"column", "kind", "above", "up_to", "missing"}` asks for a number above the one and up to the other (null: no limit;
dates in seconds since 1970, UTC); `{"column", "kind", "levels", "others", "missing"}` for one of these levels, or, with
`others`, for one that the tree does not know; `missing` says whether a row without a value passes. What asks several
columns is `{"split", "branch"}`: a split as in the JSON of a tree, and which of its branches.
"""

from collections.abc import Iterator
from math import inf
from typing import Any

from engine.formats.rules_table import about, record
from engine.formats.tree_json import number_out, split_out
from engine.runtime.files import to_json
from engine.table.table import Table
from engine.tree.rules import Interval, Levels, Limit, rules
from engine.tree.tree import Tree


def write(tree: Tree, table: Table | None = None) -> Iterator[str]:
    """The file in pieces, a rule in each line."""
    yield f'{{"about": {to_json(about(tree, table))},\n"rules": [\n'
    ways = [(rule, path) for rule in rules(tree) for path in rule.paths]
    for k, (rule, path) in enumerate(ways):
        tests = [_test(limit) for limit in path.limits]
        yield (",\n" if k else "") + to_json(record(tree, rule, path) | {"tests": tests})
    yield "\n]}\n"


def _test(limit: Limit) -> dict[str, Any]:
    if isinstance(limit, Interval):
        above = None if limit.low is None else number_out(limit.low)
        up_to = None if limit.high == inf else number_out(limit.high)
        said: dict[str, Any] = {"above": above, "up_to": up_to}
    elif isinstance(limit, Levels):
        said = {"levels": [level for level in limit.column.levels if level in limit.allowed], "others": limit.others}
    else:
        return {"split": split_out(limit.split), "branch": limit.branch}
    return {"column": limit.column.name, "kind": limit.column.kind, **said, "missing": limit.missing}
