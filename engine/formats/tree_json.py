"""A tree as JSON, and back. `resources/tree.schema.json` describes the format; what is read is checked against it, and
that the nodes are one tree."""

import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError, repeated
from engine.runtime.files import check_header, to_json
from engine.runtime.sentences import marked, tr
from engine.splits import Literal, Split, Surrogate
from engine.table.column import NUMERIC
from engine.table.words import kind_word
from engine.tree.arrays import NAMES, Mark
from engine.tree.leaves import LeafRule, read_costs, read_currency, read_priors, read_profits, read_threshold
from engine.tree.marks import checked
from engine.tree.nodes import THRESHOLD, Nodes, SplitWriter, TreeColumn, unpack_split
from engine.tree.tree import Tree

VERSION = 1
ROWS_AT_ONCE = 5_000  # nodes whose figures become text in one call, which stops the window for a few ms
SCHEMA = Path(__file__).parents[2] / "resources" / "tree.schema.json"
SAMPLE = 2000  # nodes that the schema looks at, 0.14 ms each; of 100,000 it would take 14 s
MOST_ID = 2**53  # integers that every JSON reader keeps
PARTS = {"threshold": "thresholds", "groups": "groups", "m_of_n": "literals"}  # where each kind holds its parts
MOST = sys.float_info.max


def write(tree: Tree, validation_trees: int = 0, test_looks: int = 0) -> Iterator[str]:
    """The file in pieces: the head, then one line for each node.

    Args:
        validation_trees: how many trees were compared by their validation figures, for whoever reads these.
        test_looks: how often the error on the test rows was told.

    Raises:
        InputError: a figure of the tree is infinite, which JSON cannot hold.
    """
    head = {
        "format": "espalier-tree",
        "version": VERSION,
        "task": tree.task,
        "target": tree.target,
        "classes": list(tree.classes),
        "columns": [
            {key: value for key, value in column._asdict().items() if key != "days" or value} for column in tree.columns
        ],
        "options": tree.options,
        **({"origin": tree.origin} if tree.task == "number" else {}),
        **({"leaf_rule": _plain_rule(tree.leaf_rule)} if tree.leaf_rule != LeafRule() else {}),
        **({"bin_edges": list(tree.bin_edges)} if tree.bin_edges else {}),
        **({"validation_trees": validation_trees} if validation_trees else {}),
        **({"test_looks": test_looks} if test_looks else {}),
        "next_id": tree.next_id,
    }
    yield "{\n"
    for key, value in head.items():
        yield f"  {to_json(key)}: {_dumps(value)},\n"
    yield '  "nodes": [\n'
    for i, node in enumerate(_nodes(tree)):
        yield (",\n    " if i else "    ") + node
    yield "\n  ]\n}\n"


def _dumps(value: Any) -> str:
    try:
        return to_json(value)
    except ValueError as error:  # sums of huge weights or squares
        raise InputError(tr(
            "The tree holds figures beyond 1e308, which JSON cannot hold: divide the target or the weights by a "
            "power of ten."
        )) from error  # fmt: skip


def _nodes(tree: Tree) -> Iterator[str]:
    """The object of each node as `_dumps` would write it; put together by hand, since a dict for each takes seconds."""
    ids, parents, branches = tree.ids.tolist(), tree.parent.tolist(), tree.branch.tolist()
    by_hand, splits = tree.by_hand.tolist(), _splits(tree)
    train, validation = _rows(tree.train), _rows(tree.validation)
    rows_train, rows_validation = tree.rows_train.tolist(), tree.rows_validation.tolist()
    guess, around = _guesses(tree), _distributions(tree)
    marks = {tree.position(node): f', "mark": {_dumps(mark.to_dict())}' for node, mark in tree.marks.items()}
    for i, split in enumerate(splits):
        parent = parents[i]
        above = f'{ids[parent]}, "branch": {branches[i]}' if parent >= 0 else 'null, "branch": null'
        yield (
            f'{{"id": {ids[i]}, "parent": {above}, "split": {split}, "by_hand": {"true" if by_hand[i] else "false"}, '
            f'"train": {train[i]}, "validation": {validation[i]}, "rows_train": {rows_train[i]}, '
            f'"rows_validation": {rows_validation[i]}{around.get(i, "")}{marks.get(i, "")}{guess[i]}}}'
        )


