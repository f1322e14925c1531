"""Pruning by what errors on the training rows let expect: C4.5's rule, Quinlan's of 1987, Kearns and Mansour's."""

from dataclasses import replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.learning_theory.bounds import log_capacities, pruning_penalty
from engine.pruning.divided import Cutting
from engine.pruning.kernels import COLLAPSED, KEPT, PESSIMISTIC, SLACK, Method
from engine.pruning.options import Options
from engine.pruning.raising import COUNTED, LEFT_ALONE, begin, left_of, pruned, threshold_of
from engine.pruning.result import Pruning, Verdicts, replaced, single
from engine.pruning.sequence import TIE, below, locked
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from engine.table.table import Table
from engine.tree.counting import counted_rows
from engine.tree.tree import Tree

NO_GAIN = 1e-3  # fewer errors less are none, as in J48
NOT_RAISED = marked("No branch was raised: that looks at single rows, and those of this table are only counted.")
BEYOND = marked(
    "The guarantee was proved for two classes and splits into two branches; for more of them paths and trees are "
    "counted here in the same way."
)


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

    Rows count by their weights, and by those of their classes where the leaf rule has priors. Where they are only
    counted, none can be sent down another branch, so that no branch is raised.
    """
    kept = locked(tree, options.keep_by_hand)
    remark = tr(COUNTED) if tree.leaf_rule.costs else ""
    if options.rule == "quinlan1987":
        return _quinlan(tree, kept, remark)
    if options.raising and table.counter is not None:
        options, remark = replace(options, raising=False), tr(NOT_RAISED)
    wrong = _errors(tree)
    collapsed = (tree.n_branches > 0) & ~kept & (below(tree, wrong) >= wrong - NO_GAIN)  # C4.5's `collapse`
    fate = np.where(collapsed, COLLAPSED, KEPT * kept)
    found, left = (_divided if tree.divides_rows else _whole)(table, tree, options, fate, progress)
    if progress.stopped:
        return replaced("pessimistic", tree, tree, tr(LEFT_ALONE))
    verdicts = Verdicts(
        tr("Errors to be expected"), found[0], found[1], np.full(tree.n_nodes, SLACK),
        found[2] if options.raising else np.zeros(0),
    )  # fmt: skip
    return replaced("pessimistic", tree, left, remark, verdicts)


def _divided(
    table: Table, tree: Tree, options: Options, fate: NDArray[np.int64], progress: Progress
) -> tuple[NDArray[np.float64], Tree]:
    """The verdicts and what is left where splits divide rows."""
    cutting = Cutting(table, tree, options)
    cutting.cut(fate, progress)
    return cutting.verdict, tree if progress.stopped else cutting.left()


def _whole(
    table: Table, tree: Tree, options: Options, fate: NDArray[np.int64], progress: Progress
) -> tuple[NDArray[np.float64], Tree]:
    """The same where every row stands in one leaf."""
    state, ways = begin(table, tree, options.assignment, validation=False, raising=options.raising)
    method = Method(
        c45=True, raising=options.raising, estimate=PESSIMISTIC, weight=1.0,
        penalty=np.zeros(tree.n_nodes + 1),
        confidence=options.confidence, deviate=NormalDist().inv_cdf(1.0 - options.confidence), keep_labels=False,
        handed_down=False, first_cell=0, n_classes=len(tree.classes),
        dearest=tree.leaf_rule.dearest(tree.classes), **threshold_of(tree),
    )  # fmt: skip
    found = pruned(state, ways, method, tree, fate, np.zeros(0, bool), progress)
    return found, tree if progress.stopped else left_of(table, tree, state)


def _quinlan(tree: Tree, kept: NDArray[np.bool_], remark: str) -> Pruning:
    wrong, weight = _errors(tree), tree.loss_weight("train")
    in_leaves = below(tree, wrong + 0.5)
    share = np.divide(in_leaves, weight, out=np.ones(tree.n_nodes), where=weight > 0)
    spread = np.sqrt(in_leaves * np.maximum(1.0 - share, 0.0))
    asked = (tree.n_branches > 0) & ~kept
    goes = asked & (wrong + 0.5 <= in_leaves + spread)
    verdicts = Verdicts(
        tr("Errors among the training rows with ½ for each leaf"), np.where(asked, wrong + 0.5, np.nan),
        np.where(asked, in_leaves, np.nan), spread,
    )  # fmt: skip
    return single("pessimistic", tree, np.flatnonzero(goes), remark, verdicts)


def _errors(tree: Tree) -> NDArray[np.float64]:
    """float64[n_nodes]: the training weight that each node labels wrongly, classes reweighed by their priors."""
    factors = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
    own = tree.train[np.arange(tree.n_nodes), tree.labels] * factors[tree.labels]
    return np.asarray(np.maximum(tree.loss_weight("train") - own, 0.0))


# -- what theory lets chance do (Kearns and Mansour 1998)


def kearns_mansour(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
    """One pass from the leaves up; a node becomes a leaf if ê(T) + α(m, n, ℓ, δ) ≥ ê(leaf).

    ê are shares of errors among the node's training rows: of what is left of its branches by then, and of it as a leaf.
    α = c · √((ln PATHS + ln TREES + ln(m/δ)) ÷ m_v), where m_v are the training rows of the node, n_v the nodes, leaves
    and splits, of what is left of its branches, ℓ_v its depth, and m all training rows; see `learning_theory.bounds`.
    So deep nodes of few rows with much below them go first. A greater c cuts more, but need not cut a part of what a
    smaller one cuts: branches that were cut count for less further up.

    Rows count, so that scaling weights changes nothing; errors are shares of the weight. With costs in the leaf rule
    an error is a share of the dearest mistake, and with priors of the weight that these give, so that the theory's
    errors lie in [0, 1].
    """
    walk = walked(table, tree, options)
    weight = tree.loss_weight("train")
    share = np.where((tree.n_branches > 0) & ~locked(tree, options.keep_by_hand) & (weight > 0), weight, np.nan)
    alpha = np.where(np.isnan(share), 0.0, walk.penalty)
    verdicts = Verdicts(tr("Errors per training row"), walk.leaf / share, walk.branch / share, alpha)
    beyond = len(tree.classes) > 2 or int(tree.n_branches.max()) > 2
    return single("kearns_mansour", tree, np.flatnonzero(walk.cut), tr(BEYOND) if beyond else "", verdicts)


class Walk(NamedTuple):
    """The one pass of `kearns_mansour`: arrays of n_nodes each.

    Attributes:
        leaf: float64, the weight of each node's errors as a leaf, mistakes as shares of the dearest one.
        branch: float64, of what was left of its branches when it was looked at.
        size: int64, leaves and splits of that; 1 for leaves.
        log_classes: float64, ln PATHS + ln TREES by its depth and that size. penalty: float64, α; both 0 for leaves.
        cut: bool, whether the split went.
    """

    leaf: NDArray[np.float64]
    branch: NDArray[np.float64]
    size: NDArray[np.int64]
    log_classes: NDArray[np.float64]
    penalty: NDArray[np.float64]
    cut: NDArray[np.bool_]


def walked(table: Table, tree: Tree, options: Options) -> Walk:
    """What the pass compares at each node, and what it cuts; see `kearns_mansour`."""
    errors, weight = tree.costs("train") / (tree.leaf_rule.dearest(tree.classes) or 1.0), tree.loss_weight("train")
    branches, by_level = max(int(tree.n_branches.max()), 2), tree.options.get("nominal") == "multiway"
    paths, trees = log_capacities(table, options.capacity, tree.depth, tree.n_nodes, branches, by_level)
    kept, rows = locked(tree, options.keep_by_hand), np.maximum(counted_rows(table, tree), 1)
    shared = np.where(weight > 0, weight, np.inf)
    below = np.append(np.where(tree.n_branches == 0, errors, 0.0), 0.0)  # one place more, for what is above the root
    size = np.append(np.ones(tree.n_nodes, np.int64), 0)
    rich, alpha, cut = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes), np.zeros(tree.n_nodes, bool)
    for level in range(tree.depth, -1, -1):
        nodes = tree.levels[level][::-1]
        inner = nodes[tree.n_branches[nodes] > 0]
        rich[inner] = paths[level] + trees[size[inner]]
        alpha[inner] = pruning_penalty(rich[inner], rows[inner], int(rows[0]), options.delta, options.factor)
        better = (errors[inner] - below[inner]) / shared[inner]
        cut[inner] = ~kept[inner] & (better <= alpha[inner] + TIE)
        np.add.at(below, tree.parent[nodes], np.where(cut[nodes], errors[nodes], below[nodes]))
        np.add.at(size, tree.parent[nodes], np.where(cut[nodes], 1, size[nodes]))
    return Walk(errors, below[:-1], size[:-1], rich, alpha, cut)
