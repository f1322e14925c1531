"""The whole front: the fewest errors for every number of leaves."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError

if TYPE_CHECKING:
    from engine.tree import Tree

MOST_LEAVES = 2000  # the front ends here unless it is told otherwise
MOST = 65_535  # what a choice can hold
MOST_CHOICES = 2**27  # two bytes each; only trees that are nearly a single path come near


@dataclass(frozen=True, eq=False)
class Front:
    """The best pruning of every size, and what it takes to make it.

    Attributes:
        leaves: int64[n], the numbers of leaves that prunings have, ascending: a split into three branches makes two
            more at once, so some are left out.
        costs: float64[n], the least sum of costs with so many leaves.
        beside: float64[n], the other costs of these trees.
        cap: the most leaves that were looked at.
        width, start, given: how the trees are found again, see `engine.pruning.kernels.front`.
    """

    leaves: NDArray[np.int64]
    costs: NDArray[np.float64]
    beside: NDArray[np.float64]
    cap: int
    width: NDArray[np.int64]
    start: NDArray[np.int64]
    given: NDArray[np.uint16]

    def tops(self, full: "Tree", leaves: int) -> NDArray[np.int64]:
        """The positions in the full tree that are the leaves of its best pruning with so many, one of `leaves`."""
        from engine.pruning.kernels.front import tree_of_front

        leaf = np.zeros(full.n_nodes, dtype=bool)
        tree_of_front(leaves, full.n_branches, full.end, self.width, self.start, self.given, leaf)
        return np.flatnonzero(leaf)

    def tree(self, full: "Tree", leaves: int) -> "Tree":
        """The best pruning with so many leaves.

        Raises:
            InputError: no pruning has so many, or they are beyond `cap`.
        """
        from engine.tree.edits import collapse

        if leaves not in self.leaves:
            raise InputError(f"No pruning of this tree up to {self.cap:,} leaves has {leaves:,} of them.")
        tops = self.tops(full, leaves)
        tops = tops[full.n_branches[tops] > 0]
        return collapse(full, tops) if tops.size else full


def front(
    tree: "Tree",
    cost: NDArray[np.float64],
    beside: NDArray[np.float64],
    kept: NDArray[np.bool_],
    most_leaves: int = MOST_LEAVES,
) -> Front:
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
    from engine.pruning.kernels.front import front_of_tree, room_of_front  # brings the compiler along

    if not 1 <= most_leaves <= MOST:
        raise InputError(f"The front cannot end at {most_leaves} leaves; at 1 to {MOST:,} it can.")
    n = tree.n_nodes
    width, start = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    cap = most_leaves
    while (n_choices := room_of_front(tree.n_branches, tree.end, cap, width, start)) > MOST_CHOICES:
        cap = max(cap // 2, 1)
    given = np.zeros(n_choices, dtype=np.uint16)
    best, best_beside = np.empty(width[0]), np.empty(width[0])
    costs, others = (np.ascontiguousarray(values, np.float64) for values in (cost, beside))
    front_of_tree(costs, others, tree.n_branches, tree.end, kept, width, start, given, best, best_beside)
    there = np.flatnonzero(best < np.inf)
    return Front(there + 1, best[there], best_beside[there], cap, width, start, given)
