"""From what the kernels grew to the nodes of a tree: codes become thresholds and level names' places, and validation
rows go down the new branches once.

No Python object is made for a node; a tree of 100,000 leaves takes a few array operations.
"""

from collections import deque
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.growing.kernels.to_nodes import (
    N_FACTS,
    N_VALUES,
    NUMERIC,
    PLACE,
    WAY,
    larger_branches,
    places_among_all,
    write_fields,
    write_levels,
    write_thresholds,
)
from engine.growing.large_nodes import PendingNode
from engine.growing.training_set import TrainingSet
from engine.runtime.threads import Workers
from engine.search.kernels.rules import ALONE, COLUMN, N_BRANCHES, N_PAIRS, PAYLOAD
from engine.search.kernels.split_kinds import BUCKETS, CUT, MULTIWAY, ONE_VS_REST, POOLED
from engine.table.column import Column
from engine.table.partition import VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment, by_number, descended, way_down
from engine.tree.counting import count_slices
from engine.tree.kernels.structure import merge_upwards, structure, sum_upwards
from engine.tree.nodes import GROUPS as BY_LEVEL
from engine.tree.nodes import Nodes, span, unfilled
from engine.tree.tree import Tree

IN_CACHE = 2**15  # nodes whose records stay in the cache while all columns are looked at
PIECES = 2**16  # nodes that are copied together


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


def gather(roots: list[PendingNode], workers: Workers) -> Grown:
    """Joins the pieces of what was grown; `roots` is empty then, as a large tree should not be kept twice."""
    nodes, stats, pairs, sizes = _pieces(roots)
    roots.clear()
    joined = _joined(nodes, workers), _joined(stats, workers)
    return Grown(*joined, np.concatenate(pairs), np.array(sizes, dtype=np.int64))


def _pieces(
    roots: list[PendingNode],
) -> tuple[list[NDArray[np.int32]], list[NDArray[np.float64]], list[NDArray[np.uint32]], list[int]]:
    """(nodes, stats, pairs, sizes of the subtrees), piece by piece."""
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
    return nodes, stats, pairs, sizes


def _joined(pieces: list[NDArray[Any]], workers: Workers) -> NDArray[Any]:
    """The pieces as one array; the list is empty then, and each piece gone as soon as it is copied."""
    ends = np.cumsum([len(piece) for piece in pieces])
    joined = np.empty((int(ends[-1]), *pieces[0].shape[1:]), pieces[0].dtype)
    tasks: list[tuple[int, deque[NDArray[Any]]]] = []  # where to, and some neighbouring pieces
    for piece, end in zip(pieces, ends.tolist(), strict=True):
        if not tasks or end - tasks[-1][0] > PIECES:
            tasks.append((end - len(piece), deque()))
        tasks[-1][1].append(piece)
    pieces.clear()

    def copy(task: tuple[int, deque[NDArray[Any]]]) -> None:
        at, some = task
        while some:
            piece = some.popleft()
            joined[at : at + len(piece)] = piece
            at += len(piece)

    workers.each(copy, tasks)
    return joined


def to_nodes(
    table: Table, tree: Tree, training: TrainingSet, grown: Grown, workers: Workers
) -> tuple[Nodes, NDArray[np.float64], NDArray[np.int64]]:
    """(nodes, payload, sizes of the subtrees) for the tree's arrays; ids and validation counts stay 0.

    Branches without training rows, which only splits into all levels or with pooled ones make, become leaves.
    """
    records, n = grown.nodes, len(grown.nodes)
    columns = _facts(table, tree, training)
    n_branches, column, missing = (np.empty(n, dtype=np.int32) for _ in range(3))
    kind, sizes, n_rows = np.empty(n, dtype=np.int8), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    thresholds = np.empty(n)

    def write(start: int) -> int:
        some = slice(start, start + IN_CACHE)
        by_level = write_fields(
            records[some], columns, n_branches[some], kind[some], column[some], missing[some], sizes[some], n_rows[some]
        )  # fmt: skip
        _write_thresholds(table, training, columns, records[some], column[some], thresholds[some])
        return int(by_level)

    by_level = sum(workers.map(write, range(0, n, IN_CACHE)))
    starts = np.cumsum(sizes) - sizes if by_level or BUCKETS in training.ways else np.zeros(n, dtype=np.int64)
    payload = np.empty(int(sizes.sum()))
    _write_all_limits(table, training, grown, starts, thresholds, payload)
    nodes = Nodes(
        np.zeros(n, dtype=np.int64), n_branches, kind, column, thresholds, missing, np.zeros(n, dtype=np.int32),
        starts, sizes, np.zeros(n, dtype=bool), grown.stats, np.zeros(grown.stats.shape), n_rows,
        np.zeros(n, dtype=np.int64), *unfilled(n, tree.nodes.histogram.shape[1]),
    )  # fmt: skip
    return _with_levels(nodes, payload, columns, training, grown) if by_level else (nodes, payload, grown.sizes)


