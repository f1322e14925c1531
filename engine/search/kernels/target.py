"""What is predicted: the target of some rows, and how a row adds to a sufficient statistic.

labels    1 0 2 1                  of classes; stat float64[·, K] has the weight of each
numbers   0.5 -2.0 0.25            of a numeric target; stat float64[·, 3] has (Σw, Σwy, Σwy²)
weights   empty: every row counts once
"""

from typing import Any, NamedTuple

from engine.runtime.compiler import jit


class Target(NamedTuple):
    """What is predicted, by local row number; of `labels` and `numbers` one is empty.

    labels: uint16[n], classes. numbers: float64[n], measured from a number near their mean.
    weights: float64[n], or empty when every row counts once.
    centre: what is taken off the numbers in all sums, a number near the mean of the node that is searched; where
        a node's own spread is small beside its distance from the table's mean, sums without it lose their digits.
    """

    labels: Any
    numbers: Any
    weights: Any
    centre: float = 0.0


@jit
def add_row(stats, i, row, target):
    """Adds one row to the sufficient statistic stats[i] (a view of it would cost more than the addition)."""
    weight = target.weights[row] if target.weights.size else 1.0
    if target.labels.size:
        stats[i, target.labels[row]] += weight
    else:
        value = target.numbers[row] - target.centre
        stats[i, 0] += weight
        stats[i, 1] += weight * value
        stats[i, 2] += weight * value * value
