"""How the tree grew, as weak learning: advantages, drops beside their bounds, and the cost split by split."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.growing.frontier import Frontier, even_drop, splits_in_order
from engine.learning_theory.weak_learning import (
    COSTS,
    advantages,
    cost,
    least_drop,
    lemma_leaf,
    log_steps,
    next_cost,
    notes_drop,
    notes_next_cost,
    steps_by_recurrence,
)
from engine.tree.tree import Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Splits:
    """The splits of nodes that hold both classes, in preorder.

    Attributes:
        node: int64, their ids. share: float64, of the training weight. q: float64, the share of the positive class.
        gamma: float64, the advantage of each.
        drops, least: by criterion, float64: by how much the node's own cost falls, and by how much it has to.
        notes: float64, 16γ²[q(1 − q)]².
    """

    node: NDArray[np.int64]
    share: Floats
    q: Floats
    gamma: Floats
    drops: dict[str, Floats]
    least: dict[str, Floats]
    notes: Floats


@dataclass(frozen=True, eq=False)
class Growth:
    """The cost of the tree after each split, in the order in which growing best first makes them.

    Attributes:
        node: int64[s], the ids. leaves: int64[s + 1], after none of them, one, …
        real: float64[s + 1], G_t. bounded: float64[s + 1], from the same G_0 by the recurrence with the tree's γ.
        notes: the same by that of the notes; empty but for Gini.
    """

    node: NDArray[np.int64]
    leaves: NDArray[np.int64]
    real: Floats
    bounded: Floats
    notes: Floats


@dataclass(frozen=True, eq=False)
class Steps:
    """How many splits are enough for an error of ε: ln of the closed formula; by the recurrence, None beyond
    `learning_theory.weak_learning.MOST_STEPS`."""

    log_formula: float
    by_recurrence: int | None


@dataclass(frozen=True, eq=False)
class WeakLearning:
    """The theorems of 12.1.5. They are about two classes: one of them against all others.

    The hypothesis is that whatever leaf grows, some split has an advantage of γ there. What is known of it are the
    splits of this tree; leaves that stay impure may have none. So `bounded` is what γ promises where it goes on so.

    Attributes:
        splits: see `Splits`.
        gamma: the least advantage of them, the γ of the theorems; nan without splits. weakest: its node's id, or None.
        error: ε_t, the share of the weight that leaves would label wrongly by majority, of these two classes.
        leaf: id of the leaf of Lemma 12.1, None where no leaf errs. leaf_share, leaf_error: its share of the weight and
            its error, at least ε_t/3t and ε_t/3.
        growth: by criterion. epsilon: the error that `steps` are for.
    """

    splits: Splits
    gamma: float
    weakest: int | None
    error: float
    leaf: int | None
    leaf_share: float
    leaf_error: float
    growth: dict[str, Growth]
    epsilon: float

    @cached_property
    def steps(self) -> dict[str, Steps]:
        """By criterion, and "notes"; empty without splits."""
        if math.isnan(self.gamma):
            return {}
        first = {name: float(growth.real[0]) for name, growth in self.growth.items()}
        first["notes"] = first["gini"]
        return {
            name: Steps(
                log_steps(name, self.epsilon, self.gamma), steps_by_recurrence(name, self.epsilon, self.gamma, g)
            )
            for name, g in first.items()
        }


def weak_learning(tree: Tree, positive: int, epsilon: float) -> WeakLearning:
    """See `WeakLearning`; positive: the number of the class."""
    weight, yes = tree.weight("train"), tree.train[:, positive]
    share = weight / weight[0]
    q = np.divide(yes, weight, out=np.zeros(tree.n_nodes), where=weight > 0)
    gamma = advantages(tree.parent, yes, np.maximum(weight - yes, 0.0))
    at = np.flatnonzero(~np.isnan(gamma))
    costs = {name: cost(name, q) for name in COSTS}
    falls = {name: _drops(tree, share, of_node) for name, of_node in costs.items()}
    splits = Splits(
        tree.ids[at], share[at], q[at], gamma[at], {name: fall[at] / share[at] for name, fall in falls.items()},
        {name: least_drop(name, q[at], gamma[at]) for name in COSTS}, notes_drop(q[at], gamma[at]),
    )  # fmt: skip
    least = float(splits.gamma.min()) if at.size else float("nan")
    error, leaves = np.minimum(q, 1 - q), tree.leaves
    found = lemma_leaf(share[leaves], error[leaves], tree.n_leaves - 1)
    place = int(leaves[found]) if found >= 0 else None
    return WeakLearning(
        splits, least, int(splits.node[splits.gamma.argmin()]) if at.size else None,
        float(share[leaves] @ error[leaves]),
        None if place is None else int(tree.ids[place]), 0.0 if place is None else float(share[place]),
        0.0 if place is None else float(error[place]),
        {name: _growth(tree, name, float(costs[name][0]), falls[name], least) for name in COSTS},
        epsilon,
    )  # fmt: skip


def _drops(tree: Tree, share: Floats, costs: Floats) -> Floats:
    """float64[n_nodes]: by how much each split lowers the cost of the whole tree; 0 for leaves."""
    mixed = share * costs
    below = np.bincount(tree.parent[1:], mixed[1:], tree.n_nodes) if tree.n_nodes > 1 else np.zeros(1)
    return np.where(tree.n_branches > 0, np.maximum(mixed - below, 0.0), 0.0)


def _growth(tree: Tree, name: str, first: float, drops: Floats, gamma: float) -> Growth:
    frontier, urgency = Frontier[int]("best_first", 1, None), -even_drop(drops, max(first, 1e-300))
    made = np.array(splits_in_order(frontier, [0], tree.n_branches, tree.end, urgency), np.int64)
    leaves = 1 + np.append(0, np.cumsum(tree.n_branches[made] - 1)).astype(np.int64)
    bounded, notes = [first], [first]
    for t, n in enumerate(leaves[:-1].tolist()):
        bounded.append(next_cost(name, bounded[-1], n, gamma) if gamma > 0 else first)
        notes.append(notes_next_cost(notes[-1], max(t, 1), gamma) if gamma > 0 else first)
    real = np.maximum(first - np.append(0.0, np.cumsum(drops[made])), 0.0)
    by_notes = np.array(notes) if name == "gini" else np.zeros(0)
    return Growth(tree.ids[made], leaves, real, np.array(bounded), by_notes)