def _facts(table: Table, tree: Tree, training: TrainingSet) -> NDArray[np.int64]:
    """int64[C, N_FACTS]: what `engine.growing.kernels.to_nodes` has to know of each column."""
    place = {column.name: i for i, column in enumerate(tree.columns)}
    facts = np.empty((training.features.size, N_FACTS), dtype=np.int64)
    facts[:, WAY], facts[:, N_VALUES] = training.ways, training.n_values
    for j, feature in enumerate(training.features):
        column = table.columns[feature]
        facts[j, NUMERIC], facts[j, PLACE] = column.is_numeric, place[column.name]
    return facts


def _with_levels(
    nodes: Nodes, payload: NDArray[np.float64], columns: NDArray[np.int64], training: TrainingSet, grown: Grown
) -> tuple[Nodes, NDArray[np.float64], NDArray[np.int64]]:
    """What `to_nodes` returns where some splits are by level: where these send what they do not name, the payload
    with the levels that they do, and the branches without rows."""
    records, n_branches = grown.nodes, nodes.n_branches.astype(np.int64)
    by_level = np.flatnonzero(nodes.kind == BY_LEVEL)
    ways, n_values = np.full(len(records), CUT), np.zeros(len(records), dtype=np.int64)
    ways[by_level], n_values[by_level] = columns[records[by_level, COLUMN]][:, [WAY, N_VALUES]].T
    multi, rest = ways == MULTIWAY, (ways == POOLED) & (records[:, ALONE] < n_values)
    parent, end, _, branch = shape(records[:, N_BRANCHES], grown.sizes.size)

    unseen = larger_branches(parent, branch, grown.stats, training.rules.criterion)
    unseen[nodes.kind != BY_LEVEL] = 0
    unseen[ways == ONE_VS_REST], unseen[rest] = 1, n_branches[rest] - 1
    for of_branch in (nodes.missing, unseen):  # the branches of splits into all levels are the levels
        of_branch[multi] = grown.pairs[records[multi, PAYLOAD] + of_branch[multi], 0].astype(np.int64) - 1
    nodes.unseen[:] = unseen
    write_levels(records, by_level, ways, n_values, n_branches, grown.pairs, nodes.payload_start, payload)
    places = places_among_all(records, parent, branch, end, n_branches, ways, grown.pairs)
    bounds = places[np.append(0, np.cumsum(grown.sizes))]
    return _spread(nodes, places), payload, np.diff(bounds)


