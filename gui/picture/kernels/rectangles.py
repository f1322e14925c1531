"""Rectangles in a picture: plain ones in one colour, and rounded ones with a border, as smooth as pixels allow.

Of a pixel a rounded rectangle covers the product of what it covers across and down; at a corner no more than what lies
within the corner's circle, taken for straight in one pixel. Beside the corners all pixels of a row but those at its
ends are alike, and most rows are.
"""

import numpy as np

from engine.runtime.compiler import jit, jit_part
from gui.picture.kernels.bands import FULL, HALVES, SEEN


@jit
def fill_boxes(pixels, boxes, colours):
    """Fills rectangles of whole pixels, each over those before it.

    Args:
        pixels: uint32[high, wide], 0xffRRGGBB, written.
        boxes: float64[n, 4]: left, upper, right, lower; whole numbers, or they are rounded.
        colours: uint32[n], 0xRRGGBB.
    """
    rows, columns = np.float64(pixels.shape[0]), np.float64(pixels.shape[1])
    for k in range(colours.size):
        left = np.int64(min(max(np.floor(boxes[k, 0] + 0.5), 0.0), columns))
        upper = np.int64(min(max(np.floor(boxes[k, 1] + 0.5), 0.0), rows))
        right = np.int64(min(max(np.floor(boxes[k, 2] + 0.5), 0.0), columns))
        lower = np.int64(min(max(np.floor(boxes[k, 3] + 0.5), 0.0), rows))
        pixel = SEEN | np.int64(colours[k])
        for row in range(upper, lower):
            for column in range(left, right):
                pixels[row, column] = pixel


@jit_part
def stretch(at, low, high):
    """How much of the stretch from a whole number to the next lies between two numbers."""
    return max(min(np.float64(at + 1), high) - max(np.float64(at), low), 0.0)


@jit_part
def lay(pixels, row, column, inside, rim, fill, ink):
    """Covers shares of a pixel with a fill and with the ink of a rim, in `FULL` parts; both colours are `apart`."""
    pixel = np.int64(pixels[row, column])
    ground = (pixel & 0xFF00FF) | ((pixel & 0x00FF00) << 24)
    found = (ground * (FULL - inside - rim) + fill * inside + ink * rim + HALVES) >> 8
    pixels[row, column] = SEEN | (found & 0xFF00FF) | ((found >> 24) & 0x00FF00)


@jit_part
def lay_at_end(pixels, row, begin, end, sides, radius, border, fill, ink):
    """The pixels of a row from one column to another, at any place of a plate."""
    left, upper, right, lower = sides
    outer, inner = stretch(row, upper, lower), stretch(row, upper + border, lower - border)
    y = max(upper + radius - (row + 0.5), row + 0.5 - (lower - radius))
    for column in range(begin, end):
        whole = outer * stretch(column, left, right)
        inside = inner * stretch(column, left + border, right - border)
        x = max(left + radius - (column + 0.5), column + 0.5 - (right - radius))
        if x > 0.0 and y > 0.0:
            away = radius + 0.5 - np.sqrt(x * x + y * y)
            whole, inside = min(whole, max(away, 0.0)), min(inside, max(away - border, 0.0))
        covered = np.int64(whole * FULL + 0.5)
        filled = min(np.int64(inside * FULL + 0.5), covered)
        lay(pixels, row, column, filled, covered - filled, fill, ink)


@jit_part
def corner_room(radius, y):
    """How far left of a corner's centre pixels of a row are within a circle so far from it; −1 where none are."""
    room = -1.0
    if radius > y:
        room = np.sqrt(radius * radius - y * y)
    return room


@jit
def fill_plates(pixels, plates, fills, inks):
    """Fills rounded rectangles, each over those before it.

    Args:
        pixels: uint32[high, wide], 0xffRRGGBB, written.
        plates: float64[n, 6]: left, upper, right, lower, around the border; the radius of the corners there; how wide
            the border is.
        fills, inks: uint32[n], 0xRRGGBB, of what is inside and of the border.
    """
    rows, columns = np.float64(pixels.shape[0]), np.float64(pixels.shape[1])
    for k in range(fills.size):
        left, upper, right, lower, radius, border = plates[k]
        if not (left < right and upper < lower):
            continue
        radius = min(radius, 0.5 * (right - left), 0.5 * (lower - upper))
        sides, fill, ink = (left, upper, right, lower), np.int64(fills[k]), np.int64(inks[k])
        solid = SEEN | fill
        fill = (fill & 0xFF00FF) | ((fill & 0x00FF00) << 24)
        ink = (ink & 0xFF00FF) | ((ink & 0x00FF00) << 24)
        first_row = np.int64(min(max(np.floor(upper), 0.0), rows))
        for row in range(first_row, np.int64(min(max(np.ceil(lower), 0.0), rows))):
            y = max(upper + radius - (row + 0.5), row + 0.5 - (lower - radius))
            begin, end, same, same_end = left, right, left + border, right - border
            if y > 0.0:  # a row of the corners: it begins on their circle
                room = corner_room(radius + 0.5, y)
                begin, end = left + radius - room - 0.5, right - radius + room + 0.5
                room = corner_room(radius - border - 0.5, y) - 0.5
                same, same_end = left + radius - max(room, 0.0), right - radius + max(room, 0.0)
            start = np.int64(min(max(np.floor(max(begin, left)), 0.0), columns))
            stop = np.int64(min(max(np.ceil(min(end, right)), 0.0), columns))
            middle = min(max(np.int64(min(max(np.ceil(same), 0.0), columns)), start), stop)
            after = min(max(np.int64(min(max(np.floor(same_end), 0.0), columns)), middle), stop)
            covered = np.int64(stretch(row, upper, lower) * FULL + 0.5)
            filled = min(np.int64(stretch(row, upper + border, lower - border) * FULL + 0.5), covered)
            for part in range(2):
                one, other = (start, middle) if part == 0 else (after, stop)
                lay_at_end(pixels, row, one, other, sides, radius, border, fill, ink)
            if filled == FULL:
                for column in range(middle, after):
                    pixels[row, column] = solid
            else:
                for column in range(middle, after):
                    lay(pixels, row, column, filled, covered - filled, fill, ink)
