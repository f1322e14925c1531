"""A tree sorted by level, and where its nodes stand in a tidy drawing on levels.

    preorder           level order
        0                  0          order   0 1 4 2 3     (preorder positions, row by row)
       / \\                / \\         start   0 1 3 5       (where the rows begin)
      1   4              1   2        above   0 0 0 1 1     (the parent's place in this order)
     / \\                / \\           child   1 3 5 5 5 5   (where the children begin; one more at the end)
    2   3              3   4

What goes up or down a tree by whole levels is done for all nodes of a row at once. The drawing is that of E. M.
Reingold and J. S. Tilford, "Tidier drawings of trees" (1981): a parent stands over the middle of its outer children,
and subtrees side by side are as near to each other as the gap lets them. With more than two branches the middle ones
stand half-way between packed to the left and packed to the right: a mirrored tree has the mirrored drawing.

A tree of 200,000 nodes takes 5 ms of compiled kernels. A small one does not wait for the compiler: until somebody has
called them with a large one, as warming up does, the same functions run as plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import engine
from gui.picture.tree_cache import kept

NO_NODES = np.zeros(0, np.int64)
TOGETHER = 6_000  # nodes of so many levels are looked at together
TYPES = {"i": np.int64, "u": np.int64, "f": np.float64}  # by the kind of an array
FEW = 2_000  # nodes that plain Python draws in about a frame; larger trees are drawn ahead, in a worker


class Drawing(NamedTuple):
    """Where nodes stand, in preorder."""

    centres: NDArray[np.float64]  # float64[n]
    left: NDArray[np.float64]  # left, right: float64[n], the edges of every subtree; that of the root begins at 0
    right: NDArray[np.float64]
    height: NDArray[np.int64]  # int64[n], how many levels are below each node


def layout(levels: Levels, widths: NDArray, gap: float = 12.0) -> Drawing:
    """A tidy drawing of a tree: float[n], the room each node needs on its level; the least gap there."""
    parent, end, half, n = levels.parent, levels.end, np.asarray(widths) / 2, len(levels.end)
    height, tallest, slot, offset = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n)
    centres, left, right = np.empty(n), np.empty(n), np.empty(n)
    run("find_slots", parent, height, tallest, slot)
    run("push_apart", end, half, float(gap), height, tallest, slot, offset)
    run("place", parent, half, offset, centres, left, right)
    return Drawing(centres, left, right, height)


def run(name: str, *given: Any) -> Any:
    """Calls a kernel with arrays of its types; as it stands for a small tree while nobody has compiled it."""
    kernel = getattr(kernels(), name)
    made = [np.require(x, TYPES.get(x.dtype.kind), ("C", "W")) if isinstance(x, np.ndarray) else x for x in given]
    return (kernel.py_func if len(given[0]) <= FEW and not kernel.signatures else kernel)(*made)


@cache
def kernels() -> ModuleType:
    """Imported late: an empty window does not wait for the compiler to be loaded."""
    from gui.picture import kernels as found  # late, see above

    return found


def warm_up() -> None:
    """Compiles the kernels, or loads them, by drawing a tree too large to do without: one node below the other."""
    from engine.runtime.compiler import compile_at_once  # late, as `kernels`

    n = FEW + 1
    parent, end, level, zeros, ones = np.arange(n) - 1, np.full(n, n), np.arange(n), np.zeros(n), np.ones(n)
    n_branches = np.minimum(n - 1 - level, 1)
    with compile_at_once():
        layout(Levels(parent, end, n_branches, level), ones, 0.0)
        run("fold_away", parent, end, level, n_branches, np.zeros(n, bool))
        run("find_room", level, zeros, ones, 1.0, 0.0, n - 1)
        run("join_bars", parent, level, zeros, ones, n - 1)
        no_pixels, no_colours = np.zeros((1, 1), np.uint32), np.zeros(0, np.uint32)
        kernels().fill_bands(no_pixels, np.zeros((0, 4)), zeros[:0], no_colours, zeros, 1.0)


class Levels:
    """The shape of a tree, in preorder, and by level, as `kernels.sort_by_level` says."""

    def __init__(self, parent: NDArray, end: NDArray, n_branches: NDArray, level: NDArray) -> None:
        """All int[n], in preorder; the root's parent is −1."""
        self.parent, self.end, self.n_branches, self.level = parent, end, n_branches, level
        found = run("sort_by_level", level, n_branches)
        self.start, self.order, self.place, self.above, self.child, self.branches = found

    @property
    def n(self) -> int:
        return int(self.order.size)

    @property
    def depth(self) -> int:
        return int(self.start.size) - 2

    def row(self, level: int) -> NDArray[np.intp]:
        """The preorder positions of the nodes of a level, from left to right."""
        return self.order[self.start[level] : self.start[level + 1]]

    def rows(self, level: int, last: int, most: int) -> tuple[NDArray[np.intp], int]:
        """(the nodes of a level and of those below it down to `last`, as many levels as together have no more than
        `most` nodes but at least one, the level after these)."""
        begin = int(self.start[level])
        after = int(np.searchsorted(self.start, begin + most, side="right")) - 1
        after = min(max(after, level + 1), last + 1)
        return self.order[begin : int(self.start[after])], after

    def children_of(self, nodes: NDArray) -> NDArray[np.intp]:
        """The preorder positions of all children of some nodes, in order."""
        places = self.place[nodes]
        begin = self.child[places]
        count = self.child[places + 1] - begin
        total = int(count.sum())
        shift = np.repeat(begin - np.concatenate(([0], np.cumsum(count)[:-1])), count) if total else begin[:0]
        return self.order[shift + np.arange(total)]


