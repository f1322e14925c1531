"""A tree as PMML 4.4 (Data Mining Group 2019), TreeModel: the predicates of a node's branches are asked in their order,
and the last branch takes the rest.

Numbers and dates (seconds since 1970, UTC) are doubles, levels, "True" and "False" texts. A predicate of a missing
value is unknown, which with `missingValueStrategy="none"` counts as false; where missing values go is asked with
isMissing, surrogates are compound predicates. Levels that the tree does not know are taken as they are."""

import json
import re
import sys
from collections.abc import Iterator
from itertools import combinations
from math import comb, inf
from typing import Any
from xml.etree import ElementTree

from engine import __version__
from engine.formats.coding import headline
from engine.formats.programs import found_program, output_of
from engine.formats.questions import Asker, AtLeast, Compare, Condition, columns_used
from engine.formats.rows_to_check import Answers, plain_cells
from engine.runtime.errors import InputError, one_line
from engine.runtime.libraries import library
from engine.runtime.sentences import tr
from engine.table.column import NUMERIC
from engine.table.table import Table
from engine.tree.tree import Tree

NAMESPACE = "http://www.dmg.org/PMML-4_4"
NO_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
MOST_DEPTH = 200  # evaluators walk a tree by recursion
MOST_WAYS = 1000  # in which m of n conditions can hold
LARGEST = 1.7976931348623157e308
OPERATORS = {"missing": "isMissing", "present": "isNotMissing", "<=": "lessOrEqual", ">": "greaterThan"}
TEXT = {"optype": "categorical", "dataType": "string"}
LEAF, PREDICTION, PROBABILITY = "leaf", "prediction", "probability({})"
Element = ElementTree.Element


def write(tree: Tree) -> Iterator[str]:
    """The document, with the leaf, the prediction and, of classes, their probabilities as outputs.

    Raises:
        InputError: PMML cannot say this tree.
    """
    if tree.depth > MOST_DEPTH:
        raise InputError(tr(
            "The tree is {depth:,} levels deep; programs that run PMML take at most {most:,}: cut it back.",
            depth=tree.depth, most=MOST_DEPTH))  # fmt: skip
    for text in (tree.target, *tree.classes, *(text for c in tree.columns for text in (c.name, *c.levels))):
        if NO_XML.search(text):
            raise InputError(tr(
                "PMML cannot say “{text}”, which holds a character that XML does not know: rename it.",
                text=one_line(text)))  # fmt: skip
    root = Element("PMML", {"xmlns": NAMESPACE, "version": "4.4"})
    header = _below(root, "Header", description=headline(tree))
    _below(header, "Application", name="Espalier", version=__version__)
    _dictionary(root, tree)
    model = _below(
        root, "TreeModel", functionName="classification" if tree.task == "classes" else "regression",
        missingValueStrategy="none", noTrueChildStrategy="returnNullPrediction", splitCharacteristic="multiSplit",
    )  # fmt: skip
    schema = _below(model, "MiningSchema")
    for place in columns_used(tree):
        _below(schema, "MiningField", name=tree.columns[place].name, invalidValueTreatment="asIs")
    _below(schema, "MiningField", name=tree.target, usageType="target")
    _outputs(model, tree)
    _nodes(model, tree)
    ElementTree.indent(root)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield ElementTree.tostring(root, encoding="unicode") + "\n"


def _below(parent: Element, tag: str, /, **attributes: str) -> Element:
    return ElementTree.SubElement(parent, tag, attributes)


def _dictionary(root: Element, tree: Tree) -> None:
    used = columns_used(tree)
    dictionary = _below(root, "DataDictionary", numberOfFields=str(len(used) + 1))
    for place in used:
        number = tree.columns[place].kind in NUMERIC
        how = {"optype": "continuous", "dataType": "double"} if number else TEXT
        _below(dictionary, "DataField", name=tree.columns[place].name, **how)
    if tree.task == "number":
        _below(dictionary, "DataField", name=tree.target, optype="continuous", dataType="double")
        return
    field = _below(dictionary, "DataField", name=tree.target, **TEXT)
    for name in tree.classes:
        _below(field, "Value", value=name)


def _outputs(model: Element, tree: Tree) -> None:
    outputs = _below(model, "Output")
    number = {"optype": "continuous", "dataType": "double"}
    _below(outputs, "OutputField", name=LEAF, feature="entityId", **TEXT)
    kind = TEXT if tree.task == "classes" else number
    _below(outputs, "OutputField", name=PREDICTION, feature="predictedValue", **kind)
    for name in tree.classes:
        _below(outputs, "OutputField", name=PROBABILITY.format(name), feature="probability", value=name, **number)


