"""Orderings of levels along which the search for two groups looks for cuts."""

import math

import numpy as np
from numpy.typing import NDArray

from engine.criteria.criterion import OF_COUNTS
from engine.criteria.kernels import total_of, weight
from engine.runtime.compiler import jit, jit_part

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@jit
def sort_stable(key: Floats, order: Integers, spare: Integers) -> None:
    """Fills order int64[t] with the places of the keys in ascending order, stable: a merge sort.

    numpy's argsort would do the same, but takes a second to compile.
    """
    t = key.shape[0]
    for i in range(t):
        order[i] = i
    step = 1
    while step < t:
        for low in range(0, t, 2 * step):
            a, middle, high = low, min(low + step, t), min(low + 2 * step, t)
            b = middle
            for i in range(low, high):
                if a < middle and (b >= high or key[order[a]] <= key[order[b]]):
                    spare[i] = order[a]
                    a += 1
                else:
                    spare[i] = order[b]
                    b += 1
        for i in range(t):
            order[i] = spare[i]
        step *= 2


@jit_part
def frequent_classes(node: Floats, most: int) -> Integers:
    """The classes of the largest weights in node float64[K], at most `most`, ascending; of equal ones the first."""
    width = node.shape[0]
    rarity, kept = np.empty(width), np.zeros(width, np.uint8)
    order, spare = np.empty(width, np.int64), np.empty(width, np.int64)
    for c in range(width):
        rarity[c] = -node[c]
    sort_stable(rarity, order, spare)
    classes = np.empty(min(most, width), np.int64)
    for i in range(classes.shape[0]):
        kept[order[i]] = 1
    n = 0
    for c in range(width):
        if kept[c]:
            classes[n] = c
            n += 1
    return classes


@jit_part
def first_component(stat: Floats, score: Floats) -> None:
    """Fills score[t]: each level on the first principal component of the class shares, by power iteration.

    Coppersmith, Hong and Hosking 1999: with more than two classes a good partition is mostly a cut here.
    """
    t, width = stat.shape
    total = total_of(stat, np.zeros(width))
    centred, sizes = np.empty((t, width)), np.empty(t)
    covariance = np.zeros((width, width))
    for i in range(t):
        sizes[i] = weight(OF_COUNTS, stat[i])
        for c in range(width):
            centred[i, c] = stat[i, c] / sizes[i] - total[c] / weight(OF_COUNTS, total)
        for a in range(width):
            for b in range(width):
                covariance[a, b] += sizes[i] * centred[i, a] * centred[i, b]
    axis, image = np.zeros(width), np.zeros(width)
    widest = 0
    for c in range(width):
        widest = c if covariance[c, c] > covariance[widest, widest] else widest
    axis[widest] = 1.0
    for _ in range(64):
        norm = 0.0
        for a in range(width):
            image[a] = 0.0
            for b in range(width):
                image[a] += covariance[a, b] * axis[b]
            norm += image[a] * image[a]
        if norm == 0.0:
            break
        for a in range(width):
            axis[a] = image[a] / math.sqrt(norm)
    for i in range(t):
        score[i] = 0.0
        for c in range(width):
            score[i] += centred[i, c] * axis[c]
