"""Which price per leaf to pay, by k-fold cross-validation (Breiman et al. 1984, 3.4.2; rpart's xpred)."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.pruning.criterion_of_tree import criterion_of, measured
from engine.pruning.result import Step
from engine.pruning.row_losses import squared_losses, standard_error
from engine.pruning.sequence import TIE, links, over_leaves, sequence
from engine.runtime.progress import Progress
from engine.tree.drops import impurities

if TYPE_CHECKING:
    from engine.pruning.options import Options
    from engine.table.table import Table
    from engine.tree import Tree

Floats = NDArray[np.float64]


class Judged(NamedTuple):
    """What the held rows say of one fold's tree, pruned to each price.

    Attributes:
        losses, squares: float64[n_prices], Σ w·l and Σ w·l² over the held rows, see `row_losses.standard_error`.
        weight, loss_weight: of the held rows. n_rows: how many they are.
    """

    losses: Floats
    squares: Floats
    weight: float
    loss_weight: float
    n_rows: int


def cross_validate(
    table: "Table",
    tree: "Tree",
    steps: list[Step],
    options: "Options",
    progress: Progress,
    judge: "Callable[[Table, Tree], Judged] | None" = None,
) -> list[Step]:
    """Fills in `cv_error` and `cv_se` of the steps of a sequence.

    Each fold is left out once: a tree is grown on the other training rows with the options that `tree` was grown
    with (the defaults for a tree made by hand), the columns left out and the criterion that its root says, and the leaf
    rule that it has; it is pruned to every step's price and judged on the fold, or to what else the steps stand for:
    `judge` then says what the validation rows of a table say of its tree for every step. Validation rows take no part.

    Folds whose rows weigh nothing are left out. A stop keeps the folds that are finished; without any the steps come
    back as they were.
    """
    judge = judge or _by_prices(representative_alphas(steps), options.measure)
    fold = folds_of(table, options)
    n_folds = int(fold.max()) + 1
    found = []
    for k in range(n_folds if n_folds > 1 else 0):
        divided, grown = _grown_without(table, tree, fold == k, _share(progress, k, n_folds))
        if progress.stopped:
            break
        if grown.loss_weight("validation")[0] > 0:  # without weight, or of classes with prior 0 only: judges nothing
            found.append(judge(divided, grown))
    if not found:
        return steps
    mean, se = errors_of(found)
    filled = zip(steps, mean.tolist(), se.tolist(), strict=True)
    return [step._replace(cv_error=cv_error, cv_se=cv_se) for step, cv_error, cv_se in filled]


def _by_prices(prices: Floats, measure: str) -> "Callable[[Table, Tree], Judged]":
    """Judges a fold's tree pruned to each of these prices per leaf."""
    return lambda table, grown: judged(table, grown, prices_of(table, grown, measure), prices)


def errors_of(found: list[Judged]) -> tuple[Floats, Floats]:
    """(float64[n_prices], float64[n_prices]): the mean loss of the rows of all folds together, and its standard
    error as if they had been judged by one tree (`row_losses.standard_error`); rpart's xerror and xstd but for the
    root's error, by which rpart divides them."""
    losses, squares = sum(one.losses for one in found), sum(one.squares for one in found)
    weight, loss_weight = sum(one.weight for one in found), sum(one.loss_weight for one in found)
    n_rows = sum(one.n_rows for one in found)
    mean = np.asarray(losses) / loss_weight
    return mean, standard_error(np.asarray(losses), np.asarray(squares), weight, loss_weight, n_rows)


def representative_alphas(steps: list[Step]) -> NDArray[np.float64]:
    """float64[n_steps]: the geometric mean of the alphas between which a step is the cheapest pruning.

    The last one holds for every larger alpha: +∞ when it is the root alone, else its own alpha. A full tree that
    is not even the cheapest at alpha 0 gets −1: no pruning at all.
    """
    alphas = np.array([step.alpha for step in steps])
    last = np.inf if steps[-1].leaves == 1 else alphas[-1]
    prices = np.append(np.sqrt(alphas[:-1] * alphas[1:]), last)
    if len(steps) > 1 and alphas[1] == 0.0:
        prices[0] = -1.0
    return prices


