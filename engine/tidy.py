"""Where the nodes of a tree stand in a tidy drawing on levels, for nodes of different widths.

The drawing is that of E. M. Reingold and J. S. Tilford, "Tidier drawings of trees" (1981): a parent stands over the
middle of its outer children, and subtrees side by side are as near to each other as the gap lets them. With more than
two branches the middle ones stand half-way between packed to the left and packed to the right (both keep every
distance, so their mean does), which makes a mirrored tree the mirrored drawing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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


def tidy(end: NDArray, widths: NDArray, gap: float) -> Drawing:
    """Draws a tree.

    Args:
        end: int[n], one past the last node below each node; nodes are in preorder.
        widths: float[n], the room each node needs on its level.
        gap: least distance between neighbours on a level.
    """
    end, half, n = np.array(end, np.int64), np.array(widths, np.float64) / 2, len(end)
    height, slot, offset = np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n)
    centres, left, right = np.empty(n), np.empty(n), np.empty(n)
    for kernel, given in (
        (kernels.find_slots, (end, height, slot)),
        (kernels.push_apart, (end, half, float(gap), height, slot, offset)),
        (kernels.place, (end, half, offset, centres, left, right)),
    ):
        plain = n <= FEW and not kernel.signatures
        (kernel.py_func if plain else kernel)(*given)
    return Drawing(centres, left, right, height)
