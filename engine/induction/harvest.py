"""From what the kernels grew to the nodes of a tree: codes become thresholds and level names' places.

No Python object is made for a node; a tree of 100,000 leaves takes a few array operations.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.distribution import unfilled
from engine.induction.ground import Ground
from engine.induction.walk import Knot
from engine.kernels.growth import (
    ALONE,
    COLUMN,
    HIGH,
    LOW,
    MISSING,
    N_BRANCHES,
    N_PAIRS,
    N_ROWS,
    PAYLOAD,
)
from engine.kernels.harvest import larger_branches, places_among_all, write_levels
from engine.kernels.structure import structure
from engine.kernels.ways import BUCKETS, CUT, GROUPS, MULTIWAY, ONE_VS_REST, POOLED
from engine.table import Column, Table
from engine.tree import GROUPS as BY_LEVEL
from engine.tree import THRESHOLD, Nodes, Tree


@dataclass(frozen=True, eq=False)
class Grown:
    """Subtrees in preorder, one after the other.

    Attributes:
        nodes: int64[n, N_FIELDS]; stats: float64[n, S]; pairs: uint32[p, 2], as in `engine.kernels.subtrees`.
        sizes: int64[m], the nodes of every subtree.
    """

    nodes: NDArray[np.int64]
    stats: NDArray[np.float64]
    pairs: NDArray[np.uint32]
    sizes: NDArray[np.int64]


def gather(roots: list[Knot]) -> Grown:
    """Joins the pieces of what was grown."""
    nodes, stats, pairs, sizes = [], [], [], []
    offsets: dict[int, int] = {}
    n_pairs = 0
    for root in roots:
        size = 0
        for piece, stat, some in root.pieces():
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


def to_nodes(
    table: Table, tree: Tree, ground: Ground, grown: Grown
) -> tuple[Nodes, NDArray[np.float64], NDArray[np.int64]]:
    """(nodes, payload, sizes of the subtrees) for the tree's arrays; ids and validation counts stay 0.

    Branches without training rows, which only splits into all levels or with pooled ones make, become leaves.
    """
    records, column = grown.nodes, grown.nodes[:, COLUMN]
    inner = column >= 0
    numeric = np.array([table.columns[i].is_numeric for i in ground.features] + [False])[column]
    by_level = np.flatnonzero(inner & ~numeric)
    ways = np.append(ground.ways, CUT)[column]
    n_values = np.append(ground.n_values, 0)[column]
    multi, rest = ways == MULTIWAY, (ways == POOLED) & (records[:, ALONE] < n_values)
    n_branches = np.where(multi, n_values, records[:, N_BRANCHES])
    n_branches[rest] = records[rest, ALONE] + 1
    parent, end, branch = _shape(records[:, N_BRANCHES], grown.sizes.size)

    missing = records[:, MISSING].copy()
    unseen = larger_branches(parent, branch, n_branches, grown.stats, ground.rules.criterion)
    unseen[~inner | numeric] = 0
    unseen[ways == ONE_VS_REST], unseen[rest] = 1, n_branches[rest] - 1
    for of_branch in (missing, unseen):  # the branches of splits into all levels are the levels
        of_branch[multi] = grown.pairs[records[multi, PAYLOAD] + of_branch[multi], 0].astype(np.int64) - 1
    sizes = _payload_sizes(records, by_level, ways, n_values)
    bucketed = ways == BUCKETS
    sizes[bucketed] = n_branches[bucketed] - 2
    starts = np.cumsum(sizes) - sizes
    payload = np.empty(int(sizes.sum()))
    write_levels(records, by_level, ways, n_values, n_branches, grown.pairs, starts, payload)
    thresholds = _thresholds(table, ground, records)
    _write_limits(table, ground, grown, np.flatnonzero(bucketed), starts, thresholds, payload)

    place = {column.name: i for i, column in enumerate(tree.columns)}
    of_tree = np.array([place[table.columns[i].name] for i in ground.features] + [-1], dtype=np.int32)
    kind = np.where(inner, THRESHOLD, 0).astype(np.int8)
    kind[by_level] = BY_LEVEL
    none = np.zeros(len(records), dtype=np.int64)
    nodes = Nodes(
        none, n_branches.astype(np.int32), kind, of_tree[column], thresholds,
        missing.astype(np.int32), unseen.astype(np.int32), starts, sizes, none.astype(bool),
        grown.stats, np.zeros_like(grown.stats), records[:, N_ROWS].copy(), none,
        *unfilled(len(records), tree.nodes.histogram.shape[1]),
    )  # fmt: skip
    places = places_among_all(records, parent, branch, end, n_branches, ways, grown.pairs)
    bounds = places[np.append(0, np.cumsum(grown.sizes))]
    return _spread(nodes, places), payload, np.diff(bounds)


def _shape(
    n_branches: NDArray[np.int64], n_roots: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """(parent, end, branch) of subtrees standing one after the other."""
    joined = np.append(n_roots, n_branches).astype(np.int32)  # below one root for all of them
    parent, end, level, branch = (np.empty(joined.size, dtype=np.int32) for _ in range(4))
    structure(joined, parent, end, level, branch)
    return parent[1:] - 1, end[1:] - 1, branch[1:]


def _payload_sizes(
    records: NDArray[np.int64], by_level: NDArray[np.int64], ways: NDArray[np.int64], n_values: NDArray[np.int64]
) -> NDArray[np.int64]:
    """int64[n]: how many numbers the levels of each split take, two for each level that it names."""
    low, high, of_column = records[by_level, LOW], records[by_level, HIGH], n_values[by_level]
    ordered = low + np.where(high > 0, of_column - high + 1, 0)
    some, every = np.isin(ways[by_level], (GROUPS, ONE_VS_REST)), np.isin(ways[by_level], (MULTIWAY, POOLED))
    named = np.select([some, every], [records[by_level, N_PAIRS], of_column], ordered)
    sizes = np.zeros(len(records), dtype=np.int64)
    sizes[by_level] = 2 * named
    return sizes


def _thresholds(table: Table, ground: Ground, records: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64[n]: the threshold of each cut of a numeric column, as `engine.splits.threshold_between` makes it."""
    thresholds = np.full(len(records), np.nan)
    for j, feature in enumerate(ground.features):
        column = table.columns[feature]
        if column.is_numeric and ground.ways[j] != BUCKETS:
            here = np.flatnonzero(records[:, COLUMN] == j)
            middle = _between(column, records[here, LOW], records[here, HIGH])
            thresholds[here] = np.where(records[here, HIGH] > 0, middle, np.inf)
    return thresholds


