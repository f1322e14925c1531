"""The splits of a tree counted on another table."""

from typing import TYPE_CHECKING

import numpy as np

from engine.runtime.errors import InputError
from engine.table import Table
from engine.tree import edits, marks
from engine.tree.assignment import assign, count_slices
from engine.tree.distribution import filled
from engine.tree.kernels.structure import merge_upwards, sum_upwards
from engine.tree.nodes import TreeColumn

if TYPE_CHECKING:
    from engine.tree.tree import Tree


def columns_of(table: Table) -> tuple[TreeColumn, ...]:
    """What a tree remembers of a table's features."""
    features = (table.columns[i] for i in table.features)
    return tuple(
        TreeColumn(column.name, column.kind, column.levels, column.n_missing > 0, column.kind_in_words == "day")
        for column in features
    )


def check_target(tree: "Tree", table: Table) -> None:
    """Raises InputError where a table has another target than the tree predicts, or has it as a number and not as
    classes: what was counted there would be figures of another question."""
    if tree.target != table.target:
        remedy = f"make “{tree.target}” the target first."
        if tree.target not in table.names:
            remedy = f"this table has no column “{tree.target}”, so open one that has."
        raise InputError(
            f"The tree predicts “{tree.target}”, but the target of {table.name} is “{table.target}”: {remedy}"
        )
    if tree.task != table.task:
        predicted, found = ("categories", "numbers") if tree.task == "classes" else ("a number", "categories")
        kind = "a category" if tree.task == "classes" else "a number"
        raise InputError(
            f"The tree predicts {predicted}, but “{table.target}” has {found} in {table.name}: read it as {kind}."
        )


def recount(tree: "Tree", table: Table) -> tuple["Tree", list[str]]:
    """The same splits counted on another table with the same target; splits that no longer fit become leaves.

    Returns:
        The tree, and for each split or label by hand that was given up a sentence with the reason.

    Raises:
        InputError: the target is another one.
    """
    check_target(tree, table)
    return count_anew(tree, table)


def count_anew(tree: "Tree", table: Table) -> tuple["Tree", list[str]]:
    """`recount` whatever the target is: growing takes bins of a number for classes, and back."""
    tree, problems = edits.drop_unbound(tree, table)
    tree, unsaid = marks.fitting(tree, table)
    at = assign(table, tree)
    leaves = tree.leaves
    n = tree.n_nodes
    counted = [
        np.zeros((n, table.n_stats)),
        np.zeros((n, table.n_stats)),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    ]
    for whole, of_leaves in zip(counted, count_slices(table, at.rows, at.start[leaves], at.stop[leaves]), strict=True):
        whole[leaves] = of_leaves
        add = merge_upwards if table.task == "number" and whole.ndim == 2 else sum_upwards
        add(tree.parent, whole if whole.ndim == 2 else whole[:, None])
    return filled(edits.renewed(tree, table, counted), table, at), problems + unsaid


def counted(tree: "Tree", table: Table) -> "Tree":
    """The tree itself when its counts are those of the table, else the same splits counted on it.

    Raises:
        InputError: a split does not bind to it, or it has another target.
    """
    return tree if tree.counted_on == table.counts_key else tree.with_counts(table)
