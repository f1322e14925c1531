"""Cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3)."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.pruning.cross_validation import cross_validate, training_costs
from engine.pruning.result import Nested, Pruning
from engine.pruning.row_losses import squared_losses, standard_error
from engine.pruning.sequence import links, locked, over_leaves, sequence, smallest_best, smallest_within
from engine.pruning.verdicts import Verdicts, bottom_up, mean_words
from engine.runtime.errors import InputError
from engine.table.words import number_words

if TYPE_CHECKING:
    from engine.pruning.options import Options
    from engine.pruning.result import Step
    from engine.runtime.progress import Progress
    from engine.table.table import Table
    from engine.tree import Tree

OWN = ("pinned", "locked", "label", "excluded", "criterion")  # entries of marks that a fold's tree has no nodes for
REGROWN = (
    "Cross-validation grew trees by the search options on each fold; the hand-made splits themselves were not "
    "cross-validated."
)
UNMARKED = (
    "Cross-validation grew trees by the search options on each fold; pins, locks and what else is written on single "
    "nodes took no part in it."
)
SOME_FOLDS = "Cross-validation was stopped; the folds that were finished chose."
NO_FOLD = "Cross-validation was stopped before a fold was finished, so the whole tree is recommended."
IDLE_FOLDS = "No fold has rows that count, so nothing was cross-validated and the whole tree is recommended."
NO_ROWS = (
    "judge cannot be “validation” without validation rows: set some aside with Data ▸ Partition… or --validation 0.3, "
    "or take “folds”."
)


def cost_complexity(table: "Table", tree: "Tree", options: "Options", progress: "Progress") -> Pruning:
    """The weakest-link sequence of the training risk, as rpart has it, or of the impurity, as scikit-learn has it.

    A pruning is charged training error (or the mean impurity of its leaves, by the criterion that the tree was grown
    with) + α × leaves; step i is the cheapest for α from its own alpha up to the next one's. The full tree stands first
    with alpha 0, even where other prunings cost as little with fewer leaves (they are the next step, of alpha 0 again).

    `least` is the least validation error where there are validation rows, else the least cross-validated error; fewer
    leaves where several are least. Chosen is the smallest tree whose error is at most `standard_errors` times the
    standard error of the least one above that (Breiman et al. 1984, 3.4.3); with 0 the least one itself.

    Raises:
        InputError: validation rows are to judge, and there are none.
    """
    has_rows = tree.loss_weight("validation")[0] > 0
    if options.judge == "validation" and not has_rows:
        raise InputError(NO_ROWS)
    cost, weight = training_costs(table, tree, options.measure)
    link = links(tree, cost, options.keep_by_hand)
    with np.errstate(invalid="ignore"):
        link = np.where(np.isfinite(link), np.maximum(link, 0.0) / weight if weight > 0 else 0.0, link)
    steps, gone = sequence(tree, link, first_alpha=0.0)
    by_folds = options.judge == "folds" or (options.judge == "auto" and not has_rows)
    remark = ""
    if by_folds and len(steps) > 1:
        steps = cross_validate(table, tree, steps, options, progress)
        errors, se = np.array([step.cv_error for step in steps]), np.array([step.cv_se for step in steps])
        remark = told_of_folds(tree, errors, progress)
    else:
        errors = np.array([step.validation_error for step in steps])
        spread = options.standard_errors > 0 and has_rows  # a tree that cannot be cut is judged by nobody
        se = _spread(table, tree, gone, errors, options) if spread else np.zeros(len(steps))
    least = smallest_best(errors)
    chosen = smallest_within(errors, se, least, options.standard_errors)
    verdicts = _verdicts(tree, cost / weight if weight > 0 else cost, steps, chosen, options)
    judged = not np.isnan(errors).all()
    return Pruning("cost_complexity", steps, chosen, tree, Nested(gone), remark, verdicts, least if judged else None)


def _spread(
    table: "Table", tree: "Tree", gone: NDArray[np.int32], errors: NDArray[np.float64], options: "Options"
) -> NDArray[np.float64]:
    """float64[n_steps]: the standard errors of validation errors."""
    loss_weight = float(tree.loss_weight("validation")[0])
    squares = over_leaves(tree, gone, errors.size, squared_losses(table, tree, options.assignment))
    weight, n_rows = float(tree.weight("validation")[0]), int(tree.rows_validation[0])
    return standard_error(errors * loss_weight, squares, weight, loss_weight, n_rows)


def _verdicts(
    tree: "Tree", cost: NDArray[np.float64], steps: "list[Step]", chosen: int, options: "Options"
) -> Verdicts | None:
    """The charges at the price of the chosen step; None where that is the full tree, which pays nothing."""
    if chosen == 0:
        return None
    alpha = steps[chosen].alpha
    what = "mean impurity" if options.measure == "impurity" else f"training {mean_words(tree)}"
    quantity = f"{what} + {number_words(alpha)} per leaf"
    return bottom_up(quantity, tree, cost + alpha, locked(tree, options.keep_by_hand))[0]


def told_of_folds(tree: "Tree", errors: NDArray[np.float64], progress: "Progress") -> str:
    """What there is to know about a choice by cross-validated errors; these are NaN where no fold judged."""
    judged = not np.isnan(errors).all()
    if progress.stopped:
        return " ".join(filter(None, (SOME_FOLDS, grown_anew(tree)))) if judged else NO_FOLD
    return grown_anew(tree) if judged else IDLE_FOLDS


def grown_anew(tree: "Tree") -> str:
    """What the trees of the folds have not of this one."""
    if bool(np.any(tree.by_hand & (tree.n_branches > 0))):
        return REGROWN
    marked = any(node and getattr(mark, name) for node, mark in tree.marks.items() for name in OWN)
    return UNMARKED if marked else ""
