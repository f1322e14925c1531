"""How much the losses of the rows that judge differ among themselves: what a standard error is made of."""

from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from engine.table.table import Table
    from engine.tree import Tree
    from engine.tree.assignment import Assignment

Floats = NDArray[np.float64]


def standard_error(losses: Floats, squares: Floats, weight: float, loss_weight: float, n_rows: int) -> Floats:
    """float64[n]: the standard error of mean losses, from the spread of the losses of single rows.

    √((Σ w·l² ÷ Σ w − (Σ w·l ÷ Σ w)²) ÷ n): of rows that are wrong or right √(R · (1 − R) ÷ n) (Breiman, Friedman,
    Olshen and Stone 1984, 1.4 and 11.4), the xstd of rpart. n counts rows: scaling all weights changes nothing. Over
    folds the rows of all of them count together, as in both: that trees of different folds share rows is left aside.

    Args:
        losses, squares: Σ w·l and Σ w·l² over the rows that judge, l the loss of a row times the prior of its class.
        weight, loss_weight: Σ w, and what a mean loss is divided by.
        n_rows: how many rows there are.
    """
    variance = np.maximum(squares / weight - (losses / weight) ** 2, 0.0)
    return np.asarray(np.sqrt(variance / n_rows) * (weight / loss_weight))


def squared_losses(table: "Table", tree: "Tree", assignment: "Assignment | None" = None) -> Floats:
    """float64[n_nodes]: Σ w·l² over the validation rows of each node as a leaf, l as in `Tree.costs`."""
    if tree.task == "classes":
        factors = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
        each = (factors[:, None] * tree.leaf_rule.cost_matrix(tree.classes)) ** 2
        return np.asarray(np.einsum("nk,kn->n", tree.validation, each[:, tree.labels]))
    from engine.tree.assignment import assign  # brings the compiler along, which the names of methods need not

    power = 2 if tree.predicts_median else 4
    return _moments(table, tree, assignment or assign(table, tree), power)[power]


def _moments(table: "Table", tree: "Tree", assignment: "Assignment", power: int) -> Floats:
    """float64[power + 1, n_nodes]: Σ w·(y − what the node says)^k over its validation rows, k = 0 … power."""
    from engine.table.partition import VALIDATION

    said, n = tree.predictions - tree.origin, tree.n_nodes
    leaves = tree.leaves
    leaf = np.repeat(leaves, assignment.stop[leaves] - assignment.start[leaves])
    judging = table.part[assignment.rows] == VALIDATION
    leaf, rows = leaf[judging], assignment.rows[judging]
    beyond = table.y[rows] - said[leaf]
    term = np.ones(rows.size) if table.weights is None else table.weights[rows]
    sums = []
    for _ in range(power + 1):
        sums.append(np.bincount(leaf, term, n))
        term = term * beyond
    found = np.array(sums, np.float64)
    by_level = np.argsort(tree.level, kind="stable")
    ends = np.searchsorted(tree.level[by_level], np.arange(tree.depth + 2))
    for level in range(tree.depth, 0, -1):  # around what the parent says instead: the binomial theorem
        nodes = by_level[ends[level] : ends[level + 1]]
        parents = tree.parent[nodes]
        shift = said[nodes] - said[parents]
        for k in range(power + 1):
            moved = sum(comb(k, j) * shift ** (k - j) * found[j, nodes] for j in range(k + 1))
            np.add.at(found[k], parents, moved)
    return found
