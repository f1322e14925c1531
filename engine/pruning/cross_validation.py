"""Which price per leaf to pay, by k-fold cross-validation (Breiman et al. 1984, 3.4.2; rpart's xpred)."""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.progress import Progress
from engine.pruning.result import Step
from engine.pruning.sequence import links, sequence

if TYPE_CHECKING:
    from engine.pruning.options import Options
    from engine.table import Table
    from engine.tree import Tree


def cross_validate(
    table: "Table", tree: "Tree", steps: list[Step], options: "Options", progress: Progress
) -> list[Step]:
    """Fills in `cv_error` and `cv_se` of the steps of a cost-complexity sequence.

    Each fold is left out once: a tree is grown on the other training rows with the options that `tree` was grown
    with (the defaults for a tree made by hand), the columns left out and the criterion that its root says, and the leaf
    rule that it has; it is pruned to every step's price and judged on the fold. The error is Σ cost / Σ weight over all
    folds, its standard error that of the mean of the fold errors.

    Folds whose rows weigh nothing are left out. A stop keeps the folds that are finished; without any the steps come
    back as they were.
    """
    prices = representative_alphas(steps)
    fold = folds_of(table, options)
    n_folds = int(fold.max()) + 1
    errors, weights = [], []
    for k in range(n_folds if n_folds > 1 else 0):
        grown = _grown_without(table, tree, fold == k, _share(progress, k, n_folds))
        if progress.stopped:
            break
        weight = grown.loss_weight("validation")[0]
        if weight > 0:  # rows without weight, or of classes with prior 0 only, judge nothing
            errors.append(errors_at(grown, prices))
            weights.append(weight)
    if not errors:
        return steps
    by_fold = np.array(errors)
    mean = np.average(by_fold, axis=0, weights=weights)
    spread = by_fold.std(axis=0, ddof=1) if len(errors) > 1 else np.full(len(steps), np.nan)
    se = spread / np.sqrt(len(errors))
    found = zip(steps, mean.tolist(), se.tolist(), strict=True)
    return [step._replace(cv_error=cv_error, cv_se=cv_se) for step, cv_error, cv_se in found]


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


def errors_at(grown: "Tree", prices: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n]: the validation error of the tree pruned to each price per leaf."""
    link = np.maximum(links(grown, grown.costs("train"), False), 0.0) / grown.loss_weight("train")[0]
    steps, _ = sequence(grown, np.where(grown.n_branches > 0, link, -np.inf), first_alpha=0.0)
    reached = np.searchsorted([step.alpha for step in steps[1:]], prices, side="right")
    return np.array([step.validation_error for step in steps])[reached]


def folds_of(table: "Table", options: "Options") -> NDArray[np.int64]:
    """int64[n_rows]: the fold of each row, as it was given or dealt; −1 for rows of none."""
    if isinstance(options.folds, int):
        return deal(table, options.folds, options.seed)
    from engine.partition import TRAIN

    return np.where(table.part == TRAIN, options.folds, -1).astype(np.int64)


def deal(table: "Table", folds: int, seed: int) -> NDArray[np.int64]:
    """int64[n_rows]: the fold of each training row, stratified by class, sizes equal but for one; −1 elsewhere."""
    from engine.partition import TRAIN, row_hash

    rows = table.rows(TRAIN)
    order = np.argsort(row_hash(table.n_rows, seed)[rows])  # no two are equal
    if table.task == "classes":
        order = order[np.argsort(table.y[rows[order]], kind="stable")]
    fold = np.full(table.n_rows, -1, np.int64)
    fold[rows[order]] = np.arange(len(rows)) % folds
    return fold


def _grown_without(table: "Table", tree: "Tree", held: NDArray[np.bool_], progress: Progress) -> "Tree":
    """Grows on the training rows that are not `held`; the held ones validate."""
    from engine.induction import grow
    from engine.marks import Mark
    from engine.partition import VALIDATION
    from engine.tree import Tree

    divided = table.divided(np.where(held, np.uint8(VALIDATION), table.part))
    everywhere = Mark(
        excluded=tree.mark(0).excluded, criterion=tree.mark(0).criterion
    )  # other nodes are the tree's own
    root = replace(Tree.root(divided), marks={0: everywhere})
    return grow(divided, tree=root, progress=progress, **{**tree.options, **_leaf_options(tree)})


def _leaf_options(tree: "Tree") -> dict[str, Any]:
    """What the leaves say, as options: the folds err as the tree does, whatever it was grown with."""
    if tree.task == "number":
        return {"summary": "median" if tree.says_median else "mean"}
    return {**asdict(tree.leaf_rule), "summary": "mode"}


def _share(progress: Progress, k: int, n_folds: int) -> Progress:
    """The part of a progress that one fold takes; it stops when the whole does."""
    part = Progress(lambda done, text: progress.report((k + done) / n_folds, f"Fold {k + 1} of {n_folds}"))
    part.flag = progress.flag
    return part
