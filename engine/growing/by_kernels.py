"""Growing by kernels, which search and split many nodes at once: large nodes level by level, small ones as subtrees.

Small nodes are grown in blocks of neighbours whose presorted lists fit the cache, each by one call of a kernel.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.criteria import BINNED
from engine.criteria.criterion import BY_CONTRAST, BY_DIVERGENCE, OF_SUMS
from engine.criteria.kernels import impurity, weight
from engine.growing.frontier import Frontier, grow_in_order
from engine.growing.kernels.cells import deal_cells, fill_cells, order_codes
from engine.growing.kernels.draw import MASK, Draw, key_below, mixed
from engine.growing.kernels.scan import Desk
from engine.growing.kernels.scores import (
    ANY,
    COUNTED,
    FIXED,
    GINI_MANY,
    GIVEN,
    LOGS,
    NO_SCORE,
    ROWS_ABOVE,
    STEPS,
    VALUES,
    WEIGHTED,
    Tables,
)
from engine.growing.kernels.subtrees import Growth, grow_subtrees
from engine.growing.kernels.tiny import MOST, TinyDesk
from engine.growing.large_nodes import LargeNodes, PendingNode, TrainingSet, make_training_set
from engine.growing.to_nodes import count_validation, first_splits, gather, join, rows_of_part, to_nodes
from engine.ranking.node_search import searched_table
from engine.runtime.compiler import as_python, may_wait
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Shelf, Workers
from engine.search.kernels.count import Target
from engine.search.kernels.rules import N_FIELDS, Rules
from engine.search.kernels.split_kinds import CUT, is_cut
from engine.search.options import Search
from engine.search.quinlan import needs_counts
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.assignment import Assignment
from engine.tree.counting import recount
from engine.tree.tree import Tree

ROWS_PER_LEAF = 3_000  # with fewer for each leaf that is wanted, growing all and leaving out the rest is quicker


def kernel_can(search: Search) -> bool:
    """Whether the kernels, which grow many nodes at once, know all that is asked for."""
    return (
        not search.by_rows
        and not search.by_evidence
        and search.lookahead == 1
        and not search.m_of_n
        and search.significance is None
        and search.missing == "direction"
        and not needs_counts(search)
        and search.thresholds == "midpoint"
        and search.min_leaf_in == "every"
    )


def grow_by_kernels(
    table: Table, tree: Tree, starts: NDArray[np.int64], levels: NDArray[np.int64], search: Search, at: Assignment,
    progress: Progress, excluded: frozenset[str] = frozenset(),
) -> Tree:  # fmt: skip
    """The tree with the leaves at positions `starts` grown, as `engine.growing.general.grow_general` does.

    By the binned criteria it grows on the bins of the target as classes, with altered priors on reweighed classes; the
    splits are then counted on the table.
    """
    view = searched_table(table, search)
    if view is not table:
        one = BINNED[search.criterion] if search.by_bins else search.criterion
        by_class = replace(search, criterion=one, altered_priors=False)
        bare = recount(replace(tree, marks={}), view, any_target=True)[0]  # marks say nothing of the bins
        tree_of_view = grow_by_kernels(view, bare, starts, levels, by_class, at, progress, excluded)
        return replace(recount(tree_of_view, table, any_target=True)[0], marks=tree.marks)
    progress.report(0.0, tr("Growing"))
    rows, bounds = rows_of_part(table, at, starts, TRAIN)
    with Workers(search.threads) as workers:
        training = make_training_set(table.without(excluded), search, rows, bounds)
        if progress.stopped or training.features.size == 0:
            return tree
        training = replace(training, repeats=find_repeats(training))
        growing = LargeNodes(training, workers, progress)
        key = mixed(search.seed & MASK)
        roots = [
            growing.open(start, stop, below, depth, key=key_below(key, number))
            for number, (start, stop, below, depth) in enumerate(zip(
                bounds[:-1].tolist(), bounds[1:].tolist(), levels.tolist(), tree.level[starts].tolist(), strict=True
            ))
        ]  # fmt: skip
        most = search.max_leaves
        in_turn = most is not None and most * ROWS_PER_LEAF < rows.size
        if most is not None and in_turn:
            code = training.rules.criterion
            stats = [root.large.stat for root in roots if root.large]
            growing.scale = sum(float(impurity(code, stat) * weight(code, stat)) for stat in stats)
            grow_in_order(growing, roots, Frontier(search.order, tree.n_leaves, most))
        else:
            _grow_all(growing, roots)
        grown = gather(roots)
        if most is not None and not in_turn:
            depths = tree.level[starts].astype(np.int64)
            rooms = levels if progress.stopped else None
            grown = first_splits(grown, training, search.order, depths, tree.n_leaves, most, rooms)
        nodes, payload, sizes = to_nodes(table, tree, training, grown)
    return count_validation(table, join(tree, starts, nodes, payload, sizes), at, starts, sizes, search.threads)


def _grow_all(growing: LargeNodes, roots: list[PendingNode]) -> None:
    """Grows everything below the roots: large nodes level by level, then the small ones as whole subtrees."""
    level, small = roots, []
    while level:
        large = []
        for node in level:
            if not growing.is_open(node):
                growing.settle(node)
            elif n_cells(growing.training, node) <= most_rows(growing.training, node.levels):
                small.append(node)
                node.large = None  # and with it its target
            else:
                large.append(node)
        growing.search(large)
        for node in large:
            if not growing.n_branches(node):
                growing.settle(node)
        level = growing.split([node for node in large if growing.n_branches(node)])
    grow_small(growing, small)


SMALL = 16_384  # rows of several nodes that are grown together, and of one where tables are small
MOST_SMALL = 65_535  # cells of a node that is grown on lists, where each level is quicker: as a cell numbers them
MOST_ROWS = 2**17  # that the cells of a node stand for: products of three counts stay below 2⁶³
LEAST_REPEATS = 1 / 8  # of the rows; where fewer are like the one before them, each has a cell of its own
DEALT = 4  # values of a column for each row, below which these are dealt out by value instead of sorted
LARGE_PARTS = 16  # a larger node than SMALL is no more than this part of all rows: there is work for several threads
LISTED = 2**23  # nor are these more cells: 32 MB
FEW_LEVELS, VERY_SMALL = 2, 4_096  # with few levels to grow, only smaller nodes than this are worth lists
KEY_BITS = 32  # of node and code in an item, see `engine.table.kernels`


class Buffers(NamedTuple):
    """Room for one block of up to `most` rows: cells uint32[C · most], original uint32[C · (most + 1)], two of items
    uint64[most]. One for each thread, used again and again: fresh memory would cost more than sorting."""

    cells: NDArray[np.uint32]
    original: NDArray[np.uint32]
    items: NDArray[np.uint64]
    spare: NDArray[np.uint64]


def find_repeats(training: TrainingSet) -> NDArray[np.bool_]:
    """`TrainingSet.repeats`: rows that can share a cell with the one before them, as a third of a bootstrap sample can.

    Empty where few can, or where growing on lists has to see each row: it knows cells of several rows where classes
    without weights are told apart by Gini, and no column is cut between runs, whose place is counted in rows. (Sums of
    numbers would be added up in another order, which changes their last digits.)
    """
    nothing, target = np.zeros(0, np.bool_), training.target
    by_runs = any(is_cut(way) and way != CUT for way in training.ways.tolist())
    kind = kind_of(training.rules.criterion, training.n_stats, target.weights.size > 0)
    if not target.labels.size or kind not in COUNTED or by_runs:
        return nothing
    alike = np.append(False, target.labels[1:] == target.labels[:-1])
    for column in training.columns:
        alike[1:] &= column.codes[1:] == column.codes[:-1]
        if np.count_nonzero(alike) < LEAST_REPEATS * alike.size:
            return nothing
    return alike


def first_of_repeats(training: TrainingSet, rows: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """bool[n]: which rows of one node, ascending, are the first of those that share a cell."""
    is_first = ~training.repeats[rows]
    is_first[:1] = True
    is_first[1:] |= np.diff(rows) > 1
    return is_first


def n_cells(training: TrainingSet, node: PendingNode) -> int:
    """How many cells a list of the node takes."""
    if not training.repeats.size or node.n_rows > MOST_ROWS:
        return node.n_rows
    return int(np.count_nonzero(first_of_repeats(training, training.rows[node.start : node.stop])))


def make_lists(
    training: TrainingSet, nodes: Sequence[PendingNode], buffers: Buffers
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64], NDArray[np.int64]]:
    """(cells, uint32[C, n], and original, uint32[C, n + 1], as `grow_subtrees` takes them; rows, uint32[n], by the
    numbers in the cells; how many rows each cell stands for, float64[n], empty for one each; bounds, int64[m + 1], the
    slices of the nodes). Cells and original are gone when the buffers are used again.
    """
    sizes = [node.n_rows for node in nodes]
    rows = np.concatenate([training.rows[node.start : node.stop] for node in nodes])
    number = np.repeat(np.arange(len(nodes)), sizes)
    copies: NDArray[np.float64] = np.zeros(0)
    if training.repeats.size:
        is_first = first_of_repeats(training, rows)
        is_first[np.cumsum(sizes)[:-1]] = True  # the node before may end with a row like it
        first = np.flatnonzero(is_first)
        copies = np.diff(first, append=rows.size).astype(np.float64)
        rows, number = rows[first], number[first]
        sizes = np.bincount(number, minlength=len(nodes)).tolist()
    n_columns, n = len(training.columns), rows.size
    cells = buffers.cells[: n_columns * n].reshape(n_columns, n)
    original = buffers.original[: n_columns * (n + 1)].reshape(n_columns, n + 1)
    node_bits = (len(nodes) - 1).bit_length()
    heads, further = buffers.items.view(np.uint16), buffers.spare.view(np.uint16)
    for j, column in enumerate(training.columns):
        if len(nodes) == 1 and column.n_values < DEALT * n:
            deal_cells(column.codes, rows, column.n_values, heads, further, j, cells, original)
            continue
        shift = column.n_values.bit_length()
        order_codes(column.codes, rows, number, shift, buffers.items)
        fill_cells(buffers.items, buffers.spare, n, shift + node_bits, shift, j, cells, original)
    return cells, original, rows, copies, np.append(0, np.cumsum(sizes))


def grouped(training: TrainingSet, nodes: Sequence[PendingNode], most: int) -> list[list[PendingNode]]:
    """Nodes one after the other, together up to `most` rows, the largest first: thousands become a few calls."""
    widest = max((column.n_values.bit_length() for column in training.columns), default=0)
    most_nodes = 1 << (KEY_BITS - widest)
    groups: list[list[PendingNode]] = []
    size = 0
    for node in nodes:
        if not groups or size + node.n_rows > most or len(groups[-1]) == most_nodes:
            groups.append([])
            size = 0
        groups[-1].append(node)
        size += node.n_rows
    return sorted(groups, key=lambda group: -sum(node.n_rows for node in group))


def most_rows(training: TrainingSet, levels: int) -> int:
    """Up to how many cells a node with so many levels to grow is worth lists. The same for any number of threads, so
    that sums of numbers are made in the same order."""
    if levels <= FEW_LEVELS:
        return VERY_SMALL
    most = min(MOST_SMALL, LISTED // max(len(training.columns), 1))
    if training.columns_per_node:  # few columns are scored, and threads share trees: lists are quicker at any size
        return max(SMALL, most)
    return max(SMALL, min(most, training.rows.size // LARGE_PARTS))


def grow_small(growing: LargeNodes, small: list[PendingNode]) -> None:
    """Grows everything below small nodes, some of them at a time on every thread."""
    if not small or growing.progress.stopped:
        return
    groups = grouped(growing.training, sorted(small, key=lambda node: node.start), SMALL)
    n_columns, most = len(growing.training.columns), sum(node.n_rows for node in groups[0])
    shelf = Shelf([
        Buffers(
            np.empty(n_columns * most, np.uint32), np.empty(n_columns * (most + 1), np.uint32),
            np.empty(most, np.uint64), np.empty(most, np.uint64),
        )
        for _ in range(min(growing.workers.threads, len(groups)))
    ])  # fmt: skip
    growing.workers.each(
        lambda nodes: shelf.lend(lambda buffers: _grow_block(growing, nodes, buffers)), groups, growing.report
    )


def _grow_block(growing: LargeNodes, nodes: list[PendingNode], buffers: Buffers) -> None:
    """Grows the subtrees of the nodes of a block by one kernel."""
    if growing.progress.stopped:
        return
    training, levels = growing.training, np.array([node.levels for node in nodes])
    cells, original, rows, copies, bounds = make_lists(training, nodes, buffers)
    target = training.gathered(rows)
    if copies.size:
        target = target._replace(weights=copies)
    records, stats, pairs, firsts = grow_on_lists(
        cells, original, training.ways, target, training.rules, bounds, levels, training.n_stats,
        growing.progress.flag, growing.settled, np.array([node.key for node in nodes]), training.columns_per_node,
        copies.size > 0,
    )  # fmt: skip
    for node, first, last in zip(nodes, firsts, firsts[1:], strict=False):
        node.grown = records[first:last], stats[first:last], pairs


def grow_on_lists(
    cells: NDArray[np.uint32], original: NDArray[np.uint32], ways: NDArray[np.int64], target: Target, rules: Rules,
    roots: NDArray[np.int64], levels: NDArray[np.int64], n_stats: int, flag: NDArray[np.uint8],
    settled: NDArray[np.int64], keys: NDArray[np.int64] | None = None, columns_per_node: int = 0,
    copied: bool = False,
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.uint32], NDArray[np.int64]]:  # fmt: skip
    """Everything below several nodes; the arguments are those of `grow_subtrees`, n_stats is S.

    keys, columns_per_node: see `engine.growing.kernels.draw`; without them all columns are searched at every node.
    copied: whether the weights say how many rows each cell stands for; see `find_repeats` for when they may.

    Returns:
        nodes int32[m, N_FIELDS] in preorder, root after root; stats float64[m, S], as in `engine.tree.Tree`; pairs
        uint32[p, 2]: (code, branch) of the values present; firsts int64[n_roots + 1]: where the nodes of each root
        begin.
    """
    n_columns, n = cells.shape
    tables = make_tables(rules.criterion, n, n_stats, n_columns, target, copied)
    tiny = tables.kind in COUNTED and bool((ways == CUT).all())  # else a search has to see the lists
    growth = Growth(
        np.empty((2 * n, N_FIELDS), np.int32), np.empty((2 * n, n_stats)), np.zeros(levels.size + 1, np.int64),
        np.zeros((1, n_stats)), np.empty(n, np.uint16), np.empty(n, np.uint32), np.empty(n + 2, np.int64),
        np.empty(n + 1, np.int64), np.empty((n + 1, 4), np.int64),
    )  # fmt: skip
    desk = Desk(
        np.empty((n, n_stats)), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.uint16),
        np.empty(n, np.uint8), np.empty((6, n_columns)), np.empty((4, n_stats)), np.empty(3),
    )  # fmt: skip
    few = TinyDesk(np.empty((n if tiny else 0, n_columns), np.uint16), np.zeros((5, MOST), np.int64), np.zeros(MOST))
    keys = np.zeros(levels.size, np.int64) if keys is None else keys
    draw = Draw(keys, columns_per_node, np.zeros(n_columns, np.int64), np.zeros(n_columns, np.int64))
    rest = roots, levels, draw, growth, desk, tables, few, (flag, settled)
    if may_wait(grow_subtrees, cells.size):
        n_nodes, used, pairs = as_python(grow_subtrees, cells, original, ways, target, rules, *rest)
    else:
        n_nodes, used, pairs = grow_subtrees(cells, original, ways, target, rules.compiled(), *rest)
    return growth.nodes[:n_nodes].copy(), growth.stats[:n_nodes].copy(), pairs[:used].copy(), growth.firsts


def kind_of(code: int, n_stats: int, weighted: bool) -> int:
    """How the cuts of a column are scored, see `Tables`."""
    if code & BY_CONTRAST and (code & OF_SUMS or n_stats == 2):
        return WEIGHTED if weighted else VALUES
    if weighted:
        return NO_SCORE
    return GINI_MANY if code & BY_CONTRAST else STEPS if code & BY_DIVERGENCE else ANY


def make_tables(code: int, n: int, n_stats: int, n_columns: int, target: Target, copied: bool = False) -> Tables:
    """Tables for nodes of up to n cells."""
    kind = kind_of(code, n_stats, target.weights.size > 0 and not copied)
    n = int(target.weights.sum()) if copied else n
    floats, wholes = np.empty((4, n + 1)), np.zeros((2, n + 1 if kind == STEPS else 1), np.int64)
    if kind == STEPS:
        wholes[LOGS] = _fixed_logs()[: n + 1]
    if kind in (WEIGHTED, VALUES):
        given = target.labels if target.labels.size else target.numbers
        if copied:
            given = (given + ROWS_ABOVE) * target.weights
        floats[GIVEN, : given.size] = given
    by_class, sides = np.empty((3, n_stats), np.int64), np.empty((2, n_stats))
    lists, tops = np.empty((2 * n_columns, 3), np.int64), np.empty(2 * n_columns)
    return Tables(kind, floats, floats.view(np.int64), wholes, by_class, sides, lists, tops)


@cache
def _fixed_logs() -> NDArray[np.int64]:
    """n·log2(n) in fixed point, of as many rows as a cell can count."""
    counts = np.arange(MOST_SMALL + 2)
    return np.rint(counts * np.log2(np.maximum(counts, 1)) * FIXED).astype(np.int64)
