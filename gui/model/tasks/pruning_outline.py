"""The outline of one pruning, from arrays: no tree is made for it, and no Qt is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress

if TYPE_CHECKING:
    from engine.pruning.result import Pruning
    from engine.tree.tree import Tree


class Outline(NamedTuple):
    """A tree as it is drawn: leaves side by side in equal room, every node over the middle of its own.

    Attributes:
        tree: the one that the positions are of.
        nodes: int64[n], the positions of its nodes, in preorder.
        x: float64[n], from 0 to 1. y: float64[n], the depth from 0 to 1.
        parent: int64[n], the number of each one's parent among them; −1 of the root.
        leaf: bool[n].
    """

    tree: Tree
    nodes: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    parent: NDArray[np.int64]
    leaf: NDArray[np.bool_]


def is_quick(pruning: Pruning) -> bool:
    """Whether its outlines take no more than a few milliseconds."""
    from engine.pruning.result import Nested

    return isinstance(pruning.trees, Nested) and pruning.full.n_nodes <= 100_000


def outline(pruning: Pruning, step: int, progress: Progress | None = None) -> Outline:
    """The outline of one step."""
    from engine.pruning.result import Nested

    if not isinstance(pruning.trees, Nested):
        tree = pruning.tree(step)
        return _outline(tree, np.ones(tree.n_nodes, bool), tree.n_branches > 0)
    tree, gone = pruning.full, pruning.trees.gone
    above = np.where(tree.parent < 0, np.iinfo(np.int32).max, gone[tree.parent])
    shown = above > step
    return _outline(tree, shown, shown & (tree.n_branches > 0) & (gone > step))


def _outline(tree: Tree, shown: NDArray[np.bool_], inner: NDArray[np.bool_]) -> Outline:
    leaf = shown & ~inner
    before = np.concatenate(([0], np.cumsum(leaf)))
    nodes = np.flatnonzero(shown)
    middle = (before[nodes] + before[tree.end[nodes]]) / (2 * before[-1])
    level = tree.level[nodes].astype(np.float64)
    number = np.cumsum(shown) - 1
    parent = np.where(tree.parent[nodes] < 0, -1, number[tree.parent[nodes]])
    return Outline(tree, nodes, middle, level / max(float(level.max()), 1.0), parent, leaf[nodes])
