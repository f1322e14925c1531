"""Shades: whole numbers that say how a node is coloured, the same in every theme.

A shade is a pole (a class, a column, an end of a scale) and a step from neutral to that pole's full colour.
"""

import numpy as np
from numpy.typing import NDArray

STEPS = 24  # shades between neutral and a pole

Shades = NDArray[np.int64]


def shades(pole: NDArray[np.int64] | int, distance: NDArray[np.float64]) -> Shades:
    """int64[n] of poles and distances, 0 (neutral) to 1 (full colour); their sign does not count, NaN is neutral."""
    steps = np.rint(np.abs(np.nan_to_num(distance)).clip(0, 1) ** 0.75 * STEPS).astype(np.int64)
    return np.asarray(pole, np.int64) * (STEPS + 1) + steps


def diverging(distance: NDArray[np.float64]) -> Shades:
    """int64[n] of distances from −1, full colour of pole 0, to 1, full colour of pole 1."""
    return shades((distance > 0).astype(np.int64), distance)


def parts(shade: int) -> tuple[int, float]:
    """The pole of a shade, and which share of its colour it has."""
    pole, step = divmod(shade, STEPS + 1)
    return pole, step / STEPS
