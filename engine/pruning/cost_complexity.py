"""Cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3).

The trees and their alphas are those of `engine.pruning.sequence`.
"""

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.growing import grow
from engine.pruning.growth import criterion_of, measured
from engine.pruning.metrics import mean_words
from engine.pruning.options import Options
from engine.pruning.result import NAN, Nested, Pruning, Step
from engine.pruning.sequence import (
    TIE,
    Floats,
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
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import marked, tr
from engine.search.tally import power_sums
from engine.table.folds import by_class, held_out
from engine.table.partition import TRAIN, VALIDATION, further_seed
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.arrays import Mark, impurities
from engine.tree.assignment import Assignment, assign
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
    remark, se, found = "", np.zeros(len(steps)), list[Judged]()
    if (options.judge == "folds" or (options.judge == "auto" and not has_rows)) and len(steps) > 1:
        steps, remark, found = cross_validate(table, tree, steps, options, progress)
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
        quantity = tr("Training {mean} + {price} per leaf", mean=mean_words(tree), price=number_words(alpha))
        if options.measure == "impurity":
            quantity = tr("Mean impurity + {price} per leaf", price=number_words(alpha))
        charged = (cost / weight if weight > 0 else cost) + alpha
        kept = locked(tree, options.keep_by_hand)
        verdicts = bottom_up(quantity, tree, charged, kept)[0]
    judged = not np.isnan(errors).all()
    optimism = optimism_of(found, chosen, options.standard_errors)
    found_least = least if judged else None
    return Pruning("cost_complexity", steps, chosen, tree, Nested(gone), remark, verdicts, found_least, optimism)


# -- choosing a step by k-fold cross-validation (Breiman et al. 1984, 3.4.2; rpart's xpred), and standard errors


OWN = ("pinned", "locked", "label", "excluded", "criterion")  # entries of marks that a fold's tree has no nodes for
REGROWN = marked(
    "Cross-validation grew trees by the search options on each fold; the hand-made splits themselves were not "
    "cross-validated."
)
UNMARKED = marked(
    "Cross-validation grew trees by the search options on each fold; pins, locks and what else is written on single "
    "nodes took no part in it."
)
SOME_FOLDS = marked("Cross-validation was stopped; the folds that were finished chose.")
NO_FOLD = marked("Cross-validation was stopped before a fold was finished, so the whole tree is recommended.")
MOST_KEPT = 100  # trees that folds of counted rows grew
IDLE_FOLDS = marked("No fold has rows that count, so nothing was cross-validated and the whole tree is recommended.")


class Judged(NamedTuple):
    """What the validation rows say of one tree, pruned to every step.

    Attributes:
        losses, squares: float64[n_steps], Σ w·l and Σ w·l² over these rows, l the loss of a row times the prior of its
            class.
        weight, loss_weight: Σ w, and what a mean loss is divided by. n_rows: how many rows there are.
    """

    losses: Floats
    squares: Floats
    weight: float
    loss_weight: float
    n_rows: float

    @classmethod
    def of(cls, tree: Tree, losses: Floats, squares: Floats) -> "Judged":
        """What the validation rows of a tree say."""
        weight, loss_weight = float(tree.weight("validation")[0]), float(tree.loss_weight("validation")[0])
        return cls(losses, squares, weight, loss_weight, int(tree.rows_validation[0]))

    def standard_error(self) -> Floats:
        """float64[n_steps]: the standard error of the mean losses, from the spread of the losses of single rows.

        √((Σ w·l² ÷ Σ w − (Σ w·l ÷ Σ w)²) ÷ n): of rows that are wrong or right √(R · (1 − R) ÷ n) (Breiman, Friedman,
        Olshen and Stone 1984, 1.4 and 11.4), the xstd of rpart. n counts rows: scaling all weights changes nothing.
        Over folds the rows of all of them count together, as in both: that trees of different folds share rows is left
        aside.
        """
        variance = np.maximum(self.squares / self.weight - (self.losses / self.weight) ** 2, 0.0)
        return np.asarray(np.sqrt(variance / self.n_rows) * (self.weight / self.loss_weight))


def cross_validate(
    table: Table, tree: Tree, steps: list[Step], options: Options, progress: Progress,
    judge: Callable[[Table, Tree], Judged] | None = None,
) -> tuple[list[Step], str, list[Judged]]:  # fmt: skip
    """(the steps of a sequence with `cv_error` and `cv_se`, what there is to know about a choice by these, what each
    fold says).

    Each fold is left out once: a tree is grown on the other training rows with the options that `tree` was grown
    with (the defaults for a tree made by hand), the columns left out and the criterion that its root says, and the leaf
    rule that it has; it is pruned to every step's price and judged on the fold, or to what else the steps stand for:
    `judge` then says what the validation rows of a table say of its tree for every step. Validation rows take no part.

    Folds whose rows weigh nothing are left out. A stop keeps the folds that are finished; without any the steps come
    back as they were.
    """
    alphas = representative_alphas(steps)
    judge = judge or (lambda table, grown: judged(table, grown, prices_of(table, grown, options.measure), alphas))
    ways = _divisions(table, options)
    found = []
    for done, divide in enumerate(ways):
        part = _share(progress, done, len(ways))
        try:
            divided = divide(part)
        except Stopped:
            break
        grown = _grown_on(divided, tree, part, table, (done, options.folds, options.repeats, options.seed))
        if progress.stopped:
            break
        if grown.loss_weight("validation")[0] > 0:  # without weight, or of classes with prior 0 only: judges nothing
            found.append(judge(divided, grown))
    on_nodes = any(node and getattr(mark, name) for node, mark in tree.marks.items() for name in OWN)
    by_hand = bool(np.any(tree.by_hand & (tree.n_branches > 0)))
    remark = IDLE_FOLDS if not found else REGROWN if by_hand else UNMARKED if on_nodes else ""
    remarks = [tr(remark)] if remark else []
    if progress.stopped:
        remarks = [tr(SOME_FOLDS), *remarks] if found else [tr(NO_FOLD)]
    remark = " ".join(remarks)
    if not found:
        return steps, remark, found
    deals = options.repeats if isinstance(options.folds, int) else 1
    mean, se = errors_of(found, max(1.0, deals * len(found) / len(ways)))
    filled = zip(steps, mean.tolist(), se.tolist(), strict=True)
    return [step._replace(cv_error=cv_error, cv_se=cv_se) for step, cv_error, cv_se in filled], remark, found


def optimism_of(found: list[Judged], chosen: int, standard_errors: float = 0.0) -> float:
    """By how much the cross-validated error of the chosen step is expected to be too good, for it is the lowest of many
    (Tibshirani and Tibshirani 2009): the mean over folds of its error there less that of the step that the fold alone
    would choose. NaN without folds."""
    too_good = []
    for one in found:
        errors, se = errors_of([one])
        own = smallest_within(errors, se, smallest_best(errors), standard_errors)
        too_good.append(float(errors[chosen] - errors[own]))
    return float(np.mean(too_good)) if too_good else NAN


def errors_of(found: list[Judged], deals: float = 1.0) -> tuple[Floats, Floats]:
    """(float64[n_steps], float64[n_steps]): the mean loss of the rows of all folds together, and its standard error as
    if they had been judged by one tree; rpart's xerror and xstd but for the root's error, by which rpart divides.

    deals: how often the rows were dealt into folds. That makes the mean steadier, but no new rows: the standard error
        is that of the rows once.
    """
    together = Judged(
        np.asarray(sum(one.losses for one in found)), np.asarray(sum(one.squares for one in found)),
        sum(one.weight for one in found), sum(one.loss_weight for one in found),
        sum(one.n_rows for one in found) / deals,
    )  # fmt: skip
    return together.losses / together.loss_weight, together.standard_error()


def representative_alphas(steps: list[Step]) -> Floats:
    """float64[n_steps]: the geometric mean of the alphas between which a step is the cheapest pruning.

    The last one holds for every larger alpha: +∞ when it is the root alone, else its own alpha. A full tree that
    is not even the cheapest at alpha 0 gets −1: no pruning at all.
    """
    alphas = np.array([step.alpha for step in steps])
    last = np.inf if steps[-1].leaves == 1 else alphas[-1]
    found = np.append(np.sqrt(alphas[:-1] * alphas[1:]), last)
    if len(steps) > 1 and alphas[1] == 0.0:
        found[0] = -1.0
    return found


def training_costs(table: Table, tree: Tree, measure: str) -> tuple[Floats, float]:
    """(float64[n_nodes], what each node costs as a leaf on the training rows; the weight that this is a sum over).

    Args:
        measure: "risk", what `Tree.costs` says; "impurity", the criterion that the tree was grown with.
    """
    if measure == "risk":
        return tree.costs("train"), float(tree.loss_weight("train")[0])
    weight = tree.searched_weight
    return impurities(measured(table, tree), criterion_of(tree)) * weight, float(weight[0])


def judged(table: Table, grown: Tree, link: Floats, alphas: Floats) -> Judged:
    """What the validation rows of a table say of a tree pruned to each price per leaf; link: as `sequence` takes it.

    A split that pays exactly the price goes, whatever the rounding."""
    steps, gone = sequence(grown, link)
    reached = np.searchsorted([step.alpha for step in steps[1:]], alphas + TIE * np.abs(alphas), side="right")
    losses = np.array([step.validation_error for step in steps]) * float(grown.loss_weight("validation")[0])
    squares = over_leaves(grown, gone, len(steps), squared_losses(table, grown))
    return Judged.of(grown, losses[reached], squares[reached])


def prices_of(table: Table, grown: Tree, measure: str) -> Floats:
    """float64[n_nodes]: the price per leaf at which each split of a fold's tree goes, −∞ for leaves."""
    cost, weight = training_costs(table, grown, measure)
    return prices(links(grown, cost, False), weight)


def folds_of(table: Table, options: Options) -> list[NDArray[np.int64]]:
    """int64[n_rows] for each deal: the fold of each training row, −1 elsewhere, as it was given; or stratified by
    class, sizes equal but for one."""
    if not isinstance(options.folds, int):
        return [np.where(table.part == TRAIN, options.folds, -1).astype(np.int64)]
    return [by_class(table, options.folds, further_seed(options.seed, i)) for i in range(options.repeats)]


def _divisions(table: Table, options: Options) -> list[Callable[[Progress], Table]]:
    """What makes the table of each fold of each deal, whose rows validate, while the other training rows train. Where
    rows are only counted, hashes deal them out."""
    if table.counter is not None and isinstance(options.folds, int):
        seeds = [further_seed(options.seed, i) for i in range(options.repeats)]
        return [
            partial(table.counter.fold, table, k, options.folds, seed) for seed in seeds for k in range(options.folds)
        ]

    def divide(fold: NDArray[np.int64], k: int, progress: Progress) -> Table:
        return held_out(table, (table.part == TRAIN) & (fold != k), fold == k)

    dealt = folds_of(table, options)
    return [partial(divide, fold, k) for fold in dealt if fold.max() > 0 for k in range(int(fold.max()) + 1)]


def with_validation_se(table: Table, pruning: Pruning, assignment: Assignment | None = None) -> Pruning:
    """The same pruning, whose steps have the standard error of their validation errors where each cuts more of one tree
    and there are validation rows: of a tree that these rows did not choose.

    assignment: of the tree that was pruned, if at hand.
    """
    tree = pruning.full
    if not isinstance(pruning.trees, Nested) or not tree.loss_weight("validation")[0] > 0:
        return pruning
    errors = np.array([step.validation_error for step in pruning.steps])
    squares = over_leaves(tree, pruning.trees.gone, errors.size, squared_losses(table, tree, assignment))
    spread = Judged.of(tree, errors * float(tree.loss_weight("validation")[0]), squares).standard_error()
    filled = zip(pruning.steps, spread.tolist(), strict=True)
    return replace(pruning, steps=[step._replace(validation_se=se) for step, se in filled])


def _grown_on(divided: Table, tree: Tree, progress: Progress, table: Table, fold: Any) -> Tree:
    """What the training rows of a division grow, by the options of a tree. Where rows are only counted it is kept: it
    took many looks at all of them, and a tree that is edited asks for the same again.

    Args:
        table: which is divided. fold: tells the division from others of it.
    """
    everywhere = Mark(excluded=tree.mark(0).excluded, criterion=tree.mark(0).criterion)  # other nodes are its own
    root = replace(Tree.root(divided), marks={0: everywhere})
    says: dict[str, Any] = {"summary": "median" if tree.predicts_median else "mean"}
    if tree.task == "classes":  # the folds err as the tree does, whatever it was grown with
        says = {**asdict(tree.leaf_rule), "summary": "mode"}
    options = {**tree.options, **says}
    if table.counter is None:
        return grow(divided, tree=root, progress=progress, **options)
    kept, key = table.counter.grown, repr((fold, everywhere, sorted(options.items()), sorted(table.roles.items())))
    found: Tree = kept[key] if key in kept else grow(divided, tree=root, progress=progress, **options)
    if not progress.stopped:
        kept[key] = found
        for old in list(kept)[:-MOST_KEPT]:
            kept.pop(old, None)
    return found


def _share(progress: Progress, k: int, n_folds: int) -> Progress:
    """The part of a progress that one fold takes; it stops when the whole does."""
    part = Progress(
        lambda done, text: progress.report((k + done) / n_folds, tr("Fold {n} of {all}", n=k + 1, all=n_folds))
    )
    part.flag = progress.flag
    return part


# -- how much the losses of rows differ


def squared_losses(table: Table, tree: Tree, assignment: Assignment | None = None) -> Floats:
    """float64[n_nodes]: Σ w·l² over the validation rows of each node as a leaf, l as in `Tree.costs`."""
    if tree.task == "classes":
        factors = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
        each = (factors[:, None] * tree.leaf_rule.cost_matrix(tree.classes)) ** 2
        return np.asarray(np.einsum("nk,kn->n", tree.validation, each[:, tree.labels]))
    power = 2 if tree.predicts_median else 4
    return _moments(table, tree, assignment, power)[power]


def _moments(table: Table, tree: Tree, assignment: Assignment | None, power: int) -> Floats:
    """float64[power + 1, n_nodes]: Σ w·(y − what the node says)^k over its validation rows, k = 0 … power."""
    said, found = tree.predictions - tree.origin, np.zeros((power + 1, tree.n_nodes))
    if table.counter is not None:
        found[:, tree.leaves] = table.counter.moments(tree, said[tree.leaves], power)
    else:
        found[:, tree.leaves] = _moments_of_leaves(table, tree, assignment or assign(table, tree), said, power)
    for nodes in tree.levels[:0:-1]:  # around what the parent says instead: the binomial theorem
        parents = tree.parent[nodes]
        shift = said[nodes] - said[parents]
        for k in range(power + 1):
            moved = sum(comb(k, j) * shift ** (k - j) * found[j, nodes] for j in range(k + 1))
            np.add.at(found[k], parents, moved)
    return found


def _moments_of_leaves(table: Table, tree: Tree, assignment: Assignment, said: Floats, power: int) -> Floats:
    """The same of the leaves, from their rows."""
    leaves = tree.leaves
    leaf = np.repeat(np.arange(leaves.size), assignment.stop[leaves] - assignment.start[leaves])
    judging = table.part[assignment.rows] == VALIDATION
    leaf, rows = leaf[judging], assignment.rows[judging]
    weight = np.ones(rows.size) if table.weights is None else table.weights[rows]
    weight = weight if assignment.share is None else weight * assignment.share[judging]
    return power_sums(leaf, table.y[rows] - said[leaves[leaf]], weight, leaves.size, power)
