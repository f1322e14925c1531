"""Shapes straight into the pixels of a picture, as soon as that is compiled: no paint waits for it."""

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
# those that fill bands, boxes, plates, edges and lines, once they are compiled
_kernels: list[Callable[..., None]] = []


def make_ready() -> None:
    """Compiles what fills shapes, or loads it."""
    from engine.runtime.compiler import compile_at_once
    from gui.picture.kernels.bands import fill_bands, fill_edges, fill_lines
    from gui.picture.kernels.rectangles import fill_boxes, fill_plates

    pixels, colours = np.zeros((1, 1), np.uint32), np.zeros(1, np.uint32)
    with compile_at_once():
        fill_bands(pixels, np.zeros((1, 4)), np.ones(1), 1.0, colours, EASE)
        fill_boxes(pixels, np.zeros((1, 4)), colours)
        fill_plates(pixels, np.zeros((1, 6)), colours, colours)
        fill_edges(pixels, np.zeros((1, 4)), np.zeros((1, 3)), colours, EASE)
        fill_lines(pixels, np.zeros((1, 4)), np.ones(1), colours)
    _kernels[:] = fill_bands, fill_boxes, fill_plates, fill_edges, fill_lines


def is_ready() -> bool:
    """Whether shapes are filled at once."""
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


def plates(
    pixels: NDArray[np.uint32], plates: NDArray[np.float64], fills: NDArray[np.uint32], inks: NDArray[np.uint32]
) -> None:
    """Fills rounded rectangles, each over those before it.

    Args:
        pixels: as of `bands`.
        plates: float64[n, 6]: left, upper, right, lower; the radius of the corners; how wide the border is, which lies
            inside of all these.
        fills, inks: uint32[n], 0xRRGGBB, of what is inside and of the border.
    """
    _kernels[2](pixels, np.ascontiguousarray(plates), fills, inks)


def edges(
    pixels: NDArray[np.uint32], lines: NDArray[np.float64], widths: NDArray[np.float64], colours: NDArray[np.uint32]
) -> None:
    """Fills edges that leave their upper end and arrive at their lower end upright, each over those before it.

    Args:
        pixels, colours: as of `bands`.
        lines: float64[n, 4], the middles of the ends: x, y, x, y; the first is the upper one.
        widths: float64[n, 3], in pixels from the left to the right side above, and below; the least straight across.
    """
    _kernels[3](pixels, np.ascontiguousarray(lines), np.ascontiguousarray(widths), colours, EASE)


def lines(
    pixels: NDArray[np.uint32], lines: NDArray[np.float64], widths: NDArray[np.float64], colours: NDArray[np.uint32]
) -> None:
    """Fills straight lines, each over those before it.

    Args:
        pixels, colours: as of `bands`.
        lines: float64[n, 4]: x, y, x, y.
        widths: float64[n], in pixels straight across.
    """
    _kernels[4](pixels, np.ascontiguousarray(lines), widths, colours)
