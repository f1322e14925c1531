"""A tree as PMML 4.4 (Data Mining Group 2019), TreeModel: the predicates of a node's branches are asked in their order,
and the last branch takes the rest.

Numbers and dates (seconds since 1970, UTC) are doubles, levels, "True" and "False" texts. A predicate of a missing
value is unknown, which with `missingValueStrategy="none"` counts as false; where missing values go is asked with
isMissing, surrogates are compound predicates. Levels that the tree does not know are taken as they are."""

import io
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from itertools import combinations
from math import comb, inf
from typing import Any
from xml.etree import ElementTree

from engine.formats import tree_json
from engine.formats.coding import headline
from engine.formats.foreign import (
    Foreign,
    ForeignNode,
    Wish,
    below,
    chosen,
    named,
    number_stats,
    planted,
    reach_of_float32,
    target_name,
)
from engine.formats.programs import found_program, output_of
from engine.formats.questions import Asker, AtLeast, Compare, Condition, columns_used
from engine.formats.rows_to_check import Answers, plain_cells
from engine.runtime.errors import InputError, one_line
from engine.runtime.files import parse_json
from engine.runtime.libraries import library
from engine.runtime.sentences import tr
from engine.runtime.version import VERSION
from engine.splits import DIVIDED, Literal, Split, Surrogate
from engine.table.column import NUMERIC
from engine.table.table import Table
from engine.tree.nodes import TreeColumn
from engine.tree.tree import Tree

OWN = "espalier-tree"  # the extension that holds the tree as JSON, by which it is read again
NAMESPACE = "http://www.dmg.org/PMML-4_4"
NO_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
INDENTED = 20  # levels of a tree whose lines are indented; deeper ones would consist of blanks
MOST_DEPTH = 200  # evaluators walk a tree by recursion
MOST_WAYS = 1000  # in which m of n conditions can hold
LARGEST = 1.7976931348623157e308
OPERATORS = {"missing": "isMissing", "present": "isNotMissing", "<=": "lessOrEqual", ">": "greaterThan"}
TEXT = {"optype": "categorical", "dataType": "string"}
LEAF, PREDICTION, PROBABILITY = "leaf", "prediction", "probability({})"
Element = ElementTree.Element


def deepest() -> int:
    """The level down to which a tree can be said."""
    return MOST_DEPTH


def write(tree: Tree) -> Iterator[str]:
    """The document, with the leaf, the prediction and, of classes, their probabilities as outputs.

    Raises:
        InputError: PMML cannot say this tree.
    """
    if tree.depth > MOST_DEPTH:
        raise InputError(tr(
            "The tree is {depth:,} levels deep; programs that run PMML take at most {most:,}: cut it back, or "
            "approximate it.",
            depth=tree.depth, most=MOST_DEPTH))  # fmt: skip
    for text in (tree.target, *tree.classes, *(text for c in tree.columns for text in (c.name, *c.levels))):
        if NO_XML.search(text):
            raise InputError(tr(
                "PMML cannot say “{text}”, which holds a character that XML does not know: rename it.",
                text=one_line(text)))  # fmt: skip
    root = Element("PMML", {"xmlns": NAMESPACE, "version": "4.4"})
    header = _below(root, "Header", description=headline(tree))
    _below(header, "Extension", name=OWN, value="".join(tree_json.write(tree)))
    _below(header, "Application", name="Espalier", version=VERSION)
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
    ElementTree.indent(root, "  " if tree.depth <= INDENTED else "")
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
    ids, weights = tree.ids.tolist(), tree.weight().tolist()
    while waiting:
        i, parent, condition = waiting.pop()
        node = _below(parent, "Node", id=str(ids[i]), recordCount=repr(weights[i]))
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
            counts, shares = tree.train[i].tolist(), tree.probabilities[i].tolist()
            for name, n, share in zip(tree.classes, counts, shares, strict=True):
                said = {"recordCount": repr(n), "probability": repr(share)}
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
    version = evaluator()
    files = {"ask.py": ASKING} | asked(content, tree, table)
    return answered(output_of(files, [sys.executable, "ask.py"]), tree, version)


def evaluator() -> str:
    """The program that runs PMML here, with its version; InputError where pypmml or Java is not installed."""
    found: Any = library("pypmml", "exports")
    found_program("java")
    return f"PMML4S by pypmml {found.__version__}"


