"""Neighbours that are alike, so that one call of the painter is enough for them."""

from itertools import pairwise

import numpy as np


def runs(*keys: np.ndarray) -> list[tuple[int, int]]:
    """Start and stop of each run of equal keys, all of the same length."""
    if not keys[0].size:
        return []
    changes = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    bounds = np.concatenate(([0], np.flatnonzero(changes) + 1, [keys[0].size])).tolist()
    return list(pairwise(bounds))
