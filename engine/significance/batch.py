"""Many splits of a tree at once: the tests as if each were the only one, and the permutation tests of small nodes.

Most nodes of a large tree have few rows; their tests take one kernel a few microseconds each, see
`engine.significance.kernels`. The definition is `adjusted.Comparison`.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, gammaincc

from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.search.column_search import NUMERIC_WAYS
from engine.search.kernels.split_kinds import BOUNDARY, CUT
from engine.search.options import Search
from engine.significance.adjusted import ROUNDING
from engine.significance.kernels import (
    CUTS,
    DEALS,
    EACH,
    FEW_ROWS,
    GROUPS,
    LATTICE,
    LEFT_OUT,
    MOST,
    ONE_VS_REST,
    Nodes,
    judge_nodes,
)
from engine.significance.permutation import HITS
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.assignment import Assignment
from engine.tree.counting import entries_of
from engine.tree.leaves import row_sums
from engine.tree.nodes import GROUPS as LEVELS
from engine.tree.nodes import M_OF_N, THRESHOLD, entries
from engine.tree.tree import Tree

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

AT_ONCE = 2**15  # rows that a thread takes


def rows_tested(table: Table, tree: Tree, at: Assignment) -> Floats:
    """float64[n_nodes]: what the training rows of each node are worth in a test, see `permutation.Target.tested`."""
    if at.share is None and (table.weights is None or table.weights_are_counts):
        return np.rint(tree.weight() if table.weights_are_counts else tree.rows_train).astype(np.float64)
    of = entries_of(table, at.rows, at.share)
    weights = np.where(of.part == TRAIN, of.weights, 0.0)[of.rows]
    sums, squares = (np.append(0.0, np.cumsum(weights**power)) for power in (1, 2))
    sums, squares = sums[at.stop] - sums[at.start], squares[at.stop] - squares[at.start]
    return np.rint(np.divide(sums**2, squares, out=np.zeros(tree.n_nodes), where=squares > 0))


def explained(tree: Tree, tested: Floats) -> tuple[Floats, Integers]:
    """(X² of every split, or, of a numeric target, the share of the variance that it leaves; how many of its branches
    have rows): [n_nodes] each, of leaves 0, or 1, and 0. tested: see `rows_tested`."""
    n, child, above = tree.n_nodes, np.arange(1, tree.n_nodes), tree.parent[1:]
    filled = np.bincount(above, tree.weight()[child] > 0, n).astype(np.int64)
    if tree.task == "classes":
        counts, weight = tree.train, tree.weight()
        each = np.divide(
            counts[child] ** 2, counts[above], out=np.zeros((n - 1, counts.shape[1])), where=counts[above] > 0
        )
        terms = np.divide(row_sums(each), weight[child], out=np.zeros(n - 1), where=weight[child] > 0)
        amount = np.where(filled > 0, tested * (np.bincount(above, terms, n) - 1.0), 0.0)
        return amount, filled
    squares, left = tree.train[:, 2], np.ones(n)
    np.divide(np.bincount(above, squares[child], n), squares, out=left, where=(squares > 0) & (filled > 0))
    return left, filled


def log_p_single(tree: Tree, tested: Floats) -> Floats:
    """float64[n_nodes]: ln of each split's p-value, which the adjusted one is never below; 0 for leaves."""
    amount, filled = explained(tree, tested)
    p = np.ones(tree.n_nodes)
    if tree.task == "classes":
        freedom = (filled - 1) * (np.count_nonzero(tree.train, axis=1) - 1)
        tested = (tree.n_branches > 0) & (freedom >= 1) & (amount > 0)
        p[tested] = gammaincc(freedom[tested] / 2.0, amount[tested] / 2.0)
    else:
        within, between = tested - filled, filled - 1
        tested = (tree.n_branches > 0) & (within >= 1) & (between >= 1) & (amount < 1)
        left = np.maximum(amount[tested], ROUNDING)
        p[tested] = betainc(within[tested] / 2.0, between[tested] / 2.0, left)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p))


def gains(tree: Tree) -> Floats:
    """float64[n_nodes]: what every split explains, by the Gini index or as a share of the variance; 0 for leaves."""
    n, child, above = tree.n_nodes, np.arange(1, tree.n_nodes), tree.parent[1:]
    if tree.task == "number":
        return np.maximum(1.0 - explained(tree, tree.weight())[0], 0.0)
    counts, weight = tree.train, tree.weight()
    some = np.where(weight > 0, weight, 1.0)
    expected = counts[above] * (weight[child] / some[above])[:, None]
    each = np.divide(
        row_sums((counts[child] - expected) ** 2), weight[child], out=np.zeros(n - 1), where=weight[child] > 0
    )
    return np.asarray(np.bincount(above, each, n) / some)