def asked(content: str, tree: Tree, table: Table) -> dict[str, str]:
    """The files that `ASKING` reads: the document, and the rows."""
    given = {
        "names": [tree.columns[place].name for place in columns_used(tree)],
        "columns": plain_cells(tree, table, date=float, truth=str), "n": table.n_rows,
        "said": [LEAF, PREDICTION, *(PROBABILITY.format(name) for name in tree.classes)],
    }  # fmt: skip
    return {"given.json": json.dumps(given), "tree.pmml": content}


def answered(printed: bytes, tree: Tree, version: str) -> Answers:
    """What `ASKING` printed."""
    answers = [json.loads(line) for line in printed.splitlines()]
    found = [(int(leaf), prediction, shares) for leaf, prediction, *shares in answers]
    return Answers.of(tree, version, found)


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


# -- reading


def read(data: bytes, wish: Wish) -> Tree:
    """The tree of a document; InputError in lower case, to follow the file's name.

    One that this program wrote and nobody changed is the same tree again. Of others the predicates of a node's branches
    part the values of one field, with surrogates where it is missing, or ask whether at least m of n conditions hold.
    """
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise InputError(tr("it defines entities of its own, which are not read"))
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise InputError(tr("it is damaged: {reason}", reason=one_line(error))) from error
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    own = root.find(f"Header/Extension[@name='{OWN}']")
    if own is not None:
        name = tr("The tree in it")
        tree = tree_json.tree_of(parse_json(own.get("value", ""), name, "tree"), name)
        again = "".join(write(tree)).encode()
        if again != data and _models(again) != _models(data):  # of another version of Espalier, or indented otherwise
            raise InputError(tr("it was changed after Espalier wrote it, so it is another tree than it says"))
        return tree
    models = list(root.iter("TreeModel"))
    number = chosen(wish, len(models))
    try:
        return planted(_Model(root, models[number], wish).found(number, len(models)))
    except RecursionError as error:
        raise InputError(tr("its predicates are too deep to be read")) from error


def _models(data: bytes) -> str:
    """All of a document but its header, with blanks and attributes as everybody writes them."""
    header = f"{{{NAMESPACE}}}Header"
    return str(ElementTree.canonicalize(
        from_file=io.BytesIO(data), strip_text=True, rewrite_prefixes=True, exclude_tags=[header],
    ))  # fmt: skip


