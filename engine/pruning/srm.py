"""Structural risk minimization over all prunings: error + √(size ÷ m)."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.learning_theory.bounds import srm_penalty
from engine.pruning.cost_complexity import Judged, cross_validate, optimism_of, squared_losses
from engine.pruning.metrics import loss_words, mean_words
from engine.pruning.options import Options
from engine.pruning.result import Pruning, Step, Told
from engine.pruning.sequence import (
    TIE,
    Floats,
    SizeSequence,
    bottom_up,
    locked,
    mean_losses,
    size_sequence,
    smallest_best,
    validation_weight,
)
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.tree import Tree


def srm(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
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
    if options.judge == "validation":
        validation_weight(tree)
    weight = float(tree.loss_weight("train")[0])
    sizes = size_sequence(
        tree, tree.costs("train"), weight, options.keep_by_hand, options.most_leaves, tree.costs("validation")
    )
    errors = [mean_losses(tree, part, sums) for part, sums in zip(("train", "validation"), sizes.sums, strict=True)]
    steps = list(map(Step, sizes.leaves.tolist(), *errors, sizes.alphas.tolist()))
    remark, folds = "", list[Judged]()
    if options.max_errors is not None:
        chosen, remark = _within(tree, sizes, options.max_errors)
        allowed = _allowed(table, tree, sizes.tree(tree, chosen), options)
        return Pruning("srm", steps, chosen, tree, sizes, remark, allowed)
    if options.judge == "auto":
        return _by_penalty(table, tree, sizes, steps, options)
    if options.judge == "folds" and len(steps) > 1:
        by_leaves = _by_leaves(sizes.leaves, options.most_leaves)
        steps, remark, folds = cross_validate(table, tree, steps, options, progress, by_leaves)
        found = np.array([step.cv_error for step in steps])
    else:
        found = np.array([step.validation_error for step in steps])
    chosen = smallest_best(found)
    if np.isnan(found).all():
        return Pruning("srm", steps, chosen, tree, sizes, remark)
    verdicts = _of_sizes(tree, sizes, chosen, found, options)
    return Pruning("srm", steps, chosen, tree, sizes, remark, verdicts, chosen, optimism_of(folds, chosen))


def _by_penalty(table: Table, tree: Tree, sizes: SizeSequence, steps: list[Step], options: Options) -> Pruning:
    """The least error + √(size ÷ m); fewer leaves where several are least.

    Why a split stayed or went is told at a price per leaf, as that is what was compared: the slope of the penalty at
    the size that was chosen. At that price the chosen tree is the cheapest of all, for it is a corner of the hull.
    """
    n_rows, weight = table.n_counted, float(tree.loss_weight("train")[0])
    if not weight > 0:
        return Pruning("srm", steps, 0, tree, sizes)
    scale = tree.leaf_rule.dearest(tree.classes)
    penalty = scale * srm_penalty(2 * sizes.leaves - 1, n_rows)
    chosen = smallest_best(np.array([step.train_error for step in steps]) + penalty)
    price = scale / math.sqrt(n_rows * (2 * steps[chosen].leaves - 1))
    said = {"mean": mean_words(tree), "price": number_words(price)}
    quantity = tr("Training {mean} + {price} per leaf, what √(size ÷ m) grows by", **said)
    kept = locked(tree, options.keep_by_hand)
    verdicts = bottom_up(quantity, tree, tree.costs("train") / weight + price, kept)[0]
    return Pruning("srm", steps, chosen, tree, sizes, verdicts=verdicts)


def _within(tree: Tree, sizes: SizeSequence, max_errors: float) -> tuple[int, str]:
    """(The step with the fewest leaves with at most so many errors, what is to be said of it)."""
    errors = sizes.sums[0]
    enough = np.flatnonzero(errors <= max_errors + TIE * abs(max_errors))
    if not enough.size:
        raise InputError(tr(
            "No pruning has at most {most:,} errors on the training rows: the fewest are {fewest}.", most=max_errors,
            fewest=number_words(float(errors.min()))))  # fmt: skip
    chosen, cap = int(enough[-1]), sizes.front.cap
    if sizes.leaves[chosen] <= cap or cap >= tree.n_leaves:
        return chosen, ""
    return chosen, tr(
        "Every size was looked at up to {cap:,} leaves, beyond that only the sizes of cost complexity.", cap=cap
    )


def _allowed(table: Table, tree: Tree, best: Tree, options: Options) -> Told:
    """What the whole tree errs with each node as a leaf, against what it may. Its numbers: float64[n_nodes], these
    errors; as they are for nodes that are gone; NaN where nothing was compared."""
    cost, stands = tree.costs("train"), np.isin(tree.ids, best.ids[best.n_branches > 0])
    before = np.append(0.0, np.cumsum(np.where(np.isin(tree.ids, best.ids[best.leaves]), cost, 0.0)))
    below = before[tree.end] - before[:-1]
    asked = (tree.n_branches > 0) & ~locked(tree, options.keep_by_hand)
    errors = np.where(asked, before[-1] + np.where(stands, cost - below, 0.0), np.nan)
    loss = loss_words(table, tree)
    most = number_words(float(options.max_errors or 0))

    def words(i: int) -> str:
        if np.isnan(errors[i]):
            return ""
        return tr(
            "{loss} of the whole tree on the training rows: {errors} with this node as a leaf, {most} allowed.",
            loss=loss, errors=number_words(float(errors[i])), most=most,
        )  # fmt: skip

    return Told(words, errors)


def _of_sizes(tree: Tree, sizes: SizeSequence, chosen: int, errors: Floats, options: Options) -> Told:
    """The rows compared the best trees of all sizes: those with more leaves and fewer decide about a node. Its numbers:
    int64[n_nodes], the leaves left with the split as a leaf, or needed with it; 0 where nothing was compared."""
    best = sizes.tree(tree, chosen)
    stands = np.isin(tree.ids, best.ids[best.n_branches > 0])
    shown = np.append(0, np.cumsum(np.isin(tree.ids, best.ids[best.leaves])))
    gone = np.where(stands, 0, np.maximum(tree.n_branches - 1, 0)).astype(np.int64)  # leaves that its split would add
    for nodes in tree.levels[1:]:
        gone[nodes] += gone[tree.parent[nodes]]
    n = best.n_leaves
    other = n + np.where(stands, 1 - (shown[tree.end] - shown[:-1]), gone)
    asked = (tree.n_branches > 0) & ~locked(tree, options.keep_by_hand)
    mean = mean_words(tree)
    quantity = (
        tr("Cross-validated {mean}", mean=mean) if options.judge == "folds" else tr("Validation {mean}", mean=mean)
    )
    by_size = dict(zip(sizes.leaves.tolist(), errors.tolist(), strict=True))
    others = np.where(asked, other, 0)

    def words(i: int) -> str:
        other = int(others[i])
        if other not in by_size:
            return ""
        said = {"quantity": quantity, "n": n, "other": other}
        said |= {"ours": number_words(by_size[n]), "theirs": number_words(by_size[other])}
        if other < n:
            return tr("{quantity}: {ours} with {n:,} leaves, {theirs} with {other:,}, what is left with this node as a "
                      "leaf.", **said)  # fmt: skip
        return tr("{quantity}: {ours} with {n:,} leaves, {theirs} with {other:,}, the fewest with its split.", **said)

    return Told(words, others)


def _by_leaves(leaves: NDArray[np.int64], most_leaves: int) -> Callable[[Table, Tree], Judged]:
    """Judges a fold's tree cut back to the best one with at most so many leaves, for each of these numbers."""

    def judge(table: Table, grown: Tree) -> Judged:
        weight, others = float(grown.loss_weight("train")[0]), (grown.costs("validation"), squared_losses(table, grown))
        sizes = size_sequence(grown, grown.costs("train"), weight, False, most_leaves, *others)
        reached = np.minimum(np.searchsorted(-sizes.leaves, -leaves), sizes.leaves.size - 1)  # the first that fits
        return Judged.of(grown, sizes.sums[1][reached], sizes.sums[2][reached])

    return judge
