"""From what the kernels grew to the nodes of a tree: codes become thresholds and level names' places, and validation
rows go down the new branches once.

No Python object is made for a node; a tree of 100,000 leaves takes a few array operations.
"""

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import OF_SUMS
from engine.criteria.kernels import ROUNDING, impurity, weight
from engine.growing.frontier import Frontier, even_drop, splits_in_order
from engine.growing.kernels.subtrees import weighted_drops
from engine.growing.large_nodes import PendingNode, TrainingSet
from engine.search.kernels.rules import (
    ALONE,
    COLUMN,
    HIGH,
    LOW,
    MISSING,
    N_BRANCHES,
    N_FIELDS,
    N_PAIRS,
    N_ROWS,
    PAYLOAD,
)
from engine.search.kernels.split_kinds import BUCKETS, CUT, MULTIWAY, ONE_VS_REST, POOLED, has_many_branches
from engine.table.partition import VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment, by_number, descended, way_down
from engine.tree.counting import counts_from_leaves
from engine.tree.kernels.structure import structure
from engine.tree.leaves import row_sums
from engine.tree.nodes import GROUPS, THRESHOLD, Nodes, span, unfilled
from engine.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Grown:
    """Subtrees in preorder, one after the other.

    Attributes:
        nodes: int32[n, N_FIELDS]; stats: float64[n, S]; pairs: uint32[p, 2], as in `engine.growing.kernels.subtrees`.
        sizes: int64[m], the nodes of every subtree.
    """

    nodes: NDArray[np.int32]
    stats: NDArray[np.float64]
    pairs: NDArray[np.uint32]
    sizes: NDArray[np.int64]


def gather(roots: list[PendingNode]) -> Grown:
    """Joins the pieces of what was grown."""
    nodes, stats, pairs, sizes = [], [], [], []
    offsets: dict[int, int] = {}
    n_pairs = 0
    for root in roots:
        size = 0
        for node in root.preorder():
            piece, stat, some = node.grown or (node.record, node.stat, node.pairs)
            if id(some) not in offsets:
                offsets[id(some)] = n_pairs
                n_pairs += len(some)
                pairs.append(some)
            if offsets[id(some)]:
                piece = piece.copy()
                piece[:, PAYLOAD] += offsets[id(some)]
            nodes.append(piece)
            stats.append(stat)
            size += len(piece)
        sizes.append(size)
    return Grown(np.concatenate(nodes), np.concatenate(stats), np.concatenate(pairs), np.array(sizes, dtype=np.int64))


# -- the first splits only: where many leaves are wanted it is quicker to grow everything and to leave out the rest, for
# the splits do not depend on their order


def first_splits(
    grown: Grown, training: TrainingSet, order: str, depths: NDArray[np.int64], n_leaves: int, most_leaves: int,
    rooms: NDArray[np.int64] | None = None,
) -> Grown:  # fmt: skip
    """The same subtrees with the first splits only, no more than `engine.growing.frontier.grow_in_order` makes.

    Args:
        depths: int64[m], of the roots in the whole tree; n_leaves: leaves of the whole tree before.
        rooms: int64[m], how many levels might grow below the roots, if growing was stopped. The first leaf whose
            turn comes that might have been split ends it: so a later growth goes on to the same tree.
    """
    n = len(grown.nodes)
    parent, end, level, _ = shape(grown.nodes[:, N_BRANCHES], grown.sizes.size)
    roots = np.cumsum(grown.sizes) - grown.sizes
    depth = level.astype(np.int64) + np.repeat(depths, grown.sizes)
    code = training.rules.criterion
    drops = np.empty(n)
    weighted_drops(code, grown.stats, parent, drops)
    mixed = [stat[2] if code & OF_SUMS else impurity(code, stat) * weight(code, stat) for stat in grown.stats[roots]]
    urgency = depth.astype(np.float64) if order == "level" else -even_drop(drops, float(sum(mixed)))
    n_branches = branches_of(grown.nodes, training)
    unsearched = np.zeros(n, dtype=bool)
    if rooms is not None:
        several = grown.stats[:, 2] > 0.0 if code & OF_SUMS else np.count_nonzero(grown.stats, axis=1) > 1
        unsearched = (grown.nodes[:, COLUMN] < 0) & several & (level < np.repeat(rooms, grown.sizes))
        unsearched &= grown.nodes[:, N_ROWS] >= training.rules.rows_to_split
        if order == "best_first":
            urgency[unsearched] = -math.inf
    made = np.zeros(n, dtype=bool)
    frontier = Frontier[int](order, n_leaves, most_leaves)
    made[splits_in_order(frontier, roots.tolist(), n_branches, end, urgency, unsearched)] = True
    return _only(grown, made, parent)


