"""Where validation rows disagree with training rows: a test at every node.

Classes: the share of the class that the node predicts, among its training rows and among its validation rows; Pearson's
chi-square test of the fourfold table with Yates's correction, one degree of freedom. Numbers: the means of both
parts; the F test with 1 and n − 2 degrees of freedom, which is the t test of two samples. Weighted rows count by
their shares, with as many rows as there are. Training rows that the tree was grown on agree with the
prediction more than other rows: the test finds that, beside differences between the parts.

Sources: F. Yates (1934), Contingency tables involving small numbers and the χ² test; Student (1908).
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, erfc

from engine.tree.tree import Tree

LEVEL = 0.01  # the p-value below which training and validation disagree: by chance 1 of 100 nodes would


def disagreement(tree: Tree) -> NDArray[np.float64]:
    """float64[n_nodes]: how probable so great a difference between training and validation rows is by chance; NaN
    where a part has no rows."""
    rows = np.column_stack((tree.rows_train, tree.rows_validation)).astype(np.float64)
    weight = np.column_stack((tree.weight("train"), tree.weight("validation")))
    tested = np.asarray((rows > 0).all(axis=1) & (weight > 0).all(axis=1))
    found = np.full(tree.n_nodes, np.nan)
    p = _by_means if tree.task == "number" else _by_shares
    found[tested] = p(tree, tested, rows[tested], weight[tested])
    return found


def _by_shares(
    tree: Tree, tested: NDArray[np.bool_], rows: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:

    nodes = np.flatnonzero(tested)
    labels = tree.labels[nodes]
    right = np.column_stack((tree.train[nodes, labels], tree.validation[nodes, labels])) / weight * rows
    n, both = rows.sum(axis=1), right.sum(axis=1)
    apart = np.abs(right[:, 0] * (rows[:, 1] - right[:, 1]) - right[:, 1] * (rows[:, 0] - right[:, 0]))
    corrected = np.maximum(apart - n / 2, 0.0)
    below = rows[:, 0] * rows[:, 1] * both * (n - both)
    statistic = np.divide(n * corrected**2, below, out=np.zeros(len(n)), where=below > 0)
    return np.asarray(erfc(np.sqrt(statistic / 2)))


def _by_means(
    tree: Tree, tested: NDArray[np.bool_], rows: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:

    parts = np.stack((tree.train[tested], tree.validation[tested]), axis=1)  # float64[n, 2, 3]
    means = parts[:, :, 1] / weight
    within = (parts[:, :, 2] / weight * rows).sum(axis=1)
    between = rows.prod(axis=1) / rows.sum(axis=1) * (means[:, 0] - means[:, 1]) ** 2
    freedom = rows.sum(axis=1) - 2
    total = between + within
    left = np.divide(within, total, out=np.ones(len(total)), where=total > 0)
    found = betainc(np.maximum(freedom, 1.0) / 2, 0.5, np.clip(left, 0.0, 1.0))
    return np.where(freedom > 0, found, 1.0)
