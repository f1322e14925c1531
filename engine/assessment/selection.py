"""What a choice costs: the error of a chosen tree, as rows see it that had no part in the choice.

The lowest of many errors is too good: validation rows that choose among trees, as reduced-error pruning does, flatter
the tree that they take. So the choice is cross-fitted (Stone 1974; Varma and Simon 2006): the validation rows are dealt
into folds, each fold is left out once, the others choose, and the fold judges what they chose. The trees are grown
once; only the choice is repeated. The error is that of a choice by four fifths of the rows, so slightly too high.

The folds are not stratified by class. Where every fold has the class shares of the others, the rows left out are no
longer independent of those that choose, and a coin seems to be predicted: 1 point with 100 rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.assessment.intervals import NAN, Z_95, wilson
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
class Deals:
    """What the folds of every deal say, so that a choice among chosen trees can be judged as well.

    Attributes:
        losses: float[DEALS, n_validation], the loss of each validation row by the tree chosen without its fold.
        without: float64[DEALS, FOLDS], the mean loss of that tree on the rows outside of the fold, which chose it; NaN
            where nothing was finished.
    """

    losses: NDArray[np.floating[Any]]
    without: Floats


NO_DEALS = Deals(np.zeros((0, 0)), np.zeros((0, 0)))


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
        deals: the losses fold by fold, for `best_of`.
    """

    trees: int
    shown: float
    error: float
    interval: tuple[float, float]
    misses: Floats = field(default_factory=lambda: np.zeros(0))
    deals: Deals = NO_DEALS

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
    rows, tree = table.rows(VALIDATION), pruning.full
    how: dict[str, Any] = {"keep_by_hand": keep_by_hand, "assignment": assignment, **options}
    progress = progress or Progress()
    shape = DEALS, rows.size
    misses, losses, weights = np.full(shape, NAN), np.full(shape, NAN), np.full(shape, NAN)
    without = np.full((DEALS, FOLDS), NAN)
    for deal, folds in enumerate(_folds(rows.size, seed)):
        for k in range(min(FOLDS, rows.size) if rows.size > 1 else 0):
            said = {"n": deal * FOLDS + k + 1, "all": FOLDS * DEALS}
            progress.report((deal + k / FOLDS) / DEALS, tr("Fold {n} of {all}", **said))
            if progress.stopped:
                break
            held, part = folds == k, table.part.copy()
            part[rows[held]] = UNUSED
            made = prune(table.divided(part), tree, pruning.method, **how)
            found = losses_of(table, made.tree(made.chosen), rows[held])
            misses[deal, held], losses[deal, held], weights[deal, held] = found
            without[deal, k] = made.steps[made.chosen].validation_error
        if progress.stopped:
            misses[deal:] = NAN  # a deal counts whole
            break
    shown, shares = pruning.steps[pruning.chosen].validation_error, tree.task == "classes" and not tree.leaf_rule.costs
    return _judged(len(pruning.steps), shown, misses, Deals(losses, without), weights, shares)


def unchosen_parts(tree: Tree, compared: int) -> tuple[str, ...]:
    """The parts whose figures may have an interval: not training rows, which made the tree; nor validation rows that
    chose it, whether among several trees or beside a curve on which a threshold was set.

    Args:
        compared: how many trees the validation rows have compared.
    """
    by_validation = compared > 1 or (tree.task == "classes" and tree.leaf_rule.threshold is not None)
    return ("test",) if by_validation else ("validation", "test")