def training_costs(table: "Table", tree: "Tree", measure: str) -> tuple[Floats, float]:
    """(float64[n_nodes], what each node costs as a leaf on the training rows; the weight that this is a sum over).

    Args:
        measure: "risk", what `Tree.costs` says; "impurity", the criterion that the tree was grown with.
    """
    if measure == "risk":
        return tree.costs("train"), float(tree.loss_weight("train")[0])
    weight = tree.weight("train")
    return impurities(measured(table, tree), criterion_of(tree)) * weight, float(weight[0])


def judged(table: "Table", grown: "Tree", link: Floats, prices: Floats) -> Judged:
    """What the validation rows of a table say of a tree pruned to each price per leaf; link: as `sequence` takes it.

    A split that pays exactly the price goes, whatever the rounding."""
    steps, gone = sequence(grown, link, first_alpha=0.0)
    reached = np.searchsorted([step.alpha for step in steps[1:]], prices + TIE * np.abs(prices), side="right")
    loss_weight = float(grown.loss_weight("validation")[0])
    losses = np.array([step.validation_error for step in steps]) * loss_weight
    squares = over_leaves(grown, gone, len(steps), squared_losses(table, grown))
    weight, n_rows = float(grown.weight("validation")[0]), int(grown.rows_validation[0])
    return Judged(losses[reached], squares[reached], weight, loss_weight, n_rows)


def prices_of(table: "Table", grown: "Tree", measure: str) -> Floats:
    """float64[n_nodes]: the price per leaf at which each split of a fold's tree goes, −∞ for leaves."""
    cost, weight = training_costs(table, grown, measure)
    link = np.maximum(links(grown, cost, False), 0.0) / weight
    return np.where(grown.n_branches > 0, link, -np.inf)


def folds_of(table: "Table", options: "Options") -> NDArray[np.int64]:
    """int64[n_rows]: the fold of each row, as it was given or dealt; −1 for rows of none."""
    if isinstance(options.folds, int):
        return deal(table, options.folds, options.seed)
    from engine.table.partition import TRAIN

    return np.where(table.part == TRAIN, options.folds, -1).astype(np.int64)


def deal(table: "Table", folds: int, seed: int) -> NDArray[np.int64]:
    """int64[n_rows]: the fold of each training row, stratified by class, sizes equal but for one; −1 elsewhere."""
    from engine.table.partition import TRAIN, row_hash

    rows = table.rows(TRAIN)
    order = np.argsort(row_hash(table.n_rows, seed)[rows])  # no two are equal
    if table.task == "classes":
        order = order[np.argsort(table.y[rows[order]], kind="stable")]
    fold = np.full(table.n_rows, -1, np.int64)
    fold[rows[order]] = np.arange(len(rows)) % folds
    return fold


def _grown_without(table: "Table", tree: "Tree", held: NDArray[np.bool_], progress: Progress) -> "tuple[Table, Tree]":
    """Grows on the training rows that are not `held`; the held ones validate, alone. The table divided so, the tree."""
    from engine.growing import grow
    from engine.table.partition import UNUSED, VALIDATION
    from engine.tree import Tree
    from engine.tree.nodes import Mark

    waiting = np.where(table.part == VALIDATION, np.uint8(UNUSED), table.part)
    divided = table.divided(np.where(held, np.uint8(VALIDATION), waiting))
    everywhere = Mark(
        excluded=tree.mark(0).excluded, criterion=tree.mark(0).criterion
    )  # other nodes are the tree's own
    root = replace(Tree.root(divided), marks={0: everywhere})
    how = {**tree.options, **_leaf_options(tree)}
    return divided, grow(divided, tree=root, progress=progress, **how)


def _leaf_options(tree: "Tree") -> dict[str, Any]:
    """What the leaves say, as options: the folds err as the tree does, whatever it was grown with."""
    if tree.task == "number":
        return {"summary": "median" if tree.predicts_median else "mean"}
    return {**asdict(tree.leaf_rule), "summary": "mode"}


def _share(progress: Progress, k: int, n_folds: int) -> Progress:
    """The part of a progress that one fold takes; it stops when the whole does."""
    part = Progress(lambda done, text: progress.report((k + done) / n_folds, f"Fold {k + 1} of {n_folds}"))
    part.flag = progress.flag
    return part
