"""Nested prunings: the weakest-link sequence, what every step of such a sequence costs, and which step is best."""

import numpy as np
from numpy.typing import NDArray

from engine.pruning.kernels.sequences import cheapest_branches
from engine.pruning.result import NAN, NO_VALIDATION, Step, Verdicts
from engine.runtime.errors import InputError
from engine.tree.kernels.structure import weakest_links
from engine.tree.marks import splits_kept
from engine.tree.tree import Tree

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

TIE = 1e-12  # links that differ by less than this share of their size go together


def locked(tree: Tree, keep_by_hand: bool) -> Flags:
    """bool[n_nodes]: the splits that pins and locks keep, with `keep_by_hand` those that a person made, and every split
    above them."""
    kept = splits_kept(tree)
    if not keep_by_hand:
        return kept
    by_hand = np.concatenate(([0], np.cumsum(tree.by_hand & (tree.n_branches > 0))))
    return np.asarray((by_hand[tree.end] > by_hand[:-1]) | kept)


def validation_weight(tree: Tree) -> float:
    """What validation errors are shares of. Raises InputError if no validation row counts."""
    weight = float(tree.loss_weight("validation")[0])
    if not weight > 0:
        raise InputError(NO_VALIDATION)
    return weight


def links(tree: Tree, cost: Floats, keep_by_hand: bool) -> Floats:
    """The weakest link of every node for the given costs of the nodes as leaves, see `tree.kernels.weakest_links`.

    A split that is `locked` never goes: +inf.
    """
    kept = locked(tree, keep_by_hand)
    return np.asarray(weakest_links(np.ascontiguousarray(cost, np.float64), tree.parent, tree.n_branches, kept))


def prices(link: Floats, weight: float) -> Floats:
    """Links of training costs in units of the error. Those that pay for themselves at no price go at price 0."""
    return np.where(np.isfinite(link), np.maximum(link, 0.0) / (weight if weight > 0 else np.inf), link)


def sequence(tree: Tree, link: Floats, first_alpha: float = 0.0) -> tuple[list[Step], NDArray[np.int32]]:
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


def steps_of(tree: Tree, gone: NDArray[np.int32], alphas: list[float]) -> list[Step]:
    """The steps for `gone` as in `Nested`, one for each alpha."""
    n_steps = len(alphas)
    leaves = over_leaves(tree, gone, n_steps, np.ones(tree.n_nodes)).astype(np.int64).tolist()
    errors = [
        mean_losses(tree, part, over_leaves(tree, gone, n_steps, tree.costs(part))) for part in ("train", "validation")
    ]
    return list(map(Step, leaves, *errors, alphas))


def mean_losses(tree: Tree, part: str, sums: Floats) -> list[float]:
    """Errors from sums of costs over leaves; nan where the part has no weight."""
    weight = float(tree.loss_weight(part)[0])
    found: list[float] = (np.maximum(sums, 0.0) / weight).tolist() if weight > 0 else [NAN] * sums.size
    return found


def over_leaves(tree: Tree, gone: NDArray[np.int32], n_steps: int, values: Floats) -> Floats:
    """float64[n_steps]: the sum of the values of the nodes, float64[n_nodes], over the leaves of every step.

    Node i is a leaf of the steps gone[i] ≤ step < gone[parent].
    """
    return over_steps(gone, np.where(tree.parent < 0, n_steps, gone[tree.parent]), n_steps, values)


def over_steps(start: NDArray[np.integer], stop: NDArray[np.integer], n_steps: int, values: Floats) -> Floats:
    """float64[n_steps]: the sum of values, each of which counts at the steps start ≤ step < stop: add it at the first,
    take it off at the last, and sum over the steps."""
    shown = start < stop
    start, stop, values = start[shown], stop[shown], values[shown]
    change = np.bincount(start, values, n_steps + 1) - np.bincount(stop, values, n_steps + 1)
    return np.cumsum(change)[:n_steps]


def below(tree: Tree, values: Floats) -> Floats:
    """float64[n_nodes]: the sum of the values, float64[n_nodes], over the leaves at and below each node."""
    before = np.append(0.0, np.cumsum(np.where(tree.n_branches == 0, values, 0.0)))
    return before[tree.end] - before[:-1]


def under(tree: Tree, some: Flags) -> Flags:
    """bool[n_nodes]: the nodes below one of these."""
    ends = np.bincount(tree.end[some], minlength=tree.n_nodes + 1)[:-1]
    return np.asarray(np.cumsum(np.append(0, some[:-1]) - ends) > 0)


def smallest_best(errors: Floats) -> int:
    """Index of the last error (the fewest leaves) that is least but for rounding; 0 where all are nan."""
    if np.isnan(errors).all():
        return 0
    least = np.nanmin(errors)
    return int(np.flatnonzero(errors <= least + TIE * abs(least))[-1])


def smallest_within(errors: Floats, se: Floats, least: int, standard_errors: float) -> int:
    """Index of the last error (the fewest leaves) that is at most so many standard errors above that of step `least`.

    Args:
        errors, se: float64[n_steps].
        least: as from `smallest_best`; it is the answer where its standard error is not known.
    """
    bound = errors[least] + standard_errors * se[least]
    within = np.flatnonzero(errors <= bound + TIE * abs(bound))
    return int(within[-1]) if standard_errors > 0 and within.size else least


def bottom_up(
    quantity: str, tree: Tree, cost: Floats, kept: Flags, price: float | Floats = 0.0, stands: Flags | None = None
) -> tuple[Verdicts, Flags]:
    """What the rule "leaf if that costs no more" compares at each split, branches first, and which splits it makes
    leaves of.

    Args:
        cost: float64[n_nodes], of each node as a leaf.
        price: what every split costs, or float64[n_nodes], what each one does.
        kept: bool[n_nodes], splits that stay, and with them those above; nothing is compared there.
        stands: bool[n_nodes], the splits that are there, with those above them; None for all.
    """
    cost = np.ascontiguousarray(cost, np.float64)
    each = np.ascontiguousarray(np.broadcast_to(np.asarray(price, np.float64), cost.shape))
    n_branches = tree.n_branches if stands is None else np.where(stands, tree.n_branches, np.int32(0))
    branch, leaf = cheapest_branches(cost, each, tree.parent, n_branches, kept)
    compared = (n_branches > 0) & ~kept
    return Verdicts(quantity, np.where(compared, cost, np.nan), np.where(compared, branch, np.nan)), leaf & compared