def _nodes(model: Element, tree: Tree) -> None:
    """The nodes, each below its parent, in the order in which their predicates are asked."""
    asker, waiting = Asker(tree), list[tuple[int, Element, Condition | None]]([(0, model, None)])
    while waiting:
        i, parent, condition = waiting.pop()
        node = _below(parent, "Node", id=str(tree.ids[i]), recordCount=repr(float(tree.weight()[i])))
        if condition is None:
            _below(node, "True")
        else:
            _predicate(node, condition, tree)
        if tree.n_branches[i]:
            order, conditions = asker.question(i)
            children = tree.children(i)
            steps = [(children[b], node, c) for b, c in zip(order, [*conditions, None], strict=True)]
            waiting += steps[::-1]
        elif tree.task == "number":
            node.set("score", repr(float(tree.predictions[i])))
        else:
            node.set("score", tree.classes[tree.labels[i]])
            for name, n, share in zip(tree.classes, tree.train[i], tree.probabilities[i], strict=True):
                said = {"recordCount": repr(float(n)), "probability": repr(float(share))}
                _below(node, "ScoreDistribution", value=name, **said)


def _predicate(parent: Element, condition: Condition, tree: Tree) -> None:
    """A condition as a predicate."""
    if isinstance(condition, Compare):
        _compare(parent, condition, tree)
    elif not condition.parts:
        _below(parent, "False")
    elif condition.least in (1, len(condition.parts)):
        _compound(parent, "or" if condition.least == 1 else "and", condition.parts, tree)
    else:
        n, m = len(condition.parts), condition.least
        if comb(n, m) > MOST_WAYS:
            raise InputError(tr(
                "PMML has no “at least {m} of {n}”, which can hold in {ways:,} ways; at most {most:,} are written.",
                m=m, n=n, ways=comb(n, m), most=MOST_WAYS))  # fmt: skip
        ways = tuple(AtLeast(m, some) for some in combinations(condition.parts, m))
        _compound(parent, "or", ways, tree)


def _compound(parent: Element, operator: str, parts: tuple[Condition, ...], tree: Tree) -> None:
    if len(parts) > 1:
        parent = _below(parent, "CompoundPredicate", booleanOperator=operator)
    for part in parts:
        _predicate(parent, part, tree)


def _compare(parent: Element, one: Compare, tree: Tree) -> None:
    name = tree.columns[one.place].name
    if one.test in ("missing", "present"):
        _below(parent, "SimplePredicate", field=name, operator=OPERATORS[one.test])
    elif isinstance(one.value, tuple):  # texts of an array would need quotes of their own
        operator, joint = ("equal", "or") if one.test == "in" else ("notEqual", "and")
        if len(one.value) > 1:
            parent = _below(parent, "CompoundPredicate", booleanOperator=joint)
        for level in one.value:
            _below(parent, "SimplePredicate", field=name, operator=operator, value=level)
    elif one.value == -inf:  # which XML's doubles know and evaluators do not
        operator = "lessThan" if one.test == "<=" else "greaterOrEqual"
        _below(parent, "SimplePredicate", field=name, operator=operator, value=repr(-LARGEST))
    else:
        _below(parent, "SimplePredicate", field=name, operator=OPERATORS[one.test], value=repr(one.value))


def run(content: str, tree: Tree, table: Table) -> Answers:
    """What PMML4S answers for the rows of a table, by pypmml in a process of its own, for it brings Java along.

    Raises:
        InputError: pypmml or Java is not installed.
    """
    evaluator: Any = library("pypmml", "exports")
    found_program("java")
    cells = plain_cells(tree, table, date=float, truth=str)
    given = {
        "names": [tree.columns[place].name for place in columns_used(tree)], "columns": cells, "n": table.n_rows,
        "said": [LEAF, PREDICTION, *(PROBABILITY.format(name) for name in tree.classes)],
    }  # fmt: skip
    files = {"ask.py": ASKING, "given.json": json.dumps(given), "tree.pmml": content}
    answers = [json.loads(line) for line in output_of(files, [sys.executable, "ask.py"]).splitlines()]
    found = [(int(leaf), prediction, shares) for leaf, prediction, *shares in answers]
    return Answers.of(tree, f"PMML4S by pypmml {evaluator.__version__}", found)


ASKING = """
import json
from pypmml import Model

with open("tree.pmml", encoding="utf-8") as file:
    model = Model.fromString(file.read())
with open("given.json", encoding="utf-8") as file:
    given = json.load(file)
for row in zip(*given["columns"]) if given["columns"] else [()] * given["n"]:
    said = model.predict({name: cell for name, cell in zip(given["names"], row) if cell is not None})
    print(json.dumps([said[name] for name in given["said"]]))
"""
