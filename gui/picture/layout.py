"""Where the nodes of a tree stand on their levels; the drawing itself is the engine's (`gui.picture.tidy`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy.typing import NDArray

from gui.picture.levels import Levels

if TYPE_CHECKING:
    from gui.picture.tidy import Drawing


def layout(levels: Levels, widths: NDArray, gap: float = 12.0) -> Drawing:
    """A tidy drawing of a tree.

    Args:
        widths: float[n], in preorder: the room each node needs on its level.
        gap: least distance between neighbours on a level.
    """
    from gui.picture.tidy import (
        tidy,  # here, so that a window opens without the compiler: where a tree is, it is loaded
    )

    return tidy(levels.parent, levels.end, widths, gap)
