"""How rich such trees are: rows that they shatter, how many of them there are, and how many rows that asks for."""

import math
from dataclasses import dataclass

import numpy as np

from engine.learning_theory.bounds import (
    count_tests,
    log_capacities,
    rows_by_dimension,
    rows_for_deviation,
    rows_without_errors,
    vc_dimension,
)
from engine.learning_theory.counting import count_cells, count_kinds, log_binary_trees
from engine.learning_theory.extent import extent
from engine.runtime.errors import InputError
from engine.table.table import Table
from engine.tree.tree import Tree

DEPTHS = (1, 2, 3)


@dataclass(frozen=True, eq=False)
class Samples:
    """How many training rows a bound asks for, at ε and δ, for a tree of this size.

    Attributes:
        description: so that the length of the description adds at most ε to the training error.
        counted: so that the training error of no tree with so many splits is off by more than ε.
        consistent: so that one of them without a training error errs at most ε.
        by_dimension: the same by the VC dimension, for thresholds anywhere.
    """

    description: int
    counted: int
    consistent: int
    by_dimension: int


@dataclass(frozen=True, eq=False)
class Counting:
    """The remarks of the notes on VC dimension, with the numbers of the table.

    Attributes:
        shattered: k, the leaves that training rows reach: one row of each can be labelled in all 2^k ways by labelling
            the leaves, and no k + 1 rows by these splits.
        kinds: training rows that differ in some feature: trees of any size shatter as many.
        cells: the leaves of a tree that asks everything: the VC dimension of all trees over the values of the table.
            2^d for d binary features.
        binary: d, where all features have two values and no row lacks one; else 0.
        layers: T, the levels of the tree, the root's included; 2^(T − 1) leaves at most, where splits are binary.
        n_tests: M, the different splits that a node might have.
        vc_tests: an upper bound of their VC dimension. vc_trees: of that of trees with as many splits.
        log_trees: ln of how many binary trees with so many splits there are.
        by_depth: by depth, how many trees of at most that depth; none where there are too many to write down.
        samples: see `Samples`.
    """

    shattered: int
    kinds: int
    cells: int
    binary: int
    layers: int
    n_tests: int
    vc_tests: int
    vc_trees: float
    log_trees: float
    by_depth: dict[int, int]
    samples: Samples


def counting(table: Table, tree: Tree, delta: float, epsilon: float) -> Counting:
    """See `Counting`."""
    by_level, k = tree.options.get("nominal") == "multiway", len(tree.classes)
    n_tests, splits = count_tests(table, by_level), tree.n_leaves - 1  # one into b branches stands for b − 1
    log_trees = log_binary_trees(splits, max(n_tests, 1), k)
    vc_trees = float(log_capacities(table, "vc", 0, 2 * splits + 1)[1][-1]) / math.log(2 * max(table.n_counted, 1))
    columns = [table.columns[i] for i in table.features]
    plain = all(column.n_values == 2 and not column.n_missing for column in columns)
    nats = (tree.n_nodes + 1) * math.log2(n_tests + k + 1)  # bits, as in `description_bound`
    samples = Samples(
        rows_for_deviation(nats, epsilon, delta), rows_for_deviation(log_trees, epsilon, delta),
        rows_without_errors(log_trees, epsilon, delta), rows_by_dimension(vc_trees, epsilon, delta),
    )  # fmt: skip
    return Counting(
        int(np.count_nonzero(tree.rows_train[tree.leaves])), count_kinds(table), count_cells(table),
        len(columns) if plain else 0, tree.depth + 1, n_tests, vc_dimension(table), vc_trees, log_trees,
        _by_depth(table, "multiway" if by_level else "groups"), samples,
    )  # fmt: skip


def _by_depth(table: Table, nominal: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for depth in DEPTHS:
        try:
            found[depth] = extent(table, depth, nominal=nominal).n_trees
        except InputError:  # too many
            break
    return found
