"""What every node says, and what that costs: what is counted, and what a person wrote instead (`Mark.label`).

A node without training rows says what its parent says.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.tree.distribution import filled

if TYPE_CHECKING:
    from engine.table import Table
    from engine.tree import Tree
    from engine.tree.assignment import Assignment
    from engine.tree.predictions_of_nodes import TreeWithSayings
    from engine.tree.shape import TreeShape

Values = TypeVar("Values", bound=NDArray[Any])


def labels_by_hand(tree: "TreeShape") -> dict[int, Any]:
    """The label that a person wrote, by position: the number of the class, or the number."""
    place = {name: k for k, name in enumerate(tree.classes)}
    return {
        tree.position(node): place[str(mark.label)] if tree.task == "classes" else mark.label
        for node, mark in tree.marks.items()
        if mark.label is not None
    }


def inherited(tree: "TreeShape", values: Values, lacking: NDArray[np.bool_], by_hand: dict[int, Any]) -> Values:
    """The values [n_nodes, …] with what was set by hand, and with the parent's where they are lacking; the root keeps
    its own. They are written into."""
    for i, value in by_hand.items():
        values[i] = value
    for i in np.flatnonzero(lacking).tolist():
        if i and i not in by_hand:
            values[i] = values[tree.parent[i]]
    return values


def means(tree: "TreeShape") -> NDArray[np.float64]:
    """See `Tree.means`."""
    weight, total = tree.train[:, 0], tree.train[:, 1]
    own = np.divide(total, weight, out=np.zeros(tree.n_nodes), where=weight > 0) + tree.origin
    return inherited(tree, own, weight == 0, {})


def answers(tree: "TreeWithSayings") -> NDArray[np.float64]:
    """See `Tree.answers`."""
    counted, by_hand = tree.medians if tree.says_median else tree.means, labels_by_hand(tree)
    return inherited(tree, counted.copy(), tree.weight() == 0, by_hand) if by_hand else counted


def squared_errors(tree: "TreeWithSayings", part: str) -> NDArray[np.float64]:
    """float64[n_nodes]: Σw(y − what the node says)² over the rows of a part, from the sums around their own mean."""
    weight, total, squares = (tree.train if part == "train" else tree.validation).T
    by_hand = list(labels_by_hand(tree))
    if part == "train" and not by_hand:  # all say the mean that the squares stand around
        return squares
    said = tree.answers - tree.origin
    own = np.divide(total, weight, out=said.copy(), where=weight > 0)
    around = squares + weight * (own - said) ** 2
    if part == "train":
        own_mean = np.ones(tree.n_nodes, dtype=bool)
        own_mean[by_hand] = False
        around[own_mean] = squares[own_mean]  # off by nothing, not even by rounding
    return around


def renewed(before: "Tree", after: "Tree", table: "Table | None", assignment: "Assignment | None") -> "Tree":
    """The tree `after`, which differs by its marks alone, with its deviations around the numbers that it says now.

    Raises:
        InputError: they have to be counted, and no table is given.
    """
    labels = labels_by_hand(before), labels_by_hand(after)
    changed = np.zeros(after.n_nodes, dtype=bool)
    for i in labels[0].keys() | labels[1].keys() if after.task == "number" else ():
        if labels[0].get(i) != labels[1].get(i):
            changed[i : after.end[i]] = True  # nodes without rows say what the one above says
    if not changed.any():
        return after
    deviation = np.where(changed[:, None], np.nan, after.nodes.deviation)
    after = replace(after, nodes=after.nodes._replace(deviation=deviation))
    if not after.says_median:
        return after
    if table is None:
        raise InputError(
            "This tree says medians, and the errors around another number are counted on the rows: give the table, too."
        )
    return filled(after, table, assignment) if after.counted_on == table.counts_key else after.with_counts(table)
