"""Curved bands in a picture, their edges as smooth as pixels allow: column by column, straight into the pixels.

x0               x1         A band leaves its left end level, arrives level at its right end, and is equally high
▔▔▔▔▔╲                      all along. Within one column of pixels its edges are straight, so the part of a pixel
▁▁▁▁▁ ╲▔▔▔▔▔                that it covers is known exactly: what lies below the upper edge, less what lies below
      ╲▁▁▁▁▁                the lower one. Most columns are nearly level; there that is a difference of heights.
"""

import numpy as np

from engine.runtime.compiler import jit, jit_part

LEVEL = 0.2  # pixels that edges rise in one column, or in a few, and are taken for level: a tenth of a pixel at most
BLOCK = 8  # so many columns are filled at once where a band is level
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
def fill_level(pixels, begin, end, top, bottom, colour):
    """Fills some columns between two heights, all inside of the picture."""
    first, last = np.int64(top), np.int64(bottom)
    share = min(bottom, np.float64(first + 1)) - top
    for column in range(begin, end):
        mix(pixels, first, column, colour, share)
    if first < last:
        pixel = SEEN | (colour & 0xFF00FF) | ((colour >> 24) & 0x00FF00)
        for row in range(first + 1, last):
            for column in range(begin, end):
                pixels[row, column] = pixel
        for column in range(begin, end):
            mix(pixels, last, column, colour, bottom - last)


@jit_part
def fill_steep(pixels, column, low, high, half, wide, colour):
    """Fills one column of a band whose middle is at two heights at the column's sides, not equal; half is its own."""
    row = np.int64(max(np.floor(low - half), 0.0))
    end = np.int64(min(np.ceil(high + half), np.float64(pixels.shape[0])))
    whole, whole_end = np.int64(np.ceil(high - half)), np.int64(np.floor(low + half))
    slope, middle = 0.5 / max(high - low, 1e-9), 0.5 * (low + high)
    if wide == 1.0 and whole < whole_end:
        pixel = SEEN | (colour & 0xFF00FF) | ((colour >> 24) & 0x00FF00)
        for inner in range(max(whole, 0), min(whole_end, pixels.shape[0])):
            pixels[inner, column] = pixel
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


@jit_part
def eased(ease, at):
    """How far down a curve is, between two of the places that are known."""
    step = min(np.int64(at), ease.size - 2)
    return ease[step] + (at - step) * (ease[step + 1] - ease[step])


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
        first, stop = np.int64(max(np.floor(x0), 0.0)), np.int64(min(np.ceil(x1), np.float64(columns)))
        scale = steps / (x1 - x0)
        y = y0 + down * eased(ease, max((first - x0) * scale, 0.0))
        for block in range(first, stop, BLOCK):
            after = min(block + BLOCK, stop)
            there = y0 + down * eased(ease, (min(np.float64(after), x1) - x0) * scale)
            top, bottom = 0.5 * (y + there) - reach, 0.5 * (y + there) + reach
            if abs(there - y) < LEVEL and block >= x0 and after <= x1 and top >= 0.0 and bottom < rows:
                fill_level(pixels, block, after, top, bottom, colour)
                y = there
                continue
            for column in range(block, after):
                before, begin, end = y, max(np.float64(column), x0), min(np.float64(column + 1), x1)
                y = y0 + down * eased(ease, (end - x0) * scale)
                wide, rise, middle = end - begin, abs(y - before), 0.5 * (before + y)
                if rise < LEVEL and wide == 1.0 and middle - reach >= 0.0 and middle + reach < rows:
                    fill_level(pixels, column, column + 1, middle - reach, middle + reach, colour)
                    continue
                half = max(height, least * np.sqrt(1.0 + (rise / wide) * (rise / wide))) / 2
                fill_steep(pixels, column, min(before, y), max(before, y), half, wide, colour)
