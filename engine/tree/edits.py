"""The edits of a tree, on its arrays: each returns a new tree and leaves the old one valid."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.splits import TEST_NAMES, Literal, Split, Surrogate, bind, place_for
from engine.table import Table
from engine.tree.assignment import Assignment, assign, columns_asked, count_slices, route
from engine.tree.descent import entries, level_pairs
from engine.tree.distribution import unfilled
from engine.tree.leaves import LeafRule
from engine.tree.marks import Mark
from engine.tree.nodes import GROUPS, M_OF_N, THRESHOLD, WITH_SURROGATES, Nodes
from engine.tree.surrogate_payload import Part, level_entries, packed, parts_of, renumber_columns, surrogates

if TYPE_CHECKING:
    from engine.tree import Tree
    from engine.tree.shape import TreeShape


def unpack_split(tree: "TreeShape", i: int) -> Split:
    """The split of the inner node at position i."""
    nodes = tree.nodes
    kind, start, size = int(nodes.kind[i]), int(nodes.payload_start[i]), int(nodes.payload_size[i])
    values = int(nodes.column[i]), float(nodes.threshold[i]), int(nodes.missing[i]), int(nodes.unseen[i])
    if kind == M_OF_N:
        triples = tree.payload[start : start + size].reshape(-1, 3).tolist()
        literals = tuple(_unpack_literal(tree, *triple) for triple in triples)
        return Split(tree.columns[values[0]].name, "m_of_n", m=int(values[1]), literals=literals)
    if kind < M_OF_N:
        return _unpack_one(tree, kind, *values, int(nodes.n_branches[i]), tree.payload[start : start + size])
    own, *others = parts_of(nodes, tree.payload, i)
    split = _unpack_one(tree, kind - WITH_SURROGATES, *values, 2, tree.payload[own.start : own.stop])
    return replace(split, surrogates=tuple(_unpack_surrogate(tree, part) for part in others))


def _unpack_one(
    tree: "TreeShape", kind: int, place: int, threshold: float, missing: int, unseen: int, n_branches: int,
    further: NDArray[np.float64],
) -> Split:  # fmt: skip
    """A split by thresholds or groups from its values, without surrogates."""
    name, levels = tree.columns[place].name, tree.columns[place].levels
    if kind == THRESHOLD:
        cuts = (threshold, *map(float, further))
        return Split(name, "threshold", thresholds=cuts, missing=missing, unseen=unseen)
    groups: list[list[str]] = [[] for _ in range(n_branches)]
    for level, branch in further.reshape(-1, 2).astype(np.int64):
        groups[branch].append(levels[level])
    return Split(name, "groups", groups=tuple(map(tuple, groups)), missing=missing, unseen=unseen)


def _unpack_surrogate(tree: "TreeShape", part: Part) -> Surrogate:
    place, kind, threshold, missing, unseen, flipped, _ = tree.payload[part.head : part.start].tolist()
    further = tree.payload[part.start : part.stop]
    split = _unpack_one(tree, int(kind), int(place), threshold, int(missing), int(unseen), 2, further)
    return Surrogate(split, bool(flipped))


def surrogates_of(tree: "Tree") -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """(node, place of the column in `tree.columns`, whether it is asked for numbers) of every surrogate."""
    node, place, kind = surrogates(tree.nodes, tree.payload).T
    return node, place, kind == THRESHOLD


def _unpack_literal(tree: "TreeShape", place: float, test: float, value: float) -> Literal:
    column = tree.columns[int(place)]
    literal = Literal(column.name, TEST_NAMES[int(test)], value)
    return literal if literal.by_order else literal._replace(value=column.levels[int(value)])


def pack_split(tree: "Tree", split: Split) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """A split as values for `Nodes` and its payload; raises InputError when the tree does not know the column."""
    values: dict[str, Any]
    places = {column.name: i for i, column in enumerate(tree.columns)}
    for name in split.columns:
        if name not in places:
            raise InputError(f"“{name}” is no feature of this table, so it cannot be split on.")
    if split.surrogates:
        values, own = pack_split(tree, replace(split, surrogates=()))
        packs = [(pack_split(tree, other.split), other.flipped) for other in split.surrogates]
        numbers = packed(own.tolist(), [(head, further.tolist(), flipped) for (head, further), flipped in packs])
        return values | {"kind": values["kind"] + WITH_SURROGATES}, np.array(numbers, dtype=np.float64)
    place = places[split.column]
    values = {
        "n_branches": split.n_branches, "column": place, "missing": split.missing, "unseen": split.unseen,
    }  # fmt: skip
    if split.kind == "threshold":
        values |= {"kind": THRESHOLD, "threshold": split.thresholds[0]}
        return values, np.array(split.thresholds[1:], dtype=np.float64)
    if split.kind == "m_of_n":
        triples = [_pack_literal(tree, places[literal.column], literal) for literal in split.literals]
        return values | {"kind": M_OF_N, "threshold": split.m}, np.array(triples, dtype=np.float64).reshape(-1)
    level = {name: i for i, name in enumerate(tree.columns[place].levels)}
    for group in split.groups:
        for name in group:
            if name not in level:
                raise InputError(f"Column “{split.column}” has no level “{name}”, so it cannot be split by it.")
    pairs = [(level[name], branch) for branch, group in enumerate(split.groups) for name in group]
    return values | {"kind": GROUPS}, np.array(pairs, dtype=np.float64).reshape(-1)


def _pack_literal(tree: "Tree", place: int, literal: Literal) -> tuple[float, float, float]:
    test = TEST_NAMES.index(literal.test)
    if literal.by_order:
        return place, test, float(literal.value)
    levels = tree.columns[place].levels
    if literal.value not in levels:
        raise InputError(f"Column “{literal.column}” has no level “{literal.value}”, so it cannot be asked for it.")
    return place, test, levels.index(str(literal.value))


def with_split(tree: "Tree", leaf: Nodes, split: Split, by_hand: bool) -> tuple[Nodes, NDArray[np.float64]]:
    """The one node `leaf` as an inner node, and the payload of the whole tree with its part appended."""
    values, further = pack_split(tree, split)
    values |= {"by_hand": by_hand, "payload_start": tree.payload.size, "payload_size": further.size}
    changed = {name: np.full_like(getattr(leaf, name), value) for name, value in values.items()}
    return leaf._replace(**changed), np.concatenate((tree.payload, further))


def split_leaf(
    tree: "Tree", table: Table, node: int, split: Split, by_hand: bool, assignment: Assignment | None
) -> "Tree":
    """See `Tree.split`."""
    from engine.tree import counted

    i = tree.position(node)
    if tree.n_branches[i]:
        raise InputError(f"Node {node} is split already: collapse it first.")
    bind(split, table)
    tree = counted(tree, table)  # the same nodes in the same places
    at = assignment or assign(table, tree)
    rows = at.rows_of(i).copy()
    bounds = route(table, split, rows)
    counts = count_slices(table, rows, bounds[:-1], bounds[1:])
    inner, payload = with_split(tree, tree.nodes.take(slice(i, i + 1)), split, by_hand)
    ids = tree.next_id + np.arange(split.n_branches)
    pieces = [
        tree.nodes.take(slice(0, i)),
        inner,
        Nodes.leaves(ids, counts),
        tree.nodes.take(slice(i + 1, None)),
    ]
    return replace(tree, nodes=Nodes.join(pieces), payload=payload, next_id=tree.next_id + split.n_branches)


def collapse(tree: "Tree", positions: Sequence[int] | NDArray[np.int64]) -> "Tree":
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


def packed_nodes(nodes: Nodes, payload: NDArray[np.float64]) -> tuple[Nodes, NDArray[np.float64]]:
    """The nodes with a payload that holds theirs only, in their order: nothing is left of the splits that are gone."""
    sizes = nodes.payload_size
    starts = np.cumsum(sizes) - sizes
    if sizes.sum() == payload.size and np.array_equal(starts[sizes > 0], nodes.payload_start[sizes > 0]):
        return nodes, payload
    places = np.repeat(nodes.payload_start - starts, sizes) + np.arange(sizes.sum())
    return nodes._replace(payload_start=np.where(nodes.n_branches > 0, starts, 0)), payload[places]


def graft(tree: "Tree", parts: "Mapping[int, Tree]") -> "Tree":
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
    source: "Tree", old: NDArray[np.int64], new: NDArray[np.int64], standing: dict[int, Mark]
) -> dict[int, Mark]:
    """The marks of nodes of another tree under their new ids, but for ids that have a mark already."""
    ids = zip(old.tolist(), new.tolist(), strict=True)
    return {after: source.marks[before] for before, after in ids if before in source.marks and after not in standing}


def _check_part(tree: "Tree", i: int, part: "Tree") -> None:
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


def _same_root(tree: "Tree", i: int, part: "Tree") -> bool:
    """Whether the part's root holds the rows of the node at position i, but for rounding."""
    ours, theirs = tree.nodes.take(slice(i, i + 1)), part.nodes.take(slice(0, 1))
    same_rows = ours.rows_train[0] == theirs.rows_train[0] and ours.rows_validation[0] == theirs.rows_validation[0]
    pairs = ((ours.train, theirs.train), (ours.validation, theirs.validation))
    return bool(
        same_rows
        and np.isclose(tree.origin, part.origin, rtol=1e-12)
        and all(np.allclose(a, b, rtol=1e-9, atol=1e-9 * np.abs(a).max()) for a, b in pairs)
    )


