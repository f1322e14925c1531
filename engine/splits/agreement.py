"""How much two splits say the same: the share of rows that both send the same way."""

import numpy as np
from numpy.typing import NDArray

from engine.splits import Split, branch_of_rows
from engine.table import Table


def agreement(table: Table, rows: NDArray[np.integer], split: Split, other: Split) -> float:
    """The share of rows, 0 to 1, that two splits send the same way, under the best matching of their branches.

    Each branch of one is matched with at most one of the other, so that as many rows as possible agree; missing values
    go where each split sends them. 1 for a column that mimics another; of two unrelated halves about ½.

    Args:
        rows: row numbers, in any order.

    Returns:
        NaN without rows.

    Raises:
        InputError: a split does not fit the table.
    """
    from scipy.optimize import linear_sum_assignment

    first, second = branch_of_rows(split, table, rows), branch_of_rows(other, table, rows)
    if not len(rows):
        return float("nan")
    shape = (split.n_branches, other.n_branches)
    together = np.bincount(first.astype(np.int64) * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)
    matched = linear_sum_assignment(together, maximize=True)
    return float(together[matched].sum()) / len(rows)