class _Model:
    """A TreeModel as it was found."""

    def __init__(self, root: Element, model: Element, wish: Wish) -> None:
        self._model, self._wish, self._guessed = model, wish, 0
        fields = {field.get("name", ""): field for field in root.iterfind("DataDictionary/DataField")}
        used = [
            (one.get("name", ""), one.get("usageType", "active")) for one in model.iterfind("MiningSchema/MiningField")
        ]
        self._target = next((name for name, how in used if how in ("target", "predicted")), "")
        self._names = [name for name, how in used if how == "active"]
        self._levels: dict[str, dict[str, None]] = {}  # of the fields that are texts
        for name in self._names:
            field = fields.get(name)
            if field is None:
                raise InputError(tr("its dictionary has no field “{name}”", name=one_line(name)))
            if field.get("optype") != "continuous":
                self._levels[name] = dict.fromkeys(value.get("value", "") for value in field.iterfind("Value"))
        for test in (*model.iter("SimplePredicate"), *model.iter("SimpleSetPredicate")):
            if test.get("field") in self._levels:
                self._levels[test.get("field", "")].update(dict.fromkeys(_values(test)))
        self._floats = {name for name, field in fields.items() if field.get("dataType") == "float"}
        target = fields.get(self._target)
        listed = [] if target is None else [value.get("value", "") for value in target.iterfind("Value")]
        said = [one.get("value", "") for one in model.iter("ScoreDistribution")]
        leaves = [node for node in model.iter("Node") if node.find("Node") is None]
        said += [score for node in leaves if (score := node.get("score")) is not None]
        self._classes = tuple(dict.fromkeys((*listed, *said))) if model.get("functionName") == "classification" else ()

    def found(self, number: int, n: int) -> Foreign:
        """The tree."""
        top = self._model.find("Node")
        if top is None:
            raise InputError(tr("it holds no tree"))
        places, order = {top: 0}, [top]
        for node in order:
            for child in node.iterfind("Node"):
                places[child] = len(order)
                order.append(child)
        nodes = []
        for node in order:
            below_it = node.findall("Node")
            if not below_it:
                nodes.append(self._leaf(node))
                continue
            split, branches = self._split(node, below_it)
            nodes.append(ForeignNode(split, tuple(places[below_it[k]] for k in branches)))
        names = named(self._names, self._wish.features, "features")
        renamed = dict(zip(self._names, names, strict=True))
        columns = tuple(
            TreeColumn(renamed[name], "nominal" if name in self._levels else "number",
                       tuple(self._levels.get(name, ())), False)
            for name in self._names
        )  # fmt: skip
        nodes = [
            replace(one, split=replace(one.split, column=renamed[one.split.column])) if one.split is not None else one
            for one in nodes
        ]
        note = "" if n == 1 else tr("Tree {tree} of {n}, counted from 0, of a PMML document.", tree=number, n=n)
        if self._guessed:
            note = f"{note} " + tr(
                "At {n} splits the file predicts nothing where a value is missing; here such rows go into the branch "
                "with more rows.", n=self._guessed,
            )  # fmt: skip
        classes = named(self._classes, self._wish.classes, "classes") if self._classes else ()
        target = target_name(self._wish, names, self._target)
        return Foreign(nodes, "classes" if classes else "number", target, columns, classes, note.strip())

    def _leaf(self, node: Element) -> ForeignNode:
        weight = _number(node.get("recordCount", "0"))
        rows = int(weight) if weight.is_integer() and 0 <= weight < 2**53 else 0
        score = node.get("score")
        if not self._classes:
            if score is None:
                raise InputError(tr("node {node} has no score", node=one_line(node.get("id", "?"))))
            return ForeignNode(stats=number_stats(_number(score), weight or 1.0), rows=rows)
        shares = {one.get("value", ""): one for one in node.iterfind("ScoreDistribution")}
        if not shares and score is not None:
            stats = tuple((weight or 1.0) * (name == score) for name in self._classes)
            return ForeignNode(stats=stats, rows=rows)
        found = [shares.get(name) for name in self._classes]
        counts = [_number(one.get("recordCount", "0")) if one is not None else 0.0 for one in found]
        if all(one.get("probability") for one in shares.values()):
            total = sum(counts) or weight or 1.0
            counts = [total * _number(one.get("probability", "0")) if one is not None else 0.0 for one in found]
        usual = self._classes[counts.index(max(counts))]
        return ForeignNode(stats=tuple(counts), rows=rows, label=score if score not in (None, usual) else None)

    def _split(self, node: Element, children: list[Element]) -> tuple[Split, list[int]]:
        """The split, and which child each of its branches is."""
        firsts = [next((one for one in child if one.tag in PREDICATES), None) for child in children]
        tests = [one for one in firsts if one is not None]
        if len(tests) < len(children):
            raise InputError(tr("a branch of node {node} has no predicate that can be read", node=_id(node)))
        asked = dict.fromkeys(test.get("field", "") for one in tests for test in one.iter() if test.get("field"))
        if not asked:  # all rows go one way: any field says so, those with levels for any number of branches
            asked = dict.fromkeys(sorted(self._names, key=lambda name: name not in self._levels)[:1])
        if not asked or not set(asked) <= set(self._names):
            raise InputError(tr("the branches of node {node} do not ask fields of the model", node=_id(node)))
        known = _Branches(self._model.get("missingValueStrategy", "none"), node, children, tests)
        missing = known.of(dict.fromkeys(asked))
        try:
            split, order = self._with_surrogates(known, list(asked), missing)
            divides = known.strategy in DIVIDING and self._classes and split.kind != "m_of_n" and not split.surrogates
            if known.guessed and divides:
                return replace(split, missing=DIVIDED), order
            self._guessed += known.guessed
            return split, order
        except _NoPieces:
            pass
        literals = self._literals(tests[0])
        if known.strategy != "none" or [one.tag for one in tests[1:]] != ["True"] or not literals:
            raise InputError(tr(
                "the branches of node {node} are neither pieces of one field each, nor surrogates for it, nor at least "
                "m of n conditions and the rest", node=_id(node)))  # fmt: skip
        least, parts = literals
        return Split(parts[0].column, "m_of_n", m=least, literals=parts), [0, 1]

    def _with_surrogates(self, known: "_Branches", asked: list[str], missing: int) -> tuple[Split, list[int]]:
        """The split by the first of some fields, where the next one stands in if it is missing; raises as `_by_one`."""
        split, order = self._by_one(known, asked[0], {}, missing)
        others = [
            self._by_one(known, name, dict.fromkeys(asked[:k]), order[0]) for k, name in enumerate(asked[1:], start=1)
        ]
        if others and (
            len(order) > 2
            or split.thresholds == (inf,)
            or "m_of_n" in {one.kind for one, _ in [(split, order), *others]}
        ):
            raise _NoPieces
        return replace(split, surrogates=tuple(Surrogate(one, turned != order) for one, turned in others)), order

    def _by_one(
        self, known: "_Branches", name: str, absent: Mapping[str, None], missing: int
    ) -> tuple[Split, list[int]]:
        """The split that one field makes where some are missing, and which child each of its branches is.

        Raises:
            _NoPieces: it does not part the values into such pieces, or asks further fields.
        """
        n = len(known.tests)
        if name in self._levels:
            levels = tuple(self._levels[name])
            goes = {level: known.of({**absent, name: level}) for level in (*levels, OTHER)}
            groups = tuple(tuple(level for level in levels if goes[level] == k) for k in range(n))
            return Split(name, "groups", groups=groups, missing=missing, unseen=goes[OTHER]), list(range(n))
        cuts = sorted({cut for one in known.tests for cut in self._cuts(name, one)})
        goes_to = [known.of({**absent, name: value}) for value in (*cuts, inf)]
        order = [k for i, k in enumerate(goes_to) if i == 0 or goes_to[i - 1] != k]
        kept = [self._single(name, at) for at, k, after in zip(cuts, goes_to, goes_to[1:], strict=False) if k != after]
        if len(order) == 3 and order[0] == order[2] and n == 2:  # an interval: both literals hold, or one of the others
            outside = order[0] != missing
            literals = Literal(name, "<=", kept[not outside]), Literal(name, ">", kept[outside])
            return Split(name, "m_of_n", m=1 + (not outside), literals=literals), [1 - missing, missing]
        never = [k for k in range(n) if k not in order and k != missing]  # branches that no value reaches
        if n == 2 and len(order) == 1:
            never = [1 - order[0]]
        if len(set(order)) < len(order) or len(never) > 1:
            raise _NoPieces
        order += never
        thresholds = (*kept, *[inf] * len(never))
        order += [missing] * (missing not in order)  # a branch of its own
        return Split(name, "threshold", thresholds, missing=order.index(missing)), order

    def _single(self, name: str, value: float) -> float:
        """A threshold of a field as one of doubles."""
        return reach_of_float32(value) if name in self._floats else value

    def _cuts(self, name: str, predicate: Element) -> Iterator[float]:
        """Where a predicate may change its answer by a field: the largest value on the left of each place."""
        for test in predicate.iter("SimplePredicate"):
            operator = test.get("operator")
            if test.get("field") == name and operator in ORDER:
                value = _number(test.get("value", ""))
                if operator not in ("lessThan", "greaterOrEqual"):
                    yield value
                if operator not in ("lessOrEqual", "greaterThan"):
                    yield below(value)

    def _literals(self, predicate: Element) -> tuple[int, tuple[Literal, ...]] | None:
        """The m and the literals of a predicate that holds where so many of them do; None where it says something else.

        "At least m" is "or" of one, "and" of all, or the "or" of every "and" of m of them.
        """
        parts = [one for one in predicate if one.tag in PREDICATES]
        how = predicate.get("booleanOperator")
        if how not in ("and", "or") or not parts:
            return None
        found = [self._literal(one) for one in parts]
        flat = tuple(one for one in found if one is not None)
        if len(flat) == len(found):
            return (1 if how == "or" else len(flat)), flat
        ways = [self._literals(one) for one in parts if one.get("booleanOperator") == "and"]
        every = tuple(dict.fromkeys(literal for way in ways if way is not None for literal in way[1]))
        sets = {frozenset(way[1]) for way in ways if way is not None}
        least = len(next(iter(sets), ()))
        if how == "and" or len(ways) != len(parts) or {len(one) for one in sets} != {least} or least == 0:
            return None
        return (least, every) if len(sets) == comb(len(every), least) else None

    def _literal(self, test: Element) -> Literal | None:
        """A test of one field as a literal, which fails where the field is missing."""
        name, operator, values = test.get("field", ""), test.get("operator"), _values(test)
        if name in self._levels and len(values) == 1:
            return Literal(name, "==" if operator in ("equal", "isIn") else "!=", values[0])
        if name in self._levels or test.tag != "SimplePredicate":
            return None
        if operator == "isNotMissing":
            return Literal(name, "<=", inf)
        if operator not in ("lessThan", "lessOrEqual", "greaterThan", "greaterOrEqual"):
            return None
        return Literal(name, "<=" if operator.startswith("less") else ">", self._single(name, *self._cuts(name, test)))


