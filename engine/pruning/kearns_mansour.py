"""The bottom-up pass of Kearns and Mansour (1998), which cuts what is not better by more than theory lets chance do."""

import math

import numpy as np

from engine.pruning.kernels import kearns_mansour_pass
from engine.pruning.options import Options
from engine.pruning.result import Pruning, Verdicts, single
from engine.pruning.sequence import locked
from engine.runtime.progress import Progress
from engine.table.table import Table
from engine.theory.bounds import log_capacities
from engine.tree.tree import Tree

BEYOND = (
    "The guarantee was proved for two classes and splits into two branches; for more of them paths and trees are "
    "counted here in the same way."
)


def kearns_mansour(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
    """One pass from the leaves up; a node becomes a leaf if ê(T) + α(m, n, ℓ, δ) ≥ ê(leaf).

    ê are shares of errors among the node's training rows: of what is left of its branches by then, and of it as a leaf.
    α = c · √((ln PATHS + ln TREES + ln(m/δ)) ÷ m_v), where m_v are the training rows of the node, n_v the nodes, leaves
    and splits, of what is left of its branches, ℓ_v its depth, and m all training rows; see `theory.bounds`. So deep
    nodes of few rows with much below them go first. A greater c cuts more, but need not cut a part of what a smaller
    one cuts: branches that were cut count for less further up.

    Rows count, so that scaling weights changes nothing; errors are shares of the weight. With costs in the leaf rule
    an error is a share of the dearest mistake, and with priors of the weight that these give, so that the theory's
    errors lie in [0, 1].
    """
    dearest = tree.leaf_rule.dearest(tree.classes)
    errors, weight = tree.costs("train") / (dearest or 1.0), tree.loss_weight("train")
    most = int(tree.n_branches.max())
    by_level = tree.options.get("nominal") == "multiway"
    paths, trees = log_capacities(table, options.capacity, tree.depth, tree.n_nodes, max(most, 2), by_level)
    kept = locked(tree, options.keep_by_hand)
    n_rows = max(int(tree.rows_train[0]), 1)
    below, alpha, cut = kearns_mansour_pass(
        errors, weight, tree.rows_train, tree.parent, tree.n_branches, tree.level, kept, paths, trees,
        math.log(n_rows / options.delta), options.factor,
    )  # fmt: skip
    asked = (tree.n_branches > 0) & ~kept & (weight > 0)
    share = np.where(asked, weight, np.nan)
    verdicts = Verdicts("errors per training row", errors / share, below / share, np.where(asked, alpha, 0.0))
    beyond = len(tree.classes) > 2 or most > 2
    return single("kearns_mansour", tree, np.flatnonzero(cut), BEYOND if beyond else "", verdicts)