def _rows(array: NDArray[np.float64]) -> list[str]:
    """Each row of float64[n, S] as a list, many of them from one call."""
    found: list[str] = []
    for begin in range(0, len(array), ROWS_AT_ONCE):
        some = _dumps(array[begin : begin + ROWS_AT_ONCE].tolist())
        found += [f"[{row}]" for row in some[2:-2].split("], [")]
    return found


def _splits(tree: Tree) -> Iterator[str]:
    """The split of each node; one by a single threshold, which is what there are thousands of, without making it."""
    nodes = tree.nodes
    plain = (nodes.kind == THRESHOLD) & (nodes.payload_size == 0)
    columns = [_dumps(column.name) for column in tree.columns]
    values = (nodes.n_branches, plain, nodes.column, nodes.threshold, nodes.missing, nodes.unseen)
    for i, (inner, simple, column, threshold, missing, unseen) in enumerate(
        zip(*(array.tolist() for array in values), strict=True)
    ):
        if simple:
            number = repr(threshold) if math.isfinite(threshold) else _dumps(number_out(threshold))
            yield (
                f'{{"column": {columns[column]}, "kind": "threshold", "thresholds": [{number}], '
                f'"missing": {missing}, "unseen": {unseen}}}'
            )
        else:
            yield _dumps(split_out(unpack_split(tree.columns, nodes, tree.payload, i))) if inner else "null"


def _guesses(tree: Tree) -> list[str]:
    """The last entry of each node: the mean or the label."""
    if tree.task == "number":
        return [f', "mean": {mean!r}' if math.isfinite(mean) else "" for mean in tree.means.tolist()]
    labels = [f', "label": {_dumps(name)}' for name in tree.classes]
    return [labels[label] for label in tree.labels.tolist()]


def _distributions(tree: Tree) -> dict[int, str]:
    """The medians, deviations and histograms of the nodes, as far as they were asked for, by position."""
    nodes = tree.nodes
    found: dict[int, str] = {}
    for i in np.flatnonzero(~np.isnan(nodes.deviation).any(axis=1)).tolist():
        median, deviation = _dumps(float(nodes.median[i])), _dumps(nodes.deviation[i].tolist())
        found[i] = f', "median": {median}, "deviation": {deviation}'
    if tree.bin_edges:
        for i in np.flatnonzero(~np.isnan(nodes.histogram).any(axis=1)).tolist():
            found[i] = found.get(i, "") + f', "histogram": {_dumps(nodes.histogram[i].tolist())}'
    return found


def split_out(split: Split) -> dict[str, Any]:
    """A split as it stands in a document."""
    plain: dict[str, Any] = {"column": split.column, "kind": split.kind}
    if split.kind == "m_of_n":
        literals = [each._replace(value=number_out(each.value))._asdict() for each in split.literals]
        return {**plain, "m": split.m, "literals": literals}
    if split.kind == "threshold":
        plain["thresholds"] = [number_out(threshold) for threshold in split.thresholds]
    else:
        plain["groups"] = [list(group) for group in split.groups]
    plain |= {"missing": split.missing, "unseen": split.unseen}
    if split.surrogates:
        plain["surrogates"] = [{**split_out(s.split), "flipped": s.flipped} for s in split.surrogates]
    return plain


def number_out(value: float | str) -> float | str:
    """A threshold, or the level of a literal; JSON knows no infinity."""
    if isinstance(value, str):
        return value
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return float(value)


# -- reading


UNREADABLE = marked("“{name}” is no Espalier tree that can be read: {why}.")


def tree_of(document: dict[str, Any], name: str | Path, fault: str = UNREADABLE) -> Tree:
    """The tree that a JSON document holds.

    Args:
        name, fault: what errors call the document, and the sentence that says that something is wrong with it.

    Raises:
        InputError: it is another document or of a newer version, or as for `from_document`.
    """
    check_header(document, name, marked("tree"), VERSION)
    try:
        return from_document(document)
    except InputError as error:
        raise InputError(tr(fault, name=name, why=str(error).rstrip("."))) from error


