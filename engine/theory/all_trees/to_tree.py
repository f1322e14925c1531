"""From the plan of a tree to the tree: tests become splits in values."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria.kernels.gain import larger_side
from engine.search.column_search import heaviest
from engine.splits import Split, threshold_between
from engine.table.column import Column
from engine.table.table import Table
from engine.theory.all_trees.search import Hunt, Plan, tests_of
from engine.theory.kernels.all_trees import BRANCHES, CUT
from engine.tree import Tree

LEAF = Plan(0.0, 1.0)


def planted(table: Table, hunt: Hunt, plan: Plan) -> Tree:
    """The tree of a plan, its thresholds halfway between the values present at each node."""
    tree, waiting = Tree.root(table), [(0, plan, hunt.root, hunt.train)]
    while waiting:
        node, plan, rows, ids = waiting.pop()
        if plan.column < 0:
            continue
        column, codes = hunt.columns[plan.column], rows.codes[:, plan.column]
        test = next(branches for flip, _, branches in tests_of(rows, plan.column) if flip == plan.flip)
        weights = rows.stats[:, 0] if table.task == "number" else rows.stats[:, :-1].sum(axis=1)
        split, branch_of = _split(column, int(rows.ways[plan.column]), column.codes[ids], weights, test)
        tree = tree.split(table, node, split, by_hand=False)
        children, plans = tree.children(tree.position(node)), iter(plan.below)
        for branch in np.unique(test[codes]).tolist():
            part = np.flatnonzero(test[codes] == branch)
            inside = hunt.part(rows, part)
            below = next(plans) if plan.below else hunt.best(inside, 1, 1.0, 0.0) if plan.levels else LEAF
            waiting.append((int(tree.ids[children[branch_of[branch]]]), below, inside, ids[part]))
    return tree


def _split(
    column: Column, way: int, values: NDArray[Any], weights: NDArray[np.float64], test: NDArray[np.int64]
) -> tuple[Split, list[int]]:
    """A test of the rows of a node in values, and which branch of it each branch of the test is.

    Args:
        values: the table's codes of the node's rows in that column; weights: of these rows.
        test: the branch of each dense code: 0 is missing, then the values present.
    """
    lacking = bool((values == 0).any())
    present = np.unique(values[values > 0]).astype(np.int64) - 1  # places of the values
    if way == BRANCHES:
        places = [*present.tolist(), *np.setdiff1d(np.arange(column.n_values), present).tolist()]
        sizes = np.bincount(values[values > 0] - 1, weights[values > 0], column.n_values).astype(np.float64)
        groups = tuple((str(level),) for level in column.values)
        sizes[places[test[0]]] += weights[values == 0].sum()
        largest = heaviest(sizes)
        missing = places[test[0]] if lacking else largest
        return Split(column.name, "groups", groups=groups, missing=missing, unseen=largest), places
    of_row = test[np.searchsorted(present, values.astype(np.int64) - 1) + 1]
    of_row[values == 0] = test[0]
    larger = int(larger_side(weights[of_row == 0].sum(), weights[of_row == 1].sum()))
    missing = int(test[0]) if lacking else larger
    side = test[1:]
    last = int(np.count_nonzero(side == 0)) - 1  # of a cut: the last value on the left
    if column.is_numeric:
        beyond = last + 1 == present.size
        cut = np.inf if beyond else threshold_between(*map(float, column.values[present[last : last + 2]]))
        return Split(column.name, "threshold", (cut,), missing=missing), [0, 1]
    if way == CUT:
        first = int(present[last + 1]) if last + 1 < present.size else column.n_values
        groups = (tuple(column.values[: present[last] + 1]), tuple(column.values[first:]))
    else:
        groups = (tuple(column.values[present[side == 0]]), tuple(column.values[present[side == 1]]))
    return Split(column.name, "groups", groups=groups, missing=missing, unseen=larger), [0, 1]
