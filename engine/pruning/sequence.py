"""Nested prunings: the weakest-link sequence, and what every step of such a sequence costs."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.pruning.result import NAN, Step
from engine.tree.marks import splits_kept

if TYPE_CHECKING:
    from engine.tree import Tree

TIE = 1e-12  # links that differ by less than this share of their size go together


def links(tree: "Tree", cost: NDArray[np.float64], keep_by_hand: bool) -> NDArray[np.float64]:
    """The weakest link of every node for the given costs of the nodes as leaves, by `kernels.links`.

    A split that is `locked` never goes: +inf.
    """
    from engine.tree.kernels.weakest_links import weakest_links

    found: NDArray[np.float64] = weakest_links(
        np.ascontiguousarray(cost, np.float64), tree.parent, tree.n_branches, locked(tree, keep_by_hand)
    )
    return found


def locked(tree: "Tree", keep_by_hand: bool) -> NDArray[np.bool_]:
    """bool[n_nodes]: the splits that pins and locks keep, with `keep_by_hand` those that a person made, and every split
    above them."""
    kept = splits_kept(tree)
    if not keep_by_hand:
        return kept
    by_hand = np.concatenate(([0], np.cumsum(tree.by_hand & (tree.n_branches > 0))))
    return np.asarray((by_hand[tree.end] > by_hand[:-1]) | kept)


def sequence(tree: "Tree", link: NDArray[np.float64], first_alpha: float) -> tuple[list[Step], NDArray[np.int32]]:
    """Turns links into steps; links that are equal but for rounding go in one step (Breiman et al. 1984, 3.3).

    Args:
        tree: the full tree.
        link: float64[n_nodes] as from `links`, never greater below a node than at it, in units of the error.
        first_alpha: what the step of the full tree shows as its alpha.

    Returns:
        The steps and `gone` as in `Nested`.
    """
    splits = tree.n_branches > 0
    alphas = np.unique(link[splits & np.isfinite(link)])
    new = np.ones(len(alphas), bool)
    new[1:] = np.diff(alphas) > TIE * np.maximum(np.abs(alphas[1:]), np.abs(alphas[:-1]))
    alphas = alphas[new]
    n_steps = len(alphas) + 1
    gone = np.searchsorted(alphas, link, side="right").astype(np.int32)
    gone[np.isposinf(link)] = n_steps
    gone[~splits] = 0
    return steps_of(tree, gone, [first_alpha, *alphas.tolist()]), gone


def steps_of(tree: "Tree", gone: NDArray[np.int32], alphas: list[float]) -> list[Step]:
    """The steps for `gone` as in `Nested`, one for each alpha."""
    return list(map(Step, *_curves(tree, gone, len(alphas)), alphas))


def _curves(tree: "Tree", gone: NDArray[np.int32], n_steps: int) -> list[list[float]]:
    """Leaves, training and validation error of every step, in one pass over the nodes."""

    def error(part: str) -> list[float]:
        weight = tree.loss_weight(part)[0]
        if not weight > 0:
            return [NAN] * n_steps
        losses = np.maximum(over_leaves(tree, gone, n_steps, tree.costs(part)), 0.0)
        errors: list[float] = (losses / weight).tolist()
        return errors

    leaves = over_leaves(tree, gone, n_steps, np.ones(tree.n_nodes)).astype(np.int64).tolist()
    return [leaves, error("train"), error("validation")]


def over_leaves(
    tree: "Tree", gone: NDArray[np.int32], n_steps: int, values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """float64[n_steps]: the sum of the values of the nodes, float64[n_nodes], over the leaves of every step.

    Node i is a leaf of the steps gone[i] ≤ step < gone[parent]: add its value at the first, take it off at the last,
    and sum over the steps.
    """
    above = np.where(tree.parent < 0, n_steps, gone[tree.parent])
    shown = gone < above
    start, stop, values = gone[shown], above[shown], values[shown]
    change = np.bincount(start, values, n_steps + 1) - np.bincount(stop, values, n_steps + 1)
    return np.cumsum(change)[:n_steps]


def smallest_best(errors: NDArray[np.float64]) -> int:
    """Index of the last error (the fewest leaves) that is least but for rounding; 0 where all are nan."""
    if np.isnan(errors).all():
        return 0
    least = np.nanmin(errors)
    return int(np.flatnonzero(errors <= least + TIE * abs(least))[-1])


def smallest_within(errors: NDArray[np.float64], se: NDArray[np.float64], least: int, standard_errors: float) -> int:
    """Index of the last error (the fewest leaves) that is at most so many standard errors above that of step `least`.

    Args:
        errors, se: float64[n_steps].
        least: as from `smallest_best`; it is the answer where its standard error is not known.
    """
    bound = errors[least] + standard_errors * se[least]
    within = np.flatnonzero(errors <= bound + TIE * abs(bound))
    return int(within[-1]) if standard_errors > 0 and within.size else least


def bottom_up(tree: "Tree") -> NDArray[np.int64]:
    """The positions of the splits, branch after branch, each after those below it."""
    inner = np.flatnonzero(tree.n_branches)
    return inner[np.lexsort((-inner, tree.end[inner]))]