def _only(grown: Grown, made: NDArray[np.bool_], parent: NDArray[np.int32]) -> Grown:
    """The nodes that are reached by the splits that are made; the others become leaves."""
    kept = np.ones(made.size, dtype=bool)
    below = parent >= 0
    kept[below] = made[parent[below]]  # a split is made only after the one above it
    nodes = grown.nodes.copy()
    rows = nodes[:, N_ROWS].copy()
    leaf = np.zeros(N_FIELDS, dtype=np.int32)
    leaf[COLUMN] = -1
    nodes[~made] = leaf
    nodes[:, N_ROWS] = rows
    bounds = np.append(0, np.cumsum(grown.sizes))
    sizes = np.diff(np.append(0, np.cumsum(kept))[bounds])
    return Grown(nodes[kept], grown.stats[kept], grown.pairs, sizes)


# -- from records to nodes


def to_nodes(
    table: Table, tree: Tree, training: TrainingSet, grown: Grown
) -> tuple[Nodes, NDArray[np.float64], NDArray[np.int64]]:
    """(nodes, payload, sizes of the subtrees) for the tree's arrays; ids and validation counts stay 0.

    Branches without training rows, which only splits into all levels or with pooled ones make, become leaves.
    """
    records, n, n_columns = grown.nodes, len(grown.nodes), len(training.columns)
    column, places = records[:, COLUMN], {column.name: i for i, column in enumerate(tree.columns)}
    kinds = [THRESHOLD if column.is_numeric else GROUPS for column in training.columns]
    order, begin = by_number(column + 1, n_columns + 1)
    n_branches = branches_of(records, training)
    thresholds, sizes = np.full(n, np.nan), np.zeros(n, dtype=np.int64)
    by_column = [order[a:b] for a, b in pairwise(begin[1:].tolist())]
    for one, way, which in zip(training.columns, training.ways.tolist(), by_column, strict=True):
        if not one.is_numeric:
            sizes[which] = 2 * _named_levels(records[which], way, one.n_values)
        elif has_many_branches(way):
            sizes[which] = n_branches[which] - 2
        else:
            thresholds[which] = threshold_of(one.values, records[which, LOW], records[which, HIGH])
    starts = np.cumsum(sizes) - sizes if sizes.any() else sizes
    payload = np.empty(int(sizes.sum()))
    for one, way, which in zip(training.columns, training.ways.tolist(), by_column, strict=True):
        if one.is_numeric and has_many_branches(way):
            _write_limits(one.values, grown, np.sort(which), starts, thresholds, payload)
    nodes = Nodes(
        np.zeros(n, dtype=np.int64), n_branches.astype(np.int32), np.append(kinds, 0).astype(np.int8)[column],
        np.array([*(places[one.name] for one in training.columns), -1], dtype=np.int32)[column], thresholds,
        records[:, MISSING].copy(), np.zeros(n, dtype=np.int32), starts, sizes, np.zeros(n, dtype=bool), grown.stats,
        np.zeros(grown.stats.shape), records[:, N_ROWS].astype(np.int64), np.zeros(n, dtype=np.int64),
        *unfilled(n, tree.nodes.histogram.shape[1]),
    )  # fmt: skip
    return _with_levels(nodes, payload, training, grown) if GROUPS in kinds else (nodes, payload, grown.sizes)


def branches_of(records: NDArray[np.int32], training: TrainingSet) -> NDArray[np.int64]:
    """int64[n]: the branches of every split, those without rows included; 0 for a leaf."""
    column, alone = records[:, COLUMN], records[:, ALONE]
    ways, n_values = np.append(training.ways, -1)[column], np.append(training.n_values, 0)[column]
    pooled = alone + (alone < n_values)
    return np.select([column < 0, ways == MULTIWAY, ways == POOLED], [0, n_values, pooled], records[:, N_BRANCHES])


