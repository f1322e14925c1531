"""One class against the rest, the leaves in order of its probability: ROC, precision and recall, lift and gains.

A tree gives as many different probabilities as it has leaves, at most; rows of one leaf, and of leaves that give the
class the same probability, are tied. All curves are made of two numbers for each of them: the weight of the class, and
of all rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import NamedTuple

import numpy as np

from engine.assessment.intervals import NAN, Z_95, Floats, ratio

SAME = 1e-12  # probabilities that differ by less are equal: priors and smoothing round them


class Percentiles(NamedTuple):
    """Rows in equal shares, those of the highest probability first: float64[parts] each; nan without rows.

    Attributes:
        depth: the share of all rows so far.
        threshold: the lowest probability among the rows of the share.
        response: of these the share that is of the class.
        lift: response ÷ the share of the class among all rows.
        gains: of all rows of the class the share so far.
        cumulative_response, cumulative_lift: as response and lift, of all rows so far.
    """

    depth: Floats
    threshold: Floats
    response: Floats
    lift: Floats
    gains: Floats
    cumulative_response: Floats
    cumulative_lift: Floats


@dataclass(frozen=True, eq=False)
class Ranking:
    """How well the probability of one class ranks the rows of a part; m is the number of different probabilities.

    Without rows of the class, or without other rows, what needs both is nan. Without any probability (see
    `Fit.ranking`) the curves have their first point alone, and all figures are nan.

    Attributes:
        label: the class.
        threshold: float64[m + 1], descending: rows of at least this probability are called the class; first infinity,
            where none is.
        hits: float64[m + 1], the weight of the class among these.
        called: float64[m + 1], the weight of all of these.
        rows_of, rows_other: what the rows of the class and the other ones are worth in a test.
    """

    label: str
    threshold: Floats
    hits: Floats
    called: Floats
    rows_of: float
    rows_other: float

    @cached_property
    def recall(self) -> Floats:
        """float64[m + 1]: of the rows of the class the share that is called so; also sensitivity, true positive rate,
        cumulative gains."""
        return ratio(self.hits, self.hits[-1])

    @cached_property
    def false_positive_rate(self) -> Floats:
        """float64[m + 1]: of the other rows the share that is called the class."""
        return ratio(self.called - self.hits, self.called[-1] - self.hits[-1])

    @cached_property
    def precision(self) -> Floats:
        """float64[m + 1]: of the rows that are called the class the share that is of it; 1 where none is called, by
        which the curve begins at the axis."""
        first = 1.0 if self.called[-1] > 0 else NAN
        return np.append(first, ratio(self.hits[1:], self.called[1:]))

    @cached_property
    def depth(self) -> Floats:
        """float64[m + 1]: the share of all rows that is called the class, by which gains and lift are drawn."""
        return ratio(self.called, self.called[-1])

    @cached_property
    def lift(self) -> Floats:
        """float64[m + 1]: precision ÷ the share of the class; nan for the first point, where nothing is called."""
        found = ratio(self.precision, ratio(self.hits[-1:], self.called[-1])[0])
        found[0] = NAN
        return found

    @cached_property
    def auc(self) -> float:
        """The area under the ROC curve: how probably a row of the class has the higher probability than another row,
        ties counted by half (Hanley and McNeil 1982)."""
        found = np.trapezoid(self.recall, self.false_positive_rate) if self._both else NAN
        return float(found)

    @cached_property
    def auc_error(self) -> float:
        """The standard error of the area by DeLong, DeLong and Clarke-Pearson (1988); nan where fewer than two rows are
        of the class or of the others."""
        if not (self._both and self.rows_of > 1 and self.rows_other > 1):
            return NAN
        of, other = np.diff(self.hits), np.diff(self.called - self.hits)
        wins, losses = self._placements
        among = of @ (wins - self.auc) ** 2 / self.hits[-1] / (self.rows_of - 1)
        return sqrt(among + other @ (losses - self.auc) ** 2 / other.sum() / (self.rows_other - 1))

    @property
    def _placements(self) -> tuple[Floats, Floats]:
        """float64[m] each, by probability: for a row of the class the share of others below it, for another row the
        share of the class above it, ties counted by half. Either averages to the area."""
        wins = 1 - (self.false_positive_rate[1:] + self.false_positive_rate[:-1]) / 2
        return wins, (self.recall[1:] + self.recall[:-1]) / 2

    def placements(self, score: Floats) -> tuple[Floats, Floats]:
        """float64[n] each, see `_placements`, of rows with these probabilities."""
        place = np.searchsorted(-self.threshold[1:], -score, side="left")
        wins, losses = self._placements
        return wins[place], losses[place]

    @property
    def auc_interval(self) -> tuple[float, float]:
        """95 % of the area, by its standard error; where classes are fully separated that is 0."""
        return interval_of_area(self.auc, self.auc_error)

    @cached_property
    def average_precision(self) -> float:
        """The area under the steps of precision and recall: Σ precision × what recall gains; nan without rows of the
        class."""
        return float((np.diff(self.recall) * self.precision[1:]).sum()) if self.hits[-1] > 0 else NAN

    def by_percentile(self, parts: int = 10) -> "Percentiles":
        """The rows in equal shares, those of the highest probability first. Where a share ends among tied rows, it
        takes of the class what these have on average.

        Args:
            parts: how many shares, at least 1.
        """
        depth = np.arange(1, parts + 1) / parts
        total, base = self.called[-1], ratio(self.hits[-1:], self.called[-1])[0]
        ends = np.append(0.0, depth) * total
        hits = np.interp(ends, self.called, self.hits)
        at = np.searchsorted(self.called, ends[1:] * (1 - SAME)).clip(0, self.threshold.size - 1)
        response, so_far = ratio(np.diff(hits), total / parts), ratio(hits[1:], ends[1:])
        threshold, gains = self.threshold[at] if total > 0 else np.full(parts, NAN), ratio(hits[1:], self.hits[-1])
        return Percentiles(depth, threshold, response, ratio(response, base), gains, so_far, ratio(so_far, base))

    @property
    def _both(self) -> bool:
        return bool(0 < self.hits[-1] < self.called[-1])


def interval_of_area(area: float, error: float) -> tuple[float, float]:
    """95 % of an area by its standard error, within 0 and 1."""
    reach = Z_95 * error
    return (max(0.0, area - reach), min(1.0, area + reach)) if reach >= 0 else (NAN, NAN)


def ranking(label: str, score: Floats, hits: Floats, weight: Floats, squares: tuple[float, float]) -> Ranking:
    """The ranking by what each leaf says.

    Args:
        label: the class.
        score: float64[n_leaves], its probability.
        hits, weight: float64[n_leaves], the weight of the class in each leaf, and of all rows.
        squares: Σw² of the rows of the class, and of the others.
    """
    there = np.flatnonzero(weight > 0)
    order = there[np.argsort(-score[there], kind="stable")]
    descending = score[order]
    last = np.append(descending[1:] < descending[:-1] - SAME, True) if order.size else np.zeros(0, bool)
    of = np.append(0.0, np.cumsum(hits[order])[last])
    rest = np.maximum(weight - hits, 0.0)  # fractions of weights may leave a little less than nothing
    other = np.append(0.0, np.cumsum(rest[order])[last])
    totals = np.array([of[-1], other[-1]])
    rows = np.divide(totals**2, squares, out=np.zeros(2), where=np.asarray(squares) > 0)
    return Ranking(label, np.append(np.inf, descending[last]), of, of + other, float(rows[0]), float(rows[1]))


def mean_auc_error(rankings: Sequence[Ranking], said: Floats, counts: Floats, squares: Floats) -> float:
    """The standard error of the mean of the areas of several classes, one against the rest: that of DeLong, DeLong and
    Clarke-Pearson (1988) for two classes. A row tells of all areas at once, by how far its placements lie from them:

        η = W_c · Σ_k (V_k − A_k) ÷ W_k    of a row of class c; W_k the weight of class k if k = c, else of all others
        variance of the mean = Σ_c mean(η²) ÷ (n_c − 1) ÷ K²

    Args:
        rankings: of the K classes that have rows.
        said, counts, squares: float64[n_leaves, K] of these classes: the probabilities, the weight and the Σw² of the
            rows in each leaf.

    Returns:
        nan where a class, or what is not of it, is worth less than two rows.
    """
    there = counts.sum(axis=1) > 0
    said, counts, squares = said[there], counts[there], squares[there]
    weight = counts.sum(axis=0)
    rows = ratio(weight**2, squares.sum(axis=0))
    if len(rankings) < 2 or not (rows > 1).all():
        return NAN
    apart = np.zeros(counts.shape)
    for k, ranked in enumerate(rankings):
        wins, losses = ranked.placements(said[:, k])
        others = (losses - ranked.auc) / (weight.sum() - weight[k])
        apart += others[:, None] * weight
        apart[:, k] += wins - ranked.auc - others * weight[k]
    variances = (counts * apart**2).sum(axis=0) / weight / (rows - 1)
    return sqrt(float(variances.sum())) / len(rankings)
