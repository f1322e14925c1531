"""Two trees on the same rows: which is better, by more than chance explains, and where they differ."""

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, norm

from engine.assessment import Fit, assess
from engine.assessment.auc_difference import AucDifference, auc_difference
from engine.assessment.intervals import NAN, Z_95, Floats
from engine.assessment.leaf_counts import PARTS
from engine.assessment.roc import SAME
from engine.assessment.selection import WIDER_APART, Choice
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.assignment import Assignment, leaves_of_rows
from engine.tree.tree import Tree


class Moves(NamedTuple):
    """Rows that two trees predict otherwise, by the leaf of either; those that differ most, all together, first.

    Attributes:
        first, second: int64[m], the ids of the leaves of the first and of the second tree.
        rows: int64[m], how many rows stand in both, each counted once.
        size: float64[m], how far apart the predictions of a row are: half the sum of the differences of all
            probabilities, 0 to 1, or the difference of the numbers.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    rows: NDArray[np.int64]
    size: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Comparison:
    """What two trees predict for the rows of one part.

    Attributes:
        part: "train", "validation" or "test".
        fits: what each does on them.
        n: rows, each as often as its frequency says, and once whatever else it weighs: the tests are of rows.
        differ: for how many of them the predictions differ.
        only_first, only_second: rows that only this one labels rightly (classes; 0 for numbers).
        p_value: that they would differ as much by chance: McNemar's exact test of the two counts (1947); of a
            numeric target, and where one of the trees was chosen by these rows, the paired z-test of the squared
            errors, or of the absolute ones where the first tree predicts medians. NaN without rows.
        difference: the error of the first less that of the second, the rows counted as in `n`; of a chosen tree the
            error on rows that had no part in the choice.
        interval: 95 % of that difference.
        fresh: whether p_value, difference and interval are of such rows.
        auc: of a class that was asked about, the areas under both ROC curves and the test of their difference; None of
            numbers, without rows, and where probabilities come from the rows of the part. The rows are weighted.
        moves: the pairs of leaves, one of each tree, that predict otherwise for the rows that stand in both.
        share_first, share_second: float64[n_nodes] of the first and of the second tree, the share of the part's rows
            in each node that the other tree predicts otherwise; NaN where there are none.
    """

    part: str
    fits: tuple[Fit, Fit]
    n: int
    differ: int
    only_first: int
    only_second: int
    p_value: float
    difference: float
    interval: tuple[float, float]
    fresh: bool
    auc: AucDifference | None
    moves: Moves
    share_first: NDArray[np.float64]
    share_second: NDArray[np.float64]


def compare(
    table: Table, first: Tree, second: Tree, part: str = "validation",
    assignments: tuple[Assignment | None, Assignment | None] = (None, None),
    choices: tuple[Choice | None, Choice | None] = (None, None), label: str = "",
) -> Comparison:  # fmt: skip
    """Sends the rows of one part down both trees.

    Args:
        assignments: of the first and of the second tree, if at hand.
        choices: how validation rows see the first and the second tree that had no part in choosing it, see
            `engine.cross_fitted`. Without it the test of two trees on rows that chose one of them is too sure: of
            reduced-error pruning and the tree before it, both of coins, it finds a difference in half of the tables.
            The areas under the curves know nothing of the choices.
        label: the class whose areas under the ROC curve are compared; by default the last one of the table.

    Raises:
        InputError: no such part or class, the trees predict different things, or one does not fit the table.
    """
    if (first.task, first.target) != (second.task, second.target):
        raise InputError(tr(
            "Trees that predict different things cannot be compared: “{one}” and “{other}”.", one=first.target,
            other=second.target))  # fmt: skip
    one, other = assignments
    fits = assess(table, first, part, assignment=one), assess(table, second, part, assignment=other)
    rows = table.rows(PARTS[part])
    leaves = [leaves_of_rows(table, tree, at)[rows] for tree, at in zip((first, second), assignments, strict=True)]
    names = list(dict.fromkeys((*table.classes, *first.classes, *second.classes)))
    predicted = [_predictions(table, tree, names)[leaf] for tree, leaf in zip((first, second), leaves, strict=True)]
    unlike, times = predicted[0] != predicted[1], np.ones(rows.size)
    if table.weights is not None and table.weights_are_counts:
        times = table.weights[rows]
    shares = [_shares(tree, leaf, unlike, times) for tree, leaf in zip((first, second), leaves, strict=True)]
    test = _of_classes if first.task == "classes" else _of_numbers
    figures = test(table, first, rows, predicted, times) if rows.size else (0, 0, NAN, NAN, (NAN, NAN))
    known = [one is not None and not np.isnan(one.misses).any() for one in choices]
    fresh = part == "validation" and rows.size > 0 and any(known)
    if fresh:
        errors = [
            choice.misses if choice is not None and known[k] else _errors(table, first, rows, predicted[k])
            for k, choice in enumerate(choices)
        ]
        figures = (*figures[:2], *_paired(errors[0] - errors[1], times, WIDER_APART))
    auc = _areas(table, (first, second), fits, rows, leaves, label) if first.task == "classes" else None
    moves = _moves((first, second), leaves, names, times)
    n, differ = round(float(times.sum())), round(float(times[unlike].sum()))
    return Comparison(part, fits, n, differ, *figures, fresh, auc, moves, *shares)


def _areas(
    table: Table, trees: tuple[Tree, Tree], fits: tuple[Fit, Fit], rows: NDArray[np.uint32],
    leaves: list[NDArray[np.int64]], label: str,
) -> AucDifference | None:  # fmt: skip
    """The areas under the ROC curves of a class; None where the rows cannot judge the probabilities of a tree."""
    if not all(fit.ranking(label or table.classes[-1]).threshold.size > 1 for fit in fits):
        return None
    label, scores = label or table.classes[-1], []
    for tree, leaf in zip(trees, leaves, strict=True):
        known = label in tree.classes  # a class that the tree has never seen has no probability
        scores.append(tree.probabilities[leaf, tree.classes.index(label)] if known else np.zeros(leaf.size))
    is_class = np.array([name == label for name in table.classes])[table.y[rows]]
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    return auc_difference(label, (scores[0], scores[1]), is_class, weights, table.weights_are_counts)


def _moves(trees: tuple[Tree, Tree], leaves: list[NDArray[np.int64]], names: list[str], times: Floats) -> Moves:
    """The pairs of leaves with rows in both and other predictions."""
    pairs, place = np.unique(leaves[0] * trees[1].n_nodes + leaves[1], return_inverse=True)
    rows = np.rint(np.bincount(place, times, pairs.size)).astype(np.int64)
    at = np.divmod(pairs, trees[1].n_nodes)
    if trees[0].task == "number":
        size = np.abs(trees[0].predictions[at[0]] - trees[1].predictions[at[1]])
    else:
        said = [np.zeros((pairs.size, len(names))) for _ in trees]
        for one, tree, leaf in zip(said, trees, at, strict=True):
            one[:, [names.index(name) for name in tree.classes]] = tree.probabilities[leaf]
        size = np.abs(said[0] - said[1]).sum(axis=1) / 2
    moved = np.flatnonzero(size > SAME)
    order = moved[np.argsort(-(rows * size)[moved], kind="stable")]
    return Moves(trees[0].ids[at[0][order]], trees[1].ids[at[1][order]], rows[order], size[order])


def _predictions(table: Table, tree: Tree, names: list[str]) -> NDArray[np.float64]:
    """float64[n_nodes]: the place in `names`, which begin with the table's, of the class that each node predicts;
    or the number that it predicts, less the table's origin."""
    if tree.task == "number":
        return np.asarray(tree.predictions - table.origin)
    return np.array([names.index(name) for name in tree.classes], np.float64)[tree.labels]