def _named_levels(records: NDArray[np.int32], way: int, n_values: int) -> Any:
    """How many levels splits of one column name. A cut leaves out those between the two that the training rows show; a
    split into all levels names them all, and so does one with pooled ones."""
    if way == CUT:
        return records[:, LOW] + np.where(records[:, HIGH] > 0, n_values - records[:, HIGH] + 1, 0)
    return n_values if way in (MULTIWAY, POOLED) else records[:, N_PAIRS]


def _with_levels(
    nodes: Nodes, payload: NDArray[np.float64], training: TrainingSet, grown: Grown
) -> tuple[Nodes, NDArray[np.float64], NDArray[np.int64]]:
    """What `to_nodes` returns where some splits are by level: where these send what they do not name, the payload
    with the levels that they do, and the branches without rows."""
    records, n_branches = grown.nodes, nodes.n_branches.astype(np.int64)
    ways = np.where(nodes.kind == GROUPS, np.append(training.ways, CUT)[records[:, COLUMN]], BUCKETS)
    n_values = np.append(training.n_values, 0)[records[:, COLUMN]]
    multi, rest = ways == MULTIWAY, (ways == POOLED) & (records[:, ALONE] < n_values)
    parent, end, _, branch = shape(records[:, N_BRANCHES], grown.sizes.size)

    unseen = larger_branches(parent, branch, grown.stats, training.rules.criterion)
    unseen[nodes.kind != GROUPS] = 0
    unseen[ways == ONE_VS_REST], unseen[rest] = 1, n_branches[rest] - 1
    for of_branch in (nodes.missing, unseen):  # the branches of splits into all levels are the levels
        of_branch[multi] = grown.pairs[records[multi, PAYLOAD] + of_branch[multi], 0].astype(np.int64) - 1
    nodes.unseen[:] = unseen
    _write_levels(nodes, payload, ways, n_values, grown)
    places = places_among_all(records, parent, branch, end, n_branches, multi, grown.pairs)
    bounds = places[np.append(0, np.cumsum(grown.sizes))]
    return _spread(nodes, places), payload, np.diff(bounds)


def larger_branches(
    parent: NDArray[np.int32], branch: NDArray[np.int32], stats: NDArray[np.float64], criterion: int
) -> NDArray[np.int64]:
    """int64[n]: the branch of every node with the most weight; of equals, up to rounding, the first."""
    heavy = stats[:, 0] if criterion & OF_SUMS else row_sums(stats)
    largest, larger = np.zeros(parent.size), np.zeros(parent.size, dtype=np.int64)
    order, begin = by_number(branch, int(branch.max(initial=0)) + 1)
    for number, (a, b) in enumerate(pairwise(begin.tolist())):
        which = order[a:b][parent[order[a:b]] >= 0]
        which = which[(number == 0) | (heavy[which] * (1.0 - ROUNDING) > largest[parent[which]])]
        largest[parent[which]], larger[parent[which]] = heavy[which], number
    return larger


