"""How good a tree is on the rows of one part."""

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import InputError
from engine.partition import TEST, TRAIN, VALIDATION

if TYPE_CHECKING:
    from engine.assignment import Assignment
    from engine.table import Table
    from engine.tree import Tree

PARTS = {"train": TRAIN, "validation": VALIDATION, "test": TEST}
NAN = float("nan")
Z_95 = 1.959963984540054  # two-sided 95 % of the normal distribution


@dataclass(frozen=True, eq=False)
class Fit:
    """What a tree does on one part of the rows; figures that do not apply, or have no rows, are nan.

    Attributes:
        part: "train", "validation" or "test".
        n: rows.
        weight: their total weight.
        error: share of the weight in error, or mean squared error.
        accuracy: share of the weight that is right (classes).
        interval: Wilson's 95 % interval of the accuracy (classes); on training rows it means little, because they
            chose the tree.
        confusion: float64[K, K], weight by true class and predicted class; empty for a number.
        classes: what its rows and columns stand for: the tree's classes, then those that only the table has, which
            are never predicted.
        mse, rmse, mae: mean squared, root mean squared and mean absolute error (numbers).
        r2: 1 − squared error ÷ squared deviation from the part's own mean (numbers); nan where all y are equal.
    """

    part: str
    n: int
    weight: float
    error: float = NAN
    accuracy: float = NAN
    interval: tuple[float, float] = (NAN, NAN)
    confusion: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    mse: float = NAN
    rmse: float = NAN
    mae: float = NAN
    r2: float = NAN
    classes: tuple[str, ...] = ()


def assess(table: "Table", tree: "Tree", part: str = "validation", assignment: "Assignment | None" = None) -> Fit:
    """Judges a tree by the rows of one part of the table.

    The tree predicts by the training rows that it was counted on, whatever table it is judged by; classes are
    matched by their names.

    Args:
        table: the rows; those that the tree was counted on are judged by its counts, others are sent down the tree.
        tree: the tree to judge.
        part: "train", "validation" or "test".
        assignment: which rows stand in which node, if at hand; saves sending the rows down the tree.

    Raises:
        InputError: no such part, the table's target is not of the tree's task, or a split does not bind to it.
    """
    if part not in PARTS:
        raise InputError(f"There is no part “{part}”; choose one of {', '.join(PARTS)}.")
    _check_task(table, tree)
    rows = table.rows(PARTS[part])
    weights = table.weights[rows] if table.weights is not None else np.ones(len(rows))
    if tree.task == "number":
        predicted = tree.means[_leaf_of(table, tree, assignment)[rows]]
        return _assess_number(part, table.y[rows], weights, predicted - table.origin)
    classes = tuple(dict.fromkeys((*tree.classes, *table.classes)))
    confusion = _confusion(table, tree, part, classes, rows, weights, assignment)
    weight = float(confusion.sum())
    if not weight > 0:
        return Fit(part, 0, 0.0, confusion=confusion, classes=classes)
    accuracy = float(np.trace(confusion)) / weight
    interval = wilson(accuracy, weight**2 / float(weights @ weights))
    return Fit(part, len(rows), weight, 1.0 - accuracy, accuracy, interval, confusion, classes=classes)


def _check_task(table: "Table", tree: "Tree") -> None:
    if tree.task != table.task:
        predicted, found = ("classes", "a number") if tree.task == "classes" else ("a number", "classes")
        kind = "nominal" if tree.task == "classes" else "number"
        raise InputError(
            f"The tree predicts {predicted}, but “{table.target}” is {found} in {table.name}: read it as {kind}."
        )


def wilson(share: float, n: float, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval (1927) of a share that was seen in n rows.

    With weights, n is Kish's effective number of rows (Σw)² ÷ Σw².
    """
    if not n > 0:
        return NAN, NAN
    centre = share + z * z / (2 * n)
    reach = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (centre - reach) / scale), min(1.0, (centre + reach) / scale)


def _confusion(
    table: "Table",
    tree: "Tree",
    part: str,
    classes: tuple[str, ...],
    rows: NDArray[Any],
    weights: NDArray[np.float64],
    assignment: "Assignment | None",
) -> NDArray[np.float64]:
    """float64[K, K] for these classes: from the leaves' counts where they are of these rows, else from the rows."""
    confusion = np.zeros((len(classes), len(classes)))
    if part == "test" or tree.counted_on != table.counts_key:
        predicted = tree.labels[_leaf_of(table, tree, assignment)[rows]]
        place = {name: i for i, name in enumerate(classes)}
        true = np.array([place[name] for name in table.classes], dtype=np.int64)[table.y[rows]]
        np.add.at(confusion, (true, predicted), weights)
        return confusion
    leaves = tree.leaves
    counts = tree.train if part == "train" else tree.validation
    np.add.at(confusion.T, tree.labels[leaves], counts[leaves])
    return confusion


def _leaf_of(table: "Table", tree: "Tree", assignment: "Assignment | None") -> NDArray[Any]:
    """integer[n_rows]: the position of each row's leaf."""
    if assignment is None:
        return tree.apply(table)
    leaf_of = np.zeros(table.n_rows, np.int64)
    leaves = tree.leaves
    sizes = assignment.stop[leaves] - assignment.start[leaves]
    leaf_of[assignment.rows] = np.repeat(leaves, sizes)
    return leaf_of


def _assess_number(part: str, y: NDArray[Any], weights: NDArray[np.float64], predicted: NDArray[Any]) -> Fit:
    """The figures of a numeric target; y and predicted, float64[n], may both be shifted by the same origin."""
    weight = float(weights.sum())
    if not weight > 0:
        return Fit(part, 0, 0.0)
    residual = y - predicted
    mse = float(weights @ residual**2) / weight
    deviation = y - float(weights @ y) / weight
    spread = float(weights @ deviation**2) / weight
    r2 = 1.0 - mse / spread if spread > 0 else NAN
    mae = float(weights @ np.abs(residual)) / weight
    return Fit(part, len(y), weight, mse, mse=mse, rmse=sqrt(mse), mae=mae, r2=r2)
