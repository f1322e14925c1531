"""Rectangles in a picture, each in one colour, row by row straight into the pixels."""

import numpy as np

from engine.runtime.compiler import jit
from gui.picture.kernels.bands import SEEN


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
