"""Nested prunings: the weakest-link sequence, what every step of such a sequence costs, and which step is best."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.pruning.kernels import Merges, best_of_sizes
from engine.pruning.options import NO_VALIDATION
from engine.pruning.result import NAN, Nested, Step, Verdicts, with_leaves
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
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
        raise InputError(tr(NO_VALIDATION))
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
    n_branches = tree.n_branches if stands is None else np.where(stands, tree.n_branches, 0)
    compared, leaf = (n_branches > 0) & ~kept, n_branches == 0
    branch = np.append(np.where(leaf, np.nan, price), 0.0)  # one place more, for what is above the root
    for nodes in (of_level[::-1] for of_level in reversed(tree.levels)):
        as_leaf, as_branch = cost[nodes], branch[nodes]
        slack = TIE * np.maximum(np.abs(as_leaf), np.abs(as_branch))
        leaf[nodes] |= compared[nodes] & (as_leaf <= as_branch + slack)
        np.add.at(branch, tree.parent[nodes], np.where(leaf[nodes], as_leaf, as_branch))
    said = (np.where(compared, values, np.nan) for values in (cost, branch[:-1]))
    return Verdicts(quantity, *said), leaf & compared


# -- the best pruning of every size


MOST_LEAVES = 2000  # the front ends here unless it is told otherwise
MOST = 65_535  # what a choice can hold
MOST_CHOICES = 2**27  # two bytes each; only trees that are nearly a single path come near


@dataclass(frozen=True, eq=False)
class Front:
    """The fewest errors for every number of leaves, and what it takes to make these prunings.

    Attributes:
        leaves: int64[n], the numbers of leaves that prunings have, ascending: a split into three branches makes two
            more at once, so some are left out.
        costs: float64[n], the least sum of costs with so many leaves.
        beside: float64[n], the other costs of these trees.
        cap: the most leaves that were looked at.
        merges: how the trees are found again.
    """

    leaves: NDArray[np.int64]
    costs: Floats
    beside: Floats
    cap: int
    merges: Merges

    def tops(self, leaves: int) -> NDArray[np.int64]:
        """The positions in the full tree that are the leaves of its best pruning with so many, one of `leaves`."""
        _, end, width, start, given = self.merges
        found, waiting = [], [(0, leaves)]
        while waiting:
            v, size = waiting.pop()
            if size == 1:
                found.append(v)
                continue
            children, child = [], v + 1
            while child < end[v]:
                children.append(child)
                child = int(end[child])
            for child in children[:0:-1]:
                mine = 1 if width[child] == 1 else size - 1
                if start[child] >= 0:
                    mine = int(given[start[child] + size - 1])
                waiting.append((child, mine))
                size -= mine
            waiting.append((children[0], size))
        return np.array(sorted(found), np.int64)

    def tree(self, full: Tree, leaves: int) -> Tree:
        """The best pruning with so many leaves.

        Raises:
            InputError: no pruning has so many, or they are beyond `cap`.
        """
        if leaves not in self.leaves:
            raise InputError(
                tr("No pruning of this tree up to {cap:,} leaves has {leaves:,} of them.", cap=self.cap, leaves=leaves)
            )
        tops = self.tops(leaves)
        return with_leaves(full, tops[full.n_branches[tops] > 0])


def front(tree: Tree, cost: Floats, beside: Floats, kept: Flags, most_leaves: int = MOST_LEAVES) -> Front:
    """The least cost for every number of leaves, by dynamic programming over the number of leaves.

    Where several trees of a size cost the same, which one it is follows from the order of the nodes alone.

    Args:
        cost: float64[n_nodes], what each node costs as a leaf, for example `tree.costs()`; any numbers.
        beside: float64[n_nodes], other costs that are added up for the same trees, for example of validation rows.
        kept: bool[n_nodes], splits that stay, see `engine.pruning.sequence.locked`.
        most_leaves: the front ends here; earlier where the choices would fill the memory.

    Raises:
        InputError: most_leaves is out of range.
    """
    if not 1 <= most_leaves <= MOST:
        raise InputError(tr(
            "The front cannot end at {leaves} leaves; at 1 to {most:,} it can.", leaves=most_leaves, most=MOST,
        ))  # fmt: skip
    cap = most_leaves
    width, start, n_choices = _room(tree, cap)
    while n_choices > MOST_CHOICES:
        cap = max(cap // 2, 1)
        width, start, n_choices = _room(tree, cap)
    merges = Merges(tree.n_branches, tree.end, width, start, np.zeros(n_choices, np.uint16))
    best, best_beside = np.empty(width[0]), np.empty(width[0])
    costs, others = (np.ascontiguousarray(values, np.float64) for values in (cost, beside))
    best_of_sizes(costs, others, kept, merges, best, best_beside)
    there = np.flatnonzero(best < np.inf)
    return Front(there + 1, best[there], best_beside[there], cap, merges)


def _room(tree: Tree, cap: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """(`width` and `start` of `Merges` where no more than `cap` leaves are looked at, how many choices there are)."""
    before = np.append(0, np.cumsum(tree.n_branches == 0))
    width = np.minimum(before[tree.end] - before[:-1], cap)
    earlier = np.minimum(before[:-1] - before[tree.parent + 1], cap)  # leaves of the branches that are merged by then
    owns = (earlier > 1) & (width > 1) & (tree.parent >= 0)
    room = np.where(owns, np.minimum(earlier + width, cap), 0)
    return width, np.where(owns, np.cumsum(room) - room, -1), int(room.sum())


class SizeSequence(NamedTuple):
    """The full tree, then the best pruning of every size, most leaves first.

    Beyond the sizes of the front it has the weakest-link sequence, whose trees are the best of their sizes, too.

    Attributes:
        leaves: int64[n], descending.
        alphas: float64[n], the least price per leaf at which a tree is the cheapest pruning; nan where it never is.
        sums: of the costs, and of each of the other values, float64[n], their sums over the leaves of every tree.
        gone: int32[n_nodes], as in `Nested`, of the sequence. larger: int64, its steps that are taken.
        front: the front; its trees are the last ones.
    """

    leaves: NDArray[np.int64]
    alphas: Floats
    sums: tuple[Floats, ...]
    gone: NDArray[np.int32]
    larger: NDArray[np.int64]
    front: Front

    def tree(self, full: Tree, i: int) -> Tree:
        """See `engine.pruning.result.Trees`."""
        if i == 0:
            return full
        if i <= self.larger.size:
            return Nested(self.gone).tree(full, int(self.larger[i - 1]))
        return self.front.tree(full, int(self.leaves[i]))


def size_sequence(
    tree: Tree, cost: Floats, weight: float, keep_by_hand: bool, most_leaves: int, *others: Floats
) -> SizeSequence:
    """The best trees of all sizes by `cost`, float64[n_nodes] of each node as a leaf.

    Args:
        weight: what costs are divided by to become errors, the unit of the alphas.
        keep_by_hand: whether hand-made splits stay, beside those that pins and locks keep.
        most_leaves: up to here the front goes.
        others: float64[n_nodes] each, further values that are added up for the same trees.
    """
    steps, gone = sequence(tree, prices(links(tree, cost, keep_by_hand), weight))
    kept = locked(tree, keep_by_hand)
    fronts = [front(tree, cost, values, kept, most_leaves) for values in others or (cost,)]
    alpha_of = {step.leaves: step.alpha for step in steps}
    smaller = fronts[0].leaves[::-1]
    smaller = smaller[smaller < tree.n_leaves]
    sizes = np.array([step.leaves for step in steps])
    larger = np.flatnonzero((sizes > min(fronts[0].cap, tree.n_leaves)) & (sizes < tree.n_leaves))
    leaves = np.concatenate(([tree.n_leaves], sizes[larger], smaller))
    sums = []
    for values, small in zip((cost, *others), (fronts[0].costs, *(found.beside for found in fronts)), strict=False):
        by_step = over_leaves(tree, gone, len(steps), values)
        sums.append(np.concatenate((by_step[:1], by_step[larger], small[: smaller.size][::-1])))
    alphas = np.array([alpha_of.get(size, np.nan) for size in leaves.tolist()])
    return SizeSequence(leaves, alphas, tuple(sums), gone, larger, fronts[0])