def best_of(
    trees: Sequence[Choice | NDArray[np.floating[Any]]], weights: Floats | None = None, *, shares: bool, seed: int = 0
) -> Choice:
    """Judges the choice of the lowest mean loss among some trees, as a person makes it who tries settings. Where
    validation rows chose some of these trees already, as by pruning, both choices are made without the rows that judge.

    Args:
        trees: float[n] of each, the losses of the validation rows; or a tree's own `Choice` among others, by the same
            rows and seed. Of trees that are as good, the last one is taken.
        weights: float64[n], what the rows count.
        shares: whether the losses tell which labels are wrong.
        seed: deals the rows out.

    Returns:
        Its `misses` are the losses, whatever these are.
    """
    if weights is None:
        weights = np.ones(trees[0].misses.size if isinstance(trees[0], Choice) else trees[0].size)
    dealt = [one.deals if isinstance(one, Choice) else _alone(one, weights, seed) for one in trees]
    n, losses = weights.size, np.full((DEALS, weights.size), NAN)
    for deal, folds in enumerate(_folds(n, seed)):
        for k in range(min(FOLDS, n)):
            without = np.array([one.without[deal, k] for one in dealt])
            if not np.isnan(without).any():  # or else a tree's own choice was stopped before this deal
                losses[deal, folds == k] = dealt[smallest_best(without)].losses[deal, folds == k]
    deals = Deals(losses, np.min([one.without for one in dealt], axis=0))
    n_trees = sum(one.trees if isinstance(one, Choice) else 1 for one in trees)
    total = float(weights.sum())
    shown = min(one.shown if isinstance(one, Choice) else float(weights @ one) / (total or NAN) for one in trees)
    return _judged(n_trees, shown, losses, deals, np.tile(weights, (DEALS, 1)), shares)


def _alone(losses: NDArray[np.floating[Any]], weights: Floats, seed: int) -> Deals:
    """The deals of a tree that no validation rows chose."""
    without = np.full((DEALS, FOLDS), NAN)
    for deal, folds in enumerate(_folds(losses.size, seed)):
        rest, cost = (one.sum() - np.bincount(folds, one, FOLDS) for one in (weights, weights * losses))
        np.divide(cost, rest, out=without[deal], where=rest > 0)
    return Deals(np.broadcast_to(losses, (DEALS, losses.size)), without)


def _folds(n: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """int64[n] of each deal, the fold of every row."""
    for deal in range(DEALS):
        folds = np.empty(n, np.int64)
        folds[np.argsort(row_hash(n, further_seed(seed, deal)))] = np.arange(n) % FOLDS
        yield folds


def _judged(trees: int, shown: float, misses: Floats, deals: Deals, weights: Floats, shares: bool) -> Choice:
    """The choice by the deals that were finished, the first ones; `misses`, `weights`: float64[DEALS, n]."""
    done = int(np.count_nonzero(~np.isnan(misses).any(axis=1))) if misses.shape[1] > 1 else 0
    if not done or not weights[:done].sum() > 0:
        return Choice(trees, shown, NAN, (NAN, NAN), np.full(misses.shape[1], NAN), deals)
    missed, losses, counts = (one[:done].mean(axis=0) for one in (misses, deals.losses, weights))
    total = float(counts.sum())
    mean = float(counts @ losses) / total
    if shares:
        interval = wilson(mean, total**2 / float(counts @ counts) / WIDER**2)
    else:
        reach = Z_95 * WIDER * sqrt(float(counts**2 @ (losses - mean) ** 2)) / total
        interval = mean - reach, mean + reach
    return Choice(trees, shown, mean, interval, missed, deals)


def losses_of(table: Table, tree: Tree, rows: NDArray[np.integer[Any]]) -> tuple[Floats, Floats, Floats]:
    """Of some rows of the table that a tree is counted on, or a part of it, float64[n] each: whether the tree errs (or
    its squared or absolute error), the loss as in `Tree.costs`, and the weight of it."""
    return losses_at(table, tree, rows, leaves_of_rows(table.take(rows), tree))


def losses_at(
    table: Table, tree: Tree, rows: NDArray[np.integer[Any]], leaf: NDArray[np.int64]
) -> tuple[Floats, Floats, Floats]:
    """`losses_of` of rows whose leaves are known: int64[n], their positions."""
    y, weights = table.y[rows], np.ones(rows.size) if table.weights is None else table.weights[rows]
    if tree.task == "number":
        apart = np.abs(y + table.origin - tree.predictions[leaf])
        loss = apart if tree.predicts_median else apart**2
        return loss, loss, weights
    label, factors = tree.labels[leaf], tree.leaf_rule.class_factors(tree.classes, tree.train[0])
    loss = tree.leaf_rule.cost_matrix(tree.classes)[y, label]
    return (label != y).astype(np.float64), loss, weights * factors[y]