def _write_levels(
    nodes: Nodes, payload: NDArray[np.float64], ways: NDArray[np.int64], n_values: NDArray[np.int64], grown: Grown
) -> None:
    """Writes the (level, branch) pairs of the splits by level, levels ascending; pooled levels without rows go into the
    last branch. ways, n_values: int64[n], of the column that splits each node."""
    records, pairs, starts = grown.nodes, grown.pairs, nodes.payload_start

    def write(which: NDArray[np.int64], first: Any, n: NDArray[np.int64], branch: Any, start: Any) -> None:
        """Writes n levels from `first` on of some nodes, all into a branch; None: each into its own."""
        at, level = span(start, n, 2), span(np.broadcast_to(first, which.shape), n)
        payload[at], payload[at + 1] = level, level if branch is None else np.repeat(branch, n)

    cut, multi, pooled = (np.flatnonzero(ways == way) for way in (CUT, MULTIWAY, POOLED))
    low, high = records[cut, LOW].astype(np.int64), records[cut, HIGH].astype(np.int64)
    write(cut, 0, low, np.zeros(cut.size), starts[cut])
    write(cut, high - 1, np.where(high > 0, n_values[cut] - high + 1, 0), np.ones(cut.size), starts[cut] + 2 * low)
    write(multi, 0, n_values[multi], None, starts[multi])
    write(pooled, 0, n_values[pooled], nodes.n_branches[pooled] - 1, starts[pooled])
    named = np.flatnonzero((nodes.kind == GROUPS) & (ways != CUT) & (ways != MULTIWAY))
    n_pairs = records[named, N_PAIRS].astype(np.int64)
    code, branch = pairs[span(records[named, PAYLOAD].astype(np.int64), n_pairs)].astype(np.int64).T
    of_pooled = np.repeat(ways[named] == POOLED, n_pairs)
    at = np.where(of_pooled, np.repeat(starts[named], n_pairs) + 2 * (code - 1), span(starts[named], n_pairs, 2))
    payload[at], payload[at + 1] = code - 1, branch


def places_among_all(
    records: NDArray[np.int32], parent: NDArray[np.int32], branch: NDArray[np.int32], end: NDArray[np.int32],
    n_branches: NDArray[np.int64], multi: NDArray[np.bool_], pairs: NDArray[np.uint32],
) -> NDArray[np.int64]:  # fmt: skip
    """Where each node stands once the branches without rows have their place, too: int64[n + 1], the last the total.

    Only nodes split into all levels have such branches: the one with rows that comes `branch`-th stands for the
    level of its pair. Where levels are pooled, the last branch may be without rows.
    """
    n, codes, payload = parent.size, pairs[:, 0].astype(np.int64), records[:, PAYLOAD].astype(np.int64)
    told = np.bincount(parent[parent >= 0], minlength=n)  # levels up to the last branch with rows
    told[multi] = codes[payload[multi] + told[multi] - 1]
    moved = np.bincount(end, n_branches - told, n + 1).astype(np.int64)  # empty branches behind the subtree
    children = np.flatnonzero((parent >= 0) & multi[parent])
    pair = payload[parent[children]] + branch[children]
    moved[children] += codes[pair] - 1 - np.where(branch[children] > 0, codes[pair - 1], 0)
    return np.arange(n + 1) + np.cumsum(moved)


