"""A tree as JSON. The format is described by `resources/tree.schema.json`; `tree_reading` is the way back."""

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.files import to_json
from engine.splits import Literal, Split
from engine.tree.leaves import LeafRule
from engine.tree.nodes import THRESHOLD, unpack_split
from engine.tree.tree import Tree

VERSION = 1
ROWS_AT_ONCE = 5_000  # nodes whose figures become text in one call, which stops the window for a few ms


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces: the head, then one line for each node.

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
        **({"leaf_rule": asdict(tree.leaf_rule)} if tree.leaf_rule != LeafRule() else {}),
        **({"bin_edges": list(tree.bin_edges)} if tree.bin_edges else {}),
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
        raise InputError(
            "The tree holds figures beyond 1e308, which JSON cannot hold: divide the target or the weights by a "
            "power of ten."
        ) from error


def _nodes(tree: Tree) -> Iterator[str]:
    """The object of each node as `_dumps` would write it; put together by hand, since a dict for each takes seconds."""
    ids, parents, branches = tree.ids.tolist(), tree.parent.tolist(), tree.branch.tolist()
    by_hand, splits = tree.by_hand.tolist(), _splits(tree)
    train, validation = _rows(tree.train), _rows(tree.validation)
    rows_train, rows_validation = tree.rows_train.tolist(), tree.rows_validation.tolist()
    guess, around, marks = _guesses(tree), _distributions(tree), _marks(tree)
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
            number = repr(threshold) if math.isfinite(threshold) else _dumps(_number_out(threshold))
            yield (
                f'{{"column": {columns[column]}, "kind": "threshold", "thresholds": [{number}], '
                f'"missing": {missing}, "unseen": {unseen}}}'
            )
        else:
            yield _dumps(_split_out(unpack_split(tree.columns, nodes, tree.payload, i))) if inner else "null"


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


def _marks(tree: Tree) -> dict[int, str]:
    """What people wrote on nodes, by position."""
    return {tree.position(node): f', "mark": {_dumps(mark.to_dict())}' for node, mark in tree.marks.items()}


def _split_out(split: Split) -> dict[str, Any]:
    plain: dict[str, Any] = {"column": split.column, "kind": split.kind}
    if split.kind == "m_of_n":
        return {**plain, "m": split.m, "literals": [_literal_out(literal) for literal in split.literals]}
    if split.kind == "threshold":
        plain["thresholds"] = [_number_out(threshold) for threshold in split.thresholds]
    else:
        plain["groups"] = [list(group) for group in split.groups]
    plain |= {"missing": split.missing, "unseen": split.unseen}
    if split.surrogates:
        plain["surrogates"] = [{**_split_out(s.split), "flipped": s.flipped} for s in split.surrogates]
    return plain


def _literal_out(literal: Literal) -> dict[str, Any]:
    value = literal.value if isinstance(literal.value, str) else _number_out(literal.value)
    return {"column": literal.column, "test": literal.test, "value": value}


def _number_out(value: float) -> float | str:
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return float(value)
