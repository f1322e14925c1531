"""Pruning to the shortest description of tree and classes, or to the least bound by the length of the tree."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from engine.learning_theory.bounds import count_tests, description_bound
from engine.pruning.metrics import mean_words
from engine.pruning.options import Options
from engine.pruning.result import NAN, Nested, Pruning, Step, single
from engine.pruning.sequence import Floats, bottom_up, locked, prices, sequence, smallest_best
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.kernels.structure import weakest_links
from engine.tree.nodes import GROUPS, M_OF_N, THRESHOLD, WITH_SURROGATES
from engine.tree.tree import Tree


def mdl(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
    """The pruning with the shortest description, by one of two codes.

    "rissanen" (Mehta, Rissanen and Agrawal 1995): bits for the tree and for the classes of the rows in its leaves.
    Every leaf and every split has its own, so the best of all prunings is found from the leaves up; ties go to the
    leaf. Their variants with one branch only are other trees than prunings and not looked for.
    "notes": the least bound on the true error by the length of the tree, see
    `engine.learning_theory.bounds.description_bound`.
    """
    if options.code == "notes":
        return _by_bound(table, tree, options)
    verdicts, cut = bottom_up(
        tr("Bits for the classes of the rows and what describes the tree"), tree, leaf_bits(table, tree),
        locked(tree, options.keep_by_hand), split_bits(table, tree) + (1 + math.log2(max(len(table.features), 1))),
    )  # fmt: skip
    return single("mdl", tree, np.flatnonzero(cut), verdicts=verdicts)


# -- Mehta, Rissanen and Agrawal


def leaf_bits(table: Table, tree: Tree) -> Floats:
    """float64[n_nodes]: a bit that says “leaf”, and the classes of its training rows.

    Σ nᵢ · log₂(n/nᵢ) + (K − 1)/2 · log₂(n/2) + log₂(π^(K/2) ÷ Γ(K/2)), Rissanen's stochastic complexity of n rows of K
    classes; never below its first part, as which it would fall for many classes and few rows. Sampling weights
    count for as many rows as there are. Priors, costs and labels by hand change nothing: it is the classes that are
    told.
    """
    counts = tree.train * (table.n_counted / max(tree.weight("train")[0], np.finfo(float).tiny))
    n, k = counts.sum(axis=1), len(tree.classes)
    there = n > 0
    total = np.where(there, n, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(counts > 0, counts * np.log2(total[:, None] / counts), 0.0)
    parameters = (k - 1) / 2 * np.log2(total / 2) + (k / 2 * math.log(math.pi) - math.lgamma(k / 2)) / math.log(2)
    return np.where(there, terms.sum(axis=1) + np.maximum(parameters, 0.0), 0.0) + 1


def split_bits(table: Table, tree: Tree) -> Floats:
    """float64[n_nodes]: what tells a split from the others of its column; 0 for leaves.

    With u values in order and b branches log₂ C(u − 1, b − 1); with L levels L · log₂ b − log₂ b!, and nothing for one
    branch per level; log₂ b more where rows lack the value, as it may go anywhere. An m-of-n split of n literals:
    column, direction and place of each, whatever their order, and m. Surrogates are no part of what is told.
    """
    columns = [table.column(column.name) for column in tree.columns]
    u = np.array([max(column.n_values, 1) for column in columns], np.float64)
    lacking = np.array([column.n_missing > 0 for column in columns])
    at, b = tree.nodes.column, tree.n_branches.astype(np.float64)
    kind = np.where(tree.nodes.kind > M_OF_N, tree.nodes.kind - WITH_SURROGATES, tree.nodes.kind)
    found = np.zeros(tree.n_nodes)
    is_cut, grouped = kind == THRESHOLD, kind == GROUPS
    cuts = np.maximum(u[at] - 1, b - 1)
    n, k = cuts[is_cut], b[is_cut] - 1
    found[is_cut] = _log2_factorial(n) - _log2_factorial(k) - _log2_factorial(n - k)
    several = grouped & (b != u[at])
    ways = u[at[several]] * np.log2(b[several]) - _log2_factorial(b[several])
    found[several] = np.maximum(ways, 0.0)  # below 0 only where there are more branches than levels
    found[(is_cut | grouped) & lacking[at]] += np.log2(b[(is_cut | grouped) & lacking[at]])
    literals = np.flatnonzero(kind == M_OF_N)
    if literals.size:
        n = tree.nodes.payload_size[literals] // 3
        first = np.repeat(tree.nodes.payload_start[literals] - 3 * (np.cumsum(n) - n), n) + 3 * np.arange(n.sum())
        numeric = np.array([column.is_numeric for column in columns])
        asked = tree.payload[first].astype(np.int64)
        places = np.where(numeric, np.maximum(u - 1, 1), u)[asked]
        each = np.log2(2 * max(len(columns), 1) * places)
        owner = np.repeat(np.arange(n.size), n)
        found[literals] = np.bincount(owner, each, n.size) - _log2_factorial(n.astype(float)) + np.log2(n)
    return found


def _log2_factorial(n: Floats) -> Floats:
    return np.asarray(gammaln(n + 1) / math.log(2))


# -- the notes


def _by_bound(table: Table, tree: Tree, options: Options) -> Pruning:
    """The pruning of the least bound.

    The bound is the error and a concave function of the number n of nodes, leaves and splits; so the best tree is one
    of the weakest-link sequence in which a split pays for every node that it adds (the proof is that of
    `engine.pruning.srm`). Its steps are the steps.
    """
    kept, weight = locked(tree, options.keep_by_hand), tree.loss_weight("train")[0]
    dearest = tree.leaf_rule.dearest(tree.classes)
    found = bounded(table, tree, options)
    if not weight > 0:
        return Pruning("mdl", found.steps, 0, tree, Nested(found.gone))
    chosen = smallest_best(found.bounds)
    block = math.log2(count_tests(table, tree.options.get("nominal") == "multiway") + len(tree.classes) + 1)
    price = dearest * block / (4 * table.n_counted * float(found.bounds[chosen] - found.errors[chosen]))
    quantity = tr(
        "Training {mean} + {price} per node, what the bound grows by", mean=mean_words(tree), price=number_words(price)
    )
    verdicts = bottom_up(quantity, tree, tree.costs("train") / weight + price, kept, price)[0]
    return Pruning("mdl", found.steps, chosen, tree, Nested(found.gone), verdicts=verdicts)


class Bounded(NamedTuple):
    """The weakest-link sequence by nodes, the full tree first, and the bound of each of its trees.

    Attributes:
        steps, gone: as `sequence` gives them.
        n_nodes: int64[n], leaves and splits of each tree.
        errors, bounds: float64[n], training errors, as shares of the dearest mistake, and what they may stand for; both
            nan where no training row counts.
    """

    steps: list[Step]
    gone: NDArray[np.int32]
    n_nodes: NDArray[np.int64]
    errors: Floats
    bounds: Floats


def bounded(table: Table, tree: Tree, options: Options) -> Bounded:
    """The prunings among which the least bound is, see `_by_bound`."""
    kept, weight = locked(tree, options.keep_by_hand), tree.loss_weight("train")[0]
    per_node = tree.n_branches + (tree.n_branches > 0)  # each split with a leaf more: so there are as many as nodes
    link = weakest_links(np.ascontiguousarray(tree.costs("train")), tree.parent, per_node, kept)
    steps, gone = sequence(tree, prices(link, weight))
    steps = [step._replace(alpha=NAN) for step in steps]  # they are prices per node, not per leaf
    until = np.where(tree.parent < 0, len(steps), gone[tree.parent])
    n_nodes = tree.n_nodes - np.cumsum(np.bincount(until, minlength=len(steps) + 1))[: len(steps)]
    errors = np.array([step.train_error for step in steps]) / (tree.leaf_rule.dearest(tree.classes) or 1.0)
    bounds = np.full(len(steps), NAN)
    if weight > 0:
        tests, k = count_tests(table, tree.options.get("nominal") == "multiway"), len(tree.classes)
        bounds = description_bound(errors, table.n_counted, n_nodes, tests, options.delta, k)
    return Bounded(steps, gone, n_nodes, errors, bounds)
