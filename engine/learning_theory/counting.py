"""How many trees, leaves and labellings there are: what the notes count to say how rich trees are."""

import math

import numpy as np

from engine.table.partition import TRAIN
from engine.table.table import Table


def count_cells(table: Table) -> int:
    """How many kinds of rows the features can tell apart: the leaves of a tree that asks everything.

    2^d for d binary columns; in general the product of the numbers of values, a missing one being one more. Trees of
    any size shatter one row of each kind, and no more: this is their VC dimension over the values of this table.
    """
    columns = [table.columns[i] for i in table.features]
    return math.prod(max(column.n_values + (column.n_missing > 0), 1) for column in columns)


def count_kinds(table: Table) -> int:
    """How many of these kinds there are among the training rows: some tree with a leaf for each shatters as many."""
    codes = [table.columns[i].codes[table.rows(TRAIN)].astype(np.int64) for i in table.features]
    return int(np.unique(np.stack(codes, axis=1), axis=0).shape[0]) if codes else min(table.n_train, 1)


def log_binary_trees(splits: int, n_tests: int, n_labels: int) -> float:
    """ln of how many binary trees with so many splits can be written down: C(2s, s) ÷ (s + 1) shapes, Mˢ ways to ask,
    Kˢ⁺¹ to answer."""
    shapes = math.lgamma(2 * splits + 1) - 2 * math.lgamma(splits + 1) - math.log(splits + 1)
    return shapes + (splits * math.log(n_tests) if splits else 0.0) + (splits + 1) * math.log(n_labels)
