"""Pruning by what errors on the training rows let expect: C4.5's rule, and Quinlan's of 1987."""

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.pruning.result import Pruning, replaced, single
from engine.pruning.sequence import bottom_up, locked
from engine.pruning.verdicts import Verdicts

if TYPE_CHECKING:
    from engine.pruning.options import Options
    from engine.runtime.progress import Progress
    from engine.table.table import Table
    from engine.tree import Tree

NO_LIMITS = "It expects so many errors of a leaf from those among its training rows, so it needs a target of classes."
NO_GAIN = 1e-3  # fewer errors less are none, as in J48
COSTS = "Mistakes were counted, not what they cost."


def pessimistic(table: "Table", tree: "Tree", options: "Options", progress: "Progress") -> Pruning:
    """Cuts what is not expected to err less, judged by the training rows alone.

    Rule "c4.5" (Quinlan 1993, chapter 4; Weka's J48): splits go first that leave as many training rows wrong as a leaf
    would. Then, bottom up, with U(N, e) the upper limit of the errors among N rows of which e are wrong: a node becomes
    a leaf unless its branches, or its largest one in its place, are expected to err less by more than 0.1; with
    `raising` the largest branch takes its place if it is expected to err at most 0.1 more than the branches. The rows
    of the other branches then go down that one, and it is pruned again.

    Rule "quinlan1987" (Quinlan 1987, "Simplifying decision trees", 4.2), top down: with n rows, e errors as a leaf and
    e' = Σ (errors + ½) over the leaves below, a node becomes a leaf when e + ½ ≤ e' + √(e'(n − e')/n).

    A stop leaves the tree as it was.

    Rows count by their weights, and by those of their classes where the leaf rule has priors.
    """
    kept = locked(tree, options.keep_by_hand)
    remark = COSTS if tree.leaf_rule.costs else ""
    if options.rule == "quinlan1987":
        return _quinlan(tree, kept, remark)
    return _c45(table, tree, kept, options, remark, progress)


def _quinlan(tree: "Tree", kept: NDArray[np.bool_], remark: str) -> Pruning:
    wrong, weight, leaf = errors(tree), tree.loss_weight("train"), tree.n_branches == 0
    before = np.append(0.0, np.cumsum(np.where(leaf, wrong + 0.5, 0.0)))
    below = before[tree.end] - before[:-1]
    share = np.divide(below, weight, out=np.ones(tree.n_nodes), where=weight > 0)
    spread = np.sqrt(below * np.maximum(1.0 - share, 0.0))
    asked = ~leaf & ~kept
    goes = asked & (wrong + 0.5 <= below + spread)
    verdicts = Verdicts(
        "errors among the training rows with ½ for each leaf", np.where(asked, wrong + 0.5, np.nan),
        np.where(asked, below, np.nan), spread,
    )  # fmt: skip
    return single("pessimistic", tree, np.flatnonzero(goes), remark, verdicts)


def errors(tree: "Tree") -> NDArray[np.float64]:
    """float64[n_nodes]: the training weight that each node labels wrongly, classes reweighed by their priors."""
    factors = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
    own = tree.train[np.arange(tree.n_nodes), tree.labels] * factors[tree.labels]
    return np.asarray(np.maximum(tree.loss_weight("train") - own, 0.0))


def _c45(
    table: "Table", tree: "Tree", kept: NDArray[np.bool_], options: "Options", remark: str, progress: "Progress"
) -> Pruning:  # fmt: skip
    from engine.pruning.kernels.pessimistic import SLACK, limits, prune_by_limits
    from engine.pruning.parallel import LEFT_ALONE, prune_side_by_side
    from engine.pruning.raised_tree import part_of, stand, what_is_left

    leaf, gone = tree.n_branches == 0, collapsed(tree, kept)
    stood = stand(table, tree, options.assignment, leaf | gone, validation=False, raising=options.raising)
    now, ways, answers, _ = stood
    trust = options.confidence, NormalDist().inv_cdf(1.0 - options.confidence)
    verdict = np.full((3, tree.n_nodes), np.nan)
    alone = limits(now, answers, *trust)
    before = np.append(0.0, np.cumsum(np.where(leaf, alone, 0.0)))
    verdict[:2, gone] = alone[gone], (before[tree.end] - before[:-1])[gone]
    ends = np.bincount(tree.end[gone], minlength=tree.n_nodes + 1)[:-1]
    buried = np.cumsum(np.append(0, gone[:-1]) - ends) > 0  # below splits that are gone already
    expected, changed = alone.copy(), np.ones(tree.n_nodes, dtype=bool)

    def prune(root: int, _: NDArray[np.int64]) -> None:
        if not buried[root]:
            prune_by_limits(
                part_of(now, tree, root), ways, answers, kept, root, options.raising, *trust, expected, changed,
                verdict, progress.flag,
            )  # fmt: skip

    prune_side_by_side(tree, bottom_up(tree), prune, progress)
    if progress.stopped:
        return replaced("pessimistic", tree, tree, LEFT_ALONE)
    verdicts = Verdicts(
        "errors to be expected", verdict[0], verdict[1], np.full(tree.n_nodes, SLACK),
        verdict[2] if options.raising else np.zeros(0),
    )  # fmt: skip
    return replaced("pessimistic", tree, what_is_left(table, tree, stood), remark, verdicts)


def collapsed(tree: "Tree", kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[n_nodes]: the splits below which as many training rows are wrong as at them: C4.5's `collapse`."""
    wrong = errors(tree)
    before = np.append(0.0, np.cumsum(np.where(tree.n_branches == 0, wrong, 0.0)))
    below = before[tree.end] - before[:-1]
    return np.asarray((tree.n_branches > 0) & ~kept & (below >= wrong - NO_GAIN))