def _between(column: Column, low: NDArray[np.int64], high: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64[m]: halfway between the values of two codes, as `engine.splits.threshold_between` makes it."""
    below, above = column.values[low - 1], column.values[high - 1]
    with np.errstate(invalid="ignore"):  # halfway from -inf to inf
        middle = below / 2 + above / 2
    return np.where((below <= middle) & (middle < above), middle, below)


def _write_limits(
    table: Table, ground: Ground, grown: Grown, which: NDArray[np.int64], starts: NDArray[np.int64],
    thresholds: NDArray[np.float64], payload: NDArray[np.float64],
) -> None:  # fmt: skip
    """Writes the thresholds between the buckets of the nodes `which`: the first of each apart, the further ones into
    its part of the payload."""
    n_pairs = grown.nodes[which, N_PAIRS]
    node = np.repeat(which, n_pairs)
    at = np.arange(node.size) + np.repeat(grown.nodes[which, PAYLOAD] - (np.cumsum(n_pairs) - n_pairs), n_pairs)
    code, branch = grown.pairs[at].astype(np.int64).T
    ends = np.flatnonzero((node[1:] == node[:-1]) & (branch[1:] != branch[:-1]))
    column = grown.nodes[node[ends], COLUMN]
    for j in np.unique(column):
        here = ends[column == j]
        limits = _between(table.columns[ground.features[j]], code[here], code[here + 1])
        first, of = branch[here] == 0, node[here]
        thresholds[of[first]] = limits[first]
        payload[starts[of[~first]] + branch[here[~first]] - 1] = limits[~first]


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
    bounds = np.cumsum(sizes)
    roots = bounds - sizes
    n_new = int(nodes.ids.size - roots.size)
    is_new = np.ones(nodes.ids.size, dtype=bool)
    is_new[roots] = False
    ids = np.empty(nodes.ids.size, dtype=np.int64)
    ids[roots], ids[is_new] = tree.ids[starts], tree.next_id + np.arange(n_new)
    nodes.validation[roots], nodes.rows_validation[roots] = tree.validation[starts], tree.rows_validation[starts]
    nodes = nodes._replace(ids=ids, payload_start=nodes.payload_start + tree.payload.size)
    width = np.ones(tree.n_nodes, dtype=np.int64)
    width[starts] = sizes
    source = np.repeat(np.arange(tree.n_nodes), width)  # old nodes, each root standing for its subtree
    grown = np.zeros(tree.n_nodes, dtype=bool)
    grown[starts] = True
    source[np.repeat(grown, width)] = tree.n_nodes + np.arange(nodes.ids.size)
    return replace(
        tree, nodes=Nodes.join([tree.nodes, nodes]).take(source), payload=np.concatenate((tree.payload, payload)),
        next_id=tree.next_id + n_new,
    )  # fmt: skip
