"""Counting the target code by code in the few rows of a node that stand in open bins.

found    907 13 908 13        codes of these rows, in the order of the rows
places     4  9  11 17        where they stand in the node's list of rows

sorted    13 13 907 908   ->  codes 13 907 908, their statistics and sizes
"""

import numpy as np

from engine.runtime.compiler import jit
from engine.search.kernels.target import add_row

DIGIT = 11  # bits sorted in one pass


@jit
def sort_by_code(found, places, n, spare_found, spare_places):
    """Sorts the first n codes and their places by code, stably, one digit after the other from the lowest."""
    least, most = found[0], found[0]
    in_order = True
    for k in range(1, n):
        in_order = in_order and found[k] >= found[k - 1]
        least, most = min(least, found[k]), max(most, found[k])
    start = np.empty((1 << DIGIT) + 1, np.int64)
    shift = 0
    while not in_order and (most - least) >> shift > 0:
        for digit in range(start.size):
            start[digit] = 0
        for k in range(n):
            start[(((found[k] - least) >> shift) & ((1 << DIGIT) - 1)) + 1] += 1
        for digit in range(1, start.size):
            start[digit] += start[digit - 1]
        for k in range(n):
            digit = ((found[k] - least) >> shift) & ((1 << DIGIT) - 1)
            at = start[digit]
            start[digit] = at + 1
            spare_found[at], spare_places[at] = found[k], places[k]
        for k in range(n):
            found[k], places[k] = spare_found[k], spare_places[k]
        shift += DIGIT


@jit
def count_found(found, places, n, target, n_stats):
    """(codes int64[f], stat float64[f, S], sizes int64[f]) of n sorted rows; `target` by their places."""
    n_codes = 0
    for k in range(n):
        n_codes += np.int64(k == 0 or found[k] != found[k - 1])
    codes, stat, sizes = np.empty(n_codes, np.int64), np.zeros((n_codes, n_stats)), np.zeros(n_codes, np.int64)
    add_found(found, places, n, target, codes, stat, sizes)
    return codes, stat, sizes


@jit
def add_found(found, places, n, target, codes, stat, sizes):
    """`count_found` into arrays of the right size, stat and sizes zeroed."""
    at = -1
    for k in range(n):
        if k == 0 or found[k] != found[k - 1]:
            at += 1
            codes[at] = found[k]
        sizes[at] += 1
        add_row(stat, at, places[k], target)
