"""A tree as a module of Python that sends whole columns of a pandas data frame down it at once.

Rows are divided node by node, so no depth is too deep and nothing is asked of a row that does not stand there.
"""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.formats.coding import Language, headline, number, spelled
from engine.formats.python_code import leaf_entries
from engine.formats.questions import Asker, Compare, columns_used, variables
from engine.formats.rows_to_check import Answers
from engine.table.column import NUMERIC
from engine.table.table import Table
from engine.tree.tree import Tree

NODES = 500  # in one function: very long ones take long to compile
HEAD = """
import numpy as np
import pandas as pd

"""
HELPERS = '''
def predict(frame):
    """The prediction for each row of a data frame; None, NaN and NaT are missing; dates are moments of pandas, or texts
    like 2024-12-31 or 2024-12-31T23:59:59; UTC without a zone."""
    return pd.Series(_PREDICTIONS[_find(frame)], index=frame.index, name=TARGET)


def leaf(frame):
    """The number of the leaf that each row reaches."""
    return pd.Series(_LEAVES[_find(frame)], index=frame.index, name="leaf")


def _number(cells):
    return pd.to_numeric(cells).to_numpy(dtype=np.float64, na_value=np.nan)


def _date(cells):
    """Seconds since 1970, UTC."""
    if pd.api.types.is_numeric_dtype(cells) and cells.notna().any():
        raise TypeError(f"The column {cells.name!r} holds numbers: give dates, with pandas.to_datetime and its unit.")
    moments = pd.to_datetime(cells, utc=True, format="ISO8601").dt.tz_localize(None).to_numpy().astype("datetime64[us]")
    seconds = moments.view(np.int64) / 1e6
    seconds[np.isnat(moments)] = np.nan
    return seconds


def _truth(cells):
    return _texts(cells, lambda value: value if isinstance(value, str) else str(bool(value)))


def _text(cells):
    return _texts(cells, _name)


def _name(value):
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        value = float(value)
        return f"{value:.0f}" if abs(value) <= 2.0**63 and value == int(value) else repr(value)
    return str(value)


def _texts(cells, name):
    codes, found = pd.factorize(cells.astype(object), use_na_sentinel=True)
    return pd.Series(np.array([*map(name, found), None], dtype=object)[codes], dtype=object)
'''
PROBABILITIES = '''

def predict_proba(frame):
    """A column for each class: its probability in each row."""
    return pd.DataFrame(_PROBABILITIES[_find(frame)], index=frame.index, columns=CLASSES)
'''
READERS = {"date": "_date", "boolean": "_truth", "nominal": "_text", "ordered": "_text"}


def write(tree: Tree) -> Iterator[str]:
    """The module in pieces: `predict(frame)`, `leaf(frame)`, and `predict_proba(frame)` of classes."""
    names = variables(tree)
    is_classes = tree.task == "classes"
    yield f'"""{headline(tree).replace(chr(34), chr(39))}"""\n{HEAD}TARGET = {tree.target!a}\n'
    if is_classes:
        yield f"CLASSES = [{', '.join(map(ascii, tree.classes))}]\n"
    yield "_ANSWERS = [  # the leaf's number, the prediction" + (", the probabilities of the classes\n" if is_classes
                                                                  else "\n")  # fmt: skip
    yield from (f"    ({said}),\n" for said in leaf_entries(tree))
    kind = "object" if is_classes else "np.float64"
    yield "]\n_LEAVES = np.array([answer[0] for answer in _ANSWERS])\n"
    yield f"_PREDICTIONS = np.array([answer[1] for answer in _ANSWERS], dtype={kind})\n"
    if is_classes:
        yield "_PROBABILITIES = np.array([answer[2] for answer in _ANSWERS], dtype=np.float64)\n"
    yield "\n" + HELPERS
    yield PROBABILITIES if is_classes else ""
    given = ", ".join(names.values())
    n_parts = 0
    for line in _parts(tree, names, f"(rows, found, {given})"):
        n_parts += line.startswith("\n\ndef ")
        yield line
    yield "\n\ndef _find(frame):\n"
    for place, name in names.items():
        column = tree.columns[place]
        yield f"    {name} = {READERS.get(column.kind, '_number')}(frame[{column.name!a}])\n"
    yield "    rows, found = {0: np.arange(len(frame))}, np.zeros(len(frame), dtype=np.int64)\n"
    yield from (f"    _part_{k}(rows, found, {given})\n" for k in range(n_parts))
    yield "    return found\n"


def _parts(tree: Tree, names: dict[int, str], given: str) -> Iterator[str]:
    """The functions that divide the rows: in `rows` those that wait at each node, by its place."""
    asker, language = Asker(tree), _language(tree, names)
    leaf_of = {leaf: k for k, leaf in enumerate(tree.leaves.tolist())}
    for k, i in enumerate(np.flatnonzero(tree.n_branches).tolist()):
        if k % NODES == 0:
            yield f"\n\ndef _part_{k // NODES}{given}:\n"
        question, children = asker.question(i), tree.children(i)
        yield f"    at = rows.pop({i})\n"
        for branch, condition in zip(question.order, [*question.conditions, None], strict=True):
            child = children[branch]
            goal = f"found[{{}}] = {leaf_of[child]}" if child in leaf_of else f"rows[{child}] = {{}}"
            if condition is None:
                yield f"    {goal.format('at')}\n"
            else:
                yield f"    meets = {spelled(condition, language)}\n    {goal.format('at[meets]')}\n"
                yield "    at = at[~meets]\n"


def _language(tree: Tree, names: dict[int, str]) -> Language:
    def compare(test: Compare) -> str:
        name, is_number = f"{names[test.place]}[at]", tree.columns[test.place].kind in NUMERIC
        if isinstance(test.value, float):
            return f"({name} {test.test} {number(test.value, 'np.inf')})"
        levels = ", ".join(map(ascii, test.value))
        present = f"~np.isnan({name})" if is_number else f"{name}.notna().to_numpy()"
        return {
            "in": f"{name}.isin([{levels}]).to_numpy()",
            "not in": f"({present} & ~{name}.isin([{levels}]).to_numpy())",
            "missing": present.removeprefix("~") if is_number else f"{name}.isna().to_numpy()", "present": present,
        }[test.test]  # fmt: skip

    def count(texts: list[str]) -> str:
        return f"({' + '.join(f'({text}).astype(int)' for text in texts)})"

    return Language(compare, " & ", " | ", "np.zeros(at.size, dtype=bool)", "", "", "", "", "", str, count)


def run(text: str, tree: Tree, table: Table) -> Answers:
    """What the module answers for the rows of a table."""
    module: dict[str, Any] = {}
    exec(compile(text, "<the exported module>", "exec"), module)
    frame = table.to_frame(np.arange(table.n_rows))[[tree.columns[place].name for place in columns_used(tree)]]
    shares = module["predict_proba"](frame).to_numpy() if tree.task == "classes" else None
    ran_by = f"pandas {module['pd'].__version__}, Python {sys.version.split()[0]}"
    return Answers(ran_by, module["leaf"](frame).to_numpy(), module["predict"](frame).to_numpy(), shares)
