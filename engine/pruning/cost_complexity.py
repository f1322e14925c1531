"""Cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3)."""

from typing import TYPE_CHECKING

import numpy as np

from engine.pruning.cross_validation import cross_validate
from engine.pruning.result import Nested, Pruning
from engine.pruning.sequence import links, sequence, smallest_best

if TYPE_CHECKING:
    from engine.progress import Progress
    from engine.pruning.options import Options
    from engine.table import Table
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


def cost_complexity(table: "Table", tree: "Tree", options: "Options", progress: "Progress") -> Pruning:
    """The weakest-link sequence of the training risk, as rpart has it (scikit-learn takes the impurity).

    A pruning is charged training error + α × leaves; step i is the cheapest for α from its own alpha up to the
    next one's. The full tree stands first with alpha 0, even where other prunings err as little with fewer leaves
    (they are the next step, of alpha 0 again). Chosen is the least validation error where there are validation rows,
    else the least cross-validated error; fewer leaves where several are least.
    """
    weight = tree.loss_weight("train")[0]
    link = links(tree, tree.costs("train"), options.keep_by_hand)
    with np.errstate(invalid="ignore"):
        link = np.where(np.isfinite(link), np.maximum(link, 0.0) / weight if weight > 0 else 0.0, link)
    steps, gone = sequence(tree, link, first_alpha=0.0)
    if tree.loss_weight("validation")[0] > 0 or len(steps) == 1:
        errors = np.array([step.validation_error for step in steps])
        return Pruning("cost_complexity", steps, smallest_best(errors), tree, Nested(gone))
    steps = cross_validate(table, tree, steps, options, progress)
    errors = np.array([step.cv_error for step in steps])
    judged = not np.isnan(errors).all()  # a stop before the first fold leaves nothing
    by_hand = bool(np.any(tree.by_hand & (tree.n_branches > 0)))
    marked = any(node and getattr(mark, name) for node, mark in tree.marks.items() for name in OWN)
    remark = "" if not judged else REGROWN if by_hand else UNMARKED if marked else ""
    return Pruning("cost_complexity", steps, smallest_best(errors), tree, Nested(gone), remark)