def shape(
    n_branches: NDArray[np.int32], n_roots: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """(parent, end, level, branch) of subtrees standing one after the other."""
    joined = np.append(n_roots, n_branches).astype(np.int32)  # below one root for all of them
    parent, end, level, branch = (np.empty(joined.size, dtype=np.int32) for _ in range(4))
    structure(joined, parent, end, level, branch)
    return parent[1:] - 1, end[1:] - 1, level[1:] - 1, branch[1:]


def threshold_of(values: NDArray[Any], low: NDArray[np.integer], high: NDArray[np.integer]) -> NDArray[np.float64]:
    """float64[m]: halfway between the values of two codes, as `engine.splits.threshold_between` makes it; +inf where
    the higher one is 0."""
    below, above = values[low - 1], values[high - 1]
    with np.errstate(invalid="ignore"):  # halfway from -inf to inf
        middle = below / 2 + above / 2
    return np.where(high == 0, np.inf, np.where((below <= middle) & (middle < above), middle, below))


def _write_limits(
    values: NDArray[Any], grown: Grown, which: NDArray[np.int64], starts: NDArray[np.int64],
    thresholds: NDArray[np.float64], payload: NDArray[np.float64],
) -> None:  # fmt: skip
    """Writes the thresholds between the buckets of a column in the nodes `which`: the first of each apart, the further
    ones into its part of the payload."""
    n_pairs = grown.nodes[which, N_PAIRS].astype(np.int64)
    node = np.repeat(which, n_pairs)
    code, branch = grown.pairs[span(grown.nodes[which, PAYLOAD], n_pairs)].astype(np.int64).T
    ends = np.flatnonzero((node[1:] == node[:-1]) & (branch[1:] != branch[:-1]))
    limits = threshold_of(values, code[ends], code[ends + 1])
    first, of = branch[ends] == 0, node[ends]
    thresholds[of[first]] = limits[first]
    payload[starts[of[~first]] + branch[ends[~first]] - 1] = limits[~first]


def _spread(nodes: Nodes, places: NDArray[np.int64]) -> Nodes:
    """The nodes at their places, leaves without rows at all others."""
    total, width = int(places[-1]), nodes.train.shape[1]
    if total == nodes.ids.size:
        return nodes
    zero = np.zeros(total, dtype=np.int64)
    spread = Nodes.leaves(zero, (np.zeros((total, width)), np.zeros((total, width)), zero.copy(), zero.copy()))
    spread = spread._replace(histogram=unfilled(total, nodes.histogram.shape[1])[2])
    spread = spread.take(np.arange(total))  # arrays of their own
    for name, some in nodes._asdict().items():
        getattr(spread, name)[places[:-1]] = some
    return spread


def join(
    tree: Tree, starts: NDArray[np.int64], nodes: Nodes, payload: NDArray[np.float64], sizes: NDArray[np.int64]
) -> Tree:
    """The tree with subtrees in the place of the leaves at `starts`, which keep their ids and validation counts."""
    roots = np.cumsum(sizes) - sizes
    n_new = int(nodes.ids.size - roots.size)
    ids = np.arange(tree.next_id, tree.next_id + nodes.ids.size)
    ids -= 1 if roots.size == 1 else np.repeat(np.arange(1, roots.size + 1), sizes)  # for the roots up to there
    ids[roots] = tree.ids[starts]
    nodes.validation[roots], nodes.rows_validation[roots] = tree.validation[starts], tree.rows_validation[starts]
    nodes = nodes._replace(ids=ids, payload_start=nodes.payload_start + tree.payload.size)
    if tree.n_nodes > 1:
        width = np.ones(tree.n_nodes, dtype=np.int64)
        width[starts] = sizes
        source = np.repeat(np.arange(tree.n_nodes), width)  # old nodes, each root standing for its subtree
        grown = np.zeros(tree.n_nodes, dtype=bool)
        grown[starts] = True
        source[np.repeat(grown, width)] = tree.n_nodes + np.arange(nodes.ids.size)
        nodes = Nodes.join([tree.nodes, nodes]).take(source)
    return replace(tree, nodes=nodes, payload=np.concatenate((tree.payload, payload)), next_id=tree.next_id + n_new)


def rows_of_part(
    table: Table, at: Assignment, positions: NDArray[np.int64], part: int
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """(rows of a part in some nodes, one node after the other; int64[m + 1] where each begins and ends)."""
    sizes = at.stop[positions] - at.start[positions]
    rows = at.rows[span(at.start[positions], sizes)]
    inside = table.part[rows] == part
    return rows[inside], np.append(0, np.cumsum(inside))[np.append(0, np.cumsum(sizes))]


def count_validation(
    table: Table, tree: Tree, at: Assignment, starts: NDArray[np.int64], sizes: NDArray[np.int64], threads: int | None
) -> Tree:
    """The tree with the validation counts of grown nodes filled in.

    Args:
        at: the rows of the tree before, where the grown subtrees were the leaves at `starts`;
        sizes: int64[m], how many nodes each subtree has now;
        threads: how many share the work; None for one for each processor.
    """
    if table.n_validation == 0:
        return tree
    rows, bounds = rows_of_part(table, at, starts, VALIDATION)
    if rows.size == 0:
        return tree
    tops = starts + np.cumsum(sizes) - sizes - np.arange(starts.size)
    reached = descended(*way_down(table, tree), rows, tops, bounds, threads)
    order, begin = by_number(reached, tree.n_nodes)
    found = counts_from_leaves(table, tree, rows[order], begin[tree.leaves], begin[tree.leaves + 1])
    change = np.zeros(tree.n_nodes + 1, dtype=np.int64)
    change[tops + 1] += 1
    change[tops + sizes] -= 1
    below = np.cumsum(change)[:-1] > 0
    validation = np.where(below[:, None], found[1], tree.validation)
    rows_validation = np.where(below, found[3], tree.rows_validation)
    return replace(tree, nodes=tree.nodes._replace(validation=validation, rows_validation=rows_validation))