def _lacks(tree: "Tree", part: "Tree") -> bool:
    """Whether the part's nodes were not asked for the medians or histograms that the tree has.

    A median that is the parent's, for want of training rows, would be another one in the tree.
    """
    empty = part.says_median and part.weight()[0] == 0
    return bool(tree.says_median and (empty or not part.says_median)) or tree.bin_edges != part.bin_edges


def drop_unbound(tree: "Tree", table: Table) -> tuple["Tree", list[str]]:
    """The tree without the splits and surrogates that do not bind to a table, and a sentence for each of these splits
    and for each column whose surrogates are gone."""
    node, place, by_order = columns_asked(tree)
    of_surrogates = surrogates_of(tree)
    asked_by_surrogates = set(zip(of_surrogates[1].tolist(), of_surrogates[2].tolist(), strict=True))
    faults = _faults(tree, table, asked_by_surrogates | set(zip(place.tolist(), by_order.tolist(), strict=True)))
    if not faults:
        return tree, []
    tree, gone = _without_surrogates(tree, of_surrogates, faults)
    of_node: dict[int, str] = {}  # of several literals the first that does not bind
    for i, asked in zip(node.tolist(), zip(place.tolist(), by_order.tolist(), strict=True), strict=True):
        if asked in faults:
            of_node.setdefault(i, faults[asked])
    problems = [
        f"The split “{tree.sentence(tree.children(i)[0])}” was taken back: {fault}" for i, fault in of_node.items()
    ]
    return collapse(tree, list(of_node)), problems + gone


