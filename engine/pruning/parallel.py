"""Pruning subtrees at the same time, from small ones to the whole tree: what happens in one touches no other."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.runtime.threads import Workers

if TYPE_CHECKING:
    from engine.runtime.progress import Progress
    from engine.tree import Tree

Integers = NDArray[np.int64]

SHARES = (1 / 64, 1 / 8, 1 / 2, 1.0)  # of the training rows: the largest subtrees with at most so many, in turn
LEFT_ALONE = "The pruning was stopped: this is the tree as it was."


def prune_side_by_side(
    tree: "Tree", order: Integers, prune: Callable[[int, Integers], None], progress: "Progress"
) -> None:
    """Calls `prune` for subtrees that hold each other or have nothing in common, smaller ones first.

    What comes of it does not depend on the number of threads. A stop leaves subtrees out.

    Args:
        order: int64[·], the splits from below, branch after branch, as `engine.pruning.sequence.bottom_up` has them.
        prune: (position of the subtree's root, its splits in that order that are still to come).
    """
    below = np.append(0, np.cumsum(tree.n_branches > 0))
    place = np.empty(tree.n_nodes, dtype=np.int64)
    place[order] = np.arange(order.size)
    rows, done = tree.rows_train, np.zeros(order.size, dtype=bool)
    finished: list[int] = []

    def work(root: int) -> None:
        if progress.stopped:
            return
        stop = int(place[root]) + 1
        mine = np.arange(stop - (below[tree.end[root]] - below[root]), stop)
        mine = mine[~done[mine]]
        prune(root, order[mine])
        done[mine] = True
        finished.append(mine.size)

    def tell() -> None:
        progress.report(sum(finished) / max(order.size, 1), "Cutting back")

    tell()
    with Workers() as workers:
        for share in SHARES:
            fits = (rows <= share * rows[0]) & (tree.n_branches > 0)
            tops = fits.copy()
            tops[1:] &= ~fits[tree.parent[1:]]
            workers.each(work, np.flatnonzero(tops).tolist(), tell)
