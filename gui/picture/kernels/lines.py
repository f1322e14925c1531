"""Straight lines in a picture, as smooth as pixels allow, in a few pixels for each row or column.

A line that is rather steep is drawn row by row, others column by column: there it covers a stretch of pixels around
its middle, as much of each as lies in the stretch at half of the row. Each side is off by an eighth of its slope,
which is 1 at most, so a pixel with both sides of a line in it by a quarter.
"""

import numpy as np

from engine.runtime.compiler import jit, jit_part
from gui.picture.kernels.bands import mix


@jit_part
def cover(pixels, at, place, colour, share, tipped):
    """Covers a share of one pixel, in a row and a column or tipped in a column and a row."""
    if tipped:
        mix(pixels, place, at, colour, share)
    else:
        mix(pixels, at, place, colour, share)


@jit
def fill_lines(pixels, lines, widths, colours):
    """Fills straight lines, each over those before it; they end level, or upright where they are rather level.

    Args:
        pixels: uint32[high, wide], 0xffRRGGBB, written.
        lines: float64[n, 4], the middles of the ends: x, y, x, y.
        widths: float64[n], pixels straight across.
        colours: uint32[n], 0xRRGGBB.
    """
    rows, columns = np.float64(pixels.shape[0]), np.float64(pixels.shape[1])
    for k in range(colours.size):
        # Along the line and across it, in rows and columns, or in columns and rows.
        tipped = abs(lines[k, 2] - lines[k, 0]) > abs(lines[k, 3] - lines[k, 1])
        begin, end, x0, x1, longest, widest = lines[k, 1], lines[k, 3], lines[k, 0], lines[k, 2], rows, columns
        if tipped:
            begin, end, x0, x1, longest, widest = x0, x1, begin, end, columns, rows
        if begin > end:
            begin, end, x0, x1 = end, begin, x1, x0
        if not begin < end:
            continue
        slope = (x1 - x0) / (end - begin)
        half = 0.5 * widths[k] * np.sqrt(1.0 + slope * slope)
        if max(x0, x1) + half <= 0.0 or min(x0, x1) - half >= widest:
            continue
        colour = np.int64(colours[k])
        colour = (colour & 0xFF00FF) | ((colour & 0x00FF00) << 24)
        first, stop = min(max(np.floor(begin), 0.0), longest), min(max(np.ceil(end), 0.0), longest)
        for at in range(np.int64(first), np.int64(stop)):
            top, bottom = max(np.float64(at), begin), min(np.float64(at + 1), end)
            middle = x0 + slope * (0.5 * (top + bottom) - begin)
            low, high = max(middle - half, 0.0), min(middle + half, widest)
            if low < high:
                place, tall = np.int64(low), bottom - top
                last = min(np.int64(high), np.int64(widest) - 1)
                cover(pixels, at, place, colour, (min(np.float64(place + 1), high) - low) * tall, tipped)
                for inner in range(place + 1, last):
                    cover(pixels, at, inner, colour, tall, tipped)
                if place < last:
                    cover(pixels, at, last, colour, (high - last) * tall, tipped)