def _without_surrogates(
    tree: "Tree", of_surrogates: tuple[NDArray[Any], ...], faults: dict[tuple[int, bool], str]
) -> tuple["Tree", list[str]]:
    """The tree without the surrogates that do not bind, and a sentence for each of their columns."""
    lost: dict[tuple[int, bool], list[int]] = {}
    for i, *asked in zip(*(array.tolist() for array in of_surrogates), strict=True):
        if tuple(asked) in faults:
            lost.setdefault((asked[0], asked[1]), []).append(i)
    changed = sorted({i for nodes in lost.values() for i in nodes})
    if not changed:
        return tree, []
    gone = {(tree.columns[place].name, by_order) for place, by_order in lost}
    nodes, payloads, size = tree.nodes.take(np.arange(tree.n_nodes)), [tree.payload], tree.payload.size
    for i in changed:
        split = unpack_split(tree, i)
        kept = tuple(s for s in split.surrogates if (s.split.column, s.split.kind == "threshold") not in gone)
        values, further = pack_split(tree, replace(split, surrogates=kept))
        for name, value in {**values, "payload_start": size, "payload_size": further.size}.items():
            getattr(nodes, name)[i] = value
        payloads.append(further)
        size += further.size
    nodes, payload = packed_nodes(nodes, np.concatenate(payloads))
    sentences = [
        f"The surrogates by “{tree.columns[asked[0]].name}” were taken from {len(of)} "
        f"{'split' if len(of) == 1 else 'splits'}: {faults[asked]}"
        for asked, of in lost.items()
    ]
    return replace(tree, nodes=nodes, payload=payload), sentences