class _NoPieces(Exception):
    """The branches of a node do not part one field's values."""


class _Branches:
    """Which branch of a node a row takes.

    Attributes:
        tests: the predicates of its children.
        strategy: what the file does where a predicate is unknown.
        guessed: whether it says nothing of some row without a value.
    """

    def __init__(self, strategy: str, node: Element, children: list[Element], tests: list[Element]) -> None:
        self.strategy, self.tests, self.guessed = strategy, tests, False
        self._node, self._children = node, children

    def of(self, row: Mapping[str, Any]) -> int:
        """The child of a row; None of it is missing, and what it does not hold may be anything.

        Raises:
            _NoPieces: that depends on what it does not hold. InputError: it has no branch for such a row.
        """
        unknown = False
        for k, one in enumerate(self.tests):
            truth = _truth(one, row)
            if truth is OPEN:
                raise _NoPieces
            if truth:
                return k
            unknown |= truth is None
            if unknown and self.strategy != "none":
                break
        value = [*row.values()][-1]
        if not unknown and value not in (None, OTHER):
            raise InputError(
                tr("node {node} has no branch for the value {value}", node=_id(self._node), value=one_line(value))
            )
        default = self._node.get("defaultChild")
        if self.strategy == "defaultChild" and default is not None:
            for k, child in enumerate(self._children):
                if child.get("id") == default:
                    return k
        self.guessed |= value is not OTHER
        sizes = [_number(child.get("recordCount", "0")) for child in self._children]
        return sizes.index(max(sizes))


