"""The best pruning of every size: the trees from which structural risk and cross-validation choose."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.pruning.kernels.sequences import Merges, best_of_sizes
from engine.pruning.result import Nested, with_leaves
from engine.pruning.sequence import Flags, Floats, links, locked, over_leaves, prices, sequence
from engine.runtime.errors import InputError
from engine.tree.tree import Tree

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
            raise InputError(f"No pruning of this tree up to {self.cap:,} leaves has {leaves:,} of them.")
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
        raise InputError(f"The front cannot end at {most_leaves} leaves; at 1 to {MOST:,} it can.")
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
