"""The figures of a whole tree that the panels pick theirs from: counted once for each tree, in the worker where it can,
as each passes over all nodes and several panels ask for the same ones."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import engine
from gui.picture.nodes.figures import mean_profits
from gui.picture.tree_cache import kept

PARTS = ("train", "validation")


def prepare(tree: "engine.Tree") -> None:
    """Counts what every panel asks for as soon as a tree is shown."""
    # Shape and places are found on first use, by a kernel: better here than in a paint event.
    tree.position(0)
    _ = tree.depth, tree.n_leaves
    for part in PARTS:
        error(tree, part), branch_errors(tree, part), leaf_errors(tree, part)
        if tree.task == "classes":
            drawn_errors(tree, part)
        else:
            root_cost(tree, part)
        if tree.leaf_rule.weighs_mistakes:
            loss(tree, part), leaf_losses(tree, part)
        if tree.leaf_rule.profits:
            profit(tree, part), mean_profits(tree, part)
    if tree.task == "classes":
        _ = tree.probabilities, tree.acts


error: "Callable[[engine.Tree, str], float]" = kept(lambda tree, part: tree.error(part))
loss: "Callable[[engine.Tree, str], float]" = kept(lambda tree, part: tree.loss(part))
profit: "Callable[[engine.Tree, str], float]" = kept(lambda tree, part: tree.profit(part))
drawn_errors: "Callable[[engine.Tree, str], NDArray[np.float64]]" = kept(lambda tree, part: tree.stochastic_error(part))


@kept
def root_cost(tree: "engine.Tree", part: str) -> float:
    """The mean cost of the root as a leaf on a part of the rows; NaN without rows."""
    weight = float(tree.weight(part)[0])
    return float(tree.costs(part)[0]) / weight if weight > 0 else float("nan")


@kept
def leaf_errors(tree: "engine.Tree", part: str) -> NDArray[np.float64]:
    """float64[n_nodes]: the error of each node as a leaf; NaN without rows."""
    return _shares(tree.wrong(part) if tree.task == "classes" else tree.costs(part), tree.weight(part))


@kept
def leaf_losses(tree: "engine.Tree", part: str) -> NDArray[np.float64]:
    """float64[n_nodes]: the mean cost of each node's label, see `Tree.costs`; NaN without rows."""
    return _shares(tree.costs(part), tree.loss_weight(part))


@kept
def branch_errors(tree: "engine.Tree", part: str) -> NDArray[np.float64]:
    """float64[n_nodes]: the error on the rows of each node with the branches below it; NaN without rows."""
    costs, leaf = tree.wrong(part) if tree.task == "classes" else tree.costs(part), tree.n_branches == 0
    before = np.concatenate(([0.0], np.cumsum(np.where(leaf, costs, 0.0))))
    below = np.where(leaf, costs, before[tree.end] - before[:-1])
    errors = _shares(below, tree.weight(part))
    return np.maximum(errors, 0.0, where=~np.isnan(errors), out=errors)


def _shares(costs: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(costs, weights, out=np.full(len(costs), np.nan), where=weights > 0)