def forms(table: Table, tree: Tree, search: Search) -> Integers:
    """int64[n_nodes]: what the search compared for each split, see `kernels`; -1 where that has to be found
    one by one: leaves, pooled levels, buckets, several cuts, levels with an order, many rows."""
    nodes, kind = tree.nodes, np.full(tree.n_nodes, -1, dtype=np.int64)
    columns = [table.columns[table.index(column.name)] for column in tree.columns]
    numeric = np.array([column.is_numeric for column in columns], dtype=bool)
    ordered = np.array([column.kind == "ordered" for column in columns], dtype=bool)
    at = np.flatnonzero((tree.n_branches > 0) & (tree.rows_train <= LATTICE) & (nodes.kind != M_OF_N))
    own, place = has_own_branch(tree)[at], nodes.column[at]
    two = tree.n_branches[at] - own == 2
    if NUMERIC_WAYS[search.numeric] in (CUT, BOUNDARY):
        kind[at[numeric[place] & two & (nodes.kind[at] == THRESHOLD)]] = CUTS
    if search.pool <= 1:
        levels = ~numeric[place] & ~ordered[place] & (nodes.kind[at] == LEVELS)
        kind[at[levels & two]] = {"one_vs_rest": ONE_VS_REST, "groups": GROUPS, "multiway": GROUPS}[search.nominal]
        kind[at[levels & ~two]] = EACH
    if table.weights is None:  # of more rows only the cuts of two classes are exact
        kind[(tree.rows_train > FEW_ROWS) & ~((kind == CUTS) & (len(tree.classes) == 2))] = -1
    return kind


def has_own_branch(tree: Tree) -> Flags:
    """bool[n_nodes]: the splits whose missing rows have a branch beside those of the values, or levels."""
    nodes = tree.nodes
    own = np.asarray((nodes.kind == THRESHOLD) & (nodes.missing == nodes.n_branches - 1) & (nodes.n_branches > 2))
    own &= nodes.payload_size + 2 < nodes.n_branches
    levels = (nodes.kind == LEVELS) & (nodes.n_branches > 2) & (nodes.unseen != nodes.missing)
    node, at = entries(nodes, np.flatnonzero(levels), 2)
    levels[node[tree.payload[at + 1] == nodes.missing[node]]] = False  # some levels go with the missing rows
    return np.asarray(own | levels)


def judge(
    table: Table, tree: Tree, search: Search, level: float, at: Assignment, asked: Flags, progress: Progress
) -> NDArray[np.uint8]:
    """Whether the splits of small nodes that are asked for are significant, from the lowest up, by permutation.

    Args:
        level: a p-value.

    Returns:
        uint8[n_nodes]: YES, NO, or LEFT_OUT where a split below is significant, where `Comparison` has to tell (of
        rows with frequencies, too), or where the tests were stopped.
    """
    found = np.full(tree.n_nodes, LEFT_OUT, dtype=np.uint8)
    kind = forms(table, tree, search)
    places = np.flatnonzero(asked & (kind >= 0) & (tree.rows_train > 0))
    if table.weights_are_counts or places.size == 0 or level * (MOST + 1) < 1.0:
        return found
    share, own, done = gains(tree), has_own_branch(tree), [0]

    def work(some: Integers) -> None:
        if not progress.stopped:
            nodes = _nodes(table, tree, at, some, kind, share, own)
            verdicts = np.empty(some.size, np.uint8)
            judge_nodes(DEALS(), nodes, search.min_leaf, HITS, level, verdicts)
            found[some] = verdicts
            done.append(some.size)

    with Workers(search.threads) as workers:
        workers.each(work, _parts(tree, places), lambda: progress.report(sum(done) / places.size, tr("Testing splits")))
    return found


def _parts(tree: Tree, places: Integers) -> list[Integers]:
    """Of the positions, those of whole subtrees together, and not too many rows."""
    highest = np.maximum.accumulate(tree.end[places])
    apart = np.append(True, highest[:-1] <= places[1:])  # the first of a subtree of its own
    part = (np.cumsum(tree.rows_train[places]) // AT_ONCE)[np.flatnonzero(apart)[np.cumsum(apart) - 1]]
    return np.split(places, np.flatnonzero(np.diff(part)) + 1)


def _nodes(
    table: Table, tree: Tree, at: Assignment, some: Integers, kind: Integers, share: Floats, own: Flags
) -> Nodes:
    """What the kernel reads of some nodes; rows ascend within each."""
    sizes = (at.stop - at.start)[some]
    ends = np.cumsum(sizes)
    node = np.repeat(np.arange(some.size), sizes)
    rows = at.rows[np.arange(ends[-1]) + (at.start[some] - ends + sizes)[node]].astype(np.int64)
    train = table.part[rows] == TRAIN
    rows, node = rows[train], node[train]
    if table.weights is not None:
        rows = rows[np.lexsort((rows, node))]
    codes = np.empty(rows.size, dtype=np.uint32)
    column = tree.nodes.column[some]
    for c in np.unique(column).tolist():
        of_column = (column == c)[node]
        codes[of_column] = table.columns[table.index(tree.columns[c].name)].codes[rows[of_column]]
    classes, first = table.task == "classes", np.searchsorted(node, np.arange(some.size + 1))
    seed = np.add.reduceat((table.target_ranks[rows].astype(np.int64) + 1) * (rows + 1), first[:-1])
    return Nodes(
        seed, np.searchsorted(some, tree.end[some]), first, kind[some], own[some], share[some], codes,
        table.y[rows].astype(np.int64) if classes else np.empty(0, np.int64),
        np.empty(0) if classes else table.y[rows], np.empty(0) if table.weights is None else table.weights[rows],
    )  # fmt: skip
