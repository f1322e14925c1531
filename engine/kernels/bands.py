"""Curved bands in a picture, their edges as smooth as pixels allow: column by column, straight into the pixels.

x0               x1         A band leaves its left end level, arrives level at its right end, and is equally high
▔▔▔▔▔╲                      all along. Within one column of pixels its edges are straight, so the part of a pixel
▁▁▁▁▁ ╲▔▔▔▔▔                that it covers is known exactly: what lies below the upper edge, less what lies below
      ╲▁▁▁▁▁                the lower one. Most columns are nearly level; there that is a difference of heights.
"""

import numpy as np

from engine.kernels import jit, jit_part

LEVEL = 0.2  # pixels that edges rise in one column and are taken for level: a pixel is a fortieth off at most
FULL = 256  # the share of a pixel that is covered, in whole numbers
SEEN = 0xFF000000  # the bits of a pixel beside those of its colour
HALVES = 0x80_0080_0080  # rounds each part of a colour whose parts stand `apart`


@jit_part
def mix(pixels, row, column, colour, share):
    """Covers a share of a pixel, 0 to 1; the colour is `apart`."""
    over, pixel = np.int64(share * FULL + 0.5), np.int64(pixels[row, column])
    ground = (pixel & 0xFF00FF) | ((pixel & 0x00FF00) << 24)
    found = (ground * (FULL - over) + colour * over + HALVES) >> 8
    pixels[row, column] = SEEN | (found & 0xFF00FF) | ((found >> 24) & 0x00FF00)


@jit_part
def cover(pixels, begin, end, column, colour):
    """Covers the pixels of a column from one row to another."""
    pixel = SEEN | (colour & 0xFF00FF) | ((colour >> 24) & 0x00FF00)
    for row in range(max(begin, 0), min(end, pixels.shape[0])):
        pixels[row, column] = pixel


@jit_part
def fill_level(pixels, column, top, bottom, colour):
    """Fills one column between two heights, both inside of the picture."""
    first, last = np.int64(top), np.int64(bottom)
    if first == last:
        mix(pixels, first, column, colour, bottom - top)
    else:
        mix(pixels, first, column, colour, first + 1 - top)
        cover(pixels, first + 1, last, column, colour)
        mix(pixels, last, column, colour, bottom - last)


@jit_part
def fill_steep(pixels, column, low, high, half, wide, colour):
    """Fills one column of a band whose middle is at two heights at the column's sides, not equal; half is its own."""
    row = np.int64(max(np.floor(low - half), 0.0))
    end = np.int64(min(np.ceil(high + half), np.float64(pixels.shape[0])))
    whole, whole_end = np.int64(np.ceil(high - half)), np.int64(np.floor(low + half))
    slope, middle = 0.5 / max(high - low, 1e-9), 0.5 * (low + high)
    if wide == 1.0 and whole < whole_end:
        cover(pixels, whole, whole_end, column, colour)
    else:
        whole_end = whole
    for part in range(2):
        # Above the rows that are covered, then below them; all of them where there are none.
        stop = end if whole_end == whole else min(whole, end)
        if part == 1:
            row, stop = max(whole_end, row), end
        # What of the column lies between a height and each edge above it: a triangle at first, then more.
        past = row + half
        upper = 0.0 if past <= low else ((past - low) * (past - low) * slope if past < high else past - middle)
        past = row - half
        lower = 0.0 if past <= low else ((past - low) * (past - low) * slope if past < high else past - middle)
        while row < stop:
            share = lower - upper
            past = row + 1 + half
            upper = 0.0 if past <= low else ((past - low) * (past - low) * slope if past < high else past - middle)
            past = row + 1 - half
            lower = 0.0 if past <= low else ((past - low) * (past - low) * slope if past < high else past - middle)
            mix(pixels, row, column, colour, max(share + upper - lower, 0.0) * wide)
            row += 1


@jit
def fill_bands(pixels, lines, heights, least, colours, ease):
    """Fills bands, each over those before it.

    Args:
        pixels: uint32[high, wide], 0xffRRGGBB, written.
        lines: float64[n, 4], the middles of the ends: x, y, x, y; the first is the left one.
        heights: float64[n], from the upper to the lower edge, in pixels.
        least: where a band is steep, no fewer pixels than that lie between its edges, straight across.
        colours: uint32[n], 0xRRGGBB.
        ease: float64[m + 1], how far down a curve is at x0 + k / m · (x1 − x0), from 0 to 1.
    """
    rows, columns, steps = pixels.shape[0], pixels.shape[1], ease.size - 1
    for k in range(heights.size):
        x0, y0, x1, down = lines[k, 0], lines[k, 1], lines[k, 2], lines[k, 3] - lines[k, 1]
        height, colour = heights[k], np.int64(colours[k])
        colour = (colour & 0xFF00FF) | ((colour & 0x00FF00) << 24)  # room for a product between its parts
        reach = max(height, least) / 2  # where it is level, as at both ends
        if x1 <= x0 or max(y0, y0 + down) + reach <= 0 or min(y0, y0 + down) - reach >= rows:
            continue
        first = np.int64(max(np.floor(x0), 0.0))
        scale, y = steps / (x1 - x0), 0.0
        for column in range(first - 1, np.int64(min(np.ceil(x1), np.float64(columns)))):
            begin, end = max(np.float64(column), x0), min(np.float64(column + 1), x1)
            before, at = y, max((end - x0) * scale, 0.0)
            step = min(np.int64(at), steps - 1)
            y = y0 + down * (ease[step] + (at - step) * (ease[step + 1] - ease[step]))
            if column < first:
                continue  # this was only where the first column begins
            wide, rise = end - begin, abs(y - before)
            half, middle = reach, 0.5 * (before + y)
            if rise < LEVEL and wide == 1.0 and middle - half >= 0.0 and middle + half < rows:
                fill_level(pixels, column, middle - half, middle + half, colour)
                continue
            half = max(height, least * np.sqrt(1.0 + (rise / wide) * (rise / wide))) / 2
            fill_steep(pixels, column, min(before, y), max(before, y), half, wide, colour)
