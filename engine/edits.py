"""The edits of a tree, on its arrays: each returns a new tree and leaves the old one valid."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.assignment import Assignment, assign, count_slices, route
from engine.errors import InputError
from engine.splits import Split, bind
from engine.table import Table

if TYPE_CHECKING:
    from engine.tree import Nodes, Tree


def unpack_split(tree: "Tree", i: int) -> Split:
    """The split of the inner node at position i."""
    from engine.tree import THRESHOLD

    nodes = tree.nodes
    column = tree.columns[nodes.column[i]]
    name, levels = column.name, column.levels
    start, size = int(nodes.payload_start[i]), int(nodes.payload_size[i])
    further = tree.payload[start : start + size]
    missing, unseen = int(nodes.missing[i]), int(nodes.unseen[i])
    if nodes.kind[i] == THRESHOLD:
        cuts = (float(nodes.threshold[i]), *map(float, further))
        return Split(name, "threshold", thresholds=cuts, missing=missing, unseen=unseen)
    groups: list[list[str]] = [[] for _ in range(nodes.n_branches[i])]
    for level, branch in further.reshape(-1, 2).astype(np.int64):
        groups[branch].append(levels[level])
    return Split(name, "groups", groups=tuple(map(tuple, groups)), missing=missing, unseen=unseen)


def pack_split(tree: "Tree", split: Split) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """A split as values for `Nodes` and its payload; raises InputError when the tree does not know the column."""
    from engine.tree import GROUPS, THRESHOLD

    place = {column.name: i for i, column in enumerate(tree.columns)}.get(split.column)
    if place is None:
        raise InputError(f"“{split.column}” is no feature of this table, so it cannot be split on.")
    values: dict[str, Any] = {
        "n_branches": split.n_branches, "column": place, "missing": split.missing, "unseen": split.unseen,
    }  # fmt: skip
    if split.kind == "threshold":
        values |= {"kind": THRESHOLD, "threshold": split.thresholds[0]}
        return values, np.array(split.thresholds[1:], dtype=np.float64)
    level = {name: i for i, name in enumerate(tree.columns[place].levels)}
    for group in split.groups:
        for name in group:
            if name not in level:
                raise InputError(f"Column “{split.column}” has no level “{name}”, so it cannot be split by it.")
    pairs = [(level[name], branch) for branch, group in enumerate(split.groups) for name in group]
    return values | {"kind": GROUPS}, np.array(pairs, dtype=np.float64).reshape(-1)


def _with_split(tree: "Tree", leaf: "Nodes", split: Split, by_hand: bool) -> tuple["Nodes", NDArray[np.float64]]:
    """The one node `leaf` as an inner node, and the payload of the whole tree with its part appended."""
    values, further = pack_split(tree, split)
    values |= {"by_hand": by_hand, "payload_start": tree.payload.size, "payload_size": further.size}
    changed = {name: np.full_like(getattr(leaf, name), value) for name, value in values.items()}
    return leaf._replace(**changed), np.concatenate((tree.payload, further))


def split_leaf(
    tree: "Tree", table: Table, node: int, split: Split, by_hand: bool, assignment: Assignment | None
) -> "Tree":
    """See `Tree.split`."""
    i = tree.position(node)
    if tree.n_branches[i]:
        raise InputError(f"Node {node} is split already: collapse it first.")
    bind(split, table)
    at = assignment or assign(table, tree)
    rows = at.rows_of(i).copy()
    bounds = route(table, split, rows)
    counted = count_slices(table, rows, bounds[:-1], bounds[1:])
    inner, payload = _with_split(tree, tree.nodes.take(slice(i, i + 1)), split, by_hand)
    kind = type(tree.nodes)
    ids = tree.next_id + np.arange(split.n_branches)
    pieces = [
        tree.nodes.take(slice(0, i)),
        inner,
        kind.leaves(ids, counted),
        tree.nodes.take(slice(i + 1, None)),
    ]
    return replace(tree, nodes=kind.join(pieces), payload=payload, next_id=tree.next_id + split.n_branches)


def _as_leaves(nodes: "Nodes", places: Any) -> "Nodes":
    """A copy in which these nodes are leaves."""
    nodes = nodes.take(np.arange(nodes.ids.size))  # such indexing copies
    for array, value in (
        (nodes.n_branches, 0), (nodes.kind, 0), (nodes.column, -1), (nodes.threshold, np.nan), (nodes.missing, 0),
        (nodes.unseen, 0), (nodes.payload_start, 0), (nodes.payload_size, 0), (nodes.by_hand, False),
    ):  # fmt: skip
        array[places] = value
    return nodes


def collapse(tree: "Tree", positions: list[int]) -> "Tree":
    """See `Tree.collapse`; positions inside each other are allowed."""
    keep = np.ones(tree.n_nodes, dtype=bool)
    for i in positions:
        keep[i + 1 : tree.end[i]] = False
    leaves = np.zeros(tree.n_nodes, dtype=bool)
    leaves[positions] = True
    return replace(tree, nodes=_as_leaves(tree.nodes, leaves).take(keep))


def graft(tree: "Tree", parts: "Mapping[int, Tree]") -> "Tree":
    """See `Tree.graft`; positions must be leaves, and the parts must know the same columns."""
    pieces, payloads = [], [tree.payload]
    next_id, size, done = tree.next_id, tree.payload.size, 0
    for i in sorted(parts):
        if tree.n_branches[i]:
            raise InputError(f"Node {tree.ids[i]} is split already: collapse it first.")
        part = parts[i]
        ids = np.concatenate(([tree.ids[i]], next_id + np.arange(part.n_nodes - 1)))
        grown = part.nodes._replace(ids=ids, payload_start=part.nodes.payload_start + size)
        pieces += [tree.nodes.take(slice(done, i)), grown]
        payloads.append(part.payload)
        next_id, size, done = next_id + part.n_nodes - 1, size + part.payload.size, i + 1
    pieces.append(tree.nodes.take(slice(done, None)))
    return replace(tree, nodes=type(tree.nodes).join(pieces), payload=np.concatenate(payloads), next_id=int(next_id))


def drop_unbound(tree: "Tree", table: Table) -> tuple["Tree", list[str]]:
    """The tree without the splits that do not bind to a table, and a sentence for each of them."""
    problems, positions = [], []
    features = {table.columns[i].name for i in table.features}
    for i in np.flatnonzero(tree.n_branches):
        split = tree.split_at(int(i))
        assert split is not None
        try:
            bind(split, table)
            if split.column not in features:
                raise InputError(f"Column “{split.column}” is no feature any more.")
        except InputError as problem:
            problems.append(f"The split “{tree.sentence(tree.children(int(i))[0])}” was taken back: {problem}")
            positions.append(int(i))
    return (collapse(tree, positions), problems) if positions else (tree, [])


def renewed(tree: "Tree", table: Table, counted: list[NDArray[Any]]) -> "Tree":
    """The same splits with the counts, target and columns of a table."""
    from engine.tree import columns_of

    names = ("train", "validation", "rows_train", "rows_validation")
    nodes = tree.nodes._replace(**dict(zip(names, counted, strict=True)))
    columns = columns_of(table)
    merged, nodes, payload = _renumbered(tree, nodes, columns)
    return replace(
        tree, task=table.task, target=str(table.target), classes=table.classes, columns=merged, nodes=nodes,
        payload=payload, origin=table.origin,
    )  # fmt: skip


def _renumbered(tree: "Tree", nodes: "Nodes", columns: tuple[Any, ...]) -> tuple[Any, "Nodes", NDArray[np.float64]]:
    """The nodes with column and level numbers of a new column list; levels that only the tree knows are kept."""
    known = {column.name: column for column in tree.columns}
    merged = tuple(
        column._replace(levels=(*column.levels, *(x for x in known[column.name].levels if x not in set(column.levels))))
        if column.name in known else column
        for column in columns
    )  # fmt: skip
    if merged == tree.columns:
        return merged, nodes, tree.payload
    place = {column.name: i for i, column in enumerate(merged)}
    new_place = np.array([*(place.get(column.name, -1) for column in tree.columns), -1], dtype=np.int32)
    payload = tree.payload.copy()
    for i in np.flatnonzero(nodes.kind == 2):
        old = tree.columns[nodes.column[i]].levels
        level = {name: k for k, name in enumerate(merged[place[tree.columns[nodes.column[i]].name]].levels)}
        start = int(nodes.payload_start[i])
        for k in range(start, start + int(nodes.payload_size[i]), 2):
            payload[k] = level[old[int(payload[k])]]
    return merged, nodes._replace(column=new_place[nodes.column]), payload
