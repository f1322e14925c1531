"""The sufficient statistic of the rows of a node, given their targets one after the other.

numbers   7.5 9.5 8.0 ...     of the node's rows, measured from the table's mean
centre    8.25                near the mean of the node: sums around it lose no digits
about     (Σw, Σwd, Σwd²)     d = number - centre; what a search adds up and compares
stat      (Σw, Σwy, Σw(y - mean)²), as in `engine.tree.Tree`
"""

import numpy as np

from engine.criteria.kernels import centre_of, centred_squares
from engine.runtime.compiler import jit


@jit
def sum_classes(labels, weights, stat):
    """Adds up class weights into stat float64[1, K]; returns whether all rows are of one class.

    labels: uint16[n]; weights: float64[n], or empty when every row counts once.
    """
    if weights.size:
        for k in range(labels.size):
            stat[0, labels[k]] += weights[k]
    else:
        counts = np.zeros((4, stat.shape[1]), np.int64)  # four of them, as adding to one number twice has to wait
        for k in range(labels.size):
            counts[k & 3, labels[k]] += 1
        for c in range(stat.shape[1]):
            stat[0, c] += counts[0, c] + counts[1, c] + counts[2, c] + counts[3, c]
    n_classes = 0
    for c in range(stat.shape[1]):
        n_classes += np.int64(stat[0, c] > 0.0)
    return n_classes <= 1


@jit
def sum_numbers(numbers, weights, stat, about):
    """Moves the numbers of a node to around their centre and adds them up; returns whether they are all the same.

    numbers: float64[n], changed; stat, about: float64[1, 3], zeroed, written.
    """
    weight, total, low, high = 0.0, 0.0, np.inf, -np.inf
    for k in range(numbers.size):
        share = weights[k] if weights.size else 1.0
        weight += share
        total += share * numbers[k]
        low, high = min(low, numbers[k]), max(high, numbers[k])
    centre = centre_of(total, weight, low, high)
    total_about, squares = 0.0, 0.0
    for k in range(numbers.size):
        share = weights[k] if weights.size else 1.0
        number = numbers[k] - centre
        numbers[k] = number
        total_about += share * number
        squares += share * number * number
    about[0, 0], about[0, 1], about[0, 2] = weight, total_about, squares
    stat[0, 0] = about[0, 0]
    stat[0, 1] = about[0, 1] + about[0, 0] * centre
    stat[0, 2] = centred_squares(about[0, 0], about[0, 1], about[0, 2])
    return low == high
