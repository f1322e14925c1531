"""Structural risk minimization over all prunings: error + √(size ÷ m)."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.pruning.cost_complexity import NO_ROWS, told_of_folds
from engine.pruning.cross_validation import Judged, cross_validate
from engine.pruning.result import NAN, Pruning, Step
from engine.pruning.row_losses import squared_losses
from engine.pruning.sequence import TIE, locked, smallest_best
from engine.pruning.size_sequence import Ladder, ladder
from engine.pruning.verdicts import Sizes, WholeTree, bottom_up, loss_words, mean_words
from engine.runtime.errors import InputError
from engine.table.words import number_words
from engine.theory.bounds import srm_penalty

if TYPE_CHECKING:
    from engine.pruning.options import Options
    from engine.runtime.progress import Progress
    from engine.table.table import Table
    from engine.tree import Tree

Floats = NDArray[np.float64]

NO_RISK = (
    "Its penalty √(size ÷ m) is for errors, shares between 0 and 1, which a numeric target has not; prune by cost "
    "complexity, which looks at the same trees."
)


def srm(table: "Table", tree: "Tree", options: "Options", progress: "Progress") -> Pruning:
    """The best pruning for every number of leaves, and of them the one that minimizes error + √(size ÷ m).

    Size is what the notes' recursion counts, s = s₀ + s₁ + 1 at a split: leaves and splits, 2 · leaves − 1 of a binary
    tree. A split into b branches counts as the b − 1 binary ones that it stands for, so that the number of leaves says
    the size of any tree; m counts training rows. With costs in the leaf rule an error is a share of the dearest
    mistake.

    As the penalty is concave in the size, its minimum lies on the lower hull of the front, which is the weakest-link
    sequence: along an edge of the hull a line and a concave function add up to a concave one, so an end of it is best.
    So it is found beyond the end of the front (`most_leaves`), too.

    `judge` lets rows choose instead, as the notes would have it: validation rows, or cross-validation among the numbers
    of leaves; each fold's tree is cut back to the best one of at most so many. `max_errors` goes before both: the
    fewest leaves with at most that weight of errors on the training rows.

    Raises:
        InputError: validation rows are to judge, and there are none; or no pruning errs so little.
    """
    if options.judge == "validation" and not tree.loss_weight("validation")[0] > 0:
        raise InputError(NO_ROWS)
    weight = float(tree.loss_weight("train")[0])
    rungs = ladder(
        tree, tree.costs("train"), weight, options.keep_by_hand, options.most_leaves, tree.costs("validation")
    )
    steps = _steps(tree, rungs)
    remark = ""
    if options.max_errors is not None:
        chosen, remark = _within(tree, rungs, options.max_errors)
        allowed = _allowed(table, tree, rungs.tree(tree, chosen), options)
        return Pruning("srm", steps, chosen, tree, rungs, remark, allowed)
    if options.judge == "auto":
        return _by_penalty(tree, rungs, steps, options)
    if options.judge == "folds" and len(steps) > 1:
        steps = cross_validate(table, tree, steps, options, progress, _by_leaves(rungs.leaves, options.most_leaves))
        errors = np.array([step.cv_error for step in steps])
        remark = told_of_folds(tree, errors, progress)
    else:
        errors = np.array([step.validation_error for step in steps])
    chosen = smallest_best(errors)
    if np.isnan(errors).all():
        return Pruning("srm", steps, chosen, tree, rungs, remark)
    sizes = _by_size(tree, rungs, chosen, errors, options)
    return Pruning("srm", steps, chosen, tree, rungs, remark, sizes, chosen)


def _steps(tree: "Tree", rungs: Ladder) -> list[Step]:
    """What the trees of all rungs cost."""

    def errors(part: str, sums: Floats) -> list[float]:
        weight = float(tree.loss_weight(part)[0])
        found: list[float] = (np.maximum(sums, 0.0) / weight).tolist() if weight > 0 else [NAN] * sums.size
        return found

    train, validation = errors("train", rungs.sums[0]), errors("validation", rungs.sums[1])
    return list(map(Step, rungs.leaves.tolist(), train, validation, rungs.alphas.tolist()))


def _by_penalty(tree: "Tree", rungs: Ladder, steps: list[Step], options: "Options") -> Pruning:
    """The least error + √(size ÷ m); fewer leaves where several are least.

    Why a split stayed or went is told at a price per leaf, as that is what was compared: the slope of the penalty at
    the size that was chosen. At that price the chosen tree is the cheapest of all, for it is a corner of the hull.
    """
    n_rows, weight = int(tree.rows_train[0]), float(tree.loss_weight("train")[0])
    if not weight > 0:
        return Pruning("srm", steps, 0, tree, rungs)
    scale = float(tree.leaf_rule.cost_matrix(tree.classes).max()) if tree.leaf_rule.costs else 1.0
    penalty = scale * srm_penalty(2 * rungs.leaves - 1, n_rows)
    chosen = smallest_best(np.array([step.train_error for step in steps]) + penalty)
    price = scale / math.sqrt(n_rows * (2 * steps[chosen].leaves - 1))
    quantity = f"training {mean_words(tree)} + {number_words(price)} per leaf, what √(size ÷ m) grows by"
    kept = locked(tree, options.keep_by_hand)
    verdicts = bottom_up(quantity, tree, tree.costs("train") / weight + price, kept)[0]
    return Pruning("srm", steps, chosen, tree, rungs, verdicts=verdicts)


def _within(tree: "Tree", rungs: Ladder, max_errors: float) -> tuple[int, str]:
    """(The rung with the fewest leaves with at most so many errors, what is to be said of it)."""
    errors = rungs.sums[0]
    enough = np.flatnonzero(errors <= max_errors + TIE * abs(max_errors))
    if not enough.size:
        raise InputError(
            f"No pruning has at most {max_errors:,} errors on the training rows: the fewest are "
            f"{number_words(float(errors.min()))}."
        )
    chosen, cap = int(enough[-1]), rungs.front.cap
    if rungs.leaves[chosen] <= cap or cap >= tree.n_leaves:
        return chosen, ""
    return chosen, f"Every size was looked at up to {cap:,} leaves, beyond that only the sizes of cost complexity."


def _allowed(table: "Table", tree: "Tree", best: "Tree", options: "Options") -> WholeTree:
    """What the whole tree errs with each node as a leaf, against what it may; a leaf fewer would be too many errors."""
    cost, stands = tree.costs("train"), np.isin(tree.ids, best.ids[best.n_branches > 0])
    shown = np.isin(tree.ids, best.ids[best.leaves])
    before = np.append(0.0, np.cumsum(np.where(shown, cost, 0.0)))
    below = before[tree.end] - before[:-1]
    asked = (tree.n_branches > 0) & ~locked(tree, options.keep_by_hand)
    errors = before[-1] + np.where(stands, cost - below, 0.0)
    quantity = f"{loss_words(table, tree)} of the whole tree on the training rows"
    return WholeTree(quantity, np.where(asked, errors, np.nan), float(options.max_errors or 0))


def _by_size(tree: "Tree", rungs: Ladder, chosen: int, errors: Floats, options: "Options") -> Sizes:
    """The rows compared the best trees of all sizes: those with more leaves and fewer decide about a node."""
    best = rungs.tree(tree, chosen)
    stands = np.isin(tree.ids, best.ids[best.n_branches > 0])
    shown = np.append(0, np.cumsum(np.isin(tree.ids, best.ids[best.leaves])))
    gone = np.where(stands, 0, np.maximum(tree.n_branches - 1, 0)).astype(np.int64)  # leaves that its split would add
    for nodes in (np.flatnonzero(tree.level == level) for level in range(1, tree.depth + 1)):
        gone[nodes] += gone[tree.parent[nodes]]
    other = best.n_leaves + np.where(stands, 1 - (shown[tree.end] - shown[:-1]), gone)
    asked = (tree.n_branches > 0) & ~locked(tree, options.keep_by_hand)
    quantity = f"{'Cross-validated' if options.judge == 'folds' else 'Validation'} {mean_words(tree)}"
    by_size = dict(zip(rungs.leaves.tolist(), errors.tolist(), strict=True))
    return Sizes(quantity, by_size, best.n_leaves, np.where(asked, other, 0))


def _by_leaves(leaves: NDArray[np.int64], most_leaves: int) -> "Callable[[Table, Tree], Judged]":
    """Judges a fold's tree cut back to the best one with at most so many leaves, for each of these numbers."""

    def judge(table: "Table", grown: "Tree") -> Judged:
        squares, weight = squared_losses(table, grown), float(grown.loss_weight("train")[0])
        rungs = ladder(grown, grown.costs("train"), weight, False, most_leaves, grown.costs("validation"), squares)
        reached = np.minimum(np.searchsorted(-rungs.leaves, -leaves), rungs.leaves.size - 1)  # the first that fits
        n_rows, all_weight = int(grown.rows_validation[0]), float(grown.weight("validation")[0])
        loss_weight = float(grown.loss_weight("validation")[0])
        return Judged(rungs.sums[1][reached], rungs.sums[2][reached], all_weight, loss_weight, n_rows)

    return judge
