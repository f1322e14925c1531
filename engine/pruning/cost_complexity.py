"""Cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3)."""

import numpy as np

from engine.pruning.cross_validation import Judged, cross_validate, squared_losses, training_costs
from engine.pruning.options import Options
from engine.pruning.result import Nested, Pruning, mean_words
from engine.pruning.sequence import (
    bottom_up,
    links,
    locked,
    over_leaves,
    prices,
    sequence,
    smallest_best,
    smallest_within,
    validation_weight,
)
from engine.runtime.progress import Progress
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.tree import Tree


def cost_complexity(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
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
    if options.judge == "validation":
        validation_weight(tree)
    cost, weight = training_costs(table, tree, options.measure)
    steps, gone = sequence(tree, prices(links(tree, cost, options.keep_by_hand), weight))
    remark, se = "", np.zeros(len(steps))
    if (options.judge == "folds" or (options.judge == "auto" and not has_rows)) and len(steps) > 1:
        steps, remark = cross_validate(table, tree, steps, options, progress)
        errors, se = np.array([step.cv_error for step in steps]), np.array([step.cv_se for step in steps])
    else:
        errors = np.array([step.validation_error for step in steps])
        if options.standard_errors > 0 and has_rows:  # a tree that cannot be cut is judged by nobody
            squares = over_leaves(tree, gone, errors.size, squared_losses(table, tree, options.assignment))
            se = Judged.of(tree, errors * validation_weight(tree), squares).standard_error()
    least = smallest_best(errors)
    chosen = smallest_within(errors, se, least, options.standard_errors)
    verdicts = None
    if chosen > 0:  # the full tree pays nothing
        alpha = steps[chosen].alpha
        what = "mean impurity" if options.measure == "impurity" else f"training {mean_words(tree)}"
        charged = (cost / weight if weight > 0 else cost) + alpha
        kept = locked(tree, options.keep_by_hand)
        verdicts = bottom_up(f"{what} + {number_words(alpha)} per leaf", tree, charged, kept)[0]
    judged = not np.isnan(errors).all()
    return Pruning("cost_complexity", steps, chosen, tree, Nested(gone), remark, verdicts, least if judged else None)
