"""Edges of a tree from top to bottom in a picture, as smooth as pixels allow: row by row, straight into the pixels.

An edge leaves its upper end upright, arrives upright at its lower end, and is cut off level at both. Within one row of
pixels its sides are straight, so the part of a pixel that it covers is known exactly: what lies right of the left side,
less what lies right of the right one.
"""

import numpy as np

from engine.runtime.compiler import jit, jit_part
from gui.picture.kernels.bands import SEEN, eased, mix


@jit_part
def right_of(at, low, high):
    """How much of a row's stretch up to a place lies right of a side that goes from one place to another in it."""
    found = 0.0
    if at > low:
        found = (at - low) * (at - low) / (2.0 * (high - low)) if at < high else at - 0.5 * (low + high)
    return found


@jit_part
def fill_row(pixels, row, left, right, tall, colour):
    """One row of an edge; each side goes from one place to another, low before high; tall is the row's own share."""
    columns = np.float64(pixels.shape[1])
    start, stop = min(max(np.floor(left[0]), 0.0), columns), min(max(np.ceil(right[1]), 0.0), columns)
    whole, whole_end = min(max(np.ceil(left[1]), start), stop), min(max(np.floor(right[0]), start), stop)
    column, end, inner, inner_end = np.int64(start), np.int64(stop), np.int64(whole), np.int64(whole_end)
    if tall < 1.0 or inner >= inner_end:
        inner = inner_end = end
    else:
        pixel = SEEN | (colour & 0xFF00FF) | ((colour >> 24) & 0x00FF00)
        for at in range(inner, inner_end):
            pixels[row, at] = pixel
    for part in range(2):
        until = inner if part == 0 else end
        if part == 1:
            column = inner_end
        before = right_of(column, left[0], left[1]) - right_of(column, right[0], right[1])
        while column < until:
            here = right_of(column + 1, left[0], left[1]) - right_of(column + 1, right[0], right[1])
            mix(pixels, row, column, colour, min(max(here - before, 0.0), 1.0) * tall)
            before = here
            column += 1


@jit
def fill_edges(pixels, lines, widths, colours, ease):
    """Fills edges, each over those before it.

    Args:
        pixels: uint32[high, wide], 0xffRRGGBB, written.
        lines: float64[n, 4], the middles of the ends: x, y, x, y; the first is the upper one.
        widths: float64[n, 3], pixels from the left to the right side above, and below; the least straight across.
        colours: uint32[n], 0xRRGGBB.
        ease: float64[m + 1], how far across an edge is at y0 + k / m · (y1 − y0), from 0 to 1.
    """
    rows, steps = np.float64(pixels.shape[0]), ease.size - 1
    for k in range(colours.size):
        x0, y0, x1, y1 = lines[k, 0], lines[k, 1], lines[k, 2], lines[k, 3]
        if not y0 < y1:
            continue
        above, below, least = widths[k, 0] / 2, widths[k, 1] / 2, widths[k, 2] / 2
        farthest = max(above, below, least)
        leftmost, rightmost = min(x0, x1) - farthest, max(x0, x1) + farthest
        if rightmost <= 0.0 or leftmost >= pixels.shape[1]:
            continue
        colour = np.int64(colours[k])
        colour = (colour & 0xFF00FF) | ((colour & 0x00FF00) << 24)
        first, scale = np.int64(min(max(np.floor(y0), 0.0), rows)), steps / (y1 - y0)
        gone = eased(ease, max((first - y0) * scale, 0.0))
        for row in range(first, np.int64(min(max(np.ceil(y1), 0.0), rows))):
            top, bottom = max(np.float64(row), y0), min(np.float64(row + 1), y1)
            tall, before = bottom - top, gone
            gone = eased(ease, (bottom - y0) * scale)
            slope = (x1 - x0) * (gone - before) / max(tall, 1e-9)
            thin = least * np.sqrt(1.0 + slope * slope)
            half, half_below = max(above + (below - above) * before, thin), max(above + (below - above) * gone, thin)
            x, x_below = x0 + (x1 - x0) * before, x0 + (x1 - x0) * gone
            one, other = max(x - half, leftmost), max(x_below - half_below, leftmost)
            left = min(one, other), max(one, other)
            one, other = min(x + half, rightmost), min(x_below + half_below, rightmost)
            right = min(one, other), max(one, other)
            fill_row(pixels, row, left, right, tall, colour)