def _shares(tree: Tree, leaf: NDArray[np.int64], unlike: NDArray[np.bool_], times: Floats) -> NDArray[np.float64]:
    """float64[n_nodes], summed from the leaves upwards: a node's leaves are the slice position … end."""
    rows = np.concatenate(([0], np.cumsum(np.bincount(leaf, times, tree.n_nodes))))
    others = np.concatenate(([0], np.cumsum(np.bincount(leaf[unlike], times[unlike], tree.n_nodes))))
    n, k = (sums[tree.end] - sums[:-1] for sums in (rows, others))
    return np.divide(k, n, out=np.full(tree.n_nodes, NAN), where=n > 0)


def _of_classes(
    table: Table, tree: Tree, rows: NDArray[np.uint32], predicted: list[NDArray[np.float64]], times: Floats
) -> tuple[int, int, float, float, tuple[float, float]]:
    """(only the first right, only the second, p, difference of the errors, its 95 % interval by Wald for pairs)."""
    right = [one == table.y[rows] for one in predicted]
    only_first, only_second = (round(float(times[right[k] & ~right[1 - k]].sum())) for k in (0, 1))
    discordant, n = only_first + only_second, float(times.sum())
    p = float(binomtest(only_first, discordant).pvalue) if discordant else 1.0
    difference = (only_second - only_first) / n
    reach = Z_95 * sqrt(max(discordant / n - difference**2, 0.0) / n)
    return only_first, only_second, p, difference, (difference - reach, difference + reach)


def _of_numbers(
    table: Table, tree: Tree, rows: NDArray[np.uint32], predicted: list[NDArray[np.float64]], times: Floats
) -> tuple[int, int, float, float, tuple[float, float]]:
    """The same for a numeric target, of the differences of each row's two errors."""
    errors = [_errors(table, tree, rows, one) for one in predicted]
    return 0, 0, *_paired(errors[0] - errors[1], times)


def _errors(
    table: Table, tree: Tree, rows: NDArray[np.uint32], predicted: NDArray[np.float64]
) -> NDArray[np.float64]:  # fmt: skip
    """float64[n]: 1 where a class is wrong, the squared error of a number, the absolute one of a median."""
    if tree.task == "classes":
        return (predicted != table.y[rows]).astype(np.float64)
    far = np.abs(predicted - table.y[rows])
    return far if tree.predicts_median else far**2


def _paired(apart: Floats, times: Floats, wider: float = 1.0) -> tuple[float, float, tuple[float, float]]:
    """(p, mean, its 95 % interval) of the differences of each row's two errors, by the normal distribution; `times`:
    how many rows each stands for; `wider`: by what the standard error is multiplied."""
    n = float(times.sum())
    difference = float(times @ apart) / n
    spread = float(times @ (apart - difference) ** 2)
    se = wider * sqrt(spread / (n - 1) / n) if n > 1 else NAN
    p = float(2 * norm.sf(abs(difference) / se)) if se > 0 else 1.0 if difference == 0 else NAN
    return p, difference, (difference - Z_95 * se, difference + Z_95 * se)
