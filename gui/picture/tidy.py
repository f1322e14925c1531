"""Where the nodes of a tree stand in a tidy drawing on levels, for nodes of different widths; what else is found out
about the shape of a tree to draw it.

The drawing is that of E. M. Reingold and J. S. Tilford, "Tidier drawings of trees" (1981): a parent stands over the
middle of its outer children, and subtrees side by side are as near to each other as the gap lets them. With more than
two branches the middle ones stand half-way between packed to the left and packed to the right (both keep every
distance, so their mean does), which makes a mirrored tree the mirrored drawing.

A tree of 200,000 nodes takes 5 ms of compiled kernels. A small one does not wait for the compiler: until somebody has
called them with a large one, as warming up does, the same functions run as plain Python.
"""

from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FEW = 2_000  # nodes that plain Python draws in about a frame; larger trees are drawn ahead, in a worker


class Drawing(NamedTuple):
    """Where nodes stand, in preorder.

    Attributes:
        centres: float64[n].
        left, right: float64[n], the leftmost and the rightmost edge of every subtree; that of the root begins at 0.
        height: int64[n], how many levels are below each node.
    """

    centres: NDArray[np.float64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]
    height: NDArray[np.int64]


def tidy(parent: NDArray, end: NDArray, widths: NDArray, gap: float) -> Drawing:
    """Draws a tree.

    Args:
        parent: int[n], the node above each node, in preorder; of the root anything.
        end: int[n], one past the last node below each node.
        widths: float[n], the room each node needs on its level.
        gap: least distance between neighbours on a level.
    """
    parent, end, half, n = whole(parent), whole(end), np.array(widths, np.float64) / 2, len(end)
    height, tallest, slot, offset = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n)
    centres, left, right = np.empty(n), np.empty(n), np.empty(n)
    run(_kernels().find_slots, parent, height, tallest, slot)
    run(_kernels().push_apart, end, half, float(gap), height, tallest, slot, offset)
    run(_kernels().place, parent, half, offset, centres, left, right)
    return Drawing(centres, left, right, height)


def sort_by_level(level: NDArray, n_branches: NDArray) -> tuple[NDArray[np.int64], ...]:
    """(start, order, place, above, child, branches), see `gui.picture.kernels.sort_by_level`; int[n] twice."""
    found: tuple[NDArray[np.int64], ...] = run(_kernels().sort_by_level, whole(level), whole(n_branches))
    return found


def fold_away(
    parent: NDArray, end: NDArray, level: NDArray, n_branches: NDArray, closed: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], ...]:
    """(shown, at, parent, end, level, n_branches), see `gui.picture.kernels.fold_away`; int[n], `closed` bool[n]."""
    given = (whole(numbers) for numbers in (parent, end, level, n_branches))
    found: tuple[NDArray[np.int64], ...] = run(_kernels().fold_away, *given, closed)
    return found


def find_room(
    level: NDArray, centres: NDArray, widths: NDArray, across: float, gap: float, deepest: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(room, tightest), see `gui.picture.kernels.find_room`; int[n], float64[n], float[n]."""
    room, tightest = run(
        _kernels().find_room, whole(level), centres, np.array(widths, np.float64), across, gap, deepest
    )
    return room, tightest


def join_bars(
    parent: NDArray, level: NDArray, centres: NDArray, heights: NDArray, deepest: int
) -> tuple[NDArray[Any], ...]:
    """(begins, before, after, above, below), see `gui.picture.kernels.join_bars`; int[n] twice, float64[n] twice."""
    found: tuple[NDArray[Any], ...] = run(_kernels().join_bars, whole(parent), whole(level), centres, heights, deepest)
    return found


def whole(numbers: NDArray) -> NDArray[np.int64]:
    """The type that these kernels are compiled for."""
    return np.require(numbers, np.int64, ("C", "W"))


def run(kernel: Any, *given: Any) -> Any:
    """Calls a kernel, as it stands for a small tree while nobody has compiled it."""
    return (kernel.py_func if len(given[0]) <= FEW and not kernel.signatures else kernel)(*given)


@cache
def _kernels() -> ModuleType:
    """Imported late: an empty window does not wait for the compiler to be loaded."""
    from gui.picture import kernels

    return kernels


def warm_up() -> None:
    """Compiles the kernels, or loads them, by drawing a tree too large to do without: one node below the other."""
    from engine.runtime.compiler import compile_at_once  # late, as `_kernels`

    n = FEW + 1
    parent, end, level, zeros, ones = np.arange(n) - 1, np.full(n, n), np.arange(n), np.zeros(n), np.ones(n)
    with compile_at_once():
        tidy(parent, end, ones, 0.0)
        sort_by_level(level, np.arange(n) < n - 1)
        fold_away(parent, end, level, ones, np.zeros(n, bool))
        find_room(level, zeros, ones, 1.0, 0.0, n - 1)
        join_bars(parent, level, zeros, ones, n - 1)