def from_document(document: dict[str, Any]) -> Tree:
    """The tree that plain values of the format describe.

    Nodes may stand in any order. Of a large tree the schema sees every so many nodes; that ids, parents and
    branches make one tree, and that all values convert, is checked for every node.

    Raises:
        InputError: something is wrong with it; the text starts in lower case, to follow the file's name.
    """
    _check_schema(document)
    columns = tuple(
        TreeColumn(c["name"], c["kind"], tuple(c["levels"]), c["missing"], c.get("days", False))
        for c in document["columns"]
    )
    _check_columns(document, columns)
    plain = _in_preorder(document["nodes"])
    edges = _bin_edges(document)
    nodes, payload = _build(plain, document, columns)
    highest = int(nodes.ids.max())
    next_id = document.get("next_id", 1)
    if not next_id <= MOST_ID:
        raise InputError(tr("its next id, {next_id}, is beyond all ids", next_id=next_id))
    tree = Tree(
        task=document["task"],
        target=document["target"],
        classes=tuple(document["classes"]),
        columns=columns,
        nodes=nodes,
        payload=payload,
        origin=_finite(document.get("origin", 0.0), "origin"),
        next_id=max(int(next_id), highest + 1),
        options=document["options"],
        leaf_rule=_leaf_rule(document, plain),
        bin_edges=edges,
    )
    return _with_marks(tree, plain)


def _bin_edges(document: dict[str, Any]) -> tuple[float, ...]:
    """Where the bins of a numeric target part; InputError when they cannot."""
    edges = [_finite(edge, "bin_edges") for edge in document.get("bin_edges", ())]
    if edges and document["task"] != "number":
        raise InputError(tr("it has bin_edges, but predicts classes"))
    if any(low >= high for low, high in pairwise(edges)):
        raise InputError(tr("its bin_edges do not ascend"))
    return tuple(edges)


def _finite(value: float, what: str) -> float:
    """A number as a float; InputError for one that the schema takes and a float does not hold, such as 1e999."""
    if not abs(value) <= MOST:
        raise InputError(tr("“{what}” holds a number that is not finite", what=what))
    return float(value)


# -- the schema


@cache
def _validator() -> tuple[Any, Callable[[Any], Any]]:
    """The schema's validator, and what chooses the fault that explains the others."""
    from jsonschema import Draft202012Validator, exceptions  # a large library, which writing does not need

    return Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))), exceptions.best_match


def _check_schema(document: dict[str, Any]) -> None:
    nodes = document.get("nodes")
    if isinstance(nodes, list) and len(nodes) > SAMPLE:
        document = {**document, "nodes": nodes[:: math.ceil(len(nodes) / SAMPLE)]}
    validator, best_match = _validator()
    error = best_match(validator.iter_errors(document))
    if error is None:
        return
    path: list[Any] = list(error.absolute_path)
    if path[:1] == ["nodes"] and len(path) > 1 and isinstance(document["nodes"][path[1]], dict):
        path = ["node", document["nodes"][path[1]].get("id", path[1]), *path[2:]]
    message = error.message if len(error.message) <= 120 else error.message[:119] + "…"
    place = " / ".join(map(str, path))
    raise InputError(tr("at {place}, {message}", place=place, message=message) if path else message)


def _check_columns(document: dict[str, Any], columns: tuple[TreeColumn, ...]) -> None:
    names = [column.name for column in columns]
    twice = repeated(names)
    if twice is not None:
        raise InputError(tr("it names the column “{name}” twice", name=twice))
    twice = repeated(document["classes"])
    if twice is not None:
        raise InputError(tr("it names the class “{name}” twice", name=twice))
    if document["target"] in names:
        raise InputError(tr("it predicts “{target}” from the column itself", target=document["target"]))


# -- the structure