def shape(
    n_branches: NDArray[np.int32], n_roots: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """(parent, end, level, branch) of subtrees standing one after the other."""
    joined = np.append(n_roots, n_branches).astype(np.int32)  # below one root for all of them
    parent, end, level, branch = (np.empty(joined.size, dtype=np.int32) for _ in range(4))
    structure(joined, parent, end, level, branch)
    return parent[1:] - 1, end[1:] - 1, level[1:] - 1, branch[1:]


def _write_thresholds(
    table: Table, training: TrainingSet, facts: NDArray[np.int64], records: NDArray[np.int32],
    columns: NDArray[np.int32], thresholds: NDArray[np.float64],
) -> None:  # fmt: skip
    """Writes the thresholds of the cuts of numeric columns in some nodes, NaN in all others.

    columns: int32[n], the places of those that nodes are split by; thresholds: float64[n]."""
    thresholds[:] = np.nan
    for j, feature in enumerate(training.features):
        column = table.columns[feature]
        if column.is_numeric and training.ways[j] != BUCKETS:
            write_thresholds(records, columns, facts[j, PLACE], column.values, thresholds)


def _write_all_limits(
    table: Table, training: TrainingSet, grown: Grown, starts: NDArray[np.int64], thresholds: NDArray[np.float64],
    payload: NDArray[np.float64],
) -> None:  # fmt: skip
    """Writes the thresholds of the nodes with several cuts: the first of each apart, further ones of node i into the
    payload from starts[i] on."""
    for j, feature in enumerate(training.features):
        column = table.columns[feature]
        if column.is_numeric and training.ways[j] == BUCKETS:
            _write_limits(column, grown, np.flatnonzero(grown.nodes[:, COLUMN] == j), starts, thresholds, payload)


def _between(column: Column, low: NDArray[np.int64], high: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64[m]: halfway between the values of two codes, as `engine.splits.threshold_between` makes it."""
    below, above = column.values[low - 1], column.values[high - 1]
    with np.errstate(invalid="ignore"):  # halfway from -inf to inf
        middle = below / 2 + above / 2
    return np.where((below <= middle) & (middle < above), middle, below)


def _write_limits(
    column: Column, grown: Grown, which: NDArray[np.int64], starts: NDArray[np.int64],
    thresholds: NDArray[np.float64], payload: NDArray[np.float64],
) -> None:  # fmt: skip
    """Writes the thresholds between the buckets of a column in the nodes `which`: the first of each apart, the further
    ones into its part of the payload."""
    n_pairs = grown.nodes[which, N_PAIRS]
    node = np.repeat(which, n_pairs)
    at = np.arange(node.size) + np.repeat(grown.nodes[which, PAYLOAD] - (np.cumsum(n_pairs) - n_pairs), n_pairs)
    code, branch = grown.pairs[at].astype(np.int64).T
    ends = np.flatnonzero((node[1:] == node[:-1]) & (branch[1:] != branch[:-1]))
    limits = _between(column, code[ends], code[ends + 1])
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
    counts = _count_classes if table.task == "classes" else _count_numbers
    counted, n_rows = counts(table, tree, rows, reached)
    sum_upwards(tree.parent, n_rows)
    change = np.zeros(tree.n_nodes + 1, dtype=np.int64)
    change[tops + 1] += 1
    change[tops + sizes] -= 1
    below = np.cumsum(change)[:-1] > 0
    validation = np.where(below[:, None], counted, tree.validation)
    rows_validation = np.where(below, n_rows[:, 0], tree.rows_validation)
    return replace(tree, nodes=tree.nodes._replace(validation=validation, rows_validation=rows_validation))


def _count_classes(
    table: Table, tree: Tree, rows: NDArray[np.uint32], reached: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """(float64[n_nodes, S], int64[n_nodes, 1] of the leaves): the statistics, and the rows by leaf."""
    weights = None if table.weights is None else table.weights[rows]
    size = tree.n_nodes * table.n_stats
    flat = np.bincount(reached * table.n_stats + table.y[rows], weights, minlength=size).astype(np.float64)
    counted = flat.reshape(tree.n_nodes, table.n_stats)
    sum_upwards(tree.parent, counted)
    return counted, np.bincount(reached, minlength=tree.n_nodes)[:, None]


def _count_numbers(
    table: Table, tree: Tree, rows: NDArray[np.uint32], reached: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The same, counted leaf by leaf as in `engine.tree.recount`."""
    counted = np.zeros((tree.n_nodes, table.n_stats))
    order, begin = by_number(reached, tree.n_nodes)
    leaves = tree.leaves
    counted[leaves] = count_slices(table, rows[order], begin[leaves], begin[leaves + 1])[1]
    merge_upwards(tree.parent, counted)
    return counted, np.diff(begin)[:, None].copy()
