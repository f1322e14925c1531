"""What the worker does for the box plots on cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress
from gui.model.history import State


def boxes(state: State, part: str, progress: Progress) -> NDArray[np.float64]:
    """float64[n_nodes, 5], see `engine.tree.counting.BOX`."""
    from engine.tree.counting import quantiles

    return quantiles(state.table, state.tree, state.assigned(), part, progress=progress)
