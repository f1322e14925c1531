"""The sufficient statistic of the rows of a node, given their targets one after the other.

numbers   7.5 9.5 8.0 ...     of the node's rows, measured from the table's mean
centre    8.25                near the mean of the node: sums around it lose no digits
about     (Σw, Σwd, Σwd²)     d = number - centre; what a search adds up and compares
stat      (Σw, Σwy, Σw(y - mean)²), as in `engine.tree.Tree`
"""

import numpy as np

from engine.kernels import jit
from engine.kernels.impurity import centre_of, centred_squares


@jit
def sum_classes(labels, weights, stat):
    """Adds up class weights into stat float64[1, K]; returns whether all rows are of one class.

    labels: uint16[n]; weights: float64[n], or empty when every row counts once.
    """
    for k in range(labels.size):
        stat[0, labels[k]] += weights[k] if weights.size else 1.0
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
    for k in range(numbers.size):
        share = weights[k] if weights.size else 1.0
        numbers[k] -= centre
        about[0, 0] += share
        about[0, 1] += share * numbers[k]
        about[0, 2] += share * numbers[k] * numbers[k]
    stat[0, 0] = about[0, 0]
    stat[0, 1] = about[0, 1] + about[0, 0] * centre
    stat[0, 2] = centred_squares(about[0, 0], about[0, 1], about[0, 2])
    return low == high
