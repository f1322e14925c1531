"""What a choice costs: the error of a chosen tree, as rows see it that had no part in the choice.

The lowest of many errors is too good: validation rows that choose among trees, as reduced-error pruning does, flatter
the tree that they take. So the choice is cross-fitted (Stone 1974; Varma and Simon 2006): the validation rows are dealt
into folds, each fold is left out once, the others choose, and the fold judges what they chose. The trees are grown
once; only the choice is repeated. The error is that of a choice by four fifths of the rows, so slightly too high.

The folds are not stratified by class. Where every fold has the class shares of the others, the rows left out are no
longer independent of those that choose, and a coin seems to be predicted: 1 point with 100 rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.assessment import NAN, Z_95, wilson
from engine.pruning.result import Pruning, prune
from engine.pruning.sequence import smallest_best
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.partition import UNUSED, VALIDATION, further_seed, row_hash
from engine.table.table import Table
from engine.tree.assignment import Assignment, leaves_of_rows
from engine.tree.tree import Tree

Floats = NDArray[np.float64]
FOLDS, DEALS = 5, 5  # more folds err more, for the choices of different folds share more rows; more deals err less
# The standard error, as a multiple of that of rows which one tree judges: the folds judge each other's choices (Bates,
# Hastie and Tibshirani 2024). Simulated it is 1.1 to 1.2 (tests/honesty/selection.py); and 1.3 to 1.55 where another
# tree's error is subtracted row by row, for that leaves the rows about which the choices differ.
WIDER, WIDER_APART = 1.17, 1.55


@dataclass(frozen=True, eq=False)
class Choice:
    """A tree that validation rows chose, as seen by rows that did not choose.

    Attributes:
        trees: how many were compared.
        shown: the mean loss of the chosen tree on all validation rows, which chose it.
        error: the mean loss of the folds, each judging the trees that the other folds chose; NaN where nothing was
            finished.
        interval: 95 % of that error.
        misses: float64[n_validation], of each validation row, in the order of the table, the share of the trees chosen
            without it that label it wrongly; or their mean squared error on it (absolute where they predict medians).
            NaN where no deal was finished.
    """

    trees: int
    shown: float
    error: float
    interval: tuple[float, float]
    misses: Floats

    @property
    def optimism(self) -> float:
        """By how much the shown error is too good."""
        return self.error - self.shown


def cross_fitted(
    table: Table, pruning: Pruning, *, keep_by_hand: bool = False, seed: int = 0, assignment: Assignment | None = None,
    progress: Progress | None = None, **options: Any,
) -> Choice:  # fmt: skip
    """Judges the choice among prunings that validation rows made.

    Args:
        table, keep_by_hand, options: as the pruning was made with.
        pruning: by a method that looks at validation rows, see `engine.pruning.chosen_by_validation`.
        seed: deals the rows out.
        assignment: of the tree that was pruned, if at hand.
        progress: a stop leaves the deals that were finished.

    Raises:
        InputError: as `engine.prune`.
    """
    rows = table.rows(VALIDATION)
    how: dict[str, Any] = {"keep_by_hand": keep_by_hand, "assignment": assignment, **options}

    def judge(held: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
        part = table.part.copy()
        part[rows[held]] = UNUSED
        made = prune(table.divided(part), pruning.full, pruning.method, **how)
        return losses_of(table, made.tree(made.chosen), rows[held])

    shown, tree = pruning.steps[pruning.chosen].validation_error, pruning.full
    shares = tree.task == "classes" and not tree.leaf_rule.costs
    return _judged(judge, rows.size, len(pruning.steps), shown, shares, seed, progress or Progress())


def best_of(losses: Floats, weights: Floats | None = None, seed: int = 0) -> Choice:
    """Judges the choice of the lowest mean loss among some trees, as a person makes it who tries settings.

    Args:
        losses: float64[n, K], of each validation row by each tree; of trees that are as good, the last one is taken.
        weights: float64[n], what the rows count.
    """
    n, n_trees = losses.shape
    weights = np.ones(n) if weights is None else weights

    def judge(held: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
        best = smallest_best(weights[~held] @ losses[~held])
        return losses[held, best], losses[held, best], weights[held]

    shown = float(np.min(weights @ losses) / weights.sum()) if n else NAN
    shares = bool(((losses == 0) | (losses == 1)).all())
    return _judged(judge, n, n_trees, shown, shares, seed, Progress())


def _judged(
    judge: Callable[[NDArray[np.bool_]], tuple[Floats, Floats, Floats]], n: int, trees: int, shown: float,
    shares: bool, seed: int, progress: Progress,
) -> Choice:  # fmt: skip
    """The choice by what `judge` answers where some of n rows are held out, as `losses_of` them; `shares`: losses are 0
    or 1."""
    sums, done = np.zeros((3, n)), 0
    for deal in range(DEALS if n > 1 else 0):
        fold, found = np.empty(n, np.int64), np.empty((3, n))
        fold[np.argsort(row_hash(n, further_seed(seed, deal)))] = np.arange(n) % FOLDS
        for k in range(min(FOLDS, n)):
            said = {"n": deal * FOLDS + k + 1, "all": FOLDS * DEALS}
            progress.report((deal + k / FOLDS) / DEALS, tr("Fold {n} of {all}", **said))
            if progress.stopped:
                break
            found[:, fold == k] = judge(fold == k)
        if progress.stopped:
            break
        sums, done = sums + found, done + 1
    misses, losses, weights = sums / done if done else np.full((3, n), NAN)
    total = float(weights.sum())
    if not total > 0:
        return Choice(trees, shown, NAN, (NAN, NAN), misses)
    mean = float(weights @ losses) / total
    if shares:
        return Choice(trees, shown, mean, wilson(mean, total**2 / float(weights @ weights) / WIDER**2), misses)
    reach = Z_95 * WIDER * sqrt(float(weights**2 @ (losses - mean) ** 2)) / total
    return Choice(trees, shown, mean, (mean - reach, mean + reach), misses)


def losses_of(table: Table, tree: Tree, rows: NDArray[np.integer[Any]]) -> tuple[Floats, Floats, Floats]:
    """Of some rows of the table that a tree is counted on, or a part of it, float64[n] each: whether the tree errs (or
    its squared or absolute error), the loss as in `Tree.costs`, and the weight of it."""
    leaf = leaves_of_rows(table.take(rows), tree)
    y, weights = table.y[rows], np.ones(rows.size) if table.weights is None else table.weights[rows]
    if tree.task == "number":
        apart = np.abs(y + table.origin - tree.predictions[leaf])
        loss = apart if tree.predicts_median else apart**2
        return loss, loss, weights
    label, factors = tree.labels[leaf], tree.leaf_rule.class_factors(tree.classes, tree.train[0])
    loss = tree.leaf_rule.cost_matrix(tree.classes)[y, label]
    return (label != y).astype(np.float64), loss, weights * factors[y]
