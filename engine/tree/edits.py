"""The edits of a tree that need no rows: splits taken back, a branch cut out, trees put in the place of leaves.

Each returns a new tree of the class that it was given, and leaves the old one valid.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.tree.arrays import AnyTree, TreeArrays
from engine.tree.nodes import Mark, Nodes
from engine.tree.packing import packed_nodes


def collapse(tree: AnyTree, positions: Sequence[int] | NDArray[np.int64]) -> AnyTree:
    """See `Tree.collapse`; positions inside each other are allowed."""
    tops = np.asarray(positions, dtype=np.int64)
    n = tree.n_nodes + 1
    keep = np.cumsum(np.bincount(tops + 1, minlength=n) - np.bincount(tree.end[tops], minlength=n))[:-1] == 0
    leaf = np.zeros(tree.n_nodes, dtype=bool)
    leaf[tops] = True
    nodes = tree.nodes.take(keep)  # such indexing copies
    take_back(nodes, leaf[keep])
    nodes, payload = packed_nodes(nodes, tree.payload)
    return replace(tree, nodes=nodes, payload=payload)


def take_back(nodes: Nodes, leaf: NDArray[np.bool_]) -> None:
    """Writes into the nodes that some of them have no split."""
    for array, value in (
        (nodes.n_branches, 0), (nodes.kind, 0), (nodes.column, -1), (nodes.threshold, np.nan), (nodes.missing, 0),
        (nodes.unseen, 0), (nodes.payload_start, 0), (nodes.payload_size, 0), (nodes.by_hand, False),
    ):  # fmt: skip
        array[leaf] = value


def subtree(tree: AnyTree, node: int) -> AnyTree:
    """What stands at and below a node as a tree of its own, with its marks and the counts of its rows. Its root is
    0, the other nodes keep their ids."""
    i = tree.position(node)
    if i == 0:
        return tree
    ids = tree.ids[i : tree.end[i]].copy()
    ids[0] = 0
    nodes, payload = packed_nodes(tree.nodes.take(slice(i, int(tree.end[i])))._replace(ids=ids), tree.payload)
    marks = {node: mark for node, mark in tree.marks.items() if node != 0}
    if tree.ids[i] in tree.marks:
        marks[0] = tree.mark(node)
    return replace(tree, nodes=nodes, payload=payload, counted_on="", marks=marks)


def graft(tree: AnyTree, parts: Mapping[int, AnyTree]) -> AnyTree:
    """See `Tree.graft`; positions must be leaves."""
    pieces, payloads, marks = [], [tree.payload], dict(tree.marks)
    next_id, size, done = tree.next_id, tree.payload.size, 0
    for i in sorted(parts):
        if tree.n_branches[i]:
            raise InputError(f"Node {tree.ids[i]} is split already: collapse it first.")
        part = parts[i]
        _check_part(tree, i, part)
        ids = np.concatenate(([tree.ids[i]], next_id + np.arange(part.n_nodes - 1)))
        grown = part.nodes._replace(ids=ids, payload_start=part.nodes.payload_start + size)
        pieces += [tree.nodes.take(slice(done, i)), grown]
        payloads.append(part.payload)
        marks |= marks_moved(part, part.ids, ids, dict(tree.marks))
        next_id, size, done = next_id + part.n_nodes - 1, size + part.payload.size, i + 1
    pieces.append(tree.nodes.take(slice(done, None)))
    nodes, payload = packed_nodes(Nodes.join(pieces), np.concatenate(payloads))
    same = all(part.counted_on == tree.counted_on for part in parts.values())
    counted_on = tree.counted_on if same else ""
    return replace(tree, nodes=nodes, payload=payload, next_id=int(next_id), counted_on=counted_on, marks=marks)


def marks_moved(
    source: TreeArrays, old: NDArray[np.int64], new: NDArray[np.int64], standing: dict[int, Mark]
) -> dict[int, Mark]:
    """The marks of nodes of another tree under their new ids, but for ids that have a mark already."""
    ids = zip(old.tolist(), new.tolist(), strict=True)
    return {after: source.marks[before] for before, after in ids if before in source.marks and after not in standing}


def _check_part(tree: TreeArrays, i: int, part: TreeArrays) -> None:
    """InputError when the part cannot stand at position i: its numbers would mean something else there."""
    if [column[:3] for column in part.columns] != [column[:3] for column in tree.columns]:
        fault = "it has other features, or in another order"
    elif (part.task, part.target) != (tree.task, tree.target):
        fault = f"it predicts “{part.target}”, not “{tree.target}”"
    elif part.classes != tree.classes:
        fault = f"its classes of “{tree.target}” are others, or in another order"
    elif not _same_root(tree, i, part):
        fault = "it was counted on other rows than stand in that leaf"
    elif _lacks(tree, part):
        fault = "it has other medians or histograms; give it the same leaf rule and bins"
    else:
        return
    raise InputError(f"The tree to put at node {tree.ids[i]} does not fit: {fault}.")


def _same_root(tree: TreeArrays, i: int, part: TreeArrays) -> bool:
    """Whether the part's root holds the rows of the node at position i, but for rounding."""
    ours, theirs = tree.nodes.take(slice(i, i + 1)), part.nodes.take(slice(0, 1))
    same_rows = ours.rows_train[0] == theirs.rows_train[0] and ours.rows_validation[0] == theirs.rows_validation[0]
    pairs = ((ours.train, theirs.train), (ours.validation, theirs.validation))
    return bool(
        same_rows
        and np.isclose(tree.origin, part.origin, rtol=1e-12)
        and all(np.allclose(a, b, rtol=1e-9, atol=1e-9 * np.abs(a).max()) for a, b in pairs)
    )


def _lacks(tree: TreeArrays, part: TreeArrays) -> bool:
    """Whether the part's nodes were not asked for the medians or histograms that the tree has.

    A median that is the parent's, for want of training rows, would be another one in the tree.
    """
    empty = part.predicts_median and part.weight()[0] == 0
    return bool(tree.predicts_median and (empty or not part.predicts_median)) or tree.bin_edges != part.bin_edges
