"""Growing by kernels, which search and split many nodes at once: large nodes level by level, small ones as subtrees."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.criteria import BINNED
from engine.criteria.kernels.impurity import impurity, weight
from engine.growing.frontier import Frontier, grow_in_order
from engine.growing.kernels.subtrees import grow_subtrees
from engine.growing.large_nodes import LargeNodes, PendingNode
from engine.growing.leaf_limit import first_splits
from engine.growing.small_nodes import grow_small, most_rows
from engine.growing.to_nodes import gather, join, to_nodes
from engine.growing.training_set import make_training_set
from engine.growing.validation import count_validation, rows_of_part
from engine.ranking.node_search import searched_table
from engine.runtime.compiler import is_ready
from engine.runtime.progress import Progress
from engine.runtime.threads import Workers
from engine.search.options import Search
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
        and search.lookahead == 1
        and not search.m_of_n
        and search.significance is None
        and search.missing == "direction"
    )


def grow_by_kernels(
    table: Table, tree: Tree, starts: NDArray[np.int64], levels: NDArray[np.int64], search: Search, at: Assignment,
    progress: Progress, excluded: frozenset[str] = frozenset(),
) -> Tree:  # fmt: skip
    """The tree with the leaves at positions `starts` grown, as `engine.growing.general.grow_general` does.

    By the binned criteria it grows on the bins of the target as classes; the splits are then counted on the target.
    """
    if not search.by_bins:
        return _grow(table, tree, starts, levels, search, at, progress, excluded)
    view = searched_table(table, search)
    by_class = replace(search, criterion=BINNED[search.criterion])
    bare = replace(tree, marks={})  # what they say of the target is not of its bins
    grown = _grow(view, recount(bare, view, any_target=True)[0], starts, levels, by_class, at, progress, excluded)
    return replace(recount(grown, table, any_target=True)[0], marks=tree.marks)


def _grow(
    table: Table, tree: Tree, starts: NDArray[np.int64], levels: NDArray[np.int64], search: Search, at: Assignment,
    progress: Progress, excluded: frozenset[str],
) -> Tree:  # fmt: skip
    progress.report(0.0, "growing" if is_ready(grow_subtrees) else "Compiling the growing of large tables, once…")
    rows, bounds = rows_of_part(table, at, starts, TRAIN)
    with Workers(search.threads) as workers:
        training = make_training_set(table.without(excluded), search, rows, bounds)
        if progress.stopped or training.features.size == 0:
            return tree
        growing = LargeNodes(training, workers, progress, search.order)
        roots = [
            growing.open(start, stop, below, depth)
            for start, stop, below, depth in zip(
                bounds[:-1].tolist(), bounds[1:].tolist(), levels.tolist(), tree.level[starts].tolist(), strict=True
            )
        ]
        most = search.max_leaves
        in_turn = most is not None and most * ROWS_PER_LEAF < rows.size
        if most is not None and in_turn:
            code = training.rules.criterion
            stats = [root.large.stat for root in roots if root.large]
            growing.scale = sum(float(impurity(code, stat) * weight(code, stat)) for stat in stats)
            grow_in_order(growing, roots, Frontier(search.order, tree.n_leaves, most))
        else:
            _grow_all(growing, roots)
        grown = gather(roots, workers)
        if most is not None and not in_turn:
            depths = tree.level[starts].astype(np.int64)
            rooms = levels if progress.stopped else None
            grown = first_splits(grown, training, search.order, depths, tree.n_leaves, most, rooms)
        nodes, payload, sizes = to_nodes(table, tree, training, grown, workers)
    return count_validation(table, join(tree, starts, nodes, payload, sizes), at, starts, sizes, search.threads)


def _grow_all(growing: LargeNodes, roots: list[PendingNode]) -> None:
    """Grows everything below the roots: large nodes level by level, then the small ones as whole subtrees."""
    level, small = roots, []
    while level:
        large = []
        for node in level:
            if not growing.is_open(node):
                growing.settle(node)
            elif node.n_rows <= most_rows(growing.training, node.levels):
                small.append(node)
                node.large = None  # and with it its target
            else:
                large.append(node)
        growing.search(large)
        found = [node for node in large if growing.n_branches(node)]
        for node in large:
            if not growing.n_branches(node):
                growing.settle(node)
        growing.split(found)
        level = [child for node in found for child in node.children]
    grow_small(growing, small)
