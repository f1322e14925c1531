"""Compiling what draws trees before a large one is drawn, or loading it from the cache."""

import numpy as np

from engine.runtime.compiler import compile_at_once
from gui.picture import tidy


def warm_up() -> None:
    """Runs the kernels that draw once."""
    with compile_at_once():
        _draw()


def _draw() -> None:
    """Where the nodes of a tree stand that is too large to do without the compiler: one node below the other."""
    n = tidy.FEW + 1
    parent, end, level, zeros, ones = np.arange(n) - 1, np.full(n, n), np.arange(n), np.zeros(n), np.ones(n)
    tidy.tidy(parent, end, ones, 0.0)
    tidy.sort_by_level(level, np.arange(n) < n - 1)
    tidy.fold_away(parent, end, level, ones, np.zeros(n, bool))
    tidy.find_room(level, zeros, ones, 1.0, 0.0, n - 1)
    tidy.join_bars(parent, level, zeros, ones, n - 1)
