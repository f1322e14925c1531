"""By which figure trees of different sizes are compared, and that figure for every step of a sequence at once.

All but one are sums over the leaves: a node adds what it costs at the step at which it becomes a leaf, and takes it off
again at the step at which an ancestor does. So one pass over the nodes gives the figure of every size.
"""

import numpy as np
from numpy.typing import NDArray

from engine.pruning.kernels import auc_of_steps
from engine.pruning.options import METRICS, metrics_for
from engine.pruning.result import Nested, Pruning
from engine.pruning.sequence import over_steps
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.partition import TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment, assign
from engine.tree.counting import entries_of
from engine.tree.kernels.counts import absolute_deviations
from engine.tree.tree import Tree

Integers = NDArray[np.int64]

LEAST = 1e-15  # a probability of 0 would make an infinite log loss, as in `engine.assess`


def curve(
    pruning: Pruning, metric: str, part: str, table: Table, assignment: Assignment | None = None
) -> NDArray[np.float64]:
    """A metric of every step of nested prunings; NaN where the part has no rows, or a class none for the AUC.

    Args:
        pruning: its `trees` are `Nested`.
        metric: a name of `METRICS`.
        part: "train" or "validation".
        table: the rows that the tree was counted on.
        assignment: of the full tree, if at hand; only the absolute error looks at rows.

    Returns:
        float64[n_steps].

    Raises:
        InputError: no such metric for this target, or the prunings are not nested.
    """
    if not isinstance(pruning.trees, Nested):
        raise InputError(tr(
            "The trees of “{method}” are not cut out of each other: judge each one by itself.", method=pruning.method,
        ))  # fmt: skip
    tree, n_steps = pruning.full, len(pruning.steps)
    gone = pruning.trees.gone.astype(np.int64)
    start, stop = gone, np.where(tree.parent < 0, n_steps, gone[tree.parent])
    return _figure(tree, start, stop, n_steps, metric, part, table, assignment)


def figure(tree: Tree, metric: str, part: str, table: Table, assignment: Assignment | None = None) -> float:
    """A metric of one tree; the arguments and faults are those of `curve`."""
    start = (tree.n_branches > 0).astype(np.int64)
    stop = np.ones(tree.n_nodes, np.int64)
    return float(_figure(tree, start, stop, 1, metric, part, table, assignment)[0])


def _figure(
    tree: Tree, start: Integers, stop: Integers, n_steps: int, metric: str, part: str,
    table: Table, assignment: Assignment | None,
) -> NDArray[np.float64]:  # fmt: skip
    """float64[n_steps], where a node is a leaf of the steps start ≤ step < stop."""
    if metric not in METRICS or METRICS[metric].task != tree.task:
        names = ", ".join(metrics_for(tree.task))
        raise InputError(
            tr("There is no metric “{metric}” for this target; choose one of {names}.", metric=metric, names=names)
        )
    if metric == "auc":
        return _areas(tree, start, stop, n_steps, part)
    weight = tree.loss_weight(part)[0] if metric in ("cost", "profit") else tree.weight(part)[0]
    if not weight > 0:
        return np.full(n_steps, np.nan)
    mean = over_steps(start, stop, n_steps, _costs(tree, metric, part, table, assignment)) / weight
    if metric == "profit":
        return mean
    mean = np.maximum(mean, 0.0)
    if metric != "r2":
        return np.asarray(mean)
    stats = tree.train if part == "train" else tree.validation
    spread = stats[0, 2] / weight
    return 1.0 - mean / spread if spread > 0 else np.full(n_steps, np.nan)


def _costs(tree: Tree, metric: str, part: str, table: Table, assignment: Assignment | None) -> NDArray[np.float64]:
    """float64[n_nodes]: what each node adds to the figure as a leaf."""
    stats = tree.train if part == "train" else tree.validation
    if metric == "error":
        return tree.wrong(part)
    if metric == "cost":
        return tree.costs(part)
    if metric == "profit":
        return tree.profits(part)
    if metric == "log_loss":
        return np.asarray(-(stats * np.log(np.clip(tree.probabilities, LEAST, 1.0))).sum(axis=1))
    if metric == "gini":
        said = tree.probabilities
        squares = (said**2).sum(axis=1)
        return np.asarray((squares + 1.0) * stats.sum(axis=1) - 2.0 * (stats * said).sum(axis=1))
    if metric == "absolute_error":  # Σ w·|y − answer|, from the rows
        at, found = assignment or assign(table, tree), np.empty((tree.n_nodes, 1))
        of, wanted = entries_of(table, at.rows, at.share), TRAIN if part == "train" else VALIDATION
        answers, every = np.ascontiguousarray(tree.predictions - tree.origin), np.arange(tree.n_nodes)
        absolute_deviations(of.rows, at.start, at.stop, every, of.y, of.part, wanted, of.weights, answers, 0, found)
        return found[:, 0]
    mean = np.divide(stats[:, 1], stats[:, 0], out=np.zeros(tree.n_nodes), where=stats[:, 0] > 0)
    return np.asarray(stats[:, 2] + stats[:, 0] * (mean - (tree.predictions - tree.origin)) ** 2)


def _areas(tree: Tree, start: Integers, stop: Integers, n_steps: int, part: str) -> NDArray[np.float64]:
    """float64[n_steps]: the area under the ROC curve, class against the others, the mean over the classes that the part
    has rows of (Provost and Domingos 2001 weigh them; here each counts the same, as with scikit-learn's "macro")."""
    stats = tree.train if part == "train" else tree.validation
    events, until = _events(start, stop, n_steps)
    total, every = stats.sum(axis=1), []
    for k in range(1 if len(tree.classes) == 2 else 0, len(tree.classes)):  # of two classes both areas are the same
        rank = np.unique(tree.probabilities[:, k], return_inverse=True)[1].astype(np.int64)
        inside, found = np.ascontiguousarray(stats[:, k]), np.empty(n_steps)
        auc_of_steps(events, until, rank, inside, total - inside, found)
        every.append(found)
    areas = np.array(every).reshape(-1, n_steps)
    known = ~np.isnan(areas).all(axis=1)
    return areas[known].mean(axis=0) if known.any() else np.full(n_steps, np.nan)


def _events(start: Integers, stop: Integers, n_steps: int) -> tuple[Integers, Integers]:
    """(the nodes that become leaves, v + 1, and are leaves no longer, −v − 1, in the order of the steps; how many of
    these have happened by each step)."""
    shown = np.flatnonzero(start < stop)
    step, node = np.concatenate((start[shown], stop[shown])), np.concatenate((shown, shown))
    order = np.lexsort((node, step))
    events = np.where(np.arange(order.size) < shown.size, node + 1, -node - 1)[order]
    return events, np.searchsorted(step[order], np.arange(n_steps), side="right")


# -- what costs are, in words


def mean_words(tree: Tree) -> str:
    """What a mean of `Tree.costs` is, in a word."""
    return tr("cost") if tree.leaf_rule.weighs_mistakes else tr("error")


def loss_words(table: Table, tree: Tree) -> str:
    """What sums of `Tree.costs` are, as a sentence begins with it."""
    if tree.task == "number":
        return tr("Sum of absolute errors") if tree.predicts_median else tr("Sum of squared errors")
    if tree.leaf_rule.weighs_mistakes:
        return tr("Sum of costs")
    return tr("Errors") if table.weights is None else tr("Weight of the errors")
