"""A tree as JSON. The format is described by `resources/tree.schema.json`; `tree_reading` is the way back."""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import InputError
from engine.leaves import LeafRule

if TYPE_CHECKING:
    from engine.splits import Literal, Split
    from engine.tree import Tree

VERSION = 1


def to_text(tree: "Tree") -> Iterator[str]:
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
            {"name": c.name, "kind": c.kind, "levels": list(c.levels), "missing": c.missing} for c in tree.columns
        ],
        "options": tree.options,
        **({"origin": tree.origin} if tree.task == "number" else {}),
        **({"leaf_rule": asdict(tree.leaf_rule)} if tree.leaf_rule != LeafRule() else {}),
        **({"bin_edges": list(tree.bin_edges)} if tree.bin_edges else {}),
        "next_id": tree.next_id,
    }
    yield "{\n"
    for key, value in head.items():
        yield f"  {json.dumps(key)}: {_dumps(value)},\n"
    yield '  "nodes": [\n'
    for i, node in enumerate(_nodes(tree)):
        yield (",\n    " if i else "    ") + _dumps(node)
    yield "\n  ]\n}\n"


def _dumps(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError as error:  # sums of huge weights or squares
        raise InputError(
            "The tree holds figures beyond 1e308, which JSON cannot hold: divide the target or the weights by a "
            "power of ten."
        ) from error


def _nodes(tree: "Tree") -> Iterator[dict[str, Any]]:
    """The nodes as plain values, in preorder."""
    ids, parents, branches = tree.ids.tolist(), tree.parent.tolist(), tree.branch.tolist()
    by_hand = tree.by_hand.tolist()
    train, validation = tree.train.tolist(), tree.validation.tolist()
    rows_train, rows_validation = tree.rows_train.tolist(), tree.rows_validation.tolist()
    guess, around = _guesses(tree), _distributions(tree)
    for i in range(tree.n_nodes):
        root = parents[i] < 0
        yield {
            "id": ids[i],
            "parent": None if root else ids[parents[i]],
            "branch": None if root else branches[i],
            "split": _split_out(tree.split_at(i)),
            "by_hand": by_hand[i],
            "train": train[i],
            "validation": validation[i],
            "rows_train": rows_train[i],
            "rows_validation": rows_validation[i],
            **around[i],
            **guess[i],
        }


def _guesses(tree: "Tree") -> list[dict[str, Any]]:
    if tree.task == "number":
        return [{"mean": mean} if math.isfinite(mean) else {} for mean in tree.means.tolist()]
    return [{"label": tree.classes[label]} for label in tree.labels.tolist()]


def _distributions(tree: "Tree") -> list[dict[str, Any]]:
    """The medians, deviations and histograms of the nodes, as far as they were asked for."""
    nodes = tree.nodes
    found: list[dict[str, Any]] = [{} for _ in range(tree.n_nodes)]
    for i in np.flatnonzero(~np.isnan(nodes.deviation).any(axis=1)).tolist():
        found[i] |= {"median": float(nodes.median[i]), "deviation": nodes.deviation[i].tolist()}
    if tree.bin_edges:
        for i in np.flatnonzero(~np.isnan(nodes.histogram).any(axis=1)).tolist():
            found[i]["histogram"] = nodes.histogram[i].tolist()
    return found


def _split_out(split: "Split | None") -> dict[str, Any] | None:
    if split is None:
        return None
    plain: dict[str, Any] = {"column": split.column, "kind": split.kind}
    if split.kind == "m_of_n":
        return {**plain, "m": split.m, "literals": [_literal_out(literal) for literal in split.literals]}
    if split.kind == "threshold":
        plain["thresholds"] = [_number_out(threshold) for threshold in split.thresholds]
    else:
        plain["groups"] = [list(group) for group in split.groups]
    plain |= {"missing": split.missing, "unseen": split.unseen}
    if split.surrogates:
        plain["surrogates"] = [{**(_split_out(s.split) or {}), "flipped": s.flipped} for s in split.surrogates]
    return plain


def _literal_out(literal: "Literal") -> dict[str, Any]:
    value = literal.value if isinstance(literal.value, str) else _number_out(literal.value)
    return {"column": literal.column, "test": literal.test, "value": value}


def _number_out(value: float) -> float | str:
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return float(value)
