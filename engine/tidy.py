"""Where the nodes of a tree stand in a tidy drawing on levels, for nodes of different widths.

The drawing is that of E. M. Reingold and J. S. Tilford, "Tidier drawings of trees" (1981): a parent stands over the
middle of its outer children, and subtrees side by side are as near to each other as the gap lets them. With more than
two branches the middle ones stand half-way between packed to the left and packed to the right (both keep every
distance, so their mean does), which makes a mirrored tree the mirrored drawing.
"""

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.kernels import outline
from engine.kernels import tidy as kernels

FEW = 2_000  # nodes that are drawn within a frame without the compiler: nobody waits for it then


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
    run(kernels.find_slots, parent, height, tallest, slot)
    run(kernels.push_apart, end, half, float(gap), height, tallest, slot, offset)
    run(kernels.place, parent, half, offset, centres, left, right)
    return Drawing(centres, left, right, height)


def sort_by_level(level: NDArray, n_branches: NDArray) -> tuple[NDArray[np.int64], ...]:
    """See `engine.kernels.outline.sort_by_level`."""
    return cast("tuple[NDArray[np.int64], ...]", run(outline.sort_by_level, whole(level), whole(n_branches)))


def fold_away(parent: NDArray, end: NDArray, level: NDArray, n_branches: NDArray, closed: NDArray) -> Any:
    """See `engine.kernels.outline.fold_away`."""
    return run(outline.fold_away, whole(parent), whole(end), whole(level), whole(n_branches), closed)


def find_room(level: NDArray, centres: NDArray, widths: NDArray, across: float, gap: float, deepest: int) -> Any:
    """See `engine.kernels.outline.find_room`."""
    return run(outline.find_room, whole(level), centres, np.array(widths, np.float64), across, gap, deepest)


def join_bars(parent: NDArray, level: NDArray, centres: NDArray, heights: NDArray, deepest: int) -> Any:
    """See `engine.kernels.outline.join_bars`."""
    return run(outline.join_bars, whole(parent), whole(level), centres, heights, deepest)


def whole(numbers: NDArray) -> NDArray[np.int64]:
    """The type that these kernels are compiled for."""
    return np.require(numbers, np.int64, ("C", "W"))


def run(kernel: Any, *given: Any) -> Any:
    """Calls a kernel, as it stands for a small tree while nobody has compiled it."""
    return (kernel.py_func if len(given[0]) <= FEW and not kernel.signatures else kernel)(*given)
