"""The tests of all splits of a tree as if each were the only one that was looked at."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.tree.leaves import row_sums

if TYPE_CHECKING:
    from engine.tree import Tree

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def explained(tree: "Tree") -> tuple[Floats, Integers]:
    """(X² of every split, or, of a numeric target, the share of the variance that it leaves; how many of its branches
    have rows): [n_nodes] each, of leaves 0, or 1, and 0."""
    n, child, above = tree.n_nodes, np.arange(1, tree.n_nodes), tree.parent[1:]
    filled = np.bincount(above, tree.weight()[child] > 0, n).astype(np.int64)
    if tree.task == "classes":
        counts, weight = tree.train, tree.weight()
        each = np.divide(
            counts[child] ** 2, counts[above], out=np.zeros((n - 1, counts.shape[1])), where=counts[above] > 0
        )
        terms = np.divide(row_sums(each), weight[child], out=np.zeros(n - 1), where=weight[child] > 0)
        amount = np.where(filled > 0, tree.rows_train * (np.bincount(above, terms, n) - 1.0), 0.0)
        return amount, filled
    squares, left = tree.train[:, 2], np.ones(n)
    np.divide(np.bincount(above, squares[child], n), squares, out=left, where=(squares > 0) & (filled > 0))
    return left, filled


def log_p_single(tree: "Tree") -> Floats:
    """float64[n_nodes]: ln of each split's p-value, which the adjusted one is never below; 0 for leaves."""
    from scipy.special import betainc, gammaincc

    from engine.significance.single import ROUNDING  # brings the compiler along

    amount, filled = explained(tree)
    p = np.ones(tree.n_nodes)
    if tree.task == "classes":
        freedom = (filled - 1) * (np.count_nonzero(tree.train, axis=1) - 1)
        tested = (tree.n_branches > 0) & (freedom >= 1) & (amount > 0)
        p[tested] = gammaincc(freedom[tested] / 2.0, amount[tested] / 2.0)
    else:
        within, between = tree.rows_train - filled, filled - 1
        tested = (tree.n_branches > 0) & (within >= 1) & (between >= 1) & (amount < 1)
        left = np.maximum(amount[tested], ROUNDING)
        p[tested] = betainc(within[tested] / 2.0, between[tested] / 2.0, left)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p))
