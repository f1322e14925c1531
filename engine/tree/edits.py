"""The edits of a tree: a leaf split, another split above the same branches, branches moved, merged, cut out, pasted.

Each returns a new tree of the class that it was given, and leaves the old one valid. What moves are splits: rows go
down them again, and every node is counted on those that stand in it now.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr
from engine.splits import Split, bind, sentence
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.arrays import AnyTree, Mark, TreeArrays, collapse, take_back
from engine.tree.assignment import Assignment, assign, route
from engine.tree.counting import count_slices, counted, faults, filled, recounted
from engine.tree.marks import check_unlocked, fitting
from engine.tree.nodes import Nodes, SplitWriter, joined_levels, packed_nodes, same_counts


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
    """Puts trees in the place of leaves (by node id). Each root keeps the leaf's id, other ids are new. Marks come
    along; a leaf that has one of its own keeps it.

    Raises:
        InputError: a node is no leaf or locked, or a part has other features, another target or other rows than its
            leaf, or lacks the medians or histograms that this tree has.
    """
    check_unlocked(tree, *parts)
    pieces, payloads, marks = [], [tree.payload], dict(tree.marks)
    next_id, size, done = tree.next_id, tree.payload.size, 0
    for node in sorted(parts, key=tree.position):
        i, part = _leaf_at(tree, node), parts[node]
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
    # a median that is the parent's, for want of training rows, would be another one in the tree
    own_medians = part.predicts_median and part.weight()[0] > 0
    if [column[:3] for column in part.columns] != [column[:3] for column in tree.columns]:
        fault = tr("it has other features, or in another order")
    elif (part.task, part.target) != (tree.task, tree.target):
        fault = tr("it predicts “{other}”, not “{target}”", other=part.target, target=tree.target)
    elif part.classes != tree.classes:
        fault = tr("its classes of “{target}” are others, or in another order", target=tree.target)
    elif not (
        np.isclose(tree.origin, part.origin, rtol=1e-12)
        and same_counts(tree.nodes.take(slice(i, i + 1)), part.nodes.take(slice(0, 1)))
    ):
        fault = tr("it was counted on other rows than stand in that leaf")
    elif tree.bin_edges != part.bin_edges or (tree.predicts_median and not own_medians):
        fault = tr("it has other medians or histograms; give it the same leaf rule and bins")
    else:
        return
    raise InputError(tr("The tree to put at node {node} does not fit: {fault}.", node=tree.ids[i], fault=fault))


BELOW = ("drop", "keep")  # what may become of the branches below a split that is replaced


class Placed(NamedTuple):
    """A node in its new place: where it stood in its old tree, its slice of the rows, and whether it is split there."""

    position: int
    start: int
    stop: int
    is_split: bool


def send_down(
    table: Table, source: TreeArrays, top: int, rows: NDArray[np.uint32], every_split: bool = False,
    n_train: NDArray[np.int64] | None = None,
) -> list[Placed]:  # fmt: skip
    """The subtree at position `top` with these rows in it, in preorder.

    A split that does not divide the training rows is left out: the branch that has them all takes its place with all
    rows. A node without training rows becomes a leaf.

    Args:
        rows: ascending; they are reordered, so that every node is a slice.
        every_split: none of that; all splits stay.
        n_train: int64[n_nodes], the training rows that come to each node, where these are only counted; without it all
            splits stay there.
    """
    every_split |= table.counter is not None and n_train is None

    def trains(i: int, part: NDArray[np.uint32]) -> bool:
        return bool(n_train[i] if n_train is not None else (table.part[part] == TRAIN).any())

    placed, waiting = [], [(top, 0, rows.size)]
    while waiting:
        i, start, stop = waiting.pop()
        split = source.split_at(i)
        if split is None or not (every_split or trains(i, rows[start:stop])):
            placed.append(Placed(i, start, stop, False))
            continue
        inside = rows[start:stop].copy()
        bounds = pairwise(route(table, split, inside).tolist())
        branches = [(child, a, b) for child, (a, b) in zip(source.children(i), bounds, strict=True)]
        filled_ones = [] if every_split else [child for child, a, b in branches if trains(child, inside[a:b])]
        if len(filled_ones) == 1:
            waiting.append((filled_ones[0], start, stop))
            continue
        rows[start:stop] = inside
        placed.append(Placed(i, start, stop, True))
        waiting += [(child, start + a, start + b) for child, a, b in reversed(branches)]
    return placed


def _settled(
    put: Callable[[NDArray[np.int64] | None], AnyTree], table: Table, source: TreeArrays, tops: Sequence[int],
    places: Callable[[AnyTree], Sequence[int]],
) -> AnyTree:  # fmt: skip
    """The tree that `put` makes of the subtrees of `source` at the positions `tops`, from `n_train` of `send_down`.

    Where rows are only counted, the tree with all of their splits is counted first; if some of these do not divide
    the training rows, it is made once more without them. `places`: where the subtrees stand in it.
    """
    made = put(None)
    if table.counter is None:
        return made
    n_train, moved = np.zeros(source.n_nodes, np.int64), np.zeros(source.n_nodes, bool)
    for top, place in zip(tops, places(made), strict=True):
        n_train[top : source.end[top]] = made.rows_train[place : made.end[place]]
        moved[top : source.end[top]] = True
    filled_branches = np.bincount(source.parent[1:][n_train[1:] > 0], minlength=source.n_nodes)
    idle = moved & (source.n_branches > 0) & (filled_branches < 2)
    return put(n_train) if idle.any() else made


def _placed_nodes(
    writer: SplitWriter, table: Table, source: TreeArrays, placed: list[Placed], rows: NDArray[np.uint32],
    ids: NDArray[np.int64],
) -> Nodes:  # fmt: skip
    """The nodes that were placed, counted on their rows, with these ids; raises as `SplitWriter.write`."""
    starts, stops = (np.array([getattr(one, name) for one in placed], dtype=np.int64) for name in ("start", "stop"))
    nodes = Nodes.leaves(ids, count_slices(table, rows, starts, stops)).take(np.arange(len(placed)))  # own arrays
    for k, one in enumerate(placed):
        split = source.split_at(one.position) if one.is_split else None
        if split is not None:
            writer.write(nodes, k, split, bool(source.by_hand[one.position]))
    return nodes


def _prepared(
    tree: AnyTree, table: Table, assignment: Assignment | None, *positions: int
) -> tuple[AnyTree, NDArray[np.uint32]]:
    """The tree counted on the table, which has the same nodes in the same places; the rows of some, ascending."""
    tree = counted(tree, table)
    at = assignment or assign(table, tree)
    return tree, np.sort(np.concatenate([at.rows_of(i) for i in positions]))


def _with_pieces(
    tree: AnyTree, table: Table, i: int, end: int, pieces: list[Nodes], writer: SplitWriter,
    assignment: Assignment | None = None, **more: Any,
) -> AnyTree:  # fmt: skip
    """The tree with these nodes in the place of those at i … end; assignment: of that tree, if at hand. Where splits
    divide rows, of which the pieces know nothing, it is counted as a whole."""
    whole = Nodes.join([tree.nodes.take(slice(0, i)), *pieces, tree.nodes.take(slice(end, None))])
    nodes, payload = packed_nodes(whole, writer.payload)
    made = replace(tree, nodes=nodes, payload=payload, **more)
    return recounted(made, table) if made.divides_rows or table.counter is not None else filled(made, table, assignment)


def _leaf_at(tree: TreeArrays, node: int) -> int:
    """The position of a leaf; InputError when the node is split."""
    i = tree.position(node)
    if tree.n_branches[i]:
        raise InputError(tr("Node {node} is split already: collapse it first.", node=node))
    return i


# -- a leaf split, another split above the same branches


def split_leaf(
    tree: AnyTree, table: Table, node: int, split: Split, *, by_hand: bool = True, assignment: Assignment | None = None
) -> AnyTree:
    """Splits a leaf. `assignment` saves sending the rows down again.

    Raises:
        InputError: the node is no leaf or locked, or the split does not fit the table.
    """
    check_unlocked(tree, node)
    return _with_split(tree, table, _leaf_at(tree, node), split, [], by_hand, assignment)


def replace_split(
    tree: AnyTree, table: Table, node: int, split: Split, below: str = "drop", *, assignment: Assignment | None = None
) -> AnyTree:
    """Puts another split in the place of an inner node's.

    Args:
        below: what becomes of the branches below. "drop": the new branches are leaves. "keep": what stood below
            branch b stands below the new branch b, and its rows are sent down again; a split there that no longer
            divides training rows is left out, the branch that has them takes its place. For new branches that grow see
            `engine.growing`.
        assignment: of this tree on that table, if at hand.

    Raises:
        InputError: the node is a leaf, a lock is on it or below it, the split does not fit the table, or there is
            no such choice.
    """
    i = tree.position(node)
    if below not in BELOW:
        raise InputError(
            tr("below cannot be “{below}”; choose one of {choices}.", below=one_line(below), choices=", ".join(BELOW))
        )
    if not tree.n_branches[i]:
        raise InputError(tr("Node {node} is a leaf, so there is no split to replace: split it instead.", node=node))
    check_unlocked(tree, node, below=True)
    kept = tree.children(i)[: split.n_branches] if below == "keep" else []
    return _with_split(tree, table, i, split, kept, True, assignment)


def _with_split(
    tree: AnyTree, table: Table, i: int, split: Split, kept: list[int], by_hand: bool, assignment: Assignment | None
) -> AnyTree:
    """The tree with a split at position i, the subtrees at the positions `kept` below its first branches, and new
    leaves below the others."""
    bind(split, table)
    tree, rows = _prepared(tree, table, assignment, i)
    end, bounds = int(tree.end[i]), route(table, split, rows)
    others = bounds[len(kept) :]
    ids = tree.next_id + np.arange(others.size - 1)
    at = None
    if assignment is not None and not kept and (tree.predicts_median or tree.bin_edges):
        at = assignment.collapse(i, end).split(table, i, split)

    def put(n_train: NDArray[np.int64] | None) -> AnyTree:
        writer, top = SplitWriter(tree.columns, tree.payload), tree.nodes.take([i])
        take_back(top, np.ones(1, dtype=bool))
        writer.write(top, 0, split, by_hand)
        pieces = [top]
        for branch, child in enumerate(kept):
            part = rows[bounds[branch] : bounds[branch + 1]]
            placed = send_down(table, tree, child, part, n_train=n_train)
            pieces.append(_placed_nodes(writer, table, tree, placed, part, tree.ids[[one.position for one in placed]]))
        pieces.append(Nodes.leaves(ids, count_slices(table, rows, others[:-1], others[1:])))
        return _with_pieces(tree, table, i, end, pieces, writer, at, next_id=tree.next_id + ids.size)

    return _settled(put, table, tree, kept, lambda made: made.children(i)[: len(kept)])


# -- a branch in the place of its node


def replace_with_branch(
    tree: AnyTree, table: Table, node: int, branch: int, *, assignment: Assignment | None = None
) -> AnyTree:
    """Puts one of the branches of an inner node in its place, with all splits below it; the rows of the other
    branches go down that one, and are counted there. What stands there then has the id of the node, and its mark or,
    where it had none, that of the branch; all nodes below keep theirs. C4.5 calls it subtree raising.

    Args:
        branch: the number of the branch, from 0.
        assignment: of this tree on that table, if at hand.

    Raises:
        InputError: the node is a leaf or has no such branch, or a lock is on it or below it.
    """
    i = tree.position(node)
    children = tree.children(i)
    if not children:
        raise InputError(tr("Node {node} is a leaf, so it has no branch to take its place.", node=node))
    if not 0 <= branch < len(children):
        raise InputError(tr(
            "Node {node} has no branch {branch}; it has the branches 0 to {last}.", node=node, branch=branch,
            last=len(children) - 1))  # fmt: skip
    check_unlocked(tree, node, below=True)
    tree, rows = _prepared(tree, table, assignment, i)
    placed = send_down(table, tree, children[branch], rows, every_split=True)
    ids = tree.ids[[one.position for one in placed]]
    marks, gone = dict(tree.marks), int(ids[0])
    if node not in marks and gone in marks:
        marks[node] = marks[gone]
    ids[0] = node
    writer = SplitWriter(tree.columns, tree.payload)
    raised = _placed_nodes(writer, table, tree, placed, rows, ids)
    return _with_pieces(tree, table, i, int(tree.end[i]), [raised], writer, marks=marks)


# -- two leaves made one


def merge(tree: AnyTree, table: Table, node: int, other: int, *, assignment: Assignment | None = None) -> AnyTree:
    """Makes one branch of two leaves of one split; it keeps the id and the mark of `node`. Where the split has no
    other branches its node becomes a leaf.

    Raises:
        InputError: they are no leaves of one split, a lock is on them, or a cut has branches between them.
    """
    one, two = tree.position(node), tree.position(other)
    parent = int(tree.parent[one])
    if one == two or parent < 0 or parent != tree.parent[two]:
        raise InputError(tr(
            "Nodes {node} and {other} are no two branches of one split, so they cannot be merged.", node=node,
            other=other))  # fmt: skip
    for each in (node, other):
        if tree.n_branches[tree.position(each)]:
            raise InputError(tr("Node {node} is split, and only leaves can be merged: collapse it first.", node=each))
    check_unlocked(tree, node, other)
    old = tree.split_at(parent)
    assert old is not None
    if old.n_branches == 2:
        return collapse(tree, [parent])
    split = merged_split(old, int(tree.branch[one]), int(tree.branch[two]), tree.kinds)
    tree, rows = _prepared(tree, table, assignment, one, two)
    writer, above = SplitWriter(tree.columns, tree.payload), tree.nodes.take([parent])
    writer.write(above, 0, split, by_hand=True)
    merged = Nodes.leaves([node], count_slices(table, rows, np.zeros(1, np.int64), np.array([rows.size])))
    first, second = sorted((one, two))
    before, after = (tree.nodes.take(slice(a, b)) for a, b in ((parent + 1, first), (first + 1, second)))
    return _with_pieces(tree, table, parent, second + 1, [above, before, merged, after], writer)


def merged_split(split: Split, one: int, two: int, kinds: Mapping[str, str]) -> Split:
    """A split of three or more branches with two of them made one, at the place of the first.

    Raises:
        InputError: a cut has other branches between them.
    """
    low, high = min(one, two), max(one, two)
    place = {branch: branch - (branch > high) for branch in range(split.n_branches)} | {high: low}
    missing = split.missing if split.divides else place[split.missing]
    unseen = place[split.unseen]
    if split.kind == "groups":
        groups = list(split.groups)
        groups[low] += groups.pop(high)
        return replace(split, groups=tuple(groups), missing=missing, unseen=unseen)
    cuts = split.thresholds
    if split.has_missing_branch and high == split.missing:  # its rows go elsewhere, the cuts stay
        return replace(split, missing=missing, unseen=unseen)
    if high > low + 1:
        between = sentence(split, low + 1, kinds)
        raise InputError(tr(
            "“{one}” and “{other}” cannot be merged, for “{between}” stands between them: merge neighbours.",
            one=sentence(split, low, kinds), other=sentence(split, high, kinds), between=between))  # fmt: skip
    cuts = (*cuts[:low], *cuts[high:])
    return replace(split, thresholds=cuts or (np.inf,), missing=missing, unseen=unseen)


# -- a copy pasted


def paste(
    tree: AnyTree, table: Table, node: int, source: TreeArrays, *, assignment: Assignment | None = None
) -> AnyTree:
    """Makes the splits of another tree below a leaf, in the rows of that leaf, as "keep" of `replace_split` does.

    New nodes have new ids and the marks of those that they were made from; the leaf takes the mark of the other
    root where it has none of its own.

    Args:
        source: from this tree or any other one; its counts do not matter.
        assignment: of this tree on that table, if at hand.

    Raises:
        InputError: the node is no leaf or locked, or a split does not fit the table.
    """
    i = _leaf_at(tree, node)
    check_unlocked(tree, node)
    for fault in faults(source, table).values():
        raise InputError(fault)
    tree, rows = _prepared(tree, table, assignment, i)
    with_levels = [column for column in source.columns if tree.kinds.get(column.name) in ("nominal", "ordered")]
    tree = replace(tree, columns=joined_levels(tree.columns, with_levels))

    def put(n_train: NDArray[np.int64] | None) -> AnyTree:
        placed = send_down(table, source, 0, rows, n_train=n_train)
        ids = np.append(node, tree.next_id + np.arange(len(placed) - 1))
        writer = SplitWriter(tree.columns, tree.payload)
        nodes = _placed_nodes(writer, table, source, placed, rows, ids)
        old = source.ids[[one.position for one in placed]]
        moved = marks_moved(fitting(source, table)[0], old, ids, dict(tree.marks))
        next_id, marks = tree.next_id + len(placed) - 1, {**tree.marks, **moved}
        return _with_pieces(tree, table, i, i + 1, [nodes], writer, next_id=next_id, marks=marks)

    return _settled(put, table, source, [0], lambda made: [i])
