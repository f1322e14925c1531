"""Growing leaves that marks have searched in different ways: columns left out, a criterion of their own.

Leaves that are searched in the same way grow together, one group after the other. Each group may use up all leaves that
are left; of what they have grown together the first splits are kept.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, DEFAULT
from engine.growing.frontier import Frontier, even_drop, splits_in_order
from engine.ranking.node_search import search_as
from engine.runtime.progress import Progress
from engine.search.options import Search
from engine.table.table import Table
from engine.tree.arrays import collapse, impurities, weighted_drops
from engine.tree.assignment import Assignment
from engine.tree.marks import search_ways
from engine.tree.tree import Tree

Grow = Callable[[Table, Tree, NDArray[np.int64], NDArray[np.int64], Search, Assignment, Progress, frozenset[str]], Tree]


def grow_apart(
    table: Table, tree: Tree, starts: NDArray[np.int64], levels: NDArray[np.int64], search: Search, at: Assignment,
    progress: Progress, grow: Grow,
) -> Tree:  # fmt: skip
    """The tree with the leaves at positions `starts` grown, each as the marks at and above it say.

    Args:
        at: the rows of the tree's nodes.
        grow: grows leaves that are searched in the same way, without the columns of its last argument.

    Raises:
        InputError: a criterion of a mark does not go with the search.
    """
    which, ways = search_ways(tree)
    groups = [(way, starts[which[starts] == k], levels[which[starts] == k]) for k, way in enumerate(ways)]
    groups = [group for group in groups if group[1].size]
    searches = [search_as(tree, search, way) for way, _, _ in groups]
    if len(groups) == 1:
        return grow(table, tree, starts, levels, searches[0], at, progress, groups[0][0].excluded)
    grown = tree
    for k, ((way, some, room), how) in enumerate(zip(groups, searches, strict=True)):
        if progress.stopped:
            break
        places = np.flatnonzero(np.isin(grown.ids, tree.ids))  # of the nodes that were there before, in their order
        start, stop = np.zeros(grown.n_nodes, dtype=np.int64), np.zeros(grown.n_nodes, dtype=np.int64)
        start[places], stop[places] = at.start, at.stop
        if how.max_leaves is not None:
            how = replace(how, max_leaves=how.max_leaves + grown.n_leaves - tree.n_leaves)
        now = Assignment(at.rows, start, stop)
        grown = grow(table, grown, places[some], room, how, now, _share(progress, k, len(groups)), way.excluded)
    return grown if search.max_leaves is None else _first_splits(grown, tree, starts, search, search.max_leaves)


def _first_splits(grown: Tree, before: Tree, starts: NDArray[np.int64], search: Search, most: int) -> Tree:
    """The tree without the new splits that growing one after the other does not come to within so many leaves.

    best_first takes the split that lowers the search's criterion most, weighted by the node, whatever criterion its own
    node has; one that looks at rows is stood in for by the squared error.
    """
    fresh = np.flatnonzero(np.isin(grown.ids, before.ids[starts]))
    made = np.isin(grown.ids, before.ids[before.n_branches > 0])
    frontier = Frontier[int](search.order, before.n_leaves, most)
    made[splits_in_order(frontier, fresh.tolist(), grown.n_branches, grown.end, _urgency(grown, search))] = True
    gone = np.flatnonzero((grown.n_branches > 0) & ~made)
    return collapse(grown, gone) if gone.size else grown


def _urgency(grown: Tree, search: Search) -> NDArray[np.float64]:
    """float64[n_nodes]: the smaller the sooner, for the orders level and best_first."""
    if search.order == "level":
        return grown.level.astype(np.float64)
    counted = CRITERIA[search.criterion].is_counted
    criterion = search.criterion if counted else DEFAULT["number"]
    return -even_drop(weighted_drops(grown, criterion), float(impurities(grown, criterion)[0]))


def _share(progress: Progress, k: int, n: int) -> Progress:
    """The part of a progress that one of n groups takes; it stops when the whole does."""
    part = Progress(lambda done, text: progress.report((k + done) / n, text))
    part.flag = progress.flag
    return part
