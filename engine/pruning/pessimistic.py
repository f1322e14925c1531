"""Pruning by what errors on the training rows let expect: C4.5's rule, and Quinlan's of 1987."""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from engine.pruning.kernels import COLLAPSED, KEPT, PESSIMISTIC, SLACK, Method
from engine.pruning.options import Options
from engine.pruning.raising import COUNTED, LEFT_ALONE, begin, left_of, pruned
from engine.pruning.result import Pruning, Verdicts, replaced, single
from engine.pruning.sequence import below, locked
from engine.runtime.progress import Progress
from engine.table.table import Table
from engine.tree.tree import Tree

NO_GAIN = 1e-3  # fewer errors less are none, as in J48


def pessimistic(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
    """Cuts what is not expected to err less, judged by the training rows alone.

    Rule "c4.5" (Quinlan 1993, chapter 4; Weka's J48): splits go first that leave as many training rows wrong as a leaf
    would. Then, bottom up, with U(N, e) the upper limit of the errors among N rows of which e are wrong
    (`kernels.upper_limit`): a node becomes a leaf unless its branches, or its largest one in its place, are expected to
    err less by more than 0.1; with `raising` the largest branch takes its place if it is expected to err at most 0.1
    more than the branches. The rows of the other branches then go down that one, and it is pruned again.

    Rule "quinlan1987" (Quinlan 1987, "Simplifying decision trees", 4.2), top down: with n rows, e errors as a leaf and
    e' = Σ (errors + ½) over the leaves below, a node becomes a leaf when e + ½ ≤ e' + √(e'(n − e')/n).

    A stop leaves the tree as it was.

    Rows count by their weights, and by those of their classes where the leaf rule has priors.
    """
    kept = locked(tree, options.keep_by_hand)
    remark = COUNTED if tree.leaf_rule.costs else ""
    if options.rule == "quinlan1987":
        return _quinlan(tree, kept, remark)
    wrong = _errors(tree)
    collapsed = (tree.n_branches > 0) & ~kept & (below(tree, wrong) >= wrong - NO_GAIN)  # C4.5's `collapse`
    state, ways = begin(table, tree, options.assignment, validation=False, raising=options.raising)
    method = Method(
        c45=True, raising=options.raising, estimate=PESSIMISTIC, weight=1.0, rows=1.0, block=0.0, rest=0.0,
        confidence=options.confidence, deviate=NormalDist().inv_cdf(1.0 - options.confidence), keep_labels=False,
        handed_down=False, first_cell=0, n_classes=len(tree.classes),
        dearest=tree.leaf_rule.dearest(tree.classes),
    )  # fmt: skip
    found = pruned(state, ways, method, tree, np.where(collapsed, COLLAPSED, KEPT * kept), np.zeros(0, bool), progress)
    if progress.stopped:
        return replaced("pessimistic", tree, tree, LEFT_ALONE)
    verdicts = Verdicts(
        "errors to be expected", found[0], found[1], np.full(tree.n_nodes, SLACK),
        found[2] if options.raising else np.zeros(0),
    )  # fmt: skip
    return replaced("pessimistic", tree, left_of(table, tree, state), remark, verdicts)


def _quinlan(tree: Tree, kept: NDArray[np.bool_], remark: str) -> Pruning:
    wrong, weight = _errors(tree), tree.loss_weight("train")
    in_leaves = below(tree, wrong + 0.5)
    share = np.divide(in_leaves, weight, out=np.ones(tree.n_nodes), where=weight > 0)
    spread = np.sqrt(in_leaves * np.maximum(1.0 - share, 0.0))
    asked = (tree.n_branches > 0) & ~kept
    goes = asked & (wrong + 0.5 <= in_leaves + spread)
    verdicts = Verdicts(
        "errors among the training rows with ½ for each leaf", np.where(asked, wrong + 0.5, np.nan),
        np.where(asked, in_leaves, np.nan), spread,
    )  # fmt: skip
    return single("pessimistic", tree, np.flatnonzero(goes), remark, verdicts)


def _errors(tree: Tree) -> NDArray[np.float64]:
    """float64[n_nodes]: the training weight that each node labels wrongly, classes reweighed by their priors."""
    factors = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
    own = tree.train[np.arange(tree.n_nodes), tree.labels] * factors[tree.labels]
    return np.asarray(np.maximum(tree.loss_weight("train") - own, 0.0))
