"""What a confusion matrix says beyond the accuracy, with intervals.

C[i, j] is the weight of the rows of class i that are predicted as class j; C₂ the same of the squared weights, so that
(Σw)² ÷ Σw² rows stand behind a share of them (Kish 1965). Frequencies count rows: there C₂ = C.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

from engine.assessment.intervals import UNDEFINED, Estimate, Floats, by_delta, wilson_of


@dataclass(frozen=True, eq=False)
class Confusion:
    """The figures of a confusion matrix, each made when it is first asked for; nan where they are not defined.

    Attributes:
        weight: float64[K, K], C.
        squares: float64[K, K], C₂.
    """

    weight: Floats
    squares: Floats

    @cached_property
    def recall(self) -> Floats:
        """float64[K, 3]: of the rows of each class the share that is predicted so (sensitivity), with Wilson's interval
        (1927); nan of a class without rows."""
        return _shares(np.diag(self.weight), self.weight.sum(axis=1), self.squares.sum(axis=1))

    @cached_property
    def precision(self) -> Floats:
        """float64[K, 3]: of the rows that are predicted as each class the share that is of it, with Wilson's interval;
        nan of a class that is never predicted."""
        return _shares(np.diag(self.weight), self.weight.sum(axis=0), self.squares.sum(axis=0))

    @cached_property
    def f1(self) -> Floats:
        """float64[K, 3]: the harmonic mean of precision and recall; nan of a class that no row has or is given.

        It is 2J ÷ (1 + J), J the share of hits among the rows that are of the class or predicted so (Jaccard 1901).
        Given the number of these, the hits are binomial: the interval is Wilson's of J.
        """
        either, squares = (
            each.sum(axis=0) + each.sum(axis=1) - np.diag(each) for each in (self.weight, self.squares)
        )  # fmt: skip
        jaccard = _shares(np.diag(self.weight), either, squares)
        return 2 * jaccard / (1 + jaccard)

    @cached_property
    def balanced_accuracy(self) -> Estimate:
        """The mean recall of the classes that have rows (Brodersen et al. 2010)."""
        true = self.weight.sum(axis=1)
        there = true > 0
        if not there.any():
            return UNDEFINED
        recall, slopes = self.recall[:, 0], np.zeros(self.weight.shape)
        slopes[there] = (np.eye(true.size) - recall[:, None])[there] / true[there, None]
        slopes *= true.sum() / there.sum()
        return by_delta(float(recall[there].mean()), slopes, self.weight, self.squares, 0.0)

    @cached_property
    def kappa(self) -> Estimate:
        """Cohen's κ (1960): the agreement beyond that of chance, with the standard error of Fleiss, Cohen and Everitt
        (1969); nan where one class alone occurs and is predicted."""
        total = self.weight.sum()
        if not total > 0:
            return UNDEFINED
        shares = self.weight / total
        true, predicted = shares.sum(axis=1), shares.sum(axis=0)
        agreed, expected = float(np.trace(shares)), float(true @ predicted)
        if np.count_nonzero(true + predicted) < 2:
            return UNDEFINED
        slopes = (1 - expected) * np.eye(true.size) - (1 - agreed) * (predicted[:, None] + true)
        kappa = (agreed - expected) / (1 - expected)
        return by_delta(kappa, slopes / (1 - expected) ** 2, self.weight, self.squares)

    @cached_property
    def matthews(self) -> Estimate:
        """The correlation of true and predicted classes: Matthews (1975), of more than two classes Gorodkin (2004); nan
        where all rows are of one class or are predicted as one."""
        total = self.weight.sum()
        if not total > 0:
            return UNDEFINED
        shares = self.weight / total
        true, predicted = shares.sum(axis=1), shares.sum(axis=0)
        if np.count_nonzero(true) < 2 or np.count_nonzero(predicted) < 2:
            return UNDEFINED
        of_true, of_predicted = 1 - float(true @ true), 1 - float(predicted @ predicted)
        scale = sqrt(of_true * of_predicted)
        value = float(np.trace(shares) - true @ predicted) / scale
        slopes = (np.eye(true.size) - predicted[:, None] - true) / scale
        slopes += value * (true[:, None] / of_true + predicted / of_predicted)
        # rounding may lead beyond ±1
        return by_delta(min(1.0, max(-1.0, value)), slopes, self.weight, self.squares)


def _shares(hits: Floats, weight: Floats, squares: Floats) -> Floats:
    """float64[K, 3]: hits ÷ weight with Wilson's interval; nan where there is no weight."""
    share = np.divide(hits, weight, out=np.full(hits.size, np.nan), where=weight > 0)
    rows = np.divide(weight**2, squares, out=np.zeros(hits.size), where=squares > 0)
    return np.column_stack((share, wilson_of(share, rows)))