def _faults(tree: "Tree", table: Table, asked: set[tuple[int, bool]]) -> dict[tuple[int, bool], str]:
    """For (column, whether it is asked for numbers) of what does not bind to a table a sentence; no split is made."""
    features = {table.columns[i].name for i in table.features}
    faults = {}
    for place, by_order in asked:
        name = tree.columns[place].name
        try:
            place_for(name, by_order, table)
            if name not in features:
                raise InputError(f"Column “{name}” is no feature any more.")
        except InputError as problem:
            faults[place, by_order] = str(problem)
    return faults


def renewed(tree: "Tree", table: Table, counted: list[NDArray[Any]]) -> "Tree":
    """The same splits with the counts, target and columns of a table."""
    from engine.tree import columns_of

    names = ("train", "validation", "rows_train", "rows_validation")
    nodes = tree.nodes._replace(**dict(zip(names, counted, strict=True)))
    median, deviation, histogram = unfilled(tree.n_nodes)
    nodes = nodes._replace(median=median, deviation=deviation, histogram=histogram)
    same_task = tree.task == table.task
    same_target = same_task and tree.target == table.target
    columns = columns_of(table)
    merged, nodes, payload = _renumbered(tree, nodes, columns)
    return replace(
        tree, task=table.task, target=str(table.target), classes=table.classes, columns=merged, nodes=nodes,
        payload=payload, origin=table.origin, counted_on=table.counts_key,
        leaf_rule=tree.leaf_rule.known_to(table.classes) if same_task else LeafRule(),
        bin_edges=tree.bin_edges if same_target else (),
    )  # fmt: skip


def _renumbered(tree: "Tree", nodes: Nodes, columns: tuple[Any, ...]) -> tuple[Any, Nodes, NDArray[np.float64]]:
    """The nodes with column and level numbers of a new column list; levels that only the tree knows are kept."""
    known = {column.name: column.levels for column in tree.columns}
    # a dict keeps the first place of each level
    merged = tuple(
        column._replace(levels=tuple(dict.fromkeys((*column.levels, *known.get(column.name, ())))))
        for column in columns
    )
    if merged == tree.columns:
        return merged, nodes, tree.payload
    place = {column.name: i for i, column in enumerate(merged)}
    new_place = np.array([*(place.get(column.name, -1) for column in tree.columns), -1], dtype=np.int32)
    payload = tree.payload.copy()
    _, at = entries(nodes, np.flatnonzero(nodes.kind == M_OF_N), 3)
    asked = payload[at].astype(np.int64)
    payload[at] = new_place[asked]
    by_level = at[payload[at + 1] >= 2] + 2  # where the level of a literal stands
    of_literal = asked[payload[at + 1] >= 2]
    of_surrogate, named = level_entries(nodes, payload)
    renumber_columns(nodes, payload, new_place)
    grouped = np.concatenate((nodes.column[nodes.kind == GROUPS], of_surrogate))
    for column in np.union1d(grouped, of_literal).astype(np.int64):
        known_levels = tree.columns[column]
        level = {name: k for k, name in enumerate(merged[place[known_levels.name]].levels)}
        new_level = np.array([level[name] for name in known_levels.levels], dtype=np.float64)
        _, pairs = level_pairs(nodes, np.flatnonzero((nodes.kind == GROUPS) & (nodes.column == column)))
        for entry in (pairs, by_level[of_literal == column], named[of_surrogate == column]):
            payload[entry] = new_level[payload[entry].astype(np.int64)]
    return merged, nodes._replace(column=new_place[nodes.column]), payload
