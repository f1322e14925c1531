"""Bands and boxes straight into the pixels of a picture, as soon as that is compiled: no paint waits for it."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

STEPS = 1_024  # pieces of a curve; between them it is taken for straight
FARTHEST = 1e9  # pixels: no band that begins or ends beyond is filled, nor one that stands nowhere
NEWTON = 60  # steps of its inverse, which bends most at its ends


def eased(steps: int) -> NDArray[np.float64]:
    """float64[steps + 1]: how far down a curve is where it has gone so far across, both from 0 to 1.

    It is the cubic of x = 1.5 t (1 − t) + t³, y = t² (3 − 2 t): it leaves and arrives level, and its control points
    stand half-way across.
    """
    across = np.linspace(0.0, 1.0, steps + 1)
    t = across.copy()
    for _ in range(NEWTON):
        t -= (1.5 * t * (1 - t) + t**3 - across) / (1.5 - 3 * t + 3 * t**2)
    return t * t * (3 - 2 * t)


EASE = eased(STEPS)
_kernels: list[Callable[..., None]] = []  # those that fill bands and boxes, once they are compiled


def make_ready() -> None:
    """Compiles what fills bands and boxes, or loads it."""
    from engine.kernels.bands import fill_bands
    from engine.kernels.boxes import fill_boxes

    pixels, colours = np.zeros((1, 1), np.uint32), np.zeros(1, np.uint32)
    fill_bands(pixels, np.zeros((1, 4)), np.ones(1), 1.0, colours, EASE)
    fill_boxes(pixels, np.zeros((1, 4)), colours)
    _kernels[:] = fill_bands, fill_boxes


def is_ready() -> bool:
    """Whether bands and boxes are filled at once."""
    return bool(_kernels)


def bands(
    pixels: NDArray[np.uint32],
    lines: NDArray[np.float64],
    heights: NDArray[np.float64],
    colours: NDArray[np.uint32],
    least: float,
) -> None:
    """Fills bands, each over those before it.

    Args:
        pixels: uint32[high, wide], 0xffRRGGBB, written.
        lines: float64[n, 4], the middles of the ends: x, y, x, y; the first is the left one.
        heights: float64[n], in pixels, from the upper to the lower edge.
        colours: uint32[n], 0xffRRGGBB.
        least: no band is thinner, straight across.
    """
    known = (np.abs(lines) < FARTHEST).all(axis=1) & (heights < FARTHEST)
    if not known.all():
        lines, heights, colours = lines[known], heights[known], colours[known]
    _kernels[0](pixels, np.ascontiguousarray(lines), heights, least, colours, EASE)


def boxes(pixels: NDArray[np.uint32], sides: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
    """Fills rectangles of whole pixels, each over those before it.

    Args:
        pixels, colours: as of `bands`.
        sides: float64[n, 4]: left, upper, right, lower; halves of a pixel are rounded up.
    """
    _kernels[1](pixels, np.ascontiguousarray(sides), colours)