def _in_preorder(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The nodes from the root down, each followed by its branches in order; every fault of the structure raises."""
    by_id: dict[int, dict[str, Any]] = {}
    for plain in nodes:
        node: Any = plain.get("id") if isinstance(plain, dict) else None
        if not isinstance(node, int) or isinstance(node, bool) or not 0 <= node < MOST_ID:
            raise InputError(tr("it has a node with the id {node}", node=node))
        if node in by_id:
            raise InputError(tr("it has two nodes {node}", node=node))
        by_id[node] = plain
    below: dict[int, dict[int, int]] = {node: {} for node in by_id}
    for node, plain in by_id.items():
        parent = plain.get("parent")
        if (parent is None) != (node == 0):
            fault = tr("node {node} has no parent", node=node) if node else tr("its root, node 0, has a parent")
            raise InputError(fault)
        if parent is None:
            continue
        if not isinstance(parent, int) or parent not in below:
            raise InputError(tr("node {node} hangs below node {parent}, which is not there", node=node, parent=parent))
        branch = plain.get("branch")
        if not isinstance(branch, int) or branch in below[parent]:
            raise InputError(tr(
                "node {node} has the branch {branch} of node {parent}, which is taken or no number", node=node,
                branch=branch, parent=parent))  # fmt: skip
        below[parent][branch] = node
    if 0 not in by_id:
        raise InputError(tr("it has no root, node 0"))
    ordered, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        ordered.append(by_id[node])
        waiting += [child for _, child in sorted(below[node].items(), reverse=True)]
        _check_branches(by_id[node], node, sorted(below[node]))
    if len(ordered) < len(by_id):
        lost = min(by_id.keys() - {plain["id"] for plain in ordered})
        raise InputError(tr("node {lost} cannot be reached from the root: its parents go in a circle", lost=lost))
    return ordered


def _check_branches(plain: dict[str, Any], node: int, branches: list[int]) -> None:
    split = plain.get("split")
    n_branches = 0
    if split is not None:
        kind = split.get("kind") if isinstance(split, dict) else None
        parts = split.get(PARTS.get(kind, "")) if isinstance(kind, str) else None
        if not isinstance(parts, list):
            raise InputError(tr("the split of node {node} cannot be read", node=node))
        n_branches = 2 if kind == "m_of_n" else len(parts)
        if kind == "threshold":
            n_branches += 1 + (split.get("missing") == len(parts) + 1)  # missing values may have a branch of their own
    if branches != list(range(n_branches)):
        raise InputError(tr(
            "node {node} has {found} of the {made} branches that its split makes", node=node, found=len(branches),
            made=n_branches))  # fmt: skip


# -- the values


def _build(
    nodes: list[dict[str, Any]], document: dict[str, Any], columns: tuple[TreeColumn, ...]
) -> tuple[Nodes, NDArray[np.float64]]:
    """The arrays of the tree and its payload, from nodes in preorder."""
    n_stats = 3 if document["task"] == "number" else len(document["classes"])
    places = {column.name: i for i, column in enumerate(columns)}
    writer = SplitWriter(columns)
    stats = (_figures(nodes, "train", n_stats), _figures(nodes, "validation", n_stats))
    rows = (_counts(nodes, "rows_train"), _counts(nodes, "rows_validation"))
    built = Nodes.leaves([plain["id"] for plain in nodes], (*stats, *rows)).take(np.arange(len(nodes)))  # own arrays
    built = built._replace(
        median=_figures(nodes, "median", 1, optional=True)[:, 0],
        deviation=_figures(nodes, "deviation", 2, optional=True),
    )
    if document.get("bin_edges"):
        n_bins = len(document["bin_edges"]) + 1
        built = built._replace(histogram=_figures(nodes, "histogram", n_bins, optional=True))
    for i, plain in enumerate(nodes):
        if plain.get("split") is None:
            continue
        try:
            split = split_in(plain["split"])
            _check_columns_asked(split, columns, places)
            writer.write(built, i, split, bool(plain.get("by_hand")))
        except InputError as error:
            raise InputError(tr("in node {node}, {why}", node=plain["id"], why=error)) from error
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise InputError(tr("the split of node {node} cannot be read", node=plain["id"])) from error
    return built, writer.payload


def _check_columns_asked(split: Split, columns: tuple[TreeColumn, ...], places: dict[str, int]) -> None:
    """InputError when the tree does not list a column, or with a kind that the split cannot be of."""
    asked = [(literal.column, literal.by_order) for literal in split.literals]
    for name, by_order in asked or [(split.column, split.kind == "threshold")]:
        if name not in places:
            raise InputError(tr("the split names the column “{name}”, which the tree does not list", name=name))
        kind = columns[places[name]].kind
        if (kind in NUMERIC) != by_order:
            said = {"kind": kind_word(kind), "name": name}
            if split.kind != "m_of_n":
                fault = tr("a split by {how} does not fit the {kind} column “{name}”", how=split.kind, **said)
            elif by_order:
                fault = tr("a split by the order of numbers does not fit the {kind} column “{name}”", **said)
            else:
                fault = tr("a split by levels does not fit the {kind} column “{name}”", **said)
            raise InputError(fault)
    for surrogate in split.surrogates:
        _check_columns_asked(surrogate.split, columns, places)


def split_in(plain: dict[str, Any]) -> Split:
    """A split from plain values. Raises InputError when its parts contradict each other."""
    if plain["kind"] == "m_of_n":
        literals = [Literal(each["column"], each["test"], each["value"]) for each in plain["literals"]]
        infinite = ("Infinity", "-Infinity")
        known = (
            one._replace(value=float(one.value)) if one.by_order and one.value in infinite else one for one in literals
        )
        return Split(plain["column"], "m_of_n", m=plain["m"], literals=tuple(known))
    return Split(
        plain["column"],
        plain["kind"],
        tuple(float(threshold) for threshold in plain.get("thresholds", ())),
        tuple(tuple(group) for group in plain.get("groups", ())),
        plain["missing"],
        plain["unseen"],
        surrogates=tuple(Surrogate(split_in(other), other["flipped"]) for other in plain.get("surrogates", ())),
    )


def _plain_rule(rule: LeafRule) -> dict[str, Any]:
    """The rule as JSON has it; a threshold only where there is one."""
    return {name: value for name, value in asdict(rule).items() if value is not None}


def _leaf_rule(document: dict[str, Any], nodes: list[dict[str, Any]]) -> LeafRule:
    """What the leaves predict; InputError when a class is unknown, or a median is predicted that is not there."""
    given = document.get("leaf_rule", {})
    try:
        rule = LeafRule(**{one.name: given[one.name] for one in fields(LeafRule) if one.name in given})
        rule = replace(
            rule, smoothing_m=_finite(rule.smoothing_m, "smoothing_m"), priors=read_priors(rule.priors),
            costs=read_costs(rule.costs), profits=read_profits(rule.profits), currency=read_currency(rule.currency),
            threshold=read_threshold(rule.threshold),
        )  # fmt: skip
        rule.check(tuple(document["classes"]))
    except InputError as error:
        raise InputError(tr("its leaf rule cannot be used: {why}", why=error)) from error
    if document["task"] == "number" and rule.summary == "median":
        for plain in nodes:
            if "median" not in plain:
                raise InputError(tr("its leaves predict medians, but node {node} has none", node=plain["id"]))
    return rule


def _with_marks(tree: Tree, nodes: list[dict[str, Any]]) -> Tree:
    """The tree with what people wrote on its nodes; InputError when it cannot have it. Columns that are left out need
    not be features at present."""
    marks = {}
    for plain in nodes:
        if "mark" not in plain:
            continue
        given, node = plain["mark"], plain["id"]
        excluded = given.get("excluded", []) if isinstance(given, dict) else None
        if not isinstance(excluded, list) or not all(isinstance(name, str) for name in excluded):
            raise InputError(tr("the mark of node {node} cannot be read", node=node))
        others = {name: given[name] for name in NAMES if name in given and name != "excluded"}
        try:
            mark = checked(tree, node, Mark(excluded=tuple(excluded)), others)
        except InputError as error:
            raise InputError(tr("the mark of node {node} cannot be used: {why}", node=node, why=error)) from error
        marks[node] = mark if mark.label is not None else replace(mark, label_by_pruning=False)
    return replace(tree, marks=marks)


def _figures(nodes: list[dict[str, Any]], key: str, width: int, optional: bool = False) -> NDArray[np.float64]:
    """float64[n, width]: the figures that nodes hold by this key; NaN where they are optional and absent."""
    found: list[Any] = []
    for plain in nodes:
        if optional and key not in plain:
            found.append([math.nan] * width)
            continue
        values: Any = [plain[key]] if key == "median" else plain.get(key)
        right = isinstance(values, list) and len(values) == width
        if not right or not all(type(value) in (int, float) and abs(value) <= MOST for value in values):
            raise InputError(tr(
                "“{key}” of node {node} is no list of {width} finite numbers", key=key, node=plain["id"], width=width,
            ))  # fmt: skip
        found.append(values)
    return np.array(found, dtype=np.float64)


def _counts(nodes: list[dict[str, Any]], key: str) -> NDArray[np.int64]:
    found: list[Any] = [plain.get(key) for plain in nodes]
    for plain, count in zip(nodes, found, strict=True):
        if type(count) is not int or not 0 <= count < MOST_ID:
            raise InputError(tr("“{key}” of node {node} is no number of rows", key=key, node=plain["id"]))
    return np.array(found, dtype=np.int64)
