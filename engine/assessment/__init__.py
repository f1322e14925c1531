"""How good a tree is on the rows of one part."""

from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.partition import TEST, TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment, leaves_of_rows
from engine.tree.counting import check_target
from engine.tree.tree import Tree

PARTS = {"train": TRAIN, "validation": VALIDATION, "test": TEST}
NAN = float("nan")
LEAST = 1e-15  # a probability of 0 would make an infinite log loss
Z_95 = 1.959963984540054  # two-sided 95 % of the normal distribution


@dataclass(frozen=True, eq=False)
class Fit:
    """What a tree does on one part of the rows; figures that do not apply, or have no rows, are nan.

    Attributes:
        part: "train", "validation" or "test".
        n: rows.
        weight: their total weight.
        error: share of the weight in error, or mean squared error, or the mean absolute one of a tree that predicts
            medians.
        accuracy: share of the weight that is right (classes).
        interval: Wilson's 95 % interval of the accuracy (classes); on training rows it means little, because they
            chose the tree.
        confusion: float64[K, K], weight by true class and predicted class; empty for a number.
        classes: what its rows and columns stand for: the tree's classes, then those that only the table has, which
            are never predicted.
        loss: mean cost by the tree's leaf rule: what the mistakes cost, a row counting by the prior of its class
            (classes); the error when the rule has neither priors nor costs.
        log_loss: mean of −ln of the probability that the tree gave to the true class, at least 10⁻¹⁵ (classes); not of
            the validation rows that honest probabilities come from, nor brier.
        brier: mean of Σ (probability − 1 if it is the true class)² over the classes (classes; Brier 1950).
        stochastic_error: expected error when a leaf draws its label with the shares of its training rows (classes).
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
    loss: float = NAN
    log_loss: float = NAN
    brier: float = NAN
    stochastic_error: float = NAN


def assess(table: Table, tree: Tree, part: str = "validation", assignment: Assignment | None = None) -> Fit:
    """Assesses a tree on the rows of one part of the table.

    The tree predicts by the training rows that it was counted on, whatever table it is assessed on; classes are
    matched by their names.

    Args:
        table: the rows; those that the tree was counted on are assessed by its counts, others are sent down the tree.
        tree: the tree to assess.
        part: "train", "validation" or "test".
        assignment: which rows stand in which node, if at hand; saves sending the rows down the tree.

    Raises:
        InputError: no such part, the table has another target than the tree, or a split does not bind to it.
    """
    if part not in PARTS:
        raise InputError(tr("There is no part “{part}”; choose one of {parts}.", part=part, parts=", ".join(PARTS)))
    check_target(tree, table)
    rows = table.rows(PARTS[part])
    weights = table.weights[rows] if table.weights is not None else np.ones(len(rows))
    if tree.task == "number":
        predicted = tree.predictions[leaves_of_rows(table, tree, assignment)[rows]]
        fit = _assess_number(part, table.y[rows], weights, predicted - table.origin)
        return replace(fit, error=fit.mae) if tree.predicts_median else fit
    classes = tuple(dict.fromkeys((*tree.classes, *table.classes)))
    counts = _leaf_counts(table, tree, part, classes, rows, weights, assignment)
    confusion = np.zeros((len(classes), len(classes)))
    np.add.at(confusion.T, tree.labels[tree.leaves], counts)
    weight = float(confusion.sum())
    if not weight > 0:
        return Fit(part, 0, 0.0, confusion=confusion, classes=classes)
    accuracy = float(np.trace(confusion)) / weight
    interval = wilson(accuracy, weight**2 / float((weights * weights).sum()))
    further = _of_probabilities(tree, counts) | {"loss": _loss(tree, confusion, classes)}
    if part == "validation" and tree.leaf_rule.smoothing == "honest":
        further |= {"log_loss": NAN, "brier": NAN}
    return Fit(part, len(rows), weight, 1.0 - accuracy, accuracy, interval, confusion, classes=classes, **further)


def wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's score interval (1927) of a share that was seen in n rows.

    With weights, n is Kish's effective number of rows (Σw)² ÷ Σw².
    """
    if not n > 0:
        return NAN, NAN
    z = Z_95
    centre = share + z * z / (2 * n)
    reach = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (centre - reach) / scale), min(1.0, (centre + reach) / scale)


def _leaf_counts(
    table: Table, tree: Tree, part: str, classes: tuple[str, ...], rows: NDArray[Any], weights: NDArray[np.float64],
    assignment: Assignment | None,
) -> NDArray[np.float64]:  # fmt: skip
    """float64[n_leaves, K], the weight of these classes in each leaf: the tree's own where it was counted on these
    rows, else from the rows."""
    leaves = tree.leaves
    if part != "test" and tree.counted_on == table.counts_key:
        return tree.stats(part)[leaves]
    counts = np.zeros((leaves.size, len(classes)))
    place = {name: i for i, name in enumerate(classes)}
    true = np.array([place[name] for name in table.classes], dtype=np.int64)[table.y[rows]]
    leaf = np.searchsorted(leaves, leaves_of_rows(table, tree, assignment)[rows])
    np.add.at(counts, (leaf, true), weights)
    return counts


def _loss(tree: Tree, confusion: NDArray[np.float64], classes: tuple[str, ...]) -> float:
    """The mean cost; a class that the tree does not know counts as it is, and to call it another one costs 1."""
    rule, known = tree.leaf_rule, len(tree.classes)
    factors = np.ones(len(classes))
    factors[:known] = rule.class_factors(tree.classes, tree.train[0])
    reweighed = confusion * factors[:, None]
    total = float(reweighed.sum())
    return float((reweighed * rule.cost_matrix(classes)).sum()) / total if total > 0 else NAN


def _of_probabilities(tree: Tree, counts: NDArray[np.float64]) -> dict[str, float]:
    """The figures of what each leaf gives to the classes, from the weight of each class in it: float64[n_leaves, K]."""
    found, shares = tree.probabilities[tree.leaves], tree.drawn[tree.leaves]
    known, total = found.shape[1], counts.sum()
    predicted = np.zeros_like(counts)  # the classes beyond those of the tree have none
    predicted[:, :known] = found
    # for each row Σ (p − o)² = Σ p² − 2 p(true) + 1
    squares = (counts * ((found**2).sum(axis=1, keepdims=True) + 1.0)).sum() - 2.0 * (counts[:, :known] * found).sum()
    return {
        "log_loss": float(-(counts * np.log(np.clip(predicted, LEAST, 1.0))).sum() / total),
        "brier": float(squares / total),
        "stochastic_error": float(1.0 - (counts[:, :known] * shares).sum() / total),
    }


def _assess_number(part: str, y: NDArray[Any], weights: NDArray[np.float64], predicted: NDArray[Any]) -> Fit:
    """The figures of a numeric target; y and predicted, float64[n], may both be shifted by the same origin."""
    weight = float(weights.sum())
    if not weight > 0:
        return Fit(part, 0, 0.0)
    residual = y - predicted
    mse = float(np.average(residual**2, weights=weights))
    deviation = y - np.average(y, weights=weights)
    # a mean of equal numbers is rounded
    spread = float(np.average(deviation**2, weights=weights)) if y.max() > y.min() else 0.0
    r2 = 1.0 - mse / spread if spread > 0 else NAN
    mae = float(np.average(np.abs(residual), weights=weights))
    return Fit(part, len(y), weight, mse, mse=mse, rmse=sqrt(mse), mae=mae, r2=r2)
