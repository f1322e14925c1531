"""Which node of a drawn tree stands for a node of the whole one: itself, or the folded one that hides it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.kept import latest

if TYPE_CHECKING:
    from engine.tree import Tree

NOBODY = np.zeros(0, dtype=np.intp)


@latest
def stand_ins(whole: Tree, drawn: Tree) -> NDArray[np.intp] | None:
    """intp[n_nodes of the whole]: the position in the drawn tree of each node, or of the nearest one above that is
    drawn; None where the drawn tree is no cut-back form of the whole."""
    if drawn is whole:
        return np.arange(whole.n_nodes)
    there = np.isin(whole.ids, drawn.ids, assume_unique=True)
    if not there[0] or not np.array_equal(whole.ids[there], drawn.ids):
        return None
    # In preorder the hidden nodes follow the one that hides them.
    return np.asarray(np.cumsum(there) - 1)


def standing_for(whole: Tree, drawn: Tree, positions: NDArray[np.int64]) -> NDArray[np.intp]:
    """Positions in the drawn tree, ascending, each once; none where it is no form of the whole."""
    if drawn is whole:
        return positions.astype(np.intp, copy=False)
    places = stand_ins(whole, drawn)
    return np.unique(places[positions]) if places is not None else NOBODY
