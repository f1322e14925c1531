"""How many rows the weighted rows of a node are worth in a test or an interval."""

import numpy as np
from numpy.typing import NDArray

from engine.table.partition import TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment, assign, leaves_of_rows
from engine.tree.counting import check_target
from engine.tree.kernels.structure import sum_upwards
from engine.tree.tree import Tree


def count_effective_rows(table: Table, tree: Tree, assignment: Assignment | None = None) -> NDArray[np.float64]:
    """float64[n_nodes, 2]: what the training and the validation rows of each node are worth in a test: their number,
    the sum of their frequencies, or of sampling weights (Σw)² ÷ Σw² (Kish 1965).

    Args:
        table: the table that the tree is counted on.
        tree: the tree.
        assignment: which rows stand in which node, if at hand; only sampling weights need it.

    Raises:
        InputError: the table has another target than the tree.
    """
    check_target(tree, table)
    weight = np.column_stack((tree.weight("train"), tree.weight("validation")))
    if tree.divides_rows:
        return _of_parts(table, tree, assignment or assign(table, tree))
    if table.weights is None:
        return np.column_stack((tree.rows_train, tree.rows_validation)).astype(np.float64)
    if table.weights_are_counts:
        return weight
    squares = np.zeros((tree.n_nodes, 2))
    if table.counter is not None:
        squares[tree.leaves] = table.counter.squares(tree).sum(axis=2).T
    else:
        leaf = leaves_of_rows(table, tree, assignment)
        for k, part in enumerate((TRAIN, VALIDATION)):
            rows = table.rows(part)
            squares[:, k] = np.bincount(leaf[rows], np.square(table.weights[rows]), tree.n_nodes)
    sum_upwards(tree.parent, squares)
    return np.divide(np.square(weight), squares, out=np.zeros(weight.shape), where=squares > 0)


def _of_parts(table: Table, tree: Tree, at: Assignment) -> NDArray[np.float64]:
    """The same where rows are divided: a part of a row weighs so much less."""
    found = np.zeros((tree.n_nodes, 2))
    for i in range(tree.n_nodes):
        rows, share = at.held(i)
        weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
        weights = weights if share is None else weights * share
        for k, part in enumerate((TRAIN, VALIDATION)):
            here = weights[table.part[rows] == part]
            square = float(here.sum()) if table.weights_are_counts else float(here @ here)
            found[i, k] = float(here.sum()) ** 2 / square if square > 0 else 0.0
    return found
