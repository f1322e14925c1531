"""Bands, edges and lines in a picture, as smooth as pixels allow: straight into the pixels.

x0               x1         A band leaves its left end level, arrives level at its right end, and is equally high
▔▔▔▔▔╲                      all along. Within one column of pixels its edges are straight, so the part of a pixel
▁▁▁▁▁ ╲▔▔▔▔▔                that it covers is known exactly: what lies below the upper edge, less what lies below
      ╲▁▁▁▁▁                the lower one. Most columns are nearly level; there that is a difference of heights.

An edge of a tree from top to bottom is filled likewise, row by row: it leaves its upper end upright, arrives upright at
its lower end, and is cut off level at both.

A straight line that is rather steep is drawn row by row, others column by column: there it covers a stretch of pixels
around its middle, as much of each as lies in the stretch at half of the row. Each side is off by an eighth of its
slope, which is 1 at most, so a pixel with both sides of a line in it by a quarter.
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
