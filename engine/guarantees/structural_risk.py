"""Structural risk: the penalty of a size; the pass from the leaves up and its theorem (Kearns and Mansour 1998)."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.learning_theory.bounds import (
    deviation,
    excess_rate,
    log_capacities,
    pruning_excess,
    pruning_penalty,
    srm_penalty,
)
from engine.pruning.options import Options
from engine.pruning.pessimistic import Walk, walked
from engine.pruning.result import prune
from engine.table.table import Table
from engine.tree.counting import counted_rows
from engine.tree.tree import Tree

Floats = NDArray[np.float64]
PROVED = math.sqrt(2)  # the least factor c for which Lemma 12.3 is proved, see `pruning_penalty`


@dataclass(frozen=True, eq=False)
class Nodes:
    """What the pass compares at the splits of a tree, and what Lemma 12.2 says there; an entry for each, in preorder.

    Attributes:
        node: int64, the ids. depth: int64, ℓ_v, edges from the root. rows: int64, m_v.
        size: int64, n_v, leaves and splits of what was left of the branch when its turn came.
        leaf, branch: float64, the shares of errors there, ê(leaf) and ê(T).
        deviation: float64, λ: by how much such a share may be off. penalty: float64, α(m_v, n_v, ℓ_v, δ).
        cut: bool, whether ê(T) + α ≥ ê(leaf), so that the split goes.
    """

    node: NDArray[np.int64]
    depth: NDArray[np.int64]
    size: NDArray[np.int64]
    rows: NDArray[np.int64]
    leaf: Floats
    branch: Floats
    deviation: Floats
    penalty: Floats
    cut: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Theorem:
    """The terms of Theorem 12.5: by how much the pruning may err more than the best pruning of the tree.

    The best one is not known, for its error is that on rows never seen. In its place stands the one with fewest errors
    on the validation rows, or, without such rows, the one of least structural risk.

    Attributes:
        by_validation: which of the two.
        size: s_opt, leaves and splits. depth: ℓ_opt. m: training rows. log_tests: ln n.
        rare, common: the two sums of (12.18) with their constants, see `pruning_excess`. rate: without constants.
        cut: what the pass, with its proved factor √2, cuts of that tree: ids.
        summands: the three summands over these, each weighted by the share of the rows: how far the error of the leaf
            may be off, how far it may exceed that of the branch, how far that of the branch may be off.
    """

    by_validation: bool
    size: int
    depth: int
    m: int
    log_tests: float
    rare: float
    common: float
    rate: float
    cut: NDArray[np.int64]
    summands: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class StructuralRisk:
    """Errors, penalties and their sum by size, and the pass from the leaves up.

    Attributes:
        leaves: int64[n], the sizes of the best prunings, the full tree first.
        errors: float64[n], training errors; shares of the dearest mistake where mistakes cost differently.
        penalties: float64[n], √(size ÷ m), size leaves and splits.
        validation: float64[n], validation errors; nan without such rows.
        chosen: where the sum is least.
        factor: c, by which `nodes` are compared, as pruning does by itself.
        nodes: see `Nodes`. theorem: see `Theorem`.
    """

    leaves: NDArray[np.int64]
    errors: Floats
    penalties: Floats
    validation: Floats
    chosen: int
    factor: float
    nodes: Nodes
    theorem: Theorem

    @property
    def sums(self) -> Floats:
        """float64[n], error + penalty."""
        return self.errors + self.penalties


def structural_risk(table: Table, tree: Tree, delta: float) -> StructuralRisk:
    """See `StructuralRisk`."""
    risk, m = prune(table, tree, "srm"), table.n_counted
    leaves = np.array([step.leaves for step in risk.steps])
    errors = np.array([step.train_error for step in risk.steps]) / (tree.leaf_rule.dearest(tree.classes) or 1.0)
    validation = np.array([step.validation_error for step in risk.steps])
    options = Options(delta=delta)
    walk, judged = walked(table, tree, options), tree.loss_weight("validation")[0] > 0
    best = prune(table, tree, "reduced_error") if judged else risk
    return StructuralRisk(
        leaves, errors, np.asarray(srm_penalty(2 * leaves - 1, m)), validation, risk.chosen, options.factor,
        _nodes(table, tree, walk, delta), _theorem(table, best.tree(best.chosen), bool(judged), delta),
    )  # fmt: skip


def _nodes(table: Table, tree: Tree, walk: Walk, delta: float) -> Nodes:
    at = np.flatnonzero((tree.n_branches > 0) & (tree.loss_weight("train") > 0))
    rows, weight = np.maximum(counted_rows(table, tree)[at], 1), tree.loss_weight("train")[at]
    return Nodes(
        tree.ids[at], tree.level[at], walk.size[at], rows, walk.leaf[at] / weight, walk.branch[at] / weight,
        deviation(walk.log_classes[at], rows, delta), walk.penalty[at], walk.cut[at],
    )  # fmt: skip


def _theorem(table: Table, best: Tree, by_validation: bool, delta: float) -> Theorem:
    m, size, depth = table.n_counted, best.n_nodes, best.depth
    walk = walked(table, best, Options(delta=delta, factor=PROVED))
    by_level = best.options.get("nominal") == "multiway"
    most = max(int(best.n_branches.max()), 2)
    paths, trees = log_capacities(table, "size", max(depth, 1), max(size, 1), most, by_level)
    log_tests = float(max(paths[1], trees[1]))
    at = np.flatnonzero(walk.cut)
    rows = counted_rows(table, best)[at]
    rows, share = np.maximum(rows, 1), rows / m
    as_leaf = pruning_penalty(paths[best.level[at]] + trees[1], rows, m, delta)
    as_branch = pruning_penalty(walk.log_classes[at], rows, m, delta)
    summands = tuple(float(share @ each) for each in (as_leaf, walk.penalty[at], as_branch))
    rare, common = pruning_excess(size, depth, m, log_tests, delta)
    rate = excess_rate(size, depth, m, log_tests, delta)
    return Theorem(by_validation, size, depth, m, log_tests, rare, common, rate, best.ids[at], summands)  # type: ignore[arg-type]