@kept
def levels_of(tree: engine.Tree) -> Levels:
    return Levels(tree.parent, tree.end, tree.n_branches, tree.level)


Asked = Callable[[NDArray[np.intp]], NDArray[np.bool_]]  # of some nodes


def highest_tiny(parent: NDArray, nodes: NDArray[np.intp], are_tiny: Asked) -> NDArray[np.intp]:
    """The uppermost nodes on the ways up from tiny ones that are tiny, too: one block stands for all below them."""
    highest = [nodes[:0]]
    while nodes.size:
        above = np.maximum(parent[nodes], 0)
        up = (nodes > 0) & are_tiny(above)
        highest.append(nodes[~up])
        nodes = np.unique(above[up])
    return np.unique(np.concatenate(highest))


def walk(
    levels: Levels, first: int, last: int, in_view: Asked, are_tiny: Asked, top: int = 0, *, flat: bool = False
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(the nodes in view, the roots of subtrees that are drawn as one block each), level by level, from the first to
    the last in view, or below the position `top`: what is below a subtree that is out of view, or too small, is so
    itself. Levels with few nodes are taken together; where they are too near to each other, `flat`, the root stands for
    all."""
    nodes, blocks = [NO_NODES], [NO_NODES]
    begin = level = int(levels.level[top]) if top else first
    if top or level > last:
        row, after = np.array([top]), level + 1
    else:
        row, after = levels.rows(level, last, TOGETHER)
    while level <= last and row.size:
        row = row[in_view(row)]
        tiny = are_tiny(row)
        small = row[tiny]
        if level > begin or top:
            blocks.append(small)
        else:
            lower, highest = small[levels.level[small] > level], small[levels.level[small] == level]
            highest = highest[:1] * 0 if flat else highest_tiny(levels.parent, highest, are_tiny)
            blocks += [highest, lower[~are_tiny(levels.parent[lower])]]
        row = row[~tiny]
        nodes.append(row)
        row = levels.children_of(row[levels.level[row] == after - 1])
        level, after = after, after + 1
    return np.concatenate(nodes), np.concatenate(blocks)
