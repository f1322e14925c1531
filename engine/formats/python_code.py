"""A tree as a module of Python without dependencies."""

import sys
from collections.abc import Iterator
from typing import Any

from engine.formats.coding import Language, headline, lines, number
from engine.formats.questions import Compare, columns_used, pieces_of_code, variables
from engine.formats.rows_to_check import Answers, plain_cells
from engine.table.column import NUMERIC
from engine.table.table import Table
from engine.tree.tree import Tree

HELPERS = '''
def predict(row=None, /, **values):
    """The prediction for one row: a mapping of column names, or keywords. None, NaN and absent columns are missing;
    dates are datetime.date or datetime.datetime, or texts that datetime.fromisoformat reads; UTC without a zone."""
    return _find(row, values)[1]


def leaf(row=None, /, **values):
    """The number of the leaf that a row reaches."""
    return _find(row, values)[0]


def _number(value, name):
    try:
        return _NAN if value is None else float(value)
    except (TypeError, ValueError):
        raise TypeError(f"The column {name!r} holds {value!r}: give a number, or None where it is missing.") from None


def _date(value, name):
    """Seconds since 1970, UTC, of a date or a moment."""
    if value is None or value != value:
        return _NAN
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            value = None
    if not isinstance(value, date):
        raise TypeError(f"The column {name!r} holds no date: give a datetime.date or datetime.datetime, a text like "
                        "2024-12-31 or 2024-12-31T23:59:59, or None where it is missing.")
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    value = value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value
    return (value - _EPOCH) // timedelta(microseconds=1) / 1e6


def _truth(value, name):
    if value is None or value != value or isinstance(value, str):
        return None if value != value else value
    return str(bool(value))


def _text(value, name):
    if value is None or value != value or isinstance(value, str):
        return None if value != value else value
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, (int, float)):
        value = float(value)
        return f"{value:.0f}" if abs(value) <= 2.0**63 and value == int(value) else repr(value)
    return str(value)
'''
PROBABILITIES = '''

def predict_proba(row=None, /, **values):
    """The probability of each class."""
    return dict(zip(CLASSES, _find(row, values)[2]))
'''
READERS = {"date": "_date", "boolean": "_truth", "nominal": "_text", "ordered": "_text"}


def write(tree: Tree) -> Iterator[str]:
    """The module in pieces: `predict(row)`, `leaf(row)`, and `predict_proba(row)` of classes."""
    names = variables(tree)
    yield f'"""{headline(tree).replace(chr(34), chr(39))}"""\n\n'
    yield "from datetime import date, datetime, timedelta, timezone\n\n"
    yield f"TARGET = {tree.target!a}\n"
    if tree.task == "classes":
        yield f"CLASSES = ({''.join(f'{name!a}, ' for name in tree.classes)})\n"
    answer = "probabilities of the classes" if tree.task == "classes" else "number"
    yield f"_LEAVES = (  # the leaf's number, the prediction{', the ' + answer if tree.task == 'classes' else ''}\n"
    yield from (f"    ({said}),\n" for said in leaf_entries(tree))
    yield ")\n_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)\n_NAN = float('nan')\n\n"
    yield HELPERS
    yield PROBABILITIES if tree.task == "classes" else ""
    given = ", ".join(names.values())
    functions = []
    for k, steps in pieces_of_code(tree):
        functions.append(f"_part_{k}")
        yield f"\n\ndef _part_{k}({given}):\n"
        yield from (f"{line}\n" for line in lines(tree, steps, _language(tree, names)))
    yield f"\n\n_PARTS = ({''.join(f'{part}, ' for part in functions)})\n"
    yield "\n\ndef _find(row, values):\n    row = values if row is None else {**row, **values}\n"
    for place, name in names.items():
        column = tree.columns[place]
        yield f"    {name} = {READERS.get(column.kind, '_number')}(row.get({column.name!a}), {column.name!a})\n"
    yield f"    found = _part_0({given})\n    while found < 0:\n        found = _PARTS[-found]({given})\n"
    yield "    return _LEAVES[found]\n"


def leaf_entries(tree: Tree) -> Iterator[str]:
    """Of each leaf from left to right: its id, its prediction and, of classes, their probabilities, as Python's."""
    for i in tree.leaves.tolist():
        if tree.task == "number":
            yield f"{int(tree.ids[i])}, {_number(float(tree.predictions[i]))}"
        else:
            shares = "".join(f"{_number(p)}, " for p in tree.probabilities[i].tolist())
            yield f"{int(tree.ids[i])}, {tree.classes[tree.labels[i]]!a}, ({shares.rstrip()})"


def _number(value: float) -> str:
    return number(value, 'float("inf")')


def _language(tree: Tree, names: dict[int, str]) -> Language:
    def compare(test: Compare) -> str:
        name, is_number = names[test.place], tree.columns[test.place].kind in NUMERIC
        if isinstance(test.value, float):
            return f"{name} {test.test} {_number(test.value)}"
        levels = "".join(f"{level!a}, " for level in test.value).rstrip()
        return {
            "in": f"{name} in ({levels})", "not in": f"{name} is not None and {name} not in ({levels})",
            "missing": f"{name} != {name}" if is_number else f"{name} is None",
            "present": f"{name} == {name}" if is_number else f"{name} is not None",
        }[test.test]  # fmt: skip

    return Language(compare, " and ", " or ", "False", "if {}:", "elif {}:", "else:", "", "#",
                    lambda at: f"return {at}")  # fmt: skip


def run(text: str, tree: Tree, table: Table) -> Answers:
    """What the module answers for the rows of a table."""
    module: dict[str, Any] = {}
    exec(compile(text, "<the exported module>", "exec"), module)
    names = [tree.columns[place].name for place in columns_used(tree)]
    cells = plain_cells(tree, table)
    found = [module["_find"](dict(zip(names, row, strict=True)), {}) for row in zip(*cells, strict=True)]
    found = found or [module["_find"]({}, {})] * table.n_rows
    return Answers.of(tree, f"Python {sys.version.split()[0]}", found)
