"""Which bar of a small histogram each value of a column belongs to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import engine


def bar_of_code(
    column: engine.Column, counts: NDArray[np.number], most: int
) -> tuple[NDArray[np.int64], int, NDArray[np.intp]]:
    """Which bar each code belongs to, how many there are (of equal widths for numbers; one for each level, none beyond
    `most`), and in which order levels have theirs. `counts`: [n_values + 1], the rows of each code."""
    bar, order = np.zeros(column.n_values + 1, dtype=np.int64), np.arange(column.n_values)
    if column.n_values == 0:
        return bar, 1, order
    if column.is_numeric and column.n_values > most:
        numbers = column.values.astype(np.float64)
        finite = numbers[np.isfinite(numbers)]
        low, high = (finite[0], finite[-1]) if finite.size else (0.0, 1.0)
        width = (high / most - low / most) or 1.0
        scaled = (np.clip(numbers, low, high) / width) - low / width
        bar[1:] = np.clip(np.floor(scaled), 0, most - 1)
        return bar, most, order
    if column.kind == "nominal":
        order = np.argsort(-counts[1:], kind="stable")
    bar[1 + order] = np.arange(column.n_values)
    return bar, min(column.n_values, most), order
