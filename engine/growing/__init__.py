"""Growing a tree, or what is left of one: the greedy search at every open leaf.

Kernels grow many nodes at once where they can; else `engine.growing.general` grows node by node. Splits are searched
as in `engine.candidates`, and the same ones are found. A leaf stays a leaf when it is pure (all targets equal), has
fewer rows than `min_rows`, when no cut separates its rows, or when the best gains less than `min_gain`. With
min_gain = 0 a split may gain nothing: XOR needs it (ID3, Quinlan 1986; CART, Breiman et al. 1984).
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, DEFAULT
from engine.growing.by_kernels import grow_by_kernels, kernel_can
from engine.growing.frontier import Frontier, even_drop, splits_in_order
from engine.growing.general import grow_general
from engine.ranking.node_search import search_as
from engine.runtime.progress import Progress
from engine.search.choices import LEAVES_SAY, OPTIONS
from engine.search.options import Search
from engine.splits import Split
from engine.table.table import Table
from engine.tree.arrays import collapse, impurities, weighted_drops
from engine.tree.assignment import Assignment, assign
from engine.tree.counting import filled
from engine.tree.kernels.structure import weakest_links
from engine.tree.marks import left_alone, search_ways
from engine.tree.nodes import columns_of
from engine.tree.tree import Tree

NO_LIMIT = 2**31
TIE = 1e-12  # shares of the root's error that differ by less are equal
LEAF_OPTIONS = {name for name, option in OPTIONS.items() if option.group == LEAVES_SAY}


def grow(
    table: Table,
    *,
    tree: Tree | None = None,
    node: int | None = None,
    preset: str | None = None,
    levels: int | None = None,
    assignment: Assignment | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Tree:
    """Grows leaves until nothing is left to split or a limit is met.

    Marks are honoured (`tree.marks`): pinned leaves and those at or below a lock stay, columns that are left out are
    not searched, and nodes with a criterion of their own are searched by it. Leaves that are searched in different ways
    grow one group after the other; with `max_leaves` each group might use up all leaves, and then the first splits of
    all are kept, best_first those that lower the search's criterion most, see `_first_splits`.

    Args:
        tree: where to begin; its splits stay as they are, counted again when it comes from other rows. None: a
            single leaf.
        node: only the leaves below this node (its id). None: all leaves.
        preset, options: see `engine.Search` (its attributes) and `engine.OPTIONS` (in words). `max_depth` and
            `max_leaves` count the whole tree. What leaves say is of the whole tree, too: one that has splits keeps its
            rule unless an option about leaves is given.
        levels: at most so many levels below each leaf; neither `cp` nor `collapse` takes them back, for more may grow
            below.
        assignment: of that tree, if at hand.
        progress: when it is stopped, the tree as far as it was grown is returned.

    Raises:
        InputError: an option cannot be used, or not with the criterion of a mark, or the tree has no such node, or no
            longer fits the table.
    """
    search = Search.make(table.task, preset, **options)
    search.leaf_rule.check(table.classes)
    progress = progress or Progress()
    if tree is None:
        tree = Tree.root(table, assignment)
    elif tree.counted_on != table.counts_key or tree.columns != columns_of(table):
        tree, assignment = tree.with_counts(table), None
    says = tree.n_leaves > 1 and not (LEAF_OPTIONS & options.keys())
    rule = tree.leaf_rule if says else search.leaf_rule
    if search.altered_priors:  # what the leaves go by decides the splits
        search = replace(search, priors=rule.priors, costs=rule.costs)
    room = _levels_below(tree, node, search, levels)
    starts = np.flatnonzero(room > 0)
    if search.max_leaves is not None and tree.n_leaves >= search.max_leaves:
        starts = starts[:0]
    before = tree
    if starts.size:
        at, assignment = assignment or assign(table, tree), None
        tree = _grow_leaves(table, tree, starts, room[starts], search, at, progress)
    if search.by_bins:
        tree = tree.with_bins(table, search.bins)
    tree = filled(replace(tree, options=search.to_dict(), leaf_rule=rule), table, assignment)
    return worth_keeping(tree, before, search.cp, search.collapse) if levels is None else tree


def _grow_leaves(
    table: Table, tree: Tree, starts: NDArray[np.int64], levels: NDArray[np.int64], search: Search, at: Assignment,
    progress: Progress,
) -> Tree:  # fmt: skip
    """The tree with the leaves at positions `starts` grown, each as the marks at and above it say: those searched in
    the same way together. Each group may use up all leaves that are left; of all together the first splits are kept."""
    which, ways = search_ways(tree)
    groups = [(way, starts[which[starts] == k], levels[which[starts] == k]) for k, way in enumerate(ways)]
    groups = [group for group in groups if group[1].size]
    searches = [search_as(tree, search, way) for way, _, _ in groups]
    grown, n = tree, len(groups)
    for k, ((way, some, room), how) in enumerate(zip(groups, searches, strict=True)):
        if k and progress.stopped:
            break
        if not table.without(way.excluded).features:
            continue
        if how.max_leaves is not None:
            how = replace(how, max_leaves=how.max_leaves + grown.n_leaves - tree.n_leaves)
        if how.missing in ("surrogate", "fractional") and not table.lacking:  # no training row would go another way
            how = replace(how, missing="direction")
        places = np.flatnonzero(np.isin(grown.ids, tree.ids))  # of the nodes that were there before, in their order
        start, stop = np.zeros((2, grown.n_nodes), dtype=np.int64)
        start[places], stop[places] = at.start, at.stop
        now, part = Assignment(at.rows, start, stop, at.share), progress.part(k / n, (k + 1) / n)
        if table.counter is not None:
            grown = table.counter.grow(table, grown, places[some], room, how, part, way.excluded)
            continue
        grow_leaves = grow_by_kernels if kernel_can(how) and at.share is None else grow_general
        grown = grow_leaves(table, grown, places[some], room, how, now, part, way.excluded)
    return grown if n == 1 or search.max_leaves is None else _first_splits(grown, tree, starts, search)


def _first_splits(grown: Tree, before: Tree, starts: NDArray[np.int64], search: Search) -> Tree:
    """The tree without the new splits that growing one after the other does not come to within `max_leaves`; best_first
    weighs them by the search's criterion, whatever their nodes' own; the squared error stands in for one of rows."""
    urgency = grown.level.astype(np.float64)
    if search.order != "level":
        criterion = search.criterion if CRITERIA[search.criterion].is_counted else DEFAULT["number"]
        searched = replace(grown, options=search.to_dict())
        urgency = -even_drop(weighted_drops(searched, criterion), float(impurities(searched, criterion)[0]))
    fresh = np.flatnonzero(np.isin(grown.ids, before.ids[starts]))
    made = np.isin(grown.ids, before.ids[before.n_branches > 0])
    frontier = Frontier[int](search.order, before.n_leaves, search.max_leaves)
    made[splits_in_order(frontier, fresh.tolist(), grown.n_branches, grown.end, urgency)] = True
    gone = np.flatnonzero((grown.n_branches > 0) & ~made)
    return collapse(grown, gone) if gone.size else grown


def _levels_below(tree: Tree, node: int | None, search: Search, levels: int | None) -> NDArray[np.int64]:
    """int64[n_nodes]: how many levels may grow below each node; 0 where nothing may."""
    deepest = NO_LIMIT if search.max_depth is None else search.max_depth
    room = np.minimum(deepest - tree.level.astype(np.int64), NO_LIMIT if levels is None else levels)
    top = 0 if node is None else tree.position(node)
    inside = np.zeros(tree.n_nodes, dtype=bool)
    inside[top : tree.end[top]] = True
    inside &= ~left_alone(tree) & (tree.n_branches == 0) & (tree.rows_train >= search.rows_to_split)
    return np.where(inside, room, 0)


def worth_keeping(tree: Tree, before: Tree, cp: float, useful: bool = False) -> Tree:
    """The tree without the new splits that, with all below them, lower the training error by too little: the option
    `cp` (rpart: Therneau and Atkinson 1997).

    Such are those of cost-complexity pruning at a price of cp · R(root) for a leaf:

        (R(t) − R(branch)) ÷ (leaves − 1) ≤ cp · R(root)

    One that pays exactly the price goes, as in rpart (`complexity <= alpha` in its partition.c) and as in the smallest
    of the cheapest prunings (Breiman et al. 1984, 3.3).

    Args:
        tree: as it was grown; what its leaves say decides what an error costs, see `Tree.costs`.
        before: the tree that it was grown from; its splits stay.
        cp: the share of the root's error; 0 takes nothing back.
        useful: takes back at 0, too, what does not lower the training error: the option `collapse` (Quinlan 1993).
    """
    if cp <= 0 and not useful:
        return tree
    cost = np.ascontiguousarray(tree.costs("train"), dtype=np.float64)
    if not cost[0] > 0:
        return tree
    stays = np.isin(tree.ids, before.ids[before.n_branches > 0])
    link = weakest_links(cost, tree.parent, tree.n_branches, stays)
    poor = (tree.n_branches > 0) & (link <= (cp + TIE) * cost[0])
    return collapse(tree, np.flatnonzero(poor)) if poor.any() else tree


def replace_and_grow(
    table: Table, tree: Tree, node: int, split: Split, *, assignment: Assignment | None = None, **options: Any
) -> Tree:
    """The tree with this split at an inner node, all below it grown again.

    Args:
        assignment: of this tree on that table, if at hand.
        options: those of `engine.grow`.

    Raises:
        InputError: as `Tree.replace_split`, or an option cannot be used.
    """
    i = tree.position(node)
    replaced = tree.replace_split(table, node, split, assignment=assignment)
    if assignment is not None:
        assignment = assignment.collapse(i, int(tree.end[i])).split(table, i, split)
    return grow(table, tree=replaced, node=node, assignment=assignment, **options)