PREDICATES = ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")
DIVIDING = ("weightedConfidence", "aggregateNodes")  # strategies that look at all branches, by their rows
OTHER = object()  # a level that no predicate names
OPEN = object()  # the answer of a predicate that depends on a field of which nothing is said
ORDER = {
    "lessThan": float.__lt__, "lessOrEqual": float.__le__, "greaterThan": float.__gt__, "greaterOrEqual": float.__ge__,
    "equal": float.__eq__, "notEqual": float.__ne__,
}  # fmt: skip


def _truth(predicate: Element, row: Mapping[str, Any]) -> Any:
    """Whether a predicate holds in a row: True, False, None for unknown, OPEN; in the row None is missing."""
    tag, operator = predicate.tag, predicate.get("operator") or predicate.get("booleanOperator", "")
    if tag in ("True", "False"):
        return tag == "True"
    if tag == "CompoundPredicate":
        parts = [_truth(one, row) for one in predicate if one.tag in PREDICATES]
        if operator in ("and", "or") and parts:
            decides = operator == "or"
            return decides if decides in parts else OPEN if OPEN in parts else None if None in parts else not decides
        if operator == "xor" and parts:
            weakest = OPEN if OPEN in parts else None
            return weakest if weakest in parts else reduce(lambda a, b: a != b, parts)
        if operator == "surrogate" and parts:
            return next((part for part in parts if part is not None), None)
        raise InputError(tr("a compound predicate is joined by “{how}”, which cannot be read", how=one_line(operator)))
    value = row.get(predicate.get("field", ""), OPEN)
    if value is OPEN:
        return OPEN
    if operator in ("isMissing", "isNotMissing"):
        return (value is None) == (operator == "isMissing")
    if value is None:
        return None
    if tag == "SimpleSetPredicate" or not isinstance(value, float):
        if operator not in ("isIn", "isNotIn", "equal", "notEqual") or isinstance(value, float):
            raise InputError(tr("a test “{how}” of a text cannot be read", how=one_line(operator)))
        return (value in _values(predicate)) == (operator in ("isIn", "equal"))
    if operator not in ORDER:
        raise InputError(tr("a test “{how}” of a number cannot be read", how=one_line(operator)))
    return ORDER[operator](value, _number(predicate.get("value", "")))


def _values(test: Element) -> list[str]:
    """The texts that a test names."""
    if test.tag == "SimplePredicate":
        return [test.get("value", "")] if test.get("operator") in ("equal", "notEqual") else []
    text = test.findtext("Array", "")
    return [quoted.replace('\\"', '"') if plain == "" else plain for quoted, plain in ITEM.findall(text)]


ITEM = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)')  # of an array of texts


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = float("nan")
    if found != found:
        raise InputError(tr("“{text}” is no number", text=one_line(text)))
    return found


def _id(node: Element) -> str:
    return one_line(node.get("id", "?"))
