"""Bins of a numeric target: where they part, and what they are called."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.table.words import exact_words, value_words

MOST_BINS = 1000  # as many as a tree tells classes apart


def equal_count_edges(values: NDArray[np.float64], weights: NDArray[np.float64], bins: int) -> tuple[float, ...]:
    """The edges of bins of about equal weight, halfway between two neighbouring values; fewer where values are heavy.

    Each edge follows the value up to which the weight is nearest to j/bins of all; of two equally near the lower one.

    Args:
        values: float64[d], distinct and ascending.
        weights: float64[d], above 0.
        bins: how many are wanted, at least 2.
    """
    passed = np.cumsum(weights)
    inner, wanted = bins * passed[:-1], np.arange(1, bins) * passed[-1]
    if inner.size == 0:
        return ()
    above = np.searchsorted(inner, wanted).clip(0, inner.size - 1)
    lower = (above - 1).clip(0)
    last = np.unique(np.where(wanted - inner[lower] <= inner[above] - wanted, lower, above))
    low, high = values[last], values[last + 1]
    middle = low / 2 + high / 2
    return tuple(np.where((low <= middle) & (middle < high), middle, low).tolist())


def range_names(edges: tuple[float, ...]) -> list[str]:
    """What the bins between ascending edges are called: "≤ 12.5", "12.5 – 20", "> 20"; no two alike."""
    texts = [value_words(edge, "number") for edge in edges]
    if len(set(texts)) < len(texts):
        texts = [exact_words(edge) for edge in edges]
    between = [f"{low} – {high}" for low, high in pairwise(texts)]
    return [f"≤ {texts[0]}", *between, f"> {texts[-1]}"]
