"""What the leaves of a tree have at least: bounds that hold for all leaves at once, so that the best may be chosen.

A bound of 95 % of one leaf says little of the leaf that looks best among fifty. Here each leaf has the level 1 − 0.05 ÷
m, one-sided, m the leaves that have rows: all m bounds hold together with at least 95 % (Bonferroni 1936), whichever
leaf is looked at. That supposes rows that did not choose the tree: validation rows that did not prune it, either.
Bounds from training rows have the same form and promise nothing, as these rows chose the leaves.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, stdtrit

from engine.tree.tree import Tree

LEVEL = 0.05  # how probable it is at most that any bound of the tree is wrong
LEAST_ROWS = 3  # of a leaf whose mean has a bound

Floats = NDArray[np.float64]


def bound_rates(tree: Tree, k: int, part: str, effective: Floats) -> Floats:
    """float64[n_leaves]: the share of class k that each leaf has at least, by Clopper and Pearson (1934); NaN without
    rows. With sampling weights as many rows count as they are worth (Korn and Graubard 1998).

    Args:
        tree: the tree, of classes.
        k: the index of the class.
        part: "validation" or "train".
        effective: float64[n_nodes], what the rows of this part are worth, see `count_effective_rows`.
    """
    weight, n = tree.weight(part)[tree.leaves], effective[tree.leaves]
    judged = (weight > 0) & (n > 0)
    found, n = np.full(weight.size, np.nan), n[judged]
    hits = tree.stats(part)[tree.leaves[judged], k] / weight[judged] * n
    alpha = LEVEL / max(int(judged.sum()), 1)
    found[judged] = np.where(hits > 0, betaincinv(np.maximum(hits, 1e-300), n - hits + 1, alpha), 0.0)
    return found


def bound_means(tree: Tree, lowest: bool, part: str, effective: Floats) -> Floats:
    """float64[n_leaves]: the mean that each leaf has at least, or where the lowest is wanted at most, by Student
    (1908); NaN below `LEAST_ROWS` rows.

    A leaf's own few rows may hardly differ by chance; hence s² is the variance in the leaf and one n-th of that of all
    rows of the part, over n − 1, with n − 1 degrees of freedom. All bounds hold together with 95 % where the numbers
    within leaves are nearly normal, or skew away from the bound; of exponential ones that are skew towards it in nine
    trees of ten (`tests.honesty.best_leaves`).

    Args:
        tree: the tree, of a number.
        lowest: whether upper ends are wanted.
        part: "validation" or "train".
        effective: float64[n_nodes], what the rows of this part are worth, see `count_effective_rows`.
    """
    stats = tree.stats(part)
    weight, n = stats[tree.leaves, 0], effective[tree.leaves]
    judged = (weight > 0) & (n > 0)
    found, m = np.full(weight.size, np.nan), int(judged.sum())
    judged &= n >= LEAST_ROWS
    (weight, first, squares), n = stats[tree.leaves[judged]].T, n[judged]
    if n.size:
        variance = squares / weight + stats[0, 2] / stats[0, 0] / n
        reach = stdtrit(n - 1, 1 - LEVEL / m) * np.sqrt(variance / (n - 1))
        found[judged] = first / weight + tree.origin + np.where(lowest, reach, -reach)
    return found
